//! What operators do about people, and the significant events of the house.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Json;
use rules::table::Name;
use wire::{
    AfterEvent, AfterName, Events, NewPassword, NewPerson, NewRole, NewSuspension, NewToken,
    People, PersonView, TokenView,
};

use super::accounts::{new_name, read_password};
use super::answers::{BadBody, BadQuery, Contradiction, Missing};
use super::convert;
use super::entry::new_token;
use super::error::HttpError;
use super::extract::{Body, Query, Within};
use super::house::House;
use super::visitor::{Address, Operator, Reader};
use crate::people::{Kind, Role};
use crate::store::{Change, MOST_TOKENS, People as _, PersonRow, StoreError, YEAR};
use crate::tables::task::{Ask, unix_time};

/// The most people, or events, in one answer.
pub const MOST_LISTED: usize = 500;

/// The longest reason of a suspension, in bytes.
pub const LONGEST_BECAUSE: usize = 200;

/// The last second that a suspension may have: the end of the year 9998.
const LAST_MOMENT: i64 = 253_370_764_799;

/// The longest label of a token, in bytes.
pub const LONGEST_LABEL: usize = 64;

/// Lists everyone, 500 at a time.
#[utoipa::path(
    get, path = "/api/people", tag = "operator or auditor", params(AfterName),
    responses((status = 200, body = People, description = "People by name."), Reader, BadQuery)
)]
pub(super) async fn people(
    State(house): State<Arc<House>>,
    Reader(who): Reader,
    Query(AfterName { after }): Query<AfterName>,
) -> Result<Json<People>, HttpError> {
    tracing::debug!(who = %who.name, what = "people", "the list of people is read");
    let mut people = house.store.everyone(&after.unwrap_or_default(), MOST_LISTED + 1).await?;
    let more = people.len() > MOST_LISTED;
    people.truncate(MOST_LISTED);
    let now = unix_time();
    let people = people.into_iter().map(|row| convert::person(row, now)).collect();
    Ok(Json(People { people, more }))
}

/// Lists significant events, 500 at a time: what operators did, sign-ins of staff, starts, backups.
#[utoipa::path(
    get, path = "/api/office/events", tag = "operator or auditor", params(AfterEvent),
    responses((status = 200, body = Events, description = "Events from the first."), Reader, BadQuery)
)]
pub(super) async fn events(
    State(house): State<Arc<House>>,
    Reader(who): Reader,
    Query(AfterEvent { after }): Query<AfterEvent>,
) -> Result<Json<Events>, HttpError> {
    tracing::debug!(who = %who.name, what = "events", "the events are read");
    let mut events = house.store.events(after.unwrap_or(0), MOST_LISTED + 1).await?;
    let more = events.len() > MOST_LISTED;
    events.truncate(MOST_LISTED);
    let events = events.into_iter().map(convert::event).collect();
    Ok(Json(Events { events, more }))
}

/// Creates an account or a bot, with play money.
#[utoipa::path(
    post, path = "/api/people", tag = "operator", request_body = NewPerson,
    responses((status = 200, body = PersonView, description = "The new person."), Operator, BadBody, Contradiction)
)]
pub(super) async fn make(
    State(house): State<Arc<House>>,
    Operator(by): Operator,
    Address(from): Address,
    Body(NewPerson { name, kind, role, password }): Body<NewPerson>,
) -> Result<Json<PersonView>, HttpError> {
    let by = by.name;
    let name = new_name(&name)?;
    let (kind, role) = (convert::kind_of(kind), convert::role_of(role));
    may_have(kind, role)?;
    let password = match (kind, password) {
        (Kind::Account, Some(password)) => {
            Some(house.vault.keep(read_password(password)?, from).await?)
        }
        (Kind::Account, None) => {
            return Err(HttpError::bad("no-password", "An account needs a password."));
        }
        (_, Some(_)) => {
            return Err(HttpError::bad("no-account", "Only accounts have passwords."));
        }
        (_, None) => None,
    };
    let change = Change::Make { by, name: name.clone(), kind, role, password };
    house.store.change(change).await?;
    house.shown(&name).await
}

/// Gives somebody another role, and closes their sockets.
#[utoipa::path(
    post, path = "/api/people/{name}/role", tag = "operator", request_body = NewRole, params(("name" = String, Path, description = "Whose.")),
    responses((status = 200, body = PersonView, description = "The person."), Operator, BadBody, Missing, Contradiction)
)]
pub(super) async fn role(
    State(house): State<Arc<House>>,
    Operator(by): Operator,
    Within(name): Within<String>,
    Body(NewRole { role }): Body<NewRole>,
) -> Result<Json<PersonView>, HttpError> {
    let by = by.name;
    let (name, PersonRow { kind, .. }) = house.somebody(&name).await?;
    if name == by {
        return Err(HttpError::conflict("own-role", "You cannot change your own role."));
    }
    let role = convert::role_of(role);
    may_have(kind, role)?;
    house.done(Change::Role { by, name: name.clone(), role }, &name).await
}

