//! A position in words: what a player holds, sees and has seen.
//!
//! ```
//! use odds::position::Position;
//! use rules::terms::TermSheet;
//! use rules::wager::Game;
//!
//! let sheet = TermSheet::new(Game::DoubleDeck);
//! let position = Position::read(&sheet, "main 10; 8s 8h; dealer Ts; seen 2c 2d")?;
//! assert_eq!(position.unseen().total(), 99);
//! let values = position.values()?;
//! let best = values.iter().max_by(|a, b| a.gain.total_cmp(&b.gain)).unwrap();
//! assert_eq!(best.act.call().name(), "split");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::VecDeque;
use std::fmt;

use rules::card::{Card, Suit};
use rules::games::{AnyRound, TableWagers, opening};
use rules::money::Cents;
use rules::notation::{Unreadable, Word, Words};
use rules::refusal::Refusal;
use rules::round::{Act, Awaits, Call, Event, Place, Round};
use rules::terms::TermSheet;
use rules::transcript::RoundInPlay;
use rules::wager::{Bettor, Circle, Game};

use crate::game::{ValuationRefusal, from_here};
use crate::setting::{Setting, SettingRefusal};
use crate::unseen::{NoSuchCard, Unseen};
use crate::value::ActValue;

/// A decision that a bettor is asked for, and what that bettor knows.
#[derive(Clone, Debug)]
pub struct Position {
    sheet: TermSheet,
    round: AnyRound,
    events: Vec<Event>,
    bettor: Bettor,
    unseen: Unseen,
}

/// Why there is no such position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub enum PositionRefusal {
    /// A part that cannot be read.
    Unreadable { part: String, reason: Unreadable },
    /// The rules refuse a wager, a card or an act.
    Refused(Game, Refusal),
    /// The main wager that is assumed where none is named is not possible.
    Setting(SettingRefusal),
    /// More of a card than the shoe holds.
    NoSuchCard(Game, NoSuchCard),
    /// The cards end before a decision.
    CardMissing { dealer: bool },
    /// More open cards of the dealer's than lie there at this decision.
    DealerCardTooMany(Card),
    /// An act where a card comes next.
    CardBefore(Call),
    /// A card that no act draws, and what the rules say.
    NoCardDue(Card, Option<(Game, Refusal)>),
    /// The round goes on without a decision of this bettor, and what the rules say.
    NothingToDecide(Option<(Game, Refusal)>),
    /// Something that is named once is named again.
    NamedTwice(String),
    /// The cards that have been seen and those that are left cannot both be named.
    SeenAndLeft,
}

impl fmt::Display for PositionRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionRefusal::Unreadable { part, reason } => {
                write!(f, "cannot read '{}': {reason}", part.escape_debug())
            }
            PositionRefusal::Refused(game, refusal) => f.write_str(&refusal.in_words(*game)),
            PositionRefusal::Setting(refusal) => refusal.fmt(f),
            PositionRefusal::NoSuchCard(game, refusal) => {
                ValuationRefusal::NoSuchCard(*game, *refusal).fmt(f)
            }
            PositionRefusal::CardMissing { dealer: true } => {
                f.write_str("a card of the dealer's is missing: add it after 'dealer'")
            }
            PositionRefusal::CardMissing { dealer: false } => {
                f.write_str("a card of the player's is missing before the decision")
            }
            PositionRefusal::DealerCardTooMany(card) => {
                write!(f, "the dealer shows no {card} yet at this decision")
            }
            PositionRefusal::CardBefore(call) => {
                write!(f, "a card comes next, before '{}'", call.name())
            }
            PositionRefusal::NoCardDue(card, why) => {
                write!(f, "no open act draws the {card}")?;
                because(*why, f)
            }
            PositionRefusal::NothingToDecide(why) => {
                f.write_str("there is nothing to decide at this point")?;
                because(*why, f)
            }
            PositionRefusal::NamedTwice(name) => write!(f, "'{name}' is named twice"),
            PositionRefusal::SeenAndLeft => {
                f.write_str("name the cards seen or those left, not both")
            }
        }
    }
}

/// What the rules say to it, after a colon.
fn because(why: Option<(Game, Refusal)>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match why {
        Some((game, refusal)) => write!(f, ": {}", refusal.in_words(game)),
        None => Ok(()),
    }
}

impl std::error::Error for PositionRefusal {}

/// Where a card or an act of the player's comes from.
#[derive(Clone, Copy, Debug)]
enum Move {
    Card(Card),
    Act(Act),
}

/// The parts of a position as they are written.
#[derive(Debug, Default)]
struct Parts {
    wagers: Vec<(Circle, Cents)>,
    meter: Vec<Cents>,
    bankroll: Vec<Cents>,
    moves: VecDeque<Move>,
    dealer: VecDeque<Card>,
    seen: Vec<Card>,
    left: Option<Vec<Card>>,
}

