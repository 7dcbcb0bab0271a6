//! `pitboss load`: a crowd of players on real sockets, who check everything they are told.

mod bar;
mod coaching;
mod latency;
mod numbers;
mod player;
mod referee;
mod report;
mod request;
mod server;
mod sitting;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::{StreamExt, stream};
use house::limits::MOST_TABLES_SAID;
use rules::wager::{Game, MOST_SEATS};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::sleep;
use wire::Coach;

use self::bar::StageBar;
use self::coaching::worked_on;
use self::latency::Latency;
use self::numbers::Numbers;
use self::player::{NewGuest, Player};
use self::referee::Findings;
use self::report::{LoadReport, ProcessUse, in_ms};
use self::request::request;
use self::server::{Resources, Server, resources};
use self::sitting::{Counters, Run, Stage, TableProgress};
use crate::halt::{Halt, ended, in_words, unwritable};

use crate::named;

const HELP: &str = "\
Examples:
  pitboss load                                     100 players, 30 seconds
  pitboss load --players 2000 --seconds 60         goal: p99 below 50 ms
  pitboss load --players 350 --think 0 --seats 1   goal: 5,000 steps a second
  pitboss load --games casino-war,free-bet --seats 3
  pitboss load --coach                             everyone asks the coach too
  pitboss load --url http://127.0.0.1:8042 --players 20
  pitboss load --think 0 --crash 50                kills the house 50 times
  pitboss load --cluster http://127.0.0.1:8042,http://127.0.0.1:8043
  pitboss load --json

Every player is a guest with their own connection, who sits down, buys chips,
wagers and chooses from what the view offers, without knowing the rules.
Players check that no version is missing, that all money is accounted for, and
that every card was announced before it is shown. At the end the logs are
saved, verified and compared with what every player was sent.

Without --url, the load test opens a house in its own process and temporary
folder.

A house at --url allows 30 guests a minute and 128 connections from one
address. Every player sends its own address in X-Forwarded-For: list this
computer in [network] trusted_proxies of that house, and it counts the players
one by one. Otherwise raise guests_a_minute and sockets_of_an_address there.

With --cluster the players are spread over the nodes of one house, and every
fifth sits at two tables at once. A player whose node is gone, or does not
answer, goes to the next one, sends what was not answered again under its id,
and goes on from the last version. Ctrl-C ends the play early; everything is
checked then as well. `cargo xtask cluster --test` does all of it, and kills.

Exit status: 0 nothing is wrong, 1 something is, 2 bad input.";

/// Sockets that are opened at the same time.
const DOORS: usize = 64;

/// How long players have to arrive, and to leave.
const PATIENCE: Duration = Duration::from_secs(120);

/// Logs that are saved and replayed at the same time: fewer than the house allows.
const LOGS_AT_A_TIME: usize = 2;

/// How often the disk is asked to keep a page, to know what that costs.
const FSYNCS: usize = 50;

/// One of so many players sits at two tables, where there are several nodes.
const ONE_AT_TWO_OF: usize = 5;

/// The most players.
const MOST_PLAYERS: usize = 20_000;

/// The address that the first player says to have; the others follow.
const FIRST_PLAYER: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);

/// How long the house runs between two crashes, in milliseconds.
const BETWEEN_CRASHES: (usize, usize) = (100, 1500);

