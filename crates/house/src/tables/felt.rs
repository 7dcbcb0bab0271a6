//! What lies on the felt, and what a viewer sees of it: the one place that redacts.

use std::cell::OnceCell;
use std::time::Duration;

use audit::log::Outcome;
use rules::card::Card;
use rules::games::AnyRound;
use rules::games::blackjack::Points;
use rules::money::{Cents, Chips};
use rules::round::{Audience, Event, Place, Remedy, Ruling, Settlement, Why};
use rules::table::{Batch, Chair, Cutter, Name, Table, TableAwaits, TableEvent, TableShoe};
use rules::wager::{Bettor, Circle, MOST_BETTORS, MOST_SEATS};

use wire::{
    Awaited, AwaitedWhat, BehindView, CommitmentView, CompanyView, CutView, Holds, MixStage,
    MixView, OddsView, PileView, Refusal, ResultView, SeatView, Shared, ShoeView, View, WagerEnd,
    WagerView,
};

use super::about::odds_view;
use super::asks::{awaited_of, barred, choices, frozen, offers, outcomes};
use super::commands::places;
use super::voice;
use crate::people::names::is_house_player;
use crate::people::{Person, Role};

/// A card that a viewer does not see.
pub(crate) const UNSEEN: &str = "??";

/// A card on the felt, and who may see it; none where nobody has.
type Lying = Option<(Card, Audience)>;

/// What lies on the layout since bets closed last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Felt {
    dealer: Vec<Lying>,
    burned: usize,
    boxes: [Box; MOST_SEATS],
    /// Whether the round is settled.
    is_over: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Box {
    hands: Vec<Hand>,
    staked: Vec<Staked>,
    results: Vec<(Bettor, ResultView)>,
}

/// A hand, as it lies before a box.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Hand {
    cards: Vec<Lying>,
    /// Whether its next card is that of a double.
    doubled: bool,
    /// Whether its last one is.
    sideways: bool,
}

impl Hand {
    fn lay(&mut self, card: Lying) {
        self.cards.push(card);
        self.sideways = std::mem::take(&mut self.doubled);
    }

    /// How many of the first cards only whoever has the box sees.
    fn lifted(&self) -> usize {
        let is_lifted = |card: &&Lying| matches!(card, Some((_, Audience::Box(_))));
        self.cards.iter().take_while(is_lifted).count()
    }
}

impl Box {
    /// The hand of a number, which is there from now on.
    fn hand(&mut self, hand: u8) -> &mut Hand {
        let hand = usize::from(hand);
        if self.hands.len() <= hand {
            self.hands.resize(hand + 1, Hand::default());
        }
        &mut self.hands[hand]
    }

    /// Somebody is gone, with all that lay there.
    fn leave(&mut self, bettor: Bettor) {
        self.staked.retain(|staked| staked.bettor != bettor);
        self.results.retain(|(other, _)| *other != bettor);
        if bettor.decides() {
            self.hands.clear();
        }
    }

    fn wagers(&self, bettor: Bettor) -> Vec<WagerView> {
        let own = self.staked.iter().filter(|staked| staked.bettor == bettor);
        own.map(Staked::view).collect()
    }

    fn results(&self, bettor: Bettor) -> Vec<ResultView> {
        let own = self.results.iter().filter(|(other, _)| *other == bettor);
        own.map(|(_, result)| result.clone()).collect()
    }
}

/// A wager that is not decided; the hand is counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Staked {
    bettor: Bettor,
    hand: u8,
    circle: Circle,
    amount: Chips,
    free: bool,
}

impl Felt {
    /// Follows what came of an input.
    pub(crate) fn follow(&mut self, outcome: &Outcome) {
        for event in &outcome.events {
            match event {
                TableEvent::BetsClosed => *self = Felt::default(),
                // Fresh cards come to a cleared layout; those that are shuffled in mid-round do not
                // (G-18). A single deck is neither spread, cut nor burned from between rounds, and
                // what happened stays in sight.
                TableEvent::Spread { .. } | TableEvent::Cut { .. } | TableEvent::Burned
                    if self.is_over =>
                {
                    *self = Felt::default();
                }
                TableEvent::Left { bettor, .. } => self.boxes[bettor.seat()].leave(*bettor),
                TableEvent::Round(event) => self.follow_round(*event),
                TableEvent::Settled => {
                    self.open_all();
                    self.is_over = true;
                }
                _ => {}
            }
        }
    }

