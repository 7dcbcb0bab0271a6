//! Drills: questions, answers and what they came to.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::HandShown;

/// Asks for a question, and perhaps answers the one before: the body of `POST /api/train/GAME`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct TrainingWanted {
    /// The drill: `decision`, `hand`, `running`, `true` or `deviation`.
    pub drill: String,
    /// House options with a space between them, such as `decks=8 seats=6`.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub set: Option<String>,
    /// The decision to begin with, as [`ReviewedDecision`](crate::ReviewedDecision) names it.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub field: Option<String>,
    /// The answer to the question before.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub answer: Option<TrainingAnswer>,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct TrainingAnswer {
    /// The name of the question.
    pub question: String,
    /// A call, or a whole number.
    pub answer: String,
    /// How long it took.
    pub milliseconds: u32,
}

/// The answer to `POST /api/train/GAME`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TrainingView {
    /// What the answer was worth, where there was one.
    pub graded: Option<GradeView>,
    /// The next question.
    pub question: QuestionView,
    /// The drills of the game at these options.
    pub drills: Vec<String>,
    /// How many decisions the strategy has that are drilled.
    pub decisions: usize,
    /// How many of them lie in each box: the first is asked soonest, the last hardly any more.
    pub boxes: Vec<usize>,
    /// What was answered on each day, the earliest first.
    pub days: Vec<TrainingDay>,
}

/// What an answer was worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GradeView {
    /// Whether it was right: the best, or what the strategy says.
    pub right: bool,
    /// What was answered.
    pub answer: String,
    /// What would have been best.
    pub best: String,
    /// What the answer costs compared with it, in units of the main wager.
    pub cost: f64,
    /// The question as it was, with the value of every act.
    pub question: QuestionView,
    /// What the hand came to, where the answer ended it.
    pub over: Option<HandOver>,
    /// Where the count changes the play, of a decision at a true count.
    pub index: Option<IndexView>,
}

/// The true count from which on another act is the best.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct IndexView {
    /// The lowest true count at which `above` is the best.
    pub from: i32,
    /// What is best below it.
    pub below: String,
    /// What is best from there on.
    pub above: String,
}

/// The end of a hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HandOver {
    /// The cards of each hand of the player.
    pub own: Vec<Vec<String>>,
    /// The dealer's cards, or the community cards.
    pub dealer: Vec<String>,
    /// What was won or lost, in units of the main wager.
    pub net: f64,
}

/// A question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct QuestionView {
    /// Its name, which the answer repeats.
    pub name: String,
    /// The drill.
    pub drill: String,
    /// The hand, where a decision is asked for, with the value of every act.
    pub shown: Option<HandShown>,
    /// The field of the strategy that it is in: `hard 16 T`.
    pub field: Option<String>,
    /// What the strategy says.
    pub chart: Option<String>,
    /// The true count, where it matters.
    pub true_count: Option<i32>,
    /// The count, where a number is asked for.
    pub count: Option<CountQuestion>,
}

/// A question about a count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CountQuestion {
    /// Cards to be counted; empty where the running count is given.
    pub cards: Vec<String>,
    /// The running count, where it is given.
    pub running: Option<i32>,
    /// Cards that have been seen.
    pub seen: u32,
    /// Cards that are left.
    pub left: u32,
    /// Cards in a deck.
    pub deck: u32,
    /// What each rank adds, by its letter.
    pub tags: Vec<CountTag>,
}

/// What a rank adds to the running count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CountTag {
    /// The letter of the rank.
    pub rank: String,
    /// What it adds.
    pub adds: i32,
}

/// What was answered in a drill on a day.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TrainingDay {
    /// Days since 1970.
    pub day: u32,
    /// The drill.
    pub drill: String,
    /// Answers.
    pub answers: u32,
    /// How many of them were right.
    pub right: u32,
    /// How long an answer took on average, in seconds.
    pub seconds: f64,
    /// What an answer cost on average, in units of the main wager.
    pub cost: f64,
}
