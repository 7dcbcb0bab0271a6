//! What goes over the WebSocket, both ways, as JSON. Seats are counted from 1; money is dollars as text.

use std::ops::Deref;
use std::sync::Arc;

use rules::table::TableRefusal;
use rules::wager::Game;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::metrics::COUNTED;
use crate::role::{Kind, Role};

/// The longest message that a client may send, in bytes.
pub const LONGEST_MESSAGE: usize = 4096;

/// The most messages that a client may send in a second, where nothing is said.
pub const MESSAGES_A_SECOND: u32 = 20;

/// Messages that may wait for a client. One more, and the socket is closed; the client may resume.
pub const MOST_QUEUED: usize = 64;

/// The longest id of a command, in bytes.
pub const LONGEST_ID: usize = 64;

/// A message of a client.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct FromClient {
    /// Made by the client. A command with the same id is applied once, however often it is sent.
    pub id: String,
    /// What is asked for.
    #[serde(rename = "do")]
    pub what: Do,
}

/// What a client asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Do {
    /// Shows a table from now on. Everything else is about the table that is watched.
    Watch {
        /// The name of the table.
        table: String,
        /// The last version that the client has seen.
        #[serde(default)]
        from: Option<u64>,
    },
    /// Asks whether the house is there: it answers, and that is all.
    Ping,
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
        /// Which one, as in `View.mine`; needed only of several.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        at: Option<String>,
    },
    /// Turns money into chips.
    BuyIn {
        /// In dollars.
        amount: String,
    },
    /// Places wagers in place of earlier ones.
    Wager {
        /// What lies where.
        amounts: Vec<OnCircle>,
        /// For which place of one's own; else the first.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        at: Option<String>,
    },
    /// Takes the wagers back.
    Clear {
        /// For which place of one's own; else the first.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        at: Option<String>,
    },
    /// Says that no further wager will come, or none at all: when everyone has, betting is closed at
    /// once.
    Ready,
    /// Has looked at the spread cards.
    Inspect,
    /// Asks for the cards to be spread that came out of the machine (CW-5-h-2).
    Spread,
    /// Adds 32 bytes to the order of the cards, after it was sealed and before the cut.
    Contribute {
        /// 64 hexadecimal digits in lower case.
        bytes: String,
    },
    /// Asks for the burned cards of this shoe (DAB-7-c).
    ShowBurn,
    /// Lets somebody bet on a box of one's own (DAB-13-a).
    Consent {
        /// The box, counted from 1.
        seat: usize,
        /// Who may.
        player: String,
    },
    /// Asks whoever has a box to let one bet on it: that person sees it in `SeatView.asking`.
    Ask {
        /// The box, counted from 1.
        seat: usize,
    },
    /// Takes that back between rounds.
    Revoke {
        /// The box, counted from 1.
        seat: usize,
        /// Who may no more.
        player: String,
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
        /// The amount that goes with it, where it takes one.
        #[serde(default)]
        amount: Option<String>,
        /// The hand that keeps the wager, where a split is passed (DAB-13-f).
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        hand: Option<u8>,
        /// For which place of one's own; else the one that is asked.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        at: Option<String>,
    },
    /// Chooses after something went wrong (G-16, G-17).
    Choose {
        /// A choice that is open.
        choice: String,
    },
    /// For supervisors: something went wrong, and the table stops.
    Report {
        /// What, in the notation: `face-up 9d`.
        report: String,
        /// Whether it was brought about for training.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
        injected: bool,
    },
    /// For supervisors: decides.
    Order {
        /// One of `View.outcomes`, or another order of the notation.
        order: String,
        /// Why.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        because: Option<String>,
    },
    /// For supervisors: puts an earlier round right (G-28).
    Correct {
        /// The round.
        round: u32,
        /// In dollars.
        amount: String,
        /// The account that gives it.
        from: String,
        /// The account that gets it.
        to: String,
        /// Why.
        because: String,
    },
    /// For the dealer of a physical table: what was done with the cards.
    Enter {
        /// In the notation: `card 9d`, `card ??`, `turn 9d`, `peek no`, `deal`, `cut dealer 60`,
        /// `decks inspected`, `show-burn 3 9d`; `shuffle` alone for the shuffle of the book.
        line: String,
    },
    /// For supervisors: another dealer comes to the table (G-13).
    Dealer {
        /// The dealer's name.
        dealer: String,
    },
}

