//! The compiled part of the Python package `pitboss`.
//!
//! Nothing here knows a rule: rounds, tables, odds and simulations are those of the crates, and their
//! refusals become exceptions with the sentence and the clause.

mod copies;
mod input;
mod interrupt;
mod papers;
mod refused;
mod round;
mod shoe;
mod simulate;
mod table;
mod value;

use pyo3::prelude::*;

/// Rules, odds and simulator of five casino table games.
#[pymodule]
mod _pitboss {
    #[pymodule_export]
    use crate::copies::Copies;
    #[pymodule_export]
    use crate::papers::{check, rules_json, verify};
    #[pymodule_export]
    use crate::refused::Refused;
    #[pymodule_export]
    use crate::round::Round;
    #[pymodule_export]
    use crate::shoe::Shoe;
    #[pymodule_export]
    use crate::simulate::{Plan, Simulation};
    #[pymodule_export]
    use crate::table::Table;
    #[pymodule_export]
    use crate::value::{Valuation, chart_cells};

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let games = ::rules::Game::ALL.map(|game| game.name());
        module.add("GAMES", games.to_vec())?;
        module.add("CALLS", ::rules::Call::ALL.map(|call| call.name()).to_vec())?;
        module.add("CIRCLES", ::rules::Circle::ALL.map(|circle| circle.name()).to_vec())?;
        module.add("MOST_SEATS", ::rules::wager::MOST_SEATS)?;
        module.add("FIELDS", crate::copies::FIELDS.to_vec())?;
        module.add("__version__", odds::simulate::PROGRAM)?;
        module.add("__rules_version__", ::rules::clause::rules_in_force())
    }
}
