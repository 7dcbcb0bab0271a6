//! Who is known to the house, by what they are known again, and the money they begin with.

use std::net::IpAddr;
use std::sync::{PoisonError, RwLockReadGuard};

use rules::money::Cents;
use rules::table::{Account, Name, Transfer};
use rules::wager::Game;
use tokio::sync::broadcast;

use super::database::{Connection, Row, query};
use super::office::{self, EVERYONE, EventKind, EventRow, HouseEvent, PersonRow, SOMEBODY};
use super::roll::{Roll, RollChange};
use super::{Store, StoreResult, StoredRow, Write, hash_of, one, play, post};
use crate::people::exclusion::Suspension;
use crate::people::names::COMMAND_LINE;
use crate::people::password::PasswordHash;
use crate::people::{Kind, Person, Role};

/// What a new player has to play with.
pub const PLAY_MONEY: Cents = Cents::new(100_000);

/// How long a guest, and the token of a bot, is known again: a year, in seconds.
pub const YEAR: i64 = 365 * 24 * 60 * 60;

/// How long somebody with a password is known again without it, in seconds: thirty days.
pub const MONTH: i64 = 30 * 24 * 60 * 60;

/// The most sessions of an account; a further one ends the oldest.
pub const MOST_SESSIONS: i64 = 16;

const PERSON: &str = "SELECT sessions.name, kind, role FROM sessions LEFT JOIN people USING (name) \
     WHERE token_hash = $1 AND until > unixepoch()";

const EVENTS: &str = "SELECT * FROM events WHERE id > $1 ORDER BY id LIMIT $2";

const LAST_EVENT: &str = "SELECT * FROM events WHERE what = $1 ORDER BY id DESC LIMIT 1";

const FORMER_NAMES: &str = "SELECT * FROM former_names WHERE name = $1";

const TRAINING: &str = "SELECT * FROM training WHERE person = $1 AND game = $2";

/// The most changes of people that wait for whoever tells other nodes of them.
pub(super) const MOST_CHANGED: usize = 1024;

/// The longest record of what somebody has trained in one game, in bytes.
pub const LONGEST_TRAINING: usize = 32 * 1024;

const NEWS: &str = "SELECT people_version, news.version AS number, name FROM house \
     LEFT JOIN people_news AS news ON news.version > $1 ORDER BY news.version";

/// What is asked about people, for the test that none of it looks through a table that grows.
#[cfg(test)]
pub(super) const STATEMENTS: [&str; 7] =
    [PERSON, EVERYONE, SOMEBODY, EVENTS, LAST_EVENT, FORMER_NAMES, TRAINING];

