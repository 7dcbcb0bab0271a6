//! Who comes in: guests, their names and their cookies.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Json, Response};
use rules::table::{Account, Name, Seal};

use super::{House, NO_GUEST, Sorry};
use crate::dealer::random_bytes;
use crate::store::StoreError;
use crate::wire::Me;

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

/// How long a guest is remembered, in seconds: a year.
const REMEMBERED: u32 = 365 * 24 * 60 * 60;

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
    /// Whose cookie came with a request.
    pub(super) async fn guest(&self, headers: &HeaderMap) -> Result<Option<Name>, StoreError> {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
        let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| {
            pair.trim().split_once('=').filter(|(name, _)| *name == self.cookie)
        });
        match pairs.next() {
            Some((_, token)) => self.store.player(token).await,
            None => Ok(None),
        }
    }

    /// What a guest has away from the tables.
    pub(super) async fn account(&self, name: Name) -> Result<Me, StoreError> {
        let balance = self.store.balance("", &Account::Player(name.clone())).await?;
        Ok(Me { name: name.to_string(), balance: balance.to_string() })
    }
}

/// Lets a guest in, or knows one again.
pub(super) async fn guest(
    State(house): State<Arc<House>>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
) -> Result<Response, Sorry> {
    if let Some(name) = house.guest(&headers).await? {
        return Ok(Json(house.account(name).await?).into_response());
    }
    let (most, now) = (house.limits.guests_a_minute, Instant::now());
    let is_let_in = house.door.lock().is_ok_and(|mut door| door.allows(from.ip(), most, now));
    if !is_let_in {
        return Err(Sorry(StatusCode::TOO_MANY_REQUESTS, "too many guests came in; wait a minute"));
    }
    match house.guests.try_acquire() {
        Ok(place) => place.forget(),
        Err(_) => return Err(Sorry(StatusCode::SERVICE_UNAVAILABLE, "the house is full")),
    }
    let no_entropy = |_| Sorry(StatusCode::SERVICE_UNAVAILABLE, "there is no entropy");
    let token = Seal(random_bytes().map_err(no_entropy)?).to_string();
    let mut names = 0;
    let name = loop {
        let called = Seal(random_bytes().map_err(no_entropy)?).to_string();
        let name: Name = format!("guest-{}", &called[..12]).parse().expect("letters and digits");
        names += 1;
        match house.store.add_guest(&name, &token).await {
            Ok(()) => break name,
            Err(StoreError::Taken) if names < MOST_NAMES => {}
            Err(error) => return Err(error.into()),
        }
    };
    let cookie = &house.cookie;
    let cookie =
        format!("{cookie}={token}; Path=/; Max-Age={REMEMBERED}; HttpOnly; SameSite=Strict");
    let cookie = HeaderValue::try_from(cookie).expect("plain letters");
    Ok(([(header::SET_COOKIE, cookie)], Json(house.account(name).await?)).into_response())
}

/// Who a guest is, and what is in the account.
pub(super) async fn me(
    State(house): State<Arc<House>>,
    headers: HeaderMap,
) -> Result<Json<Me>, Sorry> {
    let name = house.guest(&headers).await?.ok_or(NO_GUEST)?;
    Ok(Json(house.account(name).await?))
}

/// Whether a browser says that the request comes from elsewhere.
pub(super) fn is_own_page(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
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
        for (origin, is_own) in [
            (None, true),
            (Some("http://127.0.0.1:8042"), true),
            (Some("http://127.0.0.1:8043"), false),
            (Some("https://elsewhere.example"), false),
            (Some("null"), false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("127.0.0.1:8042"));
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
            }
            assert_eq!(is_own_page(&headers), is_own, "{origin:?}");
        }
    }
}
