//! Chances of many sets of cards at once.

use pulp::{Arch, Simd, WithSimd};
use rules::games::blackjack::MOST_HANDS;

use super::draws::VALUES;

/// How many shoes are looked at together.
pub(super) const LANES: usize = 32;

/// One number for each shoe.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Lanes(pub(super) [f64; LANES]);

impl Lanes {
    const ZERO: Lanes = Lanes([0.0; LANES]);

    const ONE: Lanes = Lanes([1.0; LANES]);

    /// Changes each by its partners in two others. Some are read before any is written, so that the
    /// compiler need not fear that they are the same.
    #[inline(always)]
    fn update(&mut self, one: &Lanes, other: &Lanes, f: impl Fn(f64, f64, f64) -> f64) {
        const AT_ONCE: usize = 8;
        for from in (0..LANES).step_by(AT_ONCE) {
            let new: [f64; AT_ONCE] = std::array::from_fn(|nth| {
                let lane = from + nth;
                f(self.0[lane], one.0[lane], other.0[lane])
            });
            self.0[from..from + AT_ONCE].copy_from_slice(&new);
        }
    }

    /// Adds others, each as often as is said.
    #[inline(always)]
    fn add(&mut self, times: f64, others: &Lanes) {
        self.update(others, others, |sum, other, _| other.mul_add(times, sum));
    }
}

/// Sets are of one of two kinds, which are summed apart.
pub(super) const KINDS: usize = 2;

/// How many more cards of a pair can count as gone if it becomes at most so many hands: those that came
/// to hands that were split, and one for each hand that is known to have got another second card, of which
/// there are no more than that.
pub(super) const fn most_gone(hands: usize) -> usize {
    2 * (hands - 2)
}

const MOST_GONE: usize = most_gone(MOST_HANDS);

/// More and more cards of a value that are gone.
#[derive(Clone, Copy, Debug)]
pub(super) struct GoneCards {
    pub(super) value: usize,
    /// How many of them at most.
    pub(super) most: usize,
}

impl GoneCards {
    /// No cards, of a value that there is not.
    pub(super) const NONE: GoneCards = GoneCards { value: VALUES, most: 0 };
}

/// Weighted sets of cards, arranged so that the chance of drawing each is summed up quickly.
///
/// A set is a path of cards from the lowest value to the highest; sets share the beginnings of their
/// paths. This way round most of them differ in the last card alone, which costs least.
pub(super) struct Tree {
    /// Inner places of the paths, each before all that lie beyond it.
    branches: Vec<Branch>,
    leaves: Vec<Leaf>,
    /// How many kinds there are.
    kinds: usize,
    /// How many cards the longest path has.
    depth: usize,
    /// How many cards of each value a set has at most, and the same by the number of its cards.
    most: [u8; VALUES],
    most_of: [[u8; VALUES]; DEEPEST],
}

struct Branch {
    /// The card that leads here, and its value.
    card: u8,
    value: u8,
    /// How many cards lead here.
    depth: u8,
    /// The weight of the set that ends here.
    weight: [f64; KINDS],
    /// Where its leaves of each kind end; the first ones begin where those of the branch before end.
    leaves_end: [u32; KINDS],
    /// The values of the leaves, a bit for each.
    values: [u16; KINDS],
}

/// The last card of a set, beyond which no other set goes.
struct Leaf {
    card: u8,
    value: u8,
    weight: f64,
}

