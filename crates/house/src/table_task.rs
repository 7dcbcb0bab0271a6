//! One task owns one table: it decides, writes down, and only then answers and announces.

use std::io;
use std::time::{Duration, SystemTime};

use audit::chain::Head;
use audit::log::{Outcome, RulesLine};
use rules::money::Cents;
use rules::table::{Account, Chair, Input, Name, Table, TableAwaits, TableRefusal, Transfer, What};
use rules::terms::TermSheet;
use rules::wager::Bettor;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, sleep_until};

use crate::archive::Archive;
use crate::commands::{self, not_seated, places};
use crate::dealer::{self, Due, Orders, Pace, SealedOrder};
use crate::felt::{self, At};
use crate::live::{Live, no_replay};
use crate::people::gains;
use crate::progressive::{MeterMoved, Progressive, Tally};
use crate::role::Person;
use crate::rounds::RoundKept;
use crate::socket::{Outbox, not_watching};
use crate::store::{Append, Command, Known, Store, StoreError, When};
use crate::wire::{AboutTable, AwaitedWhat, Do, FromHouse, OrdersView, Purse, Refused, View};

/// Messages that may wait for a table.
pub const MOST_ASKED: usize = 256;

/// The most viewers of a table, where nothing is said.
pub const MOST_VIEWERS: usize = 256;

/// How long a table waits before it is told of a shared meter that moved elsewhere.
pub const METER_TOLD_EVERY: Duration = Duration::from_secs(1);

/// The most people who ask to bet on boxes of a table.
pub const MOST_ASKING: usize = 16;

/// How long the dealer waits after something could not be written.
pub const AFTER_A_FAILURE: Duration = Duration::from_secs(1);

/// How often a table with a disk that failed tries whether it can be written to.
pub const PROBED_EVERY: Duration = Duration::from_secs(5);

/// The longest pause before a table tries again to read its log.
pub const LONGEST_PAUSE: Duration = Duration::from_secs(30);

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
    /// What a supervisor decides without watching, or asks for.
    Decide { who: Person, what: Option<(String, Do)>, answer: oneshot::Sender<Decision> },
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

/// What came of a decision, and what may be decided now.
pub(crate) struct Decision {
    pub(crate) done: Result<Option<u64>, Refused>,
    pub(crate) now: OrdersView,
}

/// What the entrance and the floor see of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Glance {
    /// How many seats are taken.
    pub(crate) taken: usize,
    /// How many there are.
    pub(crate) seats: usize,
    pub(crate) viewers: usize,
    /// The progressive meter.
    pub(crate) meter: Option<Cents>,
    pub(crate) awaits: AwaitedWhat,
    /// How many rounds are over.
    pub(crate) rounds: u32,
    /// Whether something could not be written or read.
    pub(crate) is_troubled: bool,
}

impl Glance {
    pub(crate) fn of(table: &Table, viewers: usize) -> Glance {
        Glance {
            taken: table.seats().iter().flatten().count(),
            seats: table.seats().len(),
            viewers,
            meter: table.meter(),
            awaits: felt::awaited_of(table).0,
            rounds: table.rounds_played(),
            is_troubled: false,
        }
    }
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
pub(crate) struct Means<A = Store> {
    pub(crate) store: A,
    pub(crate) orders: Orders,
    pub(crate) pace: Pace,
    /// Whether a dealer enters the cards.
    pub(crate) physical: bool,
    /// Sockets that watch the table at most.
    pub(crate) viewers: usize,
    /// The meter that tables share.
    pub(crate) progressive: Option<Progressive>,
}

/// What an input would lead to.
struct Decided {
    table: Table,
    outcome: Outcome,
    /// What it does to the meter.
    did: Tally,
}

/// What is written down together with an input.
#[derive(Default)]
struct Extra {
    sealed: Option<SealedOrder>,
    command: Option<Command>,
    meter: Option<MeterMoved>,
}

/// The owner of a table.
pub(crate) struct TableTask<A = Store> {
    name: String,
    means: Means<A>,
    epoch: i64,
    live: Live,
    viewers: Vec<Viewer>,
    /// Who has said that no further wager will come.
    ready: Vec<Name>,
    /// Who asks to bet on which box.
    asking: Vec<(usize, Name)>,
    glance: watch::Sender<Glance>,
    clock: Option<(Instant, Due)>,
    /// Who was gone when an answer was due in this round, and got more time.
    graced: Vec<Name>,
    /// Why nothing is taken.
    trouble: Option<String>,
    /// When something was last tried to be written.
    probed: Instant,
    /// Who is gone from which place, without a wager, and since when.
    absent: Vec<(Bettor, Name, Instant)>,
    /// What the shared meter shows.
    shows: Option<watch::Receiver<Cents>>,
    /// How often it had begun again when the round added to it.
    meter_since: u64,
    /// When the table is told of it.
    meter_due: Option<Instant>,
    /// When other cards come.
    decks: Option<Instant>,
}

impl<A: Archive> TableTask<A> {
    /// Takes a table over from whoever had it, in the middle of a round if need be.
    pub(crate) async fn open(
        name: &str,
        sheet: &TermSheet,
        means: Means<A>,
    ) -> Result<TableTask<A>, StoreError> {
        let epoch = means.store.own(name).await?;
        let live = Live::load(&means.store, name, sheet, epoch).await?;
        keeps_its_terms(name, live.table.sheet(), sheet)?;
        let (viewers, ready, asking) = (Vec::new(), Vec::new(), Vec::new());
        let glance = watch::Sender::new(Glance::of(&live.table, 0));
        let (name, clock, absent) = (name.to_owned(), None, Vec::new());
        let shows = means.progressive.as_ref().map(Progressive::shows);
        let meter_since = means.store.meter_since(&name).await?;
        let (meter_due, decks, graced, trouble) = (None, None, Vec::new(), None);
        let mut task = TableTask {
            name,
            means,
            epoch,
            live,
            viewers,
            ready,
            asking,
            glance,
            clock,
            graced,
            trouble,
            probed: Instant::now(),
            absent,
            shows,
            meter_since,
            meter_due,
            decks,
        };
        task.set_clock();
        task.share_meter().await?;
        task.look_after_decks().await?;
        Ok(task)
    }

