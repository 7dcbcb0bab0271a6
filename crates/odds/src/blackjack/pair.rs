//! A pair, and what becomes of it when it is split.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use rules::games::blackjack::{Book, Cost, Hand};
use rules::round::Call;

use super::dealer::{ByTotal, Dealer, StandValues};
use super::draws::{CARDS, Counts, DRAWS};
use super::hand::{CallWorths, Chances, HandPlan, Naturals, Route, Spot, Stake, Start, split_hand};
use super::solve::{PlayBy, Siblings, UpCard, first_open};
use super::split::{self, HandWorth, Pending, Seconds};
use super::survival::{Hands, Rest, Survivals};
use super::tree::{self, GoneCards};
use crate::strategy::{Chart, Page, Row};

/// What the dealer has been asked about the hands of a split pair, by how many more of the pair's cards
/// are gone; empty as long as nothing has been asked.
pub(super) type SeenOfPair = Vec<Arc<StandValues>>;

/// What to do with one pair.
#[derive(Clone, Debug)]
pub(super) struct PairPlay {
    pub(super) value: usize,
    /// How many cards that match it are left.
    pub(super) matching: u16,
    /// How likely two cards of the value are a pair of which as many are left.
    pub(super) share: f64,
    /// With how many hands the first of them is no longer split, and the others; 1 if it is not split
    /// at all.
    pub(super) most: [usize; 2],
    /// What it is worth when split.
    pub(super) worth: f64,
    pub(super) first: HandPlan,
    pub(super) others: HandPlan,
    /// What calls are worth to the first hand, and to the others, if that has been found.
    pub(super) calls: Option<[CallWorths; 2]>,
    pub(super) seen: SeenOfPair,
}

/// The hands of a split pair: the first one, and the others.
#[derive(Clone, Copy)]
pub(super) struct SplitPair<'a> {
    pub(super) start: &'a Start,
    pub(super) dealer: &'a Dealer,
    /// What is left to draw from.
    pub(super) shoe: Counts,
    pub(super) value: usize,
    /// How many of the cards left match the pair.
    pub(super) matching: u16,
    pub(super) naturals: Naturals,
    /// Whether a natural still takes the original wager, unless a hand goes over 21.
    pub(super) fears_natural: bool,
    /// What lies on the first hand, and on each of the others.
    pub(super) stakes: [Stake; 2],
    /// The most hands that it can become.
    pub(super) limit: usize,
}

impl PairPlay {
    pub(super) fn splits(&self) -> bool {
        self.most[0] > 1
    }
}

impl<'a> SplitPair<'a> {
    /// The plans that are best for one hand after the split, and what is found out on the way; `seen`
    /// is what the dealer has been asked already.
    pub(super) fn best(self, seen: SeenOfPair) -> RefCell<SplitValues<'a>> {
        let seen = if seen.is_empty() { self.ask(None) } else { seen };
        let chances = self.chances(0).with(seen[0].clone());
        let natural = if self.fears_natural { self.fear(&chances) } else { 0.0 };
        let first = chances.best(Stake { natural, ..self.stakes[0] });
        let (first, calls) = (first.plan, first.calls);
        let (others, calls) = match self.stakes[0] == self.stakes[1] {
            true => (first.clone(), [calls.clone(), calls]),
            false => {
                let others = chances.best(Stake { natural, ..self.stakes[1] });
                (others.plan, [calls, others.calls])
            }
        };
        let found = SplitValues::new(self, [first, others], seen);
        let calls = (!self.fears_natural).then_some(calls);
        RefCell::new(SplitValues { fear: natural, calls, ..found })
    }

    /// How likely a sibling hand does not go over 21 where the dealer has a natural, so that there is
    /// still something to take: found for a hand alone, and then for one that knows it.
    fn fear(&self, chances: &Chances<'_>) -> f64 {
        let natural = self.dealer.natural(&self.shoe, &DRAWS.all[0]);
        (0..3).fold(1.0, |fear, _| {
            let plan = chances.best(Stake { natural: fear, ..self.stakes[1] }).plan;
            let busts = chances.busts_then_natural(&plan, &self.start.route(&plan))[0];
            if natural > 0.0 { 1.0 - busts / natural } else { 0.0 }
        })
    }

    /// With these plans; `seen` is what the dealer has been asked already.
    fn by(self, plans: [HandPlan; 2], seen: SeenOfPair) -> RefCell<SplitValues<'a>> {
        RefCell::new(SplitValues::new(self, plans, seen))
    }

    pub(super) fn seconds(&self) -> Seconds {
        Seconds { cards: self.shoe.total.into(), matching: self.matching.into() }
    }

    /// The dealer's results for some hands, or for every hand that can be reached.
    fn ask(&self, stands: Option<&ByTotal>) -> SeenOfPair {
        let most = tree::most_gone(self.limit);
        self.chances(0).seen_as_cards_go(stands, GoneCards { value: self.value, most })
    }

    /// A hand's chances when `gone` more of the pair's cards have come.
    fn chances(&self, gone: usize) -> Chances<'a> {
        Chances::new(self.start, self.dealer, self.shoe(gone), self.naturals)
    }

    /// The cards left when `gone` more of the pair's cards have come.
    fn shoe(&self, gone: usize) -> Counts {
        self.shoe.without(self.value, u16::try_from(gone).expect("at most four hands"))
    }
}

