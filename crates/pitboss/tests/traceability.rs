//! The books balance: every clause is carried out and shown, or excused; none is owed.

use rules::clause;

struct Citation {
    id: &'static str,
    used: Used,
    place: &'static str,
}

#[derive(PartialEq, Eq)]
enum Used {
    Code,
    Test,
    Mention,
}

static CITATIONS: &[Citation] = include!(concat!(env!("OUT_DIR"), "/citations.rs"));

fn is_cited(id: &str, used: Used) -> bool {
    CITATIONS.iter().any(|citation| citation.id == id && citation.used == used)
}

#[test]
fn no_id_is_invented() {
    let exists = |id: &str| clause::find(id).is_some() || clause::find_ruling(id).is_some();
    let invented: Vec<_> = CITATIONS
        .iter()
        .filter(|citation| !exists(citation.id))
        .map(|citation| format!("{}: there is no {}", citation.place, citation.id))
        .collect();
    assert!(invented.is_empty(), "{}", invented.join("\n"));
    assert!(is_cited("G-04", Used::Mention), "mentions are looked at too");
}

#[test]
fn every_clause_is_carried_out_and_shown_or_excused() {
    let mut missing = Vec::new();
    assert_eq!(clause::all().len(), 461);
    for clause in clause::all() {
        if clause.excused.is_some() {
            continue;
        }
        if !is_cited(&clause.id, Used::Code) {
            missing.push(format!("{} is not carried out: {}", clause.id, clause.title));
        }
        if !is_cited(&clause.id, Used::Test) {
            missing.push(format!("{} is not shown by a test: {}", clause.id, clause.title));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// What a test shows needs no excuse.
#[test]
fn no_clause_is_both_excused_and_shown() {
    let excused = clause::all().iter().filter(|clause| clause.excused.is_some());
    let both: Vec<_> =
        excused.map(|clause| &*clause.id).filter(|id| is_cited(id, Used::Test)).collect();
    assert!(both.is_empty(), "excused, and cited by a test: {both:?}");
}

#[test]
fn every_excuse_gives_a_reason() {
    for clause in clause::all() {
        if let Some(reason) = &clause.excused {
            assert!(reason.split_whitespace().count() >= 4, "{}: '{reason}'", clause.id);
        }
    }
}
