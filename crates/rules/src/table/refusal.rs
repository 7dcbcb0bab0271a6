//! What a table does not allow, beyond what a round refuses.

use std::fmt;

use super::TableAwaits;
use super::cards::Method;
use super::cards::{ShuffleFault, ShuffleStep};
use super::pit::Order;
use super::pit::PitRefusal;
use crate::card::Card;
use crate::money::Chips;
use crate::refusal::{Refusal, Source};
use crate::round::{Awaits, Place};
use crate::wager::{Circle, Game};

/// Why a table refuses an input. A refused input changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub enum TableRefusal {
    /// The wager or the round is refused.
    Round(Refusal),
    /// The table waits for something else.
    NotAwaited { awaits: TableAwaits },
    /// Somebody sits there.
    SeatTaken,
    /// The player has a seat at this table.
    AlreadySeated,
    /// Someone would bet behind a box, and on another one.
    NotInFront,
    /// Nobody sits there.
    NotSeated,
    /// The rack is empty.
    NothingBought,
    /// Less than the smallest chip.
    BuyInTooSmall { least: Chips },
    /// More than can be bought in one go.
    BuyInTooLarge { most: Chips },
    /// The cut lies too near to an end of the stack.
    CutOutsideBounds {
        /// The fewest cards in front of it.
        least: usize,
        most: usize,
    },
    /// A wager of this seat is in the round.
    WagerInPlay,
    /// Nobody has placed a wager.
    NoWagers,
    /// The seat has placed no wager.
    NothingToClear,
    /// One circle is named twice in a wager.
    CircleTwice { circle: Circle },
    /// The supervisor decides for a tied player who gives no answer.
    SupervisorDecides,
    /// Every card of the shoe is dealt.
    ShoeEmpty,
    /// The shoe has shown this card as often as it holds it.
    NoMoreOfThese { card: Card, decks: usize },
    /// A round is in play.
    RoundInPlay,
    /// That dealer stands there already.
    SameDealer,
    /// The house receives its cards in another way.
    OtherSupply { pre_shuffled: bool },
    /// The cards came shuffled.
    ArePreShuffled,
    /// The book does not have cards changed by the clock.
    DecksStay,
    /// No stack came out of the machine that nobody has seen.
    NothingToSpread,
    /// Somebody has a wager.
    NotIdle,
    /// The house has no shuffle before the cut card.
    NoReshuffle,
    /// No round was played with the cards that were shuffled last.
    NoRoundYet,
    /// These steps make no shuffle.
    Shuffle(ShuffleFault),
    /// The player has added to this order.
    HasContributed,
    /// The cards are not cut, or one has been dealt.
    RecutTooLate,
    /// Burned cards are not shown.
    BurnStaysHidden,
    /// Another number of cards was burned.
    OtherBurn { burned: usize },
    /// A burned card was seen before, and is another one.
    BurnSeen { seen: Card },
    /// The face-down card was seen, and is another one.
    OtherHole { seen: Card },
    /// The first person on a box needs no consent.
    OwnBox,
    /// The first person on the box has not consented.
    NoConsent,
    /// The first person on the box has consented.
    HasConsent,
    /// Who skipped a round, or came in mid-shoe, waits for the shuffle.
    MidShoe,
    /// Nobody keeps this bettor from betting.
    NotBarred,
    /// The meter is the table's own.
    OwnMeter,
    /// Something went wrong, or is said to have.
    Pit(PitRefusal),
}

use Game::{CasinoWar, DoubleAttack, DoubleDeck, DoubleDownStud, FreeBet};
use Source::{Clause, HouseLimit, Ruling};

