//! Logs of whole days: what verification finds in them, and rounds shown again.

mod attack;
mod fair_order;
mod house;
mod other_rules;
mod replay;
mod secrets;
mod times;
mod verify;
