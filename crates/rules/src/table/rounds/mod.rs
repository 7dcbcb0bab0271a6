//! One round after the other, from "No more bets" to the last settlement.

mod announce;
mod felt;

use std::sync::Arc;

use super::account::{Account, Name, Transfer};
use super::cards::{CardStage, NextUse};
use super::input::Cutter;
use super::pit::PitRefusal;
use super::{Answer, Chair, Events, Table, TableAwaits, TableEvent, TableRefusal};
use crate::card::Card;
use crate::games::AnyRound;
use crate::money::Cents;
use crate::notation::{Reading, Words};
use crate::progressive::Tab;
use crate::refusal::{Refusal, ensure};
use crate::round::{Act, Awaits, Call, Event, Place, Round};
use crate::wager::{Bettor, Bettors};

use felt::Felt;

pub use announce::Announcement;

/// The round in play, the one before it, and how many there were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rounds {
    /// From "No more bets" to the last settlement.
    play: Option<Box<Play>>,
    /// The round before, until the next one begins or somebody leaves.
    last: Option<Arc<Play>>,
    /// How many are over.
    played: u32,
}

impl Rounds {
    /// The round in play.
    pub(super) fn play(&self) -> Option<&Play> {
        self.play.as_deref()
    }

    pub(super) fn play_mut(&mut self) -> Option<&mut Play> {
        self.play.as_deref_mut()
    }

    pub(super) fn in_play(&self) -> bool {
        self.play.is_some()
    }

    /// The round just settled, as long as it may be undone.
    pub(super) fn last(&self) -> Option<&Play> {
        self.last.as_deref()
    }

    /// From now on the round just settled cannot be undone.
    pub(super) fn forget_last(&mut self) -> Option<Arc<Play>> {
        self.last.take()
    }

    /// Forgets the round just settled if it moved chips of a rack.
    pub(super) fn forget_last_of(&mut self, home: Bettor) {
        self.last.take_if(|last| last.concerns(home));
    }

    pub(super) fn played(&self) -> u32 {
        self.played
    }

    /// What outlasts a round, in a line.
    pub(super) fn standing(&self) -> String {
        format!("rounds {}", self.played)
    }

    /// Reads the rest of that line; false if it is not the one.
    pub(super) fn resume(&mut self, keyword: &str, words: &mut Words<'_>) -> Reading<bool> {
        if keyword == "rounds" {
            self.played = words.read()?;
        }
        Ok(keyword == "rounds")
    }
}

/// A round in play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Play {
    round: AnyRound,
    opening_lines: Arc<[String]>,
    /// The cards on the layout.
    pub(crate) felt: Felt,
    /// What the round has moved since bets closed.
    pub(crate) moved: Vec<Transfer>,
    /// Who was released from it.
    pub(crate) released: Bettors,
    /// What the round has done to the meter.
    pub(crate) tab: Tab,
    /// Whether the second announcement of the round was made.
    pub(crate) closed_again: bool,
    /// How many boxes have had their total announced (DAB-7-e).
    pub(crate) totals_said: usize,
    /// The face-down card, where it was seen too early and play goes on (DDS-R17).
    pub(crate) hole_seen: Option<Card>,
}

impl Play {
    pub(crate) fn round(&self) -> &AnyRound {
        &self.round
    }

    pub(crate) fn opening_lines(&self) -> &[String] {
        &self.opening_lines
    }

    /// A shared meter has changed.
    pub(crate) fn tell_meter(&mut self, shows: Cents) {
        self.round.tell_meter(shows);
    }

    /// Whether the round has moved chips of a rack.
    pub(crate) fn concerns(&self, home: Bettor) -> bool {
        let rack = Account::Rack(home);
        self.moved.iter().any(|moved| moved.from == rack || moved.to == rack)
    }