    /// Takes part in the progressive of the house, from before the first player on. A table that
    /// has had a meter of its own keeps it.
    async fn share_meter(&mut self) -> Result<(), StoreError> {
        if self.live.table.meter().is_none() || self.shares_meter() {
            return Ok(());
        }
        let Some(shows) = self.shows.as_ref().map(|shows| *shows.borrow()) else { return Ok(()) };
        if let Err(NotDone::Failed) = self.put(&Input::Meter(shows), None, None).await? {
            return Err(no_replay(&self.name, "it could not be told of its meter"));
        }
        Ok(())
    }

    /// Knows since when the table has its cards.
    async fn look_after_decks(&mut self) -> Result<(), StoreError> {
        if self.live.table.hours_of_decks().is_none() {
            return Ok(());
        }
        let mut since = self.means.store.decks(&self.name).await?;
        if since.is_none() {
            since = Some(unix_time());
            let (table, epoch) = (self.name.clone(), self.epoch);
            let append = Append { table, epoch, decks: since, ..Append::default() };
            self.means.store.append(append).await?;
        }
        self.change_decks(since);
        Ok(())
    }

    /// What never changes at it.
    pub(crate) fn about(&self) -> AboutTable {
        felt::about(&self.name, &self.live.table)
    }

    /// What others see of it.
    pub(crate) fn glance(&self) -> watch::Receiver<Glance> {
        self.glance.subscribe()
    }

    /// Runs the table until the house closes, or the disk or the entropy fails.
    pub(crate) async fn run(
        mut self,
        mut asked: mpsc::Receiver<Ask>,
        mut closing: watch::Receiver<bool>,
    ) {
        loop {
            let (clock, leaves) = (self.clock, self.next_to_leave());
            self.note_meter();
            let told = self.meter_due.map(|when| (when, ()));
            let decks = self.decks.map(|when| (when, ()));
            let probe = self.trouble.as_ref().map(|_| (self.probed + PROBED_EVERY, ()));
            let done = tokio::select! {
                _ = closing.changed() => break,
                ask = asked.recv() => match ask {
                    Some(ask) => self.take(ask).await,
                    None => break,
                },
                due = ring(clock) => self.when_due(due).await,
                bettor = ring(leaves) => self.unseat(bettor).await,
                () = ring(told) => self.tell_meter().await,
                () = ring(decks) => self.decks_due().await,
                () = moved(&mut self.shows) => Ok(()),
                () = ring(probe) => self.probe().await,
            };
            match done {
                Ok(()) => {}
                Err(error @ (StoreError::Stuck { .. } | StoreError::OtherTerms { .. })) => {
                    tracing::error!(table = self.name, "is closed: {error}");
                    break;
                }
                Err(error) => {
                    tracing::error!(table = self.name, "stands still: {error}");
                    if !self.stand_still(&mut asked, &mut closing).await {
                        break;
                    }
                }
            }
            self.look();
        }
        self.viewers.iter().for_each(|viewer| viewer.to.send(FromHouse::Closing));
    }

    /// Sees whether something can be written again, and lets everybody know.
    async fn probe(&mut self) -> Result<(), StoreError> {
        self.probed = Instant::now();
        if self.means.store.probe(&self.name).await.is_ok() {
            self.trouble = None;
            self.show();
        }
        Ok(())
    }

    /// Lets others see how the table is.
    fn look(&self) {
        let is_troubled = self.trouble.is_some();
        let now = Glance { is_troubled, ..Glance::of(&self.live.table, self.viewers.len()) };
        self.glance.send_if_modified(|seen| std::mem::replace(seen, now.clone()) != now);
    }

    /// Takes nothing until the log can be read again. Tells whether the table goes on.
    async fn stand_still(
        &mut self,
        asked: &mut mpsc::Receiver<Ask>,
        closing: &mut watch::Receiver<bool>,
    ) -> bool {
        self.clock = None;
        self.trouble = Some("The house cannot read its disk. The table stands still.".to_owned());
        self.show();
        self.look();
        let mut pause = AFTER_A_FAILURE;
        let mut next = Instant::now() + pause;
        loop {
            tokio::select! {
                _ = closing.changed() => return false,
                ask = asked.recv() => match ask {
                    Some(Ask::Command { id, to, .. }) => {
                        to.send(FromHouse::refused(id, self.in_words(NotDone::Failed)));
                    }
                    Some(Ask::Decide { .. }) => {}
                    Some(ask) => drop(self.take(ask).await),
                    None => return false,
                },
                () = sleep_until(next) => match self.reload().await {
                    Ok(()) => {
                        self.trouble = None;
                        self.show();
                        return true;
                    }
                    Err(error @ StoreError::Stuck { .. }) => {
                        tracing::error!(table = self.name, "is closed: {error}");
                        return false;
                    }
                    Err(error) => {
                        tracing::error!(table = self.name, "is not loaded: {error}");
                        pause = (pause * 2).min(LONGEST_PAUSE);
                        next = Instant::now() + pause;
                    }
                },
            }
        }
    }

