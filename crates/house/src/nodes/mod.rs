//! A node among the nodes of a house: which tables it takes, gives and loses, by what the store says.
//!
//! The store has the leases and the clock. A node renews its leases, takes tables that nobody owns any more,
//! gives others a fair share of its own, and hands everything over before it stops.

pub(crate) mod spread;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::StreamExt;
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep, timeout};
use wire::bus::{TableSeen, ToNode};

use crate::bus::{self, BusError};
use crate::floor::{Floor, TableDoor};
use crate::relay::{Heard, Owner, Relay};
use crate::store::{LEASE, Leases, NodeInfo, NodeRow, OwnerRow, Store, StoreResult};
use crate::tables::progressive::Progressive;
use spread::{LONGEST_UNOWNED, Spread, Unowned, is_open_to};

/// How often a node renews its leases, and looks who owns what.
pub const LOOKS_EVERY: Duration = Duration::from_millis(500);

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
    /// When its leases were last renewed.
    renewed: Mutex<Option<Instant>>,
}

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
        let (look, is_leaving, renewed) = (Notify::new(), AtomicBool::new(false), Mutex::default());
        Ok(Node { info, store, floor, relay, progressive, look, is_leaving, renewed })
    }

    /// What passes between this node and the others.
    pub(crate) fn relay(&self) -> &Arc<Relay> {
        &self.relay
    }

    /// Whether the bus is there, and the leases hold.
    pub(crate) fn is_well(&self) -> bool {
        let renewed = *self.renewed.lock().unwrap_or_else(PoisonError::into_inner);
        self.relay.bus.is_up() && renewed.is_some_and(|at| at.elapsed() < LEASE)
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

    /// Renews its leases, and takes, gives and loses tables, until the house closes.
    pub(crate) async fn run(self: Arc<Node>, mut closing: watch::Receiver<bool>) {
        let mut unowned = Unowned::new();
        loop {
            if let Err(error) = self.looks(&mut unowned).await {
                tracing::error!(what = "lease", why = %error, "leases cannot be renewed");
            }
            tokio::select! {
                _ = closing.changed() => return,
                () = self.look.notified() => {}
                () = sleep(LOOKS_EVERY) => {}
            }
        }
    }

    async fn looks(&self, unowned: &mut Unowned) -> StoreResult<()> {
        let asked = Instant::now();
        let held = self.store.renew(&self.info.name, LEASE).await?;
        *self.renewed.lock().unwrap_or_else(PoisonError::into_inner) = Some(asked);
        for door in self.floor.doors().iter().filter(|door| door.is_here()) {
            let table = &door.about.table;
            if door.has_moved() {
                self.floor.leave(table).await;
            } else if !held.iter().any(|(name, epoch)| name == table && door.is_under(*epoch)) {
                self.floor.lose(table).await;
            }
        }
        let (rows, nodes) = (self.store.owners().await?, self.store.nodes().await?);
        if !nodes.iter().any(|node| node.info == self.info) {
            // Another run of this node, or whoever has its name.
            tracing::error!(what = "lease", node = self.info.name, "another node has this name");
        }
        for row in &rows {
            self.floor.know(&row.table).await?;
            self.learn(row, &nodes);
        }
        for door in self.floor.doors().iter() {
            if !rows.iter().any(|row| row.table == door.about.table) && door.is_old(LONGEST_UNOWNED)
            {
                self.floor.forget(&door.about.table);
            }
        }
        if let Some(progressive) = &self.progressive {
            progressive.refresh(&self.store).await?;
        }
        if self.is_leaving.load(Ordering::Relaxed) {
            return Ok(());
        }
        let spread = Spread::new(&self.info, &rows, &nodes);
        self.takes(&spread, unowned).await;
        self.gives(&spread).await;
        Ok(())
    }

    /// Notes which node owns a table. One whose lease has expired may still renew it under its epoch, so
    /// that it stays known until another has the table.
    fn learn(&self, row: &OwnerRow, nodes: &[NodeRow]) {
        let owner = match &row.node {
            Some(name) if *name != self.info.name && row.left.is_zero() => return,
            Some(name) => nodes.iter().find(|node| node.info.name == *name),
            None => None,
        };
        match owner {
            Some(node) if node.info.name != self.info.name => {
                let inbox = node.info.address.as_str().into();
                self.floor.learn(&row.table, Owner::At { inbox, epoch: row.epoch });
            }
            _ => self.floor.learn(&row.table, Owner::Nobody { since: row.epoch }),
        }
    }

    /// Takes tables that nobody owns, up to a fair share.
    async fn takes(&self, spread: &Spread<'_>, unowned: &mut Unowned) {
        let doors = self.floor.doors();
        let tables: Vec<(&str, bool)> =
            doors.iter().map(|door| (door.about.table.as_str(), door.is_here())).collect();
        for table in spread.takes(&tables, unowned, Instant::now()) {
            if let Err(error) = self.floor.take(table).await {
                tracing::error!(table, what = "open", why = %error, "a table cannot be taken");
            }
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
