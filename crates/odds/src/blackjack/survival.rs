//! How likely no hand of a split pair goes over 21, and then the dealer has a natural.
//!
//! Where busts are final, a natural takes the original wager only if no hand has gone over 21: the
//! one thing that ties the hands of a box together. The chance of several final hands depends on
//! the cards in all of them, not on who has which, so that hands are multiplied like polynomials:
//! a term is a set of cards, its factor the number of orders in which it is drawn.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use rules::games::blackjack::MOST_HANDS;
use rules::round::Call;

use super::draws::{Counts, DRAWS, VALUES};
use super::hand::{HandPlan, Start};
use super::split::{Pending, SecondCards, Seconds, outcomes};
use super::tree::{Batch, LANES, Tree, path};

/// How many of each value are in a set, six bits each, and above them how many are known to match
/// the pair.
type Set = u64;
const BITS: usize = 6;
const MASK: u8 = (1 << BITS) - 1;
const MATCH: Set = 1 << (BITS * VALUES);

fn one(value: usize) -> Set {
    1 << (BITS * value)
}

/// Sets of cards, each with its factor.
type Polynomial = Vec<(Set, f64)>;

/// The ways in which one hand ends without going over 21.
pub(super) struct Survivals {
    /// With any second card.
    any: Polynomial,
    /// With one that does not match: any, less those that do.
    not_matching: Polynomial,
    /// The same, for the last hand.
    tree: Tree,
    /// What is drawn after a second card that matches.
    matching: Tree,
    /// Several such hands together: by how many do not match, and how many have any second card.
    together: [[OnceCell<Polynomial>; MOST_HANDS]; MOST_HANDS],
}

impl Survivals {
    /// Of a hand that begins with one card of a split pair, or is not to match any.
    pub(super) fn new(start: &Start, plan: &HandPlan, value: usize) -> Survivals {
        let any = finals(start, plan, 0);
        let second = DRAWS.with(0, value).filter(|&place| place < start.spots.len());
        let matching = second.map(|place| finals(start, plan, place)).unwrap_or_default();
        let less = matching.iter().map(|&(set, ways)| (set + MATCH, -ways));
        let not_matching = any.iter().copied().chain(less).collect();
        let after = matching.iter().map(|&(set, ways)| (path(&counts(set - one(value))), 0, ways));
        Survivals {
            tree: Tree::new(any.iter().map(|&(set, ways)| (path(&counts(set)), 0, ways))),
            matching: Tree::new(after),
            any,
            not_matching,
            together: [const { [const { OnceCell::new() }; MOST_HANDS] }; MOST_HANDS],
        }
    }

    /// Several such hands: so many with a second card that does not match, and so many with any.
    fn together(&self, closed: usize, open: usize) -> &Polynomial {
        self.together[closed][open].get_or_init(|| {
            match (closed.checked_sub(1), open.checked_sub(1)) {
                (None, None) => vec![(0, 1.0)],
                (Some(closed), None) => times(self.together(closed, 0), &self.not_matching),
                (_, Some(open)) => times(self.together(closed, open), &self.any),
            }
        })
    }
}

/// How many of each value are in a set.
fn counts(set: Set) -> [u8; VALUES] {
    std::array::from_fn(|value| count(set, value))
}

/// How many of a value are in a set.
#[allow(clippy::cast_possible_truncation)]
fn count(set: Set, value: usize) -> u8 {
    (set >> (BITS * value)) as u8 & MASK
}

/// How many cards of a set are known to match the pair.
#[allow(clippy::cast_possible_truncation)]
fn known(set: Set) -> usize {
    (set / MATCH) as usize
}

/// The sets of drawn cards with which a hand ends, from one spot on.
fn finals(start: &Start, plan: &HandPlan, from: usize) -> Polynomial {
    let mut ways = vec![0.0; start.spots.len()];
    let mut ends = vec![0.0; start.spots.len()];
    ways[from] = 1.0;
    for place in from..start.spots.len() {
        if ways[place] == 0.0 {
            continue;
        }
        let here = ways[place];
        let onto = match plan.calls[place] {
            Call::Hit => &mut ways,
            Call::Double => &mut ends,
            _ => {
                ends[place] += here;
                continue;
            }
        };
        for value in 0..VALUES {
            if let Some(next) = DRAWS.with(place, value).filter(|&next| next < start.spots.len()) {
                onto[next] += here;
            }
        }
    }
    let set = |place: usize| {
        let of = &DRAWS.all[place].of;
        (0..VALUES).map(|value| Set::from(of[value]) * one(value)).sum::<Set>()
    };
    let ended = ends.iter().enumerate().filter(|(_, ways)| **ways > 0.0);
    ended.map(|(place, &ways)| (set(place), ways)).collect()
}

/// Hands that must not go over 21.
#[derive(Clone, Copy)]
pub(super) struct Hands<'a> {
    pub(super) first: &'a Survivals,
    /// Whether the first one is among those that wait for their second cards.
    pub(super) first_among: bool,
    pub(super) others: &'a Survivals,
}

/// The cards that a split pair and the dealer's second card come from.
pub(super) struct Rest {
    pub(super) shoe: Counts,
    /// The value of the pair, and how many cards match it.
    pub(super) pair: (usize, u16),
    /// The value that makes the natural.
    pub(super) natural: usize,
}

