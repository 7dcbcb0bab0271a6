//! What every open act of a round in progress is worth to a seat that knows certain cards.

use std::cell::RefCell;

use rules::card::Card;
use rules::games::blackjack::{
    Blackjack, Book, Busts, Cost, Fate, Hand, HoleCard, Points, is_natural,
};
use rules::money::{Chips, Odds};
use rules::round::{Act, Amounts, Call, Round, Ruling};
use rules::terms::TermSheet;
use rules::wager::Bettor;

use super::dealer::{Dealer, gain};
use super::draws::{CARDS, Counts, DRAWS, LEAST_POINTS, MOST_POINTS, value_of};
use super::hand::{Chances, HandPlan, Naturals, Stake, Start, split_hand};
use super::pair::{SplitPair, SplitValues, limit, stakes, worth};
use super::solve::{Analyzer, PlayBy, Siblings, UpCard};
use super::split::Pending;
use super::survival::Survivals;
use crate::unseen::Unseen;
use crate::value::{ActValue, Method};

/// The most sets of cards that are multiplied where busts come before a natural. Beyond this, low
/// pairs are valued as if they were not split again, with a bound on what splitting again could gain.
const MOST_SETS: usize = 600_000;

/// The value of each of these acts, all of which must be open to the bettor.
///
/// `unseen` holds every card that the bettor has not seen, including the hole card; the round knows
/// the reader's answer about it. The value covers the main wager, everything added to it and, where
/// it is offered, insurance; side wagers are left out, because no act affects them. An act without
/// an amount means the largest one allowed. A bettor who only follows the decisions of a box gets no
/// values.
pub fn values_of<B: Book, const S: usize, const T: usize>(
    sheet: &TermSheet,
    round: &Blackjack<B, S, T>,
    bettor: Bettor,
    acts: &[Act],
    unseen: &Unseen,
) -> Vec<ActValue> {
    let offers = round.offers(bettor);
    let (initial, _) = round.wagered(bettor);
    let Some(up) = round.up_card().filter(|_| !offers.is_empty() && !initial.is_zero()) else {
        return Vec::new();
    };
    let seat = bettor.seat();
    let in_play = offers.contains(Call::Stand);
    if round.current_hand(seat).is_some() && !in_play {
        return Vec::new();
    }
    let game = Analyzer::<B>::new(sheet);
    let unit = f64::from(initial.get());
    let (up, counts) = (value_of(up), Counts::new(unseen));
    let worths: Vec<(Worth, Method)> = if is_before_cards(round, bettor) {
        let way = PlayBy::Best(Siblings::OwnCards);
        let shown = UpCard::new(&game, unseen, counts, up, way);
        let money = |act: &Act| match act.call() {
            Call::Attack => 1.0 + amount(round, bettor, *act) / unit,
            _ => 1.0,
        };
        // Pairs that are dealt later are split by plans that do not look at sibling hands.
        let worth = |act| (Worth::exact(shown.with_money(money(act)).worth), Method::Bound);
        acts.iter().map(worth).collect()
    } else {
        match Position::new(&game, round, bettor, (up, counts), unseen) {
            Some(here) if in_play => {
                let method = |act: &Act| here.method(act.call());
                here.by(acts).into_iter().zip(acts.iter().map(method)).collect()
            }
            Some(here) => here.before_play(acts),
            None => return Vec::new(),
        }
    };
    let value = |(act, (worth, method)): (&Act, (Worth, Method))| ActValue {
        act: *act,
        gain: worth.gain * unit,
        gain_exact: None,
        at_most: worth.at_most().map(|most| most * unit),
        method: if worth.at_most().is_some() { Method::Bound } else { method },
    };
    acts.iter().zip(worths).map(value).collect()
}

/// Whether a bettor decides before the box has a card.
fn is_before_cards<B: Book, const S: usize, const T: usize>(
    round: &Blackjack<B, S, T>,
    bettor: Bettor,
) -> bool {
    round.hand(bettor.seat(), 0).cards() == 0
}