    async fn take(&mut self, ask: Ask) -> Result<(), StoreError> {
        match ask {
            Ask::Watch { viewer, id, from } => self.watch(viewer, id, from).await,
            Ask::Unwatch { socket } => {
                self.viewers.retain(|viewer| viewer.socket != socket);
                // Who is gone keeps nobody waiting.
                if let Some((_, Due::Deal | Due::Mix)) = self.clock {
                    self.set_clock();
                }
                if self.forget_who_asked() {
                    self.show();
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
            Ask::Decide { who, what, answer } => return self.decides(who, what, answer).await,
        }
        Ok(())
    }

    /// Carries out what a supervisor decides, and tells what may be decided then.
    async fn decides(
        &mut self,
        who: Person,
        what: Option<(String, Do)>,
        answer: oneshot::Sender<Decision>,
    ) -> Result<(), StoreError> {
        let mut done = Ok(None);
        if let Some((id, what)) = what {
            let (to, mut waiting) = Outbox::new();
            self.command(who.clone(), id, what, &to).await?;
            done = match waiting.try_recv() {
                Ok(FromHouse::Answer { ok: true, seq, .. }) => Ok(seq),
                Ok(FromHouse::Answer { refusal: Some(refusal), .. }) => Err(refusal),
                _ => Err(self.in_words(NotDone::Failed)),
            };
        }
        let view = self.view(&who);
        let now = OrdersView {
            table: self.name.clone(),
            seq: done.as_ref().ok().copied().flatten(),
            round: view.round,
            awaited: view.awaited.what,
            outcomes: view.outcomes,
            said: view.said,
        };
        let _ = answer.send(Decision { done, now });
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
        if self.viewers.len() >= self.means.viewers {
            let refusal = Refused::by_house("as many watch this table as can");
            return viewer.to.send(FromHouse::refused(id, refusal));
        }
        viewer.to.send(FromHouse::done(id, None));
        let about = Box::new(self.about());
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
                tracing::error!(table = self.name, "{error}");
                let refusal = Refused::by_house("it could not be read; send it again");
                to.send(FromHouse::refused(id, refusal));
                return Ok(());
            }
        }
        if matches!(what, Do::Ready | Do::Ask { .. }) {
            return self.take_aside(command, &what, to).await;
        }
        let input = match &what {
            Do::Enter { line } => {
                commands::entered(&self.live.table, self.means.physical, &who, line)
            }
            _ => commands::input(&self.live.table, &self.live.custody, &who, what),
        };
        let input = match input {
            Ok(input) => input,
            Err(refusal) => {
                to.send(FromHouse::refused(id, refusal));
                return Ok(());
            }
        };
        if let Err(refusal) = self.allow(&who.name, &input).await {
            to.send(FromHouse::refused(id, refusal));
            return Ok(());
        }
        match self.put(&input, None, Some(command)).await? {
            Ok(seq) => {
                to.send(FromHouse::done(id, Some(seq)));
                self.announce().await;
            }
            Err(not_done) => to.send(FromHouse::refused(id, self.in_words(not_done))),
        }
        Ok(())
    }

    /// Refuses chips and wagers where a player's own limit forbids them. What is decided in a round
    /// is never held back.
    async fn allow(&self, player: &Name, input: &Input) -> Result<(), Refused> {
        let risk = match input {
            Input::BuyIn { .. } => Cents::ZERO,
            Input::Wager { bettor, amounts } => {
                let chairs = self.live.table.everyone();
                let others = chairs.filter(|(at, chair)| at != bettor && chair.player == *player);
                let wagers = others.flat_map(|(_, chair)| chair.wager.iter());
                wagers.chain(amounts).map(|(_, amount)| *amount).sum()
            }
            _ => return Ok(()),
        };
        self.means.store.allow(player, risk, unix_time()).await.unwrap_or_else(|error| {
            tracing::error!(table = self.name, "{error}");
            Err(Refused::by_house("it could not be read; send it again"))
        })
    }

    /// Notes that no further wager of a player comes, or that somebody asks to bet on a box: no
    /// input, but applied once like any command.
    async fn take_aside(
        &mut self,
        command: Command,
        what: &Do,
        to: &Outbox,
    ) -> Result<(), StoreError> {
        let (player, id) = (command.player.clone(), command.id.clone());
        let allowed = match what {
            Do::Ask { seat } => self.may_ask(*seat, &player).map(Some),
            _ => self.may_be_ready(&player).map(|()| None),
        };
        let asked = match allowed {
            Ok(asked) => asked,
            Err(refusal) => {
                to.send(FromHouse::refused(id, refusal));
                return Ok(());
            }
        };
        let (table, epoch) = (self.name.clone(), self.epoch);
        let append = Append { table, epoch, command: Some(command), ..Append::default() };
        if let Err(error) = self.means.store.append(append).await {
            tracing::error!(table = self.name, "{error}");
            to.send(FromHouse::refused(id, self.in_words(NotDone::Failed)));
            return Ok(());
        }
        to.send(FromHouse::done(id, None));
        match asked {
            Some(seat) => self.asking.push((seat, player)),
            None if !self.ready.contains(&player) => self.ready.push(player),
            None => {}
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

    /// The box that somebody may ask to bet on; refuses what the table would refuse later.
    fn may_ask(&self, seat: usize, player: &Name) -> Result<usize, Refused> {
        let table = &self.live.table;
        let host = seat.checked_sub(1).and_then(|seat| table.first_on_box(seat));
        let Some(host) = host else {
            return Err(Refused::by_house("nobody has this box: take it yourself"));
        };
        let seat = host.seat();
        if table.chair(host).is_some_and(|chair| chair.player == *player) {
            return Err(Refused::by_house("this box is yours"));
        }
        if self.asking.contains(&(seat, player.clone())) {
            return Err(Refused::by_house("you have asked already"));
        }
        if self.asking.len() == MOST_ASKING {
            return Err(Refused::by_house("too many ask at this table; try again later"));
        }
        let consent = Input::Consent { seat, player: player.clone() };
        let refused = table.clone().apply(&consent, &mut Vec::new());
        refused.map_err(|refusal| self.in_words(NotDone::Refused(refusal)))?;
        Ok(seat)
    }

    /// Forgets who asked and is gone, or has come to the table, or whose host is gone.
    /// Tells whether there was somebody.
    fn forget_who_asked(&mut self) -> bool {
        let asking = std::mem::take(&mut self.asking);
        let table = &self.live.table;
        let still = |(seat, player): &(usize, Name)| {
            let sits = |bettor: &Bettor| bettor.seat() == *seat;
            table.first_on_box(*seat).is_some()
                && self.is_here(player)
                && !places(table, player).iter().any(sits)
        };
        let were = asking.len();
        self.asking = asking.into_iter().filter(still).collect();
        self.asking.len() < were
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
        let asked = due.asked();
        let late = self.out_of_time(&asked);
        if !asked.is_empty() && late.is_none() {
            self.clock = Some((Instant::now() + self.means.pace.grace, due));
            self.show();
            return Ok(());
        }
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
            Due::Inspection(_) | Due::Unchosen(_) | Due::CutRefused(_) | Due::Unanswered(_) => {
                late.map(|bettor| Input::TimeOut { bettor })
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
                tracing::warn!(table = self.name, "'{input}' is refused: {sentence}");
                self.clock = None;
            }
        }
        Ok(())
    }

    /// Who of those that are asked has no more time. Whoever is gone has some more, once a round;
    /// where that is all of them, it begins now.
    fn out_of_time(&mut self, asked: &[Bettor]) -> Option<Bettor> {
        let name = |bettor: Bettor| self.live.table.chair(bettor).map(|chair| &chair.player);
        let is_late = |bettor: &Bettor| {
            name(*bettor).is_none_or(|name| self.is_here(name) || self.graced.contains(name))
        };
        let late = asked.iter().copied().find(is_late);
        if late.is_none() {
            let gone: Vec<Name> = asked.iter().filter_map(|b| name(*b)).cloned().collect();
            self.graced.extend(gone);
        }
        late.filter(|_| !asked.is_empty())
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
                tracing::warn!(table = self.name, "seat {bettor} is kept: {sentence}");
            }
        }
        Ok(())
    }

