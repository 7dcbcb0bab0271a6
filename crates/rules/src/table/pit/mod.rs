//! What goes wrong at a table, and how it is resolved.
//!
//! Always in the same way: somebody reports, the table freezes, a supervisor orders one of the
//! outcomes that the clause allows, the table carries it out and announces it, and play resumes. A
//! reported card leaves the shoe with the order: a report that is dismissed has changed nothing.

mod cure;
mod irregularity;
mod order;
mod outcome;
mod refusal;
mod report;

use super::{Answer, Events, Input, Table, TableAwaits, TableEvent};
use crate::card::Card;
use crate::notation::{Reading, Words};
use crate::refusal::ensure;
use crate::wager::{Bettor, Bettors};

pub use crate::book::Kind;
pub use irregularity::Irregularity;
pub use order::{Choice, Order};
pub use refusal::PitRefusal;
pub use report::{Report, Reporter};

/// What the table remembers of irregularities. It holds no card that nobody has seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pit {
    pause: Pause,
    /// A card that was drawn in error and seen, until it is taken (G-16).
    exposed: Option<Card>,
    found: ShoeFaults,
    /// Whether the card reader is out of use.
    reader_is_out: bool,
    /// Tied players for whom the supervisor decides (G-06).
    overdue: Bettors,
}

impl Pit {
    /// The report that waits for the supervisor.
    pub(crate) fn reported(&self) -> Option<&Report> {
        match &self.pause {
            Pause::Reported(report) => Some(report),
            _ => None,
        }
    }

    /// What the table waits for before anything else.
    pub(crate) fn awaits(&self) -> Option<TableAwaits> {
        match &self.pause {
            Pause::Nothing => None,
            Pause::Reported(report) => Some(TableAwaits::Supervisor(report.irregularity.kind())),
            Pause::Choice(asked) => Some(TableAwaits::Choice(asked.bettor)),
        }
    }

    /// Whether [`Pit::standing`] has lines.
    pub(crate) fn stands(&self) -> bool {
        let is_free = matches!(self, Pit { pause: Pause::Nothing, exposed: None, .. });
        is_free && self.overdue.is_empty()
    }

    /// What outlasts a round, in lines.
    pub(super) fn standing(&self) -> Vec<String> {
        let Pit { pause: _, exposed: _, found, reader_is_out, overdue: _ } = self;
        let ShoeFaults { shoe, round, face_up, tens } = found;
        let mut lines = vec![format!("pit found {shoe} {round} {face_up} {tens}")];
        lines.extend(reader_is_out.then(|| "pit reader-out".to_owned()));
        lines
    }

    /// Reads the rest of one of those lines; false if it is not one.
    pub(super) fn resume(&mut self, keyword: &str, words: &mut Words<'_>) -> Reading<bool> {
        if keyword != "pit" {
            return Ok(false);
        }
        if words.skip("reader-out") {
            self.reader_is_out = true;
            return Ok(true);
        }
        self.found = ShoeFaults {
            shoe: words.after("found")?,
            round: words.read()?,
            face_up: words.read()?,
            tens: words.read()?,
        };
        Ok(true)
    }

    /// The exposed card that belongs to no hand yet.
    pub(crate) fn lying(&self) -> Option<Card> {
        self.exposed
    }
}

/// Why the table does not go on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Pause {
    /// It does.
    #[default]
    Nothing,
    /// The supervisor decides.
    Reported(Report),
    /// A player chooses.
    Choice(PendingChoice),
}

/// A player's choice about a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PendingChoice {
    bettor: Bettor,
    question: Question,
    seat: u8,
    hand: u8,
}

/// What a player chooses between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    /// The missed card late, or the wagers back (G-17).
    Missed,
    /// The exposed card, or no more cards at all (G-16).
    Exposed,
    /// The wagers on the dealer's hand stay, or come back with the dead hand (G-17).
    Sides,
}

impl Question {
    const fn kind(self) -> Kind {
        match self {
            Question::Missed | Question::Sides => Kind::MissedHit,
            Question::Exposed => Kind::DrawnSeen,
        }
    }

    /// The choices; the last one is taken for a player who gives no answer (G-06).
    const fn choices(self) -> [Choice; 2] {
        match self {
            Question::Missed => [Choice::LateCard, Choice::Refund],
            Question::Exposed => [Choice::Take, Choice::Refuse],
            Question::Sides => [Choice::Refund, Choice::Keep],
        }
    }
}

/// Faulty cards found in one shoe and round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct ShoeFaults {
    shoe: u32,
    round: u32,
    face_up: u8,
    tens: u8,
}

impl Table {
    /// The report for which the table is frozen, until a supervisor decides.
    pub fn reported(&self) -> Option<&Report> {
        self.pit.reported()
    }

    /// Whether the table takes this input while an irregularity is open.
    pub(crate) fn check_frozen(&self, input: &Input) -> Answer {
        let kind = match (&self.pit.pause, input) {
            (Pause::Nothing, _) => return Ok(()),
            // A shared meter keeps moving, and the decision here may move it (CW-R19).
            (_, Input::Sit { .. } | Input::BuyIn { .. } | Input::Meter(_)) => return Ok(()),
            (Pause::Reported(_), Input::Order { .. }) => return Ok(()),
            (Pause::Choice(asked), Input::Choose { bettor, .. } | Input::TimeOut { bettor })
                if asked.bettor == *bettor =>
            {
                return Ok(());
            }
            (Pause::Reported(report), _) => report.irregularity.kind(),
            (Pause::Choice(asked), _) => asked.question.kind(),
        };
        Err(PitRefusal::Frozen { kind }.into())
    }

    /// The card of the report is another one than was reported: whoever deals it has looked.
    pub(crate) fn show_reported(&mut self, card: Option<Card>) -> Answer {
        let Some(card) = card else { return Ok(()) };
        let Pause::Reported(report) = &mut self.pit.pause else {
            return Err(PitRefusal::NothingReported.into());
        };
        let kind = report.irregularity.kind();
        let shown = report.irregularity.showing(card);
        report.irregularity = shown.ok_or(PitRefusal::NotAnOutcome { kind })?;
        Ok(())
    }

    /// Takes a report, and freezes.
    pub(crate) fn report(&mut self, report: &Report, events: &mut Events) -> Answer {
        let kind = report.irregularity.kind();
        match &report.by {
            Reporter::Supervisor(_) => {}
            _ if report.injected => return Err(PitRefusal::InjectedBySupervisor.into()),
            Reporter::System if !kind.shows_itself() => {
                return Err(PitRefusal::NeedsEyes { kind }.into());
            }
            Reporter::Player(bettor) => {
                self.seats.chair_of(*bettor)?;
            }
            Reporter::System | Reporter::Dealer => {}
        }
        self.outcomes_of(report.irregularity)?;
        ensure(!self.is_where_due(report.irregularity), PitRefusal::NothingToReport { kind })?;
        if let Some(source) = kind.source(self.sheet.game()) {
            events.push(TableEvent::Reported { report: report.clone(), source });
        }
        self.pit.pause = Pause::Reported(report.clone());
        Ok(())
    }
}
