//! Trips: a bankroll, so many rounds, and bets by the true count, played out.

use std::time::{Duration, Instant};

use rules::money::{Cents, Chips};
use rules::wager::Circle;

use super::bets::{BetLimits, Bets};
use super::tags::TableCount;
use super::tally::Counter;
use crate::simulate::{Account, Plan, in_blocks, shoes_at_a_time};

/// What is tried on every trip.
#[derive(Clone, Debug)]
pub struct TripPlan {
    /// The wager that follows the count, and what lies beside it.
    pub limits: BetLimits,
    /// Its bets.
    pub bets: Bets,
    /// What a trip begins with; it ends where nothing is left.
    pub bankroll: Cents,
    /// What is to be gained, if there is such a goal.
    pub goal: Option<Cents>,
    /// Rounds of a trip, those sat out included.
    pub rounds: u64,
}

/// How many times a trip is looked at on its way.
pub const STOPS: usize = 40;

/// What became of one trip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Trip {
    /// What had been gained at each stop, in cents.
    gains: [i64; STOPS],
    is_ruined: bool,
    /// The round after which the goal was reached.
    reached_after: Option<u64>,
}

/// What became of many trips.
#[derive(Clone, Debug, Default)]
pub struct Trips {
    trips: Vec<Trip>,
}

/// The first shoe of the first trip: far from those that are played for the edges.
const FIRST_SHOE: u64 = 1 << 60;
/// Shoes that each trip has for itself.
const SHOES_A_TRIP: u64 = 1 << 32;
/// The most trips.
pub const MOST_TRIPS: u64 = 1 << 20;
/// The most rounds of a trip.
pub const MOST_TRIP_ROUNDS: u64 = 1 << 28;

impl Trips {
    /// Plays trips, each with shoes of its own, and tells after every few of them how many there are; it
    /// ends early where the answer is false.
    pub fn play(
        plan: &Plan,
        count: &TableCount,
        trip: &TripPlan,
        (threads, trips): (usize, u64),
        mut tell: impl FnMut(&Trips, Duration) -> bool,
    ) -> Trips {
        assert!(trips <= MOST_TRIPS && trip.rounds <= MOST_TRIP_ROUNDS);
        let (began, mut all) = (Instant::now(), Trips::default());
        let most = usize::try_from(trips).expect("trips are limited");
        let play = |numbers: std::ops::Range<u64>| -> Vec<Trip> {
            numbers.map(|number| trip.play(plan, count, number)).collect()
        };
        if most > 0 {
            in_blocks(threads, (0, 4), play, |part| {
                all.trips.extend(part);
                all.trips.truncate(most);
                tell(&all, began.elapsed()) && all.trips.len() < most
            });
        }
        all
    }

    /// How many trips there were.
    pub fn count(&self) -> usize {
        self.trips.len()
    }

    fn share(&self, of: impl Fn(&Trip) -> bool) -> f64 {
        self.trips.iter().filter(|trip| of(trip)).count() as f64 / self.trips.len() as f64
    }

    /// The share of trips that lost the bankroll.
    pub fn ruined(&self) -> f64 {
        self.share(|trip| trip.is_ruined)
    }

    /// The share of trips that reached the goal at some time.
    pub fn reached(&self) -> f64 {
        self.share(|trip| trip.reached_after.is_some())
    }

    /// How many rounds it took on average to reach the goal, where it was reached.
    pub fn rounds_to_goal(&self) -> Option<f64> {
        let rounds: Vec<u64> = self.trips.iter().filter_map(|trip| trip.reached_after).collect();
        (!rounds.is_empty()).then(|| rounds.iter().sum::<u64>() as f64 / rounds.len() as f64)
    }

    /// The average gain of a trip, and its standard deviation.
    pub fn mean_and_sd(&self) -> (f64, f64) {
        let ends = self.trips.iter().map(|trip| trip.gains[STOPS - 1] as f64 / 100.0);
        let n = self.trips.len() as f64;
        let mean = ends.clone().sum::<f64>() / n;
        let squares: f64 = ends.map(|end| (end - mean).powi(2)).sum();
        (mean, (squares / (n - 1.0).max(1.0)).sqrt())
    }

    /// The gain below which a share of the trips was, at one of the [`STOPS`].
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub fn quantile(&self, stop: usize, share: f64) -> f64 {
        let mut gains: Vec<i64> = self.trips.iter().map(|trip| trip.gains[stop]).collect();
        gains.sort_unstable();
        let last = gains.len().saturating_sub(1);
        let at = (share * last as f64).round() as usize;
        gains.get(at.min(last)).map_or(0.0, |gain| *gain as f64 / 100.0)
    }
}

impl TripPlan {
    /// Plays one trip.
    fn play(&self, plan: &Plan, count: &TableCount, number: u64) -> Trip {
        let mut purse = Purse { trip: self, gain: 0, round: 0, stop: 0, result: NO_TRIP };
        let block = shoes_at_a_time(plan, self.rounds.clamp(1, 4_000));
        let mut shoe = FIRST_SHOE + number * SHOES_A_TRIP;
        while !purse.is_over() {
            let mut take = |true_count, account: &Account| purse.take(true_count, account);
            plan.play_watched(shoe..shoe + block, &mut Counter::new(plan, count, &mut take));
            shoe += block;
        }
        purse.result
    }