/// An amount on a circle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct OnCircle {
    /// The name of the circle.
    pub circle: String,
    /// In dollars.
    pub amount: String,
}

/// A message of the house.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromHouse {
    /// The answer to a message with the same id.
    Answer {
        /// Which one.
        id: String,
        /// Whether it was done.
        ok: bool,
        /// The entry of the log that it led to.
        seq: Option<u64>,
        /// Why it was not done.
        refusal: Option<Refused>,
    },
    /// What never changes at a table that is watched from now on.
    Table {
        /// All about it.
        about: Box<AboutTable>,
    },
    /// The viewer's account, when a table is watched and whenever money moved.
    Account(Purse),
    /// How long the viewer has been here, when a socket is opened and once a minute.
    Session(SessionView),
    /// All that a viewer sees of a table.
    State {
        /// How many steps the table has made.
        version: u64,
        /// What it looks like.
        view: Box<View>,
    },
    /// The next step of a table: every version comes once and none is left out.
    Event {
        /// The one after the last.
        version: u64,
        /// What happened, in lines of the log; without what is not for this viewer.
        #[schemars(with = "Vec<String>")]
        #[cfg_attr(test, ts(as = "Vec<String>"))]
        events: Shared<Vec<String>>,
        /// The same in sentences, as far as it is worth one.
        #[schemars(with = "Vec<String>")]
        #[cfg_attr(test, ts(as = "Vec<String>"))]
        told: Shared<Vec<String>>,
        /// What it looks like now; null where later versions follow at once.
        view: Option<Box<View>>,
    },
    /// The end of the table's log. Who keeps it can show that the log was rewritten.
    Head {
        /// The entry's number.
        seq: u64,
        /// The entry's hash.
        hash: String,
    },
    /// The house closes.
    Closing,
}

impl FromHouse {
    /// An answer that something was done.
    pub(crate) fn done(id: String, seq: Option<u64>) -> FromHouse {
        FromHouse::Answer { id, ok: true, seq, refusal: None }
    }

    /// An answer that something was not done.
    pub(crate) fn refused(id: String, refusal: Refused) -> FromHouse {
        COUNTED.refused();
        FromHouse::Answer { id, ok: false, seq: None, refusal: Some(refusal) }
    }
}

/// A refusal, and what a dealer would point to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Refused {
    /// Why not, in words.
    pub sentence: String,
    /// A clause, a ruling, a house limit, `own` for a limit that the player has set, or `house` where
    /// the game has nothing to do with it.
    pub source: String,
}

impl Refused {
    /// A refusal that no rule of the game is the reason for.
    pub(crate) fn by_house(sentence: impl Into<String>) -> Refused {
        Refused { sentence: sentence.into(), source: "house".to_owned() }
    }

    /// A refusal of the house that a clause or a ruling is the reason for.
    pub(crate) fn by_clause(sentence: &str, clause: &str) -> Refused {
        Refused { sentence: format!("{sentence} ({clause})"), source: clause.to_owned() }
    }

    /// A refusal of what only a supervisor may do.
    pub(crate) fn no_supervisor() -> Refused {
        Refused::by_clause("only a supervisor decides about this", "G-09")
    }

    /// A refusal of a table, which names what a dealer would point to.
    pub(crate) fn by_table(refusal: &TableRefusal, game: Game) -> Refused {
        let source = refusal.source(game).id().to_owned();
        Refused { sentence: refusal.in_words(game), source }
    }
}

/// What somebody has away from the tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Purse {
    /// The name.
    pub name: String,
    /// The money that is not at a table, in dollars.
    pub balance: String,
}

/// Who somebody is: the answer to `GET /api/me`, and to whatever lets somebody in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Me {
    /// The name.
    pub name: String,
    /// How the house knows them.
    pub kind: Kind,
    /// What they may do.
    pub role: Role,
    /// The money that is not at a table, in dollars.
    pub balance: String,
    /// The chips at every table where they have a place.
    pub racks: Vec<RackView>,
    /// Whether the cashier would give them more.
    pub broke: bool,
    /// How long they have been here, what it came to, and what they hold to.
    pub session: SessionView,
}

