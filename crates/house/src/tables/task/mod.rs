//! One task owns one table: it decides, writes down, and only then answers and announces.
//!
//! In reading order: `requests` (what comes in), `orders` (what supervisors decide), `write` (what is decided, and written down before it is
//! believed), `times` (when), `tell` (what goes out), `clock` (what happens by itself), `company` (house players), `ritual` (commitments, openings and
//! the cut of an order), and `shared` (the meter of the
//! house, and cards that grow old).

mod clock;
mod company;
#[cfg(test)]
mod faults;
mod orders;
mod requests;
mod ritual;
mod shared;
mod tell;
#[cfg(test)]
mod tests;
mod times;
mod write;

use std::collections::HashSet;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, SystemTime};

use futures_util::FutureExt;
use rules::money::Cents;
use rules::table::{Name, Table, TableRefusal};
use rules::terms::TermSheet;
use rules::wager::Bettor;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, sleep_until};

use wire::{
    AwaitedWhat, ClosedCall, Coach, OrdersView, Parameter, Refusal, SupervisorCommand, View,
};

use super::asks;
use super::chips::{Holding, Holdings};
use super::commands::TableCommand;
use super::dealer::{Due, Orders, Pace, Salts, TimeOfDay};
use super::live::{Live, no_replay};
use super::outbox::Outbox;
use super::progressive::Progressive;
use super::refusals;
use super::tempo::Tempo;
use crate::analysis::Position;
use crate::metrics::Metrics;
use crate::people::Person;
use crate::people::names::is_house_player;
use crate::store::{Command, Known, LEASE, Store, StoreError, TableStore};

use clock::ring;
use ritual::Ritual;
use shared::moved;
use times::Times;

/// How late the clock of a table may ring before the process was stopped, and its sockets not read.
pub const STALLED: Duration = Duration::from_millis(100);

/// How long a table waits then for what is in the sockets.
pub const AFTER_A_STALL: Duration = Duration::from_millis(100);

/// Messages that may wait for a table.
pub const MOST_ASKED: usize = 256;

/// How long a table waits before it is told of a shared meter that moved elsewhere.
pub const METER_TOLD_EVERY: Duration = Duration::from_secs(1);

/// The most people who ask to bet on boxes of a table.
pub const MOST_ASKING: usize = 16;

/// How long the dealer waits after something could not be written.
pub const AFTER_A_FAILURE: Duration = Duration::from_secs(1);

/// How often a table with a disk that failed tries whether it can be written to.
pub const PROBED_EVERY: Duration = Duration::from_secs(5);

/// The longest pause before a table tries again to read its log.
pub const LONGEST_PAUSE: Duration = Duration::from_secs(2);

// A table goes on as soon after its store is back as after the death of its node.
const _: () = assert!(LONGEST_PAUSE.as_millis() <= LEASE.as_millis());

/// How often a table may fail by a mistake of the program in [`FAILURES_WITHIN`]; after one more it is
/// closed.
pub const MOST_FAILURES: usize = 3;

/// The time in which failures of a table are counted.
pub const FAILURES_WITHIN: Duration = Duration::from_secs(60);

/// What a table is asked.
pub(crate) enum Ask {
    /// A client watches from now on.
    Watch { viewer: Viewer, id: String, from: Option<u64> },
    /// A client is gone, or watches another table.
    Unwatch { socket: u64, player: Name },
    /// A client's command.
    Command { socket: u64, who: Person, id: String, what: TableCommand, to: Outbox },
    /// What a supervisor decides without watching, or asks for.
    Decide {
        who: Person,
        what: Option<(String, SupervisorCommand)>,
        answer: oneshot::Sender<Decision>,
    },
    /// Somebody does not play from now on: the table sees who that is.
    LookAround,
    /// Its books do not agree with the rest of the store: it closes.
    BooksDiffer,
    /// It is not wanted any more, and closes if nobody has a place. Where its time is over, whoever has
    /// one leaves once the round is.
    Close { is_over: bool },
    /// It goes to another node, and ends here: between rounds only, or else between two inputs. The answer
    /// is its epoch, or none where a round is under way.
    HandOver { between_rounds: bool, answer: oneshot::Sender<Option<i64>> },
    /// How much of the log anyone may see.
    Published(oneshot::Sender<Published>),
    /// What a player knows at the decisions that the player is asked for.
    Positions { player: Name, answer: oneshot::Sender<Question> },
    /// Why other calls than those that are open to a player are not.
    Closed { player: Name, answer: oneshot::Sender<Vec<ClosedCall>> },
}

