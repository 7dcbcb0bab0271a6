//! Who comes in: guests, their names and their cookies.

use std::net::IpAddr;
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::middleware::Next;
use axum::response::{IntoResponse, Json, Response};
use axum_extra::extract::CookieJar;
use rules::table::{Account, Seal};
use wire::{Me, RackView};

use super::answers::{Forbidden, TooOften};
use super::convert;
use super::door::{Crowd, Door};
use super::error::HttpError;
use super::house::House;
use super::me::is_broke;
use super::visitor::{Address, is_own_page};
use crate::people::Person;
use crate::people::names::friendly;
use crate::store::{Money, People, StoreError, YEAR};
use crate::tables::chips::Holding;
use crate::tables::dealer::random_bytes;
use crate::tables::task::unix_time;

/// How often a new guest is given another name where the first one is taken.
pub const MOST_NAMES: usize = 3;

/// A place for somebody new, which is given back unless they have come in.
pub(super) struct NewPlace<'a>(Option<&'a House>);

impl NewPlace<'_> {
    /// They have come in.
    pub(super) fn take(mut self) {
        self.0 = None;
    }
}

impl Drop for NewPlace<'_> {
    fn drop(&mut self) {
        if let Some(house) = self.0 {
            house.at_the_door(|door| door.leave(house.limits.guests_a_day));
        }
    }
}

impl House {
    fn at_the_door<T>(&self, what: impl FnOnce(&mut Door) -> T) -> T {
        what(&mut self.door.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Counts an attempt to come in, or to have an account, from an address.
    pub(super) fn knock(&self, from: IpAddr) -> Result<(), HttpError> {
        let most = self.limits.guests_a_minute;
        self.at_the_door(|door| door.knock(from, most, Instant::now())).map_err(crowd)
    }

    /// A place for somebody new from an address, if the house has room.
    pub(super) fn let_in(&self, from: IpAddr) -> Result<NewPlace<'_>, HttpError> {
        self.knock(from)?;
        let most = self.limits.guests_a_day;
        self.at_the_door(|door| door.enter(most, Instant::now())).map_err(crowd)?;
        Ok(NewPlace(Some(self)))
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

/// Why somebody does not come in.
fn crowd(crowd: Crowd) -> HttpError {
    let (code, who, wait) = match crowd {
        Crowd::Address(wait) => {
            ("too-many-guests", "Too many guests came in from your address.", wait)
        }
        Crowd::House(wait) => ("house-full", "The house has let in all the guests it can.", wait),
    };
    let seconds = wait.as_secs() + 1;
    let unit = if seconds == 1 { "second" } else { "seconds" };
    HttpError::wait(seconds, code, format!("{who} Wait {seconds} {unit}."))
}

/// A token that nobody can guess.
pub(super) fn new_token() -> Result<String, HttpError> {
    random_bytes().map(|bytes| Seal(bytes).to_string()).map_err(|_| HttpError::no_entropy())
}

/// Lets a guest in, or recognises somebody.
///
/// A guest is given a name of two words, and may take another one.
#[utoipa::path(
    post, path = "/api/guest", tag = "anyone",
    responses((status = 200, body = Me, description = "The caller's account."), Forbidden, TooOften)
)]
pub(super) async fn guest(
    State(house): State<Arc<House>>,
    Address(from): Address,
    headers: HeaderMap,
) -> Result<(CookieJar, Json<Me>), HttpError> {
    if let Some(person) = house.person(&headers).await? {
        return Ok((CookieJar::new(), Json(house.me(person).await?)));
    }
    let place = house.let_in(from)?;
    let token = new_token()?;
    let mut names = 0;
    let name = loop {
        let name = friendly(random_bytes().map_err(|_| HttpError::no_entropy())?, names);
        names += 1;
        match house.store.add_guest(&name, &token).await {
            Ok(()) => break name,
            Err(StoreError::Taken) if names < MOST_NAMES => {}
            Err(error) => return Err(error.into()),
        }
    };
    place.take();
    house.welcome(Person::player(name), &token, YEAR).await
}

/// Refuses what a page of another site wants changed.
pub(super) async fn guard(request: Request, next: Next) -> Response {
    match request.method().is_safe() || is_own_page(request.headers()) {
        true => next.run(request).await,
        false => HttpError::cross_site().into_response(),
    }
}
