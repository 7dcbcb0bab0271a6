//! The progressive meter of a table: its own, or one that several tables share (CW-11-b, CW-R19).

use crate::games::casino_war;
use crate::money::{Cents, Chips};
use crate::notation::{Reading, Unreadable, Words};
use crate::progressive::{Figures, Meter};
use std::fmt;

use super::Seats;
use crate::table::account::{Account, Transfer};
use crate::table::{Answer, Events, Table, TableEvent, TableRefusal};
use crate::wager::Bettor;

/// Whose meter it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TableMeter {
    /// The table's own.
    Own(Meter),
    /// The house's: it shows what the house last reported, plus what this table has moved since.
    Shared {
        /// What it shows.
        shows: Cents,
        /// Whether the round in play has hit it.
        hit: bool,
    },
}

impl fmt::Display for TableMeter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableMeter::Own(meter) => {
                let Figures { seeded, contributed, awarded, awards, restored, resets, overflow } =
                    meter.figures();
                write!(
                    f,
                    "own seeded {seeded} contributed {contributed} awarded {awarded} in {awards} \
                     restored {restored} in {resets} overflow {overflow}"
                )
            }
            TableMeter::Shared { shows, .. } => write!(f, "shared {shows}"),
        }
    }
}

impl TableMeter {
    /// Reads the printed figures of a meter.
    pub(super) fn resume(&mut self, words: &mut Words<'_>) -> Reading<()> {
        if words.skip("shared") {
            *self = TableMeter::Shared { shows: words.money()?, hit: false };
            return Ok(());
        }
        words.exactly("own")?;
        let figures = Figures {
            seeded: words.after("seeded")?,
            contributed: words.after("contributed")?,
            awarded: words.after("awarded")?,
            awards: words.after("in")?,
            restored: words.after("restored")?,
            resets: words.after("in")?,
            overflow: words.after("overflow")?,
        };
        let resumed = match self {
            TableMeter::Own(meter) => Meter::resumed(meter.seed(), figures),
            TableMeter::Shared { .. } => None,
        };
        let expected = "the figures of a meter that never owes";
        *self = TableMeter::Own(resumed.ok_or_else(|| Unreadable::new(expected, "others"))?);
        Ok(())
    }

    fn shows(&self) -> Cents {
        match self {
            TableMeter::Own(meter) => meter.amount(),
            TableMeter::Shared { shows, .. } => *shows,
        }
    }
}

impl Seats {
    /// The progressive meter, where the table has one.
    pub(crate) fn meter(&self) -> Option<Cents> {
        self.meter.as_ref().map(TableMeter::shows)
    }

    /// Reports the seed of the table's own meter, which the house puts up when the game begins (CW-R19).
    pub(crate) fn tell_seed(&self, events: &mut Events) {
        let Some(TableMeter::Own(meter)) = &self.meter else { return };
        let amount = meter.amount();
        if amount > Cents::ZERO {
            let (from, to) = (Account::House, Account::Meter);
            events.push(TableEvent::Moved(Transfer { from, to, amount }));
            events.push(TableEvent::Meter(amount));
        }
    }

    /// Moves a shared meter; one of the table's own has moved already. What it lacks because of a hit
    /// elsewhere the house puts up, so it never goes below zero.
    pub(crate) fn move_meter(&mut self, amount: Cents) {
        if let Some(TableMeter::Shared { shows, .. }) = &mut self.meter {
            *shows = (*shows + amount).max(Cents::ZERO);
        }
    }
}

impl Table {
    /// Whether the meter is shared by several tables.
    pub fn shares_meter(&self) -> bool {
        matches!(self.seats.meter, Some(TableMeter::Shared { .. }))
    }

    /// The house reports what a shared meter shows. A meter that was the table's own when the first
    /// player sat down stays so.
    pub(crate) fn tell_meter(&mut self, shows: Cents) -> Answer {
        match &mut self.seats.meter {
            _ if shows < Cents::ZERO => return Err(TableRefusal::OwnMeter),
            Some(TableMeter::Shared { shows: before, .. }) => *before = shows,
            Some(meter) if self.seats.arrivals == 0 => {
                *meter = TableMeter::Shared { shows, hit: false };
            }
            _ => return Err(TableRefusal::OwnMeter),
        }
        if let Some(play) = self.rounds.play_mut() {
            play.tell_meter(shows);
        }
        Ok(())
    }

    /// A share of a progressive wager, when bets close (CW-R19).
    pub(crate) fn contribute_to_meter(&mut self, stake: Chips, events: &mut Events) {
        let share = casino_war::contribution(&self.sheet, stake);
        if let (Some(TableMeter::Own(meter)), Some(play)) =
            (&mut self.seats.meter, self.rounds.play_mut())
        {
            meter.contribute(share, &mut play.tab);
        }
        self.pay_in_round(Account::House, Account::Meter, share, events);
    }

    /// A returned wager has contributed nothing (CW-R22).
    pub(crate) fn take_back_contribution(&mut self, stake: Chips, events: &mut Events) {
        let mut share = casino_war::contribution(&self.sheet, stake);
        if let (Some(TableMeter::Own(meter)), Some(play)) =
            (&mut self.seats.meter, self.rounds.play_mut())
        {
            share = meter.give_back(share, &mut play.tab);
        }
        self.pay_in_round(Account::Meter, Account::House, share, events);
    }

    /// Pays a hit. The house first adds what the meter lacks: shares are rounded up to the cent, and
    /// a second winner may be paid the seed (CW-R19).
    pub(crate) fn pay_from_meter(&mut self, bettor: Bettor, amount: Cents, events: &mut Events) {
        let short = match (&mut self.seats.meter, self.rounds.play_mut()) {
            (Some(TableMeter::Own(meter)), Some(play)) => meter.award(amount, &mut play.tab),
            (Some(TableMeter::Shared { shows, hit }), _) => {
                *hit = true;
                (amount - *shows).max(Cents::ZERO)
            }
            _ => unreachable!("only a meter pays the progressive"),
        };
        self.pay_in_round(Account::House, Account::Meter, short, events);
        self.pay_in_round(Account::Meter, self.seats.rack(bettor), amount, events);
    }

    /// After a hit the meter starts from its seed again (CW-R19).
    pub(crate) fn restore_meter(&mut self, events: &mut Events) {
        let lacking = match (&mut self.seats.meter, self.rounds.play_mut()) {
            (Some(TableMeter::Own(meter)), Some(play)) => meter.restore(&mut play.tab),
            (Some(TableMeter::Shared { shows, hit: hit @ true }), _) => {
                *hit = false;
                (casino_war::seed(&self.sheet) - *shows).max(Cents::ZERO)
            }
            _ => return,
        };
        self.pay_in_round(Account::House, Account::Meter, lacking, events);
    }

    /// Undoes what the round did to the meter (G-03).
    pub(crate) fn reverse_meter(&mut self) {
        match (&mut self.seats.meter, self.rounds.play_mut()) {
            (Some(TableMeter::Own(meter)), Some(play)) => {
                meter.reverse(std::mem::take(&mut play.tab));
            }
            (Some(TableMeter::Shared { hit, .. }), _) => *hit = false,
            _ => {}
        }
    }
}
