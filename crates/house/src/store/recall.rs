//! What was: the entries of a table's log.

use audit::chain::Entry;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::{Store, StoreError};

impl Store {
    /// The log of a table from an entry to another.
    pub async fn entries(&self, table: &str, from: u64, to: u64) -> Result<Vec<Entry>, StoreError> {
        let rows = sqlx::query(
            "SELECT seq, line, hash FROM entries \
             WHERE table_id = ? AND seq BETWEEN ? AND ? ORDER BY seq",
        );
        let [from, to] = [from, to].map(|seq| i64::try_from(seq).unwrap_or(i64::MAX));
        let rows = rows.bind(table).bind(from).bind(to).fetch_all(&self.readers).await?;
        let entry = |row: SqliteRow| {
            let hash = row.get::<String, _>("hash").parse();
            let seq = u64::try_from(row.get::<i64, _>("seq"));
            let (Ok(hash), Ok(seq)) = (hash, seq) else {
                return Err(StoreError::Failed("an entry cannot be read".to_owned()));
            };
            Ok(Entry { seq, line: row.get("line"), hash })
        };
        rows.into_iter().map(entry).collect()
    }
}
