//! Finds where clauses are decided, mentioned and shown, and writes the list for `pitboss rules`.

mod scan;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use scan::{Kind, Occurrence, ids, scan};

/// Code that names ids without carrying them out.
const NOT_RULES: [&str; 2] = ["crates/rules/src/clause.rs", "crates/rules/src/notation/"];

/// Tests of words and lines, which name ids as examples.
const NOT_SHOWN: [&str; 3] = ["parts/books.rs", "parts/notation.rs", "parts/transcripts.rs"];

/// The constants that say what refusals rest on.
const REFUSAL_TABLES: [&str; 2] = ["REFUSALS", "IN_EVERY_GAME"];

fn main() {
    let crate_dir = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let root = Path::new(&crate_dir).ancestors().nth(2).expect("a crate lies two folders deep");
    let mut citations = Vec::new();
    for file in files_under(root, "crates/rules/src", "rs") {
        in_code(root, &file, &mut citations);
    }
    for file in files_under(root, "crates/pitboss/src/play", "rs") {
        let mut in_play = Vec::new();
        in_code(root, &file, &mut in_play);
        // A clause is carried out by the rules; a ruling also by whoever keeps the cards.
        citations.extend(in_play.into_iter().filter(|citation| is_a_ruling(&citation.id)));
    }
    for file in files_under(root, "crates/rules/tests", "rs") {
        in_tests(root, &file, &mut citations);
    }
    for file in files_under(root, "crates/rules/tests", "round") {
        in_rounds(root, &file, &mut citations);
    }
    for folder in ["crates/rules/src", "crates/rules/tests", "crates/pitboss/src/play"] {
        println!("cargo::rerun-if-changed={}", root.join(folder).display());
    }
    println!("cargo::rerun-if-changed=build");
    let out = std::env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("citations.rs"), as_rust(&citations))
        .expect("cargo's own folder can be written to");
}

/// An id, how it is used (a variant of `Usage`), and where.
struct Citation {
    id: String,
    used: &'static str,
    file: String,
    line: usize,
    item: String,
}

/// Every file below a folder whose name ends so, in order, with `/` in its path from the root.
fn files_under(root: &Path, folder: &str, ending: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(root.join(&folder)) else { continue };
        for entry in entries.flatten() {
            let path = folder.join(entry.file_name());
            if root.join(&path).is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == ending) {
                found.push(path.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

fn text_of(root: &Path, file: &str) -> String {
    fs::read(root.join(file)).map_or_else(|_| String::new(), |b| String::from_utf8_lossy(&b).into())
}

/// Ids in the rules themselves.
fn in_code(root: &Path, file: &str, citations: &mut Vec<Citation>) {
    let no_rules = NOT_RULES.iter().any(|path| file.starts_with(path))
        || file.ends_with("tests.rs")
        || file.ends_with("testing.rs");
    let refuses = file.ends_with("refusal.rs");
    for Occurrence { id, kind, line, item, in_test } in scan(&text_of(root, file)) {
        let used = match kind {
            _ if in_test || no_rules => "Mentions",
            _ if REFUSAL_TABLES.contains(&item.as_str()) => "Refuses",
            Kind::Prose => "Comments",
            Kind::Citation if refuses => "Refuses",
            Kind::Citation | Kind::Alias => "Decides",
        };
        citations.push(Citation { id, used, file: file.to_owned(), line, item });
    }
}

/// Ids in comments and strings: anywhere else they would not compile.
fn in_tests(root: &Path, file: &str, citations: &mut Vec<Citation>) {
    let used = if NOT_SHOWN.iter().any(|end| file.ends_with(end)) { "Mentions" } else { "Shows" };
    for Occurrence { id, line, item, .. } in scan(&text_of(root, file)) {
        citations.push(Citation { id, used, file: file.to_owned(), line, item });
    }
}

/// Ids that rounds say they are about; those elsewhere in a round are mentions.
fn in_rounds(root: &Path, file: &str, citations: &mut Vec<Citation>) {
    for (number, line) in (1..).zip(text_of(root, file).lines()) {
        let (words, comment) = line.split_once('#').unwrap_or((line, ""));
        let shows = words.split_whitespace().next() == Some("clause");
        for (text, used) in
            [(words, if shows { "Shows" } else { "Mentions" }), (comment, "Mentions")]
        {
            citations.extend(ids(text).into_iter().map(|id| Citation {
                id: id.to_owned(),
                used,
                file: file.to_owned(),
                line: number,
                item: String::new(),
            }));
        }
    }
}

fn is_a_ruling(id: &str) -> bool {
    id.starts_with("G-") || id.contains("-R")
}

fn as_rust(citations: &[Citation]) -> String {
    let mut text = String::from("&[\n");
    for Citation { id, used, file, line, item } in citations {
        writeln!(
            text,
            "    Citation {{ id: {id:?}, used: Usage::{used}, place: Place {{ file: {file:?}, \
             line: {line}, item: {item:?} }} }},"
        )
        .expect("a string takes everything");
    }
    text + "]\n"
}
