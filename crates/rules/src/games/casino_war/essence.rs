//! What of a war's past can still matter.

use super::{CasinoWar, Phase, WarCard, WarHand};
use crate::card::Card;
use crate::essence::{Essence, code, digest, without_suit};
use crate::round::Record;

impl<const SEATS: usize> Essence for CasinoWar<SEATS> {
    /// Only the progressive looks at suits.
    fn sees_suits(&self) -> bool {
        self.seats.iter().any(|seat| !seat.progressive.is_zero())
    }

    fn essence(&self, hole: Option<Card>) -> (Self, Option<Card>) {
        let mut round = *self;
        if self.sees_suits() {
            return (round, hole);
        }
        for seat in &mut round.seats {
            match &mut seat.hand {
                WarHand::Dealt(card)
                | WarHand::Tied(card)
                | WarHand::Surrenders(card)
                | WarHand::AtWar { card, war: WarCard::Due | WarCard::Owed, .. } => {
                    *card = without_suit(*card);
                }
                WarHand::AtWar { card, war: WarCard::Dealt(war), .. } => {
                    (*card, *war) = (without_suit(*card), without_suit(*war));
                }
                WarHand::Out | WarHand::Staked | WarHand::Decided(_) => {}
            }
        }
        if let Phase::Choice { dealer }
        | Phase::Burning { dealer, .. }
        | Phase::War { dealer, .. }
        | Phase::WarDealer { dealer } = &mut round.phase
        {
            *dealer = without_suit(*dealer);
        }
        (round, hole)
    }

    fn digest(&self) -> u64 {
        let phase = match self.phase {
            Phase::Original { seat } => 8 + u64::from(seat),
            Phase::Burning { burned, .. } => 16 + u64::from(burned),
            Phase::War { seat, .. } => 24 + u64::from(seat),
            Phase::OriginalDealer => 1,
            Phase::Choice { .. } => 2,
            Phase::WarDealer { .. } => 3,
            Phase::Over => 4,
        };
        let hands = self.seats.iter().map(|seat| match seat.hand {
            WarHand::Out | WarHand::Staked => 0,
            WarHand::Decided(outcome) => 1 + outcome as u64,
            WarHand::Dealt(card) => 1 << 8 | code(Some(card)),
            WarHand::Tied(card) => 2 << 8 | code(Some(card)),
            WarHand::Surrenders(card) => 3 << 8 | code(Some(card)),
            WarHand::AtWar { card, war, .. } => {
                let war = match war {
                    WarCard::Due => 0,
                    WarCard::Owed => 1,
                    WarCard::Dealt(card) => code(Some(card)),
                };
                (4 << 8 | code(Some(card))) << 8 | war
            }
        });
        digest([phase, code(self.dealer())].into_iter().chain(hands))
    }

    const ENDS: usize = 1;

    fn end(&self) -> usize {
        0
    }

    /// A seat has one hand.
    fn release_complete_hands<T: Record>(&mut self, _: &mut [T]) -> bool {
        false
    }
}
