//! What lies on the table, as the player sees it.

use rules::card::Card;
use rules::games::blackjack::{Points, is_natural};
use rules::money::Chips;
use rules::round::{Audience, Event, Place, Record};
use rules::wager::{Circle, MOST_SEATS};

/// A card on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FeltCard {
    /// Everyone sees it.
    Open(Card),
    /// Only its owner has seen it.
    Held(Card),
    /// Nobody has seen it.
    Down,
}

/// Chips, or a lammer, on a circle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stake {
    pub(crate) circle: Circle,
    pub(crate) amount: Chips,
    pub(crate) is_free: bool,
}

/// A hand with what is staked on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hand {
    pub(crate) cards: Vec<FeltCard>,
    pub(crate) stakes: Vec<Stake>,
}

impl Hand {
    /// The cards, where the viewer sees all of them.
    pub(crate) fn seen(&self, by_owner: bool) -> Option<Vec<Card>> {
        let seen = |card: &FeltCard| match card {
            FeltCard::Open(card) => Some(*card),
            FeltCard::Held(card) if by_owner => Some(*card),
            _ => None,
        };
        self.cards.iter().map(seen).collect()
    }

    /// The points of a hand whose cards the viewer sees.
    pub(crate) fn points(&self, by_owner: bool) -> Option<Points> {
        self.seen(by_owner).filter(|cards| !cards.is_empty()).map(|cards| Points::of(&cards))
    }

    /// Whether the viewer sees two cards that are a natural.
    pub(crate) fn is_natural(&self, by_owner: bool) -> bool {
        let cards = self.seen(by_owner);
        cards.is_some_and(|cards| matches!(cards[..], [one, other] if is_natural(one, other)))
    }
}

/// The layout during a round: it listens, and is looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Felt {
    boxes: [Vec<Hand>; MOST_SEATS],
    pub(crate) dealer: Hand,
}

impl Felt {
    /// The hands of a box, from the dealer's left.
    pub(crate) fn hands(&self, seat: usize) -> &[Hand] {
        &self.boxes[seat]
    }

    /// What is seen at a box: its own cards, and the open ones of the dealer.
    pub(crate) fn faces(&self, seat: usize) -> Vec<Card> {
        let own = self.hands(seat).iter().flat_map(|hand| &hand.cards);
        let face = |card: &FeltCard| match card {
            FeltCard::Open(card) | FeltCard::Held(card) => Some(*card),
            FeltCard::Down => None,
        };
        own.chain(&self.dealer.cards).filter_map(face).collect()
    }

    fn hand(&mut self, seat: usize, hand: u8) -> &mut Hand {
        let (hands, hand) = (&mut self.boxes[seat], usize::from(hand));
        if hands.len() <= hand {
            hands.resize(hand + 1, Hand::default());
        }
        &mut hands[hand]
    }

    fn lay(&mut self, place: Place, card: FeltCard) {
        match place {
            Place::Hand { seat, hand } => self.hand(seat.into(), hand).cards.push(card),
            Place::Dealer => self.dealer.cards.push(card),
            Place::Burn => {}
        }
    }
}

impl Record for Felt {
    fn note(&mut self, event: Event) {
        match event {
            Event::Staked { bettor, hand, circle, amount } => {
                let stake = Stake { circle, amount, is_free: false };
                self.hand(bettor.seat(), hand).stakes.push(stake);
            }
            Event::Lammer { bettor, hand, circle, value } => {
                let stake = Stake { circle, amount: value, is_free: true };
                self.hand(bettor.seat(), hand).stakes.push(stake);
            }
            Event::Dealt { place, card, audience: Audience::Everyone } => {
                self.lay(place, FeltCard::Open(card));
            }
            Event::Dealt { place, card, .. } => self.lay(place, FeltCard::Held(card)),
            Event::FaceDown(place) => self.lay(place, FeltCard::Down),
            Event::Turned(card) => {
                if let Some(down) = self.dealer.cards.iter_mut().find(|c| **c == FeltCard::Down) {
                    *down = FeltCard::Open(card);
                }
            }
            Event::Split { seat, hand } => {
                let second = self.hand(seat.into(), hand).cards.pop();
                let new = Hand { cards: second.into_iter().collect(), stakes: Vec::new() };
                self.boxes[usize::from(seat)].insert(usize::from(hand) + 1, new);
            }
            Event::Shown { seat, hand } => {
                for card in &mut self.hand(seat.into(), hand).cards {
                    if let FeltCard::Held(shown) = *card {
                        *card = FeltCard::Open(shown);
                    }
                }
            }
            Event::Settled(settled) => {
                let stakes = &mut self.hand(settled.bettor.seat(), settled.hand).stakes;
                stakes.retain(|stake| stake.circle != settled.circle);
            }
            Event::Peeked { .. }
            | Event::Acted(..)
            | Event::BoughtIn { .. }
            | Event::PickedUp { .. }
            | Event::Awarded { .. }
            | Event::Remedied(_)
            | Event::Reversed => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use rules::wager::Bettor;

    use super::*;

    fn card(word: &str) -> Card {
        word.parse().unwrap()
    }

    #[test]
    fn held_cards_are_their_owners_until_shown() {
        let mut felt = Felt::default();
        let place = Place::hand(2, 0);
        for word in ["Kd", "6c"] {
            felt.note(Event::Dealt { place, card: card(word), audience: Audience::Box(2) });
        }
        assert_eq!(felt.hands(2)[0].points(true).unwrap().total(), 16);
        assert_eq!(felt.hands(2)[0].points(false), None);
        felt.note(Event::Shown { seat: 2, hand: 0 });
        assert_eq!(felt.hands(2)[0].points(false).unwrap().total(), 16);
    }

    #[test]
    fn a_split_moves_the_second_card() {
        let mut felt = Felt::default();
        let (place, audience) = (Place::hand(0, 0), Audience::Everyone);
        for word in ["8d", "8c"] {
            felt.note(Event::Dealt { place, card: card(word), audience });
        }
        felt.note(Event::Split { seat: 0, hand: 0 });
        let stake = (Circle::Split, Chips::dollars(10));
        let bettor = Bettor::at(0);
        felt.note(Event::Lammer { bettor, hand: 1, circle: stake.0, value: stake.1 });
        assert_eq!(felt.hands(0)[0].cards, [FeltCard::Open(card("8d"))]);
        assert_eq!(felt.hands(0)[1].cards, [FeltCard::Open(card("8c"))]);
        assert!(felt.hands(0)[1].stakes[0].is_free);
    }

    #[test]
    fn the_hole_card_is_turned_where_it_lies() {
        let mut felt = Felt::default();
        felt.note(Event::FaceDown(Place::Dealer));
        felt.note(Event::Dealt {
            place: Place::Dealer,
            card: card("Kd"),
            audience: Audience::Everyone,
        });
        assert_eq!(felt.dealer.seen(true), None);
        felt.note(Event::Turned(card("2c")));
        assert_eq!(felt.dealer.seen(false), Some(vec![card("2c"), card("Kd")]));
    }
}