impl Position {
    /// Reads a position: parts with `;` between them, in any order.
    ///
    /// A part is wagers (`main 10 tie 5`), the player's cards and acts as they came (`8s 8h split
    /// 3d`), `dealer` and the open cards, `seen` and other cards that the player has seen, or `left`
    /// and all cards the player has not seen, `meter` or `bankroll` and an amount. A card where
    /// the player is asked means `hit`, or `pass` where something is offered. Nobody else plays.
    pub fn read(sheet: &TermSheet, text: &str) -> Result<Position, PositionRefusal> {
        Position::read_with(sheet, None, text)
    }

    /// The same, with this main wager and meter where the text names none.
    pub fn read_with(
        sheet: &TermSheet,
        setting: Option<Setting>,
        text: &str,
    ) -> Result<Position, PositionRefusal> {
        let mut parts = Parts::default();
        for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            let unreadable = |reason| PositionRefusal::Unreadable { part: part.to_owned(), reason };
            parts.read(part).map_err(unreadable)?;
        }
        parts.check(sheet)?;
        let game = sheet.game();
        let refused = |refusal| PositionRefusal::Refused(game, refusal);
        let bettor = Bettor::at(0);
        if parts.wagers.is_empty() {
            let usual = setting.map_or_else(|| Setting::of(sheet), Ok);
            let main = usual.map_err(PositionRefusal::Setting)?.main;
            parts.wagers.push((Circle::Main, main.into()));
        }
        let mut wagers = TableWagers::NONE;
        if let Some(&amount) = parts.bankroll.first() {
            wagers.bankroll(bettor, amount).map_err(refused)?;
        }
        wagers.place(&opening(sheet), bettor, &parts.wagers).map_err(refused)?;
        let meter = match parts.meter.first() {
            None => setting,
            Some(&meter) => {
                let named = Setting::of(sheet).and_then(|usual| usual.with_meter(sheet, meter));
                Some(named.map_err(PositionRefusal::Setting)?)
            }
        };
        if let Some(Setting { meter, .. }) = meter {
            wagers.set_meter(meter);
        }
        let mut events = Vec::new();
        let mut round = AnyRound::start(sheet, &wagers, &mut events);
        parts.play(&mut round, bettor, &mut events)?;
        let no_such_card = |refusal| PositionRefusal::NoSuchCard(game, refusal);
        let mut unseen = Unseen::full(sheet);
        for &card in parts.seen.iter().chain(parts.left.iter().flatten()) {
            unseen.remove(card).map_err(no_such_card)?;
        }
        unseen = unseen.after(&events, bettor.seat()).map_err(no_such_card)?;
        if let Some(left) = parts.left {
            unseen = left.into_iter().collect();
        }
        Ok(Position { sheet: sheet.clone(), round, events, bettor, unseen })
    }

    /// The decision at which a transcript stands: that of this bettor, or of the first who is asked.
    /// `seen` are cards seen before its round.
    pub fn in_round(
        played: RoundInPlay,
        bettor: Option<Bettor>,
        seen: &[Card],
    ) -> Result<Position, PositionRefusal> {
        let RoundInPlay { sheet, round, events } = played;
        let round = round.ok_or(PositionRefusal::NothingToDecide(None))?;
        let only = bettor.or_else(|| only_bettor(&events));
        let nothing = || {
            let why = only.and_then(|bettor| why_closed(&round, bettor));
            PositionRefusal::NothingToDecide(why)
        };
        let Awaits::Acts(asked) = round.awaits() else { return Err(nothing()) };
        let is_asked = |other: &Bettor| bettor.is_none_or(|bettor| bettor == *other);
        let bettor = asked.iter().find(is_asked).ok_or_else(nothing)?;
        let no_such_card = |refusal| PositionRefusal::NoSuchCard(sheet.game(), refusal);
        let mut unseen = Unseen::full(&sheet);
        seen.iter().try_for_each(|&card| unseen.remove(card)).map_err(no_such_card)?;
        let unseen = unseen.after(&events, bettor.seat()).map_err(no_such_card)?;
        Ok(Position { sheet, round, events, bettor, unseen })
    }

    /// The house options.
    pub fn sheet(&self) -> &TermSheet {
        &self.sheet
    }

    /// The round.
    pub fn round(&self) -> &AnyRound {
        &self.round
    }

    /// What has happened in it.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Who decides.
    pub fn bettor(&self) -> Bettor {
        self.bettor
    }

    /// The cards that the bettor has not seen.
    pub fn unseen(&self) -> &Unseen {
        &self.unseen
    }

    /// The value of every open act.
    pub fn values(&self) -> Result<Vec<ActValue>, ValuationRefusal> {
        from_here(&self.sheet, &self.round, self.bettor, &self.unseen)
    }
}

