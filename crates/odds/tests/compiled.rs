//! Rounds by compiled tables: the same as round by round, shoe by shoe.

mod common;

use common::{GAMES, any_plan, plan};
use odds::simulate::{Plan, Ramp, Strategy, Supply, Wyrand};
use rules::shoe::Numbers;
use rules::terms::TermSheet;
use rules::wager::Game;

/// Plays shoes both ways and compares each of them, then all of them together.
fn is_the_same_by_table(plan: &Plan, shoes: u64) {
    let from = 5;
    let by_rounds = plan.play_each_by_rounds(from..from + shoes);
    let by_tables = plan.play_each_by_tables(from..from + shoes).expect("there are tables");
    assert_eq!(by_tables.len(), by_rounds.len());
    for (shoe, (one, other)) in (from..).zip(by_tables.iter().zip(&by_rounds)) {
        assert_eq!(one, other, "shoe {shoe} of {:?} {:?}", plan.sheet(), plan.strategy().name());
    }
    // In lockstep, by tables that are built and by others that are not.
    let all = plan.play_by_rounds(from..from + shoes);
    assert_eq!(plan.play_by_tables(from..from + shoes).as_ref(), Some(&all));
    assert_eq!(plan.clone().play_by_tables(from..from + shoes), Some(all));
}

#[test]
fn shoes_are_the_same_by_table_and_round_by_round() {
    for game in GAMES {
        for strategy in Strategy::names(game).iter().filter(|name| **name != "best") {
            let plan = plan(&TermSheet::new(game), strategy, 3).unwrap();
            is_the_same_by_table(&plan, 3_000);
            is_the_same_by_table(&plan.clone().with_supply(Supply::Fresh), 200);
            is_the_same_by_table(&plan.with_side_wagers(true), 500);
        }
    }
}

/// Fifty tables whose terms, strategy, supply and side wagers were chosen by chance.
#[test]
fn any_setting_is_the_same_by_table() {
    let mut numbers = Wyrand::of(11, 0);
    let mut compared = 0;
    while compared < 50 {
        let Some(plan) = any_plan(GAMES[compared % GAMES.len()], &mut numbers) else { continue };
        let supply = if numbers.next().is_multiple_of(4) { Supply::Fresh } else { Supply::Shoes };
        let plan = plan.with_supply(supply).with_side_wagers(numbers.next().is_multiple_of(3));
        is_the_same_by_table(&plan, 1_200 / plan.shuffles_a_shoe().min(20));
        compared += 1;
    }
}

/// What has no tables is played all the same.
#[test]
fn what_has_no_tables_is_played_round_by_round() {
    let sheet = TermSheet::new(Game::DoubleDeck);
    let basic = || plan(&sheet, "basic", 1).unwrap();
    let ramp = Ramp { weights: [0; 13], base: 1.0, slope: 0.0, most: 2 };
    for plan in [
        basic().with_seats(2).unwrap(),
        basic().with_ramp(ramp).unwrap(),
        plan(&sheet, "best", 1).unwrap(),
        plan(&TermSheet::new(Game::DoubleDownStud), "never", 1).unwrap(),
    ] {
        assert_eq!(plan.play_by_tables(0..50), None);
        assert_eq!(plan.play(0..50), plan.play_by_rounds(0..50));
        assert!(plan.table_usage().is_none());
    }
}

/// A run takes to tables by itself, and nothing but its speed tells.
#[test]
fn a_long_run_goes_over_to_tables() {
    let plan = plan(&TermSheet::new(Game::CasinoWar), "war", 1).unwrap();
    let some = 0..6_000;
    assert_eq!(plan.play(some.clone()), plan.play_by_rounds(some.clone()));
    assert!(plan.table_usage().is_none());
    while plan.table_usage().is_none() {
        assert_eq!(plan.play(some.clone()), plan.play_by_rounds(some.clone()));
    }
    let usage = plan.table_usage().unwrap();
    assert!(usage.tables == 1 && usage.states > 100 && usage.ends == 5, "{usage:?}");
    assert_eq!((usage.escaped, usage.unusual_shoes), (0, 0));
}

/// Push 22 looks at the suits of the dealer's cards: far more rounds than a table has room for.
#[test]
fn tables_that_are_too_small_are_given_up() {
    let plan = plan(&TermSheet::new(Game::FreeBet), "basic", 1).unwrap().with_side_wagers(true);
    let mut rounds = 0;
    while rounds < 1_000_000 {
        rounds += plan.play(0..8_000).rounds;
    }
    // One time by tables, and no more.
    for _ in 0..2 {
        assert_eq!(plan.play(0..4_000), plan.play_by_rounds(0..4_000));
        assert!(plan.table_usage().is_none());
    }
}