    /// The round is over, and the log tells every card that somebody has seen (DDB-R04).
    fn open_all(&mut self) {
        let hands = self.boxes.iter_mut().flat_map(|seat| &mut seat.hands);
        for (_, audience) in hands.flat_map(|hand| &mut hand.cards).flatten() {
            *audience = Audience::Everyone;
        }
    }

    fn follow_round(&mut self, event: Event) {
        match event {
            Event::Dealt { place, card, audience } => self.lay(place, Some((card, audience))),
            Event::FaceDown(place) => self.lay(place, None),
            Event::Turned(card) | Event::Remedied(Remedy::HoleCardShown(card)) => {
                let turned = self.dealer.iter_mut().find(|lying| lying.is_none());
                if let Some(lying) = turned {
                    *lying = Some((card, Audience::Everyone));
                }
            }
            Event::Split { seat, hand } => {
                let (hands, hand) = (&mut self.boxes[usize::from(seat)].hands, usize::from(hand));
                let moved = hands.get_mut(hand).and_then(|hand| hand.cards.pop());
                let moved = Hand { cards: moved.into_iter().collect(), ..Hand::default() };
                hands.insert((hand + 1).min(hands.len()), moved);
                let staked = self.boxes[usize::from(seat)].staked.iter_mut();
                let behind = staked.filter(|staked| usize::from(staked.hand) > hand);
                behind.for_each(|staked| staked.hand += 1);
            }
            Event::Shown { seat, hand } => {
                let hand = self.boxes[usize::from(seat)].hands.get_mut(usize::from(hand));
                for (_, audience) in hand.into_iter().flat_map(|hand| &mut hand.cards).flatten() {
                    *audience = Audience::Everyone;
                }
            }
            Event::Staked { bettor, hand, circle, amount } => {
                self.stake(Staked { bettor, hand, circle, amount, free: false });
            }
            Event::Lammer { bettor, hand, circle, value } => {
                self.stake(Staked { bettor, hand, circle, amount: value, free: true });
            }
            Event::Settled(settled) => {
                let lying = &mut self.boxes[settled.bettor.seat()];
                lying.staked.retain(|staked| {
                    (staked.bettor, staked.hand, staked.circle)
                        != (settled.bettor, settled.hand, settled.circle)
                });
                let result = ResultView {
                    hand: usize::from(settled.hand) + 1,
                    circle: settled.circle.name().into(),
                    stake: Some(settled.stake.to_string()),
                    gain: format!("{:+}", settled.gain),
                    end: end(&settled),
                    odds: odds_of(&settled),
                    why: settled.reason.why.name().into(),
                    clause: settled.reason.clause.into(),
                };
                lying.results.push((settled.bettor, result));
            }
            Event::Awarded { bettor, circle, amount, clause } => {
                let result = ResultView {
                    hand: 1,
                    circle: circle.name().into(),
                    stake: None,
                    gain: format!("{amount:+}"),
                    end: award_end(circle),
                    odds: None,
                    why: Why::PayTable.name().into(),
                    clause: clause.into(),
                };
                self.boxes[bettor.seat()].results.push((bettor, result));
            }
            Event::Reversed => self.boxes.iter_mut().for_each(|seat| seat.results.clear()),
            _ => {}
        }
    }

    /// The money of a bettor that lies on the layout.
    pub(crate) fn staked(&self, bettor: Bettor) -> Cents {
        let staked = self.boxes[bettor.seat()].staked.iter();
        let own = staked.filter(|staked| staked.bettor == bettor && !staked.free);
        own.map(|staked| Cents::from(staked.amount)).sum()
    }

    fn lay(&mut self, place: Place, card: Lying) {
        match place {
            Place::Dealer => self.dealer.push(card),
            Place::Burn => self.burned += 1,
            Place::Hand { seat, hand } => self.boxes[usize::from(seat)].hand(hand).lay(card),
        }
    }

    fn stake(&mut self, laid: Staked) {
        if laid.circle == Circle::Double {
            self.boxes[laid.bettor.seat()].hand(laid.hand).doubled = true;
        }
        let staked = &mut self.boxes[laid.bettor.seat()].staked;
        let key = |staked: &Staked| (staked.bettor, staked.hand, staked.circle, staked.free);
        match staked.iter_mut().find(|staked| key(staked) == key(&laid)) {
            Some(staked) => staked.amount = staked.amount + laid.amount,
            None => staked.push(laid),
        }
    }

