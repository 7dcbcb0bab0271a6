//! The stakes on a box, and how rulings settle them.

use std::ops::Add;

use super::book::{Book, Busts, Cost, SplitStake, Stage};
use super::hand::Fate;
use super::{Blackjack, MOST_HANDS, Phase};
use crate::money::{Breakage, Cents, Chips, Odds};
use crate::round::{Decision, Event, Reason, Record, Ruling, Settlement, Why};
use crate::wager::{Bettor, Circle, MOST_BETTORS, byte};

/// Where a wager lies: whose it is, the hand and the circle.
pub(super) type Spot = (Bettor, usize, Circle);

/// What backs a hand, for one bettor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Backing {
    /// No wager, or one that is settled.
    Nothing,
    /// The original wager, with the double attack.
    Main,
    /// Money matched at a split.
    Split,
    /// A lammer instead of money.
    Lammer,
}

/// A bettor's unsettled wagers on one hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HandStake {
    /// The original wager with the double attack, or money matched at a split.
    pub money: Chips,
    /// Whether there is a lammer instead.
    pub lammer: bool,
    /// What doubling added.
    pub double: Chips,
    /// Whether a lammer was laid for doubling.
    pub free_double: bool,
}

impl HandStake {
    /// Whether there is any wager.
    pub fn is_live(self) -> bool {
        self.lammer || !self.money.is_zero()
    }
}

/// The stakes of one bettor on one box. What is settled is zero, or `Backing::Nothing`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stakes {
    /// The original wager; zero for a bettor who is not in the round.
    pub(super) initial: Chips,
    pub(super) attack: Chips,
    pub(super) side: Chips,
    pub(super) insurance: Chips,
    pub(super) doubles: [Chips; MOST_HANDS],
    pub(super) on: [Backing; MOST_HANDS],
    /// Whether a hand has gone bust.
    pub(super) busted: bool,
    /// Whether a double attack has been offered.
    pub(super) attack_offered: bool,
}

impl Stakes {
    pub(super) const NONE: Stakes = Stakes {
        initial: Chips::ZERO,
        attack: Chips::ZERO,
        side: Chips::ZERO,
        insurance: Chips::ZERO,
        doubles: [Chips::ZERO; MOST_HANDS],
        on: [Backing::Nothing; MOST_HANDS],
        busted: false,
        attack_offered: false,
    };

    pub(super) const fn opening(initial: Chips, side: Chips) -> Stakes {
        let mut stakes = Stakes { initial, side, ..Stakes::NONE };
        stakes.on[0] = Backing::Main;
        stakes
    }

    pub(super) const fn takes_part(&self) -> bool {
        !self.initial.is_zero()
    }

    /// What a hand made by splitting carries.
    pub(super) fn matched(&self, split: SplitStake) -> Chips {
        split.amount(self.initial, self.attack)
    }

    /// The value of the stakes on a hand, without a double: what it may be doubled by.
    pub(super) fn value_on(&self, hand: usize, split: SplitStake) -> Chips {
        match self.on[hand] {
            Backing::Nothing => Chips::ZERO,
            Backing::Main => most_double(self.initial + self.attack, Chips::ZERO),
            Backing::Split => most_double(self.matched(split), Chips::ZERO),
            Backing::Lammer => most_double(Chips::ZERO, self.matched(split)),
        }
    }

    /// The unsettled wagers on a hand.
    pub(super) fn on_hand(&self, hand: usize, split: SplitStake) -> HandStake {
        let money = match self.on[hand] {
            Backing::Nothing | Backing::Lammer => Chips::ZERO,
            Backing::Main | Backing::Split => self.value_on(hand, split),
        };
        let lammer = self.on[hand] == Backing::Lammer;
        HandStake { money, lammer, double: self.doubles[hand], free_double: false }
    }

    /// Whether money was added to the original wager on a hand.
    fn has_added(&self, hand: usize) -> bool {
        !self.attack.is_zero() || !self.doubles[hand].is_zero()
    }

    /// Makes room for a new hand. The hands after it, which may have been played while this one
    /// waited for a late card, move up with their wagers.
    pub(super) fn make_room(&mut self, new: usize) {
        self.on.copy_within(new..MOST_HANDS - 1, new + 1);
        self.on[new] = Backing::Nothing;
        self.doubles.copy_within(new..MOST_HANDS - 1, new + 1);
        self.doubles[new] = Chips::ZERO;
    }
}

