//! How many come from where, and how fast they speak.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rules::table::Name;

use crate::limits::Limits;

/// The most networks that are remembered for the guests who came from them; beyond that, whichever let in
/// the fewest lately is forgotten.
pub const MOST_ADDRESSES: usize = 4096;

/// The longest that a message waits because its address sends too many; then its socket is closed.
pub const LONGEST_TURN: Duration = Duration::from_secs(1);

/// Right passwords for one account in a minute: sign-ins and changes of the password.
pub const SIGN_INS_OF_AN_ACCOUNT: u32 = 10;

/// Right passwords from one address in a minute, for any account.
pub const SIGN_INS_OF_AN_ADDRESS: u32 = 30;

/// A site of IPv6, which has 48 bits, has so many times as much as one of its networks: guests, sockets,
/// messages, connections, tries at a password.
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

/// The site that an address of IPv6 belongs to: one client may have all of its networks.
pub(crate) fn site(address: IpAddr) -> Option<IpAddr> {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let site = address.to_bits() & (u128::MAX << 80);
            Some(IpAddr::V6(Ipv6Addr::from_bits(site)))
        }
        IpAddr::V4(_) => None,
    }
}

/// How much of something each address has at a time, and each site.
#[derive(Debug)]
pub(crate) struct Shares {
    most: usize,
    most_of_a_site: usize,
    taken: Mutex<HashMap<Prefix, usize>>,
}

/// What an address has of something, until it is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    of: Arc<Shares>,
    address: IpAddr,
}

impl Shares {
    /// So many for every address, of so many for everybody. A site of IPv6 has [`SHARE_OF_A_SITE`] times
    /// as many, but not more than half of all, unless one address may have that.
    pub(crate) fn new(most: usize, whole: usize) -> Arc<Shares> {
        let times = usize::try_from(SHARE_OF_A_SITE).expect("a small number");
        let most_of_a_site = most.saturating_mul(times).min(whole / 2).max(most);
        Arc::new(Shares { most, most_of_a_site, taken: Mutex::default() })
    }

    /// One more for an address, unless it or its site has as many as it may.
    pub(crate) fn take(self: &Arc<Shares>, address: IpAddr) -> Option<Share> {
        let address = counted(address);
        let mut all = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let has_room = |(network, times): (Prefix, u32)| {
            let most = if times == 1 { self.most } else { self.most_of_a_site };
            all.get(&network).is_none_or(|taken| *taken < most)
        };
        if !networks(address).all(has_room) {
            return None;
        }
        for (network, _) in networks(address) {
            *all.entry(network).or_default() += 1;
        }
        Some(Share { of: self.clone(), address })
    }
}

