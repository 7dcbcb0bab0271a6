//! The house in one thread and out of time: tables, disk, clients and network from one seed, with all
//! that can go wrong between them.
//!
//! Messages are lost, doubled, delayed and overtake each other; commits fail, or succeed while nobody
//! is told, or find no room; the program panics before or after one; reads fail; sockets break; the house is killed and opened again, and one
//! that should be dead writes on. At the end everything is well again, and it is seen what is left:
//! nothing that was acknowledged is lost, nothing is there twice, the books come to nothing, every client
//! sees the table as it is, and the log is proven.
//!
//! Beneath is a disk in memory, for thousands of seeds, or the store itself with its file, for hundreds.
//! `FAULT_SEEDS=100000` plays more of them, `FAULT_SEED=17` that one alone.

mod client;
mod disk;
mod failing;
mod file;
mod nodes;
mod numbers;

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use audit::chain::{Entry, Head};
use audit::export::Export;
use audit::log::Kind;
use audit::secret::LineSalt;
use rules::card::Card;
use rules::wager::Game;

use self::client::{Client, Pending};
use self::disk::Disk;
use self::failing::{Failing, Rehearsal};
use self::file::File;
use self::numbers::Numbers;
use wire::{Awaited, FromHouse, PlayerCommand, View};

use super::*;
use crate::limits::MOST_VIEWERS;
use crate::metrics::Metrics;
use crate::tables::dealer::{Salts, SealedOrder, TimeOfDay};

/// How many seeds a test run plays.
const SEEDS: u64 = 2_000;

/// How many of them with the store itself, each of which takes longer.
const SEEDS_WITH_A_FILE: u64 = 300;

/// How often a clock rings or a client speaks in a seed.
const HAPPENINGS: usize = 160;

/// How long a message takes at most, in milliseconds, while nothing else is wrong with it.
const DELAY: usize = 150;

/// What is on its way.
enum Packet {
    Up { client: usize, socket: u64, what: Up },
    Down { client: usize, socket: u64, message: FromHouse },
}

#[derive(Clone)]
enum Up {
    Watch { from: Option<u64> },
    Unwatch,
    Command(Pending),
}

/// Commands by player and id: the table, and the entry or 0.
type Commands = BTreeMap<(String, String), (String, u64)>;

/// A store that fails when it is told to, and that can be looked into.
trait Breakable: TableStore {
    async fn new(seed: u64, failing: Failing) -> Self;

    /// From now on nothing fails.
    async fn heal(&self);

    /// How often something failed.
    fn failures(&self) -> u32;

    /// Lets somebody in, with play money.
    async fn welcome(&self, player: &Name);

    async fn log(&self, table: &str) -> Vec<Entry>;

    async fn commands(&self) -> Commands;
}

struct Played<A> {
    name: String,
    sheet: TermSheet,
    /// None where it is closed.
    task: Option<TableTask<A>>,
}

struct World<A> {
    numbers: Numbers,
    disk: A,
    means: Means<A>,
    tables: Vec<Played<A>>,
    clients: Vec<Client>,
    /// By the time at which it arrives.
    network: BTreeMap<(Instant, u64), Packet>,
    packets: u64,
    sockets: u64,
    is_faulty: bool,
    /// What came to pass, so that no seed is easy by mistake.
    restarts: u32,
    still: u32,
    panics: u32,
    closed: u32,
}

/// Why a table did not finish what it was doing.
enum Broken {
    Store(StoreError),
    Panic(Box<dyn Any + Send>),
}

/// Goes on with a panic that was none of the play.
fn rehearsed(panic: Box<dyn Any + Send>) {
    if !panic.is::<Rehearsal>() {
        std::panic::resume_unwind(panic);
    }
}

/// A shuffle from a seed.
fn orders(numbers: Numbers) -> Orders {
    let numbers = Mutex::new(numbers);
    Arc::new(move |mut order: Vec<Card>| {
        let mut numbers = numbers.lock().unwrap();
        for last in (1..order.len()).rev() {
            order.swap(last, numbers.below(last + 1));
        }
        let salt = [u8::try_from(numbers.below(256)).unwrap(); 32];
        Ok(SealedOrder { salt, order })
    })
}

