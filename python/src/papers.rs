//! Transcripts, logs and the index of the rule books.

use audit::chain::Head;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rules::clause;
use rules::terms;
use rules::transcript;
use serde_json::{Value, json};

use crate::input;
use crate::refused::wrong;

/// A round that was checked: its first line, whether it could be read, and what differs.
type CheckedRound = (usize, bool, Vec<(usize, String)>);

/// Plays every round of a text. What differs is told as lines with sentences.
#[pyfunction]
pub(crate) fn check(py: Python<'_>, text: &str) -> Vec<CheckedRound> {
    py.detach(|| {
        let rounds = transcript::read_each(text).into_iter().map(|round| match round {
            Ok(round) => {
                let report = transcript::check(&round);
                let findings = report.findings.iter().map(|found| (found.line, found.to_string()));
                (round.first_line().unwrap_or(1), !report.is_malformed(), findings.collect())
            }
            Err(errors) => {
                let first = errors.first().map_or(1, |error| error.line);
                let errors = errors.iter().map(|error| (error.line, error.reason.to_string()));
                (first, false, errors.collect())
            }
        });
        rounds.collect()
    })
}

/// Verifies the log of a table; `heads` are those that somebody kept, as `SEQ:HASH`.
#[pyfunction]
#[pyo3(signature = (text, heads=None))]
pub(crate) fn verify<'py>(
    py: Python<'py>,
    text: &str,
    heads: Option<Vec<String>>,
) -> PyResult<Bound<'py, PyDict>> {
    let expected = "expected a head as SEQ:HASH, a number and 64 hexadecimal digits";
    let heads: Result<Vec<Head>, _> =
        heads.unwrap_or_default().iter().map(|word| word.parse()).collect();
    let heads = heads.map_err(|_| wrong(expected))?;
    let verdict = py.detach(|| audit::verify(text.as_bytes(), &heads)).map_err(wrong)?;
    let findings: Vec<_> =
        verdict.findings.iter().map(|found| (found.seq, found.to_string())).collect();
    let told = PyDict::new(py);
    told.set_item("table", &verdict.table)?;
    told.set_item("entries", verdict.entries)?;
    told.set_item("head", verdict.head.map(|head| head.to_string()))?;
    told.set_item("is_clean", verdict.is_clean())?;
    told.set_item("findings", findings)?;
    told.set_item("text", verdict.to_string())?;
    Ok(told)
}

/// Clauses, terms and rulings as JSON: of one game, or of all.
#[pyfunction]
#[pyo3(signature = (game=None))]
pub(crate) fn rules_json(game: Option<&str>) -> PyResult<String> {
    let game = game.map(input::game).transpose()?;
    let of_game = |other| game.is_none_or(|game| game == other);
    let clauses = clause::all().iter().filter(|clause| of_game(clause.game)).map(|clause| {
        json!({
            "id": clause.id,
            "game": clause.game.name(),
            "section": clause.section(),
            "kind": clause.kind,
            "title": clause.title,
            "excused": clause.excused,
        })
    });
    let terms = terms::all().iter().filter(|term| term.game.is_none_or(of_game)).map(|term| {
        json!({
            "game": term.game.map(|game| game.name()),
            "key": term.key,
            "kind": term.kind,
            "values": term.values,
            "default": term.default,
            "scope": term.scope,
            "source": term.source,
            "meaning": term.meaning,
        })
    });
    let rulings = clause::rulings().iter().map(
        |ruling| json!({ "id": ruling.id, "title": ruling.title, "decision": ruling.decision }),
    );
    let all = json!({
        "clauses": clauses.collect::<Vec<Value>>(),
        "terms": terms.collect::<Vec<Value>>(),
        "rulings": rulings.collect::<Vec<Value>>(),
    });
    Ok(all.to_string())
}
