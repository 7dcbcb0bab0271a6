//! Refusals as Python exceptions.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rules::refusal::{Refusal, Source};
use rules::table::TableRefusal;
use rules::terms::TermRefusal;
use rules::wager::Game;

create_exception!(
    pitboss,
    Refused,
    PyValueError,
    "What the rules do not allow: `sentence`, `clause` (or a ruling or house option) and `code`."
);

/// A refusal with all that it says of itself.
fn refused(text: String, sentence: String, clause: Option<String>, code: &str) -> PyErr {
    Python::attach(|py| {
        let error = PyErr::new::<Refused, _>(text);
        let value = error.value(py);
        let told = value
            .setattr("sentence", sentence)
            .and_then(|()| value.setattr("clause", clause))
            .and_then(|()| value.setattr("code", code));
        told.map_or_else(|failure| failure, |()| error)
    })
}

/// A refusal of a round.
pub(crate) fn by_round(refusal: Refusal, game: Game) -> PyErr {
    let clause = clause(refusal.source(game));
    refused(refusal.in_words(game), refusal.to_string(), clause, refusal.code())
}

/// A refusal of a table.
pub(crate) fn by_table(refusal: TableRefusal, game: Game) -> PyErr {
    let clause = clause(refusal.source(game));
    refused(refusal.in_words(game), refusal.to_string(), clause, refusal.code())
}

fn clause(source: Source) -> Option<String> {
    Some(source.id().to_owned())
}

/// A refusal of terms.
pub(crate) fn by_terms(refusal: &TermRefusal) -> PyErr {
    let text = refusal.to_string();
    let (source, code) = match refusal {
        TermRefusal::Unknown { .. } => (None, "unknown-term"),
        TermRefusal::Unreadable { source, .. } => (Some(source), "unreadable-term"),
        TermRefusal::Forbidden { source, .. } => (Some(source), "forbidden-term"),
    };
    let sentence = match source {
        Some(source) => text.strip_suffix(&format!(" ({source})")).unwrap_or(&text).to_owned(),
        None => text.clone(),
    };
    let first = source.and_then(|source| source.split(' ').next()).map(str::to_owned);
    refused(text, sentence, first, code)
}

/// Something that cannot be read or is out of range, in a sentence.
pub(crate) fn wrong(why: impl ToString) -> PyErr {
    PyValueError::new_err(why.to_string())
}
