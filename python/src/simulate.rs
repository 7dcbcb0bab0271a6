//! Simulations whose results add up exactly.

use std::num::NonZero;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use gpu::CheckedPlayer;
use odds::count::HIGH_LOW;
use odds::setting::Setting;
use odds::simulate::{
    self, PlayedRange, Progress, Ramp, Stop, Strategy, Sums, Supply, Tally, run, run_in_blocks,
};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use rules::terms::TermSheet;
use serde_json::Value;

use crate::input::{self, shown};
use crate::interrupt::interruptible;
use crate::refused::wrong;
use crate::value::{bet_dict, setting};

/// Shoes have numbers up to this one, and no run has more rounds.
const MOST: u64 = 1_000_000_000_000_000_000;
const MOST_THREADS: usize = 1_024;

/// A table, a strategy and a seed: all that a run is, but for its range of shoes.
#[pyclass(module = "pitboss._pitboss", frozen)]
pub(crate) struct Plan {
    plan: Arc<simulate::Plan>,
}

#[pymethods]
impl Plan {
    #[new]
    #[pyo3(signature = (
        game, *, terms=None, strategy=None, chart=None, seed=1, seats=1, fresh=false, side=false,
        stake=None, meter=None, ramp=None,
    ))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn new(
        py: Python<'_>,
        game: &str,
        terms: Option<&Bound<'_, PyDict>>,
        strategy: Option<&str>,
        chart: Option<&str>,
        #[pyo3(from_py_with = input::whole)] seed: u64,
        #[pyo3(from_py_with = input::whole)] seats: u8,
        fresh: bool,
        side: bool,
        stake: Option<&Bound<'_, PyAny>>,
        meter: Option<&Bound<'_, PyAny>>,
        ramp: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Plan> {
        let sheet = input::sheet(game, terms)?;
        let setting = setting(&sheet, stake, meter)?;
        let usual = Strategy::names(sheet.game()).first().copied().unwrap_or_default();
        let name = strategy.unwrap_or(usual);
        let strategy = match chart {
            Some(chart) => {
                Strategy::by_chart(strategy.unwrap_or("chart"), chart.parse().map_err(wrong)?)
            }
            None => {
                let (sheet, word) = (sheet.clone(), name.to_owned());
                let named = interruptible(py, move |_| Strategy::named(&sheet, &word))?;
                named.map_err(|refusal| {
                    wrong(format!("{refusal}, found '{}'", name.escape_debug()))
                })?
            }
        };
        let ramp = ramp.map(read_ramp).transpose()?;
        let plan = planned(sheet, strategy, seed, setting, (seats, fresh, side), ramp)?;
        Ok(Plan { plan: Arc::new(plan) })
    }

    /// Plays the shoes from `first` up to `end`, which is not played.
    fn play(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = input::whole)] first: u64,
        #[pyo3(from_py_with = input::whole)] end: u64,
    ) -> PyResult<Simulation> {
        if first > end || end > MOST {
            return Err(wrong(format!(
                "expected a range of shoes up to {MOST}, found {first} to {end}"
            )));
        }
        if first == end {
            return Ok(self.part(first, (Tally::default(), end)));
        }
        self.run(py, first, None, Some(end - first), None, None, Some(1), false, None)
    }

    /// Plays until the first limit is reached; `tell` hears how far it is.
    #[pyo3(signature = (*, from_shoe=0, rounds=None, shoes=None, seconds=None, error=None, threads=None, gpu=false, tell=None))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn run(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = input::whole)] from_shoe: u64,
        #[pyo3(from_py_with = input::whole_or_none)] rounds: Option<u64>,
        #[pyo3(from_py_with = input::whole_or_none)] shoes: Option<u64>,
        #[pyo3(from_py_with = input::float_or_none)] seconds: Option<f64>,
        #[pyo3(from_py_with = input::float_or_none)] error: Option<f64>,
        #[pyo3(from_py_with = input::whole_or_none)] threads: Option<usize>,
        gpu: bool,
        tell: Option<Py<PyAny>>,
    ) -> PyResult<Simulation> {
        let within = |name: &str, number: u64, least: u64| match (least..=MOST).contains(&number) {
            true => Ok(number),
            false => Err(wrong(format!("expected {name} from {least} to {MOST}, found {number}"))),
        };
        let from = within("from_shoe", from_shoe, 0)?;
        let time = |seconds: f64| {
            Duration::try_from_secs_f64(seconds)
                .map_err(|_| wrong(format!("expected seconds such as 30, found {seconds}")))
        };
        if let Some(error) = error.filter(|error| error.is_nan() || *error <= 0.0) {
            return Err(wrong(format!("expected an error such as 0.0001, found {error}")));
        }
        let stop = Stop {
            rounds: rounds.map(|rounds| within("rounds", rounds, 1)).transpose()?,
            shoes: shoes.map(|shoes| within("shoes", shoes, 1)).transpose()?,
            time: seconds.map(time).transpose()?,
            standard_error: error,
        };
        let cores = || thread::available_parallelism().map_or(1, NonZero::get);
        let threads = threads.unwrap_or_else(cores);
        if !(1..=MOST_THREADS).contains(&threads) {
            return Err(wrong(format!(
                "expected from 1 to {MOST_THREADS} threads, found {threads}"
            )));
        }
        let unit = self.plan.setting().main;
        let mut failure = None;
        let mut hears = |progress: Progress<'_>| {
            let tally = progress.tally;
            let told = Python::attach(|py| {
                py.check_signals()?;
                let Some(tell) = &tell else { return Ok(()) };
                let error = tally.main.standard_error(unit, tally.rounds);
                let mean = tally.main.mean(unit);
                tell.call1(py, (tally.rounds, progress.time.as_secs_f64(), mean, error))?;
                Ok(())
            });
            failure = told.err();
            failure.is_none()
        };
        let (plan, before) = (&*self.plan, (Tally::default(), from));
        let played = py.detach(|| match gpu {
            false => Ok(run(plan, threads, before, stop, &mut hears)),
            true => {
                let mut player = CheckedPlayer::new(plan, from)?;
                let play = |shoes| player.play(plan, shoes);
                let played = run_in_blocks(plan, before, stop, play, &mut hears)?;
                player.check_last(plan, played.1)?;
                Ok(played)
            }
        });
        let played = played.map_err(|refusal: gpu::GpuRefusal| wrong(refusal))?;
        match failure {
            Some(failure) => Err(failure),
            None => Ok(self.part(from, played)),
        }
    }

    /// How the rounds of a shoe go, each as a transcript.
    fn transcripts(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = input::whole)] shoe: u64,
    ) -> PyResult<Vec<String>> {
        if shoe > MOST {
            return Err(wrong(format!("expected a shoe up to {MOST}, found {shoe}")));
        }
        let rounds = py.detach(|| self.plan.transcripts(shoe));
        Ok(rounds.iter().map(ToString::to_string).collect())
    }

    /// What the main wager is worth exactly from a full shoe, where it is played by a chart.
    fn exact_by_chart(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        let plan = Arc::clone(&self.plan);
        interruptible(py, move |_| plan.exact_by_chart())
    }

    /// The run as JSON: only parts of one run add up.
    #[getter]
    fn run_json(&self) -> String {
        self.plan.run().to_string()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let none = PlayedRange { from: 0, next: 0, tally: Tally::default() };
        let state = slf.get().plan.state(&none).to_string();
        Ok((slf.get_type().getattr("from_json")?, (state,)))
    }

    /// The plan of the run that a state belongs to.
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> PyResult<Plan> {
        let state = read(text)?;
        let plan = interruptible(py, move |_| simulate::Plan::of_state(&state))?;
        let plan = plan.map_err(unusable)?;
        Ok(Plan { plan: Arc::new(plan) })
    }

    fn __repr__(&self) -> String {
        let plan = &self.plan;
        let (game, strategy) = (plan.sheet().game(), plan.strategy().name());
        format!("<Plan {game}: {strategy}, seed {}>", plan.seed())
    }
}

