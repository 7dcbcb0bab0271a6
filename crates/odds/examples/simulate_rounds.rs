//! Plays shoes of one game, for counting instructions and rounds a second.
//!
//! `simulate_rounds GAME STRATEGY SHOES [WORDS]`: one seat, no side wagers, terms at their defaults;
//! prints the number of rounds and the mean. Shoes are played by compiled tables where there are any,
//! and with the word `rounds` round by round; with `forget` also without being counted up. `fresh`
//! shuffles before every round, `side` places side wagers, and a number plays on so many threads as
//! `pitboss sim` does. `cargo xtask bench` runs it.

use std::process::ExitCode;

use odds::simulate::{Plan, Stop, Strategy, Supply, Tally, run};
use rules::terms::TermSheet;
use rules::wager::Game;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let read = match words[..] {
        [game, strategy, shoes, ..] => plan(game, strategy).zip(shoes.parse::<u64>().ok()),
        _ => None,
    };
    let Some((plan, shoes)) = read else {
        eprintln!("expected GAME STRATEGY SHOES [WORDS], such as: casino-war war 1000 rounds");
        return ExitCode::from(2);
    };
    let has = |word: &str| words.contains(&word);
    let supply = if has("fresh") { Supply::Fresh } else { Supply::Shoes };
    let plan = plan.with_supply(supply).with_side_wagers(has("side"));
    if has("forget") {
        println!("{}", plan.play_and_forget(0..shoes));
        return ExitCode::SUCCESS;
    }
    let threads = words[3..].iter().find_map(|word| word.parse().ok());
    let tally = match threads {
        Some(threads) => on_threads(&plan, shoes, threads),
        None if has("rounds") => plan.play_by_rounds(0..shoes),
        None => {
            let by_tables = plan.play_by_tables(0..shoes);
            by_tables.unwrap_or_else(|| plan.play_by_rounds(0..shoes))
        }
    };
    println!("{} {:+.6}", tally.rounds, tally.main.mean(plan.setting().main));
    if let Some(usage) = plan.table_usage() {
        eprintln!("{usage:?}");
    }
    ExitCode::SUCCESS
}

fn plan(game: &str, strategy: &str) -> Option<Plan> {
    let sheet = TermSheet::new(Game::named(game)?);
    let strategy = match std::fs::read_to_string(strategy) {
        Ok(text) => Strategy::by_chart("chart", text.parse().ok()?),
        Err(_) => Strategy::named(&sheet, strategy).ok()?,
    };
    Plan::new(sheet, strategy, 1).ok()
}

/// Plays about as many rounds as so many shoes have.
fn on_threads(plan: &Plan, shoes: u64, threads: usize) -> Tally {
    let rounds = Some(plan.play(0..1).rounds * shoes);
    let stop = Stop { rounds, ..Stop::default() };
    run(plan, threads, (Tally::default(), 0), stop, |_| true).0
}
