//! A calm log of lines that scrolls: nothing is cleared, nothing moves.

use std::io::{self, IsTerminal, Write};

use crate::text::{Ink, Text, grouped, wrapped};

/// The columns of a terminal that does not say, and the fewest and the most that are counted on.
const USUAL: usize = 80;
const FEWEST: usize = 40;
const MOST: usize = 100;
/// Columns that stay free on the right.
const MARGIN: usize = 2;
/// The columns that words beside a mark need; with fewer they stand below it.
const BESIDE: usize = 22;

/// The columns that can be written to: those of `COLUMNS`, or else of the terminal.
pub(crate) fn width() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let seen = || terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0.into());
    said.or_else(seen).unwrap_or(USUAL).clamp(FEWEST, MOST) - MARGIN
}

/// Whether escape codes are welcome: a terminal that has colours, and nobody who minds.
pub(crate) fn is_colourful() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    io::stdout().is_terminal() && !is_set("NO_COLOR") && !is_dumb
}

/// Where lines are written. Numbers in prose get their commas here.
pub(crate) struct Screen<W> {
    out: W,
    colour: bool,
    width: usize,
}

impl<W: Write> Screen<W> {
    pub(crate) fn new(out: W, colour: bool, width: usize) -> Screen<W> {
        Screen { out, colour, width }
    }

    /// The columns that can be written to.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// One line as it is.
    pub(crate) fn line(&mut self, text: &Text) -> io::Result<()> {
        writeln!(self.out, "{}", text.written(self.colour))
    }

    /// One line as it is, without ink.
    pub(crate) fn plain(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")
    }

    pub(crate) fn blank(&mut self) -> io::Result<()> {
        writeln!(self.out)
    }

    /// A sentence, wrapped.
    pub(crate) fn say(&mut self, sentence: &str) -> io::Result<()> {
        wrapped(&grouped(sentence), self.width).iter().try_for_each(|line| self.plain(line))
    }

    /// A sentence after a mark, its further lines below its beginning.
    pub(crate) fn item(&mut self, mark: &str, column: usize, words: &str) -> io::Result<()> {
        let mut mark = mark;
        let mut column = column;
        if self.width < column + BESIDE {
            if !mark.is_empty() {
                self.plain(mark)?;
            }
            (mark, column) = ("", 4);
        } else if mark.chars().count() >= column {
            self.plain(mark)?;
            mark = "";
        }
        for line in wrapped(&grouped(words), self.width - column) {
            let mut text = Text::plain(std::mem::take(&mut mark));
            text.pad_to(column);
            text.add(Ink::Plain, line);
            self.line(&text)?;
        }
        Ok(())
    }

    /// Paragraphs, each with a dot before it.
    pub(crate) fn points(&mut self, paragraphs: &[impl AsRef<str>]) -> io::Result<()> {
        paragraphs.iter().try_for_each(|words| self.item("·", 2, words.as_ref()))
    }

    /// A bold line after a blank one.
    pub(crate) fn heading(&mut self, title: &str) -> io::Result<()> {
        self.blank()?;
        let lines = wrapped(&grouped(title), self.width);
        lines.iter().try_for_each(|line| self.line(&Text::new().with(Ink::Bold, line.as_str())))
    }

    /// What can be typed, and the mark behind which it is typed.
    pub(crate) fn offer(&mut self, offers: &[impl AsRef<str>]) -> io::Result<()> {
        for line in in_lines(offers, self.width) {
            self.line(&keys_in_bold(&line))?;
        }
        write!(self.out, "> ")?;
        self.out.flush()
    }
}

/// Offers with some room between them, as many in a line as fit; a longer one has its own lines.
fn in_lines(offers: &[impl AsRef<str>], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for offer in offers.iter().map(|offer| grouped(offer.as_ref())) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 3 + offer.chars().count() <= width => {
                line.push_str("   ");
                line.push_str(&offer);
            }
            _ => lines.extend(wrapped(&offer, width)),
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
        assert_eq!(in_lines(&["[h]it", "[s]tand"], 15), ["[h]it   [s]tand"]);
        assert_eq!(in_lines(&["[h]it", "[s]tand"], 14), ["[h]it", "[s]tand"]);
        let long = "[w]ar 1000 (w AMOUNT: also bets on another tie)";
        let lines = ["[w]ar 1,000 (w AMOUNT: also", "bets on another tie)   [q]uit"];
        assert_eq!(in_lines(&[long, "[q]uit"], 30), lines);
    }

    fn item(width: usize) -> Vec<String> {
        let mut screen = Screen::new(Vec::new(), true, width);
        screen.item("split", 8, &"word ".repeat(20)).unwrap();
        let text = String::from_utf8(screen.out).unwrap();
        assert!(text.lines().all(|line| line.len() <= width));
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn items_hang_beside_their_mark_or_below_it() {
        let lines = item(38);
        assert!(lines[0].starts_with("split   word") && lines[1].starts_with("        word"));
        let lines = item(28);
        assert!(lines[0] == "split" && lines[1].starts_with("    word"));
    }
}
