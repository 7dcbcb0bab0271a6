//! `pitboss odds`: the shape of its JSON, its page, and what it refuses.

#![allow(clippy::float_arithmetic)]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

fn odds(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pitboss")).arg("odds").args(arguments).output().unwrap()
}

fn printed(arguments: &[&str]) -> String {
    let output = odds(arguments);
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stdout).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let arguments = [arguments, &["--json"]].concat();
    serde_json::from_str(&printed(&arguments)).unwrap()
}

fn bet<'a>(all: &'a Value, name: &str, policy: &str) -> &'a Value {
    let mut bets = all["bets"].as_array().unwrap().iter();
    bets.find(|bet| bet["bet"] == name && bet["policy"] == policy).unwrap()
}

fn near(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - expected).abs() < 5e-8, "{value} is not {expected}");
}

#[test]
fn the_json_has_the_shape_that_is_promised() {
    let all = json(&["casino-war"]);
    assert_eq!(all["game"], "casino-war");
    assert_eq!(all["terms"]["decks"], 6);
    assert_eq!(all["terms"]["breakage"], "exact");
    let main = bet(&all, "main", "war");
    near(&main["ev"], -0.0233006);
    assert!(main["ev_exact"].as_str().unwrap().starts_with('-'));
    assert_eq!(main["method"], "exact");
    assert!(main["rounds"].is_null() && main["standard_error"].is_null());
    for key in ["sd", "element_of_risk", "hit_frequency"] {
        assert!(main[key].is_f64(), "{key}");
    }
    let outcomes = main["outcomes"].as_array().unwrap();
    let won = outcomes.iter().find(|outcome| outcome["name"] == "war won").unwrap();
    assert_eq!(won["net"], 1.0);
    assert!(won["combinations"].as_str().unwrap().parse::<u64>().is_ok());
    let total: f64 = outcomes.iter().map(|o| o["probability"].as_f64().unwrap()).sum();
    assert!((total - 1.0).abs() < 1e-12);
    for (name, policy) in [
        ("main", "surrender"),
        ("tie", "any"),
        ("war-tie", "war"),
        ("progressive", "war"),
        ("progressive", "surrender"),
        ("envy", "war"),
    ] {
        assert!(bet(&all, name, policy)["ev"].is_f64(), "{name} {policy}");
    }
}

#[test]
fn terms_meter_and_others_are_heard() {
    near(&bet(&json(&["war", "--set", "decks=8"]), "tie", "any")["ev"], -0.1783133);
    let all = json(&["war", "--meter", "150,000", "--others", "2", "--bet", "progressive"]);
    let progressive = bet(&all, "progressive", "war");
    assert_eq!(progressive["meter"], 150_000.0);
    assert_eq!(progressive["others"], 2.0);
    assert!(progressive["break_even_meter"].as_f64().unwrap() > 0.0);
    assert!(all["bets"].as_array().unwrap().iter().all(|bet| bet["bet"] == "progressive"));
    let envy = bet(&json(&["war"]), "envy", "war")["ev"].as_f64().unwrap();
    assert_eq!(envy, 0.0, "nobody else, no envy");
}

#[test]
fn double_down_stud_is_worth_what_is_known() {
    let all = json(&["double-down-stud", "--policy", "best"]);
    near(&bet(&all, "main", "best")["ev"], -0.0474128);
    assert!(!all["chart"].as_array().unwrap().is_empty());
    // A high rank that is gone is missed more than a low one.
    let without = |seen: &str| {
        let all = json(&["stud", "--seen", seen, "--policy", "best"]);
        assert_eq!(all["cards"], 48);
        bet(&all, "main", "best")["ev"].as_f64().unwrap()
    };
    assert!(without("Ks, Kh Kd Kc") < without("2s, 2h 2d 2c"));
}

#[test]
fn options_and_counts_are_told() {
    let all = json(&["casino-war", "--what-if", "--count"]);
    let changes = all["what_if"]["changes"].as_array().unwrap();
    let decks = changes.iter().find(|change| change["term"] == "decks" && change["to"] == "8");
    assert!(decks.is_some_and(|change| change["source"].as_str().unwrap().contains("CW-2-a")));
    let idle = all["what_if"]["without_effect"].as_array().unwrap();
    assert!(idle.iter().any(|key| key == "cut_by"));
    for countable in all["countable"].as_array().unwrap() {
        assert_eq!(countable["effect_of_removal"].as_object().unwrap().len(), 13);
    }
}

