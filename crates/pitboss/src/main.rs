//! Five casino table games from one executable rule book: the program.

mod check;
mod citations;
#[allow(clippy::float_arithmetic)]
mod coach;
mod company;
#[allow(clippy::float_arithmetic)]
mod count;
mod data_folder;
mod events;
#[allow(clippy::float_arithmetic)]
mod expectations;
mod halt;
mod keep;
mod load;
mod log_lines;
mod named;
mod nodes;
// Analysis works with real numbers; money never does.
#[allow(clippy::float_arithmetic)]
mod odds;
mod operator;
mod page;
mod play;
mod procedures;
mod proof;
mod reconcile;
#[allow(clippy::float_arithmetic)]
mod review;
mod rules_page;
mod screen;
mod serve;
mod shell;
#[allow(clippy::float_arithmetic)]
mod sim;
mod text;
// Values are real numbers; money never is.
#[allow(clippy::float_arithmetic)]
mod train;
#[allow(clippy::float_arithmetic)]
mod tutor;
mod version;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, Parser, Subcommand};
use text::either;

const EXAMPLES: &str = "\
Examples:
  pitboss                                   opens the house on 127.0.0.1:8042
  pitboss serve --port 0 --data war-store   any free port, another store
  pitboss operator max                      creates the operator's account
  pitboss play casino-war                   a table in the terminal
  pitboss train double-deck                 drills the strategy
  pitboss check crates/rules/tests/rounds   checks every round in a folder
  pitboss export out                        writes the logs of all tables
  pitboss verify out/war-1.log              checks one of them
  pitboss audit                             audits the store of a house
  pitboss backup copies                     copies it
  pitboss events                            sign-ins, starts, what staff did
  pitboss nodes --store URL                 which node owns which table
  pitboss odds casino-war                   what every wager is worth
  pitboss review war-1.log --player ann     what decisions cost, and luck
  pitboss sim casino-war                    simulates ten million rounds
  pitboss count double-deck                 what counting cards is worth
  pitboss rules casino-war                  the rules and options of a game
  pitboss rules CW-8-c                      one clause in full
  pitboss rules casino-war decks            one house option

Every command has its own help: pitboss COMMAND --help";

/// Five casino table games from one executable rule book: deal, settle, explain, prove.
///
/// Without a command, opens the house, as `pitboss serve` does.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES, max_term_width = 80)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Opens the house: live tables in the browser
    Serve(serve::Arguments),
    /// Shows the nodes of a house, drains one, moves a table
    Nodes(nodes::Arguments),
    /// Creates an operator's account
    Operator(operator::Arguments),
    /// Plays at a table in the terminal
    Play(play::Arguments),
    /// Drills decisions, whole hands and counting
    Train(train::Arguments),
    /// Checks transcripts of rounds against the rules
    Check(check::Arguments),
    /// Verifies an exported log: chain, rules, cards, money
    Verify(proof::VerifyArguments),
    /// Audits a store: logs, transfers, balances, rounds, sealed orders
    Audit(reconcile::Arguments),
    /// Copies the store of a house
    Backup(keep::BackupArguments),
    /// Lists the significant events of a house
    Events(events::Arguments),
    /// Writes the logs and books of a house to files
    Export(keep::ExportArguments),
    /// Shows a round of an exported log, step by step
    Replay(proof::ReplayArguments),
    /// Shows what every wager is worth, and the best play
    Odds(odds::Arguments),
    /// Shows what a player's decisions cost, and what was luck
    Review(review::Arguments),
    /// Simulates millions of rounds
    Sim(Box<sim::Arguments>),
    /// Shows what counting cards is worth, and what stops it
    Count(Box<count::Arguments>),
    /// Tests a house under load, with a crowd of players
    Load(load::Arguments),
    /// Shows clauses, options and rulings, with code and tests
    Rules(rules_page::Arguments),
    /// Prints completions for a shell
    Completions(shell::CompletionsArguments),
    /// Writes the manual pages
    Man(shell::ManArguments),
}

/// Ends the program with what is wrong with its arguments, in one sentence, or with the help that
/// they ask for. An option of `serve` without a command gets a hint.
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
    let is_command = Arguments::command().find_subcommand(&first).is_some();
    let help = if is_command { format!("{first} --help") } else { "--help".to_owned() };
    eprintln!("pitboss: {}; see `pitboss {help}`", in_words(error));
    std::process::exit(BAD_INPUT.into());
}

