//! What the rule book of Casino War says apart from how a round is played.

use crate::book::{
    ClosesAgain, Cures, DealerMissed, DealerStep, Deck, Handling, HoleSeen, Kind, Refusals,
    RuleBook, SecondFaceUp, ShufflerFault, Totals, Wash,
};
use crate::games::IN_BLACKJACK;
use crate::round::Call;
use crate::wager::Circle;

/// The rule book of Casino War.
#[doc(alias("CW-2-d", "CW-4-c", "CW-4-d", "CW-5-h-1"))]
#[rustfmt::skip]
pub(crate) const RULE_BOOK: &RuleBook = &RuleBook {
    name: "casino-war",
    short: "war",
    title: "Casino War",
    prefix: "CW",
    clauses: include_str!("../../../rulebook/casino-war.csv"),
    deck: Deck { clause: "CW-2-a", count: None, without: None },
    handling: Handling {
        burned: 1, // CW-7-a
        every_round: false,
        two_batches: true, // CW-2-d
        machine_replaces_cut: false,
        cut_leaves_a_deck: true,   // CW-5-e
        recut_from_shoe: true,     // CW-R11
        washes_new: Wash::ByHand,  // CW-4-c, CW-4-d: the batches of a machine are stacked, no more
        washes_idle: Wash::ByHand, // CW-5-h-1
        shows_burn: false,         // CW-1-burn-card
        hours_of_decks: None,
    },
    notes: &[
        (DealerStep::Receive, "Take the decks and the record of their inspection and shuffle.", "CW-4-a"),
        (DealerStep::Spread, "Spread the cards face up, by suit and in sequence.", "CW-4-b"),
        (DealerStep::Hand, "Plug, riffle, strip after two riffles, turn one half around and riffle, and cut last.", "CW-5-i"),
        (DealerStep::Machine, "Stack the cards and put them into the machine.", "CW-5-a"),
        (DealerStep::Batch, "Keep the batches apart: their backs differ in colour.", "CW-2-d-3"),
        (DealerStep::Offer, "Offer the stack, its backs away from you, and the cut card.", "CW-5-b"),
        (DealerStep::Cut, "Cut for the table, a deck or more from either end.", "CW-5-e"),
        (DealerStep::Burn, "Put the first card face down into the discard rack; nobody sees it.", "CW-7-a"),
        (DealerStep::Burn, "The shoe stands to your left.", "CW-2-b"),
        (DealerStep::Cover, "A second cut card hides the last card of the stack.", "CW-2-c"),
        (DealerStep::Card, "Draw with the left hand, place face up with the right.", "CW-7-b"),
        (DealerStep::Acts, "Go counterclockwise; leave tied cards exposed, and see that each war wager is placed.", "CW-8-e"),
        (DealerStep::WarBurn, "Three cards go face down into the discard rack.", "CW-8-f"),
        (DealerStep::WarCard, "Place the war card beside the first one.", "CW-8-f"),
        (DealerStep::Retire, "Collect all cards for the shuffle.", "CW-5-g"),
    ],
    circles: &[
        (Circle::Main, "Initial"),
        (Circle::Tie, "Tie"),
        (Circle::Progressive, "Progressive"),
        (Circle::War, "War"),
        (Circle::WarTie, "War tie"),
        (Circle::Envy, "Envy"),
    ],
    forbids_side_wagers: false,
    calls: &[Call::War, Call::Surrender],
    totals: Totals::None,
    says_blackjack: false,
    closes_again: Some(ClosesAgain::War), // CW-R23
    cures: Cures {
        wrong_count_voids: false,
        open_card_goes_round: false,          // CW-10-a
        second_face_up: SecondFaceUp::Undone, // CW-10-b
        face_up_by_round: false,
        dealer_missed: DealerMissed::PlaysOn,           // CW-R12
        hole_seen: HoleSeen::StaysOpen,                 // there is none
        shuffler_fault: ShufflerFault::RestartOrRemove, // CW-10-e
    },
    irregularities: &[
        (Kind::Misdealt, "CW-10-a"), (Kind::FaceUp, "CW-10-b"), (Kind::DrawnUnseen, "CW-10-c"),
        (Kind::DrawnSeen, "CW-10-a"), (Kind::DealerMissed, "CW-R12"), (Kind::NoCard, "CW-10-d"),
        (Kind::MissedHit, "CW-R12"), (Kind::ShufflerFault, "CW-10-e"), (Kind::BurnForgotten, "CW-10-f"),
        (Kind::BadCut, "CW-R11"),
    ],
    refusals: REFUSALS,
    never_refused: &[IN_BLACKJACK,
        "too-many-boxes boxes-apart not-open-now double-above-wager double-closed \
         round-is-void-instead other-hole"],
};

