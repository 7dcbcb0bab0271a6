//! The result of a run, in words and as JSON.

use std::io::{self, Write};
use std::time::Duration;

use odds::simulate::{Plan, Tally};
use odds::value::BetValue;
use rules::money::Chips;
use serde_json::{Value, json};

use crate::odds::json as odds_json;
use crate::odds::numbers::{percent, plain, share, units};
use crate::screen::{self, Screen};
use crate::text::{Ink, Text, grouped, with_minus};
use crate::version;

/// Half the width of an interval that contains the true mean 99 times in 100, in standard errors.
const NINETY_NINE: f64 = 2.575_829;

/// The running mean of the main wager.
pub(super) fn mean(tally: &Tally, unit: Chips) -> String {
    let error = tally.main.standard_error(unit, tally.rounds);
    format!("{} ± {:.4}", percent(tally.main.mean(unit)), 100.0 * error)
}

/// How fast rounds were played.
pub(super) fn speed(rounds: u64, time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let rate = rounds as f64 / seconds.max(1e-9) / 1e6;
    grouped(&format!("{rounds} rounds in {seconds:.1} s, {rate:.1} million a second"))
}

/// In which way rounds were played on the processor; the result does not depend on it.
pub(super) fn way(plan: &Plan) -> String {
    match plan.table_usage() {
        None => "played round by round".to_owned(),
        Some(usage) => grouped(&format!(
            "with compiled tables: {} states, {} MB, built in {:.1} s of processor time",
            usage.states,
            usage.bytes.div_ceil(1_000_000),
            usage.build_time.as_secs_f64()
        )),
    }
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

/// The average gain of a bettor by the count in a round, in money, and its standard error.
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
    let title = format!("{}, simulated with the strategy {}", game.title(), plan.strategy().name());
    screen.line(&Text::new().with(Ink::Bold, title))?;
    let rounds = tally.rounds;
    let shoes = match next.saturating_sub(1) {
        last if last > from => format!("shoes {from} to {last}"),
        only => format!("shoe {only}"),
    };
    let seats = match plan.seats() {
        1 => "one seat".to_owned(),
        seats => format!("{seats} seats"),
    };
    screen.say(&format!("{rounds} rounds with {seats}: {shoes} of seed {}.", plan.seed()))?;
    for value in &plan.bets(tally) {
        screen.blank()?;
        wager(value, &mut screen)?;
    }
    if plan.ramp().is_some() {
        let (gain, error) = bettor(tally);
        screen.blank()?;
        let gain = with_minus(&format!("{gain:+.4}"));
        screen.say(&format!(
            "Betting by the count gains {gain} per round, in money, with a standard error of \
             {error:.4}. The figures of the main wager are per unit, whatever was bet."
        ))?;
    }
    Ok(())
}

/// If there are more outcomes than this, those that are rarer are shown together; `--json` has each
/// of them.
const FEW: usize = 12;
const RARE: f64 = 0.0005;

fn wager(value: &BetValue, screen: &mut Screen<impl Write>) -> io::Result<()> {
    let error = value.standard_error.unwrap_or_default();
    let [least, most] =
        [-NINETY_NINE, NINETY_NINE].map(|errors| percent(value.ev + errors * error));
    screen.line(&Text::new().with(Ink::Bold, value.bet.to_string()))?;
    for (what, number) in [
        ("mean", percent(value.ev)),
        ("standard error", share(error)),
        ("99 % interval", format!("{least} to {most}")),
        ("standard deviation", plain(value.sd.value)),
        ("element of risk", share(value.element_of_risk.value)),
        ("wins", share(value.hit_frequency.value)),
    ] {
        screen.plain(&format!("  {what:<20} {number}"))?;
    }
    let mut row = |net: &str, share: &str| screen.plain(&format!("  {net:>18} {share:>12}"));
    row("net gain", "how often")?;
    let are_few = value.outcomes.len() <= FEW;
    let (usual, rare): (Vec<_>, Vec<_>) =
        value.outcomes.iter().partition(|outcome| are_few || outcome.probability >= RARE);
    for outcome in usual {
        row(&units(outcome.net), &share(outcome.probability))?;
    }
    let others = share(rare.iter().map(|outcome| outcome.probability).sum());
    match (rare.last(), rare.first()) {
        (Some(least), Some(most)) => {
            let range = format!("{} to {}", units(least.net), units(most.net));
            row("others", &format!("{others:>12}  ({range})"))
        }
        _ => Ok(()),
    }
}
