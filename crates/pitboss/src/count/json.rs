//! What was found, as JSON.

use std::io::{self, Write};

use odds::count::{Prospect, STOPS};
use serde_json::{Map, Value, json};

use super::operator::{OperatorStudy, TriedTable};
use super::study::{Study, WagerStudy, chips, depth, money, tags, words_of};
use crate::odds::json::terms;
use crate::version;

pub(super) fn write(value: &Value, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

pub(super) fn study(study: &Study) -> Value {
    let (plan, request) = (&study.request.plan, &study.request);
    let (before, all) = depth(study.sheet());
    let numbers: Map<_, _> =
        tags(&study.count.system).into_iter().map(|(rank, tag)| (rank, json!(tag))).collect();
    let mut value = json!({
        "program": version::PROGRAM,
        "rules": version::rules(),
        "game": study.sheet().game().name(),
        "terms": terms(study.sheet()),
        "strategy": plan.strategy().name(),
        "seats": plan.seats(),
        "seed": plan.seed(),
        "shoes": study.tally.shoes,
        "rounds": study.tally.rounds,
        "interrupted": study.is_interrupted,
        "cards_before_cut_card": before,
        "cards": all,
        "count": {
            "name": study.count.system.name(),
            "tags": numbers,
            "rounding": study.count.rounding.name(),
            "decks_left": study.count.estimate.name(),
        },
        "wagers": study.wagers.iter().map(wager).collect::<Vec<_>>(),
        "betting": betting(study),
    });
    if let Some(found) = &study.indices {
        let play = |play: &odds::count::IndexPlay| {
            let words = words_of(play);
            json!({
                "hand": words.hand,
                "up": words.up,
                "chart": words.usual,
                "better": words.better,
                "index": play.index,
                "from": if play.is_above { "above" } else { "below" },
                "break_even": play.break_even,
                "gain": play.gain,
            })
        };
        value["index_plays"] = found.plays.iter().map(play).collect();
        value["flat_edge_by_chart"] = json!(found.edges[0]);
        value["flat_edge_with_index_plays"] = json!(found.edges[1]);
    }
    if let Some(goal) = request.goal.map(money) {
        let pace = request.pace as f64;
        value["goal"] = json!({
            "amount": goal,
            "hours": study.prospect.rounds_to(goal).map(|rounds| rounds / pace),
            "before_ruin": study.bankroll.map(|b| study.prospect.goal_before_ruin(b, goal)),
        });
    }
    if let Some(trips) = trips(study) {
        value["trips"] = trips;
    }
    value
}

fn wager(wager: &WagerStudy) -> Value {
    let rows = wager.rows.iter().map(|row| {
        let mut value = json!({
            "true_count": row.true_count,
            "rounds": row.rounds,
            "share": row.share,
            "edge": row.edge,
            "standard_error": row.error,
            "sd": row.sd,
        });
        if let Some(meter) = wager.meter {
            let (even, error) = meter.break_even_at(row);
            value["break_even_meter"] = json!(even);
            value["break_even_meter_standard_error"] = json!(error);
        }
        value
    });
    let mut value = json!({
        "bet": wager.bet.name(),
        "unit": chips(wager.unit),
        "correlation": wager.correlation,
        "edge_at_zero": wager.line.at_zero,
        "edge_per_point": wager.line.for_each_point,
        "method": "simulated",
        "rows": rows.collect::<Vec<_>>(),
    });
    if let Some(meter) = wager.meter {
        value["break_even_meter"] = json!(meter.break_even);
    }
    value
}

fn betting(study: &Study) -> Value {
    let (request, prospect) = (&study.request, &study.prospect);
    let pace = request.pace as f64;
    let bets = study.followed().rows.iter().map(|row| {
        json!({ "true_count": row.true_count, "amount": chips(study.bets.at(row.true_count)) })
    });
    let mut value = json!({
        "bet": request.wager.0.name(),
        "least": chips(study.limits.least),
        "most": chips(study.limits.most),
        "sits_out_below": request.wong,
        "bets": bets.collect::<Vec<_>>(),
        "pace": request.pace,
        "kelly": request.kelly,
        "bankroll": study.bankroll,
        "bankroll_is_given": request.bankroll.is_some(),
    });
    merge(&mut value, figures(prospect, pace));
    if let Some(bankroll) = study.bankroll {
        value["risk_of_ruin"] = json!(prospect.ruin(bankroll));
        let equivalent = prospect.certainty_equivalent(bankroll, request.kelly);
        value["certainty_equivalent_per_hour"] = json!(equivalent * pace);
    }
    value
}

fn figures(prospect: &Prospect, pace: f64) -> Value {
    json!({
        "average_bet": prospect.average_bet,
        "rounds_played": prospect.played,
        "gain_per_round": prospect.mean,
        "standard_error": prospect.error,
        "sd_per_round": prospect.sd(),
        "gain_per_hour": prospect.mean * pace,
        "sd_per_hour": prospect.sd() * pace.sqrt(),
        "score": prospect.score(),
        "n0": prospect.n0(),
    })
}

fn merge(value: &mut Value, more: Value) {
    if let (Value::Object(value), Value::Object(more)) = (value, more) {
        value.extend(more);
    }
}

fn trips(study: &Study) -> Option<Value> {
    let (trips, bankroll) = (study.trips.as_ref()?, study.bankroll?);
    let (rounds, prospect) = (study.request.trip_rounds as f64, &study.prospect);
    let (mean, sd) = trips.mean_and_sd();
    let goal = study.request.goal.map(money);
    let quantiles: Map<_, _> = [0.05, 0.25, 0.5, 0.75, 0.95]
        .into_iter()
        .map(|part| (part.to_string(), json!(trips.quantile(STOPS - 1, part))))
        .collect();
    Some(json!({
        "trips": trips.count(),
        "rounds": study.request.trip_rounds,
        "hours": study.request.trip_rounds / study.request.pace,
        "mean": mean,
        "mean_by_formula": prospect.mean * rounds,
        "sd": sd,
        "sd_by_formula": prospect.sd() * rounds.sqrt(),
        "ruined": trips.ruined(),
        "ruined_by_formula": prospect.ruin_within(bankroll, rounds),
        "reached_goal": goal.map(|_| trips.reached()),
        "reached_goal_by_formula": goal.map(|goal| prospect.reaches_within(goal, rounds)),
        "rounds_to_goal": trips.rounds_to_goal(),
        "quantiles": quantiles,
    }))
}

pub(super) fn operator(study: &OperatorStudy<'_>) -> Value {
    let request = study.request;
    let pace = request.pace as f64;
    let tried = |tried: &TriedTable| {
        json!({
            "option": tried.change.as_ref().map(|(key, _)| key),
            "value": tried.change.as_ref().map(|(_, to)| to),
            "cards_before_cut_card": tried.depth.0,
            "cards": tried.depth.1,
            "flat_edge": tried.flat,
            "always": figures(&tried.always, pace),
            "choosy": figures(&tried.choosy, pace),
            "is_stopped": OperatorStudy::is_stopped(&tried.always),
        })
    };
    json!({
        "program": version::PROGRAM,
        "rules": version::rules(),
        "game": request.plan.sheet().game().name(),
        "terms": terms(request.plan.sheet()),
        "strategy": request.plan.strategy().name(),
        "seats": request.plan.seats(),
        "seed": request.plan.seed(),
        "rounds": request.rounds,
        "interrupted": study.is_interrupted,
        "count": study.count,
        "bet": request.wager.0.name(),
        "least": chips(request.wager.1),
        "most": chips(request.most),
        "pace": request.pace,
        "depths": study.depths.iter().map(tried).collect::<Vec<_>>(),
        "options": study.options.iter().map(tried).collect::<Vec<_>>(),
        "verdict": study.verdict(),
    })
}
