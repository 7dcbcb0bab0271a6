//! The progressive meter of a table: its own, or one that several tables share (CW-11-b, CW-R19).

use super::account::{Account, Transfer};
use super::{Table, TableRefusal, Told, What};
use crate::games::casino_war;
use crate::money::{Cents, Chips};
use crate::progressive::Meter;
use crate::wager::Bettor;

/// Whose meter it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TableMeter {
    /// The table's.
    Own(Meter),
    /// The house's: it shows what the house says, and what this table moved since.
    Shared {
        /// What it shows.
        shows: Cents,
        /// Whether the round in play has hit it.
        hit: bool,
    },
}

impl TableMeter {
    fn shows(&self) -> Cents {
        match self {
            TableMeter::Own(meter) => meter.amount(),
            TableMeter::Shared { shows, .. } => *shows,
        }
    }
}

impl Table {
    /// The progressive meter, where the table has one.
    pub fn meter(&self) -> Option<Cents> {
        self.meter.as_ref().map(TableMeter::shows)
    }

    /// Whether the meter is one that several tables share.
    pub fn shares_meter(&self) -> bool {
        matches!(self.meter, Some(TableMeter::Shared { .. }))
    }

    /// The house tells what a meter shows that several tables share. One that is the table's own
    /// from the first player on stays so.
    pub(super) fn tell_meter(&mut self, shows: Cents) -> Result<(), TableRefusal> {
        match &mut self.meter {
            _ if shows < Cents::ZERO => return Err(TableRefusal::OwnMeter),
            Some(TableMeter::Shared { shows: before, .. }) => *before = shows,
            Some(meter) if self.arrivals == 0 => {
                *meter = TableMeter::Shared { shows, hit: false };
            }
            _ => return Err(TableRefusal::OwnMeter),
        }
        if let Some(play) = &mut self.play {
            play.tell_meter(shows);
        }
        Ok(())
    }

    /// Tells how the own meter came to its seed: the house puts it up when the game begins (CW-R19).
    pub(super) fn tell_seed(&self, told: &mut Told) {
        let Some(TableMeter::Own(meter)) = &self.meter else { return };
        let amount = meter.amount();
        if amount > Cents::ZERO {
            let (from, to) = (Account::House, Account::Meter);
            told.all(What::Moved(Transfer { from, to, amount }));
            told.all(What::Meter(amount));
        }
    }

    /// A share of a progressive wager, when bets close (CW-R19).
    pub(super) fn contribute_to_meter(&mut self, stake: Chips, told: &mut Told) {
        let share = casino_war::contribution(&self.sheet, stake);
        if let (Some(TableMeter::Own(meter)), Some(play)) = (&mut self.meter, &mut self.play) {
            meter.contribute(share, &mut play.tab);
        }
        self.pay_in_round(Account::House, Account::Meter, share, told);
    }

    /// A wager given back has contributed nothing (CW-R22).
    pub(super) fn take_back_contribution(&mut self, stake: Chips, told: &mut Told) {
        let mut share = casino_war::contribution(&self.sheet, stake);
        if let (Some(TableMeter::Own(meter)), Some(play)) = (&mut self.meter, &mut self.play) {
            share = meter.give_back(share, &mut play.tab);
        }
        self.pay_in_round(Account::Meter, Account::House, share, told);
    }

    /// A hit. What the meter does not hold, the house adds first: shares are raised to the cent,
    /// and a second winner may be paid the seed (CW-R19).
    pub(super) fn pay_from_meter(&mut self, bettor: Bettor, amount: Cents, told: &mut Told) {
        let short = match (&mut self.meter, &mut self.play) {
            (Some(TableMeter::Own(meter)), Some(play)) => meter.award(amount, &mut play.tab),
            (Some(TableMeter::Shared { shows, hit }), _) => {
                *hit = true;
                (amount - *shows).max(Cents::ZERO)
            }
            _ => unreachable!("only a meter pays the progressive"),
        };
        self.pay_in_round(Account::House, Account::Meter, short, told);
        self.pay_in_round(Account::Meter, self.rack(bettor), amount, told);
    }

    /// After a hit the meter starts from its seed again (CW-R19).
    pub(super) fn restore_meter(&mut self, told: &mut Told) {
        let lacking = match (&mut self.meter, &mut self.play) {
            (Some(TableMeter::Own(meter)), Some(play)) => meter.restore(&mut play.tab),
            (Some(TableMeter::Shared { shows, hit: hit @ true }), _) => {
                *hit = false;
                (casino_war::seed(&self.sheet) - *shows).max(Cents::ZERO)
            }
            _ => return,
        };
        self.pay_in_round(Account::House, Account::Meter, lacking, told);
    }

    /// The round has never been (G-03).
    pub(super) fn reverse_meter(&mut self) {
        match (&mut self.meter, &mut self.play) {
            (Some(TableMeter::Own(meter)), Some(play)) => {
                meter.reverse(std::mem::take(&mut play.tab));
            }
            (Some(TableMeter::Shared { hit, .. }), _) => *hit = false,
            _ => {}
        }
    }

    /// A shared meter follows what this table moves; the own one knows already. What a hit elsewhere
    /// was paid meanwhile the house puts up again, so it never owes.
    pub(super) fn move_meter(&mut self, amount: Cents) {
        if let Some(TableMeter::Shared { shows, .. }) = &mut self.meter {
            *shows = (*shows + amount).max(Cents::ZERO);
        }
    }
}
