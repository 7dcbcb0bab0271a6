//! How an irregularity is resolved: remedies for the round, where cards go, wagers that are returned.

use super::irregularity::Irregularity;
use super::{Choice, Order, Pause, PendingChoice, PitRefusal, Question, Report};
use crate::book::HoleSeen;
use crate::card::Card;
use crate::games::plays_without_reader;
use crate::money::Cents;
use crate::refusal::{Refusal, ensure};
use crate::round::{Act, Awaits, Call, Place, Remedy, Round};
use crate::table::account::{Account, Transfer};
use crate::table::cards::{CardStage, Method, NextUse};
use crate::table::event::Device;
use crate::table::{Answer, Events, Table, TableEvent, TableRefusal};
use crate::wager::{Bettor, MOST_BETTORS};

impl Table {
    /// Ends a report as the supervisor orders; releasing someone leaves it open.
    pub(crate) fn decide(&mut self, report: &Report, order: Order, events: &mut Events) -> Answer {
        let what = report.irregularity;
        let allowed = self.outcomes_of(what).unwrap_or_default();
        if order != Order::Dismiss && !allowed.contains(&order) {
            return Err(PitRefusal::NotAnOutcome { kind: what.kind() }.into());
        }
        self.pit.pause = Pause::Nothing;
        match order {
            Order::Dismiss => {}
            Order::PlayOn => self.play_on(what, events)?,
            Order::UseNext => events.push(TableEvent::Pinned),
            Order::Forward => self.go_forward(what, events)?,
            Order::Discard => self.discard(what, events)?,
            Order::Remove => self.remove(what, events),
            Order::Offer => self.offer(what, events)?,
            Order::Later => self.cure(Remedy::DealerOwedCard, events)?,
            Order::Dead => self.take_out(what, events)?,
            Order::Void => self.void(what, events)?,
            Order::Release(bettor) => self.release(bettor, report, events)?,
            Order::Restart => events.push(TableEvent::Device(Device::Restarted)),
            Order::RemoveDevice => self.shuffle_by_hand(Device::Removed, events),
            Order::CoverDevice => self.shuffle_by_hand(Device::Covered, events),
            Order::OutOfUse => self.take_reader_out(events)?,
            Order::Repaired => events.push(TableEvent::ReaderRepaired),
            Order::Recut => self.recut(events)?,
            Order::Reshuffle => {
                self.discard(what, events)?;
                self.reshuffle_after_round(events);
            }
            Order::Admit(_) | Order::Surrender(_) | Order::Extend(_) => {}
        }
        Ok(())
    }

    /// A player is released (G-10). The card goes to another one; if nobody is left to take it, it is
    /// discarded before the round ends.
    fn release(&mut self, bettor: Bettor, report: &Report, events: &mut Events) -> Answer {
        let mut without = *self.round().ok_or(Refusal::RoundNotStarted)?;
        without.remedy(Remedy::Release(bettor), &mut ())?;
        if without.awaits() == Awaits::Nobody {
            self.discard(report.irregularity, events)?;
            return self.cure(Remedy::Release(bettor), events);
        }
        self.cure(Remedy::Release(bettor), events)?;
        if let Some(play) = self.rounds.play_mut() {
            play.released.add(bettor);
        }
        self.pit.pause = Pause::Reported(report.clone());
        Ok(())
    }

    /// Applies a remedy to the round.
    fn cure(&mut self, remedy: Remedy, events: &mut Events) -> Answer {
        self.ask(events, |round, record| round.remedy(remedy, record))
    }

    /// A card leaves the shoe out of turn; where it went decides who cuts, if the cut card comes with
    /// it.
    fn draw_out(&mut self, card: Card, place: Place, events: &mut Events) -> Answer {
        self.cards.draw_out(place, events)?;
        events.push(TableEvent::Drawn(card));
        Ok(())
    }

    fn draw_reported(
        &mut self,
        what: Irregularity,
        events: &mut Events,
    ) -> Result<Option<Card>, TableRefusal> {
        let place = match what {
            Irregularity::Misdealt { place, .. } => place,
            _ => Place::Dealer,
        };
        if let Some(card) = what.drawn().filter(|_| !self.cards.is_of_other_batch()) {
            self.draw_out(card, place, events)?;
        }
        Ok(what.drawn())
    }

    /// Nothing has to be undone.
    fn play_on(&mut self, what: Irregularity, events: &mut Events) -> Answer {
        match what {
            Irregularity::DealerMissed => self.cure(Remedy::DealerOwedCard, events),
            Irregularity::HoleSeen(card) => match self.cures().hole_seen {
                // DDS-R17: after the second announcement it is as good as turned.
                HoleSeen::VoidsUntilTurn => {
                    if let Some(play) = self.rounds.play_mut() {
                        play.hole_seen = Some(card);
                    }
                    Ok(())
                }
                _ => self.cure(Remedy::HoleCardShown(card), events),
            },
            Irregularity::BurnForgotten => self.forget_burn(events),
            _ => Ok(()),
        }
    }

