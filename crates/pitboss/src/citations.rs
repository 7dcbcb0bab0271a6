//! Where clauses are carried out in code and shown by tests, as found when the program was built.

/// One place that names a clause or ruling.
pub(crate) struct Citation {
    /// The id.
    pub(crate) id: &'static str,
    /// What the place does with it.
    pub(crate) used: Used,
    /// The place, as `path:line` from the root of the project.
    pub(crate) place: &'static str,
}

/// What a place does with a clause.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Used {
    /// Carries it out.
    Code,
    /// Shows it.
    Test,
    /// Only names it.
    Mention,
}

/// Every citation, in the order of files and lines.
pub(crate) static ALL: &[Citation] = include!(concat!(env!("OUT_DIR"), "/citations.rs"));

/// The places that use an id so.
pub(crate) fn places(id: &str, used: Used) -> Vec<&'static str> {
    let cited = ALL.iter().filter(|citation| citation.used == used && citation.id == id);
    cited.map(|citation| citation.place).collect()
}
