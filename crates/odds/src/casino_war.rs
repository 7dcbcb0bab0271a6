//! Casino War: every wager counted by playing the round itself with every card.

use num_bigint::{BigInt, BigUint};
use num_traits::Signed;
use rules::card::{Card, Rank, Suit};
use rules::games::casino_war::{CasinoWar, Outcome, WarTerms};
use rules::games::opening;
use rules::money::{Cents, Chips, LARGEST_AMOUNT};
use rules::round::{Act, Awaits, Call, Place, Record, Round, Why};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, MOST_SEATS, Wagers};

use crate::cases::{Cases, falling};
use crate::fraction::Fraction;
use crate::ledger::Ledger;
use crate::setting::Setting;
use crate::suits::Suits;
use crate::unseen::Unseen;
use crate::value::{ActValue, BetValue, Method, Prospects};

/// The seat whose wagers are valued: the last one to be settled.
const OWN: Bettor = Bettor::at(0);
/// The cards of a round that goes to war, burn cards not counted.
const WAR_CARDS: u32 = 4;
const AWAITED: &str = "a round takes what it awaits";

/// What a seat does on every tie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TiePolicy {
    /// Goes to war.
    War,
    /// Surrenders.
    Surrender,
}

impl TiePolicy {
    /// Both.
    pub const ALL: [TiePolicy; 2] = [TiePolicy::War, TiePolicy::Surrender];

    /// Its name in output.
    pub const fn name(self) -> &'static str {
        self.call().name()
    }

    const fn call(self) -> Call {
        match self {
            TiePolicy::War => Call::War,
            TiePolicy::Surrender => Call::Surrender,
        }
    }
}

/// A table at which wagers are valued.
#[derive(Clone, Copy, Debug)]
pub struct War<'a> {
    sheet: &'a TermSheet,
    setting: Setting,
    unseen: Unseen,
}

