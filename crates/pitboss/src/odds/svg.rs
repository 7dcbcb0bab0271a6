//! Charts drawn by hand: how often a wager ends how, what a change costs, and what to do.

use ::odds::value::{Method, Outcome};
use maud::{Markup, PreEscaped, html};
use rules::round::Call;

use super::advice::{Grid, letter};
use super::numbers::{self, percent, share, superscript, units, whole};
use crate::text::grouped;

/// The room of a letter, on average.
const LETTER: f64 = 6.8;
/// The height of a row.
const ROW: f64 = 22.0;
/// The height of a letter above its line.
const MIDDLE: f64 = 15.0;

/// A drawing that grows downwards.
pub(crate) struct Drawing {
    width: f64,
    height: f64,
    body: String,
}

impl Drawing {
    pub(crate) fn new(width: f64, height: f64) -> Drawing {
        Drawing { width, height, body: String::new() }
    }

    pub(crate) fn add(&mut self, element: Markup) {
        self.body.push_str(&element.into_string());
    }

    pub(crate) fn text(&mut self, (x, y): (f64, f64), class: &str, words: &str) {
        self.add(html! { text x=(tenth(x)) y=(tenth(y)) class=(class) { (words) } });
    }

    pub(crate) fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), class: &str) {
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(tenth);
        self.add(html! { line x1=(x1) y1=(y1) x2=(x2) y2=(y2) class=(class) {} });
    }

    /// A line through points, or the area within it.
    pub(crate) fn path(&mut self, points: &[(f64, f64)], class: &str) {
        let places: Vec<_> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        self.add(html! { polyline points=(places.join(" ")) class=(class) {} });
    }

    pub(crate) fn dot(&mut self, (x, y): (f64, f64), class: &str) {
        self.add(html! { circle cx=(tenth(x)) cy=(tenth(y)) r="5" class=(class) {} });
    }

    pub(crate) fn bar(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), class: &str) {
        let [x, y, width, height] = [x, y, width.max(0.8), height].map(tenth);
        self.add(html! {
            rect x=(x) y=(y) width=(width) height=(height) rx="2" class=(class) {}
        });
    }

    /// The finished picture, with words for whoever cannot see it.
    pub(crate) fn finish(self, label: &str) -> Markup {
        self.framed(label, None)
    }

    /// The same, never smaller than its letters need: a phone scrolls it sideways, and sees the
    /// words and numbers on the left first.
    pub(crate) fn finish_in_full(self, label: &str) -> Markup {
        let style = format!("width:{:.0}px", self.width);
        self.framed(label, Some(style))
    }

    fn framed(self, label: &str, style: Option<String>) -> Markup {
        let Drawing { width, height, body } = self;
        let view = format!("0 0 {width:.0} {height:.0}");
        html! {
            svg viewBox=(view) style=[style] role="img" aria-label=(label) { (PreEscaped(body)) }
        }
    }
}

/// A length in the drawing.
fn tenth(length: f64) -> String {
    format!("{length:.1}")
}

/// The room of the longest word.
#[allow(clippy::cast_precision_loss)]
fn room<'a>(words: impl Iterator<Item = &'a str>) -> f64 {
    words.map(|word| word.chars().count()).max().unwrap_or(0) as f64 * LETTER
}

pub(crate) fn outcomes(outcomes: &[Outcome]) -> Markup {
    const NET: f64 = 78.0;
    const SHARE: f64 = 92.0;
    const STEM: f64 = 240.0;
    /// The room of a label below.
    const LABEL: f64 = 84.0;
    let shown: Vec<_> = outcomes.iter().filter(|outcome| outcome.probability > 0.0).collect();
    let rarest = shown.iter().map(|outcome| outcome.probability.log10()).fold(-1.0, f64::min);
    let decades = rarest.floor().clamp(-14.0, -1.0);
    let names = room(shown.iter().map(|outcome| outcome.name.as_str()));
    let (nets, shares) = (names + NET, names + NET + SHARE);
    let (left, right) = (shares + 16.0, shares + 16.0 + STEM);
    let place = |log: f64| right - STEM * (log / decades);
    let bottom = rows(shown.len()) + 6.0;
    let ways: Vec<String> = shown
        .iter()
        .map(|outcome| outcome.combinations.as_ref().map(numbers::ways).unwrap_or_default())
        .collect();
    let width = right + 24.0 + room(ways.iter().map(String::as_str));
    let mut drawing = Drawing::new(width, bottom + 22.0);
    let every = (LABEL / (place(0.0) - place(-1.0))).ceil().max(1.0);
    let mut decade = 0.0;
    while decade >= decades {
        let x = place(decade);
        drawing.line((x, 0.0), (x, bottom), "rule");
        if decade % every == 0.0 {
            drawing.text((x, bottom + 16.0), "tick middle", &one_in(decade));
        }
        decade -= 1.0;
    }
    for (i, outcome) in shown.iter().enumerate() {
        let y = rows(i);
        let x = place(outcome.probability.log10());
        let class = class(outcome.net);
        drawing.text((names, y + MIDDLE), "name end", &outcome.name);
        drawing.text((nets, y + MIDDLE), &format!("net end {class}"), &units(outcome.net));
        let mark = if outcome.method == Method::Simulated { "≈" } else { "" };
        let share = format!("{mark}{}", share(outcome.probability));
        drawing.text((shares, y + MIDDLE), "tick end", &share);
        drawing.line((left, y + ROW / 2.0), (x, y + ROW / 2.0), &format!("stem {class}"));
        drawing.dot((x, y + ROW / 2.0), class);
        drawing.text((width, y + MIDDLE), "tick end", &ways[i]);
    }
    drawing.finish_in_full("How often the wager ends in each way")
}

