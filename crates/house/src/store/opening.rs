//! The file of a store: how it is opened and brought to the schema of today, and what it says of itself.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteSynchronous};
use sqlx::{Connection, Row};

use super::{SQLITE_FULL, StoreError, StoreResult, files, is};

/// The steps from an empty file to the schema of today.
pub(super) const MIGRATIONS: &[&str] = &[
    include_str!("../../migrations/0001_house.sql"),
    include_str!("../../migrations/0002_checkpoints.sql"),
    include_str!("../../migrations/0003_commands.sql"),
    include_str!("../../migrations/0004_identity.sql"),
    include_str!("../../migrations/0005_checkpoints.sql"),
    include_str!("../../migrations/0006_people.sql"),
    include_str!("../../migrations/0007_play.sql"),
    include_str!("../../migrations/0010_floor.sql"),
    include_str!("../../migrations/0011_rounds.sql"),
    include_str!("../../migrations/0012_corrections.sql"),
    include_str!("../../migrations/0020_rights.sql"),
    include_str!("../../migrations/0021_queries.sql"),
    include_str!("../../migrations/0022_secret.sql"),
    include_str!("../../migrations/0023_unseatings.sql"),
    include_str!("../../migrations/0024_reconciled.sql"),
    include_str!("../../migrations/0025_former_names.sql"),
    include_str!("../../migrations/0026_scopes.sql"),
    include_str!("../../migrations/0027_leases.sql"),
    include_str!("../../migrations/0028_training.sql"),
    include_str!("../../migrations/0029_risks.sql"),
    include_str!("../../migrations/0030_people_news.sql"),
];

/// What SQLite calls a file that somebody else holds.
const SQLITE_BUSY: &str = "5";

/// How long an opening waits for somebody else who opens the same new file.
const LONGEST_OPENING: Duration = Duration::from_secs(5);

/// Kilobytes of pages that the writer holds in memory.
const WRITER_KEEPS_KB: u32 = 32 * 1024;

/// Pages of 4 KB that are written ahead before they are moved into the file.
const WRITE_AHEAD_PAGES: u32 = 8 * 1024;

/// What a file says that a house is open with, in SQLite's field for the program's own number.
pub(super) const OPEN: u32 = u32::from_be_bytes(*b"PITo");

/// What a file says that was closed in good order.
pub(super) const CLOSED: u32 = u32::from_be_bytes(*b"PITc");

/// How long a new store that another program is making may take.
const LONGEST_MAKING: Duration = Duration::from_secs(3);

/// How a file is opened. It is made for its owner alone where there is none.
pub(super) fn options(file: &Path) -> StoreResult<SqliteConnectOptions> {
    make(file).map_err(|error| unusable(file, &error))?;
    let options = SqliteConnectOptions::new().filename(file).create_if_missing(true);
    Ok(options.synchronous(SqliteSynchronous::Full).foreign_keys(true))
}

/// How the one who writes opens the file: it holds the ends of all logs in memory, and does not move
/// pages into the file that the next commit changes again.
pub(super) fn writing(options: &SqliteConnectOptions) -> SqliteConnectOptions {
    let options = options.clone().pragma("cache_size", format!("-{WRITER_KEEPS_KB}"));
    options.pragma("wal_autocheckpoint", WRITE_AHEAD_PAGES.to_string())
}

/// Brings a file to the schema of today, where nobody else does so at the same time.
pub(super) async fn migrate(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    // A back-up has no write-ahead log yet.
    write_ahead(connection).await?;
    if version(connection).await? == MIGRATIONS.len() {
        return Ok(());
    }
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    let done = version(&mut transaction).await?;
    for step in MIGRATIONS.get(done..).ok_or(StoreError::Later)? {
        sqlx::raw_sql(*step).execute(&mut *transaction).await?;
    }
    let version = format!("PRAGMA user_version = {}", MIGRATIONS.len());
    sqlx::raw_sql(sqlx::AssertSqlSafe(version)).execute(&mut *transaction).await?;
    Ok(transaction.commit().await?)
}

