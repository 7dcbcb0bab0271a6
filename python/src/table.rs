//! A table around its rounds.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use rules::notation::Line;
use rules::round::Audience;
use rules::table::{self, Input, TableEvent};
use rules::terms::TermSheet;

use crate::input::{self, bettor, bettor_name, decimal};
use crate::refused::{by_table, by_terms, wrong};
use crate::round::one_transcript;

/// A table of one game: seats, racks, the shuffle, the shoe and one round after the other.
#[pyclass(module = "pitboss")]
#[derive(Clone)]
pub(crate) struct Table {
    table: table::Table,
    inputs: Vec<String>,
}

/// An event in the words of the notation, and the seat that alone may see it.
type ToldEvent = (String, Option<u8>);

impl Table {
    /// Takes an input, or refuses it and stays as it was.
    fn input(&mut self, input: &Input) -> PyResult<Vec<TableEvent>> {
        let mut events = Vec::new();
        let game = self.table.sheet().game();
        let answer = self.table.apply(input, &mut events);
        answer.map_err(|refusal| by_table(refusal, game))?;
        self.inputs.push(input.to_string());
        Ok(events)
    }
}

#[pymethods]
impl Table {
    /// An empty table with these house options.
    #[new]
    #[pyo3(signature = (game, *, terms=None))]
    fn new(game: &str, terms: Option<&Bound<'_, PyDict>>) -> PyResult<Table> {
        let sheet = input::sheet(game, terms)?;
        Ok(Table { table: table::Table::new(sheet), inputs: Vec::new() })
    }

    /// Plays the inputs of a transcript. What it expects is not compared: `check` does.
    #[staticmethod]
    fn from_transcript(text: &str) -> PyResult<Table> {
        let transcript = one_transcript(text)?;
        let game = transcript.game().filter(|_| transcript.is_of_table()).ok_or_else(|| {
            wrong("this is the transcript of a round: Round.from_transcript plays it")
        })?;
        let mut sheet = TermSheet::new(game);
        let mut lines = transcript.lines().peekable();
        while let Some(line) = lines.next() {
            let Line::Terms(terms) = line else { continue };
            let terms = terms.iter().map(|(key, value)| (key.as_str(), value.as_str()));
            let answer = sheet.set(terms);
            if !matches!(lines.peek(), Some(Line::Refused(_))) {
                answer.map_err(|refusal| by_terms(&refusal))?;
            }
        }
        let mut table = Table { table: table::Table::new(sheet), inputs: Vec::new() };
        transcript.table_inputs().iter().try_for_each(|input| table.input(input).map(drop))?;
        Ok(table)
    }

    /// Takes an input as a line of the notation, such as `"sit 3 ann"`, and answers with its events.
    fn take(&mut self, line: &str) -> PyResult<Vec<ToldEvent>> {
        let events = self.input(&line.parse().map_err(wrong)?)?;
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
        let set_up = Line::set_up(self.table.sheet());
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

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let transcript = slf.try_borrow()?.transcript();
        Ok((slf.get_type().getattr("from_transcript")?, (transcript,)))
    }

    fn __eq__(&self, other: &Table) -> bool {
        self.table.sheet() == other.table.sheet() && self.inputs == other.inputs
    }

    fn __repr__(&self) -> String {
        let sheet: &TermSheet = self.table.sheet();
        let seated = self.table.everyone().count();
        format!("<Table {}: {seated} seated, awaits {}>", sheet.game(), self.table.awaits())
    }
}
