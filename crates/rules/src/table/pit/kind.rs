//! What can go wrong, and what the five books say about it, side by side.

use std::fmt::{self, Display, Formatter};

use crate::card::Card;
use crate::games::blackjack::MOST_HANDS;
use crate::notation::{Unreadable, Word, Words, named};
use crate::refusal::Source;
use crate::round::Place;
use crate::table::event::PlaceWord;
use crate::wager::Game;

/// A kind of irregularity: a row of the matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A card was delivered to the wrong place.
    Misdealt,
    /// A card lay face up in the shoe.
    FaceUp,
    /// A ten was in a shoe that has none.
    Ten,
    /// A card was drawn in error, and nobody saw its face.
    DrawnUnseen,
    /// A card was drawn in error, and its face was seen.
    DrawnSeen,
    /// The dealer took a card on a hand that stands.
    Overdraw,
    /// The dealer's own card was passed over.
    DealerMissed,
    /// A hand got no card in the first deal.
    NoCard,
    /// A hand got one card of two in the first deal.
    OneCard,
    /// A hand did not get a card that it has a right to after the first deal.
    MissedHit,
    /// The shuffling machine jammed, stopped or did not finish.
    ShufflerFault,
    /// The card reader was used under an up card that makes no natural.
    ReaderMisused,
    /// The card reader does not work.
    ReaderBroken,
    /// A burn card was forgotten.
    BurnForgotten,
    /// The face-down card was seen too early.
    HoleSeen,
    /// The cut was made badly.
    BadCut,
}

/// What each book says about a kind, in the order of [`Game::ALL`]; empty where the game has no
/// such irregularity. Double Deck borrows from Free Bet (DDB-R18).
const MATRIX: [(Kind, &str, [&str; 5]); 16] = [
    (Kind::Misdealt, "misdealt", ["CW-10-a", "DDS-11-d", "DDB-R18", "DAB-15-a", "FBB-11-a"]),
    (Kind::FaceUp, "face-up", ["CW-10-b", "DDS-11-b", "DDB-R18", "DAB-15-b", "FBB-11-b"]),
    (Kind::Ten, "ten", ["", "", "", "DAB-15-c", ""]),
    (Kind::DrawnUnseen, "drawn-unseen", ["CW-10-c", "DDS-11-c", "DDB-R18", "DAB-15-d", "FBB-11-c"]),
    (Kind::DrawnSeen, "drawn-seen", ["CW-10-a", "DDS-11-d", "DDB-R18", "DAB-15-f", "FBB-11-d"]),
    (Kind::Overdraw, "overdraw", ["", "", "DDB-R18", "DAB-15-g", "FBB-11-e"]),
    (
        Kind::DealerMissed,
        "dealer-missed",
        ["CW-R12", "DDS-11-d", "DDB-R18", "DAB-15-e", "FBB-11-f"],
    ),
    (Kind::NoCard, "no-card", ["CW-10-d", "DDS-11-d", "DDB-R18", "DAB-15-i", "FBB-11-h"]),
    (Kind::OneCard, "one-card", ["", "", "DDB-R18", "DAB-15-i", "FBB-11-h"]),
    (Kind::MissedHit, "missed-hit", ["CW-R12", "", "DDB-R18", "DAB-15-j", "FBB-11-i"]),
    (
        Kind::ShufflerFault,
        "shuffler-fault",
        ["CW-10-e", "DDS-11-e", "DDB-R18", "DAB-15-k", "FBB-11-l"],
    ),
    (Kind::ReaderMisused, "reader-misused", ["", "", "DDB-R18", "DAB-15-m", "FBB-11-j"]),
    (Kind::ReaderBroken, "reader-broken", ["", "", "DDB-R18", "DAB-15-n", "FBB-11-k"]),
    (Kind::BurnForgotten, "burn-forgotten", ["CW-10-f", "", "DDB-R18", "DAB-15-o", "FBB-11-n"]),
    (Kind::HoleSeen, "hole-seen", ["", "DDS-11-a", "DDB-R18", "DAB-R32", "DAB-R32"]),
    (Kind::BadCut, "bad-cut", ["CW-R11", "DDS-4-f", "DDB-R17", "DAB-4-g", "FBB-4-f"]),
];

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 16] = {
        let mut all = [Kind::Misdealt; 16];
        let mut row = 0;
        while row < MATRIX.len() {
            assert!(MATRIX[row].0 as usize == row, "a row has its own place");
            all[row] = MATRIX[row].0;
            row += 1;
        }
        all
    };

    /// The word in the notation.
    pub const fn name(self) -> &'static str {
        MATRIX[self as usize].1
    }

    /// What went wrong, as one says it.
    pub const fn in_words(self) -> &'static str {
        match self {
            Kind::Misdealt => "a card went to the wrong place",
            Kind::FaceUp => "a card lies face up in the shoe",
            Kind::Ten => "a ten is in the shoe",
            Kind::DrawnUnseen => "a card was drawn too early, and nobody saw it",
            Kind::DrawnSeen => "a card was drawn too early, and seen",
            Kind::Overdraw => "the dealer drew a card too many",
            Kind::DealerMissed => "the dealer's own card was passed over",
            Kind::NoCard => "a hand got no card",
            Kind::OneCard => "a hand got one card of two",
            Kind::MissedHit => "a hand was passed over",
            Kind::ShufflerFault => "the shuffling machine does not work",
            Kind::ReaderMisused => "the card reader was used when it may not be",
            Kind::ReaderBroken => "the card reader does not work",
            Kind::BurnForgotten => "a burn card was forgotten",
            Kind::HoleSeen => "the face-down card was seen too early",
            Kind::BadCut => "the cards were cut badly",
        }
    }

    /// What decides it in a game; none where the game has no such irregularity.
    pub const fn source(self, game: Game) -> Option<Source> {
        let id = MATRIX[self as usize].2[game as usize];
        match (id.is_empty(), self, game) {
            (true, ..) => None,
            (_, Kind::DealerMissed | Kind::MissedHit | Kind::BadCut, Game::CasinoWar)
            | (_, Kind::HoleSeen, Game::DoubleAttack | Game::FreeBet)
            | (_, _, Game::DoubleDeck) => Some(Source::Ruling(id)),
            _ => Some(Source::Clause(id)),
        }
    }

    /// Whether the system itself can find it: what cards, devices and counts show. The rest takes
    /// eyes.
    pub const fn shows_itself(self) -> bool {
        !matches!(
            self,
            Kind::Misdealt | Kind::DrawnUnseen | Kind::DrawnSeen | Kind::HoleSeen | Kind::BadCut
        )
    }
}

