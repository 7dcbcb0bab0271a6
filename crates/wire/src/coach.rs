//! What decisions are worth.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Whether a table says what decisions are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Coach {
    /// Before every decision, and after the round.
    Live,
    /// After the round.
    After,
    /// Never.
    Off,
}

/// What the decisions are worth that a player is asked for now: the answer to
/// `GET /api/tables/TABLE/values`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ValuesView {
    /// The round.
    pub round: u32,
    /// One for each of the player's places that is asked.
    pub decisions: Vec<DecisionValues>,
}

/// What each act open at a place is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DecisionValues {
    /// The place: `3`, or `3b`.
    pub at: String,
    /// The acts, the best one first.
    pub acts: Vec<ActValueView>,
}

/// What an act is worth: what the player gains on average from here to the end of the round, by playing
/// on in the best way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ActValueView {
    /// The call.
    pub call: Cow<'static, str>,
    /// The chips that go with it, in dollars; null where none do, or as many as are allowed.
    pub amount: Option<String>,
    /// The gain on average, in dollars.
    pub gain: f64,
    /// How much less that is than the best act, in dollars.
    pub cost: f64,
    /// How certain the cost is. The first act is certainly the best where its own is exact.
    pub cost_method: CostMethod,
    /// How sure the gain is.
    pub method: ValueMethod,
    /// The most that play could gain with enough chips and without looking at sibling hands, in dollars,
    /// where that is more and is known. Looking could gain more still.
    pub at_most: Option<f64>,
    /// How the hand that decides ends by that play, or an insurance wager by itself; null where more hands
    /// come of the act, and before the cards.
    pub prospects: Option<ProspectsView>,
}

/// How likely something wins, is pushed and loses: 1 in all.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProspectsView {
    /// How likely it wins.
    pub win: f64,
    /// How likely it is pushed.
    pub push: f64,
    /// How likely it loses, in part or in whole.
    pub lose: f64,
}

/// How sure a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ValueMethod {
    /// Every case is counted.
    Exact,
    /// At least this much: the best play may gain a little more.
    Bound,
    /// Many rounds were played.
    Simulated,
}

/// How certain a cost is: either value may be a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum CostMethod {
    /// It is this much.
    Exact,
    /// It may be more.
    AtLeast,
    /// It may be less.
    AtMost,
    /// It may be either.
    About,
}

/// What decisions cost in a player's own rounds, the last one first: the answer to `GET /api/review`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReviewView {
    /// The rounds.
    pub rounds: Vec<ReviewedRound>,
    /// What to ask for as `before` to get earlier ones; null where there are none.
    pub before: Option<u64>,
}

/// A round that is over, and what the player's decisions in it cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReviewedRound {
    /// The table.
    pub table: String,
    /// The name of the game.
    pub game: Cow<'static, str>,
    /// The game as it stands on the sign.
    pub title: Cow<'static, str>,
    /// The house options of the table that are not the default, as a link names them.
    pub options: String,
    /// Its number at that table.
    pub round: u32,
    /// When it was over, in seconds of Unix time.
    pub at: i64,
    /// What the player won or lost, without later corrections, in dollars; null where it is not reviewed.
    pub net: Option<String>,
    /// The review; null where there is none.
    pub review: Option<RoundReview>,
    /// Why there is none.
    pub no_review: Option<NoReview>,
}

/// What a player's decisions in a round cost. Expectation, play and luck are the net.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoundReview {
    /// What the opening wagers are worth by the best play, given the cards of the shoe that the player had
    /// seen, in dollars.
    pub expectation: f64,
    /// What the decisions cost compared with the best ones, in dollars: never above nothing.
    pub play: f64,
    /// The rest, in dollars. It averages to nothing.
    pub luck: f64,
    /// Every decision that could be valued, in order.
    pub decisions: Vec<ReviewedDecision>,
    /// How many could not; what they cost counts as luck.
    pub unvalued: u32,
}

/// A decision, and what every open act was worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReviewedDecision {
    /// The entry of the log: `seq` of a step of the round.
    pub seq: u64,
    /// The place: `3`, or `3b`.
    pub at: String,
    /// The field of the strategy that it is in, such as `hard 16 T`, to train it; null where it is in none.
    pub field: Option<String>,
    /// The acts, the best one first.
    pub acts: Vec<ActValueView>,
    /// Which of them was chosen, counted from 0.
    pub chosen: usize,
    /// How good that was.
    pub grade: Grade,
}

/// How good a decision was, by what it cost in units of the main wager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// Nothing was better.
    Best,
    /// Up to 0.02.
    Close,
    /// Up to 0.10.
    Mistake,
    /// More.
    Blunder,
    /// What it cost is not certain enough.
    Unsure,
}

/// Why a round is not reviewed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum NoReview {
    /// The round was void.
    Void,
    /// The table has no coach.
    NoCoach,
    /// It was played under another version of the rules.
    OtherRules,
    /// The coach failed at it, by a mistake of the program.
    Failed,
}

/// Which of one's own rounds are to be reviewed.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct ReviewWanted {
    /// Those of this table; by default of all.
    pub table: Option<String>,
    /// This round of that table alone.
    pub round: Option<u32>,
    /// Those before this one: `before` of the page before.
    pub before: Option<u64>,
    /// How many at most; by default 10, and to 25.
    pub limit: Option<u32>,
}
