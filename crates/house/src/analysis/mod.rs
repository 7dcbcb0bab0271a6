//! What decisions are worth, told by whoever opens the house: the house itself does not know what is
//! good for whom.
//!
//! In reading order: [`Analysis`] (what the program mounts beside the house), [`Position`] (all that it
//! is told: what one player knows at a decision), `own_rounds` (the same of rounds that are over), `seen`
//! (the cards of a shoe that everybody has seen), [`Tutor`] (the same away from the tables) and `pool` (the
//! threads that find the answers).

mod own_rounds;
mod pool;
mod seen;
mod tutor;

use rules::card::Card;
use rules::games::AnyRound;
use rules::table::{Name, Table};
use rules::terms::TermSheet;
use rules::wager::Bettor;
use wire::{ActValueView, RoundReview};

pub use own_rounds::{OwnDecision, OwnRound, OwnRounds};
pub use pool::{MOST_QUESTIONS, MOST_THREADS};
pub(crate) use pool::{NoAnswer, Pool};
pub use seen::SeenCards;
pub use tutor::{Lesson, Tutor};

/// Tells what decisions are worth. It is asked from threads of its own, and never by a table.
pub trait Analysis: Send + Sync {
    /// The value of every act that is open in a position, or a sentence why there is none.
    fn values(&self, position: &Position) -> Result<Vec<ActValueView>, String>;

    /// What a player's decisions in a round cost, and how much of the result was luck.
    fn review(&self, round: &OwnRound) -> RoundReview;
}

/// A decision that somebody is asked for, and what that player knows: the own cards, the open ones, and
/// those seen in this shoe. It holds neither a card that nobody has seen nor another's private card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The house options of the table.
    pub sheet: TermSheet,
    /// The round, without hands that others keep to themselves.
    pub round: AnyRound,
    /// Who decides.
    pub bettor: Bettor,
    /// Every card of this shoe that the player has seen, in the order of a deck.
    pub seen: Vec<Card>,
}

impl Position {
    /// The decisions that a player is asked for now: one for each of the own places that is asked.
    pub fn of(table: &Table, seen: &SeenCards, player: &Name) -> Vec<Position> {
        let Some(round) = table.round() else { return Vec::new() };
        let own = seen::places(table, player);
        let seats: Vec<usize> = own.iter().map(|bettor| bettor.seat()).collect();
        let asked = own.iter().filter(|bettor| !table.offers(**bettor).is_empty());
        let position = |bettor: &Bettor| Position {
            sheet: table.sheet().clone(),
            round: round.seen_from(&seats),
            bettor: *bettor,
            seen: seen.by(player, &seats),
        };
        asked.map(position).collect()
    }

    /// Adds cards of this shoe that the player has seen too.
    pub(crate) fn add(&mut self, seen: &[Card]) {
        self.seen.extend(seen);
        self.seen.sort_by_key(|card| card.index());
    }
}
