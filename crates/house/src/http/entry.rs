//! Who comes in: guests, their names and their cookies.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::middleware::Next;
use axum::response::{IntoResponse, Json, Response};
use axum_extra::extract::CookieJar;
use rules::table::{Account, Name, Seal};
use tokio::sync::SemaphorePermit;
use wire::{Me, RackView};

use super::answers::{Forbidden, TooOften};
use super::convert;
use super::error::HttpError;
use super::house::House;
use super::me::is_broke;
use super::visitor::{Address, is_own_page};
use crate::people::Person;
use crate::people::names::GUEST;
use crate::store::{Money, People, StoreError, YEAR};
use crate::tables::chips::Holding;
use crate::tables::dealer::random_bytes;
use crate::tables::task::unix_time;

/// How often a new guest is given another name where the first one is taken.
pub const MOST_NAMES: usize = 3;

impl House {
    /// Counts one more who comes in for the first time, if the house has room.
    pub(super) fn let_in(&self, from: IpAddr) -> Result<(), HttpError> {
        let (most, now) = (self.limits.guests_a_minute, Instant::now());
        let is_let_in = self.door.lock().is_ok_and(|mut door| door.allows(from, most, now));
        if !is_let_in {
            let sentence = "Too many guests came in from your address. Wait a minute.";
            return Err(HttpError::wait(60, "too-many-guests", sentence));
        }
        let full = |_| HttpError::full();
        self.guests.try_acquire().map(SemaphorePermit::forget).map_err(full)
    }

    /// Tells somebody who they are, with a cookie to be known again by.
    pub(super) async fn welcome(
        &self,
        person: Person,
        token: &str,
        seconds: i64,
    ) -> Result<(CookieJar, Json<Me>), HttpError> {
        Ok((self.set_cookie(token, seconds), Json(self.me(person).await?)))
    }

    /// Who somebody is, and what they have.
    pub(super) async fn me(&self, person: Person) -> Result<Me, StoreError> {
        let Person { name, kind, role } = person;
        let rack = |(table, chips): (String, Holding)| RackView {
            table,
            chips: chips.rack.to_string(),
            staked: chips.staked.to_string(),
        };
        let balance = self.store.balance("", &Account::Player(name.clone())).await?;
        let chips = self.holdings.of(&name);
        let broke = is_broke(balance, &chips);
        let racks = chips.into_iter().map(rack).collect();
        let session = self.session(&name, unix_time()).await?;
        let (name, balance) = (name.to_string(), balance.to_string());
        let (kind, role) = (convert::kind(kind), convert::role(role));
        Ok(Me { name, kind, role, balance, racks, broke, session })
    }
}

/// A token that nobody can guess.
pub(super) fn new_token() -> Result<String, HttpError> {
    random_bytes().map(|bytes| Seal(bytes).to_string()).map_err(|_| HttpError::no_entropy())
}

/// Lets a guest in, or recognises somebody.
#[utoipa::path(
    post, path = "/api/guest", tag = "anyone",
    responses((status = 200, body = Me, description = "Who one is."), Forbidden, TooOften)
)]
pub(super) async fn guest(
    State(house): State<Arc<House>>,
    Address(from): Address,
    headers: HeaderMap,
) -> Result<(CookieJar, Json<Me>), HttpError> {
    if let Some(person) = house.person(&headers).await? {
        return Ok((CookieJar::new(), Json(house.me(person).await?)));
    }
    house.let_in(from)?;
    let token = new_token()?;
    let mut names = 0;
    let name = loop {
        let called = new_token()?;
        let name: Name = format!("{GUEST}{}", &called[..12]).parse().expect("letters and digits");
        names += 1;
        match house.store.add_guest(&name, &token).await {
            Ok(()) => break name,
            Err(StoreError::Taken) if names < MOST_NAMES => {}
            Err(error) => return Err(error.into()),
        }
    };
    house.welcome(Person::player(name), &token, YEAR).await
}

/// Refuses what a page of another site wants changed.
pub(super) async fn guard(request: Request, next: Next) -> Response {
    match request.method().is_safe() || is_own_page(request.headers()) {
        true => next.run(request).await,
        false => HttpError::cross_site().into_response(),
    }
}