/// What hands are worth that wait for their second cards; what a natural takes is left out.
pub(super) fn worth(found: &RefCell<SplitValues<'_>>, pending: Pending) -> f64 {
    let seconds = found.borrow().pair.seconds();
    times(found, [1.0; 2], seconds, pending)
}

/// The same with so many times what lies on the first hand, and on each of the others.
fn times(
    found: &RefCell<SplitValues<'_>>,
    times: [f64; 2],
    seconds: Seconds,
    pending: Pending,
) -> f64 {
    let [mut first, mut others] =
        [0, 1].map(|which| SplitHand { found, which, times: times[which] });
    split::worth(seconds, pending, &mut first, &mut others)
}

/// What has been found out about the hands of a split pair.
pub(super) struct SplitValues<'a> {
    pair: SplitPair<'a>,
    pub(super) plans: [HandPlan; 2],
    routes: [Route; 2],
    /// What a sibling hand has to fear of a natural, in units of the original wager.
    pub(super) fear: f64,
    /// What calls are worth to a hand that fears nothing, if that has been found.
    calls: Option<[CallWorths; 2]>,
    pub(super) seen: SeenOfPair,
    /// By how many more of the pair's cards are gone: with any second card, and with one that
    /// matches; of the first hand, and of each of the others.
    worth: Vec<[[f64; 2]; 2]>,
    /// The same for how likely a hand goes over 21 before a natural.
    busts: RefCell<Vec<[[f64; 2]; 2]>>,
    survivals: OnceCell<[Survivals; 2]>,
}

