//! The cards: the first deal, insurance and the check for a natural, later cards, the dealer's
//! hand.

use super::book::{Book, HoleCard, Stage};
use super::hand::{Fate, Hand};
use super::money::Backing;
use super::{Blackjack, MOST_HANDS, Phase, Reader};
use crate::card::Card;
use crate::refusal::{Refusal, Result};
use crate::round::{Audience, Event, Place, Record};
use crate::wager::{Bettor, Bettors, byte};

impl<B: Book, const SEATS: usize, const BETTORS: usize> Blackjack<B, SEATS, BETTORS> {
    // The first deal

    /// Deals a box its first card.
    #[inline(always)]
    pub(super) fn deal_first(&mut self, seat: u8, card: Card, record: &mut impl Record) -> Result {
        self.lay_first(seat, card, record)?;
        self.after_first(seat.into(), record);
        Ok(())
    }

    /// Places a box's first card.
    #[inline(always)]
    pub(super) fn lay_first(&mut self, seat: u8, card: Card, record: &mut impl Record) -> Result {
        Self::own_card(card)?;
        self.note_initial(seat, card, record);
        self.hand_mut(seat.into(), 0).begin(card);
        Ok(())
    }

    /// Moves on after a box's first card: to the next box, then to the dealer's up card or the
    /// second cards (DDB-R05).
    #[doc(alias("DAB-7-d-1", "DDB-P4", "FBB-6-e", "FBB-6-e-1"))]
    pub(super) fn after_first(&mut self, seat: usize, record: &mut impl Record) {
        match self.next_short(seat + 1, 1) {
            Some(seat) => self.phase = Phase::First { seat: byte(seat) },
            None if B::ATTACK => self.second_cards(0, record),
            None => self.phase = Phase::Up,
        }
    }

    /// Deals the dealer's up card.
    #[doc(alias = "DAB-7-d")]
    #[inline(always)]
    pub(super) fn deal_up(&mut self, card: Card, record: &mut impl Record) -> Result {
        self.lay_up(card, record)?;
        if B::ATTACK {
            self.phase = Phase::Attack;
            for seat in 0..SEATS {
                if self.stakes[seat].iter().any(|stakes| stakes.on[0] != Backing::Nothing) {
                    self.offer_attack(self.decider(seat));
                }
            }
            self.after_answer(record);
        } else {
            self.second_cards(0, record);
        }
        Ok(())
    }

    /// Places the dealer's up card.
    #[doc(alias = "FBB-6-e-2")]
    #[inline(always)]
    pub(super) fn lay_up(&mut self, card: Card, record: &mut impl Record) -> Result {
        Self::own_card(card)?;
        record.note(Event::dealt(Place::Dealer, card));
        self.dealer.begin(card);
        Ok(())
    }

    /// Deals a box its second card.
    #[inline(always)]
    pub(super) fn deal_second(&mut self, seat: u8, card: Card, record: &mut impl Record) -> Result {
        self.lay_second(seat, card, record)?;
        self.clear_late_card(seat.into(), 0);
        self.second_cards(usize::from(seat) + 1, record);
        Ok(())
    }

    /// Places a box's second card, which may make a natural.
    #[doc(alias("DAB-1-blackjack", "DDB-P8", "FBB-1-blackjack"))]
    #[inline(always)]
    pub(super) fn lay_second(&mut self, seat: u8, card: Card, record: &mut impl Record) -> Result {
        Self::own_card(card)?;
        self.note_initial(seat, card, record);
        let hand = self.take_card(seat.into(), 0, card);
        if hand.points().is_21() {
            hand.fate = Fate::Natural;
        }
        Ok(())
    }

    /// Notes one of a box's first two cards, which perhaps only its owner may see (DDB-R04).
    fn note_initial(&self, seat: u8, card: Card, record: &mut impl Record) {
        let audience = match self.terms.book.private_cards() {
            true => Audience::Box(seat),
            false => Audience::Everyone,
        };
        record.note(Event::Dealt { place: Place::Hand { seat, hand: 0 }, card, audience });
    }

    /// Moves on to the next second card from this box on, then to those owed late, to the dealer's
    /// up card if it was missed, and to the hole card.
    #[doc(alias("DAB-7-d-2", "DDB-P4", "FBB-6-e-3"))]
    #[inline(always)]
    pub(super) fn second_cards(&mut self, from: usize, record: &mut impl Record) {
        if let Some(seat) = self.next_short(from, 2) {
            self.phase = Phase::Second { seat: byte(seat) };
        } else if let Some((seat, _)) = self.next_owed() {
            self.phase = Phase::Second { seat: byte(seat) };
        } else if self.dealer.cards() == 0 {
            self.phase = Phase::Up;
        } else if self.hole_card() == HoleCard::None {
            self.deal_is_done(record);
        } else {
            self.phase = Phase::Hole;
        }
    }

    /// The next box, from this one on, whose hand is short of so many cards.
    pub(super) fn next_short(&self, from: usize, cards: u8) -> Option<usize> {
        (from..SEATS).find(|&seat| {
            let hand = self.hand(seat, 0);
            let short = hand.cards() < cards && hand.fate == Fate::Open && !hand.is_owed();
            short && self.has_wager(seat)
        })
    }

    /// The first hand that is owed a late card.
    pub(super) fn next_owed(&self) -> Option<(usize, usize)> {
        if self.owed == 0 {
            return None;
        }
        let open = |&(seat, hand): &(usize, usize)| {
            self.hand(seat, hand).is_owed() && self.hand(seat, hand).fate == Fate::Open
        };
        (0..SEATS).flat_map(|seat| (0..MOST_HANDS).map(move |hand| (seat, hand))).find(open)
    }

