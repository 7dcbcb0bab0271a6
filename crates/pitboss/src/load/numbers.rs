//! Numbers from a seed, so that a run can be had again.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A source of numbers.
pub(super) struct Numbers(ChaCha20Rng);

impl Numbers {
    /// The source of one of many who share a seed.
    pub(super) fn new(seed: u64, of: u64) -> Numbers {
        let mut chance = ChaCha20Rng::seed_from_u64(seed);
        chance.set_stream(of);
        Numbers(chance)
    }

    /// A number below a bound.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        let bound = u32::try_from(bound).expect("a small number");
        rules::shoe::below(bound, &mut || self.0.next_u64()) as usize
    }

    /// 32 bytes as a player adds them to the order of a shoe.
    pub(super) fn bytes(&mut self) -> String {
        (0..4).map(|_| format!("{:016x}", self.0.next_u64())).collect()
    }
}
