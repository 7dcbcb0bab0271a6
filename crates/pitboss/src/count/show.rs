//! What was found, in a terminal.

use std::io::{self, Write};

use odds::count::{CountRow, Prospect};
use rules::wager::Circle;

use super::operator::{OperatorStudy, TriedTable};
use super::study::{Study, WagerStudy, chips, depth, money, tags, words_of};
use crate::odds::numbers::{percent, plain, share, units};
use crate::odds::terminal::Table;
use crate::screen::{self, Screen};
use crate::text::{Ink, Text, grouped, with_minus};

/// True counts that are rarer are left out, and it is said how many rounds those are.
const RARE: f64 = 0.000_5;
/// So many index plays are shown; `--json` has all.
const PLAYS: usize = 30;

pub(super) fn study(study: &Study, out: &mut impl Write) -> io::Result<()> {
    let mut screen = Screen::new(out, screen::is_colourful(), screen::width());
    screen.line(&Text::new().with(Ink::Bold, title(study)))?;
    screen.say(&assumed(study))?;
    count(study, &mut screen)?;
    followed(study, &mut screen)?;
    for wager in study.wagers.iter().filter(|wager| wager.bet != study.request.wager.0) {
        other(wager, &mut screen)?;
    }
    if study.indices.is_some() {
        indices(study, &mut screen)?;
    }
    screen.heading("What it is worth")?;
    for (what, number) in worth(study) {
        screen.item(&format!("  {what}"), 30, &number)?;
    }
    screen.blank()?;
    screen.say(
        "edge: average gain per unit of the wager, by the true count before the round; spread: \
         standard deviation; N0: rounds until the expected gain is one standard deviation; SCORE: \
         gain of 100 rounds with a bankroll of 10000 at full Kelly; certainty equivalent: the \
         certain gain that is as good at this Kelly fraction.",
    )
}

pub(super) fn title(study: &Study) -> String {
    format!("{}, counted with {}", study.sheet().game().title(), study.count.system.name())
}

/// What the numbers are for, in sentences.
pub(super) fn assumed(study: &Study) -> String {
    let (before, all) = depth(study.sheet());
    let chosen: Vec<_> =
        study.sheet().chosen().map(|(term, value)| format!("{}={value}", term.key)).collect();
    let options = match chosen.is_empty() {
        true => "Default house options".to_owned(),
        false => format!("House options: {}", chosen.join(" ")),
    };
    let seats = match study.request.plan.seats() {
        1 => "one seat".to_owned(),
        seats => format!("{seats} seats, of which the last one counts"),
    };
    format!(
        "{options}; the cut card lies behind {before} of {all} cards. {} rounds with the strategy {}, \
         {seats}; true counts: {}, decks left: {}.",
        study.tally.rounds,
        study.request.plan.strategy().name(),
        study.count.rounding.name(),
        study.count.estimate.name(),
    )
}

fn count(study: &Study, screen: &mut Screen<impl Write>) -> io::Result<()> {
    screen.blank()?;
    let tags = tags(&study.count.system);
    let head: Vec<&str> =
        [""].into_iter().chain(tags.iter().map(|(rank, _)| rank.as_str())).collect();
    let mut table = Table::new(&head);
    let numbers = tags.iter().map(|(_, tag)| units(*tag));
    table.row(["count".to_owned()].into_iter().chain(numbers).collect());
    table.show(1, screen)?;
    let known = study.wagers.iter().filter_map(|wager| {
        let correlation = wager.correlation?;
        Some(format!("{} {}", wager.bet, with_minus(&format!("{correlation:.3}"))))
    });
    let known: Vec<_> = known.collect();
    match known.is_empty() {
        true => Ok(()),
        false => screen.say(&format!(
            "Correlation with the best linear count of each wager: {}.",
            known.join(", ")
        )),
    }
}

