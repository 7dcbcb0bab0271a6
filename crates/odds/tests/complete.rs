//! Rounds by a complete table: the same as round by round, shoe by shoe.

mod common;

use common::{GAMES, any_plan, plan};
use odds::simulate::{
    Plan, Ramp, Stop, Strategy, Supply, TableRefusal, Tally, Wyrand, run, run_in_blocks,
};
use rules::shoe::Numbers;
use rules::terms::TermSheet;
use rules::wager::Game;

fn is_the_same_by_complete_table(plan: &Plan, shoes: u64) -> Result<(), TableRefusal> {
    let table = plan.complete_table()?;
    let from = 9;
    for (shoe, by_rounds) in (from..).zip(plan.play_each_by_rounds(from..from + shoes)) {
        let counts = table.play(plan, shoe..shoe + 1);
        let by_table = plan.tally_of(&table, counts, 1);
        assert_eq!(by_table, by_rounds, "shoe {shoe} of {:?}", plan.sheet());
    }
    let counts = table.play(plan, from..from + shoes);
    assert_eq!(plan.tally_of(&table, counts, shoes), plan.play_by_rounds(from..from + shoes));
    Ok(())
}

#[test]
fn shoes_are_the_same_by_complete_table_and_round_by_round() {
    for game in GAMES {
        let plan = plan(&TermSheet::new(game), Strategy::names(game)[0], 3).unwrap();
        is_the_same_by_complete_table(&plan, 3_000).unwrap();
        is_the_same_by_complete_table(&plan.with_supply(Supply::Fresh), 200).unwrap();
    }
}

/// Tables whose terms, strategy and supply were chosen by chance.
#[test]
fn any_setting_is_the_same_by_complete_table() {
    let mut numbers = Wyrand::of(17, 0);
    let (mut compared, mut refused) = (0, 0);
    while compared < 12 {
        let Some(plan) = any_plan(GAMES[compared % GAMES.len()], &mut numbers) else { continue };
        let supply = if numbers.next().is_multiple_of(4) { Supply::Fresh } else { Supply::Shoes };
        let plan = plan.with_supply(supply);
        match is_the_same_by_complete_table(&plan, 1_200 / plan.shuffles_a_shoe().min(20)) {
            Ok(()) => {}
            Err(refusal) => {
                assert!(!refusal.to_string().is_empty());
                refused += 1;
            }
        }
        compared += 1;
    }
    assert!(refused <= 3, "{refused} of {compared}");
}

#[test]
fn what_has_no_complete_table_is_refused() {
    let sheet = TermSheet::new(Game::DoubleDeck);
    let basic = || plan(&sheet, "basic", 1).unwrap();
    let ramp = Ramp { weights: [0; 13], base: 1.0, slope: 0.0, most: 2 };
    for plan in [
        basic().with_seats(2).unwrap(),
        basic().with_ramp(ramp).unwrap(),
        plan(&sheet, "best", 1).unwrap(),
        plan(&TermSheet::new(Game::DoubleDownStud), "never", 1).unwrap(),
        plan(&TermSheet::new(Game::FreeBet), "basic", 1).unwrap().with_side_wagers(true),
    ] {
        assert_eq!(plan.complete_table().err(), Some(TableRefusal::Plan));
    }
}

/// Whatever a run ends with, large blocks end with the same shoe.
#[test]
fn a_run_in_blocks_ends_like_any_other() {
    let plan = plan(&TermSheet::new(Game::CasinoWar), "war", 5).unwrap();
    let table = plan.complete_table().unwrap();
    let begin = || (Tally::default(), 4);
    for stop in [
        Stop { rounds: Some(1), ..Stop::default() },
        Stop { rounds: Some(123_456), ..Stop::default() },
        Stop { rounds: Some(1_000_000), shoes: Some(9_999), ..Stop::default() },
        Stop { rounds: Some(1_000_000), shoes: Some(10_200), ..Stop::default() },
        Stop { standard_error: Some(0.002), ..Stop::default() },
    ] {
        let by_table = |shoes: std::ops::Range<u64>| {
            let count = shoes.end - shoes.start;
            Ok::<_, TableRefusal>(plan.tally_of(&table, table.play(&plan, shoes), count))
        };
        let in_blocks = run_in_blocks(&plan, begin(), stop, by_table, |_| true).unwrap();
        match stop.standard_error {
            None => assert_eq!(in_blocks, run(&plan, 2, begin(), stop, |_| true)),
            Some(wanted) => {
                let (tally, next) = in_blocks;
                assert!(tally.main.standard_error(plan.setting().main, tally.rounds) <= wanted);
                assert_eq!(plan.play(4..next), tally);
            }
        }
    }
    let failed = run_in_blocks(
        &plan,
        begin(),
        Stop { rounds: Some(1), ..Stop::default() },
        |_| Err(TableRefusal::Amounts),
        |_| true,
    );
    assert_eq!(failed, Err(TableRefusal::Amounts));
}

/// What a shoe came to before it ran out of cards is replaced by its rounds.
#[test]
fn a_shoe_that_ran_out_of_cards_is_played_again() {
    let plan = plan(&TermSheet::new(Game::CasinoWar), "war", 5).unwrap();
    let table = plan.complete_table().unwrap();
    let mut counts = table.play(&plan, 0..20);
    counts.exhausted = vec![3, 17];
    assert_eq!(plan.tally_of(&table, counts, 20), plan.play_by_rounds(0..20));
}
