//! Double Down Stud: one card each, four shared ones, and a pay table of poker hands.

mod book;

use crate::book::RuleBook;
use crate::card::{Card, Rank};
use crate::games::{Pay, TableGame, TableWagers, stake};
use crate::money::{Breakage, Cents, Chips, Odds};
use crate::names::names;
use crate::refusal::Refusal;
use crate::round::{
    Act, Amounts, Awaits, Call, Calls, Decision, Driver, Event, Place, Range, Record, Remedy,
    Round, Ruling, Settlement, Why,
};
use crate::terms::{AddedWager, TermRefusal, TermSheet, VoidScope};
use crate::wager::{Bettor, Bettors, BoxesPerPerson, Circle, Game, Opening, Racks, Wagers};

/// Open cards in front of the dealer, after the hole card (DDS-8-c, DDS-R14).
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

/// What the rule book leaves to the house, as far as a round is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Odds to 1 of each winning [`Category`], the best first; a pair is one of jacks or better.
    ///
    /// Never under those listed (DDS-10-b, DDS-R05).
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

impl Terms {
    /// Reads what concerns a round from the sheet of a table.
    pub fn read(sheet: &TermSheet) -> Terms {
        Terms {
            pays: read_pays(sheet),
            payout_limit: sheet.number("payout_limit").map(Chips::new),
            chip_unit: sheet.chips("chip_unit"),
            double_amount: sheet.added_wager("double_amount"),
            void_scope: sheet.void_scope(),
        }
    }
}

/// The odds of the pay table in the order of [`Category::ALL`].
#[doc(alias = "DDS-10-b")]
fn read_pays(sheet: &TermSheet) -> [u32; Category::WINNING] {
    [
        "pays_royal_flush",
        "pays_straight_flush",
        "pays_four_of_a_kind",
        "pays_full_house",
        "pays_flush",
        "pays_straight",
        "pays_three_of_a_kind",
        "pays_two_pair",
        "pays_high_pair",
    ]
    .map(|key| sheet.number(key).unwrap_or_else(|| panic!("{key} is a number")))
}

/// The lines of the pay table in the order of [`Category::ALL`].
const LINES: [&str; Category::WINNING] = [
    "DDS-10-b-T1",
    "DDS-10-b-T2",
    "DDS-10-b-T3",
    "DDS-10-b-T4",
    "DDS-10-b-T5",
    "DDS-10-b-T6",
    "DDS-10-b-T7",
    "DDS-10-b-T8",
    "DDS-10-b-T9",
];

names! {
    /// The poker hands, the best first; a hand counts once, as the best it is (DDS-5-b, DDS-R07).
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
    /// How many of them can win.
    pub const WINNING: usize = 9;
}

/// How often each rank and each suit is among some cards.
///
/// Four bits a rank from the two up, then three bits a suit, so that cards are added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tally(u64);

/// One of every rank, of which the lowest bit is the two's.
const ONE_EACH: u64 = 0x1_1111_1111_1111;
/// The bits that count ranks.
const RANKS: u64 = ONE_EACH * 15;
/// Where the suits begin.
const SUITS: u32 = 52;
/// Ten to ace.
const TEN_TO_ACE: u64 = 0x1_1111 << (4 * 8);
/// Ace, two, three, four, five: here the ace is low (DDS-5-a).
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

    /// Whether four of the cards, or five, have one suit.
    pub const fn has_four_of_a_suit(self) -> bool {
        self.0 >> SUITS & 0o4444 != 0
    }

    /// Ranks of which there are two or three, as the middle bit of each.
    const fn paired(self) -> u64 {
        self.0 & ONE_EACH << 1
    }

    /// What five cards make (DDS-1-hand, DDS-5-b); the commonest is found first.
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

    /// Five cards of which some have one rank.
    #[doc(alias("DDS-5-b-3", "DDS-5-b-4", "DDS-5-b-7", "DDS-5-b-8"))]
    #[doc(alias = "DDS-5-b-9")]
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
    /// Nothing where the seat is not in the round.
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
    /// One of the open cards before the dealer.
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
    terms: Terms,
}

