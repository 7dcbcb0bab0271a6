//! Games and options by what people type: any letters, a beginning, or something close.

use rules::wager::Game;

/// A game by its number, its name, or the beginning of its name or of one word of it.
pub(crate) fn game(word: &str) -> Option<Game> {
    let number = word.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    if let Some(game) = number.and_then(|number| Game::ALL.get(number)) {
        return Some(*game);
    }
    let word = word.to_lowercase().replace(' ', "-");
    if word.is_empty() {
        return None;
    }
    let begins = |game: &Game| {
        let name = game.name();
        name.starts_with(&word) || name.split('-').any(|part| part.starts_with(&word))
    };
    let mut fits = Game::ALL.into_iter().filter(begins);
    match (fits.next(), fits.next()) {
        (Some(game), None) => Some(game),
        _ => None,
    }
}

/// The games that can be named, for a sentence.
pub(crate) fn games() -> String {
    Game::ALL.map(Game::name).join(", ")
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
