//! The cards of a shoe that everybody at a table has seen.

use std::collections::BTreeSet;

use rules::card::Card;
use rules::round::{Audience, Event};
use rules::table::{Name, Table, TableEvent};
use rules::wager::Bettor;

/// The cards of the shoe in use that each player at a table has seen while seated.
///
/// Burned cards, a hole card and cards that others keep to themselves are unseen until they are shown.
#[derive(Clone, Debug, Default)]
pub struct SeenCards {
    /// Those of rounds that are over.
    earlier: Vec<(Name, Vec<Card>)>,
    /// What the round in play has shown, and to whom.
    round: Vec<Event>,
}

impl SeenCards {
    /// Follows what an input did at a table, which is given as it stands then.
    pub fn follow(&mut self, events: &[TableEvent], after: &Table) {
        for event in events {
            match event {
                // All cards are in the shoe again.
                TableEvent::Shuffled { .. } => self.earlier.clear(),
                TableEvent::BetsClosed => self.round.clear(),
                TableEvent::Round(
                    event @ (Event::Dealt { .. } | Event::Turned(_) | Event::Shown { .. }),
                ) => self.round.push(*event),
                // Every card that somebody has seen is told then (DDB-R04).
                TableEvent::Settled => {
                    let cards: Vec<Card> = self.round.drain(..).filter_map(card).collect();
                    // Somebody with several boxes has seen them once.
                    let people: BTreeSet<&Name> =
                        after.everyone().map(|(_, chair)| &chair.player).collect();
                    people.into_iter().for_each(|player| self.add(player, &cards));
                }
                _ => {}
            }
        }
        self.earlier.retain(|(player, _)| !places(after, player).is_empty());
    }

    fn add(&mut self, player: &Name, cards: &[Card]) {
        match self.earlier.iter_mut().find(|(name, _)| name == player) {
            Some((_, seen)) => seen.extend(cards),
            None => self.earlier.push((player.clone(), cards.to_vec())),
        }
    }

    /// The cards that a player had seen before the round in play, in the order of a deck.
    pub(crate) fn before_round(&self, player: &Name) -> Vec<Card> {
        let earlier = self.earlier.iter().find(|(name, _)| name == player);
        let mut seen = earlier.map_or_else(Vec::new, |(_, cards)| cards.clone());
        seen.sort_by_key(|card| card.index());
        seen
    }

    /// The cards that a player has seen who has these boxes, in the order of a deck.
    pub(crate) fn by(&self, player: &Name, seats: &[usize]) -> Vec<Card> {
        let earlier = self.earlier.iter().find(|(name, _)| name == player);
        let mut seen = earlier.map_or_else(Vec::new, |(_, cards)| cards.clone());
        let is_shown = |owner: u8, since: usize| {
            let shows =
                |event: &Event| matches!(event, Event::Shown { seat, .. } if *seat == owner);
            self.round[since..].iter().any(shows)
        };
        let now = self.round.iter().enumerate().filter(|(at, event)| match event.audience() {
            Audience::Everyone => true,
            Audience::Box(owner) => seats.contains(&owner.into()) || is_shown(owner, *at),
        });
        seen.extend(now.filter_map(|(_, event)| card(*event)));
        seen.sort_by_key(|card| card.index());
        seen
    }
}

/// The card that an event shows.
fn card(event: Event) -> Option<Card> {
    match event {
        Event::Dealt { card, .. } | Event::Turned(card) => Some(card),
        _ => None,
    }
}

/// The places of a player at a table.
pub(super) fn places(table: &Table, player: &Name) -> Vec<Bettor> {
    let own = table.everyone().filter(|(_, chair)| chair.player == *player);
    own.map(|(bettor, _)| bettor).collect()
}
