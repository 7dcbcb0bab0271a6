//! What is refused around irregularities.

use std::fmt;

use super::Choice;
use crate::book::{Citation, Kind};
use crate::money::Chips;
use crate::refusal::{Parameter, Source, refusals};
use crate::wager::Game;

refusals! {
    /// Why a report, an order, a choice or a correction is refused, or anything else while one is awaited.
    PitRefusal {
        "frozen" Frozen { kind: Kind } "the table is frozen until a supervisor decides about '{kind}'"
        "never-here" NeverHere { kind: Kind } "this game has no '{kind}'"
        "nothing-to-report" NothingToReport { kind: Kind } "'{kind}' cannot have happened at this point"
        "needs-eyes" NeedsEyes { kind: Kind } "'{kind}' must be reported by a person who saw it"
        "injected-by-supervisor" InjectedBySupervisor "only a supervisor can stage an irregularity for training"
        "not-an-outcome" NotAnOutcome { kind: Kind } "the rules do not allow that decision for '{kind}'"
        "nothing-reported" NothingReported "nothing has been reported"
        "other-choice" OtherChoice { kind: Kind, one: Choice, other: Choice } "after '{kind}' the choice is {one} or {other}"
        "not-overdue" NotOverdue "this player has not let a tie time out"
        "reader-works" ReaderWorks "the card reader is in use"
        "reader-broken" ReaderBroken "no round begins until the card reader is repaired"
        "no-such-round" NoSuchRound { rounds: u32 } "a correction must name one of the {rounds} finished rounds"
        "correction-amount" CorrectionAmount { most: Chips } "a correction must be between 0.01 and {most}"
        "correction-accounts" CorrectionAccounts "a correction goes from the house to a rack or a player, from a rack to the house, or from rack to rack"
        "correction-stranger" CorrectionStranger { most: usize } "that player is not among the last {most} who left this table"
        "correction-uncovered" CorrectionUncovered "the rack does not hold that much"
    }
}

impl PitRefusal {
    /// What the refusal rests on: for an irregularity, what the book says about it.
    pub fn citation(self, game: Game) -> Citation {
        let cited = game.book().citation(self.code());
        match self {
            PitRefusal::Frozen { kind }
            | PitRefusal::NothingToReport { kind }
            | PitRefusal::NotAnOutcome { kind }
            | PitRefusal::OtherChoice { kind, .. } => match kind.source(game) {
                Some(source) => cited.decided_by(source),
                None => cited,
            },
            _ => cited,
        }
    }
}
