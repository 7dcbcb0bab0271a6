//! The review as one page that needs nothing else, and can be printed.

use ::odds::review::Parts;
use maud::{DOCTYPE, PreEscaped, html};

use super::{MOST_SHOWN, Report, chips, in_words, signed};
use crate::count::plots;
use crate::odds::html::{STYLE, section};
use crate::odds::numbers::share;
use crate::version;

const OWN_STYLE: &str = include_str!("../count/count.css");

pub(super) fn page(report: &Report) -> String {
    let Parts { expectation, play, luck, net } = report.review.parts();
    let result = html! {
        table {
            tr { th { "expectation" } td .number { (signed(expectation)) } td { "what the wagers are worth by the best play, from a full shoe" } }
            tr { th { "play" } td .number { (signed(play)) } td { "what the decisions cost, compared with the best ones" } }
            tr { th { "luck" } td .number { (signed(luck)) } td { "the rest, which averages to nothing" } }
            tr { th { "net" } td .number { (signed(net)) } td {} }
        }
        @for note in report.notes() { p { (note) } }
    };
    let expensive = report.review.most_expensive(MOST_SHOWN);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (report.title()) }
                style { (PreEscaped(STYLE)) (PreEscaped(OWN_STYLE)) }
            }
            body {
                header {
                    p .kicker { "Pitboss · review" }
                    h1 { (report.title()) }
                    @if let Some(accuracy) = report.review.accuracy() {
                        p .terms { "Accuracy " (share(accuracy)) ": " (report.grades()) "." }
                    }
                    dl {
                        dt { "Created" } dd { (version::today()) " by pitboss " (version::PROGRAM) }
                        dt { "Command" } dd { code { (version::command()) } }
                        dt { "Rules" } dd { code { (version::rules()) } " (version and hash)" }
                    }
                }
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
                        &html! { ul { @for decision in expensive { li { (in_words(decision)) } } } },
                    ))
                }
            }
        }
    };
    page.into_string()
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
