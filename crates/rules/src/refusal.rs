//! Refusals: what a table does not allow, and what a dealer would point to.

use std::fmt;

use crate::money::{Cents, Chips};
use crate::round::Call;
use crate::wager::{Circle, Game};

/// Why an input is refused. A refused input changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    // Placing wagers
    /// The first card has left the shoe.
    BetsClosed,
    /// No wager has been placed, or the first card is still to come.
    RoundNotStarted,
    /// A side wager without the wager that takes part.
    MainWagerMissing,
    /// The layout has fewer boxes.
    NoSuchSeat {
        /// Printed boxes.
        seats: u8,
    },
    /// As many people as allowed bet on this box.
    BoxNotShared {
        /// How many may.
        most: u8,
    },
    /// A second bettor needs a first one, who consents.
    BoxHasNoFirstBettor,
    /// One person bets on as many boxes as allowed.
    TooManyBoxes {
        /// How many may be.
        most: u8,
    },
    /// The boxes of one person lie side by side.
    BoxesApart,
    /// The circle cannot be bet on before the first card, or the game does not have it.
    CircleNotOpen {
        /// Which.
        circle: Circle,
    },
    /// Double Deck has no side wagers at all.
    SideWagersProhibited,
    /// The house does not offer this side wager.
    SideWagerNotOffered,
    /// The house does not offer the progressive.
    ProgressiveNotOffered,
    /// The progressive is staked in multiples of five dollars.
    ProgressiveOffFive,
    /// The progressive is exactly five dollars here.
    ProgressiveNotFive,
    /// The amount cannot be made of chips.
    OffChipUnit {
        /// The smallest chip.
        unit: Chips,
    },
    /// Too small for the table.
    BelowTableMinimum {
        /// The least.
        least: Chips,
    },
    /// Too large for the table.
    AboveTableMaximum {
        /// The most.
        most: Chips,
    },
    /// Too small for a side wager.
    BelowSideMinimum {
        /// The least.
        least: Chips,
    },
    /// Too large for a side wager.
    AboveSideMaximum {
        /// The most.
        most: Chips,
    },
    /// The bonus wager is larger than the own initial wager.
    BonusAboveInitial {
        /// The most.
        most: Chips,
    },
    /// More than the rack holds.
    AboveRack {
        /// What is left.
        left: Cents,
    },

    // Any input
    /// The round waits for something else.
    NotAwaited,
    /// The round is settled.
    RoundOver,
    /// It is somebody else's turn.
    OutOfTurn,
    /// The box has no wager in this round.
    NotInTheRound,
    /// The question has been answered, and a wager that is placed stays.
    AlreadyAnswered,
    /// The game does not have this call.
    CallForeign {
        /// Which.
        call: Call,
    },
    /// The call is not among those open at this moment.
    NotOpenNow {
        /// Which.
        call: Call,
    },
    /// Double Attack's decks have no tens.
    TenInTheShoe,
    /// The turned card is not what the reader said.
    ReaderContradicted,

    // Amounts of a decision
    /// The call takes no amount.
    AmountNotTaken {
        /// Which.
        call: Call,
    },
    /// A free double takes no amount.
    FreeDoubleTakesNoAmount,
    /// Less than the least.
    AmountTooSmall {
        /// The least.
        least: Chips,
    },
    /// A double beyond the wager it doubles.
    DoubleAboveWager {
        /// The most.
        most: Chips,
    },
    /// A double attack beyond the initial wager.
    AttackAboveInitial {
        /// The most.
        most: Chips,
    },
    /// Insurance beyond half of the wager.
    InsuranceAboveHalf {
        /// The most.
        most: Chips,
    },

    // Casino War, Double Down Stud
    /// Only a tie leads to war or surrender.
    NotTied,
    /// There is one surrender or one war for a tie.
    TieDecided,
    /// Double Down Stud takes doubles once all cards lie, before the hole card shows.
    DoubleClosed,

    // The blackjacks
    /// A natural is played no further.
    NaturalStands,
    /// A natural is not doubled.
    NaturalNotDoubled,
    /// Any 21 is played no further.
    TwentyOneStands,
    /// A hand over 21 has lost.
    BustIsFinal,
    /// One card after doubling, and nothing more.
    OneCardAfterDouble,
    /// The hand has stood.
    AfterStanding,
    /// The hand has been surrendered.
    AfterSurrender,
    /// The hand is dead.
    HandIsDead,
    /// The hand refused a card and takes no more.
    NoMoreCards,
    /// The total cannot be doubled.
    TotalNotDoubled,
    /// Doubling needs the first two cards.
    DoubleNeedsTwoCards,
    /// A split ace has its one card.
    SplitAceHasItsCard,
    /// The hand is no pair.
    NotAPair,
    /// As many hands as allowed.
    SplitLimit {
        /// The most hands.
        hands: u8,
    },
    /// Aces are split once.
    AcesSplitOnce,
    /// Insurance needs an ace up.
    InsuranceNeedsAce,
    /// The time for insurance is over, or has not come.
    InsuranceClosed,
    /// The house does not offer even money.
    EvenMoneyNotOffered,
    /// Even money is for naturals against an ace.
    EvenMoneyNeedsNatural,
    /// The time for the double attack is over, or has not come.
    AttackClosed,
    /// The game has no surrender.
    SurrenderNotOffered,
    /// Another bettor decides for this box.
    NotTheDecider,

    // Remedies
    /// The book knows no such cure.
    RemedyForeign,
    /// The house does not let players out.
    NobodyLetOut,
    /// The cure does not fit this moment.
    NothingToCure,
    /// The book voids the round instead.
    RoundIsVoidInstead,
    /// The table stops until the reader works, or the round is void.
    ReaderStopsTheTable,
}

