//! The main wager of a blackjack, under any of the three books.

use rules::games::AnyRound;
use rules::games::blackjack::{Book, DoubleAttack, DoubleDeck, FreeBet};
use rules::money::Chips;
use rules::round::Act;
use rules::terms::TermSheet;
use rules::wager::{Bettor, Game};

use crate::blackjack::{self, Analyzer, Siblings};
use crate::strategy::Chart;
use crate::unseen::Unseen;
use crate::value::{ActValue, BetValue};

/// Calls a function with the book of a blackjack; none of another game.
macro_rules! by_book {
    ($sheet:expr, $work:ident($($argument:expr),*)) => {
        match $sheet.game() {
            Game::DoubleDeck => Some($work::<DoubleDeck>($sheet, $($argument),*)),
            Game::DoubleAttack => Some($work::<DoubleAttack>($sheet, $($argument),*)),
            Game::FreeBet => Some($work::<FreeBet>($sheet, $($argument),*)),
            _ => None,
        }
    };
}

/// What `best` and `basic` gain on average; `basic` follows `kept`, if there is such a chart.
pub(crate) fn expectations(
    sheet: &TermSheet,
    wager: Chips,
    unseen: &Unseen,
    kept: Option<&Chart>,
) -> Option<[(&'static str, f64); 2]> {
    by_book!(sheet, expectations_of(wager, unseen, kept))
}

/// What the best play gains on average, with the insurance that is taken where it gains.
pub(crate) fn before_a_round(sheet: &TermSheet, wager: Chips, unseen: &Unseen) -> Option<f64> {
    by_book!(sheet, before_a_round_of(wager, unseen))
}

/// What a chart gains on average.
pub(crate) fn by_chart(
    sheet: &TermSheet,
    wager: Chips,
    unseen: &Unseen,
    chart: &Chart,
) -> Option<f64> {
    by_book!(sheet, by_chart_of(wager, unseen, chart))
}

/// The chart that comes closest to the best play.
pub(crate) fn chart(sheet: &TermSheet, wager: Chips, unseen: &Unseen) -> Option<Chart> {
    by_book!(sheet, chart_of(wager, unseen))
}

/// The full value of the main wager for `best` and `basic`; none in another game.
pub(crate) fn bets(sheet: &TermSheet, wager: Chips, unseen: &Unseen) -> Vec<BetValue> {
    by_book!(sheet, bets_of(wager, unseen)).unwrap_or_default()
}

/// Does something with the round of a blackjack; none of another game.
macro_rules! in_blackjack {
    ($any:expr, $round:ident => $work:expr) => {
        match $any {
            AnyRound::DoubleDeck($round) => Some($work),
            AnyRound::DoubleAttack($round) => Some($work),
            AnyRound::FreeBet($round) => Some($work),
            _ => None,
        }
    };
}

/// The value of open acts in a blackjack; none in another game.
pub(crate) fn values_of(
    sheet: &TermSheet,
    round: &AnyRound,
    bettor: Bettor,
    acts: &[Act],
    unseen: &Unseen,
) -> Vec<ActValue> {
    let values =
        in_blackjack!(round, round => blackjack::values_of(sheet, round, bettor, acts, unseen));
    values.unwrap_or_default()
}

/// What the cards left must count for a bettor of this round; none in another game.
pub(crate) fn points_needed(
    sheet: &TermSheet,
    round: &AnyRound,
    bettor: Bettor,
    unseen: &Unseen,
) -> Option<u32> {
    in_blackjack!(round, round => blackjack::points_needed(sheet, round, bettor, unseen))
}

/// Whether the cards left allow for the dealer's face-down card.
pub(crate) fn has_hole_card(round: &AnyRound, unseen: &Unseen) -> bool {
    in_blackjack!(round, round => blackjack::has_hole_card(round, unseen)).unwrap_or(true)
}

fn expectations_of<B: Book>(
    sheet: &TermSheet,
    wager: Chips,
    unseen: &Unseen,
    kept: Option<&Chart>,
) -> [(&'static str, f64); 2] {
    let analyzer = Analyzer::<B>::for_wager(sheet, wager);
    let best = analyzer.solve(unseen, Siblings::OwnCards);
    let basic = match kept {
        Some(chart) => analyzer.by_chart(unseen, chart),
        None => analyzer.by_chart(unseen, &analyzer.chart(unseen, &best)),
    };
    [("best", best.ev), ("basic", basic.ev)]
}

fn before_a_round_of<B: Book>(sheet: &TermSheet, wager: Chips, unseen: &Unseen) -> f64 {
    blackjack::before_a_round::<B>(sheet, wager, unseen)
}

fn by_chart_of<B: Book>(sheet: &TermSheet, wager: Chips, unseen: &Unseen, chart: &Chart) -> f64 {
    Analyzer::<B>::for_wager(sheet, wager).by_chart(unseen, chart).ev
}

fn chart_of<B: Book>(sheet: &TermSheet, wager: Chips, unseen: &Unseen) -> Chart {
    let analyzer = Analyzer::<B>::for_wager(sheet, wager);
    analyzer.chart(unseen, &analyzer.solve(unseen, Siblings::OwnCards))
}

fn bets_of<B: Book>(sheet: &TermSheet, wager: Chips, unseen: &Unseen) -> Vec<BetValue> {
    let analyzer = Analyzer::<B>::for_wager(sheet, wager);
    let best = analyzer.solve(unseen, Siblings::OwnCards);
    let basic = analyzer.by_chart(unseen, &analyzer.chart(unseen, &best));
    let value = |solution, policy| analyzer.value(sheet, unseen, solution, policy);
    vec![value(&best, "best"), value(&basic, "basic")]
}
