//! The three blackjacks.

#[cfg(test)]
mod brute;
mod dealer;
mod draws;
mod hand;
mod solve;
mod split;
mod survival;
#[cfg(test)]
mod tests;
mod tree;

pub use solve::{Analyzer, Sisters, Solution};
