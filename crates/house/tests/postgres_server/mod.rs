//! A PostgreSQL server for tests and for `cargo xtask cluster`, which begins and ends with them: in a folder
//! of its own, on a socket there and, with a password, on a port of this computer, and never as root.

#![allow(dead_code, reason = "each program uses a part of it")]

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Where Debian and others install servers, a folder for each version.
const INSTALLED: &str = "/usr/lib/postgresql";

/// Who runs the server where the tests are run by root.
const USER: &str = "postgres";

/// How long a server may take to begin.
const LONGEST_START: Duration = Duration::from_secs(60);

/// The longest path of a socket, in bytes: Linux takes 107, and others a few less.
const LONGEST_SOCKET: usize = 100;

/// A temporary folder with a short path that everybody reaches.
const ALWAYS_THERE: &str = "/tmp";

/// The port of a server without a port of this computer: only the name of a socket.
const SOCKET_PORT: u16 = 5432;

/// How the user of the house proves who it is.
#[derive(Clone)]
pub(crate) enum Access {
    /// By being on this computer: on a socket only.
    Socket,
    /// By a password, on a port of this computer.
    Password(String),
}

/// A server with an empty cluster.
pub(crate) struct Server {
    programs: PathBuf,
    folder: PathBuf,
    access: Access,
    port: u16,
    server: Option<Child>,
}

impl Server {
    /// Starts a server. None, and one line that says so, where none is installed; that is a failure where
    /// tests must not be left out.
    pub(crate) fn start(name: &str) -> Option<Server> {
        if installed().is_none() {
            assert!(std::env::var_os("CI").is_none(), "no PostgreSQL server is installed");
            println!(
                "skipped: no PostgreSQL server is installed (Debian: apt-get install postgresql)"
            );
            return None;
        }
        Some(Server::open(name, Access::Socket).unwrap_or_else(|error| panic!("{error}")))
    }

    /// Starts a server, or says why it does not start.
    pub(crate) fn open(name: &str, access: Access) -> Result<Server, String> {
        let programs = installed().ok_or("no PostgreSQL server is installed")?;
        let name = format!("pitboss-{name}-{}", std::process::id());
        let folder = folder_in(&std::env::temp_dir(), &name);
        let _ = fs::remove_dir_all(&folder);
        let port = match access {
            Access::Socket => SOCKET_PORT,
            Access::Password(_) => free_port().map_err(|error| format!("no free port: {error}"))?,
        };
        fs::create_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut server = Server { programs, folder, access, port, server: None };
        server.make()?;
        server.begin_or_why()?;
        Ok(server)
    }

    /// Makes the empty cluster.
    fn make(&self) -> Result<(), String> {
        let mut init = self.program("initdb");
        init.args(["--username=pitboss", "--encoding=UTF8", "--no-sync"]);
        if let Access::Password(password) = &self.access {
            let file = self.folder.join("password");
            let written = fs::write(&file, password)
                .and_then(|()| fs::set_permissions(&file, fs::Permissions::from_mode(0o600)));
            written.map_err(|error| format!("{}: {error}", file.display()))?;
            init.args(["--auth-local=trust", "--auth-host=scram-sha-256", "--pwfile"]).arg(file);
        } else {
            init.arg("--auth=trust");
        }
        if is_root() {
            let mut owned = Command::new("chown");
            owned.args(["-R", USER]).arg(&self.folder);
            succeed(&mut owned)?;
        }
        init.arg("-D").arg(self.folder.join("data")).current_dir(&self.folder);
        succeed(init.stdin(Stdio::null()))
    }

    /// Begins to serve; also again after [`Server::end`].
    pub(crate) fn begin(&mut self) {
        self.begin_or_why().unwrap_or_else(|error| panic!("{error}"));
    }

