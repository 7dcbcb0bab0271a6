//! A pair, and what becomes of it when it is split.

use std::cell::RefCell;

use rules::games::blackjack::{Book, Cost, Hand, SplitStake};
use rules::round::Call;

use super::draws::{CARDS, Counts, DRAWS};
use super::hand::{Chances, Naturals, Plan, Route, Stake, Start, split_hand};
use super::solve::{Analyzer, Shown, Sisters, Way, first_open};
use super::split::{self, HandWorth, Seconds};
use super::survival::{Rest, Survivals};
use crate::strategy::{Page, Row};

/// What to do with one pair.
#[derive(Clone, Debug)]
pub(super) struct PairPlay {
    pub(super) value: usize,
    /// How many cards that match it are left.
    pub(super) matching: u16,
    /// Into how many hands it is split at the most; 1 if not at all.
    pub(super) most: usize,
    /// What it is worth when split.
    pub(super) worth: f64,
    pub(super) first: Plan,
    pub(super) others: Plan,
}

/// A pair against one up card.
pub(super) struct Pair<'s, 'a, B> {
    shown: &'s Shown<'a, B>,
    value: usize,
    matching: u16,
    /// What a natural takes apart from all play.
    apart: f64,
    /// The most hands that the rules let it become.
    pub(super) limit: usize,
    /// What lies on the first hand after a split, and on each of the others.
    stakes: [Stake; 2],
    seconds: Seconds,
}

impl<'s, 'a, B: Book> Pair<'s, 'a, B> {
    pub(super) fn new(
        shown: &'s Shown<'a, B>,
        (value, matching): (usize, u16),
        money: f64,
        apart: f64,
    ) -> Self {
        let book = shown.game.book;
        let left = shown.shoe.without(value, 2);
        Pair {
            shown,
            value,
            matching,
            apart,
            limit: limit(book, value),
            stakes: stakes(book, value, money),
            seconds: Seconds { cards: left.total.into(), matching: matching.into() },
        }
    }

    /// What the pair is worth unsplit, and its play when it is split, if splits are looked at.
    pub(super) fn play(
        &self,
        whole: &Plan,
        worth: &[f64],
        stake: Stake,
    ) -> (f64, Option<PairPlay>) {
        let shown = self.shown;
        let place = DRAWS.find([self.value, self.value]).expect("two cards are within 21");
        match shown.way {
            Way::Best(Sisters::None) => (worth[place] - self.apart, None),
            Way::Best(sisters) => {
                let unsplit = worth[place] - self.apart;
                let plans = match sisters {
                    Sisters::Alike => self.alike(whole),
                    _ => None,
                };
                let mut play = self.split(plans, 2..=self.limit, unsplit);
                if play.worth <= unsplit {
                    play.most = 1;
                }
                (unsplit, Some(play))
            }
            Way::Chart(chart) => {
                let choice = chart.choice(Page::Paid, Row::Pair(self.value), shown.up);
                let start = &shown.game.whole;
                let call = first_open(choice.without(Call::Split), start, &start.spots[place]);
                let gives_up = &whole.gives_up;
                let unsplit =
                    shown.chances.worth_of(call, place, stake, gives_up, worth) - self.apart;
                let plans = self.stakes.map(|stake| {
                    let page = if stake.lammers > 0.0 { Page::Free } else { Page::Paid };
                    let start = &shown.game.split[self.value];
                    shown.plan_by(chart, page, start, |spot| spot.pair.then_some(self.value))
                });
                if choice.first() != Call::Split {
                    let [first, others] = plans;
                    let (value, matching) = (self.value, self.matching);
                    let play = PairPlay { value, matching, most: 1, worth: unsplit, first, others };
                    return (unsplit, Some(play));
                }
                let play = self.split(Some(plans), self.limit..=self.limit, f64::NEG_INFINITY);
                (play.worth, Some(play))
            }
        }
    }

