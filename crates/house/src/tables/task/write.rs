//! Deciding on a copy, writing it down, and standing again as the log says where that fails.

use audit::log::Outcome;
use rules::table::{Input, Name, Table, TableEvent, TableRefusal, Transfer};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};
use wire::Refusal;

use super::ritual::Ritual;
use super::{AFTER_A_FAILURE, Ask, LONGEST_PAUSE, NotDone, TableTask, Waiting, unix_time};
use crate::people::gains;
use crate::store::{
    Append, Command, CorrectionStep, HouseEvent, MeterMoved, RoundChange, StoreError, TableStore,
    Unseating,
};
use crate::tables::commands::places;
use crate::tables::dealer::{SealedOrder, no_entropy};
use crate::tables::live::{Live, no_replay};
use crate::tables::noted;
use crate::tables::progressive::{Progressive, Tally};
use crate::tables::refusals;

/// What an input would lead to.
pub(super) struct Decided {
    table: Table,
    outcome: Outcome,
    /// What it does to the meter.
    did: Tally,
}

/// How often an input is decided that moves a meter which other nodes move all the time.
const MOST_TRIES: usize = 32;

/// What is written down together with an input.
#[derive(Clone, Default)]
pub(super) struct Extra {
    pub(super) sealed: Option<SealedOrder>,
    pub(super) command: Option<Command>,
    pub(super) meter: Option<MeterMoved>,
    pub(super) correction: Option<CorrectionStep>,
    pub(super) event: Option<HouseEvent>,
}

impl<A: TableStore> TableTask<A> {
    /// Sees whether something can be written again, and lets everybody know.
    pub(super) async fn probe(&mut self) -> Result<(), StoreError> {
        self.probed = Instant::now();
        if self.means.store.probe(&self.name).await.is_ok() {
            self.is_well();
            self.show();
        }
        Ok(())
    }

    /// Something could be written, or read, again.
    fn is_well(&mut self) {
        if self.trouble.take().is_some() {
            tracing::info!(table = self.name, what = "reopened", "the table resumes");
        }
    }

    /// Takes nothing until the log can be read again. Tells whether the table goes on.
    ///
    /// After a mistake of the program the table in memory is not looked at any more, and is loaded at
    /// once.
    pub(super) async fn stand_still(
        &mut self,
        asked: &mut mpsc::Receiver<Ask>,
        closing: &mut watch::Receiver<bool>,
    ) -> bool {
        self.clock = None;
        let why = match self.is_broken {
            true => Refusal::by_house(
                "table-loading",
                "Play was interrupted, and the table is loading again. Your chips are safe.",
            ),
            false => refusals::table_not_loaded(),
        };
        self.tell_trouble(&why);
        self.trouble = Some(why);
        let mut waiting = Waiting::default();
        let mut pause = AFTER_A_FAILURE;
        let mut next = match self.is_broken {
            true => Instant::now(),
            false => Instant::now() + pause,
        };
        loop {
            tokio::select! {
                biased;
                _ = closing.changed() => return false,
                () = sleep_until(next) => match self.reload().await {
                    Ok(()) => {
                        (self.is_broken, self.unsure) = (false, None);
                        self.is_well();
                        self.show();
                        return true;
                    }
                    Err(error) if error.closes_a_table() || matches!(error, StoreError::Owned) => {
                        return self.closes_for(&error);
                    }
                    Err(error) => {
                        tracing::error!(table = self.name, what = "frozen", why = %error, "the table cannot be loaded");
                        pause = (pause * 2).min(LONGEST_PAUSE);
                        next = Instant::now() + pause;
                    }
                },
                ask = asked.recv() => match ask {
                    Some(Ask::BooksDiffer) => return self.closes_for_its_books(),
                    Some(Ask::HandOver { between_rounds: _, answer }) => {
                        return !self.hands_over(false, answer);
                    }
                    Some(Ask::Unwatch { socket, .. }) => {
                        self.viewers.retain(|viewer| viewer.socket != socket);
                    }
                    Some(ask @ (Ask::Command { .. } | Ask::Decide { .. })) => {
                        self.turn_away(ask, &mut waiting).await;
                    }
                    Some(ask) if self.is_broken => self.turn_away(ask, &mut waiting).await,
                    Some(ask) => drop(self.take(ask).await),
                    None => return false,
                },
            }
        }
    }

