//! `pitboss rules`: the clauses, the terms and the rulings, and where each is carried out.

use std::io::{self, Write};
use std::process::ExitCode;

use rules::wager::Game;

use crate::BAD_INPUT;
use crate::page::{ClauseRow, Page, RulingRow, TermRow};

const EXAMPLES: &str = "\
A clause is carried out in code and shown by tests, or excused with a reason, or owed: it belongs
to the table's procedures, which are still to come.

Examples:
  pitboss rules               all five books
  pitboss rules free-bet      one game
  pitboss rules CW-8-c        one clause or ruling in full
  pitboss rules --json        the same as JSON";

/// Shows the clauses, the terms and the rulings, and where each is carried out and tested.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// casino-war, double-down-stud, double-deck, double-attack or free-bet; or the id of a clause
    /// or ruling
    #[arg(value_name = "GAME")]
    subject: Option<String>,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> io::Result<ExitCode> {
    let subject = arguments.subject.as_deref();
    let game = subject.and_then(Game::named);
    let page = match (subject, game) {
        (None, _) => Some(Page::whole()),
        (_, Some(game)) => Some(Page::of(game)),
        (Some(id), None) => Page::about(id),
    };
    let Some(page) = page else {
        eprintln!("pitboss: {}", unknown(subject.unwrap_or_default()));
        return Ok(ExitCode::from(BAD_INPUT));
    };
    match (arguments.json, subject, game) {
        (true, ..) => json(&page, out)?,
        (false, Some(_), None) => in_full(&page, out)?,
        _ => tables(&page, out)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn unknown(subject: &str) -> String {
    let games = Game::ALL.map(Game::name).join(", ");
    format!(
        "expected a game ({games}) or the id of a clause or ruling such as CW-8-c, found '{}'",
        subject.escape_debug()
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

fn tables(page: &Page, out: &mut impl Write) -> io::Result<()> {
    for game in Game::ALL {
        let clauses: Vec<_> = page.clauses.iter().filter(|row| row.game == game.name()).collect();
        if !clauses.is_empty() {
            heading(game.title(), out)?;
            clauses.iter().try_for_each(|row| clause(row, PLACES_SHOWN, out))?;
        }
    }
    heading("Terms", out)?;
    page.terms.iter().try_for_each(|row| term(row, out))?;
    heading("Rulings", out)?;
    for RulingRow { id, title, .. } in &page.rulings {
        writeln!(out, "{id:INDENT$}{title}")?;
    }
    writeln!(out)?;
    summary(page, out)
}

fn heading(title: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "\n{title}\n{}", "=".repeat(title.chars().count()))
}

fn clause(row: &ClauseRow, shown: usize, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{:INDENT$}{}", row.id, row.title)?;
    places("code", &row.code, shown, out)?;
    places("tests", &row.tests, shown, out)?;
    match row.excused {
        Some(reason) => writeln!(out, "{:INDENT$}excused: {reason}", ""),
        None if row.owed => writeln!(out, "{:INDENT$}owed", ""),
        None if !row.is_shown() => writeln!(out, "{:INDENT$}MISSING", ""),
        None => Ok(()),
    }
}

fn places(label: &str, places: &[&str], shown: usize, out: &mut impl Write) -> io::Result<()> {
    for (i, place) in places.iter().take(shown).enumerate() {
        let label = if i == 0 { label } else { "" };
        writeln!(out, "{:INDENT$}{label:<6}{place}", "")?;
    }
    match places.len().saturating_sub(shown) {
        0 => Ok(()),
        more => writeln!(out, "{:INDENT$}      and {more} more", ""),
    }
}

fn term(row: &TermRow, out: &mut impl Write) -> io::Result<()> {
    let TermRow { game, key, values, default, source, meaning } = row;
    writeln!(out, "{key:INDENT$}{meaning}")?;
    writeln!(out, "{:INDENT$}{game}: {values}, default {default} ({source})", "")
}

fn summary(page: &Page, out: &mut impl Write) -> io::Result<()> {
    let count = |wanted: fn(&ClauseRow) -> bool| page.clauses.iter().filter(|c| wanted(c)).count();
    let excused = count(|clause| clause.excused.is_some());
    let shown = count(|clause| clause.excused.is_none() && clause.is_shown());
    let owed = count(|clause| clause.owed);
    let all = page.clauses.len();
    write!(out, "{all} clauses: {shown} carried out and tested, {excused} excused, {owed} owed")?;
    match all - shown - excused - owed {
        0 => {}
        missing => write!(out, ", {missing} MISSING")?,
    }
    writeln!(out, "; {} terms; {} rulings", page.terms.len(), page.rulings.len())
}

/// One clause or ruling with everything that is known of it.
fn in_full(page: &Page, out: &mut impl Write) -> io::Result<()> {
    for row in &page.clauses {
        writeln!(out, "{} ({})", row.id, row.game)?;
        writeln!(out, "{}", row.title)?;
        all_places("Carried out in", &row.code, out)?;
        all_places("Shown by", &row.tests, out)?;
        match row.excused {
            Some(reason) => writeln!(out, "Excused: {reason}")?,
            None if row.owed => {
                writeln!(out, "Owed: it belongs to the table's procedures, still to come.")?;
            }
            None if !row.is_shown() => writeln!(out, "MISSING: code or tests are not there.")?,
            None => {}
        }
    }
    for RulingRow { id, title, decision } in &page.rulings {
        writeln!(out, "{id}: {title}\n{decision}")?;
    }
    Ok(())
}

fn all_places(label: &str, places: &[&str], out: &mut impl Write) -> io::Result<()> {
    if places.is_empty() {
        return Ok(());
    }
    writeln!(out, "{label}:")?;
    places.iter().try_for_each(|place| writeln!(out, "  {place}"))
}
