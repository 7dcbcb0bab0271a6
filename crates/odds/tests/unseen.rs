//! The cards that a seat has not seen.

use odds::unseen::{NoSuchCard, Unseen};
use rules::card::{Card, Rank};
use rules::games::{AnyRound, TableWagers, opening};
use rules::money::Cents;
use rules::round::{Act, Call, Event, Round};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, Game};

fn card(word: &str) -> Card {
    word.parse().unwrap()
}

#[test]
fn a_card_is_taken_once_for_every_deck() {
    let mut unseen = Unseen::decks(Game::DoubleAttack, 6);
    assert_eq!(unseen.total(), 6 * 48);
    assert_eq!((unseen.of_rank(Rank::Ten), unseen.of_rank(Rank::Nine)), (0, 24));
    for _ in 0..6 {
        assert_eq!(unseen.remove(card("9s")), Ok(()));
    }
    assert_eq!(unseen.remove(card("9s")), Err(NoSuchCard(card("9s"))));
    assert_eq!((unseen.total(), unseen.of_rank(Rank::Nine)), (6 * 48 - 6, 18));
}

/// Two boxes at Double Deck: each sees its own cards and the up card, and a bust is shown.
#[test]
fn private_cards_are_unseen_until_they_are_shown() {
    let sheet = TermSheet::new(Game::DoubleDeck);
    let mut wagers = TableWagers::NONE;
    for seat in 0..2 {
        let main = [(Circle::Main, Cents::new(1000))];
        wagers.place(&opening(&sheet), Bettor::at(seat), &main).unwrap();
    }
    let mut events = Vec::new();
    let mut round = AnyRound::start(&sheet, &wagers, &mut events);
    for word in ["9c", "8c", "6d", "7c", "5c"] {
        round.deal(card(word), &mut events).unwrap();
    }
    round.deal_face_down(&mut events).unwrap();
    let full = Unseen::full(&sheet);
    let left = |events: &[Event], seat| {
        let unseen = full.after(events, seat).unwrap();
        ["9c", "8c", "6d", "7c", "5c"].map(|word| unseen.of(card(word)))
    };
    assert_eq!(left(&events, 0), [1, 2, 1, 1, 2]);
    assert_eq!(left(&events, 1), [2, 1, 1, 2, 1]);
    round.act(Bettor::at(0), Act::Call(Call::Hit), &mut events).unwrap();
    round.deal(card("Kd"), &mut events).unwrap();
    assert_eq!(left(&events, 1), [1, 1, 1, 1, 1], "a bust lies open");
    let none = Unseen::NONE.after(&events, 0);
    assert_eq!(none, Err(NoSuchCard(card("9c"))));
}
