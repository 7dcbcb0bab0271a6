//! The three blackjacks.
