//! `cargo xtask bench`: what a round costs, in instructions and in time, and what the best play of a
//! blackjack costs.
//!
//! The example `simulate_rounds` plays rounds of each game as `pitboss sim` does, with one seat: by
//! compiled tables, round by round, and round by round with a record that forgets every gain.
//! Instructions are counted by callgrind for two numbers of shoes, and the difference leaves out
//! starting and ending the program, and most of what building the tables takes. The example
//! `rounds_a_second` measures rounds per second of processor time, which a busy machine disturbs less
//! than the time on the wall. `freebj` plays the same rules beside it.
//!
//! Each blackjack is solved by the example `count_solve`, once and then for another shoe, which must
//! not take longer. The example `count_from_here` values the acts of single decisions.
//!
//! The benchmark fails if a gate of instructions is exceeded. Gates of time are only reported as met
//! or missed, because a busy machine would miss them.

use std::fs;
use std::ops::Range;
use std::path::PathBuf;
use std::process::{Command, Output};

use crate::step::{Failure, Step};
use crate::{cargo, root, target_dir, tools};

/// What is played of a game, and its gates.
struct Run {
    game: &'static str,
    strategy: &'static str,
    /// For few and many rounds under callgrind.
    shoes: [u64; 2],
    /// For few and many rounds by tables under callgrind; none where a game has no tables.
    by_tables: Option<[u64; 2]>,
    /// The most instructions a round, without tables and with a record that forgets.
    most: Option<u64>,
}

const RUNS: [Run; 6] = [
    Run {
        game: "casino-war",
        strategy: "war",
        shoes: [20, 520],
        by_tables: Some([500, 10_500]),
        most: Some(130),
    },
    Run {
        game: "double-down-stud",
        strategy: "best",
        shoes: [10, 510],
        by_tables: None,
        most: Some(200),
    },
    Run {
        game: DOUBLE_DECK,
        strategy: "basic",
        shoes: [300, 4_300],
        by_tables: Some([200_000, 300_000]),
        most: Some(450),
    },
    Run { game: DOUBLE_DECK, strategy: "best", shoes: [300, 4_300], by_tables: None, most: None },
    Run {
        game: "double-attack",
        strategy: "basic",
        shoes: [50, 1_050],
        by_tables: Some([50_000, 75_000]),
        most: None,
    },
    Run {
        game: "free-bet",
        strategy: "basic",
        shoes: [50, 1_050],
        by_tables: Some([60_000, 90_000]),
        most: None,
    },
];

/// The game that is compared with the other simulator.
const DOUBLE_DECK: &str = "double-deck";
/// How many times as many rounds per second of processor time as the other simulator, at least.
const TIMES_FREEBJ: f64 = 9.0;

/// The other simulator, and the version that is compared.
const FREEBJ: &str = "1.2.2";
/// Double Deck's rules in its words: two decks dealt to a third, hits soft 17, doubles on hard 9 to
/// 11, also after a split, four hands, one card for split aces, a hole card, no surrender.
const SAME_RULES: [&str; 14] = [
    "-d",
    "2",
    "-p",
    "69",
    "--h17",
    "--das",
    "--db-hard-9-11",
    "--ahc",
    "--no-surr",
    "--no-playAA",
    "--max-splits",
    "4",
    "-j",
    "1",
];

