//! What every open act of a round in progress is worth to a seat that knows certain cards.

use rules::card::Card;
use rules::games::blackjack::{Blackjack, Book, Busts, Cost, Fate, Hand, HoleCard, Points};
use rules::money::{Chips, Odds};
use rules::round::{Act, Amounts, Call, Round, Ruling};
use rules::terms::TermSheet;
use rules::wager::Bettor;

use super::dealer::{Asked, Dealer, gain};
use super::draws::{CARDS, Counts, DRAWS, TEN, value_of};
use super::hand::{Chances, Lammers, Naturals, Stake, Start, split_hand};
use super::pair::{SplitPair, limit, stakes, worth};
use super::solve::{Analyzer, Shown, Sisters, Way};
use super::split::Pending;
use super::survival::Survivals;
use crate::unseen::Unseen;
use crate::value::{ActValue, Method};

/// The most sets of cards that are multiplied to value a split where busts come before a natural;
/// beyond it pairs are valued as if they were split into fewer hands.
const MOST_SETS: usize = 400_000;

/// The value of every act that is open to a bettor.
///
/// `unseen` holds every card that the bettor has not seen, the hole card among them; what the reader
/// has said of it is taken from the round. Counted is the main wager with all that is added to it
/// and, where it is offered, insurance; side wagers are not, as no act bears on them. An act without
/// an amount means the most that is open. Whoever only follows the decisions of a box is told
/// nothing.
pub fn from_here<B: Book, const S: usize, const T: usize>(
    sheet: &TermSheet,
    round: &Blackjack<B, S, T>,
    bettor: Bettor,
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
    let worth_of: Box<dyn Fn(Call) -> f64> = if round.hand(seat, 0).cards() == 0 {
        let way = Way::Best(Sisters::OwnCards);
        let shown = Shown::new(&game, unseen, counts, up, way);
        let most = most(round, bettor, Call::Attack) / unit;
        Box::new(move |call| {
            shown.with_money(if call == Call::Attack { 1.0 + most } else { 1.0 }).worth
        })
    } else {
        let Some(here) = Here::new(&game, round, bettor, (up, counts), unseen) else {
            return Vec::new();
        };
        match in_play {
            true => Box::new(move |call| here.by(call)),
            false => Box::new(move |call| here.before_play(call)),
        }
    };
    let value = |call: Call| ActValue {
        act: Act::Call(call),
        gain: worth_of(call) * unit,
        gain_exact: None,
        method: Method::Exact,
    };
    offers.iter().map(value).collect()
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
struct Here<'a, B, const S: usize, const T: usize> {
    game: &'a Analyzer<B>,
    round: &'a Blackjack<B, S, T>,
    bettor: Bettor,
    unseen: &'a Unseen,
    shoe: Counts,
    dealer: Dealer,
    naturals: Naturals,
    /// How likely the dealer turns out to have a natural.
    natural: f64,
    /// How likely is what the reader has said.
    said: f64,
    /// The hand that decides.
    hand: usize,
}