    /// Decides on a copy, writes down what came of it, and only then believes it.
    ///
    /// What moves a meter that tables share is decided while this one has it to itself, and again where
    /// another node has moved it meanwhile.
    pub(super) async fn put(&mut self, input: &Input, extra: Extra) -> Result<u64, NotDone> {
        let decided = self.decide(input)?;
        let progressive = self.means.progressive.clone();
        let progressive = progressive.filter(|_| decided.did.is_some() && self.shares_meter());
        let Some(progressive) = progressive else {
            return self.write(input, decided, extra).await;
        };
        for _ in 0..MOST_TRIES {
            match self.put_with(&progressive, input, extra.clone()).await {
                Err(NotDone::MeterMoved) => {}
                done => return done,
            }
        }
        Err(self.failed(StoreError::MeterMoved).await)
    }

    /// Tries an input that moves the meter.
    async fn put_with(
        &mut self,
        progressive: &Progressive,
        input: &Input,
        extra: Extra,
    ) -> Result<u64, NotDone> {
        let meter = match progressive.take(&self.means.store).await {
            Ok(meter) => meter,
            Err(error) => return Err(self.failed(error).await),
        };
        self.is_told(meter.amount()).await?;
        let decided = match self.decide(input) {
            Ok(decided) => decided,
            Err(refusal) => {
                meter.unmoved();
                return Err(refusal.into());
            }
        };
        let moved = meter.after(decided.did, self.meter_since);
        let extra = Extra { meter: Some(moved), ..extra };
        let seq = self.write(input, decided, extra).await?;
        self.meter_since = moved.since;
        meter.moved(moved.figures);
        Ok(seq)
    }

    /// What would come of an input.
    pub(super) fn decide(&self, input: &Input) -> Result<Decided, TableRefusal> {
        let mut table = self.live.table.clone();
        let outcome = Outcome::of(&mut table, input)?;
        let did = { self.live.tally }.follow(&outcome.events);
        Ok(Decided { table, outcome, did })
    }

