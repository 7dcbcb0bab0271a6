//! What is wrong with a log, in one sentence each.

use std::fmt;

use rules::card::Card;
use rules::money::Cents;
use rules::table::Account;
use rules::wager::Bettor;

use crate::books::BooksRefusal;
use crate::hash::Hash;
use crate::log::NoRules;
use crate::walk::MOST_LINES;

/// Something that is wrong with a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The entry.
    pub seq: u64,
    /// What is wrong with it.
    pub problem: Problem,
}

/// One sentence: `entry 14: …`.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A log may be hostile: nothing of it moves the cursor or hides the lines around it.
        write!(f, "entry {}: {}", self.seq, Printable(&self.problem))
    }
}

/// A text with its control characters escaped.
struct Printable<T>(T);

impl<T: fmt::Display> fmt::Display for Printable<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_hidden = |c: char| {
            c.is_control()
                || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        self.0.to_string().chars().try_for_each(|c| match is_hidden(c) {
            true => write!(f, "{}", c.escape_unicode()),
            false => write!(f, "{c}"),
        })
    }
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Its hash does not match its line, its number and the previous hash.
    Unchained,
    /// An entry before it is missing, or it is repeated.
    OutOfOrder {
        /// The number that should be here.
        expected: u64,
    },
    /// Its hash is not the one that the house announced.
    NotAnnounced {
        /// What the house announced.
        announced: Hash,
        /// What the log has.
        found: Hash,
    },
    /// The house announced it, but the log ends before it.
    CutShort {
        /// The last entry of the log.
        last: u64,
    },
    /// The log does not begin with its rules.
    RulesMissing,
    /// No table can be run under its rules.
    NoRules(NoRules),
    /// The terms change, or the version changes in mid-round.
    RulesChanged,
    /// No table stands as the lines after the rules say.
    NoStanding,
    /// It is not an input of a table.
    NoInput,
    /// More lines follow it than any input leads to.
    TooManyLines,
    /// The table refuses the input.
    Refused {
        /// Why, in words.
        reason: String,
    },
    /// The rules give other events than the log has.
    OtherClaim {
        /// The line that the rules give, if any.
        expected: Option<String>,
        /// The line in the log, if any.
        found: Option<String>,
    },
    /// It is private and should not be, or the other way round.
    OtherPrivacy {
        /// Whether only some may see it.
        is_private: bool,
    },
    /// It is still private, though its round is over.
    NotOpened {
        /// The entry with which the round was over.
        settled: u64,
    },
    /// It is not a line about time.
    NotAClockLine,
    /// It does not say when it was.
    TimeMissing,
    /// It says when it was, but no line before it says who runs the table and how long they wait.
    OwnerMissing,
    /// A program runs the table from then on, and no line directly after it says how long it waits.
    PaceMissing,
    /// It says how long the house waits, and no program began just before it.
    PaceChanged,
    /// The cards of an idle table are spread, but the table did not wait for a first wager.
    NotIdle,
    /// It came before its time.
    TooEarly {
        /// How long was waited, in milliseconds.
        waited: u64,
        /// How long the paces in force give.
        within: u64,
    },
    /// The time of day is not what follows from the times since, and no line says that it jumped.
    ClockJumped {
        /// By how many milliseconds it is off.
        by: i64,
    },
    /// A program began before the last one ended, and no line says that the clock jumped.
    ClockWentBack,
    /// The revealed order does not match the commitment.
    SealBroken {
        /// The shoe.
        shoe: u32,
        /// The entry with the commitment.
        shuffled: u64,
    },
    /// The revealed order is not a full shoe.
    OtherCards {
        /// The shoe.
        shoe: u32,
    },
    /// The revealed order of discards shuffled in mid-round is not what was in the discard rack.
    NotTheDiscards {
        /// The shoe.
        shoe: u32,
    },
    /// The discards shuffled in mid-round are not in the order that the key of their shoe gives.
    DiscardsNotDrawn {
        /// The shoe.
        shoe: u32,
    },
    /// What was opened is not what was committed to.
    OtherOpening {
        /// The shoe.
        shoe: u32,
        /// Whose opening.
        bettor: Bettor,
    },
    /// Players committed to another house than before: a table belongs to one.
    OtherHouse {
        /// The id of the house before.
        before: String,
        /// The one in this list.
        now: String,
    },
    /// The cut that nobody named is not the one that the key of the shoe gives.
    CutNotDrawn {
        /// The shoe.
        shoe: u32,
        /// What the key gives.
        drawn: usize,
        /// The cut.
        found: usize,
    },
    /// The card that was dealt is not the next one of the shoe.
    OtherCard {
        /// The shoe.
        shoe: u32,
        /// Its place in the shoe after the cut, counted from 1.
        place: usize,
        /// The card there; none if the shoe was empty.
        committed: Option<Card>,
        /// The card that was dealt.
        found: Card,
        /// How many more cards of this shoe differ.
        more: usize,
    },
    /// The card reader gave a wrong answer.
    OtherAnswer {
        /// The shoe.
        shoe: u32,
        /// The card's place in the shoe after the cut, counted from 1.
        place: usize,
        /// The card there; none if the shoe was empty.
        committed: Option<Card>,
        /// What the reader said.
        found: bool,
        /// How many more cards of this shoe differ.
        more: usize,
    },
    /// A round gives a different result when replayed on its own.
    NotAlone {
        /// The round.
        round: u32,
        /// What is different.
        difference: String,
    },
    /// The books refuse a payment.
    NotPaid(BooksRefusal),
    /// The books and the table disagree.
    OutOfBalance {
        /// Whose money.
        account: Account,
        /// The balance in the books.
        books: Cents,
        /// The amount at the table.
        table: Cents,
    },
}

