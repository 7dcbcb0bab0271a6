//! What every open act of a round in progress is worth to a seat that knows certain cards.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use rules::card::{Card, Rank};
use rules::games::blackjack::{
    Blackjack, Book, Busts, Cost, Fate, Hand, HoleCard, Points, is_natural, most_double,
};
use rules::games::opening;
use rules::money::{Chips, Odds};
use rules::round::{Act, Amounts, Call, Round, Ruling};
use rules::terms::TermSheet;
use rules::wager::Bettor;

use super::dealer::Dealer;
use super::dealer::StandValues;
use super::draws::{ACE, CARDS, Counts, DRAWS, LEAST_POINTS, MOST_POINTS, TEN, VALUES, value_of};
use super::hand::{BestPlay, Chances, HandPlan, Naturals, Route, Stake, Start, split_hand};
use super::pair::{SeenOfPair, SplitPair, SplitValues, kept, limit, stakes, worth};
use super::purse::{Needs, Purse, Rack};
use super::solve::{Analyzer, PlayBy, Siblings, UpCard};
use super::split::Pending;
use super::survival::Survivals;
use crate::side_bets::most_insured;
use crate::unseen::Unseen;
use crate::value::{ActValue, Method, Prospects, UNSEEN_BY_PLANS};

/// The most sets of cards that are multiplied where busts come before a natural. Beyond this, low
/// pairs are valued as if they were not split again, with a bound on what splitting again could gain.
const MOST_SETS: usize = 600_000;

/// The value of each of these acts, all of which must be open to the bettor.
///
/// `unseen` holds every card that the bettor has not seen, including the hole card; the round knows
/// the reader's answer about it. The value covers the main wager, everything added to it and, where
/// it is or will be offered, insurance; side wagers are left out, because no act affects them. An act without
/// an amount means the largest one allowed. Where the rack may not suffice for what comes after an
/// act, and more than one hand may come, its value is a bound: what is gained with chips kept for each
/// hand. A bettor who only follows the decisions of a box gets no values.
pub fn values_of<B: Book, const S: usize, const T: usize>(
    sheet: &TermSheet,
    round: &Blackjack<B, S, T>,
    bettor: Bettor,
    acts: &[Act],
    unseen: &Unseen,
) -> Vec<ActValue> {
    let offers = round.offers(bettor);
    let (initial, _) = round.wagered(bettor);
    let waits_for_others =
        round.current_hand(bettor.seat()).is_some() && !offers.contains(Call::Stand);
    let up = round.up_card().filter(|_| !offers.is_empty() && !initial.is_zero());
    let Some(up) = up.filter(|_| !waits_for_others) else { return Vec::new() };
    let game = Analyzer::<B>::for_wager(sheet, initial);
    let chip = opening(sheet).chip_unit;
    let all = match is_before_cards(round, bettor) {
        true => {
            // Before the cards, insurance is still to be offered.
            let insured = match up.is(Rank::Ace) {
                true => most_insured::<B>(sheet, initial, up),
                false => Chips::ZERO,
            };
            before_cards(&game, round, bettor, acts, (unseen, insured, chip))
        }
        false => {
            let (up, counts) = (value_of(up), Counts::new(unseen));
            match Position::new(&game, round, bettor, (up, counts), unseen) {
                Some(mut position) => position.worths(acts, chip),
                None => return Vec::new(),
            }
        }
    };
    let unit = f64::from(initial.get());
    let by_looking = UNSEEN_BY_PLANS / f64::from(unseen.total().max(1));
    let value = |(act, ActWorth { worth, method, prospects }): (&Act, ActWorth)| {
        let method = if worth.at_most().is_some() { Method::Bound } else { method };
        let most = match method {
            Method::Exact => worth.gain,
            _ => worth.most + by_looking,
        };
        ActValue {
            act: *act,
            gain: worth.gain * unit,
            gain_exact: None,
            at_most: worth.at_most().map(|most| most * unit),
            ceiling: most * unit,
            method,
            prospects,
        }
    };
    acts.iter().zip(all).map(value).collect()
}

