//! The permutation of a committed order by the players' own bytes, as in `docs/fair-order.md`.
//!
//! The house commits to an order before it knows them, so a single player whose bytes nobody could
//! foresee makes all orders equally likely.

use rules::card::Card;
use rules::table::Seal;

use crate::hash::Hash;

/// The committed order, permuted by the contributions; unchanged if there are none.
pub fn mix(order: &[Card], seal: &Seal, contributions: &[Seal]) -> Vec<Card> {
    let mut cards = order.to_vec();
    if contributions.is_empty() {
        return cards;
    }
    let mut numbers = Numbers::new(key(seal, contributions));
    for last in (1..cards.len()).rev() {
        cards.swap(last, numbers.below(last + 1));
    }
    cards
}

/// The source of the numbers: the seal and every contribution, in the order of the log.
fn key(seal: &Seal, contributions: &[Seal]) -> Hash {
    let mut text = format!("pitboss mix\n{seal}");
    contributions.iter().for_each(|bytes| text += &format!("\n{bytes}"));
    Hash::of(&[&text])
}

/// The numbers of a key, eight from each block.
struct Numbers {
    key: String,
    /// The number of the next block.
    next: u64,
    /// What is left of the last one, its first number last.
    left: Vec<u32>,
}

impl Numbers {
    fn new(key: Hash) -> Numbers {
        Numbers { key: key.to_string(), next: 0, left: Vec::new() }
    }

    fn number(&mut self) -> u32 {
        if self.left.is_empty() {
            let block = Hash::of(&["pitboss numbers\n", &self.key, "\n", &self.next.to_string()]);
            let bytes = block.bytes();
            let numbers = bytes.chunks_exact(4).rev();
            self.left.extend(
                numbers.map(|four| u32::from_be_bytes([four[0], four[1], four[2], four[3]])),
            );
            self.next += 1;
        }
        self.left.pop().expect("a block has eight numbers")
    }

    /// A number below a bound, each one equally likely.
    fn below(&mut self, bound: usize) -> usize {
        let bound = bound as u64;
        let limit = (1 << 32) - (1 << 32) % bound;
        loop {
            let number = u64::from(self.number());
            if number < limit {
                return usize::try_from(number % bound).expect("it is less than the bound");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn cards(text: &str) -> Vec<Card> {
        let pairs = text.as_bytes().chunks(2);
        pairs.map(|pair| std::str::from_utf8(pair).unwrap().parse().unwrap()).collect()
    }

    #[test]
    fn without_contributions_the_order_stays() {
        let order = cards("9d4cAs");
        assert_eq!(mix(&order, &Seal([7; 32]), &[]), order);
        assert_eq!(mix(&[], &Seal([7; 32]), &[Seal([1; 32])]), []);
    }

    #[test]
    fn every_contribution_and_their_order_count() {
        let order = Card::DECK.to_vec();
        let mixed = |seal: u8, contributions: &[u8]| {
            let bytes: Vec<Seal> = contributions.iter().map(|byte| Seal([*byte; 32])).collect();
            mix(&order, &Seal([seal; 32]), &bytes)
        };
        let usual = mixed(7, &[1, 2]);
        assert_eq!(mixed(7, &[1, 2]), usual);
        for other in [mixed(8, &[1, 2]), mixed(7, &[1]), mixed(7, &[2, 1]), mixed(7, &[1, 3])] {
            assert_ne!(other, usual);
        }
        let mut all = usual;
        all.sort_unstable();
        let mut deck = order.clone();
        deck.sort_unstable();
        assert_eq!(all, deck, "no card is made or lost");
    }

    #[test]
    fn every_order_is_equally_likely() {
        // 24 orders of four cards, 1,000 expected of each: chi-square with 23 degrees of freedom
        // stays below 49.7 in 999 of 1,000 cases, and this is one fixed case.
        let order = cards("9d4cAsKh");
        let mut counts: BTreeMap<Vec<Card>, f64> = BTreeMap::new();
        for number in 0..24_000_u32 {
            let mut bytes = [0; 32];
            bytes[..4].copy_from_slice(&number.to_be_bytes());
            *counts.entry(mix(&order, &Seal([7; 32]), &[Seal(bytes)])).or_default() += 1.0;
        }
        assert_eq!(counts.len(), 24);
        let chi_square: f64 = counts.values().map(|n| (n - 1000.0).powi(2) / 1000.0).sum();
        assert!(chi_square < 49.7, "{chi_square}");
    }

    #[test]
    fn numbers_that_would_favour_some_are_skipped() {
        // Of 2^32 numbers 2^31 + 1 would come twice below that bound: about half are skipped.
        let bound = (1 << 31) + 1;
        let mut numbers = Numbers::new(Hash::from([7; 32]));
        let mut all = Numbers::new(Hash::from([7; 32]));
        for _ in 0..100 {
            let found = numbers.below(bound);
            let taken = std::iter::repeat_with(|| all.number() as usize).find(|n| *n < bound);
            assert_eq!(Some(found), taken);
        }
        assert!(all.next > 20, "100 numbers took more than 13 blocks");
    }
}
