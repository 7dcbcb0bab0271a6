//! The words and lines of the notation, as `docs/notation.md` describes them.
//!
//! Everything that is read or printed as text uses the one reader of [`Words`]: lines of a round
//! ([`Line`]), inputs of a table, its standing, the log. Nothing here knows about tables; whole
//! [transcripts](crate::transcript) are built on both.
//!
//! ```
//! use rules::notation::{Line, Words};
//! use rules::wager::{Bettor, Circle};
//!
//! let line: Line = "net 3b main +10".parse().unwrap();
//! assert!(matches!(line, Line::Net { circle: Some(Circle::Main), .. }));
//! assert_eq!(line.to_string(), "net 3b main +10");
//!
//! let mut words = Words::new("3b 10");
//! assert_eq!(words.read(), Ok(Bettor::behind(2, 1)));
//! ```

mod line;
mod words;

use crate::card::Card;
use crate::games::casino_war::Outcome;
use crate::games::double_down_stud::Category;
use crate::money::Cents;
use crate::round::{Act, Calls, Remedy};
use crate::terms::{Term, TermSheet};
use crate::wager::{Bettor, Circle, Game};

pub(crate) use line::{act, clauses, wager};
pub(crate) use words::{Or, from_word, named, one_of, quoted};
pub use words::{Reading, Unreadable, Word, Words};

/// One line about a round: what goes in, or what is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub enum Line {
    /// The clauses and rulings that the round is about.
    Clause(Vec<String>),
    /// The game.
    Game(Game),
    /// House options that differ from the defaults.
    Terms(Vec<(String, String)>),
    /// Boxes that are one person's, counted from 0.
    Person { name: String, seats: Vec<usize> },
    /// What a bettor can spend in the round.
    Bankroll(Bettor, Cents),
    /// The progressive meter before this round's contributions.
    Meter(Cents),
    /// What a bettor places before the first card.
    Wager { bettor: Bettor, amounts: Vec<(Circle, Cents)> },
    /// Cards that leave the shoe; `None` stays face down.
    Cards(Vec<Option<Card>>),
    /// A decision.
    Act { bettor: Bettor, act: Act },
    /// Chips bought during the round.
    BuyIn(Bettor, Cents),
    /// The card reader's answer.
    Peek(bool),
    /// The face-down card, turned over.
    Turn(Card),
    /// The remedy for an irregularity.
    Remedy(Remedy),
    /// The line before was refused, for this clause, ruling or term.
    Refused(Option<String>),
    /// What the round waits for.
    Awaits(AwaitedStep),
    /// Everything that is open to a bettor.
    Offers { bettor: Bettor, calls: Calls },
    /// The points of a hand, and whether an ace counts eleven.
    Total { whose: HandHolder, points: u8, soft: bool },
    /// The poker category in Double Down Stud.
    Hand { bettor: Bettor, category: Category },
    /// What a bettor won or lost: on this kind of wager, or on all together.
    Net { bettor: Bettor, circle: Option<Circle>, amount: Cents },
    /// The progressive outcome in Casino War.
    Outcome { bettor: Bettor, outcome: Outcome },
    /// The round is settled.
    Done,
}

impl Line {
    /// The game and the terms that differ from its defaults: what a transcript begins with.
    pub fn set_up(sheet: &TermSheet) -> Vec<Line> {
        let own = |(term, value): (&Term, &str)| (term.key.clone(), value.to_owned());
        let terms: Vec<_> = sheet.chosen().map(own).collect();
        let terms = (!terms.is_empty()).then_some(Line::Terms(terms));
        [Line::Game(sheet.game())].into_iter().chain(terms).collect()
    }
}

/// The step that a round is expected to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AwaitedStep {
    /// The first card has not left the shoe.
    Wagers,
    /// A card, face up or face down.
    Card,
    /// This bettor's decision, perhaps among others.
    Act(Bettor),
    /// The card reader's answer.
    Peek,
    /// The face-down card, turned over.
    Turn,
    /// Nothing.
    Nobody,
}

/// The holder of a hand whose points are expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandHolder {
    /// The dealer.
    Dealer,
    /// A hand of a box, counted from 1; by default the one being played, or else the first.
    #[allow(missing_docs, reason = "the fields are named for what they hold")]
    Box { bettor: Bettor, hand: Option<u8> },
}
