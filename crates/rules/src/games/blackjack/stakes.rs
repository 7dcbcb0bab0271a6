//! What one bettor has at stake on a box.

use std::ops::Add;

use super::MOST_HANDS;
use super::book::SplitStake;
use crate::money::Chips;

/// What lies on a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum On {
    /// No wager, or one that is settled.
    Nothing,
    /// The original wager, with the double attack.
    Main,
    /// Money matched at a split.
    Split,
    /// A lammer instead of money.
    Lammer,
}

/// What one bettor has on one hand, as far as it is not settled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AtStake {
    /// The original wager with the double attack, or money matched at a split.
    pub money: Chips,
    /// Whether a lammer lies there instead.
    pub lammer: bool,
    /// What doubling added.
    pub double: Chips,
    /// Whether a lammer was laid for doubling.
    pub free_double: bool,
}

impl AtStake {
    /// Whether anything lies there.
    pub fn is_live(self) -> bool {
        self.lammer || !self.money.is_zero()
    }
}

/// The stakes of one bettor on one box. What is settled is zero, or `On::Nothing`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stakes {
    /// The original wager; zero for someone who takes no part.
    pub(super) initial: Chips,
    pub(super) attack: Chips,
    pub(super) side: Chips,
    pub(super) insurance: Chips,
    pub(super) doubles: [Chips; MOST_HANDS],
    pub(super) on: [On; MOST_HANDS],
    /// Whether a hand has been lost by going over 21.
    pub(super) busted: bool,
    /// Whether a double attack has been offered.
    pub(super) attack_offered: bool,
}

impl Stakes {
    pub(super) const NONE: Stakes = Stakes {
        initial: Chips::ZERO,
        attack: Chips::ZERO,
        side: Chips::ZERO,
        insurance: Chips::ZERO,
        doubles: [Chips::ZERO; MOST_HANDS],
        on: [On::Nothing; MOST_HANDS],
        busted: false,
        attack_offered: false,
    };

    pub(super) const fn opening(initial: Chips, side: Chips) -> Stakes {
        let mut stakes = Stakes { initial, side, ..Stakes::NONE };
        stakes.on[0] = On::Main;
        stakes
    }

    #[inline]
    pub(super) const fn takes_part(&self) -> bool {
        !self.initial.is_zero()
    }

    /// What a hand made by splitting carries.
    #[inline]
    pub(super) fn matched(&self, split: SplitStake) -> Chips {
        split.amount(self.initial, self.attack)
    }

    /// The value of the stakes on a hand, without a double: what it may be doubled by.
    #[inline]
    pub(super) fn value_on(&self, hand: usize, split: SplitStake) -> Chips {
        match self.on[hand] {
            On::Nothing => Chips::ZERO,
            On::Main => most_double(self.initial + self.attack, Chips::ZERO),
            On::Split => most_double(self.matched(split), Chips::ZERO),
            On::Lammer => most_double(Chips::ZERO, self.matched(split)),
        }
    }

    /// What lies on a hand.
    pub(super) fn on_hand(&self, hand: usize, split: SplitStake) -> AtStake {
        let money = match self.on[hand] {
            On::Nothing | On::Lammer => Chips::ZERO,
            On::Main | On::Split => self.value_on(hand, split),
        };
        let lammer = self.on[hand] == On::Lammer;
        AtStake { money, lammer, double: self.doubles[hand], free_double: false }
    }

    /// Whether money was added to the original wager on a hand.
    #[inline]
    pub(super) fn has_added(&self, hand: usize) -> bool {
        !self.attack.is_zero() || !self.doubles[hand].is_zero()
    }

    /// Makes room for a new hand; those behind it, which may have been played while this one waited for
    /// a late card, move on with all that lies on them.
    pub(super) fn make_room(&mut self, new: usize) {
        self.on.copy_within(new..MOST_HANDS - 1, new + 1);
        self.on[new] = On::Nothing;
        self.doubles.copy_within(new..MOST_HANDS - 1, new + 1);
        self.doubles[new] = Chips::ZERO;
    }
}

/// The most that a double attack may be: the initial wager (DAB-1-double-attack-wager, DAB-R01).
pub const fn most_attack(initial: Chips) -> Chips {
    initial
}

/// What a hand may be doubled by at the most: all that lies on it, a lammer counting its face
/// (DAB-9-a, DAB-R10, FBB-8-a-2, FBB-R07, DDB-R10).
#[inline]
pub fn most_double<T: Add<Output = T>>(money: T, lammer: T) -> T {
    money + lammer
}
