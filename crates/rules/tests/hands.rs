//! What hands are and what they pay, counted over whole decks and compared with the books' tables.

use rules::games::blackjack::{Points, is_natural};
use rules::games::double_down_stud::Category;
use rules::games::{AnyRound, Pay, pays};
use rules::{Act, Bettor, Call, Card, Chips, Game, Round, TermSheet};

#[test]
fn the_pay_tables_are_those_of_the_books() {
    let odds = |game, choices: &[_]| -> Vec<String> {
        let line = |pay: &Pay| format!("{} {} {}", pay.clause, pay.circle, pay.odds);
        let mut sheet = TermSheet::new(game);
        sheet.set(choices.iter().copied()).unwrap();
        pays(&sheet).iter().map(line).collect()
    };
    assert_eq!(
        odds(Game::CasinoWar, &[]),
        [
            "CW-9-a-1 main 1 to 1",
            "CW-9-a-2 tie 10 to 1",
            "CW-9-a-3 war 1 to 1",
            "CW-9-a-3 war 2 to 1",
            "CW-9-a-2 war-tie 10 to 1",
            "CW-11-c-T6 progressive 5 to 1",
            "CW-11-c-T5 progressive 15 to 1",
            "CW-11-c-T4 progressive 30 to 1",
            "CW-11-c-T3 progressive 150 to 1",
            "CW-11-c-T2 progressive 200 to 1",
            "CW-11-c-T1 progressive 1000 to 1",
        ]
    );
    assert_eq!(
        odds(Game::DoubleDownStud, &[("pays_flush", "9")]),
        [
            "DDS-10-b-T1 main 1000 to 1",
            "DDS-10-b-T2 main 100 to 1",
            "DDS-10-b-T3 main 25 to 1",
            "DDS-10-b-T4 main 10 to 1",
            "DDS-10-b-T5 main 9 to 1",
            "DDS-10-b-T6 main 5 to 1",
            "DDS-10-b-T7 main 3 to 1",
            "DDS-10-b-T8 main 2 to 1",
            "DDS-10-b-T9 main 1 to 1",
        ]
    );
    assert_eq!(
        odds(Game::DoubleDeck, &[]),
        ["DDB-P3 main 1 to 1", "DDB-P9 main 3 to 2", "DDB-P21 insurance 2 to 1"]
    );
    assert_eq!(
        odds(Game::DoubleAttack, &[]),
        [
            "DAB-5-a-2 main 1 to 1",
            "DAB-5-a-3 main 1 to 1",
            "DAB-11-c insurance 5 to 2",
            "DAB-6-d-2-T5 bonus 15 to 1",
            "DAB-6-d-2-T4 bonus 10 to 1",
            "DAB-6-d-2-T3 bonus 8 to 1",
            "DAB-6-d-2-T2 bonus 6 to 1",
            "DAB-6-d-2-T1 bonus 3 to 1",
            "DAB-6-d-3-T1 bonus 50 to 1",
            "DAB-6-d-3-T2 bonus 200 to 1",
        ]
    );
    assert_eq!(
        odds(Game::FreeBet, &[("push22_paytable", "B")]),
        [
            "FBB-6-o-2 main 1 to 1",
            "FBB-6-h-1 main 3 to 2",
            "FBB-10-b insurance 2 to 1",
            "FBB-10-c-T1 push22 50 to 1",
            "FBB-10-c-T2 push22 20 to 1",
            "FBB-10-c-T3 push22 7 to 1",
        ]
    );
}

/// Every five cards of a deck, as seat, three face-up cards and hole card of a round.
#[test]
fn every_hand_of_a_deck_has_its_category() {
    let with = |mut round: AnyRound, card| round.deal(card, &mut ()).map(|()| round).unwrap();
    let start = AnyRound::one(Game::DoubleDownStud, Chips::dollars(10), &mut ()).unwrap();
    let (deck, mut counts) = (Card::DECK, [0; Category::ALL.len()]);
    for a in 0..52 {
        let mut one = with(start, deck[a]);
        one.deal_face_down(&mut ()).unwrap();
        for b in 0..a {
            let two = with(one, deck[b]);
            for c in 0..b {
                let three = with(two, deck[c]);
                for d in 0..c {
                    let mut four = with(three, deck[d]);
                    four.act(Bettor::at(0), Act::Call(Call::Pass), &mut ()).unwrap();
                    for &fifth in &deck[..d] {
                        let mut five = four;
                        five.turn(fifth, &mut ()).unwrap();
                        counts[five.category(0).unwrap() as usize] += 1;
                    }
                }
            }
        }
    }
    let expected = [4, 36, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540];
    assert_eq!((counts, counts.iter().sum()), (expected, 2_598_960));
}

#[test]
fn an_ace_counts_eleven_unless_that_busts() {
    for (cards, total, soft) in [
        ("As 9h", 20, true),
        ("As 9h 5d", 15, false),
        ("As Ah", 12, true),
        ("As 6h", 17, true),
        ("As 6h 9c", 16, false),
        ("Kd Qh", 20, false),
        ("As Kd", 21, true),
        ("Ts 6d Ac", 17, false),
        ("As 2c 4d", 17, true),
        ("As Ah Ac Ad 7s", 21, true),
        ("Kd Qh 2c", 22, false),
    ] {
        let cards: Vec<Card> = cards.split(' ').map(|card| card.parse().unwrap()).collect();
        let points = Points::of(&cards);
        assert_eq!((points.total(), points.is_soft()), (total, soft), "{cards:?}");
    }
}

#[test]
fn a_natural_is_an_ace_with_a_ten_value() {
    for one in Card::DECK {
        for other in Card::DECK {
            let natural = Points::of(&[one, other]).total() == 21;
            assert_eq!(is_natural(one, other), natural, "{one} {other}");
        }
    }
}
