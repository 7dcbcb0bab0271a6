//! What the store keeps of tables: their logs, checkpoints, sealed orders and commands.

use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use audit::chain::{Entry, Head};
use audit::custody::SealedOrder;
use audit::log::{Kind, RulesLine};
use rules::table::{Name, Seal, Transfer};

use super::database::{Connection, Pool, Row, query};
use super::{
    CorrectionStep, Corrections, HouseEvent, LEASE, Leases, MeterMoved, Money, Players, Risk,
    RoundChange, Store, StoreError, StoreResult, StoredRow, Unseating, Write, files, hash_of,
    number, read_cards,
};
use crate::people::gains::Gain;

/// All that a table asks of the store.
pub trait TableStore: Tables + Money + Players + Corrections + Clone + 'static {}

impl<S: Tables + Money + Players + Corrections + Clone + 'static> TableStore for S {}

/// Keeps tables.
pub trait Tables: Send + Sync {
    /// Adds what an input led to, and returns when it is on disk.
    fn append(&self, append: Append) -> impl Future<Output = StoreResult<()>> + Send;

    /// Becomes the one owner of a table, and shuts out any before. A node does so by lease, and not while
    /// the table is another's.
    fn own(&self, table: &str) -> impl Future<Output = StoreResult<i64>> + Send;

    /// The epoch of a table's owner.
    fn epoch(&self, table: &str) -> impl Future<Output = StoreResult<Option<i64>>> + Send;

    /// Where a table stood at a moment, if the log still has it.
    fn checkpoint(
        &self,
        table: &str,
        when: When,
    ) -> impl Future<Output = StoreResult<Option<Checkpoint>>> + Send;

    /// The order of a shoe that the house has committed to.
    fn sealed(
        &self,
        table: &str,
        shoe: u32,
    ) -> impl Future<Output = StoreResult<SealedOrder>> + Send;

    /// What became of a command, if its id is known.
    fn known(&self, command: &Command) -> impl Future<Output = StoreResult<Option<Known>>> + Send;

    /// The log of a table from an entry to another.
    fn entries(
        &self,
        table: &str,
        from: u64,
        to: u64,
    ) -> impl Future<Output = StoreResult<Vec<Entry>>> + Send;

    /// Writes what is there already, to see whether something can be written, and sees whether the disk
    /// has room for more: SQLite writes over what its own file has room for long after that.
    fn probe(&self, table: &str) -> impl Future<Output = StoreResult<()>> + Send;

    /// Makes sure that nothing is written later of what has failed before: only then is the log what it says.
    fn settle(&self) -> impl Future<Output = StoreResult<()>> + Send {
        std::future::ready(Ok(()))
    }

    /// Since when a table has its cards, in seconds of Unix time.
    fn decks(&self, table: &str) -> impl Future<Output = StoreResult<Option<i64>>> + Send;
}

/// All that one input adds to the store: everything or nothing.
#[derive(Debug, Default)]
pub struct Append {
    /// Which table.
    pub table: String,
    /// The epoch of who owns it.
    pub epoch: i64,
    /// The lines of the log.
    pub entries: Vec<Entry>,
    /// The money that moves with them.
    pub transfers: Vec<Transfer>,
    /// What that comes to for each player.
    pub gains: Vec<Gain>,
    /// The order of a new shoe, with its number.
    pub sealed: Option<(u32, SealedOrder)>,
    /// The command that it carries out.
    pub command: Option<Command>,
    /// Where the table stood.
    pub checkpoint: Option<Checkpoint>,
    /// What is kept of rounds and shoes.
    pub kept: Option<RoundChange>,
    /// Whether the table's meter is the house's.
    pub shares_meter: bool,
    /// What became of that meter, where it moved.
    pub meter: Option<MeterMoved>,
    /// Since when the table has its cards, where others came: in seconds of Unix time.
    pub decks: Option<i64>,
    /// What it does about a correction that needs two supervisors.
    pub correction: Option<CorrectionStep>,
    /// What it does about somebody whom a supervisor unseats.
    pub unseating: Option<Unseating>,
    /// What lies there before the deal now, of players with limits of their own.
    pub risks: Vec<Risk>,
    /// The event that it is.
    pub event: Option<HouseEvent>,
}

