//! Accounts: signing up, logging in and out, and other passwords.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Json, Response};
use rules::table::Name;
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::sync::Semaphore;

use super::entry::{GUEST, new_token};
use super::refusal::{Refusal, Said};
use super::{House, NO_GUEST};
use crate::dealer::random_bytes;
use crate::people::password::{Kept, Password};
use crate::people::patience::{Patience, TRIES_OF_AN_ACCOUNT, TRIES_OF_AN_ADDRESS};
use crate::role::{Kind, Person};
use crate::store::{Change, MONTH};

/// The most passwords that are worked on at a time.
pub const MOST_HASHED: usize = 2;

/// The most passwords that wait for that.
pub const MOST_TO_HASH: usize = 32;

/// The name under which the command line acts, and nobody else.
pub const COMMAND_LINE: &str = "command-line";

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
    fn take_try(&self, name: &Name, from: IpAddr, now: Instant) -> Result<(), Refusal> {
        let by_address = lock(&self.by_address).take(from, now);
        by_address.and_then(|()| lock(&self.by_name).take(name.clone(), now)).map_err(|wait| {
            let seconds = wait.as_secs() + 1;
            let unit = if seconds == 1 { "second" } else { "seconds" };
            let sentence = format!("too many passwords were wrong; wait {seconds} {unit}");
            Refusal::wait(seconds, sentence)
        })
    }

    fn succeed(&self, name: &Name, from: IpAddr) {
        lock(&self.by_address).give_back(&from);
        lock(&self.by_name).forget(name);
    }

    /// Works on a password where nobody waits for the thread.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let busy = |_| {
            let sentence = "too many passwords are read now; try again";
            Refusal::new(StatusCode::SERVICE_UNAVAILABLE, sentence)
        };
        let _waiting = self.waiting.try_acquire().map_err(busy)?;
        let _place = self.hashing.acquire().await.expect("it is never closed");
        Ok(tokio::task::spawn_blocking(work).await.expect("a hash does not panic"))
    }

    /// What is kept of a new password.
    pub(crate) async fn keep(&self, password: Password) -> Result<Kept, Refusal> {
        let salt = random_bytes().map_err(|_| no_entropy())?;
        self.work(move || Kept::new(&password, salt)).await
    }

    async fn is(&self, kept: Kept, password: Password) -> Result<bool, Refusal> {
        self.work(move || kept.is(&password)).await
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn no_entropy() -> Refusal {
    Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "there is no entropy")
}

/// A password that is long enough for an account.
pub(crate) fn read_password(text: String) -> Result<Password, Refusal> {
    Password::new(text).map_err(|error| Refusal::bad(error.to_string()))
}

/// Whether nobody is given this name: it is the command line's, or looks like a guest's. A guest who
/// makes an account may keep it.
pub fn is_kept_for_others(name: &Name) -> bool {
    name.as_str() == COMMAND_LINE || name.as_str().starts_with(GUEST)
}

