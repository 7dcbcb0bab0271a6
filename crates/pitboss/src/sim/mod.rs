//! `pitboss sim`: rounds by the million, by the same rules.

mod show;
mod state;

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use odds::Valuation;
use odds::setting::{Setting, SettingRefusal};
use odds::simulate::{
    Plan, Progress, Ramp, Stop, Strategy, Supply, Tally, run as play, run_by_shoe,
};
use rules::money::Cents;
use rules::terms::TermSheet;

use crate::halt::{Halt, ended};
use crate::named;
use crate::odds::{Simulated, beside_the_exact_values};
use crate::text::ungrouped;

const HELP: &str = "\
A run is a table, a strategy, a seed and a range of shoes. The same run gives
the same result on any number of threads. Every shoe has a number and can be
played alone: --shoe prints its rounds for `pitboss check`.

Strategies:
  casino-war        war, surrender
  double-down-stud  best, always, never
  the blackjacks    basic (the printable chart), best (by the cards of the
                    hand, for a full shoe), never-double, mimic, never-bust,
                    or a file written by `pitboss odds GAME --save-chart FILE`

A run ends after --rounds, --shoes or --time, or when the standard error falls
below --error, whichever comes first; by default after 10,000,000 rounds. Only
whole shoes are played, so a run can be a little longer than asked for: the
report says how many rounds were played. Where every round has its own shuffle,
a shoe is a hundred rounds.

With --state a run is saved in a file and continued when the same command is
given again. A file written by another version of the program or under other
rules is refused.

Examples:
  pitboss sim casino-war
  pitboss sim double-deck --rounds 1,000,000,000 --state deck.json
  pitboss sim free-bet --strategy mimic --seats 5 --side --time 30
  pitboss sim double-deck --strategy my.chart --fresh --error 0.0001
  pitboss sim double-deck --ramp 1,2,8
      bets 1 unit at a true count of 0, 2 more for each point, at most 8
  pitboss sim double-deck --from 1000 --shoes 1000 --state b.json
  pitboss sim double-deck --merge a.json --merge b.json
  pitboss sim double-attack --shoe 17 > shoe17.round
  pitboss sim double-deck --fresh --html report.html
  pitboss sim casino-war --json";

/// The default number of rounds.
const ROUNDS: u64 = 10_000_000;

/// Simulates millions of rounds.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    #[arg(value_name = "GAME", help = named::games_help(""))]
    game: String,
    /// Sets a house option; can be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// How to play: a name, or a chart file
    #[arg(long, value_name = "NAME")]
    strategy: Option<String>,
    /// Stops after the shoe that reaches this many rounds
    #[arg(long, value_name = "N")]
    rounds: Option<String>,
    /// Stops after this many shoes
    #[arg(long, value_name = "N")]
    shoes: Option<String>,
    /// Stops after this many seconds
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true)]
    time: Option<String>,
    /// Stops when the standard error of the main wager is this small
    #[arg(long, value_name = "ERROR", allow_hyphen_values = true)]
    error: Option<String>,
    /// How many seats play, all by the same strategy
    #[arg(long, value_name = "N", default_value = "1")]
    seats: String,
    /// Shuffles before every round
    #[arg(long)]
    fresh: bool,
    /// Places every side wager that the house offers
    #[arg(long)]
    side: bool,
    /// The main wager
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
    stake: Option<String>,
    /// The progressive meter of Casino War in every round [default: its seed]
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
    meter: Option<String>,
    /// Bets by the true count: units at 0, units per point, most units
    #[arg(long, value_name = "BASE,SLOPE,MOST", allow_hyphen_values = true)]
    ramp: Option<String>,
    /// The seed of all random numbers
    #[arg(long, value_name = "NUMBER", default_value = "1", allow_hyphen_values = true)]
    seed: String,
    /// The first shoe
    #[arg(long, value_name = "NUMBER", default_value = "0")]
    from: String,
    /// How many threads to use [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<String>,
    /// Prints the rounds of one shoe instead
    #[arg(long, value_name = "NUMBER")]
    shoe: Option<String>,
    /// Saves the run in this file, and continues the run saved there
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Adds up saved runs of consecutive shoes instead of playing; repeat it
    /// for each file
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "state", "csv", "shoe", "from", "rounds", "shoes", "time", "error", "threads",
    ])]
    merge: Vec<PathBuf>,
    /// Writes one line per shoe to this CSV file
    #[arg(long, value_name = "FILE", conflicts_with = "state")]
    csv: Option<PathBuf>,
    /// Writes a report with the simulated values beside the exact ones
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> io::Result<ExitCode> {
    ended(simulate(arguments, out))
}

