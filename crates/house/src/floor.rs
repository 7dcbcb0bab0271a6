//! The floor: the ways to all tables, to those of the configuration and to those that are opened when
//! they are wanted.
//!
//! A *spare* table has the game and the terms of tables of the configuration. It is opened when none of
//! them has room for a newcomer, and closed when nobody has been there for a while. A *private* table has
//! terms of its own, is in no list, and is found by whoever has its name. Both keep their log: a spare
//! table goes on with it. Nothing but the log says that they were open. After a start those are opened
//! again at which somebody has chips, so that nobody's chips are out of reach.
//!
//! In a house of several nodes there is a way to every table at each of them. A table is open at the node
//! that owns it; at the others somebody stands in for it.

use std::collections::HashSet;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use audit::log::RulesLine;
use rules::money::Cents;
use rules::table::{Name, Table};
use rules::terms::TermSheet;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};
use wire::bus::TableSeen;
use wire::{AboutTable, Coach, Refusal};

use crate::config::Setup;
use crate::limits::Limits;
use crate::relay::{Owner, Relay, glance_of};
use crate::store::{Leases, Store, StoreError, StoreResult, Tables};
use crate::tables::about;
use crate::tables::chips::Holdings;
use crate::tables::dealer::{self, Orders, Pace};
use crate::tables::progressive::Progressive;
use crate::tables::reconciler;
use crate::tables::refusals;
use crate::tables::task::{Ask, Glance, MOST_ASKED, Means, TableTask, keeps_its_terms, open_later};

/// How long a table that was opened when it was wanted stays open with nobody there.
pub const CLOSES_AFTER: Duration = Duration::from_secs(5 * 60);

/// The longest that a private table stays open: then whoever is there leaves after the round.
pub const LONGEST_PRIVATE: Duration = Duration::from_secs(12 * 60 * 60);

/// The longest that a private table waits for an answer or a wager, in seconds: nobody keeps its place in
/// the house by keeping it waiting.
pub const LONGEST_PRIVATE_WAIT: u32 = 10 * 60;

/// Private tables that one person, or one address, has open at a time.
pub const MOST_PRIVATE_OF_ONE: usize = 2;

/// How long a table that is asked to go to another node may take for what it does just then. Where it goes
/// later, this node takes it again.
const LONGEST_HAND_OVER: Duration = Duration::from_secs(2);

/// Whoever opens a private table decides with whom to play there, and may be taught.
const PRIVATE_COACH: Coach = Coach::Live;

/// Why a table is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The configuration names it.
    Configured,
    /// Tables with its terms had no room.
    Spare,
    /// Somebody wanted it for themselves; not known who after a start.
    Private { by: Option<(Name, std::net::IpAddr)> },
}

/// The way to a table.
pub(crate) struct TableDoor {
    pub(crate) about: AboutTable,
    pub(crate) setup: Setup,
    pub(crate) asks: mpsc::Sender<Ask>,
    pub(crate) glance: watch::Receiver<Glance>,
    pub(crate) origin: Origin,
    /// Which node owns it.
    owner: watch::Sender<Owner>,
    /// The epoch under which it is here, open or closed.
    epoch: i64,
    /// Where somebody stands in for it: what its owner lets be seen.
    shows: Option<watch::Sender<Glance>>,
    since: Instant,
    /// Since when nobody has been there.
    empty_since: Mutex<Option<Instant>>,
}

impl TableDoor {
    /// Whether the lobby shows it.
    pub(crate) fn is_listed(&self) -> bool {
        !matches!(self.origin, Origin::Private { .. })
    }

    /// Whether this node owns it.
    pub(crate) fn is_here(&self) -> bool {
        self.shows.is_none()
    }

    /// Which node owns it.
    pub(crate) fn owner(&self) -> Owner {
        self.owner.borrow().clone()
    }

    /// Whether it is here under an epoch, open or closed.
    pub(crate) fn is_under(&self, epoch: i64) -> bool {
        self.is_here() && self.epoch == epoch
    }

    /// Notes which node owns it, unless something later is known.
    pub(crate) fn learn(&self, owner: Owner) {
        if !self.is_here() {
            self.owner.send_if_modified(|known| known.learns(owner));
        }
    }

    /// Whether it was there before a moment.
    pub(crate) fn was_there(&self, before: Instant) -> bool {
        self.since < before
    }

    /// Whether it has been there for so long.
    pub(crate) fn is_old(&self, age: Duration) -> bool {
        self.since.elapsed() > age
    }

    /// Whether it was open here, and is another node's by now.
    pub(crate) fn has_moved(&self) -> bool {
        self.glance.borrow().has_moved
    }

    /// Whether it has room for a newcomer, who may bet in the next round.
    pub(crate) fn is_open(&self) -> bool {
        let glance = self.glance.borrow();
        glance.is_open && glance.trouble.is_none() && !self.asks.is_closed()
    }

    /// Whether something could not be written or read there.
    pub(crate) fn is_troubled(&self) -> bool {
        let glance = self.glance.borrow();
        glance.trouble.is_some() && !glance.is_unwanted
    }

