//! The two databases that a store can be on, behind one way to ask: statements are written once, in what
//! SQLite and PostgreSQL have in common.
//!
//! Parameters are `$1`, texts and whole numbers are all that is bound or read, sums are cast to BIGINT, and
//! PostgreSQL has the functions `unixepoch` and `json_each` of SQLite in its schema. The one word that is
//! translated is `CROSS JOIN`, by which SQLite is told the order of a join.

use std::borrow::Cow;
use std::pin::Pin;
use std::time::Duration;

use futures_util::{Stream, TryStreamExt};
use rules::table::Name;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgArguments, PgConnection, PgPool, PgRow};
use sqlx::sqlite::{SqliteArguments, SqliteConnection, SqlitePool, SqliteRow};
use sqlx::{Arguments, AssertSqlSafe, Connection as _, Postgres, Sqlite};
use tokio::time::timeout;

type Query<'q, DB, A> = sqlx::query::Query<'q, DB, A>;

/// How long whoever reads waits for the answer of a server.
const LONGEST_READ: Duration = Duration::from_secs(20);

/// One moment for all that a transaction reads.
const POSTGRES_MOMENT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// A value that is bound to a parameter. A missing one has a type, too.
#[derive(Debug)]
pub(super) enum Value {
    Whole(Option<i64>),
    Text(Option<String>),
}

macro_rules! values {
    ($($Type:ty, $value:ident => $kind:ident($held:expr);)+) => {
        $(impl From<$Type> for Value {
            fn from($value: $Type) -> Value {
                Value::$kind($held)
            }
        })+
    };
}

values! {
    i64, value => Whole(Some(value));
    i32, value => Whole(Some(value.into()));
    u32, value => Whole(Some(value.into()));
    &u32, value => Whole(Some((*value).into()));
    Option<i64>, value => Whole(value);
    &str, value => Text(Some(value.to_owned()));
    String, value => Text(Some(value));
    Option<&str>, value => Text(value.map(str::to_owned));
    Option<String>, value => Text(value);
    &Name, value => Text(Some(value.as_str().to_owned()));
}

/// A statement with what is bound to it.
#[must_use]
pub(super) struct Statement {
    line: &'static str,
    values: Vec<Value>,
}

/// A statement that both databases understand.
pub(super) fn query(line: &'static str) -> Statement {
    Statement { line, values: Vec::new() }
}

impl Statement {
    pub(super) fn bind(mut self, value: impl Into<Value>) -> Statement {
        self.values.push(value.into());
        self
    }

    /// How many rows it has changed.
    pub(super) async fn execute(self, on: impl Source) -> Result<u64, sqlx::Error> {
        on.execute(self).await
    }

    pub(super) async fn fetch_all(self, on: impl Source) -> Result<Vec<Row>, sqlx::Error> {
        on.fetch_all(self).await
    }

    pub(super) async fn fetch_optional(self, on: impl Source) -> Result<Option<Row>, sqlx::Error> {
        on.fetch_optional(self).await
    }

    pub(super) async fn fetch_one(self, on: impl Source) -> Result<Row, sqlx::Error> {
        on.fetch_optional(self).await?.ok_or(sqlx::Error::RowNotFound)
    }

    /// The rows one after the other, for what is too much at once.
    pub(super) fn fetch<'c>(
        self,
        on: &'c mut Connection<'_>,
    ) -> Pin<Box<dyn Stream<Item = Result<Row, sqlx::Error>> + Send + 'c>> {
        match on {
            Connection::Sqlite(on) => {
                Box::pin(self.for_sqlite().fetch(&mut **on).map_ok(Row::Sqlite))
            }
            Connection::Postgres(on) => {
                Box::pin(self.for_postgres().fetch(&mut **on).map_ok(Row::Postgres))
            }
        }
    }

    fn for_sqlite(self) -> Query<'static, Sqlite, SqliteArguments> {
        let mut query = sqlx::query(self.line);
        for value in self.values {
            query = match value {
                Value::Whole(value) => query.bind(value),
                Value::Text(value) => query.bind(value),
            };
        }
        query
    }

    fn for_postgres(self) -> Query<'static, Postgres, PgArguments> {
        let mut arguments = PgArguments::default();
        for value in self.values {
            let added = match value {
                Value::Whole(value) => arguments.add(value),
                Value::Text(value) => arguments.add(value),
            };
            added.expect("a text or a whole number can be encoded");
        }
        sqlx::query_with(AssertSqlSafe(in_postgres(self.line)), arguments)
    }
}

