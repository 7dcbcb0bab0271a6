//! How the program and its documents put things, and who may use whom in it.

use std::fs;
use std::path::{Path, PathBuf};

use rules::wager::Game;

#[test]
fn odds_are_stated_with_to() {
    // DDS-10-a, G-23: "3 to 2", never with "for".
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let mut texts = vec![root.join("README.md")];
    for (folder, ending) in [("crates", "rs"), ("docs", "md"), ("rulebook", "csv")] {
        files_under(&root.join(folder), ending, &mut texts);
    }
    assert!(texts.len() > 20, "the texts are found: {texts:?}");
    let mut wrong = Vec::new();
    for path in texts {
        let text = fs::read_to_string(&path).unwrap_or_default();
        for (number, line) in (1..).zip(text.lines()) {
            if states_odds_with_for(line) {
                wrong.push(format!("{}:{number}: {line}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn text_is_read_in_layers() {
    // Words know no table, and a table knows no transcript of itself.
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (layer, above) in [("notation", "table"), ("table", "transcript"), ("games", "table")] {
        let mut files = Vec::new();
        files_under(&src.join(layer), "rs", &mut files);
        assert!(!files.is_empty(), "{layer}");
        for path in files {
            let text = fs::read_to_string(&path).unwrap();
            let uses = |line: &str| line.trim_start().starts_with(&format!("use crate::{above}"));
            assert!(!text.lines().any(uses), "{} uses {above}", path.display());
        }
    }
}

#[test]
fn only_the_games_know_which_game_it_is() {
    // Common code asks the book or the round; unit tests may name a game.
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    files_under(&src, "rs", &mut files);
    files.retain(|path| !path.starts_with(src.join("games")) && !path.ends_with("tests.rs"));
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for game in Game::ALL.map(|game| format!("{game:?}")) {
            let names = |line: &&str| line.contains(&game) && !line.trim_start().starts_with("//");
            assert_eq!(code.lines().find(names), None, "{}", path.display());
        }
    }
}

#[test]
fn the_wrong_way_to_state_odds_is_recognized() {
    let wrong = ["3", "for", "2"].join(" ");
    assert!(states_odds_with_for(&format!("pays {wrong}.")));
    for right in ["pays 3 to 2", "room for 2", "3 for each", "for 1 to 7 seats"] {
        assert!(!states_odds_with_for(right), "{right}");
    }
}

fn states_odds_with_for(line: &str) -> bool {
    let words: Vec<_> = line.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    words.windows(3).any(|w| is_number(w[0]) && w[1].eq_ignore_ascii_case("for") && is_number(w[2]))
}

fn files_under(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            files_under(&path, ending, found);
        } else if path.extension().is_some_and(|e| e == ending) {
            found.push(path);
        }
    }
}