/// Plays with a crowd of players, who check what they are told.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The number of players
    #[arg(long, default_value_t = 100)]
    players: usize,
    /// How long a player thinks, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 2000)]
    think: u64,
    /// How long to measure
    #[arg(long, default_value_t = 30)]
    seconds: u64,
    /// Games separated by commas [default: all]
    #[arg(long, value_name = "GAMES", value_delimiter = ',')]
    games: Vec<String>,
    /// Players at each table, without --url
    #[arg(long, default_value_t = MOST_SEATS)]
    seats: usize,
    /// Milliseconds between two cards, without --url
    #[arg(long, value_name = "MS", default_value_t = 0)]
    pace: u64,
    /// Plays in a house that is already open instead
    #[arg(long)]
    url: Option<String>,
    /// Plays in a house of several nodes that is open, separated by commas
    #[arg(long, value_name = "URLS", value_delimiter = ',', conflicts_with = "url")]
    cluster: Vec<String>,
    /// Notes every command that was done: Unix time in milliseconds, table,
    /// player, number of the node, microseconds until the answer
    #[arg(long, value_name = "FILE")]
    timeline: Option<PathBuf>,
    /// Keeps the files of the opened house in this folder
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Kills and reopens the house this many times
    #[arg(long, value_name = "TIMES", default_value_t = 0)]
    crash: u32,
    /// Players ask the coach before every decision
    #[arg(long)]
    coach: bool,
    /// The seed of the players' choices and the crashes
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> io::Result<ExitCode> {
    let runtime = tokio::runtime::Runtime::new()?;
    let mut is_clean = false;
    let code = ended(runtime.block_on(play(arguments)).and_then(|report| {
        is_clean = report.is_clean();
        match arguments.json {
            true => writeln!(out, "{:#}", report.json())?,
            false => report.write(out)?,
        }
        Ok(())
    }))?;
    Ok(if is_clean || code != ExitCode::SUCCESS { code } else { ExitCode::FAILURE })
}

/// A folder, removed at the end if it is a temporary one.
struct Folder {
    path: PathBuf,
    is_kept: bool,
}

