//! The executable rule book of five regulated casino table games: Casino War, Double Down Stud,
//! Double Deck, Double Attack and Free Bet Blackjack.
//!
//! A [`Round`] is a small copyable value. It owns no shoe, no clock, no money and no random source:
//! it says what it awaits, accepts that one input or refuses it and stays as it was, and tells a
//! [record](round::Record) what happened. A live table, a replay, a simulator and an exact analysis
//! differ only in who answers.
//!
//! # A war
//!
//! ```
//! use rules::{Act, AnyRound, Bettor, Call, Cents, Chips, Game, Round, Statement};
//!
//! let one = Bettor::at(0);
//! let mut account = Statement::default();
//! let mut round = AnyRound::one(Game::CasinoWar, Chips::dollars(10), &mut account)?;
//! round.deal("9d".parse().unwrap(), &mut account)?; // box 1
//! round.deal("9s".parse().unwrap(), &mut account)?; // the dealer: a tie
//!
//! // A tie leads to war or surrender. A hit is refused, and the refusal knows its clause.
//! let refusal = round.act(one, Act::Call(Call::Hit), &mut account).unwrap_err();
//! assert_eq!(refusal.in_words(Game::CasinoWar), "this game has no hit (CW-8-c)");
//!
//! round.act(one, Act::Call(Call::War), &mut account)?;
//! for _ in 0..3 {
//!     round.deal_face_down(&mut account)?; // burn cards
//! }
//! round.deal("Qc".parse().unwrap(), &mut account)?;
//! round.deal("4h".parse().unwrap(), &mut account)?;
//! assert_eq!(account.net(one), Cents::new(1000));
//! # Ok::<(), rules::Refusal>(())
//! ```
//!
//! # A hand of blackjack
//!
//! ```
//! use rules::{Act, AnyRound, Bettor, Call, Cents, Chips, Game, Round, Statement};
//!
//! let one = Bettor::at(0);
//! let mut account = Statement::default();
//! let mut round = AnyRound::one(Game::FreeBet, Chips::dollars(10), &mut account)?;
//! for card in ["6d", "7s", "5d"] {
//!     round.deal(card.parse().unwrap(), &mut account)?; // box 1, the dealer, box 1
//! }
//! round.deal_face_down(&mut account)?; // the hole card, which nobody has seen
//!
//! round.act(one, Act::Call(Call::Double), &mut account)?; // on 11 the house pays for it
//! round.deal("9c".parse().unwrap(), &mut account)?;
//! round.turn("Kh".parse().unwrap(), &mut account)?; // the dealer stands on 17
//! assert_eq!(account.net(one), Cents::new(2000));
//! # Ok::<(), rules::Refusal>(())
//! ```
//!
//! # Every way a round can go
//!
//! ```
//! use rules::{Act, AnyRound, Awaits, Card, Chips, Game, Round};
//!
//! /// The number of ways to finish the round with these cards, in every order.
//! fn ways(round: AnyRound, cards: &[Card]) -> usize {
//!     let after = |place: usize| {
//!         let (mut next, mut rest) = (round, cards.to_vec());
//!         next.deal(rest.remove(place), &mut ()).unwrap();
//!         ways(next, &rest)
//!     };
//!     match round.awaits() {
//!         Awaits::Nobody => 1,
//!         Awaits::Card(_) => (0..cards.len()).map(after).sum(),
//!         Awaits::Acts(asked) => {
//!             let one = asked.iter().next().unwrap();
//!             let acts = round.offers(one).iter().map(|call| {
//!                 let mut next = round;
//!                 next.act(one, Act::Call(call), &mut ()).unwrap();
//!                 ways(next, cards)
//!             });
//!             acts.sum()
//!         }
//!         _ => 0, // a war burns three cards, and there are not that many left
//!     }
//! }
//!
//! // Six deals of two cards out of three. Four are decided at once; two nines are surrendered.
//! let cards = ["9d", "9s", "Kc"].map(|card| card.parse().unwrap());
//! let round = AnyRound::one(Game::CasinoWar, Chips::dollars(10), &mut ())?;
//! assert_eq!(ways(round, &cards), 6);
//! # Ok::<(), rules::Refusal>(())
//! ```
//!
//! In reading order: [`card`], [`money`], [`wager`] (who bets on what), [`terms`] (house options),
//! [`round`] (the one interface), [`refusal`], [`book`] (what a rule book says besides), [`offer`]
//! (what is open to a bettor), [`games`], [`essence`] (what of a round can still matter), [`shoe`],
//! [`notation`] (words and lines as text), [`progressive`] (the meter), [`table`] (seats, racks and
//! the shoe around the rounds), [`transcript`] (rounds and days as text that is played again) and
//! [`clause`] (the index of the books).

pub mod book;
pub mod card;
pub mod clause;
mod csv;
pub mod essence;
pub mod games;
pub mod money;
mod names;
pub mod notation;
pub mod offer;
pub mod progressive;
pub mod refusal;
pub mod round;
pub mod shoe;
pub mod table;
pub mod terms;
pub mod transcript;
pub mod wager;

pub use book::RuleBook;
pub use card::Card;
pub use games::AnyRound;
pub use money::{Cents, Chips};
pub use refusal::Refusal;
pub use round::{Act, Awaits, Call, Round, Statement};
pub use terms::TermSheet;
pub use wager::{Bettor, Circle, Game};

/// The version of the rules that a log is written under and verified by. It is raised when the same
/// inputs can lead to different events, and is independent of releases.
pub const RULES_VERSION: &str = "3";
