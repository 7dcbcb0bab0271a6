//! The reconciliation of a whole store: every table, and what no log tells: what the office moved, the
//! progressive, the rows of which a store has one, and who owns the tables.

use std::collections::BTreeMap;

use audit::chain::Head;
use rules::money::Cents;
use rules::progressive::Meter;
use rules::table::{Account, Seal};

use super::database::{Connection, Row, query};
use super::keep::read_only;
use super::money::read_figures;
use super::reconcile::{
    Difference, ReadOn, Reconciliation, Since, TableBooks, books_since, compare_balances,
    compare_keys, compare_played, damage, transfer,
};
use super::{Address, PROGRESSIVE, StoreError, StoreResult, StoredRow, schema};

/// Holds a store against itself, as it is at one moment. A house may be open with it. `progress` is told
/// the table, how many of its entries are done, and how many there are.
pub async fn reconcile(
    store: impl Into<Address>,
    heads: &BTreeMap<String, Vec<Head>>,
    progress: &mut dyn FnMut(&str, u64, u64),
) -> StoreResult<Reconciliation> {
    let mut link = read_only(&store.into()).await?;
    let mut moment = link.moment().await?;
    let mut moment = moment.connection();
    let mut done = Reconciliation::default();
    let counted = query(
        "SELECT count(*) AS accounts, (SELECT count(*) FROM transfers) AS transfers FROM accounts",
    );
    let counted = counted.fetch_one(&mut moment).await?;
    done.accounts = StoredRow::new(&counted, "accounts", &[]).count("accounts")?;
    done.transfers = StoredRow::new(&counted, "accounts", &[]).count("transfers")?;
    match compare_balances(&mut moment).await {
        Ok(difference) => done.differences.extend(difference),
        Err(error) => done.differences.push(damage(None, error)?),
    }
    done.differences.extend(compare_keys(&mut moment).await?);
    done.differences.extend(compare_house(&mut moment).await?);
    let tables = query("SELECT table_id FROM tables ORDER BY 1").fetch_all(&mut moment);
    let named = |row: &Row| StoredRow::new(row, "tables", &[]).text("table_id");
    let tables: Vec<String> = tables.await?.iter().map(named).collect::<StoreResult<_>>()?;
    for (table, heads) in heads.iter().filter(|(table, _)| !tables.contains(table)) {
        let place = format!("entry {}", heads.first().map_or(0, |head| head.seq));
        let problem = "announced by the house, but the store has no such table".to_owned();
        done.differences.push(Difference { table: Some(table.clone()), place, problem });
    }
    for table in tables {
        let heads = heads.get(&table).map(Vec::as_slice).unwrap_or_default();
        let last = last_entry(&mut moment, &table).await?;
        let mut of_table = TableBooks::new(&table, heads);
        let difference = loop {
            progress(&table, of_table.read_to(), last);
            match of_table.read_on(&mut moment, true).await {
                Ok(ReadOn::More) => {}
                Ok(ReadOn::End) => break None,
                Ok(ReadOn::Different(difference)) => break Some(difference),
                Err(error) => break Some(damage(Some(&table), error)?),
            }
        };
        let difference = match difference {
            None => match compare_table(&mut moment, &table, of_table.done.head).await {
                Err(error) => Some(damage(Some(&table), error)?),
                Ok(difference) => difference,
            },
            difference => difference,
        };
        done.differences.extend(difference);
        done.tables.push(of_table.done);
    }
    // It rests on the settlements, which must be right before.
    if done.differences.is_empty() {
        done.differences.extend(compare_played(&mut moment).await?);
    }
    Ok(done)
}

/// The last entry of a table.
async fn last_entry(connection: &mut Connection<'_>, table: &str) -> StoreResult<u64> {
    let row = query("SELECT coalesce(max(seq), 0) AS seq FROM entries WHERE table_id = $1");
    let row = row.bind(table).fetch_one(connection).await?;
    StoredRow::new(&row, "entries", &[]).count("seq")
}

/// A difference that is no table's.
fn difference(place: impl Into<String>, problem: impl Into<String>) -> Option<Difference> {
    Some(Difference { table: None, place: place.into(), problem: problem.into() })
}

/// The first difference of each kind.
async fn compare_house(connection: &mut Connection<'_>) -> StoreResult<Vec<Difference>> {
    let mut found = Vec::new();
    let mut add = |compared: StoreResult<Option<Difference>>| {
        let compared = match compared {
            Err(error) => Some(damage(None, error)?),
            Ok(compared) => compared,
        };
        found.extend(compared);
        Ok::<(), StoreError>(())
    };
    add(compare_schema(connection).await)?;
    add(compare_single_rows(connection).await)?;
    add(compare_strays(connection).await)?;
    add(compare_office(connection).await)?;
    add(compare_progressive(connection).await)?;
    add(compare_meter_rounds(connection).await)?;
    Ok(found)
}

