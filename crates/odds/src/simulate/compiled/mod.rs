//! Rounds played by tables: with fixed terms, one seat, a flat bet and a strategy that looks at the
//! round alone, a round is an automaton over the cards that leave the shoe.
//!
//! The automaton is built from the rounds of `rules` while shoes are played, so no rule is written
//! twice, and shoes come out as they do round by round. What the table has no room for is played by
//! the round itself, and a shoe that runs out of cards is played again without a table.

mod automaton;
mod complete;
mod table;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use rules::essence::Essence;
use rules::money::{Cents, Chips};
use rules::shoe::{MOST_CARDS, Shoe};

use self::automaton::{Automaton, symbol};
pub(super) use self::automaton::{CARDS, RANKS};
pub use self::complete::{
    CODE_BITS, COMMON, CompleteTable, Deal, GOES_ON, NETS, NO_SUM, Special, TableCounts,
    TableRefusal,
};
use self::table::{BLOCK, ENDS, Ends, LANES, MISSING, START, State};
use super::account::{Account, Payoff};
use super::decide::Decide;
use super::numbers::Wyrand;
use super::plan::Plan;
use super::tally::{Sums, Tally, squares};

/// The compiled tables of a plan: each thread of a run takes one, and puts it back.
#[derive(Default)]
pub(super) struct Tables {
    idle: Mutex<Vec<Box<dyn TablePlayer>>>,
    /// How many rounds the plan has played.
    rounds: AtomicU64,
    /// Whether so many rounds had no place in the tables that they do not pay.
    are_too_small: AtomicBool,
}

/// So many rounds are played without tables: building them takes about as long as they would save.
const ROUNDS_WITHOUT: u64 = 1_000_000;
/// Tables are given up where more than one of so many rounds has no place in them.
const ROUNDS_AN_ESCAPE: u64 = 7;

impl Clone for Tables {
    /// A clone has tables of its own.
    fn clone(&self) -> Tables {
        Tables::default()
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables").finish_non_exhaustive()
    }
}

impl Tables {
    /// Plays by tables if the plan has played enough rounds for them to pay, and as long as they do.
    pub(super) fn if_due<T>(&self, play: impl FnOnce() -> Option<T>) -> Option<T> {
        let is_long = self.rounds.load(Ordering::Relaxed) >= ROUNDS_WITHOUT;
        let is_due = is_long && !self.are_too_small.load(Ordering::Relaxed);
        let played = is_due.then(play).flatten();
        if self.are_too_small.load(Ordering::Relaxed) {
            self.idle().clear();
        }
        played
    }

    /// TableCounts rounds that were played.
    pub(super) fn count(&self, rounds: u64) {
        self.rounds.fetch_add(rounds, Ordering::Relaxed);
    }

    /// Lends tables for a while: some that are idle, or new ones; none where a plan has none.
    pub(super) fn lend<T>(
        &self,
        new: impl FnOnce() -> Option<Box<dyn TablePlayer>>,
        play: impl FnOnce(&mut dyn TablePlayer) -> T,
    ) -> Option<T> {
        let idle = self.idle().pop();
        let mut player = idle.or_else(new)?;
        let played = play(player.as_mut());
        let (rounds, escaped) = player.last_played();
        if escaped > rounds / ROUNDS_AN_ESCAPE {
            self.are_too_small.store(true, Ordering::Relaxed);
        }
        self.idle().push(player);
        Some(played)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Box<dyn TablePlayer>>> {
        self.idle.lock().expect("nobody fails while looking for tables")
    }

    /// What building the tables that are not in use has come to.
    pub(super) fn usage(&self) -> Option<TableUsage> {
        self.idle().iter().map(|player| player.usage()).reduce(TableUsage::and)
    }
}

/// What compiled tables took, of all threads together.
#[derive(Clone, Copy, Debug, Default)]
pub struct TableUsage {
    /// How many tables there are: one for each thread that played.
    pub tables: usize,
    /// States of a round, of the largest one.
    pub states: usize,
    /// Different ends of a round, of the largest one.
    pub ends: usize,
    /// Entries that were built.
    pub entries: u64,
    /// Bytes of memory.
    pub bytes: usize,
    /// Processor time that building took.
    pub build_time: Duration,
    /// Rounds that a table had no room for.
    pub escaped: u64,
    /// Shoes that ran out of cards and were played without a table.
    pub unusual_shoes: u64,
}

impl TableUsage {
    fn and(self, other: TableUsage) -> TableUsage {
        TableUsage {
            tables: self.tables + other.tables,
            states: self.states.max(other.states),
            ends: self.ends.max(other.ends),
            entries: self.entries + other.entries,
            bytes: self.bytes + other.bytes,
            build_time: self.build_time + other.build_time,
            escaped: self.escaped + other.escaped,
            unusual_shoes: self.unusual_shoes + other.unusual_shoes,
        }
    }
}

/// Plays shoes by a table of its own.
pub(super) trait TablePlayer: Send {
    /// Plays a range of shoes; with the result of each, where that is asked for.
    fn play(&mut self, plan: &Plan, shoes: Range<u64>, each: Option<&mut Vec<Tally>>) -> Tally;

