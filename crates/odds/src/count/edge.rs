//! What a wager is worth at each true count.

use rules::money::Chips;
use rules::wager::Circle;

use super::tally::{CountTally, true_counts};

/// A wager at one true count. Gains are for each unit of the wager.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CountRow {
    /// The true count before the round.
    pub true_count: i32,
    /// How many rounds were played at it.
    pub rounds: u64,
    /// The same as a share of all rounds.
    pub share: f64,
    /// The average gain.
    pub edge: f64,
    /// Its standard error.
    pub error: f64,
    /// The standard deviation of the gain.
    pub sd: f64,
    /// The average square of the gain.
    pub square: f64,
    /// The average product with the gain of a unit of the main wager.
    pub with_main: f64,
}

/// The line through the edges, weighted by how often each true count comes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeLine {
    /// Its height at a true count of nothing.
    pub at_zero: f64,
    /// What each point adds.
    pub for_each_point: f64,
}

impl CountTally {
    /// A wager at every true count that came, the lowest first.
    pub fn rows(&self, wager: Circle, unit: Chips, main: Chips) -> Vec<CountRow> {
        let all = self.rounds as f64;
        let (unit, main) = (f64::from(unit.get()), f64::from(main.get()));
        let row = |true_count| {
            let (rounds, sums) = self.at(true_count, wager);
            let n = rounds as f64;
            let edge = sums.gain as f64 / n / unit;
            let square = sums.squares as f64 / n / unit / unit;
            let sd = (square - edge * edge).max(0.0).sqrt();
            CountRow {
                true_count,
                rounds,
                share: n / all,
                edge,
                error: sd / n.sqrt(),
                sd,
                square,
                with_main: sums.with_main as f64 / n / unit / main,
            }
        };
        true_counts().map(row).filter(|row| row.rounds > 0).collect()
    }
}

impl EdgeLine {
    /// The line through these rows; flat where there is only one.
    pub fn through(rows: &[CountRow]) -> EdgeLine {
        let all: f64 = rows.iter().map(|row| row.share).sum();
        let mean = |of: &dyn Fn(&CountRow) -> f64| {
            rows.iter().map(|row| row.share * of(row)).sum::<f64>() / all
        };
        let count = |row: &CountRow| f64::from(row.true_count);
        let (x, y) = (mean(&count), mean(&|row| row.edge));
        let products = mean(&|row| (count(row) - x) * (row.edge - y));
        let squares = mean(&|row| (count(row) - x).powi(2));
        let for_each_point = if squares > 0.0 { products / squares } else { 0.0 };
        EdgeLine { at_zero: y - for_each_point * x, for_each_point }
    }
}

/// The edges that bets go by, in the order of the rows: as they were found, but never falling while the
/// line rises (or the other way round), so that chance at rare counts does not decide.
pub(super) fn monotone(rows: &[CountRow]) -> Vec<f64> {
    let falls = EdgeLine::through(rows).for_each_point < 0.0;
    let sign = if falls { -1.0 } else { 1.0 };
    // Neighbours that violate the order are put together (weight, sum, how many).
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for row in rows {
        let weight = row.rounds as f64;
        pools.push((weight, sign * row.edge * weight, 1));
        while let [.., (w1, s1, n1), (w2, s2, n2)] = pools[..] {
            if s1 / w1 <= s2 / w2 {
                break;
            }
            pools.truncate(pools.len() - 2);
            pools.push((w1 + w2, s1 + s2, n1 + n2));
        }
    }
    let edges = pools.iter().flat_map(|&(w, s, n)| std::iter::repeat_n(sign * s / w, n));
    edges.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(true_count: i32, rounds: u64, edge: f64) -> CountRow {
        let share = rounds as f64 / 100.0;
        CountRow {
            true_count,
            rounds,
            share,
            edge,
            error: 0.0,
            sd: 1.0,
            square: 1.0,
            with_main: 0.0,
        }
    }

    /// Through (−1, −2 %), (0, 0) and (1, 2 %), whatever the weights.
    #[test]
    fn the_line_goes_through_points_on_a_line() {
        let line = EdgeLine::through(&[row(-1, 10, -0.02), row(0, 70, 0.0), row(1, 20, 0.02)]);
        assert!((line.at_zero).abs() < 1e-15 && (line.for_each_point - 0.02).abs() < 1e-15);
        let only = EdgeLine::through(&[row(3, 10, 0.5)]);
        assert_eq!((only.at_zero, only.for_each_point), (0.5, 0.0));
    }

    /// The edge falls at 2, where there are few rounds: 30 rounds at 1 % and 10 at −3 % are 0 on average.
    #[test]
    fn bets_do_not_go_by_chance() {
        let rows = [row(0, 60, -0.01), row(1, 30, 0.01), row(2, 10, -0.03), row(3, 5, 0.04)];
        let expected = [-0.01, 0.0, 0.0, 0.04];
        for (edge, expected) in monotone(&rows).into_iter().zip(expected) {
            assert!((edge - expected).abs() < 1e-15);
        }
        let falling = [row(0, 10, 0.02), row(1, 10, -0.01), row(2, 10, 0.01)];
        for (edge, expected) in monotone(&falling).into_iter().zip([0.02, 0.0, 0.0]) {
            assert!((edge - expected).abs() < 1e-15);
        }
    }
}
