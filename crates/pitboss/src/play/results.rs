//! What every wager came to, with the odds that paid it and the clause that decided it.

use rules::card::Rank;
use rules::games::double_down_stud::Category;
use rules::money::Cents;
use rules::round::{Event, Ruling, Settlement};
use rules::wager::{Bettor, Circle};

use super::text::{Ink, Text};

/// A line for each wager of a bettor, in the order of the layout.
pub(crate) fn lines(events: &[Event], bettor: Bettor) -> Vec<Text> {
    let mut rows: Vec<Row> = events.iter().filter_map(|event| row(event, bettor)).collect();
    rows.sort_by_key(|row| (row.hand, row.circle));
    let has_hands = rows.iter().any(|row| row.hand > 0);
    rows.iter().map(|row| row.text(has_hands)).collect()
}

struct Row {
    hand: u8,
    circle: Circle,
    stake: String,
    words: String,
    gain: Cents,
    clause: &'static str,
}

fn row(event: &Event, whose: Bettor) -> Option<Row> {
    match *event {
        Event::Settled(settled) if settled.bettor == whose => {
            let Settlement { hand, circle, stake, lammer, ruling, gain, clause, .. } = settled;
            let free = if lammer { " free" } else { "" };
            let words = in_words(ruling, lammer);
            Some(Row { hand, circle, stake: format!("{stake}{free}"), words, gain, clause })
        }
        Event::Awarded { bettor, circle, amount, clause } if bettor == whose => {
            let words = match circle {
                Circle::Envy => "another box hit the meter".to_owned(),
                _ => "wins the meter".to_owned(),
            };
            Some(Row { hand: 0, circle, stake: String::new(), words, gain: amount, clause })
        }
        _ => None,
    }
}

fn in_words(ruling: Ruling, lammer: bool) -> String {
    match ruling {
        Ruling::Pay(odds) => format!("wins {odds}"),
        Ruling::PayAndCollect(odds) => format!("wins {odds}, stake kept"),
        Ruling::Push => "push, comes back".to_owned(),
        Ruling::Take => "lost".to_owned(),
        Ruling::TakeHalf => "half lost".to_owned(),
        Ruling::Return if lammer => "taken off, costs nothing".to_owned(),
        Ruling::Return => "comes back".to_owned(),
    }
}

impl Row {
    fn text(&self, has_hands: bool) -> Text {
        let is_on_a_hand =
            !matches!(self.circle, Circle::Insurance | Circle::Bonus | Circle::Push22);
        let hand = match has_hands && is_on_a_hand {
            true => format!(" {}", self.hand + 1),
            false => String::new(),
        };
        let mut text = Text::plain("  ");
        text.add(Ink::Plain, format!("{:<13}", format!("{}{hand}", self.circle)));
        text.add(Ink::Plain, format!("{:>9}  {:<26}", self.stake, self.words));
        text.add(ink(self.gain), format!("{:>11}", format!("{:+}", self.gain)));
        text.add(Ink::Faint, format!("  {}", self.clause));
        text
    }
}

/// The sum of the round.
pub(crate) fn sum(net: Cents) -> Text {
    let words = match net.cmp(&Cents::ZERO) {
        std::cmp::Ordering::Greater => format!("You win {net}."),
        std::cmp::Ordering::Less => format!("You lose {}.", -net),
        std::cmp::Ordering::Equal => "Nothing won, nothing lost.".to_owned(),
    };
    let mut text = Text::plain("  ").with(Ink::Bold, format!("{words:<50}"));
    text.add(ink(net), format!("{:>11}", format!("{net:+}")));
    text
}

const fn ink(gain: Cents) -> Ink {
    if gain.get() < 0 { Ink::Red } else { Ink::Plain }
}

/// A poker hand in words; a pair is named by its rank.
pub(crate) fn poker_hand(category: Category, ranks: &[Rank]) -> String {
    match category {
        Category::Nothing => "nothing".to_owned(),
        Category::Pair => {
            let is_pair = |rank: &&Rank| ranks.iter().filter(|other| other == rank).count() == 2;
            let pair = ranks.iter().find(is_pair).map_or("", |rank| rank.name());
            format!("a pair of {pair}{}", if pair == "six" { "es" } else { "s" })
        }
        Category::TwoPair => "two pairs".to_owned(),
        Category::FourOfAKind | Category::ThreeOfAKind => category.name().replace('-', " "),
        _ => format!("a {}", category.name().replace('-', " ")),
    }
}

#[cfg(test)]
mod tests {
    use rules::money::{Chips, Odds};

    use super::*;

    #[test]
    fn each_wager_has_its_odds_and_its_clause() {
        let settled = Settlement {
            bettor: Bettor::at(0),
            hand: 0,
            circle: Circle::Main,
            stake: Chips::dollars(10),
            lammer: false,
            ruling: Ruling::Pay(Odds::to(3, 2)),
            gain: Cents::new(1500),
            clause: "DDB-P9",
        };
        let other = Settlement { bettor: Bettor::at(1), ..settled };
        let lines = lines(&[Event::Settled(settled), Event::Settled(other)], Bettor::at(0));
        assert_eq!(lines.len(), 1);
        let line = lines[0].written(false);
        for word in ["main", " 10 ", "wins 3 to 2", "+15", "DDB-P9"] {
            assert!(line.contains(word), "{line}");
        }
        assert!(line.chars().count() <= super::super::screen::WIDTH);
    }

    #[test]
    fn poker_hands_are_named() {
        use Rank::{Five, King, Nine, Six};
        let pair = poker_hand(Category::Pair, &[Six, King, Six, Nine, Five]);
        assert_eq!(pair, "a pair of sixes");
        assert_eq!(poker_hand(Category::FullHouse, &[]), "a full house");
        assert_eq!(poker_hand(Category::FourOfAKind, &[]), "four of a kind");
    }
}
