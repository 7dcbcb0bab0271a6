//! `pitboss check`: plays transcripts through the rules.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rules::transcript::{self, ReadError, Transcript};

use crate::BAD_INPUT;

const EXAMPLES: &str = "\
Examples:
  pitboss check crates/rules/tests/rounds                  a folder
  pitboss check crates/rules/tests/rounds/free-bet/*.round  several files

Prints a line for everything that is not as expected (FILE:LINE: expected …,
found …), and last how many rounds passed and failed. docs/notation.md
describes the notation.

Exit status: 0 all rounds pass, 1 an expectation fails, 2 something cannot be
read.";

/// Plays transcripts of rounds through the rules and compares what they expect.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Files in the round notation, or folders with .round files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> io::Result<ExitCode> {
    let out = &mut Unheard(out);
    let mut tally = Tally::default();
    for path in &arguments.files {
        for found in round_files(path) {
            match found {
                Ok(file) => tally.check_file(&file, out)?,
                Err((path, sentence)) => tally.unreadable_file(&path, &sentence, out)?,
            }
        }
    }
    writeln!(out, "{} passed, {} failed", tally.passed, tally.failed)?;
    Ok(tally.exit_code())
}

/// Lets the check go on when nobody reads any more: its exit status still counts.
struct Unheard<W>(W);

impl<W: Write> Write for Unheard<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(bytes.len()),
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// How many rounds came as expected.
#[derive(Default)]
struct Tally {
    passed: usize,
    failed: usize,
    /// Whether anything made no sense.
    unreadable: bool,
}

impl Tally {
    fn check_file(&mut self, file: &Path, out: &mut impl Write) -> io::Result<()> {
        let text = match fs::read(file).map(String::from_utf8) {
            Ok(Ok(text)) => text,
            Ok(Err(_)) => return self.unreadable_file(file, "the file is not UTF-8 text", out),
            Err(error) => return self.unreadable_file(file, &why(&error), out),
        };
        let mut rounds = transcript::read_each(&text).into_iter().peekable();
        if rounds.peek().is_none() {
            return self.unreadable_file(file, "no round in it", out);
        }
        for round in rounds {
            match round {
                Ok(round) => self.check_round(file, &round, out)?,
                Err(errors) => self.unreadable_round(file, &errors, out)?,
            }
        }
        Ok(())
    }

    fn check_round(
        &mut self,
        file: &Path,
        round: &Transcript,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let report = transcript::check(round);
        for finding in &report.findings {
            writeln!(out, "{}:{}: {finding}", file.display(), finding.line)?;
        }
        self.unreadable |= report.is_malformed();
        if report.passed() {
            self.passed += 1;
        } else {
            self.failed += 1;
        }
        Ok(())
    }

    fn unreadable_round(
        &mut self,
        file: &Path,
        errors: &[ReadError],
        out: &mut impl Write,
    ) -> io::Result<()> {
        self.unreadable = true;
        self.failed += 1;
        errors.iter().try_for_each(|error| {
            writeln!(out, "{}:{}: {}", file.display(), error.line, error.reason)
        })
    }

    fn unreadable_file(
        &mut self,
        file: &Path,
        sentence: &str,
        out: &mut impl Write,
    ) -> io::Result<()> {
        self.unreadable = true;
        writeln!(out, "{}: {sentence}", file.display())
    }

    fn exit_code(&self) -> ExitCode {
        match (self.unreadable, self.failed) {
            (true, _) => ExitCode::from(BAD_INPUT),
            (false, 0) => ExitCode::SUCCESS,
            (false, _) => ExitCode::FAILURE,
        }
    }
}

/// A file to check, or what cannot be read and why.
type Found = Result<PathBuf, (PathBuf, String)>;

/// The file itself, or every `.round` file below a folder, in order.
fn round_files(path: &Path) -> Vec<Found> {
    if !path.is_dir() {
        return vec![Ok(path.to_owned())];
    }
    let mut found: Vec<Found> = Vec::new();
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let entries = entries.unwrap_or_else(|error| {
            found.push(Err((folder, why(&error))));
            Vec::new()
        });
        for entry in entries {
            let path = entry.path();
            // A linked folder is not followed: it could lead back here.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "round") {
                found.push(Ok(path));
            }
        }
    }
    if found.is_empty() {
        found.push(Err((path.to_owned(), "the folder holds no .round files".to_owned())));
    }
    found.sort();
    found
}

fn why(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "it may not be read".to_owned(),
        _ => format!("it cannot be read: {error}"),
    }
}
