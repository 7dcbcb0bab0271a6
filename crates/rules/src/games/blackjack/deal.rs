//! The deal, insurance, and the look for a natural.

use super::book::{Book, HoleCard, Stage};
use super::hand::Fate;
use super::stakes::On;
use super::{Blackjack, MOST_HANDS, Phase, Reader};
use crate::card::Card;
use crate::refusal::Refusal;
use crate::round::{Audience, Event, Place, Record};
use crate::wager::{Bettor, Bettors, byte};

impl<B: Book, const SEATS: usize, const BETTORS: usize> Blackjack<B, SEATS, BETTORS> {
    /// The next box, from this one on, whose hand is short of so many cards.
    #[inline]
    pub(super) fn next_short(&self, from: usize, cards: u8) -> Option<usize> {
        (from..SEATS).find(|&seat| {
            let hand = self.hand(seat, 0);
            let short = hand.cards() < cards && hand.fate == Fate::Open && !hand.is_owed();
            short && self.has_wager(seat)
        })
    }

    /// Whether somebody bets on a box; on the only one there is, somebody does.
    #[inline]
    fn has_wager(&self, seat: usize) -> bool {
        SEATS == 1 || self.count(seat) > 0
    }

    /// The first hand that is owed a late card.
    #[inline]
    pub(super) fn next_owed(&self) -> Option<(usize, usize)> {
        if self.owed == 0 {
            return None;
        }
        let open = |&(seat, hand): &(usize, usize)| {
            self.hand(seat, hand).is_owed() && self.hand(seat, hand).fate == Fate::Open
        };
        (0..SEATS).flat_map(|seat| (0..MOST_HANDS).map(move |hand| (seat, hand))).find(open)
    }

    /// Goes on after a box's first card: the others', then the dealer's or the second ones
    /// (FBB-6-e, FBB-6-e-1, FBB-6-e-2, FBB-6-e-3, DDB-P4, DDB-R05, DAB-7-d-1, DAB-7-d-2).
    #[inline]
    pub(super) fn after_first(&mut self, seat: usize, record: &mut impl Record) {
        match self.next_short(seat + 1, 1) {
            Some(seat) => self.phase = Phase::First { seat: byte(seat) },
            None if B::ATTACK => self.second_cards(0, record),
            None => self.phase = Phase::Up,
        }
    }

    /// Goes on to the second card of the boxes from this one on, then to those owed one late, the
    /// dealer's up card where it was missed, and the hole card.
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

    /// Takes the hole card unseen: no face-down card is ever in the round
    /// (FBB-1-hole-card, FBB-6-e-4, FBB-6-b, DAB-7-b, DAB-7-i, DDB-P6, G-24).
    #[inline(always)]
    pub(super) fn lay_hole(&mut self, record: &mut impl Record) {
        record.note(Event::FaceDown(Place::Dealer));
        self.offer_insurance(record);
    }

    /// Goes on where the dealer has no hole card.
    #[inline(never)]
    pub(super) fn deal_is_done(&mut self, record: &mut impl Record) {
        self.offer_insurance(record);
    }

    /// Deals a box its first card.
    #[inline(always)]
    pub(super) fn deal_first(
        &mut self,
        seat: u8,
        card: Card,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        self.lay_first(seat, card, record)?;
        self.after_first(Self::known(seat.into()), record);
        Ok(())
    }

    /// Lays a box's first card.
    #[inline(always)]
    pub(super) fn lay_first(
        &mut self,
        seat: u8,
        card: Card,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        Self::own_card(card)?;
        self.note_initial(seat, card, record);
        self.hand_mut(seat.into(), 0).begin(card);
        Ok(())
    }

    /// Deals the dealer's up card.
    #[inline(always)]
    pub(super) fn deal_up(&mut self, card: Card, record: &mut impl Record) -> Result<(), Refusal> {
        self.lay_up(card, record)?;
        if B::ATTACK {
            self.phase = Phase::Attack;
            for seat in 0..SEATS {
                if self.has_live_box(seat) {
                    self.offer_attack(self.decider(seat));
                }
            }
            self.after_answer(record);
        } else {
            self.second_cards(0, record);
        }
        Ok(())
    }

    /// Lays the dealer's up card.
    #[inline(always)]
    pub(super) fn lay_up(&mut self, card: Card, record: &mut impl Record) -> Result<(), Refusal> {
        Self::own_card(card)?;
        record.note(Event::dealt(Place::Dealer, card));
        self.dealer.begin(card);
        Ok(())
    }