/// A time of day that goes on with the clock of the test.
fn time_of_day() -> TimeOfDay {
    let since = Instant::now();
    Arc::new(move || 1_700_000_000_000 + u64::try_from(since.elapsed().as_millis()).unwrap())
}

/// Salts from a seed.
fn salts(numbers: Numbers) -> Salts {
    let numbers = Mutex::new(numbers);
    Arc::new(move || {
        let mut numbers = numbers.lock().unwrap();
        Ok(LineSalt::new(std::array::from_fn(|_| u8::try_from(numbers.below(256)).unwrap())))
    })
}

impl<A: Breakable> World<A> {
    async fn new(seed: u64) -> World<A> {
        let mut numbers = Numbers::new(seed);
        let often = [0, 10, 40, 120][numbers.below(4)];
        let disk = A::new(seed, Failing::new(numbers.split(), often)).await;
        let progressive = loop {
            if let Ok(opened) = Progressive::open(&disk, Cents::new(1_000_000)).await {
                break opened;
            }
        };
        let pace = Pace { card: Duration::from_millis(20), ..Pace::default() };
        let means = Means {
            store: disk.clone(),
            orders: orders(numbers.split()),
            salts: salts(numbers.split()),
            time_of_day: time_of_day(),
            pace,
            physical: false,
            coach: wire::Coach::Off,
            company: 0,
            viewers: MOST_VIEWERS,
            progressive: Some(progressive),
            correction_alone: Cents::new(10_000),
            holdings: Holdings::default(),
            metrics: Metrics::default(),
            house: "h1".parse().unwrap(),
            is_of_a_node: false,
        };
        let other = Game::ALL[numbers.below(Game::ALL.len())];
        let games = [Game::CasinoWar, other];
        let tables = games.into_iter().enumerate().map(|(at, game)| Played {
            name: format!("table-{at}"),
            sheet: TermSheet::new(game),
            task: None,
        });
        let tables: Vec<_> = tables.collect();
        let mut clients = Vec::new();
        for (at, name) in ["ann", "bob", "cat", "dan", "eve"].into_iter().enumerate() {
            let who = Person::player(name.parse().unwrap());
            disk.welcome(&who.name).await;
            let seat = if name == "eve" { 0 } else { at + 1 };
            clients.push(Client::new(who, at % 2, seat, numbers.split()));
        }
        let (network, is_faulty) = (BTreeMap::new(), true);
        World {
            numbers,
            disk,
            means,
            tables,
            clients,
            network,
            packets: 0,
            sockets: 0,
            is_faulty,
            restarts: 0,
            still: 0,
            panics: 0,
            closed: 0,
        }
    }

    /// Lets one thing happen, and whatever arrives before.
    async fn step(&mut self) {
        while self.next().await {}
    }

    /// Lets whatever is next happen, and tells whether it was only a message that arrived.
    async fn next(&mut self) -> bool {
        if self.is_faulty && self.numbers.happens(8) {
            let table = self.numbers.below(self.tables.len());
            self.kill(table).await;
        }
        for table in 0..self.tables.len() {
            if self.tables[table].task.is_none() {
                self.open(table).await;
            }
        }
        let arrives = self.network.keys().next().map(|(when, _)| *when);
        let wakes = self.clients.iter().map(|client| client.wakes).min();
        let rings = (0..self.tables.len()).filter_map(|at| self.next_of(at)).min();
        let next = [arrives, wakes, rings.map(|(when, _)| when)].into_iter().flatten().min();
        let Some(next) = next else { return false };
        tokio::time::sleep_until(next).await;
        let mut is_message = false;
        if let Some((_, table)) = rings.filter(|(when, _)| *when == next) {
            self.ring(table).await;
        } else if arrives == Some(next) {
            let (_, packet) = self.network.pop_first().unwrap();
            self.arrive(packet).await;
            is_message = true;
        } else {
            let client = self.clients.iter().position(|client| client.wakes == next).unwrap();
            self.wake(client);
        }
        self.listen();
        is_message
    }

