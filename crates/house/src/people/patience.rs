//! Wrong passwords: how many there were, and how long to wait for the next attempt.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::{Duration, Instant};

/// The tries at one account from one address that cost nothing.
pub const TRIES_AT_AN_ACCOUNT: u32 = 5;

/// The tries at any account from one address that cost nothing.
pub const TRIES_OF_AN_ADDRESS: u32 = 50;

/// After so long an address has one of them again.
pub const TRY_OF_AN_ADDRESS: Duration = Duration::from_secs(60 * 60 / TRIES_OF_AN_ADDRESS as u64);

/// The wait after the first try too many; every further one doubles it.
pub const FIRST_WAIT: Duration = Duration::from_secs(1);

/// The longest wait for one account from one address.
pub const LONGEST_WAIT: Duration = Duration::from_secs(15 * 60);

/// The longest wait of an address for any account: it may be shared by many people.
pub const LONGEST_WAIT_OF_AN_ADDRESS: Duration = Duration::from_secs(30);

/// After so long without a try the earlier ones are forgotten.
pub const FORGOTTEN: Duration = Duration::from_secs(60 * 60);

/// The most of whom failures are remembered; beyond that, whoever tried least is forgotten, and of those
/// whoever tried longest ago.
pub const MOST_REMEMBERED: usize = 10_000;

/// The tries of each.
#[derive(Debug)]
pub struct Patience<K> {
    free: u32,
    longest: Duration,
    /// After so long one try is forgotten, whatever comes meanwhile.
    each: Duration,
    tries: HashMap<K, Tries>,
}

/// The tries of somebody.
#[derive(Clone, Copy, Debug)]
struct Tries {
    count: u32,
    last: Instant,
    /// Up to when tries were forgotten one by one.
    forgotten_to: Instant,
}

impl Tries {
    /// What is left of them after a while.
    fn at(self, now: Instant, each: Duration) -> Tries {
        let Tries { count, last, forgotten_to } = self;
        let waited = now.duration_since(forgotten_to);
        let forgotten = u32::try_from(waited.as_nanos() / each.as_nanos()).unwrap_or(u32::MAX);
        match forgotten < count && now.duration_since(last) < FORGOTTEN {
            true => {
                let (count, forgotten_to) = (count - forgotten, forgotten_to + each * forgotten);
                Tries { count, last, forgotten_to }
            }
            false => Tries { count: 0, last, forgotten_to: now },
        }
    }
}

impl<K: Clone + Eq + Hash> Patience<K> {
    /// Nobody has tried anything. Everybody has so many tries that cost nothing, then waits for so long at
    /// most, and after so long has one more.
    pub fn new(free: u32, longest: Duration, each: Duration) -> Patience<K> {
        Patience { free, longest, each, tries: HashMap::new() }
    }

    /// Takes a try that has not succeeded yet, or says how long to wait before the next one.
    ///
    /// The try counts before its password is read, so that many at once are no way around.
    pub fn take(&mut self, who: K, now: Instant) -> Result<(), Duration> {
        if self.tries.len() >= MOST_REMEMBERED && !self.tries.contains_key(&who) {
            self.make_room(now);
        }
        let (free, longest, each) = (self.free, self.longest, self.each);
        let new = Tries { count: 0, last: now, forgotten_to: now };
        let tries = self.tries.entry(who).or_insert(new);
        *tries = tries.at(now, each);
        let since = now.duration_since(tries.last);
        let wait = wait_after(tries.count.checked_sub(free), longest);
        if since < wait {
            return Err(wait - since);
        }
        tries.count = tries.count.saturating_add(1);
        tries.last = now;
        Ok(())
    }

    fn make_room(&mut self, now: Instant) {
        self.tries.retain(|_, tries| now.duration_since(tries.last) < FORGOTTEN);
        if self.tries.len() >= MOST_REMEMBERED {
            let oldest = self.tries.iter().min_by_key(|(_, tries)| (tries.count, tries.last));
            let oldest = oldest.map(|(who, _)| who.clone());
            oldest.map(|who| self.tries.remove(&who));
        }
    }

