//! Holds simulated rounds of every game and setting to the exact values.
//!
//! `audit_odds ROUNDS [THREADS]`: each setting plays so many rounds, by default on all cores, and its
//! wagers are printed as it finishes, a line each. Fails if a wager is too far from its exact value.
//! Before that, the complete tables of the games are proved against every round with all its hands.
//! `cargo xtask audit-odds` builds and runs it; the program needs nothing beside it.

#[path = "../tests/agreement/mod.rs"]
mod agreement;
#[path = "shared/cpu_time.rs"]
mod cpu_time;

use std::num::NonZero;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use agreement::{Agreement, CASES, Compared, FAR};
use cpu_time::cpu_seconds;
use indicatif::{ProgressBar, ProgressStyle};
use odds::simulate::{Plan, Stop, Strategy, Tally, run};
use rules::RULES_VERSION;
use rules::clause::rule_hash;
use rules::terms::TermSheet;
use rules::wager::Game;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let all = thread::available_parallelism().map_or(1, NonZero::get);
    let asked: Option<(u64, usize)> = match &words[..] {
        [rounds] => number(rounds).map(|rounds| (rounds, all)),
        [rounds, threads] => number(rounds).zip(threads.parse().ok()),
        _ => None,
    };
    let Some((rounds, threads)) = asked.filter(|&(rounds, threads)| rounds > 0 && threads > 0)
    else {
        eprintln!("expected a number of rounds, and perhaps of threads, such as: 1e9 2");
        return ExitCode::from(2);
    };
    let began = Instant::now();
    prove_tables();
    let bar = ProgressBar::new(rounds * CASES.len() as u64);
    let template = "{wide_bar} {percent} %, {msg}, {eta} left";
    bar.set_style(ProgressStyle::with_template(template).expect("a template of known words"));
    let hash = rule_hash();
    println!("\nRules {RULES_VERSION}-{hash:016x}, {rounds} rounds a setting, {threads} threads\n");
    println!("{}", Compared::HEADING);
    let (mut far, mut all, mut farthest) = (0, 0, 0.0_f64);
    for (number, case) in (0..).zip(&CASES) {
        bar.set_message(case.to_string());
        let agreement = case.prepare();
        let told = |played| bar.set_position(number * rounds + played);
        let tally = play(&agreement, rounds, threads, told);
        for compared in agreement.compare(&tally) {
            all += 1;
            far += usize::from(!compared.agrees());
            farthest = farthest.max(compared.apart.abs());
            bar.suspend(|| println!("{compared}  {case}"));
        }
    }
    bar.finish_and_clear();
    let seconds = began.elapsed().as_secs();
    println!("\n{all} wagers, at most {farthest:.2} standard errors apart");
    println!("{seconds} s, {:.0} s of processor time", cpu_seconds());
    match far {
        0 => ExitCode::SUCCESS,
        _ => {
            eprintln!("{far} wagers are {FAR} standard errors or more from their exact value.");
            ExitCode::FAILURE
        }
    }
}

/// A whole number as people write it: `1e9`, `1_000_000` or `1,000,000`.
fn number(word: &str) -> Option<u64> {
    let digits = word.replace([',', '_'], "");
    match digits.split_once('e') {
        Some((number, zeros)) => {
            let number: u64 = number.parse().ok()?;
            number.checked_mul(10_u64.checked_pow(zeros.parse().ok()?)?)
        }
        None => digits.parse().ok(),
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

fn play(agreement: &Agreement, rounds: u64, threads: usize, mut tell: impl FnMut(u64)) -> Tally {
    let stop = Stop { rounds: Some(rounds), ..Stop::default() };
    let begin = (Tally::default(), 0);
    let told = |progress: odds::simulate::Progress<'_>| {
        tell(progress.tally.rounds.min(rounds));
        true
    };
    run(&agreement.plan, threads, begin, stop, told).0
}
