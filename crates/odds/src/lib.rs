//! What every wager of the games is worth, and the best way to play it.
//!
//! Exact analysis by the rules' own parts: chance is every card that is left, weighted. A number that
//! is not exact says so.
//!
//! ```
//! use odds::Valuation;
//! use odds::unseen::Unseen;
//! use rules::games::{AnyRound, TableWagers, opening};
//! use rules::money::Cents;
//! use rules::round::Round;
//! use rules::terms::TermSheet;
//! use rules::wager::{Bettor, Circle, Game};
//!
//! // What is a tie wager worth? With six decks 23 of 311 cards tie, and pay 10 to 1.
//! let sheet = TermSheet::new(Game::CasinoWar);
//! let bets = Valuation::new(sheet.clone())?.bets();
//! let tie = bets.iter().find(|value| value.bet == Circle::Tie).unwrap();
//! assert_eq!(tie.ev_exact.as_ref().unwrap().to_string(), "-58/311");
//!
//! // War or surrender, in a round in progress?
//! let one = Bettor::at(0);
//! let mut wagers = TableWagers::NONE;
//! wagers.place(&opening(&sheet), one, &[(Circle::Main, Cents::new(1000))]).unwrap();
//! let mut events = Vec::new();
//! let mut round = AnyRound::start(&sheet, &wagers, &mut events);
//! round.deal("9d".parse().unwrap(), &mut events).unwrap();
//! round.deal("9s".parse().unwrap(), &mut events).unwrap();
//! let unseen = Unseen::full(&sheet).after(&events, one.seat())?;
//! let values = odds::from_here(&sheet, &round, one, &unseen)?;
//! let best = values.iter().max_by(|a, b| a.gain.total_cmp(&b.gain)).unwrap();
//! assert_eq!(best.act.call().name(), "war");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! In reading order: [`fraction`], [`value`] (the figures of a wager), [`unseen`] (the cards that
//! a seat has not seen), [`setting`] (amounts and other players), [`ledger`], [`casino_war`],
//! [`double_down_stud`], [`strategy`], [`blackjack`] and its
//! [`side_bets`], [`game`] (any of them), [`position`] (a decision in words), [`review`] (what
//! decisions cost, play and luck), [`what_if`](mod@what_if) and
//! [`countable`](mod@countable), [`simulate`] and [`count`] (card counting), [`fields`] (a strategy with a
//! hand for each of its fields) and [`train`] (drills made of them).

#[cfg(test)]
extern crate self as odds;

pub mod blackjack;
mod cases;
pub mod casino_war;
pub mod count;
pub mod countable;
pub mod double_down_stud;
pub mod fields;
pub mod fraction;
pub mod game;
pub mod ledger;
mod main_wager;
pub mod position;
pub mod review;
pub mod setting;
pub mod side_bets;
pub mod simulate;
pub mod strategy;
mod suits;
pub mod train;
pub mod unseen;
pub mod value;
pub mod what_if;

pub use game::{Valuation, from_here, open_acts, values_of};
pub use num_bigint::BigUint;
