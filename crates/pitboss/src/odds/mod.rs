//! `pitboss odds`: what every wager is worth, the best play, and what each option costs.

mod advice;
mod at;
pub(crate) mod html;
pub(crate) mod json;
pub(crate) mod numbers;
pub(crate) mod progress;
mod report;
pub(crate) mod svg;
pub(crate) mod terminal;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ::odds::Valuation;
use ::odds::value::BetValue;
use rules::card::Card;
use rules::money::Cents;
use rules::terms::TermSheet;
use rules::wager::Circle;

use crate::halt::{Halt, ended, unwritable};
use crate::named;
use crate::screen::{self, Screen};
use crate::text::{either, ungrouped};
use at::Answer;
use report::{Report, Sections};

const HELP: &str = "\
Every number is exact unless it is marked as simulated: every way the cards can
fall is counted, or the expectation is solved for a stated class of strategies
(docs/odds.md). An expectation is the player's net gain per unit of
the wager: −2.33 % means that the house keeps 2.33 of every 100 wagered.

By default all wagers are shown with their outcomes, and the best play.
--what-if, --count and --chart show only that part. --json prints the same as
JSON. --html writes everything with charts to one page that can be printed.

--at shows what every open play in a position is worth, from there to the end
of the round, for a player who has seen these cards and no others
(docs/coach.md). A position has parts separated by ';': the wagers, your cards
and plays in order, the dealer's open cards, other cards seen. Or name a
transcript, with a line if you like.

Examples:
  pitboss odds casino-war                            every wager
  pitboss odds casino-war --set decks=8 --bet tie    one wager, eight decks
  pitboss odds war --bet progressive --meter 150,000 --others 4
  pitboss odds double-down-stud --chart              when to double
  pitboss odds stud --seen \"As Kd\"                   two cards already seen
  pitboss odds free-bet --what-if                    what house options cost
  pitboss odds double-deck --count                   the effect of each card
  pitboss odds double-attack --html report.html      everything on one page
  pitboss odds free-bet --save-chart basic.chart     for pitboss sim
  pitboss odds casino-war --json                     for programs
  pitboss odds double-deck --at \"8s 8h; dealer Ts\"   plays of two eights
  pitboss odds free-bet --at \"main 10; 8s 8h split 3d; dealer 6c; seen 2c Td*4\"
  pitboss odds attack --at \"main 10; dealer 6h\"      attack, or pass
  pitboss odds war --at \"9d; dealer 9s\" --json       war, or surrender
  pitboss odds stud --at \"Qc; dealer Qd 2h 3s\"       double, or pass
  pitboss odds war --at war.round:3                  a transcript to line 3";

/// Shows what every wager is worth, the best play, and what each option costs.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    #[arg(value_name = "GAME", help = named::games_help(""))]
    game: String,
    /// Sets a house option; can be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Shows only the wagers on this circle, such as main, tie or push22
    #[arg(long, value_name = "CIRCLE")]
    bet: Option<String>,
    /// Shows only this policy, such as best, basic, war or surrender
    #[arg(long, value_name = "NAME")]
    policy: Option<String>,
    /// The main wager; matters only for a payout limit or odd chips
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
    stake: Option<String>,
    /// The progressive meter of Casino War [default: its seed]
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
    meter: Option<String>,
    /// How many other seats bet the progressive and go to war on ties
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    others: Option<String>,
    /// Cards already seen and no longer in the shoe, such as "As Kd 9h"
    #[arg(long, value_name = "CARDS")]
    seen: Option<String>,
    /// Shows what every open play in a position is worth
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true, conflicts_with_all = [
        "bet", "policy", "stake", "meter", "others", "what_if", "count", "chart", "save_chart", "html",
    ])]
    at: Option<String>,
    /// Whose decision it is in a transcript, such as 3 or 3b
    #[arg(long, value_name = "SEAT", requires = "at")]
    seat: Option<String>,
    /// Shows what every other value of each house option would change
    #[arg(long)]
    what_if: bool,
    /// Shows how removing a card changes every wager, and the best counts
    #[arg(long)]
    count: bool,
    /// Shows the best play
    #[arg(long)]
    chart: bool,
    /// Writes the blackjack chart to this file, for `pitboss sim --strategy`
    #[arg(long, value_name = "FILE")]
    save_chart: Option<PathBuf>,
    /// Prints JSON
    #[arg(long)]
    json: bool,
    /// Writes a report with charts to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> io::Result<ExitCode> {
    ended(show(arguments, out))
}

fn show(arguments: &Arguments, out: &mut impl Write) -> Result<(), Halt> {
    if let Some(words) = &arguments.at {
        return show_position(arguments, words, out);
    }
    let table = table(arguments).map_err(Halt::BadInput)?;
    if let Some(file) = &arguments.save_chart {
        save_chart(&table, file).map_err(Halt::BadInput)?;
        return Ok(writeln!(out, "{} written.", file.display())?);
    }
    let report = Report::of(&table, sections(arguments));
    let report = chosen(report, arguments).map_err(Halt::BadInput)?;
    if let Some(file) = &arguments.html {
        fs::write(file, html::page(&report)).map_err(|error| unwritable(file, &error))?;
    }
    match (arguments.json, &arguments.html) {
        (true, _) => json::write(&report, out)?,
        (false, Some(file)) => writeln!(out, "{} written.", file.display())?,
        (false, None) => {
            let colour = screen::is_colourful();
            terminal::show(&report, &mut Screen::new(out, colour, screen::width()))?;
        }
    }
    Ok(())
}

