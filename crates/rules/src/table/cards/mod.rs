//! The cards of a table: how they come, are shuffled, cut, burned and used up.

mod commitments;
mod cut;
mod opening;
mod procedure;
mod shoe;
mod shuffle;

use super::Table;
use super::account::Name;
use super::input::Cutter;
use crate::card::Card;
use crate::notation::{Or, Reading, Words};
use crate::terms::TermSheet;

use commitments::ClosedList;
use cut::FirstOffer;
use opening::Spread;
use procedure::Procedure;

pub use commitments::Commitment;
pub(super) use cut::CutOffer;
pub(super) use procedure::Entry;
pub use procedure::Method;
pub use shoe::TableShoe;
pub use shuffle::{Batch, ShuffleStep};
pub(super) use {opening::NextUse, shuffle::Stack};

/// The cards of a table, and who deals them. No face that nobody has seen is known here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CardHandling {
    procedure: Procedure,
    dealer: Option<Name>,
    stage: CardStage,
    shoe: Option<TableShoe>,
    /// What the machine has shuffled in the meantime (CW-2-d-4).
    stored: Option<TableShoe>,
    /// The shoes that are retired and whose order is not revealed yet.
    retired: Vec<TableShoe>,
    /// The cards of the shoe that were burned before a round, with the faces that were seen.
    burned: Vec<Option<Card>>,
    /// The faces that a physical shoe has shown.
    faces: Vec<Card>,
    /// How many times cards were shuffled.
    shoes: u32,
    /// The cards that are shuffled next (CW-2-d-5).
    next_batch: Batch,
    /// The batches that lay spread and are not washed yet.
    unwashed: [bool; 2],
    /// Whether the cards came out of the machine of an idle table (CW-5-h-2).
    unseen: bool,
    /// Whether a continuous shuffler has had its burn card (FBB-R19).
    is_loaded: bool,
    /// Whether the cards are changed before the next round (FBB-2-c).
    decks_due: bool,
    first_offer: FirstOffer,
    last_cut: Option<CutOffer>,
    rounds_of_shoe: u32,
}

/// What is being done with the cards, whether or not a round is in play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CardStage {
    /// There are none.
    Bare,
    /// They lie spread for inspection (CW-4-b, CW-5-h).
    Spread(Spread),
    /// They are to be shuffled (CW-5-a).
    Stacked(Stack),
    /// Their order is sealed; players commit to bytes of their own, and whoever is asked names the
    /// cut, if there is one (CW-5-b).
    Commit(Option<CutOffer>),
    /// The list of commitments is closed, and they are to be opened.
    Open(ClosedList),
    /// They are offered for the cut (CW-5-b), or wait for a drawn one.
    Cut(CutOffer),
    /// This many are still to be burned before the next round, or before play continues (CW-7-a).
    Burning(usize),
    /// They lie in the shoe: wagers are placed, and a round is dealt (CW-6-b, CW-7-c).
    Dealing,
    /// They have left the shoe, and its order is to be revealed (CW-5-g).
    Retired(NextUse),
}

impl CardHandling {
    /// Cards that are inspected and spread; where they come pre-shuffled, none yet.
    pub(super) fn new(sheet: &TermSheet) -> CardHandling {
        let procedure = Procedure::read(sheet);
        CardHandling {
            dealer: None,
            stage: match procedure.pre_shuffled {
                true => CardStage::Bare,
                false => CardStage::Spread(Spread::New),
            },
            procedure,
            shoe: None,
            stored: None,
            retired: Vec::new(),
            burned: Vec::new(),
            faces: Vec::new(),
            shoes: 0,
            next_batch: Batch::First,
            unwashed: [false; 2],
            unseen: false,
            is_loaded: false,
            decks_due: false,
            first_offer: FirstOffer::FirstArrival,
            last_cut: None,
            rounds_of_shoe: 0,
        }
    }

    pub(super) fn stage(&self) -> &CardStage {
        &self.stage
    }

    pub(super) fn is_dealing(&self) -> bool {
        matches!(self.stage, CardStage::Dealing)
    }

    pub(super) fn procedure(&self) -> &Procedure {
        &self.procedure
    }

    /// The shoe in use, or the last one.
    pub(super) fn shoe(&self) -> Option<&TableShoe> {
        self.shoe.as_ref()
    }

    /// How many rounds were played with this shoe.
    pub(super) fn rounds_of_shoe(&self) -> u32 {
        self.rounds_of_shoe
    }

    pub(super) fn count_round(&mut self) {
        self.rounds_of_shoe += 1;
    }

    /// Whether the current shoe is the one retired last.
    pub(super) fn has_just_retired(&self) -> bool {
        self.retired.last() == self.shoe.as_ref()
    }

    /// Whether the cards are changed before the next round (FBB-2-c).
    pub(super) fn are_due(&self) -> bool {
        self.decks_due
    }

    /// Changes how the cards are shuffled (DAB-15-l, FBB-11-m).
    pub(super) fn change_method(&mut self, sheet: &TermSheet, method: Method) {
        self.procedure = Procedure::with(sheet, method);
    }

