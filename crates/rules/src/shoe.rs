//! What a shoe is made of, and cards drawn from it in fair order.

use crate::card::{Card, Rank};
use crate::terms::TermSheet;
use crate::wager::Game;

/// A source of numbers. The house passes the operating system's entropy, a simulator a seed.
pub trait Numbers {
    /// The next 64 random bits.
    fn next(&mut self) -> u64;
}

impl<F: FnMut() -> u64> Numbers for F {
    #[inline]
    fn next(&mut self) -> u64 {
        self()
    }
}

/// The next number below `bound`, each one equally likely.
#[inline]
#[allow(clippy::cast_possible_truncation)]
pub fn below(bound: u32, numbers: &mut impl Numbers) -> u32 {
    assert!(bound > 0);
    let mut product = (numbers.next() as u32) as u64 * bound as u64;
    if (product as u32) < bound {
        let short = bound.wrapping_neg() % bound;
        while (product as u32) < short {
            product = (numbers.next() as u32) as u64 * bound as u64;
        }
    }
    (product >> 32) as u32
}

/// How many decks of a game's cards a shoe holds.
pub fn decks(sheet: &TermSheet) -> usize {
    match sheet.game() {
        Game::DoubleDownStud => 1,
        // DDB-P0, DDB-R01: the title says it.
        Game::DoubleDeck => 2,
        _ => usize::from(sheet.count("decks")),
    }
}

/// The cards of one deck: Double Attack's has no tens (DAB-2-a).
pub fn deck(game: Game) -> impl Iterator<Item = Card> {
    Card::DECK
        .into_iter()
        .filter(move |card| game != Game::DoubleAttack || card.rank() != Rank::Ten)
}

/// The clause that says which cards are in a game's shoe.
pub const fn clause(game: Game) -> &'static str {
    match game {
        Game::CasinoWar => "CW-2-a",
        Game::DoubleDownStud => "DDS-2-a",
        Game::DoubleDeck => "DDB-P0",
        Game::DoubleAttack => "DAB-2-a",
        Game::FreeBet => "FBB-2-a",
    }
}

/// How many cards a shoe holds.
pub fn cards(sheet: &TermSheet) -> usize {
    decks(sheet) * deck(sheet.game()).count()
}

/// How many cards lie behind the cut card; `quarter` is a quarter of the shoe (G-12).
///
/// None where every round has its own shuffle (DDS-4-a).
pub fn behind_cut_card(sheet: &TermSheet) -> Option<usize> {
    match sheet.game() {
        Game::DoubleDownStud => None,
        _ => Some(sheet.number("cut_card_depth").map_or(cards(sheet) / 4, |depth| depth as usize)),
    }
}

/// How many cards are burned before the first round of a shoe (CW-7-a, G-13, DDS-R09).
pub fn burned(sheet: &TermSheet) -> usize {
    match sheet.game() {
        Game::DoubleDownStud => 0,
        _ => 1,
    }
}

/// The most cards in a shoe: eight decks (CW-2-a, FBB-2-a).
pub const MOST_CARDS: usize = 8 * 52;

/// So many places that a masked one is always among them; a handful is beyond.
const ROOM: usize = MOST_CARDS.next_power_of_two();

/// How many cards one number puts in order: so many that it tells their orders apart with next to no
/// chance of being rejected, and of one deck as many as a round of Double Down Stud takes.
const OF_ONE_DECK: usize = 5;
const OF_TWO_DECKS: usize = 8;
const OF_MORE: usize = 6;
const MOST_AT_ONCE: usize = OF_TWO_DECKS;

/// No fewer than the orders in which the cards of one number can come.
const MOST_ORDERS: u64 = 104_u64.pow(8);
const _: () = assert!(MOST_ORDERS > 416_u64.pow(6) && MOST_ORDERS > 52_u64.pow(5));

/// Cards in a row that are shuffled as they are drawn, a handful ahead.
#[derive(Clone, Debug)]
pub struct Shoe {
    /// The cards left, of which the last ones are in fair order, then those drawn.
    cards: [Card; ROOM + MOST_AT_ONCE],
    /// The cards of a new shoe.
    new: [Card; ROOM + MOST_AT_ONCE],
    size: usize,
    left: usize,
    /// How many of the cards left are not in fair order yet.
    unshuffled: usize,
}

