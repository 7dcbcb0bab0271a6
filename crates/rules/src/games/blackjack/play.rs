//! The players' decisions: whose turn it is, what is open or why it is not, and what an answer
//! does.

use super::book::{Book, Cost, SplitAces};
use super::hand::Fate;
use super::money::{Backing, Spot, most_attack};
use super::{Blackjack, MOST_HANDS, Phase};
use crate::money::{Cents, Chips};
use crate::refusal::{Refusal, Result, ensure};
use crate::round::{Act, Call, Event, Range, Record};
use crate::terms::AddedWager;
use crate::wager::{Bettor, Circle, byte};

impl<B: Book, const SEATS: usize, const BETTORS: usize> Blackjack<B, SEATS, BETTORS> {
    /// Moves on to the first incomplete hand from this one on; hands owed a late card come last
    /// (FBB-6-h).
    #[doc(alias("DAB-7-e", "DAB-10-b", "FBB-9-c"))]
    #[inline(always)]
    pub(super) fn play_from(&mut self, seat: usize, hand: usize, record: &mut impl Record) {
        let mut hand = hand;
        for seat in seat..SEATS {
            while hand < self.count(seat) {
                if self.goes_to(seat, hand, record) {
                    return;
                }
                hand += 1;
            }
            hand = 0;
        }
        match self.owed {
            0 => self.players_are_done(record),
            _ => self.play_owed(record),
        }
    }

    /// Moves on to the first hand owed a late card. A hit is not dealt to a player who has refused
    /// a card since (G-16).
    #[cold]
    fn play_owed(&mut self, record: &mut impl Record) {
        while let Some((seat, hand)) = self.next_owed() {
            let here = self.hand(seat, hand);
            if here.cards() < 2 || here.is_doubled() || !here.takes_no_more() {
                self.phase = Phase::Card { seat: byte(seat), hand: byte(hand) };
                return;
            }
            self.clear_late_card(seat, hand);
            if self.awaits_more(seat, hand) {
                return;
            }
        }
        self.players_are_done(record);
    }

    /// Awaits what a hand needs, if anything; a natural is paid on the way.
    #[inline(always)]
    pub(super) fn goes_to(&mut self, seat: usize, hand: usize, record: &mut impl Record) -> bool {
        let here = self.hand(seat, hand);
        match here.fate {
            Fate::Open if here.is_owed() => false,
            Fate::Open => self.awaits_more(seat, hand),
            Fate::Natural if B::NATURAL_PAID_IN_TURN && !self.natural_possible() => {
                self.pay_natural(seat, record);
                false
            }
            Fate::Natural if self.terms.book.surrender_natural() && !here.takes_no_more() => {
                self.phase = Phase::Play { seat: byte(seat), hand: byte(hand) };
                true
            }
            _ => false,
        }
    }

    /// Awaits a card or a decision for an open hand, which stands if nothing is left to choose.
    #[inline(always)]
    fn awaits_more(&mut self, seat: usize, hand: usize) -> bool {
        if self.hand(seat, hand).cards() < 2 {
            self.phase = Phase::Card { seat: byte(seat), hand: byte(hand) };
            return true;
        }
        if B::SURRENDER || self.has_a_choice(seat, hand) {
            self.phase = Phase::Play { seat: byte(seat), hand: byte(hand) };
            return true;
        }
        self.stand(seat, hand);
        false
    }

    /// Whether anything but standing is open to a hand in a game without surrender.
    #[inline(always)]
    fn has_a_choice(&self, seat: usize, hand: usize) -> bool {
        self.hand(seat, hand).is_plain() || self.still_has_a_choice(seat, hand)
    }

    /// Whether anything is left to choose after a split or a double.
    #[inline(never)]
    fn still_has_a_choice(&self, seat: usize, hand: usize) -> bool {
        let here = self.hand(seat, hand);
        if here.is_doubled() {
            return false;
        }
        !here.is_split_ace()
            || match self.terms.book.split_aces() {
                SplitAces::FullPlay => true,
                _ => self.may_split(self.decider(seat), hand).is_ok(),
            }
    }

