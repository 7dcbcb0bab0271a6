//! What the house keeps on disk, as traits named by what they keep: [`Tables`], [`Money`],
//! [`People`], [`Corrections`], [`History`] and [`Leases`]. It knows the rules and the log, and neither HTTP nor the protocol.
//!
//! One task writes. It takes whatever is waiting into one transaction, so that many tables share a
//! commit, and answers after it is on disk. What is refused is rare, so everything is first written
//! together; where that fails, each append stands in a savepoint of its own.

mod address;
mod corrections;
mod database;
pub mod files;
mod history;
mod house_books;
mod keep;
mod leases;
mod money;
mod office;
mod opening;
mod people;
mod play;
mod postgres;
mod reconcile;
mod roll;
mod rounds;
mod rows;
mod schema;
mod tables;
mod together;
mod writer;

use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, RwLock};
use std::time::{Duration, Instant};

use audit::custody::SealedOrder;
use futures_util::FutureExt;
use rules::card::Card;
use rules::progressive::Figures;
use rules::table::{Account, Name, Seal, Transfer};
use sha2::{Digest, Sha256};
use sqlx::Connection as _;
use sqlx::error::DatabaseError;
use sqlx::postgres::PgDatabaseError;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqlitePoolOptions};
use tokio::sync::{broadcast, mpsc, oneshot};

use crate::metrics::Metrics;
use crate::people::bounds::OwnLimit;
use crate::people::pseudonym::Pseudonyms;

pub use address::{Address, PostgresUrl};
pub use corrections::{CORRECTION_WAITS, Correctable, CorrectionRow, CorrectionStep, Corrections};
use database::{Connection, Pool, Source, Statement, query};
pub use history::{History, RoundRow, RoundSummary, RoundsWanted, SettledWager, Standing};
pub use house_books::reconcile;
pub use keep::{back_up, events, export, note_backup};
pub use leases::{HEAD_START, LEASE, Lease, Leases, NodeInfo, NodeRow, OwnerRow};
pub use money::{MeterMoved, Money, PROGRESSIVE};
pub use office::{EventKind, EventRow, HouseEvent, MOST_TOKENS, PersonRow};
use opening::{FileState, OPEN, is_of_house, keep_private, mark, migrate, options, writing};
pub use people::{
    Change, LONGEST_TRAINING, MONTH, MOST_SESSIONS, PLAY_MONEY, People, PeopleNews, YEAR,
};
pub(crate) use play::Renaming;
pub use play::{
    HeldBack, LONGEST_BREAK, LONGEST_PAUSE, Play, PlayerSession, Players, Point, Risk,
    TableStatistics, Unseating, WagerStatistics,
};
pub use reconcile::{Difference, Reconciliation, TableReconciliation};
pub(crate) use reconcile::{ReadOn, TableBooks};
use roll::Roll;
pub use rounds::{RoundChange, WagerResult};
use rows::StoredRow;
pub(crate) use tables::whole;
pub use tables::{Append, Checkpoint, Command, Known, ROOM, ROOM_FILE, TableStore, Tables, When};
use writer::{SqliteWriter, Writer};

/// The most appends in one commit.
pub const MOST_IN_A_COMMIT: usize = 256;

/// SQLite's word for a disk without room.
const SQLITE_FULL: &str = "13";

/// PostgreSQL's word for it.
const POSTGRES_FULL: &str = "53100";

/// SQLite's numbers for a file that is damaged, and for one that is no database.
const SQLITE_DAMAGE: [u32; 2] = [11, 26];

/// PostgreSQL's words for damaged data and a damaged index.
const POSTGRES_DAMAGE: [&str; 2] = ["XX001", "XX002"];

/// Connections that read.
const READERS: u32 = 4;

/// How long the id of a command is known, in seconds: seven days. Sent again later, the command is
/// carried out again.
pub const COMMANDS_KEPT: i64 = 7 * 24 * 60 * 60;

/// How often old ids are forgotten.
const FORGETS_EVERY: Duration = Duration::from_secs(10 * 60);

/// The most ids that are forgotten at once; where there are more, it goes on after the next commit.
const FORGOTTEN_AT_ONCE: u64 = 2_000;

const FORGET_COMMANDS: &str = "DELETE FROM commands WHERE (player, id) IN \
     (SELECT player, id FROM commands WHERE at < unixepoch() - $1 ORDER BY at LIMIT $2)";

/// What a database is on all servers of the world.
const DATABASE: &str = "SELECT concat(system_identifier, '-', pg_database.oid) AS name \
     FROM pg_control_system(), pg_database WHERE datname = current_database()";

/// How long a closing store waits for whoever reads.
const LONGEST_CLOSING: Duration = Duration::from_secs(5);

/// What the store answers.
pub type StoreResult<T> = Result<T, StoreError>;