impl<'a> SplitValues<'a> {
    fn new(pair: SplitPair<'a>, plans: [HandPlan; 2], seen: SeenOfPair) -> SplitValues<'a> {
        let first = pair.start.route(&plans[0]);
        let others = match plans[0] == plans[1] {
            true => first.clone(),
            false => pair.start.route(&plans[1]),
        };
        let routes = [first, others];
        let (worth, busts, survivals) = (Vec::new(), RefCell::default(), OnceCell::new());
        let (fear, calls) = (0.0, None);
        SplitValues { pair, plans, routes, fear, calls, seen, worth, busts, survivals }
    }

    fn find(&mut self, which: usize, gone: usize) -> [f64; 2] {
        if self.seen.is_empty() {
            let stands = self.pair.start.stands_of(self.plans.iter().zip(&self.routes));
            self.seen = self.pair.ask(Some(&stands));
        }
        if self.worth.is_empty() {
            self.add([0]);
        }
        if self.worth.len() <= gone {
            // Nothing is asked for of shoes that there are not.
            let last = self.seen.len() - 1;
            self.add(std::array::from_fn::<_, { tree::MOST_GONE }, _>(|gone| last.min(gone + 1)));
        }
        self.worth[gone][which]
    }

    /// Adds what hands are worth with these numbers of more cards gone.
    fn add<const SHOES: usize>(&mut self, gone: [usize; SHOES]) {
        let second = DRAWS.find([self.pair.value]).expect("a card is within 21");
        let shoes = gone.map(|gone| self.pair.chances(gone).with(self.seen[gone].clone()));
        let mut worths = vec![[0.0; SHOES]; self.pair.start.spots.len()];
        let mut worth = |which: usize| {
            let (stake, plan, route) =
                (self.pair.stakes[which], &self.plans[which], &self.routes[which]);
            Chances::by_plan_in_each(&shoes, stake, plan, route, &mut worths);
            [worths[0], worths[second]]
        };
        let first = worth(0);
        let alike = self.pair.stakes[0] == self.pair.stakes[1] && self.plans[0] == self.plans[1];
        let others = if alike { first } else { worth(1) };
        for shoe in 0..SHOES {
            self.worth.push([first, others].map(|hand| hand.map(|worth| worth[shoe])));
        }
    }

    /// How likely the dealer has a natural.
    fn natural_chance(&self) -> f64 {
        self.pair.dealer.natural(&self.pair.shoe, &DRAWS.all[0])
    }

    /// The least that a natural can take from waiting hands where busts come before it: as if no two
    /// of them ever went over 21 together.
    pub(super) fn least_natural(&self, pending: Pending) -> f64 {
        let [mut first, mut others] = [0, 1].map(|which| BustsFirst { found: self, which });
        let busts = split::worth(self.pair.seconds(), pending, &mut first, &mut others);
        (self.natural_chance() - busts).max(0.0)
    }

    /// What a natural takes on average where busts come before it.
    pub(super) fn natural(&self, pending: Pending) -> f64 {
        let [first, others] = self.survivals();
        self.rest().chance(pending, Hands { first, first_among: true, others })
    }

    /// The same, with a hand beside the waiting ones.
    pub(super) fn natural_beside(&self, pending: Pending, hand: &Survivals) -> f64 {
        let [_, others] = self.survivals();
        self.rest().chance(pending, Hands { first: hand, first_among: false, others })
    }

    fn survivals(&self) -> &[Survivals; 2] {
        let SplitPair { start, value, .. } = self.pair;
        let new = || self.plans.each_ref().map(|plan| Survivals::new(start, plan, value));
        self.survivals.get_or_init(new)
    }

    /// How likely a hand goes over 21 before a natural: with any second card, and with one that
    /// matches.
    fn busts_first(&self, which: usize, gone: usize) -> [f64; 2] {
        let second = DRAWS.find([self.pair.value]).expect("a card is within 21");
        let mut busts = self.busts.borrow_mut();
        while busts.len() <= gone {
            let chances = self.pair.chances(busts.len());
            let busts_by = |which: usize| {
                let all = chances.busts_then_natural(&self.plans[which], &self.routes[which]);
                [all[0], all[second]]
            };
            busts.push([busts_by(0), busts_by(1)]);
        }
        busts[gone][which]
    }

    fn rest(&self) -> Rest {
        let SplitPair { shoe, value, matching, dealer, .. } = self.pair;
        let natural = dealer.natural_value().expect("a natural is possible");
        Rest { shoe, pair: (value, matching), natural }
    }
}

/// One hand of a split pair, played by its plan.
struct SplitHand<'f, 'a> {
    found: &'f RefCell<SplitValues<'a>>,
    which: usize,
    times: f64,
}

impl HandWorth for SplitHand<'_, '_> {
    fn any(&mut self, gone: usize) -> f64 {
        self.times * self.found.borrow_mut().find(self.which, gone)[0]
    }

    fn matching(&mut self, gone: usize) -> f64 {
        self.times * self.found.borrow_mut().find(self.which, gone)[1]
    }
}

/// How likely a hand of a split pair goes over 21 before a natural.
struct BustsFirst<'f, 'a> {
    found: &'f SplitValues<'a>,
    which: usize,
}

impl HandWorth for BustsFirst<'_, '_> {
    fn any(&mut self, gone: usize) -> f64 {
        self.found.busts_first(self.which, gone)[0]
    }

    fn matching(&mut self, gone: usize) -> f64 {
        self.found.busts_first(self.which, gone)[1]
    }
}

/// In so large a shoe, what decides about splitting in a chart without looking at hands that are split
/// again.
const LARGE: u16 = 100;
const CLEAR: f64 = 0.02;

/// A pair against one up card.
pub(super) struct Pair<'s, 'a, B> {
    shown: &'s UpCard<'a, B>,
    pub(super) split: SplitPair<'a>,
    /// What a natural takes apart from all play.
    apart: f64,
}

impl<'s, 'a, B: Book> Pair<'s, 'a, B> {
    pub(super) fn new(
        shown: &'s UpCard<'a, B>,
        (value, matching): (usize, u16),
        money: f64,
        apart: f64,
    ) -> Self {
        let book = shown.game.book;
        let split = SplitPair {
            start: shown.game.split(value),
            dealer: shown.game.dealer(shown.up),
            shoe: shown.shoe.without(value, 2),
            value,
            matching,
            naturals: shown.naturals,
            fears_natural: shown.naturals == Naturals::AfterBusts,
            stakes: kept(stakes(book, value, money), shown.purse.waiting),
            limit: limit(book, value).min(shown.purse.hands),
        };
        Pair { shown, split, apart }
    }

