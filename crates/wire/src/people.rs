//! Who somebody is, and what operators read and do about people.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::Refusal;

/// What somebody has away from the tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Purse {
    /// The name.
    pub name: String,
    /// The money that is not at a table, in dollars.
    pub balance: String,
}

/// Who somebody is: the answer to `GET /api/me`, and to whatever lets somebody in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Me {
    /// The name.
    pub name: String,
    /// How the house knows them.
    pub kind: Kind,
    /// What they may do.
    pub role: Role,
    /// The money that is not at a table, in dollars.
    pub balance: String,
    /// The chips at every table where they have a place.
    pub racks: Vec<RackView>,
    /// Whether the cashier would give them more.
    pub broke: bool,
    /// How long they have been here, what it came to, and what they hold to.
    pub session: SessionView,
}

/// The clock and the bounds of a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SessionView {
    /// When the visit began, in seconds of Unix time; null without a socket in the last 5 minutes.
    pub since: Option<i64>,
    /// What the house's clock says now, in seconds of Unix time.
    pub now: i64,
    /// Minutes in the house since midnight UTC.
    pub minutes_today: i64,
    /// Won or lost on this visit, with its sign; what lies on the layout counts as lost.
    pub net: String,
    /// The same since midnight UTC.
    pub net_today: String,
    /// The most that may be lost in a day, in dollars.
    pub loss: BoundView,
    /// The most minutes in a day.
    pub minutes: BoundView,
    /// Why no chips are sold and no wagers taken now.
    pub held: Option<Refusal>,
}

/// A bound that a player has set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BoundView {
    /// What holds; null where nothing does.
    pub most: Option<String>,
    /// What holds later, because it is looser.
    pub later: Option<LaterView>,
}

/// A looser bound that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LaterView {
    /// What will hold; null where nothing will.
    pub most: Option<String>,
    /// From when, in seconds of Unix time.
    pub from: i64,
}

/// Somebody whom the house knows: one of the answer to `GET /api/people`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PersonView {
    /// The name.
    pub name: String,
    /// How the house knows them.
    pub kind: Kind,
    /// What they may do.
    pub role: Role,
    /// Since when, in seconds of Unix time.
    pub since: i64,
    /// What the tokens of a bot are called.
    pub tokens: Vec<String>,
    /// Until when they excluded themselves from play; null where they have not.
    pub excluded_until: Option<i64>,
    /// The suspension by an operator that is in force.
    pub suspension: Option<SuspensionView>,
}

/// A suspension by an operator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SuspensionView {
    /// Until when, in seconds of Unix time; null until an operator lifts it.
    pub until: Option<i64>,
}

/// People by their names: the answer to `GET /api/people`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct People {
    /// In order.
    pub people: Vec<PersonView>,
    /// Whether more come after the last one.
    pub more: bool,
}

/// A token, told once: the answer to `POST /api/people/NAME/tokens`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TokenView {
    /// What it is called.
    pub label: String,
    /// The token itself: `Authorization: Bearer TOKEN`.
    pub token: String,
    /// Until when it holds, in seconds of Unix time.
    pub until: i64,
}

/// A significant event of the house.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EventView {
    /// Its number.
    pub id: i64,
    /// When, in seconds of Unix time.
    pub at: i64,
    /// By whom: somebody's name, `command-line`, or `house`.
    pub who: String,
    /// What: `start`, `sign-in`, `suspend` and so on; docs/people.md has them all.
    pub what: String,
    /// To whom; null where it is about nobody in particular.
    pub whom: Option<String>,
    /// The new role, the label of a token, an address, a file, or a reason.
    pub more: String,
}

/// Significant events: the answer to `GET /api/office/events`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Events {
    /// From the first.
    pub events: Vec<EventView>,
    /// Whether more come after the last one.
    pub more: bool,
}

/// A player's money over time: the answer to `GET /api/me/bankroll`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Bankroll {
    /// From the earliest to the latest.
    pub points: Vec<PointView>,
    /// Whether there are earlier ones.
    pub more: bool,
}

/// What play has come to for a player: the answer to `GET /api/me/statistics`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Statistics {
    /// How many seconds the player has been in the house.
    pub seconds: i64,
    /// Whether more expectations will be known in a moment, for whoever asks again.
    pub pending: bool,
    /// The games that the player has played.
    pub games: Vec<GameStatistics>,
    /// The latest sessions, the latest first.
    pub sessions: Vec<PlayedSession>,
}

/// Rounds of a player at one table, void ones left out, with no pause of more than 15 minutes between them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayedSession {
    /// The table.
    pub table: String,
    /// The name of the game.
    pub game: Cow<'static, str>,
    /// The game as it stands on the sign.
    pub title: Cow<'static, str>,
    /// When the bets of the first round closed, in seconds of Unix time.
    pub since: i64,
    /// How many seconds it was from then to the end of the last round.
    pub seconds: i64,
    /// How many rounds.
    pub rounds: u64,
    /// What they came to, with its sign and with later corrections.
    pub net: String,
}

