//! The printable chart: for each total the choice that is best on average.
//!
//! A first chart follows the best play: hands of one total are weighed by how often that reaches
//! them. Then every choice is made again by how often the chart itself reaches the hands of a row,
//! split ones among them, and what they gain if the chart goes on; a pair is split if the chart gains
//! by it.

use rules::games::blackjack::Book;
use rules::round::Call;

use super::draws::{Counts, DRAWS, TEN, VALUES};
use super::hand::{BestPlay, CallWorths, Chances, HandPlan, Spot, Stake};
use super::pair::{Pair, limit, page};
use super::solve::{Analyzer, PlayBy, Siblings, Solution, UpCard, UpPlay};
use super::split::{Pending, outcomes};
use crate::strategy::{Chart, Choice, Page, ROWS, Row};
use crate::unseen::Unseen;

/// Weight of what never happens, so that every row has a choice.
const HARDLY: f64 = 1e-12;

/// How often the choices of a chart are made again.
const TIMES: u32 = 1;

impl<B: Book> Analyzer<B> {
    /// The chart that comes closest to the best play for a shoe.
    pub fn chart(&self, shoe: &Unseen, best: &Solution) -> Chart {
        let counts = Counts::new(shoe);
        let mut chart = Chart::new(B::GAME);
        for play in &best.ups {
            let left = counts.without(play.up, 1);
            let way = PlayBy::Best(Siblings::OwnCards);
            let shown = UpCard::again(self, shoe, left, play, way);
            Column { shown: &shown, play }.fill(&mut chart);
        }
        chart
    }
}

/// One up card of a chart.
struct Column<'c, 'a, B> {
    shown: &'c UpCard<'a, B>,
    play: &'c UpPlay,
}

/// With how many hands each pair is no longer split, if it is at all.
type Splits = [Option<[usize; 2]>; VALUES];

/// Hands of a split pair that carry the same, and how often they are met.
struct SplitHands<'a> {
    /// The pair among those of the best play, and whether it is the first hand, or one of the others.
    pair: usize,
    which: usize,
    chances: Chances<'a>,
    stake: Stake,
    page: Page,
    value: usize,
    often: f64,
    /// How often such a hand is a pair that is not split again.
    pairs: f64,
}

/// How hands are played.
struct HandsPlayed {
    plan: HandPlan,
    worths: Worths,
}

/// What is known in each spot of hands that are played.
enum Worths {
    /// What a hit and a double are worth.
    Calls(CallWorths),
    /// What the hands are worth.
    Hands(Vec<f64>),
}

impl<B: Book> Column<'_, '_, B> {
    fn fill(&self, chart: &mut Chart) {
        let (play, up) = (self.play, self.play.up);
        chart.attack[up] = play.attack;
        chart.even_money |= play.even_money;
        let splits = std::array::from_fn(|value| {
            let mut pairs = play.pairs.iter().filter(|pair| pair.value == value);
            pairs.find(|pair| pair.splits()).map(|_| [limit(self.shown.game.book, value); 2])
        });
        self.set(chart, (splits, HARDLY), |chances, stake, split| {
            let (plan, calls) = match split {
                None => (&play.whole, play.calls.as_ref()),
                Some(&SplitHands { pair, which, .. }) => {
                    let pair = &play.pairs[pair];
                    let calls = pair.calls.as_ref().map(|calls| &calls[which]);
                    ([&pair.first, &pair.others][which], calls)
                }
            };
            match calls {
                Some(calls) => {
                    HandsPlayed { plan: plan.clone(), worths: Worths::Calls(calls.clone()) }
                }
                None => {
                    let BestPlay { plan, calls, .. } = chances.best(stake);
                    HandsPlayed { plan, worths: Worths::Calls(calls) }
                }
            }
        });
        for _ in 0..TIMES {
            let before = chart.clone();
            let whole = self.shown.whole_by(&before, self.shown.stake(play.money()));
            let (splits, plans) = self.splits(&before, &whole);
            self.set(chart, (splits, 0.0), |chances, stake, split| {
                let (plan, worth) = match split {
                    None => whole.clone(),
                    Some(&SplitHands { pair, which, .. }) => {
                        let plan = plans[pair][which].clone();
                        let route = chances.start.route_from_anywhere(&plan);
                        let worth = chances.by_plan(stake, &plan, &route);
                        (plan, worth)
                    }
                };
                HandsPlayed { plan, worths: Worths::Hands(worth) }
            });
        }
    }