impl<'a> War<'a> {
    /// A table with these cards left; asserts that there are enough for a war.
    pub fn new(sheet: &'a TermSheet, setting: Setting, unseen: Unseen) -> War<'a> {
        assert!(u32::from(unseen.total()) >= WAR_CARDS);
        War { sheet, setting, unseen }
    }

    /// Every wager, by each strategy.
    pub fn bets(&self) -> Vec<BetValue> {
        let mut bets: Vec<_> = TiePolicy::ALL.map(|policy| self.main(policy)).into();
        bets.extend(self.tie());
        bets.extend(self.war_tie());
        for policy in TiePolicy::ALL {
            bets.extend(self.progressive(policy));
        }
        bets.extend(self.envy());
        bets
    }

    /// The initial wager, with the war wager that a tie may add.
    pub fn main(&self, policy: TiePolicy) -> BetValue {
        let mut cases = self.cases(self.setting.main, WAR_CARDS);
        self.play(&self.by_rank(), &[], &|_, _| Act::Call(policy.call()), &mut |end| {
            let both = |of: fn(&Ledger, Circle) -> Cents| {
                of(end.ledger, Circle::Main) + of(end.ledger, Circle::War)
            };
            let name = end_of_main(end.ledger.why(Circle::Main));
            cases.add(name, (both(Ledger::gain), both(Ledger::staked)), end.ways, end.cards);
        });
        cases.value(Circle::Main, policy.name())
    }

    /// The tie wager on the original deal.
    pub fn tie(&self) -> Option<BetValue> {
        let side = self.setting.side?;
        let mut cases = self.cases(side, 2);
        let surrender = |_: &CasinoWar<1>, _| Act::Call(Call::Surrender);
        self.play(&self.by_rank(), &[(Circle::Tie, side)], &surrender, &mut |end| {
            cases.add_side(end, Circle::Tie, ["no tie", "tie"]);
        });
        Some(cases.value(Circle::Tie, "any"))
    }

    /// The tie wager on the war deal, once a tie has led to war.
    pub fn war_tie(&self) -> Option<BetValue> {
        let side = self.setting.side?;
        let mut cases = self.cases(side, WAR_CARDS);
        let war = |_: &CasinoWar<1>, _| Act::With(Call::War, side.into());
        self.play(&self.by_rank(), &[], &war, &mut |end| {
            if end.ledger.staked(Circle::WarTie) > Cents::ZERO {
                cases.add_side(end, Circle::WarTie, ["no tie in the war", "tie in the war"]);
            }
        });
        let mut value = cases.value(Circle::WarTie, TiePolicy::War.name());
        value.notes.push("Only rounds that go to war are counted.".to_owned());
        Some(value)
    }

    /// The progressive wager with its meter.
    pub fn progressive(&self, policy: TiePolicy) -> Option<BetValue> {
        let stake = self.setting.progressive?;
        let hits = Hits::new(self, stake);
        let without = self.without_hits(stake, policy, &hits);
        let with = |meter| match policy {
            TiePolicy::War => hits.with_meter(&without, meter),
            TiePolicy::Surrender => without.clone(),
        };
        let mut value = with(self.setting.meter).value(Circle::Progressive, policy.name());
        if policy == TiePolicy::War {
            let ev = |meter| with(meter).value(Circle::Progressive, "").ev_exact;
            value.figures = self.figures();
            value.figures.extend(
                break_even(|meter| ev(meter).is_some_and(|ev| !ev.is_negative()))
                    .map(|meter| ("break_even_meter", dollars(meter))),
            );
        }
        Some(value)
    }

    /// What envy adds to a progressive wager, for each unit of it.
    pub fn envy(&self) -> Option<BetValue> {
        let stake = self.setting.progressive?;
        let hits = Hits::new(self, stake);
        let mut value = hits.envy().value(Circle::Envy, TiePolicy::War.name());
        value.figures = self.figures();
        value.figures.extend(self.envy_of_one(stake).map(|ev| ("ev_for_each_other", ev)));
        value.notes.push("Envy comes with a progressive wager and has no stake of its own.".into());
        Some(value)
    }

    /// What one other seat adds to envy, if there is room for one; each adds the same.
    fn envy_of_one(&self, stake: Chips) -> Option<f64> {
        let setting = self.setting.with_others(self.sheet, 1).ok()?;
        let war = War { setting, ..*self };
        Some(Hits::new(&war, stake).envy().value(Circle::Envy, "").ev)
    }

    /// The assumptions shown beside the numbers.
    fn figures(&self) -> Vec<(&'static str, f64)> {
        vec![("meter", dollars(self.setting.meter)), ("others", self.setting.others.into())]
    }

    /// The cases of the progressive without the highest outcome, which shares the meter.
    fn without_hits(&self, stake: Chips, policy: TiePolicy, hits: &Hits<'_>) -> Cases {
        let mut cases = self.cases(stake, hits.drawn());
        let wagers = [(Circle::Progressive, stake)];
        self.play(&self.unseen, &wagers, &|_, _| Act::Call(policy.call()), &mut |end| {
            let outcome = end.round.outcome(0).unwrap_or(Outcome::None);
            if outcome != Outcome::SuitedFourOfAKind {
                let net = end.ledger.gain(Circle::Progressive);
                cases.add(words(outcome), (net, stake.into()), end.ways, end.cards);
            }
        });
        cases
    }

    fn cases(&self, stake: Chips, drawn: u32) -> Cases {
        Cases::new(stake, self.unseen.total().into(), drawn)
    }

    /// The cards by rank alone, for wagers that ignore suits (CW-3).
    fn by_rank(&self) -> Unseen {
        let mut cards = Unseen::NONE;
        for rank in Rank::ALL {
            for _ in 0..self.unseen.of_rank(rank) {
                cards.add(Card::new(rank, Suit::Clubs));
            }
        }
        cards
    }

    /// Plays a round of one seat in every way. Of first cards that differ only by an exchange of
    /// suits, one stands for all.
    fn play(
        &self,
        unseen: &Unseen,
        side: &[(Circle, Chips)],
        decide: &impl Fn(&CasinoWar<1>, Bettor) -> Act,
        show: &mut impl FnMut(End<'_>),
    ) {
        let mut wagers = Wagers::<1, 1>::NONE;
        wagers.set_meter(self.setting.meter);
        self.place(&mut wagers, OWN, side);
        let mut ledger = Ledger::of(OWN);
        let round = CasinoWar::start(WarTerms::read(self.sheet), &wagers, &mut ledger);
        let suits = Suits::alike_in(unseen);
        for (first, count) in unseen.iter() {
            let Some(like) = suits.first_of_its_kind(&[first]) else { continue };
            let (mut round, mut ledger, mut left) = (round, ledger, *unseen);
            left.remove(first).expect("it has been counted");
            round.deal(first, &mut ledger).expect("a round begins with a card");
            let ways = u128::from(count) * u128::from(like);
            Walk { unseen: &mut left, decide, show }.on(round, ledger, (ways, 1));
        }
    }

    /// Places a main wager and what goes with it.
    fn place<const S: usize>(
        &self,
        wagers: &mut Wagers<S, 1>,
        bettor: Bettor,
        side: &[(Circle, Chips)],
    ) {
        let main = [(Circle::Main, self.setting.main)];
        let amounts: Vec<_> =
            main.iter().chain(side).map(|&(circle, chips)| (circle, chips.into())).collect();
        let placed = wagers.place(&opening(self.sheet), bettor, &amounts);
        placed.expect("a setting holds wagers that the house takes");
    }
}

impl Cases {
    /// Adds a result of a side wager, won or lost.
    fn add_side(&mut self, end: End<'_>, circle: Circle, names: [&str; 2]) {
        let net = end.ledger.gain(circle);
        let name = names[usize::from(net > Cents::ZERO)];
        self.add(name, (net, end.ledger.staked(circle)), end.ways, end.cards);
    }
}

/// One way in which a round can end.
#[derive(Clone, Copy, Debug)]
struct End<'a> {
    round: &'a CasinoWar<1>,
    ledger: &'a Ledger,
    /// In how many ways the cards can fall like this.
    ways: u128,
    /// How many cards were drawn, burn cards not counted.
    cards: u32,
}

/// Plays a round to its end in every way, and shows each end.
///
/// Burn cards stay among the unseen: what nobody sees changes nothing.
struct Walk<'a, D, S> {
    unseen: &'a mut Unseen,
    decide: &'a D,
    show: &'a mut S,
}