/// The wager whose bets follow the count.
fn followed(study: &Study, screen: &mut Screen<impl Write>) -> io::Result<()> {
    let wager = study.followed();
    screen.heading(&format!("{} by true count", wager.bet))?;
    let mut table = Table::new(&[&columns(wager)[..], &["bet"]].concat());
    for row in shown(wager) {
        let mut cells = cells(wager, row);
        cells.push(grouped(&chips(study.bets.at(row.true_count)).to_string()));
        table.row(cells);
    }
    table.show(0, screen)?;
    screen.say(&line(wager))
}

/// The true counts of a wager that are shown.
pub(super) fn shown(wager: &WagerStudy) -> Vec<&CountRow> {
    wager.rows.iter().filter(|row| row.share >= RARE).collect()
}

/// The names of the cells of a wager.
fn columns(wager: &WagerStudy) -> Vec<&'static str> {
    let even_at = wager.meter.map(|_| "even at meter");
    ["count", "how often", "edge", "error", "spread"].into_iter().chain(even_at).collect()
}

fn cells(wager: &WagerStudy, row: &CountRow) -> Vec<String> {
    let mut cells = vec![
        with_minus(&format!("{:+}", row.true_count)),
        share(row.share),
        percent(row.edge),
        share(row.error),
        plain(row.sd),
    ];
    cells.extend(even_at(wager, row));
    cells
}

/// The meter at which a progressive has no edge at a true count.
pub(super) fn even_at(wager: &WagerStudy, row: &CountRow) -> Option<String> {
    let (meter, error) = wager.meter?.break_even_at(row);
    Some(with_minus(&grouped(&format!("{meter:.0} ± {error:.0}"))))
}

/// The line through the edges, in a sentence.
pub(super) fn line(wager: &WagerStudy) -> String {
    let mut line = format!(
        "On average each point of the true count adds {} to an edge of {} at 0.",
        percent(wager.line.for_each_point),
        percent(wager.line.at_zero)
    );
    if let Some(meter) = wager.meter {
        let even = amount(meter.break_even);
        line += &format!(" With a full shoe the wager has no edge at a meter of {even} (exact).");
    }
    let rare: f64 = wager.rows.iter().map(|row| row.share).filter(|share| *share < RARE).sum();
    if rare > 0.0 {
        line += &format!(
            " Left out: true counts in less than {} of the rounds each, {} of them in all (--csv and \
             --json have them).",
            share(RARE),
            share(rare)
        );
    }
    line
}

fn other(wager: &WagerStudy, screen: &mut Screen<impl Write>) -> io::Result<()> {
    screen.heading(&format!("{} by true count", wager.bet))?;
    let mut table = Table::new(&columns(wager));
    shown(wager).into_iter().for_each(|row| table.row(cells(wager, row)));
    table.show(0, screen)?;
    screen.say(&line(wager))
}

fn indices(study: &Study, screen: &mut Screen<impl Write>) -> io::Result<()> {
    let Some(found) = &study.indices else { return Ok(()) };
    screen.heading("Index plays")?;
    let mut table = Table::new(&["hand", "up", "chart", "better", "when", "even at", "adds"]);
    for play in found.plays.iter().take(PLAYS) {
        let words = words_of(play);
        table.row(vec![
            words.hand,
            words.up,
            words.usual,
            words.better,
            when(play.index, play.is_above),
            with_minus(&format!("{:+.1}", play.break_even)),
            percent(play.gain),
        ]);
    }
    table.show(4, screen)?;
    let [before, after] = found.edges.map(percent);
    screen.say(&format!(
        "{} plays, the most valuable first: what each adds to a flat bet. Simulated, a flat bet gains \
         {before} by the chart alone and {after} with all of them.",
        found.plays.len()
    ))
}

/// When an index play is made.
pub(super) fn when(index: i32, is_above: bool) -> String {
    let sign = if is_above { "≥" } else { "≤" };
    format!("{sign} {}", with_minus(&format!("{index:+}")))
}

