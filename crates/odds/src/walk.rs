//! A round played in every way in which the cards can fall.

use rules::card::Card;
use rules::round::{Act, Awaits, Place, Record, Round};
use rules::wager::Bettor;

use crate::unseen::Unseen;

/// One way in which a round can end.
#[derive(Clone, Copy, Debug)]
pub struct End<'a, R, L> {
    /// The settled round.
    pub round: &'a R,
    /// What its record has kept.
    pub ledger: &'a L,
    /// In how many ways the cards can fall like this.
    pub ways: u128,
    /// How many cards were drawn, burn cards not counted.
    pub cards: u32,
}

/// Plays a round to its end in every way, and shows each end.
///
/// So many ways led to the round, by so many cards drawn. Chance draws from `unseen`; `decide`
/// answers for every bettor asked, without knowing more than the round itself does. Burn cards stay
/// among the unseen: what nobody sees changes nothing. Asserts that cards do not run out.
pub fn walk<R: Round, L: Record + Clone>(
    (round, ledger): (R, L),
    (ways, cards): (u128, u32),
    unseen: &mut Unseen,
    decide: &impl Fn(&R, Bettor) -> Act,
    show: &mut impl FnMut(End<'_, R, L>),
) {
    Walk { unseen, decide, show }.on(round, ledger, None, (ways, cards));
}

/// What all branches share.
struct Walk<'a, D, S> {
    unseen: &'a mut Unseen,
    decide: &'a D,
    show: &'a mut S,
}

impl<D, S> Walk<'_, D, S> {
    fn on<R: Round, L: Record + Clone>(
        &mut self,
        mut round: R,
        mut ledger: L,
        hole: Option<Card>,
        (ways, cards): (u128, u32),
    ) where
        D: Fn(&R, Bettor) -> Act,
        S: FnMut(End<'_, R, L>),
    {
        const AWAITED: &str = "a round takes what it awaits";
        loop {
            match round.awaits() {
                Awaits::Nobody => {
                    return (self.show)(End { round: &round, ledger: &ledger, ways, cards });
                }
                Awaits::Acts(bettors) => {
                    let bettor = bettors.iter().next().expect("someone is asked");
                    let act = (self.decide)(&round, bettor);
                    round.act(bettor, act, &mut ledger).expect("an open act is taken");
                }
                Awaits::FaceDown(Place::Burn) => {
                    round.deal_face_down(&mut ledger).expect(AWAITED);
                }
                Awaits::FaceDown(_) => {
                    round.deal_face_down(&mut ledger).expect(AWAITED);
                    self.each_card(|walk, card, count| {
                        walk.on(round, ledger.clone(), Some(card), (ways * count, cards + 1));
                    });
                    return;
                }
                Awaits::Peek => {
                    let natural = round.reader_answer(hole.expect("a hole card is read"));
                    round.peek(natural, &mut ledger).expect(AWAITED);
                }
                Awaits::Turn => {
                    let hole = hole.expect("a hole card is turned");
                    round.turn(hole, &mut ledger).expect(AWAITED);
                }
                Awaits::Card(_) => {
                    self.each_card(|walk, card, count| {
                        let (mut round, mut ledger) = (round, ledger.clone());
                        round.deal(card, &mut ledger).expect(AWAITED);
                        walk.on(round, ledger, hole, (ways * count, cards + 1));
                    });
                    return;
                }
            }
        }
    }

    /// Draws each kind of card that is left, and puts it back.
    fn each_card(&mut self, mut go_on: impl FnMut(&mut Self, Card, u128)) {
        assert!(self.unseen.total() > 0, "a card is due and none is left");
        for card in Card::DECK {
            let count = self.unseen.of(card);
            if count > 0 {
                self.unseen.remove(card).expect("it has been counted");
                go_on(self, card, count.into());
                self.unseen.add(card);
            }
        }
    }
}
