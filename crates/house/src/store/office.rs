//! What operators do about people: everyone by name, tokens of bots, and the record of every act.

use rules::table::Name;
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::{StoreError, hash_of, one};
use crate::people::{Kind, Role};

/// The most tokens of a bot.
pub const MOST_TOKENS: i64 = 8;

/// A person with the labels of their tokens, one in a line.
pub(super) const SOMEBODY: &str = "SELECT name, kind, role, since, (SELECT group_concat(label, char(10)) \
    FROM sessions WHERE sessions.name = people.name AND label IS NOT NULL) AS tokens FROM people";

/// Somebody whom the house knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonRow {
    /// The name.
    pub name: String,
    /// How the house knows them.
    pub kind: Kind,
    /// What they may do.
    pub role: Role,
    /// Since when, in seconds of Unix time.
    pub since: i64,
    /// The labels of a bot's tokens.
    pub tokens: Vec<String>,
}

/// What an operator did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActRow {
    /// Its number.
    pub id: i64,
    /// When, in seconds of Unix time.
    pub at: i64,
    /// Who did it: an operator, or the command line.
    pub who: String,
    /// What it was.
    pub what: String,
    /// To whom.
    pub whom: String,
    /// The new role, or the label of a token.
    pub more: String,
}

/// What an operator does.
pub(super) struct Act {
    pub(super) who: String,
    pub(super) what: &'static str,
    pub(super) whom: Name,
    pub(super) more: String,
}

pub(super) fn count(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}

pub(super) fn read(row: SqliteRow) -> Result<PersonRow, StoreError> {
    let text = |column| row.get::<String, _>(column);
    let known = Kind::named(&text("kind")).zip(Role::named(&text("role")));
    let (kind, role) =
        known.ok_or_else(|| StoreError::Failed("somebody cannot be read".to_owned()))?;
    let tokens = row.get::<Option<String>, _>("tokens").unwrap_or_default();
    let tokens = tokens.lines().map(str::to_owned).collect();
    Ok(PersonRow { name: text("name"), kind, role, since: row.get("since"), tokens })
}

/// Writes down what was done to somebody, and by whom.
pub(super) async fn add_act(
    to: &mut SqliteConnection,
    Act { who, what, whom, more }: &Act,
) -> Result<(), sqlx::Error> {
    let row = sqlx::query("INSERT INTO acts VALUES (NULL, unixepoch(), ?, ?, ?, ?)");
    let row = row.bind(who.as_str()).bind(*what).bind(whom.as_str());
    row.bind(more.as_str()).execute(to).await.map(drop)
}

pub(super) async fn set_role(
    to: &mut SqliteConnection,
    name: &Name,
    role: Role,
) -> Result<(), sqlx::Error> {
    let row = sqlx::query("UPDATE people SET role = ? WHERE name = ?");
    one(row.bind(role.name()).bind(name.as_str()), to).await
}

/// Adds a token of a bot that has not too many.
pub(super) async fn add_token(
    to: &mut SqliteConnection,
    name: &Name,
    label: &str,
    token: &str,
    lasts: i64,
) -> Result<(), sqlx::Error> {
    let row = sqlx::query(
        "INSERT INTO sessions SELECT ?1, name, ?2, unixepoch(), unixepoch() + ?3 FROM people \
         WHERE name = ?4 AND kind = 'bot' AND (SELECT count(*) FROM sessions \
         WHERE name = ?4 AND label IS NOT NULL) < ?5",
    );
    let row = row.bind(hash_of(token)).bind(label.to_owned()).bind(lasts);
    one(row.bind(name.as_str()).bind(MOST_TOKENS), to).await
}

pub(super) async fn end_token(
    to: &mut SqliteConnection,
    name: &Name,
    label: &str,
) -> Result<(), sqlx::Error> {
    let row = sqlx::query("DELETE FROM sessions WHERE name = ? AND label = ?");
    one(row.bind(name.as_str()).bind(label.to_owned()), to).await
}
