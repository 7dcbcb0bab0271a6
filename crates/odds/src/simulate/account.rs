//! What one seat gains and stakes in a round.

use rules::money::Cents;
use rules::round::{Event, Record};
use rules::wager::Circle;

/// What one seat gained in a round, wager by wager.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Account {
    pub(crate) main: Cents,
    pub(crate) side: Cents,
    pub(crate) progressive: Cents,
    pub(crate) envy: Cents,
}

impl Account {
    /// Adds a gain on a circle to the wager that it belongs to.
    #[inline]
    pub(crate) fn gain(&mut self, circle: Circle, gain: Cents) {
        match circle {
            Circle::Main
            | Circle::War
            | Circle::Double
            | Circle::Split
            | Circle::Attack
            | Circle::Insurance => self.main += gain,
            Circle::Tie | Circle::Bonus | Circle::Push22 => self.side += gain,
            Circle::Progressive => self.progressive += gain,
            Circle::Envy => self.envy += gain,
            Circle::WarTie => {}
        }
    }
}

/// Whether what is staked on a circle is added to the main wager during a round.
#[inline]
pub const fn is_added_to_main(circle: Circle) -> bool {
    matches!(
        circle,
        Circle::War | Circle::Double | Circle::Split | Circle::Attack | Circle::Insurance
    )
}

/// All that is counted of a round with one seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Payoff {
    pub(super) account: Account,
    /// What was added to the main wager.
    pub(super) added: i64,
}

impl Record for Payoff {
    fn note(&mut self, event: Event) {
        match event {
            Event::Settled(settled) => self.account.gain(settled.circle, settled.gain),
            Event::Awarded { circle, amount, .. } => self.account.gain(circle, amount),
            Event::Staked { circle, amount, .. } if is_added_to_main(circle) => {
                self.added += i64::from(amount.get());
            }
            _ => {}
        }
    }
}
