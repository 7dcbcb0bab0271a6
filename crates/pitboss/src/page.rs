//! The balance of the books: every clause with its code and tests, as data.

use rules::clause::{self, Clause, Ruling};
use rules::terms::{self, Term};
use rules::wager::Game;
use serde::Serialize;

use crate::citations::{self, Used};
use crate::procedures;

/// What `pitboss rules` shows.
#[derive(Serialize)]
pub(crate) struct Page {
    pub(crate) clauses: Vec<ClauseRow>,
    pub(crate) terms: Vec<TermRow>,
    pub(crate) rulings: Vec<RulingRow>,
}

#[derive(Serialize)]
pub(crate) struct ClauseRow {
    pub(crate) id: &'static str,
    pub(crate) game: &'static str,
    pub(crate) title: &'static str,
    pub(crate) code: Vec<&'static str>,
    pub(crate) tests: Vec<&'static str>,
    pub(crate) excused: Option<&'static str>,
    pub(crate) owed: bool,
}

#[derive(Serialize)]
pub(crate) struct TermRow {
    pub(crate) game: &'static str,
    pub(crate) key: &'static str,
    pub(crate) values: &'static str,
    pub(crate) default: &'static str,
    pub(crate) source: &'static str,
    pub(crate) meaning: &'static str,
    pub(crate) scope: &'static str,
    /// Whether `play` has nothing that would obey it.
    #[serde(skip)]
    pub(crate) is_not_in_play: bool,
    /// Whether it is recorded and nothing more.
    #[serde(skip)]
    pub(crate) is_on_paper: bool,
}

#[derive(Serialize)]
pub(crate) struct RulingRow {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) decision: &'static str,
    pub(crate) code: Vec<&'static str>,
    pub(crate) tests: Vec<&'static str>,
}

impl Page {
    /// All five books.
    pub(crate) fn whole() -> Page {
        Page {
            clauses: clause::all().iter().map(ClauseRow::new).collect(),
            terms: terms::all().iter().map(TermRow::new).collect(),
            rulings: clause::rulings().iter().map(RulingRow::new).collect(),
        }
    }

    /// One book, with what holds in all of them.
    pub(crate) fn of(game: Game) -> Page {
        let mut page = Page::whole();
        page.clauses.retain(|clause| clause.game == game.name());
        page.terms.retain(|term| term.game == game.name() || term.game == EVERY_GAME);
        page.rulings.retain(|ruling| ruling.is_about(game));
        page
    }

    /// What has this id or key, in one book or in all; none where nothing has.
    pub(crate) fn about(name: &str, game: Option<Game>) -> Option<Page> {
        let mut page = game.map_or_else(Page::whole, Page::of);
        page.clauses.retain(|clause| clause.id.eq_ignore_ascii_case(name));
        page.terms.retain(|term| term.key.eq_ignore_ascii_case(name));
        page.rulings.retain(|ruling| ruling.id.eq_ignore_ascii_case(name));
        let Page { clauses, terms, rulings } = &page;
        let is_found = !clauses.is_empty() || !terms.is_empty() || !rulings.is_empty();
        is_found.then_some(page)
    }
}

/// How `terms.csv` calls the options that belong to all games.
const EVERY_GAME: &str = "all";

impl ClauseRow {
    fn new(clause: &'static Clause) -> ClauseRow {
        let code = citations::places(&clause.id, Used::Code);
        let tests = citations::places(&clause.id, Used::Test);
        let is_shown = !code.is_empty() && !tests.is_empty();
        ClauseRow {
            id: &clause.id,
            game: clause.game.name(),
            title: &clause.title,
            excused: clause.excused.as_deref(),
            owed: !is_shown && clause.excused.is_none(),
            code,
            tests,
        }
    }

    /// Whether it is carried out and shown.
    pub(crate) fn is_shown(&self) -> bool {
        !self.code.is_empty() && !self.tests.is_empty()
    }
}

impl TermRow {
    fn new(term: &'static Term) -> TermRow {
        TermRow {
            game: term.game.map_or(EVERY_GAME, Game::name),
            key: &term.key,
            values: &term.values,
            default: &term.default,
            source: &term.source,
            meaning: &term.meaning,
            scope: &term.scope,
            is_not_in_play: procedures::is_not_in_play(term),
            is_on_paper: procedures::is_on_paper(term),
        }
    }
}

impl RulingRow {
    fn new(ruling: &'static Ruling) -> RulingRow {
        RulingRow {
            id: &ruling.id,
            title: &ruling.title,
            decision: &ruling.decision,
            code: citations::places(&ruling.id, Used::Code),
            tests: citations::places(&ruling.id, Used::Test),
        }
    }

    fn is_about(&self, game: Game) -> bool {
        let prefix = self.id.split('-').next();
        prefix == Some(game.book().prefix) || prefix == Some("G")
    }
}
