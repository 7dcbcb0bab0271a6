//! What the three blackjack rule books say differently.

use std::fmt::Debug;
use std::ops::Add;

use super::hand::{Dealer, Hand, Points};
use crate::book::RuleBook;
use crate::card::Card;
use crate::games::Pay;
use crate::money::Odds;
use crate::refusal::{Refusal, Result, ensure};
use crate::round::Decision;
use crate::terms::{AddedWager, TermSheet};
use crate::wager::{BoxesPerPerson, Circle, Game, SideWager};

/// One blackjack rule book, with the options that the house has chosen.
///
/// The common game asks the book wherever the three differ.
pub trait Book: Copy + Eq + Debug {
    /// The game.
    const GAME: Game;
    /// What it says apart from how a round is played.
    const RULE_BOOK: &'static RuleBook;
    /// Whether the dealer's up card comes before the players' cards, with the double attack.
    const ATTACK: bool = false;
    /// Whether a hand may be surrendered for half.
    const SURRENDER: bool = false;
    /// Whether a natural is paid in the player's turn rather than at the end.
    const NATURAL_PAID_IN_TURN: bool = true;
    /// Whether some hands go to the discard rack before the round is over.
    const PICKS_UP_EARLY: bool = false;
    /// Whether play goes on without the reader when it breaks.
    const PLAYS_WITHOUT_READER: bool = false;
    /// What a natural pays.
    const NATURAL: (Odds, &'static str);
    /// What insurance pays.
    const INSURANCE: (Odds, &'static str);
    /// The clauses that the common game cites.
    const CITES: Cites;

    /// Reads the options of this game.
    fn read(sheet: &TermSheet) -> Self;

    /// The circle of the side wager that is placed before the first card.
    const SIDE: Option<Circle> = None;

    /// The side wager that is placed before the first card.
    fn side_wager(_: &TermSheet) -> Option<SideWager> {
        None
    }

    /// What the side wager pays.
    fn side_pays(_: &TermSheet) -> Vec<Pay> {
        Vec::new()
    }

    /// How many people may bet on one box.
    fn bettors(_: &TermSheet) -> u8 {
        1
    }

    /// How many boxes one person may bet on.
    fn boxes(_: &TermSheet) -> BoxesPerPerson {
        BoxesPerPerson { most: 1, adjacent: true }
    }

    /// How the dealer's second card is dealt.
    fn hole_card(&self) -> HoleCard;

    /// Whether the dealer takes another card; any other hand is pat (G-19).
    #[doc(alias("DAB-1-pat-hand", "DAB-12-b", "FBB-1-pat-hand", "FBB-6-l"))]
    fn dealer_draws(&self, points: Points) -> bool {
        points.total() < 17
    }

    /// Whether a hand other than a natural may take a card.
    #[doc(alias("DAB-12-a-2", "DDB-P15", "FBB-6-j-2"))]
    #[inline(always)]
    fn may_hit(&self, hand: Hand) -> Result {
        ensure(!hand.is_doubled(), Refusal::OneCardAfterDouble)?;
        ensure(!hand.takes_no_more(), Refusal::NoMoreCards)?;
        let is_complete = hand.is_split_ace() && self.split_aces() != SplitAces::FullPlay;
        ensure(!is_complete, Refusal::SplitAceHasItsCard)
    }

    /// Whether a hand that may still take cards can be doubled, and who pays.
    fn double(&self, hand: Hand) -> Result<Cost>;

    /// How much a paid double is.
    fn double_amount(&self) -> AddedWager {
        AddedWager::UpTo
    }

    /// Whether these two cards may be split.
    #[doc(alias("DAB-10-a", "FBB-9-a"))]
    fn is_pair(&self, one: Card, other: Card) -> bool {
        Points::pips(one) == Points::pips(other)
    }

    /// Whether a hand other than a natural can be split on a box of so many hands, and who pays.
    #[doc(alias("DAB-10-c", "DAB-10-e", "DDB-P14", "DDB-P15", "FBB-9-d"))]
    fn may_split(&self, hand: Hand, hands: usize) -> Result<Cost> {
        ensure(!hand.takes_no_more(), Refusal::NoMoreCards)?;
        let first = hand.first().filter(|_| hand.is_pair()).ok_or(Refusal::NotAPair)?;
        let is_final = hand.is_split_ace() && self.split_aces() == SplitAces::OneCard;
        ensure(!is_final, Refusal::AcesSplitOnce)?;
        let most = self.most_hands();
        ensure(hands < usize::from(most), Refusal::SplitLimit { hands: most })?;
        Ok(self.split_cost(first))
    }

    /// Who pays for splitting a pair of this card.
    fn split_cost(&self, _: Card) -> Cost {
        Cost::Paid
    }

    /// The most hands that splitting makes.
    fn most_hands(&self) -> u8 {
        4
    }

    /// What split aces may do.
    fn split_aces(&self) -> SplitAces {
        SplitAces::OneCard
    }

    /// Whether even money is offered for a natural against an ace.
    fn even_money(&self) -> bool {
        false
    }

    /// Whether only their owner sees the first two cards.
    fn private_cards(&self) -> bool {
        false
    }

    /// What the side wager wins or loses, once the dealer's cards decide it.
    fn side(&self, _: Dealer, _: Stage) -> Option<Decision> {
        None
    }

    /// What a final total of the dealer does to every hand alike, if anything.
    fn at_dealer_total(&self, _: u8) -> Option<Decision> {
        None
    }

    // What only Double Attack answers differently.

    /// How much a double attack is.
    fn attack_amount(&self) -> AddedWager {
        AddedWager::UpTo
    }

    /// What a split matches.
    fn split_stake(&self) -> SplitStake {
        SplitStake::InitialOnly
    }

    /// Whether a dealer without a hole card takes a second card even if nothing depends on it.
    fn second_card_always(&self) -> bool {
        true
    }

    /// What a dealer's natural does to a bust hand.
    fn busts(&self) -> Busts {
        Busts::Final
    }

    /// Whether a bust hand has lost everything before a dealer's natural can be known (DAB-R20).
    fn busts_come_before_natural(&self) -> bool {
        self.hole_card() != HoleCard::Reader && self.busts() == Busts::Final
    }

    /// Whether a hole card seen too early voids the round.
    fn exposed_hole_voids(&self) -> bool {
        false
    }

    /// Whether a natural may be surrendered.
    fn surrender_natural(&self) -> bool {
        false
    }

    /// Whether a surrender is settled at once after a negative reader check.
    fn surrender_at_once_after_reader(&self) -> bool {
        true
    }

    /// Whether all losing wagers are collected before any is paid (FBB-6-r-1), rather than box by
    /// box (FBB-6-r-2).
    fn collects_before_paying(&self) -> bool {
        false
    }
}

/// How the dealer's second card is dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoleCard {
    /// Face up, after the players.
    None,
    /// Face down; nobody looks at it before the players are done.
    Unseen,
    /// Face down, and read by a device under an ace or a ten-value card.
    Reader,
}

/// Who pays for a double or a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// The house, with a lammer.
    Free,
    /// The player.
    Paid,
}

