//! What rounds came to, by the true count before them.

use std::ops::Range;

use rules::card::Card;
use rules::money::Chips;
use rules::round::{Audience, Event, Record};
use rules::wager::{Circle, MOST_SEATS};

use super::tags::{MOST_TRUE_COUNT, TableCount};
use crate::simulate::{Account, Plan, Watcher};

/// How many whole true counts there are.
pub(crate) const TRUE_COUNTS: usize = 2 * MOST_TRUE_COUNT as usize + 1;

/// The place of a true count.
#[inline]
pub(crate) fn place(true_count: i32) -> usize {
    usize::try_from(true_count + MOST_TRUE_COUNT).map_or(0, |place| place.min(TRUE_COUNTS - 1))
}

/// Every true count, the lowest first.
pub(crate) fn true_counts() -> impl DoubleEndedIterator<Item = i32> {
    -MOST_TRUE_COUNT..=MOST_TRUE_COUNT
}

/// What a counter has seen of a shoe.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SeenCards {
    /// The running count, in hundredths.
    running: i32,
    seen: u16,
}

impl SeenCards {
    #[inline]
    fn see(&mut self, card: Card, count: &TableCount) {
        self.running += count.system.hundredths(card.rank());
        self.seen += 1;
    }

    /// The true count of it all.
    #[inline]
    pub(crate) fn true_count(self, count: &TableCount) -> i32 {
        count.true_count(self.running, self.seen)
    }
}

/// Keeps the count of a seat: every card that lies open, and at the end of a round what others kept to
/// themselves. A card burned, or a hole card that is never turned, stays unseen.
pub(crate) struct CountKeeper<'a> {
    count: &'a TableCount,
    seat: usize,
    seen: SeenCards,
    /// Cards of others that are shown at the end of the round.
    held: Vec<Card>,
}

impl<'a> CountKeeper<'a> {
    pub(crate) fn new(count: &'a TableCount, seat: usize) -> CountKeeper<'a> {
        CountKeeper { count, seat, seen: SeenCards::default(), held: Vec::new() }
    }

    #[inline]
    pub(crate) fn note(&mut self, event: Event) {
        match event {
            Event::Dealt { card, audience: Audience::Everyone, .. } | Event::Turned(card) => {
                self.seen.see(card, self.count);
            }
            Event::Dealt { card, audience: Audience::Box(owner), .. } => {
                match usize::from(owner) == self.seat {
                    true => self.seen.see(card, self.count),
                    false => self.held.push(card),
                }
            }
            _ => {}
        }
    }

    pub(crate) fn end_round(&mut self) {
        while let Some(card) = self.held.pop() {
            self.seen.see(card, self.count);
        }
    }

    /// A new shoe begins.
    pub(crate) fn forget(&mut self) {
        self.seen = SeenCards::default();
    }

    pub(crate) fn seen(&self) -> SeenCards {
        self.seen
    }

    pub(crate) fn true_count(&self) -> i32 {
        self.seen.true_count(self.count)
    }
}

/// The wagers that are followed, in their order in a tally.
const MAIN: usize = 0;
const SIDE: usize = 1;
const PROGRESSIVE: usize = 2;
const ENVY: usize = 3;
const WAGERS: usize = 4;

/// Sums of a wager's gains over many rounds, in cents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GainSums {
    /// All gains.
    pub gain: i128,
    /// Their squares.
    pub squares: u128,
    /// The products with the gain of the main wager in the same round.
    pub with_main: i128,
}

/// What rounds came to at one true count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct AtTrueCount {
    /// How many rounds.
    rounds: u64,
    wagers: [GainSums; WAGERS],
}

/// What a range of shoes came to, by the true count before each round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountTally {
    /// Shoes played.
    pub shoes: u64,
    /// Rounds played.
    pub rounds: u64,
    at: Vec<AtTrueCount>,
}

impl Default for CountTally {
    fn default() -> CountTally {
        CountTally { shoes: 0, rounds: 0, at: vec![AtTrueCount::default(); TRUE_COUNTS] }
    }
}

impl CountTally {
    /// Adds what another range came to.
    pub fn add(&mut self, other: &CountTally) {
        self.shoes += other.shoes;
        self.rounds += other.rounds;
        for (one, other) in self.at.iter_mut().zip(&other.at) {
            one.rounds += other.rounds;
            for (sums, others) in one.wagers.iter_mut().zip(&other.wagers) {
                sums.gain += others.gain;
                sums.squares += others.squares;
                sums.with_main += others.with_main;
            }
        }
    }

