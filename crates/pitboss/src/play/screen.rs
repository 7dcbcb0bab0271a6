//! A calm log of lines that scrolls: nothing is cleared, nothing moves.

use std::io::{self, Write};

use super::text::{Ink, Text, wrapped};

/// The columns that are used.
pub(crate) const WIDTH: usize = 78;

/// Where lines are written.
pub(crate) struct Screen<W> {
    out: W,
    colour: bool,
}

impl<W: Write> Screen<W> {
    pub(crate) fn new(out: W, colour: bool) -> Screen<W> {
        Screen { out, colour }
    }

    /// One line as it is.
    pub(crate) fn line(&mut self, text: &Text) -> io::Result<()> {
        writeln!(self.out, "{}", text.written(self.colour))
    }

    /// One line without ink.
    pub(crate) fn plain(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")
    }

    pub(crate) fn blank(&mut self) -> io::Result<()> {
        writeln!(self.out)
    }

    /// A sentence, wrapped.
    pub(crate) fn say(&mut self, sentence: &str) -> io::Result<()> {
        wrapped(sentence, WIDTH).iter().try_for_each(|line| self.plain(line))
    }

    /// A sentence after a mark, its further lines below its beginning.
    pub(crate) fn item(&mut self, mark: &str, column: usize, words: &str) -> io::Result<()> {
        for (i, line) in wrapped(words, WIDTH - column).into_iter().enumerate() {
            let mut text = Text::plain(if i == 0 { mark } else { "" });
            text.pad_to(column);
            text.add(Ink::Plain, line);
            self.line(&text)?;
        }
        Ok(())
    }

    /// Paragraphs, each with a dot before it.
    pub(crate) fn points(&mut self, paragraphs: &[String]) -> io::Result<()> {
        paragraphs.iter().try_for_each(|words| self.item("·", 2, words))
    }

    /// A bold line after a blank one.
    pub(crate) fn heading(&mut self, title: &str) -> io::Result<()> {
        self.blank()?;
        self.line(&Text::new().with(Ink::Bold, title))
    }

    /// What can be typed, and the mark behind which it is typed.
    pub(crate) fn offer(&mut self, offers: &[impl AsRef<str>]) -> io::Result<()> {
        for line in in_lines(offers) {
            self.line(&keys_in_bold(&line))?;
        }
        write!(self.out, "> ")?;
        self.out.flush()
    }
}

/// Offers with some room between them, as many in a line as fit.
fn in_lines(offers: &[impl AsRef<str>]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for offer in offers.iter().map(AsRef::as_ref) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 3 + offer.chars().count() <= WIDTH => {
                line.push_str("   ");
                line.push_str(offer);
            }
            _ => lines.push(offer.to_owned()),
        }
    }
    lines
}

/// Sets what stands in square brackets in bold.
fn keys_in_bold(line: &str) -> Text {
    let mut text = Text::new();
    for (i, part) in line.split_inclusive(['[', ']']).enumerate() {
        let ink = if i % 2 == 1 { Ink::Bold } else { Ink::Plain };
        match part.strip_suffix(']') {
            Some(key) => {
                text.add(ink, key);
                text.add(Ink::Plain, "]");
            }
            None => text.add(ink, part),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stand_out() {
        let text = keys_in_bold("[h]it  s[p]lit");
        assert_eq!(text.written(false), "[h]it  s[p]lit");
        assert_eq!(text.written(true), "[\x1b[1mh\x1b[0m]it  s[\x1b[1mp\x1b[0m]lit");
    }

    #[test]
    fn offers_keep_their_distance() {
        assert_eq!(in_lines(&["[h]it", "[s]tand"]), ["[h]it   [s]tand"]);
        let long = "x".repeat(40);
        assert_eq!(in_lines(&[&long, &long]).len(), 2);
    }

    #[test]
    fn items_hang() {
        let mut screen = Screen::new(Vec::new(), true);
        screen.item("split", 8, &"word ".repeat(20)).unwrap();
        let text = String::from_utf8(screen.out).unwrap();
        let lines: Vec<_> = text.lines().collect();
        assert!(lines[0].starts_with("split   word") && lines[1].starts_with("        word"));
        assert!(lines.iter().all(|line| line.len() <= WIDTH));
    }
}
