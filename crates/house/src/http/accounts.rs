//! Accounts: signing up, signing in and out, and changing a password.

use std::net::IpAddr;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Json;
use axum_extra::extract::CookieJar;
use rules::table::Name;
use wire::{ChangePassword, Fine, LogIn, LogOut, Me, NewName, Refusal, SignUp};

use super::answers::{BadBody, Contradiction, Forbidden, TooOften, WrongPassword};
use super::entry::new_token;
use super::error::HttpError;
use super::extract::Body;
use super::house::House;
use super::visitor::{Address, Known};
use crate::people::names::{HOUSE, is_official, is_reserved};
use crate::people::password::{Password, PasswordHash};
use crate::people::{Kind, Person, Role};
use crate::relay::SEEN_WITHIN;
use crate::store::{Change, EventKind, HouseEvent, MONTH, People, Renaming};
use crate::tables::task::Ask;

/// A lock-out of the same account is an event at most so often.
pub const LOCK_OUT_NOTED_EVERY: Duration = Duration::from_secs(15 * 60);

/// A password that is long enough for an account.
pub(super) fn read_password(text: String) -> Result<Password, HttpError> {
    Password::new(text)
        .map_err(|error| HttpError::bad("bad-password", wire::as_sentence(&error.to_string())))
}

/// A name that an operator may give to a new account.
pub(super) fn new_name(text: &str) -> Result<Name, HttpError> {
    let bad =
        |error| HttpError::bad("bad-name", wire::as_sentence(&format!("invalid name: {error}")));
    let name: Name = text.parse().map_err(bad)?;
    match is_reserved(&name) {
        true => Err(HttpError::conflict("reserved-name", "That name is reserved.")),
        false => Ok(name),
    }
}

/// A name that somebody may choose for themselves.
fn chosen_name(text: &str) -> Result<Name, HttpError> {
    let name = new_name(text)?;
    match is_official(&name) {
        true => {
            let sentence = "That name is reserved for people who work here. Choose another one.";
            Err(HttpError::conflict("official-name", sentence))
        }
        false => Ok(name),
    }
}

/// Creates an account. A guest keeps the money, and the name too unless another one is given.
#[utoipa::path(
    post, path = "/api/account", tag = "anyone", request_body = SignUp,
    responses(
        (status = 200, body = Me, description = "The caller's account."),
        BadBody, Forbidden, Contradiction, TooOften,
    )
)]
pub(super) async fn sign_up(
    State(house): State<Arc<House>>,
    Address(from): Address,
    headers: HeaderMap,
    Body(SignUp { name, password }): Body<SignUp>,
) -> Result<(CookieJar, Json<Me>), HttpError> {
    let before = house.person(&headers).await?;
    if before.as_ref().is_some_and(|person| person.kind != Kind::Guest) {
        let sentence = "You already have an account. Sign out first.";
        return Err(HttpError::conflict("has-account", sentence));
    }
    let guest = before.map(|person| person.name);
    let name = match (name, &guest) {
        (Some(name), Some(guest)) if name == guest.as_str() => guest.clone(),
        (Some(name), _) => chosen_name(&name)?,
        (None, Some(guest)) => guest.clone(),
        (None, None) => return Err(HttpError::bad("no-name", "An account needs a name.")),
    };
    let password = read_password(password)?;
    let renamed = guest.as_ref().filter(|guest| **guest != name);
    if let Some(guest) = renamed {
        house.is_at_no_table(guest)?;
    }
    // A guest who gets an account is nobody new.
    let place = match &guest {
        Some(_) => house.knock(from).map(|()| None)?,
        None => Some(house.let_in(from)?),
    };
    let (password, token) = (house.vault.keep(password, from).await?, new_token()?);
    let account = name.clone();
    // Whoever sat down meanwhile would leave the chips with a name that is nobody's.
    let _renaming = match renamed {
        Some(guest) => Some(house.kept_from_tables(guest).await?),
        None => None,
    };
    let change = match guest.clone() {
        Some(guest) => Change::Upgrade { guest, name, password, token: token.clone() },
        None => Change::Account { name, password, token: token.clone() },
    };
    house.store.change(change).await?;
    if let Some(place) = place {
        place.take();
    }
    if let Some(guest) = guest.filter(|guest| *guest != account) {
        house.send_away(&guest);
    }
    let person = Person { kind: Kind::Account, ..Person::player(account) };
    house.welcome(person, &token, MONTH).await
}