    /// The burn that is due is left out (CW-10-f, DAB-15-o, FBB-11-n).
    fn forget_burn(&mut self, events: &mut Events) -> Answer {
        let CardStage::Burning(_) = self.cards.stage() else {
            return self.cure(Remedy::BurnForgotten, events);
        };
        events.push(TableEvent::BurnForgotten);
        self.cards.skip_burn();
        Ok(())
    }

    /// The card goes to whoever is due one; it never goes back (DAB-15-a, CW-10-a, FBB-11-a, G-10).
    fn go_forward(&mut self, what: Irregularity, events: &mut Events) -> Answer {
        let Some(card) = self.draw_reported(what, events)? else { return Ok(()) };
        if let CardStage::Burning(_) = self.cards.stage() {
            self.burn(Some(card), events);
            return Ok(());
        }
        match self.round().map(Round::awaits) {
            Some(Awaits::Card(_)) => self.ask(events, |round, record| round.deal(card, record)),
            Some(Awaits::FaceDown(Place::Dealer)) => {
                self.ask(events, |round, record| round.deal_face_down(record))?;
                self.cure(Remedy::HoleCardShown(card), events)
            }
            _ => {
                events.push(TableEvent::Discarded(card));
                Ok(())
            }
        }
    }

    /// The card is not used.
    fn discard(&mut self, what: Irregularity, events: &mut Events) -> Answer {
        if let Some(card) = self.draw_reported(what, events)? {
            events.push(TableEvent::Discarded(card));
        }
        if let Irregularity::FaceUp(_) = what {
            self.pit.found = self.found();
            self.pit.found.face_up += 1;
        }
        Ok(())
    }

    /// The card, which should never have been in the shoe, is taken out.
    fn remove(&mut self, what: Irregularity, events: &mut Events) {
        if let Irregularity::Ten(card) = what {
            events.push(TableEvent::Removed(card));
            self.pit.found = self.found();
            self.pit.found.tens += 1;
        }
    }

    /// Asks the player who has a choice.
    fn offer(&mut self, what: Irregularity, events: &mut Events) -> Answer {
        let (seat, hand) = match what {
            Irregularity::OneCard { seat } => (seat, 0),
            Irregularity::MissedHit { seat, hand } => (seat, hand),
            _ => {
                self.pit.exposed = self.draw_reported(what, events)?;
                return Ok(());
            }
        };
        self.ask_choice(Question::Missed, seat, hand);
        Ok(())
    }

    fn ask_choice(&mut self, question: Question, seat: u8, hand: u8) {
        let Some(round) = self.round() else { return };
        let bettor = round.decider(seat.into());
        self.pit.pause = Pause::Choice(PendingChoice { bettor, question, seat, hand });
    }

    /// Takes a hand out of the round.
    fn take_out(&mut self, what: Irregularity, events: &mut Events) -> Answer {
        let (seat, hand) = match what {
            Irregularity::NoCard { seat } | Irregularity::OneCard { seat } => (seat, 0),
            Irregularity::MissedHit { seat, hand } => (seat, hand),
            _ => return Ok(()),
        };
        self.cure(Remedy::DeadHand { seat, hand }, events)?;
        self.ask_about_sides(seat, 0);
        Ok(())
    }

    /// Undoes the round; where the shuffle was bad, its shoe is retired as well (G-03).
    fn void(&mut self, what: Irregularity, events: &mut Events) -> Answer {
        match what {
            Irregularity::FaceUp(_) => {
                self.discard(what, events)?;
                self.reshuffle_after_round(events);
            }
            Irregularity::Ten(_) => {
                self.remove(what, events);
                self.reshuffle_after_round(events);
            }
            Irregularity::ReaderBroken => self.pit.reader_is_out = true,
            // DDS-R17: the hole card was dealt open.
            Irregularity::HoleSeen(card) if self.awaits_hole() => {
                self.draw_out(card, Place::Dealer, events)?;
                events.push(TableEvent::Discarded(card));
            }
            _ if self.round().is_some() => {
                let drawn = self.draw_reported(what, events)?;
                drawn.into_iter().for_each(|card| events.push(TableEvent::Discarded(card)));
            }
            _ => {}
        }
        if self.rounds.in_play() {
            // No card of a refill is burned for a round that is undone (G-18).
            self.cards.skip_burn();
        }
        match what {
            _ if self.round().is_none() => self.void_last(events),
            // The round knows itself whether that makes it void, and by which clause.
            Irregularity::HoleSeen(card) => self.cure(Remedy::HoleCardShown(card), events),
            _ => self.cure(Remedy::Void, events),
        }
    }

