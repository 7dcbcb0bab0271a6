//! The report in a terminal: tables, and charts in colour.

use std::io::{self, Write};

use ::odds::countable::Countable;
use ::odds::value::BetValue;
use ::odds::what_if::{Change, UntriedValue, WhatIf};
use rules::round::Call;

use super::advice::{Advice, AdviceLine, Grid};
use super::numbers::{errors, figure, further, percent, plain, share, units, ways};
use super::report::{GAINED, Report, SMALL_LETTER, not_tried, values_of};
use crate::screen::Screen;
use crate::text::{Ink, Text, grouped, with_minus};

pub(crate) fn show(report: &Report, screen: &mut Screen<impl Write>) -> io::Result<()> {
    title(report, screen)?;
    if !report.bets.is_empty() {
        values(&report.bets, screen)?;
        report.bets.iter().try_for_each(|value| outcomes(value, screen))?;
    }
    match &report.advice {
        Some(Advice::Lines(advice)) => lines(advice, screen)?,
        Some(Advice::Grids(grids, notes)) => {
            grids.iter().try_for_each(|one| grid(one, screen))?;
            legend(grids, screen)?;
            notes.iter().try_for_each(|note| screen.say(note))?;
        }
        None => {}
    }
    if let Some(what_if) = &report.what_if {
        options(what_if, screen)?;
    }
    match report.countable.as_deref() {
        Some(all @ [_, ..]) if all.iter().all(|one| one.counts.is_empty()) => {
            screen.blank()?;
            screen.say("No rank matters more than another: there is nothing to count.")
        }
        all => all.into_iter().flatten().try_for_each(|one| count(one, screen)),
    }
}

/// The game, its house options, and what is assumed.
fn title(report: &Report, screen: &mut Screen<impl Write>) -> io::Result<()> {
    screen.line(&Text::new().with(Ink::Bold, report.game().title()))?;
    let chosen: Vec<_> = report
        .table
        .sheet()
        .chosen()
        .map(|(term, value)| format!("{}={value}", term.key))
        .collect();
    screen.say(&report.assumed(match chosen.is_empty() {
        true => None,
        false => Some(chosen.join(" ")),
    }))
}

/// All wagers in one table.
fn values(bets: &[BetValue], screen: &mut Screen<impl Write>) -> io::Result<()> {
    let mut table = Table::new(&["wager", "policy", "expectation", "risk", "spread", "wins"]);
    for value in bets {
        table.row(vec![
            value.bet.to_string(),
            value.policy.clone(),
            percent(value.ev),
            figure(&value.element_of_risk, share),
            figure(&value.sd, plain),
            figure(&value.hit_frequency, share),
        ]);
    }
    screen.blank()?;
    table.show(2, screen)?;
    screen.blank()?;
    screen.say(
        "policy: the way of playing; expectation: net gain per unit of the wager; risk: expected \
         loss per unit of everything staked; spread: standard deviation; wins: how often the wager \
         ends with a gain; ≈: simulated, with its error below.",
    )
}

/// Every way in which one wager can end.
fn outcomes(value: &BetValue, screen: &mut Screen<impl Write>) -> io::Result<()> {
    screen.heading(&format!("{}, {}: {}", value.bet, value.policy, percent(value.ev)))?;
    if let Some(exact) = value.ev_exact.as_ref().and_then(|ev| ev.printable()) {
        screen.plain(&with_minus(&format!("exactly {exact}")))?;
    }
    let counted = value.outcomes.iter().any(|outcome| outcome.combinations.is_some());
    let combinations = if counted { "combinations" } else { "" };
    let mut table = Table::new(&["net", "probability", combinations, ""]);
    for outcome in &value.outcomes {
        let ways = outcome.combinations.as_ref().map(ways);
        let method = match outcome.method == value.method {
            true => String::new(),
            false => format!(" ({})", outcome.method.name()),
        };
        table.row(vec![
            units(outcome.net),
            share(outcome.probability),
            ways.unwrap_or_default(),
            format!("{}{method}", outcome.name),
        ]);
    }
    if !value.outcomes.is_empty() {
        table.show(0, screen)?;
    }
    if let Some(all) = &value.combinations {
        screen.plain(&format!("of {} combinations", grouped(&all.to_string())))?;
    }
    if let Some(words) = errors(value) {
        screen.say(&words)?;
    }
    for (name, number) in &value.figures {
        screen.say(&further(name, *number))?;
    }
    value.notes.iter().try_for_each(|note| screen.say(note))
}

/// The best play, case by case.
fn lines(lines: &[AdviceLine], screen: &mut Screen<impl Write>) -> io::Result<()> {
    screen.heading("Best play")?;
    for line in lines {
        let mut text = Text::new().with(ink(line.call), format!(" {:<9} ", line.call.name()));
        text.add(Ink::Plain, format!(" {:>10}", units(line.gain)));
        text.add(Ink::Faint, format!("  {:>10}", line.share.map_or_else(String::new, share)));
        text.add(Ink::Plain, format!("  {}", line.when));
        screen.line(&text)?;
    }
    screen.say(GAINED)
}

