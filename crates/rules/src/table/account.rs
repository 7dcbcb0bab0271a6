//! Whose money it is, and how it moves.

use std::fmt;

use crate::money::Cents;
use crate::notation::{Reading, Word, Words, from_word};
use crate::wager::Bettor;

/// A player's name: 1 to 32 of `a`–`z`, `0`–`9` and `-`, so that it is one word of the notation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(String);

impl Name {
    /// The most characters in a name.
    pub const LONGEST: usize = 32;

    /// The name as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl Word for Name {
    fn expected() -> String {
        format!("a name of 1 to {} characters (a-z, 0-9 or -), such as ann-2", Name::LONGEST)
    }

    fn read(word: &str) -> Option<Name> {
        let fits = |letter: u8| matches!(letter, b'a'..=b'z' | b'0'..=b'9' | b'-');
        let is_name = (1..=Name::LONGEST).contains(&word.len()) && word.bytes().all(fits);
        is_name.then(|| Name(word.to_owned()))
    }
}

from_word!(Name, WrittenReason, Account);

/// A reason in one line: 1 to 200 characters, without control characters, `#`, and leading, trailing
/// or repeated blanks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenReason(String);

impl WrittenReason {
    /// The most characters in a reason.
    pub const LONGEST: usize = 200;

    /// The reason as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for WrittenReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Word for WrittenReason {
    fn expected() -> String {
        format!("a reason of 1 to {} characters in one line, without #", WrittenReason::LONGEST)
    }

    fn read(line: &str) -> Option<WrittenReason> {
        let letters = line.chars().count();
        let blank = line.split(' ').any(str::is_empty);
        let odd = line.contains(|letter: char| {
            letter.is_control() || letter == '#' || (letter.is_whitespace() && letter != ' ')
        });
        let is_reason = (1..=WrittenReason::LONGEST).contains(&letters) && !blank && !odd;
        is_reason.then(|| WrittenReason(line.to_owned()))
    }
}

impl WrittenReason {
    /// Reads all words that are left.
    pub(super) fn rest(words: &mut Words<'_>) -> Reading<WrittenReason> {
        words.sentence(&WrittenReason::expected())?.parse()
    }
}

/// A holder of money. Printed as `player:ann`, `rack:3`, `rack:3b`, `escrow`, `house`, `meter`, `cashier`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Account {
    /// A player, away from any table.
    Player(Name),
    /// The chips at a seat, or of someone behind it.
    Rack(Bettor),
    /// Undecided wagers.
    Escrow,
    /// The table inventory container (CW-8-b).
    House,
    /// The progressive meter (CW-11-b).
    Meter,
    /// Where money enters and leaves the house.
    Cashier,
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Account::Player(name) => write!(f, "player:{name}"),
            Account::Rack(bettor) => write!(f, "rack:{bettor}"),
            Account::Escrow => f.write_str("escrow"),
            Account::House => f.write_str("house"),
            Account::Meter => f.write_str("meter"),
            Account::Cashier => f.write_str("cashier"),
        }
    }
}

impl Word for Account {
    fn expected() -> String {
        "an account (player:NAME, rack:SEAT, escrow, house, meter or cashier)".to_owned()
    }

    fn read(word: &str) -> Option<Account> {
        Some(match word.split_once(':') {
            Some(("player", name)) => Account::Player(Name::read(name)?),
            Some(("rack", bettor)) => Account::Rack(Words::new(bettor).bettor().ok()?),
            Some(_) => return None,
            None => match word {
                "escrow" => Account::Escrow,
                "house" => Account::House,
                "meter" => Account::Meter,
                "cashier" => Account::Cashier,
                _ => return None,
            },
        })
    }
}

/// Money that moves from one account to another, so that none is made or lost.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub struct Transfer {
    pub from: Account,
    pub to: Account,
    /// More than zero.
    pub amount: Cents,
}

impl fmt::Display for Transfer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} from {} to {}", self.amount, self.from, self.to)
    }
}
