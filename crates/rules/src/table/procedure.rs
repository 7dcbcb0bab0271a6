//! How the cards of a game are cut, burned and used up: what the books say about it, side by side.

use crate::shoe::{behind_cut_card, cards, deck};
use crate::terms::TermSheet;
use crate::wager::Game;

/// Who cuts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CutBy {
    /// The players are asked one after the other, the dealer last (CW-5-b, CW-5-d).
    Players,
    /// The dealer, at the house's discretion (CW-5-b).
    Dealer,
    /// Nobody: the cards come from a machine (DDS-R09).
    Nobody,
}

/// The handling of a shoe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Procedure {
    /// Cards in the shoe (CW-2-a).
    pub(super) cards: usize,
    /// Who cuts.
    pub(super) cut_by: CutBy,
    /// Cards that a cut leaves at either end (CW-5-e, G-12).
    pub(super) margin: usize,
    /// Cards behind the cut card; none where the cards are shuffled after every round (DDS-4-a).
    pub(super) behind_cut_card: Option<usize>,
    /// Cards burned before the first round (CW-7-a, G-13).
    pub(super) burned: usize,
}

impl Procedure {
    /// The handling that a table's terms ask for.
    pub(super) fn read(sheet: &TermSheet) -> Procedure {
        let game = sheet.game();
        let deck = deck(game).count();
        let cards = cards(sheet);
        Procedure {
            cards,
            cut_by: match choice(sheet, "cut_by") {
                Some("players") => CutBy::Players,
                Some("dealer") => CutBy::Dealer,
                _ => CutBy::Nobody,
            },
            margin: match game {
                // G-12, DDB-R17: a deck from both ends of two would leave no choice.
                Game::DoubleDownStud | Game::DoubleDeck => 10,
                _ => deck,
            },
            behind_cut_card: behind_cut_card(sheet),
            burned: match game {
                Game::DoubleDownStud => 0,
                _ => 1,
            },
        }
    }
}

/// What the house chose for an option, where the game has it.
pub(super) fn choice<'a>(sheet: &'a TermSheet, key: &str) -> Option<&'a str> {
    sheet.entries().find(|(term, _)| term.key == key).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cards, margin of the cut, cards behind the cut card, cards burned.
    #[test]
    fn the_books_differ_in_how_they_handle_a_shoe() {
        // G-12, G-13, DDS-R09, DDB-R17.
        for (game, terms, cut_by, numbers) in [
            (Game::CasinoWar, &[("decks", "7")][..], CutBy::Players, (364, 52, Some(78), 1)),
            (Game::CasinoWar, &[("cut_by", "dealer")], CutBy::Dealer, (312, 52, Some(78), 1)),
            (Game::DoubleDownStud, &[], CutBy::Nobody, (52, 10, None, 0)),
            (Game::DoubleDeck, &[], CutBy::Players, (104, 10, Some(35), 1)),
            (Game::DoubleAttack, &[("decks", "8")], CutBy::Players, (384, 48, Some(96), 1)),
            (Game::FreeBet, &[("decks", "6")], CutBy::Players, (312, 52, Some(78), 1)),
        ] {
            let mut sheet = TermSheet::new(game);
            sheet.set(terms.iter().copied()).unwrap();
            let (cards, margin, behind_cut_card, burned) = numbers;
            let expected = Procedure { cards, cut_by, margin, behind_cut_card, burned };
            assert_eq!(Procedure::read(&sheet), expected, "{game}");
        }
    }
}
