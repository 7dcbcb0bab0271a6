//! Cards as they are drawn: frames side by side, or one line of them.

use rules::card::{Card, Rank};

use super::felt::FeltCard;
use crate::text::{Ink, Text, wrapped};

/// Lines that a drawn card takes.
const ROWS: usize = 4;
/// Columns that a drawn card takes, and those that stay in sight below another one.
const FULL: usize = 6;
const COVERED: usize = 3;
/// From this many on, cards overlap like a fan.
const FAN: usize = 6;
/// Columns between two groups, and before the first.
const GAP: usize = 4;
const MARGIN: usize = 2;

/// Cards that belong together, with a title above and a line below.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) title: String,
    pub(crate) cards: Vec<FeltCard>,
    pub(crate) caption: String,
    /// Whether the viewer holds the cards.
    pub(crate) own: bool,
}

/// Groups from left to right, and on further lines where they do not fit.
pub(crate) fn side_by_side(groups: &[Group], width: usize) -> Vec<Text> {
    let mut lines = Vec::new();
    let mut row: Vec<&Group> = Vec::new();
    let mut used = 0;
    let groups: Vec<Group> = groups.iter().flat_map(|group| group.fitted(width - MARGIN)).collect();
    for group in &groups {
        let here = group.width();
        if !row.is_empty() && used + GAP + here > width {
            lines.extend(one_row(&row));
            (row, used) = (Vec::new(), 0);
        }
        used += here + if row.is_empty() { MARGIN } else { GAP };
        row.push(group);
    }
    lines.extend(one_row(&row));
    lines
}

fn one_row(groups: &[&Group]) -> Vec<Text> {
    let captions = groups.iter().map(|group| group.caption.lines().count()).max();
    let mut lines = vec![Text::new(); 1 + ROWS + captions.unwrap_or_default()];
    let mut column = MARGIN;
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
    /// The group in as many parts as its cards need, and its caption in as many lines.
    fn fitted(&self, width: usize) -> Vec<Group> {
        let most = (width - FULL) / COVERED + 1;
        let mut parts: Vec<Group> = self
            .cards
            .chunks(most)
            .map(|cards| Group { cards: cards.to_vec(), ..self.empty() })
            .collect();
        if parts.is_empty() {
            parts.push(self.empty());
        }
        parts[0].title.clone_from(&self.title);
        if let Some(last) = parts.last_mut() {
            last.caption = wrapped(&self.caption, width).join("\n");
        }
        parts
    }

    fn empty(&self) -> Group {
        Group { title: String::new(), cards: Vec::new(), caption: String::new(), own: self.own }
    }

    fn is_fan(&self) -> bool {
        self.cards.len() >= FAN
    }

    fn width(&self) -> usize {
        let cards = match (self.cards.len(), self.is_fan()) {
            (0, _) => 0,
            (n, true) => (n - 1) * COVERED + FULL,
            (n, false) => n * (FULL + 1) - 1,
        };
        let caption = self.caption.lines().map(|line| line.chars().count()).max();
        cards.max(self.title.chars().count()).max(caption.unwrap_or_default())
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
        lines.extend(self.caption.lines().map(|line| Text::new().with(Ink::Faint, line)));
        lines
    }
}

/// The four lines of a card, or of as much as another one leaves in sight.
fn framed(card: FeltCard, own: bool, whole: bool) -> [Text; ROWS] {
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
pub(crate) fn in_a_line(cards: &[FeltCard], own: bool) -> Text {
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

fn face(card: FeltCard, own: bool) -> Option<Card> {
    match card {
        FeltCard::Open(card) => Some(card),
        FeltCard::Held(card) if own => Some(card),
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

    fn lying(words: &str) -> Vec<FeltCard> {
        let card = |word: &str| word.parse().map_or(FeltCard::Down, FeltCard::Open);
        words.split_whitespace().map(card).collect()
    }

    fn group(title: &str, cards: &str) -> Group {
        Group { title: title.into(), cards: lying(cards), caption: String::new(), own: true }
    }

    fn written(groups: &[Group]) -> Vec<String> {
        side_by_side(groups, 78).iter().map(|line| line.written(false)).collect()
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
        let four = vec![hand; 4];
        assert_eq!(written(&four).len(), 2 * (ROWS + 1));
        let mut long = group("You", "Ac Ad Ac Ad 2c 2d Ac Ad 2c 2d Ah As 2s");
        long.caption = "main 5,000, attack 5,000, double 10,000, insurance 2,500".into();
        for groups in [four, vec![long]] {
            let narrow = side_by_side(&groups, 38);
            let wide = narrow.iter().find(|line| line.width() > 38);
            assert_eq!(wide, None);
        }
    }

    #[test]
    fn held_cards_are_seen_by_their_owner_alone() {
        let held = [FeltCard::Held("Ah".parse().unwrap()), FeltCard::Open("5s".parse().unwrap())];
        assert_eq!(in_a_line(&held, true).written(false), "A♥ 5♠");
        assert_eq!(in_a_line(&held, false).written(false), "▒▒ 5♠");
        assert!(in_a_line(&held, true).written(true).contains("\x1b[31mA♥"));
    }
}
