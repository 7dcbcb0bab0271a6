//! `pitboss train`, driven through a pipe: what is asked, how answers are graded, and what is refused.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// Trains with these arguments; `typed` is all that is typed, and then the input ends.
fn train(arguments: &[&str], typed: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pitboss"))
        .arg("train")
        .args(arguments)
        .env("COLUMNS", "80")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that has left already takes no more input.
    let _ = child.stdin.take().unwrap().write_all(typed);
    child.wait_with_output().unwrap()
}

/// What is shown, where nothing goes wrong.
fn shown(arguments: &[&str], typed: &str) -> String {
    let output = train(arguments, typed.as_bytes());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains('\x1b'), "no escape codes through a pipe");
    text
}

/// The one sentence of a refusal, before anything is asked.
fn refused(arguments: &[&str]) -> String {
    let output = train(arguments, b"w\n");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{arguments:?}");
    let sentence = String::from_utf8(output.stderr).unwrap();
    assert_eq!(sentence.lines().count(), 1, "{sentence}");
    sentence
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The high-low count of cards as they are shown, such as `10♥ A♦ 3♣`.
fn high_low(cards: &str) -> i32 {
    let points = |card: &str| match card.trim_end_matches(['♣', '♦', '♥', '♠']) {
        "2" | "3" | "4" | "5" | "6" => 1,
        "7" | "8" | "9" => 0,
        "10" | "J" | "Q" | "K" | "A" => -1,
        other => panic!("'{other}' is no card"),
    };
    cards.split_whitespace().map(points).sum()
}

/// The cards of every running count that is asked for.
fn counted(text: &str) -> Vec<String> {
    let blocks = text.split("The running count?").map(str::trim_end);
    let mut asked: Vec<String> = blocks
        .map(|block| block.rsplit("\n\n").next().unwrap_or_default().trim().to_owned())
        .collect();
    asked.pop();
    asked
}

/// CW-8-c: war costs less than half of the wager, surrender half, and a further tie wager much more.
#[test]
fn a_decision_is_graded_with_the_value_of_every_act() {
    let text = shown(&["casino-war", "--seed", "1"], "war\nu\n\nq\n");
    assert!(text.contains("> war\nRight: war.\n"), "{text}");
    let mistake = text.split("> u\n").nth(1).unwrap();
    assert!(mistake.starts_with("No: surrender costs 0."), "{text}");
    assert!(mistake.contains("of a wager. The best is war.\n"), "{text}");
    assert!(text.contains("> \nIt is war.\n"), "Enter alone shows the answer: {text}");
    assert_eq!(text.matches("surrender −0.5000").count(), 3, "{text}");
    assert!(text.contains("war with 500 −"), "the tie wager is told apart: {text}");
    assert!(text.contains("1 of 3 right (33 %)"), "{text}");
    let cost = mistake.split_whitespace().nth(3).unwrap();
    assert!(text.contains(&format!("Mistakes cost {cost} of a wager in all.")), "{text}");
}

#[test]
fn nonsense_is_asked_again_and_costs_nothing() {
    let typed = "dance\nhit\n?\n\u{1b}[2J\nwar war war\n99999999999999999999\nq\n";
    let text = shown(&["casino-war", "--seed", "1"], typed);
    assert_eq!(text.matches("s[u]rrender   [w]ar").count(), 7, "{text}");
    assert!(text.contains("> dance\nExpected s[u]rrender or [w]ar; type ? for help"), "{text}");
    assert!(text.contains("'hit' is not open; answer surrender or war."), "{text}");
    assert!(text.contains("Enter alone shows the answer; q leaves."), "{text}");
    assert_eq!(text.matches("Right: ").count(), 1, "words after a call are left alone: {text}");
    assert!(text.contains("1 of 1 right (100 %)"), "{text}");
    for nonsense in ["many", "1.5", "99999999999999999999", "--3", "0x3"] {
        let text = shown(&["double-deck", "--drill", "running", "--seed", "7"], nonsense);
        assert!(text.contains("Expected a whole number such as −3, found '"), "{text}");
        assert!(!text.contains("right ("), "nothing was answered: {text}");
    }
    // Bytes that are no text, and lines without an end, are nonsense as well.
    let output = train(&["casino-war", "--seed", "1"], &[0xff; 3_000_000]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn the_end_of_the_input_ends_the_lesson() {
    let text = shown(&["casino-war"], "");
    assert!(text.trim_end().ends_with('>'), "{text}");
    let text = shown(&["casino-war", "--seed", "1"], "war");
    assert!(text.contains("1 of 1 right (100 %)"), "a last line without an end counts: {text}");
}

#[test]
fn a_lesson_ends_after_so_many_questions_and_a_seed_asks_the_same() {
    let arguments = ["free-bet", "--seed", "5", "--questions", "4"];
    let text = shown(&arguments, &"s\n".repeat(40));
    assert_eq!(text.matches("\nDealer ").count(), 4, "{text}");
    assert!(text.contains(" of 4 right ("), "{text}");
    // Seconds are those of this machine.
    let cards = |text: &str| -> Vec<String> {
        let lines =
            text.lines().filter(|line| line.starts_with("Dealer") || line.starts_with("You"));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(cards(&text), cards(&shown(&arguments, &"s\n".repeat(40))));
    let other = shown(&["free-bet", "--seed", "6", "--questions", "4"], &"s\n".repeat(40));
    assert_ne!(cards(&text), cards(&other));
}

#[test]
fn a_hand_is_played_to_its_end() {
    let arguments = ["double-deck", "--drill", "hand", "--seed", "7", "--questions", "6"];
    let text = shown(&arguments, &"s\n".repeat(20));
    // Who stands at once decides once a hand; a dealer's ace asks for insurance first.
    let ends = text.matches("The hand ends: ").count();
    assert!((3..=6).contains(&ends), "{text}");
    for end in text.split("The hand ends: ").skip(1) {
        let net = end.split(", ").nth(1).unwrap().split(" of a").next().unwrap();
        // Standing wins, loses or ties the one wager: no double, no split (DDB-P11).
        assert!(["+1", "−1", "+0"].contains(&net), "{end}");
    }
}

#[test]
fn running_counts_are_those_that_one_counts() {
    let arguments = ["double-deck", "--drill", "running", "--seed", "11", "--questions", "5"];
    let asked = counted(&shown(&arguments, "0\n0\n0\n0\n0\n"));
    assert_eq!(asked.len(), 5);
    assert!(asked.iter().all(|cards| (8..=24).contains(&cards.split_whitespace().count())));
    let right: String = asked.iter().map(|cards| format!("{:+}\n", high_low(cards))).collect();
    assert!(shown(&arguments, &right).contains("5 of 5 right (100 %)"), "{asked:?}");
    let wrong: String = asked.iter().map(|cards| format!("{}\n", high_low(cards) + 1)).collect();
    let text = shown(&arguments, &wrong);
    assert!(text.contains("0 of 5 right (0 %)"), "{text}");
    assert_eq!(text.matches("No, not ").count(), 5, "{text}");
}

/// Half decks are gone, so that each deck left is 52 or 26 cards: −3 in one and a half decks is −2.
#[test]
fn true_counts_are_rounded_down() {
    let arguments = ["double-deck", "--drill", "true", "--seed", "3", "--questions", "12"];
    let text = shown(&arguments, &"0\n".repeat(12));
    let mut answers = String::new();
    for line in text.lines().filter(|line| line.starts_with("Running count ")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let running: i32 = words[2].trim_end_matches(',').replace('−', "-").parse().unwrap();
        let half_decks = match words[3..5] {
            ["1", "deck"] => 2,
            ["0.5", "decks"] => 1,
            ["1.5", "decks"] => 3,
            ref other => panic!("{other:?}"),
        };
        answers += &format!("{}\n", (2 * running).div_euclid(half_decks));
    }
    assert!(shown(&arguments, &answers).contains("12 of 12 right (100 %)"), "{text}");
}

/// An index names two acts and the true count between them, and the best act agrees with it.
#[test]
fn a_deviation_names_its_index() {
    let arguments = ["double-deck", "--drill", "deviation", "--seed", "4", "--questions", "10"];
    let text = shown(&arguments, &"\n".repeat(10));
    let mut named = 0;
    for question in text.split("True count").skip(1) {
        let count = question.lines().next().unwrap().trim().replace('−', "-");
        let count: i32 = count.parse().unwrap();
        let best = question.split("It is ").nth(1).unwrap().split('.').next().unwrap();
        let Some(index) = question.split("With these cards: ").nth(1) else { continue };
        named += 1;
        let index: Vec<&str> = index.split_whitespace().take(11).collect();
        let [above, "from", "a", "true", "count", "of", from, "on,", below, ..] = index[..] else {
            panic!("{index:?}")
        };
        let from: i32 = from.replace('−', "-").parse().unwrap();
        assert_eq!(best, if count >= from { above } else { below }, "{question}");
    }
    assert!(named > 2, "{text}");
}

#[test]
fn a_record_is_kept_and_goes_on() {
    let kept = file("kept.train");
    let _ = fs::remove_file(&kept);
    let name = kept.to_str().unwrap();
    let arguments = ["double-deck", "--seed", "2", "--record", name, "--questions", "2"];
    let text = shown(&arguments, "s\ns\n");
    assert!(text.contains("written."), "{text}");
    let record = fs::read_to_string(&kept).unwrap();
    assert!(record.starts_with("training 1\nasked 2\n"), "{record}");
    shown(&arguments, "s\ns\n");
    let record = fs::read_to_string(&kept).unwrap();
    assert!(record.starts_with("training 1\nasked 4\n"), "{record}");
    // It is written with every answer, so that nothing is lost where the program is ended.
    shown(&["double-deck", "--record", name], "s\n");
    assert!(fs::read_to_string(&kept).unwrap().starts_with("training 1\nasked 5\n"));
}

#[test]
fn what_makes_no_sense_is_refused_before_anything_is_asked() {
    let damaged = file("damaged.train");
    fs::write(&damaged, "training 1\nasked many\n").unwrap();
    let newer = file("newer.train");
    fs::write(&newer, "training 2\n").unwrap();
    let folder = env!("CARGO_TARGET_TMPDIR");
    for (arguments, sentence) in [
        (&["poker"][..], "there is no game 'poker'; there are casino-war, "),
        (&[""], "there is no game ''"),
        (
            &["war", "--drill", "dance"],
            "expected --drill decision, hand, running, true or deviation",
        ),
        (&["war", "--drill", "running"], "nothing to count in Casino War"),
        (&["stud", "--drill", "deviation"], "nothing to count in Double Down Stud"),
        (&["free-bet", "--drill", "true", "--set", "shuffle_method=continuous"], "own shuffle"),
        (&["war", "--set", "decks=5"], "CW-2-a"),
        (&["war", "--set", "decks"], "expected KEY=VALUE"),
        (&["war", "--seed", "many"], "--seed"),
        (&["war", "--seed=-1"], "--seed"),
        (&["war", "--questions", "0"], "--questions"),
        (&["war", "--questions", "1000001"], "--questions"),
        (&["war", "--record", damaged.to_str().unwrap()], "no record of training"),
        (&["war", "--record", newer.to_str().unwrap()], "no record of training"),
        (&["war", "--record", folder], "is a directory"),
        (&["war", "--record", "no/such/folder/a.train"], "there is no such folder"),
    ] {
        let found = refused(arguments);
        assert!(found.contains(sentence), "{arguments:?}: {found}");
    }
}