/// Why something is not in the store.
#[derive(Clone, Debug)]
pub enum StoreError {
    /// An account does not hold what was to be taken from it.
    Overdrawn,
    /// Somebody has the name or the token already.
    Taken,
    /// A command with this id is there already.
    Repeated,
    /// It was not so any more when it was to be changed.
    Changed,
    /// Another node owns the table.
    Owned,
    /// Another run has the name of this node.
    Replaced,
    /// The progressive has moved since it was decided what becomes of it.
    MeterMoved,
    /// A player's own limit allows no such wager, with what lies at other tables.
    OwnLimit(OwnLimit),
    /// A later program wrote it.
    Later,
    /// There is no room on the disk.
    Full,
    /// A table cannot go on from its log.
    Stuck {
        /// Which one.
        table: String,
        /// Why not.
        reason: String,
    },
    /// A table was opened with other terms.
    OtherTerms {
        /// Which one.
        table: String,
        /// What differs, as it was then.
        before: String,
        /// The same, as it is asked for now.
        now: String,
    },
    /// What was named cannot be the store of this house: a whole sentence.
    Unsuitable(String),
    /// The file was copied without its write-ahead log, and nothing is in it.
    Incomplete(PathBuf),
    /// A value in the store cannot be read.
    Unreadable {
        /// Where it is: column, table and key.
        place: String,
    },
    /// The disk or the database failed, or somebody else writes this table.
    Failed(String),
}

impl StoreError {
    /// Whether a table stays closed for it, since trying again would not help.
    pub fn closes_a_table(&self) -> bool {
        matches!(
            self,
            StoreError::Stuck { .. }
                | StoreError::OtherTerms { .. }
                | StoreError::Unreadable { .. }
        )
    }

    /// The error with the whole path of a damaged file, for whoever opens it.
    fn in_file(self, file: &Path) -> StoreError {
        match self {
            StoreError::Unreadable { place } => {
                let rest = place.strip_prefix(crate::STORE_FILE).map(str::to_owned);
                let named = rest.map(|rest| format!("{}{rest}", file.display()));
                StoreError::Unreadable { place: named.unwrap_or(place) }
            }
            other => other,
        }
    }
}

impl std::fmt::Display for StoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StoreError::Overdrawn => f.write_str("the account does not have that much money"),
            StoreError::Taken => f.write_str("that name is taken"),
            StoreError::Repeated => f.write_str("a command with this id already exists"),
            StoreError::Changed => {
                f.write_str("this has changed since you loaded it; reload and try again")
            }
            StoreError::MeterMoved => {
                f.write_str("the progressive meter has moved meanwhile; try again")
            }
            StoreError::OwnLimit(_) => {
                f.write_str("a limit that the player set allows no such wager")
            }
            StoreError::Owned => f.write_str("another node owns the table"),
            StoreError::Replaced => f.write_str(
                "a node with the name of this one was started later; this one owns nothing any more",
            ),
            StoreError::Later => f.write_str(
                "a later version of Pitboss wrote this store; open it with that one, \
                 or choose another directory",
            ),
            StoreError::Full => f.write_str("the disk is full; betting resumes when there is room"),
            StoreError::OtherTerms { table, before, now } => write!(
                f,
                "table {table} cannot go on: it was opened with {before}, and the configuration \
                 says {now}; keep the former, or give the table another name"
            ),
            StoreError::Stuck { table, reason } => {
                write!(f, "table {table} cannot go on: {reason}")
            }
            StoreError::Incomplete(file) => {
                let file = file.display();
                write!(
                    f,
                    "{file} is empty without {file}-wal, which was beside it when it was copied; \
                     copy both, or make the copy with `pitboss backup`"
                )
            }
            StoreError::Unreadable { place } => {
                write!(f, "the store is damaged and cannot be read at {place}")
            }
            StoreError::Unsuitable(sentence) => f.write_str(sentence),
            StoreError::Failed(reason) => write!(f, "the store failed: {reason}"),
        }
    }
}

impl std::error::Error for StoreError {}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        if let sqlx::Error::Decode(why) = &error
            && let Some(error) = why.downcast_ref::<StoreError>()
        {
            return error.clone();
        }
        let failure = error.as_database_error();
        let is_overdrawn = |error: &dyn DatabaseError| {
            error.is_check_violation() && error.message().contains("never_owes")
        };
        let is_twice = |error: &dyn DatabaseError, tables: &[&str]| {
            // SQLite names it in its sentence, PostgreSQL beside it.
            let is_of = |table: &&str| {
                error.table() == Some(*table) || error.message().contains(&format!("{table}."))
            };
            error.is_unique_violation() && tables.iter().any(is_of)
        };
        match failure {
            Some(error) if is_overdrawn(error) => StoreError::Overdrawn,
            Some(error) if is_twice(error, &["people", "sessions"]) => StoreError::Taken,
            Some(error) if is_twice(error, &["commands"]) => StoreError::Repeated,
            None if matches!(error, sqlx::Error::RowNotFound) => StoreError::Changed,
            _ if is(&error, SQLITE_FULL) || is(&error, POSTGRES_FULL) => StoreError::Full,
            Some(failure) if is_damage(failure) => StoreError::Unreadable {
                place: format!(
                    "{}: {} (see docs/restore.md)",
                    crate::STORE_FILE,
                    failure.message()
                ),
            },
            _ => StoreError::Failed(error.to_string()),
        }
    }
}

/// Whether the file itself is damaged: a kind of damage has the number in its lowest byte.
fn is_damage(error: &dyn DatabaseError) -> bool {
    if error.try_downcast_ref::<PgDatabaseError>().is_some() {
        return error.code().is_some_and(|code| POSTGRES_DAMAGE.contains(&&*code));
    }
    let code = error.code().and_then(|code| code.parse::<u32>().ok());
    code.is_some_and(|code| SQLITE_DAMAGE.contains(&(code & 0xff)))
}

/// The damage where a table of one row has none.
fn no_row(table: &str) -> StoreError {
    StoreError::Unreadable { place: format!("{table}: its only row is missing") }
}

fn is(error: &sqlx::Error, code: &str) -> bool {
    error.as_database_error().and_then(DatabaseError::code).is_some_and(|is| is == code)
}

