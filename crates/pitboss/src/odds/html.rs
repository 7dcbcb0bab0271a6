//! The report as one page that needs nothing else, and can be printed.

use std::fmt::Write as _;

use ::odds::countable::Countable;
use ::odds::value::BetValue;
use ::odds::what_if::{self as if_so, UntriedValue, WhatIf};
use rules::round::Call;
use rules::wager::Circle;

use super::SimulatedRun;
use super::advice::{Advice, AdviceLine, Grid};
use super::numbers::{errors, figure, further, percent, plain, share, units};
use super::report::{GAINED, Report, SMALL_LETTER, not_tried, values_of};
use super::svg::{self, escaped};
use crate::text::{grouped, with_minus};
use crate::version;

const STYLE: &str = include_str!("report.css");

/// The whole page.
pub(crate) fn page(report: &Report) -> String {
    let game = report.game().title();
    let mut body = String::new();
    head(report, &mut body);
    values(&report.bets, &mut body);
    if let Some(simulated) = &report.simulated {
        beside(&report.bets, simulated, &mut body);
    }
    if let Some(advice) = &report.advice {
        best_play(advice, &mut body);
    }
    outcomes(&report.bets, &mut body);
    if let Some(what_if) = &report.what_if {
        options(what_if, &mut body);
    }
    if let Some(countable) = &report.countable {
        counts(countable, &mut body);
    }
    reading(report, &mut body);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{game}: exact odds</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}\
         </body>\n</html>\n"
    )
}

/// The game, what the numbers are for, and where they come from.
fn head(report: &Report, body: &mut String) {
    let chosen: Vec<_> = report
        .table
        .sheet()
        .chosen()
        .map(|(term, value)| format!("<code>{}={}</code>", escaped(&term.key), escaped(value)))
        .collect();
    let assumed = report.assumed(match chosen.is_empty() {
        true => None,
        false => Some(chosen.join(" ")),
    });
    let _ = write!(
        body,
        "<header>\n<p class=\"kicker\">Pitboss · exact odds</p>\n<h1>{}</h1>\n<p class=\"terms\">{assumed}</p>\n\
         <dl>\n<dt>Created</dt><dd>{} by pitboss {}</dd>\n<dt>Command</dt><dd><code>{}</code></dd>\n\
         <dt>Rules</dt><dd><code>{}</code> (version and hash)</dd>\n</dl>\n</header>\n",
        report.game().title(),
        version::today(),
        version::PROGRAM,
        escaped(&version::command()),
        version::rules(),
    );
}

fn section(title: &str, words: &str, body: &mut String) {
    let _ = write!(body, "<section>\n<h2>{title}</h2>\n<p class=\"lead\">{words}</p>\n");
}

/// All wagers in one table.
fn values(bets: &[BetValue], body: &mut String) {
    section(
        "What every wager is worth",
        "The policy is the way of playing. The expectation is the player’s net gain per unit of the \
         wager; risk is the expected loss per unit of everything staked; spread is the standard \
         deviation. A number after ≈ is simulated, and its error is given below.",
        body,
    );
    body.push_str(
        "<div class=\"wide\"><table>\n<thead><tr><th>wager</th><th>policy</th><th class=\"n\">expectation</th>\
         <th class=\"n\">risk</th><th class=\"n\">spread</th><th class=\"n\">wins</th><th>method</th></tr></thead>\n",
    );
    for value in bets {
        let class = if value.ev < 0.0 { "loss" } else { "gain" };
        let _ = writeln!(
            body,
            "<tr><td>{}</td><td>{}</td><td class=\"n {class}\">{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td></tr>",
            value.bet,
            escaped(&value.policy),
            percent(value.ev),
            figure(&value.element_of_risk, share),
            figure(&value.sd, plain),
            figure(&value.hit_frequency, share),
            value.method.name(),
        );
    }
    body.push_str("</table></div>\n</section>\n");
}

