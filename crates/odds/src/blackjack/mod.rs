//! The main wager of the three blackjacks: the best play, charts, and what they are worth.
//!
//! The books themselves say what a hand may do ([`Book::may_hit`], [`Book::double`],
//! [`Book::may_split`]), when the dealer draws, and who is paid what
//! ([`compare`](rules::games::blackjack::compare)). The rest is arithmetic:
//!
//! - A hand is the set of cards it has drawn (`draws`); all 3,083 sets within 21 are known
//!   beforehand, each with the sets of one card more. Playing a hand is one pass over them from the
//!   largest to the smallest (`hand`).
//! - The dealer's final hands are sets too, each with the number of orders in which it can be drawn.
//!   A tree of them is summed for many players' hands at once (`dealer`, `tree`).
//! - Cards that nobody has seen are interchangeable. So the reader's answer need not be drawn first:
//!   everything is computed as if it were unknown, with no gain if the dealer turns out to have a
//!   natural. And so the hands of a split pair can be valued one by one (`split`, `pair`).
//!
//! # What is exact
//!
//! Expectations are exact, up to rounding, for this class of strategies: a hand that is not split
//! knows its own cards and the up card. A hand made by splitting follows a plan that knows its own
//! cards, the up card, the pair it comes from and whether it is the first hand, but not its sibling
//! hands' cards; the first hand and the others are split again until there are numbers of hands that
//! are fixed in advance. The plan is the best for one hand after the split
//! ([`Siblings::OwnCards`]). Where busts come before a dealer's natural, what the natural takes
//! depends on all hands together, and is exact as well (`survival`); the plans are then the best for
//! a hand that fears the natural as far as a sibling leaves it something to take on average.
//!
//! What knowing more of sibling hands would add is in `docs/odds.md`, measured by the ignored tests
//! `knowing_siblings_adds_little` and `noticing_a_bust_adds_little`.
//!
//! Doubles and attacks are as large as allowed (their value grows at least in proportion to the
//! amount), racks are unlimited, and cards do not run out.
//!
//! [`Book::may_hit`]: rules::games::blackjack::Book::may_hit
//! [`Book::double`]: rules::games::blackjack::Book::double
//! [`Book::may_split`]: rules::games::blackjack::Book::may_split

mod basic;
mod by_cards;
mod dealer;
mod draws;
mod from_here;
mod hand;
mod pair;
#[cfg(test)]
#[path = "../../tests/played_out/mod.rs"]
mod played_out;
mod purse;
mod solve;
mod split;
mod spread;
mod survival;
#[cfg(test)]
mod tests;
mod tree;

pub use by_cards::DrawnCards;
pub(crate) use draws::CARDS;
pub use draws::{LEAST_POINTS, points_of};
pub use from_here::{before_a_round, has_hole_card, points_needed, values_of};
pub use solve::{Analyzer, Siblings, Solution};
