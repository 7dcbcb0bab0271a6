//! What a table waits for.

use std::fmt;

use super::Table;
use super::input::Cutter;
use super::pit::Kind;
use crate::round::{Awaits, Place};
use crate::wager::Bettor;

/// What a table waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableAwaits {
    /// Cards.
    Decks,
    /// Someone to sit down.
    Player,
    /// The first player to look at the spread cards.
    Inspection(Bettor),
    /// The shuffle, and the commitment to its order.
    Shuffle,
    /// The players' commitments to bytes of their own, and the cut by a player, until the list is
    /// closed.
    Commitments(Option<Bettor>),
    /// The openings of those commitments.
    Openings,
    /// The cut, or its refusal.
    Cut(Cutter),
    /// Wagers, and then the deal.
    Wagers,
    /// What the round waits for, or the burn card of a new shoe.
    Round(Awaits),
    /// Salt and order of a retired shoe.
    Reveal,
    /// A supervisor's decision about a report.
    Supervisor(Kind),
    /// A player's choice after something went wrong.
    Choice(Bettor),
    /// A card reader that works (FBB-11-k).
    Repair,
}

impl fmt::Display for TableAwaits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TableAwaits::Decks => "cards",
            TableAwaits::Player => "a player",
            TableAwaits::Inspection(bettor) => {
                return write!(f, "seat {bettor} to look at the spread cards");
            }
            TableAwaits::Shuffle => "the shuffle",
            TableAwaits::Commitments(None) => "commitments to the order",
            TableAwaits::Openings => "the openings of the commitments",
            TableAwaits::Cut(Cutter::Seat(bettor)) | TableAwaits::Commitments(Some(bettor)) => {
                return write!(f, "the cut by seat {bettor}");
            }
            TableAwaits::Cut(Cutter::Dealer) => "the cut by the dealer",
            TableAwaits::Wagers => "wagers",
            TableAwaits::Round(Awaits::Card(_)) => "a card",
            TableAwaits::Round(Awaits::FaceDown(Place::Burn)) => "a burn card",
            TableAwaits::Round(Awaits::FaceDown(_)) => "a card face down",
            TableAwaits::Round(Awaits::Peek) => "the card reader",
            TableAwaits::Round(Awaits::Turn) => "the face-down card",
            TableAwaits::Round(Awaits::Acts(_)) => "a decision",
            TableAwaits::Round(Awaits::Nobody) => "the next round",
            TableAwaits::Reveal => "the order of the last shoe",
            TableAwaits::Supervisor(kind) => return write!(f, "a supervisor about '{kind}'"),
            TableAwaits::Choice(bettor) => return write!(f, "the choice of seat {bettor}"),
            TableAwaits::Repair => "the repair of the card reader",
        })
    }
}

/// The seconds that the first player has to look at the spread cards (G-14).
const INSPECTION: u32 = 10;

/// The most seconds that players have to commit and to name the cut, and again to open (G-11): two in
/// all, so that the first wager is not held up any longer.
pub const COMMITMENT_SECONDS: u32 = 1;

impl Table {
    /// The seconds before the table stops waiting: `time-out` for the player asked
    /// (G-06, G-14), or `idle` where nobody wagers. None while the dealer or a supervisor is awaited.
    pub fn patience(&self) -> Option<u32> {
        match self.awaits() {
            TableAwaits::Inspection(_) => Some(INSPECTION),
            TableAwaits::Commitments(_) | TableAwaits::Openings => Some(COMMITMENT_SECONDS),
            TableAwaits::Cut(Cutter::Seat(_))
            | TableAwaits::Choice(_)
            | TableAwaits::Round(Awaits::Acts(_)) => self.sheet.number("action_timeout_s"),
            TableAwaits::Wagers if self.seats.nobody_bets() => self.sheet.number("idle_timeout_s"),
            TableAwaits::Player if self.cards.shoe_in_use().is_some() => {
                self.sheet.number("idle_timeout_s")
            }
            _ => None,
        }
    }
}
