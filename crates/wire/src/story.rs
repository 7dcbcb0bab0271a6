//! What happened at a table, in codes: a client says it in whatever language it speaks.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Holds, OddsView, WagerEnd};

/// Something that happened and is worth a sentence. Places are as in `View.mine`, cards as in a view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub enum StoryLine {
    /// Somebody took a seat.
    SatDown { at: String, player: String },
    /// Somebody left a seat.
    Left { at: String, player: String },
    /// Somebody decides for a box from now on (DAB-13-c).
    InFront { at: String, player: String },
    /// Somebody may bet on the box of another player (DAB-13-a).
    Consented { seat: usize, player: String },
    /// Somebody may no longer bet on that box.
    Revoked { seat: usize, player: String },
    /// A seat may bet in mid-shoe (DAB-5-h).
    Admitted { at: String },
    /// Somebody bought chips.
    BoughtIn { at: String, amount: String },

    /// A dealer came to the table.
    Dealer { player: String },
    /// Cards came to the table.
    NewCards,
    /// The cards are to be replaced (FBB-2-c).
    CardsDue,
    /// The cards lie spread, face up.
    SpreadFaceUp,
    /// The cards lie spread, face down.
    SpreadFaceDown,
    /// The first player has seen the spread cards.
    Inspected { at: String },
    /// The cards are shuffled, and their order is sealed.
    Sealed { cards: u16 },
    /// The cards of a physical table are shuffled.
    Shuffled { cards: u16 },
    /// The other cards came out of the shuffling machine (CW-2-d-4).
    Loaded,
    /// The list of commitments to the order is closed.
    Committed { players: usize },
    /// Some of those commitments were not opened.
    NotOpened { places: Vec<String> },
    /// A seat declined to cut.
    CutRefused { at: String },
    /// A seat cut the cards.
    Cut { at: String },
    /// The dealer cut the cards.
    CutByDealer,
    /// A card was burned.
    Burned,
    /// The burned cards of the shoe were shown (DAB-7-c).
    BurnShown { cards: Vec<String> },
    /// The cut card came out: this is the last round of the shoe.
    CutCard,
    /// The order of a shoe is revealed.
    Revealed { shoe: u32 },

    /// Wagers are closed.
    NoMoreBets,
    /// The dealer's second card is next (DAB-7-g).
    DealersCard,
    /// A card came to a seat.
    Card { seat: usize, card: String },
    /// A card came to the dealer.
    DealerCard { card: String },
    /// A card came to the dealer face down.
    FaceDown,
    /// The dealer turned a card.
    Turned { card: String },
    /// The dealer says what a hand has (DAB-7-e): the only hand of a seat.
    Total { seat: usize, holds: Holds },
    /// The dealer says what one of several hands has; the hand is counted from 1.
    HandTotal { seat: usize, hand: usize, holds: Holds },
    /// The dealer says what the dealer has.
    DealerTotal { holds: Holds },
    /// A seat has a blackjack.
    Blackjack { seat: usize },
    /// The dealer has a blackjack.
    DealerBlackjack,
    /// The dealer looked, and has no blackjack.
    NoDealerBlackjack,
    /// Somebody decided.
    Acted {
        at: String,
        call: Cow<'static, str>,
        /// The call in English.
        words: Cow<'static, str>,
        /// Whether the time was up, and the dealer went on as the book has it then.
        timed_out: bool,
    },
    /// A wager was settled, or the progressive paid.
    Settled {
        at: String,
        circle: Cow<'static, str>,
        /// What is printed on the felt.
        title: Cow<'static, str>,
        end: WagerEnd,
        odds: Option<OddsView>,
        /// Won or lost, with its sign.
        gain: String,
    },
    /// Everything settled in the round is undone.
    Reversed,

    /// Something went wrong, and the table waits for a supervisor.
    Reported {
        kind: Cow<'static, str>,
        /// The kind in English.
        words: Cow<'static, str>,
    },
    /// A supervisor decided, and wrote down why.
    Ordered { by: String, because: String },
    /// The dealer announces what was decided.
    Decision {
        order: Cow<'static, str>,
        /// What the dealer says, in English.
        words: String,
    },
    /// A player chose after something went wrong.
    Chose {
        at: String,
        choice: Cow<'static, str>,
        /// The choice in English.
        words: String,
    },
    /// A card left the shoe out of turn.
    Drawn { card: String },
    /// A card that was seen is not used.
    Discarded { card: String },
    /// A card that was none of the shoe's left the table.
    Removed { card: String },
    /// A card was not burned.
    BurnForgotten,
    /// The card reader is out of use.
    ReaderOut,
    /// The card reader works again.
    ReaderRepaired,
    /// A tied seat gave no answer, and a supervisor decides (G-06).
    Held { at: String },
    /// A seat has more time.
    Extended { at: String },
    /// An earlier round was corrected (G-28). Accounts are as in the log: `rack:3`.
    Corrected { round: u32, amount: String, from: String, to: String },
}
