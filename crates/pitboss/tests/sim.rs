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
    assert!(text(&other.stderr).contains("options, strategy or seed differ"));
}

#[test]
fn a_state_of_another_program_or_other_rules_is_refused_in_one_sentence() {
    let file = scratch("foreign.json");
    let state = file.to_str().unwrap();
    let run = || pitboss(&["sim", "stud", "--shoes", "1", "--state", state]);
    assert!(run().status.success());
    let written = fs::read_to_string(&file).unwrap();
    let rules = format!("\"rules\": \"{}-", rules::RULES_VERSION);
    assert!(written.contains(&rules) && written.contains("\"format\": 1"), "{written}");
    for (found, expected) in [
        (written.replace(&rules, "\"rules\": \"0-"), "start the run again"),
        (written.replace("\"format\": 1", "\"format\": 9"), "has format 9"),
        ("{\"run\": \"casino-war strategy …\"}".to_owned(), "an older version of pitboss"),
        ("[]".to_owned(), "was not written by `pitboss sim --state`"),
        ("no JSON".to_owned(), "was not written by `pitboss sim --state`"),
    ] {
        fs::write(&file, found).unwrap();
        let refused = run();
        assert_eq!(refused.status.code(), Some(2));
        let said = text(&refused.stderr);
        assert!(said.contains(expected) && said.lines().count() == 1, "{said}");
    }
}

/// Runs of shoes that follow each other, on any machine and in any order, are the whole run.
#[test]
fn runs_are_merged_to_the_whole() {
    let run = |words: &[&str]| pitboss(&[&["sim", "stud", "--json"], words].concat());
    let files = [scratch("first.json"), scratch("second.json"), scratch("far.json")];
    let [first, second, far] = files.each_ref().map(|file| file.to_str().unwrap());
    for (file, from, shoes) in [(first, "0", "30"), (second, "30", "50"), (far, "90", "1")] {
        let part = run(&["--from", from, "--shoes", shoes, "--state", file]);
        assert!(part.status.success(), "{}", text(&part.stderr));
    }
    let merged = run(&["--merge", second, "--merge", first]);
    assert_eq!(text(&merged.stdout), text(&run(&["--shoes", "80"]).stdout));
    let apart = run(&["--merge", first, "--merge", far]);
    assert_eq!(apart.status.code(), Some(2));
    assert!(text(&apart.stderr).contains("begins with shoe 90, not 30"));
    let elsewhere = run(&["--from", "5", "--state", first]);
    assert!(text(&elsewhere.stderr).contains("begins with shoe 0, not 5"));
}

/// The lines of a file by shoes add up to the run, whatever the number of threads.
#[test]
fn a_line_for_each_shoe_is_the_same_on_any_number_of_threads() {
    let lines = |threads: &str| {
        let file = scratch(&format!("shoes{threads}.csv"));
        let words = ["sim", "double-deck", "--strategy", "mimic", "--rounds", "250000", "--json"];
        let csv = ["--threads", threads, "--csv", file.to_str().unwrap()];
        let run = pitboss(&[&words[..], &csv[..]].concat());
        assert!(run.status.success(), "{}", text(&run.stderr));
        (text(&run.stdout), fs::read_to_string(file).unwrap())
    };
    let (printed, one) = lines("1");
    assert_eq!(lines("3"), (printed.clone(), one.clone()));
    let rounds: Vec<u64> = one
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(1).unwrap().parse::<u64>().unwrap())
        .collect();
    let (last, rounds) = (rounds[rounds.len() - 1], rounds.iter().sum::<u64>());
    assert!(rounds >= 250_000 && rounds - last < 250_000);
    assert!(printed.contains(&format!("\"rounds\": {rounds}")), "{printed}");
}

#[test]
fn the_report_has_simulated_values_beside_the_exact_ones() {
    let file = scratch("sim.html");
    let words = ["sim", "casino-war", "--side", "--fresh", "--rounds", "100000", "--html"];
    let run = pitboss(&[&words[..], &[file.to_str().unwrap()]].concat());
    assert!(run.status.success(), "{}", text(&run.stderr));
    let page = fs::read_to_string(file).unwrap();
    let (_, table) = page.split_once("Exact and simulated").unwrap();
    let table = table.split("</table>").next().unwrap();
    assert!(table.contains("its own shuffle"));
    // Main, tie and progressive, each with an exact value.
    assert_eq!(table.matches("<tr><td>").count(), 3);
    assert!(!table.contains("unknown"), "{table}");
}

/// A chart that `pitboss odds` does not show has its exact value too.
#[test]
fn the_report_knows_what_a_chart_is_worth() {
    let file = scratch("mimic.html");
    let words = ["sim", "double-deck", "--strategy", "mimic", "--rounds", "10000", "--html"];
    let run = pitboss(&[&words[..], &[file.to_str().unwrap()]].concat());
    assert!(run.status.success(), "{}", text(&run.stderr));
    let page = fs::read_to_string(file).unwrap();
    let (_, table) = page.split_once("Exact and simulated").unwrap();
    let table = table.split("</table>").next().unwrap();
    assert!(table.contains("<td>mimic</td>") && !table.contains("unknown"), "{table}");
}

