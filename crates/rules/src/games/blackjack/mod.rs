//! The common blackjack game, and the three rule books that vary it.
//!
//! The play of a hand (points, what it may do, what the dealer does) is separate from the stakes on
//! it: play decides rulings, and stakes turn them into settlements.

mod book;
mod deal;
mod double_attack;
mod double_deck;
mod essence;
mod fast;
mod free_bet;
mod hand;
mod money;
mod play;
mod remedy;

pub use book::{Book, Busts, Cost, HoleCard, SplitAces, SplitStake, Stage};
pub use double_attack::DoubleAttack;
pub use double_deck::DoubleDeck;
pub use free_bet::FreeBet;
pub use hand::{Dealer, Fate, Hand, Points, is_natural};
pub use money::{HandStake, compare, most_attack, most_double, on_lammer, on_natural};

use crate::book::RuleBook;
use crate::card::Card;
use crate::games::{Pay, TableGame, TableWagers};
use crate::money::{Breakage, Cents, Chips, Odds};
use crate::refusal::{Refusal, Result, ensure};
use crate::round::{
    Act, Amounts, Awaits, Call, Calls, Driver, Event, Place, Record, Remedy, Round, step_by_step,
};
use crate::terms::{PlayersOut, TermSheet, VoidScope};
use crate::wager::{Bettor, Bettors, Circle, Game, Opening, Racks, Slip, Wagers, byte};
use money::{Backing, Stakes};

/// The most hands of one box.
pub const MOST_HANDS: usize = 4;

/// The house options that a blackjack round depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlackjackTerms<B> {
    chip_unit: Chips,
    breakage: Breakage,
    void_scope: VoidScope,
    players_out: PlayersOut,
    book: B,
}

impl<B: Book> BlackjackTerms<B> {
    /// Reads them from the sheet of a table.
    pub fn read(sheet: &TermSheet) -> BlackjackTerms<B> {
        assert_eq!(sheet.game(), B::GAME);
        BlackjackTerms {
            chip_unit: sheet.chips("chip_unit"),
            breakage: sheet.breakage(),
            void_scope: sheet.void_scope(),
            players_out: sheet.players_out(),
            book: B::read(sheet),
        }
    }
}

/// Where the round is, grouped by what it awaits: a card, the dealer, an answer or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// A box's first card is next.
    First { seat: u8 },
    /// The dealer's up card is next.
    Up,
    /// A box's second card is next.
    Second { seat: u8 },
    /// A hand's next card is due.
    Card { seat: u8, hand: u8 },
    /// The dealer's next card is due.
    Dealer,
    /// The dealer's face-down card is next.
    Hole,
    /// The card reader is asked.
    Peek,
    /// The hole card is turned.
    Turn,
    /// A box decides on a hand.
    Play { seat: u8, hand: u8 },
    /// Everyone is asked for a double attack.
    Attack,
    /// Everyone is asked for insurance.
    Insurance,
    /// The others on a box are asked whether they double too (DAB-13-d).
    Follow { seat: u8, hand: u8 },
    /// The others on a box are asked whether they cover the split (DAB-13-f).
    Cover { seat: u8, hand: u8 },
    /// Nothing is awaited.
    Settled,
}

/// What is known of the dealer's natural before the second card is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reader {
    /// Not asked.
    Silent,
    /// The hole card makes no natural.
    No,
    /// The hole card makes a natural.
    Yes,
    /// Broken: the round goes on without it.
    OutOfUse,
}

/// The hands of one box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BoxHands {
    hands: [Hand; MOST_HANDS],
    count: u8,
}

/// A round of blackjack by one of the three books.
///
/// It has room for `SEATS` boxes of `BETTORS` bettors: one of each for analysis and simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blackjack<B, const SEATS: usize, const BETTORS: usize> {
    racks: Racks<SEATS, BETTORS>,
    stakes: [[Stakes; BETTORS]; SEATS],
    terms: BlackjackTerms<B>,
    asked: Bettors,
    boxes: [BoxHands; SEATS],
    dealer: Dealer,
    phase: Phase,
    reader: Reader,
    /// How many hands wait for the dealer's total.
    waiting: u8,
    /// How many hands are owed a late card.
    owed: u8,
}