impl Problem {
    /// Whether it says only that the times of a log cannot be right.
    pub const fn is_about_time(&self) -> bool {
        matches!(
            self,
            Problem::NotAClockLine
                | Problem::TimeMissing
                | Problem::OwnerMissing
                | Problem::PaceMissing
                | Problem::PaceChanged
                | Problem::NotIdle
                | Problem::TooEarly { .. }
                | Problem::ClockJumped { .. }
                | Problem::ClockWentBack
        )
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Unchained => {
                f.write_str("the hash does not match the line, its number and the previous entry")
            }
            Problem::OutOfOrder { expected } => {
                write!(f, "out of sequence: expected entry {expected}")
            }
            Problem::NotAnnounced { announced, found } => {
                write!(f, "the house announced hash {announced}, but the log has {found}")
            }
            Problem::CutShort { last } => {
                write!(f, "announced by the house, but the log ends with entry {last}")
            }
            Problem::RulesMissing => f.write_str("expected '# version …' first; nothing is played"),
            Problem::NoRules(reason) => write!(f, "{reason}; the rest is not played"),
            Problem::RulesChanged => f.write_str(
                "a table keeps its terms, and a round its rules; the rest is not played",
            ),
            Problem::NoStanding => {
                f.write_str("no table can stand as the next lines say; the rest is not played")
            }
            Problem::NoInput => f.write_str("not an input of a table; the rest is not played"),
            Problem::TooManyLines => {
                write!(f, "more than {MOST_LINES} lines follow it; the rest is not played")
            }
            Problem::Refused { reason } => {
                write!(f, "refused by the table: {reason}; the rest is not played")
            }
            Problem::OtherClaim { expected, found } => {
                claim(f, expected.as_deref(), found.as_deref())
            }
            Problem::OtherPrivacy { is_private: true } => {
                f.write_str("only some may see this, but the chain covers it in the open")
            }
            Problem::OtherPrivacy { is_private: false } => {
                f.write_str("everybody may see this, but the log has it as private")
            }
            Problem::NotOpened { settled } => write!(
                f,
                "still private, though its round was over with entry {settled}; the rest is not \
                 played"
            ),
            Problem::NotAClockLine => f.write_str("not a line about time"),
            Problem::TimeMissing => f.write_str("does not say when it was"),
            Problem::OwnerMissing => f.write_str(
                "says when it was, but no line before it says how long the house waits, so that \
                 nothing that rests on a clock can be checked",
            ),
            Problem::PaceMissing => f.write_str(
                "a program runs the table from here on, but the next line does not say how long it \
                 waits, so that nothing that rests on a clock can be checked",
            ),
            Problem::PaceChanged => f.write_str(
                "says how long the house waits, which only a program that takes over the table says; \
                 this pace does not count",
            ),
            Problem::NotIdle => {
                f.write_str("the table did not wait for a first wager, so it was not idle")
            }
            Problem::TooEarly { waited, within } => {
                write!(f, "came after {waited} ms, but the paces in force give {within} ms")
            }
            Problem::ClockJumped { by } => {
                write!(f, "the time of day is off by {by:+} ms, and no line says that it jumped")
            }
            Problem::ClockWentBack => f.write_str(
                "the time of day went back with the program, and no line says that it jumped",
            ),
            Problem::SealBroken { shoe, shuffled } => write!(
                f,
                "salt and order of shoe {shoe} do not match the commitment in entry {shuffled}"
            ),
            Problem::OtherCards { shoe } => {
                write!(f, "the cards of shoe {shoe} are not a full shoe")
            }
            Problem::NotTheDiscards { shoe } => {
                write!(f, "the cards of shoe {shoe} are not those in the discard rack")
            }
            Problem::DiscardsNotDrawn { shoe } => write!(
                f,
                "the cards of shoe {shoe} are not in the order that the key of the shoe before gives"
            ),
            Problem::OtherOpening { shoe, bettor } => {
                write!(f, "what seat {bettor} opened for shoe {shoe} is not what it committed to")
            }
            Problem::OtherHouse { before, now } => {
                write!(f, "these are commitments to house {now}, but the table is one of house {before}")
            }
            Problem::CutNotDrawn { shoe, drawn, found } => write!(
                f,
                "shoe {shoe} was cut after {found} cards, but the key of its order gives {drawn}"
            ),
            Problem::OtherCard { shoe, place, committed, found, more } => {
                write!(f, "{found} was dealt, but ")?;
                in_the_shoe(f, *shoe, *place, *committed)?;
                and_more(f, *more)
            }
            Problem::OtherAnswer { shoe, place, committed, found, more } => {
                write!(f, "the reader said {}, but ", if *found { "yes" } else { "no" })?;
                in_the_shoe(f, *shoe, *place, *committed)?;
                and_more(f, *more)
            }
            Problem::NotAlone { round, difference } => {
                write!(
                    f,
                    "replayed on its own, round {round} gives a different result: {difference}"
                )
            }
            Problem::NotPaid(refusal) => write!(f, "{refusal}"),
            Problem::OutOfBalance { account, books, table } => {
                write!(f, "{account} holds {books} in the books, but {table} at the table")
            }
        }
    }
}

