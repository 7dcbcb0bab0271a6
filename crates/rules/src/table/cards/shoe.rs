//! The shoe on the table: counted and never looked into.

use super::cut::FirstOffer;
use super::procedure::{Method, Procedure};
use super::{Batch, CardHandling, CardStage};
use crate::card::Card;
use crate::notation::{Or, Reading, Words};
use crate::refusal::ensure;
use crate::round::{Event, Place, Remedy};
use crate::shoe::{NO_CUT_CARD, decks, is_spent};
use crate::table::input::{Input, Seal};
use crate::table::{Answer, Events, Table, TableEvent, TableRefusal};

/// The words of a standing for whether the shoe is a refill, and whether it is badly shuffled.
const REFILL: [&str; 2] = ["whole", "refill"];
const FAULTY: [&str; 2] = ["sound", "faulty"];

/// The shoe in use, or the one just retired. Which cards it holds is not known here.
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
    /// How many cards have left it, including burned ones.
    pub dealt: usize,
    /// How many of those were burned before a round, and lie unseen in the discard rack.
    pub burned: usize,
    /// How many cards are in front of the cut card (CW-5-f); none where there is no cut card.
    pub cut_card_at: Option<usize>,
    /// Whether it holds the discards of a round that ran out of cards (G-18).
    pub refill: bool,
    /// Whether it was badly shuffled, and is retired after the round (CW-10-b).
    pub is_faulty: bool,
    /// Whether a supervisor had it cut again: a sealed order only once.
    pub is_recut: bool,
}

impl TableShoe {
    /// A shuffled stack.
    pub(crate) fn new(
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
            is_recut: false,
        }
    }

    /// The shuffled discards of a round that ran out of cards; all cards are shuffled after it (G-18).
    pub(crate) fn refill(self, number: u32, seal: Option<Seal>, size: usize) -> TableShoe {
        let (cut, cut_card_at, is_faulty, is_recut) = (None, None, false, false);
        let (dealt, burned, refill) = (0, 0, true);
        let uncut = TableShoe { size, cut, dealt, burned, cut_card_at, ..self };
        TableShoe { number, seal, refill, is_faulty, is_recut, ..uncut }
    }

    /// Its line in a standing.
    pub(super) fn standing(&self) -> String {
        let TableShoe { number, batch, seal, size, cut, dealt, burned, cut_card_at, .. } = *self;
        let TableShoe { refill, is_faulty, is_recut, .. } = *self;
        let (seal, cut, cut_card_at) = (Or(seal, "physical"), Or(cut, "-"), Or(cut_card_at, "-"));
        let either = |is_so, [no, yes]: [&'static str; 2]| if is_so { yes } else { no };
        format!(
            "{number} {batch} {seal} size {size} cut {cut} dealt {dealt} burned {burned} \
             cut-card {cut_card_at} {} {}{}",
            either(refill, REFILL),
            either(is_faulty, FAULTY),
            either(is_recut, ["", " recut"]),
        )
    }

    /// Reads that line.
    pub(super) fn resumed(words: &mut Words<'_>) -> Reading<TableShoe> {
        Ok(TableShoe {
            number: words.read()?,
            batch: words.read()?,
            seal: words.read()?,
            size: words.after("size")?,
            cut: words.after("cut")?,
            dealt: words.after("dealt")?,
            burned: words.after("burned")?,
            cut_card_at: words.after("cut-card")?,
            refill: words.either(REFILL)?,
            is_faulty: words.either(FAULTY)?,
            is_recut: words.skip("recut"),
        })
    }

    /// How many cards are left.
    pub fn left(&self) -> usize {
        self.size - self.dealt
    }

    /// Whether the cut card has come out.
    pub fn cut_card_reached(&self) -> bool {
        self.cut_card_at.is_some() && is_spent(self.left(), self.behind_cut_card())
    }

    /// Whether the shoe is finished once the round is over (CW-7-d, DDS-4-a, FBB-4-i, G-18).
    pub(crate) fn is_spent(&self) -> bool {
        self.is_faulty || is_spent(self.left(), self.behind_cut_card())
    }

    fn behind_cut_card(&self) -> usize {
        self.cut_card_at.map_or(NO_CUT_CARD, |at| self.size - at)
    }

    /// The size, for events.
    pub(crate) fn size_in_event(&self) -> u16 {
        u16::try_from(self.size).expect("a shoe has at most eight decks")
    }
}