/// Gives an account another password, and ends its sessions.
#[utoipa::path(
    post, path = "/api/people/{name}/password", tag = "operator", request_body = NewPassword, params(("name" = String, Path, description = "Whose.")),
    responses((status = 200, body = PersonView, description = "The person."), Operator, BadBody, Missing, Contradiction)
)]
pub(super) async fn password(
    State(house): State<Arc<House>>,
    Operator(by): Operator,
    Address(from): Address,
    Within(name): Within<String>,
    Body(NewPassword { password }): Body<NewPassword>,
) -> Result<Json<PersonView>, HttpError> {
    let by = by.name;
    let (name, PersonRow { kind, .. }) = house.somebody(&name).await?;
    if kind != Kind::Account {
        return Err(HttpError::conflict("no-account", "Only accounts have passwords."));
    }
    let password = house.vault.keep(read_password(password)?, from).await?;
    house.done(Change::Password { by: Some(by), name: name.clone(), password }, &name).await
}

/// Gives a bot a token.
#[utoipa::path(
    post, path = "/api/people/{name}/tokens", tag = "operator", request_body = NewToken, params(("name" = String, Path, description = "Whose.")),
    responses((status = 200, body = TokenView, description = "The token, which is told this once."), Operator, BadBody, Missing, Contradiction)
)]
pub(super) async fn token(
    State(house): State<Arc<House>>,
    Operator(by): Operator,
    Within(name): Within<String>,
    Body(NewToken { label }): Body<NewToken>,
) -> Result<Json<TokenView>, HttpError> {
    let by = by.name;
    let (name, PersonRow { kind, tokens, .. }) = house.somebody(&name).await?;
    if kind != Kind::Bot {
        return Err(HttpError::conflict("not-a-bot", "Only bots have tokens."));
    }
    if label.is_empty() || label.len() > LONGEST_LABEL || label.chars().any(char::is_control) {
        let sentence = format!("A label must have 1 to {LONGEST_LABEL} bytes on one line.");
        return Err(HttpError::bad("bad-label", sentence));
    }
    if tokens.contains(&label) {
        return Err(HttpError::conflict(
            "label-taken",
            "The bot already has a token with this label.",
        ));
    }
    let token = new_token()?;
    let (kept, called) = (token.clone(), label.clone());
    match house.store.change(Change::Token { by, name, label: called, token: kept }).await {
        Ok(()) => Ok(Json(TokenView { label, token, until: unix_time() + YEAR })),
        Err(StoreError::Changed) => Err(HttpError::conflict(
            "too-many-tokens",
            format!("A bot can have at most {MOST_TOKENS} tokens."),
        )),
        Err(error) => Err(error.into()),
    }
}

/// Revokes a token of a bot, and closes its sockets.
#[utoipa::path(
    delete, path = "/api/people/{name}/tokens/{label}", tag = "operator", params(("name" = String, Path, description = "Whose."), ("label" = String, Path, description = "Which token.")),
    responses((status = 200, body = PersonView, description = "The person."), Operator, Missing, Contradiction)
)]
pub(super) async fn revoke(
    State(house): State<Arc<House>>,
    Operator(by): Operator,
    Within((name, label)): Within<(String, String)>,
) -> Result<Json<PersonView>, HttpError> {
    let by = by.name;
    let (name, PersonRow { tokens, .. }) = house.somebody(&name).await?;
    if !tokens.contains(&label) {
        return Err(HttpError::missing("no-such-token", "The bot has no such token."));
    }
    house.done(Change::Revoke { by, name: name.clone(), label }, &name).await
}