    /// Decides on a copy, writes down what came of it, and only then believes it.
    ///
    /// What moves a meter that tables share is decided while this one has it to itself.
    async fn put(
        &mut self,
        input: &Input,
        sealed: Option<SealedOrder>,
        command: Option<Command>,
    ) -> Result<Result<u64, NotDone>, StoreError> {
        let decided = match self.decide(input) {
            Ok(decided) => decided,
            Err(refusal) => return Ok(Err(NotDone::Refused(refusal))),
        };
        let progressive = self.means.progressive.clone();
        let progressive = progressive.filter(|_| decided.did.is_some() && self.shares_meter());
        let Some(progressive) = progressive else {
            return self.write(input, decided, Extra { sealed, command, meter: None }).await;
        };
        let meter = match progressive.take(&self.means.store).await {
            Ok(meter) => meter,
            Err(error) => return self.failed(&error).await,
        };
        if let Err(not_done) = self.is_told(meter.amount()).await? {
            return Ok(Err(not_done));
        }
        let decided = match self.decide(input) {
            Ok(decided) => decided,
            Err(refusal) => {
                meter.unmoved();
                return Ok(Err(NotDone::Refused(refusal)));
            }
        };
        let moved = meter.after(decided.did, self.meter_since);
        let extra = Extra { sealed, command, meter: Some(moved) };
        let done = self.write(input, decided, extra).await?;
        if done.is_ok() {
            self.meter_since = moved.since;
            meter.moved(moved.figures);
        }
        Ok(done)
    }

    /// Knows what the shared meter shows, before it is moved.
    async fn is_told(&mut self, shows: Cents) -> Result<Result<(), NotDone>, StoreError> {
        if self.live.table.meter() == Some(shows) {
            return Ok(Ok(()));
        }
        let told = Input::Meter(shows);
        let decided = match self.decide(&told) {
            Ok(decided) => decided,
            Err(refusal) => return Ok(Err(NotDone::Refused(refusal))),
        };
        let done = self.write(&told, decided, Extra::default()).await?;
        if done.is_ok() {
            self.announce().await;
        }
        Ok(done.map(drop))
    }

    fn shares_meter(&self) -> bool {
        self.live.table.shares_meter()
    }

    /// What would come of an input.
    fn decide(&self, input: &Input) -> Result<Decided, TableRefusal> {
        let mut table = self.live.table.clone();
        let outcome = Outcome::of(&mut table, input)?;
        let did = { self.live.tally }.follow(&outcome.events);
        Ok(Decided { table, outcome, did })
    }

    /// Writes down what was decided, and believes it then.
    async fn write(
        &mut self,
        input: &Input,
        decided: Decided,
        extra: Extra,
    ) -> Result<Result<u64, NotDone>, StoreError> {
        let Decided { table, outcome, .. } = decided;
        let Extra { sealed, command, meter } = extra;
        let mut chain = self.live.chain;
        let seq = chain.next();
        let entries = outcome.write(input, &mut chain);
        let moved = outcome.events.iter().filter_map(|event| match &event.what {
            What::Moved(transfer) => Some(transfer.clone()),
            _ => None,
        });
        let transfers: Vec<Transfer> = moved.collect();
        let gains = gains::of(input, &transfers, &self.live.table, &table);
        let came = outcome.events.iter().any(|event| matches!(event.what, What::Received(_)));
        let decks = came.then(unix_time);
        let closed = (*input == Input::Deal).then_some(When::BetsClosed);
        let append = Append {
            table: self.name.clone(),
            epoch: self.epoch,
            entries,
            transfers,
            gains,
            sealed: sealed.clone().map(|order| (table.shoes(), order)),
            command,
            checkpoint: closed.and_then(|when| self.live.checkpoint(when)),
            kept: RoundKept::of(self.live.version, &self.live.table, &outcome, &table),
            shares_meter: self.shares_meter(),
            meter,
            decks,
        };
        match self.means.store.append(append).await {
            Ok(()) => self.trouble = None,
            Err(StoreError::Overdrawn) => return Ok(Err(NotDone::Overdrawn)),
            Err(error) => return self.failed(&error).await,
        }
        let before = std::mem::replace(&mut self.live.table, table);
        self.live.chain = chain;
        if let Some(order) = sealed {
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
        if decks.is_some() {
            self.change_decks(decks);
        }
        if matches!(input, Input::Deal | Input::Shuffle { .. }) {
            self.graced.clear();
        }
        if let Input::Consent { seat, player } = input {
            self.asking.retain(|(of, name)| (of, name) != (seat, player));
        }
        self.forget_who_asked();
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
            tracing::warn!(table = self.name, "{error}");
        }
    }

