//! The cut: who is offered it, where it may be, and who cuts again.

use super::input::Cutter;
use super::procedure::{CutBy, RecutBy};
use super::{Phase, Table, TableRefusal, Told, What};
use crate::round::Place;
use crate::wager::{Game, MOST_SEATS};

/// Who is offered the next cut before all others (CW-5-c).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstAsked {
    /// The first player to the table (CW-5-c-1, DAB-4-d-1, DDS-4-d-1, FBB-4-c-1).
    FirstArrival,
    /// The player on whose area the cut card appeared (CW-5-c-2, DAB-4-d-2, FBB-4-c-2).
    Seat(usize),
    /// The player at the dealer's far right, as the cut card came to the dealer or the house wants
    /// a shuffle (CW-5-c-3, CW-5-c-4, DAB-4-d-3, DAB-4-d-4, FBB-4-c-3, FBB-4-c-4).
    FarRight,
    /// The player after this one, as every round has its cut (DDS-4-d-2).
    After(usize),
}

impl FirstAsked {
    /// By the place of the card that came with the cut card. A burn card is the dealer's.
    pub(super) fn after(place: Place) -> FirstAsked {
        match place {
            Place::Hand { seat, .. } => FirstAsked::Seat(seat.into()),
            Place::Dealer | Place::Burn => FirstAsked::FarRight,
        }
    }
}

/// Cards that wait for the cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cutting {
    pub(super) asked: Cutter,
    /// The seats that refused, or have had their cut.
    pub(super) passed: [bool; MOST_SEATS],
}

impl Cutting {
    pub(super) fn asked(&self) -> Cutter {
        self.asked
    }
}

impl Table {
    /// How few and how many cards the cut may take from the front (CW-5-e, G-12, G-18).
    pub fn cut_bounds(&self) -> (usize, usize) {
        let size = self.shoe.map_or(self.procedure.cards, |shoe| shoe.size);
        let margin = self.procedure.margin(size);
        (margin, size - margin)
    }

    /// The stack is offered to whom the book names first, if it is cut at all (CW-5-b, DAB-4-b,
    /// DAB-4-c, DDS-4-b, DDS-4-c, FBB-4-b).
    pub(super) fn offer_first_cut(&mut self, cut_by: CutBy, told: &mut Told) {
        let nobody = [false; MOST_SEATS];
        match cut_by {
            CutBy::Players => {
                let first = self.first_to_cut();
                if self.sheet.game() == Game::DoubleDownStud {
                    self.rotate_first_asked(first);
                }
                self.offer_cut(first, nobody, told);
            }
            CutBy::Dealer => self.offer_cut(None, nobody, told),
            CutBy::Nobody => self.load_shoe(),
        }
    }

    /// From round to round the first offer goes around the table (DDS-4-d-2).
    fn rotate_first_asked(&mut self, asked: Option<usize>) {
        self.first_asked = match (self.first_asked, asked) {
            (FirstAsked::FirstArrival, _) | (_, None) => FirstAsked::FarRight,
            (_, Some(seat)) => FirstAsked::After(seat),
        };
    }

    /// Completes the cut, or passes the offer on.
    pub(super) fn cut(
        &mut self,
        by: Cutter,
        at: Option<usize>,
        told: &mut Told,
    ) -> Result<(), TableRefusal> {
        let Phase::Cutting(Cutting { asked, .. }) = self.phase else {
            return Err(self.not_awaited());
        };
        match (by, at) {
            _ if by != asked => Err(self.not_awaited()),
            (_, Some(at)) => self.complete_cut(by, at, told),
            (Cutter::Seat(seat), None) => {
                self.refuse_cut(seat, told);
                Ok(())
            }
            // CW-5-d: somebody has to.
            (Cutter::Dealer, None) => Err(self.not_awaited()),
        }
    }

    /// The cards before the cut go to the back, and the cut card goes in (CW-5-e, CW-5-f).
    fn complete_cut(&mut self, by: Cutter, at: usize, told: &mut Told) -> Result<(), TableRefusal> {
        let (least, most) = self.cut_bounds();
        if !(least..=most).contains(&at) {
            return Err(TableRefusal::CutOutsideBounds { least, most });
        }
        told.all(What::Cut { by, at });
        let shoe = self.shoe.as_mut().expect("there are cards to cut");
        shoe.cut = Some((shoe.cut.unwrap_or(0) + at) % shoe.size);
        if let Phase::Cutting(cutting) = self.phase {
            self.last_cut = Some(cutting);
        }
        self.load_shoe();
        Ok(())
    }