/// What is wrong with the arguments, as far as a sentence.
fn in_words(error: &clap::Error) -> String {
    let all = |kind: ContextKind| match error.get(kind) {
        Some(ContextValue::String(word)) => vec![word.as_str()],
        Some(ContextValue::Strings(words)) => words.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    };
    let one = |kind: ContextKind| all(kind).first().copied().unwrap_or_default();
    // `--log <LOG>` is the option --log, and `<GAME>` the argument GAME.
    let name = |word: &str| {
        let word = word.split(' ').next().unwrap_or_default();
        word.trim_matches(|c| "<>.".contains(c)).to_owned()
    };
    let argument = name(one(ContextKind::InvalidArg));
    let found = one(ContextKind::InvalidValue).escape_debug().to_string();
    let instead = |kind: ContextKind| match one(kind) {
        "" => String::new(),
        word => format!(" (did you mean {word}?)"),
    };
    match error.kind() {
        ErrorKind::UnknownArgument if argument.starts_with("--") => {
            format!("there is no option {argument}{}", instead(ContextKind::SuggestedArg))
        }
        ErrorKind::UnknownArgument => format!("unexpected argument '{argument}'"),
        ErrorKind::InvalidSubcommand => {
            let command = one(ContextKind::InvalidSubcommand).escape_debug();
            let instead = instead(ContextKind::SuggestedSubcommand);
            format!("there is no command '{command}'{instead}")
        }
        ErrorKind::MissingRequiredArgument => {
            let missing: Vec<_> = all(ContextKind::InvalidArg).into_iter().map(name).collect();
            let verb = if missing.len() == 1 { "is" } else { "are" };
            format!("{} {verb} missing", missing.join(" and "))
        }
        ErrorKind::InvalidValue if found.is_empty() => format!("{argument} needs a value"),
        ErrorKind::InvalidValue => {
            let values = either(&all(ContextKind::ValidValue));
            format!("expected {argument} {values}, found '{found}'")
        }
        // All options that are read by their type are whole numbers.
        ErrorKind::ValueValidation => {
            let why = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
            match why.split_once(" is not in ").and_then(|(_, range)| range.split_once("..=")) {
                Some((least, most)) => {
                    format!("expected {argument} from {least} to {most}, found '{found}'")
                }
                None => format!("expected {argument} as a whole number, found '{found}'"),
            }
        }
        ErrorKind::ArgumentConflict => match name(one(ContextKind::PriorArg)) {
            other if other == argument => format!("{argument} can be given only once"),
            other => format!("{argument} and {other} cannot be used together"),
        },
        _ => error.to_string().lines().next().unwrap_or_default().replace("error: ", ""),
    }
}

/// The exit status for bad input: a file, a name or an argument.
const BAD_INPUT: u8 = 2;

/// Prints in one sentence why something failed.
fn failed(why: &dyn std::fmt::Display) -> ExitCode {
    eprintln!("pitboss: {why}");
    ExitCode::FAILURE
}

/// Prints in one sentence what is wrong with what was asked for.
fn bad_input(why: &dyn std::fmt::Display) -> ExitCode {
    eprintln!("pitboss: {why}");
    ExitCode::from(BAD_INPUT)
}

fn main() -> ExitCode {
    let arguments = Arguments::try_parse().unwrap_or_else(|error| complain(&error));
    let mut out = BufWriter::new(io::stdout().lock());
    let command = arguments.command.unwrap_or(Command::Serve(serve::Arguments::default()));
    let answer = match command {
        Command::Serve(arguments) => serve::run(&arguments, &mut out),
        Command::Nodes(arguments) => nodes::run(&arguments, &mut out),
        Command::Operator(arguments) => operator::run(&arguments, &mut out),
        Command::Play(arguments) => play::run(&arguments, &mut out),
        Command::Train(arguments) => train::run(&arguments, &mut out),
        Command::Check(arguments) => check::run(&arguments, &mut out),
        Command::Verify(arguments) => proof::verify(&arguments, &mut out),
        Command::Audit(arguments) => reconcile::run(&arguments, &mut out),
        Command::Backup(arguments) => keep::backup(&arguments, &mut out),
        Command::Events(arguments) => events::run(&arguments, &mut out),
        Command::Export(arguments) => keep::write_out(&arguments, &mut out),
        Command::Replay(arguments) => proof::replay(&arguments, &mut out),
        Command::Odds(arguments) => odds::run(&arguments, &mut out),
        Command::Review(arguments) => review::run(&arguments, &mut out),
        Command::Sim(arguments) => sim::run(&arguments, &mut out),
        Command::Count(arguments) => count::run(&arguments, &mut out),
        Command::Load(arguments) => load::run(&arguments, &mut out),
        Command::Rules(arguments) => rules_page::run(&arguments, &mut out),
        Command::Completions(arguments) => {
            shell::completions(&arguments, Arguments::command(), &mut out)
        }
        Command::Man(arguments) => shell::man(&arguments, Arguments::command()),
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