/// What changes about people. Each is done wholly or not at all.
#[derive(Debug)]
pub enum Change {
    /// A guest comes in, and is given play money.
    Guest {
        /// The name.
        name: Name,
        /// The token in the cookie.
        token: String,
    },
    /// Somebody makes an account, and is given play money.
    Account {
        /// The name.
        name: Name,
        /// The password.
        password: PasswordHash,
        /// The token in the cookie.
        token: String,
    },
    /// A guest makes an account, and keeps the money, the rounds, the results and the limits.
    Upgrade {
        /// The guest's name.
        guest: Name,
        /// The name of the account, which may be the same.
        name: Name,
        /// The password.
        password: PasswordHash,
        /// The token in the new cookie.
        token: String,
    },
    /// A guest takes another name, and keeps all the rest.
    Rename {
        /// The guest's name so far.
        guest: Name,
        /// The new one.
        name: Name,
    },
    /// Somebody came in with a password.
    LogIn {
        /// Who.
        name: Name,
        /// The token in the new cookie.
        token: String,
        /// From where, if it is somebody who works for the house: that is an event.
        staff_from: Option<IpAddr>,
    },
    /// A session ends.
    LogOut {
        /// The token in the cookie.
        token: String,
    },
    /// Every session of somebody ends.
    LogOutEverywhere {
        /// Who.
        name: Name,
    },
    /// Somebody is in the house.
    Visit {
        /// Who.
        name: Name,
    },
    /// Somebody asks for other bounds: what is not named stays.
    Bounds {
        /// Who.
        name: Name,
        /// The loss in cents; none is no bound.
        loss: Option<Option<i64>>,
        /// The minutes; none is no bound.
        minutes: Option<Option<i64>>,
        /// When, in seconds of Unix time.
        now: i64,
    },
    /// The cashier gives more, where nothing has moved meanwhile.
    Refill {
        /// To whom.
        name: Name,
        /// What is in the account.
        has: Cents,
        /// What is given.
        amount: Cents,
    },
    /// An operator makes an account or a bot, and it is given play money.
    Make {
        /// The operator.
        by: Name,
        /// The name.
        name: Name,
        /// Which of both.
        kind: Kind,
        /// The role.
        role: Role,
        /// The password of an account.
        password: Option<PasswordHash>,
    },
    /// An operator gives somebody another role.
    Role {
        /// The operator.
        by: Name,
        /// Who.
        name: Name,
        /// The role.
        role: Role,
    },
    /// An operator gives a bot a token.
    Token {
        /// The operator.
        by: Name,
        /// Which bot.
        name: Name,
        /// What the token is called.
        label: String,
        /// The token.
        token: String,
    },
    /// An operator takes a token back.
    Revoke {
        /// The operator.
        by: Name,
        /// Which bot.
        name: Name,
        /// What the token is called.
        label: String,
    },
    /// Whoever runs the program makes somebody an operator, with this password from now on.
    Operator {
        /// Who; a guest becomes an account, and a stranger is given one.
        name: Name,
        /// The password.
        password: PasswordHash,
    },
    /// Somebody excludes themselves from play; never for less time than before. Their sessions end,
    /// except for a guest's, who could not come back to the money.
    Exclude {
        /// Who.
        name: Name,
        /// Until when, in seconds of Unix time.
        until: i64,
    },
    /// An operator suspends somebody, instead of an earlier suspension. Their sessions end as above.
    Suspend {
        /// The operator.
        by: Name,
        /// Who.
        name: Name,
        /// Until when; none until it is lifted.
        until: Option<i64>,
        /// Why.
        because: String,
    },
    /// An operator lifts a suspension.
    Reinstate {
        /// The operator.
        by: Name,
        /// Who.
        name: Name,
    },
    /// An operator ends every session of a guest or an account.
    EndSessions {
        /// The operator.
        by: Name,
        /// Whose.
        name: Name,
    },
    /// An event of the house itself.
    Note(HouseEvent),
    /// Somebody has another password; every session ends.
    Password {
        /// The operator; none where somebody changes their own.
        by: Option<Name>,
        /// Who.
        name: Name,
        /// The new one.
        password: PasswordHash,
    },
    /// The same password is kept in the way of today.
    Rehash {
        /// Whose it is.
        name: Name,
        /// What is kept from now on.
        password: PasswordHash,
    },
    /// Somebody has trained.
    Train {
        /// Who.
        name: Name,
        /// What.
        game: Game,
        /// All that is kept of it, at most [`LONGEST_TRAINING`].
        record: String,
    },
}

/// Who was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeopleNews {
    /// The last change.
    pub version: i64,
    /// Whom the changes are about, in order; none where there were too many to be kept.
    pub names: Option<Vec<Name>>,
}

/// Keeps people: who they are, and by what they are known again.
pub trait People: Send + Sync {
    /// Writes down what changes about people, and returns when it is on disk.
    fn change(&self, change: Change) -> impl Future<Output = StoreResult<()>> + Send;

    /// Whose token this is.
    fn person(&self, token: &str) -> impl Future<Output = StoreResult<Option<Person>>> + Send;

    /// Somebody with a password, and what is kept of it.
    fn account(
        &self,
        name: &Name,
    ) -> impl Future<Output = StoreResult<Option<(Person, PasswordHash)>>> + Send;

    /// People whose names come after one, in order.
    fn everyone(
        &self,
        after: &str,
        most: usize,
    ) -> impl Future<Output = StoreResult<Vec<PersonRow>>> + Send;

    /// Whoever has a name.
    fn somebody(&self, name: &str) -> impl Future<Output = StoreResult<Option<PersonRow>>> + Send;

    /// Significant events after one, in order.
    fn events(
        &self,
        after: i64,
        most: usize,
    ) -> impl Future<Output = StoreResult<Vec<EventRow>>> + Send;

    /// The last event of a kind.
    fn last_event(
        &self,
        what: EventKind,
    ) -> impl Future<Output = StoreResult<Option<EventRow>>> + Send;

    /// The other names under which somebody played as a guest.
    fn former_names(&self, name: &Name) -> impl Future<Output = StoreResult<Vec<Name>>> + Send;

