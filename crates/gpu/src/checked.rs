//! A run on a GPU, which checks itself against the processor.

use std::ops::Range;

use odds::simulate::{CompleteTable, Plan, Tally};

use crate::{Gpu, GpuPlayer, GpuRefusal, Job};

/// How many shoes are played on the processor as well: the first ones of a run, and the last ones.
const CHECKED_SHOES: u64 = 5_000;

/// A GPU with the table of a plan, whose results are compared with those of the processor.
pub struct CheckedPlayer {
    gpu: Gpu,
    player: GpuPlayer,
    table: CompleteTable,
    first_shoe: u64,
    checked: u64,
}

impl CheckedPlayer {
    /// Builds the table, and plays the first shoes of the run both ways.
    pub fn new(plan: &Plan, first_shoe: u64) -> Result<CheckedPlayer, GpuRefusal> {
        let gpu = Gpu::open()?;
        let table =
            plan.complete_table().map_err(|refusal| GpuRefusal::Table(refusal.to_string()))?;
        let player = GpuPlayer::new(&gpu, Job::new(&table, plan.seed())?)?;
        let mut player = CheckedPlayer { gpu, player, table, first_shoe, checked: 0 };
        player.check(plan, first_shoe..first_shoe + player.shoes_to_check())?;
        Ok(player)
    }

    /// Plays a range of shoes.
    pub fn play(&mut self, plan: &Plan, shoes: Range<u64>) -> Result<Tally, GpuRefusal> {
        let count = shoes.end - shoes.start;
        let counts = self.player.play(shoes)?;
        Ok(plan.tally_of(&self.table, counts, count))
    }

    /// Plays the last shoes of a run both ways.
    pub fn check_last(&mut self, plan: &Plan, end: u64) -> Result<(), GpuRefusal> {
        let from = end.saturating_sub(self.shoes_to_check()).max(self.first_shoe);
        self.check(plan, from..end)
    }

    /// The name of the GPU.
    pub fn name(&self) -> &str {
        self.gpu.name()
    }

    /// The table that it plays by.
    pub fn table(&self) -> &CompleteTable {
        &self.table
    }

    /// How many shoes were played on the processor as well.
    pub fn checked(&self) -> u64 {
        self.checked
    }

    /// Fewer shoes where each of them is many rounds with their own shuffles.
    fn shoes_to_check(&self) -> u64 {
        CHECKED_SHOES.div_ceil(self.table.deal.shuffles)
    }

    fn check(&mut self, plan: &Plan, shoes: Range<u64>) -> Result<(), GpuRefusal> {
        let by_gpu = self.play(plan, shoes.clone())?;
        self.checked += shoes.end - shoes.start;
        match by_gpu == plan.play_by_rounds(shoes.clone()) {
            true => Ok(()),
            false => Err(GpuRefusal::Wrong { from: shoes.start, to: shoes.end }),
        }
    }
}
