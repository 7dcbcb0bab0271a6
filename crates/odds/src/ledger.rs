//! What one bettor staked and gained, by circle.

use rules::money::Cents;
use rules::round::{Event, Record};
use rules::wager::{Bettor, Circle};

/// A record that keeps one bettor's account of a round.
#[derive(Clone, Copy, Debug)]
pub struct Ledger {
    bettor: Bettor,
    lines: [Line; Circle::ALL.len()],
}

/// The account of one circle.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    staked: Cents,
    gain: Cents,
    clause: &'static str,
}

impl Ledger {
    /// An empty account.
    pub fn of(bettor: Bettor) -> Ledger {
        Ledger { bettor, lines: [Line::default(); Circle::ALL.len()] }
    }

    /// What was staked on a circle, lammers not counted.
    pub fn staked(&self, circle: Circle) -> Cents {
        self.lines[circle as usize].staked
    }

    /// What was won or lost on a circle.
    pub fn gain(&self, circle: Circle) -> Cents {
        self.lines[circle as usize].gain
    }

    /// The clause that decided the circle last; empty while none has.
    pub fn clause(&self, circle: Circle) -> &'static str {
        self.lines[circle as usize].clause
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
                line.clause = settlement.clause;
            }
            Event::Awarded { bettor, circle, amount, .. } if bettor == self.bettor => {
                self.lines[circle as usize].gain += amount;
            }
            Event::Reversed => self.lines.iter_mut().for_each(|line| line.gain = Cents::ZERO),
            _ => {}
        }
    }
}
