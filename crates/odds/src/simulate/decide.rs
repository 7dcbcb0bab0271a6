//! Who decides in a simulated round: a strategy, laid out for quick answers.

use std::cell::Cell;
use std::collections::HashSet;

use rules::card::Card;
use rules::games::blackjack::{Blackjack, Book};
use rules::games::double_down_stud::{DoubleDownStud, Tally, Terms};
use rules::round::{Act, Call, Round};
use rules::wager::{Bettor, Game, Wagers};

use crate::blackjack::{Drawn, Solution};
use crate::ledger::Ledger;
use crate::strategy::{Choice, Compiled, Page};

/// Decides for every seat.
pub(super) trait Decide<R> {
    /// What the bettor calls who is asked.
    fn decide(&self, round: &R, bettor: Bettor) -> Call;
}

/// The same call whenever one is asked for.
pub(super) struct Same(pub(super) Call);

impl<R> Decide<R> for Same {
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

/// Room for every hand, and so much more that most lie at their own place.
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
    pub(super) fn best(terms: Terms, wagers: &Wagers<1, 1>) -> Doubling {
        let mut doubling = Doubling { hands: Box::new([NO_HAND; PLACES]) };
        let mut seen = HashSet::new();
        let fresh = DoubleDownStud::<1>::start(terms, wagers, &mut ());
        let deck = Card::DECK;
        for d in 3..deck.len() {
            for (a, b, c) in triples(d) {
                let cards = [deck[a], deck[b], deck[c], deck[d]];
                let round = with_known(fresh, cards);
                let hand = hand_of(round.known(0).expect("doubles are asked for"));
                let gains = |call| gain(round, cards, call);
                if seen.insert(hand) && gains(Call::Double) > gains(Call::Pass) {
                    let free = doubling.find(hand).expect_err("each hand is looked at once");
                    doubling.hands[free] = hand;
                }
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

/// Three different numbers below one, the smallest first.
fn triples(below: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    (2..below).flat_map(|c| (1..c).flat_map(move |b| (0..b).map(move |a| (a, b, c))))
}

/// A round in which these cards are known.
fn with_known(mut round: DoubleDownStud<1>, cards: [Card; 4]) -> DoubleDownStud<1> {
    let [own, open @ ..] = cards;
    round.deal(own, &mut ()).expect("the seat's card is awaited");
    round.deal_face_down(&mut ()).expect("the hole card is awaited");
    for card in open {
        round.deal(card, &mut ()).expect("an open card is awaited");
    }
    round
}

/// What a call gains over all hole cards that can lie behind the known ones.
fn gain(mut round: DoubleDownStud<1>, known: [Card; 4], call: Call) -> i64 {
    let one = Bettor::at(0);
    let mut ledger = Ledger::of(one);
    if round.act(one, Act::Call(call), &mut ledger).is_err() {
        return i64::MIN;
    }
    let holes = Card::DECK.into_iter().filter(|hole| !known.contains(hole));
    let gains = holes.map(|hole| {
        let (mut round, mut ledger) = (round, ledger);
        round.turn(hole, &mut ledger).expect("the hole card is turned");
        ledger.total().get()
    });
    gains.sum()
}

impl<B: Book, const SEATS: usize, const BETTORS: usize> Decide<Blackjack<B, SEATS, BETTORS>>
    for Compiled
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
pub(super) struct ByCards<'a, const SEATS: usize> {
    pub(super) play: &'a Solution,
    pub(super) boxes: &'a [Cell<Drawn>; SEATS],
}

impl<B: Book, const SEATS: usize, const BETTORS: usize> Decide<Blackjack<B, SEATS, BETTORS>>
    for ByCards<'_, SEATS>
{
    fn decide(&self, round: &Blackjack<B, SEATS, BETTORS>, bettor: Bettor) -> Call {
        self.play.call(round, bettor, self.boxes[bettor.seat()].get())
    }
}

/// Decides what is not about a hand: an attack, even money, insurance.
#[inline(never)]
fn beside_the_hands<B: Book, const SEATS: usize, const BETTORS: usize>(
    chart: &Compiled,
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
