//! When the disk fails, and how: from the seed.

use super::numbers::Numbers;

/// How a commit fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// Nothing is written.
    Nothing,
    /// All is written, and nobody is told so.
    Unheard,
    /// There is no room.
    Full,
    /// The program panics before anything is written.
    PanicBefore,
    /// The program panics after all is written.
    PanicAfter,
}

/// What a panic that belongs to the play is known by.
pub(super) struct Rehearsal;

/// Panics without a word on the terminal.
pub(super) fn panic() -> ! {
    std::panic::resume_unwind(Box::new(Rehearsal))
}

/// What is to fail.
pub(super) struct Failing {
    pub(super) numbers: Numbers,
    /// How many of a thousand appends fail, in one way or another.
    often: usize,
    /// For so many more appends there is no room.
    full: usize,
    /// Whether the program panics as well.
    panics: bool,
    /// How often something failed.
    pub(super) failures: u32,
}

impl Failing {
    pub(super) fn new(numbers: Numbers, often: usize) -> Failing {
        Failing { numbers, often, full: 0, panics: true, failures: 0 }
    }

    /// The program never panics.
    pub(super) fn without_panics(self) -> Failing {
        Failing { panics: false, ..self }
    }

    /// From now on nothing fails.
    pub(super) fn heal(&mut self) {
        (self.often, self.full) = (0, 0);
    }

    /// Whether the next append fails, and how.
    pub(super) fn next(&mut self) -> Option<Failure> {
        if self.full > 0 {
            self.full -= 1;
            return Some(Failure::Full);
        }
        let fails = self.often > 0 && self.numbers.below(1000) < self.often;
        let kinds = if self.panics { 7 } else { 5 };
        fails.then(|| match self.numbers.below(kinds) {
            6 => Failure::PanicBefore,
            5 => Failure::PanicAfter,
            0 => {
                self.full = self.numbers.below(6);
                Failure::Full
            }
            1 | 2 => Failure::Unheard,
            _ => Failure::Nothing,
        })
    }

    /// Whether the next look at the disk fails.
    pub(super) fn next_read(&mut self) -> bool {
        let fails = self.often > 0 && self.numbers.below(1000) < self.often / 8;
        self.failures += u32::from(fails);
        fails
    }
}
