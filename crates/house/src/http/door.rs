//! How many come from where.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The most networks that are remembered for the guests who came from them; beyond that, whichever let in
/// the fewest lately is forgotten.
pub const MOST_ADDRESSES: usize = 4096;

/// A site of IPv6, which has 48 bits, lets in so many times as many guests as one of its networks.
pub const SHARE_OF_A_SITE: u32 = 4;

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

/// So many in a time, of which each comes back after its part of that time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    most: u32,
    within: Duration,
}

impl Allowance {
    pub(crate) const fn a_minute(most: u32) -> Allowance {
        Allowance { most, within: Duration::from_secs(60) }
    }

    pub(crate) const fn a_day(most: u32) -> Allowance {
        Allowance { most, within: Duration::from_secs(24 * 60 * 60) }
    }

    /// How long it takes until one has come back.
    fn each(self) -> Duration {
        self.within / self.most.max(1)
    }

    /// When all of it will be there if one more is taken of what will be so at a moment; or how long to
    /// wait for that one.
    fn take(self, all_there: Instant, now: Instant) -> Result<Instant, Duration> {
        let after = all_there.max(now) + self.each();
        match after.saturating_duration_since(now + self.within) {
            Duration::ZERO => Ok(after),
            wait => Err(wait),
        }
    }
}

/// Addresses that begin with the same bits: the first one, and how many bits.
type Prefix = (IpAddr, u32);

/// The networks of an address as it is counted, and how many times as many guests as the first one each
/// lets in: behind an address of IPv6 is a site, which has thousands of networks.
fn networks(address: IpAddr) -> impl Iterator<Item = (Prefix, u32)> {
    let (bits, site) = match address {
        IpAddr::V4(_) => (32, None),
        IpAddr::V6(address) => {
            let site = Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 80));
            (64, Some(((IpAddr::V6(site), 48), SHARE_OF_A_SITE)))
        }
    };
    std::iter::once(((address, bits), 1)).chain(site)
}

/// Who has let guests in, and when as many as at first may come in again.
#[derive(Debug, Default)]
pub(crate) struct Door {
    networks: HashMap<Prefix, Instant>,
    house: Option<Instant>,
}

/// Why a guest does not come in now, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Crowd {
    /// Too many came from the same address.
    Address(Duration),
    /// Too many came.
    House(Duration),
}

impl Door {
    /// Counts somebody who wants to come in from an address, of so many a minute.
    pub(crate) fn knock(
        &mut self,
        address: IpAddr,
        a_minute: u32,
        now: Instant,
    ) -> Result<(), Crowd> {
        let mut taken = Vec::new();
        for (network, times) in networks(address) {
            let allowance = Allowance::a_minute(a_minute.saturating_mul(times));
            let all_there = self.networks.get(&network).copied().unwrap_or(now);
            taken.push((network, allowance.take(all_there, now).map_err(Crowd::Address)?));
        }
        for (network, all_there) in taken {
            if self.networks.len() >= MOST_ADDRESSES && !self.networks.contains_key(&network) {
                self.make_room(now);
            }
            self.networks.insert(network, all_there);
        }
        Ok(())
    }

    /// Forgets networks that have all of their guests again, or else the one that lacks least.
    fn make_room(&mut self, now: Instant) {
        self.networks.retain(|_, all_there| *all_there > now);
        if self.networks.len() >= MOST_ADDRESSES {
            let least = self.networks.iter().min_by_key(|(_, all_there)| **all_there);
            let least = least.map(|(network, _)| *network);
            least.map(|network| self.networks.remove(&network));
        }
    }

    /// Takes a place for a new guest, of so many a day.
    pub(crate) fn enter(&mut self, a_day: u32, now: Instant) -> Result<(), Crowd> {
        let all_there = Allowance::a_day(a_day).take(self.house.unwrap_or(now), now);
        self.house = Some(all_there.map_err(Crowd::House)?);
        Ok(())
    }

    /// Gives a place back that nobody came to have.
    pub(crate) fn leave(&mut self, a_day: u32) {
        let each = Allowance::a_day(a_day).each();
        self.house = self.house.and_then(|all_there| all_there.checked_sub(each));
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

    fn address(text: &str) -> IpAddr {
        counted(text.parse().unwrap())
    }

    #[test]
    fn a_crowd_from_one_address_waits_and_each_place_comes_back_in_its_time() {
        let (mut door, now) = (Door::default(), Instant::now());
        let [one, other] = ["127.0.0.1", "127.0.0.2"].map(address);
        assert!((0..30).all(|_| door.knock(one, 30, now).is_ok()));
        // A minute for thirty is two seconds for one.
        let wait = Duration::from_secs(2);
        assert_eq!(door.knock(one, 30, now), Err(Crowd::Address(wait)));
        assert!(door.knock(other, 30, now).is_ok());
        assert!(door.knock(one, 30, now + wait).is_ok());
        assert!(door.knock(one, 30, now + wait).is_err());
        let later = now + wait + Duration::from_secs(60);
        assert!((0..30).all(|_| door.knock(one, 30, later).is_ok()));
        assert!(door.knock(one, 30, later).is_err());
    }

    #[test]
    fn many_networks_of_one_site_keep_nobody_else_out() {
        let (mut door, now) = (Door::default(), Instant::now());
        let network = |number: usize| address(&format!("2001:db8:1:{number:x}::1"));
        let let_in = (0..10_000).filter(|number| door.knock(network(*number), 30, now).is_ok());
        assert_eq!(let_in.count(), 4 * 30, "as many as four networks");
        // Also where as many sites have knocked as are remembered.
        let site = |number: usize| address(&format!("2001:db9:{number:x}::1"));
        assert!((0..10_000).all(|number| door.knock(site(number), 30, now).is_ok()));
        assert!(door.networks.len() <= MOST_ADDRESSES);
        assert!(door.knock(address("127.0.0.1"), 30, now).is_ok());
        // They are forgotten once they have all of their guests again.
        assert!(door.knock(address("::1"), 30, now + Duration::from_secs(60)).is_ok());
        assert_eq!(door.networks.len(), 2);
    }

    #[test]
    fn the_guests_of_a_day_come_back_and_so_does_a_place_that_nobody_took() {
        let (mut door, now) = (Door::default(), Instant::now());
        assert!((0..24).all(|_| door.enter(24, now).is_ok()));
        let hour = Duration::from_secs(60 * 60);
        assert_eq!(door.enter(24, now), Err(Crowd::House(hour)));
        door.leave(24);
        assert!(door.enter(24, now).is_ok() && door.enter(24, now).is_err());
        assert!(door.enter(24, now + hour).is_ok() && door.enter(24, now + hour).is_err());
    }
}
