//! Card values, a hand in play, and the dealer's hand.

use super::book::Book;
use crate::card::{Card, Rank, Suit};
use crate::essence;

/// The points of a hand: its cards with aces as one, and whether there is an ace.
///
/// Cards from two to nine count their pips, tens and court cards ten, an ace eleven unless that
/// would exceed 21 and one otherwise (DAB-2-b, DAB-2-b-1, DAB-2-b-2, DAB-2-b-3, FBB-2-d,
/// FBB-2-d-1, FBB-2-d-2, FBB-2-d-3, DDB-P7, DDB-R06).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Points(u8);

/// The bit that stands for an ace.
const ACE: u8 = 64;

/// Tables that are looked up at every card.
struct Counts {
    /// What each card counts, with the ace as one; the bit of an ace; the bit of its suit.
    cards: [[u8; 4]; 256],
    /// The total of each `Points`, by its bits.
    totals: [u8; 256],
}

#[doc(alias("DAB-2-b", "DAB-2-b-1", "DAB-2-b-2", "DAB-2-b-3", "DDB-P7"))]
#[doc(alias("FBB-2-d", "FBB-2-d-1", "FBB-2-d-2", "FBB-2-d-3"))]
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
    /// The points without a card.
    pub(super) const NONE: Points = Points(0);

    /// How many different points there are, for tables of them.
    pub const DIFFERENT: usize = 128;

    /// All points in order of their [place](Points::place).
    pub fn all() -> impl Iterator<Item = Points> {
        (0..2 * ACE).map(Points)
    }

    /// Its index in a table of all points.
    pub const fn place(self) -> usize {
        self.0 as usize % Points::DIFFERENT
    }

    /// The points of these cards.
    pub fn of(cards: &[Card]) -> Points {
        cards.iter().fold(Points::NONE, |points, &card| points.with(card))
    }

    /// What a card counts alone, with the ace as one.
    pub const fn pips(card: Card) -> u8 {
        COUNTS.cards[card.index()][0]
    }

    /// The bit of a card's suit, for sets of suits.
    const fn suit(card: Card) -> u8 {
        COUNTS.cards[card.index()][2]
    }

    /// These points and one card more.
    #[must_use]
    pub const fn with(self, card: Card) -> Points {
        let [pips, ace, ..] = COUNTS.cards[card.index()];
        Points((self.0 + pips) | ace)
    }

    /// The count that the game goes by.
    pub const fn total(self) -> u8 {
        COUNTS.totals[self.0 as usize]
    }

    /// The count with every ace as one.
    pub const fn low(self) -> u8 {
        self.0 & !ACE
    }

    /// Whether an ace counts eleven.
    #[doc(alias("DAB-1-hard-total", "DAB-1-soft-total", "DDB-P18"))]
    #[doc(alias("FBB-1-hard-total", "FBB-1-soft-total"))]
    pub const fn is_soft(self) -> bool {
        self.0 >= ACE && self.0 <= ACE + 11
    }

    /// Whether the hand stands by itself, as every 21 does (G-21).
    pub const fn is_21(self) -> bool {
        self.total() == 21
    }

    /// Whether it is over 21.
    pub const fn is_bust(self) -> bool {
        self.low() > 21
    }
}

/// Whether the first two cards of a hand are a natural: an ace and a ten-value card.
pub const fn is_natural(one: Card, other: Card) -> bool {
    Points::NONE.with(one).with(other).0 == ACE + 11
}

/// One hand in play: what the rules need to know of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hand {
    points: Points,
    cards: u8,
    pub(super) fate: Fate,
    /// The card that a second one would have to match.
    first: Option<Card>,
    flags: u8,
}

/// What has become of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Cards or decisions are still to come.
    Open,
    /// Complete; the totals decide.
    Stood,
    /// An ace and a ten-value card as the first two cards.
    Natural,
    /// A natural that has been paid even money while others are still asked.
    EvenMoney,
    /// A natural that has been paid.
    Paid,
    /// Over 21, and collected.
    Bust,
    /// Over 21, but not collected before the dealer's second card.
    BustHeld,
    /// Surrendered; half is collected.
    Surrendered,
    /// Surrendered, but not settled before the dealer's second card.
    SurrenderHeld,
    /// Out of the round; the wagers have been returned.
    Dead,
}

impl Fate {
    /// Whether the hand is still in play and its wagers are undecided.
    pub(super) const fn is_undecided(self) -> bool {
        matches!(self, Fate::Open | Fate::Stood | Fate::Natural)
    }
}

const SPLIT: u8 = 1;
const PAIR: u8 = 2;
const DOUBLED: u8 = 4;
const FREE: u8 = 8;
const NO_MORE: u8 = 16;
const OWED: u8 = 32;

impl Hand {
    /// A hand without cards.
    pub const EMPTY: Hand =
        Hand { points: Points::NONE, cards: 0, fate: Fate::Open, first: None, flags: 0 };

