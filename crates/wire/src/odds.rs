//! What wagers and strategies are worth, at a table of one's own making.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::ActValueView;

/// A table that is explored: what follows the question mark of `GET /api/odds/GAME`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct OddsWanted {
    /// House options with a space between them, such as `decks=8 seats=6`.
    pub set: Option<String>,
    /// Cards that are gone from the shoe, such as `As Td*3`.
    pub gone: Option<String>,
}

/// A line of the answer to `GET /api/odds/GAME`, as soon as it is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum OddsLine {
    /// The table: its options and its cards. It comes first.
    Table(OddsTable),
    /// What every wager is worth.
    Wagers {
        /// The wagers, each by every way to play it.
        wagers: Vec<WagerOdds>,
    },
    /// A table of the strategy.
    Chart(ChartView),
    /// What one card of each rank that is gone does to the wagers.
    Removal {
        /// The wagers.
        wagers: Vec<RemovalView>,
    },
    /// What another value of a house option would do.
    Option(OptionTried),
    /// How far the part that is being found is.
    Progress {
        /// The part.
        part: OddsPart,
        /// How many steps are done.
        done: usize,
        /// How many there are.
        of: usize,
    },
    /// Everything is told, or the time is up.
    End {
        /// Whether everything is.
        complete: bool,
    },
}

/// A part of what is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum OddsPart {
    /// What wagers are worth.
    Wagers,
    /// The strategy.
    Chart,
    /// What cards that are gone do.
    Removal,
    /// What options do.
    Options,
}

/// A table that is explored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OddsTable {
    /// The name of the game.
    pub game: String,
    /// The game as it stands on the sign.
    pub title: String,
    /// Every house option.
    pub options: Vec<OddsOption>,
    /// Every card of the shoe.
    pub cards: Vec<CardCount>,
    /// The main wager that is assumed, in dollars.
    pub stake: String,
}

/// A house option of a table that is explored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OddsOption {
    /// Its one name.
    pub key: String,
    /// What it decides.
    pub meaning: String,
    /// What is chosen.
    pub value: String,
    /// What holds where nothing is chosen.
    pub default: String,
    /// Every value, where they are few; otherwise a number is typed.
    pub choices: Vec<String>,
    /// What may be chosen, in words.
    pub values: String,
    /// Whether it changes a round or the cards, rather than the procedures around them.
    pub bears: bool,
    /// The clauses and rulings that it comes from.
    pub sources: Vec<String>,
}

/// How many there are of a card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CardCount {
    /// The card.
    pub card: String,
    /// How many a full shoe has.
    pub all: u32,
    /// How many are left.
    pub left: u32,
}

/// What a wager is worth, played in one way. Numbers are for each unit of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WagerOdds {
    /// The circle.
    pub bet: String,
    /// The way of playing: `best`, `basic`, `war`, `surrender`, `any`.
    pub policy: String,
    /// The net gain on average.
    pub ev: f64,
    /// The same as a fraction, where it is known as a short one.
    pub ev_exact: Option<String>,
    /// The expected loss for each unit of all that is staked.
    pub element_of_risk: FigureView,
    /// The standard deviation of the net gain.
    pub sd: FigureView,
    /// How often it ends with a gain.
    pub hit_frequency: FigureView,
    /// Every way in which it can end.
    pub outcomes: Vec<OutcomeView>,
    /// Remarks needed to read the numbers.
    pub notes: Vec<String>,
}

/// A number that may be simulated.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FigureView {
    /// The number.
    pub value: f64,
    /// Its standard error, where it is simulated.
    pub standard_error: Option<f64>,
}

/// A way in which a wager can end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OutcomeView {
    /// What happened.
    pub name: String,
    /// The net gain, in units of the wager.
    pub net: f64,
    /// How often.
    pub probability: f64,
    /// Whether the probability is simulated.
    pub simulated: bool,
}

/// A table of a strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChartView {
    /// Which one: `hard`, `soft` or `pairs`, with a page before it such as `free`; `attack`, `tie`, `hand`.
    pub table: String,
    /// The dealer's up cards; empty where they do not matter.
    pub ups: Vec<String>,
    /// The rows, the highest first.
    pub rows: Vec<ChartRow>,
}

/// A row of a strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChartRow {
    /// A total, the letter of a pair, or what the cards are.
    pub row: String,
    /// How often it comes, where that is known.
    pub often: Option<f64>,
    /// One for each up card, or one.
    pub cells: Vec<ChartCell>,
}

/// A field of a strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChartCell {
    /// What to do, the most preferred call first; the first that is open is meant.
    pub calls: Vec<String>,
    /// A hand that is in this field, where one can come about.
    pub shown: Option<HandShown>,
}

/// A hand before a decision, and what every open act is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HandShown {
    /// The cards of each hand of the player.
    pub own: Vec<Vec<String>>,
    /// The hand that is being played, counted from 0.
    pub hand: usize,
    /// The dealer's open cards, or the community cards.
    pub dealer: Vec<String>,
    /// The acts, the best one first; `gain` and `cost` are in units of the main wager.
    pub acts: Vec<ActValueView>,
}

/// What a card of each rank that is gone does to a wager.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RemovalView {
    /// The circle.
    pub bet: String,
    /// The way of playing.
    pub policy: String,
    /// The change of the net gain on average, by rank.
    pub ranks: Vec<RankEffect>,
    /// Whether some rank matters more than another, so that cards can be counted.
    pub countable: bool,
}

/// What a card of a rank that is gone changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RankEffect {
    /// The letter of the rank.
    pub rank: String,
    /// The change of the net gain on average.
    pub change: f64,
}

/// What another value of a house option would do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OptionTried {
    /// The option.
    pub key: String,
    /// The value that is tried.
    pub to: String,
    /// The wagers that it changes.
    pub changes: Vec<OptionChange>,
    /// Why the table cannot have it, where it cannot.
    pub refused: Option<String>,
}

/// What another value of a house option would do to a wager.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OptionChange {
    /// The circle.
    pub bet: String,
    /// The way of playing.
    pub policy: String,
    /// How much more it is worth then; null where there is no such wager any more.
    pub change: Option<f64>,
}
