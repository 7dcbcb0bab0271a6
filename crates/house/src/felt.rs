//! What lies on the felt, and what a viewer sees of it: the one place that redacts.

use std::time::Duration;

use audit::log::Outcome;
use rules::card::Card;
use rules::games;
use rules::money::Chips;
use rules::offer::{self, Added};
use rules::refusal::Refusal;
use rules::round::{Amounts, Audience, Awaits, Call, Event, Place, Range, Round, award_in_words};
use rules::table::{Chair, Cutter, Name, Table, TableAwaits, TableEvent, What};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, MOST_SEATS};

use crate::voice;
use crate::wire::{
    AboutTable, AmountsView, Awaited, AwaitedWhat, CircleView, ClosedCall, CutView, Offer, PayView,
    Refused, ResultView, SeatView, ShoeView, TermView, View, WagerView,
};

/// A card that a viewer does not see.
const UNSEEN: &str = "??";

/// A card on the felt, and who may see it; none where nobody has.
type Lying = Option<(Card, Audience)>;

/// What lies on the layout since bets closed last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Felt {
    dealer: Vec<Lying>,
    burned: usize,
    boxes: [Box; MOST_SEATS],
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Box {
    hands: Vec<Vec<Lying>>,
    staked: Vec<Staked>,
    results: Vec<ResultView>,
}

/// A wager that is not decided; the hand is counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Staked {
    hand: u8,
    circle: Circle,
    amount: Chips,
    free: bool,
}

impl Felt {
    /// Follows what came of an input.
    pub(crate) fn follow(&mut self, outcome: &Outcome) {
        for event in &outcome.events {
            match &event.what {
                What::BetsClosed => *self = Felt::default(),
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
                let staked = self.boxes[usize::from(seat)].staked.iter_mut();
                let behind = staked.filter(|staked| usize::from(staked.hand) > hand);
                behind.for_each(|staked| staked.hand += 1);
            }
            Event::Shown { seat, hand } => {
                let hand = self.boxes[usize::from(seat)].hands.get_mut(usize::from(hand));
                for (_, audience) in hand.into_iter().flatten().flatten() {
                    *audience = Audience::Everyone;
                }
            }
            Event::Staked { bettor, hand, circle, amount } => {
                self.stake(bettor, Staked { hand, circle, amount, free: false });
            }
            Event::Lammer { bettor, hand, circle, value } => {
                self.stake(bettor, Staked { hand, circle, amount: value, free: true });
            }
            Event::Settled(settled) => {
                let lying = &mut self.boxes[settled.bettor.seat()];
                lying.staked.retain(|staked| {
                    (staked.hand, staked.circle) != (settled.hand, settled.circle)
                });
                lying.results.push(ResultView {
                    hand: usize::from(settled.hand) + 1,
                    circle: settled.circle.name(),
                    stake: Some(settled.stake.to_string()),
                    gain: format!("{:+}", settled.gain),
                    words: settled.in_words().to_string(),
                    clause: settled.clause,
                });
            }
            Event::Awarded { bettor, circle, amount, clause } => {
                self.boxes[bettor.seat()].results.push(ResultView {
                    hand: 1,
                    circle: circle.name(),
                    stake: None,
                    gain: format!("{amount:+}"),
                    words: award_in_words(circle).to_owned(),
                    clause,
                });
            }
            Event::Reversed => self.boxes.iter_mut().for_each(|seat| seat.results.clear()),
            _ => {}
        }
    }

    fn lay(&mut self, place: Place, card: Lying) {
        match place {
            Place::Dealer => self.dealer.push(card),
            Place::Burn => self.burned += 1,
            Place::Hand { seat, hand } => {
                let hands = &mut self.boxes[usize::from(seat)].hands;
                if hands.len() <= usize::from(hand) {
                    hands.resize(usize::from(hand) + 1, Vec::new());
                }
                hands[usize::from(hand)].push(card);
            }
        }
    }

    fn stake(&mut self, bettor: Bettor, laid: Staked) {
        let staked = &mut self.boxes[bettor.seat()].staked;
        let key = |staked: &Staked| (staked.hand, staked.circle, staked.free);
        match staked.iter_mut().find(|staked| key(staked) == key(&laid)) {
            Some(staked) => staked.amount = staked.amount + laid.amount,
            None => staked.push(laid),
        }
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
        let awaits = table.awaits();
        View {
            table: at.name.to_owned(),
            round: table.rounds_played() + 1,
            betting: awaits == TableAwaits::Wagers,
            seats: (0..table.seats().len()).map(|seat| self.seat(at, seat, me)).collect(),
            dealer: self.dealer.iter().map(|card| seen(card, me)).collect(),
            burned: self.burned,
            shoe: table.shoe().map(|shoe| ShoeView {
                number: shoe.number,
                seal: shoe.seal.map_or_else(String::new, |seal| seal.to_string()),
                size: shoe.size,
                left: shoe.left(),
                discarded: shoe.dealt.saturating_sub(self.lying()),
                before_cut_card: shoe.cut_card_at.map(|at| at.saturating_sub(shoe.dealt)),
                cut_card_reached: shoe.cut_card_reached,
            }),
            awaited: awaited(at),
            me: me.map(|seat| seat + 1),
            cut: me.filter(|&seat| awaits == TableAwaits::Cut(Cutter::Seat(seat))).map(|_| {
                let (least, most) = table.cut_bounds();
                CutView { least, most, cards: table.shoe().map_or(0, |shoe| shoe.size) }
            }),
            offers: me.map_or_else(Vec::new, |seat| offers(table, Bettor::at(seat))),
            why_not: me.map_or_else(Vec::new, |seat| closed(table, seat)),
            meter: table.meter().map(|meter| meter.to_string()),
            said: voice::prompt(table),
        }
    }

