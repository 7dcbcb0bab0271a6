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
}

impl Ink {
    const fn code(self) -> &'static str {
        match self {
            Ink::Plain => "",
            Ink::Red => "\x1b[31m",
            Ink::Bold => "\x1b[1m",
            Ink::Faint => "\x1b[2m",
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
}
