//! `cargo xtask bench`: what a round costs, and what the best play of a blackjack, in instructions.
//!
//! Each game's rounds are driven by the example `count_rounds` under callgrind, for two numbers of
//! rounds; the difference leaves out starting and ending the program. Each blackjack is solved by
//! the example `count_solve`, once and then for one more shoe.

use std::process::{Command, Output};

use crate::step::{Failure, Step};
use crate::{cargo, root, target_dir, tools};

const GAMES: [&str; 5] =
    ["casino-war", "double-down-stud", "double-deck", "double-attack", "free-bet"];

const FEW: u64 = 10_000;
const MANY: u64 = 110_000;
const _: () = assert!(FEW < MANY);

pub(crate) fn run() -> Result<(), Failure> {
    tools::need_valgrind()?;
    let build = ["build", "--release", "--package", "rules", "--example", "count_rounds"];
    Step::new("build", cargo(&build)).run()?;
    println!("\n{:<16} | {:>20}", "GAME", "instructions a round");
    for game in GAMES {
        println!("{game:<16} | {:>20}", instructions_a_round(game)?);
    }
    solutions()
}

/// The most instructions that the best play with its chart may take.
const MOST_TO_SOLVE: u64 = 1_500_000_000;

fn solutions() -> Result<(), Failure> {
    let build = ["build", "--release", "--package", "odds", "--example", "count_solve"];
    Step::new("build", cargo(&build)).run()?;
    println!("\n{:<16} | {:>22} | {:>16}", "GAME", "million to solve it", "for another shoe");
    for game in ["double-deck", "double-attack", "free-bet"] {
        let once = instructions("count_solve", game, 1)?;
        let again = instructions("count_solve", game, 2)?.saturating_sub(once);
        println!("{game:<16} | {:>22} | {:>16}", once / 1_000_000, again / 1_000_000);
        if once.max(again) > MOST_TO_SOLVE {
            let most = MOST_TO_SOLVE / 1_000_000;
            return Err(Failure::Found(format!("{game} takes more than {most} million")));
        }
    }
    Ok(())
}

fn instructions_a_round(game: &'static str) -> Result<u64, Failure> {
    let few = instructions("count_rounds", game, FEW)?;
    let many = instructions("count_rounds", game, MANY)?;
    let more = many.checked_sub(few).ok_or_else(|| {
        Failure::Found(format!("{MANY} rounds of {game} took fewer instructions than {FEW}"))
    })?;
    let rounds = MANY - FEW;
    Ok((more + rounds / 2) / rounds)
}

fn instructions(example: &str, game: &'static str, times: u64) -> Result<u64, Failure> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    command.arg(target_dir().join("release/examples").join(example));
    command.arg(game).arg(times.to_string()).current_dir(root());
    let Output { stderr, .. } = Step::new(game, command).output()?;
    collected(&String::from_utf8_lossy(&stderr))
        .ok_or_else(|| Failure::Found(format!("callgrind counted nothing for {game}")))
}

/// The count in callgrind's report, from a line like `==12== Collected : 126559`.
fn collected(report: &str) -> Option<u64> {
    let (_, count) = report.lines().find_map(|line| line.split_once("Collected :"))?;
    count.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_read_from_the_report() {
        let report = "==7== Events    : Ir\n==7== Collected : 126559\n==7== \n";
        assert_eq!(collected(report), Some(126_559));
        assert_eq!(collected("==7== Command: /bin/true\n"), None);
    }
}
