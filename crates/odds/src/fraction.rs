//! Exact rational numbers, as large as they need to be.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Div, Mul, Neg, Sub};

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

/// A rational number in lowest terms.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fraction(BigRational);

impl Fraction {
    /// The most digits of a fraction that is still worth printing.
    pub const PRINTABLE_DIGITS: usize = 60;

    /// `numerator / denominator`; asserts that the denominator is not zero.
    pub fn new(numerator: impl Into<BigInt>, denominator: impl Into<BigInt>) -> Fraction {
        let denominator = denominator.into();
        assert!(!denominator.is_zero());
        Fraction(BigRational::new(numerator.into(), denominator))
    }

    /// Zero.
    pub fn zero() -> Fraction {
        Fraction(BigRational::zero())
    }

    /// A whole number.
    pub fn whole(number: impl Into<BigInt>) -> Fraction {
        Fraction(BigRational::from_integer(number.into()))
    }

    /// The nearest floating-point number.
    pub fn to_f64(&self) -> f64 {
        self.0.to_f64().unwrap_or(f64::NAN)
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        self.0.is_negative()
    }

    /// What stands above the line, without its sign.
    pub fn numerator(&self) -> &BigUint {
        self.0.numer().magnitude()
    }

    /// What stands below the line.
    pub fn denominator(&self) -> &BigUint {
        self.0.denom().magnitude()
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

impl From<i64> for Fraction {
    fn from(number: i64) -> Fraction {
        Fraction::whole(number)
    }
}

/// Forwards an operation on fractions, owned or borrowed.
macro_rules! operation {
    ($($Operation:ident $operation:ident),*) => {$(
        impl $Operation for Fraction {
            type Output = Fraction;
            fn $operation(self, other: Fraction) -> Fraction {
                Fraction(self.0.$operation(other.0))
            }
        }
        impl $Operation<&Fraction> for &Fraction {
            type Output = Fraction;
            fn $operation(self, other: &Fraction) -> Fraction {
                Fraction((&self.0).$operation(&other.0))
            }
        }
    )*};
}

operation!(Add add, Sub sub, Mul mul, Div div);

impl Neg for Fraction {
    type Output = Fraction;
    fn neg(self) -> Fraction {
        Fraction(-self.0)
    }
}

impl Sum for Fraction {
    fn sum<I: Iterator<Item = Fraction>>(terms: I) -> Fraction {
        terms.fold(Fraction::zero(), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_kept_in_lowest_terms() {
        assert_eq!(Fraction::new(6, -4).to_string(), "-3/2");
        assert_eq!(Fraction::new(6, 3).to_string(), "2");
        assert_eq!(Fraction::new(1, 3) + Fraction::new(1, 6), Fraction::new(1, 2));
        assert_eq!(&Fraction::new(1, 3) - &Fraction::new(1, 3), Fraction::zero());
        assert_eq!(-(Fraction::new(1, 3) / Fraction::new(2, 3)), Fraction::new(-1, 2));
        assert_eq!(Fraction::new(1, 3).to_f64(), 1.0 / 3.0);
    }
}
