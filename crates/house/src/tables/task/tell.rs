//! What a table tells its viewers, and what is seen of it from outside.

use std::cell::OnceCell;
use std::sync::atomic::Ordering;

use audit::chain::Head;
use rules::table::{Account, Name, Table, TableEvent, Transfer};
use tokio::sync::watch;
use tokio::time::Instant;

use wire::{AboutTable, FromHouse, Purse, Refusal, View, ViewChange};

use super::clock::is_among;
use super::{Glance, TableTask, Viewer};
use crate::people::Person;
use crate::store::TableStore;
use crate::tables::about;
use crate::tables::dealer;
use crate::tables::felt::At;

impl<A: TableStore> TableTask<A> {
    /// What never changes at it.
    pub(crate) fn about(&self) -> AboutTable {
        let house = self.means.house.to_string();
        AboutTable { house, ..about::about(&self.name, &self.live.table, self.means.coach) }
    }

    /// The epoch under which it is owned.
    pub(crate) fn epoch(&self) -> i64 {
        self.epoch
    }

    /// What others see of it.
    pub(crate) fn glance(&self) -> watch::Receiver<Glance> {
        self.glance.subscribe()
    }

    /// Lets others see how the table is.
    pub(super) fn look(&self) {
        self.moment.store(moment(&self.live.table), Ordering::Relaxed);
        let trouble = self.trouble.clone();
        let now = Glance::of(&self.live.table, &self.viewers);
        // A table where nobody watches has not been told of the shared meter yet.
        let shows = self.shows.as_ref().filter(|_| self.shares_meter());
        let meter = shows.map(|shows| *shows.borrow()).or(now.meter);
        let has_seat = now.taken < now.seats;
        let is_open = now.is_open || has_seat && self.shuffles_for_newcomers();
        let round_time = self.tempo.round_time();
        let company = self.wanted_company();
        let holding = match self.means.is_of_a_node {
            true => self.holding.clone(),
            false => Vec::new(),
        };
        let now = Glance { trouble, is_open, meter, round_time, company, holding, ..now };
        self.glance.send_if_modified(|seen| std::mem::replace(seen, now.clone()) != now);
    }

    /// Whether the cards are shuffled for whoever sits down now.
    fn shuffles_for_newcomers(&self) -> bool {
        !self.means.physical && dealer::shuffles_for_newcomers(&self.live.table)
    }

    /// Tells every viewer the last step; who cannot keep up is left behind and may resume.
    pub(super) async fn announce(&mut self) {
        self.viewers.retain(|viewer| viewer.to.is_open());
        self.tell();
        let Some(step) = self.live.steps.back() else { return };
        for event in &step.events {
            let TableEvent::Moved(Transfer { from, to, .. }) = event else { continue };
            let ((Account::Player(name), _) | (_, Account::Player(name))) = (from, to) else {
                continue;
            };
            if let Some(account) = self.account(name).await {
                let theirs = self.viewers.iter().filter(|viewer| viewer.who.name == *name);
                theirs.for_each(|viewer| viewer.to.send(account.clone()));
            }
        }
    }

    fn tell(&mut self) {
        let Some(step) = self.live.steps.back() else { return };
        let head = step.events.contains(&TableEvent::Settled).then(|| self.head());
        let (views, sheet) = (self.views(|_| true), self.live.table.sheet());
        for (viewer, view) in self.viewers.iter_mut().zip(views) {
            let change = view.map(|view| viewer.changes(view));
            viewer.to.send(step.told(sheet, &viewer.who.name, change));
            if let Some(head) = &head {
                viewer.to.send(head.clone());
            }
        }
    }

    /// What some viewers see now; nothing for the others. The viewers stay where they are meanwhile, so
    /// that none is lost if this fails.
    fn views(&self, whom: impl Fn(&Viewer) -> bool) -> Vec<Option<View>> {
        let at = self.at(&self.viewers);
        let view = |viewer: &Viewer| whom(viewer).then(|| self.live.felt.view(&at, &viewer.who));
        self.viewers.iter().map(view).collect()
    }

    /// Shows every viewer what changed that is no step of the log.
    pub(super) fn show(&mut self) {
        self.show_to(|_| true);
    }