    /// Why nothing is taken there.
    pub(crate) fn trouble(&self) -> Option<Refusal> {
        let closed = || self.asks.is_closed().then(refusals::table_closed);
        self.glance.borrow().trouble.clone().or_else(closed)
    }

    /// Why it is closed.
    pub(crate) fn why_closed(&self) -> Refusal {
        self.trouble().unwrap_or_else(refusals::table_closed)
    }

    /// Whether it is closed, though nobody wanted that.
    pub(crate) fn has_failed(&self) -> bool {
        let glance = self.glance.borrow();
        self.asks.is_closed() && !glance.is_unwanted && !glance.has_moved
    }

    /// Since when nobody has been there, as it is found now.
    fn empty_since(&self, now: Instant) -> Option<Instant> {
        let is_empty = {
            let glance = self.glance.borrow();
            glance.taken == 0 && glance.viewers == 0
        };
        let mut since = self.empty_since.lock().unwrap_or_else(PoisonError::into_inner);
        *since = is_empty.then(|| since.unwrap_or(now));
        *since
    }
}

/// What all tables of a house have in common.
pub(crate) struct Ground {
    pub(crate) store: Store,
    pub(crate) orders: Orders,
    pub(crate) limits: Limits,
    /// The meter that tables share, or why it cannot be read.
    pub(crate) progressive: Option<StoreResult<Progressive>>,
    pub(crate) holdings: Holdings,
    /// The id of the house.
    pub(crate) house: Name,
    /// Whether somebody knows what decisions are worth.
    pub(crate) has_analysis: bool,
    /// Whether somebody plays for house players.
    pub(crate) has_company: bool,
    /// What reaches the other nodes, in a house that has several.
    pub(crate) relay: Option<Arc<Relay>>,
    pub(crate) closing: watch::Receiver<bool>,
}

/// What runs a table.
type Running = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A table that was to be opened.
struct NewTable {
    door: TableDoor,
    /// None where it stays closed.
    task: Option<Running>,
    /// Why it is not open, or not yet.
    fault: Option<StoreError>,
}

/// Why a table is not open, for whoever runs the house and for players.
struct NotOpen {
    fault: StoreError,
    why: Refusal,
}

impl From<StoreError> for NotOpen {
    fn from(fault: StoreError) -> NotOpen {
        let why = match &fault {
            StoreError::Full => refusals::table_disk_full(),
            fault if fault.closes_a_table() => refusals::table_stuck(fault),
            _ => refusals::table_not_loaded(),
        };
        NotOpen { fault, why }
    }
}

impl Ground {
    fn means(&self, setup: &Setup, origin: &Origin) -> Means {
        let Setup { pace, physical, coach, company, .. } = setup;
        let has_company = self.has_company && *company && !physical;
        // The progressive belongs to the tables of the house.
        let is_private = matches!(origin, Origin::Private { .. });
        let progressive = self.progressive.clone().filter(|_| !is_private).and_then(Result::ok);
        Means {
            house: self.house.clone(),
            store: self.store.clone(),
            orders: self.orders.clone(),
            salts: dealer::salts(),
            time_of_day: dealer::time_of_day(),
            pace: *pace,
            physical: *physical,
            coach: if self.has_analysis { *coach } else { Coach::Off },
            company: if has_company { self.limits.house_players_at_a_table } else { 0 },
            viewers: self.limits.viewers,
            progressive,
            correction_alone: Cents::new(i64::from(self.limits.correction_alone) * 100),
            holdings: self.holdings.clone(),
            metrics: self.store.metrics().clone(),
            is_of_a_node: self.relay.is_some(),
        }
    }

    /// The way to a table that another node owns, or nobody yet, and what stands in for it there.
    fn stand_in(&self, setup: &Setup, origin: Origin, relay: &Arc<Relay>) -> NewTable {
        let table = Table::new(setup.sheet.clone());
        let (asks, asked) = mpsc::channel(MOST_ASKED);
        let (shows, glance) = watch::channel(Glance::of(&table, &[]));
        let owner = watch::Sender::new(Owner::Nobody { since: 0 });
        let (name, closing) = (setup.name.clone(), self.closing.clone());
        let task: Running =
            Box::pin(relay.clone().stand_in(name, owner.subscribe(), asked, closing));
        let coach = self.means(setup, &origin).coach;
        let about = about::about(&setup.name, &table, coach);
        let door = TableDoor {
            about: AboutTable { house: self.house.to_string(), ..about },
            setup: setup.clone(),
            asks,
            glance,
            origin,
            owner,
            epoch: 0,
            shows: Some(shows),
            since: Instant::now(),
            empty_since: Mutex::default(),
        };
        NewTable { door, task: Some(task), fault: None }
    }

    /// Why a table cannot have the meter that it shares with others.
    fn meter_fault(&self, sheet: &TermSheet, origin: &Origin) -> Option<StoreError> {
        let is_shared = !matches!(origin, Origin::Private { .. })
            && Table::new(sheet.clone()).meter().is_some();
        self.progressive.as_ref().filter(|_| is_shared)?.as_ref().err().cloned()
    }

