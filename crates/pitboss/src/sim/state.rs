//! A run kept in a file, to be gone on with.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use odds::simulate::{Bettor, Plan, Sums, Tally};
use serde_json::{Value, json};

use crate::halt::Halt;

/// What a run is but for its shoes, in one line: a file of another run is not gone on with.
fn name(plan: &Plan) -> String {
    let terms: Vec<String> =
        plan.sheet().entries().map(|(term, value)| format!("{}={value}", term.key)).collect();
    format!(
        "{} {} strategy {:?} setting {:?} seats {} supply {:?} side {:?} ramp {:?} seed {}",
        plan.sheet().game(),
        terms.join(" "),
        plan.strategy(),
        plan.setting(),
        plan.seats(),
        plan.supply(),
        plan.side_stakes(),
        plan.ramp(),
        plan.seed(),
    )
}

pub(super) fn write(
    file: &Path,
    plan: &Plan,
    from: u64,
    (tally, next): &(Tally, u64),
) -> Result<(), Halt> {
    let state = json!({
        "run": name(plan),
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
    written.map_err(|error| format!("could not write {}: {error}", file.display()).into())
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
            Err(format!("expected a run from shoe {from} on in {shown}: it begins at {began}")
                .into())
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
                "expected runs that follow each other: {shown} begins at shoe {from}, not {expected}"
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
    let text = fs::read_to_string(file).map_err(|error| format!("{shown}: {error}"))?;
    let state: Value = serde_json::from_str(&text)
        .map_err(|_| format!("expected the state of a run in {shown}"))?;
    if state["run"].as_str() != Some(&name(plan)) {
        return Err(format!(
            "expected the state of this run in {shown}: it has another table, strategy or seed"
        )
        .into());
    }
    let read = || Some((state["from"].as_u64()?, tally(&state)?));
    let (from, (tally, next)) = read().ok_or_else(|| format!("expected whole sums in {shown}"))?;
    Ok((from, tally, next))
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
        bettor: Bettor {
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