    /// What a round gains, in cents.
    fn gain(&self, true_count: i32, account: &Account) -> i64 {
        let bet = self.bets.at(true_count);
        let of = |gain: Cents, unit: Chips, bet: Chips| {
            i128::from(gain.get()) * i128::from(bet.get()) / i128::from(unit.get().max(1))
        };
        let limits = &self.limits;
        let gain = match limits.wager {
            Circle::Main => of(account.main, limits.unit, bet),
            wager if limits.sits_out_below.is_none_or(|from| true_count >= from) => {
                let side = match wager {
                    Circle::Progressive => account.progressive,
                    Circle::Envy => account.envy,
                    _ => account.side,
                };
                of(side, limits.unit, bet) + i128::from(account.main.get())
            }
            _ => 0,
        };
        i64::try_from(gain).unwrap_or(0)
    }
}

const NO_TRIP: Trip = Trip { gains: [0; STOPS], is_ruined: false, reached_after: None };

/// A trip in progress.
struct Purse<'a> {
    trip: &'a TripPlan,
    gain: i64,
    round: u64,
    /// The next stop.
    stop: usize,
    result: Trip,
}

impl Purse<'_> {
    fn is_over(&self) -> bool {
        self.stop == STOPS
    }

    fn take(&mut self, true_count: i32, account: &Account) {
        if self.is_over() {
            return;
        }
        self.gain += self.trip.gain(true_count, account);
        self.round += 1;
        let has_goal = self.trip.goal.is_some_and(|goal| self.gain >= goal.get());
        if has_goal && self.result.reached_after.is_none() {
            self.result.reached_after = Some(self.round);
        }
        if self.gain <= -self.trip.bankroll.get() {
            self.result.is_ruined = true;
            self.result.gains[self.stop..].fill(self.gain);
            self.stop = STOPS;
        }
        while self.stop < STOPS
            && self.round * STOPS as u64 >= (self.stop as u64 + 1) * self.trip.rounds
        {
            self.result.gains[self.stop] = self.gain;
            self.stop += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trip(goal: i64, rounds: u64) -> TripPlan {
        let ten = Chips::new(1000);
        let limits = BetLimits {
            wager: Circle::Main,
            unit: ten,
            least: ten,
            most: ten,
            sits_out_below: None,
            main: ten,
        };
        let bets = Bets::steps(&[(-20, ten), (2, Chips::new(2000))]);
        TripPlan { limits, bets, bankroll: Cents::new(5000), goal: Some(Cents::new(goal)), rounds }
    }

    fn walk(trip: &TripPlan, rounds: &[(i32, i64)]) -> Trip {
        let mut purse = Purse { trip, gain: 0, round: 0, stop: 0, result: NO_TRIP };
        for (true_count, gain) in rounds {
            let account = Account { main: Cents::new(*gain), ..Account::default() };
            purse.take(*true_count, &account);
        }
        purse.result
    }

    /// +10, then a double bet won (+20), then −10, and a fourth round that is sat through.
    #[test]
    fn a_trip_adds_up_its_bets() {
        let found = walk(&trip(2500, 4), &[(0, 1000), (2, 1000), (1, -1000), (0, 0), (0, 9000)]);
        assert_eq!(found.gains[9], 1000);
        assert_eq!(found.gains[STOPS - 1], 2000);
        assert_eq!((found.is_ruined, found.reached_after), (false, Some(2)));
    }

    /// Fifty are lost after two double bets and a single one; what comes later does not matter.
    #[test]
    fn a_trip_ends_with_the_bankroll() {
        let found = walk(&trip(2500, 40), &[(5, -1000), (5, -1000), (0, -1000), (0, 90_000)]);
        assert!(found.is_ruined && found.reached_after.is_none());
        assert_eq!([0, 2, STOPS - 1].map(|stop| found.gains[stop]), [-2000, -5000, -5000]);
    }

    #[test]
    fn trips_are_summed_up() {
        let one = |gain| Trip { gains: [gain; STOPS], ..NO_TRIP };
        let ruined = Trip { is_ruined: true, ..one(-5000) };
        let won = Trip { reached_after: Some(30), ..one(9000) };
        let trips = Trips { trips: vec![won, one(1000), ruined, one(3000)] };
        assert_eq!((trips.count(), trips.ruined(), trips.reached()), (4, 0.25, 0.25));
        assert_eq!(trips.rounds_to_goal(), Some(30.0));
        // 90, 10, −50 and 30: a mean of 20, squares of 4900 + 100 + 4900 + 100 over three.
        let (mean, sd) = trips.mean_and_sd();
        assert!((mean - 20.0).abs() < 1e-12 && (sd - (10_000.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!([0.0, 0.34, 1.0].map(|share| trips.quantile(0, share)), [-50.0, 10.0, 90.0]);
    }
}
