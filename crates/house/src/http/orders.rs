//! What a table is asked without a socket: what a supervisor decides, and why a call is closed to a player.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Json;
use wire::{ClosedCall, FromSupervisor, LONGEST_ID, OrdersView};

use super::answers::{BadBody, Contradiction, Missing};
use super::error::HttpError;
use super::extract::{Body, Within};
use super::house::House;
use super::visitor::{Known, Supervisor};
use crate::tables::task::{Ask, Decision};

/// What may be ordered at a table now.
#[utoipa::path(
    get, path = "/api/tables/{table}/orders", tag = "supervisor",
    params(("table" = String, Path, description = "Which table.")),
    responses((status = 200, body = OrdersView, description = "The orders."), Supervisor, Missing)
)]
pub(super) async fn open(
    State(house): State<Arc<House>>,
    Supervisor(who): Supervisor,
    Within(table): Within<String>,
) -> Result<Json<OrdersView>, HttpError> {
    let what = None;
    let Decision { done, now } =
        house.ask(&table, |answer| Ask::Decide { who, what, answer }).await?;
    match done {
        Ok(_) => Ok(Json(now)),
        Err(refusal) => Err(HttpError::new(StatusCode::SERVICE_UNAVAILABLE, refusal)),
    }
}

/// Reports, orders, corrects or changes the dealer, in the supervisor's own name.
#[utoipa::path(
    post, path = "/api/tables/{table}/orders", tag = "supervisor", request_body = FromSupervisor,
    params(("table" = String, Path, description = "Which table.")),
    responses(
        (status = 200, body = OrdersView, description = "What may be ordered now."),
        Supervisor, BadBody, Missing, Contradiction,
    )
)]
pub(super) async fn decide(
    State(house): State<Arc<House>>,
    Supervisor(who): Supervisor,
    Within(table): Within<String>,
    Body(FromSupervisor { id, command }): Body<FromSupervisor>,
) -> Result<Json<OrdersView>, HttpError> {
    if id.is_empty() || id.len() > LONGEST_ID {
        return Err(HttpError::bad("bad-id", format!("An id must have 1 to {LONGEST_ID} bytes.")));
    }
    let what = Some((id, command));
    let Decision { done, now } =
        house.ask(&table, |answer| Ask::Decide { who, what, answer }).await?;
    match done {
        Ok(_) => Ok(Json(now)),
        Err(refusal) => Err(HttpError::new(StatusCode::CONFLICT, refusal)),
    }
}

/// Why the game's other calls are closed to whoever asks and is asked for a decision now.
#[utoipa::path(
    get, path = "/api/tables/{table}/closed-calls", tag = "known",
    params(("table" = String, Path, description = "Which table.")),
    responses(
        (status = 200, body = [ClosedCall], description = "The calls; empty unless the table waits for their decision."),
        Known, Missing,
    )
)]
pub(super) async fn closed_calls(
    State(house): State<Arc<House>>,
    Known(who): Known,
    Within(table): Within<String>,
) -> Result<Json<Vec<ClosedCall>>, HttpError> {
    let player = who.name;
    house.ask(&table, |answer| Ask::Closed { player, answer }).await.map(Json)
}
