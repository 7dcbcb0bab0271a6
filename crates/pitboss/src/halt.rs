//! Why a command ends without having done its work.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::process::ExitCode;

use crate::BAD_INPUT;
use crate::text::grouped;

/// Why a command halts.
pub(crate) enum Halt {
    /// An argument, or a file that it names, cannot be used.
    BadInput(String),
    /// Reading, writing or the random source failed.
    World(io::Error),
}

impl From<io::Error> for Halt {
    fn from(error: io::Error) -> Halt {
        Halt::World(error)
    }
}

impl From<String> for Halt {
    fn from(sentence: String) -> Halt {
        Halt::BadInput(sentence)
    }
}

/// Says why a command halted, if it did.
pub(crate) fn ended(result: Result<(), Halt>) -> io::Result<ExitCode> {
    match result {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(Halt::World(error)) => Err(error),
        Err(Halt::BadInput(sentence)) => {
            eprintln!("pitboss: {}", grouped(&sentence));
            Ok(ExitCode::from(BAD_INPUT))
        }
    }
}

/// The longest file of transcripts or heads.
pub(crate) const LONGEST_TEXT: u64 = 256 * 1024 * 1024;

/// A text file of at most so many bytes; one that goes on for ever is read no further.
pub(crate) fn read_text(file: &Path, most: u64) -> Result<String, String> {
    let mut text = String::new();
    let opened = File::open(file).map_err(|error| unreadable(file, &error))?;
    let read = opened.take(most + 1).read_to_string(&mut text);
    match text.len() as u64 > most {
        true => Err(format!("{}: it has more than {most} bytes", file.display())),
        false => read.map(|_| text).map_err(|error| unreadable(file, &error)),
    }
}

/// Why a file cannot be read.
pub(crate) fn unreadable(file: &Path, error: &io::Error) -> String {
    let why = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::InvalidData => "it is not UTF-8 text".to_owned(),
        _ => in_words(error),
    };
    format!("{}: {why}", file.display())
}

/// Why a file cannot be written.
pub(crate) fn unwritable(file: &Path, error: &io::Error) -> String {
    let why = match error.kind() {
        io::ErrorKind::NotFound => "there is no such folder".to_owned(),
        _ => in_words(error),
    };
    format!("could not write {}: {why}", file.display())
}

/// What the operating system says, without its number.
pub(crate) fn in_words(error: &io::Error) -> String {
    let text = error.to_string();
    let words = text.split(" (os error").next().unwrap_or(&text);
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_fail_get_one_sentence() {
        let missing = Path::new("no/such.file");
        let error = std::fs::read(missing).unwrap_err();
        assert_eq!(unreadable(missing, &error), "no/such.file: there is no such file");
        let error = std::fs::write(missing, "").unwrap_err();
        let sentence = "could not write no/such.file: there is no such folder";
        assert_eq!(unwritable(missing, &error), sentence);
        let error = io::Error::from_raw_os_error(21);
        assert_eq!(unreadable(Path::new("a"), &error), "a: is a directory");
    }
}
