//! The cut: who is offered it, where it may be, and who cuts again.

use std::fmt;

use super::procedure::{CutBy, RecutBy};
use super::{CardHandling, CardStage, TableShoe};
use crate::notation::{Reading, Unreadable, Words, quoted};
use crate::refusal::ensure;
use crate::round::Place;
use crate::table::input::Cutter;
use crate::table::seats::Seats;
use crate::table::{Answer, Events, Table, TableEvent, TableRefusal};
use crate::wager::{Bettor, Bettors};

/// Who is offered the next cut first (CW-5-c).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FirstOffer {
    /// The first player to the table (CW-5-c-1, DAB-4-d-1, DDS-4-d-1, FBB-4-c-1).
    FirstArrival,
    /// The player on whose area the cut card appeared (CW-5-c-2, DAB-4-d-2, FBB-4-c-2).
    Seat(usize),
    /// The player at the dealer's far right, as the cut card came to the dealer or the house ordered
    /// a shuffle (CW-5-c-3, CW-5-c-4, DAB-4-d-3, DAB-4-d-4, FBB-4-c-3, FBB-4-c-4).
    FarRight,
    /// The player after this one, as the cards are cut for every round (DDS-4-d-2).
    After(usize),
}

impl FirstOffer {
    /// Decided by the card that came with the cut card. A burn card is the dealer's.
    #[doc(alias("CW-5-c-2", "CW-5-c-3", "DAB-4-d-2", "DAB-4-d-3", "FBB-4-c-2", "FBB-4-c-3"))]
    pub(crate) fn after(place: Place) -> FirstOffer {
        match place {
            Place::Hand { seat, .. } => FirstOffer::Seat(seat.into()),
            Place::Dealer | Place::Burn => FirstOffer::FarRight,
        }
    }
}

impl fmt::Display for FirstOffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FirstOffer::FirstArrival => f.write_str("first-arrival"),
            FirstOffer::Seat(seat) => write!(f, "seat {}", seat + 1),
            FirstOffer::FarRight => f.write_str("far-right"),
            FirstOffer::After(seat) => write!(f, "after {}", seat + 1),
        }
    }
}

impl FirstOffer {
    pub(super) fn read(words: &mut Words<'_>) -> Reading<FirstOffer> {
        let expected = "first-arrival, seat SEAT, far-right or after SEAT";
        Ok(match words.word(expected)? {
            "first-arrival" => FirstOffer::FirstArrival,
            "seat" => FirstOffer::Seat(words.seat()?.into()),
            "far-right" => FirstOffer::FarRight,
            "after" => FirstOffer::After(words.seat()?.into()),
            other => return Err(Unreadable::new(expected, quoted(other))),
        })
    }
}

/// Cards that wait for the cut. Printed as `3 passed 7 5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CutOffer {
    pub(crate) asked: Cutter,
    /// Who refused the cut, or has already made it.
    pub(crate) passed: Bettors,
}

impl fmt::Display for CutOffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed", self.asked)?;
        self.passed.iter().try_for_each(|bettor| write!(f, " {bettor}"))
    }
}

impl CutOffer {
    /// The player who is asked, unless it is the dealer.
    pub(in crate::table) const fn seat(self) -> Option<Bettor> {
        match self.asked {
            Cutter::Seat(bettor) => Some(bettor),
            Cutter::Dealer => None,
        }
    }
}

impl CardHandling {
    /// The house ordered the shuffle, so the cut is offered from the far right.
    #[doc(alias("CW-5-c-4", "DAB-4-d-4", "FBB-4-c-4"))]
    pub(crate) fn ask_far_right(&mut self) {
        self.first_offer = FirstOffer::FarRight;
    }

    /// The first offer moves around the table from round to round.
    #[doc(alias = "DDS-4-d-2")]
    fn rotate_first_offer(&mut self, asked: Option<Bettor>) {
        self.first_offer = match (self.first_offer, asked) {
            (FirstOffer::FirstArrival, _) | (_, None) => FirstOffer::FarRight,
            (_, Some(bettor)) => FirstOffer::After(bettor.seat()),
        };
    }