    /// Stands again as the log says, since something could not be written.
    async fn failed(&mut self, error: &StoreError) -> Result<Result<u64, NotDone>, StoreError> {
        tracing::error!(table = self.name, "is loaded again: {error}");
        self.trouble = Some(match error {
            StoreError::Full => {
                "The disk of the house is full. Nothing is taken until there is room.".to_owned()
            }
            _ => "The house cannot write it down. Nothing is taken until it can.".to_owned(),
        });
        self.reload().await?;
        Ok(Err(NotDone::Failed))
    }

    /// Sets the day when other cards come, where the book says so (FBB-2-c).
    fn change_decks(&mut self, since: Option<i64>) {
        let hours = self.live.table.hours_of_decks();
        self.decks = hours.map(|hours| {
            let used = unix_time().saturating_sub(since.unwrap_or_else(unix_time)).max(0);
            let left = (i64::from(hours) * 3600).saturating_sub(used).max(0);
            Instant::now() + Duration::from_secs(u64::try_from(left).unwrap_or(0))
        });
    }

    /// A day is over: other cards come before the next round.
    async fn decks_due(&mut self) -> Result<(), StoreError> {
        self.decks = match self.does(&Input::DecksDue).await? {
            true => None,
            false => Some(Instant::now() + AFTER_A_FAILURE),
        };
        Ok(())
    }

    /// Tells the table what the shared meter shows, if somebody is there to see it.
    async fn tell_meter(&mut self) -> Result<(), StoreError> {
        self.meter_due = None;
        let shows = self.shows.as_mut().map(|shows| *shows.borrow_and_update());
        match shows.filter(|shows| self.live.table.meter() != Some(*shows)) {
            Some(shows) => self.does(&Input::Meter(shows)).await.map(drop),
            None => Ok(()),
        }
    }

    /// Sets when the table is told of a meter that moved elsewhere.
    fn note_meter(&mut self) {
        let shows = self.shows.as_ref().map(|shows| *shows.borrow());
        let is_stale = shows.is_some_and(|shows| self.live.table.meter() != Some(shows));
        let is_seen = !self.viewers.is_empty() && self.shares_meter();
        if is_stale && is_seen && self.meter_due.is_none() {
            self.meter_due = Some(Instant::now() + METER_TOLD_EVERY);
        }
    }

    /// Puts an input of the house's own and announces it; what the table refuses is left. Tells
    /// whether it need not come again.
    async fn does(&mut self, input: &Input) -> Result<bool, StoreError> {
        match self.put(input, None, None).await? {
            Ok(_) => self.announce().await,
            Err(NotDone::Failed) => return Ok(false),
            Err(not_done) => {
                let sentence = self.in_words(not_done).sentence;
                tracing::warn!(table = self.name, "'{input}' is refused: {sentence}");
            }
        }
        Ok(true)
    }