    /// When a table does something by itself.
    fn next_of(&mut self, table: usize) -> Option<(Instant, usize)> {
        let task = self.tables[table].task.as_mut()?;
        task.note_meter();
        let leaves = task.next_to_leave().map(|(when, _)| when);
        let clock = task.next_due().map(|(when, _)| when);
        let next = [clock, leaves, task.meter_due].into_iter().flatten().min()?;
        Some((next.max(Instant::now()), table))
    }

    async fn ring(&mut self, table: usize) {
        let Some(task) = &mut self.tables[table].task else { return };
        let now = Instant::now();
        let leaves = task.next_to_leave().filter(|(when, _)| *when <= now);
        let clock = task.next_due().filter(|(when, _)| *when <= now);
        let done = AssertUnwindSafe(async {
            match (clock, leaves) {
                (Some((_, due)), _) => task.when_due(due).await,
                (None, Some((_, bettor))) => task.unseat(bettor).await,
                (None, None) => task.tell_meter().await,
            }
        });
        let done = done.catch_unwind().await.map_err(Broken::Panic);
        self.after(table, done.and_then(|done| done.map_err(Broken::Store))).await;
    }

    /// A table that cannot read its log stands still until it can, and one that panicked is loaded
    /// again; one that cannot go on is closed, until somebody opens the house again.
    async fn after(&mut self, table: usize, done: Result<(), Broken>) {
        let Some(task) = &mut self.tables[table].task else { return };
        let mut can_go_on = match done {
            Ok(()) => return,
            Err(Broken::Store(error)) => !error.closes_a_table(),
            Err(Broken::Panic(panic)) => {
                self.panics += 1;
                rehearsed(panic);
                task.survives()
            }
        };
        while can_go_on {
            let ((_asks, mut asked), (_close, mut closing)) =
                (mpsc::channel(1), watch::channel(false));
            self.still += 1;
            let goes_on = AssertUnwindSafe(task.stand_still(&mut asked, &mut closing));
            match goes_on.catch_unwind().await {
                Ok(true) => return,
                Ok(false) => break,
                Err(panic) => {
                    rehearsed(panic);
                    can_go_on = task.survives();
                }
            }
        }
        self.closed += 1;
        self.tables[table].task = None;
        self.break_sockets(table);
    }

    async fn open(&mut self, table: usize) {
        let Played { name, sheet, .. } = &self.tables[table];
        let opened = AssertUnwindSafe(TableTask::open(name, sheet, self.means.clone()));
        match opened.catch_unwind().await {
            Ok(Ok(task)) => self.tables[table].task = Some(task),
            Ok(Err(error)) if error.closes_a_table() => panic!("{error}"),
            Ok(Err(_)) => tokio::time::sleep(AFTER_A_FAILURE).await,
            Err(panic) => rehearsed(panic),
        }
    }

    /// Kills a table's owner. Sometimes it is not quite dead, and writes on while another one is there.
    async fn kill(&mut self, table: usize) {
        self.restarts += 1;
        let Some(mut before) = self.tables[table].task.take() else { return };
        self.break_sockets(table);
        if !self.numbers.happens(300) {
            return;
        }
        self.open(table).await;
        if self.tables[table].task.is_none() {
            return;
        }
        let name = self.tables[table].name.clone();
        let known = self.disk.log(&name).await;
        if let Some((_, due)) = before.clock {
            let _ = AssertUnwindSafe(before.when_due(due)).catch_unwind().await;
        }
        assert_eq!(self.disk.log(&name).await, known, "{name} was written by who had it before");
    }

    fn break_sockets(&mut self, table: usize) {
        for client in 0..self.clients.len() {
            if self.clients[client].table == table {
                self.reconnect(client);
            }
        }
    }

    fn reconnect(&mut self, client: usize) {
        let gone = self.clients[client].socket;
        self.send_up(client, gone, &Up::Unwatch);
        self.sockets += 1;
        self.clients[client].connect(self.sockets);
        self.watch(client);
    }

