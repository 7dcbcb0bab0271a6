//! Whose money it is, and how it moves.

use std::fmt;
use std::str::FromStr;

use crate::money::Cents;
use crate::notation::{Unreadable, Words, parsed, quoted};
use crate::wager::Bettor;

/// A player's name: 1 to 32 of `a`–`z`, `0`–`9` and `-`, so that it is one word of the notation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(String);

impl Name {
    /// The most letters in a name.
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

/// A word that is no name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAName;

impl fmt::Display for NotAName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a name is 1 to {} of a-z, 0-9 and -, such as ann-2", Name::LONGEST)
    }
}

impl std::error::Error for NotAName {}

impl FromStr for Name {
    type Err = NotAName;

    fn from_str(word: &str) -> Result<Name, NotAName> {
        let fits = |letter: u8| matches!(letter, b'a'..=b'z' | b'0'..=b'9' | b'-');
        match (1..=Name::LONGEST).contains(&word.len()) && word.bytes().all(fits) {
            true => Ok(Name(word.to_owned())),
            false => Err(NotAName),
        }
    }
}

/// A reason in one line: 1 to 200 letters, without control characters, `#`, or blanks at an end or
/// in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason(String);

impl Reason {
    /// The most letters in a reason.
    pub const LONGEST: usize = 200;

    /// The reason as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A line that is no reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAReason;

impl fmt::Display for NotAReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a reason is 1 to {} letters in one line, without #", Reason::LONGEST)
    }
}

impl std::error::Error for NotAReason {}

impl FromStr for Reason {
    type Err = NotAReason;

    fn from_str(line: &str) -> Result<Reason, NotAReason> {
        let letters = line.chars().count();
        let blank = line.split(' ').any(str::is_empty);
        let odd = line.contains(|letter: char| {
            letter.is_control() || letter == '#' || (letter.is_whitespace() && letter != ' ')
        });
        match (1..=Reason::LONGEST).contains(&letters) && !blank && !odd {
            true => Ok(Reason(line.to_owned())),
            false => Err(NotAReason),
        }
    }
}

impl Reason {
    /// Reads all words that are left.
    pub(super) fn read(words: &mut Words<'_>) -> Result<Reason, Unreadable> {
        let expected = "a reason of 1 to 200 letters, without #";
        let text = words.sentence(expected)?;
        text.parse().map_err(|_| Unreadable::new(expected, quoted(&text)))
    }
}

parsed! {
    Name: "a name of 1 to 32 of a-z, 0-9 and -, such as ann-2",
    Account: "an account (player:NAME, rack:SEAT, escrow, house, meter or cashier)",
}

/// A holder of money. Printed as `player:ann`, `rack:3`, `rack:3b`, `escrow`, `house`, `meter`, `cashier`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Account {
    /// A player, away from any table.
    Player(Name),
    /// The chips before a seat, or of someone behind it.
    Rack(Bettor),
    /// Wagers that are not decided.
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

/// A word that is no account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAnAccount;

impl fmt::Display for NotAnAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an account is player:NAME, rack:SEAT, escrow, house, meter or cashier")
    }
}

impl std::error::Error for NotAnAccount {}

impl FromStr for Account {
    type Err = NotAnAccount;

    fn from_str(word: &str) -> Result<Account, NotAnAccount> {
        match word.split_once(':') {
            Some(("player", name)) => name.parse().map(Account::Player).map_err(|_| NotAnAccount),
            Some(("rack", bettor)) => {
                Words::new(bettor).place().map(Account::Rack).map_err(|_| NotAnAccount)
            }
            Some(_) => Err(NotAnAccount),
            None => match word {
                "escrow" => Ok(Account::Escrow),
                "house" => Ok(Account::House),
                "meter" => Ok(Account::Meter),
                "cashier" => Ok(Account::Cashier),
                _ => Err(NotAnAccount),
            },
        }
    }
}

/// Money that goes from one account to another: always some, so nothing is made or lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Who gives it.
    pub from: Account,
    /// Who gets it.
    pub to: Account,
    /// How much; more than nothing.
    pub amount: Cents,
}

impl fmt::Display for Transfer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} from {} to {}", self.amount, self.from, self.to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_one_short_word() {
        let longest = "a".repeat(Name::LONGEST);
        for word in ["a", "ann-2", "9", "-", longest.as_str()] {
            assert_eq!(word.parse::<Name>().unwrap().as_str(), word);
        }
        let too_long = "a".repeat(Name::LONGEST + 1);
        for word in ["", "Ann", "a b", "a#", "a_b", "é", "a\n", too_long.as_str()] {
            assert_eq!(word.parse::<Name>(), Err(NotAName), "{word}");
        }
    }

    #[test]
    fn a_reason_is_one_line_that_reads_back() {
        let longest = "ü".repeat(Reason::LONGEST);
        for line in ["a", "the hand was 20, not 19", longest.as_str()] {
            assert_eq!(line.parse::<Reason>().unwrap().as_str(), line);
        }
        let too_long = "a".repeat(Reason::LONGEST + 1);
        for line in ["", " ", "a ", " a", "a  b", "a\nb", "a\tb", "a #b", too_long.as_str()] {
            assert_eq!(line.parse::<Reason>(), Err(NotAReason), "{line}");
        }
    }

    #[test]
    fn accounts_print_and_read_back() {
        let ann = "ann".parse().unwrap();
        for (account, word) in [
            (Account::Player(ann), "player:ann"),
            (Account::Rack(Bettor::at(0)), "rack:1"),
            (Account::Rack(Bettor::at(6)), "rack:7"),
            (Account::Rack(Bettor::behind(2, 1)), "rack:3b"),
            (Account::Escrow, "escrow"),
            (Account::House, "house"),
            (Account::Meter, "meter"),
            (Account::Cashier, "cashier"),
        ] {
            assert_eq!(account.to_string(), word);
            assert_eq!(word.parse(), Ok(account));
        }
        for word in ["", "player:", "player:Ann", "rack:0", "rack:8", "rack:3d", "rack", "house:1"]
        {
            assert_eq!(word.parse::<Account>(), Err(NotAnAccount), "{word}");
        }
    }
}
