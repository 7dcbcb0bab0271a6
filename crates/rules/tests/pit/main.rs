//! The pit: what a supervisor may order is done and nothing else, and hands come back from the
//! discard rack.

#[path = "../common/numbers.rs"]
mod numbers;
mod outcomes;
mod rack;
mod reconstruction;
mod sitting;

use std::fs;
use std::path::Path;

use rules::refusal::Source;
use rules::table::Kind;
use rules::wager::Game;

#[test]
fn the_page_for_supervisors_has_the_matrix() {
    let page = include_str!("../../../../docs/irregularities.md");
    for kind in Kind::ALL {
        let row = page.lines().find(|line| line.starts_with(&format!("| `{kind}` |")));
        let row = row.unwrap_or_else(|| panic!("{kind} has a row"));
        let cells: Vec<&str> =
            row.split('|').map(str::trim).skip(3).take(Game::ALL.len()).collect();
        let sources = Game::ALL.map(|game| kind.source(game).map_or("", Source::id));
        assert_eq!(cells, sources, "{kind}");
    }
}

/// The lines of all transcripts of a game, without comments.
fn transcripts(game: Game) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rounds").join(game.name());
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let text: String = files.map(|file| fs::read_to_string(file).unwrap()).collect();
    let said = text.lines().filter_map(|line| line.split('#').next());
    said.flat_map(|line| line.split(';')).map(|line| line.trim().to_owned()).collect()
}

/// Whether transcripts have something of the kind reported, and then decided otherwise than by
/// dismissing it.
fn is_decided(kind: Kind, lines: &[String]) -> bool {
    let reported = format!("report {kind}");
    let reports = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.strip_prefix(&reported).is_some_and(|rest| rest.starts_with(' ')));
    let expectations = ["tells ", "outcomes", "quiet", "awaits ", "rack "];
    reports.into_iter().any(|(at, _)| {
        let is_input = |line: &&String| !expectations.iter().any(|word| line.starts_with(word));
        let next = lines[at + 1..].iter().find(is_input);
        next.is_some_and(|line| line.starts_with("order ") && !line.starts_with("order dismiss"))
    })
}

#[test]
fn every_cell_of_the_matrix_has_a_transcript() {
    for game in Game::ALL {
        let lines = transcripts(game);
        for kind in Kind::ALL.into_iter().filter(|kind| kind.source(game).is_some()) {
            assert!(is_decided(kind, &lines), "{game} has no transcript of {kind}");
        }
    }
}