impl Ask {
    /// Has whoever asked come again, because the table is not here any more. Whoever waits for an answer is
    /// told that there is none.
    pub(crate) fn comes_again(self) {
        if let Ask::Watch { viewer: Viewer { to, .. }, .. } | Ask::Command { to, .. } = self {
            to.watch_again();
        }
    }
}

/// Somebody who watches.
pub(crate) struct Viewer {
    pub(crate) socket: u64,
    pub(crate) who: Person,
    pub(crate) to: Outbox,
    /// What was shown last, so that only what changes is told.
    pub(crate) shown: Option<Box<View>>,
    /// The number of that view.
    pub(crate) number: u64,
}

/// What came of a decision, and what may be decided now.
pub(crate) struct Decision {
    pub(crate) done: Result<Option<u64>, Refusal>,
    pub(crate) now: OrdersView,
}

/// What a player is asked now, with all that the player knows.
pub(crate) struct Question {
    pub(crate) round: u32,
    pub(crate) positions: Vec<Position>,
    /// The shoe in use, and the entry since which it is known who has seen what of it.
    pub(crate) shoe: u32,
    pub(crate) seen_since: u64,
    /// The moment at the table.
    pub(crate) moment: u64,
    /// The moment there is now: a question of another one is of no use any more.
    pub(crate) now: Arc<AtomicU64>,
}

/// What the entrance and the floor see of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Glance {
    /// How many seats are taken.
    pub(crate) taken: usize,
    /// How many there are.
    pub(crate) seats: usize,
    pub(crate) viewers: usize,
    /// Who has a place, each once.
    pub(crate) players: Vec<String>,
    /// How many people watch who have no place.
    pub(crate) spectators: usize,
    /// How many house players are wanted here.
    pub(crate) company: usize,
    /// Whether somebody who comes now finds a seat, and may bet in the next round.
    pub(crate) is_open: bool,
    /// The progressive meter.
    pub(crate) meter: Option<Cents>,
    pub(crate) awaits: AwaitedWhat,
    /// About how long a round takes.
    pub(crate) round_time: Option<Duration>,
    /// How many rounds are over.
    pub(crate) rounds: u32,
    /// Why nothing is taken, where something could not be written or read, or it is closed.
    pub(crate) trouble: Option<Refusal>,
    /// Whether it is closed because nobody wants it any more.
    pub(crate) is_unwanted: bool,
    /// Whether it is closed here because another node owns it.
    pub(crate) has_moved: bool,
    /// What is whose there, where other nodes ask for it.
    pub(crate) holding: Vec<(Name, Holding)>,
}

impl Glance {
    pub(crate) fn of(table: &Table, viewers: &[Viewer]) -> Glance {
        let (taken, seats) = (table.seats().iter().flatten().count(), table.seats().len());
        let mut players: Vec<String> = Vec::new();
        let people = || viewers.iter().filter(|viewer| !viewer.who.is_house_player());
        for (_, chair) in table.everyone().filter(|(_, chair)| !is_house_player(&chair.player)) {
            if !players.iter().any(|name| name == chair.player.as_str()) {
                players.push(chair.player.to_string());
            }
        }
        let has_place = |name: &Name| players.iter().any(|player| player == name.as_str());
        let watching = people().map(|viewer| &viewer.who.name);
        let spectators: HashSet<&Name> = watching.filter(|name| !has_place(name)).collect();
        Glance {
            taken,
            seats,
            viewers: viewers.len(),
            spectators: spectators.len(),
            company: 0,
            players,
            is_open: taken < seats && table.may_bet_next(None).is_ok(),
            meter: table.meter(),
            awaits: asks::awaited_of(table).0,
            round_time: None,
            rounds: table.rounds_played(),
            trouble: None,
            is_unwanted: false,
            has_moved: false,
            holding: Vec::new(),
        }
    }
}