    /// The pairs that a chart gains by splitting, and how it plays the hands of each.
    fn splits(
        &self,
        chart: &Chart,
        (plan, worth): &(HandPlan, Vec<f64>),
    ) -> (Splits, Vec<[HandPlan; 2]>) {
        let (shown, play) = (self.shown, self.play);
        let stake = shown.stake(play.money());
        let (mut splits, mut sums) = ([[1; 2]; VALUES], [0.0; VALUES]);
        let mut plans = Vec::new();
        for pair in &play.pairs {
            let value = pair.value;
            let place = DRAWS.find([value; 2]).expect("two cards are within 21");
            let limit = limit(shown.game.book, value);
            // Only Double Attack has choices for the hands after the first.
            let others = if B::ATTACK && limit > 2 { &[limit, 2][..] } else { &[limit] };
            let most: Vec<_> = others.iter().map(|&others| [limit, others]).collect();
            let kind = (value, pair.matching);
            let split = Pair::new(shown, kind, play.money(), shown.apart(place));
            let whole = (plan, &worth[..]);
            let (most, gain, played) = split.by_splitting(chart, whole, stake, &most, pair);
            splits[value] = splits[value].max(most);
            sums[value] += pair.share * gain;
            plans.push(played);
        }
        let gains = |value: usize| sums[value] > 0.0 && splits[value][0] > 1;
        (std::array::from_fn(|value| gains(value).then_some(splits[value])), plans)
    }

    /// Makes every choice by how hands of each kind are played. What
    /// never happens weighs `hardly` anything; choices without weight stay.
    fn set(
        &self,
        chart: &mut Chart,
        (splits, hardly): (Splits, f64),
        play: impl Fn(&Chances<'_>, Stake, Option<&SplitHands<'_>>) -> HandsPlayed,
    ) {
        let (shown, up) = (self.shown, self.play.up);
        let mut rows = Rows::new(hardly);
        let stake = shown.stake(self.play.money());
        let played = play(&shown.chances, stake, None);
        let mut weights = self.first_two_cards(splits);
        reach(&shown.chances, &played.plan, &mut weights, None);
        let tens_match = shown.game.tens_match();
        let pair = |spot: &Spot| match spot.pair {
            true => Some(pair_value(spot)).filter(|&value| value != TEN || tens_match),
            false => None,
        };
        rows.add(Page::Paid, &shown.chances, stake, &played, &weights, pair);
        for hands in self.split_hands(splits) {
            let SplitHands { chances, stake, page, value, often, pairs, .. } = &hands;
            let played = play(chances, *stake, Some(&hands));
            let mut weights = vec![0.0; chances.start.spots.len()];
            weights[0] = *often;
            let matched = DRAWS.find([*value]).expect("a card is within 21");
            reach(chances, &played.plan, &mut weights, Some((matched, *pairs)));
            let pair = |spot: &Spot| spot.pair.then_some(*value);
            rows.add(*page, chances, *stake, &played, &weights, pair);
        }
        for &(page, row, gains) in &rows.rows {
            let choice = gains.choice::<B>();
            chart.set(page, row, up, choice);
            if hardly > 0.0 && page == Page::Paid {
                // What is known of other hands comes later.
                chart.set(Page::Free, row, up, choice);
                if let Row::Pair(_) = row {
                    chart.set(Page::Split, row, up, choice);
                }
            }
        }
        for &(page, row, gains) in rows.rows.iter().filter(|row| row.0 != Page::Paid) {
            chart.set(page, row, up, gains.choice::<B>());
        }
        if !tens_match {
            // The same cards, but for their ranks.
            let otherwise = chart.choice(Page::Paid, Row::Hard(20), up);
            chart.set(Page::Paid, Row::Pair(TEN), up, otherwise);
        }
        for (value, most) in splits.into_iter().enumerate() {
            for page in [Page::Paid, Page::Split, Page::Free] {
                let again = |most: &[usize; 2]| page == Page::Paid || most[1] > 2;
                let split = most.filter(again).map(|_| Call::Split);
                let otherwise = chart.choice(page, Row::Pair(value), up).without(Call::Split);
                let choice = Choice::of(split.into_iter().chain(otherwise.iter()));
                chart.set(page, Row::Pair(value), up, choice);
            }
        }
    }

