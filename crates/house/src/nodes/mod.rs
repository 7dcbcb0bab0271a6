//! A node among the nodes of a house: which tables it takes, gives and loses, by what the store says.
//!
//! The store has the leases and the clock. A node renews its leases, takes tables that nobody owns any more,
//! gives others a fair share of its own, and hands everything over before it stops.

pub(crate) mod spread;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::StreamExt;
use tokio::sync::{Notify, Semaphore, watch};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout};
use wire::bus::{TableSeen, ToNode};

use crate::bus::{self, BusError};
use crate::floor::{Floor, TableDoor};
use crate::relay::{Heard, Owner, Relay};
use crate::store::{LEASE, Leases, NodeInfo, NodeRow, OwnerRow, Store, StoreError, StoreResult};
use crate::tables::progressive::Progressive;
use spread::{LONGEST_UNOWNED, Spread, Unowned, is_open_to};

/// How often a node renews its leases, and looks who owns what.
pub const LOOKS_EVERY: Duration = Duration::from_millis(500);

/// How many tables a node takes over at a time: fewer than it has connections that read.
const TAKEN_TOGETHER: usize = 4;

/// How long a node that stops waits for rounds to end, where the others have other rules.
const LONGEST_ROUND_WAIT: Duration = Duration::from_secs(2);

/// How long a node that stops has to hand its tables over, also where the store does not answer.
const LONGEST_LEAVE: Duration = Duration::from_secs(5);

/// A node of a house that has several.
pub(crate) struct Node {
    info: NodeInfo,
    store: Store,
    floor: Arc<Floor>,
    relay: Arc<Relay>,
    progressive: Option<Progressive>,
    /// Says that it should look at once.
    look: Notify,
    /// Whether it gives its tables away, and takes none.
    is_leaving: AtomicBool,
    /// Whether another run has its name.
    is_replaced: AtomicBool,
    /// When its leases were last renewed.
    renewed: Mutex<Option<Instant>>,
    /// Who owns what, and which nodes there are, as it was last seen.
    sight: watch::Sender<Sight>,
    /// Who may take a table over now.
    turns: Semaphore,
}

/// Who owns what, and which nodes there are.
type Sight = Arc<(Vec<OwnerRow>, Vec<NodeRow>)>;

impl Node {
    /// Joins the nodes of the house.
    pub(crate) async fn join(
        info: NodeInfo,
        store: Store,
        floor: Arc<Floor>,
        relay: Arc<Relay>,
        progressive: Option<Progressive>,
    ) -> StoreResult<Node> {
        store.join(&info).await?;
        Ok(Node {
            info,
            store,
            floor,
            relay,
            progressive,
            look: Notify::new(),
            is_leaving: AtomicBool::new(false),
            is_replaced: AtomicBool::new(false),
            renewed: Mutex::default(),
            sight: watch::Sender::default(),
            turns: Semaphore::new(TAKEN_TOGETHER),
        })
    }

    /// What passes between this node and the others.
    pub(crate) fn relay(&self) -> &Arc<Relay> {
        &self.relay
    }

    /// Whether the bus is there, and the leases hold.
    pub(crate) fn is_well(&self) -> bool {
        let renewed = *self.renewed.lock().unwrap_or_else(PoisonError::into_inner);
        let is_replaced = self.is_replaced.load(Ordering::Relaxed);
        self.relay.bus.is_up() && !is_replaced && renewed.is_some_and(|at| at.elapsed() < LEASE)
    }

    /// Listens to the other nodes, until the house closes.
    pub(crate) async fn listen(self: Arc<Node>, closing: watch::Receiver<bool>) {
        while let Err(error) = self.hear(closing.clone()).await {
            tracing::warn!(what = "bus", why = %error, "this node hears nothing");
            sleep(LOOKS_EVERY).await;
        }
    }

    async fn hear(&self, mut closing: watch::Receiver<bool>) -> Result<(), BusError> {
        let bus = &self.relay.bus;
        let mut inbox = bus.subscribe(bus.to_node(bus.inbox())).await?;
        let mut glances = bus.subscribe(bus.subject("glance")).await?;
        loop {
            tokio::select! {
                _ = closing.changed() => return Ok(()),
                Some(message) = inbox.next() => {
                    let heard = bus::read::<ToNode>(&message.payload);
                    match heard.and_then(|message| self.relay.hear(message)) {
                        Some(Heard::Left { table, epoch }) => {
                            self.floor.learn(&table, Owner::Nobody { since: epoch });
                        }
                        Some(Heard::Look) => self.look.notify_one(),
                        None => {}
                    }
                }
                Some(message) = glances.next() => {
                    let seen = bus::read::<TableSeen>(&message.payload);
                    if let Some(seen) = seen.filter(|seen| seen.inbox != bus.inbox()) {
                        self.floor.see(seen).await;
                    }
                }
            }
        }
    }

