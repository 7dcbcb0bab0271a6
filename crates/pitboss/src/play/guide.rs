//! The games in our own words, for someone who has never seen them.
//!
//! This explains how a game goes. Payouts, limits and eligibility come from the rules, or are quoted
//! from their clauses.

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

/// Everything that is paid at a table with these terms, without circles that are not offered.
pub(crate) fn pays(sheet: &TermSheet) -> Vec<Pay> {
    let opening = games::opening(sheet);
    let mut pays = games::pays(sheet);
    pays.retain(|pay| is_offered(&opening, pay.circle));
    pays
}

/// Whether the house accepts opening wagers on a circle; the round decides about those added later.
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
        "You and the dealer get one card each, and the higher rank wins. Aces are high; suits do \
         not matter.",
        "On a tie you either surrender half your wager or go to war: you double your wager, and \
         one more card each decides.",
    ],
    rules: casino_war,
    about_pays: about_ties,
};

fn casino_war(sheet: &TermSheet) -> Vec<String> {
    let mut points = vec![
        "You and the dealer get one card each, and the higher rank wins. Aces are high; suits do \
         not matter."
            .to_owned(),
        "On a tie you choose. If you surrender, you lose half your wager. If you go to war, you add \
         a war wager of the same size, three cards are burned, and you and the dealer get one more \
         card each. If you win the war or tie again, the war wager is paid and the main wager is \
         returned; otherwise you lose both."
            .to_owned(),
        "The tie circle is a side wager that the first two cards tie. When you go to war, you can \
         bet on another tie: w AMOUNT."
            .to_owned(),
    ];
    let stakes = match games::opening(sheet).progressive {
        Some(ProgressiveStakes::MultiplesOfFive) => format!("{PROGRESSIVE_UNIT} or a multiple"),
        Some(ProgressiveStakes::Five) => format!("exactly {PROGRESSIVE_UNIT}"),
        _ => return points,
    };
    let percent = sheet.number("progressive_contribution").unwrap_or_default();
    points.push(format!(
        "The progressive circle is a side wager of {stakes} on rare ties; the rarest wins the meter, \
         which grows by {percent} percent of each such wager. The stake is kept even if it wins \
         (CW-11-c-N1)."
    ));
    points
}

/// Casino War's words for rare ties; nothing where nobody can bet on them.
fn about_ties(sheet: &TermSheet) -> Vec<String> {
    let mut lines =
        vec!["In a war only the war wager is paid; the main wager is returned.".to_owned()];
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
        "Suited: the tied cards also share a suit. In a suited double tie each pair does; in suited \
         four of a kind all four cards do."
            .to_owned(),
        quoted("CW-11-c-T1"),
        format!(
            "Envy: what your progressive wager earns when {hitter} makes suited four of a kind."
        ),
        "Only the best outcome is paid (CW-R16), and the progressive's stake is kept.".to_owned(),
    ]);
    lines
}

// Double Down Stud

const DOUBLE_DOWN_STUD: Guide = Guide {
    in_one_line: "your card and four shared ones make a poker hand",
    in_brief: &[
        "One card of your own and four shared cards make your poker hand. You play against a pay \
         table, not against the dealer: the rarer the hand, the more it pays.",
        "You double your wager or pass while one shared card is still face down.",
    ],
    rules: double_down_stud,
    about_pays: about_poker,
};

fn about_poker(sheet: &TermSheet) -> Vec<String> {
    let mut lines = vec![quoted("DDS-10-b-T10"), quoted("DDS-10-b-T11")];
    lines.push("A double is paid like the wager it was added to (DDS-R16).".to_owned());
    if let Some(limit) = sheet.number("payout_limit") {
        let limit = rules::money::Chips::new(limit);
        lines.push(format!("One hand wins at most {limit} (house option payout_limit)."));
    }
    lines
}

fn double_down_stud(sheet: &TermSheet) -> Vec<String> {
    let double = match sheet.word("double_amount") {
        "equal" => "add exactly as much again",
        _ => "add any amount up to your wager",
    };
    vec![
        "One card of your own and four shared cards make your poker hand. You play against a pay \
         table, not against the dealer; ? pays shows it."
            .to_owned(),
        format!(
            "The first shared card lies face down, the other three are open. Then you may double, \
             that is, {double}, or pass. The last card is turned over, and the pay table decides."
        ),
        format!("{} {}", quoted("DDS-10-b-T10"), quoted("DDS-10-b-T11")),
    ]
}

// The blackjacks

const BLACKJACK: &str = "Get closer to 21 than the dealer without going over: hit to take a card, \
    stand to stop. Number cards count their number, face cards ten, and an ace 11 (a soft total) \
    or 1. An ace and a ten-value card as your first two cards are a blackjack, which beats any \
    other 21.";

const DOUBLE_DECK: Guide = Guide {
    in_one_line: "blackjack from two decks, cards held in the hand",
    in_brief: &[
        BLACKJACK,
        "Some hands can be doubled for one more card, and pairs split into two hands.",
    ],
    rules: double_deck,
    about_pays: |_| vec!["Equal totals push: the wager is returned.".to_owned()],
};

const DOUBLE_ATTACK: Guide = Guide {
    in_one_line: "raise after the dealer's first card; no tens",
    in_brief: &[
        BLACKJACK,
        "The decks have no tens. The dealer's first card is dealt before all others; once you have \
         seen it, you may attack, that is, add to your wager.",
    ],
    rules: double_attack,
    about_pays: |_| {
        vec!["Equal totals push: the wagers are returned.".to_owned(), quoted("DAB-6-d-3")]
    },
};