impl<D: Fn(&CasinoWar<1>, Bettor) -> Act, S: FnMut(End<'_>)> Walk<'_, D, S> {
    /// Continues a round that `ways` ways lead to, with `cards` cards drawn.
    fn on(&mut self, mut round: CasinoWar<1>, mut ledger: Ledger, (ways, cards): (u128, u32)) {
        loop {
            match round.awaits() {
                Awaits::Card(_) => break,
                Awaits::Acts(_) => {
                    let act = (self.decide)(&round, OWN);
                    round.act(OWN, act, &mut ledger).expect("an open act is taken");
                }
                Awaits::FaceDown(_) => round.deal_face_down(&mut ledger).expect(AWAITED),
                _ => return (self.show)(End { round: &round, ledger: &ledger, ways, cards }),
            }
        }
        for card in Card::DECK {
            let count = self.unseen.of(card);
            if count > 0 {
                self.unseen.remove(card).expect("it has been counted");
                let (mut round, mut ledger) = (round, ledger);
                round.deal(card, &mut ledger).expect(AWAITED);
                self.on(round, ledger, (ways * u128::from(count), cards + 1));
                self.unseen.add(card);
            }
        }
    }
}

/// The rounds in which somebody hits: the same card four times, two of them the dealer's.
///
/// All hits of a round are of one card, so there are few of them and each is counted. Every other
/// seat is counted with two cards, although the second may never be dealt: an unseen card changes
/// nothing.
struct Hits<'a> {
    war: &'a War<'a>,
    stake: Chips,
}

