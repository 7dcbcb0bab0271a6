//! Double Down Stud: one card each, four shared ones, and a pay table of poker hands.

mod book;

use crate::book::RuleBook;
use crate::card::{Card, Rank};
use crate::games::{Pay, Stake, TableGame, TableWagers, stake};
use crate::money::{Breakage, Cents, Chips, Odds};
use crate::names::names;
use crate::refusal::{Refusal, Result, ensure};
use crate::round::{
    Act, Amounts, Awaits, Call, Calls, Decision, Driver, Event, Place, Range, Record, Remedy,
    Round, Ruling, Settlement, Why,
};
use crate::terms::{AddedWager, TermRefusal, TermSheet, VoidScope};
use crate::wager::{Bettor, Bettors, BoxesPerPerson, Circle, Game, Opening, Racks, Wagers, byte};

/// Face-up cards in front of the dealer, after the hole card (DDS-8-c, DDS-R14).
const OPEN_CARDS: u8 = 3;
/// The payout limit is never below this (DDS-10-c).
const LEAST_PAYOUT_LIMIT: u64 = Chips::dollars(100_000).get() as u64;

const _: () = assert!(size_of::<DoubleDownStud<1>>() <= 128, "two cache lines");

/// Refuses a payout limit below what one patron can win in a round of minimum wagers (DDS-10-c,
/// DDS-R04).
pub fn check_payout_limit(sheet: &TermSheet) -> Result<(), TermRefusal> {
    let Some(limit) = sheet.number("payout_limit") else { return Ok(()) };
    let pays = read_pays(sheet).map(u64::from);
    let best = |categories: &[Category]| {
        categories.iter().map(|&category| pays[category as usize]).max().unwrap_or(0)
    };
    let royal = pays[Category::RoyalFlush as usize];
    let others = best(&Category::ALL[1..Category::WINNING]);
    let odds = match sheet.count("max_boxes_per_player") {
        1 => royal.max(others),
        // Four shared cards make one royal flush at most, and with it one of these.
        _ => {
            use Category::{Flush, Pair, Straight, StraightFlush};
            (royal + best(&[StraightFlush, Flush, Straight, Pair])).max(2 * others)
        }
    };
    let most_won = 2 * odds * u64::from(sheet.chips("main_min").get());
    let floor = most_won.max(LEAST_PAYOUT_LIMIT);
    if u64::from(limit) >= floor {
        return Ok(());
    }
    let floor = Cents::new(i64::try_from(floor).unwrap_or(i64::MAX));
    Err(sheet.forbidden("payout_limit", format!("none, or at least {floor} with these terms")))
}

/// The house options that a round depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StudTerms {
    /// Odds to 1 of each winning [`Category`], the best first; a pair is one of jacks or better.
    ///
    /// Never below those listed (DDS-10-b, DDS-R05).
    pub pays: [u32; Category::WINNING],
    /// The most that one hand wins, if there is a limit (DDS-10-c).
    pub payout_limit: Option<Chips>,
    /// The smallest chip.
    pub chip_unit: Chips,
    /// How much a double is (DDS-1-double-down-wager, DDS-R01).
    pub double_amount: AddedWager,
    /// What a void undoes.
    pub void_scope: VoidScope,
}

impl StudTerms {
    /// Reads them from the sheet of a table.
    pub fn read(sheet: &TermSheet) -> StudTerms {
        StudTerms {
            pays: read_pays(sheet),
            payout_limit: sheet.number("payout_limit").map(Chips::new),
            chip_unit: sheet.chips("chip_unit"),
            double_amount: sheet.added_wager("double_amount"),
            void_scope: sheet.void_scope(),
        }
    }
}

/// The lines of the pay table in the order of [`Category::ALL`]: the term that holds the odds, and
/// the clause.
const LINES: [(&str, &str); Category::WINNING] = [
    ("pays_royal_flush", "DDS-10-b-T1"),
    ("pays_straight_flush", "DDS-10-b-T2"),
    ("pays_four_of_a_kind", "DDS-10-b-T3"),
    ("pays_full_house", "DDS-10-b-T4"),
    ("pays_flush", "DDS-10-b-T5"),
    ("pays_straight", "DDS-10-b-T6"),
    ("pays_three_of_a_kind", "DDS-10-b-T7"),
    ("pays_two_pair", "DDS-10-b-T8"),
    ("pays_high_pair", "DDS-10-b-T9"),
];