    fn awaits_hole(&self) -> bool {
        self.round().map(Round::awaits) == Some(Awaits::FaceDown(Place::Dealer))
    }

    /// Whether the round just settled can still be undone: everyone is still there, with the chips.
    pub(crate) fn may_void_last(&self) -> bool {
        let Some(last) = self.rounds.last() else { return false };
        let mut round = *last.round();
        round.remedy(Remedy::Void, &mut ()).is_ok()
            && self.seats.homes().all(|home| self.can_return(home, &last.moved))
    }

    /// Whether a rack can give back each payment in turn, and still cover its wagers.
    fn can_return(&self, home: Bettor, moved: &[Transfer]) -> bool {
        let own = Account::Rack(home);
        let mut left = self.seats.rack_of(home);
        let placed = left - self.seats.unplaced(home);
        let can_pay = moved.iter().rev().all(|Transfer { from, to, amount }| {
            left += match (*from == own, *to == own) {
                (true, false) => *amount,
                (false, true) => -*amount,
                _ => Cents::ZERO,
            };
            left >= Cents::ZERO
        });
        can_pay && left >= placed
    }

    /// Undoes the round just settled (DDS-R11, G-03).
    fn void_last(&mut self, events: &mut Events) -> Answer {
        let Some(last) = self.rounds.forget_last() else {
            return Err(Refusal::RoundNotStarted.into());
        };
        let mut of_round = Vec::new();
        let mut round = *last.round();
        round.remedy(Remedy::Void, &mut of_round)?;
        events.extend(of_round.into_iter().map(TableEvent::Round));
        for Transfer { from, to, amount } in last.moved.iter().rev() {
            self.seats.pay(to.clone(), from.clone(), *amount, events);
        }
        Ok(())
    }

    /// The shoe is retired once the round is over, or at once between rounds. As the house ordered
    /// the shuffle, the cut is offered from the far right, unless the cut card was already out
    /// (CW-5-c-4, DAB-4-d-4, FBB-4-c-4); Double Down Stud has its own order (DDS-4-d-2).
    fn reshuffle_after_round(&mut self, events: &mut Events) {
        let is_out = self.cards.shoe().is_some_and(|shoe| shoe.cut_card_reached());
        if !is_out && !self.sheet.game().book().handling.every_round {
            self.cards.ask_far_right();
        }
        match self.rounds.in_play() {
            true => self.cards.condemn(),
            false => self.retire(NextUse::Shuffle, events),
        }
    }

    /// The machine is put away first, and then the cards are shuffled by hand.
    #[doc(alias("DAB-15-l", "FBB-11-m"))]
    fn shuffle_by_hand(&mut self, device: Device, events: &mut Events) {
        events.push(TableEvent::Device(device));
        self.cards.change_method(&self.sheet, Method::Manual);
    }

    /// The reader is out of use, for this round and those to come (DAB-15-n, FBB-11-k).
    fn take_reader_out(&mut self, events: &mut Events) -> Answer {
        self.pit.reader_is_out = true;
        events.push(TableEvent::ReaderOut);
        match self.rounds.in_play() {
            true => self.cure(Remedy::ReaderOutOfUse, events),
            false => Ok(()),
        }
    }

    /// The reader works again.
    pub(crate) fn repair_reader(&mut self, events: &mut Events) -> Answer {
        ensure(self.pit.reader_is_out, PitRefusal::ReaderWorks)?;
        self.pit.reader_is_out = false;
        events.push(TableEvent::ReaderRepaired);
        Ok(())
    }

    /// Only Double Attack begins a round without a reader (FBB-11-k, DAB-15-n).
    pub(crate) fn needs_repair(&self) -> bool {
        self.pit.reader_is_out && !plays_without_reader(self.sheet.game())
    }

    /// A round that begins while the reader is out of use goes without it (DAB-15-n, DAB-R31).
    pub(crate) fn begin_without_reader(&mut self, events: &mut Events) -> Answer {
        match self.pit.reader_is_out {
            true => self.cure(Remedy::ReaderOutOfUse, events),
            false => Ok(()),
        }
    }