    /// What somebody has trained in a game, as [`Change::Train`] kept it.
    fn training(
        &self,
        name: &Name,
        game: Game,
    ) -> impl Future<Output = StoreResult<Option<String>>> + Send;

    /// Gives a guest an account with play money.
    fn add_guest(&self, name: &Name, token: &str) -> impl Future<Output = StoreResult<()>> + Send {
        self.change(Change::Guest { name: name.clone(), token: token.to_owned() })
    }
}

impl People for Store {
    async fn change(&self, change: Change) -> StoreResult<()> {
        let followed = change.on_roll();
        let notice = change.notice();
        let concerned = self.concerned(&change).await?;
        self.write(Write::People(Box::new(change), concerned.clone())).await?;
        if let Some(notice) = notice {
            notice.log();
        }
        if let Some(followed) = followed {
            self.roll.write().unwrap_or_else(PoisonError::into_inner).follow(followed);
        }
        for name in concerned {
            // Nobody may be listening.
            let _ = self.changed.send(name.as_str().to_owned());
        }
        Ok(())
    }

    async fn person(&self, token: &str) -> StoreResult<Option<Person>> {
        let row = query(PERSON);
        let row = row.bind(hash_of(token)).fetch_optional(&self.readers).await?;
        row.as_ref().map(read_person).transpose()
    }

    async fn account(&self, name: &Name) -> StoreResult<Option<(Person, PasswordHash)>> {
        let row = query("SELECT name, kind, role, password FROM people WHERE name = $1");
        let row = row.bind(name.as_str()).fetch_optional(&self.readers).await?;
        let Some(row) = row else { return Ok(None) };
        let stored = StoredRow::new(&row, "people", &["name"]);
        let kept = match stored.get_or_none::<&str>("password")? {
            Some(_) => Some(stored.named("password", PasswordHash::read)?),
            None => None,
        };
        let person = read_person(&row)?;
        Ok(kept.map(|kept| (person, kept)))
    }

    async fn everyone(&self, after: &str, most: usize) -> StoreResult<Vec<PersonRow>> {
        let rows = query(EVERYONE).bind(after.to_owned()).bind(office::count(most));
        rows.fetch_all(&self.readers).await?.iter().map(office::read).collect()
    }

    async fn somebody(&self, name: &str) -> StoreResult<Option<PersonRow>> {
        let row = query(SOMEBODY).bind(name.to_owned());
        row.fetch_optional(&self.readers).await?.as_ref().map(office::read).transpose()
    }

    async fn events(&self, after: i64, most: usize) -> StoreResult<Vec<EventRow>> {
        let rows = query(EVENTS);
        let rows = rows.bind(after).bind(office::count(most)).fetch_all(&self.readers).await?;
        rows.iter().map(office::read_event).collect()
    }

    async fn last_event(&self, what: EventKind) -> StoreResult<Option<EventRow>> {
        let row = query(LAST_EVENT);
        let row = row.bind(what.name()).fetch_optional(&self.readers).await?;
        row.as_ref().map(office::read_event).transpose()
    }

    async fn former_names(&self, name: &Name) -> StoreResult<Vec<Name>> {
        let rows = query(FORMER_NAMES).bind(name.as_str()).fetch_all(&self.readers).await?;
        let was = |row| StoredRow::new(row, "former_names", &["name"]).parsed("was");
        rows.iter().map(was).collect()
    }

    async fn training(&self, name: &Name, game: Game) -> StoreResult<Option<String>> {
        let row = query(TRAINING).bind(name.as_str()).bind(game.name());
        let row = row.fetch_optional(&self.readers).await?;
        let record = |row| StoredRow::new(row, "training", &["person", "game"]).text("record");
        row.as_ref().map(record).transpose()
    }
}

impl Store {
    /// Names of people whose session, role, limits, exclusion or name this process changes, each when the
    /// change is on disk, for the other nodes of the house. Whoever lags behind has missed some, and tells
    /// the others to call [`Store::reread_people`] with no name.
    pub fn people_changed(&self) -> broadcast::Receiver<String> {
        self.changed.subscribe()
    }

