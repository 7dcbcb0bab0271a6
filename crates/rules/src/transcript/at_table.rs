//! Plays transcripts of a whole table and checks what they expect.

use std::slice;

use super::TableLine;
use super::check::{Finding, RoundSoFar, balanced, same};
use crate::games::AnyRound;
use crate::money::Cents;
use crate::notation::{AwaitedStep, Line};
use crate::round::{Audience, Awaits, Record, Statement};
use crate::table::{Input, Table, TableAwaits, TableEvent, TableRefusal};
use crate::terms::TermSheet;
use crate::wager::{Bettor, Game};

/// Plays lines at a new table, up to an input that is answered unexpectedly.
pub(super) fn play(sheet: TermSheet, lines: &[(usize, TableLine)]) -> Vec<Finding> {
    let mut sitting = Sitting::new(sheet);
    let mut findings = Vec::new();
    let mut lines = lines.iter().peekable();
    while let Some((number, line)) = lines.next() {
        let refusal_follows =
            matches!(lines.peek(), Some((_, TableLine::OfRound(Line::Refused(_)))));
        let Err(Difference { expected, found, is_the_end }) = sitting.take(line, refusal_follows)
        else {
            continue;
        };
        findings.push(Finding::failed(*number, &expected, &found));
        if is_the_end {
            break;
        }
    }
    findings
}

/// What differs from the transcript.
struct Difference {
    expected: String,
    found: String,
    /// Whether everything that follows depends on it.
    is_the_end: bool,
}

/// A table, and what is known of the last input.
struct Sitting {
    table: Table,
    /// Its events.
    told: Vec<TableEvent>,
    /// How many of them have been expected so far.
    heard: usize,
    /// Why it was refused.
    refusal: Option<TableRefusal>,
    /// The round in play, or the last one.
    round: Option<AnyRound>,
    statement: Statement,
}

impl Sitting {
    fn new(sheet: TermSheet) -> Sitting {
        Sitting {
            table: Table::new(sheet),
            told: Vec::new(),
            heard: 0,
            refusal: None,
            round: None,
            statement: Statement::default(),
        }
    }

    fn take(&mut self, line: &TableLine, refusal_follows: bool) -> Result<(), Difference> {
        let compared = match line {
            TableLine::Input(input) => return self.input(slice::from_ref(input), refusal_follows),
            TableLine::Cards(cards) => {
                let inputs: Vec<Input> = cards.iter().copied().map(Input::Card).collect();
                return self.input(&inputs, refusal_follows);
            }
            TableLine::OfRound(Line::Refused(id)) => return self.refused(line, id.as_deref()),
            TableLine::OfRound(Line::Clause(_)) => Ok(()),
            TableLine::OfRound(Line::Done) => self.done(),
            TableLine::OfRound(line) => {
                RoundSoFar { round: self.round.as_ref(), statement: &self.statement }.compare(line)
            }
            TableLine::Awaits(words) => self.awaits(words),
            TableLine::Tells { only, event } => self.tells(*only, event),
            TableLine::Quiet => {
                self.told.get(self.heard).map_or(Ok(()), |event| Err(event.to_string()))
            }
            TableLine::Rack(bettor, amount) => same(*amount, self.rack(*bettor), |rack| rack),
            TableLine::MeterShows(amount) => same(*amount, self.table.meter(), |meter| meter),
            TableLine::Outcomes(outcomes) => self.outcomes(outcomes),
            TableLine::Notes(clauses) => self.notes(clauses),
        };
        let difference =
            |found| Difference { expected: line.to_string(), found, is_the_end: false };
        compared.map_err(difference)
    }

    /// Gives the table all of these inputs, or none.
    fn input(&mut self, inputs: &[Input], refusal_follows: bool) -> Result<(), Difference> {
        let mut table = self.table.clone();
        let mut told = Vec::new();
        self.refusal = None;
        for input in inputs {
            let before = table.clone();
            if let Err(refusal) = table.apply(input, &mut told) {
                let words = refusal.in_words(self.game());
                let end = |expected: &str, found| Difference {
                    expected: expected.to_owned(),
                    found,
                    is_the_end: true,
                };
                if table != before {
                    let found = format!("refused, and yet the table changed: {words}");
                    return Err(end("a refused line to change nothing", found));
                }
                self.refusal = Some(refusal);
                self.hear(Vec::new());
                let refused = || end("the line to be accepted", format!("refused: {words}"));
                return if refusal_follows { Ok(()) } else { Err(refused()) };
            }
        }
        self.round = table.round().or(table.last_round()).copied().or(self.round);
        self.table = table;
        self.hear(told);
        Ok(())
    }

