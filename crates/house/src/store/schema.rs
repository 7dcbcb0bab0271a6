//! The schema of a store, held against what the migrations make: the books rest on its triggers and its
//! constraints, and nobody would notice that one is missing.

use std::collections::HashMap;

use sqlx::postgres::PgConnection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, Connection as _, Row as _};
use tokio::sync::OnceCell;

use super::{StoreError, StoreResult, opening};

/// The most faults that a sentence names.
const MOST_NAMED: usize = 5;

/// A part of a schema.
#[derive(Clone, Debug)]
struct Part {
    /// `table`, `trigger`, `index` and the like.
    kind: String,
    name: String,
    /// The table that it belongs to; empty for a function.
    of: String,
    definition: String,
}

impl Part {
    fn in_words(&self) -> String {
        let Part { kind, name, of, .. } = self;
        match of.is_empty() || of == name {
            true => format!("the {kind} {name}"),
            false => format!("the {kind} {name} of {of}"),
        }
    }
}

/// Refuses a file whose schema is not what the migrations make.
pub(super) async fn check_file(connection: &mut SqliteConnection) -> StoreResult<()> {
    faults_of_file(connection).await?.map_or(Ok(()), |faults| Err(damaged("the store", &faults)))
}

/// What of the schema of a file is not what the migrations make.
pub(super) async fn faults_of_file(
    connection: &mut SqliteConnection,
) -> StoreResult<Option<String>> {
    static EXPECTED: OnceCell<Vec<Part>> = OnceCell::const_new();
    let expected = EXPECTED.get_or_try_init(of_migrations).await?;
    Ok(compare(expected, &parts_of_file(connection).await?))
}

fn damaged(place: &str, faults: &str) -> StoreError {
    StoreError::Unsuitable(format!(
        "the schema of {place} is damaged: {faults}; restore a backup (docs/restore.md)"
    ))
}

/// What the migrations make of an empty file.
async fn of_migrations() -> StoreResult<Vec<Part>> {
    let empty = SqliteConnectOptions::new().in_memory(true);
    let mut connection = SqliteConnection::connect_with(&empty).await?;
    for step in opening::MIGRATIONS {
        sqlx::raw_sql(*step).execute(&mut connection).await?;
    }
    let parts = parts_of_file(&mut connection).await?;
    connection.close().await?;
    Ok(parts)
}

/// The schema of a file. The indices of keys belong to their tables.
async fn parts_of_file(connection: &mut SqliteConnection) -> StoreResult<Vec<Part>> {
    let rows = sqlx::query(
        r"SELECT type, name, tbl_name, sql FROM sqlite_schema
          WHERE name NOT LIKE 'sqlite\_%' ESCAPE '\' AND sql IS NOT NULL",
    );
    let read = |row: &sqlx::sqlite::SqliteRow| {
        let (kind, name) = (row.try_get("type")?, row.try_get("name")?);
        let (of, sql): (_, &str) = (row.try_get("tbl_name")?, row.try_get("sql")?);
        Ok(Part { kind, name, of, definition: in_one_line(sql) })
    };
    rows.fetch_all(connection).await?.iter().map(read).collect()
}

/// A definition without comments, quotes and line breaks, which say nothing.
fn in_one_line(sql: &str) -> String {
    let code = sql.lines().map(|line| line.split("--").next().unwrap_or_default());
    let words = code.flat_map(str::split_whitespace).collect::<Vec<_>>();
    words.join(" ").replace('"', "")
}