fn simulate(arguments: &Arguments, out: &mut impl Write) -> Result<(), Halt> {
    let plan = plan(arguments)?;
    let from = shoe("--from", &arguments.from)?;
    if let Some(word) = &arguments.shoe {
        let shoe = shoe("--shoe", word)?;
        for (number, round) in plan.transcripts(shoe).iter().enumerate() {
            if number > 0 {
                writeln!(out, "---")?;
            }
            write!(out, "{round}")?;
        }
        return Ok(());
    }
    let page = arguments.html.as_ref().map(|file| Page::open(file)).transpose()?;
    let (from, played) = match arguments.merge.is_empty() {
        true => (from, played(arguments, &plan, from)?),
        false => state::merge(&arguments.merge, &plan)?,
    };
    if let Some(page) = page {
        page.write(&report(&plan, &played.0)?)?;
    }
    match arguments.json {
        true => show::json(&plan, from, &played, out)?,
        false => show::in_words(&plan, from, &played, out)?,
    }
    Ok(())
}

/// A file that is known to be writable before anything is played.
struct Page<'a>(&'a Path, File);

impl Page<'_> {
    fn open(file: &Path) -> Result<Page<'_>, String> {
        let opened = File::options().create(true).append(true).open(file);
        opened.map(|open| Page(file, open)).map_err(|error| could_not_write(file, &error))
    }

    fn write(mut self, text: &str) -> Result<(), String> {
        let written = self.1.set_len(0).and_then(|()| self.1.write_all(text.as_bytes()));
        written.map_err(|error| could_not_write(self.0, &error))
    }
}

fn could_not_write(file: &Path, error: &io::Error) -> String {
    format!("could not write {}: {error}", file.display())
}

/// Plays what the arguments ask for, from a shoe on.
fn played(arguments: &Arguments, plan: &Plan, from: u64) -> Result<(Tally, u64), Halt> {
    let stop = stop(arguments)?;
    let threads = match &arguments.threads {
        Some(word) => within("--threads", word, 1..=MOST_THREADS)?,
        None => thread::available_parallelism().map_or(1, NonZero::get),
    };
    let before = match &arguments.state {
        Some(file) if file.exists() => state::read(file, plan, from)?,
        _ => (Tally::default(), from),
    };
    if let Some(file) = &arguments.state {
        state::write(file, plan, from, &before)?;
    }
    let bar = Bar::new(plan, stop, &before.0);
    let played = match &arguments.csv {
        Some(file) => by_shoe(plan, threads, before, stop, &bar, file)?,
        None => with_state(plan, threads, before, stop, &bar, (arguments.state.as_deref(), from))?,
    };
    bar.0.finish_and_clear();
    if let Some(file) = &arguments.state {
        state::write(file, plan, from, &played)?;
    }
    Ok(played)
}

/// The report of the exact values, with the simulated ones beside them.
fn report(plan: &Plan, tally: &Tally) -> Result<String, String> {
    let table = Valuation::new(plan.sheet().clone()).map_err(|refusal| refusal.to_string())?;
    let simulated = Simulated {
        bets: plan.bets(tally),
        by_chart: plan.exact_by_chart(),
        fresh: plan.shuffles_a_shoe() > 1,
        seats: plan.seats(),
    };
    Ok(beside_the_exact_values(&table.with_setting(plan.setting()), simulated))
}

