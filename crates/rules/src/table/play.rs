//! One round after the other, from "No more bets" to the last settlement.

use super::cut::FirstAsked;
use super::input::Cutter;
use super::procedure::choice;
use super::{Phase, Table, TableAwaits, TableEvent, TableRefusal, Told, Transfer, What};
use crate::card::Card;
use crate::games::AnyRound;
use crate::refusal::Refusal;
use crate::round::{Act, Awaits, Call, Event, Place, Round};
use crate::wager::Bettor;

/// What the dealer says before the cards (CW-7-b).
const NO_MORE_BETS: &str = "No more bets.";

/// A round in play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Play {
    round: Box<AnyRound>,
    opening_lines: Vec<String>,
    /// What has moved since bets closed.
    pub(super) moved: Vec<Transfer>,
}

impl Play {
    pub(super) fn round(&self) -> &AnyRound {
        &self.round
    }

    pub(super) fn opening_lines(&self) -> &[String] {
        &self.opening_lines
    }
}

impl Table {
    /// Betting is closed and announced so; the wagers go from the racks to the layout (CW-7-b).
    pub(super) fn close_bets(&mut self, told: &mut Told) -> Result<(), TableRefusal> {
        if !matches!(self.phase, Phase::Betting) {
            return Err(self.not_awaited());
        }
        let wagers = self.wagers();
        if wagers.is_empty() {
            return Err(TableRefusal::NoWagers);
        }
        told.all(What::BetsClosed);
        told.all(What::Said(NO_MORE_BETS));
        let mut staked = Vec::new();
        let round = Box::new(AnyRound::start(&self.sheet, &wagers, &mut staked));
        let opening_lines = self.opening_lines_now();
        self.phase = Phase::Playing(Play { round, opening_lines, moved: Vec::new() });
        self.follow(staked, told);
        Ok(())
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
                let left = cards - 1;
                self.phase = if left == 0 { Phase::Betting } else { Phase::Burning(left) };
                told.all(What::Burned);
                Ok(())
            }
            (_, Some(card)) => self.ask(told, |round, record| round.deal(card, record)),
            (_, None) => self.ask(told, |round, record| round.deal_face_down(record)),
        }
    }

    /// Counts a card out of the shoe. The cut card comes out with the first card behind it, and
    /// where that one goes decides who cuts next (CW-5-c-2, CW-5-c-3, CW-7-d).
    fn draw(&mut self, place: Place, told: &mut Told) -> Result<(), TableRefusal> {
        let shoe = self.shoe.as_mut().expect("cards come from a shoe");
        if shoe.left() == 0 {
            return Err(TableRefusal::ShoeEmpty);
        }
        if shoe.cut_card_at == Some(shoe.dealt) {
            shoe.cut_card_reached = true;
            self.first_asked = FirstAsked::after(place);
            told.all(What::CutCardReached);
        }
        shoe.dealt += 1;
        Ok(())
    }

    pub(super) fn act(
        &mut self,
        bettor: Bettor,
        act: Act,
        told: &mut Told,
    ) -> Result<(), TableRefusal> {
        self.chair(bettor.seat())?;
        if self.round().is_none() {
            return Err(Refusal::RoundNotStarted.into());
        }
        self.ask(told, |round, record| round.act(bettor, act, record))?;
        // CW-R23: stakes are closed again before a new deal, which begins with burn cards.
        if self.awaits() == TableAwaits::Round(Awaits::FaceDown(Place::Burn)) {
            told.all(What::Said(NO_MORE_BETS));
        }
        Ok(())
    }

    /// No answer came: a cut is refused, and a question is answered so that it costs nothing new
    /// (G-06).
    pub(super) fn time_out(&mut self, seat: usize, told: &mut Told) -> Result<(), TableRefusal> {
        self.chair(seat)?;
        let bettor = Bettor::at(seat);
        match self.awaits() {
            TableAwaits::Cut(Cutter::Seat(asked)) if asked == seat => {
                self.refuse_cut(seat, told);
                Ok(())
            }
            TableAwaits::Round(Awaits::Acts(asked)) if asked.contains(bettor) => {
                let offers = self.offers(bettor);
                let costs_nothing = [Call::Pass, Call::Stand, Call::Surrender];
                let call = costs_nothing.into_iter().find(|&call| offers.contains(call));
                let call = call.expect("every question can be declined");
                if call == Call::Surrender && self.supervisor_decides() {
                    return Err(TableRefusal::SupervisorDecides);
                }
                self.act(bettor, Act::Call(call), told)
            }
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
        let Phase::Playing(play) = &mut self.phase else { return Err(self.not_awaited()) };
        let mut events = Vec::new();
        question(&mut play.round, &mut events)?;
        let is_over = play.round.awaits() == Awaits::Nobody;
        self.follow(events, told);
        if is_over {
            self.end_round(told);
        }
        Ok(())
    }

    /// Tells what happened in the round, and moves the money.
    fn follow(&mut self, events: Vec<Event>, told: &mut Told) {
        for event in events {
            told.0.push(TableEvent { audience: event.audience(), what: What::Round(event) });
            self.pay_for(&event, told);
        }
    }

    /// The layout is cleared. Behind the cut card there is no other round (CW-7-d).
    fn end_round(&mut self, told: &mut Told) {
        self.restore_meter(told);
        self.chairs.iter_mut().flatten().for_each(|chair| chair.wager.clear());
        self.rounds_played += 1;
        let is_spent = self.shoe.is_some_and(|shoe| shoe.is_spent());
        self.phase = if is_spent { Phase::Retired } else { Phase::Betting };
        told.all(What::Settled);
    }
}