/// A statement as PostgreSQL wants it.
fn in_postgres(line: &'static str) -> Cow<'static, str> {
    match line.contains("CROSS JOIN") {
        true => Cow::Owned(line.replace("CROSS JOIN", "JOIN")),
        false => Cow::Borrowed(line),
    }
}

/// Where statements are carried out: connections of which one is free, or one connection.
pub(super) trait Source: Send {
    fn execute(self, line: Statement) -> impl Future<Output = Result<u64, sqlx::Error>> + Send;

    fn fetch_all(
        self,
        line: Statement,
    ) -> impl Future<Output = Result<Vec<Row>, sqlx::Error>> + Send;

    fn fetch_optional(
        self,
        line: Statement,
    ) -> impl Future<Output = Result<Option<Row>, sqlx::Error>> + Send;
}

/// What PostgreSQL is asked is boxed, so that whoever asks SQLite has no larger a future.
macro_rules! sources {
    ($Source:ty, $Kinds:ident, $on:ident => $executor:expr) => {
        impl Source for $Source {
            async fn execute(self, line: Statement) -> Result<u64, sqlx::Error> {
                match self {
                    $Kinds::Sqlite($on) => {
                        Ok(line.for_sqlite().execute($executor).await?.rows_affected())
                    }
                    $Kinds::Postgres($on) => {
                        let done = line.for_postgres().execute($executor);
                        Ok(Box::pin(done).await?.rows_affected())
                    }
                }
            }

            async fn fetch_all(self, line: Statement) -> Result<Vec<Row>, sqlx::Error> {
                match self {
                    $Kinds::Sqlite($on) => {
                        let rows = line.for_sqlite().fetch_all($executor).await?;
                        Ok(rows.into_iter().map(Row::Sqlite).collect())
                    }
                    $Kinds::Postgres($on) => {
                        let rows = Box::pin(line.for_postgres().fetch_all($executor)).await?;
                        Ok(rows.into_iter().map(Row::Postgres).collect())
                    }
                }
            }

            async fn fetch_optional(self, line: Statement) -> Result<Option<Row>, sqlx::Error> {
                match self {
                    $Kinds::Sqlite($on) => {
                        let row = line.for_sqlite().fetch_optional($executor).await?;
                        Ok(row.map(Row::Sqlite))
                    }
                    $Kinds::Postgres($on) => {
                        let row = Box::pin(line.for_postgres().fetch_optional($executor)).await?;
                        Ok(row.map(Row::Postgres))
                    }
                }
            }
        }
    };
}

sources!(&mut Connection<'_>, Connection, on => &mut **on);

/// Carries a statement out on a connection of a pool. Where a server does not answer for long, that
/// connection is given up, and is not waited for any more.
macro_rules! on_pool {
    ($pool:expr, $line:ident, $how:ident) => {
        match $pool {
            Pool::Sqlite(pool) => {
                let mut reader = Reader::Sqlite(pool.acquire().await?);
                let mut connection = reader.connection();
                (&mut connection).$how($line).await
            }
            Pool::Postgres(pool) => {
                let mut reader = pool.acquire().await?;
                let mut connection = Connection::Postgres(&mut reader);
                let done = (&mut connection).$how($line);
                match timeout(LONGEST_READ, Box::pin(done)).await {
                    Ok(done) => done,
                    Err(_) => {
                        drop(reader.detach());
                        Err(sqlx::Error::Io(std::io::ErrorKind::TimedOut.into()))
                    }
                }
            }
        }
    };
}

impl Source for &Pool {
    async fn execute(self, line: Statement) -> Result<u64, sqlx::Error> {
        on_pool!(self, line, execute)
    }

    async fn fetch_all(self, line: Statement) -> Result<Vec<Row>, sqlx::Error> {
        on_pool!(self, line, fetch_all)
    }

    async fn fetch_optional(self, line: Statement) -> Result<Option<Row>, sqlx::Error> {
        on_pool!(self, line, fetch_optional)
    }
}

/// Connections that read.
#[derive(Clone)]
pub(super) enum Pool {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

impl Pool {
    pub(super) async fn acquire(&self) -> Result<Reader, sqlx::Error> {
        Ok(match self {
            Pool::Sqlite(pool) => Reader::Sqlite(pool.acquire().await?),
            Pool::Postgres(pool) => Reader::Postgres(pool.acquire().await?),
        })
    }

    /// Begins a transaction in which everything is read as of one moment.
    pub(super) async fn moment(&self) -> Result<Transaction<'static>, sqlx::Error> {
        Ok(match self {
            Pool::Sqlite(pool) => Transaction::Sqlite(pool.begin().await?),
            Pool::Postgres(pool) => Transaction::Postgres(pool.begin_with(POSTGRES_MOMENT).await?),
        })
    }

    /// Begins a transaction that writes.
    pub(super) async fn begin(&self) -> Result<Transaction<'static>, sqlx::Error> {
        Ok(match self {
            Pool::Sqlite(pool) => Transaction::Sqlite(pool.begin_with("BEGIN IMMEDIATE").await?),
            Pool::Postgres(pool) => Transaction::Postgres(pool.begin().await?),
        })
    }

    pub(super) async fn close(&self) {
        match self {
            Pool::Sqlite(pool) => pool.close().await,
            Pool::Postgres(pool) => pool.close().await,
        }
    }
}

/// A connection of a pool.
pub(super) enum Reader {
    Sqlite(PoolConnection<Sqlite>),
    Postgres(PoolConnection<Postgres>),
}

impl Reader {
    pub(super) fn connection(&mut self) -> Connection<'_> {
        match self {
            Reader::Sqlite(reader) => Connection::Sqlite(reader),
            Reader::Postgres(reader) => Connection::Postgres(reader),
        }
    }
}

