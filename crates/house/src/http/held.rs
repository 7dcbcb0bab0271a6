//! Answers that hold for a while, because anybody may ask for them and finding one is work.

use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::Instant;

/// How long such an answer holds.
pub const HELD_FOR: Duration = Duration::from_secs(1);

/// The last answer, and when it was found.
#[derive(Debug)]
pub(crate) struct Held<T>(Mutex<Option<(Instant, T)>>);

impl<T> Default for Held<T> {
    fn default() -> Held<T> {
        Held(Mutex::default())
    }
}

impl<T: Clone> Held<T> {
    /// The last answer, found again if it no longer holds: once for all who wait.
    pub(crate) async fn or(&self, find: impl Future<Output = T>) -> T {
        let mut last = self.0.lock().await;
        match &*last {
            Some((at, found)) if at.elapsed() < HELD_FOR => found.clone(),
            _ => {
                let found = find.await;
                *last = Some((Instant::now(), found.clone()));
                found
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_thousand_who_ask_at_once_find_it_once_a_second() {
        let (held, found) = (Held::default(), Cell::new(0));
        let ask = async || {
            held.or(async {
                tokio::time::sleep(HELD_FOR / 10).await;
                found.set(found.get() + 1);
                found.get()
            })
            .await
        };
        let asked = (0..1000).map(|_| ask());
        let answers = futures_util::future::join_all(asked).await;
        assert!(answers.iter().all(|answer| *answer == 1));
        tokio::time::sleep(HELD_FOR / 2).await;
        assert_eq!(ask().await, 1);
        tokio::time::sleep(HELD_FOR).await;
        assert_eq!((ask().await, ask().await), (2, 2));
    }
}