/// The plan that the arguments describe.
fn plan(arguments: &Arguments) -> Result<Plan, String> {
    let game = named::game_or_why(&arguments.game)?;
    let mut sheet = TermSheet::new(game);
    sheet.set(named::choices(&arguments.set)?).map_err(|refusal| named::in_words(&refusal))?;
    let usual = || Strategy::names(game).first().copied();
    let name = arguments.strategy.as_deref().or_else(usual).unwrap_or_default();
    let strategy = strategy(&sheet, name)?;
    let refused = |refusal: SettingRefusal| refusal.to_string();
    let mut setting = Setting::of(&sheet).map_err(refused)?;
    if let Some(word) = &arguments.stake {
        setting = setting.with_main(&sheet, amount("--stake", word)?).map_err(refused)?;
    }
    if let Some(word) = &arguments.meter {
        setting = setting.with_meter(&sheet, amount("--meter", word)?).map_err(refused)?;
    }
    let supply = if arguments.fresh { Supply::Fresh } else { Supply::Shoes };
    let plan = Plan::new(sheet, strategy, number("--seed", &arguments.seed)?)
        .map_err(|refusal| refusal.to_string())?
        .with_setting(setting)
        .with_supply(supply)
        .with_side_wagers(arguments.side)
        .with_seats(number("--seats", &arguments.seats)?)
        .map_err(|refusal| refusal.to_string())?;
    match &arguments.ramp {
        Some(word) => plan.with_ramp(ramp(word)?).map_err(|refusal| refusal.to_string()),
        None => Ok(plan),
    }
}

fn strategy(sheet: &TermSheet, name: &str) -> Result<Strategy, String> {
    if !Path::new(name).is_file() {
        return Strategy::named(sheet, name).map_err(|refusal| refusal.to_string());
    }
    let text = fs::read_to_string(name).map_err(|error| format!("{name}: {error}"))?;
    let chart = text.parse().map_err(|refusal| format!("{name}: {refusal}"))?;
    Ok(Strategy::by_chart(name, chart))
}

/// Cards from two to six count one up, those worth ten and aces one down.
const HIGH_LOW: [i32; 13] = [1, 1, 1, 1, 1, 0, 0, 0, -1, -1, -1, -1, -1];

fn ramp(word: &str) -> Result<Ramp, String> {
    let numbers: Option<Vec<f64>> = word.split(',').map(|part| part.trim().parse().ok()).collect();
    let most = word.rsplit(',').next().and_then(|part| part.trim().parse::<u8>().ok());
    match (numbers.as_deref(), most) {
        (Some(&[base, slope, _]), Some(most)) => Ok(Ramp { weights: HIGH_LOW, base, slope, most }),
        _ => Err(format!(
            "expected --ramp as three numbers such as 1,2,8, found '{}'",
            word.escape_debug()
        )),
    }
}

fn stop(arguments: &Arguments) -> Result<Stop, String> {
    let count = |option, word: &Option<String>| {
        word.as_ref().map(|word| within(option, word, 1..=u64::MAX)).transpose()
    };
    let time: Option<f64> = optional("--time", arguments.time.as_deref())?;
    let time = time.map(Duration::try_from_secs_f64).transpose();
    let error: Option<f64> = optional("--error", arguments.error.as_deref())?;
    if error.is_some_and(|error| error.is_nan() || error <= 0.0) {
        return Err("expected --error as a number above 0, such as 0.0001".to_owned());
    }
    let mut stop = Stop {
        rounds: count("--rounds", &arguments.rounds)?,
        shoes: count("--shoes", &arguments.shoes)?,
        time: time.map_err(|_| "expected --time as a number of seconds".to_owned())?,
        standard_error: error,
    };
    let Stop { rounds, shoes, time, standard_error } = stop;
    if rounds.is_none() && shoes.is_none() && time.is_none() && standard_error.is_none() {
        stop.rounds = Some(ROUNDS);
    }
    Ok(stop)
}

fn optional<T: std::str::FromStr>(option: &str, word: Option<&str>) -> Result<Option<T>, String> {
    word.map(|word| number(option, word)).transpose()
}

fn number<T: std::str::FromStr>(option: &str, word: &str) -> Result<T, String> {
    ungrouped(word)
        .parse()
        .map_err(|_| format!("expected {option} as a number, found '{}'", word.escape_debug()))
}