    /// Clears a late card that has been dealt, or never will be.
    pub(super) fn clear_late_card(&mut self, seat: usize, hand: usize) {
        if self.owed > 0 && self.hand(seat, hand).is_owed() {
            self.hand_mut(seat, hand).owe_no_more();
            self.owed -= 1;
        }
    }

    /// Deals the hole card, whose face is never in the round (FBB-6-b, DAB-7-b, DAB-7-i, DDB-P6,
    /// G-24).
    #[doc(alias("FBB-1-hole-card", "FBB-6-e-4"))]
    #[inline(always)]
    pub(super) fn lay_hole(&mut self, record: &mut impl Record) {
        record.note(Event::FaceDown(Place::Dealer));
        self.offer_insurance(record);
    }

    /// How the dealer's second card is dealt in this round.
    pub fn hole_card(&self) -> HoleCard {
        match self.terms.book.hole_card() {
            HoleCard::Reader if self.reader == Reader::OutOfUse => HoleCard::Unseen,
            hole_card => hole_card,
        }
    }

    // Before the hands are played

    /// Offers insurance, and even money, when an ace is up.
    #[doc(alias("DAB-11-a", "DDB-P19", "FBB-6-f", "FBB-7-a"))]
    #[inline(always)]
    pub(super) fn offer_insurance(&mut self, record: &mut impl Record) {
        if self.dealer.shows_ace() {
            self.asked = self.may_insure();
            if !self.asked.is_empty() {
                self.phase = Phase::Insurance;
                return;
            }
        }
        self.check_for_natural(record);
    }

    /// Everyone with a wager that the dealer's natural would take.
    fn may_insure(&self) -> Bettors {
        let mut insuring = Bettors::NONE;
        for bettor in Bettor::all(SEATS, BETTORS) {
            let stakes = self.stakes(bettor);
            if stakes.takes_part() && stakes.on[0] != Backing::Nothing {
                insuring.add(bettor);
            }
        }
        insuring
    }

    /// Asks the reader under an ace or a ten-value card, after insurance (FBB-6-g, DAB-7-i,
    /// DDB-R09).
    #[inline(always)]
    pub(super) fn check_for_natural(&mut self, record: &mut impl Record) {
        let due = self.dealer.may_have_natural() && self.hole_card() == HoleCard::Reader;
        match (due, self.dealer.cards()) {
            (false, _) => self.play_begins(record),
            (true, 1) => self.phase = Phase::Peek,
            (true, _) => self.hole_card_answers(record),
        }
    }

    /// A hole card that was seen too early answers for the reader.
    #[cold]
    fn hole_card_answers(&mut self, record: &mut impl Record) {
        match self.dealer.is_natural() {
            true => self.dealer_has_two_cards(record),
            false => self.reader_says_no(record),
        }
    }

    #[inline(always)]
    pub(super) fn reader_says_no(&mut self, record: &mut impl Record) {
        self.reader = Reader::No;
        self.settle_insurance(false, record);
        self.play_begins(record);
    }

    /// Whether the dealer may turn out to have a natural.
    pub fn natural_possible(&self) -> bool {
        let seen = self.dealer.cards() >= 2 && !self.dealer.is_natural();
        self.dealer.may_have_natural() && self.reader != Reader::No && !seen
    }

    // Cards that players ask for

    /// Deals a hand the card that was asked for.
    #[doc(alias("DAB-7-f", "FBB-6-i"))]
    #[inline(always)]
    pub(super) fn deal_more(
        &mut self,
        seat: u8,
        hand: u8,
        card: Card,
        record: &mut impl Record,
    ) -> Result {
        Self::own_card(card)?;
        record.note(Event::dealt(Place::Hand { seat, hand }, card));
        let (seat, hand) = (seat.into(), hand.into());
        self.clear_late_card(seat, hand);
        self.take_card(seat, hand, card);
        self.after_card(seat, hand, record);
        Ok(())
    }

    /// Refuses a card that this game's decks do not have.
    pub(super) fn own_card(card: Card) -> Result {
        match const { B::GAME.book().deck }.holds(card) {
            true => Ok(()),
            false => Err(Refusal::CardNotInDeck),
        }
    }

    // The dealer's hand

    /// Moves on to the dealer's hand (FBB-6-k, DDB-P16).
    #[doc(alias = "DAB-7-g")]
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

    /// Whether anything depends on the dealer's second card (DAB-R19).
    #[doc(alias = "DAB-12-c")]
    fn second_card_matters(&self) -> bool {
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
    pub(super) fn turn_hole(&mut self, card: Card, record: &mut impl Record) -> Result {
        self.check_hole(card)?;
        record.note(Event::Turned(card));
        self.give_dealer(card);
        self.dealer_has_two_cards(record);
        Ok(())
    }

    /// Deals the dealer a card after the players are done.
    #[inline(always)]
    pub(super) fn deal_dealer(&mut self, card: Card, record: &mut impl Record) -> Result {
        Self::own_card(card)?;
        record.note(Event::dealt(Place::Dealer, card));
        self.give_dealer(card);
        if self.dealer.cards() == 2 {
            self.dealer_has_two_cards(record);
        } else {
            self.settle_side(Stage::Drawing, record);
            self.dealer_goes_on(record);
        }
        Ok(())
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

    /// Whether a hand or a side wager waits for the dealer's cards: Push 22 needs a complete hand,
    /// the bonus a third card (FBB-R17, DAB-R18).
    #[doc(alias("DAB-12-c", "FBB-6-m"))]
    fn next_card_matters(&self) -> bool {
        self.waiting > 0 || self.has_side_wagers()
    }

    /// Whether a side wager is undecided.
    pub(super) fn has_side_wagers(&self) -> bool {
        B::SIDE.is_some() && self.stakes.iter().flatten().any(|stakes| !stakes.side.is_zero())
    }
}
