//! The threads that find what decisions are worth. Neither a table nor a request computes it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tokio::sync::oneshot;

/// Questions that may wait for a thread; further ones are refused.
pub const MOST_QUESTIONS: usize = 64;

/// The most threads that answer at tables; at least one, and half of the processors beyond that.
pub const MOST_THREADS: usize = 8;

type Job = Box<dyn FnOnce() + Send>;

/// A few threads, and the questions that wait for them. They end with it.
pub(crate) struct Pool {
    jobs: SyncSender<Job>,
}

/// Why a question has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoAnswer {
    /// Too many wait.
    Busy,
    /// It was no longer of use when its turn came.
    Stale,
    /// The program failed.
    Failed,
}

impl Pool {
    /// Threads with a name.
    pub(crate) fn new(name: &str, threads: usize) -> Pool {
        let (jobs, waiting) = sync_channel(MOST_QUESTIONS);
        let waiting = Arc::new(Mutex::new(waiting));
        for number in 0..threads {
            let waiting = waiting.clone();
            let thread = thread::Builder::new().name(format!("{name}-{number}"));
            // Without a thread every question is refused.
            let work = move || {
                step_back();
                work(&waiting);
            };
            if let Err(why) = thread.spawn(work) {
                tracing::error!(what = name, %why, "a thread that finds odds cannot be started");
            }
        }
        Pool { jobs }
    }

    /// Finds an answer, unless nobody waits for it any more or it is of no use when its turn comes.
    pub(crate) async fn find<T: Send + 'static>(
        &self,
        is_wanted: impl FnOnce() -> bool + Send + 'static,
        find: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, NoAnswer> {
        let (answer, answered) = oneshot::channel();
        let job = move || {
            if !answer.is_closed() {
                let _ = answer.send(is_wanted().then(find));
            }
        };
        self.jobs.try_send(Box::new(job)).map_err(|_| NoAnswer::Busy)?;
        match answered.await {
            Ok(Some(found)) => Ok(found),
            Ok(None) => Err(NoAnswer::Stale),
            Err(_) => Err(NoAnswer::Failed),
        }
    }
}

/// How much lower the priority of these threads is: tables come first.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Gives way to tables and requests where there are too few processors for all.
fn step_back() {
    // On Linux this is about the thread that calls.
    #[cfg(target_os = "linux")]
    if let Err(why) = rustix::process::setpriority_process(None, NICENESS) {
        tracing::debug!(%why, "the priority of a thread that finds odds cannot be lowered");
    }
}

/// Does one job after the other until the pool is gone. A job that fails ends neither.
fn work(waiting: &Mutex<Receiver<Job>>) {
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match next {
            Ok(job) => drop(catch_unwind(AssertUnwindSafe(job))),
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn an_answer_that_fails_or_is_of_no_use_leaves_the_pool_at_work() {
        let pool = Pool::new("test", MOST_THREADS);
        assert_eq!(pool.find(|| true, || 7).await, Ok(7));
        assert_eq!(pool.find(|| false, || 7).await, Err(NoAnswer::Stale));
        let fails = || -> u8 { std::panic::resume_unwind(Box::new("a mistake")) };
        for _ in 0..2 * MOST_THREADS {
            assert_eq!(pool.find(|| true, fails).await, Err(NoAnswer::Failed));
        }
        assert_eq!(pool.find(|| true, || 8).await, Ok(8));
    }

    /// What nobody waits for any more is not computed, and what is too much is refused at once.
    #[tokio::test]
    async fn no_more_waits_than_it_takes_and_whoever_goes_away_costs_nothing() {
        let pool = Arc::new(Pool::new("test", MOST_THREADS));
        let (done, doing) = mpsc::channel();
        let (open, gate) = mpsc::channel::<()>();
        let gate = Arc::new(Mutex::new(gate));
        let mut asked = Vec::new();
        let mut busy = 0;
        for number in 0..MOST_QUESTIONS + 2 * MOST_THREADS {
            let (pool, gate, done) = (pool.clone(), gate.clone(), done.clone());
            let mut question = Box::pin(async move {
                let wait = move || drop(gate.lock().map(|gate| gate.recv()));
                pool.find(|| true, move || (wait(), done.send(number).unwrap())).await
            });
            // Asked, and not waited for.
            let found = tokio::time::timeout(Duration::from_millis(1), &mut question).await;
            match found {
                Ok(found) => busy += usize::from(found.err() == Some(NoAnswer::Busy)),
                Err(_) => asked.push(question),
            }
        }
        assert!(busy > 0 && asked.len() >= MOST_QUESTIONS, "{busy} {}", asked.len());
        let begun = asked.len() - MOST_QUESTIONS;
        drop(asked);
        drop(open);
        while pool.find(|| true, || 9).await == Err(NoAnswer::Busy) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        drop(pool);
        drop(done);
        assert_eq!(doing.iter().count(), begun);
    }
}
