//! From the discard rack alone each hand of a round is rebuilt, and settles as it did
//! (CW-8-d, CW-8-h, DDS-9-d, DAB-7-h, FBB-6-s, G-28).

use rules::card::Card;
use rules::games::{AnyRound, TableWagers, opening};
use rules::round::{Awaits, Event, Place, Round};
use rules::table::{TableAwaits, TableEvent};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, Game};

use super::rack::Reconstruction;
use super::sitting::{Sitting, WAGER};

/// What happened in the round, in its order.
fn in_round(events: &[TableEvent]) -> Vec<Event> {
    let round = |event: &TableEvent| match *event {
        TableEvent::Round(event) => Some(event),
        _ => None,
    };
    events.iter().filter_map(round).collect()
}

/// Lays the round out again: wagers and decisions from the record, cards from the rack.
fn again(sheet: &TermSheet, told: &[TableEvent]) -> Vec<Event> {
    let mut rack = Reconstruction::of(told);
    let record = in_round(told);
    let mut wagers = TableWagers::NONE;
    let bettors: Vec<Bettor> = record
        .iter()
        .filter_map(|event| match event {
            Event::Staked { bettor, circle: Circle::Main, .. } => Some(*bettor),
            _ => None,
        })
        .collect();
    for bettor in bettors {
        wagers.place(&opening(sheet), bettor, &[(Circle::Main, WAGER)]).unwrap();
    }
    let mut acts = record.iter().filter_map(|event| match event {
        Event::Acted(bettor, act) => Some((*bettor, *act)),
        _ => None,
    });
    let mut events = Vec::new();
    let mut round = AnyRound::start(sheet, &wagers, &mut events);
    let mut hole: Option<Card> = None;
    loop {
        let before = events.len();
        match round.awaits() {
            Awaits::Card(place) => {
                let card = rack.lay(place).expect("the rack has it").expect("everyone saw it");
                round.deal(card, &mut events).unwrap();
            }
            Awaits::FaceDown(place) => {
                if place != Place::Burn {
                    hole = rack.lay(place).expect("the rack has it");
                }
                round.deal_face_down(&mut events).unwrap();
            }
            Awaits::Peek => {
                let natural = round.reader_answer(hole.unwrap());
                round.peek(natural, &mut events).unwrap();
            }
            Awaits::Turn => round.turn(hole.unwrap(), &mut events).unwrap(),
            Awaits::Acts(_) => {
                let (bettor, act) = acts.next().expect("the record has it");
                round.act(bettor, act, &mut events).unwrap();
            }
            Awaits::Nobody => break,
        }
        for event in &events[before..] {
            if let Event::Split { seat, hand } = event {
                rack.split(*seat, *hand);
            }
        }
    }
    assert!(rack.is_complete(), "every card lies there again");
    // The table tells which cards those are instead.
    events.retain(|event| !matches!(event, Event::PickedUp { .. }));
    events
}

fn rounds_come_back(game: Game, terms: &[(&str, &str)], rounds: u32) {
    let mut sitting = Sitting::new(game, terms, 7);
    let mut splits = 0;
    while sitting.table.rounds_played() < rounds {
        let before = sitting.table.rounds_played();
        sitting.step();
        if sitting.table.rounds_played() > before {
            let record = in_round(&sitting.round);
            splits += record.iter().filter(|event| matches!(event, Event::Split { .. })).count();
            assert_eq!(again(sitting.table.sheet(), &sitting.round), record);
        }
        if sitting.table.awaits() == TableAwaits::Wagers && sitting.chance.below(50) == 0 {
            sitting.line("buy-in 3 1000");
        }
    }
    let has_splits = !matches!(game, Game::CasinoWar | Game::DoubleDownStud);
    assert_eq!(splits > 20, has_splits, "{splits} splits");
}

#[test]
fn rounds_of_casino_war_come_back() {
    rounds_come_back(Game::CasinoWar, &[], 400);
}

#[test]
fn rounds_of_double_down_stud_come_back() {
    rounds_come_back(Game::DoubleDownStud, &[], 400);
}

#[test]
fn rounds_of_double_deck_come_back() {
    rounds_come_back(Game::DoubleDeck, &[], 400);
}

#[test]
fn rounds_of_double_attack_come_back() {
    rounds_come_back(Game::DoubleAttack, &[("seats", "6")], 300);
    rounds_come_back(Game::DoubleAttack, &[("dealing_mode", "hole_card_reader")], 300);
}

#[test]
fn rounds_of_free_bet_come_back() {
    rounds_come_back(Game::FreeBet, &[], 400);
}
