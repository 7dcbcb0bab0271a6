//! What a kernel is told, and what it answers, as plain numbers.

use std::ops::Range;

use odds::simulate::{COMMON, CompleteTable, NETS, TableCounts};

use crate::refusal::GpuRefusal;

/// How many different cards the kernel knows.
const MOST_COLUMNS: usize = 16;
/// How many shoes that ran out of cards are told of in one launch.
const MOST_EXHAUSTED: usize = 64;
const AT_ADDED: usize = COMMON + NETS;
const AT_EXHAUSTED: usize = AT_ADDED + 1;

/// A table and a seed in the form that the kernel takes.
#[derive(Clone, Debug)]
pub struct Job {
    /// The seed of all shoes.
    pub seed: u64,
    /// Cards in a shoe.
    pub size: u32,
    /// How many of them are burned after a shuffle.
    pub burned: u32,
    /// How many lie behind the cut card.
    pub behind: u32,
    /// Whether every round has its own shuffle.
    pub is_fresh: bool,
    /// How often a shoe is shuffled.
    pub shuffles: u32,
    /// How many cards one random number puts in order.
    pub handful: u32,
    /// The cards of a new shoe, several in a word.
    pub new_shoe: Vec<u32>,
    /// The table.
    pub entries: Vec<u32>,
    /// What special steps add to a sum.
    pub deltas: Vec<u64>,
    /// Which byte of a sum ends the round.
    pub end_bytes: Vec<u32>,
}

impl Job {
    /// How many numbers the kernel answers with.
    pub const COUNTS: usize = AT_EXHAUSTED + 1 + MOST_EXHAUSTED;

    /// The shoes of a table.
    pub fn new(table: &CompleteTable, seed: u64) -> Result<Job, GpuRefusal> {
        let deal = &table.deal;
        let small = |number: usize| u32::try_from(number).map_err(|_| GpuRefusal::Shoe);
        let card_bits = match deal.handful {
            8 if deal.cards.len().is_multiple_of(8) => 8,
            6 => 4,
            _ => return Err(GpuRefusal::Shoe),
        };
        if deal.at_once != 8 || table.columns > MOST_COLUMNS {
            return Err(GpuRefusal::Shoe);
        }
        let word = |cards: &[u8]| {
            cards.iter().rev().fold(0, |word, &card| word << card_bits | u32::from(card))
        };
        Ok(Job {
            seed,
            size: small(deal.cards.len())?,
            burned: small(deal.burned)?,
            behind: small(deal.behind.unwrap_or(0))?,
            is_fresh: deal.behind.is_none(),
            shuffles: u32::try_from(deal.shuffles).map_err(|_| GpuRefusal::Shoe)?,
            handful: small(deal.handful)?,
            new_shoe: deal.cards.chunks(32 / card_bits).map(word).collect(),
            entries: table.entries.clone(),
            deltas: table.specials.iter().map(|special| special.delta).collect(),
            end_bytes: table.specials.iter().map(|special| special.end_byte).collect(),
        })
    }

    /// The name of the kernel that plays it.
    pub fn kernel(&self) -> &'static str {
        match (self.handful, self.is_fresh) {
            (8, false) => "play_8",
            (8, true) => "play_fresh_8",
            (_, false) => "play_6",
            (_, true) => "play_fresh_6",
        }
    }

    /// Everything as bytes, for a kernel in another process: the numbers, then the arrays. An even
    /// number of entries may be near.
    pub fn to_bytes(&self, shoes: &Range<u64>, near: usize) -> Vec<u8> {
        let numbers = [
            self.seed,
            shoes.start,
            shoes.end - shoes.start,
            self.size.into(),
            self.burned.into(),
            self.behind.into(),
            self.shuffles.into(),
            self.deltas.len() as u64,
            near as u64,
            self.handful.into(),
            self.is_fresh.into(),
            self.new_shoe.len() as u64,
            self.entries.len() as u64,
        ];
        let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let long = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let parts: [Vec<u8>; 5] = [
            long(&numbers),
            words(&self.new_shoe),
            words(&self.entries),
            long(&self.deltas),
            words(&self.end_bytes),
        ];
        parts.concat()
    }

    /// The counts that a kernel has answered with.
    pub fn counts(answer: &[u64]) -> Result<TableCounts, GpuRefusal> {
        let exhausted = usize::try_from(answer[AT_EXHAUSTED]).unwrap_or(usize::MAX);
        if exhausted > MOST_EXHAUSTED {
            return Err(GpuRefusal::Exhausted);
        }
        let mut common = [0; COMMON];
        common.copy_from_slice(&answer[..COMMON]);
        let mut exhausted = answer[AT_EXHAUSTED + 1..][..exhausted].to_vec();
        exhausted.sort_unstable();
        Ok(TableCounts {
            common,
            nets: answer[COMMON..AT_ADDED].to_vec(),
            added: answer[AT_ADDED].cast_signed(),
            exhausted,
        })
    }
}
