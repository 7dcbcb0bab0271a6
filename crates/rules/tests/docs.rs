//! The rounds in the documents are played like any others.

use std::fs;
use std::path::Path;

use rules::table::{Kind, ShuffleStep};
use rules::transcript::{check, read};

#[test]
fn the_rounds_in_the_notation_page_pass() {
    pass("docs/notation.md", 4);
}

#[test]
fn the_round_in_the_readme_passes() {
    pass("README.md", 1);
}

#[test]
fn the_notation_page_names_everything_that_can_go_wrong() {
    let page = text("docs/notation.md");
    let named = |word: &str| page.contains(&format!("`{word}"));
    let kinds = Kind::ALL.map(Kind::name);
    let steps = ShuffleStep::ALL.map(ShuffleStep::name);
    for word in kinds.iter().chain(&steps) {
        assert!(named(word), "the page says nothing of {word}");
    }
}

/// Plays the rounds of a page that has at least so many.
fn pass(page: &str, least: usize) {
    let text = text(page);
    let blocks: Vec<_> = rounds(&text).collect();
    assert!(blocks.len() >= least, "{page} has its examples");
    for block in blocks {
        let rounds = read(block).unwrap_or_else(|errors| panic!("{errors:?} in\n{block}"));
        for round in rounds {
            let report = check(&round);
            assert!(report.passed(), "{:?} in\n{block}", report.findings);
        }
    }
}

fn text(page: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    fs::read_to_string(path).unwrap()
}

/// The blocks that are fenced as rounds.
fn rounds(text: &str) -> impl Iterator<Item = &str> {
    text.split("```round\n").skip(1).filter_map(|rest| rest.split("```").next())
}
