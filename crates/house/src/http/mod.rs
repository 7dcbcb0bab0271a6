//! The house's one port: a page, a small API, and the WebSocket.

mod book;
mod entry;
mod operation;
mod recall;
mod socket;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::http::StatusCode;
use axum::middleware;
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{any, get, post};
use rules::table::{Name, Table};
use rules::terms::TermSheet;
use serde_json::json;
use tokio::sync::{Semaphore, mpsc, watch};

use crate::felt;
use crate::limits::Limits;
use crate::pages;
use crate::store::{Store, StoreError};
use crate::table_task::{Ask, Glance};
use crate::wire::AboutTable;

pub use entry::{COOKIE, GUESTS_A_MINUTE, MOST_ADDRESSES, MOST_GUESTS, MOST_NAMES};
pub use recall::{ENTRIES_AT_A_TIME, MOST_EXPORTS};
pub use socket::{MOST_SOCKETS, MOST_SOCKETS_OF_A_GUEST};

/// An open house.
pub(crate) struct House {
    pub(crate) store: Store,
    /// The name of the cookie.
    pub(crate) cookie: String,
    /// The tables, as the configuration names them.
    pub(crate) tables: Vec<TableDoor>,
    pub(crate) limits: Limits,
    pub(crate) closing: watch::Receiver<bool>,
    pub(crate) sockets: Arc<Semaphore>,
    pub(crate) exports: Arc<Semaphore>,
    pub(crate) guests: Semaphore,
    pub(crate) door: Mutex<entry::Door>,
    /// How many sockets each guest has open.
    pub(crate) sockets_of: Mutex<HashMap<Name, usize>>,
}

/// The way to a table.
pub(crate) struct TableDoor {
    pub(crate) about: AboutTable,
    pub(crate) asks: mpsc::Sender<Ask>,
    pub(crate) glance: watch::Receiver<Glance>,
}

impl TableDoor {
    /// A table that cannot be opened.
    pub(crate) fn closed(name: &str, sheet: &TermSheet, asks: mpsc::Sender<Ask>) -> TableDoor {
        let table = Table::new(sheet.clone());
        let (_, glance) = watch::channel(Glance::of(&table, 0));
        TableDoor { about: felt::about(name, &table), asks, glance }
    }
}

impl House {
    pub(crate) fn table(&self, name: &str) -> Option<mpsc::Sender<Ask>> {
        let door = self.tables.iter().find(|door| door.about.table == name);
        door.map(|door| door.asks.clone())
    }
}

/// The ways into a house.
pub(crate) fn router(house: Arc<House>) -> Router {
    Router::new()
        .route("/health", get(operation::health))
        .route("/api/guest", post(entry::guest))
        .route("/api/me", get(entry::me))
        .route("/api/tables", get(operation::tables))
        .route("/api/clause/{id}", get(book::clause))
        .route("/api/rules/{game}", get(book::rules))
        .route("/api/export/{table}", get(recall::export))
        .route("/api/{*rest}", any(async || NOTHING))
        .route("/ws", get(socket::open))
        .method_not_allowed_fallback(async || OTHERWISE)
        .fallback_service(get(pages::serve).fallback(async || OTHERWISE))
        .layer(middleware::from_fn(pages::guard))
        .with_state(house)
}

/// Why a request is not answered.
struct Sorry(StatusCode, &'static str);

impl IntoResponse for Sorry {
    fn into_response(self) -> Response {
        (self.0, Json(json!({ "sentence": self.1 }))).into_response()
    }
}

impl From<StoreError> for Sorry {
    fn from(error: StoreError) -> Sorry {
        tracing::error!("{error}");
        let sentence = match error {
            StoreError::Full => "the disk of the house is full",
            _ => "the store does not answer",
        };
        Sorry(StatusCode::SERVICE_UNAVAILABLE, sentence)
    }
}

const NOTHING: Sorry = Sorry(StatusCode::NOT_FOUND, "the house has no such thing");
const OTHERWISE: Sorry = Sorry(
    StatusCode::METHOD_NOT_ALLOWED,
    "this is asked with another method; docs/house.md has it",
);
const NO_GUEST: Sorry = Sorry(StatusCode::UNAUTHORIZED, "come in with POST /api/guest first");
