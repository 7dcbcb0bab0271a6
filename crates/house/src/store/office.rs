//! What operators do about people: everyone by name, tokens of bots; and the significant events of
//! the house.

use rules::table::Name;

use super::database::{Connection, Row, query};
use super::{StoreResult, StoredRow, hash_of, one};
use crate::people::exclusion::{Exclusion, Suspension};
use crate::people::{Kind, Role};

/// The most tokens of a bot.
pub const MOST_TOKENS: i64 = 8;

/// People with the labels of their tokens, one in a line, and what keeps them from playing.
macro_rules! people {
    ($which:literal) => {
        concat!(
            "SELECT name, kind, role, since, (SELECT string_agg(label, '\n') FROM sessions ",
            "WHERE sessions.name = people.name AND label IS NOT NULL) AS tokens, own.until AS own, ",
            "CAST(CASE WHEN house.person IS NULL THEN 0 ELSE 1 END AS BIGINT) AS suspended, ",
            "house.until AS suspended_until FROM people ",
            "LEFT JOIN exclusions own ON own.person = name AND own.decided = 'own' ",
            "LEFT JOIN exclusions house ON house.person = name AND house.decided = 'house' ",
            $which
        )
    };
}

pub(super) const EVERYONE: &str = people!("WHERE name > $1 ORDER BY name LIMIT $2");

pub(super) const SOMEBODY: &str = people!("WHERE name = $1");

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
    /// What keeps them from playing, in force or over.
    pub exclusion: Exclusion,
}

/// A significant event that was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRow {
    /// Its number.
    pub id: i64,
    /// When, in seconds of Unix time.
    pub at: i64,
    /// Who did it: somebody, the command line, or the house itself.
    pub who: String,
    /// What it was, as [`EventKind::name`] has it.
    pub what: String,
    /// To whom; none where it is about nobody in particular.
    pub whom: Option<String>,
    /// The new role, the label of a token, an address, a file, or a reason.
    pub more: String,
}

/// A significant event of the house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HouseEvent {
    /// Who did it: somebody, the command line, or the house itself.
    pub who: String,
    /// What it is.
    pub what: EventKind,
    /// To whom.
    pub whom: Option<Name>,
    /// The rest of it, in words.
    pub more: String,
}

/// Defines the kinds of events with their words.
macro_rules! kinds {
    ($($(#[$doc:meta])* $Kind:ident $name:literal;)+) => {
        /// What kind of event it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum EventKind {
            $($(#[$doc])* $Kind,)+
        }

        impl EventKind {
            /// Every kind.
            pub const ALL: &[EventKind] = &[$(EventKind::$Kind),+];

            /// Its one name, in the store and on the wire.
            pub const fn name(self) -> &'static str {
                match self {
                    $(EventKind::$Kind => $name,)+
                }
            }
        }
    };
}

kinds! {
    /// The house was opened.
    Start "start";
    /// It was opened with another configuration than before.
    Configuration "configuration";
    /// The store was copied.
    Backup "backup";
    /// Two parts of the store that say the same do not agree.
    Difference "difference";
    /// Somebody who works for the house signed in.
    SignIn "sign-in";
    /// An account has to wait after wrong passwords.
    LockOut "lock-out";
    /// An account or a bot was created.
    Make "make";
    /// Somebody got another role.
    Role "role";
    /// Somebody got another password from an operator.
    Password "password";
    /// A bot got a token.
    Token "token";
    /// A token was revoked.
    Revoke "revoke";
    /// The command line made somebody an operator.
    Operator "operator";
    /// An operator suspended somebody.
    Suspend "suspend";
    /// An operator lifted a suspension.
    Reinstate "reinstate";
    /// Somebody excluded themselves.
    Exclude "exclude";
    /// An operator ended somebody's sessions.
    EndSessions "end-sessions";
    /// A supervisor took somebody's seat.
    Unseat "unseat";
    /// A supervisor asked for a correction that needs a second one.
    CorrectionAsked "correction-asked";
    /// A second supervisor approved it.
    CorrectionApproved "correction-approved";
    /// A second supervisor refused it, or the first one withdrew it.
    CorrectionRefused "correction-refused";
}

pub(super) fn count(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}

pub(super) fn read(row: &Row) -> StoreResult<PersonRow> {
    let row = StoredRow::new(row, "people", &["name"]);
    let (kind, role) = (row.named("kind", Kind::named)?, row.named("role", Role::named)?);
    let tokens: Option<&str> = row.get_or_none("tokens")?;
    let tokens = tokens.unwrap_or_default().lines().map(str::to_owned).collect();
    let suspension = match row.flag("suspended")? {
        true => Some(Suspension { until: row.whole_or_none("suspended_until")? }),
        false => None,
    };
    let exclusion = Exclusion { own: row.whole_or_none("own")?, suspension };
    let (name, since) = (row.text("name")?, row.whole("since")?);
    Ok(PersonRow { name, kind, role, since, tokens, exclusion })
}

pub(super) fn read_event(row: &Row) -> StoreResult<EventRow> {
    let row = StoredRow::new(row, "events", &["id"]);
    Ok(EventRow {
        id: row.whole("id")?,
        at: row.whole("at")?,
        who: row.text("who")?,
        what: row.text("what")?,
        whom: row.get_or_none("whom")?,
        more: row.text("more")?,
    })
}

/// Keeps an event.
pub(super) async fn add_event(
    to: &mut Connection<'_>,
    HouseEvent { who, what, whom, more }: &HouseEvent,
) -> Result<(), sqlx::Error> {
    let row = query(
        "INSERT INTO events (at, who, what, whom, more) VALUES (unixepoch(), $1, $2, $3, $4)",
    );
    let row = row.bind(who.as_str()).bind(what.name()).bind(whom.as_ref().map(Name::as_str));
    row.bind(more.as_str()).execute(to).await.map(drop)
}

pub(super) async fn set_role(
    to: &mut Connection<'_>,
    name: &Name,
    role: Role,
) -> Result<(), sqlx::Error> {
    let row = query("UPDATE people SET role = $1 WHERE name = $2");
    one(row.bind(role.name()).bind(name.as_str()), to).await
}

/// Adds a token of a bot that has not too many.
pub(super) async fn add_token(
    to: &mut Connection<'_>,
    name: &Name,
    label: &str,
    token: &str,
    lasts: i64,
) -> Result<(), sqlx::Error> {
    let row = query(
        "INSERT INTO sessions SELECT $1, name, $2, unixepoch(), unixepoch() + $3 FROM people \
         WHERE name = $4 AND kind = 'bot' AND (SELECT count(*) FROM sessions \
         WHERE name = $4 AND label IS NOT NULL) < $5",
    );
    let row = row.bind(hash_of(token)).bind(label.to_owned()).bind(lasts);
    one(row.bind(name.as_str()).bind(MOST_TOKENS), to).await
}

pub(super) async fn end_token(
    to: &mut Connection<'_>,
    name: &Name,
    label: &str,
) -> Result<(), sqlx::Error> {
    let row = query("DELETE FROM sessions WHERE name = $1 AND label = $2");
    one(row.bind(name.as_str()).bind(label.to_owned()), to).await
}
