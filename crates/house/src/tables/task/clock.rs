//! What happens at a table by itself: clocks, grace, and the seats of who is gone.

use std::time::Duration;

use rules::money::Cents;
use rules::table::{Input, Name};
use rules::wager::Bettor;
use tokio::time::{Instant, sleep_until};

use super::write::Extra;
use super::{AFTER_A_FAILURE, AFTER_A_STALL, NotDone, STALLED, TableTask, Viewer, unix_time};
use crate::store::{StoreError, TableStore};
use crate::tables::commands::places;
use crate::tables::dealer::{self, Due, no_entropy};
use crate::tables::live::no_replay;

impl<A: TableStore> TableTask<A> {
    /// What nobody prevented in time.
    pub(super) async fn when_due(&mut self, due: Due) -> Result<(), StoreError> {
        let mut sealed = None;
        let asked = due.asked();
        let late = self.out_of_time(&asked);
        if !asked.is_empty() && late.is_none() {
            self.clock = Some((Instant::now() + self.means.pace.grace, due));
            self.show();
            return Ok(());
        }
        let input = match due {
            Due::Shuffle => {
                let (table, custody) = (&self.live.table, &self.live.custody);
                let order = match table.round() {
                    // Discards in mid-round: nobody chooses their order.
                    Some(_) => custody
                        .refill(table)
                        .ok_or_else(|| no_replay(&self.name, "the discards are not known"))?,
                    None => (self.means.orders)(custody.stack(table)).map_err(no_entropy)?,
                };
                let (seal, steps) = (Some(order.seal()), self.live.table.usual_shuffle());
                sealed = Some(order);
                Some(Input::Shuffle { seal, steps })
            }
            Due::Deal => Some(Input::Deal),
            Due::Reshuffle => Some(dealer::reshuffle()),
            Due::Commit => Some(self.closed_list()),
            Due::Open => Some(self.openings()),
            Due::CutPassed(bettor) => Some(Input::TimeOut { bettor }),
            Due::Idle(_) => Some(Input::Idle),
            Due::Inspection(_) | Due::Unchosen(_) | Due::CutRefused(_) | Due::Unanswered(_) => {
                late.map(|bettor| Input::TimeOut { bettor })
            }
            Due::Dealer => dealer::step(&self.live.table, &self.live.custody),
        };
        let Some(input) = input else {
            return Err(no_replay(&self.name, "the dealer has no card for it"));
        };
        match self.put(&input, Extra { sealed, ..Extra::default() }).await {
            Ok(_) => self.announce().await,
            Err(NotDone::Lost(error)) => return Err(error),
            Err(NotDone::Failed(_)) => {}
            Err(not_done) => {
                // A supervisor decides, or there is a mistake: the dealer does not insist.
                self.note_refused(&input, not_done);
                self.clock = None;
            }
        }
        Ok(())
    }

    /// Whether something is read before the clock decides for somebody who may have answered in time: what
    /// waits for the table, and what is in sockets where the process was stopped meanwhile. Only once, so
    /// that nobody holds the clock up.
    pub(super) fn reads_first(&mut self, clock: Option<(Instant, Due)>, waiting: usize) -> bool {
        let Some((when, due)) = clock else { return false };
        let rings = (self.live.version, due);
        if matches!(due, Due::Dealer | Due::Shuffle | Due::Reshuffle) || self.rang == Some(rings) {
            return false;
        }
        let is_stalled = when.elapsed() >= STALLED;
        if is_stalled {
            self.acts_after = self.acts_after.max(Instant::now() + AFTER_A_STALL);
        }
        (self.rang, self.unread) = (Some(rings), waiting);
        is_stalled || waiting > 0
    }

    /// Who of those that are asked has no more time. Whoever is gone has some more, once a round;
    /// where that is all of them, it begins now.
    pub(super) fn out_of_time(&mut self, asked: &[Bettor]) -> Option<Bettor> {
        let name = |bettor: Bettor| self.live.table.chair(bettor).map(|chair| &chair.player);
        let is_late = |bettor: &Bettor| {
            name(*bettor).is_none_or(|name| self.is_here(name) || self.graced.contains(name))
        };
        let late = asked.iter().copied().find(is_late);
        if late.is_none() {
            let gone: Vec<Name> = asked.iter().filter_map(|b| name(*b)).cloned().collect();
            self.graced.extend(gone);
        }
        late.filter(|_| !asked.is_empty())
    }

    /// Whether a player has the table before them.
    pub(super) fn is_here(&self, player: &Name) -> bool {
        is_among(&self.viewers, player)
    }

    /// Whether a player has a place here, and does not have the table before them.
    pub(super) fn is_away(&self, player: &Name) -> bool {
        !places(&self.live.table, player).is_empty() && !self.is_here(player)
    }

    /// Whether somebody has placed a wager, or has chips to place one and may.
    pub(super) fn has_part(&self, player: &Name) -> bool {
        let table = &self.live.table;
        let own = || table.everyone().filter(|(_, chair)| chair.player == *player);
        let may_bet = || own().any(|(bettor, _)| table.may_bet_next(Some(bettor)).is_ok());
        own().any(|(_, chair)| !chair.wager.is_empty())
            || own().any(|(_, chair)| chair.rack > Cents::ZERO) && may_bet()
    }