/// Suspends somebody from play, and closes their sockets.
///
/// Their seats are left once their rounds are over, and their money stays theirs. The sessions of an
/// account end; whoever signs in again sees the account and does not play.
#[utoipa::path(
    post, path = "/api/people/{name}/suspension", tag = "operator", request_body = NewSuspension, params(("name" = String, Path, description = "Whom.")),
    responses((status = 200, body = PersonView, description = "The person."), Operator, BadBody, Missing, Contradiction)
)]
pub(super) async fn suspend(
    State(house): State<Arc<House>>,
    Operator(by): Operator,
    Within(name): Within<String>,
    Body(NewSuspension { until, because }): Body<NewSuspension>,
) -> Result<Json<PersonView>, HttpError> {
    let by = by.name;
    let (name, _) = house.somebody(&name).await?;
    if name == by {
        return Err(HttpError::conflict("own-suspension", "You cannot suspend yourself."));
    }
    if until.is_some_and(|until| until <= unix_time() || until > LAST_MOMENT) {
        let sentence = "A suspension must end in the future, before the year 9999.";
        return Err(HttpError::bad("bad-until", sentence));
    }
    if because.trim().is_empty()
        || because.len() > LONGEST_BECAUSE
        || because.chars().any(char::is_control)
    {
        let sentence = format!("Give a reason of 1 to {LONGEST_BECAUSE} bytes on one line.");
        return Err(HttpError::bad("bad-reason", sentence));
    }
    let whom = name.clone();
    house.store.change(Change::Suspend { by, name: whom, until, because }).await?;
    house.keep_from_play(&name).await;
    house.shown(&name).await
}

/// Lifts a suspension. What somebody decided about themselves stays.
#[utoipa::path(
    delete, path = "/api/people/{name}/suspension", tag = "operator", params(("name" = String, Path, description = "Whose.")),
    responses((status = 200, body = PersonView, description = "The person."), Operator, Missing, Contradiction)
)]
pub(super) async fn reinstate(
    State(house): State<Arc<House>>,
    Operator(by): Operator,
    Within(name): Within<String>,
) -> Result<Json<PersonView>, HttpError> {
    let (name, PersonRow { exclusion, .. }) = house.somebody(&name).await?;
    if exclusion.suspension.is_none() {
        return Err(HttpError::missing("not-suspended", "That person is not suspended."));
    }
    house.store.change(Change::Reinstate { by: by.name, name: name.clone() }).await?;
    house.shown(&name).await
}

/// Ends every session of a guest or an account, and closes their sockets.
///
/// A guest cannot come back without an operator's help: the cookie was the only way to the money.
#[utoipa::path(
    delete, path = "/api/people/{name}/sessions", tag = "operator", params(("name" = String, Path, description = "Whose.")),
    responses((status = 200, body = PersonView, description = "The person."), Operator, Missing, Contradiction)
)]
pub(super) async fn end_sessions(
    State(house): State<Arc<House>>,
    Operator(by): Operator,
    Within(name): Within<String>,
) -> Result<Json<PersonView>, HttpError> {
    let (name, PersonRow { kind, .. }) = house.somebody(&name).await?;
    if kind == Kind::Bot {
        let sentence = "A bot has tokens and no sessions. Revoke its tokens.";
        return Err(HttpError::conflict("bot-token", sentence));
    }
    house.done(Change::EndSessions { by: by.name, name: name.clone() }, &name).await
}

impl House {
    /// Closes the sockets of somebody who does not play from now on, and has their seats left.
    pub(super) async fn keep_from_play(&self, name: &Name) {
        self.send_away(name);
        for door in self.floor.doors().iter() {
            // A table that is closed has nobody to let go.
            let _ = door.asks.send(Ask::LookAround).await;
        }
    }

    /// Changes something about somebody, has their sockets closed where they are not welcome any more, and
    /// shows them as they are then.
    async fn done(&self, change: Change, name: &Name) -> Result<Json<PersonView>, HttpError> {
        self.store.change(change).await?;
        self.send_away(name);
        self.shown(name).await
    }

    async fn somebody(&self, name: &str) -> Result<(Name, PersonRow), HttpError> {
        let nobody = || HttpError::missing("no-such-person", "There is no such person.");
        let person = self.store.somebody(name).await?.ok_or_else(nobody)?;
        Ok((name.parse().map_err(|_| nobody())?, person))
    }

    async fn shown(&self, name: &Name) -> Result<Json<PersonView>, HttpError> {
        self.somebody(name.as_str())
            .await
            .map(|(_, person)| Json(convert::person(person, unix_time())))
    }
}

/// Refuses a role that somebody of a kind cannot have.
fn may_have(kind: Kind, role: Role) -> Result<(), HttpError> {
    match (kind, role) {
        (Kind::Guest, _) => Err(HttpError::conflict(
            "guest-role",
            "Guests cannot have a role. They need an account first.",
        )),
        (Kind::Bot, Role::Player | Role::Dealer) | (Kind::Account, _) => Ok(()),
        (Kind::Bot, _) => {
            Err(HttpError::conflict("bot-role", "A bot can only be a player or a dealer."))
        }
    }
}