    fn watch(&mut self, client: usize) {
        let (socket, from) = (self.clients[client].socket, self.clients[client].version);
        self.send_up(client, socket, &Up::Watch { from });
    }

    /// A client looks up, and says something or does not.
    fn wake(&mut self, client: usize) {
        let pause = match self.is_faulty && self.numbers.happens(6) {
            true => 100_000,
            false => 20 + self.numbers.below(400) as u64,
        };
        self.clients[client].wakes = Instant::now() + Duration::from_millis(pause);
        if self.clients[client].view.is_none() || (self.is_faulty && self.numbers.happens(15)) {
            return self.reconnect(client);
        }
        if self.numbers.happens(60) {
            self.watch(client);
        }
        if let Some(pending) = self.clients[client].speaks() {
            let socket = self.clients[client].socket;
            self.send_up(client, socket, &Up::Command(pending));
        }
    }

    /// How often a message arrives, and how long that takes each time.
    fn ways(&mut self) -> Vec<Duration> {
        if !self.is_faulty {
            return vec![Duration::ZERO];
        }
        let copies = match self.numbers.below(100) {
            0..4 => 0,
            4..8 => 2,
            _ => 1,
        };
        let mut delay = || match self.numbers.happens(30) {
            true => Duration::from_millis(5_000),
            false => Duration::from_millis(self.numbers.below(DELAY) as u64),
        };
        (0..copies).map(|_| delay()).collect()
    }

    fn send_up(&mut self, client: usize, socket: u64, what: &Up) {
        for delay in self.ways() {
            let what = what.clone();
            self.send(delay, Packet::Up { client, socket, what });
        }
    }

    fn send(&mut self, delay: Duration, packet: Packet) {
        self.packets += 1;
        self.network.insert((Instant::now() + delay, self.packets), packet);
    }

    /// What the tables have told goes on its way.
    fn listen(&mut self) {
        for client in 0..self.clients.len() {
            while let Ok(message) = self.clients[client].hears.try_recv() {
                let socket = self.clients[client].socket;
                for delay in self.ways() {
                    let message = message.clone();
                    self.send(delay, Packet::Down { client, socket, message });
                }
            }
        }
    }

    async fn arrive(&mut self, packet: Packet) {
        match packet {
            Packet::Down { client, socket, message } => {
                if self.clients[client].socket == socket && self.clients[client].hear(message) {
                    self.watch(client);
                }
            }
            Packet::Up { client: at, socket, what } => {
                let client = &self.clients[at];
                let (table, who, to) = (client.table, client.who.clone(), client.to.clone());
                let is_current = client.socket == socket;
                let Some(task) = &mut self.tables[table].task else { return };
                let ask = match what {
                    Up::Watch { from } if is_current => {
                        let id = format!("watch-{at}");
                        let viewer = Viewer { socket, who, to, shown: None, number: 0 };
                        Ask::Watch { viewer, id, from }
                    }
                    Up::Command(Pending { id, what }) => {
                        let what = TableCommand::Player(what);
                        Ask::Command { socket, who, id, what, to }
                    }
                    Up::Unwatch => Ask::Unwatch { socket, player: who.name },
                    // It was for a socket that is no more.
                    Up::Watch { .. } => return,
                };
                let done = AssertUnwindSafe(task.answer(ask)).catch_unwind().await;
                let done = done.map_err(Broken::Panic);
                self.after(table, done.and_then(|done| done.map_err(Broken::Store))).await;
            }
        }
    }

    /// Everything is well again: whatever has no answer gets one, and everybody sees the table.
    async fn calm(&mut self) {
        self.is_faulty = false;
        self.disk.heal().await;
        self.network.clear();
        for table in 0..self.tables.len() {
            if self.tables[table].task.is_none() {
                self.open(table).await;
            }
        }
        for client in 0..self.clients.len() {
            self.reconnect(client);
        }
        self.drain().await;
        for client in 0..self.clients.len() {
            if let Some(pending) = self.clients[client].pending.clone() {
                let socket = self.clients[client].socket;
                self.send_up(client, socket, &Up::Command(pending));
            }
        }
        self.drain().await;
        assert!(self.clients.iter().all(|client| client.pending.is_none()));
    }

