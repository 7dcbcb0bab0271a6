//! Who has tried a password too often, and how long they wait.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::{Duration, Instant};

/// The tries at one account that cost nothing.
pub const TRIES_OF_AN_ACCOUNT: u32 = 5;

/// The tries from one address that cost nothing.
pub const TRIES_OF_AN_ADDRESS: u32 = 20;

/// The wait after the first try too many; every further one doubles it.
pub const FIRST_WAIT: Duration = Duration::from_secs(1);

/// The longest wait.
pub const LONGEST_WAIT: Duration = Duration::from_secs(15 * 60);

/// After so long without a try the earlier ones are forgotten.
pub const FORGOTTEN: Duration = Duration::from_secs(60 * 60);

/// The most of whom failures are remembered; whoever is further is made to wait.
pub const MOST_REMEMBERED: usize = 10_000;

/// The tries of each, and when the last one was.
#[derive(Debug)]
pub struct Patience<K> {
    free: u32,
    tries: HashMap<K, (u32, Instant)>,
}

impl<K: Eq + Hash> Patience<K> {
    /// Nobody has tried anything, and everybody has so many tries that cost nothing.
    pub fn new(free: u32) -> Patience<K> {
        Patience { free, tries: HashMap::new() }
    }

    /// Takes a try that has not succeeded yet, or says how long to wait before the next one.
    ///
    /// The try counts before its password is read, so that many at once are no way around.
    pub fn take(&mut self, who: K, now: Instant) -> Result<(), Duration> {
        if self.tries.len() >= MOST_REMEMBERED && !self.tries.contains_key(&who) {
            self.tries.retain(|_, (_, last)| now.duration_since(*last) < FORGOTTEN);
            if self.tries.len() >= MOST_REMEMBERED {
                return Err(FIRST_WAIT);
            }
        }
        let free = self.free;
        let (tries, last) = self.tries.entry(who).or_insert((0, now));
        let since = now.duration_since(*last);
        if since >= FORGOTTEN {
            *tries = 0;
        }
        let wait = wait_after(tries.checked_sub(free));
        if since < wait {
            return Err(wait - since);
        }
        *tries = tries.saturating_add(1);
        *last = now;
        Ok(())
    }

    /// Takes back a try that has succeeded; earlier ones count.
    pub fn give_back(&mut self, who: &K) {
        if let Some((tries, _)) = self.tries.get_mut(who) {
            *tries = tries.saturating_sub(1);
        }
    }

    /// Forgets every try of whoever has succeeded.
    pub fn forget(&mut self, who: &K) {
        self.tries.remove(who);
    }
}

/// How long to wait after so many tries too many.
fn wait_after(too_many: Option<u32>) -> Duration {
    match too_many {
        None => Duration::ZERO,
        Some(more) => FIRST_WAIT.saturating_mul(1 << more.min(20)).min(LONGEST_WAIT),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_grows_and_is_forgotten() {
        let (mut patience, mut now) = (Patience::new(TRIES_OF_AN_ACCOUNT), Instant::now());
        assert!((0..TRIES_OF_AN_ACCOUNT).all(|_| patience.take("ann", now).is_ok()));
        let mut waits = Vec::new();
        for _ in 0..12 {
            let wait = patience.take("ann", now).unwrap_err();
            assert!(patience.take("ann", now + wait / 2).is_err());
            waits.push(wait.as_secs());
            now += wait;
            patience.take("ann", now).unwrap();
        }
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
        assert!(patience.take("bob", now).is_ok());
        assert!(patience.take("ann", now).is_err());
        assert!((0..TRIES_OF_AN_ACCOUNT).all(|_| patience.take("ann", now + FORGOTTEN).is_ok()));
        patience.forget(&"ann");
        assert!((0..TRIES_OF_AN_ACCOUNT).all(|_| patience.take("ann", now).is_ok()));
        patience.give_back(&"ann");
        assert!(patience.take("ann", now).is_ok() && patience.take("ann", now).is_err());
    }

    #[test]
    fn only_so_many_are_remembered() {
        let (mut patience, now) = (Patience::new(TRIES_OF_AN_ACCOUNT), Instant::now());
        assert!((0..MOST_REMEMBERED).all(|who| patience.take(who, now).is_ok()));
        assert_eq!(patience.take(MOST_REMEMBERED, now), Err(FIRST_WAIT));
        assert!(patience.take(0, now).is_ok());
        assert!(patience.take(MOST_REMEMBERED, now + FORGOTTEN).is_ok());
        assert_eq!(patience.tries.len(), 1);
    }
}
