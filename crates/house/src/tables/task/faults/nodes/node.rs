//! A run of a node: it takes, loses and hands over tables as `nodes` and `floor` do, with the relay and
//! the owners of tables as they are.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::StreamExt;
use rules::terms::TermSheet;
use tokio::sync::{Notify, mpsc, oneshot, watch};
use tokio::time::{Instant, sleep, sleep_until};
use wire::bus::{TableSeen, ToNode};

use super::super::super::clock::ring;
use super::super::super::shared::moved;
use super::super::super::{Ask, Glance, MOST_ASKED, Means, Next, PROBED_EVERY, TableTask};
use super::super::numbers::Numbers;
use super::air::Link;
use super::machine::Machine;
use super::store::{NodeStore, Owned};
use super::{House, Tasks};
use crate::bus::{self, Bus};
use crate::metrics::Metrics;
use crate::nodes::LOOKS_EVERY;
use crate::nodes::spread::{Spread, Unowned};
use crate::relay::{Heard, Owner, Relay};
use crate::store::{NodeInfo, NodeRow, OwnerRow, StoreError};
use crate::tables::chips::Holdings;
use crate::tables::progressive::Progressive;

/// The way to a table.
pub(super) struct Door {
    pub(super) asks: mpsc::Sender<Ask>,
    owner: watch::Sender<Owner>,
    /// The epoch under which it is open here; none where somebody stands in for it.
    epoch: Option<i64>,
    glance: watch::Receiver<Glance>,
}

impl Door {
    pub(super) fn is_here(&self) -> bool {
        self.epoch.is_some()
    }

    pub(super) fn has_moved(&self) -> bool {
        self.is_here() && self.glance.borrow().has_moved
    }
}

/// A table that stopped, and what still asks it.
pub(super) type Stopped = (TableTask<NodeStore>, mpsc::Receiver<Ask>);

pub(super) struct Node {
    pub(super) machine: Machine,
    pub(super) link: Arc<Link>,
    house: Arc<House>,
    store: NodeStore,
    relay: Arc<Relay>,
    means: Means<NodeStore>,
    doors: Mutex<BTreeMap<String, Arc<Door>>>,
    closing: watch::Sender<bool>,
    look: Notify,
    numbers: Mutex<Numbers>,
    tasks: Tasks,
}

impl Node {
    /// Starts a node's program.
    pub(super) async fn start(
        house: &Arc<House>,
        machine: Machine,
        mut numbers: Numbers,
    ) -> Arc<Node> {
        let link = Link::new(&house.air, machine.clone());
        let store = NodeStore::new(&house.store, &machine);
        let inbox = format!("{}-{}", machine.name, machine.run);
        store.join(&inbox).await;
        let bus = Bus::over(link.clone(), "h1", inbox);
        let relay = Arc::new(Relay::new(bus, Metrics::default()));
        let progressive = loop {
            match Progressive::open(&store, house.seed()).await {
                Ok(progressive) => break progressive,
                Err(_) => sleep(LOOKS_EVERY).await,
            }
        };
        let means = Means {
            store: store.clone(),
            orders: super::super::orders(numbers.split()),
            salts: super::super::salts(numbers.split()),
            time_of_day: house.time_of_day.clone(),
            progressive: Some(progressive),
            holdings: Holdings::default(),
            ..house.means(&store)
        };
        let node = Node {
            machine,
            link,
            house: house.clone(),
            store,
            relay,
            means,
            doors: Mutex::default(),
            closing: watch::Sender::new(false),
            look: Notify::new(),
            numbers: Mutex::new(numbers),
            tasks: house.tasks.clone(),
        };
        let node = Arc::new(node);
        for table in house.sheets.keys() {
            node.stands_in(table, Owner::Nobody { since: 0 });
        }
        node.spawn(node.relay.clone().look_after(node.closing.subscribe()));
        node.spawn(node.clone().hears());
        node.spawn(node.clone().looks_for_ever());
        node
    }

    fn happens(&self, thousandths: usize) -> bool {
        self.house.is_faulty() && self.numbers.lock().unwrap().happens(thousandths)
    }

    /// Runs something until the program is killed.
    fn spawn(&self, what: impl Future<Output = ()> + Send + 'static) {
        let machine = self.machine.clone();
        self.tasks.spawn(async move {
            tokio::select! {
                biased;
                () = machine.died() => {}
                () = what => {}
            }
        });
    }

    pub(super) fn door(&self, table: &str) -> Arc<Door> {
        self.doors.lock().unwrap()[table].clone()
    }

    fn put(&self, table: &str, door: Door) {
        self.doors.lock().unwrap().insert(table.to_owned(), Arc::new(door));
    }

    /// Has somebody stand in for a table.
    fn stands_in(&self, table: &str, owner: Owner) {
        let (asks, asked) = mpsc::channel(MOST_ASKED);
        let owner = watch::Sender::new(owner);
        let closing = self.closing.subscribe();
        let (name, known) = (table.to_owned(), owner.subscribe());
        self.spawn(self.relay.clone().stand_in(name, known, asked, closing));
        let empty = rules::table::Table::new(self.house.sheets[table].clone());
        let (_, glance) = watch::channel(Glance::of(&empty, &[]));
        self.put(table, Door { asks, owner, epoch: None, glance });
    }