pub(crate) fn run() -> Result<(), Failure> {
    tools::need_valgrind()?;
    build("simulate_rounds")?;
    let freebj = install_freebj()?;
    println!(
        "\nInstructions of a round by compiled tables, round by round, and round by round with a \
         record that\nonly counts rounds, for which the gates are.\n"
    );
    println!(
        "{:<16} {:<8} | {:>6} {:>6} {:>6} {:>10}",
        "GAME", "STRATEGY", "tables", "rounds", "forget", "gate"
    );
    let mut missed = Vec::new();
    for run in &RUNS {
        let Run { game, strategy, most, .. } = *run;
        let [few, many] = run.shoes;
        let by_tables = match run.by_tables {
            Some([few, many]) => instructions_a_round(run, few..many, &[])?.to_string(),
            None => String::new(),
        };
        let by_rounds = instructions_a_round(run, few..many, &["rounds"])?;
        let forgetting = instructions_a_round(run, few..many, &["forget"])?;
        let gate = most.map_or(String::new(), |most| said(most, forgetting <= most));
        println!(
            "{game:<16} {strategy:<8} | {by_tables:>6} {by_rounds:>6} {forgetting:>6} {gate:>10}"
        );
        missed.extend(too_many(game, forgetting, most).err());
    }
    let (instructions, rate) = measure_freebj(&freebj)?;
    println!("{:<16} {FREEBJ:<8} | {:>6} {instructions:>6}", "freebj", "");
    rates(rate)?;
    match missed.is_empty() {
        true => solutions(),
        false => Err(Failure::Found(missed.join("; "))),
    }
}

/// Builds an example as it is released.
fn build(example: &'static str) -> Result<(), Failure> {
    let build = ["build", "--release", "--package", "pitboss-odds", "--example", example];
    Step::new("build", cargo(&build)).run()
}

/// Measures rounds a second of processor time, beside those of the other simulator, in millions.
fn rates(freebj: f64) -> Result<(), Failure> {
    build("rounds_a_second")?;
    let command = Command::new(target_dir().join("release/examples/rounds_a_second"));
    let Output { stdout, .. } = Step::new("rounds a second", command).output()?;
    let printed = String::from_utf8_lossy(&stdout);
    println!(
        "\nMillion rounds per second of processor time, with every net gain counted: round by round \
         and by\ncompiled tables, and how much sooner all cores are done than one.\n\n{printed}\
         {:<16} {FREEBJ:<8} | {freebj:>7.1}",
        "freebj"
    );
    let nothing = || Failure::Found(format!("no rounds of {DOUBLE_DECK} were measured"));
    let times = by_tables(&printed).ok_or_else(nothing)? / freebj;
    let gate = said(TIMES_FREEBJ, times >= TIMES_FREEBJ);
    println!("\n{DOUBLE_DECK} plays {times:.2} times as many rounds a second as freebj ({gate}).");
    Ok(())
}

