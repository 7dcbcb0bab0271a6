//! How many guests come in from where.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// The most addresses that guests come from in a minute.
pub const MOST_ADDRESSES: usize = 4096;

/// Who has let guests in, and how many since when.
#[derive(Debug, Default)]
pub(crate) struct Door(HashMap<IpAddr, (Instant, u32)>);

impl Door {
    /// Whether one more guest may come in from an address, of so many a minute.
    pub(crate) fn allows(&mut self, address: IpAddr, most: u32, now: Instant) -> bool {
        self.0.retain(|_, (since, _)| now.duration_since(*since) < Duration::from_secs(60));
        if self.0.len() >= MOST_ADDRESSES && !self.0.contains_key(&address) {
            return false;
        }
        let (_, guests) = self.0.entry(address).or_insert((now, 0));
        *guests += 1;
        *guests <= most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_from_one_address_waits_a_minute() {
        let (mut door, now) = (Door::default(), Instant::now());
        let [one, other] = [1, 2].map(|last| IpAddr::from([127, 0, 0, last]));
        assert!((0..30).all(|_| door.allows(one, 30, now)));
        assert!(!door.allows(one, 30, now) && door.allows(other, 30, now));
        assert!(door.allows(one, 30, now + Duration::from_secs(60)));
        assert_eq!(door.0.len(), 1);
    }
}
