//! A store on PostgreSQL: how it is opened and checked, and how it is written so that the end of a commit is
//! always known.

use std::time::{Duration, Instant};

use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::{Connection as _, Row as _};
use tokio::sync::Mutex;

use super::address::PostgresUrl;
use super::database::{Connection, Link, Transaction, query};
use super::{Opener, StoreError, StoreResult, Write, is, schema, together};
use crate::failpoints::{Failpoint, reach};

/// The steps from an empty database to the schema of today.
const MIGRATIONS: &[&str] = &[
    include_str!("../../migrations/postgres/0001_house.sql"),
    include_str!("../../migrations/postgres/0002_risks.sql"),
    include_str!("../../migrations/postgres/0003_people_news.sql"),
];

/// The first version of the server with all that the schema uses, as the server writes it.
const OLDEST: i32 = 140_000;

/// Connections that read.
const READERS: u32 = 8;

/// What an open house holds a lock on, alone or with its other nodes, and what whoever makes the schema
/// does: any two numbers.
const HOUSE_LOCK: i64 = 0x5049_5462;
const SCHEMA_LOCK: i64 = 0x5049_5463;

/// The kind of lock that a node holds on its own name: any number.
const NODE_LOCK: i64 = 0x5049_5464;

/// How long a statement that writes may take, how long it waits for a lock, and how long a transaction may
/// be left open by a client that was paused. All of it is below the lease of a table.
pub(super) const LONGEST_STATEMENT: Duration = Duration::from_millis(2_000);
const LONGEST_LOCK: Duration = Duration::from_millis(1_500);
pub(super) const LONGEST_PAUSE: Duration = Duration::from_millis(1_500);

const _: () = assert!(LONGEST_LOCK.as_millis() < LONGEST_STATEMENT.as_millis());

/// How soon the server notices that the machine of a writer is gone: seconds of silence, seconds between
/// questions, and how many of them.
const KEEPALIVES: [(&str, &str); 3] =
    [("tcp_keepalives_idle", "5"), ("tcp_keepalives_interval", "2"), ("tcp_keepalives_count", "3")];

/// What holds for every connection of a house: a lease is taken by one that reads.
const LIMITS: [(&str, Duration); 2] =
    [("lock_timeout", LONGEST_LOCK), ("idle_in_transaction_session_timeout", LONGEST_PAUSE)];

/// How long the house waits for the answer to a commit before it asks what became of it.
const LONGEST_COMMIT: Duration = Duration::from_secs(5);

/// How long somebody who reads waits for a connection that is free.
const LONGEST_TURN: Duration = Duration::from_secs(5);

/// How often a commit is tried that certainly was not made.
const MOST_TRIES: u32 = 2;

/// How long a connection may take.
const LONGEST_CONNECTING: Duration = Duration::from_secs(5);

/// How long an opening waits for a house that was killed a moment ago.
const LONGEST_TAKEOVER: Duration = Duration::from_secs(3);

/// How often it looks again.
const LOOKS_AGAIN: Duration = Duration::from_millis(100);

/// Opens the database for readers, one writer and whoever keeps leases, and makes the schema where there is
/// none.
pub(super) async fn open(
    url: &PostgresUrl,
    by: &Opener,
) -> StoreResult<(PgPool, PostgresWriter, Keeper)> {
    let opened = async {
        let mut connection = connect(url, &settings(url, by, &[])).await?;
        check_server(&mut connection, url).await?;
        check_house(&mut connection, url).await?;
        migrate(&mut connection, url).await?;
        let place = format!("the database {url}");
        schema::check_database(&mut connection, MIGRATIONS, &place).await?;
        connection.close().await?;
        let readers = PgPoolOptions::new().max_connections(READERS).acquire_timeout(LONGEST_TURN);
        let readers = readers.connect_with(settings(url, by, &LIMITS)).await?;
        let writer = PostgresWriter::open(url.clone(), by.clone()).await?;
        Ok((readers, writer, Keeper::new(url, by)))
    };
    opened.await.map_err(|error| in_words(error, url))
}

