//! The books of a house: who holds how much, in double entry.

use std::collections::BTreeMap;
use std::fmt;

use rules::money::Cents;
use rules::table::{Account, Transfer};

/// The balance of every account.
///
/// A player is the same at every table. Racks and escrow belong to one table; so do the house's money and
/// the cashier's, apart from those of the office, which is the empty table; and so does a meter, unless
/// tables share it. Money only moves, so all accounts always sum to zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Books {
    balances: BTreeMap<(Option<String>, Account), Cents>,
    /// The name of the meter that a table shares with others.
    meters: BTreeMap<String, String>,
}

impl Books {
    /// Lets a table share a meter with all others that share one of this name.
    ///
    /// # Panics
    /// If the table's own meter is not empty: that money would be lost.
    pub fn share_meter(&mut self, table: &str, meter: &str) {
        let own = self.balance(table, &Account::Meter);
        assert!(own == Cents::ZERO, "the meter of {table} holds {own}");
        self.meters.insert(table.to_owned(), meter.to_owned());
    }

    /// The balance of an account, as seen from a table.
    pub fn balance(&self, table: &str, account: &Account) -> Cents {
        self.balances.get(&self.key(table, account)).copied().unwrap_or_default()
    }

    /// Every account that is not empty, with its table if it belongs to one.
    pub fn accounts(&self) -> impl Iterator<Item = (Option<&str>, &Account, Cents)> {
        let balances = self.balances.iter();
        balances.map(|((table, account), balance)| (table.as_deref(), account, *balance))
    }

    /// The sum of all accounts: zero.
    pub fn total(&self) -> Cents {
        self.balances.values().copied().sum()
    }

    /// Posts the transfers of a table, all or none.
    ///
    /// # Panics
    /// If a transfer is not positive, or from an account to itself.
    pub fn post(&mut self, table: &str, transfers: &[Transfer]) -> Result<(), BooksRefusal> {
        for (posted, transfer) in transfers.iter().enumerate() {
            if let Err(refusal) = self.post_one(table, transfer) {
                for Transfer { from, to, amount } in transfers[..posted].iter().rev() {
                    self.set(table, to, self.balance(table, to) - *amount);
                    self.set(table, from, self.balance(table, from) + *amount);
                }
                return Err(refusal);
            }
        }
        Ok(())
    }

    fn post_one(&mut self, table: &str, transfer: &Transfer) -> Result<(), BooksRefusal> {
        let Transfer { from, to, amount } = transfer;
        assert!(*amount > Cents::ZERO && from != to, "a transfer moves something: {transfer}");
        let (held, holds) = (self.balance(table, from), self.balance(table, to));
        if never_owes(from) && held < *amount {
            return Err(BooksRefusal::Overdrawn { transfer: transfer.clone(), held });
        }
        let less = held.get().checked_sub(amount.get());
        let more = holds.get().checked_add(amount.get());
        let (Some(less), Some(more)) = (less, more) else {
            return Err(BooksRefusal::TooMuch { transfer: transfer.clone() });
        };
        self.set(table, from, Cents::new(less));
        self.set(table, to, Cents::new(more));
        Ok(())
    }

    fn set(&mut self, table: &str, account: &Account, balance: Cents) {
        let key = self.key(table, account);
        match balance {
            Cents::ZERO => self.balances.remove(&key),
            _ => self.balances.insert(key, balance),
        };
    }

    /// Where an account stands in the books.
    fn key(&self, table: &str, account: &Account) -> (Option<String>, Account) {
        let own = match account {
            Account::Rack(_) | Account::Escrow => Some(table),
            Account::House | Account::Cashier => Some(table).filter(|table| !table.is_empty()),
            Account::Meter => Some(self.meters.get(table).map_or(table, String::as_str)),
            Account::Player(_) => None,
        };
        (own.map(str::to_owned), account.clone())
    }
}

/// Whether an account can never go below zero.
const fn never_owes(account: &Account) -> bool {
    match account {
        Account::Player(_) | Account::Rack(_) | Account::Escrow => true,
        Account::House | Account::Meter | Account::Cashier => false,
    }
}

/// Why a transfer is not posted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BooksRefusal {
    /// The account does not have enough.
    Overdrawn {
        /// What was to be posted.
        transfer: Transfer,
        /// What the account has.
        held: Cents,
    },
    /// The balance would overflow.
    TooMuch {
        /// What was to be posted.
        transfer: Transfer,
    },
}

impl fmt::Display for BooksRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BooksRefusal::Overdrawn { transfer, held } => {
                write!(f, "{transfer} cannot be paid: {} holds {held}", transfer.from)
            }
            BooksRefusal::TooMuch { transfer } => {
                write!(f, "{transfer} is more than the books can hold")
            }
        }
    }
}

impl std::error::Error for BooksRefusal {}

#[cfg(test)]
mod tests {
    use super::*;

