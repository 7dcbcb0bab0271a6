//! Best play at the table: what to do in a round, by the cards that were dealt.

use std::sync::Arc;

use rules::card::Card;
use rules::games::blackjack::{Blackjack, Book, MOST_HANDS};
use rules::round::{Call, Event, Place, Round};
use rules::wager::Bettor;

use super::draws::{DRAWS, value_of};
use super::hand::HandPlan;
use super::pair::PairPlay;
use super::solve::{Solution, UpPlay};

/// The cards that each hand of a box has drawn, as places among all sets of cards; a hand made by
/// splitting has drawn none when it begins.
#[derive(Clone, Copy, Debug, Default)]
pub struct DrawnCards {
    hands: [u16; MOST_HANDS],
}

impl DrawnCards {
    /// No cards.
    pub const NONE: DrawnCards = DrawnCards { hands: [0; MOST_HANDS] };

    /// Records an event of a box.
    #[inline(always)]
    pub fn note(&mut self, seat: usize, event: Event) {
        match event {
            Event::Dealt { place: Place::Hand { seat: at, hand }, card, .. }
                if usize::from(at) == seat =>
            {
                let drawn = &mut self.hands[usize::from(hand)];
                // Over 21 nothing is decided any more.
                let next = DRAWS.all[usize::from(*drawn)].next[value_of(card)];
                *drawn = if next == u16::MAX { 0 } else { next };
            }
            Event::Split { seat: at, hand } if usize::from(at) == seat => {
                let hand = usize::from(hand);
                self.hands.copy_within(hand + 1..MOST_HANDS - 1, hand + 2);
                self.hands[hand..hand + 2].fill(0);
            }
            _ => {}
        }
    }
}

impl Solution {
    /// The same with nothing but what to do.
    pub(crate) fn without_workings(mut self) -> Solution {
        for play in &mut self.ups {
            (play.seen, play.calls) = (Arc::default(), None);
            play.pairs.iter_mut().for_each(|pair| (pair.seen, pair.calls) = (Vec::new(), None));
        }
        self
    }

    /// The call of the bettor being asked, in a round dealt from the shoe that was solved.
    pub fn call<B: Book, const SEATS: usize, const BETTORS: usize>(
        &self,
        round: &Blackjack<B, SEATS, BETTORS>,
        bettor: Bettor,
        drawn: DrawnCards,
    ) -> Call {
        let up = round.up_card().expect("nobody is asked before the up card");
        let play = self.against(up);
        let Some(hand) = round.current_hand(bettor.seat()) else {
            return play.beside_the_hands(round, bettor);
        };
        let first = round.hand(bettor.seat(), hand).first().expect("a hand that decides has cards");
        play.call(round, bettor, (hand, drawn), play.pair(first, up))
    }

    /// What to do against an up card.
    pub(super) fn against(&self, up: Card) -> &UpPlay {
        let up = value_of(up);
        self.ups.iter().find(|play| play.up == up).expect("an up card of the shoe")
    }
}

impl UpPlay {
    /// What to do with a pair of this card; tens may be told apart by whether the up card has taken
    /// one of those that match.
    fn pair(&self, first: Card, up: Card) -> Option<&PairPlay> {
        let plays = self.pairs.iter().filter(|pair| pair.value == value_of(first));
        match first.same_rank(up) {
            true => plays.min_by_key(|pair| pair.matching),
            false => plays.max_by_key(|pair| pair.matching),
        }
    }

    /// What to do with a hand, which may be a pair or come from one.
    pub(super) fn call<B: Book, const SEATS: usize, const BETTORS: usize>(
        &self,
        round: &Blackjack<B, SEATS, BETTORS>,
        bettor: Bettor,
        (hand, drawn): (usize, DrawnCards),
        pair: Option<&PairPlay>,
    ) -> Call {
        let here = round.hand(bettor.seat(), hand);
        let plan: &HandPlan = match pair.filter(|_| here.is_split()) {
            None => &self.whole,
            Some(pair) if hand == 0 => &pair.first,
            Some(pair) => &pair.others,
        };
        let most = pair.map_or(1, |pair| pair.most[hand.min(1)]);
        let place = usize::from(drawn.hands[hand]);
        match plan.surrenders[place] {
            true if here.is_doubled() => Call::Surrender,
            false if here.is_doubled() => Call::Stand,
            _ if here.is_pair() && round.hands(bettor.seat()) < most => Call::Split,
            _ => plan.calls[place],
        }
    }

    /// The answer to an offer that is not about a hand: an attack, even money, insurance.
    pub(super) fn beside_the_hands<B: Book, const SEATS: usize, const BETTORS: usize>(
        &self,
        round: &Blackjack<B, SEATS, BETTORS>,
        bettor: Bettor,
    ) -> Call {
        let wanted = [(self.attack, Call::Attack), (self.even_money, Call::EvenMoney)];
        let offers = round.offers(bettor);
        let taken = wanted.into_iter().find(|&(wants, call)| wants && offers.contains(call));
        taken.map_or(Call::Pass, |(_, call)| call)
    }
}