/// Gives a guest another name, without an account.
///
/// The money, the history and the cookie stay; the old name is nobody's from then on. Sockets are closed,
/// and come back under the new name.
#[utoipa::path(
    post, path = "/api/me/name", tag = "known", request_body = NewName,
    responses(
        (status = 200, body = Me, description = "The caller's account."),
        BadBody, Known, Forbidden, Contradiction, TooOften,
    )
)]
pub(super) async fn rename(
    State(house): State<Arc<House>>,
    Known(person): Known,
    Address(from): Address,
    Body(NewName { name }): Body<NewName>,
) -> Result<Json<Me>, HttpError> {
    if person.kind != Kind::Guest {
        let sentence = "Only guests can change their name.";
        return Err(HttpError::conflict("keeps-name", sentence));
    }
    let name = chosen_name(&name)?;
    if name == person.name {
        return Ok(Json(house.me(person).await?));
    }
    house.is_at_no_table(&person.name)?;
    // A name that was given is never given again: each one counts as somebody new.
    let place = house.let_in(from)?;
    let _renaming = house.kept_from_tables(&person.name).await?;
    let (guest, called) = (person.name.clone(), name.clone());
    house.store.change(Change::Rename { guest, name: called }).await?;
    place.take();
    house.send_away(&person.name);
    Ok(Json(house.me(Person { name, ..person }).await?))
}

/// Signs in with a password.
///
/// A wrong name takes as long as a wrong password, and is answered with the same sentence.
#[utoipa::path(
    post, path = "/api/login", tag = "anyone", request_body = LogIn,
    responses(
        (status = 200, body = Me, description = "The caller's account."),
        BadBody, WrongPassword, Forbidden, TooOften,
    )
)]
pub(super) async fn log_in(
    State(house): State<Arc<House>>,
    Address(from): Address,
    Body(LogIn { name, password }): Body<LogIn>,
) -> Result<(CookieJar, Json<Me>), HttpError> {
    let person = checked(&house, &name, password, from).await?;
    let token = new_token()?;
    let (name, kept) = (person.name.clone(), token.clone());
    let staff_from = (person.role != Role::Player).then_some(from);
    house.store.change(Change::LogIn { name, token: kept, staff_from }).await?;
    house.welcome(person, &token, MONTH).await
}

/// Whoever has this name and this password.
async fn checked(
    house: &House,
    name: &str,
    password: String,
    from: IpAddr,
) -> Result<Person, HttpError> {
    let wrong = || {
        let refusal = Refusal::by_house("wrong-password", "The name or the password is wrong.");
        HttpError::new(StatusCode::UNAUTHORIZED, refusal)
    };
    let name: Name = name.parse().map_err(|_| wrong())?;
    let known = house.store.account(&name).await?;
    // What is no account's name may be a password in the wrong field: it is not logged.
    let who = known.as_ref().map(|_| name.as_str()).unwrap_or_default().to_owned();
    house.vault.admit(&name, from, Instant::now())?;
    if let Err(refusal) = house.vault.take_try(&name, from, Instant::now()) {
        let wait = refusal.seconds();
        tracing::warn!(who, address = %from, what = "login", wait, "too many wrong passwords: locked out");
        if known.is_some() {
            house.note_lock_out(&name, from).await;
        }
        return Err(refusal);
    }
    let (person, kept) =
        known.map_or((None, PasswordHash::nobody()), |(who, kept)| (Some(who), kept));
    let password = Password::new(password).map_err(|_| wrong())?;
    let is_outdated = kept.is_outdated();
    let is_right = house.vault.is(kept, password.clone(), from).await;
    let is_right = is_right.inspect_err(|_| house.vault.give_back(&name, from))?;
    let person = person.filter(|_| is_right).ok_or_else(|| {
        tracing::warn!(who, address = %from, what = "login", "wrong name or password");
        wrong()
    })?;
    house.vault.succeed(&name, from, Instant::now());
    if is_outdated {
        rehash(house, name, password, from).await;
    }
    Ok(person)
}

impl House {
    /// Refuses another name for a guest who has a place at a table.
    fn is_at_no_table(&self, guest: &Name) -> Result<(), HttpError> {
        match self.holdings.of(guest).is_empty() {
            true => Ok(()),
            false => {
                let sentence = "Leave the tables first, or keep your name.";
                Err(HttpError::conflict("still-seated", sentence))
            }
        }
    }

