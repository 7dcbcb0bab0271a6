//! What the rule book of Casino War says besides how a round is played.

use crate::book::{Cards, Refusals, RuleBook};
use crate::round::Call;
use crate::wager::Circle;

/// The rule book of Casino War.
pub(crate) const RULE_BOOK: &RuleBook = &RuleBook {
    name: "casino-war",
    title: "Casino War",
    prefix: "CW",
    clauses: include_str!("../../../rulebook/casino-war.csv"),
    cards: Cards { clause: "CW-2-a", decks: None, without: None },
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
    refusals: REFUSALS,
    never_refused: NEVER_REFUSED,
}
.checked();

/// Code, deciding source and see also of each refusal.
#[rustfmt::skip]
const REFUSALS: Refusals = &[
    ("bets-closed", "CW-6-b", "CW-7-b CW-1-initial-wager CW-1-tie-wager CW-R22"),
    ("round-not-started", "CW-1-initial-wager", "CW-8-c CW-1-war"),
    ("main-wager-missing", "CW-1-initial-wager", "CW-1-tie-wager CW-R05 CW-R22"),
    ("no-such-seat", "seats", "G-26"),
    ("box-not-shared", "G-31", "CW-R25"),
    ("circle-not-open", "CW-6-b",
        "CW-8-e CW-8-c-2 CW-1-war CW-1-war-deal CW-1-war-wager CW-1-tie-wager CW-11-envy-a CW-R05"),
    ("progressive-not-offered", "CW-11-a", "CW-R22 progressive_offered"),
    ("progressive-off-five", "CW-11-c-N2", "CW-R18 progressive_stakes chip_unit G-04"),
    ("progressive-not-five", "CW-11-c-N2", "CW-R18 progressive_stakes chip_unit G-04"),
    ("off-chip-unit", "chip_unit", "G-04 G-07 CW-R18 CW-R05"),
    ("below-table-minimum", "main_min", "G-07 CW-1-initial-wager"),
    ("above-table-maximum", "main_max", "G-07"),
    ("below-side-minimum", "side_min", "G-07 CW-R05 CW-1-tie-wager CW-8-e chip_unit G-04"),
    ("above-side-maximum", "side_max", "G-07 CW-R05 CW-R18 CW-1-tie-wager CW-8-e CW-11-c-N2"),
    ("above-rack", "G-07", "CW-R04 CW-8-c-2 CW-1-war-wager CW-R05 CW-8-e"),
    ("not-awaited", "CW-1-round", "CW-8-c"),
    ("round-over", "CW-1-round", "CW-8-c"),
    ("not-in-the-round", "CW-1-initial-wager", "CW-8-c"),
    ("already-answered", "CW-6-b", "CW-8-c CW-8-c-1 CW-8-c-2 CW-R26"),
    ("call-foreign", "CW-8-c", "CW-1-war CW-1-round"),
    ("amount-not-taken", "CW-8-c-1", "G-07"),
    ("amount-too-small", "side_min", "G-07 CW-R05 CW-1-tie-wager CW-8-e chip_unit G-04"),
    ("not-tied", "CW-8-c", "CW-1-war CW-8-a-3 CW-1-tie-hand CW-8-c-1 CW-8-c-2 CW-1-round"),
    ("tie-decided", "CW-8-c", "CW-R07 CW-8-c-1 CW-1-war CW-1-round CW-6-b"),
    ("remedy-foreign", "CW-10-a", "G-10 CW-R12"),
    ("nobody-let-out", "allow_players_out", "CW-10-a G-10"),
    ("nothing-to-cure", "CW-10-d", "CW-R12 G-10"),
];

/// The codes of refusals that never happen in this game.
#[rustfmt::skip]
const NEVER_REFUSED: &[&str] = &[
    "box-has-no-first-bettor", "too-many-boxes", "boxes-apart", "side-wagers-prohibited",
    "side-wager-not-offered", "bonus-above-initial", "out-of-turn", "not-open-now",
    "card-not-in-deck", "reader-contradicted", "split-takes-no-amount",
    "free-double-takes-no-amount", "double-above-wager", "attack-above-initial",
    "insurance-above-half", "double-closed", "natural-stands", "natural-not-doubled",
    "twenty-one-stands", "bust-is-final", "one-card-after-double", "after-standing",
    "after-surrender", "hand-is-dead", "no-more-cards", "total-not-doubled",
    "double-needs-two-cards", "split-ace-has-its-card", "not-a-pair", "split-limit",
    "aces-split-once", "insurance-needs-ace", "insurance-closed", "even-money-not-offered",
    "even-money-needs-natural", "attack-closed", "surrender-not-offered", "not-the-decider",
    "round-is-void-instead", "reader-stops-the-table",
];
