//! The progressive meter: one amount that several tables may share (CW-11-b, CW-R19).
//!
//! A pure machine. It grows by a share of every progressive wager, and falls for two reasons only:
//! a hit takes it, and a void takes back what the round had added. What a round has done to it
//! is on that round's [`Tab`], which its table keeps until the round is over.
//!
//! ```
//! use rules::money::Cents;
//! use rules::progressive::{Meter, Tab};
//!
//! let mut meter = Meter::new(Cents::new(1_000_000));
//! let (mut here, mut there) = (Tab::default(), Tab::default());
//! meter.contribute(Cents::new(75), &mut here);
//! meter.contribute(Cents::new(150), &mut there);
//! assert_eq!(meter.amount().to_string(), "10002.25");
//!
//! // A hit at one table takes all of it, and the house puts up the seed again.
//! meter.award(meter.amount(), &mut here);
//! meter.restore(&mut here);
//! assert_eq!(meter.amount().to_string(), "10000");
//! assert_eq!(meter.figures().awarded.to_string(), "10002.25");
//! ```

use crate::money::Cents;

/// A progressive meter, and everything that was ever paid into and out of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meter {
    seed: Cents,
    amount: Cents,
    figures: Figures,
}

/// The figures that a regulator asks for, since the meter was set up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// What the house put up at first.
    pub seeded: Cents,
    /// What wagers added, not counting void rounds.
    pub contributed: Cents,
    /// What hits were paid from it.
    pub awarded: Cents,
    /// How many hits.
    pub awards: u64,
    /// What the house put up after hits to restore the seed.
    pub restored: Cents,
    /// How often it was reset.
    pub resets: u64,
    /// What hits were paid beyond what it held, added by the house: a share rounded up to the cent,
    /// the seed for a later hit of the same round.
    pub overflow: Cents,
}

impl Figures {
    /// What the meter holds by these figures.
    pub fn balance(&self) -> Cents {
        self.seeded + self.contributed + self.restored + self.overflow - self.awarded
    }
}

/// What one round has done to a meter so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tab {
    contributed: Cents,
    awarded: Cents,
    awards: u64,
    overflow: Cents,
    restored: Cents,
    resets: u64,
    /// The reset after which the contributions were made.
    since: u64,
}

impl Tab {
    /// Whether the round hit.
    pub fn is_hit(&self) -> bool {
        self.awards > 0
    }
}

impl Meter {
    /// A meter for which the house has put up the seed.
    pub fn new(seed: Cents) -> Meter {
        assert!(seed >= Cents::ZERO, "a meter never owes");
        Meter { seed, amount: seed, figures: Figures { seeded: seed, ..Figures::default() } }
    }

    /// A meter that has these figures; none where it would owe, or one of them is negative.
    pub fn resumed(seed: Cents, figures: Figures) -> Option<Meter> {
        let Figures { seeded, contributed, awarded, restored, overflow, .. } = figures;
        let amount = figures.balance();
        let all = [seeded, contributed, awarded, restored, overflow, amount];
        all.iter().all(|one| *one >= Cents::ZERO).then_some(Meter { seed, amount, figures })
    }

    /// What it shows.
    pub fn amount(&self) -> Cents {
        self.amount
    }

    /// What it shows after a hit.
    pub fn seed(&self) -> Cents {
        self.seed
    }

    /// What was paid into and out of it.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    /// Adds a wager's share when bets close.
    pub fn contribute(&mut self, share: Cents, tab: &mut Tab) {
        assert!(share >= Cents::ZERO, "a wager adds to the meter");
        tab.since = self.figures.resets;
        tab.contributed += share;
        self.figures.contributed += share;
        self.settle();
    }

    /// Takes back the share of a wager that was returned (CW-R22); returns how much that was.
    ///
    /// A share that has meanwhile been paid to a hit elsewhere cannot be taken back.
    pub fn give_back(&mut self, share: Cents, tab: &mut Tab) -> Cents {
        assert!(share <= tab.contributed, "only what was added is taken back");
        if tab.since != self.figures.resets {
            return Cents::ZERO;
        }
        tab.contributed -= share;
        self.figures.contributed -= share;
        self.settle();
        share
    }

    /// Pays a hit; returns what the house had to add for it.
    pub fn award(&mut self, amount: Cents, tab: &mut Tab) -> Cents {
        let short = (amount - self.amount).max(Cents::ZERO);
        tab.overflow += short;
        tab.awarded += amount;
        tab.awards += 1;
        self.figures.overflow += short;
        self.figures.awarded += amount;
        self.figures.awards += 1;
        self.settle();
        short
    }

    /// Resets to the seed once a round with a hit is over; returns what the house put up.
    pub fn restore(&mut self, tab: &mut Tab) -> Cents {
        if !tab.is_hit() {
            return Cents::ZERO;
        }
        let lacking = (self.seed - self.amount).max(Cents::ZERO);
        tab.restored += lacking;
        tab.resets += 1;
        self.figures.restored += lacking;
        self.figures.resets += 1;
        self.settle();
        lacking
    }

    /// Undoes all that a round did, because it is void (G-03).
    pub fn reverse(&mut self, tab: Tab) {
        let figures = &mut self.figures;
        figures.awarded -= tab.awarded;
        figures.awards -= tab.awards;
        figures.overflow -= tab.overflow;
        figures.restored -= tab.restored;
        figures.resets -= tab.resets;
        if tab.since == figures.resets {
            figures.contributed -= tab.contributed;
        }
        self.settle();
    }

    /// Shows what the figures say.
    fn settle(&mut self) {
        self.amount = self.figures.balance();
        assert!(self.amount >= Cents::ZERO, "a meter never owes");
    }
}
