//! One hand against the dealer: what it may do, and what each act is worth.

use rules::card::Card;
use rules::games::blackjack::{Book, Cost, Hand};
use rules::round::Call;

use super::dealer::{Asked, Dealer};
use super::draws::{CARDS, Counts, DRAWS, Draw, VALUES};

/// What lies on a hand, in units of the original wager.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stake {
    /// Money.
    pub(super) money: f64,
    /// Lammers.
    pub(super) lammers: f64,
    /// What a dealer's natural takes from the hand, unless it is over 21.
    pub(super) natural: f64,
}

impl Stake {
    pub(super) const UNIT: Stake = Stake { money: 1.0, lammers: 0.0, natural: 0.0 };
    pub(super) const LAMMER: Stake = Stake { money: 0.0, lammers: 1.0, natural: 0.0 };

    /// What a hand with this stake has on it once doubled.
    fn doubled(self, cost: Cost) -> Stake {
        match cost {
            Cost::Free => Stake { lammers: self.lammers + 1.0, ..self },
            // As much as lies there, a lammer counting its face (FBB-R07, DAB-R10).
            Cost::Paid => Stake { money: self.money * 2.0 + self.lammers, ..self },
        }
    }
}

/// What a dealer's natural finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naturals {
    /// Whatever hands did, the natural takes the same: they are played as if there were none.
    Apart,
    /// Hands over 21 have lost before it.
    AfterBusts,
}

/// What a hand may do once it has drawn certain cards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) total: u8,
    pub(super) soft: bool,
    pub(super) cards: u8,
    /// Whether it has to take a card.
    pub(super) draws: bool,
    /// Whether it stands by itself.
    complete: bool,
    pub(super) hits: bool,
    doubles: Option<Cost>,
}

/// A hand to begin with, and every way in which it can go on without going over 21.
#[derive(Clone, Debug)]
pub(super) struct Start {
    low: u8,
    surrenders: bool,
    /// Beside the sets of [`DRAWS`].
    pub(super) spots: Vec<Spot>,
    /// The sets by the total that they make of the hand.
    by_total: Vec<(u8, Vec<u16>)>,
}

impl Start {
    pub(super) fn new<B: Book>(book: B, hand: Hand) -> Start {
        let low = hand.points().low();
        let mut hands = vec![hand; DRAWS.within(low).len()];
        for place in 0..hands.len() {
            for value in 0..VALUES {
                match DRAWS.with(place, value) {
                    Some(next) if next < hands.len() => {
                        hands[next] = hands[place].with(book, CARDS[value]);
                    }
                    _ => break,
                }
            }
        }
        let spots: Vec<Spot> = hands.iter().map(|&hand| Spot::new(book, hand)).collect();
        let mut by_total: Vec<(u8, Vec<u16>)> = (2..=21).map(|total| (total, vec![])).collect();
        for (place, spot) in (0..).zip(&spots) {
            if let Some((_, places)) = by_total.iter_mut().find(|part| part.0 == spot.total) {
                places.push(place);
            }
        }
        Start { low, surrenders: B::SURRENDER, spots, by_total }
    }

    /// The sets that the hand can draw.
    fn draws(&self) -> &'static [Draw] {
        DRAWS.within(self.low)
    }
}

impl Spot {
    fn new<B: Book>(book: B, hand: Hand) -> Spot {
        let points = hand.points();
        let hits = book.may_hit(hand).is_ok();
        Spot {
            total: points.total(),
            soft: points.is_soft(),
            cards: hand.cards(),
            draws: hand.cards() < 2,
            complete: points.is_21(),
            hits,
            doubles: book.double(hand).ok().filter(|_| hits),
        }
    }
}

/// What a hand does, by the cards it has drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plan {
    pub(super) calls: Vec<Call>,
    /// Whether a hand that took its card after doubling gives up.
    pub(super) gives_up: Vec<bool>,
}

impl Plan {
    fn new(spots: usize) -> Plan {
        Plan { calls: vec![Call::Stand; spots], gives_up: vec![false; spots] }
    }
}

/// A hand's chances against one up card and one shoe.
pub(super) struct Chances<'a> {
    pub(super) start: &'a Start,
    pub(super) dealer: &'a Dealer,
    pub(super) shoe: Counts,
    pub(super) naturals: Naturals,
    /// What a completed hand gains for a unit of money, by the cards drawn.
    money: Vec<f64>,
    /// The same for lammers, where there are any.
    lammers: Vec<f64>,
}

