//! How the dealer's hand ends, by what is left to draw from.

use rules::games::blackjack::{Book, Points, compare, on_lammer};
use rules::money::{Breakage, Chips};
use rules::round::Ruling;

use super::draws::{ACE, CARDS, Counts, DRAWS, Draw, TEN, VALUES};

/// How many sets of removed cards are looked at together.
pub(super) const LANES: usize = 16;
type Lanes = [f64; LANES];

/// What a ruling gains for each unit at stake.
pub(super) fn gain(ruling: Ruling) -> f64 {
    const UNIT: Chips = Chips::dollars(2);
    ruling.gain(UNIT, Breakage::EXACT).get() as f64 / f64::from(UNIT.get())
}

/// What is asked about a completed hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// What a unit of money gains.
    Money,
    /// What a lammer gains.
    Lammer,
}

/// One final hand of the dealer that does not end like most busts do.
struct Final {
    draw: usize,
    /// In how many orders it can be drawn.
    ways: f64,
    total: u8,
}

/// The dealer with one up card.
pub(super) struct Dealer {
    /// The value that makes a natural.
    natural: Option<usize>,
    /// For money and for lammers, by the player's total.
    books: [Vec<Shortfall>; 2],
}

/// For some totals of the player's: what is lacking from a win.
struct Shortfall {
    /// The totals it holds for.
    totals: std::ops::RangeInclusive<u8>,
    tree: Tree,
}

impl Dealer {
    pub(super) fn new<B: Book>(book: B, up: usize) -> Dealer {
        let finals = finals(book, up);
        let books = [Asked::Money, Asked::Lammer].map(|asked| shortfalls(book, &finals, asked));
        let natural = match up {
            ACE => Some(TEN),
            TEN => Some(ACE),
            _ => None,
        };
        Dealer { natural, books }
    }

    /// How likely the dealer's second card makes a natural.
    #[inline]
    pub(super) fn natural(&self, shoe: &Counts, drawn: &Draw) -> f64 {
        self.natural.map_or(0.0, |value| {
            let left = shoe.of[value].saturating_sub(drawn.of[value].into());
            f64::from(left) / f64::from(shoe.total - u16::from(drawn.cards))
        })
    }

    /// The value of the card that makes a natural with the up card.
    pub(super) fn natural_value(&self) -> Option<usize> {
        self.natural
    }

    /// What a unit is expected to gain if the dealer has no natural, counted as nothing if there is
    /// one, for hands of one total; by the cards drawn from the shoe.
    pub(super) fn expect(
        &self,
        asked: Asked,
        total: u8,
        shoe: &Counts,
        drawn: &[u16],
        out: &mut [f64],
    ) {
        let here = &self.books[asked as usize];
        let shortfall = here.iter().find(|part| part.totals.contains(&total)).expect("a total");
        for places in drawn.chunks(LANES) {
            let batch = Batch::new(shoe, places, &shortfall.tree);
            let lacking = shortfall.tree.sum(&batch);
            for (&place, lacking) in places.iter().zip(lacking) {
                let draw = &DRAWS.all[usize::from(place)];
                out[usize::from(place)] = 1.0 - self.natural(shoe, draw) - lacking;
            }
        }
    }
}

/// Every final hand of the dealer; those that go over 21 only where that is no plain win for the
/// player.
fn finals<B: Book>(book: B, up: usize) -> Vec<Final> {
    let draws = &*DRAWS;
    let up_points = Points::of(&[CARDS[up]]);
    let mut ways = vec![0.0; draws.all.len()];
    ways[0] = 1.0;
    let mut finals = Vec::new();
    for (place, draw) in draws.all.iter().enumerate() {
        if ways[place] == 0.0 {
            continue;
        }
        let points = (0..VALUES).fold(up_points, |points, value| {
            (0..draw.of[value]).fold(points, |points, _| points.with(CARDS[value]))
        });
        if draw.cards > 0 && !book.dealer_draws(points) {
            let natural = draw.cards == 1 && points.is_21();
            if !natural {
                finals.push(Final { draw: place, ways: ways[place], total: points.total() });
            }
            continue;
        }
        for value in 0..VALUES {
            if let Some(next) = draws.with(place, value) {
                ways[next] += ways[place];
            }
        }
    }
    finals
}

fn shortfalls<B: Book>(book: B, finals: &[Final], asked: Asked) -> Vec<Shortfall> {
    let gain_of = |total: u8, dealer: u8| {
        let (ruling, _) = compare(book, total, dealer);
        match asked {
            Asked::Money => gain(ruling),
            Asked::Lammer => gain(on_lammer(ruling)),
        }
    };
    let lacking = |total: u8| -> Vec<f64> {
        let lack = |end: &Final| end.ways * (1.0 - gain_of(total, end.total));
        finals.iter().map(lack).collect()
    };
    let mut parts: Vec<(Vec<f64>, std::ops::RangeInclusive<u8>)> = Vec::new();
    for total in 2..=21 {
        let weights = lacking(total);
        match parts.last_mut() {
            Some((same, totals)) if *same == weights => *totals = *totals.start()..=total,
            _ => parts.push((weights, total..=total)),
        }
    }
    let tree = |weights: &[f64]| Tree::new(finals.iter().zip(weights).map(|(f, &w)| (f.draw, w)));
    parts.into_iter().map(|(weights, totals)| Shortfall { totals, tree: tree(&weights) }).collect()
}

