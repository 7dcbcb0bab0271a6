//! Who reports what.

use std::fmt::{self, Display, Formatter};

use super::irregularity::Irregularity;
use crate::notation::{Reading, Words, one_of};
use crate::table::account::Name;
use crate::wager::Bettor;

/// Who reports that something went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reporter {
    /// A check of the system: `system`.
    System,
    /// The dealer: `dealer`.
    Dealer,
    /// Someone at the table: `player 3`.
    Player(Bettor),
    /// A supervisor: `supervisor eve`.
    Supervisor(Name),
}

impl Reporter {
    fn read(words: &mut Words<'_>) -> Reading<Reporter> {
        const REPORTERS: [&str; 4] = ["system", "dealer", "player", "supervisor"];
        let known = |word| REPORTERS.contains(&word).then_some(word);
        Ok(match words.next_by(|| one_of("a reporter", REPORTERS), known)? {
            "system" => Reporter::System,
            "dealer" => Reporter::Dealer,
            "player" => Reporter::Player(words.bettor()?),
            _ => Reporter::Supervisor(words.read()?),
        })
    }
}

impl Display for Reporter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Reporter::System => f.write_str("system"),
            Reporter::Dealer => f.write_str("dealer"),
            Reporter::Player(bettor) => write!(f, "player {bettor}"),
            Reporter::Supervisor(name) => write!(f, "supervisor {name}"),
        }
    }
}

/// A report that something went wrong: `face-up 9d by dealer`.
///
/// The order that follows confirms it, or dismisses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What.
    pub irregularity: Irregularity,
    /// Who says so.
    pub by: Reporter,
    /// Whether a supervisor staged it for training: `injected`.
    pub injected: bool,
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} by {}", self.irregularity, self.by)?;
        f.write_str(if self.injected { " injected" } else { "" })
    }
}

impl Report {
    /// Reads the words after `report`.
    pub(crate) fn read(words: &mut Words<'_>) -> Reading<Report> {
        let irregularity = Irregularity::read(words)?;
        words.exactly("by")?;
        Ok(Report { irregularity, by: Reporter::read(words)?, injected: words.skip("injected") })
    }
}
