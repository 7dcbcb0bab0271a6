//! The program as it is typed: what it prints, and how it exits.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn pitboss(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pitboss")).args(arguments).output().unwrap()
}

fn printed(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn complained(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A folder of its own for one test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

const GOOD: &str = "# Eight beats four.\ngame casino-war\nwager 1 main 10\ncards 8d 4s\n\
    net 1 +10\ndone\n";
const FAILING: &str = "game casino-war\nwager 1 main 10\ncards 8d 4s\nnet 1 +20\ndone\n";
const UNREADABLE: &str = "game casino-war\nwager one main 10\n";

/// Checks files of these contents; the name of the folder is cut out of what is printed.
fn check(name: &str, contents: &[(&str, &[u8])]) -> (Option<i32>, String) {
    let folder = folder(name);
    for (file, bytes) in contents {
        let file = folder.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }
    let output = pitboss(&["check", folder.to_str().unwrap()]);
    assert_eq!(complained(&output), "");
    let root = format!("{}/", folder.display());
    (output.status.code(), printed(&output).replace(&root, ""))
}

#[test]
fn an_option_of_the_house_without_its_command_names_it() {
    let output = pitboss(&["--port", "9"]);
    assert_eq!(output.status.code(), Some(2));
    let expected = "pitboss: --port is an option of serve: pitboss serve --port 9\n";
    assert_eq!(complained(&output), expected);
    assert!(complained(&pitboss(&["--prot", "9"])).contains("there is no option --prot"));
}

#[test]
fn rounds_that_pass_exit_with_0() {
    let twice = format!("{GOOD}---\n{GOOD}---\n# nothing here\n");
    let (code, text) = check("good", &[("a.round", twice.as_bytes())]);
    assert_eq!((code, text.as_str()), (Some(0), "2 passed, 0 failed\n"));
}

#[test]
fn a_failed_expectation_exits_with_1() {
    let both = format!("{GOOD}---\n{FAILING}");
    let (code, text) = check("failing", &[("a.round", both.as_bytes())]);
    assert_eq!(code, Some(1));
    assert_eq!(text, "a.round:11: expected net 1 +20, found +10\n1 passed, 1 failed\n");
}

#[test]
fn what_cannot_be_read_exits_with_2_and_hides_nothing() {
    let all = format!("{UNREADABLE}---\n{FAILING}---\n{GOOD}");
    let (code, text) = check("unreadable", &[("a.round", all.as_bytes())]);
    assert_eq!(code, Some(2));
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].starts_with("a.round:2: expected a seat from 1 to 7"), "{text}");
    assert_eq!(lines[1], "a.round:7: expected net 1 +20, found +10");
    assert_eq!(lines[2], "1 passed, 2 failed");
}

#[test]
fn a_card_that_nobody_awaits_exits_with_2() {
    let (code, text) = check("misplaced", &[("a.round", b"game casino-war\ncards 8d\n")]);
    assert_eq!(code, Some(2));
    assert!(text.starts_with("a.round:2: no card is awaited"), "{text}");
    assert!(text.ends_with("\n0 passed, 1 failed\n"), "{text}");
}

#[test]
fn unknown_names_exit_with_2() {
    for (i, (line, found)) in [
        ("game poker", "found 'poker'"),
        ("game casino-war\nterms size=3", "casino-war has no term 'size'"),
        ("game casino-war\ncards 1z", "found '1z'"),
        ("game casino-war\nwager 1 main ten", "found 'ten'"),
        ("wager 1 main 10", "expected 'game NAME'"),
    ]
    .into_iter()
    .enumerate()
    {
        let (code, text) = check(&format!("unknown{i}"), &[("a.round", line.as_bytes())]);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.lines().next().unwrap().contains(found), "{text}");
    }
}

#[test]
fn folders_are_searched_in_order() {
    let (code, text) = check(
        "folders",
        &[
            ("b.round", FAILING.as_bytes()),
            ("a/z.round", FAILING.as_bytes()),
            ("a/readme.txt", UNREADABLE.as_bytes()),
        ],
    );
    assert_eq!(code, Some(1));
    let files: Vec<_> = text.lines().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(files, ["a/z.round", "b.round", "0 passed, 2 failed"]);
}

