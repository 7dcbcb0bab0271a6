//! Why a call is closed.

use super::book::Book;
use super::hand::Fate;
use super::{Blackjack, Phase};
use crate::refusal::Refusal;
use crate::round::Call;
use crate::wager::{Bettor, byte};

impl<B: Book, const SEATS: usize, const BETTORS: usize> Blackjack<B, SEATS, BETTORS> {
    /// Why a call is closed to someone.
    pub(super) fn closed(&self, bettor: Bettor, call: Call) -> Refusal {
        if bettor.place() >= BETTORS {
            return Refusal::BoxNotShared { most: byte(BETTORS) };
        }
        if bettor.seat() >= SEATS || self.count(bettor.seat()) == 0 {
            return Refusal::NotInTheRound;
        }
        let in_window = self.asked.contains(bettor);
        match call {
            Call::War => return Refusal::CallForeign { call },
            Call::Surrender if !B::SURRENDER => return Refusal::SurrenderNotOffered,
            Call::Attack if !B::ATTACK => return Refusal::CallForeign { call },
            Call::EvenMoney if !self.terms.book.even_money() => {
                return Refusal::EvenMoneyNotOffered;
            }
            Call::Attack if bettor != self.decider(bettor.seat()) => return Refusal::NotTheDecider,
            Call::Attack => return Refusal::AttackClosed,
            Call::EvenMoney => return Refusal::EvenMoneyNeedsNatural,
            Call::Insure if self.dealer.up().is_some() && !self.dealer.shows_ace() => {
                return Refusal::InsuranceNeedsAce;
            }
            Call::Insure => return Refusal::InsuranceClosed,
            Call::Pass => {}
            _ if in_window => return Refusal::NotOpenNow { call },
            _ if bettor != self.decider(bettor.seat()) => return Refusal::NotTheDecider,
            _ => {}
        }
        match self.phase {
            Phase::Play { seat, .. } if usize::from(seat) == bettor.seat() => {
                match bettor == self.decider(bettor.seat()) {
                    true => Refusal::NotOpenNow { call },
                    false => Refusal::NotTheDecider,
                }
            }
            _ => self.why_not_asked(bettor, call),
        }
    }

    /// Why someone is not asked now, from what has become of the hand last played.
    pub(super) fn why_not_asked(&self, bettor: Bettor, call: Call) -> Refusal {
        let seat = bettor.seat();
        let count = self.count(seat);
        let last = (0..count).rev().find(|&hand| {
            let here = self.hand(seat, hand);
            here.cards() > 1 && here.fate != Fate::Open
        });
        let Some(hand) = last.filter(|_| call != Call::Pass) else {
            return match self.phase {
                Phase::Settled => Refusal::RoundOver,
                _ => Refusal::OutOfTurn,
            };
        };
        let here = self.hand(seat, hand);
        match here.fate {
            Fate::Natural | Fate::EvenMoney | Fate::Paid if call == Call::Double => {
                Refusal::NaturalNotDoubled
            }
            Fate::Natural | Fate::EvenMoney | Fate::Paid => Refusal::NaturalStands,
            Fate::Bust | Fate::BustHeld => Refusal::BustIsFinal,
            Fate::Surrendered | Fate::SurrenderHeld => Refusal::AfterSurrender,
            Fate::Dead => Refusal::HandIsDead,
            _ if call == Call::Surrender && here.points().total() < 21 => Refusal::AfterStanding,
            _ if call == Call::Surrender => Refusal::TwentyOneStands,
            _ => match self.may_hit(seat, hand) {
                Err(refusal @ Refusal::SplitAceHasItsCard) if call == Call::Split => {
                    if here.is_pair() { Refusal::AcesSplitOnce } else { refusal }
                }
                Err(refusal) => refusal,
                Ok(()) if here.points().total() == 21 => Refusal::TwentyOneStands,
                Ok(()) => Refusal::AfterStanding,
            },
        }
    }
}