    /// The stack goes into the shoe, and a card may be burned (CW-5-f, CW-7-a). A continuous shuffler
    /// is loaded once, and burns once (FBB-R19).
    #[doc(alias = "DDS-4-b")]
    pub(super) fn load_shoe(&mut self) {
        self.stage = match self.procedure.burned {
            _ if self.is_loaded => CardStage::Dealing,
            0 => CardStage::Dealing,
            cards => CardStage::Burning(cards),
        };
    }

    /// Offers the cut to a player, or to the dealer if nobody is left.
    fn offer_cut(&mut self, next: Option<Bettor>, passed: Bettors, events: &mut Events) {
        if let Some(bettor) = next {
            events.push(TableEvent::CutOffered { bettor });
        }
        let asked = next.map_or(Cutter::Dealer, Cutter::Seat);
        let offer = CutOffer { asked, passed };
        self.stage = match self.stage {
            CardStage::Commit(_) => CardStage::Commit(Some(offer)),
            _ => CardStage::Cut(offer),
        };
    }

    /// What is offered for the cut now.
    fn offer(&self) -> Option<CutOffer> {
        match self.stage {
            CardStage::Commit(offer) => offer,
            CardStage::Cut(offer) => Some(offer),
            _ => None,
        }
    }

    /// The player designated by the book; if nobody is at that box any more, the next one.
    #[doc(alias("CW-5-c", "CW-5-c-1", "DAB-4-d", "DAB-4-d-1", "DDS-4-d", "DDS-4-d-1", "FBB-4-c"))]
    #[doc(alias = "FBB-4-c-1")]
    fn first_to_cut(&self, seats: &Seats) -> Option<Bettor> {
        let next = |seat| seats.next_to_cut(Bettor::at(seat), Bettors::NONE);
        match self.first_offer {
            FirstOffer::FirstArrival => seats.first_arrival(),
            FirstOffer::Seat(seat) => {
                let mut there = seats.everyone().map(|(bettor, _)| bettor);
                there.find(|bettor| bettor.seat() == seat).or_else(|| next(seat))
            }
            FirstOffer::After(seat) => next(seat),
            FirstOffer::FarRight => seats.counterclockwise(Bettors::NONE).first().copied(),
        }
    }
}

impl Table {
    /// How few and how many cards the cut may take from the front (CW-5-e, G-12, G-18).
    pub fn cut_bounds(&self) -> (usize, usize) {
        let size = self.cards.shoe.map_or(self.cards.procedure.cards, |shoe| shoe.size);
        let margin = self.cards.procedure.margin(size);
        (margin, size - margin)
    }

    /// Offers the stack to the player designated by the book, if it is cut at all (CW-5-b, DAB-4-b,
    /// DAB-4-c, DDS-4-b, DDS-4-c, FBB-4-b). While an order is sealed, players also commit to bytes.
    pub(crate) fn offer_first_cut(&mut self, cut_by: CutBy, events: &mut Events) {
        let commits = self.cards.takes_commitments();
        if commits {
            self.cards.stage = CardStage::Commit(None);
        }
        match cut_by {
            CutBy::Players => {
                let first = self.cards.first_to_cut(&self.seats);
                if self.sheet.game().book().handling.every_round {
                    self.cards.rotate_first_offer(first);
                }
                self.cards.offer_cut(first, Bettors::NONE, events);
            }
            CutBy::Dealer => self.cards.offer_cut(None, Bettors::NONE, events),
            CutBy::Nobody if commits => {}
            CutBy::Nobody => self.cards.load_shoe(),
        }
    }

    /// Completes the cut, or passes the offer on.
    pub(crate) fn cut(&mut self, by: Cutter, at: Option<usize>, events: &mut Events) -> Answer {
        let Some(offer) = self.cards.offer() else { return Err(self.not_awaited()) };
        match (by, at) {
            _ if by != offer.asked => Err(self.not_awaited()),
            (_, Some(_)) if matches!(self.cards.stage, CardStage::Commit(_)) => {
                Err(TableRefusal::CutIsNamed)
            }
            (_, Some(at)) => {
                self.mark_cut(offer, at, events)?;
                self.cards.load_shoe();
                Ok(())
            }
            (Cutter::Seat(bettor), None) => {
                self.refuse_cut(bettor, events);
                Ok(())
            }
            // CW-5-d: somebody has to cut.
            (Cutter::Dealer, None) => Err(self.not_awaited()),
        }
    }

