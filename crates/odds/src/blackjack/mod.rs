//! The three blackjacks.

mod basic;
#[cfg(test)]
mod brute;
mod dealer;
mod draws;
mod from_here;
mod hand;
mod pair;
mod solve;
mod split;
mod spread;
mod survival;
#[cfg(test)]
mod tests;
mod tree;

pub use from_here::from_here;
pub use solve::{Analyzer, Sisters, Solution};