#[test]
fn what_makes_no_sense_is_refused_in_one_sentence() {
    for (arguments, sentence) in [
        (&["poker"][..], "there is no game 'poker'; there are casino-war, "),
        (&["war", "--set", "decks=5"], "CW-2-a"),
        (&["war", "--set", "decks=six"], "CW-2-a"),
        (&["war", "--set", "deck=6"], "the nearest is decks"),
        (&["war", "--set", "decks"], "expected KEY=VALUE"),
        (&["war", "--bet", "push22"], "expected --bet envy, main, "),
        (&["war", "--policy", "best"], "expected --policy any, surrender or war, found 'best'"),
        (&["war", "--meter", "-1"], "expected a meter from 0"),
        (&["war", "--meter", "much"], "expected --meter as an amount"),
        (&["stud", "--meter", "5"], "has no progressive meter"),
        (&["war", "--others", "7"], "at most 6 other seats"),
        (&["double-deck", "--others", "2"], "other seats change no wager in Double Deck"),
        (&["war", "--others", "-1"], "expected --others"),
        (&["war", "--stake", "1"], "main_min"),
        (&["stud", "--seen", "As As"], "no As is left in a shoe of these decks (DDS-2-a)"),
        (&["stud", "--seen", "1z"], "found '1z'"),
        (&["double-attack", "--seen", "Td"], "no Td is left"),
        (&["war", "--html", "/no/such/folder/a.html"], "could not write"),
    ] {
        let output = odds(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(output.stdout, b"", "{arguments:?}");
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert!(complaint.contains(sentence), "{arguments:?}: {complaint}");
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
    }
}

/// Too many seen cards leave no round.
#[test]
fn a_shoe_that_is_too_small_is_refused() {
    let suits = ["c", "d", "h", "s"];
    let cards: Vec<_> =
        "23456789".chars().flat_map(|rank| suits.map(|suit| format!("{rank}{suit}"))).collect();
    let output = odds(&["stud", "--seen", &cards.join(" ")]);
    assert_eq!(output.status.code(), Some(2));
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(complaint.contains("only 20 cards are left"), "{complaint}");
}

#[test]
fn a_pipe_gets_no_colours_and_lines_that_fit() {
    let text = printed(&["double-down-stud"]);
    assert!(!text.contains('\x1b'));
    assert!(text.contains("−4.7413 %") && !text.contains(" -"), "{text}");
    assert!(text.contains("four to a royal flush"));
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn the_page_needs_nothing_else() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("casino-war.html");
    let said = printed(&["casino-war", "--html", file.to_str().unwrap()]);
    assert!(said.contains("written"));
    let page = fs::read_to_string(file).unwrap();
    for outside in ["http", "<script", "<link", "url(", "@import"] {
        assert!(!page.contains(outside), "{outside}");
    }
    for part in ["<svg", "What every wager is worth", "How wagers end", "What each option costs"] {
        assert!(page.contains(part), "{part}");
    }
    for element in ["section", "figure", "table", "svg", "header", "footer"] {
        let count = |tag: String| page.matches(&tag).count();
        let opened = count(format!("<{element}>")) + count(format!("<{element} "));
        assert_eq!(opened, count(format!("</{element}>")), "{element}");
    }
}

/// The expectation is exact; what is simulated says so, with its error.
#[test]
fn what_is_simulated_says_so() {
    let all = json(&["double-deck", "--bet", "main"]);
    near(&bet(&all, "main", "best")["ev"], -0.0050262);
    let basic = bet(&all, "main", "basic");
    assert_eq!(basic["method"], "exact");
    for figure in ["sd", "element_of_risk", "hit_frequency"] {
        assert_eq!(basic[format!("{figure}_method")], "simulated", "{figure}");
        assert!(basic[format!("{figure}_standard_error")].as_f64().unwrap() > 0.0, "{figure}");
    }
    let outcomes = basic["outcomes"].as_array().unwrap();
    assert!(outcomes.iter().any(|outcome| outcome["method"] == "simulated"));
    let total: f64 = outcomes.iter().map(|o| o["probability"].as_f64().unwrap()).sum();
    assert!((total - 1.0).abs() < 1e-9, "{total}");
    assert_eq!(json(&["double-deck", "--bet", "main"]), all, "the seed is fixed");
    let charts = all["chart"].as_array().unwrap();
    assert_eq!(charts.iter().map(|chart| &chart["title"]).collect::<Vec<_>>().len(), 3);
}

fn refused(arguments: &[&str]) -> String {
    let output = odds(arguments);
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), complaint.lines().count()), (Some(2), 1), "{complaint}");
    assert!(output.stdout.is_empty());
    complaint
}

