//! One hand against the dealer: what it may do, and what each act is worth.

use std::sync::Arc;

use rules::card::Card;
use rules::games::blackjack::{Book, Cost, Hand, Points, most_double};
use rules::round::{Call, Ruling};

use super::dealer::{ByTotal, Dealer, StandValues, gain};
use super::draws::{CARDS, Counts, DRAWS, Draw, Room, VALUES};
use super::tree::GoneCards;

/// The stake on a hand, in units of the original wager.
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
            Cost::Paid => {
                Stake { money: self.money + most_double(self.money, self.lammers), ..self }
            }
        }
    }
}

/// What a dealer's natural finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naturals {
    /// The natural takes the same whatever the hands did: they are played as if there were none.
    Apart,
    /// Hands over 21 have lost before it.
    AfterBusts,
}

/// Where a plan leads from the beginning of a hand.
#[derive(Clone, Debug)]
pub(super) struct Route {
    /// Where the hand decides or draws.
    acts: Vec<u16>,
}

impl Naturals {
    /// What one takes of a hand that is alone, in units.
    pub(super) const fn taken(self) -> f64 {
        match self {
            Naturals::Apart => 0.0,
            Naturals::AfterBusts => 1.0,
        }
    }
}

/// What a hand may do once it has drawn certain cards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) points: Points,
    /// Whether its two cards are a pair.
    pub(super) pair: bool,
    /// Whether it has to take a card.
    pub(super) draws: bool,
    /// Whether it stands by itself.
    pub(super) complete: bool,
    pub(super) hits: bool,
    doubles: Option<Cost>,
}

/// A hand to begin with, and every way in which it can go on without going over 21.
#[derive(Clone, Debug)]
pub(super) struct Start {
    low: u8,
    /// The sets that it can draw.
    draws: &'static [Draw],
    /// What surrender gains per unit, if the book has it.
    pub(super) surrender: Option<f64>,
    /// Beside the sets of [`DRAWS`].
    pub(super) spots: Vec<Spot>,
    /// Every set with which the hand can stand.
    stands: ByTotal,
    /// Whether it can double for free.
    pub(super) doubles_free: bool,
}

impl Start {
    pub(super) fn new<B: Book>(book: B, hand: Hand) -> Start {
        let low = hand.points().low();
        let mut hands = vec![hand; DRAWS.within(low).len()];
        for place in 0..hands.len() {
            for (value, &card) in CARDS.iter().enumerate() {
                match DRAWS.with(place, value) {
                    Some(next) if next < hands.len() => {
                        hands[next] = hands[place].with(book, card);
                    }
                    _ => break,
                }
            }
        }
        let spots: Vec<Spot> = hands.iter().map(|&hand| Spot::new(book, hand)).collect();
        let surrender = B::SURRENDER.then(|| gain(Ruling::TakeHalf));
        let reached = reached(low, &spots);
        let is_free =
            |(spot, reached): (&Spot, &bool)| *reached && spot.doubles == Some(Cost::Free);
        let doubles_free = spots.iter().zip(&reached).any(is_free);
        let draws = DRAWS.within(low);
        let mut start = Start { low, draws, surrender, spots, stands: Vec::new(), doubles_free };
        start.stands = start.by_total(&reached);
        start
    }

    /// The sets with one card more, each with the chance of that card, but for those over 21.
    pub(super) fn draws_from(
        &self,
        place: usize,
        shoe: &Counts,
    ) -> impl Iterator<Item = (usize, f64)> {
        let draw = &self.draws[place];
        let left = 1.0 / f64::from(shoe.total - u16::from(draw.cards));
        let of = shoe.of;
        let values = usize::from(21 - self.low - draw.sum).min(VALUES);
        (0..values)
            .map(move |value| {
                let cards = of[value].saturating_sub(draw.of[value].into());
                (usize::from(draw.next[value]), f64::from(cards) * left)
            })
            .filter(|&(_, chance)| chance > 0.0)
    }

