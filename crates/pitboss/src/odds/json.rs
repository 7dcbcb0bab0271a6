//! The report as JSON: the shape of `pitboss odds GAME --json`.

use std::io::{self, Write};

use ::odds::countable::Countable;
pub(crate) use ::odds::simulate::terms;
use ::odds::value::{BetValue, Figure, Method, Outcome};
use ::odds::what_if::WhatIf;
use serde_json::{Map, Value, json};

use super::advice::{Advice, AdviceLine, Grid};
use super::report::Report;
use crate::version;

pub(crate) fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &value(report))?;
    writeln!(out)
}

fn value(report: &Report) -> Value {
    let setting = report.table.setting();
    let mut all = json!({
        "program": version::PROGRAM,
        "rules": version::rules(),
        "game": report.game().name(),
        "terms": terms(report.table.sheet()),
        "cards": report.table.unseen().total(),
        "stake": f64::from(setting.main.get()) / 100.0,
        "bets": report.bets.iter().map(bet).collect::<Vec<_>>(),
    });
    let further = [
        ("chart", report.advice.as_ref().map(advice)),
        ("what_if", report.what_if.as_ref().map(what_if)),
        ("countable", report.countable.as_deref().map(countable)),
    ];
    for (key, part) in further {
        if let Some(part) = part {
            all[key] = part;
        }
    }
    all
}

pub(crate) fn bet(value: &BetValue) -> Value {
    let mut bet = json!({
        "bet": value.bet.name(),
        "policy": value.policy,
        "method": value.method.name(),
        "ev": value.ev,
        "ev_exact": value.ev_exact.as_ref().and_then(|ev| ev.printable()).map(ToString::to_string),
        "sd": value.sd.value,
        "element_of_risk": value.element_of_risk.value,
        "hit_frequency": value.hit_frequency.value,
        "rounds": value.rounds,
        "standard_error": value.standard_error,
        "outcomes": value.outcomes.iter().map(|o| outcome(o, value.method)).collect::<Vec<_>>(),
        "combinations": value.combinations.as_ref().map(ToString::to_string),
    });
    let figures = [
        ("sd", &value.sd),
        ("element_of_risk", &value.element_of_risk),
        ("hit_frequency", &value.hit_frequency),
    ];
    for (name, figure) in figures {
        say_otherwise(&mut bet, name, figure, value.method);
    }
    for (name, number) in &value.figures {
        bet[*name] = json!(number);
    }
    if !value.notes.is_empty() {
        bet["notes"] = json!(value.notes);
    }
    bet
}

/// Says beside a figure that it is of another kind than the expectation.
fn say_otherwise(bet: &mut Value, name: &str, figure: &Figure, method: Method) {
    if figure.method != method {
        bet[format!("{name}_method")] = figure.method.name().into();
        bet[format!("{name}_standard_error")] = json!(figure.standard_error);
    }
}

fn outcome(outcome: &Outcome, method: Method) -> Value {
    let mut value = json!({
        "name": outcome.name,
        "net": outcome.net,
        "probability": outcome.probability,
        "combinations": outcome.combinations.as_ref().map(ToString::to_string),
    });
    if outcome.method != method {
        value["method"] = outcome.method.name().into();
    }
    value
}

fn advice(advice: &Advice) -> Value {
    let line = |line: &AdviceLine| json!({ "when": line.when, "call": line.call.name(), "gain": line.gain, "probability": line.share });
    let grid = |grid: &Grid| {
        let rows = grid.rows.iter().map(|(hand, cells)| {
            let cells = cells.iter().map(|cell| {
                json!({ "call": cell.call.name(), "otherwise": cell.otherwise.map(|c| c.name()) })
            });
            json!({ "hand": hand, "calls": cells.collect::<Vec<_>>() })
        });
        json!({ "title": grid.title, "up": grid.columns, "rows": rows.collect::<Vec<_>>() })
    };
    match advice {
        Advice::Lines(lines) => lines.iter().map(line).collect(),
        Advice::Grids(grids, _) => grids.iter().map(grid).collect(),
    }
}

fn what_if(what_if: &WhatIf) -> Value {
    let lines = what_if.lines.iter().flat_map(|line| {
        line.changes.iter().map(move |change| {
            json!({
                "term": line.term.key,
                "source": line.term.source,
                "from": line.from,
                "to": line.to,
                "bet": change.wager.bet.name(),
                "policy": change.wager.policy,
                "ev": change.ev,
                "change": change.change,
            })
        })
    });
    let keys =
        |terms: &[&rules::terms::Term]| terms.iter().map(|t| t.key.clone()).collect::<Vec<_>>();
    json!({
        "changes": lines.collect::<Vec<_>>(),
        "without_effect": keys(&what_if.idle),
        "amounts": keys(&what_if.amounts),
        "refused": what_if.refused.iter().map(|refused| json!({
            "term": refused.term.key, "to": refused.to, "why": refused.why,
        })).collect::<Vec<_>>(),
    })
}

fn countable(all: &[Countable]) -> Value {
    let one = |countable: &Countable| {
        let ranks = countable.removal.iter().map(|(rank, _)| rank.letter().to_string());
        let removal: Map<_, _> =
            ranks.clone().zip(countable.removal.iter().map(|(_, effect)| json!(effect))).collect();
        let counts = countable.counts.iter().map(|count| {
            let tags: Map<_, _> = ranks.clone().zip(count.tags.iter().map(|t| json!(t))).collect();
            json!({ "tags": tags, "correlation": count.correlation })
        });
        json!({
            "bet": countable.wager.bet.name(),
            "policy": countable.wager.policy,
            "ev": countable.ev,
            "effect_of_removal": removal,
            "counts": counts.collect::<Vec<_>>(),
            "spread_at_cut_card": countable.spread_at_cut_card,
        })
    };
    all.iter().map(one).collect()
}
