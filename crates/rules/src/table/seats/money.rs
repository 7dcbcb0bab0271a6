//! Money follows the round: each event moves it between rack, escrow, house and meter.

use super::{Seats, index};
use crate::money::Cents;
use crate::round::{Event, Ruling, Settlement};
use crate::table::account::{Account, Transfer};
use crate::table::{Events, Table, TableEvent};
use crate::wager::{Bettor, Circle};

impl Seats {
    /// Moves an amount, if there is any, and reports it.
    pub(crate) fn pay(&mut self, from: Account, to: Account, amount: Cents, events: &mut Events) {
        assert!(amount >= Cents::ZERO, "money moves forward");
        if amount == Cents::ZERO {
            return;
        }
        self.add(&from, -amount);
        self.add(&to, amount);
        events.push(TableEvent::Moved(Transfer { from, to, amount }));
    }

    /// Updates what the table itself holds; other accounts are kept in the books.
    fn add(&mut self, account: &Account, amount: Cents) {
        match account {
            Account::Rack(bettor) => {
                let rack = &mut self.chair_mut(*bettor).rack;
                *rack += amount;
                assert!(*rack >= Cents::ZERO, "a rack pays only what it holds");
            }
            Account::Meter => self.move_meter(amount),
            Account::Player(_) | Account::Escrow | Account::House | Account::Cashier => {}
        }
    }

    /// The rack from which a bettor stakes.
    pub(crate) fn rack(&self, bettor: Bettor) -> Account {
        let chair = self.chairs[index(bettor)].as_ref();
        Account::Rack(chair.map_or(bettor, |chair| chair.home))
    }

    /// Reports the racks and the meter that changed.
    pub(crate) fn tell_balances(&self, before: &Seats, events: &mut Events) {
        for (bettor, chair) in self.everyone() {
            let earlier = before.chairs[index(bettor)].as_ref();
            if chair.rack != earlier.map_or(Cents::ZERO, |chair| chair.rack) {
                events.push(TableEvent::Rack { bettor, rack: chair.rack });
            }
        }
        if let Some(meter) = self.meter().filter(|_| self.meter() != before.meter()) {
            events.push(TableEvent::Meter(meter));
        }
    }
}

impl Table {
    /// Moves the money of an event of the round.
    pub(crate) fn pay_for(&mut self, event: &Event, events: &mut Events) {
        match *event {
            Event::Staked { bettor, circle, amount, .. } => {
                self.pay_in_round(self.seats.rack(bettor), Account::Escrow, amount.into(), events);
                if circle == Circle::Progressive {
                    self.contribute_to_meter(amount, events);
                }
            }
            Event::Settled(settlement) => self.settle(settlement, events),
            Event::Awarded { bettor, circle: Circle::Progressive, amount, .. } => {
                self.pay_from_meter(bettor, amount, events);
            }
            // CW-R19: envy is house money.
            Event::Awarded { bettor, amount, .. } => {
                self.pay_in_round(Account::House, self.seats.rack(bettor), amount, events);
            }
            Event::Reversed => self.reverse(events),
            Event::Lammer { .. }
            | Event::Dealt { .. }
            | Event::FaceDown(_)
            | Event::Turned(_)
            | Event::Peeked { .. }
            | Event::Acted(..)
            | Event::BoughtIn { .. }
            | Event::Split { .. }
            | Event::Shown { .. }
            | Event::PickedUp { .. }
            | Event::Remedied(_) => {}
        }
    }

    /// What is lost goes to the table inventory, what is won comes from it (CW-8-h).
    #[doc(alias = "CW-8-b")]
    fn settle(&mut self, settlement: Settlement, events: &mut Events) {
        let Settlement { bettor, circle, stake, lammer, ruling, gain, .. } = settlement;
        let rack = self.seats.rack(bettor);
        let staked = if lammer { Cents::ZERO } else { stake.into() };
        let (kept, won) = match ruling {
            Ruling::Pay(_) | Ruling::Push | Ruling::Return => (Cents::ZERO, gain),
            Ruling::PayAndCollect(_) => (staked, gain + staked),
            Ruling::Take | Ruling::TakeHalf => (-gain, Cents::ZERO),
        };
        self.pay_in_round(Account::Escrow, Account::House, kept, events);
        self.pay_in_round(Account::Escrow, rack.clone(), staked - kept, events);
        self.pay_in_round(Account::House, rack, won, events);
        if circle == Circle::Progressive && ruling == Ruling::Return {
            self.take_back_contribution(stake, events);
        }
    }

    /// Everything since bets closed goes back the way it came (G-03).
    fn reverse(&mut self, events: &mut Events) {
        let Some(play) = self.rounds.play_mut() else { return };
        let moved = std::mem::take(&mut play.moved);
        self.reverse_meter();
        for Transfer { from, to, amount } in moved.into_iter().rev() {
            self.seats.pay(to, from, amount, events);
        }
    }

    /// Moves an amount for the round, so that it can be undone.
    pub(crate) fn pay_in_round(
        &mut self,
        from: Account,
        to: Account,
        amount: Cents,
        events: &mut Events,
    ) {
        if let Some(play) = self.rounds.play_mut().filter(|_| amount > Cents::ZERO) {
            play.moved.push(Transfer { from: from.clone(), to: to.clone(), amount });
        }
        self.seats.pay(from, to, amount, events);
    }
}
