//! The report as one page that needs nothing else, and can be printed.

use ::odds::countable::Countable;
use ::odds::game::Wager;
use ::odds::value::BetValue;
use ::odds::what_if::{self as if_so, UntriedValue, WhatIf};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use rules::round::Call;
use rules::terms::TermSheet;
use rules::wager::Circle;

use super::SimulatedRun;
use super::advice::{Advice, AdviceLine, Grid};
use super::numbers::{errors, figure, further, percent, plain, share, units};
use super::report::{GAINED, Report, SMALL_LETTER, not_tried, values_of};
use super::svg;
use crate::text::{grouped, with_minus};
use crate::version;

const STYLE: &str = include_str!("report.css");

/// A page that needs nothing else.
pub(crate) struct ReportPage<'a> {
    pub(crate) title: &'a str,
    pub(crate) heading: &'a str,
    /// What kind of report it is.
    pub(crate) kicker: &'a str,
    /// What the numbers are for.
    pub(crate) lead: Markup,
    /// Styles that only this kind of report needs.
    pub(crate) style: &'a str,
    pub(crate) content: Markup,
    /// How to read it all.
    pub(crate) reading: &'a str,
    /// The table that it is about, where it is about one.
    pub(crate) sheet: Option<&'a TermSheet>,
}

impl ReportPage<'_> {
    /// The whole page, with where the numbers come from and every house option.
    pub(crate) fn html(&self) -> String {
        let options = self.sheet.map(|sheet| {
            let options = sheet.entries().map(|(term, value)| format!("{}={value}", term.key));
            options.collect::<Vec<_>>().join(" ")
        });
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (self.title) }
                    style { (PreEscaped(STYLE)) (PreEscaped(self.style)) }
                }
                body {
                    header {
                        p .kicker { "Pitboss · " (self.kicker) }
                        h1 { (self.heading) }
                        p .terms { (self.lead) }
                        dl {
                            dt { "Created" }
                            dd { (version::today()) " by pitboss " (version::PROGRAM) }
                            dt { "Command" } dd { code { (version::command()) } }
                            dt { "Rules" } dd { code { (version::rules()) } " (version and hash)" }
                        }
                    }
                    (self.content)
                    footer {
                        p { (self.reading) }
                        @if let Some(options) = options {
                            p { "All house options: " code { (options) } }
                        }
                    }
                }
            }
        };
        page.into_string()
    }
}

/// The whole page.
pub(crate) fn page(report: &Report) -> String {
    let content = html! {
        (values(&report.bets))
        @if let Some(simulated) = &report.simulated { (beside(&report.bets, simulated)) }
        @if let Some(advice) = &report.advice { (best_play(advice)) }
        (outcomes(&report.bets))
        @if let Some(what_if) = &report.what_if { (options(what_if)) }
        @if let Some(countable) = &report.countable { (counts(countable)) }
    };
    let page = ReportPage {
        title: &format!("{}: exact odds", report.game().title()),
        heading: report.game().title(),
        kicker: "exact odds",
        lead: assumed(report),
        style: "",
        content,
        reading: "Every number is exact unless it is marked as simulated: all ways in which the cards \
                  can fall are counted by the rules themselves, or the expectation is solved for the \
                  strategy that is named. Play money only.",
        sheet: Some(report.table.sheet()),
    };
    page.html()
}

/// What the numbers are for.
fn assumed(report: &Report) -> Markup {
    let chosen: Vec<_> = report
        .table
        .sheet()
        .chosen()
        .map(|(term, value)| html! { code { (term.key) "=" (value) } }.into_string())
        .collect();
    PreEscaped(report.assumed(match chosen.is_empty() {
        true => None,
        false => Some(chosen.join(" ")),
    }))
}

pub(crate) fn section(title: &str, lead: &str, content: &Markup) -> Markup {
    html! { section { h2 { (title) } p .lead { (lead) } (content) } }
}

/// A column whose name begins with `#` has numbers.
pub(crate) fn table(columns: &[&str], rows: &Markup) -> Markup {
    html! {
        div .wide {
            table {
                thead {
                    tr {
                        @for column in columns {
                            @match column.strip_prefix('#') {
                                Some(name) => th .n { (name) },
                                None => th { (column) },
                            }
                        }
                    }
                }
                (rows)
            }
        }
    }
}

