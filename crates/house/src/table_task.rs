//! One task owns one table: it decides, writes down, and only then answers and announces.

use std::io;
use std::time::Duration;

use audit::chain::Head;
use audit::log::{Outcome, RulesLine};
use rules::money::Cents;
use rules::table::{Account, Chair, Input, Name, TableAwaits, TableRefusal, Transfer, What};
use rules::terms::TermSheet;
use rules::wager::Bettor;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, sleep_until};

use crate::commands::{self, not_seated, places};
use crate::dealer::{self, Due, Orders, Pace, SealedOrder};
use crate::felt::{self, At};
use crate::live::{Live, no_replay};
use crate::role::Person;
use crate::socket::{Outbox, not_watching};
use crate::store::{Append, Command, Known, Store, StoreError, When};
use crate::wire::{Do, FromHouse, Purse, Refused, View};

/// Messages that may wait for a table.
pub const MOST_ASKED: usize = 256;

/// The most viewers of a table.
pub const MOST_VIEWERS: usize = 256;

/// How long the dealer waits after something could not be written.
pub const AFTER_A_FAILURE: Duration = Duration::from_secs(1);

/// How often a table tries to read its log after that, before it is closed.
pub const MOST_TRIES: u32 = 10;

/// What a table is asked.
pub(crate) enum Ask {
    /// A client watches from now on.
    Watch { viewer: Viewer, id: String, from: Option<u64> },
    /// A client is gone, or watches another table.
    Unwatch { socket: u64 },
    /// A client's command.
    Command { socket: u64, who: Person, id: String, what: Do, to: Outbox },
    /// What is somebody's at the table, where they have a place.
    Chips { player: Name, answer: oneshot::Sender<Option<Chips>> },
    /// The last entry that anyone may see.
    Public(oneshot::Sender<u64>),
}

/// What is somebody's at a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Chips {
    /// In the rack.
    pub(crate) rack: Cents,
    /// On the layout, and not decided.
    pub(crate) staked: Cents,
}

