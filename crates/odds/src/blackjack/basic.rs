//! The printable chart: for each total the choice that is best on average.
//!
//! Hands of one total are weighted by how often the best play reaches them; after a choice, play
//! continues as is best.

use rules::games::blackjack::Book;
use rules::round::Call;

use super::draws::{Counts, DRAWS, TEN, VALUES};
use super::hand::{Chances, HandPlan, Lammers, Stake, Start};
use super::pair::{limit, stakes};
use super::solve::{Analyzer, PlayBy, Siblings, Solution, UpCard, UpPlay};
use crate::strategy::{Chart, Choice, Page, Row};
use crate::unseen::Unseen;

/// Weight of what never happens, so that every row has a choice.
const HARDLY: f64 = 1e-12;

impl<B: Book> Analyzer<B> {
    /// The chart that comes closest to the best play for a shoe.
    pub fn chart(&self, shoe: &Unseen, best: &Solution) -> Chart {
        let counts = Counts::new(shoe);
        let mut chart = Chart::new(B::GAME);
        for play in &best.ups {
            let left = counts.without(play.up, 1);
            let way = PlayBy::Best(Siblings::OwnCards);
            let shown = UpCard::again(self, shoe, left, play, way);
            Column { shown: &shown, play, chart: &mut chart }.fill();
        }
        chart
    }
}

/// One up card of a chart.
struct Column<'c, 'a, B> {
    shown: &'c UpCard<'a, B>,
    play: &'c UpPlay,
    chart: &'c mut Chart,
}

/// What all hands of a row would gain by each call, weighed.
#[derive(Clone, Copy, Default)]
struct RowGains {
    stand: f64,
    hit: f64,
    surrender: f64,
    /// Where a double is open: by it, and by what else there is.
    double: f64,
    instead: [f64; 3],
}

const INSTEAD: [Call; 3] = [Call::Stand, Call::Hit, Call::Surrender];

impl<B: Book> Column<'_, '_, B> {
    fn fill(&mut self) {
        let (shown, play, up) = (self.shown, self.play, self.play.up);
        self.chart.attack[up] = play.attack;
        self.chart.even_money |= play.even_money;
        let stake = shown.stake(play.money());
        let start = shown.game.whole();
        let (plan, worth) = shown.chances.best(stake);
        let weights = self.weights(start, &plan, &shown.shoe, |w| self.deal(w));
        let mut tallies = Rows::default();
        tallies.add(&shown.chances, stake, (&plan, &worth), &weights);
        self.set_rows(Page::Paid, &tallies);
        if B::SURRENDER {
            self.set_doubled(stake, &plan, &weights);
        }
        self.pairs(Page::Paid, &shown.chances, stake, (&plan, &worth));
        if Analyzer::<B>::LAMMERS {
            self.free();
        }
    }

    /// Puts the weights of the first two cards, of hands that are not split.
    fn deal(&self, weights: &mut [f64]) {
        for one in 0..VALUES {
            for other in one..VALUES {
                let place = DRAWS.find([one, other]).expect("two cards are within 21");
                let splits = self.play.pairs.iter().any(|p| p.value == one && p.most > 1);
                if !(one == other && splits) {
                    weights[place] += self.shown.shoe.chance_of_two(one, other);
                }
            }
        }
    }

    /// How often a plan reaches each spot.
    fn weights(
        &self,
        start: &Start,
        plan: &HandPlan,
        shoe: &Counts,
        deal: impl Fn(&mut [f64]),
    ) -> Vec<f64> {
        let mut weights = vec![0.0; start.spots.len()];
        deal(&mut weights);
        for place in 0..weights.len() {
            if weights[place] > 0.0 && plan.calls[place] == Call::Hit {
                for (next, chance) in start.draws_from(place, shoe) {
                    weights[next] += weights[place] * chance;
                }
            }
        }
        weights
    }

    fn set_rows(&mut self, page: Page, rows: &Rows) {
        for (row, tally) in rows.all() {
            self.chart.set(page, row, self.play.up, tally.choice::<B>());
        }
    }

    /// What doubled hands do.
    fn set_doubled(&mut self, stake: Stake, plan: &HandPlan, weights: &[f64]) {
        let (shown, start) = (self.shown, self.shown.game.whole());
        let mut landed = vec![HARDLY; start.spots.len()];
        for (place, &weight) in weights.iter().enumerate() {
            if weight > 0.0 && plan.calls[place] == Call::Double {
                for (next, chance) in start.draws_from(place, &shown.shoe) {
                    landed[next] += weight * chance;
                }
            }
        }
        let mut rows = Rows::default();
        for (place, spot) in start.spots.iter().enumerate() {
            if !spot.draws && !spot.complete && shown.chances.is_possible(place) {
                let [stand, surrender] = shown.chances.after_double(place, stake);
                let tally = rows.of(Row::of(spot.points, None));
                tally.stand += landed[place] * stand;
                tally.surrender += landed[place] * surrender;
            }
        }
        for (row, tally) in rows.all() {
            let surrenders = (tally.surrender > tally.stand).then_some(Call::Surrender);
            let choice = Choice::of(surrenders.into_iter().chain([Call::Stand]));
            self.chart.set(Page::Doubled, row, self.play.up, choice);
        }
    }

