//! What the program of a node runs on: it may be paused, and be killed.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

/// How often a paused program is looked at.
const LOOKED_EVERY: Duration = Duration::from_millis(200);

/// Where a run of a node's program is. Whatever the program wants of the world waits while that is
/// paused, and is never done once it is killed.
#[derive(Clone)]
pub(super) struct Machine {
    /// The node.
    pub(super) name: &'static str,
    /// Which run of a program this is, of all in the seed.
    pub(super) run: u64,
    state: Arc<Mutex<State>>,
    is_killed: Arc<Notify>,
}

#[derive(Clone, Copy)]
struct State {
    paused_until: Instant,
    died: Option<Instant>,
}

impl Machine {
    pub(super) fn new(name: &'static str, run: u64) -> Machine {
        let state = State { paused_until: Instant::now(), died: None };
        Machine { name, run, state: Arc::new(Mutex::new(state)), is_killed: Arc::default() }
    }

    fn state(&self) -> State {
        *self.state.lock().unwrap()
    }

    /// Stops the program where it is, for so long.
    pub(super) fn pause(&self, time: Duration) {
        let mut state = self.state.lock().unwrap();
        state.paused_until = state.paused_until.max(Instant::now() + time);
    }

    /// Lets it go on.
    pub(super) fn wake(&self) {
        self.state.lock().unwrap().paused_until = Instant::now();
    }

    pub(super) fn kill(&self) {
        self.state.lock().unwrap().died = Some(Instant::now());
        self.is_killed.notify_waiters();
    }

    /// Whether it was killed by then.
    pub(super) fn is_dead_at(&self, when: Instant) -> bool {
        self.state().died.is_some_and(|died| died <= when)
    }

    pub(super) fn is_dead(&self) -> bool {
        self.state().died.is_some()
    }

    /// Until when it is paused.
    pub(super) fn paused_until(&self) -> Instant {
        self.state().paused_until
    }

    /// Waits until the program goes on.
    pub(super) async fn awake(&self) {
        loop {
            let (State { paused_until, died }, now) = (self.state(), Instant::now());
            if died.is_some() {
                std::future::pending::<()>().await;
            }
            if paused_until <= now {
                return;
            }
            sleep_until(paused_until.min(now + LOOKED_EVERY)).await;
        }
    }

    /// Waits until it is killed.
    pub(super) async fn died(&self) {
        let killed = self.is_killed.notified();
        if !self.is_dead() {
            killed.await;
        }
    }
}
