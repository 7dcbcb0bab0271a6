//! `pitboss odds GAME --at`: what every open act of a position is worth.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use ::odds::position::Position;
use ::odds::simulate::terms;
use ::odds::value::{ActValue, Certainty, Cost, Method, amount_of};
use rules::card::Card;
use rules::money::Cents;
use rules::notation::Word;
use rules::round::Act;
use rules::terms::TermSheet;
use rules::transcript::{Transcript, play_up_to, read_each};
use rules::wager::{Bettor, Game};
use serde_json::{Value, json};

use crate::halt::unreadable;
use crate::screen::Screen;
use crate::text::{Ink, Text, grouped};
use crate::version;

/// What a bound means.
const BOUND: &str = "At least: hands of a split pair are played without looking at each other's \
    cards, and chips that may run out are set aside for each hand in advance. Other play could gain \
    more (docs/coach.md).";

/// What is said where a bound leaves open which act is the best.
const UNCERTAIN: &str = "Which of them is best is not certain.";

/// A position, and every open act with its value, the best one first.
pub(crate) struct Answer {
    position: Position,
    /// As it was written, or where it stands.
    words: String,
    values: Vec<ActValue>,
}

impl Answer {
    /// The acts of a position, which is in words or stands in the file of a transcript.
    pub(crate) fn new(
        sheet: &TermSheet,
        words: &str,
        seen: &[Card],
        seat: Option<&str>,
    ) -> Result<Answer, String> {
        let position = match file_and_line(words) {
            Some((file, line)) => in_transcript(sheet, file, line, (seen, seat))?,
            None if seat.is_some() => {
                return Err("--seat is for a transcript; in words there is one player".to_owned());
            }
            None => {
                let cards: Vec<String> = seen.iter().map(ToString::to_string).collect();
                let words = match cards.is_empty() {
                    true => words.to_owned(),
                    false => format!("{words}; seen {}", cards.join(" ")),
                };
                Position::read(sheet, &words).map_err(|refusal| refusal.to_string())?
            }
        };
        let mut values = position.values().map_err(|refusal| refusal.to_string())?;
        if values.is_empty() {
            return Err(format!(
                "seat {} follows another bettor's decisions, so there is nothing to value",
                position.bettor()
            ));
        }
        values.sort_by(|one, other| other.gain.total_cmp(&one.gain));
        Ok(Answer { position, words: words.to_owned(), values })
    }

    fn game(&self) -> Game {
        self.position.sheet().game()
    }

    /// Whether the first act is certainly the best.
    fn is_certain(&self) -> bool {
        Cost::of(&self.values, 0).certainty() == Certainty::Exact
    }

    /// What goes with an act.
    fn amount(&self, act: Act) -> Option<Cents> {
        amount_of(self.position.round(), self.position.bettor(), act)
    }

    /// The acts as a table.
    pub(crate) fn show(&self, screen: &mut Screen<impl Write>) -> io::Result<()> {
        screen.line(&Text::new().with(Ink::Bold, self.game().title()))?;
        let unseen = self.position.unseen().total();
        screen.say(&format!("{}; {unseen} cards unseen.", self.words))?;
        screen.blank()?;
        let act = |value: &ActValue| match self.amount(value.act) {
            Some(amount) => format!("{} {amount}", value.act.call().name()),
            None => value.act.call().name().to_owned(),
        };
        let acts: Vec<String> = self.values.iter().map(act).collect();
        let width = acts.iter().map(|act| act.chars().count()).max().unwrap_or(0).max(3);
        let head = format!("  {:<width$}  {:>10}  {:>10}  how sure", "act", "value", "costs");
        screen.line(&Text::new().with(Ink::Faint, head))?;
        for (place, (value, act)) in self.values.iter().zip(&acts).enumerate() {
            let cost = Cost::of(&self.values, place);
            let sign = match cost.certainty() {
                Certainty::Exact => "",
                Certainty::AtLeast => "≥ ",
                Certainty::AtMost => "≤ ",
                Certainty::About => "≈ ",
            };
            let cost = match cost.shown {
                shown if shown < LEAST_COST && place == 0 && self.is_certain() => "–".to_owned(),
                shown => format!("{sign}{}", grouped(&format!("{:.4}", shown / 100.0))),
            };
            let is_best = place == 0 && self.is_certain();
            let (mark, ink) = if is_best { ("▸", Ink::Bold) } else { (" ", Ink::Plain) };
            let gain = chips(value.gain);
            let sure = if value.method == Method::Bound { "at least" } else { value.method.name() };
            let line = format!("{mark} {act:<width$}  {gain:>10}  {cost:>10}  {sure}");
            screen.line(&Text::new().with(ink, line))?;
        }
        if self.values.iter().any(|value| value.method == Method::Bound) {
            screen.blank()?;
            screen.say(BOUND)?;
            if !self.is_certain() {
                screen.say(UNCERTAIN)?;
            }
            if let Some(words) = self.with_enough_chips() {
                screen.say(&words)?;
            }
        }
        Ok(())
    }