    /// Notes who is gone, and says who leaves next, and when: whoever was sent away as soon as their
    /// round is over, and whoever is gone after a while.
    pub(super) fn next_to_leave(&mut self) -> Option<(Instant, Bettor)> {
        self.note_absence();
        if let Some(bettor) = self.sent_away() {
            return Some((self.leaves_after, bettor));
        }
        let (now, kept) = (Instant::now(), self.means.pace.absence);
        let people = || self.live.table.everyone();
        let plays = |player: &Name| {
            people().any(|(_, chair)| chair.player == *player && !chair.wager.is_empty())
        };
        let gone = people().map(|(bettor, chair)| (bettor, &chair.player));
        let gone = gone.filter(|(_, player)| !self.is_here(player) && !plays(player));
        let since = |bettor: Bettor, player: &Name| {
            let before = self.absent.iter().find(|(at, who, _)| (*at, who) == (bettor, player));
            before.map_or(now, |(_, _, since)| *since)
        };
        let gone = gone.map(|(bettor, player)| (bettor, player.clone(), since(bettor, player)));
        self.absent = gone.collect();
        self.absent.iter().map(|(bettor, _, since)| (*since + kept, *bettor)).min()
    }

    /// A place of somebody who does not play now or was unseated, and whom the table lets go.
    fn sent_away(&mut self) -> Option<Bettor> {
        let table = &self.live.table;
        let (now, store) = (unix_time(), &self.means.store);
        let surplus = self.surplus_company();
        let mut sent = table.everyone().filter(|(_, chair)| {
            let player = &chair.player;
            self.leaving.contains(player)
                || surplus.contains(&player)
                || store.barrier(player, now).is_some()
        });
        let may_leave = |(bettor, _): &(Bettor, _)| {
            let leave = Input::Leave { bettor: *bettor };
            table.clone().apply(&leave, &mut Vec::new()).is_ok()
        };
        sent.find(may_leave).map(|(bettor, _)| bettor)
    }

    /// Clears the place of somebody who is gone or was sent away; the chips go to the account.
    pub(super) async fn unseat(&mut self, bettor: Bettor) -> Result<(), StoreError> {
        let kept = self.means.pace.absence;
        let is_due =
            |(at, _, since): &(Bettor, Name, Instant)| *at == bettor && since.elapsed() >= kept;
        if self.absent.iter().any(is_due) {
            self.note_absent(bettor);
        }
        self.absent.retain(|(at, ..)| *at != bettor);
        if !self.does(&Input::Leave { bettor }).await? {
            self.leaves_after = Instant::now() + AFTER_A_FAILURE;
        }
        Ok(())
    }

    /// Notes a refused step of the house's own: the first word of it alone, since others may be cards.
    fn note_refused(&self, input: &Input, not_done: NotDone) {
        let (line, why) = (input.to_string(), self.in_words(not_done).sentence);
        let step = line.split(' ').next().unwrap_or_default();
        tracing::warn!(table = self.name, what = "refused", step, why, "a step of the house's own");
    }

    /// Puts an input of the house's own and announces it; what the table refuses is left. Tells
    /// whether it need not come again.
    pub(super) async fn does(&mut self, input: &Input) -> Result<bool, StoreError> {
        match self.put(input, Extra::default()).await {
            Ok(_) => self.announce().await,
            Err(NotDone::Lost(error)) => return Err(error),
            Err(NotDone::Failed(_)) => return Ok(false),
            Err(not_done) => {
                self.note_refused(input, not_done);
            }
        }
        Ok(true)
    }

    /// Sets the clock for what is due next; one that runs for the same goes on.
    pub(super) fn set_clock(&mut self) {
        let (table, now) = (&self.live.table, Instant::now());
        let due = match self.means.physical {
            true => Due::at_physical(table),
            false => Due::at(table),
        };
        let end = |due: Due| now + due.after(&self.means.pace, table);
        let bets_close = match due {
            Some(due @ Due::Deal) => Some(self.bets_close.unwrap_or_else(|| end(due))),
            _ => None,
        };
        self.clock = due.and_then(|due| match (due, self.clock) {
            (Due::Commit | Due::Open, _) => self.ritual_clock(),
            (Due::Deal, _) if self.is_everyone_ready() => Some((now, due)),
            (Due::Deal, _) => bets_close.map(|when| (when, due)),
            (_, Some((when, before))) if due.goes_on_from(before) => Some((when, due)),
            _ => Some((end(due), due)),
        });
        self.bets_close = bets_close;
    }

    /// Sets the clock again where it depends on who is here: who is gone keeps nobody waiting, and who
    /// comes is waited for.
    pub(super) fn recheck_clock(&mut self) {
        if let Some((_, Due::Deal | Due::Commit | Due::Open | Due::CutPassed(_))) = self.clock {
            self.set_clock();
        }
    }

    /// What happens next by itself, as things are now.
    pub(super) fn next_due(&mut self) -> Option<(Instant, Due)> {
        self.recheck_clock();
        self.clock.map(|(when, due)| (when.max(self.acts_after), due))
    }

    /// Whether somebody is ready, and nobody who is here could still place a wager.
    pub(super) fn is_everyone_ready(&self) -> bool {
        let is_done = |player: &Name| {
            !self.has_part(player) || !self.is_here(player) || self.ready.contains(player)
        };
        let mut people = self.live.table.everyone();
        !self.ready.is_empty() && people.all(|(_, chair)| is_done(&chair.player))
    }
}

/// Whether a player is among those who have the table before them.
pub(super) fn is_among(viewers: &[Viewer], player: &Name) -> bool {
    viewers.iter().any(|viewer| viewer.who.name == *player && viewer.to.is_open())
}

/// Waits until something is due.
pub(super) async fn ring<T>(clock: Option<(Instant, T)>) -> T {
    match clock {
        Some((when, due)) => {
            if when > Instant::now() + Duration::from_millis(1) {
                sleep_until(when).await;
            }
            due
        }
        None => std::future::pending().await,
    }
}
