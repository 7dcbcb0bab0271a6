//! The pit: what a supervisor may order is done and nothing else, and hands come back from the
//! discard rack.

mod outcomes;
mod reconstruction;
mod sitting;
