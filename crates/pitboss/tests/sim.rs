//! `pitboss sim`: as it is called.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

fn pitboss(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pitboss")).args(words).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(name);
    let _ = fs::remove_file(&file);
    file
}

#[test]
fn a_shoe_is_printed_as_rounds_that_pass_the_check() {
    let file = scratch("shoe.round");
    for game in ["casino-war", "stud", "free-bet"] {
        let printed = pitboss(&["sim", game, "--shoe", "3", "--seats", "2"]);
        assert!(printed.status.success(), "{}", text(&printed.stderr));
        fs::write(&file, &printed.stdout).unwrap();
        let checked = pitboss(&["check", file.to_str().unwrap()]);
        assert!(checked.status.success(), "{}", text(&checked.stdout));
    }
}

#[test]
fn a_run_goes_on_with_what_its_file_has_and_with_no_other() {
    let file = scratch("state.json");
    let state = file.to_str().unwrap();
    let run = |rounds: &str, seed: &str, words: &[&str]| {
        let said = ["sim", "casino-war", "--json", "--rounds", rounds, "--seed", seed];
        pitboss(&[&said[..], words].concat())
    };
    assert!(run("1", "1", &["--state", state]).status.success());
    let went_on = run("300000", "1", &["--state", state, "--threads", "2"]);
    assert_eq!(text(&went_on.stdout), text(&run("300000", "1", &["--threads", "1"]).stdout));
    let other = run("300000", "2", &["--state", state]);
    assert_eq!(other.status.code(), Some(2));
    assert!(text(&other.stderr).contains("another table, strategy, seed"));
}

#[test]
fn what_makes_no_sense_is_refused_in_a_sentence() {
    for (words, sentence) in [
        (&["casino-war", "--strategy", "basic"][..], "a strategy of casino-war: war, surrender"),
        (&["stud", "--seats", "9"], "from 1 to"),
        (&["double-deck", "--ramp", "1,2"], "three numbers"),
        (&["double-deck", "--strategy", "mimic", "--ramp", "1,2,8", "--seats", "2"], "one seat"),
        (&["casino-war", "--rounds", "many"], "--rounds as a number"),
        (&["casino-war", "--time", "-1"], "--time"),
        (&["casino-war", "--meter", "x"], "--meter as an amount"),
    ] {
        let refused = pitboss(&[&["sim"], words].concat());
        assert_eq!(refused.status.code(), Some(2), "{words:?}");
        let said = text(&refused.stderr);
        assert!(said.contains(sentence), "{words:?}: {said}");
    }
}