    /// How many cards lie on the layout.
    fn lying(&self) -> usize {
        let hands = self.boxes.iter().flat_map(|seat| &seat.hands).flatten();
        hands.count() + self.dealer.len()
    }

    fn seat(&self, at: &At<'_>, seat: usize, me: Option<usize>) -> SeatView {
        let (lying, chair) = (&self.boxes[seat], at.table.seats()[seat].as_ref());
        let hand = |hand: &Vec<Lying>| hand.iter().map(|card| seen(card, me)).collect();
        SeatView {
            seat: seat + 1,
            name: chair.map(|chair| chair.player.to_string()),
            rack: chair.map(|chair| chair.rack.to_string()),
            ready: chair.is_some_and(|chair| at.ready.contains(&chair.player)),
            wagers: match at.table.round() {
                Some(_) => lying.staked.iter().map(Staked::view).collect(),
                None => chair.map_or_else(Vec::new, placed),
            },
            hands: lying.hands.iter().map(hand).collect(),
            results: lying.results.clone(),
        }
    }
}

impl Staked {
    fn view(&self) -> WagerView {
        WagerView {
            hand: usize::from(self.hand) + 1,
            circle: self.circle.name(),
            amount: self.amount.to_string(),
            free: self.free,
        }
    }
}

/// The wagers that wait for the deal.
fn placed(chair: &Chair) -> Vec<WagerView> {
    let wagers = chair.wager.iter();
    let view = |(circle, amount): &(Circle, _)| WagerView {
        hand: 1,
        circle: circle.name(),
        amount: rules::money::Cents::to_string(amount),
        free: false,
    };
    wagers.map(view).collect()
}

/// A table at a moment.
pub(crate) struct At<'a> {
    pub(crate) name: &'a str,
    pub(crate) table: &'a Table,
    /// Who has no further wager.
    pub(crate) ready: &'a [Name],
    /// How long its clock still runs, and how long it runs in all.
    pub(crate) clock: Option<(Duration, Duration)>,
}

/// What never changes at a table with these terms.
pub(crate) fn about(name: &str, sheet: &TermSheet) -> AboutTable {
    let (game, opening) = (sheet.game(), games::opening(sheet));
    let term = |(term, value): (&'static rules::terms::Term, &str)| TermView {
        key: &term.key,
        value: value.to_owned(),
        meaning: &term.meaning,
    };
    let circle = |circle: Circle| {
        let amounts = opening.amounts(circle);
        Some(CircleView {
            circle: circle.name(),
            title: circle.title(game)?,
            opening: amounts.map(|range| choice(range, circle == Circle::Main)),
        })
    };
    let pay = |pay: games::Pay| PayView {
        circle: pay.circle.name(),
        what: pay.what,
        odds: pay.odds.to_string(),
        clause: pay.clause,
    };
    AboutTable {
        table: name.to_owned(),
        game: game.name(),
        title: game.title(),
        terms: sheet.entries().map(term).collect(),
        circles: Circle::ALL.into_iter().filter_map(circle).collect(),
        pays: games::pays(sheet).into_iter().map(pay).collect(),
        buy_in: choice(opening.buy_in(), true),
    }
}

/// What the viewer of events is told of them, in lines and in sentences.
pub(crate) fn told(
    sheet: &TermSheet,
    events: &[TableEvent],
    seat: Option<usize>,
) -> (Vec<String>, Vec<String>) {
    let known = || events.iter().filter(|event| may_see(event.audience, seat));
    let sentence = |event: &TableEvent| voice::sentence(sheet.game(), &event.what);
    (known().map(ToString::to_string).collect(), known().filter_map(sentence).collect())
}

