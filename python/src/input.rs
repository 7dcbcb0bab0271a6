//! What people pass in from Python: games, terms, bettors, amounts and cards.

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PySequence, PyString};
use rules::card::Card;
use rules::money::Cents;
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, Game, MOST_BETTORS, MOST_SEATS};

use crate::refused::{by_terms, wrong};

pub(crate) fn game(name: &str) -> PyResult<Game> {
    let names = || Game::ALL.map(Game::name).join(", ");
    Game::named(name).ok_or_else(|| {
        wrong(format!("expected a game ({}), found '{}'", names(), name.escape_debug()))
    })
}

/// A value in words; a number may have too many digits to be printed.
pub(crate) fn shown(value: &Bound<'_, PyAny>) -> String {
    value.str().map_or_else(|_| "one too large to print".to_owned(), |text| text.to_string())
}

/// A whole number that is not below zero. One that does not fit is a wrong value, as any other.
pub(crate) fn whole<T>(value: &Bound<'_, PyAny>) -> PyResult<T>
where
    T: TryFrom<u64>,
{
    let number = match value.extract::<u64>() {
        Err(error) if !error.is_instance_of::<PyOverflowError>(value.py()) => return Err(error),
        number => number.ok().and_then(|number| T::try_from(number).ok()),
    };
    number.ok_or_else(|| {
        let most = u64::MAX >> (64 - 8 * size_of::<T>());
        wrong(format!("expected a whole number from 0 to {most}, found {}", shown(value)))
    })
}

/// The same, or `None`.
pub(crate) fn whole_or_none<T>(value: &Bound<'_, PyAny>) -> PyResult<Option<T>>
where
    T: TryFrom<u64>,
{
    if value.is_none() { Ok(None) } else { whole(value).map(Some) }
}

/// One whole number, or a list of them.
pub(crate) fn whole_list<T>(value: &Bound<'_, PyAny>) -> PyResult<Vec<T>>
where
    T: TryFrom<u64>,
{
    if value.is_instance_of::<PyString>() || !value.is_instance_of::<PySequence>() {
        return Ok(vec![whole(value)?]);
    }
    value.try_iter()?.map(|number| whole(&number?)).collect()
}

/// A float. A whole number that is too large for one is infinite.
pub(crate) fn float(value: &Bound<'_, PyAny>) -> PyResult<f64> {
    match value.extract::<f64>() {
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
            Ok(if value.lt(0)? { f64::NEG_INFINITY } else { f64::INFINITY })
        }
        number => number,
    }
}

/// The same, or `None`.
pub(crate) fn float_or_none(value: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
    if value.is_none() { Ok(None) } else { float(value).map(Some) }
}

/// A key of a dictionary, and its value.
type Entry<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

/// What a dictionary holds now: reading a key or a value may run code that changes it.
pub(crate) fn entries<'py>(dictionary: &Bound<'py, PyDict>) -> Vec<Entry<'py>> {
    dictionary.iter().collect()
}

/// The terms of a table; what is not named is the default.
pub(crate) fn sheet(name: &str, terms: Option<&Bound<'_, PyDict>>) -> PyResult<TermSheet> {
    let mut sheet = TermSheet::new(game(name)?);
    let mut choices = Vec::new();
    for (key, value) in terms.into_iter().flat_map(entries) {
        choices.push((key.extract::<String>()?, word(&value)?));
    }
    let choices = choices.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    sheet.set(choices).map_err(|refusal| by_terms(&refusal))?;
    Ok(sheet)
}

/// A value of a term as it is written: `True` is `on`, 6 is `6`, 0.5 is `0.50`.
fn word(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(flag) = value.cast::<PyBool>() {
        Ok(if flag.is_true() { "on" } else { "off" }.to_owned())
    } else if value.is_instance_of::<PyString>() || value.is_instance_of::<PyInt>() {
        Ok(value.str()?.to_string())
    } else {
        // What is no amount either is refused with what the option takes.
        let text = |_| Ok(value.str()?.to_string().escape_debug().to_string());
        amount(value).map(|cents| cents.to_string()).or_else(text)
    }
}

