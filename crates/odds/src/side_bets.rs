//! The blackjacks' side wagers: the bonus, Push 22 and insurance.
//!
//! Play changes none of them: the dealer draws for a live side wager in any case
//! (DAB-R18, FBB-R17), and unseen cards can be drawn in any order.

use rules::card::{Card, Rank, Suit};
use rules::games::blackjack::{
    Blackjack, BlackjackTerms, Book, Dealer, DoubleAttack, DoubleDeck, FreeBet, Points, Stage,
};
use rules::games::{opening, pays};
use rules::money::{Breakage, Cents, Chips};
use rules::round::{Act, Awaits, Call, Decision, Place, Round};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, Game, Wagers};

use crate::blackjack::CARDS;
use crate::cases::Cases;
use crate::ledger::Ledger;
use crate::setting::Setting;
use crate::unseen::Unseen;
use crate::value::BetValue;

const OWN: Bettor = Bettor::at(0);
/// More cards than a dealer who stands on 17 can draw: six aces, a six, and aces again.
const MOST_DRAWN: usize = 13;

/// Every side wager of a blackjack; none for the other games.
pub fn bets(sheet: &TermSheet, setting: Setting, unseen: &Unseen) -> Vec<BetValue> {
    let own = match sheet.game() {
        Game::DoubleAttack => bonus(sheet, setting, unseen),
        Game::FreeBet => push22(sheet, setting, unseen),
        _ => None,
    };
    own.into_iter().chain(insurances(sheet, setting, unseen)).collect()
}

/// The insurance of any blackjack, by how many ten-value cards the hand holds; none for other games.
pub fn insurances(sheet: &TermSheet, setting: Setting, unseen: &Unseen) -> Vec<BetValue> {
    match sheet.game() {
        Game::DoubleDeck => insurance::<DoubleDeck>(sheet, setting, unseen),
        Game::DoubleAttack => insurance::<DoubleAttack>(sheet, setting, unseen),
        Game::FreeBet => insurance::<FreeBet>(sheet, setting, unseen),
        _ => Vec::new(),
    }
}

/// Double Attack's bonus, which the dealer's first three cards decide.
pub fn bonus(sheet: &TermSheet, setting: Setting, unseen: &Unseen) -> Option<BetValue> {
    let mut ends = SideBetEnds::new(sheet, setting.side?);
    let book = DoubleAttack::read(sheet);
    count_bonus(book, Dealer::EMPTY, &mut unseen.clone(), (1, 0), &mut ends);
    Some(ends.cases(unseen).value(Circle::Bonus, "any"))
}

/// Counts every way in which a dealer's hand can continue until it decides the bonus.
fn count_bonus(
    book: DoubleAttack,
    dealer: Dealer,
    left: &mut Unseen,
    (ways, cards): (u128, u32),
    ends: &mut SideBetEnds,
) {
    if let Some(decision) = book.side(dealer, Stage::Drawing) {
        return ends.add(decision, ways, cards);
    }
    for card in Card::DECK {
        let count = left.of(card);
        if count > 0 {
            left.remove(card).expect("it has been counted");
            let ways = ways * u128::from(count);
            count_bonus(book, dealer.with(card), left, (ways, cards + 1), ends);
            left.add(card);
        }
    }
}

/// Free Bet's Push 22, which the dealer's finished hand decides.
pub fn push22(sheet: &TermSheet, setting: Setting, unseen: &Unseen) -> Option<BetValue> {
    let mut ends = SideBetEnds::new(sheet, setting.side?);
    let left = SUITS_WITHIN.map(|suits| CARDS.map(|like| count(unseen, like, suits)));
    let mut hands = FinishedHands { book: FreeBet::read(sheet), left, ends: &mut ends };
    hands.go_on([Dealer::EMPTY; LIKENESSES.len()], [1; SUITS_WITHIN.len()], 0);
    Some(ends.cases(unseen).value(Circle::Push22, "any"))
}

/// What the suits of a hand have in common, each with an example: the suit of the first card, and
/// that of the others.
const LIKENESSES: [[Suit; 2]; 3] =
    [[Suit::Clubs, Suit::Clubs], [Suit::Clubs, Suit::Spades], [Suit::Clubs, Suit::Diamonds]];

/// Sets of suits within which hands are counted: each suit, each colour, all.
const SUITS_WITHIN: [&[Suit]; 7] = [
    &[Suit::Clubs],
    &[Suit::Diamonds],
    &[Suit::Hearts],
    &[Suit::Spades],
    &[Suit::Clubs, Suit::Spades],
    &[Suit::Diamonds, Suit::Hearts],
    &Suit::ALL,
];

