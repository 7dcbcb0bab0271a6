//! `pitboss count`: what counting cards is worth, and what stops it.

mod html;
mod json;
mod operator;
pub(crate) mod plots;
mod progress;
mod show;
mod study;

use std::fs;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;

use odds::count::{
    Bets, CountSystem, DeckEstimate, MOST_TRIP_ROUNDS, MOST_TRIPS, MOST_TRUE_COUNT, Rounding,
};
use odds::setting::{Setting, SettingRefusal};
use odds::simulate::{Plan, PlanRefusal, Strategy};
use rules::games;
use rules::money::{Cents, Chips, LARGEST_AMOUNT};
use rules::terms::TermSheet;
use rules::wager::Circle;

use self::study::Study;
use crate::halt::{Halt, ended, unwritable};
use crate::named;
use crate::sim::interrupt::Interrupt;
use crate::sim::{MOST_ROUNDS, MOST_THREADS, amount, optional, strategy, within};
use crate::text::{either, ungrouped};

const HELP: &str = "\
One seat counts and plays shoes to the cut card. Every wager is shown by the
true count before the round: how often that count comes up, the edge and the
standard deviation. From that it evaluates bets by the count: SCORE, N0, the
risk of ruin by the formula and by simulated trips, the certainty equivalent,
and the hours to a goal. docs/counting.md explains every figure.

Counts:
  hi-lo, hi-opt-1, hi-opt-2, ko, silver-fox, omega-2, zen, mentor, halves,
  uston-apc, ace-five; best-1, best-2 and best-3 are made from the exact
  effects of removal on the wager, with whole numbers up to 1, 2 or 3; --tags
  takes your own: the numbers for 2 to 9, ten and ace, or for all thirteen
  ranks.

Bets:
  by default those with the best SCORE within --spread; with --bankroll those
  with the best certainty equivalent at the --kelly fraction; with --bets your
  own: the amount from each true count up, and no bet below the first.

Examples:
  pitboss count double-deck
  pitboss count double-deck --count zen --spread 6 --indices
  pitboss count double-deck --bankroll 20,000 --kelly 0.5 --goal 10,000
  pitboss count double-deck --bets=-20:10,1:20,2:50,4:80 --hours 100
  pitboss count free-bet --bet push22 --count best-2 --spread 20
  pitboss count casino-war --bet tie --tags \"0 0 0 0 0 0 0 0 0 1\"
  pitboss count casino-war --bet progressive --meter 200,000
  pitboss count double-attack --wong 2 --seats 3 --html report.html
  pitboss count double-deck --operator
  pitboss count double-deck --tags \"1 1 1 1 1 0 0 0 -1 -1\" --csv rows.csv";

