//! What a supervisor orders, what players choose, and corrections.

use std::fmt;

use super::account::{Name, Transfer, Words, read_bettor};
use super::{Table, TableRefusal, Told};
use crate::wager::Bettor;

/// What a supervisor orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// The cards are cut again (DAB-4-g): `recut`.
    Recut,
    /// The cards are shuffled although the cut card is not out (DAB-4-h): `reshuffle`.
    Reshuffle,
    /// Someone may bet in mid-shoe (DAB-5-h): `admit 3`.
    Admit(Bettor),
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Order::Recut => f.write_str("recut"),
            Order::Reshuffle => f.write_str("reshuffle"),
            Order::Admit(bettor) => write!(f, "admit {bettor}"),
        }
    }
}

impl Order {
    /// Reads what stands between `order` and `by`.
    pub(super) fn read(words: &[&str]) -> Option<Order> {
        Some(match *words {
            ["recut"] => Order::Recut,
            ["reshuffle"] => Order::Reshuffle,
            ["admit", bettor] => Order::Admit(read_bettor(bettor)?),
            _ => return None,
        })
    }
}

/// What a player chooses when something went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The missed card is dealt now (G-17): `late-card`.
    LateCard,
    /// The wager comes back (G-17): `refund`.
    Refund,
}

impl Choice {
    /// Reads what stands after who chooses.
    pub(super) fn read(words: &[&str]) -> Option<Choice> {
        match *words {
            ["late-card"] => Some(Choice::LateCard),
            ["refund"] => Some(Choice::Refund),
            _ => None,
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Choice::LateCard => "late-card",
            Choice::Refund => "refund",
        })
    }
}

impl Table {
    /// Carries out what a supervisor orders.
    pub(super) fn order(
        &mut self,
        order: &Order,
        _by: &Name,
        _because: Option<&Words>,
        told: &mut Told,
    ) -> Result<(), TableRefusal> {
        match order {
            Order::Recut => self.recut(told),
            Order::Reshuffle => self.reshuffle(told),
            Order::Admit(bettor) => self.admit(*bettor, told),
        }
    }

    /// Takes a player's choice.
    pub(super) fn choose(
        &mut self,
        _bettor: Bettor,
        _choice: Choice,
        _told: &mut Told,
    ) -> Result<(), TableRefusal> {
        Err(self.not_awaited())
    }

    /// Puts a mistake of an earlier round right (G-28).
    pub(super) fn correct(
        &mut self,
        _round: u32,
        _transfer: &Transfer,
        _by: &Name,
        _because: &Words,
        _told: &mut Told,
    ) -> Result<(), TableRefusal> {
        Err(self.not_awaited())
    }
}
