//! What a client sends: one command in each message, by who may say it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A message from a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct FromClient {
    /// Made by the client. A command with the same id is carried out once, however often it is sent.
    pub id: String,
    /// The command.
    #[serde(rename = "do")]
    pub command: Command,
}

/// A supervisor's command over HTTP: the body of `POST /api/tables/TABLE/orders`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct FromSupervisor {
    /// Made by the client. A command with the same id is carried out once, however often it is sent.
    pub id: String,
    /// The command.
    #[serde(rename = "do")]
    pub command: SupervisorCommand,
}

/// A command, by who may say it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// About the connection itself; open to every client.
    Client(ClientCommand),
    /// A player's, at the table that is watched.
    Player(PlayerCommand),
    /// A dealer's, at a physical table.
    Dealer(DealerCommand),
    /// A supervisor's, at the table that is watched.
    Supervisor(SupervisorCommand),
}

/// What any client asks of its connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientCommand {
    /// Shows a table from now on. All other commands are about the table that is watched.
    Watch {
        /// The name of the table.
        table: String,
        /// The last version that the client has seen.
        #[serde(default)]
        from: Option<u64>,
    },
    /// Asks whether the house is there: it answers, and that is all.
    Ping,
}

/// What a player does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum PlayerCommand {
    /// Takes a seat.
    Sit {
        /// Counted from 1.
        seat: usize,
        /// Whether to stand behind whoever sits there (DAB-13-a).
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
        behind: bool,
    },
    /// Leaves a box; the last one with all chips.
    Leave {
        /// Which one, as in `View.mine`; needed only with several.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        at: Option<String>,
    },
    /// Turns money into chips.
    BuyIn {
        /// In dollars.
        amount: String,
    },
    /// Places wagers, instead of earlier ones.
    Wager {
        /// How much on which circle.
        amounts: Vec<OnCircle>,
        /// At which place of one's own; by default the first.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        at: Option<String>,
    },
    /// Takes the wagers back.
    Clear {
        /// At which place of one's own; by default the first.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        at: Option<String>,
    },
    /// Says that no further wager will come, or none at all. When everyone has said so, bets close at
    /// once.
    Ready,
    /// Has looked at the spread cards.
    Inspect,
    /// Asks for the cards from the machine to be spread (CW-5-h-2).
    Spread,
    /// Commits to 32 bytes for the order of the cards, while `View.mix` says so: the hash of lines as
    /// in docs/fair-order.md.
    Commit {
        /// 64 hexadecimal digits in lower case; null adds nothing, so that nobody waits for it.
        commitment: Option<String>,
    },
    /// Opens that commitment, once it is in the closed list.
    Open {
        /// 64 hexadecimal digits in lower case.
        bytes: String,
    },
    /// Asks to see the burned cards of this shoe (DAB-7-c).
    ShowBurn,
    /// Lets somebody bet on a box of one's own (DAB-13-a).
    Consent {
        /// The box, counted from 1.
        seat: usize,
        /// Who may.
        player: String,
    },
    /// Withdraws that consent between rounds.
    Revoke {
        /// The box, counted from 1.
        seat: usize,
        /// Whose consent ends.
        player: String,
    },
    /// Asks whoever has a box for consent to bet on it: that person sees it in `SeatView.asking`.
    Ask {
        /// The box, counted from 1.
        seat: usize,
    },
    /// Asks for so many house players at the table, or sends those away who are too many.
    Company {
        /// At most `View.company.most`; 0 sends all of them away.
        players: usize,
    },
    /// Cuts the cards.
    Cut {
        /// How many go from the front to the back; null refuses the cut.
        at: Option<usize>,
    },
    /// Decides.
    Act {
        /// A call that is on offer.
        call: String,
        /// The amount that goes with it, if it takes one.
        #[serde(default)]
        amount: Option<String>,
        /// The hand that keeps the wager when a split is passed (DAB-13-f).
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        hand: Option<u8>,
        /// At which place of one's own; by default the one that is asked.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        at: Option<String>,
    },
    /// Chooses after something went wrong (G-16, G-17).
    Choose {
        /// One of `View.choices`.
        choice: String,
    },
}

