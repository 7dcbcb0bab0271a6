//! What is refused around irregularities.

use std::fmt;

use super::Choice;
use super::kind::Kind;
use crate::money::Chips;
use crate::refusal::Source::{self, Clause, HouseLimit, Ruling};
use crate::wager::Game;

/// Why a report, an order, a choice or a correction is refused, or all else while they are awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub enum PitRefusal {
    /// Something is to be put right first.
    Frozen { kind: Kind },
    /// The book of the game knows nothing of the kind.
    NeverHere { kind: Kind },
    /// It cannot have happened as things stand.
    NothingToReport { kind: Kind },
    /// No check of the system sees it.
    NeedsEyes { kind: Kind },
    /// Only a supervisor brings something about for training.
    InjectedBySupervisor,
    /// The clause does not allow that outcome.
    NotAnOutcome { kind: Kind },
    /// Nothing was reported that the order could end.
    NothingReported,
    /// The player is asked something else.
    OtherChoice {
        kind: Kind,
        /// Between what the choice is.
        choices: [Choice; 2],
    },
    /// The player has not been left to the supervisor.
    NotOverdue,
    /// The card reader is not out of use.
    ReaderWorks,
    /// The card reader is out of use, and no round begins without it.
    ReaderBroken,
    /// No such round has been played.
    NoSuchRound { rounds: u32 },
    /// A correction moves something, and not everything.
    CorrectionAmount { most: Chips },
    /// A correction goes between the house and a rack or a player who has left, or between racks.
    CorrectionAccounts,
    /// That player has not left this table, or long ago.
    CorrectionStranger {
        /// How many people who left are remembered.
        most: usize,
    },
    /// The rack does not hold so much that is not placed.
    CorrectionUncovered,
}

impl PitRefusal {
    /// What a supervisor would point to.
    pub const fn source(self, game: Game) -> Source {
        match self {
            PitRefusal::Frozen { kind }
            | PitRefusal::NothingToReport { kind }
            | PitRefusal::NotAnOutcome { kind }
            | PitRefusal::OtherChoice { kind, .. } => match kind.source(game) {
                Some(source) => source,
                None => Ruling("G-28"),
            },
            // What no clause covers is for the record to settle.
            PitRefusal::NeverHere { .. } => Ruling("G-28"),
            PitRefusal::NeedsEyes { .. }
            | PitRefusal::InjectedBySupervisor
            | PitRefusal::NothingReported => Ruling("G-09"),
            PitRefusal::NotOverdue => HouseLimit("tie_timeout"),
            PitRefusal::ReaderWorks | PitRefusal::ReaderBroken => match game {
                Game::FreeBet => Clause("FBB-11-k"),
                Game::DoubleAttack => Clause("DAB-15-n"),
                Game::DoubleDeck => Ruling("DDB-R18"),
                Game::CasinoWar | Game::DoubleDownStud => Ruling("G-28"),
            },
            PitRefusal::NoSuchRound { .. }
            | PitRefusal::CorrectionAmount { .. }
            | PitRefusal::CorrectionAccounts
            | PitRefusal::CorrectionStranger { .. }
            | PitRefusal::CorrectionUncovered => Ruling("G-28"),
        }
    }
}

impl fmt::Display for PitRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PitRefusal::Frozen { kind } => {
                write!(f, "the table stands still until what was reported is decided: {kind}")
            }
            PitRefusal::NeverHere { kind } => {
                write!(f, "the book of this game knows no '{kind}'")
            }
            PitRefusal::NothingToReport { kind } => {
                write!(f, "as things stand there is no '{kind}' to report")
            }
            PitRefusal::NeedsEyes { kind } => {
                write!(f, "'{kind}' is reported by somebody who has seen it")
            }
            PitRefusal::InjectedBySupervisor => {
                f.write_str("only a supervisor brings an irregularity about for training")
            }
            PitRefusal::NotAnOutcome { kind } => {
                write!(f, "that is no outcome of '{kind}' here")
            }
            PitRefusal::NothingReported => f.write_str("nothing has been reported"),
            PitRefusal::OtherChoice { choices: [one, other], .. } => {
                write!(f, "the choice is between {one} and {other}")
            }
            PitRefusal::NotOverdue => {
                f.write_str("a supervisor decides once a tied player has let the time run out")
            }
            PitRefusal::ReaderWorks => f.write_str("the card reader is not out of use"),
            PitRefusal::ReaderBroken => {
                f.write_str("no round begins before the card reader is repaired")
            }
            PitRefusal::NoSuchRound { rounds } => {
                write!(f, "a correction cites one of the {rounds} rounds that are over")
            }
            PitRefusal::CorrectionAmount { most } => {
                write!(f, "a correction moves more than nothing and at most {most}")
            }
            PitRefusal::CorrectionAccounts => f.write_str(
                "a correction goes from the house to a rack or a player, from a rack to the \
                 house, or from rack to rack",
            ),
            PitRefusal::CorrectionStranger { most } => {
                write!(f, "that player is not among the last {most} who left this table")
            }
            PitRefusal::CorrectionUncovered => {
                f.write_str("the rack does not hold that much besides what is placed")
            }
        }
    }
}
