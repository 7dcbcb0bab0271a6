//! `pitboss load`: a crowd of players on real sockets, who check everything that they are told.

mod latency;
mod message;
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
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use house::limits::MOST_TABLES_SAID;
use indicatif::{ProgressBar, ProgressStyle};
use rules::wager::{Game, MOST_SEATS};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::sleep;

use self::numbers::Numbers;
use self::player::Player;
use self::referee::Findings;
use self::report::{Report, Used, in_ms};
use self::request::request;
use self::server::{Server, Taken, taken};
use self::sitting::{Counted, Reached, Run, Stage};
use crate::halt::{Halt, ended};
use crate::named;

const HELP: &str = "\
Every player is a guest with a socket of their own. They sit down, buy chips, wager, decide by what
the view offers, and know no rule of any game. They hold the house to versions without a gap, to money
that is accounted for, and to cards that were told before they lie open. At the end the logs are saved,
verified and played again, and compared with all that each player was told and had acknowledged.

Without --url a house is opened in a folder of its own, and closed at the end. It exits with 1 where
anything was wrong.

Examples:
  pitboss load                                   100 players, 2 s of thought, 30 s
  pitboss load --players 2000 --seconds 60       the aim: p99 under 50 ms
  pitboss load --players 400 --think 0           flat out
  pitboss load --games casino-war,free-bet --seats 3
  pitboss load --url http://127.0.0.1:8042 --players 20
  pitboss load --players 100 --think 0 --crash 50    kills the house fifty times
  pitboss load --json";

/// Sockets that are opened at the same time.
const DOORS: usize = 64;

/// How long people have to come in, and to go home.
const PATIENCE: Duration = Duration::from_secs(120);

/// The most players.
const MOST_PLAYERS: usize = 20_000;

/// How long the house is let live between two crashes, in milliseconds.
const BETWEEN_CRASHES: (usize, usize) = (100, 1500);

/// Plays with a crowd, and checks what it is told.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// How many players
    #[arg(long, default_value_t = 100)]
    players: usize,
    /// How long a player thinks, in milliseconds; 0 is flat out
    #[arg(long, value_name = "MS", default_value_t = 2000)]
    think: u64,
    /// How long it is measured
    #[arg(long, default_value_t = 30)]
    seconds: u64,
    /// The games, with commas; else all five
    #[arg(long, value_name = "GAMES", value_delimiter = ',')]
    games: Vec<String>,
    /// How many players sit at a table of the load's own house
    #[arg(long, default_value_t = MOST_SEATS)]
    seats: usize,
    /// Milliseconds between two cards in the load's own house
    #[arg(long, value_name = "MS", default_value_t = 0)]
    pace: u64,
    /// A house that is open already; else one is opened
    #[arg(long)]
    url: Option<String>,
    /// Where the load's own house is; else a folder that is removed
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Kills the load's own house so many times at random moments, and opens it again
    #[arg(long, value_name = "TIMES", default_value_t = 0)]
    crash: u32,
    /// What the players' choices and the moments of crashes are made from
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

/// A folder that is gone at the end, where it was the load's own.
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
    address: SocketAddr,
    tables: Vec<String>,
    _folder: Option<Folder>,
}

impl Venue {
    async fn new(arguments: &Arguments) -> Result<Venue, Halt> {
        if let Some(url) = &arguments.url {
            let address = url.trim_end_matches('/').trim_start_matches("http://").parse();
            let address = address.map_err(|_| {
                format!("'{url}' is no address of a house; expected http://127.0.0.1:8042")
            })?;
            let tables = open_tables(address).await?;
            return Ok(Venue { server: None, address, tables, _folder: None });
        }
        let games = games(&arguments.games)?;
        let tables = arguments.players.div_ceil(arguments.seats);
        let folder = Folder::new(arguments.folder.as_ref())?;
        let pace = Duration::from_millis(arguments.pace);
        let config = server::config(&games, tables, arguments.players, pace);
        fs::write(folder.path.join("pitboss.toml"), config)?;
        let server = Server::open(&folder.path, 0)?;
        let (address, tables) = (server.address, server::names(&games, tables));
        Ok(Venue { server: Some(server), address, tables, _folder: Some(folder) })
    }
}

fn games(named: &[String]) -> Result<Vec<Game>, Halt> {
    match named {
        [] => Ok(Game::ALL.to_vec()),
        named => named.iter().map(|name| Ok(named::game_or_why(name)?)).collect(),
    }
}

async fn open_tables(address: SocketAddr) -> io::Result<Vec<String>> {
    #[derive(Deserialize)]
    struct Open {
        table: String,
    }
    let tables = request(address, "GET", "/api/tables", "").await?.good()?;
    let tables: Vec<Open> = serde_json::from_str(&tables)?;
    Ok(tables.into_iter().map(|open| open.table).collect())
}

