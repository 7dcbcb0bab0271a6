//! Casino War: one card each; a tie is surrendered or taken to war.

mod book;
mod essence;

use std::cmp::Ordering;

use crate::book::RuleBook;
use crate::card::Card;
use crate::games::{Pay, Stake, TableGame, TableWagers, side_wager, stake};
use crate::money::{Breakage, Cents, Chips, Odds};
use crate::names::names;
use crate::refusal::{Refusal, Result, ensure};
use crate::round::{
    Act, Amounts, Awaits, Call, Calls, Decision, Driver, Event, Place, Range, Reason, Record,
    Remedy, Round, Ruling, Settlement, Why,
};
use crate::terms::{PlayersOut, TermSheet, VoidScope};
use crate::wager::{
    Bettor, Bettors, Circle, Game, Opening, PROGRESSIVE_UNIT, ProgressiveStakes, Racks, Wagers,
};

/// A higher card pays the initial wager 1 to 1 (CW-9-a-1).
const INITIAL_WON: Odds = Odds::EVEN;
/// A tie wager on either deal (CW-9-a-2).
const TIE_WON: Odds = Odds::to(10, 1);
/// A war won with the higher card (CW-9-a-3).
const WAR_WON: Odds = Odds::EVEN;
/// A war that ties (CW-9-a-3).
const WAR_TIED: Odds = Odds::to(2, 1);
/// Cards burned to begin the war deal, however many are at war (CW-8-f, CW-R06).
const BURN_CARDS: u8 = 3;
/// The envy award for each 5.00 that its receiver staked (CW-11-c-T1, CW-11-c-N2, CW-R18).
const ENVY: i64 = Chips::dollars(1_000).get() as i64;

const _: () = assert!(size_of::<CasinoWar<1>>() <= 128, "two cache lines");

/// How several winners of the meter in one round are paid (CW-R19).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeterShares {
    /// Equal shares, each rounded up to the cent.
    Equal,
    /// The first one settled takes the meter, every later one the seed.
    SettlementOrder,
}

/// Which hand's suited four of a kind earns the others envy (CW-R21).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnvyFrom {
    /// Any hand.
    AnyHand,
    /// A hand with a progressive wager.
    ProgressiveHands,
}

/// The house options that a round depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarTerms {
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
    /// Whose hand earns the others envy.
    pub envy: EnvyFrom,
    /// Whether players may be let out of a round.
    pub players_out: PlayersOut,
    /// What a void undoes.
    pub void_scope: VoidScope,
}

impl WarTerms {
    /// Reads them from the sheet of a table.
    pub fn read(sheet: &TermSheet) -> WarTerms {
        WarTerms {
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
}

/// What a progressive wager adds to the meter at a table with these terms (CW-R19).
pub fn contribution(sheet: &TermSheet, stake: Chips) -> Cents {
    stake.percent(WarTerms::read(sheet).contribution)
}

/// The meter of a new table, and after a hit (CW-R19).
pub fn seed(sheet: &TermSheet) -> Cents {
    WarTerms::read(sheet).seed.into()
}

names! {
    /// What a hand is to the progressive; only the best that applies counts (CW-R15, CW-R16).
    Outcome {
        /// No tie on the original deal.
        None "none"
        /// A tie on the original deal.
        Tie "tie"
        /// A tie in rank and suit on the original deal.
        SuitedTie "suited-tie"
        /// A tie on both deals.
        DoubleTie "double-tie"
        /// A tie on both deals, all four cards of one rank.
        FourOfAKind "four-of-a-kind"
        /// A suited tie on each deal.
        SuitedDoubleTie "suited-double-tie"
        /// The same card four times.
        SuitedFourOfAKind "suited-four-of-a-kind"
    }
}

impl Outcome {
    /// The odds of the pay table (CW-11-c) and the line that grants them.
    ///
    /// The stake is not returned, and the odds scale with it.
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

/// The rank of a card as a number, aces highest; suits do not count.
#[doc(alias("CW-3", "CW-1-tie-hand"))]
const fn height(card: Card) -> usize {
    card.index() >> 2
}

/// What a seat staked before the first card, and how its hand stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seat {
    main: Chips,
    tie: Chips,
    /// Zero once it has been returned: it counts for neither meter nor envy then (CW-R22).
    progressive: Chips,
    hand: WarHand,
}

/// How a hand stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WarHand {
    /// Not in the round: no initial wager (CW-1-initial-wager), void or let out.
    Out,
    /// The wagers are placed, and the card is not dealt yet.
    Staked,
    /// The card is dealt, the dealer's is not.
    Dealt(Card),
    /// A tie: the tie wager is paid, and the seat has a choice (CW-8-a-3).
    Tied(Card),
    /// Surrendered; settled once everyone asked has answered.
    Surrenders(Card),
    /// At war, perhaps with a tie wager on the war deal.
    AtWar { card: Card, tie: Chips, war: WarCard },
    /// Every wager is settled.
    Decided(Outcome),
}

/// The card of a seat on the war deal (CW-1-war-deal).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WarCard {
    /// Not dealt yet.
    Due,
    /// Missed; dealt after the others' (CW-R12).
    Owed,
    /// Face up on the table.
    Dealt(Card),
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
    terms: WarTerms,
}