    /// Loads a table whose books agree. A node owns it by now; a house alone does then.
    async fn load(
        &self,
        Setup { name, sheet, .. }: &Setup,
        origin: &Origin,
        owned: Option<i64>,
        means: Means,
    ) -> Result<TableTask, NotOpen> {
        if let Some(fault) = self.meter_fault(sheet, origin) {
            return Err(NotOpen { fault, why: refusals::table_unbalanced() });
        }
        agrees_since(&self.store, name).await?;
        let loaded = match owned {
            Some(epoch) => TableTask::load_own(name, epoch, sheet, means).await,
            None => TableTask::load(name, sheet, means).await,
        };
        loaded.map_err(NotOpen::from)
    }

    /// Takes a table over, from where it was left.
    async fn open(&self, setup: &Setup, origin: Origin) -> NewTable {
        let Setup { name, sheet, .. } = setup;
        let (asks, asked) = mpsc::channel(MOST_ASKED);
        let means = self.means(setup, &origin);
        let closing = self.closing.clone();
        // What another node still writes is not compared: a node owns the table first.
        let owned = match self.relay {
            Some(_) => self.store.own(name).await.map(Some),
            None => Ok(None),
        };
        let epoch_here = owned.as_ref().ok().copied().flatten().unwrap_or(0);
        let loaded = match owned {
            Ok(owned) => self.load(setup, &origin, owned, means.clone()).await,
            Err(fault) => Err(fault.into()),
        };
        let door = |about, glance, epoch| TableDoor {
            about,
            setup: setup.clone(),
            asks,
            glance,
            origin,
            owner: watch::Sender::new(Owner::Here),
            epoch,
            shows: None,
            since: Instant::now(),
            empty_since: Mutex::default(),
        };
        let NotOpen { fault, why } = match loaded {
            Ok(task) => {
                let (about, glance, epoch) = (task.about(), task.glance(), task.epoch());
                tracing::info!(table = %name, what = "open", game = %about.game, "a table is open");
                let task: Running = Box::pin(task.run(asked, closing));
                return NewTable {
                    door: door(about, glance, epoch),
                    task: Some(task),
                    fault: None,
                };
            }
            Err(not_open) => not_open,
        };
        let table = Table::new(sheet.clone());
        let (shows, glance) =
            watch::channel(Glance { trouble: Some(why), ..Glance::of(&table, &[]) });
        let door = door(about::about(name, &table, means.coach), glance, epoch_here);
        let task: Option<Running> = match fault.closes_a_table() {
            // A configuration with other terms opens no house, and whoever opens it says so.
            true if matches!(fault, StoreError::OtherTerms { .. }) => None,
            true => {
                tracing::error!(table = %name, what = "closed", why = %fault, "a table stays closed");
                None
            }
            // Another node owns it, or it is tried again by whoever sees to that.
            false if self.relay.is_some() => None,
            // It opens when the disk lets it.
            false => {
                tracing::error!(table = %name, what = "frozen", why = %fault, "a table opens later");
                let (name, sheet) = (name.clone(), sheet.clone());
                Some(Box::pin(open_later(name, sheet, means, shows, asked, closing)))
            }
        };
        NewTable { door, task, fault: Some(fault) }
    }
}

/// Refuses a table whose log does not agree with the rest of the store since it last did.
async fn agrees_since(store: &Store, table: &str) -> Result<(), NotOpen> {
    match store.difference_since(table).await {
        Ok(None) => Ok(()),
        Ok(Some(difference)) => {
            reconciler::note(store, &difference).await;
            let (table, reason) = (table.to_owned(), difference.to_string());
            let fault = StoreError::Stuck { table, reason };
            Err(NotOpen { fault, why: refusals::table_unbalanced() })
        }
        // Whatever keeps the table from being read is found when it is loaded.
        Err(error) => {
            tracing::warn!(table, what = "audit", why = %error, "it is reconciled later");
            Ok(())
        }
    }
}

/// Why no private table is opened.
#[derive(Debug)]
pub(crate) enum NoTable {
    /// So many are open already.
    Full,
    /// So many of this person, or from this address, are.
    OfOne,
    /// It could not be opened.
    Store(StoreError),
}

/// The tables of a house.
pub(crate) struct Floor {
    ground: Ground,
    setups: Vec<Setup>,
    doors: RwLock<Arc<Vec<Arc<TableDoor>>>>,
    tasks: Mutex<JoinSet<()>>,
    /// The tables that are being taken over.
    taking: Arc<Mutex<HashSet<String>>>,
    /// Held while a table is opened or closed because it is wanted or not.
    changes: tokio::sync::Mutex<()>,
}

/// The right to take a table over: one at a time has it.
pub(crate) struct Taking {
    table: String,
    all: Arc<Mutex<HashSet<String>>>,
}