/// What a simulation came to, beside the exact values of the same wagers.
fn beside(exact: &[BetValue], simulated: &SimulatedRun, body: &mut String) {
    let same = |value: &BetValue| {
        let mut alike = exact.iter().filter(|other| other.bet == value.bet);
        let only = alike.clone().count() == 1;
        alike.find(|other| only || other.policy == value.policy)
    };
    let supply = match simulated.fresh {
        true => "Every round had its own shuffle, which is what the exact values are for.",
        false => {
            "Shoes were dealt to their cut card. The exact values are for a full shoe, so part of the \
             difference is the effect of the cut card."
        }
    };
    let seats = if simulated.seats == 1 { "one seat" } else { "several seats" };
    section("Exact and simulated", &format!("Played with {seats}. {supply}"), body);
    body.push_str(
        "<div class=\"wide\"><table>\n<thead><tr><th>wager</th><th>policy</th><th class=\"n\">exact</th>\
         <th class=\"n\">simulated</th><th class=\"n\">standard error</th>\
         <th class=\"n\">errors apart</th><th class=\"n\">spread</th><th class=\"n\">risk</th>\
         <th class=\"n\">rounds</th></tr></thead>\n",
    );
    for value in &simulated.bets {
        let error = value.standard_error.unwrap_or_default();
        let by_chart = simulated.by_chart.filter(|_| value.bet == Circle::Main);
        let exact = by_chart.or_else(|| same(value).map(|exact| exact.ev));
        let _ = writeln!(
            body,
            "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            value.bet,
            escaped(&value.policy),
            exact.map_or_else(|| "unknown".to_owned(), percent),
            percent(value.ev),
            share(error),
            exact.map_or_else(String::new, |ev| {
                with_minus(&format!("{:+.2}", (value.ev - ev) / error))
            }),
            plain(value.sd.value),
            share(value.element_of_risk.value),
            grouped(&value.rounds.unwrap_or_default().to_string()),
        );
    }
    body.push_str("</table></div>\n</section>\n");
}

fn best_play(advice: &Advice, body: &mut String) {
    match advice {
        Advice::Lines(lines) => advice_lines(lines, body),
        Advice::Grids(grids, notes) => advice_grids(grids, notes, body),
    }
}

fn advice_lines(lines: &[AdviceLine], body: &mut String) {
    let high = match lines.iter().any(|line| line.when.contains("high card")) {
        true => " High cards are jacks and better.",
        false => "",
    };
    section("The best play", &format!("{GAINED}{high}"), body);
    body.push_str(
        "<div class=\"wide\"><table>\n<thead><tr><th>do</th><th>when</th><th class=\"n\">gain</th>\
         <th class=\"n\">how often</th></tr></thead>\n",
    );
    for line in lines {
        let _ = writeln!(
            body,
            "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            svg::chip(line.call, line.call.name()),
            escaped(&line.when),
            units(line.gain),
            line.share.map_or_else(String::new, share),
        );
    }
    body.push_str("</table></div>\n</section>\n");
}

fn advice_grids(grids: &[Grid], notes: &[String], body: &mut String) {
    section("The best play", "Rows are your hand, columns the dealer’s up card.", body);
    let cells = || grids.iter().flat_map(|grid| &grid.rows).flat_map(|(_, cells)| cells);
    let used = |call: Call| cells().any(|c| c.call == call || c.otherwise == Some(call));
    let legend = Call::ALL.into_iter().filter(|&call| used(call));
    let legend: Vec<_> =
        legend.map(|call| format!("<span>{}</span>", svg::chip(call, call.name()))).collect();
    let _ = writeln!(
        body,
        "<p class=\"legend\">{} <span class=\"aside\">{SMALL_LETTER}</span></p>",
        legend.join(" ")
    );
    body.push_str("<div class=\"grids\">\n");
    for grid in grids {
        let class = if grid.rows.len() > 10 { " class=\"tall\"" } else { "" };
        let _ = writeln!(
            body,
            "<figure{class}><figcaption>{}</figcaption>{}</figure>",
            escaped(&grid.title),
            svg::grid(grid)
        );
    }
    let _ = writeln!(body, "</div>\n<p class=\"small\">{}</p>", escaped(&notes.join(" ")));
    body.push_str("</section>\n");
}

/// Every way in which each wager can end.
fn outcomes(bets: &[BetValue], body: &mut String) {
    section(
        "How wagers end",
        "Beside each outcome: the net gain in units of the wager, how often it comes, and on the far \
         right how many combinations lead to it. Each line to the left is ten times rarer.",
        body,
    );
    for value in bets {
        let chart = match value.outcomes.is_empty() {
            true => String::new(),
            false => svg::outcomes(&value.outcomes),
        };
        let _ = writeln!(
            body,
            "<figure>\n<figcaption>{} <span>{}</span> {}</figcaption>\n<div class=\"wide\">{chart}</div>",
            value.bet,
            escaped(&value.policy),
            percent(value.ev),
        );
        details(value, body);
        body.push_str("</figure>\n");
    }
    body.push_str("</section>\n");
}

/// What stands below a chart of outcomes: the fraction, the counts, and what must be known.
fn details(value: &BetValue, body: &mut String) {
    let mut words = Vec::new();
    if let Some(exact) = value.ev_exact.as_ref().and_then(|ev| ev.printable()) {
        words.push(with_minus(&format!("exactly {exact}")));
    }
    if let Some(all) = &value.combinations {
        words.push(format!("of {} combinations", grouped(&all.to_string())));
    }
    words.extend(errors(value));
    for (name, number) in &value.figures {
        words.push(further(name, *number));
    }
    for words in [words.join("; "), value.notes.join(" ")] {
        if !words.is_empty() {
            let _ = writeln!(body, "<p class=\"small\">{}</p>", escaped(&words));
        }
    }
}