    /// How likely the next card takes the hand over 21, and how likely a natural comes after it.
    pub(super) fn busts_from(&self, place: usize, shoe: &Counts, dealer: &Dealer) -> [f64; 2] {
        let draw = &self.draws[place];
        let left = f64::from(shoe.total - u16::from(draw.cards));
        let cards = |value: usize| f64::from(shoe.of[value].saturating_sub(draw.of[value].into()));
        let busts = |value: &usize| usize::from(draw.next[*value]) >= self.spots.len();
        let (mut all, mut before) = (0.0, 0.0);
        for value in (0..VALUES).rev().take_while(busts) {
            all += cards(value);
            if let Some(natural) = dealer.natural_value() {
                let others = cards(natural) - if value == natural { 1.0 } else { 0.0 };
                before += cards(value) * others.max(0.0) / (left - 1.0);
            }
        }
        [all / left, before / left]
    }

    /// What lies on a hand once it is doubled.
    pub(super) fn doubled(&self, place: usize, stake: Stake) -> Stake {
        stake.doubled(self.spots[place].doubles.unwrap_or(Cost::Paid))
    }

    /// The sets with one card more with which the hand is not over 21.
    fn next<'a>(&'a self, draw: &'a Draw) -> impl Iterator<Item = usize> + 'a {
        let next = draw.next.iter().map(|&next| usize::from(next));
        next.filter(|&next| next < self.spots.len())
    }

    /// The marked sets with which a hand can stand, by its total.
    fn by_total(&self, marks: &[bool]) -> ByTotal {
        let mut by_total: ByTotal = (0..=21).map(|total| (total, Vec::new())).collect();
        for (place, spot) in (0..).zip(&self.spots) {
            if marks[usize::from(place)] && !spot.draws {
                by_total[usize::from(spot.points.total())].1.push(place);
            }
        }
        by_total.retain(|(_, places)| !places.is_empty());
        by_total
    }

    /// Whether a call is open in a spot.
    pub(super) fn is_open(&self, call: Call, spot: &Spot) -> bool {
        match call {
            _ if spot.complete => call == Call::Stand,
            _ if spot.draws => call == Call::Hit,
            Call::Stand => true,
            Call::Hit => spot.hits,
            Call::Double => spot.doubles.is_some(),
            Call::Surrender => self.surrender.is_some(),
            _ => false,
        }
    }

    /// Where a plan leads from the hand to begin with.
    pub(super) fn route(&self, plan: &HandPlan) -> Route {
        self.route_from(plan, [0])
    }

    /// Where a plan leads from anywhere.
    pub(super) fn route_from_anywhere(&self, plan: &HandPlan) -> Route {
        let decides = self.spots.iter().enumerate().filter(|(_, spot)| !spot.draws);
        self.route_from(plan, decides.map(|(place, _)| place))
    }

    fn route_from(&self, plan: &HandPlan, from: impl IntoIterator<Item = usize>) -> Route {
        let mut acts = vec![false; self.spots.len()];
        from.into_iter().for_each(|place| acts[place] = true);
        for (place, draw) in self.draws.iter().enumerate() {
            if acts[place] && plan.calls[place] == Call::Hit {
                self.next(draw).for_each(|next| acts[next] = true);
            }
        }
        let acts = (0..).zip(acts).filter(|(_, acts)| *acts).map(|(place, _)| place);
        Route { acts: acts.collect() }
    }

    /// Where hands can come to stand that are played by plans along their routes.
    pub(super) fn stands_of<'p>(
        &self,
        played: impl IntoIterator<Item = (&'p HandPlan, &'p Route)>,
    ) -> ByTotal {
        let mut stands = vec![false; self.spots.len()];
        for (plan, route) in played {
            for place in route.acts.iter().map(|&place| usize::from(place)) {
                match plan.calls[place] {
                    Call::Stand => stands[place] = true,
                    Call::Double => {
                        let landed = self.next(&self.draws[place]);
                        landed.for_each(|next| stands[next] |= !plan.surrenders[next]);
                    }
                    _ => {}
                }
            }
        }
        self.by_total(&stands)
    }
}

impl Spot {
    fn new<B: Book>(book: B, hand: Hand) -> Spot {
        let points = hand.points();
        let hits = book.may_hit(hand).is_ok();
        Spot {
            points,
            pair: hand.is_pair(),
            draws: hand.cards() < 2,
            complete: points.is_21(),
            hits,
            doubles: book.double(hand).ok().filter(|_| hits),
        }
    }
}

