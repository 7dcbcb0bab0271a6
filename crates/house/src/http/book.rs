//! What the rule book says, for whoever asks.

use axum::http::StatusCode;
use axum::response::Json;
use rules::clause::{self, Clause, RulingEntry};
use rules::terms::{self, Term};
use rules::wager::Game;

use super::Sorry;
use super::refusal::Within;
use crate::wire::{BookView, ClauseOfBook, ClauseView, OptionView, RulingView};

/// What a dealer points to, in our own words: a clause, a ruling, or a term of the house.
pub(super) async fn clause(Within(id): Within<String>) -> Result<Json<ClauseView>, Sorry> {
    let unknown = Sorry(StatusCode::NOT_FOUND, "there is no such clause, ruling or term");
    if let Some(Clause { game, title, .. }) = clause::find(&id) {
        let (game, title) = (Some(game.title()), title.clone());
        return Ok(Json(ClauseView { id, kind: "clause", game, title, words: None }));
    }
    if let Some(RulingEntry { title, decision, .. }) = clause::find_ruling(&id) {
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

/// The book of a game in our own words: its clauses, the rulings beside them, and what it leaves to
/// the house.
pub(super) async fn rules(Within(name): Within<String>) -> Result<Json<BookView>, Sorry> {
    let unknown = Sorry(StatusCode::NOT_FOUND, "there is no such game");
    let game = Game::ALL.into_iter().find(|game| game.name() == name).ok_or(unknown)?;
    let clauses = clause::all().iter().filter(|clause| clause.game == game);
    let rulings = clause::rulings().iter().filter(|ruling| is_of(&ruling.id, game));
    let terms = terms::all().iter().filter(|term| term.game.is_none_or(|other| other == game));
    Ok(Json(BookView {
        game: game.name(),
        title: game.title(),
        clauses: clauses.map(of_book).collect(),
        rulings: rulings.map(ruling).collect(),
        options: terms.map(option).collect(),
    }))
}

/// Whether a ruling holds in a game: one of its own, or of all games.
fn is_of(ruling: &str, game: Game) -> bool {
    let book = |id: &str| id.split_once('-').map(|(book, _)| book.to_owned());
    let own = clause::all().iter().find(|clause| clause.game == game);
    let own = own.and_then(|clause| book(&clause.id));
    book(ruling).is_some_and(|book| book == "G" || own.is_some_and(|own| own == book))
}

fn of_book(Clause { id, kind, title, excused, .. }: &'static Clause) -> ClauseOfBook {
    ClauseOfBook { id, kind, title, excused: excused.as_deref() }
}

fn ruling(RulingEntry { id, title, decision }: &'static RulingEntry) -> RulingView {
    RulingView { id, title, decision }
}

fn option(term: &'static Term) -> OptionView {
    OptionView {
        key: &term.key,
        values: &term.values,
        default: &term.default,
        meaning: &term.meaning,
        sources: term.source.split_whitespace().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_book_has_its_own_clauses_and_rulings_and_those_of_all_games() {
        for game in Game::ALL {
            let Json(book) = rules(Within(game.name().to_owned())).await.ok().unwrap();
            let own = clause::all().iter().filter(|clause| clause.game == game).count();
            assert_eq!(book.clauses.len(), own, "{}", game.name());
            let prefix = book.clauses[0].id.split('-').next().unwrap();
            assert!(
                book.rulings.iter().all(|ruling| {
                    ["G", prefix].contains(&ruling.id.split('-').next().unwrap())
                })
            );
            assert!(book.rulings.iter().any(|ruling| ruling.id.starts_with(prefix)));
            assert!(book.rulings.iter().any(|ruling| ruling.id == "G-06"));
            let main = book.options.iter().find(|option| option.key == "main_min").unwrap();
            assert_eq!((main.default, &main.sources[..]), ("5", &["G-07"][..]));
        }
        assert!(rules(Within("baccarat".to_owned())).await.is_err());
    }
}