/// What an attack and passing are worth, in units of the original wager.
fn before_cards<B: Book, const S: usize, const T: usize>(
    game: &Analyzer<B>,
    round: &Blackjack<B, S, T>,
    bettor: Bettor,
    acts: &[Act],
    (unseen, insured, chip): (&Unseen, Chips, Chips),
) -> Vec<ActWorth> {
    let Some(up) = round.up_card().map(value_of) else { return Vec::new() };
    let counts = Counts::new(unseen);
    let mut shown = UpCard::new(game, unseen, counts, up, PlayBy::Best(Siblings::OwnCards));
    let unit = f64::from(round.wagered(bettor).0.get());
    let insurance = insurance_to_come(game, up, &counts, f64::from(insured.get()) / unit);
    let worth = |act: &Act| {
        let money = match act.call() {
            Call::Attack => 1.0 + amount(round, bettor, *act) / unit,
            _ => 1.0,
        };
        let mut with = |purse: Purse| {
            shown.purse = purse;
            shown.with_money(money).worth
        };
        let enough = with(Purse::ENOUGH);
        let rack = rack_after(game, round, bettor, *act, chip);
        // With chips set aside for insurance, and with chips for everything else first.
        let gains = [i64::from(insured.get()), 0].map(|aside| {
            let rack = rack.and_then(|rack| rack.without(aside))?;
            let purse = before_cards_purse(game.book, rack, money);
            let gain = if purse.is_enough() { enough } else { with(purse) };
            Some(gain + if aside > 0 { insurance } else { 0.0 })
        });
        let gain = gains.into_iter().flatten().fold(f64::NEG_INFINITY, f64::max);
        let most = enough + insurance;
        match most - gain < ROUNDING {
            true => Worth::exact(most),
            false => Worth { gain, most },
        }
    };
    // Pairs that are dealt later are split by plans that do not look at sibling hands.
    let bound = |worth| ActWorth { worth, method: Method::Bound, prospects: None };
    acts.iter().map(worth).map(bound).collect()
}

/// How chips are kept before the cards, with so much money on the hand: for as many hands as can all be
/// doubled, or else for two hands.
fn before_cards_purse<B: Book>(book: B, rack: Rack, money: f64) -> Purse {
    let cents = |units: f64| cents(units * rack.units_in_cents());
    let split = book.split_stake().amount(1.0, money - 1.0);
    let limit = CARDS.iter().map(|&card| limit(book, value_of(card))).max().unwrap_or(1);
    let doubles = [money, split].map(|money| cents(most_double(money, 0.0)));
    let needs = Needs {
        own: doubles[0],
        is_pair: true,
        waiting: doubles,
        split: cents(split),
        hands: 1,
        open: 1,
        limit,
    };
    if rack.left >= needs.most() {
        return Purse::ENOUGH;
    }
    let purses = rack.purses(needs);
    let covers_all = |purse: &&Purse| purse.waiting == doubles.map(|most| rack.units(most));
    let full = purses.iter().find(|purse| purse.hands > 1 && covers_all(purse));
    let two = purses.iter().find(|purse| purse.hands == 2);
    *full.or(two).or(purses.last()).expect("a box stays as it is for nothing")
}

/// A bettor's chips after an act; none if it is refused.
fn rack_after<B: Book, const S: usize, const T: usize>(
    game: &Analyzer<B>,
    round: &Blackjack<B, S, T>,
    bettor: Bettor,
    act: Act,
    chip: Chips,
) -> Option<Rack> {
    let mut after = *round;
    after.act(bettor, act, &mut ()).ok()?;
    let unit = i64::from(round.wagered(bettor).0.get());
    let doubles = game.book.double_amount();
    Some(Rack { left: after.rack(bettor).get(), chip: i64::from(chip.get()), unit, doubles })
}

#[allow(clippy::cast_possible_truncation)]
fn cents(amount: f64) -> i64 {
    amount.round() as i64
}

/// What the best play gains on average for each unit of a main wager, before any card is dealt, with the
/// insurance that is taken where it gains.
pub fn before_a_round<B: Book>(sheet: &TermSheet, wager: Chips, unseen: &Unseen) -> f64 {
    let game = Analyzer::<B>::for_wager(sheet, wager);
    let best = game.solve(unseen, Siblings::OwnCards).ev;
    let shoe = Counts::new(unseen);
    if shoe.of[ACE] == 0 {
        return best;
    }
    let insured = f64::from(most_insured::<B>(sheet, wager, CARDS[ACE]).get());
    let units = insured / f64::from(wager.get());
    best + shoe.share(ACE) * insurance_to_come(&game, ACE, &shoe.without(ACE, 1), units)
}

/// What so many units of insurance gain on average, before the bettor's two cards are known: it is
/// taken where it gains with them.
fn insurance_to_come<B: Book>(game: &Analyzer<B>, up: usize, shoe: &Counts, units: f64) -> f64 {
    if units == 0.0 {
        return 0.0;
    }
    let dealer = Dealer::new(game.book, Points::of(&[CARDS[up]]), Some(up));
    let won = game.payments.gain(Ruling::Pay(B::INSURANCE.0), units);
    let hands = (0..VALUES).flat_map(|one| (one..VALUES).map(move |other| [one, other]));
    let worth = |own: [usize; 2]| {
        let chance = shoe.chance_of_two(own[0], own[1]);
        if chance == 0.0 {
            return 0.0;
        }
        let place = DRAWS.find(own).expect("two cards are within 21");
        let natural = dealer.natural(shoe, &DRAWS.all[place]);
        let insured = won * natural - units * (1.0 - natural);
        let is_natural = own == [ACE, TEN];
        if !is_natural || !game.book.even_money() {
            return chance * insured.max(0.0);
        }
        // A natural is paid even money instead, where that is more.
        let even = game.payments.gain(Ruling::Pay(Odds::EVEN), 1.0);
        let plain = game.payments.gain(Ruling::Pay(B::NATURAL.0), 1.0) * (1.0 - natural);
        chance * (plain + insured - plain.max(even)).max(0.0)
    };
    hands.map(worth).sum()
}