/// How much of a log anyone may see at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Published {
    /// The last entry up to which nothing is hidden from anybody.
    pub(crate) opened: u64,
    /// The last entry; what only some may see of those after `opened` is not told.
    pub(crate) last: u64,
}

/// What a table does next.
enum Next {
    /// It ends: the house closes, or nobody can ask it anything any more.
    Closing,
    Asked(Ask),
    /// What nobody prevented in time.
    Due(Due),
    /// Nothing yet: what had arrived before a clock rang is read first.
    Reading,
    /// Somebody leaves a place.
    Leaves(Bettor),
    /// It is told what the shared meter shows.
    MeterDue,
    DecksDue,
    /// The shared meter shows something else.
    MeterMoved,
    /// It sees whether something can be written again.
    Probe,
}

/// What a command led to.
enum Done {
    /// A step of the log, at this entry.
    Step(u64),
    /// Something that is no part of the log.
    Aside,
}

/// Why something is not done.
enum NotDone {
    /// The table refuses it.
    Table(TableRefusal),
    /// The house refuses it.
    House(Refusal),
    /// The player's account does not hold it.
    Overdrawn,
    /// The command, or another one with its id, was carried out before.
    Repeated,
    /// Another node has moved the progressive meanwhile: it is decided again.
    MeterMoved,
    /// It could not be written; the table stands as the log says.
    Failed(StoreError),
    /// Nor can the table be read again.
    Lost(StoreError),
}

impl From<TableRefusal> for NotDone {
    fn from(refusal: TableRefusal) -> NotDone {
        NotDone::Table(refusal)
    }
}

impl From<Refusal> for NotDone {
    fn from(refusal: Refusal) -> NotDone {
        NotDone::House(refusal)
    }
}

/// What a table needs of its house.
#[derive(Clone)]
pub(crate) struct Means<A = Store> {
    pub(crate) store: A,
    pub(crate) orders: Orders,
    pub(crate) salts: Salts,
    pub(crate) time_of_day: TimeOfDay,
    pub(crate) pace: Pace,
    /// Whether a dealer enters the cards.
    pub(crate) physical: bool,
    /// Whether it says what decisions are worth.
    pub(crate) coach: Coach,
    /// House players that may be asked for.
    pub(crate) company: usize,
    /// Sockets that watch the table at most.
    pub(crate) viewers: usize,
    /// The meter that tables share.
    pub(crate) progressive: Option<Progressive>,
    /// What one supervisor corrects alone.
    pub(crate) correction_alone: Cents,
    /// Where it says what is whose.
    pub(crate) holdings: Holdings,
    /// What counts its failures.
    pub(crate) metrics: Metrics,
    /// The id of the house, to which players commit.
    pub(crate) house: Name,
    /// Whether other nodes may own it at other times.
    pub(crate) is_of_a_node: bool,
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
    /// How many house players were asked for.
    company: usize,
    /// What players have answered for the order of the cards.
    ritual: Ritual,
    glance: watch::Sender<Glance>,
    /// The moment at the table, for questions that are asked elsewhere.
    moment: Arc<AtomicU64>,
    clock: Option<(Instant, Due)>,
    /// When betting ends at the latest, where it has begun.
    bets_close: Option<Instant>,
    /// The earliest moment for anything that happens by itself.
    acts_after: Instant,
    /// For what the clock rang before, after how many inputs, and how many messages are read before it
    /// does that.
    rang: Option<(u64, Due)>,
    unread: usize,
    /// What the log says of time.
    times: Times,
    /// Who was gone when an answer was due in this round, and got more time.
    graced: Vec<Name>,
    /// Why nothing is taken.
    trouble: Option<Refusal>,
    /// When something was last tried to be written.
    probed: Instant,
    /// Who is gone from which place, without a wager, and since when.
    absent: Vec<(Bettor, Name, Instant)>,
    /// Who leaves once their round is over, because a supervisor said so.
    leaving: Vec<Name>,
    /// The earliest moment for that.
    leaves_after: Instant,
    /// What the shared meter shows.
    shows: Option<watch::Receiver<Cents>>,
    /// How often it had begun again when the round added to it.
    meter_since: u64,
    /// When the table is told of it.
    meter_due: Option<Instant>,
    /// When other cards come.
    decks: Option<Instant>,
    /// How fast the shoe is dealt.
    tempo: Tempo,
    /// What it last said is whose.
    holding: Vec<(Name, Holding)>,
    /// Who is answered now, and is cut off where that fails: they resume, and ask again.
    answers: Option<Outbox>,
    /// The id of a command of which nobody knows whether it was written.
    unsure: Option<String>,
    /// When the table failed by a mistake of the program.
    failures: Vec<Instant>,
    /// Whether it is to be loaded again before anything else.
    is_broken: bool,
    /// Whether it is another node's by now.
    has_moved: bool,
}

