//! Double Attack Blackjack: what its book says differently.

use super::book::{Book, Busts, Cites, Cost, HoleCard, SplitStake, Stage};
use super::hand::{Dealer, Hand};
use super::points::Points;
use crate::card::{Card, Rank};
use crate::games::Pay;
use crate::money::Odds;
use crate::refusal::Refusal;
use crate::round::{Decision, Ruling};
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
    /// The dealer's card first, then the offer to attack (DAB-7-d, DAB-R02).
    const ATTACK: bool = true;
    /// On the first two cards and later, not after standing (DAB-8-a).
    const SURRENDER: bool = true;
    /// At the end, like all else (DAB-5-e, DAB-R21).
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

    /// The bonus: at least a dollar, at most the own initial wager and the house maximum
    /// (DAB-6-a, DAB-6-b, DAB-6-b-1, DAB-6-b-2, DAB-R17).
    fn side_wager(sheet: &TermSheet) -> Option<SideWager> {
        Some(SideWager {
            circle: Circle::Bonus,
            offered: true,
            min: sheet.chips("side_min"),
            max: sheet.chips("side_max"),
            up_to_main: true,
        })
    }

    fn side_pays(_: &TermSheet) -> Vec<Pay> {
        let lines = BONUS.iter().map(|(_, pay)| *pay);
        lines.chain([COLOURED_EIGHTS, SUITED_EIGHTS]).collect()
    }

    /// One to three (DAB-13-a).
    fn bettors(sheet: &TermSheet) -> u8 {
        sheet.count("max_bettors_per_box")
    }

    /// As many as the house allows (DAB-14, G-29).
    fn boxes(sheet: &TermSheet) -> BoxesPerPerson {
        BoxesPerPerson { most: sheet.count("max_boxes_per_player"), adjacent: false }
    }

    fn hole_card(&self) -> HoleCard {
        self.hole_card
    }

    /// On any number of cards (DAB-9-a, DAB-R10).
    #[inline]
    fn double(&self, _: Hand) -> Result<Cost, Refusal> {
        Ok(Cost::Paid)
    }

    /// Three hands at seven positions, four at six or fewer (DAB-10-c, DAB-R11).
    fn most_hands(&self) -> u8 {
        if self.seven_seats { 3 } else { 4 }
    }

    /// The bonus is decided by two cards of 17 or more, or else by the third card, before any other
    /// wager (DAB-6-d, DAB-6-d-1, DAB-6-d-2, DAB-R14, DAB-R18).
    #[inline]
    fn side(&self, dealer: Dealer, _: Stage) -> Option<Decision> {
        let lost = (Ruling::Take, "DAB-6-d-1");
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

    /// Decks of 48 cards have no tens (DAB-2-a).
    #[inline]
    fn is_foreign(card: Card) -> bool {
        card.is(Rank::Ten)
    }
}

/// What a dealer's bust with three cards pays, by the value of the third card (DAB-6-d-2, DAB-R15).
const BONUS: [(u8, Pay); 5] = [
    (6, bonus("the dealer busts with a third card of six", 15, "DAB-6-d-2-T5")),
    (7, bonus("the dealer busts with a third card of seven", 10, "DAB-6-d-2-T4")),
    (8, bonus("the dealer busts with a third card of eight", 8, "DAB-6-d-2-T3")),
    (9, bonus("the dealer busts with a third card of nine", 6, "DAB-6-d-2-T2")),
    (10, bonus("the dealer busts with a third card worth ten", 3, "DAB-6-d-2-T1")),
];
/// Three eights of one suit, which are also of one colour (DAB-6-d-3, DAB-R16).
const SUITED_EIGHTS: Pay = bonus("three eights of one suit", 200, "DAB-6-d-3-T2");
/// Three eights of one colour.
const COLOURED_EIGHTS: Pay = bonus("three eights of one colour", 50, "DAB-6-d-3-T1");

const fn bonus(what: &'static str, pays: u32, clause: &'static str) -> Pay {
    Pay { circle: Circle::Bonus, what, odds: Odds::to(pays, 1), clause }
}

/// The line of the bonus that the dealer's three cards over 21 are paid by.
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
