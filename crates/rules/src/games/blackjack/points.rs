//! Points: what cards are worth, and when an ace counts eleven.

use crate::card::{Card, Rank};

/// The points of a hand: its cards with aces as one, and whether there is an ace.
///
/// Cards from two to nine count their pips, tens and court cards ten, an ace eleven unless that
/// would exceed 21 and one otherwise (DAB-2-b, DAB-2-b-1, DAB-2-b-2, DAB-2-b-3, FBB-2-d,
/// FBB-2-d-1, FBB-2-d-2, FBB-2-d-3, DDB-P7, DDB-R06).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Points(u8);

/// The bit that stands for an ace.
const ACE: u8 = 64;

/// What is looked up at every card, in one place.
struct Counts {
    /// What each card counts, with the ace as one; the bit of an ace; the bit of its suit.
    cards: [[u8; 4]; 256],
    /// What the table counts, by the kept form of points.
    totals: [u8; 256],
}

static COUNTS: Counts = {
    let mut counts = Counts { cards: [[0; 4]; 256], totals: [0; 256] };
    let mut i = 0;
    while i < 52 {
        let card = Card::DECK[i];
        let suit = card.suit_bit();
        counts.cards[card.index()] = match card.rank() {
            Rank::Ace => [1, ACE, suit, 0],
            Rank::Ten | Rank::Jack | Rank::Queen | Rank::King => [10, 0, suit, 0],
            rank => [rank as u8, 0, suit, 0],
        };
        i += 1;
    }
    let mut i = 0;
    while i < 128 {
        let points = Points(i);
        counts.totals[i as usize] = points.low() + if points.is_soft() { 10 } else { 0 };
        i += 1;
    }
    counts
};

impl Points {
    /// The points of no card.
    pub(super) const NONE: Points = Points(0);

    /// How many different points there are, for tables of them.
    pub const DIFFERENT: usize = 128;

    /// All points, each at its [place](Points::place).
    pub fn all() -> impl Iterator<Item = Points> {
        (0..2 * ACE).map(Points)
    }

    /// Its place in a table of all points.
    #[inline]
    pub const fn place(self) -> usize {
        self.0 as usize % Points::DIFFERENT
    }

    /// The points of these cards.
    pub fn of(cards: &[Card]) -> Points {
        cards.iter().fold(Points::NONE, |points, &card| points.with(card))
    }

    /// What a card counts alone, with the ace as one.
    #[inline]
    pub const fn pips(card: Card) -> u8 {
        COUNTS.cards[card.index()][0]
    }

    /// The bit of a card's suit, for sets of suits.
    #[inline]
    pub(super) const fn suit(card: Card) -> u8 {
        COUNTS.cards[card.index()][2]
    }

    /// These points and one card more.
    #[inline]
    #[must_use]
    pub const fn with(self, card: Card) -> Points {
        let [pips, ace, ..] = COUNTS.cards[card.index()];
        Points((self.0 + pips) | ace)
    }

    /// The count that the table goes by.
    #[inline]
    pub const fn total(self) -> u8 {
        COUNTS.totals[self.0 as usize]
    }

    /// The count with every ace as one.
    #[inline]
    pub const fn low(self) -> u8 {
        self.0 & !ACE
    }

    /// Whether an ace counts eleven (DAB-1-soft-total, DAB-1-hard-total, FBB-1-soft-total,
    /// FBB-1-hard-total, DDB-P18).
    #[inline]
    pub const fn is_soft(self) -> bool {
        self.0 >= ACE && self.0 <= ACE + 11
    }

    /// Whether the hand is complete by itself: every 21 stands (G-21).
    #[inline]
    pub const fn is_21(self) -> bool {
        self.total() == 21
    }

    /// Whether it is over 21.
    #[inline]
    pub const fn is_bust(self) -> bool {
        self.low() > 21
    }
}

/// Whether the first two cards of a hand are a natural: an ace and a ten-value card.
#[inline]
pub const fn is_natural(one: Card, other: Card) -> bool {
    Points::NONE.with(one).with(other).0 == ACE + 11
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ace_counts_eleven_unless_that_busts() {
        for (cards, total, soft) in [
            ("As 9h", 20, true),
            ("As 9h 5d", 15, false),
            ("As Ah", 12, true),
            ("As 6h", 17, true),
            ("As 6h 9c", 16, false),
            ("Kd Qh", 20, false),
            ("As Kd", 21, true),
            ("Ts 6d Ac", 17, false),
            ("As 2c 4d", 17, true),
            ("As Ah Ac Ad 7s", 21, true),
            ("Kd Qh 2c", 22, false),
        ] {
            let cards: Vec<Card> = cards.split(' ').map(|card| card.parse().unwrap()).collect();
            let points = Points::of(&cards);
            assert_eq!((points.total(), points.is_soft()), (total, soft), "{cards:?}");
        }
    }

    #[test]
    fn a_natural_is_an_ace_with_a_ten_value() {
        for one in Card::DECK {
            for other in Card::DECK {
                let natural = Points::of(&[one, other]).total() == 21;
                assert_eq!(is_natural(one, other), natural, "{one} {other}");
            }
        }
    }
}
