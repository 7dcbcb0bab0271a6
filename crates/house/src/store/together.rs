//! What most appends have, of many appends at once: a statement costs more than its rows do.

use sqlx::Connection;
use sqlx::sqlite::SqliteConnection;

use super::{
    Append, PROGRESSIVE, SQLITE_FULL, Write, add_other, add_rest, hash_of, is, number, scope_with,
};

/// Writes a group as if nothing of it were refused, and tells whether that was so. Where it was not,
/// nothing is written.
pub(super) async fn commit(
    connection: &mut SqliteConnection,
    group: &[Write],
) -> Result<bool, sqlx::Error> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    match add_all(&mut transaction, group).await {
        Ok(()) => transaction.commit().await.map(|()| true),
        // SQLite has given the whole transaction up.
        Err(error) if is(&error, SQLITE_FULL) => Err(error),
        Err(_) => transaction.rollback().await.map(|()| false),
    }
}

async fn add_all(connection: &mut SqliteConnection, group: &[Write]) -> Result<(), sqlx::Error> {
    for other in group {
        add_other(connection, other).await?;
    }
    let appends = group.iter().filter_map(|write| match write {
        Write::Append(append) => Some(&**append),
        _ => None,
    });
    let appends: Vec<&Append> = appends.collect();
    add_common(connection, &appends).await?;
    for append in appends {
        add_rest(connection, append).await?;
    }
    Ok(())
}

/// Adds the lines of the logs, the money that moves with them and the commands that they carry out,
/// in their order.
pub(super) async fn add_common(
    connection: &mut SqliteConnection,
    appends: &[&Append],
) -> Result<(), sqlx::Error> {
    let entries = appends.iter().flat_map(|append| {
        let row = |entry: &audit::chain::Entry| {
            let seq = number(entry.seq);
            (append.table.clone(), seq, append.epoch, entry.line.clone(), entry.hash.to_string())
        };
        append.entries.iter().map(row)
    });
    let rows = json(entries);
    let entries = "INSERT INTO entries SELECT value->>0, value->>1, value->>2, value->>3, value->>4 \
                   FROM json_each(?)";
    insert(connection, entries, rows).await?;

    let transfers = appends.iter().flat_map(|append| {
        let (table, seq) = (append.table.as_str(), append.seq());
        let meter = if append.shares_meter { PROGRESSIVE } else { table };
        append.transfers.iter().map(move |moved| {
            let [from, to] = [&moved.from, &moved.to]
                .map(|account| (scope_with(table, account, meter), account.to_string()));
            (table, seq, from.0, from.1, to.0, to.1, moved.amount.get())
        })
    });
    let rows = json(transfers);
    let transfers = "INSERT INTO transfers SELECT NULL, value->>0, value->>1, value->>2, value->>3, \
                     value->>4, value->>5, value->>6, unixepoch() FROM json_each(?)";
    insert(connection, transfers, rows).await?;

    let commands = appends.iter().filter_map(|append| {
        let command = append.command.as_ref()?;
        let (player, id) = (command.player.as_str(), command.id.as_str());
        Some((player, id, append.table.as_str(), append.seq(), hash_of(&command.asks)))
    });
    let rows = json(commands);
    let commands = "INSERT INTO commands SELECT value->>0, value->>1, value->>2, value->>3, value->>4 \
                    FROM json_each(?)";
    insert(connection, commands, rows).await
}

/// Rows as a JSON array of arrays; none where there is no row.
fn json<T: serde::Serialize>(rows: impl Iterator<Item = T>) -> Option<String> {
    let rows: Vec<T> = rows.collect();
    let text = || serde_json::to_string(&rows).expect("texts and numbers are plain JSON");
    (!rows.is_empty()).then(text)
}

async fn insert(
    connection: &mut SqliteConnection,
    statement: &'static str,
    rows: Option<String>,
) -> Result<(), sqlx::Error> {
    if let Some(rows) = rows {
        sqlx::query(statement).bind(rows).execute(connection).await?;
    }
    Ok(())
}
