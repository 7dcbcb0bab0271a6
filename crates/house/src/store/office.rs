//! What operators do about people: everyone by name, tokens of bots, and the record of every act.

use rules::table::Name;
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::people::{Act, one};
use super::{Store, StoreError, hash_of};
use crate::role::{Kind, Role};
use crate::wire::{ActView, PersonView};

/// The most tokens of a bot.
pub const MOST_TOKENS: i64 = 8;

/// A person with the labels of their tokens, one in a line.
const SOMEBODY: &str = "SELECT name, kind, role, since, (SELECT group_concat(label, char(10)) \
    FROM sessions WHERE sessions.name = people.name AND label IS NOT NULL) AS tokens FROM people";

impl Store {
    /// People whose names come after one, in order.
    pub async fn people(&self, after: &str, most: usize) -> Result<Vec<PersonView>, StoreError> {
        let lines = format!("{SOMEBODY} WHERE name > ? ORDER BY name LIMIT ?");
        let rows = sqlx::query(sqlx::AssertSqlSafe(lines)).bind(after.to_owned()).bind(count(most));
        rows.fetch_all(&self.readers).await?.into_iter().map(read).collect()
    }

    /// Whoever has a name.
    pub async fn somebody(&self, name: &str) -> Result<Option<PersonView>, StoreError> {
        let lines = format!("{SOMEBODY} WHERE name = ?");
        let row = sqlx::query(sqlx::AssertSqlSafe(lines)).bind(name.to_owned());
        row.fetch_optional(&self.readers).await?.map(read).transpose()
    }

    /// What operators did after an act, in order.
    pub async fn acts(&self, after: i64, most: usize) -> Result<Vec<ActView>, StoreError> {
        let rows = sqlx::query("SELECT * FROM acts WHERE id > ? ORDER BY id LIMIT ?");
        let rows = rows.bind(after).bind(count(most)).fetch_all(&self.readers).await?;
        let act = |row: SqliteRow| ActView {
            id: row.get("id"),
            at: row.get("at"),
            who: row.get("who"),
            what: row.get("what"),
            whom: row.get("whom"),
            more: row.get("more"),
        };
        Ok(rows.into_iter().map(act).collect())
    }

    /// Whether somebody is a program.
    pub fn is_bot(&self, name: &Name) -> bool {
        self.roll().bots.contains(name)
    }
}

fn count(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}

fn read(row: SqliteRow) -> Result<PersonView, StoreError> {
    let text = |column| row.get::<String, _>(column);
    let known = Kind::named(&text("kind")).zip(Role::named(&text("role")));
    let (kind, role) =
        known.ok_or_else(|| StoreError::Failed("somebody cannot be read".to_owned()))?;
    let tokens = row.get::<Option<String>, _>("tokens").unwrap_or_default();
    let tokens = tokens.lines().map(str::to_owned).collect();
    Ok(PersonView { name: text("name"), kind, role, since: row.get("since"), tokens })
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
