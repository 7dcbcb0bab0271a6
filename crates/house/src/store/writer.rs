//! The one connection of a store that writes, on either database.

use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

use super::database::{Connection, Transaction};
use super::opening::{CLOSED, mark};
use super::postgres::PostgresWriter;
use super::{Opener, SQLITE_FULL, StoreError, StoreResult, Write, is, together};

/// Whoever writes.
pub(super) enum Writer {
    Sqlite(Box<SqliteWriter>),
    Postgres(Box<PostgresWriter>),
}

impl Writer {
    /// Writes a group in one transaction; what is refused leaves the others alone.
    pub(super) async fn commit(&mut self, group: &[Write]) -> StoreResult<Vec<StoreResult<()>>> {
        match self {
            Writer::Sqlite(writer) => Ok(writer.commit(group).await?),
            Writer::Postgres(writer) => Box::pin(writer.commit(group)).await,
        }
    }

    /// Begins with another connection, after one that failed.
    pub(super) async fn reopen(&mut self) -> StoreResult<()> {
        match self {
            Writer::Sqlite(writer) => writer.reopen().await,
            Writer::Postgres(writer) => Box::pin(writer.reopen()).await.map(drop),
        }
    }

    /// Makes sure that nothing is written any more of what failed before.
    pub(super) async fn settle(&mut self) -> StoreResult<()> {
        match self {
            Writer::Sqlite(_) => Ok(()),
            Writer::Postgres(writer) => Box::pin(writer.settle()).await,
        }
    }

    pub(super) fn connection(&mut self) -> Connection<'_> {
        match self {
            Writer::Sqlite(writer) => Connection::Sqlite(&mut writer.connection),
            Writer::Postgres(writer) => writer.connection(),
        }
    }

    /// Leaves the store in good order.
    pub(super) async fn finish(self) -> StoreResult<()> {
        match self {
            Writer::Sqlite(writer) => writer.finish().await,
            Writer::Postgres(writer) => Box::pin(writer.finish()).await,
        }
    }
}

/// Whoever writes into a file.
pub(super) struct SqliteWriter {
    pub(super) options: SqliteConnectOptions,
    pub(super) by: Opener,
    pub(super) connection: SqliteConnection,
}

impl SqliteWriter {
    async fn commit(&mut self, group: &[Write]) -> Result<Vec<StoreResult<()>>, sqlx::Error> {
        // What the books refuse is rare: all together, and one by one only where that fails.
        match self.commit_together(group).await? {
            true => Ok(group.iter().map(|_| Ok(())).collect()),
            false => self.commit_one_by_one(group).await,
        }
    }

    /// Writes a group as if nothing of it were refused, and tells whether that was so. Where it was not,
    /// nothing is written.
    async fn commit_together(&mut self, group: &[Write]) -> Result<bool, sqlx::Error> {
        let transaction = self.connection.begin_with("BEGIN IMMEDIATE").await?;
        let mut transaction = Transaction::Sqlite(transaction);
        match together::add_all(&mut transaction.connection(), group).await {
            Ok(()) => transaction.commit().await.map(|()| true),
            // SQLite has given the whole transaction up.
            Err(error) if is(&error, SQLITE_FULL) => Err(error),
            Err(_) => transaction.rollback().await.map(|()| false),
        }
    }

    /// Writes a group in one transaction, each of it in a savepoint of its own.
    async fn commit_one_by_one(
        &mut self,
        group: &[Write],
    ) -> Result<Vec<StoreResult<()>>, sqlx::Error> {
        let mut transaction = self.connection.begin_with("BEGIN IMMEDIATE").await?;
        let mut results = Vec::with_capacity(group.len());
        for write in group {
            let mut savepoint = transaction.begin().await?;
            let mut to = Connection::Sqlite(&mut savepoint);
            let written = together::add_all(&mut to, std::slice::from_ref(write)).await;
            match &written {
                Ok(()) => savepoint.commit().await?,
                // SQLite has given the whole transaction up.
                Err(error) if is(error, SQLITE_FULL) => return written.map(|()| results),
                Err(_) => savepoint.rollback().await?,
            }
            results.push(written.map_err(StoreError::from));
        }
        transaction.commit().await?;
        Ok(results)
    }

    /// Where SQLite has given a transaction up itself, the driver believes in it still.
    async fn reopen(&mut self) -> StoreResult<()> {
        let other = SqliteConnection::connect_with(&self.options).await?;
        drop(std::mem::replace(&mut self.connection, other).close().await);
        Ok(())
    }

    /// Moves all that was written ahead into the file, and closes it.
    async fn finish(mut self) -> StoreResult<()> {
        if self.by == Opener::House {
            mark(&mut self.connection, CLOSED).await?;
        }
        Ok(self.connection.close().await?)
    }
}
