//! `cargo xtask cluster`: a house of several nodes on this computer, with its PostgreSQL and its NATS, in a
//! temporary folder that goes when the cluster does; and `cargo xtask cluster --test`, which breaks it.

mod bus;
mod faults;
mod node;
#[path = "../../../crates/house/tests/postgres_server/mod.rs"]
pub(crate) mod postgres_server;
mod proxy;
mod relayed;
mod timeline;
mod trial;

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};

use self::bus::Bus;
use self::node::{Node, Places};
use self::postgres_server::{Access, Server};
use self::proxy::Proxy;
use crate::step::{Failure, Step};
use crate::{cargo, target_dir, tools};

/// The user of the house, at PostgreSQL and at NATS.
const USER: &str = "pitboss";

/// The database of the house.
const DATABASE: &str = "house";

/// The games of the tables, in turn.
const GAMES: [&str; 5] =
    ["casino-war", "double-down-stud", "double-deck", "double-attack", "free-bet"];

/// The first game has a meter that its tables share. A test has one table of each other game.
const OTHERS: usize = GAMES.len() - 1;

/// How long a program may take to end after it was asked to, before it is killed.
const LONGEST_END: Duration = Duration::from_secs(10);

const FIRST_SEED: u64 = 1;
const MOST_NODES: usize = 16;
const MOST_TABLES: usize = 1000;

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    nodes: usize,
    tables: usize,
    /// How long the cluster stays up; until it is interrupted where it is none.
    stays: Option<Duration>,
    /// Whether a crowd plays there while it is broken, and how long.
    test: Option<Length>,
    /// Whether it is measured what it costs that a player's node does not own the table.
    relayed: bool,
    /// What the faults, and the choices of the players, come from.
    seed: u64,
}

/// How long a test is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    /// About a minute: each fault once.
    Short,
    /// About a quarter of an hour, with thirty kills.
    Long,
}

impl Options {
    /// Reads the words after `cluster`.
    pub(crate) fn of(words: &[String]) -> Result<Options, Failure> {
        let mut options = Options {
            nodes: 3,
            tables: 10,
            stays: None,
            test: None,
            relayed: false,
            seed: FIRST_SEED,
        };
        match words {
            [test, long, ..] if test == "--test" && long == "--long" => {
                (options.test, options.tables) = (Some(Length::Long), 50 + OTHERS);
            }
            [test, ..] if test == "--test" => {
                (options.test, options.tables) = (Some(Length::Short), 15);
            }
            [relayed, ..] if relayed == "--relayed" => options.relayed = true,
            _ => {}
        }
        let named = match options.test {
            None => usize::from(options.relayed),
            Some(Length::Short) => 1,
            Some(Length::Long) => 2,
        };
        let mut words = words[named..].iter();
        while let Some(word) = words.next() {
            let most = match (word.as_str(), options.test) {
                ("--nodes", _) => MOST_NODES,
                ("--tables", _) => MOST_TABLES,
                ("--for", None) => 86_400,
                ("--seed", Some(_)) => usize::MAX,
                _ => {
                    return Err(Failure::Usage(format!(
                        "`cargo xtask cluster` takes --nodes, --tables and --for, also after \
                         --relayed, or first --test, or --test --long, with --nodes, --tables and \
                         --seed, but was given `{word}`."
                    )));
                }
            };
            let number = words.next().and_then(|number| number.parse().ok());
            let number = number.filter(|number| (1..=most).contains(number)).ok_or_else(|| {
                Failure::Usage(format!("{word} needs a number from 1 to {most}."))
            })?;
            match word.as_str() {
                "--nodes" => options.nodes = number,
                "--tables" => options.tables = number,
                "--seed" => options.seed = number as u64,
                _ => options.stays = Some(Duration::from_secs(number as u64)),
            }
        }
        Ok(options)
    }

    /// The game of each table. In a test most of them share one meter.
    fn games(&self) -> Vec<&'static str> {
        let others = self.test.map_or(self.tables, |_| OTHERS.min(self.tables - 1) + 1);
        let first = std::iter::repeat_n(GAMES[0], self.tables - others);
        first.chain(GAMES.into_iter().cycle().take(others)).collect()
    }
}

/// Keeps a cluster up until it is interrupted, or for as long as was asked.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let interrupted = Interrupted::noticed()?;
    tools::need_postgresql()?;
    tools::need_nats_server()?;
    if let Some(length) = options.test {
        return trial::run(options, length, &interrupted);
    }
    let program = build()?;
    let mut cluster = Cluster::start(&program, options, &interrupted)?;
    if options.relayed {
        relayed::measure(&program, &cluster, options, &interrupted)?;
        return cluster.end();
    }
    cluster.tell();
    let begun = Instant::now();
    while !interrupted.is_so() && options.stays.is_none_or(|stays| begun.elapsed() < stays) {
        cluster.notice_ends();
        sleep(Duration::from_millis(100));
    }
    println!("The cluster is taken down.");
    cluster.end()
}

