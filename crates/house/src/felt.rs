//! What lies on the felt, and what a viewer sees of it: the one place that redacts.

use std::time::Duration;

use audit::log::Outcome;
use rules::card::Card;
use rules::money::Cents;
use rules::round::{Amounts, Audience, Awaits, Event, Place, Range};
use rules::table::{Cutter, Name, Table, TableAwaits, TableEvent, What};
use rules::wager::{Bettor, Circle, MOST_SEATS};

use crate::wire::{
    AmountsView, Awaited, Offer, OnCircle, ResultView, SeatView, ShoeView, TermView, View,
};

/// A card that a viewer does not see.
const UNSEEN: &str = "??";

/// A card on the felt, and who may see it; none where nobody has.
type Lying = Option<(Card, Audience)>;

/// What lies on the layout since bets closed last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Felt {
    dealer: Vec<Lying>,
    boxes: [Box; MOST_SEATS],
    said: Option<String>,
}

#[derive(Clone, Debug, Default)]
struct Box {
    hands: Vec<Vec<Lying>>,
    staked: Vec<(Circle, Cents)>,
    results: Vec<ResultView>,
}

impl Felt {
    /// Follows what came of an input.
    pub(crate) fn follow(&mut self, outcome: &Outcome) {
        for event in &outcome.events {
            match &event.what {
                What::BetsClosed => *self = Felt::default(),
                What::Said(words) => self.said = Some(words.to_string()),
                What::Left { bettor, .. } => self.boxes[bettor.seat()] = Box::default(),
                What::Round(event) => self.follow_round(*event),
                _ => {}
            }
        }
    }

    fn follow_round(&mut self, event: Event) {
        match event {
            Event::Dealt { place, card, audience } => self.lay(place, Some((card, audience))),
            Event::FaceDown(place) => self.lay(place, None),
            Event::Turned(card) => {
                let turned = self.dealer.iter_mut().find(|lying| lying.is_none());
                if let Some(lying) = turned {
                    *lying = Some((card, Audience::Everyone));
                }
            }
            Event::Split { seat, hand } => {
                let (hands, hand) = (&mut self.boxes[usize::from(seat)].hands, usize::from(hand));
                let moved = hands.get_mut(hand).and_then(Vec::pop);
                hands.insert((hand + 1).min(hands.len()), moved.into_iter().collect());
            }
            Event::Shown { seat, hand } => {
                let hand = self.boxes[usize::from(seat)].hands.get_mut(usize::from(hand));
                for (_, audience) in hand.into_iter().flatten().flatten() {
                    *audience = Audience::Everyone;
                }
            }
            Event::Staked { bettor, circle, amount, .. } => {
                let staked = &mut self.boxes[bettor.seat()].staked;
                match staked.iter_mut().find(|(on, _)| *on == circle) {
                    Some((_, sum)) => *sum += amount.into(),
                    None => staked.push((circle, amount.into())),
                }
            }
            Event::Settled(settlement) => {
                let (circle, gain) = (settlement.circle, settlement.gain);
                self.result(settlement.bettor, circle, gain, settlement.clause, event);
            }
            Event::Awarded { bettor, circle, amount, clause } => {
                self.result(bettor, circle, amount, clause, event);
            }
            Event::Reversed => self.boxes.iter_mut().for_each(|seat| seat.results.clear()),
            _ => {}
        }
    }

    fn lay(&mut self, place: Place, card: Lying) {
        match place {
            Place::Dealer => self.dealer.push(card),
            Place::Burn => {}
            Place::Hand { seat, hand } => {
                let hands = &mut self.boxes[usize::from(seat)].hands;
                if hands.len() <= usize::from(hand) {
                    hands.resize(usize::from(hand) + 1, Vec::new());
                }
                hands[usize::from(hand)].push(card);
            }
        }
    }

    fn result(
        &mut self,
        bettor: Bettor,
        circle: Circle,
        gain: Cents,
        clause: &'static str,
        event: Event,
    ) {
        let words = What::Round(event).to_string();
        let (circle, gain) = (circle.name(), format!("{gain:+}"));
        self.boxes[bettor.seat()].results.push(ResultView { circle, gain, words, clause });
    }

    /// Whether a card lies there that some viewers may not see.
    pub(crate) fn has_secrets(&self) -> bool {
        let hands = self.boxes.iter().flat_map(|seat| &seat.hands).flatten();
        hands.chain(&self.dealer).flatten().any(|(_, audience)| *audience != Audience::Everyone)
    }

    /// What a viewer sees of a table.
    pub(crate) fn view(&self, at: &At<'_>, viewer: &Name) -> View {
        let table = at.table;
        let me = seat_of(table, viewer);
        let seats = (0..table.seats().len()).map(|seat| self.seat(table, seat, me)).collect();
        let term = |(term, value): (&'static rules::terms::Term, &str)| TermView {
            key: &term.key,
            value: value.to_owned(),
            meaning: &term.meaning,
        };
        View {
            table: at.name.to_owned(),
            game: table.sheet().game().name(),
            terms: table.sheet().entries().map(term).collect(),
            round: table.rounds_played() + 1,
            seats,
            dealer: self.dealer.iter().map(|card| seen(card, me)).collect(),
            shoe: table.shoe().map(|shoe| ShoeView {
                number: shoe.number,
                seal: shoe.seal.map_or_else(String::new, |seal| seal.to_string()),
                left: shoe.left(),
                before_cut_card: shoe.cut_card_at.map(|at| at.saturating_sub(shoe.dealt)),
                cut_card_reached: shoe.cut_card_reached,
            }),
            awaited: awaited(table, at.within),
            me: me.map(|seat| seat + 1),
            offers: me.map_or_else(Vec::new, |seat| offers(table, Bettor::at(seat))),
            meter: table.meter().map(|meter| meter.to_string()),
            said: self.said.clone(),
        }
    }