/// A set to be summed: its cards as places in a table, its kind and its weight.
type Path = (Vec<u8>, usize, f64);

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
    /// The tree of sets, each with its kind and its weight.
    pub(super) fn new(weighted: impl Iterator<Item = ([u8; VALUES], usize, f64)>) -> Tree {
        let mut most_of = [[0; VALUES]; DEEPEST];
        let mut paths: Vec<Path> = weighted
            .filter(|&(_, _, weight)| weight != 0.0)
            .map(|(set, kind, weight)| {
                let path = path(&set);
                let most = most_of[path.len()].iter_mut();
                most.zip(set).for_each(|(most, cards)| *most = cards.max(*most));
                (path, kind, weight)
            })
            .collect();
        paths.sort_by(|a, b| a.0.cmp(&b.0));
        let depth = paths.iter().map(|(path, ..)| path.len()).max().unwrap_or(0);
        let most = |value: usize| most_of.iter().map(|most| most[value]).max().unwrap_or(0);
        let most = std::array::from_fn(most);
        let kinds = paths.iter().map(|&(_, kind, _)| kind + 1).max().unwrap_or(1);
        let mut tree =
            Tree { branches: Vec::new(), leaves: Vec::new(), kinds, depth, most, most_of };
        tree.grow(&paths, 0, 0);
        tree
    }

    /// Adds the branch to which `depth` cards lead, with all the paths that go on from it.
    fn grow(&mut self, paths: &[Path], depth: u8, card: u8) {
        let at = usize::from(depth);
        let (ended, paths) = paths.split_at(paths.iter().filter(|p| p.0.len() == at).count());
        let mut weight = [0.0; KINDS];
        ended.iter().for_each(|&(_, kind, part)| weight[kind] += part);
        let parts = || paths.chunk_by(|a, b| a.0[at] == b.0[at]);
        let goes_on = |part: &[Path]| part.iter().any(|path| path.0.len() > at + 1);
        let (mut leaves_end, mut values) = ([0; KINDS], [0; KINDS]);
        for kind in 0..KINDS {
            for &(ref path, _, weight) in parts()
                .filter(|part| !goes_on(part))
                .flatten()
                .filter(|&&(_, other, _)| other == kind)
            {
                let value = value_at(path[at]);
                self.leaves.push(Leaf { card: path[at], value, weight });
                values[kind] |= 1 << value;
            }
            leaves_end[kind] = u32::try_from(self.leaves.len()).expect("some thousand leaves");
        }
        let value = value_at(card);
        self.branches.push(Branch { card, value, depth, weight, leaves_end, values });
        for part in parts().filter(|part| goes_on(part)) {
            self.grow(part, depth + 1, part[0].0[at]);
        }
    }

    /// The weights of all sets of the first kind, each times its chance, in several shoes: each has so
    /// many cards of each value, of which a set has been drawn.
    pub(super) fn sums<'d>(
        &self,
        batch: &mut Batch,
        shoe: &[f64; VALUES],
        drawn: impl Iterator<Item = &'d [u8; VALUES]>,
    ) -> Lanes {
        self.sums_as_cards_go(batch, shoe, drawn, GoneCards::NONE)[0][0]
    }

    /// The same for every kind, by how many cards of a value are gone. Compiled for whatever the processor
    /// has.
    pub(super) fn sums_as_cards_go<'b, 'd>(
        &self,
        batch: &'b mut Batch,
        shoe: &[f64; VALUES],
        drawn: impl Iterator<Item = &'d [u8; VALUES]>,
        gone: GoneCards,
    ) -> &'b [[Lanes; KINDS]] {
        for (lane, set) in drawn.take(LANES).enumerate() {
            for value in 0..VALUES {
                batch.counts[value].0[lane] = shoe[value] - f64::from(set[value]);
            }
        }
        batch.apart = gone.value;
        Arch::new().dispatch(Sum { tree: self, batch, gone: gone.most });
        &batch.sums
    }

    #[inline(always)]
    fn sum(&self, batch: &mut Batch, gone: usize) {
        batch.fill(self, gone);
        self.walk(batch);
        self.weigh(batch, gone)
    }

    /// How many of the value that is kept apart a set has at most, and one more.
    fn width(&self, apart: usize) -> usize {
        1 + self.most.get(apart).map_or(0, |&most| usize::from(most))
    }

    /// Sums the ways to draw the sets, by how many cards they have and how many of those are of the value
    /// that is kept apart; ways to draw that value are left out.
    #[inline(always)]
    fn walk(&self, batch: &mut Batch) {
        let Batch { left, products, parts, apart, .. } = batch;
        let left: &[Lanes; ROOM] = left[..].try_into().expect("there is room");
        let products: &mut [Lanes; DEEPEST] = (&mut products[..]).try_into().expect("deep enough");
        let width = self.width(*apart);
        parts.clear();
        parts.resize(self.kinds * (self.depth + 1) * width, Lanes::ZERO);
        let (mut begin, mut held) = (0, [0; DEEPEST]);
        for branch in &self.branches {
            let depth = usize::from(branch.depth) % DEEPEST;
            if let Some(before) = depth.checked_sub(1) {
                let is_apart = usize::from(branch.value) == *apart;
                held[depth] = held[before] + usize::from(is_apart);
                let cards =
                    if is_apart { &Lanes::ONE } else { &left[usize::from(branch.card) % ROOM] };
                let (before, products) = products.split_at_mut(depth);
                let before = &before[depth - 1];
                products[0].update(before, cards, |_, before, cards| before * cards);
            }
            let product = &products[depth];
            for kind in 0..self.kinds {
                let here = (kind * (self.depth + 1) + depth) * width + held[depth];
                if branch.weight[kind] != 0.0 {
                    parts[here].add(branch.weight[kind], product);
                }
                let end = branch.leaves_end[kind] as usize;
                let leaves = &self.leaves[begin..end];
                begin = end;
                if leaves.is_empty() {
                    continue;
                }
                if branch.values[kind] >> *apart & 1 == 1 {
                    let of_apart = |leaf: &&Leaf| usize::from(leaf.value) == *apart;
                    for leaf in leaves.iter().filter(of_apart) {
                        parts[here + width + 1].add(leaf.weight, product);
                    }
                }
                let mut sum = Lanes::ZERO;
                for leaf in leaves {
                    let cards = &left[usize::from(leaf.card) % ROOM];
                    for lane in 0..LANES {
                        sum.0[lane] = cards.0[lane].mul_add(leaf.weight, sum.0[lane]);
                    }
                }
                parts[here + width].update(product, &sum, |part, a, b| a.mul_add(b, part));
            }
        }
    }

    /// Turns ways into chances.
    #[inline(always)]
    fn weigh(&self, batch: &mut Batch, gone: usize) {
        let Batch { parts, one_of, left_apart, apart, sums, .. } = batch;
        let width = self.width(*apart);
        for (gone, sums) in sums.iter_mut().enumerate().take(gone + 1) {
            for (kind, sum) in sums.iter_mut().enumerate().take(self.kinds) {
                *sum = Lanes::ZERO;
                for depth in (0..=self.depth).rev() {
                    let from = (kind * (self.depth + 1) + depth) * width;
                    let most = self.most_of[depth].get(*apart).copied().unwrap_or(0).into();
                    let mut ways = parts[from + most];
                    for held in (0..most).rev() {
                        let (cards, fewer) = (&left_apart[gone + held], &parts[from + held]);
                        ways.update(cards, fewer, f64::mul_add);
                    }
                    let one_of = &one_of[gone + depth];
                    sum.update(one_of, &ways, f64::mul_add);
                }
            }
        }
    }
}

