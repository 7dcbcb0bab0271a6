//! A run as JSON: what it is, which shoes have been played, and what they came to.
//!
//! One format for the files of `pitboss sim --state` and for every other program that plays parts of a
//! run: parts that were played elsewhere add up to exactly the whole.

use std::collections::BTreeMap;
use std::fmt;

use rules::clause::rules_in_force;
use rules::money::{Cents, Chips};
use rules::terms::TermSheet;
use rules::wager::Game;
use serde_json::{Map, Value, json};

use super::plan::{Plan, Ramp, Strategy, Supply};
use super::tally::{CountBettor, Sums, Tally};
use crate::setting::Setting;

/// The version of the program that wrote a state.
pub const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// The version of the format; raised whenever it or the meaning of its numbers changes.
const FORMAT: u64 = 1;

/// A consecutive part of a run: its first shoe, the one after its last, and what they came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedRange {
    /// The first shoe.
    pub from: u64,
    /// The first shoe that is not in it.
    pub next: u64,
    /// What its shoes came to.
    pub tally: Tally,
}

/// Why a state is refused. Printed as what follows the name of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateRefusal {
    /// It was written by an older version, in a format without a number.
    OlderVersion,
    /// It is something else.
    NotAState,
    /// The format is not the one that this program reads.
    Format(u64),
    /// It was written by another version of the program or under other rules.
    OtherRules {
        /// The version of the program.
        program: String,
        /// The version of its rules.
        rules: String,
    },
    /// It belongs to another run.
    OtherRun,
    /// A number is missing or cannot be read.
    Damaged,
}

impl fmt::Display for StateRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StateRefusal::OlderVersion => {
                f.write_str("was written by an older version of pitboss: start the run again")
            }
            StateRefusal::NotAState => f.write_str("was not written by `pitboss sim --state`"),
            StateRefusal::Format(format) => {
                write!(f, "has format {format}, but this program reads format {FORMAT}")
            }
            StateRefusal::OtherRules { program, rules } => write!(
                f,
                "was written by pitboss {program} with rules {rules}, but this is {PROGRAM} with \
                 rules {}: start the run again",
                rules_in_force()
            ),
            StateRefusal::OtherRun => {
                f.write_str("holds another run: its options, strategy or seed differ")
            }
            StateRefusal::Damaged => f.write_str("is damaged: start the run again"),
        }
    }
}

impl std::error::Error for StateRefusal {}

/// Every option in force; numbers as numbers.
pub fn terms(sheet: &TermSheet) -> Value {
    let entries = sheet.entries().map(|(term, value)| {
        let number = value.parse::<serde_json::Number>().ok();
        (term.key.clone(), number.map_or_else(|| value.into(), Value::Number))
    });
    Value::Object(entries.collect::<Map<_, _>>())
}

impl Plan {
    /// Everything that defines the run but its shoes: only parts of one run add up.
    pub fn run(&self) -> Value {
        let setting = self.setting();
        let (side, progressive) = self.side_stakes();
        let ramp = self.ramp().map(|Ramp { weights, base, slope, most }| {
            json!({ "weights": weights, "base": base.to_string(), "slope": slope.to_string(), "most": most })
        });
        json!({
            "game": self.sheet().game().name(),
            "terms": terms(self.sheet()),
            "strategy": self.strategy().name(),
            "chart": self.strategy().chart().map(ToString::to_string),
            "main": setting.main.get(),
            "side": side.map(|(_, chips)| chips.get()),
            "progressive": progressive.map(|chips| chips.get()),
            "meter": setting.meter.get(),
            "seats": self.seats(),
            "fresh": self.supply() == Supply::Fresh,
            "ramp": ramp,
            "seed": self.seed(),
        })
    }

    /// A part of the run as JSON.
    pub fn state(&self, PlayedRange { from, next, tally }: &PlayedRange) -> Value {
        json!({
            "format": FORMAT,
            "program": PROGRAM,
            "rules": rules_in_force(),
            "run": self.run(),
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
        })
    }

    /// Reads a part of this run.
    pub fn read_state(&self, state: &Value) -> Result<PlayedRange, StateRefusal> {
        written_by_this_program(state)?;
        if state["run"] != self.run() {
            return Err(StateRefusal::OtherRun);
        }
        played_range(state).ok_or(StateRefusal::Damaged)
    }

    /// The plan of the run that a state belongs to.
    pub fn of_state(state: &Value) -> Result<Plan, StateRefusal> {
        written_by_this_program(state)?;
        let run = &state["run"];
        let plan = plan_of(run).ok_or(StateRefusal::Damaged)?;
        if plan.run() == *run { Ok(plan) } else { Err(StateRefusal::Damaged) }
    }
}

