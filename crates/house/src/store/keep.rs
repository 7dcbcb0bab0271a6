//! Copies of the store while a house is open: a back-up, and its logs and books as text.

use std::cmp::Ordering;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use audit::export::Export;
use audit::log::Kind;
use futures_util::TryStreamExt;
use rules::table::TableEvent;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{Connection as _, Row as _};

use super::database::{Connection, Link, Pool, Row, query};
use super::office::{self, EventKind, EventRow, HouseEvent};
use super::opening::{FileState, MIGRATIONS, is_of_house, version};
use super::tables::entry_of;
use super::{Address, Store, StoreError, StoredRow, files, number, postgres};
use crate::people::names::COMMAND_LINE;

impl Store {
    /// Writes all that is committed into a new file, and checks that it can be read.
    pub(crate) async fn back_up(&self, to: &Path) -> Result<(), StoreError> {
        let Pool::Sqlite(readers) = &self.readers else { return Err(not_a_file()) };
        copy(&mut *readers.acquire().await?, to).await
    }
}

/// Writes all that is committed in a store into a new file. A house may be open with it.
pub async fn back_up(store: impl Into<Address>, to: &Path) -> Result<(), StoreError> {
    let Address::File(file) = store.into() else { return Err(not_a_file()) };
    copy(&mut read_only_file(&file).await?, to).await
}

/// What is copied with a tool of its own.
fn not_a_file() -> StoreError {
    StoreError::Unsuitable(
        "a house on PostgreSQL is backed up with pg_dump, or with the server (docs/postgres.md)"
            .to_owned(),
    )
}

/// Keeps the event that the command line copied a store, in the store itself.
pub async fn note_backup(store: &Path, to: &Path) -> Result<(), StoreError> {
    let options = SqliteConnectOptions::new().filename(store).foreign_keys(true);
    let mut connection = SqliteConnection::connect_with(&options).await?;
    has_this_schema(&mut connection).await?;
    let (who, what, whom) = (COMMAND_LINE.to_owned(), EventKind::Backup, None);
    let event = HouseEvent { who, what, whom, more: to.display().to_string() };
    office::add_event(&mut Connection::Sqlite(&mut connection), &event).await?;
    Ok(connection.close().await?)
}

/// The significant events of a store after one, in order. A house may be open with it.
pub async fn events(
    store: impl Into<Address>,
    after: i64,
    most: u32,
) -> Result<Vec<EventRow>, StoreError> {
    let mut link = read_only(&store.into()).await?;
    let rows = query("SELECT * FROM events WHERE id > $1 ORDER BY id LIMIT $2");
    let rows = rows.bind(after).bind(most).fetch_all(&mut link.connection()).await?;
    rows.iter().map(office::read_event).collect()
}

/// Refuses a store that this program has not opened yet.
pub(super) async fn has_this_schema(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    match version(connection).await?.cmp(&MIGRATIONS.len()) {
        Ordering::Equal => Ok(()),
        Ordering::Greater => Err(StoreError::Later),
        Ordering::Less => Err(StoreError::Failed(
            "an earlier version of Pitboss wrote it; open the house with this one first".to_owned(),
        )),
    }
}

async fn copy(connection: &mut SqliteConnection, to: &Path) -> Result<(), StoreError> {
    let name =
        to.to_str().ok_or_else(|| StoreError::Failed("its name is not UTF-8 text".to_owned()))?;
    // SQLite takes an empty file for a new one, and leaves its rights as they are.
    files::new_file(to).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => StoreError::Failed(format!("{} already exists", to.display())),
        _ => StoreError::Failed(format!("{} cannot be written: {error}", to.display())),
    })?;
    let copied = copy_into(connection, to, name).await;
    if copied.is_err() {
        // Half a copy is no use to anybody.
        let _ = std::fs::remove_file(to);
    }
    copied
}

async fn copy_into(
    connection: &mut SqliteConnection,
    to: &Path,
    name: &str,
) -> Result<(), StoreError> {
    sqlx::query("VACUUM INTO ?").bind(name).execute(connection).await?;
    let mut copied = read_only_file(to).await?;
    let found = sqlx::query("PRAGMA quick_check").fetch_one(&mut copied).await?;
    let found: String = found.try_get(0)?;
    copied.close().await?;
    match found.as_str() {
        "ok" => Ok(()),
        fault => Err(StoreError::Failed(format!("the copy is not sound: {fault}"))),
    }
}