/// What a hand does, by the cards it has drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HandPlan {
    pub(super) calls: Vec<Call>,
    /// Whether a doubled hand surrenders once it has its card.
    pub(super) surrenders: Vec<bool>,
}

/// What a hand gains if it takes no more cards, by the cards that it has drawn.
struct Ends {
    stand: Vec<f64>,
    /// Empty if the book has no surrender.
    surrender: Vec<f64>,
    /// Whether a hand that was doubled with money surrenders.
    surrenders: Vec<bool>,
    /// Once it was doubled with money.
    paid: Vec<f64>,
    /// Once it was doubled for free; empty if it cannot be.
    free: Vec<f64>,
}

/// What each call is worth in each spot in which it is open.
pub(super) struct CallWorths {
    stand: Vec<f64>,
    /// A hit, and a double.
    after: Vec<[f64; 2]>,
    /// Empty if the book has no surrender.
    surrender: Vec<f64>,
}

impl CallWorths {
    /// What a call is worth in a spot.
    pub(super) fn of(&self, call: Call, place: usize) -> f64 {
        match call {
            Call::Hit => self.after[place][0],
            Call::Double => self.after[place][1],
            Call::Surrender => self.surrender[place],
            _ => self.stand[place],
        }
    }
}

/// A hand's chances against one up card and one shoe.
pub(super) struct Chances<'a> {
    pub(super) start: &'a Start,
    pub(super) dealer: &'a Dealer,
    pub(super) shoe: Counts,
    /// The same as numbers to reckon with.
    cards: [f64; VALUES],
    room: Room,
    pub(super) naturals: Naturals,
    pub(super) seen: Arc<StandValues>,
}

