//! What wagers and acts are worth.

use ::odds::countable::Removals;
use ::odds::from_here;
use ::odds::game::ValuationRefusal;
use ::odds::position::{Position, PositionRefusal};
use ::odds::setting::Setting;
use ::odds::strategy::{Chart, Page, letter_of, shown_values};
use ::odds::unseen::Unseen;
use ::odds::value::{ActValue, BetValue, Figure, amount_of};
use ::odds::what_if::{Trials, TriedValue};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rules::card::Card;
use rules::games::AnyRound;
use rules::wager::Bettor;

use crate::input::{self, amount, cards};
use crate::interrupt::{Stopped, interruptible};
use crate::refused::{by_round, wrong};
use crate::round::{Round, chosen_terms};

/// A table whose wagers are valued exactly.
#[pyclass(module = "pitboss._pitboss", frozen)]
pub(crate) struct Valuation {
    table: ::odds::Valuation,
    seen: Vec<Card>,
}

#[pymethods]
impl Valuation {
    #[new]
    #[pyo3(signature = (game, *, terms=None, stake=None, meter=None, others=None, seen=None))]
    fn new(
        game: &str,
        terms: Option<&Bound<'_, PyDict>>,
        stake: Option<&Bound<'_, PyAny>>,
        meter: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = input::whole_or_none)] others: Option<u8>,
        seen: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Valuation> {
        let sheet = input::sheet(game, terms)?;
        let setting = setting(&sheet, stake, meter)?;
        let setting = match others {
            Some(others) => setting.with_others(&sheet, others).map_err(wrong)?,
            None => setting,
        };
        let table = ::odds::Valuation::new(sheet).map_err(wrong)?.with_setting(setting);
        let seen = seen.map(cards).transpose()?.unwrap_or_default();
        Ok(Valuation { table: table.without(&seen).map_err(wrong)?, seen })
    }

    /// What every open act of a position in words is worth.
    fn value<'py>(&self, py: Python<'py>, position: &str) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let seen: String = self.seen.iter().map(|card| format!(" {card}")).collect();
        let words = match seen.is_empty() {
            true => position.to_owned(),
            false => format!("{position}; seen{seen}"),
        };
        let refused = |refusal| match refusal {
            PositionRefusal::Refused(game, refusal) => by_round(refusal, game),
            other => wrong(other),
        };
        let (sheet, setting) = (self.table.sheet(), self.table.setting());
        let position = Position::read_with(sheet, Some(setting), &words).map_err(refused)?;
        let (round, bettor) = (*position.round(), position.bettor());
        let values = interruptible(py, move |_| position.values())?.map_err(wrong)?;
        act_dicts(py, &round, bettor, &values)
    }

    /// Every wager by each strategy.
    fn bets<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let table = self.table.clone();
        let bets = interruptible(py, move |_| table.bets())?;
        bets.iter().map(|bet| bet_dict(py, bet)).collect()
    }

    /// The chart of a blackjack as text.
    fn chart(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let table = self.table.clone();
        interruptible(py, move |_| table.chart().map(|chart| chart.to_string()))
    }

    /// What other values of the options do: one row for each change.
    fn what_if<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let table = self.table.clone();
        let lines = interruptible(py, move |stopped| tried(&table, stopped))?;
        let changes = lines.iter().flat_map(|line| line.changes.iter().map(move |c| (line, c)));
        changes
            .map(|(line, change)| {
                let row = PyDict::new(py);
                row.set_item("term", &line.term.key)?;
                row.set_item("source", &line.term.source)?;
                row.set_item("from_", &line.from)?;
                row.set_item("to", &line.to)?;
                row.set_item("bet", change.wager.bet.name())?;
                row.set_item("policy", &change.wager.policy)?;
                row.set_item("ev", change.ev)?;
                row.set_item("change", change.change)?;
                Ok(row)
            })
            .collect()
    }

    /// The effect of removing one card of each rank, and the best counts.
    fn countable<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let table = self.table.clone();
        let found = interruptible(py, move |stopped| {
            let mut removals = Removals::new(&table);
            while !stopped.is_set() && removals.step().is_some() {}
            removals.counted()
        })?;
        found
            .iter()
            .map(|one| {
                let letter = |rank: rules::card::Rank| rank.letter().to_string();
                let removal = PyDict::new(py);
                for (rank, effect) in &one.removal {
                    removal.set_item(letter(*rank), effect)?;
                }
                let counts = one.counts.iter().map(|count| {
                    let tags = PyDict::new(py);
                    for ((rank, _), tag) in one.removal.iter().zip(&count.tags) {
                        tags.set_item(letter(*rank), tag)?;
                    }
                    Ok((tags, count.correlation))
                });
                let row = PyDict::new(py);
                row.set_item("bet", one.wager.bet.name())?;
                row.set_item("policy", &one.wager.policy)?;
                row.set_item("ev", one.ev)?;
                row.set_item("removal", removal)?;
                row.set_item("counts", counts.collect::<PyResult<Vec<_>>>()?)?;
                row.set_item("spread_at_cut_card", one.spread_at_cut_card)?;
                Ok(row)
            })
            .collect()
    }

    /// The options that differ from the defaults.
    #[getter]
    fn terms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        chosen_terms(py, self.table.sheet())
    }

    /// The main wager, in money.
    #[getter]
    fn stake<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        input::decimal(py, self.table.setting().main.into())
    }
}

