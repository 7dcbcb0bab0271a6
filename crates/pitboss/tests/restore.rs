//! The restore drill: a backup made while people play is moved to an empty place, verified, opened and
//! played on, by the commands of `docs/restore.md` as they stand there.

#[path = "../../house/tests/client/mod.rs"]
mod client;
mod process;

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use client::{Client, Guest, export_of, http};
use process::Process;

/// Two tables in a hurry.
const CONFIG: &str = r#"
    pace = { card_ms = 0, inspection_ms = 0, contributions_ms = 0, betting_ms = 60000 }
    table = [
        { name = "war-1", game = "casino-war" },
        { name = "deck-1", game = "double-deck" },
    ]
"#;

const TABLES: [&str; 2] = ["war-1", "deck-1"];

/// The commands of the page, in order.
fn commands() -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/restore.md");
    let page = std::fs::read_to_string(page).unwrap();
    let blocks = page.split("```sh\n").skip(1);
    let lines = blocks.flat_map(|block| block.split("```").next().unwrap().lines());
    lines.map(str::to_owned).collect()
}

/// A command of the page, run in a folder by a shell that finds the program.
fn shell(folder: &Path, line: &str) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_pitboss")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new("sh");
    command.args(["-euc", line]).current_dir(folder);
    command.env("PATH", format!("{}:{path}", program.display()));
    command
}

fn run(folder: &Path, line: &str) {
    let done = shell(folder, line).output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{line}: {said}{}", String::from_utf8_lossy(&done.stderr));
}

/// A house that is open until the test is over.
struct Served {
    process: Process,
    address: SocketAddr,
}

impl Served {
    /// Opens it with a command of the page, on any free port.
    fn open(folder: &Path, line: &str) -> Served {
        let line = format!("exec {line} --port 0");
        let mut child = shell(folder, &line).stdout(Stdio::piped()).spawn().unwrap();
        let mut opened = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut opened).unwrap();
        let address = opened.trim().rsplit("http://").next().unwrap().parse().unwrap();
        Served { process: Process(child), address }
    }
}

/// Whether others than the owner have rights to a file.
#[cfg(unix)]
fn is_private(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(file).unwrap().permissions().mode() & 0o077 == 0
}

#[test]
#[cfg(unix)]
fn a_backup_under_load_is_moved_verified_opened_and_played_on() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("restore");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("pitboss.toml"), CONFIG).unwrap();
    let commands = commands();
    let [backup, make, copy, export, verify, serve] = &commands[..] else {
        panic!("the page has other commands: {commands:?}");
    };

    // People play at both tables, and go on while the backup is made.
    let open = "pitboss serve --data pitboss-data --config pitboss.toml";
    let old = Served::open(&folder, open);
    let (address, stop) = (old.address, AtomicBool::new(false));
    let guests = [(); 2].map(|()| Guest::new(address));
    let mut clients = TABLES.iter().zip(&guests).map(|(table, guest)| {
        let mut client = Client::at(address, table, guest, None);
        client.sit(1, "500");
        client.play_until(|client| client.round() >= 3);
        client
    });
    let mut clients: Vec<Client> = clients.by_ref().collect();
    let before: Vec<u64> = clients.iter().map(Client::round).collect();
    let heads =
        TABLES.iter().zip(&clients).map(|(table, client)| format!("{table} {}\n", client.head));
    std::fs::write(folder.join("heads.txt"), heads.collect::<String>()).unwrap();
    thread::scope(|scope| {
        for client in &mut clients {
            scope.spawn(|| client.play_until(|_| stop.load(Ordering::Relaxed)));
        }
        run(&folder, backup);
        stop.store(true, Ordering::Relaxed);
    });
    assert!(clients.iter().map(Client::round).zip(&before).all(|(now, before)| now >= *before));
    drop(clients);
    old.process.kill();

    // An empty machine has the copy and the heads, and nothing else of the house.
    let new = folder.join("new-machine");
    std::fs::create_dir_all(&new).unwrap();
    for moved in ["copies", "heads.txt", "pitboss.toml"] {
        std::fs::rename(folder.join(moved), new.join(moved)).unwrap();
    }
    std::fs::remove_dir_all(folder.join("pitboss-data")).unwrap();
    for line in [make, copy, export, verify] {
        run(&new, line);
    }
    for copied in ["restored/pitboss.db", "check/war-1.log", "check/accounts.csv"] {
        assert!(is_private(&new.join(copied)), "{copied}");
    }
    let restored = Served::open(&new, serve);
    for path in ["/health", "/ready"] {
        let (head, body) = http(restored.address, "GET", path, "");
        assert!(head.starts_with("HTTP/1.1 200"), "{head}{body}");
    }

    // The same people come back with what they had, and play on.
    for ((table, guest), before) in TABLES.iter().zip(&guests).zip(before) {
        let mut client = Client::at(restored.address, table, guest, None);
        assert!(client.round() >= before, "{table}");
        assert_eq!(client.seat(1)["name"], guest.name.as_str());
        assert_eq!(guest.balance(restored.address), "500");
        let begun = client.round();
        client.play_until(|client| client.round() >= begun + 3);
        let log = export_of(restored.address, table);
        let verdict = audit::verify(log.as_bytes(), &[client.head.parse().unwrap()]).unwrap();
        assert!(verdict.is_clean(), "{table}: {verdict}");
    }
    restored.process.close();
    assert!(!new.join("restored/pitboss.db-wal").exists(), "one file is the whole store");

    // And that file alone is a house again.
    let moved = folder.join("moved/restored");
    std::fs::create_dir_all(&moved).unwrap();
    std::fs::copy(new.join("restored/pitboss.db"), moved.join("pitboss.db")).unwrap();
    std::fs::copy(new.join("pitboss.toml"), folder.join("moved/pitboss.toml")).unwrap();
    let again = Served::open(&folder.join("moved"), serve);
    assert_eq!(guests[0].balance(again.address), "500");
}

/// What a house says on standard error until it is open.
fn said_at_the_start(folder: &Path, line: &str) -> String {
    let mut command = shell(folder, line);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut opened = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut opened).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(opened.starts_with("The house is open at"), "{opened}");
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    said
}

#[test]
fn a_copy_without_its_write_ahead_log_is_warned_of() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lacking");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("copied")).unwrap();
    let open = Served::open(&folder, "pitboss serve --data pitboss-data");
    Guest::new(open.address);
    let copied = folder.join("copied/pitboss.db");
    std::fs::copy(folder.join("pitboss-data/pitboss.db"), &copied).unwrap();
    let said = said_at_the_start(&folder, "exec pitboss serve --data copied --port 0");
    assert!(said.contains("its write-ahead log is gone"), "{said}");
}

#[test]
#[cfg(target_os = "linux")]
fn too_few_open_files_are_told_and_the_house_takes_fewer_sockets() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("files");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let line =
        |hard| format!("ulimit -Sn 200; ulimit -Hn {hard}; exec pitboss serve --data d --port 0");
    let said = said_at_the_start(&folder, &line(400));
    assert!(said.contains("the system allows too few open files"), "{said}");
    // The house raises the limit itself where it may.
    let said = said_at_the_start(&folder, &line(4096));
    assert!(said.is_empty(), "{said}");
}
