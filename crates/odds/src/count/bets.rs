//! Bets by the true count, and the best ones.

use rules::money::Chips;
use rules::wager::Circle;

use super::bankroll::Prospect;
use super::edge::{CountRow, monotone};
use super::tally::{CountTally, TRUE_COUNTS, place, true_counts};

/// What is bet at each true count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bets {
    amounts: Vec<Chips>,
}

impl Bets {
    /// Amounts from each true count on; below the lowest nothing is bet.
    pub fn steps(steps: &[(i32, Chips)]) -> Bets {
        let amount = |true_count: i32| {
            let reached = steps.iter().filter(|(from, _)| *from <= true_count);
            reached.max_by_key(|(from, _)| *from).map_or(Chips::ZERO, |(_, amount)| *amount)
        };
        Bets { amounts: true_counts().map(amount).collect() }
    }

    /// The bet at a true count.
    #[inline]
    pub fn at(&self, true_count: i32) -> Chips {
        self.amounts[place(true_count)]
    }
}

/// The wager that follows the count, and the limits of its bets.
#[derive(Clone, Copy, Debug)]
pub struct BetLimits {
    /// The wager.
    pub wager: Circle,
    /// The unit in which it was played.
    pub unit: Chips,
    /// The smallest bet, and the step between bets.
    pub least: Chips,
    /// The largest bet.
    pub most: Chips,
    /// Rounds below this true count are sat out.
    pub sits_out_below: Option<i32>,
    /// The unit in which the main wager was played, and what lies on it in every round that is not sat
    /// out where another wager follows the count.
    pub main: Chips,
}

impl BetLimits {
    /// Whether the wager can be left out of a round that is not sat out.
    fn is_optional(&self) -> bool {
        self.wager != Circle::Main
    }

    /// What lies on the main wager beside a side wager.
    fn beside(&self) -> f64 {
        if self.is_optional() { 1.0 } else { 0.0 }
    }

    fn is_out(&self, true_count: i32) -> bool {
        self.sits_out_below.is_some_and(|from| true_count < from)
    }
}

/// A wager by its true counts, ready for bets to be judged.
pub struct BetTable<'a> {
    limits: BetLimits,
    rows: Vec<CountRow>,
    main: Vec<CountRow>,
    /// The edges that bets go by.
    edges: Vec<f64>,
    /// The average square of all rounds, for counts with few of them.
    square: f64,
    tally: &'a CountTally,
}

/// True counts with fewer rounds than this have the variance of all.
const FEW: u64 = 1_000;
/// How many scales of Kelly bets are tried for the best score.
const SCALES: u32 = 400;

