//! What every wager came to, with the odds that paid it and the clause that decided it.

use rules::card::{Card, Rank};
use rules::games::double_down_stud::Category;
use rules::money::Cents;
use rules::round::{Event, Settlement, award_in_words};
use rules::wager::{Bettor, Circle};

use crate::text::{Ink, Text, grouped, wrapped};

/// The columns that a line needs; on a narrower screen a wager has several.
const ONE_LINE: usize = 78;

/// What each wager of a bettor came to, in the order of the layout.
pub(crate) fn lines(events: &[Event], bettor: Bettor, width: usize) -> Vec<Text> {
    let mut rows: Vec<Row> = events.iter().filter_map(|event| row(event, bettor)).collect();
    rows.sort_by_key(|row| (row.hand, row.circle));
    let has_hands = rows.iter().any(|row| row.hand > 0);
    match width < ONE_LINE {
        false => rows.iter().map(|row| row.in_columns(has_hands)).collect(),
        true => rows.iter().flat_map(|row| row.in_lines(has_hands, width)).collect(),
    }
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
            let Settlement { hand, circle, stake, lammer, gain, reason, .. } = settled;
            let free = if lammer { " free" } else { "" };
            let words = settled.in_words().to_string();
            let clause = reason.clause;
            Some(Row { hand, circle, stake: format!("{stake}{free}"), words, gain, clause })
        }
        Event::Awarded { bettor, circle, amount, clause } if bettor == whose => {
            let words = award_in_words(circle).to_owned();
            Some(Row { hand: 0, circle, stake: String::new(), words, gain: amount, clause })
        }
        _ => None,
    }
}

impl Row {
    /// The circle, with the hand where there are several.
    fn name(&self, has_hands: bool) -> String {
        let is_on_a_hand =
            !matches!(self.circle, Circle::Insurance | Circle::Bonus | Circle::Push22);
        match has_hands && is_on_a_hand {
            true => format!("{} {}", self.circle, self.hand + 1),
            false => self.circle.to_string(),
        }
    }

    fn in_columns(&self, has_hands: bool) -> Text {
        let (stake, words) = (grouped(&self.stake), grouped(&self.words));
        let mut text = Text::plain(format!("  {:<12}", self.name(has_hands)));
        text.add(Ink::Plain, format!("{stake:>10}  {words:<26}"));
        text.add(ink(self.gain), format!("{:>11}", signed(self.gain)));
        text.add(Ink::Faint, format!("  {}", self.clause));
        text
    }

    fn in_lines(&self, has_hands: bool, width: usize) -> Vec<Text> {
        let (name, stake) = (self.name(has_hands), grouped(&self.stake));
        let words = format!("{name} {stake}: {}", grouped(&self.words)).replace(" :", ":");
        let words = wrapped(&words, width - 2).into_iter();
        let mut lines: Vec<_> = words.map(|line| Text::plain(format!("  {line}"))).collect();
        let gain = Text::plain("    ").with(ink(self.gain), signed(self.gain));
        lines.push(gain.with(Ink::Faint, format!("  {}", self.clause)));
        lines
    }
}

/// A gain or a loss with its sign.
fn signed(gain: Cents) -> String {
    grouped(&format!("{gain:+}"))
}

/// The sum of the round.
pub(crate) fn sum(net: Cents, width: usize) -> Text {
    let words = match net.cmp(&Cents::ZERO) {
        std::cmp::Ordering::Greater => format!("You win {net}."),
        std::cmp::Ordering::Less => format!("You lose {}.", -net),
        std::cmp::Ordering::Equal => "You break even.".to_owned(),
    };
    let words = grouped(&words);
    let (column, room) = if width < ONE_LINE { (0, 0) } else { (50, 10) };
    let mut text = Text::plain("  ").with(Ink::Bold, format!("{words:<column$}"));
    text.add(ink(net), format!(" {:>room$}", signed(net)));
    text
}

const fn ink(gain: Cents) -> Ink {
    if gain.get() < 0 { Ink::Red } else { Ink::Plain }
}

/// The poker hand that cards make without the ones still to come.
pub(crate) fn made_so_far(cards: &[Card]) -> Category {
    let count = |rank: Rank| cards.iter().filter(|card| card.rank() == rank).count();
    let mut counts = Rank::ALL.map(count);
    counts.sort_unstable_by(|a, b| b.cmp(a));
    match counts[..] {
        [4, ..] => Category::FourOfAKind,
        [3, ..] => Category::ThreeOfAKind,
        [2, 2, ..] => Category::TwoPair,
        [2, ..] => Category::Pair,
        _ => Category::Nothing,
    }
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
    use rules::round::{Ruling, Why};

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
            reason: Why::Natural.by("DDB-P9"),
        };
        let other = Settlement { bettor: Bettor::at(1), ..settled };
        let shown = |width| {
            let events = [Event::Settled(settled), Event::Settled(other)];
            let lines = lines(&events, Bettor::at(0), width);
            lines.iter().map(|line| line.written(false)).collect::<Vec<_>>()
        };
        let wide = "  main                10  wins 3 to 2                       +15  DDB-P9";
        assert_eq!(shown(78), [wide]);
        assert_eq!(shown(38), ["  main 10: wins 3 to 2", "    +15  DDB-P9"]);
    }

    #[test]
    fn sums_have_commas_and_signs() {
        let net = Cents::new(-123_456_700);
        let line = sum(net, 78).written(false);
        assert!(line.starts_with("  You lose 1,234,567.  ") && line.ends_with(" −1,234,567"));
        assert_eq!(line.chars().count(), 63);
        assert_eq!(sum(net, 38).written(false), "  You lose 1,234,567. −1,234,567");
    }

    #[test]
    fn hands_are_named_before_the_last_card() {
        for (cards, category) in [
            ("Js Jd 2c 3c", Category::Pair),
            ("Ts Td 2c 2d", Category::TwoPair),
            ("2s 2d 2c 7h", Category::ThreeOfAKind),
            ("2s 2d 2c 2h", Category::FourOfAKind),
            ("As Ks Qs Js", Category::Nothing),
        ] {
            let cards: Vec<Card> = cards.split(' ').map(|card| card.parse().unwrap()).collect();
            assert_eq!(made_so_far(&cards), category, "{cards:?}");
        }
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