impl TableRefusal {
    /// What a dealer would point to.
    pub fn source(self, game: Game) -> Source {
        match self {
            TableRefusal::Round(refusal) => refusal.source(game),
            TableRefusal::NotAwaited { awaits } => order(awaits, game),
            TableRefusal::SeatTaken => Ruling("G-31"),
            TableRefusal::AlreadySeated | TableRefusal::NotInFront => Ruling("G-29"),
            TableRefusal::NotSeated => Ruling("G-26"),
            TableRefusal::NothingBought => match game {
                CasinoWar => Clause("CW-6-a"),
                DoubleDownStud => Clause("DDS-6-a"),
                FreeBet => Clause("FBB-5-a"),
                DoubleDeck | DoubleAttack => Ruling("G-08"),
            },
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
            TableRefusal::NoMoreOfThese { .. } => Clause(game.book().cards.clause),
            TableRefusal::RoundInPlay | TableRefusal::SameDealer => Ruling("G-13"),
            TableRefusal::OtherSupply { .. } => match game {
                DoubleDownStud => Clause("DDS-3-a"),
                DoubleDeck => Ruling("G-30"),
                _ => HouseLimit("card_supply"),
            },
            TableRefusal::ArePreShuffled => match game {
                CasinoWar => Clause("CW-4-a"),
                DoubleAttack => Clause("DAB-3-a"),
                FreeBet => Clause("FBB-3-e"),
                _ => Ruling("G-30"),
            },
            TableRefusal::DecksStay => Ruling("G-30"),
            TableRefusal::NothingToSpread => match game {
                CasinoWar => Clause("CW-5-h-2"),
                FreeBet => Clause("FBB-4-h-2"),
                _ => Ruling("G-14"),
            },
            TableRefusal::NotIdle => Ruling("G-14"),
            TableRefusal::NoReshuffle => match game {
                DoubleDownStud => Ruling("G-27"),
                _ => HouseLimit("discretionary_reshuffle"),
            },
            TableRefusal::NoRoundYet => Order::Reshuffle.source(game),
            TableRefusal::Shuffle(fault) => shuffle(fault, game),
            TableRefusal::HasContributed => Ruling("G-11"),
            TableRefusal::RecutTooLate => match game {
                CasinoWar => Ruling("CW-R11"),
                DoubleDownStud => Clause("DDS-4-f"),
                DoubleDeck => Ruling("DDB-R17"),
                DoubleAttack => Clause("DAB-4-g"),
                FreeBet => Clause("FBB-4-f"),
            },
            TableRefusal::BurnStaysHidden => match game {
                CasinoWar => Clause("CW-1-burn-card"),
                DoubleDownStud => Ruling("DDS-R15"),
                _ => HouseLimit("disclose_burn"),
            },
            TableRefusal::OtherBurn { .. } | TableRefusal::BurnSeen { .. } => Ruling("G-13"),
            TableRefusal::OtherHole { .. } => Ruling("DDS-R17"),
            TableRefusal::OwnBox | TableRefusal::NoConsent | TableRefusal::HasConsent => match game
            {
                DoubleAttack => Clause("DAB-13-a"),
                _ => Ruling("G-31"),
            },
            TableRefusal::MidShoe => match game {
                DoubleDeck => Clause("DDB-P22"),
                DoubleAttack => Clause("DAB-5-h"),
                FreeBet => Clause("FBB-5-b"),
                _ => Ruling("G-25"),
            },
            TableRefusal::NotBarred => Ruling("G-25"),
            TableRefusal::Pit(refusal) => refusal.source(game),
            TableRefusal::OwnMeter => match game {
                CasinoWar => Ruling("CW-R19"),
                _ => Refusal::CircleNotOpen { circle: Circle::Progressive }.source(game),
            },
        }
    }

    /// The refusal in one sentence, with its source.
    pub fn in_words(self, game: Game) -> String {
        format!("{self} ({})", self.source(game))
    }
}

/// What a shuffle is made of.
const fn shuffle(fault: ShuffleFault, game: Game) -> Source {
    let step = match fault {
        ShuffleFault::OtherMethod(Method::Continuous) => return Clause("FBB-4-i"),
        ShuffleFault::OtherMethod(_) => {
            return match game {
                DoubleDownStud => Clause("DDS-4-a"),
                _ => HouseLimit("shuffle_method"),
            };
        }
        ShuffleFault::NotWashed | ShuffleFault::WashedLate => {
            return match game {
                CasinoWar => Clause("CW-4-c"),
                DoubleDownStud => Clause("DDS-3-c"),
                DoubleDeck => Ruling("DDB-R17"),
                DoubleAttack => Clause("DAB-3-c"),
                FreeBet => Clause("FBB-3-c"),
            };
        }
        ShuffleFault::Missing(step) => step,
        ShuffleFault::StripTooEarly => ShuffleStep::Strip,
        ShuffleFault::TurnNotRiffled => ShuffleStep::Turn,
        ShuffleFault::CutNotLast => ShuffleStep::Cut,
    };
    let number = match step {
        ShuffleStep::Plug => 0,
        ShuffleStep::Riffle => 1,
        ShuffleStep::Turn => 2,
        ShuffleStep::Strip => 3,
        _ => 4,
    };
    match game {
        CasinoWar => Clause(["CW-5-i-1", "CW-5-i-2", "CW-5-i-3", "CW-5-i-4", "CW-5-i-5"][number]),
        DoubleAttack => {
            Clause(["DAB-4-k-1", "DAB-4-k-2", "DAB-4-k-3", "DAB-4-k-4", "DAB-4-k-5"][number])
        }
        FreeBet => {
            Clause(["FBB-4-j-1", "FBB-4-j-2", "FBB-4-j-3", "FBB-4-j-4", "FBB-4-j-5"][number])
        }
        DoubleDownStud => Clause("DDS-4-a"),
        DoubleDeck => Ruling("DDB-R17"),
    }
}

