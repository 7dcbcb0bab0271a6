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
            let mut new = [0.0; AT_ONCE];
            for (nth, new) in new.iter_mut().enumerate() {
                let lane = from + nth;
                *new = f(self.0[lane], one.0[lane], other.0[lane]);
            }
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

/// The most that can.
pub(super) const MOST_GONE: usize = most_gone(MOST_HANDS);

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
    /// Those of the first branch, of the next one…, and their leaves.
    twigs: Vec<Twig>,
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
    /// How many twigs it has.
    twigs: u8,
}

/// The sets of one kind that end with a branch, or one card beyond it.
struct Twig {
    /// The row of the branch among [parts](Batch::parts).
    row: u16,
    /// The values of its leaves, a bit for each, and how many these are.
    values: u16,
    leaves: u32,
    /// The weight of the set that ends with the branch.
    weight: f64,
}

/// The last card of a set, beyond which no other set goes.
struct Leaf {
    card: u8,
    value: u8,
    weight: f64,
}

/// A set to be summed: its [path](path), its kind and its weight.
type Weighed<P> = (P, usize, f64);

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

/// The value of the card at each place.
const VALUE_AT: [u8; ROOM] = {
    let (mut values, mut value) = ([0; ROOM], 0_u8);
    while (value as usize) < VALUES {
        let mut card = OFFSETS[value as usize];
        while card < OFFSETS[value as usize + 1] {
            values[card as usize] = value;
            card += 1;
        }
        value += 1;
    }
    values
};

const DEEPEST: usize = 32;

impl Tree {
    /// The tree of sets, each as its path, with its kind and its weight.
    pub(super) fn new<P: AsRef<[u8]>>(weighed: impl Iterator<Item = Weighed<P>>) -> Tree {
        let mut paths: Vec<Weighed<P>> = weighed.filter(|&(.., weight)| weight != 0.0).collect();
        paths.sort_unstable_by(|a, b| a.0.as_ref().cmp(b.0.as_ref()));
        let (mut most_of, mut kinds) = ([[0; VALUES]; DEEPEST], 1);
        for &(ref path, kind, _) in &paths {
            kinds = kinds.max(kind + 1);
            let most = &mut most_of[path.as_ref().len()];
            for &card in path.as_ref() {
                let value = usize::from(VALUE_AT[usize::from(card)]);
                most[value] = most[value].max(card - OFFSETS[value] + 1);
            }
        }
        let depth = paths.iter().map(|(path, ..)| path.as_ref().len()).max().unwrap_or(0);
        let most = |value: usize| most_of.iter().map(|most| most[value]).max().unwrap_or(0);
        let most = std::array::from_fn(most);
        let (branches, twigs, leaves) = (Vec::new(), Vec::new(), Vec::new());
        let mut tree = Tree { branches, twigs, leaves, kinds, depth, most, most_of };
        tree.grow(&paths, 0, 0);
        tree
    }

    /// Adds the branch to which `depth` cards lead, with all the paths that go on from it.
    fn grow<P: AsRef<[u8]>>(&mut self, paths: &[Weighed<P>], depth: u8, card: u8) {
        let at = usize::from(depth);
        let cards = |path: &Weighed<P>| path.0.as_ref().len();
        // A path that ends here is before all that go on.
        let ended = paths.iter().take_while(|path| cards(path) == at).count();
        let (ended, paths) = paths.split_at(ended);
        let parts = || paths.chunk_by(|a, b| a.0.as_ref()[at] == b.0.as_ref()[at]);
        let goes_on = |part: &[Weighed<P>]| part.len() > 1 || cards(&part[0]) > at + 1;
        let twigs = self.twigs.len();
        for kind in 0..self.kinds {
            let ended = ended.iter().filter(|path| path.1 == kind);
            let row = u16::try_from(kind * (self.depth + 1) + at).expect("few kinds of few cards");
            let weight = ended.map(|path| path.2).sum();
            let mut twig = Twig { row, values: 0, leaves: 0, weight };
            for part in parts().filter(|part| part[0].1 == kind && !goes_on(part)) {
                let (card, weight) = (part[0].0.as_ref()[at], part[0].2);
                let value = VALUE_AT[usize::from(card)];
                self.leaves.push(Leaf { card, value, weight });
                twig.values |= 1 << value;
                twig.leaves += 1;
            }
            if twig.leaves > 0 || twig.weight != 0.0 {
                self.twigs.push(twig);
            }
        }
        let twigs = u8::try_from(self.twigs.len() - twigs).expect("one for each kind");
        self.branches.push(Branch { card, value: VALUE_AT[usize::from(card)], depth, twigs });
        for part in parts().filter(|part| goes_on(part)) {
            self.grow(part, depth + 1, part[0].0.as_ref()[at]);
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
        let (mut twigs, mut leaves) = (&self.twigs[..], &self.leaves[..]);
        let mut held = [0; DEEPEST];
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
            for twig in take(&mut twigs, branch.twigs.into()) {
                let here = usize::from(twig.row) * width + held[depth];
                if twig.weight != 0.0 {
                    parts[here].add(twig.weight, product);
                }
                let leaves = take(&mut leaves, twig.leaves as usize);
                if twig.values >> *apart & 1 == 1 {
                    let of_apart = |leaf: &&Leaf| usize::from(leaf.value) == *apart;
                    for leaf in leaves.iter().filter(of_apart) {
                        parts[here + width + 1].add(leaf.weight, product);
                    }
                }
                let Some((leaf, leaves)) = leaves.split_first() else { continue };
                let mut sum = left[usize::from(leaf.card) % ROOM];
                sum.0.iter_mut().for_each(|sum| *sum *= leaf.weight);
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

/// Takes as many from the front.
#[inline(always)]
fn take<'a, T>(from: &mut &'a [T], many: usize) -> &'a [T] {
    let (taken, rest) = from.split_at(many);
    *from = rest;
    taken
}

/// The cards of a set from the lowest value to the highest, as places in a table.
pub(super) fn path(set: &[u8; VALUES]) -> Vec<u8> {
    (0..VALUES).flat_map(|value| (0..set[value]).map(move |nth| OFFSETS[value] + nth)).collect()
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
        let tree = Tree::new(sets.map(|(draw, nth)| (path(&draw.of), 0, 1.0 / f64::from(nth))));
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