/// Readers and the writer shall not wait for each other. The file remembers it; SQLite itself
/// does not wait for somebody else who opens the same new file.
pub(super) async fn write_ahead(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let begun = Instant::now();
    loop {
        match sqlx::query("PRAGMA journal_mode = WAL").execute(&mut *connection).await {
            Err(error) if is(&error, SQLITE_BUSY) && begun.elapsed() < LONGEST_OPENING => {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            done => return Ok(done.map(drop)?),
        }
    }
}

/// How many steps a file has made.
pub(super) async fn version(connection: &mut SqliteConnection) -> Result<usize, StoreError> {
    let row = sqlx::query("PRAGMA user_version").fetch_one(connection).await?;
    Ok(usize::try_from(row.try_get::<i64, _>(0)?).unwrap_or(usize::MAX))
}

/// Says in the file itself whether a house is open with it: all that was written ahead is moved there.
pub(super) async fn mark(connection: &mut SqliteConnection, mark: u32) -> StoreResult<()> {
    let mark = format!("PRAGMA application_id = {mark}; PRAGMA wal_checkpoint(TRUNCATE)");
    match sqlx::raw_sql(sqlx::AssertSqlSafe(mark)).execute(connection).await {
        // It helps whoever copies files, and a disk without room is no reason to stay closed.
        Err(error) if is(&error, SQLITE_FULL) => Ok(()),
        done => Ok(done.map(drop)?),
    }
}

/// How a file is found before anybody opens it.
#[derive(Clone, Copy)]
pub(super) struct FileState {
    is_empty: bool,
    has_write_ahead: bool,
}

impl FileState {
    /// Looks without opening the file: whoever closes it would let go of the locks that others in this
    /// process have on it.
    pub(super) fn of(file: &Path) -> FileState {
        let is_empty = std::fs::metadata(file).map_or(0, |file| file.len()) == 0;
        FileState { is_empty, has_write_ahead: files::beside(file, "-wal").exists() }
    }

    /// Refuses a file that was copied without its write-ahead log before anything was moved out of that:
    /// it would open as a new and empty house. Warns of one that was open when it was copied.
    pub(super) async fn check(
        self,
        connection: &mut SqliteConnection,
        file: &Path,
    ) -> StoreResult<()> {
        if self.is_empty || self.has_write_ahead {
            return Ok(());
        }
        let mode = sqlx::query("PRAGMA journal_mode").fetch_one(&mut *connection).await?;
        let mark = sqlx::query("PRAGMA application_id").fetch_one(&mut *connection).await?;
        if mode.try_get::<&str, _>(0)? != "wal" {
            return Ok(());
        }
        // Another program may be making the store right now.
        let patience = Instant::now() + LONGEST_MAKING;
        while version(connection).await? == 0 {
            if Instant::now() > patience {
                return Err(StoreError::Incomplete(file.to_owned()));
            }
            tokio::time::sleep(LONGEST_MAKING / 20).await;
        }
        if mark.try_get::<i64, _>(0)? == i64::from(OPEN) {
            let file = file.display();
            tracing::warn!(what = "store", %file, "it was open when it was copied or last used, and \
                its write-ahead log is gone: the latest entries may be missing");
        }
        Ok(())
    }
}

/// What SQLite has beside a file, and itself.
const ENDINGS: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// Makes the file where there is none. A link there, or beside it, is refused.
fn make(file: &Path) -> io::Result<()> {
    for ending in ENDINGS {
        files::refuse_link(&files::beside(file, ending))?;
    }
    match files::new_file(file) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        done => done.map(drop),
    }
}

/// Closes a store and what SQLite has beside it to others.
pub(super) fn keep_private(file: &Path) -> StoreResult<()> {
    for ending in ENDINGS {
        match files::close_to_others(&files::beside(file, ending), 0o600) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            done => done.map_err(|error| unusable(file, &error))?,
        }
    }
    Ok(())
}