    /// Who was changed since a version, by whichever process.
    pub async fn people_news(&self, since: i64) -> StoreResult<PeopleNews> {
        let rows = query(NEWS).bind(since).fetch_all(&self.readers).await?;
        let (mut version, mut names) = (since, Vec::new());
        for row in &rows {
            let row = StoredRow::new(row, "people_news", &["number"]);
            version = row.whole("people_version")?;
            if row.whole_or_none("number")?.is_some() {
                names.push(row.parsed("name")?);
            }
        }
        let is_whole = i64::try_from(names.len()).is_ok_and(|known| since + known == version);
        Ok(PeopleNews { version, names: is_whole.then_some(names) })
    }

    /// Reads again what this process remembers of people, after another node changed somebody, or where
    /// it is not known who was changed.
    pub async fn reread_people(&self, name: Option<&Name>) -> StoreResult<()> {
        loop {
            let followed = self.roll().followed;
            let read = Roll::read(&self.readers).await?;
            let former_guest = match name {
                Some(name) if self.has_another_name(name).await? => Some(name.clone()),
                _ => None,
            };
            let mut roll = self.roll.write().unwrap_or_else(PoisonError::into_inner);
            // A change that was followed meanwhile may be missing in what was read.
            if roll.followed == followed {
                roll.replace(read, former_guest);
                return Ok(());
            }
        }
    }

    /// Whether somebody is nobody any more, because a guest got another name.
    async fn has_another_name(&self, name: &Name) -> StoreResult<bool> {
        let row = query("SELECT was FROM former_names WHERE was = $1").bind(name.as_str());
        Ok(row.fetch_optional(&self.readers).await?.is_some())
    }

    /// Whose session, role, limits, exclusion or name a change is about.
    async fn concerned(&self, change: &Change) -> StoreResult<Vec<Name>> {
        Ok(match change {
            Change::Upgrade { guest, name, .. } | Change::Rename { guest, name } => {
                vec![guest.clone(), name.clone()]
            }
            Change::LogOut { token } => {
                self.person(token).await?.map(|person| person.name).into_iter().collect()
            }
            Change::LogIn { name, .. }
            | Change::LogOutEverywhere { name }
            | Change::Bounds { name, .. }
            | Change::Make { name, .. }
            | Change::Role { name, .. }
            | Change::Revoke { name, .. }
            | Change::Operator { name, .. }
            | Change::Exclude { name, .. }
            | Change::Suspend { name, .. }
            | Change::Reinstate { name, .. }
            | Change::EndSessions { name, .. }
            | Change::Password { name, .. } => vec![name.clone()],
            Change::Guest { .. }
            | Change::Account { .. }
            | Change::Visit { .. }
            | Change::Refill { .. }
            | Change::Token { .. }
            | Change::Note(_)
            | Change::Rehash { .. }
            | Change::Train { .. } => Vec::new(),
        })
    }

