//! Remedies for irregularities, as far as they reach a round.

use super::book::{Book, HoleCard};
use super::hand::Fate;
use super::money::Backing;
use super::{Blackjack, Phase, Reader};
use crate::card::Card;
use crate::games::TableGame;
use crate::money::Chips;
use crate::refusal::{Refusal, Result, ensure};
use crate::round::{Event, Record, Remedy, Why};
use crate::terms::{PlayersOut, VoidScope};
use crate::wager::Bettor;

impl<B: Book, const SEATS: usize, const BETTORS: usize> Blackjack<B, SEATS, BETTORS> {
    /// Carries out a remedy, or refuses it and changes nothing.
    pub(super) fn carry_out(&mut self, remedy: Remedy, record: &mut impl Record) -> Result {
        self.check_remedy(remedy)?;
        record.note(Event::Remedied(remedy));
        match remedy {
            Remedy::Void => self.void(record),
            Remedy::Release(bettor) => self.release(bettor, record),
            Remedy::DeadHand { seat, hand } => self.kill(seat.into(), hand.into(), record),
            Remedy::SidesBack(bettor) => self.give_sides_back(bettor, record),
            Remedy::LateCard { seat, hand } => self.owe(seat, hand, record),
            Remedy::NoMoreCards { seat, hand } => self.bind(seat, hand, record),
            Remedy::DealerOwedCard if self.phase == Phase::Up => self.second_cards(0, record),
            Remedy::DealerOwedCard => {}
            // DAB-R32
            Remedy::HoleCardShown(_) if self.terms.book.exposed_hole_voids() => self.void(record),
            Remedy::HoleCardShown(card) => self.show_hole(card, record),
            Remedy::ReaderOutOfUse => self.lose_reader(record),
            // Nothing is burned in these rounds.
            Remedy::BurnForgotten => {}
        }
        Ok(())
    }

    fn check_remedy(&self, remedy: Remedy) -> Result {
        ensure(self.phase != Phase::Settled, Refusal::RoundOver)?;
        let fits = match remedy {
            Remedy::Void => true,
            // DAB-15-a, FBB-11-a, G-10
            Remedy::Release(_) if self.terms.players_out == PlayersOut::Barred => {
                return Err(Refusal::NobodyLetOut);
            }
            Remedy::Release(bettor) => self.has_undecided(bettor),
            // DAB-15-i, DAB-15-j, FBB-11-h, FBB-11-i, G-17
            Remedy::DeadHand { seat, hand } => {
                self.fate_of(seat.into(), hand.into()).is_some_and(Fate::is_undecided)
            }
            Remedy::SidesBack(bettor) => self.may_ask_for_sides(bettor),
            Remedy::LateCard { seat, hand } => self.may_owe(seat, hand),
            // DAB-15-f, FBB-11-d, G-16: a card of the first deal cannot be refused.
            Remedy::NoMoreCards { seat, hand } => {
                !self.is_first_deal()
                    && self.fate_of(seat.into(), hand.into()) == Some(Fate::Open)
                    && {
                        let here = self.hand(seat.into(), hand.into());
                        here.cards() >= 2 && !here.is_doubled() && !here.takes_no_more()
                    }
            }
            // DAB-15-e, DAB-R27; that book does not mention a hole card: it is dealt as in
            // FBB-11-f.
            Remedy::DealerOwedCard if B::ATTACK && self.phase != Phase::Hole => {
                return Err(Refusal::RoundIsVoidInstead);
            }
            // FBB-11-f: missed twice, the card is simply the next one.
            Remedy::DealerOwedCard => match self.phase {
                Phase::Up => self.next_short(0, 2).is_some(),
                phase => phase == Phase::Hole,
            },
            Remedy::HoleCardShown(card) => {
                if self.hole_is_down() {
                    self.check_hole(card)?;
                }
                self.hole_is_down()
            }
            Remedy::ReaderOutOfUse => return self.check_reader(),
            Remedy::BurnForgotten => return Err(Refusal::RemedyForeign),
        };
        ensure(fits, Refusal::NothingToCure)
    }

    /// Whether a hand's card is due, or a hit was overlooked and the dealer has revealed nothing
    /// yet (DAB-15-j, FBB-11-i, G-17).
    fn may_owe(&self, seat: u8, hand: u8) -> bool {
        let at = (usize::from(seat), usize::from(hand));
        let Some(fate) = self.fate_of(at.0, at.1) else { return false };
        let due = match self.phase {
            Phase::Second { seat: awaited } => (awaited, 0) == (seat, hand),
            Phase::Card { seat: awaited, hand: of } => (awaited, of) == (seat, hand),
            _ => false,
        };
        let before_reveal = self.at().is_some_and(|now| now > at) || self.phase == Phase::Turn;
        let overlooked = before_reveal
            && fate == Fate::Stood
            && self.hand(at.0, at.1).points().total() < 21
            && self.may_hit(at.0, at.1).is_ok();
        (due || overlooked) && !self.hand(at.0, at.1).is_owed()
    }

