//! How many come from where.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The most addresses that guests come from in a minute.
pub const MOST_ADDRESSES: usize = 4096;

/// The address under which a client is counted: for IPv6 the network of 64 bits, all of which one
/// client has.
pub(crate) fn counted(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let network = address.to_bits() & (u128::MAX << 64);
            IpAddr::V6(Ipv6Addr::from_bits(network))
        }
        address => address,
    }
}

/// How much of something each address has at a time.
#[derive(Debug)]
pub(crate) struct Shares {
    most: usize,
    taken: Mutex<HashMap<IpAddr, usize>>,
}

/// What an address has of something, until it is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    of: Arc<Shares>,
    address: IpAddr,
}

impl Shares {
    /// So many for every address.
    pub(crate) fn new(most: usize) -> Arc<Shares> {
        Arc::new(Shares { most, taken: Mutex::default() })
    }

    /// One more for an address, unless it has as many as it may.
    pub(crate) fn take(self: &Arc<Shares>, address: IpAddr) -> Option<Share> {
        let address = counted(address);
        let mut all = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = all.entry(address).or_default();
        if *taken >= self.most {
            return None;
        }
        *taken += 1;
        Some(Share { of: self.clone(), address })
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut all = self.of.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Entry::Occupied(mut taken) = all.entry(self.address) {
            *taken.get_mut() -= 1;
            if *taken.get() == 0 {
                taken.remove();
            }
        }
    }
}

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
    fn an_address_has_its_share_and_leaves_nothing_behind() {
        let shares = Shares::new(2);
        let of = |text: &str| shares.take(text.parse().unwrap());
        let [first, second] = [of("10.0.0.1"), of("::ffff:10.0.0.1")].map(Option::unwrap);
        assert!(of("10.0.0.1").is_none() && of("10.0.0.2").is_some());
        drop(first);
        let third = of("10.0.0.1").unwrap();
        // One client has a whole network of IPv6.
        let near = ["2001:db8::1", "2001:db8::ffff:2"].map(|text| of(text).unwrap());
        assert!(of("2001:db8::3").is_none() && of("2001:db8:0:1::3").is_some());
        drop((second, third, near));
        assert!(shares.taken.lock().unwrap().is_empty());
    }

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
