//! Playing cards: rank, suit, and the one-byte card that every round is dealt.

use std::fmt;
use std::num::NonZeroU8;
use std::str::FromStr;

/// The rank of a card, ordered from two to ace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Rank {
    /// 2
    Two = 2,
    /// 3
    Three,
    /// 4
    Four,
    /// 5
    Five,
    /// 6
    Six,
    /// 7
    Seven,
    /// 8
    Eight,
    /// 9
    Nine,
    /// 10
    Ten,
    /// J
    Jack,
    /// Q
    Queen,
    /// K
    King,
    /// A, the highest rank (CW-3, DDS-1-rank, DDS-5-a).
    Ace,
}

impl Rank {
    /// Every rank, lowest first.
    pub const ALL: [Rank; 13] = [
        Rank::Two,
        Rank::Three,
        Rank::Four,
        Rank::Five,
        Rank::Six,
        Rank::Seven,
        Rank::Eight,
        Rank::Nine,
        Rank::Ten,
        Rank::Jack,
        Rank::Queen,
        Rank::King,
        Rank::Ace,
    ];

    /// The letter of the notation: `2`…`9`, `T`, `J`, `Q`, `K`, `A`.
    pub const fn letter(self) -> char {
        b"  23456789TJQKA"[self as usize] as char
    }

    /// The name as a dealer says it.
    pub const fn name(self) -> &'static str {
        match self {
            Rank::Two => "two",
            Rank::Three => "three",
            Rank::Four => "four",
            Rank::Five => "five",
            Rank::Six => "six",
            Rank::Seven => "seven",
            Rank::Eight => "eight",
            Rank::Nine => "nine",
            Rank::Ten => "ten",
            Rank::Jack => "jack",
            Rank::Queen => "queen",
            Rank::King => "king",
            Rank::Ace => "ace",
        }
    }

    /// The name of several of them.
    pub fn plural(self) -> String {
        let ending = if self == Rank::Six { "es" } else { "s" };
        format!("{}{ending}", self.name())
    }
}

/// One of the four suits (CW-1-suit, DDS-1-suit, DAB-1-suit).
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

/// Ranks by the upper bits of a card; the unused places are never read.
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

    /// Whether two cards have one rank.
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

    /// Its place in a table of 256, for lookups by card.
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

/// A word that is no card.
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
