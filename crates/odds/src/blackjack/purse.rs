//! A rack that may run out: how its chips are kept for doubles and splits that may come.
//!
//! No plan of a hand looks at sibling hands, so none knows what they have spent. What each may add is
//! set aside for it before any of them is played; then the rack never runs out, and what the plans
//! gain together can be had for certain.

use rules::terms::AddedWager;

/// What is kept for the hands of a box, in units of the original wager.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Purse {
    /// For doubling the hand that decides, or one that is not split.
    pub(super) own: f64,
    /// The most hands that the box is split into.
    pub(super) hands: usize,
    /// For doubling the first of the hands that wait for a second card, and each of the others.
    pub(super) waiting: [f64; 2],
}

impl Purse {
    /// Whatever doubles and splits take.
    pub(super) const ENOUGH: Purse =
        Purse { own: f64::INFINITY, hands: usize::MAX, waiting: [f64::INFINITY; 2] };

    pub(super) fn is_enough(self) -> bool {
        self == Purse::ENOUGH
    }
}

/// The chips left, in cents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rack {
    pub(super) left: i64,
    /// The smallest chip.
    pub(super) chip: i64,
    /// The original wager.
    pub(super) unit: i64,
    pub(super) doubles: AddedWager,
}

/// What hands may take, in cents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needs {
    /// A double of the hand that decides.
    pub(super) own: i64,
    /// Whether that hand is a pair which may be split instead, and counts among those that wait.
    pub(super) is_pair: bool,
    /// A double of the first hand that waits, and of each of the others.
    pub(super) waiting: [i64; 2],
    /// One more hand.
    pub(super) split: i64,
    /// How many hands there are, how many of them wait, and how many there can be.
    pub(super) hands: usize,
    pub(super) open: usize,
    pub(super) limit: usize,
}

impl Needs {
    /// What is enough for everything.
    pub(super) fn most(&self) -> i64 {
        let new = self.limit - self.hands;
        let apart = count(new) * self.split + self.doubles(self.open + new);
        if self.is_pair { apart.max(self.own) } else { apart + self.own }
    }

    /// What doubling takes of so many hands that wait.
    fn doubles(&self, open: usize) -> i64 {
        let [first, other] = self.waiting;
        open.checked_sub(1).map_or(0, |others| first + count(others) * other)
    }
}

impl Rack {
    /// What can be kept for a double.
    fn kept(&self, full: i64) -> i64 {
        match self.doubles {
            _ if self.left >= full => full,
            AddedWager::UpTo => self.left / self.chip * self.chip,
            AddedWager::Equal => 0,
        }
    }

    /// The same with less.
    pub(super) fn without(self, cents: i64) -> Option<Rack> {
        let left = self.left - cents;
        (left >= 0).then_some(Rack { left, ..self })
    }

    #[allow(clippy::cast_precision_loss)]
    pub(super) fn units(&self, cents: i64) -> f64 {
        cents as f64 / self.unit as f64
    }

    #[allow(clippy::cast_precision_loss)]
    pub(super) fn units_in_cents(&self) -> f64 {
        self.unit as f64
    }

    /// Every way to keep the chips that may be the best: the more hands, the fewer doubles.
    pub(super) fn purses(&self, needs: Needs) -> Vec<Purse> {
        let Needs { own, is_pair, waiting: [first, other], split, hands, open, limit } = needs;
        let mut purses = Vec::new();
        for new in (0..=limit - hands).rev() {
            let Some(after) = self.without(count(new) * split) else { continue };
            // The hand that decides comes first, or is not doubled at all.
            let both = !is_pair && own > 0 && open > 0;
            for own in if both { vec![own, 0] } else { vec![own] } {
                let own = if is_pair { self.kept(own) } else { after.kept(own) };
                let left = Rack { left: after.left - if is_pair { 0 } else { own }, ..after };
                let first = if open > 0 { left.kept(first) } else { 0 };
                let others = count((open + new).saturating_sub(1));
                let each = (left.left - first).checked_div(others);
                let each = each.map_or(0, |each| Rack { left: each, ..left }.kept(other));
                let [own, first, each] = [own, first, each].map(|cents| self.units(cents));
                purses.push(Purse { own, hands: hands + new, waiting: [first, each] });
            }
            // With every double covered, fewer hands gain nothing.
            let spent = needs.doubles(open + new) + if is_pair { 0 } else { own };
            if after.left >= spent {
                break;
            }
        }
        purses
    }
}

fn count(hands: usize) -> i64 {
    i64::try_from(hands).expect("at most four hands")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pair of threes at 25.00 with 125.00 left after it was split: four doubles and a split would
    /// take 150.00 with three hands, 200.00 with four.
    #[test]
    fn chips_are_kept_for_doubles_or_for_more_hands() {
        let rack = Rack { left: 12_500, chip: 100, unit: 2500, doubles: AddedWager::UpTo };
        let needs = Needs {
            own: 0,
            is_pair: false,
            waiting: [2500; 2],
            split: 2500,
            hands: 2,
            open: 2,
            limit: 4,
        };
        let purse = |hands, first, other| Purse { own: 0.0, hands, waiting: [first, other] };
        // Four hands leave 75.00: one double, and 16.66 for each of three. Three leave 100.00, which
        // is enough.
        assert_eq!(rack.purses(needs), [purse(4, 1.0, 0.64), purse(3, 1.0, 1.0)]);
        let exactly = Rack { doubles: AddedWager::Equal, ..rack };
        assert_eq!(exactly.purses(needs)[0], purse(4, 1.0, 0.0));
        // A hand in play comes first, or is not doubled at all.
        let needs = Needs { own: 2500, open: 1, limit: 2, ..needs };
        let little = Rack { left: 3000, ..rack };
        let with_own = |own, first| Purse { own, ..purse(2, first, 0.0) };
        assert_eq!(little.purses(needs), [with_own(1.0, 0.2), with_own(0.0, 1.0)]);
        // Nothing at all is a purse as well.
        assert_eq!(Rack { left: 0, ..rack }.purses(needs)[0], with_own(0.0, 0.0));
    }
}