    /// What acts are worth at most with chips for everything, still without looking at sibling hands:
    /// no limit of what can be gained. None where that is no more than the values.
    fn with_enough_chips(&self) -> Option<String> {
        let most = |value: &ActValue| {
            let most = chips(value.at_most?);
            Some(format!("{} no more than {most}", value.act.call().name()))
        };
        let each: Vec<String> = self.values.iter().filter_map(most).collect();
        (!each.is_empty()).then(|| {
            let each = each.join(", ");
            format!(
                "If the rack covered everything, still without looking: {each}. Looking could gain \
                 more."
            )
        })
    }

    /// The same for programs.
    pub(crate) fn json(&self) -> Value {
        let in_chips = |cents: f64| cents / 100.0;
        let act = |(place, value): (usize, &ActValue)| {
            let cost = Cost::of(&self.values, place);
            let exact = value.gain_exact.as_ref().and_then(|gain| gain.printable());
            json!({
                "act": value.act.call().name(),
                "amount": self.amount(value.act).map(|amount| amount.to_string()),
                "gain": in_chips(value.gain),
                "gain_exact_cents": exact.map(ToString::to_string),
                "cost": in_chips(cost.shown),
                "cost_method": cost.certainty().name(),
                "method": value.method.name(),
                "at_most": value.at_most.map(in_chips),
                "win": value.prospects.map(|prospects| prospects.win),
                "push": value.prospects.map(|prospects| prospects.push),
                "lose": value.prospects.map(|prospects| prospects.lose),
            })
        };
        json!({
            "program": version::PROGRAM,
            "rules": version::rules(),
            "game": self.game().name(),
            "terms": terms(self.position.sheet()),
            "at": self.words,
            "bettor": self.position.bettor().to_string(),
            "unseen": self.position.unseen().total(),
            "acts": self.values.iter().enumerate().map(act).collect::<Vec<_>>(),
        })
    }
}

/// Smaller costs are those of rounding, in cents.
const LEAST_COST: f64 = 1e-9;

/// A gain in chips, with its sign.
fn chips(cents: f64) -> String {
    grouped(&format!("{:+.4}", cents / 100.0))
}

/// The file of a transcript and perhaps a line of it, as in `war.round:4`.
fn file_and_line(words: &str) -> Option<(&Path, Option<usize>)> {
    let with_line =
        words.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
    let (file, line) = with_line.map_or((words, None), |(file, line)| (file, Some(line)));
    let is_file =
        words.ends_with(".round") || file.ends_with(".round") || Path::new(file).is_file();
    is_file.then(|| (Path::new(file), line))
}

fn in_transcript(
    sheet: &TermSheet,
    file: &Path,
    line: Option<usize>,
    (seen, seat): (&[Card], Option<&str>),
) -> Result<Position, String> {
    let text = fs::read_to_string(file).map_err(|error| unreadable(file, &error))?;
    let lines = text.lines().count();
    if let Some(line) = line.filter(|line| *line > lines) {
        return Err(format!("{} has only {lines} lines, so no line {line}", file.display()));
    }
    let at = |line: usize, why: &dyn std::fmt::Display| format!("{}:{line}: {why}", file.display());
    let rounds: Result<Vec<Transcript>, _> = read_each(&text).into_iter().collect();
    let rounds = rounds.map_err(|errors| match errors.first() {
        Some(error) => at(error.line, &error.reason),
        None => format!("{}: it has no round", file.display()),
    })?;
    let begins_before = |round: &&Transcript| {
        line.is_none_or(|line| round.first_line().is_some_and(|first| first <= line))
    };
    let round = rounds.iter().rfind(begins_before);
    let round = round.ok_or_else(|| format!("{}: it has no round there", file.display()))?;
    if round.is_of_table() {
        return Err(format!("{}: it is about a whole table, not a round", file.display()));
    }
    if sheet.chosen().next().is_some() {
        return Err("--set is not for a transcript, which has its own house options".to_owned());
    }
    let game = round.game().unwrap_or(sheet.game());
    if game != sheet.game() {
        return Err(format!("{} is a round of {game}, not of {}", file.display(), sheet.game()));
    }
    let bettor = seat.map(|word| {
        <Bettor as Word>::read(word).ok_or_else(|| {
            format!("expected --seat as a seat such as 3 or 3b, found '{}'", word.escape_debug())
        })
    });
    let played = play_up_to(round, line).map_err(|finding| at(finding.line, &finding))?;
    Position::in_round(played, bettor.transpose()?, seen)
        .map_err(|refusal| format!("{}: {refusal}", file.display()))
}
