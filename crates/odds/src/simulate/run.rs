//! Runs of many shoes, on all cores, until enough is known.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::plan::Plan;
use super::tally::Tally;

/// When a run ends; the first that is reached ends it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stop {
    /// After so many rounds.
    pub rounds: Option<u64>,
    /// After so long.
    pub time: Option<Duration>,
    /// Once the standard error of the main wager is so small.
    pub standard_error: Option<f64>,
}

/// How far a run has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// What all shoes up to the next one came to.
    pub tally: &'a Tally,
    /// The first shoe that is not in it.
    pub next_shoe: u64,
    /// How long it took.
    pub time: Duration,
    /// Whether this is the end.
    pub is_over: bool,
}

/// Rounds that one worker plays at a time: long enough to be worth it, short enough to stop soon.
const ROUNDS_AT_A_TIME: u64 = 200_000;

/// Plays shoes from a number on, after what has been played before, and tells of its progress.
///
/// The result is that of a range of shoes, whatever the number of threads: shoes beyond the end that
/// another thread has played are left out. Answers with the result and the next shoe.
pub fn run(
    plan: &Plan,
    threads: usize,
    before: (Tally, u64),
    stop: Stop,
    mut tell: impl FnMut(Progress<'_>) -> bool,
) -> (Tally, u64) {
    let began = Instant::now();
    let (mut tally, mut next_shoe) = before;
    let block = shoes_at_a_time(plan);
    let next_block = AtomicU64::new(0);
    let enough = AtomicBool::new(false);
    let first_shoe = next_shoe;
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::sync_channel(2 * threads.max(1));
        for _ in 0..threads.max(1) {
            let sender = sender.clone();
            let (next_block, enough) = (&next_block, &enough);
            scope.spawn(move || {
                while !enough.load(Ordering::Relaxed) {
                    let number = next_block.fetch_add(1, Ordering::Relaxed);
                    let from = first_shoe + number * block;
                    if sender.send((number, plan.play(from..from + block))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let (mut early, mut awaited) = (BTreeMap::new(), 0);
        'all: for (number, part) in &receiver {
            early.insert(number, part);
            while let Some(part) = early.remove(&awaited) {
                tally.add(&part);
                next_shoe += block;
                awaited += 1;
                let time = began.elapsed();
                let is_over = stop.is_reached(plan, &tally, time);
                let goes_on = tell(Progress { tally: &tally, next_shoe, time, is_over });
                if is_over || !goes_on {
                    enough.store(true, Ordering::Relaxed);
                    break 'all;
                }
            }
        }
        drop(receiver);
    });
    (tally, next_shoe)
}

/// So many shoes that a worker is busy for a while.
fn shoes_at_a_time(plan: &Plan) -> u64 {
    let few = plan.play(0..1);
    (ROUNDS_AT_A_TIME / few.rounds.max(1)).max(1)
}

impl Stop {
    /// Whether enough has been played.
    pub fn is_reached(&self, plan: &Plan, tally: &Tally, time: Duration) -> bool {
        let unit = plan.setting().main;
        self.rounds.is_some_and(|rounds| tally.rounds >= rounds)
            || self.time.is_some_and(|limit| time >= limit)
            || self
                .standard_error
                .is_some_and(|wanted| tally.main.standard_error(unit, tally.rounds) <= wanted)
    }
}
