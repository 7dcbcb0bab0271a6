//! Any game: every wager, and the acts open in a round.

use std::fmt;

use rules::card::Card;
use rules::games::AnyRound;
use rules::refusal::Refusal;
use rules::round::{Act, Amounts, Round};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, Game};

use crate::casino_war::War;
use crate::double_down_stud::Stud;
use crate::setting::{Setting, SettingRefusal};
use crate::strategy::Chart;
use crate::unseen::{NoSuchCard, Unseen};
use crate::value::{ActValue, BetValue};
use crate::{blackjack, casino_war, double_down_stud, main_wager, side_bets};

/// A table whose wagers are valued: its terms, the assumed amounts, and the cards left.
#[derive(Clone, Debug)]
pub struct Valuation {
    sheet: TermSheet,
    setting: Setting,
    unseen: Unseen,
    /// The chart that `basic` follows; by default the best one for the cards left.
    kept: Option<Chart>,
}

/// The fewest cards that suffice for a round of any game.
const LEAST_CARDS: u16 = 26;

/// Why a table cannot be valued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValuationRefusal {
    /// The setting is not possible.
    Setting(SettingRefusal),
    /// More of a card has been seen than the shoe holds.
    NoSuchCard(Game, NoSuchCard),
    /// Too few cards are left for a round, or for the rest of one.
    TooFewCards {
        /// How many are.
        left: u16,
        /// How many are needed.
        least: u16,
    },
    /// The cards left have so few points that a round could use them all.
    TooLowCards {
        /// Their points, the ace as one.
        points: u32,
        /// The points that are needed.
        least: u32,
    },
    /// The reader said that the dealer has no natural, and every card left would make one.
    NoHoleCard,
    /// An act that is not open.
    NotOpen(Game, Refusal),
}

impl fmt::Display for ValuationRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValuationRefusal::Setting(refusal) => refusal.fmt(f),
            ValuationRefusal::NoSuchCard(game, refusal) => {
                write!(f, "{refusal} ({})", game.book().deck.clause)
            }
            ValuationRefusal::TooFewCards { left, least } => {
                write!(f, "only {left} cards are left; at least {least} are needed (docs/odds.md)")
            }
            ValuationRefusal::TooLowCards { points, least } => write!(
                f,
                "the cards left count only {points} points; at least {least} are needed \
                 (docs/odds.md)"
            ),
            ValuationRefusal::NoHoleCard => f.write_str(
                "every card left would give the dealer a blackjack, but the dealer has none",
            ),
            ValuationRefusal::NotOpen(game, refusal) => f.write_str(&refusal.in_words(*game)),
        }
    }
}

impl std::error::Error for ValuationRefusal {}

impl From<SettingRefusal> for ValuationRefusal {
    fn from(refusal: SettingRefusal) -> ValuationRefusal {
        ValuationRefusal::Setting(refusal)
    }
}

impl Valuation {
    /// A table with a full shoe and the default setting.
    pub fn new(sheet: TermSheet) -> Result<Valuation, ValuationRefusal> {
        let (setting, unseen) = (Setting::of(&sheet)?, Unseen::full(&sheet));
        Ok(Valuation { sheet, setting, unseen, kept: None })
    }

    /// The same in another setting.
    #[must_use]
    pub fn with_setting(self, setting: Setting) -> Valuation {
        Valuation { setting, ..self }
    }

    /// The same without these cards, which have been seen.
    pub fn without(mut self, seen: &[Card]) -> Result<Valuation, ValuationRefusal> {
        let game = self.sheet.game();
        let mut cards = seen.iter();
        let gone = cards.try_for_each(|&card| self.unseen.remove(card));
        gone.map_err(|refusal| ValuationRefusal::NoSuchCard(game, refusal))?;
        enough_for_a_round(game, &self.unseen)?;
        Ok(self)
    }

    /// The same with `basic` following the chart for the cards left now, whatever is removed later.
    #[must_use]
    pub fn keeping_its_chart(self) -> Valuation {
        Valuation { kept: self.chart(), ..self }
    }

    /// Its terms.
    pub fn sheet(&self) -> &TermSheet {
        &self.sheet
    }

    /// The assumed amounts.
    pub fn setting(&self) -> Setting {
        self.setting
    }

    /// The cards left.
    pub fn unseen(&self) -> &Unseen {
        &self.unseen
    }

    /// Every wager, by each strategy.
    pub fn bets(&self) -> Vec<BetValue> {
        let Valuation { sheet, setting, unseen, .. } = self;
        match sheet.game() {
            Game::CasinoWar => War::new(sheet, *setting, *unseen).bets(),
            Game::DoubleDownStud => Stud::new(sheet, *setting, unseen).bets(),
            _ => {
                let mut bets = main_wager::bets(sheet, setting.main, unseen);
                bets.extend(side_bets::bets(sheet, *setting, unseen));
                bets
            }
        }
    }