    /// Shows some viewers what changed that is no step of the log.
    pub(super) fn show_to(&mut self, whom: impl Fn(&Viewer) -> bool) {
        let (views, version) = (self.views(whom), self.live.version);
        for (viewer, view) in self.viewers.iter_mut().zip(views) {
            viewer.is_shown(version, view);
        }
    }

    /// Tells every viewer why nothing is taken, and lets others see it. What they were shown last is
    /// shown again: the table in memory may be none any more.
    pub(super) fn tell_trouble(&mut self, why: &Refusal) {
        let version = self.live.version;
        for viewer in &mut self.viewers {
            let view = viewer.shown.as_deref().map(|shown| {
                let (mut view, why) = (shown.clone(), why.clone());
                view.awaited.within_ms = None;
                (view.prompt, view.trouble) = (why.sentence.clone(), Some(why));
                view
            });
            viewer.is_shown(version, view);
        }
        self.glance
            .send_if_modified(|seen| seen.trouble.replace(why.clone()).as_ref() != Some(why));
    }

    /// All that a viewer sees.
    pub(super) fn state(&self, number: u64, view: Box<View>) -> FromHouse {
        FromHouse::State { version: self.live.version, number, view }
    }

    pub(super) fn head(&self) -> FromHouse {
        let Head { seq, hash } = self.live.head();
        FromHouse::Head { seq, hash: hash.to_string() }
    }

    /// What a player has away from the table; nothing where the store does not answer.
    pub(super) async fn account(&self, player: &Name) -> Option<FromHouse> {
        match self.means.store.balance("", &Account::Player(player.clone())).await {
            Ok(balance) => {
                let (name, balance) = (player.to_string(), balance.to_string());
                Some(FromHouse::Account(Purse { name, balance }))
            }
            Err(error) => {
                let table = &self.name;
                tracing::error!(table, what = "store", why = %error, "a balance cannot be read");
                None
            }
        }
    }

    pub(super) fn view(&self, viewer: &Person) -> Box<View> {
        Box::new(self.live.felt.view(&self.at(&self.viewers), viewer))
    }

    /// The table now, for however many look at it.
    fn at(&self, viewers: &[Viewer]) -> At<'_> {
        let (now, table) = (Instant::now(), &self.live.table);
        let clock = self.clock.filter(|(_, due)| due.has_clock()).map(|(when, due)| {
            let (left, all) =
                (when.saturating_duration_since(now), due.after(&self.means.pace, table));
            (left, all.max(left))
        });
        let seated = || table.everyone().map(|(_, chair)| &chair.player);
        At {
            name: &self.name,
            table,
            ready: &self.ready,
            asking: &self.asking,
            bots: seated().filter(|player| self.means.store.is_bot(player)).cloned().collect(),
            company: Some((self.company, self.means.company)).filter(|(_, most)| *most > 0),
            away: seated().filter(|player| !is_among(viewers, player)).cloned().collect(),
            trouble: self.trouble.as_ref(),
            clock,
            shuffle_in: self.tempo.until_shuffle(table, now),
            shuffles_for_newcomers: self.shuffles_for_newcomers(),
            answers: self.mix_answers(),
            has_named_cut: self.has_named_cut(),
            list: self.live.list.as_deref(),
            seats: OnceCell::new(),
        }
    }
}

/// A number for a moment of play: it moves with every card, and when a round is over.
pub(super) fn moment(table: &Table) -> u64 {
    let dealt = table.shoe().map_or(0, |shoe| shoe.dealt);
    u64::from(table.rounds_played()) << 32 | u64::from(table.shoes() & 0xffff) << 16 | dealt as u64
}

impl Viewer {
    /// Shows a view, if it is another one than before.
    fn is_shown(&mut self, version: u64, view: Option<View>) {
        let Some(view) = view.filter(|view| self.shown.as_deref() != Some(view)) else { return };
        let (number, change) = self.changes(view);
        self.to.send(FromHouse::Change { version, number, change: Box::new(change) });
    }

    /// What changed since the viewer was shown the table last. A difference is taken between two views
    /// of the same viewer, and never made from a difference.
    fn changes(&mut self, view: View) -> (u64, ViewChange) {
        self.number += 1;
        let change = self.shown.as_deref().map(|before| view.since(before)).unwrap_or_default();
        self.shown = Some(Box::new(view));
        (self.number, change)
    }
}
