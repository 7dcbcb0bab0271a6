//! Reads files of transcripts.

use std::fmt::{self, Display, Formatter};

use super::{TableLine, Transcript};
use crate::notation::{Line, Reading, Unreadable, Word, Words, clauses};
use crate::table::Input;

/// What separates rounds in a file.
const SEPARATOR: &str = "---";

/// A line that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: Unreadable,
}

impl Display for ReadError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for ReadError {}

/// Reads a file of rounds, all of it or nothing.
pub fn read(text: &str) -> Result<Vec<Transcript>, Vec<ReadError>> {
    let mut rounds = Vec::new();
    let mut errors = Vec::new();
    for round in read_each(text) {
        match round {
            Ok(round) => rounds.push(round),
            Err(reasons) => errors.extend(reasons),
        }
    }
    if errors.is_empty() { Ok(rounds) } else { Err(errors) }
}

/// Reads each round of a file separately; empty ones are skipped.
pub fn read_each(text: &str) -> Vec<Result<Transcript, Vec<ReadError>>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines: Vec<_> = (1..).zip(text.lines().map(without_comment)).collect();
    lines
        .split(|(_, line)| *line == SEPARATOR)
        .map(|lines| lines.iter().copied().filter(|(_, line)| !line.is_empty()))
        .filter(|lines| lines.clone().next().is_some())
        .map(read_round)
        .collect()
}

fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or_default().trim()
}

fn read_round<'a>(
    lines: impl Iterator<Item = (usize, &'a str)>,
) -> Result<Transcript, Vec<ReadError>> {
    let mut transcript = Transcript::default();
    let mut errors = Vec::new();
    let mut game = GameLine::default();
    let mut last = 0;
    for (number, text) in lines {
        let read = game.admit(text).and_then(|()| transcript.read_line(number, text));
        errors.extend(read.err().map(|reason| ReadError { line: number, reason }));
        last = number;
    }
    if game == GameLine::Awaited {
        errors.push(ReadError { line: last, reason: game_missing() });
    }
    if errors.is_empty() { Ok(transcript) } else { Err(errors) }
}

impl Transcript {
    fn read_line(&mut self, number: usize, text: &str) -> Reading<()> {
        match &mut self.table {
            Some(table) => table.extend(table_lines(text)?.into_iter().map(|line| (number, line))),
            None if text == "table" => {
                self.table = Some(Vec::new());
                if !self.lines().all(sets_up) {
                    let expected = "'table' right after clauses, game and terms";
                    return Err(Unreadable::new(expected, "it later"));
                }
            }
            None => self.lines.push((number, text.parse()?)),
        }
        Ok(())
    }
}

/// Whether a line may stand before `table`.
fn sets_up(line: &Line) -> bool {
    matches!(line, Line::Clause(_) | Line::Game(_) | Line::Terms(_) | Line::Refused(_))
}

fn game_missing() -> Unreadable {
    Unreadable::new("'game NAME' before anything but clauses and comments", "none")
}

/// Whether the game has been named: once, and before anything but clauses.
#[derive(Default, PartialEq, Eq)]
enum GameLine {
    #[default]
    Awaited,
    /// Missing, and reported once.
    Missing,
    Named,
}

impl GameLine {
    fn admit(&mut self, line: &str) -> Reading<()> {
        match (line.split_whitespace().next(), &self) {
            (Some("game"), GameLine::Named) => {
                Err(Unreadable::new("one 'game' line in a round", "two"))
            }
            (Some("game"), _) => {
                *self = GameLine::Named;
                Ok(())
            }
            (Some("clause"), _) | (_, GameLine::Named | GameLine::Missing) => Ok(()),
            _ => {
                *self = GameLine::Missing;
                Err(game_missing())
            }
        }
    }
}

/// The word for a seal that nobody checks, and how many zeros it stands for.
const SEALED: (&str, usize) = ("sealed", 64);
/// How often inputs can be repeated.
const MOST_TIMES: usize = 1000;

/// Reads one expectation of a table, or inputs with `;` between them.
fn table_lines(text: &str) -> Reading<Vec<TableLine>> {
    let text = &spelled_out(text);
    let mut words = Words::new(text);
    let line = match words.word("a keyword")? {
        "clause" | "refused" | "offers" | "total" | "hand" | "net" | "outcome" | "done" => {
            return Ok(vec![TableLine::OfRound(text.parse()?)]);
        }
        "awaits" => {
            let expected = "what the table awaits, such as 'the cut by seat 3'";
            TableLine::Awaits(words.sentence(expected)?)
        }
        "tells" => TableLine::Tells { only: None, event: words.sentence(EVENT)? },
        "whispers" => TableLine::Tells { only: Some(words.seat()?), event: words.sentence(EVENT)? },
        "quiet" => TableLine::Quiet,
        "rack" => TableLine::Rack(words.read()?, words.read()?),
        "meter-shows" => TableLine::MeterShows(words.read()?),
        "note" => TableLine::Notes(clauses(&mut words)?),
        "outcomes" => {
            let outcomes = words.sentence("").unwrap_or_default();
            let outcomes = outcomes.split(',').map(|words| words.trim().to_owned());
            TableLine::Outcomes(outcomes.filter(|words| !words.is_empty()).collect())
        }
        "repeat" => {
            let times = |word: &str| usize::read(word).filter(|n| (1..=MOST_TIMES).contains(n));
            let times = words.next_by(|| format!("a number from 1 to {MOST_TIMES}"), times)?;
            let inputs = inputs(&words.sentence("inputs of the table")?)?;
            return Ok(inputs.iter().cycle().take(times * inputs.len()).cloned().collect());
        }
        _ => return inputs(text),
    };
    words.end().map(|()| vec![line])
}

/// What is expected after `tells`.
const EVENT: &str = "an event of the table, such as 'rack 3 90'";

fn inputs(text: &str) -> Reading<Vec<TableLine>> {
    let input = |text: &str| {
        let mut words = Words::new(text);
        let line = match words.skip("cards") {
            true => TableLine::Cards(words.some()?),
            false => TableLine::Input(Input::read(&mut words)?),
        };
        words.end().map(|()| line)
    };
    text.split(';').map(input).collect()
}

/// The line with its seals spelled out.
fn spelled_out(text: &str) -> String {
    let (word, zeros) = SEALED;
    let seal = "0".repeat(zeros);
    let words = text.split_whitespace().map(|w| if w == word { seal.as_str() } else { w });
    words.collect::<Vec<_>>().join(" ")
}