/// The odds of the pay table in the order of [`Category::ALL`].
#[doc(alias = "DDS-10-b")]
fn read_pays(sheet: &TermSheet) -> [u32; Category::WINNING] {
    LINES.map(|(key, _)| sheet.number(key).unwrap_or_else(|| panic!("{key} is a number")))
}

names! {
    /// The poker hands, best first; a hand counts once, as the best it makes (DDS-5-b, DDS-R07).
    Category {
        /// Ten to ace in one suit (DDS-5-b-1).
        RoyalFlush "royal-flush"
        /// Five in sequence in one suit (DDS-5-b-2).
        StraightFlush "straight-flush"
        /// Four of one rank (DDS-5-b-3).
        FourOfAKind "four-of-a-kind"
        /// Three of one rank and a pair (DDS-5-b-4).
        FullHouse "full-house"
        /// Five of one suit (DDS-5-b-5).
        Flush "flush"
        /// Five in sequence (DDS-5-b-6).
        Straight "straight"
        /// Three of one rank (DDS-5-b-7).
        ThreeOfAKind "three-of-a-kind"
        /// Two pairs (DDS-5-b-8).
        TwoPair "two-pair"
        /// Two of one rank (DDS-5-b-9).
        Pair "pair"
        /// Not even a pair (DDS-R06).
        Nothing "nothing"
    }
}

impl Category {
    /// How many of them win.
    pub const WINNING: usize = 9;
}

/// How often each rank and each suit is among some cards.
///
/// Four bits a rank from the two up, then three bits a suit, so that cards can be added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tally(u64);

/// One of each rank; the lowest bit is the two's.
const ONE_EACH: u64 = 0x1_1111_1111_1111;
/// The bits that count ranks.
const RANKS: u64 = ONE_EACH * 15;
/// Where the suits begin.
const SUITS: u32 = 52;
/// Ten to ace.
const TEN_TO_ACE: u64 = 0x1_1111 << (4 * 8);
/// Ace, two, three, four, five: here the ace is low.
#[doc(alias = "DDS-5-a")]
const ACE_TO_FIVE: u64 = 1 << (4 * 12) | 0x1111;

/// The tally of each single card.
const SINGLE: [u64; 64] = {
    let mut tallies = [0; 64];
    let mut i = 0;
    while i < 52 {
        let card = Card::DECK[i];
        let rank = (card.rank() as u32 - 2) * 4;
        let suit = SUITS + card.suit() as u32 * 3;
        tallies[card.index()] = 1 << rank | 1 << suit;
        i += 1;
    }
    tallies
};

impl Tally {
    const NONE: Tally = Tally(0);

    const fn with(self, card: Card) -> Tally {
        Tally(self.0 + SINGLE[card.index() % 64])
    }

    /// How often each rank is among the cards, four bits a rank from the two up.
    pub const fn ranks(self) -> u64 {
        self.0 & RANKS
    }

    /// Whether four or five of the cards have one suit.
    pub const fn has_four_of_a_suit(self) -> bool {
        self.0 >> SUITS & 0o4444 != 0
    }

    /// Ranks of which there are two or three, as the middle bit of each.
    const fn paired(self) -> u64 {
        self.0 & ONE_EACH << 1
    }

    /// What five cards make; the commonest hands are found first.
    #[doc(alias("DDS-1-hand", "DDS-1-rank", "DDS-5-b"))]
    #[inline(always)]
    const fn category(self) -> Category {
        let ranks = self.0 & RANKS;
        if ranks & !ONE_EACH != 0 {
            return self.of_equal_ranks();
        }
        let lowest = ranks & ranks.wrapping_neg();
        let straight = ranks == lowest.wrapping_mul(0x1_1111) || ranks == ACE_TO_FIVE;
        // Only a count of five has both its outer bits.
        let suits = self.0 >> SUITS;
        let flush = suits & suits >> 2 & 0o1111 != 0;
        if !straight && !flush {
            Category::Nothing
        } else {
            Tally::of_sequence_or_suit(ranks, straight, flush)
        }
    }