impl Plan {
    fn part(&self, from: u64, (tally, next): (Tally, u64)) -> Simulation {
        Simulation { plan: Arc::clone(&self.plan), range: PlayedRange { from, next, tally } }
    }
}

fn planned(
    sheet: TermSheet,
    strategy: Strategy,
    seed: u64,
    setting: Setting,
    (seats, fresh, side): (u8, bool, bool),
    ramp: Option<Ramp>,
) -> PyResult<simulate::Plan> {
    let plan = simulate::Plan::new(sheet, strategy, seed)
        .map_err(wrong)?
        .with_setting(setting)
        .with_supply(if fresh { Supply::Fresh } else { Supply::Shoes })
        .with_side_wagers(side)
        .with_seats(seats)
        .map_err(wrong)?;
    match ramp {
        Some(ramp) => plan.with_ramp(ramp).map_err(wrong),
        None => Ok(plan),
    }
}

/// A ramp as `(base, slope, most)`, perhaps with the weights of a count; by default it is High-Low.
fn read_ramp(given: &Bound<'_, PyAny>) -> PyResult<Ramp> {
    let expected = || {
        wrong(format!(
            "expected a ramp of three numbers such as (1, 2, 8), perhaps with 13 weights, found {}",
            shown(given)
        ))
    };
    let parts: Vec<Bound<'_, PyAny>> = match given.is_instance_of::<PyString>() {
        true => return Err(expected()),
        false => given.extract().map_err(|_| expected())?,
    };
    let (base, slope, most, weights) = match &parts[..] {
        [base, slope, most] => (base, slope, most, None),
        [base, slope, most, weights] => (base, slope, most, Some(weights)),
        _ => return Err(expected()),
    };
    let weights = match weights.filter(|weights| !weights.is_none()) {
        None => HIGH_LOW,
        Some(weights) => weights.extract().map_err(|error: PyErr| {
            let is_too_large = error.is_instance_of::<PyOverflowError>(given.py());
            if is_too_large {
                wrong("expected 13 small weights, from the two to the ace")
            } else {
                error
            }
        })?,
    };
    Ok(Ramp {
        weights,
        base: input::float(base)?,
        slope: input::float(slope)?,
        most: input::whole(most)?,
    })
}

