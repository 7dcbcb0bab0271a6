//! A player with a socket at one of the nodes, and what the player may never see.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until};
use wire::{FromHouse, View};

use super::super::super::{Ask, Viewer};
use super::super::client::{Client, Pending};
use super::House;
use super::node::{Door, Node};
use crate::tables::commands::TableCommand;
use crate::tables::open_asks::OpenAsks;
use crate::tables::outbox::next_socket;

/// How long a node waits before it has a client watch again (`http::client`).
const WATCHES_AGAIN_AFTER: Duration = Duration::from_millis(50);

/// Whoever is not answered for so long tries another node.
const LONGEST_PATIENCE: Duration = Duration::from_secs(8);

/// A player, and the node's side of the socket, which does what `http::client` does.
pub(super) struct Player {
    pub(super) client: Client,
    table: String,
    house: Arc<House>,
    node: Arc<Node>,
    door: Option<Arc<Door>>,
    open: OpenAsks,
    since: Instant,
    /// The last id of a message that watches a table.
    watches: u32,
}

impl Player {
    pub(super) fn new(client: Client, table: &str, house: &Arc<House>) -> Player {
        Player {
            client,
            table: table.to_owned(),
            house: house.clone(),
            node: house.node(0),
            door: None,
            open: OpenAsks::default(),
            since: Instant::now(),
            watches: 0,
        }
    }

    /// Plays until everything is stopped.
    pub(super) async fn plays(mut self) -> Player {
        let mut done = self.house.done.subscribe();
        loop {
            let at = self.client.numbers.below(2);
            self.node = self.house.node(at);
            if self.node.machine.is_dead() {
                sleep(Duration::from_millis(50)).await;
                continue;
            }
            self.client.connect(next_socket());
            let (node, machine) = (self.node.clone(), self.node.machine.clone());
            tokio::select! {
                biased;
                () = async { drop(done.wait_for(|done| *done).await) } => return self,
                () = machine.died() => {}
                () = self.is_connected() => {
                    if let Some(door) = self.door.take() {
                        // The node sees that the socket is closed.
                        let (socket, player) = (self.client.socket, self.client.who.name.clone());
                        node.machine.awake().await;
                        let _ = door.asks.send(Ask::Unwatch { socket, player }).await;
                    }
                }
            }
            self.door = None;
            sleep(Duration::from_millis(10)).await;
        }
    }

    /// Plays over one socket, until it breaks.
    async fn is_connected(&mut self) {
        let (overflow, again) = (self.client.to.overflow(), self.client.to.again());
        self.watch().await;
        if let Some(pending) = self.client.pending.clone() {
            self.command(pending).await;
        }
        loop {
            tokio::select! {
                biased;
                () = overflow.notified() => return,
                () = again.notified() => {
                    self.node.machine.awake().await;
                    self.watch_again().await;
                }
                Some(message) = self.client.hears.recv() => {
                    self.node.machine.awake().await;
                    if self.open.follow(&message) && !self.hear(message) {
                        self.house.count(|tally| tally.gaps += 1);
                        self.watch().await;
                    }
                }
                () = sleep_until(self.client.wakes) => {
                    self.node.machine.awake().await;
                    if !self.wakes().await {
                        return;
                    }
                }
            }
        }
    }

    /// Says something, or is done with this socket.
    async fn wakes(&mut self) -> bool {
        let pause = 100 + self.client.numbers.below(900) as u64;
        self.client.wakes = Instant::now() + Duration::from_millis(pause);
        if !self.house.is_faulty() {
            return true;
        }
        let is_tired = self.client.pending.is_some() && self.since.elapsed() > LONGEST_PATIENCE;
        if is_tired || self.client.numbers.happens(15) {
            self.since = Instant::now();
            return false;
        }
        if self.client.pending.is_none()
            && let Some(pending) = self.client.speaks()
        {
            self.since = Instant::now();
            self.command(pending).await;
        }
        true
    }

    fn viewer(&self) -> Viewer {
        let (socket, who) = (self.client.socket, self.client.who.clone());
        Viewer { socket, who, to: self.client.to.clone(), shown: None, number: 0 }
    }

