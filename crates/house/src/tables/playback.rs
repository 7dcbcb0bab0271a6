//! A part of a table's log, played again for somebody who looks back.

use std::collections::VecDeque;

use audit::chain::{Chain, Entry};
use audit::log::{Kind, Outcome, RulesLine, stands_alone};
use rules::table::{Input, Table};

use super::felt::Felt;
use super::live::{linked, table_of};
use crate::people::pseudonym::Pseudonyms;
use crate::store::{History, StoreError, Tables, whole};

/// The entries of a log that are in memory while it is played, or saved.
pub(crate) const ENTRIES_AT_A_TIME: u64 = 1000;

/// Why a part of a log is not shown.
#[derive(Debug)]
pub(crate) enum NotShown {
    Store(StoreError),
    /// The rules of this program make something else of it.
    OtherRules,
}

impl From<StoreError> for NotShown {
    fn from(error: StoreError) -> NotShown {
        NotShown::Store(error)
    }
}

/// A table on its way through its log, from somewhere before an entry.
pub(crate) struct Playback<'a, S> {
    store: &'a S,
    name: &'a str,
    /// The next entry that is not read yet, and the last one that is.
    next: u64,
    to: u64,
    waiting: VecDeque<Entry>,
    /// The log up to the last entry that is read; none before the first one.
    chain: Option<Chain>,
    /// None before the rules are known.
    table: Option<Table>,
    felt: Felt,
    /// What players are called for somebody who is not told their names: everything that is made of
    /// the log has no others.
    pseudonyms: Option<&'a Pseudonyms>,
}

/// An input, the table before it, and what came of it.
pub(crate) struct Step {
    pub(crate) seq: u64,
    pub(crate) input: Input,
    pub(crate) before: Table,
    pub(crate) outcome: Outcome,
}

impl<'a, S: Tables + History> Playback<'a, S> {
    /// Begins with the last round that began at this entry or before, or else with the log.
    pub(crate) async fn open(
        store: &'a S,
        name: &'a str,
        seq: u64,
        to: u64,
        pseudonyms: Option<&'a Pseudonyms>,
    ) -> Result<Playback<'a, S>, NotShown> {
        let (waiting, felt) = (VecDeque::new(), Felt::default());
        let stood = store.standing_before(name, seq).await?;
        let resumed = stood.and_then(|stood| {
            let rules: RulesLine = stood.rules.parse().ok()?;
            let standing = match pseudonyms {
                Some(pseudonyms) => pseudonyms.in_standing(name, &stood.standing),
                None => stood.standing,
            };
            Some((stood.seq, table_of(&rules.sheet, &standing)?))
        });
        let (next, table) = match resumed {
            Some((next, table)) => (next, Some(table)),
            None => (1, None),
        };
        let before = store.entries(name, next - 1, next - 1).await?;
        let chain = before.first().map(|entry| Chain::after(entry.head()));
        let chain = chain.or((next == 1).then(|| Chain::new(name)));
        Ok(Playback { store, name, next, to, waiting, chain, table, felt, pseudonyms })
    }

    /// The table as it stands, and what lies on it.
    pub(crate) fn now(&self) -> Option<(&Table, &Felt)> {
        self.table.as_ref().map(|table| (table, &self.felt))
    }

    /// Plays the next input; none at the end.
    pub(crate) async fn step(&mut self) -> Result<Option<Step>, NotShown> {
        while let Some((entry, claims)) = self.next_group().await? {
            match Kind::of(&entry.line) {
                Some((Kind::Rules, text)) => {
                    let rules: RulesLine = text.parse().map_err(|_| NotShown::OtherRules)?;
                    self.table.get_or_insert_with(|| Table::new(rules.sheet));
                }
                Some((Kind::Input, text)) => {
                    let input = text.parse().map_err(|_| NotShown::OtherRules)?;
                    return self.play(&entry, input, &claims).map(Some);
                }
                Some((Kind::Clock, _)) => {}
                _ => return Err(NotShown::OtherRules),
            }
        }
        Ok(None)
    }

    fn play(&mut self, entry: &Entry, input: Input, claims: &[Entry]) -> Result<Step, NotShown> {
        let table = self.table.as_mut().ok_or(NotShown::OtherRules)?;
        let before = table.clone();
        let outcome = Outcome::of(table, &input).map_err(|_| NotShown::OtherRules)?;
        if !outcome.is_written(&input, &entry.line, claims) {
            return Err(NotShown::OtherRules);
        }
        self.felt.follow(&outcome);
        Ok(Step { seq: entry.seq, input, before, outcome })
    }

    /// The next entry that is no claim, and the claims that follow it.
    async fn next_group(&mut self) -> Result<Option<(Entry, Vec<Entry>)>, NotShown> {
        loop {
            let end = self.waiting.iter().skip(1).position(stands_alone).map(|at| at + 1);
            let end = end.or((self.next > self.to).then_some(self.waiting.len()));
            if let Some(end) = end {
                let mut group: Vec<Entry> = self.waiting.drain(..end).collect();
                return Ok((!group.is_empty()).then(|| (group.remove(0), group)));
            }
            let to = self.to.min(self.next + ENTRIES_AT_A_TIME - 1);
            let entries = self.store.entries(self.name, self.next, to).await?;
            let mut entries = whole(self.name, self.next, to, entries)?;
            for entry in &mut entries {
                linked(self.name, &mut self.chain, entry)?;
                if let Some(pseudonyms) = self.pseudonyms {
                    entry.line = pseudonyms.in_line(self.name, &entry.line);
                }
            }
            self.next = to + 1;
            self.waiting.extend(entries);
        }
    }
}