    /// The points.
    pub const fn points(&self) -> Points {
        self.points
    }

    /// What has become of it.
    pub const fn fate(self) -> Fate {
        self.fate
    }

    /// How many cards it has.
    pub const fn cards(&self) -> u8 {
        self.cards
    }

    /// Whether it was made by splitting.
    pub const fn is_split(&self) -> bool {
        self.flags & SPLIT != 0
    }

    /// Whether it began with an ace from a split pair.
    pub fn is_split_ace(&self) -> bool {
        self.is_split() && self.first.is_some_and(|card| card.is(Rank::Ace))
    }

    /// Whether its two cards are a pair that the book allows to split.
    pub const fn is_pair(&self) -> bool {
        self.flags & PAIR != 0
    }

    /// Whether nothing limits what it may do: it is open, and neither split nor doubled.
    pub fn is_plain(&self) -> bool {
        self.fate == Fate::Open && self.flags & !PAIR == 0
    }

    /// The first card, which a second one would have to match.
    pub const fn first(&self) -> Option<Card> {
        self.first
    }

    /// Whether it was doubled.
    pub const fn is_doubled(&self) -> bool {
        self.flags & DOUBLED != 0
    }

    /// Whether it was doubled free.
    pub(super) const fn is_free(&self) -> bool {
        self.flags & FREE != 0
    }

    pub(super) const fn takes_no_more(&self) -> bool {
        self.flags & NO_MORE != 0
    }

    pub(super) const fn is_owed(&self) -> bool {
        self.flags & OWED != 0
    }

    /// Whether its owner still holds cards that nobody else has seen.
    pub(super) const fn is_held(&self) -> bool {
        self.flags & (SPLIT | DOUBLED) == 0 && self.cards >= 2
    }

    /// Takes its first card.
    pub(super) fn begin(&mut self, card: Card) {
        let points = Points::NONE.with(card);
        *self = Hand { points, cards: 1, first: Some(card), ..Hand::EMPTY };
    }

    /// Takes a card; the second one may make a pair.
    pub(super) fn take<B: Book>(&mut self, book: &B, card: Card) {
        match (self.cards, self.first) {
            (2.., _) => self.flags &= !PAIR,
            (_, None) => return self.begin(card),
            (_, Some(first)) if book.is_pair(first, card) => self.flags |= PAIR,
            _ => {}
        }
        self.points = self.points.with(card);
        self.cards += 1;
    }

    /// The hand with one card more.
    #[must_use]
    pub fn with<B: Book>(mut self, book: B, card: Card) -> Hand {
        self.take(&book, card);
        self
    }

    /// Splits a pair into two hands of one card, and gives back the new one.
    pub fn split(&mut self) -> Hand {
        let first = self.first.expect("a pair has a first card");
        *self = Hand {
            points: Points::NONE.with(first),
            cards: 1,
            fate: Fate::Open,
            first: Some(first),
            flags: SPLIT,
        };
        *self
    }

    pub(super) fn double(&mut self, free: bool) {
        self.flags |= if free { DOUBLED | FREE } else { DOUBLED };
    }

    /// Marks a hand that takes no more cards: its player refused one, or stood on a natural.
    pub(super) fn set_no_more(&mut self, no_more: bool) {
        self.flags = if no_more { self.flags | NO_MORE } else { self.flags & !NO_MORE };
    }

    pub(super) fn owe(&mut self) {
        self.flags |= OWED;
    }

    pub(super) fn owe_no_more(&mut self) {
        self.flags &= !OWED;
    }
}

/// The dealer's open cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dealer {
    points: Points,
    cards: u8,
    suits: u8,
    first: [Option<Card>; 3],
}

impl Dealer {
    /// No card yet.
    pub const EMPTY: Dealer = Dealer { points: Points::NONE, cards: 0, suits: 0, first: [None; 3] };

    /// The points.
    pub const fn points(&self) -> Points {
        self.points
    }

    /// How many cards are open.
    pub const fn cards(&self) -> u8 {
        self.cards
    }

    /// The up card.
    pub const fn up(&self) -> Option<Card> {
        self.first[0]
    }

    /// The third card.
    pub const fn third(&self) -> Option<Card> {
        self.first[2]
    }

    /// The first three cards.
    pub const fn first_three(&self) -> [Option<Card>; 3] {
        self.first
    }

    /// Takes the up card.
    pub(super) fn begin(&mut self, card: Card) {
        self.points = Points::NONE.with(card);
        self.cards = 1;
        self.suits = Points::suit(card);
        self.first[0] = Some(card);
    }

    pub(super) fn take(&mut self, card: Card) {
        if let Some(place) = self.first.get_mut(usize::from(self.cards)) {
            *place = Some(card);
        }
        self.suits |= Points::suit(card);
        self.take_points(card);
    }