    /// Whether a card lies there that some viewers may not see.
    pub(crate) fn has_secrets(&self) -> bool {
        let hands = self.boxes.iter().flat_map(|seat| &seat.hands);
        let hands = hands.flat_map(|hand| &hand.cards);
        hands.chain(&self.dealer).flatten().any(|(_, audience)| *audience != Audience::Everyone)
    }

    /// Whether a viewer sees every card of a box.
    fn sees_all(&self, seat: usize, eyes: &[usize]) -> bool {
        let mut cards = self.boxes[seat].hands.iter().flat_map(|hand| &hand.cards).flatten();
        cards.all(|(_, audience)| may_see(*audience, eyes))
    }

    /// What a viewer sees of a table.
    pub(crate) fn view(&self, at: &At<'_>, viewer: &Person) -> View {
        let table = at.table;
        let mine = places(table, &viewer.name);
        let eyes = seats(table, &mine);
        let awaits = table.awaits();
        let is_newcomer = mine.is_empty() && at.shuffles_for_newcomers;
        let barred = if is_newcomer { None } else { barred(table, &mine) };
        View {
            table: at.name.to_owned(),
            round: table.rounds_played() + 1,
            betting: awaits == TableAwaits::Wagers,
            seats: match self.has_secrets() {
                true => self.seats(at, &eyes),
                false => at.seats.get_or_init(|| self.seats(at, &[])).clone(),
            },
            dealer: self.dealer.iter().map(|card| seen(card, &eyes)).collect(),
            dealer_holds: shown_round(table).and_then(AnyRound::dealer_points).map(holds_of),
            burned: self.burned,
            shoe: table.shoe().map(shoe),
            pile: table.shoe().map(|shoe| pile(table, shoe)),
            mix: mix(at, &viewer.name),
            awaited: awaited(at),
            me: mine.first().map(|bettor| bettor.seat() + 1),
            mine: mine.iter().map(ToString::to_string).collect(),
            cut: match awaits {
                TableAwaits::Cut(Cutter::Seat(bettor)) | TableAwaits::Commitments(Some(bettor))
                    if mine.contains(&bettor) && !at.has_named_cut =>
                {
                    let (least, most) = table.cut_bounds();
                    Some(CutView { least, most, cards: table.shoe().map_or(0, |shoe| shoe.size) })
                }
                _ => None,
            },
            offers: mine.iter().flat_map(|bettor| offers(table, *bettor)).collect(),
            choices: choices(table, &mine),
            outcomes: match viewer.role {
                Role::Supervisor => outcomes(table),
                _ => Vec::new(),
            },
            spread: table.spread_face_up(),
            meter: table.meter().map(|meter| meter.to_string()),
            prompt: at.trouble.map_or_else(
                || voice::prompt(table, |seat| self.sees_all(seat, &eyes)),
                |trouble| trouble.sentence.clone(),
            ),
            procedure: match viewer.role {
                Role::Dealer => table.notes().iter().map(|note| note.words.to_owned()).collect(),
                _ => Vec::new(),
            },
            trouble: at.trouble.cloned(),
            shuffle_in: match &barred {
                Some(_) => at.shuffle_in.map(|wait| wait.as_secs()),
                None => None,
            },
            barred,
            frozen: frozen(table),
            company: at.company.map(|(asked, most)| {
                let chairs = table.everyone().filter(|(_, chair)| {
                    at.bots.contains(&chair.player) && is_house_player(&chair.player)
                });
                let seats = chairs.map(|(bettor, _)| bettor.seat() + 1).collect();
                CompanyView { asked, most, seats }
            }),
        }
    }

    fn seats(&self, at: &At<'_>, eyes: &[usize]) -> Shared<Vec<SeatView>> {
        let seats = 0..at.table.seats().len();
        Shared::from(seats.map(|seat| self.seat(at, seat, eyes)).collect::<Vec<_>>())
    }