    /// What is known of people without asking the disk.
    pub(super) fn roll(&self) -> RwLockReadGuard<'_, Roll> {
        self.roll.read().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read_person(row: &Row) -> StoreResult<Person> {
    let row = StoredRow::new(row, "people", &["name"]);
    let (kind, role) = (row.named("kind", Kind::named)?, row.named("role", Role::named)?);
    Ok(Person { name: row.parsed("name")?, kind, role })
}

impl Change {
    pub(super) async fn write(&self, to: &mut Connection<'_>) -> Result<(), sqlx::Error> {
        match self {
            Change::Guest { name, token } => {
                add(to, name, Kind::Guest, Role::Player, None).await?;
                give(to, name, PLAY_MONEY).await?;
                begin_session(to, name, token, YEAR).await
            }
            Change::Account { name, password, token } => {
                add(to, name, Kind::Account, Role::Player, Some(password)).await?;
                give(to, name, PLAY_MONEY).await?;
                begin_session(to, name, token, MONTH).await
            }
            Change::Upgrade { guest, name, password, token } => {
                match guest == name {
                    true => keep_name(to, name, password).await?,
                    false => {
                        add(to, name, Kind::Account, Role::Player, Some(password)).await?;
                        move_money(to, guest, name).await?;
                        move_history(to, guest, name).await?;
                    }
                }
                end_sessions(to, guest).await?;
                begin_session(to, name, token, MONTH).await
            }
            Change::Rename { guest, name } => {
                add(to, name, Kind::Guest, Role::Player, None).await?;
                move_money(to, guest, name).await?;
                move_history(to, guest, name).await?;
                let row = query("UPDATE sessions SET name = $2 WHERE name = $1");
                row.bind(guest.as_str()).bind(name.as_str()).execute(&mut *to).await.map(drop)
            }
            Change::LogIn { name, token, .. } => {
                begin_session(to, name, token, MONTH).await?;
                end_old_sessions(to, name).await
            }
            Change::LogOut { token } => {
                let row = query("DELETE FROM sessions WHERE token_hash = $1");
                row.bind(hash_of(token)).execute(&mut *to).await.map(drop)
            }
            Change::LogOutEverywhere { name } => end_sessions(to, name).await,
            Change::Visit { name } => play::visit(to, name).await,
            Change::Bounds { name, loss, minutes, now } => {
                play::set_bounds(to, name, *loss, *minutes, *now).await
            }
            Change::Refill { name, has, amount } => play::refill(to, name, *has, *amount).await,
            Change::Make { name, kind, role, password, .. } => {
                add(to, name, *kind, *role, password.as_ref()).await?;
                give(to, name, PLAY_MONEY).await
            }
            Change::Role { name, role, .. } => office::set_role(to, name, *role).await,
            Change::Token { name, label, token, .. } => {
                office::add_token(to, name, label, token, YEAR).await
            }
            Change::Revoke { name, label, .. } => office::end_token(to, name, label).await,
            Change::Operator { name, password } => make_operator(to, name, password).await,
            Change::Exclude { name, until } => {
                let row = query(
                    "INSERT INTO exclusions VALUES ($1, 'own', $2) \
                     ON CONFLICT (person, decided) DO UPDATE SET until = excluded.until \
                     WHERE exclusions.until < excluded.until",
                );
                row.bind(name.as_str()).bind(*until).execute(&mut *to).await?;
                end_sessions_of_an_account(to, name).await
            }
            Change::Suspend { name, until, .. } => {
                let row = query(
                    "INSERT INTO exclusions VALUES ($1, 'house', $2) \
                     ON CONFLICT (person, decided) DO UPDATE SET until = excluded.until",
                );
                row.bind(name.as_str()).bind(*until).execute(&mut *to).await?;
                end_sessions_of_an_account(to, name).await
            }
            Change::Reinstate { name, .. } => {
                let row = "DELETE FROM exclusions WHERE person = $1 AND decided = 'house'";
                one(query(row).bind(name.as_str()), &mut *to).await
            }
            Change::EndSessions { name, .. } => end_sessions(to, name).await,
            Change::Note(_) => Ok(()),
            Change::Password { name, password, .. } => {
                set_password(to, name, password).await?;
                end_sessions(to, name).await
            }
            Change::Rehash { name, password } => set_password(to, name, password).await,
            Change::Train { name, game, record } => {
                assert!(record.len() <= LONGEST_TRAINING, "whoever keeps a record bounds it");
                let row = query(
                    "INSERT INTO training VALUES ($1, $2, $3) \
                     ON CONFLICT (person, game) DO UPDATE SET record = excluded.record",
                )
                .bind(name.as_str());
                row.bind(game.name()).bind(record.as_str()).execute(&mut *to).await.map(drop)
            }
        }?;
        match self.event() {
            Some(event) => office::add_event(to, &event).await,
            None => Ok(()),
        }
    }

    /// What of it is a significant event.
    fn event(&self) -> Option<HouseEvent> {
        use EventKind as Kind;
        let none = String::new;
        let until = |until: i64| format!("until {until}");
        let (who, what, whom, more) = match self {
            Change::Make { by, name, kind, role, .. } => {
                (by.as_str(), Kind::Make, name, format!("{} {}", kind.name(), role.name()))
            }
            Change::Role { by, name, role } => {
                (by.as_str(), Kind::Role, name, role.name().to_owned())
            }
            Change::Token { by, name, label, .. } => {
                (by.as_str(), Kind::Token, name, label.clone())
            }
            Change::Revoke { by, name, label } => (by.as_str(), Kind::Revoke, name, label.clone()),
            Change::Operator { name, .. } => (COMMAND_LINE, Kind::Operator, name, none()),
            Change::Password { by: Some(by), name, .. } => {
                (by.as_str(), Kind::Password, name, none())
            }
            Change::LogIn { name, staff_from: Some(from), .. } => {
                (name.as_str(), Kind::SignIn, name, from.to_string())
            }
            Change::Exclude { name, until: end } => {
                (name.as_str(), Kind::Exclude, name, until(*end))
            }
            Change::Suspend { by, name, until: end, because } => {
                let more = match end {
                    Some(end) => format!("{}: {because}", until(*end)),
                    None => because.clone(),
                };
                (by.as_str(), Kind::Suspend, name, more)
            }
            Change::Reinstate { by, name } => (by.as_str(), Kind::Reinstate, name, none()),
            Change::EndSessions { by, name } => (by.as_str(), Kind::EndSessions, name, none()),
            Change::Note(event) => return Some(event.clone()),
            _ => return None,
        };
        Some(HouseEvent { who: who.to_owned(), what, whom: Some(whom.clone()), more })
    }

