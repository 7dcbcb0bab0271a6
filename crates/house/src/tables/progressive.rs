//! The progressive meter that the Casino War tables of a house share (CW-11-b, CW-R19).
//!
//! The house owns it, and a table is told what it shows. Whatever moves it is decided while the
//! table has the meter to itself and knows what it shows, so that no two tables pay the same money.
//! Tables of other nodes may move it meanwhile: the store refuses what was decided on figures that are
//! no longer its own, and the table decides again.

use std::sync::Arc;

use rules::money::Cents;
use rules::progressive::{Figures, Meter};
use rules::round::Event;
use rules::table::{Account, TableEvent, Transfer};
use tokio::sync::{Mutex, MutexGuard, watch};

use crate::store::{MeterMoved, PROGRESSIVE, StoreError, TableStore};

/// The house's meter.
#[derive(Clone)]
pub(crate) struct Progressive {
    seed: Cents,
    /// None where it is to be read from the store, because a table may have failed while it had it.
    meter: Arc<Mutex<Option<Meter>>>,
    shows: watch::Sender<Cents>,
}

/// The meter, while one table has it to itself.
pub(crate) struct Taken<'a> {
    of: &'a Progressive,
    place: MutexGuard<'a, Option<Meter>>,
    meter: Meter,
}

impl Progressive {
    /// The meter as the store has it, or a new one, which [`Progressive::put_up`] puts there.
    pub(crate) async fn find(
        store: &impl TableStore,
        seed: Cents,
    ) -> Result<Progressive, StoreError> {
        let shows = match store.figures(PROGRESSIVE).await? {
            Some(_) => as_in_the_books(store).await?.balance(),
            None if store.balance(PROGRESSIVE, &Account::Meter).await? == Cents::ZERO => seed,
            // Another node may have put it up meanwhile.
            None if store.figures(PROGRESSIVE).await?.is_some() => {
                as_in_the_books(store).await?.balance()
            }
            None => {
                let place = format!("progressives (name {PROGRESSIVE}): the row is missing");
                return Err(StoreError::Unreadable { place });
            }
        };
        let shows = watch::Sender::new(shows);
        Ok(Progressive { seed, meter: Arc::default(), shows })
    }

    /// Has the house put up the seed, once and never more. A house that does not open has put up nothing.
    pub(crate) async fn put_up(&self, store: &impl TableStore) -> Result<(), StoreError> {
        match store.figures(PROGRESSIVE).await? {
            Some(_) => Ok(()),
            None => store.add_progressive(PROGRESSIVE, *Meter::new(self.seed).figures()).await,
        }
    }

    /// The meter as the store has it, which is put up where there is none.
    #[cfg(test)]
    pub(crate) async fn open(
        store: &impl TableStore,
        seed: Cents,
    ) -> Result<Progressive, StoreError> {
        let progressive = Progressive::find(store, seed).await?;
        progressive.put_up(store).await?;
        Ok(progressive)
    }

    /// Has the meter to itself, as the store has it.
    pub(crate) async fn take(&self, store: &impl TableStore) -> Result<Taken<'_>, StoreError> {
        let mut place = self.meter.lock().await;
        let meter = match place.take() {
            Some(meter) => meter,
            None => {
                let figures = read(store).await?;
                Meter::resumed(self.seed, figures).ok_or_else(gone)?
            }
        };
        Ok(Taken { of: self, place, meter })
    }

    /// Shows what the store has, after another node moved it.
    pub(crate) async fn refresh(&self, store: &impl TableStore) -> Result<(), StoreError> {
        let mut place = self.meter.lock().await;
        *place = None;
        let figures = read(store).await?;
        *place = Meter::resumed(self.seed, figures);
        self.show(figures);
        Ok(())
    }

    fn show(&self, figures: Figures) {
        let shows = figures.balance();
        self.shows.send_if_modified(|before| std::mem::replace(before, shows) != shows);
    }

    /// What it shows, now and whenever that changes.
    pub(crate) fn shows(&self) -> watch::Receiver<Cents> {
        self.shows.subscribe()
    }
}

fn gone() -> StoreError {
    StoreError::Failed("the progressive meter is gone".to_owned())
}

