//! A shoe to deal from.

use ::rules::shoe;
use odds::simulate::Wyrand;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::input;
use crate::refused::wrong;

/// A shoe with its burn card and cut card, shuffled by a seed.
#[pyclass(module = "pitboss")]
#[derive(Clone)]
pub(crate) struct Shoe {
    shoe: shoe::Shoe,
    numbers: Wyrand,
    game: &'static str,
}

#[pymethods]
impl Shoe {
    /// A shuffled shoe of the cards that the terms ask for; `fresh` leaves the cut card out, so that
    /// the shoe is spent after every round.
    #[new]
    #[pyo3(signature = (game, *, terms=None, seed=1, fresh=false))]
    fn new(
        game: &str,
        terms: Option<&Bound<'_, PyDict>>,
        #[pyo3(from_py_with = input::whole)] seed: u64,
        fresh: bool,
    ) -> PyResult<Shoe> {
        let sheet = input::sheet(game, terms)?;
        let shoe = shoe::Shoe::new(&sheet);
        let mut shoe = if fresh { shoe.without_cut_card() } else { shoe };
        let mut numbers = Wyrand::of(seed, 0);
        shoe.shuffle(&mut numbers);
        Ok(Shoe { shoe, numbers, game: sheet.game().name() })
    }

    /// Shuffles all cards and burns as the book says.
    fn shuffle(&mut self) {
        self.shoe.shuffle(&mut self.numbers);
    }

    /// A round begins: all cards drawn before it are discards. Shuffles first where the shoe is spent,
    /// and says so.
    fn begin_round(&mut self) -> bool {
        let spent = self.shoe.is_spent();
        if spent {
            self.shuffle();
        }
        self.shoe.begin_round();
        spent
    }

    /// The next card.
    fn draw(&mut self) -> PyResult<String> {
        let card = self.shoe.draw(&mut self.numbers);
        card.map(|card| card.to_string()).ok_or_else(|| wrong("every card is on the table"))
    }

    /// How many cards are left.
    #[getter]
    fn left(&self) -> usize {
        self.shoe.left()
    }

    /// Whether the cut card has come out, so that the next round needs a shuffle.
    #[getter]
    fn is_spent(&self) -> bool {
        self.shoe.is_spent()
    }

    /// The cards of a full shoe.
    #[getter]
    fn all_cards(&self) -> Vec<String> {
        self.shoe.new_cards().iter().map(ToString::to_string).collect()
    }

    fn copy(&self) -> Shoe {
        self.clone()
    }

    fn __copy__(&self) -> Shoe {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Shoe {
        self.clone()
    }

    fn __len__(&self) -> usize {
        self.shoe.left()
    }

    fn __repr__(&self) -> String {
        format!("<Shoe {}: {} cards left>", self.game, self.shoe.left())
    }
}
