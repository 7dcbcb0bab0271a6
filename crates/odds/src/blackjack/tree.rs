//! Chances of many sets of cards at once.

use pulp::{Arch, Simd, WithSimd};

use super::draws::VALUES;

/// How many shoes are looked at together.
pub(super) const LANES: usize = 16;

/// One number for each shoe.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Lanes(pub(super) [f64; LANES]);

impl Lanes {
    const ZERO: Lanes = Lanes([0.0; LANES]);
}

/// Weighted sets of cards, arranged so that the chance of drawing each is summed up quickly.
///
/// A set is a path of cards from the lowest value to the highest; sets share the beginnings of their
/// paths. This way round most of them differ in the last card alone, which costs least.
pub(super) struct Tree {
    /// Inner places of the paths, each after all that lie beyond it.
    branches: Vec<Branch>,
    leaves: Vec<Leaf>,
    /// The weight of the empty set.
    empty: f64,
    /// How many cards the longest path has.
    depth: usize,
    /// How many cards of each value a set has at most.
    most: [u8; VALUES],
}

struct Branch {
    /// The card that leads here.
    card: u8,
    /// How many cards lead here.
    depth: u8,
    /// Whether other branches go on from here.
    forks: bool,
    /// The weight of the set that ends here.
    weight: f64,
    /// Where its leaves end; they begin where those of the branch before end.
    leaves_end: u32,
}

/// The last card of a set, beyond which no other set goes.
struct Leaf {
    card: u8,
    weight: f64,
}

/// Places of cards in a table: the first, second… of each value.
const ROOM: usize = 64;
const OFFSETS: [u8; VALUES + 1] = {
    let mut offsets = [0; VALUES + 1];
    let mut pips = 1;
    while (pips as usize) <= VALUES {
        offsets[pips as usize] = offsets[pips as usize - 1] + 21 / pips;
        pips += 1;
    }
    offsets
};
const _: () = assert!(OFFSETS[VALUES] as usize <= ROOM);
const DEEPEST: usize = 32;

impl Tree {
    pub(super) fn new(weighted: impl Iterator<Item = ([u8; VALUES], f64)>) -> Tree {
        let mut paths: Vec<(Vec<u8>, f64)> = weighted
            .filter(|&(_, weight)| weight != 0.0)
            .map(|(set, weight)| (path(&set), weight))
            .collect();
        let empty =
            paths.iter().filter(|(path, _)| path.is_empty()).map(|(_, weight)| weight).sum();
        paths.retain(|(path, _)| !path.is_empty());
        paths.sort_by(|a, b| a.0.cmp(&b.0));
        let mut most = [0; VALUES];
        for value in 0..VALUES {
            let cards = OFFSETS[value]..OFFSETS[value + 1];
            let count = |p: &(Vec<u8>, f64)| p.0.iter().filter(|c| cards.contains(c)).count();
            let largest = paths.iter().map(count).max().unwrap_or(0);
            most[value] = u8::try_from(largest).expect("at most 21 cards");
        }
        let depth = paths.iter().map(|(path, _)| path.len()).max().unwrap_or(0);
        assert!(depth < DEEPEST);
        let mut tree = Tree { branches: Vec::new(), leaves: Vec::new(), empty, depth, most };
        tree.grow(&paths, 0, 0, 0.0);
        tree
    }

    /// Adds the branch to which `depth` cards lead, with all the paths that go on from it.
    fn grow(&mut self, paths: &[(Vec<u8>, f64)], depth: u8, card: u8, weight: f64) {
        let at = usize::from(depth);
        let mut leaves = Vec::new();
        let mut forks = false;
        for part in paths.chunk_by(|a, b| a.0[at] == b.0[at]) {
            let next = part[0].0[at];
            let (ends, on) = part.split_at(part.iter().filter(|p| p.0.len() == at + 1).count());
            let weight = ends.iter().map(|p| p.1).sum();
            match on.is_empty() {
                true => leaves.push(Leaf { card: next, weight }),
                false => {
                    forks = true;
                    self.grow(on, depth + 1, next, weight);
                }
            }
        }
        self.leaves.extend(leaves);
        let leaves_end = u32::try_from(self.leaves.len()).expect("some thousand leaves");
        self.branches.push(Branch { card, depth, forks, weight, leaves_end });
    }