impl Share {
    /// How many its address has, or its site where that is more for its size.
    pub(crate) fn weight(&self) -> usize {
        let all = self.of.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let of = |(network, times): (Prefix, u32)| {
            let times = usize::try_from(times).expect("a small number");
            all.get(&network).map_or(0, |taken| taken.div_ceil(times))
        };
        networks(self.address).map(of).max().unwrap_or(0)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut all = self.of.taken.lock().unwrap_or_else(PoisonError::into_inner);
        for (network, _) in networks(self.address) {
            if let Entry::Occupied(mut taken) = all.entry(network) {
                *taken.get_mut() -= 1;
                if *taken.get() == 0 {
                    taken.remove();
                }
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
    pub(crate) const fn a_second(most: u32) -> Allowance {
        Allowance { most, within: Duration::from_secs(1) }
    }

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

    /// When all of it will be there if one more is taken of what will be so at a moment, and how long to
    /// wait for that one.
    fn reserve(self, all_there: Instant, now: Instant) -> (Instant, Duration) {
        let after = all_there.max(now) + self.each();
        (after, after.saturating_duration_since(now + self.within))
    }

    /// The same where it must be there now; or else how long to wait.
    fn take(self, all_there: Instant, now: Instant) -> Result<Instant, Duration> {
        match self.reserve(all_there, now) {
            (after, Duration::ZERO) => Ok(after),
            (_, wait) => Err(wait),
        }
    }
}

/// When each of many will have all of an allowance again. Only so many are remembered.
#[derive(Debug)]
struct Refills<K> {
    most: usize,
    all_there: HashMap<K, Instant>,
}

impl<K: Clone + Eq + Hash> Refills<K> {
    fn new(most: usize) -> Refills<K> {
        Refills { most, all_there: HashMap::new() }
    }

    fn of(&self, who: &K, now: Instant) -> Instant {
        self.all_there.get(who).copied().unwrap_or(now)
    }

    fn set(&mut self, who: K, all_there: Instant, now: Instant) {
        if self.all_there.len() >= self.most && !self.all_there.contains_key(&who) {
            self.make_room(now);
        }
        self.all_there.insert(who, all_there);
    }

    /// Forgets whoever has all of it again, or else the one that lacks least.
    fn make_room(&mut self, now: Instant) {
        self.all_there.retain(|_, all_there| *all_there > now);
        if self.all_there.len() >= self.most {
            let least = self.all_there.iter().min_by_key(|(_, all_there)| **all_there);
            let least = least.map(|(who, _)| who.clone());
            least.map(|who| self.all_there.remove(&who));
        }
    }
}

/// Addresses that begin with the same bits: the first one, and how many bits.
type Prefix = (IpAddr, u32);

/// The networks of an address as it is counted, and how many times as much as the first one each has:
/// behind an address of IPv6 is a site, which has thousands of networks.
fn networks(address: IpAddr) -> impl Iterator<Item = (Prefix, u32)> {
    let bits = if address.is_ipv4() { 32 } else { 64 };
    let site = site(address).map(|site| ((site, 48), SHARE_OF_A_SITE));
    std::iter::once(((address, bits), 1)).chain(site)
}

/// Who has let guests in, and when as many as at first may come in again.
#[derive(Debug)]
pub(crate) struct Door {
    networks: Refills<Prefix>,
    house: Option<Instant>,
}

impl Default for Door {
    fn default() -> Door {
        Door { networks: Refills::new(MOST_ADDRESSES), house: None }
    }
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
            let all_there = self.networks.of(&network, now);
            taken.push((network, allowance.take(all_there, now).map_err(Crowd::Address)?));
        }
        for (network, all_there) in taken {
            self.networks.set(network, all_there, now);
        }
        Ok(())
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

/// How often people sign in with the right password: each time costs the house a hash, as a wrong one does.
#[derive(Debug)]
pub(crate) struct SignIns {
    accounts: Refills<Name>,
    networks: Refills<Prefix>,
}

impl Default for SignIns {
    fn default() -> SignIns {
        let [accounts, networks] = [MOST_ADDRESSES; 2];
        SignIns { accounts: Refills::new(accounts), networks: Refills::new(networks) }
    }
}

impl SignIns {
    /// Refuses another one now, and says how long to wait.
    pub(crate) fn check(&self, name: &Name, from: IpAddr, now: Instant) -> Result<(), Duration> {
        let account = Allowance::a_minute(SIGN_INS_OF_AN_ACCOUNT);
        account.take(self.accounts.of(name, now), now)?;
        networks(from).try_for_each(|(network, times)| {
            let of_network = Allowance::a_minute(SIGN_INS_OF_AN_ADDRESS.saturating_mul(times));
            of_network.take(self.networks.of(&network, now), now).map(drop)
        })
    }

    /// Counts one that succeeded. Those that were under way together all count.
    pub(crate) fn note(&mut self, name: &Name, from: IpAddr, now: Instant) {
        let account = Allowance::a_minute(SIGN_INS_OF_AN_ACCOUNT);
        let (all_there, _) = account.reserve(self.accounts.of(name, now), now);
        self.accounts.set(name.clone(), all_there, now);
        for (network, times) in networks(from) {
            let of_network = Allowance::a_minute(SIGN_INS_OF_AN_ADDRESS.saturating_mul(times));
            let (all_there, _) = of_network.reserve(self.networks.of(&network, now), now);
            self.networks.set(network, all_there, now);
        }
    }
}

/// How fast people and addresses send messages, over all of their sockets together.
#[derive(Debug)]
pub(crate) struct Messages {
    of_a_person: u32,
    of_an_address: u32,
    people: Refills<Name>,
    networks: Refills<Prefix>,
}

/// Whose messages are too many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flood {
    /// Those of one person, who may send so many a second.
    Person(u32),
    /// Those of one address.
    Address,
}

impl fmt::Display for Flood {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flood::Person(most) => write!(f, "You may send at most {most} messages a second."),
            Flood::Address => f.write_str("Your address sends too many messages. Wait a second."),
        }
    }
}

impl std::error::Error for Flood {}

impl Messages {
    /// Nobody has sent anything. Those are remembered who may have a socket.
    pub(crate) fn new(limits: &Limits) -> Messages {
        let most = limits.sockets.max(MOST_ADDRESSES);
        Messages {
            of_a_person: limits.messages_a_second,
            of_an_address: limits.messages_of_an_address,
            people: Refills::new(most),
            networks: Refills::new(most),
        }
    }

