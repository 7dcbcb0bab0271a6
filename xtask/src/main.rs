//! The project's own commands: `cargo xtask run`, `install`, `dist`, `test`, `notices`, `bench`,
//! `audit-odds`, `python`, `cluster`, `kernel` and `mutants`.

// Times and their ratios are real numbers; money never is.
#[allow(clippy::float_arithmetic)]
mod bench;
mod cluster;
mod dependencies;
mod dist;
mod kernel;
mod notices;
mod python;
mod step;
mod test;
mod tools;
mod web;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use step::Failure;
use test::Browser;

const HELP: &str = "\
Runs, tests and measures Pitboss.

Usage: cargo xtask COMMAND

Commands:
  run [ARGS…]      builds the program with its page and opens the house, or
                   runs `pitboss ARGS`
  install          builds the program with its page and puts `pitboss` on the
                   PATH, where `cargo install` puts programs
  dist             makes a release in target/dist: the program, completions,
                   manual pages, licences and checksums
  test             checks format, lints and docs, runs all tests, plays all test
                   rounds, and breaks a cluster for a minute; also in a browser
                   (not with --no-browser)
  notices          writes THIRD-PARTY.md, the list of other people's work
  bench            counts the instructions of a round of each game and of
                   solving a blackjack (with valgrind), measures rounds a
                   second, also of freebj, and fails if a limit is exceeded
  audit-odds [N]   compares N simulated rounds of each game and setting with
                   the exact values (default: 1e9)
  python [TASK]    builds the Python package and runs its tests in a virtual
                   environment; TASK is short (those that take little time),
                   every-version (of Python), bench (steps a second),
                   baselines (a table of players) or ray
  cluster          keeps a house of three nodes up, with their PostgreSQL and
                   NATS, until Ctrl-C: [--nodes N] [--tables N] [--for SECONDS];
                   with --test, a crowd plays there while nodes, servers and
                   network fail, once each, and everything is compared: first
                   --test or --test --long (30 kills), then [--nodes N]
                   [--tables N] [--seed N]; with --relayed, it measures what
                   it costs that a player's node does not own the table
  kernel           compiles the kernel of `pitboss sim --gpu` again, after it
                   was changed (with Python and NVRTC, which it installs)
  mutants [ARGS…]  breaks the rules on purpose and lists what no test notices
                   (with cargo-mutants)

