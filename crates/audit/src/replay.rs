//! Any recorded round, step by step.

use std::fmt;
use std::io::BufRead;

use rules::money::Cents;
use rules::notation::Line;
use rules::round::{Event, Record, Statement};
use rules::table::{Account, Input, Table, TableEvent, Transfer};
use rules::transcript;
use rules::wager::{Bettor, Bettors, Circle};

use crate::chain::Entry;
use crate::export::{ExportReader, ReadError};
use crate::finding::Finding;
use crate::log::{Claim, Kind, Outcome};
use crate::walk::{PlayedStep, Step, Walk, WrittenStep};

/// A round as it was played, printed for people; [`Replay::transcript`] is for `pitboss check`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The table.
    pub table: String,
    /// The round, counted from 1.
    pub round: u32,
    /// What it starts from: `round N`, `shoe N at POSITION` and lines of the notation.
    pub opening: Vec<String>,
    /// What happened, from "No more bets" on.
    pub steps: Vec<Moment>,
    /// Whether it is over.
    pub settled: bool,
    /// The version of the rules, if it is another one: then the round is shown as it was logged.
    pub written_under: Option<String>,
    lines: Vec<Line>,
    bettors: Bettors,
    statement: Statement,
    /// What its wagers have added to the meter.
    contributed: Cents,
}

/// One input during a round, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The entry.
    pub seq: u64,
    /// The input.
    pub input: String,
    /// What happened.
    pub events: Vec<String>,
}

/// Finds a round of an export and plays it again. What comes after the round is not read.
pub fn replay(export: impl BufRead, round: u32) -> Result<Replay, ReplayError> {
    let mut export = ExportReader::new(export).map_err(ReplayError::Unreadable)?;
    let mut walk = Walk::default();
    let mut rounds = Rounds::new(export.table());
    let mut first = None;
    let mut is_settled = |step: &Step<'_>| rounds.take(step).is_some_and(|it| it.round == round);
    loop {
        let (is_found, is_end) = match export.next().transpose().map_err(ReplayError::Unreadable)? {
            Some(entry) => (walk.take(entry).as_ref().is_some_and(&mut is_settled), false),
            None => (walk.end().as_ref().is_some_and(&mut is_settled), true),
        };
        let mut found = walk.findings.drain(..);
        first = first.or_else(|| found.find(|finding| !finding.problem.is_about_time()));
        drop(found);
        if is_found || is_end {
            break;
        }
    }
    match (rounds.last.filter(|last| last.round == round), first, walk.unopened) {
        (Some(replay), _, _) => Ok(replay),
        (None, Some(finding), _) => Err(ReplayError::Broken { round, finding }),
        (None, None, Some(seq)) => Err(ReplayError::NotOpened { round, seq }),
        (None, None, None) => Err(ReplayError::NoSuchRound { round, rounds: rounds.count }),
    }
}

/// An input of a log, played again.
#[derive(Clone, Copy, Debug)]
pub struct FollowedInput<'a> {
    /// The entry.
    pub seq: u64,
    /// The input.
    pub input: &'a Input,
    /// The table before it.
    pub before: &'a Table,
    /// What happened.
    pub events: &'a [TableEvent],
    /// The table after it.
    pub after: &'a Table,
}

/// What was followed of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FollowedLog {
    /// The table.
    pub table: String,
    /// How many inputs were written under other rules, and not played.
    pub unplayed: u64,
}

/// Plays an export again and shows every input, up to the first that is private and not told yet.
pub fn follow(
    export: impl BufRead,
    mut show: impl FnMut(FollowedInput<'_>),
) -> Result<FollowedLog, FollowError> {
    let mut export = ExportReader::new(export).map_err(FollowError::Unreadable)?;
    let mut walk = Walk::default();
    let mut followed = FollowedLog { table: export.table().to_owned(), unplayed: 0 };
    loop {
        let entry = export.next().transpose().map_err(FollowError::Unreadable)?;
        let is_end = entry.is_none();
        let step = match entry {
            Some(entry) => walk.take(entry),
            None => walk.end(),
        };
        match step {
            Some(Step::Played(PlayedStep {
                seq, ref input, ref before, after, outcome, ..
            })) => {
                show(FollowedInput { seq, input, before, events: &outcome.events, after });
            }
            Some(Step::Written(_)) => followed.unplayed += 1,
            None => {}
        }
        if let Some(finding) = walk.findings.drain(..).next() {
            return Err(FollowError::Broken(finding));
        }
        if is_end {
            return Ok(followed);
        }
    }
}

/// Why a log cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FollowError {
    /// The text is not an export.
    Unreadable(ReadError),
    /// The log is wrong.
    Broken(Finding),
}

impl fmt::Display for FollowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FollowError::Unreadable(error) => error.fmt(f),
            FollowError::Broken(finding) => finding.fmt(f),
        }
    }
}

impl std::error::Error for FollowError {}

/// The rounds of a log, one after the other.
#[derive(Debug)]
pub(crate) struct Rounds {
    table: String,
    /// How many have begun.
    pub(crate) count: u32,
    last: Option<Replay>,
}

