//! Suits that may be exchanged for one another.

use rules::card::{Card, Suit};

use crate::unseen::Unseen;

/// The exchanges of suits that leave the unseen cards as they are.
///
/// No rule tells one suit from another, so cards that differ by such an exchange are alike.
pub(crate) struct Suits(Vec<[u8; 4]>);

impl Suits {
    /// All of them, among cards.
    pub(crate) fn alike_in(unseen: &Unseen) -> Suits {
        let keeps = |exchange: &[u8; 4]| {
            Card::DECK.iter().all(|&card| unseen.of(exchanged(card, exchange)) == unseen.of(card))
        };
        Suits(exchanges().filter(keeps).collect())
    }

    /// How many sets of cards are like this one, if it is the first of them.
    pub(crate) fn first_of_its_kind(&self, cards: &[Card]) -> Option<u16> {
        let own = set(cards, &[0, 1, 2, 3]);
        let mut same = 0;
        for exchange in &self.0 {
            match set(cards, exchange).cmp(&own) {
                std::cmp::Ordering::Less => return None,
                std::cmp::Ordering::Equal => same += 1,
                std::cmp::Ordering::Greater => {}
            }
        }
        u16::try_from(self.0.len() / same).ok()
    }
}

/// Every order of four suits.
fn exchanges() -> impl Iterator<Item = [u8; 4]> {
    let digits = |code: u8| [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6];
    (0..=255).map(digits).filter(|suits| suits.iter().fold(0, |set, suit| set | 1 << suit) == 15)
}

/// The card with its suit exchanged.
fn exchanged(card: Card, exchange: &[u8; 4]) -> Card {
    let suit = exchange[card.suit() as usize];
    Card::new(card.rank(), Suit::ALL[usize::from(suit)])
}

/// Cards as a set, with their suits exchanged.
#[inline]
fn set(cards: &[Card], exchange: &[u8; 4]) -> u64 {
    cards.iter().fold(0, |set, card| {
        set | 1 << ((card.rank() as u64 - 2) * 4 + u64::from(exchange[card.suit() as usize]))
    })
}

#[cfg(test)]
mod tests {
    use rules::wager::Game;

    use super::*;

    /// Any suit for any other in a full deck; with a spade gone only the other three.
    #[test]
    fn cards_are_alike_in_as_many_suits_as_are_complete() {
        let mut deck = Unseen::decks(Game::CasinoWar, 1);
        let first = |deck: &Unseen| {
            let suits = Suits::alike_in(deck);
            Card::DECK.map(|card| suits.first_of_its_kind(&[card]).unwrap_or(0))
        };
        assert_eq!(first(&deck)[..8], [4, 0, 0, 0, 4, 0, 0, 0]);
        deck.remove(Card::new(rules::card::Rank::Ace, Suit::Spades)).unwrap();
        assert_eq!(first(&deck)[..8], [3, 0, 0, 1, 3, 0, 0, 1]);
        assert_eq!(first(&deck).iter().sum::<u16>(), 52);
    }
}
