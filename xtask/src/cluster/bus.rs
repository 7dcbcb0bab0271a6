//! The bus between the nodes: a NATS server on a port of this computer, with credentials.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::postgres_server::on_its_own;
use super::{USER, end, free_port, password, write_secret};
use crate::step::Failure;
use crate::tools;

/// How long the server may take to begin.
const LONGEST_START: Duration = Duration::from_secs(10);

/// How long it may take to answer.
const LONGEST_ANSWER: Duration = Duration::from_secs(5);

/// A NATS server.
pub(super) struct Bus {
    folder: PathBuf,
    port: u16,
    password: String,
    server: Option<Child>,
}

impl Bus {
    /// Starts a server with a password of its own, whose files are in this folder.
    pub(super) fn start(folder: &Path) -> Result<Bus, Failure> {
        let (port, password) = (free_port()?, password()?);
        let text = format!(
            "listen: \"127.0.0.1:{port}\"\n\
             authorization {{ user: \"{USER}\", password: \"{password}\" }}\n"
        );
        write_secret(&folder.join("nats.conf"), &text)?;
        let mut bus = Bus { folder: folder.to_owned(), port, password, server: None };
        bus.begin()?;
        Ok(bus)
    }

    /// Begins to serve; also again after [`Bus::kill`].
    pub(super) fn begin(&mut self) -> Result<(), Failure> {
        let wrong = |error| Failure::Found(format!("NATS does not start: {error}"));
        let program = tools::need_nats_server()?;
        let log = fs::File::create(self.folder.join("nats.log")).map_err(wrong)?;
        let mut command = on_its_own(&program, "TERM", None);
        command.arg("-c").arg(self.folder.join("nats.conf")).stdin(Stdio::null());
        command.stdout(log.try_clone().map_err(wrong)?).stderr(log);
        self.server = Some(command.spawn().map_err(wrong)?);
        let begun = Instant::now();
        while self.greeting().is_none() {
            if begun.elapsed() > LONGEST_START {
                let log = fs::read_to_string(self.folder.join("nats.log")).unwrap_or_default();
                let last = log.lines().last().unwrap_or("it says nothing");
                return Err(Failure::Found(format!("NATS does not start: {last}")));
            }
            sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// The first line of the server, which says that it is one.
    fn greeting(&self) -> Option<BufReader<TcpStream>> {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).ok()?;
        stream.set_read_timeout(Some(LONGEST_ANSWER)).ok()?;
        let (mut stream, mut line) = (BufReader::new(stream), String::new());
        stream.read_line(&mut line).ok()?;
        line.starts_with("INFO ").then_some(stream)
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// Its URL, with the credentials.
    #[cfg(test)]
    pub(super) fn url(&self) -> String {
        self.url_at(self.port)
    }

    /// Its URL by way of another port.
    pub(super) fn url_at(&self, port: u16) -> String {
        format!("nats://{USER}:{}@127.0.0.1:{port}", self.password)
    }

    /// Ends the server as a crash does.
    pub(super) fn kill(&mut self) {
        if let Some(mut server) = self.server.take() {
            let _ = server.kill();
            let _ = server.wait();
        }
    }

    /// What the server answers to somebody with or without a name and a password.
    #[cfg(test)]
    pub(super) fn greeted(&self, who: Option<(&str, &str)>) -> String {
        use std::io::Write;
        let mut stream = self.greeting().expect("it serves");
        let credentials =
            who.map(|(user, password)| format!(",\"user\":\"{user}\",\"pass\":\"{password}\""));
        let hello =
            format!("CONNECT {{\"verbose\":false{}}}\r\nPING\r\n", credentials.unwrap_or_default());
        stream.get_mut().write_all(hello.as_bytes()).unwrap();
        let mut line = String::new();
        stream.read_line(&mut line).unwrap();
        line.trim().to_owned()
    }

    /// The process, where it runs.
    #[cfg(test)]
    pub(super) fn process(&self) -> Option<u32> {
        self.server.as_ref().map(Child::id)
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        if let Some(mut server) = self.server.take() {
            end(&mut server);
        }
    }
}
