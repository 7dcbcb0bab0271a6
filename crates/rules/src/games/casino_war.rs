//! Casino War: one card each; a tie is surrendered or taken to war.

mod book;

use std::cmp::Ordering;

use crate::book::RuleBook;
use crate::card::Card;
use crate::games::{Pay, TableGame, TableWagers, stake};
use crate::money::{Breakage, Cents, Chips, Odds};
use crate::names::names;
use crate::refusal::Refusal;
use crate::round::{
    Act, Amounts, Awaits, Call, Calls, Decision, Driver, Event, Place, Range, Reason, Record,
    Remedy, Round, Ruling, Settlement, Why,
};
use crate::terms::{PlayersOut, TermSheet, VoidScope};
use crate::wager::{
    Bettor, Bettors, Circle, Game, Opening, PROGRESSIVE_UNIT, ProgressiveStakes, Racks, SideWager,
    Wagers,
};

/// A higher card pays the initial wager 1 to 1 (CW-9-a-1).
const INITIAL_WON: Odds = Odds::EVEN;
/// A tie wager on either deal (CW-9-a-2).
const TIE_WON: Odds = Odds::to(10, 1);
/// A war won with the higher card (CW-9-a-3).
const WAR_WON: Odds = Odds::EVEN;
/// A war that ties (CW-9-a-3).
const WAR_TIED: Odds = Odds::to(2, 1);
/// What begins a war deal, once however many are at war (CW-8-f, CW-R06).
const BURN_CARDS: u8 = 3;
/// Envy for each 5.00 that the receiver staked (CW-11-c-T1, CW-11-c-N2, CW-R18).
const ENVY: i64 = Chips::dollars(1_000).get() as i64;

const _: () = assert!(size_of::<CasinoWar<1>>() <= 128, "two cache lines");

/// How several winners of the meter in one round are paid (CW-R19).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeterShares {
    /// Equal shares, each raised to the cent.
    Equal,
    /// The first one settled takes the meter, every later one the seed.
    SettlementOrder,
}

/// Whose suited four of a kind earns the others envy (CW-R21).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnvyFrom {
    /// Anyone's.
    AnyHand,
    /// That of a hand with a progressive wager.
    ProgressiveHands,
}

/// What the rule book leaves to the house, as far as a round is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The smallest chip.
    pub chip_unit: Chips,
    /// The smallest tie wager on the war deal (CW-R05).
    pub side_min: Chips,
    /// The largest tie wager on the war deal (CW-R05).
    pub side_max: Chips,
    /// What happens to half a chip (G-04).
    pub breakage: Breakage,
    /// The meter after a hit (CW-R19).
    pub seed: Chips,
    /// The percentage of a progressive wager that goes to the meter (CW-R19).
    pub contribution: u8,
    /// How several winners share the meter.
    pub shares: MeterShares,
    /// Whose hit earns envy.
    pub envy: EnvyFrom,
    /// Whether players are let out.
    pub players_out: PlayersOut,
    /// What a void undoes.
    pub void_scope: VoidScope,
}

impl Terms {
    /// Reads what concerns a round from the sheet of a table.
    pub fn read(sheet: &TermSheet) -> Terms {
        Terms {
            chip_unit: sheet.chips("chip_unit"),
            side_min: sheet.chips("side_min"),
            side_max: sheet.chips("side_max"),
            breakage: sheet.breakage(),
            seed: sheet.chips("progressive_seed"),
            contribution: sheet.count("progressive_contribution"),
            shares: match sheet.word("progressive_shared") {
                "equal" => MeterShares::Equal,
                _ => MeterShares::SettlementOrder,
            },
            envy: match sheet.is_on("envy_requires_hitter_bet") {
                false => EnvyFrom::AnyHand,
                true => EnvyFrom::ProgressiveHands,
            },
            players_out: sheet.players_out(),
            void_scope: sheet.void_scope(),
        }
    }

    /// What a progressive wager adds to the meter.
    const fn contribution_of(&self, stake: Chips) -> Cents {
        stake.percent(self.contribution)
    }
}

/// What a progressive wager adds to the meter at a table with these terms (CW-R19).
pub fn contribution(sheet: &TermSheet, stake: Chips) -> Cents {
    Terms::read(sheet).contribution_of(stake)
}

/// The meter of a new table, and after a hit (CW-R19).
pub fn seed(sheet: &TermSheet) -> Cents {
    Terms::read(sheet).seed.into()
}

names! {
    /// What a hand is worth to the progressive; only the best that applies counts (CW-R15, CW-R16).
    Outcome {
        /// No tie on the original deal.
        None "none"
        /// A tie on the original deal.
        Tie "tie"
        /// The dealer's very card on the original deal.
        SuitedTie "suited-tie"
        /// A tie on both deals.
        DoubleTie "double-tie"
        /// A tie on both deals, all of one rank.
        FourOfAKind "four-of-a-kind"
        /// A tie on both deals, each suited in itself.
        SuitedDoubleTie "suited-double-tie"
        /// The same card four times.
        SuitedFourOfAKind "suited-four-of-a-kind"
    }
}

impl Outcome {
    /// The odds of the pay table (CW-11-c) and the line that grants them.
    ///
    /// The stake is not returned (CW-11-c-N1), and the odds scale with it (CW-11-c-N2).
    #[doc(alias("CW-11-c-N1", "CW-11-c-N2"))]
    pub const fn ruling(self) -> Decision {
        let (pays, line) = match self {
            Outcome::None => return (Ruling::Take, Why::PayTable.by("CW-11-c")),
            Outcome::Tie => (5, "CW-11-c-T6"),
            Outcome::SuitedTie => (15, "CW-11-c-T5"),
            Outcome::DoubleTie => (30, "CW-11-c-T4"),
            Outcome::FourOfAKind => (150, "CW-11-c-T3"),
            Outcome::SuitedDoubleTie => (200, "CW-11-c-T2"),
            Outcome::SuitedFourOfAKind => (1000, "CW-11-c-T1"),
        };
        (Ruling::PayAndCollect(Odds::to(pays, 1)), Why::PayTable.by(line))
    }

    /// A tie on the original deal, and no tie after it.
    fn of_tie(player: Card, dealer: Card) -> Outcome {
        match player == dealer {
            true => Outcome::SuitedTie,
            false => Outcome::Tie,
        }
    }

