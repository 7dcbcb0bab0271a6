//! The one interface of a round: it asks, the driver answers.

use std::fmt;

use crate::card::Card;
use crate::money::{Breakage, Cents, Chips, Odds};
use crate::names::names;
use crate::refusal::{Refusal, Result};
use crate::wager::{Bettor, Bettors, Circle, Game, byte};

/// A round of one of the games.
///
/// A small copyable value that owns no shoe, no clock and no random source. It says what it
/// [awaits](Round::awaits), accepts that one input or refuses it and stays as it was, and tells a
/// [`Record`] what happened.
pub trait Round: Copy + Eq + fmt::Debug {
    /// The game whose rules it plays.
    fn game(&self) -> Game;

    /// What the table waits for.
    fn awaits(&self) -> Awaits;

    /// The calls open to a bettor now.
    fn offers(&self, bettor: Bettor) -> Calls;

    /// The amounts that may go with a call that is open to a bettor.
    fn amounts(&self, bettor: Bettor, call: Call) -> Amounts;

    /// Deals the awaited card face up.
    fn deal(&mut self, card: Card, record: &mut impl Record) -> Result;

    /// Takes the awaited card from the shoe face down.
    fn deal_face_down(&mut self, record: &mut impl Record) -> Result;

    /// What the card reader answers for this hole card: whether it makes a natural.
    fn reader_answer(&self, _hole: Card) -> bool {
        false
    }

    /// Takes the card reader's answer.
    fn peek(&mut self, _natural: bool, _record: &mut impl Record) -> Result {
        Err(self.not_awaited())
    }

    /// Turns the face-down card over.
    fn turn(&mut self, _card: Card, _record: &mut impl Record) -> Result {
        Err(self.not_awaited())
    }

    /// Why an input that the round does not wait for is refused.
    fn not_awaited(&self) -> Refusal {
        match self.awaits() {
            Awaits::Nobody => Refusal::RoundOver,
            _ => Refusal::NotAwaited,
        }
    }

    /// Takes a bettor's decision.
    fn act(&mut self, bettor: Bettor, act: Act, record: &mut impl Record) -> Result;

    /// Carries out the remedy for an irregularity.
    fn remedy(&mut self, remedy: Remedy, record: &mut impl Record) -> Result;

    /// Adds chips that a bettor of this round buys during it; they can be staked at once (G-07).
    fn buy_in(&mut self, bettor: Bettor, amount: Cents, record: &mut impl Record) -> Result;

    /// Plays on to the end with the answers of a driver.
    ///
    /// A game may go through its own phases instead of asking at every step what it awaits; the
    /// result is the same.
    fn play(&mut self, driver: &mut impl Driver<Self>, record: &mut impl Record) -> Result {
        step_by_step(self, driver, record)
    }
}

/// Plays on to the end, asking the round at every step what it awaits.
pub fn step_by_step<R: Round>(
    round: &mut R,
    driver: &mut impl Driver<R>,
    record: &mut impl Record,
) -> Result {
    loop {
        match round.awaits() {
            Awaits::Card(_) => round.deal(driver.card(), record)?,
            Awaits::FaceDown(place) => {
                driver.face_down(place);
                round.deal_face_down(record)?;
            }
            Awaits::Peek => round.peek(round.reader_answer(driver.hole()), record)?,
            Awaits::Turn => round.turn(driver.hole(), record)?,
            Awaits::Acts(asked) => {
                for bettor in asked.iter() {
                    round.act(bettor, driver.decide(round, bettor), record)?;
                }
            }
            Awaits::Nobody => return Ok(()),
        }
    }
}

/// Answers whatever a round asks: the shoe and the players.
pub trait Driver<R> {
    /// The next card of the shoe.
    fn card(&mut self) -> Card;

    /// The next cards of the shoe, drawn at once.
    #[inline]
    fn cards<const N: usize>(&mut self) -> [Card; N] {
        std::array::from_fn(|_| self.card())
    }

    /// Takes the next card of the shoe face down.
    fn face_down(&mut self, place: Place);

