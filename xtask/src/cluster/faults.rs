//! What is done to a cluster while people play there, in an order that a seed decides.

use super::Length;

/// What breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fault {
    /// A node is killed at any moment.
    Kill,
    /// A node is killed when it is about to commit.
    BeforeCommit,
    /// A node is killed when it has committed, and has told nobody.
    AfterCommit,
    /// A node is killed when its table believes what was committed, before the player is answered.
    BeforeReply,
    /// A node is stopped for longer than its lease, and goes on.
    Pause,
    /// PostgreSQL is killed, and recovers.
    PostgresKilled,
    /// PostgreSQL is restarted as an operator does.
    PostgresRestarted,
    /// NATS is killed, and begins again after a while.
    NatsKilled,
    /// Whatever a node sends and is sent takes longer.
    Slow,
    /// What a node and PostgreSQL send each other stops in the middle of a message for longer than a lease,
    /// and then arrives.
    StorePaused,
    /// The same between a node and NATS.
    BusPaused,
    /// A node is cut off from PostgreSQL.
    StoreCut,
    /// A node is cut off from NATS.
    BusCut,
    /// All nodes are closed and opened, one after the other.
    Rolling,
}

use Fault::{
    AfterCommit, BeforeCommit, BeforeReply, BusCut, BusPaused, Kill, NatsKilled, Pause,
    PostgresKilled, PostgresRestarted, Rolling, Slow, StoreCut, StorePaused,
};

/// Each fault, and how often it comes in a long test: thirty kills of nodes are among them.
const FAULTS: [(Fault, usize); 14] = [
    (Kill, 15),
    (BeforeCommit, 5),
    (AfterCommit, 5),
    (BeforeReply, 5),
    (Pause, 5),
    (PostgresKilled, 3),
    (PostgresRestarted, 2),
    (NatsKilled, 5),
    (Slow, 2),
    (StorePaused, 4),
    (BusPaused, 2),
    (StoreCut, 3),
    (BusCut, 2),
    (Rolling, 2),
];

impl Fault {
    pub(super) fn name(self) -> &'static str {
        match self {
            Kill => "node killed at random",
            BeforeCommit => "node killed before a commit",
            AfterCommit => "node killed after a commit",
            BeforeReply => "node killed before a reply",
            Pause => "node paused",
            PostgresKilled => "PostgreSQL killed",
            PostgresRestarted => "PostgreSQL restarted",
            NatsKilled => "NATS killed",
            Slow => "slow network of a node",
            StorePaused => "PostgreSQL connection stalled",
            BusPaused => "NATS connection stalled",
            StoreCut => "PostgreSQL connection cut",
            BusCut => "NATS connection cut",
            Rolling => "rolling restart",
        }
    }

    /// The failpoint of a node that is killed at one.
    pub(super) fn failpoint(self) -> Option<&'static str> {
        match self {
            BeforeCommit => Some("before-commit"),
            AfterCommit => Some("after-commit"),
            BeforeReply => Some("before-reply"),
            _ => None,
        }
    }

    /// Whether a node is dead, or as good as dead, so that others take its tables over.
    pub(super) fn takes_a_node(self) -> bool {
        matches!(self, Kill | BeforeCommit | AfterCommit | BeforeReply | Pause | Rolling)
    }
}

/// What happens in a test, in its order.
pub(super) fn plan(length: Length, numbers: &mut Numbers) -> Vec<Fault> {
    let often = |often: usize| if length == Length::Long { often } else { 1 };
    let repeated =
        FAULTS.iter().flat_map(|(fault, times)| std::iter::repeat_n(*fault, often(*times)));
    let mut plan: Vec<Fault> = repeated.collect();
    for at in (1..plan.len()).rev() {
        plan.swap(at, numbers.below(at + 1));
    }
    plan
}

/// Numbers from a seed.
pub(super) struct Numbers(u64);

impl Numbers {
    pub(super) fn new(seed: u64) -> Numbers {
        Numbers(seed)
    }

    /// A number below a bound, each about as often as any other (SplitMix64).
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let below = (mixed ^ (mixed >> 31)) % bound as u64;
        usize::try_from(below).expect("it is below a bound of that size")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_test_has_thirty_kills_and_a_short_one_each_fault() {
        let long = plan(Length::Long, &mut Numbers::new(1));
        let kills = long.iter().filter(|fault| **fault == Kill || fault.failpoint().is_some());
        assert_eq!(kills.count(), 30);
        let mut short = plan(Length::Short, &mut Numbers::new(1));
        assert_ne!(short, plan(Length::Short, &mut Numbers::new(2)));
        assert_eq!(short, plan(Length::Short, &mut Numbers::new(1)));
        short.sort();
        assert_eq!(short, FAULTS.map(|(fault, _)| fault));
    }
}
