//! The live house: tables, dealer, store, wire and HTTP, behind one port.
//!
//! One task owns one table. A command is decided by the pure table, appended with its transfers in
//! one transaction, and only then answered and announced. The world comes in as arguments: the
//! listener, the order of every shoe, the pace, and when to close.
//!
//! ```no_run
//! # async fn open() -> Result<(), house::Error> {
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:8042").await.map_err(house::Error::Port)?;
//! let config = house::Config::new("data".into());
//! house::run(listener, config, std::future::pending()).await
//! # }
//! ```
//!
//! Layers, each of which knows only those before it: [`limits`], [`network`] and `metrics`; [`bus`] (what
//! carries messages between nodes); [`people`]; [`store`] (the disk); [`analysis`] (what decisions are
//! worth); [`tables`] (one task owns one table; it speaks the protocol of the crate [`wire`]); [`relay`]
//! (clients at one node, and their table at another); [`config`]; [`floor`] (which tables are open);
//! [`nodes`] (which node owns them); and [`http`] (requests and sockets). `tests/layers.rs` looks.

pub mod analysis;
pub mod bus;
pub mod config;
mod failpoints;
pub mod floor;
pub mod http;
pub mod limits;
mod metrics;
pub mod network;
pub mod nodes;
pub mod people;
pub mod relay;
#[cfg(test)]
mod scratch;
pub mod store;
pub mod tables;

use std::fmt;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;

use bus::{Bus, BusError};
use config::{NodeSettings, Setup};
use floor::{Floor, Ground};
use http::entrance::{self, Doorway, Entrance, LONGEST_REQUEST};
use http::{
    Analyst, COOKIE, Desk, Held, House, LONGEST_STALL, MOST_CATCHING_UP, MOST_EXPORTS,
    MOST_EXPORTS_OF_AN_ADDRESS, MOST_LOOKUPS, MOST_LOOKUPS_OF_AN_ADDRESS, MOST_OPEN_EXPORTS,
    Messages, Shares, Studies, Vault,
};
use network::{Certificate, CertificateError};
use nodes::Node;
use people::names::{HOUSE, is_reserved};
use people::password::{Password, PasswordHash};
use relay::Relay;
use rules::money::Cents;
use rules::table::{Name, Table};
use store::files::{private_file, store_folder, whole_file};
use store::{Address, Change, EventKind, HouseEvent, NodeInfo, People, Store, StoreError};
use tables::chips::Holdings;
use tables::dealer;
use tables::progressive::Progressive;
use tables::reconciler::reconcile_tables;
use tables::task::PROBED_EVERY;

pub use config::Config;
pub use people::moment::in_universal_time;

/// The file in the data directory that holds everything.
pub const STORE_FILE: &str = "pitboss.db";

/// The file in the data directory that names the house, where its store is on a server.
pub const HOUSE_FILE: &str = "pitboss.house";

/// The file in the data directory that an open house has locked.
pub const LOCK_FILE: &str = "pitboss.lock";

/// The folder in the data directory for backups that are made over HTTP.
pub const BACKUPS: &str = "backups";

/// How long tables, requests and sockets have to come to their end when the house closes.
pub const CLOSING_TIME: Duration = Duration::from_secs(3);

/// Why a house cannot be open.
#[derive(Debug)]
pub enum Error {
    /// The directory of the store cannot be used.
    Data(PathBuf, io::Error),
    /// Another house has the store.
    Taken(PathBuf),
    /// The store cannot be read or written, or a log in it cannot be gone on with.
    Store(StoreError),
    /// The port cannot be served.
    Port(io::Error),
    /// The name of a new account is reserved.
    Reserved(Name),
    /// The certificate cannot be used.
    Certificate(CertificateError),
    /// Two tables would share a progressive with two seeds.
    Seeds(String, String),
    /// The bus of a node cannot be used.
    Bus(BusError),
    /// A node has no store that it could share with others.
    NodeAlone,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Data(data, error) => {
                write!(f, "the directory {} cannot be used: {error}", data.display())
            }
            Error::Taken(data) => {
                write!(f, "another house is open with the store in {}; ", data.display())?;
                f.write_str("close it, or choose another directory")
            }
            // Whoever reads this has no house that goes on.
            Error::Store(StoreError::Full) => {
                f.write_str("the disk is full; make room, and try again")
            }
            Error::Store(error) => error.fmt(f),
            Error::Port(error) => write!(f, "the port cannot be used: {error}"),
            Error::Certificate(error) => error.fmt(f),
            Error::Bus(error) => error.fmt(f),
            Error::NodeAlone => f.write_str(
                "a node of a house needs a store on PostgreSQL, which it shares with the others: \
                 store = \"postgres://…\"",
            ),
            Error::Reserved(name) => write!(f, "the name {name} is reserved"),
            Error::Seeds(one, other) => write!(
                f,
                "tables {one} and {other} share a progressive, so both need the same \
                 progressive_seed (CW-R19)"
            ),
        }
    }
}