/// What puts the awaited step before any other.
fn order(awaits: TableAwaits, game: Game) -> Source {
    match (awaits, game) {
        (TableAwaits::Decks, CasinoWar) => Clause("CW-4-a"),
        (TableAwaits::Decks, DoubleDownStud) => Clause("DDS-3-a"),
        (TableAwaits::Decks, DoubleDeck) => Ruling("G-30"),
        (TableAwaits::Decks, DoubleAttack) => Clause("DAB-3-a"),
        (TableAwaits::Decks, FreeBet) => Clause("FBB-2-c"),
        (TableAwaits::Contributions, _) => Ruling("G-11"),
        (TableAwaits::Supervisor(kind), _) => PitRefusal::Frozen { kind }.source(game),
        (TableAwaits::Choice(_), _) => Ruling("G-17"),
        (TableAwaits::Repair, _) => PitRefusal::ReaderBroken.source(game),
        (TableAwaits::Player | TableAwaits::Inspection(_), CasinoWar) => Clause("CW-4-b"),
        (TableAwaits::Player | TableAwaits::Inspection(_), DoubleDownStud) => Clause("DDS-3-b"),
        (TableAwaits::Player | TableAwaits::Inspection(_), DoubleDeck) => Ruling("G-14"),
        (TableAwaits::Player | TableAwaits::Inspection(_), DoubleAttack) => Clause("DAB-3-b"),
        (TableAwaits::Player | TableAwaits::Inspection(_), FreeBet) => Clause("FBB-3-b"),
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
            TableRefusal::AlreadySeated => "a player has one seat at this table",
            TableRefusal::NotInFront => "who bets on several boxes is in front at each of them",
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
            TableRefusal::NoMoreOfThese { card, decks: 1 } => {
                return write!(f, "the {card} has come already");
            }
            TableRefusal::NoMoreOfThese { card, decks } => {
                return write!(f, "all {decks} of the {card} have come already");
            }
            TableRefusal::RoundInPlay => "this waits until the round is over",
            TableRefusal::SameDealer => "that dealer is at the table",
            TableRefusal::OtherSupply { pre_shuffled: true } => {
                "cards come inspected and shuffled to this table, with a reference"
            }
            TableRefusal::OtherSupply { pre_shuffled: false } => {
                "cards are inspected at this table"
            }
            TableRefusal::ArePreShuffled => {
                "these cards came shuffled, and the shuffle has the one step 'pre-shuffled'"
            }
            TableRefusal::DecksStay => "no clock has the cards changed in this game",
            TableRefusal::NothingToSpread => {
                "cards are spread on request when they come out of the machine of an idle table"
            }
            TableRefusal::NotIdle => "a table is idle while nobody has a wager",
            TableRefusal::NoRoundYet => "cards are shuffled again after a round with them",
            TableRefusal::NoReshuffle => "the cards are shuffled when the cut card has come out",
            TableRefusal::Shuffle(fault) => return fault.fmt(f),
            TableRefusal::Pit(refusal) => return refusal.fmt(f),
            TableRefusal::HasContributed => "a player adds to an order once",
            TableRefusal::RecutTooLate => "cards are cut again after a cut and before any is dealt",
            TableRefusal::BurnStaysHidden => "burned cards are not shown here",
            TableRefusal::OtherBurn { burned } => {
                return write!(f, "{burned} cards of this shoe were burned, and all are shown");
            }
            TableRefusal::BurnSeen { seen } => {
                return write!(f, "the burned card was seen, and is the {seen}");
            }
            TableRefusal::OtherHole { seen } => {
                return write!(f, "the face-down card was seen, and is the {seen}");
            }
            TableRefusal::OwnBox => "the first person on a box lets others bet on it",
            TableRefusal::NoConsent => "the first person on this box has not consented",
            TableRefusal::HasConsent => "the first person on this box has consented already",
            TableRefusal::MidShoe => "who did not bet in the last round waits for the shuffle",
            TableRefusal::NotBarred => "nothing keeps this player from betting",
            TableRefusal::OwnMeter => "this table does not share a meter",
        };
        f.write_str(words)
    }
}

impl std::error::Error for TableRefusal {}

impl From<PitRefusal> for TableRefusal {
    fn from(refusal: PitRefusal) -> TableRefusal {
        TableRefusal::Pit(refusal)
    }
}

impl From<Refusal> for TableRefusal {
    fn from(refusal: Refusal) -> TableRefusal {
        TableRefusal::Round(refusal)
    }
}