/// A name that a new account may have.
pub(crate) fn new_name(text: &str) -> Result<Name, Refusal> {
    let name: Name = text.parse().map_err(|error| Refusal::bad(format!("{error}")))?;
    match is_kept_for_others(&name) {
        true => Err(Refusal::conflict("the house keeps this name for others")),
        false => Ok(name),
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignUp {
    /// The name of the account; a guest who leaves it out keeps the name.
    name: Option<String>,
    password: String,
}

/// Makes an account. A guest keeps the money, and the name too unless another one is given.
pub(super) async fn sign_up(
    State(house): State<Arc<House>>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    Said(SignUp { name, password }): Said<SignUp>,
) -> Result<Response, Refusal> {
    let before = house.person(&headers).await?;
    if before.as_ref().is_some_and(|person| person.kind != Kind::Guest) {
        return Err(Refusal::conflict("you have an account; log out first"));
    }
    let guest = before.map(|person| person.name);
    let name = match (name, &guest) {
        (Some(name), Some(guest)) if name == guest.as_str() => guest.clone(),
        (Some(name), _) => new_name(&name)?,
        (None, Some(guest)) => guest.clone(),
        (None, None) => return Err(Refusal::bad("an account has a name")),
    };
    let password = read_password(password)?;
    if let Some(guest) = guest.as_ref().filter(|guest| **guest != name)
        && !house.chips(guest).await.is_empty()
    {
        return Err(Refusal::conflict("leave the tables first, or keep your name"));
    }
    house.let_in(from.ip())?;
    let (password, token) = (house.vault.keep(password).await?, new_token()?);
    let account = name.clone();
    let change = match guest.clone() {
        Some(guest) => Change::Upgrade { guest, name, password, token: token.clone() },
        None => Change::Account { name, password, token: token.clone() },
    };
    house.store.change(change).await?;
    if let Some(guest) = guest.filter(|guest| *guest != account) {
        house.send_away(&guest);
    }
    let person = Person { kind: Kind::Account, ..Person::player(account) };
    house.welcome(person, &token, MONTH).await
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogIn {
    name: String,
    password: String,
}

/// Begins a session of whoever has the password. A wrong name takes as long as a wrong password, and
/// is answered with the same sentence.
pub(super) async fn log_in(
    State(house): State<Arc<House>>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    Said(LogIn { name, password }): Said<LogIn>,
) -> Result<Response, Refusal> {
    let person = checked(&house, &name, password, from.ip()).await?;
    let token = new_token()?;
    let (name, kept) = (person.name.clone(), token.clone());
    house.store.change(Change::LogIn { name, token: kept }).await?;
    house.welcome(person, &token, MONTH).await
}

/// Whoever has this name and this password.
async fn checked(
    house: &House,
    name: &str,
    password: String,
    from: IpAddr,
) -> Result<Person, Refusal> {
    let wrong = || Refusal::new(StatusCode::UNAUTHORIZED, "the name or the password is wrong");
    let name: Name = name.parse().map_err(|_| wrong())?;
    let known = house.store.account(&name).await?;
    // What is no account's name may be a password in the wrong field: it is not told.
    let who = known.as_ref().map(|_| name.as_str()).unwrap_or_default().to_owned();
    house.vault.take_try(&name, from, Instant::now()).inspect_err(|refusal| {
        let wait = refusal.seconds();
        tracing::warn!(who, address = %from, what = "login", wait, "too many wrong passwords: locked out");
    })?;
    let (person, kept) = known.map_or((None, Kept::nobody()), |(who, kept)| (Some(who), kept));
    let password = Password::new(password).map_err(|_| wrong())?;
    let is_right = house.vault.is(kept, password).await?;
    let person = person.filter(|_| is_right).ok_or_else(|| {
        tracing::warn!(who, address = %from, what = "login", "a wrong name or password");
        wrong()
    })?;
    house.vault.succeed(&name, from);
    Ok(person)
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogOut {
    /// Whether every session of the account ends.
    #[serde(default)]
    everywhere: bool,
}

/// Ends a session, and closes the sockets of the account: pages elsewhere come back by themselves.
pub(super) async fn log_out(
    State(house): State<Arc<House>>,
    headers: HeaderMap,
    Said(LogOut { everywhere }): Said<LogOut>,
) -> Result<Response, Refusal> {
    let person = house.person(&headers).await?.ok_or(NO_GUEST)?;
    let Some(token) = house.cookie_of(&headers).filter(|_| person.kind == Kind::Account) else {
        return Err(Refusal::conflict(match person.kind {
            Kind::Bot => "a token ends when an operator takes it back",
            _ => "a guest could not come back to the money; make an account first",
        }));
    };
    let name = person.name.clone();
    house
        .store
        .change(match everywhere {
            true => Change::LogOutEverywhere { name },
            false => Change::LogOut { token: token.to_owned() },
        })
        .await?;
    tracing::info!(who = %person.name, what = "logout", everywhere, "somebody's own account");
    house.send_away(&person.name);
    Ok((house.no_cookie(), Json(serde_json::json!({ "ok": true }))).into_response())
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OtherPassword {
    old: String,
    new: String,
}

/// Takes another password, ends every session and begins one.
pub(super) async fn other_password(
    State(house): State<Arc<House>>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    Said(OtherPassword { old, new }): Said<OtherPassword>,
) -> Result<Response, Refusal> {
    let person = house.person(&headers).await?.ok_or(NO_GUEST)?;
    if person.kind != Kind::Account {
        return Err(Refusal::conflict("only an account has a password"));
    }
    let new = read_password(new)?;
    let person = checked(&house, person.name.as_str(), old, from.ip()).await?;
    let (password, token) = (house.vault.keep(new).await?, new_token()?);
    let name = || person.name.clone();
    house.store.change(Change::Password { by: None, name: name(), password }).await?;
    house.store.change(Change::LogIn { name: name(), token: token.clone() }).await?;
    house.send_away(&person.name);
    house.welcome(person, &token, MONTH).await
}
