//! What a table does not allow, beyond what a round refuses.

use std::fmt;

use super::TableAwaits;
use crate::money::Chips;
use crate::refusal::{Refusal, Source};
use crate::round::{Awaits, Place};
use crate::wager::{Circle, Game};

/// Why a table refuses an input. A refused input changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableRefusal {
    /// The wager or the round is refused.
    Round(Refusal),
    /// The table waits for something else.
    NotAwaited {
        /// What it waits for.
        awaits: TableAwaits,
    },
    /// Somebody sits there.
    SeatTaken,
    /// The player has a seat at this table.
    AlreadySeated,
    /// Nobody sits there.
    NotSeated,
    /// The rack is empty.
    NothingBought,
    /// Less than the smallest chip.
    BuyInTooSmall {
        /// The least.
        least: Chips,
    },
    /// More than can be bought in one go.
    BuyInTooLarge {
        /// The most.
        most: Chips,
    },
    /// The cut lies too near to an end of the stack.
    CutOutsideBounds {
        /// The fewest cards in front of it.
        least: usize,
        /// The most.
        most: usize,
    },
    /// A wager of this seat is in the round.
    WagerInPlay,
    /// Nobody has placed a wager.
    NoWagers,
    /// The seat has placed no wager.
    NothingToClear,
    /// One circle is named twice in a wager.
    CircleTwice {
        /// Which.
        circle: Circle,
    },
    /// The supervisor decides for a tied player who gives no answer.
    SupervisorDecides,
    /// Every card of the shoe is dealt.
    ShoeEmpty,
}

use Game::{CasinoWar, DoubleAttack, DoubleDeck, DoubleDownStud, FreeBet};
use Source::{Clause, HouseLimit, Ruling};

impl TableRefusal {
    /// What a dealer would point to.
    pub const fn source(self, game: Game) -> Source {
        match self {
            TableRefusal::Round(refusal) => refusal.source(game),
            TableRefusal::NotAwaited { awaits } => order(awaits, game),
            TableRefusal::SeatTaken => Ruling("G-31"),
            TableRefusal::AlreadySeated => Ruling("G-29"),
            TableRefusal::NotSeated => Ruling("G-26"),
            TableRefusal::NothingBought => Ruling("G-07"),
            TableRefusal::BuyInTooSmall { .. } => HouseLimit("chip_unit"),
            TableRefusal::BuyInTooLarge { .. } => Ruling("G-07"),
            TableRefusal::CutOutsideBounds { .. } => match game {
                CasinoWar => Clause("CW-5-e"),
                DoubleDownStud => Clause("DDS-4-e"),
                DoubleDeck => Ruling("DDB-R17"),
                DoubleAttack => Clause("DAB-4-f"),
                FreeBet => Clause("FBB-4-e"),
            },
            TableRefusal::WagerInPlay => Refusal::BetsClosed.source(game),
            TableRefusal::NoWagers => Refusal::MainWagerMissing.source(game),
            TableRefusal::NothingToClear => Refusal::NotInTheRound.source(game),
            TableRefusal::CircleTwice { circle } => Refusal::CircleNotOpen { circle }.source(game),
            TableRefusal::SupervisorDecides => HouseLimit("tie_timeout"),
            TableRefusal::ShoeEmpty => Ruling("G-18"),
        }
    }

    /// The refusal in one sentence, with its source.
    pub fn in_words(self, game: Game) -> String {
        format!("{self} ({})", self.source(game))
    }
}

/// What puts the awaited step before any other.
const fn order(awaits: TableAwaits, game: Game) -> Source {
    match (awaits, game) {
        (TableAwaits::Player, CasinoWar) => Clause("CW-4-b"),
        (TableAwaits::Player, DoubleDownStud) => Clause("DDS-3-b"),
        (TableAwaits::Player, DoubleDeck) => Ruling("G-14"),
        (TableAwaits::Player, DoubleAttack) => Clause("DAB-3-b"),
        (TableAwaits::Player, FreeBet) => Clause("FBB-3-b"),
        (TableAwaits::Shuffle, CasinoWar) => Clause("CW-5-a"),
        (TableAwaits::Shuffle, DoubleAttack) => Clause("DAB-4-a"),
        (TableAwaits::Shuffle, FreeBet) => Clause("FBB-4-a"),
        (TableAwaits::Cut(_), CasinoWar) => Clause("CW-5-c"),
        (TableAwaits::Cut(_), DoubleDownStud) => Clause("DDS-4-d"),
        (TableAwaits::Cut(_), DoubleAttack) => Clause("DAB-4-d"),
        (TableAwaits::Cut(_), FreeBet) => Clause("FBB-4-c"),
        (TableAwaits::Wagers, _) => Refusal::RoundNotStarted.source(game),
        (TableAwaits::Round(Awaits::FaceDown(Place::Burn)), CasinoWar) => Clause("CW-7-a"),
        (TableAwaits::Round(Awaits::FaceDown(Place::Burn)), DoubleAttack) => Clause("DAB-7-c"),
        (TableAwaits::Round(Awaits::FaceDown(Place::Burn)), FreeBet) => Clause("FBB-6-c"),
        (TableAwaits::Round(_), _) => Refusal::NotAwaited.source(game),
        (TableAwaits::Reveal, CasinoWar) => Clause("CW-5-g"),
        (TableAwaits::Reveal, DoubleAttack) => Clause("DAB-4-h"),
        (TableAwaits::Reveal, FreeBet) => Clause("FBB-4-g"),
        (TableAwaits::Shuffle | TableAwaits::Reveal, DoubleDownStud) => Clause("DDS-4-a"),
        (TableAwaits::Shuffle | TableAwaits::Cut(_) | TableAwaits::Reveal, DoubleDeck) => {
            Ruling("DDB-R17")
        }
    }
}

impl fmt::Display for TableRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match self {
            TableRefusal::Round(refusal) => return refusal.fmt(f),
            TableRefusal::NotAwaited { awaits } => return write!(f, "the table awaits {awaits}"),
            TableRefusal::SeatTaken => "somebody sits there",
            TableRefusal::AlreadySeated => "a player has one seat at a table",
            TableRefusal::NotSeated => "take a seat first",
            TableRefusal::NothingBought => "chips are bought before a wager is placed",
            TableRefusal::BuyInTooSmall { least } => {
                return write!(f, "the smallest amount of chips is {least}");
            }
            TableRefusal::BuyInTooLarge { most } => {
                return write!(f, "the largest amount of chips is {most}");
            }
            TableRefusal::CutOutsideBounds { least, most } => {
                return write!(f, "a cut takes {least} to {most} cards from the front");
            }
            TableRefusal::WagerInPlay => "a player stays until the wagers in play are decided",
            TableRefusal::NoWagers => "a round needs a wager",
            TableRefusal::NothingToClear => "no wager has been placed here",
            TableRefusal::CircleTwice { circle } => {
                return write!(f, "a wager names '{circle}' once");
            }
            TableRefusal::SupervisorDecides => {
                "a supervisor decides when a tied player gives no answer"
            }
            TableRefusal::ShoeEmpty => "every card of the shoe has been dealt",
        };
        f.write_str(words)
    }
}

impl std::error::Error for TableRefusal {}

impl From<Refusal> for TableRefusal {
    fn from(refusal: Refusal) -> TableRefusal {
        TableRefusal::Round(refusal)
    }
}
