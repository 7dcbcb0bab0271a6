//! The hands of a round, laid out again from the discard rack.
//!
//! The books have cards picked up so that a dispute can be settled: from the order in the rack
//! alone each hand is rebuilt (CW-8-d, CW-8-h, DDS-9-d, DAB-7-h, FBB-6-s, G-28). Which hand was
//! split is in the record of decisions.

use std::collections::VecDeque;

use rules::card::Card;
use rules::round::{Event, Place};
use rules::table::TableEvent;

/// A round on its way back from the discard rack to the layout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reconstruction {
    dealer: VecDeque<Option<Card>>,
    boxes: Vec<BoxReplay>,
}

/// A box that is being laid out again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct BoxReplay {
    seat: u8,
    hands: Vec<HandReplay>,
    /// The hands that lie there now, from the dealer's left.
    lying: Vec<usize>,
}

/// A hand that is being laid out again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct HandReplay {
    /// What is still to be laid.
    cards: VecDeque<Option<Card>>,
    lying: usize,
    /// The hands that are still to be split from it, in their order.
    splits: VecDeque<usize>,
}

impl Reconstruction {
    /// Takes the hands of a round from the rack, in the order in which they went there.
    pub(crate) fn of(events: &[TableEvent]) -> Reconstruction {
        let mut round = Reconstruction::default();
        let mut finals: Vec<(u8, Vec<usize>)> = Vec::new();
        let mut hands = Vec::new();
        for event in events {
            match event {
                TableEvent::Collected { place, cards } => hands.push((*place, cards)),
                TableEvent::Round(Event::Split { seat, hand }) => {
                    round.foresee_split(*seat, usize::from(*hand), &mut finals);
                }
                _ => {}
            }
        }
        for (place, cards) in hands {
            let cards: VecDeque<_> = cards.iter().copied().collect();
            match place {
                Place::Hand { seat, hand } => {
                    let order = finals.iter().find(|(at, _)| *at == seat);
                    let hand = order.map_or(0, |(_, order)| order[usize::from(hand)]);
                    box_at(&mut round.boxes, seat).hands[hand].cards = cards;
                }
                Place::Dealer | Place::Burn => round.dealer = cards,
            }
        }
        round
    }

    /// A hand was split: one more is to come, right after it.
    fn foresee_split(&mut self, seat: u8, hand: usize, finals: &mut Vec<(u8, Vec<usize>)>) {
        let here = box_at(&mut self.boxes, seat);
        let new = here.hands.len();
        here.hands.push(HandReplay::default());
        if !finals.iter().any(|(at, _)| *at == seat) {
            finals.push((seat, vec![0]));
        }
        for (_, order) in finals.iter_mut().filter(|(at, _)| *at == seat) {
            here.hands[order[hand]].splits.push_back(new);
            order.insert(hand + 1, new);
        }
    }

    /// The next card of a hand or of the dealer, as it was dealt; none where there is none left.
    pub(crate) fn lay(&mut self, place: Place) -> Option<Option<Card>> {
        let Place::Hand { seat, hand } = place else { return self.dealer.pop_front() };
        let here = box_at(&mut self.boxes, seat);
        let at = *here.lying.get(usize::from(hand))?;
        here.hands[at].lying += 1;
        // The second card of a pair began the hand that was split from it.
        let from = match (here.hands[at].lying, here.hands[at].splits.front()) {
            (2, Some(new)) => *new,
            _ => at,
        };
        here.hands[from].cards.pop_front()
    }

    /// A hand is split, as it was.
    pub(crate) fn split(&mut self, seat: u8, hand: u8) {
        let here = box_at(&mut self.boxes, seat);
        let Some(&at) = here.lying.get(usize::from(hand)) else { return };
        let Some(new) = here.hands[at].splits.pop_front() else { return };
        here.hands[at].lying = 1;
        here.hands[new].lying = 1;
        here.lying.insert(usize::from(hand) + 1, new);
    }

    /// Whether every card lies on the layout again.
    pub(crate) fn is_complete(&self) -> bool {
        let mut hands = self.boxes.iter().flat_map(|here| &here.hands);
        self.dealer.is_empty() && hands.all(|hand| hand.cards.is_empty())
    }
}

fn box_at(boxes: &mut Vec<BoxReplay>, seat: u8) -> &mut BoxReplay {
    let at = boxes.iter().position(|here| here.seat == seat).unwrap_or_else(|| {
        boxes.push(BoxReplay { seat, hands: vec![HandReplay::default()], lying: vec![0] });
        boxes.len() - 1
    });
    &mut boxes[at]
}
