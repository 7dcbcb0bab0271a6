//! What operators do about people, and the record of it.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Json;
use rules::table::Name;
use schemars::JsonSchema;
use serde::Deserialize;

use super::accounts::{new_name, read_password};
use super::entry::new_token;
use super::refusal::{Asked, Refusal, Said, Within};
use super::{House, NO_GUEST};
use crate::role::{Kind, Person, Role};
use crate::store::{Change, StoreError, YEAR};
use crate::table_task::unix_time;
use crate::wire::{Acts, People, PersonView, TokenView};

/// The most people, or acts, in one answer.
pub const MOST_LISTED: usize = 500;

/// The longest label of a token, in bytes.
pub const LONGEST_LABEL: usize = 64;

impl House {
    /// Whoever asks, if they have one of these roles.
    pub(crate) async fn with_role(
        &self,
        headers: &HeaderMap,
        roles: &[Role],
    ) -> Result<Person, Refusal> {
        let person = self.person(headers).await?.ok_or(NO_GUEST)?;
        if roles.contains(&person.role) {
            return Ok(person);
        }
        let names: Vec<_> = roles.iter().map(|role| role.name()).collect();
        let sentence = format!("only for the role {}; you are a {}", names.join(" or "), {
            person.role.name()
        });
        Err(Refusal::new(StatusCode::FORBIDDEN, sentence))
    }
}

/// Where a list goes on.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct After<T> {
    after: Option<T>,
}

/// Everyone whom the house knows, by name. For operators and auditors.
pub(super) async fn people(
    State(house): State<Arc<House>>,
    headers: HeaderMap,
    Asked(After { after }): Asked<After<String>>,
) -> Result<Json<People>, Refusal> {
    house.with_role(&headers, &[Role::Operator, Role::Auditor]).await?;
    let mut people = house.store.people(&after.unwrap_or_default(), MOST_LISTED + 1).await?;
    let more = people.len() > MOST_LISTED;
    people.truncate(MOST_LISTED);
    Ok(Json(People { people, more }))
}

