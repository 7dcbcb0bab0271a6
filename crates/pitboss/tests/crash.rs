//! `pitboss load`: what a crowd is told, and what is left of it when the house is killed.

#[path = "../../house/tests/client/mod.rs"]
mod client;

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use client::http;
use serde_json::Value;

/// What a run came to; it ends well, or the test has failed.
fn load(arguments: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pitboss"));
    let output = command.arg("load").args(arguments).arg("--json").output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}{complaint}");
    serde_json::from_str(&told).unwrap()
}

fn count(report: &Value, of: &str) -> u64 {
    report.pointer(of).and_then(Value::as_u64).unwrap_or_else(|| panic!("no {of} in {report}"))
}

/// The long run is `pitboss load --players 100 --think 0 --crash 50`.
#[test]
fn killed_under_load_the_house_loses_and_doubles_nothing() {
    let report = load(&["--players", "20", "--think", "0", "--crash", "4"]);
    assert_eq!(count(&report, "/failures"), 0, "{report}");
    for proven in ["/proven/steps", "/proven/commands", "/proven/rounds"] {
        assert!(count(&report, proven) > 0, "{report}");
    }
}

#[test]
fn a_crowd_plays_all_five_games_and_everything_it_is_told_is_right() {
    let report = load(&["--players", "15", "--seats", "3", "--think", "20", "--seconds", "3"]);
    assert_eq!(count(&report, "/failures"), 0, "{report}");
    assert_eq!((count(&report, "/seated"), count(&report, "/tables")), (15, 5));
    assert!(count(&report, "/acknowledged") > 0 && count(&report, "/proven/rounds") > 0);
    assert!(count(&report, "/latency_us/p50") <= count(&report, "/latency_us/max"));
    // A round has at least one view of a table, and the whole of none is a megabyte.
    assert!((100..1_000_000).contains(&count(&report, "/bytes_a_round")), "{report}");
    assert!(count(&report, "/fsync_us/p50") <= count(&report, "/fsync_us/max"));
}

#[test]
fn what_makes_no_sense_is_refused_in_one_sentence() {
    for (arguments, said) in [
        (&["--players", "0"][..], "expected --players from 1 to 20,000, found '0'"),
        (&["--seats", "8"], "expected --seats from 1 to 7, found '8'"),
        (
            &["--players", "5000", "--seats", "1"],
            "that needs 5,000 tables, but a house has at most 4,096",
        ),
        (&["--url", "nowhere"], "expected --url such as http://127.0.0.1:8042, found 'nowhere'"),
        (
            &["--cluster", "http://127.0.0.1:1,nowhere"],
            "expected --cluster such as http://127.0.0.1:8042, found 'nowhere'",
        ),
        (
            &["--cluster", "http://127.0.0.1:1", "--crash", "1"],
            "--crash and --cluster cannot be used together",
        ),
        (&["--games", "whist"], "whist"),
        (
            &["--url", "http://127.0.0.1:1"],
            "no house answers at http://127.0.0.1:1: connection refused",
        ),
        (&["--players", "2", "--players", "3"], "--players can be given only once"),
        (
            &["--url", "http://127.0.0.1:1", "--crash", "1"],
            "--crash and --url cannot be used together",
        ),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pitboss"));
        let output = command.arg("load").args(arguments).output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert!(complaint.contains(said) && complaint.lines().count() == 1, "{complaint}");
    }
}

/// A process that is ended where the test ends.
struct Ends(Child);

impl Drop for Ends {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// `SIGKILL` leaves what the system has not yet written to be written. What shows that an answer comes
/// after the disk has it are the system's own calls, counted by strace where there is one.
#[test]
fn what_is_acknowledged_was_flushed_before() {
    const GUESTS: usize = 5;
    let data = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("flushed");
    let _ = std::fs::remove_dir_all(&data);
    let mut serve = Command::new(env!("CARGO_BIN_EXE_pitboss"));
    serve.args(["serve", "--port", "0", "--data"]).arg(&data).stdout(Stdio::piped());
    let mut served = Ends(serve.spawn().unwrap());
    let mut line = String::new();
    BufReader::new(served.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("The house is open at http://").unwrap();
    let address: SocketAddr = address.parse().unwrap();

    let (calls, process) = (data.join("calls"), served.0.id().to_string());
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-e", "trace=fdatasync,fsync", "-p", &process, "-o"]).arg(&calls);
    let Ok(strace) = strace.stderr(Stdio::null()).spawn() else {
        return eprintln!("there is no strace: nothing is counted");
    };
    let strace = Ends(strace);
    let is_traced = || {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        status.lines().any(|line| line.starts_with("TracerPid:") && !line.ends_with("\t0"))
    };
    let since = Instant::now();
    while !is_traced() {
        if since.elapsed() > Duration::from_secs(10) {
            return eprintln!("strace may not look at other programs here: nothing is counted");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(200));
    let flushed = || {
        let calls = std::fs::read_to_string(&calls).unwrap_or_default();
        calls.lines().filter(|line| line.ends_with("= 0")).count()
    };
    for guest in 1..=GUESTS {
        let before = flushed();
        let (head, answer) = http(address, "POST", "/api/guest", "");
        assert!(head.starts_with("HTTP/1.1 200"), "{answer}");
        assert!(flushed() > before, "guest {guest} was let in before the disk had it");
    }
    drop(strace);
}