/// What the other values of each option would change.
fn options(what_if: &WhatIf, body: &mut String) {
    section(
        "What each option costs",
        "One option is changed at a time. Bars to the right are better for the player.",
        body,
    );
    for now in &what_if.now {
        let change = |lines: &[if_so::TriedValue]| {
            let change = lines[0].changes.iter().find(|change| change.wager == now.wager)?;
            Some((format!("{} = {}", lines[0].term.key, values_of(lines)), change.change?))
        };
        let changes: Vec<_> = what_if.alike().filter_map(change).collect();
        if !changes.is_empty() {
            let label = format!("Changes of {}", now.wager);
            let _ = writeln!(
                body,
                "<figure>\n<figcaption>{} <span>{}</span> now {}</figcaption>\n<div class=\"wide\">{}</div></figure>",
                now.wager.bet,
                escaped(&now.wager.policy),
                percent(now.ev),
                svg::changes(&changes, &label)
            );
        }
    }
    let keys = |terms: &[&rules::terms::Term]| -> String {
        terms.iter().map(|term| format!("<code>{}</code>", term.key)).collect::<Vec<_>>().join(" ")
    };
    if !what_if.idle.is_empty() {
        let _ = writeln!(
            body,
            "<p class=\"small\">No effect on any wager: {}. Not tried (amounts and times): {}.</p>",
            keys(&what_if.idle),
            keys(&what_if.amounts)
        );
    }
    for UntriedValue { term, to, why } in &what_if.refused {
        let _ = writeln!(body, "<p class=\"small\">{}</p>", escaped(&not_tried(term, to, why)));
    }
    body.push_str("</section>\n");
}

/// What each card gone does to each wager.
fn counts(countable: &[Countable], body: &mut String) {
    section(
        "How countable the wagers are",
        "How the expectation changes when one card of a rank is removed, and the best counts made from \
         that: a card’s number is added when it is seen. A correlation of 1 would be the best linear \
         count.",
        body,
    );
    for one in countable {
        let changes: Vec<_> =
            one.removal.iter().map(|(rank, effect)| (rank.name().to_owned(), *effect)).collect();
        let label = format!("Effect of removal on {}", one.wager);
        let chart = match one.counts.is_empty() {
            true => "<p class=\"small\">No rank matters more than another: there is nothing to count.</p>"
                .into(),
            false => svg::changes(&changes, &label),
        };
        let _ = writeln!(
            body,
            "<figure>\n<figcaption>{} <span>{}</span></figcaption>\n<div class=\"wide\">{chart}</div>",
            one.wager.bet,
            escaped(&one.wager.policy),
        );
        count_table(one, body);
        body.push_str("</figure>\n");
    }
    body.push_str("</section>\n");
}

fn count_table(one: &Countable, body: &mut String) {
    if one.counts.is_empty() {
        return;
    }
    body.push_str("<div class=\"wide\"><table class=\"count\"><thead><tr><th>rank</th>");
    for (rank, _) in &one.removal {
        let _ = write!(body, "<th class=\"n\">{}</th>", rank.letter());
    }
    body.push_str("<th class=\"n\">correlation</th></tr></thead>\n");
    for count in &one.counts {
        let level = count.tags.iter().map(|tag| tag.abs()).max().unwrap_or(0);
        let _ = write!(body, "<tr><td>level {level}</td>");
        for tag in &count.tags {
            let _ = write!(body, "<td class=\"n\">{}</td>", units((*tag).into()));
        }
        let _ = writeln!(body, "<td class=\"n\">{}</td></tr>", plain(count.correlation));
    }
    body.push_str("</table></div>\n");
    if let Some(spread) = one.spread_at_cut_card {
        let _ = writeln!(
            body,
            "<p class=\"small\">When the cut card comes out, the expectation has a standard deviation of \
             {} (linear estimate).</p>",
            share(spread)
        );
    }
}

/// How to read it all, and every house option.
fn reading(report: &Report, body: &mut String) {
    let options: Vec<_> = report
        .table
        .sheet()
        .entries()
        .map(|(term, value)| format!("{}={}", escaped(&term.key), escaped(value)))
        .collect();
    let _ = write!(
        body,
        "<footer>\n<p>Every number is exact unless it is marked as simulated: all ways in which the \
         cards can fall are counted by the rules themselves, or the expectation is solved for the \
         strategy that is named. Play money only.</p>\n<p>All house options: <code>{}</code></p>\n\
         </footer>\n",
        options.join(" ")
    );
}
