//! How the house is: its tables, and whether all is well.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Json;
use rules::wager::Game;
use serde_json::json;

use super::{House, Sorry};
use crate::wire::OpenTable;

/// Whether the store answers, the books balance and every table is open.
pub(super) async fn health(
    State(house): State<Arc<House>>,
) -> Result<Json<serde_json::Value>, Sorry> {
    if house.store.total().await? != rules::money::Cents::ZERO {
        return Err(Sorry(StatusCode::SERVICE_UNAVAILABLE, "the books do not balance"));
    }
    if house.tables.values().any(|(_, asks)| asks.is_closed()) {
        return Err(Sorry(StatusCode::SERVICE_UNAVAILABLE, "a table is closed"));
    }
    Ok(Json(json!({ "ok": true })))
}

/// The open tables.
pub(super) async fn tables(State(house): State<Arc<House>>) -> Json<Vec<OpenTable>> {
    let table = |(table, (game, _)): (&String, &(Game, _))| OpenTable {
        table: table.clone(),
        game: game.name(),
        title: game.title(),
    };
    Json(house.tables.iter().map(table).collect())
}