/// Opens the database for somebody who only reads, and only where it has the schema of today.
pub(super) async fn read_only(url: &PostgresUrl) -> StoreResult<Link> {
    let opened = async {
        let options = settings(url, &Opener::Beside, &[]);
        let options = options.options([("default_transaction_read_only", "on")]);
        let mut connection = connect(url, &options).await?;
        match version(&mut connection, url).await? {
            None => Err(StoreError::Unsuitable(format!("there is no house in the database {url}"))),
            Some(version) if version > MIGRATIONS.len() => Err(StoreError::Later),
            Some(version) if version < MIGRATIONS.len() => Err(StoreError::Failed(
                "an earlier version of Pitboss wrote it; open the house with this one first"
                    .to_owned(),
            )),
            Some(_) => Ok(Link::Postgres(connection)),
        }
    };
    opened.await.map_err(|error| in_words(error, url))
}

/// How a connection is made.
fn settings(url: &PostgresUrl, by: &Opener, times: &[(&str, Duration)]) -> PgConnectOptions {
    let name = match by {
        Opener::House => "pitboss house".to_owned(),
        Opener::Node(name) => format!("pitboss node {name}"),
        Opener::Beside => "pitboss".to_owned(),
    };
    let options = url.options().clone().application_name(&name);
    let times = times.iter().map(|(key, time)| (*key, time.as_millis().to_string()));
    options.options([("jit", "off")]).options(times)
}

async fn connect(url: &PostgresUrl, options: &PgConnectOptions) -> StoreResult<PgConnection> {
    let connecting = PgConnection::connect_with(options);
    match tokio::time::timeout(LONGEST_CONNECTING, connecting).await {
        Ok(connection) => connection.map_err(|error| unreachable(error, url)),
        Err(_) => Err(StoreError::Unsuitable(format!(
            "the PostgreSQL server at {} does not answer; check the address of the store",
            url.server()
        ))),
    }
}

/// Why there is no connection.
fn unreachable(error: sqlx::Error, url: &PostgresUrl) -> StoreError {
    let (server, database) = (url.server(), url.database());
    let Some(refusal) = error.as_database_error() else {
        return StoreError::Unsuitable(format!(
            "the PostgreSQL server at {server} cannot be reached: {error}"
        ));
    };
    StoreError::Unsuitable(match refusal.code().as_deref() {
        Some("3D000") => format!(
            "the PostgreSQL server at {server} has no database {database}; make one with createdb, or \
             name another"
        ),
        _ => format!("the PostgreSQL server at {server} refuses the house: {}", refusal.message()),
    })
}

/// What PostgreSQL says to whoever may not read or make something.
const NO_RIGHT: [&str; 2] = ["permission denied", "no schema has been selected"];

/// A right that is missing, in one sentence.
fn in_words(error: StoreError, url: &PostgresUrl) -> StoreError {
    match error {
        StoreError::Failed(why) if NO_RIGHT.iter().any(|words| why.contains(words)) => {
            let why = why.trim_start_matches("error returned from database: ");
            StoreError::Unsuitable(format!(
                "the user {} of the database {url} lacks a right: {why}; make it the owner of the \
                 database (docs/postgres.md)",
                url.options().get_username()
            ))
        }
        error => error,
    }
}