impl<'a> Hits<'a> {
    fn new(war: &'a War<'a>, stake: Chips) -> Hits<'a> {
        Hits { war, stake }
    }

    fn others(&self) -> u32 {
        self.war.setting.others.into()
    }

    /// How many cards a case fixes: two of this seat, two of the dealer, two of each other seat.
    fn drawn(&self) -> u32 {
        WAR_CARDS + 2 * self.others()
    }

    /// The most other seats that can hit while `taken` cards of the kind are held elsewhere.
    fn most(&self, taken: u32) -> u32 {
        let copies = Card::DECK.iter().map(|&card| self.war.unseen.of(card)).max().unwrap_or(0);
        (u32::from(copies).saturating_sub(taken) / 2).min(self.others())
    }

    /// The ways in which exactly `hitters` other seats hit while `taken` more cards are of the same
    /// kind, of all ways to draw those and two cards for each other seat.
    fn ways(&self, hitters: u32, taken: u32) -> BigUint {
        let (others, cards) = (self.others(), u32::from(self.war.unseen.total()));
        let at_least = |n: u32| -> BigUint {
            let fixed = taken + 2 * n;
            let same: BigUint = self.war.unseen.iter().map(|(_, c)| falling(c.into(), fixed)).sum();
            choose(others, n) * same * falling(cards.saturating_sub(fixed), 2 * (others - n))
        };
        let mut exactly = BigInt::ZERO;
        for n in hitters..=others {
            let term = BigInt::from(choose(n, hitters) * at_least(n));
            exactly += if (n - hitters).is_multiple_of(2) { term } else { -term };
        }
        assert!(!exactly.is_negative());
        exactly.magnitude().clone()
    }

    /// The cases with those in which this seat hits, at a meter.
    fn with_meter(&self, without: &Cases, meter: Cents) -> Cases {
        let mut cases = without.clone();
        for others in 0..=self.most(WAR_CARDS) {
            let ways = self.ways(others, WAR_CARDS);
            if ways != BigUint::ZERO {
                let net = self.settled(meter, true, others).gain(Circle::Progressive);
                let name = match others {
                    0 => words(Outcome::SuitedFourOfAKind).to_owned(),
                    n => format!("{}, shared with {n}", words(Outcome::SuitedFourOfAKind)),
                };
                cases.add(name, (net, self.stake.into()), ways, self.drawn());
            }
        }
        cases
    }

    /// The cases of envy.
    fn envy(&self) -> Cases {
        let drawn = self.drawn() - 2;
        let mut cases = self.war.cases(self.stake, drawn);
        let mut left = falling(self.war.unseen.total().into(), drawn);
        for others in 1..=self.most(2) {
            let ways = self.ways(others, 2);
            if ways != BigUint::ZERO {
                let net = self.settled(self.war.setting.meter, false, others).gain(Circle::Envy);
                left -= &ways;
                let name = format!("{others} of the others hit");
                cases.add(name, (net, self.stake.into()), ways, drawn);
            }
        }
        cases.add("nobody else hits", (Cents::ZERO, self.stake.into()), left, drawn);
        cases
    }

    /// This seat's account of a round in which these seats hit.
    fn settled(&self, meter: Cents, own: bool, others: u32) -> Ledger {
        let seats = usize::from(self.war.setting.others) + 1;
        let mut wagers = Wagers::<MOST_SEATS, 1>::NONE;
        wagers.set_meter(meter);
        for seat in 0..seats {
            let side = [(Circle::Progressive, self.stake)];
            self.war.place(&mut wagers, Bettor::at(seat), &side);
        }
        let hits = |seat: usize| if seat == 0 { own } else { seat <= others as usize };
        let (hit, miss) = (Card::DECK[0], Card::DECK[51]);
        let mut ledger = Ledger::of(OWN);
        let terms = WarTerms::read(self.war.sheet);
        let mut round = CasinoWar::<MOST_SEATS>::start(terms, &wagers, &mut ledger);
        loop {
            match round.awaits() {
                Awaits::Card(Place::Hand { seat, .. }) if !hits(seat.into()) => {
                    round.deal(miss, &mut ledger).expect(AWAITED);
                }
                Awaits::Card(_) => round.deal(hit, &mut ledger).expect(AWAITED),
                Awaits::Acts(bettors) => {
                    for bettor in bettors.iter() {
                        round.act(bettor, Act::Call(Call::War), &mut ledger).expect(AWAITED);
                    }
                }
                Awaits::FaceDown(_) => round.deal_face_down(&mut ledger).expect(AWAITED),
                _ => return ledger,
            }
        }
    }
}

/// The value of acts open to a bettor, given the cards that seat has seen.
///
/// Other tied seats go to war if they can. `unseen` holds the cards the seat has not seen.
pub fn values_of<const S: usize>(
    round: &CasinoWar<S>,
    bettor: Bettor,
    acts: &[Act],
    unseen: &Unseen,
) -> Vec<ActValue> {
    acts.iter().map(|&act| value_of(round, bettor, act, unseen)).collect()
}

