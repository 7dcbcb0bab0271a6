//! The report as one page that needs nothing else, and can be printed.

use maud::{Markup, html};
use odds::count::CountRow;
use rules::terms::TermSheet;

use super::operator::{OperatorStudy, TriedTable};
use super::plots;
use super::show;
use super::study::{Study, WagerStudy, chips, tags, words_of};
use crate::odds::html::{ReportPage, section, table};
use crate::odds::numbers::{percent, plain, share, units};
use crate::text::{grouped, with_minus};

const OWN_STYLE: &str = include_str!("count.css");

fn whole_page(
    (title, kicker, lead): (&str, &str, &str),
    content: Markup,
    sheet: &TermSheet,
) -> String {
    let page = ReportPage {
        title,
        heading: title,
        kicker,
        lead: html! { (lead) },
        style: OWN_STYLE,
        content,
        reading: "Edges are simulated; the rounds are those of the rules themselves. Effects of removal \
                  and the values behind index plays are exact. Play money only.",
        sheet: Some(sheet),
    };
    page.html()
}

/// The whole page of a count.
pub(super) fn page(study: &Study) -> String {
    let content = html! {
        (worth(study))
        (followed(study))
        @if study.trips.is_some() { (trips(study)) }
        (the_count(study))
        @if let Some(found) = &study.indices { (indices(found)) }
        @for wager in study.wagers.iter().filter(|wager| wager.bet != study.request.wager.0) {
            (other(wager))
        }
    };
    let lead = grouped(&show::assumed(study));
    whole_page((&show::title(study), "card counting", &lead), content, study.sheet())
}

fn worth(study: &Study) -> Markup {
    let rows = html! {
        @for (what, number) in show::worth(study) { tr { td { (what) } td { (grouped(&number)) } } }
    };
    section(
        "What it is worth",
        "SCORE is the gain of 100 rounds with a bankroll of 10,000 at full Kelly; N0 is how many rounds \
         it takes until the expected gain is one standard deviation; the certainty equivalent is the \
         certain gain that is as good at this Kelly fraction.",
        &table(&["figure", "value"], &rows),
    )
}

fn figure(caption: &str, drawing: &Markup) -> Markup {
    html! { figure { figcaption { (caption) } div .wide { (drawing) } } }
}

fn followed(study: &Study) -> Markup {
    let wager = study.followed();
    let rows = show::shown(wager);
    let lines = html! {
        @for row in &rows {
            tr {
                (cells(wager, row))
                td .n { (grouped(&chips(study.bets.at(row.true_count)).to_string())) }
            }
        }
    };
    let content = html! {
        (figure("Edge, with the interval that holds the true one 95 times in 100",
            &plots::edges(&rows, "Edge by true count")))
        (figure("How often each true count comes",
            &plots::frequencies(&rows, "Share of rounds by true count")))
        (figure("Bets", &plots::bets(&rows, &study.bets, "Bet by true count")))
        (table(&[&columns(wager)[..], &["#bet"]].concat(), &lines))
    };
    section(
        &format!("{} by true count", capital(&wager.bet.to_string())),
        &show::line(wager),
        &content,
    )
}

/// The names of the cells of a wager.
fn columns(wager: &WagerStudy) -> Vec<&'static str> {
    let even_at = wager.meter.map(|_| "#even at meter");
    ["#true count", "#how often", "#edge", "#error", "#spread"].into_iter().chain(even_at).collect()
}

fn cells(wager: &WagerStudy, row: &CountRow) -> Markup {
    html! {
        td .n { (with_minus(&format!("{:+}", row.true_count))) }
        td .n { (share(row.share)) }
        td class={ "n " (if row.edge < 0.0 { "loss" } else { "gain" }) } { (percent(row.edge)) }
        td .n { (share(row.error)) }
        td .n { (plain(row.sd)) }
        @if let Some(even_at) = show::even_at(wager, row) { td .n { (even_at) } }
    }
}

fn other(wager: &WagerStudy) -> Markup {
    let rows = show::shown(wager);
    let lines = html! { @for row in &rows { tr { (cells(wager, row)) } } };
    let content = html! {
        (figure("Edge", &plots::edges(&rows, "Edge by true count")))
        (table(&columns(wager), &lines))
    };
    section(
        &format!("{} by true count", capital(&wager.bet.to_string())),
        &show::line(wager),
        &content,
    )
}

