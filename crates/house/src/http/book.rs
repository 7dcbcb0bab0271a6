//! What the rule book says, for whoever asks.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Json;
use rules::clause::{self, Clause, Ruling};
use rules::terms::{self, Term};
use rules::wager::Game;

use super::Sorry;
use crate::wire::ClauseView;

/// What a dealer points to, in our own words: a clause, a ruling, or a term of the house.
pub(super) async fn clause(Path(id): Path<String>) -> Result<Json<ClauseView>, Sorry> {
    let unknown = Sorry(StatusCode::NOT_FOUND, "there is no such clause, ruling or term");
    if let Some(Clause { game, title, .. }) = clause::find(&id) {
        let (game, title) = (Some(game.title()), title.clone());
        return Ok(Json(ClauseView { id, kind: "clause", game, title, words: None }));
    }
    if let Some(Ruling { title, decision, .. }) = clause::find_ruling(&id) {
        let (title, words) = (title.clone(), Some(decision.clone()));
        return Ok(Json(ClauseView { id, kind: "ruling", game: None, title, words }));
    }
    let terms: Vec<_> = terms::all().iter().filter(|term| term.key == id).collect();
    let title = match terms[..] {
        [] => return Err(unknown),
        [first, ref others @ ..] if others.iter().all(|term| term.meaning == first.meaning) => {
            first.meaning.clone()
        }
        _ => {
            let named = |term: &&Term| {
                format!("{}: {}", term.game.map_or("All games", Game::title), term.meaning)
            };
            terms.iter().map(named).collect::<Vec<_>>().join(" ")
        }
    };
    Ok(Json(ClauseView { id, kind: "term", game: None, title, words: None }))
}