    fn seat(&self, table: &Table, seat: usize, me: Option<usize>) -> SeatView {
        let (lying, chair) = (&self.boxes[seat], table.seats()[seat].as_ref());
        let placed = chair.map_or(&[][..], |chair| &chair.wager);
        let on_layout = if table.round().is_some() { &lying.staked } else { placed };
        let wager = |(circle, amount): &(Circle, Cents)| OnCircle {
            circle: circle.name().to_owned(),
            amount: amount.to_string(),
        };
        let hand = |hand: &Vec<Lying>| hand.iter().map(|card| seen(card, me)).collect();
        SeatView {
            seat: seat + 1,
            name: chair.map(|chair| chair.player.to_string()),
            rack: chair.map(|chair| chair.rack.to_string()),
            wagers: on_layout.iter().map(wager).collect(),
            hands: lying.hands.iter().map(hand).collect(),
            results: lying.results.clone(),
        }
    }
}

/// A table at a moment.
pub(crate) struct At<'a> {
    pub(crate) name: &'a str,
    pub(crate) table: &'a Table,
    /// How long its clock still runs.
    pub(crate) within: Option<Duration>,
}

/// The lines of those events that a viewer may know.
pub(crate) fn lines(events: &[TableEvent], seat: Option<usize>) -> Vec<String> {
    let known = events.iter().filter(|event| may_see(event.audience, seat));
    known.map(ToString::to_string).collect()
}

/// Where someone sits.
pub(crate) fn seat_of(table: &Table, player: &Name) -> Option<usize> {
    let is_there = |chair: &Option<rules::table::Chair>| {
        chair.as_ref().is_some_and(|chair| chair.player == *player)
    };
    table.seats().iter().position(is_there)
}

fn may_see(audience: Audience, seat: Option<usize>) -> bool {
    match audience {
        Audience::Everyone => true,
        Audience::Box(owner) => seat == Some(owner.into()),
    }
}

fn seen(card: &Lying, seat: Option<usize>) -> String {
    match card {
        Some((card, audience)) if may_see(*audience, seat) => card.to_string(),
        _ => UNSEEN.to_owned(),
    }
}

fn awaited(table: &Table, within: Option<Duration>) -> Awaited {
    let (what, seats) = match table.awaits() {
        TableAwaits::Player => ("player", Vec::new()),
        TableAwaits::Cut(Cutter::Seat(seat)) => ("cut", vec![seat + 1]),
        TableAwaits::Wagers => {
            let chairs = (1..).zip(table.seats());
            let taken = chairs.filter(|(_, chair)| chair.is_some());
            ("wagers", taken.map(|(seat, _)| seat).collect())
        }
        TableAwaits::Round(Awaits::Acts(bettors)) => {
            ("act", bettors.iter().map(|bettor| bettor.seat() + 1).collect())
        }
        _ => ("dealer", Vec::new()),
    };
    let within_ms = within.map(|left| u64::try_from(left.as_millis()).unwrap_or(u64::MAX));
    Awaited { what, seats, within_ms: within_ms.filter(|_| what != "dealer") }
}

fn offers(table: &Table, bettor: Bettor) -> Vec<Offer> {
    let range = |Range { least, most, step }: Range, required| AmountsView {
        least: least.to_string(),
        most: most.to_string(),
        step: step.to_string(),
        required,
    };
    let offer = |call| Offer {
        call: rules::round::Call::name(call),
        amounts: match table.amounts(bettor, call) {
            Amounts::None | Amounts::Hand(_) => None,
            Amounts::Optional(amounts) => Some(range(amounts, false)),
            Amounts::Required(amounts) => Some(range(amounts, true)),
        },
    };
    table.offers(bettor).iter().map(offer).collect()
}

#[cfg(test)]
mod tests {
    use rules::terms::TermSheet;
    use rules::wager::Game;

    use super::*;

    /// A game in which cards are for their owner's eyes comes later; the projection is ready for it.
    #[test]
    fn a_card_for_one_box_is_seen_there_and_nowhere_else_until_it_is_shown() {
        let mut table = Table::new(TermSheet::new(Game::CasinoWar));
        for line in ["sit 1 ann", "sit 2 bob"] {
            table.apply(&line.parse().unwrap(), &mut Vec::new()).unwrap();
        }
        let card = "9d".parse().unwrap();
        let audience = Audience::Box(0);
        let what = What::Round(Event::Dealt { place: Place::hand(0, 0), card, audience });
        let mut outcome = Outcome::default();
        outcome.events.push(TableEvent { audience, what });
        let mut felt = Felt::default();
        felt.follow(&outcome);

        let at = At { name: "war-1", table: &table, within: None };
        let sees = |felt: &Felt, name: &str| {
            let view = felt.view(&at, &name.parse().unwrap());
            serde_json::to_string(&view).unwrap().contains("9d")
        };
        assert_eq!(["ann", "bob", "eve"].map(|name| sees(&felt, name)), [true, false, false]);
        assert!(felt.has_secrets());
        assert_eq!(lines(&outcome.events, Some(0)), ["card 1 9d"]);
        assert!(lines(&outcome.events, Some(1)).is_empty());
        assert!(lines(&outcome.events, None).is_empty());

        let what = What::Round(Event::Shown { seat: 0, hand: 0 });
        outcome.events = vec![TableEvent { audience: Audience::Everyone, what }];
        felt.follow(&outcome);
        assert_eq!(["ann", "bob", "eve"].map(|name| sees(&felt, name)), [true; 3]);
        assert!(!felt.has_secrets());
    }
}
