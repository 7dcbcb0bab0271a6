//! The parts of the crate that need neither a round nor a table, each by itself.

mod books;
mod notation;
mod progressive;
mod shoe;
mod standing;
mod transcripts;
mod wagers;