/// Who opens a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Opener {
    /// A house, which has it to itself.
    House,
    /// One node of a house, by its name.
    Node(Arc<str>),
    /// Somebody beside a house that may be open.
    Beside,
}

/// What a writer is asked.
enum Write {
    Append(Box<Append>),
    /// A change, and whose session, role, limits, exclusion or name it is about.
    People(Box<people::Change>, Vec<Name>),
    Progressive {
        name: &'static str,
        figures: Figures,
    },
    Probe {
        table: String,
    },
    /// Nothing is written later of what has failed before.
    Settle,
    /// Nothing more is written.
    Close,
}

type Waiting = (Write, oneshot::Sender<Result<(), StoreError>>);

/// The store of a house.
#[derive(Clone)]
pub struct Store {
    readers: Pool,
    writer: mpsc::Sender<Waiting>,
    roll: Arc<RwLock<Roll>>,
    /// Names of people who were changed.
    changed: broadcast::Sender<String>,
    metrics: Metrics,
    /// The node that opened it, where the house has several.
    node: Option<Arc<str>>,
    /// Where that run of the node is reached, once it has joined the others.
    run: Arc<OnceLock<String>>,
    /// What keeps leases on a server.
    keeper: Option<Arc<postgres::Keeper>>,
}

impl Store {
    /// Opens a store, and makes it where there is none. A house may be open with it.
    pub async fn open(at: impl Into<Address>) -> Result<Store, StoreError> {
        Store::at(at.into(), Opener::Beside).await
    }

    /// Opens a store for a house, and makes it where there is none.
    pub async fn open_for_house(at: impl Into<Address>) -> Result<Store, StoreError> {
        Store::at(at.into(), Opener::House).await
    }

    /// Opens a store for one node of a house that has several, and makes it where there is none. The node
    /// owns tables by lease.
    pub async fn open_for_node(url: PostgresUrl, node: &str) -> StoreResult<Store> {
        if !is_node_name(node) {
            return Err(StoreError::Unsuitable(format!(
                "a node cannot be named '{}'; use 1 to {LONGEST_NODE_NAME} letters, digits and \
                 hyphens, but neither house nor beside",
                node.escape_debug()
            )));
        }
        Store::at(Address::Postgres(url), Opener::Node(node.into())).await
    }

    async fn at(at: Address, by: Opener) -> Result<Store, StoreError> {
        match at {
            Address::File(file) => {
                Store::in_file(&file, by).await.map_err(|error| error.in_file(&file))
            }
            Address::Postgres(url) => {
                let (readers, writer, keeper) = Box::pin(postgres::open(&url, &by)).await?;
                let writer = Writer::Postgres(Box::new(writer));
                let node = match by {
                    Opener::Node(name) => Some(name),
                    Opener::House | Opener::Beside => None,
                };
                let store = Store::of(Pool::Postgres(readers), writer).await?;
                Ok(Store { node, keeper: Some(Arc::new(keeper)), ..store })
            }
        }
    }

    async fn in_file(file: &Path, by: Opener) -> Result<Store, StoreError> {
        let found = FileState::of(file);
        let options = options(file)?;
        let mut connection = SqliteConnection::connect_with(&options).await?;
        let checked = async {
            is_of_house(&mut connection, file).await?;
            found.check(&mut connection, file).await
        };
        let checked = checked.await;
        connection.close().await?;
        checked?;
        keep_private(file)?;
        Store::with(options, by).await
    }

    /// Opens the store as it is said.
    pub(crate) async fn with(
        options: SqliteConnectOptions,
        by: Opener,
    ) -> Result<Store, StoreError> {
        let mut connection = SqliteConnection::connect_with(&writing(&options)).await?;
        migrate(&mut connection).await?;
        schema::check_file(&mut connection).await?;
        let readers = SqlitePoolOptions::new().max_connections(READERS);
        let readers = readers.connect_with(options.clone()).await?;
        if by == Opener::House {
            mark(&mut connection, OPEN).await?;
        }
        let writer = SqliteWriter { options: writing(&options), by, connection };
        Store::of(Pool::Sqlite(readers), Writer::Sqlite(Box::new(writer))).await
    }

    async fn of(readers: Pool, by: Writer) -> Result<Store, StoreError> {
        let roll = match Roll::read(&readers).await {
            Ok(roll) => Arc::new(RwLock::new(roll)),
            Err(error) => {
                readers.close().await;
                if let Err(why) = by.finish().await {
                    tracing::error!(what = "store", %why, "the store was not closed cleanly");
                }
                return Err(error);
            }
        };
        let (writer, waiting) = mpsc::channel(MOST_IN_A_COMMIT);
        let metrics = Metrics::default();
        tokio::spawn(write(by, waiting, metrics.clone()));
        let changed = broadcast::Sender::new(people::MOST_CHANGED);
        let (node, run, keeper) = (None, Arc::default(), None);
        Ok(Store { readers, writer, roll, changed, metrics, node, run, keeper })
    }

    /// What has been done with this store since it was opened.
    pub(crate) fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// The node that opened it, where the house has several.
    pub fn node(&self) -> Option<&str> {
        self.node.as_deref()
    }

