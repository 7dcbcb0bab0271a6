//! `cargo xtask bench`: what a round costs, in instructions and in time, and what the
//! best play of a blackjack.
//!
//! The example `simulate_rounds` plays rounds of each game as `pitboss sim` does. Instructions are
//! counted by callgrind for two numbers of shoes, and the difference leaves out starting and ending
//! the program. Rounds a second are those of a second of processor time, which a busy machine
//! disturbs less than the time on the wall. `freebj` plays the same rules beside it.
//!
//! Each blackjack is solved by the example `count_solve`, once and then for another shoe, which must
//! not take longer. The example `count_from_here` values the acts of single decisions.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::thread;
use std::time::Instant;

use crate::step::{Failure, Step};
use crate::{cargo, root, target_dir, tools};

/// A game with its strategy, and shoes for few and many rounds under callgrind and for the clock.
const RUNS: [(&str, &str, [u64; 3]); 5] = [
    ("casino-war", "war", [20, 520, 300_000]),
    ("double-down-stud", "best", [10, 510, 300_000]),
    ("double-deck", "basic", [300, 4_300, 800_000]),
    ("double-attack", "basic", [50, 1_050, 150_000]),
    ("free-bet", "basic", [50, 1_050, 150_000]),
];

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
    let build = ["build", "--release", "--package", "odds", "--example", "simulate_rounds"];
    Step::new("build", cargo(&build)).run()?;
    let freebj = install_freebj()?;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    println!(
        "\n{:<16} {:<8} | {:>20} | {:>10} | {:>21} | {cores} cores to one",
        "GAME", "STRATEGY", "instructions a round", "forgetting", "rounds a CPU-second"
    );
    for (game, strategy, shoes) in RUNS {
        let counted = instructions_a_round(game, strategy, shoes, &[])?;
        let forgetting = instructions_a_round(game, strategy, shoes, &["forget"])?;
        let (rate, ratio) = rounds_a_second(game, strategy, shoes[2], cores)?;
        println!(
            "{game:<16} {strategy:<8} | {counted:>20} | {forgetting:>10} | {rate:>21} | {ratio:.2}"
        );
    }
    let (instructions, rate) = measure_freebj(&freebj)?;
    println!("{:<16} {:<8} | {instructions:>20} | {:>10} | {rate:>21} |", "freebj", FREEBJ, "");
    solutions()
}

/// The most instructions that the best play with its chart may take.
const MOST_TO_SOLVE: u64 = 1_500_000_000;

fn solutions() -> Result<(), Failure> {
    let build = ["build", "--release", "--package", "odds", "--example", "count_solve"];
    Step::new("build", cargo(&build)).run()?;
    println!("\n{:<16} | {:>22} | {:>16}", "GAME", "million to solve it", "for another shoe");
    for game in ["double-deck", "double-attack", "free-bet"] {
        let (_, once) = instructions(game, solve(game, 1))?;
        let (_, twice) = instructions(game, solve(game, 2))?;
        let again = twice.saturating_sub(once);
        println!("{game:<16} | {:>22} | {:>16}", once / 1_000_000, again / 1_000_000);
        solved_soon(game, once, again).map_err(Failure::Found)?;
    }
    decisions()
}

/// Finds fault with what a game took to solve, once and for another shoe.
fn solved_soon(game: &str, once: u64, again: u64) -> Result<(), String> {
    let most = MOST_TO_SOLVE / 1_000_000;
    match () {
        () if once > MOST_TO_SOLVE => Err(format!("{game} takes more than {most} million")),
        () if again > once => Err(format!("{game} takes longer for another shoe")),
        () => Ok(()),
    }
}

/// Decisions by their cards in the order in which they are dealt, and the most instructions that
/// valuing their acts may take, in millions: two milliseconds' worth, and fifty with a split.
const DECISIONS: [(&str, &str, u64); 9] = [
    ("double-deck", "T T 6", 10),
    ("double-deck", "2 5 2", 150),
    ("double-attack", "K 9 6", 10),
    ("double-attack", "K 8 8", 150),
    ("double-attack", "A 3 3", 300),
    ("double-attack", "A 2 2", 500),
    ("free-bet", "T T 6", 10),
    ("free-bet", "8 T 8", 150),
    ("free-bet", "2 5 2", 150),
];

