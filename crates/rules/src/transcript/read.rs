//! Reads files of transcripts.

use std::fmt::{self, Display, Formatter};

use super::{TableLine, Transcript};
use crate::notation::{Line, Unreadable, Word, Words, clauses};
use crate::table::Input;

/// What separates rounds in a file.
const SEPARATOR: &str = "---";

/// A line that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: Unreadable,
}

impl Display for ReadError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for ReadError {}

/// Reads a file of rounds, all of it or nothing.
pub fn read(text: &str) -> Result<Vec<Transcript>, Vec<ReadError>> {
    let mut rounds = Vec::new();
    let mut errors = Vec::new();
    for round in read_each(text) {
        match round {
            Ok(round) => rounds.push(round),
            Err(reasons) => errors.extend(reasons),
        }
    }
    if errors.is_empty() { Ok(rounds) } else { Err(errors) }
}

/// Reads each round of a file by itself; an empty one is left out.
pub fn read_each(text: &str) -> Vec<Result<Transcript, Vec<ReadError>>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines: Vec<_> = (1..).zip(text.lines().map(without_comment)).collect();
    lines
        .split(|(_, line)| *line == SEPARATOR)
        .map(|lines| lines.iter().copied().filter(|(_, line)| !line.is_empty()))
        .filter(|lines| lines.clone().next().is_some())
        .map(read_round)
        .collect()
}

fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or_default().trim()
}

fn read_round<'a>(
    lines: impl Iterator<Item = (usize, &'a str)>,
) -> Result<Transcript, Vec<ReadError>> {
    let mut transcript = Transcript::default();
    let mut errors = Vec::new();
    let mut game = GameLine::default();
    let mut last = 0;
    for (number, text) in lines {
        let read = game.admit(text).and_then(|()| transcript.read_line(number, text));
        errors.extend(read.err().map(|reason| ReadError { line: number, reason }));
        last = number;
    }
    if game == GameLine::Awaited {
        errors.push(ReadError { line: last, reason: game_missing() });
    }
    if errors.is_empty() { Ok(transcript) } else { Err(errors) }
}

impl Transcript {
    fn read_line(&mut self, number: usize, text: &str) -> Result<(), Unreadable> {
        match &mut self.table {
            Some(table) => table.extend(table_lines(text)?.into_iter().map(|line| (number, line))),
            None if text == "table" => {
                self.table = Some(Vec::new());
                if !self.lines().all(sets_up) {
                    let expected = "'table' right after clauses, game and terms";
                    return Err(Unreadable::new(expected, "it later"));
                }
            }
            None => self.lines.push((number, text.parse()?)),
        }
        Ok(())
    }
}

/// Whether a line may stand before `table`.
fn sets_up(line: &Line) -> bool {
    matches!(line, Line::Clause(_) | Line::Game(_) | Line::Terms(_) | Line::Refused(_))
}

fn game_missing() -> Unreadable {
    Unreadable::new("'game NAME' before anything but clauses and comments", "none")
}

/// Whether the game has been named: once, and before anything but clauses.
#[derive(Default, PartialEq, Eq)]
enum GameLine {
    #[default]
    Awaited,
    /// Missing, and reported once.
    Missing,
    Named,
}

impl GameLine {
    fn admit(&mut self, line: &str) -> Result<(), Unreadable> {
        match (line.split_whitespace().next(), &self) {
            (Some("game"), GameLine::Named) => {
                Err(Unreadable::new("one 'game' line in a round", "two"))
            }
            (Some("game"), _) => {
                *self = GameLine::Named;
                Ok(())
            }
            (Some("clause"), _) | (_, GameLine::Named | GameLine::Missing) => Ok(()),
            _ => {
                *self = GameLine::Missing;
                Err(game_missing())
            }
        }
    }
}

/// The word for a seal that nobody looks into, and how many zeros it stands for.
const SEALED: (&str, usize) = ("sealed", 64);
/// How often inputs can be repeated.
const MOST_TIMES: usize = 1000;

