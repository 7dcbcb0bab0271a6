//! The coach beside the table: what every open act is worth, and what a choice cost.

use ::odds::from_here;
use ::odds::review::{Decision, Grade, judge};
use ::odds::unseen::Unseen;
use ::odds::value::{ActValue, Method};
use rules::games::AnyRound;
use rules::money::Cents;
use rules::round::{Act, Event};
use rules::terms::TermSheet;
use rules::wager::Bettor;

use crate::text::{Ink, Text, grouped};

/// The columns of the longest bar.
const BAR: f64 = 20.0;

/// What the player has seen, and how the decisions were.
#[derive(Default)]
pub(crate) struct Coach {
    /// What the player had not seen before this round; none of a full shoe.
    unseen: Option<Unseen>,
    decisions: Vec<Decision>,
}

impl Coach {
    /// All cards are in the shoe again.
    pub(super) fn forget(&mut self) {
        self.unseen = None;
    }

    /// What the player has not seen after these events.
    fn unseen(&self, sheet: &TermSheet, events: &[Event], seat: usize) -> Option<Unseen> {
        let before = self.unseen.unwrap_or_else(|| Unseen::full(sheet));
        before.after(events, seat).ok()
    }

    /// The open acts as bars, and a sentence why; nothing where there is nothing to choose.
    pub(super) fn advice(
        &self,
        sheet: &TermSheet,
        round: &AnyRound,
        bettor: Bettor,
        events: &[Event],
    ) -> Vec<Text> {
        let unseen = self.unseen(sheet, events, bettor.seat());
        let values = unseen.and_then(|unseen| from_here(sheet, round, bettor, &unseen).ok());
        let mut values = values.unwrap_or_default();
        values.sort_by(|one, other| other.gain.total_cmp(&one.gain));
        let [best, next, ..] = &values[..] else { return Vec::new() };
        let worst = values.last().map_or(0.0, |value| value.gain);
        let names: Vec<String> = values.iter().map(|value| written(value.act)).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let bar = |value: &ActValue| {
            let part = match best.gain > worst {
                true => (value.gain - worst) / (best.gain - worst),
                false => 1.0,
            };
            "█".repeat(1 + columns(part * (BAR - 1.0)))
        };
        let lines = values.iter().zip(&names).enumerate().map(|(place, (value, name))| {
            let (mark, ink) = if place == 0 { ("▸", Ink::Bold) } else { (" ", Ink::Plain) };
            let about = if value.method == Method::Bound { " or a little more" } else { "" };
            let (bar, gain) = (bar(value), chips(value.gain));
            let line = format!("{mark} {name:<width$}  {bar:<20}  {gain:>8}{about}");
            Text::new().with(ink, line)
        });
        let why = match best.gain - next.gain {
            less if less < LEAST => format!("{} and {} are worth the same.", names[0], names[1]),
            less => format!(
                "{} is best: on average it {}, {} more than {}.",
                names[0],
                in_words(best.gain),
                chips(less).trim_start_matches('+'),
                names[1]
            ),
        };
        [Text::plain("Coach:")].into_iter().chain(lines).chain([Text::plain(why)]).collect()
    }

    /// Judges a decision: what it cost, in a sentence.
    pub(super) fn judge(
        &mut self,
        sheet: &TermSheet,
        (round, bettor, main): (&AnyRound, Bettor, Cents),
        act: Act,
        events: &[Event],
    ) -> Option<String> {
        let unseen = self.unseen(sheet, events, bettor.seat())?;
        let judgement = judge(sheet, round, bettor, act, &unseen).ok()??;
        let number = u32::try_from(self.decisions.len()).unwrap_or(u32::MAX);
        let main = cents(main);
        let decision = Decision { round: number, bettor, judgement, main };
        let sentence = match decision.grade() {
            Grade::Best => "Coach: that is the best.".to_owned(),
            grade => format!(
                "Coach: {} costs {} on average, compared with {} ({}).",
                written(act),
                chips(decision.cost()).trim_start_matches('+'),
                written(decision.best().act),
                grade.name()
            ),
        };
        self.decisions.push(decision);
        Some(sentence)
    }

    /// A round is over: the player remembers its cards.
    pub(super) fn remember(&mut self, sheet: &TermSheet, events: &[Event], seat: usize) {
        self.unseen = self.unseen(sheet, events, seat);
    }

    /// How the decisions were, in a sentence.
    pub(super) fn farewell(&self) -> Option<String> {
        let best = self.decisions.iter().filter(|one| one.grade() == Grade::Best).count();
        let cost: f64 = self.decisions.iter().map(Decision::cost).sum();
        let cost = chips(cost);
        let cost = cost.trim_start_matches('+');
        match self.decisions.len() {
            0 => None,
            1 if best == 1 => Some("Coach: your one decision was the best.".to_owned()),
            all if best == all => Some(format!("Coach: all {all} decisions were the best.")),
            all => Some(format!(
                "Coach: {best} of {all} decisions were the best; the others cost {cost} on average."
            )),
        }
    }
}

/// Smaller differences are those of rounding, in cents.
const LEAST: f64 = 1e-9;

/// A gain in chips, with its sign.
fn chips(cents: f64) -> String {
    grouped(&format!("{:+.2}", cents / 100.0))
}

/// What an act does on average.
fn in_words(gain: f64) -> String {
    let amount = grouped(&format!("{:.2}", gain.abs() / 100.0));
    format!("{} {amount}", if gain < 0.0 { "loses" } else { "wins" })
}

fn written(act: Act) -> String {
    match act {
        Act::With(call, amount) => format!("{} {amount}", call.name()),
        _ => act.call().name().to_owned(),
    }
}

#[allow(clippy::cast_precision_loss)]
fn cents(amount: Cents) -> f64 {
    amount.get() as f64
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn columns(number: f64) -> usize {
    number.round().clamp(0.0, BAR) as usize
}