    /// Five cards, some of equal rank.
    #[doc(alias("DDS-5-b-3", "DDS-5-b-4", "DDS-5-b-7", "DDS-5-b-8", "DDS-5-b-9"))]
    #[inline(never)]
    const fn of_equal_ranks(self) -> Category {
        let ranks = self.0 & RANKS;
        let paired = self.paired();
        let threes = paired & ranks << 1;
        let fours = ranks & ONE_EACH << 2;
        if threes | fours == 0 {
            return if paired & (paired - 1) == 0 { Category::Pair } else { Category::TwoPair };
        }
        match (fours != 0, paired == threes) {
            (true, _) => Category::FourOfAKind,
            (false, true) => Category::ThreeOfAKind,
            (false, false) => Category::FullHouse,
        }
    }

    /// Five cards of different ranks: in sequence, in one suit, or both.
    #[doc(alias("DDS-5-b-1", "DDS-5-b-2", "DDS-5-b-5", "DDS-5-b-6"))]
    #[cold]
    #[inline(never)]
    const fn of_sequence_or_suit(ranks: u64, straight: bool, flush: bool) -> Category {
        match (flush, straight) {
            (false, _) => Category::Straight,
            (true, false) => Category::Flush,
            (true, true) if ranks == TEN_TO_ACE => Category::RoyalFlush,
            (true, true) => Category::StraightFlush,
        }
    }

    /// Whether the pair is of this rank or better, where the hand is a pair.
    const fn has_pair_of(self, rank: Rank) -> bool {
        self.paired() >> ((rank as u32 - 2) * 4) != 0
    }
}

/// What a seat staked, and its card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seat {
    /// Zero where the seat is not in the round.
    main: Chips,
    double: Chips,
    card: Option<Card>,
}

/// What comes next.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The card of this seat (DDS-8-c).
    Seat { seat: u8 },
    /// The card that lies face down (DDS-1-hole-card).
    Hole,
    /// One of the face-up cards in front of the dealer.
    Open { dealt: u8, shared: Tally },
    /// Double or pass, by every seat that has not answered (DDS-8-d).
    Doubling { asked: Bettors, shared: Tally },
    /// The hole card, turned over (DDS-8-e).
    Turn { shared: Tally },
    /// Nothing: the round is settled (DDS-1-round).
    Settled { shared: Tally },
    /// Nothing: the round is void.
    Void,
}

/// A round of Double Down Stud with room for `SEATS` seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DoubleDownStud<const SEATS: usize> {
    phase: Phase,
    seats: [Seat; SEATS],
    racks: Racks<SEATS, 1>,
    terms: StudTerms,
}

impl<const SEATS: usize> DoubleDownStud<SEATS> {
    /// Begins a round with the wagers placed; from here on only doubles are open (DDS-6-b).
    #[inline(always)]
    pub fn start<const S: usize, const B: usize>(
        terms: StudTerms,
        wagers: &Wagers<S, B>,
        record: &mut impl Record,
    ) -> Self {
        let absent = Seat { main: Chips::ZERO, double: Chips::ZERO, card: None };
        let mut round = DoubleDownStud {
            phase: Phase::Void,
            seats: [absent; SEATS],
            racks: wagers.racks(),
            terms,
        };
        for seat in 0..SEATS.min(S) {
            round.seats[seat].main = wagers.slip(Bettor::at(seat)).main;
            stake(seat, Circle::Main, round.seats[seat].main, record);
        }
        let first = (0..SEATS).find(|&seat| !round.seats[seat].main.is_zero());
        let first = first.expect("a round begins with an original wager");
        round.phase = Phase::Seat { seat: byte(first) };
        round
    }

