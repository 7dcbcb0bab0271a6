//! Clients at one node, and the table that they watch at another.
//!
//! The node of a client stands in for the table: it sends what the client asks to the node that owns the
//! table, and the client is told what comes back. The owner hosts the client like one of its own. A message
//! that is lost shows as a gap, a question without an answer, or a count that does not agree; then the
//! client watches again, and repeats what was not answered. An id is carried out once, so nothing is done
//! twice.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::Message;
use futures_util::StreamExt;
use rules::money::Cents;
use rules::table::Name;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, interval, sleep};
use wire::bus::{BusPerson, OwnerAnswer, OwnerQuestion, TableSeen, ToNode, ToOwner};
use wire::{Command, FromHouse};

use crate::bus::{self, Bus, BusError, Messages};
use crate::metrics::Metrics;
use crate::people::{Kind, Person, Role};
use crate::tables::chips::Holding;
use crate::tables::commands::TableCommand;
use crate::tables::outbox::{Outbox, next_socket};
use crate::tables::task::{Ask, Decision, Glance, Published, Viewer};

/// How often a node looks after the clients that it has at tables of others.
pub const LOOKED_EVERY: Duration = Duration::from_millis(500);

/// How often it tells the owners which those are.
pub const COUNTED_EVERY: Duration = Duration::from_secs(2);

/// A client that was not answered for so long watches again.
pub const LONGEST_SILENCE: Duration = Duration::from_secs(3);

/// The clients of a node that was not heard of for so long are gone.
pub const GONE_AFTER: Duration = Duration::from_secs(6);

/// How often a table is shown to the other nodes at most, and at least.
const SHOWN_EVERY: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(1));

/// How soon what changed at a table is seen at every node, while the bus is there.
pub const SEEN_WITHIN: Duration = Duration::from_millis(400);

/// The most messages to a client that travel together.
const SENT_TOGETHER: usize = 8;

/// Who owns a table, as far as this node knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// This node.
    Here,
    /// Another, which listens there.
    At { inbox: Arc<str>, epoch: i64 },
    /// Nobody just now, or nobody that is known; the last one had this epoch.
    Nobody { since: i64 },
}

impl Owner {
    /// The epoch that is known of it.
    pub(crate) fn epoch(&self) -> i64 {
        match self {
            Owner::Here => i64::MAX,
            Owner::At { epoch, .. } | Owner::Nobody { since: epoch } => *epoch,
        }
    }

    /// Learns of another owner, unless something later is known. Tells whether that is news.
    pub(crate) fn learns(&mut self, owner: Owner) -> bool {
        let is_later = match (&owner, &*self) {
            (_, Owner::Here) => false,
            // Whoever had it has let go of it.
            (Owner::Nobody { since }, Owner::At { epoch, .. }) => since >= epoch,
            (owner, known) => owner.epoch() > known.epoch(),
        };
        if is_later {
            *self = owner;
        }
        is_later
    }
}

/// A client of this node, at a table of another.
struct Away {
    table: String,
    inbox: Arc<str>,
    epoch: i64,
    socket: u64,
    to: Outbox,
    /// How many messages came for it.
    came: u64,
    /// What it waits to be answered, by id, and since when.
    asked: Vec<(String, Instant)>,
}

/// The clients of this node at tables of others. A client has another number each time that it watches, so
/// that nothing reaches it that was meant for an earlier time.
#[derive(Default)]
struct AllAway {
    by_number: BTreeMap<u64, Away>,
    number_of: BTreeMap<u64, u64>,
}

impl AllAway {
    fn add(&mut self, number: u64, away: Away) {
        self.number_of.insert(away.socket, number);
        self.by_number.insert(number, away);
    }

    fn remove(&mut self, number: u64) -> Option<Away> {
        let away = self.by_number.remove(&number)?;
        self.number_of.remove(&away.socket);
        Some(away)
    }

    /// Those for whom something is so.
    fn numbers(&self, is_so: impl Fn(&Away) -> bool) -> Vec<u64> {
        let found = self.by_number.iter().filter(|(_, away)| is_so(away));
        found.map(|(number, _)| *number).collect()
    }