impl<const SEATS: usize> CasinoWar<SEATS> {
    /// Begins a round with the wagers placed; from here on they are closed (CW-6-b).
    #[inline(always)]
    pub fn start<const S: usize, const B: usize>(
        terms: WarTerms,
        wagers: &Wagers<S, B>,
        record: &mut impl Record,
    ) -> Self {
        let nothing = Chips::ZERO;
        let absent = Seat { main: nothing, tie: nothing, progressive: nothing, hand: WarHand::Out };
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
                hand: WarHand::Staked,
            };
            stake(seat, Circle::Main, slip.main, record);
            stake(seat, Circle::Tie, slip.side, record);
            stake(seat, Circle::Progressive, slip.progressive, record);
        }
        let first = round.next_staked(0).expect("a round begins with an initial wager");
        round.phase = Phase::Original { seat: first };
        round
    }

    /// The progressive outcome of a seat by the cards dealt so far.
    pub fn outcome(&self, seat: usize) -> Option<Outcome> {
        match (self.seats.get(seat)?.hand, self.dealer()) {
            (WarHand::Decided(outcome), _) => Some(outcome),
            (
                WarHand::Tied(card) | WarHand::Surrenders(card) | WarHand::AtWar { card, .. },
                Some(dealer),
            ) => Some(Outcome::of_tie(card, dealer)),
            _ => None,
        }
    }

    /// Whether a seat is at war and not settled yet.
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

    /// The index of a seat, known beforehand in a round of one.
    fn index(seat: u8) -> usize {
        usize::from(seat).min(SEATS - 1)
    }

    /// The next seat from the dealer's left that is due its first card.
    #[doc(alias = "CW-7-c")]
    fn next_staked(&self, from: usize) -> Option<u8> {
        self.first_seat(from, |hand| hand == WarHand::Staked)
    }

    #[allow(clippy::cast_possible_truncation)]
    fn first_seat(&self, from: usize, fits: impl Fn(WarHand) -> bool) -> Option<u8> {
        (from..SEATS).find(|&seat| fits(self.seats[seat].hand)).map(|seat| seat as u8)
    }

    fn anyone(&self, fits: impl Fn(WarHand) -> bool) -> bool {
        self.seats.iter().any(|seat| fits(seat.hand))
    }

    /// Settles one wager, if there is one. What comes back can pay for a war (G-07); in a round of
    /// one seat that is the tie wager alone.
    #[inline(always)]
    fn settle(
        &mut self,
        (seat, circle, stake): Stake,
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

    /// Deals a seat its card.
    #[doc(alias("CW-1-original-deal", "CW-7-c-1"))]
    #[inline(always)]
    fn deal_original(&mut self, seat: u8, card: Card, record: &mut impl Record) {
        record.note(Event::dealt(Place::Hand { seat, hand: 0 }, card));
        let seat = Self::index(seat);
        self.seats[seat].hand = WarHand::Dealt(card);
        self.phase = match self.next_staked(seat + 1) {
            Some(seat) => Phase::Original { seat },
            None => Phase::OriginalDealer,
        };
    }

    /// Deals a seat its war card (CW-8-f).
    fn deal_war(&mut self, dealer: Card, seat: u8, card: Card, record: &mut impl Record) {
        record.note(Event::dealt(Place::Hand { seat, hand: 0 }, card));
        self.set_war_card(seat, WarCard::Dealt(card));
        self.phase = self.next_war_card(dealer);
    }

    fn set_war_card(&mut self, seat: u8, card: WarCard) {
        if let WarHand::AtWar { war, .. } = &mut self.seats[Self::index(seat)].hand {
            *war = card;
        }
    }

    /// Deals the dealer's card, and compares it with each other one from the dealer's right.
    #[doc(alias("CW-1-original-deal", "CW-7-c-2", "CW-8-a", "CW-8-b", "CW-9-a"))]
    #[inline(always)]
    fn deal_dealer(&mut self, dealer: Card, record: &mut impl Record) {
        record.note(Event::dealt(Place::Dealer, dealer));
        self.phase = Phase::Over;
        for seat in (0..SEATS).rev() {
            let Seat { main, tie, hand, .. } = self.seats[seat];
            let WarHand::Dealt(card) = hand else { continue };
            let (main, tie) = ((seat, Circle::Main, main), (seat, Circle::Tie, tie));
            let (initial, reason) = match height(card).cmp(&height(dealer)) {
                Ordering::Less => (Ruling::Take, Why::Lower.by("CW-8-a-1")),
                Ordering::Greater => (Ruling::Pay(INITIAL_WON), Why::Higher.by("CW-8-a-2")),
                Ordering::Equal => {
                    let won = (Ruling::Pay(TIE_WON), Why::Equal.by("CW-8-a-3"));
                    self.settle(tie, won, record);
                    self.seats[seat].hand = WarHand::Tied(card);
                    self.phase = Phase::Choice { dealer };
                    continue;
                }
            };
            self.settle(main, (initial, reason), record);
            self.settle(tie, (Ruling::Take, reason), record);
            self.settle_progressive(seat, Outcome::None, record);
            self.seats[seat].hand = WarHand::Decided(Outcome::None);
        }
    }

    /// Plays a tie to the end: the choice, and perhaps a war.
    #[inline(never)]
    fn play_tie(&mut self, driver: &mut impl Driver<Self>, record: &mut impl Record) -> Result {
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
        (0..SEATS).filter(|&seat| self.seats[seat].hand.is_tied()).map(Bettor::at).collect()
    }

    /// The initial wager and the card of a bettor who is asked.
    fn tied(&self, bettor: Bettor) -> Option<(Chips, Card)> {
        match self.seats.get(bettor.seat())? {
            &Seat { main, hand: WarHand::Tied(card), .. } if bettor.decides() => Some((main, card)),
            _ => None,
        }
    }

    /// Settles surrenders from the dealer's right once everyone asked has answered (CW-8-c-1);
    /// whoever is left goes to war.
    #[doc(alias = "CW-1-round")]
    fn close_choice(&mut self, dealer: Card, record: &mut impl Record) {
        for seat in (0..SEATS).rev() {
            let Seat { main, hand: WarHand::Surrenders(card), .. } = self.seats[seat] else {
                continue;
            };
            let outcome = Outcome::of_tie(card, dealer);
            let half = (Ruling::TakeHalf, Why::Surrender.by("CW-8-c-1"));
            self.settle((seat, Circle::Main, main), half, record);
            self.settle_progressive(seat, outcome, record);
            self.seats[seat].hand = WarHand::Decided(outcome);
        }
        self.phase = match self.anyone(WarHand::is_at_war) {
            true => Phase::Burning { dealer, burned: 0 },
            false => Phase::Over,
        };
    }

    /// The next card of the war deal: from the dealer's left, then the missed ones, then the
    /// dealer's (CW-8-f, CW-R12).
    #[doc(alias = "CW-1-war-deal")]
    fn next_war_card(&self, dealer: Card) -> Phase {
        let awaits = |card| move |hand| matches!(hand, WarHand::AtWar { war, .. } if war == card);
        let next = self.first_seat(0, awaits(WarCard::Due));
        match next.or_else(|| self.first_seat(0, awaits(WarCard::Owed))) {
            Some(seat) => Phase::War { dealer, seat },
            None => Phase::WarDealer { dealer },
        }
    }

    /// Deals the dealer's war card, and compares it with each other one from the dealer's right
    /// (CW-8-f, CW-R07).
    #[doc(alias("CW-8-g", "CW-8-h"))]
    fn deal_war_dealer(&mut self, first: Card, dealer: Card, record: &mut impl Record) {
        use Ruling::{Pay, Push, Take};
        record.note(Event::dealt(Place::Dealer, dealer));
        for seat in (0..SEATS).rev() {
            let Seat { main, hand, .. } = self.seats[seat];
            let WarHand::AtWar { card, tie, war: WarCard::Dealt(own) } = hand else { continue };
            // CW-9-a-1: in a war the initial wager is at best a push.
            let (initial, war, tied, reason) = match height(own).cmp(&height(dealer)) {
                Ordering::Less => (Take, Take, Take, Why::WarLost.by("CW-8-g-1")),
                Ordering::Greater => (Push, Pay(WAR_WON), Take, Why::WarWon.by("CW-8-g-2")),
                Ordering::Equal => (Push, Pay(WAR_TIED), Pay(TIE_WON), Why::WarTied.by("CW-8-g-3")),
            };
            let outcome = Outcome::of_war((card, first), (own, dealer));
            self.settle((seat, Circle::Main, main), (initial, reason), record);
            self.settle((seat, Circle::War, main), (war, reason), record);
            self.settle((seat, Circle::WarTie, tie), (tied, reason), record);
            self.settle_progressive(seat, outcome, record);
            self.seats[seat].hand = WarHand::Decided(outcome);
        }
        self.phase = Phase::Over;
        if self.anyone(WarHand::has_hit) {
            self.award_meter(record);
            self.award_envy(record);
        }
    }

    /// What this round's wagers have added to the meter.
    fn contributions(&self) -> Cents {
        self.seats.iter().map(|seat| seat.progressive.percent(self.terms.contribution)).sum()
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
            award((seat, Circle::Progressive, amount), "CW-11-b", record);
        }
    }

    /// Pays everyone with a progressive wager once for each other player who hits, on however many
    /// boxes (CW-11-envy-a, CW-R21).
    fn award_envy(&self, record: &mut impl Record) {
        for receiver in (0..SEATS).rev() {
            let units = self.seats[receiver].progressive.get() / PROGRESSIVE_UNIT.get();
            for hitter in (0..SEATS).rev().filter(|&seat| self.earns_envy(seat)) {
                let counted = (hitter + 1..SEATS)
                    .any(|seat| self.earns_envy(seat) && self.racks.same_person(seat, hitter));
                if !counted && !self.racks.same_person(hitter, receiver) {
                    let amount = Cents::new(ENVY * i64::from(units));
                    award((receiver, Circle::Envy, amount), "CW-11-envy-a", record);
                }
            }
        }
    }

    /// Whether a seat's hand earns the others envy.
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
        let WarTerms { chip_unit: step, side_min, side_max, .. } = self.terms;
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
    fn war_tie(&self, bettor: Bettor, amount: Option<Cents>) -> Result<Chips> {
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
            Some(WarHand::Surrenders(_) | WarHand::AtWar { .. }) => Refusal::AlreadyAnswered,
            Some(WarHand::Decided(outcome)) if outcome != Outcome::None => Refusal::TieDecided,
            None | Some(WarHand::Out) => Refusal::NotInTheRound,
            _ => Refusal::NotTied,
        }
    }

    /// Returns a seat's unsettled wagers, the progressive with its contribution too (CW-R22).
    fn return_all(&mut self, seat: usize, reason: Reason, record: &mut impl Record) {
        let Seat { progressive, hand, .. } = self.seats[seat];
        if hand.is_undecided() {
            self.return_hand(seat, reason, record);
            self.settle((seat, Circle::Progressive, progressive), (Ruling::Return, reason), record);
            self.seats[seat].progressive = Chips::ZERO;
            self.seats[seat].hand = WarHand::Out;
        }
    }

    /// Returns the unsettled wagers on a hand, without the progressive.
    fn return_hand(&mut self, seat: usize, reason: Reason, record: &mut impl Record) {
        let Seat { main, tie, hand, .. } = self.seats[seat];
        let [tie, war, war_tie] = match hand {
            WarHand::Staked | WarHand::Dealt(_) => [tie, Chips::ZERO, Chips::ZERO],
            WarHand::AtWar { tie, .. } => [Chips::ZERO, main, tie],
            _ => [Chips::ZERO; 3],
        };
        let circles = [Circle::Main, Circle::Tie, Circle::War, Circle::WarTie];
        for (circle, stake) in circles.into_iter().zip([main, tie, war, war_tie]) {
            self.settle((seat, circle, stake), (Ruling::Return, reason), record);
        }
    }

    /// Voids every hand (CW-10-b, CW-R13).
    fn void(&mut self, record: &mut impl Record) {
        for seat in (0..SEATS).rev() {
            self.return_all(seat, Why::Void.by("CW-10-b"), record);
        }
        if self.terms.void_scope == VoidScope::WholeRound {
            record.note(Event::Reversed);
            self.seats.iter_mut().for_each(|seat| seat.hand = WarHand::Out);
        }
        self.phase = Phase::Over;
    }

    fn check_remedy(&self, remedy: Remedy) -> Result {
        let fits = match remedy {
            _ if self.phase == Phase::Over => return Err(Refusal::RoundOver),
            Remedy::Void => true,
            Remedy::Release(_) if self.terms.players_out == PlayersOut::Barred => {
                return Err(Refusal::NobodyLetOut);
            }
            Remedy::Release(bettor) => {
                let seat = self.seats.get(bettor.seat()).filter(|_| bettor.decides());
                seat.is_some_and(|seat| seat.hand.is_undecided())
            }
            Remedy::DeadHand { seat, hand } => self.has_missed_a_card(seat, hand),
            Remedy::LateCard { seat, hand } => {
                let awaited = matches!(self.phase, Phase::War { seat: next, .. } if next == seat);
                awaited && hand == 0 && !self.is_owed(seat)
            }
            Remedy::DealerOwedCard => self.awaits() == Awaits::Card(Place::Dealer),
            Remedy::BurnForgotten => matches!(self.phase, Phase::Burning { .. }),
            Remedy::SidesBack(_)
            | Remedy::NoMoreCards { .. }
            | Remedy::HoleCardShown(_)
            | Remedy::ReaderOutOfUse => return Err(Refusal::RemedyForeign),
        };
        ensure(fits, Refusal::NothingToCure)
    }

    /// Whether a seat is owed the war card that it missed.
    fn is_owed(&self, seat: u8) -> bool {
        let hand = self.seats.get(usize::from(seat)).map(|seat| seat.hand);
        matches!(hand, Some(WarHand::AtWar { war: WarCard::Owed, .. }))
    }

    /// Whether the card of this hand has been missed: it is the one awaited, or owed.
    fn has_missed_a_card(&self, seat: u8, hand: u8) -> bool {
        let awaited = match self.phase {
            Phase::Original { seat } | Phase::War { seat, .. } => Some(seat),
            _ => None,
        };
        hand == 0 && awaited.is_some_and(|awaited| awaited == seat || self.is_owed(seat))
    }

    /// Kills a hand that missed its card: on the original deal with all its wagers (CW-10-d), in a
    /// war without the progressive, which keeps the first tie (CW-R12).
    fn dead_hand(&mut self, seat: usize, record: &mut impl Record) {
        match (self.seats[seat], self.dealer()) {
            (Seat { hand: WarHand::AtWar { card, .. }, .. }, Some(dealer)) => {
                let outcome = Outcome::of_tie(card, dealer);
                self.return_hand(seat, Why::DeadHand.by("CW-R12"), record);
                self.settle_progressive(seat, outcome, record);
                self.seats[seat].hand = WarHand::Decided(outcome);
            }
            _ => self.return_all(seat, Why::DeadHand.by("CW-10-d"), record),
        }
        self.go_on(record);
    }

    /// Moves on after a seat has left.
    fn go_on(&mut self, record: &mut impl Record) {
        let dealt = |hand| matches!(hand, WarHand::Dealt(_));
        match self.phase {
            Phase::Original { .. } | Phase::OriginalDealer => {
                self.phase = match self.next_staked(0) {
                    Some(seat) => Phase::Original { seat },
                    None if self.anyone(dealt) => Phase::OriginalDealer,
                    None => Phase::Over,
                };
            }
            Phase::Choice { dealer } => {
                if !self.anyone(WarHand::is_tied) {
                    self.close_choice(dealer, record);
                }
            }
            _ if !self.anyone(WarHand::is_at_war) => self.phase = Phase::Over,
            Phase::War { dealer, .. } => self.phase = self.next_war_card(dealer),
            Phase::Burning { .. } | Phase::WarDealer { .. } | Phase::Over => {}
        }
    }
}