/// What operators did, from the first. For operators and auditors.
pub(super) async fn acts(
    State(house): State<Arc<House>>,
    headers: HeaderMap,
    Asked(After { after }): Asked<After<i64>>,
) -> Result<Json<Acts>, Refusal> {
    house.with_role(&headers, &[Role::Operator, Role::Auditor]).await?;
    let mut acts = house.store.acts(after.unwrap_or(0), MOST_LISTED + 1).await?;
    let more = acts.len() > MOST_LISTED;
    acts.truncate(MOST_LISTED);
    Ok(Json(Acts { acts, more }))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPerson {
    name: String,
    kind: Kind,
    #[serde(default)]
    role: Role,
    password: Option<String>,
}

/// Makes an account or a bot, with play money. For operators.
pub(super) async fn make(
    State(house): State<Arc<House>>,
    headers: HeaderMap,
    Said(NewPerson { name, kind, role, password }): Said<NewPerson>,
) -> Result<Json<PersonView>, Refusal> {
    let by = house.with_role(&headers, &[Role::Operator]).await?.name;
    let name = new_name(&name)?;
    may_have(kind, role)?;
    let password = match (kind, password) {
        (Kind::Account, Some(password)) => Some(house.vault.keep(read_password(password)?).await?),
        (Kind::Account, None) => return Err(Refusal::bad("an account has a password")),
        (_, Some(_)) => return Err(Refusal::bad("only an account has a password")),
        (_, None) => None,
    };
    let change = Change::Make { by, name: name.clone(), kind, role, password };
    house.store.change(change).await?;
    house.told(&name).await
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OtherRole {
    role: Role,
}

/// Gives somebody another role, and closes their sockets. For operators.
pub(super) async fn role(
    State(house): State<Arc<House>>,
    headers: HeaderMap,
    Within(name): Within<String>,
    Said(OtherRole { role }): Said<OtherRole>,
) -> Result<Json<PersonView>, Refusal> {
    let by = house.with_role(&headers, &[Role::Operator]).await?.name;
    let (name, PersonView { kind, .. }) = house.known(&name).await?;
    if name == by {
        return Err(Refusal::conflict("another operator decides about you"));
    }
    may_have(kind, role)?;
    house.store.change(Change::Role { by, name: name.clone(), role }).await?;
    house.send_away(&name);
    house.told(&name).await
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPassword {
    password: String,
}

/// Gives an account another password, and ends its sessions. For operators.
pub(super) async fn password(
    State(house): State<Arc<House>>,
    headers: HeaderMap,
    Within(name): Within<String>,
    Said(NewPassword { password }): Said<NewPassword>,
) -> Result<Json<PersonView>, Refusal> {
    let by = house.with_role(&headers, &[Role::Operator]).await?.name;
    let (name, PersonView { kind, .. }) = house.known(&name).await?;
    if kind != Kind::Account {
        return Err(Refusal::conflict("only an account has a password"));
    }
    let password = house.vault.keep(read_password(password)?).await?;
    let change = Change::Password { by: Some(by), name: name.clone(), password };
    house.store.change(change).await?;
    house.send_away(&name);
    house.told(&name).await
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewToken {
    label: String,
}

/// Gives a bot a token, which is told this once. For operators.
pub(super) async fn token(
    State(house): State<Arc<House>>,
    headers: HeaderMap,
    Within(name): Within<String>,
    Said(NewToken { label }): Said<NewToken>,
) -> Result<Json<TokenView>, Refusal> {
    let by = house.with_role(&headers, &[Role::Operator]).await?.name;
    let (name, PersonView { kind, tokens, .. }) = house.known(&name).await?;
    if kind != Kind::Bot {
        return Err(Refusal::conflict("only a bot has tokens"));
    }
    if label.is_empty() || label.len() > LONGEST_LABEL || label.chars().any(char::is_control) {
        return Err(Refusal::bad(format!("a label has 1 to {LONGEST_LABEL} bytes in one line")));
    }
    if tokens.contains(&label) {
        return Err(Refusal::conflict("the bot has a token with this label"));
    }
    let token = new_token()?;
    let (kept, called) = (token.clone(), label.clone());
    match house.store.change(Change::Token { by, name, label: called, token: kept }).await {
        Ok(()) => Ok(Json(TokenView { label, token, until: unix_time() + YEAR })),
        Err(StoreError::Changed) => Err(Refusal::conflict(format!(
            "a bot has at most {} tokens",
            crate::store::MOST_TOKENS
        ))),
        Err(error) => Err(error.into()),
    }
}

/// Takes a token back from a bot, and closes its sockets. For operators.
pub(super) async fn revoke(
    State(house): State<Arc<House>>,
    headers: HeaderMap,
    Within((name, label)): Within<(String, String)>,
) -> Result<Json<PersonView>, Refusal> {
    let by = house.with_role(&headers, &[Role::Operator]).await?.name;
    let (name, PersonView { tokens, .. }) = house.known(&name).await?;
    if !tokens.contains(&label) {
        return Err(Refusal::new(StatusCode::NOT_FOUND, "the bot has no such token"));
    }
    house.store.change(Change::Revoke { by, name: name.clone(), label }).await?;
    house.send_away(&name);
    house.told(&name).await
}

impl House {
    async fn known(&self, name: &str) -> Result<(Name, PersonView), Refusal> {
        let nobody = || Refusal::new(StatusCode::NOT_FOUND, "nobody is called so");
        let person = self.store.somebody(name).await?.ok_or_else(nobody)?;
        Ok((name.parse().map_err(|_| nobody())?, person))
    }

    async fn told(&self, name: &Name) -> Result<Json<PersonView>, Refusal> {
        self.known(name.as_str()).await.map(|(_, person)| Json(person))
    }
}

/// Refuses a role that somebody of a kind cannot have.
fn may_have(kind: Kind, role: Role) -> Result<(), Refusal> {
    match (kind, role) {
        (Kind::Guest, _) => {
            Err(Refusal::conflict("a guest is a player, and makes an account first"))
        }
        (Kind::Bot, Role::Player | Role::Dealer) | (Kind::Account, _) => Ok(()),
        (Kind::Bot, _) => Err(Refusal::conflict("a bot is a player or a dealer")),
    }
}
