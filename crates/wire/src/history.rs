//! Rounds that are over, and shoes.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{AboutTable, DecksView, StoryLine, View};

/// Rounds that are over, the last one first: the answer to `GET /api/rounds`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoundsView {
    /// The rounds.
    pub rounds: Vec<RoundLine>,
    /// What to ask for as `before` to get earlier ones; null where there are none.
    pub before: Option<u64>,
}

/// A round that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoundLine {
    /// The table.
    pub table: String,
    /// The name of the game.
    pub game: Cow<'static, str>,
    /// The game as it stands on the sign.
    pub title: Cow<'static, str>,
    /// Its number at that table.
    pub round: u32,
    /// The shoe that it was dealt from.
    pub shoe: u32,
    /// When it was over, in seconds of Unix time.
    pub at: i64,
    /// Whether it was void, and everything was undone (G-03).
    pub void: bool,
    /// What the player won or lost in all, with later corrections; null without a wager.
    pub net: Option<String>,
    /// What became of each wager of that player, when the round was over.
    pub wagers: Vec<WagerLine>,
    /// Later corrections, for anybody.
    pub corrections: Vec<CorrectionLine>,
}

/// A supervisor's correction of a round that is over (G-28).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CorrectionLine {
    /// The entry of the log.
    pub seq: u64,
    /// In dollars.
    pub amount: String,
    /// The account that gave it.
    pub from: String,
    /// The account that got it.
    pub to: String,
    /// The supervisor.
    pub by: String,
    /// Why.
    pub because: String,
}

/// What became of a wager of a round that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WagerLine {
    /// Whose.
    pub name: String,
    /// The place: `3`, or `3b`.
    pub at: String,
    /// The hand that it lay on, counted from 1.
    pub hand: usize,
    /// The name of the circle.
    pub circle: Cow<'static, str>,
    /// What is printed on the felt.
    pub title: Cow<'static, str>,
    /// What lay there; null for an award that had no stake.
    pub stake: Option<String>,
    /// Whether it was a lammer of the house and not money.
    pub free: bool,
    /// Won or lost, with its sign.
    pub gain: String,
    /// The clause that says so.
    pub clause: String,
}

/// A round that is over, step by step: the answer to `GET /api/rounds/TABLE/ROUND`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoundView {
    /// The table as it was then.
    pub about: AboutTable,
    /// The round, counted from 1.
    pub round: u32,
    /// The shoe that it was dealt from.
    pub shoe: u32,
    /// When it was over, in seconds of Unix time.
    pub at: i64,
    /// Whether it was void, and everything was undone (G-03).
    pub void: bool,
    /// What happened, from "No more bets" on.
    pub steps: Vec<RoundStep>,
    /// What became of every wager.
    pub wagers: Vec<WagerLine>,
    /// Later corrections.
    pub corrections: Vec<CorrectionLine>,
    /// The round in the notation, which `pitboss check` plays.
    pub transcript: String,
}

/// A step of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoundStep {
    /// Its entry in the log.
    pub seq: u64,
    /// The version of the table after it.
    pub version: u64,
    /// What happened, in lines of the log; without what was not for this viewer.
    pub events: Vec<String>,
    /// The same in codes, for what is worth a sentence.
    pub story: Vec<StoryLine>,
    /// What this viewer saw after it.
    pub view: Box<View>,
}

/// What is needed to check a shoe: the answer to `GET /api/shoes/TABLE/SHOE`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ShoeRecordView {
    /// The table.
    pub table: String,
    /// The name of the game.
    pub game: Cow<'static, str>,
    /// The shoe, counted from 1.
    pub shoe: u32,
    /// When it was shuffled, in seconds of Unix time.
    pub at: i64,
    /// The commitment to its order; empty where nobody knew it.
    pub seal: String,
    /// How many cards it held.
    pub size: usize,
    /// Which cards it holds by the rules; null where those are the discards of a round that ran out
    /// of cards (G-18).
    pub decks: Option<DecksView>,
    /// The id of the house to which players committed.
    pub house: String,
    /// What players added to the order, from the dealer's far left.
    pub contributions: Vec<ContributionView>,
    /// How often cards went from the front to the back.
    pub cuts: Vec<ShoeCutView>,
    /// The fewest cards that a cut could take.
    pub cut_least: usize,
    /// The most.
    pub cut_most: usize,
    /// Who had a sealed order cut again; null where nobody did.
    pub recut_by: Option<String>,
    /// Why it was retired before a round was dealt from it; null where it was not.
    pub unplayed: Option<String>,
    /// The cards that have left it, the first one first; `??` where nobody has seen it.
    pub dealt: Vec<String>,
    /// The salt of the commitment, once the shoe is retired.
    pub salt: Option<String>,
    /// The order before mix and cut, once the shoe is retired.
    pub order: Option<Vec<String>>,
    /// The first and the last round that were dealt from it.
    pub rounds: Option<RoundSpan>,
    /// The first entry of the log that is about it, for `GET /api/export/TABLE?from=…&to=…`.
    pub first_entry: u64,
    /// The last one.
    pub last_entry: u64,
}

/// What a player added to the order of a shoe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ContributionView {
    /// The place.
    pub at: String,
    /// Who it was.
    pub name: String,
    /// The commitment: 64 hexadecimal digits.
    pub commitment: String,
    /// The bytes: 64 hexadecimal digits; null where they were not opened.
    pub bytes: Option<String>,
}

/// A cut of a shoe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ShoeCutView {
    /// Who cut; null where the cut was drawn, or the dealer of a physical table cut.
    pub by: Option<String>,
    /// How many cards went from the front to the back.
    pub at: usize,
}

/// Rounds that follow each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoundSpan {
    /// The first.
    pub first: u32,
    /// The last.
    pub last: u32,
}

/// Which entries of a log are wanted.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct EntriesWanted {
    /// The first entry; by default 1.
    pub from: Option<u64>,
    /// The last entry; by default the last of all.
    pub to: Option<u64>,
}

/// Which rounds are wanted.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct RoundsWanted {
    /// Those of this table; by default of all.
    pub table: Option<String>,
    /// Those of this player; by default one's own, or everybody's if a table is named.
    pub player: Option<String>,
    /// Those before this one: `before` of the page before.
    pub before: Option<u64>,
    /// How many at most; by default 20.
    pub limit: Option<u32>,
}
