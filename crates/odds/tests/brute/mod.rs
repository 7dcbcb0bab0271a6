//! Brute force: the real round, dealt every card of a small shoe in every order.

#![allow(dead_code, unreachable_pub)]

use std::collections::BTreeMap;

use odds::ledger::Ledger;
use rules::card::Card;
use rules::games::{AnyRound, TableWagers, opening};
use rules::money::Cents;
use rules::round::{Act, Awaits, Place, Round};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, Game};

/// A sheet with these choices.
pub fn sheet(game: Game, choices: &[(&str, &str)]) -> TermSheet {
    let mut sheet = TermSheet::new(game);
    sheet.set(choices.iter().copied()).unwrap();
    sheet
}

/// The cards of a line such as `9c*3 Kd`.
pub fn cards(line: &str) -> Vec<Card> {
    let word = |word: &str| {
        let (card, times) = word.split_once('*').unwrap_or((word, "1"));
        vec![card.parse().unwrap(); times.parse().unwrap()]
    };
    line.split_whitespace().flat_map(word).collect()
}

/// A round with these wagers, each on a box of its own.
pub fn start(
    sheet: &TermSheet,
    meter: Option<i64>,
    boxes: &[&[(Circle, i64)]],
) -> (AnyRound, Ledger) {
    let mut wagers = TableWagers::NONE;
    for (seat, amounts) in boxes.iter().enumerate() {
        let amounts: Vec<_> = amounts.iter().map(|&(c, a)| (c, Cents::new(a))).collect();
        wagers.place(&opening(sheet), Bettor::at(seat), &amounts).unwrap();
    }
    if let Some(meter) = meter {
        wagers.set_meter(Cents::new(meter));
    }
    let mut ledger = Ledger::of(Bettor::at(0));
    (AnyRound::start(sheet, &wagers, &mut ledger), ledger)
}

/// How likely each value of `look` is at the end.
///
/// Every card that leaves the shoe is one of those left, the burned and the hidden ones too.
pub fn spread<K: Ord>(
    round: AnyRound,
    ledger: Ledger,
    shoe: &[Card],
    decide: &dyn Fn(&AnyRound, Bettor) -> Act,
    look: &dyn Fn(&AnyRound, &Ledger) -> K,
) -> BTreeMap<K, f64> {
    let mut left: BTreeMap<Card, u32> = BTreeMap::new();
    shoe.iter().for_each(|&card| *left.entry(card).or_default() += 1);
    let mut spread = BTreeMap::new();
    Brute { left, decide, look, spread: &mut spread }.on(round, ledger, None, 1.0);
    spread
}

/// The expected value of `gain` at the end.
pub fn mean(
    round: AnyRound,
    ledger: Ledger,
    shoe: &[Card],
    decide: &dyn Fn(&AnyRound, Bettor) -> Act,
    gain: &dyn Fn(&Ledger) -> Cents,
) -> f64 {
    let spread = spread(round, ledger, shoe, decide, &|_, ledger| gain(ledger));
    spread.iter().map(|(gain, p)| gain.get() as f64 * p).sum()
}

struct Brute<'a, K> {
    left: BTreeMap<Card, u32>,
    decide: &'a dyn Fn(&AnyRound, Bettor) -> Act,
    look: &'a dyn Fn(&AnyRound, &Ledger) -> K,
    spread: &'a mut BTreeMap<K, f64>,
}

impl<K: Ord> Brute<'_, K> {
    fn on(&mut self, round: AnyRound, ledger: Ledger, hole: Option<Card>, p: f64) {
        let (mut next, mut after) = (round, ledger);
        match round.awaits() {
            Awaits::Nobody => {
                *self.spread.entry((self.look)(&round, &ledger)).or_default() += p;
            }
            Awaits::Acts(asked) => {
                let bettor = asked.iter().next().unwrap();
                next.act(bettor, (self.decide)(&round, bettor), &mut after).unwrap();
                self.on(next, after, hole, p);
            }
            Awaits::Peek => {
                next.peek(round.reader_answer(hole.unwrap()), &mut after).unwrap();
                self.on(next, after, hole, p);
            }
            Awaits::Turn => {
                next.turn(hole.unwrap(), &mut after).unwrap();
                self.on(next, after, hole, p);
            }
            awaits @ (Awaits::Card(_) | Awaits::FaceDown(_)) => {
                let total: u32 = self.left.values().sum();
                assert!(total > 0, "the shoe is too small");
                for (card, count) in self.left.clone() {
                    if count == 0 {
                        continue;
                    }
                    *self.left.get_mut(&card).unwrap() -= 1;
                    let (mut next, mut after) = (round, ledger);
                    let hole = match awaits {
                        Awaits::FaceDown(Place::Burn) => {
                            next.deal_face_down(&mut after).map(|()| hole)
                        }
                        Awaits::FaceDown(_) => next.deal_face_down(&mut after).map(|()| Some(card)),
                        _ => next.deal(card, &mut after).map(|()| hole),
                    };
                    let p = p * f64::from(count) / f64::from(total);
                    self.on(next, after, hole.unwrap(), p);
                    *self.left.get_mut(&card).unwrap() += 1;
                }
            }
        }
    }
}

/// Asserts that two numbers are the same to 1e-12 of the larger.
#[track_caller]
pub fn same(one: f64, other: f64) {
    let scale = one.abs().max(other.abs()).max(1.0);
    assert!((one - other).abs() <= 1e-12 * scale, "{one} is not {other}");
}