/// All wagers in one table.
fn values(bets: &[BetValue]) -> Markup {
    let columns = ["wager", "policy", "#expectation", "#risk", "#spread", "#wins", "method"];
    let rows = html! {
        @for value in bets {
            tr {
                td { (value.bet.to_string()) }
                td { (value.policy) }
                td class={ "n " (if value.ev < 0.0 { "loss" } else { "gain" }) } { (percent(value.ev)) }
                td .n { (figure(&value.element_of_risk, share)) }
                td .n { (figure(&value.sd, plain)) }
                td .n { (figure(&value.hit_frequency, share)) }
                td { (value.method.name()) }
            }
        }
    };
    section(
        "What every wager is worth",
        "The policy is the way of playing. The expectation is the player’s net gain per unit of the \
         wager; risk is the expected loss per unit of everything staked; spread is the standard \
         deviation. A number after ≈ is simulated, and its error is given below.",
        &table(&columns, &rows),
    )
}

/// What a simulation came to, beside the exact values of the same wagers.
fn beside(exact: &[BetValue], simulated: &SimulatedRun) -> Markup {
    let same = |value: &BetValue| {
        let mut alike = exact.iter().filter(|other| other.bet == value.bet);
        let only = alike.clone().count() == 1;
        alike.find(|other| only || other.policy == value.policy)
    };
    let exact_of = |value: &BetValue| {
        let by_chart = simulated.by_chart.filter(|_| value.bet == Circle::Main);
        by_chart.or_else(|| same(value).map(|exact| exact.ev))
    };
    let apart = |value: &BetValue, ev: f64| {
        let error = value.standard_error.unwrap_or_default();
        with_minus(&format!("{:+.2}", (value.ev - ev) / error))
    };
    let supply = match simulated.fresh {
        true => "Every round had its own shuffle, which is what the exact values are for.",
        false => {
            "Shoes were dealt to their cut card. The exact values are for a full shoe, so part of the \
             difference is the effect of the cut card."
        }
    };
    let seats = if simulated.seats == 1 { "one seat" } else { "several seats" };
    let columns = [
        "wager",
        "policy",
        "#exact",
        "#simulated",
        "#standard error",
        "#errors apart",
        "#spread",
        "#risk",
        "#rounds",
    ];
    let rows = html! {
        @for value in &simulated.bets {
            @let exact = exact_of(value);
            tr {
                td { (value.bet.to_string()) }
                td { (value.policy) }
                td .n { (exact.map_or_else(|| "unknown".to_owned(), percent)) }
                td .n { (percent(value.ev)) }
                td .n { (share(value.standard_error.unwrap_or_default())) }
                td .n { @if let Some(ev) = exact { (apart(value, ev)) } }
                td .n { (plain(value.sd.value)) }
                td .n { (share(value.element_of_risk.value)) }
                td .n { (grouped(&value.rounds.unwrap_or_default().to_string())) }
            }
        }
    };
    let lead = format!("Played with {seats}. {supply}");
    section("Exact and simulated", &lead, &table(&columns, &rows))
}

fn best_play(advice: &Advice) -> Markup {
    match advice {
        Advice::Lines(lines) => advice_lines(lines),
        Advice::Grids(grids, notes) => advice_grids(grids, notes),
    }
}

fn advice_lines(lines: &[AdviceLine]) -> Markup {
    let high = match lines.iter().any(|line| line.when.contains("high card")) {
        true => " High cards are jacks and better.",
        false => "",
    };
    let rows = html! {
        @for line in lines {
            tr {
                td { (svg::chip(line.call, line.call.name())) }
                td { (line.when) }
                td .n { (units(line.gain)) }
                td .n { @if let Some(often) = line.share { (share(often)) } }
            }
        }
    };
    let columns = ["do", "when", "#gain", "#how often"];
    section("The best play", &format!("{GAINED}{high}"), &table(&columns, &rows))
}

fn advice_grids(grids: &[Grid], notes: &[String]) -> Markup {
    let cells = || grids.iter().flat_map(|grid| &grid.rows).flat_map(|(_, cells)| cells);
    let is_used = |call: &Call| cells().any(|c| c.call == *call || c.otherwise == Some(*call));
    let content = html! {
        p .legend {
            @for call in Call::ALL.into_iter().filter(is_used) {
                span { (svg::chip(call, call.name())) } " "
            }
            span .aside { (SMALL_LETTER) }
        }
        div .grids {
            @for grid in grids {
                figure .tall[grid.rows.len() > 10] {
                    figcaption { (grid.title) }
                    (svg::grid(grid))
                }
            }
        }
        p .small { (notes.join(" ")) }
    };
    section("The best play", "Rows are your hand, columns the dealer’s up card.", &content)
}

