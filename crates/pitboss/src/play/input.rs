//! Lines as they are typed or piped in.

use std::io::{self, BufRead, Write};

use rules::clause;
use rules::terms::{self, Term, TermSheet, values_in_words};

use crate::procedures;
use crate::screen::Screen;
use crate::text::ungrouped;

/// The most bytes of a line that are looked at.
const MOST_BYTES: usize = 200;
/// The most bytes that are read for one line; where more come, the input has no lines and is over.
const MOST_READ: usize = 1 << 20;

/// Where lines come from.
pub(crate) struct Input<R> {
    lines: R,
    /// Whether what is read has to be shown, because no terminal does it.
    echo: bool,
}

impl<R: BufRead> Input<R> {
    pub(crate) fn new(lines: R, echo: bool) -> Input<R> {
        Input { lines, echo }
    }

    /// The next line, or none at the end.
    pub(crate) fn read(&mut self, screen: &mut Screen<impl Write>) -> io::Result<Option<String>> {
        let line = self.next_line()?;
        match &line {
            Some(line) if self.echo => screen.plain(&line.escape_debug().to_string())?,
            Some(_) => {}
            None => screen.blank()?,
        }
        Ok(line)
    }

    /// Reads up to the end of the line, and keeps its beginning.
    fn next_line(&mut self) -> io::Result<Option<String>> {
        let mut kept = Vec::new();
        let mut read = 0;
        let mut is_end_of_input = true;
        while read < MOST_READ {
            let bytes = match self.lines.fill_buf() {
                Ok([]) => break,
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let end = bytes.iter().position(|&byte| byte == b'\n');
            let line = &bytes[..end.unwrap_or(bytes.len())];
            kept.extend(line.iter().take(MOST_BYTES - kept.len()));
            let used = line.len() + usize::from(end.is_some());
            self.lines.consume(used);
            read += used;
            is_end_of_input = end.is_none() && read >= MOST_READ;
            if end.is_some() {
                break;
            }
        }
        let line = String::from_utf8_lossy(&kept).trim().to_owned();
        Ok((!is_end_of_input).then_some(line))
    }
}

/// What a line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// Enter alone.
    Nothing,
    /// What is going on here, how does the game go, what pays?
    Help(Topic),
    /// What does this clause, ruling or option say?
    Rule(String),
    /// The transcript of the last round.
    Transcript,
    /// Which card was burned?
    Burn,
    /// To leave.
    Quit,
    /// Something about the moment: words in small letters.
    Words(Vec<String>),
}

/// What help is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Topic {
    /// What can be done at this moment.
    Here,
    /// The rules of the game.
    Rules,
    /// What pays.
    Pays,
}

impl Entry {
    pub(crate) fn read(line: &str) -> Entry {
        let words: Vec<String> = line.split_whitespace().map(str::to_lowercase).collect();
        let word = |i: usize| words.get(i).map(String::as_str);
        match (word(0), word(1)) {
            (None, _) => Entry::Nothing,
            (Some("?" | "help"), None) => Entry::Help(Topic::Here),
            (Some("??"), None) | (Some("?" | "help"), Some("rules" | "?")) => {
                Entry::Help(Topic::Rules)
            }
            (Some("pays" | "?pays"), None) | (Some("?" | "help"), Some("pays")) => {
                Entry::Help(Topic::Pays)
            }
            (Some("r" | "rule" | "rules"), None) => Entry::Rule(String::new()),
            (Some("?" | "help" | "r" | "rule" | "rules"), Some(id)) => Entry::Rule(id.to_owned()),
            (Some("t" | "transcript"), None) => Entry::Transcript,
            (Some("burn"), None) => Entry::Burn,
            (Some("q" | "quit" | "exit"), None) => Entry::Quit,
            _ => Entry::Words(words.iter().flat_map(|word| apart(word)).collect()),
        }
    }
}

/// `d5` is `d 5`, and a `+` or `,` between wagers is only for the eye.
fn apart(word: &str) -> Vec<String> {
    let word = ungrouped(word.trim_matches(['+', ',', '$']));
    let is_a_name = word.eq_ignore_ascii_case("push22");
    let letters = word.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (name, amount) = word.split_at(letters);
    let is_both = !name.is_empty() && amount.starts_with(|c: char| c.is_ascii_digit());
    match (is_both && !is_a_name, word.is_empty()) {
        (_, true) => Vec::new(),
        (true, _) => vec![name.to_owned(), amount.to_owned()],
        (false, _) => vec![word],
    }
}

