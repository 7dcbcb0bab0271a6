//! How the house is: its tables, and whether all is well.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::SystemTime;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Json, Response};
use rules::money::Cents;
use rules::table::Table;
use rules::terms::{TermRefusal, TermSheet};
use rules::wager::Game;
use tokio::sync::Semaphore;
use wire::{BackupView, Fine, OpenTable, PrivateTable, Ready, Refusal};

use super::answers::{BadBody, Contradiction, Forbidden, Missing, TooOften};
use super::book::is_of_house_alone;
use super::entry::new_token;
use super::error::HttpError;
use super::extract::{Body, Within};
use super::house::House;
use super::visitor::{Address, Known, Operator};
use crate::BACKUPS;
use crate::floor::{LONGEST_PRIVATE_WAIT, MOST_PRIVATE_OF_ONE, NoTable, TableDoor};
use crate::metrics::{Labels, Page};
use crate::store::files::private_folder;
use crate::store::{Change, EventKind, HouseEvent, Money, People, Players, StoreError, Tables};
use crate::tables::refusals::by_barrier;
use crate::tables::task::{Glance, unix_time};

/// The most backups that are made over HTTP.
pub const MOST_BACKUPS: usize = 30;

/// Whether the process lives: the store can be read, the books balance and every table is open.
///
/// That nothing can be written is no reason to end it, and `/ready` says so.
#[utoipa::path(
    get, path = "/health", tag = "anyone",
    responses((status = 200, body = Fine, description = "All is well."))
)]
pub(super) async fn health(State(house): State<Arc<House>>) -> Result<Json<Fine>, HttpError> {
    // A task of its own, like that of a probe.
    let sums = house.clone();
    let total = tokio::spawn(async move { sums.total.or(sums.store.total()).await }).await;
    if total.map_err(|_| HttpError::failed())?? != Cents::ZERO {
        return Err(HttpError::unavailable("books-unbalanced", "The books do not balance."));
    }
    if house.floor.doors().iter().any(|door| door.has_failed()) {
        return Err(HttpError::unavailable("table-closed", "A table is closed."));
    }
    Ok(Json(Fine { ok: true }))
}

/// Whether everybody could play: the store can be written, no table is closed or paused, and the house
/// is not closing.
#[utoipa::path(
    get, path = "/ready", tag = "anyone",
    responses((status = 200, body = Ready, description = "The house is ready."))
)]
pub(super) async fn ready(State(house): State<Arc<House>>) -> Result<Json<Ready>, HttpError> {
    let not = |code, sentence: &str| Err(HttpError::unavailable(code, sentence));
    if *house.closing.borrow() {
        return not("house-closing", "The house is closing.");
    }
    if house.floor.doors().iter().any(|door| door.has_failed()) {
        return not("table-closed", "A table is closed.");
    }
    if house.node.as_ref().is_some_and(|node| !node.is_well()) {
        return not("node-cut-off", "This node cannot reach the bus, or cannot renew its leases.");
    }
    if let Some(door) = house.floor.doors().first() {
        let table = door.about.table.clone();
        // A task of its own: who asks and goes away at once must not begin another probe.
        let probes = house.clone();
        let probe = async move { probes.probed.or(probes.store.probe(&table)).await };
        match tokio::spawn(probe).await {
            Ok(Ok(())) => {}
            Ok(Err(StoreError::Full)) => return not("disk-full", "The disk is full."),
            _ => return not("store-not-writable", "The store cannot be written."),
        }
    }
    if house.floor.doors().iter().any(|door| door.is_troubled()) {
        return not(
            "table-paused",
            "A table is paused because the disk or the random source is failing.",
        );
    }
    Ok(Json(Ready { ready: true }))
}

