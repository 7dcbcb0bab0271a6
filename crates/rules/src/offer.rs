//! What is open to a bettor, for whoever draws buttons: what a call puts on the layout, and why
//! the other calls of the game are closed.
//!
//! Everything is asked of a copy of the round, so nothing here can disagree with it.

use crate::money::{Cents, Chips};
use crate::refusal::Refusal;
use crate::round::{Act, Amounts, Awaits, Call, Event, Record, Round, Ruling, Settlement};
use crate::wager::{Bettor, Circle};

/// Why each call of the game that is not open to a bettor is refused.
pub fn closed(round: &impl Round, bettor: Bettor) -> impl Iterator<Item = (Call, Refusal)> {
    round.game().book().calls.iter().filter_map(move |&call| {
        let mut trial = *round;
        Some((call, trial.act(bettor, Act::Call(call), &mut ()).err()?))
    })
}

/// What a call puts on the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddedStake {
    /// Nothing.
    Nothing,
    /// Chips from the rack.
    Chips(Chips),
    /// A lammer of the house (FBB-8-a-1).
    Lammer,
}

/// What a call puts on the layout where no amount is named with it.
pub fn added_stake(round: &impl Round, bettor: Bettor, call: Call) -> AddedStake {
    let placed = PlacedChips::by(round, bettor, Act::Call(call));
    match placed.circles.iter().position(|chips| !chips.is_zero()) {
        _ if placed.lammer => AddedStake::Lammer,
        Some(circle) => AddedStake::Chips(placed.circles[circle]),
        None => AddedStake::Nothing,
    }
}

/// What a bettor loses by surrendering; none where that is not open, or is decided later.
pub fn loss_by_surrender(round: &impl Round, bettor: Bettor) -> Option<Cents> {
    let surrender = Act::Call(Call::Surrender);
    let (mut trial, mut loss) = (*round, LossOf { bettor, gain: Cents::ZERO });
    trial.act(bettor, surrender, &mut loss).ok()?;
    // A joint offer is settled once everyone has answered.
    while loss.gain == Cents::ZERO
        && let Awaits::Acts(others) = trial.awaits()
        && let Some(other) = others.iter().find(|other| *other != bettor)
    {
        trial.act(other, surrender, &mut loss).ok()?;
    }
    Some(-loss.gain).filter(|loss| *loss > Cents::ZERO)
}

/// What somebody gains by settlements of a surrender.
struct LossOf {
    bettor: Bettor,
    gain: Cents,
}

impl Record for LossOf {
    fn note(&mut self, event: Event) {
        match event {
            Event::Settled(Settlement { bettor, ruling: Ruling::TakeHalf, gain, .. })
                if bettor == self.bettor =>
            {
                self.gain += gain;
            }
            _ => {}
        }
    }
}

/// The circle for the amount that can be named with a call.
pub fn circle_of_amount(round: &impl Round, bettor: Bettor, call: Call) -> Option<Circle> {
    let range = match round.amounts(bettor, call) {
        Amounts::Optional(range) | Amounts::Required(range) if !range.is_empty() => range,
        _ => return None,
    };
    let least = PlacedChips::by(round, bettor, Act::With(call, Cents::from(range.least)));
    let without = PlacedChips::by(round, bettor, Act::Call(call));
    let differs = |circle: &Circle| least.on(*circle) != without.on(*circle);
    let is_laid = |circle: &Circle| !least.on(*circle).is_zero();
    let mut circles = Circle::ALL.into_iter();
    circles.clone().find(differs).or_else(|| circles.find(is_laid))
}

/// What a decision puts on each circle.
#[derive(Default)]
struct PlacedChips {
    circles: [Chips; Circle::ALL.len()],
    lammer: bool,
}

impl PlacedChips {
    /// What a decision puts there, tried on a copy of the round.
    fn by(round: &impl Round, bettor: Bettor, act: Act) -> PlacedChips {
        let (mut trial, mut placed) = (*round, PlacedChips::default());
        let _ = trial.act(bettor, act, &mut placed);
        placed
    }

    fn on(&self, circle: Circle) -> Chips {
        self.circles[circle as usize]
    }
}

impl Record for PlacedChips {
    fn note(&mut self, event: Event) {
        match event {
            Event::Staked { circle, amount, .. } => self.circles[circle as usize] = amount,
            Event::Lammer { .. } => self.lammer = true,
            _ => {}
        }
    }
}