impl WarHand {
    const fn is_tied(self) -> bool {
        matches!(self, WarHand::Tied(_))
    }

    /// Whether it is in the round and not settled.
    const fn is_undecided(self) -> bool {
        !matches!(self, WarHand::Out | WarHand::Decided(_))
    }

    const fn is_at_war(self) -> bool {
        matches!(self, WarHand::AtWar { .. })
    }

    /// Whether it wins the meter and earns the others envy.
    const fn has_hit(self) -> bool {
        matches!(self, WarHand::Decided(Outcome::SuitedFourOfAKind))
    }
}

impl<const SEATS: usize> TableGame for CasinoWar<SEATS> {
    const BOOK: &'static RuleBook = book::RULE_BOOK;

    /// What may be placed before the first card (CW-1-initial-wager).
    #[doc(alias("CW-1-tie-wager", "CW-11-a"))]
    fn opening(sheet: &TermSheet) -> Opening {
        let progressive =
            match (sheet.is_on("progressive_offered"), sheet.word("progressive_stakes")) {
                (false, _) => ProgressiveStakes::NotOffered,
                (true, "five") => ProgressiveStakes::Five,
                (true, _) => ProgressiveStakes::MultiplesOfFive,
            };
        Opening {
            side: Some(side_wager(sheet, Circle::Tie)),
            progressive: Some(progressive),
            ..Opening::of(sheet)
        }
    }

