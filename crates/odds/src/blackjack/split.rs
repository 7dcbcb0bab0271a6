//! Pairs that are split: what all their hands are worth together.
//!
//! Every hand of a box is played by a plan that knows the hand's own cards, not its siblings'. Cards
//! that nobody has seen are exchangeable: a hand is worth the same whichever of them it gets, so
//! that all second cards may be thought of as dealt first. What a hand is worth when other second
//! cards are known not to match follows from what it is worth when more and more of them do:
//!
//! E[no match] = (E − p · E[match]) / (1 − p).

/// What one hand of a split pair is worth, by how many more of the pair's cards are gone.
pub(super) trait HandWorth {
    /// With any second card.
    fn any(&mut self, gone: usize) -> f64;
    /// With a second card that matches, which is not counted as gone.
    fn matching(&mut self, gone: usize) -> f64;
}

/// The cards that the second cards come from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seconds {
    /// All of them.
    pub(super) cards: f64,
    /// Those that match the pair.
    pub(super) matching: f64,
}

impl Seconds {
    /// How likely the next one matches after `matched` that did and `others` that did not.
    pub(super) fn match_next(self, matched: usize, others: usize) -> f64 {
        let left = self.matching - matched as f64;
        (left / (self.cards - (matched + others) as f64)).max(0.0)
    }

    /// A hand with any second card, when others did not match.
    fn any(self, hand: &mut impl HandWorth, matched: usize, others: usize) -> f64 {
        let Some(before) = others.checked_sub(1) else { return hand.any(matched) };
        let chance = self.match_next(matched, before);
        let worth = self.any(hand, matched, before);
        if chance == 0.0 {
            return worth;
        }
        (worth - chance * self.any(hand, matched + 1, before)) / (1.0 - chance)
    }

    /// A hand whose second card did not match either.
    fn not_matching(self, hand: &mut impl HandWorth, matched: usize, others: usize) -> f64 {
        let Some(before) = others.checked_sub(1) else {
            let chance = self.match_next(matched, 0);
            if chance == 0.0 {
                return hand.any(matched);
            }
            return (hand.any(matched) - chance * hand.matching(matched)) / (1.0 - chance);
        };
        // Its own second card is one more that did not match.
        let chance = self.match_next(matched, before + 1);
        let worth = self.not_matching(hand, matched, before);
        if chance == 0.0 {
            return worth;
        }
        (worth - chance * self.not_matching(hand, matched + 1, before)) / (1.0 - chance)
    }
}

/// The hands of a box that are still to get their second card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pending {
    /// How many hands the box has, others among them.
    pub(super) hands: usize,
    /// How many of them wait for a second card.
    pub(super) open: usize,
    /// With how many hands the first of them is no longer split, and the others.
    pub(super) most: [usize; 2],
}

/// How second cards can come out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SecondCards {
    pub(super) chance: f64,
    /// How many more of the pair's cards came to hands that were split.
    pub(super) matched: usize,
    /// Whether the first hand's second card is known not to match; otherwise it takes any.
    pub(super) first_closed: bool,
    /// Other hands whose second card is known not to match.
    pub(super) closed: usize,
    /// Other hands that take any second card, as they are not split.
    pub(super) open: usize,
}

/// Every way in which second cards can come out.
pub(super) fn outcomes(seconds: Seconds, pending: Pending) -> Vec<SecondCards> {
    let mut list = Vec::new();
    if let Some(open) = pending.open.checked_sub(1) {
        let all = SecondCards { chance: 1.0, matched: 0, first_closed: false, closed: 0, open };
        let [first, others] = pending.most.map(|most| most.saturating_sub(pending.hands));
        come_out(seconds, (Some(first), others), all, &mut list);
    }
    list
}

/// How second cards come out from here on: how many hands may be made by splitting the first one,
/// unless it is closed, and then by splitting others.
fn come_out(
    seconds: Seconds,
    (first, others): (Option<usize>, usize),
    so_far: SecondCards,
    list: &mut Vec<SecondCards>,
) {
    let SecondCards { chance, matched, first_closed, closed, open } = so_far;
    match first {
        Some(most) if matched >= most => {
            return come_out(seconds, (None, others), so_far, list);
        }
        None if matched >= others || open == 0 => return list.push(so_far),
        _ => {}
    }
    let matches = seconds.match_next(matched, closed + usize::from(first_closed));
    if matches > 0.0 {
        let chance = chance * matches;
        let next = SecondCards { chance, matched: matched + 1, open: open + 1, ..so_far };
        come_out(seconds, (first, others), next, list);
    }
    if matches < 1.0 {
        let chance = chance * (1.0 - matches);
        let next = match first {
            Some(_) => SecondCards { chance, first_closed: true, ..so_far },
            None => SecondCards { chance, closed: closed + 1, open: open - 1, ..so_far },
        };
        come_out(seconds, (None, others), next, list);
    }
}

/// What hands are worth together that wait for their second cards: the first one, and the others.
pub(super) fn worth(
    seconds: Seconds,
    pending: Pending,
    first: &mut impl HandWorth,
    others: &mut impl HandWorth,
) -> f64 {
    let mut sum = 0.0;
    for SecondCards { chance, matched, first_closed, closed, open } in outcomes(seconds, pending) {
        let all_closed = closed + usize::from(first_closed);
        let mut hands = match first_closed {
            true => seconds.not_matching(first, matched, closed),
            false => seconds.any(first, matched, closed),
        };
        if closed > 0 {
            hands += closed as f64 * seconds.not_matching(others, matched, all_closed - 1);
        }
        if open > 0 {
            hands += open as f64 * seconds.any(others, matched, all_closed);
        }
        sum += chance * hands;
    }
    sum
}
