//! What every wager of the five games is worth, and the best way to play it.
//!
//! Exact analysis by the rules' own parts: chance is every card that is left, weighted.
//!
//! In reading order: [`fraction`], [`value`] (what is said of a wager), [`unseen`] (the cards that
//! a seat has not seen), [`strategy`] and [`blackjack`].

pub mod blackjack;
pub mod fraction;
pub mod strategy;
pub mod unseen;
pub mod value;

pub use num_bigint::BigUint;