/// Shows what the acts of a position are worth.
fn show_position(arguments: &Arguments, words: &str, out: &mut impl Write) -> Result<(), Halt> {
    let seen = arguments.seen.as_deref().map_or(Ok(Vec::new()), cards)?;
    let answer = Answer::new(&sheet(arguments)?, words, &seen, arguments.seat.as_deref())?;
    if arguments.json {
        serde_json::to_writer_pretty(&mut *out, &answer.json()).map_err(io::Error::from)?;
        return Ok(writeln!(out)?);
    }
    Ok(answer.show(&mut Screen::new(out, screen::is_colourful(), screen::width()))?)
}

/// Writes a chart as the simulator reads it.
fn save_chart(table: &Valuation, file: &Path) -> Result<(), String> {
    let game = table.sheet().game();
    let chart =
        table.chart().ok_or_else(|| format!("only the blackjacks have a chart, not {game}"))?;
    fs::write(file, chart.to_string()).map_err(|error| unwritable(file, &error))
}

/// What a simulation adds to the report.
pub(crate) struct SimulatedRun {
    pub(crate) bets: Vec<BetValue>,
    /// The exact value of the main wager if it was played by a chart.
    pub(crate) by_chart: Option<f64>,
    /// Whether every round had its own shuffle, which is what the exact values are for.
    pub(crate) fresh: bool,
    pub(crate) seats: u8,
}

/// The report as a page, with simulated values beside the exact ones.
pub(crate) fn beside_the_exact_values(table: &Valuation, simulated: SimulatedRun) -> String {
    let sections = Sections { values: true, chart: true, what_if: false, count: false };
    html::page(&Report { simulated: Some(simulated), ..Report::of(table, sections) })
}

/// The house options that the arguments set.
fn sheet(arguments: &Arguments) -> Result<TermSheet, String> {
    let mut sheet = TermSheet::new(named::game_or_why(&arguments.game)?);
    sheet.set(named::choices(&arguments.set)?).map_err(|refusal| named::in_words(&refusal))?;
    Ok(sheet)
}

/// The table that the arguments describe.
fn table(arguments: &Arguments) -> Result<Valuation, String> {
    let sheet = sheet(arguments)?;
    let seen = arguments.seen.as_deref().map_or(Ok(Vec::new()), cards)?;
    let table = Valuation::new(sheet).map_err(|refusal| refusal.to_string())?;
    let (sheet, mut setting) = (table.sheet(), table.setting());
    let refused = |refusal: odds::setting::SettingRefusal| refusal.to_string();
    if let Some(word) = &arguments.stake {
        setting = setting.with_main(sheet, amount("--stake", word)?).map_err(refused)?;
    }
    if let Some(word) = &arguments.meter {
        setting = setting.with_meter(sheet, amount("--meter", word)?).map_err(refused)?;
    }
    if let Some(word) = &arguments.others {
        setting = setting.with_others(sheet, others(word)?).map_err(refused)?;
    }
    table.with_setting(setting).without(&seen).map_err(|refusal| refusal.to_string())
}

fn amount(option: &str, word: &str) -> Result<Cents, String> {
    ungrouped(word).parse().map_err(|_| {
        format!(
            "expected {option} as an amount such as 25 or 7.50, found '{}'",
            word.escape_debug()
        )
    })
}

fn others(word: &str) -> Result<u8, String> {
    word.parse().map_err(|_| {
        format!("expected --others as a number of seats, found '{}'", word.escape_debug())
    })
}

fn cards(words: &str) -> Result<Vec<Card>, String> {
    let words =
        words.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let card = |word: &str| {
        word.parse().map_err(|refusal| format!("{refusal}, found '{}'", word.escape_debug()))
    };
    words.map(card).collect()
}

/// The parts that the arguments ask for; by default those that are quick.
fn sections(arguments: &Arguments) -> Sections {
    let Arguments { what_if, count, chart, html, json, .. } = arguments;
    let all = html.is_some();
    let named = *what_if || *count || *chart;
    Sections {
        values: all || *json || !named,
        chart: all || *chart || !named,
        what_if: all || *what_if,
        count: all || *count,
    }
}

/// Keeps only the wagers that were asked for.
fn chosen(mut report: Report, arguments: &Arguments) -> Result<Report, String> {
    let known = report.wagers();
    let list = |mut names: Vec<String>| {
        names.sort();
        names.dedup();
        either(&names)
    };
    if let Some(word) = &arguments.bet {
        let bet = Circle::named(word).filter(|bet| known.iter().any(|wager| wager.bet == *bet));
        let names = || list(known.iter().map(|wager| wager.bet.to_string()).collect());
        let bet = bet.ok_or_else(|| {
            format!("expected --bet {}, found '{}'", names(), word.escape_debug())
        })?;
        report.keep(|wager| wager.bet == bet);
    }
    if let Some(word) = &arguments.policy {
        let known = report.wagers();
        if !known.iter().any(|wager| wager.policy == *word) {
            let names = list(known.iter().map(|wager| wager.policy.clone()).collect());
            return Err(format!("expected --policy {names}, found '{}'", word.escape_debug()));
        }
        report.keep(|wager| wager.policy == *word);
    }
    Ok(report)
}