/// What other values of the options do, as far as that is still wanted.
fn tried(table: &::odds::Valuation, stopped: &Stopped) -> Vec<TriedValue> {
    let trials = Trials::new(table).take_while(|_| !stopped.is_set());
    trials.filter_map(|trial| trial.found.ok().flatten()).collect()
}

/// The usual amounts at a table, or those given.
pub(crate) fn setting(
    sheet: &rules::terms::TermSheet,
    stake: Option<&Bound<'_, PyAny>>,
    meter: Option<&Bound<'_, PyAny>>,
) -> PyResult<Setting> {
    let mut setting = Setting::of(sheet).map_err(wrong)?;
    if let Some(stake) = stake {
        setting = setting.with_main(sheet, amount(stake)?).map_err(wrong)?;
    }
    if let Some(meter) = meter {
        setting = setting.with_meter(sheet, amount(meter)?).map_err(wrong)?;
    }
    Ok(setting)
}

/// The value of a wager as a dictionary.
pub(crate) fn bet_dict<'py>(py: Python<'py>, value: &BetValue) -> PyResult<Bound<'py, PyDict>> {
    let bet = PyDict::new(py);
    bet.set_item("bet", value.bet.name())?;
    bet.set_item("policy", &value.policy)?;
    bet.set_item("method", value.method.name())?;
    bet.set_item("ev", value.ev)?;
    let exact = value.ev_exact.as_ref().and_then(|ev| ev.printable()).map(ToString::to_string);
    bet.set_item("ev_exact", exact)?;
    bet.set_item("sd", value.sd.value)?;
    bet.set_item("element_of_risk", value.element_of_risk.value)?;
    bet.set_item("hit_frequency", value.hit_frequency.value)?;
    bet.set_item("rounds", value.rounds)?;
    bet.set_item("standard_error", value.standard_error)?;
    let simulated = PyDict::new(py);
    let figures = [
        ("sd", value.sd),
        ("element_of_risk", value.element_of_risk),
        ("hit_frequency", value.hit_frequency),
    ];
    for (name, Figure { method, standard_error, .. }) in figures {
        if method != value.method {
            simulated.set_item(name, standard_error)?;
        }
    }
    bet.set_item("simulated_figures", simulated)?;
    let outcomes = value.outcomes.iter().map(|outcome| {
        let ways = outcome.combinations.as_ref().map(ToString::to_string);
        (outcome.name.clone(), outcome.net, outcome.probability, ways)
    });
    bet.set_item("outcomes", outcomes.collect::<Vec<_>>())?;
    let figures = PyDict::new(py);
    for (name, number) in &value.figures {
        figures.set_item(name, number)?;
    }
    bet.set_item("figures", figures)?;
    bet.set_item("notes", &value.notes)?;
    Ok(bet)
}

/// What every open act of a bettor is worth.
pub(crate) fn values_of_acts<'py>(
    py: Python<'py>,
    round: &Round,
    bettor: Bettor,
    seen: Option<&Bound<'py, PyAny>>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let sheet = round.sheet();
    let mut unseen = Unseen::full(sheet);
    let gone = |refusal| wrong(ValuationRefusal::NoSuchCard(sheet.game(), refusal));
    for card in seen.map(cards).transpose()?.unwrap_or_default() {
        unseen.remove(card).map_err(gone)?;
    }
    let unseen = unseen.after(round.noted(), bettor.seat()).map_err(gone)?;
    let (sheet, any) = (sheet.clone(), *round.any());
    let values = interruptible(py, move |_| from_here(&sheet, &any, bettor, &unseen))?;
    act_dicts(py, round.any(), bettor, &values.map_err(wrong)?)
}

/// The values of acts as dictionaries.
fn act_dicts<'py>(
    py: Python<'py>,
    round: &AnyRound,
    bettor: Bettor,
    values: &[ActValue],
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let row = |value: &ActValue| {
        let row = PyDict::new(py);
        row.set_item("call", value.act.call().name())?;
        let added = amount_of(round, bettor, value.act);
        row.set_item("amount", added.map(|added| input::decimal(py, added)).transpose()?)?;
        row.set_item("gain", value.gain / 100.0)?;
        let exact = value.gain_exact.as_ref().and_then(|gain| gain.printable());
        row.set_item("gain_exact_cents", exact.map(ToString::to_string))?;
        row.set_item("at_most", value.at_most.map(|most| most / 100.0))?;
        row.set_item("method", value.method.name())?;
        let prospects = value.prospects.map(|all| (all.win, all.push, all.lose));
        row.set_item("prospects", prospects)?;
        Ok(row)
    };
    values.iter().map(row).collect()
}

/// A field of a chart: page, table, hand, up card and letters.
type ChartCell = (String, String, String, char, String);

/// The fields of a chart: page, table, hand, up card and letters in order of preference.
#[pyfunction]
pub(crate) fn chart_cells(text: &str) -> PyResult<Vec<ChartCell>> {
    let chart: Chart = text.parse().map_err(wrong)?;
    let mut cells = Vec::new();
    for &page in Page::of(chart.game()) {
        for &table in page.tables() {
            for row in table.rows() {
                for up in shown_values() {
                    let letters = chart.choice(page, row, up).to_string();
                    let (page, table) = (page.name().to_owned(), table.name().to_owned());
                    cells.push((page, table, row.name(), letter_of(up), letters));
                }
            }
        }
    }
    Ok(cells)
}