/// The clock and the bounds of a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SessionView {
    /// When the visit began, in seconds of Unix time; null without a socket in the last 5 minutes.
    pub since: Option<i64>,
    /// What the house's clock says now, in seconds of Unix time.
    pub now: i64,
    /// Minutes in the house since midnight UTC.
    pub minutes_today: i64,
    /// Won or lost on this visit, with its sign; what lies on the layout counts as lost.
    pub net: String,
    /// The same since midnight UTC.
    pub net_today: String,
    /// The most that may be lost in a day, in dollars.
    pub loss: BoundView,
    /// The most minutes in a day.
    pub minutes: BoundView,
    /// Why no chips are sold and no wagers taken now.
    pub held: Option<Refused>,
}

/// A bound that a player has set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BoundView {
    /// What holds; null where nothing does.
    pub most: Option<String>,
    /// What holds later, because it is looser.
    pub later: Option<LaterView>,
}

/// A looser bound that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LaterView {
    /// What will hold; null where nothing will.
    pub most: Option<String>,
    /// From when, in seconds of Unix time.
    pub from: i64,
}

/// Somebody whom the house knows: one of the answer to `GET /api/people`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PersonView {
    /// The name.
    pub name: String,
    /// How the house knows them.
    pub kind: Kind,
    /// What they may do.
    pub role: Role,
    /// Since when, in seconds of Unix time.
    pub since: i64,
    /// What the tokens of a bot are called.
    pub tokens: Vec<String>,
}

/// People by their names: the answer to `GET /api/people`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct People {
    /// In order.
    pub people: Vec<PersonView>,
    /// Whether more come after the last one.
    pub more: bool,
}

/// A token, told once: the answer to `POST /api/people/NAME/tokens`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TokenView {
    /// What it is called.
    pub label: String,
    /// The token itself: `Authorization: Bearer TOKEN`.
    pub token: String,
    /// Until when it holds, in seconds of Unix time.
    pub until: i64,
}

/// What was done to somebody, and by whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ActView {
    /// Its number.
    pub id: i64,
    /// When, in seconds of Unix time.
    pub at: i64,
    /// By whom: an operator, or `command-line`.
    pub who: String,
    /// What: `make`, `role`, `password`, `token`, `revoke`, `operator`.
    pub what: String,
    /// To whom.
    pub whom: String,
    /// The new role, or the label of a token.
    pub more: String,
}

/// What operators did: the answer to `GET /api/acts`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Acts {
    /// From the first.
    pub acts: Vec<ActView>,
    /// Whether more come after the last one.
    pub more: bool,
}

/// A player's money over time: the answer to `GET /api/me/bankroll`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Bankroll {
    /// From the earliest to the latest.
    pub points: Vec<PointView>,
    /// Whether there are earlier ones.
    pub more: bool,
}

/// What a player had after a round, or after the cashier gave something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PointView {
    /// In seconds of Unix time.
    pub at: i64,
    /// All money, in the account and in racks, in dollars.
    pub total: String,
    /// What came or went, with its sign.
    pub gain: String,
    /// The table; null where the cashier gave it.
    pub table: Option<String>,
    /// The round; null where the cashier gave it.
    pub round: Option<u32>,
}

/// What somebody has at a table, in dollars.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RackView {
    /// The table.
    pub table: String,
    /// The chips in the rack.
    pub chips: String,
    /// What lies on the layout and is not decided.
    pub staked: String,
}

/// An open table: one of the answer to `GET /api/tables`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OpenTable {
    /// Its name.
    pub table: String,
    /// The name of the game.
    pub game: &'static str,
    /// The game as it stands on the sign.
    pub title: &'static str,
    /// What never changes at it.
    pub about: AboutTable,
    /// How many seats are taken.
    pub taken: usize,
    /// How many there are.
    pub seats: usize,
    /// The progressive meter.
    pub meter: Option<String>,
    /// What it waits for.
    pub awaited: AwaitedWhat,
    /// Whether somebody more can watch it.
    pub watchable: bool,
}