/// The points that the cards left must count, so that no way to play on uses them up: no hand ever
/// counts more than 30, aces as one.
pub fn points_needed<B: Book, const S: usize, const T: usize>(
    sheet: &TermSheet,
    round: &Blackjack<B, S, T>,
    bettor: Bettor,
    unseen: &Unseen,
) -> u32 {
    let (seat, book) = (bettor.seat(), B::read(sheet));
    let Some(up) = round.up_card().filter(|_| !is_before_cards(round, bettor)) else {
        return LEAST_POINTS;
    };
    let hands: Vec<Hand> = (0..round.hands(seat)).map(|hand| *round.hand(seat, hand)).collect();
    let pair = hands.iter().find(|hand| hand.is_split() || hand.is_pair());
    let matching = |first: Card| {
        let counts = unseen.iter().filter(|(card, _)| book.is_pair(first, *card));
        counts.map(|(_, count)| usize::from(count)).sum::<usize>()
    };
    let more = pair.and_then(Hand::first).map_or(0, |first| {
        let new = usize::from(hands.iter().any(|hand| hand.is_pair()));
        let room = limit(book, value_of(first)).saturating_sub(hands.len());
        room.min(new + matching(first))
    });
    let on_table: u32 = hands.iter().map(|hand| u32::from(hand.points().low())).sum();
    let all = u32::try_from(hands.len() + more + 1).expect("few hands") * MOST_POINTS;
    all.saturating_sub(on_table + u32::from(Points::pips(up)))
}

/// Whether some card left can be the face-down card, given what the reader said of it.
pub fn has_hole_card<B: Book, const S: usize, const T: usize>(
    round: &Blackjack<B, S, T>,
    unseen: &Unseen,
) -> bool {
    let Some(up) = round.up_card() else { return true };
    let made = |card: &Card| is_natural(up, *card);
    round.natural_possible() || unseen.iter().any(|(card, _)| !made(&card))
}

/// The gain of one way to continue, and the most that the best way could gain.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Worth {
    gain: f64,
    most: f64,
}

impl Worth {
    const LEAST: Worth = Worth::exact(f64::NEG_INFINITY);

    const fn exact(gain: f64) -> Worth {
        Worth { gain, most: gain }
    }

    fn plus(self, other: f64) -> Worth {
        Worth { gain: self.gain + other, most: self.most + other }
    }

    fn times(self, factor: f64) -> Worth {
        Worth { gain: self.gain * factor, most: self.most * factor }
    }

    /// The better of two ways to continue.
    fn or(self, other: Worth) -> Worth {
        Worth { gain: self.gain.max(other.gain), most: self.most.max(other.most) }
    }

    /// The most, if it differs from the gain.
    fn at_most(self) -> Option<f64> {
        (self.most > self.gain).then_some(self.most)
    }
}

/// What goes with an act, in cents.
fn amount<B: Book, const S: usize, const T: usize>(
    round: &Blackjack<B, S, T>,
    bettor: Bettor,
    act: Act,
) -> f64 {
    match act {
        Act::With(_, amount) => Chips::from_cents(amount).map_or(0.0, |chips| chips.get().into()),
        _ => most(round, bettor, act.call()),
    }
}

/// The most that may go with a call, in cents.
fn most<B: Book, const S: usize, const T: usize>(
    round: &Blackjack<B, S, T>,
    bettor: Bettor,
    call: Call,
) -> f64 {
    match round.amounts(bettor, call) {
        Amounts::Required(range) | Amounts::Optional(range) => f64::from(range.most.get()),
        _ => 0.0,
    }
}

/// One bettor's hands, and what they can still become. Worths are in units of the original wager.
struct Position<'a, B, const S: usize, const T: usize> {
    game: &'a Analyzer<B>,
    round: &'a Blackjack<B, S, T>,
    bettor: Bettor,
    unseen: &'a Unseen,
    shoe: Counts,
    dealer: Dealer,
    naturals: Naturals,
    /// How likely the dealer turns out to have a natural.
    natural: f64,
    /// How likely the reader's answer was.
    said: f64,
    /// The hand that decides.
    hand: usize,
}