    /// Counts a message of somebody, unknown in the lobby, and says how long it waits for its turn.
    ///
    /// An address may be shared by people who do not know each other, so its messages wait; of one
    /// socket only one can wait at a time, and so nobody waits long for the others.
    pub(crate) fn take(
        &mut self,
        who: Option<&Name>,
        address: IpAddr,
        now: Instant,
    ) -> Result<Duration, Flood> {
        let (mut longest, mut taken) = (Duration::ZERO, Vec::new());
        for (network, times) in networks(address) {
            let allowance = Allowance::a_second(self.of_an_address.saturating_mul(times));
            let (all_there, wait) = allowance.reserve(self.networks.of(&network, now), now);
            longest = longest.max(wait);
            taken.push((network, all_there));
        }
        if longest > LONGEST_TURN {
            return Err(Flood::Address);
        }
        if let Some(who) = who {
            let allowance = Allowance::a_second(self.of_a_person);
            let all_there = allowance.take(self.people.of(who, now), now);
            let all_there = all_there.map_err(|_| Flood::Person(self.of_a_person))?;
            self.people.set(who.clone(), all_there, now);
        }
        for (network, all_there) in taken {
            self.networks.set(network, all_there, now);
        }
        Ok(longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_its_share_and_leaves_nothing_behind() {
        let shares = Shares::new(2, 100);
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
    fn many_networks_of_one_site_have_four_shares_and_never_more_than_half() {
        let site = |number: usize| format!("2001:db8:1:{number:x}::1").parse().unwrap();
        for (most, whole, expected) in [(2, 100, 8), (128, 1024, 512), (128, 512, 256), (4, 4, 4)] {
            let shares = Shares::new(most, whole);
            let taken: Vec<Share> =
                (0..whole).filter_map(|number| shares.take(site(number))).collect();
            assert_eq!(taken.len(), expected, "{most} of {whole}");
            // Everybody elsewhere has what they had, and nothing refused counts.
            let elsewhere = ["2001:db8:2::1", "203.0.113.9"].map(|text| text.parse().unwrap());
            assert!(elsewhere.iter().all(|address| shares.take(*address).is_some()));
            drop(taken);
            assert!(shares.taken.lock().unwrap().is_empty());
        }
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
        assert!(door.networks.all_there.len() <= MOST_ADDRESSES);
        assert!(door.knock(address("127.0.0.1"), 30, now).is_ok());
        // They are forgotten once they have all of their guests again.
        assert!(door.knock(address("::1"), 30, now + Duration::from_secs(60)).is_ok());
        assert_eq!(door.networks.all_there.len(), 2);
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

    fn messages(messages_a_second: u32, messages_of_an_address: u32) -> Messages {
        let limits = Limits::default();
        Messages::new(&Limits { messages_a_second, messages_of_an_address, ..limits })
    }

    /// How many messages of a name are taken at once, and how long the last one waits.
    fn taken(messages: &mut Messages, who: &str, from: &str, now: Instant) -> (usize, Duration) {
        let (who, mut longest) = (who.parse().unwrap(), Duration::ZERO);
        let mut take = || messages.take(Some(&who), address(from), now);
        let count = std::iter::from_fn(|| take().ok().inspect(|wait| longest = *wait)).count();
        (count, longest)
    }

    #[test]
    fn a_person_has_so_many_messages_a_second_from_anywhere() {
        let (mut messages, now) = (messages(20, 1000), Instant::now());
        assert_eq!(taken(&mut messages, "ann", "10.0.0.1", now), (20, Duration::ZERO));
        let ann = "ann".parse().unwrap();
        let mut from = |text| messages.take(Some(&ann), address(text), now);
        assert_eq!(from("10.0.0.2"), Err(Flood::Person(20)));
        assert_eq!(taken(&mut messages, "bob", "10.0.0.1", now), (20, Duration::ZERO));
        // A second for twenty is 50 ms for one.
        let later = now + Duration::from_millis(100);
        assert_eq!(taken(&mut messages, "ann", "10.0.0.2", later), (2, Duration::ZERO));
        let later = later + Duration::from_secs(1);
        assert_eq!(taken(&mut messages, "ann", "10.0.0.2", later), (20, Duration::ZERO));
    }

    #[test]
    fn the_messages_of_an_address_wait_for_their_turn_and_not_for_ever() {
        let (mut messages, now) = (messages(1000, 100), Instant::now());
        let mut wait = |who: Option<&str>, from: &str, now: Instant| {
            let who = who.map(|name| name.parse().unwrap());
            messages.take(who.as_ref(), address(from), now)
        };
        // A hundred at once, whoever sends them; then one every 10 ms, up to a second ahead.
        let names = ["ann", "bob"].map(Some).into_iter().chain([None]).cycle();
        assert!(names.take(100).all(|who| wait(who, "10.0.0.1", now) == Ok(Duration::ZERO)));
        for number in 1..=100 {
            let expected = Duration::from_millis(10 * number);
            assert_eq!(wait(Some("ann"), "10.0.0.1", now), Ok(expected));
        }
        assert_eq!(wait(Some("ann"), "10.0.0.1", now), Err(Flood::Address));
        assert_eq!(wait(Some("ann"), "10.0.0.2", now), Ok(Duration::ZERO));
        let later = now + Duration::from_secs(2);
        assert_eq!(wait(Some("bob"), "10.0.0.1", later), Ok(Duration::ZERO));
    }

    #[test]
    fn many_networks_of_one_site_send_as_many_messages_as_four() {
        let (mut messages, now) = (messages(1000, 100), Instant::now());
        let network = |number: usize| address(&format!("2001:db8:1:{number:x}::1"));
        let mut waits = (0..10_000).map(|number| messages.take(None, network(number), now));
        assert!(waits.by_ref().take(400).all(|wait| wait == Ok(Duration::ZERO)));
        assert_eq!(waits.by_ref().take_while(Result::is_ok).count(), 400, "a second ahead");
        let elsewhere = messages.take(None, address("2001:db8:2::1"), now);
        assert_eq!(elsewhere, Ok(Duration::ZERO));
    }
}
