//! The shuffle: its steps, the batch that waits in the machine, and discards in mid-round.

use super::procedure::{CutBy, Method, Procedure};
use super::{CardHandling, CardStage, TableShoe};
use crate::names::names;
use crate::notation::named;
use crate::refusal::ensure;
use crate::shoe::refill;
use crate::table::input::Seal;
use crate::table::{Answer, Events, Table, TableEvent, TableRefusal};

names! {
    /// One step of a shuffle.
    ShuffleStep {
        /// Spread cards are mixed face down (CW-4-c).
        Wash "wash"
        /// Cards that were not dealt go among the discards (CW-5-i-1).
        Plug "plug"
        /// Two piles are interlaced (CW-5-i-2).
        Riffle "riffle"
        /// One of two piles is turned around before they are riffled (CW-5-i-3).
        Turn "turn"
        /// Running cuts (CW-5-i-4).
        Strip "strip"
        /// The last step (CW-5-i-5).
        Cut "cut"
        /// By an automated machine.
        Machine "machine"
        /// By a continuous machine, which takes all cards back after every round (FBB-4-i).
        Continuous "continuous"
        /// Done before the cards came to the table (CW-4-a).
        PreShuffled "pre-shuffled"
    }
}

impl ShuffleStep {
    /// A shuffle by hand as a dealer would usually do it (G-11).
    pub const BY_HAND: [ShuffleStep; 8] = [
        ShuffleStep::Plug,
        ShuffleStep::Riffle,
        ShuffleStep::Riffle,
        ShuffleStep::Strip,
        ShuffleStep::Riffle,
        ShuffleStep::Turn,
        ShuffleStep::Riffle,
        ShuffleStep::Cut,
    ];
}

names! {
    /// One of two batches of cards that are used in turn, and hold the same decks (CW-2-d-2, DDS-2-b-1,
    /// FBB-2-b-1).
    Batch {
        /// The one used first, or the only one.
        First "first"
        /// The one used after it.
        Second "second"
    }
}

impl Batch {
    /// The batch that is used next (CW-2-d-5).
    #[must_use]
    pub const fn other(self) -> Batch {
        match self {
            Batch::First => Batch::Second,
            Batch::Second => Batch::First,
        }
    }
}

named!(ShuffleStep: "a step of a shuffle", Batch: "a batch");

/// Where the stack that is to be shuffled came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stack {
    /// From a shoe, or from a spread.
    Used,
    /// From where it was shuffled before (CW-4-a).
    PreShuffled,
}

impl CardHandling {
    /// Cards in a new order, of the batch whose turn it is.
    #[doc(alias("CW-2-d-5", "DDS-2-b-4", "FBB-2-b-4"))]
    fn shuffled(&mut self, seal: Option<Seal>, events: &mut Events) -> TableShoe {
        let batch = self.next_batch;
        self.unwashed[batch as usize] = false;
        if self.procedure.batches == 2 {
            self.next_batch = batch.other();
        }
        self.shoes += 1;
        let shoe = TableShoe::new(self.shoes, batch, seal, &self.procedure);
        events.push(TableEvent::Shuffled { shoe: shoe.number, seal, cards: shoe.size_in_event() });
        shoe
    }
}

impl Table {
    /// Whether the machine can shuffle the other batch while this one is in use.
    #[doc(alias("CW-2-d-4", "DDS-2-b-3", "FBB-2-b-3"))]
    pub fn may_store(&self) -> bool {
        let cards = &self.cards;
        let is_free = cards.stored.is_none() && !cards.unseen && !cards.decks_due;
        cards.procedure.batches == 2 && is_free && cards.shoe_in_use().is_some()
    }

