//! The way in for a WebSocket.

use std::collections::hash_map::Entry;
use std::net::IpAddr;
use std::sync::{Arc, PoisonError};

use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::http::HeaderMap;
use axum::response::Response;
use rules::table::Name;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tracing::{Instrument, Span};
use wire::{LONGEST_MESSAGE, Refusal};

use super::answers::{Forbidden, NoUpgrade, TooOften};
use super::client::{self, LONGEST_READ, Parting, Session, WRITTEN_AT_ONCE};
use super::door::Share;
use super::error::HttpError;
use super::house::{House, OpenSockets};
use super::visitor::{Address, Known, is_own_page};
use crate::people::exclusion::Barrier;
use crate::people::{Person, Role};
use crate::store::Players;
use crate::tables::task::unix_time;

/// Reserved places of one person: one for a connection that was lost without a word, which the house
/// notices only when a ping is not answered, and one to come back on.
pub const RESERVED_OF_A_PERSON: usize = 2;

/// What a socket has a place among.
enum Room {
    /// The sockets of the house and of its address.
    Ordinary { _socket: OwnedSemaphorePermit, _share: Share },
    /// The reserved sockets, whatever the address.
    Reserved { _socket: OwnedSemaphorePermit },
}

/// A socket's place in the house, and among those of its person.
struct Place {
    house: Arc<House>,
    player: Name,
    room: Room,
}

impl Place {
    /// The place, which socket of the person it is, and what tells it to see whether it is still welcome.
    fn take(
        house: &Arc<House>,
        who: &Person,
        from: IpAddr,
    ) -> Result<(Place, usize, watch::Receiver<()>), HttpError> {
        let ordinary = house.room_for_a_socket(from);
        let mut open = house.sockets_of.lock().unwrap_or_else(PoisonError::into_inner);
        let room = ordinary.map(|(_socket, _share)| Room::Ordinary { _socket, _share });
        let room = room.or_else(|full| {
            let reserved = open.get(&who.name).map_or(0, |sockets| sockets.reserved);
            let may_have = reserved < RESERVED_OF_A_PERSON && house.has_reservation(who);
            let socket = may_have.then(|| house.reserved_sockets.clone().try_acquire_owned());
            socket.and_then(Result::ok).map(|_socket| Room::Reserved { _socket }).ok_or(full)
        })?;
        let nobody = || OpenSockets { count: 0, reserved: 0, changed: watch::Sender::new(()) };
        let sockets = open.entry(who.name.clone()).or_insert_with(nobody);
        sockets.count += 1;
        sockets.reserved += usize::from(matches!(room, Room::Reserved { .. }));
        let (number, changed) = (sockets.count, sockets.changed.subscribe());
        Ok((Place { house: house.clone(), player: who.name.clone(), room }, number, changed))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.house.sockets_of.lock().unwrap_or_else(PoisonError::into_inner);
        if let Entry::Occupied(mut sockets) = open.entry(self.player.clone()) {
            sockets.get_mut().count -= 1;
            sockets.get_mut().reserved -= usize::from(matches!(self.room, Room::Reserved { .. }));
            if sockets.get().count == 0 {
                sockets.remove();
            }
        }
    }
}

/// What asks for a socket, from a page of this house or from no page, with the limits of messages.
pub(super) fn readied(
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
    headers: &HeaderMap,
) -> Result<WebSocketUpgrade, HttpError> {
    let upgrade = upgrade.map_err(|no| {
        let refusal = Refusal::by_house("no-upgrade", "This address is for WebSockets.");
        HttpError::new(no.status(), refusal)
    })?;
    if !is_own_page(headers) {
        return Err(HttpError::cross_site());
    }
    let upgrade = upgrade.max_message_size(LONGEST_READ).max_frame_size(LONGEST_READ);
    Ok(upgrade.read_buffer_size(LONGEST_MESSAGE).write_buffer_size(WRITTEN_AT_ONCE))
}

impl House {
    /// A place for one more socket, in the house and for its address.
    pub(super) fn room_for_a_socket(
        &self,
        from: IpAddr,
    ) -> Result<(OwnedSemaphorePermit, Share), HttpError> {
        let share = self.socket_shares.take(from).ok_or_else(|| {
            let sentence = "Your address has too many connections. Close one of them.";
            HttpError::wait(60, "too-many-sockets", sentence)
        })?;
        let full = |_| HttpError::full();
        Ok((self.sockets.clone().try_acquire_owned().map_err(full)?, share))
    }

    /// Whether places are kept for somebody: who is seated has chips at stake, and staff are needed most
    /// when the house is crowded.
    fn has_reservation(&self, who: &Person) -> bool {
        let is_seated = self.holdings.has_place(&who.name);
        who.role != Role::Player || (is_seated && !who.is_house_player())
    }

    /// Why somebody is not served now. Whoever works here and does not want to play can still work.
    pub(super) fn keeps_out(&self, who: &Person) -> Option<Barrier> {
        let barrier = self.store.barrier(&who.name, unix_time());
        let is_own = matches!(barrier, Some(Barrier::Own { .. }));
        barrier.filter(|_| who.role == Role::Player || !is_own)
    }

    /// Closes the sockets of somebody whose session has ended, or whose role is another one.
    pub(crate) fn send_away(&self, player: &Name) {
        let open = self.sockets_of.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sockets) = open.get(player) {
            sockets.changed.send_replace(());
        }
    }
}

/// The WebSocket; `/api/asyncapi.json` has its messages.
///
/// It opens for whoever is known, from a page of this house or from no page.
#[utoipa::path(
    get, path = "/ws", tag = "known",
    responses(
        (status = 101, description = "The socket is open."),
        Known, Forbidden, NoUpgrade, TooOften,
    )
)]
pub(super) async fn open(
    State(house): State<Arc<House>>,
    Address(from): Address,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, HttpError> {
    let upgrade = readied(upgrade, &headers)?;
    let who = house.person(&headers).await?.ok_or_else(HttpError::unknown_visitor)?;
    let (place, sockets, changed) = Place::take(&house, &who, from)?;
    let token = house.token_of(&headers).unwrap_or_default();
    // What is logged about the socket has the id of the request that opened it.
    let span = Span::current();
    let serve = async move |socket| {
        let most = house.limits.sockets_of_a_guest;
        // A page can read why only after it is let in.
        match house.keeps_out(&who) {
            Some(barrier) => Parting::barrier(barrier).take(socket, &who.name).await,
            None if sockets > most => Parting::crowd(most).take(socket, &who.name).await,
            None => client::serve(socket, house, who, Session { token, from, changed }).await,
        }
        drop(place);
    };
    Ok(upgrade.on_upgrade(move |socket| serve(socket).instrument(span)))
}
