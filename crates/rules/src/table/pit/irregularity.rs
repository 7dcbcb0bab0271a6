//! What went wrong at a table.

use std::fmt::{self, Display, Formatter};

use crate::book::Kind;
use crate::card::Card;
use crate::games::blackjack::MOST_HANDS;
use crate::notation::{Reading, Word, Words};
use crate::round::Place;
use crate::table::event::PlaceWord;

/// What went wrong, in detail. Seats and hands are counted from 0.
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
    /// A box was passed over for its first card: `no-card 3`.
    NoCard { seat: u8 },
    /// A box was passed over for its second card: `one-card 3`.
    OneCard { seat: u8 },
    /// A hand was passed over for a later card: `missed-hit 3`, `missed-hit 3 2`.
    MissedHit { seat: u8, hand: u8 },
    /// The shuffling machine failed: `shuffler-fault`.
    ShufflerFault,
    /// The reader was used without cause: `reader-misused`.
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
    /// The irregularity of a kind, with exactly what belongs to it: a place, a card, both or neither.
    pub fn new(kind: Kind, place: Option<Place>, card: Option<Card>) -> Option<Irregularity> {
        Some(match (kind, place, card) {
            (Kind::Misdealt, Some(place), Some(card)) => Irregularity::Misdealt { place, card },
            (Kind::FaceUp, None, Some(card)) => Irregularity::FaceUp(card),
            (Kind::Ten, None, Some(card)) => Irregularity::Ten(card),
            (Kind::DrawnSeen, None, Some(card)) => Irregularity::DrawnSeen(card),
            (Kind::Overdraw, None, Some(card)) => Irregularity::Overdraw(card),
            (Kind::HoleSeen, None, Some(card)) => Irregularity::HoleSeen(card),
            (Kind::NoCard, Some(Place::Hand { seat, hand: 0 }), None) => {
                Irregularity::NoCard { seat }
            }
            (Kind::OneCard, Some(Place::Hand { seat, hand: 0 }), None) => {
                Irregularity::OneCard { seat }
            }
            (Kind::MissedHit, Some(Place::Hand { seat, hand }), None) => {
                Irregularity::MissedHit { seat, hand }
            }
            (Kind::DrawnUnseen, None, None) => Irregularity::DrawnUnseen,
            (Kind::DealerMissed, None, None) => Irregularity::DealerMissed,
            (Kind::ShufflerFault, None, None) => Irregularity::ShufflerFault,
            (Kind::ReaderMisused, None, None) => Irregularity::ReaderMisused,
            (Kind::ReaderBroken, None, None) => Irregularity::ReaderBroken,
            (Kind::BurnForgotten, None, None) => Irregularity::BurnForgotten,
            (Kind::BadCut, None, None) => Irregularity::BadCut,
            _ => return None,
        })
    }

    /// Its kind.
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

    /// The card that came from the shoe.
    pub const fn drawn(self) -> Option<Card> {
        match self {
            Irregularity::Misdealt { card, .. }
            | Irregularity::FaceUp(card)
            | Irregularity::DrawnSeen(card)
            | Irregularity::Overdraw(card) => Some(card),
            _ => None,
        }
    }

    /// The same with another card; none where no card belongs to it.
    pub(crate) fn showing(self, card: Card) -> Option<Irregularity> {
        Some(match self {
            Irregularity::Misdealt { place, .. } => Irregularity::Misdealt { place, card },
            Irregularity::FaceUp(_) => Irregularity::FaceUp(card),
            Irregularity::DrawnSeen(_) => Irregularity::DrawnSeen(card),
            Irregularity::Overdraw(_) => Irregularity::Overdraw(card),
            Irregularity::HoleSeen(_) => Irregularity::HoleSeen(card),
            _ => return None,
        })
    }

    /// Reads a kind and its details.
    pub(crate) fn read(words: &mut Words<'_>) -> Reading<Irregularity> {
        Ok(match words.read()? {
            Kind::Misdealt => {
                Irregularity::Misdealt { place: read_place(words)?, card: words.read()? }
            }
            Kind::FaceUp => Irregularity::FaceUp(words.read()?),
            Kind::Ten => Irregularity::Ten(words.read()?),
            Kind::DrawnSeen => Irregularity::DrawnSeen(words.read()?),
            Kind::Overdraw => Irregularity::Overdraw(words.read()?),
            Kind::HoleSeen => Irregularity::HoleSeen(words.read()?),
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
fn read_place(words: &mut Words<'_>) -> Reading<Place> {
    match words.peek() {
        Some("dealer") => words.exactly("dealer").map(|()| Place::Dealer),
        Some("burn") => words.exactly("burn").map(|()| Place::Burn),
        _ => read_hand(words).map(|(seat, hand)| Place::Hand { seat, hand }),
    }
}

/// Reads a box, and its hand where it is not the first one.
fn read_hand(words: &mut Words<'_>) -> Reading<(u8, u8)> {
    let seat = words.seat()?;
    if words.peek().and_then(usize::read).is_none() {
        return Ok((seat, 0));
    }
    let on_box = |word: &str| usize::read(word).filter(|hand| (2..=MOST_HANDS).contains(hand));
    let hand = words.next_by(|| format!("a hand from 2 to {MOST_HANDS}"), on_box)?;
    Ok((seat, u8::try_from(hand - 1).unwrap_or(u8::MAX)))
}