fn unusable(file: &Path, error: &io::Error) -> StoreError {
    match files::refused(error) {
        StoreError::Failed(why) => {
            StoreError::Failed(format!("{} cannot be used: {why}", file.display()))
        }
        refused => refused,
    }
}

/// Tables that every house has had from its first version on.
const FIRST: [&str; 4] = ["tables", "entries", "accounts", "transfers"];

/// Refuses a database of another program, before anything of it is changed.
pub(super) async fn is_of_house(connection: &mut SqliteConnection, file: &Path) -> StoreResult<()> {
    let mark = sqlx::query("PRAGMA application_id").fetch_one(&mut *connection).await?;
    let mark: i64 = mark.try_get(0)?;
    let rows = sqlx::query("SELECT name FROM sqlite_schema").fetch_all(connection).await?;
    let names: Vec<&str> = rows.iter().map(|row| row.try_get("name")).collect::<Result<_, _>>()?;
    let is_marked = [0, i64::from(OPEN), i64::from(CLOSED)].contains(&mark);
    match is_marked && (names.is_empty() || FIRST.iter().all(|table| names.contains(table))) {
        true => Ok(()),
        false => Err(StoreError::Unsuitable(format!(
            "{} is a database of another program; move it away, or name another directory with --data",
            file.display()
        ))),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;
    use crate::scratch;
    use crate::store::{Store, reconcile};

    #[tokio::test]
    async fn a_database_of_another_program_is_refused_and_left_alone() {
        for (name, lines) in [
            ("foreign-tables", "CREATE TABLE invoices (id INTEGER); PRAGMA user_version = 3"),
            ("foreign-number", "PRAGMA application_id = 1196444487"),
            // The version of a house, and a table with a name of one.
            ("foreign-version", "CREATE TABLE entries (id INTEGER); PRAGMA user_version = 29"),
            ("foreign-wal", "PRAGMA journal_mode = WAL; CREATE TABLE invoices (id INTEGER)"),
        ] {
            let file = scratch::file(name);
            let options = SqliteConnectOptions::new().filename(&file).create_if_missing(true);
            let mut other = SqliteConnection::connect_with(&options).await.unwrap();
            sqlx::raw_sql(lines).execute(&mut other).await.unwrap();
            other.close().await.unwrap();
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
            let before = std::fs::read(&file).unwrap();
            let opened = Store::open_for_house(&file).await.err().unwrap();
            let audited = reconcile(&file, &Default::default(), &mut |_, _, _| {}).await;
            for refused in [opened, audited.err().unwrap()] {
                assert!(matches!(refused, StoreError::Unsuitable(_)), "{name}: {refused:?}");
                let sentence = refused.to_string();
                assert!(
                    sentence.contains("is a database of another program; move it"),
                    "{sentence}"
                );
            }
            assert!(std::fs::read(&file).unwrap() == before, "{name} is as it was");
            assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o644);
        }
    }

    #[tokio::test]
    async fn a_link_in_the_place_of_a_store_is_not_followed() {
        for ending in ["", "-wal"] {
            let file = scratch::file(&format!("linked{ending}"));
            let letter = file.with_file_name("letter");
            std::fs::write(&letter, "").unwrap();
            std::fs::set_permissions(&letter, std::fs::Permissions::from_mode(0o644)).unwrap();
            symlink(&letter, files::beside(&file, ending)).unwrap();
            let refused = Store::open_for_house(&file).await.err().unwrap();
            assert!(matches!(refused, StoreError::Unsuitable(_)), "{refused:?}");
            assert!(refused.to_string().contains("is a symbolic link"), "{refused}");
            let left = letter.metadata().unwrap();
            assert_eq!((left.len(), left.permissions().mode() & 0o777), (0, 0o644));
        }
    }
}
