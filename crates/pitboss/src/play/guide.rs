//! The games in our own words, for someone who has never seen them.
//!
//! How a game goes is said here; what is paid, what may be staked and who may do what is asked of
//! the rules, or quoted from the clause that says it.

use rules::card::{Card, Rank, Suit};
use rules::clause;
use rules::games::blackjack::{
    Book, Busts, DoubleAttack, DoubleDeck, FreeBet, HoleCard, Points, SplitAces, SplitStake,
};
use rules::games::{self, Pay};
use rules::terms::{AddedWager, TermSheet};
use rules::wager::{Circle, Game, Opening, PROGRESSIVE_UNIT, ProgressiveStakes};

/// What is said about one game.
struct Guide {
    /// In a few words.
    in_one_line: &'static str,
    /// What a newcomer has to know before the first wager.
    in_brief: &'static [&'static str],
    /// How it goes at a table with these terms.
    rules: fn(&TermSheet) -> Vec<String>,
    /// What the words of the pay table mean, and what else happens to a wager.
    about_pays: fn(&TermSheet) -> Vec<String>,
}

const fn guide(game: Game) -> &'static Guide {
    match game {
        Game::CasinoWar => &CASINO_WAR,
        Game::DoubleDownStud => &DOUBLE_DOWN_STUD,
        Game::DoubleDeck => &DOUBLE_DECK,
        Game::DoubleAttack => &DOUBLE_ATTACK,
        Game::FreeBet => &FREE_BET,
    }
}

/// A game in a few words.
pub(crate) const fn in_one_line(game: Game) -> &'static str {
    guide(game).in_one_line
}

/// What a newcomer has to know before the first wager.
pub(crate) const fn in_brief(game: Game) -> &'static [&'static str] {
    guide(game).in_brief
}

/// How the game goes at a table with these terms.
pub(crate) fn rules(sheet: &TermSheet) -> Vec<String> {
    (guide(sheet.game()).rules)(sheet)
}

/// What the words of the pay table mean, and what else happens to a wager.
pub(crate) fn about_pays(sheet: &TermSheet) -> Vec<String> {
    (guide(sheet.game()).about_pays)(sheet)
}

/// Everything that is paid at a table with these terms, as far as it can be wagered.
pub(crate) fn pays(sheet: &TermSheet) -> Vec<Pay> {
    let opening = games::opening(sheet);
    let mut pays = games::pays(sheet);
    pays.retain(|pay| is_offered(&opening, pay.circle));
    pays
}

/// Whether the house takes wagers on a circle; those added during a round are for the round to say.
pub(crate) fn is_offered(opening: &Opening, circle: Circle) -> bool {
    match circle {
        Circle::Progressive => {
            opening.progressive.is_some_and(|stakes| stakes != ProgressiveStakes::NotOffered)
        }
        _ => opening.side.is_none_or(|side| side.circle != circle || side.offered),
    }
}

/// The poker hands, the best first, one line each.
pub(crate) fn poker_hands() -> Vec<&'static str> {
    (1..=9).map(|i| title(&format!("DDS-5-b-{i}"))).collect()
}

/// What a clause says, in our own words.
fn title(id: &str) -> &'static str {
    &clause::find(id).unwrap_or_else(|| panic!("there is a clause {id}")).title
}

/// A clause as a sentence, with its id for whoever wants to look it up.
fn quoted(id: &str) -> String {
    format!("{} ({id}).", title(id).trim_end_matches('.'))
}

// Casino War

const CASINO_WAR: Guide = Guide {
    in_one_line: "one card each, the higher one wins; a tie is war",
    in_brief: &[
        "You and the dealer get one card each, and the higher rank wins; aces are highest, suits \
         do not count.",
        "When the ranks tie you surrender, which costs half your wager, or go to war: add as much \
         again, and one more card each decides.",
    ],
    rules: casino_war,
    about_pays: about_ties,
};

fn casino_war(sheet: &TermSheet) -> Vec<String> {
    let mut points = vec![
        "You and the dealer get one card each. The higher rank wins; aces are highest, suits do \
         not count."
            .to_owned(),
        "When the ranks tie you choose. Surrender costs half your wager. Or go to war: add as much \
         again, three cards are burned, you and the dealer get one more card. Win the war, or tie \
         again, and the added wager wins while the main wager comes back; lose it and both are \
         lost."
            .to_owned(),
        "The circle tie is a side wager that the first two cards tie. Going to war you may bet on \
         another tie in the same way: w AMOUNT."
            .to_owned(),
    ];
    let stakes = match games::opening(sheet).progressive {
        Some(ProgressiveStakes::MultiplesOfFive) => format!("{PROGRESSIVE_UNIT} or a multiple"),
        Some(ProgressiveStakes::Five) => format!("exactly {PROGRESSIVE_UNIT}"),
        _ => return points,
    };
    let percent = sheet.number("progressive_contribution").unwrap_or_default();
    points.push(format!(
        "The circle progressive is a side wager of {stakes} on ties of growing rarity, up to the \
         meter, which grows by {percent} percent of each such wager. Its stake is kept even when it \
         wins (CW-11-c-N1)."
    ));
    points
}

