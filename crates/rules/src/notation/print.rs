//! Prints transcripts as they are read.

use std::fmt::{self, Display, Formatter};

use super::{Awaiting, Line, Transcript, Whose};
use crate::card::Card;
use crate::round::{Act, Remedy};

impl Display for Transcript {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.lines().try_for_each(|line| writeln!(f, "{line}"))
    }
}

impl Display for Line {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.keyword())?;
        match self {
            Line::Clause(ids) | Line::Notes(ids) => words(f, ids),
            Line::Game(game) => write!(f, " {game}"),
            Line::Terms(terms) => {
                terms.iter().try_for_each(|(key, value)| write!(f, " {key}={value}"))
            }
            Line::Person { name, seats } => {
                write!(f, " {name}")?;
                words(f, seats.iter().map(|seat| seat + 1))
            }
            Line::Bankroll(bettor, amount) | Line::BuyIn(bettor, amount) => {
                write!(f, " {bettor} {amount}")
            }
            Line::Meter(amount) => write!(f, " {amount}"),
            Line::Wager { bettor, amounts } => {
                write!(f, " {bettor}")?;
                amounts.iter().try_for_each(|(circle, amount)| write!(f, " {circle} {amount}"))
            }
            Line::Cards(cards) => cards.iter().try_for_each(|card| shoe_card(f, *card)),
            Line::Act { bettor, act } => write!(f, " {bettor} {}", ActWords(*act)),
            Line::Peek(natural) => f.write_str(if *natural { " yes" } else { " no" }),
            Line::Turn(card) => write!(f, " {card}"),
            Line::Remedy(remedy) => write!(f, " {}", RemedyWords(*remedy)),
            Line::Refused(id) => words(f, id),
            Line::Awaits(awaiting) => write!(f, " {awaiting}"),
            Line::Offers { bettor, calls } => {
                write!(f, " {bettor}")?;
                words(f, calls.iter())
            }
            Line::Total { whose, points, soft } => {
                write!(f, " {whose} {points}{}", if *soft { " soft" } else { "" })
            }
            Line::Hand { bettor, category } => write!(f, " {bettor} {}", category.name()),
            Line::Net { bettor, circle, amount } => {
                write!(f, " {bettor}")?;
                words(f, circle)?;
                write!(f, " {amount:+}")
            }
            Line::Outcome { bettor, outcome } => write!(f, " {bettor} {}", outcome.name()),
            Line::Done | Line::Table | Line::Quiet => Ok(()),
            Line::Input(input) => write!(f, "{input}"),
            Line::TableAwaits(what) => write!(f, " {what}"),
            Line::Tells { only: None, event } => write!(f, " {event}"),
            Line::Tells { only: Some(seat), event } => write!(f, " {} {event}", seat + 1),
            Line::Rack(bettor, amount) => write!(f, " {bettor} {amount}"),
            Line::MeterShows(amount) => write!(f, " {amount}"),
            Line::Outcomes(outcomes) if outcomes.is_empty() => Ok(()),
            Line::Outcomes(outcomes) => write!(f, " {}", outcomes.join(", ")),
        }
    }
}

fn words(f: &mut Formatter<'_>, words: impl IntoIterator<Item = impl Display>) -> fmt::Result {
    words.into_iter().try_for_each(|word| write!(f, " {word}"))
}

fn shoe_card(f: &mut Formatter<'_>, card: Option<Card>) -> fmt::Result {
    match card {
        Some(card) => write!(f, " {card}"),
        None => f.write_str(" ??"),
    }
}

/// A decision, without the bettor.
struct ActWords(Act);

impl Display for ActWords {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Act::Call(call) => write!(f, "{call}"),
            Act::With(call, amount) => write!(f, "{call} {amount}"),
            Act::Hand(number) => write!(f, "hand {number}"),
        }
    }
}

/// A cure; the first hand of a box needs no number.
struct RemedyWords(Remedy);

impl Display for RemedyWords {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (word, seat, hand) = match self.0 {
            Remedy::Void => return f.write_str("void"),
            Remedy::Release(bettor) => return write!(f, "release {bettor}"),
            Remedy::SidesBack(bettor) => return write!(f, "sides-back {bettor}"),
            Remedy::DealerOwedCard => return f.write_str("dealer-late"),
            Remedy::HoleCardShown(card) => return write!(f, "hole {card}"),
            Remedy::ReaderOutOfUse => return f.write_str("reader-out"),
            Remedy::BurnForgotten => return f.write_str("burn-forgotten"),
            Remedy::DeadHand { seat, hand } => ("dead", seat, hand),
            Remedy::LateCard { seat, hand } => ("late", seat, hand),
            Remedy::NoMoreCards { seat, hand } => ("no-more-cards", seat, hand),
        };
        write!(f, "{word} {}", seat + 1)?;
        if hand > 0 { write!(f, " {}", hand + 1) } else { Ok(()) }
    }
}

impl Display for Awaiting {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Awaiting::Wagers => f.write_str("wagers"),
            Awaiting::Card => f.write_str("card"),
            Awaiting::Act(bettor) => write!(f, "act {bettor}"),
            Awaiting::Peek => f.write_str("peek"),
            Awaiting::Turn => f.write_str("turn"),
            Awaiting::Nobody => f.write_str("nobody"),
        }
    }
}

impl Display for Whose {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Whose::Dealer => f.write_str("dealer"),
            Whose::Box { bettor, hand: None } => write!(f, "{bettor}"),
            Whose::Box { bettor, hand: Some(hand) } => write!(f, "{bettor} {hand}"),
        }
    }
}