    /// The plans of hands that are played as without a split; none where a hand is so bound that
    /// there is no likeness.
    fn alike(&self, whole: &Plan) -> Option<[Plan; 2]> {
        let start = &self.shown.game.split[self.value];
        if !start.spots.iter().any(|spot| !spot.draws && spot.hits) {
            return None;
        }
        let places = 0..start.spots.len();
        let like = |place: usize| DRAWS.with(place, self.value).expect("within 21");
        let call = |place: usize| match start.spots[place].draws {
            true => Call::Hit,
            false => whole.calls[like(place)],
        };
        let calls = places.clone().map(call).collect();
        let gives_up = places.map(|place| whole.gives_up[like(place)]).collect();
        let plan = Plan { calls, gives_up };
        Some([plan.clone(), plan])
    }

    /// The best split into one of these numbers of hands; exact if it is worth more than `least`,
    /// and otherwise at least as much as it is worth.
    pub(super) fn split(
        &self,
        plans: Option<[Plan; 2]>,
        hands: std::ops::RangeInclusive<usize>,
        least: f64,
    ) -> PairPlay {
        let found = match plans {
            Some(plans) => Found::new(self, plans),
            None => Found::best(self),
        };
        let found = RefCell::new(found);
        let [mut first, mut others] = [0, 1].map(|which| SplitHand { found: &found, which });
        let (mut most, mut worth) = (0, f64::NEG_INFINITY);
        for hands in hands {
            let mut split = split::worth(self.seconds, hands, &mut first, &mut others);
            split -= match self.shown.naturals {
                Naturals::Apart => self.apart,
                Naturals::AfterBusts => {
                    let found = found.borrow();
                    let taken = self.least_natural(hands, &found);
                    match split - taken > worth.max(least) {
                        true => self.natural(hands, &found),
                        false => taken,
                    }
                }
            };
            if split > worth {
                (most, worth) = (hands, split);
            }
        }
        let (value, matching) = (self.value, self.matching);
        let [first, others] = found.into_inner().plans;
        PairPlay { value, matching, most, worth, first, others }
    }

    /// The least that a natural can take on average where busts come before it: as if no two hands
    /// ever went over 21 together.
    fn least_natural(&self, most: usize, found: &Found<'_, '_, '_, B>) -> f64 {
        let shown = self.shown;
        let place = DRAWS.find([self.value, self.value]).expect("two cards are within 21");
        let natural = shown.chances.dealer.natural(&shown.shoe, &DRAWS.all[place]);
        let [mut first, mut others] = [0, 1].map(|which| BustsFirst { found, which });
        (natural - split::worth(self.seconds, most, &mut first, &mut others)).max(0.0)
    }

    /// What a natural takes on average where busts come before it.
    fn natural(&self, most: usize, found: &Found<'_, '_, '_, B>) -> f64 {
        let start = &self.shown.game.split[self.value];
        let rest = Rest {
            shoe: self.shown.shoe.without(self.value, 2),
            pair: (self.value, self.matching),
            natural: self.shown.chances.dealer.natural_value().expect("a natural is possible"),
        };
        let [first, others] =
            found.plans.each_ref().map(|plan| Survivals::new(start, plan, self.value));
        rest.chance(most, &first, &others)
    }

    fn start(&self) -> &'a Start {
        &self.shown.game.split[self.value]
    }

    /// What is left when so many more of the pair's cards have come.
    fn shoe(&self, gone: usize) -> Counts {
        let gone = u16::try_from(gone).expect("at most four hands");
        self.shown.shoe.without(self.value, 2 + gone)
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
    let matched = match book.split_stake() {
        SplitStake::InitialOnly => 1.0,
        SplitStake::MatchBoth => money,
    };
    let others = match book.may_split(pair, 1) {
        Ok(Cost::Free) => Stake::LAMMER,
        _ => Stake { money: matched, ..Stake::UNIT },
    };
    [Stake { money, ..Stake::UNIT }, others]
}

