//! Rounds by the million: the rules' own rounds, a shoe shuffled as it is drawn, and a strategy.
//!
//! A run is a [`Plan`] and a range of shoe numbers. Every shoe has its own random numbers, drawn from
//! the plan's seed and the shoe's number, so any shoe can be played alone, in any order and on any
//! thread, and the [`Tally`] of a range is exactly the sum of those of its parts.

mod account;
mod compiled;
mod decide;
mod numbers;
mod plan;
mod play;
mod results;
mod run;
mod scribe;
mod state;
mod tally;

pub(crate) use account::Account;
pub use account::is_added_to_main;
pub use compiled::{
    CODE_BITS, COMMON, CompleteTable, Deal, GOES_ON, NETS, NO_SUM, Special, TableCounts,
    TableRefusal, TableUsage,
};
pub use numbers::Wyrand;
pub use plan::{Plan, PlanRefusal, Ramp, Strategy, Supply};
pub(crate) use play::Watcher;
pub use run::{Progress, Stop, run, run_by_shoe, run_in_blocks};
pub(crate) use run::{in_blocks, shoes_at_a_time};
pub use state::{PROGRAM, PlayedRange, StateRefusal, terms};
pub use tally::{CountBettor, Sums, Tally};
