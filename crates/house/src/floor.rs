//! The floor: the ways to all tables, to those of the configuration and to those that are opened when
//! they are wanted.
//!
//! A *spare* table has the game and the terms of tables of the configuration. It is opened when none of
//! them has room for a newcomer, and closed when nobody has been there for a while. A *private* table has
//! terms of its own, is in no list, and is found by whoever has its name. Both keep their log: a spare
//! table goes on with it. Nothing but the log says that they were open. After a start those are opened
//! again at which somebody has chips, so that nobody's chips are out of reach.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use audit::log::RulesLine;
use rules::money::Cents;
use rules::table::{Name, Table};
use rules::terms::TermSheet;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;
use wire::{AboutTable, Coach, Refusal};

use crate::config::Setup;
use crate::limits::Limits;
use crate::store::{Store, StoreError, StoreResult};
use crate::tables::about;
use crate::tables::chips::Holdings;
use crate::tables::dealer::{self, Orders, Pace};
use crate::tables::progressive::Progressive;
use crate::tables::reconciler;
use crate::tables::refusals;
use crate::tables::task::{Ask, Glance, MOST_ASKED, Means, TableTask, open_later};

/// How long a table that was opened when it was wanted stays open with nobody there.
pub const CLOSES_AFTER: Duration = Duration::from_secs(5 * 60);

/// The longest that a private table stays open: then whoever is there leaves after the round.
pub const LONGEST_PRIVATE: Duration = Duration::from_secs(12 * 60 * 60);

/// The longest that a private table waits for an answer or a wager, in seconds: nobody keeps its place in
/// the house by keeping it waiting.
pub const LONGEST_PRIVATE_WAIT: u32 = 10 * 60;

/// Private tables that one person, or one address, has open at a time.
pub const MOST_PRIVATE_OF_ONE: usize = 2;

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
    pub(crate) sheet: TermSheet,
    pub(crate) pace: Pace,
    pub(crate) asks: mpsc::Sender<Ask>,
    pub(crate) glance: watch::Receiver<Glance>,
    pub(crate) origin: Origin,
    since: Instant,
    /// Since when nobody has been there.
    empty_since: Mutex<Option<Instant>>,
}

impl TableDoor {
    /// Whether the lobby shows it.
    pub(crate) fn is_listed(&self) -> bool {
        !matches!(self.origin, Origin::Private { .. })
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
        self.asks.is_closed() && !self.glance.borrow().is_unwanted
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
        }
    }

    /// Why a table cannot have the meter that it shares with others.
    fn meter_fault(&self, setup: &Setup, origin: &Origin) -> Option<StoreError> {
        let is_shared = !matches!(origin, Origin::Private { .. })
            && Table::new(setup.sheet.clone()).meter().is_some();
        self.progressive.as_ref().filter(|_| is_shared)?.as_ref().err().cloned()
    }

    /// Takes a table over, from where it was left.
    async fn open(&self, setup: &Setup, origin: Origin) -> NewTable {
        let Setup { name, sheet, .. } = setup;
        let (asks, asked) = mpsc::channel(MOST_ASKED);
        let means = self.means(setup, &origin);
        let closing = self.closing.clone();
        let agrees = match self.meter_fault(setup, &origin) {
            Some(fault) => Err(NotOpen { fault, why: refusals::table_unbalanced() }),
            None => agrees_since(&self.store, name).await,
        };
        let loaded = match agrees {
            Ok(()) => TableTask::load(name, sheet, means.clone()).await.map_err(NotOpen::from),
            Err(not_open) => Err(not_open),
        };
        let door = |about, glance| TableDoor {
            about,
            sheet: sheet.clone(),
            pace: setup.pace,
            asks,
            glance,
            origin,
            since: Instant::now(),
            empty_since: Mutex::default(),
        };
        let NotOpen { fault, why } = match loaded {
            Ok(task) => {
                let (about, glance) = (task.about(), task.glance());
                tracing::info!(table = %name, what = "open", game = %about.game, "a table is open");
                let task: Running = Box::pin(task.run(asked, closing));
                return NewTable { door: door(about, glance), task: Some(task), fault: None };
            }
            Err(not_open) => not_open,
        };
        let table = Table::new(sheet.clone());
        let (shows, glance) =
            watch::channel(Glance { trouble: Some(why), ..Glance::of(&table, &[]) });
        let door = door(about::about(name, &table, means.coach), glance);
        let task: Option<Running> = match fault.closes_a_table() {
            // A configuration with other terms opens no house, and whoever opens it says so.
            true if matches!(fault, StoreError::OtherTerms { .. }) => None,
            true => {
                tracing::error!(table = %name, what = "closed", why = %fault, "a table stays closed");
                None
            }
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
    /// Held while a table is opened or closed.
    changes: tokio::sync::Mutex<()>,
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
            changes: tokio::sync::Mutex::default(),
        };
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

    /// Opens a table. Gives why it is not open, or not yet.
    async fn add(&self, setup: &Setup, origin: Origin) -> Option<StoreError> {
        let NewTable { door, task, fault } = self.ground.open(setup, origin).await;
        if let Some(task) = task {
            self.tasks.lock().unwrap_or_else(PoisonError::into_inner).spawn(task);
        }
        self.change_doors(|doors| doors.push(Arc::new(door)));
        fault
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
        self.close_empty(now);
        for setup in &self.setups {
            if let Some(name) = self.wanted(setup) {
                let setup = Setup { name, ..setup.clone() };
                self.add(&setup, Origin::Spare).await;
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
    fn close_empty(&self, now: Instant) {
        let doors = self.doors();
        for door in doors.iter().filter(|door| door.origin != Origin::Configured) {
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
    }

    /// The name of a spare table with the terms of another one, where none of them has room.
    fn wanted(&self, setup: &Setup) -> Option<String> {
        let doors = self.doors();
        let alike = doors.iter().filter(|door| door.is_listed() && door.sheet == setup.sheet);
        let alike: Vec<_> = alike.collect();
        let spares = alike.iter().filter(|door| door.origin == Origin::Spare).count();
        let is_first = self.setups.iter().find(|other| other.sheet == setup.sheet) == Some(setup);
        let is_wanted = is_first
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
        match self.add(&setup, Origin::Private { by: Some(by) }).await {
            None => self.door(&setup.name).ok_or(NoTable::Full),
            Some(fault) => Err(NoTable::Store(fault)),
        }
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
        self.is_listed() && self.sheet == other.sheet && self.is_open()
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
    use rules::wager::Game;

    use super::*;
    use crate::scratch;

    /// A floor without a table, on a store of its own.
    async fn floor(name: &str) -> (Floor, watch::Sender<bool>) {
        let store = Store::open(&scratch::file(name)).await.unwrap();
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
            closing,
        };
        (Floor::open(ground, Vec::new()).await.unwrap(), close)
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
        let origin = Origin::Private { by: None };
        let pace = Pace::default();
        let door = TableDoor { about, sheet, pace, asks, glance, origin, since, empty_since };
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
