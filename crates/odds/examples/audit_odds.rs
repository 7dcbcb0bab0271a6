//! Holds simulated rounds of every game and setting to the exact values.
//!
//! `audit_odds ROUNDS`: each setting plays so many rounds on all cores, and is told as it finishes.
//! Fails if a wager is too far from its exact value. Before that, the complete tables of the games
//! are proved against every round with all its hands. `cargo xtask audit-odds` runs it.

#[path = "../tests/agreement/mod.rs"]
mod agreement;

use std::num::NonZero;
use std::process::ExitCode;
use std::thread;

use agreement::{Agreement, CASES, FAR};
use indicatif::{ProgressBar, ProgressStyle};
use odds::simulate::{Plan, Stop, Strategy, Tally, run};
use rules::terms::TermSheet;
use rules::wager::Game;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let rounds: Option<u64> = match &words[..] {
        [rounds] => rounds.replace(',', "").parse().ok(),
        _ => None,
    };
    let Some(rounds) = rounds.filter(|rounds| *rounds > 0) else {
        eprintln!("expected a number of rounds, such as: 1,000,000,000");
        return ExitCode::from(2);
    };
    prove_tables();
    let bar = ProgressBar::new(rounds * CASES.len() as u64);
    let template = "{wide_bar} {percent} %, {msg}, {eta} left";
    bar.set_style(ProgressStyle::with_template(template).expect("a template of known words"));
    let mut far = 0;
    for (number, case) in (0..).zip(&CASES) {
        bar.set_message(case.to_string());
        let agreement = case.prepare();
        let tally = play(&agreement, rounds, |played| bar.set_position(number * rounds + played));
        for compared in agreement.compare(&tally) {
            far += usize::from(!compared.agrees());
            bar.suspend(|| println!("{case}: {} rounds, {compared}", tally.rounds));
        }
    }
    bar.finish_and_clear();
    match far {
        0 => ExitCode::SUCCESS,
        _ => {
            eprintln!("{far} wagers are {FAR} standard errors or more from their exact value.");
            ExitCode::FAILURE
        }
    }
}

/// Proves the tables that a GPU plays by, for the default terms; fails loudly.
fn prove_tables() {
    for game in [Game::CasinoWar, Game::DoubleDeck, Game::DoubleAttack, Game::FreeBet] {
        let sheet = TermSheet::new(game);
        let strategy = Strategy::named(&sheet, Strategy::names(game)[0]).expect("a known name");
        let plan = Plan::new(sheet, strategy, 1).expect("the default terms allow a wager");
        let table = plan.complete_table().expect("the default terms have a table");
        let states = table.prove(&plan);
        println!("{game}: {} rows stand for all {states} states of a round", table.rows());
    }
}

fn play(agreement: &Agreement, rounds: u64, mut tell: impl FnMut(u64)) -> Tally {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let stop = Stop { rounds: Some(rounds), ..Stop::default() };
    let begin = (Tally::default(), 0);
    let told = |progress: odds::simulate::Progress<'_>| {
        tell(progress.tally.rounds.min(rounds));
        true
    };
    run(&agreement.plan, threads, begin, stop, told).0
}