impl Folder {
    fn new(given: Option<&PathBuf>) -> io::Result<Folder> {
        let own = || std::env::temp_dir().join(format!("pitboss-load-{}", std::process::id()));
        let path = given.cloned().unwrap_or_else(own);
        fs::create_dir_all(&path)?;
        Ok(Folder { path, is_kept: given.is_some() })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !self.is_kept {
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// The house that is played in.
struct Venue {
    server: Option<Server>,
    /// The house, or each of its nodes.
    nodes: Vec<SocketAddr>,
    tables: Vec<String>,
    /// How long its disk takes to keep a page.
    fsync: Option<Latency>,
    _folder: Option<Folder>,
}

impl Venue {
    async fn new(arguments: &Arguments) -> Result<Venue, Halt> {
        let (option, urls) = match &arguments.url {
            Some(url) => ("--url", std::slice::from_ref(url)),
            None => ("--cluster", &arguments.cluster[..]),
        };
        let mut nodes = Vec::new();
        for url in urls {
            let address = url.trim_end_matches('/').trim_start_matches("http://").parse();
            nodes.push(address.map_err(|_| {
                let found = url.escape_debug();
                format!("expected {option} such as http://127.0.0.1:8042, found '{found}'")
            })?);
        }
        let mut tables = Vec::new();
        for (url, address) in urls.iter().zip(&nodes) {
            tables = open_tables(*address).await.map_err(|error| {
                format!("no house answers at {}: {}", url.escape_debug(), in_words(&error))
            })?;
        }
        if !nodes.is_empty() {
            return Ok(Venue { server: None, nodes, tables, fsync: None, _folder: None });
        }
        let games = games(&arguments.games)?;
        let tables = arguments.players.div_ceil(arguments.seats);
        let folder = Folder::new(arguments.folder.as_ref())?;
        let pace = Duration::from_millis(arguments.pace);
        let coach = if arguments.coach { Coach::Live } else { Coach::Off };
        let config = server::config(&games, tables, arguments.players, pace, coach);
        fs::write(folder.path.join("pitboss.toml"), config)?;
        let fsync = Some(fsync(&folder.path)?);
        let server = Server::open(&folder.path, 0)?;
        let (nodes, tables) = (vec![server.address], server::names(&games, tables));
        Ok(Venue { server: Some(server), nodes, tables, fsync, _folder: Some(folder) })
    }

    /// Any of its nodes.
    fn address(&self) -> SocketAddr {
        self.nodes[0]
    }

    /// How many of its players sit at two tables.
    fn at_two_tables(&self, players: usize) -> usize {
        match self.nodes.len() > 1 && self.tables.len() > 1 {
            true => players / ONE_AT_TWO_OF,
            false => 0,
        }
    }
}

/// How long the disk takes to keep a page, as the store asks it to at every commit.
fn fsync(folder: &Path) -> io::Result<Latency> {
    let path = folder.join("fsync");
    let mut file = fs::File::create(&path)?;
    let mut took = Latency::default();
    for _ in 0..FSYNCS {
        let begun = Instant::now();
        file.write_all(&[0; 4096])?;
        file.sync_data()?;
        took.add(begun.elapsed());
    }
    fs::remove_file(path)?;
    Ok(took)
}

fn games(named: &[String]) -> Result<Vec<Game>, Halt> {
    match named {
        [] => Ok(Game::ALL.to_vec()),
        named => named.iter().map(|name| Ok(named::game_or_why(name)?)).collect(),
    }
}

async fn open_tables(address: SocketAddr) -> io::Result<Vec<String>> {
    #[derive(Deserialize)]
    struct OpenTable {
        table: String,
    }
    let tables = request(address, "GET", "/api/tables", "").await?.good()?;
    let tables: Vec<OpenTable> = serde_json::from_str(&tables)?;
    Ok(tables.into_iter().map(|open| open.table).collect())
}

fn check(arguments: &Arguments) -> Result<(), Halt> {
    let wrong = match arguments {
        Arguments { players, .. } if !(1..=MOST_PLAYERS).contains(players) => {
            format!("expected --players from 1 to {MOST_PLAYERS}, found '{players}'")
        }
        Arguments { seats, .. } if !(1..=MOST_SEATS).contains(seats) => {
            format!("expected --seats from 1 to {MOST_SEATS}, found '{seats}'")
        }
        Arguments { players, seats, url: None, cluster, .. }
            if cluster.is_empty() && players.div_ceil(*seats) > MOST_TABLES_SAID =>
        {
            let tables = players.div_ceil(*seats);
            format!("that needs {tables} tables, but a house has at most {MOST_TABLES_SAID}")
        }
        Arguments { coach: true, think: 0, .. } => {
            "--coach needs --think above 0: players ask while they think".to_owned()
        }
        Arguments { crash: 1.., url: Some(_), .. } => {
            "--crash and --url cannot be used together: only a house of its own is killed"
                .to_owned()
        }
        Arguments { crash: 1.., cluster, .. } if !cluster.is_empty() => {
            "--crash and --cluster cannot be used together: `cargo xtask cluster --test` kills nodes"
                .to_owned()
        }
        _ => return Ok(()),
    };
    Err(Halt::BadInput(wrong))
}

async fn play(arguments: &Arguments) -> Result<LoadReport, Halt> {
    check(arguments)?;
    let mut venue = Venue::new(arguments).await?;
    let timeline = arguments
        .timeline
        .as_ref()
        .map(|file| fs::File::create(file).map_err(|error| Halt::from(unwritable(file, &error))));
    let timeline = timeline.transpose()?;
    let (stage, staged) = watch::channel(Stage::Coming);
    let run = Arc::new(Run {
        nodes: venue.nodes.clone(),
        think: Duration::from_millis(arguments.think),
        stage: staged,
        doors: Semaphore::new(DOORS),
        counted: Counters::default(),
        asks_coach: arguments.coach,
        is_crashed: arguments.crash > 0 || venue.nodes.len() > 1,
        timeline: timeline.map(Mutex::new),
    });
    let before = venue.server.as_ref().and_then(|server| resources(server.id()));
    let reached: Vec<Arc<TableProgress>> = venue.tables.iter().map(|_| Arc::default()).collect();
    let shown = StageBar::new();
    let mut people = come_in(arguments, &venue, &reached, &run, &shown).await?;
    let seats = arguments.players + venue.at_two_tables(arguments.players);
    until_seated(&run, seats, &shown).await;
    // Everybody plays, and shoes are cut, before it is measured.
    let _ = stage.send(Stage::Begun);
    sleep(run.think * 2 + Duration::from_secs(1)).await;

    let seated = run.counted.seated.load(Ordering::Relaxed);
    let worked = worked_at(arguments, &venue).await?;
    let begun = Mark::new(&venue, &reached, &run);
    let _ = stage.send(Stage::Measured);
    if arguments.crash > 0 {
        crash(arguments, &mut venue, &run, &shown).await?;
    } else {
        measured(arguments.seconds, &reached, &run, &shown).await;
    }
    let over = Mark::new(&venue, &reached, &run);
    let worked = worked_at(arguments, &venue).await?.saturating_sub(worked);
    let _ = stage.send(Stage::Leaving);
    shown.begin("players leave", seats);
    let mut players = Vec::new();
    let gathered = gather(&mut people, &mut players, &shown);
    let _ = tokio::time::timeout(PATIENCE, gathered).await;
    let _ = stage.send(Stage::Over);
    gather(&mut people, &mut players, &shown).await;
    let mut refusals = BTreeMap::new();
    for refusal in players.iter().flat_map(|player| &player.refusals) {
        *refusals.entry(refusal.clone()).or_default() += 1;
    }
    let findings = afterwards(&venue, players, &shown).await?;
    shown.done();

    let used = |begun: Option<Resources>, over: Option<Resources>, before: Option<Resources>| {
        let (begun, over) = begun.zip(over)?;
        let memory = (before.map_or(0, |before| before.memory), over.memory);
        Some(ProcessUse { memory, cpu: over.cpu.saturating_sub(begun.cpu) })
    };
    let of = |times: &Mutex<Latency>| times.lock().map(|it| it.clone()).unwrap_or_default();
    let lock = |list: &Mutex<Vec<String>>| list.lock().map(|list| list.clone()).unwrap_or_default();
    Ok(LoadReport {
        players: arguments.players,
        tables: venue.tables.len(),
        seated,
        think: run.think,
        measured: over.at.duration_since(begun.at),
        latency: of(&run.counted.latency),
        waits: (venue.nodes.len() > 1).then(|| of(&run.counted.waits)),
        steps: over.steps - begun.steps,
        entries: over.entries - begun.entries,
        rounds: over.rounds - begun.rounds,
        messages: over.messages - begun.messages,
        bytes: over.bytes - begun.bytes,
        coach: arguments.coach.then(|| (run.counted.coach.all(), worked)),
        fsync: venue.fsync.clone(),
        crashes: arguments.crash,
        server: used(begun.server, over.server, before).filter(|_| arguments.crash == 0),
        client: used(begun.client, over.client, None),
        findings,
        wrongs: run.counted.wrongs.load(Ordering::Relaxed),
        wrong: lock(&run.counted.wrong),
        refusals,
    })
}

/// What the coach has done so far, where it is asked.
async fn worked_at(arguments: &Arguments, venue: &Venue) -> io::Result<u64> {
    match arguments.coach {
        true => worked_on(venue.address()).await,
        false => Ok(0),
    }
}

/// Lets everybody in, and to their tables.
async fn come_in(
    arguments: &Arguments,
    venue: &Venue,
    reached: &[Arc<TableProgress>],
    run: &Arc<Run>,
    shown: &StageBar,
) -> Result<JoinSet<Player>, Halt> {
    shown.begin("players arrive", arguments.players);
    let (mut people, nodes) = (JoinSet::new(), &venue.nodes);
    let guests =
        stream::iter(0..arguments.players).map(|number| guest(nodes[number % nodes.len()], number));
    let mut guests = guests.buffered(DOORS);
    let mut at = 0;
    while let Some(guest) = guests.next().await {
        let guest = guest.map_err(|error| match error.kind() {
            io::ErrorKind::QuotaExceeded => Halt::from(format!(
                "the house lets in no more players from one address ({error}); in its configuration, \
                 list this computer in [network] trusted_proxies, or raise [limits] guests_a_minute \
                 and sockets_of_an_address"
            )),
            _ => error.into(),
        })?;
        let table = at % venue.tables.len();
        let seat = (at / venue.tables.len()) % MOST_SEATS + 1;
        let is_at_two = at < venue.at_two_tables(arguments.players);
        let mut tables = vec![(table, is_at_two.then_some(1))];
        if is_at_two {
            tables.push(((table + venue.tables.len() / 2) % venue.tables.len(), Some(2)));
        }
        for (table, of_two) in tables {
            let stream = at as u64 + of_two.map_or(0, |of| u64::from(of) << 32);
            let (numbers, guest) = (Numbers::new(arguments.seed, stream), guest.clone());
            let (name, node) = (venue.tables[table].clone(), at + usize::from(of_two == Some(2)));
            let player = Player::new(guest, name, seat, numbers, of_two, node);
            people.spawn(sitting::play(player, reached[table].clone(), run.clone()));
        }
        shown.next();
        at += 1;
    }
    Ok(people)
}

/// A new guest, who has an address of their own for a house that trusts this computer as a proxy.
async fn guest(address: SocketAddr, number: usize) -> io::Result<NewGuest> {
    let from = Ipv4Addr::from_bits(FIRST_PLAYER.to_bits() + u32::try_from(number).unwrap_or(0));
    let more = format!("X-Forwarded-For: {from}\r\n");
    let entered = request(address, "POST", "/api/guest", &more).await?;
    let cookie = entered.cookie().unwrap_or_default().to_owned();
    let me: Value = serde_json::from_str(&entered.good()?)?;
    let name = me["name"].as_str().unwrap_or_default().to_owned();
    Ok(NewGuest { name, cookie, from })
}

/// Waits until everybody has a seat, or has had the time for it.
async fn until_seated(run: &Run, players: usize, shown: &StageBar) {
    let since = Instant::now();
    shown.begin("people sit down", players);
    loop {
        let seated = usize::try_from(run.counted.seated.load(Ordering::Relaxed)).unwrap_or(players);
        shown.at(seated);
        if seated >= players || since.elapsed() > PATIENCE {
            return;
        }
        sleep(Duration::from_millis(100)).await;
    }
}

async fn measured(seconds: u64, reached: &[Arc<TableProgress>], run: &Run, shown: &StageBar) {
    let mut steps = total(reached, |table| &table.version);
    shown.begin("people play", usize::try_from(seconds).unwrap_or(usize::MAX));
    let mut interrupted = pin!(async {
        match run.nodes.len() {
            1 => std::future::pending().await,
            _ => tokio::signal::ctrl_c().await,
        }
    });
    for _ in 0..seconds {
        let is_interrupted = tokio::select! {
            () = sleep(Duration::from_secs(1)) => false,
            _ = &mut interrupted => true,
        };
        if is_interrupted {
            return;
        }
        let now = total(reached, |table| &table.version);
        let p99 = run.counted.latency.lock().map(|latency| latency.quantile(990));
        let (wrong, p99) = (run.counted.wrongs.load(Ordering::Relaxed), p99.unwrap_or_default());
        let made = now - steps;
        shown.say(format!("{made} steps a second, p99 {}, {wrong} wrong", in_ms(p99)));
        shown.next();
        steps = now;
    }
}

/// Kills the house at random moments, and opens it again.
async fn crash(
    arguments: &Arguments,
    venue: &mut Venue,
    run: &Run,
    shown: &StageBar,
) -> Result<(), Halt> {
    let mut numbers = Numbers::new(arguments.seed, u64::MAX);
    let (least, most) = BETWEEN_CRASHES;
    shown.begin("the house is killed", usize::try_from(arguments.crash).unwrap_or(usize::MAX));
    for _ in 0..arguments.crash {
        let wait = least + numbers.below(most - least);
        sleep(Duration::from_millis(wait as u64)).await;
        if let Some(server) = &mut venue.server {
            server.kill_and_open()?;
        }
        let wrong = run.counted.wrongs.load(Ordering::Relaxed);
        shown.say(format!("the house is killed, {wrong} wrong"));
        shown.next();
    }
    // Everybody comes back before they go home.
    sleep(Duration::from_secs(2)).await;
    Ok(())
}

/// Waits for everybody; one who is lost on the way is a mistake of this program.
async fn gather(people: &mut JoinSet<Player>, home: &mut Vec<Player>, shown: &StageBar) {
    while let Some(player) = people.join_next().await {
        home.push(player.expect("a player does not panic"));
        shown.next();
    }
}

/// Saves the logs, and compares them with what everybody was told.
async fn afterwards(
    venue: &Venue,
    players: Vec<Player>,
    shown: &StageBar,
) -> Result<Findings, Halt> {
    shown.begin("the logs are played again", venue.tables.len());
    let mut there: BTreeMap<String, Vec<Player>> = BTreeMap::new();
    for player in players {
        there.entry(player.table.clone()).or_default().push(player);
    }
    let address = venue.address();
    let logs = venue.tables.iter().map(|table| {
        let (path, people) = (format!("/api/export/{table}"), there.remove(table));
        // Whoever has played there gets the log that the heads are of. Where nobody has, there is nothing
        // to compare.
        let people = people.filter(|people| people.iter().any(Player::has_wagered));
        let people = people.unwrap_or_default();
        let reader = people.iter().find(|player| player.has_wagered());
        let cookie = reader.map(|player| format!("Cookie: {}\r\n", player.cookie));
        let cookie = cookie.unwrap_or_default();
        async move {
            let export = request(address, "GET", &path, &cookie).await?.good()?;
            let judged = move || referee::judge(&export, &people);
            tokio::task::spawn_blocking(judged).await.map_err(io::Error::other)
        }
    });
    let logs: Vec<_> = logs.collect();
    let mut logs = stream::iter(logs).buffer_unordered(LOGS_AT_A_TIME);
    let mut findings = Findings::default();
    while let Some(judged) = logs.next().await {
        findings.add(judged?);
        shown.next();
    }
    // The house adds its books up: they come to nothing, or it is not well.
    if let Err(error) = request(address, "GET", "/health", "").await?.good() {
        findings.wrong.push(format!("the house is not healthy: {error}"));
    }
    Ok(findings)
}

fn total(
    reached: &[Arc<TableProgress>],
    part: impl Fn(&TableProgress) -> &std::sync::atomic::AtomicU64,
) -> u64 {
    reached.iter().map(|table| part(table).load(Ordering::Relaxed)).sum()
}

/// How far everything was at a moment.
struct Mark {
    at: Instant,
    steps: u64,
    entries: u64,
    rounds: u64,
    messages: u64,
    bytes: u64,
    server: Option<Resources>,
    client: Option<Resources>,
}

impl Mark {
    fn new(venue: &Venue, reached: &[Arc<TableProgress>], run: &Run) -> Mark {
        Mark {
            at: Instant::now(),
            steps: total(reached, |table| &table.version),
            entries: total(reached, |table| &table.entry),
            rounds: total(reached, |table| &table.round),
            messages: run.counted.messages.load(Ordering::Relaxed),
            bytes: run.counted.bytes.load(Ordering::Relaxed),
            server: venue.server.as_ref().and_then(|server| resources(server.id())),
            client: resources(std::process::id()),
        }
    }
}
