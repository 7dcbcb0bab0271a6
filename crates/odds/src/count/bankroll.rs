//! What betting by the count is worth: formulas for a game with a mean and a variance.

/// A game as a gambler knows it: what one round gains on average, and its variance, in money.
///
/// The formulas treat the bankroll as a Brownian motion with this drift: good where a bankroll is many
/// bets. Simulated trips ([`super::Trips`]) play the rounds themselves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prospect {
    /// The average gain of a round.
    pub mean: f64,
    /// The variance of the gain of a round.
    pub variance: f64,
    /// The standard error of the mean.
    pub error: f64,
    /// The average bet of a round, rounds sat out included.
    pub average_bet: f64,
    /// The share of rounds with a bet.
    pub played: f64,
}

impl Prospect {
    /// The standard deviation of the gain of a round.
    pub fn sd(&self) -> f64 {
        self.variance.sqrt()
    }

    /// How many rounds it takes until the expected gain is one standard deviation; none where nothing
    /// is gained.
    pub fn n0(&self) -> Option<f64> {
        (self.mean > 0.0).then(|| self.variance / self.mean.powi(2))
    }

    /// SCORE: the gain of a hundred rounds with a bankroll of 10,000 and full Kelly bets, which is a
    /// million divided by N0; nothing where nothing is gained.
    pub fn score(&self) -> f64 {
        self.n0().map_or(0.0, |n0| 1e6 / n0)
    }

    /// The chance to lose a bankroll sooner or later.
    pub fn ruin(&self, bankroll: f64) -> f64 {
        (-2.0 * self.mean * bankroll / self.variance).exp().min(1.0)
    }

    /// The chance to lose a bankroll within a number of rounds.
    pub fn ruin_within(&self, bankroll: f64, rounds: f64) -> f64 {
        falls_to(-self.mean, self.variance, bankroll, rounds)
    }

    /// The chance to be ahead by a goal at some time within a number of rounds, with a bankroll that
    /// cannot be lost.
    pub fn reaches_within(&self, goal: f64, rounds: f64) -> f64 {
        falls_to(self.mean, self.variance, goal, rounds)
    }

    /// The chance to gain a goal before a bankroll is lost.
    pub fn goal_before_ruin(&self, bankroll: f64, goal: f64) -> f64 {
        let rate = 2.0 * self.mean / self.variance;
        match (rate * (bankroll + goal)).abs() < 1e-9 {
            true => bankroll / (bankroll + goal),
            false => (-(-rate * bankroll).exp_m1()) / (-(-rate * (bankroll + goal)).exp_m1()),
        }
    }

    /// The certain gain of a round that is as good to a player who bets a fraction of Kelly with a
    /// bankroll.
    pub fn certainty_equivalent(&self, bankroll: f64, kelly: f64) -> f64 {
        self.mean - self.variance / (2.0 * kelly * bankroll)
    }

    /// The bankroll for which these bets are a fraction of Kelly; none where nothing is gained.
    pub fn kelly_bankroll(&self, kelly: f64) -> Option<f64> {
        (self.mean > 0.0).then(|| self.variance / self.mean / kelly)
    }

    /// How many rounds it takes on average to gain a goal; none where nothing is gained.
    pub fn rounds_to(&self, goal: f64) -> Option<f64> {
        (self.mean > 0.0).then(|| goal / self.mean)
    }
}

/// The chance that a motion with a drift towards a barrier reaches it within a time.
fn falls_to(drift: f64, variance: f64, distance: f64, time: f64) -> f64 {
    let spread = (variance * time).sqrt();
    if spread <= 0.0 {
        return f64::from(u8::from(drift * time >= distance));
    }
    let direct = normal((drift * time - distance) / spread);
    let back =
        scaled_normal(2.0 * drift * distance / variance, (-distance - drift * time) / spread);
    (direct + back).clamp(0.0, 1.0)
}

/// `exp(power)` times the normal distribution function at `x`, without overflow.
fn scaled_normal(power: f64, x: f64) -> f64 {
    match x < -TAIL {
        true => (power - x * x / 2.0).exp() / ((2.0 * std::f64::consts::PI).sqrt() * mills(-x)),
        false => power.exp() * normal(x),
    }
}

/// Beyond this the tail is a continued fraction.
const TAIL: f64 = 3.0;