    /// Takes a player's choice.
    pub(crate) fn choose(&mut self, bettor: Bettor, choice: Choice, events: &mut Events) -> Answer {
        let asked = match self.pit.pause {
            Pause::Choice(asked) if asked.bettor == bettor => asked,
            _ => return Err(self.not_awaited()),
        };
        let PendingChoice { question, seat, hand, .. } = asked;
        let remedy = match (question, choice) {
            (Question::Missed, Choice::LateCard) => Some(Remedy::LateCard { seat, hand }),
            (Question::Missed, Choice::Refund) => Some(Remedy::DeadHand { seat, hand }),
            (Question::Exposed, Choice::Refuse) => Some(Remedy::NoMoreCards { seat, hand }),
            (Question::Sides, Choice::Refund) => Some(Remedy::SidesBack(bettor)),
            (Question::Exposed, Choice::Take) | (Question::Sides, Choice::Keep) => None,
            _ => {
                let (kind, choices) = (question.kind(), question.choices());
                return Err(
                    PitRefusal::OtherChoice { kind, one: choices[0], other: choices[1] }.into()
                );
            }
        };
        self.pit.pause = Pause::Nothing;
        events.push(TableEvent::Chose { bettor, choice });
        match remedy {
            Some(remedy) => self.cure(remedy, events)?,
            None if question == Question::Exposed => self.take_exposed(asked, events)?,
            None => {}
        }
        match (question, choice) {
            (Question::Missed, Choice::Refund) => self.ask_about_sides(seat, 0),
            (Question::Sides, _) => self.ask_about_sides(seat, bettor.place() + 1),
            _ => {}
        }
        Ok(())
    }

    /// Asks the next person on a box whose hands are dead, from this place on, whether the wagers on
    /// the dealer's hand stay (G-17).
    fn ask_about_sides(&mut self, seat: u8, from: usize) {
        let Some(round) = self.round() else { return };
        let has_sides = |bettor: &Bettor| {
            let mut without = *round;
            without.remedy(Remedy::SidesBack(*bettor), &mut ()).is_ok()
        };
        let mut places = (from..MOST_BETTORS).map(|place| Bettor::behind(seat.into(), place));
        if let Some(bettor) = places.find(has_sides) {
            self.pit.pause =
                Pause::Choice(PendingChoice { bettor, question: Question::Sides, seat, hand: 0 });
        }
    }

    /// No choice was made: nothing is taken that was not asked for, and where a card was missed the
    /// wagers go back (G-06, G-17).
    pub(crate) fn decline_choice(&mut self, bettor: Bettor, events: &mut Events) -> Answer {
        let Pause::Choice(asked) = self.pit.pause else { return Err(self.not_awaited()) };
        let [_, choice] = asked.question.choices();
        self.choose(bettor, choice, events)
    }

    /// A hand takes the exposed card, which is a hit (G-16).
    fn take_exposed(&mut self, asked: PendingChoice, events: &mut Events) -> Answer {
        let Some(card) = self.pit.exposed.take() else { return Err(self.not_awaited()) };
        if let Some(Awaits::Acts(_)) = self.round().map(Round::awaits) {
            let hit = Act::Call(Call::Hit);
            self.ask(events, |round, record| round.act(asked.bettor, hit, record))?;
        }
        self.ask(events, |round, record| round.deal(card, record))
    }

    /// A card that nobody took goes to the discard rack when the round is over (DAB-15-f, FBB-11-d).
    pub(crate) fn discard_exposed(&mut self, events: &mut Events) {
        if let Some(card) = self.pit.exposed.take() {
            events.push(TableEvent::Discarded(card));
        }
    }

    /// Offers the exposed card to the hand whose turn it is; the dealer takes it if a card is due
    /// (DAB-15-f, FBB-11-d, G-16).
    pub(crate) fn follow_exposed(&mut self, events: &mut Events) -> Answer {
        while let (Some(card), Pause::Nothing) = (self.pit.exposed, &self.pit.pause) {
            let Some(round) = self.round() else { return Ok(()) };
            match round.awaits() {
                Awaits::Card(Place::Hand { seat, hand }) if self.may_refuse(seat, hand) => {
                    self.ask_choice(Question::Exposed, seat, hand);
                }
                Awaits::Card(_) => {
                    self.pit.exposed = None;
                    self.ask(events, |round, record| round.deal(card, record))?;
                }
                Awaits::Acts(asked) => match asked.iter().next() {
                    Some(bettor) if round.offers(bettor).contains(Call::Hit) => {
                        let seat = bettor.seat();
                        let hand = round.current_hand(seat).unwrap_or(0);
                        if let Place::Hand { seat, hand } = Place::hand(seat, hand) {
                            self.ask_choice(Question::Exposed, seat, hand);
                        }
                    }
                    _ => return Ok(()),
                },
                _ => return Ok(()),
            }
        }
        Ok(())
    }

    /// Whether a hand may refuse the card that it is due; one that has doubled may not.
    fn may_refuse(&self, seat: u8, hand: u8) -> bool {
        let Some(mut round) = self.round().copied() else { return false };
        round.remedy(Remedy::NoMoreCards { seat, hand }, &mut ()).is_ok()
    }
}
