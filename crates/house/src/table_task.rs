//! One task owns one table: it decides, writes down, and only then answers and announces.

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use audit::chain::{Chain, Head};
use audit::log::{Kind, Outcome, RULES_VERSION, RulesLine};
use rules::money::Cents;
use rules::round::{Act, Call};
use rules::table::{Cutter, Input, Name, Table, TableEvent, TableRefusal, What};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, MOST_SEATS};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, sleep_until};

use crate::dealer::{self, Custody, Due, Orders, Pace, SealedOrder};
use crate::felt::{At, Felt, lines, seat_of};
use crate::socket::Outbox;
use crate::store::{Append, Store, StoreError};
use crate::wire::{Do, FromHouse, OnCircle, Refused};

/// Messages that may wait for a table.
pub const MOST_ASKED: usize = 256;

/// The steps that a client can have missed and still get one by one.
pub const STEPS_KEPT: usize = 256;

/// The most viewers of a table.
pub const MOST_VIEWERS: usize = 256;

/// How long the dealer waits after something could not be written.
pub const AFTER_A_FAILURE: Duration = Duration::from_secs(1);

/// What a table is asked.
pub(crate) enum Ask {
    /// A client watches from now on.
    Watch { viewer: Viewer, id: String, from: Option<u64> },
    /// A client is gone, or watches another table.
    Unwatch { socket: u64 },
    /// A client's command.
    Command { player: Name, id: String, what: Do, to: Outbox },
    /// The last entry that anyone may see.
    Public(oneshot::Sender<u64>),
}

/// Somebody who watches.
pub(crate) struct Viewer {
    pub(crate) socket: u64,
    pub(crate) player: Name,
    pub(crate) to: Outbox,
}

/// A table as it stands after the last entry of its log.
struct Live {
    table: Table,
    chain: Chain,
    felt: Felt,
    custody: Option<Custody>,
    /// How many inputs the table has taken.
    version: u64,
    /// The last entry before which no card is hidden from anybody.
    public: u64,
    steps: VecDeque<Step>,
}

/// What a viewer may have missed.
struct Step {
    version: u64,
    events: Vec<TableEvent>,
    /// Who sat where: a card for one box is for whoever sat there when it came.
    seated: Vec<Option<Name>>,
}

impl Step {
    /// The step as a message, without the view.
    fn told(&self, player: &Name) -> (u64, Vec<String>) {
        let seat = self.seated.iter().position(|name| name.as_ref() == Some(player));
        (self.version, lines(&self.events, seat))
    }
}

impl Live {
    /// Plays a table's log again, and goes on where it ends.
    async fn load(
        store: &Store,
        name: &str,
        sheet: &TermSheet,
        epoch: i64,
    ) -> Result<Live, StoreError> {
        let entries = store.entries(name, u64::MAX).await?;
        let mut rules = None;
        let mut live = Live::new(name, sheet.clone());
        for entry in &entries {
            match Kind::of(&entry.line) {
                Some((Kind::Rules, text)) => {
                    let line: RulesLine = text.parse().map_err(|error| no_replay(name, error))?;
                    if rules.is_none() {
                        live.table = Table::new(line.sheet.clone());
                    }
                    line.write(&mut live.chain);
                    rules = Some(line);
                }
                Some((Kind::Input, text)) => {
                    let input: Input = text.parse().map_err(|error| no_replay(name, error))?;
                    let before = live.table.clone();
                    let outcome = Outcome::of(&mut live.table, &input);
                    let outcome = outcome.map_err(|error| no_replay(name, error))?;
                    outcome.write(&input, &mut live.chain);
                    if let Input::Shuffle { .. } = input {
                        let shoe = live.table.shoe().expect("cards were shuffled").number;
                        live.custody = Some(Custody::new(store.sealed(name, shoe).await?));
                    }
                    live.follow(&before, &input, outcome);
                }
                _ => {}
            }
        }
        if entries.last().is_some_and(|last| live.chain != Chain::after(last.head())) {
            return Err(no_replay(name, "the rules give another log"));
        }
        live.begin(store, name, epoch, rules).await?;
        Ok(live)
    }