    /// What of it tables ask about all the time.
    fn on_roll(&self) -> Option<RollChange> {
        match self {
            Change::Bounds { name, .. } => Some(RollChange::Bounded(name.clone())),
            Change::Make { name, kind: Kind::Bot, .. } => Some(RollChange::Bot(name.clone())),
            Change::Exclude { name, until } => Some(RollChange::Excluded(name.clone(), *until)),
            Change::Suspend { name, until, .. } => {
                Some(RollChange::Suspended(name.clone(), Some(Suspension { until: *until })))
            }
            Change::Reinstate { name, .. } => Some(RollChange::Suspended(name.clone(), None)),
            Change::Upgrade { guest, name, .. } | Change::Rename { guest, name } => {
                Some(RollChange::Renamed { guest: guest.clone(), name: name.clone() })
            }
            _ => None,
        }
    }

    /// What whoever runs the house reads of it. There is no secret in it.
    fn notice(&self) -> Option<Notice> {
        let done = |who: &Name, what| Some(Notice::Done { who: who.clone(), what });
        match self {
            Change::Guest { name, .. } => Some(Notice::CameIn(name.clone())),
            Change::Account { name, .. } | Change::Upgrade { name, .. } => done(name, "account"),
            Change::Rename { name, .. } => done(name, "name"),
            Change::LogIn { name, staff_from: None, .. } => done(name, "login"),
            Change::Password { by: None, name, .. } => done(name, "password"),
            Change::Bounds { name, .. } => done(name, "limits"),
            Change::Refill { name, amount, .. } => Some(Notice::Refilled(name.clone(), *amount)),
            Change::LogOut { .. }
            | Change::LogOutEverywhere { .. }
            | Change::Rehash { .. }
            | Change::Train { .. }
            | Change::Visit { .. } => None,
            _ => self.event().map(Notice::Event),
        }
    }
}

/// What is told of a change, when it is on the disk.
enum Notice {
    CameIn(Name),
    Done { who: Name, what: &'static str },
    Refilled(Name, Cents),
    Event(HouseEvent),
}

impl Notice {
    fn log(&self) {
        match self {
            Notice::CameIn(who) => tracing::debug!(%who, what = "guest", "a guest came in"),
            Notice::Done { who, what } => tracing::info!(%who, what, "an account changed"),
            Notice::Refilled(who, amount) => {
                tracing::info!(%who, what = "refill", %amount, "the cashier refilled an account");
            }
            Notice::Event(HouseEvent { who, what, whom, more }) => {
                let (what, whom) = (what.name(), whom.as_ref().map(Name::as_str));
                tracing::info!(who, what, whom, more, "a significant event");
            }
        }
    }
}

/// Makes an operator of anybody: a stranger, a guest or an account.
async fn make_operator(
    to: &mut Connection<'_>,
    name: &Name,
    password: &PasswordHash,
) -> Result<(), sqlx::Error> {
    let row = query(
        "UPDATE people SET kind = 'account', role = 'operator', password = $1 \
         WHERE name = $2 AND kind <> 'bot'",
    );
    let row = row.bind(password.to_string()).bind(name.as_str());
    match row.execute(&mut *to).await? {
        0 => {
            add(to, name, Kind::Account, Role::Operator, Some(password)).await?;
            give(to, name, PLAY_MONEY).await?;
        }
        _ => end_sessions(to, name).await?,
    }
    Ok(())
}

async fn set_password(
    to: &mut Connection<'_>,
    name: &Name,
    password: &PasswordHash,
) -> Result<(), sqlx::Error> {
    let row = query("UPDATE people SET password = $1 WHERE name = $2 AND kind = 'account'");
    one(row.bind(password.to_string()).bind(name.as_str()), to).await
}

async fn add(
    to: &mut Connection<'_>,
    name: &Name,
    kind: Kind,
    role: Role,
    password: Option<&PasswordHash>,
) -> Result<(), sqlx::Error> {
    let row = query("INSERT INTO people VALUES ($1, $2, $3, $4, unixepoch())");
    let row = row.bind(name.as_str()).bind(kind.name()).bind(role.name());
    row.bind(password.map(PasswordHash::to_string)).execute(to).await.map(drop)
}

/// The cashier gives somebody play money.
async fn give(to: &mut Connection<'_>, name: &Name, amount: Cents) -> Result<(), sqlx::Error> {
    let (from, player) = (Account::Cashier, Account::Player(name.clone()));
    post(to, "", 0, &Transfer { from, to: player, amount }).await
}

/// A guest becomes an account under the same name.
async fn keep_name(
    to: &mut Connection<'_>,
    name: &Name,
    password: &PasswordHash,
) -> Result<(), sqlx::Error> {
    let row = query(
        "UPDATE people SET kind = 'account', password = $1 WHERE name = $2 AND kind = 'guest'",
    );
    one(row.bind(password.to_string()).bind(name.as_str()), to).await
}

/// All that one has becomes another's.
async fn move_money(to: &mut Connection<'_>, from: &Name, name: &Name) -> Result<(), sqlx::Error> {
    let row = query("SELECT balance FROM accounts WHERE scope = '' AND account = $1");
    let row = row.bind(Account::Player(from.clone()).to_string());
    let amount = row.fetch_optional(&mut *to).await?;
    let amount = amount.map_or(Ok(Cents::ZERO), |row| row.try_get("balance").map(Cents::new))?;
    if amount == Cents::ZERO {
        return Ok(());
    }
    let [from, player] = [from, name].map(|name| Account::Player(name.clone()));
    post(to, "", 0, &Transfer { from, to: player, amount }).await
}

/// What one has played, and holds to, becomes another's. Logs and settlements keep the name that they
/// were written with.
async fn move_history(
    to: &mut Connection<'_>,
    guest: &Name,
    name: &Name,
) -> Result<(), sqlx::Error> {
    for line in [
        "UPDATE former_names SET name = $2 WHERE name = $1",
        "INSERT INTO former_names VALUES ($1, $2)",
        "UPDATE results SET person = $2 WHERE person = $1",
        "UPDATE played SET person = $2 WHERE person = $1",
        "UPDATE visits SET person = $2 WHERE person = $1",
        "UPDATE bounds SET person = $2 WHERE person = $1",
        "UPDATE training SET person = $2 WHERE person = $1",
        "INSERT INTO exclusions SELECT $2, decided, until FROM exclusions WHERE person = $1",
    ] {
        query(line).bind(guest.as_str()).bind(name.as_str()).execute(&mut *to).await?;
    }
    Ok(())
}

async fn begin_session(
    to: &mut Connection<'_>,
    name: &Name,
    token: &str,
    lasts: i64,
) -> Result<(), sqlx::Error> {
    let row = query("INSERT INTO sessions VALUES ($1, $2, NULL, unixepoch(), unixepoch() + $3)");
    row.bind(hash_of(token)).bind(name.as_str()).bind(lasts).execute(to).await.map(drop)
}

/// Ends every session of somebody; the tokens of a bot stay.
async fn end_sessions(to: &mut Connection<'_>, name: &Name) -> Result<(), sqlx::Error> {
    let row = query("DELETE FROM sessions WHERE name = $1 AND label IS NULL");
    row.bind(name.as_str()).execute(to).await.map(drop)
}

/// Ends every session of an account: a guest would not come back to the money without one.
async fn end_sessions_of_an_account(
    to: &mut Connection<'_>,
    name: &Name,
) -> Result<(), sqlx::Error> {
    let row = query(
        "DELETE FROM sessions WHERE label IS NULL \
         AND name = (SELECT name FROM people WHERE name = $1 AND kind = 'account')",
    );
    row.bind(name.as_str()).execute(to).await.map(drop)
}

/// Ends the sessions that are over, and the oldest ones of too many.
async fn end_old_sessions(to: &mut Connection<'_>, name: &Name) -> Result<(), sqlx::Error> {
    let row = query(
        "DELETE FROM sessions WHERE name = $1 AND label IS NULL AND (until <= unixepoch() \
         OR token_hash NOT IN (SELECT token_hash FROM sessions \
         WHERE name = $1 AND label IS NULL ORDER BY since DESC LIMIT $2))",
    );
    row.bind(name.as_str()).bind(MOST_SESSIONS).execute(to).await.map(drop)
}

#[cfg(test)]
mod tests {
    use sqlx::Connection;
    use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

