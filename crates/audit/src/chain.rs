//! The entries of a table's log, each of which commits to all before it.

use std::fmt;
use std::str::FromStr;

use crate::hash::{Hash, NotAHash};
use crate::secret::Legible;

/// One line of the log, numbered and chained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its number, counted from 1.
    pub seq: u64,
    /// What was written.
    pub line: String,
    /// The hash of the line, its number and the hash of the entry before it. Of a line that only some
    /// may see, it covers the commitment.
    pub hash: Hash,
}

impl Entry {
    /// The entry for whoever may not see what only some may see.
    pub fn closed(&self) -> Entry {
        Entry { line: Legible::of(&self.line).closed().into_owned(), ..*self }
    }

    /// What the house announces when this is its last entry.
    pub const fn head(&self) -> Head {
        Head { seq: self.seq, hash: self.hash }
    }
}

/// The last entry of a log, as the house announces it: whoever keeps it notices a rewritten log.
///
/// Printed as `SEQ:HASH`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The entry's number.
    pub seq: u64,
    /// The entry's hash.
    pub hash: Hash,
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.seq, self.hash)
    }
}

/// A word that is not a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAHead;

impl fmt::Display for NotAHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected SEQ:HASH, the number of an entry and its hash; {NotAHash}")
    }
}

impl std::error::Error for NotAHead {}

impl FromStr for Head {
    type Err = NotAHead;

    fn from_str(word: &str) -> Result<Head, NotAHead> {
        let (seq, hash) = word.split_once(':').ok_or(NotAHead)?;
        let seq = seq.parse().map_err(|_| NotAHead)?;
        Ok(Head { seq, hash: hash.parse().map_err(|_| NotAHead)? })
    }
}

/// The end of a table's log: all that the next entry needs of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain {
    next: u64,
    head: Hash,
}

impl Chain {
    /// The empty log of a table.
    pub fn new(table: &str) -> Chain {
        Chain { next: 1, head: Hash::of(&["pitboss chain\n", table]) }
    }

    /// The log that ends with this entry.
    pub const fn after(head: Head) -> Chain {
        Chain { next: head.seq.saturating_add(1), head: head.hash }
    }

    /// The number of the next entry.
    pub const fn next(&self) -> u64 {
        self.next
    }

    /// The hash of the last entry, or of the table's name where there is none yet.
    pub const fn head(&self) -> Hash {
        self.head
    }

    /// Writes the next entry.
    ///
    /// # Panics
    /// If the line is more than one, or has control characters: it could not be read back.
    pub fn append(&mut self, line: impl Into<String>) -> Entry {
        let line = line.into();
        assert!(!line.contains(char::is_control), "an entry is one line of plain text: {line:?}");
        let entry = Entry { seq: self.next, hash: self.hash_of(&line), line };
        *self = Chain::after(entry.head());
        entry
    }

    /// What the hash of the next entry would be with this line.
    pub fn hash_of(&self, line: &str) -> Hash {
        let (head, seq) = (self.head.to_string(), self.next.to_string());
        Hash::of(&["pitboss entry\n", &head, "\n", &seq, "\n", &Legible::of(line).closed()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret::LineSalt;

    #[test]
    fn an_entry_hangs_on_the_table_its_number_its_line_and_all_before() {
        let written = |table: &str, lines: &[&str]| {
            let mut chain = Chain::new(table);
            lines.iter().map(|line| chain.append(*line)).last().unwrap()
        };
        let last = written("war-1", &["< sit 1 ann", "< deal"]);
        assert_eq!((last.seq, last.line.as_str()), (2, "< deal"));
        assert_eq!(written("war-1", &["< sit 1 ann", "< deal"]), last);
        assert_ne!(written("war-2", &["< sit 1 ann", "< deal"]).hash, last.hash);
        assert_ne!(written("war-1", &["< sit 1 bob", "< deal"]).hash, last.hash);
        assert_ne!(written("war-1", &["< sit 1 ann", "< leave 1"]).hash, last.hash);
        assert_ne!(written("war-1", &["< sit 1 ann", "< deal", "< deal"]).hash, last.hash);
    }

    #[test]
    fn the_hashes_are_those_that_any_other_program_computes() {
        // printf 'pitboss chain\nwar-1' | sha256sum, then printf 'pitboss entry\nHEAD\n1\n< deal'
        let mut chain = Chain::new("war-1");
        assert_eq!(chain.head().to_string(), GENESIS);
        assert_eq!(chain.append("< deal").hash.to_string(), FIRST);
        assert_eq!((chain.next(), chain.head().to_string().as_str()), (2, FIRST));
    }

    const GENESIS: &str = "5384607fa9765ff2e44c2ee33f17d91b98bee76653b45dd38394d14d63548ee2";
    const FIRST: &str = "893e9580b5a325a3a18a71693573715ca8f71f3e7d324eb848d3d5b55fdcb9d7";

    #[test]
    fn the_chain_is_the_same_before_and_after_a_line_is_opened() {
        let line = LineSalt::new([7; 16]).seal("< card 9d");
        let opened = Chain::new("deck-1").append(line);
        let closed = opened.closed();
        assert!(closed.line.starts_with("private ") && !closed.line.contains("9d"));
        assert_eq!(Chain::new("deck-1").append(closed.line.as_str()), closed);
        assert_eq!(opened.hash, closed.hash);
        assert_ne!(opened.hash, Chain::new("deck-1").append("< card 9d").hash);
        assert_eq!(closed.closed(), closed);
    }

    #[test]
    fn a_head_reads_back_as_it_is_printed() {
        let head = Chain::new("war-1").append("< deal").head();
        assert_eq!(head.to_string(), format!("1:{FIRST}"));
        assert_eq!(head.to_string().parse(), Ok(head));
        for wrong in ["", "1", FIRST, "1:", "x:0", &format!("-1:{FIRST}")] {
            assert_eq!(wrong.parse::<Head>(), Err(NotAHead), "{wrong}");
        }
    }

    #[test]
    #[should_panic(expected = "one line of plain text")]
    fn an_entry_is_one_line() {
        Chain::new("war-1").append("< deal\n< deal");
    }
}