named!(Kind: "an irregularity");

impl Display for Kind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What went wrong, with all that has to be known about it. Seats and hands are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub enum Irregularity {
    /// A card of the shoe lies where it does not belong: `misdealt 3 9d`, `misdealt dealer 9d`.
    Misdealt { place: Place, card: Card },
    /// The next card lies face up in the shoe: `face-up 9d`.
    FaceUp(Card),
    /// The next card is a ten: `ten Td`.
    Ten(Card),
    /// The next card was drawn too early, unseen: `drawn-unseen`.
    DrawnUnseen,
    /// The next card was drawn too early, and seen: `drawn-seen 9d`.
    DrawnSeen(Card),
    /// The dealer drew a card too many: `overdraw 9d`.
    Overdraw(Card),
    /// The dealer has no card yet when it is due: `dealer-missed`.
    DealerMissed,
    /// A box was passed over with its first card: `no-card 3`.
    NoCard { seat: u8 },
    /// A box was passed over with its second card: `one-card 3`.
    OneCard { seat: u8 },
    /// A hand was passed over with a later card: `missed-hit 3`, `missed-hit 3 2`.
    MissedHit { seat: u8, hand: u8 },
    /// The shuffling machine failed: `shuffler-fault`.
    ShufflerFault,
    /// The reader was used for nothing: `reader-misused`.
    ReaderMisused,
    /// The reader failed: `reader-broken`.
    ReaderBroken,
    /// The burn card that is due is forgotten: `burn-forgotten`.
    BurnForgotten,
    /// The face-down card was seen: `hole-seen 9d`.
    HoleSeen(Card),
    /// The cut was made badly: `bad-cut`.
    BadCut,
}

impl Irregularity {
    /// Its row of the matrix.
    pub const fn kind(self) -> Kind {
        match self {
            Irregularity::Misdealt { .. } => Kind::Misdealt,
            Irregularity::FaceUp(_) => Kind::FaceUp,
            Irregularity::Ten(_) => Kind::Ten,
            Irregularity::DrawnUnseen => Kind::DrawnUnseen,
            Irregularity::DrawnSeen(_) => Kind::DrawnSeen,
            Irregularity::Overdraw(_) => Kind::Overdraw,
            Irregularity::DealerMissed => Kind::DealerMissed,
            Irregularity::NoCard { .. } => Kind::NoCard,
            Irregularity::OneCard { .. } => Kind::OneCard,
            Irregularity::MissedHit { .. } => Kind::MissedHit,
            Irregularity::ShufflerFault => Kind::ShufflerFault,
            Irregularity::ReaderMisused => Kind::ReaderMisused,
            Irregularity::ReaderBroken => Kind::ReaderBroken,
            Irregularity::BurnForgotten => Kind::BurnForgotten,
            Irregularity::HoleSeen(_) => Kind::HoleSeen,
            Irregularity::BadCut => Kind::BadCut,
        }
    }