    /// A tie on the original deal, then these cards of the war deal (CW-R15).
    fn of_war(first: (Card, Card), second: (Card, Card)) -> Outcome {
        let suited = first.0 == first.1 && second.0 == second.1;
        if height(second.0) != height(second.1) {
            Outcome::of_tie(first.0, first.1)
        } else if suited && first.0 == second.0 {
            Outcome::SuitedFourOfAKind
        } else if suited {
            Outcome::SuitedDoubleTie
        } else if height(first.0) == height(second.0) {
            Outcome::FourOfAKind
        } else {
            Outcome::DoubleTie
        }
    }
}

/// The rank of a card as a number, aces highest; suits do not count (CW-3, CW-1-tie-hand).
#[doc(alias("CW-3", "CW-1-tie-hand"))]
const fn height(card: Card) -> usize {
    card.index() >> 2
}

/// What a seat staked before the first card, and how its hand stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seat {
    main: Chips,
    tie: Chips,
    /// Nothing where it was given back: then neither meter nor envy knows of it (CW-R22).
    progressive: Chips,
    hand: Hand,
}

/// How a hand stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hand {
    /// Not in the round: no initial wager (CW-1-initial-wager), void or let out.
    Out,
    /// The wagers lie, the card is to come.
    Staked,
    /// The card lies, the dealer's is to come.
    Dealt(Card),
    /// A tie hand; the tie wager is paid, and the seat is asked (CW-8-a-3).
    Tied(Card),
    /// Gives up, once everybody asked has answered.
    Surrenders(Card),
    /// At war with a tie wager on the war deal, perhaps of nothing.
    AtWar { card: Card, tie: Chips, war: WarCard },
    /// Every wager is settled.
    Decided(Outcome),
}

/// The card of a seat on the war deal (CW-1-war-deal).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WarCard {
    /// To come in its turn.
    Due,
    /// Missed, and to come after the others' (CW-R12).
    Owed,
    /// Face up on the table.
    Lies(Card),
}

/// What comes next.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The card of this seat on the original deal (CW-1-original-deal, CW-7-c-1).
    Original { seat: u8 },
    /// The dealer's card on the original deal (CW-7-c-2).
    OriginalDealer,
    /// The choice of every seat that is still tied (CW-8-c, CW-R26).
    Choice { dealer: Card },
    /// The burn cards that begin the war deal (CW-8-f, CW-1-burn-card).
    Burning { dealer: Card, burned: u8 },
    /// The war card of this seat (CW-8-f).
    War { dealer: Card, seat: u8 },
    /// The dealer's war card (CW-8-f).
    WarDealer { dealer: Card },
    /// Nothing: the round is settled or void (CW-1-round).
    Over,
}

/// A round of Casino War with room for `SEATS` seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CasinoWar<const SEATS: usize> {
    phase: Phase,
    seats: [Seat; SEATS],
    racks: Racks<SEATS, 1>,
    /// The progressive meter before this round's contributions (CW-R19).
    meter: Cents,
    terms: Terms,
}

impl<const SEATS: usize> CasinoWar<SEATS> {
    /// Begins a round with the wagers placed; from here on they are closed (CW-6-b).
    #[inline(always)]
    pub fn start<const S: usize, const B: usize>(
        terms: Terms,
        wagers: &Wagers<S, B>,
        record: &mut impl Record,
    ) -> Self {
        let nothing = Chips::ZERO;
        let absent = Seat { main: nothing, tie: nothing, progressive: nothing, hand: Hand::Out };
        let mut round = CasinoWar {
            phase: Phase::Over,
            seats: [absent; SEATS],
            racks: wagers.racks(),
            meter: wagers.meter().unwrap_or(terms.seed.into()),
            terms,
        };
        for seat in 0..SEATS.min(S) {
            let slip = wagers.slip(Bettor::at(seat));
            if slip.main.is_zero() {
                continue;
            }
            round.seats[seat] = Seat {
                main: slip.main,
                tie: slip.side,
                progressive: slip.progressive,
                hand: Hand::Staked,
            };
            stake(seat, Circle::Main, slip.main, record);
            stake(seat, Circle::Tie, slip.side, record);
            stake(seat, Circle::Progressive, slip.progressive, record);
        }
        let first = round.next_staked(0).expect("a round begins with an initial wager");
        round.phase = Phase::Original { seat: first };
        round
    }

    /// The progressive outcome of a seat as far as the cards lie.
    pub fn outcome(&self, seat: usize) -> Option<Outcome> {
        match (self.seats.get(seat)?.hand, self.dealer()) {
            (Hand::Decided(outcome), _) => Some(outcome),
            (
                Hand::Tied(card) | Hand::Surrenders(card) | Hand::AtWar { card, .. },
                Some(dealer),
            ) => Some(Outcome::of_tie(card, dealer)),
            _ => None,
        }
    }

    /// Whether a seat goes or has gone to war in this round and is not settled yet.
    pub fn is_at_war(&self, seat: usize) -> bool {
        self.seats.get(seat).is_some_and(|seat| seat.hand.is_at_war())
    }

    /// The dealer's first card, while a tie with it is open.
    pub const fn dealer(&self) -> Option<Card> {
        match self.phase {
            Phase::Choice { dealer }
            | Phase::Burning { dealer, .. }
            | Phase::War { dealer, .. }
            | Phase::WarDealer { dealer } => Some(dealer),
            Phase::Original { .. } | Phase::OriginalDealer | Phase::Over => None,
        }
    }

    /// The place of a seat of this round, which with one seat needs no look.
    fn place(seat: u8) -> usize {
        usize::from(seat).min(SEATS - 1)
    }

    /// The next seat from the dealer's left that is due its first card (CW-7-c).
    #[doc(alias = "CW-7-c")]
    fn next_staked(&self, from: usize) -> Option<u8> {
        self.first_seat(from, |hand| hand == Hand::Staked)
    }

    #[allow(clippy::cast_possible_truncation)]
    fn first_seat(&self, from: usize, fits: impl Fn(Hand) -> bool) -> Option<u8> {
        (from..SEATS).find(|&seat| fits(self.seats[seat].hand)).map(|seat| seat as u8)
    }

    fn anyone(&self, fits: impl Fn(Hand) -> bool) -> bool {
        self.seats.iter().any(|seat| fits(seat.hand))
    }

