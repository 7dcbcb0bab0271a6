//! The tables of the house: one task owns one table. They know the store and the protocol, and neither
//! HTTP nor sockets: what a client is to be told goes into its outbox.
//!
//! In reading order: `refusals` (as clients get them), `commands` (what a client's command means at a
//! table), [`dealer`] (shuffle, cards, clocks), `voice` (what the dealer asks), `about` (what a table
//! tells of itself), `asks` (what it waits for and offers), `felt` (what a viewer sees) and `story`
//! (what is told of it), [`progressive`] (the meter that tables share), [`live`] (a table as its log
//! says) and `playback` (a part of the log played again), `noted` (what whoever runs the house reads),
//! `chips` (what is whose at which table), `open_asks` (what is repeated where a table has moved), `tempo` (how long a shoe lasts), [`task`] (the owner of a
//! table), and [`reconciler`] (which closes a table whose books do not agree).

pub(crate) mod about;
#[cfg(test)]
mod any_message;
pub(crate) mod asks;
pub(crate) mod chips;
pub(crate) mod commands;
pub mod dealer;
pub(crate) mod felt;
pub mod live;
mod noted;
pub(crate) mod open_asks;
pub(crate) mod outbox;
pub(crate) mod playback;
pub mod progressive;
pub mod reconciler;
pub(crate) mod refusals;
pub(crate) mod story;
pub mod task;
pub(crate) mod tempo;
mod voice;