impl<A: TableStore> TableTask<A> {
    /// Takes a table over, also where loading it fails by a mistake of the program.
    pub(crate) async fn load(
        name: &str,
        sheet: &TermSheet,
        means: Means<A>,
    ) -> Result<TableTask<A>, StoreError> {
        let epoch = means.store.own(name).await?;
        TableTask::load_own(name, epoch, sheet, means).await
    }

    /// Does the same with a table that is owned already, under this epoch.
    pub(crate) async fn load_own(
        name: &str,
        epoch: i64,
        sheet: &TermSheet,
        means: Means<A>,
    ) -> Result<TableTask<A>, StoreError> {
        let metrics = means.metrics.clone();
        let opening = TableTask::open_own(name, epoch, sheet, means);
        let opened = AssertUnwindSafe(opening).catch_unwind().await;
        opened.unwrap_or_else(|_| {
            metrics.table_failed();
            Err(no_replay(name, "the program fails when it plays the log again"))
        })
    }

    /// Takes a table over from whoever had it.
    #[cfg(test)]
    async fn open(
        name: &str,
        sheet: &TermSheet,
        means: Means<A>,
    ) -> Result<TableTask<A>, StoreError> {
        let epoch = means.store.own(name).await?;
        TableTask::open_own(name, epoch, sheet, means).await
    }

    /// Goes on from where a table was left, in the middle of a round if need be.
    async fn open_own(
        name: &str,
        epoch: i64,
        sheet: &TermSheet,
        means: Means<A>,
    ) -> Result<TableTask<A>, StoreError> {
        let live = Live::load(&means.store, name, sheet, epoch).await?;
        keeps_its_terms(name, live.table.sheet(), sheet)?;
        let (viewers, ready, asking) = (Vec::new(), Vec::new(), Vec::new());
        let glance = watch::Sender::new(Glance::of(&live.table, &[]));
        let (name, clock, absent) = (name.to_owned(), None, Vec::new());
        let shows = means.progressive.as_ref().map(Progressive::shows);
        let meter_since = means.store.meter_since(&name).await?;
        let leaving = means.store.unseatings(&name).await?;
        let times = Times::new(means.time_of_day.clone(), &means.pace, &live.table, live.day);
        let tempo = Tempo::of(&live.table, Instant::now());
        let (meter_due, decks, graced, trouble) = (None, None, Vec::new(), None);
        let mut task = TableTask {
            name,
            means,
            epoch,
            live,
            viewers,
            ready,
            asking,
            company: 0,
            ritual: Ritual::default(),
            glance,
            moment: Arc::default(),
            clock,
            bets_close: None,
            acts_after: Instant::now(),
            rang: None,
            unread: 0,
            times,
            graced,
            trouble,
            probed: Instant::now(),
            absent,
            leaving,
            leaves_after: Instant::now(),
            shows,
            meter_since,
            meter_due,
            decks,
            tempo,
            holding: Vec::new(),
            answers: None,
            unsure: None,
            failures: Vec::new(),
            is_broken: false,
            has_moved: false,
        };
        task.follow_ritual();
        task.set_clock();
        task.note_wagers();
        task.note_holdings();
        task.share_meter().await?;
        task.look_after_decks().await?;
        task.look();
        Ok(task)
    }

