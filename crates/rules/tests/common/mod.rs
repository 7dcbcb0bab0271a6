//! What the laws of a round are held to: random tables and plays, and the laws themselves.

// Each test file uses its own part of it.
#![allow(dead_code)]

pub(crate) mod ledger;
pub(crate) mod offers;
pub(crate) mod play;
pub(crate) mod table;
pub(crate) mod tape;

/// A law that holds, or how it is broken.
pub(crate) type Law = Result<(), String>;

/// Breaks a law where the condition is false.
macro_rules! ensure {
    ($holds:expr, $($why:tt)+) => {
        if !$holds {
            return Err(format!($($why)+));
        }
    };
}

pub(crate) use ensure;
