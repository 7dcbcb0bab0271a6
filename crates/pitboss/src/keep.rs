//! `pitboss backup` and `pitboss export`: copies a store, or writes out its logs and books.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::SystemTime;

use clap::Args;
use house::store::files::new_folder;
use house::store::{Address, StoreError, StoreResult, back_up, export, note_backup};

use crate::data_folder::DataFolder;

const BACKUP_EXAMPLES: &str = "\
Examples:
  pitboss backup copies                    a copy of the store in ./copies
  pitboss backup copies --data war-store   another store

The house may be open: the copy has everything that was committed when the
backup began. To restore it, close the house, copy the file over pitboss.db in
the directory of the store, and remove pitboss.db-wal and pitboss.db-shm there.";

const EXPORT_EXAMPLES: &str = "\
Examples:
  pitboss export out                       the logs and books of the store
  pitboss verify out/war-1.log             verifies one of the logs

Writes TABLE.log for every table, accounts.csv and transfers.csv, all as of one
moment. The house may be open. Private cards of a round in play stay private,
and so does the order of a shoe in use.";

/// Copies a store.
#[derive(Args)]
#[command(after_help = BACKUP_EXAMPLES)]
pub(crate) struct BackupArguments {
    /// The directory for the copy, created if missing
    to: PathBuf,
    #[command(flatten)]
    data: DataFolder,
}

/// Writes out logs and books.
#[derive(Args)]
#[command(after_help = EXPORT_EXAMPLES)]
pub(crate) struct ExportArguments {
    /// The directory for the files, created if missing
    to: PathBuf,
    #[command(flatten)]
    data: DataFolder,
}

/// Prints the name of the copy.
pub(crate) fn backup(arguments: &BackupArguments, out: &mut impl Write) -> io::Result<ExitCode> {
    let BackupArguments { to, data } = arguments;
    let store = match data.existing_store() {
        Ok(store) => store,
        Err(sentence) => return Ok(crate::bad_input(&sentence)),
    };
    let store = match store {
        Address::File(file) => file,
        server => {
            let refusal = in_runtime(back_up(server, to));
            return Ok(refusal.err().map_or(ExitCode::SUCCESS, |error| refused(&error)));
        }
    };
    if let Err(error) = new_folder(to) {
        return Ok(crate::failed(&format!(
            "the directory {} cannot be used: {error}",
            to.display()
        )));
    }
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let file = to.join(format!("pitboss-{}.db", since.as_millis()));
    match in_runtime(back_up(&store, &file)) {
        Ok(()) => {
            writeln!(out, "{}", file.display())?;
            // The copy is good without it, and a store can be on a disk that is only read.
            if let Err(error) = in_runtime(note_backup(&store, &file)) {
                eprintln!(
                    "pitboss: the copy is made, but could not be recorded as an event: {error}"
                );
            }
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => Ok(refused(&error)),
    }
}

/// Prints the names of the files.
pub(crate) fn write_out(arguments: &ExportArguments, out: &mut impl Write) -> io::Result<ExitCode> {
    let ExportArguments { to, data } = arguments;
    let store = match data.existing_store() {
        Ok(store) => store,
        Err(sentence) => return Ok(crate::bad_input(&sentence)),
    };
    match in_runtime(export(&store, to)) {
        Ok(files) => {
            files.iter().try_for_each(|file| writeln!(out, "{}", file.display()))?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => Ok(refused(&error)),
    }
}

/// What is wrong with a store: what was asked for, or the store itself.
pub(crate) fn refused(error: &StoreError) -> ExitCode {
    match error {
        StoreError::Unsuitable(_) => crate::bad_input(error),
        error => crate::failed(error),
    }
}

fn in_runtime<T>(work: impl Future<Output = StoreResult<T>>) -> StoreResult<T> {
    let runtime = tokio::runtime::Runtime::new();
    runtime.map_err(|error| StoreError::Failed(error.to_string()))?.block_on(work)
}