    /// Pairs: whether to split, and what to do where that is not open.
    fn pairs(
        &mut self,
        page: Page,
        chances: &Chances<'_>,
        stake: Stake,
        (plan, worth): (&HandPlan, &[f64]),
    ) {
        for value in 0..VALUES {
            let place = DRAWS.find([value, value]).expect("two cards are within 21");
            let splits = self.play.pairs.iter().any(|p| p.value == value && p.most > 1);
            let mut rows = Rows::default();
            let otherwise = match value == TEN && !self.shown.game.tens_match() {
                // The same cards, but for their ranks.
                true => self.chart.choice(page, Row::Hard(20), self.play.up),
                false if chances.is_possible(place) => {
                    let mut weights = vec![0.0; worth.len()];
                    weights[place] = 1.0;
                    rows.add_places(chances, stake, (plan, worth), &weights, [place]);
                    rows.all().next().map_or(Choice::STAND, |(_, tally)| tally.choice::<B>())
                }
                false => Choice::STAND,
            };
            let split = splits.then_some(Call::Split);
            let choice = Choice::of(split.into_iter().chain(otherwise.iter()));
            self.chart.set(page, Row::Pair(value), self.play.up, choice);
        }
    }

    /// Hands that carry a lammer, which come of split pairs alone.
    fn free(&mut self) {
        let (shown, up) = (self.shown, self.play.up);
        let dealer = shown.game.dealer(up);
        let mut rows = Rows::default();
        let mut pairs = Vec::new();
        for pair in &self.play.pairs {
            let value = pair.value;
            let [_, stake] = stakes(shown.game.book, value, 1.0);
            if stake.lammers == 0.0 {
                continue;
            }
            let shoe = shown.shoe.without(value, 2);
            let start = shown.game.split(value);
            let chances = match pair.seen.clone() {
                Some(seen) => Chances::new(start, dealer, shoe, shown.naturals).with(seen),
                None => Chances::new(start, dealer, shoe, shown.naturals).everywhere(Lammers::All),
            };
            let (plan, worth) = chances.best(stake);
            let often = match pair.most > 1 {
                true => shown.shoe.chance_of_two(value, value),
                false => HARDLY,
            };
            let weights = self.weights(start, &plan, &shoe, |weights| weights[0] = often);
            rows.add(&chances, stake, (&plan, &worth), &weights);
            let matched = DRAWS.find([value]).expect("a card is within 21");
            if chances.is_possible(matched) {
                let mut tally = Rows::default();
                let mut weights = vec![0.0; worth.len()];
                weights[matched] = 1.0;
                tally.add_places(&chances, stake, (&plan, &worth), &weights, [matched]);
                let otherwise = tally.all().next().map(|(_, tally)| tally.choice::<B>());
                let again = pair.most > 1 && limit(shown.game.book, value) > 2;
                pairs.push((value, again, otherwise.unwrap_or(Choice::STAND)));
            }
        }
        self.set_rows(Page::Free, &rows);
        for (value, again, otherwise) in pairs {
            let split = again.then_some(Call::Split);
            let choice = Choice::of(split.into_iter().chain(otherwise.iter()));
            self.chart.set(Page::Free, Row::Pair(value), up, choice);
        }
    }
}

impl RowGains {
    /// The calls in order of what they gain.
    fn choice<B: Book>(self) -> Choice {
        let plain = [self.stand, self.hit, self.surrender];
        let best = (0..3)
            .filter(|&i| i < 2 || B::SURRENDER)
            .fold(0, |best, i| if plain[i] > plain[best] { i } else { best });
        let fallback = usize::from(self.hit > self.stand);
        let double =
            (self.double > self.instead[best] && self.double != 0.0).then_some(Call::Double);
        Choice::of(double.into_iter().chain([INSTEAD[best], INSTEAD[fallback]]))
    }
}

/// The rows of a page, tallied.
#[derive(Default)]
struct Rows {
    rows: Vec<(Row, RowGains)>,
}

impl Rows {
    fn of(&mut self, row: Row) -> &mut RowGains {
        let at = match self.rows.iter().position(|(other, _)| *other == row) {
            Some(at) => at,
            None => {
                self.rows.push((row, RowGains::default()));
                self.rows.len() - 1
            }
        };
        &mut self.rows[at].1
    }

    fn all(&self) -> impl Iterator<Item = (Row, RowGains)> {
        self.rows.iter().copied()
    }

    fn add(
        &mut self,
        chances: &Chances<'_>,
        stake: Stake,
        played: (&HandPlan, &[f64]),
        weights: &[f64],
    ) {
        self.add_places(chances, stake, played, weights, 0..weights.len());
    }

    fn add_places(
        &mut self,
        chances: &Chances<'_>,
        stake: Stake,
        (plan, worth): (&HandPlan, &[f64]),
        weights: &[f64],
        places: impl IntoIterator<Item = usize>,
    ) {
        let start = chances.start;
        for place in places {
            let spot = &start.spots[place];
            if spot.draws || spot.complete || !chances.is_possible(place) {
                continue;
            }
            let weight = weights[place] + HARDLY;
            let by = |call| match start.is_open(call, spot) {
                true => weight * chances.worth_of(call, place, stake, &plan.surrenders, worth),
                false => 0.0,
            };
            let tally = self.of(Row::of(spot.points, None));
            let instead = INSTEAD.map(by);
            tally.stand += instead[0];
            // A hand that may not hit stands or gives up, and says nothing about hitting.
            tally.hit += if spot.hits { instead[1] } else { instead[0] };
            tally.surrender += instead[2];
            if start.is_open(Call::Double, spot) {
                tally.double += by(Call::Double);
                (0..3).for_each(|i| tally.instead[i] += instead[i]);
            }
        }
    }
}
