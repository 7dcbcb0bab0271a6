//! The play of a whole game, and what it is worth.

use std::cell::{OnceCell, RefCell};
use std::sync::{Arc, OnceLock};

use rules::card::{Card, Suit};
use rules::games::blackjack::{Book, Hand, most_attack, on_natural};
use rules::games::opening;
use rules::money::{Chips, Odds};
use rules::round::{Call, Ruling};
use rules::terms::TermSheet;
use rules::wager::Circle;

use super::dealer::{Dealer, Payments, StandValues, gain};
use super::draws::{ACE, CARDS, Counts, DRAWS, TEN, TENS, VALUES};
use super::hand::{
    BestPlay, CallWorths, Chances, HandPlan, Naturals, Spot, Stake, Start, split_hand,
};
use super::pair::{Pair, PairPlay, SeenOfPair, SplitValues};
use super::purse::Purse;
use crate::setting::Setting;
use crate::strategy::{Chart, Choice, Page, Row};
use crate::unseen::Unseen;

/// What the hands of a split pair go by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Siblings {
    /// There are none: no pair is split.
    None,
    /// Each is played as the same cards would be without a split.
    Alike,
    /// Each is played in the way that is best for one hand after the split.
    OwnCards,
}

/// A way to play.
#[derive(Clone, Copy, Debug)]
pub(super) enum PlayBy<'a> {
    /// The best, by the cards themselves.
    Best(Siblings),
    /// By a chart.
    Chart(&'a Chart),
}

/// A blackjack by one book, ready to be solved for any shoe.
pub struct Analyzer<B> {
    pub(super) book: B,
    pub(super) payments: Payments,
    naturals: Naturals,
    /// What is made when it is first asked for: each dealer by the value of the up card, a hand
    /// without cards, and one card of each pair.
    dealers: [OnceLock<Dealer>; VALUES],
    whole: OnceLock<Start>,
    split: [OnceLock<Start>; VALUES],
}

/// The play of a whole game, and what it is worth.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The expected gain for each unit of the original wager.
    pub ev: f64,
    /// By the value of the up card.
    pub(super) ups: Vec<UpPlay>,
}

/// What to do against one up card.
#[derive(Clone, Debug)]
pub(super) struct UpPlay {
    pub(super) up: usize,
    /// How likely it is.
    pub(super) chance: f64,
    pub(super) worth: f64,
    pub(super) attack: bool,
    pub(super) even_money: bool,
    /// The play of hands that are not split, and what calls are worth to them, if that has been found.
    pub(super) whole: HandPlan,
    pub(super) calls: Option<CallWorths>,
    pub(super) pairs: Vec<PairPlay>,
    /// What the dealer has been asked on the way.
    pub(super) seen: Arc<StandValues>,
}

impl UpPlay {
    /// What lies on a hand before it is played, in units.
    pub(super) fn money(&self) -> f64 {
        if self.attack { attacked() } else { 1.0 }
    }
}

impl<B: Book> Analyzer<B> {
    /// The analyzer of a table's terms, for the wager of its default [`Setting`]: one of which no part
    /// breaks a chip, if the table takes such a wager.
    pub fn new(sheet: &TermSheet) -> Analyzer<B> {
        let four = || Chips::new(4 * opening(sheet).chip_unit.get());
        let wager = Setting::of(sheet).map_or_else(|_| four(), |setting| setting.main);
        Analyzer::for_wager(sheet, wager)
    }

    /// The analyzer of a table's terms for an original wager. The amount matters only where its half,
    /// or what a natural wins, breaks a chip.
    pub fn for_wager(sheet: &TermSheet, wager: Chips) -> Analyzer<B> {
        let (book, payments) = (B::read(sheet), Payments { wager, breakage: sheet.breakage() });
        let naturals = match book.busts_come_before_natural() {
            true => Naturals::AfterBusts,
            false => Naturals::Apart,
        };
        // What is reckoned here: a natural pushes another, and takes an original wager alone.
        let taken = |circle, natural| gain(on_natural::<B>(circle, natural, false).0);
        assert_eq!([taken(Circle::Main, true), taken(Circle::Main, false)], [0.0, -1.0]);
        let added = [Circle::Attack, Circle::Double, Circle::Split];
        assert_eq!(added.map(|circle| taken(circle, false)), [0.0; 3]);
        Analyzer {
            book,
            payments,
            naturals,
            dealers: [const { OnceLock::new() }; VALUES],
            whole: OnceLock::new(),
            split: [const { OnceLock::new() }; VALUES],
        }
    }