/// The hands of a box, and how many more they may become by splitting; `may_split` says whether a pair
/// that is there may be split.
fn hands_to_come<B: Book, const S: usize, const T: usize>(
    book: B,
    round: &Blackjack<B, S, T>,
    bettor: Bettor,
    unseen: &Unseen,
    may_split: bool,
) -> (Vec<Hand>, usize) {
    let seat = bettor.seat();
    let hands: Vec<Hand> = (0..round.hands(seat)).map(|hand| *round.hand(seat, hand)).collect();
    if is_before_cards(round, bettor) {
        let most = CARDS.iter().map(|&card| limit(book, value_of(card))).max().unwrap_or(1);
        return (hands, most - 1);
    }
    let pair = hands.iter().find(|hand| hand.is_split() || hand.is_pair() && may_split);
    let matching = |first: Card| {
        let counts = unseen.iter().filter(|(card, _)| book.is_pair(first, *card));
        counts.map(|(_, count)| usize::from(count)).sum::<usize>()
    };
    let more = pair.and_then(Hand::first).map_or(0, |first| {
        let new = usize::from(may_split && hands.iter().any(|hand| hand.is_pair()));
        let room = limit(book, value_of(first)).saturating_sub(hands.len());
        room.min(new + matching(first))
    });
    (hands, more)
}

/// Whether a bettor decides before the box has a card.
fn is_before_cards<B: Book, const S: usize, const T: usize>(
    round: &Blackjack<B, S, T>,
    bettor: Bettor,
) -> bool {
    round.hand(bettor.seat(), 0).cards() == 0
}

/// The points that the cards left must count, so that no way to play on uses them up: no hand ever
/// counts more than 30, aces as one.
pub fn points_needed<B: Book, const S: usize, const T: usize>(
    sheet: &TermSheet,
    round: &Blackjack<B, S, T>,
    bettor: Bettor,
    unseen: &Unseen,
) -> u32 {
    let Some(up) = round.up_card().filter(|_| !is_before_cards(round, bettor)) else {
        return LEAST_POINTS;
    };
    let (hands, more) = hands_to_come(B::read(sheet), round, bettor, unseen, true);
    let on_table: u32 = hands.iter().map(|hand| u32::from(hand.points().low())).sum();
    let all = u32::try_from(hands.len() + more + 1).expect("few hands") * MOST_POINTS;
    all.saturating_sub(on_table + u32::from(Points::pips(up)))
}

/// Whether some card left can be the face-down card, given what the reader said of it.
pub fn has_hole_card<B: Book, const S: usize, const T: usize>(
    round: &Blackjack<B, S, T>,
    unseen: &Unseen,
) -> bool {
    let Some(up) = round.up_card() else { return true };
    let made = |card: &Card| is_natural(up, *card);
    round.natural_possible() || unseen.iter().any(|(card, _)| !made(&card))
}

/// The gain of one way to continue, and the most that the best way could gain.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Worth {
    gain: f64,
    most: f64,
}

impl Worth {
    const LEAST: Worth = Worth::exact(f64::NEG_INFINITY);

    const fn exact(gain: f64) -> Worth {
        Worth { gain, most: gain }
    }

    fn plus(self, other: f64) -> Worth {
        Worth { gain: self.gain + other, most: self.most + other }
    }

    fn times(self, factor: f64) -> Worth {
        Worth { gain: self.gain * factor, most: self.most * factor }
    }

    /// The better of two ways to continue.
    fn or(self, other: Worth) -> Worth {
        Worth { gain: self.gain.max(other.gain), most: self.most.max(other.most) }
    }

    /// The most, if it differs from the gain.
    fn at_most(self) -> Option<f64> {
        (self.most > self.gain).then_some(self.most)
    }
}

/// What an act is worth, how sure that is, and how the hand then ends.
#[derive(Clone, Copy, Debug)]
struct ActWorth {
    worth: Worth,
    method: Method,
    prospects: Option<Prospects>,
}

impl ActWorth {
    /// The same for somebody whose chips may run out: this much can be had for certain, and what is
    /// worth as much either way is as sure as before.
    fn or_at_least(self, least: ActWorth) -> ActWorth {
        let most = self.worth.most;
        match most - least.worth.gain < ROUNDING {
            true => self,
            false => ActWorth { worth: Worth { most, ..least.worth }, ..least },
        }
    }
}