    fn hear(&mut self, told: Vec<TableEvent>) {
        for event in &told {
            match *event {
                TableEvent::BetsClosed => self.statement = Statement::default(),
                TableEvent::Round(event) => self.statement.note(event),
                _ => {}
            }
        }
        (self.told, self.heard) = (told, 0);
    }

    fn refused(&self, line: &TableLine, id: Option<&str>) -> Result<(), Difference> {
        let found = match self.refusal {
            None => "accepted".to_owned(),
            Some(refusal) if id.is_none_or(|id| refusal.rests_on(self.game(), id)) => {
                return Ok(());
            }
            Some(refusal) => format!("refused: {}", refusal.in_words(self.game())),
        };
        let is_the_end = self.refusal.is_none();
        Err(Difference { expected: line.to_string(), found, is_the_end })
    }

    fn awaits(&self, words: &str) -> Result<(), String> {
        let awaits = self.table.awaits();
        let found = awaits.to_string();
        let is_so = plain(words) == plain(&found) || short(awaits, words);
        if is_so { Ok(()) } else { Err(format!("awaits {found}")) }
    }

    /// The event comes after those expected before.
    fn tells(&mut self, only: Option<u8>, event: &str) -> Result<(), String> {
        let is_it = |told: &TableEvent| reaches(told.audience(), only) && told.to_string() == event;
        match self.told[self.heard..].iter().position(is_it) {
            Some(place) => {
                self.heard += place + 1;
                Ok(())
            }
            None => Err(match &self.told[self.heard..] {
                [] => "nothing more".to_owned(),
                rest => rest.iter().map(in_words).collect::<Vec<_>>().join("; "),
            }),
        }
    }

    /// The chips of the player at this place; boxes of one person share them.
    fn rack(&self, bettor: Bettor) -> Option<Cents> {
        let home = self.table.chair(bettor)?.home;
        self.table.chair(home).map(|chair| chair.rack)
    }

    /// Compares what a supervisor may order, in any order.
    fn outcomes(&self, expected: &[String]) -> Result<(), String> {
        let mut found: Vec<_> = self.table.outcomes().iter().map(ToString::to_string).collect();
        let words = found.join(", ");
        let mut expected = expected.to_vec();
        found.sort_unstable();
        expected.sort_unstable();
        match (found == expected, words.is_empty()) {
            (true, _) => Ok(()),
            (_, true) => Err("nothing to decide".to_owned()),
            _ => Err(words),
        }
    }

    /// The dealer's screen shows a note for each of these clauses.
    fn notes(&self, clauses: &[String]) -> Result<(), String> {
        let found: Vec<_> = self.table.notes().iter().map(|note| note.clause).collect();
        match clauses.iter().all(|clause| found.contains(&clause.as_str())) {
            true => Ok(()),
            false if found.is_empty() => Err("no note".to_owned()),
            false => Err(found.join(" ")),
        }
    }

    /// No round is in play, no irregularity is open, and every wager of the last round is
    /// settled exactly once.
    fn done(&self) -> Result<(), String> {
        let awaits = self.table.awaits();
        let is_frozen = matches!(awaits, TableAwaits::Supervisor(_) | TableAwaits::Choice(_));
        if is_frozen || self.table.round().is_some() {
            return Err(format!("awaits {awaits}"));
        }
        balanced(&self.statement)
    }

    fn game(&self) -> Game {
        self.table.sheet().game()
    }
}

/// Words without their article.
fn plain(words: &str) -> &str {
    ["the ", "a "].iter().find_map(|article| words.strip_prefix(article)).unwrap_or(words)
}

/// Whether these are the words that a round has for what is awaited.
fn short(awaits: TableAwaits, words: &str) -> bool {
    let TableAwaits::Round(awaits) = awaits else { return false };
    let awaiting = match awaits {
        Awaits::Card(_) | Awaits::FaceDown(_) => AwaitedStep::Card,
        Awaits::Peek => AwaitedStep::Peek,
        Awaits::Turn => AwaitedStep::Turn,
        Awaits::Nobody => return false,
        Awaits::Acts(bettors) => {
            return bettors.iter().any(|bettor| AwaitedStep::Act(bettor).to_string() == words);
        }
    };
    awaiting.to_string() == words
}

fn reaches(audience: Audience, only: Option<u8>) -> bool {
    match audience {
        Audience::Everyone => only.is_none(),
        Audience::Box(seat) => only == Some(seat),
    }
}

/// An event as the transcript would have it.
fn in_words(told: &TableEvent) -> String {
    match told.audience() {
        Audience::Everyone => told.to_string(),
        Audience::Box(seat) => format!("to box {} alone: {told}", seat + 1),
    }
}
