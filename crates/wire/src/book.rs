//! What the rule book says, in our own words.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a source says: the answer to `GET /api/clause/ID`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ClauseView {
    /// Its id.
    pub id: String,
    /// What it is: a clause of a game's book, a ruling or a term of the house.
    pub kind: Cow<'static, str>,
    /// The game on the sign, where it belongs to one.
    pub game: Option<Cow<'static, str>>,
    /// What it is about, or all of it.
    pub title: String,
    /// What holds, where that is more than the title.
    pub words: Option<String>,
}

/// The book of a game in our own words: the answer to `GET /api/rules/GAME`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BookView {
    /// The name of the game.
    pub game: Cow<'static, str>,
    /// The game as it stands on the sign.
    pub title: Cow<'static, str>,
    /// The clauses, as the book has them.
    pub clauses: Vec<ClauseOfBook>,
    /// What decides where the book is silent: for this game, and for all.
    pub rulings: Vec<RulingView>,
    /// What the book leaves to the house.
    pub options: Vec<OptionView>,
}

/// A clause of a book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ClauseOfBook {
    /// Its id.
    pub id: Cow<'static, str>,
    /// What it is about, such as `payout`.
    pub kind: Cow<'static, str>,
    /// What it says.
    pub title: Cow<'static, str>,
    /// Why no program can carry it out, where none can.
    pub excused: Option<Cow<'static, str>>,
}

/// A ruling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RulingView {
    /// Its id.
    pub id: Cow<'static, str>,
    /// What it is about.
    pub title: Cow<'static, str>,
    /// What holds.
    pub decision: Cow<'static, str>,
}

/// Something that the book leaves to the house.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OptionView {
    /// Its one name.
    pub key: Cow<'static, str>,
    /// What it is measured in: `amount`, `count`, `cards`, `seconds`, `enum` or `flag`.
    pub kind: Cow<'static, str>,
    /// `round` where it affects a round, `table` where it affects the procedures around one.
    pub scope: Cow<'static, str>,
    /// What may be chosen, as the books have it: `6|7|8`, `1..7`, `none|>=100000`.
    pub values: Cow<'static, str>,
    /// The same for programs: the values that have a name.
    pub words: Vec<Cow<'static, str>>,
    /// The smallest number; null where only those values may be chosen.
    pub least: Option<Cow<'static, str>>,
    /// The largest number; null where there is none.
    pub most: Option<Cow<'static, str>>,
    /// Whether it may be chosen for a private table.
    pub private: bool,
    /// What holds where nothing is chosen.
    pub default: Cow<'static, str>,
    /// What it decides.
    pub meaning: Cow<'static, str>,
    /// The clauses and rulings that it comes from.
    pub sources: Vec<Cow<'static, str>>,
}