/// Somebody who watches.
pub(crate) struct Viewer {
    pub(crate) socket: u64,
    pub(crate) who: Person,
    pub(crate) to: Outbox,
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
    /// Who is gone from which place, without a wager, and since when.
    absent: Vec<(Bettor, Name, Instant)>,
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
        keeps_its_terms(name, live.table.sheet(), sheet)?;
        let (viewers, ready) = (Vec::new(), Vec::new());
        let (name, clock, absent) = (name.to_owned(), None, Vec::new());
        let mut task = TableTask { name, means, epoch, live, viewers, ready, clock, absent };
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
            let (clock, leaves) = (self.clock, self.next_to_leave());
            let done = tokio::select! {
                _ = closing.changed() => break,
                ask = asked.recv() => match ask {
                    Some(ask) => self.take(ask).await,
                    None => break,
                },
                due = ring(clock) => self.when_due(due).await,
                bettor = ring(leaves) => self.unseat(bettor).await,
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
            Ask::Watch { viewer, id, from } => self.watch(viewer, id, from).await,
            Ask::Unwatch { socket } => {
                self.viewers.retain(|viewer| viewer.socket != socket);
                // Who is gone keeps nobody waiting.
                if let Some((_, Due::Deal)) = self.clock {
                    self.set_clock();
                }
            }
            Ask::Chips { player, answer } => drop(answer.send(self.chips(&player))),
            Ask::Public(answer) => drop(answer.send(self.live.public)),
            Ask::Command { socket, id, to, .. } if !self.is_shown_to(socket) => {
                to.send(FromHouse::refused(id, not_watching()));
            }
            Ask::Command { who, id, what, to, .. } => {
                return self.command(who, id, what, &to).await;
            }
        }
        Ok(())
    }

    /// What is somebody's here, where they have a place.
    fn chips(&self, player: &Name) -> Option<Chips> {
        let (table, felt) = (&self.live.table, &self.live.felt);
        let racks = table.everyone().filter(|(_, chair)| chair.player == *player);
        let in_play = |bettor| table.round().map_or(Cents::ZERO, |_| felt.staked(bettor));
        let each = racks.map(|(bettor, chair)| (chair.rack, in_play(bettor)));
        each.reduce(|(rack, staked), (more, laid)| (rack + more, staked + laid))
            .map(|(rack, staked)| Chips { rack, staked })
    }

    /// Whether a socket watches, which it does not where that was refused.
    fn is_shown_to(&self, socket: u64) -> bool {
        self.viewers.iter().any(|viewer| viewer.socket == socket)
    }

    /// Shows the table: what was missed since a version, or else all of it.
    async fn watch(&mut self, viewer: Viewer, id: String, from: Option<u64>) {
        self.viewers.retain(|other| other.socket != viewer.socket && other.to.is_open());
        if self.viewers.len() == MOST_VIEWERS {
            let refusal = Refused::by_house("as many watch this table as can");
            return viewer.to.send(FromHouse::refused(id, refusal));
        }
        viewer.to.send(FromHouse::done(id, None));
        let about = Box::new(felt::about(&self.name, &self.live.table));
        viewer.to.send(FromHouse::Table { about });
        if let Some(account) = self.account(&viewer.who.name).await {
            viewer.to.send(account);
        }
        let missed = from.and_then(|from| self.live.version.checked_sub(from)).unwrap_or(u64::MAX);
        match usize::try_from(missed) {
            Ok(missed @ 1..) if missed <= self.live.steps.len() => {
                let steps = self.live.steps.range(self.live.steps.len() - missed..);
                for step in steps {
                    let is_last = step.version == self.live.version;
                    let view = is_last.then(|| self.view(&viewer.who));
                    viewer.to.send(step.told(self.live.table.sheet(), &viewer.who.name, view));
                }
            }
            _ => viewer.to.send(self.state(&viewer.who)),
        }
        viewer.to.send(self.head());
        self.viewers.push(viewer);
    }

    /// Applies a command once, answers, and announces what came of it.
    async fn command(
        &mut self,
        who: Person,
        id: String,
        what: Do,
        to: &Outbox,
    ) -> Result<(), StoreError> {
        let asks = serde_json::to_string(&(&self.name, &what)).expect("a command is plain JSON");
        let command = Command { player: who.name.clone(), id: id.clone(), asks };
        match self.means.store.known(&command).await {
            Ok(None) => {}
            Ok(Some(Known::Applied(seq))) => {
                to.send(FromHouse::done(id, seq));
                return Ok(());
            }
            Ok(Some(Known::Other)) => {
                let refusal = Refused::by_house("this id was used for another command");
                to.send(FromHouse::refused(id, refusal));
                return Ok(());
            }
            Err(error) => {
                tracing::error!("table {}: {error}", self.name);
                let refusal = Refused::by_house("it could not be read; send it again");
                to.send(FromHouse::refused(id, refusal));
                return Ok(());
            }
        }
        if what == Do::Ready {
            return self.take_ready(command, to).await;
        }
        let input = match commands::input(&self.live.table, &self.live.custody, &who, what) {
            Ok(input) => input,
            Err(refusal) => {
                to.send(FromHouse::refused(id, refusal));
                return Ok(());
            }
        };
        match self.put(&input, None, Some(command)).await? {
            Ok(seq) => {
                to.send(FromHouse::done(id, Some(seq)));
                self.announce().await;
            }
            Err(not_done) => to.send(FromHouse::refused(id, self.in_words(not_done))),
        }
        Ok(())
    }

    /// Notes that no further wager of a player comes: no input, but applied once like any command.
    async fn take_ready(&mut self, command: Command, to: &Outbox) -> Result<(), StoreError> {
        let (player, id) = (command.player.clone(), command.id.clone());
        if let Err(refusal) = self.may_be_ready(&player) {
            to.send(FromHouse::refused(id, refusal));
            return Ok(());
        }
        let (table, epoch) = (self.name.clone(), self.epoch);
        let append = Append { table, epoch, command: Some(command), ..Append::default() };
        if let Err(error) = self.means.store.append(append).await {
            tracing::error!("table {}: {error}", self.name);
            to.send(FromHouse::refused(id, self.in_words(NotDone::Failed)));
            return Ok(());
        }
        to.send(FromHouse::done(id, None));
        if !self.ready.contains(&player) {
            self.ready.push(player);
        }
        self.set_clock();
        self.show();
        Ok(())
    }

    /// Refuses *ready* of whoever has no wager and can place none now.
    fn may_be_ready(&self, player: &Name) -> Result<(), Refused> {
        let table = &self.live.table;
        if places(table, player).is_empty() {
            return Err(not_seated());
        }
        let refusal = match table.awaits() {
            TableAwaits::Wagers if self.has_part(player) => return Ok(()),
            TableAwaits::Wagers => TableRefusal::NothingBought,
            awaits => TableRefusal::NotAwaited { awaits },
        };
        Err(self.in_words(NotDone::Refused(refusal)))
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
        let failed = |error: io::Error| StoreError::Failed(format!("there is no entropy: {error}"));
        let mut sealed = None;
        let input = match due {
            Due::Shuffle => {
                let Some(cards) = self.live.custody.stack(&self.live.table) else {
                    return Err(no_replay(&self.name, "the discards are not known"));
                };
                let order = (self.means.orders)(cards).map_err(failed)?;
                let (seal, steps) = (Some(order.seal()), self.live.table.usual_shuffle());
                sealed = Some(order);
                Some(Input::Shuffle { seal, steps })
            }
            Due::Deal => Some(Input::Deal),
            Due::Mix => Some(Input::Mix),
            Due::Idle(_) => Some(Input::Idle),
            Due::Inspection(bettor) | Due::Unchosen(bettor) => Some(Input::TimeOut { bettor }),
            Due::CutRefused(seat) => Some(Input::TimeOut { bettor: Bettor::at(seat) }),
            Due::Unanswered(bettors) => {
                bettors.iter().next().map(|bettor| Input::TimeOut { bettor })
            }
            Due::Dealer => dealer::step(&self.live.table, &self.live.custody).map_err(failed)?,
        };
        let Some(input) = input else {
            return Err(no_replay(&self.name, "the dealer has no card for it"));
        };
        match self.put(&input, sealed, None).await? {
            Ok(_) => self.announce().await,
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

    /// Whether a player has the table before them.
    fn is_here(&self, player: &Name) -> bool {
        self.viewers.iter().any(|viewer| viewer.who.name == *player && viewer.to.is_open())
    }

    /// Whether somebody has placed a wager, or has chips to place one.
    fn has_part(&self, player: &Name) -> bool {
        let mut chairs = self.live.table.everyone().map(|(_, chair)| chair);
        chairs.any(|chair: &Chair| {
            chair.player == *player && (!chair.wager.is_empty() || chair.rack > Cents::ZERO)
        })
    }

    /// Notes who is gone, and says who of them leaves next, and when .
    fn next_to_leave(&mut self) -> Option<(Instant, Bettor)> {
        let (now, kept) = (Instant::now(), self.means.pace.absence);
        let people = || self.live.table.everyone();
        let plays = |player: &Name| {
            people().any(|(_, chair)| chair.player == *player && !chair.wager.is_empty())
        };
        let gone = people().map(|(bettor, chair)| (bettor, &chair.player));
        let gone = gone.filter(|(_, player)| !self.is_here(player) && !plays(player));
        let since = |bettor: Bettor, player: &Name| {
            let before = self.absent.iter().find(|(at, who, _)| (*at, who) == (bettor, player));
            before.map_or(now, |(_, _, since)| *since)
        };
        let gone = gone.map(|(bettor, player)| (bettor, player.clone(), since(bettor, player)));
        self.absent = gone.collect();
        self.absent.iter().map(|(bettor, _, since)| (*since + kept, *bettor)).min()
    }

    /// Clears the place of somebody who is gone; the chips go to the account.
    async fn unseat(&mut self, bettor: Bettor) -> Result<(), StoreError> {
        self.absent.retain(|(at, ..)| *at != bettor);
        match self.put(&Input::Leave { bettor }, None, None).await? {
            Ok(_) => self.announce().await,
            Err(NotDone::Failed) => {}
            Err(not_done) => {
                let sentence = self.in_words(not_done).sentence;
                tracing::warn!("table {}: seat {bettor} is kept: {sentence}", self.name);
            }
        }
        Ok(())
    }

    /// Decides on a copy, writes down what came of it, and only then believes it.
    async fn put(
        &mut self,
        input: &Input,
        sealed: Option<SealedOrder>,
        command: Option<Command>,
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
        let kept = sealed.clone();
        let sealed = sealed.map(|order| (table.shoes(), order));
        let (name, epoch) = (self.name.clone(), self.epoch);
        let closed = (*input == Input::Deal).then_some(When::BetsClosed);
        let checkpoint = closed.and_then(|when| self.live.checkpoint(when));
        let append = Append { table: name, epoch, entries, transfers, sealed, command, checkpoint };
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
        if let Some(order) = kept {
            self.live.custody.keep(order);
        }
        self.live.follow(&before, input, outcome);
        let placed = match input {
            Input::Wager { bettor, .. } | Input::Clear { bettor } => Some(*bettor),
            _ => None,
        };
        let (table, is_dealt) = (&self.live.table, *input == Input::Deal);
        self.ready.retain(|player| {
            let places = places(table, player);
            !is_dealt && !places.is_empty() && placed.is_none_or(|at| !places.contains(&at))
        });
        self.set_clock();
        if before.standing().is_none() {
            self.keep_standing().await;
        }
        Ok(Ok(seq))
    }

    /// Keeps where the table stands when betting has opened; it is only a shortcut.
    async fn keep_standing(&self) {
        let Some(checkpoint) = self.live.checkpoint(When::BetsOpened) else { return };
        let (table, epoch) = (self.name.clone(), self.epoch);
        let kept = Append { table, epoch, checkpoint: Some(checkpoint), ..Append::default() };
        if let Err(error) = self.means.store.append(kept).await {
            tracing::warn!("table {}: {error}", self.name);
        }
    }

    /// Stands again as the log says, if the table is still ours.
    async fn reload(&mut self) -> Result<(), StoreError> {
        let mut tries = 1;
        self.live = loop {
            match self.load_again().await {
                Ok(live) => break live,
                Err(error @ StoreError::Stuck { .. }) => return Err(error),
                Err(error) if tries == MOST_TRIES => return Err(error),
                Err(error) => tracing::error!("table {} is not loaded: {error}", self.name),
            }
            tries += 1;
            tokio::time::sleep(AFTER_A_FAILURE).await;
        };
        self.set_clock();
        let earliest = Instant::now() + AFTER_A_FAILURE;
        self.clock = self.clock.map(|(when, due)| (when.max(earliest), due));
        self.show();
        Ok(())
    }

    async fn load_again(&self) -> Result<Live, StoreError> {
        let (store, name) = (&self.means.store, &self.name);
        match store.epoch(name).await? == Some(self.epoch) {
            true => Live::load(store, name, self.live.table.sheet(), self.epoch).await,
            false => Err(no_replay(name, "it has another owner")),
        }
    }

    /// Tells every viewer the last step; who cannot keep up is left behind and may resume.
    async fn announce(&mut self) {
        self.viewers.retain(|viewer| viewer.to.is_open());
        let Some(step) = self.live.steps.back() else { return };
        for viewer in &self.viewers {
            let view = Some(self.view(&viewer.who));
            viewer.to.send(step.told(self.live.table.sheet(), &viewer.who.name, view));
            if step.events.iter().any(|event| event.what == What::Settled) {
                viewer.to.send(self.head());
            }
        }
        for event in &step.events {
            let What::Moved(Transfer { from, to, .. }) = &event.what else { continue };
            let ((Account::Player(name), _) | (_, Account::Player(name))) = (from, to) else {
                continue;
            };
            if let Some(account) = self.account(name).await {
                let theirs = self.viewers.iter().filter(|viewer| viewer.who.name == *name);
                theirs.for_each(|viewer| viewer.to.send(account.clone()));
            }
        }
    }

    /// Shows every viewer the table where something changed that is no step of the log.
    fn show(&self) {
        for viewer in &self.viewers {
            viewer.to.send(self.state(&viewer.who));
        }
    }

    fn state(&self, viewer: &Person) -> FromHouse {
        FromHouse::State { version: self.live.version, view: self.view(viewer) }
    }

    fn head(&self) -> FromHouse {
        let Head { seq, hash } = self.live.head();
        FromHouse::Head { seq, hash: hash.to_string() }
    }

    /// What a player has away from the table; nothing where the store does not answer.
    async fn account(&self, player: &Name) -> Option<FromHouse> {
        match self.means.store.balance("", &Account::Player(player.clone())).await {
            Ok(balance) => {
                let (name, balance) = (player.to_string(), balance.to_string());
                Some(FromHouse::Account(Purse { name, balance }))
            }
            Err(error) => {
                tracing::error!("an account is not shown: {error}");
                None
            }
        }
    }

    fn view(&self, viewer: &Person) -> Box<View> {
        let now = Instant::now();
        let (table, ready) = (&self.live.table, &self.ready[..]);
        let clock = self.clock.filter(|(_, due)| due.has_clock()).map(|(when, due)| {
            let all = due.after(&self.means.pace, table);
            (when.saturating_duration_since(now), all)
        });
        Box::new(self.live.felt.view(&At { name: &self.name, table, ready, clock }, viewer))
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

    /// Whether somebody is ready, and nobody who is here could still place a wager.
    fn is_everyone_ready(&self) -> bool {
        let is_done = |player: &Name| {
            !self.has_part(player) || !self.is_here(player) || self.ready.contains(player)
        };
        let mut people = self.live.table.everyone();
        !self.ready.is_empty() && people.all(|(_, chair)| is_done(&chair.player))
    }
}

/// Waits until something is due.
async fn ring<T>(clock: Option<(Instant, T)>) -> T {
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

/// Refuses other terms than those that a table was opened with: its log and its cards have them.
fn keeps_its_terms(table: &str, opened: &TermSheet, asked: &TermSheet) -> Result<(), StoreError> {
    if opened == asked {
        return Ok(());
    }
    let before = RulesLine::new(opened.clone()).to_string();
    let before = before.split_once(" game ").map_or("", |(_, terms)| terms);
    Err(StoreError::OtherTerms { table: table.to_owned(), before: before.to_owned() })
}

#[cfg(test)]
mod tests {
    use rules::wager::Game;

    use super::*;

    /// A table of its own, and a store in which ann has money.
    async fn table(name: &str) -> TableTask {
        let file = format!("pitboss-{}-{name}.db", std::process::id());
        let file = std::env::temp_dir().join(file);
        let _ = std::fs::remove_file(&file);
        let store = Store::open(&file).await.unwrap();
        store.add_guest(&"ann".parse().unwrap(), "secret").await.unwrap();
        let mut sheet = TermSheet::new(Game::CasinoWar);
        sheet.set([("cut_card_depth", "156")]).unwrap();
        let means = Means { store, orders: dealer::entropy(), pace: Pace::default() };
        TableTask::open("war-1", &sheet, means).await.unwrap()
    }

    impl TableTask {
        async fn takes(&mut self, line: &str) {
            let done = self.put(&line.parse().unwrap(), None, None).await.unwrap();
            assert!(done.is_ok(), "{line}");
        }

        /// Loads the table as a start would, and says how many steps that took.
        async fn loaded(&self) -> (Live, usize) {
            let (store, sheet) = (&self.means.store, self.live.table.sheet());
            let live = Live::load(store, &self.name, sheet, self.epoch).await.unwrap();
            let steps = live.steps.len();
            (live, steps)
        }
    }

    /// Everything that later steps depend on.
    fn parts(live: &Live) -> impl PartialEq + std::fmt::Debug + use<> {
        let Live { table, chain, felt, custody, version, public, steps: _ } = live;
        (table.clone(), *chain, felt.clone(), custody.clone(), *version, *public)
    }

    #[tokio::test]
    async fn a_start_from_the_last_round_is_a_start_from_the_beginning() {
        let mut task = table("checkpoint").await;
        task.takes("sit 3 ann").await;
        task.takes("buy-in 3 1000").await;
        let mut rounds = 0;
        while rounds < 90 {
            match (task.live.table.awaits(), Due::at(&task.live.table)) {
                (TableAwaits::Wagers, Some(Due::Idle(_))) => {
                    task.takes("wager 3 main 5 progressive 5").await;
                }
                (_, Some(due)) => {
                    rounds += u32::from(due == Due::Deal);
                    task.when_due(due).await.unwrap();
                }
                (awaits, None) => panic!("nobody does anything: {awaits:?}"),
            }
            // Every step of the first rounds, and around every shuffle.
            if rounds < 4 || task.live.table.shoe().is_none_or(|shoe| shoe.dealt < 5) {
                let (live, steps) = task.loaded().await;
                assert_eq!(parts(&live), parts(&task.live));
                let since_the_deal = task.live.steps.iter().rev().position(|step| {
                    step.events.iter().any(|event| event.what == What::BetsClosed)
                });
                assert_eq!(since_the_deal.map_or(steps, |since| since + 1), steps);
            }
        }
        assert!(task.live.table.shoe().unwrap().number > 1);
        task.means.store.tamper("DELETE FROM checkpoints").await;
        let (live, steps) = task.loaded().await;
        assert_eq!(parts(&live), parts(&task.live));
        assert_eq!(steps, task.live.steps.len());
    }

    #[tokio::test]
    async fn a_shortcut_that_is_wrong_is_not_taken_and_books_that_differ_close_the_table() {
        let mut task = table("wrong").await;
        task.takes("sit 3 ann").await;
        task.takes("buy-in 3 1000").await;
        while task.live.table.awaits() != TableAwaits::Wagers {
            task.when_due(Due::at(&task.live.table).unwrap()).await.unwrap();
        }
        task.takes("wager 3 main 10").await;
        task.takes("deal").await;
        let (known, steps) = (parts(&task.live), task.live.steps.len());
        for wrong in [
            "UPDATE checkpoints SET standing = replace(standing, 'rack 1000', 'rack 900')",
            "UPDATE checkpoints SET standing = replace(standing, 'main 10', 'main 20')",
            "UPDATE checkpoints SET standing = replace(standing, 'shoe 1', 'shoe 2')",
            "UPDATE checkpoints SET standing = 'nothing'",
        ] {
            task.means.store.tamper(wrong).await;
            let (live, played) = task.loaded().await;
            assert_eq!(parts(&live), known, "{wrong}");
            assert_eq!(played, steps, "{wrong}");
        }
        task.means.store.tamper("UPDATE accounts SET balance = 1 WHERE account = 'escrow'").await;
        let (store, sheet) = (&task.means.store, task.live.table.sheet());
        let refused = Live::load(store, &task.name, sheet, task.epoch).await.err().unwrap();
        assert_eq!(
            refused.to_string(),
            "table war-1 cannot go on: its log has 10 in escrow, and the books have 0.01"
        );
    }

    #[tokio::test]
    async fn other_rules_begin_after_the_last_round_and_never_in_one() {
        let mut task = table("rules").await;
        task.takes("sit 3 ann").await;
        task.takes("buy-in 3 1000").await;
        let mut rounds = 0;
        while rounds < 2 {
            let table = &task.live.table;
            let is_placed = table.everyone().any(|(_, chair)| !chair.wager.is_empty());
            match table.awaits() {
                TableAwaits::Wagers if !is_placed => task.takes("wager 3 main 5").await,
                _ => task.when_due(Due::at(table).unwrap()).await.unwrap(),
            }
            rounds = task.live.table.rounds_played();
        }
        // The program that wrote these had other rules.
        let store = task.means.store.clone();
        let earlier = "UPDATE checkpoints SET rules = replace(rules, 'version ', 'version 0')";
        store.tamper(earlier).await;
        let (live, steps) = task.loaded().await;
        assert_eq!((live.table.standing(), steps), (task.live.table.standing(), 0));

        task.live = live;
        task.takes("wager 3 main 5").await;
        task.takes("deal").await;
        store.tamper(earlier).await;
        let (store, sheet) = (&task.means.store, task.live.table.sheet());
        let refused = Live::load(store, &task.name, sheet, task.epoch).await.err().unwrap();
        assert!(refused.to_string().contains("is in play; finish it with"), "{refused}");
    }

    #[tokio::test]
    async fn a_table_keeps_the_terms_it_was_opened_with() {
        let means = table("terms").await.means;
        let sheet = TermSheet::new(Game::CasinoWar);
        let refused = TableTask::open("war-1", &sheet, means).await.err().unwrap().to_string();
        assert_eq!(
            refused,
            "table war-1 cannot go on: it was opened as 'casino-war terms cut_card_depth=156'; \
             keep that, or give the table another name"
        );
    }
}
