//! The balance of the books: every clause with its code and tests, as data.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rules::book::Citation;
use rules::clause::{self, Clause, RulingEntry};
use rules::terms::{self, Term};
use rules::wager::Game;
use serde::Serialize;

use crate::citations::{self, Place, Usage};
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
    #[serde(flatten)]
    pub(crate) places: Places,
    pub(crate) excused: Option<&'static str>,
    pub(crate) owed: bool,
    pub(crate) section: &'static str,
    #[serde(flatten)]
    pub(crate) traces: Traces,
}

/// Every place that carries out or shows a clause or ruling, as `FILE:LINE`.
#[derive(Serialize)]
pub(crate) struct Places {
    pub(crate) code: Vec<String>,
    pub(crate) tests: Vec<String>,
}

/// What the code does with a clause or ruling.
#[derive(Serialize)]
pub(crate) struct Traces {
    pub(crate) decided_in: Vec<Place>,
    pub(crate) mentioned_in: Vec<Place>,
    pub(crate) refused_with: Vec<RefusedWith>,
    pub(crate) shown_by: Vec<Place>,
}

/// A refusal that rests on a clause or ruling.
#[derive(Serialize)]
pub(crate) struct RefusedWith {
    pub(crate) code: &'static str,
    /// Whether that is its deciding source, in some game, or one to see also.
    pub(crate) decides: bool,
}

/// What the refusals of all games rest on.
static REFUSALS: LazyLock<Vec<Citation>> =
    LazyLock::new(|| Game::ALL.into_iter().flat_map(|game| game.book().citations()).collect());

impl Traces {
    fn of(id: &str) -> Traces {
        let mut codes = BTreeMap::new();
        for citation in REFUSALS.iter() {
            if citation.names(id) {
                *codes.entry(citation.code).or_default() |= citation.source().id() == id;
            }
        }
        let refused_with = codes.into_iter().map(|(code, decides)| RefusedWith { code, decides });
        Traces {
            decided_in: citations::places(id, Usage::Decides),
            mentioned_in: citations::places(id, Usage::Comments),
            refused_with: refused_with.collect(),
            shown_by: citations::places(id, Usage::Shows),
        }
    }

    /// The places, those that decide first.
    fn places(&self, id: &str) -> Places {
        let refused = citations::places(id, Usage::Refuses);
        let code = [&self.decided_in, &refused, &self.mentioned_in];
        Places {
            code: code.into_iter().flatten().map(ToString::to_string).collect(),
            tests: self.shown_by.iter().map(ToString::to_string).collect(),
        }
    }
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
    #[serde(flatten)]
    pub(crate) places: Places,
    #[serde(flatten)]
    pub(crate) traces: Traces,
}

impl Page {
    /// All books.
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
        let traces = Traces::of(&clause.id);
        let places = traces.places(&clause.id);
        let is_shown = !places.code.is_empty() && !places.tests.is_empty();
        ClauseRow {
            id: &clause.id,
            game: clause.game.name(),
            title: &clause.title,
            places,
            section: clause.section(),
            excused: clause.excused.as_deref(),
            owed: !is_shown && clause.excused.is_none(),
            traces,
        }
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
    fn new(ruling: &'static RulingEntry) -> RulingRow {
        let traces = Traces::of(&ruling.id);
        RulingRow {
            id: &ruling.id,
            title: &ruling.title,
            decision: &ruling.decision,
            places: traces.places(&ruling.id),
            traces,
        }
    }

    fn is_about(&self, game: Game) -> bool {
        let prefix = self.id.split('-').next();
        prefix == Some(game.book().prefix) || prefix == Some("G")
    }
}