    /// Checks a hand that took a card: over 21 it is lost, any 21 stands (G-20, G-21).
    #[doc(alias("DAB-12-a", "DAB-12-a-1", "FBB-6-j", "FBB-6-j-1"))]
    #[inline(always)]
    pub(super) fn after_card(&mut self, seat: usize, hand: usize, record: &mut impl Record) {
        let points = self.hand(seat, hand).points();
        if points.is_bust() {
            self.bust(seat, hand, record);
        } else if points.is_21() {
            self.stand(seat, hand);
        } else if self.awaits_more(seat, hand) {
            return;
        }
        self.play_from(seat, hand + 1, record);
    }

    /// Shows cards that only their owner has seen (DDB-R04).
    pub(super) fn show(&mut self, seat: usize, hand: usize, record: &mut impl Record) {
        if self.terms.book.private_cards() && self.hand(seat, hand).is_held() {
            record.note(Event::Shown { seat: byte(seat), hand: byte(hand) });
        }
    }

    #[inline(always)]
    pub(super) fn may_hit(&self, seat: usize, hand: usize) -> Result {
        match self.hand(seat, hand).is_plain() {
            true => Ok(()),
            false => self.may_still_hit(seat, hand),
        }
    }

    fn may_still_hit(&self, seat: usize, hand: usize) -> Result {
        let here = self.hand(seat, hand);
        if here.fate == Fate::Natural {
            return Err(Refusal::NaturalStands);
        }
        self.terms.book.may_hit(*here)
    }

    /// Who pays for doubling a hand, or why it cannot be doubled.
    pub(super) fn may_double(&self, bettor: Bettor, hand: usize) -> Result<Cost> {
        let here = self.hand(bettor.seat(), hand);
        if here.fate == Fate::Natural {
            return Err(Refusal::NaturalNotDoubled);
        }
        self.may_hit(bettor.seat(), hand)?;
        let cost = self.terms.book.double(*here)?;
        match cost {
            Cost::Paid if self.range(bettor, hand, Circle::Double).is_empty() => {
                Err(Refusal::AboveRack { left: self.racks.left(bettor) })
            }
            cost => Ok(cost),
        }
    }

    /// The most that a bettor may add on a circle of a hand, and whether it has to be exactly that.
    #[doc(alias("DAB-11-b", "DDB-P20", "FBB-7-b"))]
    #[inline(always)]
    fn limit(&self, bettor: Bettor, hand: usize, circle: Circle) -> (Chips, AddedWager) {
        let (stakes, book) = (self.stakes(bettor), &self.terms.book);
        match circle {
            Circle::Attack => (most_attack(stakes.initial), book.attack_amount()),
            // Half the wager, rounded up to a chip.
            Circle::Insurance => (stakes.initial.half_up(self.terms.chip_unit), AddedWager::UpTo),
            // A double: the stakes on the hand (DAB-9-a, DAB-R10, FBB-8-a-2, FBB-R07, DDB-R10).
            _ => (stakes.value_on(hand, book.split_stake()), book.double_amount()),
        }
    }

    /// The amounts that a bettor may add on a circle of a hand, as far as the rack goes.
    #[inline(always)]
    pub(super) fn range(&self, bettor: Bettor, hand: usize, circle: Circle) -> Range {
        let ((most, added), step) = (self.limit(bettor, hand, circle), self.terms.chip_unit);
        let least = match added {
            AddedWager::UpTo => step,
            AddedWager::Equal => most,
        };
        Range { least, most: self.racks.up_to(bettor, most, step), step }
    }

    /// The amount of an added wager: as much as the act says, or the most that is open.
    #[inline(always)]
    fn amount(&self, (bettor, hand, circle): Spot, act: Act) -> Result<Chips> {
        let ((most, _), range) =
            (self.limit(bettor, hand, circle), self.range(bettor, hand, circle));
        let above_rack = || Refusal::AboveRack { left: self.racks.left(bettor) };
        match act {
            _ if range.is_empty() => Err(above_rack()),
            Act::With(_, amount) if amount > Cents::from(most) => Err(match circle {
                Circle::Attack => Refusal::AttackAboveInitial { most },
                Circle::Insurance => Refusal::InsuranceAboveHalf { most },
                _ => Refusal::DoubleAboveWager { most },
            }),
            Act::With(_, amount) => range.check(amount, above_rack()),
            _ => Ok(range.most),
        }
    }

