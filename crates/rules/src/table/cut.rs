//! The cut: who is offered it, where it may be, and who cuts again.

use super::input::Cutter;
use super::procedure::{CutBy, RecutBy};
use super::{Phase, Table, TableRefusal, Told, What};
use crate::round::Place;
use crate::wager::{Bettor, Bettors, Game};

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
    /// Who refused, or has had the cut.
    pub(super) passed: Bettors,
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
        match cut_by {
            CutBy::Players => {
                let first = self.first_to_cut();
                if self.sheet.game() == Game::DoubleDownStud {
                    self.rotate_first_asked(first);
                }
                self.offer_cut(first, Bettors::NONE, told);
            }
            CutBy::Dealer => self.offer_cut(None, Bettors::NONE, told),
            CutBy::Nobody => self.load_shoe(),
        }
    }

    /// From round to round the first offer goes around the table (DDS-4-d-2).
    fn rotate_first_asked(&mut self, asked: Option<Bettor>) {
        self.first_asked = match (self.first_asked, asked) {
            (FirstAsked::FirstArrival, _) | (_, None) => FirstAsked::FarRight,
            (_, Some(bettor)) => FirstAsked::After(bettor.seat()),
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
            (Cutter::Seat(bettor), None) => {
                self.refuse_cut(bettor, told);
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
        let next = match (asked, self.procedure.recut_by) {
            (Cutter::Dealer, _) => None,
            (Cutter::Seat(last), RecutBy::LastCutter) if self.chair(last).is_some() => Some(last),
            (Cutter::Seat(last), _) => {
                self.pass_over(last, &mut passed);
                self.next_to_cut(last, passed)
            }
        };
        self.offer_cut(next, passed, told);
        Ok(())
    }

    /// The last cut, while it can be made again.
    pub(super) fn check_recut(&self) -> Result<Cutting, TableRefusal> {
        let is_due = match (&self.phase, self.sheet.game()) {
            (Phase::Burning(_), _) => true,
            // FBB-R27: the stack is in the shoe.
            (Phase::Dealing, Game::FreeBet | Game::DoubleDeck) => false,
            (Phase::Dealing, _) => true,
            _ => false,
        };
        let uncut = self.shoe.is_none_or(|shoe| shoe.cut.is_none() || shoe.dealt > 0);
        match (is_due, uncut, &self.play, self.last_cut) {
            (true, false, None, Some(last)) => Ok(last),
            _ => Err(TableRefusal::RecutTooLate),
        }
    }

    /// A player refuses the cut, and the next one counterclockwise is asked (CW-5-d, DAB-4-e,
    /// FBB-4-d).
    pub(super) fn refuse_cut(&mut self, bettor: Bettor, told: &mut Told) {
        let Phase::Cutting(cutting) = &self.phase else { unreachable!("a cut is offered") };
        let mut passed = cutting.passed;
        self.pass_over(bettor, &mut passed);
        told.all(What::CutRefused { bettor });
        self.offer_cut(self.next_to_cut(bettor, passed), passed, told);
    }

    /// Who has this place is not asked again, at none of their boxes.
    fn pass_over(&self, bettor: Bettor, passed: &mut Bettors) {
        passed.add(bettor);
        let player = self.chair(bettor).map(|chair| &chair.player);
        let own = self.everyone().filter(|(_, chair)| Some(&chair.player) == player);
        own.for_each(|(other, _)| passed.add(other));
    }

    /// The offer does not stay with an empty place, and whoever is there next has refused nothing.
    pub(super) fn offer_cut_on_leaving(&mut self, bettor: Bettor, told: &mut Told) {
        let Phase::Cutting(cutting) = &mut self.phase else { return };
        cutting.passed.remove(bettor);
        let Cutting { asked, passed } = *cutting;
        if asked == Cutter::Seat(bettor) {
            self.offer_cut(self.next_to_cut(bettor, passed), passed, told);
        }
    }

    /// Asks a player for the cut, or the dealer where nobody is left.
    fn offer_cut(&mut self, next: Option<Bettor>, passed: Bettors, told: &mut Told) {
        if let Some(bettor) = next {
            told.all(What::CutOffered { bettor });
        }
        let asked = next.map_or(Cutter::Dealer, Cutter::Seat);
        self.phase = Phase::Cutting(Cutting { asked, passed });
    }

    /// The player whom the book designates; where nobody is at that box by now, the next one.
    fn first_to_cut(&self) -> Option<Bettor> {
        let next = |seat| self.next_to_cut(Bettor::at(seat), Bettors::NONE);
        match self.first_asked {
            FirstAsked::FirstArrival => self.first_arrival(),
            FirstAsked::Seat(seat) => {
                let mut there = self.everyone().map(|(bettor, _)| bettor);
                there.find(|bettor| bettor.seat() == seat).or_else(|| next(seat))
            }
            FirstAsked::After(seat) => next(seat),
            FirstAsked::FarRight => self.counterclockwise(Bettors::NONE).first().copied(),
        }
    }

    /// The next player counterclockwise who has not refused (CW-5-d, G-05).
    fn next_to_cut(&self, from: Bettor, passed: Bettors) -> Option<Bettor> {
        let there = self.counterclockwise(passed);
        let next = there.iter().find(|bettor| turn(**bettor) > turn(from));
        next.or(there.first()).copied()
    }

    /// Everyone who has not refused, from the dealer's far right, at each box who sits there first.
    fn counterclockwise(&self, passed: Bettors) -> Vec<Bettor> {
        let there = self.everyone().map(|(bettor, _)| bettor);
        let mut there: Vec<Bettor> = there.filter(|bettor| !passed.contains(*bettor)).collect();
        there.sort_by_key(|bettor| turn(*bettor));
        there
    }
}

/// When somebody is asked, counterclockwise from the dealer's far right (G-05).
fn turn(bettor: Bettor) -> (std::cmp::Reverse<usize>, usize) {
    (std::cmp::Reverse(bettor.seat()), bettor.place())
}