    /// Deals a hand its card after the others.
    fn owe(&mut self, seat: u8, hand: u8, record: &mut impl Record) {
        let at = (usize::from(seat), usize::from(hand));
        let here = self.hand_mut(at.0, at.1);
        let overlooked = here.fate == Fate::Stood;
        here.fate = Fate::Open;
        here.owe();
        self.owed += 1;
        self.waiting -= u8::from(overlooked);
        match self.phase {
            Phase::Second { seat } => self.second_cards(usize::from(seat) + 1, record),
            Phase::Turn => self.play_from(SEATS, 0, record),
            _ if overlooked => {}
            _ => self.play_from(at.0, at.1 + 1, record),
        }
    }

    /// Binds the player who decides on a hand and refused a card for it: no hand of that player, on
    /// any box, may ask for a card again (DAB-15-f, FBB-11-d, DDB-R18, G-16).
    fn bind(&mut self, seat: u8, hand: u8, record: &mut impl Record) {
        let own = usize::from(seat);
        let is_front = self.decider(own).decides();
        for other in 0..SEATS {
            let one_person =
                is_front && self.racks.same_person(own, other) && self.decider(other).decides();
            if other == own || one_person {
                self.mark_bound(other, true);
            }
        }
        if self.phase == (Phase::Card { seat, hand }) {
            self.clear_late_card(own, hand.into());
            self.play_from(own, hand.into(), record);
        }
    }

    /// Marks the hands of a box as bound or not; a natural takes no card anyway.
    fn mark_bound(&mut self, seat: usize, bound: bool) {
        for hand in 0..self.count(seat) {
            if self.hand(seat, hand).fate != Fate::Natural {
                self.hand_mut(seat, hand).set_no_more(bound);
            }
        }
    }

    /// Undoes the round, or returns what is undecided (G-03, DAB-15-b, DAB-15-c, DAB-15-e).
    fn void(&mut self, record: &mut impl Record) {
        for bettor in Bettor::all(SEATS, BETTORS).rev() {
            self.return_all(bettor, Why::Void.by("G-03"), record);
        }
        if self.terms.void_scope == VoidScope::WholeRound {
            record.note(Event::Reversed);
        }
        self.phase = Phase::Settled;
    }

    /// Lets a bettor out; a box without bettors is out of play (G-10, FBB-R32).
    fn release(&mut self, bettor: Bettor, record: &mut impl Record) {
        let (seat, was_asked) = (bettor.seat(), self.asked.contains(bettor));
        let decided = self.decider(seat) == bettor;
        self.add_even_money(seat);
        self.return_all(bettor, Why::Release.by(B::CITES.released), record);
        self.stakes_mut(bettor).initial = Chips::ZERO;
        self.asked.remove(bettor);
        for hand in 0..self.count(seat) {
            // A hand without a wager is not played.
            let is_empty =
                self.stakes[seat].iter().all(|stakes| stakes.on[hand] == Backing::Nothing);
            if is_empty && self.hand(seat, hand).fate.is_undecided() {
                self.mark_dead(seat, hand);
            }
        }
        if decided && self.bettors_at(seat).next().is_some() {
            // The new decider of the box is not bound, and answers instead.
            self.mark_bound(seat, false);
            if was_asked && self.phase == Phase::Attack {
                self.offer_attack(self.decider(seat));
            }
        }
        self.resume(record);
    }

    /// Whether a missed card killed all hands of a bettor with wagers on the dealer's hand (G-17).
    fn may_ask_for_sides(&self, bettor: Bettor) -> bool {
        if !self.has_undecided(bettor) {
            return false;
        }
        let seat = bettor.seat();
        let mut fates = (0..self.count(seat)).map(|hand| self.hand(seat, hand).fate);
        fates.any(|fate| fate == Fate::Dead)
            && self.stakes(bettor).on.iter().all(|&on| on == Backing::Nothing)
    }

    /// Returns a bettor's wagers on the dealer's hand (G-17).
    fn give_sides_back(&mut self, bettor: Bettor, record: &mut impl Record) {
        self.return_all(bettor, Why::DeadHand.by("G-17"), record);
        self.stakes_mut(bettor).initial = Chips::ZERO;
        self.asked.remove(bettor);
        self.resume(record);
    }

