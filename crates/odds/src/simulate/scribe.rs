//! A shoe as transcripts.

use rules::notation::Line;
use rules::round::{Event, Record, Statement};
use rules::transcript::{Transcript, Writer};
use rules::wager::{Bettor, Game, MOST_SEATS};

use super::plan::Plan;
use super::play::Watcher;

impl Plan {
    /// The rounds of one shoe, as they are played in every run that has it.
    pub fn transcripts(&self, shoe: u64) -> Vec<Transcript> {
        let mut scribe = Scribe { plan: self, round: None, rounds: Vec::new() };
        match self.seats() {
            1 => self.play_on::<1>(shoe..shoe + 1, &mut scribe),
            _ => self.play_on::<MOST_SEATS>(shoe..shoe + 1, &mut scribe),
        }
        scribe.rounds
    }
}

/// Writes rounds as transcripts.
struct Scribe<'a> {
    plan: &'a Plan,
    round: Option<(Writer, Statement)>,
    rounds: Vec<Transcript>,
}

impl Record for Scribe<'_> {
    fn note(&mut self, event: Event) {
        let Some((writer, statement)) = &mut self.round else { return };
        statement.note(event);
        match event {
            Event::Dealt { card, .. } => writer.card(Some(card)),
            Event::FaceDown(_) => writer.card(None),
            Event::Peeked { natural } => writer.line(Line::Peek(natural)),
            Event::Turned(card) => writer.line(Line::Turn(card)),
            Event::Acted(bettor, act) => writer.line(Line::Act { bettor, act }),
            _ => {}
        }
    }
}

impl Watcher for Scribe<'_> {
    fn begin(&mut self, units: usize) {
        let mut writer = Writer::new(self.plan.sheet());
        let amounts = self.plan.amounts(units);
        if self.plan.sheet().game() == Game::CasinoWar {
            writer.line(Line::Meter(self.plan.setting().meter));
        }
        for seat in 0..usize::from(self.plan.seats()) {
            let (bettor, amounts) = (Bettor::at(seat), amounts.to_vec());
            writer.line(Line::Wager { bettor, amounts });
        }
        self.round = Some((writer, Statement::default()));
    }

    fn end(&mut self, _: usize) {
        let bettors: Vec<_> = (0..usize::from(self.plan.seats())).map(Bettor::at).collect();
        if let Some((writer, statement)) = self.round.take() {
            self.rounds.push(writer.finish(&statement, &bettors));
        }
    }

    fn shoe_is_over(&mut self, _: u64) {}
}
