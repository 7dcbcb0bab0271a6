//! An open house, as requests and sockets find it.

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use audit::chain::Head;
use audit::log::RulesLine;
use axum::http::StatusCode;
use rules::money::Cents;
use rules::table::Name;
use rules::terms::TermSheet;
use rules::wager::Circle;
use tokio::sync::{Semaphore, oneshot, watch};
use wire::LobbyTable;

use super::analyst::Analyst;
use super::desk::Desk;
use super::door::{Door, Messages, Shares};
use super::error::HttpError;
use super::held::Held;
use super::studies::Studies;
use super::vault::Vault;
use crate::config::Expectations;
use crate::floor::Floor;
use crate::limits::Limits;
use crate::network::Network;
use crate::nodes::Node;
use crate::people::pseudonym::Pseudonyms;
use crate::store::{Store, StoreResult};
use crate::tables::chips::Holdings;
use crate::tables::task::Ask;

/// An open house.
pub(crate) struct House {
    pub(crate) store: Store,
    /// The directory of the store.
    pub(crate) data: PathBuf,
    /// The name of the cookie.
    pub(crate) cookie: String,
    /// The tables.
    pub(crate) floor: Arc<Floor>,
    /// What is whose at the tables.
    pub(crate) holdings: Holdings,
    /// The node that this is, in a house of several.
    pub(crate) node: Option<Arc<Node>>,
    pub(crate) limits: Limits,
    /// What wagers are worth.
    pub(crate) expectations: Expectations,
    /// Whoever knows what decisions are worth.
    pub(crate) analyst: Option<Analyst>,
    /// Whoever explores and drills.
    pub(crate) studies: Option<Studies>,
    /// The house players.
    pub(crate) company: Desk,
    pub(crate) network: Network,
    pub(crate) closing: watch::Receiver<bool>,
    /// The tables as the lobby has been told of them.
    pub(crate) lobby: watch::Sender<Arc<Vec<LobbyTable>>>,
    pub(crate) sockets: Arc<Semaphore>,
    /// Places besides those, for people who are seated and for staff.
    pub(crate) reserved_sockets: Arc<Semaphore>,
    /// Places for those of them that are in the lobby.
    pub(crate) lobby_sockets: Arc<Semaphore>,
    pub(crate) socket_shares: Arc<Shares>,
    /// Requests that trusted proxies make for an address.
    pub(crate) request_shares: Arc<Shares>,
    pub(crate) exports: Semaphore,
    pub(crate) open_exports: Arc<Semaphore>,
    pub(crate) catching_up: Semaphore,
    pub(crate) export_shares: Arc<Shares>,
    pub(crate) lookups: Semaphore,
    pub(crate) lookup_shares: Arc<Shares>,
    pub(crate) door: Mutex<Door>,
    pub(crate) messages: Mutex<Messages>,
    /// The open sockets of each person.
    pub(crate) sockets_of: Mutex<HashMap<Name, OpenSockets>>,
    pub(crate) vault: Vault,
    pub(crate) pseudonyms: Pseudonyms,
    /// Where logs under pseudonyms were read to last, by table.
    pub(crate) read_to: Mutex<VecDeque<(String, Head)>>,
    /// When it was last noted that an account has to wait.
    pub(crate) locked_out: Mutex<HashMap<Name, Instant>>,
    /// Whether something can be written.
    pub(crate) probed: Held<StoreResult<()>>,
    /// All accounts together.
    pub(crate) total: Held<StoreResult<Cents>>,
}

/// The open sockets of somebody.
pub(crate) struct OpenSockets {
    pub(crate) count: usize,
    /// How many of them have a reserved place.
    pub(crate) reserved: usize,
    /// Tells them all to see whether they are still welcome.
    pub(crate) changed: watch::Sender<()>,
}

impl House {
    /// The game and the terms of a table that is open, or was.
    pub(crate) async fn sheet(&self, table: &str) -> StoreResult<Option<TermSheet>> {
        if let Some(door) = self.floor.door(table) {
            return Ok(Some(door.setup.sheet.clone()));
        }
        let log = self.store.log_of(table).await?;
        Ok(log.map(|(RulesLine { sheet, .. }, _)| sheet))
    }

    /// What the main wager costs at a table, where that is known by now.
    pub(crate) fn house_edge(&self, sheet: &TermSheet) -> Option<i64> {
        let known = (self.expectations)(sheet)?;
        known.iter().find(|one| one.circle == Circle::Main).map(|main| -main.millionths)
    }

    /// What a table answers.
    pub(crate) async fn ask<T>(
        &self,
        table: &str,
        ask: impl FnOnce(oneshot::Sender<T>) -> Ask,
    ) -> Result<T, HttpError> {
        let door = self.floor.door(table).ok_or_else(HttpError::no_table)?;
        let closed = || match door.is_here() && !door.has_moved() {
            true => HttpError::new(StatusCode::SERVICE_UNAVAILABLE, door.why_closed()),
            false => HttpError::table_moving(),
        };
        let (answer, answered) = oneshot::channel();
        door.asks.send(ask(answer)).await.map_err(|_| closed())?;
        answered.await.map_err(|_| closed())
    }
}