async fn read(store: &impl TableStore) -> Result<Figures, StoreError> {
    store.figures(PROGRESSIVE).await?.ok_or_else(gone)
}

/// The stored figures, which the books must agree with. Where others move the meter between the two
/// looks, they are looked at again.
async fn as_in_the_books(store: &impl TableStore) -> Result<Figures, StoreError> {
    loop {
        let figures = read(store).await?;
        let held = store.balance(PROGRESSIVE, &Account::Meter).await?;
        if held == figures.balance() {
            return Ok(figures);
        }
        if read(store).await? == figures {
            let shows = figures.balance();
            let place = format!(
                "progressives (name {PROGRESSIVE}): it shows {shows}, and the books have {held}"
            );
            return Err(StoreError::Unreadable { place });
        }
    }
}

impl Taken<'_> {
    /// What it shows.
    pub(crate) fn amount(&self) -> Cents {
        self.meter.amount()
    }

    /// What an input makes of it that did this, in a round that added to it since then.
    ///
    /// What a hit elsewhere was paid is not taken back: the house puts it up again.
    pub(crate) fn after(&self, mut did: Tally, since: u64) -> MeterMoved {
        let before = self.meter.figures();
        let resets = did.on(before).resets;
        let is_paid_elsewhere = did.contributed < Cents::ZERO && resets != since;
        let put_up = if is_paid_elsewhere { -did.contributed } else { Cents::ZERO };
        did.contributed += put_up;
        let since = if did.contributed > Cents::ZERO { resets } else { since };
        MeterMoved { before: *before, figures: did.on(before), put_up, since }
    }

    /// Gives it back as it was.
    pub(crate) fn unmoved(mut self) {
        *self.place = Some(self.meter);
    }

    /// Gives it back as the store has it now, and shows it.
    pub(crate) fn moved(mut self, figures: Figures) {
        let meter = Meter::resumed(self.of.seed, figures);
        self.of.show(figures);
        *self.place = meter;
    }
}

/// What a round has done to the meter so far, or what an input did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    contributed: Cents,
    awarded: Cents,
    awards: i64,
    restored: Cents,
    resets: i64,
    overflow: Cents,
}

impl Tally {
    /// Follows what came of an input, and tells what that did.
    pub(crate) fn follow(&mut self, events: &[TableEvent]) -> Tally {
        let (mut did, mut last, mut is_reversed) = (Tally::default(), None, false);
        for event in events {
            match event {
                TableEvent::BetsClosed => *self = Tally::default(),
                TableEvent::Round(Event::Reversed) => {
                    did.add(*self, -1);
                    *self = Tally::default();
                    is_reversed = true;
                }
                TableEvent::Round(event) => last = Some(*event),
                TableEvent::Moved(transfer) if !is_reversed => {
                    let moved = Tally::of(transfer, last);
                    // What comes after a hit is paid is the seed.
                    last = last.filter(|_| moved.awards == 0);
                    did.add(moved, 1);
                    self.add(moved, 1);
                }
                _ => {}
            }
        }
        did
    }

    /// What a transfer does to the meter that follows an event of the round.
    fn of(Transfer { from, to, amount }: &Transfer, last: Option<Event>) -> Tally {
        let (none, amount) = (Tally::default(), *amount);
        match (from, to, last) {
            (Account::House, Account::Meter, Some(Event::Staked { .. })) => {
                Tally { contributed: amount, ..none }
            }
            (Account::House, Account::Meter, Some(Event::Awarded { .. })) => {
                Tally { overflow: amount, ..none }
            }
            (Account::House, Account::Meter, _) => Tally { restored: amount, resets: 1, ..none },
            (Account::Meter, Account::House, _) => Tally { contributed: -amount, ..none },
            (Account::Meter, _, _) => Tally { awarded: amount, awards: 1, ..none },
            _ => none,
        }
    }

    fn add(&mut self, other: Tally, sign: i64) {
        let Tally { contributed, awarded, awards, restored, resets, overflow } = other;
        let signed = |amount: Cents| Cents::new(sign * amount.get());
        self.contributed += signed(contributed);
        self.awarded += signed(awarded);
        self.awards += sign * awards;
        self.restored += signed(restored);
        self.resets += sign * resets;
        self.overflow += signed(overflow);
    }