    /// Lets all messages arrive, and no clock ring.
    async fn drain(&mut self) {
        self.listen();
        while let Some((_, packet)) = self.network.pop_first() {
            self.arrive(packet).await;
            self.listen();
        }
    }

    /// What must be so, whatever went wrong.
    async fn check(&self) {
        assert_eq!(self.disk.total().await.unwrap(), Cents::ZERO, "the books come to nothing");
        let commands = self.disk.commands().await;
        for (at, Played { name, task, .. }) in self.tables.iter().enumerate() {
            let task = task.as_ref().unwrap();
            let entries = self.disk.log(name).await;
            check_commands(self.clients.iter(), name, &entries, &commands);
            let people = || self.clients.iter().filter(|client| client.table == at);
            for client in people() {
                assert_eq!(client.version, Some(task.live.version), "{}", client.who.name);
                let (seen, is) = (client.view.as_ref().unwrap(), task.view(&client.who));
                assert_eq!(without_clock(seen), without_clock(&is), "{}", client.who.name);
            }
            let log = Export { table: name.clone(), entries }.to_string();
            let heads = people().flat_map(|client| &client.heads);
            let heads: Vec<Head> =
                heads.map(|(seq, hash)| format!("{seq}:{hash}").parse().unwrap()).collect();
            let verdict = audit::verify(log.as_bytes(), &heads).unwrap();
            assert!(verdict.is_clean(), "{name}: {verdict}");
            // The same again from the disk alone, books and all.
            let (store, sheet) = (&self.disk, task.live.table.sheet());
            let loaded = Live::load(store, name, sheet, task.epoch).await.unwrap();
            assert_eq!(loaded.head(), task.live.head());
            assert!(loaded.table == task.live.table && loaded.felt == task.live.felt);
        }
    }
}

/// Every acknowledged command is its entry, and every entry of a player is one command.
fn check_commands<'a>(
    clients: impl Iterator<Item = &'a Client>,
    table: &str,
    entries: &[Entry],
    commands: &Commands,
) {
    for client in clients {
        for (Pending { id, what }, seq) in &client.acknowledged {
            // What players add to an order is held until its line is written, and not before.
            let is_held = match what {
                PlayerCommand::Commit { .. } | PlayerCommand::Open { .. } => true,
                PlayerCommand::Cut { .. } => seq.is_none(),
                _ => false,
            };
            if is_held {
                continue;
            }
            let key = (client.who.name.to_string(), id.clone());
            let known = commands.get(&key).map(|(_, seq)| Some(*seq).filter(|&seq| seq > 0));
            assert_eq!(known, Some(*seq), "{key:?} {what:?}");
        }
    }
    let mut led_to = BTreeSet::new();
    for (at, seq) in commands.values().filter(|(at, seq)| at == table && *seq > 0) {
        assert!(led_to.insert(*seq), "{at}: two commands are entry {seq}");
        let entry = &entries[usize::try_from(*seq).unwrap() - 1];
        assert!(matches!(Kind::of(&entry.line), Some((Kind::Input, _))), "{}", entry.line);
    }
    for entry in entries.iter().filter(|entry| is_a_players(&entry.line)) {
        assert!(led_to.contains(&entry.seq), "{} is nobody's command", entry.line);
    }
}

/// Whether a line is an input that only a player's command brings about.
fn is_a_players(line: &str) -> bool {
    let words = ["sit", "buy-in", "wager", "clear", "inspect", "act", "choose"];
    let Some((Kind::Input, input)) = Kind::of(line) else { return false };
    input.split(' ').next().is_some_and(|word| words.contains(&word))
}

/// All that a view says, but for the clock, and for what players add to an order: that is forgotten with
/// the task, and they add it again.
fn without_clock(view: &View) -> View {
    let awaited = Awaited { within_ms: None, ..view.awaited.clone() };
    View { awaited, mix: None, ..view.clone() }
}