/// How fast tables play what the other simulator plays too, from a line like
/// `double-deck basic | 15.6 54.8 3.5`.
fn by_tables(printed: &str) -> Option<f64> {
    let line = printed.lines().find_map(|line| {
        let (name, rates) = line.split_once('|')?;
        let is_compared = name.split_whitespace().eq([DOUBLE_DECK, "basic"]);
        is_compared.then_some(rates)
    })?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// A gate, and whether it is met.
fn said(gate: impl std::fmt::Display, is_met: bool) -> String {
    format!("{gate} {}", if is_met { "met" } else { "MISSED" })
}

/// Checks what a round took.
fn too_many(game: &str, taken: u64, most: Option<u64>) -> Result<(), String> {
    match most.filter(|most| taken > *most) {
        Some(most) => Err(format!("{game} takes {taken} instructions per round, more than {most}")),
        None => Ok(()),
    }
}

/// The most instructions that the best play with its chart may take, for the largest shoe.
const MOST_TO_SOLVE: u64 = 500_000_000;

fn solutions() -> Result<(), Failure> {
    build("count_solve")?;
    println!("\nMillion instructions to solve a blackjack:\n");
    println!("{:<16} | {:>22} | {:>16}", "GAME", "the first time", "for another shoe");
    for game in ["double-deck", "double-attack", "free-bet"] {
        let (_, once) = instructions(game, solve(game, 1))?;
        let (_, twice) = instructions(game, solve(game, 2))?;
        let again = twice.saturating_sub(once);
        println!("{game:<16} | {:>22} | {:>16}", once / 1_000_000, again / 1_000_000);
        solved_soon(game, once, again).map_err(Failure::Found)?;
    }
    decisions()
}

/// Checks what a game took to solve, once and for another shoe.
fn solved_soon(game: &str, once: u64, again: u64) -> Result<(), String> {
    let most = MOST_TO_SOLVE / 1_000_000;
    match () {
        () if once > MOST_TO_SOLVE => {
            Err(format!("solving {game} takes more than {most} million instructions"))
        }
        () if again > once => Err(format!("{game} takes longer for another shoe")),
        () => Ok(()),
    }
}

/// Decisions by their cards in the order in which they are dealt, and the most instructions that
/// valuing their acts may take, in millions, the start of the program included.
const DECISIONS: [(&str, &str, u64); 9] = [
    ("double-deck", "T T 6", 10),
    ("double-deck", "2 5 2", 150),
    ("double-attack", "K 9 6", 10),
    ("double-attack", "K 8 8", 150),
    ("double-attack", "A 3 3", 500),
    ("double-attack", "A 2 2", 600),
    ("free-bet", "T T 6", 10),
    ("free-bet", "8 T 8", 150),
    ("free-bet", "2 5 2", 150),
];

fn decisions() -> Result<(), Failure> {
    build("count_from_here")?;
    println!("\nMillion instructions to value one decision:\n");
    println!("{:<16} | {:<6} | the first time", "GAME", "CARDS");
    for (game, cards, most) in DECISIONS {
        let mut command = Command::new(target_dir().join("release/examples/count_from_here"));
        command.args([game, cards, "1"]).current_dir(root());
        let (_, taken) = instructions(game, command)?;
        println!("{game:<16} | {cards:<6} | {:.1}", taken as f64 / 1e6);
        decided_soon(game, cards, taken, most).map_err(Failure::Found)?;
    }
    Ok(())
}

/// Checks that a decision took at most so many million instructions.
fn decided_soon(game: &str, cards: &str, taken: u64, most: u64) -> Result<(), String> {
    match taken > most * 1_000_000 {
        true => Err(format!("{cards} in {game} takes more than {most} million instructions")),
        false => Ok(()),
    }
}

fn solve(game: &'static str, times: u64) -> Command {
    let mut command = Command::new(target_dir().join("release/examples/count_solve"));
    command.args([game, &times.to_string()]).current_dir(root());
    command
}

fn simulate(run: &Run, shoes: u64) -> Command {
    let mut command = Command::new(target_dir().join("release/examples/simulate_rounds"));
    command.args([run.game, run.strategy, &shoes.to_string()]).current_dir(root());
    command
}

fn instructions_a_round(run: &Run, shoes: Range<u64>, words: &[&str]) -> Result<u64, Failure> {
    let counted = |shoes| {
        let mut command = simulate(run, shoes);
        command.args(words);
        instructions(run.game, command)
    };
    let (few, many) = (counted(shoes.start)?, counted(shoes.end)?);
    let nothing = || Failure::Found(format!("callgrind counted nothing for {}", run.game));
    per_round(few, many).ok_or_else(nothing)
}

/// What each further round took, rounded; rounds and instructions of a short and of a long run.
fn per_round(few: (u64, u64), many: (u64, u64)) -> Option<u64> {
    let rounds = many.0.checked_sub(few.0).filter(|rounds| *rounds > 0)?;
    Some((many.1.checked_sub(few.1)? + rounds / 2) / rounds)
}

/// The rounds that a command played, and the instructions it took.
fn instructions(name: &'static str, command: Command) -> Result<(u64, u64), Failure> {
    let mut counted = Command::new("valgrind");
    counted.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    counted.arg(command.get_program()).args(command.get_args()).current_dir(root());
    let Output { stdout, stderr, .. } = Step::new(name, counted).output()?;
    let nothing = || Failure::Found(format!("callgrind counted nothing for {name}"));
    let instructions = collected(&String::from_utf8_lossy(&stderr)).ok_or_else(nothing)?;
    Ok((rounds(&String::from_utf8_lossy(&stdout)).unwrap_or(0), instructions))
}

/// The number at the beginning of what `simulate_rounds` prints.
fn rounds(printed: &str) -> Option<u64> {
    printed.split_whitespace().next()?.parse().ok()
}

/// The count in callgrind's report, from a line like `==12== Collected : 126559`.
fn collected(report: &str) -> Option<u64> {
    let (_, count) = report.lines().find_map(|line| line.split_once("Collected :"))?;
    count.trim().parse().ok()
}

/// Processor time of the programs that have been waited for, in user mode.
fn children_seconds() -> f64 {
    const TICKS_A_SECOND: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name in brackets may have blanks; of what follows, the 14th word is the children's time.
    let words = stat.rsplit(')').next().unwrap_or_default();
    let ticks = words.split_whitespace().nth(13).and_then(|word| word.parse::<f64>().ok());
    ticks.unwrap_or(0.0) / TICKS_A_SECOND
}

/// Installs `freebj` beside what is built here.
fn install_freebj() -> Result<PathBuf, Failure> {
    let at = target_dir().join("bench");
    let program = at.join("bin/freebj");
    if !program.exists() {
        let mut install = cargo(&["install", "freebj", "--version", FREEBJ, "--root"]);
        install.arg(&at);
        Step::new("install freebj", install).run()?;
    }
    Ok(program)
}

fn measure_freebj(program: &PathBuf) -> Result<(u64, f64), Failure> {
    let play = |rounds: u64| {
        let mut command = Command::new(program);
        command.args(SAME_RULES).args(["-n", &rounds.to_string()]);
        command
    };
    const FEW: u64 = 10_000;
    const MANY: u64 = 210_000;
    const LONG: u64 = 20_000_000;
    let (_, few) = instructions("freebj", play(FEW))?;
    let (_, many) = instructions("freebj", play(MANY))?;
    let before = children_seconds();
    Step::new("freebj", play(LONG)).output()?;
    let seconds = children_seconds() - before;
    let nothing = || Failure::Found("callgrind counted nothing for freebj".to_owned());
    let instructions = per_round((FEW, few), (MANY, many)).ok_or_else(nothing)?;
    Ok((instructions, LONG as f64 / seconds.max(0.01) / 1e6))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_read_from_the_report() {
        let report = "==7== Events    : Ir\n==7== Collected : 126559\n==7== \n";
        assert_eq!(collected(report), Some(126_559));
        assert_eq!(collected("==7== Command: /bin/true\n"), None);
        assert_eq!(rounds("1140 -0.023\n"), Some(1140));
        let printed =
            "GAME | rounds\ndouble-deck best | 8.5\ndouble-deck      basic | 15.6 54.8 3\n";
        assert_eq!(by_tables(printed), Some(54.8));
    }

    #[test]
    fn what_takes_too_long_is_found() {
        assert_eq!(solved_soon("free-bet", MOST_TO_SOLVE, MOST_TO_SOLVE), Ok(()));
        assert!(solved_soon("free-bet", MOST_TO_SOLVE + 1, 0).is_err());
        assert!(solved_soon("free-bet", 7, 8).is_err());
        assert_eq!(decided_soon("free-bet", "8 T 8", 150_000_000, 150), Ok(()));
        assert!(decided_soon("free-bet", "8 T 8", 150_000_001, 150).is_err());
        assert_eq!(too_many("casino-war", 130, Some(130)), Ok(()));
        assert!(too_many("casino-war", 131, Some(130)).is_err());
        assert_eq!(too_many("free-bet", 1_000, None), Ok(()));
        assert_eq!((said(450, true), said(9, false)), ("450 met".into(), "9 MISSED".into()));
    }

    #[test]
    fn a_round_costs_what_further_rounds_cost() {
        assert_eq!(per_round((10, 5_000), (110, 15_000)), Some(100));
        assert_eq!(per_round((10, 5_000), (10, 5_000)), None);
    }
}