/// What a source says: the answer to `GET /api/clause/ID`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ClauseView {
    /// Its id.
    pub id: String,
    /// What it is: a clause of a game's book, a ruling or a term of the house.
    pub kind: &'static str,
    /// The game on the sign, where it belongs to one.
    pub game: Option<&'static str>,
    /// What it is about, or all of it.
    pub title: String,
    /// What holds, where that is more than the title.
    pub words: Option<String>,
}

/// The book of a game in our own words: the answer to `GET /api/rules/GAME`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BookView {
    /// The name of the game.
    pub game: &'static str,
    /// The game as it stands on the sign.
    pub title: &'static str,
    /// The clauses, as the book has them.
    pub clauses: Vec<ClauseOfBook>,
    /// What decides where the book is silent: for this game, and for all.
    pub rulings: Vec<RulingView>,
    /// What the book leaves to the house.
    pub options: Vec<OptionView>,
}

/// A clause of a book.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ClauseOfBook {
    /// Its id.
    pub id: &'static str,
    /// What it is about, such as `payout`.
    pub kind: &'static str,
    /// What it says.
    pub title: &'static str,
    /// Why no program can carry it out, where none can.
    pub excused: Option<&'static str>,
}

/// A ruling.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RulingView {
    /// Its id.
    pub id: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// What holds.
    pub decision: &'static str,
}

/// Something that the book leaves to the house.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OptionView {
    /// Its one name.
    pub key: &'static str,
    /// What may be chosen.
    pub values: &'static str,
    /// What holds where nothing is chosen.
    pub default: &'static str,
    /// What it decides.
    pub meaning: &'static str,
    /// The clauses and rulings that it comes from.
    pub sources: Vec<&'static str>,
}

/// What never changes at a table.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AboutTable {
    /// The name of the table.
    pub table: String,
    /// The name of the game.
    pub game: &'static str,
    /// The game as it stands on the sign.
    pub title: &'static str,
    /// The house's terms.
    pub terms: Vec<TermView>,
    /// Every circle that can hold a wager of this game, as they lie on the layout.
    pub circles: Vec<CircleView>,
    /// What pays what.
    pub pays: Vec<PayView>,
    /// The amounts for which chips can be bought; the step is the smallest chip.
    pub buy_in: AmountsView,
    /// What stands on the signs beside the limits.
    pub signs: Vec<SignView>,
    /// The cards of a full shoe.
    pub decks: DecksView,
}

/// The cards of a full shoe, as the rules have them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DecksView {
    /// Those of one deck.
    pub cards: Vec<String>,
    /// How many decks there are.
    pub times: usize,
}

/// A sign at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SignView {
    /// What it says.
    pub words: &'static str,
    /// The clause behind it.
    pub clause: &'static str,
}

/// A house option.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TermView {
    /// Its one name.
    pub key: &'static str,
    /// What the house chose.
    pub value: String,
    /// What it decides.
    pub meaning: &'static str,
}

/// A circle of the layout.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CircleView {
    /// Its name in commands.
    pub circle: &'static str,
    /// What is printed on the felt.
    pub title: &'static str,
    /// The amounts that it takes before the first card; null where it takes none then.
    pub opening: Option<AmountsView>,
}

/// A line of a pay table.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PayView {
    /// The circle.
    pub circle: &'static str,
    /// What is paid.
    pub what: &'static str,
    /// How much: `10 to 1`.
    pub odds: String,
    /// The clause that says so.
    pub clause: &'static str,
}

/// Amounts that may be chosen, in dollars.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AmountsView {
    /// The smallest.
    pub least: String,
    /// The largest.
    pub most: String,
    /// From one to the next.
    pub step: String,
    /// Whether there always is one; with a call, one that is left out is the largest then.
    pub required: bool,
}

/// What several messages have in common: it is written as JSON once.
#[derive(Clone, Debug)]
pub struct Shared<T>(Arc<(T, Box<RawValue>)>);

impl<T: Serialize> From<T> for Shared<T> {
    fn from(value: T) -> Shared<T> {
        let text = serde_json::value::to_raw_value(&value).expect("what is told is plain JSON");
        Shared(Arc::new((value, text)))
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0.0
    }
}

impl<T> Serialize for Shared<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.1.serialize(serializer)
    }
}