    /// Runs the table until the house closes, or the disk or the entropy fails.
    pub(crate) async fn run(
        mut self,
        mut asked: mpsc::Receiver<Ask>,
        mut closing: watch::Receiver<bool>,
    ) {
        loop {
            let step = AssertUnwindSafe(self.step(&mut asked, &mut closing)).catch_unwind().await;
            match step {
                Ok(true) => {}
                Ok(false) => break,
                Err(_) if self.survives() => {}
                Err(_) => {
                    let (times, seconds) = (self.failures.len(), FAILURES_WITHIN.as_secs());
                    let why = format!(
                        "This table is closed: it failed {times} times within {seconds} seconds. \
                         Your chips are safe."
                    );
                    let why = Refusal::by_house("table-failed", why)
                        .with("times", Parameter::count(times))
                        .with("seconds", Parameter::Count(seconds));
                    self.trouble = Some(why);
                    break;
                }
            }
        }
        if self.has_moved {
            return self.leaves(asked);
        }
        // That the house closes, every socket tells for itself.
        if !*closing.borrow() {
            let why = self.trouble.get_or_insert_with(refusals::table_closed).clone();
            self.tell_trouble(&why);
        }
    }

    /// Does whatever is next. Tells whether the table goes on.
    async fn step(
        &mut self,
        asked: &mut mpsc::Receiver<Ask>,
        closing: &mut watch::Receiver<bool>,
    ) -> bool {
        if self.is_broken && !self.stand_still(asked, closing).await {
            return false;
        }
        self.unread = self.unread.min(asked.len());
        let clock = self.next_due().filter(|_| self.unread == 0);
        let leaves = self.next_to_leave();
        self.note_meter();
        let told = self.meter_due.map(|when| (when, ()));
        let decks = self.decks.map(|when| (when, ()));
        let probe = self.trouble.as_ref().map(|_| (self.probed + PROBED_EVERY, ()));
        let next = tokio::select! {
            _ = closing.changed() => Next::Closing,
            ask = asked.recv() => {
                self.unread = self.unread.saturating_sub(1);
                ask.map_or(Next::Closing, Next::Asked)
            }
            due = ring(clock) => match self.reads_first(clock, asked.len()) {
                true => Next::Reading,
                false => Next::Due(due),
            },
            bettor = ring(leaves) => Next::Leaves(bettor),
            () = ring(told) => Next::MeterDue,
            () = ring(decks) => Next::DecksDue,
            () = moved(&mut self.shows) => Next::MeterMoved,
            () = ring(probe) => Next::Probe,
        };
        self.does_next(next, asked, closing).await
    }

    /// Does what is next. Tells whether the table goes on.
    async fn does_next(
        &mut self,
        next: Next,
        asked: &mut mpsc::Receiver<Ask>,
        closing: &mut watch::Receiver<bool>,
    ) -> bool {
        let done = match next {
            Next::Closing => return false,
            Next::Asked(Ask::BooksDiffer) => return self.closes_for_its_books(),
            Next::Asked(Ask::Close { is_over }) if self.closes_unwanted(is_over) => return false,
            Next::Asked(Ask::HandOver { between_rounds, answer }) => {
                if self.hands_over(between_rounds, answer) {
                    return false;
                }
                Ok(())
            }
            Next::Asked(ask) => self.answer(ask).await,
            Next::Due(due) => self.when_due(due).await,
            Next::Leaves(bettor) => self.unseat(bettor).await,
            Next::MeterDue => self.tell_meter().await,
            Next::DecksDue => self.decks_due().await,
            Next::MeterMoved | Next::Reading => Ok(()),
            Next::Probe => self.probe().await,
        };
        match done {
            Ok(()) => {}
            Err(error) if error.closes_a_table() || matches!(error, StoreError::Owned) => {
                return self.closes_for(&error);
            }
            Err(error) => {
                tracing::error!(table = self.name, what = "frozen", why = %error, "the table is paused until it can be loaded");
                // What became of their command is not known: they ask again.
                if let Some(unanswered) = self.answers.take() {
                    unanswered.cut_off();
                }
                if !self.stand_still(asked, closing).await {
                    return false;
                }
            }
        }
        self.tempo.follow(&self.live.table, Instant::now());
        self.follow_company();
        self.look();
        true
    }