/// Shows what counting cards is worth.
#[derive(clap::Args)]
#[command(after_help = HELP, allow_negative_numbers = true)]
pub(crate) struct Arguments {
    #[arg(value_name = "GAME", help = named::games_help(""))]
    game: String,
    /// Sets a house option; can be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// The count, by name
    #[arg(long, value_name = "NAME", default_value = "hi-lo", conflicts_with = "tags")]
    count: String,
    /// A count of your own: ten or thirteen numbers from the two to the ace
    #[arg(long, value_name = "NUMBERS", allow_hyphen_values = true)]
    tags: Option<String>,
    /// The wager whose bets follow the count
    #[arg(long, value_name = "CIRCLE", default_value = "main")]
    bet: String,
    /// How to play: a name, or a chart file
    #[arg(long, value_name = "NAME")]
    strategy: Option<String>,
    /// Finds index plays of a blackjack game by exact values, and uses them
    #[arg(long)]
    indices: bool,
    /// How many seats play; the last one counts
    #[arg(long, value_name = "N", default_value = "1")]
    seats: String,
    /// How a true count becomes a whole number: floor, truncate or nearest
    #[arg(long, value_name = "WAY", default_value = "floor")]
    rounding: String,
    /// How the decks left are estimated: exact, half-decks or decks
    #[arg(long, value_name = "HOW", default_value = "exact")]
    decks_left: String,
    /// How many rounds to play for the edges
    #[arg(long, value_name = "N", default_value = "10,000,000")]
    rounds: String,
    /// The smallest bet on the main wager
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
    unit: Option<String>,
    /// The largest bet, in units; never above the table maximum
    #[arg(long, value_name = "N", default_value = "8")]
    spread: String,
    /// Your own bets, such as 0:10,2:50: amounts from each true count up
    #[arg(long, value_name = "BETS", allow_hyphen_values = true)]
    bets: Option<String>,
    /// Sits out below this true count
    #[arg(long, value_name = "COUNT", allow_hyphen_values = true)]
    wong: Option<String>,
    /// The bankroll [default: what the bets need at the Kelly fraction]
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
    bankroll: Option<String>,
    /// The Kelly fraction
    #[arg(long, value_name = "FRACTION", default_value = "1", allow_hyphen_values = true)]
    kelly: String,
    /// The amount to gain
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
    goal: Option<String>,
    /// Rounds in an hour, including those sat out
    #[arg(long, value_name = "N", default_value = "100")]
    pace: String,
    /// The length of a trip
    #[arg(long, value_name = "HOURS", default_value = "40")]
    hours: String,
    /// How many trips to simulate
    #[arg(long, value_name = "N", default_value = "1,000")]
    trips: String,
    /// The progressive meter of Casino War in every round [default: its seed]
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
    meter: Option<String>,
    /// For the house: what a counter could win, by penetration and option
    #[arg(long, conflicts_with_all = ["bets", "bankroll", "goal", "indices", "csv"])]
    operator: bool,
    /// The seed of all random numbers
    #[arg(long, value_name = "NUMBER", default_value = "1", allow_hyphen_values = true)]
    seed: String,
    /// How many threads to use [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<String>,
    /// Writes every wager by true count to this CSV file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Writes a report with plots to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// The count that is asked for.
pub(crate) enum Wanted {
    /// One with a name, or with tags of one's own.
    Known(CountSystem),
    /// The best with tags up to so many points, from what each card gone changes.
    Best { level: i8 },
}

/// What the arguments ask for, once they are read.
pub(crate) struct Request {
    plan: Plan,
    system: Wanted,
    rounding: Rounding,
    estimate: DeckEstimate,
    wager: (Circle, Chips),
    most: Chips,
    bets: Option<Bets>,
    wong: Option<i32>,
    indices: bool,
    bankroll: Option<Cents>,
    kelly: f64,
    goal: Option<Cents>,
    pace: u64,
    trip_rounds: u64,
    trips: u64,
    rounds: u64,
    threads: usize,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> io::Result<ExitCode> {
    ended(count(arguments, out))
}

fn count(arguments: &Arguments, out: &mut impl Write) -> Result<(), Halt> {
    let request = read(arguments)?;
    for file in [&arguments.csv, &arguments.html].into_iter().flatten() {
        // Known to be writable before anything is played.
        let opened = fs::File::options().create(true).append(true).open(file);
        opened.map_err(|error| unwritable(file, &error))?;
    }
    let interrupt = Interrupt::listen();
    let write = |file: &PathBuf, text: String| {
        fs::write(file, text).map_err(|error| Halt::from(unwritable(file, &error)))
    };
    if arguments.operator {
        let study = operator::OperatorStudy::of(&request, &interrupt)?;
        if let Some(file) = &arguments.html {
            write(file, html::operator_page(&study))?;
        }
        match arguments.json {
            true => json::write(&json::operator(&study), out)?,
            false => show::operator(&study, out)?,
        }
        return Ok(());
    }
    let study = Study::of(request, &interrupt)?;
    if let Some(file) = &arguments.csv {
        write(file, study.csv())?;
    }
    if let Some(file) = &arguments.html {
        write(file, html::page(&study))?;
    }
    match arguments.json {
        true => json::write(&json::study(&study), out)?,
        false => show::study(&study, out)?,
    }
    Ok(())
}

/// Reads the arguments.
fn read(arguments: &Arguments) -> Result<Request, String> {
    let plan = plan(arguments)?;
    let sheet = plan.sheet();
    if plan.shuffles_a_shoe() > 1 {
        return Err(format!(
            "{} is shuffled for every round with these options: there is nothing to count",
            sheet.game().title()
        ));
    }
    let wager = wager(&plan, &arguments.bet)?;
    let spread: u32 = within("--spread", &arguments.spread, 1..=100_000)?;
    let most = most(sheet, wager, spread);
    let wong = |word: &String| ungrouped(word).parse().ok().filter(is_true_count);
    let expected_count = format!("from -{MOST_TRUE_COUNT} to {MOST_TRUE_COUNT}");
    let positive = |option: &str, word: &Option<String>| -> Result<Option<Cents>, String> {
        let read = word.as_ref().map(|word| amount(option, word)).transpose()?;
        match read.filter(|read| *read <= Cents::ZERO) {
            Some(_) => Err(format!("expected {option} above 0")),
            None => Ok(read),
        }
    };
    let kelly = |word: &String| word.parse().ok().filter(|kelly| (0.01..=2.0).contains(kelly));
    let pace: u64 = within("--pace", &arguments.pace, 1..=10_000)?;
    let hours: u64 = within("--hours", &arguments.hours, 1..=MOST_TRIP_ROUNDS / pace)?;
    let name = |ways: &[&str]| either(ways);
    let rounding = Rounding::ALL.into_iter().find(|way| way.name() == arguments.rounding);
    let estimate = DeckEstimate::ALL.into_iter().find(|how| how.name() == arguments.decks_left);
    let expected = |option: &str, names: String, found: &str| {
        format!("expected {option} {names}, found '{}'", found.escape_debug())
    };
    let chosen = arguments.bets.as_ref().map(|word| bets(&plan, wager.0, word)).transpose()?;
    Ok(Request {
        system: system(arguments)?,
        rounding: rounding.ok_or_else(|| {
            let names = name(&Rounding::ALL.map(Rounding::name));
            expected("--rounding", names, &arguments.rounding)
        })?,
        estimate: estimate.ok_or_else(|| {
            let names = name(&DeckEstimate::ALL.map(DeckEstimate::name));
            expected("--decks-left", names, &arguments.decks_left)
        })?,
        wager,
        most,
        bets: chosen,
        wong: optional("--wong", &expected_count, arguments.wong.as_ref(), wong)?,
        indices: match arguments.indices && plan.strategy().chart().is_none() {
            true => {
                return Err("--indices needs a blackjack and a strategy with a chart".to_owned());
            }
            false => arguments.indices,
        },
        bankroll: positive("--bankroll", &arguments.bankroll)?,
        kelly: optional("--kelly", "from 0.01 to 2", Some(&arguments.kelly), kelly)?.unwrap_or(1.0),
        goal: positive("--goal", &arguments.goal)?,
        pace,
        trip_rounds: hours * pace,
        trips: within("--trips", &arguments.trips, 0..=MOST_TRIPS)?,
        rounds: within("--rounds", &arguments.rounds, 1..=MOST_ROUNDS)?,
        threads: match &arguments.threads {
            Some(word) => within("--threads", word, 1..=MOST_THREADS)?,
            None => thread::available_parallelism().map_or(1, NonZero::get),
        },
        plan,
    })
}

fn is_true_count(count: &i32) -> bool {
    (-MOST_TRUE_COUNT..=MOST_TRUE_COUNT).contains(count)
}

/// The plan of the seat that counts, with every side wager.
fn plan(arguments: &Arguments) -> Result<Plan, String> {
    let game = named::game_or_why(&arguments.game)?;
    let mut sheet = TermSheet::new(game);
    sheet.set(named::choices(&arguments.set)?).map_err(|refusal| named::in_words(&refusal))?;
    let refused = |refusal: SettingRefusal| refusal.to_string();
    let mut setting = Setting::of(&sheet).map_err(refused)?;
    if let Some(word) = &arguments.unit {
        setting = setting.with_main(&sheet, amount("--unit", word)?).map_err(refused)?;
    }
    if let Some(word) = &arguments.meter {
        setting = setting.with_meter(&sheet, amount("--meter", word)?).map_err(refused)?;
    }
    let usual = Strategy::names(game).first().copied().unwrap_or_default();
    let name = arguments.strategy.as_deref().unwrap_or(usual);
    let found = |refusal: PlanRefusal| format!("{refusal}, found '{}'", name.escape_debug());
    let strategy = strategy(&sheet, name, found)?;
    let seats = within("--seats", &arguments.seats, 1..=games::opening(&sheet).seats)?;
    let plan = Plan::new(sheet, strategy, within("--seed", &arguments.seed, 0..=u64::MAX)?);
    let plan = plan.map_err(found)?.with_setting(setting).with_side_wagers(true);
    plan.with_seats(seats).map_err(|refusal| refusal.to_string())
}

/// The wager of a name, with its unit.
fn wager(plan: &Plan, name: &str) -> Result<(Circle, Chips), String> {
    let wagers = odds::count::CountTally::wagers(plan);
    let wagers: Vec<_> = wagers.into_iter().filter(|(bet, _)| *bet != Circle::Envy).collect();
    let found = wagers.iter().find(|(bet, _)| Circle::named(name) == Some(*bet));
    found.copied().ok_or_else(|| {
        let names: Vec<_> = wagers.iter().map(|(bet, _)| bet.to_string()).collect();
        format!("expected --bet {}, found '{}'", either(&names), name.escape_debug())
    })
}

/// The largest bet on a wager: so many units, and what the table allows.
fn most(sheet: &TermSheet, (bet, unit): (Circle, Chips), spread: u32) -> Chips {
    let opening = games::opening(sheet);
    let limit = match bet {
        Circle::Main => opening.main_max,
        Circle::Progressive => unit,
        _ => opening.side.map_or(unit, |side| side.max),
    };
    let wanted = unit.get().saturating_mul(spread);
    Chips::new(wanted.min(limit.get()).min(LARGEST_AMOUNT.get()).max(unit.get()))
}

fn system(arguments: &Arguments) -> Result<Wanted, String> {
    if let Some(words) = &arguments.tags {
        let parts = words.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty());
        let numbers: Option<Vec<f64>> = parts.map(|part| part.parse().ok()).collect();
        let system = CountSystem::own("own tags", &numbers.unwrap_or_default());
        return system.map(Wanted::Known).map_err(|refusal| format!("--tags: {refusal}"));
    }
    let name = arguments.count.as_str();
    let level = match name {
        "best-1" => Some(1),
        "best-2" => Some(2),
        "best-3" => Some(3),
        _ => None,
    };
    if let Some(level) = level {
        return Ok(Wanted::Best { level });
    }
    CountSystem::named(name).map(Wanted::Known).ok_or_else(|| {
        let names: Vec<_> = CountSystem::names().chain(["best-1", "best-2", "best-3"]).collect();
        format!("expected --count {}, found '{}'", either(&names), name.escape_debug())
    })
}

/// Amounts from true counts on, such as `0:10,2:50`, that the table takes on a circle.
fn bets(plan: &Plan, circle: Circle, word: &str) -> Result<Bets, String> {
    let step = |part: &str| {
        let (from, bet) = part.split_once(':')?;
        let from = from.trim().parse().ok().filter(is_true_count)?;
        let bet: Cents = bet.trim().parse().ok()?;
        let bet = Chips::from_cents(bet).filter(|bet| *bet <= LARGEST_AMOUNT)?;
        Some((from, bet))
    };
    let steps: Option<Vec<(i32, Chips)>> = word.split(',').map(step).collect();
    let is_empty = |steps: &Vec<(i32, Chips)>| steps.iter().all(|(_, bet)| *bet == Chips::ZERO);
    let steps = steps.filter(|steps| !is_empty(steps)).ok_or_else(|| {
        format!(
            "expected --bets as true counts with amounts, such as 0:10,2:50, found '{}'",
            word.escape_debug()
        )
    })?;
    let (opening, main) = (games::opening(plan.sheet()), plan.setting().main);
    for (_, bet) in steps.iter().filter(|(_, bet)| !bet.is_zero()) {
        let slip = match circle {
            Circle::Main => vec![(Circle::Main, Cents::from(*bet))],
            _ => vec![(Circle::Main, main.into()), (circle, Cents::from(*bet))],
        };
        opening.check(&slip).map_err(|refusal| {
            format!("--bets {bet}: {}", refusal.in_words(plan.sheet().game()))
        })?;
    }
    Ok(Bets::steps(&steps))
}