impl<'a, B: Book, const S: usize, const T: usize> Position<'a, B, S, T> {
    fn new(
        game: &'a Analyzer<B>,
        round: &'a Blackjack<B, S, T>,
        bettor: Bettor,
        (up, shoe): (usize, Counts),
        unseen: &'a Unseen,
    ) -> Option<Self> {
        let open = round.dealer_points()?;
        let hole_shown = open != Points::of(&[CARDS[up]]);
        if hole_shown && open.is_21() {
            return None;
        }
        let dealer = Dealer::new(game.book, open, (!hole_shown).then_some(up));
        let chance = dealer.natural(&shoe, &DRAWS.all[0]);
        let possible = round.natural_possible() && !hole_shown;
        let reader_to_come =
            round.current_hand(bettor.seat()).is_none() && round.hole_card() == HoleCard::Reader;
        let naturals = match possible && !reader_to_come && game.book.busts() == Busts::Final {
            true => Naturals::AfterBusts,
            false => Naturals::Apart,
        };
        let (natural, said) = if possible { (chance, 1.0) } else { (0.0, 1.0 - chance) };
        let hand = round.current_hand(bettor.seat()).unwrap_or(0);
        Some(Position { game, round, bettor, unseen, shoe, dealer, naturals, natural, said, hand })
    }

    fn hand(&self, hand: usize) -> Hand {
        *self.round.hand(self.bettor.seat(), hand)
    }

    fn unit(&self) -> f64 {
        f64::from(self.round.wagered(self.bettor).0.get())
    }

    /// What lies on a hand.
    fn stake(&self, hand: usize) -> Stake {
        let at = self.round.at_stake(self.bettor, hand);
        let units = |chips: Chips| f64::from(chips.get()) / self.unit();
        let lammers = u8::from(at.lammer) + u8::from(at.free_double);
        Stake { money: units(at.money) + units(at.double), lammers: lammers.into(), natural: 0.0 }
    }

    /// Insurance, even money, or neither.
    fn before_play(&self, acts: &[Act]) -> Vec<(Worth, Method)> {
        let after = [Call::Stand, Call::Hit, Call::Double, Call::Split, Call::Surrender];
        let is_natural = self.hand(0).fate() == Fate::Natural;
        let open = after.into_iter().filter(|&call| match is_natural {
            true => call == Call::Stand,
            false => self.round.is_open(self.bettor, 0, call),
        });
        let open: Vec<Call> = open.collect();
        let then: Vec<Act> = open.iter().map(|&call| Act::Call(call)).collect();
        let pass = self.by(&then).into_iter().fold(Worth::LEAST, Worth::or);
        let method = match open.iter().all(|&call| self.method(call) == Method::Exact) {
            true => Method::Exact,
            false => Method::Bound,
        };
        let odds = gain(Ruling::Pay(B::INSURANCE.0));
        let even = gain(Ruling::Pay(Odds::EVEN));
        let worth = |act: &Act| match act.call() {
            Call::EvenMoney => (Worth::exact(self.stake(0).money * even), Method::Exact),
            Call::Insure => {
                let amount = amount(self.round, self.bettor, *act) / self.unit();
                (pass.plus(amount * (odds * self.natural - (1.0 - self.natural))), method)
            }
            _ => (pass, method),
        };
        acts.iter().map(worth).collect()
    }

    /// Whether the value of a call is that of the best play of all, or of the best that does not
    /// look at sibling hands, which some other play may beat.
    fn method(&self, call: Call) -> Method {
        let open = |&hand: &usize| hand != self.hand && self.hand(hand).fate() == Fate::Open;
        let alone = !(0..self.round.hands(self.bettor.seat())).any(|hand| open(&hand));
        match call {
            Call::Split if !self.split_is_forced() => Method::Bound,
            _ if !alone => Method::Bound,
            _ => Method::Exact,
        }
    }

