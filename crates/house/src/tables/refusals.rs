//! Refusals as clients get them: of the rules, of a player's own limits, and of the house.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rules::refusal::{self, Source};
use rules::table::TableRefusal;
use rules::wager::Game;
use wire::{Parameter, Refusal, as_sentence};

use crate::people::bounds::OwnLimit;
use crate::people::exclusion::Barrier;
use crate::people::moment::in_universal_time;
use crate::store::StoreError;

/// A refusal of a table, with what a dealer would point to.
pub(crate) fn by_table(refusal: TableRefusal, game: Game) -> Refusal {
    let parameters = refusal.parameters().into_iter();
    Refusal {
        code: Cow::Borrowed(refusal.code()),
        parameters: parameters
            .map(|(name, value)| (Cow::Borrowed(name), parameter(value)))
            .collect(),
        source: source(refusal.source(game)),
        sentence: as_sentence(&refusal.to_string()),
    }
}

/// What a refusal of the rules rests on.
pub(crate) fn source(source: Source) -> wire::Source {
    match source {
        Source::Clause(id) => wire::Source::Clause(Cow::Borrowed(id)),
        Source::Ruling(id) => wire::Source::Ruling(Cow::Borrowed(id)),
        Source::HouseOption(term) => wire::Source::Term(Cow::Borrowed(term)),
    }
}

fn parameter(parameter: refusal::Parameter) -> Parameter {
    match parameter {
        refusal::Parameter::Amount(amount) => Parameter::amount(amount),
        refusal::Parameter::Count(count) => Parameter::count(count),
        refusal::Parameter::Word(word) => Parameter::Word(word),
    }
}

/// A refusal of the rules in other words: the table as it stands, and not an input, is the reason.
pub(crate) fn in_other_words(code: &'static str, of: Source, sentence: String) -> Refusal {
    let (code, parameters) = (Cow::Borrowed(code), BTreeMap::new());
    Refusal { code, parameters, source: source(of), sentence }
}

/// A refusal of the house that rests on a clause or a ruling.
pub(crate) fn by_clause(code: &'static str, clause: &'static str, sentence: &str) -> Refusal {
    Refusal::new(code, source(Source::of(clause)), sentence)
}

/// A refusal that a player's own limit is the reason for.
pub(crate) fn by_own_limit(limit: OwnLimit) -> Refusal {
    let own = |code, sentence| Refusal::new(code, wire::Source::Own, sentence);
    match limit {
        OwnLimit::Minutes { most } => {
            own("own-minutes", format!("You have reached your daily limit of {most} minutes."))
                .with("most", Parameter::Count(u64::try_from(most).unwrap_or(0)))
        }
        OwnLimit::Loss { most, left } => {
            own("own-loss", format!("Your daily loss limit of {most} leaves {left}."))
                .with("most", Parameter::amount(most))
                .with("left", Parameter::amount(left))
        }
    }
}

/// A refusal of whoever does not play now.
pub(crate) fn by_barrier(barrier: Barrier) -> Refusal {
    match barrier {
        Barrier::Own { until } => {
            let sentence =
                format!("You excluded yourself from play until {}.", in_universal_time(until));
            Refusal::new("self-excluded", wire::Source::Own, sentence)
                .with("until", Parameter::Time(until))
        }
        Barrier::Suspension { until: Some(until) } => {
            let until_when = in_universal_time(until);
            let sentence = format!("You are suspended until {until_when}. Ask the house why.");
            Refusal::by_house("suspended", sentence).with("until", Parameter::Time(until))
        }
        Barrier::Suspension { until: None } => {
            Refusal::by_house("suspended", "You are suspended. Ask the house why.")
        }
    }
}

/// A refusal of a correction that is not among those that wait.
pub(crate) fn no_such_correction() -> Refusal {
    Refusal::by_house(
        "no-such-correction",
        "No such correction is waiting. It was decided, or it expired.",
    )
}

/// A refusal of what only a supervisor may do.
pub(crate) fn not_a_supervisor() -> Refusal {
    by_clause("not-a-supervisor", "G-09", "Only a supervisor can do this.")
}

/// A refusal of whoever has no seat.
pub(crate) fn not_seated() -> Refusal {
    let refusal = TableRefusal::NotSeated;
    in_other_words(refusal.code(), Source::of("G-26"), as_sentence(&refusal.to_string()))
}

/// A refusal of a word that cannot be read.
pub(crate) fn unreadable(code: &'static str, word: &str, sentence: String) -> Refusal {
    Refusal::by_house(code, as_sentence(&sentence)).with("word", Parameter::word(word))
}

/// The answer to a command on a socket that shows no table.
pub(crate) fn not_watching() -> Refusal {
    Refusal::by_house("not-watching", "Watch a table first.")
}

/// The answer where something could not be written to the store.
pub(crate) fn not_written() -> Refusal {
    Refusal::by_house("store-not-written", "The table could not save that. Try again.")
}

/// The answer where something could not be read from the store.
pub(crate) fn not_read() -> Refusal {
    Refusal::by_house("store-not-read", "The house could not look that up. Try again.")
}

/// A table goes from one node to another.
pub(crate) fn table_moving() -> Refusal {
    Refusal::by_house("table-moving", "The table is moving. Try again in a moment.")
}

/// The answer where a table is closed.
pub(crate) fn table_closed() -> Refusal {
    Refusal::by_house("table-closed", "This table is closed. Your chips are safe.")
}

/// Why a table is closed whose log does not agree with the rest of the store.
pub(crate) fn table_unbalanced() -> Refusal {
    Refusal::by_house(
        "table-unbalanced",
        "This table is closed: its books do not agree. Your chips are safe.",
    )
}

/// Why a table takes nothing while the disk has no room.
pub(crate) fn table_disk_full() -> Refusal {
    Refusal::by_house(
        "table-disk-full",
        "Betting is paused: the disk is full. Your chips are safe.",
    )
}

/// Why a table takes nothing while its log cannot be read.
pub(crate) fn table_not_loaded() -> Refusal {
    Refusal::by_house(
        "table-not-loaded",
        "Play is paused: the table cannot be loaded. Your chips are safe.",
    )
}

/// Why a table is closed that cannot go on from its log. Whoever runs the house finds more in its log.
pub(crate) fn table_stuck(error: &StoreError) -> Refusal {
    match error {
        StoreError::Unreadable { .. } => Refusal::by_house(
            "table-damaged",
            "This table is closed: its log is damaged. Your chips are safe.",
        ),
        _ => Refusal::by_house(
            "table-stuck",
            "This table is closed: it cannot go on from its log. Your chips are safe.",
        ),
    }
}
