//! What the rule book of Double Down Stud says besides how a round is played.

use crate::book::{Cards, Refusals, RuleBook};
use crate::round::Call;
use crate::wager::Circle;

/// The rule book of Double Down Stud.
pub(crate) const RULE_BOOK: &RuleBook = &RuleBook {
    name: "double-down-stud",
    title: "Double Down Stud",
    prefix: "DDS",
    clauses: include_str!("../../../rulebook/double-down-stud.csv"),
    cards: Cards { clause: "DDS-2-a", decks: Some(1), without: None },
    circles: &[(Circle::Main, "Original"), (Circle::Double, "Double")],
    forbids_side_wagers: false,
    calls: &[Call::Double, Call::Pass],
    refusals: REFUSALS,
    never_refused: NEVER_REFUSED,
}
.checked();

/// Code, deciding source and see also of each refusal.
#[rustfmt::skip]
const REFUSALS: Refusals = &[
    ("bets-closed", "DDS-6-b", "DDS-8-a-2-iv DDS-8-a-1 DDS-8-c DDS-R02"),
    ("round-not-started", "DDS-8-d", "DDS-1-double-down-wager DDS-1-round DDS-6-b"),
    ("main-wager-missing", "DDS-6-b", "DDS-1-round"),
    ("no-such-seat", "seats", "G-26 DDS-R18"),
    ("box-not-shared", "G-31", ""),
    ("too-many-boxes", "DDS-6-c", "DDS-R10 G-29 max_boxes_per_player"),
    ("boxes-apart", "DDS-6-c", "DDS-R10 G-29 max_boxes_per_player"),
    ("circle-not-open", "DDS-6-b", "DDS-8-d DDS-1-double-down-wager"),
    ("off-chip-unit", "chip_unit", "G-04 G-07"),
    ("below-table-minimum", "main_min", "G-07 DDS-6-b"),
    ("above-table-maximum", "main_max", "G-07"),
    ("above-rack", "G-07", "DDS-8-d DDS-1-double-down-wager DDS-R01"),
    ("not-awaited", "DDS-1-round", "DDS-8-e DDS-8-d DDS-8-c DDS-1-hole-card"),
    ("round-over", "DDS-1-round", "DDS-8-e DDS-8-d DDS-8-c DDS-1-hole-card"),
    ("not-in-the-round", "DDS-6-b", "DDS-8-d DDS-1-round"),
    ("already-answered", "DDS-6-b", "DDS-8-d DDS-1-double-down-wager"),
    ("call-foreign", "DDS-8-d", ""),
    ("not-open-now", "DDS-8-d", ""),
    ("amount-not-taken", "DDS-8-d", "G-07"),
    ("amount-too-small", "DDS-1-double-down-wager", "DDS-R01 G-07 chip_unit G-04 DDS-8-d"),
    ("double-above-wager", "DDS-1-double-down-wager", "DDS-R01 DDS-8-d"),
    ("double-closed", "DDS-8-d", "DDS-1-double-down-wager DDS-6-b DDS-8-e DDS-1-round"),
    ("remedy-foreign", "DDS-R15", "DDS-11-d DDS-R11"),
    ("nothing-to-cure", "DDS-11-a", "DDS-R17 DDS-R11"),
    ("round-is-void-instead", "DDS-11-d", "DDS-11-a DDS-R11 DDS-R15 DDS-R17 G-10"),
];

/// The codes of refusals that never happen in this game.
#[rustfmt::skip]
const NEVER_REFUSED: &[&str] = &[
    "box-has-no-first-bettor", "side-wagers-prohibited", "side-wager-not-offered",
    "progressive-not-offered", "progressive-off-five", "progressive-not-five", "below-side-minimum",
    "above-side-maximum", "bonus-above-initial", "out-of-turn", "card-not-in-deck",
    "reader-contradicted", "split-takes-no-amount", "free-double-takes-no-amount",
    "attack-above-initial", "insurance-above-half", "not-tied", "tie-decided", "natural-stands",
    "natural-not-doubled", "twenty-one-stands", "bust-is-final", "one-card-after-double",
    "after-standing", "after-surrender", "hand-is-dead", "no-more-cards", "total-not-doubled",
    "double-needs-two-cards", "split-ace-has-its-card", "not-a-pair", "split-limit",
    "aces-split-once", "insurance-needs-ace", "insurance-closed", "even-money-not-offered",
    "even-money-needs-natural", "attack-closed", "surrender-not-offered", "not-the-decider",
    "nobody-let-out", "reader-stops-the-table",
];
