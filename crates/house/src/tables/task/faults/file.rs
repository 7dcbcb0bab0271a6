//! The store itself with a file of its own, and what can be wrong with a file: somebody else holds it, a
//! statement fails, the transaction is given up, there is no more room. Nothing of it is pretended but
//! the reply that is lost.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard};
use std::time::Duration;

use audit::chain::Entry;
use rules::money::Cents;
use rules::progressive::Figures;
use rules::table::{Account, Name};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, Row};
use tokio::runtime::Runtime;

use super::failing::{Failing, Failure, panic};
use super::{Breakable, Commands};
use crate::scratch;
use crate::store::{
    Append, Checkpoint, Command, Corrections, Known, Money, Opener, People, Players, Store,
    StoreError, Tables, When,
};
use crate::tables::dealer::SealedOrder;

/// Pages that a disk has left when it is about to be full.
const MOST_ROOM: usize = 8;

/// How long somebody waits for a file that somebody else holds.
const LONGEST_WAIT: Duration = Duration::from_millis(20);

/// Where the store's own time passes, while that of the tables stands still.
static DISK: LazyLock<Runtime> = LazyLock::new(|| {
    let runtime = tokio::runtime::Builder::new_multi_thread();
    { runtime }.worker_threads(1).enable_all().build().unwrap()
});

/// What a statement of the log is answered with while the disk is broken.
const BROKEN: [&str; 2] = [
    "CREATE TRIGGER broken BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'broken'); END",
    "CREATE TRIGGER broken BEFORE INSERT ON entries BEGIN SELECT RAISE(ROLLBACK, 'broken'); END",
];

struct Inside {
    path: PathBuf,
    store: Store,
    failing: Failing,
    /// Whether there is no room beyond what the file has.
    is_full: bool,
}

/// A store, and its file.
#[derive(Clone)]
pub(super) struct File(Arc<Mutex<Inside>>);

/// Waits for what the store does, without the clock of the tables going on.
async fn on_disk<T: Send + 'static>(does: impl Future<Output = T> + Send + 'static) -> T {
    tokio::task::spawn_blocking(|| DISK.block_on(does)).await.unwrap()
}

fn options(path: &Path) -> SqliteConnectOptions {
    let options = SqliteConnectOptions::new().filename(path).create_if_missing(true);
    // Whether a flush is one is not what is tried here.
    let options = options.synchronous(SqliteSynchronous::Off).busy_timeout(LONGEST_WAIT);
    options.page_size(512).foreign_keys(true)
}

async fn opened(options: SqliteConnectOptions) -> Store {
    on_disk(async { Store::with(options, Opener::House).await.unwrap() }).await
}

impl File {
    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.0.lock().unwrap()
    }

    fn store(&self) -> Store {
        self.inside().store.clone()
    }

    /// Reads, where the disk answers.
    async fn read<T: Send + 'static, F>(
        &self,
        read: impl FnOnce(Store) -> F + Send,
    ) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, StoreError>> + Send + 'static,
    {
        if self.inside().failing.next_read() {
            return Err(StoreError::Failed("it cannot be read".to_owned()));
        }
        on_disk(read(self.store())).await
    }

    /// A connection beside the store's own.
    async fn beside(&self) -> SqliteConnection {
        let options = options(&self.inside().path);
        on_disk(async move { options.connect().await.unwrap() }).await
    }

    /// Leaves no more room than so many pages, or all of it.
    async fn leave_room(&self, pages: Option<usize>) {
        let mut options = options(&self.inside().path);
        if let Some(pages) = pages {
            let mut beside = self.beside().await;
            let there = on_disk(async move {
                let row = sqlx::query("PRAGMA page_count").fetch_one(&mut beside).await.unwrap();
                row.get::<i64, _>(0)
            });
            let most = there.await + i64::try_from(pages).unwrap();
            options = options.pragma("max_page_count", most.to_string());
        }
        let store = opened(options).await;
        let mut inside = self.inside();
        (inside.store, inside.is_full) = (store, pages.is_some());
    }

    /// Adds while the disk is broken in one way or another.
    async fn add_broken(&self, append: Append) -> Result<(), StoreError> {
        let way = self.inside().failing.numbers.below(BROKEN.len() + 1);
        let (store, mut beside) = (self.store(), self.beside().await);
        on_disk(async move {
            match BROKEN.get(way) {
                Some(broken) => {
                    sqlx::raw_sql(*broken).execute(&mut beside).await.unwrap();
                    let added = store.append(append).await;
                    sqlx::raw_sql("DROP TRIGGER broken").execute(&mut beside).await.unwrap();
                    added
                }
                None => {
                    let held = beside.begin_with("BEGIN IMMEDIATE").await.unwrap();
                    let added = store.append(append).await;
                    held.rollback().await.unwrap();
                    added
                }
            }
        })
        .await
    }
}