impl<'a, B: Book, const S: usize, const T: usize> Here<'a, B, S, T> {
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
        let dealer = Dealer::new(game.book, open, !hole_shown);
        let chance = dealer.natural(&shoe, &DRAWS.all[0]);
        let possible = round.natural_possible() && !hole_shown;
        let reader_to_come =
            round.current_hand(bettor.seat()).is_none() && round.hole_card() == HoleCard::Reader;
        let naturals = match game.book.busts() {
            Busts::Final if possible && !reader_to_come => Naturals::AfterBusts,
            _ => Naturals::Apart,
        };
        let (natural, said) = if possible { (chance, 1.0) } else { (0.0, 1.0 - chance) };
        let hand = round.current_hand(bettor.seat()).unwrap_or(0);
        Some(Here { game, round, bettor, unseen, shoe, dealer, naturals, natural, said, hand })
    }

    fn hand(&self, hand: usize) -> Hand {
        self.round.hand(self.bettor.seat(), hand)
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
    fn before_play(&self, call: Call) -> f64 {
        let money = self.stake(0).money;
        let odds = gain(Ruling::Pay(B::INSURANCE.0));
        match call {
            Call::EvenMoney => money * gain(Ruling::Pay(Odds::EVEN)),
            Call::Insure => {
                let amount = most(self.round, self.bettor, Call::Insure) / self.unit();
                let insured = amount * (odds * self.natural - (1.0 - self.natural));
                insured + self.before_play(Call::Pass)
            }
            _ => {
                let hand = self.hand(0);
                let calls = [Call::Stand, Call::Hit, Call::Double, Call::Split, Call::Surrender];
                let open = |call: &Call| self.will_be_open(hand, *call);
                let worths = calls.into_iter().filter(open).map(|call| self.by(call));
                worths.fold(f64::NEG_INFINITY, f64::max)
            }
        }
    }

    /// Whether a call will be open to a hand of two cards.
    fn will_be_open(&self, hand: Hand, call: Call) -> bool {
        let book = self.game.book;
        match call {
            Call::Stand => true,
            _ if hand.fate() == Fate::Natural => false,
            Call::Hit => book.may_hit(hand).is_ok(),
            Call::Double => book.may_hit(hand).is_ok() && book.double(hand).is_ok(),
            Call::Split => book.may_split(hand, 1).is_ok(),
            Call::Surrender => B::SURRENDER,
            _ => false,
        }
    }

    /// What all hands are worth if the current one does this and then goes on as is best for it.
    fn by(&self, call: Call) -> f64 {
        let worth = match (self.hand(self.hand).fate(), call) {
            (Fate::Natural, call) => self.natural_by(call),
            (_, Call::Split) => self.others() + self.split(),
            _ => self.others() + self.on_hand(call),
        };
        worth / self.said
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
        let expect = |asked| {
            let mut out = [0.0];
            let stands = vec![(total, vec![0])];
            self.dealer.expect(asked, &stands, &self.shoe, |_| true, &mut out);
            out[0]
        };
        let lammers = match stake.lammers > 0.0 {
            true => stake.lammers * expect(Asked::Lammer),
            false => 0.0,
        };
        stake.money * expect(Asked::Money) + lammers
    }

    /// A hand that is owed a card.
    fn late(&self, hand: usize) -> f64 {
        let start = Start::new(self.game.book, self.hand(hand));
        let chances = self.chances(&start);
        let (plan, worth) = chances.best(self.stake(hand));
        match self.hand(hand).is_doubled() {
            true => chances.worth_of(Call::Hit, 0, self.stake(hand), &plan.gives_up, &worth),
            false => worth[0],
        }
    }

    fn chances<'s>(&'s self, start: &'s Start) -> Chances<'s> {
        let lammers = if Analyzer::<B>::LAMMERS { Lammers::All } else { Lammers::None };
        Chances::new(start, &self.dealer, self.shoe, self.naturals, lammers)
    }

    /// Whether the natural is still to be feared for the original wager after the hands.
    fn fears_natural(&self) -> bool {
        self.naturals == Naturals::AfterBusts && !self.round.has_busted(self.bettor)
    }

    /// The current hand, and those that wait behind it.
    fn on_hand(&self, call: Call) -> f64 {
        let start = Start::new(self.game.book, self.hand(self.hand));
        let chances = self.chances(&start);
        let alone = if self.fears_natural() { 1.0 } else { 0.0 };
        let stake = self.stake(self.hand);
        let waiting = self.waiting();
        let (plan, worths) = chances.best(Stake { natural: alone, ..stake });
        // With hands behind it, what a natural takes depends on all of them.
        let stake = match waiting.is_some() {
            true => stake,
            false => Stake { natural: alone, ..stake },
        };
        let own = match call {
            Call::Double => chances.doubling(0, self.doubled(stake)),
            _ if waiting.is_none() || alone == 0.0 => {
                chances.worth_of(call, 0, stake, &plan.gives_up, &worths)
            }
            _ => {
                let worths = chances.by_plan(stake, &plan, &start.route_from_anywhere(&plan));
                chances.worth_of(call, 0, stake, &plan.gives_up, &worths)
            }
        };
        let Some((first, open)) = waiting else { return own };
        let mut plan = plan;
        plan.calls[0] = call;
        let survivals = Survivals::new(&start, &plan, value_of(first));
        let split = split_hand(self.game.book, first);
        let start = Start::new(self.game.book, split);
        let stake = self.stake(self.hand + 1);
        let found = self.split_pair(&start, first, [stake, stake]).best();
        let hands = self.round.hands(self.bettor.seat());
        let behind = self.best_of(hands, open, |pending| {
            let behind = worth(&found, pending);
            let taken = match self.fears_natural() {
                true => found.borrow().natural_beside(pending, &survivals),
                false => 0.0,
            };
            behind - taken
        });
        own + behind
    }

    /// The stake of the current hand once it is doubled with as much as is open.
    fn doubled(&self, stake: Stake) -> Stake {
        match self.game.book.double(self.hand(self.hand)) {
            Ok(Cost::Free) => Stake { lammers: stake.lammers + 1.0, ..stake },
            _ => {
                let full = stake.money + stake.lammers;
                let added = match self.round.offers(self.bettor).contains(Call::Double) {
                    true => most(self.round, self.bettor, Call::Double) / self.unit(),
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
            stakes,
        }
    }

    /// The current hand split, with those that wait behind it.
    fn split(&self) -> f64 {
        let Some(first) = self.hand(self.hand).first() else { return 0.0 };
        let book = self.game.book;
        let stake = self.stake(self.hand);
        let (initial, attack) = self.round.wagered(self.bettor);
        let money = f64::from((initial + attack).get()) / self.unit();
        let [_, others] = stakes(book, value_of(first), money);
        let start = Start::new(book, split_hand(book, first));
        let found = self.split_pair(&start, first, [stake, others]).best();
        let open = self.waiting().map_or(0, |(_, open)| open);
        let hands = self.round.hands(self.bettor.seat());
        self.best_of(hands + 1, open + 2, |pending| {
            let split = worth(&found, pending);
            let taken = match self.fears_natural() {
                true => found.borrow().natural(pending),
                false => 0.0,
            };
            split - taken
        })
    }

    /// The best of splitting again up to each number of hands.
    fn best_of(&self, hands: usize, open: usize, worth: impl Fn(Pending) -> f64) -> f64 {
        let value = self.hand(self.hand).first().map_or(TEN, value_of);
        let limit = limit(self.game.book, value).max(hands);
        let few_sets = |most: &usize| {
            // Some third of all sets end a hand.
            let sets = DRAWS.within(Points::pips(CARDS[value])).len() / 3;
            let multiplied = (open + most - hands).saturating_sub(1);
            let sets = sets.checked_pow(u32::try_from(multiplied).unwrap_or(u32::MAX));
            sets.is_some_and(|sets| sets <= MOST_SETS)
        };
        (hands..=limit)
            .filter(|most| *most == hands || !self.fears_natural() || few_sets(most))
            .map(|most| worth(Pending { hands, open, most }))
            .fold(f64::NEG_INFINITY, f64::max)
    }
}