    /// Takes an added wager.
    #[inline(always)]
    fn add(&mut self, spot: Spot, act: Act, record: &mut impl Record) -> Result {
        let amount = self.amount(spot, act)?;
        let (bettor, hand, circle) = spot;
        record.note(Event::Acted(bettor, act));
        self.racks.spend(bettor, amount);
        let stakes = self.stakes_mut(bettor);
        match circle {
            Circle::Attack => stakes.attack = amount,
            Circle::Insurance => stakes.insurance = amount,
            _ => stakes.doubles[hand] = amount,
        }
        record.note(Event::staked(spot, amount));
        Ok(())
    }

    /// Who pays for splitting a hand, or why it cannot be split.
    pub(super) fn may_split(&self, bettor: Bettor, hand: usize) -> Result<Cost> {
        let here = self.hand(bettor.seat(), hand);
        if here.fate == Fate::Natural {
            return Err(Refusal::NaturalStands);
        }
        let cost = self.terms.book.may_split(*here, self.count(bettor.seat()))?;
        if cost == Cost::Paid {
            self.check_split_stake(bettor)?;
        }
        Ok(cost)
    }

    /// What a bettor adds for a hand made by splitting (DAB-R05).
    #[doc(alias("DAB-10-a", "DDB-P13", "FBB-9-b-1"))]
    pub(super) fn split_stake(&self, bettor: Bettor) -> Chips {
        self.stakes(bettor).matched(self.terms.book.split_stake())
    }

    pub(super) fn has_natural(&self, seat: usize) -> bool {
        self.hand(seat, 0).fate == Fate::Natural
    }

    /// Takes a decision on a hand (DAB-7-e, DDB-P12).
    #[doc(alias = "FBB-6-h-2")]
    #[inline(always)]
    pub(super) fn decide(
        &mut self,
        seat: usize,
        hand: usize,
        act: Act,
        record: &mut impl Record,
    ) -> Result {
        let bettor = self.decider(seat);
        match act {
            Act::Call(Call::Hit) => {
                self.may_hit(seat, hand)?;
                record.note(Event::Acted(bettor, act));
                self.phase = Phase::Card { seat: byte(seat), hand: byte(hand) };
                Ok(())
            }
            Act::Call(Call::Stand) => {
                record.note(Event::Acted(bettor, act));
                self.stand(seat, hand);
                self.play_from(seat, hand + 1, record);
                Ok(())
            }
            Act::Call(call) => self.decide_with_money(bettor, hand, (call, None), record),
            Act::With(call, amount) => {
                self.decide_with_money(bettor, hand, (call, Some(amount)), record)
            }
            Act::Hand(_) => Err(self.closed(bettor, Call::Pass)),
        }
    }

    /// Takes a decision that moves money.
    #[inline(never)]
    fn decide_with_money(
        &mut self,
        bettor: Bettor,
        hand: usize,
        (call, amount): (Call, Option<Cents>),
        record: &mut impl Record,
    ) -> Result {
        let act = amount.map_or(Act::Call(call), |amount| Act::With(call, amount));
        match call {
            Call::Hit => self.may_hit(bettor.seat(), hand).and_then(|()| no_amount(act))?,
            Call::Stand => no_amount(act)?,
            Call::Double => self.double(bettor, hand, act, record)?,
            Call::Split => self.split(bettor, hand, act, record)?,
            Call::Surrender if B::SURRENDER => {
                note_without_amount(bettor, act, record)?;
                self.surrender(bettor.seat(), hand, record);
                self.play_from(bettor.seat(), hand + 1, record);
            }
            call => return Err(self.closed(bettor, call)),
        }
        Ok(())
    }