/// Refuses a database whose schema is not what the migrations make. They are made once more in a schema of
/// their own, which is never committed.
pub(super) async fn check_database(
    connection: &mut PgConnection,
    steps: &[&'static str],
    database: &str,
) -> StoreResult<()> {
    let found = parts_of_database(connection).await?;
    let mut transaction = connection.begin().await?;
    let row = sqlx::query("SELECT 'pitboss_check_' || pg_backend_pid() AS name");
    let name: String = row.fetch_one(&mut *transaction).await?.try_get("name")?;
    let make = format!("CREATE SCHEMA {name}; SET LOCAL search_path = {name}");
    sqlx::raw_sql(AssertSqlSafe(make)).execute(&mut *transaction).await?;
    for step in steps {
        sqlx::raw_sql(*step).execute(&mut *transaction).await?;
    }
    let expected = parts_of_database(&mut transaction).await?;
    transaction.rollback().await?;
    compare(&expected, &found).map_or(Ok(()), |faults| Err(damaged(database, &faults)))
}

/// The parts of the schema that a connection uses. What PostgreSQL makes for references between tables has
/// no name of its own: whether it is switched off is part of the constraint.
const PARTS: &str = "
WITH here AS (SELECT current_schema()::regnamespace AS oid),
  tables AS (SELECT pg_class.oid, relname::text AS of FROM pg_class, here
    WHERE relnamespace = here.oid AND relkind IN ('r', 'p'))
SELECT 'table' AS kind, of AS name, of, (SELECT string_agg(concat_ws(' ', attname,
      format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN 'NOT NULL' END,
      nullif(attidentity, ''), pg_get_expr(adbin, adrelid)), ', ' ORDER BY attname)
    FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attrelid = tables.oid AND attnum > 0 AND NOT attisdropped) AS definition FROM tables
UNION ALL SELECT 'constraint', conname::text, of, concat_ws(' ', pg_get_constraintdef(pg_constraint.oid),
    CASE WHEN NOT convalidated THEN 'not validated' END,
    (SELECT 'switched off' FROM pg_trigger
      WHERE tgconstraint = pg_constraint.oid AND tgenabled <> 'O' LIMIT 1))
  FROM pg_constraint JOIN tables ON conrelid = tables.oid
UNION ALL SELECT 'trigger', tgname::text, of, concat_ws(' ', pg_get_triggerdef(pg_trigger.oid, true),
    CASE WHEN tgenabled <> 'O' THEN 'switched off' END)
  FROM pg_trigger JOIN tables ON tgrelid = tables.oid WHERE NOT tgisinternal
UNION ALL SELECT 'rule', rulename::text, of, pg_get_ruledef(pg_rewrite.oid, true)
  FROM pg_rewrite JOIN tables ON ev_class = tables.oid
UNION ALL SELECT 'index', relname::text, of, concat_ws(' ', pg_get_indexdef(indexrelid, 0, true),
    CASE WHEN NOT indisvalid THEN 'not valid' END)
  FROM pg_index JOIN tables ON indrelid = tables.oid JOIN pg_class ON pg_class.oid = indexrelid
UNION ALL SELECT 'function',
    concat(proname, '(', oidvectortypes(proargtypes), ')'), '', concat_ws(' ', prosrc, provolatile)
  FROM pg_proc, here WHERE pronamespace = here.oid";

async fn parts_of_database(connection: &mut PgConnection) -> StoreResult<Vec<Part>> {
    let read = |row: &sqlx::postgres::PgRow| {
        let (kind, name) = (row.try_get("kind")?, row.try_get("name")?);
        let (of, definition) = (row.try_get("of")?, row.try_get("definition")?);
        Ok(Part { kind, name, of, definition })
    };
    sqlx::query(PARTS).fetch_all(connection).await?.iter().map(read).collect()
}

/// Whether it only watches, for `cargo xtask cluster --test`: a program that operators run knows no such trigger.
fn is_a_witness(part: &Part) -> bool {
    cfg!(feature = "failpoints") && part.kind == "trigger" && part.name == "witnessed"
}

/// Names what is missing or other than it should be, and what does something to a table of the house that
/// the house does not know.
fn compare(expected: &[Part], found: &[Part]) -> Option<String> {
    let key = |part: &Part| (part.kind.clone(), part.name.clone(), part.of.clone());
    let there: HashMap<_, &Part> = found.iter().map(|part| (key(part), part)).collect();
    let mut faults: Vec<String> = Vec::new();
    for part in expected {
        match there.get(&key(part)) {
            None => faults.push(format!("{} is missing", part.in_words())),
            Some(it) if it.definition != part.definition => {
                faults.push(format!("{} is not as the house makes it", part.in_words()));
            }
            Some(_) => {}
        }
    }
    let is_of_house =
        |part: &&Part| expected.iter().any(|other| other.kind == "table" && other.name == part.of);
    let acts = found.iter().filter(|part| ["trigger", "rule"].contains(&part.kind.as_str()));
    for part in acts.filter(is_of_house).filter(|part| !is_a_witness(part)) {
        if !expected.iter().any(|other| key(other) == key(part)) {
            faults.push(format!("{} is not the house's", part.in_words()));
        }
    }
    if faults.is_empty() {
        return None;
    }
    let more = match faults.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    faults.truncate(MOST_NAMED);
    Some(format!("{}{more}", faults.join(", ")))
}
