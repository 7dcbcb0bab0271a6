//! Cards by what they count, and every set of them that a hand can draw.

use std::collections::HashMap;
use std::sync::LazyLock;

use rules::card::{Card, Rank, Suit};
use rules::games::blackjack::Points;

pub(super) use crate::strategy::{VALUES, value_of};
use crate::unseen::Unseen;

pub(super) const ACE: usize = 0;
pub(super) const TEN: usize = 9;

/// The most that the cards of a hand that is not over 21 count.
const MOST: usize = 21;

/// The ranks that count ten.
pub(super) const TENS: [Rank; 4] = [Rank::Ten, Rank::Jack, Rank::Queen, Rank::King];

/// A card of each value.
pub(crate) const CARDS: [Card; VALUES] = {
    const RANKS: [Rank; VALUES] = [
        Rank::Ace,
        Rank::Two,
        Rank::Three,
        Rank::Four,
        Rank::Five,
        Rank::Six,
        Rank::Seven,
        Rank::Eight,
        Rank::Nine,
        Rank::King,
    ];
    let mut cards = [Card::DECK[0]; VALUES];
    let mut value = 0;
    while value < VALUES {
        cards[value] = Card::new(RANKS[value], Suit::Spades);
        value += 1;
    }
    cards
};

/// The most that a hand can count, aces as one: a ten on 20.
pub(super) const MOST_POINTS: u32 = 30;

/// What the cards left must count so that no round uses them up: four hands and the dealer's.
pub const LEAST_POINTS: u32 = 5 * MOST_POINTS;

/// What cards count, the ace as one.
pub fn points_of(unseen: &Unseen) -> u32 {
    unseen.iter().map(|(card, count)| u32::from(Points::pips(card)) * u32::from(count)).sum()
}

/// How many cards of each value there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) of: [u16; VALUES],
    pub(super) total: u16,
}

impl Counts {
    pub(super) fn new(unseen: &Unseen) -> Counts {
        let mut of = [0; VALUES];
        for (card, count) in unseen.iter() {
            of[value_of(card)] += u16::from(count);
        }
        Counts { of, total: unseen.total() }
    }

    /// These without a number of cards of a value; there must be that many.
    pub(super) fn without(mut self, value: usize, cards: u16) -> Counts {
        self.of[value] -= cards;
        self.total -= cards;
        self
    }

    /// How likely the next two cards are of these values, in either order.
    pub(super) fn chance_of_two(&self, one: usize, other: usize) -> f64 {
        if self.of[one] == 0 {
            return 0.0;
        }
        let orders = if one == other { 1.0 } else { 2.0 };
        orders * self.share(one) * self.without(one, 1).share(other)
    }

    /// The share of a value among the cards.
    pub(super) fn share(&self, value: usize) -> f64 {
        f64::from(self.of[value]) / f64::from(self.total)
    }
}

/// How many cards of each value there are, side by side in one number: six bits each, of which the
/// highest is set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room(u64);

impl Room {
    const BITS: usize = 6;
    const HIGHEST: u64 = {
        let (mut bits, mut value) = (0, 0);
        while value < VALUES {
            bits |= 1 << (Room::BITS * value + Room::BITS - 1);
            value += 1;
        }
        bits
    };

    pub(super) fn new(shoe: &Counts) -> Room {
        let most = (1 << (Room::BITS - 1)) - 1;
        Room(Room::HIGHEST | Room::side_by_side(shoe.of.map(|cards| u64::from(cards).min(most))))
    }

    /// Whether there are as many as a set has: then no subtraction borrows a highest bit.
    #[inline]
    pub(super) fn has(self, draw: &Draw) -> bool {
        (self.0 - draw.side_by_side) & Room::HIGHEST == Room::HIGHEST
    }

    fn side_by_side(of: [u64; VALUES]) -> u64 {
        (0..VALUES).map(|value| of[value] << (Room::BITS * value)).sum()
    }
}

/// A set of cards that can be drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draw {
    pub(super) of: [u8; VALUES],
    /// The same as a [`Room`] takes it.
    side_by_side: u64,
    pub(super) cards: u8,
    /// Their points, the ace as one.
    pub(super) sum: u8,
    /// The set with one card more, by its value; out of reach where it counts more than 21.
    pub(super) next: [u16; VALUES],
}

