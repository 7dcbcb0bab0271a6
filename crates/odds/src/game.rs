//! Any game: every wager, and the acts open in a round.

use std::fmt;

use rules::card::Card;
use rules::games::AnyRound;
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, Game};

use crate::casino_war::War;
use crate::double_down_stud::Stud;
use crate::setting::{Setting, SettingRefusal};
use crate::strategy::Chart;
use crate::unseen::{NoSuchCard, Unseen};
use crate::value::{ActValue, BetValue, GameOdds};
use crate::{blackjack, casino_war, double_down_stud, main_wager, side_bets};

/// A table whose wagers are valued: its terms, what is assumed beside them, and the cards to come.
#[derive(Clone, Debug)]
pub struct Valued {
    sheet: TermSheet,
    setting: Setting,
    unseen: Unseen,
    /// The chart that `basic` keeps to; where there is none, the one that suits the cards.
    kept: Option<Chart>,
}

/// Fewer cards would not do for a round of any game.
const LEAST_CARDS: u16 = 26;

/// Why a table cannot be valued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The setting makes no sense.
    Setting(SettingRefusal),
    /// More of a card has been seen than the shoe holds.
    NoSuchCard(Game, NoSuchCard),
    /// Too few cards are left for a round.
    TooFewCards {
        /// How many are.
        left: u16,
    },
    /// The cards left count so little that hands could take them all.
    TooLowCards {
        /// What they count, the ace as one.
        points: u32,
    },
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Setting(refusal) => refusal.fmt(f),
            Refused::NoSuchCard(game, refusal) => {
                write!(f, "{refusal} ({})", game.book().cards.clause)
            }
            Refused::TooFewCards { left } => {
                write!(
                    f,
                    "{left} cards are left; a round is valued with {LEAST_CARDS} or more \
                     (docs/odds.md)"
                )
            }
            Refused::TooLowCards { points } => {
                let least = blackjack::LEAST_POINTS;
                write!(
                    f,
                    "the cards left count {points}; a round is valued with {least} or more \
                     (docs/odds.md)"
                )
            }
        }
    }
}

impl std::error::Error for Refused {}

impl From<SettingRefusal> for Refused {
    fn from(refusal: SettingRefusal) -> Refused {
        Refused::Setting(refusal)
    }
}

impl Valued {
    /// A table with a full shoe, in the usual setting.
    pub fn new(sheet: TermSheet) -> Result<Valued, Refused> {
        let (setting, unseen) = (Setting::of(&sheet)?, Unseen::full(&sheet));
        Ok(Valued { sheet, setting, unseen, kept: None })
    }

    /// The same in another setting.
    #[must_use]
    pub fn with_setting(self, setting: Setting) -> Valued {
        Valued { setting, ..self }
    }

    /// The same without these cards, which have been seen.
    pub fn without(mut self, seen: &[Card]) -> Result<Valued, Refused> {
        let game = self.sheet.game();
        let mut cards = seen.iter();
        let gone = cards.try_for_each(|&card| self.unseen.remove(card));
        gone.map_err(|refusal| Refused::NoSuchCard(game, refusal))?;
        enough_for_a_round(game, &self.unseen)?;
        Ok(self)
    }

    /// The same, where `basic` keeps to the chart of the cards that there are now, whatever is taken
    /// out later.
    #[must_use]
    pub fn keeping_its_chart(self) -> Valued {
        Valued { kept: self.chart(), ..self }
    }

    /// Its terms.
    pub fn sheet(&self) -> &TermSheet {
        &self.sheet
    }

    /// What is assumed beside them.
    pub fn setting(&self) -> Setting {
        self.setting
    }

    /// The cards to come.
    pub fn unseen(&self) -> &Unseen {
        &self.unseen
    }