    fn watch_again(&mut self, is_so: impl Fn(&Away) -> bool) {
        for number in self.numbers(is_so) {
            if let Some(away) = self.remove(number) {
                away.to.watch_again();
            }
        }
    }
}

/// What a node has heard that is not for one of its clients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    /// A table is no longer its owner's.
    Left { table: String, epoch: i64 },
    /// It is to look at once who owns what.
    Look,
}

/// What passes between the clients of this node and tables of others, and the other way round.
pub(crate) struct Relay {
    pub(crate) bus: Bus,
    metrics: Metrics,
    away: Mutex<AllAway>,
}

impl Relay {
    pub(crate) fn new(bus: Bus, metrics: Metrics) -> Relay {
        Relay { bus, metrics, away: Mutex::default() }
    }

    fn away(&self) -> MutexGuard<'_, AllAway> {
        self.away.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes what is asked of a table that another node owns, until this node owns it or closes.
    pub(crate) async fn stand_in(
        self: Arc<Relay>,
        table: String,
        mut owner: watch::Receiver<Owner>,
        mut asked: mpsc::Receiver<Ask>,
        mut closing: watch::Receiver<bool>,
    ) {
        // Clients that watch as soon as there is an owner who can be reached.
        let mut waiting: Vec<Outbox> = Vec::new();
        let mut looks = interval(LOOKED_EVERY);
        loop {
            // What is rare comes first: a flood of commands holds none of it up.
            tokio::select! {
                biased;
                _ = closing.changed() => return,
                changed = owner.changed() => {
                    let is_over = changed.is_err() || *owner.borrow_and_update() == Owner::Here;
                    if is_over {
                        asked.close();
                        while let Ok(ask) = asked.try_recv() {
                            ask.comes_again();
                        }
                    }
                    self.away().watch_again(|away| away.table == table);
                    waiting.drain(..).for_each(|to| to.watch_again());
                    if is_over {
                        return;
                    }
                }
                _ = looks.tick(), if !waiting.is_empty() => {
                    let is_owned = matches!(*owner.borrow(), Owner::At { .. });
                    if is_owned && self.bus.is_up() {
                        waiting.drain(..).for_each(|to| to.watch_again());
                    }
                }
                ask = asked.recv() => {
                    let Some(ask) = ask else { return };
                    let at = owner.borrow().clone();
                    if let Err(unsent) = self.pass_on(&table, &at, ask).await {
                        waiting.push(unsent);
                    }
                }
            }
        }
    }

