//! What is simulated: a table, how it is played, and where its cards come from.

use std::fmt;
use std::sync::{Arc, OnceLock};

use rules::card::{Card, Rank};
use rules::games::blackjack::{Book, DoubleAttack, DoubleDeck, FreeBet, Points};
use rules::games::opening;
use rules::money::{Cents, Chips, LARGEST_AMOUNT};
use rules::round::Call;
use rules::shoe::Shoe;
use rules::terms::TermSheet;
use rules::wager::{Circle, Game, MOST_SEATS};

use super::compiled::Tables;
use super::decide::Doubling;
use crate::blackjack::{Analyzer, Siblings, Solution};
use crate::count::CountedPlay;
use crate::main_wager;
use crate::setting::Setting;
use crate::strategy::{Chart, Choice, Page, Row};
use crate::unseen::Unseen;

/// A way to play, with its name.
#[derive(Clone, Debug)]
pub struct Strategy {
    name: String,
    pub(super) way: Decisions,
}

/// How decisions are made.
#[derive(Clone, Debug)]
pub(super) enum Decisions {
    /// The same call whenever one is asked for.
    Same(Call),
    /// Doubles in Double Down Stud where the four known cards gain by it.
    BestDoubles,
    /// By a chart, in a blackjack.
    Chart(Chart),
    /// By the cards of the hand, in a blackjack.
    ByCards(BestPlay),
    /// By a chart for each true count, in a blackjack.
    ByCount(Arc<CountedPlay>),
}

/// The best play of a game for a full shoe, which follows from the table's terms.
#[derive(Clone)]
pub(super) struct BestPlay {
    game: Game,
    pub(super) play: Arc<Solution>,
}

impl fmt::Debug for BestPlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BestPlay").field("game", &self.game).finish_non_exhaustive()
    }
}

/// Where the cards of a round come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Supply {
    /// A shoe until its cut card comes out, as the terms say.
    Shoes,
    /// Every round begins with all cards.
    Fresh,
}

/// A bet that follows the true count: `base + slope × (count / decks left)` units, between 1 and the
/// most.
#[derive(Clone, Debug, PartialEq)]
pub struct Ramp {
    /// What each rank adds to the count when it is seen, from the two to the ace.
    pub weights: [i32; 13],
    /// Units at a count of nothing.
    pub base: f64,
    /// Units for each point of the true count.
    pub slope: f64,
    /// The most units.
    pub most: u8,
}

/// All that a run is, but for the range of shoes.
#[derive(Clone, Debug)]
pub struct Plan {
    sheet: TermSheet,
    setting: Setting,
    strategy: Strategy,
    seats: u8,
    supply: Supply,
    side_wagers: bool,
    ramp: Option<Ramp>,
    seed: u64,
    /// The hands that gain by doubling, once they have been asked for; amounts decide about them.
    pub(super) doubling: OnceLock<Doubling>,
    /// Compiled tables, which follow from all of this.
    pub(super) tables: Tables,
}

/// Why something cannot be simulated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanRefusal {
    /// The strategy is for another game than this one, or of no name that it knows.
    Strategy(Game),
    /// The layout has fewer seats.
    Seats {
        /// How many it has.
        most: u8,
    },
    /// The table's amounts allow no wager.
    Wager(String),
    /// A ramp needs a single seat that plays shoes, and at least one unit.
    Ramp,
}

impl fmt::Display for PlanRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanRefusal::Strategy(game) => match Strategy::names(*game) {
                [] => write!(f, "{game} cannot be simulated yet: it has no strategies"),
                names => {
                    let chart = if game.is_blackjack() { " or a chart for it" } else { "" };
                    write!(f, "expected a strategy of {game} ({}){chart}", names.join(", "))
                }
            },
            PlanRefusal::Seats { most } => write!(f, "expected from 1 to {most} seats"),
            PlanRefusal::Wager(why) => f.write_str(why),
            PlanRefusal::Ramp => f.write_str(
                "betting by the count needs one seat, shoes that are dealt to a cut card, and a \
                 maximum of at least 1 unit",
            ),
        }
    }
}

impl std::error::Error for PlanRefusal {}