/// Values that differ by less are equal, in units.
const ROUNDING: f64 = 1e-12;

/// What goes with an act, in cents.
fn amount<B: Book, const S: usize, const T: usize>(
    round: &Blackjack<B, S, T>,
    bettor: Bettor,
    act: Act,
) -> f64 {
    match act {
        Act::With(_, amount) => Chips::from_cents(amount).map_or(0.0, |chips| chips.get().into()),
        _ => most(round, bettor, act.call()),
    }
}

/// The most that may go with a call, in cents.
fn most<B: Book, const S: usize, const T: usize>(
    round: &Blackjack<B, S, T>,
    bettor: Bettor,
    call: Call,
) -> f64 {
    match round.amounts(bettor, call) {
        Amounts::Required(range) | Amounts::Optional(range) => f64::from(range.most.get()),
        _ => 0.0,
    }
}

/// One bettor's hands, and what they can still become. Worths are in units of the original wager.
struct Position<'a, B, const S: usize, const T: usize> {
    game: &'a Analyzer<B>,
    round: &'a Blackjack<B, S, T>,
    bettor: Bettor,
    unseen: &'a Unseen,
    shoe: Counts,
    dealer: Dealer,
    /// The same dealer, who tells wins from pushes.
    wins: Dealer,
    naturals: Naturals,
    /// How likely the dealer turns out to have a natural.
    natural: f64,
    /// How likely the reader's answer was.
    said: f64,
    /// The hand that decides.
    hand: usize,
    /// What can still be added.
    purse: Purse,
    /// What the dealer has been asked about the hand that decides, and about split ones.
    seen: OnceCell<Arc<StandValues>>,
    seen_of_pair: RefCell<SeenOfPair>,
}

impl<'a, B: Book, const S: usize, const T: usize> Position<'a, B, S, T> {
    fn new(
        game: &'a Analyzer<B>,
        round: &'a Blackjack<B, S, T>,
        bettor: Bettor,
        (up, shoe): (usize, Counts),
        unseen: &'a Unseen,
    ) -> Option<Self> {
        let open = round.dealer_points()?;
        let hole_shown = open != Points::of(&[CARDS[up]]);
        if hole_shown && open.is_21() {
            return None;
        }
        let behind = (!hole_shown).then_some(up);
        let dealer = Dealer::new(game.book, open, behind);
        let wins = Dealer::with_wins(game.book, open, behind);
        let chance = dealer.natural(&shoe, &DRAWS.all[0]);
        let possible = round.natural_possible() && !hole_shown;
        let reader_to_come =
            round.current_hand(bettor.seat()).is_none() && round.hole_card() == HoleCard::Reader;
        let naturals = match possible && !reader_to_come && game.book.busts() == Busts::Final {
            true => Naturals::AfterBusts,
            false => Naturals::Apart,
        };
        let (natural, said) = if possible { (chance, 1.0) } else { (0.0, 1.0 - chance) };
        let hand = round.current_hand(bettor.seat()).unwrap_or(0);
        Some(Position {
            game,
            round,
            bettor,
            unseen,
            shoe,
            dealer,
            wins,
            naturals,
            natural,
            said,
            hand,
            purse: Purse::ENOUGH,
            seen: OnceCell::new(),
            seen_of_pair: RefCell::default(),
        })
    }

    /// What each of these acts is worth with the chips that the bettor has.
    fn worths(&mut self, acts: &[Act], chip: Chips) -> Vec<ActWorth> {
        let mut all = self.with_purse(acts, Purse::ENOUGH);
        for (worth, &act) in all.iter_mut().zip(acts) {
            let Some((needs, hands)) = self.needs_after(act) else { continue };
            let rack = rack_after(self.game, self.round, self.bettor, act, chip);
            let Some(rack) = rack.filter(|rack| rack.left < needs.most()) else { continue };
            let with = rack
                .purses(needs)
                .into_iter()
                .map(|purse| self.with_purse(&[act], purse).remove(0));
            let least =
                with.reduce(|best, one| if one.worth.gain > best.worth.gain { one } else { best });
            let Some(least) = least else { continue };
            *worth = match hands {
                // One hand at most, with all the chips there are: nothing is better.
                0 | 1 if least.worth.at_most().is_none() => least,
                _ => worth.or_at_least(least),
            };
        }
        all
    }

    fn with_purse(&mut self, acts: &[Act], purse: Purse) -> Vec<ActWorth> {
        self.purse = purse;
        match self.round.offers(self.bettor).contains(Call::Stand) {
            true => self.by(acts),
            false => self.before_play(acts),
        }
    }