impl Drop for Taking {
    fn drop(&mut self) {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.table);
    }
}

impl Floor {
    /// Opens the tables of a configuration, and those where somebody has chips. Where every one stays
    /// closed, that is an error.
    pub(crate) async fn open(ground: Ground, setups: Vec<Setup>) -> StoreResult<Floor> {
        let floor = Floor {
            ground,
            setups,
            doors: RwLock::default(),
            tasks: Mutex::default(),
            taking: Arc::default(),
            changes: tokio::sync::Mutex::default(),
        };
        if floor.ground.relay.is_some() {
            return floor.stand_in_for_all().await;
        }
        let (mut is_any_open, mut fault) = (false, None);
        for setup in &floor.setups {
            match floor.add(setup, Origin::Configured).await {
                None => is_any_open = true,
                Some(error @ StoreError::OtherTerms { .. }) => return Err(error),
                error => fault = error,
            }
        }
        // A disk without room is waited for; whatever else keeps every table closed is said at once.
        match fault.filter(|_| !is_any_open) {
            Some(StoreError::Full) | None => {}
            Some(error) => return Err(error),
        }
        for name in floor.ground.store.tables_with_chips().await? {
            if floor.door(&name).is_none() {
                floor.open_again(&name).await?;
            }
        }
        Ok(floor)
    }

    /// Has somebody stand in for every table, until this node or another owns it.
    async fn stand_in_for_all(self) -> StoreResult<Floor> {
        for setup in &self.setups {
            if let Some((RulesLine { sheet, .. }, _)) =
                self.ground.store.log_of(&setup.name).await?
            {
                keeps_its_terms(&setup.name, &sheet, &setup.sheet)?;
            }
            self.add(setup, Origin::Configured).await;
        }
        for name in self.ground.store.tables_with_chips().await? {
            self.know(&name).await?;
        }
        Ok(self)
    }

    /// Has a way to a table that may have been opened at another node.
    pub(crate) async fn know(&self, name: &str) -> StoreResult<()> {
        match self.door(name) {
            Some(_) => Ok(()),
            None => self.open_again(name).await,
        }
    }