    /// The face-down card in front of the dealer.
    fn hole(&mut self) -> Card;

    /// The decision of the bettor being asked.
    fn decide(&mut self, round: &R, bettor: Bettor) -> Act;
}

/// What a round waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaits {
    /// A card, face up.
    Card(Place),
    /// A card that leaves the shoe face down.
    FaceDown(Place),
    /// The card reader's answer.
    Peek,
    /// The face-down card, turned over.
    Turn,
    /// The decision of each of these bettors, in any order.
    Acts(Bettors),
    /// Nothing: the round is settled.
    Nobody,
}

/// Where a card goes. Boxes and hands are counted from 0, hands from the dealer's left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub enum Place {
    /// A hand of a box.
    Hand { seat: u8, hand: u8 },
    /// In front of the dealer.
    Dealer,
    /// The discard rack, unseen.
    Burn,
}

impl Place {
    /// A hand of a box.
    #[inline]
    pub const fn hand(seat: usize, hand: usize) -> Place {
        Place::Hand { seat: byte(seat), hand: byte(hand) }
    }
}

names! {
    /// The word of a decision.
    Call {
        /// One more card.
        Hit "hit" "Hit"
        /// No more cards.
        Stand "stand" "Stand"
        /// One more card and an added wager.
        Double "double" "Double"
        /// Two hands from a pair.
        Split "split" "Split"
        /// Gives up half of the wager.
        Surrender "surrender" "Surrender"
        /// Goes to war.
        War "war" "Go to war"
        /// Places a double attack wager.
        Attack "attack" "Double attack"
        /// Insures against the dealer's natural.
        Insure "insure" "Insurance"
        /// Takes 1 to 1 for a natural at once.
        EvenMoney "even-money" "Even money"
        /// Declines what is offered.
        Pass "pass" "Pass"
    }
}

/// A set of calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Calls(u16);

impl Calls {
    /// Nothing is open.
    pub const NONE: Calls = Calls(0);

    /// These calls.
    pub const fn of(calls: &[Call]) -> Calls {
        let mut set = Calls::NONE;
        let mut i = 0;
        while i < calls.len() {
            set = set.with(calls[i]);
            i += 1;
        }
        set
    }

    /// These and one more.
    #[inline]
    #[must_use]
    pub const fn with(self, call: Call) -> Calls {
        Calls(self.0 | 1 << call as u8)
    }

    /// These, and one more if it is open.
    #[inline]
    #[must_use]
    pub const fn with_if(self, open: bool, call: Call) -> Calls {
        Calls(self.0 | (open as u16) << call as u8)
    }

    /// Whether the call is in it.
    #[inline]
    pub const fn contains(self, call: Call) -> bool {
        self.0 & 1 << call as u8 != 0
    }

    /// Whether nothing is open.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The calls, in the order in which they are shown.
    pub fn iter(self) -> impl Iterator<Item = Call> {
        Call::ALL.into_iter().filter(move |&call| self.contains(call))
    }
}

impl FromIterator<Call> for Calls {
    fn from_iter<I: IntoIterator<Item = Call>>(calls: I) -> Calls {
        calls.into_iter().fold(Calls::NONE, Calls::with)
    }
}

/// A bettor's decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// The call alone; where an amount belongs to it, the most allowed (with `war`: no tie wager).
    Call(Call),
    /// The call with an amount.
    With(Call, Cents),
    /// Passes at a split, naming the hand that keeps the wager, counted from 1 (DAB-13-f).
    Hand(u8),
}

impl Act {
    /// Its call.
    pub const fn call(self) -> Call {
        match self {
            Act::Call(call) | Act::With(call, _) => call,
            Act::Hand(_) => Call::Pass,
        }
    }
}

/// The amounts that may go with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amounts {
    /// The call takes no amount.
    None,
    /// The call may name this hand or the next one, counted from 1; by default it means this one.
    Hand(u8),
    /// The call may also be made without an amount; then nothing is added.
    Optional(Range),
    /// The call always has an amount; without one it is the most allowed.
    Required(Range),
}