impl Parts {
    fn read(&mut self, part: &str) -> Result<(), Unreadable> {
        let mut words = Words::new(part);
        let first = words.peek().unwrap_or_default();
        if Circle::named(first).is_some() && Call::named(first).is_none() {
            while let Some(circle) = words.perhaps()? {
                self.wagers.push((circle, words.read()?));
            }
            return Ok(());
        }
        match first {
            "dealer" => {
                words.exactly(first)?;
                self.dealer.extend(words.some::<Card>()?);
            }
            "seen" | "left" => {
                words.exactly(first)?;
                let mut cards = Vec::new();
                while words.peek().is_some() {
                    let Copies(card, times) = words.read()?;
                    cards.extend(std::iter::repeat_n(card, times));
                }
                match first {
                    "seen" => self.seen.extend(cards),
                    _ => self.left.get_or_insert_default().extend(cards),
                }
            }
            "meter" => self.meter.push(words.after(first)?),
            "bankroll" => self.bankroll.push(words.after(first)?),
            _ => {
                while words.peek().is_some() {
                    let next = words.read()?;
                    let amount = match (next, words.peek()) {
                        (Move::Act(_), Some(word)) if Cents::read(word).is_some() => {
                            Some(words.read()?)
                        }
                        _ => None,
                    };
                    self.moves.push_back(match (next, amount) {
                        (Move::Act(act), Some(amount)) => Move::Act(Act::With(act.call(), amount)),
                        _ => next,
                    });
                }
                return Ok(());
            }
        }
        words.end()
    }

    /// Refuses what is named twice, and a card that is used more often than the shoe has it.
    fn check(&self, sheet: &TermSheet) -> Result<(), PositionRefusal> {
        let twice = |name: &str| Err(PositionRefusal::NamedTwice(name.to_owned()));
        for (at, (circle, _)) in self.wagers.iter().enumerate() {
            if self.wagers[..at].iter().any(|(other, _)| other == circle) {
                return twice(circle.name());
            }
        }
        for (name, amounts) in [("meter", &self.meter), ("bankroll", &self.bankroll)] {
            if amounts.len() > 1 {
                return twice(name);
            }
        }
        if self.left.is_some() && !self.seen.is_empty() {
            return Err(PositionRefusal::SeenAndLeft);
        }
        let full = Unseen::full(sheet);
        let mut unseen = full;
        let own = self.moves.iter().filter_map(|step| match step {
            Move::Card(card) => Some(*card),
            Move::Act(_) => None,
        });
        let others = self.dealer.iter().chain(&self.seen).chain(self.left.iter().flatten());
        // What is in no deck of the game, the rules refuse.
        for card in own.chain(others.copied()).filter(|&card| full.of(card) > 0) {
            let too_often = |refusal| PositionRefusal::NoSuchCard(sheet.game(), refusal);
            unseen.remove(card).map_err(too_often)?;
        }
        Ok(())
    }

    /// Plays the moves, up to a decision that none of them makes.
    fn play(
        &mut self,
        round: &mut AnyRound,
        bettor: Bettor,
        events: &mut Vec<Event>,
    ) -> Result<(), PositionRefusal> {
        let game = round.game();
        let refused = |refusal| PositionRefusal::Refused(game, refusal);
        loop {
            match round.awaits() {
                Awaits::Card(Place::Dealer) => match self.dealer.pop_front() {
                    Some(card) => round.deal(card, events).map_err(refused)?,
                    // Once somebody has decided, the dealer draws when all decisions are made.
                    None if has_acted(events) => {
                        return Err(self.nothing_left(round, bettor));
                    }
                    None => return Err(PositionRefusal::CardMissing { dealer: true }),
                },
                Awaits::Card(_) => match self.moves.pop_front() {
                    Some(Move::Card(card)) => round.deal(card, events).map_err(refused)?,
                    Some(Move::Act(act)) if !game.book().calls.contains(&act.call()) => {
                        return Err(refused(Refusal::CallForeign { call: act.call() }));
                    }
                    Some(Move::Act(act)) => return Err(PositionRefusal::CardBefore(act.call())),
                    None if has_acted(events) && !may_decide(round, bettor, MOST_AHEAD) => {
                        return Err(self.nothing_left(round, bettor));
                    }
                    None => return Err(PositionRefusal::CardMissing { dealer: false }),
                },
                Awaits::FaceDown(_) => round.deal_face_down(events).map_err(refused)?,
                Awaits::Peek => round.peek(false, events).map_err(refused)?,
                Awaits::Acts(_) => {
                    let act = match self.moves.front() {
                        None => break,
                        Some(Move::Act(act)) => {
                            let act = *act;
                            self.moves.pop_front();
                            act
                        }
                        Some(Move::Card(card)) => {
                            let drawn_by = [Call::Hit, Call::Pass].into_iter();
                            let offers = round.offers(bettor);
                            let call = drawn_by.into_iter().find(|&call| offers.contains(call));
                            Act::Call(call.ok_or(PositionRefusal::NoCardDue(*card, None))?)
                        }
                    };
                    round.act(bettor, act, events).map_err(refused)?;
                }
                Awaits::Turn | Awaits::Nobody => return Err(self.nothing_left(round, bettor)),
            }
        }
        match self.dealer.front() {
            Some(&card) => Err(PositionRefusal::DealerCardTooMany(card)),
            None => Ok(()),
        }
    }