    /// The cards before the cut go to the back, and the cut card goes in (CW-5-e).
    #[doc(alias = "CW-5-f")]
    pub(super) fn mark_cut(&mut self, offer: CutOffer, at: usize, events: &mut Events) -> Answer {
        let (least, most) = self.cut_bounds();
        ensure((least..=most).contains(&at), TableRefusal::CutOutsideBounds { least, most })?;
        events.push(TableEvent::Cut { by: offer.asked, at });
        let shoe = self.cards.shoe.as_mut().expect("there are cards to cut");
        shoe.cut = Some((shoe.cut.unwrap_or(0) + at) % shoe.size);
        self.cards.last_cut = Some(offer);
        Ok(())
    }

    /// The cards are cut again, as long as none has been dealt (DAB-4-g, DDS-4-f, FBB-4-f, CW-R11).
    pub(crate) fn recut(&mut self, events: &mut Events) -> Answer {
        let CutOffer { asked, mut passed } = self.check_recut()?;
        let shoe = self.cards.shoe.as_mut().expect("there are cards to cut");
        shoe.is_recut = true;
        // A sealed order is known to whoever sealed it by now: the cut is drawn.
        let is_sealed = shoe.seal.is_some();
        let next = match (asked, self.cards.procedure.recut_by) {
            (Cutter::Dealer, _) => None,
            _ if is_sealed => None,
            (Cutter::Seat(last), RecutBy::LastCutter) if self.seats.chair(last).is_some() => {
                Some(last)
            }
            (Cutter::Seat(last), _) => {
                self.seats.pass_over(last, &mut passed);
                self.seats.next_to_cut(last, passed)
            }
        };
        self.cards.offer_cut(next, passed, events);
        Ok(())
    }

    /// The last cut, as long as it can be made again. A supervisor *may* require it, and of a sealed
    /// order does so only once and before anybody wagers: whoever sealed it knows where each cut leads.
    pub(crate) fn check_recut(&self) -> Result<CutOffer, TableRefusal> {
        let is_due = match &self.cards.stage {
            CardStage::Burning(_) => true,
            CardStage::Dealing => self.sheet.game().book().handling.recut_from_shoe,
            _ => false,
        };
        let is_open = |shoe: TableShoe| match shoe.seal {
            Some(_) => !shoe.is_recut && self.seats.nobody_bets(),
            None => true,
        };
        let is_cut = |shoe: TableShoe| shoe.cut.is_some() && shoe.dealt == 0;
        let may_cut = self.cards.shoe.is_some_and(|shoe| is_cut(shoe) && is_open(shoe));
        match (is_due && may_cut, self.rounds.play(), self.cards.last_cut) {
            (true, None, Some(last)) => Ok(last),
            _ => Err(TableRefusal::RecutTooLate),
        }
    }

    /// A player refuses the cut, and the next one counterclockwise is asked.
    #[doc(alias("CW-5-d", "DAB-4-e", "FBB-4-d"))]
    pub(crate) fn refuse_cut(&mut self, bettor: Bettor, events: &mut Events) {
        let Some(CutOffer { mut passed, .. }) = self.cards.offer() else {
            unreachable!("a cut is offered")
        };
        self.seats.pass_over(bettor, &mut passed);
        events.push(TableEvent::CutRefused { bettor });
        self.cards.offer_cut(self.seats.next_to_cut(bettor, passed), passed, events);
    }

    /// The offer moves on from an empty seat, and whoever sits there next has refused nothing.
    pub(crate) fn offer_cut_on_leaving(&mut self, bettor: Bettor, events: &mut Events) {
        let (CardStage::Cut(offer) | CardStage::Commit(Some(offer))) = &mut self.cards.stage else {
            return;
        };
        offer.passed.remove(bettor);
        let CutOffer { asked, passed } = *offer;
        if asked == Cutter::Seat(bettor) {
            self.cards.offer_cut(self.seats.next_to_cut(bettor, passed), passed, events);
        }
    }
}
