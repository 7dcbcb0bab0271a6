//! The cards come to the table, are looked at, and leave it: opening, dealers, idle tables.

use super::account::Name;
use super::cut::FirstAsked;
use super::input::Decks;
use super::shuffle::{Batch, Stack};
use super::{Phase, Table, TableRefusal, TableShoe, Told, What};
use crate::card::Card;
use crate::wager::{Bettor, Game};

/// What is done with cards that have left the shoe, once their order is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// They are shuffled (CW-5-g, DAB-7-j-3, FBB-6-d-2).
    Shuffle,
    /// They are spread on the table (CW-5-h).
    Spread(Spread),
    /// They go, and others come (FBB-2-c).
    Away,
}

/// Why cards lie spread on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spread {
    /// They are new (CW-4-b).
    New,
    /// Nobody played (CW-5-h, FBB-4-h).
    Idle,
    /// A player asked for it (CW-5-h-2).
    Asked,
}

impl Table {
    /// A dealer comes, and in mid-shoe burns a card before the next round (CW-7-a, G-13).
    pub(super) fn change_dealer(
        &mut self,
        name: &Name,
        told: &mut Told,
    ) -> Result<(), TableRefusal> {
        if self.play.is_some() {
            return Err(TableRefusal::RoundInPlay);
        }
        if self.dealer.as_ref() == Some(name) {
            return Err(TableRefusal::SameDealer);
        }
        self.dealer = Some(name.clone());
        told.all(What::DealerCame(name.clone()));
        self.is_loaded = false;
        let burned = self.procedure.burned;
        if matches!(self.phase, Phase::Dealing) && burned > 0 {
            self.phase = Phase::Burning(burned);
        }
        Ok(())
    }

    /// Cards are received: to be looked at, or shuffled already (CW-4-a, FBB-3-a, G-30).
    pub(super) fn receive(&mut self, decks: &Decks, told: &mut Told) -> Result<(), TableRefusal> {
        if !matches!(self.phase, Phase::Bare) {
            return Err(self.not_awaited());
        }
        if matches!(decks, Decks::PreShuffled(_)) != self.procedure.pre_shuffled {
            return Err(TableRefusal::OtherSupply { pre_shuffled: self.procedure.pre_shuffled });
        }
        self.decks_due = false;
        self.first_asked = FirstAsked::FirstArrival;
        told.all(What::Received(decks.clone()));
        match decks {
            Decks::Inspected => self.spread(Spread::New, told),
            Decks::PreShuffled(_) => self.phase = Phase::Stacked(Stack::PreShuffled),
        }
        Ok(())
    }

    /// For how many hours the same cards may be used, where the book says so (FBB-2-c).
    pub fn hours_of_decks(&self) -> Option<u32> {
        (self.sheet.game() == Game::FreeBet).then_some(24)
    }

    /// A day is over: other cards come before the next round, and this one goes on (FBB-2-c,
    /// FBB-R28).
    pub(super) fn decks_due(&mut self, told: &mut Told) -> Result<(), TableRefusal> {
        if self.hours_of_decks().is_none() {
            return Err(TableRefusal::DecksStay);
        }
        if self.decks_due || matches!(self.phase, Phase::Bare) {
            return Err(self.not_awaited());
        }
        self.decks_due = true;
        told.all(What::DecksDue);
        if self.play.is_none() {
            self.retire(Next::Away, told);
        }
        Ok(())
    }

    /// Spreads the cards so that a player can look at them, each batch by itself (CW-4-b, CW-4-d,
    /// DDS-3-d, FBB-3-d).
    fn spread(&mut self, spread: Spread, told: &mut Told) {
        self.phase = Phase::Spread(spread);
        self.tell_spread(told);
    }

    /// Whether the cards lie spread, and if so whether face up.
    pub fn spread_face_up(&self) -> Option<bool> {
        let Phase::Spread(spread) = self.phase else { return None };
        Some(spread != Spread::Idle || self.procedure.idle_face_up)
    }