    /// Closes the table because its books do not agree. It does not go on.
    pub(super) fn closes_for_its_books(&mut self) -> bool {
        tracing::error!(
            table = self.name,
            what = "closed",
            "its books do not agree: a table closes"
        );
        self.trouble = Some(refusals::table_unbalanced());
        false
    }

    /// Whether the table is handed over to another node, and ends here.
    pub(super) fn hands_over(
        &mut self,
        between_rounds: bool,
        answer: oneshot::Sender<Option<i64>>,
    ) -> bool {
        self.has_moved = !between_rounds || self.live.table.round().is_none();
        let _ = answer.send(self.has_moved.then_some(self.epoch));
        self.has_moved
    }

    /// Ends here, since another node owns the table: whoever is there comes again, and finds it there.
    fn leaves(self, mut asked: mpsc::Receiver<Ask>) {
        tracing::info!(table = self.name, what = "moved", "a table is another node's");
        self.glance.send_modify(|seen| seen.has_moved = true);
        self.viewers.iter().for_each(|viewer| viewer.to.watch_again());
        asked.close();
        while let Ok(ask) = asked.try_recv() {
            ask.comes_again();
        }
    }

    /// Closes the table because it cannot go on from its log. It does not go on.
    fn closes_for(&mut self, error: &StoreError) -> bool {
        if matches!(error, StoreError::Owned) {
            tracing::warn!(
                table = self.name,
                what = "moved",
                "another node owns the table; nothing was written"
            );
            self.has_moved = true;
            return false;
        }
        tracing::error!(table = self.name, what = "closed", why = %error, "a table closes");
        self.trouble = Some(refusals::table_stuck(error));
        false
    }

    /// Whether the table, which is not wanted any more, closes: nobody has a place.
    fn closes_unwanted(&mut self, is_over: bool) -> bool {
        let people = self.live.table.everyone().map(|(_, chair)| chair.player.clone());
        let people: Vec<Name> = people.collect();
        if people.is_empty() {
            tracing::info!(
                table = self.name,
                what = "closed",
                "a table closes because nobody needs it"
            );
            self.glance.send_modify(|seen| seen.is_unwanted = true);
            return true;
        }
        if is_over {
            self.leaving = people;
        }
        false
    }

    /// Answers, and knows meanwhile whom.
    pub(super) async fn answer(&mut self, ask: Ask) -> Result<(), StoreError> {
        self.answers = match &ask {
            Ask::Command { to, .. } => Some(to.clone()),
            Ask::Watch { viewer, .. } => Some(viewer.to.clone()),
            _ => None,
        };
        self.take(ask).await?;
        self.answers = None;
        Ok(())
    }

    /// Notes that a step failed by a mistake of the program. Tells whether the table is loaded again, or
    /// else has failed too often.
    pub(super) fn survives(&mut self) -> bool {
        self.means.metrics.table_failed();
        if let Some(unanswered) = self.answers.take() {
            unanswered.cut_off();
        }
        let now = Instant::now();
        self.failures.retain(|when| now.duration_since(*when) < FAILURES_WITHIN);
        self.failures.push(now);
        (self.is_broken, self.clock) = (true, None);
        let (failures, goes_on) = (self.failures.len(), self.failures.len() <= MOST_FAILURES);
        let what = if goes_on { "failed" } else { "closed" };
        tracing::error!(
            table = self.name,
            what,
            failures,
            "internal error: a step of the table panicked"
        );
        goes_on
    }
}

