//! Solves a blackjack and makes its chart, for counting instructions.
//!
//! `count_solve GAME N`: for N shoes, the first one as large as the book allows; each has one card less
//! than the one before.
//! `cargo xtask bench` runs it under valgrind.

use std::hint::black_box;
use std::process::ExitCode;

use odds::blackjack::{Analyzer, Siblings};
use odds::unseen::Unseen;
use rules::card::Card;
use rules::games::blackjack::{Book, DoubleAttack, DoubleDeck, FreeBet};
use rules::terms::TermSheet;
use rules::wager::Game;

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let game = words.next().as_deref().and_then(Game::named);
    let times: Option<u32> = words.next().and_then(|word| word.parse().ok());
    match (game, times) {
        (Some(Game::DoubleDeck), Some(times)) => solve::<DoubleDeck>(times),
        (Some(Game::DoubleAttack), Some(times)) => solve::<DoubleAttack>(times),
        (Some(Game::FreeBet), Some(times)) => solve::<FreeBet>(times),
        _ => {
            eprintln!("expected a blackjack and a number, such as: count_solve free-bet 1");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn solve<B: Book>(times: u32) {
    let mut sheet = TermSheet::new(B::GAME);
    if B::GAME != Game::DoubleDeck {
        sheet.set([("decks", "8")]).expect("eight decks are allowed");
    }
    let analyzer = Analyzer::<B>::new(&sheet);
    for gone in 0..times {
        let full = Unseen::full(&sheet);
        let mut shoe = full;
        for card in Card::DECK.into_iter().filter(|&c| full.of(c) > 0).take(gone as usize) {
            shoe.remove(card).expect("it is there");
        }
        let shoe = black_box(shoe);
        let best = analyzer.solve(&shoe, Siblings::OwnCards);
        black_box(analyzer.chart(&shoe, &best));
    }
}