/// What a viewer sees of a table: never a card that is not for that viewer's eyes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct View {
    /// The name of the table.
    pub table: String,
    /// The number of the round in play, or of the next one.
    pub round: u32,
    /// Whether wagers are taken.
    pub betting: bool,
    /// The seats from the dealer's far left.
    #[schemars(with = "Vec<SeatView>")]
    #[cfg_attr(test, ts(as = "Vec<SeatView>"))]
    pub seats: Shared<Vec<SeatView>>,
    /// The dealer's cards; `??` is face down.
    pub dealer: Vec<String>,
    /// What the dealer's open cards make, where the game counts it.
    pub dealer_holds: Option<String>,
    /// The cards burned in this round.
    pub burned: usize,
    /// The shoe.
    pub shoe: Option<ShoeView>,
    /// What the table waits for.
    pub awaited: Awaited,
    /// The viewer's first seat.
    pub me: Option<usize>,
    /// Every place of the viewer: `3`, or `3b` behind somebody else.
    pub mine: Vec<String>,
    /// Where the viewer may cut, when asked to.
    pub cut: Option<CutView>,
    /// What is open to the viewer.
    pub offers: Vec<Offer>,
    /// The usual calls that are closed to the viewer in this round, and why.
    pub why_not: Vec<ClosedCall>,
    /// What the viewer may choose after something went wrong.
    pub choices: Vec<String>,
    /// What the supervisor may order; empty for everybody else.
    pub outcomes: Vec<String>,
    /// Whether the cards lie spread for the players to look at: face up or not; null where they
    /// do not.
    pub spread: Option<bool>,
    /// The progressive meter.
    pub meter: Option<String>,
    /// What the dealer says now.
    pub said: String,
    /// What the hands of a physical table's dealer do next; empty for everybody else.
    pub hands: Vec<String>,
    /// Why nothing is taken at the moment, where something could not be written down.
    pub trouble: Option<String>,
    /// Why no wager of the viewer is taken before the next shuffle, who may sit down nevertheless:
    /// where a sign bars entry in mid-shoe. Null where one is taken in the next round.
    pub barred: Option<Refused>,
    /// Why the table stands still until a supervisor decides, and the clause that says so.
    pub frozen: Option<Refused>,
}

/// A copy of the store: the answer to `POST /api/backup`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BackupView {
    /// Its file, in the directory of the store.
    pub file: String,
    /// How long it is.
    pub bytes: u64,
}

/// What a supervisor may decide at a table: the answer to `GET` and `POST /api/tables/TABLE/orders`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OrdersView {
    /// The table.
    pub table: String,
    /// The entry of the log that an order led to.
    pub seq: Option<u64>,
    /// The round in play, or the next one.
    pub round: u32,
    /// What the table waits for.
    pub awaited: AwaitedWhat,
    /// What may be ordered now.
    pub outcomes: Vec<String>,
    /// What the dealer says now.
    pub said: String,
    /// What can go wrong in this game, for a `report`.
    pub kinds: Vec<KindView>,
}

/// Something that can go wrong.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct KindView {
    /// The first word of a report, before card or place: `face-up`.
    pub kind: &'static str,
    /// The same as one says it.
    pub words: &'static str,
    /// The clause that decides it.
    pub clause: &'static str,
}

/// A seat.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SeatView {
    /// Counted from 1.
    pub seat: usize,
    /// Who sits there.
    pub name: Option<String>,
    /// Whether that is a program.
    pub bot: bool,
    /// Whether that person is not there: the connection is lost, and the place kept for a while.
    pub away: bool,
    /// Whether no wager of theirs is taken before the next shuffle (no mid-shoe entry).
    pub waits: bool,
    /// The chips before the seat.
    pub rack: Option<String>,
    /// Whether no further wager will come.
    pub ready: bool,
    /// What lies on the layout and is not decided.
    pub wagers: Vec<WagerView>,
    /// The cards of each hand; `??` is face down, or not for this viewer.
    pub hands: Vec<Vec<String>>,
    /// How many of the first cards of each hand are for whoever has the box alone, who lifts them.
    pub lifted: Vec<usize>,
    /// Whether the last card of each hand came of a double, and lies sideways (DAB-8-a, FBB-8-c).
    pub sideways: Vec<bool>,
    /// Whether each hand is surrendered and not settled, so that its wager lies on its cards.
    pub given_up: Vec<bool>,
    /// What each hand makes, where the game counts it and the viewer sees all of it.
    pub holds: Vec<Option<String>>,
    /// The hand that is played, counted from 1.
    pub playing: Option<usize>,
    /// What became of the wagers of this round or the last one.
    pub results: Vec<ResultView>,
    /// Who else bets on the box.
    pub behind: Vec<BehindView>,
    /// Who asks to (DAB-13-a).
    pub asking: Vec<String>,
}