impl<'a> Chances<'a> {
    /// The chances of a hand whose cards are no longer in the shoe, without the dealer's results.
    pub(super) fn new(
        start: &'a Start,
        dealer: &'a Dealer,
        shoe: Counts,
        naturals: Naturals,
    ) -> Chances<'a> {
        let (cards, room) = (shoe.of.map(f64::from), Room::new(&shoe));
        Chances { start, dealer, shoe, cards, room, naturals, seen: Arc::default() }
    }

    /// The same with the dealer's results for every hand that can be reached.
    pub(super) fn everywhere(self) -> Chances<'a> {
        let stands = &self.start.stands;
        self.at(stands)
    }

    /// The same with the dealer's results only for some hands.
    pub(super) fn at(self, stands: &ByTotal) -> Chances<'a> {
        let asked = (stands, self.start.spots.len());
        let seen = self.dealer.expect(asked, &self.shoe, |place| self.is_possible(place));
        self.with(Arc::new(seen))
    }

    /// The dealer's results for some hands, or for every hand that can be reached, as more and more cards
    /// are gone.
    pub(super) fn seen_as_cards_go(
        &self,
        stands: Option<&ByTotal>,
        gone: GoneCards,
    ) -> Vec<Arc<StandValues>> {
        let asked = (stands.unwrap_or(&self.start.stands), self.start.spots.len());
        let is_possible = |place| self.is_possible(place);
        let seen = self.dealer.expect_as_cards_go(asked, &self.shoe, is_possible, gone);
        seen.into_iter().map(Arc::new).collect()
    }

    /// The same with known results of the dealer.
    pub(super) fn with(self, seen: Arc<StandValues>) -> Chances<'a> {
        Chances { seen, ..self }
    }

    /// How likely a complete hand wins, and loses; the dealer must know about wins.
    pub(super) fn won_and_lost(&self, place: usize) -> [f64; 2] {
        let won = self.seen.lammers[place];
        [won, won - self.seen.money[place]]
    }

    /// The best plan, and what the hand is worth with it in each spot.
    pub(super) fn best(&self, stake: Stake) -> (HandPlan, Vec<f64>) {
        let (plan, worth, _) = self.best_with_calls(stake);
        (plan, worth)
    }

    /// The same, and what each call is worth that is open in a spot.
    pub(super) fn best_with_calls(&self, stake: Stake) -> (HandPlan, Vec<f64>, CallWorths) {
        let spots = self.start.spots.len();
        let ends = self.ends(stake);
        let (mut calls, mut worth) = (vec![Call::Stand; spots], vec![0.0; spots]);
        let mut after = vec![[0.0; 2]; spots];
        for place in (0..spots).rev() {
            if self.is_possible(place) {
                let spot = &self.start.spots[place];
                let hit = match spot.draws || spot.hits {
                    true => self.drawing(place, stake, |next| worth[next]),
                    false => 0.0,
                };
                let double = spot.doubles.map_or(0.0, |cost| {
                    let after = if cost == Cost::Free { &ends.free } else { &ends.paid };
                    self.drawing(place, stake.doubled(cost), |next| after[next])
                });
                after[place] = [hit, double];
                (calls[place], worth[place]) = self.best_call(place, after[place], &ends);
            }
        }
        let Ends { stand, surrender, surrenders, .. } = ends;
        (HandPlan { calls, surrenders }, worth, CallWorths { stand, after, surrender })
    }

    /// What the hand gains in each spot if it takes no more cards.
    fn ends(&self, stake: Stake) -> Ends {
        let spots = self.start.spots.len();
        let [paid, free] = [Cost::Paid, Cost::Free].map(|cost| stake.doubled(cost));
        let mut ends = Ends {
            stand: Vec::with_capacity(spots),
            surrender: Vec::new(),
            surrenders: vec![false; spots],
            paid: Vec::with_capacity(spots),
            free: Vec::new(),
        };
        for place in 0..spots {
            let is_possible = self.is_possible(place);
            let gains = |stake: Stake| if is_possible { self.standing(place, stake) } else { 0.0 };
            ends.stand.push(gains(stake));
            ends.paid.push(gains(paid));
            if self.start.doubles_free {
                ends.free.push(gains(free));
            }
            if self.start.surrender.is_some() {
                let [half, doubled] = match is_possible {
                    true => [stake, paid].map(|stake| self.surrendering(place, stake)),
                    false => [0.0; 2],
                };
                ends.surrender.push(half);
                if is_possible && doubled > ends.paid[place] && !self.start.spots[place].complete {
                    ends.surrenders[place] = true;
                    ends.paid[place] = doubled;
                }
            }
        }
        ends
    }

    /// What the hand is worth in each spot that a plan leads to.
    pub(super) fn by_plan(&self, stake: Stake, plan: &HandPlan, route: &Route) -> Vec<f64> {
        let mut worth = vec![0.0; self.start.spots.len()];
        for place in route.acts.iter().rev().map(|&place| usize::from(place)) {
            if self.is_possible(place) {
                let call = plan.calls[place];
                worth[place] = self.worth_of(call, place, stake, &plan.surrenders, &worth);
            }
        }
        worth
    }

    /// How likely the hand goes over 21 by a plan and the dealer then has a natural, in each spot.
    pub(super) fn busts_then_natural(&self, plan: &HandPlan, route: &Route) -> Vec<f64> {
        let mut chance = vec![0.0; self.start.spots.len()];
        let acts = route.acts.iter().rev().map(|&place| usize::from(place));
        for place in acts.filter(|&place| self.is_possible(place)) {
            let then = |next: usize| match plan.calls[place] {
                Call::Hit => chance[next],
                _ => 0.0,
            };
            if matches!(plan.calls[place], Call::Hit | Call::Double) {
                let safe = self.drawing(place, Stake { money: 0.0, ..Stake::UNIT }, then);
                let [_, before] = self.start.busts_from(place, &self.shoe, self.dealer);
                chance[place] = safe + before;
            }
        }
        chance
    }

    #[inline]
    pub(super) fn is_possible(&self, place: usize) -> bool {
        self.room.has(&self.start.draws[place])
    }

    /// The best call in a spot, by what a hit and a double are worth.
    fn best_call(&self, place: usize, [hit, double]: [f64; 2], ends: &Ends) -> (Call, f64) {
        let spot = &self.start.spots[place];
        if spot.draws {
            return (Call::Hit, hit);
        }
        let mut best = (Call::Stand, ends.stand[place]);
        if spot.complete {
            return best;
        }
        let surrender = ends.surrender.get(place).copied();
        let open = [
            (Call::Hit, spot.hits.then_some(hit)),
            (Call::Double, spot.doubles.map(|_| double)),
            (Call::Surrender, surrender),
        ];
        for (call, worth) in open {
            if let Some(worth) = worth.filter(|worth| *worth > best.1) {
                best = (call, worth);
            }
        }
        best
    }

    /// What a call is worth in a spot, given what the spots after it are worth.
    pub(super) fn worth_of(
        &self,
        call: Call,
        place: usize,
        stake: Stake,
        surrenders: &[bool],
        worth: &[f64],
    ) -> f64 {
        match call {
            Call::Hit => self.drawing(place, stake, |next| worth[next]),
            Call::Double => {
                let doubled = self.start.doubled(place, stake);
                self.drawing(place, doubled, |next| match surrenders[next] {
                    true => self.surrendering(next, doubled),
                    false => self.standing(next, doubled),
                })
            }
            Call::Surrender => self.surrendering(place, stake),
            _ => self.standing(place, stake),
        }
    }

    /// What a hand is worth that takes one card with this stake and then stands, or surrenders if
    /// that is better.
    pub(super) fn doubling(&self, place: usize, doubled: Stake) -> f64 {
        self.drawing(place, doubled, |next| {
            let standing = self.standing(next, doubled);
            match self.start.surrender.is_some() && !self.start.spots[next].complete {
                true => standing.max(self.surrendering(next, doubled)),
                false => standing,
            }
        })
    }

    /// What standing is worth.
    #[inline]
    fn standing(&self, place: usize, stake: Stake) -> f64 {
        let lammers = match stake.lammers > 0.0 {
            true => stake.lammers * self.seen.lammers[place],
            false => 0.0,
        };
        stake.money * self.seen.money[place] + lammers - self.natural_takes(place, stake)
    }

    /// What surrender is worth.
    #[inline]
    fn surrendering(&self, place: usize, stake: Stake) -> f64 {
        let natural = self.dealer.natural(&self.shoe, &self.start.draws[place]);
        let half = self.start.surrender.unwrap_or(0.0);
        half * stake.money * (1.0 - natural) - stake.natural * natural
    }

    fn natural_takes(&self, place: usize, stake: Stake) -> f64 {
        match stake.natural > 0.0 {
            true => stake.natural * self.dealer.natural(&self.shoe, &self.start.draws[place]),
            false => 0.0,
        }
    }

    /// What standing and surrendering are worth to a hand that was doubled with money.
    pub(super) fn after_double(&self, place: usize, stake: Stake) -> [f64; 2] {
        let doubled = stake.doubled(Cost::Paid);
        [self.standing(place, doubled), self.surrendering(place, doubled)]
    }

    /// What taking one card is worth, by what the hand is worth after it.
    #[inline]
    fn drawing(&self, place: usize, stake: Stake, after: impl Fn(usize) -> f64) -> f64 {
        let draw = &self.start.draws[place];
        let left = f64::from(self.shoe.total - u16::from(draw.cards));
        let (mut sum, mut safe) = (0.0, 0.0);
        let values = usize::from(21 - self.start.low - draw.sum).min(VALUES);
        for value in 0..values {
            let cards = self.cards[value] - f64::from(draw.of[value]);
            if cards > 0.0 {
                safe += cards;
                sum += cards * after(draw.next[value].into());
            }
        }
        let bust = left - safe;
        let lost = match (self.naturals, self.dealer.natural_value()) {
            (Naturals::Apart, Some(natural)) => {
                // Cards that take the hand over 21 with one that makes a natural behind them.
                let cards = (self.cards[natural] - f64::from(draw.of[natural])).max(0.0);
                let own = if natural < values { 0.0 } else { 1.0 };
                bust - (bust - own).max(0.0) * cards / (left - 1.0)
            }
            _ => bust,
        };
        (sum - stake.money * lost) / left
    }
}

/// The sets that some way of playing can come to.
fn reached(low: u8, spots: &[Spot]) -> Vec<bool> {
    let mut reached = vec![false; spots.len()];
    reached[0] = true;
    for (place, draw) in DRAWS.within(low).iter().enumerate() {
        let spot = &spots[place];
        if reached[place] && !spot.complete && (spot.draws || spot.hits) {
            let next = draw.next.iter().map(|&next| usize::from(next));
            next.filter(|&next| next < spots.len()).for_each(|next| reached[next] = true);
        }
    }
    reached
}

/// A hand with one card of a split pair.
pub(super) fn split_hand<B: Book>(book: B, card: Card) -> Hand {
    Hand::EMPTY.with(book, card).with(book, card).split()
}
