//! Charts played by the real round: the average agrees with the exact expectation.
//!
//! Two computations that share the rules, but no arithmetic.

use odds::blackjack::{Analyzer, Siblings};
use odds::ledger::Ledger;
use odds::strategy::{CompiledChart, Page};
use odds::unseen::Unseen;
use rules::card::Card;
use rules::games::blackjack::{Blackjack, BlackjackTerms, Book, DoubleAttack, DoubleDeck, FreeBet};
use rules::games::opening;
use rules::money::Cents;
use rules::round::{Act, Awaits, Call, Round};
use rules::shoe::{Numbers, below};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, Game, Wagers};

const OWN: Bettor = Bettor::at(0);
const MAIN: Cents = Cents::new(1000);
const ROUNDS: u32 = 1_000_000;

#[test]
fn double_deck_played_by_its_chart_agrees() {
    agrees::<DoubleDeck>(Game::DoubleDeck, &[]);
    agrees::<DoubleDeck>(Game::DoubleDeck, &[("peek", "none_original_bets_only")]);
}

#[test]
fn double_attack_played_by_its_chart_agrees() {
    agrees::<DoubleAttack>(Game::DoubleAttack, &[]);
    agrees::<DoubleAttack>(Game::DoubleAttack, &[("dealing_mode", "hole_card_reader")]);
}

#[test]
fn free_bet_played_by_its_chart_agrees() {
    agrees::<FreeBet>(Game::FreeBet, &[]);
    agrees::<FreeBet>(Game::FreeBet, &[("split_aces", "one_card_resplit")]);
}

/// The average of many rounds is within 4.5 standard errors of what the chart is worth exactly.
fn agrees<B: Book>(game: Game, choices: &[(&str, &str)]) {
    let mut sheet = TermSheet::new(game);
    sheet.set(choices.iter().copied()).unwrap();
    let unseen = Unseen::full(&sheet);
    let analyzer = Analyzer::<B>::new(&sheet);
    let best = analyzer.solve(&unseen, Siblings::OwnCards);
    let chart = analyzer.chart(&unseen, &best);
    let exact = analyzer.by_chart(&unseen, &chart).ev;
    let (mean, error) = played::<B>(&sheet, &unseen, &chart.compile());
    assert!((mean - exact).abs() < 4.5 * error, "{mean} ± {error} is not {exact}");
}

/// The average gain of a unit, each round from a full shoe, and its standard error.
fn played<B: Book>(sheet: &TermSheet, unseen: &Unseen, chart: &CompiledChart) -> (f64, f64) {
    let mut wagers = Wagers::<1, 1>::NONE;
    wagers.place(&opening(sheet), OWN, &[(Circle::Main, MAIN)]).unwrap();
    let mut shoe = Shoe::new(unseen);
    let mut numbers = seeded(0x0dd5);
    let (mut sum, mut squares) = (0.0, 0.0);
    for _ in 0..ROUNDS {
        let mut ledger = Ledger::of(OWN);
        let mut round =
            Blackjack::<B, 1, 1>::start(BlackjackTerms::read(sheet), &wagers, &mut ledger);
        shoe.left = shoe.cards.len();
        finish(&mut round, &mut ledger, chart, || shoe.draw(&mut numbers));
        let net = ledger.total().get() as f64 / MAIN.get() as f64;
        sum += net;
        squares += net * net;
    }
    let all = f64::from(ROUNDS);
    (sum / all, ((squares / all - (sum / all).powi(2)) / all).sqrt())
}

/// Plays one round to its end.
fn finish<B: Book>(
    round: &mut Blackjack<B, 1, 1>,
    ledger: &mut Ledger,
    chart: &CompiledChart,
    mut draw: impl FnMut() -> Card,
) {
    let mut hole = None;
    loop {
        let taken = match (round.awaits(), hole) {
            (Awaits::Nobody, _) => return,
            (Awaits::Card(_), _) => round.deal(draw(), ledger),
            (Awaits::FaceDown(_), _) => {
                hole = Some(draw());
                round.deal_face_down(ledger)
            }
            (Awaits::Acts(_), _) => round.act(OWN, Act::Call(decide(round, chart)), ledger),
            (Awaits::Peek, Some(hole)) => round.peek(round.reader_answer(hole), ledger),
            (Awaits::Turn, Some(hole)) => round.turn(hole, ledger),
            (Awaits::Peek | Awaits::Turn, None) => unreachable!("a hole card was dealt"),
        };
        taken.expect("a round takes what it awaits");
    }
}

/// What the chart does.
fn decide<B: Book>(round: &Blackjack<B, 1, 1>, chart: &CompiledChart) -> Call {
    let offers = round.offers(OWN);
    let up = round.up_card().expect("nobody is asked before the up card");
    if offers.contains(Call::Attack) && chart.attacks(up) {
        return Call::Attack;
    }
    if offers.contains(Call::EvenMoney) && chart.takes_even_money() {
        return Call::EvenMoney;
    }
    if offers.contains(Call::Pass) {
        return Call::Pass;
    }
    let at = round.current_hand(0).unwrap_or(0);
    let hand = round.hand(0, at);
    let page = match hand.is_doubled() {
        true => Page::Doubled,
        false if round.at_stake(OWN, at).lammer => Page::Free,
        false if B::ATTACK && at > 0 => Page::Split,
        false => Page::Paid,
    };
    chart.choice(page, hand, up).among(offers)
}

/// Cards that are drawn in fair order; drawn ones lie behind those left.
struct Shoe {
    cards: Vec<Card>,
    left: usize,
}

impl Shoe {
    fn new(unseen: &Unseen) -> Shoe {
        let copies = |(card, count): (Card, u8)| std::iter::repeat_n(card, count.into());
        let cards: Vec<_> = unseen.iter().flat_map(copies).collect();
        Shoe { left: cards.len(), cards }
    }

    fn draw(&mut self, numbers: &mut impl Numbers) -> Card {
        let left = u32::try_from(self.left).expect("a shoe is small");
        let chosen = below(left, numbers) as usize;
        self.left -= 1;
        self.cards.swap(chosen, self.left);
        self.cards[self.left]
    }
}

/// A generator of numbers from a seed: SplitMix64.
fn seeded(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}
