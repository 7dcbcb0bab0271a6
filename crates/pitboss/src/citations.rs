//! Where clauses are decided in code and shown by tests, as found when the program was built.

use std::fmt;

use serde::Serialize;

/// One place that names a clause or ruling.
pub(crate) struct Citation {
    pub(crate) id: &'static str,
    /// What the place does with it.
    pub(crate) used: Usage,
    pub(crate) place: Place,
}

/// What a place does with a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Usage {
    /// Decides it: an item with its id as a documentation alias, or the id as data.
    Decides,
    /// Lists it as what a refusal rests on.
    Refuses,
    /// Names it in a comment.
    Comments,
    /// Shows it, in a test or a transcript.
    Shows,
    /// Names it elsewhere, as unit tests do.
    Mentions,
}

/// A line of the project, and the item that it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Place {
    /// The file, from the root of the project.
    pub(crate) file: &'static str,
    pub(crate) line: usize,
    /// Such as `Table::cut`; empty outside of all items.
    pub(crate) item: &'static str,
}

/// `FILE:LINE`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Every citation, in the order of files and lines.
pub(crate) static ALL: &[Citation] = include!(concat!(env!("OUT_DIR"), "/citations.rs"));

/// The places that use an id so, each once.
pub(crate) fn places(id: &str, used: Usage) -> Vec<Place> {
    let cited = ALL.iter().filter(|citation| citation.used == used && citation.id == id);
    let mut places: Vec<Place> = cited.map(|citation| citation.place).collect();
    places.dedup();
    places
}