    /// Sends what is asked of a table to its owner. Gives who has to watch again because that is not
    /// possible now.
    async fn pass_on(&self, table: &str, owner: &Owner, ask: Ask) -> Result<(), Outbox> {
        let inbox = || self.bus.inbox().to_owned();
        match (ask, owner) {
            (Ask::Watch { viewer, id, from }, Owner::At { inbox: at, epoch }) => {
                let Viewer { socket, who, to, .. } = viewer;
                let (number, asked) = (next_socket(), vec![(id.clone(), Instant::now())]);
                let (table, inbox_of, epoch) = (table.to_owned(), at.clone(), *epoch);
                let subject = self.bus.to_table(at, &table);
                let away =
                    Away { table, inbox: inbox_of, epoch, socket, to: to.clone(), came: 0, asked };
                {
                    let mut all = self.away();
                    if let Some(before) = all.number_of.get(&socket).copied() {
                        all.remove(before);
                    }
                    all.add(number, away);
                }
                let who = on_the_bus(&who);
                let watch = ToOwner::Watch { inbox: inbox(), socket: number, who, id, from };
                if self.bus.publish(subject, &watch).await.is_err() {
                    self.away().remove(number);
                    return Err(to);
                }
            }
            (Ask::Watch { viewer, .. }, _) => return Err(viewer.to),
            (Ask::Unwatch { socket, .. }, _) => {
                let away = {
                    let mut all = self.away();
                    let number = all.number_of.get(&socket).copied();
                    number.and_then(|number| Some((number, all.remove(number)?)))
                };
                if let Some((socket, away)) = away {
                    let subject = self.bus.to_table(&away.inbox, table);
                    let gone = ToOwner::Unwatch { inbox: inbox(), socket };
                    let _ = self.bus.publish(subject, &gone).await;
                }
            }
            (Ask::Command { socket, id, what, .. }, _) => {
                let found = {
                    let mut all = self.away();
                    let number = all.number_of.get(&socket).copied();
                    number.and_then(|number| {
                        let away = all.by_number.get_mut(&number)?;
                        away.asked.push((id.clone(), Instant::now()));
                        Some((number, self.bus.to_table(&away.inbox, table)))
                    })
                };
                // Whoever has no number is about to watch again, and repeats it then.
                if let Some((socket, subject)) = found {
                    let command = what.into();
                    let command = ToOwner::Command { inbox: inbox(), socket, id, command };
                    // Where it is lost, it is not answered, and is repeated.
                    let _ = self.bus.publish(subject, &command).await;
                }
            }
            (Ask::Published(answer), Owner::At { inbox, .. }) => {
                self.ask(inbox, table, OwnerQuestion::Published, answer, |answer| match answer {
                    OwnerAnswer::Published { opened, last } => Some(Published { opened, last }),
                    _ => None,
                });
            }
            (Ask::Closed { player, answer }, Owner::At { inbox, .. }) => {
                let question = OwnerQuestion::Closed { player: player.to_string() };
                self.ask(inbox, table, question, answer, |answer| match answer {
                    OwnerAnswer::Closed { calls } => Some(calls),
                    _ => None,
                });
            }
            (Ask::Decide { who, what, answer }, Owner::At { inbox, .. }) => {
                let question = OwnerQuestion::Decide { who: on_the_bus(&who), what };
                self.ask(inbox, table, question, answer, |answer| match answer {
                    OwnerAnswer::Decided { seq, refusal, now } => {
                        let done = refusal.map_or(Ok(seq), Err);
                        Some(Decision { done, now: *now })
                    }
                    _ => None,
                });
            }
            // Whoever waits for an answer is told that there is none. The rest is for the owner alone.
            (
                Ask::Published(_)
                | Ask::Closed { .. }
                | Ask::Decide { .. }
                | Ask::Positions { .. }
                | Ask::LookAround
                | Ask::BooksDiffer
                | Ask::Close { .. }
                | Ask::HandOver { .. },
                _,
            ) => {}
        }
        Ok(())
    }