    /// Why a round in which no more is decided leads to no decision.
    fn nothing_left(&self, round: &AnyRound, bettor: Bettor) -> PositionRefusal {
        match self.moves.front() {
            Some(Move::Act(act)) => match refusal(round, bettor, *act) {
                Some(refusal) => PositionRefusal::Refused(round.game(), refusal),
                None => PositionRefusal::NothingToDecide(None),
            },
            Some(Move::Card(card)) => PositionRefusal::NoCardDue(*card, why_closed(round, bettor)),
            None => PositionRefusal::NothingToDecide(why_closed(round, bettor)),
        }
    }
}

/// Whether somebody has decided.
fn has_acted(events: &[Event]) -> bool {
    events.iter().any(|event| matches!(event, Event::Acted(..)))
}

/// The inputs that a next decision can be away: two cards of each side, the hole card and the reader.
const MOST_AHEAD: u8 = 6;

/// Whether some cards lead a bettor who has decided to another decision, within so many inputs.
fn may_decide(round: &AnyRound, bettor: Bettor, ahead: u8) -> bool {
    let Some(ahead) = ahead.checked_sub(1) else { return false };
    let after = |input: &dyn Fn(&mut AnyRound) -> Result<(), Refusal>| {
        let mut next = *round;
        input(&mut next).is_ok() && may_decide(&next, bettor, ahead)
    };
    match round.awaits() {
        Awaits::Acts(asked) => asked.iter().any(|other| other == bettor),
        // The dealer draws when all decisions are made.
        Awaits::Card(Place::Dealer) | Awaits::Turn | Awaits::Nobody => false,
        Awaits::Card(_) => {
            let one_of_each = Card::DECK.into_iter().filter(|card| card.suit() == Suit::Spades);
            one_of_each.into_iter().any(|card| after(&|next| next.deal(card, &mut ())))
        }
        Awaits::FaceDown(_) => after(&|next| next.deal_face_down(&mut ())),
        Awaits::Peek => after(&|next| next.peek(false, &mut ())),
    }
}

/// The bettor of a round with one.
fn only_bettor(events: &[Event]) -> Option<Bettor> {
    let mut bettors = events.iter().filter_map(|event| match event {
        Event::Staked { bettor, .. } => Some(*bettor),
        _ => None,
    });
    let first = bettors.next()?;
    bettors.all(|other| other == first).then_some(first)
}

/// Why a round does not take an act.
fn refusal(round: &AnyRound, bettor: Bettor, act: Act) -> Option<Refusal> {
    let mut tried = *round;
    tried.act(bettor, act, &mut ()).err()
}

/// Why nothing is open to a bettor: what the rules answer to the first call that the game has.
fn why_closed(round: &AnyRound, bettor: Bettor) -> Option<(Game, Refusal)> {
    let refusals = Call::ALL.into_iter().map(|call| refusal(round, bettor, Act::Call(call)));
    let is_foreign = |refusal: &Refusal| matches!(refusal, Refusal::CallForeign { .. });
    let why = refusals.flatten().find(|refusal| !is_foreign(refusal))?;
    Some((round.game(), why))
}

impl Word for Move {
    fn expected() -> String {
        format!("{} or {}", Card::expected(), Call::expected())
    }

    fn read(word: &str) -> Option<Move> {
        let card = Card::read(word).map(Move::Card);
        card.or_else(|| Call::named(word).map(|call| Move::Act(Act::Call(call))))
    }
}

/// A card, and how often: `Td*3`.
struct Copies(Card, usize);

impl Word for Copies {
    fn expected() -> String {
        "a card such as Td, or several of it such as Td*3".to_owned()
    }

    fn read(word: &str) -> Option<Copies> {
        let (card, times) = word.split_once('*').unwrap_or((word, "1"));
        let times = usize::read(times).filter(|times| (1..=MOST_COPIES).contains(times))?;
        Card::read(card).map(|card| Copies(card, times))
    }
}

/// How often a card can be named at once; no shoe has more than eight.
const MOST_COPIES: usize = 100;
