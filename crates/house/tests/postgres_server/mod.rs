//! A PostgreSQL server for tests, which begins and ends with them: on a socket in a folder of its own, and
//! never as root.

#![allow(dead_code, reason = "each test program uses a part of it")]

use std::fs;
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

/// The port, which is only the name of a socket here.
const PORT: u16 = 5432;

/// A server with an empty cluster.
pub(crate) struct Server {
    programs: PathBuf,
    folder: PathBuf,
    server: Option<Child>,
}

impl Server {
    /// Starts a server. None, and one line that says so, where none is installed; that is a failure where
    /// tests must not be left out.
    pub(crate) fn start(name: &str) -> Option<Server> {
        let Some(programs) = installed() else {
            assert!(std::env::var_os("CI").is_none(), "no PostgreSQL server is installed");
            println!(
                "skipped: no PostgreSQL server is installed (Debian: apt-get install postgresql)"
            );
            return None;
        };
        let folder = std::env::temp_dir().join(format!("pitboss-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        if is_root() {
            let owned = Command::new("chown").arg(USER).arg(&folder).status().unwrap();
            assert!(owned.success());
        }
        let mut server = Server { programs, folder, server: None };
        let (folder, data) = (server.folder.clone(), server.folder.join("data"));
        let mut init = server.program("initdb");
        init.args(["--auth=trust", "--username=pitboss", "--encoding=UTF8", "--no-sync", "-D"]);
        let made = init.arg(&data).current_dir(&folder).stdout(Stdio::null()).status().unwrap();
        assert!(made.success(), "initdb failed");
        server.begin();
        Some(server)
    }

    /// Begins to serve; also again after [`Server::end`].
    pub(crate) fn begin(&mut self) {
        let log = fs::File::create(self.folder.join("log")).unwrap();
        let mut postgres = self.program("postgres");
        postgres.arg("-D").arg(self.folder.join("data"));
        postgres.arg("-k").arg(&self.folder).args(["-h", "", "-p", &PORT.to_string()]);
        // Nothing of it is to last, but the house insists on a server that flushes.
        postgres.args(["-c", "max_connections=200", "-c", "shared_buffers=64MB"]);
        postgres.current_dir(&self.folder).stdin(Stdio::null());
        postgres.stdout(log.try_clone().unwrap()).stderr(log);
        self.server = Some(postgres.spawn().unwrap());
        let begun = Instant::now();
        while self.psql("postgres", "SELECT 1").is_none() {
            let log = || fs::read_to_string(self.folder.join("log")).unwrap_or_default();
            assert!(begun.elapsed() < LONGEST_START, "the server does not begin: {}", log());
            sleep(Duration::from_millis(50));
        }
    }

    /// Ends the server as a crash does.
    pub(crate) fn end(&mut self) {
        if let Some(mut server) = self.server.take() {
            let process = server.id().to_string();
            let _ = Command::new("kill").args(["-QUIT", &process]).status();
            let _ = server.wait();
        }
    }

    /// The URL of a database, without making it.
    pub(crate) fn url(&self, user: &str, database: &str) -> String {
        let host = self.folder.display().to_string().replace('/', "%2F");
        format!("postgres://{user}@{host}:{PORT}/{database}")
    }

    /// The socket of the server.
    pub(crate) fn socket(&self) -> PathBuf {
        self.folder.join(format!(".s.PGSQL.{PORT}"))
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
            &PORT.to_string(),
            "-d",
            database,
            "-c",
            line,
        ]);
        let done = psql.output().unwrap();
        done.status.success().then(|| String::from_utf8(done.stdout).unwrap().trim().to_owned())
    }

    /// A program of the server, which ends with this one and is not run as root.
    fn program(&self, name: &str) -> Command {
        let program = self.programs.join(name);
        if !Path::new("/usr/bin/setpriv").exists() {
            return Command::new(program);
        }
        let mut command = Command::new("/usr/bin/setpriv");
        command.args(["--pdeathsig", "QUIT"]);
        if is_root() {
            command.args(["--reuid", USER, "--regid", USER, "--clear-groups"]);
        }
        command.arg("--").arg(program);
        command
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The folder of the latest server's programs.
fn installed() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).collect::<Vec<_>>();
    let versions = fs::read_dir(INSTALLED).into_iter().flatten().flatten();
    let mut versions: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    versions.sort();
    let mut folders = versions.into_iter().rev().chain(on_path);
    folders.find(|folder| ["initdb", "postgres", "psql"].iter().all(|it| folder.join(it).exists()))
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().unwrap();
    String::from_utf8_lossy(&id.stdout).trim() == "0"
}