    /// How many rounds were played the last time, and how many of them had no place in the table.
    fn last_played(&self) -> (u64, u64);

    fn usage(&self) -> TableUsage;
}

/// An automaton, and the shoes that are dealt to it in lockstep.
pub(super) struct ShoePlayer<R, D, const WIDTH: usize> {
    automaton: Automaton<R, D, WIDTH>,
    lanes: [Lane<WIDTH>; LANES],
    /// The state of each lane.
    states: [State; LANES],
    /// The ends of each lane's rounds.
    ends: Box<[Ends; LANES]>,
    /// How often each end came; in several parts, because it is often the same one again.
    counts: Box<[[u64; ENDS as usize]; PARTS]>,
    /// How often anything else came.
    others: BTreeMap<Payoff, u64>,
    /// Rounds that were played the last time, and how many of them escaped.
    last: (u64, u64),
    usage: TableUsage,
}

const PARTS: usize = 4;

/// How many cards are drawn at once.
const HANDFUL: usize = 8;

/// A shoe that is dealt from.
struct Lane<const WIDTH: usize> {
    number: Option<u64>,
    shoe: Shoe,
    numbers: Wyrand,
    /// Cards that have been drawn, as places in a row, and room for a block.
    ahead: Box<[u8; MOST_CARDS + BLOCK]>,
    drawn: usize,
    /// How many cards there are up to the first one behind the cut card.
    cards: usize,
    dealt: usize,
    /// What those of its rounds came to that the table had no room for.
    escaped: Vec<Payoff>,
}

impl<const WIDTH: usize> Lane<WIDTH> {
    /// Shuffles a shoe, and draws its cards up to the first one behind the cut card, which will be
    /// dealt whatever the rounds are, and a few more.
    #[inline]
    fn begin(&mut self, seed: u64, number: u64) {
        let (shoe, numbers) = (&mut self.shoe, &mut self.numbers);
        self.number = Some(number);
        *numbers = Wyrand::of(seed, number);
        shoe.renew();
        shoe.shuffle(numbers);
        self.cards = shoe.before_cut_card().map_or(0, |before| before + 1);
        self.dealt = 0;
        self.drawn = 0;
        for places in self.ahead.as_chunks_mut::<HANDFUL>().0.iter_mut() {
            if self.drawn >= self.cards {
                break;
            }
            let Some(cards) = shoe.draw_some::<HANDFUL>(numbers) else { break };
            *places = cards.map(symbol::<WIDTH>);
            self.drawn += HANDFUL;
        }
    }

    /// The next card, as a place in a row; none where the shoe is empty.
    #[inline]
    fn next(&mut self) -> Option<u8> {
        let place = self.dealt;
        self.dealt += 1;
        match place < self.drawn {
            true => Some(self.ahead[place]),
            false if self.shoe.left() == 0 => None,
            false => self.shoe.draw(&mut self.numbers).map(symbol::<WIDTH>),
        }
    }
}

impl<R: Essence, D: Decide<R>, const WIDTH: usize> ShoePlayer<R, D, WIDTH> {
    pub(super) fn new(plan: &Plan, start: R, decide: D) -> Self {
        let lane = || Lane {
            number: None,
            shoe: plan.shoe(),
            numbers: Wyrand::of(0, 0),
            ahead: Box::new([0; MOST_CARDS + BLOCK]),
            drawn: 0,
            cards: 0,
            dealt: 0,
            escaped: Vec::new(),
        };
        ShoePlayer {
            automaton: Automaton::new(start, decide),
            lanes: std::array::from_fn(|_| lane()),
            states: [MISSING; LANES],
            ends: Box::new([const { Ends::NONE }; LANES]),
            counts: Box::new([[0; ENDS as usize]; PARTS]),
            others: BTreeMap::new(),
            last: (0, 0),
            usage: TableUsage::default(),
        }
    }

