//! What the unit tests of the games share.

use crate::card::Card;
use crate::round::{Event, Reason, Round, Settlement};
use crate::terms::TermSheet;
use crate::wager::{Circle, Game};

/// A card by its name.
pub(super) fn card(word: &str) -> Card {
    word.parse().unwrap()
}

/// A sheet with these choices.
pub(super) fn sheet(game: Game, choices: &[(&'static str, &'static str)]) -> TermSheet {
    let mut sheet = TermSheet::new(game);
    sheet.set(choices.iter().copied()).unwrap();
    sheet
}

/// Deals these cards, `??` face down.
pub(super) fn deal(round: &mut impl Round, cards: &str, events: &mut Vec<Event>) {
    for word in cards.split(' ') {
        match word {
            "??" => round.deal_face_down(events).unwrap(),
            _ => round.deal(card(word), events).unwrap(),
        }
    }
}

/// Who gained what on which circle, by which clause, in order.
pub(super) fn settlements(events: &[Event]) -> Vec<(usize, Circle, i64, &'static str)> {
    let settled = |event: &Event| match *event {
        Event::Settled(Settlement {
            bettor, circle, gain, reason: Reason { clause, .. }, ..
        })
        | Event::Awarded { bettor, circle, amount: gain, clause } => {
            Some((bettor.seat(), circle, gain.get(), clause))
        }
        _ => None,
    };
    events.iter().filter_map(settled).collect()
}