impl<'a> BetTable<'a> {
    /// The wager of these limits.
    pub fn new(tally: &'a CountTally, limits: BetLimits) -> BetTable<'a> {
        let rows = tally.rows(limits.wager, limits.unit, limits.main);
        let main = tally.rows(Circle::Main, limits.main, limits.main);
        let square = rows.iter().map(|row| row.share * row.square).sum();
        BetTable { edges: monotone(&rows), limits, rows, main, square, tally }
    }

    /// The wager at every true count.
    pub fn rows(&self) -> &[CountRow] {
        &self.rows
    }

    /// What these bets come to. Rounds without a bet are counted as rounds.
    pub fn prospect(&self, bets: &Bets) -> Prospect {
        let money = |chips: Chips| f64::from(chips.get()) / 100.0;
        let main_unit = money(self.limits.main);
        let (mut mean, mut square, mut bet, mut played) = (0.0, 0.0, 0.0, 0.0);
        for (row, main) in self.rows.iter().zip(&self.main) {
            let amount = money(bets.at(row.true_count));
            let is_out = match self.limits.is_optional() {
                true => self.limits.is_out(row.true_count),
                false => amount == 0.0,
            };
            if is_out {
                continue;
            }
            let beside = self.limits.beside() * main_unit;
            mean += row.share * (amount * row.edge + beside * main.edge);
            square += row.share
                * (amount * amount * row.square
                    + 2.0 * amount * beside * row.with_main
                    + beside * beside * main.square);
            bet += row.share * (amount + beside);
            played += row.share;
        }
        let variance = (square - mean * mean).max(0.0);
        let error = (variance / self.tally.rounds as f64).sqrt();
        Prospect { mean, variance, error, average_bet: bet, played }
    }

    /// The bets with the highest certainty equivalent for a fraction of Kelly and a bankroll.
    pub fn for_bankroll(&self, bankroll: f64, kelly: f64) -> Bets {
        self.scaled(bankroll * kelly)
    }

    /// The bets with the best score.
    pub fn best_score(&self) -> Bets {
        let most = f64::from(self.limits.most.get()) / 100.0;
        // From a bankroll that bets the least everywhere to one that bets the most wherever it gains.
        let scales =
            (0..=SCALES).map(|i| most * 10_f64.powf(6.0 * f64::from(i) / f64::from(SCALES)));
        let bets = scales.map(|scale| self.scaled(scale)).map(|bets| (self.prospect(&bets), bets));
        let worth = |prospect: &Prospect| {
            let size = prospect.mean / prospect.sd();
            if size.is_finite() { size } else { 0.0 }
        };
        let best = bets.reduce(|best, other| {
            if worth(&other.0) > worth(&best.0) * (1.0 + 1e-12) { other } else { best }
        });
        best.map_or_else(|| Bets::steps(&[]), |(_, bets)| bets)
    }

    /// Kelly bets of a bankroll, as far as the limits allow.
    fn scaled(&self, bankroll: f64) -> Bets {
        let money = |chips: Chips| f64::from(chips.get()) / 100.0;
        let mut amounts = vec![Chips::ZERO; TRUE_COUNTS];
        for true_count in true_counts() {
            // Counts that never came are bet like the nearest that did.
            let nearest = self
                .rows
                .iter()
                .enumerate()
                .min_by_key(|(_, row)| (row.true_count - true_count).unsigned_abs());
            let Some((at, row)) = nearest else { continue };
            if self.limits.is_out(true_count) {
                continue;
            }
            let square = if row.rounds < FEW { self.square } else { row.square };
            let beside = self.limits.beside() * money(self.limits.main) * row.with_main;
            let bet = (bankroll * self.edges[at] - beside) / square;
            amounts[place(true_count)] = self.rounded(bet);
        }
        Bets { amounts }
    }

    /// A bet that the limits allow: a whole number of steps.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    fn rounded(&self, bet: f64) -> Chips {
        let BetLimits { least, most, .. } = self.limits;
        let steps = (bet * 100.0 / f64::from(least.get())).round();
        let fewest = if self.limits.is_optional() { 0.0 } else { 1.0 };
        let many = f64::from(most.get() / least.get()).max(1.0);
        Chips::new(least.get() * steps.clamp(fewest, many) as u32)
    }
}

#[cfg(test)]
mod tests {
    use rules::money::Cents;

    use super::*;
    use crate::simulate::Account;

    const TEN: Chips = Chips::new(1000);

    fn limits(wager: Circle, most: u32, sits_out_below: Option<i32>) -> BetLimits {
        BetLimits {
            wager,
            unit: TEN,
            least: TEN,
            most: Chips::new(most),
            sits_out_below,
            main: TEN,
        }
    }

    /// At −1 the coin loses 6 of 10 times, at +1 it wins 6 of 10; both come equally often.
    fn coins() -> CountTally {
        let mut tally = CountTally::default();
        for i in 0..10 {
            for (true_count, won) in [(-1, i < 4), (1, i < 6)] {
                let main = Cents::new(if won { 1000 } else { -1000 });
                // A side wager that pays 4 to 1 where the main wager wins at +1 for the first time.
                let side = Cents::new(if i == 0 { 4000 } else { -1000 });
                tally.count(true_count, &Account { main, side, ..Account::default() });
            }
        }
        tally
    }

