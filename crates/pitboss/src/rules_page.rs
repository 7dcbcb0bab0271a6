//! `pitboss rules`: the clauses, the terms and the rulings, and where each is carried out.

use std::io::{self, Write};
use std::process::ExitCode;

use rules::wager::Game;

use crate::page::{ClauseRow, Page, RulingRow, TermRow};
use crate::screen::{self, Screen};
use crate::{BAD_INPUT, named};

const EXAMPLES: &str = "\
A clause is carried out in code and shown by tests, or excused with a reason; one
that is neither is owed. An option has the scope of a round or of the table; one
that is not in `play` bears on seats, shuffles and supervisors, which a live table
has, and one that is on paper is recorded and carried out by people alone.

Examples:
  pitboss rules                     all five books
  pitboss rules free-bet            one game; war or stud will do
  pitboss rules CW-8-c              one clause in full
  pitboss rules G-07                one ruling in full
  pitboss rules decks               one option, in every game that has it
  pitboss rules casino-war decks    one option of one game
  pitboss rules G-07 --json         any of these as JSON";

/// Shows the clauses, the terms and the rulings, and where each is carried out and tested.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// casino-war, double-down-stud, double-deck, double-attack or free-bet, or the beginning of
    /// one; or only the id of a clause or ruling, or the key of an option
    #[arg(value_name = "GAME")]
    first: Option<String>,
    /// What to show of the game: the id of a clause or ruling, or the key of an option
    #[arg(value_name = "ID")]
    second: Option<String>,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> io::Result<ExitCode> {
    let page = match page(arguments.first.as_deref(), arguments.second.as_deref()) {
        Ok(page) => page,
        Err(sentence) => {
            eprintln!("pitboss: {sentence}");
            return Ok(ExitCode::from(BAD_INPUT));
        }
    };
    match (arguments.json, page) {
        (true, Shown::Tables(page) | Shown::InFull(page)) => json(&page, out)?,
        (false, Shown::Tables(page)) => {
            tables(&page, &mut Screen::new(out, false, screen::width()))?
        }
        (false, Shown::InFull(page)) => {
            in_full(&page, &mut Screen::new(out, false, screen::width()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What is asked for.
enum Shown {
    /// Whole books, as tables.
    Tables(Page),
    /// One thing, with everything that is known of it.
    InFull(Page),
}

/// Finds what is asked for; ids and keys come before the beginnings of games.
fn page(first: Option<&str>, second: Option<&str>) -> Result<Shown, String> {
    match (first, second) {
        (None, _) => Ok(Shown::Tables(Page::whole())),
        (Some(name), None) => match (Page::about(name, None), named::game(name)) {
            (Some(page), _) => Ok(Shown::InFull(page)),
            (None, Some(game)) => Ok(Shown::Tables(Page::of(game))),
            (None, None) => Err(unknown(name)),
        },
        (Some(first), Some(name)) => {
            let game = named::game(first).ok_or_else(|| unknown(first))?;
            let page = Page::about(name, Some(game)).ok_or_else(|| unknown_in(game, name))?;
            Ok(Shown::InFull(page))
        }
    }
}

fn unknown(subject: &str) -> String {
    format!(
        "expected a game ({}), the id of a clause or ruling such as CW-8-c, or the key of an \
         option such as decks, found '{}'",
        named::games(),
        subject.escape_debug()
    )
}

fn unknown_in(game: Game, name: &str) -> String {
    format!(
        "expected a clause, a ruling or an option of {game}, which `pitboss rules {game}` lists, \
         found '{}'",
        name.escape_debug()
    )
}

fn json(page: &Page, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, page)?;
    writeln!(out)
}

/// How many places a table shows before it only counts them.
const PLACES_SHOWN: usize = 2;
/// Where titles begin.
const INDENT: usize = 28;

fn tables(page: &Page, screen: &mut Screen<impl Write>) -> io::Result<()> {
    for game in Game::ALL {
        let clauses: Vec<_> = page.clauses.iter().filter(|row| row.game == game.name()).collect();
        if !clauses.is_empty() {
            heading(game.title(), screen)?;
            clauses.iter().try_for_each(|row| clause(row, screen))?;
        }
    }
    heading("Terms", screen)?;
    page.terms.iter().try_for_each(|row| term(row, screen))?;
    heading("Rulings", screen)?;
    for RulingRow { id, title, .. } in &page.rulings {
        screen.item(id, INDENT, title)?;
    }
    screen.blank()?;
    screen.say(&summary(page))
}

fn heading(title: &str, screen: &mut Screen<impl Write>) -> io::Result<()> {
    screen.heading(title)?;
    screen.plain(&"=".repeat(title.chars().count()))
}

fn clause(row: &ClauseRow, screen: &mut Screen<impl Write>) -> io::Result<()> {
    screen.item(row.id, INDENT, row.title)?;
    places("code", &row.code, screen)?;
    places("tests", &row.tests, screen)?;
    match row.excused {
        Some(reason) => screen.item("", INDENT, &format!("excused: {reason}")),
        None if row.owed => screen.item("", INDENT, "OWED"),
        None => Ok(()),
    }
}

fn places(label: &str, places: &[&str], screen: &mut Screen<impl Write>) -> io::Result<()> {
    for place in places.iter().take(PLACES_SHOWN) {
        screen.item("", INDENT, &format!("{label} {place}"))?;
    }
    match places.len().saturating_sub(PLACES_SHOWN) {
        0 => Ok(()),
        more => screen.item("", INDENT, &format!("{label} and {more} more")),
    }
}

fn term(row: &TermRow, screen: &mut Screen<impl Write>) -> io::Result<()> {
    let TermRow { game, key, values, default, source, meaning, .. } = row;
    screen.item(key, INDENT, meaning)?;
    let kept = bears_on(row);
    screen.item("", INDENT, &format!("{game}: {values}, default {default} ({source}); {kept}"))
}

/// The scope of an option in words.
fn bears_on(row: &TermRow) -> &'static str {
    match (row.scope, row.is_not_in_play) {
        _ if row.is_on_paper => "scope table, on paper",
        (_, true) => "scope table, not in `play`",
        ("table", false) => "scope table",
        _ => "scope round",
    }
}

fn summary(page: &Page) -> String {
    let count = |wanted: fn(&ClauseRow) -> bool| page.clauses.iter().filter(|c| wanted(c)).count();
    let excused = count(|clause| clause.excused.is_some());
    let shown = count(|clause| clause.excused.is_none() && clause.is_shown());
    let owed = count(|clause| clause.owed);
    format!(
        "{} clauses: {shown} carried out and tested, {excused} excused, {owed} owed; {} terms; {} \
         rulings",
        page.clauses.len(),
        page.terms.len(),
        page.rulings.len()
    )
}

/// One clause, ruling or option with everything that is known of it.
fn in_full(page: &Page, screen: &mut Screen<impl Write>) -> io::Result<()> {
    for row in &page.clauses {
        screen.say(&format!("{} ({})", row.id, row.game))?;
        screen.say(row.title)?;
        all_places("Carried out in", &row.code, screen)?;
        all_places("Shown by", &row.tests, screen)?;
        match row.excused {
            Some(reason) => screen.say(&format!("Excused: {reason}"))?,
            None if row.owed => screen.say("OWED: code or tests are not there.")?,
            None => {}
        }
    }
    for RulingRow { id, title, decision, code, tests } in &page.rulings {
        screen.say(&format!("{id}: {title}"))?;
        screen.say(decision)?;
        all_places("Cited in code", code, screen)?;
        all_places("Cited in tests", tests, screen)?;
    }
    for row in &page.terms {
        let TermRow { game, key, values, default, source, meaning, .. } = row;
        screen.say(&format!("{key} ({game})"))?;
        screen.say(meaning)?;
        screen.item("  values", 12, values)?;
        screen.item("  default", 12, default)?;
        screen.item("  source", 12, source)?;
        screen.item("  scope", 12, bears_on(row).trim_start_matches("scope "))?;
    }
    Ok(())
}

fn all_places(label: &str, places: &[&str], screen: &mut Screen<impl Write>) -> io::Result<()> {
    if places.is_empty() {
        return Ok(());
    }
    screen.plain(&format!("{label}:"))?;
    places.iter().try_for_each(|place| screen.plain(&format!("  {place}")))
}
