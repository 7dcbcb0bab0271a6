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

    /// Changes what the table itself holds; the other accounts are the books'.
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

    /// Tells what racks and meter hold, where that changed.
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
    /// Moves what an event of the round says.
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
        let laid = if lammer { Cents::ZERO } else { stake.into() };
        let (kept, won) = match ruling {
            Ruling::Pay(_) | Ruling::Push | Ruling::Return => (Cents::ZERO, gain),
            Ruling::PayAndCollect(_) => (laid, gain + laid),
            Ruling::Take | Ruling::TakeHalf => (-gain, Cents::ZERO),
        };
        self.pay_in_round(Account::Escrow, Account::House, kept, events);
        self.pay_in_round(Account::Escrow, rack.clone(), laid - kept, events);
        self.pay_in_round(Account::House, rack, won, events);
        if circle == Circle::Progressive && ruling == Ruling::Return {
            // CW-R22: a wager given back has contributed nothing.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::{Chips, Odds};
    use crate::round::Why;
    use crate::terms::TermSheet;
    use crate::wager::Game;

    /// Ann at 1 with 100, of which 10 and a progressive of 5 are in play.
    fn in_play() -> Table {
        let mut table = Table::new(TermSheet::new(Game::CasinoWar));
        for line in [
            "sit 1 ann",
            "buy-in 1 100",
            "inspect 1",
            "shuffle physical wash plug riffle riffle strip turn riffle cut",
            "cut 1 60",
            "card ??",
            "wager 1 main 10 progressive 5",
            "deal",
        ] {
            table.apply(&line.parse().unwrap(), &mut Vec::new()).unwrap();
        }
        assert_eq!(holdings(&table), (8500, 1_000_075));
        table
    }

    /// Rack and meter in cents.
    fn holdings(table: &Table) -> (i64, i64) {
        (table.seats.rack_of(Bettor::at(0)).get(), table.meter().unwrap().get())
    }

    fn follow(table: &mut Table, event: Event) -> Vec<String> {
        let mut events = Vec::new();
        table.pay_for(&event, &mut events);
        events.iter().map(ToString::to_string).collect()
    }

    fn settled(circle: Circle, stake: u32, ruling: Ruling) -> Event {
        let (stake, exact) = (Chips::dollars(stake), crate::money::Breakage::EXACT);
        let place = (Bettor::at(0), 0, circle);
        Event::Settled(Settlement::new(place, stake, (ruling, Why::Lower.by("CW-8-a")), exact))
    }

    #[test]
    fn a_reversal_takes_everything_back_to_where_bets_closed() {
        // G-03: a wager lost, one paid and collected, a meter paid out.
        let mut table = in_play();
        follow(&mut table, settled(Circle::Main, 10, Ruling::Take));
        let odds = Ruling::PayAndCollect(Odds::to(1000, 1));
        follow(&mut table, settled(Circle::Progressive, 5, odds));
        let award = Event::Awarded {
            bettor: Bettor::at(0),
            circle: Circle::Progressive,
            amount: Cents::new(1_000_075),
            clause: "CW-11-b",
        };
        follow(&mut table, award);
        assert_eq!(holdings(&table), (8500 + 500_000 + 1_000_075, 0));
        let events = follow(&mut table, Event::Reversed);
        assert_eq!(holdings(&table), (10_000, 1_000_000));
        assert_eq!(
            events,
            [
                "moved 10000.75 from rack:1 to meter",
                "moved 5000 from rack:1 to house",
                "moved 5 from house to escrow",
                "moved 10 from house to escrow",
                "moved 0.75 from meter to house",
                "moved 5 from escrow to rack:1",
                "moved 10 from escrow to rack:1",
            ]
        );
        // Nothing is left to reverse, and no hit to make good.
        table.restore_meter(&mut Vec::new());
        assert_eq!(holdings(&table), (10_000, 1_000_000));
    }

    #[test]
    fn a_progressive_given_back_has_contributed_nothing() {
        // CW-R22.
        let mut table = in_play();
        let events = follow(&mut table, settled(Circle::Progressive, 5, Ruling::Return));
        assert_eq!(events, ["moved 5 from escrow to rack:1", "moved 0.75 from meter to house"]);
        assert_eq!(holdings(&table), (9000, 1_000_000));
    }

    #[test]
    fn a_lammer_is_not_money() {
        // FBB-R09: it wins its face, and losing it costs nobody anything.
        let mut table = in_play();
        let Event::Settled(paid) = settled(Circle::Double, 10, Ruling::Pay(Odds::EVEN)) else {
            unreachable!()
        };
        let won = Event::Settled(Settlement { lammer: true, ..paid });
        assert_eq!(follow(&mut table, won), ["moved 10 from house to rack:1"]);
        let (ruling, gain) = (Ruling::Take, Cents::ZERO);
        let lost = Event::Settled(Settlement { lammer: true, ruling, gain, ..paid });
        assert!(follow(&mut table, lost).is_empty());
    }
}