/// What the books of a file rest on. That of a server is compared when a house starts, which may write.
async fn compare_schema(connection: &mut Connection<'_>) -> StoreResult<Option<Difference>> {
    let Connection::Sqlite(file) = connection else { return Ok(None) };
    let faults = schema::faults_of_file(file).await?;
    Ok(faults.and_then(|faults| difference("the schema", faults)))
}

/// What every store has one row of, and no start does without.
async fn compare_single_rows(connection: &mut Connection<'_>) -> StoreResult<Option<Difference>> {
    let rows = query("SELECT * FROM house").fetch_all(&mut *connection).await?;
    if rows.len() != 1 {
        return Ok(difference("house", format!("it has {} rows instead of one", rows.len())));
    }
    let row = StoredRow::new(&rows[0], "house", &[]);
    let is_id = |id: &str| id.chars().all(|c| c.is_ascii_alphanumeric()).then_some(());
    row.named("id", is_id)?;
    row.count::<u64>("unscoped")?;
    let rows = query("SELECT * FROM secrets").fetch_all(connection).await?;
    if rows.len() != 1 {
        return Ok(difference("secrets", format!("it has {} rows instead of one", rows.len())));
    }
    StoredRow::new(&rows[0], "secrets", &[]).parsed::<Seal>("pseudonyms")?;
    Ok(None)
}

/// A transfer of a table that there is not: no log is compared with it.
const STRAY: &str = "SELECT id, table_id FROM transfers WHERE table_id <> '' \
     AND table_id NOT IN (SELECT table_id FROM tables) ORDER BY id LIMIT 1";

async fn compare_strays(connection: &mut Connection<'_>) -> StoreResult<Option<Difference>> {
    let Some(row) = query(STRAY).fetch_optional(connection).await? else { return Ok(None) };
    let row = StoredRow::new(&row, "transfers", &["id"]);
    let (id, table) = (row.whole("id")?, row.text("table_id")?);
    Ok(difference(format!("transfer {id}"), format!("there is no table {}", table.escape_debug())))
}

/// What the office moved that it never does. It gives play money, puts up the seed of the progressive, and
/// takes all that a guest has to the guest's new name, once. A name that was changed again is found by the
/// name of today.
const OFFICE: &str = "
SELECT id, seq, from_scope, from_account, to_scope, to_account, amount, CAST(0 AS BIGINT) AS unscoped
FROM transfers
WHERE table_id = ''
  AND NOT (from_scope = '' AND from_account = 'cashier' AND to_scope = '' AND to_account LIKE 'player:%')
  AND NOT (from_scope = '' AND from_account = 'house' AND to_scope = $1 AND to_account = 'meter')
  AND NOT (from_scope = '' AND to_scope = ''
    AND EXISTS (SELECT 1 FROM former_names AS before WHERE 'player:' || before.was = from_account
      AND ('player:' || before.name = to_account OR EXISTS (SELECT 1 FROM former_names AS between_them
        WHERE 'player:' || between_them.was = to_account AND between_them.name = before.name)))
    AND NOT EXISTS (SELECT 1 FROM transfers AS earlier WHERE earlier.table_id = ''
      AND earlier.from_account = transfers.from_account AND earlier.id < transfers.id))
ORDER BY id LIMIT 1";

async fn compare_office(connection: &mut Connection<'_>) -> StoreResult<Option<Difference>> {
    let row = query(OFFICE).bind(PROGRESSIVE).fetch_optional(connection).await?;
    let Some(row) = row else { return Ok(None) };
    let (id, _, moved, _) = transfer(&row)?;
    let is_player = |account: &str| matches!(account.parse(), Ok(Account::Player(_)));
    let why = match is_player(&moved.from.1) && is_player(&moved.to.1) {
        true => "but no guest took that name then",
        false => "which the office never does",
    };
    Ok(difference(format!("transfer {id}"), format!("it moves {moved}, {why}")))
}

const METER: &str = "SELECT \
     (SELECT CAST(sum(balance) AS BIGINT) FROM accounts WHERE scope = $1) AS held, \
     (SELECT CAST(sum(amount) AS BIGINT) FROM transfers WHERE table_id = '' AND to_scope = $1) AS seeds";

