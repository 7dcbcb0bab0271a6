//! Five casino table games from one executable rule book: the program.

mod check;
mod citations;
mod page;
mod play;
mod rules_page;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

const EXAMPLES: &str = "\
Examples:
  pitboss play casino-war                   a table in the terminal
  pitboss check crates/rules/tests/rounds   plays every round of a folder
  pitboss rules casino-war                  the clauses of a game, and where each is carried out
  pitboss rules CW-8-c                      one clause in full

Every command has its own help: pitboss COMMAND --help";

/// Deals, settles, explains and proves five casino table games from one executable rule book.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Deals a table in the terminal
    Play(play::Arguments),
    /// Plays transcripts of rounds through the rules and compares what they expect
    Check(check::Arguments),
    /// Shows the clauses, the terms and the rulings, and where each is carried out and tested
    Rules(rules_page::Arguments),
}

/// Bad input: a file, a name or a line that makes no sense.
const BAD_INPUT: u8 = 2;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut out = BufWriter::new(io::stdout().lock());
    let answer = match arguments.command {
        Command::Play(arguments) => play::run(&arguments, &mut out),
        Command::Check(arguments) => check::run(&arguments, &mut out),
        Command::Rules(arguments) => rules_page::run(&arguments, &mut out),
    };
    match answer.and_then(|code| out.flush().map(|()| code)) {
        Ok(code) => code,
        // Whoever reads has seen enough, as in `pitboss rules | head`.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pitboss: the answer could not be written: {error}");
            ExitCode::FAILURE
        }
    }
}