/// A chart by hand and up card.
fn grid(grid: &Grid, screen: &mut Screen<impl Write>) -> io::Result<()> {
    const HAND: usize = 10;
    screen.heading(&grid.title)?;
    let mut head = Text::plain(" ".repeat(HAND));
    grid.columns.iter().for_each(|up| head.add(Ink::Bold, format!("{up:^4}")));
    screen.line(&head)?;
    for (hand, cells) in &grid.rows {
        let mut text = Text::new().with(Ink::Bold, format!("{hand:>8}  "));
        for cell in cells {
            text.add(ink(cell.call), format!("{:^4}", cell.letters()));
        }
        screen.line(&text)?;
    }
    Ok(())
}

fn legend(grids: &[Grid], screen: &mut Screen<impl Write>) -> io::Result<()> {
    let cells = || grids.iter().flat_map(|grid| &grid.rows).flat_map(|(_, cells)| cells);
    let used = |call: Call| cells().any(|c| c.call == call || c.otherwise == Some(call));
    let calls = Call::ALL.into_iter().filter(|&call| used(call));
    let words: Vec<_> =
        calls.map(|call| format!("{} {}", super::advice::letter(call), call.name())).collect();
    screen.blank()?;
    screen.say(&format!("{}; {SMALL_LETTER}.", words.join(", ")))
}

/// The ink of a call.
fn ink(call: Call) -> Ink {
    match call {
        Call::Hit => Ink::OnWhite,
        Call::Stand | Call::Pass => Ink::OnRed,
        Call::Double | Call::War | Call::Attack => Ink::OnGreen,
        Call::Split | Call::EvenMoney => Ink::OnBlue,
        Call::Surrender | Call::Insure => Ink::OnYellow,
    }
}

/// What the other values of each option would change.
fn options(what_if: &WhatIf, screen: &mut Screen<impl Write>) -> io::Result<()> {
    screen.heading("What if")?;
    screen.say(
        "One option is changed at a time. Beside each wager: the change of its expectation, and the \
         new expectation.",
    )?;
    for lines in what_if.alike() {
        let (key, values, now) = (&lines[0].term.key, values_of(lines), &lines[0].from);
        screen.blank()?;
        screen.say(&format!("{key}={values} (now {now})"))?;
        for Change { wager, ev, change } in &lines[0].changes {
            let then = ev.map_or_else(|| "not offered".to_owned(), percent);
            let change = change.map_or_else(String::new, percent);
            screen.plain(&format!("  {:<26} {change:>12}  {then:>12}", wager.to_string()))?;
        }
    }
    let keys = |terms: &[&rules::terms::Term]| -> String {
        terms.iter().map(|term| term.key.as_str()).collect::<Vec<_>>().join(", ")
    };
    screen.blank()?;
    if !what_if.idle.is_empty() {
        screen.say(&format!("No effect on any wager: {}.", keys(&what_if.idle)))?;
    }
    for UntriedValue { term, to, why } in &what_if.refused {
        screen.say(&not_tried(term, to, why))?;
    }
    if !what_if.amounts.is_empty() {
        screen.say(&format!("Not tried (amounts and times): {}.", keys(&what_if.amounts)))?;
    }
    Ok(())
}

/// What each card gone does to a wager.
fn count(countable: &Countable, screen: &mut Screen<impl Write>) -> io::Result<()> {
    screen.heading(&format!("{}: {}", countable.wager, percent(countable.ev)))?;
    if countable.counts.is_empty() {
        return screen.say("No rank matters more than another: there is nothing to count.");
    }
    let mut head = vec!["removed".to_owned(), "change".to_owned()];
    head.extend(countable.counts.iter().map(|count| {
        let level = count.tags.iter().map(|tag| tag.abs()).max().unwrap_or(0);
        format!("level {level}")
    }));
    let head: Vec<_> = head.iter().map(String::as_str).collect();
    let mut table = Table::new(&head);
    for (i, (rank, effect)) in countable.removal.iter().enumerate() {
        let mut row = vec![rank.letter().to_string(), percent(*effect)];
        row.extend(countable.counts.iter().map(|count| units(count.tags[i].into())));
        table.row(row);
    }
    let mut row = vec!["correlation".to_owned(), String::new()];
    row.extend(countable.counts.iter().map(|count| plain(count.correlation)));
    table.row(row);
    table.show(1, screen)?;
    match countable.spread_at_cut_card {
        Some(spread) => screen.say(&format!(
            "When the cut card comes out, the expectation has a standard deviation of {} (linear \
             estimate).",
            share(spread)
        )),
        None => screen.say("Every round has its own shuffle: only cards of this round matter."),
    }
}

/// Rows in columns as wide as they need to be.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(head: &[&str]) -> Table {
        Table { rows: vec![head.iter().map(|&word| word.to_owned()).collect()] }
    }

    pub(crate) fn row(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// Prints the rows: so many columns of words on the left, then numbers, and words at the end.
    pub(crate) fn show(&self, words: usize, screen: &mut Screen<impl Write>) -> io::Result<()> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<_> = (0..columns).map(width).collect();
        for (i, row) in self.rows.iter().enumerate() {
            let mut text = Text::new();
            let ink = if i == 0 { Ink::Faint } else { Ink::Plain };
            for (column, cell) in row.iter().enumerate() {
                let blanks = " ".repeat(widths[column] - cell.chars().count());
                let is_last = column + 1 == columns && words == 0;
                let (before, after) = match column < words || is_last {
                    true => (String::new(), blanks),
                    false => (blanks, String::new()),
                };
                text.add(ink, format!("{before}{cell}{after}  "));
            }
            screen.line(&text)?;
        }
        Ok(())
    }
}