    async fn hears(self: Arc<Node>) {
        let bus = &self.relay.bus;
        loop {
            let inbox = bus.subscribe(bus.to_node(bus.inbox())).await;
            let glances = bus.subscribe(bus.subject("glance")).await;
            let (Ok(mut inbox), Ok(mut glances)) = (inbox, glances) else {
                sleep(LOOKS_EVERY).await;
                continue;
            };
            loop {
                tokio::select! {
                    biased;
                    Some(message) = inbox.next() => {
                        let heard = bus::read::<ToNode>(&message.payload);
                        match heard.and_then(|message| self.relay.hear(message)) {
                            Some(Heard::Left { table, epoch }) => {
                                self.learns(&table, Owner::Nobody { since: epoch });
                            }
                            Some(Heard::Look) => self.look.notify_one(),
                            None => {}
                        }
                    }
                    Some(message) = glances.next() => {
                        let seen = bus::read::<TableSeen>(&message.payload);
                        if let Some(seen) = seen.filter(|seen| seen.inbox != bus.inbox()) {
                            let inbox = seen.inbox.as_str().into();
                            self.learns(&seen.table, Owner::At { inbox, epoch: seen.epoch });
                        }
                    }
                }
            }
        }
    }

    fn learns(&self, table: &str, owner: Owner) {
        let door = self.door(table);
        if !door.is_here() {
            door.owner.send_if_modified(|known| known.learns(owner));
        }
    }

    async fn looks_for_ever(self: Arc<Node>) {
        let mut unowned = Unowned::new();
        loop {
            self.machine.awake().await;
            // A store that does not answer is asked again.
            let _ = self.looks(&mut unowned).await;
            tokio::select! {
                biased;
                () = self.look.notified() => {}
                () = sleep(LOOKS_EVERY) => {}
            }
        }
    }

    async fn looks(&self, unowned: &mut Unowned) -> Result<(), StoreError> {
        let held = self.store.renew().await?;
        for table in self.house.sheets.keys() {
            let door = self.door(table);
            let Some(epoch) = door.epoch else { continue };
            if door.has_moved() {
                self.leaves(table);
            } else if !held.iter().any(|(name, held)| name == table && *held == epoch) {
                let (answer, _) = oneshot::channel();
                let _ = door.asks.try_send(Ask::HandOver { between_rounds: false, answer });
            }
        }
        let rows = self.store.owners().await;
        let now = Instant::now();
        for (table, owned, inbox) in &rows {
            let is_other = owned.node.is_some_and(|node| node != self.machine.name);
            if is_other && owned.until <= now {
                continue;
            }
            let owner = match inbox.as_ref().filter(|_| is_other) {
                Some(inbox) => Owner::At { inbox: inbox.as_str().into(), epoch: owned.epoch },
                None => Owner::Nobody { since: owned.epoch },
            };
            self.learns(table, owner);
        }
        if let Some(progressive) = &self.means.progressive {
            progressive.refresh(&self.store).await?;
        }
        for table in self.free_tables(&rows, unowned) {
            if !self.happens(300) {
                // Another may have taken it, or the store does not answer: it is seen again soon.
                let _ = self.takes(&table).await;
            }
        }
        for table in self.house.sheets.keys() {
            if self.door(table).is_here() && self.happens(40) {
                self.hands_over(table).await;
            }
        }
        Ok(())
    }

    /// Which tables the node takes, as a node of the house decides that.
    fn free_tables(
        &self,
        rows: &[(String, Owned, Option<String>)],
        unowned: &mut Unowned,
    ) -> Vec<String> {
        let info = |name: &str, address: String| NodeInfo {
            name: name.to_owned(),
            address,
            rules: rules::RULES_VERSION.to_owned(),
        };
        let (now, me) = (Instant::now(), self.machine.name);
        let rows: Vec<OwnerRow> = rows
            .iter()
            .map(|(table, owned, _)| OwnerRow {
                table: table.clone(),
                node: owned.node.map(str::to_owned),
                epoch: owned.epoch,
                left: owned.until.saturating_duration_since(now),
                wanted: owned.wanted.map(str::to_owned),
            })
            .collect();
        let nodes = self.store.nodes().into_iter();
        let nodes: Vec<NodeRow> = nodes
            .map(|(name, inbox, seen)| NodeRow {
                info: info(name, inbox),
                seen,
                is_draining: false,
            })
            .collect();
        let me = info(me, String::new());
        let tables: Vec<(&str, bool)> = self
            .house
            .sheets
            .keys()
            .map(|table| (table.as_str(), self.door(table).is_here()))
            .collect();
        let spread = Spread::new(&me, &rows, &nodes);
        let taken = spread.takes(&tables, unowned, now);
        taken.into_iter().map(str::to_owned).collect()
    }