    /// Whether the meter was moved.
    pub(crate) fn is_some(&self) -> bool {
        *self != Tally::default()
    }

    /// Figures after it.
    pub(crate) fn on(&self, figures: &Figures) -> Figures {
        let count = |before: u64, more: i64| before.saturating_add_signed(more);
        Figures {
            seeded: figures.seeded,
            contributed: figures.contributed + self.contributed,
            awarded: figures.awarded + self.awarded,
            awards: count(figures.awards, self.awards),
            restored: figures.restored + self.restored,
            resets: count(figures.resets, self.resets),
            overflow: figures.overflow + self.overflow,
        }
    }
}

#[cfg(test)]
mod tests {
    use rules::table::Table;
    use rules::terms::TermSheet;
    use rules::wager::Game;

    use super::*;

    #[test]
    fn the_figures_follow_what_a_table_moves() {
        // CW-R19: 15 % of 5 is contributed, a hit takes all, and the seed comes back.
        let mut table = Table::new(TermSheet::new(Game::CasinoWar));
        let (mut tally, mut figures) =
            (Tally::default(), *Meter::new(Cents::new(1_000_000)).figures());
        let mut play = |lines: &[&str]| {
            for line in lines {
                let mut events = Vec::new();
                table.apply(&line.parse().unwrap(), &mut events).unwrap();
                figures = tally.follow(&events).on(&figures);
                let shows = table.meter().unwrap();
                assert_eq!(figures.balance(), shows, "{line}");
            }
            figures
        };
        play(&[
            "meter 10000",
            "sit 1 ann",
            "buy-in 1 100",
            "inspect 1",
            "shuffle physical wash plug riffle riffle strip turn riffle cut",
            "cut 1 60",
            "card ??",
        ]);
        let bet = ["wager 1 main 5 progressive 5", "deal"];
        assert_eq!(play(&bet).contributed, Cents::new(75));
        // A void round has contributed nothing (G-03).
        let void = play(&["report face-up 9d by dealer", "order discard by eve"]);
        assert_eq!(void.contributed, Cents::new(75));
        let hit = play(&["card Ah", "card Ah", "act 1 war", "card ??", "card ??", "card ??"]);
        assert_eq!(hit.awards, 0);
        let hit = play(&["card Ah", "card Ah"]);
        assert_eq!((hit.awards, hit.awarded, hit.resets), (1, Cents::new(1_000_075), 1));
        assert_eq!(hit.balance(), Cents::new(1_000_000));
    }

    #[tokio::test]
    async fn what_a_hit_elsewhere_was_paid_is_put_up_by_the_house() {
        // G-03: a void round has added nothing, and takes back nothing of the next winner's.
        let seed = Cents::new(1_000_000);
        let of = Progressive { seed, meter: Arc::default(), shows: watch::Sender::new(seed) };
        let taken = async |meter: Meter| Taken { of: &of, place: of.meter.lock().await, meter };
        let added = Tally { contributed: Cents::new(75), ..Tally::default() };
        let back = Tally { contributed: Cents::new(-75), ..Tally::default() };
        let after = taken(Meter::new(seed)).await.after(added, 9);
        assert_eq!((after.since, after.put_up), (0, Cents::ZERO));
        let meter = Meter::resumed(seed, after.figures).unwrap();
        assert_eq!(meter.amount(), Cents::new(1_000_075));
        let void = taken(meter).await.after(back, after.since);
        assert_eq!((void.figures.balance(), void.put_up), (seed, Cents::ZERO));

        let paid = Cents::new(1_000_075);
        let hit = Tally { awarded: paid, awards: 1, restored: seed, resets: 1, ..Tally::default() };
        let meter = Meter::resumed(seed, hit.on(&after.figures)).unwrap();
        assert_eq!(meter.amount(), seed);
        let void = taken(meter).await.after(back, after.since);
        assert_eq!((void.figures.balance(), void.put_up), (seed, Cents::new(75)));
    }
}
