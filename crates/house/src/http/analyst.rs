//! Whoever knows what decisions are worth, and how often it is asked.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rules::table::Name;

use super::error::HttpError;
use crate::analysis::{Analysis, MOST_THREADS, NoAnswer, Pool};

/// Questions that one person may ask in a second.
pub const QUESTIONS_A_SECOND: u32 = 5;

/// The most people whose questions are counted; those who asked in this second are.
const MOST_ASKERS: usize = 1024;

/// Whoever knows what decisions are worth, and the threads that find it.
pub(crate) struct Analyst {
    pub(super) analysis: Arc<dyn Analysis>,
    pub(super) pool: Pool,
    /// A thread for rounds that are over: whoever is asked at a table never waits for them.
    pub(super) reviews: Pool,
    /// Whose rounds are being reviewed.
    reviewed: Mutex<HashSet<Name>>,
    askers: Askers,
}

/// How often each person asks.
#[derive(Default)]
pub(super) struct Askers {
    /// Since when each person asked how often, within a second.
    asked: Mutex<HashMap<Name, (Instant, u32)>>,
}

impl Analyst {
    pub(crate) fn new(analysis: Arc<dyn Analysis>) -> Analyst {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let threads = (processors / 2).clamp(1, MOST_THREADS);
        Analyst {
            analysis,
            pool: Pool::new("coach", threads),
            reviews: Pool::new("review", 1),
            reviewed: Mutex::default(),
            askers: Askers::default(),
        }
    }

    /// Lets one review of a person's rounds begin, while no other one is under way.
    pub(super) fn reviews_for(&self, person: &Name) -> Result<ReviewTurn<'_>, HttpError> {
        let mut reviewed = self.reviewed.lock().unwrap_or_else(PoisonError::into_inner);
        match reviewed.insert(person.clone()) {
            true => Ok(ReviewTurn { analyst: self, person: person.clone() }),
            false => Err(HttpError::wait(
                1,
                "review-in-progress",
                "Another review of your rounds is not finished yet.",
            )),
        }
    }

    /// Counts a question, and refuses one too many.
    pub(super) fn admit(&self, person: &Name) -> Result<(), HttpError> {
        self.askers.admit(person)
    }
}

impl Askers {
    /// Counts a question, and refuses one too many.
    pub(super) fn admit(&self, person: &Name) -> Result<(), HttpError> {
        let now = Instant::now();
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let is_past = |since: &Instant| now.duration_since(*since) >= Duration::from_secs(1);
        if asked.len() >= MOST_ASKERS {
            asked.retain(|_, (since, _)| !is_past(since));
        }
        if asked.len() >= MOST_ASKERS && !asked.contains_key(person) {
            return Err(busy());
        }
        let rate = asked.entry(person.clone()).or_insert((now, 0));
        if is_past(&rate.0) {
            *rate = (now, 0);
        }
        rate.1 += 1;
        match rate.1 <= QUESTIONS_A_SECOND {
            true => Ok(()),
            false => Err(HttpError::wait(
                1,
                "too-many-questions",
                format!("The coach answers at most {QUESTIONS_A_SECOND} questions a second."),
            )),
        }
    }
}

/// The turn of one person's review, until it is dropped.
pub(super) struct ReviewTurn<'a> {
    analyst: &'a Analyst,
    person: Name,
}

impl Drop for ReviewTurn<'_> {
    fn drop(&mut self) {
        let reviewed = self.analyst.reviewed.lock();
        reviewed.unwrap_or_else(PoisonError::into_inner).remove(&self.person);
    }
}

fn busy() -> HttpError {
    HttpError::unavailable("coach-busy", "The coach is busy. Try again.")
}

impl From<NoAnswer> for HttpError {
    fn from(why: NoAnswer) -> HttpError {
        match why {
            NoAnswer::Busy => busy(),
            NoAnswer::Stale => HttpError::conflict(
                "decision-over",
                "The table has moved on. Ask again when you are asked.",
            ),
            NoAnswer::Failed => {
                HttpError::unavailable("coach-failed", "The coach failed at this position.")
            }
        }
    }
}
