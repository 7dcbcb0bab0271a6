//! `pitboss verify` and `pitboss replay`: checks an exported log, and shows a round of it.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use audit::chain::Head;
use audit::export::ExportReader;
use audit::verify::Verification;
use clap::Args;
use rules::RULES_VERSION;

use crate::BAD_INPUT;
use crate::halt::{LONGEST_TEXT, read_text, unreadable};

const VERIFY_EXAMPLES: &str = "\
Examples:
  pitboss export out
  pitboss verify out/war-1.log
  pitboss verify out/war-1.log --heads heads.txt

Checks that the chain is unbroken, that the rules lead to every event in the
log, that every card is the next one in the order the house committed to, and
that the money balances. In a log written under other rules, everything except
the events is checked.

A head is the number and hash of an entry. The house sends heads to its
players; a head you kept shows whether the log has been rewritten or cut short
since. Without one, verify proves that the log is consistent, not that it is
complete.

Exit status: 0 nothing is wrong, 1 something is, 2 the log cannot be read.";

const REPLAY_EXAMPLES: &str = "\
Examples:
  pitboss replay out/war-1.log 17                        every step of round 17
  pitboss replay out/war-1.log 17 --transcript > r.round
  pitboss check r.round                                  checks it by the rules";

/// Verifies an exported log.
#[derive(Args)]
#[command(after_help = VERIFY_EXAMPLES)]
pub(crate) struct VerifyArguments {
    /// The exported log of a table
    export: PathBuf,
    /// A head you kept; can be repeated
    #[arg(long, value_name = "SEQ:HASH")]
    head: Vec<String>,
    /// A file with one head per line, as SEQ:HASH or TABLE SEQ:HASH
    #[arg(long, value_name = "FILE")]
    heads: Option<PathBuf>,
}

/// Shows one round of an exported log.
#[derive(Args)]
#[command(after_help = REPLAY_EXAMPLES)]
pub(crate) struct ReplayArguments {
    /// The exported log of a table
    export: PathBuf,
    /// The number of the round
    round: String,
    /// Prints the round as a transcript, for `pitboss check`
    #[arg(long)]
    transcript: bool,
}

/// Prints what the log proves.
pub(crate) fn verify(arguments: &VerifyArguments, out: &mut impl Write) -> io::Result<ExitCode> {
    let heads: Result<Vec<Head>, _> = arguments.head.iter().map(|word| word.parse()).collect();
    let Ok(mut heads) = heads else {
        return refuse("expected --head as SEQ:HASH, a number and 64 hexadecimal digits");
    };
    let path = &arguments.export;
    let in_file = |error| format!("{}: {error}", path.display());
    let mut export = match open(path).and_then(|text| ExportReader::new(text).map_err(in_file)) {
        Ok(export) => export,
        Err(sentence) => return refuse(&sentence),
    };
    let table = export.table();
    if let Some(file) = &arguments.heads {
        match read(file).and_then(|kept| heads_in(&kept, Some(table))) {
            Ok(kept) => {
                let kept = kept.into_iter().filter(|(of, _)| of == table);
                let kept: Vec<Head> = kept.map(|(_, head)| head).collect();
                let file = file.display();
                match kept.len() {
                    0 => writeln!(out, "{file} has no heads of {table}, so none are compared")?,
                    1 => writeln!(out, "{file} has one head of {table}")?,
                    heads => writeln!(out, "{file} has {heads} heads of {table}")?,
                }
                heads.extend(kept);
            }
            Err(sentence) => return refuse(&sentence),
        }
    }
    let mut verification = Verification::new(table, &heads);
    let read = export.try_for_each(|entry| entry.map(|entry| verification.take(entry)));
    if let Err(error) = read {
        return refuse(&in_file(error));
    }
    let verdict = verification.finish();
    write!(out, "{verdict}")?;
    Ok(if verdict.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The heads that somebody kept, with their tables: lines of `TABLE SEQ:HASH`, or only `SEQ:HASH` where
/// they can be of one table only. `#` begins a comment.
pub(crate) fn heads_in(text: &str, only: Option<&str>) -> Result<Vec<(String, Head)>, String> {
    let mut heads = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let words: Vec<_> = line.split_whitespace().collect();
        let (of, word) = match (&words[..], only) {
            ([], _) => continue,
            ([word], Some(only)) => (only, *word),
            ([of, word], _) => (*of, *word),
            _ => ("", ""),
        };
        match word.parse() {
            Ok(head) => heads.push((of.to_owned(), head)),
            Err(_) => {
                let number = at + 1;
                let or = if only.is_some() { "SEQ:HASH or " } else { "" };
                return Err(format!("line {number} of the heads: expected {or}TABLE SEQ:HASH"));
            }
        }
    }
    Ok(heads)
}

/// Prints the steps of a round.
pub(crate) fn replay(arguments: &ReplayArguments, out: &mut impl Write) -> io::Result<ExitCode> {
    let Ok(round) = arguments.round.parse() else {
        let found = arguments.round.escape_debug();
        return refuse(&format!("expected the number of a round, found '{found}'"));
    };
    let text = match open(&arguments.export) {
        Ok(text) => text,
        Err(sentence) => return refuse(&sentence),
    };
    match audit::replay(text, round) {
        Ok(replay) if arguments.transcript && replay.written_under.is_some() => {
            let version = replay.written_under.unwrap_or_default();
            return refuse(&format!(
                "round {round} was written under rules {version}, but this program has rules \
                 {RULES_VERSION}; it can be shown, but not as a transcript"
            ));
        }
        Ok(replay) if arguments.transcript => write!(out, "{}", replay.transcript())?,
        Ok(replay) => write!(out, "{replay}")?,
        Err(error) => return refuse(&format!("{}: {error}", arguments.export.display())),
    }
    Ok(ExitCode::SUCCESS)
}

/// A file to be read line by line.
fn open(path: &Path) -> Result<BufReader<File>, String> {
    File::open(path).map(BufReader::new).map_err(|error| unreadable(path, &error))
}

pub(crate) fn read(path: &Path) -> Result<String, String> {
    read_text(path, LONGEST_TEXT)
}

fn refuse(sentence: &str) -> io::Result<ExitCode> {
    eprintln!("pitboss: {sentence}");
    Ok(ExitCode::from(BAD_INPUT))
}
