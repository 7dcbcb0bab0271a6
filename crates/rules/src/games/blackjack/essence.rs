//! What of a blackjack round's past can still matter.

use super::book::Book;
use super::hand::{Dealer, Fate, of_equal_value};
use super::money::Backing;
use super::{Blackjack, MOST_HANDS, Phase, Reader};
use crate::card::Card;
use crate::essence::{Essence, digest};
use crate::money::Chips;
use crate::round::{Awaits, Place, Record, Round};
use crate::wager::Bettors;

impl<B: Book, const SEATS: usize, const BETTORS: usize> Essence for Blackjack<B, SEATS, BETTORS> {
    /// Only side wagers look at suits.
    fn sees_suits(&self) -> bool {
        self.has_side_wagers()
    }

    fn essence(&self, hole: Option<Card>) -> (Self, Option<Card>) {
        let mut round = *self;
        if !self.natural_possible() {
            round.forget_originals();
        }
        for seat in 0..SEATS {
            for hand in 0..self.count(seat) {
                *round.hand_mut(seat, hand) = self.hand(seat, hand).essence(&self.terms.book);
            }
            round.sort_complete_hands(seat);
        }
        if !matches!(self.awaits(), Awaits::Acts(_)) {
            round.asked = Bettors::NONE;
        }
        if self.has_side_wagers() {
            return (round, hole);
        }
        round.dealer = self.dealer.essence();
        if self.dealer.cards() >= 2 {
            round.reader = Reader::Silent;
        }
        (round, hole.map(of_equal_value))
    }

    fn digest(&self) -> u64 {
        let place = match self.awaits() {
            Awaits::Card(Place::Hand { seat, hand }) => 8 + u64::from(seat) * 8 + u64::from(hand),
            Awaits::Card(_) => 0,
            Awaits::FaceDown(_) => 1,
            Awaits::Peek => 2,
            Awaits::Turn => 3,
            Awaits::Acts(_) => 4,
            Awaits::Nobody => 5,
        };
        let hands = self.boxes.iter().flat_map(|here| here.hands).map(|hand| hand.code());
        let stakes = self.stakes.iter().flatten().flat_map(|stakes| {
            let on = stakes.on.iter().fold(0, |code, &on| code << 8 | on as u64);
            let doubles = stakes.doubles.iter().map(|chips| u64::from(chips.get()));
            let side = u64::from(stakes.side.get()) << 1 | u64::from(stakes.busted);
            doubles.chain([on, side, u64::from(stakes.attack.get())])
        });
        digest([place, self.dealer.code()].into_iter().chain(hands).chain(stakes))
    }

    /// The dealer's total: each from the least to 22, and all above it.
    const ENDS: usize = (MOST_END - LEAST_END) as usize + 1;

    fn end(&self) -> usize {
        usize::from(self.dealer.points().total().clamp(LEAST_END, MOST_END) - LEAST_END)
    }

    /// A dealer's natural treats hands by what others of the box have lost.
    fn release_complete_hands<T: Record>(&mut self, ends: &mut [T]) -> bool {
        if self.natural_possible() || (0..SEATS).all(|seat| self.count(seat) < 2) {
            return false;
        }
        for seat in 0..SEATS {
            let has_several = self.count(seat) > 1;
            for hand in 0..self.count(seat) {
                if has_several && self.hand(seat, hand).fate == Fate::Stood {
                    self.release_hand(seat, hand, ends);
                }
            }
        }
        self.waiting = self.waiting.min(1);
        true
    }
}

/// The least total that the dealer stands on, and one that stands for all totals above 22.
const LEAST_END: u8 = 17;
const MOST_END: u8 = 23;

impl<B: Book, const SEATS: usize, const BETTORS: usize> Blackjack<B, SEATS, BETTORS> {
    /// Notes what a complete hand is settled with at each end, and leaves it as if it were settled.
    fn release_hand(&mut self, seat: usize, hand: usize, ends: &mut [impl Record]) {
        for (total, record) in (LEAST_END..).zip(ends) {
            let mut settled = *self;
            settled.dealer = Dealer::with_total(total);
            settled.settle_hand_if(seat, hand, |_| true, record);
        }
        self.hand_mut(seat, hand).fate = Fate::Bust;
        for stakes in &mut self.stakes[seat] {
            stakes.on[hand] = Backing::Nothing;
            stakes.doubles[hand] = Chips::ZERO;
        }
    }

    /// Forgets which wager is the original one: only a dealer's natural tells them apart.
    fn forget_originals(&mut self) {
        for stakes in self.stakes.iter_mut().flatten() {
            stakes.busted = false;
            if stakes.attack.is_zero() && stakes.takes_part() {
                for on in stakes.on.iter_mut().filter(|on| **on == Backing::Split) {
                    *on = Backing::Main;
                }
            }
        }
    }

    /// Puts the complete hands before the one in play in one order, whichever was which.
    fn sort_complete_hands(&mut self, seat: usize) {
        let now = match self.phase {
            Phase::Dealer | Phase::Turn => self.count(seat),
            _ => self.current_hand(seat).unwrap_or(0),
        };
        let complete = (0..now).take_while(|&hand| self.hand(seat, hand).fate != Fate::Open);
        let complete = complete.count();
        if complete < 2 {
            return;
        }
        let (hands, stakes) = (self.boxes[seat].hands, self.stakes[seat]);
        let mut order: [usize; MOST_HANDS] = std::array::from_fn(|hand| hand);
        order[..complete].sort_unstable_by_key(|&hand| {
            (hands[hand].code(), stakes.map(|stakes| (stakes.on[hand] as u8, stakes.doubles[hand])))
        });
        self.boxes[seat].hands = order.map(|hand| hands[hand]);
        for (to, from) in self.stakes[seat].iter_mut().zip(stakes) {
            to.on = order.map(|hand| from.on[hand]);
            to.doubles = order.map(|hand| from.doubles[hand]);
        }
    }
}
