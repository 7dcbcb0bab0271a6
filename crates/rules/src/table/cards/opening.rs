//! Cards arrive, are inspected, and leave: opening, dealers, idle tables.

use super::cut::FirstOffer;
use super::{Batch, CardHandling, CardStage, Stack, TableShoe};
use crate::card::Card;
use crate::refusal::ensure;
use crate::table::account::Name;
use crate::table::input::Decks;
use crate::table::{Answer, Events, Table, TableEvent, TableRefusal};
use crate::wager::Bettor;

/// What is done with the cards of a retired shoe, once its order is revealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NextUse {
    /// They are shuffled (CW-5-g, DAB-7-j-3, FBB-6-d-2).
    Shuffle,
    /// They are spread on the table (CW-5-h).
    Spread(Spread),
    /// They are replaced (FBB-2-c).
    Away,
}

/// Why cards lie spread on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spread {
    /// They are new (CW-4-b).
    New,
    /// Nobody played (CW-5-h, FBB-4-h).
    Idle,
    /// A player asked for it (CW-5-h-2).
    OnRequest,
}

impl CardHandling {
    /// Spreads the cards so that a player can inspect them, each batch separately (CW-4-b).
    fn spread(&mut self, spread: Spread, events: &mut Events) {
        self.stage = CardStage::Spread(spread);
        self.tell_spread(events);
    }

    /// Whether the cards lie spread, and if so whether face up.
    pub(crate) fn spread_face_up(&self) -> Option<bool> {
        let CardStage::Spread(spread) = self.stage else { return None };
        Some(spread != Spread::Idle || self.procedure.idle_face_up)
    }

    /// Reports how the cards are spread.
    #[doc(alias("CW-4-d", "DDS-3-d", "FBB-3-d"))]
    pub(crate) fn tell_spread(&self, events: &mut Events) {
        let (CardStage::Spread(spread), Some(face_up)) = (&self.stage, self.spread_face_up())
        else {
            return;
        };
        match (self.procedure.batches, spread) {
            (2, Spread::New) => {
                for batch in [Batch::First, Batch::Second] {
                    events.push(TableEvent::Spread { face_up, batch: Some(batch) });
                }
            }
            _ => events.push(TableEvent::Spread { face_up, batch: None }),
        }
    }

    /// The shoe, while cards may still come from it.
    pub(crate) fn shoe_in_use(&self) -> Option<TableShoe> {
        let in_use = matches!(
            self.stage,
            CardStage::Commit(_)
                | CardStage::Open(_)
                | CardStage::Cut(_)
                | CardStage::Burning(_)
                | CardStage::Dealing
        );
        self.shoe.filter(|_| in_use)
    }
}

impl Table {
    /// A dealer arrives, and in mid-shoe burns a card before the next round (CW-7-a, G-13).
    pub(crate) fn change_dealer(&mut self, name: &Name, events: &mut Events) -> Answer {
        ensure(!self.rounds.in_play(), TableRefusal::RoundInPlay)?;
        ensure(self.cards.dealer.as_ref() != Some(name), TableRefusal::SameDealer)?;
        self.cards.dealer = Some(name.clone());
        events.push(TableEvent::DealerCame(name.clone()));
        self.cards.is_loaded = false;
        let burned = self.cards.procedure.burned;
        if matches!(self.cards.stage, CardStage::Dealing) && burned > 0 {
            self.cards.stage = CardStage::Burning(burned);
        }
        Ok(())
    }

    /// Cards are received, to be inspected or already shuffled (CW-4-a, FBB-3-a, G-30).
    #[doc(alias("DDS-3-a", "FBB-3-e"))]
    pub(crate) fn receive(&mut self, decks: &Decks, events: &mut Events) -> Answer {
        ensure(matches!(self.cards.stage, CardStage::Bare), self.not_awaited())?;
        if matches!(decks, Decks::PreShuffled(_)) != self.cards.procedure.pre_shuffled {
            return Err(match self.cards.procedure.pre_shuffled {
                true => TableRefusal::CardsComeShuffled,
                false => TableRefusal::CardsAreInspected,
            });
        }
        self.cards.decks_due = false;
        self.cards.first_offer = FirstOffer::FirstArrival;
        events.push(TableEvent::Received(decks.clone()));
        match decks {
            Decks::Inspected => self.cards.spread(Spread::New, events),
            Decks::PreShuffled(_) => self.cards.stage = CardStage::Stacked(Stack::PreShuffled),
        }
        Ok(())
    }

