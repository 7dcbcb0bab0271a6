//! What is wrong with a log, in one sentence each.

use std::fmt;

use rules::card::Card;
use rules::money::Cents;
use rules::table::Account;

use crate::books::BooksRefusal;
use crate::hash::Hash;
use crate::log::NoRules;

/// Something that is wrong with a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The entry.
    pub seq: u64,
    /// What it is.
    pub matter: Matter,
}

/// One sentence: `entry 14: …`.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "entry {}: {}", self.seq, self.matter)
    }
}

/// What a finding is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Matter {
    /// Its hash is not that of its line, its number and the hash before it.
    Unchained,
    /// An entry is missing before it, or it is there twice.
    OutOfOrder {
        /// The number that belongs here.
        expected: u64,
    },
    /// Its hash is not the one that the house told.
    NotAnnounced {
        /// What the house told.
        announced: Hash,
        /// What the log has.
        found: Hash,
    },
    /// The house told its hash, but it is not there.
    CutShort {
        /// The last entry that is there.
        last: u64,
    },
    /// The log does not begin with the rules that it is played under.
    RulesMissing,
    /// No table can be run under its rules.
    NoRules(NoRules),
    /// The terms, or in mid-round the version, are other ones than before.
    RulesChanged,
    /// No table stands as the lines after the rules say.
    NoStanding,
    /// It is no input of a table.
    NoInput,
    /// The table refuses the input.
    Refused {
        /// Why, in words.
        reason: String,
    },
    /// Something else came of the input by the rules.
    OtherClaim {
        /// The line by the rules; none where nothing more came of it.
        expected: Option<String>,
        /// The line in the log; none where it ends too early.
        found: Option<String>,
    },
    /// What is revealed is not what was committed to.
    SealBroken {
        /// The shoe.
        shoe: u32,
        /// The entry with the commitment.
        shuffled: u64,
    },
    /// What is revealed is no full shoe.
    OtherCards {
        /// The shoe.
        shoe: u32,
    },
    /// What is revealed of discards that were shuffled in mid-round is not what lay in the rack.
    NotTheDiscards {
        /// The shoe.
        shoe: u32,
    },
    /// A card was dealt that is not the next one of the shoe.
    OtherCard {
        /// The shoe.
        shoe: u32,
        /// Its place in the shoe after the cut, counted from 1.
        place: usize,
        /// The card that lay there; none where the shoe was empty.
        committed: Option<Card>,
        /// The card that was dealt.
        found: Card,
        /// How many more cards of this shoe are other ones.
        more: usize,
    },
    /// The card reader did not say the truth.
    OtherAnswer {
        /// The shoe.
        shoe: u32,
        /// The card's place in the shoe after the cut, counted from 1.
        place: usize,
        /// The card that lay there; none where the shoe was empty.
        committed: Option<Card>,
        /// What the reader said.
        found: bool,
        /// How many more cards of this shoe are other ones.
        more: usize,
    },
    /// A round does not come out the same when it is played alone.
    NotAlone {
        /// The round.
        round: u32,
        /// What is different.
        difference: String,
    },
    /// The books refuse what was paid.
    NotPaid(BooksRefusal),
    /// The books have something else than the table.
    OutOfBalance {
        /// Whose money.
        account: Account,
        /// What the books have.
        books: Cents,
        /// What the table has.
        table: Cents,
    },
}

