//! Who may know whom: a crate exists where a dependency must be impossible.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const CRATES: [&str; 7] = ["rules", "odds", "audit", "wire", "house", "gpu", "pitboss"];

/// The crates of this workspace that one names in its manifest.
fn named_by(name: &str) -> Vec<&'static str> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let manifest = fs::read_to_string(root.join("crates").join(name).join("Cargo.toml")).unwrap();
    let keys: Vec<_> = manifest
        .lines()
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .map(str::to_owned)
        .collect();
    let is_named = |other: &&str| *other != name && keys.iter().any(|key| key == other);
    CRATES.into_iter().filter(is_named).collect()
}

/// All that a crate reaches, tests included.
fn reached_from(name: &str) -> BTreeSet<&'static str> {
    let mut reached = BTreeSet::new();
    let mut open = named_by(name);
    while let Some(next) = open.pop() {
        if reached.insert(next) {
            open.extend(named_by(next));
        }
    }
    reached
}

/// What deals cards cannot know what is good for whom.
#[test]
fn the_house_cannot_reach_the_odds() {
    assert!(!reached_from("house").contains("odds"));
    assert!(reached_from("house").contains("rules"));
}

/// A client in another language needs none of ours.
#[test]
fn the_protocol_knows_nobody() {
    assert_eq!(reached_from("wire"), BTreeSet::new());
}

#[test]
fn the_rules_know_nobody_and_the_odds_know_the_rules_alone() {
    assert_eq!(reached_from("rules"), BTreeSet::new());
    assert_eq!(reached_from("odds"), BTreeSet::from(["rules"]));
    let all = BTreeSet::from(["audit", "gpu", "house", "odds", "rules", "wire"]);
    assert_eq!(reached_from("pitboss"), all);
}

/// A kernel knows no rule, and what launches it may only compare it with rounds.
#[test]
fn only_the_program_knows_the_gpu() {
    for name in ["rules", "odds", "audit", "wire", "house"] {
        assert!(!reached_from(name).contains("gpu"), "{name}");
    }
    assert_eq!(reached_from("gpu"), BTreeSet::from(["odds", "rules"]));
}
