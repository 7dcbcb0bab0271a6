//! A table as it stands after the last entry of its log, and how it is brought there again.

use std::collections::VecDeque;
use std::sync::OnceLock;

use audit::chain::{Chain, Entry, Head};
use audit::custody::{CUSTODY, Custody};
use audit::log::{Kind, Outcome, RulesLine, stands_alone};
use audit::time::{ClockLine, LineTime};
use rules::RULES_VERSION;
use rules::money::Cents;
use rules::round::Audience;
use rules::table::{Account, Input, Name, Seal, Table, TableAwaits, TableEvent, Transfer};
use rules::terms::TermSheet;
use rules::wager::{Bettor, MOST_BETTORS};

use wire::{CommitmentView, FromHouse, Shared, StoryLine, ViewChange};

use super::felt::Felt;
use super::outbox::MOST_QUEUED;
use super::progressive::Tally;
use super::story;
use crate::analysis::SeenCards;
use crate::store::{Append, Checkpoint, StoreError, TableStore, When};

/// The steps that a client can have missed and still get one by one: so many that they do not cut it
/// off again.
pub const STEPS_KEPT: usize = MOST_QUEUED / 2;

/// A table as it stands after the last entry of its log.
pub(crate) struct Live {
    pub(crate) table: Table,
    pub(crate) chain: Chain,
    pub(crate) felt: Felt,
    pub(crate) custody: Custody,
    /// How many inputs the table has taken.
    pub(crate) version: u64,
    /// The last entry before which no card is hidden from anybody.
    pub(crate) public: u64,
    pub(crate) steps: VecDeque<Step>,
    /// What the round did to the meter.
    pub(crate) tally: Tally,
    /// The commitments to the order of the shoe in use, where they are known.
    pub(crate) list: Option<Vec<CommitmentView>>,
    /// The time of day when the last entry was written, in milliseconds of Unix time.
    pub(crate) day: Option<u64>,
    /// What everybody at the table has seen of the shoe.
    pub(crate) seen: SeenCards,
    /// The entry since which that is followed.
    pub(crate) seen_since: u64,
}

/// What a viewer may have missed.
pub(crate) struct Step {
    pub(crate) version: u64,
    pub(crate) events: Vec<TableEvent>,
    /// Whether it came because somebody's time was up.
    timed_out: bool,
    /// Who was where: a card for one box is for whoever was there when it came.
    seated: Vec<(Bettor, Name)>,
    /// The step in lines and in codes, once it was told, where everybody is told the same.
    told: OnceLock<Announcement>,
}

/// A step in lines and in codes.
type Announcement = (Shared<Vec<String>>, Shared<Vec<StoryLine>>);

impl Step {
    /// The step as a message.
    pub(crate) fn told(
        &self,
        sheet: &TermSheet,
        player: &Name,
        change: Option<(u64, ViewChange)>,
    ) -> FromHouse {
        let told_to = |eyes: &[usize]| {
            let (events, told) = story::told(sheet, (&self.events, self.timed_out), eyes);
            (Shared::from(events), Shared::from(told))
        };
        let is_public = self.events.iter().all(|event| event.audience() == Audience::Everyone);
        let (events, story) = match is_public {
            true => self.told.get_or_init(|| told_to(&[])).clone(),
            false => {
                let own = self.seated.iter().filter(|(_, name)| name == player);
                told_to(&own.map(|(bettor, _)| bettor.seat()).collect::<Vec<_>>())
            }
        };
        let (number, change) = change.unzip();
        let (number, change) = (number.unwrap_or(0), change.map(Box::new));
        FromHouse::Event { version: self.version, events, story, number, change }
    }
}

impl Live {
    /// Plays a table's log again from where bets closed last, and goes on where it ends. Where that
    /// does not come out as the log and the books say, the whole log is played.
    pub(crate) async fn load(
        store: &impl TableStore,
        name: &str,
        sheet: &TermSheet,
        epoch: i64,
    ) -> Result<Live, StoreError> {
        let shortcut = match Live::resumed(store, name).await {
            Ok(None) => None,
            Ok(Some((live, rules))) => {
                let since = store.entries(name, live.chain.next(), u64::MAX).await?;
                never_in_mid_round(name, Some(&rules), &since)?;
                Some(live.played(store, name, Some(rules)).await)
            }
            Err(error) => Some(Err(error)),
        };
        let (mut live, rules) = match shortcut {
            Some(Ok(played)) => played,
            None => Live::new(name, sheet.clone()).played(store, name, None).await?,
            Some(Err(error)) => {
                tracing::warn!(table = name, what = "replay", why = %error, "the checkpoint does not match; the whole log is replayed");
                Live::new(name, sheet.clone()).played(store, name, None).await?
            }
        };
        live.begin(store, name, epoch, rules).await?;
        Ok(live)
    }

