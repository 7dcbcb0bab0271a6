//! Passwords under load: few are worked on at a time, and wrong ones cost time.

use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use rules::table::Name;
use tokio::sync::Semaphore;

use super::error::HttpError;
use crate::people::password::{Password, PasswordHash};
use crate::people::patience::{Patience, TRIES_OF_AN_ACCOUNT, TRIES_OF_AN_ADDRESS};
use crate::tables::dealer::random_bytes;

/// The most passwords that are worked on at a time.
pub const MOST_HASHED: usize = 2;

/// The most passwords that wait for that.
pub const MOST_TO_HASH: usize = 32;

/// What the house does about passwords.
pub(crate) struct Vault {
    by_name: Mutex<Patience<Name>>,
    by_address: Mutex<Patience<IpAddr>>,
    hashing: Semaphore,
    waiting: Semaphore,
}

impl Default for Vault {
    fn default() -> Vault {
        Vault {
            by_name: Mutex::new(Patience::new(TRIES_OF_AN_ACCOUNT)),
            by_address: Mutex::new(Patience::new(TRIES_OF_AN_ADDRESS)),
            hashing: Semaphore::new(MOST_HASHED),
            waiting: Semaphore::new(MOST_TO_HASH),
        }
    }
}

impl Vault {
    /// Counts a try, or says how long to wait for the next one.
    pub(crate) fn take_try(
        &self,
        name: &Name,
        from: IpAddr,
        now: Instant,
    ) -> Result<(), HttpError> {
        let by_address = lock(&self.by_address).take(from, now);
        by_address.and_then(|()| lock(&self.by_name).take(name.clone(), now)).map_err(|wait| {
            let seconds = wait.as_secs() + 1;
            let unit = if seconds == 1 { "second" } else { "seconds" };
            let sentence = format!("Too many wrong passwords. Wait {seconds} {unit}.");
            HttpError::wait(seconds, "too-many-passwords", sentence)
        })
    }

    pub(crate) fn succeed(&self, name: &Name, from: IpAddr) {
        lock(&self.by_address).give_back(&from);
        lock(&self.by_name).forget(name);
    }

    /// Works on a password where nobody waits for the thread.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, HttpError> {
        let busy = |_| HttpError::unavailable("sign-in-busy", "Sign-in is busy. Try again.");
        let _waiting = self.waiting.try_acquire().map_err(busy)?;
        let _place = self.hashing.acquire().await.expect("it is never closed");
        Ok(tokio::task::spawn_blocking(work).await.expect("a hash does not panic"))
    }

    /// What is kept of a new password.
    pub(crate) async fn keep(&self, password: Password) -> Result<PasswordHash, HttpError> {
        let salt = random_bytes().map_err(|_| HttpError::no_entropy())?;
        self.work(move || PasswordHash::new(&password, salt)).await
    }

    pub(crate) async fn is(
        &self,
        kept: PasswordHash,
        password: Password,
    ) -> Result<bool, HttpError> {
        self.work(move || kept.is(&password)).await
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