    /// The chart of a blackjack: the best play that can be printed by totals.
    pub fn chart(&self) -> Option<Chart> {
        let Valuation { sheet, setting, unseen, .. } = self;
        self.kept.clone().or_else(|| main_wager::chart(sheet, setting.main, unseen))
    }

    /// The expectation of every wager, and nothing else.
    pub fn expectations(&self) -> Vec<Expectation> {
        let Valuation { sheet, setting, unseen, .. } = self;
        let short = |value: BetValue| Expectation {
            wager: Wager { bet: value.bet, policy: value.policy },
            ev: value.ev,
        };
        match main_wager::expectations(sheet, setting.main, unseen, self.kept.as_ref()) {
            None => self.bets().into_iter().map(short).collect(),
            Some(main) => {
                let main = main.into_iter().map(|(policy, ev)| Expectation {
                    wager: Wager { bet: Circle::Main, policy: policy.to_owned() },
                    ev,
                });
                let side = side_bets::bets(sheet, *setting, unseen).into_iter().map(short);
                main.chain(side).collect()
            }
        }
    }
}

/// A wager and the strategy it is played by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wager {
    /// The circle.
    pub bet: Circle,
    /// The strategy.
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

/// The expected gain of a wager, per unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// The wager.
    pub wager: Wager,
    /// Its expectation.
    pub ev: f64,
}

/// Refuses so few cards that a round could use them up.
pub(crate) fn enough_for_a_round(game: Game, unseen: &Unseen) -> Result<(), ValuationRefusal> {
    let points = blackjack::points_of(unseen);
    let least = blackjack::LEAST_POINTS;
    match unseen.total() {
        left if left < LEAST_CARDS => {
            Err(ValuationRefusal::TooFewCards { left, least: LEAST_CARDS })
        }
        _ if game.is_blackjack() && points < least => {
            Err(ValuationRefusal::TooLowCards { points, least })
        }
        _ => Ok(()),
    }
}

/// Refuses so few cards that the rest of a round could use them up.
fn enough_from_here(
    sheet: &TermSheet,
    round: &AnyRound,
    bettor: Bettor,
    unseen: &Unseen,
) -> Result<(), ValuationRefusal> {
    let (left, points) = (unseen.total(), blackjack::points_of(unseen));
    if let Some(least) = main_wager::points_needed(sheet, round, bettor, unseen) {
        return match points < least {
            true => Err(ValuationRefusal::TooLowCards { points, least }),
            false => Ok(()),
        };
    }
    let least = match round {
        AnyRound::CasinoWar(round) => casino_war::cards_needed(round),
        _ => 1,
    };
    match left < least {
        true => Err(ValuationRefusal::TooFewCards { left, least }),
        false => Ok(()),
    }
}

/// Every act open to a bettor: each call, and with the largest amount where it may also be made
/// without one.
pub fn open_acts<R: Round>(round: &R, bettor: Bettor) -> Vec<Act> {
    let with_most = |call| match round.amounts(bettor, call) {
        Amounts::Optional(range) if !range.is_empty() => Some(Act::With(call, range.most.into())),
        _ => None,
    };
    let acts = |call| [Act::Call(call)].into_iter().chain(with_most(call));
    round.offers(bettor).iter().flat_map(acts).collect()
}

/// The value of every act open to a bettor, given the cards that seat has seen.
///
/// `unseen` holds every card the seat has not seen: those in the shoe, burned cards, the hole card,
/// and other players' private cards; see [`Unseen::after`]. Without an open act there are no values.
pub fn from_here(
    sheet: &TermSheet,
    round: &AnyRound,
    bettor: Bettor,
    unseen: &Unseen,
) -> Result<Vec<ActValue>, ValuationRefusal> {
    values_of(sheet, round, bettor, &open_acts(round, bettor), unseen)
}

/// The value of these acts, for what [`from_here`] values all of.
pub fn values_of(
    sheet: &TermSheet,
    round: &AnyRound,
    bettor: Bettor,
    acts: &[Act],
    unseen: &Unseen,
) -> Result<Vec<ActValue>, ValuationRefusal> {
    let game = sheet.game();
    let mut refused = acts.iter().filter_map(|&act| {
        let mut round = *round;
        round.act(bettor, act, &mut ()).err()
    });
    if let Some(refusal) = refused.next() {
        return Err(ValuationRefusal::NotOpen(game, refusal));
    }
    let full = Unseen::full(sheet);
    if let Some((card, _)) = unseen.iter().find(|&(card, count)| count > full.of(card)) {
        return Err(ValuationRefusal::NoSuchCard(game, NoSuchCard(card)));
    }
    enough_from_here(sheet, round, bettor, unseen)?;
    if !main_wager::has_hole_card(round, unseen) {
        return Err(ValuationRefusal::NoHoleCard);
    }
    Ok(match round {
        AnyRound::CasinoWar(round) => casino_war::values_of(round, bettor, acts, unseen),
        AnyRound::DoubleDownStud(round) => double_down_stud::values_of(round, bettor, acts, unseen),
        _ => main_wager::values_of(sheet, round, bettor, acts, unseen),
    })
}