    use super::super::opening::MIGRATIONS;
    use super::super::{Money, Tables};
    use super::*;
    use crate::scratch;

    /// The steps of a store that knew guests alone.
    const GUESTS_ALONE: usize = 5;

    #[tokio::test]
    async fn guests_of_an_older_store_are_known_again() {
        let file = scratch::file("older");
        let options = SqliteConnectOptions::new().filename(&file).create_if_missing(true);
        let mut older = SqliteConnection::connect_with(&options).await.unwrap();
        for step in &MIGRATIONS[..GUESTS_ALONE] {
            sqlx::raw_sql(*step).execute(&mut older).await.unwrap();
        }
        let hash = hash_of("secret");
        let line = format!(
            "PRAGMA user_version = {GUESTS_ALONE};
             INSERT INTO tables VALUES ('war-1', 1);
             INSERT INTO players VALUES ('guest-1', '{hash}');
             INSERT INTO commands VALUES ('guest-1', 'one', 'war-1', 7, '{hash}');
             INSERT INTO transfers VALUES (NULL, '', 0, '', 'cashier', '', 'player:guest-1', 5);"
        );
        sqlx::raw_sql(sqlx::AssertSqlSafe(line)).execute(&mut older).await.unwrap();
        older.close().await.unwrap();

        let store = Store::open(&file).await.unwrap();
        let guest: Name = "guest-1".parse().unwrap();
        assert_eq!(store.person("secret").await.unwrap(), Some(Person::player(guest.clone())));
        let asks = "secret".to_owned();
        let command = super::super::Command { player: guest.clone(), id: "one".to_owned(), asks };
        let known = store.known(&command).await.unwrap();
        assert_eq!(known, Some(super::super::Known::Applied(Some(7))));
        let held = store.balance("", &Account::Player(guest)).await.unwrap();
        assert_eq!(held, Cents::new(5));
    }