    /// Whether the hands of a split have nothing to decide.
    fn split_is_forced(&self) -> bool {
        let Some(first) = self.hand(self.hand).first() else { return false };
        let book = self.game.book;
        let hands = self.round.hands(self.bettor.seat()) + 1;
        let decides = |card: &Card| {
            let hand = split_hand(book, first).with(book, *card);
            !hand.points().is_21() && book.may_hit(hand).is_ok()
        };
        !B::SURRENDER && limit(book, value_of(first)) <= hands && !CARDS.iter().any(decides)
    }

    /// What all hands are worth, for each of these acts, if the current one then goes on as is best
    /// for it.
    fn by(&self, acts: &[Act]) -> Vec<Worth> {
        let said = |worth: Worth| worth.times(1.0 / self.said);
        if self.hand(self.hand).fate() == Fate::Natural {
            let worth = |act: &Act| said(Worth::exact(self.natural_by(act.call())));
            return acts.iter().map(worth).collect();
        }
        let (others, waiting) = (self.others(), self.waiting());
        let start = Start::new(self.game.book, self.hand(self.hand));
        let behind = waiting.map(|(first, open)| {
            (first, open, Start::new(self.game.book, split_hand(self.game.book, first)))
        });
        let found = behind.as_ref().map(|(first, _, start)| {
            let stake = self.stake(self.hand + 1);
            self.split_pair(start, *first, [stake, stake]).best(Vec::new())
        });
        let fears = waiting.zip(found.as_ref()).map(|((_, open), found)| {
            let open = i32::try_from(open).expect("at most four hands");
            found.borrow().fear.powi(open)
        });
        let own = self.own(&start, fears);
        let worth = |act: &Act| {
            let call = act.call();
            if call == Call::Split {
                return said(self.split().plus(others));
            }
            let behind = match (&behind, &found) {
                (Some((first, open, _)), Some(found)) => {
                    self.behind((*first, *open), found, &own, call)
                }
                _ => Worth::exact(0.0),
            };
            let own = match call {
                Call::Double => own.chances.doubling(0, self.doubled(own.stake, *act)),
                _ => {
                    let surrenders = &own.plan.surrenders;
                    own.chances.worth_of(call, 0, own.stake, surrenders, &own.worths)
                }
            };
            said(behind.plus(others + own))
        };
        acts.iter().map(worth).collect()
    }

    /// What a natural is worth.
    fn natural_by(&self, call: Call) -> f64 {
        let money = self.stake(self.hand).money;
        let none = 1.0 - self.dealer.natural(&self.shoe, &DRAWS.all[0]);
        match call {
            Call::Surrender => gain(Ruling::TakeHalf) * money * none - self.natural,
            _ => gain(Ruling::Pay(B::NATURAL.0)) * money * none,
        }
    }

    /// What complete hands are worth, and what a natural takes apart.
    fn others(&self) -> f64 {
        let count = self.round.hands(self.bettor.seat());
        let none = 1.0 - self.dealer.natural(&self.shoe, &DRAWS.all[0]);
        let hands = (0..count).filter(|&hand| hand != self.hand).map(|hand| {
            let stake = self.stake(hand);
            match self.hand(hand).fate() {
                Fate::Stood => self.complete(self.hand(hand).points().total(), stake),
                Fate::SurrenderHeld => gain(Ruling::TakeHalf) * stake.money * none,
                Fate::BustHeld => gain(Ruling::Take) * stake.money * none,
                Fate::Open if self.hand(hand).cards() > 1 => self.late(hand),
                _ => 0.0,
            }
        });
        let apart = match self.naturals {
            Naturals::Apart => self.natural,
            Naturals::AfterBusts => 0.0,
        };
        hands.sum::<f64>() - apart
    }

