//! The order that follows from a sealed one and the players' own bytes, as in `docs/fair-order.md`.
//!
//! The house seals an order before it knows them, and every player commits to bytes before anybody
//! opens: where all open, the order was fixed before anybody could know it.

use rules::card::Card;
use rules::table::Seal;
use rules::wager::Bettor;

use crate::custody::SealedOrder;
use crate::hash::Hash;

/// Where and for what somebody commits to bytes: bytes that are opened elsewhere do not fit.
#[derive(Clone, Copy, Debug)]
pub struct CommitmentPlace<'a> {
    /// The id of the house.
    pub house: &'a str,
    /// The name of the table.
    pub table: &'a str,
    /// The number of the shoe.
    pub shoe: u32,
    /// The seal of its order.
    pub seal: &'a Seal,
    /// The place of whoever commits.
    pub seat: Bettor,
}

impl CommitmentPlace<'_> {
    /// The commitment to these bytes.
    pub fn commitment(&self, bytes: &Seal) -> Seal {
        let CommitmentPlace { house, table, shoe, seal, seat } = self;
        let text = format!("pitboss commitment\n{house}\n{table}\n{shoe}\n{seal}\n{seat}\n{bytes}");
        Seal(Hash::of(&[&text]).bytes())
    }
}

/// The sealed order, permuted by the values of a mix; unchanged if there are none.
pub fn mix(order: &[Card], seal: &Seal, values: &[Seal]) -> Vec<Card> {
    let mut cards = order.to_vec();
    if !values.is_empty() {
        Numbers::new(key(seal, values)).shuffle(&mut cards);
    }
    cards
}

/// The key of a mix: the seal and every value. The values are sorted, but for logs of older rules.
pub fn key(seal: &Seal, values: &[Seal]) -> Hash {
    let mut text = format!("pitboss mix\n{seal}");
    values.iter().for_each(|bytes| text += &format!("\n{bytes}"));
    Hash::of(&[&text])
}

/// The cut that nobody named: the next number that is drawn from a key, within bounds.
pub fn drawn_cut(key: Hash, draw: u32, (least, most): (usize, usize)) -> usize {
    let seed = Hash::of(&["pitboss draw\n", &key.to_string(), "\n", &draw.to_string()]);
    least + Numbers::new(seed).below(most - least + 1)
}

/// The order of discards that are shuffled in mid-round, drawn from the key of their shoe. The salt
/// of that shoe keeps it secret, and was sealed before the key was known.
pub fn drawn_discards(mut cards: Vec<Card>, key: Hash, draw: u32, salt: &[u8; 32]) -> SealedOrder {
    let (key, salt) = (key.to_string(), Hash::from(*salt).to_string());
    let draw = draw.to_string();
    let hash = |purpose: &str| Hash::of(&[purpose, "\n", &key, "\n", &draw, "\n", &salt]);
    cards.sort_unstable_by_key(ToString::to_string);
    Numbers::new(hash("pitboss discards")).shuffle(&mut cards);
    SealedOrder { salt: hash("pitboss discards salt").bytes(), order: cards }
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

    /// Permutes cards, each order as likely as any other.
    fn shuffle(&mut self, cards: &mut [Card]) {
        for last in (1..cards.len()).rev() {
            cards.swap(last, self.below(last + 1));
        }
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
    fn a_commitment_is_the_one_that_any_other_program_computes() {
        // printf 'pitboss commitment\nh1\nwar-1\n7\n0707…07\n3b\nabab…ab' | sha256sum
        let seal = Seal([7; 32]);
        let seat = Bettor::read("3b").unwrap();
        let place = CommitmentPlace { house: "h1", table: "war-1", shoe: 7, seal: &seal, seat };
        let bytes = Seal([0xab; 32]);
        let commitment = place.commitment(&bytes);
        assert_eq!(
            commitment.to_string(),
            "822b95515c566ea46e9be970e3a59a56100b975dd7ec513d0190c586a8de5075"
        );
        let other = Seal([8; 32]);
        let others = [
            CommitmentPlace { house: "h2", ..place },
            CommitmentPlace { table: "war-2", ..place },
            CommitmentPlace { shoe: 8, ..place },
            CommitmentPlace { seal: &other, ..place },
            CommitmentPlace { seat: Bettor::at(2), ..place },
        ];
        for other in others {
            assert_ne!(other.commitment(&bytes), commitment, "{other:?}");
        }
        assert_ne!(place.commitment(&seal), commitment);
    }

    #[test]
    fn every_cut_within_the_bounds_is_equally_likely_and_the_counter_counts() {
        // 41 cuts of 10 to 50, 100 expected of each: chi-square with 40 degrees of freedom stays
        // below 73.4 in 999 of 1,000 cases, and this is one fixed case.
        let mut counts = [0.0_f64; 41];
        for draw in 0..4_100 {
            counts[drawn_cut(Hash::from([7; 32]), draw, (10, 50)) - 10] += 1.0;
        }
        let chi_square: f64 = counts.iter().map(|n| (n - 100.0).powi(2) / 100.0).sum();
        assert!(chi_square < 73.4, "{chi_square}");
        assert_eq!(drawn_cut(Hash::from([7; 32]), 3, (26, 26)), 26);
    }

    #[test]
    fn drawn_discards_depend_on_key_counter_and_salt_and_not_on_how_they_lay() {
        let rack: Vec<Card> = Card::DECK[..40].to_vec();
        let mut turned = rack.clone();
        turned.reverse();
        let drawn = |cards: &[Card], key: u8, draw: u32, salt: u8| {
            drawn_discards(cards.to_vec(), Hash::from([key; 32]), draw, &[salt; 32])
        };
        let usual = drawn(&rack, 1, 0, 2);
        assert!(drawn(&turned, 1, 0, 2) == usual);
        for other in [drawn(&rack, 3, 0, 2), drawn(&rack, 1, 1, 2), drawn(&rack, 1, 0, 3)] {
            assert!(other.order != usual.order && other.salt != usual.salt);
        }
        let sorted = |mut cards: Vec<Card>| {
            cards.sort_unstable();
            cards
        };
        assert_eq!(sorted(usual.order), sorted(rack));
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