/// Somebody who bets on the box of somebody else (DAB-13).
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BehindView {
    /// The place: `3b`.
    pub at: String,
    /// Who.
    pub name: String,
    /// Whether that is a program.
    pub bot: bool,
    /// Whether that person is not there: the connection is lost, and the place kept for a while.
    pub away: bool,
    /// Whether no wager of theirs is taken before the next shuffle (no mid-shoe entry).
    pub waits: bool,
    /// The chips there.
    pub rack: String,
    /// Whether no further wager will come.
    pub ready: bool,
    /// What lies on the layout and is not decided.
    pub wagers: Vec<WagerView>,
    /// What became of the wagers of this round or the last one.
    pub results: Vec<ResultView>,
}

/// A wager on the layout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WagerView {
    /// The hand that it lies on, counted from 1.
    pub hand: usize,
    /// The name of the circle.
    pub circle: &'static str,
    /// In dollars.
    pub amount: String,
    /// Whether it is a lammer of the house and not money.
    pub free: bool,
}

/// What became of a wager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ResultView {
    /// The hand that it lay on, counted from 1.
    pub hand: usize,
    /// The name of the circle.
    pub circle: &'static str,
    /// What lay there; null for an award that had no stake.
    pub stake: Option<String>,
    /// Won or lost, with its sign.
    pub gain: String,
    /// In words, with odds.
    pub words: String,
    /// The clause that says so.
    pub clause: &'static str,
}

/// A shoe.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ShoeView {
    /// Counted from 1.
    pub number: u32,
    /// The commitment to its order; empty where nobody knows it.
    pub seal: String,
    /// How many cards it held.
    pub size: usize,
    /// How many cards are left.
    pub left: usize,
    /// How many lie in the discard rack.
    pub discarded: usize,
    /// How many of those left lie before the cut card.
    pub before_cut_card: Option<usize>,
    /// Whether the cut card has come out.
    pub cut_card_reached: bool,
    /// Which of two batches it is made of, whose backs differ in colour: 1 or 2.
    pub batch: u8,
}

/// What a table waits for.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Awaited {
    /// What.
    pub what: AwaitedWhat,
    /// Of which seats.
    pub seats: Vec<usize>,
    /// How long it still waits, in milliseconds; null where no clock runs.
    pub within_ms: Option<u64>,
    /// How long it waits in all.
    pub of_ms: Option<u64>,
}

/// What can be waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum AwaitedWhat {
    /// Somebody who sits down.
    Player,
    /// Cards that come to the table.
    Decks,
    /// Somebody who looks at the spread cards, or lets time pass.
    Inspection,
    /// The dealer's shuffle.
    Shuffle,
    /// What players add to the order of the cards.
    Contributions,
    /// The cut of a seat, or of the dealer where no seat is named.
    Cut,
    /// The burn card that begins a shoe.
    Burn,
    /// Wagers: betting is open.
    Wagers,
    /// The decisions of seats.
    Act,
    /// The dealer's next card.
    Dealer,
    /// The order of the last shoe.
    Reveal,
    /// A supervisor, because something went wrong.
    Supervisor,
    /// What a player chooses after something went wrong.
    Choice,
}

/// Where the cards may be cut.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CutView {
    /// The fewest cards that go from the front to the back.
    pub least: usize,
    /// The most.
    pub most: usize,
    /// How many there are.
    pub cards: usize,
}