    /// Takes a new shoe.
    #[inline]
    fn begin(&mut self, lane: usize, seed: u64, number: u64) {
        self.lanes[lane].begin(seed, number);
        self.states[lane] = START;
        self.ends[lane].clear();
    }

    /// Plays shoes in lockstep, a block of cards at a time; whichever shoe is done with is followed
    /// by the next one.
    fn play_in_lockstep(&mut self, plan: &Plan, mut shoes: Range<u64>) {
        for lane in 0..LANES {
            self.states[lane] = MISSING;
            if let Some(number) = shoes.next() {
                self.begin(lane, plan.seed(), number);
            }
        }
        let block = block(self.lanes[0].cards);
        let mut cards = [[0; BLOCK]; LANES];
        while self.lanes.iter().any(|lane| lane.number.is_some()) {
            for (lane, cards) in self.lanes.iter().zip(&mut cards) {
                cards.copy_from_slice(&lane.ahead[lane.dealt..][..BLOCK]);
            }
            let before = (self.states, self.ends.each_ref().map(Ends::count));
            self.automaton.table.walk(&cards, block, &mut self.states, &mut self.ends);
            for lane in 0..LANES {
                if self.lanes[lane].number.is_none() {
                    continue;
                }
                let to = self.lanes[lane].dealt + block;
                let mut goes_on = true;
                if self.states[lane] == MISSING {
                    self.states[lane] = before.0[lane];
                    self.ends[lane].truncate(before.1[lane]);
                    goes_on = self.deal_alone(lane, to);
                } else {
                    self.lanes[lane].dealt = to;
                }
                if self.lanes[lane].dealt + block > self.lanes[lane].cards {
                    let all = self.lanes[lane].cards;
                    let is_done = goes_on && self.deal_alone(lane, all);
                    self.shoe_is_over(plan, lane, is_done);
                    match shoes.next() {
                        Some(number) => self.begin(lane, plan.seed(), number),
                        None => self.states[lane] = MISSING,
                    }
                }
            }
        }
    }

    /// Deals one shoe on until so many cards of it are dealt; if these are all of them, until the
    /// round is over. False where the shoe runs out of cards before that.
    fn deal_alone(&mut self, lane: usize, cards: usize) -> bool {
        let drawn = &mut self.lanes[lane];
        let mut state = self.states[lane];
        while drawn.dealt < cards || (state >= ENDS && cards >= drawn.cards) {
            let Some(card) = drawn.next() else { return false };
            state = match self.automaton.step(state, card) {
                Ok(next) => next,
                Err(round) => match self.automaton.play_out(round, || drawn.next()) {
                    Some(payoff) => {
                        drawn.escaped.push(payoff);
                        START
                    }
                    None => return false,
                },
            };
            if state < ENDS && state != START {
                self.ends[lane].push(state);
            }
        }
        self.states[lane] = state;
        true
    }

    /// Plays one shoe.
    fn play_alone(&mut self, plan: &Plan, number: u64) {
        self.begin(0, plan.seed(), number);
        let is_done = self.deal_alone(0, self.lanes[0].cards);
        self.shoe_is_over(plan, 0, is_done);
    }

    /// Plays a shoe that is shuffled before every round.
    fn play_fresh(&mut self, plan: &Plan, number: u64) {
        let Lane { shoe, numbers, escaped, .. } = &mut self.lanes[0];
        *numbers = Wyrand::of(plan.seed(), number);
        shoe.renew();
        self.ends[0].clear();
        for _ in 0..plan.shuffles_a_shoe() {
            shoe.shuffle(numbers);
            shoe.begin_round();
            let mut draw = || symbol::<WIDTH>(shoe.draw(numbers).expect(ENOUGH));
            let mut state = START;
            loop {
                match self.automaton.step(state, draw()) {
                    Ok(next) if next >= ENDS => state = next,
                    Ok(end) => {
                        self.ends[0].push(end);
                        break;
                    }
                    Err(round) => {
                        escaped.extend(self.automaton.play_out(round, || Some(draw())));
                        break;
                    }
                }
            }
        }
        self.lanes[0].number = Some(number);
        self.shoe_is_over(plan, 0, true);
    }

