//! Positions in words, and what their acts are worth against brute force on small shoes.

mod brute;
mod worlds;

use brute::{same, sheet};
use odds::ledger::Ledger;
use odds::position::Position;
use odds::unseen::Unseen;
use odds::value::Method;
use odds::values_of;
use rules::money::Cents;
use rules::round::{Act, Call, Event};
use rules::transcript::{play_up_to, read};
use rules::wager::{Bettor, Game};
use worlds::{after, worlds};

const ONE: Bettor = Bettor::at(0);

/// Whether the box has the one hand that it was dealt.
fn is_one_hand(position: &Position) -> bool {
    let is_split =
        |event: &Event| matches!(event, Event::Acted(_, act) if act.call() == Call::Split);
    !position.events().iter().any(is_split)
}

/// Compares every open act with brute force, and returns how each was found.
#[track_caller]
fn check(game: Game, choices: &[(&str, &str)], text: &str) -> Vec<(Call, Method)> {
    let position = Position::read(&sheet(game, choices), text).unwrap();
    let values = position.values().unwrap();
    assert!(!values.is_empty(), "{text}");
    let worlds = worlds(position.events(), position.unseen());
    for value in &values {
        let (round, ledger) = (*position.round(), Ledger::of(ONE));
        let mut steps = u64::MAX;
        let brute = after(round, ledger, value.act, &worlds, &mut steps).unwrap();
        match value.method {
            Method::Exact => {
                same(value.gain, brute.gain);
                match (value.act.call(), value.prospects) {
                    // Of itself, whatever the hand does.
                    (Call::Insure, prospects) => assert!(prospects.is_some(), "{text}"),
                    (Call::Split, prospects) => assert_eq!(prospects, None, "{text}"),
                    (_, prospects) if is_one_hand(&position) => {
                        let prospects = prospects.unwrap();
                        same(prospects.win, brute.win);
                        same(prospects.push, brute.push);
                        same(prospects.lose, 1.0 - brute.win - brute.push);
                    }
                    _ => {}
                }
            }
            _ => {
                let short = brute.gain - value.gain;
                assert!((-1e-9..20.0).contains(&short), "{text} {:?} by {short}", value.act);
            }
        }
    }
    values.iter().map(|value| (value.act.call(), value.method)).collect()
}

fn found(methods: &[(Call, Method)], call: Call) -> Method {
    methods.iter().find(|(other, _)| *other == call).unwrap().1
}

/// A tie of nines; a war takes the next card and, behind three burn cards, never sees the rest.
#[test]
fn a_war_is_worth_what_brute_force_says() {
    check(Game::CasinoWar, &[], "main 10; 9d; dealer 9s; left 9c 9h*2 2c*2 Kd");
    check(
        Game::CasinoWar,
        &[],
        "main 10 progressive 5; meter 777; 9d; dealer 9d; left 9d*3 2c*2 9h",
    );
}

#[test]
fn a_double_is_worth_what_brute_force_says_in_stud() {
    check(Game::DoubleDownStud, &[], "main 10; Qc; dealer Qd 2h 3s; left Qh 2c 9s 7d");
    check(Game::DoubleDownStud, &[], "main 10; 6h; dealer 7h 8h 9h; left Th 5h 2c Js Ac");
}

#[test]
fn double_deck_is_worth_what_brute_force_says() {
    let deck = |text: &str| check(Game::DoubleDeck, &[], text);
    deck("main 10; Ts 6h; dealer Td; left 5c*2 Tc*2 6d Kh");
    deck("main 10; 6s 5h; dealer 6d; left 5c Tc*2 9d*2 2h");
    // The dealer has looked, and the ace is no blackjack.
    deck("main 10; 9s 7h pass; dealer Ad; left 5c Tc*2 9d 6s 8c");
    // Before the reader is asked.
    deck("main 10; 9s 7h; dealer Ad; left 5c Tc*2 9d 6s 8c");
    deck("main 10; As Kh; dealer Ad; left 5c Tc*2 9d 6s 8c");
    check(Game::DoubleDeck, &[("even_money", "on")], "As Kh; dealer Ad; left 5c Tc*2 9d 6s 8c");
    let none = [("peek", "none_original_bets_only")];
    check(Game::DoubleDeck, &none, "main 10; 9s 7h; dealer Td; left 5c Ac Tc*2 9d 6s 8c");
}