/// What split aces may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitAces {
    /// The same as any other hand.
    FullPlay,
    /// Take one card; another ace may be split again.
    OneCardResplit,
    /// Take one card.
    OneCard,
}

/// What a split matches (DAB-R05, DAB-R06).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitStake {
    /// The initial wager alone.
    InitialOnly,
    /// The initial and the double attack wager.
    MatchBoth,
}

impl SplitStake {
    /// What a hand made by splitting carries (DAB-R05, DAB-R06).
    pub fn amount<T: Add<Output = T>>(self, initial: T, attack: T) -> T {
        match self {
            SplitStake::InitialOnly => initial,
            SplitStake::MatchBoth => initial + attack,
        }
    }
}

/// What a dealer's natural does to a bust hand (DAB-R20).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Busts {
    /// Nothing: what was lost stays lost.
    Final,
    /// It takes the original wager alone, so busts wait for the dealer's second card.
    OriginalsOnly,
}

/// How far the dealer's hand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// More cards may come.
    Drawing,
    /// No more cards come.
    Finished,
}

/// The clauses that decide what the common game settles.
#[derive(Clone, Copy, Debug)]
pub struct Cites {
    /// A bust hand loses.
    pub bust: &'static str,
    /// The dealer is bust.
    pub dealer_bust: &'static str,
    /// The higher total wins.
    pub higher: &'static str,
    /// Equal totals.
    pub equal: &'static str,
    /// The lower total loses.
    pub lower: &'static str,
    /// Both have a natural.
    pub both_naturals: &'static str,
    /// The dealer's natural takes the original wager.
    pub dealer_natural: &'static str,
    /// The dealer's natural does not take a double attack.
    pub attack_returned: &'static str,
    /// The dealer's natural does not take a double.
    pub double_returned: &'static str,
    /// The dealer's natural does not take what a split added.
    pub split_returned: &'static str,
    /// Insurance loses.
    pub insurance_lost: &'static str,
    /// Even money.
    pub even_money: &'static str,
    /// A dead hand's wagers are returned.
    pub dead: &'static str,
    /// A released bettor's wagers are returned.
    pub released: &'static str,
}
