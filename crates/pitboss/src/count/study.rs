//! Everything that is known of a count at a table, however it is shown.

use std::fmt::Write as _;
use std::time::Instant;

use odds::Valuation;
use odds::casino_war::{TiePolicy, War};
use odds::count::{
    BetLimits, BetTable, Bets, CountRow, CountSystem, CountTally, CountedPlay, Decision, EdgeLine,
    IndexPlay, IndexSearch, Prospect, TableCount, TripPlan, Trips,
};
use odds::countable::{Countable, countable};
use odds::setting::Setting;
use odds::simulate::{Plan, Strategy};
use odds::strategy::letter_of;
use odds::unseen::Unseen;
use rules::card::Rank;
use rules::money::{Cents, Chips};
use rules::shoe;
use rules::terms::TermSheet;
use rules::wager::Circle;

use super::progress::WorkLine;
use super::{Request, Wanted};
use crate::odds::progress::with_progress;
use crate::sim::interrupt::Interrupt;
use crate::text::grouped;

/// A wager by the true count.
pub(super) struct WagerStudy {
    pub(super) bet: Circle,
    pub(super) unit: Chips,
    pub(super) rows: Vec<CountRow>,
    pub(super) line: EdgeLine,
    /// How closely the count follows the best linear estimate of its expectation.
    pub(super) correlation: Option<f64>,
    /// What its meter does, if it has one.
    pub(super) meter: Option<MeterStudy>,
}

/// What the meter of a progressive does, with a full shoe.
#[derive(Clone, Copy)]
pub(super) struct MeterStudy {
    /// The meter at which the wager has no edge.
    pub(super) break_even: f64,
    /// What the wager gains with the meter as it is.
    edge: f64,
    /// What each unit of money on the meter adds to the edge.
    for_each: f64,
}

impl MeterStudy {
    /// The exact figures for the way ties are played; none where no jackpot can be won.
    fn of(plan: &Plan) -> Option<MeterStudy> {
        let sheet = plan.sheet();
        let name = plan.strategy().name();
        let policy = TiePolicy::ALL.into_iter().find(|policy| policy.name() == name)?;
        let setting = plan.setting().with_others(sheet, plan.seats() - 1).ok()?;
        let value =
            |setting: Setting| War::new(sheet, setting, Unseen::full(sheet)).progressive(policy);
        let now = value(setting)?;
        let break_even = now.figures.iter().find(|(name, _)| *name == "break_even_meter")?.1;
        let more = setting.meter + Cents::from(LARGER);
        let larger = value(setting.with_meter(sheet, more).ok()?)?;
        let for_each = (larger.ev - now.ev) / chips(LARGER);
        Some(MeterStudy { break_even, edge: now.ev, for_each })
    }

    /// The meter at which a true count has no edge, and its standard error: the edge is simulated, and
    /// what the meter adds to it is that of a full shoe.
    pub(super) fn break_even_at(&self, row: &CountRow) -> (f64, f64) {
        (self.break_even - (row.edge - self.edge) / self.for_each, row.error / self.for_each)
    }
}

/// By how much another meter is larger that is tried.
const LARGER: Chips = Chips::dollars(10_000);

/// Index plays, and what the chart alone came to.
pub(super) struct IndexStudy {
    pub(super) plays: Vec<IndexPlay>,
    /// The edge of a flat bet without and with them.
    pub(super) edges: [f64; 2],
}

/// All that was found.
pub(super) struct Study {
    pub(super) request: Request,
    pub(super) count: TableCount,
    pub(super) tally: CountTally,
    pub(super) wagers: Vec<WagerStudy>,
    pub(super) indices: Option<IndexStudy>,
    pub(super) limits: BetLimits,
    pub(super) bets: Bets,
    pub(super) prospect: Prospect,
    /// The bankroll that is given, or that the bets need; none where they lose.
    pub(super) bankroll: Option<f64>,
    pub(super) trips: Option<Trips>,
    pub(super) is_interrupted: bool,
}