    fn new(name: &str, sheet: TermSheet) -> Live {
        Live {
            table: Table::new(sheet),
            chain: Chain::new(name),
            felt: Felt::default(),
            custody: None,
            version: 0,
            public: 0,
            steps: VecDeque::new(),
        }
    }

    /// Writes down the rules of a new table, or of a new program between two rounds.
    async fn begin(
        &mut self,
        store: &Store,
        name: &str,
        epoch: i64,
        rules: Option<RulesLine>,
    ) -> Result<(), StoreError> {
        match rules {
            Some(rules) if rules.version == RULES_VERSION => return Ok(()),
            Some(rules) if self.table.round().is_some() => {
                let reason = format!("a round of rules version {} is in play", rules.version);
                return Err(no_replay(name, reason));
            }
            _ => {}
        }
        let entries = vec![RulesLine::new(self.table.sheet().clone()).write(&mut self.chain)];
        self.public = self.chain.next() - 1;
        let table = name.to_owned();
        store.append(Append { table, epoch, entries, ..Append::default() }).await
    }

    /// Follows an input that is in the log, and that the table has taken.
    fn follow(&mut self, before: &Table, input: &Input, outcome: Outcome) {
        if let Some(custody) = &mut self.custody {
            custody.follow(before, input);
        }
        self.felt.follow(&outcome);
        if self.table.round().is_none() || !self.felt.has_secrets() {
            self.public = self.chain.next() - 1;
        }
        self.version += 1;
        if self.steps.len() == STEPS_KEPT {
            self.steps.pop_front();
        }
        let chairs = self.table.seats().iter();
        let seated = chairs.map(|chair| chair.as_ref().map(|chair| chair.player.clone())).collect();
        let (version, events) = (self.version, outcome.events);
        self.steps.push_back(Step { version, events, seated });
    }

    fn head(&self) -> Head {
        Head { seq: self.chain.next() - 1, hash: self.chain.head() }
    }
}

fn no_replay(table: &str, reason: impl std::fmt::Display) -> StoreError {
    StoreError::Failed(format!("table {table} cannot go on: {reason}"))
}

/// Why an input is not in the log.
enum NotDone {
    Refused(TableRefusal),
    /// The player's account does not hold it.
    Overdrawn,
    /// It could not be written; the table stands as the log says.
    Failed,
}

/// What a table needs of its house.
#[derive(Clone)]
pub(crate) struct Means {
    pub(crate) store: Store,
    pub(crate) orders: Orders,
    pub(crate) pace: Pace,
}

/// The owner of a table.
pub(crate) struct TableTask {
    name: String,
    means: Means,
    epoch: i64,
    live: Live,
    viewers: Vec<Viewer>,
    /// Who has said that no further wager will come.
    ready: Vec<Name>,
    clock: Option<(Instant, Due)>,
}

impl TableTask {
    /// Takes a table over from whoever had it, in the middle of a round if need be.
    pub(crate) async fn open(
        name: &str,
        sheet: &TermSheet,
        means: Means,
    ) -> Result<TableTask, StoreError> {
        let epoch = means.store.own(name).await?;
        let live = Live::load(&means.store, name, sheet, epoch).await?;
        let (viewers, ready) = (Vec::new(), Vec::new());
        let mut task =
            TableTask { name: name.to_owned(), means, epoch, live, viewers, ready, clock: None };
        task.set_clock();
        Ok(task)
    }

    /// Runs the table until the house closes, or the disk or the entropy fails.
    pub(crate) async fn run(
        mut self,
        mut asked: mpsc::Receiver<Ask>,
        mut closing: watch::Receiver<bool>,
    ) {
        loop {
            let clock = self.clock;
            let done = tokio::select! {
                _ = closing.changed() => break,
                ask = asked.recv() => match ask {
                    Some(ask) => self.take(ask).await,
                    None => break,
                },
                due = ring(clock) => self.when_due(due).await,
            };
            if let Err(error) = done {
                tracing::error!("table {} is closed: {error}", self.name);
                break;
            }
        }
        self.viewers.iter().for_each(|viewer| viewer.to.send(FromHouse::Closing));
    }

