//! `pitboss sim`: rounds by the million, by the same rules.

#[cfg(feature = "gpu")]
mod by_gpu;
#[cfg(not(feature = "gpu"))]
#[path = "without_gpu.rs"]
mod by_gpu;
pub(crate) mod interrupt;
mod progress;
mod show;
mod state;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use odds::Valuation;
use odds::count::HIGH_LOW;
use odds::setting::{Setting, SettingRefusal};
use odds::simulate::{
    Plan, PlanRefusal, Progress, Ramp, Stop, Strategy, Supply, Tally, run as play, run_by_shoe,
    run_in_blocks,
};
use rules::games;
use rules::money::Cents;
use rules::terms::TermSheet;

use self::interrupt::Interrupt;
use self::progress::ProgressLine;
use crate::halt::{Halt, ended, unreadable, unwritable};
use crate::named;
use crate::odds::{SimulatedRun, beside_the_exact_values};
use crate::text::ungrouped;

const HELP: &str = "\
A run is a table, a strategy, a seed and a range of shoes. The same run gives
the same result on any number of threads. Every shoe has a number and can be
played on its own: --shoe prints its rounds for `pitboss check`.

Strategies:
  casino-war        war, surrender
  double-down-stud  best, always, never
  blackjack games   basic (the printable chart), best (by the cards of the
                    hand, for a full shoe), never-double, mimic, never-bust,
                    or a file written by `pitboss odds GAME --save-chart FILE`

A run ends after --rounds, --shoes or --time, or when the standard error falls
below --error, whichever comes first; by default after 10,000,000 rounds. Only
whole shoes are played, so a run can be a little longer than asked for: the
report says how many rounds were played. If the cards are shuffled for every
round, a shoe is a hundred rounds. Ctrl-C ends a run early and reports the shoes
played so far; a second Ctrl-C ends the program at once. Numbers can be written
as 1e10, 10_000_000_000 or 10,000,000,000.

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
  pitboss sim free-bet --gpu --rounds 1e12
  pitboss sim casino-war --json";

/// The default number of rounds.
const ROUNDS: u64 = 10_000_000;

/// Simulates millions of rounds.
#[derive(clap::Args)]
#[command(after_help = HELP, allow_negative_numbers = true)]
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
    /// Also places every side wager that the house offers
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
    /// Plays on a GPU: Casino War or a chart, one seat, no side wagers
    #[arg(long, conflicts_with_all = ["threads", "csv", "shoe", "merge"])]
    gpu: bool,
    /// Prints the rounds of this shoe as transcripts instead
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
    /// Writes a report with simulated and exact values
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
    let page = arguments.html.as_ref().map(|file| ReportFile::open(file)).transpose()?;
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

/// The file of a report, known to be writable before anything is played.
struct ReportFile<'a>(&'a Path, File);

impl ReportFile<'_> {
    fn open(file: &Path) -> Result<ReportFile<'_>, String> {
        let opened = File::options().create(true).append(true).open(file);
        opened.map(|open| ReportFile(file, open)).map_err(|error| unwritable(file, &error))
    }

    fn write(mut self, text: &str) -> Result<(), String> {
        let written = self.1.set_len(0).and_then(|()| self.1.write_all(text.as_bytes()));
        written.map_err(|error| unwritable(self.0, &error))
    }
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
    let mut gpu = arguments.gpu.then(|| by_gpu::Player::new(plan, before.1)).transpose()?;
    let (began, rounds_before) = (Instant::now(), before.0.rounds);
    let line = ProgressLine::new(plan, stop, rounds_before);
    let interrupt = Interrupt::listen();
    let saved = (arguments.state.as_deref(), from);
    let watch = Watch { plan, line: &line, interrupt: &interrupt, saved };
    let played = match (&arguments.csv, &mut gpu) {
        (Some(file), _) => by_shoe(plan, threads, before, stop, (&line, &interrupt), file)?,
        (None, Some(gpu)) => watch
            .play(|tell| run_in_blocks(plan, before, stop, |shoes| gpu.play(plan, shoes), tell))?,
        (None, None) => watch.play(|tell| Ok(play(plan, threads, before, stop, tell)))?,
    };
    line.finish();
    if interrupt.has_come() {
        eprintln!("Interrupted: the result is that of the shoes played so far.");
    }
    let speed = show::speed(played.0.rounds - rounds_before, began.elapsed());
    match gpu {
        Some(mut gpu) => eprintln!("{speed}, {}.", gpu.check_last(plan, played.1)?),
        None => eprintln!("{speed}, {}.", show::way(plan)),
    }
    if let Some(file) = &arguments.state {
        state::write(file, plan, from, &played)?;
    }
    Ok(played)
}