/// Shoes have numbers up to this one.
const LAST_SHOE: u64 = 1_000_000_000_000_000_000;
const MOST_THREADS: usize = 1_024;

fn shoe(option: &str, word: &str) -> Result<u64, String> {
    within(option, word, 0..=LAST_SHOE)
}

fn within<T>(option: &str, word: &str, range: RangeInclusive<T>) -> Result<T, String>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    let read = number(option, word)?;
    match range.contains(&read) {
        true => Ok(read),
        false => Err(format!(
            "expected {option} from {} to {}, found {read}",
            range.start(),
            range.end()
        )),
    }
}

fn amount(option: &str, word: &str) -> Result<Cents, String> {
    ungrouped(word).parse().map_err(|_| {
        format!(
            "expected {option} as an amount such as 25 or 7.50, found '{}'",
            word.escape_debug()
        )
    })
}

/// A bar on the error output: rounds, their rate, the running mean and the time left.
struct Bar<'a>(ProgressBar, &'a Plan, Stop);

impl<'a> Bar<'a> {
    fn new(plan: &'a Plan, stop: Stop, before: &Tally) -> Bar<'a> {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let template = "{wide_bar} {human_pos} rounds, {rate}, {msg}, {eta} left";
        let style = ProgressStyle::with_template(template);
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style.with_key("rate", |state: &ProgressState, out: &mut dyn fmt::Write| {
            let _ = write!(out, "{:.1} million/s", state.per_sec() / 1e6);
        }));
        bar.set_position(before.rounds);
        bar.reset_eta();
        Bar(bar, plan, stop)
    }

    fn show(&self, Progress { tally, time, .. }: Progress<'_>) {
        let Bar(bar, plan, stop) = self;
        if let Some(rounds) = stop.rounds_in_all(plan, tally, time) {
            bar.set_length(rounds);
        }
        bar.set_position(tally.rounds);
        bar.set_message(show::mean(tally, plan.setting().main));
    }
}

/// Plays, and saves what is known now and then.
fn with_state(
    plan: &Plan,
    threads: usize,
    before: (Tally, u64),
    stop: Stop,
    bar: &Bar<'_>,
    (file, from): (Option<&Path>, u64),
) -> Result<(Tally, u64), Halt> {
    let mut saved = Duration::ZERO;
    let mut failed = None;
    let played = play(plan, threads, before, stop, |progress: Progress<'_>| {
        bar.show(progress);
        let Progress { tally, next_shoe, time, .. } = progress;
        if let (Some(file), true) = (file, time.saturating_sub(saved) > SAVED_EVERY) {
            saved = time;
            let so_far = (tally.clone(), next_shoe);
            failed = state::write(file, plan, from, &so_far).err();
        }
        failed.is_none()
    });
    failed.map_or(Ok(played), Err)
}

/// How often a run is saved.
const SAVED_EVERY: Duration = Duration::from_secs(5);

/// Plays, and writes a line for each shoe.
fn by_shoe(
    plan: &Plan,
    threads: usize,
    before: (Tally, u64),
    stop: Stop,
    bar: &Bar<'_>,
    file: &Path,
) -> Result<(Tally, u64), Halt> {
    let could_not = |error: io::Error| could_not_write(file, &error);
    let mut lines = BufWriter::new(File::create(file).map_err(could_not)?);
    writeln!(lines, "shoe,rounds,main,side,progressive,envy").map_err(could_not)?;
    let mut failed = None;
    let each = |shoe, one: &Tally| {
        let [main, side, progressive, envy] =
            [&one.main, &one.side, &one.progressive, &one.envy].map(|sums| sums.gain());
        let rounds = one.rounds;
        failed = writeln!(lines, "{shoe},{rounds},{main},{side},{progressive},{envy}").err();
        failed.is_none()
    };
    let played = run_by_shoe(plan, threads, before, stop, each, |progress| bar.show(progress));
    match failed.map_or_else(|| lines.flush(), Err) {
        Ok(()) => Ok(played),
        Err(error) => Err(could_not(error).into()),
    }
}
