//! Holds every log against the rest of the store while the house is open: gently, from its first entry
//! on, and then whatever is added. A table whose books do not agree is closed, and the others go on.

use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep};

use super::task::Ask;
use crate::people::names::HOUSE;
use crate::store::{Change, Difference, EventKind, HouseEvent, People, ReadOn, Store, TableBooks};

/// How long the house is open before it begins to look.
pub const RECONCILES_AFTER: Duration = Duration::from_secs(60);

/// How often it looks for new entries, and keeps how far it has come.
const EVERY: Duration = Duration::from_secs(60);

/// How much longer it rests than it works: it takes a tenth of a processor at the most.
const REST: u32 = 9;

/// How many times it reads on before it keeps how far it has come.
const KEEPS_EVERY: u32 = 50;

/// A table that is looked at.
struct Watched {
    name: String,
    asks: mpsc::WeakSender<Ask>,
    books: TableBooks,
}

/// Looks through all books until the house closes.
pub(crate) async fn reconcile_tables(
    store: Store,
    tables: impl Fn() -> Vec<(String, mpsc::WeakSender<Ask>)> + Send + Sync,
    after: Duration,
    mut closing: watch::Receiver<bool>,
) {
    tokio::select! {
        _ = closing.changed() => {}
        () = look(&store, &tables, after) => {}
    }
}

async fn look(
    store: &Store,
    tables: &(impl Fn() -> Vec<(String, mpsc::WeakSender<Ask>)> + Send + Sync),
    after: Duration,
) {
    sleep(after).await;
    match store.balance_difference().await {
        Ok(Some(difference)) => note(store, &difference).await,
        Ok(None) => {}
        Err(error) => tracing::warn!(what = "audit", why = %error, "no account was compared"),
    }
    let is_open = |asks: &mpsc::WeakSender<Ask>| asks.upgrade().is_some_and(|it| !it.is_closed());
    let (mut watched, mut reads): (Vec<Watched>, u32) = (Vec::new(), 0);
    // Tables whose books do not agree are looked at no more.
    let mut different: Vec<String> = Vec::new();
    loop {
        for (name, asks) in tables().into_iter().filter(|(_, asks)| is_open(asks)) {
            match watched.iter_mut().find(|table| table.name == name) {
                Some(table) => table.asks = asks,
                None if different.contains(&name) => {}
                None => {
                    let books = TableBooks::new(&name, &[]);
                    watched.push(Watched { name, asks, books });
                }
            }
        }
        let (mut is_busy, mut open) = (false, Vec::with_capacity(watched.len()));
        for mut table in watched {
            let begun = Instant::now();
            match store.read_books(&mut table.books).await {
                Ok(ReadOn::More) => is_busy = true,
                Ok(ReadOn::End) => {}
                Ok(ReadOn::Different(difference)) => {
                    note(store, &difference).await;
                    if let Some(asks) = table.asks.upgrade() {
                        let _ = asks.send(Ask::BooksDiffer).await;
                    }
                    different.push(table.name);
                    continue;
                }
                Err(error) => {
                    let table = &table.name;
                    tracing::warn!(table, what = "audit", why = %error, "its books could not be read");
                }
            }
            sleep(begun.elapsed() * REST).await;
            open.push(table);
        }
        watched = open;
        reads += 1;
        if !is_busy || reads.is_multiple_of(KEEPS_EVERY) {
            for table in &watched {
                if let Err(error) = store.keep_point(&table.books).await {
                    tracing::warn!(table = table.name, what = "audit", why = %error, "not kept");
                }
            }
        }
        if !is_busy {
            sleep(EVERY).await;
        }
    }
}

/// Keeps a difference as an event, and tells whoever reads the log.
pub(crate) async fn note(store: &Store, difference: &Difference) {
    tracing::error!(what = "audit", why = %difference, "the books do not agree");
    let (who, what, more) = (HOUSE.to_owned(), EventKind::Difference, difference.to_string());
    let event = HouseEvent { who, what, whom: None, more };
    if let Err(error) = store.change(Change::Note(event)).await {
        tracing::error!(what = "audit", why = %error, "the difference could not be saved as an event");
    }
}
