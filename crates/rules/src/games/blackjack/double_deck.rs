//! Double Deck Blackjack: what its rule sheet says differently.

use super::book::{Book, Cites, Cost, HoleCard};
use super::hand::{Hand, Points};
use crate::book::{
    Cures, DealerMissed, DealerStep, Deck, Handling, HoleSeen, Kind, Refusals, RuleBook,
    SecondFaceUp, ShufflerFault, Totals, Wash,
};
use crate::card::Card;
use crate::games::IN_CASINO_WAR;
use crate::money::Odds;
use crate::refusal::{Refusal, Result, ensure};
use crate::round::Call::{Double, EvenMoney, Hit, Insure, Split, Stand, Surrender};
use crate::terms::{AddedWager, TermSheet};
use crate::wager::{Circle, Game};

/// The options of Double Deck Blackjack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DoubleDeck {
    hole_card: HoleCard,
    double_amount: AddedWager,
    soft_double: bool,
    split_by: SplitBy,
    even_money: bool,
    private_cards: bool,
}

/// What two cards must share to be split (DDB-R12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SplitBy {
    Rank,
    Value,
}

impl Book for DoubleDeck {
    const GAME: Game = Game::DoubleDeck;
    const RULE_BOOK: &'static RuleBook = RULE_BOOK;
    /// One and a half times the wager (DDB-P9).
    const NATURAL: (Odds, &'static str) = (Odds::to(3, 2), "DDB-P9");
    const INSURANCE: (Odds, &'static str) = (Odds::to(2, 1), "DDB-P21");
    const CITES: Cites = Cites {
        bust: "DDB-P2",
        dealer_bust: "DDB-P2",
        higher: "DDB-P3",
        equal: "DDB-R03",
        lower: "DDB-P1",
        both_naturals: "DDB-P9",
        dealer_natural: "DDB-R03",
        attack_returned: "DDB-R09",
        double_returned: "DDB-R09",
        split_returned: "DDB-R09",
        insurance_lost: "DDB-R15",
        even_money: "DDB-R15",
        dead: "DDB-R18",
        released: "DDB-R18",
    };

    fn read(sheet: &TermSheet) -> DoubleDeck {
        DoubleDeck {
            // DDB-R09
            hole_card: match sheet.word("peek") {
                "reader" => HoleCard::Reader,
                _ => HoleCard::Unseen,
            },
            double_amount: sheet.added_wager("double_amount"),
            soft_double: sheet.is_on("soft_double"),
            split_by: match sheet.word("split_by") {
                "rank" => SplitBy::Rank,
                _ => SplitBy::Value,
            },
            even_money: sheet.is_on("even_money"),
            private_cards: sheet.word("player_cards") == "private",
        }
    }

    fn hole_card(&self) -> HoleCard {
        self.hole_card
    }

    /// Hits soft 17 (DDB-R14).
    #[doc(alias = "DDB-P17")]
    fn dealer_draws(&self, points: Points) -> bool {
        match points.total() {
            0..17 => true,
            17 => points.is_soft(),
            _ => false,
        }
    }

    /// On totals of 9, 10 or 11 with two cards (DDB-R11).
    #[doc(alias("DDB-P12", "DDB-P13"))]
    fn double(&self, hand: Hand) -> Result<Cost> {
        let points = hand.points();
        ensure(hand.cards() == 2, Refusal::DoubleNeedsTwoCards)?;
        let is_open = (9..=11).contains(&points.low()) && (self.soft_double || !points.is_soft());
        ensure(is_open, Refusal::TotalNotDoubled).map(|()| Cost::Paid)
    }

    fn double_amount(&self) -> AddedWager {
        self.double_amount
    }

    /// Cards of equal rank (DDB-R12).
    #[doc(alias = "DDB-P13")]
    fn is_pair(&self, one: Card, other: Card) -> bool {
        match self.split_by {
            SplitBy::Rank => one.same_rank(other),
            SplitBy::Value => Points::pips(one) == Points::pips(other),
        }
    }

    fn even_money(&self) -> bool {
        self.even_money
    }

    fn private_cards(&self) -> bool {
        self.private_cards
    }
}

/// What the rule book says apart from how a round is played.
#[rustfmt::skip]
const RULE_BOOK: &RuleBook = &RuleBook {
    name: "double-deck",
    short: "deck",
    title: "Double Deck Blackjack",
    prefix: "DDB",
    clauses: include_str!("../../../rulebook/double-deck.csv"),
    deck: Deck { clause: "DDB-P0", count: Some(2), without: None },
    handling: Handling {
        burned: 1, // DDB-R17
        every_round: false,
        two_batches: false,
        machine_replaces_cut: false,
        cut_leaves_a_deck: false, // DDB-R17: a deck from both ends of two would leave no choice
        recut_from_shoe: false,   // FBB-R27, as in Free Bet
        washes_new: Wash::Always, // DDB-R17
        washes_idle: Wash::ByHand, // DDB-R17
        shows_burn: false,        // the house chooses: `disclose_burn`
        hours_of_decks: None,
    },
    notes: &[
        (DealerStep::Spread, "Spread the cards for the player to see.", "G-14"),
        (DealerStep::Hand, "Plug, riffle, strip after two riffles, turn one half around and riffle, and cut last.", "DDB-R17"),
        (DealerStep::Machine, "Put the stacked decks into the machine.", "DDB-R17"),
        (DealerStep::Offer, "Offer the stack and the cut card.", "DDB-R17"),
        (DealerStep::Cut, "Cut ten cards or more from either end.", "DDB-R17"),
        (DealerStep::Burn, "Put the first card face down into the discard rack.", "DDB-R17"),
        (DealerStep::Hole, "Your second card lies face down.", "DDB-P6"),
        (DealerStep::Acts, "A scratch asks for a card; cards tucked under the wager stand.", "DDB-P11"),
        (DealerStep::Peek, "Slide the hole card into the reader face down.", "DDB-R09"),
        (DealerStep::Turn, "Turn your hole card up.", "DDB-P16"),
        (DealerStep::Retire, "Collect all cards for the shuffle.", "DDB-R17"),
    ],
    circles: &[
        (Circle::Main, "Bet"),
        (Circle::Double, "Double"),
        (Circle::Split, "Split"),
        (Circle::Insurance, "Insurance"),
    ],
    forbids_side_wagers: true,
    calls: &[Hit, Stand, Double, Split, Surrender, Insure, EvenMoney],
    totals: Totals::None,
    says_blackjack: false,
    closes_again: None,
    // DDB-R18: as in Free Bet, unless the supervisor wants a void.
    cures: Cures {
        wrong_count_voids: false,
        open_card_goes_round: true,
        second_face_up: SecondFaceUp::UndoneOrUnused,
        face_up_by_round: false,
        dealer_missed: DealerMissed::Later,
        hole_seen: HoleSeen::StaysOpen,
        shuffler_fault: ShufflerFault::RestartOrCover,
    },
    irregularities: &[
        (Kind::Misdealt, "DDB-R18"), (Kind::FaceUp, "DDB-R18"), (Kind::DrawnUnseen, "DDB-R18"),
        (Kind::DrawnSeen, "DDB-R18"), (Kind::Overdraw, "DDB-R18"), (Kind::DealerMissed, "DDB-R18"),
        (Kind::NoCard, "DDB-R18"), (Kind::OneCard, "DDB-R18"), (Kind::MissedHit, "DDB-R18"),
        (Kind::ShufflerFault, "DDB-R18"), (Kind::ReaderMisused, "DDB-R18"),
        (Kind::ReaderBroken, "DDB-R18"), (Kind::BurnForgotten, "DDB-R18"), (Kind::HoleSeen, "DDB-R18"),
        (Kind::BadCut, "DDB-R17"),
    ],
    refusals: REFUSALS,
    never_refused: &[IN_CASINO_WAR,
        "box-has-no-first-bettor side-wager-not-offered below-side-minimum above-side-maximum \
         bonus-above-initial card-not-in-deck free-double-takes-no-amount attack-above-initial \
         double-closed after-surrender attack-closed round-is-void-instead cards-come-shuffled \
         are-pre-shuffled other-hole already-answered"],
};

/// What each refusal rests on: codes, deciding source, see also.
#[rustfmt::skip]
const REFUSALS: Refusals = &[
    ("bets-closed", "DDB-R24", "DDB-P22"),
    ("round-not-started", "DDB-R24", "DDB-P12"),
    ("main-wager-missing wager-in-play no-wagers nothing-to-clear circle-twice own-meter",
        "DDB-R24", ""),
    ("no-such-seat", "seats", "DDB-R21 G-26"),
    ("box-not-shared not-the-decider", "G-31", "DDB-R21"),
    ("too-many-boxes boxes-apart", "DDB-R21", "G-29"),
    ("circle-not-open", "DDB-R24", "DDB-P22 DDB-R16 DDB-P19 DDB-R15 DDB-P12 DDB-P13"),
    ("side-wagers-prohibited", "DDB-P22", "DDB-R16"),
    ("off-chip-unit", "chip_unit", "G-04 G-07 DDB-P20"),
    ("below-table-minimum", "main_min", "G-07 DDB-R24"),
    ("above-rack", "G-07", "DDB-P13 DDB-R13 DDB-P12 DDB-R10 DDB-P20"),
    ("not-awaited round-over", "DDB-P16", "DDB-R05 DDB-R09 DDB-P6 peek"),
    ("out-of-turn", "DDB-R05", "G-05 DDB-R09"),
    ("not-in-the-round", "DDB-R24", "DDB-R05"),
    ("call-foreign not-open-now", "DDB-P12", "DDB-R20 DDB-R15 DDB-P19 DDB-R09"),
    ("reader-contradicted", "DDB-R09", "FBB-1-card-reader"),
    ("split-takes-no-amount", "DDB-P13", "DDB-R13"),
    ("amount-too-small", "DDB-P12", "DDB-R10 G-07 chip_unit G-04 DDB-P20"),
    ("double-above-wager one-card-after-double double-needs-two-cards", "DDB-P12", "DDB-R10"),
    ("insurance-above-half", "DDB-P20", "DDB-R15"),
    ("natural-stands", "DDB-P9", "DDB-R08 DDB-P8 DDB-R23"),
    ("natural-not-doubled", "DDB-P12", "DDB-P9 DDB-R08"),
    ("twenty-one-stands", "DDB-R23", "G-21 DDB-P12"),
    ("bust-is-final", "DDB-P2", "DDB-R02 G-20"),
    ("after-standing", "DDB-P11", "G-05"),
    ("hand-is-dead", "G-02", "DDB-R18"),
    ("no-more-cards", "DDB-R18", "FBB-11-d G-16"),
    ("total-not-doubled", "DDB-P12", "DDB-R11 DDB-P13 soft_double"),
    ("split-ace-has-its-card aces-split-once", "DDB-P15", "DDB-R13"),
    ("not-a-pair", "DDB-P13", "DDB-R12 DDB-P14 split_by"),
    ("split-limit", "DDB-P14", "DDB-R13"),
    ("insurance-needs-ace insurance-closed", "DDB-P19", "DDB-R15"),
    ("even-money-not-offered even-money-needs-natural", "DDB-R15", "DDB-P19 even_money"),
    ("surrender-not-offered", "DDB-R20", ""),
    ("remedy-foreign reader-works reader-broken", "DDB-R18", ""),
    ("nobody-let-out", "allow_players_out", "DDB-R18 G-10"),
    ("nothing-to-cure", "DDB-R18", "G-17 G-16"),
    ("reader-stops-the-table", "DDB-R18", "FBB-11-k FBB-R22"),
    ("mid-shoe", "DDB-P22", ""),
    ("card-used-up", "DDB-P0", ""),
    ("cards-are-inspected decks-awaited", "G-30", ""),
    ("not-washed washed-late no-plug no-riffle no-turn no-strip no-cut strip-too-early \
     turn-not-riffled cut-not-last cut-outside-bounds recut-too-late shuffle-awaited cut-awaited \
     burn-awaited reveal-awaited", "DDB-R17", ""),
    ("inspection-awaited", "G-14", ""),
];
