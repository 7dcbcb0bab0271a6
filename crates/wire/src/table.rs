//! What never changes at a table, the list of tables, and what a supervisor may order.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{AwaitedWhat, Coach, OddsView, Order, Refusal};

/// An open table: one of the answer to `GET /api/tables`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OpenTable {
    /// Its name.
    pub table: String,
    /// The name of the game.
    pub game: Cow<'static, str>,
    /// The game as it stands on the sign.
    pub title: Cow<'static, str>,
    /// What never changes at it.
    pub about: AboutTable,
    /// How many seconds there are for wagers.
    pub betting_seconds: u64,
    /// How many seats are taken.
    pub taken: usize,
    /// How many there are.
    pub seats: usize,
    /// The progressive meter.
    pub meter: Option<String>,
    /// What it waits for.
    pub awaited: AwaitedWhat,
    /// Whether somebody more can watch it.
    pub watchable: bool,
    /// Whether whoever comes now finds a seat and may bet in the next round: not where every seat is
    /// taken, or a sign bars entry in mid-shoe.
    pub open: bool,
    /// Who has a place there, each once.
    pub players: Vec<String>,
    /// How many people watch it without a place.
    pub spectators: usize,
    /// Why nothing is taken there: it is paused, or closed.
    pub trouble: Option<Refusal>,
    /// What the main wager costs on average, best played, in millionths of its first amount; null where
    /// that is not known, or not yet.
    pub house_edge: Option<i64>,
    /// How many seconds a round takes from the first card, on average of the last ones; null before any
    /// was played.
    pub round_seconds: Option<u64>,
}

/// The body of `POST /api/tables`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct PrivateTable {
    /// The name of the game.
    pub game: String,
    /// The terms that are not as by default, by their keys.
    #[serde(default)]
    pub terms: BTreeMap<String, String>,
}

/// What changes at a table, for whoever chooses one: part of `lobby`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LobbyTable {
    /// Its name.
    pub table: String,
    /// How many seats are taken.
    pub taken: usize,
    /// The progressive meter.
    pub meter: Option<String>,
    /// Whether somebody more can watch it.
    pub watchable: bool,
    /// Whether whoever comes now finds a seat and may bet in the next round: not where every seat is
    /// taken, or a sign bars entry in mid-shoe.
    pub open: bool,
    /// Who has a place there, each once.
    pub players: Vec<String>,
    /// How many people watch it without a place.
    pub spectators: usize,
    /// Why nothing is taken there: it is paused, or closed.
    pub trouble: Option<Refusal>,
    /// What the main wager costs on average, best played, in millionths of its first amount; null where
    /// that is not known, or not yet.
    pub house_edge: Option<i64>,
    /// How many seconds a round takes from the first card, on average of the last ones; null before any
    /// was played.
    pub round_seconds: Option<u64>,
}

/// What never changes at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AboutTable {
    /// The name of the table.
    pub table: String,
    /// The id of the house, to which commitments are made; empty where nobody can play.
    pub house: String,
    /// The name of the game.
    pub game: Cow<'static, str>,
    /// The game as it stands on the sign.
    pub title: Cow<'static, str>,
    /// The house's terms.
    pub terms: Vec<TermView>,
    /// Those that are not the default, as a link names them: `decks=8 seats=6`.
    pub options: String,
    /// Every circle that can hold a wager of this game, as they lie on the layout.
    pub circles: Vec<CircleView>,
    /// What pays what.
    pub pays: Vec<PayView>,
    /// The amounts for which chips can be bought; the step is the smallest chip.
    pub buy_in: AmountsView,
    /// What stands on the signs beside the limits.
    pub signs: Vec<SignView>,
    /// The cards of a full shoe.
    pub decks: DecksView,
    /// Whether it says what decisions are worth.
    pub coach: Coach,
}

/// The cards of a full shoe, as the rules have them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DecksView {
    /// Those of one deck.
    pub cards: Vec<String>,
    /// How many decks there are.
    pub times: usize,
}

/// A sign at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SignView {
    /// What a program tells signs apart by; it never changes: `no-mid-shoe-entry`.
    pub code: Cow<'static, str>,
    /// What it says.
    pub words: Cow<'static, str>,
    /// The clause behind it.
    pub clause: Cow<'static, str>,
}

/// A house option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TermView {
    /// Its one name.
    pub key: Cow<'static, str>,
    /// What the house chose.
    pub value: String,
    /// What it decides.
    pub meaning: Cow<'static, str>,
}

/// A circle of the layout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CircleView {
    /// Its name in commands.
    pub circle: Cow<'static, str>,
    /// What is printed on the felt.
    pub title: Cow<'static, str>,
    /// The amounts that it takes before the first card; null where it takes none then.
    pub opening: Option<AmountsView>,
}

/// A line of a pay table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PayView {
    /// The circle.
    pub circle: Cow<'static, str>,
    /// What a program tells the lines of a game apart by.
    pub code: Cow<'static, str>,
    /// What is paid.
    pub words: String,
    /// The same where there is little room.
    pub brief: String,
    /// How much.
    pub odds: OddsView,
    /// The clause that says so.
    pub clause: Cow<'static, str>,
}

/// Amounts that may be chosen, in dollars.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AmountsView {
    /// The smallest.
    pub least: String,
    /// The largest.
    pub most: String,
    /// From one to the next.
    pub step: String,
    /// Whether there always is one; with a call, one that is left out is the largest then.
    pub required: bool,
}

/// What a supervisor may decide at a table: the answer to `GET` and `POST /api/tables/TABLE/orders`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OrdersView {
    /// The table.
    pub table: String,
    /// The entry of the log that an order led to.
    pub seq: Option<u64>,
    /// The round in play, or the next one.
    pub round: u32,
    /// What the table waits for.
    pub awaited: AwaitedWhat,
    /// What may be ordered now.
    pub outcomes: Vec<Order>,
    /// What the dealer says now.
    pub prompt: String,
    /// What can go wrong in this game, for a `report`.
    pub kinds: Vec<KindView>,
    /// Corrections at this table that wait for a second supervisor.
    pub waiting: Vec<WaitingCorrection>,
}

/// A correction that waits for a second supervisor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WaitingCorrection {
    /// Its number, for `approve` and `refuse`.
    pub id: i64,
    /// The round.
    pub round: u32,
    /// In dollars.
    pub amount: String,
    /// The account that gives it.
    pub from: String,
    /// The account that gets it.
    pub to: String,
    /// The supervisor who asked for it.
    pub by: String,
    /// Why.
    pub because: String,
    /// When it was asked for, in seconds of Unix time.
    pub at: i64,
    /// When it expires, in seconds of Unix time.
    pub until: i64,
}

/// Something that can go wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct KindView {
    /// Its name in a report: `face-up`.
    pub kind: Cow<'static, str>,
    /// The name in words.
    pub words: Cow<'static, str>,
    /// The clause that decides it.
    pub clause: Cow<'static, str>,
    /// Whether a report of it names a place.
    pub has_place: bool,
    /// Whether a report of it names a card.
    pub has_card: bool,
}