impl std::error::Error for Error {}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Error {
        Error::Store(error)
    }
}

/// Opens the house, and closes it in good order when `shutdown` is done.
pub async fn run(
    listener: TcpListener,
    config: Config,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), Error> {
    Opened::new(config).await?.run(listener, shutdown).await
}

/// A house whose tables are loaded, and which nobody can enter yet.
pub struct Opened {
    house: House,
    tasks: Vec<JoinHandle<()>>,
    close: watch::Sender<bool>,
    /// What HTTPS is spoken with.
    certificate: Option<Certificate>,
    /// Held for as long as the house is open; the system lets it go when the program ends, however.
    _lock: File,
}

impl Opened {
    /// Takes the store over, and every table in it where it was left. A store that cannot be gone on with
    /// is closed in good order.
    pub async fn new(config: Config) -> Result<Opened, Error> {
        let certificate = config.network.certificate.clone().map(Certificate::read);
        let certificate = certificate.transpose().map_err(Error::Certificate)?;
        let lock = lock(&config.data)?;
        for note in config.notes() {
            tracing::warn!(what = "configuration", "{note}");
        }
        let store = open_store(&config).await?;
        let (close, closing) = watch::channel(false);
        let mut tasks = Vec::new();
        match open_house(&store, config, closing, &mut tasks).await {
            Ok(house) => Ok(Opened { house, tasks, close, certificate, _lock: lock }),
            Err(error) => {
                put_away(&store, &close, tasks, None).await;
                Err(error)
            }
        }
    }

    /// Closes the house in good order before anybody has entered.
    pub async fn close(self) {
        let Opened { house, tasks, close, _lock, .. } = self;
        put_away(&house.store, &close, tasks, Some(&house.floor)).await;
    }