    /// What the pair is worth unsplit, and its play when it is split, if splits are looked at.
    pub(super) fn play(
        &self,
        whole: &HandPlan,
        worth: &[f64],
        stake: Stake,
    ) -> (f64, Option<PairPlay>) {
        let (shown, value) = (self.shown, self.split.value);
        let place = DRAWS.find([value, value]).expect("two cards are within 21");
        match shown.way {
            PlayBy::Best(Siblings::None) => (worth[place] - self.apart, None),
            PlayBy::Best(_) if self.split.limit < 2 => (worth[place] - self.apart, None),
            PlayBy::Best(siblings) => {
                let unsplit = worth[place] - self.apart;
                let alone;
                let (found, times) = match siblings {
                    Siblings::Alike => {
                        alone = self.alike(whole);
                        (&alone, [1.0; 2])
                    }
                    _ if self.is_in_proportion() && !self.carries_lammers() => {
                        let unit = SplitPair { stakes: [Stake::UNIT; 2], ..self.split };
                        let found = shown.splits[value].get_or_init(|| unit.best(Vec::new()));
                        (found, self.split.stakes.map(|stake| stake.money))
                    }
                    _ => {
                        let seen = shown.seen_of_pairs[value].take();
                        alone = self.split.best(seen);
                        (&alone, [1.0; 2])
                    }
                };
                let each = || 2..=self.split.limit;
                let most = each().flat_map(|first| each().map(move |others| [first, others]));
                let mut play = self.split((found, times), most, unsplit);
                if play.worth <= unsplit {
                    play.most = [1; 2];
                }
                shown.seen_of_pairs[value].replace(play.seen.clone());
                (unsplit, Some(play))
            }
            PlayBy::Chart(chart) => {
                let (unsplit, split) = self.by_chart(chart, (whole, worth), stake, Vec::new());
                let splits =
                    |page| chart.choice(page, Row::Pair(value), shown.up).first() == Call::Split;
                match splits(Page::Paid) {
                    true => {
                        let again = splits(page::<B>(1, self.split.stakes[1]));
                        let limit = self.split.limit;
                        let most = [limit, if again { limit } else { 2 }];
                        let play = self.split((&split, [1.0; 2]), [most], f64::NEG_INFINITY);
                        (play.worth, Some(play))
                    }
                    false => (unsplit, Some(self.unsplit(&split, unsplit))),
                }
            }
        }
    }

    /// Whether split hands are played as with a unit on each.
    fn is_in_proportion(&self) -> bool {
        self.split.stakes.iter().all(|stake| self.shown.is_in_proportion(stake.money))
    }

    fn carries_lammers(&self) -> bool {
        self.split.stakes[1].lammers > 0.0 || self.split.start.doubles_free
    }

    /// What the pair is worth unsplit by a chart, and how the chart plays it when split; `seen` is
    /// what the dealer has been asked about split hands.
    fn by_chart(
        &self,
        chart: &Chart,
        (whole, worth): (&HandPlan, &[f64]),
        stake: Stake,
        seen: SeenOfPair,
    ) -> (f64, RefCell<SplitValues<'a>>) {
        let (shown, value) = (self.shown, self.split.value);
        let place = DRAWS.find([value, value]).expect("two cards are within 21");
        let choice = chart.choice(Page::Paid, Row::Pair(value), shown.up).without(Call::Split);
        let call = first_open(choice, shown.game.whole(), &shown.game.whole().spots[place]);
        let unsplit = shown.chances.worth_of(call, place, stake, &whole.surrenders, worth);
        let plans = [0, 1].map(|which| {
            let pair = |spot: &Spot| spot.pair.then_some(value);
            shown.plan_by(chart, page::<B>(which, self.split.stakes[which]), self.split.start, pair)
        });
        (unsplit - self.apart, self.split.by(plans, seen))
    }

    /// With how many hands a chart best stops to split the pair, of these numbers, and what it gains
    /// by splitting it; `best` is the best play. And the plans of the hands.
    pub(super) fn by_splitting(
        &self,
        chart: &Chart,
        whole: (&HandPlan, &[f64]),
        stake: Stake,
        most: &[[usize; 2]],
        best: &PairPlay,
    ) -> ([usize; 2], f64, [HandPlan; 2]) {
        let (unsplit, split) = self.by_chart(chart, whole, stake, best.seen.clone());
        let (most, gain) = self.hands_that_gain((unsplit, &split), most, best);
        (most, gain, split.into_inner().plans)
    }

