//! The dealer's hand.

use super::book::{Book, HoleCard, Stage};
use super::hand::{Fate, Hand};
use super::{Blackjack, Phase};
use crate::card::Card;
use crate::refusal::Refusal;
use crate::round::{Event, Record};

impl<B: Book, const SEATS: usize, const BETTORS: usize> Blackjack<B, SEATS, BETTORS> {
    /// Goes on to the dealer's hand (FBB-6-k, DAB-7-g, DDB-P16).
    #[inline]
    pub(super) fn players_are_done(&mut self, record: &mut impl Record) {
        if self.dealer.cards() == 2 {
            self.dealer_has_shown(record);
        } else if self.hole_card() != HoleCard::None {
            self.phase = Phase::Turn;
        } else if self.terms.book.second_card_always() || self.second_card_matters() {
            self.phase = Phase::Dealer;
        } else {
            self.settle_hands(record);
        }
    }

    /// Whether anything depends on the dealer's second card (DAB-12-c, DAB-R19).
    pub(super) fn second_card_matters(&self) -> bool {
        let held =
            |hand: &Hand| matches!(hand.fate, Fate::Natural | Fate::SurrenderHeld | Fate::BustHeld);
        let natural_matters = self.dealer.may_have_natural()
            && self.boxes.iter().any(|here| here.hands[..usize::from(here.count)].iter().any(held));
        let mut stakes = self.stakes.iter().flatten();
        self.waiting > 0
            || natural_matters
            || stakes.any(|stakes| !stakes.side.is_zero() || !stakes.insurance.is_zero())
    }

    /// Turns the hole card over.
    #[inline(always)]
    pub(super) fn turn_hole(
        &mut self,
        card: Card,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        self.check_hole(card)?;
        record.note(Event::Turned(card));
        self.give_dealer(card);
        self.dealer_has_two_cards(record);
        Ok(())
    }

    /// Gives the dealer a card.
    #[inline(always)]
    pub(super) fn give_dealer(&mut self, card: Card) {
        match Self::side_circle() {
            Some(_) => self.dealer.take(card),
            None => self.dealer.take_plainly(card),
        }
    }

    /// Plays on where the second card was seen too early.
    #[cold]
    pub(super) fn dealer_has_shown(&mut self, record: &mut impl Record) {
        self.dealer_has_two_cards(record);
    }

    /// Settles what the dealer's first two cards decide, and plays on.
    #[inline(always)]
    pub(super) fn dealer_has_two_cards(&mut self, record: &mut impl Record) {
        self.settle_side(Stage::Drawing, record);
        if self.dealer.is_natural() {
            self.settle_dealer_natural(record);
        } else {
            self.settle_insurance(false, record);
            self.settle_held(record);
            self.dealer_goes_on(record);
        }
    }

    /// Draws, unless the dealer must stand or nothing depends on another card
    /// (DAB-12-b, DAB-12-c, FBB-6-l, FBB-6-m, DDB-P17, DDB-R22).
    #[inline(always)]
    pub(super) fn dealer_goes_on(&mut self, record: &mut impl Record) {
        if self.terms.book.dealer_draws(self.dealer.points()) && self.next_card_matters() {
            self.phase = Phase::Dealer;
        } else {
            self.settle_side(Stage::Finished, record);
            self.settle_hands(record);
        }
    }

    /// Whether a hand or a live side wager waits for the dealer's cards: Push 22 has the dealer
    /// complete the hand, the bonus a third card be drawn (FBB-R17, DAB-R18).
    #[inline]
    pub(super) fn next_card_matters(&self) -> bool {
        self.waiting > 0 || Self::side_circle().is_some() && self.has_side_wagers()
    }

    /// Whether a side wager is undecided.
    #[inline]
    pub(super) fn has_side_wagers(&self) -> bool {
        self.stakes.iter().flatten().any(|stakes| !stakes.side.is_zero())
    }

    /// Refuses cards that this game's shoe does not have.
    #[inline]
    pub(super) fn own_card(card: Card) -> Result<(), Refusal> {
        match const { B::GAME.book().deck }.holds(card) {
            true => Ok(()),
            false => Err(Refusal::CardNotInDeck),
        }
    }
}