    /// Begins to serve, or says why not.
    pub(crate) fn begin_or_why(&mut self) -> Result<(), String> {
        let wrong = |error: std::io::Error| format!("PostgreSQL does not start: {error}");
        let log = fs::File::create(self.folder.join("log")).map_err(wrong)?;
        let mut postgres = self.program("postgres");
        postgres.arg("-D").arg(self.folder.join("data")).arg("-k").arg(&self.folder);
        let host = match self.access {
            Access::Socket => "",
            Access::Password(_) => "127.0.0.1",
        };
        postgres.args(["-h", host, "-p", &self.port.to_string()]);
        // Nothing of it is to last, but the house insists on a server that flushes.
        postgres.args(["-c", "max_connections=200", "-c", "shared_buffers=64MB"]);
        postgres.current_dir(&self.folder).stdin(Stdio::null());
        postgres.stdout(log.try_clone().map_err(wrong)?).stderr(log);
        self.server = Some(postgres.spawn().map_err(wrong)?);
        let begun = Instant::now();
        while self.psql("postgres", "SELECT 1").is_none() {
            // What is left of one that was killed may still have the memory.
            if let Some(Ok(Some(_))) = self.server.as_mut().map(Child::try_wait) {
                self.server = Some(postgres.spawn().map_err(wrong)?);
            }
            if begun.elapsed() > LONGEST_START {
                let log = fs::read_to_string(self.folder.join("log")).unwrap_or_default();
                return Err(format!("PostgreSQL does not start: {log}"));
            }
            sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// Ends the server at once, which recovers as after a crash when it begins again.
    pub(crate) fn end(&mut self) {
        self.end_by("QUIT");
    }

    /// Ends the server by a signal: in good order by `INT`, and by `KILL` as a crash does.
    pub(crate) fn end_by(&mut self, signal: &str) {
        if let Some(mut server) = self.server.take() {
            let (signal, process) = (format!("-{signal}"), server.id().to_string());
            let _ = Command::new("kill").args([&signal, &process]).status();
            let _ = server.wait();
        }
    }

    /// The URL of a database, without making it.
    pub(crate) fn url(&self, user: &str, database: &str) -> String {
        self.url_at(self.port, user, database)
    }

    /// The URL of a database, by way of another port.
    pub(crate) fn url_at(&self, port: u16, user: &str, database: &str) -> String {
        let socket = self.folder.display().to_string().replace('/', "%2F");
        match &self.access {
            Access::Socket => format!("postgres://{user}@{socket}:{port}/{database}"),
            Access::Password(password) => {
                format!("postgres://{user}:{password}@127.0.0.1:{port}/{database}")
            }
        }
    }

    /// The port, where it is one of this computer.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// The folder of the server, which is removed at its end.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The socket of the server.
    pub(crate) fn socket(&self) -> PathBuf {
        self.folder.join(format!(".s.PGSQL.{}", self.port))
    }

    /// A new database that a house can have.
    pub(crate) fn database(&self, name: &str) -> String {
        self.psql("postgres", &format!("CREATE DATABASE \"{name}\"")).expect("a new name");
        self.url("pitboss", name)
    }

    /// Carries out a line as who may do anything; none where it is refused.
    pub(crate) fn psql(&self, database: &str, line: &str) -> Option<String> {
        let mut psql = Command::new(self.programs.join("psql"));
        psql.args(["-X", "-q", "-A", "-t", "-U", "pitboss", "-v", "ON_ERROR_STOP=1"]);
        psql.arg("-h").arg(&self.folder).args([
            "-p",
            &self.port.to_string(),
            "-d",
            database,
            "-c",
            line,
        ]);
        let done = psql.output().ok().filter(|done| done.status.success())?;
        Some(String::from_utf8_lossy(&done.stdout).trim().to_owned())
    }

    /// Copies a database into a new one, as a backup is made and restored.
    pub(crate) fn restored(&self, from: &str, to: &str) -> String {
        let url = self.database(to);
        let dump = self.folder.join(format!("{from}.dump"));
        let reach = |program: &str| {
            let mut command = Command::new(self.programs.join(program));
            command.arg("-h").arg(&self.folder).args([
                "-p",
                &self.port.to_string(),
                "-U",
                "pitboss",
            ]);
            command
        };
        let mut write = reach("pg_dump");
        write.args(["-Fc", "-d", from, "-f"]).arg(&dump);
        let mut read = reach("pg_restore");
        read.args(["--exit-on-error", "-d", to]).arg(&dump);
        for command in [&mut write, &mut read] {
            succeed(command).unwrap_or_else(|error| panic!("{error}"));
        }
        url
    }

    /// A program of the server.
    fn program(&self, name: &str) -> Command {
        on_its_own(&self.programs.join(name), "QUIT", is_root().then_some(USER))
    }
}

/// A folder for a server: the temporary one, unless the path of a socket would be too long there, or the
/// server runs as a user who does not reach it.
pub(crate) fn folder_in(temporary: &Path, name: &str) -> PathBuf {
    let folder = temporary.join(name);
    let socket = folder.join(format!(".s.PGSQL.{}", u16::MAX));
    let is_open = |folder: &Path| {
        fs::metadata(folder).is_ok_and(|found| found.permissions().mode() & 0o001 != 0)
    };
    let is_reached = !is_root() || temporary.ancestors().all(is_open);
    match socket.as_os_str().len() <= LONGEST_SOCKET && is_reached {
        true => folder,
        false => Path::new(ALWAYS_THERE).join(name),
    }
}

/// A program that gets a signal when this one ends, and is run by another user where one is named.
///
/// It does not get the Ctrl-C of a terminal: who started it ends it.
pub(crate) fn on_its_own(program: &Path, signal: &str, user: Option<&str>) -> Command {
    let mut command = Command::new(program);
    if Path::new("/usr/bin/setpriv").exists() {
        command = Command::new("/usr/bin/setpriv");
        command.args(["--pdeathsig", signal]);
        if let Some(user) = user {
            command.args(["--reuid", user, "--regid", user, "--clear-groups"]);
        }
        command.arg("--").arg(program);
    }
    command.process_group(0);
    command
}

/// A port of this computer that nobody listens on now.
pub(crate) fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// Runs a command out of sight; what it says is told only where it fails.
fn succeed(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let done = command.output().map_err(|error| format!("{name} does not start: {error}"))?;
    match done.status.success() {
        true => Ok(()),
        false => Err(format!("{name} failed: {}", String::from_utf8_lossy(&done.stderr).trim())),
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The folder of the latest server's programs.
pub(crate) fn installed() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).collect::<Vec<_>>();
    let versions = fs::read_dir(INSTALLED).into_iter().flatten().flatten();
    let mut versions: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    versions.sort();
    let mut folders = versions.into_iter().rev().chain(on_path);
    folders.find(|folder| ["initdb", "postgres", "psql"].iter().all(|it| folder.join(it).exists()))
}

pub(crate) fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout.trim_ascii() == b"0")
}
