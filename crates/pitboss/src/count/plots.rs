//! Plots drawn by hand: edges, bets, trips and ruin.

use maud::Markup;
use odds::count::{Bets, CountRow, Prospect, STOPS, Trips};

use super::study::chips;
use crate::odds::svg::Drawing;
use crate::text::{grouped, with_minus};

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 46.0;

/// A plot with two axes.
struct Plot {
    drawing: Drawing,
    x: (f64, f64),
    y: (f64, f64),
}

impl Plot {
    /// Axes for these ranges, each with its name, and ticks that are written by a function.
    fn new(
        (x, x_name): ((f64, f64), &str),
        (y, y_name): ((f64, f64), &str),
        ticks: (impl Fn(f64) -> String, impl Fn(f64) -> String),
    ) -> Plot {
        let mut plot = Plot { drawing: Drawing::new(WIDTH, HEIGHT), x, y: widened(y) };
        for tick in round_numbers(plot.y, 5.0) {
            let at = plot.place(x.0, tick);
            let class = if tick == 0.0 { "axis" } else { "rule" };
            plot.drawing.line((LEFT, at.1), (WIDTH - RIGHT, at.1), class);
            plot.drawing.text((LEFT - 8.0, at.1 + 4.0), "tick end", &(ticks.1)(tick));
        }
        for tick in round_numbers(x, 9.0) {
            let (at, bottom) = (plot.place(tick, 0.0).0, HEIGHT - BOTTOM);
            plot.drawing.line((at, bottom), (at, bottom + 5.0), "rule");
            plot.drawing.text((at, bottom + 18.0), "tick middle", &(ticks.0)(tick));
        }
        let middle = (LEFT + WIDTH - RIGHT) / 2.0;
        plot.drawing.text((middle, HEIGHT - 8.0), "tick middle", x_name);
        plot.drawing.text((4.0, TOP - 2.0), "tick", y_name);
        plot
    }

    fn place(&self, x: f64, y: f64) -> (f64, f64) {
        let part = |value: f64, (from, to): (f64, f64)| (value - from) / (to - from);
        let (width, height) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
        (LEFT + width * part(x, self.x), TOP + height * (1.0 - part(y, self.y)))
    }

    fn curve(&mut self, points: &[(f64, f64)], class: &str) {
        let places: Vec<_> = points.iter().map(|&(x, y)| self.place(x, y)).collect();
        self.drawing.path(&places, class);
    }

    fn bar(&mut self, (x, y): (f64, f64), width: f64, class: &str) {
        let (left, top) = self.place(x - width / 2.0, y.max(0.0));
        let (right, bottom) = self.place(x + width / 2.0, y.min(0.0));
        self.drawing.bar((left, top), (right - left, bottom - top), class);
    }
}

/// A little room above and below, and nothing always in sight.
fn widened((from, to): (f64, f64)) -> (f64, f64) {
    let (from, to) = (from.min(0.0), to.max(0.0));
    let room = ((to - from) * 0.05).max(1e-9);
    (if from < 0.0 { from - room } else { 0.0 }, to + room)
}

/// Round numbers within a range, about as many as are asked for.
fn round_numbers((from, to): (f64, f64), about: f64) -> Vec<f64> {
    let rough = (to - from) / about;
    let power = 10_f64.powf(rough.max(1e-12).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|n| n * power).into_iter().find(|step| *step >= rough);
    let step = step.unwrap_or(rough);
    let mut numbers = Vec::new();
    let mut n = (from / step).ceil();
    while n * step <= to + step * 1e-9 {
        // Without a negative nothing.
        numbers.push(n * step + 0.0);
        n += 1.0;
    }
    numbers
}

fn signed(number: f64) -> String {
    with_minus(&format!("{number:+.0}")).replace("+0", "0").replace("−0", "0")
}

fn money(number: f64) -> String {
    grouped(&format!("{number:.0}")).replace("-0", "0")
}

fn percentage(part: f64) -> String {
    let percent = part * 100.0;
    let places = if percent.abs() < 1.0 && percent != 0.0 { 1 } else { 0 };
    with_minus(&format!("{percent:.places$} %"))
}

/// The range of true counts, with half a count to each side.
fn counts(rows: &[&CountRow]) -> (f64, f64) {
    let first = rows.first().map_or(-1.0, |row| f64::from(row.true_count));
    let last = rows.last().map_or(1.0, |row| f64::from(row.true_count));
    (first - 0.6, last + 0.6)
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((0.0, 0.0), |(low, high), value| (value.min(low), value.max(high)))
}

/// The edge at every true count, with its 95 % interval.
pub(super) fn edges(rows: &[&CountRow], label: &str) -> Markup {
    let ends = rows.iter().flat_map(|row| [row.edge - 2.0 * row.error, row.edge + 2.0 * row.error]);
    let (x, y) = (counts(rows), range(ends));
    let mut plot = Plot::new((x, "true count before the round"), (y, "edge"), (signed, percentage));
    let points: Vec<_> = rows.iter().map(|row| (f64::from(row.true_count), row.edge)).collect();
    plot.curve(&points, "curve");
    for row in rows {
        let x = f64::from(row.true_count);
        plot.curve(&[(x, row.edge - 2.0 * row.error), (x, row.edge + 2.0 * row.error)], "whisker");
        let at = plot.place(x, row.edge);
        plot.drawing.dot(at, if row.edge > 0.0 { "gain" } else { "loss" });
    }
    plot.drawing.finish_in_full(label)
}

