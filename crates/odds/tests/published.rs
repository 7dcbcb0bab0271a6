//! The figures in `docs/odds.md` are those that come out.

use odds::Valuation;
use odds::blackjack::{Analyzer, Siblings};
use odds::game::Expectation;
use odds::unseen::Unseen;
use rules::RULES_VERSION;
use rules::clause::rule_hash;
use rules::games::blackjack::{Book, DoubleAttack, DoubleDeck, FreeBet};
use rules::terms::TermSheet;
use rules::wager::Game;

#[test]
fn published_figures_come_out() {
    let text = std::fs::read_to_string("../../docs/odds.md").unwrap();
    let (_, figures) = text.split_once("## Our figures").unwrap();
    let rules = format!("under rules {RULES_VERSION}-{:016x};", rule_hash());
    assert!(figures.contains(&rules), "the figures are to be computed again {rules}");
    let is_figure = |line: &&str| line.starts_with("| double") || line.starts_with("| free");
    let rows: Vec<&str> = figures.lines().filter(is_figure).collect();
    assert!(rows.len() > 3);
    let come_out = |row: &&str| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let (game, terms) = (cells[1], cells[2]);
        let [best, basic] = match game {
            "double-deck" => solve::<DoubleDeck>(terms),
            "double-attack" => solve::<DoubleAttack>(terms),
            _ => solve::<FreeBet>(terms),
        };
        format!("| {game} | {terms} | {best:.9} | {basic:.9} |")
    };
    assert_eq!(rows, rows.iter().map(come_out).collect::<Vec<_>>());
}

#[test]
fn published_figures_of_other_wagers_come_out() {
    let text = std::fs::read_to_string("../../docs/odds.md").unwrap();
    let (_, figures) = text.split_once("Other wagers, for each unit").unwrap();
    let rows: Vec<&str> = figures.lines().filter(|line| line.starts_with("| ")).skip(2).collect();
    assert!(rows.len() > 8);
    let come_out = |row: &&str| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let (wager, game, terms, policy) = (cells[1], cells[2], cells[3], cells[4]);
        let table = Valuation::new(sheet(Game::named(game).unwrap(), terms)).unwrap();
        let is_it = |found: &&Expectation| {
            (found.wager.bet.to_string().as_str(), found.wager.policy.as_str()) == (wager, policy)
        };
        let all = table.expectations();
        let ev = all.iter().find(is_it).map_or(f64::NAN, |found| found.ev);
        format!("| {wager} | {game} | {terms} | {policy} | {ev:.9} |")
    };
    assert_eq!(rows, rows.iter().map(come_out).collect::<Vec<_>>());
}

fn sheet(game: Game, terms: &str) -> TermSheet {
    let mut sheet = TermSheet::new(game);
    for term in terms.split_whitespace().filter(|term| *term != "default") {
        sheet.set(term.split_once('=')).unwrap();
    }
    sheet
}

fn solve<B: Book>(terms: &str) -> [f64; 2] {
    let sheet = sheet(B::GAME, terms);
    let (analyzer, shoe) = (Analyzer::<B>::new(&sheet), Unseen::full(&sheet));
    let best = analyzer.solve(&shoe, Siblings::OwnCards);
    [best.ev, analyzer.by_chart(&shoe, &analyzer.chart(&shoe, &best)).ev]
}
