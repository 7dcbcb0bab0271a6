//! Which house options are kept for the table's procedures: no round and no `play` obeys them yet.

use rules::terms::Term;
use rules::wager::Game;

/// Options that neither a round nor `play` reads.
const WAITING: [&str; 19] = [
    "action_timeout_s",
    "approved_procedure_profile",
    "card_supply",
    "coupons",
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
    "tie_timeout",
    "verbal_cash",
];

/// Whether an option is only kept for the table's procedures.
pub(crate) fn keep(term: &Term) -> bool {
    // Of the machines only the continuous one of Free Bet makes a difference so far.
    let is_machine = term.key == "shuffle_method" && term.game != Some(Game::FreeBet);
    is_machine || WAITING.contains(&term.key.as_str())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use rules::terms;

    use super::*;

    #[test]
    fn only_options_of_the_table_wait_and_all_of_them_exist() {
        for key in WAITING {
            let mut named = terms::all().iter().filter(|term| term.key == key).peekable();
            assert!(named.peek().is_some(), "there is no {key}");
            assert!(named.all(|term| term.scope == "table"), "{key} bears on a round");
        }
    }

    #[test]
    fn an_option_waits_exactly_while_no_round_and_no_play_reads_it() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut code = String::new();
        let mut folders = vec![root.join("../rules/src"), root.join("src/play")];
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                match path.is_dir() {
                    // The procedures themselves, which `play` does not use yet.
                    true if path.ends_with("rules/src/table") => {}
                    true => folders.push(path),
                    false => code += &text(path),
                }
            }
        }
        for term in terms::all().iter().filter(|term| term.key != "shuffle_method") {
            let is_read = code.contains(&format!("\"{}\"", term.key));
            assert_eq!(keep(term), !is_read, "{}", term.key);
        }
    }

    /// The code of a file without its unit tests.
    fn text(path: PathBuf) -> String {
        let text = fs::read_to_string(path).unwrap();
        text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().to_owned()
    }
}