impl Strategy {
    /// The names of a game's strategies, the usual one first; a chart can also be read.
    pub const fn names(game: Game) -> &'static [&'static str] {
        match game {
            Game::CasinoWar => &["war", "surrender"],
            Game::DoubleDownStud => &["best", "always", "never"],
            _ if !game.is_blackjack() => &[],
            _ => &["basic", "best", "never-double", "mimic", "never-bust"],
        }
    }

    /// The strategy of a name at a table.
    pub fn named(sheet: &TermSheet, name: &str) -> Result<Strategy, PlanRefusal> {
        let game = sheet.game();
        let way = match (game, name) {
            (Game::CasinoWar, "war") => Decisions::Same(Call::War),
            (Game::CasinoWar, "surrender") => Decisions::Same(Call::Surrender),
            (Game::DoubleDownStud, "best") => Decisions::BestDoubles,
            (Game::DoubleDownStud, "always") => Decisions::Same(Call::Double),
            (Game::DoubleDownStud, "never") => Decisions::Same(Call::Pass),
            (Game::DoubleDeck, _) => blackjack::<DoubleDeck>(sheet, name)?,
            (Game::DoubleAttack, _) => blackjack::<DoubleAttack>(sheet, name)?,
            (Game::FreeBet, _) => blackjack::<FreeBet>(sheet, name)?,
            _ => return Err(PlanRefusal::Strategy(game)),
        };
        Ok(Strategy { name: name.to_owned(), way })
    }

    /// A strategy that plays a blackjack by a chart.
    pub fn by_chart(name: &str, chart: Chart) -> Strategy {
        Strategy { name: name.to_owned(), way: Decisions::Chart(chart) }
    }

    /// A strategy that plays a blackjack by the count.
    pub fn by_count(name: &str, play: CountedPlay) -> Strategy {
        Strategy { name: name.to_owned(), way: Decisions::ByCount(Arc::new(play)) }
    }

    /// Its chart, if it plays by one.
    pub fn chart(&self) -> Option<&Chart> {
        match &self.way {
            Decisions::Chart(chart) => Some(chart),
            _ => None,
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn is_for(&self, game: Game) -> bool {
        match &self.way {
            Decisions::Same(Call::War | Call::Surrender) => game == Game::CasinoWar,
            Decisions::Same(_) | Decisions::BestDoubles => game == Game::DoubleDownStud,
            Decisions::Chart(chart) => chart.game() == game,
            Decisions::ByCards(play) => play.game == game,
            Decisions::ByCount(play) => play.game == game,
        }
    }
}

/// The strategy of a name in a blackjack: the best play for a full shoe, by the cards themselves or
/// as far as it can be printed, or a chart that depends on the hand's points alone.
fn blackjack<B: Book>(sheet: &TermSheet, name: &str) -> Result<Decisions, PlanRefusal> {
    let (analyzer, shoe) = (Analyzer::<B>::new(sheet), Unseen::full(sheet));
    let best = || analyzer.solve(&shoe, Siblings::OwnCards);
    let basic = || analyzer.chart(&shoe, &best());
    let chart = match name {
        "best" => {
            let play = Arc::new(best().without_workings());
            return Ok(Decisions::ByCards(BestPlay { game: B::GAME, play }));
        }
        "basic" => basic(),
        "never-double" => basic().without(Call::Double),
        "mimic" => drawing(B::GAME, |points| B::read(sheet).dealer_draws(points)),
        "never-bust" => drawing(B::GAME, |points| match points.is_soft() {
            true => points.total() < 18,
            false => points.total() < 12,
        }),
        _ => return Err(PlanRefusal::Strategy(B::GAME)),
    };
    Ok(Decisions::Chart(chart))
}

/// A chart that depends on the hand's points alone.
fn drawing(game: Game, draws: impl Fn(Points) -> bool) -> Chart {
    let mut chart = Chart::new(game);
    let two = |one: Rank, other: Rank| Points::of(&[card(one), card(other)]);
    let pages = [Page::Paid, Page::Free];
    for (page, up) in pages.into_iter().flat_map(|page| (0..10).map(move |up| (page, up))) {
        for one in Rank::ALL {
            for other in Rank::ALL {
                let points = two(one, other);
                let call = if draws(points) { Call::Hit } else { Call::Stand };
                chart.set(page, Row::of(points, None), up, Choice::of([call]));
                if one == other {
                    let value = usize::from(Points::pips(card(one)) - 1);
                    chart.set(page, Row::of(points, Some(value)), up, Choice::of([call]));
                }
            }
        }
    }
    chart
}

fn card(rank: Rank) -> Card {
    Card::new(rank, rules::card::Suit::Spades)
}

impl Plan {
    /// One seat with the least wager, without side wagers, playing shoes.
    pub fn new(sheet: TermSheet, strategy: Strategy, seed: u64) -> Result<Plan, PlanRefusal> {
        if !strategy.is_for(sheet.game()) {
            return Err(PlanRefusal::Strategy(sheet.game()));
        }
        let wager =
            |refusal: crate::setting::SettingRefusal| PlanRefusal::Wager(refusal.to_string());
        let setting = Setting::of(&sheet).map_err(wager)?;
        Ok(Plan {
            sheet,
            setting,
            strategy,
            seats: 1,
            supply: Supply::Shoes,
            side_wagers: false,
            ramp: None,
            seed,
            doubling: OnceLock::new(),
            tables: Tables::default(),
        })
    }

    /// The same with another way to play.
    pub fn with_strategy(self, strategy: Strategy) -> Result<Plan, PlanRefusal> {
        match strategy.is_for(self.sheet.game()) {
            true => Ok(Plan { strategy, tables: Tables::default(), ..self }),
            false => Err(PlanRefusal::Strategy(self.sheet.game())),
        }
    }

    /// The same with amounts and a meter.
    #[must_use]
    pub fn with_setting(self, setting: Setting) -> Plan {
        Plan { setting, doubling: OnceLock::new(), tables: Tables::default(), ..self }
    }

    /// The same with several seats that all play alike.
    pub fn with_seats(self, seats: u8) -> Result<Plan, PlanRefusal> {
        let most = opening(&self.sheet).seats;
        match (1..=most).contains(&seats) && usize::from(seats) <= MOST_SEATS {
            true => Ok(Plan { seats, tables: Tables::default(), ..self }),
            false => Err(PlanRefusal::Seats { most }),
        }
    }

    /// The same with cards from elsewhere.
    #[must_use]
    pub fn with_supply(self, supply: Supply) -> Plan {
        Plan { supply, tables: Tables::default(), ..self }
    }

    /// The same with every side wager that the house offers.
    #[must_use]
    pub fn with_side_wagers(self, side_wagers: bool) -> Plan {
        Plan { side_wagers, tables: Tables::default(), ..self }
    }

    /// The same with a bet that follows the count.
    pub fn with_ramp(self, ramp: Ramp) -> Result<Plan, PlanRefusal> {
        let highest = u64::from(self.setting.main.get()) * u64::from(ramp.most);
        let sound = ramp.most >= 1
            && highest <= u64::from(LARGEST_AMOUNT.get())
            && ramp.base.is_finite()
            && ramp.slope.is_finite();
        match sound && self.seats == 1 && self.supply == Supply::Shoes {
            true => Ok(Plan { ramp: Some(ramp), tables: Tables::default(), ..self }),
            false => Err(PlanRefusal::Ramp),
        }
    }

    /// The table's terms.
    pub fn sheet(&self) -> &TermSheet {
        &self.sheet
    }

    /// The amounts.
    pub fn setting(&self) -> Setting {
        self.setting
    }

    /// The way to play.
    pub fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// How many seats play.
    pub fn seats(&self) -> u8 {
        self.seats
    }

    /// Where the cards come from.
    pub fn supply(&self) -> Supply {
        self.supply
    }

    /// The bet by the count, if there is one.
    pub fn ramp(&self) -> Option<&Ramp> {
        self.ramp.as_ref()
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// What the main wager of a blackjack is worth exactly, from a full shoe, where it is played by a
    /// chart.
    pub fn exact_by_chart(&self) -> Option<f64> {
        let chart = self.strategy.chart()?;
        main_wager::by_chart(&self.sheet, self.setting.main, &Unseen::full(&self.sheet), chart)
    }

    /// The shoe that rounds are dealt from.
    pub(super) fn shoe(&self) -> Shoe {
        let shoe = Shoe::new(&self.sheet);
        match self.supply {
            Supply::Shoes => shoe,
            Supply::Fresh => shoe.without_cut_card(),
        }
    }

    /// How often a shoe is shuffled before the next one begins: where every round has its own
    /// shuffle, a shoe is this many rounds.
    pub fn shuffles_a_shoe(&self) -> u64 {
        match self.shoe().before_cut_card() {
            Some(_) => 1,
            None => 100,
        }
    }

    /// What is staked on the game's own side wager, in its circle, and on the progressive.
    pub fn side_stakes(&self) -> (Option<(Circle, Chips)>, Option<Chips>) {
        let circle = opening(&self.sheet).side.map(|side| side.circle);
        match self.side_wagers {
            true => (circle.zip(self.setting.side), self.setting.progressive),
            false => (None, None),
        }
    }

    /// What every seat places for a number of units.
    pub(super) fn amounts(&self, units: usize) -> Vec<(Circle, Cents)> {
        let (side, progressive) = self.side_stakes();
        let units = i64::try_from(units).expect("a few units");
        let main = Cents::new(i64::from(self.setting.main.get()) * units);
        let mut amounts = vec![(Circle::Main, main)];
        amounts.extend(side.map(|(circle, chips)| (circle, chips.into())));
        amounts.extend(progressive.map(|chips| (Circle::Progressive, chips.into())));
        amounts
    }
}
