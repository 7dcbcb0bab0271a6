//! What the floor of a house keeps beside its logs: the progressive, and how old cards are.

use std::fs::File;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rules::money::Cents;
use rules::progressive::Figures;
use rules::table::{Account, Transfer};
use sqlx::Row;
use sqlx::sqlite::SqliteConnection;

use super::{Store, StoreError, Write, number, post_with};
use crate::progressive::{MeterMoved, PROGRESSIVE};

/// The file beside the store that is written and removed to see whether there is room.
pub const ROOM_FILE: &str = "pitboss.room";

/// The room that there must be, in bytes.
pub const ROOM: usize = 64 * 1024;

/// One at a time looks for room.
static LOOKING: Mutex<()> = Mutex::new(());

fn see_room(file: &Path) -> io::Result<()> {
    let _one = LOOKING.lock().unwrap_or_else(PoisonError::into_inner);
    let written = File::create(file).and_then(|mut room| {
        room.write_all(&[0; ROOM])?;
        room.sync_all()
    });
    // A file that was begun is no use to anybody; where there is none, that is well too.
    let _ = std::fs::remove_file(file);
    written
}

impl Store {
    /// Puts a progressive meter up, with the seed that the house gives to it.
    pub async fn add_progressive(
        &self,
        name: &'static str,
        figures: Figures,
    ) -> Result<(), StoreError> {
        self.write(Write::Progressive { name, figures }).await
    }

    /// What came into and out of a progressive meter, where there is one.
    pub async fn figures(&self, name: &str) -> Result<Option<Figures>, StoreError> {
        let row = sqlx::query("SELECT * FROM progressives WHERE name = ?").bind(name);
        Ok(row.fetch_optional(&self.readers).await?.map(|row| {
            let amount = |column| Cents::new(row.get(column));
            let count = |column| u64::try_from(row.get::<i64, _>(column)).unwrap_or(0);
            Figures {
                seeded: amount("seeded"),
                contributed: amount("contributed"),
                awarded: amount("awarded"),
                awards: count("awards"),
                restored: amount("restored"),
                resets: count("resets"),
                overflow: amount("overflow"),
            }
        }))
    }

    /// How often the house's meter had begun again when a table's round added to it.
    pub async fn meter_since(&self, table: &str) -> Result<u64, StoreError> {
        let row = sqlx::query("SELECT resets FROM meter_rounds WHERE table_id = ?").bind(table);
        let row = row.fetch_optional(&self.readers).await?;
        Ok(row.and_then(|row| u64::try_from(row.get::<i64, _>(0)).ok()).unwrap_or(0))
    }

    /// Writes what is there already, to see whether something can be written, and sees whether the disk
    /// has room for more: SQLite writes over what its own file has room for long after that.
    pub(crate) async fn probe(&self, table: &str) -> Result<(), StoreError> {
        self.write(Write::Probe { table: table.to_owned() }).await?;
        let row = sqlx::query("PRAGMA database_list").fetch_one(&self.readers).await?;
        let file = PathBuf::from(row.get::<String, _>("file")).with_file_name(ROOM_FILE);
        let seen = tokio::task::spawn_blocking(move || see_room(&file)).await;
        seen.map_err(|error| StoreError::Failed(error.to_string()))?.map_err(|error| {
            match error.kind() {
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded => StoreError::Full,
                _ => StoreError::Failed(format!("{ROOM_FILE} cannot be written: {error}")),
            }
        })
    }

    /// Since when a table has its cards, in seconds of Unix time.
    pub async fn decks(&self, table: &str) -> Result<Option<i64>, StoreError> {
        let row = sqlx::query("SELECT since FROM decks WHERE table_id = ?").bind(table);
        Ok(row.fetch_optional(&self.readers).await?.map(|row| row.get(0)))
    }
}

pub(super) async fn put_up(
    connection: &mut SqliteConnection,
    name: &'static str,
    figures: &Figures,
) -> Result<(), sqlx::Error> {
    set_figures(connection, name, figures).await?;
    if figures.seeded == Cents::ZERO {
        return Ok(());
    }
    let (from, to) = (Account::House, Account::Meter);
    post_with(connection, "", 0, &Transfer { from, to, amount: figures.seeded }, name).await
}

async fn set_figures(
    connection: &mut SqliteConnection,
    name: &str,
    figures: &Figures,
) -> Result<(), sqlx::Error> {
    let Figures { seeded, contributed, awarded, awards, restored, resets, overflow } = figures;
    let row = sqlx::query("REPLACE INTO progressives VALUES (?, ?, ?, ?, ?, ?, ?, ?)").bind(name);
    let row = row.bind(seeded.get()).bind(contributed.get()).bind(awarded.get());
    let row = row.bind(number(*awards)).bind(restored.get()).bind(number(*resets));
    row.bind(overflow.get()).execute(&mut *connection).await?;
    Ok(())
}

pub(super) async fn set_meter(
    connection: &mut SqliteConnection,
    table: &str,
    seq: i64,
    MeterMoved { figures, put_up, since }: &MeterMoved,
) -> Result<(), sqlx::Error> {
    if *put_up > Cents::ZERO {
        let transfer = Transfer { from: Account::House, to: Account::Meter, amount: *put_up };
        post_with(connection, table, seq, &transfer, PROGRESSIVE).await?;
    }
    set_figures(connection, PROGRESSIVE, figures).await?;
    let row = sqlx::query("REPLACE INTO meter_rounds VALUES (?, ?)").bind(table.to_owned());
    row.bind(number(*since)).execute(connection).await.map(drop)
}

/// Writes the owner of a table again.
pub(super) async fn touch(
    connection: &mut SqliteConnection,
    table: &str,
) -> Result<(), sqlx::Error> {
    let row = sqlx::query("UPDATE tables SET epoch = epoch WHERE table_id = ?");
    row.bind(table.to_owned()).execute(connection).await.map(drop)
}

pub(super) async fn set_decks(
    connection: &mut SqliteConnection,
    table: &str,
    since: i64,
) -> Result<(), sqlx::Error> {
    let row = sqlx::query("REPLACE INTO decks VALUES (?, ?)").bind(table.to_owned());
    row.bind(since).execute(connection).await.map(drop)
}