const TWO_CACHE_LINES: usize = 128;
const _: () = assert!(size_of::<Blackjack<DoubleDeck, 1, 1>>() <= TWO_CACHE_LINES);
const _: () = assert!(size_of::<Blackjack<DoubleAttack, 1, 1>>() <= TWO_CACHE_LINES);
const _: () = assert!(size_of::<Blackjack<FreeBet, 1, 1>>() <= TWO_CACHE_LINES);

impl<B: Book, const SEATS: usize, const BETTORS: usize> Blackjack<B, SEATS, BETTORS> {
    /// Begins a round with the wagers that have been placed.
    pub fn start<const S: usize, const T: usize>(
        terms: BlackjackTerms<B>,
        wagers: &Wagers<S, T>,
        record: &mut impl Record,
    ) -> Self {
        let mut round = Blackjack {
            racks: wagers.racks(),
            stakes: [[Stakes::NONE; BETTORS]; SEATS],
            terms,
            asked: Bettors::NONE,
            boxes: [BoxHands { hands: [Hand::EMPTY; MOST_HANDS], count: 0 }; SEATS],
            dealer: Dealer::EMPTY,
            phase: Phase::Up,
            reader: Reader::Silent,
            waiting: 0,
            owed: 0,
        };
        for seat in 0..SEATS.min(S) {
            for place in 0..BETTORS.min(T) {
                let bettor = Bettor::behind(seat, place);
                round.stake(bettor, wagers.slip(bettor), record);
            }
        }
        let first = (0..SEATS).find(|&seat| round.count(seat) > 0).expect("a round has a wager");
        if !B::ATTACK {
            round.phase = Phase::First { seat: byte(first) };
        }
        round
    }

    /// Places a bettor's wagers on a box, if there are any.
    fn stake(&mut self, bettor: Bettor, slip: Slip, record: &mut impl Record) {
        if slip.main.is_zero() {
            return;
        }
        self.boxes[bettor.seat()].count = 1;
        *self.stakes_mut(bettor) = Stakes::opening(slip.main, slip.side);
        record.note(Event::staked((bettor, 0, Circle::Main), slip.main));
        if let (false, Some(side)) = (slip.side.is_zero(), B::SIDE) {
            record.note(Event::staked((bettor, 0, side), slip.side));
        }
    }

    /// Whether the bettor who decides on a hand may make a call.
    pub fn is_open(&self, bettor: Bettor, hand: usize, call: Call) -> bool {
        match call {
            Call::Stand => true,
            Call::Hit => self.may_hit(bettor.seat(), hand).is_ok(),
            Call::Double => self.may_double(bettor, hand).is_ok(),
            Call::Split => self.may_split(bettor, hand).is_ok(),
            Call::Surrender => B::SURRENDER,
            _ => false,
        }
    }

    /// The points of the dealer's open cards.
    pub fn dealer_points(&self) -> Option<Points> {
        (self.dealer.cards() > 0).then(|| self.dealer.points())
    }

    /// The dealer's up card.
    pub fn up_card(&self) -> Option<Card> {
        self.dealer.up()
    }

    /// How many hands a box has.
    pub fn hands(&self, seat: usize) -> usize {
        self.boxes.get(seat).map_or(0, |here| usize::from(here.count))
    }

    /// What a bettor can still spend.
    pub fn rack(&self, bettor: Bettor) -> Cents {
        self.racks.left(bettor)
    }

    /// Whether a hand is backed by a lammer instead of money (FBB-9-b-2-i).
    pub fn is_on_a_lammer(&self, bettor: Bettor, hand: usize) -> bool {
        self.stakes(bettor).on[hand % MOST_HANDS] == Backing::Lammer
    }

    /// The hand being played, if it is on this box.
    pub fn current_hand(&self, seat: usize) -> Option<usize> {
        self.at().and_then(|(at, hand)| (at == seat).then_some(hand))
    }