/// How many unseen cards have the points of this one and one of these suits.
fn count(unseen: &Unseen, like: Card, suits: &[Suit]) -> u8 {
    let alike =
        |card: &Card| Points::pips(*card) == Points::pips(like) && suits.contains(&card.suit());
    unseen.iter().filter(|(card, _)| alike(card)).map(|(_, count)| count).sum()
}

/// The finished hands of a dealer, counted by the values of their cards.
struct FinishedHands<'a> {
    book: FreeBet,
    /// How many cards of each value are left within each set of suits.
    left: [[u8; CARDS.len()]; SUITS_WITHIN.len()],
    ends: &'a mut SideBetEnds,
}

impl FinishedHands<'_> {
    /// Counts every way in which a hand can continue. There is an example of it for each likeness, and
    /// `ways` ways to make it within each set of suits.
    fn go_on(
        &mut self,
        hands: [Dealer; LIKENESSES.len()],
        ways: [u128; SUITS_WITHIN.len()],
        cards: u32,
    ) {
        if cards >= 2 && !self.book.dealer_draws(hands[0].points()) {
            return self.finish(hands, ways, cards);
        }
        let before = self.left;
        for (value, like) in CARDS.iter().enumerate() {
            let (mut ways, mut hands) = (ways, hands);
            for (ways, left) in ways.iter_mut().zip(&mut self.left) {
                *ways *= u128::from(left[value]);
                left[value] = left[value].saturating_sub(1);
            }
            for (hand, likeness) in hands.iter_mut().zip(LIKENESSES) {
                *hand = hand.with(Card::new(like.rank(), likeness[usize::from(cards > 0)]));
            }
            if ways.iter().any(|&ways| ways > 0) {
                self.go_on(hands, ways, cards + 1);
            }
            self.left = before;
        }
    }

    /// Counts a finished hand: of one suit, of one colour only, of both.
    fn finish(
        &mut self,
        hands: [Dealer; LIKENESSES.len()],
        ways: [u128; SUITS_WITHIN.len()],
        cards: u32,
    ) {
        let one_suit: u128 = ways[..4].iter().sum();
        let one_colour: u128 = ways[4..6].iter().sum();
        let ways = [one_suit, one_colour - one_suit, ways[6] - one_colour];
        for (hand, ways) in hands.into_iter().zip(ways) {
            let decision = self.book.side(hand, Stage::Finished);
            self.ends.add(decision.expect("a finished hand decides it"), ways, cards);
        }
    }
}

/// Insurance against an ace, by how many ten-value cards the hand holds.
pub fn insurance<B: Book>(sheet: &TermSheet, setting: Setting, unseen: &Unseen) -> Vec<BetValue> {
    let mut left = *unseen;
    let Some((ace, _)) = left.iter().find(|(card, _)| card.is(Rank::Ace)) else {
        return Vec::new();
    };
    left.remove(ace).expect("it has been found");
    let mut bets = Vec::new();
    for (policy, tens) in
        [("any", None), ("no ten", Some(0)), ("one ten", Some(1)), ("two tens", Some(2))]
    {
        let Some(own) = own_cards(left, tens.unwrap_or(0)) else { continue };
        let mut hidden = left;
        // To a wager on any hand the own cards are as good as unseen.
        if tens.is_some() {
            own.iter().for_each(|&card| hidden.remove(card).expect("it has been found"));
        }
        let round = InsuredRound::<B>::new(sheet, setting.main, ace, own);
        let mut cases = Cases::new(round.stake(), hidden.total().into(), 1);
        for (hole, count) in hidden.iter() {
            let ledger = round.with_hole(hole);
            let net = ledger.gain(Circle::Insurance);
            let name = if net > Cents::ZERO { "blackjack" } else { "no blackjack" };
            cases.add(name, (net, ledger.staked(Circle::Insurance)), count, 1);
        }
        let mut value = cases.value(Circle::Insurance, policy);
        value.notes.push("Only rounds with an ace up are counted.".to_owned());
        bets.push(value);
    }
    bets
}

/// The most that insures a main wager against this ace, with chips for it.
pub(crate) fn most_insured<B: Book>(sheet: &TermSheet, main: Chips, ace: Card) -> Chips {
    // The offer is the same for any hand.
    InsuredRound::<B>::new(sheet, main, ace, [ace; 2]).stake()
}