    /// Opens a table that the configuration does not name, with the terms of its log.
    async fn open_again(&self, name: &str) -> StoreResult<()> {
        let sheet = match self.ground.store.log_of(name).await {
            Ok(Some((RulesLine { sheet, .. }, _))) => sheet,
            Ok(None) => return Ok(()),
            // It stays closed, and the others open.
            Err(error) if error.closes_a_table() => {
                tracing::error!(table = name, what = "closed", why = %error, "a table stays closed");
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let alike = self.setups.iter().find(|setup| is_spare_of(name, setup, &sheet));
        let (pace, coach, origin) = match alike {
            Some(setup) => (setup.pace, setup.coach, Origin::Spare),
            None => (self.pace_of(&sheet), PRIVATE_COACH, Origin::Private { by: None }),
        };
        let company = alike.is_none_or(|setup| setup.company);
        let setup = Setup { name: name.to_owned(), sheet, pace, physical: false, coach, company };
        self.add(&setup, origin).await;
        Ok(())
    }

    /// The pace of a table that the configuration does not name: that of the same game, or of any.
    fn pace_of(&self, sheet: &TermSheet) -> Pace {
        let alike = self.setups.iter().find(|setup| setup.sheet.game() == sheet.game());
        alike.or(self.setups.first()).map_or_else(Pace::default, |setup| setup.pace)
    }

    /// Opens a table, or has somebody stand in for it. Gives why it is not open, or not yet.
    async fn add(&self, setup: &Setup, origin: Origin) -> Option<StoreError> {
        let NewTable { door, task, fault } = match &self.ground.relay {
            Some(relay) => self.ground.stand_in(setup, origin, relay),
            None => self.ground.open(setup, origin).await,
        };
        self.put(door, task);
        fault
    }

    /// Has a way to a table, instead of any before, and runs what is behind it.
    fn put(&self, door: TableDoor, task: Option<Running>) {
        let door = Arc::new(door);
        self.change_doors(|doors| {
            match doors.iter_mut().find(|other| other.about.table == door.about.table) {
                Some(before) => *before = door,
                None => doors.push(door),
            }
        });
        self.runs(task);
    }

    /// Has another way to a table, if it is still the one before. Tells whether that was so.
    fn replace(&self, before: &Arc<TableDoor>, door: TableDoor, task: Option<Running>) -> bool {
        let (door, mut is_replaced) = (Arc::new(door), false);
        self.change_doors(|doors| {
            if let Some(place) = doors.iter_mut().find(|other| Arc::ptr_eq(other, before)) {
                (*place, is_replaced) = (door, true);
            }
        });
        if is_replaced {
            self.runs(task);
        }
        is_replaced
    }

    fn runs(&self, task: Option<Running>) {
        if let Some(task) = task {
            self.tasks.lock().unwrap_or_else(PoisonError::into_inner).spawn(task);
        }
    }

    /// The right to take a table over, unless somebody has it already.
    pub(crate) fn taking(&self, name: &str) -> Option<Taking> {
        let is_new =
            self.taking.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned());
        is_new.then(|| Taking { table: name.to_owned(), all: self.taking.clone() })
    }

    /// The tables that are being taken over now.
    pub(crate) fn being_taken(&self) -> HashSet<String> {
        self.taking.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes a table over, unless somebody does already. Tells whether this node owns it now.
    pub(crate) async fn take(&self, name: &str) -> StoreResult<bool> {
        match self.taking(name) {
            Some(taking) => self.take_over(&taking).await,
            None => Ok(false),
        }
    }

    /// Takes a table that another node owned, or nobody, from where it was left. Tells whether this node
    /// owns it now.
    pub(crate) async fn take_over(&self, taking: &Taking) -> StoreResult<bool> {
        let name = taking.table.as_str();
        let (Some(relay), Some(before)) = (&self.ground.relay, self.door(name)) else {
            return Ok(false);
        };
        if before.is_here() {
            return Ok(!before.has_moved());
        }
        // It listens before anybody is told that it owns the table.
        let host = relay.host(name).await.map_err(|down| StoreError::Failed(down.to_string()))?;
        let NewTable { door, task, fault } =
            self.ground.open(&before.setup, before.origin.clone()).await;
        match fault {
            Some(StoreError::Owned) => return Ok(false),
            // It stays closed here.
            Some(fault) if fault.closes_a_table() => {}
            Some(fault) => return Err(fault),
            None => {}
        }
        let (epoch, asks, glance) = (door.epoch, door.asks.clone(), door.glance.clone());
        let holding = glance.borrow().holding.clone();
        if !self.replace(&before, door, task) {
            return Ok(false);
        }
        self.ground.holdings.set(name, &before.glance.borrow().holding, &holding);
        before.owner.send_replace(Owner::Here);
        tokio::spawn(host.run(epoch, asks, glance));
        Ok(true)
    }

    /// Has somebody stand in for a table that was open here and is another node's by now.
    pub(crate) fn leave(&self, name: &str) {
        let (Some(relay), Some(before)) = (&self.ground.relay, self.door(name)) else { return };
        if !before.is_here() {
            return;
        }
        let NewTable { door, task, .. } =
            self.ground.stand_in(&before.setup, before.origin.clone(), relay);
        door.owner.send_replace(Owner::Nobody { since: before.epoch });
        if let Some(shows) = &door.shows {
            let seen = before.glance.borrow().clone();
            let glance = Glance { has_moved: false, is_unwanted: false, trouble: None, ..seen };
            shows.send_replace(glance);
        }
        self.replace(&before, door, task);
    }

    /// Hands a table over to another node, between two inputs or between rounds. Tells whether that was
    /// possible.
    pub(crate) async fn hand_over(
        &self,
        name: &str,
        to: Option<&str>,
        between_rounds: bool,
    ) -> bool {
        // Until its lease is released, nobody takes it back here.
        let Some(_going) = self.taking(name) else { return false };
        let Some(door) = self.door(name).filter(|door| door.is_here()) else { return false };
        let (answer, answered) = oneshot::channel();
        let asked = door.asks.send(Ask::HandOver { between_rounds, answer });
        let Ok(Ok(())) = timeout(LONGEST_HAND_OVER, asked).await else { return false };
        let Ok(Ok(Some(epoch))) = timeout(LONGEST_HAND_OVER, answered).await else { return false };
        let released = self.ground.store.release(name, epoch, to).await;
        if let Err(error) = released {
            // It is taken over when its lease has expired.
            tracing::warn!(table = name, what = "moved", why = %error, "a lease cannot be released");
        }
        self.leave(name);
        true
    }

    /// Gives a table up that this node owns and nobody plays at here, because it stays closed or was not
    /// loaded. Tells whether it was one.
    pub(crate) async fn release_unserved(&self, name: &str, epoch: i64, to: &str) -> bool {
        let is_served = |door: &TableDoor| door.is_here() && !door.asks.is_closed();
        let Some(door) = self.door(name).filter(|door| !is_served(door)) else { return false };
        if door.has_moved() || self.ground.store.release(name, epoch, Some(to)).await.is_err() {
            return false;
        }
        self.leave(name);
        true
    }

    /// Ends a table here that another node owns. One that stays closed here has nothing to end.
    pub(crate) fn lose(&self, name: &str) {
        let Some(door) = self.door(name).filter(|door| door.is_here()) else { return };
        let (answer, _) = oneshot::channel();
        let _ = door.asks.try_send(Ask::HandOver { between_rounds: false, answer });
        if door.has_moved() || door.asks.is_closed() {
            self.leave(name);
        }
    }

    /// Notes which node owns a table, unless something later is known.
    pub(crate) fn learn(&self, name: &str, owner: Owner) {
        if let Some(door) = self.door(name) {
            door.learn(owner);
        }
    }

    /// Notes what another node lets be seen of a table that it owns.
    pub(crate) async fn see(&self, seen: TableSeen) {
        if let Err(error) = self.know(&seen.table).await {
            return tracing::warn!(table = seen.table, what = "store", why = %error, "a table is not known here");
        }
        let Some(door) = self.door(&seen.table) else { return };
        let (Some(shows), name) = (&door.shows, seen.table.clone()) else { return };
        self.learn(&name, Owner::At { inbox: seen.inbox.as_str().into(), epoch: seen.epoch });
        if door.owner().epoch() != seen.epoch {
            return;
        }
        let glance = glance_of(seen, door.glance.borrow().seats);
        self.ground.holdings.set(&name, &shows.borrow().holding, &glance.holding);
        shows.send_if_modified(|before| std::mem::replace(before, glance.clone()) != glance);
    }

    /// Forgets a table that was opened when it was wanted, and that no node has open any more.
    pub(crate) fn forget(&self, name: &str) {
        let is_gone = |door: &Arc<TableDoor>| {
            door.about.table == name && !door.is_here() && door.origin != Origin::Configured
        };
        if self.doors().iter().any(is_gone) {
            self.change_doors(|doors| doors.retain(|door| !is_gone(door)));
        }
    }

    fn change_doors(&self, change: impl FnOnce(&mut Vec<Arc<TableDoor>>)) {
        let mut doors = self.doors.write().unwrap_or_else(PoisonError::into_inner);
        change(Arc::make_mut(&mut doors));
    }

    /// The ways to all tables, those of the configuration first.
    pub(crate) fn doors(&self) -> Arc<Vec<Arc<TableDoor>>> {
        self.doors.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The way to a table.
    pub(crate) fn door(&self, name: &str) -> Option<Arc<TableDoor>> {
        self.doors().iter().find(|door| door.about.table == name).cloned()
    }

    /// Opens and closes tables as they are wanted.
    pub(crate) async fn look_after(&self, now: Instant) {
        let _change = self.changes.lock().await;
        self.close_empty(now).await;
        for setup in &self.setups {
            if let Some(name) = self.wanted(setup) {
                let setup = Setup { name, ..setup.clone() };
                self.add(&setup, Origin::Spare).await;
                if let Err(error) = self.take(&setup.name).await {
                    tracing::warn!(table = setup.name, what = "open", why = %error, "a spare table opens later");
                }
            }
        }
        while let Some(done) =
            self.tasks.lock().unwrap_or_else(PoisonError::into_inner).try_join_next()
        {
            drop(done);
        }
    }

    /// Closes what was opened when it was wanted and is not any more, and forgets what is closed.
    ///
    /// It waits for no table: whoever opens one has to wait for this. A table that is too busy to be told is
    /// told the next time.
    async fn close_empty(&self, now: Instant) {
        let doors = self.doors();
        let is_own = |door: &&Arc<TableDoor>| door.is_here() && door.origin != Origin::Configured;
        for door in doors.iter().filter(is_own) {
            let empty = door.empty_since(now).map(|since| now.duration_since(since));
            // A spare table stays for as long as no other has room.
            let is_needed = door.origin == Origin::Spare
                && !doors.iter().any(|other| !Arc::ptr_eq(door, other) && other.is_like(door));
            let is_over =
                door.origin != Origin::Spare && now.duration_since(door.since) > LONGEST_PRIVATE;
            if is_over || empty.is_some_and(|empty| empty > CLOSES_AFTER) && !is_needed {
                // Where somebody has come meanwhile, it stays open, or closes after their round.
                let _ = door.asks.try_send(Ask::Close { is_over });
            }
        }
        let is_gone =
            |door: &Arc<TableDoor>| door.asks.is_closed() && door.glance.borrow().is_unwanted;
        if doors.iter().any(is_gone) {
            self.change_doors(|doors| doors.retain(|door| !is_gone(door)));
        }
        if self.ground.relay.is_none() {
            return;
        }
        for door in doors.iter().filter(|door| is_gone(door)) {
            let table = &door.about.table;
            if let Err(error) = self.ground.store.forget(table, door.epoch).await {
                tracing::warn!(table, what = "closed", why = %error, "its lease is not forgotten");
            }
        }
    }

    /// The name of a spare table with the terms of another one, where none of them has room.
    fn wanted(&self, setup: &Setup) -> Option<String> {
        let doors = self.doors();
        let alike = doors.iter().filter(|door| door.is_listed() && door.setup.sheet == setup.sheet);
        let alike: Vec<_> = alike.collect();
        // One node opens spare tables: the one that has the first of those like them.
        let is_own = alike.first().is_some_and(|door| door.is_here());
        let spares = alike.iter().filter(|door| door.origin == Origin::Spare).count();
        let is_first = self.setups.iter().find(|other| other.sheet == setup.sheet) == Some(setup);
        let is_wanted = is_first
            && is_own
            && !setup.physical
            && spares < self.ground.limits.spare_tables
            && doors.len() < self.ground.limits.tables
            && alike.iter().all(|door| !door.is_troubled())
            && !alike.iter().any(|door| door.is_open());
        let free = |name: &String| {
            !self.setups.iter().any(|other| other.name == *name)
                && !doors.iter().any(|door| door.about.table == *name)
        };
        is_wanted.then(|| spare_names(setup).find(free)).flatten()
    }

    /// Opens a table for whoever is told its name.
    pub(crate) async fn open_private(
        &self,
        name: String,
        sheet: TermSheet,
        by: (Name, std::net::IpAddr),
    ) -> Result<Arc<TableDoor>, NoTable> {
        let _change = self.changes.lock().await;
        let doors = self.doors();
        let private = || doors.iter().filter(|door| !door.is_listed());
        let of_one = private().filter(|door| match &door.origin {
            Origin::Private { by: Some((who, from)) } => *who == by.0 || *from == by.1,
            _ => false,
        });
        let Limits { tables, private_tables, .. } = self.ground.limits;
        if doors.len() >= tables || private().count() >= private_tables {
            return Err(NoTable::Full);
        }
        if of_one.count() >= MOST_PRIVATE_OF_ONE {
            return Err(NoTable::OfOne);
        }
        let pace = self.pace_of(&sheet);
        let (physical, coach, company) = (false, PRIVATE_COACH, true);
        let setup = Setup { name, sheet, pace, physical, coach, company };
        if let Some(fault) = self.add(&setup, Origin::Private { by: Some(by) }).await {
            return Err(NoTable::Store(fault));
        }
        if self.ground.relay.is_some() {
            self.take(&setup.name).await.map_err(NoTable::Store)?;
        }
        self.door(&setup.name).ok_or(NoTable::Full)
    }

    /// Waits until every table has come to its end.
    pub(crate) async fn all_done(&self) {
        let tasks = std::mem::take(&mut *self.tasks.lock().unwrap_or_else(PoisonError::into_inner));
        tasks.join_all().await;
    }
}

impl TableDoor {
    /// Whether it has room, and the terms of another table.
    fn is_like(&self, other: &TableDoor) -> bool {
        self.is_listed() && self.setup.sheet == other.setup.sheet && self.is_open()
    }
}

/// The names of spare tables: those of `deck-1` are `deck-2`, `deck-3` and so on.
fn spare_names(setup: &Setup) -> impl Iterator<Item = String> {
    let is_number = |(_, number): &(&str, &str)| number.parse::<u32>().is_ok();
    let stem = setup.name.rsplit_once('-').filter(is_number).map_or(&*setup.name, |(stem, _)| stem);
    let stem = stem.to_owned();
    (2_u32..1000)
        .map(move |number| format!("{stem}-{number}"))
        .filter(|name| name.parse::<Name>().is_ok())
}

/// Whether a table could have been opened as a spare one of another.
fn is_spare_of(name: &str, setup: &Setup, sheet: &TermSheet) -> bool {
    setup.sheet == *sheet && spare_names(setup).any(|spare| spare == name)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use futures_util::future::{BoxFuture, ready};
    use futures_util::stream::{StreamExt, pending};
    use rules::wager::Game;

    use super::*;
    use crate::bus::{Bus, Carrier, Messages};
    use crate::metrics::Metrics;
    use crate::scratch;
    use crate::store::{EventKind, People};

    /// A bus on which nobody says anything.
    struct Silence;

    impl Carrier for Silence {
        fn is_up(&self) -> bool {
            true
        }

        fn breaks(&self) -> watch::Receiver<u64> {
            watch::channel(0).1
        }

        fn publish(&self, _: String, _: Vec<u8>) -> BoxFuture<'_, Option<()>> {
            ready(Some(())).boxed()
        }

        fn subscribe(&self, _: String) -> BoxFuture<'_, Option<Messages>> {
            ready(Some(pending().boxed())).boxed()
        }

        fn request(&self, _: String, _: Vec<u8>) -> BoxFuture<'_, Option<async_nats::Message>> {
            ready(None).boxed()
        }
    }