    /// Asks the owner of a table, and hands the answer on.
    fn ask<T: Send + 'static>(
        &self,
        inbox: &str,
        table: &str,
        question: OwnerQuestion,
        answer: oneshot::Sender<T>,
        read: impl FnOnce(OwnerAnswer) -> Option<T> + Send + 'static,
    ) {
        let (bus, subject) = (self.bus.clone(), self.bus.ask_table(inbox, table));
        tokio::spawn(async move {
            if let Ok(Some(found)) = bus.request(subject, &question).await.map(read) {
                let _ = answer.send(found);
            }
        });
    }

    /// Tells a client what its table says. Gives what is for the node itself.
    pub(crate) fn hear(&self, message: ToNode) -> Option<Heard> {
        match message {
            ToNode::Told { table, epoch, socket, number, messages } => {
                let mut all = self.away();
                let away = all.by_number.get_mut(&socket)?;
                if away.table != table || away.epoch != epoch {
                    return None;
                }
                if number != away.came {
                    all.remove(socket)?.to.watch_again();
                    return None;
                }
                away.came += 1;
                for message in &messages {
                    if let FromHouse::Answer { id, .. } = message {
                        away.asked.retain(|(asked, _)| asked != id);
                    }
                }
                let to = away.to.clone();
                drop(all);
                messages.into_iter().for_each(|message| to.send(message));
                None
            }
            ToNode::CutOff { table, epoch, socket, moved } => {
                let away = self.away().remove(socket);
                // It is known that nobody owns the table before anybody watches it again.
                let heard = moved.then_some(Heard::Left { table, epoch });
                if let Some(away) = away {
                    away.to.watch_again();
                }
                heard
            }
            ToNode::Sent { table, epoch, messages } => {
                let mut all = self.away();
                for (number, sent) in messages {
                    let lost = all.by_number.get(&number).is_some_and(|away| {
                        away.table == table && away.epoch == epoch && away.came < sent
                    });
                    if lost && let Some(away) = all.remove(number) {
                        away.to.watch_again();
                    }
                }
                None
            }
            ToNode::Look => Some(Heard::Look),
        }
    }

    /// Looks after the clients at tables of other nodes, until the house closes.
    pub(crate) async fn look_after(self: Arc<Relay>, mut closing: watch::Receiver<bool>) {
        let (mut looks, mut breaks) = (interval(LOOKED_EVERY), self.bus.breaks());
        let mut counted = Instant::now();
        loop {
            tokio::select! {
                biased;
                _ = closing.changed() => return,
                Ok(()) = breaks.changed() => self.away().watch_again(|_| true),
                _ = looks.tick() => {}
            }
            let is_late = |(_, since): &(String, Instant)| since.elapsed() > LONGEST_SILENCE;
            self.away().watch_again(|away| away.asked.iter().any(is_late));
            if counted.elapsed() < COUNTED_EVERY {
                continue;
            }
            counted = Instant::now();
            let mut at: BTreeMap<String, Vec<u64>> = BTreeMap::new();
            for (number, away) in &self.away().by_number {
                let subject = self.bus.to_table(&away.inbox, &away.table);
                at.entry(subject).or_default().push(*number);
            }
            for (subject, sockets) in at {
                let clients = ToOwner::Clients { inbox: self.bus.inbox().to_owned(), sockets };
                let _ = self.bus.publish(subject, &clients).await;
            }
        }
    }

    /// Listens for a table that this node owns.
    pub(crate) async fn host(self: &Arc<Relay>, table: &str) -> Result<Host, BusError> {
        let inbox = self.bus.inbox();
        let commands = self.bus.subscribe(self.bus.to_table(inbox, table)).await?;
        let questions = self.bus.subscribe(self.bus.ask_table(inbox, table)).await?;
        Ok(Host { relay: self.clone(), table: table.to_owned(), commands, questions })
    }

    async fn tell(&self, inbox: &str, message: &ToNode) -> Result<(), BusError> {
        self.bus.publish(self.bus.to_node(inbox), message).await
    }

    /// Has a node look at once who owns what.
    pub(crate) async fn have_look(&self, inbox: &str) {
        let _ = self.tell(inbox, &ToNode::Look).await;
    }
}

/// A client of another node.
struct Hosted {
    /// Its number at this node.
    socket: u64,
    who: Person,
    to: Outbox,
    /// How many messages were sent to it.
    sent: Arc<AtomicU64>,
    since: Instant,
}

/// Where a node listens for a table that it owns.
pub(crate) struct Host {
    relay: Arc<Relay>,
    table: String,
    commands: Messages,
    questions: Messages,
}

/// The clients of other nodes at a table that this node owns, by their node and their number there.
struct Guests {
    relay: Arc<Relay>,
    table: String,
    epoch: i64,
    asks: mpsc::Sender<Ask>,
    hosted: BTreeMap<(String, u64), Hosted>,
    /// When each node was last heard of.
    heard: BTreeMap<String, Instant>,
}