const LAST_SETTLED: &str =
    "SELECT seq FROM entries WHERE table_id = $1 AND line = $2 ORDER BY seq DESC LIMIT 1";

/// Writes the log of every table, all accounts and all transfers of a store into a directory, as they
/// were at one moment; what only some may see of a round in play stays private. Gives the files.
pub async fn export(store: impl Into<Address>, to: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let failed = |error: std::io::Error| files::refused(&error);
    let mut link = open_to_read(&store.into()).await?;
    files::new_folder(to).map_err(failed)?;
    let mut moment = link.moment().await?;
    let mut moment = moment.connection();
    let tables = query("SELECT table_id FROM tables ORDER BY 1").fetch_all(&mut moment);
    let named = |row: &Row| StoredRow::new(row, "tables", &[]).named("table_id", table_name);
    let tables: Vec<String> = tables.await?.iter().map(named).collect::<Result<_, _>>()?;
    let mut files = Vec::new();
    for table in &tables {
        let file = to.join(format!("{table}.log"));
        let mut text = std::io::BufWriter::new(files::empty_file(&file).map_err(failed)?);
        text.write_all(Export::first_line(table).as_bytes()).map_err(failed)?;
        let over = query(LAST_SETTLED).bind(table.as_str());
        let over = over.bind(Kind::Event.line(TableEvent::Settled));
        let over: i64 = match over.fetch_optional(&mut moment).await? {
            Some(row) => row.try_get("seq")?,
            None => 0,
        };
        let rows = query("SELECT * FROM entries WHERE table_id = $1 ORDER BY seq");
        let mut rows = rows.bind(table.as_str()).fetch(&mut moment);
        let mut seq = 0;
        while let Some(row) = rows.try_next().await? {
            seq += 1;
            let entry = entry_of(&row, seq)?;
            let line = match number(seq) <= over {
                true => Export::line(&entry),
                false => Export::line(&entry.closed()),
            };
            text.write_all(line.as_bytes()).map_err(failed)?;
        }
        text.flush().map_err(failed)?;
        files.push(file);
    }
    let accounts = "SELECT scope, account, balance FROM accounts ORDER BY 1, 2";
    let transfers = "SELECT id, table_id, seq, from_scope, from_account, to_scope, to_account, \
                     amount FROM transfers ORDER BY id";
    for (name, of, columns, line) in [
        ("accounts.csv", "accounts", "table,account,cents", accounts),
        (
            "transfers.csv",
            "transfers",
            "id,table,entry,from_table,from_account,to_table,to_account,cents",
            transfers,
        ),
    ] {
        let file = to.join(name);
        let mut text = std::io::BufWriter::new(files::empty_file(&file).map_err(failed)?);
        writeln!(text, "{columns}").map_err(failed)?;
        let mut rows = query(line).fetch(&mut moment);
        while let Some(row) = rows.try_next().await? {
            let stored = StoredRow::new(&row, of, &[]);
            let columns = row.columns();
            let words = columns.iter().map(|column| match stored.get::<i64>(column) {
                Ok(_) => stored.whole(column).map(|number| number.to_string()),
                Err(_) => stored.text(column),
            });
            let words: Vec<String> = words.collect::<Result<_, _>>()?;
            writeln!(text, "{}", words.join(",")).map_err(failed)?;
        }
        text.flush().map_err(failed)?;
        files.push(file);
    }
    Ok(files)
}

/// A name that can be one of a file.
fn table_name(name: &str) -> Option<String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (!name.is_empty() && name.chars().all(is_plain)).then(|| name.to_owned())
}

/// Opens a store of any schema to read it.
async fn open_to_read(store: &Address) -> Result<Link, StoreError> {
    match store {
        Address::File(file) => read_only_file(file).await.map(Link::Sqlite),
        Address::Postgres(url) => Box::pin(postgres::read_only(url)).await,
    }
}

/// Opens a store of the schema of today to read it.
pub(super) async fn read_only(store: &Address) -> Result<Link, StoreError> {
    let mut link = open_to_read(store).await?;
    if let Link::Sqlite(file) = &mut link {
        has_this_schema(file).await?;
    }
    Ok(link)
}

