//! Who obeys a house option: a round, the table around it, or people with paper.

use rules::terms::Term;
use rules::wager::Game;

/// Options of the table's procedures, which `play` does not have.
const AT_THE_TABLE: [&str; 18] = [
    "action_timeout_s",
    "approved_procedure_profile",
    "card_supply",
    "cover_last_card",
    "cut_by",
    "dealing_from",
    "discretionary_reshuffle",
    "face_up_count_scope",
    "face_up_void_threshold",
    "idle_spread",
    "idle_timeout_s",
    "mid_shoe_entry",
    "reader_reveals_to_players",
    "recut_by",
    "second_deck",
    "sit_out_rounds_allowed",
    "shuffle_method",
    "tie_timeout",
];

/// Options that no program carries out: coupons and spoken wagers.
const ON_PAPER: [&str; 2] = ["coupons", "verbal_cash"];

/// Whether `play` has nothing that would obey an option.
pub(crate) fn is_not_in_play(term: &Term) -> bool {
    // Of the machines only the continuous one of Free Bet makes a difference there.
    let is_obeyed = term.key == "shuffle_method" && term.game == Some(Game::FreeBet);
    !is_obeyed && AT_THE_TABLE.contains(&term.key.as_str()) || is_on_paper(term)
}

/// Whether an option is recorded and nothing more.
pub(crate) fn is_on_paper(term: &Term) -> bool {
    ON_PAPER.contains(&term.key.as_str())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use rules::terms;

    use super::*;

    /// The options that clocks obey, which are the house's and not the table's.
    const CLOCKS: [&str; 2] = ["action_timeout_s", "idle_timeout_s"];

    #[test]
    fn only_options_of_the_table_are_listed_and_all_of_them_exist() {
        for key in AT_THE_TABLE.iter().chain(&ON_PAPER) {
            let mut named = terms::all().iter().filter(|term| term.key == *key).peekable();
            assert!(named.peek().is_some(), "there is no {key}");
            assert!(named.all(|term| term.scope == "table"), "{key} bears on a round");
        }
    }

    #[test]
    fn an_option_is_listed_by_who_reads_it() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let table = code(root.join("../rules/src/table"), &[]);
        let elsewhere =
            code(root.join("../rules/src"), &["table"]) + &code(root.join("src/play"), &[]);
        for term in terms::all().iter().filter(|term| term.key != "shuffle_method") {
            let key = term.key.as_str();
            let is_read = |code: &str| code.contains(&format!("\"{key}\""));
            let (at_table, in_play) = (is_read(&table), is_read(&elsewhere));
            assert_eq!(is_not_in_play(term), !in_play, "{key} in play");
            assert_eq!(is_on_paper(term), !in_play && !at_table && !CLOCKS.contains(&key), "{key}");
        }
    }

    /// The code below a folder without unit tests, and without the folders of these names.
    fn code(folder: PathBuf, without: &[&str]) -> String {
        let mut code = String::new();
        let mut folders = vec![folder];
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                match path.is_dir() {
                    true if without.iter().any(|name| path.ends_with(name)) => {}
                    true => folders.push(path),
                    false => code += &text(path),
                }
            }
        }
        code
    }

    /// The code of a file without its unit tests, and without the rows of a book that say what a
    /// refusal rests on: citing an option is not reading it.
    fn text(path: PathBuf) -> String {
        let text = fs::read_to_string(path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        // The code of a refusal has no underscore; a row that begins with an option reads it.
        let is_row = |line: &&str| {
            let code = line.trim_start().strip_prefix("(\"").and_then(|row| row.split('"').next());
            code.is_some_and(|code| !code.contains('_'))
        };
        code.lines().filter(|line| !is_row(line)).collect()
    }
}