/// Every set of cards that counts at most 21, by what it counts; the first one is empty.
pub(super) struct Draws {
    pub(super) all: Vec<Draw>,
    /// Their places in the order in which a tree takes them: by the cards from the lowest to the highest.
    pub(super) by_path: Vec<u16>,
    /// How many sets count at most so much.
    up_to: [usize; MOST + 1],
}

pub(super) static DRAWS: LazyLock<Draws> = LazyLock::new(Draws::new);

impl Draws {
    fn new() -> Draws {
        let next = [u16::MAX; VALUES];
        let none = Draw { of: [0; VALUES], side_by_side: 0, cards: 0, sum: 0, next };
        let mut draws = Draws { all: vec![none], by_path: Vec::new(), up_to: [1; MOST + 1] };
        for sum in 1..=MOST {
            for value in 0..VALUES.min(sum) {
                draws.add_with_largest(value, sum);
            }
            draws.up_to[sum] = draws.all.len();
        }
        let places = draws.all.iter().zip(0..).map(|(draw, place)| (draw.of, place)).collect();
        for place in 0..draws.all.len() {
            draws.link(&places, place);
        }
        draws.follow(0, 0);
        draws
    }

    /// Adds the sets that count `sum` and have `value` as their largest card.
    fn add_with_largest(&mut self, value: usize, sum: usize) {
        let rest = sum - (value + 1);
        let from = if rest == 0 { 0 } else { self.up_to[rest - 1] };
        for place in from..self.up_to[rest] {
            let smaller = self.all[place];
            if smaller.of[value + 1..].iter().all(|&count| count == 0) {
                let mut draw = smaller;
                draw.of[value] += 1;
                draw.side_by_side = Room::side_by_side(draw.of.map(u64::from));
                draw.cards += 1;
                draw.sum += Points::pips(CARDS[value]);
                self.all.push(draw);
            }
        }
    }

    /// Finds the sets with one card more.
    fn link(&mut self, places: &HashMap<[u8; VALUES], u16>, place: usize) {
        for value in 0..VALUES {
            let mut of = self.all[place].of;
            of[value] += 1;
            if let Some(&next) = places.get(&of) {
                self.all[place].next[value] = next;
            }
        }
    }

    /// Adds a set, and all that have more cards of its highest value or of higher ones, to `by_path`.
    fn follow(&mut self, place: u16, from: usize) {
        self.by_path.push(place);
        for value in from..VALUES {
            let next = self.all[usize::from(place)].next[value];
            if next != u16::MAX {
                self.follow(next, value);
            }
        }
    }

    /// The sets that a hand counting `low` can draw without going over 21.
    pub(super) fn within(&self, low: u8) -> &[Draw] {
        &self.all[..self.up_to[MOST - usize::from(low)]]
    }

    /// The set of one card more.
    #[inline]
    pub(super) fn with(&self, place: usize, value: usize) -> Option<usize> {
        let next = self.all[place].next[value];
        (next != u16::MAX).then_some(usize::from(next))
    }

    /// The place of a set.
    pub(super) fn find(&self, values: impl IntoIterator<Item = usize>) -> Option<usize> {
        values.into_iter().try_fold(0, |place, value| self.with(place, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_is_there_once_and_leads_to_the_next() {
        let draws = &*DRAWS;
        assert_eq!(draws.all.len(), 3083);
        let mut seen = std::collections::HashSet::new();
        for (place, draw) in draws.all.iter().enumerate() {
            assert!(seen.insert(draw.of));
            let sum: usize = (0..VALUES).map(|v| (v + 1) * usize::from(draw.of[v])).sum();
            assert_eq!((usize::from(draw.sum), sum <= 21), (sum, true));
            for value in 0..VALUES {
                let next = draws.with(place, value).map(|next| draws.all[next].of);
                let mut of = draw.of;
                of[value] += 1;
                assert_eq!(next, (sum + value < 21).then_some(of));
            }
        }
        assert_eq!(draws.within(20).len(), 2);
        assert_eq!(draws.find([TEN, ACE]), draws.find([ACE, TEN]));
    }

    #[test]
    fn a_shoe_has_room_for_what_it_holds() {
        let shoe = Counts { of: [2, 40, 0, 1, 1, 1, 1, 1, 1, 5], total: 53 };
        let room = Room::new(&shoe);
        for draw in &DRAWS.all {
            let holds = (0..VALUES).all(|value| u16::from(draw.of[value]) <= shoe.of[value]);
            assert_eq!(room.has(draw), holds, "{:?}", draw.of);
        }
    }
}