fn claim(f: &mut fmt::Formatter<'_>, expected: Option<&str>, found: Option<&str>) -> fmt::Result {
    match (expected, found) {
        (Some(expected), Some(found)) => {
            write!(f, "the log has '{found}', but the rules give '{expected}'")
        }
        (Some(expected), None) => write!(f, "the log lacks '{expected}', which the rules give"),
        (None, Some(found)) => write!(f, "the log has '{found}', but the rules give nothing more"),
        (None, None) => unreachable!("a difference has a side"),
    }
}

fn in_the_shoe(
    f: &mut fmt::Formatter<'_>,
    shoe: u32,
    place: usize,
    card: Option<Card>,
) -> fmt::Result {
    match card {
        Some(card) => write!(f, "card {place} of shoe {shoe} is {card}"),
        None => write!(f, "shoe {shoe} has no card {place}"),
    }
}

fn and_more(f: &mut fmt::Formatter<'_>, more: usize) -> fmt::Result {
    match more {
        0 => Ok(()),
        1 => f.write_str("; one more card of this shoe differs"),
        _ => write!(f, "; {more} more cards of this shoe differ"),
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
            (Problem::OutOfOrder { expected: 8 }, "out of sequence: expected entry 8"),
            (
                Problem::CutShort { last: 8 },
                "announced by the house, but the log ends with entry 8",
            ),
            (
                Problem::OtherClaim { expected: true_line.clone(), found: claimed.clone() },
                "the log has '> rack 1 5', but the rules give '> rack 1 6'",
            ),
            (
                Problem::OtherClaim { expected: true_line, found: None },
                "the log lacks '> rack 1 6', which the rules give",
            ),
            (
                Problem::OtherClaim { expected: None, found: claimed },
                "the log has '> rack 1 5', but the rules give nothing more",
            ),
            (
                Problem::OtherCard {
                    shoe,
                    place,
                    committed: Some(card("9d")),
                    found: card("As"),
                    more: 0,
                },
                "As was dealt, but card 7 of shoe 1 is 9d",
            ),
            (
                Problem::OtherCard { shoe, place, committed: None, found: card("As"), more: 1 },
                "As was dealt, but shoe 1 has no card 7; one more card of this shoe differs",
            ),
            (
                Problem::OtherAnswer {
                    shoe,
                    place,
                    committed: Some(card("9d")),
                    found: true,
                    more: 2,
                },
                "the reader said yes, but card 7 of shoe 1 is 9d; 2 more cards of this shoe differ",
            ),
            (
                Problem::OtherPrivacy { is_private: true },
                "only some may see this, but the chain covers it in the open",
            ),
            (
                Problem::OtherPrivacy { is_private: false },
                "everybody may see this, but the log has it as private",
            ),
            (
                Problem::TooEarly { waited: 1250, within: 30_000 },
                "came after 1250 ms, but the paces in force give 30000 ms",
            ),
            (
                Problem::ClockJumped { by: -3_600_000 },
                "the time of day is off by -3600000 ms, and no line says that it jumped",
            ),
            (
                Problem::NotOpened { settled: 12 },
                "still private, though its round was over with entry 12; the rest is not played",
            ),
            (
                Problem::SealBroken { shoe, shuffled: 3 },
                "salt and order of shoe 1 do not match the commitment in entry 3",
            ),
        ];
        for (problem, sentence) in cases {
            assert_eq!(Finding { seq: 9, problem }.to_string(), format!("entry 9: {sentence}"));
        }
    }
}
