//! Where a table keeps its log, its sealed orders and its money: the store, or one that a test breaks.

use audit::chain::Entry;
use rules::money::Cents;
use rules::progressive::Figures;
use rules::table::{Account, Name};

use crate::dealer::SealedOrder;
use crate::store::{Append, Checkpoint, Command, Known, Store, StoreError, When};
use crate::wire::Refused;

/// What a table needs of the house's store.
pub(crate) trait Archive: Clone + Send + Sync + 'static {
    /// Becomes the one owner of a table, and shuts out any before.
    fn own(&self, table: &str) -> impl Future<Output = Result<i64, StoreError>> + Send;

    /// The epoch of a table's owner.
    fn epoch(&self, table: &str) -> impl Future<Output = Result<Option<i64>, StoreError>> + Send;

    /// Adds what an input led to, and returns when it is on disk.
    fn append(&self, append: Append) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// The log of a table from an entry to another.
    fn entries(
        &self,
        table: &str,
        from: u64,
        to: u64,
    ) -> impl Future<Output = Result<Vec<Entry>, StoreError>> + Send;

    /// Where a table stood at a moment, if the log still has it.
    fn checkpoint(
        &self,
        table: &str,
        when: When,
    ) -> impl Future<Output = Result<Option<Checkpoint>, StoreError>> + Send;

    /// The order of a shoe that the house has committed to.
    fn sealed(
        &self,
        table: &str,
        shoe: u32,
    ) -> impl Future<Output = Result<SealedOrder, StoreError>> + Send;

    /// What became of a command, if its id is known.
    fn known(
        &self,
        command: &Command,
    ) -> impl Future<Output = Result<Option<Known>, StoreError>> + Send;

    /// What an account holds, seen from a table.
    fn balance(
        &self,
        table: &str,
        account: &Account,
    ) -> impl Future<Output = Result<Cents, StoreError>> + Send;

    /// Refuses to put more of somebody's money at risk than they want to, here and at other tables. A
    /// store without people refuses nobody.
    fn allow(
        &self,
        _person: &Name,
        _table: &str,
        _wagers: Option<Cents>,
        _now: i64,
    ) -> impl Future<Output = Result<Result<(), Refused>, StoreError>> + Send {
        async { Ok(Ok(())) }
    }

    /// Notes what lies at a table before the deal.
    fn note_wagers(&self, _table: &str, _wagers: &mut dyn Iterator<Item = (Name, Cents)>) {}

    /// Whether somebody is a program. A store without people knows none.
    fn is_bot(&self, _person: &Name) -> bool {
        false
    }

    /// Puts a progressive meter up, with the seed that the house gives to it.
    fn add_progressive(
        &self,
        name: &'static str,
        figures: Figures,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// What came into and out of a progressive meter, where there is one.
    fn figures(
        &self,
        name: &str,
    ) -> impl Future<Output = Result<Option<Figures>, StoreError>> + Send;

    /// How often the house's meter had begun again when a table's round added to it.
    fn meter_since(&self, table: &str) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Writes nothing new, to see whether something can be written.
    fn probe(&self, table: &str) -> impl Future<Output = Result<(), StoreError>> + Send {
        let _ = table;
        async { Ok(()) }
    }

    /// Since when a table has its cards, in seconds of Unix time.
    fn decks(&self, table: &str) -> impl Future<Output = Result<Option<i64>, StoreError>> + Send;
}

impl Archive for Store {
    async fn probe(&self, table: &str) -> Result<(), StoreError> {
        Store::probe(self, table).await
    }

    async fn own(&self, table: &str) -> Result<i64, StoreError> {
        Store::own(self, table).await
    }

    async fn epoch(&self, table: &str) -> Result<Option<i64>, StoreError> {
        Store::epoch(self, table).await
    }

    async fn append(&self, append: Append) -> Result<(), StoreError> {
        Store::append(self, append).await
    }

    async fn entries(&self, table: &str, from: u64, to: u64) -> Result<Vec<Entry>, StoreError> {
        Store::entries(self, table, from, to).await
    }

    async fn checkpoint(&self, table: &str, when: When) -> Result<Option<Checkpoint>, StoreError> {
        Store::checkpoint(self, table, when).await
    }

    async fn sealed(&self, table: &str, shoe: u32) -> Result<SealedOrder, StoreError> {
        Store::sealed(self, table, shoe).await
    }

    async fn known(&self, command: &Command) -> Result<Option<Known>, StoreError> {
        Store::known(self, command).await
    }

    async fn balance(&self, table: &str, account: &Account) -> Result<Cents, StoreError> {
        Store::balance(self, table, account).await
    }

    async fn allow(
        &self,
        person: &Name,
        table: &str,
        wagers: Option<Cents>,
        now: i64,
    ) -> Result<Result<(), Refused>, StoreError> {
        Store::allow(self, person, table, wagers, now).await
    }

    fn note_wagers(&self, table: &str, wagers: &mut dyn Iterator<Item = (Name, Cents)>) {
        Store::note_wagers(self, table, wagers);
    }

    fn is_bot(&self, person: &Name) -> bool {
        Store::is_bot(self, person)
    }

    async fn add_progressive(
        &self,
        name: &'static str,
        figures: Figures,
    ) -> Result<(), StoreError> {
        Store::add_progressive(self, name, figures).await
    }

    async fn figures(&self, name: &str) -> Result<Option<Figures>, StoreError> {
        Store::figures(self, name).await
    }

    async fn meter_since(&self, table: &str) -> Result<u64, StoreError> {
        Store::meter_since(self, table).await
    }

    async fn decks(&self, table: &str) -> Result<Option<i64>, StoreError> {
        Store::decks(self, table).await
    }
}
