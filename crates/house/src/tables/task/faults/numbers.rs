//! Numbers from a seed.

/// A source of numbers (SplitMix64).
#[derive(Clone)]
pub(super) struct Numbers(u64);

impl Numbers {
    pub(super) fn new(seed: u64) -> Numbers {
        Numbers(seed)
    }

    /// Another source, which does not depend on how this one is used later.
    pub(super) fn split(&mut self) -> Numbers {
        Numbers(self.next())
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        let bound = u32::try_from(bound).unwrap();
        rules::shoe::below(bound, &mut || self.next()).try_into().unwrap()
    }

    /// Whether something happens that does so many times in a thousand.
    pub(super) fn happens(&mut self, thousandths: usize) -> bool {
        self.below(1000) < thousandths
    }
}
