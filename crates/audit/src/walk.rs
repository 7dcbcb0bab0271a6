//! Plays the inputs of a log again, and compares the results.

use rules::RULES_VERSION;
use rules::table::{Input, Table};
use rules::terms::TermSheet;

use crate::chain::Entry;
use crate::finding::{Finding, Problem};
use crate::log::{Claim, Kind, LineToWrite, Outcome, RulesLine, stands_alone};
use crate::secret::Legible;
use crate::time::Times;

/// The most lines that follow an input: no input of any game leads to as many.
pub(crate) const MOST_LINES: usize = 10_000;

/// The most parts of other rules that are told apart; the last one has what comes after.
const MOST_PARTS: usize = 100;

/// A log on its way through the rules, entry by entry: it holds the table, and one input with the
/// lines that follow it.
///
/// Inputs are the truth, and the other lines claims. The walk goes on after a wrong claim, and ends
/// at a wrong input. What was written under other rules is only read, not played.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    /// The input or the rules that the next lines may belong to.
    open: Option<Group>,
    /// Whether nothing more can be played.
    is_over: bool,
    /// None before the first rules.
    rules: Option<Rules>,
    /// None while the log is only read.
    table: Option<Table>,
    /// Whether a round is in play in a part that is only read.
    in_round: bool,
    /// The parts that were only read.
    pub(crate) unplayed: Vec<UnplayedPart>,
    /// The first entry that is not told yet: what comes after it cannot be played.
    pub(crate) unopened: Option<u64>,
    /// Whether the round of that entry was found to be over.
    is_overdue: bool,
    /// The clock.
    pub(crate) times: Times,
    /// What is wrong so far, as far as nobody has taken it.
    pub(crate) findings: Vec<Finding>,
}

/// An entry that stands on its own, and the lines that follow from it.
#[derive(Debug)]
struct Group {
    first: Entry,
    lines: Vec<Entry>,
}

/// The rules in force.
#[derive(Clone, Debug)]
struct Rules {
    version: String,
    /// None where another version has terms that this one does not know.
    sheet: Option<TermSheet>,
}

/// A part of a log that this version of the rules cannot play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnplayedPart {
    /// The version of the rules that it was written under.
    pub version: String,
    /// Its first entry.
    pub first: u64,
    /// Its last entry.
    pub last: u64,
}

/// One input.
#[derive(Debug)]
pub(crate) enum Step<'a> {
    Played(PlayedStep<'a>),
    Written(WrittenStep<'a>),
}

/// An input with its result by the rules.
#[derive(Debug)]
pub(crate) struct PlayedStep<'a> {
    pub(crate) seq: u64,
    /// The last entry that follows from it.
    pub(crate) last: u64,
    pub(crate) input: Input,
    pub(crate) before: Box<Table>,
    pub(crate) after: &'a Table,
    pub(crate) outcome: Outcome,
}

/// An input under other rules, with its result by the log.
#[derive(Debug)]
pub(crate) struct WrittenStep<'a> {
    pub(crate) entry: Entry,
    /// None where this version has no such input.
    pub(crate) input: Option<Input>,
    pub(crate) sheet: Option<&'a TermSheet>,
    pub(crate) version: &'a str,
    /// The lines that follow it.
    pub(crate) lines: Vec<Entry>,
    /// What they say of cards and money.
    pub(crate) claims: Vec<Claim>,
}

impl Step<'_> {
    /// The entry.
    pub(crate) fn seq(&self) -> u64 {
        match self {
            Step::Played(played) => played.seq,
            Step::Written(written) => written.entry.seq,
        }
    }

    /// The last entry that follows from it.
    pub(crate) fn last(&self) -> u64 {
        match self {
            Step::Played(played) => played.last,
            Step::Written(written) => written.lines.last().unwrap_or(&written.entry).seq,
        }
    }

    pub(crate) fn input(&self) -> Option<&Input> {
        match self {
            Step::Played(played) => Some(&played.input),
            Step::Written(written) => written.input.as_ref(),
        }
    }

    /// The terms of the table.
    pub(crate) fn sheet(&self) -> Option<&TermSheet> {
        match self {
            Step::Played(played) => Some(played.after.sheet()),
            Step::Written(written) => written.sheet,
        }
    }
}

