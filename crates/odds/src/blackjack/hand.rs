//! One hand against the dealer: what it may do, and what each act is worth.

use std::cell::OnceCell;
use std::sync::Arc;

use rules::card::Card;
use rules::games::blackjack::{Book, Cost, Hand, Points, most_double};
use rules::round::{Call, Ruling};

use super::dealer::{ByTotal, Dealer, Payments, StandValues};
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
    /// The most money that is kept for doubling it.
    pub(super) kept: f64,
}

impl Stake {
    pub(super) const UNIT: Stake =
        Stake { money: 1.0, lammers: 0.0, natural: 0.0, kept: f64::INFINITY };
    pub(super) const LAMMER: Stake = Stake { money: 0.0, lammers: 1.0, ..Stake::UNIT };

    /// What a hand with this stake has on it once doubled.
    fn doubled(self, cost: Cost) -> Stake {
        match cost {
            Cost::Free => Stake { lammers: self.lammers + 1.0, ..self },
            Cost::Paid => {
                let added = most_double(self.money, self.lammers).min(self.kept);
                Stake { money: self.money + added, ..self }
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
    /// What surrender pays, if the book has it.
    pub(super) surrender: Option<Payments>,
    /// Beside the sets of [`DRAWS`].
    pub(super) spots: Vec<Spot>,
    /// Every set with which the hand can stand.
    stands: ByTotal,
    /// Whether it can double for free.
    pub(super) doubles_free: bool,
}

impl Start {
    pub(super) fn new<B: Book>(book: B, payments: Payments, hand: Hand) -> Start {
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
        let surrender = B::SURRENDER.then_some(payments);
        let reached = reached(low, &spots);
        let is_free =
            |(spot, reached): (&Spot, &bool)| *reached && spot.doubles == Some(Cost::Free);
        let doubles_free = spots.iter().zip(&reached).any(is_free);
        let draws = DRAWS.within(low);
        let mut start = Start { low, draws, surrender, spots, stands: Vec::new(), doubles_free };
        start.stands = start.by_total(&reached);
        start
    }

    /// What surrendering a stake gains.
    fn half(&self, stake: Stake) -> f64 {
        self.surrender.map_or(0.0, |payments| payments.gain(Ruling::TakeHalf, stake.money))
    }

    /// How many values do not take the hand over 21 with the next card: the lowest ones.
    fn values(&self, draw: &Draw) -> usize {
        usize::from(21 - self.low - draw.sum).min(VALUES)
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
        (0..self.values(draw))
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
    fn next<'a>(&self, draw: &'a Draw) -> impl Iterator<Item = usize> + use<'a> {
        draw.next[..self.values(draw)].iter().map(|&next| usize::from(next))
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
        let mut is_on = vec![false; self.spots.len()];
        from.into_iter().for_each(|place| is_on[place] = true);
        let mut acts = Vec::with_capacity(self.spots.len());
        for (place, draw) in (0..).zip(self.draws) {
            if is_on[usize::from(place)] {
                acts.push(place);
                if plan.calls[usize::from(place)] == Call::Hit {
                    self.next(draw).for_each(|next| is_on[next] = true);
                }
            }
        }
        Route { acts }
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

/// What a hand gains if it takes no more cards, other than by standing, by the cards that it has drawn.
struct Ends {
    /// By surrendering; empty if the book has no surrender.
    surrender: Vec<f64>,
    /// Whether a hand that was doubled with money surrenders.
    surrenders: Vec<bool>,
    /// Once it was doubled with money.
    paid: Vec<f64>,
    /// Once it was doubled for free; empty if it cannot be.
    free: Vec<f64>,
}

/// What a hit and a double are worth in each spot in which they are open.
#[derive(Clone, Debug)]
pub(super) struct CallWorths {
    /// From the last spot to the first.
    hits_and_doubles: Arc<Vec<[f64; 2]>>,
    times: f64,
}

impl CallWorths {
    /// With so many times the stake.
    pub(super) fn times(&self, times: f64) -> CallWorths {
        CallWorths { times: self.times * times, ..self.clone() }
    }

    /// What a hit and a double are worth in a spot.
    pub(super) fn at(&self, place: usize) -> [f64; 2] {
        let worths = self.hits_and_doubles[self.hits_and_doubles.len() - 1 - place];
        worths.map(|worth| self.times * worth)
    }
}

/// The best play of a hand.
pub(super) struct BestPlay {
    pub(super) plan: HandPlan,
    /// What the hand is worth in each spot.
    pub(super) worth: Vec<f64>,
    pub(super) calls: CallWorths,
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
    /// How likely the dealer has a natural, in each spot; as soon as that is asked for.
    natural_chances: OnceCell<Vec<f64>>,
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
        let (seen, natural_chances) = (Arc::default(), OnceCell::new());
        Chances { start, dealer, shoe, cards, room, naturals, seen, natural_chances }
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

    /// The best plan, what the hand is worth with it in each spot, and what else could be done there.
    pub(super) fn best(&self, stake: Stake) -> BestPlay {
        let (ends, mut worth) = (self.ends(stake), self.standing_everywhere(stake));
        let (spots, doubled) = (worth.len(), [Cost::Paid, Cost::Free].map(|c| stake.doubled(c)));
        let [money, paid, free] = [stake, doubled[0], doubled[1]].map(|stake| stake.money);
        let mut calls = vec![Call::Stand; spots];
        let mut hits_and_doubles = Vec::with_capacity(spots);
        for place in (0..spots).rev() {
            let spot = &self.start.spots[place];
            if !self.is_possible(place) {
                hits_and_doubles.push([0.0; 2]);
                continue;
            }
            let after = match spot.doubles {
                _ if !spot.draws && !spot.hits => [0.0; 2],
                None => {
                    let [hit] = self.drawing(place, [money], |next| [worth[next]]);
                    [hit, 0.0]
                }
                Some(Cost::Paid) => {
                    let after = |next| [worth[next], ends.paid[next]];
                    self.drawing(place, [money, paid], after)
                }
                Some(Cost::Free) => {
                    let after = |next| [worth[next], ends.free[next]];
                    self.drawing(place, [money, free], after)
                }
            };
            hits_and_doubles.push(after);
            let surrender = ends.surrender.get(place).copied();
            (calls[place], worth[place]) = best_call(spot, worth[place], after, surrender);
        }
        let plan = HandPlan { calls, surrenders: ends.surrenders };
        let calls = CallWorths { hits_and_doubles: Arc::new(hits_and_doubles), times: 1.0 };
        BestPlay { plan, worth, calls }
    }

    /// What the hand gains in each spot if it takes no more cards.
    fn ends(&self, stake: Stake) -> Ends {
        let spots = &self.start.spots;
        let [paid, free] = [Cost::Paid, Cost::Free].map(|cost| stake.doubled(cost));
        let mut ends = Ends {
            surrender: Vec::new(),
            surrenders: vec![false; spots.len()],
            paid: self.standing_everywhere(paid),
            free: Vec::new(),
        };
        if self.start.doubles_free {
            ends.free = self.standing_everywhere(free);
        }
        if self.start.surrender.is_some() {
            ends.surrender = self.surrendering_everywhere(stake);
            let doubled = self.surrendering_everywhere(paid);
            for (place, spot) in spots.iter().enumerate() {
                if doubled[place] > ends.paid[place] && !spot.complete && self.is_possible(place) {
                    ends.surrenders[place] = true;
                    ends.paid[place] = doubled[place];
                }
            }
        }
        ends
    }

    /// What standing is worth in every spot, and nothing where there cannot be such a hand.
    fn standing_everywhere(&self, stake: Stake) -> Vec<f64> {
        let StandValues { money, lammers } = &*self.seen;
        let mut worth: Vec<f64> = match stake.lammers > 0.0 {
            true => {
                let gain = |(money, lammer)| stake.money * money + stake.lammers * lammer;
                money.iter().zip(lammers).map(gain).collect()
            }
            false => money.iter().map(|money| stake.money * money).collect(),
        };
        if stake.natural > 0.0 {
            let naturals = self.natural_chances().iter();
            worth
                .iter_mut()
                .zip(naturals)
                .for_each(|(worth, chance)| *worth -= stake.natural * chance);
        }
        worth
    }

    /// What surrender is worth in every spot where there can be such a hand.
    fn surrendering_everywhere(&self, stake: Stake) -> Vec<f64> {
        let half = self.start.half(stake);
        match self.dealer.natural_value() {
            None => vec![half; self.start.spots.len()],
            Some(_) => {
                let worth = |natural: &f64| half * (1.0 - natural) - stake.natural * natural;
                self.natural_chances().iter().map(worth).collect()
            }
        }
    }

    /// How likely the dealer has a natural in each spot, and nothing where there cannot be such a hand.
    fn natural_chances(&self) -> &[f64] {
        self.natural_chances.get_or_init(|| {
            let chance = |draw: &Draw| match self.room.has(draw) {
                true => self.dealer.natural(&self.shoe, draw),
                false => 0.0,
            };
            self.start.draws.iter().map(chance).collect()
        })
    }

    /// What the hand is worth in each spot that a plan leads to.
    pub(super) fn by_plan(&self, stake: Stake, plan: &HandPlan, route: &Route) -> Vec<f64> {
        let mut worth = vec![0.0; self.start.spots.len()];
        for place in route.acts.iter().rev().map(|&place| usize::from(place)) {
            if self.is_possible(place) {
                worth[place] = match plan.calls[place] {
                    call @ (Call::Hit | Call::Double) => {
                        self.worth_of(call, place, stake, &plan.surrenders, &worth)
                    }
                    call => self.ending(call, place, stake),
                };
            }
        }
        worth
    }

    /// The same in several shoes at once. `worth` may come from another plan for the same shoes.
    pub(super) fn by_plan_in_each<const SHOES: usize>(
        shoes: &[Chances<'_>; SHOES],
        stake: Stake,
        plan: &HandPlan,
        route: &Route,
        worth: &mut [[f64; SHOES]],
    ) {
        let start = shoes[0].start;
        let cards: [[f64; SHOES]; VALUES] =
            std::array::from_fn(|value| shoes.each_ref().map(|shoe| shoe.cards[value]));
        for place in route.acts.iter().rev().map(|&place| usize::from(place)) {
            let (draw, call) = (&start.draws[place], plan.calls[place]);
            let (mut sums, mut safe) = ([0.0; SHOES], [0.0; SHOES]);
            if call == Call::Hit {
                for value in 0..start.values(draw) {
                    let after = worth[usize::from(draw.next[value])];
                    for shoe in 0..SHOES {
                        let cards = cards[value][shoe] - f64::from(draw.of[value]);
                        safe[shoe] += cards;
                        sums[shoe] += cards * after[shoe];
                    }
                }
            }
            for (shoe, chances) in shoes.iter().enumerate().filter(|(_, c)| c.is_possible(place)) {
                worth[place][shoe] = match call {
                    Call::Hit => chances.drawn(draw, [sums[shoe]], safe[shoe], [stake.money])[0],
                    Call::Double => chances.worth_of(call, place, stake, &plan.surrenders, &[]),
                    _ => chances.ending(call, place, stake),
                };
            }
        }
    }

    /// How likely the hand wins by a plan, and how likely it is pushed, from the spot where it begins; a
    /// dealer's natural counts as neither. The dealer must know about wins.
    pub(super) fn won_and_pushed(&self, plan: &HandPlan, route: &Route) -> [f64; 2] {
        let ended = |place: usize| {
            let [won, lost] = self.won_and_lost(place);
            let natural = self.dealer.natural(&self.shoe, &self.start.draws[place]);
            [won, (1.0 - natural - won - lost).max(0.0)]
        };
        let mut chances = vec![[0.0; 2]; self.start.spots.len()];
        let acts = route.acts.iter().rev().map(|&place| usize::from(place));
        for place in acts.filter(|&place| self.is_possible(place)) {
            chances[place] = match plan.calls[place] {
                Call::Hit => self.drawing(place, [0.0; 2], |next| chances[next]),
                Call::Double => self.drawing(place, [0.0; 2], |next| match plan.surrenders[next] {
                    true => [0.0; 2],
                    false => ended(next),
                }),
                Call::Surrender => [0.0; 2],
                _ => ended(place),
            };
        }
        chances[0]
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
                let [safe] = self.drawing(place, [0.0], |next| [then(next)]);
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
            Call::Hit => self.drawing(place, [stake.money], |next| [worth[next]])[0],
            Call::Double => {
                let doubled = self.start.doubled(place, stake);
                let after = |next: usize| match surrenders[next] {
                    true => self.surrendering(next, doubled),
                    false => self.standing(next, doubled),
                };
                self.drawing(place, [doubled.money], |next| [after(next)])[0]
            }
            _ => self.ending(call, place, stake),
        }
    }

    /// What surrendering is worth in a spot, or standing.
    #[inline(always)]
    pub(super) fn ending(&self, call: Call, place: usize, stake: Stake) -> f64 {
        match call {
            Call::Surrender => self.surrendering(place, stake),
            _ => self.standing(place, stake),
        }
    }

    /// What a hand is worth that takes one card with this stake and then stands, or surrenders if
    /// that is better.
    pub(super) fn doubling(&self, place: usize, doubled: Stake) -> f64 {
        let after = |next: usize| {
            let standing = self.standing(next, doubled);
            match self.start.surrender.is_some() && !self.start.spots[next].complete {
                true => standing.max(self.surrendering(next, doubled)),
                false => standing,
            }
        };
        self.drawing(place, [doubled.money], |next| [after(next)])[0]
    }

    /// What standing is worth.
    #[inline(always)]
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
        let half = self.start.half(stake);
        match self.dealer.natural_value() {
            None => half,
            Some(_) => {
                let natural = self.natural_chances()[place];
                half * (1.0 - natural) - stake.natural * natural
            }
        }
    }

    #[inline]
    fn natural_takes(&self, place: usize, stake: Stake) -> f64 {
        match stake.natural > 0.0 {
            true => stake.natural * self.natural_chances()[place],
            false => 0.0,
        }
    }

    /// What standing and surrendering are worth to a hand that was doubled with money.
    pub(super) fn after_double(&self, place: usize, stake: Stake) -> [f64; 2] {
        let doubled = stake.doubled(Cost::Paid);
        [self.standing(place, doubled), self.surrendering(place, doubled)]
    }

    /// Follows hands of a spot that take one card, from their weight to those of the spots after it.
    pub(super) fn go_on(&self, place: usize, weight: f64, weights: &mut [f64]) {
        let draw = &self.start.draws[place];
        let each = weight / f64::from(self.shoe.total - u16::from(draw.cards));
        for value in 0..self.start.values(draw) {
            let cards = self.cards[value] - f64::from(draw.of[value]);
            weights[usize::from(draw.next[value])] += each * cards;
        }
    }

    /// What taking one card is worth in a spot that is possible, by what the hand is worth after it;
    /// with several stakes, of which so much is money.
    #[inline]
    fn drawing<const STAKES: usize>(
        &self,
        place: usize,
        money: [f64; STAKES],
        after: impl Fn(usize) -> [f64; STAKES],
    ) -> [f64; STAKES] {
        let draw = &self.start.draws[place];
        let (mut sums, mut safe) = ([0.0; STAKES], 0.0);
        for value in 0..self.start.values(draw) {
            let cards = self.cards[value] - f64::from(draw.of[value]);
            safe += cards;
            let after = after(draw.next[value].into());
            sums.iter_mut().zip(after).for_each(|(sum, after)| *sum += cards * after);
        }
        self.drawn(draw, sums, safe, money)
    }

    /// The same, by what hands are worth after each card, summed over all cards that do not take them over
    /// 21, and the number of these.
    #[inline]
    fn drawn<const STAKES: usize>(
        &self,
        draw: &Draw,
        sums: [f64; STAKES],
        safe: f64,
        money: [f64; STAKES],
    ) -> [f64; STAKES] {
        let left = f64::from(self.shoe.total - u16::from(draw.cards));
        let bust = left - safe;
        let lost = match (self.naturals, self.dealer.natural_value()) {
            (Naturals::Apart, Some(natural)) => {
                // Cards that take the hand over 21 with one that makes a natural behind them.
                let cards = self.cards[natural] - f64::from(draw.of[natural]);
                let own = if natural < self.start.values(draw) { 0.0 } else { 1.0 };
                bust - (bust - own).max(0.0) * cards / (left - 1.0)
            }
            _ => bust,
        };
        std::array::from_fn(|i| (sums[i] - money[i] * lost) / left)
    }
}

/// The best call in a spot, by what standing, a hit and a double, and surrender are worth.
#[inline(always)]
fn best_call(
    spot: &Spot,
    stand: f64,
    [hit, double]: [f64; 2],
    surrender: Option<f64>,
) -> (Call, f64) {
    if spot.draws {
        return (Call::Hit, hit);
    }
    let mut best = (Call::Stand, stand);
    if spot.complete {
        return best;
    }
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