/// Refuses a server that is too old, that only reads, or that forgets what it has committed.
async fn check_server(connection: &mut PgConnection, url: &PostgresUrl) -> StoreResult<()> {
    let unsuitable = |why: String| {
        Err(StoreError::Unsuitable(format!("the PostgreSQL server at {} {why}", url.server())))
    };
    let row = sqlx::query(
        "SELECT current_setting('server_version_num')::int AS number, \
         current_setting('server_version') AS version, pg_is_in_recovery() AS is_replica",
    );
    let row = row.fetch_one(&mut *connection).await?;
    if row.try_get::<i32, _>("number")? < OLDEST {
        let version: String = row.try_get("version")?;
        let oldest = OLDEST / 10_000;
        return unsuitable(format!("has version {version}; the house needs {oldest} or later"));
    }
    if row.try_get("is_replica")? {
        return unsuitable("is a replica, which cannot be written; name the primary".to_owned());
    }
    let rows = sqlx::query(
        "SELECT name FROM pg_settings WHERE setting = 'off' \
         AND name IN ('fsync', 'full_page_writes', 'synchronous_commit') ORDER BY name LIMIT 1",
    );
    match rows.fetch_optional(connection).await? {
        None => Ok(()),
        Some(row) => unsuitable(format!(
            "has {} = off and may lose what it has committed; turn it on",
            row.try_get::<&str, _>("name")?
        )),
    }
}

/// How many steps a database has made; none where it is empty. One with other tables is somebody else's.
async fn version(connection: &mut PgConnection, url: &PostgresUrl) -> StoreResult<Option<usize>> {
    let row = sqlx::query(
        "SELECT to_regclass('pitboss') IS NOT NULL AS is_house, EXISTS (SELECT FROM pg_class \
         WHERE relkind IN ('r', 'p', 'v', 'm') AND relnamespace = current_schema()::regnamespace) \
         AS has_tables",
    );
    let row = row.fetch_one(&mut *connection).await?;
    if !row.try_get::<bool, _>("is_house")? {
        return match row.try_get::<Option<bool>, _>("has_tables")? {
            Some(true) => Err(StoreError::Unsuitable(format!(
                "the database {url} has tables of another program; give the house a database of its own"
            ))),
            _ => Ok(None),
        };
    }
    let row = sqlx::query("SELECT version FROM pitboss").fetch_one(connection).await?;
    Ok(Some(usize::try_from(row.try_get::<i64, _>("version")?).unwrap_or(usize::MAX)))
}

/// Refuses a database of another house than the one that is expected.
async fn check_house(connection: &mut PgConnection, url: &PostgresUrl) -> StoreResult<()> {
    let Some(expected) = url.house() else { return Ok(()) };
    let found: Option<String> = match version(connection, url).await? {
        None => None,
        Some(_) => {
            let row = sqlx::query("SELECT id FROM house").fetch_optional(connection).await?;
            row.map(|row| row.try_get("id")).transpose()?
        }
    };
    if found.as_deref() == Some(expected) {
        return Ok(());
    }
    let found = found.map_or("is empty".to_owned(), |house| format!("has the house {house}"));
    Err(StoreError::Unsuitable(format!(
        "the database {url} {found}, but the data directory is that of the house {expected}; name \
         that house's database, or another directory with --data"
    )))
}

/// Brings a database to the schema of today, in one transaction, one program at a time and while no house is
/// open with it.
async fn migrate(connection: &mut PgConnection, url: &PostgresUrl) -> StoreResult<()> {
    if version(connection, url).await? == Some(MIGRATIONS.len()) {
        return Ok(());
    }
    let mut transaction = connection.begin().await?;
    let locked = sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(SCHEMA_LOCK);
    locked.execute(&mut *transaction).await?;
    let done = version(&mut transaction, url).await?;
    // Another one has done it meanwhile.
    if done == Some(MIGRATIONS.len()) {
        return Ok(());
    }
    let alone = "SELECT pg_try_advisory_xact_lock($1) AS is_locked";
    if !is_free(&mut transaction, alone, None).await? {
        return Err(StoreError::Unsuitable(format!(
            "the database {url} has the schema of an earlier version of Pitboss, and a house is open \
             with it; stop the house, with all of its nodes, and start this one again"
        )));
    }
    for step in MIGRATIONS.get(done.unwrap_or(0)..).ok_or(StoreError::Later)? {
        sqlx::raw_sql(*step).execute(&mut *transaction).await?;
    }
    let noted = match done {
        None => "INSERT INTO pitboss VALUES ($1)",
        Some(_) => "UPDATE pitboss SET version = $1",
    };
    let steps = i64::try_from(MIGRATIONS.len()).expect("there are few steps");
    sqlx::query(noted).bind(steps).execute(&mut *transaction).await?;
    Ok(transaction.commit().await?)
}

