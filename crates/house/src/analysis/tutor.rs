//! What wagers and strategies are worth, away from the tables.

use rules::card::Card;
use rules::terms::TermSheet;
use wire::{OddsLine, TrainingAnswer, TrainingView};

/// Explores tables and drills people, for whoever opens the house. It is asked from threads of its own,
/// and is told of no table and of no round.
pub trait Tutor: Send + Sync {
    /// Finds what a table is worth with these cards gone, and tells each part as soon as it is known. It
    /// ends early where `tell` answers no. A sentence, before anything is told, where such a table cannot
    /// be.
    fn explore(
        &self,
        sheet: &TermSheet,
        gone: &[Card],
        tell: &mut dyn FnMut(OddsLine) -> bool,
    ) -> Result<(), String>;

    /// Grades an answer and asks the next question; with the record that is to be kept, where it
    /// changed. A sentence where there is no such question or answer.
    fn train(&self, lesson: &Lesson) -> Result<(TrainingView, Option<String>), String>;
}

/// What somebody trains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// The house options.
    pub sheet: TermSheet,
    /// The drill.
    pub drill: String,
    /// The decision to begin with: a field of the strategy by its name.
    pub field: Option<String>,
    /// The answer to the question before.
    pub answer: Option<TrainingAnswer>,
    /// What was kept of earlier lessons, as [`Tutor::train`] gave it; empty at first.
    pub record: String,
    /// What chooses the next question.
    pub seed: u32,
    /// Days since 1970.
    pub day: u32,
}
