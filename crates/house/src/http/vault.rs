//! Passwords under load: few are worked on at a time, and wrong ones cost time.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rules::table::Name;
use tokio::sync::Semaphore;

use super::door::{SHARE_OF_A_SITE, Shares, SignIns, site};
use super::error::HttpError;
use crate::people::password::{Password, PasswordHash};
use crate::people::patience::{
    FORGOTTEN, LONGEST_WAIT, LONGEST_WAIT_OF_AN_ADDRESS, Patience, TRIES_AT_AN_ACCOUNT,
    TRIES_OF_AN_ADDRESS, TRY_OF_AN_ADDRESS,
};
use crate::tables::dealer::random_bytes;

/// The most passwords that are worked on at a time.
pub const MOST_HASHED: usize = 2;

/// The most passwords that wait for that.
pub const MOST_TO_HASH: usize = 32;

/// The most of them from one address.
pub const MOST_TO_HASH_FROM_AN_ADDRESS: usize = 8;

/// What the house does about passwords.
pub(crate) struct Vault {
    /// By account and address: whoever guesses keeps nobody else waiting.
    by_account: Mutex<Patience<(Name, IpAddr)>>,
    /// By account and site: whoever guesses from many networks of one is still one.
    by_site: Mutex<Patience<(Name, IpAddr)>>,
    by_address: Mutex<Patience<IpAddr>>,
    /// Right passwords: whoever knows one keeps the house from no other.
    sign_ins: Mutex<SignIns>,
    hashing: Semaphore,
    waiting: Semaphore,
    shares: Arc<Shares>,
}

impl Default for Vault {
    fn default() -> Vault {
        Vault {
            by_account: Mutex::new(Patience::new(TRIES_AT_AN_ACCOUNT, LONGEST_WAIT, FORGOTTEN)),
            by_site: Mutex::new(Patience::new(
                TRIES_AT_AN_ACCOUNT * SHARE_OF_A_SITE,
                LONGEST_WAIT,
                FORGOTTEN,
            )),
            by_address: Mutex::new(Patience::new(
                TRIES_OF_AN_ADDRESS,
                LONGEST_WAIT_OF_AN_ADDRESS,
                TRY_OF_AN_ADDRESS,
            )),
            sign_ins: Mutex::default(),
            hashing: Semaphore::new(MOST_HASHED),
            waiting: Semaphore::new(MOST_TO_HASH),
            shares: Shares::new(MOST_TO_HASH_FROM_AN_ADDRESS, MOST_TO_HASH),
        }
    }
}

impl Vault {
    /// Refuses a password, right or wrong, where there were too many right ones lately.
    pub(crate) fn admit(&self, name: &Name, from: IpAddr, now: Instant) -> Result<(), HttpError> {
        lock(&self.sign_ins).check(name, from, now).map_err(|wait| {
            let seconds = wait.as_secs() + 1;
            let unit = if seconds == 1 { "second" } else { "seconds" };
            let sentence = format!("Too many sign-ins. Wait {seconds} {unit}.");
            HttpError::wait(seconds, "too-many-sign-ins", sentence)
        })
    }

    /// Counts a try, or says how long to wait for the next one.
    pub(crate) fn take_try(
        &self,
        name: &Name,
        from: IpAddr,
        now: Instant,
    ) -> Result<(), HttpError> {
        let mut by_address = lock(&self.by_address);
        // An address that has to wait leaves no trace of the names that it tries.
        let taken = by_address.take(from, now).and_then(|()| {
            let at_account = self.take_try_at(name, from, now);
            at_account.inspect_err(|_| by_address.give_back(&from))
        });
        taken.map_err(|wait| {
            let seconds = wait.as_secs() + 1;
            let unit = if seconds == 1 { "second" } else { "seconds" };
            let sentence = format!("Too many wrong passwords. Wait {seconds} {unit}.");
            HttpError::wait(seconds, "too-many-passwords", sentence)
        })
    }

    /// Counts a try at an account, for its address and for its site.
    fn take_try_at(&self, name: &Name, from: IpAddr, now: Instant) -> Result<(), Duration> {
        let (mut by_account, pair) = (lock(&self.by_account), (name.clone(), from));
        by_account.take(pair.clone(), now)?;
        let Some(site) = site(from) else { return Ok(()) };
        let by_site = lock(&self.by_site).take((name.clone(), site), now);
        by_site.inspect_err(|_| by_account.give_back(&pair))
    }