    /// A bettor's unsettled wagers on a hand.
    pub fn at_stake(&self, bettor: Bettor, hand: usize) -> HandStake {
        let here = self.stakes(bettor).on_hand(hand, self.terms.book.split_stake());
        let is_free = self.hand(bettor.seat(), hand).is_free();
        HandStake { free_double: is_free && here.is_live(), ..here }
    }

    /// The original wager of a bettor, and the double attack on top of it.
    pub fn wagered(&self, bettor: Bettor) -> (Chips, Chips) {
        (self.stakes(bettor).initial, self.stakes(bettor).attack)
    }

    /// Whether the bettor has lost a hand by going bust.
    pub fn has_busted(&self, bettor: Bettor) -> bool {
        self.stakes(bettor).busted
    }

    /// Everyone on a box.
    fn bettors_at(&self, seat: usize) -> impl Iterator<Item = Bettor> + use<B, SEATS, BETTORS> {
        let stakes = self.stakes[seat];
        (0..BETTORS)
            .filter(move |&place| stakes[place].takes_part())
            .map(move |place| Bettor::behind(seat, place))
    }

    /// Who decides for a box: the bettor in front or, once that one has been let out, the one with
    /// the highest wager; of equal wagers the first (DAB-R28).
    #[doc(alias = "DAB-13-b")]
    pub fn decider(&self, seat: usize) -> Bettor {
        if BETTORS == 1 || self.stakes[seat][0].takes_part() {
            return Bettor::at(seat);
        }
        let behind = (1..BETTORS).rev().filter(|&place| self.stakes[seat][place].takes_part());
        let highest = behind.max_by_key(|&place| self.stakes[seat][place].initial);
        Bettor::behind(seat, highest.unwrap_or(0))
    }

    /// The hand in play.
    fn at(&self) -> Option<(usize, usize)> {
        match self.phase {
            Phase::Play { seat, hand }
            | Phase::Card { seat, hand }
            | Phase::Follow { seat, hand }
            | Phase::Cover { seat, hand } => Some((Self::index(seat.into()), hand.into())),
            _ => None,
        }
    }
}

impl<B: Book, const SEATS: usize, const BETTORS: usize> TableGame for Blackjack<B, SEATS, BETTORS> {
    const BOOK: &'static RuleBook = B::RULE_BOOK;
    const IS_BLACKJACK: bool = true;
    const PLAYS_WITHOUT_READER: bool = B::PLAYS_WITHOUT_READER;

    /// What may be placed before the first card (DAB-1-initial-wager, FBB-5-d, DDB-R24).
    fn opening(sheet: &TermSheet) -> Opening {
        Opening {
            bettors: B::bettors(sheet),
            boxes: Some(B::boxes(sheet)),
            side: B::side_wager(sheet),
            ..Opening::of(sheet)
        }
    }

    fn pays(sheet: &TermSheet) -> Vec<Pay> {
        let pay = |circle, code, what, (odds, clause)| Pay::new(circle, code, what, odds, clause);
        let beaten = "a hand that beats the dealer, with all that was added to it";
        let mut pays = vec![
            pay(Circle::Main, "hand-won", beaten, (Odds::EVEN, B::CITES.higher)),
            pay(Circle::Main, "natural", "a blackjack", B::NATURAL),
            pay(Circle::Insurance, "insurance", "the dealer has a blackjack", B::INSURANCE),
        ];
        pays.extend(B::side_pays(sheet));
        pays
    }

    fn begin(sheet: &TermSheet, wagers: &TableWagers, record: &mut impl Record) -> Self {
        Blackjack::start(BlackjackTerms::read(sheet), wagers, record)
    }

    fn is_first_deal(&self) -> bool {
        matches!(
            self.phase,
            Phase::First { .. } | Phase::Up | Phase::Attack | Phase::Second { .. } | Phase::Hole
        )
    }

    fn hole_card(sheet: &TermSheet) -> Option<HoleCard> {
        Some(B::read(sheet).hole_card())
    }

    fn points(&self, seat: usize, hand: usize) -> Option<Points> {
        let here = self.boxes.get(seat)?;
        let hand = here.hands[..usize::from(here.count)].get(hand)?;
        (hand.cards() > 0).then(|| hand.points())
    }

