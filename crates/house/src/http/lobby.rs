//! The lobby: a socket for anybody, which tells what changes at the tables and is silent otherwise.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use tokio::time::{interval, timeout};
use tokio_tungstenite::tungstenite::Message;
use wire::{FromHouse, LobbyTable, PROTOCOL};

use super::answers::{Forbidden, NoUpgrade, TooOften};
use super::client::{Parting, Silence, write};
use super::error::HttpError;
use super::house::House;
use super::socket::upgraded;
use super::upgrade::{Socket, Upgrade};
use super::visitor::{Address, is_own_page};
use crate::floor::TableDoor;

/// How often the lobby is told what changed, at most.
pub const LOBBY_EVERY: Duration = Duration::from_secs(1);

/// Who is in the lobby, for whoever reads the log.
const SOMEBODY: &str = "somebody in the lobby";

impl House {
    /// The tables as the lobby sees them.
    fn lobby_tables(&self) -> Vec<LobbyTable> {
        let table = |door: &Arc<TableDoor>| {
            let glance = door.glance.borrow().clone();
            LobbyTable {
                table: door.about.table.clone(),
                taken: glance.taken,
                meter: glance.meter.map(|meter| meter.to_string()),
                watchable: glance.viewers < self.limits.viewers && !door.asks.is_closed(),
                open: door.is_open(),
                players: glance.players,
                spectators: glance.spectators,
                trouble: door.trouble(),
                house_edge: self.house_edge(&door.setup.sheet),
                round_seconds: glance.round_time.map(|time| time.as_secs()),
            }
        };
        self.floor.doors().iter().filter(|door| door.is_listed()).map(table).collect()
    }
}

/// Looks after the tables for everybody in the lobby, until the house closes.
pub(crate) async fn look_after(house: Arc<House>) {
    let (mut closing, mut every) = (house.closing.clone(), interval(LOBBY_EVERY));
    loop {
        tokio::select! {
            _ = closing.changed() => return,
            _ = every.tick() => {}
        }
        house.floor.look_after(tokio::time::Instant::now()).await;
        if house.lobby.receiver_count() > 0 {
            let now = house.lobby_tables();
            house.lobby.send_if_modified(|seen| {
                let is_new = **seen != now;
                *seen = Arc::new(now);
                is_new
            });
        }
    }
}

/// The WebSocket of the lobby, for anybody: `lobby` with every table, and then with those that changed.
///
/// It takes no commands, and opens from a page of this house or from no page.
#[utoipa::path(
    get, path = "/ws/lobby", tag = "anyone",
    responses((status = 101, description = "The socket is open."), Forbidden, NoUpgrade, TooOften)
)]
pub(super) async fn open(
    State(house): State<Arc<House>>,
    Address(from): Address,
    headers: HeaderMap,
    upgrade: Upgrade,
) -> Result<Response, HttpError> {
    if !is_own_page(&headers) {
        return Err(HttpError::cross_site());
    }
    let place = house.lobby_sockets.clone().try_acquire_owned();
    let places = (place.map_err(|_| HttpError::full())?, house.room_for_a_socket(from)?);
    let at = house.clone();
    Ok(upgraded(upgrade, &at, None, from, async move |mut socket: Socket| {
        let parting = serve(&mut socket, &house).await;
        parting.take(socket, &SOMEBODY).await;
        drop(places);
    }))
}

/// Tells what changes until the client leaves, speaks, or the house closes.
async fn serve(socket: &mut Socket, house: &House) -> Parting {
    let (mut lobby, mut closing) = (house.lobby.subscribe(), house.closing.clone());
    let mut told = house.lobby_tables();
    let hello = FromHouse::Hello { protocol: PROTOCOL };
    let first = FromHouse::Lobby { tables: told.clone(), closed: Vec::new() };
    if let Err(parting) = write(socket, &mut vec![hello, first]).await {
        return parting;
    }
    let mut silence = Silence::new(Instant::now());
    loop {
        let done = tokio::select! {
            _ = closing.changed() => {
                let _ = write(socket, &mut vec![FromHouse::Closing]).await;
                return Parting::closing();
            }
            Ok(()) = lobby.changed() => {
                let now = lobby.borrow_and_update().clone();
                let changed = now.iter().filter(|table| !told.contains(table));
                let tables: Vec<LobbyTable> = changed.cloned().collect();
                let is_there = |name: &str| now.iter().any(|table| table.table == name);
                let closed = told.iter().map(|table| table.table.clone());
                let closed: Vec<String> = closed.filter(|name| !is_there(name)).collect();
                told = now.to_vec();
                match tables.is_empty() && closed.is_empty() {
                    true => Ok(()),
                    false => write(socket, &mut vec![FromHouse::Lobby { tables, closed }]).await,
                }
            }
            received = timeout(silence.left(Instant::now()), socket.recv()) => match received {
                Err(_) if silence.is_over(Instant::now()) => Err(Parting::silence()),
                Err(_) => {
                    let sent = socket.send(Message::Ping(Vec::new().into())).await;
                    sent.map_err(|_| Parting::farewell())
                }
                Ok(Some(Ok(Message::Ping(_) | Message::Pong(_)))) => {
                    silence.ends(Instant::now());
                    Ok(())
                }
                Ok(Some(Ok(Message::Close(_))) | None) => Err(Parting::farewell()),
                Ok(Some(Ok(_))) => Err(Parting::not_heard()),
                Ok(Some(Err(broken))) => Err(Parting::broken(broken)),
            },
        };
        if let Err(parting) = done {
            return parting;
        }
    }
}
