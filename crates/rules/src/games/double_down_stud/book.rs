//! What the rule book of Double Down Stud says apart from how a round is played.

use crate::book::{
    ClosesAgain, Cures, DealerMissed, DealerStep, Deck, Handling, HoleSeen, Kind, Refusals,
    RuleBook, SecondFaceUp, ShufflerFault, Totals, Wash,
};
use crate::games::{IN_BLACKJACK, IN_CASINO_WAR};
use crate::round::Call;
use crate::wager::Circle;

/// The rule book of Double Down Stud.
#[doc(alias("DDS-3-c", "DDS-4-g", "DDS-8-a-2-i"))]
#[rustfmt::skip]
pub(crate) const RULE_BOOK: &RuleBook = &RuleBook {
    name: "double-down-stud",
    short: "stud",
    title: "Double Down Stud",
    prefix: "DDS",
    clauses: include_str!("../../../rulebook/double-down-stud.csv"),
    deck: Deck { clause: "DDS-2-a", count: Some(1), without: None },
    handling: Handling {
        burned: 0,          // DDS-R09
        every_round: true,  // DDS-4-a, DDS-8-a-2-i: whether or not cards also come from it
        two_batches: false, // the house chooses: `second_deck`
        machine_replaces_cut: false,
        cut_leaves_a_deck: false,  // DDS-4-e
        recut_from_shoe: true,     // DDS-4-f
        washes_new: Wash::Always,  // DDS-3-c
        washes_idle: Wash::Always, // DDS-4-g
        shows_burn: false,
        hours_of_decks: None,
    },
    notes: &[
        (DealerStep::Spread, "Spread each deck face up by itself, by suit and in sequence.", "DDS-3-b"),
        (DealerStep::Machine, "Put the stacked deck into the machine.", "DDS-4-a"),
        (DealerStep::Batch, "Keep the two decks apart: their backs differ in colour.", "DDS-2-b-2"),
        (DealerStep::Offer, "Lay the stack on the cover card and offer it with the backs up.", "DDS-4-c"),
        (DealerStep::Cut, "Cut ten cards or more from either end.", "DDS-4-e"),
        (DealerStep::Card, "Draw with the left hand, place with the right.", "DDS-8-a-1"),
        (DealerStep::MachineCard, "Take the cards from the machine and keep those you hold over the chip tray.", "DDS-8-a-2-iii"),
        (DealerStep::Hole, "The first common card lies face down, so that nobody can see its face.", "DDS-8-b"),
        (DealerStep::Acts, "Double wagers go into their own area.", "DDS-8-d"),
        (DealerStep::Turn, "Turn the hidden card over.", "DDS-8-e"),
        (DealerStep::Retire, "The rest of the deck joins the last hand in the discard rack.", "DDS-9-c"),
    ],
    circles: &[(Circle::Main, "Original"), (Circle::Double, "Double")],
    forbids_side_wagers: false,
    calls: &[Call::Double, Call::Pass],
    totals: Totals::None,
    says_blackjack: false,
    closes_again: Some(ClosesAgain::Turn), // DDS-8-e
    cures: Cures {
        wrong_count_voids: true, // DDS-11-d, DDS-R11
        open_card_goes_round: false,
        second_face_up: SecondFaceUp::Undone, // DDS-11-b
        face_up_by_round: false,
        dealer_missed: DealerMissed::PlaysOn,   // a wrong count
        hole_seen: HoleSeen::VoidsUntilTurn,    // DDS-11-a, DDS-R17
        shuffler_fault: ShufflerFault::Restart, // DDS-11-e
    },
    irregularities: &[
        (Kind::Misdealt, "DDS-11-d"), (Kind::FaceUp, "DDS-11-b"), (Kind::DrawnUnseen, "DDS-11-c"),
        (Kind::DrawnSeen, "DDS-11-d"), (Kind::DealerMissed, "DDS-11-d"), (Kind::NoCard, "DDS-11-d"),
        (Kind::ShufflerFault, "DDS-11-e"), (Kind::HoleSeen, "DDS-11-a"), (Kind::BadCut, "DDS-4-f"),
    ],
    refusals: REFUSALS,
    never_refused: &[IN_BLACKJACK, IN_CASINO_WAR,
        "below-side-minimum above-side-maximum nobody-let-out cards-come-shuffled \
         are-pre-shuffled no-plug no-riffle no-turn no-strip no-cut strip-too-early \
         turn-not-riffled cut-not-last burn-awaited"],
};

/// What each refusal rests on: codes, deciding source, see also.
#[rustfmt::skip]
const REFUSALS: Refusals = &[
    ("bets-closed", "DDS-6-b", "DDS-8-a-2-iv DDS-8-a-1 DDS-8-c DDS-R02"),
    ("round-not-started", "DDS-8-d", "DDS-1-double-down-wager DDS-1-round DDS-6-b"),
    ("main-wager-missing", "DDS-6-b", "DDS-1-round"),
    ("no-such-seat", "seats", "G-26 DDS-R18"),
    ("box-not-shared", "G-31", ""),
    ("too-many-boxes boxes-apart", "DDS-6-c", "DDS-R10 G-29 max_boxes_per_player"),
    ("circle-not-open already-answered", "DDS-6-b", "DDS-8-d DDS-1-double-down-wager"),
    ("off-chip-unit", "chip_unit", "G-04 G-07"),
    ("below-table-minimum", "main_min", "G-07 DDS-6-b"),
    ("above-rack", "G-07", "DDS-8-d DDS-1-double-down-wager DDS-R01"),
    ("not-awaited round-over", "DDS-1-round", "DDS-8-e DDS-8-d DDS-8-c DDS-1-hole-card"),
    ("not-in-the-round", "DDS-6-b", "DDS-8-d DDS-1-round"),
    ("call-foreign not-open-now", "DDS-8-d", ""),
    ("amount-not-taken", "DDS-8-d", "G-07"),
    ("amount-too-small", "DDS-1-double-down-wager", "DDS-R01 G-07 chip_unit G-04 DDS-8-d"),
    ("double-above-wager", "DDS-1-double-down-wager", "DDS-R01 DDS-8-d"),
    ("double-closed", "DDS-8-d", "DDS-1-double-down-wager DDS-6-b DDS-8-e DDS-1-round"),
    ("remedy-foreign", "DDS-R15", "DDS-11-d DDS-R11"),
    ("nothing-to-cure", "DDS-11-a", "DDS-R17 DDS-R11"),
    ("round-is-void-instead", "DDS-11-d", "DDS-11-a DDS-R11 DDS-R15 DDS-R17 G-10"),
    ("nothing-bought", "DDS-6-a", ""),
    ("wager-in-play no-wagers nothing-to-clear circle-twice own-meter", "DDS-6-b", ""),
    ("card-used-up", "DDS-2-a", ""),
    ("cards-are-inspected decks-awaited", "DDS-3-a", ""),
    ("no-reshuffle", "G-27", ""),
    ("burn-stays-hidden", "DDS-R15", ""),
    ("other-hole", "DDS-R17", ""),
    ("other-method shuffle-awaited reveal-awaited", "DDS-4-a", ""),
    ("not-washed washed-late", "DDS-3-c", ""),
    ("cut-outside-bounds", "DDS-4-e", ""),
    ("recut-too-late", "DDS-4-f", ""),
    ("inspection-awaited", "DDS-3-b", ""),
    ("cut-awaited", "DDS-4-d", ""),
];