    #[tokio::test]
    async fn what_a_guest_has_trained_stays_with_the_account() {
        let store = Store::open(&scratch::file("training")).await.unwrap();
        let [guest, other, ann]: [Name; 3] = ["guest", "other", "ann"].map(|n| n.parse().unwrap());
        store.add_guest(&guest, "1").await.unwrap();
        store.add_guest(&other, "2").await.unwrap();
        let train = async |name: &Name, game, record: &str| {
            let (name, record) = (name.clone(), record.to_owned());
            store.change(Change::Train { name, game, record }).await.unwrap();
        };
        train(&guest, Game::FreeBet, "one").await;
        train(&guest, Game::FreeBet, "two").await;
        train(&other, Game::FreeBet, "another's").await;
        let of = async |name: &Name, game| store.training(name, game).await.unwrap();
        assert_eq!(of(&guest, Game::FreeBet).await.as_deref(), Some("two"));
        assert_eq!(of(&guest, Game::CasinoWar).await, None);
        let (password, token) = (PasswordHash::nobody(), "3".to_owned());
        let name = ann.clone();
        store
            .change(Change::Upgrade { guest: guest.clone(), name, password, token })
            .await
            .unwrap();
        assert_eq!(of(&ann, Game::FreeBet).await.as_deref(), Some("two"));
        assert_eq!(of(&guest, Game::FreeBet).await, None);
        assert_eq!(of(&other, Game::FreeBet).await.as_deref(), Some("another's"));
    }

    #[tokio::test]
    async fn the_oldest_session_of_too_many_ends() {
        let file = scratch::file("sessions");
        let store = Store::open(&file).await.unwrap();
        let ann: Name = "ann".parse().unwrap();
        let (name, password) = (ann.clone(), PasswordHash::nobody());
        store.change(Change::Account { name, password, token: "0".to_owned() }).await.unwrap();
        store.tamper("UPDATE sessions SET since = since - 10").await;
        for token in 1..=MOST_SESSIONS {
            assert!(store.person("0").await.unwrap().is_some(), "{token}");
            let (name, token) = (ann.clone(), token.to_string());
            store.change(Change::LogIn { name, token, staff_from: None }).await.unwrap();
        }
        assert!(store.person("0").await.unwrap().is_none());
        assert!(store.person("1").await.unwrap().is_some());
    }
}