/// A share as one of so many.
fn one_in(log: f64) -> String {
    match -log {
        zeros if zeros < 1.0 => "always".to_owned(),
        zeros if zeros < 7.0 => grouped(&format!("1 in 1{}", "0".repeat(whole(zeros)))),
        zeros => format!("10⁻{}", superscript(whole(zeros))),
    }
}

fn class(net: f64) -> &'static str {
    match net {
        net if net > 0.0 => "gain",
        net if net < 0.0 => "loss",
        _ => "push",
    }
}

#[allow(clippy::cast_precision_loss)]
fn rows(count: usize) -> f64 {
    count as f64 * ROW
}

/// Changes to both sides of nothing: what is better for the player on the right.
pub(crate) fn changes(changes: &[(String, f64)], label: &str) -> Markup {
    const CHANGE: f64 = 88.0;
    const HALF: f64 = 140.0;
    let names = room(changes.iter().map(|(name, _)| name.as_str()));
    let zero = names + CHANGE + 16.0 + HALF;
    let largest = changes.iter().map(|(_, change)| change.abs()).fold(1e-12, f64::max);
    let bottom = rows(changes.len()) + 4.0;
    let mut drawing = Drawing::new(zero + HALF + 4.0, bottom);
    for (i, (name, change)) in changes.iter().enumerate() {
        let y = rows(i);
        let length = HALF * change.abs() / largest;
        let x = if *change < 0.0 { zero - length } else { zero };
        drawing.text((names, y + MIDDLE), "name end", name);
        drawing.text((names + CHANGE, y + MIDDLE), "tick end", &percent(*change));
        drawing.bar((x, y + 4.0), (length, ROW - 8.0), class(*change));
    }
    drawing.line((zero, 0.0), (zero, bottom), "axis");
    drawing.finish_in_full(label)
}

/// What to do, by hand and up card.
pub(crate) fn grid(grid: &Grid) -> Markup {
    const HANDS: f64 = 50.0;
    const CELL: f64 = 32.0;
    const TOP: f64 = 26.0;
    let width = HANDS + widths(grid.columns.len(), CELL) + 4.0;
    let mut drawing = Drawing::new(width, TOP + rows(grid.rows.len()) + 4.0);
    for (column, up) in grid.columns.iter().enumerate() {
        let x = HANDS + widths(column, CELL) + CELL / 2.0;
        drawing.text((x, 18.0), "head middle", up);
    }
    for (row, (hand, cells)) in grid.rows.iter().enumerate() {
        let y = TOP + rows(row);
        drawing.text((HANDS - 10.0, y + MIDDLE), "head end", hand);
        for (column, cell) in cells.iter().enumerate() {
            let x = HANDS + widths(column, CELL);
            drawing.bar((x + 1.0, y + 1.0), (CELL - 2.0, ROW - 2.0), call_class(cell.call));
            let middle = (x + CELL / 2.0, y + MIDDLE);
            drawing.text(middle, "cell middle", &cell.letters());
        }
    }
    drawing.finish(&grid.title)
}

#[allow(clippy::cast_precision_loss)]
fn widths(count: usize, one: f64) -> f64 {
    count as f64 * one
}

/// The name of a call's colour in the page.
pub(crate) fn call_class(call: Call) -> &'static str {
    match call {
        Call::Hit => "hit",
        Call::Stand | Call::Pass => "stand",
        Call::Double | Call::War | Call::Attack => "double",
        Call::Split | Call::EvenMoney => "split",
        Call::Surrender | Call::Insure => "surrender",
    }
}

/// A call as a coloured field among words.
pub(crate) fn chip(call: Call, words: &str) -> Markup {
    html! { span class={ "chip " (call_class(call)) } { (letter(call)) } " " (words) }
}