    /// Tells how the cards lie.
    pub(super) fn tell_spread(&self, told: &mut Told) {
        let (Phase::Spread(spread), Some(face_up)) = (&self.phase, self.spread_face_up()) else {
            return;
        };
        match (self.procedure.batches, spread) {
            (2, Spread::New) => {
                for batch in [Batch::First, Batch::Second] {
                    told.all(What::Spread { face_up, batch: Some(batch) });
                }
            }
            _ => told.all(What::Spread { face_up, batch: None }),
        }
    }

    /// The first player has seen the cards, and they are stacked (CW-4-c, CW-5-h, G-14).
    pub(super) fn inspect(&mut self, bettor: Bettor, told: &mut Told) -> Result<(), TableRefusal> {
        self.chair_of(bettor)?;
        let (Phase::Spread(spread), Some(first)) = (&self.phase, self.first_arrival()) else {
            return Err(self.not_awaited());
        };
        if first != bettor {
            return Err(self.not_awaited());
        }
        let spread = *spread;
        told.all(What::Inspected { bettor });
        match spread {
            Spread::New => self.unwashed = [true; 2],
            Spread::Idle if self.procedure.washes_idle() => {
                self.unwashed[self.next_batch as usize] = true;
            }
            Spread::Idle | Spread::Asked => {}
        }
        self.first_asked = FirstAsked::FirstArrival;
        match self.stored.take_if(|_| spread == Spread::Idle) {
            Some(stored) => {
                self.unseen = true;
                self.load_stored(stored, told);
            }
            None => self.phase = Phase::Stacked(Stack::Used),
        }
        Ok(())
    }

    /// A player wants to see the cards that came out of the machine at an idle table; they are then
    /// shuffled again (CW-5-h-2, FBB-4-h-2).
    pub(super) fn spread_on_request(
        &mut self,
        bettor: Bettor,
        told: &mut Told,
    ) -> Result<(), TableRefusal> {
        self.chair_of(bettor)?;
        let Some(shoe) = self.shoe_in_use().filter(|shoe| self.unseen && shoe.dealt == 0) else {
            return Err(TableRefusal::NothingToSpread);
        };
        self.next_batch = shoe.batch;
        self.retire(Next::Spread(Spread::Asked), told);
        Ok(())
    }

    /// Nobody plays: the shoe is done with and never resumed (CW-5-h, G-14).
    pub(super) fn idle(&mut self, told: &mut Told) -> Result<(), TableRefusal> {
        let is_idle =
            self.play.is_none() && self.chairs.iter().flatten().all(|c| c.wager.is_empty());
        match self.phase {
            Phase::Bare | Phase::Spread(_) | Phase::Retired(_) => Err(self.not_awaited()),
            Phase::Stacked(Stack::PreShuffled) => Err(self.not_awaited()),
            _ if !is_idle => Err(TableRefusal::NotIdle),
            _ => {
                let whole_opening = !self.procedure.keeps_stored();
                let spread = if whole_opening { Spread::New } else { Spread::Idle };
                self.retire(Next::Spread(spread), told);
                Ok(())
            }
        }
    }

    /// The house wants a shuffle although the cut card is not out (DAB-4-h, FBB-4-g, G-27).
    pub(super) fn reshuffle(&mut self, told: &mut Told) -> Result<(), TableRefusal> {
        if !self.procedure.reshuffle {
            return Err(TableRefusal::NoReshuffle);
        }
        if self.play.is_some() {
            return Err(TableRefusal::RoundInPlay);
        }
        if self.shoe_in_use().is_none() {
            return Err(self.not_awaited());
        }
        if self.rounds_of_shoe == 0 {
            return Err(TableRefusal::NoRoundYet);
        }
        self.first_asked = FirstAsked::FarRight;
        self.retire(Next::Shuffle, told);
        Ok(())
    }