impl Append {
    /// The entry that the input is; 0 where nothing is added to the log.
    pub(crate) fn seq(&self) -> i64 {
        let is_about_time =
            |entry: &&Entry| matches!(Kind::of(&entry.line), Some((Kind::Clock, _)));
        let input = self.entries.iter().find(|entry| !is_about_time(entry));
        input.map_or(0, |entry| number(entry.seq))
    }

    /// Whether it has nothing but what most appends have.
    pub(super) fn is_common(&self) -> bool {
        let Append { sealed, meter, decks, correction, unseating, event, kept, risks, .. } = self;
        let has_shuffled = kept.as_ref().is_some_and(|kept| !kept.shuffled.is_empty());
        let is_marked = correction.is_some() || unseating.is_some() || event.is_some();
        let is_marked = is_marked || !risks.is_empty();
        let is_of_cards = sealed.is_some() || decks.is_some() || has_shuffled;
        !is_marked && !is_of_cards && meter.is_none()
    }
}

/// A player's command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Whose it is.
    pub player: Name,
    /// Its id, which the player's client made.
    pub id: String,
    /// All that it asks for, in one line.
    pub asks: String,
}

/// What the store knows of a command's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// The command was applied, and led to this entry or to none.
    Applied(Option<u64>),
    /// Another command was applied under this id.
    Other,
}

/// Where a table stood, so that a start reads only what came since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// Which moment of a table it is.
    pub when: When,
    /// The last entry then.
    pub head: Head,
    /// How many inputs the table had taken.
    pub version: u64,
    /// The rules in force, as the log writes them.
    pub rules: String,
    /// The table, as [`rules::table::Table::standing`] writes it.
    pub standing: String,
}

/// What comes before the hash at the end of a stored checkpoint.
const HASH: &str = "\nhash ";

impl Checkpoint {
    /// How the table stood, as it is stored: with a hash behind it. Log and books could agree with one
    /// wrong digit in it, and the cards would come in another order.
    pub(super) fn stored_standing(&self) -> String {
        format!("{}{HASH}{}", self.standing, self.hash())
    }

    /// Takes the hash away from what was stored, and tells whether it is the right one. Earlier versions
    /// stored none.
    fn is_unchanged(&mut self) -> bool {
        let Some(at) = self.standing.rfind(HASH) else { return true };
        let hash = self.standing.split_off(at);
        self.hash() == hash[HASH.len()..]
    }

    fn hash(&self) -> String {
        let Checkpoint { head, version, standing, .. } = self;
        hash_of(&format!("pitboss checkpoint\n{head}\n{version}\n{standing}"))
    }
}

/// The moments of which the last one is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Betting began.
    BetsOpened,
    /// Bets were about to close.
    BetsClosed,
}

impl When {
    pub(super) const fn name(self) -> &'static str {
        match self {
            When::BetsOpened => "opened",
            When::BetsClosed => "closed",
        }
    }
}

/// The file beside the store that is written and removed to see whether there is room.
pub const ROOM_FILE: &str = "pitboss.room";

/// The room that there must be, in bytes.
pub const ROOM: usize = 64 * 1024;

/// One at a time looks for room.
static LOOKING: Mutex<()> = Mutex::new(());

fn see_room(file: &Path) -> io::Result<()> {
    let _one = LOOKING.lock().unwrap_or_else(PoisonError::into_inner);
    let written = files::empty_file(file).and_then(|mut room| {
        room.write_all(&[0; ROOM])?;
        room.sync_all()
    });
    // A file that was begun is no use to anybody; where there is none, that is well too.
    let _ = std::fs::remove_file(file);
    written
}

const CHECKPOINT: &str = "SELECT table_id, moment, seq, hash, version, rules, standing \
     FROM checkpoints JOIN entries USING (table_id, seq, hash) WHERE table_id = $1 AND moment = $2";

const ENTRIES: &str = "SELECT table_id, seq, line, hash FROM entries \
     WHERE table_id = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq";

