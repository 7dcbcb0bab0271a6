//! An open house is watched, copied and written out, and what clients kept is held against it.

#[path = "../../house/tests/client/mod.rs"]
mod client;

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use client::http;

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