    fn seat(&self, at: &At<'_>, seat: usize, eyes: &[usize]) -> SeatView {
        let (lying, bettor) = (&self.boxes[seat], Bettor::at(seat));
        let (chair, round) = (at.table.chair(bettor), at.table.round());
        let hand = |hand: &Hand| hand.cards.iter().map(|card| seen(card, eyes)).collect();
        let behind = (1..MOST_BETTORS).map(|place| Bettor::behind(seat, place));
        let asking = at.asking.iter().filter(|(of, _)| *of == seat);
        SeatView {
            seat: seat + 1,
            name: chair.map(|chair| chair.player.to_string()),
            bot: chair.is_some_and(|chair| at.bots.contains(&chair.player)),
            away: chair.is_some_and(|chair| at.away.contains(&chair.player)),
            waits: chair.is_some() && at.table.may_bet_next(Some(bettor)).is_err(),
            rack: chair.map(|chair| rack(at.table, chair)),
            ready: chair.is_some_and(|chair| at.ready.contains(&chair.player)),
            wagers: self.wagers(at, bettor),
            hands: lying.hands.iter().map(hand).collect(),
            lifted: lying.hands.iter().map(Hand::lifted).collect(),
            sideways: lying.hands.iter().map(|hand| hand.sideways).collect(),
            surrendered: (0..lying.hands.len())
                .map(|hand| round.is_some_and(|round| round.gave_up(seat, hand)))
                .collect(),
            holds: (0..lying.hands.len()).map(|hand| self.holds(at, seat, hand, eyes)).collect(),
            playing: round.and_then(|round| round.current_hand(seat)).map(|hand| hand + 1),
            results: lying.results(bettor),
            behind: behind.filter_map(|bettor| self.behind(at, bettor)).collect(),
            asking: asking.map(|(_, name)| name.to_string()).collect(),
        }
    }

    fn behind(&self, at: &At<'_>, bettor: Bettor) -> Option<BehindView> {
        let chair = at.table.chair(bettor)?;
        Some(BehindView {
            at: bettor.to_string(),
            name: chair.player.to_string(),
            bot: at.bots.contains(&chair.player),
            away: at.away.contains(&chair.player),
            waits: at.table.may_bet_next(Some(bettor)).is_err(),
            rack: rack(at.table, chair),
            ready: at.ready.contains(&chair.player),
            wagers: self.wagers(at, bettor),
            results: self.boxes[bettor.seat()].results(bettor),
        })
    }

    fn wagers(&self, at: &At<'_>, bettor: Bettor) -> Vec<WagerView> {
        match at.table.round() {
            Some(_) => self.boxes[bettor.seat()].wagers(bettor),
            None => at.table.chair(bettor).map_or_else(Vec::new, placed),
        }
    }

    /// What a hand makes, for whoever sees every card of it.
    fn holds(&self, at: &At<'_>, seat: usize, hand: usize, eyes: &[usize]) -> Option<Holds> {
        let cards = &self.boxes[seat].hands[hand].cards;
        let sees = |card: &Lying| card.is_some_and(|(_, audience)| may_see(audience, eyes));
        let round = shown_round(at.table).filter(|_| cards.iter().all(sees))?;
        let category = || round.category(seat).map(|category| Holds::Hand(category.name().into()));
        round.points(seat, hand).map(holds_of).or_else(category)
    }
}

/// The round whose cards lie on the layout: the one in play, or the last one until bets close again.
fn shown_round(table: &Table) -> Option<&AnyRound> {
    table.round().or_else(|| table.last_round())
}

/// What points make.
pub(super) fn holds_of(points: Points) -> Holds {
    match points.is_soft() {
        true => Holds::Soft(points.total()),
        false => Holds::Hard(points.total()),
    }
}

/// How a wager ended.
pub(super) const fn end(settled: &Settlement) -> WagerEnd {
    match settled.ruling {
        Ruling::Pay(_) => WagerEnd::Pay,
        Ruling::PayAndCollect(_) => WagerEnd::PayAndCollect,
        Ruling::Push => WagerEnd::Push,
        Ruling::Take => WagerEnd::Take,
        Ruling::TakeHalf => WagerEnd::TakeHalf,
        Ruling::Return if settled.lammer => WagerEnd::RemoveLammer,
        Ruling::Return => WagerEnd::Return,
    }
}

/// How an award is told.
pub(super) const fn award_end(circle: Circle) -> WagerEnd {
    match circle {
        Circle::Envy => WagerEnd::Envy,
        _ => WagerEnd::Award,
    }
}

/// At which odds a wager won.
pub(super) const fn odds_of(settled: &Settlement) -> Option<OddsView> {
    match settled.ruling {
        Ruling::Pay(odds) | Ruling::PayAndCollect(odds) => Some(odds_view(odds)),
        _ => None,
    }
}

/// The chips of whoever has a chair, wherever they lie.
fn rack(table: &Table, chair: &Chair) -> String {
    table.chair(chair.home).map_or(chair.rack, |home| home.rack).to_string()
}

