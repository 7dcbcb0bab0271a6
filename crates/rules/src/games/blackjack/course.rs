//! The course of a round from the first card to the last, with the answers of a driver.

use super::book::{Book, HoleCard};
use super::{Blackjack, Phase};
use crate::refusal::Refusal;
use crate::round::{Driver, Place, Record, Round};
use crate::wager::Bettor;

impl<B: Book, const SEATS: usize, const BETTORS: usize> Blackjack<B, SEATS, BETTORS> {
    /// Deals the first cards, and looks for the dealer's natural.
    #[inline(always)]
    pub(super) fn play_deal(
        &mut self,
        driver: &mut impl Driver<Self>,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        if SEATS == 1 && !B::ATTACK && matches!(self.phase, Phase::First { .. }) {
            self.play_deal_to_one(driver, record)?;
        } else {
            self.play_deal_to_all(driver, record)?;
        }
        if let Phase::Insurance = self.phase {
            self.play_answers(driver, record)?;
        }
        if let Phase::Peek = self.phase {
            self.peek(self.reader_answer(driver.hole()), record)?;
        }
        Ok(())
    }

    /// Deals to the only box of a round: nobody is asked in between, so the cards are taken from the
    /// shoe one after the other.
    #[inline(always)]
    fn play_deal_to_one(
        &mut self,
        driver: &mut impl Driver<Self>,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        let [first, up, second] = driver.cards();
        self.lay_first(0, first, record)?;
        self.lay_up(up, record)?;
        self.lay_second(0, second, record)?;
        if self.hole_card() == HoleCard::None {
            self.deal_is_done(record);
        } else {
            driver.face_down(Place::Dealer);
            self.lay_hole(record);
        }
        Ok(())
    }

    /// Deals to every box in turn.
    #[inline(always)]
    fn play_deal_to_all(
        &mut self,
        driver: &mut impl Driver<Self>,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        if B::ATTACK {
            self.play_up(driver, record)?;
        }
        while let Phase::First { seat } = self.phase {
            self.deal_first(seat, driver.card(), record)?;
        }
        if !B::ATTACK {
            self.play_up(driver, record)?;
        }
        while let Phase::Second { seat } = self.phase {
            self.deal_second(seat, driver.card(), record)?;
        }
        if let Phase::Hole = self.phase {
            driver.face_down(Place::Dealer);
            self.lay_hole(record);
        }
        Ok(())
    }

    /// Deals the dealer's up card, with the offer to attack.
    #[inline(always)]
    fn play_up(
        &mut self,
        driver: &mut impl Driver<Self>,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        if let Phase::Up = self.phase {
            self.deal_up(driver.card(), record)?;
        }
        while let Phase::Attack = self.phase {
            self.play_answers(driver, record)?;
        }
        Ok(())
    }

    /// Plays the hands, box by box.
    #[inline(always)]
    pub(super) fn play_hands(
        &mut self,
        driver: &mut impl Driver<Self>,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        self.play_what_follows(driver, record)?;
        while let Phase::Play { seat, hand } = self.phase {
            let act = driver.decide(self, self.decider(seat.into()));
            self.decide(seat.into(), hand.into(), act, record)?;
            self.play_what_follows(driver, record)?;
        }
        Ok(())
    }

    /// Asks the others on a box, and deals the cards that are due, until a hand decides again.
    #[inline(always)]
    fn play_what_follows(
        &mut self,
        driver: &mut impl Driver<Self>,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        while BETTORS > 1
            && let Phase::Follow { .. } | Phase::Cover { .. } = self.phase
        {
            self.play_answers(driver, record)?;
        }
        while let Phase::Card { seat, hand } = self.phase {
            self.deal_more(seat, hand, driver.card(), record)?;
        }
        Ok(())
    }

    /// Plays the dealer's hand.
    #[inline(always)]
    pub(super) fn play_dealer(
        &mut self,
        driver: &mut impl Driver<Self>,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        if let Phase::Turn = self.phase {
            self.turn_hole(driver.hole(), record)?;
        }
        while let Phase::Dealer = self.phase {
            self.deal_dealer(driver.card(), record)?;
        }
        Ok(())
    }

    /// Takes the answers of everyone who is asked.
    fn play_answers(
        &mut self,
        driver: &mut impl Driver<Self>,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        if SEATS * BETTORS == 1 {
            let bettor = Bettor::at(0);
            return self.answer(bettor, driver.decide(self, bettor), record);
        }
        for bettor in self.asked.iter() {
            self.answer(bettor, driver.decide(self, bettor), record)?;
        }
        Ok(())
    }
}