/// The normal distribution function.
pub(crate) fn normal(x: f64) -> f64 {
    if x < -TAIL {
        return scaled_normal(0.0, x);
    }
    if x > TAIL {
        return 1.0 - scaled_normal(0.0, -x);
    }
    // The series x + x³/3 + x⁵/(3·5) + … (Marsaglia 2004).
    let (mut sum, mut term, mut factor) = (x, x, 1.0);
    while factor < 60.0 {
        factor += 2.0;
        term *= x * x / factor;
        sum += term;
    }
    0.5 + sum * (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

/// The density divided by the tail beyond `x`: x + 1/(x + 2/(x + 3/(x + …))).
fn mills(x: f64) -> f64 {
    (1..=100).rev().fold(x, |rest, k| x + f64::from(k) / rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
    }

    /// A coin that wins 51 times in 100: mean 0.02, variance 1 − 0.0004.
    const COIN: Prospect =
        Prospect { mean: 0.02, variance: 0.9996, error: 0.0, average_bet: 1.0, played: 1.0 };

    /// Values of the usual tables.
    #[test]
    fn the_normal_distribution_is_that_of_the_tables() {
        near(normal(0.0), 0.5, 1e-15);
        near(normal(1.0), 0.841_344_746_068_543, 1e-14);
        near(normal(-1.959_963_984_540_054), 0.025, 1e-14);
        near(normal(-3.0), 0.001_349_898_031_630_095, 1e-15);
        near(normal(-10.0) / 7.619_853_024_160_527e-24, 1.0, 1e-12);
        near(normal(-2.999_999_999) / normal(-3.000_000_001), 1.0, 1e-8);
        near(normal(9.0), 1.0, 1e-15);
    }

    #[test]
    fn a_game_is_compared_as_players_do() {
        // 0.9996 / 0.0004 = 2499 rounds, and a million divided by that.
        near(COIN.n0().unwrap(), 2_499.0, 1e-9);
        near(COIN.score(), 400.160_064, 1e-6);
        // Full Kelly bets 2 % of a bankroll of 49.98: the game's own variance over its mean.
        near(COIN.kelly_bankroll(1.0).unwrap(), 49.98, 1e-12);
        near(COIN.kelly_bankroll(0.5).unwrap(), 99.96, 1e-12);
        // With full Kelly e⁻² are ruined, and half of the gain is as good as certain.
        near(COIN.ruin(49.98), 0.135_335_283_236_612_7, 1e-12);
        near(COIN.certainty_equivalent(49.98, 1.0), 0.01, 1e-12);
        near(COIN.rounds_to(100.0).unwrap(), 5_000.0, 1e-9);
        let losing = Prospect { mean: -0.01, ..COIN };
        assert_eq!((losing.n0(), losing.score(), losing.ruin(50.0)), (None, 0.0, 1.0));
        assert_eq!((losing.kelly_bankroll(1.0), losing.rounds_to(1.0)), (None, None));
    }

    /// For a coin the gambler's ruin is known exactly: with q/p = 49/51, the chance to lose 50 units
    /// sooner or later is (49/51)^50 = 0.135281, and to win 50 before losing 50 is 1/(1 + that).
    #[test]
    fn ruin_is_close_to_that_of_a_coin() {
        let exact = (49.0_f64 / 51.0).powi(50);
        near(COIN.ruin(50.0), exact, 1e-4);
        near(COIN.goal_before_ruin(50.0, 50.0), 1.0 / (1.0 + exact), 1e-4);
        let fair = Prospect { mean: 0.0, ..COIN };
        near(fair.goal_before_ruin(30.0, 70.0), 0.3, 1e-12);
    }

    /// A published example (Michael Hall, "Risk of Ruin", 1991, after Griffin): 0.0151 units a hand and
    /// an average squared win of 3.887; 300 units are lost before they are doubled 9.0 % of the time.
    #[test]
    fn a_published_risk_of_ruin_is_found_again() {
        let game = Prospect {
            mean: 0.0151,
            variance: 3.887 - 0.0151 * 0.0151,
            error: 0.0,
            average_bet: 1.0,
            played: 1.0,
        };
        near(1.0 - game.goal_before_ruin(300.0, 300.0), 0.090, 0.0015);
    }

    /// Without a drift the barrier is reached twice as often as the end lies beyond it: 2 Φ(−1) here.
    /// With time enough every ruin that comes at all has come.
    #[test]
    fn ruin_in_time_is_ruin_at_last() {
        let fair = Prospect { mean: 0.0, variance: 1.0, ..COIN };
        near(fair.ruin_within(10.0, 100.0), 2.0 * normal(-1.0), 1e-14);
        near(fair.reaches_within(10.0, 100.0), 2.0 * normal(-1.0), 1e-14);
        near(COIN.ruin_within(50.0, 1e9), COIN.ruin(50.0), 1e-12);
        near(COIN.reaches_within(50.0, 1e9), 1.0, 1e-12);
        assert!(COIN.ruin_within(50.0, 1_000.0) < COIN.ruin(50.0));
        assert!(COIN.ruin_within(1e9, 10.0) < 1e-300);
        let sure = Prospect { mean: 1.0, variance: 0.0, ..COIN };
        assert_eq!((sure.reaches_within(5.0, 5.0), sure.reaches_within(5.0, 4.0)), (1.0, 0.0));
    }
}