/// The most that a double attack may be: the initial wager (DAB-R01).
#[doc(alias = "DAB-1-double-attack-wager")]
pub const fn most_attack(initial: Chips) -> Chips {
    initial
}

/// The most that a hand may be doubled by: all that is on it, a lammer at face value (DAB-R10,
/// FBB-R07, DDB-R10).
#[doc(alias("DAB-9-a", "FBB-8-a-2"))]
pub fn most_double<T: Add<Output = T>>(money: T, lammer: T) -> T {
    money + lammer
}

impl<B: Book, const SEATS: usize, const BETTORS: usize> Blackjack<B, SEATS, BETTORS> {
    /// Settles a stake.
    #[inline(always)]
    fn settle(&self, spot: Spot, stake: Chips, decision: Decision, record: &mut impl Record) {
        let settlement = Settlement::new(spot, stake, decision, self.terms.breakage);
        record.note(Event::Settled(settlement));
    }

    /// Settles a lammer.
    fn settle_lammer(&self, spot: Spot, (ruling, reason): Decision, record: &mut impl Record) {
        let face = self.stakes(spot.0).initial;
        let decision = (on_lammer(ruling), reason);
        let settlement = Settlement::new(spot, face, decision, self.terms.breakage);
        record.note(Event::Settled(Settlement { lammer: true, ..settlement }));
    }