/// A connection for what must wait for nobody else. Where its use fails or is given up, another is made.
pub(super) struct Keeper {
    url: PostgresUrl,
    by: Opener,
    connection: Mutex<Option<PgConnection>>,
}

impl Keeper {
    fn new(url: &PostgresUrl, by: &Opener) -> Keeper {
        Keeper { url: url.clone(), by: by.clone(), connection: Mutex::default() }
    }

    /// Has the connection do something, if it comes to an end within this time.
    pub(super) async fn within<T>(
        &self,
        time: Duration,
        work: impl AsyncFnOnce(&mut Connection<'_>) -> StoreResult<T>,
    ) -> StoreResult<T> {
        let done = async {
            let mut place = self.connection.lock().await;
            // It comes back only when all went well.
            let mut connection = match place.take() {
                Some(connection) => connection,
                None => connect(&self.url, &settings(&self.url, &self.by, &LIMITS)).await?,
            };
            let done = work(&mut Connection::Postgres(&mut connection)).await?;
            *place = Some(connection);
            Ok(done)
        };
        let late = |_| Err(StoreError::Failed("the database does not answer in time".to_owned()));
        tokio::time::timeout(time, done).await.unwrap_or_else(late)
    }
}

/// Whoever writes into a database. Its row there has the number of its last commit.
pub(super) struct PostgresWriter {
    url: PostgresUrl,
    by: Opener,
    connection: PgConnection,
    /// Its row.
    id: i64,
    /// The process of the server that serves it.
    process: i32,
    /// The number of the last commit that was tried.
    number: i64,
    /// Whether it is not known what became of that one, because the server cannot be reached.
    is_cut_off: bool,
}

impl PostgresWriter {
    async fn open(url: PostgresUrl, by: Opener) -> StoreResult<PostgresWriter> {
        let mut connection = connect(&url, &PostgresWriter::settings(&url, &by)).await?;
        let (id, process) = take_over(&mut connection, &url, &by).await?;
        let (number, is_cut_off) = (0, false);
        Ok(PostgresWriter { url, by, connection, id, process, number, is_cut_off })
    }

    /// A writer finds every row by an index, also before the server knows how large its tables are.
    fn settings(url: &PostgresUrl, by: &Opener) -> PgConnectOptions {
        let options = settings(url, by, &LIMITS).options(KEEPALIVES);
        let statement = LONGEST_STATEMENT.as_millis().to_string();
        let options = options.options([("statement_timeout", statement)]);
        options.options([("enable_seqscan", "off"), ("enable_hashjoin", "off")])
    }

    pub(super) fn connection(&mut self) -> Connection<'_> {
        Connection::Postgres(&mut self.connection)
    }

    /// Writes a group in one transaction; what is refused leaves the others alone.
    pub(super) async fn commit(&mut self, group: &[Write]) -> StoreResult<Vec<StoreResult<()>>> {
        self.settle().await?;
        // What the books refuse is rare: all together, and one by one only where that fails.
        match self.commit_together(group).await? {
            Ok(()) => Ok(group.iter().map(|_| Ok(())).collect()),
            Err(error) if group.len() == 1 => Ok(vec![Err(error)]),
            Err(_) => {
                let mut results = Vec::with_capacity(group.len());
                for write in group {
                    // What was written before stays written, whatever becomes of the rest.
                    let written = self.commit_together(std::slice::from_ref(write)).await;
                    results.push(written.and_then(|result| result));
                }
                Ok(results)
            }
        }
    }