impl<const SEATS: usize> DoubleDownStud<SEATS> {
    /// Begins a round with the wagers placed; all but doubles are closed from here on (DDS-6-b).
    #[inline(always)]
    pub fn start<const S: usize, const B: usize>(
        terms: Terms,
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
        let first = round.next_seat(0).expect("a round begins with an original wager");
        round.phase = Phase::Seat { seat: first };
        round
    }

    /// What the five cards of a seat make, once all of them are known (DDS-1-hand).
    pub fn category(&self, seat: usize) -> Option<Category> {
        let Phase::Settled { shared } = self.phase else { return None };
        Some(shared.with(self.seats.get(seat)?.card?).category())
    }

    /// A seat's card and all open ones, while doubles are asked for.
    pub fn known(&self, seat: usize) -> Option<Tally> {
        let Phase::Doubling { shared, .. } = self.phase else { return None };
        Some(shared.with(self.seats.get(seat)?.card?))
    }

    /// The next seat with a wager, from the dealer's left.
    #[allow(clippy::cast_possible_truncation)]
    fn next_seat(&self, from: usize) -> Option<u8> {
        (from..SEATS).find(|&seat| self.is_seated(seat)).map(|seat| seat as u8)
    }

    fn is_seated(&self, seat: usize) -> bool {
        !self.seats[seat].main.is_zero()
    }

    /// Everyone in the round is asked at once.
    fn everyone(&self) -> Bettors {
        let mut seated = Bettors::NONE;
        for seat in (0..SEATS).filter(|&seat| self.is_seated(seat)) {
            seated.add(Bettor::at(seat));
        }
        seated
    }

    /// Whether the cards are still being dealt.
    pub fn is_first_deal(&self) -> bool {
        matches!(self.phase, Phase::Seat { .. } | Phase::Hole | Phase::Open { .. })
    }

    /// Deals a seat its card (DDS-8-c).
    #[doc(alias("DDS-8-c", "DDS-8-a-2-ii"))]
    #[inline(always)]
    fn deal_seat(&mut self, seat: u8, card: Card, record: &mut impl Record) {
        record.note(Event::dealt(Place::Hand { seat, hand: 0 }, card));
        // With one seat there is nothing to look up.
        let at = usize::from(seat).min(SEATS - 1);
        self.seats[at].card = Some(card);
        self.phase = match self.next_seat(at + 1) {
            Some(seat) => Phase::Seat { seat },
            None => Phase::Hole,
        };
    }

