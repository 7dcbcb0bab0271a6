//! What the dealer's hands do next: the physical side of each step, for a dealer's screen.

use super::cards::Stack;
use super::cards::{Method, choice};
use super::input::Cutter;
use super::{Stage, Table, TableAwaits};
use crate::round::{Awaits, Place};
use crate::wager::Game;

/// An instruction, and the clause that gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note {
    /// What is done.
    pub words: &'static str,
    /// The clause or ruling.
    pub clause: &'static str,
}

/// A step of the dealer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Cards are received.
    Receive,
    /// Cards are spread.
    Spread,
    /// Cards are mixed by hand.
    Hand,
    /// Cards go into a machine.
    Machine,
    /// One of two batches goes into a machine.
    Batch,
    /// The stack is offered.
    Offer,
    /// The dealer cuts.
    Cut,
    /// The stack goes into the shoe, and a card is burned.
    Burn,
    /// The last card of the stack is hidden.
    Cover,
    /// Wagers are placed.
    Wagers,
    /// A card is dealt from the shoe.
    Card,
    /// A card is dealt from a machine.
    MachineCard,
    /// A card is dealt face down to the dealer.
    Hole,
    /// Cards are burned before the war deal.
    WarBurn,
    /// A card of the war deal.
    WarCard,
    /// Players decide.
    Acts,
    /// The hole card goes into the reader.
    Peek,
    /// The face-down card is turned.
    Turn,
    /// The cards leave the shoe.
    Retire,
}

use Game::{CasinoWar, DoubleAttack, DoubleDeck, DoubleDownStud, FreeBet};