/// The clause or ruling of an id, or the option of a key, in a few words.
pub(crate) fn rule_in_words(name: &str, sheet: &TermSheet) -> String {
    let same = |known: &str| known.eq_ignore_ascii_case(name);
    if let Some(clause) = clause::all().iter().find(|clause| same(&clause.id)) {
        return format!("{}: {}.", clause.id, clause.title.trim_end_matches('.'));
    }
    if let Some(ruling) = clause::rulings().iter().find(|ruling| same(&ruling.id)) {
        return format!("{}, a ruling on \"{}\": {}", ruling.id, ruling.title, ruling.decision);
    }
    if let Some((term, value)) = sheet.entries().find(|(term, _)| same(&term.key)) {
        return term_in_words(term, value);
    }
    if let Some(term) = terms::all().iter().find(|term| same(&term.key)) {
        return format!("{}: {} This game does not have it.", term.key, term.meaning);
    }
    "Type r and a clause, a ruling or a house option, such as r CW-8-c, r G-04 or r main_min."
        .to_owned()
}

fn term_in_words(term: &Term, value: &str) -> String {
    let Term { key, meaning, values, default, source, .. } = term;
    let kept = match procedures::is_not_in_play(term) {
        true => " It concerns the table's procedures, which `play` does not have.",
        false => "",
    };
    let (values, source) = (values_in_words(values), source.replace(' ', ", "));
    format!("{key}={value} here. {meaning} Values: {values}; default {default} ({source}).{kept}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        match Entry::read(line) {
            Entry::Words(words) => words,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn keys_and_words_are_told_apart() {
        assert_eq!(Entry::read("  "), Entry::Nothing);
        assert_eq!(Entry::read("?"), Entry::Help(Topic::Here));
        assert_eq!(Entry::read("??"), Entry::Help(Topic::Rules));
        assert_eq!(Entry::read("? Rules"), Entry::Help(Topic::Rules));
        assert_eq!(Entry::read("? pays"), Entry::Help(Topic::Pays));
        assert_eq!(Entry::read("? CW-8-c"), Entry::Rule("cw-8-c".into()));
        assert_eq!(Entry::read("R g-04"), Entry::Rule("g-04".into()));
        assert_eq!(Entry::read("T"), Entry::Transcript);
        assert_eq!(Entry::read("quit"), Entry::Quit);
        assert_eq!(words("d5"), ["d", "5"]);
        assert_eq!(words("10, tie 5"), ["10", "tie", "5"]);
        assert_eq!(words("10 + push22 5"), ["10", "push22", "5"]);
        assert_eq!(words("$10 p5 t7.50"), ["10", "p", "5", "t", "7.50"]);
        assert_eq!(words("even-money"), ["even-money"]);
        assert_eq!(words("5,000 tie 1,000.50"), ["5000", "tie", "1000.50"]);
    }

    #[test]
    fn long_lines_are_cut_and_broken_ones_survive() {
        let mut bytes = vec![b'x'; 5000];
        bytes.extend(b"\n\xff\xfeh\r\nlast");
        let mut input = Input::new(bytes.as_slice(), false);
        assert_eq!(input.next_line().unwrap().unwrap().len(), MOST_BYTES);
        assert_eq!(input.next_line().unwrap().unwrap(), "\u{fffd}\u{fffd}h");
        assert_eq!(input.next_line().unwrap().unwrap(), "last");
        assert_eq!(input.next_line().unwrap(), None);
    }

    #[test]
    fn rules_are_found_in_any_letters() {
        let sheet = TermSheet::new(rules::wager::Game::CasinoWar);
        let said = |name: &str| rule_in_words(name, &sheet);
        assert!(said("cw-8-c").starts_with("CW-8-c: "));
        assert!(said("G-04").starts_with("G-04, a ruling"));
        assert!(said("DECKS").starts_with("decks=6 here. Decks in the shoe"));
        assert!(said("coupons").ends_with("does not have."));
        assert!(said("peek").ends_with("This game does not have it."));
        assert!(said("").starts_with("Type r and "));
    }
}