/// What a refusal rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A clause of the rule book.
    Clause(&'static str),
    /// A ruling, where the book is silent.
    Ruling(&'static str),
    /// A limit of the house, by its term.
    HouseLimit(&'static str),
}

impl Source {
    /// The id of the clause or ruling, or the name of the term.
    pub const fn id(self) -> &'static str {
        match self {
            Source::Clause(id) | Source::Ruling(id) | Source::HouseLimit(id) => id,
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Clause(id) | Source::Ruling(id) => f.write_str(id),
            Source::HouseLimit(term) => write!(f, "house limit {term}"),
        }
    }
}

use Game::{CasinoWar, DoubleAttack, DoubleDeck, DoubleDownStud, FreeBet};
use Source::{Clause, HouseLimit, Ruling};

impl Refusal {
    /// What a dealer would point to: the deciding source first, then what else bears on it.
    pub const fn sources(self, game: Game) -> &'static [Source] {
        match self {
            Refusal::BetsClosed => match game {
                CasinoWar => &[
                    Clause("CW-6-b"),
                    Clause("CW-7-b"),
                    Clause("CW-1-initial-wager"),
                    Clause("CW-1-tie-wager"),
                    Ruling("CW-R22"),
                ],
                DoubleDownStud => &[
                    Clause("DDS-6-b"),
                    Clause("DDS-8-a-2-iv"),
                    Clause("DDS-8-a-1"),
                    Clause("DDS-8-c"),
                    Ruling("DDS-R02"),
                ],
                DoubleDeck => &[Ruling("DDB-R24"), Clause("DDB-P22")],
                DoubleAttack => &[
                    Clause("DAB-5-d"),
                    Clause("DAB-5-f"),
                    Clause("DAB-6-b"),
                    Clause("DAB-7-d"),
                    Clause("DAB-1-initial-wager"),
                    Ruling("DAB-R02"),
                ],
                FreeBet => &[Clause("FBB-5-c")],
            },
            Refusal::RoundNotStarted => match game {
                CasinoWar => &[Clause("CW-1-initial-wager"), Clause("CW-8-c"), Clause("CW-1-war")],
                DoubleDownStud => &[
                    Clause("DDS-8-d"),
                    Clause("DDS-1-double-down-wager"),
                    Clause("DDS-1-round"),
                    Clause("DDS-6-b"),
                ],
                DoubleDeck => &[Ruling("DDB-R24"), Clause("DDB-P12")],
                DoubleAttack => &[
                    Clause("DAB-1-initial-wager"),
                    Clause("DAB-7-d"),
                    Clause("DAB-7-e"),
                    Clause("DAB-1-double-attack-wager"),
                    Ruling("DAB-R02"),
                ],
                FreeBet => &[Clause("FBB-5-d"), Clause("FBB-6-h"), Clause("FBB-6-h-2")],
            },
            Refusal::NotInTheRound => match game {
                CasinoWar => &[Clause("CW-1-initial-wager"), Clause("CW-8-c")],
                DoubleDownStud => &[Clause("DDS-6-b"), Clause("DDS-8-d"), Clause("DDS-1-round")],
                DoubleDeck => &[Ruling("DDB-R24"), Ruling("DDB-R05")],
                DoubleAttack => {
                    &[Clause("DAB-1-initial-wager"), Clause("DAB-7-e"), Clause("DAB-7-d")]
                }
                FreeBet => &[Clause("FBB-5-d"), Clause("FBB-6-h")],
            },
            Refusal::AlreadyAnswered => match game {
                CasinoWar => &[
                    Clause("CW-6-b"),
                    Clause("CW-8-c"),
                    Clause("CW-8-c-1"),
                    Clause("CW-8-c-2"),
                    Ruling("CW-R26"),
                ],
                DoubleDownStud => {
                    &[Clause("DDS-6-b"), Clause("DDS-8-d"), Clause("DDS-1-double-down-wager")]
                }
                DoubleDeck => &[Ruling("DDB-R15"), Clause("DDB-P19"), Clause("DDB-P20")],
                DoubleAttack => &[
                    Clause("DAB-5-g"),
                    Clause("DAB-5-f"),
                    Clause("DAB-5-d"),
                    Clause("DAB-7-d"),
                    Clause("DAB-11-b"),
                ],
                FreeBet => &[Clause("FBB-5-c"), Clause("FBB-7-b"), Clause("FBB-7-e")],
            },
            Refusal::MainWagerMissing => match game {
                CasinoWar => &[
                    Clause("CW-1-initial-wager"),
                    Clause("CW-1-tie-wager"),
                    Ruling("CW-R05"),
                    Ruling("CW-R22"),
                ],
                DoubleDownStud => &[Clause("DDS-6-b"), Clause("DDS-1-round")],
                DoubleDeck => &[Ruling("DDB-R24")],
                DoubleAttack => {
                    &[Clause("DAB-1-initial-wager"), Clause("DAB-6-b"), Ruling("DAB-R17")]
                }
                FreeBet => &[Clause("FBB-5-d"), Clause("FBB-5-e"), Ruling("FBB-R16")],
            },
            Refusal::NoSuchSeat { .. } => match game {
                CasinoWar => &[HouseLimit("seats"), Ruling("G-26")],
                DoubleDownStud => &[HouseLimit("seats"), Ruling("G-26"), Ruling("DDS-R18")],
                DoubleDeck => &[HouseLimit("seats"), Ruling("DDB-R21"), Ruling("G-26")],
                DoubleAttack => {
                    &[HouseLimit("seats"), Ruling("G-26"), Ruling("DAB-R11"), Clause("DAB-10-c")]
                }
                FreeBet => &[HouseLimit("seats"), Ruling("G-26")],
            },
            Refusal::BoxNotShared { .. } => match game {
                DoubleAttack => {
                    &[Clause("DAB-13-a"), Ruling("DAB-R28"), HouseLimit("max_bettors_per_box")]
                }
                FreeBet => &[Ruling("G-31"), Ruling("FBB-R26")],
                CasinoWar => &[Ruling("G-31"), Ruling("CW-R25")],
                DoubleDownStud => &[Ruling("G-31")],
                DoubleDeck => &[Ruling("G-31"), Ruling("DDB-R21")],
            },
            Refusal::BoxHasNoFirstBettor => {
                &[Clause("DAB-13-a"), Clause("DAB-13-b"), Ruling("DAB-R28")]
            }
            Refusal::TooManyBoxes { .. } | Refusal::BoxesApart => match game {
                DoubleDownStud => &[
                    Clause("DDS-6-c"),
                    Ruling("DDS-R10"),
                    Ruling("G-29"),
                    HouseLimit("max_boxes_per_player"),
                ],
                DoubleAttack => {
                    &[Clause("DAB-14"), Ruling("G-29"), HouseLimit("max_boxes_per_player")]
                }
                FreeBet => &[
                    Clause("FBB-5-f"),
                    Ruling("FBB-R24"),
                    Ruling("G-29"),
                    HouseLimit("max_boxes_per_player"),
                ],
                DoubleDeck => &[Ruling("DDB-R21"), Ruling("G-29")],
                CasinoWar => &[Ruling("G-29"), Ruling("CW-R25")],
            },
            Refusal::CircleNotOpen { .. } => match game {
                CasinoWar => &[
                    Clause("CW-6-b"),
                    Clause("CW-8-e"),
                    Clause("CW-8-c-2"),
                    Clause("CW-1-war"),
                    Clause("CW-1-war-deal"),
                    Clause("CW-1-war-wager"),
                    Clause("CW-1-tie-wager"),
                    Clause("CW-11-envy-a"),
                    Ruling("CW-R05"),
                ],
                DoubleDownStud => {
                    &[Clause("DDS-6-b"), Clause("DDS-8-d"), Clause("DDS-1-double-down-wager")]
                }
                DoubleDeck => &[
                    Ruling("DDB-R24"),
                    Clause("DDB-P22"),
                    Ruling("DDB-R16"),
                    Clause("DDB-P19"),
                    Ruling("DDB-R15"),
                    Clause("DDB-P12"),
                    Clause("DDB-P13"),
                ],
                DoubleAttack => &[
                    Clause("DAB-5-d"),
                    Clause("DAB-7-d"),
                    Ruling("DAB-R02"),
                    Clause("DAB-1-double-attack-wager"),
                    Clause("DAB-9-a"),
                    Clause("DAB-10-a"),
                    Clause("DAB-11-b"),
                ],
                FreeBet => &[
                    Clause("FBB-5-c"),
                    Clause("FBB-5-d"),
                    Clause("FBB-5-e"),
                    Clause("FBB-7-b"),
                    Clause("FBB-8-a"),
                    Clause("FBB-9-b"),
                ],
            },
            Refusal::SideWagersProhibited => &[Clause("DDB-P22"), Ruling("DDB-R16")],
            Refusal::SideWagerNotOffered => {
                &[Clause("FBB-5-e"), Ruling("FBB-R16"), HouseLimit("push22_offered")]
            }
            Refusal::ProgressiveNotOffered => {
                &[Clause("CW-11-a"), Ruling("CW-R22"), HouseLimit("progressive_offered")]
            }
            Refusal::ProgressiveOffFive | Refusal::ProgressiveNotFive => &[
                Clause("CW-11-c-N2"),
                Ruling("CW-R18"),
                HouseLimit("progressive_stakes"),
                HouseLimit("chip_unit"),
                Ruling("G-04"),
            ],
            Refusal::OffChipUnit { .. } => match game {
                CasinoWar => &[
                    HouseLimit("chip_unit"),
                    Ruling("G-04"),
                    Ruling("G-07"),
                    Ruling("CW-R18"),
                    Ruling("CW-R05"),
                ],
                DoubleDownStud => &[HouseLimit("chip_unit"), Ruling("G-04"), Ruling("G-07")],
                DoubleDeck => {
                    &[HouseLimit("chip_unit"), Ruling("G-04"), Ruling("G-07"), Clause("DDB-P20")]
                }
                DoubleAttack => {
                    &[HouseLimit("chip_unit"), Ruling("G-04"), Ruling("G-07"), Clause("DAB-11-b")]
                }
                FreeBet => {
                    &[HouseLimit("chip_unit"), Ruling("G-04"), Ruling("G-07"), Clause("FBB-7-b")]
                }
            },
            Refusal::BelowTableMinimum { .. } => match game {
                CasinoWar => {
                    &[HouseLimit("main_min"), Ruling("G-07"), Clause("CW-1-initial-wager")]
                }
                DoubleDownStud => &[HouseLimit("main_min"), Ruling("G-07"), Clause("DDS-6-b")],
                DoubleDeck => &[HouseLimit("main_min"), Ruling("G-07"), Ruling("DDB-R24")],
                DoubleAttack => {
                    &[HouseLimit("main_min"), Ruling("G-07"), Clause("DAB-1-initial-wager")]
                }
                FreeBet => &[HouseLimit("main_min"), Ruling("G-07"), Clause("FBB-5-d")],
            },
            Refusal::AboveTableMaximum { .. } => &[HouseLimit("main_max"), Ruling("G-07")],
            Refusal::BelowSideMinimum { .. } => match game {
                DoubleAttack => {
                    &[Clause("DAB-6-b"), HouseLimit("side_min"), Ruling("G-07"), Ruling("DAB-R17")]
                }
                FreeBet => {
                    &[HouseLimit("side_min"), Ruling("G-07"), Ruling("FBB-R16"), Clause("FBB-5-e")]
                }
                _ => &[
                    HouseLimit("side_min"),
                    Ruling("G-07"),
                    Ruling("CW-R05"),
                    Clause("CW-1-tie-wager"),
                    Clause("CW-8-e"),
                    HouseLimit("chip_unit"),
                    Ruling("G-04"),
                ],
            },
            Refusal::AboveSideMaximum { .. } => match game {
                DoubleAttack => &[
                    Clause("DAB-6-b-2"),
                    HouseLimit("side_max"),
                    Clause("DAB-6-b"),
                    Clause("DAB-6-b-1"),
                    Ruling("G-07"),
                    Ruling("DAB-R17"),
                ],
                FreeBet => {
                    &[HouseLimit("side_max"), Ruling("G-07"), Ruling("FBB-R16"), Clause("FBB-5-e")]
                }
                _ => &[
                    HouseLimit("side_max"),
                    Ruling("G-07"),
                    Ruling("CW-R05"),
                    Ruling("CW-R18"),
                    Clause("CW-1-tie-wager"),
                    Clause("CW-8-e"),
                    Clause("CW-11-c-N2"),
                ],
            },
            Refusal::BonusAboveInitial { .. } => {
                &[Clause("DAB-6-b-1"), Clause("DAB-6-b"), Ruling("DAB-R17")]
            }
            Refusal::AboveRack { .. } => match game {
                CasinoWar => &[
                    Ruling("G-07"),
                    Ruling("CW-R04"),
                    Clause("CW-8-c-2"),
                    Clause("CW-1-war-wager"),
                    Ruling("CW-R05"),
                    Clause("CW-8-e"),
                ],
                DoubleDownStud => &[
                    Ruling("G-07"),
                    Clause("DDS-8-d"),
                    Clause("DDS-1-double-down-wager"),
                    Ruling("DDS-R01"),
                ],
                DoubleDeck => &[
                    Ruling("G-07"),
                    Clause("DDB-P13"),
                    Ruling("DDB-R13"),
                    Clause("DDB-P12"),
                    Ruling("DDB-R10"),
                    Clause("DDB-P20"),
                ],
                DoubleAttack => &[
                    Ruling("G-07"),
                    Clause("DAB-10-a"),
                    Clause("DAB-9-a"),
                    Clause("DAB-7-d"),
                    Clause("DAB-11-b"),
                    Ruling("DAB-R01"),
                    Ruling("DAB-R05"),
                    Ruling("DAB-R10"),
                ],
                FreeBet => &[
                    Ruling("G-07"),
                    Clause("FBB-9-b-1"),
                    Ruling("FBB-R31"),
                    Clause("FBB-8-a-2"),
                    Ruling("FBB-R07"),
                    Clause("FBB-7-b"),
                ],
            },
            Refusal::NotAwaited | Refusal::RoundOver => match game {
                CasinoWar => &[Clause("CW-1-round"), Clause("CW-8-c")],
                DoubleDownStud => &[
                    Clause("DDS-1-round"),
                    Clause("DDS-8-e"),
                    Clause("DDS-8-d"),
                    Clause("DDS-8-c"),
                    Clause("DDS-1-hole-card"),
                ],
                DoubleDeck => &[
                    Clause("DDB-P16"),
                    Ruling("DDB-R05"),
                    Ruling("DDB-R09"),
                    Clause("DDB-P6"),
                    HouseLimit("peek"),
                ],
                DoubleAttack => &[
                    Clause("DAB-7-d"),
                    Clause("DAB-7-g"),
                    Clause("DAB-7-i"),
                    Clause("DAB-15-m"),
                    Ruling("DAB-R03"),
                    HouseLimit("dealing_mode"),
                ],
                FreeBet => &[
                    Clause("FBB-6-e"),
                    Clause("FBB-6-g"),
                    Clause("FBB-6-f"),
                    Clause("FBB-7-b"),
                    Clause("FBB-6-k"),
                    Clause("FBB-1-hole-card"),
                    Clause("FBB-11-j"),
                ],
            },
            Refusal::OutOfTurn => match game {
                CasinoWar => &[Clause("CW-8-c"), Ruling("CW-R26")],
                DoubleDownStud => &[Clause("DDS-8-d")],
                DoubleDeck => &[Ruling("DDB-R05"), Ruling("G-05"), Ruling("DDB-R09")],
                DoubleAttack => &[
                    Clause("DAB-7-e"),
                    Clause("DAB-10-b"),
                    Clause("DAB-7-i"),
                    Clause("DAB-1-initial-wager"),
                    Ruling("G-05"),
                ],
                FreeBet => {
                    &[Clause("FBB-6-h"), Clause("FBB-9-c"), Clause("FBB-6-g"), Ruling("G-05")]
                }
            },
            Refusal::CallForeign { .. } | Refusal::NotOpenNow { .. } => match game {
                CasinoWar => &[Clause("CW-8-c"), Clause("CW-1-war"), Clause("CW-1-round")],
                DoubleDownStud => &[Clause("DDS-8-d")],
                DoubleDeck => &[
                    Clause("DDB-P12"),
                    Ruling("DDB-R20"),
                    Ruling("DDB-R15"),
                    Clause("DDB-P19"),
                    Ruling("DDB-R09"),
                ],
                DoubleAttack => &[
                    Clause("DAB-7-e"),
                    Ruling("DAB-R21"),
                    Clause("DAB-7-d"),
                    Clause("DAB-8-a"),
                    Ruling("DAB-R09"),
                    Clause("DAB-11-b"),
                ],
                FreeBet => {
                    &[Clause("FBB-6-h-2"), Clause("FBB-6-h"), Clause("FBB-6-f"), Clause("FBB-7-b")]
                }
            },
            Refusal::TenInTheShoe => &[Clause("DAB-2-a"), Clause("DAB-15-c"), Ruling("DAB-R30")],
            Refusal::ReaderContradicted => match game {
                DoubleDeck => &[Ruling("DDB-R09"), Clause("FBB-1-card-reader")],
                DoubleAttack => &[Clause("DAB-7-i"), Clause("FBB-1-card-reader")],
                _ => &[Clause("FBB-1-card-reader"), Clause("FBB-6-g")],
            },
            Refusal::AmountNotTaken { call } => match (game, call) {
                (FreeBet, Call::Split) => &[
                    Clause("FBB-9-b"),
                    Clause("FBB-9-b-1"),
                    Clause("FBB-9-b-2"),
                    Ruling("FBB-R08"),
                    Ruling("FBB-R31"),
                ],
                (DoubleAttack, Call::Split) => &[Clause("DAB-10-a"), Ruling("DAB-R05")],
                (DoubleDeck, Call::Split) => &[Clause("DDB-P13"), Ruling("DDB-R13")],
                (CasinoWar, _) => &[Clause("CW-8-c-1"), Ruling("G-07")],
                (DoubleDownStud, _) => &[Clause("DDS-8-d"), Ruling("G-07")],
                (DoubleAttack, Call::Surrender) => &[Clause("DAB-8-a"), Ruling("DAB-R09")],
                _ => &[Ruling("G-07")],
            },
            Refusal::FreeDoubleTakesNoAmount => &[Clause("FBB-8-a-1"), Ruling("FBB-R08")],
            Refusal::AmountTooSmall { .. } => match game {
                CasinoWar => &[
                    HouseLimit("side_min"),
                    Ruling("G-07"),
                    Ruling("CW-R05"),
                    Clause("CW-1-tie-wager"),
                    Clause("CW-8-e"),
                    HouseLimit("chip_unit"),
                    Ruling("G-04"),
                ],
                DoubleDownStud => &[
                    Clause("DDS-1-double-down-wager"),
                    Ruling("DDS-R01"),
                    Ruling("G-07"),
                    HouseLimit("chip_unit"),
                    Ruling("G-04"),
                    Clause("DDS-8-d"),
                ],
                DoubleDeck => &[
                    Clause("DDB-P12"),
                    Ruling("DDB-R10"),
                    Ruling("G-07"),
                    HouseLimit("chip_unit"),
                    Ruling("G-04"),
                    Clause("DDB-P20"),
                ],
                DoubleAttack => &[
                    Clause("DAB-1-double-attack-wager"),
                    Ruling("DAB-R01"),
                    Clause("DAB-7-d"),
                    Ruling("DAB-R10"),
                    Clause("DAB-9-a"),
                    Clause("DAB-11-b"),
                    Ruling("G-07"),
                    HouseLimit("chip_unit"),
                    Ruling("G-04"),
                ],
                FreeBet => &[
                    Clause("FBB-8-a-2"),
                    Ruling("FBB-R07"),
                    Ruling("G-07"),
                    Clause("FBB-7-b"),
                    Ruling("FBB-R14"),
                    HouseLimit("chip_unit"),
                    Ruling("G-04"),
                ],
            },
            Refusal::DoubleAboveWager { .. } => match game {
                DoubleDownStud => {
                    &[Clause("DDS-1-double-down-wager"), Ruling("DDS-R01"), Clause("DDS-8-d")]
                }
                DoubleDeck => &[Clause("DDB-P12"), Ruling("DDB-R10")],
                DoubleAttack => {
                    &[Clause("DAB-9-a"), Ruling("DAB-R10"), Clause("DAB-13-d"), Ruling("DAB-R28")]
                }
                _ => &[Clause("FBB-8-a-2"), Ruling("FBB-R07")],
            },
            Refusal::AttackAboveInitial { .. } => &[
                Clause("DAB-1-double-attack-wager"),
                Ruling("DAB-R01"),
                Clause("DAB-7-d"),
                Clause("DAB-13-e"),
            ],
            Refusal::InsuranceAboveHalf { .. } => match game {
                DoubleDeck => &[Clause("DDB-P20"), Ruling("DDB-R15")],
                DoubleAttack => &[Clause("DAB-11-b"), Ruling("DAB-R22")],
                _ => &[Clause("FBB-7-b"), Ruling("FBB-R14")],
            },
            Refusal::NotTied => &[
                Clause("CW-8-c"),
                Clause("CW-1-war"),
                Clause("CW-8-a-3"),
                Clause("CW-1-tie-hand"),
                Clause("CW-8-c-1"),
                Clause("CW-8-c-2"),
                Clause("CW-1-round"),
            ],
            Refusal::TieDecided => &[
                Clause("CW-8-c"),
                Ruling("CW-R07"),
                Clause("CW-8-c-1"),
                Clause("CW-1-war"),
                Clause("CW-1-round"),
                Clause("CW-6-b"),
            ],
            Refusal::DoubleClosed => &[
                Clause("DDS-8-d"),
                Clause("DDS-1-double-down-wager"),
                Clause("DDS-6-b"),
                Clause("DDS-8-e"),
                Clause("DDS-1-round"),
            ],
            Refusal::NaturalStands => match game {
                DoubleDeck => {
                    &[Clause("DDB-P9"), Ruling("DDB-R08"), Clause("DDB-P8"), Ruling("DDB-R23")]
                }
                DoubleAttack => &[
                    Clause("DAB-12-a-1"),
                    Ruling("DAB-R09"),
                    Clause("DAB-12-a"),
                    Clause("DAB-8-a"),
                    HouseLimit("surrender_on_natural"),
                ],
                _ => &[
                    Clause("FBB-6-h-1"),
                    Clause("FBB-6-j-1"),
                    Clause("FBB-6-j"),
                    Clause("FBB-8-a"),
                ],
            },
            Refusal::NaturalNotDoubled => match game {
                DoubleDeck => &[Clause("DDB-P12"), Clause("DDB-P9"), Ruling("DDB-R08")],
                DoubleAttack => &[Clause("DAB-9-a"), Ruling("DAB-R10"), Clause("DAB-12-a-1")],
                _ => &[Clause("FBB-8-a"), Clause("FBB-6-h-1"), Clause("FBB-6-j-1")],
            },
            Refusal::TwentyOneStands => match game {
                DoubleDeck => &[Ruling("DDB-R23"), Ruling("G-21"), Clause("DDB-P12")],
                DoubleAttack => &[
                    Clause("DAB-12-a-1"),
                    Clause("DAB-12-a"),
                    Ruling("DAB-R24"),
                    Ruling("G-21"),
                    Ruling("DAB-R09"),
                    Ruling("DAB-R10"),
                    Clause("DAB-8-a"),
                    Clause("DAB-9-a"),
                ],
                _ => &[Clause("FBB-6-j-1"), Clause("FBB-6-j"), Ruling("G-21"), Clause("FBB-8-a")],
            },
            Refusal::BustIsFinal => match game {
                DoubleDeck => &[Clause("DDB-P2"), Ruling("DDB-R02"), Ruling("G-20")],
                DoubleAttack => {
                    &[Ruling("G-20"), Ruling("DAB-R09"), Clause("DAB-12-a"), Clause("DAB-8-a")]
                }
                _ => &[Ruling("G-20"), Ruling("FBB-R11"), Clause("FBB-6-j"), Clause("FBB-6-q-1")],
            },
            Refusal::OneCardAfterDouble => match game {
                DoubleDeck => &[Clause("DDB-P12"), Ruling("DDB-R10")],
                DoubleAttack => &[Clause("DAB-12-a-2"), Clause("DAB-9-a"), Ruling("DAB-R10")],
                _ => &[Clause("FBB-6-j-2"), Clause("FBB-8-c")],
            },
            Refusal::AfterStanding => match game {
                DoubleDeck => &[Clause("DDB-P11"), Ruling("G-05")],
                DoubleAttack => &[Clause("DAB-8-a"), Ruling("DAB-R09"), Clause("DAB-7-e")],
                _ => &[
                    Clause("FBB-6-h-2"),
                    Clause("FBB-6-h"),
                    Clause("FBB-6-j"),
                    Clause("FBB-8-a"),
                    Ruling("G-05"),
                ],
            },
            Refusal::AfterSurrender => match game {
                CasinoWar => &[Clause("CW-8-c-1")],
                _ => &[Clause("DAB-8-a"), Ruling("DAB-R09")],
            },
            Refusal::HandIsDead => match game {
                CasinoWar => &[Ruling("G-02"), Clause("CW-10-d")],
                DoubleAttack => &[Ruling("G-02"), Clause("DAB-15-i"), Clause("DAB-15-j")],
                _ => &[Ruling("G-02"), Clause("FBB-11-h"), Clause("FBB-11-i")],
            },
            Refusal::NoMoreCards => match game {
                DoubleAttack => &[Clause("DAB-15-f"), Ruling("G-16")],
                _ => &[Clause("FBB-11-d"), Ruling("G-16")],
            },
            Refusal::TotalNotDoubled => &[
                Clause("DDB-P12"),
                Ruling("DDB-R11"),
                Clause("DDB-P13"),
                HouseLimit("soft_double"),
            ],
            Refusal::DoubleNeedsTwoCards => match game {
                DoubleDeck => &[Clause("DDB-P12"), Ruling("DDB-R10")],
                _ => &[Clause("FBB-8-a"), Ruling("FBB-R06"), Clause("FBB-8-a-2")],
            },
            Refusal::SplitAceHasItsCard => match game {
                DoubleDeck => &[Clause("DDB-P15"), Ruling("DDB-R13")],
                DoubleAttack => &[Clause("DAB-10-e"), Ruling("DAB-R13"), Ruling("DAB-R10")],
                _ => &[Ruling("FBB-R04"), Clause("FBB-9-d"), HouseLimit("split_aces")],
            },
            Refusal::NotAPair => match game {
                DoubleDeck => &[
                    Clause("DDB-P13"),
                    Ruling("DDB-R12"),
                    Clause("DDB-P14"),
                    HouseLimit("split_by"),
                ],
                DoubleAttack => &[Clause("DAB-10-a"), Ruling("DAB-R12"), Clause("DAB-10-c")],
                _ => &[Clause("FBB-9-a"), Clause("FBB-9-d")],
            },
            Refusal::SplitLimit { .. } => match game {
                DoubleDeck => &[Clause("DDB-P14"), Ruling("DDB-R13")],
                DoubleAttack => &[Clause("DAB-10-c"), Ruling("DAB-R11")],
                _ => &[Clause("FBB-9-d")],
            },
            Refusal::AcesSplitOnce => match game {
                DoubleDeck => &[Clause("DDB-P15"), Ruling("DDB-R13")],
                DoubleAttack => &[Clause("DAB-10-e"), Ruling("DAB-R13"), Ruling("DAB-R10")],
                _ => &[Ruling("FBB-R04"), Clause("FBB-9-d"), HouseLimit("split_aces")],
            },
            Refusal::InsuranceNeedsAce => match game {
                DoubleDeck => &[Clause("DDB-P19"), Ruling("DDB-R15")],
                DoubleAttack => &[Clause("DAB-11-a"), Clause("DAB-11-b")],
                _ => &[Clause("FBB-7-a"), Clause("FBB-6-f")],
            },
            Refusal::InsuranceClosed => match game {
                DoubleDeck => &[Clause("DDB-P19"), Ruling("DDB-R15")],
                DoubleAttack => {
                    &[Clause("DAB-11-b"), Ruling("DAB-R22"), Clause("DAB-5-g"), Clause("DAB-5-d")]
                }
                _ => &[
                    Clause("FBB-7-b"),
                    Clause("FBB-6-f"),
                    Clause("FBB-5-c"),
                    Ruling("FBB-R14"),
                    Clause("FBB-7-e"),
                    Ruling("FBB-R15"),
                ],
            },
            Refusal::EvenMoneyNotOffered | Refusal::EvenMoneyNeedsNatural => match game {
                DoubleDeck => &[Ruling("DDB-R15"), Clause("DDB-P19"), HouseLimit("even_money")],
                DoubleAttack => &[Ruling("DAB-R21")],
                _ => &[
                    Clause("FBB-7-e"),
                    Ruling("FBB-R15"),
                    HouseLimit("even_money"),
                    Clause("FBB-7-b"),
                ],
            },
            Refusal::AttackClosed => &[
                Clause("DAB-7-d"),
                Clause("DAB-5-d"),
                Clause("DAB-1-double-attack-wager"),
                Ruling("DAB-R02"),
                Clause("DAB-5-f"),
            ],
            Refusal::SurrenderNotOffered => match game {
                DoubleDeck => &[Ruling("DDB-R20")],
                _ => &[Clause("FBB-6-h-2")],
            },
            Refusal::NotTheDecider => &[
                Clause("DAB-13-b"),
                Clause("DAB-13-d"),
                Clause("DAB-13-e"),
                Clause("DAB-13-f"),
                Ruling("DAB-R28"),
            ],
            Refusal::RemedyForeign => match game {
                CasinoWar => &[Clause("CW-10-a"), Ruling("G-10"), Ruling("CW-R12")],
                DoubleDownStud => &[Ruling("DDS-R15"), Clause("DDS-11-d"), Ruling("DDS-R11")],
                DoubleDeck => &[Ruling("DDB-R18")],
                DoubleAttack => &[Clause("DAB-15-a"), Ruling("G-10"), Clause("DAB-15-n")],
                FreeBet => &[Clause("FBB-11-a"), Ruling("G-10")],
            },
            Refusal::NobodyLetOut => match game {
                CasinoWar => &[HouseLimit("allow_players_out"), Clause("CW-10-a"), Ruling("G-10")],
                DoubleAttack => {
                    &[HouseLimit("allow_players_out"), Clause("DAB-15-a"), Ruling("G-10")]
                }
                FreeBet => &[HouseLimit("allow_players_out"), Clause("FBB-11-a"), Ruling("G-10")],
                DoubleDeck => &[HouseLimit("allow_players_out"), Ruling("DDB-R18"), Ruling("G-10")],
                DoubleDownStud => &[Ruling("DDS-R15"), Ruling("G-10")],
            },
            Refusal::NothingToCure => match game {
                CasinoWar => &[Clause("CW-10-d"), Ruling("CW-R12"), Ruling("G-10")],
                DoubleDownStud => &[Clause("DDS-11-a"), Ruling("DDS-R17"), Ruling("DDS-R11")],
                DoubleDeck => &[Ruling("DDB-R18"), Ruling("G-17"), Ruling("G-16")],
                DoubleAttack => &[
                    Clause("DAB-15-j"),
                    Clause("DAB-15-i"),
                    Clause("DAB-15-f"),
                    Ruling("G-17"),
                    Ruling("G-16"),
                ],
                FreeBet => &[
                    Clause("FBB-11-i"),
                    Clause("FBB-11-h"),
                    Clause("FBB-11-d"),
                    Clause("FBB-11-f"),
                    Ruling("G-17"),
                    Ruling("G-16"),
                ],
            },
            Refusal::RoundIsVoidInstead => match game {
                DoubleDownStud => &[
                    Clause("DDS-11-d"),
                    Clause("DDS-11-a"),
                    Ruling("DDS-R11"),
                    Ruling("DDS-R15"),
                    Ruling("DDS-R17"),
                    Ruling("G-10"),
                ],
                _ => &[Clause("DAB-15-e"), Ruling("DAB-R27")],
            },
            Refusal::ReaderStopsTheTable => match game {
                DoubleDeck => &[Ruling("DDB-R18"), Clause("FBB-11-k"), Ruling("FBB-R22")],
                _ => &[Clause("FBB-11-k"), Ruling("FBB-R22")],
            },
        }
    }

    /// What a dealer would point to first.
    pub const fn source(self, game: Game) -> Source {
        self.sources(game)[0]
    }

    /// Whether the refusal rests on this clause, ruling or term.
    pub fn rests_on(self, game: Game, id: &str) -> bool {
        self.sources(game).iter().any(|source| source.id() == id)
    }

    /// The refusal in one sentence, with its source.
    pub fn in_words(self, game: Game) -> String {
        format!("{self} ({})", self.source(game))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match self {
            Refusal::BetsClosed => "wagers close before the first card",
            Refusal::RoundNotStarted => "a wager and a first card come before any decision",
            Refusal::MainWagerMissing => "a main wager is needed to take part",
            Refusal::NoSuchSeat { seats } => {
                return write!(f, "this layout has boxes 1 to {seats}");
            }
            Refusal::BoxNotShared { most } => {
                return write!(f, "a box takes at most {most} bettor(s) here");
            }
            Refusal::BoxHasNoFirstBettor => "a second bettor needs a first one on the box",
            Refusal::TooManyBoxes { most } => {
                return write!(f, "one person bets on at most {most} box(es) here");
            }
            Refusal::BoxesApart => "the boxes of one person lie side by side",
            Refusal::CircleNotOpen { circle } => {
                return write!(f, "{circle} cannot be wagered before the first card of this game");
            }
            Refusal::SideWagersProhibited => "this game has no side wagers",
            Refusal::SideWagerNotOffered => "the house does not offer this side wager",
            Refusal::ProgressiveNotOffered => "the house does not offer the progressive",
            Refusal::ProgressiveOffFive => "the progressive is wagered in multiples of 5",
            Refusal::ProgressiveNotFive => "the progressive wager is exactly 5 here",
            Refusal::OffChipUnit { unit } => {
                return write!(f, "amounts are multiples of the {unit} chip");
            }
            Refusal::BelowTableMinimum { least } => {
                return write!(f, "the table minimum is {least}");
            }
            Refusal::AboveTableMaximum { most } => {
                return write!(f, "the table maximum is {most}");
            }
            Refusal::BelowSideMinimum { least } => {
                return write!(f, "a side wager is at least {least}");
            }
            Refusal::AboveSideMaximum { most } => {
                return write!(f, "a side wager is at most {most}");
            }
            Refusal::BonusAboveInitial { most } => {
                return write!(f, "the bonus wager may not exceed the initial wager of {most}");
            }
            Refusal::AboveRack { left } => return write!(f, "the rack has only {left} left"),
            Refusal::NotAwaited => "the round waits for something else",
            Refusal::RoundOver => "the round is settled",
            Refusal::OutOfTurn => "it is not this bettor's turn",
            Refusal::NotInTheRound => "this box has no wager in the round",
            Refusal::AlreadyAnswered => "the question is answered, and what is placed stays",
            Refusal::CallForeign { call } => {
                return write!(f, "this game has no {call}");
            }
            Refusal::NotOpenNow { call } => {
                return write!(f, "{call} is not open at this moment");
            }
            Refusal::TenInTheShoe => "the decks of this game have no tens",
            Refusal::ReaderContradicted => "the turned card is not what the reader answered",
            Refusal::AmountNotTaken { call } => {
                return write!(f, "{call} takes no amount");
            }
            Refusal::FreeDoubleTakesNoAmount => "a free double takes no amount",
            Refusal::AmountTooSmall { least } => {
                return write!(f, "the amount is at least {least}");
            }
            Refusal::DoubleAboveWager { most } => {
                return write!(f, "doubling adds at most {most} here");
            }
            Refusal::AttackAboveInitial { most } => {
                return write!(f, "the double attack wager is at most {most} here");
            }
            Refusal::InsuranceAboveHalf { most } => {
                return write!(f, "insurance is at most {most} here");
            }
            Refusal::NotTied => "only a tie leads to war or surrender",
            Refusal::TieDecided => "a tie is surrendered or taken to war once",
            Refusal::DoubleClosed => {
                "doubling is open once all cards lie and before the hole card is turned"
            }
            Refusal::NaturalStands => "a natural is played no further",
            Refusal::NaturalNotDoubled => "a natural is not doubled",
            Refusal::TwentyOneStands => "any 21 is played no further",
            Refusal::BustIsFinal => "a hand over 21 has lost",
            Refusal::OneCardAfterDouble => "a doubled hand takes one card and no more",
            Refusal::AfterStanding => "the hand has stood",
            Refusal::AfterSurrender => "the hand has been surrendered",
            Refusal::HandIsDead => "the hand is dead",
            Refusal::NoMoreCards => "the hand refused a card and takes no more",
            Refusal::TotalNotDoubled => "only a total of 9, 10 or 11 is doubled",
            Refusal::DoubleNeedsTwoCards => "doubling is open on the first two cards only",
            Refusal::SplitAceHasItsCard => "a split ace takes one card and no more",
            Refusal::NotAPair => "only a pair of two cards is split",
            Refusal::SplitLimit { hands } => {
                return write!(f, "splitting makes at most {hands} hands");
            }
            Refusal::AcesSplitOnce => "aces are split only once",
            Refusal::InsuranceNeedsAce => "insurance is offered when the dealer shows an ace",
            Refusal::InsuranceClosed => {
                "insurance is open after the second cards and before anything else"
            }
            Refusal::EvenMoneyNotOffered => "the house does not offer even money",
            Refusal::EvenMoneyNeedsNatural => "even money is for a natural against an ace",
            Refusal::AttackClosed => {
                "the double attack is open after the dealer's first card and before any other"
            }
            Refusal::SurrenderNotOffered => "this game has no surrender",
            Refusal::NotTheDecider => "the first bettor of the box decides",
            Refusal::RemedyForeign => "this rule book knows no such cure",
            Refusal::NobodyLetOut => "the house lets nobody out of a round",
            Refusal::NothingToCure => "the cure does not fit this moment",
            Refusal::RoundIsVoidInstead => "this rule book voids the round instead",
            Refusal::ReaderStopsTheTable => {
                "the table stops until the reader works, or the round is void"
            }
        };
        f.write_str(words)
    }
}
