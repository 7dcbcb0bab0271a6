//! Shortcuts for speed alone: the simulator plays hundreds of millions of rounds of one box.
//!
//! Nothing is decided here. [`Round::play`] follows the order of the deal instead of asking at every
//! step what is awaited, with the same result (a law checks that); a round of one box does not
//! search for its hands.

use super::book::{Book, HoleCard};
use super::hand::Hand;
use super::money::Stakes;
use super::{Blackjack, MOST_HANDS, Phase};
use crate::card::Card;
use crate::refusal::Result;
use crate::round::{Driver, Place, Record, Round};
use crate::wager::Bettor;

impl<B: Book, const SEATS: usize, const BETTORS: usize> Blackjack<B, SEATS, BETTORS> {
    /// The index of a box, known beforehand in a round of one.
    #[inline]
    pub(super) const fn index(seat: usize) -> usize {
        if SEATS == 1 { 0 } else { seat }
    }

    /// The same for the box of a phase.
    #[inline]
    const fn at_box(seat: u8) -> u8 {
        if SEATS == 1 { 0 } else { seat }
    }

    /// A hand; the remainder shows the compiler that its number is one of four.
    #[inline]
    pub fn hand(&self, seat: usize, hand: usize) -> &Hand {
        &self.boxes[Self::index(seat)].hands[hand % MOST_HANDS]
    }

    #[inline]
    pub(super) fn hand_mut(&mut self, seat: usize, hand: usize) -> &mut Hand {
        &mut self.boxes[Self::index(seat)].hands[hand % MOST_HANDS]
    }

    #[inline]
    pub(super) fn stakes(&self, bettor: Bettor) -> &Stakes {
        &self.stakes[Self::index(bettor.seat())][bettor.place()]
    }

    #[inline]
    pub(super) fn stakes_mut(&mut self, bettor: Bettor) -> &mut Stakes {
        &mut self.stakes[Self::index(bettor.seat())][bettor.place()]
    }

    /// How many hands a box in play has.
    #[inline]
    pub(super) fn count(&self, seat: usize) -> usize {
        usize::from(self.boxes[Self::index(seat)].count)
    }

    /// Whether there is a wager on a box; on the only box there always is.
    #[inline]
    pub(super) fn has_wager(&self, seat: usize) -> bool {
        SEATS == 1 || self.count(seat) > 0
    }

    /// Gives a hand a card, without copying the book.
    #[inline(always)]
    pub(super) fn take_card(&mut self, seat: usize, hand: usize, card: Card) -> &mut Hand {
        let hand = &mut self.boxes[Self::index(seat)].hands[hand % MOST_HANDS];
        hand.take(&self.terms.book, card);
        hand
    }

    /// Gives the dealer a card; suits and first cards are kept only for a side wager.
    #[inline]
    pub(super) fn give_dealer(&mut self, card: Card) {
        match B::SIDE {
            Some(_) => self.dealer.take(card),
            None => self.dealer.take_points(card),
        }
    }

    /// Goes to the first hand of all, which needs no search in a round of one box.
    #[inline(always)]
    pub(super) fn play_begins(&mut self, record: &mut impl Record) {
        if SEATS > 1 || !self.goes_to(0, 0, record) {
            self.play_from(0, usize::from(SEATS == 1), record);
        }
    }

    /// Offers insurance where the dealer has no hole card, out of line.
    #[inline(never)]
    pub(super) fn deal_is_done(&mut self, record: &mut impl Record) {
        self.offer_insurance(record);
    }

    /// Plays on where the second card was seen too early, out of line.
    #[cold]
    pub(super) fn dealer_has_shown(&mut self, record: &mut impl Record) {
        self.dealer_has_two_cards(record);
    }

    /// Plays a round in the order of its deal, as far as nothing has been put out of turn.
    #[inline(always)]
    pub(super) fn play_in_order(
        &mut self,
        driver: &mut impl Driver<Self>,
        record: &mut impl Record,
    ) -> Result {
        self.play_deal(driver, record)?;
        self.play_hands(driver, record)?;
        self.play_dealer(driver, record)
    }

    /// Deals the first cards, and looks for the dealer's natural.
    #[inline(always)]
    fn play_deal(&mut self, driver: &mut impl Driver<Self>, record: &mut impl Record) -> Result {
        if SEATS == 1 && !B::ATTACK && matches!(self.phase, Phase::First { .. }) {
            self.deal_to_one(driver, record)?;
        } else {
            self.deal_to_all(driver, record)?;
        }
        if let Phase::Insurance = self.phase {
            self.play_answers(driver, record)?;
        }
        if let Phase::Peek = self.phase {
            self.peek(self.reader_answer(driver.hole()), record)?;
        }
        Ok(())
    }

    /// Deals to the only box: nobody is asked in between, so the cards leave the shoe together.
    #[inline(always)]
    fn deal_to_one(&mut self, driver: &mut impl Driver<Self>, record: &mut impl Record) -> Result {
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
    fn deal_to_all(&mut self, driver: &mut impl Driver<Self>, record: &mut impl Record) -> Result {
        if B::ATTACK {
            self.play_up(driver, record)?;
        }
        while let Phase::First { seat } = self.phase {
            self.deal_first(Self::at_box(seat), driver.card(), record)?;
        }
        if !B::ATTACK {
            self.play_up(driver, record)?;
        }
        while let Phase::Second { seat } = self.phase {
            self.deal_second(Self::at_box(seat), driver.card(), record)?;
        }
        if let Phase::Hole = self.phase {
            driver.face_down(Place::Dealer);
            self.lay_hole(record);
        }
        Ok(())
    }

    /// Deals the dealer's up card, with the offer to attack.
    #[inline(always)]
    fn play_up(&mut self, driver: &mut impl Driver<Self>, record: &mut impl Record) -> Result {
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
    fn play_hands(&mut self, driver: &mut impl Driver<Self>, record: &mut impl Record) -> Result {
        self.play_on(driver, record)?;
        while let Phase::Play { seat, hand } = self.phase {
            let seat = usize::from(Self::at_box(seat));
            let act = driver.decide(self, self.decider(seat));
            self.decide(seat, hand.into(), act, record)?;
            self.play_on(driver, record)?;
        }
        Ok(())
    }

    /// Asks the others on a box, and deals the cards that are due, until a hand decides again.
    #[inline(always)]
    fn play_on(&mut self, driver: &mut impl Driver<Self>, record: &mut impl Record) -> Result {
        while BETTORS > 1
            && let Phase::Follow { .. } | Phase::Cover { .. } = self.phase
        {
            self.play_answers(driver, record)?;
        }
        while let Phase::Card { seat, hand } = self.phase {
            self.deal_more(Self::at_box(seat), hand, driver.card(), record)?;
        }
        Ok(())
    }

    /// Plays the dealer's hand.
    #[inline(always)]
    fn play_dealer(&mut self, driver: &mut impl Driver<Self>, record: &mut impl Record) -> Result {
        if let Phase::Turn = self.phase {
            self.turn_hole(driver.hole(), record)?;
        }
        while let Phase::Dealer = self.phase {
            self.deal_dealer(driver.card(), record)?;
        }
        Ok(())
    }

    /// Takes the answers of everyone who is asked.
    fn play_answers(&mut self, driver: &mut impl Driver<Self>, record: &mut impl Record) -> Result {
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