    /// A floor without a table, on a store of its own.
    async fn floor(name: &str) -> (Floor, watch::Sender<bool>) {
        let store = Store::open(&scratch::file(name)).await.unwrap();
        floor_with(store, None, Vec::new()).await
    }

    async fn floor_with(
        store: Store,
        relay: Option<Arc<Relay>>,
        setups: Vec<Setup>,
    ) -> (Floor, watch::Sender<bool>) {
        let (close, closing) = watch::channel(false);
        let ground = Ground {
            store,
            orders: dealer::entropy(),
            limits: Limits::default(),
            progressive: None,
            holdings: Holdings::default(),
            house: "h1".parse().unwrap(),
            has_analysis: false,
            has_company: false,
            relay,
            closing,
        };
        (Floor::open(ground, setups).await.unwrap(), close)
    }

    const WAR: &str = "war-1";

    /// Two nodes on one file, and the floor of the second.
    async fn two_nodes(name: &str) -> ([Store; 2], Floor, watch::Sender<bool>) {
        let file = scratch::file(name);
        let one = Store::open(&file).await.unwrap().of_node("one");
        let two = Store::open(&file).await.unwrap().of_node("two");
        let bus = Bus::over(Arc::new(Silence), "h1", "two-1".to_owned());
        let relay = Arc::new(Relay::new(bus, Metrics::default()));
        let setups = vec![Setup::new(WAR, Game::CasinoWar)];
        let (floor, close) = floor_with(two.clone(), Some(relay), setups).await;
        ([one, two], floor, close)
    }