/// The report of the exact values, with the simulated ones beside them.
fn report(plan: &Plan, tally: &Tally) -> Result<String, String> {
    let table = Valuation::new(plan.sheet().clone()).map_err(|refusal| refusal.to_string())?;
    let simulated = SimulatedRun {
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
    let usual = Strategy::names(game).first().copied().unwrap_or_default();
    let name = arguments.strategy.as_deref().unwrap_or(usual);
    let found = |refusal: PlanRefusal| match refusal {
        PlanRefusal::Strategy(_) if !usual.is_empty() => {
            format!("{refusal}, found '{}'", name.escape_debug())
        }
        _ => refusal.to_string(),
    };
    let strategy = strategy(&sheet, name, found)?;
    let refused = |refusal: SettingRefusal| refusal.to_string();
    let mut setting = Setting::of(&sheet).map_err(refused)?;
    if let Some(word) = &arguments.stake {
        setting = setting.with_main(&sheet, amount("--stake", word)?).map_err(refused)?;
    }
    if let Some(word) = &arguments.meter {
        setting = setting.with_meter(&sheet, amount("--meter", word)?).map_err(refused)?;
    }
    let supply = if arguments.fresh { Supply::Fresh } else { Supply::Shoes };
    let seats = within("--seats", &arguments.seats, 1..=games::opening(&sheet).seats)?;
    let plan = Plan::new(sheet, strategy, number("--seed", &arguments.seed)?)
        .map_err(found)?
        .with_setting(setting)
        .with_supply(supply)
        .with_side_wagers(arguments.side)
        .with_seats(seats)
        .map_err(|refusal| refusal.to_string())?;
    match &arguments.ramp {
        Some(word) => plan.with_ramp(ramp(word)?).map_err(|refusal| refusal.to_string()),
        None => Ok(plan),
    }
}

/// The strategy of a name, or by the chart in a file.
pub(crate) fn strategy(
    sheet: &TermSheet,
    name: &str,
    refused: impl Fn(PlanRefusal) -> String,
) -> Result<Strategy, String> {
    let file = Path::new(name);
    if !file.is_file() {
        return Strategy::named(sheet, name).map_err(refused);
    }
    let text = fs::read_to_string(file).map_err(|error| unreadable(file, &error))?;
    let chart = text.parse().map_err(|refusal| format!("{name}: {refusal}"))?;
    Ok(Strategy::by_chart(name, chart))
}

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
        word.as_ref().map(|word| within(option, word, 1..=MOST_ROUNDS)).transpose()
    };
    let time = |word: &String| {
        let seconds: f64 = ungrouped(word).parse().ok()?;
        Duration::try_from_secs_f64(seconds).ok()
    };
    let error = |word: &String| ungrouped(word).parse().ok().filter(|error: &f64| *error > 0.0);
    let mut stop = Stop {
        rounds: count("--rounds", &arguments.rounds)?,
        shoes: count("--shoes", &arguments.shoes)?,
        time: optional("--time", "seconds, such as 30", arguments.time.as_ref(), time)?,
        standard_error: optional("--error", "such as 0.0001", arguments.error.as_ref(), error)?,
    };
    let Stop { rounds, shoes, time, standard_error } = stop;
    if rounds.is_none() && shoes.is_none() && time.is_none() && standard_error.is_none() {
        stop.rounds = Some(ROUNDS);
    }
    Ok(stop)
}

/// What an option says, if it is given.
pub(crate) fn optional<T>(
    option: &str,
    expected: &str,
    word: Option<&String>,
    read: impl Fn(&String) -> Option<T>,
) -> Result<Option<T>, String> {
    let found =
        |word: &str| format!("expected {option} {expected}, found '{}'", word.escape_debug());
    word.map(|word| read(word).ok_or_else(|| found(word))).transpose()
}

fn number(option: &str, word: &str) -> Result<u64, String> {
    within(option, word, 0..=u64::MAX)
}

/// Shoes have numbers up to this one.
const LAST_SHOE: u64 = 1_000_000_000_000_000_000;
/// More rounds than could ever be played.
pub(crate) const MOST_ROUNDS: u64 = 1_000_000_000_000_000_000;
pub(crate) const MOST_THREADS: usize = 1_024;

fn shoe(option: &str, word: &str) -> Result<u64, String> {
    within(option, word, 0..=LAST_SHOE)
}