    /// Plays what the log has since then, and compares what is on the table with the books.
    async fn played(
        mut self,
        store: &impl TableStore,
        name: &str,
        mut rules: Option<RulesLine>,
    ) -> Result<(Live, Option<RulesLine>), StoreError> {
        let entries = store.entries(name, self.chain.next(), u64::MAX).await?;
        let mut chain = Some(self.chain);
        entries.iter().try_for_each(|entry| linked(name, &mut chain, entry))?;
        never_in_mid_round(name, rules.as_ref(), &entries)?;
        let mut escrow = Cents::ZERO;
        // What other rules made of an input is taken as it is written; the books decide.
        let mut rest = &entries[..];
        while let Some((entry, later)) = rest.split_first() {
            let end = later.iter().position(stands_alone).unwrap_or(later.len());
            let (claims, later) = later.split_at(end);
            rest = later;
            self.chain = Chain::after(claims.last().unwrap_or(entry).head());
            match Kind::of(&entry.line) {
                Some((Kind::Rules, text)) => {
                    let line = text.parse::<RulesLine>();
                    let line = line.map_err(|error| no_replay(name, at(entry, error)))?;
                    if rules.is_none() {
                        self.table = Table::new(line.sheet.clone());
                    }
                    rules = Some(line);
                }
                Some((Kind::Clock, text)) => {
                    let read = LineTime::split(text)
                        .and_then(|(time, line)| Some((time, line.parse().ok()?)));
                    let (time, line) =
                        read.ok_or_else(|| no_replay(name, at(entry, "a line is not about time")))?;
                    self.day = time.day(self.day);
                    if let ClockLine::Jump(by) = line {
                        self.day = self.day.map(|day| day.saturating_add_signed(by));
                    }
                }
                Some((Kind::Input, text)) => {
                    self.day = Kind::time_of(&entry.line).and_then(|time| time.day(self.day));
                    let input = text.parse::<Input>();
                    let input =
                        input.map_err(|error| unread(name, rules.as_ref(), entry, error))?;
                    if let Input::Shuffle { seal: Some(_), .. } = input {
                        let shoe = self.table.shoes() + 1;
                        self.custody.keep(store.sealed(name, shoe).await?);
                    }
                    let before = self.table.clone();
                    let outcome = Outcome::of(&mut self.table, &input);
                    let outcome =
                        outcome.map_err(|error| unread(name, rules.as_ref(), entry, error))?;
                    let is_ours = rules.as_ref().is_none_or(|line| line.version == RULES_VERSION);
                    if is_ours && !outcome.is_written(&input, &entry.line, claims) {
                        return Err(no_replay(name, at(entry, "the rules give a different log")));
                    }
                    escrow += into_escrow(&outcome);
                    self.follow(&before, &input, outcome);
                }
                _ => return Err(no_replay(name, at(entry, "the rules give a different log"))),
            }
        }
        self.compare_books(store, name, escrow).await?;
        Ok((self, rules))
    }

    /// Refuses a table whose chips are not what the books say.
    async fn compare_books(
        &self,
        store: &impl TableStore,
        name: &str,
        escrow: Cents,
    ) -> Result<(), StoreError> {
        let places = Bettor::all(self.table.seats().len(), MOST_BETTORS);
        let racks = places.map(|bettor| {
            let rack = self.table.chair(bettor).map_or(Cents::ZERO, |chair| chair.rack);
            (Account::Rack(bettor), rack)
        });
        let (accounts, held): (Vec<Account>, Vec<Cents>) =
            racks.chain([(Account::Escrow, escrow)]).unzip();
        let booked = store.balances(name, &accounts).await?;
        for ((account, held), booked) in accounts.iter().zip(held).zip(booked) {
            if booked != held {
                let reason =
                    format!("its log has {held} in {account}, and the books have {booked}");
                return Err(no_replay(name, reason));
            }
        }
        Ok(())
    }

    fn new(name: &str, sheet: TermSheet) -> Live {
        Live {
            table: Table::new(sheet),
            chain: Chain::new(name),
            felt: Felt::default(),
            custody: Custody::default(),
            version: 0,
            public: 0,
            steps: VecDeque::new(),
            tally: Tally::default(),
            list: None,
            day: None,
            seen: SeenCards::default(),
            seen_since: 0,
        }
    }

