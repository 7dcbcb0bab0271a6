//! Cards as they are drawn: frames side by side, or one line of them.

use rules::card::{Card, Rank};

use super::felt::Lying;
use super::screen::WIDTH;
use super::text::{Ink, Text};

/// Lines that a drawn card takes.
const ROWS: usize = 4;
/// Columns that a drawn card takes, and those that stay in sight below another one.
const FULL: usize = 6;
const COVERED: usize = 3;
/// From this many on, cards overlap like a fan.
const FAN: usize = 6;
/// Columns between two groups.
const GAP: usize = 4;

/// Cards that belong together, with a title above and a line below.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) title: String,
    pub(crate) cards: Vec<Lying>,
    pub(crate) caption: String,
    /// Whether the viewer holds the cards.
    pub(crate) own: bool,
}

/// Groups from left to right, and on further lines where they do not fit.
pub(crate) fn side_by_side(groups: &[Group]) -> Vec<Text> {
    let mut lines = Vec::new();
    let mut row: Vec<&Group> = Vec::new();
    let mut used = 0;
    for group in groups {
        let width = group.width();
        if !row.is_empty() && used + GAP + width > WIDTH {
            lines.extend(one_row(&row));
            (row, used) = (Vec::new(), 0);
        }
        used += width + if row.is_empty() { 2 } else { GAP };
        row.push(group);
    }
    lines.extend(one_row(&row));
    lines
}

fn one_row(groups: &[&Group]) -> Vec<Text> {
    let mut lines = vec![Text::new(); ROWS + 2];
    let mut column = 2;
    for group in groups {
        for (line, text) in lines.iter_mut().zip(group.lines()) {
            line.pad_to(column);
            line.append(text);
        }
        column += group.width() + GAP;
    }
    lines.retain(|line| !line.written(false).is_empty());
    lines
}

impl Group {
    fn is_fan(&self) -> bool {
        self.cards.len() >= FAN
    }

    fn width(&self) -> usize {
        let cards = match (self.cards.len(), self.is_fan()) {
            (0, _) => 0,
            (n, true) => (n - 1) * COVERED + FULL,
            (n, false) => n * (FULL + 1) - 1,
        };
        cards.max(self.title.chars().count()).max(self.caption.chars().count())
    }

    /// The title, the cards and the caption.
    fn lines(&self) -> Vec<Text> {
        let mut lines = vec![Text::new().with(Ink::Bold, self.title.as_str())];
        let mut rows = vec![Text::new(); ROWS];
        let last = self.cards.len().saturating_sub(1);
        for (i, &card) in self.cards.iter().enumerate() {
            let whole = i == last || !self.is_fan();
            for (row, part) in rows.iter_mut().zip(framed(card, self.own, whole)) {
                row.append(part);
                if i != last && !self.is_fan() {
                    row.add(Ink::Plain, " ");
                }
            }
        }
        lines.append(&mut rows);
        lines.push(Text::new().with(Ink::Faint, self.caption.as_str()));
        lines
    }
}

/// The four lines of a card, or of as much as another one leaves in sight.
fn framed(card: Lying, own: bool, whole: bool) -> [Text; ROWS] {
    let (top, bottom, side) = if whole {
        ("┌────┐", "└────┘", "│")
    } else {
        ("┌──", "└──", "")
    };
    let inner = |ink: Ink, words: String| Text::plain("│").with(ink, words).with(Ink::Plain, side);
    let width = if whole { FULL - 2 } else { COVERED - 1 };
    let (ink, first, second) = match face(card, own) {
        Some(card) => {
            let (rank, suit) = (rank(card), card.suit().symbol());
            let second = if whole { format!("  {suit} ") } else { format!("{suit} ") };
            (ink(card), format!("{rank:width$}"), second)
        }
        None => (Ink::Faint, "░".repeat(width), "░".repeat(width)),
    };
    [Text::plain(top), inner(ink, first), inner(ink, second), Text::plain(bottom)]
}

/// Cards in one line: `K♠ 9♦ ▒▒`.
pub(crate) fn in_a_line(cards: &[Lying], own: bool) -> Text {
    let mut line = Text::new();
    for (i, &card) in cards.iter().enumerate() {
        line.add(Ink::Plain, if i == 0 { "" } else { " " });
        match face(card, own) {
            Some(card) => line.add(ink(card), name(card)),
            None => line.add(Ink::Faint, "▒▒"),
        }
    }
    line
}

/// A card in a sentence: `10♦`.
pub(crate) fn name(card: Card) -> String {
    format!("{}{}", rank(card), card.suit().symbol())
}

fn face(card: Lying, own: bool) -> Option<Card> {
    match card {
        Lying::Open(card) => Some(card),
        Lying::Held(card) if own => Some(card),
        _ => None,
    }
}

fn rank(card: Card) -> String {
    match card.rank() {
        Rank::Ten => "10".to_owned(),
        rank => rank.letter().to_string(),
    }
}

const fn ink(card: Card) -> Ink {
    if card.suit().is_red() { Ink::Red } else { Ink::Plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lying(words: &str) -> Vec<Lying> {
        let card = |word: &str| word.parse().map_or(Lying::Down, Lying::Open);
        words.split_whitespace().map(card).collect()
    }

    fn group(title: &str, cards: &str) -> Group {
        Group { title: title.into(), cards: lying(cards), caption: String::new(), own: true }
    }

    fn written(groups: &[Group]) -> Vec<String> {
        side_by_side(groups).iter().map(|line| line.written(false)).collect()
    }

    #[test]
    fn cards_stand_side_by_side_and_hidden_ones_show_their_backs() {
        assert_eq!(
            written(&[group("Dealer", "9s ??"), group("You", "Td")]),
            [
                "  Dealer           You",
                "  ┌────┐ ┌────┐    ┌────┐",
                "  │9   │ │░░░░│    │10  │",
                "  │  ♠ │ │░░░░│    │  ♦ │",
                "  └────┘ └────┘    └────┘",
            ]
        );
    }

    #[test]
    fn many_cards_are_fanned() {
        assert_eq!(
            written(&[group("", "2c 2d ?? 3c 4c 5d")]),
            [
                "  ┌──┌──┌──┌──┌──┌────┐",
                "  │2 │2 │░░│3 │4 │5   │",
                "  │♣ │♦ │░░│♣ │♣ │  ♦ │",
                "  └──└──└──└──└──└────┘",
            ]
        );
    }

    #[test]
    fn no_line_is_wider_than_the_screen() {
        let hand = group("Hand 1 of 4 · soft 21", "2c 2d 3c 3d 4c 5d 6d 6c");
        let lines = written(&[hand.clone(), hand.clone(), hand.clone(), hand]);
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH), "{lines:?}");
        assert_eq!(lines.len(), 2 * (ROWS + 1));
    }

    #[test]
    fn held_cards_are_seen_by_their_owner_alone() {
        let held = [Lying::Held("Ah".parse().unwrap()), Lying::Open("5s".parse().unwrap())];
        assert_eq!(in_a_line(&held, true).written(false), "A♥ 5♠");
        assert_eq!(in_a_line(&held, false).written(false), "▒▒ 5♠");
        assert!(in_a_line(&held, true).written(true).contains("\x1b[31mA♥"));
    }
}
