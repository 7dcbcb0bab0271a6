//! `pitboss rules`: the clauses, the house options and the rulings, and where each is carried out.

use std::io::{self, Write};
use std::process::ExitCode;

use rules::terms::values_in_words;
use rules::wager::Game;

use crate::citations::Place;
use crate::page::{ClauseRow, Page, RefusedWith, RulingRow, TermRow, Traces};
use crate::screen::{self, Screen};
use crate::text::wrapped;
use crate::{BAD_INPUT, named};

const EXAMPLES: &str = "\
Examples:
  pitboss rules                     all books
  pitboss rules free-bet            one game; war or stud will do
  pitboss rules CW-8-c              one clause in full
  pitboss rules G-07                one ruling in full
  pitboss rules decks               one option, in every game that has it
  pitboss rules casino-war decks    one option of one game
  pitboss rules G-07 --json         any of these as JSON

A clause or ruling in full says where it is decided (file, line and function),
where else it is mentioned, which refusals cite it and which tests cover it.
Each clause is implemented and tested, or listed with the reason why it is not.

The scope of an option is a round, or the table around it. `pitboss play` has
no table procedures, so some options have no effect there. Options that are
only recorded are left to people to carry out.";

/// Shows the clauses, options and rulings, and where each is decided and tested.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A game, clause, ruling or option [default: all games]
    #[arg(value_name = "GAME")]
    first: Option<String>,
    /// A clause, ruling or option of the game
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
        (true, Selection::Tables(page) | Selection::InFull(page)) => json(&page, out)?,
        (false, Selection::Tables(page)) => {
            tables(&page, &mut Screen::new(out, false, screen::width()))?
        }
        (false, Selection::InFull(page)) => {
            in_full(&page, &mut Screen::new(out, false, screen::width()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What is asked for.
enum Selection {
    /// Whole books, as tables.
    Tables(Page),
    /// One thing, with everything that is known of it.
    InFull(Page),
}

/// Finds what is asked for; ids and keys come before abbreviated games.
fn page(first: Option<&str>, second: Option<&str>) -> Result<Selection, String> {
    match (first, second) {
        (None, _) => Ok(Selection::Tables(Page::whole())),
        (Some(name), None) => match (Page::about(name, None), named::game(name)) {
            (Some(page), _) => Ok(Selection::InFull(page)),
            (None, Some(game)) => Ok(Selection::Tables(Page::of(game))),
            (None, None) => Err(unknown(name)),
        },
        (Some(first), Some(name)) => {
            let game = named::game(first).ok_or_else(|| unknown(first))?;
            let page = Page::about(name, Some(game)).ok_or_else(|| unknown_in(game, name))?;
            Ok(Selection::InFull(page))
        }
    }
}

fn unknown(subject: &str) -> String {
    format!(
        "expected a game ({}), a clause or ruling such as CW-8-c, or an option such as decks, \
         found '{}'",
        named::games(),
        subject.escape_debug()
    )
}

fn unknown_in(game: Game, name: &str) -> String {
    format!(
        "expected a clause, ruling or option of {game} (`pitboss rules {game}` lists them), found \
         '{}'",
        name.escape_debug()
    )
}

fn json(page: &Page, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, page)?;
    writeln!(out)
}

/// Where sentences begin.
const INDENT: usize = 20;

fn tables(page: &Page, screen: &mut Screen<impl Write>) -> io::Result<()> {
    for game in Game::ALL {
        let clauses = page.clauses.iter().filter(|row| row.game == game.name());
        let mut section = "";
        for row in clauses {
            if section.is_empty() {
                heading(game.title(), screen)?;
            }
            if section != row.section {
                section = row.section;
                screen.heading(section)?;
            }
            screen.item(row.id, INDENT, &format!("{}.", row.title))?;
            match row.excused {
                Some(reason) => screen.item("", INDENT, &format!("Excused: {reason}"))?,
                None if row.owed => screen.item("", INDENT, "OWED: code or tests are missing.")?,
                None => {}
            }
        }
    }
    heading("Options", screen)?;
    page.terms.iter().try_for_each(|row| term(row, screen))?;
    heading("Rulings", screen)?;
    for RulingRow { id, title, decision, .. } in &page.rulings {
        screen.item(id, INDENT, &format!("{title}: {decision}"))?;
    }
    screen.blank()?;
    screen.say(&summary(page))?;
    screen.say("`pitboss rules ID` shows where a clause or ruling is decided and tested.")
}

fn heading(title: &str, screen: &mut Screen<impl Write>) -> io::Result<()> {
    screen.heading(title)?;
    screen.plain(&"=".repeat(title.chars().count()))
}

fn term(row: &TermRow, screen: &mut Screen<impl Write>) -> io::Result<()> {
    let TermRow { game, key, values, default, source, meaning, .. } = row;
    screen.plain(&format!("{key} ({game})"))?;
    screen.item("", 4, meaning)?;
    screen.item("", 4, &format!("Values: {}. Default: {default}.", values_in_words(values)))?;
    let source = source.replace(' ', ", ");
    screen.item("", 4, &format!("Scope: {}. Source: {source}.", scope_in_words(row)))
}

/// The scope of an option in words.
fn scope_in_words(row: &TermRow) -> &'static str {
    match (row.scope, row.is_not_in_play) {
        _ if row.is_on_paper => "table (only recorded)",
        (_, true) => "table (no effect in `pitboss play`)",
        ("table", false) => "table",
        _ => "round",
    }
}

fn summary(page: &Page) -> String {
    let count = |wanted: fn(&ClauseRow) -> bool| page.clauses.iter().filter(|c| wanted(c)).count();
    let excused = count(|clause| clause.excused.is_some());
    let shown = count(|clause| clause.excused.is_none() && !clause.owed);
    let owed = count(|clause| clause.owed);
    format!(
        "{} clauses: {shown} carried out and tested, {excused} excused, {owed} owed; {} options; {} \
         rulings.",
        page.clauses.len(),
        page.terms.len(),
        page.rulings.len()
    )
}

/// One clause, ruling or option with everything that is known of it.
fn in_full(page: &Page, screen: &mut Screen<impl Write>) -> io::Result<()> {
    for row in &page.clauses {
        screen.say(&format!("{} ({}: {})", row.id, row.game, row.section))?;
        screen.say(row.title)?;
        traces(&row.traces, screen)?;
        match row.excused {
            Some(reason) => screen.say(&format!("Excused: {reason}"))?,
            None if row.owed => screen.say("OWED: code or tests are missing.")?,
            None => {}
        }
    }
    for RulingRow { id, title, decision, traces: known, .. } in &page.rulings {
        screen.say(&format!("{id}: {title}"))?;
        screen.say(decision)?;
        traces(known, screen)?;
    }
    for row in &page.terms {
        let TermRow { game, key, values, default, source, meaning, .. } = row;
        screen.say(&format!("{key} ({game})"))?;
        screen.say(meaning)?;
        screen.item("  values", 12, &values_in_words(values))?;
        screen.item("  default", 12, default)?;
        screen.item("  source", 12, &source.replace(' ', ", "))?;
        screen.item("  scope", 12, scope_in_words(row))?;
    }
    Ok(())
}

/// Where a clause or ruling is decided, mentioned, refused with and shown.
fn traces(traces: &Traces, screen: &mut Screen<impl Write>) -> io::Result<()> {
    let Traces { decided_in, mentioned_in, refused_with, shown_by } = traces;
    places("Decided in", decided_in, screen)?;
    places("Also mentioned in", mentioned_in, screen)?;
    if !refused_with.is_empty() {
        screen.plain("Refused with")?;
    }
    for RefusedWith { code, decides } in refused_with {
        screen.plain(&format!("  {code}{}", if *decides { "" } else { " (see also)" }))?;
    }
    places("Shown by", shown_by, screen)
}

fn places(label: &str, places: &[Place], screen: &mut Screen<impl Write>) -> io::Result<()> {
    if !places.is_empty() {
        screen.plain(label)?;
    }
    // Lines of one item stand together.
    for lines in places.chunk_by(|a, b| (a.file, a.item) == (b.file, b.item)) {
        let Place { file, item, .. } = lines[0];
        let numbers: Vec<_> = lines.iter().map(|place| place.line.to_string()).collect();
        let place = format!("{file}:{}", numbers.join(", "));
        match place.chars().count() + item.chars().count() + 4 > screen.width() {
            true => {
                let indent = if file.len() + 8 > screen.width() { "" } else { "  " };
                for line in wrapped(&place, screen.width() - indent.len()) {
                    screen.plain(&format!("{indent}{line}"))?;
                }
                if !item.is_empty() {
                    screen.plain(&format!("      {item}"))?;
                }
            }
            false => screen.plain(format!("  {place}  {item}").trim_end())?,
        }
    }
    Ok(())
}
