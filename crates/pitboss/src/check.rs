//! `pitboss check`: plays transcripts through the rules.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rules::transcript::{self, ReadError, Transcript};

use crate::BAD_INPUT;
use crate::halt::{LONGEST_TEXT, read_text, unreadable};

const EXAMPLES: &str = "\
Examples:
  pitboss check crates/rules/tests/rounds                    a folder
  pitboss check crates/rules/tests/rounds/free-bet/*.round   several files

Prints one line for each failed expectation (FILE:LINE: expected …, found …),
and finally how many rounds passed and failed. docs/notation.md describes the
notation.

Exit status: 0 all rounds pass, 1 an expectation fails, 2 something cannot be
read.";

/// Plays transcripts through the rules and compares the results with what they expect.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Files in the round notation, or folders with .round files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> io::Result<ExitCode> {
    let out = &mut LenientOutput(out);
    let mut score = Score::default();
    for path in &arguments.files {
        for found in round_files(path) {
            match found {
                Ok(file) => score.check_file(&file, out)?,
                Err(sentence) => score.note_unreadable(&sentence, out)?,
            }
        }
    }
    writeln!(out, "{} passed, {} failed", score.passed, score.failed)?;
    Ok(score.exit_code())
}

/// Output that nobody may be reading any more: the check continues, because its exit status counts.
struct LenientOutput<W>(W);

impl<W: Write> Write for LenientOutput<W> {
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

/// How many rounds passed.
#[derive(Default)]
struct Score {
    passed: usize,
    failed: usize,
    /// Whether anything could not be read or was out of place.
    unreadable: bool,
}

impl Score {
    fn check_file(&mut self, file: &Path, out: &mut impl Write) -> io::Result<()> {
        let text = match read_text(file, LONGEST_TEXT) {
            Ok(text) => text,
            Err(sentence) => return self.note_unreadable(&sentence, out),
        };
        let mut rounds = transcript::read_each(&text).into_iter().peekable();
        if rounds.peek().is_none() {
            return self.unreadable_file(file, "it contains no round", out);
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
        self.note_unreadable(&format!("{}: {sentence}", file.display()), out)
    }

    fn note_unreadable(&mut self, sentence: &str, out: &mut impl Write) -> io::Result<()> {
        self.unreadable = true;
        writeln!(out, "{sentence}")
    }

    fn exit_code(&self) -> ExitCode {
        match (self.unreadable, self.failed) {
            (true, _) => ExitCode::from(BAD_INPUT),
            (false, 0) => ExitCode::SUCCESS,
            (false, _) => ExitCode::FAILURE,
        }
    }
}

/// The file itself, or every `.round` file below a folder, in order; or a sentence about what
/// cannot be read.
fn round_files(path: &Path) -> Vec<Result<PathBuf, String>> {
    if !path.is_dir() {
        return vec![Ok(path.to_owned())];
    }
    let mut found = Vec::new();
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let entries = entries.unwrap_or_else(|error| {
            found.push(Err(unreadable(&folder, &error)));
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
        found.push(Err(format!("{}: the folder has no .round files", path.display())));
    }
    found.sort();
    found
}