/// Counters and gauges for Prometheus.
#[utoipa::path(
    get, path = "/metrics", tag = "anyone",
    responses((status = 200, body = String, content_type = "application/openmetrics-text", description = "The figures."))
)]
pub(super) async fn metrics(State(house): State<Arc<House>>) -> Response {
    let mut page = house.store.metrics().page();
    let taken = |most: usize, free: &Semaphore| most.saturating_sub(free.available_permits());
    let sockets = taken(house.limits.sockets, &house.sockets)
        + taken(house.limits.reserved_sockets, &house.reserved_sockets);
    page.gauge("sockets", "Open sockets", sockets);
    let doors = house.floor.doors();
    let states = states(&doors).into_iter();
    let states = states.map(|(state, tables)| (vec![("awaits", state)], count(tables)));
    page.gauges("tables", "Tables by what they wait for", states);
    let own = doors.iter().filter(|door| door.is_here()).count();
    page.gauge("tables_here", "Tables that this node owns", own);
    let of_each = |figure: &dyn Fn(&Glance) -> Option<i64>| {
        let figure = |door: &Arc<TableDoor>| Some((of(door), figure(&door.glance.borrow())?));
        doors.iter().filter_map(figure).collect::<Vec<_>>()
    };
    let seats = of_each(&|glance| Some(count(glance.taken)));
    page.gauges("seats_taken", "Seats taken", seats);
    let viewers = of_each(&|glance| Some(count(glance.viewers)));
    page.gauges("viewers", "Sockets watching a table", viewers);
    let store = (vec![("queue", "store".to_owned())], count(house.store.waiting()));
    let tables = doors.iter().map(|door| {
        let waiting = door.asks.max_capacity() - door.asks.capacity();
        ([vec![("queue", "table".to_owned())], of(door)].concat(), count(waiting))
    });
    let help = "Requests waiting for the store and for each table";
    page.gauges("queue_depth", help, std::iter::once(store).chain(tables));
    let meters = of_each(&|glance| Some(glance.meter?.get()));
    page.gauges("meter_cents", "Progressive meter of a table", meters);
    ([(header::CONTENT_TYPE, Page::FORMAT)], page.text()).into_response()
}

/// The label of a table.
fn of(door: &TableDoor) -> Labels {
    vec![("table", door.about.table.clone())]
}

fn count(figure: usize) -> i64 {
    i64::try_from(figure).unwrap_or(i64::MAX)
}

/// How many tables wait for what.
fn states(doors: &[Arc<TableDoor>]) -> BTreeMap<String, usize> {
    let mut states = BTreeMap::new();
    for door in doors {
        let glance = door.glance.borrow();
        let state = match glance.awaits {
            _ if door.asks.is_closed() => "closed".to_owned(),
            _ if glance.trouble.is_some() => "disk".to_owned(),
            awaits => awaits.name().to_owned(),
        };
        *states.entry(state).or_default() += 1;
    }
    states
}

/// Copies the store into a new file beside it, while the house is open.
#[utoipa::path(
    post, path = "/api/backup", tag = "operator",
    responses((status = 200, body = BackupView, description = "The copy."), Operator, Contradiction)
)]
pub(super) async fn back_up(
    State(house): State<Arc<House>>,
    Operator(who): Operator,
) -> Result<Json<BackupView>, HttpError> {
    if !house.store.is_file() {
        let sentence = "A house on PostgreSQL is backed up with pg_dump, or with the server.";
        return Err(HttpError::unavailable("no-backups", sentence.to_owned()));
    }
    let folder = house.data.join(BACKUPS);
    let failed = |error: std::io::Error| {
        HttpError::unavailable(
            "no-backups",
            format!("The folder {BACKUPS} cannot be used: {error}."),
        )
    };
    private_folder(&folder).map_err(failed)?;
    if std::fs::read_dir(&folder).map_err(failed)?.count() >= MOST_BACKUPS {
        let sentence =
            format!("The folder {BACKUPS} has {MOST_BACKUPS} files. Move some of them away.");
        return Err(HttpError::conflict("too-many-backups", sentence));
    }
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let file = format!("{BACKUPS}/pitboss-{}.db", since.as_millis());
    house.store.back_up(&house.data.join(&file)).await?;
    let bytes = std::fs::metadata(house.data.join(&file)).map_err(failed)?.len();
    let (what, whom, more) = (EventKind::Backup, None, format!("{file}, {bytes} bytes"));
    let event = HouseEvent { who: who.name.to_string(), what, whom, more };
    house.store.change(Change::Note(event)).await?;
    Ok(Json(BackupView { file, bytes }))
}

/// The tables of the house.
#[utoipa::path(
    get, path = "/api/tables", tag = "anyone",
    responses((status = 200, body = Vec<OpenTable>, description = "The tables."))
)]
pub(super) async fn tables(State(house): State<Arc<House>>) -> Json<Vec<OpenTable>> {
    let doors = house.floor.doors();
    let listed = doors.iter().filter(|door| door.is_listed());
    Json(listed.map(|door| house.open_table(door)).collect())
}

