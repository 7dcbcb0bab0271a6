//! Writes the transcript of a round while it is played.

use super::{Line, Transcript};
use crate::card::Card;
use crate::money::Cents;
use crate::round::{Act, Remedy, Statement};
use crate::terms::TermSheet;
use crate::wager::{Bettor, Circle};

/// The scribe of a live round: takes down what goes in, and at the end what came out.
///
/// Only accepted inputs are told to it, so that what it wrote passes [`check`](super::check).
#[derive(Clone, Debug)]
pub struct Writer {
    lines: Vec<Line>,
}

impl Writer {
    /// Begins with the game and the terms that differ from its defaults.
    pub fn new(sheet: &TermSheet) -> Writer {
        let own = |(term, value): (&crate::terms::Term, &str)| (term.key.clone(), value.to_owned());
        let terms: Vec<_> = sheet.chosen().map(own).collect();
        let mut lines = vec![Line::Game(sheet.game())];
        if !terms.is_empty() {
            lines.push(Line::Terms(terms));
        }
        Writer { lines }
    }

    /// These boxes, counted from 0, are one person's.
    ///
    /// # Panics
    /// If the name is not one word: it could not be read back.
    pub fn person(&mut self, name: &str, seats: &[usize]) {
        assert!(super::read::is_a_name(name), "a person's name is one word");
        self.lines.push(Line::Person { name: name.to_owned(), seats: seats.to_vec() });
    }

    /// What a bettor can spend in the round.
    pub fn bankroll(&mut self, bettor: Bettor, amount: Cents) {
        self.lines.push(Line::Bankroll(bettor, amount));
    }

    /// The progressive meter before this round's contributions.
    pub fn meter(&mut self, amount: Cents) {
        self.lines.push(Line::Meter(amount));
    }

    /// What a bettor placed before the first card.
    pub fn wager(&mut self, bettor: Bettor, amounts: &[(Circle, Cents)]) {
        self.lines.push(Line::Wager { bettor, amounts: amounts.to_vec() });
    }

    /// A card that left the shoe; none where it stays face down.
    pub fn card(&mut self, card: Option<Card>) {
        match self.lines.last_mut() {
            Some(Line::Cards(cards)) => cards.push(card),
            _ => self.lines.push(Line::Cards(vec![card])),
        }
    }

    /// A bettor's decision.
    pub fn act(&mut self, bettor: Bettor, act: Act) {
        self.lines.push(Line::Act { bettor, act });
    }

    /// Chips that a bettor bought during the round.
    pub fn buy_in(&mut self, bettor: Bettor, amount: Cents) {
        self.lines.push(Line::BuyIn(bettor, amount));
    }

    /// The card reader's answer.
    pub fn peek(&mut self, natural: bool) {
        self.lines.push(Line::Peek(natural));
    }

    /// The face-down card, turned over.
    pub fn turn(&mut self, card: Card) {
        self.lines.push(Line::Turn(card));
    }

    /// The cure of an irregularity.
    pub fn remedy(&mut self, remedy: Remedy) {
        self.lines.push(Line::Remedy(remedy));
    }

    /// The transcript so far, of a round that is still under way.
    pub fn so_far(&self) -> Transcript {
        self.lines.iter().cloned().collect()
    }

    /// The transcript of a settled round: what every bettor won or lost, per circle and in all.
    pub fn finish(mut self, statement: &Statement, bettors: &[Bettor]) -> Transcript {
        for &bettor in bettors {
            for circle in Circle::ALL {
                let amount = statement.net_of(bettor, circle);
                if amount != Cents::ZERO || self.wagered(bettor, circle) {
                    self.lines.push(Line::Net { bettor, circle: Some(circle), amount });
                }
            }
            self.lines.push(Line::Net { bettor, circle: None, amount: statement.net(bettor) });
        }
        self.lines.push(Line::Done);
        self.lines.into_iter().collect()
    }

    /// Whether the bettor's last wager line names the circle.
    fn wagered(&self, by: Bettor, on: Circle) -> bool {
        let last = self.lines.iter().rev().find_map(|line| match line {
            Line::Wager { bettor, amounts } if *bettor == by => Some(amounts),
            _ => None,
        });
        last.is_some_and(|amounts| amounts.iter().any(|(circle, _)| *circle == on))
    }
}
