//! The part of a reconciliation that no log tells: what the office moved, the progressive, the rows of which
//! a store has one, and who owns the tables.

use audit::chain::Head;
use rules::money::Cents;
use rules::progressive::Meter;
use rules::table::{Account, Seal};

use super::database::{Connection, query};
use super::money::read_figures;
use super::reconcile::{Difference, Since, books_since, damage, transfer};
use super::{PROGRESSIVE, StoreError, StoreResult, StoredRow};

/// A difference that is no table's.
fn difference(place: impl Into<String>, problem: impl Into<String>) -> Option<Difference> {
    Some(Difference { table: None, place: place.into(), problem: problem.into() })
}

/// The first difference of each kind.
pub(super) async fn compare_house(connection: &mut Connection<'_>) -> StoreResult<Vec<Difference>> {
    let mut found = Vec::new();
    let mut add = |compared: StoreResult<Option<Difference>>| {
        let compared = match compared {
            Err(error) => Some(damage(None, error)?),
            Ok(compared) => compared,
        };
        found.extend(compared);
        Ok::<(), StoreError>(())
    };
    add(compare_single_rows(connection).await)?;
    add(compare_strays(connection).await)?;
    add(compare_office(connection).await)?;
    add(compare_progressive(connection).await)?;
    add(compare_meter_rounds(connection).await)?;
    Ok(found)
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
SELECT id, seq, from_scope, from_account, to_scope, to_account, amount, 0 AS unscoped FROM transfers
WHERE table_id = '' AND NOT (from_account = 'cashier' AND to_account LIKE 'player:%')
  AND NOT (from_account = 'house' AND to_account = 'meter' AND to_scope = $1)
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
pub(super) async fn compare_table(
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
        let problem = format!("it was written under epoch {epoch}, and the entry before under {before}");
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
