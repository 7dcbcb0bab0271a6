//! Writes the transcript of a round while it is played.

use super::Transcript;
use crate::card::Card;
use crate::money::Cents;
use crate::notation::Line;
use crate::round::Statement;
use crate::terms::TermSheet;
use crate::wager::{Bettor, Circle};

/// Writes down what goes into a live round, and at the end what came out.
///
/// Only accepted inputs are written, so that the transcript passes [`check`](super::check).
#[derive(Clone, Debug)]
pub struct Writer {
    lines: Vec<Line>,
}

impl Writer {
    /// Begins with the game and the terms that differ from its defaults.
    pub fn new(sheet: &TermSheet) -> Writer {
        Writer { lines: Line::set_up(sheet) }
    }

    /// Adds what goes into the round.
    pub fn line(&mut self, line: Line) {
        self.lines.push(line);
    }

    /// Adds a card that left the shoe; none where it stays face down.
    pub fn card(&mut self, card: Option<Card>) {
        match self.lines.last_mut() {
            Some(Line::Cards(cards)) => cards.push(card),
            _ => self.lines.push(Line::Cards(vec![card])),
        }
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