/// Where someone sits.
pub(crate) fn seat_of(table: &Table, player: &Name) -> Option<usize> {
    let is_there = |chair: &Chair| chair.player == *player;
    table.seats().iter().position(|chair| chair.as_ref().is_some_and(is_there))
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

fn awaited(at: &At<'_>) -> Awaited {
    let (what, seats) = match at.table.awaits() {
        TableAwaits::Player => (AwaitedWhat::Player, Vec::new()),
        TableAwaits::Decks => (AwaitedWhat::Decks, Vec::new()),
        TableAwaits::Inspection(bettor) => (AwaitedWhat::Inspection, vec![bettor.seat() + 1]),
        TableAwaits::Contributions => (AwaitedWhat::Contributions, Vec::new()),
        TableAwaits::Supervisor(_) | TableAwaits::Repair => (AwaitedWhat::Supervisor, Vec::new()),
        TableAwaits::Choice(bettor) => (AwaitedWhat::Choice, vec![bettor.seat() + 1]),
        TableAwaits::Shuffle => (AwaitedWhat::Shuffle, Vec::new()),
        TableAwaits::Cut(Cutter::Seat(seat)) => (AwaitedWhat::Cut, vec![seat + 1]),
        TableAwaits::Cut(Cutter::Dealer) => (AwaitedWhat::Cut, Vec::new()),
        TableAwaits::Wagers => {
            let chairs = (1..).zip(at.table.seats());
            let taken = chairs.filter(|(_, chair)| chair.is_some());
            (AwaitedWhat::Wagers, taken.map(|(seat, _)| seat).collect())
        }
        TableAwaits::Round(Awaits::Acts(bettors)) => {
            (AwaitedWhat::Act, bettors.iter().map(|bettor| bettor.seat() + 1).collect())
        }
        TableAwaits::Round(Awaits::FaceDown(Place::Burn)) if at.table.round().is_none() => {
            (AwaitedWhat::Burn, Vec::new())
        }
        TableAwaits::Round(_) => (AwaitedWhat::Dealer, Vec::new()),
        TableAwaits::Reveal => (AwaitedWhat::Reveal, Vec::new()),
    };
    // Nobody has to hurry for the dealer.
    let clock = at.clock.filter(|_| !seats.is_empty());
    let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let (within_ms, of_ms) = (clock.map(|(left, _)| ms(left)), clock.map(|(_, all)| ms(all)));
    Awaited { what, seats, within_ms, of_ms }
}

fn offers(table: &Table, bettor: Bettor) -> Vec<Offer> {
    let Some(round) = table.round() else { return Vec::new() };
    let offer = |call: Call| {
        let added = offer::added(round, bettor, call);
        let circle = offer::circle_of_amount(round, bettor, call);
        Offer {
            call: call.name(),
            words: call.in_words(),
            stake: match added {
                Added::Chips(chips) => Some(chips.to_string()),
                Added::Nothing | Added::Lammer => None,
            },
            free: added == Added::Lammer,
            amounts: match table.amounts(bettor, call) {
                Amounts::Optional(range) if !range.is_empty() => Some(choice(range, false)),
                Amounts::Required(range) => Some(choice(range, true)),
                Amounts::None | Amounts::Hand(_) | Amounts::Optional(_) => None,
            },
            circle: circle.and_then(|circle| circle.title(round.game())),
        }
    };
    table.offers(bettor).iter().map(offer).collect()
}

/// The usual calls that are closed to a seat with a wager in the round.
fn closed(table: &Table, seat: usize) -> Vec<ClosedCall> {
    let chair = table.seats()[seat].as_ref();
    let (Some(round), Some(_)) = (table.round(), chair.filter(|chair| !chair.wager.is_empty()))
    else {
        return Vec::new();
    };
    let game = round.game();
    let closed = |(call, refusal): (Call, Refusal)| ClosedCall {
        call: call.name(),
        words: call.in_words(),
        refusal: Refused {
            sentence: refusal.in_words(game),
            source: refusal.source(game).id().to_owned(),
        },
    };
    offer::closed(round, Bettor::at(seat)).map(closed).collect()
}

fn choice(Range { least, most, step }: Range, required: bool) -> AmountsView {
    let [least, most, step] = [least, most, step].map(|chips| chips.to_string());
    AmountsView { least, most, step, required }
}

#[cfg(test)]
mod tests {
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

        let at = At { name: "war-1", table: &table, ready: &[], clock: None };
        let sees = |felt: &Felt, name: &str| {
            let view = felt.view(&at, &name.parse().unwrap());
            serde_json::to_string(&view).unwrap().contains("9d")
        };
        assert_eq!(["ann", "bob", "eve"].map(|name| sees(&felt, name)), [true, false, false]);
        assert!(felt.has_secrets());
        let told = |seat| told(table.sheet(), &outcome.events, seat);
        let (lines, sentences) = told(Some(0));
        assert_eq!(
            (lines[0].as_str(), sentences[0].as_str()),
            ("card 1 9d", "Seat 1: nine of diamonds.")
        );
        for stranger in [Some(1), None] {
            assert_eq!(told(stranger), (Vec::new(), Vec::new()));
        }

        let what = What::Round(Event::Shown { seat: 0, hand: 0 });
        outcome.events = vec![TableEvent { audience: Audience::Everyone, what }];
        felt.follow(&outcome);
        assert_eq!(["ann", "bob", "eve"].map(|name| sees(&felt, name)), [true; 3]);
        assert!(!felt.has_secrets());
    }
}
