//! The shuffle and the cut.

use std::ops::RangeInclusive;

use super::input::{Cutter, Seal};
use super::procedure::CutBy;
use super::{Phase, Table, TableRefusal, TableShoe, Told, What};
use crate::round::Place;
use crate::wager::MOST_SEATS;

/// Who is offered the next cut before all others (CW-5-c).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstAsked {
    /// The first player to the table (CW-5-c-1).
    FirstArrival,
    /// The player on whose area the cut card appeared (CW-5-c-2).
    Seat(usize),
    /// The player at the dealer's far right, as the cut card came to the dealer (CW-5-c-3).
    FarRight,
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cutting {
    asked: Cutter,
    /// The seats that refused.
    refused: [bool; MOST_SEATS],
}

impl Cutting {
    pub(super) fn asked(&self) -> Cutter {
        self.asked
    }
}

impl Table {
    /// How many cards a cut may take from the front (CW-5-e, G-12).
    pub fn cut_bounds(&self) -> RangeInclusive<usize> {
        self.procedure.margin..=self.procedure.cards - self.procedure.margin
    }

    /// The dealer stacks shuffled cards, the house being committed to their order (CW-5-a).
    pub(super) fn shuffle(&mut self, seal: Seal, told: &mut Told) -> Result<(), TableRefusal> {
        if !matches!(self.phase, Phase::Stacked) || self.occupied().next().is_none() {
            return Err(self.not_awaited());
        }
        let number = self.shoe.map_or(0, |shoe| shoe.number) + 1;
        let shoe = TableShoe::new(number, seal, &self.procedure);
        self.shoe = Some(shoe);
        let cards = u16::try_from(shoe.size).expect("a shoe has at most eight decks");
        told.all(What::Shuffled { shoe: number, seal, cards });
        match self.procedure.cut_by {
            CutBy::Players => self.offer_cut(self.first_to_cut(), [false; MOST_SEATS], told),
            CutBy::Dealer => self.offer_cut(None, [false; MOST_SEATS], told),
            CutBy::Nobody => self.load_shoe(),
        }
        Ok(())
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
        let bounds = self.cut_bounds();
        if !bounds.contains(&at) {
            let (least, most) = bounds.into_inner();
            return Err(TableRefusal::CutOutsideBounds { least, most });
        }
        told.all(What::Cut { by, at });
        self.shoe.as_mut().expect("there are cards to cut").cut = Some(at);
        self.load_shoe();
        Ok(())
    }

    /// The stack goes into the shoe, and perhaps a card is burned (CW-5-f, CW-7-a).
    fn load_shoe(&mut self) {
        self.phase = match self.procedure.burned {
            0 => Phase::Betting,
            cards => Phase::Burning(cards),
        };
    }

    /// A player refuses the cut, and the next one counterclockwise is asked (CW-5-d).
    pub(super) fn refuse_cut(&mut self, seat: usize, told: &mut Told) {
        let Phase::Cutting(cutting) = &self.phase else { unreachable!("a cut is offered") };
        let mut refused = cutting.refused;
        refused[seat] = true;
        told.all(What::CutRefused { seat });
        self.offer_cut(self.next_to_cut(seat, &refused), refused, told);
    }

    /// The offer does not stay with an empty seat, and whoever sits there next has refused nothing.
    pub(super) fn offer_cut_on_leaving(&mut self, seat: usize, told: &mut Told) {
        let Phase::Cutting(cutting) = &mut self.phase else { return };
        cutting.refused[seat] = false;
        let Cutting { asked, refused } = *cutting;
        if asked == Cutter::Seat(seat) {
            self.offer_cut(self.next_to_cut(seat, &refused), refused, told);
        }
    }

    /// Asks a player for the cut, or the dealer where nobody is left.
    fn offer_cut(&mut self, seat: Option<usize>, refused: [bool; MOST_SEATS], told: &mut Told) {
        if let Some(seat) = seat {
            told.all(What::CutOffered { seat });
        }
        let asked = seat.map_or(Cutter::Dealer, Cutter::Seat);
        self.phase = Phase::Cutting(Cutting { asked, refused });
    }

    /// The player whom the book designates; where the seat is empty by now, the next one.
    fn first_to_cut(&self) -> Option<usize> {
        let nobody = [false; MOST_SEATS];
        match self.first_asked {
            FirstAsked::FirstArrival => {
                self.occupied().min_by_key(|(_, chair)| chair.arrival).map(|(seat, _)| seat)
            }
            FirstAsked::Seat(seat) if self.chairs[seat].is_some() => Some(seat),
            FirstAsked::Seat(seat) => self.next_to_cut(seat, &nobody),
            FirstAsked::FarRight => self.occupied().next_back().map(|(seat, _)| seat),
        }
    }

    /// The next player counterclockwise who has not refused (CW-5-d, G-05).
    fn next_to_cut(&self, from: usize, refused: &[bool; MOST_SEATS]) -> Option<usize> {
        let counterclockwise = (0..from).rev().chain((from..MOST_SEATS).rev());
        counterclockwise.into_iter().find(|&seat| self.chairs[seat].is_some() && !refused[seat])
    }
}