    /// Stands again as the log says, if the table is still ours.
    async fn reload(&mut self) -> Result<(), StoreError> {
        self.live = self.load_again().await?;
        self.meter_since = self.means.store.meter_since(&self.name).await?;
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
            let (left, all) =
                (when.saturating_duration_since(now), due.after(&self.means.pace, table));
            (left, all.max(left))
        });
        let asking = &self.asking[..];
        let trouble = self.trouble.as_deref();
        let seated = table.everyone().map(|(_, chair)| &chair.player);
        let bots: Vec<Name> =
            seated.filter(|player| self.means.store.is_bot(player)).cloned().collect();
        let at = At { name: &self.name, table, ready, asking, bots: &bots, trouble, clock };
        Box::new(self.live.felt.view(&at, viewer))
    }

    /// Sets the clock for what is due next; one that runs for the same goes on.
    fn set_clock(&mut self) {
        let (table, now) = (&self.live.table, Instant::now());
        let due = match self.means.physical {
            true => Due::at_physical(table),
            false => Due::at(table),
        };
        self.clock = due.map(|due| match self.clock {
            _ if due == Due::Deal && self.is_everyone_ready() => (now, due),
            _ if due == Due::Mix && self.has_everyone_added() => (now, due),
            Some((when, before)) if due.goes_on_from(before) => (when, due),
            _ => (now + due.after(&self.means.pace, table), due),
        });
    }

    /// Whether somebody has added to the order, and nobody who is here could still.
    fn has_everyone_added(&self) -> bool {
        let (table, added) = (&self.live.table, self.live.table.contributors());
        let is_done = |player: &Name| added.contains(player) || !self.is_here(player);
        !added.is_empty() && table.everyone().all(|(_, chair)| is_done(&chair.player))
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

/// Waits until a meter shows something else.
async fn moved(shows: &mut Option<watch::Receiver<Cents>>) {
    let is_moved = match shows {
        Some(shows) => shows.changed().await.is_ok(),
        None => false,
    };
    if !is_moved {
        std::future::pending().await
    }
}

/// Seconds of Unix time.
pub(crate) fn unix_time() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
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
    use crate::role::Role;

    /// A table of Casino War, and a store in which ann has money.
    async fn table(name: &str) -> TableTask {
        let mut sheet = TermSheet::new(Game::CasinoWar);
        sheet.set([("cut_card_depth", "156")]).unwrap();
        opened(name, "war-1", sheet).await
    }

    async fn opened(name: &str, table: &str, sheet: TermSheet) -> TableTask {
        let file = format!("pitboss-{}-{name}.db", std::process::id());
        let file = std::env::temp_dir().join(file);
        let _ = std::fs::remove_file(&file);
        let store = Store::open(&file).await.unwrap();
        store.add_guest(&"ann".parse().unwrap(), "secret").await.unwrap();
        store.add_guest(&"eve".parse().unwrap(), "other").await.unwrap();
        let progressive = Some(Progressive::open(&store, Cents::new(1_000_000)).await.unwrap());
        let (orders, pace) = (dealer::entropy(), Pace::default());
        let means =
            Means { store, orders, pace, physical: false, viewers: MOST_VIEWERS, progressive };
        TableTask::open(table, &sheet, means).await.unwrap()
    }

    impl TableTask {
        async fn takes(&mut self, line: &str) {
            let done = self.put(&line.parse().unwrap(), None, None).await.unwrap();
            assert!(done.is_ok(), "{line}");
        }

        /// Lets the dealer go on until wagers are awaited.
        async fn goes_on(&mut self) {
            while let Some(due) = Due::at(&self.live.table) {
                if matches!(due, Due::Idle(_)) {
                    break;
                }
                self.when_due(due).await.unwrap();
            }
        }

        /// What is answered to a command.
        async fn answers(&mut self, name: &str, role: Role, what: Do) -> (bool, Option<Refused>) {
            let (to, mut waiting) = Outbox::new();
            let who = Person { role, ..Person::player(name.parse().unwrap()) };
            let id = format!("{name} {}", self.live.version);
            self.command(who, id, what, &to).await.unwrap();
            match waiting.recv().await {
                Some(FromHouse::Answer { ok, refusal, .. }) => (ok, refusal),
                other => panic!("{other:?}"),
            }
        }

        /// Shows the table to somebody, on socket 0.
        fn shows_to(&mut self, name: &str) -> mpsc::Receiver<FromHouse> {
            let (to, hears) = Outbox::new();
            let who = Person::player(name.parse().unwrap());
            self.viewers.push(Viewer { socket: 0, who, to });
            hears
        }

        async fn log(&self) -> Vec<String> {
            let entries = self.means.store.entries(&self.name, 1, u64::MAX).await.unwrap();
            entries.into_iter().map(|entry| entry.line).collect()
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
        let Live { table, chain, felt, custody, version, public, steps: _, tally } = live;
        (table.clone(), *chain, felt.clone(), custody.clone(), *version, *public, *tally)
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
    async fn a_supervisor_orders_in_their_own_name_and_nobody_else_does() {
        let mut task = table("orders").await;
        task.takes("sit 3 ann").await;
        task.takes("buy-in 3 100").await;
        task.goes_on().await;
        task.takes("wager 3 main 5").await;
        task.takes("deal").await;
        let report = || Do::Report { report: "face-up 9d".to_owned(), injected: false };
        let (ok, refusal) = task.answers("ann", Role::Player, report()).await;
        assert_eq!((ok, refusal.unwrap().source.as_str()), (false, "G-09"));
        let eve = Person { role: Role::Supervisor, ..Person::player("eve".parse().unwrap()) };
        assert!(task.answers("eve", Role::Supervisor, report()).await.0);

        // The table is frozen: nothing is due, and only the supervisor sees what may be ordered.
        assert_eq!(task.clock, None);
        assert_eq!(task.view(&eve).outcomes, ["discard"]);
        assert!(task.view(&Person::player(eve.name.clone())).outcomes.is_empty());
        let order = |order: &str| Do::Order { order: order.to_owned(), because: None };
        let (ok, refusal) = task.answers("eve", Role::Supervisor, order("void")).await;
        assert!(!ok && refusal.unwrap().source.starts_with("CW-10"));
        assert!(task.answers("eve", Role::Supervisor, order("discard")).await.0);
        assert!(task.log().await.iter().any(|line| line.starts_with("> ordered discard by eve")));
        assert!(task.clock.is_some());
    }

    #[tokio::test]
    async fn somebody_asks_to_bet_on_a_box_and_is_let() {
        // DAB-13-a.
        let mut sheet = TermSheet::new(Game::DoubleAttack);
        sheet.set([("max_bettors_per_box", "2")]).unwrap();
        let mut task = opened("asks", "attack-1", sheet).await;
        let _hears = task.shows_to("eve");
        let ask = || Do::Ask { seat: 3 };
        let asking = |task: &TableTask| {
            let view = task.view(&Person::player("ann".parse().unwrap()));
            view.seats[2].asking.clone()
        };
        let (ok, refusal) = task.answers("eve", Role::Player, ask()).await;
        assert_eq!((ok, refusal.unwrap().sentence.contains("take it yourself")), (false, true));
        task.takes("sit 3 ann").await;
        assert!(task.answers("eve", Role::Player, ask()).await.0);
        assert_eq!(asking(&task), ["eve"]);
        assert!(!task.answers("ann", Role::Player, ask()).await.0, "it is hers");
        task.takes("consent 3 eve").await;
        assert!(asking(&task).is_empty());

        // Who goes asks no more.
        task.takes("revoke 3 eve").await;
        assert!(task.answers("eve", Role::Player, ask()).await.0);
        task.take(Ask::Unwatch { socket: 0 }).await.unwrap();
        assert!(asking(&task).is_empty());

        let mut alone = table("asks-alone").await;
        alone.takes("sit 3 ann").await;
        let (ok, refusal) = alone.answers("eve", Role::Player, ask()).await;
        assert!(!ok && refusal.unwrap().source != "house", "Casino War has one bettor a box");
    }

    #[tokio::test]
    async fn the_order_is_mixed_when_everyone_who_is_here_has_added() {
        let mut task = table("adds").await;
        let _hears = task.shows_to("ann");
        for line in ["sit 3 ann", "sit 4 bob", "inspect 3"] {
            task.takes(line).await;
        }
        task.when_due(Due::Shuffle).await.unwrap();
        let left = |task: &TableTask| task.clock.unwrap().0.duration_since(Instant::now());
        assert!(left(&task) > Duration::from_secs(7), "{:?}", task.clock);
        task.takes(&format!("contribute 3 {}", "5c".repeat(32))).await;
        assert_eq!((left(&task), task.clock.unwrap().1), (Duration::ZERO, Due::Mix));
    }

    #[tokio::test]
    async fn a_hit_at_one_table_takes_what_both_added_together_with_its_round_or_not_at_all() {
        // CW-R19: 15 % of 5 each, on a seed of 10,000.
        let mut here = table("hit").await;
        let (sheet, means) = (here.live.table.sheet().clone(), here.means.clone());
        let store = means.store.clone();
        let mut there = TableTask::open("war-2", &sheet, means).await.unwrap();
        for (task, name) in [(&mut here, "ann"), (&mut there, "eve")] {
            for line in [
                &format!("sit 1 {name}"),
                "buy-in 1 100",
                "inspect 1",
                "shuffle physical wash plug riffle riffle strip turn riffle cut",
                "cut 1 60",
                "card ??",
                "wager 1 main 5 progressive 5",
                "deal",
                "card Ah",
            ] {
                task.takes(line).await;
            }
        }
        let meter = |task: &TableTask| task.live.table.meter().unwrap().to_string();
        assert_eq!([meter(&here), meter(&there)], ["10000.75", "10001.50"]);
        for line in ["card Ah", "act 1 war", "card ??", "card ??", "card ??", "card Ah"] {
            there.takes(line).await;
        }
        store
            .tamper(
                "CREATE TRIGGER broken BEFORE INSERT ON ended \
                 BEGIN SELECT RAISE(ABORT, 'broken'); END",
            )
            .await;
        let last: Input = "card Ah".parse().unwrap();
        assert!(matches!(there.put(&last, None, None).await, Ok(Err(NotDone::Failed))));
        let figures = async || store.figures(crate::progressive::PROGRESSIVE).await.unwrap();
        assert_eq!(figures().await.unwrap().awards, 0, "no round, no award");
        store.tamper("DROP TRIGGER broken").await;
        there.takes("card Ah").await;
        let figures = figures().await.unwrap();
        assert_eq!((figures.awards, figures.awarded.to_string()), (1, "10001.50".to_owned()));
        let meter_account = Account::Meter;
        let held = store.balance(crate::progressive::PROGRESSIVE, &meter_account).await.unwrap();
        assert_eq!((held.to_string(), held), ("10000".to_owned(), figures.balance()));
        let awards = store.settlements("war-2", 1, None).await.unwrap();
        let award = awards.iter().find(|wager| wager.is_award).unwrap();
        assert_eq!(award.gain.to_string(), "10001.50");
        assert_eq!(store.total().await.unwrap(), Cents::ZERO);

        // The first table is told before its own next wager counts.
        here.takes("card 4s").await;
        here.takes("wager 1 main 5 progressive 5").await;
        here.takes("deal").await;
        assert_eq!(meter(&here), "10000.75");
        assert!(here.log().await.iter().any(|line| line == "< meter 10000"));
    }

    #[tokio::test]
    async fn who_is_gone_has_more_time_once_a_round_and_who_is_there_has_not() {
        // G-06: and then silence decides as for anybody.
        let mut task = table("grace").await;
        let _hears = task.shows_to("ann");
        for line in ["sit 3 ann", "sit 4 bob", "buy-in 3 100", "inspect 3"] {
            task.takes(line).await;
        }
        let cut = async |task: &mut TableTask| match Due::at(&task.live.table) {
            Some(due @ Due::CutRefused(_)) => task.when_due(due).await.unwrap(),
            other => panic!("{other:?}"),
        };
        task.when_due(Due::Shuffle).await.unwrap();
        task.takes("mix").await;
        cut(&mut task).await;
        let asked = |task: &TableTask| Due::at(&task.live.table).unwrap().asked();
        assert_eq!(asked(&task), [Bettor::at(3)], "ann is here and has not cut");
        cut(&mut task).await;
        assert_eq!(asked(&task), [Bettor::at(3)], "bob is gone, and gets more time");
        let left = task.clock.unwrap().0.duration_since(Instant::now());
        assert!(left > dealer::GRACE - Duration::from_secs(1), "{left:?}");
        cut(&mut task).await;
        assert_ne!(asked(&task), [Bettor::at(3)], "once");
    }

    #[tokio::test]
    async fn a_dealer_enters_the_cards_of_a_physical_table_and_nobody_else_does() {
        let mut task = table("physical").await;
        task.means.physical = true;
        for line in ["sit 3 ann", "buy-in 3 100", "inspect 3"] {
            task.takes(line).await;
        }
        let enter = |line: &str| Do::Enter { line: line.to_owned() };
        assert_eq!(task.clock, None, "nobody but the dealer shuffles");
        for role in [Role::Player, Role::Supervisor, Role::Operator] {
            assert!(!task.answers("eve", role, enter("shuffle")).await.0, "{role:?}");
        }
        for line in ["shuffle", "cut dealer 60"] {
            let (done, refusal) = task.answers("eve", Role::Dealer, enter(line)).await;
            let is_shuffle = line == "shuffle";
            assert_eq!(done, is_shuffle, "{line}: {refusal:?}");
        }
        task.takes("cut 3 60").await;
        let dealer = Person { role: Role::Dealer, ..Person::player("eve".parse().unwrap()) };
        assert!(!task.view(&dealer).hands.is_empty(), "the dealer reads what to do");
        for line in ["buy-in 3 100", "order void by eve", "shuffle 00", "card Xx", ""] {
            assert!(!task.answers("eve", Role::Dealer, enter(line)).await.0, "{line}");
        }
        assert!(task.answers("eve", Role::Dealer, enter("card ??")).await.0);
        task.takes("wager 3 main 5").await;
        assert_eq!(task.clock.unwrap().1, Due::Deal);
        for line in ["deal", "card 9d", "card 4s"] {
            assert!(task.answers("eve", Role::Dealer, enter(line)).await.0, "{line}");
        }
        assert_eq!(task.live.table.rounds_played(), 1);
        assert!(task.log().await.iter().any(|line| line.starts_with("< shuffle physical")));

        let mut digital = table("digital").await;
        let (done, refusal) = digital.answers("eve", Role::Dealer, enter("shuffle")).await;
        assert_eq!(
            (done, refusal.unwrap().sentence),
            (false, "the house deals this table itself".to_owned())
        );
    }

    #[tokio::test]
    async fn what_cannot_be_written_is_said_at_the_table_until_something_can() {
        let mut task = table("trouble").await;
        let mut hears = task.shows_to("ann");
        let store = task.means.store.clone();
        store
            .tamper(
                "CREATE TRIGGER broken BEFORE INSERT ON entries \
                 BEGIN SELECT RAISE(ABORT, 'broken'); END",
            )
            .await;
        let sit = || Do::Sit { seat: 3, behind: false };
        let (done, refusal) = task.answers("ann", Role::Player, sit()).await;
        assert_eq!((done, refusal.unwrap().sentence.contains("send it again")), (false, true));
        let Some(FromHouse::State { view, .. }) = hears.recv().await else { panic!() };
        let trouble = "The house cannot write it down. Nothing is taken until it can.";
        assert_eq!((view.trouble.as_deref(), view.said.as_str()), (Some(trouble), trouble));
        store.tamper("DROP TRIGGER broken").await;
        task.probe().await.unwrap();
        let Some(FromHouse::State { view, .. }) = hears.recv().await else { panic!() };
        assert_eq!(view.trouble, None, "it is seen without anybody's doing");
        assert!(task.answers("ann", Role::Player, sit()).await.0);
        let Some(FromHouse::Event { view: Some(view), .. }) = hears.recv().await else { panic!() };
        assert_eq!((view.trouble, view.seats[2].name.as_deref()), (None, Some("ann")));
    }

    #[tokio::test]
    async fn a_supervisor_decides_without_watching() {
        let mut task = table("decides").await;
        for line in ["sit 3 ann", "buy-in 3 100"] {
            task.takes(line).await;
        }
        task.goes_on().await;
        task.takes("wager 3 main 5").await;
        task.takes("deal").await;
        let eve = Person { role: Role::Supervisor, ..Person::player("eve".parse().unwrap()) };
        let mut decide = async |what: Option<Do>| {
            let (answer, answered) = oneshot::channel();
            let what = what.map(|what| (format!("{what:?}"), what));
            task.take(Ask::Decide { who: eve.clone(), what, answer }).await.unwrap();
            answered.await.unwrap()
        };
        let before = decide(None).await;
        assert!(before.now.outcomes.is_empty() && before.done == Ok(None));
        let report = Do::Report { report: "face-up 9d".to_owned(), injected: false };
        let reported = decide(Some(report)).await;
        assert!(reported.done.is_ok());
        assert_eq!(reported.now.outcomes, ["discard"]);
        let order = |order: &str| {
            let because = Some("it was seen".to_owned());
            Some(Do::Order { order: order.to_owned(), because })
        };
        assert!(decide(order("void")).await.done.unwrap_err().source.starts_with("CW-10"));
        let ordered = decide(order("discard")).await;
        assert!(ordered.done.is_ok_and(|seq| seq == ordered.now.seq && seq.is_some()));
        let log = task.log().await;
        let line = "< order discard by eve because it was seen";
        assert!(log.iter().any(|other| other == line), "who and why are in the log");
    }

    #[tokio::test]
    async fn other_cards_come_after_a_day() {
        // FBB-2-c, FBB-R28: also where the house was closed meanwhile.
        let mut task = opened("decks", "free-1", TermSheet::new(Game::FreeBet)).await;
        let in_hours = |task: &TableTask| {
            let left = task.decks.unwrap().saturating_duration_since(Instant::now());
            (left.as_secs() + 1800) / 3600
        };
        assert_eq!(in_hours(&task), 24);
        let since = Some(unix_time() - 20 * 3600);
        let (table, epoch) = (task.name.clone(), task.epoch);
        let append = Append { table, epoch, decks: since, ..Append::default() };
        task.means.store.append(append).await.unwrap();
        task.look_after_decks().await.unwrap();
        assert_eq!(in_hours(&task), 4);

        task.takes("sit 3 ann").await;
        task.takes("buy-in 3 100").await;
        task.goes_on().await;
        task.decks_due().await.unwrap();
        task.goes_on().await;
        let log = task.log().await;
        for line in ["< decks due", "< decks inspected", "> revealed 1"] {
            assert!(log.iter().any(|other| other == line), "{line}");
        }
        assert_eq!((task.live.table.awaits(), in_hours(&task)), (TableAwaits::Wagers, 24));
    }

    #[tokio::test]
    async fn an_idle_table_spreads_its_cards_and_sleeps_when_nobody_is_there() {
        // G-14.
        let mut task = table("idle").await;
        task.takes("sit 3 ann").await;
        task.goes_on().await;
        task.takes("leave 3").await;
        assert_eq!(Due::at(&task.live.table), Some(Due::Idle(0)));
        task.when_due(Due::Idle(0)).await.unwrap();
        task.goes_on().await;
        assert_eq!((task.live.table.awaits(), task.clock), (TableAwaits::Player, None));
        let log = task.log().await;
        assert!(log.iter().any(|line| line == "< idle"));
        assert!(log.iter().any(|line| line == "> revealed 1"));
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
