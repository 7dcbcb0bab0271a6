//! A table's log as text that anyone can keep and check.

use std::fmt;
use std::io::{BufRead, Read};

use crate::chain::Entry;

/// What the first line begins with: the kind of text and its version.
const TITLE: &str = "pitboss log 2 ";

/// The version before, in which nothing is private.
const TITLE_BEFORE: &str = "pitboss log 1 ";

/// The most bytes in a line: far more than any entry has, and little enough to hold.
pub const LONGEST_LINE: usize = 64 * 1024;

/// The log of one table.
///
/// The first line is `pitboss log 2 TABLE`, and each further one an entry: `SEQ HASH LINE`.
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
        let mut reader = ExportReader::new(text.as_bytes())?;
        let entries = reader.by_ref().collect::<Result<_, _>>()?;
        Ok(Export { table: reader.table, entries })
    }
}

/// The entries of an export, read one by one and not verified: a log of any length needs the memory
/// of a line.
#[derive(Debug)]
pub struct ExportReader<R> {
    table: String,
    text: R,
    /// The number of the last line.
    line: usize,
    bytes: Vec<u8>,
}

impl<R: BufRead> ExportReader<R> {
    /// Reads the first line.
    pub fn new(text: R) -> Result<ExportReader<R>, ReadError> {
        let mut reader = ExportReader { table: String::new(), text, line: 0, bytes: Vec::new() };
        let title = reader.next_line()?.ok_or(ReadError::NoExport)?;
        let table = title.and_then(table_in);
        let table = table.filter(|table| is_a_table(table)).ok_or(ReadError::NoExport)?;
        reader.table = table.to_owned();
        Ok(reader)
    }

    /// The table.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// The next line without its end, if there is one; within, none where it is no text, or too long.
    fn next_line(&mut self) -> Result<Option<Option<&str>>, ReadError> {
        self.bytes.clear();
        self.line += 1;
        let mut limited = self.text.by_ref().take(LONGEST_LINE as u64 + 2);
        let read = limited.read_until(b'\n', &mut self.bytes);
        if read.map_err(|error| ReadError::Failed { reason: error.to_string() })? == 0 {
            return Ok(None);
        }
        let bytes = self.bytes.strip_suffix(b"\n").unwrap_or(&self.bytes);
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let is_short = bytes.len() <= LONGEST_LINE;
        Ok(Some(std::str::from_utf8(bytes).ok().filter(|_| is_short)))
    }
}

impl<R: BufRead> Iterator for ExportReader<R> {
    type Item = Result<Entry, ReadError>;

    fn next(&mut self) -> Option<Result<Entry, ReadError>> {
        let read = match self.next_line() {
            Ok(line) => line?.and_then(entry),
            Err(error) => return Some(Err(error)),
        };
        Some(read.ok_or(ReadError::NoEntry { line: self.line }))
    }
}

/// The table that a first line names.
fn table_in(title: &str) -> Option<&str> {
    title.strip_prefix(TITLE).or_else(|| title.strip_prefix(TITLE_BEFORE))
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// It does not begin as one.
    NoExport,
    /// A line is not an entry.
    NoEntry {
        /// The line, counted from 1.
        line: usize,
    },
    /// It cannot be read.
    Failed {
        /// Why, in words.
        reason: String,
    },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::NoExport => write!(f, "line 1: expected '{TITLE}TABLE'"),
            ReadError::NoEntry { line } => {
                write!(f, "line {line}: expected an entry as 'SEQ HASH LINE'")
            }
            ReadError::Failed { reason } => write!(f, "it cannot be read: {reason}"),
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
        assert!(text.starts_with("pitboss log 2 war-1\n1 "));
        assert_eq!(Export::read(&text), Ok(written()));
        assert_eq!(Export::read(&text.replace('\n', "\r\n")), Ok(written()));
        assert_eq!(Export::read(&text.replace("log 2", "log 1")), Ok(written()));
        let empty = Export { entries: Vec::new(), ..written() };
        assert_eq!(Export::read("pitboss log 2 war-1"), Ok(empty));
    }

    #[test]
    fn what_is_no_export_is_said_with_its_line() {
        for title in ["", "pitboss log 3 war-1", "pitboss log 2 ", "pitboss log 1 war 1", "1 2 3"] {
            assert_eq!(Export::read(title), Err(ReadError::NoExport), "{title}");
        }
        let text = written().to_string();
        for (right, wrong) in
            [("\n2 ", "\n02 "), ("\n2 ", "\nx "), ("\n2 ", "\n\n2 "), ("\n2 ", "\n2  ")]
        {
            let found = Export::read(&text.replacen(right, wrong, 1));
            assert_eq!(found, Err(ReadError::NoEntry { line: 3 }), "{wrong:?}");
        }
        let hostile = [
            text.replacen("> sat", &"x".repeat(LONGEST_LINE), 1).into_bytes(),
            [text.as_bytes(), b"4 \xff\n"].concat(),
        ];
        for bytes in hostile {
            let mut reader = ExportReader::new(bytes.as_slice()).unwrap();
            let found = reader.find_map(Result::err);
            assert_eq!(
                found,
                Some(ReadError::NoEntry { line: 4 + usize::from(bytes.len() < 999) })
            );
        }
        assert_eq!(
            ReadError::NoEntry { line: 3 }.to_string(),
            "line 3: expected an entry as 'SEQ HASH LINE'"
        );
    }
}