/// What the dealer of a physical table did with the cards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum DealerCommand {
    /// New cards came to the table.
    Decks {
        /// The reference of cards that came shuffled (G-30); null for cards inspected here.
        #[serde(default)]
        reference: Option<String>,
    },
    /// Shuffled the cards, with the steps of the book.
    Shuffle,
    /// Cut the cards, after every player refused to.
    Cut {
        /// How many went from the front to the back.
        at: usize,
    },
    /// Called "no more bets".
    Deal,
    /// Drew a card.
    Card {
        /// Such as `9d`; null for a card drawn face down.
        card: Option<String>,
    },
    /// Read the hole card with the card reader.
    Peek {
        /// Whether the reader says that the dealer has a blackjack.
        natural: bool,
    },
    /// Turned the face-down card over.
    Turn {
        /// Such as `9d`.
        card: String,
    },
    /// Showed the burned cards to a player who asked (DAB-7-c).
    ShowBurn {
        /// The place of that player: `3`, or `3b`.
        at: String,
        /// The burned cards, the first one first.
        cards: Vec<String>,
    },
    /// Saw that something went wrong.
    Report {
        /// What.
        irregularity: Irregularity,
    },
}

/// What a supervisor does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum SupervisorCommand {
    /// Reports that something went wrong, and the table stops.
    Report {
        /// What.
        irregularity: Irregularity,
        /// Whether it was staged for training.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
        injected: bool,
    },
    /// Decides what was reported, or takes a step that is a supervisor's own.
    Order {
        /// One of `View.outcomes`, or `dismiss`.
        order: Order,
        /// Why.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        because: Option<String>,
    },
    /// Corrects a wrong payment of an earlier round (G-28). Above an amount that the house has set it
    /// waits for a second supervisor.
    Correct {
        /// The round.
        round: u32,
        /// In dollars.
        amount: String,
        /// Who gives it.
        from: Party,
        /// Who gets it.
        to: Party,
        /// Why.
        because: String,
    },
    /// Approves a correction that another supervisor asked for.
    Approve {
        /// One of `OrdersView.waiting`.
        correction: i64,
    },
    /// Refuses a correction that another supervisor asked for, or withdraws one's own.
    Refuse {
        /// One of `OrdersView.waiting`.
        correction: i64,
    },
    /// Takes the seat of a player, once their round is over. The chips go to the account.
    Unseat {
        /// The place: `3`, or `3b`.
        at: String,
        /// Why.
        because: String,
    },
    /// Sends another dealer to the table (G-13).
    ChangeDealer {
        /// The dealer's name.
        dealer: String,
    },
}

/// An amount on a circle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct OnCircle {
    /// The name of the circle.
    pub circle: String,
    /// In dollars.
    pub amount: String,
}

/// An order of a supervisor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// Its word in the notation: `recut`, `release`.
    pub order: String,
    /// The place of the player it is about, if it is about one: `3`, or `3b`.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub at: Option<String>,
}

/// Something that went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Irregularity {
    /// One of `OrdersView.kinds`: `face-up`.
    pub kind: String,
    /// Where it happened, for kinds with a place.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub place: Option<Place>,
    /// The card, for kinds with a card: `9d`.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub card: Option<String>,
}

/// Where cards lie.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Place {
    /// Before the dealer.
    Dealer,
    /// In a hand of a box.
    Hand {
        /// The box, counted from 1.
        seat: usize,
        /// The hand, counted from 1.
        hand: usize,
    },
}

/// A party to a correction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Party {
    /// The house.
    House,
    /// The rack of a place: `3`, or `3b`.
    Rack(String),
    /// Somebody who has left the table, by name.
    Player(String),
}

/// The id of a message that cannot be read otherwise; empty if it has none.
pub fn id_of(text: &str) -> String {
    #[derive(Deserialize)]
    struct Id {
        id: String,
    }
    serde_json::from_str(text).map_or_else(|_| String::new(), |Id { id }| id)
}