/// A call that is open.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Offer {
    /// The place that it is open to.
    pub at: String,
    /// The call, as commands name it.
    pub call: &'static str,
    /// The call on a button.
    pub words: &'static str,
    /// What it takes from the rack where no amount is named; null where nothing.
    pub stake: Option<String>,
    /// Whether the house lays a lammer for it.
    pub free: bool,
    /// The amounts that may be named with it.
    pub amounts: Option<AmountsView>,
    /// The title of the circle on which that amount goes.
    pub circle: Option<&'static str>,
    /// The first of two hands that may be named with it, counted from 1 (DAB-13-f).
    pub hand: Option<u8>,
}

/// Rounds that are over, the last one first: the answer to `GET /api/rounds`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoundsView {
    /// The rounds.
    pub rounds: Vec<RoundLine>,
    /// What to ask for as `before` to get earlier ones; null where there are none.
    pub before: Option<u64>,
}

/// A round that is over.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoundLine {
    /// The table.
    pub table: String,
    /// The name of the game.
    pub game: &'static str,
    /// The game as it stands on the sign.
    pub title: &'static str,
    /// Its number at that table.
    pub round: u32,
    /// The shoe that it was dealt from.
    pub shoe: u32,
    /// When it was over, in seconds of Unix time.
    pub at: i64,
    /// Whether it was void, and everything was undone (G-03).
    pub void: bool,
    /// What the player won or lost in all, with what was put right since; null for who had no wager.
    pub net: Option<String>,
    /// What became of each wager of that player, when the round was over.
    pub wagers: Vec<WagerLine>,
    /// What was put right since, for anybody.
    pub corrections: Vec<CorrectionLine>,
}

/// What a supervisor put right about a round that is over (G-28).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CorrectionLine {
    /// The entry of the log.
    pub seq: u64,
    /// In dollars.
    pub amount: String,
    /// The account that gave it.
    pub from: String,
    /// The account that got it.
    pub to: String,
    /// The supervisor.
    pub by: String,
    /// Why.
    pub because: String,
}

/// What became of a wager of a round that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WagerLine {
    /// Whose.
    pub name: String,
    /// The place: `3`, or `3b`.
    pub at: String,
    /// The hand that it lay on, counted from 1.
    pub hand: usize,
    /// The name of the circle.
    pub circle: &'static str,
    /// What is printed on the felt.
    pub title: &'static str,
    /// What lay there; null for an award that had no stake.
    pub stake: Option<String>,
    /// Whether it was a lammer of the house and not money.
    pub free: bool,
    /// Won or lost, with its sign.
    pub gain: String,
    /// The clause that says so.
    pub clause: String,
}

/// A round that is over, step by step: the answer to `GET /api/rounds/TABLE/ROUND`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoundView {
    /// The table as it was then.
    pub about: AboutTable,
    /// The round, counted from 1.
    pub round: u32,
    /// The shoe that it was dealt from.
    pub shoe: u32,
    /// When it was over, in seconds of Unix time.
    pub at: i64,
    /// Whether it was void, and everything was undone (G-03).
    pub void: bool,
    /// What happened, from "No more bets" on.
    pub steps: Vec<RoundStep>,
    /// What became of every wager.
    pub wagers: Vec<WagerLine>,
    /// What was put right since.
    pub corrections: Vec<CorrectionLine>,
    /// The round in the notation, which `pitboss check` plays.
    pub transcript: String,
}

/// A step of a round.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoundStep {
    /// Its entry in the log.
    pub seq: u64,
    /// The version of the table after it.
    pub version: u64,
    /// What happened, in lines of the log; without what was not for this viewer.
    pub events: Vec<String>,
    /// The same in sentences, as far as it is worth one.
    pub told: Vec<String>,
    /// What this viewer saw after it.
    pub view: Box<View>,
}