impl Host {
    /// Passes on what clients of other nodes ask, and shows the table to the other nodes, until the table is
    /// closed or another's.
    pub(crate) async fn run(
        self,
        epoch: i64,
        asks: mpsc::Sender<Ask>,
        mut glance: watch::Receiver<Glance>,
    ) {
        let Host { relay, table, mut commands, mut questions } = self;
        let (bus, mut breaks) = (relay.bus.clone(), relay.bus.breaks());
        let (hosted, heard) = (BTreeMap::new(), BTreeMap::new());
        let mut guests = Guests { relay, table, epoch, asks: asks.clone(), hosted, heard };
        let mut looks = interval(SHOWN_EVERY.0);
        let (mut shown, mut is_new) = (None::<Instant>, true);
        let mut lost: Vec<(String, u64)> = Vec::new();
        loop {
            // What is rare comes first: a flood of commands holds none of it up.
            tokio::select! {
                biased;
                () = asks.closed() => return,
                // What was on its way may be lost: everybody watches again once the bus is back.
                Ok(()) = breaks.changed() => lost = guests.hosted.keys().cloned().collect(),
                _ = looks.tick() => {
                    let is_due = shown.is_none_or(|at| at.elapsed() >= SHOWN_EVERY.1);
                    if is_new || is_due {
                        let seen = seen(&guests.table, bus.inbox(), epoch, &glance.borrow_and_update());
                        is_new = bus.publish(bus.subject("glance"), &seen).await.is_err();
                        shown = Some(Instant::now());
                    }
                    if bus.is_up() {
                        for (inbox, socket) in lost.drain(..) {
                            guests.cut_off(&inbox, socket).await;
                        }
                    }
                    guests.forget_silent().await;
                }
                Ok(()) = glance.changed() => is_new = true,
                Some(message) = questions.next() => guests.answer(&bus, message),
                Some(message) = commands.next() => guests.take(&message).await,
            }
        }
    }
}

impl Guests {
    async fn take(&mut self, message: &Message) {
        let Some(message) = bus::read::<ToOwner>(&message.payload) else { return };
        match message {
            ToOwner::Watch { inbox, socket: number, who, id, from } => {
                let Some(who) = person(&who) else { return };
                self.heard.insert(inbox.clone(), Instant::now());
                self.unwatch(&inbox, number).await;
                let (to, waiting) = Outbox::new(&self.relay.metrics);
                let (socket, sent) = (next_socket(), Arc::<AtomicU64>::default());
                let post = Post {
                    relay: self.relay.clone(),
                    table: self.table.clone(),
                    epoch: self.epoch,
                    inbox: inbox.clone(),
                    number,
                    sent: sent.clone(),
                };
                tokio::spawn(post.carry(to.clone(), waiting));
                let viewer =
                    Viewer { socket, who: who.clone(), to: to.clone(), shown: None, number: 0 };
                let (key, since) = ((inbox, number), Instant::now());
                self.hosted.insert(key, Hosted { socket, who, to, sent, since });
                let _ = self.asks.send(Ask::Watch { viewer, id, from }).await;
            }
            ToOwner::Unwatch { inbox, socket } => self.unwatch(&inbox, socket).await,
            ToOwner::Command { inbox, socket, id, command } => {
                let key = (inbox, socket);
                let Some(Hosted { socket, who, to, .. }) = self.hosted.get(&key) else {
                    return self.cut_off(&key.0, key.1).await;
                };
                let Some(what) = of_table(command) else { return };
                let (socket, who, to) = (*socket, who.clone(), to.clone());
                let _ = self.asks.send(Ask::Command { socket, who, id, what, to }).await;
            }
            ToOwner::Clients { inbox, sockets } => {
                self.heard.insert(inbox.clone(), Instant::now());
                let there: BTreeSet<u64> = sockets.into_iter().collect();
                // One that has just come may not have been counted.
                let is_gone = |(at, number): &(String, u64), hosted: &Hosted| {
                    *at == inbox
                        && !there.contains(number)
                        && hosted.since.elapsed() > LONGEST_SILENCE
                };
                let gone = self.hosted.iter().filter(|(key, hosted)| is_gone(key, hosted));
                let gone: Vec<_> = gone.map(|((_, number), _)| *number).collect();
                for number in gone {
                    self.unwatch(&inbox, number).await;
                }
                let mut messages = Vec::with_capacity(there.len());
                for number in there {
                    match self.hosted.get(&(inbox.clone(), number)) {
                        Some(hosted) => {
                            messages.push((number, hosted.sent.load(Ordering::Acquire)))
                        }
                        None => self.cut_off(&inbox, number).await,
                    }
                }
                let (table, epoch) = (self.table.clone(), self.epoch);
                let _ = self.relay.tell(&inbox, &ToNode::Sent { table, epoch, messages }).await;
            }
        }
    }

