//! What the dealer's hands do next: the physical side of each step, for a dealer's screen.

use super::cards::Method;
use super::cards::Stack;
use super::input::Cutter;
use super::{CardStage, Table, TableAwaits};
use crate::book::DealerStep;
use crate::round::{Awaits, Place};

/// An instruction, and the clause that gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note {
    /// What is done.
    pub words: &'static str,
    /// The clause or ruling.
    pub clause: &'static str,
}

impl Table {
    /// What the dealer's hands do at this step, with the clauses that say so.
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
            TableAwaits::Cut(Cutter::Seat(_)) => vec![DealerStep::Offer],
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::round::Call;
    use crate::table::{Input, Seal};
    use crate::terms::TermSheet;
    use crate::wager::Bettor;
    use crate::wager::Game::{self, CasinoWar, DoubleAttack, DoubleDeck, DoubleDownStud, FreeBet};

    /// The clauses of the notes that a day with nothing but kings shows: two rounds, a reshuffle
    /// that the house orders, where it may, and another round.
    fn shown(game: Game, terms: &[(&str, &str)]) -> BTreeSet<&'static str> {
        let mut sheet = TermSheet::new(game);
        sheet.set(terms.iter().copied()).unwrap();
        let mut table = Table::new(sheet);
        let mut shown = BTreeSet::new();
        while table.rounds_played() < 3 {
            shown.extend(table.notes().iter().map(|note| note.clause));
            let reshuffle = table.rounds_played() == 2 && table.shoes() == 1;
            for line in next(&table, reshuffle).split("; ") {
                table.apply(&line.parse().unwrap(), &mut Vec::new()).unwrap();
            }
        }
        shown
    }

    fn next(table: &Table, reshuffle: bool) -> String {
        match table.awaits() {
            TableAwaits::Decks => "decks pre-shuffled q4-117".to_owned(),
            TableAwaits::Player => "sit 1 ann; buy-in 1 1000".to_owned(),
            TableAwaits::Inspection(bettor) => format!("inspect {bettor}"),
            TableAwaits::Shuffle if table.seats.is_deserted() => {
                "sit 1 ann; buy-in 1 1000".to_owned()
            }
            TableAwaits::Shuffle => {
                let (seal, steps) = (Some(Seal([0; 32])), table.usual_shuffle());
                Input::Shuffle { seal, steps }.to_string()
            }
            TableAwaits::Contributions => "mix".to_owned(),
            TableAwaits::Cut(Cutter::Seat(bettor)) => format!("cut {bettor} pass"),
            TableAwaits::Cut(Cutter::Dealer) => format!("cut dealer {}", table.cut_bounds().0),
            TableAwaits::Wagers if reshuffle && table.cards.procedure().reshuffle => {
                "order reshuffle by eve".to_owned()
            }
            TableAwaits::Wagers => "wager 1 main 10; deal".to_owned(),
            TableAwaits::Round(Awaits::FaceDown(_)) => "card ??".to_owned(),
            TableAwaits::Round(Awaits::Card(_)) => "card Kc".to_owned(),
            TableAwaits::Round(Awaits::Peek) => "peek no".to_owned(),
            TableAwaits::Round(Awaits::Turn) => "turn Kd".to_owned(),
            TableAwaits::Round(Awaits::Acts(_)) => {
                let calls = [Call::War, Call::Stand, Call::Pass].into_iter();
                let offers = table.offers(Bettor::at(0));
                let call = calls.into_iter().find(|call| offers.contains(*call)).unwrap();
                format!("act 1 {call}")
            }
            TableAwaits::Reveal => format!("reveal {} Kc", Seal([0; 32])),
            awaits => panic!("nobody expects {awaits}"),
        }
    }

    #[test]
    fn every_note_is_shown_at_its_step() {
        // By hand, by machine, and from where the cards come.
        let all = |game, days: &[&[(&str, &str)]]| -> BTreeSet<&str> {
            days.iter().flat_map(|terms| shown(game, terms)).collect()
        };
        let notes =
            |game: Game| -> BTreeSet<&str> { game.book().notes.iter().map(|row| row.2).collect() };
        let pre_shuffled: &[_] = &[("card_supply", "pre_shuffled")];
        let machine: &[_] = &[("shuffle_method", "automated")];
        let by_shoe: &[_] = &[("cut_by", "players"), ("dealing_from", "manual_shoe")];
        let reader: &[_] = &[("dealing_mode", "hole_card_reader")];
        assert_eq!(all(CasinoWar, &[&[], pre_shuffled, machine]), notes(CasinoWar));
        assert_eq!(all(DoubleDownStud, &[&[], by_shoe]), notes(DoubleDownStud));
        assert_eq!(all(DoubleDeck, &[&[], machine]), notes(DoubleDeck));
        assert_eq!(all(DoubleAttack, &[reader, pre_shuffled, machine]), notes(DoubleAttack));
        assert_eq!(all(FreeBet, &[&[], pre_shuffled, machine]), notes(FreeBet));
    }

    #[test]
    fn a_note_belongs_to_its_moment() {
        let mut table = Table::new(TermSheet::new(CasinoWar));
        let mut clauses = |lines: &[&str]| -> Vec<&str> {
            for line in lines {
                table.apply(&line.parse().unwrap(), &mut Vec::new()).unwrap();
            }
            table.notes().iter().map(|note| note.clause).collect()
        };
        assert_eq!(clauses(&["sit 1 ann", "buy-in 1 100"]), ["CW-4-b"]);
        assert_eq!(clauses(&["inspect 1"]), ["CW-5-i"]);
        let shuffle = "shuffle physical wash plug riffle riffle strip turn riffle cut";
        assert_eq!(clauses(&[shuffle]), ["CW-5-b"]);
        assert_eq!(clauses(&["cut 1 60"]), ["CW-7-a", "CW-2-b", "CW-2-c"]);
        assert_eq!(clauses(&["card ??", "wager 1 main 10", "deal"]), ["CW-7-b"]);
        assert_eq!(clauses(&["card 9d", "card 9c"]), ["CW-8-e"]);
        assert_eq!(clauses(&["act 1 war"]), ["CW-8-f"]);
        assert_eq!(clauses(&["card ??", "card ??", "card ??"]), ["CW-7-b", "CW-8-f"]);
    }
}