    /// Stands on a hand; a natural that could be surrendered is asked about once.
    #[inline(always)]
    fn stand(&mut self, seat: usize, hand: usize) {
        let here = self.hand_mut(seat, hand);
        match here.fate {
            Fate::Natural => here.set_no_more(true),
            _ => {
                here.fate = Fate::Stood;
                self.waiting += 1;
            }
        }
    }

    /// Doubles a hand: one more card, and an added wager or a lammer.
    #[doc(alias("DAB-12-a-2", "FBB-8-c", "FBB-8-d"))]
    fn double(
        &mut self,
        bettor: Bettor,
        hand: usize,
        act: Act,
        record: &mut impl Record,
    ) -> Result {
        let seat = bettor.seat();
        let cost = self.may_double(bettor, hand)?;
        match (cost, act) {
            (Cost::Paid, _) => self.add((bettor, hand, Circle::Double), act, record)?,
            (Cost::Free, Act::With(..)) => return Err(Refusal::FreeDoubleTakesNoAmount),
            (Cost::Free, _) => {
                record.note(Event::Acted(bettor, act));
                self.lay_lammer(bettor, hand, Circle::Double, record);
            }
        }
        self.show(seat, hand, record);
        self.hand_mut(seat, hand).double(cost == Cost::Free);
        self.ask_others(bettor, hand, Phase::Follow { seat: byte(seat), hand: byte(hand) });
        Ok(())
    }

    fn lay_lammer(&self, bettor: Bettor, hand: usize, circle: Circle, record: &mut impl Record) {
        let value = self.stakes(bettor).initial;
        record.note(Event::Lammer { bettor, hand: byte(hand), circle, value });
    }

    /// Asks the others with a wager on a hand; where there are none, its card is next.
    fn ask_others(&mut self, bettor: Bettor, hand: usize, phase: Phase) {
        if BETTORS > 1 {
            let on_hand = |other: &Bettor| self.stakes(*other).on[hand] != Backing::Nothing;
            let others = self.bettors_at(bettor.seat()).filter(|&other| other != bettor);
            self.asked = others.filter(on_hand).collect();
        }
        self.phase = match self.asked.is_empty() {
            true => Phase::Card { seat: byte(bettor.seat()), hand: byte(hand) },
            false => phase,
        };
    }

    /// Splits a pair; the new hand comes right after the old one (FBB-R05).
    #[doc(alias("FBB-9-b-2-i", "FBB-9-b-2-ii"))]
    fn split(&mut self, bettor: Bettor, hand: usize, act: Act, record: &mut impl Record) -> Result {
        let cost = self.may_split(bettor, hand)?;
        no_amount(act)?;
        record.note(Event::Acted(bettor, act));
        let (seat, new) = (bettor.seat(), hand + 1);
        self.show(seat, hand, record);
        record.note(Event::Split { seat: byte(seat), hand: byte(hand) });
        let here = &mut self.boxes[seat];
        here.hands.copy_within(new..MOST_HANDS - 1, new + 1);
        here.hands[new] = here.hands[hand].split();
        here.count += 1;
        for place in 0..BETTORS {
            self.stakes[seat][place].make_room(new);
        }
        match cost {
            Cost::Paid => self.cover(bettor, new, record),
            Cost::Free => {
                self.stakes_mut(bettor).on[new] = Backing::Lammer;
                self.lay_lammer(bettor, new, Circle::Split, record);
            }
        }
        self.ask_others(bettor, hand, Phase::Cover { seat: byte(seat), hand: byte(hand) });
        Ok(())
    }

    fn check_split_stake(&self, bettor: Bettor) -> Result {
        let is_covered = self.racks.can_spend(bettor, self.split_stake(bettor));
        ensure(is_covered, Refusal::AboveRack { left: self.racks.left(bettor) })
    }

    /// Puts a bettor's own money on a hand made by splitting.
    fn cover(&mut self, bettor: Bettor, hand: usize, record: &mut impl Record) {
        let amount = self.split_stake(bettor);
        self.racks.spend(bettor, amount);
        self.stakes_mut(bettor).on[hand] = Backing::Split;
        record.note(Event::staked((bettor, hand, Circle::Split), amount));
    }

