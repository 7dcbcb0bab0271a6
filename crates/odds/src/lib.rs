//! What every wager of the five games is worth, and the best way to play it.
//!
//! Exact analysis by the rules' own parts: chance is every card that is left, weighted.
//!
//! In reading order: [`fraction`], [`value`] (what is said of a wager), [`unseen`] (the cards that
//! a seat has not seen), [`setting`] (amounts and company), [`walk`](mod@walk) (a round in every
//! way), [`casino_war`], [`double_down_stud`], [`strategy`],
//! [`blackjack`] and its [`side_bets`].

pub mod blackjack;
mod cases;
pub mod casino_war;
pub mod double_down_stud;
pub mod fraction;
pub mod ledger;
pub mod setting;
pub mod side_bets;
pub mod strategy;
pub mod unseen;
pub mod value;
pub mod walk;

pub use num_bigint::BigUint;