    /// Deals a box its second card.
    #[inline(always)]
    pub(super) fn deal_second(
        &mut self,
        seat: u8,
        card: Card,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        self.lay_second(seat, card, record)?;
        self.pay_debt(seat.into(), 0);
        self.second_cards(Self::known(seat.into()) + 1, record);
        Ok(())
    }

    /// Lays a box's second card, which may make a natural (DAB-1-blackjack, FBB-1-blackjack, DDB-P8).
    #[inline(always)]
    pub(super) fn lay_second(
        &mut self,
        seat: u8,
        card: Card,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        Self::own_card(card)?;
        self.note_initial(seat, card, record);
        let seat = Self::known(seat.into());
        let book = &self.terms.book;
        let hand = &mut self.boxes[seat].hands[0];
        hand.take(book, card);
        if hand.points().is_21() {
            hand.fate = Fate::Natural;
        }
        Ok(())
    }

    /// Deals a hand the card that its decision asked for (DAB-7-f, FBB-6-i).
    #[inline(always)]
    pub(super) fn deal_more(
        &mut self,
        seat: u8,
        hand: u8,
        card: Card,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        Self::own_card(card)?;
        let (place, audience) = (Place::Hand { seat, hand }, Audience::Everyone);
        record.note(Event::Dealt { place, card, audience });
        let (seat, hand) = (Self::known(seat.into()), hand.into());
        self.take_card(seat, hand, card);
        self.after_card(seat, hand, record);
        Ok(())
    }

    /// Deals the dealer a card after the players are done.
    #[inline(always)]
    pub(super) fn deal_dealer(
        &mut self,
        card: Card,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        self.take_dealer(card, record)?;
        if self.dealer.cards() == 2 {
            self.dealer_has_two_cards(record);
        } else {
            self.settle_side(Stage::Drawing, record);
            self.dealer_goes_on(record);
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn take_dealer(
        &mut self,
        card: Card,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        Self::own_card(card)?;
        record.note(Event::dealt(Place::Dealer, card));
        self.give_dealer(card);
        Ok(())
    }

    /// Ends a debt: the late card is dealt, or will never be.
    #[inline]
    pub(super) fn pay_debt(&mut self, seat: usize, hand: usize) {
        if self.owed > 0 && self.hand(seat, hand).is_owed() {
            self.hand_mut(seat, hand).owe_no_more();
            self.owed -= 1;
        }
    }

    /// Gives a hand a card, which may be one that it was owed.
    #[inline(always)]
    fn take_card(&mut self, seat: usize, hand: usize, card: Card) {
        self.pay_debt(seat, hand);
        let book = &self.terms.book;
        self.boxes[Self::known(seat)].hands[hand % MOST_HANDS].take(book, card);
    }

    /// Notes one of a box's first two cards, which its owner alone may see (DDB-R04).
    #[inline]
    pub(super) fn note_initial(&self, seat: u8, card: Card, record: &mut impl Record) {
        let audience = match self.terms.book.private_cards() {
            true => Audience::Box(seat),
            false => Audience::Everyone,
        };
        record.note(Event::Dealt { place: Place::Hand { seat, hand: 0 }, card, audience });
    }

    /// How the dealer's second card is dealt in this round.
    #[inline]
    pub fn hole_card(&self) -> HoleCard {
        match self.terms.book.hole_card() {
            HoleCard::Reader if self.reader == Reader::OutOfUse => HoleCard::Unseen,
            hole_card => hole_card,
        }
    }

    /// Offers insurance, and even money, when an ace is up (DAB-11-a, FBB-6-f, FBB-7-a, DDB-P19).
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
    #[inline]
    fn may_insure(&self) -> Bettors {
        let mut insuring = Bettors::NONE;
        for bettor in Bettor::all(SEATS, BETTORS) {
            let stakes = self.stakes(bettor);
            if stakes.takes_part() && stakes.on[0] != On::Nothing {
                insuring.add(bettor);
            }
        }
        insuring
    }

    /// Asks the reader under an ace or a ten-value card, once insurance is answered
    /// (FBB-6-g, DAB-7-i, DDB-R09).
    #[inline(always)]
    pub(super) fn check_for_natural(&mut self, record: &mut impl Record) {
        let due = self.dealer.may_have_natural() && self.hole_card() == HoleCard::Reader;
        match (due, self.dealer.cards()) {
            (true, 1) => self.phase = Phase::Peek,
            (true, _) => self.hole_card_answers(record),
            (false, _) => self.play_begins(record),
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
    #[inline]
    pub fn natural_possible(&self) -> bool {
        let seen = self.dealer.cards() >= 2 && !self.dealer.is_natural();
        self.dealer.may_have_natural() && self.reader != Reader::No && !seen
    }
}