    /// Lets people in until `shutdown` is done, and then closes in good order.
    pub async fn run(
        mut self,
        listener: TcpListener,
        shutdown: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), Error> {
        let (sockets, closing) = (self.house.sockets.clone(), self.house.closing.clone());
        let reserved = self.house.reserved_sockets.clone();
        let (limits, store) = (self.house.limits, self.house.store.clone());
        let (node, leaving) = (self.house.node.clone(), self.house.node.clone());
        let close = self.close;
        tracing::info!(what = "open", tables = self.house.floor.doors().len(), "the house is open");
        tokio::spawn(async move {
            shutdown.await;
            tracing::info!(what = "closing", "the house closes");
            if let Some(node) = leaving {
                node.leave().await;
            }
            let _ = close.send(true);
        });
        let entrance = Entrance {
            connections: limits.connections,
            connections_of_an_address: limits.connections_of_an_address,
            request: LONGEST_REQUEST,
            stall: LONGEST_STALL,
        };
        let (network, house) = (self.house.network.clone(), Arc::new(self.house));
        let floor = house.floor.clone();
        if let Some(node) = &node {
            let relay = node.relay().clone();
            self.tasks.push(tokio::spawn(node.clone().listen(house.closing.clone())));
            self.tasks.push(tokio::spawn(node.clone().keep_leases(house.closing.clone())));
            self.tasks.push(tokio::spawn(node.clone().look_around(house.closing.clone())));
            self.tasks.push(tokio::spawn(node.clone().give_away(house.closing.clone())));
            self.tasks.push(tokio::spawn(node.clone().follow_meter(house.closing.clone())));
            self.tasks.push(tokio::spawn(relay.look_after(house.closing.clone())));
            self.tasks.push(tokio::spawn(http::follow_people(house.clone(), node.clone())));
            self.tasks.push(tokio::spawn(http::coach_for_nodes(house.clone(), node.clone())));
        }
        let lobby = tokio::spawn(http::look_after(house.clone()));
        let router = http::router(house.clone());
        let company = tokio::spawn(http::keep_company(house, router.clone(), entrance));
        let tls = self.certificate.map(|certificate| {
            let (renew, tls) = watch::channel(certificate.config());
            let following = entrance::follow_certificate(certificate, renew, closing.clone());
            self.tasks.push(tokio::spawn(following));
            tls
        });
        let door = Doorway { router, network, tls };
        let mut open = entrance::serve(listener, door, entrance, closing).await;
        let count = |sockets: usize| u32::try_from(sockets).expect("a small number");
        let everyone = (count(limits.sockets), count(limits.reserved_sockets));
        let all_gone = async move {
            for task in self.tasks {
                let _ = task.await;
            }
            let _ = lobby.await;
            let _ = company.await;
            floor.all_done().await;
            // Also of a connection that failed by a mistake of the program.
            while open.join_next().await.is_some() {}
            let _ = sockets.acquire_many(everyone.0).await;
            let _ = reserved.acquire_many(everyone.1).await;
        };
        let is_empty = tokio::time::timeout(CLOSING_TIME, all_gone).await.is_ok();
        if let Some(node) = node {
            node.release_all().await;
        }
        store.close().await;
        tracing::info!(what = "closed", is_empty, "the house is closed");
        Ok(())
    }
}

/// Opens a house with its store, and notes what runs beside it.
async fn open_house(
    store: &Store,
    config: Config,
    closing: watch::Receiver<bool>,
    tasks: &mut Vec<JoinHandle<()>>,
) -> Result<House, Error> {
    let progressive = match common_seed(&config.tables)? {
        Some(seed) => match Progressive::find(store, seed).await {
            // The tables that share it stay closed, and the others open.
            Err(fault) if fault.closes_a_table() => Some(Err(fault)),
            opened => Some(Ok(opened?)),
        },
        None => None,
    };
    let holdings = Holdings::default();
    let limits = config.limits.within_open_files();
    let id = store.pseudonyms().await?.house();
    let relay = match &config.node {
        Some(node) => Some(Arc::new(connect(node, store).await?)),
        None => None,
    };
    let ground = Ground {
        store: store.clone(),
        orders: config.orders.clone(),
        limits,
        progressive: progressive.clone(),
        holdings: holdings.clone(),
        house: id,
        has_analysis: config.analysis.is_some(),
        has_company: config.company.is_some() && limits.house_players > 0,
        relay: relay.clone(),
        closing: closing.clone(),
    };
    let floor = Arc::new(Floor::open(ground, config.tables.clone()).await?);
    let progressive = progressive.and_then(Result::ok);
    if let Some(progressive) = &progressive {
        progressive.put_up(store).await?;
    }
    let (of_store, after) = (store.clone(), config.reconciles_after);
    let on_floor = floor.clone();
    let doors = move || {
        let doors = on_floor.doors();
        let own = doors.iter().filter(|door| door.is_here());
        own.map(|door| (door.about.table.clone(), door.asks.downgrade())).collect()
    };
    let look = reconcile_tables(of_store, doors, after, closing.clone());
    tasks.push(tokio::spawn(look));
    let sockets = Arc::new(Semaphore::new(limits.sockets));
    let lobby_sockets = Arc::new(Semaphore::new(limits.sockets_in_the_lobby()));
    let export_shares = Shares::new(MOST_EXPORTS_OF_AN_ADDRESS, MOST_EXPORTS);
    let socket_shares = Shares::new(limits.sockets_of_an_address, limits.sockets);
    let (door, sockets_of, vault) = (Mutex::default(), Mutex::default(), Vault::default());
    let (configuration, opened) = (config.in_one_line(), config.tables.len());
    match note_start(store, &configuration, opened).await {
        // It is kept as soon as there is room.
        Err(StoreError::Full) => {
            let (store, closing) = (store.clone(), closing.clone());
            tasks.push(tokio::spawn(note_start_later(store, configuration, opened, closing)));
        }
        noted => noted?,
    }
    let node = match relay.zip(config.node) {
        Some((relay, NodeSettings { name, .. })) => {
            let (address, rules) = (relay.bus.inbox().to_owned(), rules::RULES_VERSION.to_owned());
            let info = NodeInfo { name, address, rules };
            let join = Node::join(info, store.clone(), floor.clone(), relay, progressive);
            Some(Arc::new(join.await?))
        }
        None => None,
    };
    let cookie = format!("{COOKIE}{}", store.identity().await?);
    let pseudonyms = store.pseudonyms().await?;
    Ok(House {
        store: store.clone(),
        data: config.data.clone(),
        cookie,
        floor,
        holdings,
        node,
        limits,
        expectations: config.expectations,
        analyst: config.analysis.map(Analyst::new),
        studies: config.tutor.map(Studies::new),
        company: match config.company {
            Some(players) => Desk::new(players, limits.house_players).map_err(Error::Port)?,
            None => Desk::default(),
        },
        network: config.network,
        closing,
        lobby: watch::Sender::default(),
        sockets,
        reserved_sockets: Arc::new(Semaphore::new(limits.reserved_sockets)),
        lobby_sockets,
        socket_shares,
        request_shares: Shares::new(limits.connections_of_an_address, limits.connections),
        exports: Semaphore::new(MOST_EXPORTS),
        open_exports: Arc::new(Semaphore::new(MOST_OPEN_EXPORTS)),
        catching_up: Semaphore::new(MOST_CATCHING_UP),
        export_shares,
        lookups: Semaphore::new(MOST_LOOKUPS),
        lookup_shares: Shares::new(MOST_LOOKUPS_OF_AN_ADDRESS, MOST_LOOKUPS),
        door,
        messages: Mutex::new(Messages::new(&limits)),
        sockets_of,
        vault,
        pseudonyms,
        read_to: Mutex::default(),
        locked_out: Mutex::default(),
        probed: Held::default(),
        total: Held::default(),
    })
}