    /// Keeps a guest from every table, if they are at none.
    async fn kept_from_tables(&self, guest: &Name) -> Result<Renaming, HttpError> {
        let renaming = self.store.rename(guest);
        // Whatever a table had begun before that is over once it answers; one that is closed takes nobody.
        for door in self.floor.doors().iter() {
            let asked = self.ask(&door.about.table, Ask::Published).await;
            // Where another node owns it, somebody may sit there unseen until that node answers.
            if !door.is_here() {
                asked?;
            }
        }
        if self.node.is_some() {
            tokio::time::sleep(SEEN_WITHIN).await;
        }
        self.is_at_no_table(guest).map(|()| renaming)
    }

    /// Keeps the event that an account has to wait; once in a while, however often it is tried.
    async fn note_lock_out(&self, name: &Name, from: IpAddr) {
        let now = Instant::now();
        {
            let mut noted = self.locked_out.lock().unwrap_or_else(PoisonError::into_inner);
            noted.retain(|_, at| now.duration_since(*at) < LOCK_OUT_NOTED_EVERY);
            if noted.contains_key(name) {
                return;
            }
            noted.insert(name.clone(), now);
        }
        let (who, what, whom) = (HOUSE.to_owned(), EventKind::LockOut, Some(name.clone()));
        let event = HouseEvent { who, what, whom, more: from.to_string() };
        if let Err(error) = self.store.change(Change::Note(event)).await {
            tracing::error!(who = %name, what = "lock-out", why = %error, "an event cannot be saved");
        }
    }
}

/// Keeps a right password in the way of today. Where that fails, the next sign-in tries again.
async fn rehash(house: &House, name: Name, password: Password, from: IpAddr) {
    if let Ok(password) = house.vault.keep(password, from).await
        && let Err(error) = house.store.change(Change::Rehash { name, password }).await
    {
        tracing::warn!(what = "rehash", why = %error, "a password hash could not be renewed");
    }
}

/// Signs out, here or everywhere.
///
/// The sockets of the account are closed: pages elsewhere come back by themselves.
#[utoipa::path(
    post, path = "/api/logout", tag = "known", request_body = LogOut,
    responses(
        (status = 200, body = Fine, description = "Done."),
        BadBody, Known, Forbidden, Contradiction,
    )
)]
pub(super) async fn log_out(
    State(house): State<Arc<House>>,
    Known(person): Known,
    headers: HeaderMap,
    Body(LogOut { everywhere }): Body<LogOut>,
) -> Result<(CookieJar, Json<Fine>), HttpError> {
    let Some(token) = house.cookie_of(&headers).filter(|_| person.kind == Kind::Account) else {
        return Err(match person.kind {
            Kind::Bot => HttpError::conflict(
                "bot-token",
                "A bot cannot sign out. Ask an operator to revoke its token.",
            ),
            _ => {
                let sentence = "Create an account first, or you will lose your chips.";
                HttpError::conflict("guest-without-account", sentence)
            }
        });
    };
    let name = person.name.clone();
    house
        .store
        .change(match everywhere {
            true => Change::LogOutEverywhere { name },
            false => Change::LogOut { token },
        })
        .await?;
    tracing::info!(who = %person.name, what = "logout", everywhere, "signed out");
    house.send_away(&person.name);
    Ok((house.set_cookie("", 0), Json(Fine { ok: true })))
}

/// Changes the password, ends every session and begins one.
#[utoipa::path(
    post, path = "/api/me/password", tag = "known", request_body = ChangePassword,
    responses(
        (status = 200, body = Me, description = "The caller's account."),
        BadBody, Known, Forbidden, Contradiction, TooOften,
    )
)]
pub(super) async fn change_password(
    State(house): State<Arc<House>>,
    Known(person): Known,
    Address(from): Address,
    Body(ChangePassword { old, new }): Body<ChangePassword>,
) -> Result<(CookieJar, Json<Me>), HttpError> {
    if person.kind != Kind::Account {
        return Err(HttpError::conflict("no-account", "Only accounts have passwords."));
    }
    let new = read_password(new)?;
    let person = checked(&house, person.name.as_str(), old, from).await?;
    let (password, token) = (house.vault.keep(new, from).await?, new_token()?);
    let name = || person.name.clone();
    house.store.change(Change::Password { by: None, name: name(), password }).await?;
    let staff_from = (person.role != Role::Player).then_some(from);
    let session = Change::LogIn { name: name(), token: token.clone(), staff_from };
    house.store.change(session).await?;
    house.send_away(&person.name);
    house.welcome(person, &token, MONTH).await
}