/// One table, also one that is in no list.
#[utoipa::path(
    get, path = "/api/tables/{table}", tag = "anyone",
    params(("table" = String, Path, description = "Which table.")),
    responses((status = 200, body = OpenTable, description = "The table."), Missing)
)]
pub(super) async fn table(
    State(house): State<Arc<House>>,
    Within(table): Within<String>,
) -> Result<Json<OpenTable>, HttpError> {
    let door = house.floor.door(&table).ok_or_else(HttpError::no_table)?;
    Ok(Json(house.open_table(&door)))
}

/// Opens a table with terms of one's own, for whoever is told its name.
///
/// It is in no list. It is closed when nobody has been there for five minutes, and after twelve hours at
/// the latest. It has no progressive, which belongs to the tables of the house.
#[utoipa::path(
    post, path = "/api/tables", tag = "known", request_body = PrivateTable,
    responses(
        (status = 200, body = OpenTable, description = "The table."),
        BadBody, Known, Forbidden, Contradiction, TooOften,
    )
)]
pub(super) async fn open_private(
    State(house): State<Arc<House>>,
    Known(person): Known,
    Address(from): Address,
    Body(PrivateTable { game, terms }): Body<PrivateTable>,
) -> Result<Json<OpenTable>, HttpError> {
    if let Some(barrier) = house.store.barrier(&person.name, unix_time()) {
        return Err(HttpError::new(StatusCode::FORBIDDEN, by_barrier(barrier)));
    }
    let known = Game::named(&game)
        .ok_or_else(|| HttpError::bad("no-such-game", "There is no such game."))?;
    let mut sheet = TermSheet::new(known);
    let bad = |refusal: TermRefusal| {
        let source = match &refusal {
            TermRefusal::Unknown { .. } => wire::Source::House,
            TermRefusal::Unreadable { key, .. } | TermRefusal::Forbidden { key, .. } => {
                wire::Source::Term(key.clone().into())
            }
        };
        let sentence = wire::as_sentence(&refusal.to_string());
        HttpError::new(StatusCode::BAD_REQUEST, Refusal::new("bad-terms", source, sentence))
    };
    sheet.set(terms.iter().map(|(key, value)| (key.as_str(), value.as_str()))).map_err(bad)?;
    if terms.keys().any(|key| is_of_house_alone(key)) {
        return Err(HttpError::bad("bad-terms", "A private table has no progressive."));
    }
    let is_too_long = |key: &&str| sheet.number(key).is_some_and(|s| s > LONGEST_PRIVATE_WAIT);
    if let Some(key) = ["action_timeout_s", "idle_timeout_s"].into_iter().find(is_too_long) {
        let sentence =
            format!("At a private table {key} can be at most {LONGEST_PRIVATE_WAIT} seconds.");
        return Err(HttpError::bad("bad-terms", sentence));
    }
    if Table::new(sheet.clone()).meter().is_some() {
        sheet.set([("progressive_offered", "off")]).map_err(bad)?;
    }
    let name = format!("private-{}", &new_token()?[..16]);
    match house.floor.open_private(name, sheet, (person.name, from)).await {
        Ok(door) => Ok(Json(house.open_table(&door))),
        Err(NoTable::Full) => Err(HttpError::conflict(
            "too-many-private-tables",
            "The house has no room for another private table. Try again later.",
        )),
        Err(NoTable::OfOne) => Err(HttpError::conflict(
            "own-private-tables",
            format!(
                "You have {MOST_PRIVATE_OF_ONE} private tables open. They close when nobody has been \
                 there for five minutes."
            ),
        )),
        Err(NoTable::Store(error)) => Err(error.into()),
    }
}

impl House {
    /// A table, for whoever chooses one.
    fn open_table(&self, door: &TableDoor) -> OpenTable {
        let (about, glance) = (&door.about, door.glance.borrow());
        let Glance { taken, seats, viewers, meter, awaits, spectators, round_time, .. } = *glance;
        let players = glance.players.clone();
        drop(glance);
        OpenTable {
            table: about.table.clone(),
            game: about.game.clone(),
            title: about.title.clone(),
            about: about.clone(),
            betting_seconds: door.setup.pace.betting.as_secs(),
            taken,
            seats,
            meter: meter.map(|meter| meter.to_string()),
            awaited: awaits,
            watchable: viewers < self.limits.viewers && !door.asks.is_closed(),
            open: door.is_open(),
            players,
            spectators,
            trouble: door.trouble(),
            house_edge: self.house_edge(&door.setup.sheet),
            round_seconds: round_time.map(|time| time.as_secs()),
        }
    }
}
