//! The commands that prove an exported log, driven as a regulator would.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use audit::chain::Chain;
use audit::export::Export;
use audit::log::{Outcome, RulesLine};
use audit::seal::seal;
use audit::secret::LineSalt;
use rules::card::Card;
use rules::table::{Input, Table};
use rules::terms::TermSheet;
use rules::wager::Game;

/// A table at which ann wins a round of Casino War with a king against a nine.
fn log() -> String {
    log_of("war-1", "ann", ["Kd", "9s"], &[])
}

/// A table at which somebody plays a round of Casino War with 10, and what is said after the cards.
fn log_of(table: &str, player: &str, cards: [&str; 2], more: &[&str]) -> String {
    // After a cut at 52 the stack begins with the second deck: a burn card, then these two.
    let mut order: Vec<Card> = Card::DECK.into_iter().cycle().take(6 * 52).collect();
    for (to, word) in (53..).zip(cards) {
        let is_it = |card: &Card| card.to_string() == word;
        let from = order[to..].iter().position(is_it).unwrap() + to;
        order.swap(to, from);
    }
    let commitment = seal(&[7; 32], &order);

    let sheet = TermSheet::new(Game::CasinoWar);
    let mut chain = Chain::new(table);
    let mut entries = vec![RulesLine::new(sheet.clone()).write(&mut chain)];
    let [first, second] = cards.map(|card| format!("card {card}"));
    let lines = [
        &format!("sit 3 {player}"),
        "buy-in 3 100",
        "inspect 3",
        &format!("shuffle {commitment} wash plug riffle riffle strip riffle turn riffle cut"),
        "commit cut 3 52",
        "card ??",
        "wager 3 main 10",
        "deal",
        &first,
        &second,
    ];
    let mut state = Table::new(sheet);
    for line in lines.iter().chain(more) {
        let input: Input = line.parse().unwrap();
        let outcome = Outcome::of(&mut state, &input).unwrap();
        entries.extend(outcome.write(&input, &mut chain, LineSalt::new([7; 16])));
    }
    Export { table: table.to_owned(), entries }.to_string()
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

fn pitboss(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pitboss")).args(words).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
        + &String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn a_log_is_proven_and_a_forged_one_is_not() {
    let log = log();
    let honest = file("honest.log", &log);
    let output = pitboss(&["verify", honest.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));

    let forged = file("forged.log", &log.replace("card Kd", "card Ad"));
    let output = pitboss(&["verify", forged.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));

    let head = format!("1:{}", "0".repeat(64));
    let output = pitboss(&["verify", honest.to_str().unwrap(), "--head", &head]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
}

#[test]
fn a_round_is_shown_and_its_transcript_passes() {
    let path = file("shown.log", &log());
    let output = pitboss(&["replay", path.to_str().unwrap(), "1"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("Kd"), "{}", said(&output));

    let output = pitboss(&["replay", path.to_str().unwrap(), "1", "--transcript"]);
    let round = file("shown.round", &said(&output));
    let output = pitboss(&["check", round.to_str().unwrap()]);
    assert_eq!(said(&output).lines().last(), Some("1 passed, 0 failed"));
    assert!(fs::read_to_string(round).unwrap().contains("net 3 main +10"));
}

#[test]
fn a_log_of_other_rules_is_no_list_of_findings() {
    let older = concat!(env!("CARGO_MANIFEST_DIR"), "/../audit/tests/log/older_rules.log");
    let output = pitboss(&["verify", older]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let line = "written under rules 0.1.0: chain, cards and money checked, events not";
    assert_eq!(said(&output).lines().next(), Some(line));

    let forged = fs::read_to_string(older).unwrap().replace("card Qc", "card Qs");
    let output = pitboss(&["verify", file("older.log", &forged).to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));

    let output = pitboss(&["replay", older, "1"]);
    assert!(said(&output).contains("Written under rules 0.1.0"), "{}", said(&output));
    let output = pitboss(&["replay", older, "1", "--transcript"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
}

#[test]
fn what_cannot_be_read_is_one_sentence() {
    let path = file("broken.log", "no log at all\n");
    let path = path.to_str().unwrap();
    for words in [
        &["verify", "no-such.log"][..],
        &["verify", path],
        &["verify", path, "--head", "x"],
        &["replay", path, "1"],
        &["replay", path, "one"],
    ] {
        let output = pitboss(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}", said(&output));
        assert_eq!(said(&output).lines().count(), 1, "{words:?}: {}", said(&output));
    }
}

/// A king against a nine wins 10, of which -0.233 was to be expected; there was nothing to decide.
#[test]
fn a_player_of_a_log_is_reviewed() {
    let log = file("reviewed.log", &log());
    let log = log.to_str().unwrap();
    let output = pitboss(&["review", log, "--player", "ann", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let review: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&review["place"], &review["accuracy"]), (&"war-1".into(), &().into()));
    let result = &review["result"];
    assert_eq!(result["net"], 10.0);
    assert_eq!((&result["expectation"], &result["play"]), (&(-0.23).into(), &0.0.into()));
    assert_eq!(result["luck"], 10.23);
    let nobody = pitboss(&["review", log, "--player", "bob"]);
    assert_eq!(nobody.status.code(), Some(2));
    assert!(said(&nobody).contains("'bob' has played no round to its end there"));
}

/// Two tables are added up, and one without the player is left out. A king against a nine wins 10; whoever
/// surrenders a tie loses half of 10 (CW-8-c-1), where war costs less.
#[test]
fn logs_of_one_player_are_added_up() {
    let (tie, surrender) = (["9d", "9s"], ["act 3 surrender"]);
    let logs = [
        file("several-1.log", &log()),
        file("several-2.log", &log_of("war-2", "bob", ["2d", "9s"], &[])),
        file("several-3.log", &log_of("war-3", "ann", tie, &surrender)),
    ];
    let logs = logs.each_ref().map(|log| log.to_str().unwrap());
    let json = |files: &[&str]| -> serde_json::Value {
        let output = pitboss(&[&["review", "--player", "ann", "--json"], files].concat());
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let cents = |review: &serde_json::Value, part: &str| {
        (100.0 * review["result"][part].as_f64().unwrap()).round()
    };
    let (won, lost, all) = (json(&logs[..1]), json(&logs[2..]), json(&logs));
    assert_eq!(all["place"], "war-1, war-3");
    assert_eq!(all["rounds"].as_array().unwrap().len(), 2);
    assert_eq!(all["rounds"][0], won["rounds"][0]);
    assert_eq!(all["rounds"][1], lost["rounds"][0]);
    assert_eq!((all["accuracy"].as_f64(), &all["grades"]["blunder"]), (Some(0.0), &1.into()));
    assert_eq!([&won, &lost, &all].map(|review| cents(review, "net")), [1000.0, -500.0, 500.0]);
    // Two wagers of 10, each worth -0.233: a cent is rounded once, and not for every table.
    assert_eq!(cents(&all, "expectation"), -47.0);
    assert_eq!(cents(&all, "play"), cents(&lost, "play"));
    assert!(cents(&all, "play") < 0.0, "{all}");
    let parts = ["expectation", "play", "luck"].map(|part| cents(&all, part));
    assert_eq!(parts.iter().sum::<f64>(), 500.0, "{parts:?}");

    // A decision is told with its table, where there are several.
    let output = pitboss(&[&["review", "--player", "ann"], &logs[..]].concat());
    let text = said(&output);
    assert!(text.contains("ann at war-1, war-3: 2 rounds, 1 decision\n"), "{text}");
    assert!(text.contains("war-3, round 1: surrender instead of war cost"), "{text}");
    let output = pitboss(&["review", "--player", "ann", logs[2]]);
    assert!(said(&output).contains("· round 1: surrender instead of war cost"), "{text}");
}

#[test]
fn a_seat_of_transcripts_is_reviewed() {
    let round = "game casino-war\nwager 1 main 10\ncards 9d 9s\nact 1 surrender\n";
    let rounds = file("reviewed.round", &format!("{round}---\n{round}"));
    let rounds = rounds.to_str().unwrap();
    let output = pitboss(&["review", rounds, "--player", "1"]);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("2 rounds, 2 decisions") && text.contains("2 blunders"), "{text}");
    assert!(text.contains("round 1: surrender instead of war cost"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let page = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("review.html");
    let output = pitboss(&["review", rounds, "--player", "1", "--html", page.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("<svg") && !page.contains("<script") && !page.contains("http"));
    for (words, sentence) in [
        (["none.log", "1"], "there is no such file"),
        ([rounds, "ann"], "expected --player as a seat"),
        ([rounds, "2"], "has played no round"),
    ] {
        let output = pitboss(&["review", words[0], "--player", words[1]]);
        let complaint = said(&output);
        assert_eq!((output.status.code(), complaint.lines().count()), (Some(2), 1), "{complaint}");
        assert!(complaint.contains(sentence), "{complaint}");
    }
}
