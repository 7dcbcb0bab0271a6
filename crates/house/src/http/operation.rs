//! How the house is: its tables, and whether all is well.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Json;
use serde_json::json;

use super::{House, Sorry, TableDoor};
use crate::table_task::Glance;
use crate::wire::OpenTable;

/// Whether the store answers, the books balance and every table is open.
pub(super) async fn health(
    State(house): State<Arc<House>>,
) -> Result<Json<serde_json::Value>, Sorry> {
    if house.store.total().await? != rules::money::Cents::ZERO {
        return Err(Sorry(StatusCode::SERVICE_UNAVAILABLE, "the books do not balance"));
    }
    if house.tables.iter().any(|door| door.asks.is_closed()) {
        return Err(Sorry(StatusCode::SERVICE_UNAVAILABLE, "a table is closed"));
    }
    Ok(Json(json!({ "ok": true })))
}

/// The open tables.
pub(super) async fn tables(State(house): State<Arc<House>>) -> Json<Vec<OpenTable>> {
    let table = |TableDoor { about, asks, glance }: &TableDoor| {
        let Glance { taken, seats, viewers, meter, awaits, .. } = *glance.borrow();
        OpenTable {
            table: about.table.clone(),
            game: about.game,
            title: about.title,
            about: about.clone(),
            taken,
            seats,
            meter: meter.map(|meter| meter.to_string()),
            awaited: awaits,
            watchable: viewers < house.limits.viewers && !asks.is_closed(),
        }
    };
    Json(house.tables.iter().map(table).collect())
}
