//! The house's one port: a page, a small API, and the WebSocket.

mod accounts;
mod api;
mod book;
mod entry;
mod me;
mod office;
mod operation;
mod orders;
mod recall;
mod refusal;
mod socket;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware;
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{any, delete, get, post};
use futures_util::future::join_all;
use rules::table::{Name, Table};
use rules::terms::TermSheet;
use serde_json::json;
use tokio::sync::{Semaphore, mpsc, oneshot, watch};

use crate::felt;
use crate::limits::Limits;
use crate::pages;
use crate::store::{Store, StoreError};
use crate::table_task::{Ask, Chips, Glance};
use crate::wire::AboutTable;

pub(crate) use accounts::Vault;
pub use accounts::{COMMAND_LINE, MOST_HASHED, MOST_TO_HASH, is_kept_for_others};
pub use entry::{COOKIE, GUEST, GUESTS_A_MINUTE, MOST_ADDRESSES, MOST_GUESTS, MOST_NAMES};
pub use me::{BROKE, MOST_POINTS};
pub use office::{LONGEST_LABEL, MOST_LISTED};
pub use operation::{BACKUPS, MOST_BACKUPS};
pub use recall::{MOST_EXPORTS, MOST_ROUNDS, USUAL_ROUNDS};
pub use refusal::LONGEST_BODY;
pub use socket::{MOST_SOCKETS, MOST_SOCKETS_OF_A_GUEST};

/// An open house.
pub(crate) struct House {
    pub(crate) store: Store,
    /// The directory of the store.
    pub(crate) data: PathBuf,
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
    pub(crate) sockets_of: Mutex<HashMap<Name, socket::Open>>,
    pub(crate) vault: Vault,
    /// When it was last seen whether something can be written, and what was found.
    pub(crate) probed: tokio::sync::Mutex<Option<(Instant, Result<(), StoreError>)>>,
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

    /// What a table answers.
    async fn asked<T>(
        &self,
        table: &str,
        ask: impl FnOnce(oneshot::Sender<T>) -> Ask,
    ) -> Result<T, Sorry> {
        let asks = self.table(table).ok_or(MISSING)?;
        let closed = || Sorry(StatusCode::SERVICE_UNAVAILABLE, "this table is closed");
        let (answer, answered) = oneshot::channel();
        asks.send(ask(answer)).await.map_err(|_| closed())?;
        answered.await.map_err(|_| closed())
    }

    /// The tables where somebody has a place, and what is theirs there.
    pub(crate) async fn chips(&self, player: &Name) -> Vec<(String, Chips)> {
        let asked = self.tables.iter().map(async |door| {
            let (answer, answered) = oneshot::channel();
            let ask = Ask::Chips { player: player.clone(), answer };
            door.asks.send(ask).await.ok()?;
            Some((door.about.table.clone(), answered.await.ok()??))
        });
        join_all(asked).await.into_iter().flatten().collect()
    }
}

/// The ways into a house.
pub(crate) fn router(house: Arc<House>) -> Router {
    Router::new()
        .route("/health", get(operation::health))
        .route("/ready", get(operation::ready))
        .route("/metrics", get(operation::metrics))
        .route("/api/backup", post(operation::back_up))
        .route("/api/guest", post(entry::guest))
        .route("/api/account", post(accounts::sign_up))
        .route("/api/login", post(accounts::log_in))
        .route("/api/logout", post(accounts::log_out))
        .route("/api/me", get(me::me))
        .route("/api/me/limits", post(me::limits))
        .route("/api/me/bankroll", get(me::bankroll))
        .route("/api/cashier", post(me::cashier))
        .route("/api/people", get(office::people).post(office::make))
        .route("/api/people/{name}/role", post(office::role))
        .route("/api/people/{name}/password", post(office::password))
        .route("/api/people/{name}/tokens", post(office::token))
        .route("/api/people/{name}/tokens/{label}", delete(office::revoke))
        .route("/api/acts", get(office::acts))
        .route("/api/me/password", post(accounts::other_password))
        .route("/api/tables", get(operation::tables))
        .route("/api/tables/{table}/orders", get(orders::open).post(orders::decide))
        .route("/api/clause/{id}", get(book::clause))
        .route("/api/rules/{game}", get(book::rules))
        .route("/api/export/{table}", get(recall::export))
        .route("/api/rounds", get(recall::rounds))
        .route("/api/rounds/{table}/{round}", get(recall::round))
        .route("/api/shoes/{table}/{shoe}", get(recall::shoe))
        .route("/api", get(api::page))
        .route("/api/openapi.json", get(api::openapi))
        .route("/api/schema", get(api::schema))
        .route("/api/{*rest}", any(async || NOTHING))
        .route("/ws", get(socket::open))
        .method_not_allowed_fallback(async || OTHERWISE)
        .fallback_service(get(pages::serve).fallback(async || OTHERWISE))
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(middleware::from_fn(entry::guard))
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
        tracing::error!(what = "store", why = %error, "a request is not answered");
        let sentence = match error {
            StoreError::Full => "the disk of the house is full",
            _ => "the store does not answer",
        };
        Sorry(StatusCode::SERVICE_UNAVAILABLE, sentence)
    }
}

const NOTHING: Sorry = Sorry(StatusCode::NOT_FOUND, "the house has no such thing");
const MISSING: Sorry = Sorry(StatusCode::NOT_FOUND, "there is no such table");
const OTHERWISE: Sorry = Sorry(
    StatusCode::METHOD_NOT_ALLOWED,
    "this is asked with another method; docs/house.md has it",
);
const ELSEWHERE: Sorry = Sorry(StatusCode::FORBIDDEN, "this page is not of the house");
const NO_GUEST: Sorry = Sorry(StatusCode::UNAUTHORIZED, "come in with POST /api/guest first");