/// Amounts from `least` to `most` in steps of `step`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The smallest.
    pub least: Chips,
    /// The largest; below `least` where no amount is possible.
    pub most: Chips,
    /// The chip unit.
    pub step: Chips,
}

impl Range {
    /// Whether no amount is possible.
    pub fn is_empty(self) -> bool {
        self.most < self.least
    }

    /// The amount as chips, or why it is refused.
    #[inline]
    pub(crate) fn check(self, amount: Cents, above: Refusal) -> Result<Chips, Refusal> {
        match Chips::from_cents(amount) {
            Some(chips) if chips < self.least => Err(Refusal::AmountTooSmall { least: self.least }),
            Some(chips) if chips > self.most => Err(above),
            Some(chips) if !chips.is_multiple_of(self.step) => {
                Err(Refusal::OffChipUnit { unit: self.step })
            }
            Some(chips) => Ok(chips),
            None if amount > Cents::ZERO => Err(above),
            None => Err(Refusal::AmountTooSmall { least: self.least }),
        }
    }
}

/// What the rules decide for one wager, whatever its amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// The wager wins at these odds, and is returned.
    Pay(Odds),
    /// The wager wins at these odds, and is itself collected (CW-11-c-N1).
    PayAndCollect(Odds),
    /// A tie: neither won nor lost.
    Push,
    /// The wager is lost.
    Take,
    /// Half of the wager is lost.
    TakeHalf,
    /// The wager goes back undecided: void, dead or not at risk (G-02).
    Return,
}

impl Ruling {
    /// What the bettor gains on a stake; a loss is negative.
    #[inline(always)]
    pub const fn gain(self, stake: Chips, breakage: Breakage) -> Cents {
        let lost = stake.get() as i64;
        match self {
            Ruling::Pay(odds) => odds.pay(stake, breakage),
            Ruling::PayAndCollect(odds) => Cents::new(odds.pay(stake, breakage).get() - lost),
            Ruling::Push | Ruling::Return => Cents::ZERO,
            Ruling::Take => Cents::new(-lost),
            Ruling::TakeHalf => Cents::new(breakage.returned_half(stake).get() - lost),
        }
    }
}

names! {
    /// What decided a wager.
    Why {
        /// The player has the lower card or total.
        Lower "lower"
        /// The player has the higher card or total.
        Higher "higher"
        /// Equal cards or totals.
        Equal "equal"
        /// The lower card of a war.
        WarLost "war-lost"
        /// The higher card of a war.
        WarWon "war-won"
        /// Equal cards in a war.
        WarTied "war-tied"
        /// The hand went over 21.
        Bust "bust"
        /// The dealer went over 21.
        DealerBust "dealer-bust"
        /// The dealer's 22 in Free Bet.
        DealerTwentyTwo "dealer-twenty-two"
        /// A natural.
        Natural "natural"
        /// A natural that took even money.
        EvenMoney "even-money"
        /// Player and dealer have a natural.
        BothNaturals "both-naturals"
        /// The dealer has a natural.
        DealerNatural "dealer-natural"
        /// The dealer has a natural, but added wagers are not at risk.
        NotAtRisk "not-at-risk"
        /// The hand was surrendered.
        Surrender "surrender"
        /// Whether the dealer has the natural that was insured against.
        Insurance "insurance"
        /// A line of a pay table, or none of them.
        PayTable "pay-table"
        /// The most that a hand can win.
        PayoutLimit "payout-limit"
        /// The round is void.
        Void "void"
        /// The bettor was released.
        Release "release"
        /// The hand is dead.
        DeadHand "dead-hand"
    }
}

/// What decided a wager, and the id of the clause or ruling that says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// What decided it.
    pub why: Why,
    /// The clause.
    pub clause: &'static str,
}

impl Why {
    /// By this clause.
    pub const fn by(self, clause: &'static str) -> Reason {
        Reason { why: self, clause }
    }
}

/// A ruling, and what it rests on.
pub type Decision = (Ruling, Reason);