    fn dealer_points(&self) -> Option<Points> {
        self.dealer_points()
    }

    fn shows_half_a_natural(&self) -> bool {
        self.dealer.may_have_natural()
    }

    fn exposed_hole_voids(&self) -> bool {
        self.terms.book.exposed_hole_voids()
    }

    fn hands(&self, seat: usize) -> usize {
        self.hands(seat)
    }

    fn current_hand(&self, seat: usize) -> Option<usize> {
        self.current_hand(seat)
    }

    /// Whether a surrender waits for the dealer's second card (DAB-8-a-2).
    fn gave_up(&self, seat: usize, hand: usize) -> bool {
        let here = self.boxes.get(seat).and_then(|here| here.hands.get(hand));
        here.is_some_and(|hand| hand.fate() == Fate::SurrenderHeld)
    }

    fn decider(&self, seat: usize) -> Bettor {
        self.decider(seat)
    }

    /// Forgets other boxes where their cards are private (DDB-R04).
    fn forget_others(&mut self, seats: &[usize]) {
        if !self.terms.book.private_cards() {
            return;
        }
        for seat in (0..SEATS).filter(|seat| !seats.contains(seat)) {
            self.boxes[seat] = BoxHands { hands: [Hand::EMPTY; MOST_HANDS], count: 0 };
            self.stakes[seat] = [Stakes::NONE; BETTORS];
            (0..BETTORS).for_each(|place| self.asked.remove(Bettor::behind(seat, place)));
        }
        let hands = self.boxes.iter().flat_map(|here| &here.hands[..usize::from(here.count)]);
        let (mut waiting, mut owed) = (0, 0);
        for hand in hands {
            waiting += u8::from(hand.fate == Fate::Stood);
            owed += u8::from(hand.is_owed());
        }
        (self.waiting, self.owed) = (waiting, owed);
    }
}

impl<B: Book, const SEATS: usize, const BETTORS: usize> Round for Blackjack<B, SEATS, BETTORS> {
    fn game(&self) -> Game {
        B::GAME
    }

    fn awaits(&self) -> Awaits {
        match self.phase {
            Phase::First { seat } | Phase::Second { seat } => {
                Awaits::Card(Place::Hand { seat, hand: 0 })
            }
            Phase::Card { seat, hand } => Awaits::Card(Place::Hand { seat, hand }),
            Phase::Up | Phase::Dealer => Awaits::Card(Place::Dealer),
            Phase::Hole => Awaits::FaceDown(Place::Dealer),
            Phase::Peek => Awaits::Peek,
            Phase::Play { seat, .. } => Awaits::Acts(Bettors::only(self.decider(seat.into()))),
            Phase::Attack | Phase::Insurance | Phase::Follow { .. } | Phase::Cover { .. } => {
                Awaits::Acts(self.asked)
            }
            Phase::Turn => Awaits::Turn,
            Phase::Settled => Awaits::Nobody,
        }
    }

    fn offers(&self, bettor: Bettor) -> Calls {
        match self.phase {
            Phase::Play { seat, hand } if bettor == self.decider(seat.into()) => {
                let calls = Call::ALL.into_iter();
                calls.filter(|&call| self.is_open(bettor, hand.into(), call)).collect()
            }
            _ if !self.asked.contains(bettor) => Calls::NONE,
            Phase::Attack => Calls::of(&[Call::Pass])
                .with_if(!self.range(bettor, 0, Circle::Attack).is_empty(), Call::Attack),
            Phase::Insurance => Calls::of(&[Call::Pass])
                .with_if(!self.range(bettor, 0, Circle::Insurance).is_empty(), Call::Insure)
                .with_if(
                    self.terms.book.even_money() && self.has_natural(bettor.seat()),
                    Call::EvenMoney,
                ),
            Phase::Follow { hand, .. } => Calls::of(&[Call::Pass])
                .with_if(!self.range(bettor, hand.into(), Circle::Double).is_empty(), Call::Double),
            Phase::Cover { .. } => Calls::of(&[Call::Pass])
                .with_if(self.racks.can_spend(bettor, self.split_stake(bettor)), Call::Split),
            _ => Calls::NONE,
        }
    }