    /// A hand to begin with.
    pub(super) fn start(&self, hand: Hand) -> Start {
        Start::new(self.book, self.payments, hand)
    }

    /// The dealer behind an up card.
    pub(super) fn dealer(&self, up: usize) -> &Dealer {
        self.dealers[up].get_or_init(|| Dealer::behind(self.book, up))
    }

    /// A hand without cards.
    pub(super) fn whole(&self) -> &Start {
        self.whole.get_or_init(|| self.start(Hand::EMPTY))
    }

    /// A hand with one card of a split pair.
    pub(super) fn split(&self, value: usize) -> &Start {
        let hand = || split_hand(self.book, CARDS[value]);
        self.split[value].get_or_init(|| self.start(hand()))
    }

    /// The best play for a shoe, of which the cards must count [`LEAST_POINTS`] or more.
    ///
    /// [`LEAST_POINTS`]: super::LEAST_POINTS
    pub fn solve(&self, shoe: &Unseen, siblings: Siblings) -> Solution {
        self.play(shoe, PlayBy::Best(siblings))
    }

    /// What a chart is worth for a shoe.
    pub fn by_chart(&self, shoe: &Unseen, chart: &Chart) -> Solution {
        self.play(shoe, PlayBy::Chart(chart))
    }

    fn play(&self, shoe: &Unseen, way: PlayBy<'_>) -> Solution {
        let counts = Counts::new(shoe);
        let ups: Vec<UpPlay> = (0..VALUES)
            .filter(|&up| counts.of[up] > 0)
            .map(|up| {
                let shown = UpCard::new(self, shoe, counts.without(up, 1), up, way);
                let play = shown.play();
                UpPlay { chance: counts.share(up), seen: shown.chances.seen, ..play }
            })
            .collect();
        Solution { ev: ups.iter().map(|up| up.chance * up.worth).sum(), ups }
    }

    /// What a dealer's natural finds behind an up card.
    pub(super) fn naturals(&self, up: usize) -> Naturals {
        match self.dealer(up).natural_value() {
            Some(_) => self.naturals,
            None => Naturals::Apart,
        }
    }
}

/// One up card.
pub(super) struct UpCard<'a, B> {
    pub(super) game: &'a Analyzer<B>,
    pub(super) whole_shoe: &'a Unseen,
    pub(super) up: usize,
    /// What is left beside the up card.
    pub(super) shoe: Counts,
    pub(super) naturals: Naturals,
    pub(super) way: PlayBy<'a>,
    /// What the player can still add.
    pub(super) purse: Purse,
    pub(super) chances: Chances<'a>,
    /// The best play of a unit, and of split pairs with a unit on each hand: it is the same with more
    /// money where a natural is apart from all play.
    unit: OnceCell<BestPlay>,
    pub(super) splits: [OnceCell<RefCell<SplitValues<'a>>>; VALUES],
    /// What the dealer has been asked about split pairs: it is the same whatever lies on them.
    pub(super) seen_of_pairs: [RefCell<SeenOfPair>; VALUES],
}

impl<'a, B: Book> UpCard<'a, B> {
    pub(super) fn new(
        game: &'a Analyzer<B>,
        whole_shoe: &'a Unseen,
        shoe: Counts,
        up: usize,
        way: PlayBy<'a>,
    ) -> Self {
        let (dealer, naturals) = (game.dealer(up), game.naturals(up));
        let chances = Chances::new(game.whole(), dealer, shoe, naturals).everywhere();
        UpCard::with(game, whole_shoe, (up, way), chances)
    }

    /// An up card against which the play has been found.
    pub(super) fn again(
        game: &'a Analyzer<B>,
        whole_shoe: &'a Unseen,
        shoe: Counts,
        play: &UpPlay,
        way: PlayBy<'a>,
    ) -> Self {
        let (up, dealer, naturals) = (play.up, game.dealer(play.up), game.naturals(play.up));
        let chances = Chances::new(game.whole(), dealer, shoe, naturals).with(play.seen.clone());
        UpCard::with(game, whole_shoe, (up, way), chances)
    }

