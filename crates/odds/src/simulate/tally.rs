//! What many rounds came to, in whole numbers, so that parts add up to exactly the whole.

use std::collections::BTreeMap;

use rules::money::{Cents, Chips};

/// The results of a wager over many rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// How often each net gain came, in cents for a stake of the plan's amount.
    pub nets: BTreeMap<i64, u64>,
    /// All that was staked on it, what was added on the way included.
    pub staked: i128,
    /// The squares of what all seats of a round gained together.
    pub squares: u128,
}

impl Sums {
    /// How often the wager was decided.
    pub fn count(&self) -> u64 {
        self.nets.values().sum()
    }

    /// The sum of all gains.
    pub fn gain(&self) -> i128 {
        self.nets.iter().map(|(&net, &count)| i128::from(net) * i128::from(count)).sum()
    }

    /// The mean gain for each unit of the wager.
    pub fn mean(&self, unit: Chips) -> f64 {
        self.gain() as f64 / self.count() as f64 / f64::from(unit.get())
    }

    /// The standard deviation of the gain, in units of the wager.
    pub fn sd(&self, unit: Chips) -> f64 {
        let n = self.count() as f64;
        let mean = self.gain() as f64 / n;
        (squares(&self.nets) as f64 / n - mean * mean).max(0.0).sqrt() / f64::from(unit.get())
    }

    /// The standard error of the mean over a number of rounds; seats of a round share its cards.
    pub fn standard_error(&self, unit: Chips, rounds: u64) -> f64 {
        let (n, seats) = (rounds as f64, self.count() as f64 / rounds as f64);
        let mean = self.gain() as f64 / n;
        let variance = (self.squares as f64 / n - mean * mean).max(0.0);
        (variance / n).sqrt() / seats / f64::from(unit.get())
    }

    /// The mean loss for each unit of all that was staked.
    pub fn element_of_risk(&self) -> f64 {
        -(self.gain() as f64) / self.staked as f64
    }

    /// How often it ended with a gain.
    pub fn hit_frequency(&self) -> f64 {
        let hits: u64 = self.nets.range(1..).map(|(_, count)| count).sum();
        hits as f64 / self.count() as f64
    }

    fn add(&mut self, other: &Sums) {
        for (&net, count) in &other.nets {
            *self.nets.entry(net).or_default() += count;
        }
        self.staked += other.staked;
        self.squares += other.squares;
    }
}

/// The sum of the squares of net gains.
pub(super) fn squares(nets: &BTreeMap<i64, u64>) -> u128 {
    nets.iter().map(|(net, &count)| u128::from(net.unsigned_abs()).pow(2) * u128::from(count)).sum()
}

/// The result of a bettor who bets by the count, in cents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CountBettor {
    /// The sum of all gains.
    pub gain: i128,
    /// The sum of their squares.
    pub squares: u128,
    /// All first wagers.
    pub wagered: i128,
}

/// What a range of shoes came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Shoes played.
    pub shoes: u64,
    /// Rounds played.
    pub rounds: u64,
    /// The main wager, with all that was added to it.
    pub main: Sums,
    /// The game's own side wager.
    pub side: Sums,
    /// The progressive, with the meter.
    pub progressive: Sums,
    /// Envy of other seats' awards.
    pub envy: Sums,
    /// The bettor's result, where the bet follows the count.
    pub bettor: CountBettor,
}

impl Tally {
    /// Adds what another range came to.
    pub fn add(&mut self, other: &Tally) {
        self.shoes += other.shoes;
        self.rounds += other.rounds;
        self.main.add(&other.main);
        self.side.add(&other.side);
        self.progressive.add(&other.progressive);
        self.envy.add(&other.envy);
        self.bettor.gain += other.bettor.gain;
        self.bettor.squares += other.bettor.squares;
        self.bettor.wagered += other.bettor.wagered;
    }
}

/// Counts of net gains, quick for the common ones.
#[derive(Clone, Debug)]
pub(super) struct Bins {
    /// By the number of half units, from [`LEAST`] halves up.
    common: [u64; BINS],
    /// The net gain of each common bin.
    nets: [i64; BINS],
    rest: BTreeMap<i64, u64>,
    /// The reciprocal of half a unit, in units of 2 to the -32.
    per_half: i64,
}

const BINS: usize = 64;
const LEAST: i64 = -32;

impl Bins {
    /// No counts of a wager of this unit.
    pub(super) fn new(unit: Chips) -> Bins {
        let half = i64::from(unit.get() / 2).max(1);
        let mut nets = [0; BINS];
        nets.iter_mut().zip(LEAST..).for_each(|(net, halves)| *net = halves * half);
        Bins { common: [0; BINS], nets, rest: BTreeMap::new(), per_half: (1 << 32) / half }
    }

    /// Counts a net gain.
    #[inline]
    pub(super) fn count(&mut self, net: Cents) {
        let halves = (net.get().wrapping_mul(self.per_half) + (1 << 31)) >> 32;
        match usize::try_from(halves - LEAST) {
            Ok(bin) if bin < BINS && self.nets[bin] == net.get() => self.common[bin] += 1,
            _ => self.count_rare(net),
        }
    }

    #[cold]
    #[inline(never)]
    fn count_rare(&mut self, net: Cents) {
        *self.rest.entry(net.get()).or_default() += 1;
    }

    /// The counts by net gain.
    pub(super) fn nets(&self) -> BTreeMap<i64, u64> {
        let mut nets = self.rest.clone();
        for (&net, &count) in self.nets.iter().zip(&self.common).filter(|(_, count)| **count > 0) {
            *nets.entry(net).or_default() += count;
        }
        nets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_net_gain_is_counted_where_it_belongs() {
        let gains = [-1000, -500, 0, 0, 250, 500, 750, 1000, 100_000, 333, -333, 16_000, -16_000];
        let mut bins = Bins::new(Chips::new(1000));
        let mut expected = BTreeMap::new();
        for gain in gains {
            bins.count(Cents::new(gain));
            *expected.entry(gain).or_default() += 1;
        }
        assert_eq!(bins.nets(), expected);
    }

    #[test]
    fn mean_and_spread_are_those_of_the_gains() {
        let nets = BTreeMap::from([(-1000, 2), (1000, 1), (1500, 1)]);
        let sums = Sums { nets, staked: 4000, squares: 5_250_000 };
        let unit = Chips::new(1000);
        assert!((sums.mean(unit) - 0.125).abs() < 1e-12);
        // Mean of squares 1.3125, less the square of the mean.
        assert!((sums.sd(unit) - (1.3125_f64 - 0.015_625).sqrt()).abs() < 1e-12);
        assert!((sums.standard_error(unit, 4) - sums.sd(unit) / 2.0).abs() < 1e-12);
        assert!((sums.element_of_risk() + 0.125).abs() < 1e-12);
        assert!((sums.hit_frequency() - 0.5).abs() < 1e-12);
    }
}
