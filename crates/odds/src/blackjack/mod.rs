//! The three blackjacks.

#[cfg(test)]
mod brute;
mod dealer;
mod draws;
mod hand;
mod solve;
mod split;
#[cfg(test)]
mod tests;

pub use solve::{Analyzer, Sisters, Solution};