const KNOWN: &str = "SELECT * FROM commands WHERE player = $1 AND id = $2";

/// What is asked about tables, for the test that none of it looks through a table that grows.
#[cfg(test)]
pub(super) const STATEMENTS: [&str; 4] = [CHECKPOINT, ENTRIES, KNOWN, LAST_ENTRY];

const LAST_ENTRY: &str = "SELECT max(seq) AS seq FROM entries WHERE table_id = $1";

impl Store {
    /// The rules that the log of a table begins with, and its last entry; none where it has no log.
    pub(crate) async fn log_of(&self, table: &str) -> StoreResult<Option<(RulesLine, u64)>> {
        let row = query(ENTRIES).bind(table).bind(1).bind(1);
        let Some(row) = row.fetch_optional(&self.readers).await? else { return Ok(None) };
        let rules = |line: &str| match Kind::of(line) {
            Some((Kind::Rules, text)) => text.parse().ok(),
            _ => None,
        };
        let rules = StoredRow::new(&row, "entries", &["table_id", "seq"]).named("line", rules)?;
        let row = query(LAST_ENTRY).bind(table).fetch_one(&self.readers).await?;
        Ok(Some((rules, StoredRow::new(&row, "entries", &[]).count("seq")?)))
    }
}

impl Tables for Store {
    async fn append(&self, append: Append) -> StoreResult<()> {
        self.write(Write::Append(Box::new(append))).await
    }

    async fn own(&self, table: &str) -> StoreResult<i64> {
        if let Some(node) = &self.node {
            let lease = self.acquire(table, node, LEASE).await?;
            return lease.map(|lease| lease.epoch).ok_or(StoreError::Owned);
        }
        let row = query(
            "INSERT INTO tables VALUES ($1, 1) \
             ON CONFLICT (table_id) DO UPDATE SET epoch = tables.epoch + 1 RETURNING epoch",
        );
        let row = row.bind(table).fetch_one(&self.readers).await?;
        StoredRow::new(&row, "tables", &[]).whole("epoch")
    }

    async fn epoch(&self, table: &str) -> StoreResult<Option<i64>> {
        let row = query("SELECT * FROM tables WHERE table_id = $1").bind(table);
        let row = row.fetch_optional(&self.readers).await?;
        let epoch = |row| StoredRow::new(row, "tables", &["table_id"]).whole("epoch");
        row.as_ref().map(epoch).transpose()
    }

    async fn checkpoint(&self, table: &str, when: When) -> StoreResult<Option<Checkpoint>> {
        let row = query(CHECKPOINT);
        let row = row.bind(table).bind(when.name()).fetch_optional(&self.readers).await?;
        let Some(row) = row else { return Ok(None) };
        let row = StoredRow::new(&row, "checkpoints", &["table_id", "moment"]);
        let head = Head { seq: row.count("seq")?, hash: row.parsed("hash")? };
        let (rules, standing) = (row.text("rules")?, row.text("standing")?);
        let version = row.count("version")?;
        let mut checkpoint = Checkpoint { when, head, version, rules, standing };
        match checkpoint.is_unchanged() {
            true => Ok(Some(checkpoint)),
            false => Err(row.damage_at("standing")),
        }
    }

    async fn sealed(&self, table: &str, shoe: u32) -> StoreResult<SealedOrder> {
        let row = query("SELECT * FROM sealed WHERE table_id = $1 AND shoe = $2");
        let row = row.bind(table).bind(shoe).fetch_optional(&self.readers).await?;
        let missing = || StoreError::Unreadable {
            place: format!("sealed (table_id {table}, shoe {shoe}): the row is missing"),
        };
        let row = row.ok_or_else(missing)?;
        let row = StoredRow::new(&row, "sealed", &["table_id", "shoe"]);
        let Seal(salt) = row.parsed("salt")?;
        Ok(SealedOrder { salt, order: row.named("cards", read_cards)? })
    }

