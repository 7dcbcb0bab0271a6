//! What players hold themselves to in a day. What is tighter holds at once, what is looser after a day.

use rules::money::Cents;

/// A day, in seconds of Unix time. Days begin at midnight UTC.
pub const DAY: i64 = 24 * 60 * 60;

/// The largest loss that a player may name.
pub const MOST_LOSS: Cents = Cents::new(1_000_000_000);

/// When the day of a moment began.
pub const fn midnight(now: i64) -> i64 {
    now - now.rem_euclid(DAY)
}

/// The most of something in a day, as far as there is one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bound {
    /// What holds; none where there is no bound.
    pub most: Option<i64>,
    /// What holds later, and from when.
    pub later: Option<(Option<i64>, i64)>,
}

impl Bound {
    /// The bound as it is at a moment.
    pub fn at(self, now: i64) -> Bound {
        match self.later {
            Some((most, from)) if from <= now => Bound { most, later: None },
            _ => self,
        }
    }

    /// The bound after its player asked for another one.
    pub fn set(self, most: Option<i64>, now: i64) -> Bound {
        let Bound { most: before, .. } = self.at(now);
        match (before, most) {
            (Some(before), None) => Bound { most: Some(before), later: Some((None, now + DAY)) },
            (Some(before), Some(most)) if most > before => {
                Bound { most: Some(before), later: Some((Some(most), now + DAY)) }
            }
            _ => Bound { most, later: None },
        }
    }
}

/// What a player holds to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// The loss, in cents.
    pub loss: Bound,
    /// The time in the house, in minutes.
    pub minutes: Bound,
}

/// What a player has done today.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Today {
    /// Won or lost; what lies on the layout counts as lost.
    pub net: Cents,
    /// Minutes in the house.
    pub minutes: i64,
}

/// A limit of a player's own that allows no more today.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnLimit {
    /// The player has been here for so many minutes.
    Minutes {
        /// The limit.
        most: i64,
    },
    /// The player would risk more than is left.
    Loss {
        /// The limit.
        most: Cents,
        /// What is left of it.
        left: Cents,
    },
}

impl Bounds {
    /// Refuses to put more money at risk than the player wants to.
    pub fn allow(self, today: Today, risk: Cents, now: i64) -> Result<(), OwnLimit> {
        if let Some(most) = self.minutes.at(now).most.filter(|most| today.minutes >= *most) {
            return Err(OwnLimit::Minutes { most });
        }
        let Some(most) = self.loss.at(now).most.map(Cents::new) else { return Ok(()) };
        let left = (most + today.net).max(Cents::ZERO);
        match left == Cents::ZERO || risk > left {
            true => Err(OwnLimit::Loss { most, left }),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: i64 = 20_000 * DAY + DAY / 2;

    #[test]
    fn tighter_at_once_and_looser_after_a_day() {
        let none = Bound::default();
        let hundred = none.set(Some(100), NOON);
        assert_eq!(hundred, Bound { most: Some(100), later: None });
        let looser = hundred.set(Some(200), NOON);
        assert_eq!(looser, Bound { most: Some(100), later: Some((Some(200), NOON + DAY)) });
        assert_eq!(looser.at(NOON + DAY - 1), looser);
        assert_eq!(looser.at(NOON + DAY), Bound { most: Some(200), later: None });
        // Asked again it waits anew, and what is tighter takes back what was to come.
        assert_eq!(looser.set(None, NOON + 5).later, Some((None, NOON + 5 + DAY)));
        assert_eq!(looser.set(Some(100), NOON), hundred);
        assert_eq!(looser.set(Some(50), NOON), Bound { most: Some(50), later: None });
        assert_eq!(looser.set(Some(150), NOON + DAY), Bound { most: Some(150), later: None });
    }

    #[test]
    fn no_more_is_risked_than_what_is_left_of_a_day() {
        let loss = Bound { most: Some(10_000), later: None };
        let bounds = Bounds { loss, ..Bounds::default() };
        let allows = |net, risk| {
            let today = Today { net: Cents::new(net), minutes: 500 };
            bounds.allow(today, Cents::new(risk), NOON)
        };
        assert_eq!(allows(0, 10_000), Ok(()));
        assert_eq!(allows(-4_000, 6_000), Ok(()));
        assert_eq!(allows(2_500, 12_500), Ok(()));
        let (most, left) = (Cents::new(10_000), Cents::new(6_000));
        assert_eq!(allows(-4_000, 6_001), Err(OwnLimit::Loss { most, left }));
        assert!(allows(-10_000, 0).is_err() && allows(-20_000, 1).is_err());
        assert_eq!(Bounds::default().allow(Today::default(), MOST_LOSS, NOON), Ok(()));
    }

    #[test]
    fn time_runs_out() {
        let minutes = Bound { most: Some(60), later: None };
        let bounds = Bounds { minutes, ..Bounds::default() };
        let allows = |minutes| {
            let today = Today { minutes, ..Today::default() };
            bounds.allow(today, Cents::ZERO, NOON).is_ok()
        };
        assert!(allows(59) && !allows(60));
        assert_eq!((midnight(NOON), midnight(20_000 * DAY)), (20_000 * DAY, 20_000 * DAY));
    }
}