    /// What may be needed after an act, and how many hands may come to be played; none where it is refused.
    fn needs_after(&self, act: Act) -> Option<(Needs, usize)> {
        let mut round = *self.round;
        round.act(self.bettor, act, &mut ()).ok()?;
        let book = self.game.book;
        let call = act.call();
        let may_split = !matches!(call, Call::Hit | Call::Stand | Call::Double | Call::Surrender);
        let (hands, more) = hands_to_come(book, &round, self.bettor, self.unseen, may_split);
        let decides = |hand: &Hand| hand.fate() == Fate::Open && !hand.is_doubled();
        let still = call != Call::Split && hands.get(self.hand).is_some_and(decides);
        let waits = |hand: &&Hand| decides(hand) && hand.cards() == 1;
        // A pair that may be split waits to be.
        let open = hands.iter().filter(waits).count();
        let late = hands.iter().filter(|hand| decides(hand) && hand.cards() > 1).count();
        let is_pair = still && may_split && more > 0;
        let value = hands.iter().find(|hand| hand.is_split() || is_pair);
        let first = value.and_then(Hand::first).unwrap_or(CARDS[0]);
        let stake = self.stake(self.hand);
        let (initial, attack) = self.round.wagered(self.bettor);
        let money = f64::from((initial + attack).get()) / self.unit();
        let [_, others] = stakes(book, value_of(first), money);
        let double = |stake: Stake| cents(most_double(stake.money, stake.lammers) * self.unit());
        let first_waits = match open {
            0 => stake,
            _ if call == Call::Split => stake,
            _ => self.stake(self.hand + 1),
        };
        let split = match book.split_cost(first) {
            Cost::Free => 0,
            Cost::Paid => cents(book.split_stake().amount(1.0, money - 1.0) * self.unit()),
        };
        let needs = Needs {
            own: if still { double(stake) } else { 0 },
            is_pair,
            waiting: [double(first_waits), double(others)],
            split,
            hands: hands.len(),
            open: open + usize::from(is_pair),
            limit: hands.len() + more,
        };
        Some((needs, open + more + late))
    }

    fn hand(&self, hand: usize) -> Hand {
        *self.round.hand(self.bettor.seat(), hand)
    }

    fn start(&self, hand: Hand) -> Start {
        self.game.start(hand)
    }

    fn unit(&self) -> f64 {
        f64::from(self.round.wagered(self.bettor).0.get())
    }

    /// What a ruling gains on so many units.
    fn gain(&self, ruling: Ruling, units: f64) -> f64 {
        self.game.payments.gain(ruling, units)
    }

    /// What lies on a hand.
    fn stake(&self, hand: usize) -> Stake {
        let at = self.round.at_stake(self.bettor, hand);
        let units = |chips: Chips| f64::from(chips.get()) / self.unit();
        let lammers = u8::from(at.lammer) + u8::from(at.free_double);
        let money = units(at.money) + units(at.double);
        let kept = match hand == self.hand {
            true => self.purse.own,
            false if self.purse.is_enough() => f64::INFINITY,
            false => 0.0,
        };
        Stake { money, lammers: lammers.into(), kept, ..Stake::UNIT }
    }

    /// Insurance, even money, or neither.
    fn before_play(&self, acts: &[Act]) -> Vec<ActWorth> {
        let after = [Call::Stand, Call::Hit, Call::Double, Call::Split, Call::Surrender];
        let is_natural = self.hand(0).fate() == Fate::Natural;
        let open = after.into_iter().filter(|&call| match is_natural {
            true => call == Call::Stand,
            false => self.round.is_open(self.bettor, 0, call) && self.is_covered(call),
        });
        let open: Vec<Call> = open.collect();
        let then: Vec<Act> = open.iter().map(|&call| Act::Call(call)).collect();
        let then = self.by(&then);
        let pass = then.iter().map(|act| act.worth).fold(Worth::LEAST, Worth::or);
        let best = then.iter().max_by(|one, other| one.worth.gain.total_cmp(&other.worth.gain));
        let prospects = best.and_then(|best| best.prospects);
        let method = match then.iter().all(|act| act.method == Method::Exact) {
            true => Method::Exact,
            false => Method::Bound,
        };
        let worth = |act: &Act| match act.call() {
            Call::EvenMoney => ActWorth {
                worth: Worth::exact(self.gain(Ruling::Pay(Odds::EVEN), self.stake(0).money)),
                method: Method::Exact,
                prospects: Some(Prospects::of(1.0, 0.0)),
            },
            Call::Insure => {
                let amount = amount(self.round, self.bettor, *act) / self.unit();
                let won = self.gain(Ruling::Pay(B::INSURANCE.0), amount);
                let worth = pass.plus(won * self.natural - amount * (1.0 - self.natural));
                ActWorth { worth, method, prospects: Some(Prospects::of(self.natural, 0.0)) }
            }
            _ => ActWorth { worth: pass, method, prospects },
        };
        acts.iter().map(worth).collect()
    }

