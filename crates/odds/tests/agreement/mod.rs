//! Settings in which what is simulated is held to what is exact.

use std::fmt;

use odds::blackjack::{Analyzer, Siblings};
use odds::casino_war::{self, War};
use odds::double_down_stud::{self, Stud};
use odds::setting::Setting;
use odds::side_bets;
use odds::simulate::{Plan, Strategy, Supply, Tally};
use odds::unseen::Unseen;
use rules::games::blackjack::{Book, DoubleAttack, DoubleDeck, FreeBet};
use rules::terms::TermSheet;
use rules::wager::{Circle, Game};

/// How far a simulated mean may be from the exact one, in standard errors.
pub(crate) const FAR: f64 = 4.5;

/// A game, its chosen terms, and the way in which it is played.
pub(crate) struct Case {
    pub(crate) game: Game,
    choices: &'static [(&'static str, &'static str)],
    strategy: &'static str,
}

const fn case(
    game: Game,
    choices: &'static [(&'static str, &'static str)],
    strategy: &'static str,
) -> Case {
    Case { game, choices, strategy }
}

/// At least three settings of each game.
pub(crate) const CASES: [Case; 21] = [
    case(Game::CasinoWar, &[], "war"),
    case(Game::CasinoWar, &[("decks", "8")], "war"),
    case(Game::CasinoWar, &[("decks", "7")], "surrender"),
    case(Game::DoubleDownStud, &[], "best"),
    case(Game::DoubleDownStud, &[("pays_flush", "9")], "always"),
    case(Game::DoubleDownStud, &[("pays_straight", "6")], "never"),
    case(Game::DoubleDeck, &[], "basic"),
    case(Game::DoubleDeck, &[], "best"),
    case(Game::DoubleDeck, &[("peek", "none_original_bets_only"), ("soft_double", "on")], "basic"),
    case(Game::DoubleDeck, &[("peek", "none_original_bets_only")], "best"),
    case(Game::DoubleDeck, &[("split_by", "value")], "mimic"),
    case(Game::DoubleAttack, &[], "basic"),
    case(Game::DoubleAttack, &[], "best"),
    case(Game::DoubleAttack, &[("dealing_mode", "hole_card"), ("decks", "6")], "basic"),
    case(
        Game::DoubleAttack,
        &[
            ("decks", "6"),
            ("seats", "6"),
            ("dealing_mode", "hole_card_reader"),
            ("split_double_attack", "match_both"),
        ],
        "basic",
    ),
    case(Game::DoubleAttack, &[("split_double_attack", "match_both")], "never-bust"),
    case(Game::FreeBet, &[], "basic"),
    case(Game::FreeBet, &[], "best"),
    case(Game::FreeBet, &[("decks", "8"), ("push22_paytable", "B")], "basic"),
    case(Game::FreeBet, &[("split_aces", "one_card_no_resplit")], "basic"),
    case(Game::FreeBet, &[("split_aces", "full_play")], "mimic"),
];

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.game, self.strategy)?;
        self.choices.iter().try_for_each(|(key, value)| write!(f, " {key}={value}"))
    }
}

/// A plan, and what each of its wagers is worth exactly.
pub(crate) struct Agreement {
    pub(crate) plan: Plan,
    exact: Vec<(Circle, f64)>,
}

/// A wager's mean beside its exact value, and how many standard errors they are apart.
pub(crate) struct Compared {
    circle: Circle,
    rounds: u64,
    simulated: f64,
    exact: f64,
    error: f64,
    pub(crate) apart: f64,
}

impl Compared {
    /// What stands above a table of them.
    #[allow(dead_code)]
    pub(crate) const HEADING: &str =
        "WAGER               ROUNDS     SIMULATED         EXACT  ST. ERROR      z  SETTING";

    pub(crate) fn agrees(&self) -> bool {
        self.apart.abs() < FAR
    }
}

impl fmt::Display for Compared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Compared { circle, rounds, simulated, exact, error, apart } = self;
        let circle = circle.to_string();
        write!(f, "{circle:<11} {rounds:>14} {simulated:>+13.8} {exact:>+13.8} ")?;
        write!(f, "{error:>10.8} {apart:>+6.2}")
    }
}

impl Case {
    /// Side wagers included, with rounds from fresh shoes, for which exact values are.
    pub(crate) fn prepare(&self) -> Agreement {
        let mut sheet = TermSheet::new(self.game);
        sheet.set(self.choices.iter().copied()).unwrap();
        let strategy = Strategy::named(&sheet, self.strategy).unwrap();
        let plan = Plan::new(sheet.clone(), strategy, 2).unwrap();
        let plan = plan.with_side_wagers(true).with_supply(Supply::Fresh);
        let exact = match self.game {
            Game::CasinoWar => war(&sheet, self.strategy),
            Game::DoubleDownStud => stud(&sheet, self.strategy),
            Game::DoubleDeck => blackjack::<DoubleDeck>(&plan),
            Game::DoubleAttack => blackjack::<DoubleAttack>(&plan),
            Game::FreeBet => blackjack::<FreeBet>(&plan),
        };
        Agreement { plan, exact }
    }
}

fn war(sheet: &TermSheet, strategy: &str) -> Vec<(Circle, f64)> {
    let war = War::new(sheet, Setting::of(sheet).unwrap(), Unseen::full(sheet));
    let policy = match strategy {
        "war" => casino_war::TiePolicy::War,
        _ => casino_war::TiePolicy::Surrender,
    };
    vec![
        (Circle::Main, war.main(policy).ev),
        (Circle::Tie, war.tie().unwrap().ev),
        (Circle::Progressive, war.progressive(policy).unwrap().ev),
    ]
}

fn stud(sheet: &TermSheet, strategy: &str) -> Vec<(Circle, f64)> {
    let stud = Stud::new(sheet, Setting::of(sheet).unwrap(), &Unseen::full(sheet));
    let policy = match strategy {
        "best" => double_down_stud::DoublingPolicy::Best,
        "always" => double_down_stud::DoublingPolicy::Always,
        _ => double_down_stud::DoublingPolicy::Never,
    };
    vec![(Circle::Main, stud.main(policy).ev)]
}

/// By the same chart, or by the cards themselves.
fn blackjack<B: Book>(plan: &Plan) -> Vec<(Circle, f64)> {
    let (sheet, setting) = (plan.sheet(), plan.setting());
    let (analyzer, shoe) = (Analyzer::<B>::new(sheet), Unseen::full(sheet));
    let main = match plan.strategy().chart() {
        Some(chart) => analyzer.by_chart(&shoe, chart).ev,
        None => analyzer.solve(&shoe, Siblings::OwnCards).ev,
    };
    let side = match B::GAME {
        Game::DoubleAttack => side_bets::bonus(sheet, setting, &shoe),
        Game::FreeBet => side_bets::push22(sheet, setting, &shoe),
        _ => None,
    };
    let side = side.map(|value| (value.bet, value.ev));
    [(Circle::Main, main)].into_iter().chain(side).collect()
}

impl Agreement {
    /// Every wager of a tally beside its exact value.
    pub(crate) fn compare(&self, tally: &Tally) -> Vec<Compared> {
        let bets = self.plan.bets(tally);
        assert_eq!(bets.len(), self.exact.len(), "wagers");
        let compared = bets.iter().zip(&self.exact).map(|(value, &(circle, exact))| {
            assert_eq!(value.bet, circle);
            let (simulated, error) = (value.ev, value.standard_error.unwrap());
            let apart = (simulated - exact) / error;
            Compared { circle, rounds: tally.rounds, simulated, exact, error, apart }
        });
        compared.collect()
    }
}
