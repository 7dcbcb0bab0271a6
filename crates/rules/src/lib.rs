//! The executable rule book of five regulated casino table games: Casino War, Double Down Stud,
//! Double Deck, Double Attack and Free Bet Blackjack.
//!
//! A [round](round::Round) is a small copyable value. It owns no shoe, no clock, no money and no
//! source of chance: it says what it awaits, takes that one input or refuses it and stays as it was,
//! and tells a [record](round::Record) what happened. A live table, a replay, a simulator and an
//! exact analysis differ only in who answers.
//!
//! ```
//! use rules::games::{AnyRound, TableWagers, opening};
//! use rules::money::Cents;
//! use rules::round::{Act, Awaits, Call, Round, Statement};
//! use rules::terms::TermSheet;
//! use rules::wager::{Bettor, Circle, Game};
//!
//! let sheet = TermSheet::new(Game::CasinoWar);
//! let one = Bettor::at(0);
//! let mut wagers = TableWagers::NONE;
//! wagers.place(&opening(&sheet), one, &[(Circle::Main, Cents::new(1000))])?;
//!
//! let mut statement = Statement::default();
//! let mut round = AnyRound::start(&sheet, &wagers, &mut statement);
//! round.deal("9d".parse().unwrap(), &mut statement)?;
//! round.deal("9s".parse().unwrap(), &mut statement)?;
//! assert!(round.offers(one).contains(Call::War));
//!
//! // A tie leads to war or surrender. A hit is refused, and the refusal knows its clause.
//! let refusal = round.act(one, Act::Call(Call::Hit), &mut statement).unwrap_err();
//! assert_eq!(refusal.source(Game::CasinoWar).id(), "CW-8-c");
//!
//! round.act(one, Act::Call(Call::Surrender), &mut statement)?;
//! assert_eq!(round.awaits(), Awaits::Nobody);
//! assert_eq!(statement.net(one), Cents::new(-500));
//! # Ok::<(), rules::refusal::Refusal>(())
//! ```
//!
//! In reading order: [`card`], [`money`], [`wager`] (who bets on what), [`terms`] (house options),
//! [`round`] (the one interface), [`refusal`], [`offer`] (what is open, for whoever shows it),
//! [`games`], [`shoe`], [`notation`] (rounds as text), [`progressive`] (the meter), [`table`] (seats,
//! racks and the shoe around the rounds) and [`clause`] (the index of the books).

pub mod book;
pub mod card;
pub mod clause;
mod csv;
pub mod games;
pub mod money;
pub mod notation;
pub mod offer;
pub mod progressive;
pub mod refusal;
pub mod round;
pub mod shoe;
pub mod table;
pub mod terms;
pub mod wager;

/// The version of the rules: what a log was written under, and what it is verified by. It is raised
/// when the same inputs can lead to other events, and knows nothing of releases.
pub const RULES_VERSION: &str = "2";