impl<'a> Chances<'a> {
    /// The chances of a hand whose cards are no longer in the shoe.
    pub(super) fn new(
        start: &'a Start,
        dealer: &'a Dealer,
        shoe: Counts,
        naturals: Naturals,
        with_lammers: bool,
    ) -> Chances<'a> {
        let mut chances = Chances::unseen(start, dealer, shoe, naturals);
        chances.look_at(with_lammers, |_| true);
        chances
    }

    /// The same without a look at how the dealer's hand ends.
    pub(super) fn unseen(
        start: &'a Start,
        dealer: &'a Dealer,
        shoe: Counts,
        naturals: Naturals,
    ) -> Chances<'a> {
        Chances { start, dealer, shoe, naturals, money: Vec::new(), lammers: Vec::new() }
    }

    fn look_at(&mut self, with_lammers: bool, needed: impl Fn(usize) -> bool) {
        let spots = self.start.spots.len();
        self.money = vec![0.0; spots];
        self.lammers = if with_lammers { vec![0.0; spots] } else { Vec::new() };
        for (total, places) in &self.start.by_total {
            let places: Vec<u16> = places
                .iter()
                .copied()
                .filter(|&place| self.is_possible(place.into()) && needed(place.into()))
                .collect();
            self.dealer.expect(Asked::Money, *total, &self.shoe, &places, &mut self.money);
            if with_lammers {
                let out = &mut self.lammers;
                self.dealer.expect(Asked::Lammer, *total, &self.shoe, &places, out);
            }
        }
    }

    /// The best plan, and what the hand is worth with it in each spot.
    pub(super) fn best(&self, stake: Stake) -> (Plan, Vec<f64>) {
        let spots = self.start.spots.len();
        let (mut plan, mut worth) = (Plan::new(spots), vec![0.0; spots]);
        if self.start.surrenders {
            for place in 0..spots {
                plan.gives_up[place] = self.would_give_up(place, stake);
            }
        }
        for place in (0..spots).rev() {
            if !self.is_possible(place) {
                continue;
            }
            let (call, value) = self.best_call(place, stake, &plan.gives_up, &worth);
            plan.calls[place] = call;
            worth[place] = value;
        }
        (plan, worth)
    }

    /// What the hand is worth in each spot that a plan leads to.
    pub(super) fn by_plan(&self, stake: Stake, plan: &Plan) -> Vec<f64> {
        let spots = self.start.spots.len();
        let mut worth = vec![0.0; spots];
        for place in (0..spots).rev() {
            if self.is_possible(place) {
                let call = plan.calls[place];
                worth[place] = self.worth_of(call, place, stake, &plan.gives_up, &worth);
            }
        }
        worth
    }

    /// How likely the hand goes over 21 by a plan and the dealer then has a natural, in each spot.
    pub(super) fn busts_then_natural(&self, plan: &Plan) -> Vec<f64> {
        let spots = self.start.spots.len();
        let mut chance = vec![0.0; spots];
        for place in (0..spots).rev().filter(|&place| self.is_possible(place)) {
            let draw = &self.start.draws()[place];
            let left = f64::from(self.shoe.total - u16::from(draw.cards));
            let then = |next: usize| match plan.calls[place] {
                Call::Hit => chance[next],
                _ => 0.0,
            };
            if matches!(plan.calls[place], Call::Hit | Call::Double) {
                let safe = self.drawing(place, Stake { money: 0.0, ..Stake::UNIT }, then);
                chance[place] = safe + self.busts_before_natural(draw, left) / left;
            }
        }
        chance
    }

    fn is_possible(&self, place: usize) -> bool {
        let draw = &self.start.draws()[place];
        (0..VALUES).all(|value| u16::from(draw.of[value]) <= self.shoe.of[value])
    }

    fn best_call(
        &self,
        place: usize,
        stake: Stake,
        gives_up: &[bool],
        worth: &[f64],
    ) -> (Call, f64) {
        let spot = &self.start.spots[place];
        if spot.draws {
            return (Call::Hit, self.worth_of(Call::Hit, place, stake, gives_up, worth));
        }
        let mut best = (Call::Stand, self.worth_of(Call::Stand, place, stake, gives_up, worth));
        for call in [Call::Hit, Call::Double, Call::Surrender] {
            if self.is_open(call, spot) {
                let value = self.worth_of(call, place, stake, gives_up, worth);
                if value > best.1 {
                    best = (call, value);
                }
            }
        }
        best
    }

    /// Whether a call is open to a hand.
    pub(super) fn is_open(&self, call: Call, spot: &Spot) -> bool {
        self.is_open_in(self.start, call, spot)
    }

    pub(super) fn is_open_in(&self, start: &Start, call: Call, spot: &Spot) -> bool {
        match call {
            _ if spot.complete => call == Call::Stand,
            Call::Stand => true,
            Call::Hit => spot.hits,
            Call::Double => spot.doubles.is_some(),
            Call::Surrender => start.surrenders,
            _ => false,
        }
    }

    /// What a call is worth in a spot, given what the spots after it are worth.
    pub(super) fn worth_of(
        &self,
        call: Call,
        place: usize,
        stake: Stake,
        gives_up: &[bool],
        worth: &[f64],
    ) -> f64 {
        match call {
            Call::Hit => self.drawing(place, stake, |next| worth[next]),
            Call::Double => {
                let cost = self.start.spots[place].doubles.unwrap_or(Cost::Paid);
                let doubled = stake.doubled(cost);
                self.drawing(place, doubled, |next| match gives_up[next] {
                    true => self.giving_up(next, doubled),
                    false => self.standing(next, doubled),
                })
            }
            Call::Surrender => self.giving_up(place, stake),
            _ => self.standing(place, stake),
        }
    }

    /// What standing is worth.
    fn standing(&self, place: usize, stake: Stake) -> f64 {
        let lammers = match stake.lammers > 0.0 {
            true => stake.lammers * self.lammers[place],
            false => 0.0,
        };
        stake.money * self.money[place] + lammers - self.natural_takes(place, stake)
    }

    /// What giving up for half is worth.
    fn giving_up(&self, place: usize, stake: Stake) -> f64 {
        let natural = self.dealer.natural(&self.shoe, &self.start.draws()[place]);
        -0.5 * stake.money * (1.0 - natural) - stake.natural * natural
    }

    fn natural_takes(&self, place: usize, stake: Stake) -> f64 {
        match stake.natural > 0.0 {
            true => stake.natural * self.dealer.natural(&self.shoe, &self.start.draws()[place]),
            false => 0.0,
        }
    }

    /// Whether a doubled hand with these cards is better given up.
    fn would_give_up(&self, place: usize, stake: Stake) -> bool {
        let doubled = stake.doubled(Cost::Paid);
        let spot = &self.start.spots[place];
        !spot.complete
            && self.is_possible(place)
            && self.giving_up(place, doubled) > self.standing(place, doubled)
    }

    /// What taking one card is worth, by what the hand is worth after it.
    fn drawing(&self, place: usize, stake: Stake, after: impl Fn(usize) -> f64) -> f64 {
        let draw = &self.start.draws()[place];
        let left = f64::from(self.shoe.total - u16::from(draw.cards));
        let (mut sum, mut bust) = (0.0, 0u16);
        for value in 0..VALUES {
            let cards = self.shoe.of[value].saturating_sub(draw.of[value].into());
            if cards == 0 {
                continue;
            }
            match draw.next[value] {
                next if usize::from(next) < self.start.spots.len() => {
                    sum += f64::from(cards) * after(next.into());
                }
                _ => bust += cards,
            }
        }
        let lost = match self.naturals {
            Naturals::AfterBusts => f64::from(bust),
            Naturals::Apart => f64::from(bust) - self.busts_before_natural(draw, left),
        };
        (sum - stake.money * lost) / left
    }

    /// How many of the cards that bust come before a natural, on average.
    fn busts_before_natural(&self, draw: &Draw, left: f64) -> f64 {
        let Some(natural) = self.dealer.natural_value() else { return 0.0 };
        let cards = |value: usize| f64::from(self.shoe.of[value]) - f64::from(draw.of[value]);
        let busts = |value: &usize| usize::from(draw.next[*value]) >= self.start.spots.len();
        let pairs = (0..VALUES).filter(busts).map(|value| {
            let others = cards(natural) - if value == natural { 1.0 } else { 0.0 };
            cards(value).max(0.0) * others.max(0.0)
        });
        pairs.sum::<f64>() / (left - 1.0)
    }
}

/// The value place and the hand of one card from a split pair.
pub(super) fn split_hand<B: Book>(book: B, card: Card) -> Hand {
    Hand::EMPTY.with(book, card).with(book, card).split()
}