    /// The pay tables (CW-9-a, CW-11-c).
    fn pays(_: &TermSheet) -> Vec<Pay> {
        let pay = Pay::new;
        let mut pays = vec![
            pay(Circle::Main, "won", "a card higher than the dealer's", INITIAL_WON, "CW-9-a-1"),
            pay(Circle::Tie, "tie", "a tie on the original deal", TIE_WON, "CW-9-a-2"),
            pay(Circle::War, "war-won", "a war card higher than the dealer's", WAR_WON, "CW-9-a-3"),
            pay(Circle::War, "war-tied", "a war that ties", WAR_TIED, "CW-9-a-3"),
            pay(Circle::WarTie, "war-tie", "a tie on the war deal", TIE_WON, "CW-9-a-2"),
        ];
        for outcome in Outcome::ALL {
            if let (Ruling::PayAndCollect(odds), Reason { clause, .. }) = outcome.ruling() {
                let name = outcome.name();
                pays.push(pay(Circle::Progressive, name, name, odds, clause));
            }
        }
        pays
    }

    fn begin(sheet: &TermSheet, wagers: &TableWagers, record: &mut impl Record) -> Self {
        CasinoWar::start(WarTerms::read(sheet), wagers, record)
    }

    fn is_first_deal(&self) -> bool {
        matches!(self.phase, Phase::Original { .. } | Phase::OriginalDealer)
    }

