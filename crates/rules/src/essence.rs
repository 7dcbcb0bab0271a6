//! What of a round's past can still matter.

use crate::card::{Card, Suit};
use crate::round::{Record, Round};

/// A round that can forget what no longer matters.
///
/// Rounds with one essence go on alike: the same cards lead both to the same questions, the same
/// settlements and again to one essence. An essence is itself a round that can be played on, but it
/// no longer knows all that happened, so it is for analysis and simulation alone.
pub trait Essence: Round {
    /// Whether the suits of cards matter to anything that is staked in this round.
    fn sees_suits(&self) -> bool;

    /// The round and the face-down card in front of the dealer, without what no longer matters.
    fn essence(&self, hole: Option<Card>) -> (Self, Option<Card>);

    /// A number that equal rounds have in common, and few others.
    fn digest(&self) -> u64;

    /// How many ends of the dealer's hand a complete hand can tell apart.
    const ENDS: usize;

    /// Which of these ends a round that is over has come to.
    fn end(&self) -> usize;

    /// Takes the complete hands out of a box that has several, and notes for every end what they
    /// are settled with if the dealer's hand comes to it. What is left goes on as the whole round
    /// does, but for these settlements.
    ///
    /// False, and nothing is taken out, where there is no such box, and where more than the end
    /// decides about complete hands.
    fn release_complete_hands<T: Record>(&mut self, ends: &mut [T]) -> bool;
}

/// The card of the same rank that stands for all suits.
pub(crate) const fn without_suit(card: Card) -> Card {
    Card::new(card.rank(), Suit::Spades)
}

/// Mixes numbers into a digest, one after the other.
pub(crate) fn digest(numbers: impl IntoIterator<Item = u64>) -> u64 {
    numbers.into_iter().fold(0, |mixed, number| {
        let mixed = (mixed ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 29
    })
}

/// A number for a card that may be missing.
pub(crate) fn code(card: Option<Card>) -> u64 {
    card.map_or(0, |card| card.index() as u64)
}
