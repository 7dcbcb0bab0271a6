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

/// Where a plan leads from the beginning of a hand.
#[derive(Clone, Debug)]
pub(super) struct Route {
    /// Where the hand decides or draws.
    acts: Vec<u16>,
    /// Where it is complete, by its total.
    stands: Vec<(u8, Vec<u16>)>,
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
    pub(super) total: u8,
    pub(super) soft: bool,
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
        let surrenders = B::SURRENDER;
        let mut start = Start { low, surrenders, spots, by_total: Vec::new() };
        let reached = start.reached();
        start.by_total = start.sorted_by_total(reached);
        start
    }

    /// The sets that some way of playing can come to.
    fn reached(&self) -> Vec<u16> {
        let mut reached = vec![false; self.spots.len()];
        reached[0] = true;
        for (place, draw) in self.draws().iter().enumerate() {
            let spot = &self.spots[place];
            if reached[place] && !spot.complete && (spot.draws || spot.hits) {
                for next in self.next(draw) {
                    reached[next] = true;
                }
            }
        }
        (0..).zip(reached).filter(|(_, reached)| *reached).map(|(place, _)| place).collect()
    }

    /// The sets with one card more, each with the chance of that card, but for those over 21.
    pub(super) fn draws_from(&self, place: usize, shoe: &Counts) -> Vec<(usize, f64)> {
        let draw = &self.draws()[place];
        let left = f64::from(shoe.total - u16::from(draw.cards));
        let cards = |value: usize| shoe.of[value].saturating_sub(draw.of[value].into());
        (0..VALUES)
            .map(|value| (usize::from(draw.next[value]), f64::from(cards(value)) / left))
            .filter(|&(next, chance)| next < self.spots.len() && chance > 0.0)
            .collect()
    }

    /// How likely the next card takes the hand over 21, and how likely a natural comes after it.
    pub(super) fn busts_from(&self, place: usize, shoe: &Counts, dealer: &Dealer) -> [f64; 2] {
        let draw = &self.draws()[place];
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

    /// The sets with which a hand can stand, as far as a shoe has the cards, by its total.
    pub(super) fn stands_in(&self, shoe: &Counts) -> Vec<(u8, Vec<u16>)> {
        let possible = |place: &u16| {
            let draw = &self.draws()[usize::from(*place)];
            (0..VALUES).all(|value| u16::from(draw.of[value]) <= shoe.of[value])
        };
        let each = self.by_total.iter();
        each.map(|(total, places)| (*total, places.iter().copied().filter(possible).collect()))
            .collect()
    }

    /// The sets with one card more with which the hand is not over 21.
    fn next<'a>(&'a self, draw: &'a Draw) -> impl Iterator<Item = usize> + 'a {
        let next = draw.next.iter().map(|&next| usize::from(next));
        next.filter(|&next| next < self.spots.len())
    }

    /// Those of these sets with which a hand can stand, by its total.
    fn sorted_by_total(&self, places: Vec<u16>) -> Vec<(u8, Vec<u16>)> {
        let mut by_total: Vec<(u8, Vec<u16>)> = (0..=21).map(|total| (total, vec![])).collect();
        for place in places {
            let spot = &self.spots[usize::from(place)];
            if !spot.draws {
                by_total[usize::from(spot.total)].1.push(place);
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
            Call::Surrender => self.surrenders,
            _ => false,
        }
    }

    /// Where a plan leads from the hand to begin with.
    pub(super) fn route(&self, plan: &Plan) -> Route {
        self.route_from(plan, [0])
    }

    /// Where a plan leads from anywhere.
    pub(super) fn route_from_anywhere(&self, plan: &Plan) -> Route {
        let decides = self.spots.iter().enumerate().filter(|(_, spot)| !spot.draws);
        self.route_from(plan, decides.map(|(place, _)| place))
    }

    fn route_from(&self, plan: &Plan, from: impl IntoIterator<Item = usize>) -> Route {
        let spots = self.spots.len();
        let (mut acts, mut stands) = (vec![false; spots], vec![false; spots]);
        from.into_iter().for_each(|place| acts[place] = true);
        for (place, draw) in self.draws().iter().enumerate() {
            match plan.calls[place] {
                _ if !acts[place] => {}
                Call::Hit => self.next(draw).for_each(|next| acts[next] = true),
                Call::Double => {
                    let on = self.next(draw).filter(|&next| !plan.gives_up[next]);
                    on.for_each(|next| stands[next] = true);
                }
                Call::Stand => stands[place] = true,
                _ => {}
            }
        }
        let places = |marks: Vec<bool>| {
            (0..).zip(marks).filter(|(_, mark)| *mark).map(|(place, _)| place).collect()
        };
        Route { acts: places(acts), stands: self.sorted_by_total(places(stands)) }
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
    /// Whether no set of cards can be out of reach.
    ample: bool,
    pub(super) naturals: Naturals,
    /// What a completed hand gains for a unit of money, by the cards drawn.
    money: Vec<f64>,
    /// The same for lammers, where there are any.
    lammers: Vec<f64>,
}

impl<'a> Chances<'a> {
    /// The chances of a hand whose cards are no longer in the shoe, wherever it can come to.
    pub(super) fn new(
        start: &'a Start,
        dealer: &'a Dealer,
        shoe: Counts,
        naturals: Naturals,
        lammers: bool,
    ) -> Chances<'a> {
        let mut chances = Chances::unseen(start, dealer, shoe, naturals);
        chances.look_at(&start.by_total, lammers);
        chances
    }

    /// The same, but only where plans lead.
    pub(super) fn along(
        start: &'a Start,
        dealer: &'a Dealer,
        shoe: Counts,
        naturals: Naturals,
        lammers: bool,
        routes: &[&Route],
    ) -> Chances<'a> {
        let mut chances = Chances::unseen(start, dealer, shoe, naturals);
        for route in routes {
            chances.look_at(&route.stands, lammers);
        }
        chances
    }

    /// The same without a look at how the dealer's hand ends.
    pub(super) fn unseen(
        start: &'a Start,
        dealer: &'a Dealer,
        shoe: Counts,
        naturals: Naturals,
    ) -> Chances<'a> {
        let ample = (0..VALUES).all(|value| usize::from(shoe.of[value]) > 21 / (value + 1));
        let (money, lammers) = (Vec::new(), Vec::new());
        Chances { start, dealer, shoe, ample, naturals, money, lammers }
    }

    fn look_at(&mut self, by_total: &[(u8, Vec<u16>)], lammers: bool) {
        self.money.resize(self.start.spots.len(), 0.0);
        if lammers {
            self.lammers.resize(self.start.spots.len(), 0.0);
        }
        let mut possible = Vec::new();
        for (total, places) in by_total {
            possible.clear();
            possible.extend(places.iter().filter(|&&place| self.is_possible(place.into())));
            self.dealer.expect(Asked::Money, *total, &self.shoe, &possible, &mut self.money);
            if lammers {
                let out = &mut self.lammers;
                self.dealer.expect(Asked::Lammer, *total, &self.shoe, &possible, out);
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
    pub(super) fn by_plan(&self, stake: Stake, plan: &Plan, route: &Route) -> Vec<f64> {
        let mut worth = vec![0.0; self.start.spots.len()];
        for place in route.acts.iter().rev().map(|&place| usize::from(place)) {
            if self.is_possible(place) {
                let call = plan.calls[place];
                worth[place] = self.worth_of(call, place, stake, &plan.gives_up, &worth);
            }
        }
        worth
    }

    /// How likely the hand goes over 21 by a plan and the dealer then has a natural, in each spot.
    pub(super) fn busts_then_natural(&self, plan: &Plan, route: &Route) -> Vec<f64> {
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

    pub(super) fn is_possible(&self, place: usize) -> bool {
        let draw = &self.start.draws()[place];
        self.ample || (0..VALUES).all(|value| u16::from(draw.of[value]) <= self.shoe.of[value])
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
            if self.start.is_open(call, spot) {
                let value = self.worth_of(call, place, stake, gives_up, worth);
                if value > best.1 {
                    best = (call, value);
                }
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
        gives_up: &[bool],
        worth: &[f64],
    ) -> f64 {
        match call {
            Call::Hit => self.drawing(place, stake, |next| worth[next]),
            Call::Double => {
                let doubled = self.start.doubled(place, stake);
                self.drawing(place, doubled, |next| match gives_up[next] {
                    true => self.giving_up(next, doubled),
                    false => self.standing(next, doubled),
                })
            }
            Call::Surrender => self.giving_up(place, stake),
            _ => self.standing(place, stake),
        }
    }

    /// What a hand is worth that takes one card with this stake and then stands, or gives up where
    /// that is better.
    pub(super) fn doubling(&self, place: usize, doubled: Stake) -> f64 {
        self.drawing(place, doubled, |next| {
            let standing = self.standing(next, doubled);
            match self.start.surrenders && !self.start.spots[next].complete {
                true => standing.max(self.giving_up(next, doubled)),
                false => standing,
            }
        })
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

    /// What standing and giving up are worth to a hand that was doubled with money.
    pub(super) fn after_double(&self, place: usize, stake: Stake) -> [f64; 2] {
        let doubled = stake.doubled(Cost::Paid);
        [self.standing(place, doubled), self.giving_up(place, doubled)]
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
            Naturals::Apart if self.dealer.natural_value().is_none() => f64::from(bust),
            Naturals::Apart => {
                let [_, before] = self.start.busts_from(place, &self.shoe, self.dealer);
                f64::from(bust) - before * left
            }
        };
        (sum - stake.money * lost) / left
    }
}

/// A hand with one card of a split pair.
pub(super) fn split_hand<B: Book>(book: B, card: Card) -> Hand {
    Hand::EMPTY.with(book, card).with(book, card).split()
}
