//! `pitboss backup` and `pitboss export`: copies a store, or writes out its logs and books.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::SystemTime;

use clap::Args;
use house::STORE_FILE;
use house::store::{StoreError, back_up, export};

use crate::serve::DATA;

const BACKUP_EXAMPLES: &str = "\
Examples:
  pitboss backup copies                    ./pitboss-data to a file in ./copies
  pitboss backup copies --data war-store   another store

The house may be open: the copy has everything that was committed when it
began. To restore it, close the house, copy the file over pitboss.db in the
directory of the store, and remove pitboss.db-wal and pitboss.db-shm there.";

const EXPORT_EXAMPLES: &str = "\
Examples:
  pitboss export out                       the logs and books of ./pitboss-data
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
    /// The directory of the store
    #[arg(long, value_name = "DIR", default_value = DATA)]
    data: PathBuf,
}

/// Writes out logs and books.
#[derive(Args)]
#[command(after_help = EXPORT_EXAMPLES)]
pub(crate) struct ExportArguments {
    /// The directory for the files, created if missing
    to: PathBuf,
    /// The directory of the store
    #[arg(long, value_name = "DIR", default_value = DATA)]
    data: PathBuf,
}

/// Prints the name of the copy.
pub(crate) fn backup(arguments: &BackupArguments, out: &mut impl Write) -> io::Result<ExitCode> {
    let BackupArguments { to, data } = arguments;
    if let Some(code) = without_a_store(data) {
        return Ok(code);
    }
    if let Err(error) = std::fs::create_dir_all(to) {
        return Ok(crate::failed(&format!(
            "the directory {} cannot be used: {error}",
            to.display()
        )));
    }
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let file = to.join(format!("pitboss-{}.db", since.as_millis()));
    let done = in_runtime(back_up(&data.join(STORE_FILE), &file))?;
    match done {
        Ok(()) => {
            writeln!(out, "{}", file.display())?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => Ok(crate::failed(&error)),
    }
}

/// Prints the names of the files.
pub(crate) fn write_out(arguments: &ExportArguments, out: &mut impl Write) -> io::Result<ExitCode> {
    let ExportArguments { to, data } = arguments;
    if let Some(code) = without_a_store(data) {
        return Ok(code);
    }
    match in_runtime(export(&data.join(STORE_FILE), to))? {
        Ok(files) => {
            files.iter().try_for_each(|file| writeln!(out, "{}", file.display()))?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => Ok(crate::failed(&error)),
    }
}

/// Refuses a directory that has no store.
fn without_a_store(data: &Path) -> Option<ExitCode> {
    if data.join(STORE_FILE).exists() {
        return None;
    }
    let data = data.display();
    crate::failed(&format!("there is no store in {data}; --data names another directory"));
    Some(ExitCode::from(crate::BAD_INPUT))
}

fn in_runtime<T>(
    work: impl Future<Output = Result<T, StoreError>>,
) -> io::Result<Result<T, StoreError>> {
    Ok(tokio::runtime::Runtime::new()?.block_on(work))
}