    /// Takes back a try whose password was never looked at.
    pub(crate) fn give_back(&self, name: &Name, from: IpAddr) {
        lock(&self.by_account).give_back(&(name.clone(), from));
        self.give_back_elsewhere(name, from);
    }

    /// Counts a right password, and forgets the tries from its address; those of others in its site count.
    pub(crate) fn succeed(&self, name: &Name, from: IpAddr, now: Instant) {
        lock(&self.sign_ins).note(name, from, now);
        lock(&self.by_account).forget(&(name.clone(), from));
        self.give_back_elsewhere(name, from);
    }

    fn give_back_elsewhere(&self, name: &Name, from: IpAddr) {
        lock(&self.by_address).give_back(&from);
        if let Some(site) = site(from) {
            lock(&self.by_site).give_back(&(name.clone(), site));
        }
    }

    /// Works on a password where nobody waits for the thread.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, HttpError> {
        let _waiting = self.waiting.try_acquire().map_err(|_| busy())?;
        let _place = self.hashing.acquire().await.expect("it is never closed");
        Ok(tokio::task::spawn_blocking(work).await.expect("a hash does not panic"))
    }

    /// What is kept of a new password that came from an address.
    pub(crate) async fn keep(
        &self,
        password: Password,
        from: IpAddr,
    ) -> Result<PasswordHash, HttpError> {
        let _share = self.shares.take(from).ok_or_else(busy)?;
        let salt = random_bytes().map_err(|_| HttpError::no_entropy())?;
        self.work(move || PasswordHash::new(&password, salt)).await
    }

    /// Whether a password that came from an address is the one that is kept.
    pub(crate) async fn is(
        &self,
        kept: PasswordHash,
        password: Password,
        from: IpAddr,
    ) -> Result<bool, HttpError> {
        let _share = self.shares.take(from).ok_or_else(busy)?;
        self.work(move || kept.is(&password)).await
    }
}

fn busy() -> HttpError {
    HttpError::unavailable("sign-in-busy", "Sign-in is busy. Try again.")
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses_from_many_networks_of_one_site_wait_and_keep_nobody_elsewhere_waiting() {
        let (vault, now) = (Vault::default(), Instant::now());
        let [ann, bob] = ["ann", "bob"].map(|name| name.parse().unwrap());
        let site = |number: u32| format!("2001:db8:1:{number:x}::").parse().unwrap();
        let taken = (0..60).filter(|number| vault.take_try(&ann, site(*number), now).is_ok());
        assert_eq!(taken.count(), 20, "as many as from four networks");
        // The account from elsewhere, and another account from there.
        assert!(vault.take_try(&ann, "2001:db8:2::".parse().unwrap(), now).is_ok());
        assert!(vault.take_try(&ann, "203.0.113.9".parse().unwrap(), now).is_ok());
        assert!(vault.take_try(&bob, site(0), now).is_ok());
        // A try that was never looked at, or was right, is no guess.
        for number in 0..60 {
            vault.give_back(&ann, site(number));
        }
        for number in 0..60 {
            assert!(vault.take_try(&ann, site(number), now).is_ok());
            vault.succeed(&ann, site(number), now + FORGOTTEN);
        }
    }

    #[test]
    fn right_passwords_are_so_many_a_minute_by_account_and_by_address() {
        let (vault, now) = (Vault::default(), Instant::now());
        let [home, office] = ["203.0.113.9", "203.0.113.10"].map(|from| from.parse().unwrap());
        let sign_in = |name: &str, from, now| {
            let name = name.parse().unwrap();
            let admitted = vault.admit(&name, from, now);
            admitted.inspect(|()| vault.succeed(&name, from, now))
        };
        let ann = (0..50).filter(|_| sign_in("ann", home, now).is_ok());
        assert_eq!(ann.count(), 10);
        assert!(
            sign_in("ann", office, now).is_err(),
            "it is the account's, wherever it comes from"
        );
        let wait = sign_in("ann", home, now).unwrap_err();
        assert_eq!((wait.seconds(), wait.into_parts().1.code.as_ref()), (7, "too-many-sign-ins"));
        let many = (0..50).filter(|number| sign_in(&format!("p{number}"), home, now).is_ok());
        assert_eq!(many.count(), 20, "an address has thirty");
        assert!(sign_in("bob", office, now).is_ok());
        let later = now + Duration::from_secs(7);
        assert!(sign_in("ann", home, later).is_ok() && sign_in("ann", home, later).is_err());
    }
}
