//! A node of the cluster: its configuration, its command line and its process.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use super::postgres_server::on_its_own;
use super::{end, signal, write_secret};
use crate::step::Failure;

/// What a node says once it is open, before its address.
const OPEN_AT: &str = "The house is open at ";

/// How long a node may take to say whether it is ready.
const LONGEST_ANSWER: Duration = Duration::from_secs(10);

/// Where the store and the bus of a node are, with their passwords.
pub(super) struct Places {
    pub(super) store: String,
    pub(super) bus: String,
}

/// A node, open or not.
pub(super) struct Node {
    program: PathBuf,
    name: String,
    folder: PathBuf,
    /// The port it had when it was open first; 0 before.
    port: u16,
    process: Option<Child>,
}

impl Node {
    /// A node that is not open yet, with its configuration in a folder.
    pub(super) fn new(
        program: &Path,
        folder: &Path,
        name: &str,
        places: &Places,
        tables: &[&str],
    ) -> Result<Node, Failure> {
        let (program, name, folder) = (program.to_owned(), name.to_owned(), folder.to_owned());
        let node = Node { program, name, folder, port: 0, process: None };
        write_secret(&node.file("toml"), &config(&node.name, places, tables))?;
        Ok(node)
    }

    /// The command line of a node. Passwords are in its configuration, where no list of processes
    /// shows them.
    fn command(&self) -> Command {
        let mut command = on_its_own(&self.program, "KILL", None);
        command.args(["serve", "--port", &self.port.to_string(), "--log-level", "info"]);
        command.arg("--config").arg(self.file("toml")).arg("--data").arg(self.file("data"));
        command
    }

    /// Opens the node, on the port that it had before.
    pub(super) fn open(&mut self) -> Result<(), Failure> {
        self.open_until(None)
    }

    /// Opens the node, which ends at a failpoint such as `after-commit:17` if one is given.
    pub(super) fn open_until(&mut self, failpoint: Option<&str>) -> Result<(), Failure> {
        let wrong =
            |error: io::Error| Failure::Found(format!("{} does not start: {error}", self.name));
        let log = File::options().create(true).append(true).open(self.file("log"));
        let mut command = self.command();
        command.envs(failpoint.map(|point| ("PITBOSS_FAILPOINT", point)));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log.map_err(wrong)?);
        let mut process = command.spawn().map_err(wrong)?;
        let mut line = String::new();
        if let Some(out) = process.stdout.take() {
            let mut out = BufReader::new(out);
            out.read_line(&mut line).map_err(wrong)?;
            // It would end if nobody read on.
            thread::spawn(move || io::copy(&mut out, &mut io::sink()));
        }
        let address = line.trim().strip_prefix(OPEN_AT).and_then(|url| url.rsplit_once(':'));
        let port = address.and_then(|(_, port)| port.trim_end_matches('/').parse().ok());
        let Some(port) = port else {
            let _ = process.kill();
            let _ = process.wait();
            let (name, words) = (&self.name, self.last_words());
            return Err(Failure::Found(format!("{name} does not open: {words}")));
        };
        (self.port, self.process) = (port, Some(process));
        Ok(())
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Why the node is not ready, as it says itself.
    pub(super) fn why_not_ready(&self) -> Option<String> {
        let asked = || -> io::Result<String> {
            let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
            stream.set_read_timeout(Some(LONGEST_ANSWER))?;
            let name = format!("127.0.0.1:{}", self.port);
            write!(stream, "GET /ready HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n")?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer)?;
            Ok(answer)
        };
        match asked() {
            Ok(answer) if answer.starts_with("HTTP/1.1 200 ") => None,
            Ok(answer) => Some(answer.lines().last().unwrap_or_default().to_owned()),
            Err(error) => Some(error.to_string()),
        }
    }

    /// The status of a node that has ended by itself, once.
    pub(super) fn has_ended(&mut self) -> Option<ExitStatus> {
        let status = self.process.as_mut()?.try_wait().ok()??;
        self.process = None;
        Some(status)
    }

    /// Sends it a signal, where it runs.
    pub(super) fn signal(&self, name: &str) {
        if let Some(process) = &self.process {
            signal(process, name);
        }
    }

    /// Ends it as a crash does.
    pub(super) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    /// Whether it was opened and has not been ended.
    pub(super) fn is_open(&self) -> bool {
        self.process.is_some()
    }

    /// Its log, over all runs.
    pub(super) fn log(&self) -> String {
        fs::read(self.file("log")).map_or(String::new(), |log| String::from_utf8_lossy(&log).into())
    }

    /// The last line of its log.
    pub(super) fn last_words(&self) -> String {
        let log = self.log();
        log.lines().last().unwrap_or("it says nothing").to_owned()
    }

    /// Closes the node as an operator does, and says what was wrong with that.
    pub(super) fn close(&mut self) -> Option<String> {
        let mut process = self.process.take()?;
        let name = &self.name;
        (!end(&mut process)).then(|| format!("{name} did not close and was killed"))
    }

    /// A file of the node.
    fn file(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", self.name))
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.close();
    }
}

/// The configuration of a node: who it is, where the others are, and the tables of the house.
///
/// Wagers are small, so that a guest's money lasts. Every player of `pitboss load` has an address of its own, so that the usual limits hold for each.
fn config(name: &str, places: &Places, tables: &[&str]) -> String {
    let (count, Places { store, bus }) = (tables.len(), places);
    let mut text = format!(
        "store = \"{store}\"\nnode = \"{name}\"\nbus = \"{bus}\"\n\
         pace = {{ card_ms = 20, inspection_ms = 0, contributions_ms = 200 }}\n\
         [network]\ntrusted_proxies = [\"127.0.0.1\"]\n\
         [limits]\ntables = {count}\nsockets = 4096\n"
    );
    for (number, game) in (1..).zip(tables) {
        text.push_str(&format!(
            "[[table]]\nname = \"{game}-{number}\"\ngame = \"{game}\"\nterms = {{ main_min = 1 }}\n"
        ));
    }
    text
}