    /// Whether it is a file of this computer.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self.readers, Pool::Sqlite(_))
    }

    /// How many writes wait.
    pub(crate) fn waiting(&self) -> usize {
        self.writer.max_capacity() - self.writer.capacity()
    }

    async fn write(&self, write: Write) -> Result<(), StoreError> {
        let gone = || StoreError::Failed("the writer has stopped".to_owned());
        let (answer, answered) = oneshot::channel();
        self.writer.send((write, answer)).await.map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }

    /// Writes what is waiting, and leaves one complete file. Nothing can be read or written then.
    pub async fn close(&self) {
        if tokio::time::timeout(LONGEST_CLOSING, self.readers.close()).await.is_err() {
            tracing::warn!(what = "store", "the store is closed while it is still being read");
        }
        if let Err(error) = self.write(Write::Close).await {
            tracing::error!(what = "store", why = %error, "the store was not closed cleanly");
        }
    }

    /// What tells this house from others on the same computer.
    pub async fn identity(&self) -> Result<String, StoreError> {
        let row = query("SELECT id FROM house").fetch_optional(&self.readers).await?;
        let row = row.ok_or_else(|| no_row("house"))?;
        let id = |id: &str| id.chars().all(|c| c.is_ascii_alphanumeric()).then(|| id.to_owned());
        StoredRow::new(&row, "house", &[]).named("id", id)
    }

    /// What the nodes of this house are called on a bus: those of a copy of its database, which has the same
    /// identity, are called something else.
    pub async fn name_on_the_bus(&self) -> StoreResult<String> {
        let house = self.pseudonyms().await?.house();
        let Pool::Postgres(_) = &self.readers else { return Ok(house.to_string()) };
        let row = query(DATABASE).fetch_one(&self.readers).await?;
        Ok(format!("{house}-{}", row.try_get::<String>("name")?))
    }

    /// How many pages the file has, for tests.
    #[cfg(test)]
    pub(crate) async fn pages(&self) -> i64 {
        let row = query("PRAGMA page_count").fetch_one(&self.readers).await.unwrap();
        row.try_get("page_count").unwrap()
    }

    /// Opens a store whose file does not grow beyond so many pages, for tests.
    #[cfg(test)]
    pub(crate) async fn with_pages(file: &Path, most: i64) -> Store {
        let options = options(file).unwrap().pragma("max_page_count", most.to_string());
        Store::with(options, Opener::House).await.unwrap()
    }

    /// What players are called where nobody is to learn their names.
    pub async fn pseudonyms(&self) -> Result<Pseudonyms, StoreError> {
        let row = query("SELECT pseudonyms FROM secrets").fetch_optional(&self.readers).await?;
        let row = row.ok_or_else(|| no_row("secrets"))?;
        let Seal(key) = StoredRow::new(&row, "secrets", &[]).parsed("pseudonyms")?;
        Ok(Pseudonyms::new(key))
    }

    /// The store as one node of several has it, for tests.
    #[cfg(test)]
    pub(crate) fn of_node(self, node: &str) -> Store {
        Store { node: Some(node.into()), ..self }
    }

    /// Edits rows directly, for tests.
    #[cfg(test)]
    pub(crate) async fn tamper(&self, line: &'static str) {
        query(line).execute(&self.readers).await.unwrap();
    }
}

/// Writes what is waiting until the store is closed, or nobody is left who could ask.
async fn write(mut writer: Writer, mut waiting: mpsc::Receiver<Waiting>, metrics: Metrics) {
    let mut group = Vec::with_capacity(MOST_IN_A_COMMIT);
    let (mut closers, mut forgets) = (Vec::new(), Instant::now());
    while closers.is_empty() && waiting.recv_many(&mut group, MOST_IN_A_COMMIT).await > 0 {
        let is_close = |(write, _): &mut Waiting| matches!(write, Write::Close);
        closers.extend(group.extract_if(.., is_close).map(|(_, answer)| answer));
        let is_settle = |(write, _): &mut Waiting| matches!(write, Write::Settle);
        let settles: Vec<_> = group.extract_if(.., is_settle).map(|(_, answer)| answer).collect();
        if !settles.is_empty() {
            let settled = writer.settle().await;
            for answer in settles {
                let _ = answer.send(settled.clone());
            }
        }
        let (writes, answers): (Vec<_>, Vec<_>) = group.drain(..).unzip();
        if writes.is_empty() {
            continue;
        }
        let begun = Instant::now();
        // A mistake in one write must not be the last of all.
        let done = AssertUnwindSafe(writer.commit(&writes)).catch_unwind().await;
        let done = done.unwrap_or_else(|_| {
            Err(StoreError::Failed("internal error: a write panicked".to_owned()))
        });
        metrics.committed(begun.elapsed(), done.is_ok());
        match done {
            Ok(results) => {
                count(&metrics, &writes, &results);
                for (answer, result) in answers.into_iter().zip(results) {
                    let _ = answer.send(result);
                }
                if forgets <= Instant::now() && !forget_commands(&mut writer.connection()).await {
                    forgets = Instant::now() + FORGETS_EVERY;
                }
            }
            Err(error) => {
                tracing::error!(what = "commit", why = %error, "a commit failed");
                if let Err(why) = writer.reopen().await {
                    tracing::error!(what = "store", %why, "the store cannot be reopened");
                }
                for answer in answers {
                    let _ = answer.send(Err(error.clone()));
                }
            }
        }
    }
    let closed = writer.finish().await;
    if let Err(error) = &closed {
        tracing::error!(what = "store", why = %error, "the store was not closed cleanly");
    }
    for answer in closers {
        let _ = answer.send(closed.clone());
    }
}

