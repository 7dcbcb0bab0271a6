//! What was: the log of a table.

use std::sync::Arc;

use audit::export::Export;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, StreamExt};
use tokio::sync::oneshot;

use super::{House, Sorry};
use crate::store::StoreError;
use crate::table_task::Ask;

/// The most logs that are saved at a time.
pub const MOST_EXPORTS: usize = 4;

/// The entries of a log that are in memory while it is saved.
pub const ENTRIES_AT_A_TIME: u64 = 1000;

/// A table's log, up to where no card is hidden from anybody.
pub(super) async fn export(
    State(house): State<Arc<House>>,
    Path(table): Path<String>,
) -> Result<Response, Sorry> {
    let missing = Sorry(StatusCode::NOT_FOUND, "there is no such table");
    let asks = house.table(&table).ok_or(missing)?;
    let closed = || Sorry(StatusCode::SERVICE_UNAVAILABLE, "this table is closed");
    let busy = |_| Sorry(StatusCode::SERVICE_UNAVAILABLE, "others save a log now; try again");
    let place = house.exports.clone().try_acquire_owned().map_err(busy)?;
    let (answer, answered) = oneshot::channel();
    asks.send(Ask::Public(answer)).await.map_err(|_| closed())?;
    let public = answered.await.map_err(|_| closed())?;
    let first = stream::iter([Ok::<_, StoreError>(Export::first_line(&table))]);
    let begin: (_, _, u64, _) = (house, table, 1, place);
    let entries = stream::try_unfold(begin, move |(house, table, from, place)| async move {
        if from > public {
            return Ok(None);
        }
        let to = public.min(from + ENTRIES_AT_A_TIME - 1);
        let entries = house.store.entries(&table, from, to).await?;
        let lines: String = entries.iter().map(Export::line).collect();
        Ok(Some((lines, (house, table, to + 1, place))))
    });
    let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    Ok((kind, Body::from_stream(first.chain(entries))).into_response())
}