    /// Keeps its leases, whatever else takes long, until the house closes; and loses tables that are
    /// another node's by now.
    pub(crate) async fn keep_leases(self: Arc<Node>, mut closing: watch::Receiver<bool>) {
        let mut turns = interval(LOOKS_EVERY);
        turns.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = closing.changed() => return,
                _ = turns.tick() => {}
            }
            let asked = Instant::now();
            match self.store.renew(&self.info.name, LEASE).await {
                Ok(held) => self.holds(asked, held),
                Err(StoreError::Replaced) => self.stands_down(asked),
                Err(error) => {
                    tracing::error!(what = "lease", why = %error, "leases cannot be renewed");
                }
            }
        }
    }

    /// Another run has its name: whatever it had is not its own any more.
    fn stands_down(&self, asked: Instant) {
        if !self.is_replaced.swap(true, Ordering::Relaxed) {
            tracing::error!(what = "lease", node = self.info.name, why = %StoreError::Replaced, "this node stands down");
        }
        self.holds(asked, Vec::new());
    }

    /// Whether it takes and gives no tables any more.
    fn is_done(&self) -> bool {
        self.is_leaving.load(Ordering::Relaxed) || self.is_replaced.load(Ordering::Relaxed)
    }

    /// Notes what the store says that this node owns.
    fn holds(&self, asked: Instant, held: Vec<(String, i64)>) {
        *self.renewed.lock().unwrap_or_else(PoisonError::into_inner) = Some(asked);
        let held: HashMap<String, i64> = held.into_iter().collect();
        // What came since then may not be among it.
        let doors = self.floor.doors();
        for door in doors.iter().filter(|door| door.is_here() && door.was_there(asked)) {
            let table = &door.about.table;
            if door.has_moved() {
                self.floor.leave(table);
            } else if !held.get(table).is_some_and(|epoch| door.is_under(*epoch)) {
                self.floor.lose(table);
            }
        }
    }

    /// Looks who owns what, and takes tables, until the house closes.
    pub(crate) async fn look_around(self: Arc<Node>, mut closing: watch::Receiver<bool>) {
        let mut unowned = Unowned::new();
        loop {
            if let Err(error) = self.looks(&mut unowned).await {
                tracing::error!(what = "lease", why = %error, "it is not known who owns what");
            }
            tokio::select! {
                _ = closing.changed() => return,
                () = self.look.notified() => {}
                () = sleep(LOOKS_EVERY) => {}
            }
        }
    }

    async fn looks(self: &Arc<Node>, unowned: &mut Unowned) -> StoreResult<()> {
        let (rows, nodes) = (self.store.owners().await?, self.store.nodes().await?);
        let names: HashSet<String> =
            self.floor.doors().iter().map(|door| door.about.table.clone()).collect();
        for row in rows.iter().filter(|row| !names.contains(&row.table)) {
            self.floor.know(&row.table).await?;
        }
        let doors = self.floor.doors();
        let by_name: HashMap<&str, &Arc<TableDoor>> =
            doors.iter().map(|door| (door.about.table.as_str(), door)).collect();
        for row in &rows {
            let door = by_name.get(row.table.as_str());
            if let Some((door, owner)) = door.zip(self.owner(row, &nodes)) {
                door.learn(owner);
            }
        }
        let owned: HashSet<&str> = rows.iter().map(|row| row.table.as_str()).collect();
        for door in self.floor.doors().iter().filter(|door| door.is_old(LONGEST_UNOWNED)) {
            if !owned.contains(door.about.table.as_str()) {
                self.floor.forget(&door.about.table);
            }
        }
        let sight = Arc::new((rows, nodes));
        if !self.is_done() {
            self.takes(&Spread::new(&self.info, &sight.0, &sight.1), unowned);
        }
        self.sight.send_replace(sight);
        Ok(())
    }

    /// Gives tables to other nodes, until the house closes. A table that is slow to go holds up nothing else.
    pub(crate) async fn give_away(self: Arc<Node>, mut closing: watch::Receiver<bool>) {
        let mut sights = self.sight.subscribe();
        loop {
            tokio::select! {
                _ = closing.changed() => return,
                Ok(()) = sights.changed() => {}
            }
            let sight = sights.borrow_and_update().clone();
            if !self.is_done() {
                self.gives(&Spread::new(&self.info, &sight.0, &sight.1)).await;
            }
        }
    }

    /// Shows what the other nodes make of the meter that tables share, until the house closes.
    pub(crate) async fn follow_meter(self: Arc<Node>, mut closing: watch::Receiver<bool>) {
        let Some(progressive) = &self.progressive else { return };
        loop {
            tokio::select! {
                _ = closing.changed() => return,
                () = sleep(LOOKS_EVERY) => {}
            }
            if let Err(error) = progressive.refresh(&self.store).await {
                tracing::warn!(what = "store", why = %error, "the progressive meter cannot be read");
            }
        }
    }

    /// Which node owns a table. One whose lease has expired may still renew it under its epoch, so that it
    /// stays known until another has the table.
    fn owner(&self, row: &OwnerRow, nodes: &[NodeRow]) -> Option<Owner> {
        let owner = match &row.node {
            Some(name) if *name != self.info.name && row.left.is_zero() => return None,
            Some(name) => nodes.iter().find(|node| node.info.name == *name),
            None => None,
        };
        Some(match owner {
            // One with the name of this node may be a later run of it.
            Some(node) if node.info.address != self.info.address => {
                Owner::At { inbox: node.info.address.as_str().into(), epoch: row.epoch }
            }
            _ => Owner::Nobody { since: row.epoch },
        })
    }

    /// Begins to take tables that nobody owns, some at a time, up to a fair share.
    fn takes(self: &Arc<Node>, spread: &Spread<'_>, unowned: &mut Unowned) {
        let (doors, taking) = (self.floor.doors(), self.floor.being_taken());
        let is_taken = |door: &TableDoor| door.is_here() || taking.contains(&door.about.table);
        let tables: Vec<(&str, bool)> =
            doors.iter().map(|door| (door.about.table.as_str(), is_taken(door))).collect();
        for table in spread.takes(&tables, unowned, Instant::now()) {
            let Some(taking) = self.floor.taking(table) else { continue };
            let (node, table) = (self.clone(), table.to_owned());
            tokio::spawn(async move {
                let Ok(_turn) = node.turns.acquire().await else { return };
                if let Err(error) = node.floor.take_over(&taking).await {
                    tracing::error!(table, what = "open", why = %error, "a table cannot be taken");
                }
            });
        }
    }

    /// Gives tables to nodes that have fewer, and those that somebody wants elsewhere.
    async fn gives(&self, spread: &Spread<'_>) {
        for (row, node) in spread.wanted_elsewhere() {
            self.give(row, node).await;
        }
        let mut gives = spread.gives();
        while let Some((row, node)) = gives.next() {
            if self.give(row, node).await {
                gives.gave();
            }
        }
    }

    /// Gives a table to a node, also one that stays closed here or was not loaded: that node tries it then.
    async fn give(&self, row: &OwnerRow, node: &NodeRow) -> bool {
        let name = &node.info.name;
        let is_given = self.hand_over(&row.table, node).await
            || self.floor.release_unserved(&row.table, row.epoch, name).await;
        if is_given {
            self.relay.have_look(&node.info.address).await;
        }
        is_given
    }

    /// Hands a table over to a node: between rounds where that has other rules.
    async fn hand_over(&self, table: &str, node: &NodeRow) -> bool {
        let between_rounds = node.info.rules != self.info.rules;
        self.floor.hand_over(table, Some(&node.info.name), between_rounds).await
    }

    /// Hands every table over before the node stops: to the others in turn, or to whoever comes.
    pub(crate) async fn leave(&self) {
        self.is_leaving.store(true, Ordering::Relaxed);
        if timeout(LONGEST_LEAVE, self.hand_all_over()).await.is_err() {
            tracing::warn!(what = "moved", "not every table could be handed over");
        }
    }

    async fn hand_all_over(&self) {
        let others = timeout(LEASE, self.others()).await;
        let others = others.ok().and_then(Result::ok).unwrap_or_default();
        let doors = self.floor.doors();
        let own: Vec<&Arc<TableDoor>> = doors.iter().filter(|door| door.is_here()).collect();
        let give = async |number: usize, door: &TableDoor| {
            let table = &door.about.table;
            let Some(node) = others.get(number % others.len().max(1)) else { return };
            let since = Instant::now();
            while !self.hand_over(table, node).await {
                if since.elapsed() > LONGEST_ROUND_WAIT || door.asks.is_closed() {
                    self.floor.hand_over(table, Some(&node.info.name), false).await;
                    break;
                }
                sleep(LOOKS_EVERY / 5).await;
            }
            self.relay.have_look(&node.info.address).await;
        };
        let gives = own.iter().enumerate().map(|(number, door)| give(number, door));
        futures_util::future::join_all(gives).await;
    }

    async fn others(&self) -> StoreResult<Vec<NodeRow>> {
        self.store.set_draining(&self.info.name, true).await?;
        let nodes = self.store.nodes().await?;
        Ok(nodes.into_iter().filter(|node| is_open_to(&self.info, node)).collect())
    }

    /// Lets go of what it still owns, once its tables are closed.
    pub(crate) async fn release_all(&self) {
        let releases = async {
            for row in self.store.owners().await? {
                if row.node.as_deref() == Some(&*self.info.name) {
                    self.store.release(&row.table, row.epoch, None).await?;
                }
            }
            StoreResult::Ok(())
        };
        // They expire by themselves where the store does not answer.
        let _ = timeout(LEASE, releases).await;
    }
}
