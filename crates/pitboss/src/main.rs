//! Five casino table games from one executable rule book: the program.

mod check;
mod citations;
mod halt;
mod keep;
mod load;
mod log_lines;
mod named;
// Analysis works with real numbers; money never does.
#[allow(clippy::float_arithmetic)]
mod odds;
mod operator;
mod page;
mod play;
mod procedures;
mod proof;
mod rules_page;
mod screen;
mod serve;
#[allow(clippy::float_arithmetic)]
mod sim;
mod text;
mod version;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand};

const EXAMPLES: &str = "\
Examples:
  pitboss                                   opens the house on 127.0.0.1:8042
  pitboss serve --port 0 --data war-store   any free port, another store
  pitboss operator max                      creates the operator's account
  pitboss play casino-war                   a table in the terminal
  pitboss check crates/rules/tests/rounds   plays every round of a folder
  pitboss export out                        writes the logs of all tables
  pitboss verify out/war-1.log              proves one of them
  pitboss backup copies                     copies the store of a house
  pitboss odds casino-war                   what every wager is worth
  pitboss sim casino-war                    ten million rounds
  pitboss rules casino-war                  the rules and options of a game
  pitboss rules CW-8-c                      one clause in full
  pitboss rules casino-war decks            one house option

Every command has its own help: pitboss COMMAND --help";

/// Five casino table games from one executable rule book: deal, settle, explain, prove.
///
/// Without a command, opens the house, as `pitboss serve` does.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Opens the house: live tables in the browser
    Serve(serve::Arguments),
    /// Creates the account that runs a house
    Operator(operator::Arguments),
    /// Plays a table in the terminal
    Play(play::Arguments),
    /// Checks transcripts of rounds against the rules
    Check(check::Arguments),
    /// Verifies an exported log: chain, rules, cards, money
    Verify(proof::VerifyArguments),
    /// Copies the store of a house
    Backup(keep::BackupArguments),
    /// Writes the logs and books of a house to files
    Export(keep::ExportArguments),
    /// Shows a round of an exported log, step by step
    Replay(proof::ReplayArguments),
    /// Shows what every wager is worth, and the best play
    Odds(odds::Arguments),
    /// Simulates millions of rounds
    Sim(Box<sim::Arguments>),
    /// Tests a house under load, with a crowd of players
    Load(load::Arguments),
    /// Shows the clauses, options and rulings, with code and tests
    Rules(rules_page::Arguments),
}

/// Ends the program with what is wrong with its arguments, in one sentence, or with the help that
/// they ask for. An option of the house without a command is one of `serve`.
fn complain(error: &clap::Error) -> ! {
    if !error.use_stderr() {
        error.exit();
    }
    let serve = serve::Arguments::augment_args(clap::Command::new("serve"));
    let is_of_serve =
        |word: &str| serve.get_arguments().any(|option| option.get_long() == Some(word));
    let first = std::env::args().nth(1).unwrap_or_default();
    let option = first.split('=').next().unwrap_or_default();
    if error.kind() == ErrorKind::UnknownArgument
        && option.strip_prefix("--").is_some_and(is_of_serve)
    {
        let given: Vec<_> = std::env::args().skip(1).collect();
        eprintln!("pitboss: {option} is an option of serve: pitboss serve {}", given.join(" "));
        std::process::exit(BAD_INPUT.into());
    }
    let text = error.to_string();
    let is_advice = |line: &&str| !line.starts_with("Usage:") && !line.starts_with("For more");
    let lines = text.lines().map(str::trim).take_while(is_advice).filter(|line| !line.is_empty());
    let sentence = lines.collect::<Vec<_>>().join(" ");
    let sentence = sentence.strip_prefix("error: ").unwrap_or(&sentence);
    let is_command = Arguments::command().find_subcommand(&first).is_some();
    let help = if is_command { format!("{first} --help") } else { "--help".to_owned() };
    eprintln!("pitboss: {sentence}; see `pitboss {help}`");
    std::process::exit(BAD_INPUT.into());
}

/// The exit status for bad input: a file, a name or an argument.
const BAD_INPUT: u8 = 2;

/// Says in one sentence why something cannot be done.
fn failed(why: &dyn std::fmt::Display) -> ExitCode {
    eprintln!("pitboss: {why}");
    ExitCode::FAILURE
}

fn main() -> ExitCode {
    let arguments = Arguments::try_parse().unwrap_or_else(|error| complain(&error));
    let mut out = BufWriter::new(io::stdout().lock());
    let command = arguments.command.unwrap_or(Command::Serve(serve::Arguments::default()));
    let answer = match command {
        Command::Serve(arguments) => serve::run(&arguments, &mut out),
        Command::Operator(arguments) => operator::run(&arguments, &mut out),
        Command::Play(arguments) => play::run(&arguments, &mut out),
        Command::Check(arguments) => check::run(&arguments, &mut out),
        Command::Verify(arguments) => proof::verify(&arguments, &mut out),
        Command::Backup(arguments) => keep::backup(&arguments, &mut out),
        Command::Export(arguments) => keep::write_out(&arguments, &mut out),
        Command::Replay(arguments) => proof::replay(&arguments, &mut out),
        Command::Odds(arguments) => odds::run(&arguments, &mut out),
        Command::Sim(arguments) => sim::run(&arguments, &mut out),
        Command::Load(arguments) => load::run(&arguments, &mut out),
        Command::Rules(arguments) => rules_page::run(&arguments, &mut out),
    };
    let written = out.flush();
    let is_gone = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    match (answer, written) {
        (Ok(code), Ok(())) => code,
        // Whoever reads has seen enough, as in `pitboss rules | head`.
        (Ok(code), Err(error)) if is_gone(&error) => code,
        (Err(error), _) if is_gone(&error) => ExitCode::SUCCESS,
        (Err(error), _) | (Ok(_), Err(error)) => {
            eprintln!("pitboss: could not read or write: {error}");
            ExitCode::FAILURE
        }
    }
}
