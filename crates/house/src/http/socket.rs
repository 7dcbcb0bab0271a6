//! The way in for a WebSocket.

use std::collections::hash_map::Entry;
use std::sync::{Arc, PoisonError};

use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use rules::table::Name;
use tokio::sync::OwnedSemaphorePermit;

use super::entry::is_own_page;
use super::{House, NO_GUEST, Sorry};
use crate::role::Person;
use crate::socket::{self, Parting};
use crate::wire::LONGEST_MESSAGE;

/// The most sockets that are open at a time, where nothing is said.
pub const MOST_SOCKETS: usize = 1024;

/// The most sockets of one guest, and so the most times that a guest watches a table, where nothing
/// is said.
pub const MOST_SOCKETS_OF_A_GUEST: usize = 8;

/// A socket's place among those of the house and of its guest.
struct Place {
    house: Arc<House>,
    player: Name,
    _place: OwnedSemaphorePermit,
}

impl Place {
    fn new(house: &Arc<House>, player: &Name, place: OwnedSemaphorePermit) -> (Place, usize) {
        let mut open = house.sockets_of.lock().unwrap_or_else(PoisonError::into_inner);
        let sockets = open.entry(player.clone()).or_default();
        *sockets += 1;
        (Place { house: house.clone(), player: player.clone(), _place: place }, *sockets)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.house.sockets_of.lock().unwrap_or_else(PoisonError::into_inner);
        if let Entry::Occupied(mut sockets) = open.entry(self.player.clone()) {
            *sockets.get_mut() -= 1;
            if *sockets.get() == 0 {
                sockets.remove();
            }
        }
    }
}

/// Opens a socket for a guest, from a page of this house or from no page.
pub(super) async fn open(
    State(house): State<Arc<House>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Sorry> {
    let no_socket = |no: WebSocketUpgradeRejection| Sorry(no.status(), "this is for WebSockets");
    let upgrade = upgrade.map_err(no_socket)?;
    if !is_own_page(&headers) {
        return Err(Sorry(StatusCode::FORBIDDEN, "this page is not of the house"));
    }
    let who = Person::player(house.guest(&headers).await?.ok_or(NO_GUEST)?);
    let full = |_| Sorry(StatusCode::SERVICE_UNAVAILABLE, "the house is full");
    let place = house.sockets.clone().try_acquire_owned().map_err(full)?;
    let (place, sockets) = Place::new(&house, &who.name, place);
    Ok(upgrade.max_message_size(LONGEST_MESSAGE).max_frame_size(LONGEST_MESSAGE).on_upgrade(
        async move |socket| {
            let most = house.limits.sockets_of_a_guest;
            match sockets <= most {
                true => socket::serve(socket, house, who).await,
                // A page can read why only after it is let in.
                false => Parting::crowd(most).take(socket).await,
            }
            drop(place);
        },
    ))
}
