//! A run on a GPU, which checks itself against the processor.

use std::ops::Range;

use gpu::{Gpu, GpuPlayer, Job};
use odds::simulate::{CompleteTable, Plan, Tally};

use crate::halt::Halt;
use crate::text::grouped;

/// How many shoes are played on the processor as well: the first ones of a run, and the last ones.
const CHECKED_SHOES: u64 = 5_000;

/// A GPU with the table of a plan.
pub(super) struct Player {
    gpu: Gpu,
    player: GpuPlayer,
    table: CompleteTable,
    first_shoe: u64,
    checked: u64,
}

impl Player {
    /// Builds the table, and plays the first shoes of the run both ways.
    pub(super) fn new(plan: &Plan, first_shoe: u64) -> Result<Player, Halt> {
        let could_not = |why: &dyn std::fmt::Display| Halt::from(format!("--gpu: {why}"));
        let gpu = Gpu::open().map_err(|refusal| could_not(&refusal))?;
        let table = plan.complete_table().map_err(|refusal| could_not(&refusal))?;
        let job = Job::new(&table, plan.seed()).map_err(|refusal| could_not(&refusal))?;
        let player = GpuPlayer::new(&gpu, job).map_err(|refusal| could_not(&refusal))?;
        let mut player = Player { gpu, player, table, first_shoe, checked: 0 };
        player.check(plan, first_shoe..first_shoe + player.shoes_to_check())?;
        Ok(player)
    }

    pub(super) fn play(&mut self, plan: &Plan, shoes: Range<u64>) -> Result<Tally, Halt> {
        let count = shoes.end - shoes.start;
        let counts = self.player.play(shoes).map_err(|refusal| format!("--gpu: {refusal}"))?;
        Ok(plan.tally_of(&self.table, counts, count))
    }

    /// Plays the last shoes of a run both ways, and says how it was played.
    pub(super) fn check_last(&mut self, plan: &Plan, end: u64) -> Result<String, Halt> {
        let from = end.saturating_sub(self.shoes_to_check()).max(self.first_shoe);
        self.check(plan, from..end)?;
        Ok(grouped(&format!(
            "on {} with a table of {} rows, {} KB, built in {:.1} s; {} shoes were played on the \
             processor as well and came to the same",
            self.gpu.name(),
            self.table.rows(),
            self.table.bytes().div_ceil(1_000),
            self.table.build_time.as_secs_f64(),
            self.checked
        )))
    }

    /// Fewer shoes where each of them is many rounds with their own shuffles.
    fn shoes_to_check(&self) -> u64 {
        CHECKED_SHOES.div_ceil(self.table.deal.shuffles)
    }

    fn check(&mut self, plan: &Plan, shoes: Range<u64>) -> Result<(), Halt> {
        let by_gpu = self.play(plan, shoes.clone())?;
        self.checked += shoes.end - shoes.start;
        match by_gpu == plan.play_by_rounds(shoes.clone()) {
            true => Ok(()),
            false => {
                let Range { start, end } = shoes;
                Err(format!("the GPU is wrong: shoes {start} to {end} come to something else")
                    .into())
            }
        }
    }
}
