//! What goes wrong at a table, and what is done about it.

use std::fmt;

use super::{Input, Table, TableRefusal, Told};

/// What the table remembers of irregularities.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pit {}

/// A report of something that went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {}

impl fmt::Display for Report {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl Report {
    /// Reads what stands after `report`.
    pub(super) fn read(_: &[&str]) -> Option<Report> {
        None
    }
}

impl Table {
    /// Whether the table takes this input while something is to be put right.
    pub(super) fn check_frozen(&self, _: &Input) -> Result<(), TableRefusal> {
        Ok(())
    }

    /// Takes a report, and freezes.
    pub(super) fn report(&mut self, _: &Report, _: &mut Told) -> Result<(), TableRefusal> {
        Err(self.not_awaited())
    }
}
