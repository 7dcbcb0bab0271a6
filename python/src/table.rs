//! A table around its rounds.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use rules::round::Audience;
use rules::table::{self, Input};
use rules::terms::TermSheet;

use crate::input::{self, bettor, bettor_name, decimal};
use crate::refused::{by_table, wrong};

/// A table of one game: seats, racks, the shuffle, the shoe and one round after the other.
#[pyclass(module = "pitboss")]
#[derive(Clone)]
pub(crate) struct Table {
    table: table::Table,
    inputs: Vec<String>,
}

/// An event in the words of the notation, and the seat that alone may see it.
type ToldEvent = (String, Option<u8>);

#[pymethods]
impl Table {
    /// An empty table with these house options.
    #[new]
    #[pyo3(signature = (game, *, terms=None))]
    fn new(game: &str, terms: Option<&Bound<'_, PyDict>>) -> PyResult<Table> {
        let sheet = input::sheet(game, terms)?;
        Ok(Table { table: table::Table::new(sheet), inputs: Vec::new() })
    }

    /// Takes an input as a line of the notation, such as `"sit 3 ann"`, and answers with its events.
    fn take(&mut self, line: &str) -> PyResult<Vec<ToldEvent>> {
        let input: Input = line.parse().map_err(wrong)?;
        let mut events = Vec::new();
        let game = self.table.sheet().game();
        let answer = self.table.apply(&input, &mut events);
        answer.map_err(|refusal| by_table(refusal, game))?;
        self.inputs.push(input.to_string());
        let told = events.iter().map(|event| {
            let only = match event.audience() {
                Audience::Everyone => None,
                Audience::Box(seat) => Some(seat + 1),
            };
            (event.to_string(), only)
        });
        Ok(told.collect())
    }

    /// The game.
    #[getter]
    fn game(&self) -> &'static str {
        self.table.sheet().game().name()
    }

    /// What the table waits for, in words.
    #[getter]
    fn awaits(&self) -> String {
        self.table.awaits().to_string()
    }

    /// The calls open to a bettor now.
    fn offers(&self, bettor: &Bound<'_, PyAny>) -> PyResult<Vec<&'static str>> {
        let bettor = input::bettor(bettor)?;
        match self.table.chair(bettor) {
            Some(_) => Ok(self.table.offers(bettor).iter().map(|call| call.name()).collect()),
            None => Ok(Vec::new()),
        }
    }

    /// Who sits where.
    #[getter]
    fn players<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let players = PyDict::new(py);
        for (bettor, chair) in self.table.everyone() {
            players.set_item(bettor_name(py, bettor)?, chair.player.as_str())?;
        }
        Ok(players)
    }

    /// The chips in front of a bettor, where one is seated.
    fn rack<'py>(
        &self,
        py: Python<'py>,
        seat: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let chair = self.table.chair(bettor(seat)?);
        chair.map(|chair| decimal(py, chair.rack)).transpose()
    }

    /// How many rounds are over.
    #[getter]
    fn rounds_played(&self) -> u32 {
        self.table.rounds_played()
    }

    /// The transcript of all inputs so far; `check` plays it again.
    fn transcript(&self) -> String {
        let set_up = rules::notation::Line::set_up(self.table.sheet());
        let set_up = set_up.iter().map(ToString::to_string).chain(["table".to_owned()]);
        let lines: Vec<_> = set_up.chain(self.inputs.iter().cloned()).collect();
        lines.join("\n") + "\n"
    }

    fn copy(&self) -> Table {
        self.clone()
    }

    fn __copy__(&self) -> Table {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Table {
        self.clone()
    }

    fn __repr__(&self) -> String {
        let sheet: &TermSheet = self.table.sheet();
        let seated = self.table.everyone().count();
        format!("<Table {}: {seated} seated, awaits {}>", sheet.game(), self.table.awaits())
    }
}