#[test]
fn a_chart_that_odds_saved_is_played_like_basic() {
    let file = scratch("basic.chart");
    let saved = pitboss(&["odds", "double-deck", "--save-chart", file.to_str().unwrap()]);
    assert!(saved.status.success(), "{}", text(&saved.stderr));
    let mean = |strategy: &str| {
        let words = ["sim", "double-deck", "--rounds", "200000", "--json", "--strategy", strategy];
        let run: serde_json::Value = serde_json::from_slice(&pitboss(&words).stdout).unwrap();
        run["bets"][0]["ev"].as_f64().unwrap()
    };
    assert_eq!(mean(file.to_str().unwrap()), mean("basic"));
    assert!(mean("never-double") < mean("basic"));
    let refused = pitboss(&["odds", "casino-war", "--save-chart", file.to_str().unwrap()]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("only the blackjacks have a chart"));
}

#[test]
fn what_makes_no_sense_is_refused_in_a_sentence() {
    for (words, sentence) in [
        (
            &["casino-war", "--strategy", "basic"][..],
            "a strategy of casino-war (war, surrender), found 'basic'",
        ),
        (&["stud", "--seats", "9"], "from 1 to"),
        (&["double-deck", "--ramp", "1,2"], "three numbers"),
        (&["double-deck", "--strategy", "mimic", "--ramp", "1,2,8", "--seats", "2"], "one seat"),
        (&["casino-war", "--rounds", "many"], "--rounds from 1 to"),
        (&["casino-war", "--rounds", "0"], "--rounds from 1 to"),
        (&["casino-war", "--shoe", "9999999999999999999"], "--shoe from 0 to"),
        (&["casino-war", "--threads", "0"], "--threads from 1 to 1,024"),
        (&["casino-war", "--html", "/no/such/page.html"], "could not write"),
        (&["casino-war", "--state", "/no/such/state.json"], "could not write"),
        (&["casino-war", "--error", "0"], "--error such as 0.0001, found"),
        (&["casino-war", "--error", "NaN"], "--error such as 0.0001, found"),
        (
            &["casino-war", "--csv", "a.csv", "--state", "b.json"],
            "--csv and --state cannot be used together",
        ),
        (&["casino-war", "--time", "-1"], "--time seconds, such as 30, found '-1'"),
        (&["casino-war", "--rounds", "-5"], "--rounds from 1 to"),
        (&["casino-war", "--meter", "x"], "--meter as an amount"),
    ] {
        let refused = pitboss(&[&["sim"], words].concat());
        assert_eq!(refused.status.code(), Some(2), "{words:?}");
        let said = text(&refused.stderr);
        assert!(said.contains(sentence), "{words:?}: {said}");
    }
}

/// A run that is interrupted reports what it has reached, keeps it, and goes on from there.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_run_with_what_was_reached() {
    let file = scratch("interrupted.json");
    let state = file.to_str().unwrap();
    let words = ["sim", "casino-war", "--json", "--threads", "1", "--state", state];
    let run = Command::new(env!("CARGO_BIN_EXE_pitboss"))
        .args(words)
        .args(["--rounds", "1e17"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // The state is saved when rounds begin, and Ctrl-C is listened for soon after.
    while !file.exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    let id = run.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let ended = run.wait_with_output().unwrap();
    assert!(ended.status.success());
    assert!(text(&ended.stderr).contains("Interrupted"), "{}", text(&ended.stderr));
    let reached: serde_json::Value = serde_json::from_slice(&ended.stdout).unwrap();
    let rounds = reached["rounds"].as_u64().unwrap();
    assert!(rounds > 0);
    let more = (rounds + 1).to_string();
    let went_on = pitboss(&[&words[..], &["--rounds", &more]].concat());
    let went_on: serde_json::Value = serde_json::from_slice(&went_on.stdout).unwrap();
    assert!(went_on["rounds"].as_u64().unwrap() > rounds);
    let shoes = |run: &serde_json::Value| run["shoes"][1].as_u64().unwrap();
    assert_eq!(shoes(&went_on), shoes(&reached) + 1);
}

/// Every outcome is shown or is among the others, so that they add up.
#[test]
fn outcomes_add_up_to_all() {
    let run = pitboss(&["sim", "double-deck", "--rounds", "300_000"]);
    let shown = text(&run.stdout);
    let (_, outcomes) = shown.split_once("how often").unwrap();
    let all: f64 = outcomes
        .lines()
        .filter_map(|line| line.split(" %").next()?.split_whitespace().last()?.parse::<f64>().ok())
        .sum();
    assert!((all - 100.0).abs() < 0.01, "{all} in {shown}");
    assert!(shown.contains("others"), "{shown}");
    assert!(text(&run.stderr).contains("rounds in"), "{}", text(&run.stderr));
}

/// What is missing is said in one sentence: the feature, or the driver. Where both are there, the
/// result is that of the processor.
#[test]
fn a_run_on_a_gpu_is_the_same_or_says_what_is_missing() {
    let words = ["sim", "double-deck", "--rounds", "300000", "--json"];
    let on_gpu = pitboss(&[&words[..], &["--gpu"]].concat());
    let said = text(&on_gpu.stderr);
    if on_gpu.status.success() {
        assert!(said.contains("were played on the processor as well"), "{said}");
        assert_eq!(text(&on_gpu.stdout), text(&pitboss(&words).stdout));
        return;
    }
    assert_eq!(on_gpu.status.code(), Some(2));
    assert_eq!(said.lines().count(), 1, "{said}");
    let missing = if cfg!(feature = "gpu") { "the NVIDIA driver" } else { "--features gpu" };
    assert!(said.contains(missing), "{said}");
    let seats = pitboss(&[&words[..], &["--gpu", "--threads", "2"]].concat());
    assert_eq!(seats.status.code(), Some(2));
}
