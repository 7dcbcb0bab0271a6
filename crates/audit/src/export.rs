//! A table's log as text that anyone can keep and check.

use std::fmt;

use crate::chain::Entry;

/// What the first line begins with: the kind of text and its version.
const TITLE: &str = "pitboss log 1 ";

/// The log of one table.
///
/// The first line is `pitboss log 1 TABLE`, and each further one an entry: `SEQ HASH LINE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// The table.
    pub table: String,
    /// The entries in the order of the text, whatever their numbers.
    pub entries: Vec<Entry>,
}

impl Export {
    /// The first line of the text, with its end.
    pub fn first_line(table: &str) -> String {
        format!("{TITLE}{table}\n")
    }

    /// The line of an entry, with its end.
    pub fn line(Entry { seq, hash, line }: &Entry) -> String {
        format!("{seq} {hash} {line}\n")
    }

    /// Reads the text, all of it or nothing, without verifying it.
    pub fn read(text: &str) -> Result<Export, ReadError> {
        let mut lines = (1..).zip(text.lines());
        let table = lines.next().and_then(|(_, title)| title.strip_prefix(TITLE));
        let table = table.filter(|table| is_a_table(table)).ok_or(ReadError::NoExport)?;
        let entries = lines
            .map(|(line, text)| entry(text).ok_or(ReadError::NoEntry { line }))
            .collect::<Result<_, _>>()?;
        Ok(Export { table: table.to_owned(), entries })
    }
}

/// Whether this can be the name of a table: one word of plain text.
fn is_a_table(name: &str) -> bool {
    !name.is_empty() && !name.contains(|letter: char| letter.is_whitespace() || letter.is_control())
}

fn entry(text: &str) -> Option<Entry> {
    let (seq, rest) = text.split_once(' ')?;
    let (hash, line) = rest.split_once(' ')?;
    let number = seq.parse::<u64>().ok().filter(|number| number.to_string() == seq)?;
    Some(Entry { seq: number, line: line.to_owned(), hash: hash.parse().ok()? })
}

impl fmt::Display for Export {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Export::first_line(&self.table))?;
        self.entries.iter().try_for_each(|entry| f.write_str(&Export::line(entry)))
    }
}

/// Why a text is not read as an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// It does not begin as one.
    NoExport,
    /// A line is not an entry.
    NoEntry {
        /// The line, counted from 1.
        line: usize,
    },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::NoExport => write!(f, "line 1: expected '{TITLE}TABLE'"),
            ReadError::NoEntry { line } => {
                write!(f, "line {line}: expected an entry as 'SEQ HASH LINE'")
            }
        }
    }
}

impl std::error::Error for ReadError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::Chain;

    fn written() -> Export {
        let mut chain = Chain::new("war-1");
        let lines = ["# version 0.1.0 game casino-war", "< sit 1 ann", "> sat 1 ann"];
        Export { table: "war-1".to_owned(), entries: lines.map(|line| chain.append(line)).into() }
    }

    #[test]
    fn what_is_printed_reads_back_the_same() {
        let text = written().to_string();
        assert!(text.starts_with("pitboss log 1 war-1\n1 "));
        assert_eq!(Export::read(&text), Ok(written()));
        assert_eq!(Export::read(&text.replace('\n', "\r\n")), Ok(written()));
        let empty = Export { entries: Vec::new(), ..written() };
        assert_eq!(Export::read("pitboss log 1 war-1"), Ok(empty));
    }

    #[test]
    fn what_is_no_export_is_said_with_its_line() {
        for title in ["", "pitboss log 2 war-1", "pitboss log 1 ", "pitboss log 1 war 1", "1 2 3"] {
            assert_eq!(Export::read(title), Err(ReadError::NoExport), "{title}");
        }
        let text = written().to_string();
        for (right, wrong) in
            [("\n2 ", "\n02 "), ("\n2 ", "\nx "), ("\n2 ", "\n\n2 "), ("\n2 ", "\n2  ")]
        {
            let found = Export::read(&text.replacen(right, wrong, 1));
            assert_eq!(found, Err(ReadError::NoEntry { line: 3 }), "{wrong:?}");
        }
        assert_eq!(
            ReadError::NoEntry { line: 3 }.to_string(),
            "line 3: expected an entry as 'SEQ HASH LINE'"
        );
    }
}