    /// The cards left in the shoe join the others, so that none is missing (DAB-7-j-2, FBB-6-d-1), and
    /// wagers that wait for it go back.
    pub(super) fn retire(&mut self, next: Next, told: &mut Told) {
        self.clear_wagers(told);
        if let Some(shoe) = self.shoe_in_use() {
            told.all(What::Retired { shoe: shoe.number, left: shoe.left() });
            self.retired.push(shoe);
        }
        let all_go = matches!(next, Next::Away | Next::Spread(Spread::New));
        if let Some(stored) = self.stored.take_if(|_| all_go) {
            told.all(What::Retired { shoe: stored.number, left: stored.left() });
            self.retired.push(stored);
        }
        self.unseen = false;
        self.is_loaded &= next == Next::Shuffle;
        self.phase = Phase::Retired(next);
        self.go_on_when_revealed(told);
    }

    /// Records that the secret of a shoe is known.
    pub(super) fn reveal(&mut self, told: &mut Told) -> Result<(), TableRefusal> {
        let Phase::Retired(_) = self.phase else { return Err(self.not_awaited()) };
        let shoe = self.retired.remove(0);
        told.all(What::Revealed { shoe: shoe.number });
        self.go_on_when_revealed(told);
        Ok(())
    }

    /// Once every order is known, the cards are used again. At a physical table there is none.
    fn go_on_when_revealed(&mut self, told: &mut Told) {
        self.retired.retain(|shoe| shoe.seal.is_some());
        let Phase::Retired(next) = self.phase else { return };
        if !self.retired.is_empty() {
            return;
        }
        match next {
            Next::Shuffle => match self.stored.take() {
                Some(stored) => self.load_stored(stored, told),
                None => self.phase = Phase::Stacked(Stack::Used),
            },
            Next::Spread(spread) => self.spread(spread, told),
            Next::Away => self.phase = Phase::Bare,
        }
    }

    /// The shoe whose order is to be revealed now.
    pub fn to_reveal(&self) -> Option<&TableShoe> {
        self.retired.first().filter(|_| matches!(self.phase, Phase::Retired(_)))
    }

    /// The shoe, while cards may still come from it.
    pub fn shoe_in_use(&self) -> Option<TableShoe> {
        let in_use = matches!(
            self.phase,
            Phase::Mixing(_) | Phase::Cutting(_) | Phase::Burning(_) | Phase::Dealing
        );
        self.shoe.filter(|_| in_use)
    }

    /// Shows the burned cards of this shoe to everyone, as a player asked (DAB-7-c, DAB-R29).
    pub(super) fn show_burn(
        &mut self,
        bettor: Bettor,
        cards: &[Card],
        told: &mut Told,
    ) -> Result<(), TableRefusal> {
        self.chair_of(bettor)?;
        if !self.procedure.shows_burn {
            return Err(TableRefusal::BurnStaysHidden);
        }
        let burned = self.shoe_in_use().map_or(0, |shoe| shoe.burned);
        if burned == 0 || cards.len() != burned {
            return Err(TableRefusal::OtherBurn { burned });
        }
        for (at, &card) in cards.iter().enumerate() {
            match self.burned[at] {
                Some(seen) if seen != card => return Err(TableRefusal::BurnSeen { seen }),
                Some(_) => {}
                None => self.see_burned(at, card)?,
            }
        }
        told.all(What::BurnShown(cards.to_vec()));
        Ok(())
    }

    /// Everyone sees a burned card, and it is one of the faces of its shoe.
    fn see_burned(&mut self, at: usize, card: Card) -> Result<(), TableRefusal> {
        self.check_drawn(card)?;
        self.burned[at] = Some(card);
        if self.shoe.is_some_and(|shoe| shoe.seal.is_none()) {
            self.faces.push(card);
        }
        Ok(())
    }

    /// Who came first of those who are there.
    pub(super) fn first_arrival(&self) -> Option<Bettor> {
        let first = self.everyone().min_by_key(|(_, chair)| chair.arrival);
        first.map(|(bettor, _)| bettor)
    }
}