fn decisions() -> Result<(), Failure> {
    let build = ["build", "--release", "--package", "odds", "--example", "count_from_here"];
    Step::new("build", cargo(&build)).run()?;
    println!("\n{:<16} | {:<6} | million for the first time", "GAME", "CARDS");
    for (game, cards, most) in DECISIONS {
        let mut command = Command::new(target_dir().join("release/examples/count_from_here"));
        command.args([game, cards, "1"]).current_dir(root());
        let (_, taken) = instructions(game, command)?;
        println!("{game:<16} | {cards:<6} | {:.1}", taken as f64 / 1e6);
        decided_soon(game, cards, taken, most).map_err(Failure::Found)?;
    }
    Ok(())
}

/// Finds fault with what a decision took, if that is more than so many million.
fn decided_soon(game: &str, cards: &str, taken: u64, most: u64) -> Result<(), String> {
    match taken > most * 1_000_000 {
        true => Err(format!("{cards} in {game} takes more than {most} million")),
        false => Ok(()),
    }
}

fn solve(game: &'static str, times: u64) -> Command {
    let mut command = Command::new(target_dir().join("release/examples/count_solve"));
    command.args([game, &times.to_string()]).current_dir(root());
    command
}

fn simulate(game: &'static str, strategy: &str, shoes: u64) -> Command {
    let mut command = Command::new(target_dir().join("release/examples/simulate_rounds"));
    command.args([game, strategy, &shoes.to_string()]).current_dir(root());
    command
}

fn instructions_a_round(
    game: &'static str,
    strategy: &str,
    [few, many, _]: [u64; 3],
    words: &[&str],
) -> Result<u64, Failure> {
    let counted = |shoes| {
        let mut command = simulate(game, strategy, shoes);
        command.args(words);
        instructions(game, command)
    };
    let (few, many) = (counted(few)?, counted(many)?);
    let nothing = || Failure::Found(format!("callgrind counted nothing for {game}"));
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

/// Rounds a second of processor time on one core, and how much sooner all cores are done.
fn rounds_a_second(
    game: &'static str,
    strategy: &str,
    shoes: u64,
    cores: usize,
) -> Result<(u64, f64), Failure> {
    let timed = |threads: usize| {
        let mut command = simulate(game, strategy, shoes);
        command.arg(threads.to_string());
        let (began, before) = (Instant::now(), children_seconds());
        let Output { stdout, .. } = Step::new(game, command).output()?;
        let played = rounds(&String::from_utf8_lossy(&stdout)).unwrap_or(0);
        Ok((played, children_seconds() - before, began.elapsed().as_secs_f64()))
    };
    let (played, processor, alone) = timed(1)?;
    let (_, _, together) = timed(cores)?;
    Ok((rate(played, processor), alone / together))
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn rate(rounds: u64, seconds: f64) -> u64 {
    (rounds as f64 / seconds.max(0.01)) as u64
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

fn measure_freebj(program: &PathBuf) -> Result<(u64, u64), Failure> {
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
    Ok((instructions, rate(LONG, seconds)))
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
    }

    #[test]
    fn what_takes_too_long_is_found() {
        assert_eq!(solved_soon("free-bet", MOST_TO_SOLVE, MOST_TO_SOLVE), Ok(()));
        assert!(solved_soon("free-bet", MOST_TO_SOLVE + 1, 0).is_err());
        assert!(solved_soon("free-bet", 7, 8).is_err());
        assert_eq!(decided_soon("free-bet", "8 T 8", 150_000_000, 150), Ok(()));
        assert!(decided_soon("free-bet", "8 T 8", 150_000_001, 150).is_err());
    }

    #[test]
    fn a_round_costs_what_further_rounds_cost() {
        assert_eq!(per_round((10, 5_000), (110, 15_000)), Some(100));
        assert_eq!(per_round((10, 5_000), (10, 5_000)), None);
    }
}
