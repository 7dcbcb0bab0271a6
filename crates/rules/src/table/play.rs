//! One round after the other, from "No more bets" to the last settlement.

use std::sync::Arc;

use super::account::{Account, Name};
use super::cut::FirstAsked;
use super::felt::Felt;
use super::input::Cutter;
use super::irregularity::PitRefusal;
use super::opening::Next;
use super::procedure::{Method, choice};
use super::said::Said;
use super::{Chair, Phase, Table, TableAwaits, TableEvent, TableRefusal, Told, Transfer, What};
use crate::card::Card;
use crate::games::AnyRound;
use crate::money::Cents;
use crate::progressive::Tab;
use crate::refusal::Refusal;
use crate::round::{Act, Awaits, Call, Event, Place, Round};
use crate::wager::{Bettor, Bettors};

/// A round in play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Play {
    round: AnyRound,
    opening_lines: Arc<[String]>,
    /// The cards on the layout.
    pub(super) felt: Felt,
    /// What the round has moved since bets closed.
    pub(super) moved: Vec<Transfer>,
    /// Who was let out of it.
    pub(super) released: Bettors,
    /// What the round has done to the meter.
    pub(super) tab: Tab,
    /// Whether the second announcement of the round was made.
    pub(super) closed_again: bool,
    /// How many boxes have heard their total (DAB-7-e).
    pub(super) totals_said: usize,
    /// The face-down card, where it was seen too early and play goes on (DDS-R17).
    pub(super) hole_seen: Option<Card>,
}

impl Play {
    pub(super) fn round(&self) -> &AnyRound {
        &self.round
    }

    pub(super) fn opening_lines(&self) -> &[String] {
        &self.opening_lines
    }

    /// A shared meter shows something else by now.
    pub(super) fn tell_meter(&mut self, shows: Cents) {
        if let AnyRound::CasinoWar(round) = &mut self.round {
            round.tell_meter(shows);
        }
    }

    /// Whether the round has moved chips of a rack.
    pub(super) fn concerns(&self, home: Bettor) -> bool {
        let rack = Account::Rack(home);
        self.moved.iter().any(|moved| moved.from == rack || moved.to == rack)
    }

    /// Forgets a rack that has everything back, so that nothing is left to undo. Whether it has.
    pub(super) fn forget(&mut self, home: Bettor) -> bool {
        let rack = Account::Rack(home);
        let mut staked = Cents::ZERO;
        for Transfer { from, to, amount } in &self.moved {
            match (from, to) {
                (from, Account::Escrow) if *from == rack => staked += *amount,
                (Account::Escrow, to) if *to == rack => staked -= *amount,
                (from, to) if *from == rack || *to == rack => return false,
                _ => {}
            }
        }
        self.moved.retain(|moved| moved.from != rack && moved.to != rack);
        staked == Cents::ZERO
    }

    /// Whether the round waits for a card from the shoe.
    pub(super) fn awaits_card(&self) -> bool {
        matches!(self.round.awaits(), Awaits::Card(_) | Awaits::FaceDown(_))
    }
}

impl Table {
    /// Betting is closed and announced so; the wagers go from the racks to the layout (CW-7-b).
    pub(super) fn close_bets(&mut self, told: &mut Told) -> Result<(), TableRefusal> {
        if !matches!(self.phase, Phase::Dealing) || self.play.is_some() {
            return Err(self.not_awaited());
        }
        if self.needs_repair() {
            return Err(PitRefusal::ReaderBroken.into());
        }
        self.last = None;
        self.come_to_front(told);
        let wagers = self.wagers();
        if wagers.is_empty() {
            return Err(TableRefusal::NoWagers);
        }
        told.all(What::BetsClosed);
        self.say(Said::NoMoreBets, told);
        let mut staked = Vec::new();
        let round = AnyRound::start(&self.sheet, &wagers, &mut staked);
        self.play = Some(Box::new(Play {
            round,
            opening_lines: self.opening_lines_now().into(),
            felt: Felt::default(),
            moved: Vec::new(),
            released: Bettors::default(),
            tab: Tab::default(),
            closed_again: false,
            totals_said: 0,
            hole_seen: None,
        }));
        self.follow(staked, true, told);
        self.begin_without_reader(told)
    }

    /// Takes the next card of the shoe, if it comes as it is awaited: open, or face down.
    pub(super) fn card(&mut self, card: Option<Card>, told: &mut Told) -> Result<(), TableRefusal> {
        let place = match (self.awaits(), card) {
            (TableAwaits::Round(Awaits::Card(place)), Some(_)) => place,
            (TableAwaits::Round(Awaits::FaceDown(place)), None) => place,
            _ => return Err(self.not_awaited()),
        };
        self.draw(place, told)?;
        match (&self.phase, card) {
            (Phase::Burning(cards), _) => {
                self.burn(*cards, None, told);
                Ok(())
            }
            (_, Some(card)) => self.ask(told, |round, record| round.deal(card, record)),
            (_, None) => self.ask(told, |round, record| round.deal_face_down(record)),
        }
    }

    /// Burns one of so many cards that are due; its face is known only where it was seen in error.
    pub(super) fn burn(&mut self, due: usize, face: Option<Card>, told: &mut Told) {
        self.phase = if due == 1 { Phase::Dealing } else { Phase::Burning(due - 1) };
        self.shoe.as_mut().expect("cards come from a shoe").burned += 1;
        self.burned.push(face);
        self.is_loaded = self.procedure.method == Method::Continuous;
        told.all(What::Burned);
        self.announce_step(told);
    }

