//! Wagers as they are typed: `10`, `10 tie 5`, `10 t 5 p 5`.

use rules::money::{Cents, Chips};
use rules::wager::{Circle, Opening, PROGRESSIVE_UNIT};

/// What one bettor places before the first card.
pub(crate) type Amounts = Vec<(Circle, Cents)>;

/// The smallest main wager that can be made of chips.
pub(crate) fn least(opening: &Opening) -> Chips {
    Chips::new(opening.main_min.get().next_multiple_of(opening.chip_unit.get()))
}

/// The circles of the game that are open before the first card, the main one first.
pub(crate) fn circles(opening: &Opening) -> Vec<Circle> {
    let side = opening.side.map(|side| side.circle);
    let progressive = opening.progressive.map(|_| Circle::Progressive);
    [Some(Circle::Main), side, progressive].into_iter().flatten().collect()
}

/// Reads a wager; whether the table takes it is for the rules to say.
pub(crate) fn read(words: &[String], opening: &Opening) -> Result<Amounts, String> {
    let mut amounts: Amounts = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let (circle, amount) = match word.parse::<Cents>() {
            Ok(amount) => (Circle::Main, Some(amount)),
            Err(_) => match circle_said(word, opening) {
                Some(circle) => (circle, words.next().and_then(|word| word.parse().ok())),
                None => return Err(expected(opening)),
            },
        };
        let Some(amount) = amount else { return Err(expected(opening)) };
        if amounts.iter().any(|(said, _)| *said == circle) {
            return Err(format!("Each circle takes one amount, but {circle} was named twice."));
        }
        amounts.push((circle, amount));
    }
    amounts.sort_by_key(|(circle, _)| *circle);
    Ok(amounts)
}

/// As it is typed: `10 tie 5`.
pub(crate) fn in_words(amounts: &[(Circle, Cents)]) -> String {
    let word = |(circle, amount): &(Circle, Cents)| match circle {
        Circle::Main => amount.to_string(),
        _ => format!("{circle} {amount}"),
    };
    amounts.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// A circle of this game by its name or its beginning, or one of another game by its name.
fn circle_said(word: &str, opening: &Opening) -> Option<Circle> {
    let own = circles(opening).into_iter().find(|circle| circle.name().starts_with(word));
    own.or_else(|| Circle::named(word))
}

fn expected(opening: &Opening) -> String {
    let example = example(opening);
    let with_side = match example.len() {
        1 => String::new(),
        _ => format!(" or {}", in_words(&example[..2])),
    };
    format!(
        "Expected a wager such as {}{with_side}; type ? for help, q to leave.",
        in_words(&example[..1])
    )
}

/// A small wager on every circle that is open.
pub(crate) fn example(opening: &Opening) -> Amounts {
    let mut amounts = vec![(Circle::Main, least(opening).into())];
    for circle in circles(opening).into_iter().skip(1) {
        let chips = match opening.side.filter(|side| side.circle == circle) {
            Some(side) => side.min.get().next_multiple_of(opening.chip_unit.get()),
            None => PROGRESSIVE_UNIT.get(),
        };
        amounts.push((circle, Chips::new(chips).into()));
        if opening.check(&amounts).is_err() {
            amounts.pop();
        }
    }
    amounts
}

#[cfg(test)]
mod tests {
    use rules::games;
    use rules::terms::TermSheet;
    use rules::wager::Game;

    use super::*;

    fn said(game: Game, line: &str) -> Result<String, String> {
        let opening = games::opening(&TermSheet::new(game));
        let words: Vec<_> = line.split(' ').map(str::to_owned).collect();
        read(&words, &opening).map(|amounts| in_words(&amounts))
    }

    #[test]
    fn wagers_read_and_print() {
        for (game, line, printed) in [
            (Game::CasinoWar, "10", "10"),
            (Game::CasinoWar, "10 tie 5", "10 tie 5"),
            (Game::CasinoWar, "p 5 t 7.50 10", "10 tie 7.50 progressive 5"),
            (Game::FreeBet, "main 10 p 5", "10 push22 5"),
            (Game::DoubleAttack, "10 b 1", "10 bonus 1"),
            (Game::DoubleDeck, "10 bonus 1", "10 bonus 1"),
        ] {
            assert_eq!(said(game, line).as_deref(), Ok(printed), "{line}");
        }
    }

    #[test]
    fn what_is_no_wager_gets_a_sentence() {
        for line in ["ten", "10 tie", "10 tie five", "tie", "10 poker 5"] {
            let sentence = said(Game::CasinoWar, line).unwrap_err();
            assert!(sentence.starts_with("Expected a wager such as 5 or 5 tie 1;"), "{line}");
        }
        assert!(said(Game::CasinoWar, "10 10").unwrap_err().contains("main was named twice"));
        assert!(
            said(Game::DoubleDeck, "x").unwrap_err().starts_with("Expected a wager such as 5;")
        );
    }

    #[test]
    fn examples_are_taken_by_the_table() {
        for (game, choices, example) in [
            (Game::CasinoWar, &[][..], "5 tie 1 progressive 5"),
            (Game::CasinoWar, &[("main_min", "25"), ("chip_unit", "10")], "30 tie 10"),
            (Game::CasinoWar, &[("progressive_offered", "off")], "5 tie 1"),
            (Game::FreeBet, &[("push22_offered", "off")], "5"),
            (Game::DoubleDeck, &[], "5"),
        ] {
            let mut sheet = TermSheet::new(game);
            sheet.set(choices.iter().copied()).unwrap();
            assert_eq!(in_words(&super::example(&games::opening(&sheet))), example);
        }
    }
}