    /// Settles one wager; where nothing was staked, nothing is said. What comes back can pay for a
    /// war (G-07); with one seat that is a tie wager alone.
    #[inline(always)]
    fn settle(
        &mut self,
        (seat, circle, stake): (usize, Circle, Chips),
        decision: Decision,
        record: &mut impl Record,
    ) {
        if stake.is_zero() {
            return;
        }
        let bettor = Bettor::at(seat);
        let settlement = Settlement::new((bettor, 0, circle), stake, decision, self.terms.breakage);
        record.note(Event::Settled(settlement));
        if SEATS > 1 || circle == Circle::Tie {
            self.racks.add(bettor, settlement.to_rack());
        }
    }

    /// Settles a progressive wager at its outcome (CW-11-c, CW-R20).
    #[inline(always)]
    fn settle_progressive(&mut self, seat: usize, outcome: Outcome, record: &mut impl Record) {
        let stake = self.seats[seat].progressive;
        self.settle((seat, Circle::Progressive, stake), outcome.ruling(), record);
    }

    /// Deals a seat its card (CW-7-c-1).
    #[doc(alias("CW-1-original-deal", "CW-7-c-1"))]
    #[inline(always)]
    fn deal_original(&mut self, seat: u8, card: Card, record: &mut impl Record) {
        record.note(Event::dealt(Place::Hand { seat, hand: 0 }, card));
        let seat = Self::place(seat);
        self.seats[seat].hand = Hand::Dealt(card);
        self.phase = match self.next_staked(seat + 1) {
            Some(seat) => Phase::Original { seat },
            None => Phase::OriginalDealer,
        };
    }

    /// Deals the dealer's card (CW-7-c-2).
    #[doc(alias("CW-1-original-deal", "CW-7-c-2"))]
    #[inline(always)]
    fn deal_dealer(&mut self, card: Card, record: &mut impl Record) {
        record.note(Event::dealt(Place::Dealer, card));
        self.settle_original(card, record);
    }

    /// Deals a seat its war card (CW-8-f).
    fn deal_war(&mut self, dealer: Card, seat: u8, card: Card, record: &mut impl Record) {
        record.note(Event::dealt(Place::Hand { seat, hand: 0 }, card));
        if let Hand::AtWar { war, .. } = &mut self.seats[Self::place(seat)].hand {
            *war = WarCard::Lies(card);
        }
        self.phase = self.next_war_card(dealer);
    }

    /// Deals the dealer's war card (CW-8-f).
    fn deal_war_dealer(&mut self, dealer: Card, card: Card, record: &mut impl Record) {
        record.note(Event::dealt(Place::Dealer, card));
        self.settle_war(dealer, card, record);
    }

    /// Compares each card with the dealer's, from the dealer's right (CW-8-a, CW-8-b, CW-9-a).
    #[doc(alias("CW-8-a", "CW-8-b", "CW-9-a"))]
    #[inline(always)]
    fn settle_original(&mut self, dealer: Card, record: &mut impl Record) {
        self.phase = Phase::Over;
        for seat in (0..SEATS).rev() {
            let Seat { main, tie, hand, .. } = self.seats[seat];
            let Hand::Dealt(card) = hand else { continue };
            let (main, tie) = ((seat, Circle::Main, main), (seat, Circle::Tie, tie));
            let (initial, reason) = match height(card).cmp(&height(dealer)) {
                Ordering::Less => (Ruling::Take, Why::Lower.by("CW-8-a-1")),
                Ordering::Greater => (Ruling::Pay(INITIAL_WON), Why::Higher.by("CW-8-a-2")),
                Ordering::Equal => {
                    let won = (Ruling::Pay(TIE_WON), Why::Equal.by("CW-8-a-3"));
                    self.settle(tie, won, record);
                    self.seats[seat].hand = Hand::Tied(card);
                    self.phase = Phase::Choice { dealer };
                    continue;
                }
            };
            self.settle(main, (initial, reason), record);
            self.settle(tie, (Ruling::Take, reason), record);
            self.settle_progressive(seat, Outcome::None, record);
            self.seats[seat].hand = Hand::Decided(Outcome::None);
        }
    }

    /// Plays a tie on to the end: the choice, and perhaps a war.
    #[inline(never)]
    fn play_tie(
        &mut self,
        driver: &mut impl Driver<Self>,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        if let Phase::Choice { .. } = self.phase {
            for bettor in self.asked().iter() {
                self.act(bettor, driver.decide(self, bettor), record)?;
            }
        }
        while let Phase::Burning { .. } = self.phase {
            driver.face_down(Place::Burn);
            self.deal_face_down(record)?;
        }
        while let Phase::War { dealer, seat } = self.phase {
            self.deal_war(dealer, seat, driver.card(), record);
        }
        if let Phase::WarDealer { dealer } = self.phase {
            self.deal_war_dealer(dealer, driver.card(), record);
        }
        Ok(())
    }

    /// The tied seats that have not answered.
    fn asked(&self) -> Bettors {
        let mut asked = Bettors::NONE;
        for seat in (0..SEATS).filter(|&seat| self.seats[seat].hand.is_tied()) {
            asked.add(Bettor::at(seat));
        }
        asked
    }

    /// The initial wager and the card of a bettor who is asked.
    fn tied(&self, bettor: Bettor) -> Option<(Chips, Card)> {
        match self.seats.get(bettor.seat())? {
            &Seat { main, hand: Hand::Tied(card), .. } if bettor.decides() => Some((main, card)),
            _ => None,
        }
    }

    /// Everybody asked has answered: surrenders are settled, from the dealer's right (CW-8-c-1),
    /// and whoever is left goes to war.
    #[doc(alias = "CW-1-round")]
    fn close_choice(&mut self, dealer: Card, record: &mut impl Record) {
        for seat in (0..SEATS).rev() {
            let Seat { main, hand: Hand::Surrenders(card), .. } = self.seats[seat] else {
                continue;
            };
            let outcome = Outcome::of_tie(card, dealer);
            let half = (Ruling::TakeHalf, Why::Surrender.by("CW-8-c-1"));
            self.settle((seat, Circle::Main, main), half, record);
            self.settle_progressive(seat, outcome, record);
            self.seats[seat].hand = Hand::Decided(outcome);
        }
        self.phase = match self.anyone(Hand::is_at_war) {
            true => Phase::Burning { dealer, burned: 0 },
            false => Phase::Over,
        };
    }