/// Weighted sets of cards, arranged so that the chance of drawing each is summed up quickly.
///
/// A set is a path of cards from the highest value to the lowest; sets share the beginnings of their
/// paths.
struct Tree {
    /// Inner places of the paths, each after all that lie beyond it.
    branches: Vec<Branch>,
    leaves: Vec<Leaf>,
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
    let mut value = 0;
    while value < VALUES {
        offsets[value + 1] = offsets[value] + 21 / (value as u8 + 1);
        value += 1;
    }
    offsets
};
const _: () = assert!(OFFSETS[VALUES] as usize <= ROOM);
const DEEPEST: usize = 24;

impl Tree {
    fn new(weighted: impl Iterator<Item = (usize, f64)>) -> Tree {
        let mut paths: Vec<(Vec<u8>, f64)> = weighted
            .filter(|&(_, weight)| weight != 0.0)
            .map(|(place, weight)| (path(&DRAWS.all[place]), weight))
            .collect();
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
        let mut tree = Tree { branches: Vec::new(), leaves: Vec::new(), depth, most };
        tree.grow(&paths, 0, 0, 0.0);
        tree
    }

    /// Adds the branch to which `depth` cards lead, with all the paths that go on from it.
    fn grow(&mut self, paths: &[(Vec<u8>, f64)], depth: u8, card: u8, weight: f64) {
        let at = usize::from(depth);
        let mut leaves = Vec::new();
        for part in paths.chunk_by(|a, b| a.0[at] == b.0[at]) {
            let next = part[0].0[at];
            let (ends, on) = part.split_at(part.iter().filter(|p| p.0.len() == at + 1).count());
            let weight = ends.iter().map(|p| p.1).sum();
            match on.is_empty() {
                true => leaves.push(Leaf { card: next, weight }),
                false => self.grow(on, depth + 1, next, weight),
            }
        }
        self.leaves.extend(leaves);
        let leaves_end = u32::try_from(self.leaves.len()).expect("some thousand leaves");
        self.branches.push(Branch { card, depth, weight, leaves_end });
    }

    /// The weights of all sets, each times its chance, in every lane.
    fn sum(&self, batch: &Batch) -> Lanes {
        let mut sums = [[0.0; LANES]; DEEPEST];
        let mut leaves = self.leaves.iter();
        let mut begin = 0;
        for branch in &self.branches {
            let depth = usize::from(branch.depth) % DEEPEST;
            let mut sum = std::mem::replace(&mut sums[depth], [0.0; LANES]);
            for leaf in leaves.by_ref().take((branch.leaves_end - begin) as usize) {
                let cards = &batch.left[usize::from(leaf.card) % ROOM];
                for lane in 0..LANES {
                    sum[lane] += cards[lane] * leaf.weight;
                }
            }
            begin = branch.leaves_end;
            let one_of = &batch.one_of[depth];
            if depth == 0 {
                for lane in 0..LANES {
                    sum[lane] *= one_of[lane];
                }
                return sum;
            }
            let cards = &batch.left[usize::from(branch.card) % ROOM];
            let before = &mut sums[depth - 1];
            for lane in 0..LANES {
                before[lane] += cards[lane] * (branch.weight + sum[lane] * one_of[lane]);
            }
        }
        [0.0; LANES]
    }
}

/// The cards of a set from the highest value to the lowest, as places in a table.
fn path(draw: &Draw) -> Vec<u8> {
    let values = (0..VALUES).rev();
    values.flat_map(|value| (0..draw.of[value]).map(move |nth| OFFSETS[value] + nth)).collect()
}

/// What is left in the shoe after each of several draws.
struct Batch {
    /// How many cards are left when the nth of a value is drawn.
    left: [Lanes; ROOM],
    /// One divided by the number of all cards left, by the number of cards drawn since.
    one_of: [Lanes; DEEPEST],
}

impl Batch {
    fn new(shoe: &Counts, places: &[u16], tree: &Tree) -> Batch {
        let mut batch = Batch { left: [[0.0; LANES]; ROOM], one_of: [[0.0; LANES]; DEEPEST] };
        let last = *places.last().expect("a batch is not empty");
        let drawn = |lane: usize| &DRAWS.all[usize::from(*places.get(lane).unwrap_or(&last))];
        for value in 0..VALUES {
            let mut left: Lanes = std::array::from_fn(|lane| {
                f64::from(shoe.of[value]) - f64::from(drawn(lane).of[value])
            });
            for nth in 0..tree.most[value] {
                batch.left[usize::from(OFFSETS[value] + nth)] = left;
                left = left.map(|cards| cards - 1.0);
            }
        }
        let mut total: Lanes =
            std::array::from_fn(|lane| f64::from(shoe.total) - f64::from(drawn(lane).cards));
        for one_of in &mut batch.one_of[..tree.depth] {
            *one_of = total.map(|cards| if cards > 0.0 { 1.0 / cards } else { 0.0 });
            total = total.map(|cards| cards - 1.0);
        }
        batch
    }
}
