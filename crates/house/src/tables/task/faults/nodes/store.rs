//! One store for all nodes, with leases by its own clock; and how a node reaches it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use audit::chain::Entry;
use rules::money::Cents;
use rules::progressive::Figures;
use rules::table::Account;
use tokio::time::{Instant, sleep};

use super::super::Breakable as _;
use super::super::disk::Disk;
use super::super::numbers::Numbers;
use super::machine::Machine;
use crate::store::{
    Append, Checkpoint, Command, Corrections, HEAD_START, Known, LEASE, Money, Players, StoreError,
    StoreResult, Tables, When,
};
use crate::tables::dealer::SealedOrder;

/// Who owns a table, as the store has it.
#[derive(Clone)]
pub(super) struct Owned {
    pub(super) node: Option<&'static str>,
    pub(super) epoch: i64,
    pub(super) until: Instant,
    pub(super) wanted: Option<&'static str>,
}

/// Who wrote a table last, and under which epoch.
type Writer = (i64, u64);

struct Inside {
    numbers: Numbers,
    leases: BTreeMap<String, Owned>,
    /// Where each node listens, and when it was last heard of.
    inboxes: BTreeMap<&'static str, (String, Instant)>,
    writers: BTreeMap<String, Writer>,
    is_faulty: bool,
    pauses: u32,
    fenced: u32,
    takeovers: u32,
}

/// The store.
pub(super) struct Shared {
    pub(super) disk: Disk,
    inside: Mutex<Inside>,
}

impl Shared {
    pub(super) fn new(disk: Disk, numbers: Numbers) -> Arc<Shared> {
        let inside = Inside {
            numbers,
            leases: BTreeMap::new(),
            inboxes: BTreeMap::new(),
            writers: BTreeMap::new(),
            is_faulty: true,
            pauses: 0,
            fenced: 0,
            takeovers: 0,
        };
        Arc::new(Shared { disk, inside: Mutex::new(inside) })
    }

    pub(super) async fn heal(&self) {
        self.inside.lock().unwrap().is_faulty = false;
        self.disk.heal().await;
    }

    /// How often a program was paused at a commit, was refused as a former owner, and a table changed
    /// hands.
    pub(super) fn tally(&self) -> (u32, u32, u32) {
        let inside = self.inside.lock().unwrap();
        (inside.pauses, inside.fenced, inside.takeovers)
    }

    /// Only one run of one program ever writes under an epoch, and none under an older one.
    fn note_writer(&self, table: &str, epoch: i64, run: u64) {
        let mut inside = self.inside.lock().unwrap();
        let before = inside.writers.insert(table.to_owned(), (epoch, run));
        let Some((last, by)) = before else { return };
        assert!(epoch >= last, "{table} was written under epoch {epoch} after {last}");
        assert!(epoch > last || by == run, "{table} was written twice under epoch {epoch}");
    }
}

/// The store as a run of a node reaches it.
#[derive(Clone)]
pub(super) struct NodeStore {
    pub(super) shared: Arc<Shared>,
    machine: Machine,
}

impl NodeStore {
    pub(super) fn new(shared: &Arc<Shared>, machine: &Machine) -> NodeStore {
        NodeStore { shared: shared.clone(), machine: machine.clone() }
    }

    /// Something is on its way to the store or back, and the program may stop there for longer than its
    /// lease.
    async fn travels(&self) {
        let (way, pause) = {
            let mut inside = self.shared.inside.lock().unwrap();
            let way = inside.numbers.below(4) as u64;
            let stops = inside.is_faulty && inside.numbers.happens(3);
            let pause = stops.then(|| 100 + inside.numbers.below(6_000) as u64);
            inside.pauses += u32::from(stops);
            (way, pause)
        };
        if let Some(pause) = pause {
            self.machine.pause(Duration::from_millis(pause));
        }
        sleep(Duration::from_millis(way)).await;
        self.machine.awake().await;
    }

    /// Whether a commit comes to the store only after its owner is gone, or is none any more.
    fn comes_late(&self) -> Option<Duration> {
        let mut inside = self.shared.inside.lock().unwrap();
        let is_late = inside.is_faulty && inside.numbers.happens(2);
        is_late.then(|| Duration::from_millis(inside.numbers.below(3_000) as u64))
    }

    /// Lets the others know where this node listens.
    pub(super) async fn join(&self, inbox: &str) {
        let mut inside = self.shared.inside.lock().unwrap();
        inside.inboxes.insert(self.machine.name, (inbox.to_owned(), Instant::now()));
    }

    /// Keeps what this node still owns, and tells what that is.
    pub(super) async fn renew(&self) -> StoreResult<Vec<(String, i64)>> {
        self.travels().await;
        if let Some((_, seen)) =
            self.shared.inside.lock().unwrap().inboxes.get_mut(self.machine.name)
        {
            *seen = Instant::now();
        }
        let mut held = Vec::new();
        let tables: Vec<String> =
            self.owners().await.into_iter().map(|(table, ..)| table).collect();
        for table in tables {
            let epoch = self.shared.disk.epoch(&table).await?;
            let mut inside = self.shared.inside.lock().unwrap();
            let owned = inside.leases.get_mut(&table).unwrap();
            if owned.node == Some(self.machine.name) && Some(owned.epoch) == epoch {
                owned.until = Instant::now() + LEASE;
                held.push((table, owned.epoch));
            }
        }
        self.travels().await;
        Ok(held)
    }

    /// Who owns what, and where those listen.
    pub(super) async fn owners(&self) -> Vec<(String, Owned, Option<String>)> {
        let inside = self.shared.inside.lock().unwrap();
        let row = |(table, owned): (&String, &Owned)| {
            let node = owned.node.and_then(|node| inside.inboxes.get(node));
            (table.clone(), owned.clone(), node.map(|(inbox, _)| inbox.clone()))
        };
        inside.leases.iter().map(row).collect()
    }