/// Ends whatever runs in a house that nobody has entered, and closes its store.
async fn put_away(
    store: &Store,
    close: &watch::Sender<bool>,
    tasks: Vec<JoinHandle<()>>,
    floor: Option<&Floor>,
) {
    close.send_replace(true);
    let all_gone = async {
        for task in tasks {
            let _ = task.await;
        }
        if let Some(floor) = floor {
            floor.all_done().await;
        }
    };
    let _ = tokio::time::timeout(CLOSING_TIME, all_gone).await;
    store.close().await;
}

/// Opens the store. One on a server must be that of the house that used the directory before.
async fn open_store(config: &Config) -> Result<Store, Error> {
    let Some(url) = &config.store else {
        if config.node.is_some() {
            return Err(Error::NodeAlone);
        }
        return Ok(Store::open_for_house(config.address()).await?);
    };
    let unusable = |error| Error::Data(config.data.clone(), error);
    let file = config.data.join(HOUSE_FILE);
    let before = match std::fs::read_to_string(&file) {
        // An empty file was begun on a full disk.
        Ok(before) => Some(before.trim().to_owned()).filter(|before| !before.is_empty()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(unusable(error)),
    };
    let (is_new, url) = (before.is_none(), url.clone().of_house(before));
    let store = match &config.node {
        Some(node) => Store::open_for_node(url, &node.name).await?,
        None => Store::open_for_house(url).await?,
    };
    let named = match is_new {
        true => match store.identity().await {
            Ok(name) => whole_file(&file, &format!("{name}\n")).map_err(unusable),
            Err(error) => Err(error.into()),
        },
        false => Ok(()),
    };
    match named {
        Ok(()) => Ok(store),
        Err(error) => {
            store.close().await;
            Err(error)
        }
    }
}

/// Connects a node to the bus of its house.
async fn connect(node: &NodeSettings, store: &Store) -> Result<Relay, Error> {
    let house = store.name_on_the_bus().await?;
    let random = dealer::random_bytes().map_err(|error| StoreError::Failed(error.to_string()))?;
    let (run, _) = random.split_first_chunk().expect("more than eight bytes");
    let run = u64::from_le_bytes(*run);
    let bus = Bus::connect(&node.bus, &house, &node.name, run).await.map_err(Error::Bus)?;
    Ok(Relay::new(bus, store.metrics().clone()))
}

/// Keeps the events that the house was opened, and with which configuration if it is another one.
async fn note_start(store: &Store, configuration: &str, tables: usize) -> Result<(), StoreError> {
    let event = |what, more| HouseEvent { who: HOUSE.to_owned(), what, whom: None, more };
    let last = store.last_event(EventKind::Configuration).await?;
    if last.is_none_or(|last| last.more != configuration) {
        let event = event(EventKind::Configuration, configuration.to_owned());
        store.change(Change::Note(event)).await?;
    }
    let (version, rules) = (env!("CARGO_PKG_VERSION"), rules::RULES_VERSION);
    let plural = if tables == 1 { "table" } else { "tables" };
    let more = format!("pitboss {version}, rules version {rules}, {tables} {plural}");
    store.change(Change::Note(event(EventKind::Start, more))).await
}

/// Keeps the events of a start that found no room on the disk.
async fn note_start_later(
    store: Store,
    configuration: String,
    tables: usize,
    mut closing: watch::Receiver<bool>,
) {
    loop {
        tokio::select! {
            _ = closing.changed() => return,
            () = tokio::time::sleep(PROBED_EVERY) => {
                match note_start(&store, &configuration, tables).await {
                    Err(StoreError::Full) => {}
                    Err(error) => {
                        return tracing::error!(what = "store", why = %error, "the start of the house cannot be saved as an event");
                    }
                    Ok(()) => return,
                }
            }
        }
    }
}

/// The seed of the progressive that tables share, where one has it.
fn common_seed(tables: &[Setup]) -> Result<Option<Cents>, Error> {
    let mut seeds = tables.iter().filter_map(|setup| {
        let seed = Table::new(setup.sheet.clone()).meter()?;
        Some((setup.name.as_str(), seed))
    });
    let Some((first, seed)) = seeds.next() else { return Ok(None) };
    match seeds.find(|(_, other)| *other != seed) {
        None => Ok(Some(seed)),
        Some((other, _)) => Err(Error::Seeds(first.to_owned(), other.to_owned())),
    }
}

/// Makes somebody an operator of the house whose store is in a directory, open or not. A guest becomes
/// an account, a stranger is given one, and the password is this one from now on.
pub async fn make_operator(data: &Path, name: Name, password: &Password) -> Result<(), Error> {
    if is_reserved(&name) && !data.join(STORE_FILE).exists() {
        return Err(Error::Reserved(name));
    }
    store_folder(data).map_err(|error| Error::Data(data.to_owned(), error))?;
    make_operator_in(data.join(STORE_FILE), name, password).await
}

/// Makes somebody an operator of the house whose store is at an address.
pub async fn make_operator_in(
    store: impl Into<Address>,
    name: Name,
    password: &Password,
) -> Result<(), Error> {
    let store = Store::open(store).await?;
    let salt = dealer::random_bytes().map_err(|error| StoreError::Failed(error.to_string()))?;
    let kept = PasswordHash::new(password, salt);
    if is_reserved(&name) && store.somebody(name.as_str()).await?.is_none() {
        return Err(Error::Reserved(name));
    }
    let made = store.change(Change::Operator { name, password: kept }).await;
    store.close().await;
    Ok(made?)
}

/// Makes the directory where there is none, and keeps other houses out of it.
fn lock(data: &Path) -> Result<File, Error> {
    let unusable = |error| Error::Data(data.to_owned(), error);
    store_folder(data).map_err(unusable)?;
    let lock = private_file(&data.join(LOCK_FILE)).map_err(unusable)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(Error::Taken(data.to_owned())),
        Err(TryLockError::Error(error)) => Err(unusable(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_that_ends_the_program_promises_nothing() {
        let error = Error::Store(StoreError::Full);
        assert_eq!(error.to_string(), "the disk is full; make room, and try again");
    }
}
