//! One door to the acts of any round, and what it refuses.

mod brute;

use brute::{cards, sheet, start};
use odds::game::ValuationRefusal;
use odds::unseen::{NoSuchCard, Unseen};
use odds::{Valuation, from_here};
use rules::card::{Card, Rank};
use rules::round::{Act, Call, Event, Round};
use rules::wager::{Bettor, Circle, Game};

const ONE: Bettor = Bettor::at(0);

/// A tie of nines with six decks: war is worth 22 x 21 + 12 x 24 x 23 ties of 310 x 309 at +2, the
/// rest won or lost evenly at +1 and -2; surrender half.
#[test]
fn a_tie_is_valued() {
    let sheet = sheet(Game::CasinoWar, &[]);
    let (mut round, _) = start(&sheet, None, &[&[(Circle::Main, 600)]]);
    let mut events: Vec<Event> = Vec::new();
    cards("9c 9d").iter().for_each(|&card| round.deal(card, &mut events).unwrap());
    let unseen = Unseen::full(&sheet).after(&events, 0).unwrap();
    assert_eq!(unseen.total(), 310);
    let values = from_here(&sheet, &round, ONE, &unseen).unwrap();
    let gain = |call| values.iter().find(|value| value.act == Act::Call(call)).unwrap().gain;
    assert_eq!(gain(Call::Surrender), -300.0);
    let (all, ties) = (310.0 * 309.0, 22.0 * 21.0 + 12.0 * 24.0 * 23.0);
    let war = 600.0 * (2.0 * ties + (1.0 - 2.0) * (all - ties) / 2.0) / all;
    brute::same(gain(Call::War), war);
}

/// Three queens in sight beside a fourth with another seat: the double is worth less for it.
#[test]
fn others_cards_matter_to_a_double() {
    let sheet = sheet(Game::DoubleDownStud, &[]);
    let gain = |other: &str| {
        let boxes: [&[(Circle, i64)]; 2] = [&[(Circle::Main, 600)], &[(Circle::Main, 600)]];
        let (mut round, _) = start(&sheet, None, &boxes);
        let mut events: Vec<Event> = Vec::new();
        cards(&format!("Qc {other}")).iter().for_each(|&c| round.deal(c, &mut events).unwrap());
        round.deal_face_down(&mut events).unwrap();
        cards("Qd 2h 3s").iter().for_each(|&card| round.deal(card, &mut events).unwrap());
        let unseen = Unseen::full(&sheet).after(&events, 0).unwrap();
        let values = from_here(&sheet, &round, ONE, &unseen).unwrap();
        values.iter().find(|value| value.act == Act::Call(Call::Double)).unwrap().gain
    };
    assert!(gain("Qh") < gain("9h"));
}

#[test]
fn impossible_cards_are_refused() {
    let sheet = sheet(Game::CasinoWar, &[]);
    let (mut round, _) = start(&sheet, None, &[&[(Circle::Main, 600)]]);
    cards("9c 9d").iter().for_each(|&card| round.deal(card, &mut ()).unwrap());
    let seven: Unseen = cards("9c*7 2d*30").into_iter().collect();
    let refused = from_here(&sheet, &round, ONE, &seven);
    assert_eq!(
        refused,
        Err(ValuationRefusal::NoSuchCard(Game::CasinoWar, NoSuchCard("2d".parse().unwrap())))
    );
    // A war takes three burn cards, one for the seat and one for the dealer (CW-8-f).
    let few: Unseen = cards("9c*2 2d*2").into_iter().collect();
    let refused = from_here(&sheet, &round, ONE, &few);
    assert_eq!(refused, Err(ValuationRefusal::TooFewCards { left: 4, least: 5 }));
    assert_eq!(refused.unwrap_err().to_string().lines().count(), 1);
}

/// Two decks of which aces to threes are left, and two fours: 8 + 16 + 24 + 8 points, which hands
/// that draw to 21 could use up. In Casino War points are nothing.
#[test]
fn cards_that_count_too_little_are_refused() {
    let low = |card: &&Card| card.rank() <= Rank::Three || card.rank() == Rank::Ace;
    let low = Card::DECK.iter().filter(low).copied();
    let low: Vec<Card> = low.clone().chain(low).chain(cards("4c 4d")).collect();
    let unseen: Unseen = low.iter().copied().collect();
    assert_eq!((unseen.total(), low.len()), (26, 26));
    let sheet = sheet(Game::DoubleDeck, &[]);
    let (round, _) = start(&sheet, None, &[&[(Circle::Main, 1000)]]);
    let refused = from_here(&sheet, &round, ONE, &unseen).unwrap_err();
    assert_eq!(refused, ValuationRefusal::TooLowCards { points: 56, least: 150 });
    let sentence = "the cards left count only 56 points; at least 150 are needed (docs/odds.md)";
    assert_eq!(refused.to_string(), sentence);
    let mut gone: Vec<Card> = Card::DECK.into_iter().chain(Card::DECK).collect();
    for card in &low {
        gone.swap_remove(gone.iter().position(|other| other == card).unwrap());
    }
    let refused = Valuation::new(sheet).unwrap().without(&gone).map(|_| ());
    assert_eq!(refused, Err(ValuationRefusal::TooLowCards { points: 56, least: 150 }));
}
