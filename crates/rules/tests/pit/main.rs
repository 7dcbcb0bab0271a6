//! The pit: what a supervisor may order is done and nothing else, and hands come back from the
//! discard rack.

mod outcomes;
mod reconstruction;
mod sitting;

use rules::refusal::Source;
use rules::table::Kind;
use rules::wager::Game;

#[test]
fn the_page_for_supervisors_has_the_matrix() {
    let page = include_str!("../../../../docs/irregularities.md");
    let columns = [
        Game::CasinoWar,
        Game::DoubleDownStud,
        Game::DoubleDeck,
        Game::DoubleAttack,
        Game::FreeBet,
    ];
    for kind in Kind::ALL {
        let row = page.lines().find(|line| line.starts_with(&format!("| `{kind}` |")));
        let row = row.unwrap_or_else(|| panic!("{kind} has a row"));
        let cells: Vec<&str> = row.split('|').map(str::trim).skip(3).take(5).collect();
        let sources = columns.map(|game| kind.source(game).map_or("", Source::id));
        assert_eq!(cells, sources, "{kind}");
    }
}