    /// Whether a seat has surrendered, which is settled when everybody has answered (CW-8-c-1).
    fn gave_up(&self, seat: usize, _hand: usize) -> bool {
        self.seats.get(seat).is_some_and(|seat| matches!(seat.hand, WarHand::Surrenders(_)))
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

    /// A tied seat chooses between surrender and war; without money for the war wager only
    /// surrender is open (CW-R04).
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

    fn deal(&mut self, card: Card, record: &mut impl Record) -> Result {
        match self.phase {
            Phase::Original { seat } => self.deal_original(seat, card, record),
            Phase::OriginalDealer => self.deal_dealer(card, record),
            Phase::War { dealer, seat } => self.deal_war(dealer, seat, card, record),
            Phase::WarDealer { dealer } => self.deal_war_dealer(dealer, card, record),
            _ => return Err(self.not_awaited()),
        }
        Ok(())
    }

    /// Burns a card into the discard rack, seen by nobody (CW-8-f).
    #[doc(alias = "CW-1-burn-card")]
    fn deal_face_down(&mut self, record: &mut impl Record) -> Result {
        let Phase::Burning { dealer, burned } = self.phase else { return Err(self.not_awaited()) };
        record.note(Event::FaceDown(Place::Burn));
        self.phase = match burned + 1 {
            BURN_CARDS => self.next_war_card(dealer),
            burned => Phase::Burning { dealer, burned },
        };
        Ok(())
    }

    /// Takes the choice of a tied seat. It is settled once everyone asked has answered, so that the
    /// order of the answers does not matter (CW-R26).
    #[doc(alias("CW-1-war-wager", "CW-8-c-2"))]
    fn act(&mut self, bettor: Bettor, act: Act, record: &mut impl Record) -> Result {
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
            self.seats[seat].hand = WarHand::AtWar { card, tie, war: WarCard::Due };
            record.note(Event::Acted(bettor, act));
            stake(seat, Circle::War, main, record);
            stake(seat, Circle::WarTie, tie, record);
        } else {
            self.seats[seat].hand = WarHand::Surrenders(card);
            record.note(Event::Acted(bettor, act));
        }
        if !self.anyone(WarHand::is_tied) {
            self.close_choice(dealer, record);
        }
        Ok(())
    }