    /// Takes a table from where it was left.
    async fn takes(&self, table: &str) -> Result<(), StoreError> {
        let failed = |error: bus::BusError| StoreError::Failed(error.to_string());
        let host = self.relay.host(table).await.map_err(failed)?;
        let sheet: &TermSheet = &self.house.sheets[table];
        let task = match TableTask::load(table, sheet, self.means.clone()).await {
            Ok(task) => task,
            Err(error) if error.closes_a_table() => panic!("{table}: {error}"),
            Err(error) => return Err(error),
        };
        let (asks, asked) = mpsc::channel(MOST_ASKED);
        let (epoch, glance) = (task.epoch(), task.glance());
        let before = self.door(table);
        let owner = watch::Sender::new(Owner::Here);
        let door = Door { asks: asks.clone(), owner, epoch: Some(epoch), glance: glance.clone() };
        self.put(table, door);
        before.owner.send_replace(Owner::Here);
        let (house, name) = (self.house.clone(), table.to_owned());
        let (halt, closing) = (house.halt.subscribe(), self.closing.subscribe());
        let numbers = self.numbers.lock().unwrap().split();
        self.spawn(async move {
            if let Some(stopped) = run(task, asked, closing, halt, numbers).await {
                house.stopped.lock().unwrap().insert(name, stopped);
            }
        });
        self.spawn(host.run(epoch, asks, glance));
        Ok(())
    }

    /// Has somebody stand in for a table that was open here.
    fn leaves(&self, table: &str) {
        if let Some(epoch) = self.door(table).epoch {
            self.stands_in(table, Owner::Nobody { since: epoch });
        }
    }

    /// Hands a table over to the other node, between two inputs or between rounds.
    async fn hands_over(&self, table: &str) {
        let Some(other) = self.house.other(self.machine.name) else { return };
        let (answer, answered) = oneshot::channel();
        let between_rounds = self.happens(500);
        let ask = Ask::HandOver { between_rounds, answer };
        if self.door(table).asks.send(ask).await.is_err() {
            return;
        }
        let Ok(Some(epoch)) = answered.await else { return };
        self.house.count(|tally| tally.handed_over += 1);
        self.store.release(table, epoch, other).await;
        self.leaves(table);
        if let Some(inbox) = self.store.inbox_of(other) {
            self.relay.have_look(&inbox).await;
        }
    }
}

/// Runs a table as [`TableTask::run`] does, with what comes first at the same moment by the seed. Gives the
/// table where it was stopped to be looked at.
async fn run(
    mut task: TableTask<NodeStore>,
    mut asked: mpsc::Receiver<Ask>,
    mut closing: watch::Receiver<bool>,
    mut halt: watch::Receiver<bool>,
    mut numbers: Numbers,
) -> Option<Stopped> {
    loop {
        if *halt.borrow() {
            return Some((task, asked));
        }
        let (clock, leaves) = (task.next_due(), task.next_to_leave());
        task.note_meter();
        let told = task.meter_due.map(|when| (when, ()));
        let probe = task.trouble.as_ref().map(|_| (task.probed + PROBED_EVERY, ()));
        let first = numbers.happens(500).then(|| asked.try_recv().ok()).flatten();
        let next = match first {
            Some(ask) => Next::Asked(ask),
            None => tokio::select! {
                biased;
                _ = halt.changed() => continue,
                due = ring(clock) => Next::Due(due),
                bettor = ring(leaves) => Next::Leaves(bettor),
                () = ring(told) => Next::MeterDue,
                () = moved(&mut task.shows) => Next::MeterMoved,
                () = ring(probe) => Next::Probe,
                Some(ask) = asked.recv() => Next::Asked(ask),
            },
        };
        if !task.does_next(next, &mut asked, &mut closing).await {
            break;
        }
    }
    assert!(task.has_moved, "{} is closed: {:?}", task.name, task.trouble);
    task.leaves(asked);
    None
}

/// Stops and starts programs, and takes the bus away, as long as things go wrong.
pub(super) async fn goes_wrong(house: Arc<House>, mut numbers: Numbers) {
    let mut next = Instant::now();
    loop {
        next += Duration::from_millis(200 + numbers.below(1_500) as u64);
        sleep_until(next).await;
        if !house.is_faulty() {
            return;
        }
        let at = numbers.below(2);
        let node = house.node(at);
        match numbers.below(100) {
            0..25 => {
                house.count(|tally| tally.pauses += 1);
                let most = if numbers.happens(400) { 7_000 } else { 1_000 };
                node.machine.pause(Duration::from_millis(numbers.below(most) as u64));
            }
            25..40 => {
                house.count(|tally| tally.kills += 1);
                node.machine.kill();
                sleep(Duration::from_millis(numbers.below(4_000) as u64)).await;
                house.restart(at, numbers.split()).await;
            }
            40..55 => {
                house.count(|tally| tally.breaks += 1);
                node.link.breaks_for(Duration::from_millis(numbers.below(4_000) as u64));
            }
            55..60 => {
                house.count(|tally| tally.breaks += 1);
                let time = Duration::from_millis(numbers.below(4_000) as u64);
                (0..2).for_each(|at| house.node(at).link.breaks_for(time));
            }
            _ => {}
        }
    }
}