const FREE_BET: Guide = Guide {
    in_one_line: "free doubles and splits; a dealer's 22 pushes",
    in_brief: &[
        BLACKJACK,
        "Many doubles and splits are free: the house places a lammer, which wins like a wager and \
         is never lost. In return, a dealer's 22 pushes.",
    ],
    rules: free_bet,
    about_pays: |_| {
        vec![
            "Equal totals push: the wager is returned and lammers are removed.".to_owned(),
            "A lammer wins what the wager it stands for would win, and is never lost.".to_owned(),
        ]
    },
};

fn double_deck(sheet: &TermSheet) -> Vec<String> {
    let book = DoubleDeck::read(sheet);
    let cards = match book.private_cards() {
        true => "Players hold their first two cards: only you see yours until they are shown.",
        false => "All players' cards are dealt face up.",
    };
    let hole = match book.hole_card() {
        HoleCard::Reader => {
            "When the dealer shows an ace or a ten-value card, a card reader checks the hole card; \
             a blackjack ends the round at once."
        }
        _ => {
            "Nobody looks at the dealer's second card before everyone has played; a blackjack then \
             takes original wagers only, and wagers added by doubling and splitting are returned."
        }
    };
    let soft = match sheet.is_on("soft_double") {
        true => "A soft hand can be doubled too if its total with the ace as 1 is one of these.",
        false => "Soft hands cannot be doubled.",
    };
    let pair = match sheet.word("split_by") {
        "value" => "Two cards of the same value (even a king and a queen)",
        _ => "Two cards of the same rank",
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
            "{} When an ace is up you may insure, that is, bet that the dealer has a blackjack. {}{} \
             There are no side wagers and no surrender.",
            dealer(book),
            quoted("DDB-P20"),
            even_money(book)
        ),
    ]
}

fn double_attack(sheet: &TermSheet) -> Vec<String> {
    let book = DoubleAttack::read(sheet);
    let hole = match book.hole_card() {
        HoleCard::None => "The dealer's second card is dealt after everyone has played.",
        HoleCard::Unseen => "The dealer's second card lies face down, and nobody looks at it.",
        HoleCard::Reader => {
            "The dealer's second card lies face down; if an ace or a face card is up, a card reader \
             checks it for a blackjack."
        }
    };
    let matched = match book.split_stake() {
        SplitStake::InitialOnly => {
            "A double attack wager is not matched, and stays with the first hand."
        }
        SplitStake::MatchBoth => "A double attack wager is matched too, so both hands carry both.",
    };
    let natural = match book.surrender_natural() {
        true => "A blackjack may be surrendered too.",
        false => "A blackjack cannot be surrendered.",
    };
    let busts = match book.busts() {
        Busts::Final => "A hand that was already bust loses everything, added wagers included.",
        Busts::OriginalsOnly => "That is also true of a hand that was already bust.",
    };
    vec![
        BLACKJACK.to_owned(),
        format!(
            "The decks have no tens. The dealer's first card is dealt before all others; then you \
             may attack, that is, add {}. {hole} {}",
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
        format!("A dealer's blackjack takes the main wager; added wagers are returned. {busts}"),
        format!(
            "The bonus circle is a side wager that the dealer busts with the third card. When an ace \
             is up you may insure, that is, bet that the dealer has a blackjack. {}",
            quoted("DAB-11-b")
        ),
    ]
}

fn free_bet(sheet: &TermSheet) -> Vec<String> {
    let book = FreeBet::read(sheet);
    let mut points = vec![
        BLACKJACK.to_owned(),
        format!(
            "For a free double or split the house places a lammer, which wins like a wager and is \
             never lost. {} {} {}",
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
            "In return, when the dealer ends with 22, every hand still in play pushes. {} When an \
             ace is up you may insure, that is, bet that the dealer has a blackjack. {}{} There is \
             no surrender.",
            dealer(book),
            quoted("FBB-7-b"),
            even_money(book)
        ),
    ];
    if is_offered(&games::opening(sheet), Circle::Push22) {
        points.push("The push22 circle is a side wager that the dealer ends with 22.".to_owned());
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
        (false, _) => "draws to 16 and stands on all 17s",
        (true, false) => "draws to 16, and also on soft 17",
        (true, true) => "draws to 17",
    };
    format!("The dealer {words}.")
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
            (Game::DoubleDeck, "soft_double=on", "A soft hand can be doubled too"),
            (Game::DoubleDeck, "split_by=value", "even a king and a queen"),
            (Game::DoubleDeck, "peek=none_original_bets_only", "takes original wagers only"),
            (Game::DoubleDeck, "even_money=on", "you may take even money"),
            (Game::DoubleDeck, "player_cards=open", "All players' cards are dealt face up."),
            (Game::DoubleAttack, "double_attack_amount=equal", "add exactly as much as"),
            (Game::DoubleAttack, "split_double_attack=match_both", "is matched too"),
            (Game::DoubleAttack, "surrender_on_natural=on", "may be surrendered too"),
            (Game::DoubleAttack, "dealing_mode=hole_card", "nobody looks at it"),
            (Game::DoubleAttack, "dealing_mode=hole_card_reader", "a card reader checks it"),
            (Game::DoubleAttack, "bust_then_dealer_natural=originals_only", "also true of"),
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