/// How many cards the rest of a round takes if everyone who is asked goes to war.
pub(crate) fn cards_needed<const S: usize>(round: &CasinoWar<S>) -> u16 {
    let (mut round, mut cards) = (*round, 0);
    loop {
        match round.awaits() {
            Awaits::Card(_) => round.deal(Card::DECK[0], &mut ()).expect(AWAITED),
            Awaits::FaceDown(_) => round.deal_face_down(&mut ()).expect(AWAITED),
            Awaits::Acts(asked) => {
                asked.iter().for_each(|bettor| answer(&mut round, bettor, &mut ()));
                continue;
            }
            _ => return cards,
        }
        cards += 1;
    }
}

/// Goes to war for a bettor who can, and surrenders for one who cannot.
fn answer<const S: usize>(round: &mut CasinoWar<S>, bettor: Bettor, record: &mut impl Record) {
    let can = round.offers(bettor).contains(Call::War);
    let call = if can { Call::War } else { Call::Surrender };
    round.act(bettor, Act::Call(call), record).expect("an open act is taken");
}

/// The expected gain of an act.
fn value_of<const S: usize>(
    round: &CasinoWar<S>,
    bettor: Bettor,
    act: Act,
    unseen: &Unseen,
) -> ActValue {
    let mut ledger = Ledger::of(bettor);
    let mut round = *round;
    round.act(bettor, act, &mut ledger).expect("an open act is taken");
    while let Awaits::Acts(asked) = round.awaits() {
        asked.iter().for_each(|other| answer(&mut round, other, &mut ledger));
    }
    let (exact, prospects) = match round.awaits() {
        Awaits::Nobody => {
            let mut prospects = Prospects::default();
            prospects.add(of_the_hand(&ledger), 1.0);
            (Fraction::new(ledger.total().get(), 1), prospects)
        }
        // Others at war may bring envy even after a surrender.
        _ => WarDeal::new(round, ledger, bettor, *unseen).value(),
    };
    let (gain, gain_exact, method) = (exact.to_f64(), Some(exact), Method::Exact);
    ActValue {
        act,
        gain,
        gain_exact,
        at_most: None,
        ceiling: gain,
        method,
        prospects: Some(prospects),
    }
}

/// What the wager on the cards gains, with what was added for a war.
fn of_the_hand(ledger: &Ledger) -> Cents {
    ledger.gain(Circle::Main) + ledger.gain(Circle::War)
}

/// The war deal of a round, as one of the seats sees it.
///
/// This seat's card and the dealer's are drawn first, because unseen cards can be drawn in any
/// order. Of the other seats only those matter that may share the meter or earn envy: those that
/// hold the dealer's very card, if it comes again.
struct WarDeal<const S: usize> {
    round: CasinoWar<S>,
    ledger: Ledger,
    own: Bettor,
    unseen: Unseen,
    dealer: Card,
    /// The other seats that may hit.
    rivals: Vec<usize>,
}

impl<const S: usize> WarDeal<S> {
    fn new(round: CasinoWar<S>, ledger: Ledger, own: Bettor, unseen: Unseen) -> WarDeal<S> {
        let dealer = round.dealer().expect("a war follows a tie");
        let hopes = |&seat: &usize| round.outcome(seat) == Some(Outcome::SuitedTie);
        let at_war = |seat: &usize| round.is_at_war(*seat);
        let rivals =
            (0..S).filter(|&seat| seat != own.seat()).filter(at_war).filter(hopes).collect();
        WarDeal { round, ledger, own, unseen, dealer, rivals }
    }

