//! Whoever has custody of the cards, and where every card is.

use std::collections::BTreeMap;

use rules::card::Card;
use rules::round::{Audience, Event, Place, Remedy};
use rules::shoe;
use rules::table::{Input, Table, TableAwaits, TableEvent};
use rules::terms::TermSheet;

use crate::numbers::Numbers;

/// Where a card lay: in which shoe, and after how many others.
type Spot = Option<(u32, usize)>;

/// The orders of the shoes, which the table never learns, and a count of where the cards are.
#[derive(Default)]
pub(crate) struct Custody {
    /// The cards of each shoe before the cut.
    orders: BTreeMap<u32, Vec<Card>>,
    /// How many of them went from the front to the back.
    cuts: BTreeMap<u32, usize>,
    /// How many times cards were shuffled.
    pub(crate) shoes: u32,
    /// The kinds of cards in a shoe: few, so that wars and hits come up, or all.
    kinds: Vec<Card>,
    /// The card that lies face down before the dealer, by its shoe and its place in it.
    hole: Spot,
    burned: Vec<(u32, usize)>,
    /// How many cards lie in the discard rack.
    rack: usize,
    /// The card that left the shoe in error and lies beside it.
    beside: Spot,
    /// The faces that everyone has seen in this round.
    public: Vec<Card>,
    /// The faces that only a box has seen, by hand.
    private: BTreeMap<(u8, u8), Vec<Card>>,
}

impl Custody {
    pub(crate) fn new(sheet: &TermSheet, numbers: &mut Numbers) -> Custody {
        let deck: Vec<Card> = shoe::deck(sheet.game()).collect();
        let few: Vec<Card> = (0..5).map(|_| numbers.one_of(&deck)).collect();
        let kinds = numbers.one_of(&[deck.clone(), deck, few.clone(), few[..1].to_vec()]);
        Custody { kinds, ..Custody::default() }
    }

    /// Keeps an order of all cards, or of the discards where the round ran out of cards.
    pub(crate) fn shuffle(&mut self, table: &Table, numbers: &mut Numbers) {
        let kinds = self.kinds.iter().copied().cycle();
        let mut cards: Vec<Card> = kinds.take(shoe::cards(table.sheet())).collect();
        if table.round().is_some() && table.shoe().is_some_and(|shoe| shoe.left() == 0) {
            let hole = self.hole_card();
            for card in table.layout().into_iter().map(|card| card.or(hole)) {
                let card = card.expect("only the hole card is unseen");
                let at = cards.iter().position(|other| *other == card).expect("one of ours");
                cards.remove(at);
            }
        }
        for last in (1..cards.len()).rev() {
            cards.swap(last, numbers.below(last + 1));
        }
        self.orders.insert(self.shoes + 1, cards);
    }

    /// Whether the shoes hold what the table's should: a physical table would notice.
    pub(crate) fn holds_all_kinds(&self) -> bool {
        self.kinds.len() > 5
    }

    pub(crate) fn next(&self, table: &Table) -> Option<Card> {
        let shoe = table.shoe()?;
        self.card((shoe.number, shoe.dealt))
    }

    pub(crate) fn hole_card(&self) -> Option<Card> {
        self.card(self.hole?)
    }

    pub(crate) fn burned(&self, table: &Table) -> Vec<Card> {
        let number = table.shoe().map(|shoe| shoe.number);
        let here = self.burned.iter().filter(|(shoe, _)| Some(*shoe) == number);
        here.filter_map(|spot| self.card(*spot)).collect()
    }

    /// The order of a shoe, as it is revealed.
    pub(crate) fn order(&self, shoe: u32) -> String {
        self.orders[&shoe].iter().map(ToString::to_string).collect()
    }

    /// Players' bytes are not looked at here: what follows from them is not the table's business.
    fn card(&self, (shoe, at): (u32, usize)) -> Option<Card> {
        let order = self.orders.get(&shoe)?;
        let cut = self.cuts.get(&shoe).copied().unwrap_or(0);
        (at < order.len()).then(|| order[(cut + at) % order.len()])
    }