    /// The usual steps of the shuffle that is due.
    pub fn usual_shuffle(&self) -> Vec<ShuffleStep> {
        let mut steps = Vec::new();
        if matches!(self.cards.stage, CardStage::Stacked(Stack::PreShuffled)) {
            return vec![ShuffleStep::PreShuffled];
        }
        if self.is_unwashed() && self.cards.procedure.washes_new() {
            steps.push(ShuffleStep::Wash);
        }
        match self.cards.procedure.method {
            Method::Manual => steps.extend(ShuffleStep::BY_HAND),
            Method::Machine => steps.push(ShuffleStep::Machine),
            Method::Continuous => steps.push(ShuffleStep::Continuous),
        }
        steps
    }

    /// The cards are shuffled, and are stacked or wait in the machine (CW-5-a, CW-2-d-4).
    #[doc(alias = "DAB-4-a")]
    pub(crate) fn shuffle(
        &mut self,
        seal: Option<Seal>,
        steps: &[ShuffleStep],
        events: &mut Events,
    ) -> Answer {
        if self.needs_refill() {
            return self.refill(seal, steps, events);
        }
        match self.cards.stage {
            CardStage::Stacked(stack) if !self.seats.is_deserted() => {
                self.check_steps(steps, stack)?;
                let shoe = self.cards.shuffled(seal, events);
                self.begin_shoe(shoe, stack, events);
                Ok(())
            }
            _ if self.may_store() => {
                self.check_steps(steps, Stack::Used)?;
                self.cards.stored = Some(self.cards.shuffled(seal, events));
                Ok(())
            }
            _ => Err(self.not_awaited()),
        }
    }

    /// The batch that the machine has shuffled in the meantime comes out (CW-2-d-4, CW-5-h-2-i,
    /// DDS-2-b-3, FBB-2-b-3). The other one has left the table by then: only one batch is ever in
    /// the discard rack.
    #[doc(alias("CW-2-d-6", "DDS-2-b-5", "FBB-2-b-5"))]
    pub(crate) fn load_stored(&mut self, stored: TableShoe, events: &mut Events) {
        events.push(TableEvent::Loaded { shoe: stored.number, batch: stored.batch });
        self.begin_shoe(stored, Stack::Used, events);
    }

    /// A shoe comes into use, and everybody seated may bet (G-25).
    #[doc(alias = "FBB-5-b-2")]
    fn begin_shoe(&mut self, shoe: TableShoe, stack: Stack, events: &mut Events) {
        self.cards.shoe = Some(shoe);
        self.cards.burned.clear();
        self.cards.faces.clear();
        self.cards.rounds_of_shoe = 0;
        self.seats.begin_shoe();
        self.offer_first_cut(self.cards.procedure.cut_by(stack), events);
    }

    /// Whether the cards that are shuffled next have lain spread on the table (CW-4-c).
    fn is_unwashed(&self) -> bool {
        self.cards.unwashed[self.cards.next_batch as usize] && !self.needs_refill()
    }

    /// Whether these steps are a proper shuffle here (CW-5-i, DAB-4-k, FBB-4-j).
    #[doc(alias = "DAB-4-i")]
    fn check_steps(&self, steps: &[ShuffleStep], stack: Stack) -> Answer {
        if stack == Stack::PreShuffled {
            return match steps {
                [ShuffleStep::PreShuffled] => Ok(()),
                _ => Err(TableRefusal::ArePreShuffled),
            };
        }
        let washes = steps.iter().take_while(|step| **step == ShuffleStep::Wash).count();
        let steps = &steps[washes..];
        match (self.cards.procedure.method, steps) {
            _ if self.is_unwashed() && self.cards.procedure.washes_new() && washes == 0 => {
                Err(TableRefusal::NotWashed)
            }
            _ if !self.is_unwashed() && washes > 0 => Err(TableRefusal::WashedLate),
            (Method::Machine, [ShuffleStep::Machine]) => Ok(()),
            (Method::Continuous, [ShuffleStep::Continuous]) => Ok(()),
            // DAB-4-i: whatever was approved; no table can check what that is.
            (Method::Manual, _) if self.cards.procedure.is_custom => Ok(()),
            (Method::Manual, steps) => by_hand(steps),
            (method, _) => Err(TableRefusal::OtherMethod { method }),
        }
    }