/// Every way in which each wager can end.
fn outcomes(bets: &[BetValue]) -> Markup {
    let content = html! {
        @for value in bets {
            figure {
                figcaption {
                    (value.bet.to_string()) " " span { (value.policy) } " " (percent(value.ev))
                }
                div .wide {
                    @if !value.outcomes.is_empty() { (svg::outcomes(&value.outcomes)) }
                }
                (details(value))
            }
        }
    };
    section(
        "How wagers end",
        "Beside each outcome: the net gain in units of the wager, how often it comes, and on the far \
         right how many combinations lead to it. Each line to the left is ten times rarer.",
        &content,
    )
}

/// What stands below a chart of outcomes: the fraction, the counts, and what must be known.
fn details(value: &BetValue) -> Markup {
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
    let lines = [words.join("; "), value.notes.join(" ")];
    html! { @for line in lines.iter().filter(|line| !line.is_empty()) { p .small { (line) } } }
}

/// What the other values of each option would change.
fn options(what_if: &WhatIf) -> Markup {
    let keys = |terms: &[&rules::terms::Term]| {
        html! { @for (i, term) in terms.iter().enumerate() { @if i > 0 { " " } code { (term.key) } } }
    };
    let content = html! {
        @for now in &what_if.now {
            @let changes = changes_of(what_if, &now.wager);
            @if !changes.is_empty() {
                figure {
                    figcaption {
                        (now.wager.bet.to_string()) " " span { (now.wager.policy) } " now " (percent(now.ev))
                    }
                    div .wide { (svg::changes(&changes, &format!("Changes of {}", now.wager))) }
                }
            }
        }
        @if !what_if.idle.is_empty() {
            p .small {
                "No effect on any wager: " (keys(&what_if.idle)) ". Not tried (amounts and times): "
                (keys(&what_if.amounts)) "."
            }
        }
        @for UntriedValue { term, to, why } in &what_if.refused {
            p .small { (not_tried(term, to, why)) }
        }
    };
    section(
        "What each option costs",
        "One option is changed at a time. Bars to the right are better for the player.",
        &content,
    )
}

/// What the options do to a wager, each with its name.
fn changes_of(what_if: &WhatIf, wager: &Wager) -> Vec<(String, f64)> {
    let change = |lines: &[if_so::TriedValue]| {
        let change = lines[0].changes.iter().find(|change| change.wager == *wager)?;
        Some((format!("{} = {}", lines[0].term.key, values_of(lines)), change.change?))
    };
    what_if.alike().filter_map(change).collect()
}

/// What each card gone does to each wager.
fn counts(countable: &[Countable]) -> Markup {
    let chart = |one: &Countable| {
        let changes: Vec<_> =
            one.removal.iter().map(|(rank, effect)| (rank.name().to_owned(), *effect)).collect();
        svg::changes(&changes, &format!("Effect of removal on {}", one.wager))
    };
    let content = html! {
        @for one in countable {
            figure {
                figcaption { (one.wager.bet.to_string()) " " span { (one.wager.policy) } }
                @if one.counts.is_empty() {
                    div .wide {
                        p .small { "No rank matters more than another: there is nothing to count." }
                    }
                } @else {
                    div .wide { (chart(one)) }
                    (count_table(one))
                }
            }
        }
    };
    section(
        "How countable the wagers are",
        "How the expectation changes when one card of a rank is removed, and the best counts made from \
         that: a card’s number is added when it is seen. A correlation of 1 would be the best linear \
         count.",
        &content,
    )
}

fn count_table(one: &Countable) -> Markup {
    html! {
        div .wide {
            table .count {
                thead {
                    tr {
                        th { "rank" }
                        @for (rank, _) in &one.removal { th .n { (rank.letter()) } }
                        th .n { "correlation" }
                    }
                }
                @for count in &one.counts {
                    tr {
                        td { "level " (count.tags.iter().map(|tag| tag.abs()).max().unwrap_or(0)) }
                        @for tag in &count.tags { td .n { (units((*tag).into())) } }
                        td .n { (plain(count.correlation)) }
                    }
                }
            }
        }
        @if let Some(spread) = one.spread_at_cut_card {
            p .small {
                "When the cut card comes out, the expectation has a standard deviation of "
                (share(spread)) " (linear estimate)."
            }
        }
    }
}