    /// The next card of the war deal: from the dealer's left, then the missed ones, then the
    /// dealer's (CW-8-f, CW-R12).
    #[doc(alias = "CW-1-war-deal")]
    fn next_war_card(&self, dealer: Card) -> Phase {
        let awaits = |card| move |hand| matches!(hand, Hand::AtWar { war, .. } if war == card);
        let next = self.first_seat(0, awaits(WarCard::Due));
        match next.or_else(|| self.first_seat(0, awaits(WarCard::Owed))) {
            Some(seat) => Phase::War { dealer, seat },
            None => Phase::WarDealer { dealer },
        }
    }

    /// Compares each war card with the dealer's, from the dealer's right (CW-8-g, CW-8-h, CW-R07).
    #[doc(alias("CW-8-g", "CW-8-h"))]
    fn settle_war(&mut self, first: Card, dealer: Card, record: &mut impl Record) {
        for seat in (0..SEATS).rev() {
            let Seat { main, hand, .. } = self.seats[seat];
            let Hand::AtWar { card, tie, war: WarCard::Lies(own) } = hand else { continue };
            // CW-9-a-1: in a war the initial wager is at best a push.
            let (initial, war, tied, reason) = match height(own).cmp(&height(dealer)) {
                Ordering::Less => {
                    (Ruling::Take, Ruling::Take, Ruling::Take, Why::WarLost.by("CW-8-g-1"))
                }
                Ordering::Greater => {
                    let won = Ruling::Pay(WAR_WON);
                    (Ruling::Push, won, Ruling::Take, Why::WarWon.by("CW-8-g-2"))
                }
                Ordering::Equal => {
                    let (won, tied) = (Ruling::Pay(WAR_TIED), Ruling::Pay(TIE_WON));
                    (Ruling::Push, won, tied, Why::WarTied.by("CW-8-g-3"))
                }
            };
            let outcome = Outcome::of_war((card, first), (own, dealer));
            self.settle((seat, Circle::Main, main), (initial, reason), record);
            self.settle((seat, Circle::War, main), (war, reason), record);
            self.settle((seat, Circle::WarTie, tie), (tied, reason), record);
            self.settle_progressive(seat, outcome, record);
            self.seats[seat].hand = Hand::Decided(outcome);
        }
        self.phase = Phase::Over;
        if self.anyone(Hand::has_hit) {
            self.award_meter(record);
            self.award_envy(record);
        }
    }

    /// What this round's wagers have added to the meter.
    fn contributions(&self) -> Cents {
        self.seats.iter().map(|seat| self.terms.contribution_of(seat.progressive)).sum()
    }

    /// Pays the meter, with this round's contributions, to the hits that carry a progressive wager
    /// (CW-11-b, CW-11-c-T1, CW-R19).
    fn award_meter(&self, record: &mut impl Record) {
        let wins = |seat: &&Seat| seat.hand.has_hit() && !seat.progressive.is_zero();
        let meter = self.meter + self.contributions();
        let winners = self.seats.iter().filter(wins).count();
        let mut first = true;
        for seat in (0..SEATS).rev().filter(|&seat| wins(&&self.seats[seat])) {
            let amount = match self.terms.shares {
                MeterShares::Equal => raised_share(meter, winners),
                MeterShares::SettlementOrder if first => meter,
                MeterShares::SettlementOrder => self.terms.seed.into(),
            };
            first = false;
            award(seat, Circle::Progressive, amount, "CW-11-b", record);
        }
    }

    /// Pays everyone with a progressive wager once for each other player who hits, on whatever number
    /// of boxes (CW-11-envy-a, CW-R21).
    fn award_envy(&self, record: &mut impl Record) {
        for receiver in (0..SEATS).rev() {
            let units = self.seats[receiver].progressive.get() / PROGRESSIVE_UNIT.get();
            for hitter in (0..SEATS).rev().filter(|&seat| self.earns_envy(seat)) {
                let counted = (hitter + 1..SEATS)
                    .any(|seat| self.earns_envy(seat) && self.racks.same_person(seat, hitter));
                if !counted && !self.racks.same_person(hitter, receiver) {
                    let amount = Cents::new(ENVY * i64::from(units));
                    award(receiver, Circle::Envy, amount, "CW-11-envy-a", record);
                }
            }
        }
    }

    /// Whether a seat's hand is one that earns the others envy.
    fn earns_envy(&self, seat: usize) -> bool {
        let Seat { hand, progressive, .. } = self.seats[seat];
        hand.has_hit()
            && match self.terms.envy {
                EnvyFrom::AnyHand => true,
                EnvyFrom::ProgressiveHands => !progressive.is_zero(),
            }
    }

    /// What a tie wager on the war deal may be, once the war wager is paid (CW-8-e, CW-R05).
    fn war_tie_range(&self, bettor: Bettor) -> Range {
        let Terms { chip_unit: step, side_min, side_max, .. } = self.terms;
        let left = self.left_after_war(bettor);
        let payable = match left >= Cents::from(side_max) {
            true => side_max,
            false => Chips::from_cents(left).unwrap_or(Chips::ZERO),
        };
        let least = Chips::new(side_min.get().next_multiple_of(step.get()));
        Range { least, most: payable.whole(step), step }
    }

    fn left_after_war(&self, bettor: Bettor) -> Cents {
        self.racks.left(bettor) - self.seats[bettor.seat()].main.into()
    }

    /// The tie wager that goes with a war, or why there can be no such war.
    ///
    /// The war wager is exactly the initial one, whatever the table maximum (CW-1-war-wager,
    /// CW-R04).
    fn war_tie(&self, bettor: Bettor, amount: Option<Cents>) -> Result<Chips, Refusal> {
        if !self.racks.can_spend(bettor, self.seats[bettor.seat()].main) {
            return Err(Refusal::AboveRack { left: self.racks.left(bettor) });
        }
        let Some(amount) = amount else { return Ok(Chips::ZERO) };
        let most = self.terms.side_max;
        let above = match amount > Cents::from(most) {
            true => Refusal::AboveSideMaximum { most },
            false => Refusal::AboveRack { left: self.left_after_war(bettor) },
        };
        self.war_tie_range(bettor).check(amount, above)
    }