    /// How often hands that are not split have each two cards.
    fn first_two_cards(&self, splits: Splits) -> Vec<f64> {
        let mut weights = vec![0.0; self.shown.game.whole().spots.len()];
        for (one, other) in (0..VALUES).flat_map(|one| (one..VALUES).map(move |b| (one, b))) {
            let place = DRAWS.find([one, other]).expect("two cards are within 21");
            let split: f64 = match one == other && splits[one].is_some() {
                true => self.play.pairs.iter().filter(|p| p.value == one).map(|p| p.share).sum(),
                false => 0.0,
            };
            weights[place] = self.shown.shoe.chance_of_two(one, other) * (1.0 - split);
        }
        weights
    }

    /// The hands of split pairs.
    fn split_hands(&self, splits: Splits) -> Vec<SplitHands<'_>> {
        let (shown, mut list) = (self.shown, Vec::new());
        for (nth, play) in self.play.pairs.iter().enumerate() {
            let value = play.value;
            let Some(most) = splits[value] else { continue };
            let pair = Pair::new(shown, (value, play.matching), self.play.money(), 0.0);
            let split = pair.split;
            let (mut hands, mut pairs) = ([1.0, 0.0], [0.0; 2]);
            let pending = Pending { hands: 2, open: 2, most };
            for second in outcomes(split.seconds(), pending) {
                let closed = second.closed + usize::from(second.first_closed);
                let matches = second.chance * split.seconds().match_next(second.matched, closed);
                hands[1] += second.chance * (second.closed + second.open) as f64;
                pairs[0] += if second.first_closed { 0.0 } else { matches };
                pairs[1] += matches * second.open as f64;
            }
            let often = shown.shoe.chance_of_two(value, value) * play.share;
            for which in 0..2 {
                let stake = Stake { natural: shown.naturals.taken(), ..split.stakes[which] };
                let chances = Chances::new(split.start, split.dealer, split.shoe, split.naturals);
                let chances = match play.seen.first() {
                    Some(seen) => chances.with(seen.clone()),
                    None => chances.everywhere(),
                };
                let [often, pairs] = [hands[which], pairs[which]].map(|part| often * part);
                let page = page::<B>(which, stake);
                let pair = nth;
                list.push(SplitHands { pair, which, chances, stake, page, value, often, pairs });
            }
        }
        list
    }
}

/// The value of the cards of a pair.
fn pair_value(spot: &Spot) -> usize {
    usize::from(spot.points.low() / 2) - 1
}

/// Follows a plan from the weights of spots to those after them; one of these has another weight.
fn reach(chances: &Chances<'_>, plan: &HandPlan, weights: &mut [f64], other: Option<(usize, f64)>) {
    for place in 0..weights.len() {
        if let Some((_, weight)) = other.filter(|&(spot, _)| spot == place) {
            weights[place] = weight;
        }
        if weights[place] > 0.0 && plan.calls[place] == Call::Hit {
            chances.go_on(place, weights[place], weights);
        }
    }
}

/// What all hands of a row would gain by each call, weighed.
#[derive(Clone, Copy, Default)]
struct RowGains {
    /// Of hands that may not double, by standing, hitting and surrendering.
    plain: [f64; 3],
    /// Of hands that may: by the same, and by doubling.
    instead: [f64; 3],
    double: f64,
    /// Of hands that may neither hit nor double.
    bound: [f64; 3],
}

const INSTEAD: [Call; 3] = [Call::Stand, Call::Hit, Call::Surrender];

impl RowGains {
    /// The calls in order of what they gain.
    fn choice<B: Book>(self) -> Choice {
        let best = |gains: [f64; 3]| {
            let open = [0, 2, 1].into_iter().filter(|&i| i != 2 || B::SURRENDER);
            open.fold(0, |best, i| if gains[i] > gains[best] { i } else { best })
        };
        let [stand, _, surrender] = self.bound;
        let surrenders = B::SURRENDER && surrender > stand;
        let bound = [stand, if surrenders { surrender } else { stand }, surrender];
        let rest: [f64; 3] = std::array::from_fn(|i| self.plain[i] + bound[i]);
        let all: [f64; 3] = std::array::from_fn(|i| rest[i] + self.instead[i]);
        // Hands that may double are heard as well about what else to do, but hardly.
        let beside = std::array::from_fn(|i| rest[i] + HARDLY * self.instead[i]);
        let doubles = self.double != 0.0 && self.double + rest[best(beside)] > all[best(all)];
        let then = best(if doubles { beside } else { all });
        let last = match INSTEAD[then] {
            Call::Hit if surrenders => Call::Surrender,
            Call::Hit => Call::Hit,
            Call::Surrender if all[1] - bound[1] > all[0] - bound[0] => Call::Hit,
            _ => Call::Stand,
        };
        Choice::of(doubles.then_some(Call::Double).into_iter().chain([INSTEAD[then], last]))
    }
}