    async fn take(&mut self, ask: Ask) -> Result<(), StoreError> {
        match ask {
            Ask::Watch { viewer, id, from } => self.watch(viewer, id, from),
            Ask::Unwatch { socket } => self.viewers.retain(|viewer| viewer.socket != socket),
            Ask::Public(answer) => drop(answer.send(self.live.public)),
            Ask::Command { player, id, what, to } => {
                return self.command(player, id, what, &to).await;
            }
        }
        Ok(())
    }

    /// Shows the table: what was missed since a version, or else all of it.
    fn watch(&mut self, viewer: Viewer, id: String, from: Option<u64>) {
        self.viewers.retain(|other| other.socket != viewer.socket && other.to.is_open());
        if self.viewers.len() == MOST_VIEWERS {
            let refusal = Refused::by_house("as many watch this table as can");
            return viewer.to.send(FromHouse::refused(id, refusal));
        }
        viewer.to.send(FromHouse::done(id, None));
        let missed = from.and_then(|from| self.live.version.checked_sub(from)).unwrap_or(u64::MAX);
        // A resumed client must not be cut off again by what it missed.
        let most = self.live.steps.len().min(crate::wire::MOST_QUEUED / 2);
        match usize::try_from(missed) {
            Ok(missed @ 1..) if missed <= most => {
                let steps = self.live.steps.range(self.live.steps.len() - missed..);
                for step in steps {
                    let (version, events) = step.told(&viewer.player);
                    let is_last = version == self.live.version;
                    let view = is_last.then(|| self.view(&viewer.player));
                    viewer.to.send(FromHouse::Event { version, events, view });
                }
            }
            _ => {
                let (version, view) = (self.live.version, self.view(&viewer.player));
                viewer.to.send(FromHouse::State { version, view });
            }
        }
        viewer.to.send(self.head());
        self.viewers.push(viewer);
    }

    /// Applies a command once, answers, and announces what came of it.
    async fn command(
        &mut self,
        player: Name,
        id: String,
        what: Do,
        to: &Outbox,
    ) -> Result<(), StoreError> {
        if let Some(seq) = self.means.store.applied(&player, &id).await? {
            to.send(FromHouse::done(id, Some(seq)));
            return Ok(());
        }
        if what == Do::Ready {
            if seat_of(&self.live.table, &player).is_none() {
                to.send(FromHouse::refused(id, not_seated()));
                return Ok(());
            }
            to.send(FromHouse::done(id, None));
            if !self.ready.contains(&player) {
                self.ready.push(player);
            }
            self.set_clock();
            return Ok(());
        }
        let input = match self.input(&player, what) {
            Ok(input) => input,
            Err(refusal) => {
                to.send(FromHouse::refused(id, refusal));
                return Ok(());
            }
        };
        match self.put(&input, None, Some((player, id.clone()))).await? {
            Ok(seq) => {
                to.send(FromHouse::done(id, Some(seq)));
                self.announce();
            }
            Err(not_done) => to.send(FromHouse::refused(id, self.in_words(not_done))),
        }
        Ok(())
    }

    /// A command as an input of the table.
    fn input(&self, player: &Name, what: Do) -> Result<Input, Refused> {
        let seat = seat_of(&self.live.table, player);
        if let Do::Sit { seat } = what {
            let seat = seat.checked_sub(1).ok_or_else(|| Refused::by_house("seats begin at 1"))?;
            let bettor = Some(seat).filter(|seat| *seat < MOST_SEATS).map(Bettor::at);
            let bettor = bettor.ok_or_else(|| Refused::by_house("there is no such seat"))?;
            return Ok(Input::Sit { bettor, player: player.clone() });
        }
        let seat = seat.ok_or_else(not_seated)?;
        let bettor = Bettor::at(seat);
        Ok(match what {
            Do::Leave => Input::Leave { bettor },
            Do::BuyIn { amount } => Input::BuyIn { bettor, amount: read_amount(&amount)? },
            Do::Wager { amounts } => {
                let amounts = amounts.iter().map(read_on_circle).collect::<Result<_, _>>()?;
                Input::Wager { bettor, amounts }
            }
            Do::Clear => Input::Clear { bettor },
            Do::Cut { at } => Input::Cut { by: Cutter::Seat(seat), at },
            Do::Act { call, amount } => {
                let unknown = || Refused::by_house("there is no such call");
                let call = Call::named(&call).ok_or_else(unknown)?;
                let amount = amount.as_deref().map(read_amount).transpose()?;
                let act = amount.map_or(Act::Call(call), |amount| Act::With(call, amount));
                Input::Act { bettor, act }
            }
            Do::Watch { .. } | Do::Sit { .. } | Do::Ready => {
                unreachable!("the table is not asked for this")
            }
        })
    }