fn trips(study: &Study) -> Markup {
    let (Some(trips), Some(bankroll)) = (&study.trips, study.bankroll) else { return html! {} };
    let hours = study.request.trip_rounds as f64 / study.request.pace as f64;
    let content = html! {
        (figure("How trips went: half of them within the dark band, nine of ten within the light one",
            &plots::trips(trips, hours, "Gains on simulated trips")))
        (figure("Risk of ruin by the bankroll, by the formula",
            &plots::ruin(&study.prospect, bankroll, "Risk of ruin by bankroll")))
    };
    let lead = format!("{} trips were played with shoes of their own.", trips.count());
    section("Bankroll", &grouped(&lead), &content)
}

fn the_count(study: &Study) -> Markup {
    let tags = tags(&study.count.system);
    let content = html! {
        div .wide {
            table .count {
                thead { tr { th { "rank" } @for (rank, _) in &tags { th .n { (rank) } } } }
                tr { td { "number" } @for (_, tag) in &tags { td .n { (units(*tag)) } } }
            }
        }
        @for wager in &study.wagers {
            @if let Some(correlation) = wager.correlation {
                p .small {
                    "Correlation with the best linear count for " (wager.bet.to_string()) ": "
                    (with_minus(&format!("{correlation:.3}")))
                }
            }
        }
    };
    let lead = "A card’s number is added when the card is seen; the true count is the sum divided by the \
                decks not seen yet.";
    section("The count", lead, &content)
}

fn indices(found: &super::study::IndexStudy) -> Markup {
    let rows = html! {
        @for play in &found.plays {
            @let words = words_of(play);
            tr {
                td { (words.hand) }
                td { (words.up) }
                td { (words.usual) }
                td { (words.better) }
                td .n { (show::when(play.index, play.is_above)) }
                td .n { (with_minus(&format!("{:+.1}", play.break_even))) }
                td .n { (percent(play.gain)) }
            }
        }
    };
    let [before, after] = found.edges.map(percent);
    let lead = format!(
        "Where another play than the chart’s is better, by the true count at the decision. A flat bet \
         gains {before} by the chart alone and {after} with all of these plays."
    );
    let columns = ["hand", "up card", "chart", "better", "#when", "#even at", "#adds"];
    section("Index plays", &lead, &table(&columns, &rows))
}

/// The whole page for an operator.
pub(super) fn operator_page(study: &OperatorStudy<'_>) -> String {
    let point = |tried: &TriedTable, gain: f64| (tried.depth.0 as f64 / tried.depth.1 as f64, gain);
    let mut depths: Vec<&TriedTable> = study.depths.iter().collect();
    depths.sort_by_key(|tried| tried.depth.0);
    let always: Vec<_> =
        depths.iter().map(|tried| point(tried, study.hourly(&tried.always))).collect();
    let choosy: Vec<_> =
        depths.iter().map(|tried| point(tried, study.hourly(&tried.choosy))).collect();
    let by_cut = html! {
        (figure("What a counter wins in an hour: betting in every round (solid), and choosing the rounds (dashed)",
            &plots::depths(&always, &choosy, "Gain per hour by how much is dealt")))
        (tried(study, &study.depths))
    };
    let content = html! {
        (section("By the cut card", &study.verdict(), &by_cut))
        @if !study.options.is_empty() {
            (section("By option", "One option is changed at a time.", &tried(study, &study.options)))
        }
        p .small { (show::HOW_TO_READ) }
    };
    let lead = grouped(&show::operator_lead(study));
    let sheet = study.request.plan.sheet();
    whole_page((&show::operator_title(study), "for the house", &lead), content, sheet)
}

fn tried(study: &OperatorStudy<'_>, tables: &[TriedTable]) -> Markup {
    let rows = html! {
        @for one in tables {
            @let cells = show::tried_cells(study, one);
            tr {
                td { (cells[0]) }
                @for cell in &cells[1..] { td .n { (cell) } }
            }
        }
    };
    let columns: Vec<String> = show::TRIED_COLUMNS
        .iter()
        .enumerate()
        .map(|(i, name)| if i == 0 { (*name).to_owned() } else { format!("#{name}") })
        .collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    table(&columns, &rows)
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
