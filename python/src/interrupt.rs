//! Long work that Ctrl-C ends.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use pyo3::prelude::*;

/// How long a signal can wait.
const PAUSE: Duration = Duration::from_millis(50);

/// Whether work has become needless.
#[derive(Clone, Default)]
pub(crate) struct Stopped(Arc<AtomicBool>);

impl Stopped {
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Works in a thread of its own, without the interpreter's lock, while this one hears signals.
///
/// After Ctrl-C the call ends at once. The work ends by itself, between two steps if it asks whether
/// it is stopped. Where the system allows no other thread, this one works, and hears signals afterwards.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Stopped) -> T + Send + 'static,
) -> PyResult<T> {
    let stopped = Stopped::default();
    let (sender, result) = mpsc::channel();
    let work = Arc::new(Mutex::new(Some(work)));
    let begin = {
        let stopped = stopped.clone();
        move || {
            let work = work.lock().unwrap_or_else(PoisonError::into_inner).take();
            // Nobody waits any more for work that was stopped.
            work.and_then(|work| sender.send(work(&stopped)).ok()).unwrap_or_default();
        }
    };
    let Ok(worker) = Builder::new().spawn(begin.clone()) else {
        py.detach(begin);
        return Ok(result.recv().expect("work that ends well sends a result"));
    };
    drop(begin);
    py.detach(move || {
        loop {
            match result.recv_timeout(PAUSE) {
                Ok(result) => return Ok(result),
                Err(RecvTimeoutError::Timeout) => {
                    let heard = Python::attach(|py| py.check_signals());
                    if heard.is_err() {
                        stopped.0.store(true, Ordering::Relaxed);
                    }
                    heard?;
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let failure = worker.join().expect_err("work that ends well sends a result");
                    resume_unwind(failure)
                }
            }
        }
    })
}