impl fmt::Display for Matter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Matter::Unchained => {
                f.write_str("the hash is not that of the line, its number and the entry before it")
            }
            Matter::OutOfOrder { expected } => write!(f, "stands where entry {expected} belongs"),
            Matter::NotAnnounced { announced, found } => {
                write!(f, "the house announced the hash {announced}, and the log has {found}")
            }
            Matter::CutShort { last } => {
                write!(f, "was announced by the house, but the log ends with entry {last}")
            }
            Matter::RulesMissing => {
                f.write_str("expected '# version …' before it; nothing is played")
            }
            Matter::NoRules(reason) => write!(f, "{reason}; nothing more is played"),
            Matter::RulesChanged => f.write_str(
                "the table is not run by the rules it began with; nothing more is played",
            ),
            Matter::NoStanding => {
                f.write_str("no table can stand as the lines after it say; nothing more is played")
            }
            Matter::NoInput => f.write_str("no input of a table; nothing more is played"),
            Matter::Refused { reason } => {
                write!(f, "refused by the table: {reason}; nothing more is played")
            }
            Matter::OtherClaim { expected, found } => {
                claim(f, expected.as_deref(), found.as_deref())
            }
            Matter::SealBroken { shoe, shuffled } => write!(
                f,
                "salt and order of shoe {shoe} are not those that entry {shuffled} committed to"
            ),
            Matter::OtherCards { shoe } => {
                write!(f, "the cards of shoe {shoe} are not those that a full shoe holds")
            }
            Matter::NotTheDiscards { shoe } => {
                write!(f, "the cards of shoe {shoe} are not those that lay in the discard rack")
            }
            Matter::OtherCard { shoe, place, committed, found, more } => {
                let committed = in_the_shoe(*committed);
                write!(f, "{found} was dealt, and card {place} of shoe {shoe} is {committed}")?;
                and_more(f, *more)
            }
            Matter::OtherAnswer { shoe, place, committed, found, more } => {
                let (said, committed) =
                    (if *found { "yes" } else { "no" }, in_the_shoe(*committed));
                write!(
                    f,
                    "the reader said {said}, and card {place} of shoe {shoe} is {committed}"
                )?;
                and_more(f, *more)
            }
            Matter::NotAlone { round, difference } => {
                write!(
                    f,
                    "round {round} comes out differently when it is played alone: {difference}"
                )
            }
            Matter::NotPaid(refusal) => write!(f, "{refusal}"),
            Matter::OutOfBalance { account, books, table } => {
                write!(f, "{account} holds {books} in the books and {table} at the table")
            }
        }
    }
}

fn claim(f: &mut fmt::Formatter<'_>, expected: Option<&str>, found: Option<&str>) -> fmt::Result {
    match (expected, found) {
        (Some(expected), Some(found)) => {
            write!(f, "the log has '{found}', and by the rules it is '{expected}'")
        }
        (Some(expected), None) => write!(f, "the log leaves out '{expected}', which came of it"),
        (None, Some(found)) => write!(f, "the log has '{found}', and by the rules nothing more"),
        (None, None) => unreachable!("a difference has a side"),
    }
}

fn in_the_shoe(card: Option<Card>) -> String {
    card.map_or("none at all".to_owned(), |card| card.to_string())
}

fn and_more(f: &mut fmt::Formatter<'_>, more: usize) -> fmt::Result {
    match more {
        0 => Ok(()),
        1 => f.write_str(", and so with one more card of this shoe"),
        _ => write!(f, ", and so with {more} more cards of this shoe"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_one_sentence_with_its_entry() {
        let card = |card: &str| card.parse::<Card>().unwrap();
        let (shoe, place) = (1, 7);
        let [claimed, true_line] = ["> rack 1 5", "> rack 1 6"].map(|line| Some(line.to_owned()));
        let cases = [
            (Matter::OutOfOrder { expected: 8 }, "stands where entry 8 belongs"),
            (
                Matter::CutShort { last: 8 },
                "was announced by the house, but the log ends with entry 8",
            ),
            (
                Matter::OtherClaim { expected: true_line.clone(), found: claimed.clone() },
                "the log has '> rack 1 5', and by the rules it is '> rack 1 6'",
            ),
            (
                Matter::OtherClaim { expected: true_line, found: None },
                "the log leaves out '> rack 1 6', which came of it",
            ),
            (
                Matter::OtherClaim { expected: None, found: claimed },
                "the log has '> rack 1 5', and by the rules nothing more",
            ),
            (
                Matter::OtherCard {
                    shoe,
                    place,
                    committed: Some(card("9d")),
                    found: card("As"),
                    more: 0,
                },
                "As was dealt, and card 7 of shoe 1 is 9d",
            ),
            (
                Matter::OtherCard { shoe, place, committed: None, found: card("As"), more: 1 },
                "As was dealt, and card 7 of shoe 1 is none at all, and so with one more card of \
                 this shoe",
            ),
            (
                Matter::OtherAnswer {
                    shoe,
                    place,
                    committed: Some(card("9d")),
                    found: true,
                    more: 2,
                },
                "the reader said yes, and card 7 of shoe 1 is 9d, and so with 2 more cards of this \
                 shoe",
            ),
            (
                Matter::SealBroken { shoe, shuffled: 3 },
                "salt and order of shoe 1 are not those that entry 3 committed to",
            ),
        ];
        for (matter, sentence) in cases {
            assert_eq!(Finding { seq: 9, matter }.to_string(), format!("entry 9: {sentence}"));
        }
    }
}
