//! What a run came to, in words and as JSON.

use std::io::{self, Write};

use odds::simulate::{Plan, Tally};
use odds::value::BetValue;
use rules::money::Chips;
use serde_json::{Value, json};

use crate::odds::json as odds_json;
use crate::odds::numbers::units;
use crate::screen::{self, Screen};
use crate::text::grouped;
use crate::version;

/// Half the width of an interval that holds the true mean 99 times in 100, in standard errors.
const NINETY_NINE: f64 = 2.575_829;

/// The running mean of the main wager.
pub(super) fn mean(tally: &Tally, unit: Chips) -> String {
    let error = tally.main.standard_error(unit, tally.rounds);
    format!("{:+.4} % ± {:.4}", 100.0 * tally.main.mean(unit), 100.0 * error)
}

pub(super) fn json(
    plan: &Plan,
    from: u64,
    (tally, next): &(Tally, u64),
    out: &mut impl Write,
) -> io::Result<()> {
    let interval = |value: &BetValue| {
        let half = NINETY_NINE * value.standard_error.unwrap_or_default();
        json!([value.ev - half, value.ev + half])
    };
    let bets = plan.bets(tally);
    let bets = bets.iter().map(|value| {
        let mut bet = odds_json::bet(value);
        bet["interval_99"] = interval(value);
        bet
    });
    let mut all = json!({
        "program": version::PROGRAM,
        "rules": version::rules(),
        "game": plan.sheet().game().name(),
        "terms": odds_json::terms(plan.sheet()),
        "strategy": plan.strategy().name(),
        "seats": plan.seats(),
        "seed": plan.seed(),
        "shoes": [from, next],
        "rounds": tally.rounds,
        "stake": f64::from(plan.setting().main.get()) / 100.0,
        "bets": bets.collect::<Vec<Value>>(),
    });
    if plan.ramp().is_some() {
        all["bettor"] = json!({
            "gain": tally.bettor.gain as f64 / 100.0,
            "wagered": tally.bettor.wagered as f64 / 100.0,
            "gain_per_round": bettor(tally).0,
            "standard_error": bettor(tally).1,
        });
    }
    serde_json::to_writer_pretty(&mut *out, &all)?;
    writeln!(out)
}

/// What the bettor gained in a round on average, in the table's currency, with its standard error.
fn bettor(tally: &Tally) -> (f64, f64) {
    let n = tally.rounds as f64;
    let mean = tally.bettor.gain as f64 / n;
    let variance = tally.bettor.squares as f64 / n - mean * mean;
    (mean / 100.0, (variance / n).sqrt() / 100.0)
}

pub(super) fn in_words(
    plan: &Plan,
    from: u64,
    (tally, next): &(Tally, u64),
    out: &mut impl Write,
) -> io::Result<()> {
    let mut screen = Screen::new(out, screen::is_colourful(), screen::width());
    let game = plan.sheet().game();
    screen.heading(&format!("{}, {}, simulated", game.title(), plan.strategy().name()))?;
    let (rounds, last) = (tally.rounds, next.saturating_sub(1));
    let seats = match plan.seats() {
        1 => "one seat".to_owned(),
        seats => format!("{seats} seats"),
    };
    screen.say(&grouped(&format!(
        "{rounds} rounds with {seats}, shoes {from} to {last} of seed {}.",
        plan.seed()
    )))?;
    for value in &plan.bets(tally) {
        screen.blank()?;
        wager(value, &mut screen)?;
    }
    if plan.ramp().is_some() {
        let (gain, error) = bettor(tally);
        screen.blank()?;
        screen.say(&format!(
            "The bettor by the count gains {gain:+.4} a round, with a standard error of {error:.4}; \
             the wager above is for one unit, whatever was bet."
        ))?;
    }
    Ok(())
}

/// Outcomes that come less often are left to `--json`.
const RARE: f64 = 0.0005;

fn wager(value: &BetValue, screen: &mut Screen<impl Write>) -> io::Result<()> {
    let error = value.standard_error.unwrap_or_default();
    let percent = |part: f64| format!("{:.4} %", 100.0 * part);
    screen.plain(&format!("{}", value.bet))?;
    for (what, number) in [
        ("mean", format!("{:+.4} %", 100.0 * value.ev)),
        ("standard error", percent(error)),
        (
            "99 % interval",
            format!(
                "{:+.4} % to {:+.4} %",
                100.0 * (value.ev - NINETY_NINE * error),
                100.0 * (value.ev + NINETY_NINE * error)
            ),
        ),
        ("standard deviation", format!("{:.4}", value.sd.value)),
        ("element of risk", percent(value.element_of_risk.value)),
        ("wins", percent(value.hit_frequency.value)),
    ] {
        screen.plain(&format!("  {what:<20} {number}"))?;
    }
    for outcome in value.outcomes.iter().filter(|outcome| outcome.probability >= RARE) {
        let share = percent(outcome.probability);
        screen.plain(&format!("  {:>20} {share:>10}", units(outcome.net)))?;
    }
    Ok(())
}