    /// Up to where the books agreed: what is said of an entry that is not there.
    const DIFFERS: &str = "INSERT INTO reconciled VALUES ('war-1', 1, 7, \
        '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef')";

    #[tokio::test]
    async fn a_node_compares_the_books_of_its_own_tables_alone() {
        let ([one, two], floor, _close) = two_nodes("floor-contended").await;
        let epoch = one.own(WAR).await.unwrap();
        // As it may look while another node writes.
        one.tamper(DIFFERS).await;
        assert!(!floor.take(WAR).await.unwrap());
        assert!(!floor.door(WAR).unwrap().is_here());
        assert!(two.last_event(EventKind::Difference).await.unwrap().is_none());
        // Its own books do not agree: it stays closed under its epoch.
        one.release(WAR, epoch, None).await.unwrap();
        assert!(floor.take(WAR).await.unwrap());
        let door = floor.door(WAR).unwrap();
        assert!(door.is_under(epoch + 1) && door.has_failed());
        assert!(two.last_event(EventKind::Difference).await.unwrap().is_some());
    }

    #[tokio::test]
    async fn a_closed_table_is_given_up_for_another_node_to_try() {
        let ([one, two], floor, _close) = two_nodes("floor-closed").await;
        let epoch = one.own(WAR).await.unwrap();
        one.tamper(DIFFERS).await;
        one.release(WAR, epoch, None).await.unwrap();
        assert!(floor.take(WAR).await.unwrap());
        assert!(!floor.hand_over(WAR, Some("one"), false).await);
        assert!(floor.release_unserved(WAR, epoch + 1, "one").await);
        assert!(!floor.door(WAR).unwrap().is_here());
        assert!(matches!(two.own(WAR).await, Err(StoreError::Owned)), "one has a head start");
        one.own(WAR).await.unwrap();
    }