    fn in_words(&self, not_done: NotDone) -> Refused {
        let game = self.live.table.sheet().game();
        match not_done {
            NotDone::Refused(refusal) => Refused {
                sentence: refusal.in_words(game),
                source: refusal.source(game).id().to_owned(),
            },
            NotDone::Overdrawn => Refused {
                sentence: "your account does not hold that much (G-07)".to_owned(),
                source: "G-07".to_owned(),
            },
            NotDone::Failed => Refused::by_house("it could not be written down; send it again"),
        }
    }

    /// What nobody prevented in time.
    async fn when_due(&mut self, due: Due) -> Result<(), StoreError> {
        let failed = |error: io::Error| StoreError::Failed(format!("no entropy: {error}"));
        let mut sealed = None;
        let input = match due {
            Due::Shuffle => {
                let order = (self.means.orders)(self.live.table.sheet()).map_err(failed)?;
                let (seal, steps) = (Some(order.seal()), self.live.table.usual_shuffle());
                sealed = Some(order);
                Some(Input::Shuffle { seal, steps })
            }
            Due::Deal => Some(Input::Deal),
            Due::Inspection(bettor) => Some(Input::TimeOut { bettor }),
            Due::CutRefused(seat) => Some(Input::TimeOut { bettor: Bettor::at(seat) }),
            Due::Unanswered(bettors) => {
                bettors.iter().next().map(|bettor| Input::TimeOut { bettor })
            }
            Due::Dealer => match &self.live.custody {
                Some(custody) => dealer::step(&self.live.table, custody).map_err(failed)?,
                None => None,
            },
        };
        let Some(input) = input else {
            return Err(no_replay(&self.name, "the dealer has no card for it"));
        };
        match self.put(&input, sealed, None).await? {
            Ok(_) => self.announce(),
            Err(NotDone::Failed) => {}
            Err(not_done) => {
                // A supervisor decides, or there is a mistake: the dealer does not insist.
                let sentence = self.in_words(not_done).sentence;
                tracing::warn!("table {}: '{input}' is refused: {sentence}", self.name);
                self.clock = None;
            }
        }
        Ok(())
    }

    /// Decides on a copy, writes down what came of it, and only then believes it.
    async fn put(
        &mut self,
        input: &Input,
        sealed: Option<SealedOrder>,
        command: Option<(Name, String)>,
    ) -> Result<Result<u64, NotDone>, StoreError> {
        let mut table = self.live.table.clone();
        let outcome = match Outcome::of(&mut table, input) {
            Ok(outcome) => outcome,
            Err(refusal) => return Ok(Err(NotDone::Refused(refusal))),
        };
        let mut chain = self.live.chain;
        let seq = chain.next();
        let entries = outcome.write(input, &mut chain);
        let moved = outcome.events.iter().filter_map(|event| match &event.what {
            What::Moved(transfer) => Some(transfer.clone()),
            _ => None,
        });
        let transfers = moved.collect();
        let shoe = table.shoe().map_or(0, |shoe| shoe.number);
        let custody = sealed.clone().map(Custody::new);
        let sealed = sealed.map(|order| (shoe, order));
        let (name, epoch) = (self.name.clone(), self.epoch);
        let append = Append { table: name, epoch, entries, transfers, sealed, command };
        match self.means.store.append(append).await {
            Ok(()) => {}
            Err(StoreError::Overdrawn) => return Ok(Err(NotDone::Overdrawn)),
            Err(error) => {
                tracing::error!("table {} is loaded again: {error}", self.name);
                self.reload().await?;
                return Ok(Err(NotDone::Failed));
            }
        }
        let before = std::mem::replace(&mut self.live.table, table);
        self.live.chain = chain;
        if custody.is_some() {
            self.live.custody = custody;
        }
        self.live.follow(&before, input, outcome);
        if *input == Input::Deal {
            self.ready.clear();
        }
        self.ready.retain(|player| seat_of(&self.live.table, player).is_some());
        self.set_clock();
        Ok(Ok(seq))
    }