/// What has been found out about the hands of a split pair.
struct Found<'p, 's, 'a, B> {
    pair: &'p Pair<'s, 'a, B>,
    plans: [Plan; 2],
    routes: [Route; 2],
    /// By how many more of the pair's cards are gone: with any second card, and with one that
    /// matches; of the first hand, and of each of the others.
    worth: Vec<[[f64; 2]; 2]>,
}

impl<'p, 's, 'a, B: Book> Found<'p, 's, 'a, B> {
    fn new(pair: &'p Pair<'s, 'a, B>, plans: [Plan; 2]) -> Self {
        let routes = plans.each_ref().map(|plan| pair.start().route(plan));
        Found { pair, plans, routes, worth: Vec::new() }
    }

    /// With the plans that are best for one hand after the split.
    fn best(pair: &'p Pair<'s, 'a, B>) -> Self {
        let shown = pair.shown;
        let dealer = &shown.game.dealers[shown.up];
        let lammers = Analyzer::<B>::LAMMERS;
        let shoe = pair.shoe(0);
        let chances = Chances::new(pair.start(), dealer, shoe, shown.naturals, lammers);
        // As if the hand alone had to fear a natural.
        let natural = shown.stake(1.0).natural;
        let plans = pair.stakes.map(|stake| chances.best(Stake { natural, ..stake }).0);
        let mut found = Found::new(pair, plans);
        found.add(&chances);
        found
    }

    fn add(&mut self, chances: &Chances<'_>) {
        let second = DRAWS.find([self.pair.value]).expect("a card is within 21");
        let worth = std::array::from_fn(|which| {
            let stake = self.pair.stakes[which];
            let worth = chances.by_plan(stake, &self.plans[which], &self.routes[which]);
            [worth[0], worth[second]]
        });
        self.worth.push(worth);
    }

    fn find(&mut self, which: usize, gone: usize) -> [f64; 2] {
        while self.worth.len() <= gone {
            let shown = self.pair.shown;
            let chances = Chances::along(
                self.pair.start(),
                &shown.game.dealers[shown.up],
                self.pair.shoe(self.worth.len()),
                shown.naturals,
                Analyzer::<B>::LAMMERS,
                &self.routes.each_ref(),
            );
            self.add(&chances);
        }
        self.worth[gone][which]
    }
}

/// One hand of a split pair, played by its plan.
struct SplitHand<'f, 'p, 's, 'a, B> {
    found: &'f RefCell<Found<'p, 's, 'a, B>>,
    which: usize,
}

impl<B: Book> HandWorth for SplitHand<'_, '_, '_, '_, B> {
    fn any(&mut self, gone: usize) -> f64 {
        self.found.borrow_mut().find(self.which, gone)[0]
    }

    fn matching(&mut self, gone: usize) -> f64 {
        self.found.borrow_mut().find(self.which, gone)[1]
    }
}

/// How likely a hand of a split pair goes over 21 before a natural.
struct BustsFirst<'f, 'p, 's, 'a, B> {
    found: &'f Found<'p, 's, 'a, B>,
    which: usize,
}

impl<B: Book> BustsFirst<'_, '_, '_, '_, B> {
    fn find(&self, gone: usize, place: usize) -> f64 {
        let (found, shown) = (self.found, self.found.pair.shown);
        let dealer = &shown.game.dealers[shown.up];
        let shoe = found.pair.shoe(gone);
        let chances = Chances::unseen(found.pair.start(), dealer, shoe, shown.naturals);
        chances.busts_then_natural(&found.plans[self.which], &found.routes[self.which])[place]
    }
}

impl<B: Book> HandWorth for BustsFirst<'_, '_, '_, '_, B> {
    fn any(&mut self, gone: usize) -> f64 {
        self.find(gone, 0)
    }

    fn matching(&mut self, gone: usize) -> f64 {
        self.find(gone, DRAWS.find([self.found.pair.value]).expect("a card is within 21"))
    }
}
