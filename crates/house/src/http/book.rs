//! What the rule book says, for whoever asks.

use axum::response::Json;
use rules::clause::{self, Clause, RulingEntry};
use rules::terms::{self, Term};
use rules::wager::Game;

use wire::{BookView, ClauseOfBook, ClauseView, OptionView, RulingView};

use super::answers::Missing;
use super::error::HttpError;
use super::extract::Within;

/// A clause, a ruling or a term of the house, in our own words.
#[utoipa::path(
    get, path = "/api/clause/{id}", tag = "anyone",
    params(("id" = String, Path, description = "Which one.")),
    responses((status = 200, body = ClauseView, description = "What it says."), Missing)
)]
pub(super) async fn clause(Within(id): Within<String>) -> Result<Json<ClauseView>, HttpError> {
    let unknown = || {
        let sentence = "There is no such clause, ruling or term.";
        HttpError::missing("no-such-clause", sentence)
    };
    if let Some(Clause { game, title, .. }) = clause::find(&id) {
        let (game, title) = (Some(game.title().into()), title.clone());
        return Ok(Json(ClauseView { id, kind: "clause".into(), game, title, words: None }));
    }
    if let Some(RulingEntry { title, decision, .. }) = clause::find_ruling(&id) {
        let (title, words) = (title.clone(), Some(decision.clone()));
        return Ok(Json(ClauseView { id, kind: "ruling".into(), game: None, title, words }));
    }
    let terms: Vec<_> = terms::all().iter().filter(|term| term.key == id).collect();
    let title = match terms[..] {
        [] => return Err(unknown()),
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
    Ok(Json(ClauseView { id, kind: "term".into(), game: None, title, words: None }))
}

/// The book of a game in our own words.
///
/// Its clauses, the rulings beside them, and what it leaves to the house.
#[utoipa::path(
    get, path = "/api/rules/{game}", tag = "anyone",
    params(("game" = String, Path, description = "Which game.")),
    responses((status = 200, body = BookView, description = "The book."), Missing)
)]
pub(super) async fn rules(Within(name): Within<String>) -> Result<Json<BookView>, HttpError> {
    let unknown = || HttpError::missing("no-such-game", "There is no such game.");
    let game = Game::ALL.into_iter().find(|game| game.name() == name).ok_or_else(unknown)?;
    let clauses = clause::all().iter().filter(|clause| clause.game == game);
    let rulings = clause::rulings().iter().filter(|ruling| is_of(&ruling.id, game));
    let terms = terms::all().iter().filter(|term| term.game.is_none_or(|other| other == game));
    Ok(Json(BookView {
        game: game.name().into(),
        title: game.title().into(),
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
    ClauseOfBook {
        id: id.as_str().into(),
        kind: kind.as_str().into(),
        title: title.as_str().into(),
        excused: excused.as_deref().map(Into::into),
    }
}

fn ruling(RulingEntry { id, title, decision }: &'static RulingEntry) -> RulingView {
    RulingView {
        id: id.as_str().into(),
        title: title.as_str().into(),
        decision: decision.as_str().into(),
    }
}

/// Whether an option is the house's alone: the progressive belongs to all of its tables.
pub(super) fn is_of_house_alone(key: &str) -> bool {
    key.starts_with("progressive_")
}

fn option(term: &'static Term) -> OptionView {
    let (mut words, mut least, mut most) = (Vec::new(), None, None);
    for value in term.values.split('|') {
        match (value.strip_prefix(">="), value.split_once("..")) {
            (Some(from), _) => least = Some(from.into()),
            (None, Some((from, to))) => (least, most) = (Some(from.into()), Some(to.into())),
            (None, None) => words.push(value.into()),
        }
    }
    OptionView {
        key: term.key.as_str().into(),
        kind: term.kind.as_str().into(),
        scope: term.scope.as_str().into(),
        values: term.values.as_str().into(),
        words,
        least,
        most,
        private: !is_of_house_alone(&term.key),
        default: term.default.as_str().into(),
        meaning: term.meaning.as_str().into(),
        sources: term.source.split_whitespace().map(Into::into).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_reads_what_may_be_chosen() {
        let of = |game: Game, key: &str| {
            let mut terms = terms::all().iter();
            let is_it = |term: &&Term| term.game.is_none_or(|of| of == game) && term.key == key;
            option(terms.find(is_it).unwrap())
        };
        let decks = of(Game::CasinoWar, "decks");
        assert_eq!(
            (decks.words, decks.least, decks.most),
            (vec!["6".into(), "7".into(), "8".into()], None, None)
        );
        let seats = of(Game::CasinoWar, "seats");
        assert_eq!(
            (seats.words.len(), seats.least, seats.most),
            (0, Some("1".into()), Some("7".into()))
        );
        let limit = of(Game::DoubleDownStud, "payout_limit");
        assert_eq!(
            (limit.words, limit.least, limit.most),
            (vec!["none".into()], Some("100000".into()), None)
        );
        assert!(seats.private && !of(Game::CasinoWar, "progressive_seed").private);
        for term in terms::all() {
            let read = option(term);
            assert!(read.least.is_some() || read.words.contains(&read.default), "{}", term.key);
        }
    }

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
            assert_eq!((&*main.default, &*main.sources[0]), ("5", "G-07"));
        }
        assert!(rules(Within("baccarat".to_owned())).await.is_err());
    }
}