    /// The stack goes into the shoe, and perhaps a card is burned (CW-5-f, CW-7-a). A continuous
    /// shuffler is loaded once, and burns once (FBB-R19).
    fn load_shoe(&mut self) {
        self.phase = match self.procedure.burned {
            _ if self.is_loaded => Phase::Dealing,
            0 => Phase::Dealing,
            cards => Phase::Burning(cards),
        };
    }

    /// The cards are cut again, as long as none has been dealt (DAB-4-g, DDS-4-f, FBB-4-f, CW-R11).
    pub(super) fn recut(&mut self, told: &mut Told) -> Result<(), TableRefusal> {
        let Cutting { asked, mut passed } = self.check_recut()?;
        let seat = match (asked, self.procedure.recut_by) {
            (Cutter::Dealer, _) => None,
            (Cutter::Seat(seat), RecutBy::LastCutter) if self.chairs[seat].is_some() => Some(seat),
            (Cutter::Seat(seat), _) => {
                self.pass_over(seat, &mut passed);
                self.next_to_cut(seat, &passed)
            }
        };
        self.offer_cut(seat, passed, told);
        Ok(())
    }

    /// The last cut, while it can be made again.
    pub(super) fn check_recut(&self) -> Result<Cutting, TableRefusal> {
        let is_due = matches!(self.phase, Phase::Burning(_) | Phase::Dealing);
        let uncut = self.shoe.is_none_or(|shoe| shoe.cut.is_none() || shoe.dealt > 0);
        match (is_due, uncut, &self.play, self.last_cut) {
            (true, false, None, Some(last)) => Ok(last),
            _ => Err(TableRefusal::RecutTooLate),
        }
    }

    /// A player refuses the cut, and the next one counterclockwise is asked (CW-5-d, DAB-4-e,
    /// FBB-4-d).
    pub(super) fn refuse_cut(&mut self, seat: usize, told: &mut Told) {
        let Phase::Cutting(cutting) = &self.phase else { unreachable!("a cut is offered") };
        let mut passed = cutting.passed;
        self.pass_over(seat, &mut passed);
        told.all(What::CutRefused { seat });
        self.offer_cut(self.next_to_cut(seat, &passed), passed, told);
    }

    /// Who sits at a seat is not asked again, at none of their boxes.
    fn pass_over(&self, seat: usize, passed: &mut [bool; MOST_SEATS]) {
        let player = self.chairs[seat].as_ref().map(|chair| &chair.player);
        for (other, passed) in passed.iter_mut().enumerate() {
            let same = self.chairs[other].as_ref().map(|chair| &chair.player) == player;
            *passed |= other == seat || (player.is_some() && same);
        }
    }

    /// The offer does not stay with an empty seat, and whoever sits there next has refused nothing.
    pub(super) fn offer_cut_on_leaving(&mut self, seat: usize, told: &mut Told) {
        let Phase::Cutting(cutting) = &mut self.phase else { return };
        cutting.passed[seat] = false;
        let Cutting { asked, passed } = *cutting;
        if asked == Cutter::Seat(seat) {
            self.offer_cut(self.next_to_cut(seat, &passed), passed, told);
        }
    }

    /// Asks a player for the cut, or the dealer where nobody is left.
    fn offer_cut(&mut self, seat: Option<usize>, passed: [bool; MOST_SEATS], told: &mut Told) {
        if let Some(seat) = seat {
            told.all(What::CutOffered { seat });
        }
        let asked = seat.map_or(Cutter::Dealer, Cutter::Seat);
        self.phase = Phase::Cutting(Cutting { asked, passed });
    }

    /// The player whom the book designates; where the seat is empty by now, the next one.
    fn first_to_cut(&self) -> Option<usize> {
        let nobody = [false; MOST_SEATS];
        match self.first_asked {
            FirstAsked::FirstArrival => {
                self.occupied().min_by_key(|(_, chair)| chair.arrival).map(|(seat, _)| seat)
            }
            FirstAsked::Seat(seat) if self.chairs[seat].is_some() => Some(seat),
            FirstAsked::Seat(seat) | FirstAsked::After(seat) => self.next_to_cut(seat, &nobody),
            FirstAsked::FarRight => (0..MOST_SEATS).rev().find(|&seat| self.chairs[seat].is_some()),
        }
    }

    /// The next player counterclockwise who has not refused (CW-5-d, G-05).
    fn next_to_cut(&self, from: usize, passed: &[bool; MOST_SEATS]) -> Option<usize> {
        let counterclockwise = (0..from).rev().chain((from..MOST_SEATS).rev());
        counterclockwise.into_iter().find(|&seat| self.chairs[seat].is_some() && !passed[seat])
    }
}