/// An amount of money with cents, signed.
pub(super) fn signed(amount: f64) -> String {
    grouped(&format!("{amount:+.2}"))
}

pub(super) fn amount(amount: f64) -> String {
    grouped(&format!("{amount:.2}"))
}

/// Every figure of the bets, with its name.
pub(super) fn worth(study: &Study) -> Vec<(String, String)> {
    let Study { prospect, request, .. } = study;
    let pace = request.pace as f64;
    let mut lines: Vec<(String, String)> = Vec::new();
    let mut add = |what: &str, number: String| lines.push((what.to_owned(), number));
    let beside = match request.wager.0 {
        Circle::Main => "",
        _ => ", the main wager beside it included",
    };
    add("average bet", format!("{}{beside}", amount(prospect.average_bet)));
    if prospect.played < 0.999_999 {
        add("rounds played", share(prospect.played));
    }
    add(
        "gain per round",
        format!(
            "{} ± {} (standard error)",
            signed4(prospect.mean),
            signed4(prospect.error).trim_start_matches('+')
        ),
    );
    add(
        "gain per hour",
        format!("{} at {} rounds an hour", signed(prospect.mean * pace), request.pace),
    );
    add("spread per hour", amount(prospect.sd() * pace.sqrt()));
    add("edge on all bets", percent(prospect.mean / prospect.average_bet.max(1e-12)));
    add("SCORE", format!("{:.2}", prospect.score()));
    match prospect.n0() {
        Some(n0) => add("N0", grouped(&format!("{n0:.0} rounds, {:.0} hours", n0 / pace))),
        None => add("N0", "never: these bets lose".to_owned()),
    }
    let Some(bankroll) = study.bankroll else { return lines };
    let given = match request.bankroll {
        Some(_) => "",
        None => ", what these bets need",
    };
    add("bankroll", format!("{}{given} at {} of Kelly", amount(bankroll), request.kelly));
    if let Some(needed) =
        prospect.kelly_bankroll(request.kelly).filter(|_| request.bankroll.is_some())
    {
        add("bankroll these bets need", amount(needed));
    }
    let equivalent = prospect.certainty_equivalent(bankroll, request.kelly) * pace;
    add("certainty equivalent", format!("{} per hour", signed(equivalent)));
    add(
        "risk of ruin",
        format!("{} sooner or later, by the formula", share(prospect.ruin(bankroll))),
    );
    goal(study, prospect, bankroll, &mut lines);
    trips(study, prospect, bankroll, &mut lines);
    lines
}

/// An amount with four decimals and a sign.
fn signed4(amount: f64) -> String {
    grouped(&format!("{amount:+.4}"))
}

fn goal(study: &Study, prospect: &Prospect, bankroll: f64, lines: &mut Vec<(String, String)>) {
    let Some(goal) = study.request.goal.map(money) else { return };
    let pace = study.request.pace as f64;
    let hours = prospect.rounds_to(goal).map_or("never".to_owned(), |rounds| {
        grouped(&format!("{:.0} hours on average", rounds / pace))
    });
    lines.push((format!("to gain {}", amount(goal)), hours));
    let chance = prospect.goal_before_ruin(bankroll, goal);
    lines.push(("before ruin".to_owned(), share(chance)));
}