    /// A day is over: the cards are changed before the next round; one in play goes on (FBB-R28).
    #[doc(alias = "FBB-2-c")]
    pub(crate) fn decks_due(&mut self, events: &mut Events) -> Answer {
        ensure(self.hours_of_decks().is_some(), TableRefusal::DecksStay)?;
        // While openings are awaited, somebody may know the order already: nothing replaces it unseen.
        if self.cards.decks_due || matches!(self.cards.stage, CardStage::Bare | CardStage::Open(_))
        {
            return Err(self.not_awaited());
        }
        self.cards.decks_due = true;
        events.push(TableEvent::DecksDue);
        if !self.rounds.in_play() {
            self.retire(NextUse::Away, events);
        }
        Ok(())
    }

    /// The first player has inspected the cards, and they are stacked (CW-4-c, CW-5-h, G-14).
    pub(crate) fn inspect(&mut self, bettor: Bettor, events: &mut Events) -> Answer {
        self.seats.chair_of(bettor)?;
        let CardStage::Spread(spread) = self.cards.stage else { return Err(self.not_awaited()) };
        ensure(self.seats.first_arrival() == Some(bettor), self.not_awaited())?;
        events.push(TableEvent::Inspected { bettor });
        match spread {
            Spread::New => self.cards.unwashed = [true; 2],
            Spread::Idle if self.cards.procedure.washes_idle() => {
                self.cards.unwashed[self.cards.next_batch as usize] = true;
            }
            Spread::Idle | Spread::OnRequest => {}
        }
        self.cards.first_offer = FirstOffer::FirstArrival;
        match self.cards.stored.take_if(|_| spread == Spread::Idle) {
            Some(stored) => {
                self.cards.unseen = true;
                self.load_stored(stored, events);
            }
            None => self.cards.stage = CardStage::Stacked(Stack::Used),
        }
        Ok(())
    }

    /// A player asks to see the cards that came out of the machine at an idle table; they are then
    /// shuffled again.
    #[doc(alias("CW-5-h-2", "FBB-4-h-2"))]
    pub(crate) fn spread_on_request(&mut self, bettor: Bettor, events: &mut Events) -> Answer {
        self.seats.chair_of(bettor)?;
        // Once the commitments are closed the order is fixed, and nobody may have it replaced.
        let is_open = |shoe: &TableShoe| match self.cards.stage {
            CardStage::Commit(_) => true,
            CardStage::Open(_) => false,
            _ => shoe.seal.is_none() && shoe.dealt == 0,
        };
        let Some(shoe) = self.cards.shoe_in_use().filter(|shoe| self.cards.unseen && is_open(shoe))
        else {
            return Err(TableRefusal::NothingToSpread);
        };
        self.cards.next_batch = shoe.batch;
        self.retire(NextUse::Spread(Spread::OnRequest), events);
        Ok(())
    }

    /// Nobody plays: the shoe is retired and never resumed (G-14). From the closed list of commitments
    /// until the shoe is loaded, nobody is asked to play.
    #[doc(alias("CW-5-h", "DDS-4-g", "FBB-4-h"))]
    pub(crate) fn idle(&mut self, events: &mut Events) -> Answer {
        let is_idle = !self.rounds.in_play() && self.seats.nobody_bets();
        let is_sealed = self.cards.shoe.is_some_and(|shoe| shoe.seal.is_some());
        match self.cards.stage {
            CardStage::Bare
            | CardStage::Spread(_)
            | CardStage::Stacked(Stack::PreShuffled)
            | CardStage::Open(_)
            | CardStage::Retired(_) => Err(self.not_awaited()),
            CardStage::Cut(_) | CardStage::Burning(_) if is_sealed => Err(self.not_awaited()),
            _ if !is_idle => Err(TableRefusal::NotIdle),
            _ => {
                let whole_opening = !self.cards.procedure.keeps_stored();
                let spread = if whole_opening { Spread::New } else { Spread::Idle };
                self.retire(NextUse::Spread(spread), events);
                Ok(())
            }
        }
    }

