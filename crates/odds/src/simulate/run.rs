//! Runs of many shoes on all cores.

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use super::plan::Plan;
use super::tally::Tally;

/// When a run ends: at the first limit reached.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stop {
    /// After the shoe that reaches this many rounds.
    pub rounds: Option<u64>,
    /// After this many shoes.
    pub shoes: Option<u64>,
    /// After this time.
    pub time: Option<Duration>,
    /// Once the standard error of the main wager is this small.
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
/// The same if every shoe is reported, so that few wait to be.
const ROUNDS_BY_SHOE: u64 = 20_000;

/// Continues a run from a shoe on, and reports its progress.
///
/// The result is that of a range of shoes, whatever the number of threads: shoes beyond the end that
/// another thread has played are left out. Answers with the result and the next shoe.
pub fn run(
    plan: &Plan,
    threads: usize,
    before: (Tally, u64),
    stop: Stop,
    tell: impl FnMut(Progress<'_>) -> bool,
) -> (Tally, u64) {
    let mut run = Run { plan, stop, began: Instant::now(), played: before, tell };
    let block = shoes_at_a_time(plan, ROUNDS_AT_A_TIME);
    let first_shoe = run.played.1;
    if !stop.has_enough(&run.played.0) {
        in_blocks(threads, (first_shoe, block), |shoes| plan.play(shoes), |part| run.take(&part));
    }
    run.played
}

/// The same, and reports each shoe in order until `each` answers false.
pub fn run_by_shoe(
    plan: &Plan,
    threads: usize,
    before: (Tally, u64),
    stop: Stop,
    mut each: impl FnMut(u64, &Tally) -> bool,
    mut tell: impl FnMut(Progress<'_>),
) -> (Tally, u64) {
    let tell = |progress: Progress<'_>| {
        tell(progress);
        true
    };
    let mut run = Run { plan, stop, began: Instant::now(), played: before, tell };
    let block = shoes_at_a_time(plan, ROUNDS_BY_SHOE);
    let first_shoe = run.played.1;
    if !stop.has_enough(&run.played.0) {
        let play = |shoes| plan.play_each(shoes);
        in_blocks(threads, (first_shoe, block), play, |shoes| run.take_each(&shoes, &mut each));
    }
    run.played
}

/// The same, played in large blocks one after the other by something faster than this processor.
///
/// The last block is played again in halves until its last shoe is the one that the run ends with.
pub fn run_in_blocks<E>(
    plan: &Plan,
    before: (Tally, u64),
    stop: Stop,
    mut play: impl FnMut(Range<u64>) -> Result<Tally, E>,
    tell: impl FnMut(Progress<'_>) -> bool,
) -> Result<(Tally, u64), E> {
    let mut run = Run { plan, stop, began: Instant::now(), played: before, tell };
    let mut block = shoes_at_a_time(plan, ROUNDS_AT_A_TIME);
    let (mut is_ending, mut goes_on) = (false, !stop.has_enough(&run.played.0));
    while goes_on {
        let (began, from) = (Instant::now(), run.played.1);
        let part = play(from..from.saturating_add(block))?;
        if stop.is_passed(&run.played.0, &part) && block > 1 {
            (is_ending, block) = (true, block / 2);
            continue;
        }
        run.played.0.add(&part);
        run.played.1 += part.shoes;
        goes_on = run.goes_on();
        if !is_ending && began.elapsed() < BLOCK_TIME / 2 {
            block *= 2;
        }
    }
    Ok(run.played)
}

/// About how long a large block takes: long enough to be worth it, short enough to stop soon.
const BLOCK_TIME: Duration = Duration::from_millis(400);

/// What has been played, and when it ends.
struct Run<'a, T> {
    plan: &'a Plan,
    stop: Stop,
    began: Instant,
    /// The result so far, and the next shoe.
    played: (Tally, u64),
    tell: T,
}

impl<T: FnMut(Progress<'_>) -> bool> Run<'_, T> {
    /// Adds what a block of shoes came to; the last one is played again shoe by shoe as far as it is
    /// needed. Answers whether the run goes on.
    fn take(&mut self, part: &Tally) -> bool {
        let (tally, next_shoe) = &mut self.played;
        if self.stop.is_passed(tally, part) {
            let shoes = self.plan.play_each(*next_shoe..*next_shoe + part.shoes);
            return self.take_each(&shoes, |_, _| true);
        }
        tally.add(part);
        *next_shoe += part.shoes;
        self.goes_on()
    }

    /// Adds shoes until there are enough, and tells of each. Answers whether the run goes on.
    fn take_each(&mut self, shoes: &[Tally], mut each: impl FnMut(u64, &Tally) -> bool) -> bool {
        let (tally, next_shoe) = &mut self.played;
        for one in shoes {
            tally.add(one);
            *next_shoe += 1;
            if !each(*next_shoe - 1, one) {
                return false;
            }
            if self.stop.has_enough(tally) {
                break;
            }
        }
        self.goes_on()
    }

    fn goes_on(&mut self) -> bool {
        let (tally, next_shoe) = (&self.played.0, self.played.1);
        let time = self.began.elapsed();
        let is_over = self.stop.is_reached(self.plan, tally, time);
        (self.tell)(Progress { tally, next_shoe, time, is_over }) && !is_over
    }
}

/// Has blocks of shoes played on several threads, and takes what they came to in their order until
/// it has enough. A few blocks are played ahead of what is taken, and no more.
///
/// If the system does not allow that many threads, those that it allows play; without any, this one does.
pub(crate) fn in_blocks<T: Send>(
    threads: usize,
    (first_shoe, block): (u64, u64),
    play: impl Fn(Range<u64>) -> T + Sync,
    mut take: impl FnMut(T) -> bool,
) {
    let threads = threads.max(1);
    let (tickets, waiting) = mpsc::channel();
    let waiting = Mutex::new(waiting);
    let (mut early, mut awaited) = (BTreeMap::new(), 0);
    let mut issued = 0..;
    thread::scope(|scope| {
        let (sender, played) = mpsc::channel();
        let shoes_of = move |number: u64| {
            let from = first_shoe + number * block;
            from..from + block
        };
        let begins = |_: &usize| {
            let (sender, waiting, play) = (sender.clone(), &waiting, &play);
            let work = move || {
                let next = || waiting.lock().expect("no worker fails").recv();
                while let Ok(number) = next() {
                    let part = catch_unwind(AssertUnwindSafe(|| play(shoes_of(number))));
                    if sender.send((number, part)).is_err() {
                        return;
                    }
                }
            };
            thread::Builder::new().spawn_scoped(scope, work).is_ok()
        };
        let threads = (0..threads).take_while(begins).count();
        if threads == 0 {
            while issued.next().is_some_and(|number| take(play(shoes_of(number)))) {}
            return;
        }
        for number in issued.by_ref().take(3 * threads) {
            let _ = tickets.send(number);
        }
        'all: for (number, part) in &played {
            // A worker's failure ends the run, instead of being waited for.
            early.insert(number, part.unwrap_or_else(|failure| resume_unwind(failure)));
            while let Some(part) = early.remove(&awaited) {
                awaited += 1;
                if !take(part) {
                    break 'all;
                }
                issued.next().map(|number| tickets.send(number));
            }
        }
        drop(tickets);
        drop(played);
    });
}

/// The number of shoes that have about this many rounds.
pub(crate) fn shoes_at_a_time(plan: &Plan, rounds: u64) -> u64 {
    let few = plan.play(0..1);
    (rounds / few.rounds.max(1)).max(1)
}

impl Stop {
    /// Whether enough has been played.
    pub fn is_reached(&self, plan: &Plan, tally: &Tally, time: Duration) -> bool {
        let unit = plan.setting().main;
        self.has_enough(tally)
            || self.time.is_some_and(|limit| time >= limit)
            || self
                .standard_error
                .is_some_and(|wanted| tally.main.standard_error(unit, tally.rounds) <= wanted)
    }

    /// Whether there are enough rounds or shoes.
    fn has_enough(&self, tally: &Tally) -> bool {
        self.rounds.is_some_and(|rounds| tally.rounds >= rounds)
            || self.shoes.is_some_and(|shoes| tally.shoes >= shoes)
    }

    /// Whether a part has more than is still needed.
    fn is_passed(&self, tally: &Tally, part: &Tally) -> bool {
        self.rounds.is_some_and(|rounds| tally.rounds + part.rounds > rounds)
            || self.shoes.is_some_and(|shoes| tally.shoes + part.shoes > shoes)
    }

    /// An estimate of how many rounds the run will have when it ends.
    pub fn rounds_in_all(&self, plan: &Plan, tally: &Tally, time: Duration) -> Option<u64> {
        let so_far = tally.rounds as f64;
        let by_shoes = self.shoes.map(|shoes| so_far * shoes as f64 / tally.shoes as f64);
        let by_time = self.time.map(|limit| so_far * limit.div_duration_f64(time));
        let by_error = self.standard_error.map(|wanted| {
            let now = tally.main.standard_error(plan.setting().main, tally.rounds);
            so_far * (now / wanted).powi(2)
        });
        let by_rounds = self.rounds.map(|rounds| rounds as f64);
        let all = [by_rounds, by_shoes, by_time, by_error].into_iter().flatten();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        all.reduce(f64::min).map(|rounds| rounds.max(so_far) as u64)
    }
}