/// A connection of its own.
pub(super) enum Link {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl Link {
    pub(super) fn connection(&mut self) -> Connection<'_> {
        match self {
            Link::Sqlite(link) => Connection::Sqlite(link),
            Link::Postgres(link) => Connection::Postgres(link),
        }
    }

    /// Begins a transaction in which everything is read as of one moment.
    pub(super) async fn moment(&mut self) -> Result<Transaction<'_>, sqlx::Error> {
        Ok(match self {
            Link::Sqlite(link) => Transaction::Sqlite(link.begin().await?),
            Link::Postgres(link) => Transaction::Postgres(link.begin_with(POSTGRES_MOMENT).await?),
        })
    }
}

/// One connection, whoever has it.
pub(super) enum Connection<'c> {
    Sqlite(&'c mut SqliteConnection),
    Postgres(&'c mut PgConnection),
}

/// A transaction. Nothing of it is done unless it is committed.
pub(super) enum Transaction<'c> {
    Sqlite(sqlx::Transaction<'c, Sqlite>),
    Postgres(sqlx::Transaction<'c, Postgres>),
}

impl Transaction<'_> {
    pub(super) fn connection(&mut self) -> Connection<'_> {
        match self {
            Transaction::Sqlite(transaction) => Connection::Sqlite(transaction),
            Transaction::Postgres(transaction) => Connection::Postgres(transaction),
        }
    }

    pub(super) async fn commit(self) -> Result<(), sqlx::Error> {
        match self {
            Transaction::Sqlite(transaction) => transaction.commit().await,
            Transaction::Postgres(transaction) => transaction.commit().await,
        }
    }

    pub(super) async fn rollback(self) -> Result<(), sqlx::Error> {
        match self {
            Transaction::Sqlite(transaction) => transaction.rollback().await,
            Transaction::Postgres(transaction) => transaction.rollback().await,
        }
    }
}

/// A row of either database.
pub(super) enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

/// A value that can be read from a row of either.
pub(super) trait Readable<'r>:
    sqlx::Decode<'r, Sqlite> + sqlx::Type<Sqlite> + sqlx::Decode<'r, Postgres> + sqlx::Type<Postgres>
{
}

impl<'r, T> Readable<'r> for T where
    T: sqlx::Decode<'r, Sqlite>
        + sqlx::Type<Sqlite>
        + sqlx::Decode<'r, Postgres>
        + sqlx::Type<Postgres>
{
}

impl Row {
    pub(super) fn try_get<'r, T: Readable<'r>>(&'r self, column: &str) -> Result<T, sqlx::Error> {
        match self {
            Row::Sqlite(row) => sqlx::Row::try_get(row, column),
            Row::Postgres(row) => sqlx::Row::try_get(row, column),
        }
    }

    /// The names of the columns.
    pub(super) fn columns(&self) -> Vec<&str> {
        use sqlx::{Column, Row as _};
        match self {
            Row::Sqlite(row) => row.columns().iter().map(Column::name).collect(),
            Row::Postgres(row) => row.columns().iter().map(Column::name).collect(),
        }
    }
}