impl CardHandling {
    /// Counts a card out of the shoe. The cut card comes out with the first card behind it, and
    /// where that one goes decides who cuts next (CW-5-c-2, CW-5-c-3, CW-7-d).
    pub(crate) fn draw(&mut self, place: Place, events: &mut Events) -> Answer {
        let shoe = self.shoe.as_mut().expect("cards come from a shoe");
        ensure(shoe.left() != 0, TableRefusal::ShoeEmpty)?;
        let was_reached = shoe.cut_card_reached();
        shoe.dealt += 1;
        if shoe.cut_card_reached() && !was_reached {
            self.first_offer = FirstOffer::after(place);
            events.push(TableEvent::CutCardReached);
        }
        self.unseen = false;
        Ok(())
    }

    /// Counts out a card that is drawn out of turn, perhaps just after the shoe was retired.
    pub(crate) fn draw_out(&mut self, place: Place, events: &mut Events) -> Answer {
        let before = self.shoe;
        self.draw(place, events)?;
        if let Some(retired) = self.retired.last_mut().filter(|retired| Some(**retired) == before) {
            *retired = self.shoe.unwrap_or(*retired);
        }
        Ok(())
    }

    /// Burns one of the cards that are due; its face is known only if it was seen in error.
    pub(crate) fn burn(&mut self, face: Option<Card>) {
        self.stage = match self.stage {
            CardStage::Burning(due) if due > 1 => CardStage::Burning(due - 1),
            _ => CardStage::Dealing,
        };
        self.shoe.as_mut().expect("cards come from a shoe").burned += 1;
        self.burned.push(face);
        self.is_loaded = self.procedure.method == Method::Continuous;
    }

    /// Play continues without the burn cards that are due.
    pub(crate) fn skip_burn(&mut self) {
        self.stage = CardStage::Dealing;
    }

    /// The shoe was badly shuffled, and is retired after the round.
    pub(crate) fn condemn(&mut self) {
        if let Some(shoe) = &mut self.shoe {
            shoe.is_faulty = true;
        }
    }

    /// Whether the next card lies in the shoe, mixed and cut, for everyone to see.
    pub(crate) fn shows_a_card(&self) -> bool {
        let loaded = matches!(self.stage, CardStage::Burning(_) | CardStage::Dealing);
        loaded && self.shoe.is_some_and(|shoe| shoe.left() > 0)
    }

    /// Whether a card that is reported now came from the previous batch, whose turn has just ended.
    pub(crate) fn is_of_other_batch(&self) -> bool {
        let is_new =
            matches!(self.stage, CardStage::Commit(_) | CardStage::Open(_) | CardStage::Cut(_));
        is_new && self.procedure.batches == 2 && !self.unseen
    }
}

impl Table {
    /// Counts the faces seen from a physical shoe: it has each card once per deck (CW-2-a), and one
    /// too many was misread.
    pub(crate) fn count_faces(&mut self, input: &Input, events: &[TableEvent]) -> Answer {
        if self.cards.shoe.is_none_or(|shoe| shoe.seal.is_some()) {
            return Ok(());
        }
        for card in faces(input, events) {
            self.check_face(card)?;
            self.cards.faces.push(card);
        }
        Ok(())
    }

    /// Whether a face can still come from a physical shoe.
    pub(crate) fn check_face(&self, card: Card) -> Answer {
        let decks = decks(&self.sheet);
        let is_physical = self.cards.shoe.is_some_and(|shoe| shoe.seal.is_none());
        let came = self.cards.faces.iter().filter(|face| **face == card).count();
        ensure(!(is_physical && came >= decks), TableRefusal::NoMoreOfThese { card, decks })
    }
}

/// The faces seen for the first time.
fn faces(input: &Input, events: &[TableEvent]) -> Vec<Card> {
    let drawn = events.iter().filter_map(|event| match event {
        TableEvent::Drawn(card) => Some(*card),
        _ => None,
    });
    let shown = events.iter().filter_map(|event| match event {
        TableEvent::Round(Event::Remedied(Remedy::HoleCardShown(card))) => Some(*card),
        _ => None,
    });
    let drawn: Vec<Card> = drawn.collect();
    match input {
        Input::Card(Some(card)) | Input::Turn(card) => vec![*card],
        _ if drawn.is_empty() => shown.collect(),
        _ => drawn,
    }
}