Examples:
  cargo xtask run
  cargo xtask install
  cargo xtask run play war --boxes 3
  cargo xtask run rules CW-8-c
  cargo xtask run check crates/rules/tests/rounds/casino-war/*.round
  cargo xtask test
  cargo xtask cluster --nodes 5 --tables 50
  cargo xtask cluster --test --seed 7
  cargo xtask cluster --test --long
  cargo xtask cluster --relayed --for 60
  cargo xtask mutants --file crates/rules/src/money.rs
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match obey(&words) {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}

fn obey(words: &[String]) -> Result<ExitCode, Failure> {
    let (command, rest) = match words.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("help", words),
    };
    match command {
        "help" | "--help" | "-h" => print!("{HELP}"),
        "run" => return run(rest),
        "install" => return alone(command, rest).and_then(|()| install()),
        "dist" => alone(command, rest).and_then(|()| dist::run())?,
        "notices" => alone(command, rest).and_then(|()| notices::write())?,
        "test" => browser(rest).and_then(test::run)?,
        "bench" => alone(command, rest).and_then(|()| bench::run())?,
        "audit-odds" => rounds(rest).and_then(audit_odds)?,
        "python" => python::Task::of(rest).and_then(python::run)?,
        "cluster" => cluster::Options::of(rest).and_then(|options| cluster::run(&options))?,
        "kernel" => alone(command, rest).and_then(|()| kernel::compile())?,
        "mutants" => return mutants(rest),
        _ => {
            return Err(Failure::Usage(format!(
                "there is no command `{command}`; `cargo xtask --help` lists the commands."
            )));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses arguments to a command that takes none.
fn alone(command: &str, rest: &[String]) -> Result<(), Failure> {
    match rest.first() {
        None => Ok(()),
        Some(extra) => Err(Failure::Usage(format!(
            "`cargo xtask {command}` takes no arguments, but was given `{extra}`."
        ))),
    }
}

/// Whether the tests of the page also run in a browser.
fn browser(rest: &[String]) -> Result<Browser, Failure> {
    match rest {
        [] => Ok(Browser::Driven),
        [option] if option == "--no-browser" => Ok(Browser::LeftOut),
        _ => Err(Failure::Usage(format!(
            "`cargo xtask test` takes --no-browser or nothing, but was given `{}`.",
            rest.join(" ")
        ))),
    }
}

/// Puts `pitboss` where cargo puts programs.
fn install() -> Result<ExitCode, Failure> {
    web::build_if_stale()?;
    let mut command = Command::new("cargo");
    command.args(["install", "--locked", "--path"]).arg(root().join("crates/pitboss"));
    step::hand_over(command)
}

/// Runs the program in the current directory, so that file names in `args` are right.
///
/// Only a house needs its page, and Node.js to build it.
fn run(args: &[String]) -> Result<ExitCode, Failure> {
    if args.first().is_none_or(|command| command == "serve") && !asks_for_help(args) {
        web::build_if_stale()?;
    }
    let mut command = Command::new("cargo");
    command.args(["run", "--profile", "quick", "--package", "pitboss", "--manifest-path"]);
    command.arg(root().join("Cargo.toml")).arg("--").args(args);
    step::hand_over(command)
}

fn asks_for_help(args: &[String]) -> bool {
    args.iter().any(|arg| arg == "--help" || arg == "-h")
}

/// The rounds for each setting; by default enough to tell a wrong rule from chance.
fn rounds(rest: &[String]) -> Result<String, Failure> {
    let is_number = |word: &String| {
        let (number, zeros) = word.split_once('e').unwrap_or((word, "0"));
        let digits = number.replace([',', '_'], "");
        digits.parse::<u64>().is_ok_and(|rounds| rounds > 0) && zeros.parse::<u32>().is_ok()
    };
    match rest {
        [] => Ok("1e9".to_owned()),
        [word] if is_number(word) => Ok(word.clone()),
        _ => Err(Failure::Usage(format!(
            "`cargo xtask audit-odds` takes a number of rounds or nothing, but was given `{}`.",
            rest.join(" ")
        ))),
    }
}

/// Compares simulated with exact values, and reports each setting as it finishes.
fn audit_odds(rounds: String) -> Result<(), Failure> {
    let mut command =
        cargo(&["run", "--release", "--package", "pitboss-odds", "--example", "audit_odds"]);
    command.args(["--", &rounds]);
    step::Step::new("audit-odds", command).run()
}

/// Leaves its findings in the target directory, which git ignores.
fn mutants(args: &[String]) -> Result<ExitCode, Failure> {
    tools::need_cargo_mutants()?;
    let mut command = cargo(&["mutants", "--package", "pitboss-rules"]);
    command.env("CARGO_MUTANTS_OUTPUT", target_dir()).args(args);
    step::hand_over(command)
}

/// A cargo command in the workspace's root.
///
/// What cargo has told this program of itself is not passed on: the build script of `ring` would run again,
/// and everything that rests on it would be built twice, by `cargo xtask` and without it.
fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&*name);
        }
    }
    command.args(args).current_dir(root());
    command
}

/// The root of the workspace.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace")
}

/// Where cargo builds: this program lies in it, as `TARGET/debug/xtask`.
fn target_dir() -> PathBuf {
    let xtask = std::env::current_exe().expect("a running program has a path");
    xtask.ancestors().nth(2).expect("cargo builds into TARGET/PROFILE").to_path_buf()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(words: &[&str]) -> Failure {
        let words: Vec<String> = words.iter().map(|&word| word.into()).collect();
        obey(&words).expect_err("refused")
    }

    #[test]
    fn an_unknown_command_is_bad_usage() {
        let failure = refusal(&["deal"]);
        assert_eq!(failure.exit_code(), 2);
        assert!(failure.to_string().contains("`deal`"));
    }

    #[test]
    fn commands_take_no_other_arguments() {
        assert_eq!(refusal(&["test", "--fast"]).exit_code(), 2);
        assert_eq!(refusal(&["test", "--no-browser", "x"]).exit_code(), 2);
        assert_eq!(refusal(&["bench", "casino-war"]).exit_code(), 2);
        assert_eq!(refusal(&["audit-odds", "many"]).exit_code(), 2);
        assert_eq!(refusal(&["audit-odds", "0"]).exit_code(), 2);
    }
}