fn read(text: &str) -> PyResult<Value> {
    serde_json::from_str(text).map_err(|error| wrong(format!("this is not JSON: {error}")))
}

/// Whether all sums are at most half of what there is room for, so that two can be added: what was
/// played is, what somebody wrote may not be.
fn is_plausible(tally: &Tally) -> bool {
    let (counts, sums) = (u64::MAX / 2, u128::MAX / 4);
    let is_small = |one: &Sums| {
        let all = one.nets.iter().try_fold((0_u64, 0_u128), |(total, squares), (net, &count)| {
            let square = u128::from(net.unsigned_abs()).pow(2).checked_mul(count.into())?;
            Some((total.checked_add(count)?, squares.checked_add(square)?))
        });
        all.is_some_and(|(total, squares)| total <= counts && squares <= sums)
            && one.staked.unsigned_abs() <= sums
            && one.squares <= sums
    };
    let bettor = &tally.bettor;
    tally.shoes <= counts
        && tally.rounds <= counts
        && [&tally.main, &tally.side, &tally.progressive, &tally.envy].into_iter().all(is_small)
        && bettor.gain.unsigned_abs() <= sums
        && bettor.squares <= sums
        && bettor.wagered.unsigned_abs() <= sums
}

fn unusable(why: simulate::StateRefusal) -> PyErr {
    wrong(format!("the state {why}"))
}

/// What a range of shoes came to. Results of adjoining ranges add up to exactly the whole.
#[pyclass(module = "pitboss", frozen)]
pub(crate) struct Simulation {
    plan: Arc<simulate::Plan>,
    range: PlayedRange,
}

#[pymethods]
impl Simulation {
    /// Reads what `to_json` or `pitboss sim --state` wrote.
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> PyResult<Simulation> {
        let state = read(text)?;
        let read = || {
            let plan = simulate::Plan::of_state(&state)?;
            let range = plan.read_state(&state)?;
            let PlayedRange { from, next, tally } = &range;
            let is_whole = from.checked_add(tally.shoes) == Some(*next) && is_plausible(tally);
            match is_whole {
                true => Ok(Simulation { plan: Arc::new(plan), range }),
                false => Err(simulate::StateRefusal::Damaged),
            }
        };
        py.detach(read).map_err(unusable)
    }

    /// The state of the run, as `pitboss sim --state` writes it.
    fn to_json(&self) -> String {
        format!("{:#}\n", self.plan.state(&self.range))
    }

    /// The plan, to play more of the same run.
    #[getter]
    fn plan(&self) -> Plan {
        Plan { plan: Arc::clone(&self.plan) }
    }