fn check(arguments: &Arguments) -> Result<(), Halt> {
    let wrong = match arguments {
        Arguments { players, .. } if !(1..=MOST_PLAYERS).contains(players) => {
            format!("--players is from 1 to {MOST_PLAYERS}")
        }
        Arguments { seats, .. } if !(1..=MOST_SEATS).contains(seats) => {
            format!("--seats is from 1 to {MOST_SEATS}")
        }
        Arguments { players, seats, url: None, .. }
            if players.div_ceil(*seats) > MOST_TABLES_SAID =>
        {
            let tables = players.div_ceil(*seats);
            format!("that takes {tables} tables, and a house has at most {MOST_TABLES_SAID}")
        }
        Arguments { crash: 1.., url: Some(_), .. } => {
            "--crash kills a house of the load's own, and none that --url names".to_owned()
        }
        _ => return Ok(()),
    };
    Err(Halt::BadInput(wrong))
}

async fn play(arguments: &Arguments) -> Result<Report, Halt> {
    check(arguments)?;
    let mut venue = Venue::new(arguments).await?;
    let (stage, staged) = watch::channel(Stage::Coming);
    let run = Arc::new(Run {
        address: venue.address,
        think: Duration::from_millis(arguments.think),
        stage: staged,
        doors: Semaphore::new(DOORS),
        counted: Counted::default(),
        is_crashed: arguments.crash > 0,
    });
    let before = venue.server.as_ref().and_then(|server| taken(server.id()));
    let reached: Vec<Arc<Reached>> = venue.tables.iter().map(|_| Arc::default()).collect();
    let mut people = come_in(arguments, &venue, &reached, &run).await?;
    let shown = Shown::new();
    until_seated(&run, arguments.players, &shown).await;

    let seated = run.counted.seated.load(Ordering::Relaxed);
    let begun = Mark::new(&venue, &reached, &run);
    let _ = stage.send(Stage::Measured);
    if arguments.crash > 0 {
        crash(arguments, &mut venue, &run, &shown).await?;
    } else {
        measured(arguments.seconds, &reached, &run, &shown).await;
    }
    let over = Mark::new(&venue, &reached, &run);
    let _ = stage.send(Stage::Leaving);
    shown.say("everybody goes home".to_owned());
    let mut players = Vec::new();
    let _ = tokio::time::timeout(PATIENCE, gather(&mut people, &mut players)).await;
    let _ = stage.send(Stage::Over);
    gather(&mut people, &mut players).await;
    shown.say("the logs are played again".to_owned());
    let findings = afterwards(&venue, &players).await?;
    shown.done();

    let used = |begun: Option<Taken>, over: Option<Taken>, before: Option<Taken>| {
        let (begun, over) = begun.zip(over)?;
        let memory = (before.map_or(0, |before| before.memory), over.memory);
        Some(Used { memory, cpu: over.cpu.saturating_sub(begun.cpu) })
    };
    let mut refusals = BTreeMap::new();
    for refusal in players.iter().flat_map(|player| &player.refusals) {
        *refusals.entry(refusal.clone()).or_default() += 1;
    }
    let lock = |list: &std::sync::Mutex<Vec<String>>| {
        list.lock().map(|list| list.clone()).unwrap_or_default()
    };
    Ok(Report {
        players: arguments.players,
        tables: venue.tables.len(),
        seated,
        think: run.think,
        measured: over.at.duration_since(begun.at),
        latency: run.counted.latency.lock().map(|latency| latency.clone()).unwrap_or_default(),
        steps: over.steps - begun.steps,
        entries: over.entries - begun.entries,
        rounds: over.rounds - begun.rounds,
        messages: over.messages - begun.messages,
        crashes: arguments.crash,
        server: used(begun.server, over.server, before).filter(|_| arguments.crash == 0),
        client: used(begun.client, over.client, None),
        findings,
        wrongs: run.counted.wrongs.load(Ordering::Relaxed),
        wrong: lock(&run.counted.wrong),
        refusals,
    })
}