    pub(super) fn inbox_of(&self, node: &str) -> Option<String> {
        self.shared.inside.lock().unwrap().inboxes.get(node).map(|(inbox, _)| inbox.clone())
    }

    /// Every node, where it listens, and how long ago it was heard of.
    pub(super) fn nodes(&self) -> Vec<(&'static str, String, Duration)> {
        let inside = self.shared.inside.lock().unwrap();
        let node = |(name, (inbox, seen)): (&&'static str, &(String, Instant))| {
            (*name, inbox.clone(), seen.elapsed())
        };
        inside.inboxes.iter().map(node).collect()
    }

    /// Lets go of a table; where that does not come to the store, the lease expires.
    pub(super) async fn release(&self, table: &str, epoch: i64, to: &'static str) {
        self.travels().await;
        let mut inside = self.shared.inside.lock().unwrap();
        if inside.is_faulty && inside.numbers.happens(50) {
            return;
        }
        if let Some(owned) = inside.leases.get_mut(table).filter(|owned| owned.epoch == epoch) {
            *owned = Owned { node: None, epoch, until: Instant::now(), wanted: Some(to) };
        }
    }
}

impl Players for NodeStore {}

impl Corrections for NodeStore {}

impl Tables for NodeStore {
    /// Takes a table that nobody owns any more, as the real store does (`store::leases`).
    async fn own(&self, table: &str) -> StoreResult<i64> {
        self.travels().await;
        let (now, me) = (Instant::now(), self.machine.name);
        let before = self.shared.inside.lock().unwrap().leases.get(table).cloned();
        let may_take = before.as_ref().is_none_or(|owned| {
            let is_waited_for = owned.wanted.is_some_and(|wanted| wanted != me);
            let is_free = owned.until + if is_waited_for { HEAD_START } else { Duration::ZERO };
            owned.node == Some(me) || is_free <= now
        });
        if !may_take {
            return Err(StoreError::Owned);
        }
        let epoch = self.shared.disk.own(table).await?;
        {
            let mut inside = self.shared.inside.lock().unwrap();
            inside.takeovers += u32::from(before.is_some());
            let owned = Owned { node: Some(me), epoch, until: now + LEASE, wanted: None };
            inside.leases.insert(table.to_owned(), owned);
        }
        self.travels().await;
        Ok(epoch)
    }

    async fn epoch(&self, table: &str) -> StoreResult<Option<i64>> {
        self.machine.awake().await;
        self.shared.disk.epoch(table).await
    }

    async fn append(&self, append: Append) -> StoreResult<()> {
        self.travels().await;
        let (table, epoch, run) = (append.table.clone(), append.epoch, self.machine.run);
        let (shared, name) = (self.shared.clone(), table.clone());
        let commit = async move {
            let (before, current) = shared.disk.stands(&table);
            let done = shared.disk.append(append).await;
            let is_written = done.is_ok() || shared.disk.stands(&table).0 > before;
            match is_written {
                true => shared.note_writer(&table, epoch, run),
                false => shared.inside.lock().unwrap().fenced += u32::from(current != epoch),
            }
            assert_eq!(shared.disk.total().await?, Cents::ZERO, "the books come to nothing");
            done
        };
        if let Some(late) = self.comes_late() {
            let (machine, shared) = (self.machine.clone(), self.shared.clone());
            tokio::spawn(async move {
                sleep(late).await;
                // The store ends what is open of a connection that is lost before it takes another.
                if machine.is_dead() || shared.disk.stands(&name).1 != epoch {
                    let _ = commit.await;
                }
            });
            return Err(StoreError::Failed("the connection is lost".to_owned()));
        }
        let done = commit.await;
        self.travels().await;
        done
    }

    async fn entries(&self, table: &str, from: u64, to: u64) -> StoreResult<Vec<Entry>> {
        self.machine.awake().await;
        self.shared.disk.entries(table, from, to).await
    }

    async fn checkpoint(&self, table: &str, when: When) -> StoreResult<Option<Checkpoint>> {
        self.travels().await;
        self.shared.disk.checkpoint(table, when).await
    }

    async fn sealed(&self, table: &str, shoe: u32) -> StoreResult<SealedOrder> {
        self.machine.awake().await;
        self.shared.disk.sealed(table, shoe).await
    }

    async fn known(&self, command: &Command) -> StoreResult<Option<Known>> {
        self.travels().await;
        self.shared.disk.known(command).await
    }

    async fn decks(&self, table: &str) -> StoreResult<Option<i64>> {
        self.machine.awake().await;
        self.shared.disk.decks(table).await
    }

    async fn probe(&self, table: &str) -> StoreResult<()> {
        self.travels().await;
        self.shared.disk.probe(table).await
    }
}

impl Money for NodeStore {
    async fn balance(&self, table: &str, account: &Account) -> StoreResult<Cents> {
        self.machine.awake().await;
        self.shared.disk.balance(table, account).await
    }

    async fn add_progressive(&self, name: &'static str, figures: Figures) -> StoreResult<()> {
        self.shared.disk.add_progressive(name, figures).await
    }

    async fn figures(&self, name: &str) -> StoreResult<Option<Figures>> {
        self.travels().await;
        self.shared.disk.figures(name).await
    }

    async fn meter_since(&self, table: &str) -> StoreResult<u64> {
        self.machine.awake().await;
        self.shared.disk.meter_since(table).await
    }

    async fn total(&self) -> StoreResult<Cents> {
        self.shared.disk.total().await
    }
}
