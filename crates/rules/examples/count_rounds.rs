//! Plays rounds of one game with a simple strategy, for counting instructions.
//!
//! `count_rounds GAME N`: one box, one bettor, cards from a shoe that is shuffled as it is drawn and
//! gathered when fewer cards are left than behind the cut card, and a record that only adds up.
//! `cargo xtask bench` runs it under valgrind.

use std::hint::black_box;
use std::process::ExitCode;

use rules::card::{Card, Rank};
use rules::games::blackjack::{Blackjack, Book, DoubleAttack, DoubleDeck, FreeBet, Terms};
use rules::games::casino_war::{self, CasinoWar};
use rules::games::double_down_stud::{self, DoubleDownStud};
use rules::games::opening;
use rules::money::Cents;
use rules::round::{Act, Call, Driver, Event, Place, Record, Round, Settlement};
use rules::shoe::{Numbers, Shoe, behind_cut_card};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, Game, Wagers};

/// A small fast source of numbers (wyrand), seeded once.
struct Wyrand(u64);

impl Numbers for Wyrand {
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let product = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        (product >> 64) as u64 ^ product as u64
    }
}

/// A record that forgets everything but the sum of gains: what a simulator needs at the least.
struct Gain(Cents);

impl Record for Gain {
    #[inline(always)]
    fn note(&mut self, event: Event) {
        if let Event::Settled(Settlement { gain, .. }) | Event::Awarded { amount: gain, .. } = event
        {
            self.0 += gain;
        }
    }
}

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let game = words.next().as_deref().and_then(Game::named);
    let rounds = words.next().and_then(|word| word.parse().ok());
    let (Some(game), Some(rounds)) = (game, rounds) else {
        eprintln!("expected GAME and a number of rounds, such as: count_rounds casino-war 1000");
        return ExitCode::from(2);
    };
    let sheet = TermSheet::new(game);
    let mut wagers = Wagers::<1, 1>::NONE;
    let placed = wagers.place(&opening(&sheet), ONE, &[(Circle::Main, Cents::new(1000))]);
    assert_eq!(placed, Ok(()));
    let wagers = black_box(wagers);
    match game {
        Game::CasinoWar => {
            let terms = black_box(casino_war::Terms::read(&sheet));
            let start = |record: &mut Gain| CasinoWar::<1>::start(terms, &wagers, record);
            play(&sheet, start, rounds, |_| Act::Call(Call::War));
        }
        Game::DoubleDownStud => {
            let terms = black_box(double_down_stud::Terms::read(&sheet));
            let start = |record: &mut Gain| DoubleDownStud::<1>::start(terms, &wagers, record);
            play(&sheet, start, rounds, |_| Act::Call(Call::Pass));
        }
        Game::DoubleDeck => play_blackjack::<DoubleDeck>(&sheet, &wagers, rounds),
        Game::DoubleAttack => play_blackjack::<DoubleAttack>(&sheet, &wagers, rounds),
        Game::FreeBet => play_blackjack::<FreeBet>(&sheet, &wagers, rounds),
    }
    ExitCode::SUCCESS
}

const ONE: Bettor = Bettor::at(0);

fn play_blackjack<B: Book>(sheet: &TermSheet, wagers: &Wagers<1, 1>, rounds: u32) {
    let fresh = black_box(Blackjack::<B, 1, 1>::start(Terms::read(sheet), wagers, &mut ()));
    play(sheet, |_| fresh, rounds, draw_to_seventeen_or_stand_on_stiff);
}

/// Hits below 12, and below 17 against a strong up card; declines whatever costs money.
#[inline]
fn draw_to_seventeen_or_stand_on_stiff<B: Book>(round: &Blackjack<B, 1, 1>) -> Act {
    let Some(hand) = round.current_hand(0) else { return Act::Call(Call::Pass) };
    let total = round.hand(0, hand).points().total();
    let strong = round.up_card().is_some_and(|up| up.rank() >= Rank::Seven);
    match total < 12 || strong && total < 17 {
        true => Act::Call(Call::Hit),
        false => Act::Call(Call::Stand),
    }
}

/// A seeded shoe, the hole card, and a strategy.
struct Player<D> {
    numbers: Wyrand,
    shoe: Shoe,
    hole: Card,
    decide: D,
}

impl<R, D: Fn(&R) -> Act> Driver<R> for Player<D> {
    #[inline]
    fn card(&mut self) -> Card {
        self.shoe.draw(&mut self.numbers).expect("a quarter of a shoe lasts for a round")
    }

    #[inline]
    fn face_down(&mut self, _: Place) {
        self.hole = Driver::<R>::card(self);
    }

    #[inline]
    fn hole(&mut self) -> Card {
        self.hole
    }

    #[inline]
    fn decide(&mut self, round: &R, _: Bettor) -> Act {
        (self.decide)(round)
    }
}

/// Plays the rounds and shows what they came to, so that nothing can be left out.
fn play<R: Round>(
    sheet: &TermSheet,
    start: impl Fn(&mut Gain) -> R,
    rounds: u32,
    decide: impl Fn(&R) -> Act,
) {
    let shoe = Shoe::new(sheet);
    let behind_cut_card = behind_cut_card(sheet).unwrap_or(shoe.left() - 1);
    let mut player = Player { numbers: Wyrand(1), shoe, hole: Card::DECK[0], decide };
    let mut gain = Gain(Cents::ZERO);
    for _ in 0..rounds {
        if player.shoe.left() <= behind_cut_card {
            player.shoe.gather();
        }
        let mut round = start(&mut gain);
        let played = round.play(&mut player, &mut gain);
        debug_assert_eq!(played, Ok(()));
    }
    black_box(gain.0);
}
