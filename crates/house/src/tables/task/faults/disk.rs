//! A store in memory that does what the real one does, and fails when it is told to.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use audit::chain::Entry;
use rules::money::Cents;
use rules::progressive::Figures;
use rules::table::{Account, Name, Transfer};

use super::failing::{Failing, Failure, panic};
use super::{Breakable, Commands};
use crate::store::{
    Append, Checkpoint, Command, Corrections, Known, Money, PLAY_MONEY, PROGRESSIVE, Players,
    StoreError, Tables, When,
};
use crate::tables::dealer::SealedOrder;

/// What is on the disk.
#[derive(Default)]
struct Kept {
    epochs: BTreeMap<String, i64>,
    entries: BTreeMap<String, Vec<Entry>>,
    balances: BTreeMap<(String, String), Cents>,
    /// By player and id: the table, what was asked and the entry, or 0.
    commands: BTreeMap<(String, String), (String, String, u64)>,
    sealed: BTreeMap<(String, u32), SealedOrder>,
    checkpoints: BTreeMap<(String, bool), Checkpoint>,
    figures: BTreeMap<String, Figures>,
    meter_since: BTreeMap<String, u64>,
    decks: BTreeMap<String, i64>,
}

struct Inside {
    kept: Kept,
    failing: Failing,
}

/// The disk.
#[derive(Clone)]
pub(super) struct Disk(Arc<Mutex<Inside>>);

impl Disk {
    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.0.lock().unwrap()
    }

    /// How many entries the log of a table has, and the epoch of its owner.
    pub(super) fn stands(&self, table: &str) -> (usize, i64) {
        let kept = &self.inside().kept;
        let entries = kept.entries.get(table).map_or(0, Vec::len);
        (entries, kept.epochs.get(table).copied().unwrap_or(0))
    }

    /// Reads, where the disk answers.
    fn read<T>(&self, at: impl FnOnce(&Kept) -> T) -> Result<T, StoreError> {
        let mut inside = self.inside();
        match inside.failing.next_read() {
            true => Err(StoreError::Failed("it cannot be read".to_owned())),
            false => Ok(at(&inside.kept)),
        }
    }
}

impl Breakable for Disk {
    async fn new(_seed: u64, failing: Failing) -> Disk {
        Disk(Arc::new(Mutex::new(Inside { kept: Kept::default(), failing })))
    }

    async fn heal(&self) {
        self.inside().failing.heal();
    }

    fn failures(&self) -> u32 {
        self.inside().failing.failures
    }

    async fn welcome(&self, player: &Name) {
        let to = Account::Player(player.clone());
        let transfer = Transfer { from: Account::Cashier, to, amount: PLAY_MONEY };
        self.inside().kept.post("", &transfer, "").unwrap();
    }

    async fn log(&self, table: &str) -> Vec<Entry> {
        self.inside().kept.entries.get(table).cloned().unwrap_or_default()
    }

    async fn commands(&self) -> Commands {
        let inside = self.inside();
        let commands = inside.kept.commands.iter();
        commands.map(|(key, (table, _, seq))| (key.clone(), (table.clone(), *seq))).collect()
    }
}

impl Kept {
    /// Moves money as the books' constraints allow it.
    fn post(&mut self, table: &str, transfer: &Transfer, meter: &str) -> Result<(), StoreError> {
        let key = |account: &Account| {
            let scope = match account {
                Account::Rack(_) | Account::Escrow => table,
                Account::Meter => meter,
                Account::Player(_) | Account::House | Account::Cashier => "",
            };
            (scope.to_owned(), account.to_string())
        };
        let may_owe = |account: &Account| {
            matches!(account, Account::House | Account::Meter | Account::Cashier)
        };
        let Transfer { from, to, amount } = transfer;
        assert!(*amount > Cents::ZERO && key(from) != key(to), "{transfer}");
        let held = self.balances.entry(key(from)).or_insert(Cents::ZERO);
        *held -= *amount;
        if *held < Cents::ZERO && !may_owe(from) {
            return Err(StoreError::Overdrawn);
        }
        *self.balances.entry(key(to)).or_insert(Cents::ZERO) += *amount;
        Ok(())
    }

    /// All of an append, or nothing.
    fn add(&mut self, append: &Append) -> Result<(), StoreError> {
        let before = self.balances.clone();
        let added = self.try_to_add(append);
        if added.is_err() {
            self.balances = before;
        }
        added
    }