    /// Whether the chips that are kept cover a call of the hand.
    fn is_covered(&self, call: Call) -> bool {
        call != Call::Split || self.round.hands(self.bettor.seat()) < self.purse.hands
    }

    /// Whether the value of a call is that of the best play of all, or of the best that does not
    /// look at sibling hands, which some other play may beat.
    fn method(&self, call: Call) -> Method {
        let open = |&hand: &usize| hand != self.hand && self.hand(hand).fate() == Fate::Open;
        let alone = !(0..self.round.hands(self.bettor.seat())).any(|hand| open(&hand));
        match call {
            Call::Split if !self.split_is_forced() => Method::Bound,
            _ if !alone => Method::Bound,
            _ => Method::Exact,
        }
    }

    /// Whether the hands of a split have nothing to decide.
    fn split_is_forced(&self) -> bool {
        let Some(first) = self.hand(self.hand).first() else { return false };
        let book = self.game.book;
        let hands = self.round.hands(self.bettor.seat()) + 1;
        let decides = |card: &Card| {
            let hand = split_hand(book, first).with(book, *card);
            !hand.points().is_21() && book.may_hit(hand).is_ok()
        };
        !B::SURRENDER && limit(book, value_of(first)) <= hands && !CARDS.iter().any(decides)
    }

    /// What all hands are worth, for each of these acts, if the current one then goes on as is best
    /// for it.
    fn by(&self, acts: &[Act]) -> Vec<ActWorth> {
        let said = |worth: Worth| worth.times(1.0 / self.said);
        if self.hand(self.hand).fate() == Fate::Natural {
            let worth = |act: &Act| ActWorth {
                worth: said(Worth::exact(self.natural_by(act.call()))),
                method: self.method(act.call()),
                prospects: Some(match act.call() {
                    Call::Surrender => Prospects::LOST,
                    _ => Prospects::of(1.0 - self.natural, self.natural),
                }),
            };
            return acts.iter().map(worth).collect();
        }
        let (others, waiting) = (self.others(), self.waiting());
        let start = self.start(self.hand(self.hand));
        let behind = waiting
            .map(|(first, open)| (first, open, self.start(split_hand(self.game.book, first))));
        let found = behind.as_ref().map(|(first, _, start)| {
            let stake = self.stake(self.hand + 1);
            let stakes = kept([stake, stake], self.purse.waiting);
            self.best_pair(self.split_pair(start, *first, stakes))
        });
        let fears = waiting.zip(found.as_ref()).map(|((_, open), found)| {
            let open = i32::try_from(open).expect("at most four hands");
            found.borrow().fear.powi(open)
        });
        let own = self.own(&start, fears);
        let worth = |act: &Act| {
            let call = act.call();
            if call == Call::Split {
                return said(self.split().plus(others));
            }
            let behind = match (&behind, &found) {
                (Some((first, open, _)), Some(found)) => {
                    self.behind((*first, *open), found, &own, call)
                }
                _ => Worth::exact(0.0),
            };
            let own = match call {
                Call::Double => own.chances.doubling(0, self.doubled(own.stake, *act)),
                _ => {
                    let surrenders = &own.plan.surrenders;
                    own.chances.worth_of(call, 0, own.stake, surrenders, &own.worths)
                }
            };
            said(behind.plus(others + own))
        };
        let prospects = self.prospects(acts, &own);
        let each = acts.iter().zip(prospects).map(|(act, prospects)| ActWorth {
            worth: worth(act),
            method: self.method(act.call()),
            prospects,
        });
        each.collect()
    }

    /// How the current hand ends after each act; none where it is split.
    fn prospects(&self, acts: &[Act], own: &CurrentHand<'_>) -> Vec<Option<Prospects>> {
        let start = own.chances.start;
        let played = acts.iter().map(|act| {
            let plan = own.plan_with(act.call());
            let route = start.route(&plan);
            (plan, route)
        });
        let played: Vec<_> = played.collect();
        let stands = start.stands_of(played.iter().map(|(plan, route)| (plan, route)));
        let chances = Chances::new(start, &self.wins, self.shoe, self.naturals).at(&stands);
        let prospects = |(act, (plan, route)): (&Act, &(HandPlan, Route))| {
            let [won, pushed] = match act.call() {
                Call::Split => return None,
                _ => chances.won_and_pushed(plan, route),
            };
            Some(Prospects::of(won / self.said, pushed / self.said))
        };
        acts.iter().zip(&played).map(prospects).collect()
    }

    /// What a natural is worth.
    fn natural_by(&self, call: Call) -> f64 {
        let money = self.stake(self.hand).money;
        let none = 1.0 - self.dealer.natural(&self.shoe, &DRAWS.all[0]);
        match call {
            Call::Surrender => self.gain(Ruling::TakeHalf, money) * none - self.natural,
            _ => self.gain(Ruling::Pay(B::NATURAL.0), money) * none,
        }
    }

