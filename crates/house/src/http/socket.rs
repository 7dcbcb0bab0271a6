//! The way in for a WebSocket.

use std::collections::hash_map::Entry;
use std::sync::{Arc, PoisonError};

use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use rules::table::Name;
use tokio::sync::{OwnedSemaphorePermit, watch};

use super::entry::is_own_page;
use super::{ELSEWHERE, House, NO_GUEST, Sorry};
use crate::socket::{self, LONGEST_READ, Parting, Session, WRITTEN_AT_ONCE};
use crate::wire::LONGEST_MESSAGE;

/// The most sockets that are open at a time, where nothing is said.
pub const MOST_SOCKETS: usize = 1024;

/// The most sockets of one guest, and so the most times that a guest watches a table, where nothing
/// is said.
pub const MOST_SOCKETS_OF_A_GUEST: usize = 8;

/// The open sockets of somebody.
pub(crate) struct Open {
    sockets: usize,
    /// Tells them all to see whether they are still welcome.
    changed: watch::Sender<()>,
}

/// A socket's place among those of the house and of its person.
struct Place {
    house: Arc<House>,
    player: Name,
    _place: OwnedSemaphorePermit,
}

impl Place {
    /// The place, which socket of the person it is, and what tells it to see whether it is still welcome.
    fn new(
        house: &Arc<House>,
        player: &Name,
        place: OwnedSemaphorePermit,
    ) -> (Place, usize, watch::Receiver<()>) {
        let mut open = house.sockets_of.lock().unwrap_or_else(PoisonError::into_inner);
        let nobody = || Open { sockets: 0, changed: watch::Sender::new(()) };
        let sockets = open.entry(player.clone()).or_insert_with(nobody);
        sockets.sockets += 1;
        let (number, changed) = (sockets.sockets, sockets.changed.subscribe());
        (Place { house: house.clone(), player: player.clone(), _place: place }, number, changed)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.house.sockets_of.lock().unwrap_or_else(PoisonError::into_inner);
        if let Entry::Occupied(mut sockets) = open.entry(self.player.clone()) {
            sockets.get_mut().sockets -= 1;
            if sockets.get().sockets == 0 {
                sockets.remove();
            }
        }
    }
}

impl House {
    /// Closes the sockets of somebody whose session has ended, or whose role is another one.
    pub(crate) fn send_away(&self, player: &Name) {
        let open = self.sockets_of.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sockets) = open.get(player) {
            sockets.changed.send_replace(());
        }
    }
}

/// Opens a socket for somebody who is known, from a page of this house or from no page.
pub(super) async fn open(
    State(house): State<Arc<House>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Sorry> {
    let no_socket = |no: WebSocketUpgradeRejection| Sorry(no.status(), "this is for WebSockets");
    let upgrade = upgrade.map_err(no_socket)?;
    if !is_own_page(&headers) {
        return Err(ELSEWHERE);
    }
    let who = house.person(&headers).await?.ok_or(NO_GUEST)?;
    let full = |_| Sorry(StatusCode::SERVICE_UNAVAILABLE, "the house is full");
    let place = house.sockets.clone().try_acquire_owned().map_err(full)?;
    let token = house.token_of(&headers).unwrap_or_default().to_owned();
    let (place, sockets, changed) = Place::new(&house, &who.name, place);
    let upgrade = upgrade.max_message_size(LONGEST_READ).max_frame_size(LONGEST_READ);
    let upgrade = upgrade.read_buffer_size(LONGEST_MESSAGE).write_buffer_size(WRITTEN_AT_ONCE);
    Ok(upgrade.on_upgrade(async move |socket| {
        let most = house.limits.sockets_of_a_guest;
        match sockets <= most {
            true => socket::serve(socket, house, who, Session { token, changed }).await,
            // A page can read why only after it is let in.
            false => Parting::crowd(most).take(socket, &who.name).await,
        }
        drop(place);
    }))
}
