//! Runs of many shoes, on all cores, until enough is known.

use std::collections::BTreeMap;
use std::ops::Range;
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
    let (mut tally, first_shoe) = before;
    let (block, mut next_shoe) = (shoes_at_a_time(plan), first_shoe);
    in_blocks(
        threads,
        (first_shoe, block),
        |shoes| plan.play(shoes),
        |part| {
            tally.add(&part);
            next_shoe += block;
            let time = began.elapsed();
            let is_over = stop.is_reached(plan, &tally, time);
            tell(Progress { tally: &tally, next_shoe, time, is_over }) && !is_over
        },
    );
    (tally, next_shoe)
}

/// The same, and tells what each shoe came to, one after the other.
pub fn run_by_shoe(
    plan: &Plan,
    threads: usize,
    before: (Tally, u64),
    stop: Stop,
    mut tell: impl FnMut(u64, &Tally) -> bool,
) -> (Tally, u64) {
    let began = Instant::now();
    let (mut tally, first_shoe) = before;
    let (block, mut next_shoe) = (shoes_at_a_time(plan), first_shoe);
    in_blocks(
        threads,
        (first_shoe, block),
        |shoes| plan.play_each(shoes),
        |shoes| {
            for one in shoes {
                tally.add(&one);
                next_shoe += 1;
                let is_over = stop.is_reached(plan, &tally, began.elapsed());
                if !tell(next_shoe - 1, &one) || is_over {
                    return false;
                }
            }
            true
        },
    );
    (tally, next_shoe)
}

/// Has blocks of shoes played on several threads, and takes what they came to in their order until
/// it has enough.
fn in_blocks<T: Send>(
    threads: usize,
    (first_shoe, block): (u64, u64),
    play: impl Fn(Range<u64>) -> T + Sync,
    mut take: impl FnMut(T) -> bool,
) {
    let next_block = AtomicU64::new(0);
    let enough = AtomicBool::new(false);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::sync_channel(2 * threads.max(1));
        for _ in 0..threads.max(1) {
            let sender = sender.clone();
            let (next_block, enough, play) = (&next_block, &enough, &play);
            scope.spawn(move || {
                while !enough.load(Ordering::Relaxed) {
                    let number = next_block.fetch_add(1, Ordering::Relaxed);
                    let from = first_shoe + number * block;
                    if sender.send((number, play(from..from + block))).is_err() {
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
                awaited += 1;
                if !take(part) {
                    enough.store(true, Ordering::Relaxed);
                    break 'all;
                }
            }
        }
        drop(receiver);
    });
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