/// One wager, decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// Whose it is.
    pub bettor: Bettor,
    /// The hand it lay on, counted from 0.
    pub hand: u8,
    /// Its circle.
    pub circle: Circle,
    /// What was staked; a lammer counts at face value and is never lost.
    pub stake: Chips,
    /// Whether the stake was a lammer and not money (FBB-R09).
    pub lammer: bool,
    /// The decision.
    pub ruling: Ruling,
    /// What the bettor gained or lost by it.
    pub gain: Cents,
    /// What decided it.
    pub reason: Reason,
}

impl Settlement {
    /// Applies a decision to the money that lies on a circle.
    #[inline(always)]
    pub(crate) fn new(
        (bettor, hand, circle): (Bettor, usize, Circle),
        stake: Chips,
        (ruling, reason): Decision,
        breakage: Breakage,
    ) -> Settlement {
        let gain = ruling.gain(stake, breakage);
        Settlement { bettor, hand: byte(hand), circle, stake, lammer: false, ruling, gain, reason }
    }

    /// What goes to the bettor's rack: the part of the stake that is returned, and what it won. A
    /// lammer itself goes back to the dealer (FBB-R09).
    #[inline(always)]
    pub(crate) const fn to_rack(self) -> Cents {
        let stake = if self.lammer { 0 } else { self.stake.get() as i64 };
        Cents::new(stake + self.gain.get())
    }

    /// What became of the wager, for the player: `wins 3 to 2`, `half lost`.
    pub fn in_words(self) -> impl fmt::Display {
        fmt::from_fn(move |f| match self.ruling {
            Ruling::Pay(odds) => write!(f, "wins {odds}"),
            Ruling::PayAndCollect(odds) => write!(f, "wins {odds}, stake collected"),
            Ruling::Push => f.write_str("push"),
            Ruling::Take => f.write_str("lost"),
            Ruling::TakeHalf => f.write_str("half lost"),
            Ruling::Return if self.lammer => f.write_str("lammer removed"),
            Ruling::Return => f.write_str("returned"),
        })
    }
}

/// What an award is for, for the player.
pub const fn award_in_words(circle: Circle) -> &'static str {
    match circle {
        Circle::Envy => "envy: another player won the progressive",
        _ => "wins the progressive",
    }
}

/// Who may see an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Everyone at the table, and spectators.
    Everyone,
    /// Those with a wager on this box.
    Box(u8),
}

/// What happened. Boxes and hands are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub enum Event {
    /// Chips left a rack and lie on a circle.
    Staked { bettor: Bettor, hand: u8, circle: Circle, amount: Chips },
    /// The dealer laid a free-bet lammer for a wager on this circle (FBB-8-a-1, FBB-9-b-2-i).
    Lammer { bettor: Bettor, hand: u8, circle: Circle, value: Chips },
    /// A card was dealt face up, or to its owner alone.
    Dealt { place: Place, card: Card, audience: Audience },
    /// A card left the shoe face down.
    FaceDown(Place),
    /// The face-down card was turned over.
    Turned(Card),
    /// The card reader answered whether the hole card makes a natural.
    Peeked { natural: bool },
    /// A bettor decided.
    Acted(Bettor, Act),
    /// A bettor bought chips during the round (G-07).
    BoughtIn { bettor: Bettor, amount: Cents },
    /// A hand became two: itself and the next one.
    Split { seat: u8, hand: u8 },
    /// A hand held by its owner lies open from now on.
    Shown { seat: u8, hand: u8 },
    /// A wager was decided.
    Settled(Settlement),
    /// The cards of a finished hand go to the discard rack before the others.
    PickedUp { seat: u8, hand: u8 },
    /// An award that had no stake of its own: the meter, or envy. The clause grants it.
    Awarded { bettor: Bettor, circle: Circle, amount: Cents, clause: &'static str },
    /// A remedy was carried out.
    Remedied(Remedy),
    /// Every settlement and award of this round so far is undone (G-03).
    Reversed,
}