pub(crate) fn within<T>(option: &str, word: &str, range: RangeInclusive<T>) -> Result<T, String>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    let plain = ungrouped(&word.replace('_', ","));
    let plain = written_out(&plain).unwrap_or(plain);
    let read = plain.parse().ok().filter(|number| range.contains(number));
    read.ok_or_else(|| {
        let (least, most) = (range.start(), range.end());
        format!("expected {option} from {least} to {most}, found '{}'", word.escape_debug())
    })
}

/// A whole number with a power of ten, such as `1e10` or `2.5e9`, in digits.
fn written_out(word: &str) -> Option<String> {
    let (digits, power) = word.split_once(['e', 'E'])?;
    let (whole, rest) = digits.split_once('.').unwrap_or((digits, ""));
    let zeros =
        power.parse::<usize>().ok().filter(|power| *power <= 20)?.checked_sub(rest.len())?;
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_written = !whole.is_empty() && is_number(whole) && is_number(rest);
    is_written.then(|| format!("{whole}{rest}{}", "0".repeat(zeros)))
}

pub(crate) fn amount(option: &str, word: &str) -> Result<Cents, String> {
    ungrouped(word).parse().map_err(|_| {
        format!(
            "expected {option} as an amount such as 25 or 7.50, found '{}'",
            word.escape_debug()
        )
    })
}

/// Whoever watches a run: shows its progress, saves it now and then, and stops it on Ctrl-C.
struct Watch<'a> {
    plan: &'a Plan,
    line: &'a ProgressLine<'a>,
    interrupt: &'a Interrupt,
    /// The file to save it in, and its first shoe.
    saved: (Option<&'a Path>, u64),
}

impl Watch<'_> {
    fn play(
        &self,
        play: impl FnOnce(&mut dyn FnMut(Progress<'_>) -> bool) -> Result<(Tally, u64), Halt>,
    ) -> Result<(Tally, u64), Halt> {
        let mut last = Duration::ZERO;
        let mut failed = None;
        let played = play(&mut |progress: Progress<'_>| {
            self.line.show(progress);
            let Progress { tally, next_shoe, time, .. } = progress;
            if let ((Some(file), from), true) =
                (self.saved, time.saturating_sub(last) > SAVED_EVERY)
            {
                last = time;
                let so_far = (tally.clone(), next_shoe);
                failed = state::write(file, self.plan, from, &so_far).err();
            }
            failed.is_none() && !self.interrupt.has_come()
        });
        failed.map_or(played, Err)
    }
}

/// How often a run is saved.
const SAVED_EVERY: Duration = Duration::from_secs(5);

/// Plays, and writes a line for each shoe.
fn by_shoe(
    plan: &Plan,
    threads: usize,
    before: (Tally, u64),
    stop: Stop,
    (line, interrupt): (&ProgressLine<'_>, &Interrupt),
    file: &Path,
) -> Result<(Tally, u64), Halt> {
    let could_not = |error: io::Error| unwritable(file, &error);
    let mut lines = BufWriter::new(File::create(file).map_err(could_not)?);
    writeln!(lines, "shoe,rounds,main,side,progressive,envy").map_err(could_not)?;
    let mut failed = None;
    let each = |shoe, one: &Tally| {
        let [main, side, progressive, envy] =
            [&one.main, &one.side, &one.progressive, &one.envy].map(|sums| sums.gain());
        let rounds = one.rounds;
        failed = writeln!(lines, "{shoe},{rounds},{main},{side},{progressive},{envy}").err();
        failed.is_none() && !interrupt.has_come()
    };
    let played = run_by_shoe(plan, threads, before, stop, each, |progress| line.show(progress));
    match failed.map_or_else(|| lines.flush(), Err) {
        Ok(()) => Ok(played),
        Err(error) => Err(could_not(error).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_read_as_people_write_them() {
        for (word, read) in [
            ("1e10", 10_000_000_000),
            ("2.5E9", 2_500_000_000),
            ("10_000_000_000", 10_000_000_000),
            ("10,000,000,000", 10_000_000_000),
            ("7e0", 7),
            ("0", 0),
        ] {
            assert_eq!(number("--rounds", word), Ok(read), "{word}");
        }
        for word in
            ["1e", "e10", "1e-3", "1.5", "1.55e1", "1e21", "1e99999999999", "10_00", "-1e3", ""]
        {
            assert!(number("--rounds", word).is_err(), "{word}");
        }
    }
}