/// Forgets old ids of commands, and tells whether there may be more of them.
async fn forget_commands(connection: &mut Connection<'_>) -> bool {
    let rows = query(FORGET_COMMANDS).bind(COMMANDS_KEPT).bind(number(FORGOTTEN_AT_ONCE));
    match rows.execute(connection).await {
        Ok(deleted) => deleted == FORGOTTEN_AT_ONCE,
        Err(error) => {
            tracing::warn!(what = "store", why = %error, "old command ids cannot be deleted");
            false
        }
    }
}

/// Counts what is on the disk now.
fn count(metrics: &Metrics, writes: &[Write], results: &[Result<(), StoreError>]) {
    for (write, result) in writes.iter().zip(results) {
        if let (Write::Append(append), Ok(())) = (write, result) {
            let is_over = append.kept.as_ref().is_some_and(|kept| kept.ends);
            metrics.wrote(append.entries.len(), is_over);
        }
    }
}

/// Writes what is no append.
async fn add_other(connection: &mut Connection<'_>, write: &Write) -> Result<(), sqlx::Error> {
    match write {
        Write::Append(_) | Write::Settle | Write::Close => Ok(()),
        Write::People(change, _) => change.write(connection).await,
        Write::Probe { table } => tables::touch(connection, table).await,
        Write::Progressive { name, figures } => money::put_up(connection, name, figures).await,
    }
}

/// Writes what few appends have.
async fn add_rest(connection: &mut Connection<'_>, append: &Append) -> Result<(), sqlx::Error> {
    let Append { table, sealed, kept, meter, decks, correction, unseating, event, .. } = append;
    let seq = append.seq();
    for risk in &append.risks {
        play::set_risk(connection, table, risk).await?;
    }
    if let Some(step) = correction {
        corrections::add_step(connection, table, step).await?;
    }
    if let Some(unseating) = unseating {
        play::set_unseating(connection, table, unseating).await?;
    }
    if let Some(event) = event {
        office::add_event(connection, event).await?;
    }
    if let Some(moved) = meter {
        money::set_meter(connection, table, seq, moved).await?;
    }
    if let Some(since) = decks {
        tables::set_decks(connection, table, *since).await?;
    }
    for shoe in kept.iter().flat_map(|kept| &kept.shuffled) {
        let row = query("INSERT INTO shoes VALUES ($1, $2, $3, unixepoch())");
        row.bind(table.as_str()).bind(shoe).bind(seq).execute(&mut *connection).await?;
    }
    if let Some((shoe, SealedOrder { salt, order })) = sealed {
        let row = query("INSERT INTO sealed VALUES ($1, $2, $3, $4)").bind(table.as_str());
        let row = row.bind(*shoe).bind(Seal(*salt).to_string()).bind(write_cards(order));
        row.execute(&mut *connection).await?;
    }
    Ok(())
}

/// Moves money, where a meter is the table's own.
async fn post(
    connection: &mut Connection<'_>,
    table: &str,
    seq: i64,
    transfer: &Transfer,
) -> Result<(), sqlx::Error> {
    post_with(connection, table, seq, transfer, table).await
}

/// Moves money; `meter` is whose the meter is.
async fn post_with(
    connection: &mut Connection<'_>,
    table: &str,
    seq: i64,
    transfer: &Transfer,
    meter: &str,
) -> Result<(), sqlx::Error> {
    let Transfer { from, to, amount } = transfer;
    let [from_scope, to_scope] = [from, to].map(|account| scope_with(table, account, meter));
    let row = query(
        "INSERT INTO transfers \
         (table_id, seq, from_scope, from_account, to_scope, to_account, amount, at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, unixepoch())",
    );
    let row = row.bind(table).bind(seq).bind(from_scope).bind(from.to_string());
    let row = row.bind(to_scope).bind(to.to_string()).bind(amount.get());
    row.execute(connection).await.map(drop)
}

/// The scope of an account; `meter` is whose the meter is.
fn scope_with<'a>(table: &'a str, account: &Account, meter: &'a str) -> &'a str {
    match account {
        Account::Meter => meter,
        account => scope(table, account),
    }
}

/// The table that an account belongs to. A player's belongs to none, and the office posts at none.
fn scope<'a>(table: &'a str, account: &Account) -> &'a str {
    match account {
        Account::Player(_) => "",
        Account::Rack(_) | Account::Escrow | Account::Meter => table,
        Account::House | Account::Cashier => table,
    }
}

/// Changes exactly one row, or nothing.
async fn one(query: Statement, to: impl Source) -> Result<(), sqlx::Error> {
    match query.execute(to).await? {
        1 => Ok(()),
        _ => Err(sqlx::Error::RowNotFound),
    }
}

/// The longest name of a node.
const LONGEST_NODE_NAME: usize = 32;

/// Whether a node can be called so: nobody else who writes is.
fn is_node_name(name: &str) -> bool {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let is_other = ["house", "beside"].contains(&name);
    is_plain && !is_other && (1..=LONGEST_NODE_NAME).contains(&name.len())
}

fn number(seq: u64) -> i64 {
    i64::try_from(seq).expect("a log has fewer entries than that")
}

/// What the store keeps of a token, or of what a command asks for.
fn hash_of(text: &str) -> String {
    Seal(Sha256::digest(text.as_bytes()).into()).to_string()
}

fn write_cards(order: &[Card]) -> String {
    order.iter().map(ToString::to_string).collect()
}

