//! The rounds of `tests/rounds`, game by game, played against the rules.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use rules::transcript::{check, read};
use rules::wager::Game;

#[test]
fn the_rounds_of_every_game_pass() {
    thread::scope(|scope| {
        for game in Game::ALL {
            scope.spawn(move || play(game));
        }
    });
}

#[test]
fn every_folder_is_a_game_and_has_rounds() {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut found: Vec<_> = entries.map(|name| name.into_string().unwrap()).collect();
    let mut expected: Vec<_> = Game::ALL.map(Game::name).into();
    found.sort();
    expected.sort_unstable();
    assert_eq!(found, expected);
    for game in Game::ALL {
        let files = files_of(game);
        assert!(!files.is_empty(), "{game} has files");
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            assert!(read(&text).is_ok_and(|rounds| !rounds.is_empty()), "{}", short(&file));
        }
    }
}

/// Plays every round of a game's folder, and names each line that is not as it says.
fn play(game: Game) {
    let mut failures = Vec::new();
    for file in files_of(game) {
        let text = fs::read_to_string(&file).unwrap();
        let mut fail = |line, what| failures.push(format!("{}:{line}: {what}", short(&file)));
        match read(&text) {
            Err(errors) => {
                errors.iter().for_each(|error| fail(error.line, error.reason.to_string()))
            }
            Ok(rounds) => {
                let reports = rounds.iter().map(check);
                let findings = reports.flat_map(|report| report.findings);
                findings.for_each(|finding| fail(finding.line, finding.to_string()));
            }
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rounds")
}

/// The files of a game in the order of its rule book.
fn files_of(game: Game) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder().join(game.name())).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "round"));
    files.sort();
    files
}

/// A file as seen from the folder of the rounds.
fn short(file: &Path) -> String {
    file.strip_prefix(folder()).unwrap_or(file).display().to_string()
}
