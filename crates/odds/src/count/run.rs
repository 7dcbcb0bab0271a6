//! Shoes counted on all cores.

use std::time::{Duration, Instant};

use super::tags::TableCount;
use super::tally::CountTally;
use crate::simulate::{Plan, in_blocks, shoes_at_a_time};

/// Rounds that one worker plays at a time.
const ROUNDS_AT_A_TIME: u64 = 100_000;

/// Plays shoes of a plan from the first one on until there are enough rounds, and tells how far it is
/// after every block of shoes; it ends early where the answer is false.
///
/// Only whole blocks are played, and their size follows from the plan, so the result does not depend
/// on the number of threads.
pub fn run(
    plan: &Plan,
    count: &TableCount,
    threads: usize,
    rounds: u64,
    mut tell: impl FnMut(&CountTally, Duration) -> bool,
) -> CountTally {
    let (began, mut all) = (Instant::now(), CountTally::default());
    let block = shoes_at_a_time(plan, ROUNDS_AT_A_TIME.min(rounds));
    in_blocks(
        threads,
        (0, block),
        |shoes| plan.play_counting(count, shoes),
        |part| {
            all.add(&part);
            tell(&all, began.elapsed()) && all.rounds < rounds
        },
    );
    all
}
