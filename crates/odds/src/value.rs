//! The value of a wager: expectation, spread, and every way in which it can end.

use num_bigint::BigUint;
use rules::games::AnyRound;
use rules::money::Cents;
use rules::round::{Act, Amounts, Round};
use rules::wager::{Bettor, Circle};

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

/// How likely something wins, is pushed and loses: 1 in all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prospects {
    /// How likely it wins.
    pub win: f64,
    /// How likely it is pushed.
    pub push: f64,
    /// How likely it loses, in part or in whole.
    pub lose: f64,
}

impl Prospects {
    /// A certain loss.
    pub const LOST: Prospects = Prospects { win: 0.0, push: 0.0, lose: 1.0 };

    /// What wins and is pushed so often loses otherwise.
    pub(crate) fn of(win: f64, push: f64) -> Prospects {
        Prospects { win, push, lose: (1.0 - win - push).max(0.0) }
    }

    /// Adds a result that comes about in so many ways.
    pub(crate) fn add(&mut self, gain: Cents, ways: f64) {
        let part = match gain.get().signum() {
            1 => &mut self.win,
            0 => &mut self.push,
            _ => &mut self.lose,
        };
        *part += ways;
    }

    /// Chances, of the ways that were added.
    pub(crate) fn out_of_all(self) -> Prospects {
        let all = self.win + self.push + self.lose;
        Prospects { win: self.win / all, push: self.push / all, lose: self.lose / all }
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
    /// The most that play which does not look at sibling hands could gain, with chips for everything,
    /// if `gain` is less. Play that looks can gain more, so it limits nothing else.
    pub at_most: Option<f64>,
    /// The most that it is taken to be worth by any play: `gain` where that is exact, and otherwise what
    /// is known, with [`UNSEEN_BY_PLANS`] for looking at sibling hands. An estimate, not a proof.
    pub ceiling: f64,
    /// How it was found: [`Method::Bound`] where `gain` is that of a continuation not known to be
    /// the best of all, because sibling hands are to come or the rack may not suffice later.
    pub method: Method,
    /// How the hand that decides ends by the play that `gain` assumes, and an insurance wager by
    /// itself; as sure as `gain`. None where more hands come of the act, or it comes before the cards.
    pub prospects: Option<Prospects>,
}

/// What play that looks at sibling hands is taken to add to a bound at most: this many units of the
/// main wager, divided by the number of cards that nobody has seen. In the positions of
/// `crates/odds/tests/any_position.rs` it added no more than half of it.
pub const UNSEEN_BY_PLANS: f64 = 1.0;

/// What an act costs compared with the best one, in cents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// By the values as they are.
    pub shown: f64,
    /// The least that it can be, with what the act may gain beyond its value.
    pub least: f64,
    /// The most that it can be, with what others may gain beyond theirs.
    pub most: f64,
}

impl Cost {
    /// Smaller differences are those of rounding, in cents.
    const ROUNDING: f64 = 1e-9;

    /// What one of these acts costs, which come with the best first.
    pub fn of(acts: &[ActValue], place: usize) -> Cost {
        let act = &acts[place];
        let above =
            |gain: f64, value: f64| if gain - value > Cost::ROUNDING { gain - value } else { 0.0 };
        let others = acts.iter().enumerate().filter(|(other, _)| *other != place);
        let most = others.map(|(_, other)| other.ceiling).fold(f64::NEG_INFINITY, f64::max);
        let best = acts.iter().map(|act| act.gain).fold(f64::NEG_INFINITY, f64::max);
        let shown = best - act.gain;
        Cost { shown, least: above(best, act.ceiling), most: above(most, act.gain).max(shown) }
    }

    /// How certain it is.
    pub fn certainty(self) -> Certainty {
        let is = |other: f64| (other - self.shown).abs() <= Cost::ROUNDING;
        match (is(self.least), is(self.most)) {
            (true, true) => Certainty::Exact,
            (true, false) => Certainty::AtLeast,
            (false, true) => Certainty::AtMost,
            (false, false) => Certainty::About,
        }
    }
}

/// How certain a cost is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// It is this much.
    Exact,
    /// It may be more.
    AtLeast,
    /// It may be less.
    AtMost,
    /// It may be either.
    About,
}

impl Certainty {
    /// Its name in output.
    pub const fn name(self) -> &'static str {
        match self {
            Certainty::Exact => "exact",
            Certainty::AtLeast => "at_least",
            Certainty::AtMost => "at_most",
            Certainty::About => "about",
        }
    }

    /// What is said before an amount.
    pub const fn in_words(self) -> &'static str {
        match self {
            Certainty::Exact => "",
            Certainty::AtLeast => "at least ",
            Certainty::AtMost => "at most ",
            Certainty::About => "about ",
        }
    }
}

/// The chips that go with an act: those it names, or as many as are allowed where it needs some.
pub fn amount_of(round: &AnyRound, bettor: Bettor, act: Act) -> Option<Cents> {
    match (act, round.amounts(bettor, act.call())) {
        (Act::With(_, amount), _) => Some(amount),
        (Act::Call(_), Amounts::Required(range)) => Some(range.most.into()),
        _ => None,
    }
}
