//! A hand from the first card to the last, by a seed and the calls so far.

use rules::games::{AnyRound, TableWagers, opening};
use rules::round::{Act, Awaits, Call, Place, Round};
use rules::shoe::Shoe;
use rules::wager::{Bettor, Circle};

use super::Asked;
use crate::fields::{CardsShown, Example};
use crate::game::{Valuation, from_here};
use crate::ledger::Ledger;
use crate::simulate::Wyrand;
use crate::unseen::Unseen;

/// The most calls of a hand; no hand has more.
const MOST_CALLS: usize = 80;

/// The decision that a hand has come to, or its end; none where a call is not open.
pub(super) fn play(table: &Valuation, seed: u32, calls: &[Call]) -> Option<Asked> {
    if calls.len() > MOST_CALLS {
        return None;
    }
    let (sheet, main) = (table.sheet(), table.setting().main);
    let mut numbers = Wyrand::of(seed.into(), 6);
    let mut shoe = Shoe::new(sheet).without_cut_card();
    let (one, mut wagers) = (Bettor::at(0), TableWagers::NONE);
    wagers.place(&opening(sheet), one, &[(Circle::Main, main.into())]).ok()?;
    let (mut events, mut ledger) = (Vec::new(), Ledger::of(one));
    let mut record = (&mut events, &mut ledger);
    let mut round = AnyRound::start(sheet, &wagers, &mut record);
    let (mut hole, mut calls) = (None, calls.iter());
    loop {
        match round.awaits() {
            Awaits::Card(_) => round.deal(shoe.draw(&mut numbers)?, &mut record).ok()?,
            Awaits::FaceDown(place) => {
                let card = shoe.draw(&mut numbers)?;
                if place == Place::Dealer {
                    hole = Some(card);
                }
                round.deal_face_down(&mut record).ok()?;
            }
            Awaits::Peek => round.peek(round.reader_answer(hole?), &mut record).ok()?,
            Awaits::Turn => round.turn(hole?, &mut record).ok()?,
            Awaits::Acts(_) => match calls.next() {
                Some(&call) => round.act(one, Act::Call(call), &mut record).ok()?,
                None => break,
            },
            Awaits::Nobody => break,
        }
    }
    if calls.next().is_some() {
        return None;
    }
    let CardsShown { own, hand, dealer } = CardsShown::of(&events);
    if round.awaits() == Awaits::Nobody {
        return Some(Asked::Over { own, dealer, net: ledger.total(), main });
    }
    let unseen = Unseen::full(sheet).after(&events, one.seat()).ok()?;
    let acts = from_here(sheet, &round, one, &unseen).ok()?;
    let shown = Example { own, hand, dealer, words: String::new(), acts, main };
    Some(Asked::Act { shown, field: None, chart: None, true_count: None })
}
