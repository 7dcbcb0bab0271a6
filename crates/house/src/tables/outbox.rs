//! What waits for a client.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use prometheus_client::metrics::counter::Counter;
use tokio::sync::{Notify, mpsc};
use wire::{FromHouse, Refusal};

use crate::metrics::Metrics;

/// Messages that may wait for a client. One more, and the socket is closed; the client may resume.
pub(crate) const MOST_QUEUED: usize = 64;

static SOCKETS: AtomicU64 = AtomicU64::new(0);

/// A number that no other socket of this process has.
pub(crate) fn next_socket() -> u64 {
    SOCKETS.fetch_add(1, Ordering::Relaxed)
}

/// What waits for a client. One message too many, and the client is cut off.
#[derive(Clone)]
pub(crate) struct Outbox {
    queue: mpsc::Sender<FromHouse>,
    overflow: Arc<Notify>,
    again: Arc<Notify>,
    refusals: Counter,
}

impl Outbox {
    /// An empty one, and what waits in it.
    pub(crate) fn new(metrics: &Metrics) -> (Outbox, mpsc::Receiver<FromHouse>) {
        let (queue, waiting) = mpsc::channel(MOST_QUEUED);
        let [overflow, again] = [(); 2].map(|()| Arc::new(Notify::new()));
        let refusals = metrics.refusals();
        (Outbox { queue, overflow, again, refusals }, waiting)
    }

    pub(crate) fn send(&self, message: FromHouse) {
        if self.queue.try_send(message).is_err() {
            self.cut_off();
        }
    }

    /// Answers that something was done.
    pub(crate) fn done(&self, id: String, seq: Option<u64>) {
        self.send(FromHouse::done(id, seq));
    }

    /// Answers that something was not done.
    pub(crate) fn refuse(&self, id: String, refusal: Refusal) {
        self.refusals.inc();
        self.send(FromHouse::refused(id, refusal));
    }

    /// Cuts the client off, which may resume.
    pub(crate) fn cut_off(&self) {
        self.overflow.notify_one();
    }

    /// Whether the client is still there.
    pub(crate) fn is_open(&self) -> bool {
        !self.queue.is_closed()
    }

    /// Has the client watch its table again, and repeat what was not answered: the table has moved, or
    /// something was lost on the way.
    pub(crate) fn watch_again(&self) {
        self.again.notify_one();
    }

    /// Tells when the client is to watch again.
    pub(crate) fn again(&self) -> Arc<Notify> {
        self.again.clone()
    }

    /// Tells when the client is cut off.
    pub(crate) fn overflow(&self) -> Arc<Notify> {
        self.overflow.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_does_not_read_is_cut_off() {
        let (outbox, _waiting) = Outbox::new(&Metrics::default());
        (0..MOST_QUEUED).for_each(|_| outbox.send(FromHouse::Closing));
        let waits = tokio::time::timeout(std::time::Duration::ZERO, outbox.overflow.notified());
        assert!(waits.await.is_err());
        outbox.send(FromHouse::Closing);
        outbox.overflow.notified().await;
    }
}
