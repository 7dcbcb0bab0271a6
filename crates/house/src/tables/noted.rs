//! What happens at a table, for whoever runs the house: lines with fields, and no card in them.

use rules::table::{Input, Table};

/// Tells of an input that is in the log now, where it is worth a line: irregularities and what is decided
/// about them weigh most, and a round that is over is for who looks closely.
pub(crate) fn note(table: &str, before: &Table, input: &Input, now: &Table) {
    let round = before.rounds_played() + 1;
    match input {
        Input::Report(report) => {
            let (what, who) = (report.irregularity.kind().name(), &report.by);
            tracing::warn!(table, round, what, %who, "frozen: something went wrong");
        }
        Input::Order { order, by, because, .. } => {
            let why = because.as_ref().map(ToString::to_string).unwrap_or_default();
            let is_frozen = now.reported().is_some();
            tracing::warn!(table, round, what = %order, who = %by, why, is_frozen, "an order");
        }
        Input::Correct { round, transfer, by, because } => {
            let (amount, gave, got) = (transfer.amount, &transfer.from, &transfer.to);
            let what = "correct";
            tracing::warn!(
                table, round, what, who = %by, why = %because, %amount, %gave, %got, "a correction"
            );
        }
        Input::Dealer { name, by } => {
            let who = by.as_ref().unwrap_or(name);
            tracing::info!(table, what = "dealer", %who, dealer = %name, "a dealer comes");
        }
        _ => {}
    }
    if now.rounds_played() > before.rounds_played() {
        tracing::debug!(table, round, "a round is over");
    }
}