/// What each refusal rests on: codes, deciding source, see also.
#[rustfmt::skip]
const REFUSALS: Refusals = &[
    ("bets-closed", "CW-6-b", "CW-7-b CW-1-initial-wager CW-1-tie-wager CW-R22"),
    ("round-not-started", "CW-1-initial-wager", "CW-8-c CW-1-war"),
    ("main-wager-missing", "CW-1-initial-wager", "CW-1-tie-wager CW-R05 CW-R22"),
    ("box-not-shared", "G-31", "CW-R25"),
    ("circle-not-open",
        "CW-6-b", "CW-8-e CW-8-c-2 CW-1-war CW-1-war-deal CW-1-war-wager CW-1-tie-wager CW-11-envy-a CW-R05"),
    ("progressive-not-offered", "CW-11-a", "CW-R22 progressive_offered"),
    ("progressive-off-five progressive-not-five",
        "CW-11-c-N2", "CW-R18 progressive_stakes chip_unit G-04"),
    ("off-chip-unit", "chip_unit", "G-04 G-07 CW-R18 CW-R05"),
    ("below-table-minimum", "main_min", "G-07 CW-1-initial-wager"),
    ("below-side-minimum amount-too-small",
        "side_min", "G-07 CW-R05 CW-1-tie-wager CW-8-e chip_unit G-04"),
    ("above-side-maximum", "side_max", "G-07 CW-R05 CW-R18 CW-1-tie-wager CW-8-e CW-11-c-N2"),
    ("above-rack", "G-07", "CW-R04 CW-8-c-2 CW-1-war-wager CW-R05 CW-8-e"),
    ("not-awaited round-over", "CW-1-round", "CW-8-c"),
    ("not-in-the-round", "CW-1-initial-wager", "CW-8-c"),
    ("already-answered", "CW-6-b", "CW-8-c CW-8-c-1 CW-8-c-2 CW-R26"),
    ("call-foreign", "CW-8-c", "CW-1-war CW-1-round"),
    ("amount-not-taken", "CW-8-c-1", "G-07"),
    ("not-tied", "CW-8-c", "CW-1-war CW-8-a-3 CW-1-tie-hand CW-8-c-1 CW-8-c-2 CW-1-round"),
    ("tie-decided", "CW-8-c", "CW-R07 CW-8-c-1 CW-1-war CW-1-round CW-6-b"),
    ("remedy-foreign", "CW-10-a", "G-10 CW-R12"),
    ("nobody-let-out", "allow_players_out", "CW-10-a G-10"),
    ("nothing-to-cure", "CW-10-d", "CW-R12 G-10"),
    ("nothing-bought", "CW-6-a", ""),
    ("wager-in-play circle-twice", "CW-6-b", ""),
    ("no-wagers nothing-to-clear", "CW-1-initial-wager", ""),
    ("supervisor-decides not-overdue", "tie_timeout", ""),
    ("own-meter", "CW-R19", ""),
    ("card-used-up", "CW-2-a", ""),
    ("are-pre-shuffled decks-awaited", "CW-4-a", ""),
    ("nothing-to-spread", "CW-5-h-2", ""),
    ("burn-stays-hidden", "CW-1-burn-card", ""),
    ("not-washed washed-late", "CW-4-c", ""),
    ("no-plug", "CW-5-i-1", ""),
    ("no-riffle", "CW-5-i-2", ""),
    ("no-turn turn-not-riffled", "CW-5-i-3", ""),
    ("no-strip strip-too-early", "CW-5-i-4", ""),
    ("no-cut cut-not-last", "CW-5-i-5", ""),
    ("cut-outside-bounds", "CW-5-e", ""),
    ("recut-too-late", "CW-R11", ""),
    ("inspection-awaited", "CW-4-b", ""),
    ("shuffle-awaited", "CW-5-a", ""),
    ("cut-awaited", "CW-5-c", ""),
    ("burn-awaited", "CW-7-a", ""),
    ("reveal-awaited", "CW-5-g", ""),
];