impl Staked {
    fn view(&self) -> WagerView {
        WagerView {
            hand: usize::from(self.hand) + 1,
            circle: self.circle.name().into(),
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
        circle: circle.name().into(),
        amount: Cents::to_string(amount),
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
    /// Who asks to bet on which box.
    pub(crate) asking: &'a [(usize, Name)],
    /// Who of those seated is a program.
    pub(crate) bots: Vec<Name>,
    /// How many house players were asked for, and how many may be; none where there are none.
    pub(crate) company: Option<(usize, usize)>,
    /// Who of those seated is not there.
    pub(crate) away: Vec<Name>,
    /// Why nothing is taken.
    pub(crate) trouble: Option<&'a Refusal>,
    /// How long its clock still runs, and how long it runs in all.
    pub(crate) clock: Option<(Duration, Duration)>,
    /// About how long it is until the next shuffle.
    pub(crate) shuffle_in: Option<Duration>,
    /// Whether the cards are shuffled for whoever sits down now.
    pub(crate) shuffles_for_newcomers: bool,
    /// Of whom an answer for the order of the cards is awaited, and whether they gave it.
    pub(crate) answers: Vec<(Name, bool)>,
    /// Whether whoever is asked has named the cut.
    pub(crate) has_named_cut: bool,
    /// The commitments to the order of the shoe in use, where they are known.
    pub(crate) list: Option<&'a [CommitmentView]>,
    /// The seats, once somebody has looked, while everybody sees the same.
    pub(crate) seats: OnceCell<Shared<Vec<SeatView>>>,
}

/// The boxes of these places, whose cards are for whoever has them: in a round, whoever wagers there.
/// Whoever sits down where somebody was released has no part in that hand.
pub(crate) fn seats(table: &Table, places: &[Bettor]) -> Vec<usize> {
    let wagers = |bettor| table.chair(bettor).is_some_and(|chair| !chair.wager.is_empty());
    let own = places.iter().filter(|bettor| table.round().is_none() || wagers(**bettor));
    own.map(|bettor| bettor.seat()).collect()
}

pub(crate) fn may_see(audience: Audience, eyes: &[usize]) -> bool {
    match audience {
        Audience::Everyone => true,
        Audience::Box(owner) => eyes.contains(&owner.into()),
    }
}

fn seen(card: &Lying, eyes: &[usize]) -> String {
    match card {
        Some((card, audience)) if may_see(*audience, eyes) => card.to_string(),
        _ => UNSEEN.to_owned(),
    }
}

/// The first seat of somebody, counted from 1.
fn first_seat(table: &Table, player: &Name) -> Option<usize> {
    let mut own = table.everyone().filter(|(_, chair)| chair.player == *player);
    own.next().map(|(bettor, _)| bettor.seat() + 1)
}

/// What players add to the order of the shoe in use.
fn mix(at: &At<'_>, viewer: &Name) -> Option<MixView> {
    let stage = match at.table.awaits() {
        TableAwaits::Commitments(_) => MixStage::Commit,
        TableAwaits::Openings => MixStage::Open,
        _ => MixStage::Mixed,
    };
    let answered = at.answers.iter().find(|(name, _)| name == viewer);
    let answered = answered.map(|(_, has_answered)| *has_answered);
    Some(MixView { stage, answered, list: at.list?.to_vec() })
}

fn awaited(at: &At<'_>) -> Awaited {
    let (mut what, mut seats) = awaited_of(at.table);
    seats.dedup();
    if what == AwaitedWhat::Cut && at.has_named_cut {
        what = AwaitedWhat::Commitments;
    }
    if matches!(what, AwaitedWhat::Commitments | AwaitedWhat::Openings) {
        let missing = at.answers.iter().filter(|(_, has_answered)| !has_answered);
        seats = missing.filter_map(|(name, _)| first_seat(at.table, name)).collect();
    }
    let clock = at.clock;
    let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let (within_ms, of_ms) = (clock.map(|(left, _)| ms(left)), clock.map(|(_, all)| ms(all)));
    Awaited { what, seats, within_ms, of_ms }
}

/// What stays the same of a shoe.
fn shoe(shoe: &TableShoe) -> ShoeView {
    ShoeView {
        number: shoe.number,
        seal: shoe.seal.map_or_else(String::new, |seal| seal.to_string()),
        size: shoe.size,
        batch: match shoe.batch {
            Batch::First => 1,
            Batch::Second => 2,
        },
    }
}

/// How far a shoe is dealt.
fn pile(table: &Table, shoe: &TableShoe) -> PileView {
    PileView {
        left: shoe.left(),
        discarded: shoe.dealt.saturating_sub(table.layout().len()),
        before_cut_card: shoe.cut_card_at.map(|at| at.saturating_sub(shoe.dealt)),
        cut_card_reached: shoe.cut_card_reached(),
    }
}

#[cfg(test)]
mod tests {
    use rules::table::Input;
    use rules::terms::TermSheet;
    use rules::wager::Game;

    use super::*;

    /// A table at which everybody is present and nobody is ready.
    fn seen_plainly(table: &Table) -> At<'_> {
        At {
            name: "table-1",
            table,
            ready: &[],
            asking: &[],
            bots: Vec::new(),
            company: None,
            away: Vec::new(),
            trouble: None,
            clock: None,
            shuffle_in: None,
            shuffles_for_newcomers: false,
            answers: Vec::new(),
            has_named_cut: false,
            list: None,
            seats: OnceCell::new(),
        }
    }

    /// As in Double Deck.
    #[test]
    fn a_card_for_one_box_is_seen_there_and_nowhere_else_until_it_is_shown() {
        let mut table = Table::new(TermSheet::new(Game::CasinoWar));
        for line in ["sit 1 ann", "sit 2 bob"] {
            table.apply(&line.parse().unwrap(), &mut Vec::new()).unwrap();
        }
        let card = "9d".parse().unwrap();
        let audience = Audience::Box(0);
        let dealt = TableEvent::Round(Event::Dealt { place: Place::hand(0, 0), card, audience });
        let mut outcome = Outcome::default();
        outcome.events.push(dealt);
        let mut felt = Felt::default();
        felt.follow(&outcome);

        let at = seen_plainly(&table);
        let sees = |felt: &Felt, name: &str| {
            let view = felt.view(&at, &Person::player(name.parse().unwrap()));
            serde_json::to_string(&view).unwrap().contains("9d")
        };
        assert_eq!(["ann", "bob", "eve"].map(|name| sees(&felt, name)), [true, false, false]);
        assert!(felt.has_secrets());
        outcome.events = vec![TableEvent::Round(Event::Shown { seat: 0, hand: 0 })];
        felt.follow(&outcome);
        assert_eq!(["ann", "bob", "eve"].map(|name| sees(&felt, name)), [true; 3]);
        assert!(!felt.has_secrets());
    }

    #[test]
    fn whoever_sits_down_where_somebody_was_released_does_not_see_that_hand() {
        // DDB-R04, DDB-R18, G-10.
        let mut table = Table::new(TermSheet::new(Game::DoubleDeck));
        let mut felt = Felt::default();
        let mut tell = |line: &str| {
            let input = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
            let outcome = Outcome::of(&mut table, &input);
            felt.follow(&outcome.unwrap_or_else(|refusal| panic!("{line}: {refusal}")));
            let at = seen_plainly(&table);
            ["ann", "bob", "cid"].map(|name| {
                let view = felt.view(&at, &Person::player(name.parse().unwrap()));
                serde_json::to_string(&view).unwrap().contains("9d")
            })
        };
        for line in [
            "sit 1 ann",
            "sit 2 bob",
            "buy-in 1 100",
            "buy-in 2 100",
            "inspect 1",
            "shuffle physical wash plug riffle riffle strip turn riffle cut",
            "cut 1 20",
            "card ??",
            "wager 1 main 10",
            "wager 2 main 10",
            "deal",
        ] {
            tell(line);
        }
        assert_eq!(tell("card 9d"), [true, false, false]);
        tell("report misdealt dealer 4c by dealer");
        assert_eq!(tell("order release 1 by eve"), [true, false, false]);
        tell("order forward by eve");
        assert_eq!(tell("leave 1"), [false; 3]);
        assert_eq!(tell("sit 1 cid"), [false; 3]);
    }

    /// What a viewer sees of seat 1 after events of a round.
    fn seat_after(felt: &mut Felt, table: &Table, events: &[Event]) -> SeatView {
        let events = events.iter().copied().map(TableEvent::Round).collect();
        felt.follow(&Outcome { events, ..Outcome::default() });
        let at = seen_plainly(table);
        felt.view(&at, &Person::player("bob".parse().unwrap())).seats[0].clone()
    }

    #[test]
    fn private_cards_are_lifted_and_the_card_of_a_double_lies_sideways() {
        let table = Table::new(TermSheet::new(Game::DoubleDeck));
        let mut felt = Felt::default();
        let dealt = |hand, card: &str, audience| Event::Dealt {
            place: Place::hand(0, hand),
            card: card.parse().unwrap(),
            audience,
        };
        let own = Audience::Box(0);
        let seat = seat_after(&mut felt, &table, &[dealt(0, "8d", own), dealt(0, "8c", own)]);
        assert_eq!((seat.lifted, seat.sideways), (vec![2], vec![false]));
        let split = [Event::Shown { seat: 0, hand: 0 }, Event::Split { seat: 0, hand: 0 }];
        let seat = seat_after(&mut felt, &table, &split);
        assert_eq!((seat.lifted, seat.sideways), (vec![0, 0], vec![false, false]));
        let hit = dealt(0, "3h", Audience::Everyone);
        let seat = seat_after(&mut felt, &table, &[hit]);
        assert_eq!(seat.sideways, [false, false]);
        let (bettor, circle, amount) = (Bettor::at(0), Circle::Double, Chips::dollars(5));
        let double = [Event::Staked { bettor, hand: 0, circle, amount }];
        assert_eq!(seat_after(&mut felt, &table, &double).sideways, [false, false]);
        let card = dealt(0, "Td", Audience::Everyone);
        let seat = seat_after(&mut felt, &table, &[card]);
        assert_eq!((seat.sideways, seat.hands[0].len()), (vec![true, false], 3));
    }

    /// What a spectator and another player see and hear does not depend on cards that are not for them:
    /// neither a pair, nor a natural, nor a total can be told from it.
    #[test]
    fn nothing_that_others_are_shown_depends_on_private_cards() {
        let told_with = |[first, second]: [&str; 2], up: &str| {
            let mut table = Table::new(TermSheet::new(Game::DoubleDeck));
            let mut felt = Felt::default();
            let mut told = Vec::new();
            let mut put = |line: String| {
                let input: Input = line.parse().unwrap();
                let outcome = Outcome::of(&mut table, &input).unwrap();
                felt.follow(&outcome);
                let at = seen_plainly(&table);
                for (name, eyes) in [("eve", &[][..]), ("bob", &[1])] {
                    let view = felt.view(&at, &Person::player(name.parse().unwrap()));
                    let events =
                        crate::tables::story::told(table.sheet(), (&outcome.events, false), eyes);
                    told.push((serde_json::to_string(&view).unwrap(), events));
                }
                let ann = felt.view(&at, &Person::player("ann".parse().unwrap()));
                (ann.prompt, outcome.lines().filter(|line| line.is_private).count())
            };
            let steps = "wash plug riffle riffle strip turn riffle cut";
            for line in ["sit 1 ann", "buy-in 1 100", "sit 2 bob", "buy-in 2 100", "inspect 1"] {
                put(line.to_owned());
            }
            put(format!("shuffle {} {steps}", "0".repeat(64)));
            for line in ["commit cut 1 50", "card ??", "wager 1 main 10", "wager 2 main 10", "deal"]
            {
                put(line.to_owned());
            }
            let (mut own, mut private) = (String::new(), 0);
            for card in [first, "Ts", up, second, "9s", "??"] {
                let (prompt, lines) = put(format!("card {card}"));
                (own, private) = (prompt, private + lines);
            }
            assert_eq!(private, 4, "an event for each of four cards");
            (told, own)
        };
        // Under a six the hands are played: a pair can be split, and 5 and 6 be doubled.
        let (plain, own) = told_with(["Tc", "6h"], "6d");
        let (others, last) = &plain[plain.len() - 2];
        assert!(others.contains("Seat 1, please decide."), "{others}");
        assert!(last.0.iter().all(|line| line == "card dealer ??"), "{last:?}");
        for hand in [["8c", "8h"], ["5c", "6h"], ["Ac", "7h"]] {
            let (others, pair) = told_with(hand, "6d");
            assert!(others == plain, "{hand:?} can be told from 16");
            assert!(pair.starts_with("Seat 1: ") && own.starts_with("Seat 1: "), "{pair} {own}");
        }
        // Under an ace a natural can take even money.
        let (plain, _) = told_with(["Tc", "6h"], "Ad");
        assert!(told_with(["Tc", "Ah"], "Ad").0 == plain, "a natural can be told");
    }

    #[test]
    fn cards_lie_spread_until_they_are_seen_and_a_wager_lies_on_a_hand_that_was_given_up() {
        let mut table = Table::new(TermSheet::new(Game::CasinoWar));
        let mut felt = Felt::default();
        let steps = "wash plug riffle riffle strip turn riffle cut";
        let shuffle = format!("shuffle {} {steps}", "0".repeat(64));
        let mut after = |line: &str| {
            let input: Input = line.parse().unwrap();
            felt.follow(&Outcome::of(&mut table, &input).unwrap());
            let at = seen_plainly(&table);
            let view = felt.view(&at, &Person::player("ann".parse().unwrap()));
            let surrendered: Vec<bool> =
                view.seats.iter().flat_map(|seat| seat.surrendered.clone()).collect();
            (view.spread, view.shoe.map(|shoe| shoe.batch), surrendered)
        };
        assert_eq!(after("sit 1 ann"), (Some(true), None, vec![]));
        for line in ["buy-in 1 100", "sit 2 bob", "buy-in 2 100"] {
            assert_eq!(after(line).0, Some(true));
        }
        assert_eq!(after("inspect 1").0, None);
        assert_eq!(after(&shuffle).1, Some(1));
        for line in ["commit cut 1 60", "card ??", "wager 1 main 10", "wager 2 main 10", "deal"] {
            after(line);
        }
        for card in ["card 9d", "card 9c", "card 9h"] {
            assert!(!after(card).2.contains(&true));
        }
        // Bob has not answered, so nothing is settled (CW-8-c-1).
        assert_eq!(after("act 1 surrender").2, [true, false]);
        assert_eq!(after("act 2 surrender").2, [false, false]);
    }

    #[test]
    fn totals_stay_until_bets_close_again_and_an_ace_is_called_by_its_name() {
        let mut table = Table::new(TermSheet::new(Game::DoubleDeck));
        let mut felt = Felt::default();
        let put = |table: &mut Table, felt: &mut Felt, input: Input| {
            felt.follow(&Outcome::of(table, &input).unwrap());
            felt.view(&seen_plainly(table), &Person::player("ann".parse().unwrap()))
        };
        let play = |table: &mut Table, felt: &mut Felt, lines: &[&str]| {
            let views = lines.iter().map(|line| put(table, felt, line.parse().unwrap()));
            views.last().unwrap()
        };
        play(&mut table, &mut felt, &["sit 1 ann", "buy-in 1 100", "inspect 1"]);
        let steps = table.usual_shuffle();
        let seal = "0".repeat(64).parse().ok();
        put(&mut table, &mut felt, Input::Shuffle { seal, steps });
        let deal = ["commit cut 1 60", "card ??", "wager 1 main 10", "deal"];
        play(&mut table, &mut felt, &deal);
        // 20 against a seven, under which lies a ten.
        play(&mut table, &mut felt, &["card Kd", "card 7s", "card Qh", "card ??"]);
        let view = play(&mut table, &mut felt, &["act 1 stand", "turn Tc"]);
        assert!(view.betting);
        assert_eq!(view.dealer_holds, Some(Holds::Hard(17)));
        assert_eq!(view.seats[0].holds, [Some(Holds::Hard(20))]);
        assert_eq!(view.seats[0].results[0].why, "higher");
        let view = play(&mut table, &mut felt, &["wager 1 main 10", "deal"]);
        assert_eq!((view.dealer_holds, view.seats[0].hands.len()), (None, 0));
        let view = play(&mut table, &mut felt, &["card 5d", "card As"]);
        assert_eq!(view.dealer_holds, Some(Holds::Soft(11)));
    }

    #[test]
    fn cards_that_are_shuffled_in_mid_round_clear_nothing() {
        let follow = |felt: &mut Felt, event| {
            felt.follow(&Outcome { opening: Vec::new(), events: vec![event] });
            felt.dealer.len()
        };
        let (card, audience) = ("9d".parse().unwrap(), Audience::Everyone);
        let dealt = Event::Dealt { place: Place::Dealer, card, audience };
        let mut felt = Felt::default();
        follow(&mut felt, TableEvent::BetsClosed);
        assert_eq!(follow(&mut felt, TableEvent::Round(dealt)), 1);
        // The discards are shuffled because cards ran out (G-18).
        assert_eq!(follow(&mut felt, TableEvent::Burned), 1);
        assert_eq!(follow(&mut felt, TableEvent::Settled), 1);
        assert_eq!(follow(&mut felt, TableEvent::Burned), 0);
    }
}
