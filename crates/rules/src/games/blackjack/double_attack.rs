//! Double Attack Blackjack: what its book says differently.

use super::book::{Book, Busts, Cites, Cost, HoleCard, SplitStake, Stage};
use super::hand::{Dealer, Hand, Points};
use crate::book::{
    Cures, DealerMissed, DealerStep, Deck, Handling, HoleSeen, Kind, Refusals, RuleBook,
    SecondFaceUp, ShufflerFault, Totals, Wash,
};
use crate::card::Rank;
use crate::games::{IN_CASINO_WAR, Pay, side_wager};
use crate::money::Odds;
use crate::refusal::Result;
use crate::round::Call::{Attack, Double, Hit, Insure, Split, Stand, Surrender};
use crate::round::{Decision, Ruling, Why};
use crate::terms::{AddedWager, TermSheet};
use crate::wager::{BoxesPerPerson, Circle, Game, SideWager};

/// The options of Double Attack Blackjack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DoubleAttack {
    hole_card: HoleCard,
    seven_seats: bool,
    attack_amount: AddedWager,
    split_stake: SplitStake,
    busts: Busts,
    second_card_always: bool,
    exposed_hole_voids: bool,
    surrender_natural: bool,
    surrender_at_once_after_reader: bool,
}

impl Book for DoubleAttack {
    const GAME: Game = Game::DoubleAttack;
    const RULE_BOOK: &'static RuleBook = RULE_BOOK;
    const SIDE: Option<Circle> = Some(Circle::Bonus);
    /// The dealer's card first, then the offer to attack (DAB-7-d, DAB-R02).
    const ATTACK: bool = true;
    /// On the first two cards and later, not after standing (DAB-8-a).
    const SURRENDER: bool = true;
    /// At the end, like everything else (DAB-5-e, DAB-R21).
    const NATURAL_PAID_IN_TURN: bool = false;
    /// As with a hole card that nobody looks at (DAB-15-n, DAB-R31).
    const PLAYS_WITHOUT_READER: bool = true;
    /// Even money, also against a dealer's 21 in three or more cards (DAB-5-a-3, DAB-5-e).
    const NATURAL: (Odds, &'static str) = (Odds::EVEN, "DAB-5-a-3");
    const INSURANCE: (Odds, &'static str) = (Odds::to(5, 2), "DAB-11-c");
    const CITES: Cites = Cites {
        bust: "G-20",
        dealer_bust: "DAB-5-a-1",
        higher: "DAB-5-a-2",
        equal: "DAB-5-b",
        lower: "DAB-5-e",
        both_naturals: "DAB-5-b",
        dealer_natural: "DAB-5-b",
        attack_returned: "DAB-5-b",
        double_returned: "DAB-9-c",
        split_returned: "DAB-10-d",
        insurance_lost: "DAB-11-d",
        even_money: "DAB-R21",
        dead: "DAB-15-i",
        released: "DAB-15-a",
    };

    fn read(sheet: &TermSheet) -> DoubleAttack {
        DoubleAttack {
            // DAB-7-g, DAB-7-i, DAB-R03
            hole_card: match sheet.word("dealing_mode") {
                "no_hole_card" => HoleCard::None,
                "hole_card" => HoleCard::Unseen,
                _ => HoleCard::Reader,
            },
            seven_seats: sheet.count("seats") == 7,
            attack_amount: sheet.added_wager("double_attack_amount"),
            split_stake: match sheet.word("split_double_attack") {
                "initial_only" => SplitStake::InitialOnly,
                _ => SplitStake::MatchBoth,
            },
            busts: match sheet.word("bust_then_dealer_natural") {
                "bust_final" => Busts::Final,
                _ => Busts::OriginalsOnly,
            },
            second_card_always: sheet.is_on("deal_second_card_always"),
            exposed_hole_voids: sheet.word("exposed_hole") == "void",
            surrender_natural: sheet.is_on("surrender_on_natural"),
            surrender_at_once_after_reader: sheet.is_on("reader_immediate_surrender"),
        }
    }

    /// The bonus: at least a dollar, at most the player's initial wager and the house maximum
    /// (DAB-6-a, DAB-R17).
    #[doc(alias("DAB-6-b", "DAB-6-b-1", "DAB-6-b-2"))]
    fn side_wager(sheet: &TermSheet) -> Option<SideWager> {
        Some(SideWager { up_to_main: true, ..side_wager(sheet, Circle::Bonus) })
    }

    fn side_pays(_: &TermSheet) -> Vec<Pay> {
        let lines = BONUS.iter().map(|(_, pay)| *pay);
        lines.chain([COLOURED_EIGHTS, SUITED_EIGHTS]).collect()
    }

    /// One to three.
    #[doc(alias = "DAB-13-a")]
    fn bettors(sheet: &TermSheet) -> u8 {
        sheet.count("max_bettors_per_box")
    }

    /// As many as the house allows (G-29).
    #[doc(alias = "DAB-14")]
    fn boxes(sheet: &TermSheet) -> BoxesPerPerson {
        BoxesPerPerson { most: sheet.count("max_boxes_per_player"), adjacent: false }
    }

    fn hole_card(&self) -> HoleCard {
        self.hole_card
    }

    /// On any number of cards (DAB-R10).
    #[doc(alias = "DAB-9-a")]
    fn double(&self, _: Hand) -> Result<Cost> {
        Ok(Cost::Paid)
    }

    /// Three hands at seven positions, four at six or fewer (DAB-R11).
    #[doc(alias = "DAB-10-c")]
    fn most_hands(&self) -> u8 {
        if self.seven_seats { 3 } else { 4 }
    }

    /// The bonus is decided by two cards of 17 or more, or else by the third card, before any other
    /// wager (DAB-6-d-1, DAB-R14, DAB-R18).
    #[doc(alias("DAB-6-a", "DAB-6-d", "DAB-6-d-2"))]
    fn side(&self, dealer: Dealer, _: Stage) -> Option<Decision> {
        let lost = (Ruling::Take, Why::PayTable.by("DAB-6-d-1"));
        match dealer.cards() {
            2 if dealer.points().total() >= 17 => Some(lost),
            3 if dealer.points().is_bust() => Some(bonus_line(dealer).decision()),
            3 => Some(lost),
            _ => None,
        }
    }

    fn attack_amount(&self) -> AddedWager {
        self.attack_amount
    }

    fn split_stake(&self) -> SplitStake {
        self.split_stake
    }

    fn second_card_always(&self) -> bool {
        self.second_card_always
    }

    fn busts(&self) -> Busts {
        self.busts
    }

    /// As the house says (DAB-R32).
    fn exposed_hole_voids(&self) -> bool {
        self.exposed_hole_voids
    }

    fn surrender_natural(&self) -> bool {
        self.surrender_natural
    }

    fn surrender_at_once_after_reader(&self) -> bool {
        self.surrender_at_once_after_reader
    }
}

/// What a dealer's bust with three cards pays, by the value of the third card (DAB-6-d-2, DAB-R15).
const BONUS: [(u8, Pay); 5] = [
    (
        6,
        bonus(
            "bust-six",
            "the dealer busts with a third card of six",
            "bust with a six",
            15,
            "DAB-6-d-2-T5",
        ),
    ),
    (
        7,
        bonus(
            "bust-seven",
            "the dealer busts with a third card of seven",
            "bust with a seven",
            10,
            "DAB-6-d-2-T4",
        ),
    ),
    (
        8,
        bonus(
            "bust-eight",
            "the dealer busts with a third card of eight",
            "bust with an eight",
            8,
            "DAB-6-d-2-T3",
        ),
    ),
    (
        9,
        bonus(
            "bust-nine",
            "the dealer busts with a third card of nine",
            "bust with a nine",
            6,
            "DAB-6-d-2-T2",
        ),
    ),
    (
        10,
        bonus(
            "bust-ten",
            "the dealer busts with a third card worth ten",
            "bust with a ten",
            3,
            "DAB-6-d-2-T1",
        ),
    ),
];
/// Three eights of one suit, which are also of one colour (DAB-6-d-3, DAB-R16).
const SUITED_EIGHTS: Pay = bonus(
    "suited-eights",
    "three eights of one suit",
    "three eights of one suit",
    200,
    "DAB-6-d-3-T2",
);
/// Three eights of one colour.
const COLOURED_EIGHTS: Pay = bonus(
    "coloured-eights",
    "three eights of one colour",
    "three eights of one colour",
    50,
    "DAB-6-d-3-T1",
);

const fn bonus(
    code: &'static str,
    what: &'static str,
    brief: &'static str,
    pays: u32,
    clause: &'static str,
) -> Pay {
    Pay::new(Circle::Bonus, code, what, Odds::to(pays, 1), clause).briefly(brief)
}

/// The pay-table line of a dealer's bust with three cards.
#[doc(alias("DAB-6-d-2", "DAB-6-d-3"))]
fn bonus_line(dealer: Dealer) -> Pay {
    let all_eights = dealer.first_three().iter().flatten().all(|card| card.is(Rank::Eight));
    if all_eights && dealer.is_one_suit() {
        return SUITED_EIGHTS;
    }
    if all_eights && dealer.is_one_colour() {
        return COLOURED_EIGHTS;
    }
    let third = dealer.third().map_or(0, Points::pips);
    let line = BONUS.iter().find(|(value, _)| *value == third);
    line.expect("a third card of less than six busts no hand under 17").1
}

/// What the rule book says apart from how a round is played.
#[doc(alias("DAB-3-c", "DAB-4-b-2", "DAB-4-j"))]
#[rustfmt::skip]
const RULE_BOOK: &RuleBook = &RuleBook {
    name: "double-attack",
    short: "attack",
    title: "Double Attack Blackjack",
    prefix: "DAB",
    clauses: include_str!("../../../rulebook/double-attack.csv"),
    deck: Deck { clause: "DAB-2-a", count: None, without: Some(Rank::Ten) },
    handling: Handling {
        burned: 1, // DAB-7-c
        every_round: false,
        two_batches: false,
        machine_replaces_cut: true, // DAB-4-b-1; cards shuffled elsewhere are cut, DAB-4-b-2
        cut_leaves_a_deck: true,    // DAB-4-f
        recut_from_shoe: true,      // DAB-4-g
        washes_new: Wash::Always,   // DAB-3-c
        washes_idle: Wash::Always,  // DAB-4-j
        shows_burn: true,           // DAB-7-c
        hours_of_decks: None,
    },
    notes: &[
        (DealerStep::Receive, "Take the decks and the record of their inspection and shuffle.", "DAB-3-a"),
        (DealerStep::Spread, "See that all tens have been removed and verified; spread each deck by itself, by suit and in sequence.", "DAB-3-b"),
        (DealerStep::Hand, "Plug, riffle, strip after two riffles, turn one half around and riffle, and cut last.", "DAB-4-k"),
        (DealerStep::Machine, "The machine stacks the cards, and the stack goes straight into the shoe.", "DAB-4-b-1"),
        (DealerStep::Offer, "Offer the stack, its backs away from you, and the cut card.", "DAB-4-c"),
        (DealerStep::Cut, "Cut for the table, a deck or more from either end.", "DAB-4-f"),
        (DealerStep::Burn, "Put the first card face down into the discard rack to your right.", "DAB-7-c"),
        (DealerStep::Burn, "The shoe stands to your left.", "DAB-7-a"),
        (DealerStep::Wagers, "On a shared box the player who decides bets nearest to you, the others in line behind.", "DAB-13-c"),
        (DealerStep::Card, "Draw with the left hand, turn up, place with the right; hits to the first two boxes may come from the left.", "DAB-7-b"),
        (DealerStep::Hole, "Lay your hole card face down, and do not look at it.", "DAB-7-i"),
        (DealerStep::Acts, "Announce each total from your left; players are responsible for their own count.", "DAB-7-l"),
        (DealerStep::Peek, "Slide the hole card into the reader face down; nobody may see it, not even you.", "DAB-7-i"),
        (DealerStep::Turn, "Turn your hole card up.", "DAB-7-i"),
        (DealerStep::Retire, "Put the cards left in the shoe into the rack too, to be sure that none is missing.", "DAB-7-j-2"),
    ],
    circles: &[
        (Circle::Main, "Bet"),
        (Circle::Double, "Double"),
        (Circle::Attack, "Double attack"),
        (Circle::Bonus, "Bonus"),
        (Circle::Insurance, "Insurance"),
        (Circle::Split, "Split"),
    ],
    forbids_side_wagers: false,
    calls: &[Hit, Stand, Double, Split, Surrender, Attack, Insure],
    totals: Totals::Everyones, // DAB-7-e, DAB-7-f, DAB-7-g
    says_blackjack: false,
    closes_again: None,
    cures: Cures {
        wrong_count_voids: false,
        open_card_goes_round: true,           // DAB-15-f
        second_face_up: SecondFaceUp::Undone, // DAB-15-b
        face_up_by_round: false,
        dealer_missed: DealerMissed::FirstVoids, // DAB-15-e, DAB-R27
        hole_seen: HoleSeen::StaysOpenOrLeave,   // DAB-R32
        shuffler_fault: ShufflerFault::RestartOrRemove, // DAB-15-k, DAB-15-l
    },
    irregularities: &[
        (Kind::Misdealt, "DAB-15-a"), (Kind::FaceUp, "DAB-15-b"), (Kind::Ten, "DAB-15-c"),
        (Kind::DrawnUnseen, "DAB-15-d"), (Kind::DrawnSeen, "DAB-15-f"), (Kind::Overdraw, "DAB-15-g"),
        (Kind::DealerMissed, "DAB-15-e"), (Kind::NoCard, "DAB-15-i"), (Kind::OneCard, "DAB-15-i"),
        (Kind::MissedHit, "DAB-15-j"), (Kind::ShufflerFault, "DAB-15-k"),
        (Kind::ReaderMisused, "DAB-15-m"), (Kind::ReaderBroken, "DAB-15-n"),
        (Kind::BurnForgotten, "DAB-15-o"), (Kind::HoleSeen, "DAB-R32"), (Kind::BadCut, "DAB-4-g"),
    ],
    refusals: REFUSALS,
    never_refused: &[IN_CASINO_WAR,
        "boxes-apart side-wagers-prohibited side-wager-not-offered free-double-takes-no-amount \
         double-closed total-not-doubled double-needs-two-cards even-money-needs-natural \
         surrender-not-offered reader-stops-the-table burn-stays-hidden other-hole \
         already-answered"],
};

/// What each refusal rests on: codes, deciding source, see also.
#[rustfmt::skip]
const REFUSALS: Refusals = &[
    ("bets-closed", "DAB-5-d", "DAB-5-f DAB-6-b DAB-7-d DAB-1-initial-wager DAB-R02"),
    ("round-not-started",
        "DAB-1-initial-wager", "DAB-7-d DAB-7-e DAB-1-double-attack-wager DAB-R02"),
    ("main-wager-missing", "DAB-1-initial-wager", "DAB-6-b DAB-R17"),
    ("no-such-seat", "seats", "G-26 DAB-R11 DAB-10-c"),
    ("box-not-shared", "DAB-13-a", "DAB-R28 max_bettors_per_box"),
    ("box-has-no-first-bettor", "DAB-13-a", "DAB-13-b DAB-R28"),
    ("too-many-boxes", "DAB-14", "G-29 max_boxes_per_player"),
    ("circle-not-open",
        "DAB-5-d", "DAB-7-d DAB-R02 DAB-1-double-attack-wager DAB-9-a DAB-10-a DAB-11-b"),
    ("off-chip-unit", "chip_unit", "G-04 G-07 DAB-11-b"),
    ("below-table-minimum", "main_min", "G-07 DAB-1-initial-wager"),
    ("below-side-minimum", "DAB-6-b", "side_min G-07 DAB-R17"),
    ("above-side-maximum", "DAB-6-b-2", "side_max DAB-6-b DAB-6-b-1 G-07 DAB-R17"),
    ("bonus-above-initial", "DAB-6-b-1", "DAB-6-b DAB-R17"),
    ("above-rack", "G-07", "DAB-10-a DAB-9-a DAB-7-d DAB-11-b DAB-R01 DAB-R05 DAB-R10"),
    ("not-awaited round-over", "DAB-7-d", "DAB-7-g DAB-7-i DAB-15-m DAB-R03 dealing_mode"),
    ("out-of-turn", "DAB-7-e", "DAB-10-b DAB-7-i DAB-1-initial-wager G-05"),
    ("not-in-the-round", "DAB-1-initial-wager", "DAB-7-e DAB-7-d"),
    ("call-foreign not-open-now", "DAB-7-e", "DAB-R21 DAB-7-d DAB-8-a DAB-R09 DAB-11-b"),
    ("card-not-in-deck", "DAB-2-a", "DAB-15-c DAB-R30"),
    ("reader-contradicted", "DAB-7-i", "FBB-1-card-reader"),
    ("amount-not-taken", "G-07", "DAB-8-a DAB-R09"),
    ("split-takes-no-amount", "DAB-10-a", "DAB-R05"),
    ("amount-too-small",
        "DAB-1-double-attack-wager", "DAB-R01 DAB-7-d DAB-R10 DAB-9-a DAB-11-b G-07 chip_unit G-04"),
    ("double-above-wager", "DAB-9-a", "DAB-R10 DAB-13-d DAB-R28"),
    ("attack-above-initial", "DAB-1-double-attack-wager", "DAB-R01 DAB-7-d DAB-13-e"),
    ("insurance-above-half", "DAB-11-b", "DAB-R22"),
    ("natural-stands", "DAB-12-a-1", "DAB-R09 DAB-12-a DAB-8-a surrender_on_natural"),
    ("natural-not-doubled", "DAB-9-a", "DAB-R10 DAB-12-a-1"),
    ("twenty-one-stands", "DAB-12-a-1", "DAB-12-a DAB-R24 G-21 DAB-R09 DAB-R10 DAB-8-a DAB-9-a"),
    ("bust-is-final", "G-20", "DAB-R09 DAB-12-a DAB-8-a"),
    ("one-card-after-double", "DAB-12-a-2", "DAB-9-a DAB-R10"),
    ("after-standing", "DAB-8-a", "DAB-R09 DAB-7-e"),
    ("after-surrender", "DAB-8-a", "DAB-R09"),
    ("hand-is-dead", "G-02", "DAB-15-i DAB-15-j"),
    ("no-more-cards", "DAB-15-f", "G-16"),
    ("split-ace-has-its-card aces-split-once", "DAB-10-e", "DAB-R13 DAB-R10"),
    ("not-a-pair", "DAB-10-a", "DAB-R12 DAB-10-c"),
    ("split-limit", "DAB-10-c", "DAB-R11"),
    ("insurance-needs-ace", "DAB-11-a", "DAB-11-b"),
    ("insurance-closed", "DAB-11-b", "DAB-R22 DAB-5-g DAB-5-d"),
    ("even-money-not-offered", "DAB-R21", ""),
    ("attack-closed", "DAB-7-d", "DAB-5-d DAB-1-double-attack-wager DAB-R02 DAB-5-f"),
    ("not-the-decider", "DAB-13-b", "DAB-13-d DAB-13-e DAB-13-f DAB-R28"),
    ("remedy-foreign", "DAB-15-a", "G-10 DAB-15-n"),
    ("nobody-let-out", "allow_players_out", "DAB-15-a G-10"),
    ("nothing-to-cure", "DAB-15-j", "DAB-15-i DAB-15-f G-17 G-16"),
    ("round-is-void-instead", "DAB-15-e", "DAB-R27"),
    ("wager-in-play circle-twice own-meter", "DAB-5-d", ""),
    ("no-wagers nothing-to-clear", "DAB-1-initial-wager", ""),
    ("own-box no-consent has-consent", "DAB-13-a", ""),
    ("mid-shoe", "DAB-5-h", ""),
    ("not-barred", "DAB-5-h", "G-25"),
    ("card-used-up", "DAB-2-a", ""),
    ("are-pre-shuffled decks-awaited", "DAB-3-a", ""),
    ("no-round-yet reveal-awaited", "DAB-4-h", ""),
    ("not-washed washed-late", "DAB-3-c", ""),
    ("no-plug", "DAB-4-k-1", ""),
    ("no-riffle", "DAB-4-k-2", ""),
    ("no-turn turn-not-riffled", "DAB-4-k-3", ""),
    ("no-strip strip-too-early", "DAB-4-k-4", ""),
    ("no-cut cut-not-last", "DAB-4-k-5", ""),
    ("cut-outside-bounds", "DAB-4-f", ""),
    ("recut-too-late", "DAB-4-g", ""),
    ("reader-works reader-broken", "DAB-15-n", ""),
    ("inspection-awaited", "DAB-3-b", ""),
    ("shuffle-awaited", "DAB-4-a", ""),
    ("cut-awaited", "DAB-4-d", ""),
    ("burn-awaited", "DAB-7-c", ""),
];
