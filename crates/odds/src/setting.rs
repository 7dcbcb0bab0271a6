//! What is assumed about a table beyond its terms: amounts, the meter, and other players.

use std::fmt;

use rules::games::casino_war::seed;
use rules::games::opening;
use rules::money::{Cents, Chips, LARGEST_AMOUNT};
use rules::refusal::Refusal;
use rules::terms::TermSheet;
use rules::wager::{Circle, Game, PROGRESSIVE_UNIT};

/// The amounts and other players that wagers are valued for.
///
/// Values are net gains for each unit of a wager. Amounts matter only where a rule depends on
/// them: a payout limit, half a chip, a meter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The main wager.
    pub main: Chips,
    /// The side wager, if the house offers one.
    pub side: Option<Chips>,
    /// The progressive wager, if the house offers one.
    pub progressive: Option<Chips>,
    /// The progressive meter before this round's contributions.
    pub meter: Cents,
    /// How many other seats play, bet the progressive and go to war on every tie.
    pub others: u8,
}

/// Why a setting is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingRefusal {
    /// The game has no meter.
    NoMeter(Game),
    /// The meter is negative or above the largest amount.
    MeterOutOfReach,
    /// Other seats change nothing in the game.
    NoOthers(Game),
    /// More other seats than the layout has.
    TooManyOthers {
        /// How many there can be.
        most: u8,
    },
    /// The house does not accept this main wager.
    MainWager(Game, Refusal),
}

impl fmt::Display for SettingRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingRefusal::NoMeter(game) => {
                write!(f, "{} has no progressive meter; only Casino War does (CW-11)", game.title())
            }
            SettingRefusal::MeterOutOfReach => {
                write!(f, "expected a meter from 0 to {}", Cents::from(LARGEST_AMOUNT))
            }
            SettingRefusal::NoOthers(game) => write!(
                f,
                "other seats change no wager in {}; they matter only for Casino War's progressive \
                 (CW-11)",
                game.title()
            ),
            SettingRefusal::TooManyOthers { most } => {
                write!(f, "this table has at most {most} other seats (seats)")
            }
            SettingRefusal::MainWager(game, refusal) => {
                write!(f, "{refusal} ({})", refusal.source(*game).id())
            }
        }
    }
}

impl std::error::Error for SettingRefusal {}

impl Setting {
    /// The smallest amounts that the house accepts and that can be halved twice in chips, the meter at
    /// its seed, and no other players.
    pub fn of(sheet: &TermSheet) -> Result<Setting, SettingRefusal> {
        let opening = opening(sheet);
        let unit = opening.chip_unit;
        let main = least(opening.main_min, opening.main_max, unit);
        if let Err(refusal) = opening.check(&[(Circle::Main, main.into())]) {
            return Err(SettingRefusal::MainWager(sheet.game(), refusal));
        }
        let taken = |circle, chips: Chips| {
            let amounts = [(Circle::Main, main.into()), (circle, chips.into())];
            opening.check(&amounts).is_ok().then_some(chips)
        };
        let side = opening.side.and_then(|side| {
            let amount = least(side.min, side.max, unit);
            taken(side.circle, amount).or_else(|| taken(side.circle, main))
        });
        let fives = (1..=unit.get()).map(|n| Chips::new(n * PROGRESSIVE_UNIT.get()));
        let payable = fives.into_iter().find(|chips| chips.is_multiple_of(unit));
        let meter = match sheet.game() {
            Game::CasinoWar => seed(sheet),
            _ => Cents::ZERO,
        };
        let progressive = payable.and_then(|chips| taken(Circle::Progressive, chips));
        Ok(Setting { main, side, progressive, meter, others: 0 })
    }

    /// The same with another main wager.
    pub fn with_main(self, sheet: &TermSheet, amount: Cents) -> Result<Setting, SettingRefusal> {
        let refused = |refusal| SettingRefusal::MainWager(sheet.game(), refusal);
        let slip = opening(sheet).check(&[(Circle::Main, amount)]).map_err(refused)?;
        Ok(Setting { main: slip.main, ..self })
    }

    /// The same with another meter.
    pub fn with_meter(self, sheet: &TermSheet, meter: Cents) -> Result<Setting, SettingRefusal> {
        if sheet.game() != Game::CasinoWar {
            return Err(SettingRefusal::NoMeter(sheet.game()));
        }
        if meter < Cents::ZERO || meter > Cents::from(LARGEST_AMOUNT) {
            return Err(SettingRefusal::MeterOutOfReach);
        }
        Ok(Setting { meter, ..self })
    }

    /// The same with other seats that play.
    pub fn with_others(self, sheet: &TermSheet, others: u8) -> Result<Setting, SettingRefusal> {
        if sheet.game() != Game::CasinoWar {
            return Err(SettingRefusal::NoOthers(sheet.game()));
        }
        let most = opening(sheet).seats - 1;
        if others > most {
            return Err(SettingRefusal::TooManyOthers { most });
        }
        Ok(Setting { others, ..self })
    }
}

/// The smallest accepted amount whose quarter is whole in chips, if there is one: then neither a
/// surrender nor 5 to 2 on an insurance of half of it breaks a chip.
fn least(min: Chips, max: Chips, unit: Chips) -> Chips {
    let up = |step: u32| min.get().next_multiple_of(step);
    let quartered = up(4 * unit.get());
    Chips::new(if quartered <= max.get() { quartered } else { up(unit.get()) })
}
