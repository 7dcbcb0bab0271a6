//! Text with colours whose width can be counted.

/// How a piece of text is inked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// As everything else.
    Plain,
    /// Red suits, losses.
    Red,
    /// Headings, keys.
    Bold,
    /// What can be overlooked.
    Faint,
    /// Fields of a chart, black on a colour.
    OnWhite,
    /// See [`OnWhite`](Ink::OnWhite).
    OnRed,
    /// See [`OnWhite`](Ink::OnWhite).
    OnGreen,
    /// See [`OnWhite`](Ink::OnWhite).
    OnBlue,
    /// See [`OnWhite`](Ink::OnWhite).
    OnYellow,
}

impl Ink {
    const fn code(self) -> &'static str {
        match self {
            Ink::Plain => "",
            Ink::Red => "\x1b[31m",
            Ink::Bold => "\x1b[1m",
            Ink::Faint => "\x1b[2m",
            Ink::OnWhite => "\x1b[30;47m",
            Ink::OnRed => "\x1b[30;41m",
            Ink::OnGreen => "\x1b[30;42m",
            Ink::OnBlue => "\x1b[30;46m",
            Ink::OnYellow => "\x1b[30;43m",
        }
    }
}

/// One line, or a part of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Text {
    pieces: Vec<(Ink, String)>,
}

impl Text {
    pub(crate) fn new() -> Text {
        Text::default()
    }

    pub(crate) fn plain(words: impl Into<String>) -> Text {
        Text::new().with(Ink::Plain, words)
    }

    #[must_use]
    pub(crate) fn with(mut self, ink: Ink, words: impl Into<String>) -> Text {
        self.add(ink, words);
        self
    }

    pub(crate) fn add(&mut self, ink: Ink, words: impl Into<String>) {
        self.pieces.push((ink, words.into()));
    }

    pub(crate) fn append(&mut self, other: Text) {
        self.pieces.extend(other.pieces);
    }

    /// How many columns it takes.
    pub(crate) fn width(&self) -> usize {
        self.pieces.iter().map(|(_, words)| words.chars().count()).sum()
    }

    /// Blanks up to a column.
    pub(crate) fn pad_to(&mut self, column: usize) {
        let missing = column.saturating_sub(self.width());
        self.add(Ink::Plain, " ".repeat(missing));
    }

    /// As it is written, with escape codes or without; blanks at the end are left out.
    pub(crate) fn written(&self, colour: bool) -> String {
        let mut line = String::new();
        for (ink, words) in &self.pieces {
            let code = if colour { ink.code() } else { "" };
            line.push_str(code);
            line.push_str(words);
            line.push_str(if code.is_empty() { "" } else { "\x1b[0m" });
        }
        line.truncate(line.trim_end().len());
        line
    }
}

/// Lines of at most `width` columns; a longer word has a line of its own.
pub(crate) fn wrapped(words: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in words.split_whitespace() {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

/// Numbers as people read them: digits in threes, and a minus sign instead of a hyphen:
/// `−10,000.75`.
///
/// What is quoted, and what follows a bare `=` or a colon without a space, as in `main_max=5000` or
/// `127.0.0.1:8042`, is something that is typed and stays as it is.
pub(crate) fn grouped(words: &str) -> String {
    let mut text = String::with_capacity(words.len());
    let mut rest = words;
    while let Some((before, quoted)) = first_quoted(rest) {
        text.push_str(&with_minus(&in_threes(&rest[..before])));
        text.push_str(&rest[before..quoted]);
        rest = &rest[quoted..];
    }
    text + &with_minus(&in_threes(rest))
}

/// Where the first words in quotation marks begin and end. A mark after a letter is an apostrophe.
fn first_quoted(words: &str) -> Option<(usize, usize)> {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut marks = words.match_indices('\'').map(|(at, _)| at);
    let opens = |&at: &usize| !is_letter(words[..at].chars().next_back());
    let begin = marks.find(opens)?;
    let end = marks.find(|&at| !is_letter(words[at + 1..].chars().next()))?;
    Some((begin, end + 1))
}

/// A hyphen that begins a number becomes a minus sign.
pub(crate) fn with_minus(words: &str) -> String {
    let mut text = String::with_capacity(words.len());
    let mut chars = words.chars().peekable();
    while let Some(c) = chars.next() {
        let begins_a_number = text.chars().next_back().is_none_or(|c| " (≈±".contains(c))
            && chars.peek().is_some_and(char::is_ascii_digit);
        text.push(if c == '-' && begins_a_number { '−' } else { c });
    }
    text
}

fn in_threes(words: &str) -> String {
    let mut text = String::with_capacity(words.len());
    let mut rest = words;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c: char| !c.is_ascii_digit()).unwrap_or(from.len());
        let (digits, after) = from.split_at(end);
        text.push_str(before);
        let is_typed = text.ends_with(['=', ':', '\'']) && !text.ends_with(">=");
        let is_part = text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | ',' | '_'));
        let places = if is_typed || is_part { 0 } else { digits.len() };
        for (i, digit) in digits.chars().enumerate() {
            if i > 0 && places > i && (places - i) % 3 == 0 {
                text.push(',');
            }
            text.push(digit);
        }
        rest = after;
    }
    text + rest
}

/// A number as it is typed, without the commas between thousands: `5,000` is `5000`.
pub(crate) fn ungrouped(word: &str) -> String {
    let plain = word.replace(',', "");
    if in_threes(&plain) == word { plain } else { word.to_owned() }
}

/// Words as a list in a sentence: `a, b or c`.
pub(crate) fn either(words: &[impl AsRef<str>]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_take_no_width_and_can_be_left_out() {
        let mut text = Text::plain("K").with(Ink::Red, "♥");
        text.pad_to(5);
        assert_eq!(text.width(), 5);
        assert_eq!(text.written(false), "K♥");
        assert_eq!(text.written(true), "K\x1b[31m♥\x1b[0m");
    }

    #[test]
    fn lines_are_wrapped_between_words() {
        assert_eq!(wrapped("one two  three", 7), ["one two", "three"]);
        assert_eq!(wrapped("", 7), [""]);
        assert_eq!(wrapped("unbreakable it", 4), ["unbreakable", "it"]);
    }

    #[test]
    fn thousands_are_set_apart_where_people_read() {
        for (plain, read) in [
            ("rack 10000000, meter 10000.75", "rack 10,000,000, meter 10,000.75"),
            ("-1000 or +999: 1000 to 1", "−1,000 or +999: 1,000 to 1"),
            ("(-5) and DDS-10, a-z, 0-9, --x", "(−5) and DDS-10, a-z, 0-9, --x"),
            ("main_max=5000 and >=100000", "main_max=5000 and >=100,000"),
            (
                "http://127.0.0.1:8042, found '99999' or '-5'",
                "http://127.0.0.1:8042, found '99999' or '-5'",
            ),
            (
                "cannot read 'seen 2c*99999, -5', the dealer's 10000",
                "cannot read 'seen 2c*99999, -5', the dealer's 10,000",
            ),
            ("10,000 stays, so does 0.0001", "10,000 stays, so does 0.0001"),
        ] {
            assert_eq!(grouped(plain), read);
        }
        for (typed, plain) in
            [("5,000", "5000"), ("1,000.50", "1000.50"), ("10,5", "10,5"), ("-5,000", "-5000")]
        {
            assert_eq!(ungrouped(typed), plain);
        }
        assert_eq!(either(&["a"]), "a");
        assert_eq!(either(&["a", "b", "c"]), "a, b or c");
    }
}
