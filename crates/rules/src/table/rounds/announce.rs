//! What the dealer announces.

use std::fmt::{self, Display, Formatter};

use super::Play;
use crate::book::{ClosesAgain, Totals};
use crate::games::blackjack::{HoleCard, Points};
use crate::games::hole_card;
use crate::round::{Awaits, Event, Place, Round, Why};
use crate::table::{Events, Order, Table, TableAwaits, TableEvent};
use crate::wager::{Bettor, MOST_SEATS};

/// An announcement of the dealer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub enum Announcement {
    /// Wagers are closed (CW-7-b, DDS-8-e).
    NoMoreBets,
    /// The dealer's second card is next (DAB-7-g).
    DealersCard,
    /// What a hand, or the dealer, has (DAB-7-e, FBB-6-l). It decides nothing (DAB-7-l, G-32).
    Total { place: Place, points: Points },
    /// A player's natural is paid (FBB-6-h-1).
    Blackjack { seat: usize },
    /// What a supervisor decided.
    Decision(Order),
}

impl Display for Announcement {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Announcement::NoMoreBets => f.write_str("No more bets."),
            Announcement::DealersCard => f.write_str("Dealer's Card."),
            Announcement::Total { place, points } => {
                match place {
                    Place::Hand { seat, hand: 0 } => write!(f, "Seat {}", seat + 1)?,
                    Place::Hand { seat, hand } => {
                        write!(f, "Seat {}, hand {}", seat + 1, hand + 1)?;
                    }
                    Place::Dealer | Place::Burn => f.write_str("Dealer")?,
                }
                let soft = if points.is_soft() { "soft " } else { "" };
                write!(f, ": {soft}{}.", points.total())
            }
            Announcement::Decision(order) => f.write_str(order.announcement().unwrap_or_default()),
            Announcement::Blackjack { seat } => write!(f, "Seat {}: blackjack.", seat + 1),
        }
    }
}

impl Table {
    pub(crate) fn say(&self, said: Announcement, events: &mut Events) {
        events.push(TableEvent::Announcement(said));
    }

    /// Announces what an event of the round calls for; `early` during the first deal.
    #[doc(alias("DAB-7-f", "FBB-6-l"))]
    pub(crate) fn announce(&self, event: &Event, early: bool, events: &mut Events) {
        let Some(play) = &self.rounds.play else { return };
        let dealer_goes_on = play.round().awaits() == Awaits::Card(Place::Dealer);
        match (self.sheet.game().book().totals, event) {
            // DAB-7-f: the new total after each additional card.
            (Totals::Everyones, Event::Dealt { place: place @ Place::Hand { .. }, .. })
                if !early =>
            {
                self.say_total(play, *place, events);
            }
            // DAB-7-g: the dealer's, once all cards are drawn.
            (Totals::Everyones, Event::Dealt { place: Place::Dealer, .. } | Event::Turned(_))
                if !early && !dealer_goes_on =>
            {
                self.say_total(play, Place::Dealer, events);
            }
            // FBB-6-l: after each card that the dealer draws.
            (Totals::DealersOwn, Event::Dealt { place: Place::Dealer, .. }) if !early => {
                self.say_total(play, Place::Dealer, events);
            }
            _ => {}
        }
    }

    /// Announces a natural before it is paid, where the book says so.
    pub(crate) fn announce_natural(&self, event: &Event, events: &mut Events) {
        if let (true, Event::Settled(settled)) = (self.sheet.game().book().says_blackjack, event)
            && settled.reason.why == Why::Natural
        {
            self.say(Announcement::Blackjack { seat: settled.bettor.seat() }, events);
        }
    }

    fn say_total(&self, play: &Play, place: Place, events: &mut Events) {
        let cards: Vec<_> = play.felt.faces(place).collect();
        self.say(Announcement::Total { place, points: Points::of(&cards) }, events);
    }

    /// Announces what comes before the next step.
    pub(crate) fn announce_step(&mut self, events: &mut Events) {
        let TableAwaits::Round(awaits) = self.awaits() else { return };
        let book = self.sheet.game().book();
        match (book.closes_again, awaits) {
            (Some(ClosesAgain::War), Awaits::FaceDown(Place::Burn))
            | (Some(ClosesAgain::Turn), Awaits::Turn) => self.close_again(events),
            _ => {}
        }
        if book.totals == Totals::Everyones {
            self.say_totals_in_turn(awaits, events);
        }
        self.say_dealers_card(awaits, events);
    }

    /// Closes wagers a second time, and picks up finished hands.
    #[doc(alias = "CW-8-d")]
    fn close_again(&mut self, events: &mut Events) {
        let Some(play) = self.rounds.play.as_mut().filter(|play| !play.closed_again) else {
            return;
        };
        play.closed_again = true;
        if self.sheet.game().book().closes_again == Some(ClosesAgain::War) {
            events.extend(play.felt.collect_all_but_war());
        }
        self.say(Announcement::NoMoreBets, events);
    }

    /// The call before the second card, where the dealer has no hole card (DAB-R35).
    #[doc(alias = "DAB-7-g")]
    fn say_dealers_card(&mut self, awaits: Awaits, events: &mut Events) {
        let has_no_hole = hole_card(&self.sheet) == Some(HoleCard::None);
        let Some(play) = self.rounds.play.as_mut().filter(|play| !play.closed_again) else {
            return;
        };
        let is_second = play.felt.faces(Place::Dealer).count() == 1;
        if has_no_hole && is_second && awaits == Awaits::Card(Place::Dealer) {
            play.closed_again = true;
            self.say(Announcement::DealersCard, events);
        }
    }

    /// Announces the total of the first two cards as each player's turn comes.
    #[doc(alias = "DAB-7-e")]
    fn say_totals_in_turn(&mut self, awaits: Awaits, events: &mut Events) {
        let Some(play) = &self.rounds.play else { return };
        let turn = match awaits {
            Awaits::Acts(asked) => asked.iter().map(Bettor::seat).next(),
            Awaits::Card(Place::Dealer) | Awaits::Turn => Some(MOST_SEATS - 1),
            _ => None,
        };
        let is_play = !play.round().is_first_deal();
        let in_turn = |seat: &usize| match awaits {
            Awaits::Acts(_) => play.round().current_hand(*seat).is_some(),
            _ => true,
        };
        let Some(turn) = turn.filter(|seat| is_play && in_turn(seat)) else { return };
        for seat in play.totals_said..=turn {
            if play.felt.faces(Place::hand(seat, 0)).next().is_some() {
                self.say_total(play, Place::hand(seat, 0), events);
            }
        }
        if let Some(play) = &mut self.rounds.play {
            play.totals_said = play.totals_said.max(turn + 1);
        }
    }
}
