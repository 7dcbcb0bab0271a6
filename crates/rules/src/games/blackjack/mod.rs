//! The common blackjack game, and the three rule books that vary it.
//!
//! The play of a hand (points, what it may do, what the dealer does) lies beside the stakes on it:
//! play decides rulings, stakes turn them into settlements.

mod book;
mod double_attack;
mod double_deck;
mod free_bet;
mod hand;
mod points;
mod remedy;
mod settle;
mod stakes;

pub use book::{Book, Busts, Cost, HoleCard, SplitAces, SplitStake};
pub use double_attack::DoubleAttack;
pub use double_deck::DoubleDeck;
pub use free_bet::FreeBet;
pub use hand::{Dealer, Hand};
pub use points::Points;

use crate::card::Card;
use crate::games::Pay;
use crate::money::{Breakage, Cents, Chips, Odds};
use crate::refusal::Refusal;
use crate::round::{
    Act, Amounts, Audience, Awaits, Call, Calls, Event, Place, Range, Record, Remedy, Round,
};
use crate::terms::{AddedWager, PlayersOut, TermSheet, VoidScope};
use crate::wager::{Bettor, Bettors, Circle, Game, Opening, Racks, Wagers, byte};
use hand::{Doubled, Fate};
use stakes::{On, Stakes};

/// The most hands of one box.
pub const MOST_HANDS: usize = 4;

/// What the house has chosen for a blackjack round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms<B> {
    chip_unit: Chips,
    breakage: Breakage,
    void_scope: VoidScope,
    players_out: PlayersOut,
    book: B,
}

impl<B: Book> Terms<B> {
    /// Reads the options of a table.
    pub fn read(sheet: &TermSheet) -> Terms<B> {
        assert_eq!(sheet.game(), B::GAME);
        Terms {
            chip_unit: sheet.chips("chip_unit"),
            breakage: sheet.breakage(),
            void_scope: sheet.void_scope(),
            players_out: sheet.players_out(),
            book: B::read(sheet),
        }
    }
}

/// What may be placed before the first card (DAB-1-initial-wager, FBB-5-d, DDB-R24).
pub fn opening<B: Book>(sheet: &TermSheet) -> Opening {
    Opening {
        game: B::GAME,
        seats: sheet.count("seats"),
        bettors: B::bettors(sheet),
        boxes: Some(B::boxes(sheet)),
        chip_unit: sheet.chips("chip_unit"),
        main_min: sheet.chips("main_min"),
        main_max: sheet.chips("main_max"),
        side: B::side_wager(sheet),
        progressive: None,
    }
}

/// What pays what at a table with these terms.
pub fn pays<B: Book>(sheet: &TermSheet) -> Vec<Pay> {
    let main = |what, (odds, clause)| Pay { circle: Circle::Main, what, odds, clause };
    let won = (Odds::EVEN, B::CITES.higher);
    let (odds, clause) = B::INSURANCE;
    let what = "the dealer has a blackjack";
    let insurance = Pay { circle: Circle::Insurance, what, odds, clause };
    let mut pays = vec![
        main("a hand that beats the dealer, and all that was added to it", won),
        main("a blackjack", B::NATURAL),
        insurance,
    ];
    pays.extend(B::side_pays(sheet));
    pays
}