/// Lets everybody in, and to their tables.
async fn come_in(
    arguments: &Arguments,
    venue: &Venue,
    reached: &[Arc<Reached>],
    run: &Arc<Run>,
) -> Result<JoinSet<Player>, Halt> {
    let mut people = JoinSet::new();
    for at in 0..arguments.players {
        let table = at % venue.tables.len();
        let seat = (at / venue.tables.len()) % MOST_SEATS + 1;
        let entered = request(venue.address, "POST", "/api/guest", "").await?;
        let cookie = entered.cookie().unwrap_or_default().to_owned();
        let me: Value = serde_json::from_str(&entered.good()?).map_err(io::Error::from)?;
        let name = me["name"].as_str().unwrap_or_default().to_owned();
        let numbers = Numbers::new(arguments.seed, at as u64);
        let player = Player::new(name, venue.tables[table].clone(), seat, numbers);
        people.spawn(sitting::play(player, cookie, reached[table].clone(), run.clone()));
    }
    Ok(people)
}

/// Waits until everybody has a seat, or has had the time for it.
async fn until_seated(run: &Run, players: usize, shown: &Shown) {
    let since = Instant::now();
    loop {
        let seated = run.counted.seated.load(Ordering::Relaxed);
        shown.say(format!("{seated} of {players} are seated"));
        if seated >= players as u64 || since.elapsed() > PATIENCE {
            // Everybody has begun to play, and shoes are cut, before it is measured.
            return sleep(run.think * 2 + Duration::from_millis(500)).await;
        }
        sleep(Duration::from_millis(100)).await;
    }
}

async fn measured(seconds: u64, reached: &[Arc<Reached>], run: &Run, shown: &Shown) {
    let mut steps = total(reached, |table| &table.version);
    for second in 1..=seconds {
        sleep(Duration::from_secs(1)).await;
        let now = total(reached, |table| &table.version);
        let p99 = run.counted.latency.lock().map(|latency| latency.quantile(990));
        let (wrong, p99) = (run.counted.wrongs.load(Ordering::Relaxed), p99.unwrap_or_default());
        shown.say(format!(
            "{second} of {seconds} s: {} steps a second, p99 {}, {wrong} wrong",
            now - steps,
            in_ms(p99)
        ));
        steps = now;
    }
}

/// Kills the house at random moments, and opens it again.
async fn crash(
    arguments: &Arguments,
    venue: &mut Venue,
    run: &Run,
    shown: &Shown,
) -> Result<(), Halt> {
    let mut numbers = Numbers::new(arguments.seed, u64::MAX);
    let (least, most) = BETWEEN_CRASHES;
    for time in 1..=arguments.crash {
        let wait = least + numbers.below(most - least);
        sleep(Duration::from_millis(wait as u64)).await;
        if let Some(server) = &mut venue.server {
            server.kill_and_open()?;
        }
        let wrong = run.counted.wrongs.load(Ordering::Relaxed);
        shown.say(format!("killed {time} of {} times, {wrong} wrong", arguments.crash));
    }
    // Everybody comes back before they go home.
    sleep(Duration::from_secs(2)).await;
    Ok(())
}

/// Waits for everybody; one who is lost on the way is a mistake of this program.
async fn gather(people: &mut JoinSet<Player>, home: &mut Vec<Player>) {
    while let Some(player) = people.join_next().await {
        home.push(player.expect("a player does not panic"));
    }
}

/// Saves the logs, and compares them with what everybody was told.
async fn afterwards(venue: &Venue, players: &[Player]) -> Result<Findings, Halt> {
    let mut findings = Findings::default();
    for table in &venue.tables {
        let path = format!("/api/export/{table}");
        let export = request(venue.address, "GET", &path, "").await?.good()?;
        let there: Vec<&Player> = players.iter().filter(|player| player.table == *table).collect();
        findings.add(referee::judge(&export, &there));
    }
    // The house adds its books up: they come to nothing, or it is not well.
    if let Err(error) = request(venue.address, "GET", "/health", "").await?.good() {
        findings.wrong.push(format!("the house is not well: {error}"));
    }
    Ok(findings)
}

fn total(
    reached: &[Arc<Reached>],
    part: impl Fn(&Reached) -> &std::sync::atomic::AtomicU64,
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
    server: Option<Taken>,
    client: Option<Taken>,
}

impl Mark {
    fn new(venue: &Venue, reached: &[Arc<Reached>], run: &Run) -> Mark {
        Mark {
            at: Instant::now(),
            steps: total(reached, |table| &table.version),
            entries: total(reached, |table| &table.entry),
            rounds: total(reached, |table| &table.round),
            messages: run.counted.messages.load(Ordering::Relaxed),
            server: venue.server.as_ref().and_then(|server| taken(server.id())),
            client: taken(std::process::id()),
        }
    }
}

/// One line on the error output, where that is a terminal.
struct Shown(ProgressBar);

impl Shown {
    fn new() -> Shown {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(100));
        Shown(bar)
    }

    fn say(&self, words: String) {
        self.0.set_message(words);
    }

    fn done(&self) {
        self.0.finish_and_clear();
    }
}
