//! An open house is watched, copied and written out, and what clients kept is held against it.

#[path = "../../house/tests/client/mod.rs"]
mod client;

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use client::{Client, Guest, http};
use serde_json::Value;
use sqlx::Connection;
use sqlx::sqlite::SqliteConnection;

/// A house that is open until the test is over.
struct Served {
    child: Child,
    address: SocketAddr,
}

impl Served {
    fn open(data: &Path) -> Served {
        let mut child = Command::new(env!("CARGO_BIN_EXE_pitboss"))
            .args(["serve", "--port", "0", "--log", "json", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().rsplit("http://").next().unwrap().parse().unwrap();
        Served { child, address }
    }

    /// The head and the body of the answer, in one text.
    fn get(&self, method: &str, path: &str) -> String {
        let (head, body) = http(self.address, method, path, "");
        format!("{head}\r\n\r\n{body}")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn pitboss(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pitboss")).args(arguments).output().unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

#[test]
fn an_open_house_is_measured_copied_and_written_out() {
    let folder = folder("kept");
    let data = folder.join("data");
    let served = Served::open(&data);
    assert!(served.get("GET", "/ready").starts_with("HTTP/1.1 200"));
    let metrics = served.get("GET", "/metrics");
    for line in [
        "content-type: application/openmetrics-text; version=1.0.0",
        "# TYPE pitboss_commit_seconds histogram",
        "pitboss_tables{awaits=\"player\"} 5",
        "pitboss_queue_depth{queue=\"store\"} 0",
        "pitboss_meter_cents{table=\"war-1\"} 1000000",
        "pitboss_seats_taken{table=\"free-1\"} 0",
    ] {
        assert!(metrics.contains(line), "{line} in {metrics}");
    }
    let nobody = served.get("POST", "/api/backup");
    assert!(nobody.starts_with("HTTP/1.1 401"), "{nobody}");

    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let (data, copies, out) =
        (text(&data), text(&folder.join("copies")), text(&folder.join("out")));
    let copied = pitboss(&["backup", &copies, "--data", &data]);
    assert!(copied.status.success(), "{copied:?}");
    let copy = String::from_utf8(copied.stdout).unwrap();
    let written = pitboss(&["export", &out, "--data", &data]);
    assert!(written.status.success(), "{written:?}");
    let none = pitboss(&["export", &out, "--data", "nowhere"]);
    assert!(!none.status.success(), "{none:?}");
    drop(served);

    // The copy opens as a house of its own.
    let again = folder.join("again");
    std::fs::create_dir_all(&again).unwrap();
    std::fs::copy(copy.trim(), again.join("pitboss.db")).unwrap();
    assert!(Served::open(&again).get("GET", "/health").starts_with("HTTP/1.1 200"));

    let log = folder.join("out/war-1.log");
    let entries = std::fs::read_to_string(&log).unwrap();
    let mut words = entries.lines().last().unwrap().split(' ');
    let head = format!("{}:{}", words.next().unwrap(), words.next().unwrap());
    let heads = folder.join("heads");
    let verify = |kept: String| {
        std::fs::write(&heads, kept).unwrap();
        let done = pitboss(&["verify", &text(&log), "--heads", &text(&heads)]);
        let said = String::from_utf8(done.stdout).unwrap();
        (done.status.code(), said.lines().next().map(|line| line.replace(&text(&heads), "it")))
    };
    let says = |code, line: &str| (Some(code), Some(line.to_owned()));
    let kept = format!("# kept on Sunday\n{head}\nwar-1 {head}\n");
    assert_eq!(verify(kept), says(0, "it has 2 heads of war-1"));
    let other = "0".repeat(64);
    let none = says(0, "it has no heads of war-1, so none are compared");
    assert_eq!(verify(format!("free-1 1:{other}\n")), none, "another table's");
    let rewritten = says(1, "it has one head of war-1");
    assert_eq!(verify(format!("war-1 1:{other}\n")), rewritten);
    assert_eq!(verify("war-1 is fine\n".to_owned()), (Some(2), None));
}

/// Edits rows behind the house's back.
fn edit(data: &Path, line: &'static str) {
    let file = format!("sqlite://{}", data.join("pitboss.db").display());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut store = SqliteConnection::connect(&file).await.unwrap();
        let done = sqlx::query(line).execute(&mut store).await.unwrap();
        assert_eq!(done.rows_affected(), 1, "{line}");
        store.close().await.unwrap();
    });
}

#[test]
fn an_audit_finds_no_difference_until_a_balance_is_edited() {
    let data = folder("audited");
    let served = Served::open(&data);
    let mut ann = Client::at(served.address, "war-1", &Guest::new(served.address), None);
    ann.sit(1, "100");
    ann.play_until(|ann| ann.round() == 3 && ann.view["betting"] == true);

    let text = data.to_str().unwrap();
    let audit = |more: &[&str]| {
        let done = pitboss(&[&["audit", "--data", text], more].concat());
        let said = String::from_utf8(done.stdout).unwrap();
        assert!(done.stderr.is_empty(), "{:?}", String::from_utf8(done.stderr));
        (done.status.code(), said)
    };
    let (code, said) = audit(&[]);
    assert_eq!(code, Some(0), "while the house is open: {said}");
    drop((ann, served));
    let (code, said) = audit(&[]);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(code, Some(0), "{said}");
    let war = lines.iter().find(|line| line.starts_with("war-1: ")).unwrap();
    assert!(war.contains(" entries, 2 rounds, 1 sealed order, head "), "{war}");
    let [.., last, why] = lines[..] else { panic!("{said}") };
    assert_eq!(last, "no difference");
    assert!(why.starts_with("no head was compared: this proves that the store is consistent"));
    let head = war.rsplit(' ').next().unwrap();
    let heads = data.join("heads");
    std::fs::write(&heads, format!("war-1 {head}\n")).unwrap();
    let (code, said) = audit(&["--heads", heads.to_str().unwrap()]);
    assert_eq!((code, said.lines().last()), (Some(0), Some("no difference")), "{said}");

    // One cent more, which no transfer brought.
    edit(&data, "UPDATE accounts SET balance = balance + 1 WHERE account LIKE 'player:%'");
    let (code, said) = audit(&[]);
    let (first, last) = (said.lines().next().unwrap(), said.lines().last());
    assert_eq!((code, last), (Some(1), Some("1 difference")), "{said}");
    assert!(first.starts_with("account player:"), "{first}");
    let (holds, sums) = first
        .split_once(": it holds ")
        .unwrap()
        .1
        .split_once(", but its transfers sum to ")
        .unwrap();
    let cents = |amount: &str| amount.parse::<rules::money::Cents>().unwrap().get();
    assert_eq!(cents(holds), cents(sums) + 1, "{first}");
    let (code, said) = audit(&["--json"]);
    let found: Value = serde_json::from_str(&said).unwrap();
    assert_eq!((code, &found["differences"][0]["sentence"]), (Some(1), &Value::from(first)));

    let nowhere = pitboss(&["audit", "--data", "nowhere"]);
    assert_eq!(nowhere.status.code(), Some(2), "{nowhere:?}");
    assert_eq!(String::from_utf8(nowhere.stderr).unwrap().lines().count(), 1);
}

/// Runs the program as somebody who may write nothing of it.
#[cfg(unix)]
fn as_a_stranger(arguments: &[&str]) -> Output {
    let is_root = Command::new("id").arg("-u").output().unwrap().stdout.trim_ascii() == b"0";
    let mut command = Command::new(env!("CARGO_BIN_EXE_pitboss"));
    if is_root {
        command = Command::new("setpriv");
        command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups", "--"]);
        command.arg(env!("CARGO_BIN_EXE_pitboss"));
    }
    command.args(arguments).output().unwrap()
}

#[cfg(unix)]
#[test]
fn a_store_where_nothing_can_be_written_is_audited_and_what_is_no_store_is_not() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt;

    let data = folder("audited-only-read");
    drop(Served::open(&data));
    let file = data.join("pitboss.db");
    let text = data.to_str().unwrap();
    let code =
        |done: &Output| (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned());
    // It was killed: what it wrote last is beside the file.
    let (wal, shm) = (data.join("pitboss.db-wal"), data.join("pitboss.db-shm"));
    let _ = std::fs::remove_file(&shm);
    assert!(wal.metadata().unwrap().len() > 0);
    let close = |mode: u32| {
        for path in [&file, &wal] {
            let _ = set_permissions(path, Permissions::from_mode(mode & 0o666));
        }
        set_permissions(&data, Permissions::from_mode(mode)).unwrap();
    };
    close(0o555);
    let (status, said) = code(&as_a_stranger(&["audit", "--data", text]));
    assert_eq!(status, Some(2), "{said}");
    assert!(said.contains("was not closed, and cannot be read with"), "{said}");
    close(0o755);
    // A copy is whole, and beside it is nothing.
    let done = pitboss(&["audit", "--data", text]);
    assert_eq!(code(&done), (Some(0), String::new()));
    let copies = folder("audited-copies");
    let done = pitboss(&["backup", copies.to_str().unwrap(), "--data", text]);
    assert!(done.status.success(), "{done:?}");
    let copy = PathBuf::from(String::from_utf8(done.stdout).unwrap().trim());
    for ending in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(data.join(format!("pitboss.db{ending}")));
    }
    std::fs::copy(copy, &file).unwrap();
    // As a house leaves it that was closed, which says that it has a write-ahead log.
    edit_anything(&data, "PRAGMA journal_mode = WAL");
    close(0o555);
    let done = as_a_stranger(&["audit", "--data", text]);
    assert_eq!(code(&done), (Some(0), String::new()), "{done:?}");
    assert!(String::from_utf8(done.stdout).unwrap().contains("no difference"));
    assert_eq!(std::fs::read_dir(&data).unwrap().count(), 2, "the lock is the other file");
    close(0o755);

    // What is no database, and what is another program's.
    for (bytes, sentence) in [
        (b"no database ".repeat(1000), "file is not a database"),
        (Vec::new(), "an earlier version of Pitboss wrote it"),
    ] {
        std::fs::write(&file, bytes).unwrap();
        let (status, said) = code(&pitboss(&["audit", "--data", text]));
        assert_eq!((status, said.lines().count()), (Some(2), 1), "{said}");
        assert!(said.contains(sentence), "{said}");
    }
    std::fs::remove_file(&file).unwrap();
    edit_anything(&data, "CREATE TABLE invoices (id INTEGER)");
    for command in
        [&["audit"][..], &["export", "out"], &["backup", "out"], &["serve", "--port", "0"]]
    {
        let done = pitboss(&[command, &["--data", text]].concat());
        let (status, said) = code(&done);
        let sentences = said.lines().filter(|line| line.starts_with("pitboss: ")).count();
        assert_eq!((status, sentences), (Some(2), 1), "{command:?}: {said}");
        assert!(said.contains("is a database of another program"), "{said}");
    }
}

/// Changes a store, or another database in its place.
#[cfg(unix)]
fn edit_anything(data: &Path, line: &'static str) {
    let file = format!("sqlite://{}?mode=rwc", data.join("pitboss.db").display());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut store = SqliteConnection::connect(&file).await.unwrap();
        sqlx::raw_sql(line).execute(&mut store).await.unwrap();
        store.close().await.unwrap();
    });
}