/// What the round is at, grouped by what it awaits: a card, the dealer, an answer, nothing.
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
    /// A box decides about a hand.
    Play { seat: u8, hand: u8 },
    /// Everyone is asked for a double attack.
    Attack,
    /// Everyone is asked for insurance.
    Insurance,
    /// The others on a box are asked whether they double too (DAB-13-d).
    Follow { seat: u8, hand: u8 },
    /// The others on a box are asked how they stand to a split (DAB-13-f).
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
/// `SEATS` and `BETTORS` are the room it has: one of each for analysis and simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blackjack<B, const SEATS: usize, const BETTORS: usize> {
    racks: Racks<SEATS, BETTORS>,
    stakes: [[Stakes; BETTORS]; SEATS],
    terms: Terms<B>,
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
        terms: Terms<B>,
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
        for bettor in wagers.bettors() {
            let slip = wagers.slip(bettor);
            round.boxes[bettor.seat()].count = 1;
            *round.stakes_mut(bettor) = Stakes::opening(slip.main, slip.side);
            record.note(Event::staked((bettor, 0, Circle::Main), slip.main));
            if let (false, Some(side)) = (slip.side.is_zero(), Self::side_circle()) {
                record.note(Event::staked((bettor, 0, side), slip.side));
            }
        }
        let first = round.next_short(0, 1).expect("a round has a wager");
        if !B::ATTACK {
            round.phase = Phase::First { seat: byte(first) };
        }
        round
    }

    /// The circle of the game's own side wager.
    const fn side_circle() -> Option<Circle> {
        match B::GAME {
            Game::DoubleAttack => Some(Circle::Bonus),
            Game::FreeBet => Some(Circle::Push22),
            _ => None,
        }
    }

    /// The points of a hand that has cards.
    pub fn points(&self, seat: usize, hand: usize) -> Option<Points> {
        let here = self.boxes.get(seat)?;
        let hand = here.hands[..usize::from(here.count)].get(hand)?;
        (hand.cards() > 0).then(|| hand.points())
    }

    /// The points of the dealer's open cards.
    pub fn dealer_points(&self) -> Option<Points> {
        (self.dealer.cards() > 0).then(|| self.dealer.points())
    }

    /// The dealer's up card.
    #[inline]
    pub fn up_card(&self) -> Option<Card> {
        self.dealer.up()
    }

    /// How many hands a box has.
    pub fn hands(&self, seat: usize) -> usize {
        self.boxes.get(seat).map_or(0, |here| usize::from(here.count))
    }

    /// The hand that is being played, if it is one of this box.
    pub fn current_hand(&self, seat: usize) -> Option<usize> {
        self.at().and_then(|(at, hand)| (at == seat).then_some(hand))
    }

    /// A hand, as the rules know it.
    #[inline]
    pub fn hand(&self, seat: usize, hand: usize) -> Hand {
        self.boxes[Self::known(seat)].hands[hand % MOST_HANDS]
    }

    #[inline]
    fn hand_mut(&mut self, seat: usize, hand: usize) -> &mut Hand {
        &mut self.boxes[Self::known(seat)].hands[hand % MOST_HANDS]
    }

    #[inline]
    fn stakes(&self, bettor: Bettor) -> &Stakes {
        &self.stakes[Self::known(bettor.seat())][bettor.place()]
    }

    #[inline]
    fn stakes_mut(&mut self, bettor: Bettor) -> &mut Stakes {
        &mut self.stakes[Self::known(bettor.seat())][bettor.place()]
    }

    /// How many hands a box in play has.
    #[inline]
    fn count(&self, seat: usize) -> usize {
        usize::from(self.boxes[Self::known(seat)].count)
    }

    /// The box, which is known where there is only one.
    #[inline]
    const fn known(seat: usize) -> usize {
        if SEATS == 1 { 0 } else { seat }
    }

    /// Everyone on a box.
    #[inline]
    fn bettors_at(&self, seat: usize) -> impl Iterator<Item = Bettor> + use<B, SEATS, BETTORS> {
        let stakes = self.stakes[seat];
        (0..BETTORS)
            .filter(move |&place| stakes[place].takes_part())
            .map(move |place| Bettor::behind(seat, place))
    }

    /// Who calls the decisions of a box: the first one on it (DAB-13-b).
    #[inline]
    fn decider(&self, seat: usize) -> Bettor {
        let place = (0..BETTORS).find(|&place| self.stakes[seat][place].takes_part());
        Bettor::behind(seat, place.unwrap_or(0))
    }

    /// The hand that the table is busy with.
    #[inline]
    fn at(&self) -> Option<(usize, usize)> {
        match self.phase {
            Phase::Play { seat, hand }
            | Phase::Card { seat, hand }
            | Phase::Follow { seat, hand }
            | Phase::Cover { seat, hand } => Some((seat.into(), hand.into())),
            _ => None,
        }
    }

    // The deal

    /// The next box, from this one on, whose hand is short of so many cards.
    #[inline]
    fn next_short(&self, from: usize, cards: u8) -> Option<usize> {
        (from..SEATS).find(|&seat| {
            let hand = self.hand(seat, 0);
            let short = hand.cards() < cards && hand.fate == Fate::Open && !hand.is_owed();
            self.count(seat) > 0 && short
        })
    }

    /// The first hand that is owed a late card.
    #[inline]
    fn next_owed(&self) -> Option<(usize, usize)> {
        if self.owed == 0 {
            return None;
        }
        let open = |&(seat, hand): &(usize, usize)| {
            self.hand(seat, hand).is_owed() && self.hand(seat, hand).fate == Fate::Open
        };
        (0..SEATS).flat_map(|seat| (0..MOST_HANDS).map(move |hand| (seat, hand))).find(open)
    }

    /// Goes on after a box's first card: the others', then the dealer's or the second ones
    /// (FBB-6-e, FBB-6-e-1, FBB-6-e-2, FBB-6-e-3, DDB-P4, DDB-R05, DAB-7-d-1, DAB-7-d-2).
    #[inline]
    fn after_first(&mut self, seat: usize, record: &mut impl Record) {
        match self.next_short(seat + 1, 1) {
            Some(seat) => self.phase = Phase::First { seat: byte(seat) },
            None if B::ATTACK => self.second_cards(0, record),
            None => self.phase = Phase::Up,
        }
    }

    /// Goes on to the second card of the boxes from this one on, then to those owed one late, the
    /// dealer's up card where it was missed, and the hole card.
    #[inline]
    fn second_cards(&mut self, from: usize, record: &mut impl Record) {
        if let Some(seat) = self.next_short(from, 2) {
            self.phase = Phase::Second { seat: byte(seat) };
        } else if let Some((seat, _)) = self.next_owed() {
            self.phase = Phase::Second { seat: byte(seat) };
        } else if self.dealer.cards() == 0 {
            self.phase = Phase::Up;
        } else if self.hole_card() == HoleCard::None {
            self.offer_insurance(record);
        } else {
            self.phase = Phase::Hole;
        }
    }

    /// Deals a box its first card.
    #[inline]
    fn deal_first(
        &mut self,
        seat: u8,
        card: Card,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        Self::own_card(card)?;
        self.note_initial(seat, card, record);
        self.hand_mut(seat.into(), 0).take(card, |_, _| false);
        self.after_first(seat.into(), record);
        Ok(())
    }

    /// Deals the dealer's up card.
    #[inline]
    fn deal_up(&mut self, card: Card, record: &mut impl Record) -> Result<(), Refusal> {
        self.take_dealer(card, record)?;
        if B::ATTACK {
            self.phase = Phase::Attack;
            for seat in 0..SEATS {
                if self.has_live_box(seat) {
                    self.offer_attack(self.decider(seat));
                }
            }
            self.after_answer(record);
        } else {
            self.second_cards(0, record);
        }
        Ok(())
    }

    /// Deals a box its second card, which may make a natural (DAB-1-blackjack, FBB-1-blackjack,
    /// DDB-P8).
    #[inline]
    fn deal_second(
        &mut self,
        seat: u8,
        card: Card,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        Self::own_card(card)?;
        self.note_initial(seat, card, record);
        self.pay_debt(seat.into(), 0);
        let book = self.terms.book;
        let hand = self.hand_mut(seat.into(), 0);
        hand.take(card, |one, other| book.is_pair(one, other));
        if hand.points().total() == 21 {
            hand.fate = Fate::Natural;
        }
        self.second_cards(usize::from(seat) + 1, record);
        Ok(())
    }

    /// Deals a hand the card that its decision asked for (DAB-7-f, FBB-6-i).
    #[inline]
    fn deal_more(
        &mut self,
        seat: u8,
        hand: u8,
        card: Card,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        Self::own_card(card)?;
        let (place, audience) = (Place::Hand { seat, hand }, Audience::Everyone);
        record.note(Event::Dealt { place, card, audience });
        let (seat, hand) = (seat.into(), hand.into());
        self.pay_debt(seat, hand);
        let book = self.terms.book;
        self.hand_mut(seat, hand).take(card, |one, other| book.is_pair(one, other));
        self.after_card(seat, hand, record);
        Ok(())
    }

    /// Deals the dealer a card after the players are done.
    #[inline]
    fn deal_dealer(&mut self, card: Card, record: &mut impl Record) -> Result<(), Refusal> {
        self.take_dealer(card, record)?;
        if self.dealer.cards() == 2 {
            self.dealer_has_two_cards(record);
        } else {
            self.settle_side(book::Stage::Drawing, record);
            self.dealer_goes_on(record);
        }
        Ok(())
    }

    #[inline]
    fn take_dealer(&mut self, card: Card, record: &mut impl Record) -> Result<(), Refusal> {
        Self::own_card(card)?;
        let (place, audience) = (Place::Dealer, Audience::Everyone);
        record.note(Event::Dealt { place, card, audience });
        self.dealer.take(card);
        Ok(())
    }

    /// A late card is being dealt.
    #[inline]
    fn pay_debt(&mut self, seat: usize, hand: usize) {
        if self.owed > 0 && self.hand(seat, hand).is_owed() {
            self.hand_mut(seat, hand).owe_no_more();
            self.owed -= 1;
        }
    }

    /// Notes one of a box's first two cards, which its owner alone may see (DDB-R04).
    #[inline]
    fn note_initial(&self, seat: u8, card: Card, record: &mut impl Record) {
        let audience = match self.terms.book.private_cards() {
            true => Audience::Box(seat),
            false => Audience::Everyone,
        };
        record.note(Event::Dealt { place: Place::Hand { seat, hand: 0 }, card, audience });
    }

    /// How the dealer's second card is dealt in this round.
    #[inline]
    fn hole_card(&self) -> HoleCard {
        match self.terms.book.hole_card() {
            HoleCard::Reader if self.reader == Reader::OutOfUse => HoleCard::Unseen,
            hole_card => hole_card,
        }
    }

    /// Offers insurance, and even money, when an ace is up (DAB-11-a, FBB-6-f, FBB-7-a, DDB-P19).
    #[inline]
    fn offer_insurance(&mut self, record: &mut impl Record) {
        if self.dealer.shows_ace() {
            self.asked = (0..SEATS)
                .flat_map(|seat| self.bettors_at(seat))
                .filter(|&bettor| self.stakes(bettor).on[0] != On::Nothing)
                .collect();
            if !self.asked.is_empty() {
                self.phase = Phase::Insurance;
                return;
            }
        }
        self.check_for_natural(record);
    }

    /// Asks the reader under an ace or a ten-value card, once insurance is answered
    /// (FBB-6-g, DAB-7-i, DDB-R09).
    #[inline(always)]
    fn check_for_natural(&mut self, record: &mut impl Record) {
        let due = self.hole_card() == HoleCard::Reader && self.dealer.may_have_natural();
        match (due, self.dealer.cards()) {
            (true, 1) => self.phase = Phase::Peek,
            // The hole card has been seen: it answers for the reader.
            (true, _) if self.dealer.is_natural() => self.dealer_has_two_cards(record),
            (true, _) => self.reader_says_no(record),
            (false, _) => self.play_from(0, 0, record),
        }
    }

    fn reader_says_no(&mut self, record: &mut impl Record) {
        self.reader = Reader::No;
        self.settle_insurance(None, record);
        self.play_from(0, 0, record);
    }

    /// Whether the dealer may turn out to have a natural.
    #[inline]
    fn natural_possible(&self) -> bool {
        let seen = self.dealer.cards() >= 2 && !self.dealer.is_natural();
        self.dealer.may_have_natural() && self.reader != Reader::No && !seen
    }

    // The players' hands

    /// Goes to the first hand, from this one on, that is not complete; hands owed a late card come
    /// last (FBB-6-h, DAB-7-e, DAB-10-b, FBB-9-c).
    #[inline(always)]
    fn play_from(&mut self, seat: usize, hand: usize, record: &mut impl Record) {
        let mut hand = hand;
        for seat in seat..SEATS {
            while hand < self.count(seat) {
                if self.goes_to(seat, hand, record) {
                    return;
                }
                hand += 1;
            }
            hand = 0;
        }
        match self.next_owed() {
            Some((seat, hand)) => self.phase = Phase::Card { seat: byte(seat), hand: byte(hand) },
            None => self.players_are_done(record),
        }
    }

    /// Awaits what a hand needs, if it needs anything; a natural is paid in passing.
    #[inline(always)]
    fn goes_to(&mut self, seat: usize, hand: usize, record: &mut impl Record) -> bool {
        let here = self.hand(seat, hand);
        match here.fate {
            Fate::Open if here.is_owed() => false,
            Fate::Open => self.awaits_more(seat, hand),
            Fate::Natural if B::NATURAL_PAID_IN_TURN && !self.natural_possible() => {
                self.pay_natural(seat, record);
                false
            }
            Fate::Natural if self.terms.book.surrender_natural() && !here.takes_no_more() => {
                self.phase = Phase::Play { seat: byte(seat), hand: byte(hand) };
                true
            }
            _ => false,
        }
    }

    /// Awaits a card or a decision for an open hand; it stands where nothing is left to choose.
    #[inline]
    fn awaits_more(&mut self, seat: usize, hand: usize) -> bool {
        if self.hand(seat, hand).cards() < 2 {
            self.phase = Phase::Card { seat: byte(seat), hand: byte(hand) };
            return true;
        }
        if B::SURRENDER || self.has_a_choice(seat, hand) {
            self.phase = Phase::Play { seat: byte(seat), hand: byte(hand) };
            return true;
        }
        self.stand(seat, hand);
        false
    }

    /// Whether anything but standing is open to a hand in a game without surrender.
    #[inline]
    fn has_a_choice(&self, seat: usize, hand: usize) -> bool {
        let here = self.hand(seat, hand);
        if here.doubled() != Doubled::No {
            return false;
        }
        !here.is_split_ace()
            || match self.terms.book.split_aces() {
                SplitAces::FullPlay => true,
                _ => self.may_split(self.decider(seat), hand).is_ok(),
            }
    }

    /// Judges a hand that took a card: over 21 it is lost, any 21 stands (G-20, G-21).
    #[inline]
    fn after_card(&mut self, seat: usize, hand: usize, record: &mut impl Record) {
        let points = self.hand(seat, hand).points();
        if points.is_bust() {
            self.bust(seat, hand, record);
        } else if points.total() == 21 {
            self.stand(seat, hand);
        } else if self.awaits_more(seat, hand) {
            return;
        }
        self.play_from(seat, hand + 1, record);
    }

    /// Opens cards that their owner alone has seen (DDB-R04).
    #[inline]
    fn show(&mut self, seat: usize, hand: usize, record: &mut impl Record) {
        if self.terms.book.private_cards() && self.hand(seat, hand).is_held() {
            record.note(Event::Shown { seat: byte(seat), hand: byte(hand) });
        }
    }

    // What a hand may do

    fn may_hit(&self, seat: usize, hand: usize) -> Result<(), Refusal> {
        let here = self.hand(seat, hand);
        if here.fate == Fate::Natural {
            return Err(Refusal::NaturalStands);
        }
        if here.doubled() != Doubled::No {
            return Err(Refusal::OneCardAfterDouble);
        }
        if here.takes_no_more() {
            return Err(Refusal::NoMoreCards);
        }
        if here.is_split_ace() && self.terms.book.split_aces() != SplitAces::FullPlay {
            return Err(Refusal::SplitAceHasItsCard);
        }
        Ok(())
    }

    /// What doubling a hand costs, where it may be doubled.
    fn may_double(&self, bettor: Bettor, hand: usize) -> Result<Cost, Refusal> {
        let here = self.hand(bettor.seat(), hand);
        if here.fate == Fate::Natural {
            return Err(Refusal::NaturalNotDoubled);
        }
        self.may_hit(bettor.seat(), hand)?;
        let cost = self.terms.book.double(here)?;
        match cost {
            Cost::Paid if self.double_range(bettor, hand).is_empty() => {
                Err(Refusal::AboveRack { left: self.racks.left(bettor) })
            }
            cost => Ok(cost),
        }
    }

    /// What a bettor may add when the hand is doubled: up to the stakes on it
    /// (DAB-9-a, DAB-R10, FBB-8-a-2, FBB-R07, DDB-R10).
    fn double_range(&self, bettor: Bettor, hand: usize) -> Range {
        let most = self.stakes(bettor).value_on(hand, self.terms.book.split_stake());
        self.range(bettor, most, self.terms.book.double_amount())
    }

    /// Amounts up to `most`, or exactly it, as far as the rack goes.
    fn range(&self, bettor: Bettor, most: Chips, added: AddedWager) -> Range {
        let step = self.terms.chip_unit;
        let least = match added {
            AddedWager::UpTo => step,
            AddedWager::Equal => most,
        };
        Range { least, most: self.racks.up_to(bettor, most, step), step }
    }

    /// What splitting a hand costs, where it may be split
    /// (DAB-10-a, DAB-10-c, DAB-10-e, FBB-9-a, FBB-9-d, DDB-P13, DDB-P14, DDB-P15).
    fn may_split(&self, bettor: Bettor, hand: usize) -> Result<Cost, Refusal> {
        let here = self.hand(bettor.seat(), hand);
        if here.fate == Fate::Natural {
            return Err(Refusal::NaturalStands);
        }
        if here.takes_no_more() {
            return Err(Refusal::NoMoreCards);
        }
        let Some(first) = here.first().filter(|_| here.is_pair()) else {
            return Err(Refusal::NotAPair);
        };
        if here.is_split_ace() && self.terms.book.split_aces() == SplitAces::OneCard {
            return Err(Refusal::AcesSplitOnce);
        }
        let hands = self.terms.book.most_hands();
        if self.count(bettor.seat()) >= usize::from(hands) {
            return Err(Refusal::SplitLimit { hands });
        }
        let cost = self.terms.book.split_cost(first);
        if cost == Cost::Paid && !self.racks.can_spend(bettor, self.split_stake(bettor)) {
            return Err(Refusal::AboveRack { left: self.racks.left(bettor) });
        }
        Ok(cost)
    }

    /// What a bettor adds for a hand made by splitting (DAB-10-a, DAB-R05, FBB-9-b-1, DDB-P13).
    fn split_stake(&self, bettor: Bettor) -> Chips {
        self.stakes(bettor).matched(self.terms.book.split_stake())
    }

    /// The most that insurance may be: half the wager, raised to a chip
    /// (DAB-11-b, FBB-7-b, DDB-P20).
    fn insurance_range(&self, bettor: Bettor) -> Range {
        let most = self.stakes(bettor).initial.half_up(self.terms.chip_unit);
        self.range(bettor, most, AddedWager::UpTo)
    }

    /// What the double attack may be (DAB-1-double-attack-wager, DAB-R01).
    fn attack_range(&self, bettor: Bettor) -> Range {
        self.range(bettor, self.stakes(bettor).initial, self.terms.book.attack_amount())
    }

    fn has_natural(&self, seat: usize) -> bool {
        self.hand(seat, 0).fate == Fate::Natural
    }

    // Decisions

    /// Takes the decision about a hand (DAB-7-e, FBB-6-h-2, DDB-P12).
    #[inline]
    fn decide(
        &mut self,
        seat: usize,
        hand: usize,
        act: Act,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        let bettor = self.decider(seat);
        match act.call() {
            Call::Hit => {
                self.may_hit(seat, hand)?;
                said_plainly(bettor, act, record)?;
                self.phase = Phase::Card { seat: byte(seat), hand: byte(hand) };
            }
            Call::Stand => {
                said_plainly(bettor, act, record)?;
                self.stand(seat, hand);
                self.play_from(seat, hand + 1, record);
            }
            Call::Double => self.double(bettor, hand, act, record)?,
            Call::Split => self.split(bettor, hand, act, record)?,
            Call::Surrender if B::SURRENDER => {
                said_plainly(bettor, act, record)?;
                self.surrender(seat, hand, record);
                self.play_from(seat, hand + 1, record);
            }
            call => return Err(self.closed(bettor, call)),
        }
        Ok(())
    }

    /// Ends a hand's decisions; a natural that could be surrendered is asked once.
    #[inline]
    fn stand(&mut self, seat: usize, hand: usize) {
        let here = self.hand_mut(seat, hand);
        match here.fate {
            Fate::Natural => here.take_no_more(),
            _ => {
                here.fate = Fate::Stood;
                self.waiting += 1;
            }
        }
    }

    /// Doubles a hand: one card more, and an added wager or a lammer
    /// (DAB-9-a, DAB-12-a-2, FBB-8-a, FBB-8-a-1, FBB-8-a-2, FBB-8-b, FBB-8-c, FBB-8-d, FBB-6-j-2,
    /// DDB-P12).
    fn double(
        &mut self,
        bettor: Bettor,
        hand: usize,
        act: Act,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        let seat = bettor.seat();
        let cost = self.may_double(bettor, hand)?;
        if cost == Cost::Free {
            if matches!(act, Act::With(..)) {
                return Err(Refusal::FreeDoubleTakesNoAmount);
            }
            record.note(Event::Acted(bettor, act));
            let value = self.stakes(bettor).initial;
            let circle = Circle::Double;
            record.note(Event::Lammer { bettor, hand: byte(hand), circle, value });
        } else {
            let amount = self.double_amount(bettor, hand, act)?;
            record.note(Event::Acted(bettor, act));
            self.add_double(bettor, hand, amount, record);
        }
        self.show(seat, hand, record);
        self.hand_mut(seat, hand).double(cost == Cost::Free);
        let others = self.others_on(bettor, hand);
        let (seat, hand) = (byte(seat), byte(hand));
        if others.is_empty() {
            self.phase = Phase::Card { seat, hand };
        } else {
            self.asked = others;
            self.phase = Phase::Follow { seat, hand };
        }
        Ok(())
    }

    fn double_amount(&self, bettor: Bettor, hand: usize, act: Act) -> Result<Chips, Refusal> {
        let range = self.double_range(bettor, hand);
        let most = self.stakes(bettor).value_on(hand, self.terms.book.split_stake());
        self.amount(bettor, act, range, Refusal::DoubleAboveWager { most }, most)
    }

    /// The amount of an act: as said, or the most that is open.
    fn amount(
        &self,
        bettor: Bettor,
        act: Act,
        range: Range,
        above: Refusal,
        most: Chips,
    ) -> Result<Chips, Refusal> {
        match act {
            _ if range.is_empty() => Err(Refusal::AboveRack { left: self.racks.left(bettor) }),
            Act::With(_, amount) if amount > Cents::from(most) => Err(above),
            Act::With(_, amount) => {
                range.check(amount, Refusal::AboveRack { left: self.racks.left(bettor) })
            }
            _ => Ok(range.most),
        }
    }

    fn add_double(&mut self, bettor: Bettor, hand: usize, amount: Chips, record: &mut impl Record) {
        self.racks.spend(bettor, amount);
        self.stakes_mut(bettor).doubles[hand] = amount;
        record.note(Event::staked((bettor, hand, Circle::Double), amount));
    }

    /// The others with a wager on a hand.
    fn others_on(&self, bettor: Bettor, hand: usize) -> Bettors {
        self.bettors_at(bettor.seat())
            .filter(|&other| other != bettor && self.stakes(other).on[hand] != On::Nothing)
            .collect()
    }

    /// Makes two hands of a pair; the new one lies right after the old one
    /// (DAB-10-a, FBB-9-b, FBB-9-b-1, FBB-9-b-2, FBB-9-b-2-i, FBB-9-b-2-ii, FBB-R05, DDB-P13).
    fn split(
        &mut self,
        bettor: Bettor,
        hand: usize,
        act: Act,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        let cost = self.may_split(bettor, hand)?;
        no_amount(act)?;
        record.note(Event::Acted(bettor, act));
        let (seat, new) = (bettor.seat(), hand + 1);
        self.show(seat, hand, record);
        record.note(Event::Split { seat: byte(seat), hand: byte(hand) });
        let here = &mut self.boxes[seat];
        here.hands.copy_within(new..MOST_HANDS - 1, new + 1);
        here.hands[new] = here.hands[hand].split();
        here.count += 1;
        for place in 0..BETTORS {
            self.stakes[seat][place].make_room(new);
        }
        match cost {
            Cost::Paid => self.cover(bettor, new, record),
            Cost::Free => {
                let value = self.stakes(bettor).initial;
                self.stakes_mut(bettor).on[new] = On::Lammer;
                let circle = Circle::Split;
                record.note(Event::Lammer { bettor, hand: byte(new), circle, value });
            }
        }
        let others = self.others_on(bettor, hand);
        let (seat, hand) = (byte(seat), byte(hand));
        if others.is_empty() {
            self.phase = Phase::Card { seat, hand };
        } else {
            self.asked = others;
            self.phase = Phase::Cover { seat, hand };
        }
        Ok(())
    }

    /// Puts a bettor's own money on a hand made by splitting.
    fn cover(&mut self, bettor: Bettor, hand: usize, record: &mut impl Record) {
        let amount = self.split_stake(bettor);
        self.racks.spend(bettor, amount);
        self.stakes_mut(bettor).on[hand] = On::Split;
        record.note(Event::staked((bettor, hand, Circle::Split), amount));
    }

    // Answers to what several are asked at once

    fn answer(
        &mut self,
        bettor: Bettor,
        act: Act,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        match self.phase {
            Phase::Attack => self.answer_attack(bettor, act, record)?,
            Phase::Insurance => self.answer_insurance(bettor, act, record)?,
            Phase::Follow { hand, .. } => self.answer_follow(bettor, hand.into(), act, record)?,
            Phase::Cover { hand, .. } => self.answer_cover(bettor, hand.into(), act, record)?,
            _ => unreachable!("only these ask several at once"),
        }
        self.asked.remove(bettor);
        self.after_answer(record);
        Ok(())
    }

    /// Goes on once everyone asked has answered.
    fn after_answer(&mut self, record: &mut impl Record) {
        if !self.asked.is_empty() {
            return;
        }
        match self.phase {
            Phase::Attack => match self.next_short(0, 1) {
                Some(seat) => self.phase = Phase::First { seat: byte(seat) },
                None => self.second_cards(0, record),
            },
            Phase::Insurance => self.check_for_natural(record),
            Phase::Follow { seat, hand } | Phase::Cover { seat, hand } => {
                self.phase = Phase::Card { seat, hand };
            }
            _ => {}
        }
    }

    /// Whether someone has a wager on the first hand of a box.
    fn has_live_box(&self, seat: usize) -> bool {
        self.stakes[seat].iter().any(|stakes| stakes.on[0] != On::Nothing)
    }

    /// Asks a bettor for a double attack, once (DAB-R02).
    fn offer_attack(&mut self, bettor: Bettor) {
        let offered = &mut self.stakes_mut(bettor).attack_offered;
        if !std::mem::replace(offered, true) {
            self.asked.add(bettor);
        }
    }

    /// Takes or declines a double attack wager; others on a box are asked when the decider has
    /// placed one (DAB-7-d, DAB-13-e, DAB-R28).
    fn answer_attack(
        &mut self,
        bettor: Bettor,
        act: Act,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        if act == Act::Call(Call::Pass) {
            record.note(Event::Acted(bettor, act));
            return Ok(());
        }
        if act.call() != Call::Attack {
            no_amount_with_pass(act)?;
            return Err(self.closed(bettor, act.call()));
        }
        let most = self.stakes(bettor).initial;
        let above = Refusal::AttackAboveInitial { most };
        let amount = self.amount(bettor, act, self.attack_range(bettor), above, most)?;
        record.note(Event::Acted(bettor, act));
        self.racks.spend(bettor, amount);
        self.stakes_mut(bettor).attack = amount;
        record.note(Event::staked((bettor, 0, Circle::Attack), amount));
        if bettor == self.decider(bettor.seat()) {
            for other in self.bettors_at(bettor.seat()) {
                self.offer_attack(other);
            }
        }
        Ok(())
    }

    /// Takes or declines insurance or even money; each bettor on a box answers alone
    /// (DAB-11-b, DAB-13-g, FBB-7-b, FBB-7-e, FBB-R15, DDB-R15).
    fn answer_insurance(
        &mut self,
        bettor: Bettor,
        act: Act,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        match act.call() {
            Call::Pass => {
                said_plainly(bettor, act, record)?;
            }
            Call::EvenMoney if self.terms.book.even_money() && self.has_natural(bettor.seat()) => {
                said_plainly(bettor, act, record)?;
                self.pay_even_money(bettor.seat(), record);
            }
            Call::Insure => {
                let most = self.stakes(bettor).initial.half_up(self.terms.chip_unit);
                let above = Refusal::InsuranceAboveHalf { most };
                let range = self.insurance_range(bettor);
                let amount = self.amount(bettor, act, range, above, most)?;
                record.note(Event::Acted(bettor, act));
                self.racks.spend(bettor, amount);
                self.stakes_mut(bettor).insurance = amount;
                record.note(Event::staked((bettor, 0, Circle::Insurance), amount));
            }
            call => return Err(self.closed(bettor, call)),
        }
        Ok(())
    }

    /// Doubles along with the decider of a box, or not (DAB-13-d).
    fn answer_follow(
        &mut self,
        bettor: Bettor,
        hand: usize,
        act: Act,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        match act.call() {
            Call::Pass => {
                said_plainly(bettor, act, record)?;
            }
            Call::Double => {
                let amount = self.double_amount(bettor, hand, act)?;
                record.note(Event::Acted(bettor, act));
                self.add_double(bettor, hand, amount, record);
            }
            _ => return Err(Refusal::NotTheDecider),
        }
        Ok(())
    }

    /// Covers the new hand, or names the hand that keeps the wager (DAB-13-f).
    fn answer_cover(
        &mut self,
        bettor: Bettor,
        hand: usize,
        act: Act,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        match act {
            Act::Hand(number) => {
                let named = usize::from(number).wrapping_sub(1);
                if named != hand && named != hand + 1 {
                    return Err(Refusal::NotTheDecider);
                }
                record.note(Event::Acted(bettor, act));
                self.stakes_mut(bettor).on.swap(hand, named);
            }
            _ if act.call() == Call::Pass => said_plainly(bettor, act, record)?,
            _ if act.call() == Call::Split => {
                no_amount(act)?;
                if !self.racks.can_spend(bettor, self.split_stake(bettor)) {
                    return Err(Refusal::AboveRack { left: self.racks.left(bettor) });
                }
                record.note(Event::Acted(bettor, act));
                self.cover(bettor, hand + 1, record);
            }
            _ => return Err(Refusal::NotTheDecider),
        }
        Ok(())
    }

    /// Why a call is closed to someone.
    fn closed(&self, bettor: Bettor, call: Call) -> Refusal {
        if bettor.place() >= BETTORS {
            return Refusal::BoxNotShared { most: byte(BETTORS) };
        }
        if bettor.seat() >= SEATS || self.count(bettor.seat()) == 0 {
            return Refusal::NotInTheRound;
        }
        let in_window = self.asked.contains(bettor);
        match call {
            Call::War => return Refusal::CallForeign { call },
            Call::Surrender if !B::SURRENDER => return Refusal::SurrenderNotOffered,
            Call::Attack if !B::ATTACK => return Refusal::CallForeign { call },
            Call::EvenMoney if !self.terms.book.even_money() => {
                return Refusal::EvenMoneyNotOffered;
            }
            Call::Attack if bettor != self.decider(bettor.seat()) => return Refusal::NotTheDecider,
            Call::Attack => return Refusal::AttackClosed,
            Call::EvenMoney => return Refusal::EvenMoneyNeedsNatural,
            Call::Insure if self.dealer.up().is_some() && !self.dealer.shows_ace() => {
                return Refusal::InsuranceNeedsAce;
            }
            Call::Insure => return Refusal::InsuranceClosed,
            Call::Pass => {}
            _ if in_window => return Refusal::NotOpenNow { call },
            _ if bettor != self.decider(bettor.seat()) => return Refusal::NotTheDecider,
            _ => {}
        }
        match self.phase {
            Phase::Play { seat, .. } if usize::from(seat) == bettor.seat() => {
                match bettor == self.decider(bettor.seat()) {
                    true => Refusal::NotOpenNow { call },
                    false => Refusal::NotTheDecider,
                }
            }
            _ => self.why_not_asked(bettor, call),
        }
    }

    /// Why someone is not asked now, from what has become of the hand last played.
    fn why_not_asked(&self, bettor: Bettor, call: Call) -> Refusal {
        let seat = bettor.seat();
        let count = self.count(seat);
        let last = (0..count).rev().find(|&hand| {
            let here = self.hand(seat, hand);
            here.cards() > 1 && here.fate != Fate::Open
        });
        let Some(hand) = last.filter(|_| call != Call::Pass) else {
            return match self.phase {
                Phase::Settled => Refusal::RoundOver,
                _ => Refusal::OutOfTurn,
            };
        };
        let here = self.hand(seat, hand);
        match here.fate {
            Fate::Natural | Fate::Paid if call == Call::Double => Refusal::NaturalNotDoubled,
            Fate::Natural | Fate::Paid => Refusal::NaturalStands,
            Fate::Bust | Fate::BustHeld => Refusal::BustIsFinal,
            Fate::Surrendered | Fate::SurrenderHeld => Refusal::AfterSurrender,
            Fate::Dead => Refusal::HandIsDead,
            _ if call == Call::Surrender && here.points().total() < 21 => Refusal::AfterStanding,
            _ if call == Call::Surrender => Refusal::TwentyOneStands,
            _ => match self.may_hit(seat, hand) {
                Err(refusal @ Refusal::SplitAceHasItsCard) if call == Call::Split => {
                    if here.is_pair() { Refusal::AcesSplitOnce } else { refusal }
                }
                Err(refusal) => refusal,
                Ok(()) if here.points().total() == 21 => Refusal::TwentyOneStands,
                Ok(()) => Refusal::AfterStanding,
            },
        }
    }

    // The dealer

    /// Goes on to the dealer's hand (FBB-6-k, DAB-7-g, DDB-P16).
    #[inline]
    fn players_are_done(&mut self, record: &mut impl Record) {
        if self.dealer.cards() == 2 {
            self.dealer_has_two_cards(record);
        } else if self.hole_card() != HoleCard::None {
            self.phase = Phase::Turn;
        } else if self.terms.book.second_card_always() || self.second_card_matters() {
            self.phase = Phase::Dealer;
        } else {
            self.settle_hands(record);
        }
    }

    /// Whether anything depends on the dealer's second card (DAB-12-c, DAB-R19).
    fn second_card_matters(&self) -> bool {
        let held =
            |hand: &Hand| matches!(hand.fate, Fate::Natural | Fate::SurrenderHeld | Fate::BustHeld);
        let natural_matters = self.dealer.may_have_natural()
            && self.boxes.iter().any(|here| here.hands[..usize::from(here.count)].iter().any(held));
        let mut stakes = self.stakes.iter().flatten();
        self.waiting > 0
            || natural_matters
            || stakes.any(|stakes| !stakes.side.is_zero() || !stakes.insurance.is_zero())
    }

    /// Settles what the dealer's first two cards decide, and plays on.
    #[inline(always)]
    fn dealer_has_two_cards(&mut self, record: &mut impl Record) {
        self.settle_side(book::Stage::Drawing, record);
        if self.dealer.is_natural() {
            self.settle_dealer_natural(record);
        } else {
            self.settle_insurance(None, record);
            self.settle_held(record);
            self.dealer_goes_on(record);
        }
    }

    /// Draws, unless the dealer must stand or nothing depends on another card
    /// (DAB-12-b, DAB-12-c, FBB-6-l, FBB-6-m, DDB-P17, DDB-R22).
    #[inline(always)]
    fn dealer_goes_on(&mut self, record: &mut impl Record) {
        if self.terms.book.dealer_draws(self.dealer.points()) && self.next_card_matters() {
            self.phase = Phase::Dealer;
        } else {
            self.settle_side(book::Stage::Finished, record);
            self.settle_hands(record);
        }
    }

    /// Whether a hand or a live side wager waits for the dealer's cards: Push 22 has the dealer
    /// complete the hand, the bonus a third card be drawn (FBB-R17, DAB-R18).
    #[inline]
    fn next_card_matters(&self) -> bool {
        self.waiting > 0
            || Self::side_circle().is_some()
                && self.stakes.iter().flatten().any(|stakes| !stakes.side.is_zero())
    }

    /// Refuses cards that this game's shoe does not have.
    #[inline]
    fn own_card(card: Card) -> Result<(), Refusal> {
        match B::is_foreign(card) {
            true => Err(Refusal::TenInTheShoe),
            false => Ok(()),
        }
    }
}