    async fn unwatch(&mut self, inbox: &str, number: u64) {
        if let Some(Hosted { socket, who, .. }) = self.hosted.remove(&(inbox.to_owned(), number)) {
            let _ = self.asks.send(Ask::Unwatch { socket, player: who.name }).await;
        }
    }

    /// Has a client watch again.
    async fn cut_off(&self, inbox: &str, socket: u64) {
        let (table, epoch) = (self.table.clone(), self.epoch);
        let cut_off = ToNode::CutOff { table, epoch, socket, moved: false };
        let _ = self.relay.tell(inbox, &cut_off).await;
    }

    /// Forgets the clients of nodes that are not heard of any more.
    async fn forget_silent(&mut self) {
        let silent = self.heard.iter().filter(|(_, at)| at.elapsed() > GONE_AFTER);
        let silent: Vec<String> = silent.map(|(inbox, _)| inbox.clone()).collect();
        for inbox in silent {
            self.heard.remove(&inbox);
            let gone = self.hosted.keys().filter(|(at, _)| *at == inbox);
            let gone: Vec<u64> = gone.map(|(_, number)| *number).collect();
            for number in gone {
                self.unwatch(&inbox, number).await;
            }
        }
    }

    /// Answers a question when the table has.
    fn answer(&self, bus: &Bus, message: Message) {
        let Some(reply) = message.reply else { return };
        let Some(question) = bus::read::<OwnerQuestion>(&message.payload) else { return };
        let (bus, asks) = (bus.clone(), self.asks.clone());
        tokio::spawn(async move {
            if let Some(answer) = answered(&asks, question).await {
                let _ = bus.publish(reply.to_string(), &answer).await;
            }
        });
    }
}

/// What a table answers.
async fn answered(asks: &mpsc::Sender<Ask>, question: OwnerQuestion) -> Option<OwnerAnswer> {
    match question {
        OwnerQuestion::Published => {
            let (answer, answered) = oneshot::channel();
            asks.send(Ask::Published(answer)).await.ok()?;
            let Published { opened, last } = answered.await.ok()?;
            Some(OwnerAnswer::Published { opened, last })
        }
        OwnerQuestion::Closed { player } => {
            let (answer, answered) = oneshot::channel();
            let player = player.parse().ok()?;
            asks.send(Ask::Closed { player, answer }).await.ok()?;
            Some(OwnerAnswer::Closed { calls: answered.await.ok()? })
        }
        OwnerQuestion::Decide { who, what } => {
            let (answer, answered) = oneshot::channel();
            let who = person(&who)?;
            asks.send(Ask::Decide { who, what, answer }).await.ok()?;
            let Decision { done, now } = answered.await.ok()?;
            let (seq, refusal) = match done {
                Ok(seq) => (seq, None),
                Err(refusal) => (None, Some(refusal)),
            };
            Some(OwnerAnswer::Decided { seq, refusal, now: Box::new(now) })
        }
        // The coach has a subject of its own.
        OwnerQuestion::Values { .. } => None,
    }
}

/// What carries messages to a client of another node.
struct Post {
    relay: Arc<Relay>,
    table: String,
    epoch: i64,
    inbox: String,
    number: u64,
    sent: Arc<AtomicU64>,
}

