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
    fn match_next(self, matched: usize, others: usize) -> f64 {
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
    /// How many hands there are at the most.
    pub(super) most: usize,
}

/// How second cards can come out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SecondCards {
    pub(super) chance: f64,
    /// How many more of the pair's cards came.
    pub(super) matched: usize,
    /// Hands whose second card is known not to match; the first hand is the first of them.
    pub(super) closed: usize,
    /// Hands that take any second card, as no more may be made.
    pub(super) open: usize,
}

/// Every way in which second cards can come out.
pub(super) fn outcomes(seconds: Seconds, pending: Pending) -> Vec<SecondCards> {
    let mut list = Vec::new();
    let all = SecondCards { chance: 1.0, matched: 0, closed: 0, open: pending.open };
    come_out(seconds, pending.most - pending.hands, all, &mut list);
    list
}

fn come_out(seconds: Seconds, more: usize, so_far: SecondCards, list: &mut Vec<SecondCards>) {
    let SecondCards { chance, matched, closed, open } = so_far;
    if matched == more || open == 0 {
        return list.push(so_far);
    }
    let matches = seconds.match_next(matched, closed);
    if matches > 0.0 {
        let chance = chance * matches;
        let next = SecondCards { chance, matched: matched + 1, closed, open: open + 1 };
        come_out(seconds, more, next, list);
    }
    if matches < 1.0 {
        let chance = chance * (1.0 - matches);
        let next = SecondCards { chance, matched, closed: closed + 1, open: open - 1 };
        come_out(seconds, more, next, list);
    }
}

/// What hands are worth together that wait for their second cards: the first one, and the others.
pub(super) fn worth(
    seconds: Seconds,
    pending: Pending,
    first: &mut impl HandWorth,
    others: &mut impl HandWorth,
) -> f64 {
    if pending.open == 0 {
        return 0.0;
    }
    let mut sum = 0.0;
    for SecondCards { chance, matched, closed, open } in outcomes(seconds, pending) {
        let hands = match closed.checked_sub(1) {
            Some(more) => {
                let mut hands = seconds.not_matching(first, matched, more);
                if more > 0 {
                    hands += more as f64 * seconds.not_matching(others, matched, more);
                }
                if open > 0 {
                    hands += open as f64 * seconds.any(others, matched, closed);
                }
                hands
            }
            None => first.any(matched) + (open - 1) as f64 * others.any(matched),
        };
        sum += chance * hands;
    }
    sum
}