/// Casino War's words for rare ties; nothing where nobody can bet on them.
fn about_ties(sheet: &TermSheet) -> Vec<String> {
    let mut lines = vec!["A wager that goes to war and wins comes back unpaid.".to_owned()];
    if !is_offered(&games::opening(sheet), Circle::Progressive) {
        return lines;
    }
    let hitter = match sheet.is_on("envy_requires_hitter_bet") {
        true => "another box that also bet on the progressive",
        false => "another box",
    };
    lines.extend([
        "Double tie: you tie, go to war, and tie again.".to_owned(),
        "Four of a kind: a double tie in which all four cards have one rank.".to_owned(),
        "Suited: the tied cards have the same suit too; in a double tie each pair in itself, in \
         suited four of a kind all four cards alike."
            .to_owned(),
        quoted("CW-11-c-T1"),
        format!(
            "Envy: what your progressive wager earns when {hitter} makes suited four of a kind."
        ),
        "Only the best outcome counts (CW-R16), and the progressive's stake is kept.".to_owned(),
    ]);
    lines
}

// Double Down Stud

const DOUBLE_DOWN_STUD: Guide = Guide {
    in_one_line: "your card and four shared ones make a poker hand",
    in_brief: &[
        "One card of your own and four shared ones make your poker hand. You play against a pay \
         table, not against the dealer: the rarer the hand, the more it pays.",
        "One shared card lies face down while you decide: double your wager, or pass.",
    ],
    rules: double_down_stud,
    about_pays: about_poker,
};

fn about_poker(sheet: &TermSheet) -> Vec<String> {
    let mut lines = vec![quoted("DDS-10-b-T10"), quoted("DDS-10-b-T11")];
    lines.push("A double is paid like the wager it was added to (DDS-R16).".to_owned());
    if let Some(limit) = sheet.number("payout_limit") {
        let limit = rules::money::Chips::new(limit);
        lines.push(format!("One hand wins at most {limit} (house limit payout_limit)."));
    }
    lines
}

fn double_down_stud(sheet: &TermSheet) -> Vec<String> {
    let double = match sheet.word("double_amount") {
        "equal" => "add exactly as much again",
        _ => "add any amount up to your wager",
    };
    vec![
        "Your poker hand is one card of your own and four shared ones. You do not play against \
         the dealer but against a pay table, which ? pays shows."
            .to_owned(),
        format!(
            "The first shared card lies face down, three are open. Then you may double, that is, \
             {double}, or pass. The last card is turned, and the pay table decides."
        ),
        format!("{} {}", quoted("DDS-10-b-T10"), quoted("DDS-10-b-T11")),
    ]
}

// The blackjacks

const BLACKJACK: &str = "Come closer to 21 than the dealer without going over: hit for a card, \
    stand to keep what you have. Cards count their pips, court cards ten, an ace 11 (then the \
    total is soft) or 1. An ace with a ten-value card as the first two cards is a blackjack and \
    beats any other 21.";

const DOUBLE_DECK: Guide = Guide {
    in_one_line: "blackjack from two decks, cards held in the hand",
    in_brief: &[
        BLACKJACK,
        "Some hands can be doubled for one more card, and pairs split into two hands.",
    ],
    rules: double_deck,
    about_pays: |_| vec!["Equal totals push: the wager comes back.".to_owned()],
};

const DOUBLE_ATTACK: Guide = Guide {
    in_one_line: "raise after the dealer's first card; no tens",
    in_brief: &[
        BLACKJACK,
        "The decks have no tens. The dealer's first card comes before all others, and seeing it \
         you may attack, that is, add to your wager.",
    ],
    rules: double_attack,
    about_pays: |_| {
        vec!["Equal totals push: the wagers come back.".to_owned(), quoted("DAB-6-d-3")]
    },
};

const FREE_BET: Guide = Guide {
    in_one_line: "free doubles and splits; a dealer's 22 pushes",
    in_brief: &[
        BLACKJACK,
        "The house pays for many doubles and splits: it lays a lammer, which wins like a wager and \
         is never lost. In return a dealer's 22 pushes.",
    ],
    rules: free_bet,
    about_pays: |_| {
        vec![
            "Equal totals push: the wager comes back and lammers are taken off.".to_owned(),
            "A lammer wins what the wager it stands for would win, and is never lost.".to_owned(),
        ]
    },
};

