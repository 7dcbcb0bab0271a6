//! Everything that is shown, however it is shown.

use ::odds::Valuation;
use ::odds::countable::{Countable, countable};
use ::odds::game::Wager;
use ::odds::setting::Setting;
use ::odds::unseen::Unseen;
use ::odds::value::BetValue;
use ::odds::what_if::{self as if_so, WhatIf, what_if};
use rules::terms::Term;
use rules::wager::Game;

use super::SimulatedRun;
use super::advice::{Advice, advice};
use super::progress::with_progress;

/// Which parts are asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sections {
    pub(crate) values: bool,
    pub(crate) chart: bool,
    pub(crate) what_if: bool,
    pub(crate) count: bool,
}

/// What is known of a table, as far as it was asked for.
pub(crate) struct Report {
    pub(crate) table: Valuation,
    pub(crate) bets: Vec<BetValue>,
    pub(crate) advice: Option<Advice>,
    pub(crate) what_if: Option<WhatIf>,
    pub(crate) countable: Option<Vec<Countable>>,
    pub(crate) simulated: Option<SimulatedRun>,
}

impl Report {
    pub(crate) fn of(table: &Valuation, sections: Sections) -> Report {
        let if_asked = |asked: bool| asked.then_some(());
        Report {
            table: table.clone(),
            bets: match sections.values {
                true => with_progress("Counting", |_| table.bets()),
                false => Vec::new(),
            },
            advice: if_asked(sections.chart)
                .map(|()| with_progress("Finding the best play", |_| advice(table))),
            what_if: if_asked(sections.what_if)
                .map(|()| with_progress("Trying every option", |bar| what_if(table, bar))),
            countable: if_asked(sections.count)
                .map(|()| with_progress("Removing cards", |bar| countable(table, bar))),
            simulated: None,
        }
    }

    pub(crate) fn game(&self) -> Game {
        self.table.sheet().game()
    }

    /// What the numbers are for, in a sentence: house options, cards, and a wager of one's own.
    pub(crate) fn assumed(&self, options: Option<String>) -> String {
        let (sheet, setting) = (self.table.sheet(), self.table.setting());
        let options = match options {
            Some(chosen) => format!("House options: {chosen}"),
            None => "Default house options".to_owned(),
        };
        let (left, all) = (self.table.unseen().total(), Unseen::full(sheet).total());
        let cards = match left == all {
            true => format!("{all} cards"),
            false => format!("{left} of {all} cards left"),
        };
        match Setting::of(sheet) {
            Ok(usual) if usual.main == setting.main => format!("{options}; {cards}."),
            _ => format!("{options}; {cards}; main wager {}.", setting.main),
        }
    }

    /// Every wager that is spoken of.
    pub(crate) fn wagers(&self) -> Vec<Wager> {
        let bets = self.bets.iter();
        let values = bets.map(|value| Wager { bet: value.bet, policy: value.policy.clone() });
        let now = self.what_if.iter().flat_map(|what_if| &what_if.now).map(|e| e.wager.clone());
        let counted = self.countable.iter().flatten().map(|countable| countable.wager.clone());
        values.chain(now).chain(counted).collect()
    }

    /// Keeps what is said of these wagers.
    pub(crate) fn keep(&mut self, wanted: impl Fn(&Wager) -> bool) {
        self.bets.retain(|value| wanted(&Wager { bet: value.bet, policy: value.policy.clone() }));
        if let Some(what_if) = &mut self.what_if {
            what_if.now.retain(|expectation| wanted(&expectation.wager));
            for line in &mut what_if.lines {
                line.changes.retain(|change| wanted(&change.wager));
            }
            what_if.lines.retain(|line| !line.changes.is_empty());
        }
        if let Some(countable) = &mut self.countable {
            countable.retain(|countable| wanted(&countable.wager));
        }
    }
}

/// The values of an option that do the same: `8`, `A or B`, `1 to 6`.
pub(crate) fn values_of(lines: &[if_so::TriedValue]) -> String {
    let are_numbers = lines.iter().all(|line| line.to.parse::<u32>().is_ok());
    match lines {
        [first, _, .., last] if are_numbers => format!("{} to {}", first.to, last.to),
        _ => lines.iter().map(|line| line.to.as_str()).collect::<Vec<_>>().join(" or "),
    }
}

/// What the numbers beside the best play are.
pub(crate) const GAINED: &str = "The number is what adding the wager gains on average, compared \
    with not adding it, for each unit.";

/// How the second letter of a chart is read.
pub(crate) const SMALL_LETTER: &str = "a small letter is for when the first is not possible";

/// Why a value of an option was not tried. Most reasons begin with the option itself.
pub(crate) fn not_tried(term: &Term, to: &str, why: &str) -> String {
    let value = format!("{}={to}", term.key);
    match why.starts_with(&value) {
        true => format!("Not tried: {why}."),
        false => format!("Not tried: {value}: {why}."),
    }
}
