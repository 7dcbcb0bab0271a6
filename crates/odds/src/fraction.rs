//! Exact rational numbers, as large as they need to be.

use std::fmt;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};

/// A rational number in lowest terms.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fraction(pub(crate) BigRational);

impl Fraction {
    /// The most digits of a fraction that is still worth printing.
    pub const PRINTABLE_DIGITS: usize = 60;

    /// `numerator / denominator`; panics where the denominator is zero.
    pub fn new(numerator: impl Into<BigInt>, denominator: impl Into<BigInt>) -> Fraction {
        Fraction(BigRational::new(numerator.into(), denominator.into()))
    }

    /// The nearest floating-point number.
    pub fn to_f64(&self) -> f64 {
        self.0.to_f64().unwrap_or(f64::NAN)
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        self.0.is_negative()
    }

    /// Whether it is above zero.
    pub fn is_positive(&self) -> bool {
        self.0.is_positive()
    }

    /// Itself, where it is short enough to print.
    pub fn printable(&self) -> Option<&Fraction> {
        (self.to_string().len() <= Self::PRINTABLE_DIGITS).then_some(self)
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