/// How often each true count comes.
pub(super) fn frequencies(rows: &[&CountRow], label: &str) -> Markup {
    let (x, y) = (counts(rows), range(rows.iter().map(|row| row.share)));
    let mut plot =
        Plot::new((x, "true count before the round"), (y, "share of rounds"), (signed, percentage));
    for row in rows {
        plot.bar((f64::from(row.true_count), row.share), 0.8, "column");
    }
    plot.drawing.finish_in_full(label)
}

/// The bet at every true count.
pub(super) fn bets(rows: &[&CountRow], bets: &Bets, label: &str) -> Markup {
    let bet = |row: &CountRow| chips(bets.at(row.true_count));
    let (x, y) = (counts(rows), range(rows.iter().map(|row| bet(row))));
    let mut plot = Plot::new((x, "true count before the round"), (y, "bet"), (signed, money));
    for row in rows {
        plot.bar((f64::from(row.true_count), bet(row)), 0.8, "column");
    }
    plot.drawing.finish_in_full(label)
}

/// How trips went: half of them within the dark band, nine of ten within the light one.
pub(super) fn trips(trips: &Trips, hours: f64, label: &str) -> Markup {
    let quantiles = [0.05, 0.25, 0.5, 0.75, 0.95].map(|part| {
        let later = (0..STOPS)
            .map(|stop| (hours * (stop + 1) as f64 / STOPS as f64, trips.quantile(stop, part)));
        [(0.0, 0.0)].into_iter().chain(later).collect::<Vec<_>>()
    });
    let y = range(quantiles.iter().flatten().map(|(_, gain)| *gain));
    let mut plot = Plot::new(((0.0, hours), "hours"), (y, "gain"), (money, money));
    let band = |low: &[(f64, f64)], high: &[(f64, f64)]| -> Vec<(f64, f64)> {
        low.iter().copied().chain(high.iter().rev().copied()).collect()
    };
    plot.curve(&band(&quantiles[0], &quantiles[4]), "band");
    plot.curve(&band(&quantiles[1], &quantiles[3]), "band");
    plot.curve(&quantiles[2], "curve");
    plot.drawing.finish_in_full(label)
}

/// The risk of ruin by the bankroll.
pub(super) fn ruin(prospect: &Prospect, bankroll: f64, label: &str) -> Markup {
    let most = 2.5 * bankroll;
    let points: Vec<_> = (0..=100)
        .map(|part| most * f64::from(part) / 100.0)
        .map(|bankroll| (bankroll, prospect.ruin(bankroll)))
        .collect();
    let axes = (((0.0, most), "bankroll"), ((0.0, 1.0), "risk of ruin"));
    let mut plot = Plot::new(axes.0, axes.1, (money, percentage));
    plot.curve(&points, "curve");
    let at = plot.place(bankroll, prospect.ruin(bankroll));
    plot.drawing.dot(at, "loss");
    plot.drawing.finish_in_full(label)
}

/// What a counter wins in an hour, by how much of the shoe is dealt.
pub(super) fn depths(always: &[(f64, f64)], choosy: &[(f64, f64)], label: &str) -> Markup {
    let all = || always.iter().chain(choosy);
    let first = all().map(|(x, _)| *x).fold(1.0, f64::min);
    let last = all().map(|(x, _)| *x).fold(0.0, f64::max).max(first + 0.01);
    let y = range(all().map(|(_, y)| *y));
    let mut plot = Plot::new(
        ((first, last), "share of the shoe dealt"),
        (y, "gain per hour"),
        (percentage, money),
    );
    for (points, class, dot) in [(choosy, "curve second", "push"), (always, "curve", "gain")] {
        plot.curve(points, class);
        for &(x, y) in points {
            let at = plot.place(x, y);
            plot.drawing.dot(at, if y > 0.0 { dot } else { "loss" });
        }
    }
    plot.drawing.finish_in_full(label)
}

/// A result after every round, and the part of it that was to be expected.
pub(crate) fn results(net: &[(f64, f64)], expected: &[(f64, f64)], label: &str) -> Markup {
    let rounds = net.last().map_or(1.0, |(round, _)| round.max(1.0));
    let y = range(net.iter().chain(expected).map(|(_, gain)| *gain));
    let mut plot = Plot::new(((0.0, rounds), "rounds"), (y, "chips"), (money, money));
    plot.curve(expected, "curve second");
    plot.curve(net, "curve");
    plot.drawing.finish_in_full(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_within_the_range() {
        assert_eq!(round_numbers((-4.6, 4.6), 9.0), [-4.0, -2.0, 0.0, 2.0, 4.0]);
        assert_eq!(round_numbers((0.0, 1.05), 5.0), [0.0, 0.5, 1.0]);
        assert_eq!(round_numbers((0.0, 4000.0), 9.0).len(), 9);
        assert_eq!([signed(0.0), signed(-3.0), signed(2.0)], ["0", "−3", "+2"]);
        assert_eq!(
            [percentage(0.005), percentage(-0.02), percentage(0.0)],
            ["0.5 %", "−2 %", "0 %"]
        );
        assert_eq!(widened((2.0, 4.0)), (0.0, 4.2));
    }
}