fn double_deck(sheet: &TermSheet) -> Vec<String> {
    let book = DoubleDeck::read(sheet);
    let cards = match book.private_cards() {
        true => "Players hold their first two cards: only you see yours until they are shown.",
        false => "All players' cards lie open.",
    };
    let hole = match book.hole_card() {
        HoleCard::Reader => {
            "When the dealer shows an ace or a ten-value card, a reader checks the card below it; a \
             blackjack ends the round at once."
        }
        _ => {
            "Nobody looks at the dealer's second card before all have played; a blackjack then \
             takes original wagers only, and what doubling and splitting added comes back."
        }
    };
    let soft = match sheet.is_on("soft_double") {
        true => "A soft hand doubles too where its total with the ace as 1 is one of these.",
        false => "Soft hands do not double.",
    };
    let pair = match sheet.word("split_by") {
        "value" => "Two cards of one value, a king and a queen too,",
        _ => "Two cards of one rank",
    };
    vec![
        BLACKJACK.to_owned(),
        format!("{cards} {hole}"),
        format!("{} {soft} A double adds {}.", quoted("DDB-P12"), amount(book.double_amount())),
        format!(
            "{pair} can be split into two hands for another wager, up to {} hands. {}",
            book.most_hands(),
            split_aces(book)
        ),
        format!(
            "{} With an ace up you may insure, that is, bet on a blackjack. {}{} There are no side \
             wagers and no surrender.",
            dealer(book),
            quoted("DDB-P20"),
            even_money(book)
        ),
    ]
}

fn double_attack(sheet: &TermSheet) -> Vec<String> {
    let book = DoubleAttack::read(sheet);
    let hole = match book.hole_card() {
        HoleCard::None => "The dealer's second card comes after everyone has played.",
        HoleCard::Unseen => "The dealer's second card lies face down, and nobody looks at it.",
        HoleCard::Reader => {
            "The dealer's second card lies face down; under an ace or a court card a reader checks \
             it for a blackjack."
        }
    };
    let matched = match book.split_stake() {
        SplitStake::InitialOnly => "A double attack is not matched, and stays with the first hand.",
        SplitStake::MatchBoth => "A double attack is matched too, so that both hands carry both.",
    };
    let natural = match book.surrender_natural() {
        true => "A blackjack may be surrendered too.",
        false => "A blackjack is not surrendered.",
    };
    let busts = match book.busts() {
        Busts::Final => "A hand that went over 21 before stays lost with all that was added.",
        Busts::OriginalsOnly => "That holds for a hand that went over 21 as well.",
    };
    vec![
        BLACKJACK.to_owned(),
        format!(
            "The decks have no tens. The dealer's first card comes before all others; then you may \
             attack, that is, add {}. {hole} {}",
            amount(book.attack_amount()),
            dealer(book)
        ),
        format!(
            "{} {} {matched} Splitting makes up to {} hands. {}",
            quoted("DAB-9-a"),
            quoted("DAB-10-a"),
            book.most_hands(),
            split_aces(book)
        ),
        format!("{} {natural}", quoted("DAB-8-a")),
        format!("A dealer's blackjack takes the main wager and returns what was added. {busts}"),
        format!(
            "The circle bonus is a side wager that the dealer goes over 21 with the third card. \
             With an ace up you may insure, that is, bet on a blackjack. {}",
            quoted("DAB-11-b")
        ),
    ]
}

fn free_bet(sheet: &TermSheet) -> Vec<String> {
    let book = FreeBet::read(sheet);
    let mut points = vec![
        BLACKJACK.to_owned(),
        format!(
            "A free double or split is paid for by the house: it lays a lammer, which wins like a \
             wager and is never lost. {} {} {}",
            quoted("FBB-8-a"),
            quoted("FBB-8-a-1"),
            quoted("FBB-8-a-2")
        ),
        format!(
            "{} {} {} Splitting makes up to {} hands. {}",
            quoted("FBB-9-a"),
            quoted("FBB-9-b-1"),
            quoted("FBB-9-b-2"),
            book.most_hands(),
            split_aces(book)
        ),
        format!(
            "The price: when the dealer ends on 22, every hand still in play pushes. {} With an ace \
             up you may insure, that is, bet on a blackjack. {}{} There is no surrender.",
            dealer(book),
            quoted("FBB-7-b"),
            even_money(book)
        ),
    ];
    if is_offered(&games::opening(sheet), Circle::Push22) {
        points.push("The circle push22 is a side wager that the dealer ends on 22.".to_owned());
    }
    points
}

/// How much may be added to a wager.
const fn amount(added: AddedWager) -> &'static str {
    match added {
        AddedWager::UpTo => "any amount up to your wager",
        AddedWager::Equal => "exactly as much as your wager",
    }
}

