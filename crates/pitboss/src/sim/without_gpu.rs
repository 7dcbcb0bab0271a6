//! Where this build has no GPU.

use std::ops::Range;

use odds::simulate::{Plan, Tally};

use crate::halt::Halt;

/// Nobody.
pub(super) enum Player {}

impl Player {
    pub(super) fn new(_: &Plan, _: u64) -> Result<Player, Halt> {
        let missing = "this pitboss was built without the GPU: build it with \
                       `cargo build --release --package pitboss --features gpu`";
        Err(missing.to_owned().into())
    }

    pub(super) fn play(&mut self, _: &Plan, _: Range<u64>) -> Result<Tally, Halt> {
        match *self {}
    }

    pub(super) fn check_last(&mut self, _: &Plan, _: u64) -> Result<String, Halt> {
        match *self {}
    }
}