fn trips(study: &Study, prospect: &Prospect, bankroll: f64, lines: &mut Vec<(String, String)>) {
    let Some(trips) = &study.trips else { return };
    let rounds = study.request.trip_rounds as f64;
    let hours = study.request.trip_rounds / study.request.pace;
    let mut add = |what: &str, number: String| lines.push((what.to_owned(), number));
    let (mean, sd) = trips.mean_and_sd();
    let n = trips.count() as f64;
    add(
        &format!("trips of {hours} hours"),
        format!(
            "{} simulated: {} ± {} on average (formula {}), spread {} (formula {})",
            trips.count(),
            signed(mean),
            amount(sd / n.sqrt()),
            signed(prospect.mean * rounds),
            amount(sd),
            amount(prospect.sd() * rounds.sqrt()),
        ),
    );
    let error = |part: f64| share((part * (1.0 - part) / n).sqrt());
    let ruined = trips.ruined();
    add(
        "ruined on the trip",
        format!(
            "{} ± {} simulated, {} by the formula",
            share(ruined),
            error(ruined),
            chance(prospect.ruin_within(bankroll, rounds))
        ),
    );
    if let Some(goal) = study.request.goal.map(money) {
        let reached = trips.reached();
        add(
            "goal reached on the trip",
            format!(
                "{} ± {} simulated, {} by the formula",
                share(reached),
                error(reached),
                chance(prospect.reaches_within(goal, rounds))
            ),
        );
    }
    let [low, middle, high] =
        [0.05, 0.5, 0.95].map(|part| signed(trips.quantile(odds::count::STOPS - 1, part)));
    add("1 trip in 20 ends", format!("below {low}, another above {high}; half are below {middle}"));
}

/// A chance by a formula, which does not hold so far out that more digits would mean something.
fn chance(part: f64) -> String {
    match part {
        part if part > 0.0 && part < 1e-8 => format!("less than {}", share(1e-8)),
        part => share(part),
    }
}

pub(super) fn operator(study: &OperatorStudy<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut screen = Screen::new(out, screen::is_colourful(), screen::width());
    screen.line(&Text::new().with(Ink::Bold, operator_title(study)))?;
    screen.say(&operator_lead(study))?;
    screen.heading("By the cut card")?;
    tried(study, &study.depths, &mut screen)?;
    if !study.options.is_empty() {
        screen.heading("By option")?;
        tried(study, &study.options, &mut screen)?;
    }
    screen.blank()?;
    screen.say(&study.verdict())?;
    screen.say(HOW_TO_READ)
}

pub(super) const HOW_TO_READ: &str = "flat: the gain of a flat bet on the main wager; always: a \
    counter who bets in every round, per hour in money, and the SCORE; choosy: one who sits out \
    wherever that is better. Bets have the best SCORE within the spread.";

pub(super) fn operator_title(study: &OperatorStudy<'_>) -> String {
    let game = study.request.plan.sheet().game().title();
    format!("{game}: what a counter with {} could win", study.count)
}

pub(super) fn operator_lead(study: &OperatorStudy<'_>) -> String {
    let request = study.request;
    let (bet, unit) = request.wager;
    format!(
        "Bets from {} to {} on {bet}, {} rounds an hour, {} rounds simulated for each table.",
        amount(chips(unit)),
        amount(chips(request.most)),
        request.pace,
        request.rounds
    )
}

/// The name of a tried table, and its figures.
pub(super) fn tried_cells(study: &OperatorStudy<'_>, tried: &TriedTable) -> Vec<String> {
    let name = match &tried.change {
        None => "as it is".to_owned(),
        Some((key, to)) => format!("{key}={to}"),
    };
    let (before, all) = tried.depth;
    vec![
        name,
        format!("{:.0} %", 100.0 * before as f64 / all as f64),
        percent(tried.flat),
        signed(study.hourly(&tried.always)),
        format!("{:.2}", tried.always.score()),
        signed(study.hourly(&tried.choosy)),
        format!("{:.2}", tried.choosy.score()),
    ]
}

pub(super) const TRIED_COLUMNS: [&str; 7] =
    ["table", "dealt", "flat", "always", "SCORE", "choosy", "SCORE"];

fn tried(
    study: &OperatorStudy<'_>,
    tables: &[TriedTable],
    screen: &mut Screen<impl Write>,
) -> io::Result<()> {
    let mut table = Table::new(&TRIED_COLUMNS);
    tables.iter().for_each(|one| table.row(tried_cells(study, one)));
    table.show(1, screen)
}
