//! The house's one port: a page, a small API, and the WebSocket.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use audit::export::Export;
use axum::Router;
use axum::body::Body;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{ConnectInfo, Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware;
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{any, get, post};
use futures_util::stream::{self, StreamExt};
use rules::clause::{self, Clause, Ruling};
use rules::table::{Account, Name, Seal};
use rules::terms::{self, Term};
use rules::wager::Game;
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot, watch};

use crate::dealer::random_bytes;
use crate::pages;
use crate::role::Person;
use crate::socket::{self, Parting};
use crate::store::{Store, StoreError};
use crate::table_task::Ask;
use crate::wire::{ClauseView, LONGEST_MESSAGE, Me, OpenTable};

/// The most sockets that are open at a time.
pub const MOST_SOCKETS: usize = 1024;

/// The most sockets of one guest, and so the most times that a guest watches a table.
pub const MOST_SOCKETS_OF_A_GUEST: usize = 8;

/// The most logs that are saved at a time.
pub const MOST_EXPORTS: usize = 4;

/// The entries of a log that are in memory while it is saved.
pub const ENTRIES_AT_A_TIME: u64 = 1000;

/// The most guests that come in before the house is started again.
pub const MOST_GUESTS: usize = 100_000;

/// The most guests that come in from one address in a minute.
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

/// An open house.
pub(crate) struct House {
    pub(crate) store: Store,
    /// The name of the cookie.
    pub(crate) cookie: String,
    pub(crate) tables: BTreeMap<String, (Game, mpsc::Sender<Ask>)>,
    pub(crate) closing: watch::Receiver<bool>,
    pub(crate) sockets: Arc<Semaphore>,
    pub(crate) exports: Arc<Semaphore>,
    pub(crate) guests: Semaphore,
    pub(crate) door: Mutex<Door>,
    /// How many sockets each guest has open.
    pub(crate) sockets_of: Mutex<HashMap<Name, usize>>,
}

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

/// Who has let guests in, and how many since when.
#[derive(Debug, Default)]
pub(crate) struct Door(HashMap<IpAddr, (Instant, u32)>);

impl Door {
    /// Whether one more guest may come in from an address.
    fn allows(&mut self, address: IpAddr, now: Instant) -> bool {
        self.0.retain(|_, (since, _)| now.duration_since(*since) < Duration::from_secs(60));
        if self.0.len() >= MOST_ADDRESSES && !self.0.contains_key(&address) {
            return false;
        }
        let (_, guests) = self.0.entry(address).or_insert((now, 0));
        *guests += 1;
        *guests <= GUESTS_A_MINUTE
    }
}

impl House {
    pub(crate) fn table(&self, name: &str) -> Option<mpsc::Sender<Ask>> {
        self.tables.get(name).map(|(_, asks)| asks.clone())
    }

    /// Whose cookie came with a request.
    async fn guest(&self, headers: &HeaderMap) -> Result<Option<Name>, StoreError> {
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
    async fn account(&self, name: Name) -> Result<Me, StoreError> {
        let balance = self.store.balance("", &Account::Player(name.clone())).await?;
        Ok(Me { name: name.to_string(), balance: balance.to_string() })
    }
}

/// The ways into a house.
pub(crate) fn router(house: Arc<House>) -> Router {
    Router::new()
        .route("/health", get(health))
        .route("/api/guest", post(guest))
        .route("/api/me", get(me))
        .route("/api/tables", get(tables))
        .route("/api/clause/{id}", get(clause))
        .route("/api/export/{table}", get(export))
        .route("/api/{*rest}", any(async || NOTHING))
        .route("/ws", get(ws))
        .method_not_allowed_fallback(async || OTHERWISE)
        .fallback_service(get(pages::serve).fallback(async || OTHERWISE))
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
        tracing::error!("{error}");
        let sentence = match error {
            StoreError::Full => "the disk of the house is full",
            _ => "the store does not answer",
        };
        Sorry(StatusCode::SERVICE_UNAVAILABLE, sentence)
    }
}

const NOTHING: Sorry = Sorry(StatusCode::NOT_FOUND, "the house has no such thing");
const OTHERWISE: Sorry = Sorry(
    StatusCode::METHOD_NOT_ALLOWED,
    "this is asked with another method; docs/house.md has it",
);
const NO_GUEST: Sorry = Sorry(StatusCode::UNAUTHORIZED, "come in with POST /api/guest first");

/// Whether the store answers, the books balance and every table is open.
async fn health(State(house): State<Arc<House>>) -> Result<Json<serde_json::Value>, Sorry> {
    if house.store.total().await? != rules::money::Cents::ZERO {
        return Err(Sorry(StatusCode::SERVICE_UNAVAILABLE, "the books do not balance"));
    }
    if house.tables.values().any(|(_, asks)| asks.is_closed()) {
        return Err(Sorry(StatusCode::SERVICE_UNAVAILABLE, "a table is closed"));
    }
    Ok(Json(json!({ "ok": true })))
}

