//! How the cards of a game are shuffled, cut, burned and replaced.

use super::shuffle::Stack;
use crate::book::{Handling, Wash};
use crate::names::names;
use crate::notation::named;
use crate::shoe::{burned, cards, cut_card_depth, deck, shows_burn};
use crate::terms::TermSheet;

/// Who cuts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CutBy {
    /// The players are asked one after the other, the dealer last (CW-5-b, CW-5-d).
    Players,
    /// The dealer, at the house's discretion (CW-5-b).
    Dealer,
    /// Nobody (DAB-4-b-1, DDS-R09, FBB-4-i).
    Nobody,
}

names! {
    /// How cards are shuffled (G-11).
    Method {
        /// By hand.
        Manual "manual"
        /// By a machine, which may hold a second batch (CW-2-d, FBB-2-b, DDS-2-b).
        Machine "machine"
        /// By a continuous machine, which takes all cards back after every round (FBB-4-i).
        Continuous "continuous"
    }
}

named!(Method: "a way to shuffle");

/// Who cuts again (G-12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecutBy {
    /// Whoever cut last.
    LastCutter,
    /// Whoever would have been asked next.
    NextEntitled,
}

/// Who may start betting in mid-shoe (G-25).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// Everybody.
    Allowed,
    /// Players who skipped at most this many rounds; others only if a supervisor may admit them, and
    /// does (DDB-R16).
    Barred { skip: u32, may_admit: bool },
}

/// How a shoe is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Procedure {
    /// What the book prescribes.
    pub(super) book: Handling,
    /// Cards in one deck.
    deck: usize,
    /// Cards in the shoe (CW-2-a, DDS-2-a).
    pub(crate) cards: usize,
    /// How they are shuffled.
    pub(crate) method: Method,
    /// Batches that are used in turn (CW-2-d-2).
    pub(crate) batches: usize,
    /// Whether the house has its own approved shuffle, in place of the book's (DAB-4-i).
    pub(crate) is_custom: bool,
    /// Whether cards come shuffled to the table (G-30).
    pub(crate) pre_shuffled: bool,
    cut_by: CutBy,
    pub(crate) recut_by: RecutBy,
    /// Cards behind the cut card; none where the cards are shuffled after every round (DDS-4-a).
    pub(crate) behind_cut_card: Option<usize>,
    /// Cards burned before the first round of a shoe or of a dealer (CW-7-a, G-13).
    pub(crate) burned: usize,
    /// Whether burned cards are shown to a player who asks (DAB-7-c, G-13).
    pub(crate) shows_burn: bool,
    /// Whether the house may have the cards shuffled after any round (G-27).
    pub(crate) reshuffle: bool,
    /// Whether idle cards lie face up (CW-R24).
    pub(crate) idle_face_up: bool,
    pub(crate) entry: Entry,
}

impl Procedure {
    /// The procedure that a table's terms ask for.
    #[doc(alias = "DDS-8-a-2-i")]
    pub(crate) fn read(sheet: &TermSheet) -> Procedure {
        let method = match sheet.choice("shuffle_method") {
            _ if sheet.game().book().handling.every_round => Method::Machine,
            Some("automated") => Method::Machine,
            Some("continuous") => Method::Continuous,
            _ => Method::Manual,
        };
        Procedure::with(sheet, method)
    }

    /// The same, with another way to shuffle (DAB-15-l, FBB-11-m).
    #[doc(alias("CW-2-d", "CW-2-d-2", "DDS-2-b", "DDS-2-b-1", "FBB-2-b", "FBB-2-b-1"))]
    pub(crate) fn with(sheet: &TermSheet, method: Method) -> Procedure {
        let game = sheet.game();
        let is = |key, value| sheet.choice(key) == Some(value);
        let book = game.book().handling;
        let two_batches = match book.two_batches {
            true => method == Method::Machine,
            false => is("second_deck", "on"),
        };
        Procedure {
            book,
            deck: deck(game).count(),
            cards: cards(sheet),
            method,
            batches: if two_batches { 2 } else { 1 },
            is_custom: is("approved_procedure_profile", "custom"),
            pre_shuffled: is("card_supply", "pre_shuffled"),
            cut_by: match sheet.choice("cut_by") {
                Some("players") => CutBy::Players,
                Some("dealer") => CutBy::Dealer,
                _ => CutBy::Nobody,
            },
            recut_by: match is("recut_by", "last_cutter") {
                true => RecutBy::LastCutter,
                false => RecutBy::NextEntitled,
            },
            behind_cut_card: cut_card_depth(sheet).filter(|_| method != Method::Continuous),
            burned: burned(sheet),
            shows_burn: shows_burn(sheet),
            reshuffle: is("discretionary_reshuffle", "on"),
            idle_face_up: !is("idle_spread", "face_down"),
            entry: entry(sheet),
        }
    }

    /// Who cuts a stack.
    #[doc(alias("DAB-4-b", "DAB-4-b-2", "FBB-4-i"))]
    pub(crate) fn cut_by(&self, stack: Stack) -> CutBy {
        match (self.method, stack) {
            (Method::Continuous, _) => CutBy::Nobody,
            (Method::Machine, Stack::Used) if self.book.machine_replaces_cut => CutBy::Nobody,
            _ => self.cut_by,
        }
    }

    /// How many cards a cut leaves at each end of a stack (CW-5-e, G-12, G-18).
    pub(crate) fn margin(&self, size: usize) -> usize {
        match self.deck {
            deck if self.book.cut_leaves_a_deck && size >= 2 * deck => deck,
            _ => 10.min(size / 2),
        }
    }

    /// Whether new cards are washed after the first player has seen them.
    #[doc(alias("CW-4-c", "DAB-3-c", "DDS-3-c", "FBB-3-c"))]
    pub(crate) fn washes_new(&self) -> bool {
        self.washes(self.book.washes_new)
    }

    /// Whether cards that lay spread at an idle table are washed.
    #[doc(alias("CW-5-h-1", "DAB-4-j", "FBB-4-h-1"))]
    pub(crate) fn washes_idle(&self) -> bool {
        self.washes(self.book.washes_idle)
    }

    /// Whether an idle table takes the cards out that its machine had shuffled (CW-5-h-2).
    pub(crate) fn keeps_stored(&self) -> bool {
        !self.book.every_round
    }

    fn washes(&self, wash: Wash) -> bool {
        wash == Wash::Always || self.method == Method::Manual
    }
}

fn entry(sheet: &TermSheet) -> Entry {
    match sheet.choice("mid_shoe_entry") {
        _ if sheet.has("sit_out_rounds_allowed") => {
            Entry::Barred { skip: sheet.count("sit_out_rounds_allowed").into(), may_admit: false }
        }
        Some("barred") => Entry::Barred { skip: 0, may_admit: true },
        _ => Entry::Allowed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wager::Game;

    #[test]
    fn the_margin_of_a_cut_is_scaled_for_few_cards() {
        // G-18: fewer than two decks; and never more than half.
        let procedure = Procedure::read(&TermSheet::new(Game::FreeBet));
        for (size, margin) in [(312, 52), (104, 52), (103, 10), (20, 10), (13, 6)] {
            assert_eq!(procedure.margin(size), margin, "{size}");
        }
    }
}