/// Reads one expectation of a table, or inputs with `;` between them.
fn table_lines(text: &str) -> Result<Vec<TableLine>, Unreadable> {
    let text = &spelled_out(text);
    let mut words = Words::new(text);
    let line = match words.word("a keyword")? {
        "clause" | "refused" | "offers" | "total" | "hand" | "net" | "outcome" | "done" => {
            return Ok(vec![TableLine::OfRound(text.parse()?)]);
        }
        "awaits" => {
            let expected = "what the table awaits, such as 'the cut by seat 3'";
            TableLine::Awaits(words.sentence(expected)?)
        }
        "tells" => TableLine::Tells { only: None, event: words.sentence(EVENT)? },
        "whispers" => TableLine::Tells { only: Some(words.seat()?), event: words.sentence(EVENT)? },
        "quiet" => TableLine::Quiet,
        "rack" => TableLine::Rack(words.read()?, words.read()?),
        "meter-shows" => TableLine::MeterShows(words.read()?),
        "note" => TableLine::Notes(clauses(&mut words)?),
        "outcomes" => {
            let outcomes = words.sentence("").unwrap_or_default();
            let outcomes = outcomes.split(',').map(|words| words.trim().to_owned());
            TableLine::Outcomes(outcomes.filter(|words| !words.is_empty()).collect())
        }
        "repeat" => {
            let times = |word: &str| usize::read(word).filter(|n| (1..=MOST_TIMES).contains(n));
            let times = words.next_by(|| format!("a number from 1 to {MOST_TIMES}"), times)?;
            let inputs = inputs(&words.sentence("inputs of the table")?)?;
            return Ok(inputs.iter().cycle().take(times * inputs.len()).cloned().collect());
        }
        _ => return inputs(text),
    };
    words.end().map(|()| vec![line])
}

/// What belongs after `tells`.
const EVENT: &str = "an event of the table, such as 'rack 3 90'";

fn inputs(text: &str) -> Result<Vec<TableLine>, Unreadable> {
    let input = |text: &str| {
        let mut words = Words::new(text);
        let line = match words.skip("cards") {
            true => TableLine::Cards(words.some()?),
            false => TableLine::Input(Input::read(&mut words)?),
        };
        words.end().map(|()| line)
    };
    text.split(';').map(input).collect()
}

