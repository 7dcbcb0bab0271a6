//! The notation: one plain text for a round of any game, or for a whole day at a table, as
//! `docs/notation.md` describes it.
//!
//! ```
//! use rules::notation::{check, read};
//!
//! let rounds = read("game casino-war\nwager 1 main 10\ncards 9d 4s\nnet 1 +10\ndone\n").unwrap();
//! assert!(check(&rounds[0]).passed());
//! assert_eq!(rounds[0].to_string().lines().nth(2), Some("cards 9d 4s"));
//! ```

mod at_table;
mod check;
mod print;
mod read;
mod writer;

use crate::card::Card;
use crate::games::casino_war::Outcome;
use crate::games::double_down_stud::Category;
use crate::money::Cents;
use crate::round::{Act, Calls, Remedy};
use crate::table::Input;
use crate::wager::{Bettor, Circle, Game};

pub use check::{Finding, Matter, Misplaced, Report, check};
pub use read::{Expected, ReadError, Unreadable, read, read_each};
pub use writer::Writer;

/// A round in the notation: its lines with their numbers in the file.
///
/// Printing it leaves comments and blank lines out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    lines: Vec<(usize, Line)>,
}

impl Transcript {
    /// The lines without their numbers.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().map(|(_, line)| line)
    }

    /// The lines with their numbers, counted from 1.
    pub fn numbered(&self) -> impl Iterator<Item = (usize, &Line)> {
        self.lines.iter().map(|(number, line)| (*number, line))
    }

    /// The number of its first line in the file.
    pub fn first_line(&self) -> Option<usize> {
        self.lines.first().map(|(number, _)| *number)
    }
}

/// Numbers the lines as they will be printed.
impl FromIterator<Line> for Transcript {
    fn from_iter<I: IntoIterator<Item = Line>>(lines: I) -> Transcript {
        Transcript { lines: (1..).zip(lines).collect() }
    }
}

/// One line of a transcript: what goes in, or what is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The clauses and rulings that the round is about.
    Clause(Vec<String>),
    /// The game.
    Game(Game),
    /// House options that differ from the defaults.
    Terms(Vec<(String, String)>),
    /// Boxes that are one person's, counted from 0.
    Person {
        /// The name.
        name: String,
        /// The boxes.
        seats: Vec<usize>,
    },
    /// What a bettor can spend in the round.
    Bankroll(Bettor, Cents),
    /// The progressive meter before this round's contributions.
    Meter(Cents),
    /// What a bettor places before the first card.
    Wager {
        /// Who.
        bettor: Bettor,
        /// How much on which circle.
        amounts: Vec<(Circle, Cents)>,
    },
    /// Cards that leave the shoe; none is one that stays face down.
    Cards(Vec<Option<Card>>),
    /// A decision.
    Act {
        /// Whose.
        bettor: Bettor,
        /// Which.
        act: Act,
    },
    /// Chips bought during the round.
    BuyIn(Bettor, Cents),
    /// The card reader's answer.
    Peek(bool),
    /// The face-down card, turned over.
    Turn(Card),
    /// The cure of an irregularity.
    Remedy(Remedy),
    /// The line before was refused, for this clause, ruling or term.
    Refused(Option<String>),
    /// What the round waits for.
    Awaits(Awaiting),
    /// All that is open to a bettor.
    Offers {
        /// Who.
        bettor: Bettor,
        /// What.
        calls: Calls,
    },
    /// The points of a hand.
    Total {
        /// Which hand.
        whose: Whose,
        /// How many.
        points: u8,
        /// Whether an ace counts eleven.
        soft: bool,
    },
    /// The poker category in Double Down Stud.
    Hand {
        /// Whose.
        bettor: Bettor,
        /// Which.
        category: Category,
    },
    /// What a bettor won or lost.
    Net {
        /// Who.
        bettor: Bettor,
        /// On this kind of wager, or on all together.
        circle: Option<Circle>,
        /// How much.
        amount: Cents,
    },
    /// The progressive outcome in Casino War.
    Outcome {
        /// Whose.
        bettor: Bettor,
        /// Which.
        outcome: Outcome,
    },
    /// The round is settled.
    Done,
    /// The lines that follow are about a table, and not about one round.
    Table,
    /// What the table is told.
    Input(Input),
    /// What the table is expected to wait for, in words.
    TableAwaits(String),
    /// Something that the input before led to.
    Tells {
        /// The box that alone is told; none where everyone is.
        only: Option<usize>,
        /// The event.
        event: String,
    },
    /// The input before led to nothing more.
    Quiet,
    /// The chips before a bettor.
    Rack(Bettor, Cents),
    /// What the progressive meter shows.
    MeterShows(Cents),
    /// All that a supervisor may decide.
    Outcomes(Vec<String>),
    /// Clauses that tell the dealer's hands what to do now.
    Notes(Vec<String>),
}

impl Line {
    /// The word that a line begins with; none for an input of a table, which has its own.
    pub const fn keyword(&self) -> &'static str {
        match self {
            Line::Clause(_) => "clause",
            Line::Game(_) => "game",
            Line::Terms(_) => "terms",
            Line::Person { .. } => "person",
            Line::Bankroll(..) => "bankroll",
            Line::Meter(_) => "meter",
            Line::Wager { .. } => "wager",
            Line::Cards(_) => "cards",
            Line::Act { .. } => "act",
            Line::BuyIn(..) => "buy-in",
            Line::Peek(_) => "peek",
            Line::Turn(_) => "turn",
            Line::Remedy(_) => "remedy",
            Line::Refused(_) => "refused",
            Line::Awaits(_) => "awaits",
            Line::Offers { .. } => "offers",
            Line::Total { .. } => "total",
            Line::Hand { .. } => "hand",
            Line::Net { .. } => "net",
            Line::Outcome { .. } => "outcome",
            Line::Done => "done",
            Line::Table => "table",
            Line::Input(_) => "",
            Line::TableAwaits(_) => "awaits",
            Line::Tells { only: None, .. } => "tells",
            Line::Tells { .. } => "whispers",
            Line::Quiet => "quiet",
            Line::Rack(..) => "rack",
            Line::MeterShows(_) => "meter-shows",
            Line::Outcomes(_) => "outcomes",
            Line::Notes(_) => "note",
        }
    }
}

/// What a round is expected to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaiting {
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
pub enum Whose {
    /// The dealer.
    Dealer,
    /// A box.
    Box {
        /// A bettor on it.
        bettor: Bettor,
        /// The hand, counted from 1; without it the one being played, or else the first.
        hand: Option<u8>,
    },
}