    async fn known(&self, command: &Command) -> StoreResult<Option<Known>> {
        let row = query(KNOWN);
        let row = row.bind(command.player.as_str()).bind(command.id.as_str());
        let Some(row) = row.fetch_optional(&self.readers).await? else { return Ok(None) };
        let row = StoredRow::new(&row, "commands", &["player"]);
        let seq: u64 = row.count("seq")?;
        let is_same = row.get::<&str>("asks_hash")? == hash_of(&command.asks);
        Ok(Some(match is_same {
            true => Known::Applied(Some(seq).filter(|&seq| seq > 0)),
            false => Known::Other,
        }))
    }

    async fn entries(&self, table: &str, from: u64, to: u64) -> StoreResult<Vec<Entry>> {
        let rows = query(ENTRIES);
        let [least, most] = [from, to].map(|seq| i64::try_from(seq).unwrap_or(i64::MAX));
        let rows = rows.bind(table).bind(least).bind(most).fetch_all(&self.readers).await?;
        rows.iter().zip(from.max(1)..).map(|(row, seq)| entry_of(row, seq)).collect()
    }

    async fn probe(&self, table: &str) -> StoreResult<()> {
        self.write(Write::Probe { table: table.to_owned() }).await?;
        // The server looks after its own disk.
        let Pool::Sqlite(_) = &self.readers else { return Ok(()) };
        let row = query("PRAGMA database_list").fetch_one(&self.readers).await?;
        let file = PathBuf::from(row.try_get::<String>("file")?).with_file_name(ROOM_FILE);
        let seen = tokio::task::spawn_blocking(move || see_room(&file)).await;
        seen.map_err(|error| StoreError::Failed(error.to_string()))?.map_err(|error| {
            match error.kind() {
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded => StoreError::Full,
                _ => StoreError::Failed(format!("{ROOM_FILE} cannot be written: {error}")),
            }
        })
    }

    async fn settle(&self) -> StoreResult<()> {
        self.write(Write::Settle).await
    }

    async fn decks(&self, table: &str) -> StoreResult<Option<i64>> {
        let row = query("SELECT * FROM decks WHERE table_id = $1").bind(table);
        let row = row.fetch_optional(&self.readers).await?;
        let since = |row| StoredRow::new(row, "decks", &["table_id"]).whole("since");
        row.as_ref().map(since).transpose()
    }
}

/// The entries from one to another, if none is missing at the end.
pub(crate) fn whole(
    table: &str,
    from: u64,
    to: u64,
    entries: Vec<Entry>,
) -> StoreResult<Vec<Entry>> {
    let next = entries.last().map_or(from, |entry| entry.seq + 1);
    match next > to {
        true => Ok(entries),
        false => Err(missing(table, next)),
    }
}

fn missing(table: &str, seq: u64) -> StoreError {
    let place = format!("entries (table_id {table}, seq {seq}): the row is missing");
    StoreError::Unreadable { place }
}

/// The entry in a row, which must have this number: no entry is left out.
pub(super) fn entry_of(row: &Row, seq: u64) -> StoreResult<Entry> {
    let row = StoredRow::new(row, "entries", &["table_id", "seq"]);
    let is_line = |line: &str| (!line.contains(char::is_control)).then(|| line.to_owned());
    match row.count::<u64>("seq")? == seq {
        true => Ok(Entry { seq, line: row.named("line", is_line)?, hash: row.parsed("hash")? }),
        false => Err(missing(row.get("table_id")?, seq)),
    }
}

/// Writes the owner of a table again.
pub(super) async fn touch(connection: &mut Connection<'_>, table: &str) -> Result<(), sqlx::Error> {
    let row = query("UPDATE tables SET epoch = epoch WHERE table_id = $1");
    row.bind(table.to_owned()).execute(connection).await.map(drop)
}

pub(super) async fn set_decks(
    connection: &mut Connection<'_>,
    table: &str,
    since: i64,
) -> Result<(), sqlx::Error> {
    let row = query(
        "INSERT INTO decks VALUES ($1, $2) \
         ON CONFLICT (table_id) DO UPDATE SET since = excluded.since",
    )
    .bind(table.to_owned());
    row.bind(since).execute(connection).await.map(drop)
}