/// When the dealer draws: the book is asked about both kinds of 17.
fn dealer(book: impl Book) -> String {
    let points = |ranks: [Rank; 2]| Points::of(&ranks.map(|rank| Card::new(rank, Suit::Spades)));
    let soft = book.dealer_draws(points([Rank::Ace, Rank::Six]));
    let hard = book.dealer_draws(points([Rank::King, Rank::Seven]));
    let words = match (soft, hard) {
        (false, _) => "to 16 and stands on any 17",
        (true, false) => "to 16 and on soft 17",
        (true, true) => "to 17",
    };
    format!("The dealer draws {words}.")
}

fn split_aces(book: impl Book) -> &'static str {
    match book.split_aces() {
        SplitAces::FullPlay => "Split aces play like any other hand.",
        SplitAces::OneCardResplit => {
            "Split aces take one card each; another ace may be split again."
        }
        SplitAces::OneCard => "Split aces take one card each, and are split only once.",
    }
}

fn even_money(book: impl Book) -> &'static str {
    match book.even_money() {
        true => " With a blackjack you may take even money instead.",
        false => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::wrapped;

    fn sheet(game: Game, choices: &[(&str, &str)]) -> TermSheet {
        let mut sheet = TermSheet::new(game);
        sheet.set(choices.iter().copied()).unwrap();
        sheet
    }

    #[test]
    fn every_game_is_explained_and_every_payment_names_its_clause() {
        for game in Game::ALL {
            let sheet = TermSheet::new(game);
            assert!(in_one_line(game).len() <= 48, "{game}");
            assert!(!rules(&sheet).is_empty() && !about_pays(&sheet).is_empty());
            let brief: usize = in_brief(game).iter().map(|words| wrapped(words, 76).len()).sum();
            assert!(brief <= 7, "{game}: {brief} lines");
            for pay in pays(&sheet) {
                let clause =
                    clause::find(pay.clause).unwrap_or_else(|| panic!("no {}", pay.clause));
                assert_eq!(clause.game, game);
            }
        }
        assert_eq!(poker_hands().len(), 9);
    }

    #[test]
    fn what_is_said_follows_the_terms() {
        for (game, choice, words) in [
            (Game::CasinoWar, "progressive_stakes=five", "a side wager of exactly 5 on"),
            (Game::CasinoWar, "progressive_contribution=20", "by 20 percent"),
            (Game::DoubleDownStud, "double_amount=equal", "add exactly as much again"),
            (Game::DoubleDeck, "double_amount=equal", "adds exactly as much as your wager"),
            (Game::DoubleDeck, "soft_double=on", "A soft hand doubles too"),
            (Game::DoubleDeck, "split_by=value", "a king and a queen too"),
            (Game::DoubleDeck, "peek=none_original_bets_only", "takes original wagers only"),
            (Game::DoubleDeck, "even_money=on", "you may take even money"),
            (Game::DoubleDeck, "player_cards=open", "All players' cards lie open."),
            (Game::DoubleAttack, "double_attack_amount=equal", "add exactly as much as"),
            (Game::DoubleAttack, "split_double_attack=match_both", "is matched too"),
            (Game::DoubleAttack, "surrender_on_natural=on", "may be surrendered too"),
            (Game::DoubleAttack, "dealing_mode=hole_card", "nobody looks at it"),
            (Game::DoubleAttack, "dealing_mode=hole_card_reader", "a reader checks it"),
            (Game::DoubleAttack, "bust_then_dealer_natural=originals_only", "as well."),
            (Game::DoubleAttack, "seats=6", "up to 4 hands"),
            (Game::FreeBet, "split_aces=one_card_resplit", "another ace may be split again"),
            (Game::FreeBet, "split_aces=one_card_no_resplit", "are split only once"),
        ] {
            let said = |sheet: &TermSheet| rules(sheet).join("\n").contains(words);
            assert!(said(&sheet(game, &[choice.split_once('=').unwrap()])), "{choice}");
            assert!(!said(&TermSheet::new(game)), "{choice} is not the default");
        }
        let without = sheet(Game::FreeBet, &[("push22_offered", "off"), ("even_money", "off")]);
        assert!(!rules(&without).join("\n").contains("push22"));
        assert!(!rules(&without).join("\n").contains("even money"));
        assert!(pays(&without).iter().all(|pay| pay.circle != Circle::Push22));
        let without = sheet(Game::CasinoWar, &[("progressive_offered", "off")]);
        assert!(!rules(&without).join("\n").contains("progressive"));
        assert!(!about_pays(&without).join("\n").contains("Envy"));
    }

    #[test]
    fn raised_odds_are_shown() {
        let raised = pays(&sheet(Game::DoubleDownStud, &[("pays_flush", "9")]));
        let flush = raised.iter().find(|pay| pay.what == "flush").unwrap();
        assert_eq!(flush.odds.to_string(), "9 to 1");
    }
}
