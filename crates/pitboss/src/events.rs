//! `pitboss events`: what a house has kept of its significant events.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Args;
use house::store::{EventRow, events};
use serde_json::json;

use crate::data_folder::DataFolder;
use crate::keep::refused;

const EXAMPLES: &str = "\
Examples:
  pitboss events                           the events of the store
  pitboss events --after 500 --json        those after number 500, one JSON
                                           object per line

Prints sign-ins of staff, lock-outs, starts, configuration changes, backups,
and what operators and supervisors did, oldest first. The house may be open.";

/// How many events are read at a time.
const AT_A_TIME: u32 = 500;

/// Lists the events of a house.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    data: DataFolder,
    /// Only events after this number
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    after: i64,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
}

/// Prints the events, the first one first.
pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> io::Result<ExitCode> {
    let Arguments { data, after, json } = arguments;
    let store = match data.existing_store() {
        Ok(store) => store,
        Err(sentence) => return Ok(crate::bad_input(&sentence)),
    };
    let runtime = tokio::runtime::Runtime::new()?;
    let mut after = *after;
    loop {
        let page = match runtime.block_on(events(&store, after, AT_A_TIME)) {
            Ok(page) => page,
            Err(error) => return Ok(refused(&error)),
        };
        let Some(last) = page.last() else { return Ok(ExitCode::SUCCESS) };
        after = last.id;
        for event in &page {
            writeln!(out, "{}", if *json { as_json(event) } else { in_words(event) })?;
        }
    }
}

fn as_json(EventRow { id, at, who, what, whom, more }: &EventRow) -> String {
    json!({ "id": id, "at": at, "who": who, "what": what, "whom": whom, "more": more }).to_string()
}

fn in_words(EventRow { id, at, who, what, whom, more }: &EventRow) -> String {
    let mut line = format!("{id} {} {what} by {who}", house::in_universal_time(*at));
    if let Some(whom) = whom.as_ref().filter(|whom| *whom != who) {
        line += &format!(", {whom}");
    }
    if !more.is_empty() {
        line += &format!(": {more}");
    }
    line
}
