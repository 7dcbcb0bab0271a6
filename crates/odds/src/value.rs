//! The value of a wager: expectation, spread, and every way in which it can end.

use num_bigint::BigUint;
use rules::round::Act;
use rules::wager::Circle;

use crate::fraction::Fraction;

/// How a number was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// By counting every case.
    Exact,
    /// The number can be reached for certain, and the best play may reach more.
    Bound,
    /// By playing many rounds.
    Simulated,
}

impl Method {
    /// Its name in output.
    pub const fn name(self) -> &'static str {
        match self {
            Method::Exact => "exact",
            Method::Bound => "bound",
            Method::Simulated => "simulated",
        }
    }
}

/// One way in which a wager can end.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// What happened, in a few words.
    pub name: String,
    /// What the bettor gained, in units of the wager's own initial amount.
    pub net: f64,
    /// How often it happens.
    pub probability: f64,
    /// In how many ways it happens, of [`BetValue::combinations`].
    pub combinations: Option<BigUint>,
    /// How the probability was found.
    pub method: Method,
}

/// The value of one wager, played in one way.
#[derive(Clone, Debug, PartialEq)]
pub struct BetValue {
    /// The circle of the wager.
    pub bet: Circle,
    /// The way of playing: `best`, `basic`, `war`, …
    pub policy: String,
    /// How the expectation was found.
    pub method: Method,
    /// The net gain for each unit of the wager's own initial amount.
    pub ev: f64,
    /// The same as a fraction, if it is known as one.
    pub ev_exact: Option<Fraction>,
    /// The standard deviation of the net gain.
    pub sd: Figure,
    /// The expected loss for each unit of all that is staked on the way.
    pub element_of_risk: Figure,
    /// How often the wager ends with a gain.
    pub hit_frequency: Figure,
    /// How many rounds were played, where the expectation is simulated.
    pub rounds: Option<u64>,
    /// The standard error of a simulated expectation.
    pub standard_error: Option<f64>,
    /// Every way in which it can end; the probabilities sum to 1.
    pub outcomes: Vec<Outcome>,
    /// The number of all equally likely ways, of which the outcomes are parts.
    pub combinations: Option<BigUint>,
    /// Further numbers that belong to the wager, such as the break-even of a meter.
    pub figures: Vec<(&'static str, f64)>,
    /// Remarks needed to read the numbers.
    pub notes: Vec<String>,
}

/// A number that may be of another kind than the expectation beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// The number.
    pub value: f64,
    /// How it was found.
    pub method: Method,
    /// The standard error, where it was simulated.
    pub standard_error: Option<f64>,
}

impl Figure {
    /// An exact number.
    pub const fn exact(value: f64) -> Figure {
        Figure { value, method: Method::Exact, standard_error: None }
    }

    /// A simulated number.
    pub const fn simulated(value: f64, standard_error: f64) -> Figure {
        Figure { value, method: Method::Simulated, standard_error: Some(standard_error) }
    }
}

/// What one open act is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct ActValue {
    /// The act.
    pub act: Act,
    /// The expected gain from here to the end of the round, in cents, of all that the bettor still
    /// has at stake or adds.
    pub gain: f64,
    /// The same as a fraction, if it is known as one.
    pub gain_exact: Option<Fraction>,
    /// The most that play which does not look at sibling hands could gain, if `gain` is less.
    pub at_most: Option<f64>,
    /// How it was found: [`Method::Bound`] where `gain` is that of a continuation not known to be
    /// the best of all.
    pub method: Method,
}
