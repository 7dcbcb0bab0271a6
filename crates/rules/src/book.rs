//! The rule book of each game as data: what it is called, its clauses, its cards and circles, and
//! what each refusal rests on. It is stated beside the round of its game; common code asks it.

use crate::card::{Card, Rank};
use crate::refusal::{Refusal, Source};
use crate::round::Call;
use crate::wager::Circle;

/// Everything that one rule book says, except how a round is played.
#[derive(Debug)]
pub struct RuleBook {
    /// The name in the notation and on the command line.
    pub name: &'static str,
    /// The name on the sign above the table.
    pub title: &'static str,
    /// What the ids of its clauses and rulings begin with.
    pub prefix: &'static str,
    /// Its clauses as a table: id, kind, title, why excused.
    pub(crate) clauses: &'static str,
    /// What its shoe is made of.
    pub cards: Cards,
    /// The circles of its layout, each with what is printed there.
    pub circles: &'static [(Circle, &'static str)],
    /// Whether it forbids side wagers, rather than not knowing them.
    pub forbids_side_wagers: bool,
    /// The calls that people expect at its table, whether open now or not.
    pub calls: &'static [Call],
    /// Code, deciding source and see also of each refusal.
    pub(crate) refusals: Refusals,
    /// The codes of refusals that never happen in this game.
    pub(crate) never_refused: &'static [&'static str],
}

/// Code, deciding source and see also of refusals; several ids stand side by side.
pub(crate) type Refusals = &'static [(&'static str, &'static str, &'static str)];

/// What a shoe is made of.
#[derive(Clone, Copy, Debug)]
pub struct Cards {
    /// The clause that says so.
    pub clause: &'static str,
    /// How many decks, where the house has no choice of `decks`.
    pub decks: Option<u8>,
    /// A rank that every deck lacks.
    pub without: Option<Rank>,
}

impl Cards {
    /// Whether a deck holds this card.
    #[inline]
    pub const fn holds(&self, card: Card) -> bool {
        match self.without {
            Some(rank) => !card.is(rank),
            None => true,
        }
    }
}

impl RuleBook {
    /// The same book, if it says of every code either what it rests on or that it never happens.
    pub(crate) const fn checked(self) -> RuleBook {
        let known = Refusal::CODES.len();
        assert!(self.refusals.len() + self.never_refused.len() == known, "every code once");
        let mut code = 0;
        while code < known {
            let (mut found, mut i) = (0, 0);
            while i < self.refusals.len() {
                found += same(self.refusals[i].0, Refusal::CODES[code]) as usize;
                i += 1;
            }
            i = 0;
            while i < self.never_refused.len() {
                found += same(self.never_refused[i], Refusal::CODES[code]) as usize;
                i += 1;
            }
            assert!(found == 1, "every code once");
            code += 1;
        }
        self
    }

    /// What each refusal of this game rests on.
    pub fn citations(&self) -> impl Iterator<Item = Citation> {
        let citation = |&(code, source, see_also)| Citation { code, source, see_also };
        self.refusals.iter().map(citation)
    }

    /// What the refusal of a code rests on.
    pub fn citation(&self, code: &str) -> Citation {
        let found = self.citations().find(|citation| citation.code == code);
        debug_assert!(found.is_some(), "{code} never happens in {}", self.name);
        // What no book covers is for the record to settle.
        found.unwrap_or(Citation { code: "", source: "G-28", see_also: "" })
    }
}

/// Whether two strings are equal, asked while compiling.
const fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut i = 0;
    while i < one.len() && i < other.len() && one[i] == other[i] {
        i += 1;
    }
    i == one.len() && i == other.len()
}

/// What a refusal rests on in one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The code of the refusal.
    pub code: &'static str,
    source: &'static str,
    see_also: &'static str,
}

impl Citation {
    /// The source that decides.
    pub const fn source(self) -> Source {
        Source::of(self.source)
    }

    /// What else bears on it.
    pub fn see_also(self) -> impl Iterator<Item = Source> {
        self.see_also.split_whitespace().map(Source::of)
    }

    /// Whether this id is the deciding source or beside it.
    pub fn names(self, id: &str) -> bool {
        self.source == id || self.see_also.split_whitespace().any(|other| other == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wager::Game;
    use crate::{clause, terms};

    /// Every id is a clause, a ruling or a term that there is, and is named once in a citation.
    #[test]
    fn citations_name_what_there_is() {
        for game in Game::ALL {
            for citation in game.book().citations() {
                let mut seen = Vec::new();
                for source in [citation.source()].into_iter().chain(citation.see_also()) {
                    let known = match source {
                        Source::Clause(id) => clause::find(id).is_some(),
                        Source::Ruling(id) => clause::find_ruling(id).is_some(),
                        Source::HouseLimit(key) => terms::of(game).any(|term| term.key == key),
                    };
                    assert!(known, "{game} {}: {source}", citation.code);
                    assert!(!seen.contains(&source), "{game} {}: {source} twice", citation.code);
                    seen.push(source);
                }
            }
        }
    }

    #[test]
    fn a_book_has_its_own_clauses() {
        for game in Game::ALL {
            let of_game = clause::all().iter().filter(|clause| clause.game == game);
            assert!(of_game.clone().count() > 0);
            for clause in of_game {
                assert_eq!(clause.id.split('-').next(), Some(game.book().prefix));
            }
        }
    }
}
