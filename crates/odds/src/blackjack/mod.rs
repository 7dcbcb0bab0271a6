//! The three blackjacks.

mod basic;
#[cfg(test)]
mod brute;
mod dealer;
mod draws;
mod hand;
mod pair;
mod solve;
mod split;
mod survival;
#[cfg(test)]
mod tests;
mod tree;

pub use solve::{Analyzer, Sisters, Solution};
