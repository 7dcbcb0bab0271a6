//! One task owns one table: it decides, writes down, and only then answers and announces.

use std::io;
use std::time::Duration;

use audit::chain::Head;
use audit::log::Outcome;
use rules::money::Cents;
use rules::round::{Act, Call};
use rules::table::{
    Account, Chair, Cutter, Input, Name, TableAwaits, TableRefusal, Transfer, What,
};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, MOST_SEATS};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, sleep_until};

use crate::dealer::{self, Due, Orders, Pace, SealedOrder};
use crate::felt::{self, At, seat_of};
use crate::live::{Live, no_replay};
use crate::socket::{Outbox, not_watching};
use crate::store::{Append, Command, Known, Store, StoreError, When};
use crate::wire::{Do, FromHouse, Me, OnCircle, Refused, View};

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
    Command { socket: u64, player: Name, id: String, what: Do, to: Outbox },
    /// The last entry that anyone may see.
    Public(oneshot::Sender<u64>),
}

/// Somebody who watches.
pub(crate) struct Viewer {
    pub(crate) socket: u64,
    pub(crate) player: Name,
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
    /// Who at each seat is gone, without a wager, and since when.
    absent: [Option<(Name, Instant)>; MOST_SEATS],
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
        needs_no_supervisor(name, live.table.sheet())?;
        let (viewers, ready) = (Vec::new(), Vec::new());
        let (name, clock, absent) = (name.to_owned(), None, Default::default());
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
                seat = ring(leaves) => self.unseat(seat).await,
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
            Ask::Public(answer) => drop(answer.send(self.live.public)),
            Ask::Command { socket, id, to, .. } if !self.is_shown_to(socket) => {
                to.send(FromHouse::refused(id, not_watching()));
            }
            Ask::Command { player, id, what, to, .. } => {
                return self.command(player, id, what, &to).await;
            }
        }
        Ok(())
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
        let about = Box::new(felt::about(&self.name, self.live.table.sheet()));
        viewer.to.send(FromHouse::Table { about });
        if let Some(account) = self.account(&viewer.player).await {
            viewer.to.send(account);
        }
        let missed = from.and_then(|from| self.live.version.checked_sub(from)).unwrap_or(u64::MAX);
        match usize::try_from(missed) {
            Ok(missed @ 1..) if missed <= self.live.steps.len() => {
                let steps = self.live.steps.range(self.live.steps.len() - missed..);
                for step in steps {
                    let is_last = step.version == self.live.version;
                    let view = is_last.then(|| self.view(&viewer.player));
                    viewer.to.send(step.told(self.live.table.sheet(), &viewer.player, view));
                }
            }
            _ => viewer.to.send(self.state(&viewer.player)),
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
        let asks = serde_json::to_string(&(&self.name, &what)).expect("a command is plain JSON");
        let command = Command { player, id: id.clone(), asks };
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
        let input = match self.input(&command.player, what) {
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
        let seat = seat_of(table, player).ok_or_else(|| self.not_seated())?;
        let chair = table.seats()[seat].as_ref();
        let refusal = match table.awaits() {
            TableAwaits::Wagers if chair.is_some_and(has_part) => return Ok(()),
            TableAwaits::Wagers => TableRefusal::NothingBought,
            awaits => TableRefusal::NotAwaited { awaits },
        };
        Err(self.in_words(NotDone::Refused(refusal)))
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
        let seat = seat.ok_or_else(|| self.not_seated())?;
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
            Do::Watch { .. } | Do::Ping | Do::Sit { .. } | Do::Ready => {
                unreachable!("the table is not asked for this")
            }
        })
    }

    fn not_seated(&self) -> Refused {
        self.in_words(NotDone::Refused(TableRefusal::NotSeated))
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
            Due::Inspection(bettor) => Some(Input::TimeOut { bettor }),
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
    fn is_here(viewers: &[Viewer], player: &Name) -> bool {
        viewers.iter().any(|viewer| viewer.player == *player && viewer.to.is_open())
    }

    /// Notes who is gone, and says who of them leaves next, and when.
    fn next_to_leave(&mut self) -> Option<(Instant, usize)> {
        let (now, kept, viewers) = (Instant::now(), self.means.pace.absence, &self.viewers);
        for (chair, absent) in self.live.table.seats().iter().zip(&mut self.absent) {
            let gone = chair.as_ref().filter(|chair| chair.wager.is_empty());
            let gone = gone.map(|chair| &chair.player);
            let gone = gone.filter(|player| !TableTask::is_here(viewers, player));
            *absent = gone.map(|player| match absent.take() {
                Some((before, since)) if before == *player => (before, since),
                _ => (player.clone(), now),
            });
        }
        let absent = self.absent.iter().enumerate();
        let since = absent.filter_map(|(seat, absent)| Some((absent.as_ref()?.1 + kept, seat)));
        since.min()
    }

    /// Clears the seat of somebody who is gone; the chips go to the account.
    async fn unseat(&mut self, seat: usize) -> Result<(), StoreError> {
        self.absent[seat] = None;
        match self.put(&Input::Leave { bettor: Bettor::at(seat) }, None, None).await? {
            Ok(_) => self.announce().await,
            Err(NotDone::Failed) => {}
            Err(not_done) => {
                let sentence = self.in_words(not_done).sentence;
                tracing::warn!("table {}: seat {} is kept: {sentence}", self.name, seat + 1);
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
            Input::Wager { bettor, .. } | Input::Clear { bettor } => Some(bettor.seat()),
            _ => None,
        };
        let (table, is_dealt) = (&self.live.table, *input == Input::Deal);
        self.ready.retain(|player| {
            let seat = seat_of(table, player);
            !is_dealt && seat.is_some() && seat != placed
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
            let view = Some(self.view(&viewer.player));
            viewer.to.send(step.told(self.live.table.sheet(), &viewer.player, view));
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
                let theirs = self.viewers.iter().filter(|viewer| viewer.player == *name);
                theirs.for_each(|viewer| viewer.to.send(account.clone()));
            }
        }
    }

    /// Shows every viewer the table where something changed that is no step of the log.
    fn show(&self) {
        for viewer in &self.viewers {
            viewer.to.send(self.state(&viewer.player));
        }
    }

    fn state(&self, viewer: &Name) -> FromHouse {
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
                Some(FromHouse::Account(Me { name, balance }))
            }
            Err(error) => {
                tracing::error!("an account is not shown: {error}");
                None
            }
        }
    }

    fn view(&self, viewer: &Name) -> Box<View> {
        let now = Instant::now();
        let (table, ready) = (&self.live.table, &self.ready[..]);
        let clock = self.clock.map(|(when, due)| {
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
        let is_done = |chair: &Chair| {
            let is_here = TableTask::is_here(&self.viewers, &chair.player);
            !has_part(chair) || !is_here || self.ready.contains(&chair.player)
        };
        !self.ready.is_empty() && self.live.table.seats().iter().flatten().all(is_done)
    }
}

/// Whether somebody has placed a wager, or has chips to place one.
fn has_part(chair: &Chair) -> bool {
    !chair.wager.is_empty() || chair.rack > Cents::ZERO
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

/// Refuses terms under which a table would wait for a supervisor, of whom this house has none yet.
fn needs_no_supervisor(table: &str, sheet: &TermSheet) -> Result<(), StoreError> {
    match sheet.chosen().find(|(_, value)| *value == "supervisor_decides") {
        None => Ok(()),
        Some((term, value)) => Err(no_replay(
            table,
            format_args!("{}={value} needs a supervisor, and this house has none (G-06)", term.key),
        )),
    }
}

fn read_amount(text: &str) -> Result<Cents, Refused> {
    text.parse().map_err(|error| Refused::by_house(format!("'{text}': {error}")))
}

fn read_on_circle(on: &OnCircle) -> Result<(Circle, Cents), Refused> {
    let unknown = || Refused::by_house(format!("there is no circle '{}'", on.circle));
    Ok((Circle::named(&on.circle).ok_or_else(unknown)?, read_amount(&on.amount)?))
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
                (TableAwaits::Wagers, None) => task.takes("wager 3 main 5 progressive 5").await,
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
            match Due::at(&task.live.table) {
                Some(due) => task.when_due(due).await.unwrap(),
                None => task.takes("wager 3 main 5").await,
            }
            rounds = task.live.table.rounds_played();
        }
        // The program that wrote these had other rules.
        let store = task.means.store.clone();
        let earlier = "UPDATE checkpoints SET rules = replace(rules, 'version ', 'version 0')";
        store.tamper(earlier).await;
        let (live, steps) = task.loaded().await;
        assert_eq!((live.table.clone(), steps), (task.live.table.clone(), 0));

        task.live = live;
        task.takes("wager 3 main 5").await;
        task.takes("deal").await;
        store.tamper(earlier).await;
        let (store, sheet) = (&task.means.store, task.live.table.sheet());
        let refused = Live::load(store, &task.name, sheet, task.epoch).await.err().unwrap();
        assert!(refused.to_string().contains("is in play; finish it with"), "{refused}");
    }

    #[tokio::test]
    async fn terms_that_need_a_supervisor_are_refused_until_there_is_one() {
        let means = table("supervisor").await.means;
        let mut sheet = TermSheet::new(Game::CasinoWar);
        sheet.set([("tie_timeout", "supervisor_decides")]).unwrap();
        let refused = TableTask::open("war-2", &sheet, means).await.err().unwrap().to_string();
        assert_eq!(
            refused,
            "table war-2 cannot go on: tie_timeout=supervisor_decides needs a supervisor, and this \
             house has none (G-06)"
        );
    }
}