/// What a game has come to for a player, in rounds that are over; void ones do not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameStatistics {
    /// The name of the game.
    pub game: Cow<'static, str>,
    /// The game as it stands on the sign.
    pub title: Cow<'static, str>,
    /// How many rounds.
    pub rounds: u64,
    /// How many seconds the sessions with these rounds were in all.
    pub seconds: i64,
    /// What they came to, with its sign and with later corrections.
    pub net: String,
    /// The round that won the most, or lost the least.
    pub best: SwingView,
    /// The round that lost the most, or won the least.
    pub worst: SwingView,
    /// The wagers, by circle.
    pub wagers: Vec<CircleStatistics>,
}

/// A round, and what it came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SwingView {
    /// The table.
    pub table: String,
    /// The round.
    pub round: u32,
    /// With its sign.
    pub net: String,
}

/// What the wagers of a circle have come to, as they were settled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CircleStatistics {
    /// The name of the circle.
    pub circle: Cow<'static, str>,
    /// What is printed on the felt.
    pub title: Cow<'static, str>,
    /// How many wagers.
    pub wagers: u64,
    /// What lay there in all, lammers included.
    pub staked: String,
    /// Won or lost, with its sign.
    pub net: String,
    /// The same with all that was added in the rounds, such as doubles: what `expected` is compared
    /// with. With its sign; null where nothing is expected.
    pub net_with_added: Option<String>,
    /// What the first amounts that lay there come to on average, best played and with all that is added
    /// to them in a round, with its sign; null where that is not known for every table.
    pub expected: Option<String>,
}

/// What a player had after a round, or after the cashier gave something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PointView {
    /// In seconds of Unix time.
    pub at: i64,
    /// All money, in the account and in racks, in dollars.
    pub total: String,
    /// What came or went, with its sign.
    pub gain: String,
    /// The table; null where the cashier gave it.
    pub table: Option<String>,
    /// The round; null where the cashier gave it.
    pub round: Option<u32>,
}

/// What somebody has at a table, in dollars.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RackView {
    /// The table.
    pub table: String,
    /// The chips in the rack.
    pub chips: String,
    /// What lies on the layout and is not decided.
    pub staked: String,
}

/// What somebody may do in the house.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Plays, and watches.
    #[default]
    Player,
    /// Deals at a physical table.
    Dealer,
    /// Decides what went wrong (G-09).
    Supervisor,
    /// Reads what others may not yet.
    Auditor,
    /// Runs the house.
    Operator,
}

/// How the house knows somebody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// By a cookie alone.
    #[default]
    Guest,
    /// By a name and a password.
    Account,
    /// A program, by a token from the house.
    Bot,
}

/// The body of `POST /api/account`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SignUp {
    /// The name of the account; a guest who leaves it out keeps the name.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub name: Option<String>,
    /// The password.
    pub password: String,
}

/// The body of `POST /api/me/name`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct NewName {
    /// What the guest is called from now on.
    pub name: String,
}

/// The body of `POST /api/login`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct LogIn {
    /// The name of the account.
    pub name: String,
    /// Its password.
    pub password: String,
}

/// The body of `POST /api/logout`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct LogOut {
    /// Whether every session of the account ends.
    #[serde(default)]
    pub everywhere: bool,
}

/// The body of `POST /api/me/password`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ChangePassword {
    /// The password until now.
    pub old: String,
    /// The next one.
    pub new: String,
}

/// The body of `POST /api/me/limits`. What is left out stays; null removes a limit after a day.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default, deny_unknown_fields)]
pub struct OwnLimits {
    /// The most that may be lost in a day, in dollars.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    #[cfg_attr(test, ts(optional, as = "Option<Option<String>>"))]
    pub loss: Option<Option<String>>,
    /// The most minutes in a day.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>)]
    #[cfg_attr(test, ts(optional, as = "Option<Option<i64>>"))]
    pub minutes: Option<Option<i64>>,
}

/// Tells a field that is null from one that is left out.
pub(crate) fn present<'a, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: serde::Deserializer<'a>,
    T: Deserialize<'a>,
{
    T::deserialize(from).map(Some)
}

/// The body of `POST /api/me/exclusion`: nobody can shorten it, and oneself can only extend it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SelfExclusion {
    /// Until when one does not play, in seconds of Unix time.
    pub until: i64,
}

/// The body of `POST /api/people/NAME/suspension`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct NewSuspension {
    /// Until when, in seconds of Unix time; by default until an operator lifts it.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub until: Option<i64>,
    /// Why, for the record.
    pub because: String,
}

/// The body of `POST /api/people`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct NewPerson {
    /// The name.
    pub name: String,
    /// An account or a bot.
    pub kind: Kind,
    /// What they may do.
    #[serde(default)]
    pub role: Role,
    /// The password of an account; a bot has none.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub password: Option<String>,
}

/// The body of `POST /api/people/NAME/role`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct NewRole {
    /// The role.
    pub role: Role,
}

/// The body of `POST /api/people/NAME/password`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct NewPassword {
    /// The password.
    pub password: String,
}

/// The body of `POST /api/people/NAME/tokens`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct NewToken {
    /// What the token is called.
    pub label: String,
}

/// Where the list of people goes on.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct AfterName {
    /// The last name of the page before.
    pub after: Option<String>,
}

/// Where the list of events goes on.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct AfterEvent {
    /// The last event of the page before.
    pub after: Option<i64>,
}