impl Event {
    /// Chips laid on a circle.
    pub(crate) const fn staked(
        (bettor, hand, circle): (Bettor, usize, Circle),
        amount: Chips,
    ) -> Event {
        Event::Staked { bettor, hand: byte(hand), circle, amount }
    }

    /// A card that everyone sees.
    pub(crate) const fn dealt(place: Place, card: Card) -> Event {
        Event::Dealt { place, card, audience: Audience::Everyone }
    }

    /// Who may see it.
    pub const fn audience(&self) -> Audience {
        match self {
            Event::Dealt { audience, .. } => *audience,
            _ => Audience::Everyone,
        }
    }
}

/// A listener to a round.
pub trait Record {
    /// Takes note of what happened.
    fn note(&mut self, event: Event);
}

/// Forgets, and costs nothing.
impl Record for () {
    #[inline(always)]
    fn note(&mut self, _: Event) {}
}

/// Keeps every event.
impl Record for Vec<Event> {
    fn note(&mut self, event: Event) {
        self.push(event);
    }
}

/// Passes events to both.
impl<A: Record, B: Record> Record for (&mut A, &mut B) {
    fn note(&mut self, event: Event) {
        self.0.note(event);
        self.1.note(event);
    }
}

/// The remedy for an irregularity, which reaches a round in no other way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub enum Remedy {
    /// The round is void (G-03).
    Void,
    /// A bettor is released; undecided wagers go back (G-10).
    Release(Bettor),
    /// A hand is dead; its stakes go back (G-02, G-17).
    DeadHand { seat: u8, hand: u8 },
    /// A bettor whose hands are dead takes back the wagers on the dealer's hand (G-17).
    SidesBack(Bettor),
    /// A hand that awaits a card gets it after the others (G-17).
    LateCard { seat: u8, hand: u8 },
    /// A player refused a card drawn in error for this hand: none of the player's hands and boxes
    /// takes more cards by choice (G-16).
    NoMoreCards { seat: u8, hand: u8 },
    /// The dealer's own card was missed, and comes after the players' (FBB-11-f).
    DealerOwedCard,
    /// The face-down card was seen too early.
    HoleCardShown(Card),
    /// The card reader is out of use.
    ReaderOutOfUse,
    /// The burn cards that are due were forgotten: the deal goes on as if they had been burned
    /// (CW-10-f).
    BurnForgotten,
}

/// What every bettor won or lost so far, per circle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statement {
    gains: [[Cents; 12]; 21],
    staked: [[Cents; 12]; 21],
    settled: [[Cents; 12]; 21],
}

impl Statement {
    const fn row(bettor: Bettor) -> usize {
        bettor.seat() * 3 + bettor.place()
    }

    /// What the bettor won or lost on one kind of wager.
    pub fn net_of(&self, bettor: Bettor, circle: Circle) -> Cents {
        self.gains.get(Self::row(bettor)).map_or(Cents::ZERO, |row| row[circle as usize])
    }

    /// What the bettor won or lost in all.
    pub fn net(&self, bettor: Bettor) -> Cents {
        self.gains.get(Self::row(bettor)).map_or(Cents::ZERO, |row| row.iter().copied().sum())
    }

    /// Whether every chip that was staked has been decided exactly once.
    pub fn is_balanced(&self) -> bool {
        self.staked == self.settled
    }
}

impl Record for Statement {
    fn note(&mut self, event: Event) {
        match event {
            Event::Staked { bettor, circle, amount, .. } => {
                self.staked[Self::row(bettor)][circle as usize] += amount.into();
            }
            Event::Settled(settlement) => {
                let (row, column) = (Self::row(settlement.bettor), settlement.circle as usize);
                self.gains[row][column] += settlement.gain;
                if !settlement.lammer {
                    self.settled[row][column] += settlement.stake.into();
                }
            }
            Event::Awarded { bettor, circle, amount, .. } => {
                self.gains[Self::row(bettor)][circle as usize] += amount;
            }
            Event::Reversed => self.gains = Default::default(),
            _ => {}
        }
    }
}
