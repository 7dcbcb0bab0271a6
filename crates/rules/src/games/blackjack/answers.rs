//! Answers to what several are asked at once: attack, insurance, and what others on a box add.

use super::book::Book;
use super::play::{no_amount, said_plainly};
use super::stakes::{On, most_attack};
use super::{Blackjack, Phase};
use crate::refusal::Refusal;
use crate::round::{Act, Call, Event, Record};
use crate::wager::{Bettor, Circle, byte};

impl<B: Book, const SEATS: usize, const BETTORS: usize> Blackjack<B, SEATS, BETTORS> {
    pub(super) fn answer(
        &mut self,
        bettor: Bettor,
        act: Act,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        match self.phase {
            Phase::Attack => self.answer_attack(bettor, act, record)?,
            Phase::Insurance => self.answer_insurance(bettor, act, record)?,
            Phase::Follow { hand, .. } => self.answer_follow(bettor, hand.into(), act, record)?,
            Phase::Cover { hand, .. } => self.answer_cover(bettor, hand.into(), act, record)?,
            _ => unreachable!("only these ask several at once"),
        }
        self.asked.remove(bettor);
        self.after_answer(record);
        Ok(())
    }

    /// Goes on once everyone asked has answered.
    pub(super) fn after_answer(&mut self, record: &mut impl Record) {
        if !self.asked.is_empty() {
            return;
        }
        match self.phase {
            Phase::Attack => match self.next_short(0, 1) {
                Some(seat) => self.phase = Phase::First { seat: byte(seat) },
                None => self.second_cards(0, record),
            },
            Phase::Insurance => {
                if self.terms.book.even_money() {
                    (0..SEATS).for_each(|seat| self.count_even_money(seat));
                }
                self.check_for_natural(record);
            }
            Phase::Follow { seat, hand } | Phase::Cover { seat, hand } => {
                self.phase = Phase::Card { seat, hand };
            }
            _ => {}
        }
    }

    /// Whether someone has a wager on the first hand of a box.
    pub(super) fn has_live_box(&self, seat: usize) -> bool {
        self.stakes[seat].iter().any(|stakes| stakes.on[0] != On::Nothing)
    }

    /// Asks a bettor for a double attack, once (DAB-R02).
    pub(super) fn offer_attack(&mut self, bettor: Bettor) {
        let offered = &mut self.stakes_mut(bettor).attack_offered;
        if !std::mem::replace(offered, true) {
            self.asked.add(bettor);
        }
    }

    /// Takes or declines a double attack wager; others on a box are asked when the decider has
    /// placed one (DAB-7-d, DAB-13-e, DAB-R28).
    pub(super) fn answer_attack(
        &mut self,
        bettor: Bettor,
        act: Act,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        match act.call() {
            Call::Attack => {}
            Call::Pass => return said_plainly(bettor, act, record),
            call => return Err(self.closed(bettor, call)),
        }
        let most = most_attack(self.stakes(bettor).initial);
        let above = Refusal::AttackAboveInitial { most };
        let amount = self.amount(bettor, act, self.attack_range(bettor), above, most)?;
        record.note(Event::Acted(bettor, act));
        self.racks.spend(bettor, amount);
        self.stakes_mut(bettor).attack = amount;
        record.note(Event::staked((bettor, 0, Circle::Attack), amount));
        if bettor == self.decider(bettor.seat()) {
            for other in self.bettors_at(bettor.seat()) {
                self.offer_attack(other);
            }
        }
        Ok(())
    }

    /// Takes or declines insurance or even money; each bettor on a box answers alone
    /// (DAB-11-b, DAB-13-g, FBB-7-b, FBB-7-e, FBB-R15, DDB-R15).
    pub(super) fn answer_insurance(
        &mut self,
        bettor: Bettor,
        act: Act,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        match act.call() {
            Call::Pass => {
                said_plainly(bettor, act, record)?;
            }
            Call::EvenMoney if self.terms.book.even_money() && self.has_natural(bettor.seat()) => {
                said_plainly(bettor, act, record)?;
                self.pay_even_money(bettor.seat(), record);
            }
            Call::Insure => {
                let most = self.stakes(bettor).initial.half_up(self.terms.chip_unit);
                let above = Refusal::InsuranceAboveHalf { most };
                let range = self.insurance_range(bettor);
                let amount = self.amount(bettor, act, range, above, most)?;
                record.note(Event::Acted(bettor, act));
                self.racks.spend(bettor, amount);
                self.stakes_mut(bettor).insurance = amount;
                record.note(Event::staked((bettor, 0, Circle::Insurance), amount));
            }
            call => return Err(self.closed(bettor, call)),
        }
        Ok(())
    }

    /// Doubles along with the decider of a box, or not (DAB-13-d).
    pub(super) fn answer_follow(
        &mut self,
        bettor: Bettor,
        hand: usize,
        act: Act,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        match act.call() {
            Call::Pass => {
                said_plainly(bettor, act, record)?;
            }
            Call::Double => {
                let amount = self.double_amount(bettor, hand, act)?;
                record.note(Event::Acted(bettor, act));
                self.add_double(bettor, hand, amount, record);
            }
            _ => return Err(Refusal::NotTheDecider),
        }
        Ok(())
    }

    /// Covers the new hand, or names the hand that keeps the wager (DAB-13-f).
    pub(super) fn answer_cover(
        &mut self,
        bettor: Bettor,
        hand: usize,
        act: Act,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        match act {
            Act::Hand(number) => {
                let named = usize::from(number).wrapping_sub(1);
                if named != hand && named != hand + 1 {
                    return Err(Refusal::NotTheDecider);
                }
                record.note(Event::Acted(bettor, act));
                self.stakes_mut(bettor).on.swap(hand, named);
            }
            _ if act.call() == Call::Pass => said_plainly(bettor, act, record)?,
            _ if act.call() == Call::Split => {
                no_amount(act)?;
                if !self.racks.can_spend(bettor, self.split_stake(bettor)) {
                    return Err(Refusal::AboveRack { left: self.racks.left(bettor) });
                }
                record.note(Event::Acted(bettor, act));
                self.cover(bettor, hand + 1, record);
            }
            _ => return Err(Refusal::NotTheDecider),
        }
        Ok(())
    }
}