/// A sum to be compiled for wide registers, together with all that it calls.
struct Sum<'a> {
    tree: &'a Tree,
    batch: &'a mut Batch,
    gone: usize,
}

impl WithSimd for Sum<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        self.tree.sum(self.batch, self.gone);
    }
}

/// The cards of a set from the lowest value to the highest, as places in a table.
pub(super) fn path(set: &[u8; VALUES]) -> Vec<u8> {
    (0..VALUES).flat_map(|value| (0..set[value]).map(move |nth| OFFSETS[value] + nth)).collect()
}

/// The value of the card at a place.
fn value_at(card: u8) -> u8 {
    (1..)
        .zip(&OFFSETS[1..])
        .take_while(|(_, offset)| **offset <= card)
        .map(|(v, _)| v)
        .last()
        .unwrap_or(0)
}

/// What is left in several shoes.
pub(super) struct Batch {
    /// How many cards of each value are left.
    counts: Vec<Lanes>,
    /// How many cards are left when the nth of a value is drawn; none of the value that is kept apart.
    left: Vec<Lanes>,
    /// One divided by the number of all cards left, by the number of cards drawn since.
    one_of: Vec<Lanes>,
    /// The value that is kept apart, and how many of it are left, by the number of them drawn since.
    apart: usize,
    left_apart: Vec<Lanes>,
    /// Ways to draw the cards that lead to a branch.
    products: Vec<Lanes>,
    /// Ways to draw sets, by kind, by the number of cards and by the number of those kept apart.
    parts: Vec<Lanes>,
    sums: Vec<[Lanes; KINDS]>,
}

impl Batch {
    /// Room for shoes.
    pub(super) fn empty() -> Batch {
        let zeros = |rows: usize| vec![Lanes::ZERO; rows];
        Batch {
            counts: zeros(VALUES),
            left: zeros(ROOM),
            one_of: zeros(DEEPEST + MOST_GONE),
            apart: VALUES,
            left_apart: zeros(DEEPEST + MOST_GONE),
            products: vec![Lanes::ONE; DEEPEST],
            parts: Vec::new(),
            sums: vec![[Lanes::ZERO; KINDS]; MOST_GONE + 1],
        }
    }

    #[inline(always)]
    fn fill(&mut self, tree: &Tree, gone: usize) {
        let mut total = Lanes::ZERO;
        for (value, counts) in self.counts.iter().enumerate() {
            let mut left = if value == self.apart { Lanes::ZERO } else { *counts };
            let one = if value == self.apart { 0.0 } else { 1.0 };
            total.add(1.0, counts);
            let from = usize::from(OFFSETS[value]);
            for row in &mut self.left[from..from + usize::from(tree.most[value])] {
                *row = left;
                left.0.iter_mut().for_each(|cards| *cards -= one);
            }
        }
        if let Some(counts) = self.counts.get(self.apart) {
            let mut left = *counts;
            for row in &mut self.left_apart[..tree.width(self.apart) + gone] {
                *row = left;
                left.0.iter_mut().for_each(|cards| *cards -= 1.0);
            }
        }
        // A set of no cards needs no chance.
        for row in &mut self.one_of[..=tree.depth + gone] {
            for (one_of, cards) in row.0.iter_mut().zip(&mut total.0) {
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
        let tree = Tree::new(sets.map(|(draw, nth)| (draw.of, 0, 1.0 / f64::from(nth))));
        let mut shoe = [24.0; VALUES];
        shoe[TEN] = 96.0;
        let drawn: Vec<_> = DRAWS.within(1).iter().rev().take(LANES).map(|draw| draw.of).collect();
        let mut batch = Batch::empty();
        let wide = tree.sums(&mut batch, &shoe, drawn.iter());
        tree.sum(&mut batch, 0);
        assert_eq!(wide.0, batch.sums[0][0].0);
        assert!(wide.0.iter().all(|sum| *sum > 0.0));
    }
}
