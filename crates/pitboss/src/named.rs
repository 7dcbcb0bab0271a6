//! Games and options by what people type: in any case, abbreviated, or nearly right.

use rules::terms::{self, TermRefusal};
use rules::wager::Game;

use crate::text::either;

/// A game by its number, its name, or the beginning of its name or of one word of it.
pub(crate) fn game(word: &str) -> Option<Game> {
    match games_like(word)[..] {
        [game] => Some(game),
        _ => None,
    }
}

/// Every game that a word could mean.
fn games_like(word: &str) -> Vec<Game> {
    let number = word.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    if let Some(game) = number.and_then(|number| Game::ALL.get(number)) {
        return vec![*game];
    }
    let word = word.to_lowercase().replace(' ', "-");
    if word.is_empty() {
        return Vec::new();
    }
    let begins = |game: &Game| {
        let name = game.name();
        name.starts_with(&word) || name.split('-').any(|part| part.starts_with(&word))
    };
    let fits = Game::ALL.into_iter().filter(begins);
    fits.collect()
}

/// The games that can be named, for a sentence.
pub(crate) fn games() -> String {
    Game::ALL.map(Game::name).join(", ")
}

/// The help of an argument that names a game.
pub(crate) fn games_help(more: &str) -> String {
    format!("{}; the beginning of a name is enough{more}", games())
}

/// House options as they are typed, `KEY=VALUE`, each once.
pub(crate) fn choices(words: &[String]) -> Result<Vec<(&str, &str)>, String> {
    let mut choices: Vec<(&str, &str)> = Vec::new();
    for word in words {
        let (key, value) = word.split_once('=').ok_or_else(|| {
            format!("expected KEY=VALUE, such as decks=8, found '{}'", word.escape_debug())
        })?;
        if let Some((_, before)) = choices.iter().find(|(known, _)| *known == key) {
            let key = key.escape_debug();
            return Err(format!(
                "expected each option once, found {key}={before} and {key}={value}"
            ));
        }
        choices.push((key, value));
    }
    Ok(choices)
}

/// Why an option is refused; for an unknown one, with the nearest that there is.
pub(crate) fn in_words(refusal: &TermRefusal) -> String {
    match refusal {
        TermRefusal::Unknown { game, key } => {
            let known = terms::of(*game).map(|term| term.key.as_str());
            let nearest = nearest(key, known).unwrap_or_default();
            format!(
                "{game} has no option '{}'; the nearest is {nearest}, and `pitboss rules {game}` \
                 lists them all",
                key.escape_debug()
            )
        }
        _ => refusal.to_string(),
    }
}

/// A game by what was typed, or why it is not one.
pub(crate) fn game_or_why(name: &str) -> Result<Game, String> {
    let shown = name.escape_debug();
    match &games_like(name)[..] {
        [game] => Ok(*game),
        [] => Err(format!("there is no game '{shown}'; there are {}", games())),
        several => {
            let names: Vec<_> = several.iter().map(|game| game.name()).collect();
            Err(format!("'{shown}' could be {}", either(&names)))
        }
    }
}

/// The word that is most like the one that was typed.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known.into_iter().min_by_key(|other| distance(word, other))
}

/// How many letters have to be put in, taken out or changed to make one word of the other.
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.chars().count()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in other.chars().enumerate() {
            let change = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[other.chars().count()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_named_by_number_name_or_beginning() {
        for (word, named) in [
            ("1", Game::CasinoWar),
            ("FREE", Game::FreeBet),
            ("war", Game::CasinoWar),
            ("Casino War", Game::CasinoWar),
            ("double-deck", Game::DoubleDeck),
            ("stud", Game::DoubleDownStud),
            ("att", Game::DoubleAttack),
        ] {
            assert_eq!(game(word), Some(named), "{word}");
        }
        for word in ["", "0", "6", "double", "poker", "99999999999999999999"] {
            assert_eq!(game(word), None, "{word}");
        }
        let several = "'double' could be double-down-stud, double-deck or double-attack";
        assert_eq!(game_or_why("double"), Err(several.to_owned()));
    }

    #[test]
    fn what_is_close_is_found() {
        assert_eq!(distance("decks", "decks"), 0);
        assert_eq!(distance("deck", "decks"), 1);
        assert_eq!(distance("", "decks"), 5);
        assert_eq!(distance("seats", "steals"), 2);
        assert_eq!(nearest("coupon", ["decks", "coupons", "seats"]), Some("coupons"));
    }
}