    /// The weights of all sets, each times its chance, in several shoes: each has so many cards of
    /// each value, of which a set has been drawn. Compiled for whatever the processor has.
    pub(super) fn sums<'d>(
        &self,
        batch: &mut Batch,
        shoe: &[f64; VALUES],
        drawn: impl Iterator<Item = &'d [u8; VALUES]>,
    ) -> Lanes {
        batch.fill(self, shoe, drawn);
        Arch::new().dispatch(Sum { tree: self, batch })
    }

    #[inline(always)]
    fn sum(&self, batch: &mut Batch) -> Lanes {
        let Batch { left, one_of, sums } = batch;
        let mut begin = 0;
        for branch in &self.branches {
            let depth = usize::from(branch.depth) % DEEPEST;
            let mut sum = match branch.forks {
                true => std::mem::replace(&mut sums[depth], Lanes::ZERO),
                false => Lanes::ZERO,
            };
            let end = branch.leaves_end as usize;
            for leaf in &self.leaves[begin..end] {
                let cards = &left[usize::from(leaf.card) % ROOM];
                for lane in 0..LANES {
                    sum.0[lane] = cards.0[lane].mul_add(leaf.weight, sum.0[lane]);
                }
            }
            begin = end;
            let one_of = &one_of[depth];
            if depth == 0 {
                return Lanes(std::array::from_fn(|l| self.empty + sum.0[l] * one_of.0[l]));
            }
            let cards = &left[usize::from(branch.card) % ROOM];
            let before = &mut sums[depth - 1];
            if branch.weight == 0.0 {
                for lane in 0..LANES {
                    let here = sum.0[lane] * one_of.0[lane];
                    before.0[lane] = here.mul_add(cards.0[lane], before.0[lane]);
                }
            } else {
                for lane in 0..LANES {
                    let here = sum.0[lane].mul_add(one_of.0[lane], branch.weight);
                    before.0[lane] = here.mul_add(cards.0[lane], before.0[lane]);
                }
            }
        }
        Lanes([self.empty; LANES])
    }
}

/// A sum to be compiled for wide registers, together with all that it calls.
struct Sum<'a> {
    tree: &'a Tree,
    batch: &'a mut Batch,
}

impl WithSimd for Sum<'_> {
    type Output = Lanes;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Lanes {
        self.tree.sum(self.batch)
    }
}

/// The cards of a set from the lowest value to the highest, as places in a table.
pub(super) fn path(set: &[u8; VALUES]) -> Vec<u8> {
    (0..VALUES).flat_map(|value| (0..set[value]).map(move |nth| OFFSETS[value] + nth)).collect()
}

/// What is left in several shoes.
pub(super) struct Batch {
    /// How many cards are left when the nth of a value is drawn.
    left: [Lanes; ROOM],
    /// One divided by the number of all cards left, by the number of cards drawn since.
    one_of: [Lanes; DEEPEST],
    /// Sums under way; zero between two of them.
    sums: [Lanes; DEEPEST],
}

impl Batch {
    /// Room for shoes.
    pub(super) fn empty() -> Box<Batch> {
        let (left, rest) = ([Lanes::ZERO; ROOM], [Lanes::ZERO; DEEPEST]);
        Box::new(Batch { left, one_of: rest, sums: rest })
    }

    fn fill<'d>(
        &mut self,
        tree: &Tree,
        shoe: &[f64; VALUES],
        drawn: impl Iterator<Item = &'d [u8; VALUES]>,
    ) {
        let mut counts = [Lanes::ZERO; VALUES];
        let mut total = [0.0; LANES];
        for (lane, set) in drawn.take(LANES).enumerate() {
            for value in 0..VALUES {
                let cards = shoe[value] - f64::from(set[value]);
                counts[value].0[lane] = cards;
                total[lane] += cards;
            }
        }
        for (value, left) in counts.iter_mut().enumerate() {
            let from = usize::from(OFFSETS[value]);
            for row in &mut self.left[from..from + usize::from(tree.most[value])] {
                *row = *left;
                left.0.iter_mut().for_each(|cards| *cards -= 1.0);
            }
        }
        for row in &mut self.one_of[..tree.depth] {
            for (one_of, cards) in row.0.iter_mut().zip(&mut total) {
                *one_of = if *cards > 0.0 { 1.0 / *cards } else { 0.0 };
                *cards -= 1.0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::draws::{DRAWS, TEN};
    use super::*;

    /// A processor without wide registers comes to the very same numbers.
    #[test]
    fn every_processor_sums_alike() {
        let sets = DRAWS.within(1).iter().zip(1..);
        let tree = Tree::new(sets.map(|(draw, nth)| (draw.of, 1.0 / f64::from(nth))));
        let mut shoe = [24.0; VALUES];
        shoe[TEN] = 96.0;
        let drawn: Vec<_> = DRAWS.within(1).iter().rev().take(LANES).map(|draw| draw.of).collect();
        let mut batch = Batch::empty();
        let wide = tree.sums(&mut batch, &shoe, drawn.iter());
        batch.fill(&tree, &shoe, drawn.iter());
        let plain = tree.sum(&mut batch);
        assert_eq!(wide.0, plain.0);
        assert!(wide.0.iter().all(|sum| *sum > 0.0));
    }
}
