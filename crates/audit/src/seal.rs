//! The commitment to the order of a shoe, and what it proves once the shoe is retired.

use std::fmt::Write;

use rules::card::Card;
use rules::table::Seal;

use crate::hash::Hash;

/// The commitment to an order of cards, the front one first: nobody can guess the order from it,
/// as long as nobody knows the salt, and no other order fits.
pub fn seal(salt: &[u8; 32], order: &[Card]) -> Seal {
    let mut cards = String::with_capacity(2 * order.len());
    for card in order {
        write!(cards, "{card}").expect("a string takes what is written");
    }
    let salt = Hash::from(*salt).to_string();
    Seal(Hash::of(&["pitboss shoe\n", &salt, "\n", &cards]).bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_is_the_one_that_any_other_program_computes() {
        // printf 'pitboss shoe\n0707…07\n9d4cAs' | sha256sum
        let order = ["9d", "4c", "As"].map(|card| card.parse().unwrap());
        assert_eq!(
            seal(&[7; 32], &order).to_string(),
            "0b81cfa84ce4943bc40004376c64761418f60845c7bbd2636ff7222a1cba10e9"
        );
        assert_ne!(seal(&[8; 32], &order), seal(&[7; 32], &order));
        assert_ne!(seal(&[7; 32], &order[1..]), seal(&[7; 32], &order));
    }
}