#[test]
fn free_bet_is_worth_what_brute_force_says() {
    let free = |text: &str| check(Game::FreeBet, &[], text);
    // A free double, and a dealer's 22 that pushes.
    free("main 10; 6s 5h; dealer 6d; left 6c Tc*2 9d 2h Kd");
    free("main 10; As 6h; dealer 5d; left 6c Tc*2 9d 2h Kd 4s");
    free("main 10; Ts 6h; dealer Ad; left 5c Tc*2 9d 6s 8c");
}

#[test]
fn double_attack_is_worth_what_brute_force_says() {
    let attack = |text: &str| check(Game::DoubleAttack, &[], text);
    attack("main 10; attack 9s 2h; dealer Kd; left 5c Jc*2 9d 6s 8c");
    attack("main 10; 9s 7h; dealer Kd; left 5c Jc*2 9d 6s 8c");
    attack("main 10; attack 5 9s 2h double 4h; dealer Kd; left 5c Jc*2 9d 6s 8c");
    attack("main 10; 9s 7h; dealer Ad; left 5c Jc*2 9d 6s 8c Qd");
}

/// Before the cards, insurance is still to come: five chips at 5 to 2, where the hole card makes a
/// blackjack in 11 of 20 cases. It gains with any hand, 5 x (3.5 x 11 / 20 - 1) = 4.625 on average.
#[test]
fn insurance_that_is_still_to_come_counts_before_the_cards() {
    let text = "main 10; dealer Ac; left Kd*6 Kc*5 9d*5 8c*2 3c*2";
    let values = |text: &str| {
        let position = Position::read(&sheet(Game::DoubleAttack, &[]), text).unwrap();
        position.values().unwrap()
    };
    let here = values(text);
    for (call, without, rounded) in [(Call::Pass, -597.51, 0.01), (Call::Attack, -642.63, 0.01)] {
        let value = here.iter().find(|value| value.act.call() == call).unwrap();
        assert!((value.gain - (without + 462.5)).abs() < rounded, "{value:?}");
        assert_eq!(value.method, Method::Bound);
    }
    // Without chips for it, nothing is certain but the wager: what comes with chips is the most.
    let short = values(&format!("{text}; bankroll 12"));
    let pass = short.iter().find(|value| value.act.call() == Call::Pass).unwrap();
    assert!(pass.gain < -590.0, "{pass:?}");
    assert!(pass.at_most.is_some_and(|most| (most + 135.01).abs() < 0.01), "{pass:?}");
}

/// Insurance is taken where it gains with the hand that came, and only there. Of the 15 cards left
/// five are tens beside a hand without one, which is above 2 in 7; with one in the hand four are,
/// which is below. So insurance gains 5 x (3.5 / 3 - 1) in 12 x 11 of 17 x 16 cases: 0.404.
#[test]
fn insurance_to_come_is_worth_what_brute_force_says() {
    let methods = check(Game::DoubleAttack, &[], "main 10; dealer Ac; left Kd*5 9d*6 8d*6");
    assert_eq!(found(&methods, Call::Pass), Method::Bound);
}

