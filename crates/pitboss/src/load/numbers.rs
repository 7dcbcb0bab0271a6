//! Numbers from a seed, so that a run can be had again.

/// A source of numbers (SplitMix64).
#[derive(Clone)]
pub(super) struct Numbers(u64);

impl Numbers {
    /// The source of one of many who share a seed.
    pub(super) fn new(seed: u64, of: u64) -> Numbers {
        let mut numbers = Numbers(seed ^ of.wrapping_mul(0xd134_2543_de82_ef95));
        numbers.next();
        numbers
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        let bound = u32::try_from(bound).expect("a small number");
        rules::shoe::below(bound, &mut || self.next()) as usize
    }

    /// 32 bytes as a player adds them to the order of a shoe.
    pub(super) fn bytes(&mut self) -> String {
        (0..4).map(|_| format!("{:016x}", self.next())).collect()
    }
}