async fn read_only_file(store: &Path) -> Result<SqliteConnection, StoreError> {
    if !store.is_file() {
        return Err(StoreError::Failed(format!("there is no store {}", store.display())));
    }
    let found = FileState::of(store);
    let options = SqliteConnectOptions::new().filename(store).read_only(true);
    // SQLite puts an index of the write-ahead log beside a file, which a medium that is only read refuses.
    let is_unwritable = match ask_version(&options).await {
        Err(sqlx::Error::Database(error)) => {
            let code = error.code().and_then(|code| code.parse::<u32>().ok());
            code.is_some_and(|code| SQLITE_UNWRITABLE.contains(&(code & 0xff)))
        }
        _ => false,
    };
    let options = match is_unwritable {
        true if files::beside(store, "-wal").metadata().is_ok_and(|wal| wal.len() > 0) => {
            let store = store.display();
            return Err(StoreError::Unsuitable(format!(
                "{store} was not closed, and cannot be read with {store}-wal where nothing can be \
                 written; copy both into a directory of your own"
            )));
        }
        // Nothing of it is anywhere else, and nobody changes it.
        true => options.immutable(true),
        false => options,
    };
    // Whatever SQLite makes of the file comes out with the first question, and names its path.
    let read = async {
        let mut connection = SqliteConnection::connect_with(&options).await?;
        is_of_house(&mut connection, store).await?;
        found.check(&mut connection, store).await?;
        version(&mut connection).await?;
        Ok(connection)
    };
    read.await.map_err(|error: StoreError| error.in_file(store))
}

/// SQLite's numbers for a file that it cannot open, or not write.
const SQLITE_UNWRITABLE: [u32; 2] = [8, 14];

async fn ask_version(options: &SqliteConnectOptions) -> Result<(), sqlx::Error> {
    let mut connection = SqliteConnection::connect_with(options).await?;
    sqlx::query("PRAGMA user_version").fetch_one(&mut connection).await?;
    connection.close().await
}

#[cfg(test)]
mod tests {
    use audit::chain::Chain;
    use rules::table::Name;

    use super::super::{Append, Money, People, Tables};
    use super::*;
    use crate::scratch;

    #[tokio::test]
    async fn an_open_store_is_copied_and_its_logs_and_books_written_out() {
        let file = scratch::file("keep");
        let folder = file.parent().unwrap();
        let store = Store::open(&file).await.unwrap();
        let ann: Name = "ann".parse().unwrap();
        store.add_guest(&ann, "secret").await.unwrap();
        let epoch = store.own("war-1").await.unwrap();
        let mut chain = Chain::new("war-1");
        let entries = vec![chain.append("# version 0.1.0 game casino-war")];
        let append = Append { table: "war-1".to_owned(), epoch, entries, ..Append::default() };
        store.append(append).await.unwrap();

        let copy = folder.join("copy.db");
        store.back_up(&copy).await.unwrap();
        assert!(store.back_up(&copy).await.is_err(), "no file is written over");
        let other = folder.join("other.db");
        back_up(&file, &other).await.unwrap();
        for copy in [copy, other] {
            let copied = Store::open(&copy).await.unwrap();
            assert_eq!(copied.entries("war-1", 1, 9).await.unwrap().len(), 1);
            assert_eq!(copied.total().await.unwrap(), rules::money::Cents::ZERO);
        }

        let files = export(&file, &folder.join("out")).await.unwrap();
        let texts: Vec<_> =
            files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
        assert!(audit::verify(texts[0].as_bytes(), &[]).unwrap().is_clean(), "{}", texts[0]);
        assert!(texts[1].contains(",player:ann,100000\n"), "{}", texts[1]);
        assert!(texts[2].contains(",cashier,,player:ann,100000\n"), "{}", texts[2]);
        #[cfg(unix)]
        {
            let (letter, out) = (folder.join("letter"), folder.join("linked"));
            std::fs::write(&letter, "dear ann").unwrap();
            files::new_folder(&out).unwrap();
            std::os::unix::fs::symlink(&letter, out.join("accounts.csv")).unwrap();
            let refused = export(&file, &out).await.unwrap_err();
            assert!(matches!(refused, StoreError::Unsuitable(_)), "{refused:?}");
            assert_eq!(std::fs::read_to_string(&letter).unwrap(), "dear ann");
        }
        let missing = export(&folder.join("none.db"), folder).await.unwrap_err().to_string();
        assert!(missing.contains("there is no store"), "{missing}");
    }
}