/// Lets a guest in, or knows one again.
async fn guest(
    State(house): State<Arc<House>>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
) -> Result<Response, Sorry> {
    if let Some(name) = house.guest(&headers).await? {
        return Ok(Json(house.account(name).await?).into_response());
    }
    let is_let_in = house.door.lock().is_ok_and(|mut door| door.allows(from.ip(), Instant::now()));
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
async fn me(State(house): State<Arc<House>>, headers: HeaderMap) -> Result<Json<Me>, Sorry> {
    let name = house.guest(&headers).await?.ok_or(NO_GUEST)?;
    Ok(Json(house.account(name).await?))
}

async fn tables(State(house): State<Arc<House>>) -> Json<Vec<OpenTable>> {
    let table = |(table, (game, _)): (&String, &(Game, _))| OpenTable {
        table: table.clone(),
        game: game.name(),
        title: game.title(),
    };
    Json(house.tables.iter().map(table).collect())
}

/// What a dealer points to, in our own words: a clause, a ruling, or a term of the house.
async fn clause(Path(id): Path<String>) -> Result<Json<ClauseView>, Sorry> {
    let unknown = Sorry(StatusCode::NOT_FOUND, "there is no such clause, ruling or term");
    if let Some(Clause { game, title, .. }) = clause::find(&id) {
        let (game, title) = (Some(game.title()), title.clone());
        return Ok(Json(ClauseView { id, kind: "clause", game, title, words: None }));
    }
    if let Some(Ruling { title, decision, .. }) = clause::find_ruling(&id) {
        let (title, words) = (title.clone(), Some(decision.clone()));
        return Ok(Json(ClauseView { id, kind: "ruling", game: None, title, words }));
    }
    let terms: Vec<_> = terms::all().iter().filter(|term| term.key == id).collect();
    let title = match terms[..] {
        [] => return Err(unknown),
        [first, ref others @ ..] if others.iter().all(|term| term.meaning == first.meaning) => {
            first.meaning.clone()
        }
        _ => {
            let named = |term: &&Term| {
                format!("{}: {}", term.game.map_or("All games", Game::title), term.meaning)
            };
            terms.iter().map(named).collect::<Vec<_>>().join(" ")
        }
    };
    Ok(Json(ClauseView { id, kind: "term", game: None, title, words: None }))
}

/// A table's log, up to where no card is hidden from anybody.
async fn export(
    State(house): State<Arc<House>>,
    Path(table): Path<String>,
) -> Result<Response, Sorry> {
    let missing = Sorry(StatusCode::NOT_FOUND, "there is no such table");
    let asks = house.table(&table).ok_or(missing)?;
    let closed = || Sorry(StatusCode::SERVICE_UNAVAILABLE, "this table is closed");
    let busy = |_| Sorry(StatusCode::SERVICE_UNAVAILABLE, "others save a log now; try again");
    let place = house.exports.clone().try_acquire_owned().map_err(busy)?;
    let (answer, answered) = oneshot::channel();
    asks.send(Ask::Public(answer)).await.map_err(|_| closed())?;
    let public = answered.await.map_err(|_| closed())?;
    let first = stream::iter([Ok::<_, StoreError>(Export::first_line(&table))]);
    let begin: (_, _, u64, _) = (house, table, 1, place);
    let entries = stream::try_unfold(begin, move |(house, table, from, place)| async move {
        if from > public {
            return Ok(None);
        }
        let to = public.min(from + ENTRIES_AT_A_TIME - 1);
        let entries = house.store.entries(&table, from, to).await?;
        let lines: String = entries.iter().map(Export::line).collect();
        Ok(Some((lines, (house, table, to + 1, place))))
    });
    let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    Ok((kind, Body::from_stream(first.chain(entries))).into_response())
}

/// Opens a socket for a guest, from a page of this house or from no page.
async fn ws(
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
            match sockets <= MOST_SOCKETS_OF_A_GUEST {
                true => socket::serve(socket, house, who).await,
                // A page can read why only after it is let in.
                false => Parting::crowd().take(socket).await,
            }
            drop(place);
        },
    ))
}

/// Whether a browser says that the request comes from elsewhere.
fn is_own_page(headers: &HeaderMap) -> bool {
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
        assert!((0..GUESTS_A_MINUTE).all(|_| door.allows(one, now)));
        assert!(!door.allows(one, now) && door.allows(other, now));
        assert!(door.allows(one, now + Duration::from_secs(60)));
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