/// The rows of a chart, tallied.
struct Rows {
    rows: Vec<(Page, Row, RowGains)>,
    /// Where each row lies.
    places: [[Option<usize>; ROWS]; Page::ALL.len()],
    /// What is added to each weight.
    hardly: f64,
}

impl Rows {
    fn new(hardly: f64) -> Rows {
        Rows { rows: Vec::new(), places: [[None; ROWS]; Page::ALL.len()], hardly }
    }

    fn of(&mut self, page: Page, row: Row) -> &mut RowGains {
        let place = &mut self.places[page as usize][row.place()];
        let at = *place.get_or_insert_with(|| {
            self.rows.push((page, row, RowGains::default()));
            self.rows.len() - 1
        });
        &mut self.rows[at].2
    }

    /// Adds hands of a page; `pair` knows which are in the row of a pair.
    fn add(
        &mut self,
        page: Page,
        chances: &Chances<'_>,
        stake: Stake,
        HandsPlayed { plan, worths }: &HandsPlayed,
        weights: &[f64],
        pair: impl Fn(&Spot) -> Option<usize>,
    ) {
        let start = chances.start;
        let totals = if page == Page::Split { Page::Paid } else { page };
        for (place, spot) in start.spots.iter().enumerate() {
            let weight = weights[place] + self.hardly;
            if spot.draws || spot.complete || weight == 0.0 || !chances.is_possible(place) {
                continue;
            }
            let by = |call| match (worths, call) {
                _ if !start.is_open(call, spot) => 0.0,
                (Worths::Calls(calls), Call::Hit) => calls.at(place)[0],
                (Worths::Calls(calls), Call::Double) => calls.at(place)[1],
                (Worths::Calls(_), _) => chances.ending(call, place, stake),
                (Worths::Hands(worth), _) => {
                    chances.worth_of(call, place, stake, &plan.surrenders, worth)
                }
            };
            let (gains, double) = (INSTEAD.map(by), by(Call::Double));
            let doubles = start.is_open(Call::Double, spot);
            let mut add = |page: Page, row: Row, weight: f64| {
                let row = self.of(page, row);
                let onto = match spot.hits {
                    false => &mut row.bound,
                    true if doubles => &mut row.instead,
                    true => &mut row.plain,
                };
                gains.iter().zip(onto).for_each(|(gain, onto)| *onto += weight * gain);
                row.double += weight * double;
            };
            let total = Row::of(spot.points, None);
            match pair(spot) {
                Some(value) => {
                    add(page, Row::Pair(value), weight);
                    add(totals, total, HARDLY);
                }
                None => add(totals, total, weight),
            }
        }
        self.add_doubled(chances, stake, plan, weights);
    }

    /// Adds hands that have doubled with money and taken their card.
    fn add_doubled(
        &mut self,
        chances: &Chances<'_>,
        stake: Stake,
        plan: &HandPlan,
        weights: &[f64],
    ) {
        let start = chances.start;
        if start.surrender.is_none() {
            return;
        }
        let mut landed = vec![self.hardly; start.spots.len()];
        for (place, &weight) in weights.iter().enumerate() {
            if weight > 0.0 && plan.calls[place] == Call::Double {
                chances.go_on(place, weight, &mut landed);
            }
        }
        for (place, spot) in start.spots.iter().enumerate() {
            if !spot.draws && !spot.complete && landed[place] > 0.0 && chances.is_possible(place) {
                let [stand, surrender] = chances.after_double(place, stake);
                let gains = &mut self.of(Page::Doubled, Row::of(spot.points, None)).bound;
                gains[0] += landed[place] * stand;
                gains[2] += landed[place] * surrender;
            }
        }
    }
}
