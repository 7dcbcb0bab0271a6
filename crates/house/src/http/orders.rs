//! What a supervisor decides without sitting at a screen of the table.

use std::sync::Arc;

use super::refusal::{Refusal, Said, Within};
use super::{House, NO_GUEST};
use crate::role::Role;
use crate::table_task::{Ask, Decision};
use crate::wire::{Do, FromClient, LONGEST_ID, OrdersView, Refused};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Json;

/// What may be ordered at a table now.
pub(super) async fn open(
    State(house): State<Arc<House>>,
    headers: HeaderMap,
    Within(table): Within<String>,
) -> Result<Json<OrdersView>, Refusal> {
    Ok(Json(house.decision(&headers, &table, None).await?.now))
}

/// Reports, orders, corrects or names a dealer, in the supervisor's own name.
pub(super) async fn decide(
    State(house): State<Arc<House>>,
    headers: HeaderMap,
    Within(table): Within<String>,
    Said(FromClient { id, what }): Said<FromClient>,
) -> Result<Json<OrdersView>, Refusal> {
    if id.is_empty() || id.len() > LONGEST_ID {
        return Err(Refusal::bad(format!("an id has 1 to {LONGEST_ID} bytes")));
    }
    if !matches!(
        what,
        Do::Report { .. } | Do::Order { .. } | Do::Correct { .. } | Do::Dealer { .. }
    ) {
        return Err(Refusal::bad(
            "here are report, order, correct and dealer; all else on a socket",
        ));
    }
    let Decision { done, now } = house.decision(&headers, &table, Some((id, what))).await?;
    match done {
        Ok(_) => Ok(Json(now)),
        Err(refused) => Err(Refusal::with(StatusCode::CONFLICT, refused)),
    }
}

impl House {
    /// Asks a table in the name of a supervisor.
    async fn decision(
        &self,
        headers: &HeaderMap,
        table: &str,
        what: Option<(String, Do)>,
    ) -> Result<Decision, Refusal> {
        let who = self.person(headers).await?.ok_or(NO_GUEST)?;
        if who.role != Role::Supervisor {
            return Err(Refusal::with(StatusCode::FORBIDDEN, Refused::no_supervisor()));
        }
        Ok(self.asked(table, |answer| Ask::Decide { who, what, answer }).await?)
    }
}
