//! Rounds as a complete table: every state that cards can lead to, merged where states go on alike.
//!
//! The states are rounds of `rules`, as in the tables that are built while they are used. What is
//! different: after a split, a complete hand leaves the state, and what it earns becomes an output of
//! the step that completed it, one number for each end of the dealer's hand. The result is a plain
//! table that knows no rule, small enough for whoever plays many shoes at once.

mod merge;
mod proof;
mod states;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::time::{Duration, Instant};

use rules::card::Card;
use rules::essence::Essence;
use rules::money::Cents;
use rules::shoe::{Shoe, deck};
use rules::wager::Game;

use self::merge::MergedStates;
use self::states::States;
use super::automaton::{RANKS, symbol};
use super::tally;
use crate::simulate::account::{Account, Payoff};
use crate::simulate::decide::Decide;
use crate::simulate::numbers::Wyrand;
use crate::simulate::plan::Plan;
use crate::simulate::play::Compile;
use crate::simulate::tally::Tally;

/// Why there is no complete table of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableRefusal {
    /// A round depends on more than its cards, or on more than a table counts.
    Plan,
    /// There are more states than this.
    States(usize),
    /// Hands come to too many different amounts.
    Outputs,
    /// An amount has no place in a byte.
    Amounts,
}

impl fmt::Display for TableRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableRefusal::Plan => f.write_str(
                "a complete table needs Casino War or a blackjack played by a chart, with one seat, \
                 a flat bet and no side wagers",
            ),
            TableRefusal::States(most) => {
                write!(f, "a round of these terms has more than {most} states")
            }
            TableRefusal::Outputs => {
                f.write_str("the hands of a round come to too many different amounts at these terms")
            }
            TableRefusal::Amounts => {
                f.write_str("a round of these terms can gain or lose too many different amounts")
            }
        }
    }
}

impl std::error::Error for TableRefusal {}

/// The most states before merging; each takes about 300 bytes while the table is built.
const MOST_STATES: usize = 3_000_000;

/// Ends of the dealer's hand that a sum tells apart: a byte of it for each, and one for what was
/// added to the wager.
const DEALER_ENDS: usize = 7;
const ADDED: u32 = 56;
const _: () = assert!(ADDED as usize == 8 * DEALER_ENDS);
/// Each byte of a sum begins in the middle.
const MIDDLE: i64 = 128;
/// A sum at the beginning of a round.
pub const NO_SUM: u64 = 0x8080_8080_8080_8080;
/// How many different net gains a byte of a sum has.
pub const NETS: usize = 256;

/// The common ends of a round that are counted by their code.
pub const COMMON: usize = 8;
/// How many bits of an entry are its code; the others are the place of the next row.
pub const CODE_BITS: u32 = 11;
const CODES: usize = 1 << CODE_BITS;
const MOST_ENTRIES: usize = 1 << (u32::BITS - CODE_BITS);
/// The byte of a special step that does not end a round.
pub const GOES_ON: u32 = 0xff;

/// A round as a plain table, with the shoe that it is dealt from.
///
/// An entry is the place of the next row and a code. Codes below [`COMMON`] end the round in one of its
/// common ends, [`COMMON`] itself does nothing, and every code above it is a [`Special`] step.
#[derive(Clone, Debug)]
pub struct CompleteTable {
    /// How many different cards there are: the length of a row.
    pub columns: usize,
    /// Row after row, those that are visited most first. A round begins in the first one, and a step
    /// that ends it leads there.
    pub entries: Vec<u32>,
    /// What the codes beyond the common ends stand for.
    pub specials: Vec<Special>,
    /// The shoe.
    pub deal: Deal,
    /// What common ends come to.
    common: Vec<Payoff>,
    /// The unit of sums, in cents.
    unit: i64,
    /// The column of each rank.
    column: [u8; RANKS],
    /// How many states there were before merging.
    pub states_before: usize,
    /// How long it took to build and to check.
    pub build_time: Duration,
}

/// A step that adds to the sum of a round, or ends it by its sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Special {
    /// What is added to the sum, all bytes at once.
    pub delta: u64,
    /// The byte of the sum that is the net gain, or [`GOES_ON`].
    pub end_byte: u32,
}

/// How cards leave a shoe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deal {
    /// The cards of a new shoe, as columns.
    pub cards: Vec<u8>,
    /// How many cards one random number puts in order.
    pub handful: usize,
    /// With fewer cards left than this, a number puts one in order.
    pub at_once: usize,
    /// How many are burned after a shuffle.
    pub burned: usize,
    /// How many lie behind the cut card; none where every round has its own shuffle.
    pub behind: Option<usize>,
    /// How often a shoe is shuffled.
    pub shuffles: u64,
}

/// What shoes that were played by a table came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableCounts {
    /// How often each common end came.
    pub common: [u64; COMMON],
    /// How often a round with another end gained so much: the byte of its sum.
    pub nets: Vec<u64>,
    /// What those rounds added to their wagers, in the table's unit.
    pub added: i64,
    /// Shoes that ran out of cards; their counts up to there are in the others.
    pub exhausted: Vec<u64>,
}

impl Default for TableCounts {
    fn default() -> TableCounts {
        TableCounts { common: [0; COMMON], nets: vec![0; NETS], added: 0, exhausted: Vec::new() }
    }
}