    /// Why an act by a bettor who is not being asked is refused.
    fn not_asked(&self, bettor: Bettor) -> Refusal {
        if bettor.place() > 0 {
            return Refusal::BoxNotShared { most: 1 };
        }
        match self.seats.get(bettor.seat()).map(|seat| seat.hand) {
            Some(Hand::Surrenders(_) | Hand::AtWar { .. }) => Refusal::AlreadyAnswered,
            Some(Hand::Decided(outcome)) if outcome != Outcome::None => Refusal::TieDecided,
            None | Some(Hand::Out) => Refusal::NotInTheRound,
            _ => Refusal::NotTied,
        }
    }

    const fn not_awaited(&self) -> Refusal {
        match self.phase {
            Phase::Over => Refusal::RoundOver,
            _ => Refusal::NotAwaited,
        }
    }

    /// Whether the original deal is going on, and not a war.
    pub fn is_first_deal(&self) -> bool {
        matches!(self.phase, Phase::Original { .. } | Phase::OriginalDealer)
    }

    /// Gives a seat back what is not settled, the progressive and its contribution too (CW-R22).
    fn give_back(&mut self, seat: usize, reason: Reason, record: &mut impl Record) {
        let Seat { main, tie, progressive, hand } = self.seats[seat];
        let back = (Ruling::Return, reason);
        match hand {
            Hand::Out | Hand::Decided(_) => return,
            Hand::Staked | Hand::Dealt(_) => {
                self.settle((seat, Circle::Main, main), back, record);
                self.settle((seat, Circle::Tie, tie), back, record);
            }
            Hand::Tied(_) | Hand::Surrenders(_) => {
                self.settle((seat, Circle::Main, main), back, record);
            }
            Hand::AtWar { tie, .. } => self.give_back_war((seat, main, tie), reason, record),
        }
        self.settle((seat, Circle::Progressive, progressive), back, record);
        self.seats[seat].progressive = Chips::ZERO;
        self.seats[seat].hand = Hand::Out;
    }

    /// Gives back what stands on a war: initial, war and war-tie wager.
    fn give_back_war(
        &mut self,
        (seat, main, tie): (usize, Chips, Chips),
        reason: Reason,
        record: &mut impl Record,
    ) {
        let back = (Ruling::Return, reason);
        self.settle((seat, Circle::Main, main), back, record);
        self.settle((seat, Circle::War, main), back, record);
        self.settle((seat, Circle::WarTie, tie), back, record);
    }

    /// Every hand is void (CW-10-b, CW-R13).
    fn void(&mut self, record: &mut impl Record) {
        for seat in (0..SEATS).rev() {
            self.give_back(seat, Why::Void.by("CW-10-b"), record);
        }
        if self.terms.void_scope == VoidScope::WholeRound {
            record.note(Event::Reversed);
            self.seats.iter_mut().for_each(|seat| seat.hand = Hand::Out);
        }
        self.phase = Phase::Over;
    }

    /// Whether a bettor can be let out: the house allows it, and something is undecided (CW-10-a).
    fn check_release(&self, bettor: Bettor) -> Result<usize, Refusal> {
        if self.terms.players_out == PlayersOut::Barred {
            return Err(Refusal::NobodyLetOut);
        }
        match self.seats.get(bettor.seat()).map(|seat| seat.hand) {
            None | Some(Hand::Out | Hand::Decided(_)) => Err(Refusal::NothingToCure),
            Some(_) if !bettor.decides() => Err(Refusal::NothingToCure),
            Some(_) => Ok(bettor.seat()),
        }
    }

    /// Whether the card of this hand has been missed: it is the one awaited, or owed.
    fn has_missed_a_card(&self, seat: u8, hand: u8) -> bool {
        let owed = |seat: &Seat| matches!(seat.hand, Hand::AtWar { war: WarCard::Owed, .. });
        let awaited = match self.phase {
            Phase::Original { seat } | Phase::War { seat, .. } => Some(seat),
            _ => None,
        };
        hand == 0
            && awaited.is_some()
            && (awaited == Some(seat) || self.seats.get(usize::from(seat)).is_some_and(owed))
    }

    /// A missed card makes the hand dead: on the original deal with all its wagers (CW-10-d), in
    /// a war with what stands on it, while the progressive keeps the first tie (CW-R12).
    fn dead_hand(&mut self, seat: usize, record: &mut impl Record) {
        match (self.seats[seat], self.dealer()) {
            (Seat { main, hand: Hand::AtWar { card, tie, .. }, .. }, Some(dealer)) => {
                let outcome = Outcome::of_tie(card, dealer);
                self.give_back_war((seat, main, tie), Why::DeadHand.by("CW-R12"), record);
                self.settle_progressive(seat, outcome, record);
                self.seats[seat].hand = Hand::Decided(outcome);
            }
            _ => self.give_back(seat, Why::DeadHand.by("CW-10-d"), record),
        }
        self.go_on(record);
    }

    /// Finds what comes next after a seat has left.
    fn go_on(&mut self, record: &mut impl Record) {
        let dealt = |hand| matches!(hand, Hand::Dealt(_));
        match self.phase {
            Phase::Original { .. } | Phase::OriginalDealer => {
                self.phase = match self.next_staked(0) {
                    Some(seat) => Phase::Original { seat },
                    None if self.anyone(dealt) => Phase::OriginalDealer,
                    None => Phase::Over,
                };
            }
            Phase::Choice { dealer } => {
                if !self.anyone(Hand::is_tied) {
                    self.close_choice(dealer, record);
                }
            }
            _ if !self.anyone(Hand::is_at_war) => self.phase = Phase::Over,
            Phase::War { dealer, .. } => self.phase = self.next_war_card(dealer),
            Phase::Burning { .. } | Phase::WarDealer { .. } | Phase::Over => {}
        }
    }
}

impl Hand {
    const fn is_tied(self) -> bool {
        matches!(self, Hand::Tied(_))
    }

    const fn is_at_war(self) -> bool {
        matches!(self, Hand::AtWar { .. })
    }

    /// Whether it is the hand that wins the meter and earns the others envy.
    const fn has_hit(self) -> bool {
        matches!(self, Hand::Decided(Outcome::SuitedFourOfAKind))
    }
}