/// Builds the program as `cargo xtask run` does.
fn build() -> Result<PathBuf, Failure> {
    let build = cargo(&["build", "--profile", "quick", "--package", "pitboss", "--bin", "pitboss"]);
    Step::new("the program", build).run()?;
    Ok(target_dir().join("quick/pitboss"))
}

/// Whether Ctrl-C was pressed, or this program was asked to end.
pub(crate) struct Interrupted(Arc<AtomicBool>);

impl Interrupted {
    fn noticed() -> Result<Interrupted, Failure> {
        let flag = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            signal_hook::flag::register(signal, flag.clone()).map_err(|error| {
                Failure::Found(format!("signals cannot be noticed here: {error}"))
            })?;
        }
        Ok(Interrupted(flag))
    }

    fn is_so(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Everything that runs. What ends first comes first: a struct's fields are dropped in their order.
struct Cluster {
    nodes: Vec<Node>,
    /// The ways from each node to PostgreSQL and to NATS.
    ways: Vec<[Proxy; 2]>,
    bus: Bus,
    postgres: Server,
    folder: Folder,
}

impl Cluster {
    fn start(
        program: &Path,
        options: &Options,
        interrupted: &Interrupted,
    ) -> Result<Cluster, Failure> {
        let folder = Folder::new("cluster")?;
        let password = password()?;
        let postgres = Server::open("cluster-postgresql", Access::Password(password))
            .map_err(Failure::Found)?;
        let made = postgres.psql("postgres", &format!("CREATE DATABASE {DATABASE}"));
        made.ok_or_else(|| Failure::Found("the database could not be created.".to_owned()))?;
        let bus = Bus::start(&folder.path)?;
        let (nodes, ways) = (Vec::new(), Vec::new());
        let mut cluster = Cluster { nodes, ways, bus, postgres, folder };
        for number in 1..=options.nodes {
            if interrupted.is_so() {
                break;
            }
            let name = format!("node-{number}");
            let Cluster { postgres, bus, folder, .. } = &cluster;
            let ways = [Proxy::to(postgres.port())?, Proxy::to(bus.port())?];
            let places = Places {
                store: postgres.url_at(ways[0].port(), USER, DATABASE),
                bus: bus.url_at(ways[1].port()),
            };
            let mut node = Node::new(program, &folder.path, &name, &places, &options.games())?;
            node.open()?;
            cluster.nodes.push(node);
            cluster.ways.push(ways);
        }
        Ok(cluster)
    }

    /// Says where everything is.
    fn tell(&self) {
        let (postgres, bus) = (self.postgres.port(), self.bus.port());
        println!("\nPostgreSQL  postgres://{USER}@127.0.0.1:{postgres}/{DATABASE}");
        println!("NATS        nats://{USER}@127.0.0.1:{bus}");
        for node in &self.nodes {
            println!("{:<11} {}", node.name(), node.url());
        }
        let urls: Vec<String> = self.nodes.iter().map(Node::url).collect();
        let folder = self.folder.path.display();
        println!("\nConfigurations, passwords and logs are in {folder}.");
        println!("Players:  pitboss load --cluster {}", urls.join(","));
        println!("Ctrl-C takes it all down.");
    }

    /// Says which nodes have ended by themselves.
    fn notice_ends(&mut self) {
        for node in &mut self.nodes {
            if let Some(status) = node.has_ended() {
                eprintln!("{} has ended ({status}): {}", node.name(), node.last_words());
            }
        }
    }

    /// Closes the nodes one after the other, as an operator would, and then what they stand on.
    fn end(mut self) -> Result<(), Failure> {
        let mut unclean = Vec::new();
        for node in &mut self.nodes {
            if let Some(wrong) = node.close() {
                unclean.push(wrong);
            }
        }
        match unclean.is_empty() {
            true => Ok(()),
            false => Err(Failure::Found(unclean.join("; "))),
        }
    }
}

/// A temporary folder that nobody else may read, removed at the end.
struct Folder {
    path: PathBuf,
}

impl Folder {
    fn new(name: &str) -> Result<Folder, Failure> {
        use std::os::unix::fs::DirBuilderExt;
        let path = std::env::temp_dir().join(format!("pitboss-{name}-{}", std::process::id()));
        let made = fs::DirBuilder::new().mode(0o700).create(&path);
        made.map_err(|error| Failure::Found(format!("{}: {error}", path.display())))?;
        Ok(Folder { path })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// A password that nobody guesses.
fn password() -> Result<String, Failure> {
    let mut bytes = [0; 24];
    let read = fs::File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes));
    read.map_err(|error| Failure::Found(format!("there are no random numbers here: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Writes a file that only its owner may read.
fn write_secret(path: &Path, text: &str) -> Result<(), Failure> {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let file = fs::File::options().create(true).write(true).truncate(true).mode(0o600).open(path);
    let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| Failure::Found(format!("{}: {error}", path.display())))
}

/// Sends a signal to a program of ours that still runs.
fn signal(child: &Child, signal: &str) {
    let _ = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
}

/// Asks a program to end, and kills it where it does not. Whether it ended by itself.
fn end(child: &mut Child) -> bool {
    signal(child, "TERM");
    let asked = Instant::now();
    while asked.elapsed() < LONGEST_END {
        if let Ok(Some(_)) = child.try_wait() {
            return true;
        }
        sleep(Duration::from_millis(20));
    }
    let _ = child.kill();
    let _ = child.wait();
    false
}

/// A free port of this computer.
fn free_port() -> Result<u16, Failure> {
    let found = postgres_server::free_port();
    found.map_err(|error: io::Error| Failure::Found(format!("there is no free port: {error}")))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::root;

    fn of(words: &str) -> Result<Options, Failure> {
        Options::of(&words.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_are_read_or_refused() {
        let (nodes, tables, relayed) = (3, 10, false);
        let plain = Options { nodes, tables, stays: None, test: None, relayed, seed: FIRST_SEED };
        assert_eq!(of("--relayed").unwrap(), Options { relayed: true, ..plain.clone() });
        assert_eq!(of("").unwrap(), plain);
        let options = of("--nodes 5 --tables 50 --for 60").unwrap();
        let stays = Some(Duration::from_secs(60));
        assert_eq!(options, Options { nodes: 5, tables: 50, stays, ..plain.clone() });
        let options = of("--test --seed 7").unwrap();
        let test = Some(Length::Short);
        assert_eq!(options, Options { tables: 15, test, seed: 7, ..plain.clone() });
        let options = of("--test --long --tables 30").unwrap();
        assert_eq!(options, Options { tables: 30, test: Some(Length::Long), ..plain });
        let war = |words: &str| {
            let games = of(words).unwrap().games();
            (games.iter().filter(|game| **game == "casino-war").count(), games.len())
        };
        assert_eq!([war(""), war("--test"), war("--test --tables 1")], [(2, 10), (11, 15), (1, 1)]);
        assert_eq!(war("--test --long"), (50, 54));
        for wrong in [
            "--seed 1",
            "--test --for 9",
            "--long",
            "--test --seed 0",
            "--nodes",
            "--nodes 0",
            "--nodes 17",
            "--tables many",
            "--for -1",
            "three",
        ] {
            assert_eq!(of(wrong).unwrap_err().exit_code(), 2, "{wrong}");
        }
    }

    #[test]
    fn secrets_are_for_their_owner_and_the_folder_goes() {
        let folder = Folder::new("cluster-secrets").unwrap();
        let file = folder.path.join("secret");
        write_secret(&file, &password().unwrap()).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&folder.path), mode(&file)), (0o700, 0o600));
        assert_eq!(fs::read_to_string(&file).unwrap().len(), 48);
        assert_ne!(password().unwrap(), password().unwrap());
        let path = folder.path.clone();
        drop(folder);
        assert!(!path.exists());
    }

    #[test]
    fn a_server_is_where_its_socket_has_a_path_that_is_not_too_long() {
        let in_folder = |temporary: &str| postgres_server::folder_in(Path::new(temporary), "one");
        assert_eq!(in_folder("/tmp"), Path::new("/tmp/one"));
        let deep = root().join("target").join("a-folder-with-a-name/".repeat(5));
        assert_eq!(in_folder(deep.to_str().unwrap()), Path::new("/tmp/one"));
    }

    #[test]
    fn postgresql_and_nats_want_their_password_and_leave_nothing_behind() {
        if postgres_server::installed().is_none() || tools::nats_server().is_none() {
            assert!(std::env::var_os("CI").is_none(), "PostgreSQL or NATS is not installed");
            println!("skipped: PostgreSQL or NATS is not installed");
            return;
        }
        let folder = Folder::new("cluster-servers").unwrap();
        let access = Access::Password(password().unwrap());
        let server = Server::open("cluster-servers-postgresql", access).unwrap();
        let port = server.port().to_string();
        let by_port = |password: &str| {
            let mut psql = Command::new(postgres_server::installed().unwrap().join("psql"));
            psql.args(["-X", "-A", "-t", "-U", USER, "-h", "127.0.0.1", "-p", &port, "-w"]);
            psql.args(["-d", "postgres", "-c", "SELECT 1"]).env("PGPASSWORD", password);
            psql.output().unwrap().status.success()
        };
        let url = server.url(USER, "postgres");
        let password = url.split(['@', ':']).nth(2).unwrap();
        assert!(by_port(password));
        assert!(!by_port("guessed"));
        let mut bus = Bus::start(&folder.path).unwrap();
        assert_eq!(bus.greeted(None), "-ERR 'Authorization Violation'");
        let own = bus.url();
        let words = own.trim_start_matches("nats://").split('@').next().unwrap().to_owned();
        assert_eq!(bus.greeted(words.split_once(':')), "PONG");
        bus.kill();
        bus.begin().unwrap();
        assert_eq!(bus.greeted(words.split_once(':')), "PONG");
        let folders = [folder.path.clone(), server.folder().to_owned()];
        let process = bus.process().unwrap();
        drop((bus, server, folder));
        assert!(folders.iter().all(|folder| !folder.exists()));
        assert!(!Path::new(&format!("/proc/{process}")).exists());
    }
}
