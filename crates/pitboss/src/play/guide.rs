//! The games in our own words, for someone who has never seen them.

use rules::clause;
use rules::terms::TermSheet;
use rules::wager::Game;

/// A game in a few words.
pub(crate) const fn in_one_line(game: Game) -> &'static str {
    match game {
        Game::CasinoWar => "one card each, the higher one wins; a tie is war",
        Game::DoubleDownStud => "your card and four shared ones make a poker hand",
        Game::DoubleDeck => "blackjack from two decks, cards held in the hand",
        Game::DoubleAttack => "raise after the dealer's first card; no tens",
        Game::FreeBet => "free doubles and splits; a dealer's 22 pushes",
    }
}

/// What wins, and what the circles mean.
pub(crate) fn explanation(sheet: &TermSheet) -> Vec<String> {
    let own = match sheet.game() {
        Game::CasinoWar => casino_war(sheet),
        Game::DoubleDownStud => double_down_stud(sheet),
        Game::DoubleDeck => double_deck(sheet),
        Game::DoubleAttack => double_attack(sheet),
        Game::FreeBet => free_bet(sheet),
    };
    own.into_iter().filter(|paragraph| !paragraph.is_empty()).collect()
}

/// What pays how much: the line, and the clause that says so.
pub(crate) fn pay_table(sheet: &TermSheet) -> Vec<(String, &'static str)> {
    let ids: Vec<&'static str> = match sheet.game() {
        Game::CasinoWar => {
            let mut ids = vec!["CW-9-a-1", "CW-9-a-2", "CW-9-a-3"];
            if sheet.is_on("progressive_offered") {
                ids.extend(["CW-11-c-T6", "CW-11-c-T5", "CW-11-c-T4", "CW-11-c-T3"]);
                ids.extend(["CW-11-c-T2", "CW-11-c-T1", "CW-11-c-N1"]);
            }
            ids
        }
        Game::DoubleDownStud => return stud_pays(sheet),
        Game::DoubleDeck => vec!["DDB-P9", "DDB-P21"],
        Game::DoubleAttack => {
            let mut ids = vec!["DAB-5-a-3", "DAB-11-c", "DAB-6-d-2-T1", "DAB-6-d-2-T2"];
            ids.extend(["DAB-6-d-2-T3", "DAB-6-d-2-T4", "DAB-6-d-2-T5"]);
            ids.extend(["DAB-6-d-3-T1", "DAB-6-d-3-T2"]);
            ids
        }
        Game::FreeBet => {
            let mut ids = vec!["FBB-10-a", "FBB-10-b"];
            if sheet.is_on("push22_offered") {
                ids.extend(["FBB-10-c-T1", "FBB-10-c-T2", "FBB-10-c-T3"]);
            }
            ids
        }
    };
    let line = |id: &'static str| match id.starts_with("CW-11-c-T") {
        true => (format!("Progressive: {}", title(id)), id),
        false => (title(id), id),
    };
    ids.into_iter().map(line).collect()
}

fn title(id: &str) -> String {
    clause::find(id).map(|clause| clause.title.clone()).unwrap_or_default()
}

/// The hands that win in Double Down Stud: name, option and line of the pay table.
const STUD: [(&str, &str, &str); 9] = [
    ("royal flush", "pays_royal_flush", "DDS-10-b-T1"),
    ("straight flush", "pays_straight_flush", "DDS-10-b-T2"),
    ("four of a kind", "pays_four_of_a_kind", "DDS-10-b-T3"),
    ("full house", "pays_full_house", "DDS-10-b-T4"),
    ("flush", "pays_flush", "DDS-10-b-T5"),
    ("straight", "pays_straight", "DDS-10-b-T6"),
    ("three of a kind", "pays_three_of_a_kind", "DDS-10-b-T7"),
    ("two pairs", "pays_two_pair", "DDS-10-b-T8"),
    ("pair of jacks or better", "pays_high_pair", "DDS-10-b-T9"),
];

/// The listed odds, raised where the house pays more.
fn stud_pays(sheet: &TermSheet) -> Vec<(String, &'static str)> {
    let winning = STUD.into_iter().map(|(name, key, id)| {
        let odds = sheet.number(key).unwrap_or_default();
        (format!("{name}: {odds} to 1"), id)
    });
    winning.chain(["DDS-10-b-T10", "DDS-10-b-T11"].map(|id| (title(id), id))).collect()
}

/// The same in one sentence.
fn stud_odds(sheet: &TermSheet) -> String {
    let odds = STUD.map(|(name, key, _)| format!("{name} {}", sheet.number(key).unwrap_or(0)));
    odds.join(", ")
}

fn casino_war(sheet: &TermSheet) -> Vec<String> {
    let progressive = match sheet.is_on("progressive_offered") {
        true => {
            "The circle progressive is a side wager of 5 or a multiple of it on ties of growing \
             rarity, up to the meter; its stake is kept even when it wins."
        }
        false => "",
    };
    vec![
        "You and the dealer get one card each. The higher rank wins; aces are highest, suits do \
         not count. The main wager pays 1 to 1."
            .into(),
        "When the ranks tie you choose. Surrender, and lose half. Or go to war: add as much \
         again, three cards are burned, you and the dealer get one more card. Win the war and \
         the added wager pays 1 to 1, tie again and it pays 2 to 1, and the main wager comes \
         back; lose it and both are lost."
            .into(),
        "The circle tie is a side wager that the first two cards tie.".into(),
        progressive.into(),
    ]
}