/// Aces that get one card each leave nothing to decide: their split is exact. Eights do, and a play
/// that looks at both hands may gain more, so their split is a bound and so is what comes before it.
#[test]
fn splits_are_worth_what_brute_force_says() {
    let aces = "main 10; As Ah; dealer 6d; left Tc*2 Td*2 9d*2 9c*2 6s";
    let aces = check(Game::DoubleDeck, &[], aces);
    assert_eq!(found(&aces, Call::Split), Method::Exact);
    assert_eq!(found(&aces, Call::Hit), Method::Exact);
    let eights = "main 10; 8s 8h; dealer 6d; left Tc*2 Td*2 9d*2 4h*2 6h";
    let eights = check(Game::DoubleDeck, &[], eights);
    assert_eq!(found(&eights, Call::Split), Method::Bound);
    assert_eq!(found(&eights, Call::Stand), Method::Exact);
    // The second hand of a split is alone again.
    let last = "main 10; 8s 8h split Th stand 3h; dealer 6d; left Tc*2 9d 5c Kd Qh Jd";
    assert_eq!(found(&check(Game::DoubleDeck, &[], last), Call::Double), Method::Exact);
    let first = "main 10; 8s 8h split 3h; dealer 6d; left Tc*2 Td*2 9d*2 9c";
    assert_eq!(found(&check(Game::DoubleDeck, &[], first), Call::Stand), Method::Bound);
    let free = "main 10; 8s 8h split Th stand 3h; dealer 6d; left Tc*2 9d 5c Kd Qh Jd";
    assert_eq!(found(&check(Game::FreeBet, &[], free), Call::Double), Method::Exact);
}

/// Where nothing but stake changes, half the amount is worth half as much more.
#[test]
fn an_act_can_have_an_amount() {
    let position =
        Position::read(&sheet(Game::DoubleDeck, &[]), "main 10; 6s 5h; dealer 6d").unwrap();
    let acts = [10, 5].map(|amount| Act::With(Call::Double, Cents::new(amount * 100)));
    let (sheet, unseen) = (position.sheet(), position.unseen());
    let values = values_of(sheet, position.round(), ONE, &acts, unseen).unwrap();
    same(values[0].gain / 20.0, values[1].gain / 15.0);
}

/// Which cards lie where nobody sees them changes no value.
#[test]
fn values_rest_on_what_is_seen() {
    let sheet = sheet(Game::DoubleDeck, &[]);
    let one = Position::read(&sheet, "8s 8h; dealer Ts; seen 2c 5d*2 Kd").unwrap();
    let mut gone = Unseen::full(&sheet);
    for card in "8s 8h Ts 2c 5d 5d Kd".split(' ') {
        gone.remove(card.parse().unwrap()).unwrap();
    }
    assert_eq!(*one.unseen(), gone);
    let left: Vec<String> = gone.iter().map(|(card, n)| format!("{card}*{n}")).collect();
    let text = format!("8s 8h; dealer Ts; left {}", left.join(" "));
    let other = Position::read(&sheet, &text).unwrap();
    assert_eq!(one.values(), other.values());
}

#[test]
fn a_transcript_stands_at_a_decision() {
    let text = "game double-deck\nwager 1 main 10\nwager 2 main 10\ncards 8s 5c Ts 8h 6c ??\npeek no\n\
                act 1 hit\ncards 2c\nact 1 stand\n";
    let round = &read(text).unwrap()[0];
    let unseen = |line| {
        let played = play_up_to(round, Some(line)).unwrap();
        Position::in_round(played, None, &[])
            .map(|position| (position.bettor().to_string(), position.unseen().total()))
    };
    // Seat 2's cards are its own: seat 1 has seen two of its own and the up card.
    assert_eq!(unseen(5), Ok(("1".to_owned(), 101)));
    assert_eq!(unseen(7), Ok(("1".to_owned(), 100)));
    assert_eq!(unseen(8).map(|found| found.0), Ok("2".to_owned()));
    assert!(unseen(4).is_err() && unseen(2).is_err());
}