    /// Whether the round in play needs a card, and the shoe has none (G-18).
    pub(crate) fn needs_refill(&self) -> bool {
        matches!(self.cards.stage, CardStage::Dealing)
            && self.cards.shoe.is_some_and(|shoe| shoe.left() == 0)
            && self.rounds.play().is_some_and(|play| play.awaits_card())
    }

    /// The discards are shuffled in the middle of a round; what lies on the table stays (G-18).
    #[doc(alias("DAB-15-h", "FBB-11-g"))]
    fn refill(&mut self, seal: Option<Seal>, steps: &[ShuffleStep], events: &mut Events) -> Answer {
        self.check_steps(steps, Stack::Used)?;
        let (Some(shoe), Some(_)) = (self.cards.shoe, self.rounds.play()) else {
            return Err(self.not_awaited());
        };
        let Procedure { cards, burned, .. } = self.cards.procedure;
        let size = refill(cards, self.layout().len(), burned).ok_or(TableRefusal::ShoeEmpty)?;
        self.cards.retired.push(shoe);
        self.cards.shoes += 1;
        let shoe = shoe.refill(self.cards.shoes, seal, size);
        events.push(TableEvent::Shuffled { shoe: shoe.number, seal, cards: shoe.size_in_event() });
        self.cards.shoe = Some(shoe);
        self.cards.burned.clear();
        self.cards.faces = self.layout().into_iter().flatten().collect();
        match self.cards.procedure.cut_by(Stack::Used) {
            // Nobody chooses anything in mid-round where an order is sealed: the cut is drawn.
            CutBy::Players if seal.is_some() => self.offer_first_cut(CutBy::Dealer, events),
            cut_by => self.offer_first_cut(cut_by, events),
        }
        Ok(())
    }
}

/// Checks the steps of a shuffle by hand.
#[doc(alias("CW-5-i-1", "CW-5-i-2", "CW-5-i-3", "CW-5-i-4", "CW-5-i-5", "DAB-4-k-1", "DAB-4-k-2"))]
#[doc(alias("DAB-4-k-3", "DAB-4-k-4", "DAB-4-k-5", "FBB-4-j-1", "FBB-4-j-2", "FBB-4-j-3"))]
#[doc(alias("FBB-4-j-4", "FBB-4-j-5"))]
fn by_hand(steps: &[ShuffleStep]) -> Answer {
    use ShuffleStep::{Cut, Plug, Riffle, Strip, Turn, Wash};
    for step in steps {
        match step {
            Plug | Riffle | Turn | Strip | Cut => {}
            Wash => return Err(TableRefusal::WashedLate),
            _ => return Err(TableRefusal::OtherMethod { method: Method::Manual }),
        }
    }
    for (step, missing) in [
        (Plug, TableRefusal::NoPlug),
        (Riffle, TableRefusal::NoRiffle),
        (Turn, TableRefusal::NoTurn),
        (Strip, TableRefusal::NoStrip),
        (Cut, TableRefusal::NoCut),
    ] {
        ensure(steps.contains(&step), missing)?;
    }
    let before = |step| steps.iter().position(|found| *found == step).map(|at| &steps[..at]);
    let riffles = |steps: &[ShuffleStep]| steps.iter().filter(|step| **step == Riffle).count();
    ensure(before(Strip).is_none_or(|steps| riffles(steps) >= 2), TableRefusal::StripTooEarly)?;
    if steps.windows(2).any(|pair| pair[0] == Turn && pair[1] != Riffle) {
        return Err(TableRefusal::TurnNotRiffled);
    }
    ensure(
        before(Cut).is_some_and(|before| before.len() + 1 == steps.len()),
        TableRefusal::CutNotLast,
    )
}
