//! A run saved in a file, to be continued or merged.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use odds::simulate::{CountBettor, Plan, Ramp, Sums, Supply, Tally};
use serde_json::{Value, json};

use crate::halt::{Halt, unreadable, unwritable};
use crate::odds::json::terms;
use crate::version;

/// The format of the file; raised whenever it or the meaning of its numbers changes.
const FORMAT: u64 = 1;

/// Everything that defines a run but its shoes: the file of another run is not continued.
fn run(plan: &Plan) -> Value {
    let setting = plan.setting();
    let (side, progressive) = plan.side_stakes();
    let ramp = plan.ramp().map(|Ramp { weights, base, slope, most }| {
        json!({ "weights": weights, "base": base.to_string(), "slope": slope.to_string(), "most": most })
    });
    json!({
        "game": plan.sheet().game().name(),
        "terms": terms(plan.sheet()),
        "strategy": plan.strategy().name(),
        "chart": plan.strategy().chart().map(ToString::to_string),
        "main": setting.main.get(),
        "side": side.map(|(_, chips)| chips.get()),
        "progressive": progressive.map(|chips| chips.get()),
        "meter": setting.meter.get(),
        "seats": plan.seats(),
        "fresh": plan.supply() == Supply::Fresh,
        "ramp": ramp,
        "seed": plan.seed(),
    })
}

pub(super) fn write(
    file: &Path,
    plan: &Plan,
    from: u64,
    (tally, next): &(Tally, u64),
) -> Result<(), Halt> {
    let state = json!({
        "format": FORMAT,
        "program": version::PROGRAM,
        "rules": version::rules(),
        "run": run(plan),
        "from": from,
        "next_shoe": next,
        "shoes": tally.shoes,
        "rounds": tally.rounds,
        "main": sums(&tally.main),
        "side": sums(&tally.side),
        "progressive": sums(&tally.progressive),
        "envy": sums(&tally.envy),
        "bettor": [
            tally.bettor.gain.to_string(),
            tally.bettor.squares.to_string(),
            tally.bettor.wagered.to_string(),
        ],
    });
    // Written aside and then renamed, so that what was known is never lost.
    let mut aside = file.as_os_str().to_owned();
    aside.push(".part");
    let written = fs::write(&aside, format!("{state:#}\n")).and_then(|()| fs::rename(&aside, file));
    written.map_err(|error| unwritable(file, &error).into())
}

fn sums(sums: &Sums) -> Value {
    let nets: Vec<_> = sums.nets.iter().map(|(net, count)| json!([net, count])).collect();
    json!({ "nets": nets, "staked": sums.staked.to_string(), "squares": sums.squares.to_string() })
}

/// Reads what was played from a shoe on, with the next one.
pub(super) fn read(file: &Path, plan: &Plan, from: u64) -> Result<(Tally, u64), Halt> {
    let (began, tally, next) = read_any(file, plan)?;
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
    parts.sort_by_key(|((from, ..), _)| *from);
    let mut all: Option<(u64, (Tally, u64))> = None;
    for ((from, tally, next), file) in parts {
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

/// Reads a run of this plan: its first shoe, what it came to, and the next shoe.
fn read_any(file: &Path, plan: &Plan) -> Result<(u64, Tally, u64), Halt> {
    let shown = file.display();
    let text = fs::read_to_string(file).map_err(|error| unreadable(file, &error))?;
    let state: Value = serde_json::from_str(&text).unwrap_or_default();
    written_by_this_program(&state).map_err(|why| format!("{shown} {why}"))?;
    if state["run"] != run(plan) {
        return Err(
            format!("{shown} holds another run: its options, strategy or seed differ").into()
        );
    }
    let read = || Some((state["from"].as_u64()?, tally(&state)?));
    let (from, (tally, next)) =
        read().ok_or_else(|| format!("{shown} is damaged: start the run again"))?;
    Ok((from, tally, next))
}

/// Refuses what another program has written, or this one with other rules.
fn written_by_this_program(state: &Value) -> Result<(), String> {
    let (program, rules) = (version::PROGRAM, version::rules());
    let word = |key: &str| state[key].as_str().unwrap_or("an unknown version");
    match state["format"].as_u64() {
        None if state["run"].is_string() => {
            Err("was written by an older version of pitboss: start the run again".to_owned())
        }
        None => Err("was not written by `pitboss sim --state`".to_owned()),
        Some(format) if format != FORMAT => {
            Err(format!("has format {format}, but this program reads format {FORMAT}"))
        }
        Some(_) if word("program") != program || word("rules") != rules => Err(format!(
            "was written by pitboss {} with rules {}, but this is {program} with rules {rules}: \
             start the run again",
            word("program"),
            word("rules")
        )),
        Some(_) => Ok(()),
    }
}

fn tally(state: &Value) -> Option<(Tally, u64)> {
    let bettor = |i: usize| state["bettor"][i].as_str();
    let tally = Tally {
        shoes: state["shoes"].as_u64()?,
        rounds: state["rounds"].as_u64()?,
        main: sums_of(&state["main"])?,
        side: sums_of(&state["side"])?,
        progressive: sums_of(&state["progressive"])?,
        envy: sums_of(&state["envy"])?,
        bettor: CountBettor {
            gain: bettor(0)?.parse().ok()?,
            squares: bettor(1)?.parse().ok()?,
            wagered: bettor(2)?.parse().ok()?,
        },
    };
    Some((tally, state["next_shoe"].as_u64()?))
}

fn sums_of(state: &Value) -> Option<Sums> {
    let net = |pair: &Value| Some((pair[0].as_i64()?, pair[1].as_u64()?));
    let nets: Option<BTreeMap<i64, u64>> = state["nets"].as_array()?.iter().map(net).collect();
    Some(Sums {
        nets: nets?,
        staked: state["staked"].as_str()?.parse().ok()?,
        squares: state["squares"].as_str()?.parse().ok()?,
    })
}