    /// What complete hands are worth, and what a natural takes apart.
    fn others(&self) -> f64 {
        let count = self.round.hands(self.bettor.seat());
        let none = 1.0 - self.dealer.natural(&self.shoe, &DRAWS.all[0]);
        let hands = (0..count).filter(|&hand| hand != self.hand).map(|hand| {
            let stake = self.stake(hand);
            match self.hand(hand).fate() {
                Fate::Stood => self.complete(self.hand(hand).points().total(), stake),
                Fate::SurrenderHeld => self.gain(Ruling::TakeHalf, stake.money) * none,
                Fate::BustHeld => self.gain(Ruling::Take, stake.money) * none,
                Fate::Open if self.hand(hand).cards() > 1 => self.late(hand),
                _ => 0.0,
            }
        });
        let apart = match self.naturals {
            Naturals::Apart => self.natural,
            Naturals::AfterBusts => 0.0,
        };
        hands.sum::<f64>() - apart
    }

    /// A hand that stands.
    fn complete(&self, total: u8, stake: Stake) -> f64 {
        let stands = vec![(total, vec![0])];
        let values = self.dealer.expect((&stands, 1), &self.shoe, |_| true);
        let lammers = match stake.lammers > 0.0 {
            true => stake.lammers * values.lammers[0],
            false => 0.0,
        };
        stake.money * values.money[0] + lammers
    }

    /// A hand that is owed a card.
    fn late(&self, hand: usize) -> f64 {
        let start = self.start(self.hand(hand));
        let chances = self.chances(&start);
        let BestPlay { plan, worth, .. } = chances.best(self.stake(hand));
        match self.hand(hand).is_doubled() {
            true => chances.worth_of(Call::Hit, 0, self.stake(hand), &plan.surrenders, &worth),
            false => worth[0],
        }
    }

    fn chances<'s>(&'s self, start: &'s Start) -> Chances<'s> {
        Chances::new(start, &self.dealer, self.shoe, self.naturals).everywhere()
    }

