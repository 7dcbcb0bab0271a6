//! The books balance: every clause is carried out and shown, or excused; none is owed.

use rules::clause;

#[path = "../src/citations.rs"]
#[allow(dead_code)]
mod citations;
#[path = "../build/scan.rs"]
mod scan;

use citations::{ALL, Usage, places};
use scan::{Kind, Occurrence};

fn is_cited(id: &str, used: Usage) -> bool {
    !places(id, used).is_empty()
}

#[test]
fn no_id_is_invented() {
    let exists = |id: &str| clause::find(id).is_some() || clause::find_ruling(id).is_some();
    let invented: Vec<_> = ALL
        .iter()
        .filter(|citation| !exists(citation.id))
        .map(|citation| format!("{}: there is no {}", citation.place, citation.id))
        .collect();
    assert!(invented.is_empty(), "{}", invented.join("\n"));
    assert!(is_cited("G-04", Usage::Mentions), "mentions are looked at too");
}

#[test]
fn every_clause_is_carried_out_and_shown_or_excused() {
    let mut missing = Vec::new();
    assert_eq!(clause::all().len(), 461);
    for clause in clause::all() {
        if clause.excused.is_some() {
            continue;
        }
        let in_code = [Usage::Decides, Usage::Refuses, Usage::Comments];
        if !in_code.iter().any(|used| is_cited(&clause.id, *used)) {
            missing.push(format!("{} is not carried out: {}", clause.id, clause.title));
        }
        if !is_cited(&clause.id, Usage::Shows) {
            missing.push(format!("{} is not shown by a test: {}", clause.id, clause.title));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn every_clause_leads_to_the_code_that_decides_it() {
    let carried_out = clause::all().iter().filter(|clause| clause.excused.is_none());
    let without: Vec<_> = carried_out
        .map(|clause| clause.id.as_str())
        .filter(|id| !is_cited(id, Usage::Decides))
        .collect();
    assert!(without.is_empty(), "mark the code that decides {}", without.join(" "));
}

/// What a test shows needs no excuse.
#[test]
fn no_clause_is_both_excused_and_shown() {
    let excused = clause::all().iter().filter(|clause| clause.excused.is_some());
    let both: Vec<_> =
        excused.map(|clause| &*clause.id).filter(|id| is_cited(id, Usage::Shows)).collect();
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

/// Ids with how they stand, their line and their item.
fn scanned(text: &str) -> Vec<(String, Kind, usize, String)> {
    let found = scan::scan(text).into_iter();
    found.map(|Occurrence { id, kind, line, item, .. }| (id, kind, line, item)).collect()
}

#[test]
fn an_alias_and_documentation_belong_to_the_item_below_them() {
    let text = r#"
/// Half goes back (CW-8-c).
#[doc(alias = "CW-8-c-1")]
#[must_use]
pub const fn half(amount: u8) -> u8 {
    amount / 2 // CW-R06
}

/// A war (CW-8-f).
impl<const N: usize> Round for War<N>
where
    Self: Sized,
{
    #[doc(alias("CW-8-c", "CW-8-d"))]
    #[inline]
    fn act(&mut self, tie: fn(u8) -> bool) -> [u8; 2] {
        let words = vec!["x"; 3];
        if tie('"' as u8) { return [b'{', 1]; }
        settle("CW-8-a-1")
    }

    const ODDS: (u8, &str) = { (1, "CW-9-a") };
}

enum Call {
    #[doc(alias = "CW-1-war")]
    War { amount: u8 },
}
"#;
    let expected = [
        ("CW-8-c", Kind::Prose, 2, "half"),
        ("CW-8-c-1", Kind::Alias, 5, "half"),
        ("CW-R06", Kind::Prose, 6, "half"),
        ("CW-8-f", Kind::Prose, 9, "War"),
        ("CW-8-c", Kind::Alias, 16, "War::act"),
        ("CW-8-d", Kind::Alias, 16, "War::act"),
        ("CW-8-a-1", Kind::Citation, 19, "War::act"),
        ("CW-9-a", Kind::Citation, 22, "War::ODDS"),
        ("CW-1-war", Kind::Alias, 27, "Call::War"),
    ];
    let expected =
        expected.map(|(id, kind, line, item)| (id.to_owned(), kind, line, item.to_owned()));
    assert_eq!(scanned(text), expected);
}

#[test]
fn a_string_of_ids_is_a_citation_and_a_sentence_is_not() {
    let text = "
mod book {
    const REFUSALS: Refusals = &[
        (\"not-tied\", \"CW-8-c\", \"CW-1-war G-07\"),
    ];
    /* FBB-8-a
       FBB-8-b */
    static NOTE: &str = \"Pay the tie first (CW-8-e)\";
    fn raw<'a>(text: &'a str) -> &'a str { r#\"DDB-P12\"# }
}
";
    let expected = [
        ("CW-8-c", Kind::Citation, 4, "REFUSALS"),
        ("CW-1-war", Kind::Citation, 4, "REFUSALS"),
        ("G-07", Kind::Citation, 4, "REFUSALS"),
        ("FBB-8-a", Kind::Prose, 6, ""),
        ("FBB-8-b", Kind::Prose, 7, ""),
        ("CW-8-e", Kind::Prose, 8, "NOTE"),
        ("DDB-P12", Kind::Citation, 9, "raw"),
    ];
    let expected =
        expected.map(|(id, kind, line, item)| (id.to_owned(), kind, line, item.to_owned()));
    assert_eq!(scanned(text), expected);
}

#[test]
fn what_is_compiled_for_tests_alone_decides_nothing() {
    let text = "
#[cfg(test)]
use super::Table;

fn real() { cite(\"CW-8-c\") }

#[cfg(test)]
mod tests {
    fn check() { cite(\"CW-8-d\") }
}

fn after() { cite(\"CW-8-e\") }
";
    let in_test: Vec<_> =
        scan::scan(text).into_iter().map(|found| (found.id, found.in_test)).collect();
    let expected = [("CW-8-c", false), ("CW-8-d", true), ("CW-8-e", false)];
    assert_eq!(in_test, expected.map(|(id, in_test)| (id.to_owned(), in_test)));
}

/// Every line that is listed has the id, or is the line of the item that has it as an alias.
#[test]
fn places_are_what_they_are_said_to_be() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");
    for citation in ALL.iter().filter(|citation| citation.used == Usage::Decides) {
        let text = std::fs::read_to_string(format!("{root}{}", citation.place.file)).unwrap();
        let line = text.lines().nth(citation.place.line - 1).unwrap();
        let name = citation.place.item.rsplit("::").next().unwrap();
        let is_there = line.contains(citation.id) || (!name.is_empty() && line.contains(name));
        assert!(is_there, "{} {}: {line}", citation.place, citation.id);
    }
}