    fn hands_that_gain(
        &self,
        (unsplit, split): (f64, &RefCell<SplitValues<'a>>),
        most: &[[usize; 2]],
        best: &PairPlay,
    ) -> ([usize; 2], f64) {
        if best.worth <= unsplit {
            return ([1; 2], best.worth - unsplit);
        }
        let [first, others] = [0, 1].map(|which| split.borrow_mut().find(which, 0));
        let gain = first[0] + others[0] - self.apart - unsplit;
        // Whether to split others again is another question.
        let again = 2.0 * others[0] - others[1];
        let apart = self.split.naturals == Naturals::Apart;
        let is_clear =
            |gain: f64| self.split.shoe.total >= LARGE && (gain < -CLEAR || apart && gain > CLEAR);
        if is_clear(gain) && (gain < 0.0 || most.len() == 1 || is_clear(again)) {
            let again = usize::from(again < 0.0 && most.len() > 1);
            return (most[again], gain);
        }
        let play = self.split((split, [1.0; 2]), most.iter().copied(), f64::NEG_INFINITY);
        (play.most, play.worth - unsplit)
    }

    /// Hands that are played as without a split, unless they are so bound that there is no likeness.
    fn alike(&self, whole: &HandPlan) -> RefCell<SplitValues<'a>> {
        let start = self.split.start;
        if !start.spots.iter().any(|spot| !spot.draws && spot.hits) {
            return self.split.best(Vec::new());
        }
        let places = 0..start.spots.len();
        let like = |place: usize| DRAWS.with(place, self.split.value).expect("within 21");
        let call = |place: usize| match start.spots[place].draws {
            true => Call::Hit,
            false => whole.calls[like(place)],
        };
        let calls = places.clone().map(call).collect();
        let surrenders = places.map(|place| whole.surrenders[like(place)]).collect();
        let plan = HandPlan { calls, surrenders };
        self.split.by([plan.clone(), plan], Vec::new())
    }

    /// The best split into one of these numbers of hands; exact if it is worth more than `least`,
    /// and otherwise at least as much as it is worth.
    fn split(
        &self,
        (found, money): (&RefCell<SplitValues<'a>>, [f64; 2]),
        hands: impl IntoIterator<Item = [usize; 2]>,
        least: f64,
    ) -> PairPlay {
        let (mut most, mut best) = ([0; 2], f64::NEG_INFINITY);
        for hands in hands {
            let pending = Pending { hands: 2, open: 2, most: hands };
            let split = times(found, money, self.split.seconds(), pending);
            let taken = match self.split.naturals {
                Naturals::Apart => self.apart,
                Naturals::AfterBusts => {
                    let found = found.borrow();
                    let taken = found.least_natural(pending);
                    match split - taken > best.max(least) {
                        true => found.natural(pending),
                        false => taken,
                    }
                }
            };
            if split - taken > best {
                (most, best) = (hands, split - taken);
            }
        }
        let play = self.unsplit(found, best);
        let calls = play.calls.as_ref().map(|calls| [0, 1].map(|i| calls[i].times(money[i])));
        PairPlay { most, calls, ..play }
    }

    fn unsplit(&self, found: &RefCell<SplitValues<'a>>, worth: f64) -> PairPlay {
        let SplitPair { value, matching, .. } = self.split;
        let SplitValues { plans: [first, others], calls, seen, .. } = &*found.borrow();
        let (first, others) = (first.clone(), others.clone());
        let (calls, seen) = (calls.clone(), seen.clone());
        PairPlay { value, matching, share: 1.0, most: [1; 2], worth, first, others, calls, seen }
    }
}

/// The page of a chart for the first hand of a split pair, or for the others.
pub(super) fn page<B: Book>(which: usize, stake: Stake) -> Page {
    match which {
        _ if stake.lammers > 0.0 => Page::Free,
        1 if B::ATTACK => Page::Split,
        _ => Page::Paid,
    }
}

/// The most hands that a pair of a value can become.
pub(super) fn limit<B: Book>(book: B, value: usize) -> usize {
    let again = split_hand(book, CARDS[value]).with(book, CARDS[value]);
    (2..).find(|&hands| book.may_split(again, hands).is_err()).expect("there is a limit")
}

/// What lies on the first hand of a split pair, and on each of the others.
pub(super) fn stakes<B: Book>(book: B, value: usize, money: f64) -> [Stake; 2] {
    let card = CARDS[value];
    let pair = Hand::EMPTY.with(book, card).with(book, card);
    let others = match book.may_split(pair, 1) {
        Ok(Cost::Free) => Stake::LAMMER,
        _ => Stake { money: book.split_stake().amount(1.0, money - 1.0), ..Stake::UNIT },
    };
    [Stake { money, ..Stake::UNIT }, others]
}

/// The stakes of two hands with so much kept for doubling them.
pub(super) fn kept(stakes: [Stake; 2], kept: [f64; 2]) -> [Stake; 2] {
    [0, 1].map(|which| Stake { kept: kept[which], ..stakes[which] })
}