    fn transfer(from: &str, to: &str, amount: i64) -> Transfer {
        Transfer {
            from: from.parse().unwrap(),
            to: to.parse().unwrap(),
            amount: Cents::new(amount),
        }
    }

    /// Ann has 40.00 and a rack of 60.00 at war-1.
    fn books() -> Books {
        let mut books = Books::default();
        let brought = transfer("cashier", "player:ann", 10_000);
        books.post("war-1", &[brought, transfer("player:ann", "rack:3", 6_000)]).unwrap();
        books
    }

    fn balance(books: &Books, table: &str, account: &str) -> i64 {
        books.balance(table, &account.parse().unwrap()).get()
    }

    #[test]
    fn money_only_moves() {
        let books = books();
        assert_eq!(balance(&books, "war-1", "player:ann"), 4_000);
        assert_eq!(balance(&books, "war-1", "rack:3"), 6_000);
        assert_eq!(balance(&books, "war-1", "cashier"), -10_000);
        assert_eq!(balance(&books, "war-1", "escrow"), 0);
        assert_eq!(books.total(), Cents::ZERO);
        assert_eq!(books.accounts().count(), 3);
    }

    #[test]
    fn a_rack_is_one_tables_and_a_player_is_the_same_at_all() {
        let mut books = books();
        assert_eq!(balance(&books, "war-2", "rack:3"), 0);
        assert_eq!(balance(&books, "war-2", "player:ann"), 4_000);
        books.post("war-2", &[transfer("player:ann", "rack:3", 4_000)]).unwrap();
        assert_eq!(balance(&books, "war-1", "rack:3"), 6_000);
        assert_eq!(balance(&books, "war-1", "player:ann"), 0);
    }

    #[test]
    fn the_house_has_money_at_every_table_and_in_the_office() {
        let mut books = books();
        books.post("war-1", &[transfer("house", "rack:3", 500)]).unwrap();
        books.post("war-2", &[transfer("house", "rack:3", 200)]).unwrap();
        books.post("", &[transfer("cashier", "player:ann", 30)]).unwrap();
        let held = ["war-1", "war-2", ""].map(|table| balance(&books, table, "house"));
        assert_eq!(held, [-500, -200, 0]);
        let gave = ["war-1", "war-2", ""].map(|table| balance(&books, table, "cashier"));
        assert_eq!(gave, [-10_000, 0, -30]);
        let office = books.accounts().filter(|(at, _, _)| at.is_none()).count();
        assert_eq!(office, 2, "the cashier of the office, and ann");
        assert_eq!(books.total(), Cents::ZERO);
    }

    #[test]
    fn a_meter_is_one_tables_unless_tables_share_it() {
        let mut books = books();
        for table in ["war-2", "war-3"] {
            books.share_meter(table, "big-one");
        }
        books.post("war-1", &[transfer("house", "meter", 100)]).unwrap();
        books.post("war-2", &[transfer("house", "meter", 75)]).unwrap();
        books.post("war-3", &[transfer("house", "meter", 5)]).unwrap();
        let meters = ["war-1", "war-2", "war-3"].map(|table| balance(&books, table, "meter"));
        assert_eq!(meters, [100, 80, 80]);
        assert!(books.accounts().any(|(at, _, held)| at == Some("big-one") && held.get() == 80));
        assert_eq!(books.total(), Cents::ZERO);
    }

    #[test]
    #[should_panic(expected = "the meter of war-1 holds 1")]
    fn a_meter_that_holds_something_is_not_left_behind() {
        let mut books = books();
        books.post("war-1", &[transfer("house", "meter", 100)]).unwrap();
        books.share_meter("war-1", "big-one");
    }

    #[test]
    fn nobody_gives_what_they_do_not_have_and_then_nothing_moves() {
        for from in ["player:ann", "rack:3", "rack:4", "escrow"] {
            let mut books = books();
            let first = transfer("rack:3", "escrow", 1_000);
            let refused = books.post("war-1", &[first, transfer(from, "house", 6_001)]);
            assert!(matches!(refused, Err(BooksRefusal::Overdrawn { .. })), "{from}");
            assert_eq!(books, self::books());
        }
        let refused = books().post("war-1", &[transfer("rack:3", "house", 6_001)]).unwrap_err();
        let words = "60.01 from rack:3 to house cannot be paid: rack:3 holds 60";
        assert_eq!(refused.to_string(), words);
        books().post("war-1", &[transfer("house", "rack:3", 6_001)]).unwrap();
    }

    #[test]
    fn more_than_can_be_counted_is_refused() {
        let mut books = books();
        let refused = books.post("war-1", &[transfer("house", "rack:3", i64::MAX)]);
        assert!(matches!(refused, Err(BooksRefusal::TooMuch { .. })));
        assert_eq!(books, self::books());
    }

    #[test]
    #[should_panic(expected = "a transfer moves something")]
    fn a_transfer_of_nothing_is_a_mistake_of_ours() {
        let _ = Books::default().post("war-1", &[transfer("house", "rack:3", 0)]);
    }
}