    /// Every wager that was played, with its unit.
    pub fn wagers(plan: &Plan) -> Vec<(Circle, Chips)> {
        let (side, progressive) = plan.side_stakes();
        let mut wagers = vec![(Circle::Main, plan.setting().main)];
        wagers.extend(side);
        wagers.extend(progressive.map(|chips| (Circle::Progressive, chips)));
        if plan.seats() > 1 {
            wagers.extend(progressive.map(|chips| (Circle::Envy, chips)));
        }
        wagers
    }

    /// What a wager came to at a true count.
    pub fn at(&self, true_count: i32, wager: Circle) -> (u64, GainSums) {
        let at = &self.at[place(true_count)];
        let wager = match wager {
            Circle::Progressive => PROGRESSIVE,
            Circle::Envy => ENVY,
            Circle::Tie | Circle::Bonus | Circle::Push22 => SIDE,
            _ => MAIN,
        };
        (at.rounds, at.wagers[wager])
    }

    #[inline]
    pub(super) fn count(&mut self, true_count: i32, account: &Account) {
        let at = &mut self.at[place(true_count)];
        at.rounds += 1;
        self.rounds += 1;
        let main = account.main.get();
        let gains = [main, account.side.get(), account.progressive.get(), account.envy.get()];
        for (sums, gain) in at.wagers.iter_mut().zip(gains).filter(|(_, gain)| *gain != 0) {
            sums.gain += i128::from(gain);
            sums.squares += u128::from(gain.unsigned_abs()).pow(2);
            sums.with_main += i128::from(gain) * i128::from(main);
        }
    }
}

impl Plan {
    /// Plays a range of shoes, and keeps what the counter's seat gained by the true count before each
    /// round. The counter has the last of the seats.
    pub fn play_counting(&self, count: &TableCount, shoes: Range<u64>) -> CountTally {
        let mut tally = CountTally { shoes: shoes.end - shoes.start, ..CountTally::default() };
        let mut take = |true_count, account: &Account| tally.count(true_count, account);
        self.play_watched(shoes, &mut Counter::new(self, count, &mut take));
        tally
    }

    /// Plays a range of shoes before a seat that counts.
    pub(crate) fn play_watched(&self, shoes: Range<u64>, watcher: &mut Counter<'_>) {
        match self.seats() {
            1 => self.play_on::<1>(shoes, watcher),
            _ => self.play_on::<MOST_SEATS>(shoes, watcher),
        }
    }
}

/// The seat that counts: the last one.
pub(crate) fn counters_seat(plan: &Plan) -> usize {
    usize::from(plan.seats()) - 1
}

/// A seat that counts, and what becomes of its rounds.
pub(crate) struct Counter<'a> {
    keeper: CountKeeper<'a>,
    /// The true count before the round.
    true_count: i32,
    account: Account,
    /// Takes the true count before a round and what it came to. It is not a type of its own for every
    /// listener, because all games are compiled again for each.
    take: &'a mut dyn FnMut(i32, &Account),
}

impl<'a> Counter<'a> {
    pub(crate) fn new(
        plan: &Plan,
        count: &'a TableCount,
        take: &'a mut dyn FnMut(i32, &Account),
    ) -> Counter<'a> {
        let keeper = CountKeeper::new(count, counters_seat(plan));
        Counter { keeper, true_count: 0, account: Account::default(), take }
    }
}

impl Record for Counter<'_> {
    #[inline(never)]
    fn note(&mut self, event: Event) {
        match event {
            Event::Settled(settled) if settled.bettor.seat() == self.keeper.seat => {
                self.account.gain(settled.circle, settled.gain);
            }
            Event::Awarded { bettor, circle, amount, .. } if bettor.seat() == self.keeper.seat => {
                self.account.gain(circle, amount);
            }
            _ => self.keeper.note(event),
        }
    }
}

impl Watcher for Counter<'_> {
    fn begin(&mut self, _: usize) {
        self.account = Account::default();
        self.true_count = self.keeper.true_count();
    }

    fn end(&mut self, _: usize) {
        self.keeper.end_round();
        (self.take)(self.true_count, &self.account);
    }

    fn shoe_is_over(&mut self, _: u64) {
        self.keeper.forget();
    }
}