    /// Bets of 10 and 30: a mean of (−2 + 6) / 2 = 2 and squares of (100 + 900) / 2 = 500.
    #[test]
    fn bets_come_to_what_they_should() {
        let tally = coins();
        let table = BetTable::new(&tally, limits(Circle::Main, 10_000, None));
        let bets = Bets::steps(&[(-20, TEN), (1, Chips::new(3000))]);
        let game = table.prospect(&bets);
        assert!((game.mean - 2.0).abs() < 1e-12 && (game.variance - 496.0).abs() < 1e-9);
        assert_eq!((game.average_bet, game.played), (20.0, 1.0));
        // Only at +1: half of the rounds, a mean of 3, squares of 450.
        let game = table.prospect(&Bets::steps(&[(1, Chips::new(3000))]));
        assert!((game.mean - 3.0).abs() < 1e-12 && (game.variance - 441.0).abs() < 1e-9);
        assert_eq!((game.average_bet, game.played), (15.0, 0.5));
    }

    /// Kelly: edge over square is 0.2 at +1, so a bankroll of 200 bets 40 there and the least at −1; a
    /// half Kelly bets 20.
    #[test]
    fn bets_follow_the_bankroll() {
        let tally = coins();
        let table = BetTable::new(&tally, limits(Circle::Main, 10_000, None));
        let at = |bets: &Bets| [-1, 1].map(|true_count| bets.at(true_count).get());
        assert_eq!(at(&table.for_bankroll(200.0, 1.0)), [1000, 4000]);
        assert_eq!(at(&table.for_bankroll(200.0, 0.5)), [1000, 2000]);
        assert_eq!(at(&table.for_bankroll(9e9, 1.0)), [1000, 10_000]);
        assert_eq!(table.for_bankroll(200.0, 1.0).at(5), Chips::new(4000));
        let out = BetTable::new(&tally, limits(Circle::Main, 10_000, Some(0)));
        assert_eq!(at(&out.for_bankroll(200.0, 1.0)), [0, 4000]);
    }

    /// With a spread of 1 to k the mean is k − 1, and the squares are proportional to 1 + k²; the score
    /// grows with k, so the largest spread is the best.
    #[test]
    fn the_best_score_spreads_as_far_as_it_pays() {
        let tally = coins();
        let table = BetTable::new(&tally, limits(Circle::Main, 8_000, None));
        assert_eq!([-1, 1].map(|t| table.best_score().at(t).get()), [1000, 8000]);
    }

    /// The side wager has no edge at either count (1 of 10 at 4 to 1 is −0.5): nothing is bet on it, and
    /// the main wager beside it gains nothing on average with squares of 100.
    #[test]
    fn a_side_wager_is_left_out_where_it_loses() {
        let tally = coins();
        let table = BetTable::new(&tally, limits(Circle::Tie, 8_000, None));
        let bets = table.for_bankroll(1e6, 1.0);
        assert_eq!([-1, 1].map(|t| bets.at(t).get()), [0, 0]);
        let game = table.prospect(&bets);
        assert!(game.mean.abs() < 1e-12 && (game.variance - 100.0).abs() < 1e-9);
        // Ten on it in every round at +1: mean −0.5 × 10 / 2 there, and the products of both count.
        let game = table.prospect(&Bets::steps(&[(1, TEN)]));
        assert!((game.mean + 2.5).abs() < 1e-12);
        // Squares at +1: side (1600 + 9 × 100) / 10 = 250, main 100, twice the products
        // (400 − 5 × 100 + 4 × 100) / 10 = 30.
        assert!((game.variance - ((250.0 + 100.0 + 60.0 + 100.0) / 2.0 - 6.25)).abs() < 1e-9);
    }
}