    /// TableCounts the rounds of a shoe; one that ran out of cards is played again round by round.
    #[inline]
    fn shoe_is_over(&mut self, plan: &Plan, lane: usize, is_done: bool) {
        let Lane { number, escaped, .. } = &mut self.lanes[lane];
        let number = number.take();
        if is_done {
            let (fours, rest) = self.ends[lane].as_slice().as_chunks::<PARTS>();
            for four in fours {
                for (counts, end) in self.counts.iter_mut().zip(four) {
                    counts[usize::from(end % ENDS)] += 1;
                }
            }
            for end in rest {
                self.counts[0][usize::from(end % ENDS)] += 1;
            }
        } else if let Some(number) = number {
            self.usage.unusual_shoes += 1;
            *escaped = plan.payoffs(number);
        }
        if !escaped.is_empty() {
            self.usage.escaped += escaped.len() as u64;
            for payoff in escaped.drain(..) {
                *self.others.entry(payoff).or_default() += 1;
            }
        }
    }

    /// What has been counted since this was asked for the last time.
    fn tally(&mut self, plan: &Plan, shoes: u64) -> Tally {
        let mut payoffs = std::mem::take(&mut self.others);
        for counts in self.counts.iter_mut() {
            for (end, count) in (0..).zip(counts).filter(|(_, count)| **count > 0) {
                *payoffs.entry(self.automaton.payoff(end)).or_default() += std::mem::take(count);
            }
        }
        let tally = tally(plan, shoes, &payoffs);
        self.last.0 += tally.rounds;
        tally
    }
}

/// How many cards are dealt in lockstep at a time so that few of a shoe are left over.
fn block(cards: usize) -> usize {
    (cards / cards.div_ceil(BLOCK).max(1)).max(1)
}

/// A shoe in which they lie has been shuffled.
const ENOUGH: &str = "a shoe has more cards than a table can take";

impl<R: Essence + Send, D: Decide<R> + Send, const WIDTH: usize> TablePlayer
    for ShoePlayer<R, D, WIDTH>
{
    fn play(&mut self, plan: &Plan, shoes: Range<u64>, mut each: Option<&mut Vec<Tally>>) -> Tally {
        let is_fresh = plan.shoe().before_cut_card().is_none();
        let escaped = self.usage.escaped;
        self.last.0 = 0;
        match each {
            None if !is_fresh => self.play_in_lockstep(plan, shoes.clone()),
            _ => {
                for number in shoes.clone() {
                    if is_fresh {
                        self.play_fresh(plan, number);
                    } else {
                        self.play_alone(plan, number);
                    }
                    if let Some(each) = &mut each {
                        each.push(self.tally(plan, 1));
                    }
                }
            }
        }
        let tally = self.tally(plan, shoes.end.saturating_sub(shoes.start));
        self.last.1 = self.usage.escaped - escaped;
        tally
    }

    fn last_played(&self) -> (u64, u64) {
        self.last
    }

    fn usage(&self) -> TableUsage {
        let (states, ends) = self.automaton.states();
        TableUsage {
            tables: 1,
            states,
            ends,
            entries: self.automaton.built,
            bytes: self.automaton.bytes(),
            build_time: self.automaton.build_time,
            ..self.usage
        }
    }
}

/// What rounds with one seat came to.
fn tally(plan: &Plan, shoes: u64, payoffs: &BTreeMap<Payoff, u64>) -> Tally {
    let (side, progressive) = plan.side_stakes();
    let rounds: u64 = payoffs.values().sum();
    let added: i128 = payoffs.iter().map(|(one, &n)| i128::from(one.added) * i128::from(n)).sum();
    let sums = |unit: Chips, added: i128, gain: fn(&Account) -> Cents| {
        let mut nets = BTreeMap::new();
        for (payoff, count) in payoffs {
            *nets.entry(gain(&payoff.account).get()).or_default() += count;
        }
        let staked = i128::from(unit.get()) * i128::from(rounds) + added;
        Sums { squares: squares(&nets), staked, nets }
    };
    let placed =
        |unit: Option<Chips>, gain| unit.map_or(Sums::default(), |unit| sums(unit, 0, gain));
    Tally {
        shoes,
        rounds,
        main: sums(plan.setting().main, added, |account| account.main),
        side: placed(side.map(|(_, unit)| unit), |account| account.side),
        progressive: placed(progressive, |account| account.progressive),
        envy: placed(progressive, |account| account.envy),
        ..Tally::default()
    }
}