    fn try_to_add(&mut self, append: &Append) -> Result<(), StoreError> {
        let Append { table, epoch, entries, transfers, command, checkpoint, .. } = append;
        let failed = |why: &str| Err(StoreError::Failed(why.to_owned()));
        let next = self.entries.get(table).map_or(1, |entries| entries.len() as u64 + 1);
        if self.epochs.get(table) != Some(epoch) {
            return failed("the table has another owner");
        }
        if entries.iter().zip(next..).any(|(entry, seq)| entry.seq != seq) {
            return failed("the entry is not the next one");
        }
        let command = command.as_ref().map(|command| {
            let key = (command.player.to_string(), command.id.clone());
            (key, command.asks.clone())
        });
        if command.as_ref().is_some_and(|(key, _)| self.commands.contains_key(key)) {
            return Err(StoreError::Repeated);
        }
        let meter = if append.shares_meter { PROGRESSIVE } else { table.as_str() };
        for transfer in transfers {
            self.post(table, transfer, meter)?;
        }
        if let Some(moved) = &append.meter {
            if self.figures.get(PROGRESSIVE) != Some(&moved.before) {
                return Err(StoreError::MeterMoved);
            }
            if moved.put_up > Cents::ZERO {
                let (from, to) = (Account::House, Account::Meter);
                self.post(table, &Transfer { from, to, amount: moved.put_up }, PROGRESSIVE)?;
            }
            self.figures.insert(PROGRESSIVE.to_owned(), moved.figures);
            self.meter_since.insert(table.clone(), moved.since);
        }
        // From here on nothing is refused.
        if let Some((key, asks)) = command {
            let seq = u64::try_from(append.seq()).unwrap();
            self.commands.insert(key, (table.clone(), asks, seq));
        }
        self.entries.entry(table.clone()).or_default().extend(entries.iter().cloned());
        if let Some((shoe, order)) = &append.sealed {
            self.sealed.insert((table.clone(), *shoe), order.clone());
        }
        if let Some(checkpoint) = checkpoint {
            let key = (table.clone(), checkpoint.when == When::BetsOpened);
            self.checkpoints.insert(key, checkpoint.clone());
        }
        if let Some(since) = append.decks {
            self.decks.insert(table.clone(), since);
        }
        Ok(())
    }
}

impl Players for Disk {}

impl Corrections for Disk {}

impl Tables for Disk {
    async fn own(&self, table: &str) -> Result<i64, StoreError> {
        let mut inside = self.inside();
        let epoch = inside.kept.epochs.entry(table.to_owned()).or_insert(0);
        *epoch += 1;
        Ok(*epoch)
    }

    async fn epoch(&self, table: &str) -> Result<Option<i64>, StoreError> {
        self.read(|kept| kept.epochs.get(table).copied())
    }

    async fn append(&self, append: Append) -> Result<(), StoreError> {
        let mut inside = self.inside();
        let failure = inside.failing.next();
        inside.failing.failures += u32::from(failure.is_some());
        if let Some(when @ (Failure::PanicBefore | Failure::PanicAfter)) = failure {
            if when == Failure::PanicAfter {
                let _ = inside.kept.add(&append);
            }
            drop(inside);
            panic();
        }
        match failure {
            None | Some(Failure::PanicBefore | Failure::PanicAfter) => inside.kept.add(&append),
            Some(Failure::Full) => Err(StoreError::Full),
            Some(Failure::Nothing) => Err(StoreError::Failed("nothing was written".to_owned())),
            Some(Failure::Unheard) => {
                inside.kept.add(&append)?;
                Err(StoreError::Failed("the writer has stopped".to_owned()))
            }
        }
    }

    async fn entries(&self, table: &str, from: u64, to: u64) -> Result<Vec<Entry>, StoreError> {
        self.read(|kept| {
            let all = kept.entries.get(table).into_iter().flatten();
            all.filter(|entry| (from..=to).contains(&entry.seq)).cloned().collect()
        })
    }

    async fn checkpoint(&self, table: &str, when: When) -> Result<Option<Checkpoint>, StoreError> {
        let key = (table.to_owned(), when == When::BetsOpened);
        self.read(|kept| kept.checkpoints.get(&key).cloned())
    }

    async fn sealed(&self, table: &str, shoe: u32) -> Result<SealedOrder, StoreError> {
        let order = self.read(|kept| kept.sealed.get(&(table.to_owned(), shoe)).cloned())?;
        order.ok_or_else(|| StoreError::Failed("there is no such order".to_owned()))
    }

    async fn known(&self, command: &Command) -> Result<Option<Known>, StoreError> {
        let key = (command.player.to_string(), command.id.clone());
        self.read(|kept| {
            kept.commands.get(&key).map(|(_, asks, seq)| match *asks == command.asks {
                true => Known::Applied(Some(*seq).filter(|seq| *seq > 0)),
                false => Known::Other,
            })
        })
    }

    async fn decks(&self, table: &str) -> Result<Option<i64>, StoreError> {
        self.read(|kept| kept.decks.get(table).copied())
    }

    async fn probe(&self, _table: &str) -> Result<(), StoreError> {
        Ok(())
    }
}

impl Money for Disk {
    async fn balance(&self, table: &str, account: &Account) -> Result<Cents, StoreError> {
        let scope = match account {
            Account::Rack(_) | Account::Escrow | Account::Meter => table,
            Account::Player(_) | Account::House | Account::Cashier => "",
        };
        let key = (scope.to_owned(), account.to_string());
        self.read(|kept| kept.balances.get(&key).copied().unwrap_or(Cents::ZERO))
    }

    async fn add_progressive(
        &self,
        name: &'static str,
        figures: Figures,
    ) -> Result<(), StoreError> {
        let mut inside = self.inside();
        if inside.kept.figures.contains_key(name) {
            return Ok(());
        }
        inside.kept.figures.insert(name.to_owned(), figures);
        let (from, to, amount) = (Account::House, Account::Meter, figures.seeded);
        inside.kept.post("", &Transfer { from, to, amount }, name)
    }

    async fn figures(&self, name: &str) -> Result<Option<Figures>, StoreError> {
        self.read(|kept| kept.figures.get(name).copied())
    }

    async fn meter_since(&self, table: &str) -> Result<u64, StoreError> {
        self.read(|kept| kept.meter_since.get(table).copied().unwrap_or(0))
    }

    async fn total(&self) -> Result<Cents, StoreError> {
        Ok(self.inside().kept.balances.values().copied().sum())
    }
}
