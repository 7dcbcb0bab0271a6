//! Measures how many rounds of each game a second of processor time plays, in one run.
//!
//! `rounds_a_second [SECONDS]`: one seat, no side wagers, default terms, every net gain counted. Each
//! game is played round by round and by compiled tables in turn, twice for so many seconds of one core
//! (3 unless told), after the tables have been built for as long. Prints a line for each game: million
//! rounds per second of processor time either way, how many times as many tables play and whether that
//! is enough, and how much sooner all cores are done than one. `cargo xtask bench` runs it; the program
//! needs nothing beside it.

#[path = "shared/cpu_time.rs"]
mod cpu_time;

use std::num::NonZero;
use std::ops::Range;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use cpu_time::cpu_seconds;
use odds::simulate::{Plan, Stop, Strategy, Tally, run};
use rules::terms::TermSheet;
use rules::wager::Game;

/// What is played of each game, and how many times as many rounds tables play at least.
const RUNS: [(Game, &str, Option<f64>); 6] = [
    (Game::CasinoWar, "war", Some(1.6)),
    (Game::DoubleDownStud, "best", None),
    (Game::DoubleDeck, "basic", Some(3.0)),
    (Game::DoubleDeck, "best", None),
    (Game::DoubleAttack, "basic", Some(3.0)),
    (Game::FreeBet, "basic", Some(2.2)),
];

/// Rounds that are played between two looks at the clock, about.
const AT_ONCE: u64 = 500_000;
const SEED: u64 = 1;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let seconds = match &words[..] {
        [] => Some(3.0),
        [word] => word.parse::<f64>().ok().filter(|seconds| (0.1..=600.0).contains(seconds)),
        _ => None,
    };
    let Some(seconds) = seconds else {
        eprintln!("expected a number of seconds from 0.1 to 600, or nothing");
        return ExitCode::from(2);
    };
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let cores_to_one = format!("{cores} cores to one");
    println!(
        "{:<16} {:<8} | {:>7} {:>7} {:>6} {:<12} | {cores_to_one}",
        "GAME", "STRATEGY", "rounds", "tables", "times", "gate"
    );
    for (game, strategy, gate) in RUNS {
        let plan = plan(game, strategy);
        let (by_rounds, by_tables) = rates(&plan, seconds);
        let times = by_tables.map(|rate| rate / by_rounds);
        let gate = gate.zip(times).map_or(String::new(), |(gate, times)| {
            format!("{gate} {}", if times >= gate { "met" } else { "MISSED" })
        });
        let rounds = by_tables.unwrap_or(by_rounds) * seconds;
        println!(
            "{:<16} {strategy:<8} | {:>7.1} {:>7} {:>6} {gate:<12} | {:.2}",
            game.to_string(),
            by_rounds / 1e6,
            by_tables.map_or(String::new(), |rate| format!("{:.1}", rate / 1e6)),
            times.map_or(String::new(), |times| format!("{times:.2}")),
            sooner(&plan, rounds, cores),
        );
    }
    ExitCode::SUCCESS
}

fn plan(game: Game, strategy: &str) -> Plan {
    let sheet = TermSheet::new(game);
    let strategy = Strategy::named(&sheet, strategy).expect("a strategy of the game");
    Plan::new(sheet, strategy, SEED).expect("the default terms allow a wager")
}

/// Shoes of a plan, one after the other, and how long they took.
struct Clock {
    next: u64,
    at_once: u64,
    rounds: u64,
    seconds: f64,
}

impl Clock {
    /// Plays for so many seconds of processor time.
    fn play(&mut self, seconds: f64, play: impl Fn(Range<u64>) -> u64) {
        let began = cpu_seconds();
        let end = loop {
            self.rounds += play(self.next..self.next + self.at_once);
            self.next += self.at_once;
            let now = cpu_seconds();
            if now - began >= seconds {
                break now;
            }
        };
        self.seconds += end - began;
    }

    fn rate(&self) -> f64 {
        self.rounds as f64 / self.seconds
    }
}

/// Rounds a second of processor time on one core, round by round and by tables, if there are any.
fn rates(plan: &Plan, seconds: f64) -> (f64, Option<f64>) {
    let at_once = (AT_ONCE / plan.play_by_rounds(0..1).rounds.max(1)).max(1);
    let new = || Clock { next: 0, at_once, rounds: 0, seconds: 0.0 };
    let (mut by_rounds, mut by_tables) = (new(), new());
    let play_by_rounds = |shoes| plan.play_by_rounds(shoes).rounds;
    let play_by_tables = |shoes| plan.play_by_tables(shoes).map_or(0, |tally| tally.rounds);
    let has_tables = play_by_tables(0..1) > 0;
    if has_tables {
        by_tables.play(seconds, play_by_tables);
        by_tables = Clock { rounds: 0, seconds: 0.0, ..by_tables };
    }
    for _ in 0..2 {
        by_rounds.play(seconds, play_by_rounds);
        if has_tables {
            by_tables.play(seconds, play_by_tables);
        }
    }
    (by_rounds.rate(), has_tables.then(|| by_tables.rate()))
}

/// How much sooner all cores are done with so many rounds than one, on the wall.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn sooner(plan: &Plan, rounds: f64, cores: usize) -> f64 {
    let stop = Stop { rounds: Some(rounds as u64), ..Stop::default() };
    let elapsed = |threads| {
        let began = Instant::now();
        run(plan, threads, (Tally::default(), 0), stop, |_| true);
        began.elapsed().as_secs_f64()
    };
    elapsed(1) / elapsed(cores)
}
