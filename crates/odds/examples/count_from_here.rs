//! Values every open act of a decision, for counting instructions.
//!
//! `count_from_here GAME CARDS N`: deals the cards in order, passes on whatever comes before the first
//! hand, asks N times, and prints what each act gains for each unit of the wager. `cargo xtask bench`
//! runs it under valgrind.

use std::hint::black_box;
use std::process::ExitCode;

use odds::from_here;
use odds::unseen::Unseen;
use rules::card::{Card, Suit};
use rules::games::{AnyRound, TableWagers, opening};
use rules::money::Cents;
use rules::round::{Act, Awaits, Call, Event, Round};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, Game};

const ONE: Bettor = Bettor::at(0);
const WAGER: Cents = Cents::new(1_000);

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let asked = match &words[..] {
        [game, cards, times] => Game::named(game).zip(read(cards)).zip(times.parse::<u32>().ok()),
        _ => None,
    };
    match asked.and_then(|((game, cards), times)| ask(game, cards, times)) {
        Some(()) => ExitCode::SUCCESS,
        None => {
            eprintln!(
                "expected a game, its cards and a number: count_from_here free-bet \"8 T 8\" 1"
            );
            ExitCode::from(2)
        }
    }
}

/// Ranks, of which the suits do not matter.
fn read(cards: &str) -> Option<Vec<Card>> {
    let suit = Suit::Spades.letter();
    cards.split_whitespace().map(|rank| format!("{rank}{suit}").parse().ok()).collect()
}

fn ask(game: Game, cards: Vec<Card>, times: u32) -> Option<()> {
    let sheet = TermSheet::new(game);
    let mut wagers = TableWagers::NONE;
    wagers.place(&opening(&sheet), ONE, &[(Circle::Main, WAGER)]).ok()?;
    let mut events: Vec<Event> = Vec::new();
    let mut round = AnyRound::start(&sheet, &wagers, &mut events);
    let mut cards = cards.into_iter();
    loop {
        let passes = round.offers(ONE).iter().any(|call| call == Call::Pass);
        match round.awaits() {
            Awaits::Card(_) => round.deal(cards.next()?, &mut events).ok()?,
            Awaits::FaceDown(_) => round.deal_face_down(&mut events).ok()?,
            Awaits::Peek => round.peek(false, &mut events).ok()?,
            Awaits::Acts(_) if passes => {
                round.act(ONE, Act::Call(Call::Pass), &mut events).ok()?;
            }
            _ => break,
        }
    }
    let unseen = Unseen::full(&sheet).after(&events, 0).ok()?;
    let mut values = Vec::new();
    for _ in 0..times {
        values = from_here(&sheet, black_box(&round), ONE, &unseen).ok()?;
    }
    for value in values {
        let unit = WAGER.get() as f64;
        let most = value.at_most.map_or(String::new(), |most| format!(" to {:+.6}", most / unit));
        println!("{:?} {:+.6}{most}", value.act, value.gain / unit);
    }
    Some(())
}