impl Post {
    /// Sends what waits for the client, until it is gone or has to watch again.
    async fn carry(self, to: Outbox, mut waiting: mpsc::Receiver<FromHouse>) {
        let (overflow, again) = (to.overflow(), to.again());
        drop(to);
        let mut messages = Vec::new();
        let moved = loop {
            // What waits is sent before anything else.
            tokio::select! {
                biased;
                count = waiting.recv_many(&mut messages, SENT_TOGETHER) => {
                    if count == 0 {
                        return;
                    }
                    let number = self.sent.load(Ordering::Relaxed);
                    let (table, epoch) = (self.table.clone(), self.epoch);
                    let messages = std::mem::take(&mut messages);
                    let socket = self.number;
                    let told = ToNode::Told { table, epoch, socket, number, messages };
                    let sent = self.relay.tell(&self.inbox, &told).await;
                    self.sent.store(number + 1, Ordering::Release);
                    if sent.is_err() {
                        break false;
                    }
                }
                () = overflow.notified() => break false,
                () = again.notified() => break true,
            }
        };
        let (table, epoch, socket) = (self.table, self.epoch, self.number);
        let cut_off = ToNode::CutOff { table, epoch, socket, moved };
        // The client's node finds out by itself where the bus stays away for longer.
        for _ in 0..20 {
            if self.relay.tell(&self.inbox, &cut_off).await.is_ok() {
                return;
            }
            sleep(LOOKED_EVERY).await;
        }
    }
}

/// A person as the other nodes are told of them.
fn on_the_bus(Person { name, kind, role }: &Person) -> BusPerson {
    BusPerson { name: name.to_string(), kind: kind.name().into(), role: role.name().into() }
}

fn person(BusPerson { name, kind, role }: &BusPerson) -> Option<Person> {
    let (kind, role) = (Kind::named(kind)?, Role::named(role)?);
    Some(Person { name: name.parse().ok()?, kind, role })
}

fn of_table(command: Command) -> Option<TableCommand> {
    match command {
        Command::Player(command) => Some(TableCommand::Player(command)),
        Command::Dealer(command) => Some(TableCommand::Dealer(command)),
        Command::Supervisor(command) => Some(TableCommand::Supervisor(command)),
        // Its own node sees to that.
        Command::Client(_) => None,
    }
}

impl From<TableCommand> for Command {
    fn from(command: TableCommand) -> Command {
        match command {
            TableCommand::Player(command) => Command::Player(command),
            TableCommand::Dealer(command) => Command::Dealer(command),
            TableCommand::Supervisor(command) => Command::Supervisor(command),
        }
    }
}

/// A table as the other nodes are let see it.
fn seen(table: &str, inbox: &str, epoch: i64, glance: &Glance) -> TableSeen {
    let holding = glance
        .holding
        .iter()
        .map(|(name, Holding { rack, staked })| (name.to_string(), rack.get(), staked.get()));
    TableSeen {
        table: table.to_owned(),
        inbox: inbox.to_owned(),
        epoch,
        taken: glance.taken,
        viewers: glance.viewers,
        players: glance.players.clone(),
        spectators: glance.spectators,
        company: glance.company,
        is_open: glance.is_open,
        meter: glance.meter.map(Cents::get),
        awaits: glance.awaits,
        round_ms: glance.round_time.and_then(|time| u64::try_from(time.as_millis()).ok()),
        rounds: glance.rounds,
        trouble: glance.trouble.clone(),
        holding: holding.collect(),
    }
}

/// What is seen of a table that another node owns, with so many seats.
pub(crate) fn glance_of(seen: TableSeen, seats: usize) -> Glance {
    let holding = seen.holding.into_iter().filter_map(|(name, rack, staked)| {
        let holding = Holding { rack: Cents::new(rack), staked: Cents::new(staked) };
        Some((name.parse::<Name>().ok()?, holding))
    });
    Glance {
        taken: seen.taken,
        seats,
        viewers: seen.viewers,
        players: seen.players,
        spectators: seen.spectators,
        company: seen.company,
        is_open: seen.is_open,
        meter: seen.meter.map(Cents::new),
        awaits: seen.awaits,
        round_time: seen.round_ms.map(Duration::from_millis),
        rounds: seen.rounds,
        trouble: seen.trouble,
        is_unwanted: false,
        has_moved: false,
        holding: holding.collect(),
    }
}
