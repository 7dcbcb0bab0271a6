//! Who is known to the house, and the money they begin with.

use rules::money::Cents;
use rules::table::{Account, Name, Transfer};
use sqlx::Row;
use sqlx::sqlite::SqliteConnection;

use super::{Store, StoreError, Write, hash_of, post};

/// What a new guest has to play with.
pub const PLAY_MONEY: Cents = Cents::new(100_000);

impl Store {
    /// Gives a guest an account with play money.
    pub async fn add_guest(&self, name: &Name, token: &str) -> Result<(), StoreError> {
        self.write(Write::Guest { name: name.clone(), token_hash: hash_of(token) }).await
    }

    /// Whose token this is.
    pub async fn player(&self, token: &str) -> Result<Option<Name>, StoreError> {
        let row = sqlx::query("SELECT name FROM players WHERE token_hash = ?");
        let row = row.bind(hash_of(token)).fetch_optional(&self.readers).await?;
        Ok(row.and_then(|row| row.get::<String, _>(0).parse().ok()))
    }
}

pub(super) async fn guest(
    connection: &mut SqliteConnection,
    name: &Name,
    token_hash: &str,
) -> Result<(), sqlx::Error> {
    let row = sqlx::query("INSERT INTO players VALUES (?, ?)");
    row.bind(name.as_str()).bind(token_hash).execute(&mut *connection).await?;
    let (from, to) = (Account::Cashier, Account::Player(name.clone()));
    post(connection, "", 0, &Transfer { from, to, amount: PLAY_MONEY }).await
}
