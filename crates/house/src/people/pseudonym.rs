//! Pseudonyms: what a player is called where nobody is to learn the name.

use rules::table::Name;
use sha2::{Digest, Sha256};

/// What every pseudonym begins with.
const BEGINNING: &str = "player-";

/// Hexadecimal digits of a pseudonym: 64 bits, so that two players of a table do not share one.
const DIGITS: usize = 16;

/// Whether a name could be taken for a pseudonym.
pub(super) fn is_pseudonym(name: &str) -> bool {
    let digits = name.strip_prefix(BEGINNING).unwrap_or_default();
    digits.len() == DIGITS && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// The pseudonyms of a house. They are another one at every table, and whoever does not have the key
/// of the house can neither find the name nor tell that two of them are the same player.
#[derive(Clone)]
pub struct Pseudonyms {
    key: [u8; 32],
}

impl Pseudonyms {
    /// Those of the house that has this key.
    pub const fn new(key: [u8; 32]) -> Pseudonyms {
        Pseudonyms { key }
    }

    /// The id of the house: public, and the key cannot be found from it.
    pub fn house(&self) -> Name {
        let digest =
            Sha256::new().chain_update("pitboss house\n").chain_update(self.key).finalize();
        let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        digits[..DIGITS].parse().expect("letters and digits")
    }

    /// What a player is called at a table.
    pub fn of(&self, table: &str, name: &str) -> Name {
        // The key goes in twice, so that a longer name tells nothing.
        let inner = Sha256::new().chain_update(self.key).chain_update(table).chain_update([0]);
        let inner = inner.chain_update(name).finalize();
        let outer = Sha256::new().chain_update(self.key).chain_update(inner).finalize();
        let digits: String = outer.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{BEGINNING}{}", &digits[..DIGITS]).parse().expect("letters and digits")
    }

    /// An entry of a table's log with pseudonyms in place of players' names. People who work for the
    /// house keep theirs.
    pub fn in_line(&self, table: &str, line: &str) -> String {
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        // The first word says what kind of line it is, and the next one may be its time.
        let time = usize::from(words.get(1).is_some_and(|word| word.starts_with('+')));
        let at = match words.get(1 + time).map(String::as_str) {
            Some(
                "sit" | "consent" | "revoke" | "sat" | "left" | "consented" | "revoked"
                | "in-front" | "seat",
            ) => Some(3),
            Some("gone" | "person") => Some(2),
            _ => None,
        };
        if let Some(word) = at.and_then(|at| words.get_mut(at + time)) {
            *word = self.of(table, word).to_string();
        }
        // What follows is somebody's own words.
        for word in words.iter_mut().take_while(|word| *word != "because") {
            if let Some(name) = word.strip_prefix("player:") {
                *word = format!("player:{}", self.of(table, name));
            }
        }
        words.join(" ")
    }

    /// How a table stood, line by line, with pseudonyms in place of players' names.
    pub fn in_standing(&self, table: &str, standing: &str) -> String {
        let line = |line: &str| self.in_line(table, &format!("= {line}"))["= ".len()..].to_owned();
        standing.lines().map(line).collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pseudonym_is_one_per_player_and_table_and_needs_the_key() {
        let house = Pseudonyms::new([7; 32]);
        let ann = house.of("war-1", "ann");
        assert_eq!(ann, house.of("war-1", "ann"));
        assert_ne!(ann, house.of("war-2", "ann"));
        assert_ne!(ann, house.of("war-1", "bob"));
        assert_ne!(ann, Pseudonyms::new([8; 32]).of("war-1", "ann"));
        assert!(!ann.as_str().contains("ann") && ann.as_str().len() == 7 + 16, "{ann}");
    }

    #[test]
    fn names_of_players_are_replaced_and_no_other_word() {
        let house = Pseudonyms::new([7; 32]);
        let [ann, hit] = ["ann", "hit"].map(|name| house.of("war-1", name));
        for (line, masked) in [
            ("< sit 3 ann".to_owned(), format!("< sit 3 {ann}")),
            ("< +1250 sit 3 ann".to_owned(), format!("< +1250 sit 3 {ann}")),
            ("> sat 3b hit".to_owned(), format!("> sat 3b {hit}")),
            ("> left 3 ann".to_owned(), format!("> left 3 {ann}")),
            ("< consent 3 ann".to_owned(), format!("< consent 3 {ann}")),
            ("> in-front 3 ann".to_owned(), format!("> in-front 3 {ann}")),
            (
                "= seat 3 ann rack 50 at 3 seated arrival 1 skipped -".to_owned(),
                format!("= seat 3 {ann} rack 50 at 3 seated arrival 1 skipped -"),
            ),
            ("= person ann 3".to_owned(), format!("= person {ann} 3")),
            ("= gone ann skipped 2".to_owned(), format!("= gone {ann} skipped 2")),
            (
                "> moved 5 from player:ann to rack:3".to_owned(),
                format!("> moved 5 from player:{ann} to rack:3"),
            ),
            (
                "< correct 1 5 from house to player:ann by eve because player:ann said so"
                    .to_owned(),
                format!(
                    "< correct 1 5 from house to player:{ann} by eve because player:ann said so"
                ),
            ),
            ("< act 3 hit".to_owned(), "< act 3 hit".to_owned()),
            ("< dealer dan by eve".to_owned(), "< dealer dan by eve".to_owned()),
            ("# version 2 game casino-war".to_owned(), "# version 2 game casino-war".to_owned()),
        ] {
            assert_eq!(house.in_line("war-1", &line), masked);
        }
        let standing = "seat 3 ann rack 50 at 3\ngone hit\narrivals 2";
        let masked = format!("seat 3 {ann} rack 50 at 3\ngone {hit}\narrivals 2");
        assert_eq!(house.in_standing("war-1", standing), masked);
    }
}