    /// What a seat's five cards make, once all of them are known (DDS-1-hand).
    pub fn category(&self, seat: usize) -> Option<Category> {
        let Phase::Settled { shared } = self.phase else { return None };
        Some(shared.with(self.seats.get(seat)?.card?).category())
    }

    /// A seat's card and the face-up ones, while doubles are offered.
    pub fn known(&self, seat: usize) -> Option<Tally> {
        let Phase::Doubling { shared, .. } = self.phase else { return None };
        Some(shared.with(self.seats.get(seat)?.card?))
    }

    /// The next seat with a wager, from the dealer's left.
    #[allow(clippy::cast_possible_truncation)]
    fn next_seat(&self, from: usize) -> Option<u8> {
        (from..SEATS).find(|&seat| self.is_seated(seat)).map(|seat| seat as u8)
    }

    /// Whether a seat is in the round.
    fn is_seated(&self, seat: usize) -> bool {
        !self.seats[seat].main.is_zero()
    }

    /// Everyone in the round.
    fn everyone(&self) -> Bettors {
        (0..SEATS).filter(|&seat| self.is_seated(seat)).map(Bettor::at).collect()
    }

    /// Deals a seat its card.
    #[doc(alias("DDS-8-c", "DDS-8-a-2-ii"))]
    #[inline(always)]
    fn deal_seat(&mut self, seat: u8, card: Card, record: &mut impl Record) {
        record.note(Event::dealt(Place::Hand { seat, hand: 0 }, card));
        let seat = usize::from(seat);
        self.seats[seat].card = Some(card);
        self.phase = match self.next_seat(seat + 1) {
            Some(seat) => Phase::Seat { seat },
            None => Phase::Hole,
        };
    }

    /// Deals one of the shared face-up cards.
    #[doc(alias("DDS-8-c", "DDS-8-a-2-ii"))]
    #[inline(always)]
    fn deal_open(&mut self, dealt: u8, shared: Tally, card: Card, record: &mut impl Record) {
        record.note(Event::dealt(Place::Dealer, card));
        let shared = shared.with(card);
        self.phase = match dealt + 1 {
            OPEN_CARDS => Phase::Doubling { asked: self.everyone(), shared },
            dealt => Phase::Open { dealt, shared },
        };
    }

    /// Settles every hand, from the dealer's right (DDS-9-a, DDS-9-b, DDS-9-c).
    #[doc(alias("DDS-1-push", "DDS-1-round", "DDS-10-b-T10", "DDS-10-b-T11"))]
    #[inline(always)]
    fn settle(&mut self, shared: Tally, record: &mut impl Record) {
        for seat in (0..SEATS).rev() {
            let Some(card) = self.seats[seat].card else { continue };
            let hand = shared.with(card);
            let (ruling, clause) = match hand.category() {
                // DDS-10-b-T11: fives or less, and no pair at all.
                Category::Nothing => (Ruling::Take, "DDS-9-a"),
                Category::Pair if !hand.has_pair_of(Rank::Six) => (Ruling::Take, "DDS-9-a"),
                // DDS-1-push, DDS-10-b-T10: sixes to tens.
                Category::Pair if !hand.has_pair_of(Rank::Jack) => (Ruling::Push, "DDS-9-b"),
                // DDS-9-c: jacks or better, by the pay table.
                category => {
                    let line = category as usize;
                    (Ruling::Pay(Odds::to(self.terms.pays[line], 1)), LINES[line].1)
                }
            };
            self.settle_hand(seat, (ruling, Why::PayTable.by(clause)), record);
        }
        self.phase = Phase::Settled { shared };
    }

    /// Settles both wagers of a hand, which win or lose together (DDS-R16) under one payout limit;
    /// the double is cut first (DDS-10-c, DDS-R04).
    #[inline(always)]
    fn settle_hand(&self, seat: usize, (ruling, line): Decision, record: &mut impl Record) {
        let Seat { main, double, .. } = self.seats[seat];
        let mut left = self.terms.payout_limit.map_or(Cents::UNLIMITED, Cents::from);
        for (circle, stake) in [(Circle::Main, main), (Circle::Double, double)] {
            let gain = ruling.gain(stake, Breakage::EXACT);
            let limit = Why::PayoutLimit.by("DDS-10-c");
            let (gain, reason) = if gain > left { (left, limit) } else { (gain, line) };
            left -= gain.max(Cents::ZERO);
            settled((seat, circle, stake), (ruling, reason), gain, record);
        }
    }