impl Rounds {
    pub(crate) fn new(table: &str) -> Rounds {
        Rounds { table: table.to_owned(), count: 0, last: None }
    }

    /// Forgets the steps of the round in play, which are only needed to show it.
    pub(crate) fn forget_steps(&mut self) {
        self.last.iter_mut().for_each(|round| round.steps.clear());
    }

    /// Follows an input. A round that it settles is complete.
    pub(crate) fn take(&mut self, step: &Step<'_>) -> Option<&Replay> {
        let opening = match step {
            Step::Played(played) => played.outcome.opening.clone(),
            Step::Written(written) => texts(&written.lines, Kind::Opening).collect(),
        };
        if !opening.is_empty() {
            self.count += 1;
            self.last = Some(Replay::begin(&self.table, self.count, &opening));
        }
        let round = self.last.as_mut().filter(|round| !round.settled)?;
        match step {
            Step::Played(played) => round.follow(played.seq, &played.input, &played.outcome),
            Step::Written(written) => round.read(written),
        }
        round.settled.then_some(&*round)
    }
}

/// The text of the lines of one kind.
fn texts(lines: &[Entry], kind: Kind) -> impl Iterator<Item = String> {
    let lines = lines.iter().filter_map(|entry| Kind::of(&entry.line));
    lines.filter(move |(is, _)| *is == kind).map(|(_, text)| text.to_owned())
}

impl Replay {
    /// A round that starts from these lines, and of which nothing has happened yet.
    pub fn begin(table: &str, round: u32, opening: &[String]) -> Replay {
        Replay {
            table: table.to_owned(),
            round,
            opening: opening.to_vec(),
            steps: Vec::new(),
            settled: false,
            written_under: None,
            lines: Vec::new(),
            bettors: Bettors::NONE,
            statement: Statement::default(),
            contributed: Cents::ZERO,
        }
    }

    /// Records an input of the round and its result.
    pub fn follow(&mut self, seq: u64, input: &Input, outcome: &Outcome) {
        if let Input::Meter(shows) = input {
            self.tell_meter(*shows);
        }
        for event in &outcome.events {
            match event {
                TableEvent::Round(event) => self.note(*event),
                TableEvent::Moved(Transfer {
                    from: Account::House,
                    to: Account::Meter,
                    amount,
                }) => {
                    self.contributed += *amount;
                }
                TableEvent::Moved(Transfer {
                    from: Account::Meter,
                    to: Account::House,
                    amount,
                }) => {
                    self.contributed -= *amount;
                }
                TableEvent::Settled => self.settled = true,
                _ => {}
            }
        }
        let (input, events) = (input.to_string(), outcome.events.iter().map(ToString::to_string));
        self.steps.push(Moment { seq, input, events: events.collect() });
    }

    /// Records an input under other rules, with the result that the log gives.
    fn read(&mut self, step: &WrittenStep<'_>) {
        self.written_under = Some(step.version.to_owned());
        self.settled |= step.claims.contains(&Claim::Settled);
        let input = Kind::of(&step.entry.line).map_or("", |(_, text)| text).to_owned();
        let events = texts(&step.lines, Kind::Event).collect();
        self.steps.push(Moment { seq: step.entry.seq, input, events });
    }

    /// A shared meter has moved: the round is replayed as if it had shown this from the start.
    fn tell_meter(&mut self, shows: Cents) {
        let before = Line::Meter(shows - self.contributed).to_string();
        let lines = self.opening.iter_mut().filter(|line| line.starts_with("meter "));
        lines.for_each(|line| line.clone_from(&before));
    }

    /// Records what went into the round. A timeout is a decision like any other.
    fn note(&mut self, event: Event) {
        self.statement.note(event);
        let card = match event {
            Event::Dealt { card, .. } => Some(card),
            Event::FaceDown(_) => None,
            Event::Acted(bettor, act) => return self.lines.push(Line::Act { bettor, act }),
            Event::BoughtIn { bettor, amount } => {
                return self.lines.push(Line::BuyIn(bettor, amount));
            }
            Event::Peeked { natural } => return self.lines.push(Line::Peek(natural)),
            Event::Turned(card) => return self.lines.push(Line::Turn(card)),
            Event::Remedied(remedy) => return self.lines.push(Line::Remedy(remedy)),
            Event::Staked { bettor, .. } => return self.bettors.add(bettor),
            Event::Lammer { .. }
            | Event::Split { .. }
            | Event::Shown { .. }
            | Event::Settled(_)
            | Event::PickedUp { .. }
            | Event::Awarded { .. }
            | Event::Reversed => return,
        };
        match self.lines.last_mut() {
            Some(Line::Cards(cards)) => cards.push(card),
            _ => self.lines.push(Line::Cards(vec![card])),
        }
    }

    /// What everyone has won or lost so far, on each circle and in total.
    pub fn nets(&self) -> Vec<Line> {
        self.bettors.iter().flat_map(|bettor| self.nets_of(bettor)).collect()
    }

