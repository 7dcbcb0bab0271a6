//! Whoever explores and drills, and how much of it at a time.

use std::net::IpAddr;
use std::sync::Arc;
use std::thread;

use super::analyst::Askers;
use super::door::{Share, Shares};
use super::error::HttpError;
use crate::analysis::{NoAnswer, Pool, Tutor};

/// Explorations and drills that may be under way at a time.
pub const MOST_STUDIES: usize = 32;

/// Explorations and drills of one address at a time.
pub const MOST_STUDIES_OF_AN_ADDRESS: usize = 4;

/// The most threads that explore and drill; at least one, and a quarter of the processors beyond that.
const MOST_THREADS: usize = 4;

/// Whoever explores and drills, and the threads for it.
pub(crate) struct Studies {
    pub(super) tutor: Arc<dyn Tutor>,
    pub(super) pool: Arc<Pool>,
    pub(super) askers: Askers,
    shares: Arc<Shares>,
}

impl Studies {
    pub(crate) fn new(tutor: Arc<dyn Tutor>) -> Studies {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let pool = Pool::new("tutor", (processors / 4).clamp(1, MOST_THREADS));
        let shares = Shares::new(MOST_STUDIES_OF_AN_ADDRESS, MOST_STUDIES);
        Studies { tutor, pool: Arc::new(pool), askers: Askers::default(), shares }
    }

    /// A share among those who explore and drill.
    pub(super) fn share(&self, from: IpAddr) -> Result<Share, HttpError> {
        self.shares.take(from).ok_or_else(|| {
            let sentence = "Your address is exploring too much at a time. Wait until that is done.";
            HttpError::wait(1, "too-many-studies", sentence)
        })
    }
}

/// Why a study has no answer.
pub(super) fn unanswered(why: NoAnswer) -> HttpError {
    match why {
        NoAnswer::Busy | NoAnswer::Stale => {
            HttpError::unavailable("odds-busy", "Too many explore the odds now. Try again.")
        }
        NoAnswer::Failed => HttpError::unavailable("odds-failed", "The odds could not be found."),
    }
}
