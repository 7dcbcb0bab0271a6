//! The review as one page that needs nothing else, and can be printed.

use ::odds::review::Parts;
use maud::html;

use super::{MOST_SHOWN, Report, chips, signed};
use crate::count::plots;
use crate::odds::html::{ReportPage, section};
use crate::odds::numbers::share;

const OWN_STYLE: &str = include_str!("../count/count.css");

pub(super) fn page(report: &Report) -> String {
    let Parts { expectation, play, luck, net } = report.review.parts();
    let result = html! {
        table {
            tr { th { "expectation" } td .n { (signed(expectation)) } td { "what the wagers are worth by the best play, given the cards seen" } }
            tr { th { "play" } td .n { (signed(play)) } td { "what the decisions cost, compared with the best ones" } }
            tr { th { "luck" } td .n { (signed(luck)) } td { "the rest, which averages to nothing" } }
            tr { th { "net" } td .n { (signed(net)) } td {} }
        }
        @for note in report.notes() { p { (note) } }
    };
    let expensive = report.review.most_expensive(MOST_SHOWN);
    let content = html! {
        (section("Play and luck", "The three parts add up to the net.", &result))
        (section(
            "Over time",
            "The net after every round, and below or above it what of that is expectation and play. What lies between the two is luck.",
            &curves(report),
        ))
        @if !expensive.is_empty() {
            (section(
                "The most expensive decisions",
                "By the cards that the player had seen.",
                &html! { ul { @for decision in expensive { li { (report.in_words(decision)) } } } },
            ))
        }
    };
    let title = report.title();
    let page = ReportPage {
        title: &title,
        heading: &title,
        kicker: "review",
        lead: html! {
            @if let Some(accuracy) = report.review.accuracy() {
                "Accuracy " (share(accuracy)) ": " (report.grades()) "."
            }
        },
        style: OWN_STYLE,
        content,
        reading: "A decision is compared with the best act by the cards that the player had seen. \
                  Play money only.",
        sheet: None,
    };
    page.html()
}

/// The net, and expectation and play.
fn curves(report: &Report) -> maud::Markup {
    let start = [(0.0, 0.0)];
    let points = |amount: &dyn Fn(&Parts) -> f64| -> Vec<(f64, f64)> {
        let later = (1_u32..).zip(report.review.over_time());
        let later = later.map(|(round, parts)| (f64::from(round), amount(&parts)));
        start.into_iter().chain(later).collect()
    };
    let net = points(&|parts| chips(parts.net));
    let expected = points(&|parts| chips(parts.expectation + parts.play));
    plots::results(
        &net,
        &expected,
        "The net after every round, and what of it is expectation and play",
    )
}
