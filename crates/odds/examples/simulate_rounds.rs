//! Plays shoes of one game, for counting instructions and rounds a second.
//!
//! `simulate_rounds GAME STRATEGY SHOES [THREADS]`: one seat, no side wagers, terms at their
//! defaults; prints the number of rounds and the mean. With the word `rounds` for the threads they
//! are played without compiled tables, and with `forget` also without being counted up.
//! `cargo xtask bench` runs it.

use std::process::ExitCode;

use odds::simulate::{Plan, Stop, Strategy, Tally, run};
use rules::terms::TermSheet;
use rules::wager::Game;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let tally = match words[..] {
        [game, strategy, shoes] => plan(game, strategy)
            .zip(shoes.parse().ok())
            .map(|(plan, shoes)| (plan.play(0..shoes), plan)),
        [game, strategy, shoes, "rounds"] => plan(game, strategy)
            .zip(shoes.parse().ok())
            .map(|(plan, shoes)| (plan.play_by_rounds(0..shoes), plan)),
        [game, strategy, shoes, "forget"] => {
            return match plan(game, strategy).zip(shoes.parse().ok()) {
                Some((plan, shoes)) => {
                    println!("{}", plan.play_and_forget(0..shoes));
                    ExitCode::SUCCESS
                }
                None => ExitCode::from(2),
            };
        }
        [game, strategy, shoes, threads] => plan(game, strategy)
            .zip(shoes.parse().ok().zip(threads.parse().ok()))
            .map(|(plan, (shoes, threads))| (on_threads(&plan, shoes, threads), plan)),
        _ => None,
    };
    let Some((tally, plan)) = tally else {
        eprintln!(
            "expected GAME STRATEGY SHOES [THREADS|rounds|forget], such as: casino-war war 1000"
        );
        return ExitCode::from(2);
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