/// A tie of nines with six decks: of 310 x 309 ways, 22 x 21 + 12 x 24 x 23 tie again and gain 2
/// units; half of the others gain 1, the other half lose 2.
#[test]
fn a_position_has_a_value_for_every_act() {
    let all = json(&["war", "--at", "main 10; 9d; dealer 9s"]);
    assert_eq!((&all["game"], &all["unseen"]), (&"casino-war".into(), &310.into()));
    let acts = all["acts"].as_array().unwrap();
    let (ways, ties) = (310.0 * 309.0, 22.0 * 21.0 + 12.0 * 24.0 * 23.0);
    let war = 10.0 * (2.0 * ties - (ways - ties) / 2.0) / ways;
    near(&acts[0]["gain"], war);
    assert_eq!((&acts[0]["act"], &acts[0]["method"]), (&"war".into(), &"exact".into()));
    let surrender = acts.iter().find(|act| act["act"] == "surrender").unwrap();
    near(&surrender["gain"], -5.0);
    near(&surrender["cost"], war + 5.0);
    // A short rack: with chips for everything, an eight each is worth more, and looking more still.
    let short = printed(&["double-deck", "--at", "main 10; bankroll 20; 8s 8h; dealer Ts"]);
    assert!(short.lines().any(|line| line.contains("split") && line.ends_with("at least")));
    assert!(short.contains("If the rack covered everything, still without looking"), "{short}");
    assert!(!short.contains("at most"), "{short}");
    let text = printed(&["double-deck", "--at", "main 10; 8s 8h; dealer Ts"]);
    let best = text.lines().find(|line| line.starts_with('▸')).unwrap();
    assert!(best.contains("split") && best.contains("at least"), "{text}");
    assert!(text.lines().any(|line| line.contains("stand") && line.ends_with("exact")), "{text}");
    assert!(
        !text.contains('\x1b') && text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
}

#[test]
fn a_transcript_is_a_position_too() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("at.round");
    let round =
        "game casino-war\nwager 1 main 10\ncards 9d 9s\nact 1 war\ncards ?? ?? ?? 4c 3h\ndone\n";
    fs::write(&file, round).unwrap();
    let at = |line: &str| format!("{}{line}", file.display());
    let in_file = json(&["war", "--at", &at(":3")]);
    let in_words = json(&["war", "--at", "main 10; 9d; dealer 9s"]);
    assert_eq!(in_file["acts"], in_words["acts"]);
    assert!(
        refused(&["war", "--at", &at("")]).contains("there is nothing to decide at this point")
    );
    assert!(refused(&["stud", "--at", &at(":3")]).contains("a round of casino-war"));
    assert!(
        refused(&["war", "--at", &at(":3"), "--set", "decks=8"]).contains("its own house options")
    );
    let beyond = refused(&["war", "--at", &at(":99")]);
    assert!(beyond.contains("at.round has only 6 lines, so no line 99"), "{beyond}");
    assert!(refused(&["war", "--at", "none.round"]).contains("there is no such file"));
}

#[test]
fn what_cannot_be_is_refused_with_its_clause() {
    assert!(refused(&["double-deck", "--at", "8s 8s; dealer 8s"]).contains("no 8s is left"));
    assert!(refused(&["double-deck", "--at", "8s 9h split; dealer Ts"]).contains("(DDB-"));
    let nothing = refused(&["war", "--at", "9d; dealer 8s"]);
    assert!(nothing.contains("nothing to decide at this point: only a tie"), "{nothing}");
    assert!(nothing.contains("(CW-8-c)"), "{nothing}");
    let typed = refused(&["war", "--at", "9d; dealer 9s; seen 2c*99999999999999"]);
    assert!(typed.contains("'seen 2c*99999999999999'"), "{typed}");
    let bust = refused(&["double-deck", "--at", "Ts 6h 7c; dealer 9c"]);
    assert!(bust.contains("the hand is bust (DDB-P2)"), "{bust}");
    assert!(
        refused(&["war", "--at", "9d; dealer 9s", "--chart"]).contains("cannot be used together")
    );
    assert!(refused(&["war", "--at", "9d; dealer 9s", "--seat", "2"]).contains("for a transcript"));
}