    fn play(&mut self, driver: &mut impl Driver<Self>, record: &mut impl Record) -> Result {
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

    /// Remedies an irregularity (CW-10-a, CW-10-b, CW-10-d, CW-10-f, CW-R12, CW-R13).
    fn remedy(&mut self, remedy: Remedy, record: &mut impl Record) -> Result {
        self.check_remedy(remedy)?;
        record.note(Event::Remedied(remedy));
        match (remedy, self.phase) {
            (Remedy::Void, _) => self.void(record),
            (Remedy::Release(bettor), _) => {
                self.return_all(bettor.seat(), Why::Release.by("CW-10-a"), record);
                self.go_on(record);
            }
            (Remedy::DeadHand { seat, .. }, _) => self.dead_hand(usize::from(seat), record),
            (Remedy::LateCard { seat, .. }, Phase::War { dealer, .. }) => {
                self.set_war_card(seat, WarCard::Owed);
                self.phase = self.next_war_card(dealer);
            }
            // CW-10-f, CW-R06: the war is dealt as if the cards had been burned.
            (_, Phase::Burning { dealer, .. }) => self.phase = self.next_war_card(dealer),
            // CW-R12: the dealer's own missed card is the next one.
            _ => {}
        }
        Ok(())
    }

    fn buy_in(&mut self, bettor: Bettor, amount: Cents, record: &mut impl Record) -> Result {
        ensure(self.phase != Phase::Over, Refusal::RoundOver)?;
        let in_round = |seat: &Seat| bettor.decides() && seat.hand != WarHand::Out;
        ensure(self.seats.get(bettor.seat()).is_some_and(in_round), Refusal::NotInTheRound)?;
        self.racks.buy_in(bettor, amount, self.terms.chip_unit, record)
    }
}

/// Notes an award, unless it is zero.
fn award(
    (seat, circle, amount): (usize, Circle, Cents),
    clause: &'static str,
    record: &mut impl Record,
) {
    if amount != Cents::ZERO {
        record.note(Event::Awarded { bettor: Bettor::at(seat), circle, amount, clause });
    }
}

/// One of so many equal shares, rounded up to the cent (CW-R19).
fn raised_share(whole: Cents, shares: usize) -> Cents {
    let shares = i64::try_from(shares).unwrap_or(i64::MAX);
    let (share, rest) = (whole.get() / shares, whole.get() % shares);
    Cents::new(share + i64::from(rest > 0))
}