    fn nets_of(&self, bettor: Bettor) -> Vec<Line> {
        let net = |circle: Circle| {
            let amount = self.statement.net_of(bettor, circle);
            (amount != Cents::ZERO).then_some(Line::Net { bettor, circle: Some(circle), amount })
        };
        let amount = self.statement.net(bettor);
        let in_all = Line::Net { bettor, circle: None, amount };
        Circle::ALL.into_iter().filter_map(net).chain([in_all]).collect()
    }

    /// The round in its notation, with what came of it as expectations; only for a round of these
    /// rules, because others are not played.
    pub fn transcript(&self) -> String {
        let outside = |line: &&String| !line.starts_with("round ") && !line.starts_with("shoe ");
        let mut text = format!("# round {} of {}\n", self.round, self.table);
        let mut write = |line: &dyn fmt::Display| text += &format!("{line}\n");
        self.opening.iter().filter(outside).for_each(|line| write(line));
        self.lines.iter().for_each(|line| write(line));
        if self.settled {
            self.nets().iter().for_each(|line| write(line));
            write(&Line::Done);
        }
        text
    }

    /// What differs when the round is replayed from its transcript alone.
    pub(crate) fn difference_alone(&self) -> Option<String> {
        if self.written_under.is_some() {
            return None;
        }
        let rounds = match transcript::read(&self.transcript()) {
            Ok(rounds) => rounds,
            Err(errors) => return errors.first().map(ToString::to_string),
        };
        let mut findings = rounds.iter().flat_map(|round| transcript::check(round).findings);
        findings.next().map(|finding| finding.to_string())
    }
}

impl fmt::Display for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Round {} of {}", self.round, self.table)?;
        if let Some(version) = &self.written_under {
            writeln!(f, "Written under rules {version}: shown as logged, not played again")?;
        }
        writeln!(f, "\nStarts from")?;
        self.opening.iter().try_for_each(|line| writeln!(f, "          {line}"))?;
        writeln!(f, "\nStep by step")?;
        for Moment { seq, input, events } in &self.steps {
            writeln!(f, "{seq:>8}  {input}")?;
            events.iter().try_for_each(|event| writeln!(f, "            {event}"))?;
        }
        if self.written_under.is_some() {
            return Ok(());
        }
        writeln!(f, "\n{}", if self.settled { "Result" } else { "Not over yet; so far" })?;
        self.nets().iter().try_for_each(|line| writeln!(f, "          {line}"))
    }
}

/// Why a round cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// The text is not an export.
    Unreadable(ReadError),
    /// The log has no such round.
    NoSuchRound {
        /// The round asked for.
        round: u32,
        /// How many there are.
        rounds: u32,
    },
    /// An entry before the round is private and not told yet.
    NotOpened {
        /// The round asked for.
        round: u32,
        /// The entry.
        seq: u64,
    },
    /// The log is wrong before the round can be found.
    Broken {
        /// The round asked for.
        round: u32,
        /// The first problem.
        finding: Finding,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Unreadable(error) => write!(f, "{error}"),
            ReplayError::NoSuchRound { round, rounds: 0 } => {
                write!(f, "there is no round {round}: none was played")
            }
            ReplayError::NoSuchRound { round, rounds: 1 } => {
                write!(f, "there is no round {round}: one was played")
            }
            ReplayError::NoSuchRound { round, rounds } => {
                write!(f, "there is no round {round}: {rounds} were played")
            }
            ReplayError::NotOpened { round, seq } => write!(
                f,
                "round {round} is not in the part that can be played: entry {seq} is private and \
                 not opened yet"
            ),
            ReplayError::Broken { round, finding } => {
                write!(f, "round {round} is not in the part that can be played: {finding}")
            }
        }
    }
}

impl std::error::Error for ReplayError {}

#[cfg(test)]
mod tests {
    use super::*;

    /// A round that was lost, as it was taken down.
    fn lost(opening: &[&str]) -> Replay {
        let opening: Vec<String> = opening.iter().map(ToString::to_string).collect();
        let mut round = Replay::begin("war-1", 1, &opening);
        let bettor = Bettor::at(0);
        let (circle, amount) = (Circle::Main, rules::money::Chips::dollars(10));
        round.note(Event::Staked { bettor, hand: 0, circle, amount });
        let cards = ["4d", "9s"].map(|card| Some(card.parse().unwrap()));
        round.lines.push(Line::Cards(cards.into()));
        let (amount, clause) = (Cents::new(-1000), "CW-8-a-1");
        round.statement.note(Event::Awarded { bettor, circle, amount, clause });
        round.settled = true;
        round
    }

    #[test]
    fn a_round_comes_out_the_same_alone_or_it_is_said() {
        let opening = ["round 1", "shoe 1 at 1", "game casino-war", "wager 1 main 10"];
        assert_eq!(lost(&opening).difference_alone(), None);
        let other = ["game casino-war", "wager 1 main 20"];
        let difference = lost(&other).difference_alone();
        assert_eq!(difference.as_deref(), Some("expected net 1 main -10, found -20"));
        let unreadable = lost(&["wager 1 main 10"]).difference_alone().unwrap();
        assert!(unreadable.starts_with("line 2: expected 'game NAME'"), "{unreadable}");
    }
}
