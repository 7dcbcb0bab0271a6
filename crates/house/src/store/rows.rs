//! Reading rows: what cannot be read is an error with its place, and is never skipped.

use std::str::FromStr;

use rules::money::Cents;

use super::database::{Readable, Row};
use super::{StoreError, StoreResult};

/// No amount and no time in a store is as large as this, so that sums of them stay in range.
const LARGEST: i64 = 1 << 56;

/// A row, with the table that it is of and the columns that tell it from others.
#[derive(Clone, Copy)]
pub(super) struct StoredRow<'a> {
    row: &'a Row,
    table: &'static str,
    key: &'a [&'static str],
}

impl<'a> StoredRow<'a> {
    pub(super) fn new(row: &'a Row, table: &'static str, key: &'a [&'static str]) -> StoredRow<'a> {
        StoredRow { row, table, key }
    }

    /// A value of any type. The library itself would take nothing for 0.
    pub(super) fn get<T>(&self, column: &str) -> StoreResult<T>
    where
        T: Readable<'a>,
    {
        self.some(column, self.get_or_none(column)?)
    }

    /// A value where there is one.
    pub(super) fn get_or_none<T>(&self, column: &str) -> StoreResult<Option<T>>
    where
        T: Readable<'a>,
    {
        self.row.try_get::<Option<T>>(column).map_err(|_| self.damage_at(column))
    }

    /// A whole number of no particular meaning: a time, or a sum.
    pub(super) fn whole(&self, column: &str) -> StoreResult<i64> {
        let number: i64 = self.get(column)?;
        self.some(column, (-LARGEST..=LARGEST).contains(&number).then_some(number))
    }

    /// A whole number where there is one.
    pub(super) fn whole_or_none(&self, column: &str) -> StoreResult<Option<i64>> {
        match self.get_or_none::<i64>(column)? {
            Some(_) => self.whole(column).map(Some),
            None => Ok(None),
        }
    }

    /// A count, or a number of something.
    pub(super) fn count<T: TryFrom<i64>>(&self, column: &str) -> StoreResult<T> {
        let number = self.whole(column)?;
        self.some(column, T::try_from(number).ok())
    }

    pub(super) fn cents(&self, column: &str) -> StoreResult<Cents> {
        self.whole(column).map(Cents::new)
    }

    pub(super) fn text(&self, column: &str) -> StoreResult<String> {
        self.get(column)
    }

    /// A text that means something.
    pub(super) fn parsed<T: FromStr>(&self, column: &str) -> StoreResult<T> {
        self.named(column, |text| text.parse().ok())
    }

    /// A text that means something, or an error where it does not.
    pub(super) fn named<T>(
        &self,
        column: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> StoreResult<T> {
        let text: &str = self.get(column)?;
        self.some(column, read(text))
    }

    /// Yes or no.
    pub(super) fn flag(&self, column: &str) -> StoreResult<bool> {
        match self.whole(column)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(self.damage_at(column)),
        }
    }

    fn some<T>(&self, column: &str, value: Option<T>) -> StoreResult<T> {
        value.ok_or_else(|| self.damage_at(column))
    }

    /// Where a value is that cannot be read.
    pub(super) fn damage_at(&self, column: &str) -> StoreError {
        let key = self.key.iter().map(|part| {
            let number = self.row.try_get::<Option<i64>>(part);
            let value = match number {
                Ok(number) => number.map(|number| number.to_string()),
                Err(_) => self.row.try_get::<String>(part).ok(),
            };
            format!("{part} {}", value.as_deref().unwrap_or("?"))
        });
        let key: Vec<String> = key.collect();
        let of = if key.is_empty() { String::new() } else { format!(" ({})", key.join(", ")) };
        StoreError::Unreadable { place: format!("column {column} of {}{of}", self.table) }
    }
}
