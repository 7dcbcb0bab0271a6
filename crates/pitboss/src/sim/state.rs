//! A run saved in a file, to be continued or merged.

use std::fs;
use std::path::{Path, PathBuf};

use odds::simulate::{Plan, PlayedRange, Tally};
use serde_json::Value;

use crate::halt::{Halt, unreadable, unwritable};

pub(super) fn write(
    file: &Path,
    plan: &Plan,
    from: u64,
    (tally, next): &(Tally, u64),
) -> Result<(), Halt> {
    let state = plan.state(&PlayedRange { from, next: *next, tally: tally.clone() });
    // Written aside and then renamed, so that what was known is never lost.
    let mut aside = file.as_os_str().to_owned();
    aside.push(".part");
    let written = fs::write(&aside, format!("{state:#}\n")).and_then(|()| fs::rename(&aside, file));
    written.map_err(|error| unwritable(file, &error).into())
}

/// Reads what was played from a shoe on, with the next one.
pub(super) fn read(file: &Path, plan: &Plan, from: u64) -> Result<(Tally, u64), Halt> {
    let PlayedRange { from: began, next, tally } = read_any(file, plan)?;
    match began == from {
        true => Ok((tally, next)),
        false => {
            let shown = file.display();
            Err(format!("{shown} holds a run that begins with shoe {began}, not {from}").into())
        }
    }
}

/// Adds up runs whose shoes follow each other; answers with the first shoe and what they came to.
pub(super) fn merge(files: &[PathBuf], plan: &Plan) -> Result<(u64, (Tally, u64)), Halt> {
    let mut parts = Vec::new();
    for file in files {
        parts.push((read_any(file, plan)?, file));
    }
    parts.sort_by_key(|(part, _)| part.from);
    let mut all: Option<(u64, (Tally, u64))> = None;
    for (PlayedRange { from, next, tally }, file) in parts {
        let Some((_, whole)) = &mut all else {
            all = Some((from, (tally, next)));
            continue;
        };
        if from != whole.1 {
            let (shown, expected) = (file.display(), whole.1);
            return Err(format!(
                "the runs are not consecutive: {shown} begins with shoe {from}, not {expected}"
            )
            .into());
        }
        whole.0.add(&tally);
        whole.1 = next;
    }
    all.ok_or_else(|| "expected a file to merge".to_owned().into())
}

/// Reads a part of the plan's run.
fn read_any(file: &Path, plan: &Plan) -> Result<PlayedRange, Halt> {
    let text = fs::read_to_string(file).map_err(|error| unreadable(file, &error))?;
    let state: Value = serde_json::from_str(&text).unwrap_or_default();
    plan.read_state(&state).map_err(|why| format!("{} {why}", file.display()).into())
}