impl<const SEATS: usize> TableGame for CasinoWar<SEATS> {
    const BOOK: &'static RuleBook = book::RULE_BOOK;

    /// What may be placed before the first card (CW-1-initial-wager, CW-1-tie-wager, CW-11-a).
    #[doc(alias("CW-1-tie-wager", "CW-11-a"))]
    fn opening(sheet: &TermSheet) -> Opening {
        let progressive =
            match (sheet.is_on("progressive_offered"), sheet.word("progressive_stakes")) {
                (false, _) => ProgressiveStakes::NotOffered,
                (true, "five") => ProgressiveStakes::Five,
                (true, _) => ProgressiveStakes::MultiplesOfFive,
            };
        Opening {
            side: Some(SideWager {
                circle: Circle::Tie,
                offered: true,
                min: sheet.chips("side_min"),
                max: sheet.chips("side_max"),
                up_to_main: false,
            }),
            progressive: Some(progressive),
            ..Opening::of(sheet)
        }
    }

    /// What pays what (CW-9-a, CW-11-c).
    fn pays(_: &TermSheet) -> Vec<Pay> {
        let pay = |circle, what, odds, clause| Pay { circle, what, odds, clause };
        let mut pays = vec![
            pay(Circle::Main, "a card higher than the dealer's", INITIAL_WON, "CW-9-a-1"),
            pay(Circle::Tie, "a tie on the original deal", TIE_WON, "CW-9-a-2"),
            pay(Circle::War, "a war card higher than the dealer's", WAR_WON, "CW-9-a-3"),
            pay(Circle::War, "a war that ties", WAR_TIED, "CW-9-a-3"),
            pay(Circle::WarTie, "a tie on the war deal", TIE_WON, "CW-9-a-2"),
        ];
        for outcome in Outcome::ALL {
            if let (Ruling::PayAndCollect(odds), Reason { clause, .. }) = outcome.ruling() {
                pays.push(pay(Circle::Progressive, outcome.name(), odds, clause));
            }
        }
        pays
    }

    fn begin(sheet: &TermSheet, wagers: &TableWagers, record: &mut impl Record) -> Self {
        CasinoWar::start(Terms::read(sheet), wagers, record)
    }

    fn is_first_deal(&self) -> bool {
        self.is_first_deal()
    }

    /// Whether a seat has surrendered, which is settled when everybody has answered (CW-8-c-1).
    fn gave_up(&self, seat: usize, _hand: usize) -> bool {
        self.seats.get(seat).is_some_and(|seat| matches!(seat.hand, Hand::Surrenders(_)))
    }

    fn outcome(&self, seat: usize) -> Option<Outcome> {
        self.outcome(seat)
    }

    fn tell_meter(&mut self, shows: Cents) {
        self.meter = shows - self.contributions();
    }
}

impl<const SEATS: usize> Round for CasinoWar<SEATS> {
    fn game(&self) -> Game {
        Game::CasinoWar
    }

    fn awaits(&self) -> Awaits {
        match self.phase {
            Phase::Original { seat } | Phase::War { seat, .. } => {
                Awaits::Card(Place::Hand { seat, hand: 0 })
            }
            Phase::OriginalDealer | Phase::WarDealer { .. } => Awaits::Card(Place::Dealer),
            Phase::Choice { .. } => Awaits::Acts(self.asked()),
            Phase::Burning { .. } => Awaits::FaceDown(Place::Burn),
            Phase::Over => Awaits::Nobody,
        }
    }

    /// A tied seat chooses between surrender and war (CW-8-c, CW-1-war); without money for the war
    /// wager only surrender is open (CW-R04).
    #[doc(alias("CW-1-war", "CW-8-c"))]
    fn offers(&self, bettor: Bettor) -> Calls {
        match self.tied(bettor) {
            Some((main, _)) => {
                Calls::of(&[Call::Surrender]).with_if(self.racks.can_spend(bettor, main), Call::War)
            }
            None => Calls::NONE,
        }
    }

    fn amounts(&self, bettor: Bettor, call: Call) -> Amounts {
        match call {
            Call::War if self.offers(bettor).contains(Call::War) => {
                Amounts::Optional(self.war_tie_range(bettor))
            }
            _ => Amounts::None,
        }
    }

    fn deal(&mut self, card: Card, record: &mut impl Record) -> Result<(), Refusal> {
        match self.phase {
            Phase::Original { seat } => self.deal_original(seat, card, record),
            Phase::OriginalDealer => self.deal_dealer(card, record),
            Phase::War { dealer, seat } => self.deal_war(dealer, seat, card, record),
            Phase::WarDealer { dealer } => self.deal_war_dealer(dealer, card, record),
            _ => return Err(self.not_awaited()),
        }
        Ok(())
    }

    /// A burn card goes to the discard rack, seen by nobody (CW-1-burn-card, CW-8-f).
    #[doc(alias = "CW-1-burn-card")]
    fn deal_face_down(&mut self, record: &mut impl Record) -> Result<(), Refusal> {
        let Phase::Burning { dealer, burned } = self.phase else { return Err(self.not_awaited()) };
        record.note(Event::FaceDown(Place::Burn));
        self.phase = match burned + 1 {
            BURN_CARDS => self.next_war_card(dealer),
            burned => Phase::Burning { dealer, burned },
        };
        Ok(())
    }

    fn peek(&mut self, _: bool, _: &mut impl Record) -> Result<(), Refusal> {
        Err(self.not_awaited())
    }

    fn turn(&mut self, _: Card, _: &mut impl Record) -> Result<(), Refusal> {
        Err(self.not_awaited())
    }