    #[tokio::test]
    async fn a_closed_table_that_another_node_owns_is_not_here_any_more() {
        let ([one, _two], floor, _close) = two_nodes("floor-lost").await;
        let epoch = one.own(WAR).await.unwrap();
        one.tamper(DIFFERS).await;
        one.release(WAR, epoch, None).await.unwrap();
        assert!(floor.take(WAR).await.unwrap());
        assert!(floor.door(WAR).unwrap().has_failed());
        one.tamper("UPDATE leases SET until = 0").await;
        one.own(WAR).await.unwrap();
        floor.lose(WAR);
        let door = floor.door(WAR).unwrap();
        assert!(!door.is_here() && !door.has_failed() && door.trouble().is_none());
    }

    #[tokio::test]
    async fn a_table_that_answers_nothing_keeps_nobody_from_opening_another() {
        let (floor, _close) = floor("floor-stuck").await;
        let sheet = TermSheet::new(Game::CasinoWar);
        let table = Table::new(sheet.clone());
        let (asks, mut asked) = mpsc::channel(1);
        asks.send(Ask::LookAround).await.unwrap();
        let (_shows, glance) = watch::channel(Glance::of(&table, &[]));
        let since = Instant::now();
        let (about, empty_since) =
            (about::about("stuck-1", &table, Coach::Off), Mutex::new(Some(since)));
        let setup = Setup {
            name: "stuck-1".to_owned(),
            sheet,
            pace: Pace::default(),
            physical: false,
            coach: Coach::Off,
            company: false,
        };
        let (origin, owner) = (Origin::Private { by: None }, watch::Sender::new(Owner::Here));
        let (epoch, shows) = (1, None);
        let door = TableDoor {
            about,
            setup,
            asks,
            glance,
            origin,
            owner,
            epoch,
            shows,
            since,
            empty_since,
        };
        floor.change_doors(|doors| doors.push(Arc::new(door)));

        let later = since + CLOSES_AFTER + Duration::from_secs(1);
        let opens = async {
            floor.look_after(later).await;
            let by = ("ann".parse().unwrap(), std::net::Ipv4Addr::LOCALHOST.into());
            let sheet = TermSheet::new(Game::FreeBet);
            floor.open_private("private-1".to_owned(), sheet, by).await.is_ok()
        };
        assert!(tokio::time::timeout(Duration::from_secs(10), opens).await.unwrap());
        // It is told to close as soon as it listens.
        assert!(matches!(asked.try_recv(), Ok(Ask::LookAround)));
        assert!(asked.try_recv().is_err());
        floor.look_after(later).await;
        assert!(matches!(asked.try_recv(), Ok(Ask::Close { is_over: false })));
    }
}