    /// What a double may be; empty where the rack is too small.
    #[doc(alias = "DDS-1-double-down-wager")]
    fn double_range(&self, bettor: Bettor) -> Range {
        let StudTerms { chip_unit: step, double_amount, .. } = self.terms;
        let main = self.seats[bettor.seat()].main;
        let most = self.racks.up_to(bettor, main, step);
        match double_amount {
            AddedWager::UpTo => Range { least: step, most, step },
            AddedWager::Equal => Range { least: main, most, step },
        }
    }

    /// The double down wager that goes with the call, or why it is not open.
    fn double(&self, bettor: Bettor, amount: Option<Cents>) -> Result<Chips> {
        let range = self.double_range(bettor);
        let (left, most) = (self.racks.left(bettor), self.seats[bettor.seat()].main);
        match amount {
            None if range.is_empty() => Err(Refusal::AboveRack { left }),
            None => Ok(range.most),
            Some(amount) if amount > Cents::from(most) => {
                range.check(amount, Refusal::DoubleAboveWager { most })
            }
            Some(amount) => range.check(amount, Refusal::AboveRack { left }),
        }
    }

    /// Why a call of this game is not open when nobody is asked.
    const fn not_open(&self, call: Call) -> Refusal {
        match (self.phase, call) {
            (_, Call::Double) => Refusal::DoubleClosed,
            (Phase::Settled { .. } | Phase::Void, _) => Refusal::RoundOver,
            _ => Refusal::NotOpenNow { call },
        }
    }

    /// Why a bettor is not being asked while others are.
    fn not_asked(&self, bettor: Bettor) -> Refusal {
        let seated = self.seats.get(bettor.seat()).is_some_and(|seat| !seat.main.is_zero());
        match (bettor.decides(), seated) {
            (false, _) => Refusal::BoxNotShared { most: 1 },
            (true, false) => Refusal::NotInTheRound,
            (true, true) => Refusal::AlreadyAnswered,
        }
    }

    /// Voids every hand; a settled one is undone, even if the cause is found late (DDS-R11).
    fn void(&mut self, clause: &'static str, record: &mut impl Record) {
        if !matches!(self.phase, Phase::Settled { .. }) {
            for seat in (0..SEATS).rev() {
                let Seat { main, double, .. } = self.seats[seat];
                let back = (Ruling::Return, Why::Void.by(clause));
                for (circle, stake) in [(Circle::Main, main), (Circle::Double, double)] {
                    settled((seat, circle, stake), back, Cents::ZERO, record);
                }
            }
        }
        if self.terms.void_scope == VoidScope::WholeRound {
            record.note(Event::Reversed);
        }
        self.phase = Phase::Void;
    }
}

impl<const SEATS: usize> TableGame for DoubleDownStud<SEATS> {
    const BOOK: &'static RuleBook = book::RULE_BOOK;

    /// What may be placed before the first card: the original wager alone (DDS-6-b).
    #[doc(alias = "DDS-6-c")]
    fn opening(sheet: &TermSheet) -> Opening {
        Opening {
            // DDS-6-c: no more than two, side by side.
            boxes: Some(BoxesPerPerson {
                most: sheet.count("max_boxes_per_player"),
                adjacent: true,
            }),
            ..Opening::of(sheet)
        }
    }

    /// The pay table, for the original wager and the double alike (DDS-10-b, DDS-R16).
    fn pays(sheet: &TermSheet) -> Vec<Pay> {
        let odds = read_pays(sheet).map(|pays| Odds::to(pays, 1));
        let name = |category: Category| match category {
            Category::Pair => "pair of jacks, queens, kings or aces",
            _ => category.name(),
        };
        let lines = Category::ALL.into_iter().zip(odds.into_iter().zip(LINES));
        lines
            .map(|(category, (odds, (_, clause)))| {
                Pay::new(Circle::Main, category.name(), name(category), odds, clause)
            })
            .collect()
    }

