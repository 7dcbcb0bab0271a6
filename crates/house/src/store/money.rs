//! What the store keeps of money: the books, and the progressive meters.

use rules::money::Cents;
use rules::progressive::Figures;
use rules::table::{Account, Transfer};

use super::database::{Connection, Source, Statement, query};
use super::{Store, StoreError, StoreResult, StoredRow, Write, number, post_with, scope};

/// Where the books keep the progressive that tables share; no table can be called so.
pub const PROGRESSIVE: &str = "the progressive";

/// Keeps money.
pub trait Money: Send + Sync {
    /// What an account holds, seen from a table.
    fn balance(
        &self,
        table: &str,
        account: &Account,
    ) -> impl Future<Output = StoreResult<Cents>> + Send;

    /// What several accounts of a table hold.
    fn balances(
        &self,
        table: &str,
        accounts: &[Account],
    ) -> impl Future<Output = StoreResult<Vec<Cents>>> + Send {
        async move {
            let mut held = Vec::with_capacity(accounts.len());
            for account in accounts {
                held.push(self.balance(table, account).await?);
            }
            Ok(held)
        }
    }

    /// All accounts together: nothing.
    fn total(&self) -> impl Future<Output = StoreResult<Cents>> + Send;

    /// Puts a progressive meter up, with the seed that the house gives to it, where there is none.
    fn add_progressive(
        &self,
        name: &'static str,
        figures: Figures,
    ) -> impl Future<Output = StoreResult<()>> + Send;

    /// What came into and out of a progressive meter, where there is one.
    fn figures(&self, name: &str) -> impl Future<Output = StoreResult<Option<Figures>>> + Send;

    /// How often the house's meter had begun again when a table's round added to it.
    fn meter_since(&self, table: &str) -> impl Future<Output = StoreResult<u64>> + Send;
}

impl Store {
    /// The tables at which somebody has chips.
    pub(crate) async fn tables_with_chips(&self) -> StoreResult<Vec<String>> {
        let rows = query(
            "SELECT DISTINCT scope FROM accounts WHERE scope <> '' AND balance > 0 \
             AND (account LIKE 'rack:%' OR account = 'escrow') ORDER BY 1",
        );
        let rows = rows.fetch_all(&self.readers).await?;
        rows.iter().map(|row| StoredRow::new(row, "accounts", &[]).text("scope")).collect()
    }
}

impl Money for Store {
    async fn balance(&self, table: &str, account: &Account) -> StoreResult<Cents> {
        let row = query("SELECT * FROM accounts WHERE scope = $1 AND account = $2");
        let row = row.bind(scope(table, account).to_owned()).bind(account.to_string());
        let row = row.fetch_optional(&self.readers).await?;
        row.map_or(Ok(Cents::ZERO), |row| {
            StoredRow::new(&row, "accounts", &["scope", "account"]).cents("balance")
        })
    }

    async fn balances(&self, table: &str, accounts: &[Account]) -> StoreResult<Vec<Cents>> {
        assert!(accounts.iter().all(|account| scope(table, account) == table), "they are its own");
        let rows = query("SELECT * FROM accounts WHERE scope = $1").bind(table);
        let rows = rows.fetch_all(&self.readers).await?;
        let rows = rows.iter().map(|row| StoredRow::new(row, "accounts", &["scope", "account"]));
        let rows: Vec<(String, StoredRow<'_>)> =
            rows.map(|row| Ok((row.text("account")?, row))).collect::<StoreResult<_>>()?;
        let held = |account: &Account| {
            let account = account.to_string();
            let row = rows.iter().find(|(name, _)| *name == account);
            row.map_or(Ok(Cents::ZERO), |(_, row)| row.cents("balance"))
        };
        accounts.iter().map(held).collect()
    }

    async fn total(&self) -> StoreResult<Cents> {
        let row =
            query("SELECT CAST(coalesce(sum(balance), 0) AS BIGINT) AS balance FROM accounts");
        let row = row.fetch_one(&self.readers).await?;
        StoredRow::new(&row, "accounts", &[]).cents("balance")
    }

    async fn add_progressive(&self, name: &'static str, figures: Figures) -> StoreResult<()> {
        self.write(Write::Progressive { name, figures }).await
    }

    async fn figures(&self, name: &str) -> StoreResult<Option<Figures>> {
        read_figures(&self.readers, name).await
    }

    async fn meter_since(&self, table: &str) -> StoreResult<u64> {
        let row = query("SELECT * FROM meter_rounds WHERE table_id = $1").bind(table);
        let row = row.fetch_optional(&self.readers).await?;
        row.map_or(Ok(0), |row| StoredRow::new(&row, "meter_rounds", &["table_id"]).count("resets"))
    }
}

/// What came into and out of a meter, where there is one.
pub(super) async fn read_figures(from: impl Source, name: &str) -> StoreResult<Option<Figures>> {
    let row = query("SELECT * FROM progressives WHERE name = $1").bind(name);
    let Some(row) = row.fetch_optional(from).await? else { return Ok(None) };
    let row = StoredRow::new(&row, "progressives", &["name"]);
    Ok(Some(Figures {
        seeded: row.cents("seeded")?,
        contributed: row.cents("contributed")?,
        awarded: row.cents("awarded")?,
        awards: row.count("awards")?,
        restored: row.cents("restored")?,
        resets: row.count("resets")?,
        overflow: row.cents("overflow")?,
    }))
}

/// What is written down of a meter that moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeterMoved {
    /// What it was decided on: where the meter has moved since then, nothing is written.
    pub before: Figures,
    /// All that came into and out of it.
    pub figures: Figures,
    /// What the house puts up for what a table takes back after it was paid elsewhere.
    pub put_up: Cents,
    /// How often the meter had begun again when the table's round added to it.
    pub since: u64,
}