#[test]
fn impossible_positions_are_refused_in_a_sentence() {
    let refused = |game, text: &str| {
        let position = Position::read(&sheet(game, &[]), text);
        let sentence = match position {
            Ok(position) => position.values().unwrap_err().to_string(),
            Err(refusal) => refusal.to_string(),
        };
        assert_eq!(sentence.lines().count(), 1, "{sentence}");
        sentence
    };
    let deck = |text: &str| refused(Game::DoubleDeck, text);
    assert_eq!(deck("8s 8s; dealer 8s"), "no 8s is left in a shoe of these decks (DDB-P0)");
    assert!(deck("8s 9h split; dealer Ts").contains("(DDB-"), "an act that is not open");
    assert!(refused(Game::DoubleAttack, "dealer Ts").contains("(DAB-"), "a card it does not have");
    assert_eq!(deck("8s 8h"), "a card of the dealer's is missing: add it after 'dealer'");
    assert_eq!(deck("8s; dealer Ts"), "a card of the player's is missing before the decision");
    assert_eq!(deck("8s 8h; dealer Ts 5h"), "the dealer shows no 5h yet at this decision");
    let nothing = "there is nothing to decide at this point";
    assert_eq!(deck("8s 8h stand; dealer Ts"), format!("{nothing}: the hand has stood (DDB-P11)"));
    assert_eq!(deck("Ts 6h 7c; dealer 9c"), format!("{nothing}: the hand is bust (DDB-P2)"));
    assert_eq!(deck("Ts 6h 7c stand; dealer 9c"), "the hand is bust (DDB-P2)");
    assert_eq!(
        deck("Ts 6h 7c 2c; dealer 9c"),
        "no open act draws the 2c: the hand is bust (DDB-P2)"
    );
    assert!(deck("Ts Ah; dealer 9c").starts_with(&format!("{nothing}: a blackjack stands")));
    // Three of a card that two decks have twice, in a hand that busts with it.
    assert_eq!(deck("8s 8s 8s; dealer 9c"), "no 8s is left in a shoe of these decks (DDB-P0)");
    assert_eq!(deck("8s 8h; dealer 9c; seen 8s*2"), deck("8s 8s 8s; dealer 9c"));
    let war = |text: &str| refused(Game::CasinoWar, text);
    let not_tied = "only a tie leads to war or surrender (CW-8-c)";
    assert_eq!(war("9d; dealer 8s"), format!("{nothing}: {not_tied}"));
    assert_eq!(war("9d war; dealer 8s"), not_tied);
    assert!(war("9d war Kd; dealer 9s").starts_with(&format!("{nothing}: you have already")));
    assert_eq!(war("9d hit; dealer 9s"), "this game has no hit (CW-8-c)");
    assert!(war("9d war; dealer 9s").starts_with(&format!("{nothing}: you have already")));
    assert!(deck("6s 5h double; dealer 6d").starts_with(nothing), "its one card ends the hand");
    let missing = "a card of the player's is missing before the decision";
    assert_eq!(deck("8s 8h split; dealer Ts"), missing);
    assert_eq!(deck("6s 2h hit; dealer 6d"), missing);
    assert_eq!(refused(Game::DoubleAttack, "main 10; attack; dealer 6d"), missing);
    let free = refused(Game::FreeBet, "main 10; attack 5 8s 7h");
    assert!(free.starts_with("this game has no attack (FBB-"), "{free}");
    let attack = |text: &str| refused(Game::DoubleAttack, text);
    assert!(attack("9d 2h hit Kd; dealer 6s").starts_with(&format!("{nothing}: 21 stands")));
    assert!(attack("9d 2h hit Kd stand; dealer 6s").starts_with("21 stands automatically (DAB-"));
    assert_eq!(deck("main 10 main 20; 8s 8h; dealer 9c"), "'main' is named twice");
    assert_eq!(deck("bankroll 10; bankroll 20; 8s 8h; dealer 9c"), "'bankroll' is named twice");
    assert_eq!(deck("8s split; dealer Ts"), "a card comes next, before 'split'");
    assert!(deck("8s 8h; dealer Tx").starts_with("cannot read 'dealer Tx': expected a card"));
    assert!(deck("8s 8h; dealer Ts; seen 2c*0").contains("expected a card such as Td, or several"));
    assert!(deck("main 10; \u{1b}[2J 8s").starts_with("cannot read '\\u{1b}[2J 8s'"));
    let both = "name the cards seen or those left, not both";
    assert_eq!(deck("8s 8h; dealer Ts; seen 2c; left 3c"), both);
    assert!(deck("8s 8h; dealer Ts; left 2c 3c").starts_with("the cards left count only 5 points"));
    assert!(deck("main 1000000; 8s 8h; dealer Ts").contains("main_max"));
    let natural = "every card left would give the dealer a blackjack, but the dealer has none";
    assert_eq!(deck("9s 7h pass; dealer Ad; left Tc*2 Td*2 Jc*2 Jd"), natural);
}