    /// The expected gain, and how the war ends.
    fn value(mut self) -> (Fraction, Prospects) {
        let (mut sum, mut prospects) = (BigInt::ZERO, Prospects::default());
        let cards = u32::from(self.unseen.total());
        let drawn = 2 + u32::try_from(self.rivals.len()).expect("there are few seats");
        let kinds: Vec<_> = self.unseen.iter().map(|(card, _)| card).collect();
        for &own in &kinds {
            let ways = u32::from(self.unseen.of(own));
            self.unseen.remove(own).expect("it has been counted");
            for &dealer in &kinds {
                let ways = ways * u32::from(self.unseen.of(dealer));
                if ways > 0 {
                    self.unseen.remove(dealer).expect("it has been counted");
                    let alone = self.end(own, dealer, 0);
                    prospects.add(of_the_hand(&alone), f64::from(ways));
                    sum += self.rivals_of(own, dealer, alone.total()) * ways;
                    self.unseen.add(dealer);
                }
            }
            self.unseen.add(own);
        }
        (Fraction::new(sum, BigInt::from(falling(cards, drawn))), prospects.out_of_all())
    }

    /// The gains with these two cards, summed over the cards of the rivals; `alone` is that where no rival
    /// hits.
    fn rivals_of(&self, own: Card, dealer: Card, alone: Cents) -> BigInt {
        let left = u32::from(self.unseen.total());
        let rivals = u32::try_from(self.rivals.len()).expect("there are few seats");
        if dealer != self.dealer {
            return BigInt::from(falling(left, rivals)) * alone.get();
        }
        let same = u32::from(self.unseen.of(self.dealer));
        let mut sum = BigInt::ZERO;
        for hitters in 0..1_u32 << rivals {
            let hits = hitters.count_ones();
            let ways = falling(same, hits) * falling(left - same, rivals - hits);
            sum += BigInt::from(ways) * self.end(own, dealer, hitters).total().get();
        }
        sum
    }

    /// The account with these cards, where the rivals in the set hit.
    fn end(&self, own: Card, dealer: Card, hitters: u32) -> Ledger {
        let (mut round, mut ledger) = (self.round, self.ledger);
        let other = Card::DECK[usize::from(self.dealer == Card::DECK[0])];
        loop {
            let card = match round.awaits() {
                Awaits::Card(Place::Hand { seat, .. }) if usize::from(seat) == self.own.seat() => {
                    own
                }
                Awaits::Card(Place::Hand { seat, .. }) => {
                    let rival = self.rivals.iter().position(|&rival| rival == usize::from(seat));
                    match rival {
                        Some(rival) if hitters >> rival & 1 == 1 => self.dealer,
                        _ => other,
                    }
                }
                Awaits::Card(_) => dealer,
                Awaits::FaceDown(_) => {
                    round.deal_face_down(&mut ledger).expect(AWAITED);
                    continue;
                }
                _ => return ledger,
            };
            round.deal(card, &mut ledger).expect(AWAITED);
        }
    }
}

/// The result of the main wager, by what settled it.
fn end_of_main(why: Option<Why>) -> &'static str {
    match why {
        Some(Why::Lower) => "lost",
        Some(Why::Higher) => "won",
        Some(Why::Surrender) => "surrendered",
        Some(Why::WarLost) => "war lost",
        Some(Why::WarWon) => "war won",
        _ => "war tied",
    }
}

/// An outcome in words.
fn words(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::None => "no tie",
        Outcome::Tie => "tie",
        Outcome::SuitedTie => "suited tie",
        Outcome::DoubleTie => "double tie",
        Outcome::FourOfAKind => "four of a kind",
        Outcome::SuitedDoubleTie => "suited double tie",
        Outcome::SuitedFourOfAKind => "suited four of a kind",
    }
}

/// The smallest meter at which it pays, if there is one.
fn break_even(pays: impl Fn(Cents) -> bool) -> Option<Cents> {
    let most = i64::from(LARGEST_AMOUNT.get());
    if !pays(Cents::new(most)) {
        return None;
    }
    let (mut least, mut enough) = (0, most);
    while least < enough {
        let middle = (least + enough) / 2;
        match pays(Cents::new(middle)) {
            true => enough = middle,
            false => least = middle + 1,
        }
    }
    Some(Cents::new(enough))
}

#[allow(clippy::cast_precision_loss)]
fn dollars(cents: Cents) -> f64 {
    cents.get() as f64 / 100.0
}

/// The ways to choose `some` of `of` things.
fn choose(of: u32, some: u32) -> BigUint {
    if some > of { BigUint::ZERO } else { falling(of, some) / falling(some, some) }
}