    /// Writes down what was decided, and believes it then. What the log could not be read back from is
    /// not done: the next start would end at that entry.
    pub(super) async fn write(
        &mut self,
        input: &Input,
        decided: Decided,
        extra: Extra,
    ) -> Result<u64, NotDone> {
        if !reads_back(input) {
            tracing::error!(
                table = self.name,
                what = "refused",
                "internal error: an input cannot be read back"
            );
            return Err(refusals::not_written().into());
        }
        let Decided { table, outcome, .. } = decided;
        let Extra { sealed, command, meter, correction, event } = extra;
        let mut chain = self.live.chain;
        let mut stamp = self.stamp(input, &mut chain);
        let seq = chain.next();
        let salt = (self.means.salts)().map_err(|error| NotDone::Lost(no_entropy(error)))?;
        let mut entries = std::mem::take(&mut stamp.entries);
        entries.extend(outcome.write_at(stamp.time, input, &mut chain, salt));
        let moved = outcome.events.iter().filter_map(|event| match event {
            TableEvent::Moved(transfer) => Some(transfer.clone()),
            _ => None,
        });
        let transfers: Vec<Transfer> = moved.collect();
        let gains = gains::of(input, &transfers, &self.live.table, &table);
        let came = outcome.events.iter().any(|event| matches!(*event, TableEvent::Received(_)));
        let decks = came.then(unix_time);
        let has_left = |player: &&Name| places(&table, player).is_empty();
        let unseated = self.leaving.iter().find(has_left).cloned();
        let append = Append {
            table: self.name.clone(),
            epoch: self.epoch,
            entries,
            transfers,
            gains,
            sealed: sealed.clone().map(|order| (table.shoes(), order)),
            command,
            checkpoint: self.live.checkpoint(input, &outcome, &table, &chain),
            kept: RoundChange::of(self.live.version, &self.live.table, &outcome, &table),
            shares_meter: self.shares_meter(),
            meter,
            decks,
            correction,
            unseating: unseated.clone().map(Unseating::Done),
            risks: self.risks(&table),
            event,
        };
        self.times.is_tried(chain, stamp);
        match self.means.store.append(append).await {
            Ok(()) => {
                self.times.is_written(chain);
                self.is_well();
            }
            Err(StoreError::Overdrawn) => return Err(NotDone::Overdrawn),
            Err(StoreError::Repeated) => return Err(NotDone::Repeated),
            Err(StoreError::MeterMoved) => return Err(NotDone::MeterMoved),
            Err(StoreError::OwnLimit(limit)) => return Err(refusals::by_own_limit(limit).into()),
            // It was decided meanwhile, or it expired.
            Err(StoreError::Changed) => return Err(refusals::no_such_correction().into()),
            Err(error) => return Err(self.failed(error).await),
        }
        let before = std::mem::replace(&mut self.live.table, table);
        self.live.chain = chain;
        if let Some(order) = sealed {
            self.live.custody.keep(order);
        }
        self.live.follow(&before, input, outcome);
        noted::note(&self.name, &before, input, &self.live.table);
        self.leaving.retain(|player| Some(player) != unseated.as_ref());
        let placed = match input {
            Input::Wager { bettor, .. } | Input::Clear { bettor } => Some(*bettor),
            _ => None,
        };
        let (table, is_dealt) = (&self.live.table, *input == Input::Deal);
        self.ready.retain(|player| {
            let places = places(table, player);
            !is_dealt && !places.is_empty() && placed.is_none_or(|at| !places.contains(&at))
        });
        if decks.is_some() {
            self.change_decks(decks);
        }
        if matches!(input, Input::Deal | Input::Shuffle { .. }) {
            self.graced.clear();
        }
        if let Input::Consent { seat, player } = input {
            self.asking.retain(|(of, name)| (of, name) != (seat, player));
        }
        self.forget_who_asked();
        self.note_wagers();
        self.note_holdings();
        self.follow_ritual();
        self.set_clock();
        Ok(seq)
    }

    /// Stands again as the log says, since something could not be written.
    pub(super) async fn failed(&mut self, error: StoreError) -> NotDone {
        // A disk that stays full is told once.
        if self.trouble.is_none() {
            tracing::error!(table = self.name, what = "frozen", why = %error, "the table cannot save");
        }
        self.trouble = Some(match error {
            StoreError::Full => refusals::table_disk_full(),
            _ => Refusal::by_house(
                "table-paused",
                "Betting is paused: the table cannot save. Your chips are safe.",
            ),
        });
        match self.reload().await {
            Ok(()) => NotDone::Failed(error),
            Err(error) => NotDone::Lost(error),
        }
    }

    /// Stands again as the log says, if the table is still ours.
    pub(super) async fn reload(&mut self) -> Result<(), StoreError> {
        self.live = self.load_again().await?;
        self.times.is_written(self.live.chain);
        // A wager of theirs may be in the log meanwhile.
        self.ready.clear();
        self.meter_since = self.means.store.meter_since(&self.name).await?;
        self.note_wagers();
        self.note_holdings();
        self.ritual = Ritual::default();
        self.follow_ritual();
        self.set_clock();
        self.acts_after = Instant::now() + AFTER_A_FAILURE;
        self.show();
        Ok(())
    }

    pub(super) async fn load_again(&self) -> Result<Live, StoreError> {
        let (store, name) = (&self.means.store, &self.name);
        // A commit that was lost on its way is in the log by then, or never.
        store.settle().await?;
        match store.epoch(name).await? == Some(self.epoch) {
            true => Live::load(store, name, self.live.table.sheet(), self.epoch).await,
            false if self.means.is_of_a_node => Err(StoreError::Owned),
            false => Err(no_replay(name, "it has another owner")),
        }
    }
}

/// Whether an input's line in the log is read as that input again.
fn reads_back(input: &Input) -> bool {
    input.to_string().parse().as_ref() == Ok(input)
}