/// What is needed to check a shoe: the answer to `GET /api/shoes/TABLE/SHOE`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ShoeRecordView {
    /// The table.
    pub table: String,
    /// The name of the game.
    pub game: &'static str,
    /// The shoe, counted from 1.
    pub shoe: u32,
    /// When it was shuffled, in seconds of Unix time.
    pub at: i64,
    /// The commitment to its order; empty where nobody knew it.
    pub seal: String,
    /// How many cards it held.
    pub size: usize,
    /// Which cards it holds by the rules; null where those are the discards of a round that ran out
    /// of cards (G-18).
    pub decks: Option<DecksView>,
    /// What players added to the order, one after the other.
    pub contributions: Vec<ContributionView>,
    /// How many cards went from the front to the back, cut by cut.
    pub cuts: Vec<usize>,
    /// The cards that have left it, the first one first; `??` where nobody has seen it.
    pub dealt: Vec<String>,
    /// The salt of the commitment, once the shoe is retired.
    pub salt: Option<String>,
    /// The order before mix and cut, once the shoe is retired.
    pub order: Option<Vec<String>>,
    /// The first and the last round that were dealt from it.
    pub rounds: Option<(u32, u32)>,
    /// The first entry of the log that is about it, for `GET /api/export/TABLE?from=…&to=…`.
    pub first_entry: u64,
    /// The last one.
    pub last_entry: u64,
}

/// What a player added to the order of a shoe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ContributionView {
    /// The place.
    pub at: String,
    /// 64 hexadecimal digits.
    pub bytes: String,
}

/// A call that is closed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ClosedCall {
    /// The call.
    pub call: &'static str,
    /// The call on a button.
    pub words: &'static str,
    /// Why it is closed.
    pub refusal: Refused,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use ts_rs::{Config, TS, TypeVisitor};

    use super::*;

    /// The types of the page, which are made from these and committed.
    const TYPES: &str = "../../web/src/wire.ts";

    /// Types and all that they are made of, by their names.
    #[derive(Default)]
    struct Declared(BTreeMap<String, String>);

    impl TypeVisitor for Declared {
        fn visit<T: TS + 'static + ?Sized>(&mut self) {
            let config = Config::new().with_large_int("number");
            let name = T::name(&config);
            if T::output_path().is_none() || self.0.contains_key(&name) {
                return;
            }
            let docs = T::docs().unwrap_or_default();
            self.0.insert(name, format!("{docs}export {}\n", T::decl(&config)));
            T::visit_dependencies(self);
        }
    }

    #[test]
    fn the_page_knows_these_types() {
        let mut declared = Declared::default();
        declared.visit::<FromClient>();
        declared.visit::<FromHouse>();
        declared.visit::<Me>();
        declared.visit::<Bankroll>();
        declared.visit::<People>();
        declared.visit::<TokenView>();
        declared.visit::<Acts>();
        declared.visit::<OpenTable>();
        declared.visit::<ClauseView>();
        declared.visit::<OrdersView>();
        declared.visit::<BackupView>();
        declared.visit::<RoundsView>();
        declared.visit::<RoundView>();
        declared.visit::<ShoeRecordView>();
        declared.visit::<BookView>();
        let types: Vec<_> = declared.0.into_values().collect();
        let head = "// Made from crates/house/src/wire.rs by its tests. Not to be changed here.\n";
        let types = format!("{head}\n{}", types.join("\n"));
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(TYPES);
        if std::env::var_os("RENEW").is_some() {
            std::fs::write(&file, &types).unwrap();
        }
        let committed = std::fs::read_to_string(&file).unwrap_or_default();
        let renew = "RENEW=1 cargo test -p pitboss-house the_page_knows_these_types";
        assert!(committed == types, "web/src/wire.ts is stale; type: {renew}");
    }

    #[test]
    fn a_command_is_read_as_it_is_documented() {
        for (text, what) in [
            (r#"{"type":"watch","table":"war-1","from":null}"#, None),
            (r#"{"type":"sit","seat":3}"#, Some(Do::Sit { seat: 3, behind: false })),
            (r#"{"type":"leave"}"#, Some(Do::Leave { at: None })),
            (r#"{"type":"cut","at":null}"#, Some(Do::Cut { at: None })),
            (r#"{"type":"wager","amounts":[{"circle":"main","amount":"7.50"}]}"#, None),
            (r#"{"type":"act","call":"war"}"#, None),
        ] {
            let message = format!(r#"{{"id":"1","do":{text}}}"#);
            let read: FromClient = serde_json::from_str(&message).unwrap();
            assert!(what.is_none_or(|what| what == read.what), "{text}");
        }
        for wrong in ["", "{}", r#"{"id":"1","do":{"type":"win"}}"#, r#"{"id":"1"}"#] {
            assert!(serde_json::from_str::<FromClient>(wrong).is_err(), "{wrong}");
        }
    }
}