    /// Settles something on a box during the round: what comes back is in the racks at once (G-07).
    fn settle_early<R: Record>(
        &mut self,
        seat: usize,
        record: &mut R,
        settle: impl FnOnce(&mut Self, &mut ToRacks<'_, R>),
    ) {
        let mut to_racks = ToRacks { record, by_place: [Cents::ZERO; MOST_BETTORS] };
        settle(self, &mut to_racks);
        let by_place = to_racks.by_place;
        for bettor in (0..BETTORS).map(|place| Bettor::behind(seat, place)) {
            self.racks.add(bettor, by_place[bettor.place()]);
        }
    }

    /// Settles everything that one bettor has on a hand.
    #[inline(always)]
    fn settle_stakes(
        &mut self,
        bettor: Bettor,
        hand: usize,
        decide: impl Fn(Circle) -> Decision,
        record: &mut impl Record,
    ) {
        let stakes = self.stakes(bettor);
        let on = stakes.on[hand];
        if on == Backing::Nothing {
            return;
        }
        if on == Backing::Main {
            let place = (bettor, hand, Circle::Main);
            self.settle(place, stakes.initial, decide(Circle::Main), record);
        }
        if on != Backing::Main || stakes.has_added(hand) || self.hand(bettor.seat(), hand).is_free()
        {
            self.settle_added(bettor, hand, decide, record);
        }
        self.stakes_mut(bettor).on[hand] = Backing::Nothing;
    }

    /// Settles what was added to the original wager, or what backs a hand made by splitting.
    #[inline(never)]
    fn settle_added(
        &mut self,
        bettor: Bettor,
        hand: usize,
        decide: impl Fn(Circle) -> Decision,
        record: &mut impl Record,
    ) {
        let stakes = self.stakes(bettor);
        let split = (bettor, hand, Circle::Split);
        match stakes.on[hand] {
            Backing::Main if !stakes.attack.is_zero() => {
                let place = (bettor, hand, Circle::Attack);
                self.settle(place, stakes.attack, decide(Circle::Attack), record);
            }
            Backing::Split => {
                let stake = stakes.matched(self.terms.book.split_stake());
                self.settle(split, stake, decide(Circle::Split), record);
            }
            Backing::Lammer => self.settle_lammer(split, decide(Circle::Split), record),
            Backing::Main | Backing::Nothing => {}
        }
        let double = (bettor, hand, Circle::Double);
        match self.hand(bettor.seat(), hand).is_free() {
            true => self.settle_lammer(double, decide(Circle::Double), record),
            false if stakes.doubles[hand].is_zero() => {}
            false => self.settle(double, stakes.doubles[hand], decide(Circle::Double), record),
        }
        self.stakes_mut(bettor).doubles[hand] = Chips::ZERO;
    }

    /// Settles all wagers of everyone on a hand alike.
    #[inline(always)]
    fn settle_hand(
        &mut self,
        seat: usize,
        hand: usize,
        decide: impl Fn() -> Decision + Copy,
        record: &mut impl Record,
    ) {
        for place in (0..BETTORS).rev() {
            self.settle_stakes(Bettor::behind(seat, place), hand, move |_| decide(), record);
        }
    }

    /// The hands of a box, from the dealer's left.
    fn each_hand(&self, seat: usize) -> std::ops::Range<usize> {
        0..self.count(seat)
    }

    // During play

    /// Collects a bust hand at once, unless the house waits for the dealer's natural (G-20, DDB-P2,
    /// FBB-6-q-1, FBB-R12, DAB-R20).
    pub(super) fn bust(&mut self, seat: usize, hand: usize, record: &mut impl Record) {
        self.show(seat, hand, record);
        if self.terms.book.busts() == Busts::OriginalsOnly && self.natural_possible() {
            self.hand_mut(seat, hand).fate = Fate::BustHeld;
        } else {
            self.hand_mut(seat, hand).fate = Fate::Bust;
            for stakes in &mut self.stakes[seat] {
                stakes.busted |= stakes.on[hand] != Backing::Nothing;
            }
            self.settle_hand(seat, hand, bust_lost::<B>, record);
            if B::PICKS_UP_EARLY && self.hand(seat, hand).is_split() {
                self.pick_up_busts(seat, hand, record);
            }
        }
    }

    /// Picks up a bust split hand of a box without lammers. With lammers the cards stay until all
    /// hands of the box are bust, or the round is over (FBB-R12).
    #[doc(alias("FBB-9-c-1", "FBB-9-c-2"))]
    #[cold]
    fn pick_up_busts(&mut self, seat: usize, hand: usize, record: &mut impl Record) {
        let first = self.hand(seat, hand).first();
        if first.is_some_and(|card| self.terms.book.split_cost(card) == Cost::Paid) {
            record.note(Event::PickedUp { seat: byte(seat), hand: byte(hand) });
        } else if self.each_hand(seat).all(|hand| self.hand(seat, hand).fate == Fate::Bust) {
            for hand in self.each_hand(seat) {
                record.note(Event::PickedUp { seat: byte(seat), hand: byte(hand) });
            }
        }
    }

    /// Picks up a natural that has been paid, unless it is tucked under a wager on the dealer's hand
    /// (FBB-6-h-1, FBB-7-e).
    fn pick_up_natural(&mut self, seat: usize, record: &mut impl Record) {
        if B::PICKS_UP_EARLY && self.stakes(Bettor::at(seat)).side.is_zero() {
            record.note(Event::PickedUp { seat: byte(seat), hand: 0 });
        }
    }

    /// Surrenders a hand: half is collected at once if the dealer cannot have a natural, and after
    /// the second card otherwise (DAB-8-a-1, DAB-8-a-2, DAB-8-a-3).
    #[doc(alias = "DAB-8-a")]
    pub(super) fn surrender(&mut self, seat: usize, hand: usize, record: &mut impl Record) {
        let at_once = match self.dealer.may_have_natural() {
            false => true,
            true => !self.natural_possible() && self.terms.book.surrender_at_once_after_reader(),
        };
        if at_once {
            self.hand_mut(seat, hand).fate = Fate::Surrendered;
            let clause = if self.dealer.may_have_natural() { "DAB-8-a-3" } else { "DAB-8-a-1" };
            let reason = Why::Surrender.by(clause);
            self.settle_early(seat, record, |round, record| {
                round.settle_half(seat, hand, reason, record);
            });
        } else {
            self.hand_mut(seat, hand).fate = Fate::SurrenderHeld;
        }
    }

    /// Takes half of each bettor's stakes on a hand. They are halved together, so that the player's
    /// part is rounded up once, with the first of them (DAB-R06, DAB-R09).
    fn settle_half(&mut self, seat: usize, hand: usize, reason: Reason, record: &mut impl Record) {
        for bettor in (0..BETTORS).rev().map(|place| Bettor::behind(seat, place)) {
            let stakes = self.stakes(bettor);
            let split = stakes.matched(self.terms.book.split_stake());
            let [main, attack] = match stakes.on[hand] {
                Backing::Main => [(Circle::Main, stakes.initial), (Circle::Attack, stakes.attack)],
                Backing::Split => [(Circle::Split, split), (Circle::Attack, Chips::ZERO)],
                Backing::Nothing | Backing::Lammer => continue,
            };
            let on_hand = [main, attack, (Circle::Double, stakes.doubles[hand])];
            let together = on_hand.iter().fold(Chips::ZERO, |sum, (_, stake)| sum + *stake);
            let half = |stakes: Chips| Breakage::EXACT.returned_half(stakes);
            let mut raised = self.terms.breakage.returned_half(together) - half(together);
            let mut so_far = Chips::ZERO;
            for (circle, stake) in on_hand.into_iter().filter(|(_, stake)| !stake.is_zero()) {
                let back = half(so_far + stake) - half(so_far) + std::mem::take(&mut raised);
                so_far = so_far + stake;
                let decision = (Ruling::TakeHalf, reason);
                let settlement =
                    Settlement::new((bettor, hand, circle), stake, decision, Breakage::EXACT);
                let gain = back - stake.into();
                record.note(Event::Settled(Settlement { gain, ..settlement }));
            }
            let stakes = self.stakes_mut(bettor);
            stakes.on[hand] = Backing::Nothing;
            stakes.doubles[hand] = Chips::ZERO;
        }
    }

    /// Pays a natural in its turn (FBB-6-h-1, FBB-R13, DDB-P9, DDB-R08).
    pub(super) fn pay_natural(&mut self, seat: usize, record: &mut impl Record) {
        self.show(seat, 0, record);
        self.hand_mut(seat, 0).fate = Fate::Paid;
        self.settle_early(seat, record, |round, record| {
            round.settle_hand(seat, 0, natural_won::<B>, record);
        });
        self.pick_up_natural(seat, record);
    }

    /// Pays a natural 1 to 1 before the reader is asked (FBB-7-e, FBB-R15).
    pub(super) fn pay_even_money(&mut self, seat: usize, record: &mut impl Record) {
        self.show(seat, 0, record);
        self.hand_mut(seat, 0).fate = Fate::EvenMoney;
        let even = || (Ruling::Pay(Odds::EVEN), Why::EvenMoney.by(B::CITES.even_money));
        self.settle_hand(seat, 0, even, record);
        self.pick_up_natural(seat, record);
    }

    /// Adds to the rack what even money paid a box, once everyone asked has answered, so that the
    /// order of the answers does not matter (G-07).
    pub(super) fn add_even_money(&mut self, seat: usize) {
        if self.hand(seat, 0).fate == Fate::EvenMoney {
            self.hand_mut(seat, 0).fate = Fate::Paid;
            let initial = self.stakes(Bettor::at(seat)).initial;
            self.racks.add(Bettor::at(seat), (initial + initial).into());
        }
    }

    // By the dealer's cards

    /// Settles insurance: it wins on the dealer's natural and loses otherwise (DAB-11-c, DAB-11-d,
    /// FBB-7-d, FBB-10-b, DDB-P21).
    #[doc(alias("DAB-11-a", "FBB-7-c"))]
    pub(super) fn settle_insurance(&mut self, natural: bool, record: &mut impl Record) {
        if !self.dealer.shows_ace() {
            return;
        }
        let (ruling, clause) = match natural {
            true => (Ruling::Pay(B::INSURANCE.0), B::INSURANCE.1),
            false => (Ruling::Take, B::CITES.insurance_lost),
        };
        self.settle_circle(Circle::Insurance, (ruling, Why::Insurance.by(clause)), record);
    }

    /// Settles the game's side wager, if the dealer's cards decide it now.
    pub(super) fn settle_side(&mut self, stage: Stage, record: &mut impl Record) {
        let Some(circle) = B::SIDE.filter(|_| self.has_side_wagers()) else { return };
        if let Some(decision) = self.terms.book.side(self.dealer, stage) {
            self.settle_circle(circle, decision, record);
        }
    }

    /// Settles everyone's insurance or side wager alike, whatever became of their hands.
    #[doc(alias("DAB-6-e", "DAB-8-b", "DAB-13-g"))]
    fn settle_circle(&mut self, circle: Circle, decision: Decision, record: &mut impl Record) {
        for bettor in Bettor::all(SEATS, BETTORS).rev() {
            let stakes = self.stakes_mut(bettor);
            let stake = match circle {
                Circle::Insurance => &mut stakes.insurance,
                _ => &mut stakes.side,
            };
            let amount = std::mem::take(stake);
            if !amount.is_zero() {
                self.settle((bettor, 0, circle), amount, decision, record);
            }
        }
    }

    /// Settles the surrenders and busts that waited for the dealer's second card, which makes no
    /// natural.
    pub(super) fn settle_held(&mut self, record: &mut impl Record) {
        if !B::SURRENDER || !self.dealer.may_have_natural() {
            return;
        }
        for seat in (0..SEATS).rev() {
            for hand in self.each_hand(seat) {
                match self.hand(seat, hand).fate {
                    Fate::SurrenderHeld => {
                        self.hand_mut(seat, hand).fate = Fate::Surrendered;
                        self.settle_half(seat, hand, Why::Surrender.by("DAB-8-a-2"), record);
                    }
                    Fate::BustHeld => {
                        self.hand_mut(seat, hand).fate = Fate::Bust;
                        self.settle_hand(seat, hand, bust_lost::<B>, record);
                    }
                    _ => {}
                }
            }
        }
    }

    /// Settles the round on the dealer's natural: naturals push, everyone else loses the original
    /// wager and nothing that was added (FBB-6-g-1, FBB-6-g-2, FBB-R18, DAB-5-b, DAB-9-c, DAB-10-d,
    /// DAB-R07, DAB-R08, DAB-R20, DDB-P9, DDB-R09).
    pub(super) fn settle_dealer_natural(&mut self, record: &mut impl Record) {
        self.settle_insurance(true, record);
        self.settle_side(Stage::Finished, record);
        for seat in (0..SEATS).rev() {
            for hand in self.each_hand(seat) {
                let fate = self.hand(seat, hand).fate;
                if fate.is_undecided() {
                    self.show(seat, hand, record);
                }
                for place in (0..BETTORS).rev() {
                    let bettor = Bettor::behind(seat, place);
                    let busted = self.stakes(bettor).busted;
                    let decide = |circle| on_natural::<B>(circle, fate == Fate::Natural, busted);
                    self.settle_stakes(bettor, hand, decide, record);
                }
            }
        }
        self.phase = Phase::Settled;
    }

    /// Settles every hand that is still undecided on the dealer's final total, from the dealer's
    /// right (DAB-5-a, DAB-5-e, FBB-6-n, FBB-6-r, DDB-P1, DDB-P3).
    #[inline(always)]
    pub(super) fn settle_hands(&mut self, record: &mut impl Record) {
        if SEATS == 1 && self.count(0) == 1 {
            self.settle_hand_if(0, 0, |_| true, record);
        } else {
            self.settle_all_hands(record);
        }
        self.phase = Phase::Settled;
    }

    #[doc(alias("FBB-6-r", "FBB-6-r-1", "FBB-6-r-2"))]
    #[inline(never)]
    fn settle_all_hands(&mut self, record: &mut impl Record) {
        if self.terms.book.collects_before_paying() {
            self.settle_hands_that(|ruling| ruling == Ruling::Take, record);
        }
        self.settle_hands_that(|_| true, record);
    }

    fn settle_hands_that(&mut self, now: impl Fn(Ruling) -> bool, record: &mut impl Record) {
        for seat in (0..SEATS).rev() {
            for hand in self.each_hand(seat) {
                self.settle_hand_if(seat, hand, &now, record);
            }
        }
    }

    /// Settles a hand on the dealer's final total, if it is undecided and due now.
    #[inline(always)]
    pub(super) fn settle_hand_if(
        &mut self,
        seat: usize,
        hand: usize,
        now: impl Fn(Ruling) -> bool,
        record: &mut impl Record,
    ) {
        let here = self.hand(seat, hand);
        let (book, fate, total) = (self.terms.book, here.fate, here.points().total());
        let dealer = self.dealer.points().total();
        let decide = move || match fate {
            Fate::Natural => natural_won::<B>(),
            _ => compare(book, total, dealer),
        };
        if matches!(fate, Fate::Natural | Fate::Stood) && now(decide().0) {
            self.show(seat, hand, record);
            self.settle_hand(seat, hand, decide, record);
        }
    }

    // For remedies

    /// Returns everything on a dead hand.
    pub(super) fn return_hand(&mut self, seat: usize, hand: usize, record: &mut impl Record) {
        let back = (Ruling::Return, Why::DeadHand.by(B::CITES.dead));
        self.settle_early(seat, record, |round, record| {
            round.settle_hand(seat, hand, || back, record);
        });
    }

    /// Returns everything undecided to a bettor.
    pub(super) fn return_all(&mut self, bettor: Bettor, reason: Reason, record: &mut impl Record) {
        let back = (Ruling::Return, reason);
        self.settle_early(bettor.seat(), record, |round, record| {
            for hand in round.each_hand(bettor.seat()) {
                round.settle_stakes(bettor, hand, |_| back, record);
            }
            let stakes = round.stakes_mut(bettor);
            let side = std::mem::take(&mut stakes.side);
            let insurance = std::mem::take(&mut stakes.insurance);
            if let (Some(circle), false) = (B::SIDE, side.is_zero()) {
                round.settle((bettor, 0, circle), side, back, record);
            }
            if !insurance.is_zero() {
                round.settle((bettor, 0, Circle::Insurance), insurance, back, record);
            }
        });
    }
}

/// A record that also adds up what goes to the racks of those on one box.
struct ToRacks<'a, R> {
    record: &'a mut R,
    by_place: [Cents; MOST_BETTORS],
}