    /// Kills a hand: its stakes are returned, lammers are removed, and wagers on the dealer's hand
    /// stay (G-17, DAB-R33, FBB-R23).
    fn kill(&mut self, seat: usize, hand: usize, record: &mut impl Record) {
        self.return_hand(seat, hand, record);
        self.mark_dead(seat, hand);
        if matches!(self.phase, Phase::Attack | Phase::Insurance) {
            for bettor in self.bettors_at(seat) {
                self.asked.remove(bettor);
            }
        }
        self.resume(record);
    }

    /// Marks a hand dead, so that it waits for nothing.
    fn mark_dead(&mut self, seat: usize, hand: usize) {
        self.waiting -= u8::from(self.hand(seat, hand).fate == Fate::Stood);
        self.hand_mut(seat, hand).fate = Fate::Dead;
        self.clear_late_card(seat, hand);
    }

    /// Leaves an exposed hole card open and plays on (DAB-R32).
    fn show_hole(&mut self, card: Card, record: &mut impl Record) {
        self.give_dealer(card);
        match self.phase {
            Phase::Turn => self.dealer_has_two_cards(record),
            Phase::Peek => self.check_for_natural(record),
            _ => {}
        }
    }

    /// Plays on without the reader where the book allows it (DAB-15-n, DAB-R31), or finishes a
    /// round that no longer needs it (FBB-11-k, FBB-R22).
    fn lose_reader(&mut self, record: &mut impl Record) {
        if self.reader == Reader::Silent {
            self.reader = Reader::OutOfUse;
        }
        if self.phase == Phase::Peek {
            self.play_from(0, 0, record);
        }
    }

    /// Moves on if what was awaited is no longer due; if nobody is left during the first deal, no
    /// card is dealt to the dealer alone.
    fn resume(&mut self, record: &mut impl Record) {
        let has_wagers = Bettor::all(SEATS, BETTORS).any(|bettor| self.has_undecided(bettor));
        if self.is_first_deal() && !has_wagers {
            self.phase = Phase::Settled;
            return;
        }
        let dead = |seat: u8, hand: u8| self.hand(seat.into(), hand.into()).fate == Fate::Dead;
        match self.phase {
            Phase::First { seat } if dead(seat, 0) => self.after_first(seat.into(), record),
            Phase::Second { seat } if dead(seat, 0) => self.second_cards(seat.into(), record),
            Phase::Play { seat, hand }
            | Phase::Card { seat, hand }
            | Phase::Follow { seat, hand }
            | Phase::Cover { seat, hand }
                if dead(seat, hand) =>
            {
                self.asked = Default::default();
                self.play_from(seat.into(), hand.into(), record);
            }
            // With the new hand dead, everyone stays on the old one.
            Phase::Cover { seat, hand } if dead(seat, hand + 1) => {
                self.asked = Default::default();
                self.after_answer(record);
            }
            // With fewer hands the dealer's next card may not matter (DAB-12-c, FBB-6-m).
            Phase::Dealer if self.dealer.cards() >= 2 => self.dealer_goes_on(record),
            Phase::Dealer => self.players_are_done(record),
            _ => self.after_answer(record),
        }
    }

    fn fate_of(&self, seat: usize, hand: usize) -> Option<Fate> {
        let here = self.boxes.get(seat)?;
        here.hands[..usize::from(here.count)].get(hand).map(|hand| hand.fate)
    }

    fn has_undecided(&self, bettor: Bettor) -> bool {
        if bettor.seat() >= SEATS || bettor.place() >= BETTORS {
            return false;
        }
        let stakes = self.stakes(bettor);
        stakes.on.iter().any(|&on| on != Backing::Nothing)
            || !stakes.side.is_zero()
            || !stakes.insurance.is_zero()
    }

    /// Whether a hole card lies face down.
    fn hole_is_down(&self) -> bool {
        let dealt = match self.phase {
            Phase::Insurance | Phase::Peek | Phase::Turn => true,
            _ => self.at().is_some(),
        };
        dealt && self.hole_card() != HoleCard::None && self.dealer.cards() == 1
    }

    /// Whether a hole card agrees with what the reader said.
    pub(super) fn check_hole(&self, card: Card) -> Result {
        Self::own_card(card)?;
        let said = matches!(self.reader, Reader::Yes | Reader::No);
        let contradicts = said && self.dealer.natural_with(card) != (self.reader == Reader::Yes);
        ensure(!contradicts, Refusal::ReaderContradicted)
    }

    fn check_reader(&self) -> Result {
        ensure(self.terms.book.hole_card() == HoleCard::Reader, Refusal::NothingToCure)?;
        let due = self.reader == Reader::Silent
            && self.dealer.cards() < 2
            && (self.dealer.cards() == 0 || self.dealer.may_have_natural());
        ensure(!due || B::PLAYS_WITHOUT_READER, Refusal::ReaderStopsTheTable)
    }
}