    fn begin(sheet: &TermSheet, wagers: &TableWagers, record: &mut impl Record) -> Self {
        DoubleDownStud::start(StudTerms::read(sheet), wagers, record)
    }

    fn is_first_deal(&self) -> bool {
        matches!(self.phase, Phase::Seat { .. } | Phase::Hole | Phase::Open { .. })
    }

    fn category(&self, seat: usize) -> Option<Category> {
        self.category(seat)
    }
}

impl<const SEATS: usize> Round for DoubleDownStud<SEATS> {
    fn game(&self) -> Game {
        Game::DoubleDownStud
    }

    fn awaits(&self) -> Awaits {
        match self.phase {
            Phase::Seat { seat } => Awaits::Card(Place::Hand { seat, hand: 0 }),
            Phase::Hole => Awaits::FaceDown(Place::Dealer),
            Phase::Open { .. } => Awaits::Card(Place::Dealer),
            Phase::Doubling { asked, .. } => Awaits::Acts(asked),
            Phase::Turn { .. } => Awaits::Turn,
            Phase::Settled { .. } | Phase::Void => Awaits::Nobody,
        }
    }

    /// Double or pass once all cards are dealt (DDS-8-d); only pass without the money to double.
    fn offers(&self, bettor: Bettor) -> Calls {
        match self.phase {
            Phase::Doubling { asked, .. } if asked.contains(bettor) => {
                let can_double = !self.double_range(bettor).is_empty();
                Calls::of(&[Call::Pass]).with_if(can_double, Call::Double)
            }
            _ => Calls::NONE,
        }
    }

    fn amounts(&self, bettor: Bettor, call: Call) -> Amounts {
        match call {
            Call::Double if self.offers(bettor).contains(Call::Double) => {
                Amounts::Required(self.double_range(bettor))
            }
            _ => Amounts::None,
        }
    }

    fn deal(&mut self, card: Card, record: &mut impl Record) -> Result {
        match self.phase {
            Phase::Seat { seat } => self.deal_seat(seat, card, record),
            Phase::Open { dealt, shared } => self.deal_open(dealt, shared, card, record),
            _ => return Err(self.not_awaited()),
        }
        Ok(())
    }

    /// Deals the hole card, which the round does not know before it is turned (DDS-8-b).
    #[doc(alias("DDS-1-hole-card", "DDS-8-c"))]
    fn deal_face_down(&mut self, record: &mut impl Record) -> Result {
        let Phase::Hole = self.phase else { return Err(self.not_awaited()) };
        self.phase = Phase::Open { dealt: 0, shared: Tally::NONE };
        record.note(Event::FaceDown(Place::Dealer));
        Ok(())
    }

    /// Turns the hole card over and settles (DDS-8-e, DDS-9-a).
    #[inline(always)]
    fn turn(&mut self, card: Card, record: &mut impl Record) -> Result {
        let Phase::Turn { shared } = self.phase else { return Err(self.not_awaited()) };
        record.note(Event::Turned(card));
        self.settle(shared.with(card), record);
        Ok(())
    }

    /// Takes a seat's double or pass; everyone is asked at once (DDS-8-d).
    #[doc(alias = "DDS-6-b")]
    #[inline(always)]
    fn act(&mut self, bettor: Bettor, act: Act, record: &mut impl Record) -> Result {
        let call = act.call();
        if !matches!(call, Call::Double | Call::Pass) {
            let is_over = self.awaits() == Awaits::Nobody;
            return Err(if is_over { Refusal::RoundOver } else { Refusal::CallForeign { call } });
        }
        let Phase::Doubling { mut asked, shared } = self.phase else {
            return Err(self.not_open(call));
        };
        if !asked.contains(bettor) {
            return Err(self.not_asked(bettor));
        }
        let double = match act {
            Act::Call(Call::Double) => self.double(bettor, None)?,
            Act::With(Call::Double, amount) => self.double(bettor, Some(amount))?,
            Act::With(..) | Act::Hand(_) => return Err(Refusal::AmountNotTaken { call }),
            Act::Call(_) => Chips::ZERO,
        };
        record.note(Event::Acted(bettor, act));
        if !double.is_zero() {
            self.racks.spend(bettor, double);
            self.seats[bettor.seat()].double = double;
            stake(bettor.seat(), Circle::Double, double, record);
        }
        asked.remove(bettor);
        self.phase = match asked.is_empty() {
            true => Phase::Turn { shared },
            false => Phase::Doubling { asked, shared },
        };
        Ok(())
    }

