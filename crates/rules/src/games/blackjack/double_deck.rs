//! Double Deck Blackjack: what its sheet says differently.

use super::book::{Book, Cites, Cost, HoleCard};
use super::hand::Hand;
use super::points::Points;
use crate::card::Card;
use crate::money::Odds;
use crate::refusal::Refusal;
use crate::terms::{AddedWager, TermSheet};
use crate::wager::{Game, SideWager};

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

    /// None at all (DDB-P22).
    fn side_wager(_: &TermSheet) -> Option<SideWager> {
        None
    }

    fn hole_card(&self) -> HoleCard {
        self.hole_card
    }

    /// Hits soft 17 (DDB-P17, DDB-R14).
    #[inline]
    fn dealer_draws(&self, points: Points) -> bool {
        match points.total() {
            0..17 => true,
            17 => points.is_soft(),
            _ => false,
        }
    }

    /// On totals of 9, 10 or 11 with two cards (DDB-P12, DDB-P13, DDB-R11).
    #[inline]
    fn double(&self, hand: Hand) -> Result<Cost, Refusal> {
        let points = hand.points();
        if hand.cards() != 2 {
            Err(Refusal::DoubleNeedsTwoCards)
        } else if (9..=11).contains(&points.low()) && (self.soft_double || !points.is_soft()) {
            Ok(Cost::Paid)
        } else {
            Err(Refusal::TotalNotDoubled)
        }
    }

    fn double_amount(&self) -> AddedWager {
        self.double_amount
    }

    /// Cards of equal rank (DDB-P13, DDB-R12).
    #[inline]
    fn is_pair(&self, one: Card, other: Card) -> bool {
        match self.split_by {
            SplitBy::Rank => one.same_rank(other),
            SplitBy::Value => Points::pips(one) == Points::pips(other),
        }
    }

    fn even_money(&self) -> bool {
        self.even_money
    }

    #[inline]
    fn private_cards(&self) -> bool {
        self.private_cards
    }
}