    /// Writes a group wholly or not at all. An error outside is a connection that cannot be made again, so
    /// that it is not known which of both it was. What was certainly not written is written once more.
    async fn commit_together(&mut self, group: &[Write]) -> StoreResult<StoreResult<()>> {
        let mut tries = 0;
        loop {
            match self.try_commit(group).await {
                Err(error) if is_lost(&error) => {
                    tracing::warn!(what = "store", why = %error, "the connection was lost in a commit");
                    let number = self.number;
                    if self.reopen().await? == Some(number) {
                        return Ok(Ok(()));
                    }
                    tries += 1;
                    if tries == MOST_TRIES {
                        return Err(error.into());
                    }
                }
                done => return Ok(done.map_err(StoreError::from)),
            }
        }
    }

    /// Keeps out whatever is still on its way, where that is not known. Before that nobody may believe what
    /// is in the database.
    pub(super) async fn settle(&mut self) -> StoreResult<()> {
        match self.is_cut_off {
            true => self.reopen().await.map(drop),
            false => Ok(()),
        }
    }

    async fn try_commit(&mut self, group: &[Write]) -> Result<(), sqlx::Error> {
        self.number += 1;
        let work = write(&mut self.connection, group, self.id, self.number);
        match tokio::time::timeout(LONGEST_COMMIT, work).await {
            Ok(done) => {
                if done.is_ok() {
                    reach(Failpoint::AfterCommit);
                }
                done
            }
            Err(_) => Err(sqlx::Error::Io(std::io::ErrorKind::TimedOut.into())),
        }
    }

    /// Connects again under a new row, and gives the last commit under the one before. Taking that row
    /// away waits for a commit that is on its way, and keeps out one that has not arrived yet.
    pub(super) async fn reopen(&mut self) -> StoreResult<Option<i64>> {
        self.is_cut_off = true;
        let mut connection =
            connect(&self.url, &PostgresWriter::settings(&self.url, &self.by)).await?;
        let mut transaction = Transaction::Postgres(connection.begin().await?);
        let mut to = transaction.connection();
        let row = query("DELETE FROM writers WHERE id = $1 RETURNING last").bind(self.id);
        let row = row.fetch_optional(&mut to).await?;
        let last = row.map(|row| row.try_get("last")).transpose()?;
        let ended = query("SELECT pg_terminate_backend(CAST($1 AS INT))");
        ended.bind(self.process).fetch_all(&mut to).await?;
        transaction.commit().await?;
        (self.id, self.process) = take_over(&mut connection, &self.url, &self.by).await?;
        (self.connection, self.is_cut_off) = (connection, false);
        Ok(last)
    }

    /// Takes the own row away.
    pub(super) async fn finish(mut self) -> StoreResult<()> {
        let row = query("DELETE FROM writers WHERE id = $1").bind(self.id);
        row.execute(&mut self.connection()).await?;
        Ok(self.connection.close().await?)
    }
}

/// Makes the row of a writer, and gives its number and that of the process of the server. A house alone
/// has the database to itself, and nodes have their names; whatever another one that was killed had on its
/// way is kept out.
async fn take_over(
    connection: &mut PgConnection,
    url: &PostgresUrl,
    by: &Opener,
) -> StoreResult<(i64, i32)> {
    let name = match by {
        Opener::House => {
            if !is_free(connection, "SELECT pg_try_advisory_lock($1) AS is_locked", None).await? {
                return Err(open_already(connection, url).await?);
            }
            "house"
        }
        Opener::Node(name) => {
            let shared = "SELECT pg_try_advisory_lock_shared($1) AS is_locked";
            if !is_free(connection, shared, None).await? {
                return Err(StoreError::Unsuitable(format!(
                    "a house without nodes is open with the database {url}; close it, or name \
                     another database"
                )));
            }
            let own = "SELECT pg_try_advisory_lock(CAST($1 AS INT), hashtext($2)) AS is_locked";
            if !is_free(connection, own, Some(name)).await? {
                return Err(StoreError::Unsuitable(format!(
                    "a node named {name} is open with the database {url}; stop it, or give this \
                     one another name"
                )));
            }
            name
        }
        Opener::Beside => "beside",
    };
    if *by != Opener::Beside {
        let before = sqlx::query("DELETE FROM writers WHERE node = $1").bind(name);
        before.execute(&mut *connection).await?;
    }
    let row = sqlx::query(
        "INSERT INTO writers (node, last) VALUES ($1, 0) RETURNING id, pg_backend_pid() AS process",
    );
    let row = row.bind(name).fetch_one(connection).await?;
    Ok((row.try_get("id")?, row.try_get("process")?))
}