    /// The card of it that came from the shoe.
    pub const fn drawn(self) -> Option<Card> {
        match self {
            Irregularity::Misdealt { card, .. }
            | Irregularity::FaceUp(card)
            | Irregularity::DrawnSeen(card)
            | Irregularity::Overdraw(card) => Some(card),
            _ => None,
        }
    }

    /// Reads a kind and what belongs to it.
    pub(crate) fn read(words: &mut Words<'_>) -> Result<Irregularity, Unreadable> {
        Ok(match words.next()? {
            Kind::Misdealt => {
                Irregularity::Misdealt { place: read_place(words)?, card: words.next()? }
            }
            Kind::FaceUp => Irregularity::FaceUp(words.next()?),
            Kind::Ten => Irregularity::Ten(words.next()?),
            Kind::DrawnSeen => Irregularity::DrawnSeen(words.next()?),
            Kind::Overdraw => Irregularity::Overdraw(words.next()?),
            Kind::HoleSeen => Irregularity::HoleSeen(words.next()?),
            Kind::NoCard => Irregularity::NoCard { seat: words.seat()? },
            Kind::OneCard => Irregularity::OneCard { seat: words.seat()? },
            Kind::MissedHit => {
                let (seat, hand) = read_hand(words)?;
                Irregularity::MissedHit { seat, hand }
            }
            Kind::DrawnUnseen => Irregularity::DrawnUnseen,
            Kind::DealerMissed => Irregularity::DealerMissed,
            Kind::ShufflerFault => Irregularity::ShufflerFault,
            Kind::ReaderMisused => Irregularity::ReaderMisused,
            Kind::ReaderBroken => Irregularity::ReaderBroken,
            Kind::BurnForgotten => Irregularity::BurnForgotten,
            Kind::BadCut => Irregularity::BadCut,
        })
    }
}

impl Display for Irregularity {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.kind().fmt(f)?;
        match *self {
            Irregularity::Misdealt { place, card } => write!(f, " {} {card}", PlaceWord(place)),
            Irregularity::FaceUp(card)
            | Irregularity::Ten(card)
            | Irregularity::DrawnSeen(card)
            | Irregularity::Overdraw(card)
            | Irregularity::HoleSeen(card) => write!(f, " {card}"),
            Irregularity::NoCard { seat } | Irregularity::OneCard { seat } => {
                write!(f, " {}", PlaceWord(Place::Hand { seat, hand: 0 }))
            }
            Irregularity::MissedHit { seat, hand } => {
                write!(f, " {}", PlaceWord(Place::Hand { seat, hand }))
            }
            Irregularity::DrawnUnseen
            | Irregularity::DealerMissed
            | Irregularity::ShufflerFault
            | Irregularity::ReaderMisused
            | Irregularity::ReaderBroken
            | Irregularity::BurnForgotten
            | Irregularity::BadCut => Ok(()),
        }
    }
}

/// Reads where a card lies: `3`, `3 2`, `dealer` or `burn`.
fn read_place(words: &mut Words<'_>) -> Result<Place, Unreadable> {
    match words.peek() {
        Some("dealer") => words.exactly("dealer").map(|()| Place::Dealer),
        Some("burn") => words.exactly("burn").map(|()| Place::Burn),
        _ => read_hand(words).map(|(seat, hand)| Place::Hand { seat, hand }),
    }
}

/// Reads a box, and its hand where it is not the first one.
fn read_hand(words: &mut Words<'_>) -> Result<(u8, u8), Unreadable> {
    let seat = words.seat()?;
    if words.peek().and_then(usize::read).is_none() {
        return Ok((seat, 0));
    }
    let on_box = |word: &str| usize::read(word).filter(|hand| (2..=MOST_HANDS).contains(hand));
    let hand = words.next_by(|| format!("a hand from 2 to {MOST_HANDS}"), on_box)?;
    Ok((seat, u8::try_from(hand - 1).unwrap_or(u8::MAX)))
}
