//! Counts of every way in which the cards can fall.

use std::collections::BTreeMap;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use rules::money::{Cents, Chips};
use rules::wager::Circle;

use crate::fraction::Fraction;
use crate::value::{BetValue, Figure, Method, Outcome};

/// The possible results of a wager, each with the number of ways to get it.
#[derive(Clone, Debug)]
pub(crate) struct Cases {
    /// The wager's own initial amount.
    stake: Chips,
    /// How many cards there are to draw from.
    cards: u32,
    /// How many are drawn in the longest case.
    drawn: u32,
    ways: BTreeMap<Case, BigUint>,
}

/// One result of a wager; the best net gain sorts first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Case {
    loss: i64,
    name: String,
    staked: i64,
}

impl Cases {
    /// No cases yet, for a wager of `stake` decided by up to `drawn` of `cards` cards.
    pub(crate) fn new(stake: Chips, cards: u32, drawn: u32) -> Cases {
        Cases { stake, cards, drawn, ways: BTreeMap::new() }
    }

    /// Adds the ways of a case that draws `drawn` cards.
    pub(crate) fn add(
        &mut self,
        name: impl Into<String>,
        (net, staked): (Cents, Cents),
        ways: impl Into<BigUint>,
        drawn: u32,
    ) {
        let after = falling(self.cards - drawn, self.drawn - drawn);
        let case = Case { loss: -net.get(), name: name.into(), staked: staked.get() };
        *self.ways.entry(case).or_default() += ways.into() * after;
    }

    /// The value of the wager.
    pub(crate) fn value(&self, bet: Circle, policy: &str) -> BetValue {
        let total: BigUint = self.ways.values().sum();
        assert!(!total.is_zero(), "a wager can come to something");
        let mean = |of: &dyn Fn(&Case) -> BigInt| {
            let sum: BigInt = self.ways.iter().map(|(case, ways)| of(case) * signed(ways)).sum();
            BigRational::new(sum, signed(&total))
        };
        let unit = BigRational::from_integer(self.stake.get().into());
        let number = |exact: BigRational| exact.to_f64().unwrap_or(f64::NAN);
        let net = mean(&|case| (-case.loss).into());
        let squares = mean(&|case| BigInt::from(case.loss) * case.loss);
        let staked = mean(&|case| case.staked.into());
        let hits = mean(&|case| i64::from(case.loss < 0).into());
        let variance = (squares - &net * &net) / (&unit * &unit);
        let ev = Fraction(&net / &unit);
        let outcome = |(case, ways): (&Case, &BigUint)| Outcome {
            name: case.name.clone(),
            net: number(BigRational::from_integer((-case.loss).into()) / &unit),
            probability: number(BigRational::new(signed(ways), signed(&total))),
            combinations: Some(ways.clone()),
            method: Method::Exact,
        };
        BetValue {
            bet,
            policy: policy.to_owned(),
            method: Method::Exact,
            ev: ev.to_f64(),
            sd: Figure::exact(number(variance).sqrt()),
            element_of_risk: Figure::exact(number(-net / staked)),
            hit_frequency: Figure::exact(number(hits)),
            ev_exact: Some(ev),
            rounds: None,
            standard_error: None,
            outcomes: self.ways.iter().map(outcome).collect(),
            combinations: Some(total),
            figures: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// `from · (from − 1) · …` with `factors` factors: the ways to draw that many of `from` cards.
pub(crate) fn falling(from: u32, factors: u32) -> BigUint {
    (0..factors).map(|i| BigUint::from(from.saturating_sub(i))).product()
}

fn signed(ways: &BigUint) -> BigInt {
    BigInt::from(ways.clone())
}