impl Breakable for File {
    async fn new(seed: u64, failing: Failing) -> File {
        static FILES: AtomicU64 = AtomicU64::new(0);
        let number = FILES.fetch_add(1, Ordering::Relaxed);
        let path = scratch::file(&format!("fault-{}-{seed}-{number}", std::process::id()));
        let store = opened(options(&path)).await;
        File(Arc::new(Mutex::new(Inside { path, store, failing, is_full: false })))
    }

    async fn heal(&self) {
        self.inside().failing.heal();
        self.leave_room(None).await;
    }

    fn failures(&self) -> u32 {
        self.inside().failing.failures
    }

    async fn welcome(&self, player: &Name) {
        let (store, player) = (self.store(), player.clone());
        let token = format!("token of {player}");
        on_disk(async move { store.add_guest(&player, &token).await.unwrap() }).await;
    }

    async fn log(&self, table: &str) -> Vec<Entry> {
        let (store, table) = (self.store(), table.to_owned());
        on_disk(async move { store.entries(&table, 1, u64::MAX).await.unwrap() }).await
    }

    async fn commands(&self) -> Commands {
        let mut beside = self.beside().await;
        let rows = on_disk(async move {
            let rows = sqlx::query("SELECT player, id, table_id, seq FROM commands");
            rows.fetch_all(&mut beside).await.unwrap()
        });
        let number = |seq: i64| u64::try_from(seq).unwrap();
        let rows = rows.await.into_iter();
        rows.map(|row| ((row.get(0), row.get(1)), (row.get(2), number(row.get(3))))).collect()
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        if let Some(folder) = self.path.parent() {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

impl Players for File {}

impl Corrections for File {}

impl Tables for File {
    async fn append(&self, append: Append) -> Result<(), StoreError> {
        let (failure, is_full) = {
            let mut inside = self.inside();
            (inside.failing.next(), inside.is_full)
        };
        if is_full != (failure == Some(Failure::Full)) {
            let pages = self.inside().failing.numbers.below(MOST_ROOM);
            self.leave_room((!is_full).then_some(pages)).await;
        }
        let store = self.store();
        let added = match failure {
            Some(Failure::PanicBefore) => panic(),
            Some(Failure::Nothing) => self.add_broken(append).await,
            _ => on_disk(async move { store.append(append).await }).await,
        };
        let added = match (added, failure) {
            (_, Some(Failure::PanicAfter)) => panic(),
            (Ok(()), Some(Failure::Unheard)) => {
                Err(StoreError::Failed("the writer has stopped".to_owned()))
            }
            (added, _) => added,
        };
        let is_failed = matches!(added, Err(StoreError::Full | StoreError::Failed(_)));
        self.inside().failing.failures += u32::from(is_failed);
        added
    }

    async fn own(&self, table: &str) -> Result<i64, StoreError> {
        let (store, table) = (self.store(), table.to_owned());
        on_disk(async move { store.own(&table).await }).await
    }

    async fn epoch(&self, table: &str) -> Result<Option<i64>, StoreError> {
        let table = table.to_owned();
        self.read(|store| async move { store.epoch(&table).await }).await
    }

    async fn entries(&self, table: &str, from: u64, to: u64) -> Result<Vec<Entry>, StoreError> {
        let table = table.to_owned();
        self.read(move |store| async move { store.entries(&table, from, to).await }).await
    }

    async fn checkpoint(&self, table: &str, when: When) -> Result<Option<Checkpoint>, StoreError> {
        let table = table.to_owned();
        self.read(move |store| async move { store.checkpoint(&table, when).await }).await
    }

    async fn sealed(&self, table: &str, shoe: u32) -> Result<SealedOrder, StoreError> {
        let table = table.to_owned();
        self.read(move |store| async move { store.sealed(&table, shoe).await }).await
    }

    async fn known(&self, command: &Command) -> Result<Option<Known>, StoreError> {
        let command = command.clone();
        self.read(|store| async move { store.known(&command).await }).await
    }

    async fn decks(&self, table: &str) -> Result<Option<i64>, StoreError> {
        let table = table.to_owned();
        self.read(|store| async move { store.decks(&table).await }).await
    }

    async fn probe(&self, _table: &str) -> Result<(), StoreError> {
        Ok(())
    }
}

impl Money for File {
    async fn balance(&self, table: &str, account: &Account) -> Result<Cents, StoreError> {
        let (table, account) = (table.to_owned(), account.clone());
        self.read(|store| async move { store.balance(&table, &account).await }).await
    }

    async fn add_progressive(
        &self,
        name: &'static str,
        figures: Figures,
    ) -> Result<(), StoreError> {
        let store = self.store();
        on_disk(async move { store.add_progressive(name, figures).await }).await
    }

    async fn figures(&self, name: &str) -> Result<Option<Figures>, StoreError> {
        let name = name.to_owned();
        self.read(|store| async move { store.figures(&name).await }).await
    }

    async fn meter_since(&self, table: &str) -> Result<u64, StoreError> {
        let table = table.to_owned();
        self.read(|store| async move { store.meter_since(&table).await }).await
    }

    async fn total(&self) -> Result<Cents, StoreError> {
        self.read(|store| async move { store.total().await }).await
    }
}