    /// A hand that stands.
    fn complete(&self, total: u8, stake: Stake) -> f64 {
        let stands = vec![(total, vec![0])];
        let values = self.dealer.expect((&stands, 1), &self.shoe, |_| true);
        let lammers = match stake.lammers > 0.0 {
            true => stake.lammers * values.lammers[0],
            false => 0.0,
        };
        stake.money * values.money[0] + lammers
    }

    /// A hand that is owed a card.
    fn late(&self, hand: usize) -> f64 {
        let start = Start::new(self.game.book, self.hand(hand));
        let chances = self.chances(&start);
        let (plan, worth) = chances.best(self.stake(hand));
        match self.hand(hand).is_doubled() {
            true => chances.worth_of(Call::Hit, 0, self.stake(hand), &plan.surrenders, &worth),
            false => worth[0],
        }
    }

    fn chances<'s>(&'s self, start: &'s Start) -> Chances<'s> {
        Chances::new(start, &self.dealer, self.shoe, self.naturals).everywhere()
    }

    /// Whether the natural is still to be feared for the original wager after the hands.
    fn fears_natural(&self) -> bool {
        self.naturals == Naturals::AfterBusts && !self.round.has_busted(self.bettor)
    }

    /// The current hand. With hands behind it, what a natural takes depends on all of them, and
    /// `fears` is how much of it is to be feared on average.
    fn own<'s>(&'s self, start: &'s Start, fears: Option<f64>) -> CurrentHand<'s> {
        let natural = if self.fears_natural() { fears.unwrap_or(1.0) } else { 0.0 };
        let (stake, alone) = (self.stake(self.hand), Stake { natural, ..self.stake(self.hand) });
        let chances = self.chances(start);
        let (plan, worths) = chances.best(alone);
        match fears.is_some() && self.fears_natural() {
            true => {
                let worths = chances.by_plan(stake, &plan, &start.route_from_anywhere(&plan));
                CurrentHand { chances, stake, plan, worths }
            }
            false => CurrentHand { chances, stake: alone, plan, worths },
        }
    }

    /// The hands that wait behind the current one, and what a natural takes of all.
    fn behind(
        &self,
        (first, open): (Card, usize),
        found: &RefCell<SplitValues<'_>>,
        own: &CurrentHand<'_>,
        call: Call,
    ) -> Worth {
        let hands = self.round.hands(self.bettor.seat());
        let survivals = self.fears_natural().then(|| own.survivals(call, first));
        self.best_of(value_of(first), (hands, open, open), |pending, exactly| {
            let taken = match (&survivals, exactly) {
                (None, _) => 0.0,
                (Some(own), true) => found.borrow().natural_beside(pending, own),
                (Some(_), false) => {
                    let least = found.borrow().least_natural(pending);
                    (least - own.busts_then_natural(call)).max(0.0)
                }
            };
            worth(found, pending) - taken
        })
    }

    /// The stake of the current hand once it is doubled by an act.
    fn doubled(&self, stake: Stake, act: Act) -> Stake {
        match self.game.book.double(self.hand(self.hand)) {
            Ok(Cost::Free) => Stake { lammers: stake.lammers + 1.0, ..stake },
            _ => {
                let full = stake.money + stake.lammers;
                let added = match self.round.offers(self.bettor).contains(Call::Double) {
                    true => amount(self.round, self.bettor, act) / self.unit(),
                    false => full,
                };
                Stake { money: stake.money + added, ..stake }
            }
        }
    }

    /// The card with which the hands behind the current one begin, and how many they are.
    fn waiting(&self) -> Option<(Card, usize)> {
        let hands = self.hand + 1..self.round.hands(self.bettor.seat());
        let waits = |&hand: &usize| {
            let here = self.hand(hand);
            here.fate() == Fate::Open && here.cards() == 1
        };
        let open = hands.filter(waits).count();
        let first = (open > 0).then(|| self.hand(self.hand + 1).first()).flatten();
        first.map(|first| (first, open))
    }