    /// The house orders a shuffle before the cut card comes out (G-27).
    #[doc(alias("DAB-4-h", "FBB-4-g"))]
    pub(crate) fn reshuffle(&mut self, events: &mut Events) -> Answer {
        ensure(self.cards.procedure.reshuffle, TableRefusal::NoReshuffle)?;
        ensure(!self.rounds.in_play(), TableRefusal::RoundInPlay)?;
        ensure(self.cards.shoe_in_use().is_some(), self.not_awaited())?;
        ensure(self.cards.rounds_of_shoe != 0, TableRefusal::NoRoundYet)?;
        self.cards.ask_far_right();
        self.retire(NextUse::Shuffle, events);
        Ok(())
    }

    /// The cards left in the shoe join the others, so that none is missing (DAB-7-j-2, FBB-6-d-1), and
    /// wagers already placed go back.
    #[doc(alias = "CW-5-h-2-i")]
    pub(crate) fn retire(&mut self, next: NextUse, events: &mut Events) {
        self.seats.clear_wagers(events);
        if let Some(shoe) = self.cards.shoe_in_use() {
            events.push(TableEvent::Retired { shoe: shoe.number, left: shoe.left() });
            self.cards.retired.push(shoe);
        }
        let all_go = matches!(next, NextUse::Away | NextUse::Spread(Spread::New));
        if let Some(stored) = self.cards.stored.take_if(|_| all_go) {
            events.push(TableEvent::Retired { shoe: stored.number, left: stored.left() });
            self.cards.retired.push(stored);
        }
        self.cards.unseen = false;
        self.cards.is_loaded &= next == NextUse::Shuffle;
        self.cards.stage = CardStage::Retired(next);
        self.use_again_when_revealed(events);
    }

    /// Records that the order of a shoe is revealed.
    pub(crate) fn reveal(&mut self, events: &mut Events) -> Answer {
        let CardStage::Retired(_) = self.cards.stage else { return Err(self.not_awaited()) };
        let shoe = self.cards.retired.remove(0);
        events.push(TableEvent::Revealed { shoe: shoe.number });
        self.use_again_when_revealed(events);
        Ok(())
    }

    /// Once every order is revealed, the cards are used again. A physical table has none to reveal.
    #[doc(alias("DAB-7-j-3", "FBB-6-d-2"))]
    fn use_again_when_revealed(&mut self, events: &mut Events) {
        self.cards.retired.retain(|shoe| shoe.seal.is_some());
        let CardStage::Retired(next) = self.cards.stage else { return };
        if !self.cards.retired.is_empty() {
            return;
        }
        match next {
            NextUse::Shuffle => match self.cards.stored.take() {
                Some(stored) => self.load_stored(stored, events),
                None => self.cards.stage = CardStage::Stacked(Stack::Used),
            },
            NextUse::Spread(spread) => self.cards.spread(spread, events),
            NextUse::Away => self.cards.stage = CardStage::Bare,
        }
    }

    /// Shows the burned cards of this shoe to everyone, as a player asked (DAB-7-c, DAB-R29).
    pub(crate) fn show_burn(
        &mut self,
        bettor: Bettor,
        cards: &[Card],
        events: &mut Events,
    ) -> Answer {
        self.seats.chair_of(bettor)?;
        ensure(self.cards.procedure.shows_burn, TableRefusal::BurnStaysHidden)?;
        let burned = self.cards.shoe_in_use().map_or(0, |shoe| shoe.burned);
        if burned == 0 || cards.len() != burned {
            return Err(TableRefusal::OtherBurn { burned });
        }
        for (at, &card) in cards.iter().enumerate() {
            match self.cards.burned[at] {
                Some(seen) if seen != card => return Err(TableRefusal::BurnSeen { seen }),
                Some(_) => {}
                None => self.see_burned(at, card)?,
            }
        }
        events.push(TableEvent::BurnShown(cards.to_vec()));
        Ok(())
    }

    /// Everyone sees a burned card, and it is one of the faces of its shoe.
    fn see_burned(&mut self, at: usize, card: Card) -> Answer {
        self.check_drawn(card)?;
        self.cards.burned[at] = Some(card);
        if self.cards.shoe.is_some_and(|shoe| shoe.seal.is_none()) {
            self.cards.faces.push(card);
        }
        Ok(())
    }
}
