//! The cards that lie on the layout, and the order in which they are picked up.

use crate::card::Card;
use crate::round::{Audience, Event, Place, Remedy};
use crate::table::TableEvent;
use crate::wager::Circle;

/// A card on the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TableCard {
    /// Its face; none where nobody has seen it.
    card: Option<Card>,
    /// Whether it lies open.
    open: bool,
}

/// The cards of one hand, or the dealer's.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pile {
    place: Place,
    cards: Vec<TableCard>,
    /// Whether a war wager keeps it on the layout (CW-8-d).
    at_war: bool,
}

/// The cards on the layout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Felt {
    piles: Vec<Pile>,
}

impl Felt {
    /// Follows what happened in the round.
    pub(crate) fn follow(&mut self, event: &Event) {
        match *event {
            Event::Dealt { place, card, audience } if place != Place::Burn => {
                let open = audience == Audience::Everyone;
                self.pile(place).cards.push(TableCard { card: Some(card), open });
            }
            Event::FaceDown(place) if place != Place::Burn => {
                self.pile(place).cards.push(TableCard { card: None, open: false });
            }
            Event::Turned(card) | Event::Remedied(Remedy::HoleCardShown(card)) => self.turn(card),
            Event::Shown { seat, hand } => {
                let pile = self.pile(Place::Hand { seat, hand });
                pile.cards.iter_mut().for_each(|lying| lying.open = true);
            }
            Event::Split { seat, hand } => self.split(seat, hand),
            Event::Staked { bettor, hand, circle: Circle::War, .. } => {
                self.pile(Place::hand(bettor.seat(), hand.into())).at_war = true;
            }
            _ => {}
        }
    }

    /// Each card, with its face if somebody has seen it.
    pub(crate) fn lying(&self) -> Vec<Option<Card>> {
        let cards = self.piles.iter().flat_map(|pile| &pile.cards);
        cards.map(|lying| lying.card).collect()
    }

    /// The known faces of a hand, in the order in which they were dealt.
    pub(crate) fn faces(&self, place: Place) -> impl Iterator<Item = Card> {
        let pile = self.piles.iter().filter(move |pile| pile.place == place);
        pile.flat_map(|pile| pile.cards.iter().filter_map(|lying| lying.card))
    }

    /// Picks up the finished hands while others go to war (CW-8-d).
    pub(crate) fn collect_all_but_war(&mut self) -> Vec<TableEvent> {
        self.collect(|pile| !pile.at_war && pile.place != Place::Dealer)
    }

    /// Picks up one hand.
    pub(crate) fn collect_hand(&mut self, place: Place) -> Vec<TableEvent> {
        self.collect(|pile| pile.place == place)
    }

    /// Picks everything up.
    pub(crate) fn collect_all(&mut self) -> Vec<TableEvent> {
        self.collect(|_| true)
    }

    /// From the dealer's far right to the left, the hands of a box in order, and the dealer's hand
    /// last.
    #[doc(alias("CW-8-h", "DAB-7-h", "DDS-9-d", "FBB-6-s"))]
    fn collect(&mut self, which: impl Fn(&Pile) -> bool) -> Vec<TableEvent> {
        self.piles.sort_by_key(|pile| match pile.place {
            Place::Hand { seat, hand } => (0, std::cmp::Reverse(seat), hand),
            Place::Dealer | Place::Burn => (1, std::cmp::Reverse(0), 0),
        });
        let open = |lying: TableCard| lying.card.filter(|_| lying.open);
        self.piles
            .extract_if(.., |pile| which(pile) && !pile.cards.is_empty())
            .map(|Pile { place, cards, .. }| TableEvent::Collected {
                place,
                cards: cards.into_iter().map(open).collect(),
            })
            .collect()
    }

    fn pile(&mut self, place: Place) -> &mut Pile {
        let at = self.piles.iter().position(|pile| pile.place == place).unwrap_or_else(|| {
            self.piles.push(Pile { place, cards: Vec::new(), at_war: false });
            self.piles.len() - 1
        });
        &mut self.piles[at]
    }

    /// The dealer's face-down card lies open.
    pub(crate) fn turn(&mut self, card: Card) {
        let hidden = self.pile(Place::Dealer).cards.iter_mut().find(|lying| lying.card.is_none());
        if let Some(lying) = hidden {
            *lying = TableCard { card: Some(card), open: true };
        }
    }

    /// The second card of a hand begins the next one.
    fn split(&mut self, seat: u8, hand: u8) {
        for pile in &mut self.piles {
            if let Place::Hand { seat: other, hand: later } = &mut pile.place
                && *other == seat
                && *later > hand
            {
                *later += 1;
            }
        }
        let card = self.pile(Place::Hand { seat, hand }).cards.pop();
        self.pile(Place::Hand { seat, hand: hand + 1 }).cards.extend(card);
    }
}