    /// The best plans of split hands; the dealer is asked about them once.
    fn best_pair<'s>(&self, pair: SplitPair<'s>) -> RefCell<SplitValues<'s>> {
        let found = pair.best(self.seen_of_pair.take());
        self.seen_of_pair.replace(found.borrow().seen.clone());
        found
    }

    /// Whether the natural is still to be feared for the original wager after the hands.
    fn fears_natural(&self) -> bool {
        self.naturals == Naturals::AfterBusts && !self.round.has_busted(self.bettor)
    }

    /// The current hand. With hands behind it, what a natural takes depends on all of them, and
    /// `fears` is how much of it is to be feared on average.
    fn own<'s>(&'s self, start: &'s Start, fears: Option<f64>) -> CurrentHand<'s> {
        let natural = if self.fears_natural() { fears.unwrap_or(1.0) } else { 0.0 };
        let (stake, alone) = (self.stake(self.hand), Stake { natural, ..self.stake(self.hand) });
        let seen = self.seen.get_or_init(|| self.chances(start).seen);
        let chances =
            Chances::new(start, &self.dealer, self.shoe, self.naturals).with(seen.clone());
        let BestPlay { plan, worth: worths, .. } = chances.best(alone);
        match fears.is_some() && self.fears_natural() {
            true => {
                let worths = chances.by_plan(stake, &plan, &start.route_from_anywhere(&plan));
                CurrentHand { chances, stake, plan, worths }
            }
            false => CurrentHand { chances, stake: alone, plan, worths },
        }
    }

    /// The hands that wait behind the current one, and what a natural takes of all.
    fn behind(
        &self,
        (first, open): (Card, usize),
        found: &RefCell<SplitValues<'_>>,
        own: &CurrentHand<'_>,
        call: Call,
    ) -> Worth {
        let hands = self.round.hands(self.bettor.seat());
        let survivals = self.fears_natural().then(|| own.survivals(call, first));
        self.best_of(value_of(first), (hands, open, open), |pending, exactly| {
            let taken = match (&survivals, exactly) {
                (None, _) => 0.0,
                (Some(own), true) => found.borrow().natural_beside(pending, own),
                (Some(_), false) => {
                    let least = found.borrow().least_natural(pending);
                    (least - own.busts_then_natural(call)).max(0.0)
                }
            };
            worth(found, pending) - taken
        })
    }

    /// The stake of the current hand once it is doubled by an act.
    fn doubled(&self, stake: Stake, act: Act) -> Stake {
        match self.game.book.double(self.hand(self.hand)) {
            Ok(Cost::Free) => Stake { lammers: stake.lammers + 1.0, ..stake },
            _ => {
                let full = stake.money + stake.lammers;
                let added = match self.round.offers(self.bettor).contains(Call::Double) {
                    true => amount(self.round, self.bettor, act) / self.unit(),
                    false => full.min(stake.kept),
                };
                Stake { money: stake.money + added, ..stake }
            }
        }
    }

    /// The card with which the hands behind the current one begin, and how many they are.
    fn waiting(&self) -> Option<(Card, usize)> {
        let hands = self.hand + 1..self.round.hands(self.bettor.seat());
        let waits = |&hand: &usize| {
            let here = self.hand(hand);
            here.fate() == Fate::Open && here.cards() == 1
        };
        let open = hands.filter(waits).count();
        let first = (open > 0).then(|| self.hand(self.hand + 1).first()).flatten();
        first.map(|first| (first, open))
    }

    fn split_pair<'s>(
        &'s self,
        start: &'s Start,
        first: Card,
        stakes: [Stake; 2],
    ) -> SplitPair<'s> {
        let book = self.game.book;
        let matching = self.unseen.iter().filter(|(card, _)| book.is_pair(first, *card));
        SplitPair {
            start,
            dealer: &self.dealer,
            shoe: self.shoe,
            value: value_of(first),
            matching: matching.map(|(_, count)| u16::from(count)).sum(),
            naturals: self.naturals,
            fears_natural: self.fears_natural(),
            stakes,
            limit: limit(book, value_of(first)),
        }
    }

    /// The current hand split, with those that wait behind it.
    fn split(&self) -> Worth {
        let Some(first) = self.hand(self.hand).first() else { return Worth::exact(0.0) };
        let book = self.game.book;
        let stake = self.stake(self.hand);
        let (initial, attack) = self.round.wagered(self.bettor);
        let money = f64::from((initial + attack).get()) / self.unit();
        let [_, others] = stakes(book, value_of(first), money);
        let start = self.start(split_hand(book, first));
        let stakes = kept([stake, others], self.purse.waiting);
        let found = self.best_pair(self.split_pair(&start, first, stakes));
        let open = self.waiting().map_or(0, |(_, open)| open) + 2;
        let hands = self.round.hands(self.bettor.seat()) + 1;
        self.best_of(value_of(first), (hands, open, open - 1), |pending, exactly| {
            let taken = match self.fears_natural() {
                false => 0.0,
                true if exactly => found.borrow().natural(pending),
                true => found.borrow().least_natural(pending),
            };
            worth(&found, pending) - taken
        })
    }

    /// The best of splitting again up to each number of hands, some of which are multiplied. `worth`
    /// is told whether to compute the exact value or a bound.
    fn best_of(
        &self,
        value: usize,
        (hands, open, multiplied): (usize, usize, usize),
        worth: impl Fn(Pending, bool) -> f64,
    ) -> Worth {
        let book = self.game.book;
        let limit = limit(book, value).min(self.purse.hands).max(hands);
        let few_sets = |most: &usize| {
            // Some third of all sets end a hand.
            let sets = DRAWS.within(Points::pips(CARDS[value])).len() / 3;
            let times = u32::try_from(multiplied + most - hands).unwrap_or(u32::MAX);
            sets.checked_pow(times).is_some_and(|sets| sets <= MOST_SETS)
        };
        let mut best = Worth::LEAST;
        let each = || hands..=limit;
        for [first, most] in each().flat_map(|first| each().map(move |others| [first, others])) {
            let pending = Pending { hands, open, most: [first, most] };
            let most = first.max(most);
            if most == hands || !self.fears_natural() {
                best = best.or(Worth::exact(worth(pending, true)));
                continue;
            }
            let at_most = worth(pending, false);
            if at_most > best.gain {
                best = best.or(match few_sets(&most) {
                    true => Worth::exact(worth(pending, true)),
                    false => Worth { most: at_most, ..Worth::LEAST },
                });
            }
        }
        best
    }
}

/// The current hand, and how it goes on.
struct CurrentHand<'a> {
    chances: Chances<'a>,
    stake: Stake,
    plan: HandPlan,
    worths: Vec<f64>,
}

impl CurrentHand<'_> {
    /// How it ends without going over 21 after a call.
    fn survivals(&self, call: Call, matching: Card) -> Survivals {
        Survivals::new(self.chances.start, &self.plan_with(call), value_of(matching))
    }

    /// How likely it goes over 21 after a call, and the dealer then has a natural.
    fn busts_then_natural(&self, call: Call) -> f64 {
        let plan = self.plan_with(call);
        self.chances.busts_then_natural(&plan, &self.chances.start.route(&plan))[0]
    }

    fn plan_with(&self, call: Call) -> HandPlan {
        let mut plan = self.plan.clone();
        plan.calls[0] = call;
        plan
    }
}