impl Rest {
    /// The chance that no hand of several goes over 21 and that the dealer has a natural: hands that
    /// wait for their second cards, and one that is apart from them.
    pub(super) fn chance(&self, pending: Pending, hands: Hands<'_>) -> f64 {
        let seconds = Seconds { cards: self.shoe.total.into(), matching: self.pair.1.into() };
        let falling = FallingFactorials::new(self);
        let mut products: Vec<([usize; 3], [f64; 2])> = Vec::new();
        for SecondCards { matched, first_closed, closed, open, .. } in outcomes(seconds, pending) {
            // Of the hands multiplied, the first one among them is left for the last.
            let first = usize::from(first_closed);
            let (key, first_closed) = match hands.first_among {
                true => ([matched, closed, open], first),
                false => ([matched, closed + first, open + 1 - first], 0),
            };
            let at = products.iter().position(|(other, _)| *other == key).unwrap_or_else(|| {
                products.push((key, [0.0; 2]));
                products.len() - 1
            });
            products[at].1[first_closed] += 1.0;
        }
        let mut batch = Batch::empty();
        let together = |&([matched, closed, open], times): &([usize; 3], [f64; 2])| {
            let others = hands.others.together(closed, open);
            self.with_first(&falling, (others, self.dealt(matched)), hands.first, times, &mut batch)
        };
        products.iter().map(together).sum()
    }

    /// Cards of the pair that made so many more hands, and the dealer's natural.
    fn dealt(&self, matched: usize) -> Set {
        let matched = Set::try_from(matched).expect("at most four hands");
        matched * (one(self.pair.0) + MATCH) + one(self.natural)
    }

    /// The chance of all hands, with an open and with a closed first hand so many times each: the others,
    /// and what was dealt beside them.
    fn with_first(
        &self,
        falling: &FallingFactorials,
        (others, dealt): (&Polynomial, Set),
        first: &Survivals,
        [open, closed]: [f64; 2],
        batch: &mut Batch,
    ) -> f64 {
        let (value, matching) = self.pair;
        let mut sum = 0.0;
        let cards = self.shoe.of.map(f64::from);
        let mut less = cards;
        less[value] -= 1.0;
        for sets in others.chunks(LANES) {
            let drawn: Vec<_> = sets.iter().map(|&(set, _)| counts(set + dealt)).collect();
            let any = first.tree.sums(batch, &cards, drawn.iter()).0;
            let mut matched = [0.0; LANES];
            if closed > 0.0 {
                matched = first.matching.sums(batch, &less, drawn.iter()).0;
            }
            for (lane, (&(set, factor), drawn)) in sets.iter().zip(&drawn).enumerate() {
                let known = known(set + dealt);
                let all: u16 = drawn.iter().map(|&cards| u16::from(cards)).sum();
                let left = |cards: u16, drawn: u16| f64::from(cards) - f64::from(drawn);
                let share = (f64::from(matching) - known as f64)
                    / (f64::from(self.shoe.of[value]) - known as f64).max(1.0);
                let matches = left(self.shoe.of[value], drawn[value].into());
                let chance = (matches / left(self.shoe.total, all) * share).max(0.0);
                let hand = (open + closed) * any[lane] - closed * chance * matched[lane];
                sum += factor * falling.chance(drawn, known, all) * hand;
            }
        }
        sum
    }
}

/// Every set of one with every set of the other.
fn times(one: &Polynomial, other: &Polynomial) -> Polynomial {
    let mut places: HashMap<Set, usize, BuildHasherDefault<SetHasher>> = HashMap::default();
    places.reserve(one.len() * other.len() / 4);
    let mut terms = Polynomial::new();
    for &(a, x) in one {
        for &(b, y) in other {
            let place = *places.entry(a + b).or_insert_with(|| {
                terms.push((a + b, 0.0));
                terms.len() - 1
            });
            terms[place].1 += x * y;
        }
    }
    terms.retain(|&(_, factor)| factor != 0.0);
    terms
}

/// Sets all over the place of a table: nobody chooses them to collide.
#[derive(Default)]
struct SetHasher(u64);

impl Hasher for SetHasher {
    fn write_u64(&mut self, set: Set) {
        let mixed = (set ^ (set >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(self.0 ^ Set::from(byte)));
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Falling factorials of the number of cards in the shoe, by value.
struct FallingFactorials {
    of: [[f64; 1 << BITS]; VALUES],
    /// For the value of the pair, by how many cards are known to match it.
    pair: Vec<[f64; 1 << BITS]>,
    value: usize,
    /// One divided by the same of all cards.
    all: Vec<f64>,
}

impl FallingFactorials {
    fn new(rest: &Rest) -> FallingFactorials {
        let falling = |cards: f64| {
            let mut product = 1.0;
            std::array::from_fn(|drawn| {
                let before = product;
                product *= (cards - drawn as f64).max(0.0);
                before
            })
        };
        let of: [[f64; 1 << BITS]; VALUES] = rest.shoe.of.map(|cards| falling(cards.into()));
        let (value, matching) = rest.pair;
        let matching: [f64; 1 << BITS] = falling(matching.into());
        let pair = (0..8).map(|known: usize| {
            let others: [f64; 1 << BITS] = falling(f64::from(rest.shoe.of[value]) - known as f64);
            std::array::from_fn(|drawn| match drawn.checked_sub(known) {
                Some(rest) => matching[known] * others[rest],
                None => 0.0,
            })
        });
        let mut all = vec![1.0];
        for cards in (1..=rest.shoe.total).rev() {
            all.push(all[all.len() - 1] / f64::from(cards));
        }
        FallingFactorials { of, pair: pair.collect(), value, all }
    }

    /// How likely the first cards drawn are these, in one order, if so many are known to match the pair.
    fn chance(&self, drawn: &[u8; VALUES], known: usize, all: u16) -> f64 {
        let mut product = self.all.get(usize::from(all)).copied().unwrap_or(0.0);
        for (value, &cards) in drawn.iter().enumerate() {
            let cards = usize::from(cards) % (1 << BITS);
            product *= match value == self.value {
                true => self.pair[known % 8][cards],
                false => self.of[value][cards],
            };
        }
        product
    }
}