/// What the books say about hands, piles and places, in our words.
#[rustfmt::skip]
const NOTES: &[(Game, Step, &str, &str)] = &[
    (CasinoWar, Step::Receive, "Take the decks and the paper of their inspection and shuffle.", "CW-4-a"),
    (CasinoWar, Step::Spread, "Spread the cards face up, by suit and in sequence.", "CW-4-b"),
    (CasinoWar, Step::Hand, "Plug, riffle, strip after two riffles, turn one half around and riffle, and cut last.", "CW-5-i"),
    (CasinoWar, Step::Machine, "Stack the cards and put them into the machine.", "CW-5-a"),
    (CasinoWar, Step::Batch, "Keep the batches apart: their backs differ in colour.", "CW-2-d-3"),
    (CasinoWar, Step::Offer, "Offer the stack, its backs away from you, and the cut card.", "CW-5-b"),
    (CasinoWar, Step::Cut, "Cut for the table, a deck or more from either end.", "CW-5-e"),
    (CasinoWar, Step::Burn, "Put the first card face down into the discard rack; nobody sees it.", "CW-7-a"),
    (CasinoWar, Step::Burn, "The shoe stands to your left.", "CW-2-b"),
    (CasinoWar, Step::Cover, "A second cut card hides the last card of the stack.", "CW-2-c"),
    (CasinoWar, Step::Card, "Draw with the left hand, place face up with the right.", "CW-7-b"),
    (CasinoWar, Step::Acts, "Go counterclockwise; tied cards stay exposed, and see each war wager placed.", "CW-8-e"),
    (CasinoWar, Step::WarBurn, "Three cards go face down into the discard rack.", "CW-8-f"),
    (CasinoWar, Step::WarCard, "Lay the war card beside the first one.", "CW-8-f"),
    (CasinoWar, Step::Retire, "Collect all cards for the shuffle.", "CW-5-g"),
    (DoubleDownStud, Step::Spread, "Spread each deck face up by itself, by suit and in sequence.", "DDS-3-b"),
    (DoubleDownStud, Step::Machine, "Put the stacked deck into the machine.", "DDS-4-a"),
    (DoubleDownStud, Step::Batch, "Keep the two decks apart: their backs differ in colour.", "DDS-2-b-2"),
    (DoubleDownStud, Step::Offer, "Lay the stack on the cover card and offer it with the backs up.", "DDS-4-c"),
    (DoubleDownStud, Step::Cut, "Cut ten cards or more from either end.", "DDS-4-e"),
    (DoubleDownStud, Step::Card, "Draw with the left hand, place with the right.", "DDS-8-a-1"),
    (DoubleDownStud, Step::MachineCard, "Take the cards from the machine and keep those you hold over the chip tray.", "DDS-8-a-2-iii"),
    (DoubleDownStud, Step::Hole, "The first common card lies face down, so that nobody can make it out.", "DDS-8-b"),
    (DoubleDownStud, Step::Acts, "Double wagers go into their own area.", "DDS-8-d"),
    (DoubleDownStud, Step::Turn, "Turn the hidden card over.", "DDS-8-e"),
    (DoubleDownStud, Step::Retire, "The rest of the deck joins the last hand in the discard rack.", "DDS-9-c"),
    (DoubleDeck, Step::Spread, "Spread the cards for the player to see.", "G-14"),
    (DoubleDeck, Step::Hand, "Plug, riffle, strip after two riffles, turn one half around and riffle, and cut last.", "DDB-R17"),
    (DoubleDeck, Step::Machine, "Put the stacked decks into the machine.", "DDB-R17"),
    (DoubleDeck, Step::Offer, "Offer the stack and the cut card.", "DDB-R17"),
    (DoubleDeck, Step::Cut, "Cut ten cards or more from either end.", "DDB-R17"),
    (DoubleDeck, Step::Burn, "Put the first card face down into the discard rack.", "DDB-R17"),
    (DoubleDeck, Step::Hole, "Your second card lies face down.", "DDB-P6"),
    (DoubleDeck, Step::Acts, "A scratch asks for a card; cards tucked under the wager stand.", "DDB-P11"),
    (DoubleDeck, Step::Peek, "Slide the hole card into the reader face down.", "DDB-R09"),
    (DoubleDeck, Step::Turn, "Turn your hole card up.", "DDB-P16"),
    (DoubleDeck, Step::Retire, "Collect all cards for the shuffle.", "DDB-R17"),
    (DoubleAttack, Step::Receive, "Take the decks and the paper of their inspection and shuffle.", "DAB-3-a"),
    (DoubleAttack, Step::Spread, "See that every ten is out and verified; spread each deck by itself, by suit and in sequence.", "DAB-3-b"),
    (DoubleAttack, Step::Hand, "Plug, riffle, strip after two riffles, turn one half around and riffle, and cut last.", "DAB-4-k"),
    (DoubleAttack, Step::Machine, "The machine stacks the cards, and the stack goes straight into the shoe.", "DAB-4-b-1"),
    (DoubleAttack, Step::Offer, "Offer the stack, its backs away from you, and the cut card.", "DAB-4-c"),
    (DoubleAttack, Step::Cut, "Cut for the table, a deck or more from either end.", "DAB-4-f"),
    (DoubleAttack, Step::Burn, "Put the first card face down into the discard rack to your right.", "DAB-7-c"),
    (DoubleAttack, Step::Burn, "The shoe stands to your left.", "DAB-7-a"),
    (DoubleAttack, Step::Wagers, "On a shared box who decides bets nearest to you, the others in line behind.", "DAB-13-c"),
    (DoubleAttack, Step::Card, "Draw with the left hand, turn up, place with the right; hits to the first two boxes may come from the left.", "DAB-7-b"),
    (DoubleAttack, Step::Hole, "Lay your hole card face down, and do not look at it.", "DAB-7-i"),
    (DoubleAttack, Step::Acts, "Say each total from your left; players are to count for themselves.", "DAB-7-l"),
    (DoubleAttack, Step::Peek, "Slide the hole card into the reader face down; nobody sees it, nor do you.", "DAB-7-i"),
    (DoubleAttack, Step::Turn, "Turn your hole card up.", "DAB-7-i"),
    (DoubleAttack, Step::Retire, "Put the cards left in the shoe into the rack too, so that none is missing.", "DAB-7-j-2"),
    (FreeBet, Step::Receive, "Inspect the decks for defects, and have the floorperson verify it.", "FBB-3-a"),
    (FreeBet, Step::Spread, "Spread the cards face up in fans, deck by deck, by suit and in sequence.", "FBB-3-b"),
    (FreeBet, Step::Hand, "Plug, riffle, strip after two riffles, turn one half around and riffle, and cut last.", "FBB-4-j"),
    (FreeBet, Step::Machine, "Stack the cards and put them into the machine.", "FBB-4-a"),
    (FreeBet, Step::Batch, "Keep the batches apart: their backs differ in colour.", "FBB-2-b-2"),
    (FreeBet, Step::Offer, "Offer the stack, its backs away from you, and the cover card.", "FBB-4-b"),
    (FreeBet, Step::Cut, "Cut for the table, a deck or more from either end.", "FBB-4-e"),
    (FreeBet, Step::Burn, "The stack goes into the shoe.", "FBB-6-a"),
    (FreeBet, Step::Burn, "Put the first card into the discard rack.", "FBB-6-c"),
    (FreeBet, Step::Card, "Draw with the hand next to the shoe, place with the other; the two boxes next to it may be dealt with one.", "FBB-6-b"),
    (FreeBet, Step::Hole, "Lay your second card face down, so that nobody can make it out.", "FBB-6-b"),
    (FreeBet, Step::Acts, "Start from your left and go clockwise.", "FBB-6-h"),
    (FreeBet, Step::Peek, "Slide the hole card into the reader face down; nobody sees it, nor do you.", "FBB-6-g"),
    (FreeBet, Step::Turn, "Turn your hole card up.", "FBB-6-k"),
    (FreeBet, Step::Retire, "Put the cards left in the shoe into the rack too, so that none is missing.", "FBB-6-d-1"),
];

