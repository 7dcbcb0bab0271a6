//! `pitboss backup` and `pitboss export`: copies a store, or writes out its logs and books.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::SystemTime;

use clap::Args;
use house::STORE_FILE;
use house::store::files::new_folder;
use house::store::{StoreError, StoreResult, back_up, export, note_backup};

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
moment. The house may be open. A log includes the private cards of a round in
play, but never the order of a shoe in use.";

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
    let data = match with_a_store(data) {
        Ok(data) => data,
        Err(sentence) => return Ok(crate::bad_input(&sentence)),
    };
    if let Err(error) = new_folder(to) {
        return Ok(crate::failed(&format!(
            "the directory {} cannot be used: {error}",
            to.display()
        )));
    }
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let file = to.join(format!("pitboss-{}.db", since.as_millis()));
    match in_runtime(back_up(&data.join(STORE_FILE), &file)) {
        Ok(()) => {
            writeln!(out, "{}", file.display())?;
            // The copy is good without it, and a store can be on a disk that is only read.
            if let Err(error) = in_runtime(note_backup(&data.join(STORE_FILE), &file)) {
                eprintln!(
                    "pitboss: the copy is made, but could not be recorded as an event: {error}"
                );
            }
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => Ok(crate::failed(&error)),
    }
}

/// Prints the names of the files.
pub(crate) fn write_out(arguments: &ExportArguments, out: &mut impl Write) -> io::Result<ExitCode> {
    let ExportArguments { to, data } = arguments;
    let data = match with_a_store(data) {
        Ok(data) => data,
        Err(sentence) => return Ok(crate::bad_input(&sentence)),
    };
    match in_runtime(export(&data.join(STORE_FILE), to)) {
        Ok(files) => {
            files.iter().try_for_each(|file| writeln!(out, "{}", file.display()))?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => Ok(crate::failed(&error)),
    }
}

/// The directory of the store, if it has one.
pub(crate) fn with_a_store(data: &DataFolder) -> Result<PathBuf, String> {
    let data = data.path()?;
    match data.join(STORE_FILE).exists() {
        true => Ok(data),
        false => {
            let data = data.display();
            Err(format!("there is no store in {data}; --data names another directory"))
        }
    }
}

fn in_runtime<T>(work: impl Future<Output = StoreResult<T>>) -> StoreResult<T> {
    let runtime = tokio::runtime::Runtime::new();
    runtime.map_err(|error| StoreError::Failed(error.to_string()))?.block_on(work)
}
