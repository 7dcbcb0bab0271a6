//! `pitboss load`: what a crowd is told, and what is left of it when the house is killed.

use std::process::Command;

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
}

#[test]
fn what_makes_no_sense_is_refused_in_one_sentence() {
    for (arguments, said) in [
        (&["--players", "0"][..], "--players is from 1 to 20000"),
        (&["--seats", "8"], "--seats is from 1 to 7"),
        (&["--url", "nowhere"], "'nowhere' is no address of a house"),
        (&["--games", "whist"], "whist"),
        (&["--url", "http://127.0.0.1:1", "--crash", "1"], "--crash kills a house"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pitboss"));
        let output = command.arg("load").args(arguments).output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert!(complaint.contains(said) && complaint.lines().count() == 1, "{complaint}");
    }
}
