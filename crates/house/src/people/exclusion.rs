//! Who does not play: by a decision of their own, or of an operator.

use super::bounds::DAY;

/// The shortest self-exclusion, in seconds.
pub const SHORTEST_EXCLUSION: i64 = DAY;

/// The longest self-exclusion, in seconds: five years.
pub const LONGEST_EXCLUSION: i64 = 5 * 365 * DAY;

/// What keeps somebody from playing, in force or over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exclusion {
    /// Until when they excluded themselves.
    pub own: Option<i64>,
    /// The suspension by an operator.
    pub suspension: Option<Suspension>,
}

/// A suspension by an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suspension {
    /// Until when, in seconds of Unix time; none until an operator lifts it.
    pub until: Option<i64>,
}

/// Why somebody does not play now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barrier {
    /// They excluded themselves.
    Own {
        /// Until when, in seconds of Unix time.
        until: i64,
    },
    /// An operator suspended them.
    Suspension {
        /// Until when; none until an operator lifts it.
        until: Option<i64>,
    },
}

impl Exclusion {
    /// What holds at a moment; a suspension first, which only an operator can explain.
    pub fn at(self, now: i64) -> Option<Barrier> {
        let Exclusion { own, suspension } = self;
        let suspension = suspension.filter(|hold| hold.until.is_none_or(|until| until > now));
        let suspension = suspension.map(|hold| Barrier::Suspension { until: hold.until });
        let own = own.filter(|until| *until > now).map(|until| Barrier::Own { until });
        suspension.or(own)
    }

    /// The exclusion after its player asked for one until a moment: it is never shortened.
    pub fn extended(self, until: i64) -> Exclusion {
        Exclusion { own: Some(self.own.map_or(until, |before| before.max(until))), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_self_exclusion_is_extended_and_never_shortened() {
        let week = Exclusion::default().extended(7 * DAY);
        assert_eq!(week.extended(DAY), week);
        assert_eq!(week.extended(8 * DAY).own, Some(8 * DAY));
        assert_eq!(week.at(7 * DAY - 1), Some(Barrier::Own { until: 7 * DAY }));
        assert_eq!(week.at(7 * DAY), None);
    }

    #[test]
    fn a_suspension_ends_by_itself_only_where_it_has_a_time() {
        let until = |until| Exclusion { own: None, suspension: Some(Suspension { until }) };
        assert_eq!(until(Some(DAY)).at(DAY), None);
        assert!(until(Some(DAY)).at(DAY - 1).is_some());
        assert_eq!(until(None).at(i64::MAX), Some(Barrier::Suspension { until: None }));
        let both = until(Some(DAY)).extended(2 * DAY);
        assert_eq!(both.at(0), Some(Barrier::Suspension { until: Some(DAY) }));
        assert_eq!(both.at(DAY), Some(Barrier::Own { until: 2 * DAY }));
    }
}