pub(super) async fn put_up(
    connection: &mut Connection<'_>,
    name: &'static str,
    figures: &Figures,
) -> Result<(), sqlx::Error> {
    let row = query(
        "INSERT INTO progressives (name, seeded, contributed, awarded, awards, restored, resets, \
         overflow) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (name) DO NOTHING",
    );
    let is_new = bound(row.bind(name), figures).execute(&mut *connection).await? == 1;
    if !is_new {
        return Ok(());
    }
    // Money has moved there before: the row was lost, and a second seed would hide it.
    let held = query("SELECT balance FROM accounts WHERE scope = $1").bind(name);
    if held.fetch_optional(&mut *connection).await?.is_some() {
        let place = format!("progressives (name {name}): the row is missing");
        return Err(sqlx::Error::Decode(StoreError::Unreadable { place }.into()));
    }
    if figures.seeded == Cents::ZERO {
        return Ok(());
    }
    let (from, to) = (Account::House, Account::Meter);
    post_with(connection, "", 0, &Transfer { from, to, amount: figures.seeded }, name).await
}

/// A statement with all figures of a meter.
fn bound(row: Statement, figures: &Figures) -> Statement {
    let Figures { seeded, contributed, awarded, awards, restored, resets, overflow } = figures;
    let row = row.bind(seeded.get()).bind(contributed.get()).bind(awarded.get());
    let row = row.bind(number(*awards)).bind(restored.get()).bind(number(*resets));
    row.bind(overflow.get())
}

pub(super) async fn set_meter(
    connection: &mut Connection<'_>,
    table: &str,
    seq: i64,
    MeterMoved { before, figures, put_up, since }: &MeterMoved,
) -> Result<(), sqlx::Error> {
    // Another node may have moved it: one that came to the same figures has done no harm.
    let row = query(
        "UPDATE progressives SET seeded = $2, contributed = $3, awarded = $4, awards = $5, \
         restored = $6, resets = $7, overflow = $8 WHERE name = $1 AND seeded = $9 \
         AND contributed = $10 AND awarded = $11 AND awards = $12 AND restored = $13 \
         AND resets = $14 AND overflow = $15",
    );
    let row = bound(bound(row.bind(PROGRESSIVE), figures), before);
    if row.execute(&mut *connection).await? == 0 {
        return Err(sqlx::Error::Decode(StoreError::MeterMoved.into()));
    }
    if *put_up > Cents::ZERO {
        let transfer = Transfer { from: Account::House, to: Account::Meter, amount: *put_up };
        post_with(connection, table, seq, &transfer, PROGRESSIVE).await?;
    }
    let row = query(
        "INSERT INTO meter_rounds VALUES ($1, $2) \
         ON CONFLICT (table_id) DO UPDATE SET resets = excluded.resets",
    )
    .bind(table.to_owned());
    row.bind(number(*since)).execute(connection).await.map(drop)
}

#[cfg(test)]
mod tests {
    use sqlx::Connection;
    use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

    use super::super::opening::MIGRATIONS;
    use super::super::{Append, Tables};
    use super::*;
    use crate::scratch;

    /// The steps of a store that did not keep the house's money by table.
    const ONE_HOUSE: usize = 16;

    #[tokio::test]
    async fn money_of_an_older_store_is_the_office_s() {
        let file = scratch::file("one-house");
        let options = SqliteConnectOptions::new().filename(&file).create_if_missing(true);
        let mut older = SqliteConnection::connect_with(&options).await.unwrap();
        for step in &MIGRATIONS[..ONE_HOUSE] {
            sqlx::raw_sql(*step).execute(&mut older).await.unwrap();
        }
        let line = format!(
            "PRAGMA user_version = {ONE_HOUSE};
             INSERT INTO tables VALUES ('war-1', 1);
             INSERT INTO transfers VALUES (NULL, 'war-1', 9, '', 'house', 'war-1', 'rack:1', 700, 0);"
        );
        sqlx::raw_sql(sqlx::AssertSqlSafe(line)).execute(&mut older).await.unwrap();
        older.close().await.unwrap();

        let store = Store::open(&file).await.unwrap();
        let epoch = store.own("war-1").await.unwrap();
        let transfers = vec![Transfer {
            from: "rack:1".parse().unwrap(),
            to: Account::House,
            amount: Cents::new(300),
        }];
        let append = Append { table: "war-1".to_owned(), epoch, transfers, ..Append::default() };
        store.append(append).await.unwrap();
        let mut held = Vec::new();
        for table in ["", "war-1", "war-2"] {
            held.push(store.balance(table, &Account::House).await.unwrap().get());
        }
        assert_eq!(held, [-700, 300, 0]);
        assert_eq!(store.total().await.unwrap(), Cents::ZERO);
    }
}