impl Study {
    pub(super) fn of(mut request: Request, interrupt: &Interrupt) -> Result<Study, String> {
        let began = Instant::now();
        let effects = effects(&request.plan)?;
        let count = table_count(&request, request.plan.sheet(), &effects)?;
        let mut tally = play(&request.plan, &count, &request, interrupt);
        let mut indices = None;
        if request.indices && !interrupt.has_come() {
            let plays = index_plays(&request, &count, &tally, interrupt);
            let chart = request.plan.strategy().chart().cloned();
            if let (Some(chart), false) = (chart, interrupt.has_come()) {
                let name = format!("{} with index plays", request.plan.strategy().name());
                let play_by_count = CountedPlay::new(&chart, count.clone(), &plays);
                let strategy = Strategy::by_count(&name, play_by_count);
                let plan = request.plan.with_strategy(strategy).map_err(|r| r.to_string())?;
                request.plan = plan;
                let before = flat_edge(&tally, &request.plan);
                tally = play(&request.plan, &count, &request, interrupt);
                let after = flat_edge(&tally, &request.plan);
                indices = Some(IndexStudy { plays, edges: [before, after] });
            }
        }
        let (bet, unit) = request.wager;
        let limits = request.limits(bet, unit);
        let table = BetTable::new(&tally, limits);
        let bets = match (&request.bets, request.bankroll) {
            (Some(bets), _) => bets.clone(),
            (None, Some(bankroll)) => table.for_bankroll(money(bankroll), request.kelly),
            (None, None) => table.best_score(),
        };
        let prospect = table.prospect(&bets);
        let needed = || prospect.kelly_bankroll(request.kelly);
        let bankroll = request.bankroll.map(money).or_else(needed);
        let trips =
            bankroll.filter(|_| request.trips > 0 && !interrupt.has_come()).map(|bankroll| {
                let trip = TripPlan {
                    limits,
                    bets: bets.clone(),
                    bankroll: cents(bankroll),
                    goal: request.goal,
                    rounds: request.trip_rounds,
                };
                let mut line = WorkLine::new("Trips", "trips");
                let many = (request.threads, request.trips);
                Trips::play(&request.plan, &count, &trip, many, |trips, time| {
                    line.show(trips.count() as u64, request.trips, time);
                    !interrupt.has_come()
                })
            });
        let wagers = wagers(&request.plan, &count, &tally, &effects);
        let is_interrupted = interrupt.has_come();
        if is_interrupted {
            eprintln!("Interrupted: the result is that of the rounds played so far.");
        }
        let seconds = began.elapsed().as_secs_f64();
        eprintln!("{}", grouped(&format!("{} rounds, {seconds:.1} s in all.", tally.rounds)));
        let trips = trips.filter(|trips| trips.count() > 0);
        Ok(Study {
            request,
            count,
            tally,
            wagers,
            indices,
            limits,
            bets,
            prospect,
            bankroll,
            trips,
            is_interrupted,
        })
    }

    pub(super) fn sheet(&self) -> &TermSheet {
        self.request.plan.sheet()
    }

    /// The wager whose bets follow the count.
    pub(super) fn followed(&self) -> &WagerStudy {
        let (bet, _) = self.request.wager;
        self.wagers.iter().find(|wager| wager.bet == bet).unwrap_or(&self.wagers[0])
    }

    /// A line for every wager and true count.
    pub(super) fn csv(&self) -> String {
        let mut text = "bet,true_count,rounds,share,edge,standard_error,sd,amount\n".to_owned();
        for wager in &self.wagers {
            for row in &wager.rows {
                let CountRow { true_count, rounds, share, edge, error, sd, .. } = row;
                let amount = match wager.bet == self.request.wager.0 {
                    true => chips(self.bets.at(*true_count)).to_string(),
                    false => String::new(),
                };
                let bet = wager.bet;
                let _ = writeln!(
                    text,
                    "{bet},{true_count},{rounds},{share},{edge},{error},{sd},{amount}"
                );
            }
        }
        text
    }
}

impl Request {
    /// The limits of the bets on a wager.
    pub(super) fn limits(&self, wager: Circle, unit: Chips) -> BetLimits {
        BetLimits {
            wager,
            unit,
            least: unit,
            most: self.most,
            sits_out_below: self.wong,
            main: self.plan.setting().main,
        }
    }
}

/// The exact effects of removal on every wager.
pub(super) fn effects(plan: &Plan) -> Result<Vec<Countable>, String> {
    let table = Valuation::new(plan.sheet().clone()).map_err(|refusal| refusal.to_string())?;
    let table = table.with_setting(plan.setting());
    Ok(with_progress("Removing cards", |bar| countable(&table, bar)))
}

/// The effects on a wager, by the way it is played.
fn effects_on<'a>(effects: &'a [Countable], plan: &Plan, bet: Circle) -> Option<&'a Countable> {
    let of = |one: &&Countable| one.wager.bet == bet;
    let name = plan.strategy().name().split(' ').next().unwrap_or_default();
    let alike = effects.iter().filter(of).find(|one| one.wager.policy == name);
    alike.or_else(|| effects.iter().rfind(of))
}

/// The count that is asked for, at a table with these terms.
pub(super) fn table_count(
    request: &Request,
    sheet: &TermSheet,
    effects: &[Countable],
) -> Result<TableCount, String> {
    let (bet, _) = request.wager;
    let system = match &request.system {
        Wanted::Known(system) => system.clone(),
        Wanted::Best { level } => {
            let on_bet = effects_on(effects, &request.plan, bet);
            let best = on_bet.and_then(|one| CountSystem::best(one, *level));
            best.ok_or_else(|| {
                format!("no rank matters more than another for {bet}: nothing to count")
            })?
        }
    };
    Ok(TableCount::new(sheet, system, request.rounding, request.estimate))
}