    /// The game.
    #[getter]
    fn game(&self) -> &'static str {
        self.plan.sheet().game().name()
    }

    /// The name of the strategy.
    #[getter]
    fn strategy(&self) -> &str {
        self.plan.strategy().name()
    }

    /// The seed.
    #[getter]
    fn seed(&self) -> u64 {
        self.plan.seed()
    }

    /// The first shoe and the one after the last.
    #[getter]
    fn shoes(&self) -> (u64, u64) {
        (self.range.from, self.range.next)
    }

    /// How many rounds were played.
    #[getter]
    fn rounds(&self) -> u64 {
        self.range.tally.rounds
    }

    /// The mean gain of the main wager, per unit.
    #[getter]
    fn ev(&self) -> f64 {
        self.range.tally.main.mean(self.plan.setting().main)
    }

    /// Its standard deviation.
    #[getter]
    fn sd(&self) -> f64 {
        self.range.tally.main.sd(self.plan.setting().main)
    }

    /// The standard error of the mean.
    #[getter]
    fn standard_error(&self) -> f64 {
        let Tally { main, rounds, .. } = &self.range.tally;
        main.standard_error(self.plan.setting().main, *rounds)
    }

    /// How often each net gain of the main wager came, in cents.
    #[getter]
    fn nets(&self) -> Vec<(i64, u64)> {
        self.range.tally.main.nets.iter().map(|(&net, &count)| (net, count)).collect()
    }

    /// The main wager, in cents.
    #[getter]
    fn unit(&self) -> u32 {
        self.plan.setting().main.get()
    }

    /// What a bettor by the count gained, the sum of the squares, and all first wagers, in cents.
    #[getter]
    fn bettor(&self) -> Option<(i128, u128, i128)> {
        let bettor = self.range.tally.bettor;
        self.plan.ramp().map(|_| (bettor.gain, bettor.squares, bettor.wagered))
    }

    /// Every wager that was played.
    #[getter]
    fn bets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let bets = match self.range.tally.rounds {
            0 => Vec::new(),
            _ => self.plan.bets(&self.range.tally),
        };
        let rows: PyResult<Vec<_>> = bets.iter().map(|bet| bet_dict(py, bet)).collect();
        py.import("pitboss.analysis")?.getattr("bets_of_rows")?.call1((rows?,))
    }

    /// `bets`, `outcomes` or `nets` as a Polars or pandas frame.
    #[pyo3(signature = (of="bets", library="polars"))]
    fn frame<'py>(slf: &Bound<'py, Self>, of: &str, library: &str) -> PyResult<Bound<'py, PyAny>> {
        let analysis = slf.py().import("pitboss.analysis")?;
        analysis.getattr("simulation_frame")?.call1((slf, of, library))
    }

    fn __add__(&self, other: &Bound<'_, PyAny>) -> PyResult<Simulation> {
        let other = other.cast::<Simulation>().map_err(|_| {
            pyo3::exceptions::PyTypeError::new_err("only results of simulations add up")
        })?;
        let other = other.get();
        if !Arc::ptr_eq(&self.plan, &other.plan) && self.plan.run() != other.plan.run() {
            return Err(wrong(
                "these are results of different runs: terms, strategy or seed differ",
            ));
        }
        let (first, second) = match self.range.next == other.range.from {
            true => (self, other),
            false => (other, self),
        };
        if first.range.next != second.range.from {
            let ((a, b), (c, d)) = (self.shoes(), other.shoes());
            return Err(wrong(format!(
                "the shoes do not adjoin: {a} to {b} and {c} to {d}; add ranges in their order"
            )));
        }
        let mut tally = first.range.tally.clone();
        tally.add(&second.range.tally);
        if !is_plausible(&tally) {
            return Err(wrong("these results are too large to be added"));
        }
        let range = PlayedRange { from: first.range.from, next: second.range.next, tally };
        Ok(Simulation { plan: Arc::clone(&self.plan), range })
    }

    fn __radd__(&self, other: &Bound<'_, PyAny>) -> PyResult<Simulation> {
        match other.extract::<i64>() {
            Ok(0) => Ok(Simulation { plan: Arc::clone(&self.plan), range: self.range.clone() }),
            _ => self.__add__(other),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Simulation>().is_ok_and(|other| {
            let other = other.get();
            self.range == other.range && self.plan.run() == other.plan.run()
        })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("from_json")?, (slf.get().to_json(),)))
    }

    fn __repr__(&self) -> String {
        let (from, next) = self.shoes();
        let (game, strategy) = (self.game(), self.strategy());
        match self.rounds() {
            0 => format!("<Simulation {game}, {strategy}: nothing played>"),
            rounds => format!(
                "<Simulation {game}, {strategy}: shoes {from} to {next}, {rounds} rounds, main \
                 {:+.4}% ± {:.4}%>",
                100.0 * self.ev(),
                100.0 * self.standard_error()
            ),
        }
    }
}