    /// Deals one of the open shared cards (DDS-8-c, DDS-8-a-2-ii).
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
                line => {
                    (Ruling::Pay(Odds::to(self.terms.pays[line as usize], 1)), LINES[line as usize])
                }
            };
            self.settle_hand(seat, (ruling, Why::PayTable.by(clause)), record);
        }
        self.phase = Phase::Settled { shared };
    }

    /// Settles both wagers of a hand, which share one fate (DDS-R16) and one payout limit, by which
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

    /// What a double may be; empty where the rack does not reach (DDS-1-double-down-wager).
    #[doc(alias = "DDS-1-double-down-wager")]
    fn double_range(&self, bettor: Bettor) -> Range {
        let Terms { chip_unit: step, double_amount, .. } = self.terms;
        let main = self.seats[bettor.seat()].main;
        let most = self.racks.up_to(bettor, main, step);
        match double_amount {
            AddedWager::UpTo => Range { least: step, most, step },
            AddedWager::Equal => Range { least: main, most, step },
        }
    }

    /// The double down wager that goes with the call, or why it is not open.
    fn double(&self, bettor: Bettor, amount: Option<Cents>) -> Result<Chips, Refusal> {
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

    const fn not_awaited(&self) -> Refusal {
        match self.phase {
            Phase::Settled { .. } | Phase::Void => Refusal::RoundOver,
            _ => Refusal::NotAwaited,
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

    /// Why a bettor is not asked while others are.
    fn not_asked(&self, bettor: Bettor) -> Refusal {
        let seated = self.seats.get(bettor.seat()).is_some_and(|seat| !seat.main.is_zero());
        match (bettor.decides(), seated) {
            (false, _) => Refusal::BoxNotShared { most: 1 },
            (true, false) => Refusal::NotInTheRound,
            (true, true) => Refusal::AlreadyAnswered,
        }
    }

    /// Every hand is void; a settled one is undone, even if the cause is found late (DDS-R11).
    fn void(&mut self, clause: &'static str, record: &mut impl Record) {
        if !matches!(self.phase, Phase::Settled { .. }) {
            for seat in (0..SEATS).rev() {
                let Seat { main, double, .. } = self.seats[seat];
                for (circle, stake) in [(Circle::Main, main), (Circle::Double, double)] {
                    let back = (Ruling::Return, Why::Void.by(clause));
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

    /// What pays what: the pay table, on the original wager and on the double alike (DDS-10-b, DDS-R16).
    fn pays(sheet: &TermSheet) -> Vec<Pay> {
        let odds = read_pays(sheet).map(|pays| Odds::to(pays, 1));
        let name = |category: Category| match category {
            Category::Pair => "pair of jacks, queens, kings or aces",
            _ => category.name(),
        };
        let lines = Category::ALL.into_iter().zip(odds.into_iter().zip(LINES));
        lines
            .map(|(category, (odds, clause))| Pay {
                circle: Circle::Main,
                what: name(category),
                odds,
                clause,
            })
            .collect()
    }

    fn begin(sheet: &TermSheet, wagers: &TableWagers, record: &mut impl Record) -> Self {
        DoubleDownStud::start(Terms::read(sheet), wagers, record)
    }

    fn is_first_deal(&self) -> bool {
        self.is_first_deal()
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

    /// Double or pass once all cards lie (DDS-8-d); without money to double, pass alone.
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

    fn deal(&mut self, card: Card, record: &mut impl Record) -> Result<(), Refusal> {
        match self.phase {
            Phase::Seat { seat } => self.deal_seat(seat, card, record),
            Phase::Open { dealt, shared } => self.deal_open(dealt, shared, card, record),
            _ => return Err(self.not_awaited()),
        }
        Ok(())
    }

    /// Lays the hole card, whose face the round does not learn before it is turned (DDS-8-b).
    #[doc(alias("DDS-1-hole-card", "DDS-8-c"))]
    fn deal_face_down(&mut self, record: &mut impl Record) -> Result<(), Refusal> {
        let Phase::Hole = self.phase else { return Err(self.not_awaited()) };
        self.phase = Phase::Open { dealt: 0, shared: Tally::NONE };
        record.note(Event::FaceDown(Place::Dealer));
        Ok(())
    }

    fn peek(&mut self, _: bool, _: &mut impl Record) -> Result<(), Refusal> {
        Err(self.not_awaited())
    }

    /// Turns the hole card over and settles (DDS-8-e, DDS-9-a).
    #[inline(always)]
    fn turn(&mut self, card: Card, record: &mut impl Record) -> Result<(), Refusal> {
        let Phase::Turn { shared } = self.phase else { return Err(self.not_awaited()) };
        record.note(Event::Turned(card));
        self.settle(shared.with(card), record);
        Ok(())
    }

    /// Takes a seat's double or pass; everyone is asked at once (DDS-8-d).
    #[doc(alias = "DDS-6-b")]
    #[inline(always)]
    fn act(&mut self, bettor: Bettor, act: Act, record: &mut impl Record) -> Result<(), Refusal> {
        let call = act.call();
        if !matches!(call, Call::Double | Call::Pass) {
            return Err(match self.not_awaited() {
                Refusal::RoundOver => Refusal::RoundOver,
                _ => Refusal::CallForeign { call },
            });
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
    fn play(
        &mut self,
        driver: &mut impl Driver<Self>,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
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
            for bettor in (0..SEATS).map(Bettor::at).filter(|&bettor| asked.contains(bettor)) {
                self.act(bettor, driver.decide(self, bettor), record)?;
            }
        }
        if let Phase::Turn { .. } = self.phase {
            self.turn(driver.hole(), record)?;
        }
        Ok(())
    }

    /// Cures an irregularity: here every cure is a void (DDS-11-a, DDS-11-b, DDS-11-d, DDS-R15).
    fn remedy(&mut self, remedy: Remedy, record: &mut impl Record) -> Result<(), Refusal> {
        match (remedy, self.phase) {
            (_, Phase::Void) => return Err(Refusal::RoundOver),
            (Remedy::Void, Phase::Settled { .. })
                if self.terms.void_scope == VoidScope::UndecidedOnly =>
            {
                return Err(Refusal::RoundOver);
            }
            (Remedy::Void, _) => {
                record.note(Event::Remedied(remedy));
                self.void("G-03", record);
            }
            (_, Phase::Settled { .. }) => return Err(Refusal::RoundOver),
            (
                Remedy::HoleCardShown(_),
                Phase::Hole | Phase::Open { .. } | Phase::Doubling { .. },
            ) => {
                record.note(Event::Remedied(remedy));
                self.void("DDS-11-a", record);
            }
            // DDS-R17: once all have answered, a hole card seen is as good as turned.
            (Remedy::HoleCardShown(_), _) => return Err(Refusal::NothingToCure),
            (Remedy::DeadHand { .. } | Remedy::LateCard { .. } | Remedy::DealerOwedCard, _) => {
                return Err(Refusal::RoundIsVoidInstead);
            }
            (
                Remedy::Release(_)
                | Remedy::SidesBack(_)
                | Remedy::NoMoreCards { .. }
                | Remedy::ReaderOutOfUse
                | Remedy::BurnForgotten,
                _,
            ) => {
                return Err(Refusal::RemedyForeign);
            }
        }
        Ok(())
    }

    /// Everything is settled at the end, so only chips bought in change a rack (G-07).
    fn buy_in(
        &mut self,
        bettor: Bettor,
        amount: Cents,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        if self.not_awaited() == Refusal::RoundOver {
            return Err(Refusal::RoundOver);
        }
        if !bettor.decides() || self.seats.get(bettor.seat()).is_none_or(|s| s.main.is_zero()) {
            return Err(Refusal::NotInTheRound);
        }
        self.racks.buy_in(bettor, amount, self.terms.chip_unit, record)
    }
}

/// Notes a decided wager; where nothing was staked, nothing is said.
fn settled(
    (seat, circle, stake): (usize, Circle, Chips),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::Suit;
    use crate::games::opening;
    use crate::games::testing::{card, deal, settlements, sheet};

    fn wagers<const S: usize>(dollars: &[(usize, i64)]) -> Wagers<S, 1> {
        let mut wagers = Wagers::NONE;
        for &(seat, main) in dollars {
            let amounts = [(Circle::Main, Cents::new(main * 100))];
            wagers
                .place(&opening(&sheet(Game::DoubleDownStud, &[])), Bettor::at(seat), &amounts)
                .unwrap();
        }
        wagers
    }

    fn start<const S: usize>(
        dollars: &[(usize, i64)],
        events: &mut Vec<Event>,
    ) -> DoubleDownStud<S> {
        DoubleDownStud::start(
            Terms::read(&sheet(Game::DoubleDownStud, &[])),
            &wagers::<S>(dollars),
            events,
        )
    }

    #[test]
    fn every_hand_of_a_deck_has_its_category() {
        let mut counts = [0u32; 10];
        let deck = Card::DECK;
        for a in 0..52 {
            let one = Tally::NONE.with(deck[a]);
            for b in 0..a {
                let two = one.with(deck[b]);
                for c in 0..b {
                    let three = two.with(deck[c]);
                    for d in 0..c {
                        let four = three.with(deck[d]);
                        for &fifth in &deck[..d] {
                            counts[four.with(fifth).category() as usize] += 1;
                        }
                    }
                }
            }
        }
        assert_eq!(
            counts,
            [4, 36, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540]
        );
        assert_eq!(counts.iter().sum::<u32>(), 2_598_960);
        for category in Category::ALL {
            assert_eq!(Category::named(category.name()), Some(category));
        }
    }

    #[test]
    fn pairs_lose_push_or_win_by_their_rank() {
        for rank in Rank::ALL {
            let pair = [Card::new(rank, Suit::Hearts), Card::new(rank, Suit::Spades)];
            let rest = ["2c", "4d", "7h", "9c", "Qd", "Ah"].map(card);
            let rest: Vec<Card> = rest.into_iter().filter(|c| c.rank() != rank).take(3).collect();
            let mut events = Vec::new();
            let mut round: DoubleDownStud<1> = start(&[(0, 10)], &mut events);
            round.deal(pair[0], &mut events).unwrap();
            round.deal_face_down(&mut events).unwrap();
            rest.iter().for_each(|&card| round.deal(card, &mut events).unwrap());
            round.act(Bettor::at(0), Act::Call(Call::Double), &mut events).unwrap();
            round.turn(pair[1], &mut events).unwrap();
            assert_eq!(round.category(0), Some(Category::Pair));
            let (gain, clause) = match rank {
                Rank::Two | Rank::Three | Rank::Four | Rank::Five => (-1000, "DDS-9-a"),
                Rank::Jack | Rank::Queen | Rank::King | Rank::Ace => (1000, "DDS-10-b-T9"),
                _ => (0, "DDS-9-b"),
            };
            assert_eq!(
                settlements(&events),
                [(0, Circle::Main, gain, clause), (0, Circle::Double, gain, clause)],
                "{rank:?}"
            );
        }
    }

    #[test]
    fn settlements_go_from_the_dealers_right_and_the_double_is_cut_first() {
        let mut events = Vec::new();
        let mut round: DoubleDownStud<7> = start(&[(1, 60), (3, 10), (6, 101)], &mut events);
        deal(&mut round, "As 3d 9s ?? Ks Qs Js", &mut events);
        for seat in [3, 6, 1] {
            let act = [Act::Call(Call::Double), Act::Call(Call::Pass)][usize::from(seat == 6)];
            round.act(Bettor::at(seat), act, &mut events).unwrap();
        }
        assert_eq!(round.category(1), None);
        round.turn(card("Ts"), &mut events).unwrap();
        assert_eq!(
            settlements(&events),
            [
                (6, Circle::Main, 1_010_000, "DDS-10-b-T2"),
                (3, Circle::Main, -1000, "DDS-9-a"),
                (3, Circle::Double, -1000, "DDS-9-a"),
                (1, Circle::Main, 6_000_000, "DDS-10-b-T1"),
                (1, Circle::Double, 4_000_000, "DDS-10-c"),
            ]
        );
        assert_eq!(round.category(1), Some(Category::RoyalFlush));
        assert_eq!((round.category(0), round.category(7)), (None, None));
    }

    #[test]
    fn a_settled_round_is_undone_once() {
        for (scope, answer) in
            [("whole_round", Ok(())), ("undecided_only", Err(Refusal::RoundOver))]
        {
            let mut events = Vec::new();
            let terms = Terms::read(&sheet(Game::DoubleDownStud, &[("void_scope", scope)]));
            let mut round: DoubleDownStud<1> =
                DoubleDownStud::start(terms, &wagers::<1>(&[(0, 10)]), &mut events);
            deal(&mut round, "As ?? Ac Qs Js", &mut events);
            round.act(Bettor::at(0), Act::Call(Call::Pass), &mut events).unwrap();
            round.turn(card("2h"), &mut events).unwrap();
            assert_eq!(round.remedy(Remedy::Void, &mut events), answer);
            assert_eq!(events.last() == Some(&Event::Reversed), answer.is_ok());
            if answer.is_ok() {
                assert_eq!(round.remedy(Remedy::Void, &mut events), Err(Refusal::RoundOver));
            }
        }
    }

    #[test]
    fn the_payout_limit_follows_minimum_boxes_and_odds() {
        let set = |choices: &[(&'static str, &'static str)]| {
            TermSheet::new(Game::DoubleDownStud).set(choices.iter().copied()).is_ok()
        };
        assert!(set(&[("main_min", "50")]));
        assert!(!set(&[("main_min", "51")]));
        assert!(set(&[("main_min", "51"), ("payout_limit", "102000")]));
        assert!(set(&[("main_min", "51"), ("payout_limit", "none")]));
        let two = ("max_boxes_per_player", "2");
        assert!(set(&[two, ("main_min", "45")]));
        assert!(!set(&[two, ("main_min", "46")]));
        // Two straight flushes may then win more than one royal flush and a straight flush.
        assert!(!set(&[two, ("main_min", "45"), ("pays_straight_flush", "1200")]));
        // Four of a kind does not go with a royal flush, but it goes with another.
        assert!(set(&[two, ("main_min", "45"), ("pays_four_of_a_kind", "550")]));
        assert!(!set(&[two, ("main_min", "45"), ("pays_four_of_a_kind", "560")]));
    }
}
