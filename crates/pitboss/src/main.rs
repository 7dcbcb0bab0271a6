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
use clap::{Args, Parser, Subcommand};

const EXAMPLES: &str = "\
Examples:
  pitboss                                   opens the house on http://127.0.0.1:8042
  pitboss serve --port 0 --data war-store   the same on any free port, with another store
  pitboss operator max                      makes the account that runs the house
  pitboss play casino-war                   a table in the terminal
  pitboss check crates/rules/tests/rounds   plays every round of a folder
  pitboss verify war-1.log                  proves the exported log of a table
  pitboss backup copies                     copies the store of an open house
  pitboss odds casino-war                   what every wager is worth, exactly
  pitboss sim casino-war                    ten million rounds of it
  pitboss rules casino-war                  the clauses of a game, and where each is carried out
  pitboss rules CW-8-c                      one clause in full
  pitboss rules casino-war decks            one house option

Every command has its own help: pitboss COMMAND --help";

/// Deals, settles, explains and proves five casino table games from one executable rule book.
///
/// Without a command it opens the house, as `pitboss serve` does.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Opens the house: tables that everyone on this computer can play at
    Serve(serve::Arguments),
    /// Makes the account that runs a house
    Operator(operator::Arguments),
    /// Deals a table in the terminal
    Play(play::Arguments),
    /// Plays transcripts of rounds through the rules and compares what they expect
    Check(check::Arguments),
    /// Proves an exported log: chain, rules, cards and money
    Verify(proof::VerifyArguments),
    /// Copies the store of a house, which may be open meanwhile
    Backup(keep::BackupArguments),
    /// Writes out the logs and books of a store
    Export(keep::ExportArguments),
    /// Shows a round of an exported log step by step
    Replay(proof::ReplayArguments),
    /// Shows what every wager is worth, the best play, and what each option costs
    Odds(odds::Arguments),
    /// Plays millions of rounds and says what they came to
    Sim(Box<sim::Arguments>),
    /// Plays in a house with a crowd of players, and checks all that they are told
    Load(load::Arguments),
    /// Shows the clauses, the terms and the rulings, and where each is carried out and tested
    Rules(rules_page::Arguments),
}

/// Ends the program with what is wrong with its arguments. An option of the house without a command
/// is one of `serve`.
fn complain(error: &clap::Error) -> ! {
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
    error.exit()
}

/// Bad input: a file, a name or a line that makes no sense.
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