    /// Forgets a rack that has everything back, so that nothing is left to undo; false if it has not.
    pub(crate) fn forget(&mut self, home: Bettor) -> bool {
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
    pub(crate) fn awaits_card(&self) -> bool {
        matches!(self.round.awaits(), Awaits::Card(_) | Awaits::FaceDown(_))
    }
}

impl Table {
    /// Betting is closed and announced; the wagers go from the racks to the layout (CW-7-b).
    #[doc(alias = "DDS-8-a-2-iv")]
    pub(crate) fn close_bets(&mut self, events: &mut Events) -> Answer {
        if !self.cards.is_dealing() || self.rounds.play.is_some() {
            return Err(self.not_awaited());
        }
        ensure(!self.needs_repair(), PitRefusal::ReaderBroken)?;
        self.rounds.last = None;
        self.seats.come_to_front(events);
        let wagers = self.seats.wagers();
        ensure(!wagers.is_empty(), TableRefusal::NoWagers)?;
        events.push(TableEvent::BetsClosed);
        self.say(Announcement::NoMoreBets, events);
        let mut staked = Vec::new();
        let round = AnyRound::start(&self.sheet, &wagers, &mut staked);
        self.rounds.play = Some(Box::new(Play {
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
        self.follow(staked, true, events);
        self.begin_without_reader(events)
    }

    /// Takes the next card of the shoe, if it comes as awaited: face up, or face down.
    pub(crate) fn card(&mut self, card: Option<Card>, events: &mut Events) -> Answer {
        let place = match (self.awaits(), card) {
            (TableAwaits::Round(Awaits::Card(place)), Some(_)) => place,
            (TableAwaits::Round(Awaits::FaceDown(place)), None) => place,
            _ => return Err(self.not_awaited()),
        };
        self.cards.draw(place, events)?;
        match (self.cards.stage(), card) {
            (CardStage::Burning(_), _) => {
                self.burn(None, events);
                Ok(())
            }
            (_, Some(card)) => self.ask(events, |round, record| round.deal(card, record)),
            (_, None) => self.ask(events, |round, record| round.deal_face_down(record)),
        }
    }

    /// Burns one of the cards that are due; its face is known only if it was seen in error.
    pub(crate) fn burn(&mut self, face: Option<Card>, events: &mut Events) {
        self.cards.burn(face);
        events.push(TableEvent::Burned);
        self.announce_step(events);
    }

    /// The face-down card is turned, and must be the one that was seen, if it was.
    pub(crate) fn turn(&mut self, card: Card, events: &mut Events) -> Answer {
        match self.rounds.play.as_ref().and_then(|play| play.hole_seen) {
            Some(seen) if seen != card => Err(TableRefusal::OtherHole { seen }),
            _ => self.ask(events, |round, record| round.turn(card, record)),
        }
    }

    pub(crate) fn act(&mut self, bettor: Bettor, act: Act, events: &mut Events) -> Answer {
        self.seats.chair_of(bettor)?;
        ensure(self.rounds.play.is_some(), Refusal::RoundNotStarted)?;
        self.ask(events, |round, record| round.act(bettor, act, record))
    }

    /// No answer came: a spread is accepted, a cut is refused, and a question is answered so that
    /// it costs nothing new (G-06, G-14).
    pub(crate) fn time_out(&mut self, bettor: Bettor, events: &mut Events) -> Answer {
        self.seats.chair_of(bettor)?;
        match self.awaits() {
            TableAwaits::Inspection(_) => self.inspect(bettor, events),
            TableAwaits::Cut(Cutter::Seat(asked)) | TableAwaits::Commitments(Some(asked))
                if asked == bettor =>
            {
                self.refuse_cut(bettor, events);
                Ok(())
            }
            TableAwaits::Round(Awaits::Acts(asked)) if asked.contains(bettor) => {
                let offers = self.offers(bettor);
                let costs_nothing = [Call::Pass, Call::Stand, Call::Surrender];
                let call = costs_nothing.into_iter().find(|&call| offers.contains(call));
                let call = call.expect("every question can be declined");
                if call == Call::Surrender && self.supervisor_decides() {
                    return self.hold(bettor, events);
                }
                self.act(bettor, Act::Call(call), events)
            }
            TableAwaits::Choice(_) => self.decline_choice(bettor, events),
            _ => Err(self.not_awaited()),
        }
    }

    fn supervisor_decides(&self) -> bool {
        self.sheet.choice("tie_timeout") == Some("supervisor_decides")
    }

    /// Puts an input to the round, and follows its events.
    pub(crate) fn ask(
        &mut self,
        events: &mut Events,
        question: impl FnOnce(&mut AnyRound, &mut Vec<Event>) -> Result<(), Refusal>,
    ) -> Answer {
        let (CardStage::Dealing, Some(play)) = (self.cards.stage(), &mut self.rounds.play) else {
            return Err(self.not_awaited());
        };
        let early = play.round.is_first_deal();
        let mut of_round = Vec::new();
        question(&mut play.round, &mut of_round)?;
        let is_over = play.round.awaits() == Awaits::Nobody;
        self.follow(of_round, early, events);
        match is_over {
            true => self.end_round(events),
            false => self.announce_step(events),
        }
        Ok(())
    }

    /// Chips bought by somebody in the round can be staked in it (G-07).
    pub(super) fn buy_in_for_round(
        &mut self,
        player: &Name,
        amount: Cents,
        events: &mut Events,
    ) -> Answer {
        let Some(play) = &self.rounds.play else { return Ok(()) };
        let own = |(at, chair): &(Bettor, &Chair)| {
            chair.player == *player && !chair.wager.is_empty() && !play.released.contains(*at)
        };
        let place = self.seats.everyone().find(own).map(|(at, _)| at);
        if let (Some(place), Some(play)) = (place, &mut self.rounds.play) {
            let mut of_round = Vec::new();
            play.round.buy_in(place, amount, &mut of_round)?;
            self.follow(of_round, false, events);
        }
        Ok(())
    }

    /// Reports what happened in the round, and moves cards and money.
    fn follow(&mut self, of_round: Vec<Event>, early: bool, events: &mut Events) {
        for event in of_round {
            if let (Event::PickedUp { seat, hand }, Some(play)) = (event, &mut self.rounds.play) {
                events.extend(play.felt.collect_hand(Place::Hand { seat, hand }));
                continue;
            }
            self.announce_natural(&event, events);
            events.push(TableEvent::Round(event));
            if let Some(play) = &mut self.rounds.play {
                play.felt.follow(&event);
            }
            self.announce(&event, early, events);
            self.pay_for(&event, events);
        }
    }

    /// The layout is cleared. Once the cut card is out there is no other round (CW-7-d, DAB-7-j,
    /// FBB-6-d).
    #[doc(alias = "DAB-7-j-1")]
    fn end_round(&mut self, events: &mut Events) {
        self.restore_meter(events);
        self.discard_exposed(events);
        if let Some(play) = &mut self.rounds.play {
            events.extend(play.felt.collect_all());
        }
        self.seats.end_round();
        self.cards.count_round();
        self.rounds.played += 1;
        self.rounds.last = self.rounds.play.take().map(|play| Arc::new(*play));
        events.push(TableEvent::Settled);
        if self.cards.are_due() {
            self.retire(NextUse::Away, events);
        } else if self.cards.shoe().is_some_and(|shoe| shoe.is_spent()) {
            self.retire(NextUse::Shuffle, events);
        }
    }
}
