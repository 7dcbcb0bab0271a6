//! A run on a GPU, which checks itself against the processor.

use std::ops::Range;

use gpu::{CheckedPlayer, GpuRefusal};
use odds::simulate::{Plan, Tally};

use crate::halt::Halt;
use crate::text::grouped;

/// A GPU with the table of a plan.
pub(super) struct Player(CheckedPlayer);

impl Player {
    /// Builds the table, and plays the first shoes of the run both ways.
    pub(super) fn new(plan: &Plan, first_shoe: u64) -> Result<Player, Halt> {
        CheckedPlayer::new(plan, first_shoe).map(Player).map_err(refused)
    }

    pub(super) fn play(&mut self, plan: &Plan, shoes: Range<u64>) -> Result<Tally, Halt> {
        self.0.play(plan, shoes).map_err(refused)
    }

    /// Plays the last shoes of a run both ways, and says how it was played.
    pub(super) fn check_last(&mut self, plan: &Plan, end: u64) -> Result<String, Halt> {
        let Player(player) = self;
        player.check_last(plan, end).map_err(refused)?;
        let table = player.table();
        Ok(grouped(&format!(
            "on {} with a table of {} rows, {} KB, built in {:.1} s; {} shoes were played on the \
             processor as well and came to the same",
            player.name(),
            table.rows(),
            table.bytes().div_ceil(1_000),
            table.build_time.as_secs_f64(),
            player.checked()
        )))
    }
}

fn refused(refusal: GpuRefusal) -> Halt {
    format!("--gpu: {refusal}").into()
}