/// What the meter shows must be what the books have of it, from one seed.
async fn compare_progressive(connection: &mut Connection<'_>) -> StoreResult<Option<Difference>> {
    let place = format!("progressives (name {PROGRESSIVE})");
    let figures = read_figures(&mut *connection, PROGRESSIVE).await?;
    let row = query(METER).bind(PROGRESSIVE).fetch_one(connection).await?;
    let row = StoredRow::new(&row, "accounts", &[]);
    let held = row.whole_or_none("held")?.map(Cents::new);
    let seeds = Cents::new(row.whole_or_none("seeds")?.unwrap_or(0));
    let Some(figures) = figures else {
        return Ok(held.and_then(|held| {
            difference(place, format!("the row is missing, but its account holds {held}"))
        }));
    };
    let (shows, held) = (figures.balance(), held.unwrap_or(Cents::ZERO));
    if shows != held {
        return Ok(difference(place, format!("it shows {shows}, but its account holds {held}")));
    }
    if figures.seeded != seeds {
        let problem = format!("its seed is {}, but the office put up {seeds}", figures.seeded);
        return Ok(difference(place, problem));
    }
    match Meter::resumed(figures.seeded, figures) {
        Some(_) => Ok(None),
        None => Ok(difference(place, "a figure is less than nothing")),
    }
}

/// No round added to a meter that began again more often than it did.
async fn compare_meter_rounds(connection: &mut Connection<'_>) -> StoreResult<Option<Difference>> {
    let figures = read_figures(&mut *connection, PROGRESSIVE).await?;
    let most = figures.map_or(0, |figures| figures.resets);
    let rows = query("SELECT * FROM meter_rounds ORDER BY table_id").fetch_all(connection).await?;
    for row in &rows {
        let row = StoredRow::new(row, "meter_rounds", &["table_id"]);
        let resets: u64 = row.count("resets")?;
        if resets > most {
            let place = format!("meter_rounds (table_id {})", row.text("table_id")?);
            let problem = format!("the round added after {resets} hits, but there were {most}");
            return Ok(difference(place, problem));
        }
    }
    Ok(None)
}

const OWNER: &str = "SELECT table_id, tables.epoch, \
     (SELECT max(epoch) FROM entries WHERE entries.table_id = tables.table_id) AS written, \
     leases.epoch AS leased, leases.until FROM tables LEFT JOIN leases USING (table_id) \
     WHERE table_id = $1";

/// An entry of an owner before that of the entry before it.
const FORMER_OWNER: &str = "SELECT seq, before, epoch FROM \
     (SELECT seq, epoch, lag(epoch) OVER (ORDER BY seq) AS before FROM entries WHERE table_id = $1) \
     AS owners WHERE epoch < before ORDER BY seq LIMIT 1";

/// Who owns a table, and from where a start compares its books.
async fn compare_table(
    connection: &mut Connection<'_>,
    table: &str,
    last: Option<Head>,
) -> StoreResult<Option<Difference>> {
    let of_table = |place: String, problem: String| {
        Ok(Some(Difference { table: Some(table.to_owned()), place, problem }))
    };
    let row = query(OWNER).bind(table).fetch_one(&mut *connection).await?;
    let row = StoredRow::new(&row, "tables", &["table_id"]);
    let (epoch, written) = (row.count::<u64>("epoch")?, row.whole_or_none("written")?);
    let written = written.map_or(Ok(0), u64::try_from).unwrap_or(u64::MAX);
    if epoch == 0 || written > epoch {
        let problem = format!("its epoch is {epoch}, but its log was written under {written}");
        return of_table("its owner".to_owned(), problem);
    }
    if row.whole_or_none("leased")?.is_some() {
        let leased: u64 = row.count("leased")?;
        row.count::<u64>("until")?;
        if leased > epoch {
            let problem = format!("its epoch is {leased}, but that of the table is {epoch}");
            return of_table("its lease".to_owned(), problem);
        }
    }
    if let Some(found) = query(FORMER_OWNER).bind(table).fetch_optional(&mut *connection).await? {
        let number = |column| found.try_get::<i64>(column);
        let place = format!("entry {}", number("seq")?);
        let (epoch, before) = (number("epoch")?, number("before")?);
        let problem =
            format!("it was written under epoch {epoch}, and the entry before under {before}");
        return of_table(place, problem);
    }
    if last.is_none() {
        return Ok(None);
    }
    match books_since(connection, table).await? {
        Since::Different(difference) => Ok(Some(difference)),
        Since::Books(_) | Since::Nothing => Ok(None),
    }
}
