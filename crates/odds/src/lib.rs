//! What every wager of the five games is worth, and the best way to play it.
//!
//! Exact analysis by the rules' own parts: chance is every card that is left, weighted.
//!
//! In reading order: [`fraction`], [`value`] (what is said of a wager), [`unseen`] (the cards that
//! a seat has not seen), [`setting`] (amounts and company), [`ledger`], [`walk`](mod@walk) (a round
//! in every way), [`casino_war`], [`double_down_stud`], [`strategy`], [`blackjack`] and its
//! [`side_bets`], [`game`] (any of them), [`what_if`](mod@what_if) and
//! [`countable`](mod@countable).

pub mod blackjack;
mod cases;
pub mod casino_war;
pub mod countable;
pub mod double_down_stud;
pub mod fraction;
pub mod game;
pub mod ledger;
mod main_wager;
pub mod setting;
pub mod side_bets;
pub mod strategy;
mod suits;
pub mod unseen;
pub mod value;
pub mod walk;
pub mod what_if;

pub use game::{Valued, from_here};
pub use num_bigint::BigUint;