impl Table {
    /// What the dealer's hands do at this step, with the clauses that say so.
    pub fn notes(&self) -> Vec<Note> {
        let (game, steps) = (self.sheet.game(), self.steps());
        let due = |row: &&(Game, Step, _, _)| row.0 == game && steps.contains(&row.1);
        let note = |&(_, _, words, clause): &_| Note { words, clause };
        NOTES.iter().filter(due).map(note).collect()
    }

    fn steps(&self) -> Vec<Step> {
        let is = |key, value| choice(&self.sheet, key) == Some(value);
        let at_war = self.rounds.play().is_some_and(|play| play.closed_again);
        match self.awaits() {
            TableAwaits::Decks => vec![Step::Receive],
            TableAwaits::Player | TableAwaits::Inspection(_) => match self.cards.stage() {
                Stage::Spread(_) => vec![Step::Spread],
                _ => Vec::new(),
            },
            TableAwaits::Shuffle => self.steps_of_shuffle(),
            TableAwaits::Cut(Cutter::Seat(_)) => vec![Step::Offer],
            TableAwaits::Cut(Cutter::Dealer) => vec![Step::Cut],
            TableAwaits::Wagers => vec![Step::Wagers],
            TableAwaits::Round(Awaits::FaceDown(Place::Burn)) => match self.cards.stage() {
                Stage::Dealing => vec![Step::WarBurn],
                _ if is("cover_last_card", "on") => vec![Step::Burn, Step::Cover],
                _ => vec![Step::Burn],
            },
            TableAwaits::Round(Awaits::FaceDown(_)) => vec![Step::Hole],
            // DDS-8-a: from the machine, or else from a shoe.
            TableAwaits::Round(Awaits::Card(_)) if is("dealing_from", "shuffler") => {
                vec![Step::MachineCard]
            }
            TableAwaits::Round(Awaits::Card(_)) if at_war => vec![Step::Card, Step::WarCard],
            TableAwaits::Round(Awaits::Card(_)) => vec![Step::Card],
            TableAwaits::Round(Awaits::Acts(_)) => vec![Step::Acts],
            TableAwaits::Round(Awaits::Peek) => vec![Step::Peek],
            TableAwaits::Round(Awaits::Turn) => vec![Step::Turn],
            TableAwaits::Reveal => vec![Step::Retire],
            _ => Vec::new(),
        }
    }

    fn steps_of_shuffle(&self) -> Vec<Step> {
        match (self.cards.procedure().method, self.cards.procedure().batches) {
            _ if matches!(self.cards.stage(), Stage::Stacked(Stack::PreShuffled)) => Vec::new(),
            (Method::Manual, _) => vec![Step::Hand],
            (_, 2) => vec![Step::Machine, Step::Batch],
            _ => vec![Step::Machine],
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
        let notes = |game| -> BTreeSet<&str> {
            NOTES.iter().filter(|row| row.0 == game).map(|row| row.3).collect()
        };
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