    /// Whether bets could be closed now, and no shoe waits to be revealed.
    pub(super) fn stands(&self) -> bool {
        self.is_dealing() && self.shoe.is_some() && self.retired.is_empty()
    }

    /// Everything that later rounds depend on, in lines.
    pub(super) fn standing(&self) -> Vec<String> {
        let CardHandling { procedure, dealer, stage: _, shoe, stored, retired: _, .. } = self;
        let CardHandling { burned, faces, first_offer, last_cut, rounds_of_shoe, .. } = self;
        let CardHandling { shoes, next_batch, unwashed, unseen, is_loaded, decks_due, .. } = self;
        let mut lines = vec![format!("method {}", procedure.method)];
        lines.extend(dealer.iter().map(|name| format!("dealer {name}")));
        lines.extend(shoe.iter().map(|shoe| format!("shoe {}", shoe.standing())));
        lines.extend(stored.iter().map(|shoe| format!("stored {}", shoe.standing())));
        lines.push(format!("of-shoe {rounds_of_shoe}"));
        lines.extend(burned.iter().map(|face| format!("burned {}", Or(*face, "??"))));
        lines.extend(faces.iter().map(|card| format!("face {card}")));
        lines.push(format!("shoes {shoes} next {next_batch}"));
        for batch in Batch::ALL.iter().filter(|batch| unwashed[**batch as usize]) {
            lines.push(format!("unwashed {batch}"));
        }
        for (is_so, word) in [(unseen, "unseen"), (is_loaded, "loaded"), (decks_due, "decks-due")] {
            lines.extend(is_so.then(|| word.to_owned()));
        }
        lines.push(format!("asked {first_offer}"));
        lines.extend(last_cut.iter().map(|cut| format!("last-cut {cut}")));
        lines
    }

    /// Reads the rest of one of those lines; false if it is not one.
    pub(super) fn resume(
        &mut self,
        keyword: &str,
        words: &mut Words<'_>,
        sheet: &TermSheet,
    ) -> Reading<bool> {
        match keyword {
            "method" => self.change_method(sheet, words.read()?),
            "dealer" => self.dealer = Some(words.read()?),
            "shoe" => {
                self.shoe = Some(TableShoe::resumed(words)?);
                self.stage = CardStage::Dealing;
            }
            "stored" => self.stored = Some(TableShoe::resumed(words)?),
            "of-shoe" => self.rounds_of_shoe = words.read()?,
            "burned" => self.burned.push(words.read()?),
            "face" => self.faces.push(words.read()?),
            "shoes" => {
                self.shoes = words.read()?;
                self.next_batch = words.after("next")?;
            }
            "unwashed" => self.unwashed[words.read::<Batch>()? as usize] = true,
            "unseen" => self.unseen = true,
            "loaded" => self.is_loaded = true,
            "decks-due" => self.decks_due = true,
            "asked" => self.first_offer = FirstOffer::read(words)?,
            "last-cut" => {
                let asked = Cutter::read(words)?;
                words.exactly("passed")?;
                let passed = std::iter::from_fn(|| words.peek().map(|_| words.bettor()));
                self.last_cut = Some(CutOffer { asked, passed: passed.collect::<Reading<_>>()? });
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Whether the numbers that were read are consistent.
    pub(super) fn is_whole(&self) -> bool {
        let fits = |shoe: &TableShoe| {
            let most = self.procedure.cards.min(shoe.size);
            let cut = shoe.cut.is_none_or(|cut| cut < shoe.size);
            cut && shoe.dealt <= most && shoe.burned <= shoe.dealt
        };
        self.shoe.is_some_and(|shoe| shoe.burned == self.burned.len())
            && self.shoe.iter().chain(&self.stored).all(fits)
    }
}

impl Table {
    /// The dealer, where one was named.
    pub fn dealer(&self) -> Option<&Name> {
        self.cards.dealer.as_ref()
    }

    /// The shoe in use, or the last one.
    pub fn shoe(&self) -> Option<&TableShoe> {
        self.cards.shoe.as_ref()
    }

    /// The shoe, while cards may still come from it.
    pub fn shoe_in_use(&self) -> Option<TableShoe> {
        self.cards.shoe_in_use()
    }

    /// The shoe that waits in the machine.
    pub fn stored(&self) -> Option<&TableShoe> {
        self.cards.stored.as_ref()
    }

    /// The shoe whose order is to be revealed now.
    pub fn to_reveal(&self) -> Option<&TableShoe> {
        self.cards.retired.first().filter(|_| matches!(self.cards.stage, CardStage::Retired(_)))
    }

    /// How many times cards have been shuffled.
    pub fn shoes(&self) -> u32 {
        self.cards.shoes
    }

    /// The commitments that are to be opened.
    pub fn commitments(&self) -> &[Commitment] {
        match &self.cards.stage {
            CardStage::Open(list) => &list.commitments,
            _ => &[],
        }
    }

    /// Whether the cards lie spread, and if so whether face up.
    pub fn spread_face_up(&self) -> Option<bool> {
        self.cards.spread_face_up()
    }

    /// How many hours the same cards may be used, where the book limits it (FBB-2-c).
    pub fn hours_of_decks(&self) -> Option<u32> {
        self.cards.procedure.book.hours_of_decks
    }
}