/// Nothing that is typed panics.
#[test]
fn any_words_are_a_position_or_a_refusal() {
    let words = [
        "main",
        "10",
        ";",
        "8s",
        "8h",
        "Ts",
        "dealer",
        "As",
        "split",
        "hit",
        "stand",
        "pass",
        "double",
        "seen",
        "left",
        "Td*3",
        "war",
        "attack",
        "insure",
        "meter",
        "bankroll",
        "5",
        "even-money",
    ];
    let mut state = 7_u64;
    let mut next = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    let (mut read, mut valued) = (0, 0);
    let beginnings =
        ["", "8s 8h", "8s 8h; dealer As;", "9d; dealer 9d;", "dealer 6d;", "8s; dealer 8h 8d 8c"];
    for _ in 0..3000 {
        let game = Game::ALL[next(Game::ALL.len())];
        let mut text = vec![beginnings[next(beginnings.len())]];
        text.extend((0..next(5)).map(|_| words[next(words.len())]));
        if let Ok(position) = Position::read(&sheet(game, &[]), &text.join(" ")) {
            read += 1;
            // A split is slow without optimisation.
            if read % 8 == 0 {
                valued += usize::from(position.values().is_ok());
            }
        }
    }
    assert!(read > 20 && valued > 0, "{read} {valued}");
}

/// Chips for half a double: what one hand is worth is known, whatever the rack. Double Attack doubles
/// any hand, so that a hit leaves the double for later.
#[test]
fn one_hand_with_a_short_rack_is_worth_what_brute_force_says() {
    for bankroll in ["10", "12", "15", "19", "20"] {
        let text = |rest: &str| format!("main 10; bankroll {bankroll}; {rest}");
        let attack = |rest: &str| check(Game::DoubleAttack, &[], &text(rest));
        for methods in [
            attack("5s 4h; dealer 6d; left 2c*2 Jc*2 9d 6s 8c*2"),
            attack("9s 7h; dealer Ad; left 5c Jc*2 9d 6s 8c Qd"),
            check(Game::DoubleDeck, &[], &text("6s 5h; dealer 6d; left 6c Tc*2 9d 2h Kd 4c")),
            check(Game::FreeBet, &[], &text("As 6h; dealer 5d; left 6c Tc*2 9d 2h Kd 4s")),
        ] {
            assert!(methods.iter().all(|(_, method)| *method == Method::Exact), "{methods:?}");
        }
    }
}

/// A rack that does not cover four doubled hands covers most of what a pair of threes gains by a split:
/// with any chips it is worth no less than with fewer, and never more than with enough.
#[test]
fn a_short_rack_leaves_the_plans_that_it_covers() {
    let split = |bankroll: u32| {
        let text = format!("main 25; bankroll {bankroll}; 3s 3h; dealer 2d");
        let position = Position::read(&sheet(Game::DoubleDeck, &[]), &text).unwrap();
        let values = position.values().unwrap();
        let gain = |call| values.iter().find(|value| value.act.call() == call).cloned().unwrap();
        (gain(Call::Split), gain(Call::Hit))
    };
    let (enough, hit) = split(1000);
    assert!(enough.at_most.is_none() && enough.gain > hit.gain + 50.0);
    let mut last = f64::NEG_INFINITY;
    for bankroll in [50, 62, 75, 90, 100, 125, 150, 175, 199] {
        let (short, _) = split(bankroll);
        assert!(short.gain >= last - 1e-9 && short.gain < enough.gain, "{bankroll} {short:?}");
        assert!((short.at_most.unwrap() - enough.gain).abs() < 1e-9);
        last = short.gain;
    }
    // Three hands at 25.00, all of them doubled, or four of which one is.
    let (short, hit) = split(175);
    assert!(enough.gain - short.gain < 5.0 && short.gain > hit.gain, "{short:?} {enough:?}");
    // Two more hands, and four doubles.
    assert!(split(200).0.at_most.is_none());
}
