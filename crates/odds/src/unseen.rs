//! The cards that a seat has not seen.

use std::fmt;

use rules::card::{Card, Rank, Suit};
use rules::round::{Audience, Event};
use rules::shoe;
use rules::terms::TermSheet;
use rules::wager::Game;

/// How many of each card are unseen: in the shoe, burned, face down or in others' hands.
///
/// To a seat that has not seen them all of these are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unseen {
    counts: [u8; Card::DECK.len()],
    total: u16,
}

/// A card that the shoe has no more of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchCard(pub Card);

impl fmt::Display for NoSuchCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no {} is left in a shoe of these decks", self.0)
    }
}

impl std::error::Error for NoSuchCard {}

impl Unseen {
    /// Nothing.
    pub const NONE: Unseen = Unseen { counts: [0; Card::DECK.len()], total: 0 };

    /// A full shoe of the cards that a table's terms ask for.
    pub fn full(sheet: &TermSheet) -> Unseen {
        Unseen::decks(sheet.game(), shoe::decks(sheet))
    }

    /// A number of decks of a game's cards.
    pub fn decks(game: Game, decks: usize) -> Unseen {
        assert!(decks * Card::DECK.len() <= shoe::MOST_CARDS);
        (0..decks).flat_map(|_| shoe::deck(game)).collect()
    }

    /// How many cards there are.
    #[inline]
    pub fn total(&self) -> u16 {
        self.total
    }

    /// How many there are of this card.
    #[inline]
    pub fn of(&self, card: Card) -> u8 {
        self.counts[place(card)]
    }

    /// How many there are of this rank.
    #[inline]
    pub fn of_rank(&self, rank: Rank) -> u16 {
        Suit::ALL.iter().map(|&suit| u16::from(self.of(Card::new(rank, suit)))).sum()
    }

    /// Adds a card.
    pub fn add(&mut self, card: Card) {
        self.counts[place(card)] += 1;
        self.total += 1;
    }

    /// Takes a card out, as it has now been seen.
    #[inline]
    pub fn remove(&mut self, card: Card) -> Result<(), NoSuchCard> {
        let count = &mut self.counts[place(card)];
        *count = count.checked_sub(1).ok_or(NoSuchCard(card))?;
        self.total -= 1;
        Ok(())
    }

    /// What a box has not seen after these events of a round, of what it had not seen before it.
    ///
    /// Cards that their owners keep to themselves stay unseen to others until they are shown.
    pub fn after(&self, events: &[Event], seat: usize) -> Result<Unseen, NoSuchCard> {
        self.after_boxes(events, &[seat])
    }

    /// The same for somebody with several boxes.
    pub fn after_boxes(&self, events: &[Event], seats: &[usize]) -> Result<Unseen, NoSuchCard> {
        let mut unseen = *self;
        for (i, event) in events.iter().enumerate() {
            match *event {
                Event::Dealt { card, audience, .. } => {
                    let shown_later = |owner: u8| {
                        let shows = |event: &Event| matches!(event, Event::Shown { seat, .. } if *seat == owner);
                        events[i..].iter().any(shows)
                    };
                    let is_seen = match audience {
                        Audience::Everyone => true,
                        Audience::Box(owner) => seats.contains(&owner.into()) || shown_later(owner),
                    };
                    if is_seen {
                        unseen.remove(card)?;
                    }
                }
                Event::Turned(card) => unseen.remove(card)?,
                _ => {}
            }
        }
        Ok(unseen)
    }

    /// Each kind of card that is left, and how many of it.
    pub fn iter(&self) -> impl Iterator<Item = (Card, u8)> {
        Card::DECK.into_iter().zip(self.counts).filter(|&(_, count)| count > 0)
    }
}

/// These cards.
impl FromIterator<Card> for Unseen {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Unseen {
        let mut unseen = Unseen::NONE;
        for card in cards {
            unseen.add(card);
        }
        unseen
    }
}

/// The place of a card in a deck.
#[inline]
fn place(card: Card) -> usize {
    card.index() - Card::DECK[0].index()
}