impl Shoe {
    /// A full shoe of the cards that a table's terms ask for.
    pub fn new(sheet: &TermSheet) -> Shoe {
        let (mut cards, mut size) = ([Card::DECK[0]; ROOM + MOST_AT_ONCE], 0);
        for _ in 0..decks(sheet) {
            for card in deck(sheet.game()) {
                cards[size] = card;
                size += 1;
            }
        }
        Shoe { cards, new: cards, size, left: size, unshuffled: size }
    }

    /// Draws one of the cards left, each one equally likely.
    #[inline]
    pub fn draw(&mut self, numbers: &mut impl Numbers) -> Option<Card> {
        if self.left == self.unshuffled {
            if self.left == 0 {
                return None;
            }
            self.shuffle_more(numbers);
        }
        self.left -= 1;
        Some(self.cards[self.left % ROOM])
    }

    /// Draws several cards at once; none where there are not as many.
    #[inline]
    pub fn draw_some<const N: usize>(&mut self, numbers: &mut impl Numbers) -> Option<[Card; N]> {
        const { assert!(N <= MOST_AT_ONCE) };
        if self.left - self.unshuffled < N {
            if self.left < N {
                return None;
            }
            self.shuffle_ahead(N, numbers);
        }
        self.left -= N;
        let first = self.left % ROOM;
        Some(std::array::from_fn(|card| self.cards[first + N - 1 - card]))
    }

    /// Puts so many of the cards left in order, where it is known that they will be drawn: the same
    /// order in which they would be drawn one by one.
    #[inline]
    pub fn shuffle_ahead(&mut self, cards: usize, numbers: &mut impl Numbers) {
        while self.left - self.unshuffled < cards && self.unshuffled > 0 {
            self.shuffle_more(numbers);
        }
    }

    /// Puts a handful more in order, of which there must be some.
    #[inline(never)]
    fn shuffle_more(&mut self, numbers: &mut impl Numbers) {
        match self.unshuffled {
            0..MOST_AT_ONCE => self.shuffle::<1>(numbers),
            _ => match self.size {
                0..=52 => self.shuffle::<OF_ONE_DECK>(numbers),
                53..=104 => self.shuffle::<OF_TWO_DECKS>(numbers),
                _ => self.shuffle::<OF_MORE>(numbers),
            },
        }
    }

    /// Puts so many more cards in order: each is any of those not in order, equally likely.
    ///
    /// A random fraction times the number of cards is the place of one, and the fraction left over
    /// decides the next. What would make some orders likelier than others is rejected: another
    /// number then decides the same draws again, from cards that were only moved about.
    #[inline]
    fn shuffle<const COUNT: usize>(&mut self, numbers: &mut impl Numbers) {
        let rest = (self.unshuffled - COUNT) % ROOM;
        let mut fraction = numbers.next();
        for last in (0..COUNT).rev().map(|taken| rest + taken) {
            let place;
            (place, fraction) = times(fraction, last + 1);
            self.cards.swap(place, last);
        }
        self.unshuffled = rest;
        if fraction < MOST_ORDERS {
            self.shuffle_again_if_unfair::<COUNT>(fraction, numbers);
        }
    }

    /// Takes the last draws back where the number is one too many to give each order its share.
    #[cold]
    #[inline(never)]
    fn shuffle_again_if_unfair<const COUNT: usize>(
        &mut self,
        fraction: u64,
        numbers: &mut impl Numbers,
    ) {
        let orders: u64 = (1..=COUNT).map(|taken| (self.unshuffled + taken) as u64).product();
        if orders.wrapping_neg().checked_rem(orders).is_some_and(|unfair| fraction < unfair) {
            self.unshuffled += COUNT;
            self.shuffle::<COUNT>(numbers);
        }
    }

    /// How many cards are left.
    #[inline]
    pub fn left(&self) -> usize {
        self.left
    }

    /// Puts every card back but the last ones drawn, which lie on the table (G-18).
    pub fn gather_discards(&mut self, on_the_table: usize) {
        self.cards[..self.size].rotate_left(self.left + on_the_table);
        self.left = self.size - on_the_table;
        self.unshuffled = self.left;
    }