impl Walk {
    /// Goes on with a table between two rounds.
    pub(crate) fn resumed(rules: &RulesLine, table: Table) -> Walk {
        let RulesLine { version, sheet } = rules.clone();
        let rules = Some(Rules { version, sheet: Some(sheet) });
        Walk { rules, table: Some(table), ..Walk::default() }
    }

    /// Takes the next entry. Gives the input before it where that is complete now; none where nothing
    /// more can be played.
    pub(crate) fn take(&mut self, entry: Entry) -> Option<Step<'_>> {
        if self.is_over {
            self.look_for_end_of_round(&entry);
            return None;
        }
        match &mut self.open {
            Some(Group { first, lines }) if !stands_alone(&entry) => {
                let seq = first.seq;
                match lines.len() < MOST_LINES {
                    true => lines.push(entry),
                    false => self.stop(seq, Problem::TooManyLines),
                }
                None
            }
            open => {
                let complete = open.replace(Group { first: entry, lines: Vec::new() })?;
                self.judge(complete)
            }
        }
    }

    /// The last input, where the log ends.
    pub(crate) fn end(&mut self) -> Option<Step<'_>> {
        let last = self.open.take().filter(|_| !self.is_over)?;
        self.judge(last)
    }

    fn judge(&mut self, Group { first: entry, lines }: Group) -> Option<Step<'_>> {
        if let Legible::Private(_) = Legible::of(&entry.line) {
            self.unopened = Some(entry.seq);
            (self.open, self.is_over) = (None, true);
            lines.iter().for_each(|line| self.look_for_end_of_round(line));
            return None;
        }
        match Kind::of(&entry.line) {
            Some((Kind::Rules, text)) => self.take_rules(&entry, text, &lines),
            _ if self.rules.is_none() => self.stop(entry.seq, Problem::RulesMissing),
            Some((Kind::Clock, text)) if self.table.is_some() => {
                self.compare(&entry, &Outcome::default(), &lines);
                let found = self.times.note(entry.seq, text, self.table.as_ref());
                self.findings.extend(found);
            }
            // Other rules may have had other lines.
            Some((Kind::Clock, _)) => self.is_read_to(lines.last().unwrap_or(&entry).seq),
            Some((Kind::Input, text)) if self.table.is_some() => match text.parse() {
                Ok(input) => {
                    let before = Box::new(self.table.clone()?);
                    let outcome = self.play(&entry, &input, &lines)?;
                    let (seq, last) = (entry.seq, lines.last().unwrap_or(&entry).seq);
                    let after = self.table.as_ref()?;
                    let time = Kind::time_of(&entry.line);
                    let early = self.times.take(entry.seq, time, &input, &before, after);
                    self.findings.extend(early);
                    let step = PlayedStep { seq, last, input, before, after, outcome };
                    return Some(Step::Played(step));
                }
                Err(_) => self.stop(entry.seq, Problem::NoInput),
            },
            Some((Kind::Input, text)) => {
                let input = text.parse().ok();
                return self.read(entry, input, lines).map(Step::Written);
            }
            _ => unreachable!("what is no claim is rules or an input"),
        }
        None
    }

    /// Begins the table, or goes on under the same terms.
    fn take_rules(&mut self, entry: &Entry, text: &str, lines: &[Entry]) {
        let version = RulesLine::version_of(text).unwrap_or(RULES_VERSION).to_owned();
        let is_ours = version == RULES_VERSION;
        let sheet = match text.parse::<RulesLine>() {
            Ok(rules) => Some(rules.sheet),
            Err(reason) if is_ours => return self.stop(entry.seq, Problem::NoRules(reason)),
            Err(_) => None,
        };
        let before = self.rules.replace(Rules { version: version.clone(), sheet: sheet.clone() });
        let is_first = before.is_none();
        if let Some(before) = before {
            // A round is never resumed under other rules than it began with.
            let in_round =
                self.in_round || self.table.as_ref().is_some_and(|table| table.round().is_some());
            let other_terms = before.sheet.is_some() && sheet.is_some() && before.sheet != sheet;
            if other_terms || (in_round && before.version != version) {
                return self.stop(entry.seq, Problem::RulesChanged);
            }
        }
        match sheet {
            Some(sheet) if is_ours && is_first => self.table = Some(Table::new(sheet)),
            Some(sheet) if is_ours && self.table.is_none() && !lines.is_empty() => {
                return self.resume(entry, sheet, lines);
            }
            _ if is_ours && self.table.is_some() => {}
            _ => {
                self.table = None;
                let (first, last) = (entry.seq, lines.last().unwrap_or(entry).seq);
                if self.unplayed.len() < MOST_PARTS {
                    self.unplayed.push(UnplayedPart { version, first, last });
                }
                return;
            }
        }
        self.compare(entry, &Outcome::default(), lines);
    }

    /// Goes on from where the table stood when rules of this version began.
    fn resume(&mut self, entry: &Entry, sheet: TermSheet, lines: &[Entry]) {
        let standing = lines.iter().map(|line| match Kind::of(&line.line) {
            Some((Kind::Opening, text)) => Some(text),
            _ => None,
        });
        let standing = standing.collect::<Option<Vec<_>>>();
        self.table = standing.and_then(|standing| Table::resumed(sheet, standing));
        self.times.forget();
        if self.table.is_none() {
            self.stop(entry.seq, Problem::NoStanding);
        }
    }

    fn play(&mut self, entry: &Entry, input: &Input, claims: &[Entry]) -> Option<Outcome> {
        let table = self.table.as_mut()?;
        match Outcome::of(table, input) {
            Ok(outcome) => {
                let expected = outcome.input_line(input);
                let is_as_private = expected.is_private != Legible::of(&entry.line).is_public();
                match is_as_private {
                    true => self.compare(entry, &outcome, claims),
                    false => self.differ(entry.seq, Some(expected), Some(entry)),
                }
                Some(outcome)
            }
            Err(refusal) => {
                let reason = refusal.in_words(table.sheet().game());
                self.stop(entry.seq, Problem::Refused { reason });
                None
            }
        }
    }

    /// Accepts an input and what follows it as they are written.
    fn read(
        &mut self,
        entry: Entry,
        input: Option<Input>,
        lines: Vec<Entry>,
    ) -> Option<WrittenStep<'_>> {
        let claims: Vec<_> = lines.iter().filter_map(|line| Claim::read(&line.line)).collect();
        for claim in &claims {
            match claim {
                Claim::BetsClosed => self.in_round = true,
                Claim::Settled => self.in_round = false,
                _ => {}
            }
        }
        self.is_read_to(lines.last().unwrap_or(&entry).seq);
        let Rules { version, sheet } = self.rules.as_ref()?;
        Some(WrittenStep { entry, input, sheet: sheet.as_ref(), version, lines, claims })
    }

    /// The part that is only read goes up to this entry.
    fn is_read_to(&mut self, seq: u64) {
        if let Some(unplayed) = self.unplayed.last_mut() {
            unplayed.last = seq;
        }
    }

    /// Compares the result of an entry with what the log says, up to the first difference.
    fn compare(&mut self, entry: &Entry, outcome: &Outcome, claims: &[Entry]) {
        let mut expected = outcome.lines();
        let mut found = claims.iter();
        loop {
            match (expected.next(), found.next()) {
                (None, None) => return,
                (Some(expected), Some(claim)) if expected.is(&claim.line) => {}
                (expected, claim) => return self.differ(entry.seq, expected, claim),
            }
        }
    }

    /// The log has another line than the rules give, or has it more or less openly.
    fn differ(&mut self, seq: u64, expected: Option<LineToWrite>, found: Option<&Entry>) {
        let text = |found: &Entry| Legible::of(&found.line).text().map(str::to_owned);
        let seq = found.map_or(seq, |found| found.seq);
        let (found, is_private) =
            (found.and_then(text), expected.as_ref().map(|line| line.is_private));
        let expected = expected.map(|line| line.text);
        let problem = match is_private.filter(|_| expected == found) {
            Some(is_private) => Problem::OtherPrivacy { is_private },
            None => Problem::OtherClaim { expected, found },
        };
        self.findings.push(Finding { seq, problem });
    }

    /// What is private is told when its round is over.
    fn look_for_end_of_round(&mut self, entry: &Entry) {
        let is_end = Kind::of(&entry.line) == Some((Kind::Event, "settled"));
        if let Some(seq) = self.unopened.filter(|_| is_end && !self.is_overdue) {
            self.is_overdue = true;
            let problem = Problem::NotOpened { settled: entry.seq };
            self.findings.push(Finding { seq, problem });
        }
    }

    /// Nothing more can be played: what follows rests on this.
    fn stop(&mut self, seq: u64, problem: Problem) {
        self.findings.push(Finding { seq, problem });
        (self.open, self.is_over) = (None, true);
    }
}
