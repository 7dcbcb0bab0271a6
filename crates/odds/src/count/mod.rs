//! Card counting: what a count tells of each wager, what betting by it is worth, and what stops it.
//!
//! A [`TableCount`] turns the cards seen into a true count. [`run`] plays shoes and keeps what every
//! wager came to by the true count before the round ([`CountTally`]). All rounds are played for one
//! unit, so that any [`Bets`] can be judged afterwards ([`Prospect`]).

mod bankroll;
mod bets;
mod edge;
mod indices;
mod run;
mod tags;
mod tally;
mod trips;

pub use bankroll::Prospect;
pub use bets::{BetLimits, BetTable, Bets};
pub use edge::{CountRow, EdgeLine};
pub use indices::{CountedPlay, Decision, IndexPlay, IndexSearch};
pub(crate) use indices::{cards_left, typical_shoes};
pub use run::run;
pub use tags::{
    CountSystem, DeckEstimate, HIGH_LOW, MOST_TRUE_COUNT, NotACount, Rounding, TableCount,
};
pub(crate) use tally::{CountKeeper, SeenCards, counters_seat};
pub use tally::{CountTally, GainSums};
pub use trips::{MOST_TRIP_ROUNDS, MOST_TRIPS, STOPS, TripPlan, Trips};