impl<R: Record> Record for ToRacks<'_, R> {
    fn note(&mut self, event: Event) {
        if let Event::Settled(settlement) = &event {
            self.by_place[settlement.bettor.place()] += settlement.to_rack();
        }
        self.record.note(event);
    }
}

/// A completed hand against the dealer's final total: going over 21 loses, the higher total wins 1
/// to 1, equal totals push (DAB-5-a-1, DAB-5-a-2, FBB-6-o-1, FBB-6-o-2, FBB-6-p, FBB-6-q-2, DDB-P1,
/// DDB-P2, DDB-P3, DDB-R03).
#[doc(alias("DAB-5-a", "DAB-9-b", "FBB-10-a"))]
pub fn compare<B: Book>(book: B, total: u8, dealer: u8) -> Decision {
    let cites = B::CITES;
    if let Some(decision) = book.at_dealer_total(dealer) {
        return decision;
    }
    if dealer > 21 {
        (Ruling::Pay(Odds::EVEN), Why::DealerBust.by(cites.dealer_bust))
    } else if total > dealer {
        (Ruling::Pay(Odds::EVEN), Why::Higher.by(cites.higher))
    } else if total == dealer {
        (Ruling::Push, Why::Equal.by(cites.equal))
    } else {
        (Ruling::Take, Why::Lower.by(cites.lower))
    }
}

