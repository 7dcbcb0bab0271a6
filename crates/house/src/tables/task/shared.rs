//! What a table has of its house: the progressive that tables share, and cards that grow old.

use std::time::Duration;

use rules::money::Cents;
use rules::table::{Input, TableAwaits};
use tokio::sync::watch;
use tokio::time::Instant;

use super::write::Extra;
use super::{AFTER_A_FAILURE, METER_TOLD_EVERY, NotDone, TableTask, unix_time};
use crate::store::{Append, StoreError, TableStore};

impl<A: TableStore> TableTask<A> {
    /// Takes part in the progressive of the house, from before the first player on. A table that
    /// has had a meter of its own keeps it.
    pub(super) async fn share_meter(&mut self) -> Result<(), StoreError> {
        if self.live.table.meter().is_none() || self.shares_meter() {
            return Ok(());
        }
        let Some(shows) = self.shows.as_ref().map(|shows| *shows.borrow()) else { return Ok(()) };
        match self.put(&Input::Meter(shows), Extra::default()).await {
            Err(NotDone::Lost(error) | NotDone::Failed(error)) => Err(error),
            _ => Ok(()),
        }
    }

    /// Knows since when the table has its cards.
    pub(super) async fn look_after_decks(&mut self) -> Result<(), StoreError> {
        if self.live.table.hours_of_decks().is_none() {
            return Ok(());
        }
        let mut since = self.means.store.decks(&self.name).await?;
        if since.is_none() {
            since = Some(unix_time());
            let (table, epoch) = (self.name.clone(), self.epoch);
            let append = Append { table, epoch, decks: since, ..Append::default() };
            self.means.store.append(append).await?;
        }
        self.change_decks(since);
        Ok(())
    }

    /// Knows what the shared meter shows, before it is moved.
    pub(super) async fn is_told(&mut self, shows: Cents) -> Result<(), NotDone> {
        if self.live.table.meter() == Some(shows) {
            return Ok(());
        }
        let meter = Input::Meter(shows);
        let decided = self.decide(&meter)?;
        self.write(&meter, decided, Extra::default()).await?;
        self.announce().await;
        Ok(())
    }

    pub(super) fn shares_meter(&self) -> bool {
        self.live.table.shares_meter()
    }

    /// Sets the day when other cards come, where the book says so (FBB-2-c).
    pub(super) fn change_decks(&mut self, since: Option<i64>) {
        let hours = self.live.table.hours_of_decks();
        self.decks = hours.map(|hours| {
            let used = unix_time().saturating_sub(since.unwrap_or_else(unix_time)).max(0);
            let left = (i64::from(hours) * 3600).saturating_sub(used).max(0);
            Instant::now() + Duration::from_secs(u64::try_from(left).unwrap_or(0))
        });
    }

    /// A day is over: other cards come before the next round.
    pub(super) async fn decks_due(&mut self) -> Result<(), StoreError> {
        // Not before the openings are there: nothing replaces an order that somebody may know, unseen. Nor
        // while the table is frozen.
        let is_later = matches!(
            self.live.table.awaits(),
            TableAwaits::Openings | TableAwaits::Supervisor(_) | TableAwaits::Choice(_)
        );
        if is_later {
            self.decks = Some(Instant::now() + AFTER_A_FAILURE);
            return Ok(());
        }
        self.decks = match self.does(&Input::DecksDue).await? {
            true => None,
            false => Some(Instant::now() + AFTER_A_FAILURE),
        };
        Ok(())
    }

    /// Tells the table what the shared meter shows, if somebody is there to see it.
    pub(super) async fn tell_meter(&mut self) -> Result<(), StoreError> {
        self.meter_due = None;
        let shows = self.shows.as_mut().map(|shows| *shows.borrow_and_update());
        match shows.filter(|shows| self.live.table.meter() != Some(*shows)) {
            Some(shows) => self.does(&Input::Meter(shows)).await.map(drop),
            None => Ok(()),
        }
    }

    /// Sets when the table is told of a meter that moved elsewhere.
    pub(super) fn note_meter(&mut self) {
        let shows = self.shows.as_ref().map(|shows| *shows.borrow());
        let is_stale = shows.is_some_and(|shows| self.live.table.meter() != Some(shows));
        let is_seen = !self.viewers.is_empty() && self.shares_meter();
        if is_stale && is_seen && self.meter_due.is_none() {
            self.meter_due = Some(Instant::now() + METER_TOLD_EVERY);
        }
    }
}

/// Waits until a meter shows something else.
pub(super) async fn moved(shows: &mut Option<watch::Receiver<Cents>>) {
    let is_moved = match shows {
        Some(shows) => shows.changed().await.is_ok(),
        None => false,
    };
    if !is_moved {
        std::future::pending().await
    }
}
