//! The chance of a day at a table.

// Each test uses its own part of it.
#![allow(dead_code)]

use rules::shoe::below;

/// Splitmix, so that a day is its seed.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bound = u32::try_from(bound).unwrap();
        below(bound, &mut || self.next()).try_into().unwrap()
    }

    /// Yes, once in so many times.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn one_of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    /// 32 bytes as the notation has them.
    pub(crate) fn seal(&mut self) -> String {
        (0..4).map(|_| format!("{:016x}", self.next())).collect()
    }
}