    /// The table as it stood at a checkpoint, with the rules in force, where there is one.
    async fn resumed(
        store: &impl TableStore,
        name: &str,
    ) -> Result<Option<(Live, RulesLine)>, StoreError> {
        let Some(Checkpoint { head, version, rules, standing, .. }) = last(store, name).await?
        else {
            return Ok(None);
        };
        let resumed = match rules.parse::<RulesLine>() {
            Ok(rules) => stood(store, name, &rules.sheet, &standing).await?.zip(Some(rules)),
            Err(_) => None,
        };
        let Some(((table, custody), rules)) = resumed else {
            return Err(no_replay(name, "its checkpoint cannot be read"));
        };
        let live = Live {
            table,
            chain: Chain::after(head),
            custody,
            version,
            public: head.seq,
            seen_since: head.seq,
            ..Live::new(name, rules.sheet.clone())
        };
        Ok(Some((live, rules)))
    }

    /// What a start can go on from instead of all that was before: the table as it stands when an
    /// input closes the bets, or as it will stand when one opens them.
    pub(crate) fn checkpoint(
        &self,
        input: &Input,
        outcome: &Outcome,
        after: &Table,
        chain: &Chain,
    ) -> Option<Checkpoint> {
        if *input == Input::Deal {
            return stands(When::BetsClosed, &self.table, &self.custody, &self.chain, self.version);
        }
        if self.table.stands() || !after.stands() {
            return None;
        }
        let mut custody = self.custody.clone();
        custody.follow(&self.table, input, &outcome.events, after);
        stands(When::BetsOpened, after, &custody, chain, self.version + 1)
    }

    /// Writes down the rules of a new table, or of a new program between two rounds with where the
    /// table stands.
    async fn begin(
        &mut self,
        store: &impl TableStore,
        name: &str,
        epoch: i64,
        rules: Option<RulesLine>,
    ) -> Result<(), StoreError> {
        if rules.is_some_and(|rules| rules.version == RULES_VERSION) {
            return Ok(());
        }
        let mut entries = vec![RulesLine::new(self.table.sheet().clone()).write(&mut self.chain)];
        let standing = self.table.standing().unwrap_or_default();
        entries.extend(standing.iter().map(|line| self.chain.append(Kind::Opening.line(line))));
        self.public = self.chain.next() - 1;
        let table = name.to_owned();
        store.append(Append { table, epoch, entries, ..Append::default() }).await
    }

    /// Follows an input that is in the log, and that the table has taken.
    pub(crate) fn follow(&mut self, before: &Table, input: &Input, outcome: Outcome) {
        self.custody.follow(before, input, &outcome.events, &self.table);
        self.felt.follow(&outcome);
        self.tally.follow(&outcome.events);
        self.seen.follow(&outcome.events, &self.table);
        self.follow_list(input, &outcome);
        if !self.felt.has_secrets() {
            self.public = self.chain.next() - 1;
        }
        self.version += 1;
        if self.steps.len() == STEPS_KEPT {
            self.steps.pop_front();
        }
        let chairs = self.table.everyone();
        let seated = chairs.map(|(bettor, chair)| (bettor, chair.player.clone())).collect();
        let (version, events) = (self.version, outcome.events);
        let timed_out = matches!(input, Input::TimeOut { .. });
        self.steps.push_back(Step { version, events, timed_out, seated, told: OnceLock::new() });
    }

    /// Follows what players add to the order of the shoe in use.
    fn follow_list(&mut self, input: &Input, outcome: &Outcome) {
        match input {
            Input::Commit { list, .. } => {
                let committed = list.iter().flat_map(|list| &list.commitments);
                let committed = committed.map(|(bettor, seal)| CommitmentView {
                    at: bettor.to_string(),
                    commitment: seal.to_string(),
                    opened: false,
                });
                self.list = Some(committed.collect());
            }
            Input::Open { openings } => {
                for one in self.list.iter_mut().flatten() {
                    let is_there = |(bettor, _): &(Bettor, Seal)| bettor.to_string() == one.at;
                    one.opened = openings.iter().any(is_there);
                }
            }
            _ if matches!(self.table.awaits(), TableAwaits::Commitments(_)) => {
                self.list = Some(Vec::new());
            }
            _ if outcome.events.iter().any(|e| matches!(e, TableEvent::Retired { .. })) => {
                self.list = None;
            }
            _ => {}
        }
    }

    pub(crate) fn head(&self) -> Head {
        head_of(&self.chain)
    }
}

fn head_of(chain: &Chain) -> Head {
    Head { seq: chain.next() - 1, hash: chain.head() }
}

/// A table as it stands after so many inputs; nothing where it cannot be written down.
fn stands(
    when: When,
    table: &Table,
    custody: &Custody,
    chain: &Chain,
    version: u64,
) -> Option<Checkpoint> {
    let mut standing = table.standing()?;
    standing.extend(custody.standing().iter().map(|line| format!("{CUSTODY}{line}")));
    let (standing, rules) = (standing.join("\n"), RulesLine::new(table.sheet().clone()));
    Some(Checkpoint { when, head: head_of(chain), version, rules: rules.to_string(), standing })
}

