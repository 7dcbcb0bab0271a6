//! The random source: wyrand, a stream for each shoe.

use rules::shoe::Numbers;

/// The generator `wyrand` (Wang Yi): 64 bits of state, each number a product of two mixed states.
#[derive(Clone, Debug)]
pub struct Wyrand(u64);

const STEP: u64 = 0xa076_1d64_78bd_642f;
const MASK: u64 = 0xe703_7ed1_a0b4_28db;

impl Wyrand {
    /// The numbers of one shoe of a run; no two shoes of a seed begin in the same state.
    #[inline]
    pub const fn of(seed: u64, shoe: u64) -> Wyrand {
        Wyrand(scattered(scattered(seed).wrapping_add(shoe)))
    }
}

impl Numbers for Wyrand {
    #[inline]
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mixed(self.0)
    }
}

/// Takes every number to another one, far from those of its neighbours (the finish of SplitMix64).
#[inline]
const fn scattered(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// The upper and the lower half of a product, folded into one.
#[inline]
#[allow(clippy::cast_possible_truncation)]
const fn mixed(state: u64) -> u64 {
    let product = state as u128 * (state ^ MASK) as u128;
    (product >> 64) as u64 ^ product as u64
}