/// The line with its seals spelled out.
fn spelled_out(text: &str) -> String {
    let (word, zeros) = SEALED;
    let seal = "0".repeat(zeros);
    let words = text.split_whitespace().map(|w| if w == word { seal.as_str() } else { w });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// A line of every kind, as it is printed.
    const EVERY_LINE: &str = "\
clause CW-8-f G-04 CW-R19
game double-attack
terms decks=6 main_min=0.50
person ann 1 2 7
bankroll 3b 20.50
meter 10000.01
wager 1 main 10 bonus 5
wager 3c main 7.50
wager 2 main -5
cards ?? Td As ??
act 1 hit
act 1 double 7.50
act 3b hand 2
act 1 even-money
act 1 war -0.05
buy-in 3b 20
peek yes
peek no
turn 2c
remedy void
remedy release 3b
remedy sides-back 3c
remedy dead 3
remedy dead 3 2
remedy late 1
remedy late 1 3
remedy no-more-cards 7
remedy no-more-cards 7 4
remedy dealer-late
remedy hole 9s
remedy reader-out
remedy burn-forgotten
refused
refused CW-8-f
refused G-07
refused main_max
awaits wagers
awaits card
awaits act 3b
awaits peek
awaits turn
awaits nobody
offers 1 hit stand
offers 2b
total 1 17
total 1 17 soft
total 1 2 17
total 1 2 17 soft
total dealer 21
total dealer 21 soft
hand 1 flush
net 1 +10
net 1 main -7.50
net 3b envy 0
outcome 1 suited-tie
done
";

    fn reasons(text: &str) -> Vec<(usize, String)> {
        let errors = read(text).expect_err(text);
        errors.into_iter().map(|error| (error.line, error.reason.to_string())).collect()
    }

    /// Why one line of a Casino War round cannot be read: what is expected, and what is found.
    fn reason(line: &str) -> (String, String) {
        let errors = read(&format!("game casino-war\n{line}\n")).expect_err(line);
        let [ReadError { line: 2, reason }] = errors.as_slice() else {
            panic!("{line}: {errors:?}")
        };
        (reason.expected.clone(), reason.found.clone())
    }

    #[test]
    fn what_is_printed_reads_back_the_same() {
        let rounds = read(EVERY_LINE).unwrap();
        assert_eq!(rounds.len(), 1);
        assert_eq!(rounds[0].to_string(), EVERY_LINE);
        assert_eq!(rounds[0].lines().cloned().collect::<Transcript>(), rounds[0]);
    }

    #[test]
    fn spelling_is_free_where_it_says_so() {
        let text = "\u{feff}# A comment.\r\n\r\n\tgame  free-bet # the game\r\n wager 1 main 7.5\r\n\
            cards Td#no blank\r\n net 1 15 \r\n---\r\n# nothing\r\n --- # end\r\n\r\n";
        let rounds = read(text).unwrap();
        assert_eq!(rounds.len(), 1);
        let printed = "game free-bet\nwager 1 main 7.50\ncards Td\nnet 1 +15\n";
        assert_eq!(rounds[0].to_string(), printed);
        assert_eq!(rounds[0].first_line(), Some(3));
        let numbers: Vec<_> = rounds[0].lines.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [3, 4, 5, 6]);
        assert_eq!(read(""), Ok(vec![]));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let text = "game casino-war\nwager 1 main ten\n\nfold 1\n---\ngame poker\ncards 9d\n";
        let said = reasons(text);
        assert_eq!(said.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 4, 6]);
        assert_eq!(
            said[0].1,
            "expected an amount in dollars with up to two decimals, such as 10 or 7.50, \
             found 'ten'"
        );
        assert!(said[1].1.starts_with("expected a keyword ("), "{}", said[1].1);
        assert!(said[2].1.ends_with(", found 'poker'"), "{}", said[2].1);
        assert_eq!(read(text).unwrap_err()[1].to_string(), format!("line 4: {}", said[1].1));
    }

    #[test]
    fn one_bad_round_does_not_hide_the_others() {
        let each = read_each("game free-bet\ndone\n---\nnonsense\n---\ngame free-bet\n");
        assert_eq!(each.len(), 3);
        assert!(each[0].is_ok() && each[1].is_err() && each[2].is_ok());
    }

    #[test]
    fn the_game_comes_first_and_once() {
        let missing = game_missing().to_string();
        assert_eq!(reasons("clause CW-8-f\nwager 1 main 5\ndone\n"), [(2, missing.clone())]);
        assert_eq!(reasons("\nclause CW-8-f\n"), [(2, missing.clone())]);
        assert_eq!(reasons("done\ngame casino-war\n"), [(1, missing)]);
        assert!(read("game casino-war\nclause CW-8-f\n").is_ok());
    }

    #[test]
    fn a_word_that_does_not_belong_is_named() {
        let invented = concat!("CW", "-99");
        for (line, expected, found) in [
            ("deal 9d", "a keyword (", "deal"),
            ("Wager 1 main 5", "a keyword (", "Wager"),
            (&format!("clause CW-8-f {invented}"), "the id of a clause or ruling", invented),
            ("clause main_min", "the id of a clause or ruling", "main_min"),
            ("terms decks", "a term as KEY=VALUE", "decks"),
            ("terms =6", "a term as KEY=VALUE", "=6"),
            ("terms decks=", "a term as KEY=VALUE", "decks="),
            ("person ann 8", "a seat from 1 to 7", "8"),
            ("person ann 1b", "a seat from 1 to 7", "1b"),
            ("bankroll 0 5", "a seat from 1 to 7, or a bettor behind it", "0"),
            ("bankroll 1 much", "an amount in dollars with", "much"),
            ("meter -1", "an amount in dollars that is not", "-1"),
            ("bankroll 10 5", "a seat from 1 to 7, or a bettor behind it", "10"),
            ("net 10 0", "a seat from 1 to 7, or a bettor behind it", "10"),
            ("offers 10", "a seat from 1 to 7, or a bettor behind it", "10"),
            ("total 10 17", "a seat from 1 to 7, or dealer", "10"),
            ("awaits act 10", "a seat from 1 to 7, or a bettor behind it", "10"),
            ("remedy release 10", "a seat from 1 to 7, or a bettor behind it", "10"),
            ("remedy dead 8", "a seat from 1 to 7", "8"),
            ("wager 10 main 5", "a seat from 1 to 7, or a bettor behind it", "10"),
            ("act 0 hit", "a seat from 1 to 7, or a bettor behind it", "0"),
            ("wager 3d main 5", "a seat from 1 to 7, or a bettor behind it", "3d"),
            ("wager 1 mian 5", "a circle (main", "mian"),
            ("wager 1 main 5 5", "a circle (main", "5"),
            ("wager 1 main 1.005", "an amount in dollars with", "1.005"),
            ("cards 9d 10d", "a card such as Td, or ??", "10d"),
            ("cards ?", "a card such as Td, or ??", "?"),
            ("act 1 fold", "an act (", "fold"),
            ("act 1 double all", "an amount in dollars with", "all"),
            ("act 1 hand 0", "the number of a hand", "0"),
            ("act 1 hand 256", "the number of a hand", "256"),
            ("act 1 hand +1", "the number of a hand", "+1"),
            ("peek maybe", "yes or no", "maybe"),
            ("turn ??", "a card such as Td or As", "??"),
            ("remedy pray", "a remedy (", "pray"),
            ("remedy dead 3b", "a seat from 1 to 7", "3b"),
            ("remedy late 3 0", "the number of a hand", "0"),
            ("remedy hole 1c", "a card such as Td or As", "1c"),
            (
                &format!("refused {invented}"),
                "the id of a clause or ruling, or the name of a term",
                invented,
            ),
            ("awaits cards", "wagers, card, act SEAT", "cards"),
            ("awaits act dealer", "a seat from 1 to 7, or a bettor behind it", "dealer"),
            ("offers 1 fold", "an act (", "fold"),
            ("total house 17", "a seat from 1 to 7, or dealer", "house"),
            ("total 1 many", "the points of a hand", "many"),
            ("total 1 0 17", "the number of a hand", "0"),
            ("total dealer 1 17", "soft, or nothing more", "17"),
            ("total 1 17 18 hard", "soft, or nothing more", "hard"),
            ("hand 1 quads", "a hand (", "quads"),
            ("net 1 mian 5", "a circle or an amount", "mian"),
            ("net 1 main five", "an amount in dollars with", "five"),
            ("outcome 1 draw", "an outcome (", "draw"),
        ] {
            let reason = reason(line);
            assert!(reason.0.starts_with(expected), "{line}: {reason:?}");
            assert_eq!(reason.1, format!("'{found}'"), "{line}");
        }
    }

    #[test]
    fn a_line_has_all_its_words_and_no_more() {
        for (line, expected) in [
            ("clause", "the id of a clause or ruling"),
            ("terms", "a term as KEY=VALUE"),
            ("person", "a person's name"),
            ("person ann", "a seat from 1 to 7"),
            ("bankroll 1", "an amount in dollars with"),
            ("meter", "an amount in dollars that is not"),
            ("wager", "a seat from 1 to 7, or a bettor behind it"),
            ("wager 1", "a circle (main"),
            ("wager 1 main", "an amount in dollars with"),
            ("wager 1 main 5 tie", "an amount in dollars with"),
            ("cards", "a card such as Td, or ??"),
            ("act 1", "an act ("),
            ("act 1 hand", "the number of a hand"),
            ("peek", "yes or no"),
            ("turn", "a card such as Td or As"),
            ("remedy", "a remedy ("),
            ("remedy dead", "a seat from 1 to 7"),
            ("awaits", "wagers, card, act SEAT"),
            ("awaits act", "a seat from 1 to 7, or a bettor behind it"),
            ("offers", "a seat from 1 to 7, or a bettor behind it"),
            ("total", "a seat from 1 to 7, or dealer"),
            ("total 1", "the points of a hand"),
            ("hand 1", "a hand ("),
            ("net 1", "a circle or an amount"),
            ("net 1 main", "an amount in dollars with"),
            ("outcome 1", "an outcome ("),
        ] {
            let reason = reason(line);
            assert!(reason.0.starts_with(expected), "{line}: {reason:?}");
            assert_eq!(reason.1, "the end of the line", "{line}");
        }
        for (line, found) in [
            ("meter 5 6", "6"),
            ("act 1 double 5 6", "6"),
            ("peek no yes", "yes"),
            ("turn 9d 9c", "9c"),
            ("remedy void 1", "1"),
            ("refused CW-8-f CW-8-h", "CW-8-h"),
            ("awaits nobody else", "else"),
            ("total dealer 17 soft hand", "hand"),
            ("done now", "now"),
        ] {
            let (expected, found) = ("the end of the line".to_owned(), format!("'{found}'"));
            assert_eq!(reason(line), (expected, found), "{line}");
        }
    }

    #[test]
    fn what_is_expected_is_all_that_is_read() {
        let words = |line: &str| -> BTreeSet<String> {
            let (expected, _) = reason(line);
            let (_, words) = expected.strip_suffix(')').unwrap().split_once('(').unwrap();
            words.replace(" or ", ", ").split(", ").map(str::to_owned).collect()
        };
        let printed = |keyword: &str| -> BTreeSet<String> {
            let lines = EVERY_LINE.lines().filter_map(|line| line.strip_prefix(keyword));
            lines.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
        };
        assert_eq!(words("remedy pray"), printed("remedy "));
        let mut keywords = words("wibble");
        assert!(keywords.remove("table"));
        assert_eq!(keywords, printed(""));
    }

    #[test]
    fn nothing_is_named_twice() {
        for (line, expected, found) in [
            ("wager 1 main 5 tie 5 main 6", "each circle once in a wager", "'main' twice"),
            ("terms decks=6 decks=8", "each term once in a line", "'decks' twice"),
            ("game casino-war", "one 'game' line in a round", "two"),
        ] {
            assert_eq!(reason(line), (expected.to_owned(), found.to_owned()));
        }
    }

    #[test]
    fn strange_words_are_shown_on_one_short_line() {
        let (_, found) = reason("\u{1b}\u{0}é");
        assert_eq!(found, "'\\u{1b}\\0é'");
        let (_, found) = reason(&"x".repeat(1000));
        assert_eq!(found.chars().count(), 43);
    }
}
