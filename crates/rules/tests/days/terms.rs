//! Terms of every kind.

use rules::terms::{self, Term, TermSheet};
use rules::wager::Game;

use crate::numbers::Numbers;

/// A sheet on which every option has some value that may be chosen.
pub(crate) fn any(game: Game, numbers: &mut Numbers) -> TermSheet {
    let mut sheet = TermSheet::new(game);
    for term in terms::of(game).filter(|term| !FIXED.contains(&term.key.as_str())) {
        let value = value(term, numbers);
        // What another option forbids stays as it is.
        let _ = sheet.set([(term.key.as_str(), value.as_str())]);
    }
    sheet
}

/// Limits within which these days are played.
const FIXED: [&str; 5] = ["main_min", "main_max", "side_min", "side_max", "chip_unit"];

fn value(term: &Term, numbers: &mut Numbers) -> String {
    let choices: Vec<&str> = term.values.split('|').collect();
    let choice = numbers.one_of(&choices);
    if let Some((least, most)) = choice.split_once("..") {
        return numbers.one_of(&[least, most, term.default.as_str()]).to_owned();
    }
    match choice.strip_prefix(">=") {
        Some(least) => numbers.one_of(&[least, term.default.as_str()]).to_owned(),
        None => choice.to_owned(),
    }
}