    /// Follows an input, and holds the table to the conservation of cards, and every event to its
    /// audience.
    pub(crate) fn follow(
        &mut self,
        before: &Table,
        input: &Input,
        events: &[TableEvent],
        table: &Table,
    ) {
        let spot = before.shoe().map(|shoe| (shoe.number, shoe.dealt));
        let by_hand = matches!(input, Input::Card(_));
        let mut from_shoe = usize::from(by_hand);
        let mut drawn = None;
        if let Some(shoe) = table.shoe() {
            self.cuts.insert(shoe.number, shoe.cut.unwrap_or(0));
        }
        for event in events {
            if let TableEvent::Shuffled { shoe, .. } = *event {
                self.shoes = shoe;
            }
            match event {
                TableEvent::Shuffled { shoe, cards, .. } if is_refill(table, *shoe) => {
                    assert_eq!(usize::from(*cards), self.rack, "the discards, and nothing else");
                    self.rack = 0;
                }
                TableEvent::Burned => {
                    let spot = self.leave(&mut from_shoe, spot, input);
                    self.burned.extend(spot);
                    self.rack += 1;
                }
                TableEvent::Round(Event::FaceDown(place)) => {
                    let spot = self.leave(&mut from_shoe, spot, input);
                    match place {
                        Place::Burn => self.rack += 1,
                        _ => self.hole = spot,
                    }
                }
                TableEvent::Round(Event::Dealt { place, card, audience }) => {
                    self.leave(&mut from_shoe, spot, input);
                    self.see(*place, *card, *audience);
                }
                TableEvent::Round(
                    Event::Turned(card) | Event::Remedied(Remedy::HoleCardShown(card)),
                ) => {
                    // Where none lies there, it was dealt open (DDS-R17).
                    let hole = self.hole_card().or(drawn);
                    assert_eq!(hole, Some(*card), "{input}: the card that lay there");
                    self.public.push(*card);
                }
                TableEvent::Round(Event::Shown { seat, hand }) => {
                    self.public.extend(self.private.remove(&(*seat, *hand)).unwrap_or_default());
                }
                TableEvent::Round(Event::Split { seat, hand }) => self.split(*seat, *hand),
                TableEvent::Drawn(card) => {
                    drawn = Some(*card);
                    assert_eq!(self.next(before), Some(*card), "{input}: the next card");
                    self.beside = spot;
                }
                TableEvent::Discarded(_) => {
                    self.leave(&mut from_shoe, spot, input);
                    // Where the shoe is done with, its discards are as well.
                    self.rack += usize::from(before.shoe_in_use().is_some());
                }
                TableEvent::Collected { cards, .. } => {
                    self.rack += cards.len();
                    self.check_audience(event, cards);
                }
                TableEvent::Settled => {
                    (self.hole, self.public) = (None, Vec::new());
                    self.private.clear();
                }
                TableEvent::Retired { .. } => {
                    self.burned.clear();
                    self.rack = 0;
                }
                _ => {}
            }
        }
        assert_eq!(from_shoe, 0, "{input}: every card goes somewhere");
        self.conserve(table, input);
    }

    /// A card goes where it belongs: the one that leaves the shoe, or one drawn in error before.
    fn leave(&mut self, from_shoe: &mut usize, next: Spot, input: &Input) -> Spot {
        if *from_shoe == 1 {
            *from_shoe = 0;
            return next;
        }
        let beside = self.beside.take();
        assert!(beside.is_some(), "{input}: a card comes from nowhere");
        beside
    }

    /// Cards in the shoe, on the layout or beside it, and in the rack are all that there are.
    fn conserve(&self, table: &Table, input: &Input) {
        let Some(shoe) = table.shoe().filter(|_| is_in_use(table)) else { return };
        let everywhere = shoe.left() + table.layout().len() + self.rack;
        assert_eq!(everywhere, shoe::cards(table.sheet()), "after {input}: {shoe:?}");
    }

    fn see(&mut self, place: Place, card: Card, audience: Audience) {
        match (audience, place) {
            (Audience::Everyone, _) => self.public.push(card),
            (Audience::Box(seat), Place::Hand { seat: own, hand }) => {
                assert_eq!(seat, own, "a hand is told to its own box");
                self.private.entry((seat, hand)).or_default().push(card);
            }
            (Audience::Box(_), _) => panic!("only hands are private"),
        }
    }

    /// The second card of a hand begins the next one, and splitting shows both.
    fn split(&mut self, seat: u8, hand: u8) {
        assert!(!self.private.contains_key(&(seat, hand)), "a pair is shown before it is split");
    }

    /// Nobody learns from the collecting what was not seen before.
    fn check_audience(&self, event: &TableEvent, cards: &[Option<Card>]) {
        assert_eq!(event.audience(), Audience::Everyone);
        for card in cards.iter().flatten() {
            assert!(self.public.contains(card), "{event}: {card} was never seen by everyone");
        }
    }
}

/// Whether the cards of the table are in its shoe, or have just left it.
fn is_in_use(table: &Table) -> bool {
    use TableAwaits::{Commitments, Cut, Openings, Round, Wagers};
    let awaits = table.awaits();
    table.round().is_some()
        || matches!(awaits, Commitments(_) | Openings | Cut(_) | Wagers | Round(_))
}

fn is_refill(table: &Table, number: u32) -> bool {
    table.shoe().is_some_and(|shoe| shoe.number == number && shoe.refill)
}