/// Takes a lock, and waits for it as long as it takes until the server notices that its holder was
/// killed. The lock of the house, or that of a node's name.
async fn is_free(
    connection: &mut PgConnection,
    line: &'static str,
    node: Option<&str>,
) -> StoreResult<bool> {
    let begun = Instant::now();
    loop {
        let row = match node {
            None => sqlx::query(line).bind(HOUSE_LOCK),
            Some(name) => sqlx::query(line).bind(NODE_LOCK).bind(name),
        };
        if row.fetch_one(&mut *connection).await?.try_get("is_locked")? {
            return Ok(true);
        }
        if begun.elapsed() > LONGEST_TAKEOVER {
            return Ok(false);
        }
        tokio::time::sleep(LOOKS_AGAIN).await;
    }
}

/// Why a house alone cannot have the database to itself.
async fn open_already(connection: &mut PgConnection, url: &PostgresUrl) -> StoreResult<StoreError> {
    let row = sqlx::query(
        "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock' \
         AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
         AND classid = 0 AND objid = CAST($1 AS OID) AND objsubid = 1) AS has_nodes",
    );
    let row = row.bind(HOUSE_LOCK).fetch_one(connection).await?;
    Ok(StoreError::Unsuitable(match row.try_get("has_nodes")? {
        true => format!(
            "nodes of a house are open with the database {url}; stop them, or start this one as a \
             node"
        ),
        false => format!(
            "another house is open with the database {url}; close it, or name another database"
        ),
    }))
}

/// Ends the processes of the server that write for a node, with all that they have on their way. Each of
/// them holds the lock of the node's name, so that no number can be another's by now.
pub(super) async fn end_writers(to: &mut Connection<'_>, node: &str) -> Result<(), sqlx::Error> {
    let row = query(
        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted \
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
         AND classid = CAST($1 AS OID) AND objid = CAST(hashtext($2) AS OID) AND objsubid = 2",
    );
    row.bind(NODE_LOCK).bind(node).execute(to).await.map(drop)
}

/// Writes a group in one round trip where it can be one.
async fn write(
    connection: &mut PgConnection,
    group: &[Write],
    writer: i64,
    number: i64,
) -> Result<(), sqlx::Error> {
    if let Some(statement) = together::in_one_statement(group, writer, number) {
        reach(Failpoint::BeforeCommit);
        return statement.execute(&mut Connection::Postgres(connection)).await.map(drop);
    }
    let mut transaction = Transaction::Postgres(connection.begin().await?);
    let mut to = transaction.connection();
    query("SELECT note_commit($1, $2)").bind(writer).bind(number).execute(&mut to).await?;
    match together::add_all(&mut to, group).await {
        Ok(()) => {
            reach(Failpoint::BeforeCommit);
            transaction.commit().await
        }
        Err(error) if is_lost(&error) => Err(error),
        Err(error) => transaction.rollback().await.and(Err(error)),
    }
}

/// Whether it is an error after which nobody knows what became of a statement: neither a refusal of the
/// database, nor one of the house itself.
fn is_lost(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::RowNotFound | sqlx::Error::Decode(_) | sqlx::Error::ColumnDecode { .. } => {
            false
        }
        // The server ends: by hand, by a crash, or because a transaction was left open.
        sqlx::Error::Database(_) => ENDS.iter().any(|code| is(error, code)),
        _ => true,
    }
}

/// What PostgreSQL says when it ends a connection.
const ENDS: [&str; 6] = ["57P01", "57P02", "57P03", "57P05", "25P03", "08006"];
