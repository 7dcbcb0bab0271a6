//! Logs of whole days: what verification finds in them, and rounds shown again.

mod house;
mod replay;
mod verify;