fn plan_of(run: &Value) -> Option<Plan> {
    let mut sheet = TermSheet::new(Game::named(run["game"].as_str()?)?);
    let choices = run["terms"].as_object()?.iter().map(|(key, value)| {
        (key.as_str(), value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    });
    let choices: Vec<_> = choices.collect();
    sheet.set(choices.iter().map(|(key, value)| (*key, value.as_str()))).ok()?;
    let name = run["strategy"].as_str()?;
    let strategy = match run["chart"].as_str() {
        Some(chart) => Strategy::by_chart(name, chart.parse().ok()?),
        None => Strategy::named(&sheet, name).ok()?,
    };
    let chips = |key: &str| Some(Chips::new(u32::try_from(run[key].as_u64()?).ok()?));
    let usual = Setting::of(&sheet).ok()?;
    let main = usual.with_main(&sheet, chips("main")?.into()).ok()?.main;
    let setting = Setting { main, meter: Cents::new(run["meter"].as_i64()?), ..usual };
    let with_side_wagers = !run["side"].is_null() || !run["progressive"].is_null();
    let supply = if run["fresh"].as_bool()? { Supply::Fresh } else { Supply::Shoes };
    let plan = Plan::new(sheet, strategy, run["seed"].as_u64()?)
        .ok()?
        .with_setting(setting)
        .with_supply(supply)
        .with_side_wagers(with_side_wagers)
        .with_seats(u8::try_from(run["seats"].as_u64()?).ok()?)
        .ok()?;
    match &run["ramp"] {
        Value::Null => Some(plan),
        ramp => plan.with_ramp(ramp_of(ramp)?).ok(),
    }
}

fn ramp_of(ramp: &Value) -> Option<Ramp> {
    let number = |key: &str| ramp[key].as_str()?.parse().ok();
    let weights = ramp["weights"].as_array()?.iter();
    let weights = weights.map(|weight| i32::try_from(weight.as_i64()?).ok());
    Some(Ramp {
        weights: weights.collect::<Option<Vec<_>>>()?.try_into().ok()?,
        base: number("base")?,
        slope: number("slope")?,
        most: u8::try_from(ramp["most"].as_u64()?).ok()?,
    })
}

fn sums(sums: &Sums) -> Value {
    let nets: Vec<_> = sums.nets.iter().map(|(net, count)| json!([net, count])).collect();
    json!({ "nets": nets, "staked": sums.staked.to_string(), "squares": sums.squares.to_string() })
}

/// Refuses what another program has written, or this one with other rules.
fn written_by_this_program(state: &Value) -> Result<(), StateRefusal> {
    let word = |key: &str| state[key].as_str().unwrap_or("an unknown version").to_owned();
    let (program, rules) = (word("program"), word("rules"));
    match state["format"].as_u64() {
        None if state["run"].is_string() => Err(StateRefusal::OlderVersion),
        None => Err(StateRefusal::NotAState),
        Some(format) if format != FORMAT => Err(StateRefusal::Format(format)),
        Some(_) if program != PROGRAM || rules != rules_in_force() => {
            Err(StateRefusal::OtherRules { program, rules })
        }
        Some(_) => Ok(()),
    }
}

fn played_range(state: &Value) -> Option<PlayedRange> {
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
    Some(PlayedRange { from: state["from"].as_u64()?, next: state["next_shoe"].as_u64()?, tally })
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

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(game: Game, strategy: &str) -> Plan {
        let sheet = TermSheet::new(game);
        let strategy = Strategy::named(&sheet, strategy).unwrap();
        Plan::new(sheet, strategy, 7).unwrap()
    }

    #[test]
    fn a_run_is_read_back_from_its_state() {
        let ramp = Ramp { weights: [1; 13], base: 1.0, slope: 0.1, most: 8 };
        let plans = [
            plan(Game::CasinoWar, "war").with_side_wagers(true).with_seats(3).unwrap(),
            plan(Game::DoubleDeck, "mimic").with_ramp(ramp).unwrap(),
            plan(Game::DoubleDownStud, "never").with_supply(Supply::Fresh),
        ];
        for plan in plans {
            let part = PlayedRange { from: 3, next: 5, tally: plan.play(3..5) };
            let state = plan.state(&part);
            let state: Value = serde_json::from_str(&state.to_string()).unwrap();
            assert_eq!(plan.read_state(&state), Ok(part.clone()));
            let again = Plan::of_state(&state).unwrap();
            assert_eq!(again.run(), plan.run());
            assert_eq!(again.play(3..5), part.tally);
        }
    }

    #[test]
    fn a_state_of_another_run_is_refused() {
        let (war, surrender) = (plan(Game::CasinoWar, "war"), plan(Game::CasinoWar, "surrender"));
        let state = war.state(&PlayedRange { from: 0, next: 1, tally: war.play(0..1) });
        assert_eq!(surrender.read_state(&state), Err(StateRefusal::OtherRun));
        for key in ["rounds", "main", "bettor", "from"] {
            let mut damaged = state.clone();
            damaged[key] = json!("x");
            assert_eq!(war.read_state(&damaged), Err(StateRefusal::Damaged), "{key}");
        }
        let mut other = state.clone();
        other["run"]["terms"]["decks"] = json!(5);
        assert_eq!(Plan::of_state(&other).err(), Some(StateRefusal::Damaged));
        assert_eq!(Plan::of_state(&json!(3)).err(), Some(StateRefusal::NotAState));
    }
}
