//! Transcripts: a round of any game, or a whole day at a table, as text that can be played again.
//!
//! ```
//! use rules::transcript::{check, read};
//!
//! let rounds = read("game casino-war\nwager 1 main 10\ncards 9d 4s\nnet 1 +10\ndone\n").unwrap();
//! assert!(check(&rounds[0]).passed());
//! assert_eq!(rounds[0].to_string().lines().nth(2), Some("cards 9d 4s"));
//! ```

mod at_table;
mod check;
mod read;
mod writer;

use std::fmt::{self, Display, Formatter};

use crate::card::Card;
use crate::money::Cents;
use crate::notation::{Line, Or};
use crate::table::Input;
use crate::wager::{Bettor, Game};

pub use check::{CheckReport, Finding, RoundInPlay, check, play_up_to};
pub use read::{ReadError, read, read_each};
pub use writer::Writer;

/// The lines of a round with their numbers in the file, and those of a table if it is about one.
///
/// Printing it leaves comments and blank lines out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    lines: Vec<(usize, Line)>,
    table: Option<Vec<(usize, TableLine)>>,
}

impl Transcript {
    /// The lines about a round, or those that set a table up.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().map(|(_, line)| line)
    }

    /// The same lines with their numbers in the file.
    pub fn numbered(&self) -> impl Iterator<Item = (usize, &Line)> {
        self.lines.iter().map(|(number, line)| (*number, line))
    }

    /// The number of its first line in the file.
    pub fn first_line(&self) -> Option<usize> {
        self.lines.first().map(|(number, _)| *number)
    }

    /// The game that it names.
    pub fn game(&self) -> Option<Game> {
        self.lines().find_map(|line| match line {
            Line::Game(game) => Some(*game),
            _ => None,
        })
    }

    /// Whether it is about a whole table.
    pub fn is_of_table(&self) -> bool {
        self.table.is_some()
    }

    /// The inputs of its table in their order, without those that it expects to be refused.
    pub fn table_inputs(&self) -> Vec<Input> {
        let lines = self.table.as_deref().unwrap_or_default();
        let next = lines.iter().skip(1).map(|(_, line)| Some(line)).chain([None]);
        let is_refused = |next| matches!(next, Some(&TableLine::OfRound(Line::Refused(_))));
        let accepted = lines.iter().zip(next).filter(|(_, next)| !is_refused(*next));
        accepted.flat_map(|((_, line), _)| line.inputs()).collect()
    }
}

/// Numbers the lines as they will be printed.
impl FromIterator<Line> for Transcript {
    fn from_iter<I: IntoIterator<Item = Line>>(lines: I) -> Transcript {
        Transcript { lines: (1..).zip(lines).collect(), table: None }
    }
}

impl Display for Transcript {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.lines().try_for_each(|line| writeln!(f, "{line}"))?;
        let Some(table) = &self.table else { return Ok(()) };
        writeln!(f, "table")?;
        table.iter().try_for_each(|(_, line)| writeln!(f, "{line}"))
    }
}

/// One line about a table: what goes in, or what is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
enum TableLine {
    Input(Input),
    /// Cards that leave the shoe, all of them or none.
    Cards(Vec<Option<Card>>),
    /// Something that is written as in a round.
    OfRound(Line),
    /// What the table waits for, in words.
    Awaits(String),
    /// An event that the input before led to; only this box sees it, or everyone.
    Tells {
        only: Option<u8>,
        event: String,
    },
    /// The input before led to nothing more.
    Quiet,
    /// The chips in front of a bettor.
    Rack(Bettor, Cents),
    /// What the progressive meter shows.
    MeterShows(Cents),
    /// Everything that a supervisor may decide.
    Outcomes(Vec<String>),
    /// Clauses that tell the dealer what to do now.
    Notes(Vec<String>),
}

impl TableLine {
    /// What goes in by this line.
    fn inputs(&self) -> Vec<Input> {
        match self {
            TableLine::Input(input) => vec![input.clone()],
            TableLine::Cards(cards) => cards.iter().copied().map(Input::Card).collect(),
            _ => Vec::new(),
        }
    }
}

impl Display for TableLine {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            TableLine::Input(input) => input.fmt(f),
            TableLine::Cards(cards) => {
                f.write_str("cards")?;
                cards.iter().try_for_each(|card| write!(f, " {}", Or(*card, "??")))
            }
            TableLine::OfRound(line) => line.fmt(f),
            TableLine::Awaits(words) => write!(f, "awaits {words}"),
            TableLine::Tells { only: None, event } => write!(f, "tells {event}"),
            TableLine::Tells { only: Some(seat), event } => {
                write!(f, "whispers {} {event}", seat + 1)
            }
            TableLine::Quiet => f.write_str("quiet"),
            TableLine::Rack(bettor, amount) => write!(f, "rack {bettor} {amount}"),
            TableLine::MeterShows(amount) => write!(f, "meter-shows {amount}"),
            TableLine::Outcomes(outcomes) => {
                write!(f, "{}", format!("outcomes {}", outcomes.join(", ")).trim_end())
            }
            TableLine::Notes(clauses) => write!(f, "note {}", clauses.join(" ")),
        }
    }
}