    fn amounts(&self, bettor: Bettor, call: Call) -> Amounts {
        if !self.offers(bettor).contains(call) {
            return Amounts::None;
        }
        match (call, self.at()) {
            (Call::Pass, Some((_, hand))) if matches!(self.phase, Phase::Cover { .. }) => {
                Amounts::Hand(byte(hand + 1))
            }
            (Call::Attack, _) => Amounts::Required(self.range(bettor, 0, Circle::Attack)),
            (Call::Insure, _) => Amounts::Required(self.range(bettor, 0, Circle::Insurance)),
            (Call::Double, Some((seat, hand))) => {
                match self.terms.book.double(*self.hand(seat, hand)) {
                    Ok(Cost::Free) => Amounts::None,
                    _ => Amounts::Required(self.range(bettor, hand, Circle::Double)),
                }
            }
            _ => Amounts::None,
        }
    }

    fn deal(&mut self, card: Card, record: &mut impl Record) -> Result {
        match self.phase {
            Phase::First { seat } => self.deal_first(seat, card, record),
            Phase::Up => self.deal_up(card, record),
            Phase::Second { seat } => self.deal_second(seat, card, record),
            Phase::Card { seat, hand } => self.deal_more(seat, hand, card, record),
            Phase::Dealer => self.deal_dealer(card, record),
            Phase::Settled => Err(Refusal::RoundOver),
            _ => Err(Refusal::NotAwaited),
        }
    }

    fn deal_face_down(&mut self, record: &mut impl Record) -> Result {
        ensure(self.phase == Phase::Hole, Refusal::NotAwaited)?;
        self.lay_hole(record);
        Ok(())
    }

    fn reader_answer(&self, hole: Card) -> bool {
        self.dealer.natural_with(hole)
    }

    /// Takes the reader's answer, which is never the card itself.
    #[doc(alias = "FBB-1-card-reader")]
    #[inline(always)]
    fn peek(&mut self, natural: bool, record: &mut impl Record) -> Result {
        if self.phase != Phase::Peek {
            return Err(Refusal::NotAwaited);
        }
        record.note(Event::Peeked { natural });
        if natural {
            self.reader = Reader::Yes;
            self.phase = Phase::Turn;
        } else {
            self.reader_says_no(record);
        }
        Ok(())
    }

    fn turn(&mut self, card: Card, record: &mut impl Record) -> Result {
        ensure(self.phase == Phase::Turn, Refusal::NotAwaited)?;
        self.turn_hole(card, record)
    }

    fn act(&mut self, bettor: Bettor, act: Act, record: &mut impl Record) -> Result {
        match self.phase {
            Phase::Play { seat, hand } if bettor == self.decider(seat.into()) => {
                self.decide(seat.into(), hand.into(), act, record)
            }
            Phase::Attack | Phase::Insurance | Phase::Follow { .. } | Phase::Cover { .. }
                if self.asked.contains(bettor) =>
            {
                self.answer(bettor, act, record)
            }
            _ => Err(self.closed(bettor, act.call())),
        }
    }

    fn remedy(&mut self, remedy: Remedy, record: &mut impl Record) -> Result {
        self.carry_out(remedy, record)
    }

    fn buy_in(&mut self, bettor: Bettor, amount: Cents, record: &mut impl Record) -> Result {
        ensure(self.phase != Phase::Settled, Refusal::RoundOver)?;
        let on_box = self.stakes.get(bettor.seat()).and_then(|on_box| on_box.get(bettor.place()));
        ensure(on_box.is_some_and(Stakes::takes_part), Refusal::NotInTheRound)?;
        self.racks.buy_in(bettor, amount, self.terms.chip_unit, record)
    }

    #[inline(always)]
    fn play(&mut self, driver: &mut impl Driver<Self>, record: &mut impl Record) -> Result {
        self.play_in_order(driver, record)?;
        match self.phase {
            Phase::Settled => Ok(()),
            // After an irregularity something is out of turn.
            _ => step_by_step(self, driver, record),
        }
    }
}