    /// Takes a card where no side wager depends on suits or on the first cards.
    pub(super) fn take_points(&mut self, card: Card) {
        self.points = self.points.with(card);
        self.cards += 1;
    }

    /// The hand with one card more.
    #[must_use]
    pub fn with(mut self, card: Card) -> Dealer {
        self.take(card);
        self
    }

    /// Whether the up card is an ace.
    pub(super) fn shows_ace(&self) -> bool {
        self.up().is_some_and(|card| card.is(Rank::Ace))
    }

    /// Whether the up card may be half of a natural.
    pub(super) fn may_have_natural(&self) -> bool {
        self.up().is_some_and(|card| matches!(Points::pips(card), 1 | 10))
    }

    /// Whether this hole card makes a natural.
    pub(super) fn natural_with(&self, hole: Card) -> bool {
        self.up().is_some_and(|up| is_natural(up, hole))
    }

    /// Whether the two cards are a natural.
    pub(super) const fn is_natural(&self) -> bool {
        self.cards == 2 && self.points.total() == 21
    }

    /// Whether all open cards have one suit.
    pub const fn is_one_suit(&self) -> bool {
        self.suits.is_power_of_two()
    }

    /// Whether all open cards have one colour.
    pub const fn is_one_colour(&self) -> bool {
        const RED: u8 = 1 << Suit::Diamonds as u8 | 1 << Suit::Hearts as u8;
        self.suits & RED == 0 || self.suits & !RED == 0
    }
}

// What can still matter

impl Points {
    /// Without an ace that counts one from here on.
    const fn essence(self) -> Points {
        if self.low() > 11 { Points(self.low()) } else { self }
    }
}

impl Hand {
    /// The hand without what no longer matters: of a complete one its total, of one whose wagers are
    /// settled that it is there, and the first card only where another may have to match it.
    pub(super) fn essence<B: Book>(self, book: &B) -> Hand {
        let flags = if self.is_free() { self.flags & (DOUBLED | FREE) } else { 0 };
        match self.fate {
            Fate::Open => {
                let matters = self.cards < 2 || self.is_pair() || self.is_split_ace();
                let first = self.first.filter(|_| matters).map(|card| as_good(book, card));
                let cards = self.cards.min(3);
                Hand { points: self.points.essence(), cards, first, ..self }
            }
            Fate::Stood => {
                // All totals that the dealer draws to win or lose alike.
                let hard = Points(self.points.total());
                let points = if book.dealer_draws(hard) { Points::NONE } else { hard };
                Hand { points, cards: 2, first: None, flags, ..self }
            }
            Fate::Natural => Hand { first: None, flags: self.flags & NO_MORE, ..self },
            Fate::BustHeld | Fate::SurrenderHeld => Hand { fate: self.fate, flags, ..Hand::EMPTY },
            _ => Hand { fate: Fate::Bust, ..Hand::EMPTY },
        }
    }

    /// All that it is, as a number.
    pub(super) fn code(self) -> u64 {
        let Hand { points, cards, fate, first, flags } = self;
        let bytes = [points.0, cards, fate as u8, flags];
        u64::from(u32::from_le_bytes(bytes)) << 8 | essence::code(first)
    }
}

/// A card that pairs with the same cards: one for all suits, and for all ten-value cards if those
/// pair with each other.
fn as_good<B: Book>(book: &B, card: Card) -> Card {
    let ten = of_ten();
    if book.is_pair(card, ten) { ten } else { essence::without_suit(card) }
}

const fn of_ten() -> Card {
    Card::new(Rank::King, Suit::Spades)
}

/// A card that counts the same.
pub(super) const fn of_equal_value(card: Card) -> Card {
    match card.rank() {
        Rank::Ten | Rank::Jack | Rank::Queen | Rank::King => of_ten(),
        _ => essence::without_suit(card),
    }
}

impl Dealer {
    /// The hand without what no longer matters where no side wager looks at its cards: before the
    /// second card the value of the up card, later the points.
    pub(super) fn essence(self) -> Dealer {
        let points = self.points.essence();
        match self.cards {
            0 | 1 => Dealer {
                points,
                first: self.first.map(|card| card.map(of_equal_value)),
                suits: 0,
                ..self
            },
            _ => Dealer { points, cards: 2, suits: 0, first: [None; 3] },
        }
    }

    /// A finished hand of a total.
    pub(super) const fn with_total(total: u8) -> Dealer {
        Dealer { points: Points(total), cards: 2, ..Dealer::EMPTY }
    }

    /// All that it is, as a number.
    pub(super) fn code(self) -> u64 {
        let Dealer { points, cards, suits, first } = self;
        let bytes = [points.0, cards, suits].into_iter().map(u64::from);
        let cards = first.into_iter().map(essence::code);
        bytes.chain(cards).fold(0, |code, byte| code << 8 | byte)
    }
}
