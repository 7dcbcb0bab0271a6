//! What a tally says of each wager.

use rules::money::Chips;
use rules::wager::Circle;

use super::plan::Plan;
use super::tally::{Sums, Tally};
use crate::value::{BetValue, Figure, Method, Outcome};

impl Plan {
    /// The simulated value of every wager that was played.
    pub fn bets(&self, tally: &Tally) -> Vec<BetValue> {
        let (side, progressive) = self.side_stakes();
        let mut bets = vec![self.value(Circle::Main, self.setting().main, &tally.main, tally)];
        bets.extend(side.map(|(circle, unit)| self.value(circle, unit, &tally.side, tally)));
        if let Some(unit) = progressive {
            bets.push(self.value(Circle::Progressive, unit, &tally.progressive, tally));
            if self.seats() > 1 {
                bets.push(self.value(Circle::Envy, unit, &tally.envy, tally));
            }
        }
        bets
    }

    fn value(&self, bet: Circle, unit: Chips, sums: &Sums, tally: &Tally) -> BetValue {
        let n = sums.count() as f64;
        let share = |part: f64| Figure::simulated(part, (part * (1.0 - part) / n).sqrt());
        let standard_error = sums.standard_error(unit, tally.rounds);
        let (sd, risk) = (sums.sd(unit), sums.element_of_risk());
        let staked = sums.staked as f64 / n / f64::from(unit.get());
        let outcomes = sums.nets.iter().rev().map(|(&net, &count)| {
            let net = net as f64 / f64::from(unit.get());
            Outcome {
                name: format!("{:+}", (net * 1e4).round() / 1e4),
                net,
                probability: count as f64 / n,
                combinations: None,
                method: Method::Simulated,
            }
        });
        BetValue {
            bet,
            policy: self.strategy().name().to_owned(),
            method: Method::Simulated,
            ev: sums.mean(unit),
            ev_exact: None,
            sd: Figure::simulated(sd, sd / (2.0 * n).sqrt()),
            element_of_risk: Figure::simulated(risk, standard_error / staked),
            hit_frequency: share(sums.hit_frequency()),
            rounds: Some(tally.rounds),
            standard_error: Some(standard_error),
            outcomes: outcomes.collect(),
            combinations: None,
            figures: Vec::new(),
            notes: Vec::new(),
        }
    }
}