    /// Takes the choice of a tied seat. It is kept until everybody asked has answered, so that the
    /// order of the answers does not matter (CW-R26).
    #[doc(alias("CW-1-war-wager", "CW-8-c-2"))]
    fn act(&mut self, bettor: Bettor, act: Act, record: &mut impl Record) -> Result<(), Refusal> {
        let tie_amount = match act {
            Act::Call(Call::Surrender | Call::War) => None,
            Act::With(Call::War, amount) => Some(amount),
            Act::With(call @ Call::Surrender, _) => return Err(Refusal::AmountNotTaken { call }),
            _ => return Err(Refusal::CallForeign { call: act.call() }),
        };
        let (Phase::Choice { dealer }, Some((main, card))) = (self.phase, self.tied(bettor)) else {
            return Err(self.not_asked(bettor));
        };
        let seat = bettor.seat();
        if act.call() == Call::War {
            // CW-8-c-2, CW-8-e: the war wager, and perhaps a tie wager on the war deal.
            let tie = self.war_tie(bettor, tie_amount)?;
            self.racks.spend(bettor, main);
            self.racks.spend(bettor, tie);
            self.seats[seat].hand = Hand::AtWar { card, tie, war: WarCard::Due };
            record.note(Event::Acted(bettor, act));
            stake(seat, Circle::War, main, record);
            stake(seat, Circle::WarTie, tie, record);
        } else {
            self.seats[seat].hand = Hand::Surrenders(card);
            record.note(Event::Acted(bettor, act));
        }
        if !self.anyone(Hand::is_tied) {
            self.close_choice(dealer, record);
        }
        Ok(())
    }

    fn play(
        &mut self,
        driver: &mut impl Driver<Self>,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        while let Phase::Original { seat } = self.phase {
            self.deal_original(seat, driver.card(), record);
        }
        if let Phase::OriginalDealer = self.phase {
            self.deal_dealer(driver.card(), record);
        }
        match self.phase {
            Phase::Over => Ok(()),
            _ => self.play_tie(driver, record),
        }
    }

    /// Cures an irregularity (CW-10-a, CW-10-b, CW-10-d, CW-10-f, CW-R12, CW-R13).
    fn remedy(&mut self, remedy: Remedy, record: &mut impl Record) -> Result<(), Refusal> {
        if self.phase == Phase::Over {
            return Err(Refusal::RoundOver);
        }
        match remedy {
            Remedy::Void => {
                record.note(Event::Remedied(remedy));
                self.void(record);
            }
            Remedy::Release(bettor) => {
                let seat = self.check_release(bettor)?;
                record.note(Event::Remedied(remedy));
                self.give_back(seat, Why::Release.by("CW-10-a"), record);
                self.go_on(record);
            }
            Remedy::DeadHand { seat, hand } if self.has_missed_a_card(seat, hand) => {
                record.note(Event::Remedied(remedy));
                self.dead_hand(usize::from(seat), record);
            }
            Remedy::LateCard { seat, hand: 0 } => {
                let Phase::War { dealer, seat: awaited } = self.phase else {
                    return Err(Refusal::NothingToCure);
                };
                match &mut self.seats[usize::from(awaited)].hand {
                    Hand::AtWar { war: war @ WarCard::Due, .. } if awaited == seat => {
                        *war = WarCard::Owed;
                    }
                    _ => return Err(Refusal::NothingToCure),
                }
                record.note(Event::Remedied(remedy));
                self.phase = self.next_war_card(dealer);
            }
            Remedy::DealerOwedCard if self.awaits() == Awaits::Card(Place::Dealer) => {
                // CW-R12: the dealer's own missed card is the next one.
                record.note(Event::Remedied(remedy));
            }
            Remedy::BurnForgotten => {
                // CW-10-f, CW-R06: the war is dealt as if the cards had been burned.
                let Phase::Burning { dealer, .. } = self.phase else {
                    return Err(Refusal::NothingToCure);
                };
                record.note(Event::Remedied(remedy));
                self.phase = self.next_war_card(dealer);
            }
            Remedy::DeadHand { .. } | Remedy::LateCard { .. } | Remedy::DealerOwedCard => {
                return Err(Refusal::NothingToCure);
            }
            Remedy::SidesBack(_)
            | Remedy::NoMoreCards { .. }
            | Remedy::HoleCardShown(_)
            | Remedy::ReaderOutOfUse => {
                return Err(Refusal::RemedyForeign);
            }
        }
        Ok(())
    }

    fn buy_in(
        &mut self,
        bettor: Bettor,
        amount: Cents,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        if self.phase == Phase::Over {
            return Err(Refusal::RoundOver);
        }
        let in_round = |seat: &Seat| bettor.decides() && seat.hand != Hand::Out;
        if !self.seats.get(bettor.seat()).is_some_and(in_round) {
            return Err(Refusal::NotInTheRound);
        }
        self.racks.buy_in(bettor, amount, self.terms.chip_unit, record)
    }
}

/// Notes an award; one of nothing is not said.
fn award(
    seat: usize,
    circle: Circle,
    amount: Cents,
    clause: &'static str,
    record: &mut impl Record,
) {
    if amount != Cents::ZERO {
        record.note(Event::Awarded { bettor: Bettor::at(seat), circle, amount, clause });
    }
}