#[test]
fn files_that_are_no_text_get_one_sentence() {
    let (code, text) =
        check("bytes", &[("a.round", &[0xff, 0xfe, 0, b'\n']), ("b.round", GOOD.as_bytes())]);
    assert_eq!(code, Some(2));
    assert_eq!(text, "a.round: it is not UTF-8 text\n1 passed, 0 failed\n");
    let (code, text) = check("zeros", &[("a.round", &[0; 5000])]);
    assert_eq!(code, Some(2));
    assert_eq!(text.lines().count(), 2, "{text}");
}

#[test]
fn a_file_without_a_round_is_named() {
    for (i, nothing) in ["", "# nothing\n", "\n---\n# here\n---\n"].into_iter().enumerate() {
        let files = [("a.round", nothing.as_bytes()), ("b.round", GOOD.as_bytes())];
        let (code, text) = check(&format!("nothing{i}"), &files);
        assert_eq!(code, Some(2));
        assert_eq!(text, "a.round: it contains no round\n1 passed, 0 failed\n");
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_read_is_named_and_the_rest_checked() {
    use std::os::unix::fs::PermissionsExt;
    let root = folder("closed");
    let closed = root.join("a");
    fs::create_dir(&closed).unwrap();
    fs::write(root.join("b.round"), GOOD).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    // Nothing is closed to the superuser.
    let is_open = fs::read_dir(&closed).is_ok();
    let output = pitboss(&["check", root.to_str().unwrap()]);
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
    if !is_open {
        assert_eq!(output.status.code(), Some(2));
        let expected = format!("{}: permission denied\n1 passed, 0 failed\n", closed.display());
        assert_eq!(printed(&output), expected);
    }
}

#[test]
fn missing_files_get_one_sentence() {
    let output = pitboss(&["check", "no/such.round"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(printed(&output), "no/such.round: there is no such file\n0 passed, 0 failed\n");
    let empty = folder("empty");
    let output = pitboss(&["check", empty.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(printed(&output).contains("has no .round files"));
}

#[test]
fn the_rules_are_printed_as_json() {
    let output = pitboss(&["rules", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let page: Value = serde_json::from_slice(&output.stdout).unwrap();
    let clauses = page["clauses"].as_array().unwrap();
    assert_eq!(clauses.len(), 461);
    let keys: Vec<_> = clauses[0].as_object().unwrap().keys().collect();
    let first = ["id", "game", "title", "code", "tests", "excused", "owed", "section"];
    let traces = ["decided_in", "mentioned_in", "refused_with", "shown_by"];
    assert_eq!(keys, [&first[..], &traces].concat());
    let term = page["terms"][0].as_object().unwrap();
    assert_eq!(
        term.keys().collect::<Vec<_>>(),
        ["game", "key", "values", "default", "source", "meaning", "scope"]
    );
    assert_eq!(term["game"], "all");
    let ruling = page["rulings"][0].as_object().unwrap();
    let first = ["id", "title", "decision", "code", "tests"];
    assert_eq!(ruling.keys().collect::<Vec<_>>(), [&first[..], &traces].concat());
    let shown = |clause: &&Value| !clause["code"].as_array().unwrap().is_empty();
    let place = clauses.iter().find(shown).unwrap()["code"][0].as_str().unwrap();
    assert!(place.starts_with("crates/rules/src/"), "{place}");
}

#[test]
fn one_game_or_one_clause_can_be_asked_for() {
    let page: Value =
        serde_json::from_slice(&pitboss(&["rules", "free-bet", "--json"]).stdout).unwrap();
    let ids = |list: &str| -> Vec<String> {
        let rows = page[list].as_array().unwrap().iter();
        rows.map(|row| row["id"].as_str().unwrap().to_owned()).collect()
    };
    assert!(ids("clauses").iter().all(|id| id.starts_with("FBB-")));
    assert!(ids("rulings").iter().all(|id| id.starts_with("FBB-") || id.starts_with("G-")));
    assert!(ids("rulings").len() > 40);

    let text = printed(&pitboss(&["rules", "CW-8-c"]));
    assert!(text.starts_with("CW-8-c (casino-war: Play and settlement)\n"), "{text}");
    let text = printed(&pitboss(&["rules", "G-04"]));
    assert!(text.starts_with("G-04: "), "{text}");
    let text = printed(&pitboss(&["rules", "casino-war"]));
    assert!(
        text.contains("\nCW-2-a ")
            && text.contains("\nmain_min (all)\n")
            && !text.contains("\nFBB-")
    );
    let summary = text.split("\n\n").last().unwrap().replace('\n', " ");
    assert!(summary.contains(" carried out and tested, ") && summary.contains(" rulings"));
}

#[test]
fn an_unknown_game_or_clause_gets_one_sentence() {
    for (subject, found) in [
        (&["poker"][..], "poker"),
        (&[concat!("CW", "-99")], concat!("CW", "-99")),
        (&[""], ""),
        (&["casino-war", "peek"], "peek"),
        (&["casino-war", "FBB-8-a"], "FBB-8-a"),
        (&["poker", "decks"], "poker"),
    ] {
        let output = pitboss(&[&["rules"], subject].concat());
        assert_eq!(output.status.code(), Some(2), "{subject:?}");
        assert_eq!(printed(&output), "");
        let sentence = complained(&output);
        assert_eq!(sentence.lines().count(), 1, "{sentence}");
        assert!(sentence.ends_with(&format!("found '{found}'\n")), "{sentence}");
    }
}

#[test]
fn one_ruling_or_option_is_shown_with_all_that_is_known() {
    let text = printed(&pitboss(&["rules", "g-07"]));
    assert!(text.contains("\nAlso mentioned in\n  crates/rules/src/"), "{text}");
    assert!(text.contains("\nRefused with\n  above-rack\n"), "{text}");
    assert!(text.contains("\nShown by\n  crates/rules/tests/"), "{text}");
    // Who keeps the cards carries out rulings too.
    assert!(
        printed(&pitboss(&["rules", "G-18"])).contains("  crates/pitboss/src/play/custody.rs:")
    );

    let text = printed(&pitboss(&["rules", "war", "DECKS"]));
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "decks (casino-war)");
    assert_eq!(
        lines[2..],
        [
            "  values    6, 7 or 8",
            "  default   6",
            "  source    CW-2-a, CW-2-d, CW-R08",
            "  scope     table"
        ]
    );
    let everywhere = printed(&pitboss(&["rules", "coupons"]));
    assert_eq!(everywhere.matches("table (only recorded)").count(), 3, "{everywhere}");
    let tables = printed(&pitboss(&["rules", "tie_timeout"]));
    assert!(tables.contains("table (no effect in `pitboss play`)"), "{tables}");

    let page: Value =
        serde_json::from_slice(&pitboss(&["rules", "free-bet", "decks", "--json"]).stdout).unwrap();
    assert_eq!(page["terms"][0]["values"], "6|8");
    assert_eq!(page["terms"][0]["scope"], "table");
    assert_eq!(page["clauses"].as_array().unwrap().len(), 0);
}

#[test]
fn ids_and_games_are_found_in_any_letters() {
    let text = |arguments: &[&str]| printed(&pitboss(arguments));
    assert_eq!(text(&["rules", "dab-10-c"]), text(&["rules", "DAB-10-c"]));
    assert_eq!(text(&["rules", "War"]), text(&["rules", "casino-war"]));
    assert!(text(&["rules", "dab-10-c"]).starts_with("DAB-10-c (double-attack: Splitting)\n"));
}

#[test]
fn a_reader_may_go_away() {
    for arguments in [&["rules"][..], &["rules", "--json"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_pitboss"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(complained(&output), "");
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn a_check_that_nobody_reads_still_counts() {
    let folder = folder("unread");
    let bad = folder.join("bad.round");
    // More findings than fit into any buffer.
    fs::write(&bad, format!("{FAILING}---\n").repeat(20_000)).unwrap();
    let good = folder.join("good.round");
    fs::write(&good, GOOD).unwrap();
    for (file, code) in [(bad, 1), (good, 0)] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_pitboss"))
            .arg("check")
            .arg(file)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(complained(&output), "");
        assert_eq!(output.status.code(), Some(code));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_output_is_one_error() {
    for arguments in [&["rules"][..], &["rules", "G-07"], &["play", "war"]] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_pitboss"))
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(full)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let sentence = complained(&output);
        assert_eq!(sentence.lines().count(), 1, "{sentence}");
        assert!(sentence.starts_with("pitboss: could not read or write: "), "{sentence}");
    }
}

const COMMANDS: [&str; 13] = [
    "serve", "operator", "play", "check", "verify", "backup", "export", "replay", "odds", "review",
    "sim", "load", "rules",
];

/// The help of a command in a terminal of so many columns.
fn help(command: &str, columns: &str) -> String {
    let words: Vec<_> = [command, "--help"].into_iter().filter(|word| !word.is_empty()).collect();
    let mut pitboss = Command::new(env!("CARGO_BIN_EXE_pitboss"));
    let output = pitboss.args(&words).env("COLUMNS", columns).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{command}");
    printed(&output)
}

#[test]
fn every_command_explains_itself_with_examples_in_80_columns() {
    for command in COMMANDS.into_iter().chain([""]) {
        let (narrow, wide) = (help(command, "80"), help(command, "100"));
        for line in narrow.lines() {
            assert!(line.chars().count() <= 80, "{command}: {line}");
        }
        let (_, examples) = wide.split_once("\nExamples:\n").expect("there are examples");
        // What the program has wrapped itself is not wrapped again.
        assert!(narrow.contains(examples), "{command}: a line is too long in\n{examples}");
        assert!(examples.contains("  pitboss"), "{command}: {examples}");
    }
}

/// The words of a command, as far as they are not for the shell.
fn words(line: &str) -> Vec<String> {
    let command = line.split('#').next().unwrap_or(line).split(['|', '>', '<']).next();
    let mut words: Vec<String> = Vec::new();
    let mut is_quoted = false;
    for part in command.unwrap_or_default().split('"') {
        match is_quoted {
            true => words.push(part.to_owned()),
            false => words.extend(part.split_whitespace().map(str::to_owned)),
        }
        is_quoted = !is_quoted;
    }
    words
}

/// Everything that documents and help tell people to type is understood.
#[test]
fn every_documented_command_is_one() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");
    let docs = fs::read_dir(format!("{root}docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = docs.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    let pages = pages.chain([format!("{root}README.md").into()]);
    let texts = pages.map(|page| fs::read_to_string(page).unwrap());
    let texts = texts.chain(COMMANDS.into_iter().chain([""]).map(|command| help(command, "100")));
    let mut commands = Vec::new();
    for text in texts {
        for line in text.lines() {
            let line = line.trim_start_matches('$').trim_start();
            let typed = line.strip_prefix("cargo xtask run").or(line.strip_prefix("pitboss"));
            let is_indented = text.contains(&format!("  {line}"));
            if let Some(rest) = typed.filter(|rest| is_indented && rest.starts_with(' ')) {
                // Two blanks come before what a command does.
                commands.push(rest.split("  ").next().unwrap_or(rest).trim().to_owned());
            }
        }
    }
    assert!(commands.len() > 60, "{}", commands.len());
    for command in commands {
        // Square brackets and dots stand for what may follow.
        if command.contains(['[', '\u{2026}']) {
            continue;
        }
        let words = words(&command);
        let words: Vec<_> = words.iter().map(String::as_str).chain(["--help"]).collect();
        let output = pitboss(&words);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", complained(&output));
    }
}

#[test]
fn bad_arguments_get_one_sentence() {
    for arguments in [
        &["deal"][..],
        &["rules", "--jsn"],
        &["rules", "--js"],
        &["check"],
        &["serve", "--log", "xml"],
        &["serve", "--port", "many"],
        &["serve", "--config", "no-such.toml"],
        &["replay", "war-1.log"],
        &["--port", "1"],
    ] {
        let output = pitboss(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(printed(&output), "");
        let sentence = complained(&output);
        assert_eq!(sentence.lines().count(), 1, "{sentence}");
        assert!(sentence.starts_with("pitboss: "), "{sentence}");
    }
}
