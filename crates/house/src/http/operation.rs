//! How the house is: its tables, and whether all is well.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Json, Response};
use serde_json::json;

use super::refusal::Refusal;
use super::{House, Sorry, TableDoor};
use crate::metrics::{COUNTED, Page};
use crate::role::Role;
use crate::store::StoreError;
use crate::table_task::Glance;
use crate::wire::{BackupView, OpenTable};

/// Where back-ups go that are made over HTTP, in the directory of the store.
pub const BACKUPS: &str = "backups";

/// The most of them.
pub const MOST_BACKUPS: usize = 30;

/// How long the answer of a probe holds: anybody may ask for it.
const PROBED_FOR: Duration = Duration::from_secs(1);

/// Whether the process lives: the store can be read, the books balance and every table is open. That
/// nothing can be written is no reason to end it, and `ready` says so.
pub(super) async fn health(
    State(house): State<Arc<House>>,
) -> Result<Json<serde_json::Value>, Sorry> {
    if house.store.total().await? != rules::money::Cents::ZERO {
        return Err(Sorry(StatusCode::SERVICE_UNAVAILABLE, "the books do not balance"));
    }
    if house.tables.iter().any(|door| door.asks.is_closed()) {
        return Err(Sorry(StatusCode::SERVICE_UNAVAILABLE, "a table is closed"));
    }
    Ok(Json(json!({ "ok": true })))
}

/// Whether everybody could play: something can be written, no table is closed or stands still, and the
/// house does not close.
pub(super) async fn ready(
    State(house): State<Arc<House>>,
) -> Result<Json<serde_json::Value>, Sorry> {
    let not = |sentence| Err(Sorry(StatusCode::SERVICE_UNAVAILABLE, sentence));
    if *house.closing.borrow() {
        return not("the house closes");
    }
    if house.tables.iter().any(|door| door.asks.is_closed()) {
        return not("a table is closed");
    }
    if let Some(door) = house.tables.first() {
        let table = door.about.table.clone();
        // A task of its own: who asks and goes away at once must not begin another probe.
        match tokio::spawn(probe(house.clone(), table)).await {
            Ok(Ok(())) => {}
            Ok(Err(StoreError::Full)) => return not("the disk of the house is full"),
            _ => return not("the store cannot be written"),
        }
    }
    if house.tables.iter().any(|door| door.glance.borrow().is_troubled) {
        return not("a table stands still, since the disk fails");
    }
    Ok(Json(json!({ "ready": true })))
}

/// Whether something can be written, as it was [`PROBED_FOR`] ago at most: one probe serves all who wait.
async fn probe(house: Arc<House>, table: String) -> Result<(), StoreError> {
    let mut last = house.probed.lock().await;
    match &*last {
        Some((at, found)) if at.elapsed() < PROBED_FOR => found.clone(),
        _ => {
            let found = house.store.probe(&table).await;
            *last = Some((Instant::now(), found.clone()));
            found
        }
    }
}

/// Counters and gauges in the text format of Prometheus.
pub(super) async fn metrics(State(house): State<Arc<House>>) -> Response {
    let mut page = Page::default();
    COUNTED.write(&mut page);
    let sockets = house.limits.sockets.saturating_sub(house.sockets.available_permits());
    page.head("sockets", "gauge", "Sockets that are open.");
    page.line("sockets", &[], sockets);
    page.head("tables", "gauge", "Tables by what they wait for.");
    for (state, tables) in states(&house.tables) {
        page.line("tables", &[("awaits", &state)], tables);
    }
    let glances: Vec<(&str, Glance)> = house
        .tables
        .iter()
        .map(|door| (door.about.table.as_str(), door.glance.borrow().clone()))
        .collect();
    page.head("seats_taken", "gauge", "Seats that are taken.");
    for (table, glance) in &glances {
        page.line("seats_taken", &[("table", table)], glance.taken);
    }
    page.head("viewers", "gauge", "Sockets that show a table.");
    for (table, glance) in &glances {
        page.line("viewers", &[("table", table)], glance.viewers);
    }
    page.head("queue_depth", "gauge", "What waits for the store, and for each table.");
    page.line("queue_depth", &[("queue", &"store")], house.store.waiting());
    for door in &house.tables {
        let waiting = door.asks.max_capacity() - door.asks.capacity();
        page.line("queue_depth", &[("queue", &"table"), ("table", &door.about.table)], waiting);
    }
    page.head("meter_cents", "gauge", "What the progressive meter of a table shows.");
    for (table, glance) in &glances {
        if let Some(meter) = glance.meter {
            page.line("meter_cents", &[("table", table)], meter.get());
        }
    }
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (kind, page.text()).into_response()
}

/// How many tables wait for what.
fn states(doors: &[TableDoor]) -> BTreeMap<String, usize> {
    let mut states = BTreeMap::new();
    for door in doors {
        let glance = door.glance.borrow();
        let state = match glance.awaits {
            _ if door.asks.is_closed() => "closed".to_owned(),
            _ if glance.is_troubled => "disk".to_owned(),
            awaits => serde_json::to_value(awaits)
                .ok()
                .and_then(|word| word.as_str().map(str::to_owned))
                .unwrap_or_default(),
        };
        *states.entry(state).or_default() += 1;
    }
    states
}

/// Copies the store into a new file beside it, while the house is open.
pub(super) async fn back_up(
    State(house): State<Arc<House>>,
    headers: HeaderMap,
) -> Result<Json<BackupView>, Refusal> {
    let who = house.with_role(&headers, &[Role::Operator]).await?;
    let folder = house.data.join(BACKUPS);
    let failed = |error: std::io::Error| {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, format!("{BACKUPS} cannot be used: {error}"))
    };
    std::fs::create_dir_all(&folder).map_err(failed)?;
    if std::fs::read_dir(&folder).map_err(failed)?.count() >= MOST_BACKUPS {
        let sentence = format!("{BACKUPS} has {MOST_BACKUPS} files; move some of them away");
        return Err(Refusal::conflict(sentence));
    }
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let file = format!("{BACKUPS}/pitboss-{}.db", since.as_millis());
    house.store.back_up(&house.data.join(&file)).await?;
    let bytes = std::fs::metadata(house.data.join(&file)).map_err(failed)?.len();
    tracing::info!(who = %who.name, what = "backup", file, bytes, "an act of an operator");
    Ok(Json(BackupView { file, bytes }))
}

/// The open tables.
pub(super) async fn tables(State(house): State<Arc<House>>) -> Json<Vec<OpenTable>> {
    let table = |TableDoor { about, asks, glance }: &TableDoor| {
        let Glance { taken, seats, viewers, meter, awaits, .. } = *glance.borrow();
        OpenTable {
            table: about.table.clone(),
            game: about.game,
            title: about.title,
            about: about.clone(),
            taken,
            seats,
            meter: meter.map(|meter| meter.to_string()),
            awaited: awaits,
            watchable: viewers < house.limits.viewers && !asks.is_closed(),
        }
    };
    Json(house.tables.iter().map(table).collect())
}
