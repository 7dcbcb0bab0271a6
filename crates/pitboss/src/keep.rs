//! `pitboss backup` and `pitboss export`: a store copied, and its logs and books written out.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::SystemTime;

use clap::Args;
use house::STORE_FILE;
use house::store::{StoreError, back_up, export};

use crate::serve::DATA;

const BACKUP_EXAMPLES: &str = "\
Examples:
  pitboss backup copies                      copies ./pitboss-data into a new file in copies
  pitboss backup copies --data war-store     another store

The house may be open meanwhile: the copy has all that was committed when it began. To go back to it, close
the house, and put the file into the directory of the store as pitboss.db, without pitboss.db-wal and
pitboss.db-shm beside it.";

const EXPORT_EXAMPLES: &str = "\
Examples:
  pitboss export out                         the logs and books of ./pitboss-data
  pitboss verify out/war-1.log               proves one of them

It writes TABLE.log for every table, accounts.csv and transfers.csv, all of one moment; the house may be open
meanwhile. A log that is made so also has the cards of a round in play; the order of a shoe in use is in none.";

/// Copies a store.
#[derive(Args)]
#[command(after_help = BACKUP_EXAMPLES)]
pub(crate) struct BackupArguments {
    /// The directory of the copy, which is made where there is none
    to: PathBuf,
    /// The directory of the store
    #[arg(long, value_name = "DIR", default_value = DATA)]
    data: PathBuf,
}

/// Writes out logs and books.
#[derive(Args)]
#[command(after_help = EXPORT_EXAMPLES)]
pub(crate) struct ExportArguments {
    /// The directory of the files, which is made where there is none
    to: PathBuf,
    /// The directory of the store
    #[arg(long, value_name = "DIR", default_value = DATA)]
    data: PathBuf,
}

/// Answers with the file of the copy.
pub(crate) fn backup(arguments: &BackupArguments, out: &mut impl Write) -> io::Result<ExitCode> {
    let BackupArguments { to, data } = arguments;
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

/// Answers with the files.
pub(crate) fn write_out(arguments: &ExportArguments, out: &mut impl Write) -> io::Result<ExitCode> {
    let ExportArguments { to, data } = arguments;
    match in_runtime(export(&data.join(STORE_FILE), to))? {
        Ok(files) => {
            files.iter().try_for_each(|file| writeln!(out, "{}", file.display()))?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => Ok(crate::failed(&error)),
    }
}

fn in_runtime<T>(
    work: impl Future<Output = Result<T, StoreError>>,
) -> io::Result<Result<T, StoreError>> {
    Ok(tokio::runtime::Runtime::new()?.block_on(work))
}