/// Notes an act that takes no amount, or refuses the amount.
#[inline]
fn said_plainly(bettor: Bettor, act: Act, record: &mut impl Record) -> Result<(), Refusal> {
    no_amount(act)?;
    record.note(Event::Acted(bettor, act));
    Ok(())
}

/// Refuses an amount with a call that takes none.
#[inline]
fn no_amount(act: Act) -> Result<(), Refusal> {
    match act {
        Act::With(call, _) => Err(Refusal::AmountNotTaken { call }),
        Act::Hand(_) => Err(Refusal::NotTheDecider),
        Act::Call(_) => Ok(()),
    }
}

fn no_amount_with_pass(act: Act) -> Result<(), Refusal> {
    if act.call() == Call::Pass { no_amount(act) } else { Ok(()) }
}

impl<B: Book, const SEATS: usize, const BETTORS: usize> Round for Blackjack<B, SEATS, BETTORS> {
    fn game(&self) -> Game {
        B::GAME
    }

    #[inline]
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
                let (seat, hand) = (seat.into(), hand.into());
                Calls::of(&[Call::Stand])
                    .with_if(self.may_hit(seat, hand).is_ok(), Call::Hit)
                    .with_if(self.may_double(bettor, hand).is_ok(), Call::Double)
                    .with_if(self.may_split(bettor, hand).is_ok(), Call::Split)
                    .with_if(B::SURRENDER, Call::Surrender)
            }
            _ if !self.asked.contains(bettor) => Calls::NONE,
            Phase::Attack => Calls::of(&[Call::Pass])
                .with_if(!self.attack_range(bettor).is_empty(), Call::Attack),
            Phase::Insurance => Calls::of(&[Call::Pass])
                .with_if(!self.insurance_range(bettor).is_empty(), Call::Insure)
                .with_if(
                    self.terms.book.even_money() && self.has_natural(bettor.seat()),
                    Call::EvenMoney,
                ),
            Phase::Follow { hand, .. } => Calls::of(&[Call::Pass])
                .with_if(!self.double_range(bettor, hand.into()).is_empty(), Call::Double),
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
            (Call::Attack, _) => Amounts::Required(self.attack_range(bettor)),
            (Call::Insure, _) => Amounts::Required(self.insurance_range(bettor)),
            (Call::Double, Some((seat, hand))) => {
                match self.terms.book.double(self.hand(seat, hand)) {
                    Ok(Cost::Free) => Amounts::None,
                    _ => Amounts::Required(self.double_range(bettor, hand)),
                }
            }
            _ => Amounts::None,
        }
    }

    #[inline]
    fn deal(&mut self, card: Card, record: &mut impl Record) -> Result<(), Refusal> {
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

    /// Takes the hole card unseen: no face-down card is ever in the round
    /// (FBB-1-hole-card, FBB-6-e-4, FBB-6-b, DAB-7-b, DAB-7-i, DDB-P6, G-24).
    #[inline]
    fn deal_face_down(&mut self, record: &mut impl Record) -> Result<(), Refusal> {
        if self.phase != Phase::Hole {
            return Err(Refusal::NotAwaited);
        }
        record.note(Event::FaceDown(Place::Dealer));
        self.offer_insurance(record);
        Ok(())
    }

    #[inline]
    fn reader_answer(&self, hole: Card) -> bool {
        self.dealer.natural_with(hole)
    }

    /// Takes the reader's answer, which is never the card itself (FBB-1-card-reader).
    #[inline]
    fn peek(&mut self, natural: bool, record: &mut impl Record) -> Result<(), Refusal> {
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

    #[inline]
    fn turn(&mut self, card: Card, record: &mut impl Record) -> Result<(), Refusal> {
        if self.phase != Phase::Turn {
            return Err(Refusal::NotAwaited);
        }
        self.check_hole(card)?;
        record.note(Event::Turned(card));
        self.dealer.take(card);
        self.dealer_has_two_cards(record);
        Ok(())
    }

    #[inline]
    fn act(&mut self, bettor: Bettor, act: Act, record: &mut impl Record) -> Result<(), Refusal> {
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

    fn remedy(&mut self, remedy: Remedy, record: &mut impl Record) -> Result<(), Refusal> {
        self.cure(remedy, record)
    }
}
