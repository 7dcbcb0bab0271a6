//! Random days at a table of each game: people do what comes to their minds, things go wrong,
//! supervisors decide, and whatever happens keeps the laws of a table.
//!
//! The days are the same in every run. `DAY_CASES=20` lives twenty times as many, `DAY_SEED=7` other
//! ones; `DAY_TRACE=1` shows every line, so that the last one is what broke a law.

mod cards;
mod day;
mod money;
#[path = "../common/numbers.rs"]
mod numbers;
mod people;
mod terms;

use std::collections::BTreeMap;

use rules::terms::TermSheet;
use rules::wager::Game;

use day::Day;
use numbers::Numbers;

/// Rounds of the long day, with the terms of a house that says nothing.
const LONG_DAY: u32 = 1000;
/// Days with terms of every kind, and the rounds of each.
const OTHER_DAYS: u64 = 12;
const SHORT_DAY: u32 = 60;
/// Days on which boxes are shared by people who have several, and the rounds of each.
const SHARED_DAYS: u64 = 3;
const SHARED_DAY: u32 = 300;
/// More inputs a round than any day needs.
const MOST_INPUTS: u32 = 500;

#[test]
fn days_of_casino_war_keep_the_laws() {
    keep_the_laws(Game::CasinoWar);
}

#[test]
fn days_of_double_down_stud_keep_the_laws() {
    keep_the_laws(Game::DoubleDownStud);
}

#[test]
fn days_of_double_deck_keep_the_laws() {
    keep_the_laws(Game::DoubleDeck);
}

#[test]
fn days_of_double_attack_keep_the_laws() {
    keep_the_laws(Game::DoubleAttack);
}

#[test]
fn days_of_free_bet_keep_the_laws() {
    keep_the_laws(Game::FreeBet);
}

#[test]
fn days_of_people_with_several_boxes_who_share_them_keep_the_laws() {
    let terms = [("max_bettors_per_box", "3"), ("max_boxes_per_player", "3")];
    let mut sheet = TermSheet::new(Game::DoubleAttack);
    sheet.set(terms).unwrap();
    let first = said("DAY_SEED").unwrap_or(0) << 32;
    for seed in first + 1..=first + SHARED_DAYS * said("DAY_CASES").unwrap_or(1) {
        let seen = live(sheet.clone(), seed, SHARED_DAY);
        assert!(seen.contains_key("in-front"), "nobody came to the front in {seen:?}");
    }
}

/// Lives a day of so many rounds, and tells how often something happened in it.
fn live(sheet: TermSheet, seed: u64, rounds: u32) -> BTreeMap<String, u32> {
    let game = sheet.game();
    let mut day = Day::new(sheet, Numbers(seed));
    let mut inputs = 0;
    while day.table.rounds_played() < rounds {
        day.live_on();
        inputs += 1;
        let awaits = day.table.awaits();
        assert!(inputs < rounds * MOST_INPUTS, "{game} {seed}: the table still awaits {awaits}");
    }
    day.replay();
    assert_eq!(day.rounds_alone, day.table.rounds_played());
    day.seen
}

fn keep_the_laws(game: Game) {
    let mut seen = BTreeMap::new();
    let mut live = |sheet: TermSheet, seed: u64, rounds: u32| {
        for (what, times) in live(sheet, seed, rounds) {
            *seen.entry(what).or_insert(0) += times;
        }
    };
    let first = said("DAY_SEED").unwrap_or(0) << 32;
    live(TermSheet::new(game), first, LONG_DAY);
    for seed in first + 1..=first + OTHER_DAYS * said("DAY_CASES").unwrap_or(1) {
        live(terms::any(game, &mut Numbers(seed)), seed, SHORT_DAY);
    }
    // The days are worth something.
    for what in day::WORTH_SEEING.iter().filter(|what| what.is_possible(game)) {
        assert!(seen.contains_key(what.word), "no '{}' in {seen:?}", what.word);
    }
}

/// A number from the environment.
fn said(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}
