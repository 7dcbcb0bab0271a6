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

/// The most cards in a shoe: eight decks (CW-2-a, FBB-2-a).
pub const MOST_CARDS: usize = 8 * 52;

/// Room for every card, so large that a masked place is always in it.
const ROOM: usize = MOST_CARDS.next_power_of_two();

/// Cards in a row that are shuffled as they are drawn.
#[derive(Clone, Debug)]
pub struct Shoe {
    /// The cards left, then those drawn, the last one first.
    cards: [Card; ROOM],
    size: u32,
    left: u32,
}

impl Shoe {
    /// A full shoe of the cards that a table's terms ask for.
    pub fn new(sheet: &TermSheet) -> Shoe {
        let mut shoe = Shoe { cards: [Card::DECK[0]; ROOM], size: 0, left: 0 };
        for _ in 0..decks(sheet) {
            for card in deck(sheet.game()) {
                shoe.cards[shoe.size as usize] = card;
                shoe.size += 1;
            }
        }
        shoe.gather();
        shoe
    }

    /// Draws one of the cards left, each one equally likely.
    #[inline]
    pub fn draw(&mut self, numbers: &mut impl Numbers) -> Option<Card> {
        if self.left == 0 {
            return None;
        }
        let chosen = below(self.left, numbers) as usize % ROOM;
        self.left -= 1;
        let last = self.left as usize % ROOM;
        self.cards.swap(chosen, last);
        Some(self.cards[last])
    }

    /// How many cards are left.
    #[inline]
    pub fn left(&self) -> usize {
        self.left as usize
    }

    /// Puts every card back.
    #[inline]
    pub fn gather(&mut self) {
        self.left = self.size;
    }
}
