//! The value of a blackjack round, found by playing the round itself with every card and every act.

#![allow(dead_code)]

use std::collections::HashMap;

use odds::blackjack::DrawnCards;
use odds::unseen::Unseen;
use rules::card::Card;
use rules::games::blackjack::{Blackjack, BlackjackTerms, Book};
use rules::games::opening;
use rules::money::Cents;
use rules::round::{Act, Awaits, Call, Event, Place, Record, Round};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, Wagers};

pub(crate) const ONE: Bettor = Bettor::at(0);
pub(crate) const WAGER: Cents = Cents::new(1000);

/// What a player at the table remembers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    pub(crate) drawn: DrawnCards,
    pub(crate) hands: Vec<Vec<Card>>,
    pub(crate) up: Option<Card>,
    /// Hands that have been doubled with money.
    pub(crate) doubled: Vec<usize>,
    gain: i64,
}

impl Memory {
    /// What has been gained so far, in cents.
    pub(crate) fn gain(&self) -> f64 {
        self.gain as f64
    }
}

impl Record for Memory {
    fn note(&mut self, event: Event) {
        self.drawn.note(ONE.seat(), event);
        match event {
            Event::Dealt { place: Place::Hand { hand, .. }, card, .. } => {
                let hand = usize::from(hand);
                if self.hands.len() <= hand {
                    self.hands.resize(hand + 1, Vec::new());
                }
                self.hands[hand].push(card);
            }
            Event::Dealt { place: Place::Dealer, card, .. } => self.up = self.up.or(Some(card)),
            Event::Staked { circle: Circle::Double, hand, .. } => {
                self.doubled.push(hand.into());
            }
            Event::Split { hand, .. } => {
                let hand = usize::from(hand);
                let card = self.hands[hand].pop().expect("a pair");
                self.hands.insert(hand + 1, vec![card]);
            }
            Event::Settled(settlement) => self.gain += settlement.gain.get(),
            _ => {}
        }
    }
}

/// What is known of the hole card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Hole {
    None,
    Unknown,
    NoNatural,
    Natural,
}

/// A player who decides, or leaves it to us to find the best act.
pub(crate) trait Player<B> {
    fn act(&self, round: &Blackjack<B, 1, 1>, memory: &Memory) -> Option<Act>;

    /// Whether this act is among those that are tried.
    fn tries(&self, _: Call) -> bool {
        true
    }
}

pub(crate) struct Brute<'a, P> {
    pub(crate) player: &'a P,
    found: HashMap<String, f64>,
}

impl<P> Brute<'_, P> {
    pub(crate) fn new(player: &P) -> Brute<'_, P> {
        Brute { player, found: HashMap::new() }
    }

    /// What a fresh round is worth, in units of the wager.
    pub(crate) fn game<B: Book>(&mut self, sheet: &TermSheet, shoe: &Unseen) -> f64
    where
        P: Player<B>,
    {
        let mut memory = Memory::default();
        let round = start::<B>(sheet, &mut memory);
        self.from::<B>(round, &memory, *shoe, false)
    }

    /// What a round is worth from here on; `negative` if a reader has said that the hole card makes
    /// no natural.
    pub(crate) fn from<B: Book>(
        &mut self,
        round: Blackjack<B, 1, 1>,
        memory: &Memory,
        unseen: Unseen,
        negative: bool,
    ) -> f64
    where
        P: Player<B>,
    {
        let hole = if negative { Hole::NoNatural } else { Hole::None };
        self.expect(round, memory, unseen, hole) / WAGER.get() as f64
    }

    fn expect<B: Book>(
        &mut self,
        round: Blackjack<B, 1, 1>,
        memory: &Memory,
        unseen: Unseen,
        hole: Hole,
    ) -> f64
    where
        P: Player<B>,
    {
        if round.awaits() == Awaits::Nobody {
            return 0.0;
        }
        let current = round.current_hand(0).and_then(|hand| memory.hands.get(hand).cloned());
        let mut cards = current.unwrap_or_default();
        cards.sort_unstable();
        let left: Vec<_> = unseen.iter().collect();
        let key = format!("{round:?}{cards:?}{left:?}{hole:?}");
        if let Some(&found) = self.found.get(&key) {
            return found;
        }
        let worth = self.unfold(round, memory, unseen, hole);
        self.found.insert(key, worth);
        worth
    }

    fn unfold<B: Book>(
        &mut self,
        round: Blackjack<B, 1, 1>,
        memory: &Memory,
        unseen: Unseen,
        hole: Hole,
    ) -> f64
    where
        P: Player<B>,
    {
        let fits = |card: Card| match hole {
            Hole::None | Hole::Unknown => true,
            Hole::NoNatural => !round.reader_answer(card),
            Hole::Natural => round.reader_answer(card),
        };
        let holes = |unseen: &Unseen| -> f64 {
            unseen.iter().filter(|(card, _)| fits(*card)).map(|(_, n)| f64::from(n)).sum()
        };
        match round.awaits() {
            Awaits::Nobody => 0.0,
            Awaits::Card(_) => {
                let (mut sum, mut all) = (0.0, 0.0);
                for (card, count) in unseen.iter() {
                    let mut rest = unseen;
                    rest.remove(card).expect("it is there");
                    let weight =
                        f64::from(count) * if hole == Hole::None { 1.0 } else { holes(&rest) };
                    if weight > 0.0 {
                        all += weight;
                        sum += weight * self.put(round, memory, rest, hole, |r, m| r.deal(card, m));
                    }
                }
                assert!(all > 0.0, "cards have run out");
                sum / all
            }
            Awaits::FaceDown(_) => {
                self.put(round, memory, unseen, Hole::Unknown, |r, m| r.deal_face_down(m))
            }
            Awaits::Peek => {
                let all = holes(&unseen);
                [(true, Hole::Natural), (false, Hole::NoNatural)]
                    .into_iter()
                    .map(|(natural, hole)| {
                        let agree = |&(card, _): &(Card, u8)| round.reader_answer(card) == natural;
                        let n: u32 = unseen.iter().filter(agree).map(|c| u32::from(c.1)).sum();
                        if n == 0 {
                            return 0.0;
                        }
                        let put = self.put(round, memory, unseen, hole, |r, m| r.peek(natural, m));
                        f64::from(n) / all * put
                    })
                    .sum()
            }
            Awaits::Turn => {
                let all = holes(&unseen);
                let mut sum = 0.0;
                for (card, count) in unseen.iter().filter(|(card, _)| fits(*card)) {
                    let mut rest = unseen;
                    rest.remove(card).expect("it is there");
                    let put = self.put(round, memory, rest, Hole::None, |r, m| r.turn(card, m));
                    sum += f64::from(count) / all * put;
                }
                sum
            }
            Awaits::Acts(_) => match self.player.act(&round, memory) {
                Some(act) => self.put(round, memory, unseen, hole, |r, m| r.act(ONE, act, m)),
                None => {
                    let calls = round.offers(ONE).iter().filter(|&call| self.player.tries(call));
                    let calls: Vec<Call> = calls.collect();
                    calls
                        .into_iter()
                        .map(|call| {
                            let act = Act::Call(call);
                            self.put(round, memory, unseen, hole, |r, m| r.act(ONE, act, m))
                        })
                        .fold(f64::NEG_INFINITY, f64::max)
                }
            },
        }
    }

    fn put<B: Book, E: std::fmt::Debug>(
        &mut self,
        mut round: Blackjack<B, 1, 1>,
        memory: &Memory,
        unseen: Unseen,
        hole: Hole,
        input: impl FnOnce(&mut Blackjack<B, 1, 1>, &mut Memory) -> Result<(), E>,
    ) -> f64
    where
        P: Player<B>,
    {
        let mut memory = memory.clone();
        let before = memory.gain;
        input(&mut round, &mut memory).expect("what is awaited is taken");
        let gained = (memory.gain - before) as f64;
        gained + self.expect(round, &memory, unseen, hole)
    }
}

