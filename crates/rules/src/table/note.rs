//! Instructions for the dealer: the physical side of each step, for the dealer's screen.

use super::cards::{Method, Stack};
use super::input::Cutter;
use super::{CardStage, Table, TableAwaits};
use crate::book::DealerStep;
use crate::round::{Awaits, Place};

/// An instruction, and the clause that gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note {
    /// What to do.
    pub words: &'static str,
    /// The clause or ruling.
    pub clause: &'static str,
}

impl Table {
    /// What the dealer does at this step, with the clauses that say so.
    pub fn notes(&self) -> Vec<Note> {
        let steps = self.steps();
        let due = |row: &&(DealerStep, _, _)| steps.contains(&row.0);
        let note = |&(_, words, clause): &_| Note { words, clause };
        self.sheet.game().book().notes.iter().filter(due).map(note).collect()
    }

    #[doc(alias = "DDS-8-a")]
    fn steps(&self) -> Vec<DealerStep> {
        let is = |key, value| self.sheet.choice(key) == Some(value);
        let at_war = self.rounds.play().is_some_and(|play| play.closed_again);
        match self.awaits() {
            TableAwaits::Decks => vec![DealerStep::Receive],
            TableAwaits::Player | TableAwaits::Inspection(_) => match self.cards.stage() {
                CardStage::Spread(_) => vec![DealerStep::Spread],
                _ => Vec::new(),
            },
            TableAwaits::Shuffle => self.steps_of_shuffle(),
            TableAwaits::Cut(Cutter::Seat(_)) | TableAwaits::Commitments(Some(_)) => {
                vec![DealerStep::Offer]
            }
            TableAwaits::Cut(Cutter::Dealer) => vec![DealerStep::Cut],
            TableAwaits::Wagers => vec![DealerStep::Wagers],
            TableAwaits::Round(Awaits::FaceDown(Place::Burn)) => match self.cards.stage() {
                CardStage::Dealing => vec![DealerStep::WarBurn],
                _ if is("cover_last_card", "on") => vec![DealerStep::Burn, DealerStep::Cover],
                _ => vec![DealerStep::Burn],
            },
            TableAwaits::Round(Awaits::FaceDown(_)) => vec![DealerStep::Hole],
            // DDS-8-a: from the machine, or else from a shoe.
            TableAwaits::Round(Awaits::Card(_)) if is("dealing_from", "shuffler") => {
                vec![DealerStep::MachineCard]
            }
            TableAwaits::Round(Awaits::Card(_)) if at_war => {
                vec![DealerStep::Card, DealerStep::WarCard]
            }
            TableAwaits::Round(Awaits::Card(_)) => vec![DealerStep::Card],
            TableAwaits::Round(Awaits::Acts(_)) => vec![DealerStep::Acts],
            TableAwaits::Round(Awaits::Peek) => vec![DealerStep::Peek],
            TableAwaits::Round(Awaits::Turn) => vec![DealerStep::Turn],
            TableAwaits::Reveal => vec![DealerStep::Retire],
            _ => Vec::new(),
        }
    }

    fn steps_of_shuffle(&self) -> Vec<DealerStep> {
        match (self.cards.procedure().method, self.cards.procedure().batches) {
            _ if matches!(self.cards.stage(), CardStage::Stacked(Stack::PreShuffled)) => Vec::new(),
            (Method::Manual, _) => vec![DealerStep::Hand],
            (_, 2) => vec![DealerStep::Machine, DealerStep::Batch],
            _ => vec![DealerStep::Machine],
        }
    }
}
