//! What is kept of rounds and shoes so that they can be found again, read off what an input led to.

use audit::log::Outcome;
use rules::money::Cents;
use rules::round::Event;
use rules::table::{Name, Table, TableEvent};
use rules::wager::{Bettor, Circle};

/// What an input did to the round in play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoundChange {
    /// The round, counted from 1.
    pub round: u32,
    /// How many inputs the table had taken before.
    pub version: u64,
    /// The shoe from which it is dealt, where it begins with this input.
    pub begins: Option<u32>,
    /// What became of wagers.
    pub settled: Vec<WagerResult>,
    /// Whether it is over.
    pub ends: bool,
    /// Whether it has never been (G-03).
    pub void: bool,
    /// The shoes that were shuffled.
    pub shuffled: Vec<u32>,
    /// The earlier round that was corrected.
    pub corrected: Option<u32>,
}

/// What became of a wager, or an award.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WagerResult {
    /// Where it lay.
    pub bettor: Bettor,
    /// Whose it was.
    pub person: Name,
    /// The hand, counted from 0.
    pub hand: u8,
    /// The circle.
    pub circle: Circle,
    /// Whether it was a lammer of the house.
    pub lammer: bool,
    /// Whether it had no stake of its own.
    pub is_award: bool,
    /// What lay there.
    pub stake: Cents,
    /// What was won or lost.
    pub gain: Cents,
    /// The clause that says so.
    pub clause: &'static str,
}

impl RoundChange {
    /// What is kept of an input; none where it has nothing to do with a round or a shoe.
    pub fn of(
        version: u64,
        before: &Table,
        outcome: &Outcome,
        after: &Table,
    ) -> Option<RoundChange> {
        let nothing =
            RoundChange { round: before.rounds_played() + 1, version, ..RoundChange::default() };
        let mut kept = nothing.clone();
        let whose = |bettor| before.chair(bettor).or(after.chair(bettor)).map(|c| c.player.clone());
        for event in &outcome.events {
            match event {
                TableEvent::BetsClosed if !outcome.opening.is_empty() => {
                    kept.begins = Some(after.shoe().map_or(0, |shoe| shoe.number));
                }
                TableEvent::Shuffled { shoe, .. } => kept.shuffled.push(*shoe),
                TableEvent::Round(Event::Settled(settled)) => {
                    let Some(person) = whose(settled.bettor) else { continue };
                    kept.settled.push(WagerResult {
                        bettor: settled.bettor,
                        person,
                        hand: settled.hand,
                        circle: settled.circle,
                        lammer: settled.lammer,
                        is_award: false,
                        stake: settled.stake.into(),
                        gain: settled.gain,
                        clause: settled.reason.clause,
                    });
                }
                TableEvent::Round(Event::Awarded { bettor, circle, amount, clause }) => {
                    let Some(person) = whose(*bettor) else { continue };
                    kept.settled.push(WagerResult {
                        bettor: *bettor,
                        person,
                        hand: 0,
                        circle: *circle,
                        lammer: false,
                        is_award: true,
                        stake: Cents::ZERO,
                        gain: *amount,
                        clause,
                    });
                }
                TableEvent::Round(Event::Reversed) => kept.void = true,
                TableEvent::Settled => kept.ends = true,
                TableEvent::Corrected { round, .. } => kept.corrected = Some(*round),
                _ => {}
            }
        }
        (kept != nothing).then_some(kept)
    }
}