impl CompleteTable {
    /// Plays a range of shoes on the processor.
    pub fn play(&self, plan: &Plan, shoes: Range<u64>) -> TableCounts {
        let mut counts = TableCounts::default();
        let mut shoe = plan.shoe();
        for number in shoes {
            if !self.play_shoe(&mut shoe, Wyrand::of(plan.seed(), number), &mut counts) {
                counts.exhausted.push(number);
            }
        }
        counts
    }

    /// Plays one shoe; false where it runs out of cards.
    fn play_shoe(&self, shoe: &mut Shoe, mut numbers: Wyrand, counts: &mut TableCounts) -> bool {
        shoe.renew();
        for _ in 0..self.deal.shuffles {
            shoe.shuffle(&mut numbers);
            loop {
                shoe.begin_round();
                let (mut row, mut sum) = (0, NO_SUM);
                loop {
                    let card = match shoe.left() {
                        0 => return false,
                        _ => shoe.draw(&mut numbers).expect("a card is left"),
                    };
                    let entry = self.entry(row, card);
                    row = (entry >> CODE_BITS) as usize;
                    if counts.take(entry as usize % CODES, &mut sum, &self.specials) {
                        break;
                    }
                }
                if shoe.is_spent() {
                    break;
                }
            }
        }
        true
    }

    #[inline]
    fn entry(&self, row: usize, card: Card) -> u32 {
        self.entries[row + usize::from(self.column[usize::from(symbol::<RANKS>(card)) % RANKS])]
    }

    /// Bytes of the entries.
    pub fn bytes(&self) -> usize {
        self.entries.len() * size_of::<u32>()
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.entries.len() / self.columns.max(1)
    }
}

impl TableCounts {
    /// TableCounts a step by its code; true where it ends the round.
    fn take(&mut self, code: usize, sum: &mut u64, specials: &[Special]) -> bool {
        match code {
            0..COMMON => {
                self.common[code] += 1;
                true
            }
            COMMON => false,
            _ => {
                let Special { delta, end_byte } = specials[code - COMMON - 1];
                *sum = sum.wrapping_add(delta);
                if end_byte == GOES_ON {
                    return false;
                }
                self.nets[byte_of(*sum, 8 * end_byte)] += 1;
                self.added += byte_of(*sum, ADDED) as i64 - MIDDLE;
                true
            }
        }
    }

    /// Adds what other shoes came to.
    pub fn add(&mut self, other: &TableCounts) {
        self.common.iter_mut().zip(other.common).for_each(|(sum, count)| *sum += count);
        self.nets.iter_mut().zip(&other.nets).for_each(|(sum, count)| *sum += count);
        self.added += other.added;
        self.exhausted.extend(&other.exhausted);
    }

    fn take_away(&mut self, other: &TableCounts) {
        self.common.iter_mut().zip(other.common).for_each(|(sum, count)| *sum -= count);
        self.nets.iter_mut().zip(&other.nets).for_each(|(sum, count)| *sum -= count);
        self.added -= other.added;
    }
}

/// A byte of a sum.
const fn byte_of(sum: u64, shift: u32) -> usize {
    (sum >> shift & 0xff) as usize
}

impl Plan {
    /// The complete table of this plan's rounds, or why there is none.
    pub fn complete_table(&self) -> Result<CompleteTable, TableRefusal> {
        match self.side_stakes() {
            (None, None) => self.compile(TableBuilder(self)).unwrap_or(Err(TableRefusal::Plan)),
            _ => Err(TableRefusal::Plan),
        }
    }

    /// What this many shoes came to by the counts of a complete table. Shoes that ran out of cards
    /// are played again round by round.
    pub fn tally_of(&self, table: &CompleteTable, mut counts: TableCounts, shoes: u64) -> Tally {
        let mut payoffs = BTreeMap::new();
        for shoe in std::mem::take(&mut counts.exhausted) {
            counts.take_away(&table.play(self, shoe..shoe + 1));
            for payoff in self.payoffs(shoe) {
                *payoffs.entry(payoff).or_default() += 1;
            }
        }
        for (&payoff, count) in table.common.iter().zip(counts.common) {
            *payoffs.entry(payoff).or_default() += count;
        }
        for (net, count) in (-MIDDLE..).zip(counts.nets) {
            let main = Cents::new(net * table.unit);
            let account = Account { main, ..Account::default() };
            *payoffs.entry(Payoff { account, added: 0 }).or_default() += count;
        }
        payoffs.retain(|_, count| *count > 0);
        let mut tally = tally(self, shoes, &payoffs);
        tally.main.staked += i128::from(counts.added) * i128::from(table.unit);
        tally
    }
}

/// Builds a complete table.
struct TableBuilder<'a>(&'a Plan);

impl Compile for TableBuilder<'_> {
    type Compiled = Result<CompleteTable, TableRefusal>;

    fn round<R, D>(self, start: R, decide: D) -> Result<CompleteTable, TableRefusal>
    where
        R: Essence + Send + 'static,
        D: Decide<R> + Send + 'static,
    {
        let began = Instant::now();
        let ranks: Vec<Card> = ranks(start.game()).collect();
        let states = States::walk(start, &decide, &ranks, MOST_STATES)?;
        let merged = MergedStates::of(&states);
        merged.check(&states);
        let mut table = merged.lay_out(&states, self.0, &ranks)?;
        table.build_time = began.elapsed();
        Ok(table)
    }
}

/// A card of each rank of a game's decks.
fn ranks(game: Game) -> impl Iterator<Item = Card> {
    deck(game).step_by(4)
}