/// What a bust hand loses.
fn bust_lost<B: Book>() -> Decision {
    (Ruling::Take, Why::Bust.by(B::CITES.bust))
}

/// What a natural wins.
fn natural_won<B: Book>() -> Decision {
    (Ruling::Pay(B::NATURAL.0), Why::Natural.by(B::NATURAL.1))
}

/// What the dealer's natural does to a circle: naturals push; everyone else loses the original
/// wager, unless a bust has already cost it, and nothing that was added.
pub fn on_natural<B: Book>(circle: Circle, natural: bool, busted: bool) -> Decision {
    let cites = B::CITES;
    let returned = |clause| (Ruling::Return, Why::NotAtRisk.by(clause));
    match circle {
        _ if natural => (Ruling::Push, Why::BothNaturals.by(cites.both_naturals)),
        Circle::Main if !busted => (Ruling::Take, Why::DealerNatural.by(cites.dealer_natural)),
        Circle::Main | Circle::Split => returned(cites.split_returned),
        Circle::Attack => returned(cites.attack_returned),
        _ => returned(cites.double_returned),
    }
}

/// What becomes of a lammer: a win pays its face, anything else removes it (FBB-6-p, FBB-R09).
#[doc(alias("FBB-6-o", "FBB-6-q"))]
pub const fn on_lammer(ruling: Ruling) -> Ruling {
    match ruling {
        Ruling::Pay(_) => Ruling::Pay(Odds::EVEN),
        _ => Ruling::Return,
    }
}