/// An amount of money: 10, 12.5, "12.50" or a `Decimal`.
pub(crate) fn amount(value: &Bound<'_, PyAny>) -> PyResult<Cents> {
    if value.is_instance_of::<PyBool>() {
        return Err(PyTypeError::new_err("expected an amount such as 10 or 12.50, found a bool"));
    }
    let text = match value.cast::<PyFloat>() {
        Ok(number) => in_cents(number.value()).unwrap_or_else(|| number.value().to_string()),
        Err(_) => plain(value)?.str()?.to_string(),
    };
    let read = text.parse::<Cents>();
    read.map_err(|_| {
        wrong(format!("expected an amount such as 10 or 12.50, found '{}'", text.escape_debug()))
    })
}

/// A `Decimal` without an exponent: `1E+2` is 100. Anything else as it is.
fn plain<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let decimal = value.py().import("decimal")?.getattr("Decimal")?;
    // What is far from any amount would be as long as its exponent says.
    let is_short = |value: &Bound<'py, PyAny>| -> PyResult<bool> {
        Ok((-30..30).contains(&value.call_method0("adjusted")?.extract::<i64>()?))
    };
    match value.is_instance(&decimal)? && is_short(value)? {
        true => value.call_method1("__format__", ("f",)),
        false => Ok(value.clone()),
    }
}

/// A float that means a whole number of cents.
fn in_cents(number: f64) -> Option<String> {
    let text = format!("{number:.2}");
    (text.parse() == Ok(number)).then_some(text)
}

/// A bettor: 3, or "3b" behind it.
pub(crate) fn bettor(value: &Bound<'_, PyAny>) -> PyResult<Bettor> {
    let text = value.str()?.to_string();
    let is_number = !value.is_instance_of::<PyBool>() && value.extract::<i64>().is_ok();
    let is_name = is_number || value.is_instance_of::<PyString>();
    let read = Bettor::read(&text).filter(|bettor| is_name && bettor.seat() < MOST_SEATS);
    read.filter(|bettor| bettor.place() < MOST_BETTORS).ok_or_else(|| {
        wrong(format!(
            "expected a seat from 1 to {MOST_SEATS}, or a bettor behind one such as '3b', found '{}'",
            text.escape_debug()
        ))
    })
}

/// The number of a seat, counted from 1.
pub(crate) fn seat_number(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    let number = match value.extract::<usize>() {
        Err(error) if !error.is_instance_of::<PyOverflowError>(value.py()) => return Err(error),
        number => number.ok().filter(|number| (1..=MOST_SEATS).contains(number)),
    };
    let expected = format!("expected a seat from 1 to {MOST_SEATS}");
    number.ok_or_else(|| wrong(format!("{expected}, found {}", shown(value))))
}

/// How a bettor is named in Python: a number, or a word behind a seat.
pub(crate) fn bettor_name<'py>(py: Python<'py>, bettor: Bettor) -> PyResult<Bound<'py, PyAny>> {
    Ok(match bettor.decides() {
        true => (bettor.seat() + 1).into_pyobject(py)?.into_any(),
        false => bettor.to_string().into_pyobject(py)?.into_any(),
    })
}

pub(crate) fn circle(name: &str) -> PyResult<Circle> {
    let names = || Circle::ALL.map(|circle| circle.name()).join(", ");
    Circle::ALL.into_iter().find(|circle| circle.name() == name).ok_or_else(|| {
        wrong(format!("expected a circle ({}), found '{}'", names(), name.escape_debug()))
    })
}

pub(crate) fn card(word: &str) -> PyResult<Card> {
    word.parse().map_err(|why| wrong(format!("{why}; found '{}'", word.escape_debug())))
}

/// Cards as a list of words, or as one text with blanks between them.
pub(crate) fn cards(value: &Bound<'_, PyAny>) -> PyResult<Vec<Card>> {
    match value.cast::<PyString>() {
        Ok(text) => text.to_str()?.split_whitespace().map(card).collect(),
        Err(_) => value.extract::<Vec<String>>()?.iter().map(|word| card(word)).collect(),
    }
}

/// An amount as a `Decimal`.
pub(crate) fn decimal<'py>(py: Python<'py>, amount: Cents) -> PyResult<Bound<'py, PyAny>> {
    py.import("decimal")?.getattr("Decimal")?.call1((amount.to_string(),))
}
