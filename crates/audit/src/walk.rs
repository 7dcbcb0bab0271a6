//! Plays the inputs of a log again, and compares what came of them.

use rules::table::{Input, Table};
use rules::terms::TermSheet;

use crate::chain::Entry;
use crate::finding::{Finding, Matter};
use crate::log::{Kind, Outcome, RulesLine};

/// A log on its way through the rules.
///
/// Inputs are the truth and the other lines a claim. It goes on where a claim is wrong, and plays
/// nothing more where an input is.
#[derive(Debug)]
pub(crate) struct Walk<'a> {
    rest: &'a [Entry],
    rules: Option<RulesLine>,
    /// None before the first rules, and where nothing more can be played.
    table: Option<Table>,
    /// What was wrong so far.
    pub(crate) findings: Vec<Finding>,
}

/// One input.
#[derive(Debug)]
pub(crate) struct Step<'a> {
    pub(crate) seq: u64,
    pub(crate) input: Input,
    /// The terms of the table.
    pub(crate) sheet: &'a TermSheet,
    /// The table before and after it, and what came of it; none where nothing more is played.
    pub(crate) before: Option<Table>,
    pub(crate) after: Option<&'a Table>,
    pub(crate) outcome: Outcome,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(entries: &'a [Entry]) -> Walk<'a> {
        Walk { rest: entries, rules: None, table: None, findings: Vec::new() }
    }

    /// Under which rules the table is run.
    pub(crate) fn rules(&self) -> Option<&RulesLine> {
        self.rules.as_ref()
    }

    /// The next input; none at the end, and where nobody knows which game is played.
    pub(crate) fn next(&mut self) -> Option<Step<'_>> {
        let (entry, input, claims) = self.next_input()?;
        let before = self.table.clone();
        let outcome = self.play(entry, &input, claims).unwrap_or_default();
        let sheet = &self.rules.as_ref()?.sheet;
        Some(Step { seq: entry.seq, input, sheet, before, after: self.table.as_ref(), outcome })
    }

    /// The next line that is an input, with the lines that say what came of it.
    fn next_input(&mut self) -> Option<(&'a Entry, Input, &'a [Entry])> {
        loop {
            let (entry, rest) = self.rest.split_first()?;
            let end = rest.iter().position(is_no_claim).unwrap_or(rest.len());
            let (claims, rest) = rest.split_at(end);
            self.rest = rest;
            match Kind::of(&entry.line) {
                Some((Kind::Rules, text)) => {
                    self.take_rules(entry.seq, text);
                    self.rules.as_ref()?;
                    self.compare(entry, &Outcome::default(), claims);
                }
                _ if self.rules.is_none() => {
                    self.stop(entry.seq, Matter::RulesMissing);
                    return None;
                }
                Some((Kind::Input, text)) => match text.parse() {
                    Ok(input) => return Some((entry, input, claims)),
                    Err(_) => self.stop(entry.seq, Matter::NoInput),
                },
                _ => unreachable!("what is no claim is rules or an input"),
            }
        }
    }

    /// Begins the table, or goes on under the same rules.
    fn take_rules(&mut self, seq: u64, text: &str) {
        let rules: RulesLine = match text.parse() {
            Ok(rules) => rules,
            Err(reason) => return self.stop(seq, Matter::NoRules(reason)),
        };
        let Some(before) = self.rules.replace(rules.clone()) else {
            self.table = Some(Table::new(rules.sheet));
            return;
        };
        // A round is never resumed under other rules than it began with.
        let in_a_round = self.table.as_ref().is_some_and(|table| table.round().is_some());
        if before.sheet != rules.sheet || (in_a_round && before.version != rules.version) {
            self.stop(seq, Matter::RulesChanged);
        }
    }

    fn play(&mut self, entry: &Entry, input: &Input, claims: &[Entry]) -> Option<Outcome> {
        let table = self.table.as_mut()?;
        match Outcome::of(table, input) {
            Ok(outcome) => {
                self.compare(entry, &outcome, claims);
                Some(outcome)
            }
            Err(refusal) => {
                let reason = refusal.in_words(table.sheet().game());
                self.stop(entry.seq, Matter::Refused { reason });
                None
            }
        }
    }

    /// Compares what came of an entry with what the log says, up to the first difference.
    fn compare(&mut self, entry: &Entry, outcome: &Outcome, claims: &[Entry]) {
        let mut expected = outcome.lines();
        let mut found = claims.iter();
        loop {
            let (expected, claim) = (expected.next(), found.next());
            let line = claim.map(|claim| &claim.line);
            if expected.is_none() && line.is_none() {
                return;
            }
            if expected.as_ref() != line {
                let seq = claim.map_or(entry.seq, |claim| claim.seq);
                let matter = Matter::OtherClaim { expected, found: line.cloned() };
                return self.findings.push(Finding { seq, matter });
            }
        }
    }

    /// Nothing more can be played. Only the first reason is one: what follows rests on it.
    fn stop(&mut self, seq: u64, matter: Matter) {
        if self.table.take().is_some() || self.rules.is_none() {
            self.findings.push(Finding { seq, matter });
        }
    }
}

/// Whether a line is a truth of its own and no claim about the one before.
fn is_no_claim(entry: &Entry) -> bool {
    matches!(Kind::of(&entry.line), Some((Kind::Rules | Kind::Input, _)))
}