fn read_cards(text: &str) -> Option<Vec<Card>> {
    let letters = text.as_bytes().chunks(2);
    letters.map(|card| std::str::from_utf8(card).ok()?.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use audit::chain::{Chain, Entry};
    use rules::money::Cents;

    use super::opening::{MIGRATIONS, write_ahead};
    use super::*;
    use crate::people::Person;
    use crate::scratch::file;

    fn append(epoch: i64, entries: Vec<Entry>, money: &[(&str, &str, i64)]) -> Append {
        let transfer = |&(from, to, amount): &(&str, &str, i64)| Transfer {
            from: from.parse().unwrap(),
            to: to.parse().unwrap(),
            amount: Cents::new(amount),
        };
        let transfers = money.iter().map(transfer).collect();
        Append { table: "war-1".to_owned(), epoch, entries, transfers, ..Append::default() }
    }

    /// What SQLite says of a store.
    async fn pragma<T>(store: &Store, line: &'static str, column: &str) -> T
    where
        T: for<'r> database::Readable<'r>,
    {
        query(line).fetch_one(&store.readers).await.unwrap().try_get(column).unwrap()
    }

    #[tokio::test]
    async fn what_is_appended_is_there_and_what_is_refused_leaves_nothing() {
        let store = Store::open(&file("append")).await.unwrap();
        let ann: Name = "ann".parse().unwrap();
        store.add_guest(&ann, "secret").await.unwrap();
        assert_eq!(store.person("secret").await.unwrap(), Some(Person::player(ann.clone())));
        assert_eq!(store.person("other").await.unwrap(), None);
        let taken = store.add_guest(&ann, "other").await;
        assert!(matches!(taken, Err(StoreError::Taken)), "{taken:?}");

        let epoch = store.own("war-1").await.unwrap();
        let mut chain = Chain::new("war-1");
        let first = vec![chain.append("< sit 1 ann")];
        let mut buys = append(epoch, first.clone(), &[("player:ann", "rack:1", 60_000)]);
        let command = Command { player: ann, id: "one".to_owned(), asks: "chips".to_owned() };
        buys.command = Some(command.clone());
        store.append(buys).await.unwrap();
        assert_eq!(store.known(&command).await.unwrap(), Some(Known::Applied(Some(1))));
        let other = Command { asks: "a seat".to_owned(), ..command.clone() };
        assert_eq!(store.known(&other).await.unwrap(), Some(Known::Other));
        let new = Command { id: "two".to_owned(), ..command };
        assert_eq!(store.known(&new).await.unwrap(), None);

        let next = vec![chain.append("< deal")];
        let too_much = [("house", "rack:1", 1), ("player:ann", "rack:1", 40_001)];
        let refused = store.append(append(epoch, next.clone(), &too_much)).await;
        assert!(matches!(refused, Err(StoreError::Overdrawn)), "{refused:?}");
        for money in [("rack:1", "house", 60_001), ("escrow", "house", 1)] {
            let refused = store.append(append(epoch, next.clone(), &[money])).await;
            assert!(matches!(refused, Err(StoreError::Overdrawn)), "{refused:?}");
        }
        let twice = store.append(append(epoch, first.clone(), &[])).await;
        assert!(matches!(twice, Err(StoreError::Failed(_))), "{twice:?}");

        assert_eq!(store.entries("war-1", 1, u64::MAX).await.unwrap(), first);
        let held = store.balance("war-1", &"rack:1".parse().unwrap()).await.unwrap();
        assert_eq!(held, Cents::new(60_000));
        assert_eq!(store.total().await.unwrap(), Cents::ZERO);
    }

    /// With these a commit returns after SQLite has flushed it; `pitboss/tests/crash.rs` counts that.
    #[tokio::test]
    async fn a_row_that_every_house_has_is_missed_by_its_place() {
        let store = Store::open(&file("missing-row")).await.unwrap();
        store.tamper("DELETE FROM house").await;
        store.tamper("DELETE FROM secrets").await;
        let damage = "the store is damaged and cannot be read at";
        let identity = store.identity().await.unwrap_err().to_string();
        assert_eq!(identity, format!("{damage} house: its only row is missing"));
        let pseudonyms = store.pseudonyms().await.err().unwrap().to_string();
        assert_eq!(pseudonyms, format!("{damage} secrets: its only row is missing"));
    }

    #[tokio::test]
    async fn a_damaged_file_is_named_and_closes_its_tables() {
        let file = file("damaged-file");
        std::fs::write(&file, "no database ".repeat(1000)).unwrap();
        let error = Store::open(&file).await.err().unwrap();
        assert!(error.closes_a_table());
        assert_eq!(
            error.to_string(),
            format!(
                "the store is damaged and cannot be read at {}: file is not a database (see \
                 docs/restore.md)",
                file.display()
            )
        );
    }

    #[tokio::test]
    async fn every_connection_flushes_what_it_commits() {
        let store = Store::open(&file("flushed")).await.unwrap();
        let full = 2;
        assert_eq!(pragma::<i64>(&store, "PRAGMA synchronous", "synchronous").await, full);
        let mode: String = pragma(&store, "PRAGMA journal_mode", "journal_mode").await;
        assert_eq!(mode, "wal");
    }

    /// In a group, what is refused leaves the others alone.
    #[tokio::test]
    async fn what_is_refused_in_a_group_leaves_the_others_alone() {
        let store = Store::open(&file("group")).await.unwrap();
        store.add_guest(&"ann".parse().unwrap(), "secret").await.unwrap();
        let epoch = store.own("war-1").await.unwrap();
        let mut chain = Chain::new("war-1");
        let [first, second] = ["< sit 1 ann", "< deal"].map(|line| vec![chain.append(line)]);
        let group = [
            append(epoch, first.clone(), &[("player:ann", "rack:1", 60_000)]),
            append(epoch, Vec::new(), &[("player:ann", "rack:1", 60_000)]),
            append(epoch, Vec::new(), &[("rack:1", "escrow", 10_000)]),
            append(epoch - 1, second.clone(), &[]),
            append(epoch, second.clone(), &[]),
        ];
        let waits: Vec<_> = group.into_iter().map(|append| store.append(append)).collect();
        let done = futures_util::future::join_all(waits).await;
        let is_done: Vec<bool> = done.iter().map(Result::is_ok).collect();
        assert_eq!(is_done, [true, false, true, false, true], "{done:?}");
        assert!(matches!(done[1], Err(StoreError::Overdrawn)));
        let entries = store.entries("war-1", 1, u64::MAX).await.unwrap();
        assert_eq!(entries, [first, second].concat());
        let held = store.balance("war-1", &"rack:1".parse().unwrap()).await.unwrap();
        assert_eq!(held, Cents::new(50_000));
        assert_eq!(store.total().await.unwrap(), Cents::ZERO);
    }

    #[tokio::test]
    async fn who_owned_a_table_before_writes_nothing_more() {
        let store = Store::open(&file("epoch")).await.unwrap();
        let before = store.own("war-1").await.unwrap();
        let now = store.own("war-1").await.unwrap();
        let entry = vec![Chain::new("war-1").append("< deal")];
        let refused = store.append(append(before, entry.clone(), &[])).await;
        assert!(refused.unwrap_err().to_string().contains("another owner"));
        store.append(append(now, entry, &[])).await.unwrap();
    }

    #[tokio::test]
    async fn a_store_of_a_later_program_is_left_alone() {
        let file = file("later");
        Store::open(&file).await.unwrap();
        let options = SqliteConnectOptions::new().filename(&file);
        let mut later = SqliteConnection::connect_with(&options).await.unwrap();
        sqlx::raw_sql("PRAGMA user_version = 1000").execute(&mut later).await.unwrap();
        later.close().await.unwrap();
        let refused = Store::open(&file).await.err().unwrap().to_string();
        assert!(refused.starts_with("a later version of Pitboss wrote this store"), "{refused}");
    }

    #[tokio::test]
    async fn a_full_disk_is_said_and_what_was_there_stays() {
        let file = file("full");
        let pages: String = {
            let store = Store::open(&file).await.unwrap();
            store.own("war-1").await.unwrap();
            store.pages().await.to_string()
        };
        let options = SqliteConnectOptions::new().filename(&file).foreign_keys(true);
        let options = options.pragma("max_page_count", pages);
        let store = Store::with(options, Opener::House).await.unwrap();
        let epoch = store.epoch("war-1").await.unwrap().unwrap();
        let mut chain = Chain::new("war-1");
        let small = vec![chain.append("< sit 1 ann")];
        store.append(append(epoch, small.clone(), &[])).await.unwrap();
        let large = (0..100).map(|_| chain.append("x".repeat(1000))).collect();
        let refused = store.append(append(epoch, large, &[])).await.unwrap_err();
        assert!(refused.to_string().starts_with("the disk is full"), "{refused}");
        assert_eq!(store.entries("war-1", 1, u64::MAX).await.unwrap(), small);
        let mut next = Chain::after(small[0].head());
        store.append(append(epoch, vec![next.append("< leave 1")], &[])).await.unwrap();
    }

    #[tokio::test]
    async fn what_sqlite_gives_up_itself_is_not_the_end_of_writing() {
        // As when the disk is full at the commit.
        let store = Store::open(&file("given-up")).await.unwrap();
        let epoch = store.own("war-1").await.unwrap();
        let given_up = "CREATE TRIGGER given_up BEFORE INSERT ON entries \
                        BEGIN SELECT RAISE(ROLLBACK, 'given up'); END";
        store.tamper(given_up).await;
        let entries = vec![Chain::new("war-1").append("< sit 1 ann")];
        for _ in 0..2 {
            assert!(store.append(append(epoch, entries.clone(), &[])).await.is_err());
        }
        store.tamper("DROP TRIGGER given_up").await;
        store.append(append(epoch, entries.clone(), &[])).await.unwrap();
        assert_eq!(store.entries("war-1", 1, u64::MAX).await.unwrap(), entries);
    }

    #[tokio::test]
    async fn a_sealed_order_comes_back_as_it_was() {
        let store = Store::open(&file("sealed")).await.unwrap();
        let epoch = store.own("war-1").await.unwrap();
        let sealed = SealedOrder { salt: [7; 32], order: Card::DECK.to_vec() };
        let mut shuffled = append(epoch, Vec::new(), &[]);
        shuffled.sealed = Some((1, sealed.clone()));
        store.append(shuffled).await.unwrap();
        assert_eq!(store.sealed("war-1", 1).await.unwrap(), sealed);
        assert!(store.sealed("war-1", 2).await.is_err());
    }

    #[tokio::test]
    async fn a_closed_store_is_one_complete_file() {
        let file = file("closed");
        let store = Store::open_for_house(&file).await.unwrap();
        store.add_guest(&"ann".parse().unwrap(), "secret").await.unwrap();
        let wal = files::beside(&file, "-wal");
        assert!(wal.exists());
        #[cfg(unix)]
        for file in [&file, &wal, &files::beside(&file, "-shm")] {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(file).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode, 0o600, "{}", file.display());
        }
        store.close().await;
        assert!(!wal.exists());
        assert!(store.person("secret").await.is_err() && store.own("war-1").await.is_err());
        let copy = file.with_extension("copy.db");
        std::fs::copy(&file, &copy).unwrap();
        let copied = Store::open_for_house(&copy).await.unwrap();
        assert!(copied.person("secret").await.unwrap().is_some());
        copied.close().await;
    }

    #[tokio::test]
    async fn a_file_without_its_write_ahead_log_is_no_new_house() {
        let (file, copy) = (file("whole"), file("lacking"));
        let options = SqliteConnectOptions::new().filename(&file).create_if_missing(true);
        let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
        write_ahead(&mut connection).await.unwrap();
        let line = format!("{}; PRAGMA user_version = 1", MIGRATIONS[0]);
        sqlx::raw_sql(sqlx::AssertSqlSafe(line)).execute(&mut connection).await.unwrap();
        std::fs::copy(&file, &copy).unwrap();
        let refused = Store::open_for_house(&copy).await.err().unwrap();
        assert!(matches!(refused, StoreError::Incomplete(_)), "{refused}");
        assert!(back_up(&copy, &file.with_extension("back-up.db")).await.is_err());
        connection.close().await.unwrap();
        // The whole file opens, and so does a new and empty one.
        Store::open_for_house(&file).await.unwrap().close().await;
        let _ = std::fs::remove_file(&copy);
        Store::open_for_house(&copy).await.unwrap().close().await;
    }

    /// A back-up has no write-ahead log of its own until it is opened.
    #[tokio::test]
    async fn a_back_up_opens_with_a_write_ahead_log() {
        let (file, copy) = (file("source"), file("target"));
        let store = Store::open_for_house(&file).await.unwrap();
        store.back_up(&copy).await.unwrap();
        store.close().await;
        let copied = Store::open_for_house(&copy).await.unwrap();
        let mode: String = pragma(&copied, "PRAGMA journal_mode", "journal_mode").await;
        assert_eq!(mode, "wal");
        copied.close().await;
    }

    #[tokio::test]
    async fn a_write_that_panics_is_not_the_end_of_writing() {
        let store = Store::open(&file("panics")).await.unwrap();
        let epoch = store.own("war-1").await.unwrap();
        let mut entries = vec![Chain::new("war-1").append("< sit 1 ann")];
        // No log is as long as that.
        entries[0].seq = u64::MAX;
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let failed = store.append(append(epoch, entries.clone(), &[])).await;
        std::panic::set_hook(hook);
        assert!(matches!(failed, Err(StoreError::Failed(_))), "{failed:?}");
        entries[0].seq = 1;
        store.append(append(epoch, entries, &[])).await.unwrap();
    }

    /// No statement of a page looks through a table that grows: every part of it is found by an index.
    #[tokio::test]
    async fn no_page_looks_through_a_table_that_grows() {
        let store = Store::open(&file("plans")).await.unwrap();
        let pages = history::STATEMENTS.into_iter().chain(play::STATEMENTS);
        let pages = pages.chain(tables::STATEMENTS).chain(people::STATEMENTS);
        for statement in pages.chain([FORGET_COMMANDS]) {
            let line = sqlx::AssertSqlSafe(format!("EXPLAIN QUERY PLAN {statement}"));
            let Pool::Sqlite(readers) = &store.readers else { unreachable!("it is a file") };
            let plan = sqlx::query(line).fetch_all(readers).await;
            for row in plan.unwrap() {
                let step: String = sqlx::Row::get(&row, "detail");
                let lists = ["wanted", "(subquery-", "ranked", "recent", "former_gifts"];
                let is_list = lists.iter().any(|list| step.contains(list));
                let is_ordered = step == "SCAN commands USING COVERING INDEX commands_by_age";
                assert!(!step.starts_with("SCAN ") || is_list || is_ordered, "{step}: {statement}");
            }
        }
    }

    #[tokio::test]
    async fn the_id_of_a_command_is_known_for_some_days() {
        let file = file("forgets");
        let store = Store::open(&file).await.unwrap();
        let ann: Name = "ann".parse().unwrap();
        store.add_guest(&ann, "secret").await.unwrap();
        let epoch = store.own("war-1").await.unwrap();
        let command = |id: &str| Command {
            player: "ann".parse().unwrap(),
            id: id.to_owned(),
            asks: "chips".to_owned(),
        };
        for id in ["old", "new"] {
            let mut noted = append(epoch, Vec::new(), &[]);
            noted.command = Some(command(id));
            store.append(noted).await.unwrap();
        }
        store.tamper("UPDATE commands SET at = at - 604805 WHERE id = 'old'").await;
        let options = SqliteConnectOptions::new().filename(&file);
        let mut beside = SqliteConnection::connect_with(&options).await.unwrap();
        assert!(!forget_commands(&mut Connection::Sqlite(&mut beside)).await);
        assert_eq!(store.known(&command("old")).await.unwrap(), None);
        assert_eq!(store.known(&command("new")).await.unwrap(), Some(Known::Applied(None)));
        // One that cannot be read is neither known nor unknown.
        store.tamper("UPDATE commands SET asks_hash = CAST(x'ff' AS TEXT)").await;
        let refused = store.known(&command("new")).await.unwrap_err().to_string();
        assert!(refused.contains("column asks_hash of commands (player ann)"), "{refused}");
    }
}