fn double_down_stud(sheet: &TermSheet) -> Vec<String> {
    let double = match sheet.word("double_amount") {
        "equal" => "add exactly as much again",
        _ => "add any amount up to your wager",
    };
    vec![
        "Your poker hand is one card of your own and four shared ones. You do not play against \
         the dealer but against a pay table: jacks or better win, a pair of sixes to tens gets \
         the wager back, anything lower loses."
            .into(),
        format!(
            "The first shared card lies face down, three are open. Then you may double, that is \
             {double}, or pass. The last card is turned, and the pay table decides."
        ),
        format!("It pays, to 1: {}.", stud_odds(sheet)),
    ]
}

const BLACKJACK: &str = "Come closer to 21 than the dealer without going over: hit for a card, \
    stand to keep what you have. Cards count their pips, court cards ten, an ace 11 (then the \
    total is soft) or 1. An ace with a ten-value card as the first two cards is a blackjack and \
    beats any other 21.";

fn double_deck(sheet: &TermSheet) -> Vec<String> {
    let cards = match sheet.word("player_cards") {
        "private" => "Your first two cards are seen by you alone, and so are everyone else's.",
        _ => "All players' cards lie open.",
    };
    let even = match sheet.is_on("even_money") {
        true => " With a blackjack you may take even money instead.",
        false => "",
    };
    vec![
        BLACKJACK.into(),
        format!(
            "{cards} Double on two cards that make \
             9, 10 or 11: one card more, for up to your wager again. Split a pair into two hands \
             for another wager, up to four hands; aces once, with one card each."
        ),
        format!(
            "A blackjack pays 3 to 2, all else 1 to 1; equal totals push. The dealer draws to 16 \
             and on soft 17. When an ace is up you may insure for up to half your wager.{even} \
             There are no side wagers and no surrender."
        ),
    ]
}

fn double_attack(sheet: &TermSheet) -> Vec<String> {
    let hole = match sheet.word("dealing_mode") {
        "no_hole_card" => "The dealer's second card comes after everyone has played.",
        "hole_card" => "The dealer's second card lies face down, and nobody looks at it.",
        _ => "The dealer's second card lies face down; a reader checks it for blackjack.",
    };
    vec![
        BLACKJACK.into(),
        format!(
            "The decks have no tens. The dealer's first card comes before all others; then you \
             may attack, that is add up to your wager again. {hole} The dealer draws to 16 and \
             stands on any 17."
        ),
        "Double on any number of cards for up to what lies on the hand. Split equal values for \
         another wager; split aces take one card. Surrender at any moment before you stand, and \
         lose half. All hands pay 1 to 1, a blackjack too; a dealer's blackjack takes the main \
         wager and returns what was added."
            .into(),
        "The circle bonus is a side wager that the dealer goes over 21 with the third card. With \
         an ace up you may insure for up to half your main wager."
            .into(),
    ]
}

fn free_bet(sheet: &TermSheet) -> Vec<String> {
    let aces = match sheet.word("split_aces") {
        "full_play" => "Split aces play like any hand.",
        "one_card_resplit" => "Split aces take one card, and another ace may be split again.",
        _ => "Split aces take one card.",
    };
    let push22 = match sheet.is_on("push22_offered") {
        true => format!(
            "The circle push22 is a side wager that the dealer ends on 22 (table {}).",
            sheet.word("push22_paytable")
        ),
        false => String::new(),
    };
    let even = match sheet.is_on("even_money") {
        true => "; with a blackjack you may take even money instead",
        false => "",
    };
    vec![
        BLACKJACK.into(),
        format!(
            "Doubling two cards of hard 9, 10 or 11 is free, and so is splitting any pair but \
             ten-values: the house lays a lammer for you, which wins like a wager and is never \
             lost. Other two-card hands may be doubled, and ten-values split, for money, up to \
             four hands. {aces}"
        ),
        format!(
            "The price: when the dealer ends on 22, every hand still in play pushes. A blackjack \
             pays 3 to 2. The dealer draws to 16 and stands on any 17. With an ace up you may \
             insure for up to half your wager{even}. There is no surrender."
        ),
        push22,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_explained_and_every_line_of_its_pay_table_is_a_clause() {
        for game in Game::ALL {
            let sheet = TermSheet::new(game);
            assert!(!explanation(&sheet).is_empty());
            assert!(in_one_line(game).len() <= 48, "{game}");
            for (line, id) in pay_table(&sheet) {
                let clause = clause::find(id).unwrap_or_else(|| panic!("there is no {id}"));
                assert_eq!(clause.game, game);
                assert!(!line.is_empty());
            }
        }
    }

    #[test]
    fn raised_odds_are_shown() {
        let mut sheet = TermSheet::new(Game::DoubleDownStud);
        sheet.set([("pays_flush", "9")]).unwrap();
        assert!(pay_table(&sheet).contains(&("flush: 9 to 1".to_owned(), "DDS-10-b-T5")));
    }
}
