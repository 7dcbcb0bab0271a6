//! The books of a day: money only moves, and they say the same as the table.

use std::collections::BTreeMap;

use rules::money::Cents;
use rules::table::{Account, Input, Table, TableEvent};
use rules::wager::Bettor;

/// What every account holds.
#[derive(Default)]
pub(crate) struct Books(BTreeMap<Account, Cents>);

impl Books {
    /// Nobody but house, cashier and who buys in goes below nothing.
    pub(crate) fn follow(&mut self, input: &Input, events: &[TableEvent], table: &Table) {
        if let Input::Meter(amount) = input {
            // Other tables' wagers and hits.
            let moved = *amount - self.balance(&Account::Meter);
            self.add(&Account::Meter, moved);
            self.add(&Account::Cashier, -moved);
        }
        for event in events {
            match event {
                TableEvent::Moved(transfer) => {
                    assert!(transfer.amount > Cents::ZERO, "{transfer}");
                    self.add(&transfer.from, -transfer.amount);
                    self.add(&transfer.to, transfer.amount);
                    for side in [&transfer.from, &transfer.to] {
                        let may_owe = matches!(side, Account::House | Account::Player(_));
                        assert!(may_owe || self.balance(side) >= Cents::ZERO, "{event}");
                    }
                }
                TableEvent::Meter(meter) => {
                    assert_eq!(self.balance(&Account::Meter), *meter, "{event}")
                }
                _ => {}
            }
        }
        self.compare(table);
    }

    fn compare(&self, table: &Table) {
        assert_eq!(self.0.values().copied().sum::<Cents>(), Cents::ZERO);
        for (bettor, chips) in racks(table) {
            assert_eq!(self.balance(&Account::Rack(bettor)), chips, "rack {bettor}");
        }
        let all: Cents = racks(table).map(|(_, chips)| chips).sum();
        let booked = self.0.iter().filter(|(account, _)| matches!(account, Account::Rack(_)));
        assert_eq!(booked.map(|(_, chips)| *chips).sum::<Cents>(), all, "no chips elsewhere");
        // The seed is put up when the first player comes.
        if let Some(meter) = table.meter().filter(|_| !self.0.is_empty()) {
            assert_eq!(self.balance(&Account::Meter), meter);
        }
        if table.round().is_none() {
            assert_eq!(self.balance(&Account::Escrow), Cents::ZERO);
        }
    }

    fn balance(&self, account: &Account) -> Cents {
        self.0.get(account).copied().unwrap_or_default()
    }

    fn add(&mut self, account: &Account, amount: Cents) {
        *self.0.entry(account.clone()).or_default() += amount;
    }
}

/// Every rack, at the box where its owner has it.
pub(crate) fn racks(table: &Table) -> impl Iterator<Item = (Bettor, Cents)> {
    table.everyone().map(|(bettor, chair)| (bettor, chair.rack))
}
