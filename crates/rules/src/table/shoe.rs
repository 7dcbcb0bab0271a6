//! The shoe on the table: counted and never looked into.

use super::input::{Input, Seal};
use super::procedure::Procedure;
use super::shuffle::Batch;
use super::{Table, TableRefusal, Told, What};
use crate::card::Card;
use crate::round::{Event, Remedy};
use crate::shoe::{decks, is_spent};

/// The shoe in use, or the one just retired. Which cards it holds is custody, and not known here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableShoe {
    /// Counted from 1, in the order of the shuffles.
    pub number: u32,
    /// The cards it is made of.
    pub batch: Batch,
    /// The commitment to its order; none at a physical table.
    pub seal: Option<Seal>,
    /// How many cards it held after the shuffle.
    pub size: usize,
    /// How many cards went from the front to the back in all; none before the cut.
    pub cut: Option<usize>,
    /// How many cards have left it, burned ones included. So many lie before the next card.
    pub dealt: usize,
    /// How many of them were burned before a round, and lie unseen in the discard rack.
    pub burned: usize,
    /// How many cards lie before the cut card (CW-5-f); none where there is no cut card.
    pub cut_card_at: Option<usize>,
    /// Whether it holds the discards of a round that ran out of cards (G-18).
    pub refill: bool,
    /// Whether it was badly shuffled, and is done with after the round (CW-10-b).
    pub is_faulty: bool,
}

impl TableShoe {
    /// A shuffled stack.
    pub(super) fn new(
        number: u32,
        batch: Batch,
        seal: Option<Seal>,
        procedure: &Procedure,
    ) -> TableShoe {
        let size = procedure.cards;
        TableShoe {
            number,
            batch,
            seal,
            size,
            cut: None,
            dealt: 0,
            burned: 0,
            cut_card_at: procedure.behind_cut_card.map(|behind| size - behind),
            refill: false,
            is_faulty: false,
        }
    }

    /// The shuffled discards of a round that ran out of cards; all is shuffled after it (G-18).
    pub(super) fn refill(number: u32, batch: Batch, seal: Option<Seal>, size: usize) -> TableShoe {
        TableShoe {
            number,
            batch,
            seal,
            size,
            cut: None,
            dealt: 0,
            burned: 0,
            cut_card_at: None,
            refill: true,
            is_faulty: false,
        }
    }

    /// How many cards are left.
    pub fn left(&self) -> usize {
        self.size - self.dealt
    }

    /// Whether the cut card has come out.
    pub fn cut_card_reached(&self) -> bool {
        self.cut_card_at.is_some_and(|at| is_spent(self.left(), Some(self.size - at)))
    }

    /// Whether the shoe is done with once the round is over (CW-7-d, DDS-4-a, FBB-4-i, G-18).
    pub(super) fn is_spent(&self) -> bool {
        self.is_faulty || is_spent(self.left(), self.cut_card_at.map(|at| self.size - at))
    }

    /// The size as events have it.
    pub(super) fn size_in_event(&self) -> u16 {
        u16::try_from(self.size).expect("a shoe has at most eight decks")
    }
}

impl Table {
    /// Counts the faces that a physical shoe shows: it has each card once for every deck (CW-2-a),
    /// and whoever enters another one has misread it.
    pub(super) fn count_faces(&mut self, input: &Input, told: &Told) -> Result<(), TableRefusal> {
        if self.shoe.is_none_or(|shoe| shoe.seal.is_some()) {
            return Ok(());
        }
        for card in faces(input, told) {
            self.check_face(card)?;
            self.faces.push(card);
        }
        Ok(())
    }

    /// Whether a face can still come from a physical shoe.
    pub(super) fn check_face(&self, card: Card) -> Result<(), TableRefusal> {
        let decks = decks(&self.sheet);
        let is_physical = self.shoe.is_some_and(|shoe| shoe.seal.is_none());
        let came = self.faces.iter().filter(|face| **face == card).count();
        match is_physical && came >= decks {
            true => Err(TableRefusal::NoMoreOfThese { card, decks }),
            false => Ok(()),
        }
    }
}

/// The faces that were seen for the first time.
fn faces(input: &Input, told: &Told) -> Vec<Card> {
    let whats = || told.0.iter().map(|event| &event.what);
    let drawn = whats().filter_map(|what| match what {
        What::Drawn(card) => Some(*card),
        _ => None,
    });
    let drawn: Vec<Card> = drawn.collect();
    match input {
        Input::Card(Some(card)) | Input::Turn(card) => vec![*card],
        _ if !drawn.is_empty() => drawn,
        _ => whats()
            .filter_map(|what| match what {
                What::Round(Event::Remedied(Remedy::HoleCardShown(card))) => Some(*card),
                _ => None,
            })
            .collect(),
    }
}