/// Two cards, `tens` of them worth ten.
fn own_cards(mut left: Unseen, tens: usize) -> Option<[Card; 2]> {
    let mut take = |ten: bool| {
        let (card, _) = left.iter().find(|(card, _)| (Points::pips(*card) == 10) == ten)?;
        left.remove(card).ok()?;
        Some(card)
    };
    Some([take(tens > 0)?, take(tens > 1)?])
}

/// A round in which a seat insures against an ace.
struct InsuredRound<B> {
    round: Blackjack<B, 1, 1>,
    ledger: Ledger,
}

impl<B: Book> InsuredRound<B> {
    const AWAITED: &'static str = "a round takes what it awaits";

    /// Deals up to the offer of insurance, and takes it.
    fn new(sheet: &TermSheet, main: Chips, ace: Card, own: [Card; 2]) -> InsuredRound<B> {
        let mut wagers = Wagers::<1, 1>::NONE;
        let placed = wagers.place(&opening(sheet), OWN, &[(Circle::Main, main.into())]);
        placed.expect("a main wager that the house takes");
        let mut ledger = Ledger::of(OWN);
        let mut round = Blackjack::start(BlackjackTerms::read(sheet), &wagers, &mut ledger);
        let mut own = own.into_iter();
        while !round.offers(OWN).contains(Call::Insure) {
            let taken = match round.awaits() {
                Awaits::Card(Place::Hand { .. }) => {
                    round.deal(own.next().expect("two cards come first"), &mut ledger)
                }
                Awaits::Card(_) => round.deal(ace, &mut ledger),
                Awaits::FaceDown(_) => round.deal_face_down(&mut ledger),
                _ => round.act(OWN, Act::Call(Call::Pass), &mut ledger),
            };
            taken.expect(Self::AWAITED);
        }
        round.act(OWN, Act::Call(Call::Insure), &mut ledger).expect(Self::AWAITED);
        InsuredRound { round, ledger }
    }

    /// What was staked.
    fn stake(&self) -> Chips {
        Chips::from_cents(self.ledger.staked(Circle::Insurance)).expect("insurance is staked")
    }

    /// The account once the dealer's second card has decided the insurance.
    fn with_hole(&self, hole: Card) -> Ledger {
        let (mut round, mut ledger) = (self.round, self.ledger);
        while ledger.why(Circle::Insurance).is_none() {
            let taken = match round.awaits() {
                Awaits::Peek => round.peek(round.reader_answer(hole), &mut ledger),
                Awaits::Turn => round.turn(hole, &mut ledger),
                Awaits::Acts(_) => round.act(OWN, Act::Call(Call::Stand), &mut ledger),
                _ => round.deal(hole, &mut ledger),
            };
            taken.expect(Self::AWAITED);
        }
        ledger
    }
}

/// The results of a side wager, summed before they become large numbers.
struct SideBetEnds {
    stake: Chips,
    breakage: Breakage,
    /// By clause: the words, the net, and the ways by how many cards were drawn.
    lines: Vec<(&'static str, Cents, [u128; MOST_DRAWN])>,
    words: Vec<(&'static str, &'static str)>,
}

impl SideBetEnds {
    fn new(sheet: &TermSheet, stake: Chips) -> SideBetEnds {
        let words = pays(sheet).iter().map(|pay| (pay.clause, pay.what)).collect();
        SideBetEnds { stake, breakage: sheet.breakage(), lines: Vec::new(), words }
    }

    fn add(&mut self, (ruling, reason): Decision, ways: u128, drawn: u32) {
        let clause = reason.clause;
        let line = match self.lines.iter().position(|line| line.0 == clause) {
            Some(line) => line,
            None => {
                let net = ruling.gain(self.stake, self.breakage);
                self.lines.push((clause, net, [0; MOST_DRAWN]));
                self.lines.len() - 1
            }
        };
        self.lines[line].2[drawn as usize] += ways;
    }

    fn cases(&self, unseen: &Unseen) -> Cases {
        let most = |line: &(_, _, [u128; MOST_DRAWN])| line.2.iter().rposition(|&ways| ways > 0);
        let longest = self.lines.iter().filter_map(most).max().unwrap_or(0);
        let deepest = u32::try_from(longest).expect("few cards are drawn");
        let mut cases = Cases::new(self.stake, unseen.total().into(), deepest);
        for (clause, net, ways) in &self.lines {
            let words = self.words.iter().find(|(of, _)| of == clause);
            let name = words.map_or("lost", |(_, what)| what);
            for (drawn, &ways) in (0..).zip(ways).filter(|(_, ways)| **ways > 0) {
                cases.add(name, (*net, self.stake.into()), ways, drawn);
            }
        }
        cases
    }
}
