//! Exact money: integer cents, odds as a pair, and explicit rounding.

use std::fmt;
use std::iter::Sum;
use std::num::NonZeroU32;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};
use std::str::FromStr;

/// The largest opening wager, and the largest limit: 10,000,000.00.
///
/// Later wagers are limited by it too; twice the largest still fits into [`Chips`].
pub const LARGEST_AMOUNT: Chips = Chips(1_000_000_000);
const _: () = assert!(LARGEST_AMOUNT.0 <= u32::MAX / 4);

/// Money gained (positive) or lost (negative), in cents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cents(i64);

impl Cents {
    /// Nothing.
    pub const ZERO: Cents = Cents(0);
    /// More than anyone can spend.
    pub const UNLIMITED: Cents = Cents(i64::MAX);

    /// An amount in cents.
    pub const fn new(cents: i64) -> Cents {
        Cents(cents)
    }

    /// The number of cents.
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl Add for Cents {
    type Output = Cents;
    fn add(self, other: Cents) -> Cents {
        Cents(self.0 + other.0)
    }
}

impl AddAssign for Cents {
    fn add_assign(&mut self, other: Cents) {
        self.0 += other.0;
    }
}

impl Sub for Cents {
    type Output = Cents;
    fn sub(self, other: Cents) -> Cents {
        Cents(self.0 - other.0)
    }
}

impl SubAssign for Cents {
    fn sub_assign(&mut self, other: Cents) {
        self.0 -= other.0;
    }
}

impl Neg for Cents {
    type Output = Cents;
    fn neg(self) -> Cents {
        Cents(-self.0)
    }
}

impl Sum for Cents {
    fn sum<I: Iterator<Item = Cents>>(amounts: I) -> Cents {
        amounts.fold(Cents::ZERO, Add::add)
    }
}

impl From<Chips> for Cents {
    fn from(chips: Chips) -> Cents {
        Cents(i64::from(chips.0))
    }
}

/// Dollars with as many decimals as needed: `10`, `7.50`, `-0.05`; `{:+}` always shows the sign.
impl fmt::Display for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.0 {
            i64::MIN..0 => "-",
            0 => "",
            _ if f.sign_plus() => "+",
            _ => "",
        };
        let (dollars, cents) = (self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100);
        let text = match cents {
            0 => format!("{sign}{dollars}"),
            _ => format!("{sign}{dollars}.{cents:02}"),
        };
        f.pad(&text)
    }
}

/// Why a word is not read as an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmountError {
    /// It is no amount.
    Unreadable,
    /// It has too many digits.
    TooLarge,
}

impl fmt::Display for AmountError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AmountError::Unreadable => {
                "an amount is dollars with up to two decimals, such as 10 or 7.50"
            }
            AmountError::TooLarge => "that amount is too large",
        })
    }
}

impl FromStr for Cents {
    type Err = AmountError;

    fn from_str(word: &str) -> Result<Cents, AmountError> {
        let (sign, digits) = match word.as_bytes().first() {
            Some(b'-') => (-1, &word[1..]),
            Some(b'+') => (1, &word[1..]),
            _ => (1, word),
        };
        let (dollars, cents) = digits.split_once('.').unwrap_or((digits, "0"));
        let whole = |part: &str| part.bytes().all(|b| b.is_ascii_digit()) && !part.is_empty();
        if !whole(dollars) || !whole(cents) || cents.len() > 2 {
            return Err(AmountError::Unreadable);
        }
        if dollars.len() > 15 {
            return Err(AmountError::TooLarge);
        }
        let tens = if cents.len() == 1 { 10 } else { 1 };
        let dollars: i64 = dollars.parse().map_err(|_| AmountError::TooLarge)?;
        let cents: i64 = cents.parse().map_err(|_| AmountError::Unreadable)?;
        Ok(Cents(sign * (dollars * 100 + cents * tens)))
    }
}

/// The value of chips that lie on a circle, in cents: never negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Chips(u32);

impl Chips {
    /// No chips.
    pub const ZERO: Chips = Chips(0);

    /// Chips worth this many cents.
    pub const fn new(cents: u32) -> Chips {
        Chips(cents)
    }

    /// Chips worth this many dollars.
    pub const fn dollars(dollars: u32) -> Chips {
        Chips(dollars * 100)
    }

    /// The number of cents.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// Whether there are none.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// Whether the value is a whole number of `unit`s.
    pub const fn is_multiple_of(self, unit: Chips) -> bool {
        self.0.is_multiple_of(unit.0)
    }

    /// Half of it, rounded up to a whole `unit`.
    pub const fn half_up(self, unit: Chips) -> Chips {
        Chips(self.0.div_ceil(2).next_multiple_of(unit.0))
    }

    /// This percentage of it.
    pub const fn percent(self, percent: u8) -> Cents {
        Cents(self.0 as i64 * percent as i64 / 100)
    }

    /// The same, rounded down to a whole `unit`.
    pub const fn whole(self, unit: Chips) -> Chips {
        Chips(self.0 - self.0 % unit.0)
    }

    /// Chips for an amount of money, where it is neither negative nor too large.
    pub fn from_cents(amount: Cents) -> Option<Chips> {
        u32::try_from(amount.0).ok().map(Chips)
    }
}

impl Add for Chips {
    type Output = Chips;
    fn add(self, other: Chips) -> Chips {
        Chips(self.0 + other.0)
    }
}

impl fmt::Display for Chips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Cents::from(*self), f)
    }
}

/// Odds of `pays` to `stake`; never stated with "for" (G-23).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Odds {
    pays: u32,
    stake: u32,
}

impl Odds {
    /// Even money.
    pub const EVEN: Odds = Odds::to(1, 1);

    /// Odds of `pays` to `stake`.
    pub const fn to(pays: u32, stake: u32) -> Odds {
        assert!(stake > 0);
        Odds { pays, stake }
    }

    /// What is won for [`Odds::stake`].
    pub const fn pays(self) -> u32 {
        self.pays
    }

    /// For how much [`Odds::pays`] is won.
    pub const fn stake(self) -> u32 {
        self.stake
    }

    /// What a stake wins, without the stake itself.
    #[inline(always)]
    pub const fn pay(self, stake: Chips, breakage: Breakage) -> Cents {
        let product = stake.0 as u64 * self.pays as u64;
        if self.stake == 1 {
            return Cents(product as i64);
        }
        breakage.raise(product, self.stake as u64)
    }
}

impl fmt::Display for Odds {
    #[doc(alias = "DDS-10-a")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.pays, self.stake)
    }
}

/// What happens to fractions of a chip that a payment leaves (G-04).
///
/// No clause lets the house keep a fraction: what cannot be paid exactly is rounded up for the
/// player, to the cent or to the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Breakage {
    unit: NonZeroU32,
}

impl Breakage {
    /// Paid to the cent; an odd half cent goes to the player.
    pub const EXACT: Breakage = Breakage { unit: NonZeroU32::MIN };

    /// Rounded up for the player to a whole `unit`.
    pub const fn player_favour(unit: Chips) -> Breakage {
        match NonZeroU32::new(unit.0) {
            Some(unit) => Breakage { unit },
            None => panic!("a chip unit is not zero"),
        }
    }

    /// `amount / divisor`, rounded up to the unit.
    const fn raise(self, amount: u64, divisor: u64) -> Cents {
        Cents(amount.div_ceil(divisor).next_multiple_of(self.unit.get() as u64) as i64)
    }

    /// The half of a stake, which is made of whole units, that its owner gets back.
    pub const fn returned_half(self, stake: Chips) -> Cents {
        self.raise(stake.0 as u64, 2)
    }
}
