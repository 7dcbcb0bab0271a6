//! Free Bet Blackjack: what its book says differently.

use super::book::{Book, Cites, Cost, HoleCard, SplitAces, Stage};
use super::hand::{Dealer, Hand, Points};
use crate::book::{
    Cures, DealerMissed, DealerStep, Deck, Handling, HoleSeen, Kind, Refusals, RuleBook,
    SecondFaceUp, ShufflerFault, Totals, Wash,
};
use crate::card::Card;
use crate::games::{IN_CASINO_WAR, Pay, side_wager};
use crate::money::Odds;
use crate::refusal::{Refusal, Result, ensure};
use crate::round::Call::{Double, EvenMoney, Hit, Insure, Split, Stand, Surrender};
use crate::round::{Decision, Ruling, Why};
use crate::terms::TermSheet;
use crate::wager::{BoxesPerPerson, Circle, Game, SideWager};

/// The options of Free Bet Blackjack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FreeBet {
    split_aces: SplitAces,
    even_money: bool,
    paytable_b: bool,
    collects_before_paying: bool,
}

impl Book for FreeBet {
    const GAME: Game = Game::FreeBet;
    const RULE_BOOK: &'static RuleBook = RULE_BOOK;
    const SIDE: Option<Circle> = Some(Circle::Push22);
    /// Naturals that are paid, and busts without lammers (FBB-6-h-1, FBB-7-e, FBB-9-c-1).
    const PICKS_UP_EARLY: bool = true;
    /// 3 to 2 (FBB-10-a).
    const NATURAL: (Odds, &'static str) = (Odds::to(3, 2), "FBB-6-h-1");
    const INSURANCE: (Odds, &'static str) = (Odds::to(2, 1), "FBB-10-b");
    const CITES: Cites = Cites {
        bust: "FBB-6-q-1",
        dealer_bust: "FBB-6-o-1",
        higher: "FBB-6-o-2",
        equal: "FBB-6-p",
        lower: "FBB-6-q-2",
        both_naturals: "FBB-6-g-1",
        dealer_natural: "FBB-6-g-2",
        attack_returned: "FBB-R18",
        double_returned: "FBB-R18",
        split_returned: "FBB-R18",
        insurance_lost: "FBB-7-d",
        even_money: "FBB-7-e",
        dead: "FBB-11-h",
        released: "FBB-11-a",
    };

    fn read(sheet: &TermSheet) -> FreeBet {
        FreeBet {
            // FBB-R04
            split_aces: match sheet.word("split_aces") {
                "full_play" => SplitAces::FullPlay,
                "one_card_resplit" => SplitAces::OneCardResplit,
                _ => SplitAces::OneCard,
            },
            even_money: sheet.is_on("even_money"),
            paytable_b: sheet.word("push22_paytable") == "B",
            collects_before_paying: sheet.word("settlement_order") == "collect_all_then_pay",
        }
    }

    /// Push 22, if the house offers it (FBB-R16).
    #[doc(alias = "FBB-5-e")]
    fn side_wager(sheet: &TermSheet) -> Option<SideWager> {
        let offered = sheet.is_on("push22_offered");
        Some(SideWager { offered, ..side_wager(sheet, Circle::Push22) })
    }

    fn side_pays(sheet: &TermSheet) -> Vec<Pay> {
        vec![SUITED_22, COLOURED_22, FreeBet::read(sheet).other_22()]
    }

    /// As many as the house allows (FBB-R24).
    #[doc(alias = "FBB-5-f")]
    fn boxes(sheet: &TermSheet) -> BoxesPerPerson {
        BoxesPerPerson { most: sheet.count("max_boxes_per_player"), adjacent: true }
    }

    /// Read under an ace or a ten-value card (FBB-6-g).
    fn hole_card(&self) -> HoleCard {
        HoleCard::Reader
    }

    /// On the first two cards of any hand: hard 9, 10 or 11 free, else paid (FBB-R06, FBB-R08).
    #[doc(alias("FBB-8-a", "FBB-8-a-1", "FBB-8-a-2", "FBB-8-b"))]
    fn double(&self, hand: Hand) -> Result<Cost> {
        let points = hand.points();
        ensure(hand.cards() == 2, Refusal::DoubleNeedsTwoCards)?;
        match (9..=11).contains(&points.total()) && !points.is_soft() {
            true => Ok(Cost::Free),
            false => Ok(Cost::Paid),
        }
    }

    /// Ten-value pairs are paid, all others free.
    #[doc(alias("FBB-9-b", "FBB-9-b-1", "FBB-9-b-2"))]
    fn split_cost(&self, card: Card) -> Cost {
        if Points::pips(card) == 10 { Cost::Paid } else { Cost::Free }
    }

    fn split_aces(&self) -> SplitAces {
        self.split_aces
    }

    fn even_money(&self) -> bool {
        self.even_money
    }

    /// Push 22 wins on a final 22 and loses on anything else (FBB-6-n-1, FBB-6-n-2, FBB-6-g-1,
    /// FBB-6-g-2).
    fn side(&self, dealer: Dealer, stage: Stage) -> Option<Decision> {
        match (stage, dealer.points().total()) {
            (Stage::Drawing, _) => None,
            (Stage::Finished, 22) => Some(self.push22_line(dealer).decision()),
            (Stage::Finished, _) => Some((Ruling::Take, Why::PayTable.by("FBB-6-n-2"))),
        }
    }

    /// A dealer's 22 returns live wagers and collects lammers (FBB-6-n-1, FBB-R10).
    #[doc(alias = "FBB-6-n")]
    fn at_dealer_total(&self, total: u8) -> Option<Decision> {
        (total == 22).then_some((Ruling::Push, Why::DealerTwentyTwo.by("FBB-6-n-1")))
    }

    fn collects_before_paying(&self) -> bool {
        self.collects_before_paying
    }
}

/// A 22 in one suit (FBB-10-c, FBB-R16).
const SUITED_22: Pay =
    push22("suited-22", "the dealer's 22 is in one suit", "22 in one suit", 50, "FBB-10-c-T1");
/// A 22 in one colour.
const COLOURED_22: Pay = push22(
    "coloured-22",
    "the dealer's 22 is in one colour",
    "22 in one colour",
    20,
    "FBB-10-c-T2",
);
/// Any other 22, by table A and by table B.
const OTHER_22_A: Pay =
    push22("other-22", "any other 22 of the dealer", "any other 22", 8, "FBB-10-c-T3");
const OTHER_22_B: Pay =
    push22("other-22", "any other 22 of the dealer", "any other 22", 7, "FBB-10-c-T3");

const fn push22(
    code: &'static str,
    what: &'static str,
    brief: &'static str,
    pays: u32,
    clause: &'static str,
) -> Pay {
    Pay::new(Circle::Push22, code, what, Odds::to(pays, 1), clause).briefly(brief)
}

impl FreeBet {
    /// The pay-table line of a dealer's 22.
    #[doc(alias = "FBB-10-c")]
    fn push22_line(&self, dealer: Dealer) -> Pay {
        match (dealer.is_one_suit(), dealer.is_one_colour()) {
            (true, _) => SUITED_22,
            (false, true) => COLOURED_22,
            (false, false) => self.other_22(),
        }
    }

    const fn other_22(&self) -> Pay {
        if self.paytable_b { OTHER_22_B } else { OTHER_22_A }
    }
}

/// What the rule book says apart from how a round is played.
#[doc(alias("FBB-2-b", "FBB-2-c", "FBB-3-c", "FBB-3-d", "FBB-4-h-1"))]
#[rustfmt::skip]
const RULE_BOOK: &RuleBook = &RuleBook {
    name: "free-bet",
    short: "free",
    title: "Free Bet Blackjack",
    prefix: "FBB",
    clauses: include_str!("../../../rulebook/free-bet.csv"),
    deck: Deck { clause: "FBB-2-a", count: None, without: None },
    handling: Handling {
        burned: 1, // FBB-6-c
        every_round: false,
        two_batches: true, // FBB-2-b
        machine_replaces_cut: false,
        cut_leaves_a_deck: true,   // FBB-4-e
        recut_from_shoe: false,    // FBB-R27: the stack is in the shoe
        washes_new: Wash::Always,  // FBB-3-c, FBB-3-d
        washes_idle: Wash::ByHand, // FBB-4-h-1
        shows_burn: false,         // the house chooses: `disclose_burn`
        hours_of_decks: Some(24),  // FBB-2-c
    },
    notes: &[
        (DealerStep::Receive, "Inspect the decks for defects, and have the floorperson verify it.", "FBB-3-a"),
        (DealerStep::Spread, "Spread the cards face up in fans, deck by deck, by suit and in sequence.", "FBB-3-b"),
        (DealerStep::Hand, "Plug, riffle, strip after two riffles, turn one half around and riffle, and cut last.", "FBB-4-j"),
        (DealerStep::Machine, "Stack the cards and put them into the machine.", "FBB-4-a"),
        (DealerStep::Batch, "Keep the batches apart: their backs differ in colour.", "FBB-2-b-2"),
        (DealerStep::Offer, "Offer the stack, its backs away from you, and the cover card.", "FBB-4-b"),
        (DealerStep::Cut, "Cut for the table, a deck or more from either end.", "FBB-4-e"),
        (DealerStep::Burn, "The stack goes into the shoe.", "FBB-6-a"),
        (DealerStep::Burn, "Put the first card into the discard rack.", "FBB-6-c"),
        (DealerStep::Card, "Draw with the hand next to the shoe, place with the other; the two boxes next to it may be dealt with one.", "FBB-6-b"),
        (DealerStep::Hole, "Lay your second card face down, so that nobody can see its face.", "FBB-6-b"),
        (DealerStep::Acts, "Start from your left and go clockwise.", "FBB-6-h"),
        (DealerStep::Peek, "Slide the hole card into the reader face down; nobody may see it, not even you.", "FBB-6-g"),
        (DealerStep::Turn, "Turn your hole card up.", "FBB-6-k"),
        (DealerStep::Retire, "Put the cards left in the shoe into the rack too, to be sure that none is missing.", "FBB-6-d-1"),
    ],
    circles: &[
        (Circle::Main, "Bet"),
        (Circle::Double, "Double"),
        (Circle::Push22, "Push 22"),
        (Circle::Insurance, "Insurance"),
        (Circle::Split, "Split"),
    ],
    forbids_side_wagers: false,
    calls: &[Hit, Stand, Double, Split, Surrender, Insure, EvenMoney],
    totals: Totals::DealersOwn, // FBB-6-l
    says_blackjack: true,       // FBB-6-h-1
    closes_again: None,
    cures: Cures {
        wrong_count_voids: false,
        open_card_goes_round: true,                     // FBB-11-d
        second_face_up: SecondFaceUp::UnusedOrShuffled, // FBB-11-b, FBB-R21
        face_up_by_round: true,                         // FBB-11-b, FBB-R21
        dealer_missed: DealerMissed::Later,             // FBB-11-f
        hole_seen: HoleSeen::StaysOpen,                 // DAB-R32
        shuffler_fault: ShufflerFault::RestartOrCover,  // FBB-11-l, FBB-11-m
    },
    irregularities: &[
        (Kind::Misdealt, "FBB-11-a"), (Kind::FaceUp, "FBB-11-b"), (Kind::DrawnUnseen, "FBB-11-c"),
        (Kind::DrawnSeen, "FBB-11-d"), (Kind::Overdraw, "FBB-11-e"), (Kind::DealerMissed, "FBB-11-f"),
        (Kind::NoCard, "FBB-11-h"), (Kind::OneCard, "FBB-11-h"), (Kind::MissedHit, "FBB-11-i"),
        (Kind::ShufflerFault, "FBB-11-l"), (Kind::ReaderMisused, "FBB-11-j"),
        (Kind::ReaderBroken, "FBB-11-k"), (Kind::BurnForgotten, "FBB-11-n"),
        (Kind::HoleSeen, "DAB-R32"), (Kind::BadCut, "FBB-4-f"),
    ],
    refusals: REFUSALS,
    never_refused: &[IN_CASINO_WAR,
        "box-has-no-first-bettor side-wagers-prohibited bonus-above-initial card-not-in-deck \
         attack-above-initial double-closed after-surrender total-not-doubled attack-closed \
         round-is-void-instead other-hole already-answered"],
};

/// What each refusal rests on: codes, deciding source, see also.
#[rustfmt::skip]
const REFUSALS: Refusals = &[
    ("bets-closed wager-in-play circle-twice own-meter", "FBB-5-c", ""),
    ("round-not-started", "FBB-5-d", "FBB-6-h FBB-6-h-2"),
    ("main-wager-missing", "FBB-5-d", "FBB-5-e FBB-R16"),
    ("box-not-shared not-the-decider", "G-31", "FBB-R26"),
    ("too-many-boxes boxes-apart", "FBB-5-f", "FBB-R24 G-29 max_boxes_per_player"),
    ("circle-not-open", "FBB-5-c", "FBB-5-d FBB-5-e FBB-7-b FBB-8-a FBB-9-b"),
    ("side-wager-not-offered", "FBB-5-e", "FBB-R16 push22_offered"),
    ("off-chip-unit", "chip_unit", "G-04 G-07 FBB-7-b"),
    ("below-table-minimum", "main_min", "G-07 FBB-5-d"),
    ("below-side-minimum", "side_min", "G-07 FBB-R16 FBB-5-e"),
    ("above-side-maximum", "side_max", "G-07 FBB-R16 FBB-5-e"),
    ("above-rack", "G-07", "FBB-9-b-1 FBB-R31 FBB-8-a-2 FBB-R07 FBB-7-b"),
    ("not-awaited round-over",
        "FBB-6-e", "FBB-6-g FBB-6-f FBB-7-b FBB-6-k FBB-1-hole-card FBB-11-j"),
    ("out-of-turn", "FBB-6-h", "FBB-9-c FBB-6-g G-05"),
    ("not-in-the-round", "FBB-5-d", "FBB-6-h"),
    ("call-foreign not-open-now", "FBB-6-h-2", "FBB-6-h FBB-6-f FBB-7-b"),
    ("reader-contradicted", "FBB-1-card-reader", "FBB-6-g"),
    ("split-takes-no-amount", "FBB-9-b", "FBB-9-b-1 FBB-9-b-2 FBB-R08 FBB-R31"),
    ("free-double-takes-no-amount", "FBB-8-a-1", "FBB-R08"),
    ("amount-too-small", "FBB-8-a-2", "FBB-R07 G-07 FBB-7-b FBB-R14 chip_unit G-04"),
    ("double-above-wager", "FBB-8-a-2", "FBB-R07"),
    ("insurance-above-half", "FBB-7-b", "FBB-R14"),
    ("natural-stands", "FBB-6-h-1", "FBB-6-j-1 FBB-6-j FBB-8-a"),
    ("natural-not-doubled", "FBB-8-a", "FBB-6-h-1 FBB-6-j-1"),
    ("twenty-one-stands", "FBB-6-j-1", "FBB-6-j G-21 FBB-8-a"),
    ("bust-is-final", "G-20", "FBB-R11 FBB-6-j FBB-6-q-1"),
    ("one-card-after-double", "FBB-6-j-2", "FBB-8-c"),
    ("after-standing", "FBB-6-h-2", "FBB-6-h FBB-6-j FBB-8-a G-05"),
    ("hand-is-dead", "G-02", "FBB-11-h FBB-11-i"),
    ("no-more-cards", "FBB-11-d", "G-16"),
    ("double-needs-two-cards", "FBB-8-a", "FBB-R06 FBB-8-a-2"),
    ("split-ace-has-its-card aces-split-once", "FBB-R04", "FBB-9-d split_aces"),
    ("not-a-pair", "FBB-9-a", "FBB-9-d"),
    ("split-limit", "FBB-9-d", ""),
    ("insurance-needs-ace", "FBB-7-a", "FBB-6-f"),
    ("insurance-closed", "FBB-7-b", "FBB-6-f FBB-5-c FBB-R14 FBB-7-e FBB-R15"),
    ("even-money-not-offered even-money-needs-natural", "FBB-7-e", "FBB-R15 even_money FBB-7-b"),
    ("surrender-not-offered", "FBB-6-h-2", ""),
    ("remedy-foreign", "FBB-11-a", "G-10"),
    ("nobody-let-out", "allow_players_out", "FBB-11-a G-10"),
    ("nothing-to-cure", "FBB-11-i", "FBB-11-h FBB-11-d FBB-11-f G-17 G-16"),
    ("reader-stops-the-table", "FBB-11-k", "FBB-R22"),
    ("nothing-bought", "FBB-5-a", ""),
    ("no-wagers nothing-to-clear", "FBB-5-d", ""),
    ("mid-shoe", "FBB-5-b", ""),
    ("not-barred", "FBB-5-b-1", "G-25"),
    ("card-used-up", "FBB-2-a", ""),
    ("are-pre-shuffled", "FBB-3-e", ""),
    ("nothing-to-spread", "FBB-4-h-2", ""),
    ("no-round-yet reveal-awaited", "FBB-4-g", ""),
    ("other-method", "shuffle_method", "FBB-4-i"),
    ("not-washed washed-late", "FBB-3-c", ""),
    ("no-plug", "FBB-4-j-1", ""),
    ("no-riffle", "FBB-4-j-2", ""),
    ("no-turn turn-not-riffled", "FBB-4-j-3", ""),
    ("no-strip strip-too-early", "FBB-4-j-4", ""),
    ("no-cut cut-not-last", "FBB-4-j-5", ""),
    ("cut-outside-bounds", "FBB-4-e", ""),
    ("recut-too-late", "FBB-4-f", ""),
    ("reader-works reader-broken", "FBB-11-k", ""),
    ("decks-awaited", "FBB-2-c", ""),
    ("inspection-awaited", "FBB-3-b", ""),
    ("shuffle-awaited", "FBB-4-a", ""),
    ("cut-awaited", "FBB-4-c", ""),
    ("burn-awaited", "FBB-6-c", ""),
];
