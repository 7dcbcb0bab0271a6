//! What one bettor staked and gained, by circle.

use rules::money::Cents;
use rules::round::{Event, Record, Why};
use rules::wager::{Bettor, Circle};

/// A record that keeps one bettor's account of a round.
#[derive(Clone, Copy, Debug)]
pub struct Ledger {
    bettor: Bettor,
    lines: [CircleAccount; Circle::ALL.len()],
}

/// The account of one circle.
#[derive(Clone, Copy, Debug, Default)]
struct CircleAccount {
    staked: Cents,
    gain: Cents,
    why: Option<Why>,
}

impl Ledger {
    /// An empty account.
    pub fn of(bettor: Bettor) -> Ledger {
        Ledger { bettor, lines: [CircleAccount::default(); Circle::ALL.len()] }
    }

    /// What was staked on a circle, lammers not counted.
    pub fn staked(&self, circle: Circle) -> Cents {
        self.lines[circle as usize].staked
    }

    /// What was won or lost on a circle.
    pub fn gain(&self, circle: Circle) -> Cents {
        self.lines[circle as usize].gain
    }

    /// What decided the circle last, once something has.
    pub fn why(&self, circle: Circle) -> Option<Why> {
        self.lines[circle as usize].why
    }

    /// What was won or lost in all.
    pub fn total(&self) -> Cents {
        self.lines.iter().map(|line| line.gain).sum()
    }
}

impl Record for Ledger {
    fn note(&mut self, event: Event) {
        match event {
            Event::Staked { bettor, circle, amount, .. } if bettor == self.bettor => {
                self.lines[circle as usize].staked += amount.into();
            }
            Event::Settled(settlement) if settlement.bettor == self.bettor => {
                let line = &mut self.lines[settlement.circle as usize];
                line.gain += settlement.gain;
                line.why = Some(settlement.reason.why);
            }
            Event::Awarded { bettor, circle, amount, .. } if bettor == self.bettor => {
                self.lines[circle as usize].gain += amount;
            }
            Event::Reversed => self.lines.iter_mut().for_each(|line| line.gain = Cents::ZERO),
            _ => {}
        }
    }
}