    fn with(
        game: &'a Analyzer<B>,
        whole_shoe: &'a Unseen,
        (up, way): (usize, PlayBy<'a>),
        chances: Chances<'a>,
    ) -> Self {
        let (shoe, naturals) = (chances.shoe, chances.naturals);
        let (unit, splits) = (OnceCell::new(), [const { OnceCell::new() }; VALUES]);
        let seen_of_pairs = [const { RefCell::new(Vec::new()) }; VALUES];
        UpCard {
            game,
            whole_shoe,
            up,
            shoe,
            naturals,
            way,
            purse: Purse::ENOUGH,
            chances,
            unit,
            splits,
            seen_of_pairs,
        }
    }

    fn play(&self) -> UpPlay {
        match self.way {
            PlayBy::Chart(chart) if chart.attack[self.up] => self.with_money(attacked()),
            PlayBy::Best(_) if B::ATTACK => {
                let (plain, attack) = (self.with_money(1.0), self.with_money(attacked()));
                if attack.worth > plain.worth { attack } else { plain }
            }
            _ => self.with_money(1.0),
        }
    }

    /// The play with this much money on the hand: the original wager and a double attack.
    pub(super) fn with_money(&self, money: f64) -> UpPlay {
        let stake = self.stake(money);
        let (plan, worth, calls) = match self.way {
            PlayBy::Best(_) if self.is_in_proportion(money) => {
                let best = self.unit.get_or_init(|| self.chances.best(Stake::UNIT));
                let worth: Vec<f64> = best.worth.iter().map(|worth| worth * money).collect();
                (best.plan.clone(), worth, Some(best.calls.times(money)))
            }
            PlayBy::Best(_) => {
                let BestPlay { plan, worth, calls } = self.chances.best(stake);
                (plan, worth, Some(calls))
            }
            PlayBy::Chart(chart) => {
                let (plan, worth) = self.whole_by(chart, stake);
                (plan, worth, None)
            }
        };
        let mut sum = 0.0;
        let mut pairs = Vec::new();
        let even_money = self.takes_even_money();
        for (one, other) in (0..VALUES).flat_map(|one| (one..VALUES).map(move |b| (one, b))) {
            let chance = self.shoe.chance_of_two(one, other);
            if chance == 0.0 {
                continue;
            }
            let place = DRAWS.find([one, other]).expect("two cards are within 21");
            let natural = self.chances.dealer.natural(&self.shoe, &DRAWS.all[place]);
            if self.game.whole().spots[place].complete {
                sum += chance * money * self.natural_worth(natural, even_money);
                continue;
            }
            let apart = self.apart(place);
            sum += chance * (worth[place] - apart);
            if one == other {
                for (share, matching) in self.pairs(one) {
                    let pair = Pair::new(self, (one, matching), money, apart);
                    let (unsplit, play) = pair.play(&plan, &worth, stake);
                    if let Some(play) = play {
                        sum += chance * share * (play.worth.max(unsplit) - (worth[place] - apart));
                        pairs.push(PairPlay { share, ..play });
                    }
                }
            }
        }
        let (up, attack) = (self.up, money > 1.0);
        let seen = Arc::default();
        let whole = plan;
        UpPlay { up, chance: 1.0, worth: sum, attack, even_money, whole, calls, pairs, seen }
    }

    /// The play of hands that are not split by a chart, and what they are worth.
    pub(super) fn whole_by(&self, chart: &Chart, stake: Stake) -> (HandPlan, Vec<f64>) {
        let plan = self.plan_by(chart, Page::Paid, self.game.whole(), |_| None);
        let route = self.game.whole().route_from_anywhere(&plan);
        let worth = self.chances.by_plan(stake, &plan, &route);
        (plan, worth)
    }

    /// What a chart makes of the spots of a hand; `pair` knows of pairs that are at their limit.
    pub(super) fn plan_by(
        &self,
        chart: &Chart,
        page: Page,
        start: &Start,
        pair: impl Fn(&Spot) -> Option<usize>,
    ) -> HandPlan {
        let call = |spot: &Spot| {
            if spot.draws {
                return Call::Hit;
            }
            first_open(chart.choice(page, Row::of(spot.points, pair(spot)), self.up), start, spot)
        };
        let surrenders = |spot: &Spot| {
            let choice = chart.choice(Page::Doubled, Row::of(spot.points, None), self.up);
            !spot.complete && B::SURRENDER && choice.first() == Call::Surrender
        };
        HandPlan {
            calls: start.spots.iter().map(call).collect(),
            surrenders: start.spots.iter().map(surrenders).collect(),
        }
    }

    /// What a natural takes of a hand with these cards apart from all play.
    pub(super) fn apart(&self, place: usize) -> f64 {
        match self.naturals {
            Naturals::Apart => self.chances.dealer.natural(&self.shoe, &DRAWS.all[place]),
            Naturals::AfterBusts => 0.0,
        }
    }

    /// Whether a natural takes even money, where it can.
    fn takes_even_money(&self) -> bool {
        let offered = self.up == ACE && self.game.book.even_money();
        match self.way {
            _ if !offered => false,
            PlayBy::Chart(chart) => chart.even_money,
            PlayBy::Best(_) => {
                let place = DRAWS.find([ACE, TEN]).expect("two cards are within 21");
                let natural = self.chances.dealer.natural(&self.shoe, &DRAWS.all[place]);
                self.natural_worth(natural, true) > self.natural_worth(natural, false)
            }
        }
    }

    /// What a natural of the player's is worth for each unit on it.
    fn natural_worth(&self, natural: f64, even_money: bool) -> f64 {
        match even_money {
            true => gain(Ruling::Pay(Odds::EVEN)),
            false => self.game.payments.gain(Ruling::Pay(B::NATURAL.0), 1.0) * (1.0 - natural),
        }
    }

    /// Whether hands with this much money on them are played as with one unit, and are worth so many
    /// times as much.
    pub(super) fn is_in_proportion(&self, money: f64) -> bool {
        let surrenders_so =
            || !B::SURRENDER || self.game.payments.is_in_proportion(Ruling::TakeHalf, money);
        self.purse.is_enough() && self.naturals == Naturals::Apart && surrenders_so()
    }

    /// A hand with this much money on it; a natural takes the original wager.
    pub(super) fn stake(&self, money: f64) -> Stake {
        Stake { money, natural: self.naturals.taken(), kept: self.purse.own, ..Stake::UNIT }
    }

    /// Of two cards of a value: how likely they are a pair that can be split, and how many cards
    /// that match it are left; each different number by itself.
    pub(super) fn pairs(&self, value: usize) -> Vec<(f64, u16)> {
        if value != TEN || self.game.tens_match() {
            return vec![(1.0, self.shoe.of[value] - 2)];
        }
        let tens = f64::from(self.shoe.of[TEN]);
        let mut pairs: Vec<(f64, u16)> = Vec::new();
        let mut add = |chance: f64, count: u16| {
            let Some(left) = count.checked_sub(2).filter(|_| chance > 0.0) else { return };
            let count = f64::from(count);
            let share = chance * count * (count - 1.0) / (tens * (tens - 1.0));
            match pairs.iter_mut().find(|pair| pair.1 == left) {
                Some(pair) => pair.0 += share,
                None => pairs.push((share, left)),
            }
        };
        for rank in TENS {
            let count = self.whole_shoe.of_rank(rank);
            // How likely the up card is of this very rank.
            let up = if self.up == TEN { f64::from(count) / (tens + 1.0) } else { 0.0 };
            add(up, count.saturating_sub(1));
            add(1.0 - up, count);
        }
        pairs
    }
}

impl<B: Book> Analyzer<B> {
    /// Whether any two cards that count ten are a pair.
    pub(super) fn tens_match(&self) -> bool {
        let [one, other] = [TENS[0], TENS[1]].map(|rank| Card::new(rank, Suit::Spades));
        self.book.is_pair(one, other)
    }
}

/// The original wager and the largest double attack, in units.
pub(super) fn attacked() -> f64 {
    let unit = Chips::dollars(1);
    f64::from((unit + most_attack(unit)).get()) / f64::from(unit.get())
}

/// The first call of a choice that is open in a spot.
pub(super) fn first_open(choice: Choice, start: &Start, spot: &Spot) -> Call {
    choice.iter().find(|&call| start.is_open(call, spot)).unwrap_or(Call::Stand)
}