    /// Puts every card back to where it lay in the new shoe: then the same numbers draw the same
    /// cards, whatever was drawn before.
    #[inline]
    pub fn renew(&mut self) {
        const PART: usize = 64;
        let (new, _) = self.new.as_chunks::<PART>();
        let (cards, _) = self.cards.as_chunks_mut::<PART>();
        for (cards, new) in cards.iter_mut().zip(new).take(self.size.div_ceil(PART)) {
            *cards = *new;
        }
        self.gather();
    }

    /// Puts every card back.
    #[inline]
    pub fn gather(&mut self) {
        self.left = self.size;
        self.unshuffled = self.size;
    }
}

/// The whole part and the fraction left of so many times a fraction, in units of 2 to the -64.
#[inline]
#[allow(clippy::cast_possible_truncation)]
const fn times(fraction: u64, factor: usize) -> (usize, u64) {
    let product = fraction as u128 * factor as u128;
    ((product >> 64) as usize, product as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that are given one by one.
    struct Given(Vec<u64>);

    impl Numbers for Given {
        fn next(&mut self) -> u64 {
            self.0.pop().expect("as many numbers as are needed")
        }
    }

    fn drawn(count: usize, numbers: &[u64]) -> Vec<Card> {
        let mut shoe = Shoe::new(&TermSheet::new(Game::DoubleDownStud));
        let mut numbers = Given(numbers.iter().rev().copied().collect());
        (0..count).map(|_| shoe.draw(&mut numbers).unwrap()).collect()
    }

    /// Cards put back are drawn again; a shoe gives each of its cards once, then none.
    #[test]
    fn a_shoe_gives_each_card_once() {
        for game in Game::ALL {
            let sheet = TermSheet::new(game);
            let mut shoe = Shoe::new(&sheet);
            let mut number = 1_u64;
            let mut numbers = || {
                number = number.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                number
            };
            for _ in 0..3 {
                assert_eq!(shoe.left(), cards(&sheet));
                let mut drawn: Vec<_> = std::iter::from_fn(|| shoe.draw(&mut numbers)).collect();
                drawn.sort_unstable();
                let mut all: Vec<_> = (0..decks(&sheet)).flat_map(|_| deck(game)).collect();
                all.sort_unstable();
                assert_eq!(drawn, all, "{game}");
                shoe.gather();
            }
        }
    }

    #[test]
    fn a_renewed_shoe_draws_the_same_cards_with_the_same_numbers() {
        let mut shoe = Shoe::new(&TermSheet::new(Game::FreeBet));
        let mut draw = |from: u64| {
            let mut number = from;
            shoe.renew();
            let mut numbers = || {
                number = number.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                number
            };
            (0..200).map(|_| shoe.draw(&mut numbers).unwrap()).collect::<Vec<_>>()
        };
        let first = draw(1);
        assert_ne!(draw(2), first);
        assert_eq!(draw(1), first);
    }

    /// The first card is at the place that a random fraction of the shoe points to, and what is left
    /// of the fraction points to the next among those left.
    #[test]
    fn a_number_points_to_one_card_after_the_other() {
        // 1/2 of 52 is the 27th card; next to nothing is left over, so the 1st ones of 51, 50, 49, 48 follow.
        // Where a card was taken, the last one not drawn lies now.
        let half = 1 << 63 | 1 << 34;
        let deck = Card::DECK;
        assert_eq!(drawn(5, &[half]), [deck[26], deck[0], deck[50], deck[49], deck[48]]);
    }

    /// 2 to the 64 is no multiple of the 52 x 51 x 50 x 49 x 48 orders: the first few numbers are
    /// too many, and another one is asked for.
    #[test]
    fn a_number_too_many_is_rejected() {
        let orders = 52 * 51 * 50 * 49 * 48_u64;
        let too_many = orders.wrapping_neg() % orders;
        assert!(too_many > 0);
        // The number 0 takes the 1st card five times, the last one not drawn coming into its place,
        // and leaves a fraction of 0. From then on the 48th card lies first, and the last four are
        // 50th, 51st, 52nd and 1st. A quarter of 52 is the 14th place, and the 1st ones follow.
        let deck = Card::DECK;
        let again = drawn(5, &[0, 1 << 62 | 1 << 34]);
        assert_eq!(again, [deck[13], deck[47], deck[51], deck[50], deck[49]]);
    }
}