    fn split_pair<'s>(
        &'s self,
        start: &'s Start,
        first: Card,
        stakes: [Stake; 2],
    ) -> SplitPair<'s> {
        let book = self.game.book;
        let matching = self.unseen.iter().filter(|(card, _)| book.is_pair(first, *card));
        SplitPair {
            start,
            dealer: &self.dealer,
            shoe: self.shoe,
            value: value_of(first),
            matching: matching.map(|(_, count)| u16::from(count)).sum(),
            naturals: self.naturals,
            fears_natural: self.fears_natural(),
            stakes,
            limit: limit(book, value_of(first)),
        }
    }

    /// The current hand split, with those that wait behind it.
    fn split(&self) -> Worth {
        let Some(first) = self.hand(self.hand).first() else { return Worth::exact(0.0) };
        let book = self.game.book;
        let stake = self.stake(self.hand);
        let (initial, attack) = self.round.wagered(self.bettor);
        let money = f64::from((initial + attack).get()) / self.unit();
        let [_, others] = stakes(book, value_of(first), money);
        let start = Start::new(book, split_hand(book, first));
        let found = self.split_pair(&start, first, [stake, others]).best(Vec::new());
        let open = self.waiting().map_or(0, |(_, open)| open) + 2;
        let hands = self.round.hands(self.bettor.seat()) + 1;
        self.best_of(value_of(first), (hands, open, open - 1), |pending, exactly| {
            let taken = match self.fears_natural() {
                false => 0.0,
                true if exactly => found.borrow().natural(pending),
                true => found.borrow().least_natural(pending),
            };
            worth(&found, pending) - taken
        })
    }

    /// The best of splitting again up to each number of hands, some of which are multiplied. `worth`
    /// is told whether to compute the exact value or a bound.
    fn best_of(
        &self,
        value: usize,
        (hands, open, multiplied): (usize, usize, usize),
        worth: impl Fn(Pending, bool) -> f64,
    ) -> Worth {
        let limit = limit(self.game.book, value).max(hands);
        let few_sets = |most: &usize| {
            // Some third of all sets end a hand.
            let sets = DRAWS.within(Points::pips(CARDS[value])).len() / 3;
            let times = u32::try_from(multiplied + most - hands).unwrap_or(u32::MAX);
            sets.checked_pow(times).is_some_and(|sets| sets <= MOST_SETS)
        };
        let mut best = Worth::LEAST;
        let each = || hands..=limit;
        for [first, most] in each().flat_map(|first| each().map(move |others| [first, others])) {
            let pending = Pending { hands, open, most: [first, most] };
            let most = first.max(most);
            if most == hands || !self.fears_natural() {
                best = best.or(Worth::exact(worth(pending, true)));
                continue;
            }
            let at_most = worth(pending, false);
            if at_most > best.gain {
                best = best.or(match few_sets(&most) {
                    true => Worth::exact(worth(pending, true)),
                    false => Worth { most: at_most, ..Worth::LEAST },
                });
            }
        }
        best
    }
}

/// The current hand, and how it goes on.
struct CurrentHand<'a> {
    chances: Chances<'a>,
    stake: Stake,
    plan: HandPlan,
    worths: Vec<f64>,
}

impl CurrentHand<'_> {
    /// How it ends without going over 21 after a call.
    fn survivals(&self, call: Call, matching: Card) -> Survivals {
        Survivals::new(self.chances.start, &self.plan_with(call), value_of(matching))
    }

    /// How likely it goes over 21 after a call, and the dealer then has a natural.
    fn busts_then_natural(&self, call: Call) -> f64 {
        let plan = self.plan_with(call);
        self.chances.busts_then_natural(&plan, &self.chances.start.route(&plan))[0]
    }

    fn plan_with(&self, call: Call) -> HandPlan {
        let mut plan = self.plan.clone();
        plan.calls[0] = call;
        plan
    }
}
