//! Playing cards: rank, suit, and the one-byte card that every round is dealt.

use std::fmt;
use std::num::NonZeroU8;
use std::str::FromStr;

/// The rank of a card, from two to ace, the highest (CW-3, DDS-1-rank, DDS-5-a).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs, reason = "a rank is its name")]
pub enum Rank {
    Two = 2,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
    Nine,
    Ten,
    Jack,
    Queen,
    King,
    Ace,
}

impl Rank {
    /// Every rank, lowest first.
    pub const ALL: [Rank; 13] = {
        use Rank::{Ace, Eight, Five, Four, Jack, King, Nine, Queen, Seven, Six, Ten, Three, Two};
        [Two, Three, Four, Five, Six, Seven, Eight, Nine, Ten, Jack, Queen, King, Ace]
    };

    /// The letter of the notation: `2`…`9`, `T`, `J`, `Q`, `K`, `A`.
    pub const fn letter(self) -> char {
        b"  23456789TJQKA"[self as usize] as char
    }

    /// The name as a dealer says it.
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; 13] = [
            "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack",
            "queen", "king", "ace",
        ];
        NAMES[self as usize - 2]
    }

    /// The name of several of them.
    pub fn plural(self) -> String {
        let ending = if self == Rank::Six { "es" } else { "s" };
        format!("{}{ending}", self.name())
    }
}

/// One of the four suits.
#[doc(alias("CW-1-suit", "DDS-1-suit", "DAB-1-suit"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Suit {
    /// ♣
    Clubs,
    /// ♦
    Diamonds,
    /// ♥
    Hearts,
    /// ♠
    Spades,
}

impl Suit {
    /// Every suit.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    /// The letter of the notation: `c`, `d`, `h`, `s`.
    pub const fn letter(self) -> char {
        b"cdhs"[self as usize] as char
    }

    /// The printed symbol.
    pub const fn symbol(self) -> char {
        ['♣', '♦', '♥', '♠'][self as usize]
    }

    /// Whether the suit is printed in red.
    pub const fn is_red(self) -> bool {
        matches!(self, Suit::Diamonds | Suit::Hearts)
    }
}

/// A playing card in one byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(NonZeroU8);

const _: () = assert!(size_of::<Option<Card>>() == 1);

/// Ranks by the upper bits of a card; the unused entries are never read.
const RANKS: [Rank; 16] = {
    let mut ranks = [Rank::Two; 16];
    let mut i = 0;
    while i < 13 {
        ranks[i + 2] = Rank::ALL[i];
        i += 1;
    }
    ranks
};

impl Card {
    /// The 52 cards of a deck, by rank and then suit.
    pub const DECK: [Card; 52] = {
        let mut deck = [Card::new(Rank::Two, Suit::Clubs); 52];
        let mut i = 0;
        while i < 52 {
            deck[i] = Card::new(Rank::ALL[i / 4], Suit::ALL[i % 4]);
            i += 1;
        }
        deck
    };

    /// The card of a rank and a suit.
    pub const fn new(rank: Rank, suit: Suit) -> Card {
        match NonZeroU8::new((rank as u8) << 2 | suit as u8) {
            Some(code) => Card(code),
            None => unreachable!(),
        }
    }

    /// Its rank.
    #[inline]
    pub const fn rank(self) -> Rank {
        RANKS[(self.0.get() >> 2) as usize & 15]
    }

    /// Whether it has this rank.
    #[inline]
    pub const fn is(self, rank: Rank) -> bool {
        self.0.get() >> 2 == rank as u8
    }

    /// Whether two cards have the same rank.
    #[inline]
    pub const fn same_rank(self, other: Card) -> bool {
        self.0.get() >> 2 == other.0.get() >> 2
    }

    /// Its suit.
    #[inline]
    pub const fn suit(self) -> Suit {
        Suit::ALL[(self.0.get() & 3) as usize]
    }

    /// A bit for its suit, for sets of suits.
    #[inline]
    pub const fn suit_bit(self) -> u8 {
        1 << (self.0.get() & 3)
    }

    /// Its index in a table of 256 entries.
    #[inline]
    pub const fn index(self) -> usize {
        self.0.get() as usize
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.rank().letter(), self.suit().letter())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The error for a word that is not a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotACard;

impl fmt::Display for NotACard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a card is a rank 2 3 4 5 6 7 8 9 T J Q K A and a suit c d h s, such as Td")
    }
}

impl FromStr for Card {
    type Err = NotACard;

    fn from_str(word: &str) -> Result<Card, NotACard> {
        let mut letters = word.chars();
        let (Some(rank), Some(suit), None) = (letters.next(), letters.next(), letters.next())
        else {
            return Err(NotACard);
        };
        let rank = Rank::ALL.into_iter().find(|r| r.letter() == rank).ok_or(NotACard)?;
        let suit = Suit::ALL.into_iter().find(|s| s.letter() == suit).ok_or(NotACard)?;
        Ok(Card::new(rank, suit))
    }
}
