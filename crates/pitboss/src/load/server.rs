//! A house of the load's own, in a process of its own.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use rules::wager::{Game, MOST_SEATS};
use wire::Coach;

/// Ticks of the system's clock in a second, as `/proc` counts them.
const TICKS: u64 = 100;

/// What a house is opened with so that the load's own numbers are what limits it.
pub(super) fn config(
    games: &[Game],
    tables: usize,
    players: usize,
    pace: Duration,
    coach: Coach,
) -> String {
    let coach = match coach {
        Coach::Live => "live",
        Coach::After => "after",
        Coach::Off => "off",
    };
    let sockets = players + 64;
    let mut text = format!(
        "pace = {{ card_ms = {}, inspection_ms = 0, contributions_ms = 200 }}\n\
         [limits]\ntables = {}\nsockets = {sockets}\nsockets_of_an_address = {sockets}\n\
         guests_a_minute = 100000\nmessages_a_second = 10000\n\
         messages_of_an_address = 1000000\n\
         connections = 2048\nconnections_of_an_address = 2048\n",
        pace.as_millis(),
        tables.max(1),
    );
    for (at, name) in names(games, tables).into_iter().enumerate() {
        let game = games[at % games.len()].name();
        text.push_str(&format!(
            "[[table]]\nname=\"{name}\"\ngame=\"{game}\"\ncoach=\"{coach}\"\n\
             terms.seats={MOST_SEATS}\n"
        ));
    }
    text
}

/// The tables' names: the games in turn.
pub(super) fn names(games: &[Game], tables: usize) -> Vec<String> {
    (0..tables).map(|at| format!("{}-{}", games[at % games.len()].name(), at + 1)).collect()
}

/// An open house.
pub(super) struct Server {
    child: Child,
    pub(super) address: SocketAddr,
    folder: PathBuf,
}

impl Server {
    /// Opens the house in a folder that has its configuration, on any port, or on the one that it had.
    pub(super) fn open(folder: &Path, port: u16) -> io::Result<Server> {
        let log = File::options().create(true).append(true).open(folder.join("house.log"))?;
        let mut child = Command::new(std::env::current_exe()?)
            .args(["serve", "--port", &port.to_string(), "--config"])
            .arg(folder.join("pitboss.toml"))
            .arg("--data")
            .arg(folder.join("data"))
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()?;
        let mut line = String::new();
        if let Some(out) = child.stdout.take() {
            let mut out = BufReader::new(out);
            out.read_line(&mut line)?;
            // A house that lists many tables would end if nobody read on.
            thread::spawn(move || io::copy(&mut out, &mut io::sink()));
        }
        let address = line.trim().strip_prefix("The house is open at http://");
        let Some(address) = address.and_then(|address| address.parse().ok()) else {
            let _ = child.kill();
            let _ = child.wait();
            let log = fs::read_to_string(folder.join("house.log")).unwrap_or_default();
            let last = log.lines().last().unwrap_or("it says nothing");
            return Err(io::Error::other(format!("the house did not open: {last}")));
        };
        Ok(Server { child, address, folder: folder.to_owned() })
    }

    /// `SIGKILL`, and the same house again.
    pub(super) fn kill_and_open(&mut self) -> io::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        *self = Server::open(&self.folder, self.address.port())?;
        Ok(())
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a process has taken of the machine.
#[derive(Clone, Copy, Default)]
pub(super) struct Resources {
    /// Resident memory, in kilobytes.
    pub(super) memory: u64,
    /// Processor time.
    pub(super) cpu: Duration,
}

/// What a process has taken so far, where `/proc` tells.
pub(super) fn resources(process: u32) -> Option<Resources> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let memory = memory.split_whitespace().next()?.parse().ok()?;
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let mut times = stat.rsplit_once(") ")?.1.split(' ').skip(11);
    let mut ticks = || times.next().and_then(|word| word.parse::<u64>().ok());
    let ticks = ticks()? + ticks()?;
    Some(Resources { memory, cpu: Duration::from_millis(ticks * 1000 / TICKS) })
}