/// What came to pass in a seed.
#[derive(Default)]
struct Tally {
    failures: u32,
    restarts: u32,
    still: u32,
    panics: u32,
    closed: u32,
    rounds: u32,
    acknowledged: usize,
}

/// A world out of time, after all that a seed lets happen.
fn after<A: Breakable, T>(seed: u64, look: impl AsyncFnOnce(World<A>) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_time().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let mut world = World::new(seed).await;
        for _ in 0..HAPPENINGS {
            world.step().await;
        }
        look(world).await
    })
}

fn play<A: Breakable>(seed: u64) -> Tally {
    after(seed, async |mut world: World<A>| {
        world.calm().await;
        world.check().await;
        let tables = world.tables.iter().filter_map(|table| table.task.as_ref());
        Tally {
            failures: world.disk.failures(),
            restarts: world.restarts,
            still: world.still,
            panics: world.panics,
            closed: world.closed,
            rounds: tables.map(|task| task.live.table.rounds_played()).sum(),
            acknowledged: world.clients.iter().map(|client| client.acknowledged.len()).sum(),
        }
    })
}

/// Plays a part of the seeds; says which one it was where one fails.
fn play_part<A: Breakable>(part: u64, parts: u64, of: u64, test: &str) {
    let number = |name| std::env::var(name).ok().and_then(|word| word.parse::<u64>().ok());
    let seeds = match number("FAULT_SEED") {
        Some(seed) => seed..seed + 1,
        None => {
            let each = number("FAULT_SEEDS").unwrap_or(of).div_ceil(parts);
            part * each..(part + 1) * each
        }
    };
    let is_whole = seeds.end - seeds.start > 100;
    let mut all = Tally::default();
    for seed in seeds {
        let played = std::panic::catch_unwind(|| play::<A>(seed));
        let Ok(tally) = played else {
            panic!("FAULT_SEED={seed} cargo nextest run -p pitboss-house faults::{test}");
        };
        all.failures += tally.failures;
        all.restarts += tally.restarts;
        all.still += tally.still;
        all.panics += tally.panics;
        all.closed += tally.closed;
        all.rounds += tally.rounds;
        all.acknowledged += tally.acknowledged;
    }
    // No seed is easy by mistake.
    let Tally { failures, restarts, still, panics, closed, rounds, acknowledged } = all;
    println!(
        "{failures} failures, {restarts} restarts, {still} still, {panics} panics, {closed} closed, \
         {rounds} rounds"
    );
    assert!(!is_whole || (failures > 100 && restarts > 100 && rounds > 100 && acknowledged > 1000));
    assert!(!is_whole || panics > 20);
}

#[test]
fn first_half_of_the_seeds() {
    play_part::<Disk>(0, 2, SEEDS, "first_half_of_the_seeds");
}

#[test]
fn second_half_of_the_seeds() {
    play_part::<Disk>(1, 2, SEEDS, "second_half_of_the_seeds");
}

#[test]
fn first_half_of_the_seeds_with_the_store_itself() {
    play_part::<File>(0, 2, SEEDS_WITH_A_FILE, "first_half_of_the_seeds_with");
}

#[test]
fn second_half_of_the_seeds_with_the_store_itself() {
    play_part::<File>(1, 2, SEEDS_WITH_A_FILE, "second_half_of_the_seeds_with");
}

#[test]
fn a_seed_plays_the_same_again() {
    fn log<A: Breakable>(seed: u64) -> (Vec<Vec<Entry>>, Commands) {
        after(seed, async |world: World<A>| {
            let mut logs = Vec::new();
            for table in &world.tables {
                logs.push(world.disk.log(&table.name).await);
            }
            (logs, world.disk.commands().await)
        })
    }
    assert!((0..8).all(|seed| log::<Disk>(seed) == log::<Disk>(seed)));
    assert!(log::<Disk>(1) != log::<Disk>(2));
    assert!((0..4).all(|seed| log::<File>(seed) == log::<File>(seed)));
}
