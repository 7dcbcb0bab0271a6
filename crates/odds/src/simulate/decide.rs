//! Who decides in a simulated round: a strategy, laid out for quick answers.

use std::cell::Cell;
use std::collections::HashSet;

use rules::games::blackjack::{Blackjack, Book};
use rules::games::double_down_stud::{DoubleDownStud, Tally};
use rules::round::{Call, Round};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Game};

use crate::blackjack::{DrawnCards, Solution};
use crate::count::{CountedPlay, SeenCards};
use crate::double_down_stud::{Fours, FreshRound, gains_by_doubling};
use crate::setting::Setting;
use crate::strategy::{Choice, CompiledChart, Page};
use crate::unseen::Unseen;

/// Decides for every seat.
pub(super) trait Decide<R> {
    /// The call of the bettor being asked.
    fn decide(&self, round: &R, bettor: Bettor) -> Call;
}

/// The same call whenever one is asked for.
pub(super) struct SameCall(pub(super) Call);

impl<R> Decide<R> for SameCall {
    #[inline]
    fn decide(&self, _: &R, _: Bettor) -> Call {
        self.0
    }
}

/// The hands that gain by doubling in Double Down Stud.
#[derive(Clone, Debug)]
pub(super) struct Doubling {
    /// Each hand lies at its own place or behind it.
    hands: Box<[u64; PLACES]>,
}

/// Room for every hand, and enough more that most lie at their own place.
const PLACES: usize = 1 << 13;
const FOUR_OF_A_SUIT: u64 = 1 << 52;
const NO_HAND: u64 = 0;

/// All that matters of four cards: their ranks, and whether they have one suit.
#[inline]
fn hand_of(known: Tally) -> u64 {
    known.ranks() | (u64::from(known.has_four_of_a_suit()) * FOUR_OF_A_SUIT)
}

/// A hand's own place.
#[inline]
#[allow(clippy::cast_possible_truncation)]
fn place(hand: u64) -> usize {
    (hand.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - PLACES.trailing_zeros())) as usize
}

impl Doubling {
    /// Looks at every four cards once, and at each hole card behind them.
    pub(super) fn best(sheet: &TermSheet, setting: Setting) -> Doubling {
        let mut doubling = Doubling { hands: Box::new([NO_HAND; PLACES]) };
        let mut seen = HashSet::new();
        let table = FreshRound::new(sheet, setting);
        for four in Fours::of(&Unseen::full(sheet)) {
            let round = table.deal(four);
            let hand = hand_of(round.known(0).expect("doubles are asked for"));
            if seen.insert(hand) && gains_by_doubling(round, four) {
                let free = doubling.find(hand).expect_err("each hand is looked at once");
                doubling.hands[free] = hand;
            }
        }
        doubling
    }

    /// Where a hand lies, or where it would.
    #[inline]
    fn find(&self, hand: u64) -> Result<usize, usize> {
        let mut at = place(hand);
        loop {
            match self.hands[at % PLACES] {
                NO_HAND => return Err(at),
                other if other == hand => return Ok(at),
                _ => at = (at + 1) % PLACES,
            }
        }
    }
}

impl<const SEATS: usize> Decide<DoubleDownStud<SEATS>> for Doubling {
    #[inline]
    fn decide(&self, round: &DoubleDownStud<SEATS>, bettor: Bettor) -> Call {
        match round.known(bettor.seat()) {
            Some(known) if self.find(hand_of(known)).is_ok() => Call::Double,
            _ => Call::Pass,
        }
    }
}

impl<B: Book, const SEATS: usize, const BETTORS: usize> Decide<Blackjack<B, SEATS, BETTORS>>
    for CompiledChart
{
    #[inline(always)]
    fn decide(&self, round: &Blackjack<B, SEATS, BETTORS>, bettor: Bettor) -> Call {
        let (Some(up), Some(hand)) = (round.up_card(), round.current_hand(bettor.seat())) else {
            return beside_the_hands(self, round, bettor);
        };
        let here = round.hand(bettor.seat(), hand);
        let page = match B::GAME {
            Game::FreeBet if round.is_on_a_lammer(bettor, hand) => Page::Free,
            Game::DoubleAttack if here.is_doubled() => Page::Doubled,
            Game::DoubleAttack if hand > 0 => Page::Split,
            _ => Page::Paid,
        };
        let choice = self.choice(page, here, up);
        if choice.begins_with(Call::Stand) {
            Call::Stand
        } else if choice.begins_with(Call::Hit) && here.is_plain() {
            Call::Hit
        } else {
            otherwise(choice, round, bettor, hand)
        }
    }
}

/// Decides where money is added, or where the first choice is not open.
#[inline(never)]
fn otherwise<B: Book, const SEATS: usize, const BETTORS: usize>(
    choice: Choice,
    round: &Blackjack<B, SEATS, BETTORS>,
    bettor: Bettor,
    hand: usize,
) -> Call {
    match choice.first() {
        first if round.is_open(bettor, hand, first) => first,
        _ => choice.first_that(|call| round.is_open(bettor, hand, call)),
    }
}

/// A play by the cards themselves, and the cards that each box has drawn.
pub(super) struct CardPlayer<'a, const SEATS: usize> {
    pub(super) play: &'a Solution,
    pub(super) boxes: &'a [Cell<DrawnCards>; SEATS],
}

impl<B: Book, const SEATS: usize, const BETTORS: usize> Decide<Blackjack<B, SEATS, BETTORS>>
    for CardPlayer<'_, SEATS>
{
    fn decide(&self, round: &Blackjack<B, SEATS, BETTORS>, bettor: Bettor) -> Call {
        self.play.call(round, bettor, self.boxes[bettor.seat()].get())
    }
}

/// A play by the count, and what the seat that counts has seen.
pub(super) struct CountPlayer<'a> {
    pub(super) play: &'a CountedPlay,
    pub(super) seat: usize,
    pub(super) seen: &'a Cell<SeenCards>,
}

impl<B: Book, const SEATS: usize, const BETTORS: usize> Decide<Blackjack<B, SEATS, BETTORS>>
    for CountPlayer<'_>
{
    fn decide(&self, round: &Blackjack<B, SEATS, BETTORS>, bettor: Bettor) -> Call {
        if bettor.seat() != self.seat {
            return self.play.usual.decide(round, bettor);
        }
        let true_count = self.seen.get().true_count(&self.play.count);
        let is_before_play = round.current_hand(bettor.seat()).is_none();
        let insures = is_before_play && self.play.insures_at(true_count);
        match insures && round.offers(bettor).contains(Call::Insure) {
            true => Call::Insure,
            false => self.play.chart_at(true_count).decide(round, bettor),
        }
    }
}

/// Decides what is not about a hand: an attack, even money, insurance.
#[inline(never)]
fn beside_the_hands<B: Book, const SEATS: usize, const BETTORS: usize>(
    chart: &CompiledChart,
    round: &Blackjack<B, SEATS, BETTORS>,
    bettor: Bettor,
) -> Call {
    let attacks = B::ATTACK && round.up_card().is_some_and(|up| chart.attacks(up));
    if attacks && round.offers(bettor).contains(Call::Attack) {
        Call::Attack
    } else if chart.takes_even_money() && round.offers(bettor).contains(Call::EvenMoney) {
        Call::EvenMoney
    } else {
        Call::Pass
    }
}