    async fn watch(&mut self) {
        self.node.machine.awake().await;
        self.watches += 1;
        let (id, from) = (format!("watch-{}", self.watches), self.client.version);
        // By the same socket, what it asked is still open.
        self.open.watch(id.clone(), from, self.door.is_some());
        let door = self.node.door(&self.table);
        if door.asks.send(Ask::Watch { viewer: self.viewer(), id, from }).await.is_err() {
            self.client.to.watch_again();
        }
        self.door = Some(door);
        self.repeat().await;
    }

    async fn watch_again(&mut self) {
        if self.door.take().is_none() {
            return;
        }
        sleep(WATCHES_AGAIN_AFTER).await;
        self.house.count(|tally| tally.watched_again += 1);
        let door = self.node.door(&self.table);
        let (id, from) = self.open.watch_again();
        if door.asks.send(Ask::Watch { viewer: self.viewer(), id, from }).await.is_err() {
            self.client.to.watch_again();
        }
        self.door = Some(door);
        self.repeat().await;
    }

    /// Repeats what was not answered.
    async fn repeat(&mut self) {
        for (id, what) in self.open.repeat() {
            self.send(id, what).await;
        }
    }

    async fn command(&mut self, Pending { id, what }: Pending) {
        let what = TableCommand::Player(what);
        self.house.open.lock().unwrap().insert(self.client.who.name.clone());
        self.open.command(id.clone(), what.clone());
        self.send(id, what).await;
    }

    async fn send(&self, id: String, what: TableCommand) {
        let Some(door) = &self.door else { return };
        let (socket, who, to) =
            (self.client.socket, self.client.who.clone(), self.client.to.clone());
        // What a table does not take that has moved is repeated where it is then.
        let _ = door.asks.send(Ask::Command { socket, who, id, what, to }).await;
    }

    /// Takes a message that came over the socket, in order. Tells whether nothing is missing before it.
    fn hear(&mut self, message: FromHouse) -> bool {
        let who = self.client.who.name.to_string();
        match message {
            FromHouse::Answer { id, ok, seq, .. } => {
                let is_own = id.starts_with("watch-") || id.starts_with(&format!("{who}-"));
                assert!(is_own, "{who} is answered {id}");
                self.client.hear_answer(&id, ok, seq);
                if self.client.pending.is_none() {
                    self.house.open.lock().unwrap().remove(&self.client.who.name);
                }
            }
            FromHouse::Account(purse) => assert_eq!(purse.name, who, "a purse for somebody else"),
            FromHouse::Table { about } => {
                assert_eq!(about.table, self.table);
                self.client.about = Some(about);
            }
            FromHouse::State { version, number, view } => {
                let known = self.client.version;
                assert!(known <= Some(version), "{who} goes back from {known:?} to {version}");
                let client = &mut self.client;
                (client.version, client.number, client.view) = (Some(version), number, Some(view));
                self.sees();
            }
            FromHouse::Event { version, number, change, .. } => {
                let known = self.client.version.unwrap_or(0);
                if self.client.version.is_none() || version > known + 1 {
                    return false;
                }
                if version <= known {
                    return true;
                }
                if change.is_some() && number != self.client.number + 1 {
                    return false;
                }
                self.client.version = Some(version);
                if change.is_some() {
                    self.client.take(number, change);
                    self.sees();
                }
            }
            FromHouse::Change { version, number, change } => {
                let Some(known) = self.client.version else { return false };
                if version < known {
                    return true;
                }
                if version > known || number != self.client.number + 1 {
                    return false;
                }
                self.client.take(number, Some(change));
                self.sees();
            }
            FromHouse::Head { seq, hash } => self.client.heads.push((seq, hash)),
            _ => {}
        }
        true
    }

    /// What is shown is for this player, and the same as is shown to others of the same version.
    fn sees(&self) {
        let (Some(version), Some(view)) = (self.client.version, &self.client.view) else { return };
        let name = self.client.who.name.to_string();
        if let Some(seat) = view.me {
            let is_mine = view.seats[seat - 1].name.as_ref() == Some(&name);
            assert!(is_mine, "{name} is shown the place of {:?}", view.seats[seat - 1].name);
        }
        self.house.is_seen(&self.table, version, &name, public(view));
    }
}

/// What everybody sees at a version, and a version alone decides.
fn public(view: &View) -> String {
    let seats = view.seats.iter();
    let seats = seats.map(|seat| (&seat.name, &seat.rack, &seat.wagers, &seat.playing));
    format!("{} {:?}", view.round, seats.collect::<Vec<_>>())
}