/// Plays the rounds for the edges.
pub(super) fn play(
    plan: &Plan,
    count: &TableCount,
    request: &Request,
    interrupt: &Interrupt,
) -> CountTally {
    let mut line = WorkLine::new("Counting", "rounds");
    odds::count::run(plan, count, request.threads, request.rounds, |tally, time| {
        line.show(tally.rounds, request.rounds, time);
        !interrupt.has_come()
    })
}

fn index_plays(
    request: &Request,
    count: &TableCount,
    tally: &CountTally,
    interrupt: &Interrupt,
) -> Vec<IndexPlay> {
    let plan = &request.plan;
    let Some(chart) = plan.strategy().chart() else { return Vec::new() };
    let main = plan.setting().main;
    let rows = tally.rows(Circle::Main, main, main);
    let (sheet, threads) = (plan.sheet(), request.threads);
    let search = IndexSearch { sheet, wager: main, count, chart, rows: &rows, threads };
    let (mut line, began) = (WorkLine::new("Index plays", "steps"), Instant::now());
    search.find(|done, of| {
        line.show(done as u64, of as u64, began.elapsed());
        !interrupt.has_come()
    })
}

/// What a flat bet on the main wager gains.
pub(super) fn flat_edge(tally: &CountTally, plan: &Plan) -> f64 {
    let main = plan.setting().main;
    tally.rows(Circle::Main, main, main).iter().map(|row| row.share * row.edge).sum()
}

fn wagers(
    plan: &Plan,
    count: &TableCount,
    tally: &CountTally,
    effects: &[Countable],
) -> Vec<WagerStudy> {
    let shoe = Unseen::full(plan.sheet());
    let wager = |(bet, unit): (Circle, Chips)| {
        let rows = tally.rows(bet, unit, plan.setting().main);
        let on_bet = effects_on(effects, plan, bet).filter(|one| !one.counts.is_empty());
        let correlation = on_bet.map(|one| count.system.correlation(one, &shoe));
        let meter = (bet == Circle::Progressive).then(|| MeterStudy::of(plan)).flatten();
        WagerStudy { bet, unit, line: EdgeLine::through(&rows), rows, correlation, meter }
    };
    CountTally::wagers(plan).into_iter().map(wager).collect()
}

/// How many cards come before the cut card, and how many there are.
pub(super) fn depth(sheet: &TermSheet) -> (usize, usize) {
    let all = shoe::cards(sheet);
    (all - shoe::behind_cut_card(sheet).unwrap_or(all), all)
}

/// The numbers of a count by rank, those of ten-value cards together where they are the same.
pub(super) fn tags(system: &CountSystem) -> Vec<(String, f64)> {
    let tens = [Rank::Ten, Rank::Jack, Rank::Queen, Rank::King].map(|rank| system.tag(rank));
    let are_alike = tens.iter().all(|tag| *tag == tens[0]);
    let is_shown =
        |rank: &Rank| !are_alike || !matches!(rank, Rank::Jack | Rank::Queen | Rank::King);
    let shown = Rank::ALL.into_iter().filter(is_shown);
    shown.map(|rank| (rank.letter().to_string(), system.tag(rank))).collect()
}

/// An index play in words: the hand, the up card, what the chart does and what is better.
pub(super) struct PlayWords {
    pub(super) hand: String,
    pub(super) up: String,
    pub(super) usual: String,
    pub(super) better: String,
}

pub(super) fn words_of(play: &IndexPlay) -> PlayWords {
    let word = |does: bool| if does { "attack" } else { "no attack" }.to_owned();
    match play.decision {
        Decision::Hand { page, row, up, usual, better } => {
            let kind = match row {
                odds::strategy::Row::Hard(_) => "hard",
                odds::strategy::Row::Soft(_) => "soft",
                odds::strategy::Row::Pair(_) => "pair",
            };
            let hand = format!("{} {kind} {}", page.name(), row.name()).trim_start().to_owned();
            PlayWords {
                hand,
                up: letter_of(up).to_string(),
                usual: usual.to_string(),
                better: better.to_string(),
            }
        }
        Decision::Attack { up, usual } => PlayWords {
            hand: "any".to_owned(),
            up: letter_of(up).to_string(),
            usual: word(usual),
            better: word(!usual),
        },
        Decision::Insurance => PlayWords {
            hand: "any".to_owned(),
            up: "A".to_owned(),
            usual: "no insurance".to_owned(),
            better: "insurance".to_owned(),
        },
    }
}

/// An amount as a number.
pub(super) fn money(amount: Cents) -> f64 {
    amount.get() as f64 / 100.0
}

pub(super) fn chips(amount: Chips) -> f64 {
    f64::from(amount.get()) / 100.0
}

/// A number as an amount, to the cent.
#[allow(clippy::cast_possible_truncation)]
fn cents(amount: f64) -> Cents {
    Cents::new((amount * 100.0).round().clamp(0.0, 1e17) as i64)
}
