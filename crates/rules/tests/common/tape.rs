//! The numbers that decide whatever is left to chance in a test.

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use rules::wager::Game;

use super::Law;

/// Numbers that are read one by one; beyond the end all are 0.
///
/// Nought is always the plainest choice, so that a shorter tape with smaller numbers is a plainer
/// round, and a broken law comes with about the plainest round that breaks it.
pub(crate) struct Tape<'a>(std::slice::Iter<'a, u16>);

impl<'a> Tape<'a> {
    pub(crate) fn new(numbers: &'a [u16]) -> Tape<'a> {
        Tape(numbers.iter())
    }

    /// A number below the bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let number = usize::from(self.0.next().copied().unwrap_or(0));
        (number * bound) >> 16
    }

    /// Yes, once in so many times.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    /// One of these.
    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Holds every game to a law, on so many random tapes each.
///
/// The tapes are the same in every run. `LAW_CASES=20` plays twenty times as many, `LAW_SEED=7`
/// other ones.
pub(crate) fn hold(cases: u32, law: impl Fn(Game, &mut Tape<'_>) -> Law) {
    Game::ALL.into_iter().for_each(|game| hold_game(game, cases, &law));
}

/// Holds one game to a law.
pub(crate) fn hold_game(game: Game, cases: u32, law: impl Fn(Game, &mut Tape<'_>) -> Law) {
    let config = Config {
        cases: cases * said("LAW_CASES").unwrap_or(1),
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..Config::default()
    };
    let mut seed = [0; 32];
    seed[..4].copy_from_slice(&said("LAW_SEED").unwrap_or(0).to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let tapes = vec(any::<u16>(), 0..1_000);
    let result = TestRunner::new_with_rng(config, rng)
        .run(&tapes, |numbers| law(game, &mut Tape::new(&numbers)).map_err(TestCaseError::fail));
    match result {
        Ok(()) => {}
        Err(TestError::Fail(why, tape)) => panic!("{game}: {why}\n(tape {tape:?})"),
        Err(abort) => panic!("{game}: {abort}"),
    }
}

fn said(variable: &str) -> Option<u32> {
    std::env::var(variable).ok()?.parse().ok()
}