    /// Stands again as the log says, if the table is still ours.
    async fn reload(&mut self) -> Result<(), StoreError> {
        if self.means.store.epoch(&self.name).await? != Some(self.epoch) {
            return Err(no_replay(&self.name, "it has another owner"));
        }
        let sheet = self.live.table.sheet().clone();
        self.live = Live::load(&self.means.store, &self.name, &sheet, self.epoch).await?;
        self.set_clock();
        let earliest = Instant::now() + AFTER_A_FAILURE;
        self.clock = self.clock.map(|(when, due)| (when.max(earliest), due));
        for viewer in &self.viewers {
            let (version, view) = (self.live.version, self.view(&viewer.player));
            viewer.to.send(FromHouse::State { version, view });
        }
        Ok(())
    }

    /// Tells every viewer the last step; who cannot keep up is left behind and may resume.
    fn announce(&mut self) {
        self.viewers.retain(|viewer| viewer.to.is_open());
        let Some(step) = self.live.steps.back() else { return };
        let is_settled = step.events.iter().any(|event| event.what == What::Settled);
        for viewer in &self.viewers {
            let (version, events) = step.told(&viewer.player);
            let view = Some(self.view(&viewer.player));
            viewer.to.send(FromHouse::Event { version, events, view });
            if is_settled {
                viewer.to.send(self.head());
            }
        }
    }

    fn head(&self) -> FromHouse {
        let Head { seq, hash } = self.live.head();
        FromHouse::Head { seq, hash: hash.to_string() }
    }

    fn view(&self, viewer: &Name) -> Box<crate::wire::View> {
        let now = Instant::now();
        let within = self.clock.map(|(when, _)| when.saturating_duration_since(now));
        let at = At { name: &self.name, table: &self.live.table, within };
        Box::new(self.live.felt.view(&at, viewer))
    }

    /// Sets the clock for what is due next; one that runs for the same goes on.
    fn set_clock(&mut self) {
        let (table, now) = (&self.live.table, Instant::now());
        self.clock = Due::at(table).map(|due| match self.clock {
            _ if due == Due::Deal && self.is_everyone_ready() => (now, due),
            Some((when, before)) if due.goes_on_from(before) => (when, due),
            _ => (now + due.after(&self.means.pace, table), due),
        });
    }

    /// Whether everyone who could place a wager has no further one.
    fn is_everyone_ready(&self) -> bool {
        let mut chairs = self.live.table.seats().iter().flatten();
        chairs.all(|chair| chair.rack == Cents::ZERO || self.ready.contains(&chair.player))
    }
}

/// Waits until something is due.
async fn ring(clock: Option<(Instant, Due)>) -> Due {
    match clock {
        Some((when, due)) => {
            if when > Instant::now() + Duration::from_millis(1) {
                sleep_until(when).await;
            }
            due
        }
        None => std::future::pending().await,
    }
}

fn not_seated() -> Refused {
    Refused { sentence: "take a seat first (G-26)".to_owned(), source: "G-26".to_owned() }
}

fn read_amount(text: &str) -> Result<Cents, Refused> {
    text.parse().map_err(|error| Refused::by_house(format!("'{text}': {error}")))
}

fn read_on_circle(on: &OnCircle) -> Result<(Circle, Cents), Refused> {
    let unknown = || Refused::by_house(format!("there is no circle '{}'", on.circle));
    Ok((Circle::named(&on.circle).ok_or_else(unknown)?, read_amount(&on.amount)?))
}
