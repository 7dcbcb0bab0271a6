//! A log that cannot be rewritten unnoticed, books that always balance, and their verification.
//!
//! Every input of a table and every event that follows is a line of the notation, numbered and
//! [chained](chain). An [export] proves itself: [`verify()`] plays the inputs again, and compares
//! the events with the log, the cards with the order that the house [committed to](mod@seal), and
//! the money with the [books]. Nothing here knows a game, a clock or a disk.
//!
//! ```
//! use audit::chain::Chain;
//! use audit::export::Export;
//! use audit::log::{Outcome, RulesLine};
//! use audit::secret::LineSalt;
//! use audit::verify;
//! use rules::table::{Input, Table};
//! use rules::terms::TermSheet;
//! use rules::wager::Game;
//!
//! let sheet = TermSheet::new(Game::CasinoWar);
//! let mut chain = Chain::new("war-1");
//! let mut entries = vec![RulesLine::new(sheet.clone()).write(&mut chain)];
//! let mut table = Table::new(sheet);
//! for line in ["sit 3 ann", "buy-in 3 100"] {
//!     let input: Input = line.parse()?;
//!     let outcome = Outcome::of(&mut table, &input)?;
//!     entries.extend(outcome.write(&input, &mut chain, LineSalt::new([7; 16])));
//! }
//!
//! let text = Export { table: "war-1".to_owned(), entries }.to_string();
//! assert!(verify(text.as_bytes(), &[])?.is_clean());
//!
//! let other = text.replace("buy-in 3 100", "buy-in 3 900");
//! let verdict = verify(other.as_bytes(), &[])?;
//! assert_eq!(verdict.findings[0].seq, 7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! In reading order: [`hash`], [`secret`] (lines for some only), [`chain`] (entries), [`log`] (their
//! lines), [`export`],
//! [`seal`](mod@seal) and [`mix`](mod@mix) (the order of a shoe), [`custody`] (where its cards are),
//! [`shoe`] (what a log says of one), [`tally`] (how all of them came about), [`books`], [`time`],
//! [`verify`](mod@verify) and its [findings](finding), and [`replay`](mod@replay).

pub mod books;
mod cards;
pub mod chain;
pub mod custody;
pub mod export;
pub mod finding;
pub mod hash;
pub mod log;
pub mod mix;
pub mod replay;
pub mod seal;
pub mod secret;
pub mod shoe;
pub mod tally;
pub mod time;
pub mod verify;
mod walk;

pub use replay::replay;
pub use verify::verify;
