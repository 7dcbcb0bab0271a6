//! Who comes in: guests, their names and their cookies.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Json, Response};
use rules::table::{Account, Name, Seal};
use tokio::sync::SemaphorePermit;

use super::accounts::no_entropy;
use super::me::is_broke;
use super::refusal::Refusal;
use super::{ELSEWHERE, House};
use crate::dealer::random_bytes;
use crate::role::Person;
use crate::store::{StoreError, YEAR};
use crate::table_task::{Chips, unix_time};
use crate::wire::{Me, RackView};

/// The most guests that come in before the house is started again, where nothing is said.
pub const MOST_GUESTS: usize = 100_000;

/// The most guests that come in from one address in a minute, where nothing is said.
pub const GUESTS_A_MINUTE: u32 = 30;

/// The most addresses that guests come from in a minute.
pub const MOST_ADDRESSES: usize = 4096;

/// What the name of the cookie begins with that holds a guest's token; the house's identity follows,
/// since a browser sends cookies to every port of a computer.
pub const COOKIE: &str = "pitboss-";

/// How often a new guest is given another name where the first one is taken.
pub const MOST_NAMES: usize = 3;

/// What the name of every guest begins with, and no other.
pub const GUEST: &str = "guest-";

/// What the token of a bot comes after, in the header `Authorization`.
const BEARER: &str = "Bearer ";

/// Who has let guests in, and how many since when.
#[derive(Debug, Default)]
pub(crate) struct Door(HashMap<IpAddr, (Instant, u32)>);

impl Door {
    /// Whether one more guest may come in from an address, of so many a minute.
    fn allows(&mut self, address: IpAddr, most: u32, now: Instant) -> bool {
        self.0.retain(|_, (since, _)| now.duration_since(*since) < Duration::from_secs(60));
        if self.0.len() >= MOST_ADDRESSES && !self.0.contains_key(&address) {
            return false;
        }
        let (_, guests) = self.0.entry(address).or_insert((now, 0));
        *guests += 1;
        *guests <= most
    }
}

impl House {
    /// Who asks: by the token of a bot, or by a cookie.
    pub(crate) async fn person(&self, headers: &HeaderMap) -> Result<Option<Person>, StoreError> {
        match self.token_of(headers) {
            Some(token) => self.store.person(token).await,
            None => Ok(None),
        }
    }

    /// By what somebody who asks is known again.
    pub(super) fn token_of<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let bearer = bearer.map(|value| value.strip_prefix(BEARER).unwrap_or_default());
        bearer.or_else(|| self.cookie_of(headers))
    }

    /// The token in the cookie of this house.
    pub(super) fn cookie_of<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
        let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| {
            pair.trim().split_once('=').filter(|(name, _)| *name == self.cookie)
        });
        pairs.next().map(|(_, token)| token)
    }

    /// Counts one more who comes in for the first time, where the house has room.
    pub(super) fn let_in(&self, from: IpAddr) -> Result<(), Refusal> {
        let (most, now) = (self.limits.guests_a_minute, Instant::now());
        let is_let_in = self.door.lock().is_ok_and(|mut door| door.allows(from, most, now));
        if !is_let_in {
            return Err(Refusal::wait(60, "too many guests came in; wait a minute"));
        }
        let full = |_| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "the house is full");
        self.guests.try_acquire().map(SemaphorePermit::forget).map_err(full)
    }

    /// Tells somebody who they are, with a cookie to be known again by.
    pub(super) async fn welcome(
        &self,
        person: Person,
        token: &str,
        seconds: i64,
    ) -> Result<Response, Refusal> {
        let cookie = self.set_cookie(token, seconds);
        Ok((cookie, Json(self.account(person).await?)).into_response())
    }

    fn set_cookie(&self, token: &str, seconds: i64) -> [(HeaderName, HeaderValue); 1] {
        let name = &self.cookie;
        let cookie =
            format!("{name}={token}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict");
        [(header::SET_COOKIE, HeaderValue::try_from(cookie).expect("plain letters"))]
    }

    /// Takes the cookie away.
    pub(super) fn no_cookie(&self) -> [(HeaderName, HeaderValue); 1] {
        self.set_cookie("", 0)
    }

    /// Who somebody is, and what they have.
    pub(super) async fn account(&self, person: Person) -> Result<Me, StoreError> {
        let Person { name, kind, role } = person;
        let rack = |(table, chips): (String, Chips)| RackView {
            table,
            chips: chips.rack.to_string(),
            staked: chips.staked.to_string(),
        };
        let balance = self.store.balance("", &Account::Player(name.clone())).await?;
        let chips = self.chips(&name).await;
        let broke = is_broke(balance, &chips);
        let racks = chips.into_iter().map(rack).collect();
        let session = self.session(&name, unix_time()).await?;
        let (name, balance) = (name.to_string(), balance.to_string());
        Ok(Me { name, kind, role, balance, racks, broke, session })
    }
}

/// A token that nobody can guess.
pub(super) fn new_token() -> Result<String, Refusal> {
    random_bytes().map(|bytes| Seal(bytes).to_string()).map_err(|_| no_entropy())
}

/// Lets a guest in, or knows somebody again.
pub(super) async fn guest(
    State(house): State<Arc<House>>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    if let Some(person) = house.person(&headers).await? {
        return Ok(Json(house.account(person).await?).into_response());
    }
    house.let_in(from.ip())?;
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

/// Refuses what a page of somebody else wants changed.
pub(super) async fn guard(request: Request, next: Next) -> Response {
    match request.method().is_safe() || is_own_page(request.headers()) {
        true => next.run(request).await,
        false => ELSEWHERE.into_response(),
    }
}

/// Where a browser says that a request comes from.
const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Whether no browser says that the request comes from elsewhere.
pub(super) fn is_own_page(headers: &HeaderMap) -> bool {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    if text(SITE).is_some_and(|site| !matches!(site, "same-origin" | "none")) {
        return false;
    }
    match (text(header::ORIGIN), text(header::HOST)) {
        (None, _) => true,
        (Some(origin), Some(host)) => {
            origin.split_once("://").is_some_and(|(_, origin)| origin == host)
        }
        (Some(_), None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_from_one_address_waits_a_minute() {
        let (mut door, now) = (Door::default(), Instant::now());
        let [one, other] = [1, 2].map(|last| IpAddr::from([127, 0, 0, last]));
        assert!((0..30).all(|_| door.allows(one, 30, now)));
        assert!(!door.allows(one, 30, now) && door.allows(other, 30, now));
        assert!(door.allows(one, 30, now + Duration::from_secs(60)));
        assert_eq!(door.0.len(), 1);
    }

    #[test]
    fn only_pages_of_the_house_open_a_socket() {
        for (origin, site, is_own) in [
            (None, None, true),
            (Some("http://127.0.0.1:8042"), None, true),
            (Some("http://127.0.0.1:8042"), Some("same-origin"), true),
            (Some("http://127.0.0.1:8043"), None, false),
            (Some("https://elsewhere.example"), None, false),
            (Some("null"), None, false),
            (None, Some("none"), true),
            (None, Some("same-site"), false),
            (None, Some("cross-site"), false),
            (Some("http://127.0.0.1:8042"), Some("cross-site"), false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("127.0.0.1:8042"));
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
            }
            if let Some(site) = site {
                headers.insert(SITE, HeaderValue::from_static(site));
            }
            assert_eq!(is_own_page(&headers), is_own, "{origin:?} {site:?}");
        }
    }
}