    /// Every wager, in each way in which it is played.
    pub fn odds(&self) -> GameOdds {
        let Valued { sheet, setting, unseen, .. } = self;
        let bets = match sheet.game() {
            Game::CasinoWar => War::new(sheet, *setting, *unseen).bets(),
            Game::DoubleDownStud => Stud::new(sheet, *setting, unseen).bets(),
            _ => {
                let mut bets = main_wager::bets(sheet, unseen);
                bets.extend(side_bets::bets(sheet, *setting, unseen));
                bets
            }
        };
        GameOdds { game: sheet.game(), terms: sheet.clone(), bets }
    }

    /// The chart of a blackjack: its best play by totals, as far as it can be printed.
    pub fn chart(&self) -> Option<Chart> {
        match self.sheet.game() {
            Game::CasinoWar | Game::DoubleDownStud => None,
            _ => {
                let fresh = || main_wager::chart(&self.sheet, &self.unseen);
                Some(self.kept.clone().unwrap_or_else(fresh))
            }
        }
    }

    /// The expectation of every wager, without all else that is said of it.
    pub fn expectations(&self) -> Vec<Expectation> {
        let Valued { sheet, setting, unseen, .. } = self;
        let short = |value: BetValue| Expectation {
            wager: Wager { bet: value.bet, policy: value.policy },
            ev: value.ev,
        };
        match sheet.game() {
            Game::CasinoWar | Game::DoubleDownStud => {
                self.odds().bets.into_iter().map(short).collect()
            }
            _ => {
                let main = main_wager::expectations(sheet, unseen, self.kept.as_ref()).into_iter();
                let main = main.map(|(policy, ev)| Expectation {
                    wager: Wager { bet: Circle::Main, policy: policy.to_owned() },
                    ev,
                });
                let side = side_bets::bets(sheet, *setting, unseen).into_iter().map(short);
                main.chain(side).collect()
            }
        }
    }
}

/// A wager, and the way in which it is played.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wager {
    /// The circle.
    pub bet: Circle,
    /// The way of playing.
    pub policy: String,
}

impl fmt::Display for Wager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.policy.as_str() {
            "any" => write!(f, "{}", self.bet),
            policy => write!(f, "{}, {policy}", self.bet),
        }
    }
}

/// What a wager gains on average, for each unit of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// The wager.
    pub wager: Wager,
    /// Its expectation.
    pub ev: f64,
}

/// Refuses cards that a round could use up.
fn enough_for_a_round(game: Game, unseen: &Unseen) -> Result<(), Refused> {
    let blackjack = !matches!(game, Game::CasinoWar | Game::DoubleDownStud);
    let points = blackjack::points_of(unseen);
    match unseen.total() {
        left if left < LEAST_CARDS => Err(Refused::TooFewCards { left }),
        _ if blackjack && points < blackjack::LEAST_POINTS => Err(Refused::TooLowCards { points }),
        _ => Ok(()),
    }
}

/// The value of every act that is open to a bettor, as far as that seat has seen the cards.
///
/// `unseen` holds every card that the seat has not seen: those in the shoe, burned ones, the hole
/// card, and others' private cards; [`Unseen::after`] has them. Where nothing is open, nothing is
/// valued.
pub fn from_here(
    sheet: &TermSheet,
    round: &AnyRound,
    bettor: Bettor,
    unseen: &Unseen,
) -> Result<Vec<ActValue>, Refused> {
    let full = Unseen::full(sheet);
    if let Some((card, _)) = unseen.iter().find(|&(card, count)| count > full.of(card)) {
        return Err(Refused::NoSuchCard(sheet.game(), NoSuchCard(card)));
    }
    enough_for_a_round(sheet.game(), unseen)?;
    Ok(match round {
        AnyRound::CasinoWar(round) => casino_war::from_here(round, bettor, unseen),
        AnyRound::DoubleDownStud(round) => double_down_stud::from_here(round, bettor, unseen),
        _ => main_wager::from_here(sheet, round, bettor, unseen),
    })
}