/// One of so many equal shares, raised to the cent (CW-R19).
fn raised_share(whole: Cents, shares: usize) -> Cents {
    let shares = i64::try_from(shares).unwrap_or(i64::MAX);
    let (share, rest) = (whole.get() / shares, whole.get() % shares);
    Cents::new(share + i64::from(rest > 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::opening;
    use crate::games::testing::{card, deal, settlements, sheet};

    fn wagers<const S: usize>(slips: &[(usize, i64, i64, i64)]) -> Wagers<S, 1> {
        let mut wagers = Wagers::NONE;
        for &(seat, main, tie, progressive) in slips {
            let circles = [Circle::Main, Circle::Tie, Circle::Progressive];
            let amounts: Vec<(Circle, Cents)> = circles
                .into_iter()
                .zip([main, tie, progressive].map(|dollars| Cents::new(dollars * 100)))
                .filter(|&(_, amount)| amount != Cents::ZERO)
                .collect();
            wagers
                .place(&opening(&sheet(Game::CasinoWar, &[])), Bettor::at(seat), &amounts)
                .unwrap();
        }
        wagers
    }

    fn start<const S: usize>(
        slips: &[(usize, i64, i64, i64)],
        events: &mut Vec<Event>,
    ) -> CasinoWar<S> {
        CasinoWar::start(Terms::read(&sheet(Game::CasinoWar, &[])), &wagers::<S>(slips), events)
    }

    #[test]
    fn settlements_go_from_the_dealers_right() {
        let mut events = Vec::new();
        let mut round: CasinoWar<7> =
            start(&[(0, 10, 5, 0), (2, 10, 0, 5), (3, 10, 5, 5), (6, 10, 0, 5)], &mut events);
        deal(&mut round, "9d 9h 3c 9s 9h", &mut events);
        assert_eq!(
            settlements(&events),
            [
                (3, Circle::Main, -1000, "CW-8-a-1"),
                (3, Circle::Tie, -500, "CW-8-a-1"),
                (3, Circle::Progressive, -500, "CW-11-c"),
                (0, Circle::Tie, 5000, "CW-8-a-3"),
            ]
        );
        events.clear();
        for (seat, act) in [
            (0, Act::Call(Call::Surrender)),
            (2, Act::With(Call::War, Cents::new(500))),
            (6, Act::Call(Call::Surrender)),
        ] {
            assert_eq!(settlements(&events), []);
            round.act(Bettor::at(seat), act, &mut events).unwrap();
        }
        assert_eq!(
            settlements(&events),
            [
                (6, Circle::Main, -500, "CW-8-c-1"),
                (6, Circle::Progressive, 2000, "CW-11-c-T6"),
                (0, Circle::Main, -500, "CW-8-c-1"),
            ]
        );
        events.clear();
        deal(&mut round, "?? ?? ?? 9h 9h", &mut events);
        assert_eq!(
            settlements(&events),
            [
                (2, Circle::Main, 0, "CW-8-g-3"),
                (2, Circle::War, 2000, "CW-8-g-3"),
                (2, Circle::WarTie, 5000, "CW-8-g-3"),
                (2, Circle::Progressive, 499_500, "CW-11-c-T1"),
                (2, Circle::Progressive, 1_000_225, "CW-11-b"),
                (6, Circle::Envy, 100_000, "CW-11-envy-a"),
                (3, Circle::Envy, 100_000, "CW-11-envy-a"),
            ]
        );
        assert_eq!(round.awaits(), Awaits::Nobody);
    }

    #[test]
    fn events_tell_the_round_in_order() {
        let mut events = Vec::new();
        let mut round: CasinoWar<1> = start(&[(0, 10, 0, 0)], &mut events);
        deal(&mut round, "9d 9s", &mut events);
        let act = Act::With(Call::War, Cents::new(500));
        round.act(Bettor::at(0), act, &mut events).unwrap();
        deal(&mut round, "??", &mut events);
        let staked = |circle, dollars| Event::Staked {
            bettor: Bettor::at(0),
            hand: 0,
            circle,
            amount: Chips::dollars(dollars),
        };
        let dealt = |place, word| Event::dealt(place, card(word));
        assert_eq!(
            events,
            [
                staked(Circle::Main, 10),
                dealt(Place::hand(0, 0), "9d"),
                dealt(Place::Dealer, "9s"),
                Event::Acted(Bettor::at(0), act),
                staked(Circle::War, 10),
                staked(Circle::WarTie, 5),
                Event::FaceDown(Place::Burn),
            ]
        );
    }

    /// CW-R15 on the four cards of player and dealer, first deal and war deal.
    #[test]
    fn outcomes_are_the_best_that_apply() {
        for (cards, name) in [
            ("9h 9c 2c Kc", "tie"),
            ("9h 9h Kh 2h", "suited-tie"),
            ("9h 9h Kd Ks", "double-tie"),
            ("9h 9c Kd Kd", "double-tie"),
            ("9h 9c 9c 9h", "four-of-a-kind"),
            ("9h 9h 9d 9s", "four-of-a-kind"),
            ("9h 9h Kc Kc", "suited-double-tie"),
            ("9h 9h 9c 9c", "suited-double-tie"),
            ("9h 9h 9h 9h", "suited-four-of-a-kind"),
        ] {
            let cards: Vec<Card> = cards.split(' ').map(card).collect();
            let outcome = Outcome::of_war((cards[0], cards[1]), (cards[2], cards[3]));
            assert_eq!(outcome.name(), name, "{cards:?}");
        }
        for outcome in Outcome::ALL {
            assert_eq!(Outcome::named(outcome.name()), Some(outcome));
        }
    }

    #[test]
    fn a_late_hand_can_still_be_given_up() {
        let mut events = Vec::new();
        let mut round: CasinoWar<7> = start(&[(0, 10, 0, 5), (1, 10, 0, 0)], &mut events);
        deal(&mut round, "9d 9h 9s", &mut events);
        for seat in [0, 1] {
            round.act(Bettor::at(seat), Act::Call(Call::War), &mut events).unwrap();
        }
        deal(&mut round, "?? ?? ??", &mut events);
        let (late, dead) =
            (Remedy::LateCard { seat: 0, hand: 0 }, Remedy::DeadHand { seat: 0, hand: 0 });
        assert_eq!(round.remedy(Remedy::DealerOwedCard, &mut events), Err(Refusal::NothingToCure));
        round.remedy(late, &mut events).unwrap();
        assert_eq!(round.awaits(), Awaits::Card(Place::hand(1, 0)));
        deal(&mut round, "Kd", &mut events);
        assert_eq!(round.awaits(), Awaits::Card(Place::hand(0, 0)));
        assert_eq!(round.remedy(late, &mut events), Err(Refusal::NothingToCure));
        events.clear();
        round.remedy(dead, &mut events).unwrap();
        assert_eq!(events[0], Event::Remedied(dead));
        assert_eq!(
            settlements(&events),
            [
                (0, Circle::Main, 0, "CW-R12"),
                (0, Circle::War, 0, "CW-R12"),
                (0, Circle::Progressive, 2000, "CW-11-c-T6"),
            ]
        );
        round.remedy(Remedy::DealerOwedCard, &mut events).unwrap();
        assert_eq!(round.awaits(), Awaits::Card(Place::Dealer));
    }

    #[test]
    fn a_round_that_everyone_has_left_is_over() {
        for cards in ["", "9d", "9d 9h", "9d 9h 9s"] {
            let mut events = Vec::new();
            let mut round: CasinoWar<7> = start(&[(2, 10, 5, 5), (5, 10, 0, 0)], &mut events);
            if !cards.is_empty() {
                deal(&mut round, cards, &mut events);
            }
            for seat in [5, 2] {
                round.remedy(Remedy::Release(Bettor::at(seat)), &mut events).unwrap();
            }
            assert_eq!(round.awaits(), Awaits::Nobody, "after {cards}");
            assert_eq!(round.remedy(Remedy::Void, &mut events), Err(Refusal::RoundOver));
        }
    }
}