/// Opens a table as soon as the disk lets it, and runs it then. Meanwhile nothing is taken.
pub(crate) async fn open_later<A: TableStore>(
    name: String,
    sheet: TermSheet,
    means: Means<A>,
    glance: watch::Sender<Glance>,
    mut asked: mpsc::Receiver<Ask>,
    mut closing: watch::Receiver<bool>,
) {
    let mut pause = AFTER_A_FAILURE;
    let mut next = Instant::now() + pause;
    let mut waiting = Waiting::default();
    loop {
        tokio::select! {
            _ = closing.changed() => return,
            ask = asked.recv() => match ask {
                Some(Ask::BooksDiffer | Ask::Close { .. }) | None => return,
                // A commit of another node may still be on its way.
                Some(Ask::Command { to, .. }) if means.is_of_a_node => waiting.add(to),
                Some(ask) => turn_away(&name, &means.store, ask, &mut waiting).await,
            },
            () = sleep_until(next) => match TableTask::load(&name, &sheet, means.clone()).await {
                Ok(mut task) => {
                    tracing::info!(table = name, what = "reopened", "the table resumes");
                    task.glance = glance;
                    task.look();
                    drop(waiting);
                    return task.run(asked, closing).await;
                }
                Err(error) if error.closes_a_table() => {
                    tracing::error!(table = name, what = "closed", why = %error, "a table stays closed");
                    let why = refusals::table_stuck(&error);
                    glance.send_modify(|seen| seen.trouble = Some(why));
                    return;
                }
                Err(_) => {
                    pause = (pause * 2).min(LONGEST_PAUSE);
                    next = Instant::now() + pause;
                }
            },
        }
    }
}

/// Clients whose commands wait until their table goes on.
#[derive(Default)]
struct Waiting(Vec<Outbox>);

impl Waiting {
    fn add(&mut self, client: Outbox) {
        match self.0.len() < MOST_ASKED {
            true => self.0.push(client),
            false => client.cut_off(),
        }
    }
}

impl Drop for Waiting {
    /// They ask again, under the same ids.
    fn drop(&mut self) {
        self.0.iter().for_each(Outbox::cut_off);
    }
}

/// Answers while there is no table to ask: a command that was not carried out is refused, and who wants to
/// watch comes again.
async fn turn_away<A: TableStore>(table: &str, store: &A, ask: Ask, waiting: &mut Waiting) {
    match ask {
        Ask::Command { id, who, what, to, .. } => {
            let command = Command { player: who.name, id, asks: what.in_one_line(table) };
            match known(store, &command).await {
                Ok(None) => to.refuse(command.id, refusals::not_written()),
                Ok(Some(Ok(seq))) => to.done(command.id, seq),
                Ok(Some(Err(refusal))) => to.refuse(command.id, refusal),
                Err(_) => waiting.add(to),
            }
        }
        Ask::Watch { viewer, .. } => viewer.to.cut_off(),
        // Whoever waits for an answer is told that there is none.
        Ask::Unwatch { .. }
        | Ask::LookAround
        | Ask::BooksDiffer
        | Ask::Close { .. }
        | Ask::HandOver { .. }
        | Ask::Decide { .. }
        | Ask::Published(_)
        | Ask::Positions { .. }
        | Ask::Closed { .. } => {}
    }
}

/// The answer to a command that was carried out before, or whose id was another command's.
async fn known<A: TableStore>(
    store: &A,
    command: &Command,
) -> Result<Option<Result<Option<u64>, Refusal>>, StoreError> {
    Ok(match store.known(command).await? {
        None => None,
        Some(Known::Applied(seq)) => Some(Ok(seq)),
        Some(Known::Other) => Some(Err(Refusal::by_house(
            "id-of-another-command",
            "This id was used for another command.",
        ))),
    })
}

/// Seconds of Unix time.
pub(crate) fn unix_time() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}

/// Refuses other terms than those that a table was opened with: its log and its cards have them.
pub(crate) fn keeps_its_terms(
    table: &str,
    opened: &TermSheet,
    asked: &TermSheet,
) -> Result<(), StoreError> {
    if opened == asked {
        return Ok(());
    }
    let [before, now] = [(opened, asked), (asked, opened)].map(|(sheet, other)| {
        if sheet.game() != other.game() {
            return sheet.game().to_string();
        }
        let both = sheet.entries().zip(other.entries());
        let differ = both.filter(|((_, value), (_, other))| value != other);
        let differ = differ.map(|((term, value), _)| format!("{}={value}", term.key));
        differ.collect::<Vec<_>>().join(" ")
    });
    Err(StoreError::OtherTerms { table: table.to_owned(), before, now })
}
