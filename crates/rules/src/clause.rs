//! The clause index: every clause of the rule books in our own words, and the rulings.

use std::sync::LazyLock;

use crate::RULES_VERSION;
use crate::csv;
use crate::terms;
use crate::wager::Game;

/// A clause of a rule book.
#[derive(Debug, PartialEq, Eq)]
pub struct Clause {
    /// Its id, such as `CW-8-g-3`.
    pub id: String,
    /// The game.
    pub game: Game,
    /// What it is about, such as `payout` or `shuffle-cut`.
    pub kind: String,
    /// What it says, in our own words.
    pub title: String,
    /// Why no program can carry it out, where none can.
    pub excused: Option<String>,
}

impl Clause {
    /// The title of its section of the book.
    pub fn section(&self) -> &'static str {
        let (book, rest) = self.id.split_once('-').unwrap_or_default();
        let is_of = |section: &&Section| {
            let after = rest.strip_prefix(section.number.as_str());
            let ends = |after: &str| !after.starts_with(|c: char| c.is_ascii_digit());
            section.book == book && after.is_some_and(|after| section.number == "P" || ends(after))
        };
        SECTIONS.iter().find(is_of).map_or("", |section| &section.title)
    }
}

/// A section of a rule book.
struct Section {
    book: String,
    /// Its number, or what the numbers of its clauses begin with.
    number: String,
    title: String,
}

static SECTIONS: LazyLock<Vec<Section>> = LazyLock::new(|| {
    csv::rows(include_str!("../rulebook/sections.csv"))
        .map(|[book, number, title]| Section { book, number, title })
        .collect()
});

/// An entry of the rulings, which decide where the law is silent or contradicts itself.
#[derive(Debug, PartialEq, Eq)]
pub struct RulingEntry {
    /// Its id, such as `CW-R06` or `G-20`.
    pub id: String,
    /// What it is about.
    pub title: String,
    /// What was decided.
    pub decision: String,
}

const RULINGS_TABLE: &str = include_str!("../rulebook/rulings.csv");

static CLAUSES: LazyLock<Vec<Clause>> = LazyLock::new(|| {
    let read = |game: Game| {
        csv::rows(game.book().clauses).map(move |[id, kind, title, excused]| Clause {
            id,
            game,
            kind,
            title,
            excused: (!excused.is_empty()).then_some(excused),
        })
    };
    Game::ALL.into_iter().flat_map(read).collect()
});

static RULINGS: LazyLock<Vec<RulingEntry>> = LazyLock::new(|| {
    csv::rows(RULINGS_TABLE)
        .map(|[id, title, decision]| RulingEntry { id, title, decision })
        .collect()
});

/// Every clause, book by book.
pub fn all() -> &'static [Clause] {
    &CLAUSES
}

/// Every ruling.
pub fn rulings() -> &'static [RulingEntry] {
    &RULINGS
}

/// The clause of an id.
pub fn find(id: &str) -> Option<&'static Clause> {
    CLAUSES.iter().find(|clause| clause.id == id)
}

/// The ruling of an id.
pub fn find_ruling(id: &str) -> Option<&'static RulingEntry> {
    RULINGS.iter().find(|ruling| ruling.id == id)
}

/// A hash of the rules in force: the rules version, the clauses of every book, the rulings and
/// the house options (FNV-1a, 64 bits).
///
/// Results calculated under different hashes are not comparable. It is stable across builds and
/// machines, and does not protect against forgery.
pub fn rule_hash() -> u64 {
    let books = Game::ALL.map(|game| game.book().clauses);
    let tables = [RULES_VERSION, RULINGS_TABLE, terms::TABLE].into_iter().chain(books);
    let bytes = tables.flat_map(|table| table.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The version of the rules, with the hash of their tables: `2-cf0d8b3a51e6470c`.
pub fn rules_in_force() -> String {
    format!("{RULES_VERSION}-{:016x}", rule_hash())
}