    /// Counts a card out of the shoe. The cut card comes out with the first card behind it, and
    /// where that one goes decides who cuts next (CW-5-c-2, CW-5-c-3, CW-7-d).
    pub(super) fn draw(&mut self, place: Place, told: &mut Told) -> Result<(), TableRefusal> {
        let shoe = self.shoe.as_mut().expect("cards come from a shoe");
        if shoe.left() == 0 {
            return Err(TableRefusal::ShoeEmpty);
        }
        let was_reached = shoe.cut_card_reached();
        shoe.dealt += 1;
        if shoe.cut_card_reached() && !was_reached {
            self.first_asked = FirstAsked::after(place);
            told.all(What::CutCardReached);
        }
        self.unseen = false;
        Ok(())
    }

    /// The face-down card is turned, and is the one that was seen.
    pub(super) fn turn(&mut self, card: Card, told: &mut Told) -> Result<(), TableRefusal> {
        match self.play.as_ref().and_then(|play| play.hole_seen) {
            Some(seen) if seen != card => Err(TableRefusal::OtherHole { seen }),
            _ => self.ask(told, |round, record| round.turn(card, record)),
        }
    }

    pub(super) fn act(
        &mut self,
        bettor: Bettor,
        act: Act,
        told: &mut Told,
    ) -> Result<(), TableRefusal> {
        self.chair_of(bettor)?;
        if self.play.is_none() {
            return Err(Refusal::RoundNotStarted.into());
        }
        self.ask(told, |round, record| round.act(bettor, act, record))
    }

    /// No answer came: a spread is accepted, a cut is refused, and a question is answered so that
    /// it costs nothing new (G-06, G-14).
    pub(super) fn time_out(&mut self, bettor: Bettor, told: &mut Told) -> Result<(), TableRefusal> {
        self.chair_of(bettor)?;
        match self.awaits() {
            TableAwaits::Inspection(_) => self.inspect(bettor, told),
            TableAwaits::Cut(Cutter::Seat(asked)) if asked == bettor => {
                self.refuse_cut(bettor, told);
                Ok(())
            }
            TableAwaits::Round(Awaits::Acts(asked)) if asked.contains(bettor) => {
                let offers = self.offers(bettor);
                let costs_nothing = [Call::Pass, Call::Stand, Call::Surrender];
                let call = costs_nothing.into_iter().find(|&call| offers.contains(call));
                let call = call.expect("every question can be declined");
                if call == Call::Surrender && self.supervisor_decides() {
                    return self.hold(bettor, told);
                }
                self.act(bettor, Act::Call(call), told)
            }
            TableAwaits::Choice(_) => self.decline_choice(bettor, told),
            _ => Err(self.not_awaited()),
        }
    }

    fn supervisor_decides(&self) -> bool {
        choice(&self.sheet, "tie_timeout") == Some("supervisor_decides")
    }

    /// Puts an input to the round, and follows what it led to.
    pub(super) fn ask(
        &mut self,
        told: &mut Told,
        question: impl FnOnce(&mut AnyRound, &mut Vec<Event>) -> Result<(), Refusal>,
    ) -> Result<(), TableRefusal> {
        let (Phase::Dealing, Some(play)) = (&self.phase, &mut self.play) else {
            return Err(self.not_awaited());
        };
        let early = play.round.is_first_deal();
        let mut events = Vec::new();
        question(&mut play.round, &mut events)?;
        let is_over = play.round.awaits() == Awaits::Nobody;
        self.follow(events, early, told);
        match is_over {
            true => self.end_round(told),
            false => self.announce_step(told),
        }
        Ok(())
    }

    /// Chips that somebody in the round buys during it can be staked in it (G-07).
    pub(super) fn buy_in_for_round(
        &mut self,
        player: &Name,
        amount: Cents,
        told: &mut Told,
    ) -> Result<(), TableRefusal> {
        let Some(play) = &self.play else { return Ok(()) };
        let own = |(at, chair): &(Bettor, &Chair)| {
            chair.player == *player && !chair.wager.is_empty() && !play.released.contains(*at)
        };
        let place = self.everyone().find(own).map(|(at, _)| at);
        if let (Some(place), Some(play)) = (place, &mut self.play) {
            let mut events = Vec::new();
            play.round.buy_in(place, amount, &mut events)?;
            self.follow(events, false, told);
        }
        Ok(())
    }

    /// Tells what happened in the round, and moves cards and money.
    fn follow(&mut self, events: Vec<Event>, early: bool, told: &mut Told) {
        for event in events {
            if let (Event::PickedUp { seat, hand }, Some(play)) = (event, &mut self.play) {
                told.collected(play.felt.collect_hand(Place::Hand { seat, hand }));
                continue;
            }
            self.announce_natural(&event, told);
            told.0.push(TableEvent { audience: event.audience(), what: What::Round(event) });
            if let Some(play) = &mut self.play {
                play.felt.follow(&event);
            }
            self.announce(&event, early, told);
            self.pay_for(&event, told);
        }
    }

    /// The layout is cleared. Behind the cut card there is no other round (CW-7-d, DAB-7-j,
    /// DAB-7-j-1, FBB-6-d).
    fn end_round(&mut self, told: &mut Told) {
        self.restore_meter(told);
        self.discard_exposed(told);
        if let Some(play) = &mut self.play {
            told.collected(play.felt.collect_all());
        }
        self.count_round();
        self.chairs.iter_mut().flatten().for_each(|chair| chair.wager.clear());
        self.last = self.play.take().map(|play| Arc::new(*play));
        told.all(What::Settled);
        if self.decks_due {
            self.retire(Next::Away, told);
        } else if self.shoe.is_some_and(|shoe| shoe.is_spent()) {
            self.retire(Next::Shuffle, told);
        }
    }
}