    // Questions to several bettors at once

    pub(super) fn answer(&mut self, bettor: Bettor, act: Act, record: &mut impl Record) -> Result {
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

    /// Moves on once everyone asked has answered.
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
                    (0..SEATS).for_each(|seat| self.add_even_money(seat));
                }
                self.check_for_natural(record);
            }
            Phase::Follow { seat, hand } | Phase::Cover { seat, hand } => {
                self.phase = Phase::Card { seat, hand };
            }
            _ => {}
        }
    }

    /// Offers a bettor a double attack, once (DAB-R02).
    pub(super) fn offer_attack(&mut self, bettor: Bettor) {
        let offered = &mut self.stakes_mut(bettor).attack_offered;
        if !std::mem::replace(offered, true) {
            self.asked.add(bettor);
        }
    }

    /// Takes or declines a double attack wager; others on a box are asked when the decider has
    /// placed one (DAB-7-d, DAB-R28).
    #[doc(alias = "DAB-13-e")]
    fn answer_attack(&mut self, bettor: Bettor, act: Act, record: &mut impl Record) -> Result {
        match act.call() {
            Call::Attack => self.add((bettor, 0, Circle::Attack), act, record)?,
            Call::Pass => return note_without_amount(bettor, act, record),
            call => return Err(self.closed(bettor, call)),
        }
        if bettor == self.decider(bettor.seat()) {
            for other in self.bettors_at(bettor.seat()) {
                self.offer_attack(other);
            }
        }
        Ok(())
    }

    /// Takes or declines insurance or even money; each bettor on a box answers alone (DAB-11-b,
    /// FBB-7-b, FBB-7-e, FBB-R15, DDB-R15).
    #[doc(alias = "DAB-13-g")]
    fn answer_insurance(&mut self, bettor: Bettor, act: Act, record: &mut impl Record) -> Result {
        match act.call() {
            Call::Pass => note_without_amount(bettor, act, record)?,
            Call::EvenMoney if self.terms.book.even_money() && self.has_natural(bettor.seat()) => {
                note_without_amount(bettor, act, record)?;
                self.pay_even_money(bettor.seat(), record);
            }
            Call::Insure => self.add((bettor, 0, Circle::Insurance), act, record)?,
            call => return Err(self.closed(bettor, call)),
        }
        Ok(())
    }

    /// Follows the double of the decider of a box, or declines.
    #[doc(alias = "DAB-13-d")]
    fn answer_follow(
        &mut self,
        bettor: Bettor,
        hand: usize,
        act: Act,
        record: &mut impl Record,
    ) -> Result {
        match act.call() {
            Call::Pass => note_without_amount(bettor, act, record)?,
            Call::Double => self.add((bettor, hand, Circle::Double), act, record)?,
            _ => return Err(Refusal::NotTheDecider),
        }
        Ok(())
    }

    /// Covers the new hand, or names the hand that keeps the wager.
    #[doc(alias = "DAB-13-f")]
    fn answer_cover(
        &mut self,
        bettor: Bettor,
        hand: usize,
        act: Act,
        record: &mut impl Record,
    ) -> Result {
        match act {
            Act::Hand(number) => {
                let named = usize::from(number).wrapping_sub(1);
                if named != hand && named != hand + 1 {
                    return Err(Refusal::NotTheDecider);
                }
                record.note(Event::Acted(bettor, act));
                self.stakes_mut(bettor).on.swap(hand, named);
            }
            _ if act.call() == Call::Pass => note_without_amount(bettor, act, record)?,
            _ if act.call() == Call::Split => {
                no_amount(act)?;
                self.check_split_stake(bettor)?;
                record.note(Event::Acted(bettor, act));
                self.cover(bettor, hand + 1, record);
            }
            _ => return Err(Refusal::NotTheDecider),
        }
        Ok(())
    }

    // Why a call is closed

    /// Why a call is closed to someone.
    #[doc(alias = "DAB-5-g")]
    pub(super) fn closed(&self, bettor: Bettor, call: Call) -> Refusal {
        if bettor.place() >= BETTORS {
            return Refusal::BoxNotShared { most: byte(BETTORS) };
        }
        if bettor.seat() >= SEATS || self.count(bettor.seat()) == 0 {
            return Refusal::NotInTheRound;
        }
        let in_window = self.asked.contains(bettor);
        match call {
            Call::War => return Refusal::CallForeign { call },
            Call::Surrender if !B::SURRENDER => return Refusal::SurrenderNotOffered,
            Call::Attack if !B::ATTACK => return Refusal::CallForeign { call },
            Call::EvenMoney if !self.terms.book.even_money() => {
                return Refusal::EvenMoneyNotOffered;
            }
            Call::Attack if bettor != self.decider(bettor.seat()) => return Refusal::NotTheDecider,
            Call::Attack => return Refusal::AttackClosed,
            Call::EvenMoney => return Refusal::EvenMoneyNeedsNatural,
            Call::Insure if self.dealer.up().is_some() && !self.dealer.shows_ace() => {
                return Refusal::InsuranceNeedsAce;
            }
            Call::Insure => return Refusal::InsuranceClosed,
            Call::Pass => {}
            _ if in_window => return Refusal::NotOpenNow { call },
            _ if bettor != self.decider(bettor.seat()) => return Refusal::NotTheDecider,
            _ => {}
        }
        match self.phase {
            Phase::Play { seat, .. } if usize::from(seat) == bettor.seat() => {
                match bettor == self.decider(bettor.seat()) {
                    true => Refusal::NotOpenNow { call },
                    false => Refusal::NotTheDecider,
                }
            }
            _ => self.why_not_asked(bettor, call),
        }
    }

    /// Why a bettor is not being asked, by what has become of the last hand played.
    fn why_not_asked(&self, bettor: Bettor, call: Call) -> Refusal {
        let seat = bettor.seat();
        let count = self.count(seat);
        let last = (0..count).rev().find(|&hand| {
            let here = self.hand(seat, hand);
            here.cards() > 1 && here.fate != Fate::Open
        });
        let Some(hand) = last.filter(|_| call != Call::Pass) else {
            return match self.phase {
                Phase::Settled => Refusal::RoundOver,
                _ => Refusal::OutOfTurn,
            };
        };
        let here = self.hand(seat, hand);
        match here.fate {
            Fate::Natural | Fate::EvenMoney | Fate::Paid if call == Call::Double => {
                Refusal::NaturalNotDoubled
            }
            Fate::Natural | Fate::EvenMoney | Fate::Paid => Refusal::NaturalStands,
            Fate::Bust | Fate::BustHeld => Refusal::BustIsFinal,
            Fate::Surrendered | Fate::SurrenderHeld => Refusal::AfterSurrender,
            Fate::Dead => Refusal::HandIsDead,
            _ if call == Call::Surrender && here.points().total() < 21 => Refusal::AfterStanding,
            _ if call == Call::Surrender => Refusal::TwentyOneStands,
            _ => match self.may_hit(seat, hand) {
                Err(refusal @ Refusal::SplitAceHasItsCard) if call == Call::Split => {
                    if here.is_pair() { Refusal::AcesSplitOnce } else { refusal }
                }
                Err(refusal) => refusal,
                Ok(()) if here.points().total() == 21 => Refusal::TwentyOneStands,
                Ok(()) => Refusal::AfterStanding,
            },
        }
    }
}

/// Notes an act that takes no amount, or refuses the amount.
fn note_without_amount(bettor: Bettor, act: Act, record: &mut impl Record) -> Result {
    no_amount(act)?;
    record.note(Event::Acted(bettor, act));
    Ok(())
}

/// Refuses an amount with a call that takes none.
fn no_amount(act: Act) -> Result {
    match act {
        Act::With(Call::Split, _) => Err(Refusal::SplitTakesNoAmount),
        Act::With(call, _) => Err(Refusal::AmountNotTaken { call }),
        Act::Hand(_) => Err(Refusal::NotTheDecider),
        Act::Call(_) => Ok(()),
    }
}