/// The table of a checkpoint.
pub(crate) fn table_of(sheet: &TermSheet, standing: &str) -> Option<Table> {
    let lines = standing.lines().filter(|line| !line.starts_with(CUSTODY));
    Table::resumed(sheet.clone(), lines)
}

/// The table of a checkpoint, and the custody of its cards.
async fn stood(
    store: &impl TableStore,
    name: &str,
    sheet: &TermSheet,
    standing: &str,
) -> Result<Option<(Table, Custody)>, StoreError> {
    let custody = || standing.lines().filter_map(|line| line.strip_prefix(CUSTODY));
    let Some(table) = table_of(sheet, standing) else { return Ok(None) };
    let mut orders = Vec::new();
    for shoe in table.shoe().into_iter().chain(table.stored()) {
        if shoe.seal.is_some() {
            orders.push((shoe.number, store.sealed(name, shoe.number).await?));
        }
    }
    let order = |shoe| orders.iter().find(|(number, _)| *number == shoe).map(|(_, o)| o.clone());
    Ok(Custody::resumed(custody(), order).map(|custody| (table, custody)))
}

/// Where a start begins: when bets closed last, so that the felt lies as it lay; or, after a program
/// with other rules, where betting last opened, so that no round that is over is played again.
async fn last(store: &impl TableStore, name: &str) -> Result<Option<Checkpoint>, StoreError> {
    let closed = store.checkpoint(name, When::BetsClosed).await?;
    let is_ours = |checkpoint: &Checkpoint| {
        checkpoint.rules.parse::<RulesLine>().is_ok_and(|rules| rules.version == RULES_VERSION)
    };
    if closed.as_ref().is_some_and(is_ours) {
        return Ok(closed);
    }
    let opened = store.checkpoint(name, When::BetsOpened).await?;
    Ok(closed.into_iter().chain(opened).max_by_key(|checkpoint| checkpoint.head.seq))
}

/// A round goes on only under the rules that it began with.
fn never_in_mid_round(
    table: &str,
    rules: Option<&RulesLine>,
    entries: &[Entry],
) -> Result<(), StoreError> {
    let mut version = rules.map(|rules| rules.version.as_str());
    let mut is_in_play = false;
    for entry in entries {
        match Kind::of(&entry.line) {
            Some((Kind::Rules, text)) => version = RulesLine::version_of(text),
            Some((Kind::Event, "bets-closed")) => is_in_play = true,
            Some((Kind::Event, "settled")) => is_in_play = false,
            _ => {}
        }
    }
    match version.filter(|version| is_in_play && *version != RULES_VERSION) {
        None => Ok(()),
        Some(version) => {
            let reason = format!(
                "a round of rules version {version} is in play; finish it with the program that \
                 began it"
            );
            Err(no_replay(table, reason))
        }
    }
}

/// Why an entry cannot be played again, and what to do where other rules wrote it.
fn unread(
    table: &str,
    rules: Option<&RulesLine>,
    entry: &Entry,
    error: impl std::fmt::Display,
) -> StoreError {
    match rules.filter(|rules| rules.version != RULES_VERSION) {
        None => no_replay(table, at(entry, error)),
        Some(RulesLine { version, .. }) => no_replay(
            table,
            format!(
                "the cards were being shuffled or cut under rules version {version}; start the \
                 program that did, let it go on until wagers are taken, and then start this one"
            ),
        ),
    }
}

/// What came to lie on the layout with an input, less what went.
fn into_escrow(outcome: &Outcome) -> Cents {
    let moved = outcome.events.iter().map(|event| match event {
        TableEvent::Moved(Transfer { to: Account::Escrow, amount, .. }) => *amount,
        TableEvent::Moved(Transfer { from: Account::Escrow, amount, .. }) => -*amount,
        _ => Cents::ZERO,
    });
    moved.sum()
}

/// Refuses an entry that does not follow from the one before it: it was changed since it was written.
pub(crate) fn linked(
    table: &str,
    chain: &mut Option<Chain>,
    entry: &Entry,
) -> Result<(), StoreError> {
    let is_linked = chain.is_none_or(|mut chain| chain.append(entry.line.as_str()) == *entry);
    *chain = Some(Chain::after(entry.head()));
    let place = || {
        format!("entries (table_id {table}, seq {}): its text does not match its hash", entry.seq)
    };
    is_linked.then_some(()).ok_or_else(|| StoreError::Unreadable { place: place() })
}

/// A reason, and the entry of the log that gives it.
fn at(entry: &Entry, reason: impl std::fmt::Display) -> String {
    format!("entry {}: {reason}", entry.seq)
}

/// Why a table does not go on.
pub(crate) fn no_replay(table: &str, reason: impl std::fmt::Display) -> StoreError {
    StoreError::Stuck { table: table.to_owned(), reason: reason.to_string() }
}