    /// Plays on in the order of the deal (DDS-8-c, DDS-8-d, DDS-8-e).
    #[inline(always)]
    fn play(&mut self, driver: &mut impl Driver<Self>, record: &mut impl Record) -> Result {
        while let Phase::Seat { seat } = self.phase {
            self.deal_seat(seat, driver.card(), record);
        }
        if let Phase::Hole = self.phase {
            driver.face_down(Place::Dealer);
            self.deal_face_down(record)?;
        }
        while let Phase::Open { dealt, shared } = self.phase {
            self.deal_open(dealt, shared, driver.card(), record);
        }
        if let Phase::Doubling { asked, .. } = self.phase {
            for bettor in asked.iter() {
                self.act(bettor, driver.decide(self, bettor), record)?;
            }
        }
        if let Phase::Turn { .. } = self.phase {
            self.turn(driver.hole(), record)?;
        }
        Ok(())
    }

    /// Remedies an irregularity: here every remedy is a void (DDS-11-a, DDS-11-b, DDS-11-d,
    /// DDS-R15).
    fn remedy(&mut self, remedy: Remedy, record: &mut impl Record) -> Result {
        let is_settled = matches!(self.phase, Phase::Settled { .. });
        let can_undo = self.terms.void_scope == VoidScope::WholeRound;
        let clause = match remedy {
            _ if self.phase == Phase::Void => return Err(Refusal::RoundOver),
            _ if is_settled && !(can_undo && remedy == Remedy::Void) => {
                return Err(Refusal::RoundOver);
            }
            Remedy::Void => "G-03",
            Remedy::HoleCardShown(_) => match self.phase {
                Phase::Hole | Phase::Open { .. } | Phase::Doubling { .. } => "DDS-11-a",
                // DDS-R17: once all have answered, a hole card seen is as good as turned.
                _ => return Err(Refusal::NothingToCure),
            },
            Remedy::DeadHand { .. } | Remedy::LateCard { .. } | Remedy::DealerOwedCard => {
                return Err(Refusal::RoundIsVoidInstead);
            }
            Remedy::Release(_)
            | Remedy::SidesBack(_)
            | Remedy::NoMoreCards { .. }
            | Remedy::ReaderOutOfUse
            | Remedy::BurnForgotten => return Err(Refusal::RemedyForeign),
        };
        record.note(Event::Remedied(remedy));
        self.void(clause, record);
        Ok(())
    }

    /// Only chips bought in add to a rack here: everything is settled at the end (G-07).
    fn buy_in(&mut self, bettor: Bettor, amount: Cents, record: &mut impl Record) -> Result {
        ensure(self.awaits() != Awaits::Nobody, Refusal::RoundOver)?;
        let in_round = |seat: &Seat| bettor.decides() && !seat.main.is_zero();
        ensure(self.seats.get(bettor.seat()).is_some_and(in_round), Refusal::NotInTheRound)?;
        self.racks.buy_in(bettor, amount, self.terms.chip_unit, record)
    }
}

/// Notes the settlement of a wager, if there is one.
fn settled(
    (seat, circle, stake): Stake,
    decision: Decision,
    gain: Cents,
    record: &mut impl Record,
) {
    if !stake.is_zero() {
        let place = (Bettor::at(seat), 0, circle);
        let settlement = Settlement::new(place, stake, decision, Breakage::EXACT);
        record.note(Event::Settled(Settlement { gain, ..settlement }));
    }
}