/// Tries every act but a split.
pub(crate) struct Tries;

impl<B: Book> Player<B> for Tries {
    fn act(&self, _: &Blackjack<B, 1, 1>, _: &Memory) -> Option<Act> {
        None
    }

    fn tries(&self, call: Call) -> bool {
        !matches!(call, Call::Split | Call::Insure)
    }
}

/// Cards such as `8*5 T*3 A`, all of one suit.
pub(crate) fn shoe(cards: &str) -> Unseen {
    cards
        .split_whitespace()
        .flat_map(|word| {
            let (card, count) = word.split_once('*').unwrap_or((word, "1"));
            let card: Card = format!("{card}s").parse().unwrap();
            std::iter::repeat_n(card, count.parse().unwrap())
        })
        .collect()
}

/// A table's terms.
pub(crate) fn sheet<B: Book>(choices: &[(&str, &str)]) -> TermSheet {
    let mut sheet = TermSheet::new(B::GAME);
    sheet.set(choices.iter().copied()).unwrap();
    sheet
}

/// A round played as far as the acts go: the round, what was seen of it, the cards not seen, and
/// whether a reader has said that there is no natural. The cards are those that are seen, in order.
pub(crate) fn played<B: Book>(
    sheet: &TermSheet,
    cards: &str,
    dealt: &str,
    acts: &[Call],
) -> (Blackjack<B, 1, 1>, Memory, Unseen, bool) {
    let (mut unseen, mut memory, mut negative) = (shoe(cards), Memory::default(), false);
    let mut round = start::<B>(sheet, &mut memory);
    let (mut dealt, mut acts) = (dealt.split(' '), acts.iter());
    loop {
        match round.awaits() {
            Awaits::FaceDown(_) => round.deal_face_down(&mut memory).unwrap(),
            Awaits::Peek => {
                negative = true;
                round.peek(false, &mut memory).unwrap();
            }
            Awaits::Card(_) => {
                let card: Card = format!("{}s", dealt.next().unwrap()).parse().unwrap();
                unseen.remove(card).unwrap();
                round.deal(card, &mut memory).unwrap();
            }
            Awaits::Acts(_) => match acts.next() {
                Some(&call) => round.act(ONE, Act::Call(call), &mut memory).unwrap(),
                None => break,
            },
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(dealt.next(), None, "all cards are dealt");
    (round, memory, unseen, negative)
}

/// A fresh round with one wager.
pub(crate) fn start<B: Book>(sheet: &TermSheet, memory: &mut Memory) -> Blackjack<B, 1, 1> {
    let mut wagers = Wagers::<1, 1>::NONE;
    wagers.place(&opening(sheet), ONE, &[(Circle::Main, WAGER)]).expect("a wager");
    Blackjack::start(BlackjackTerms::read(sheet), &wagers, memory)
}