    /// Takes back a try that has succeeded, or was not made; earlier ones count.
    pub fn give_back(&mut self, who: &K) {
        if let Some(tries) = self.tries.get_mut(who) {
            tries.count = tries.count.saturating_sub(1);
        }
    }

    /// Forgets every try of whoever has succeeded.
    pub fn forget(&mut self, who: &K) {
        self.tries.remove(who);
    }
}

/// How long to wait after so many tries too many.
fn wait_after(too_many: Option<u32>, longest: Duration) -> Duration {
    match too_many {
        None => Duration::ZERO,
        Some(more) => FIRST_WAIT.saturating_mul(1 << more.min(20)).min(longest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_an_account<K: Clone + Eq + Hash>() -> Patience<K> {
        Patience::new(TRIES_AT_AN_ACCOUNT, LONGEST_WAIT, FORGOTTEN)
    }

    #[test]
    fn the_wait_grows_and_is_forgotten() {
        let (mut patience, mut now) = (of_an_account(), Instant::now());
        assert!((0..TRIES_AT_AN_ACCOUNT).all(|_| patience.take("ann", now).is_ok()));
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
        assert!((0..TRIES_AT_AN_ACCOUNT).all(|_| patience.take("ann", now + FORGOTTEN).is_ok()));
        patience.forget(&"ann");
        assert!((0..TRIES_AT_AN_ACCOUNT).all(|_| patience.take("ann", now).is_ok()));
        patience.give_back(&"ann");
        assert!(patience.take("ann", now).is_ok() && patience.take("ann", now).is_err());
    }

    fn of_an_address() -> Patience<&'static str> {
        Patience::new(TRIES_OF_AN_ADDRESS, LONGEST_WAIT_OF_AN_ADDRESS, TRY_OF_AN_ADDRESS)
    }

    #[test]
    fn an_address_where_somebody_always_errs_does_not_wait_for_ever() {
        let (mut patience, now) = (of_an_address(), Instant::now());
        // Forty an hour, day and night: fewer than are forgotten.
        let ninety = Duration::from_secs(90);
        assert!((0..1000).all(|number| patience.take("home", now + ninety * number).is_ok()));
        // Sixty an hour are more than that, and wait now and then.
        let minute = Duration::from_secs(60);
        assert!((0..1000).all(|number| patience.take("office", now + minute * number).is_ok()));
        let later = now + minute * 1000;
        let burst = (0..100).filter(|_| patience.take("office", later).is_ok()).count();
        assert!(burst < 50, "{burst}");
    }

    #[test]
    fn an_address_that_many_share_waits_half_a_minute_at_most() {
        let (mut patience, mut now) = (of_an_address(), Instant::now());
        assert!((0..TRIES_OF_AN_ADDRESS).all(|_| patience.take("home", now).is_ok()));
        for wait in [1, 2, 4, 8, 16, 30, 30] {
            let wait = Duration::from_secs(wait);
            assert_eq!(patience.take("home", now), Err(wait));
            now += wait;
            patience.take("home", now).unwrap();
        }
    }

    #[test]
    fn only_so_many_are_remembered_and_nobody_new_waits_for_that() {
        let (mut patience, now) = (of_an_account(), Instant::now());
        let later = now + FIRST_WAIT;
        assert!(patience.take(0, now).is_ok());
        assert!((1..MOST_REMEMBERED).all(|who| patience.take(who, later).is_ok()));
        assert!(patience.take(MOST_REMEMBERED, later).is_ok());
        assert_eq!(patience.tries.len(), MOST_REMEMBERED);
        assert!(!patience.tries.contains_key(&0), "who tried longest ago is forgotten");
        assert!(patience.take(0, later + FORGOTTEN).is_ok());
        assert_eq!(patience.tries.len(), 1);
    }
}
