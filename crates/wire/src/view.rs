//! What a viewer sees of a table.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::change::changing;
use crate::people::present;
use crate::{AmountsView, Order, Refusal, Shared};

changing! {
    /// What a viewer sees of a table: never a card that is not for that viewer's eyes.
    pub struct View
    parts {
        /// The seats from the dealer's far left.
        #[schema(value_type = Vec<SeatView>)]
        #[cfg_attr(test, ts(as = "Vec<SeatView>"))]
        seats: Shared<Vec<SeatView>>,
        /// The seats that changed.
        #[cfg_attr(test, ts(optional))]
        as Vec<SeatChange>
    }
    fields {
        /// The name of the table.
        pub table: String,
        /// The number of the round in play, or of the next one.
        pub round: u32,
        /// Whether wagers are taken.
        pub betting: bool,
        /// The dealer's cards; `??` is face down.
        pub dealer: Vec<String>,
        /// What the dealer's open cards make, where the game counts it.
        pub dealer_holds: Option<Holds>,
        /// The cards burned in this round.
        pub burned: usize,
        /// The shoe: what stays the same from its shuffle on.
        pub shoe: Option<ShoeView>,
        /// How far it is dealt.
        pub pile: Option<PileView>,
        /// What players add to its order; null where that is not known any more, or there is nothing
        /// to add to.
        pub mix: Option<MixView>,
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
        /// What the viewer may choose after something went wrong.
        pub choices: Vec<Choice>,
        /// What the supervisor may order; empty for everybody else.
        pub outcomes: Vec<Order>,
        /// Whether the cards lie spread for the players to look at: face up or not; null where they
        /// do not.
        pub spread: Option<bool>,
        /// The progressive meter.
        pub meter: Option<String>,
        /// What the dealer says now.
        pub prompt: String,
        /// What the hands of a physical table's dealer do next; empty for everybody else.
        pub procedure: Vec<String>,
        /// Why nothing is taken at the moment, where something could not be written down.
        pub trouble: Option<Refusal>,
        /// Why no wager of the viewer is taken before the next shuffle, who may sit down nevertheless:
        /// where a sign bars entry in mid-shoe. Null where one is taken in the next round.
        pub barred: Option<Refusal>,
        /// About how many seconds it is until that shuffle, as fast as the shoe has been dealt; null
        /// where that is not known, or nobody waits for it.
        pub shuffle_in: Option<u64>,
        /// Why the table stands still until a supervisor decides, and the clause that says so.
        pub frozen: Option<Refusal>,
        /// The house players who keep people company; null where the house has none at this table.
        pub company: Option<CompanyView>,
    }

    /// What changed in a view: a field that is left out is as it was.
    changes ViewChange;
}

changing! {
    /// A seat.
    pub struct SeatView
    key {
        /// Counted from 1.
        seat: usize
    }
    fields {
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
        pub surrendered: Vec<bool>,
        /// What each hand makes, where the game counts it and the viewer sees all of it.
        pub holds: Vec<Option<Holds>>,
        /// The hand that is played, counted from 1.
        pub playing: Option<usize>,
        /// What became of the wagers of this round or the last one.
        pub results: Vec<ResultView>,
        /// Who else bets on the box.
        pub behind: Vec<BehindView>,
        /// Who asks to (DAB-13-a).
        pub asking: Vec<String>,
    }

    /// What changed at a seat: a field that is left out is as it was.
    changes SeatChange;
}

/// What changed at seats.
fn changes_of(
    seats: &Shared<Vec<SeatView>>,
    before: &Shared<Vec<SeatView>>,
) -> Option<Vec<SeatChange>> {
    if seats.is_same(before) {
        return None;
    }
    let changed = seats.iter().zip(before.iter()).filter(|(seat, before)| seat != before);
    let changes: Vec<_> = changed.map(|(seat, before)| seat.since(before)).collect();
    (!changes.is_empty()).then_some(changes)
}

fn take_changes(seats: &mut Shared<Vec<SeatView>>, changes: Vec<SeatChange>) {
    let seats = seats.edit();
    for change in changes {
        if let Some(seat) = seats.iter_mut().find(|seat| seat.seat == change.seat) {
            seat.take(change);
        }
    }
}

/// Somebody who bets on the box of somebody else (DAB-13).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WagerView {
    /// The hand that it lies on, counted from 1.
    pub hand: usize,
    /// The name of the circle.
    pub circle: Cow<'static, str>,
    /// In dollars.
    pub amount: String,
    /// Whether it is a lammer of the house and not money.
    pub free: bool,
}

/// What became of a wager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ResultView {
    /// The hand that it lay on, counted from 1.
    pub hand: usize,
    /// The name of the circle.
    pub circle: Cow<'static, str>,
    /// What lay there; null for an award that had no stake.
    pub stake: Option<String>,
    /// Won or lost, with its sign.
    pub gain: String,
    /// What was decided.
    pub end: WagerEnd,
    /// At which odds it won; null where it did not, or is an award.
    pub odds: Option<OddsView>,
    /// What decided it, as a code: `dealer-bust`.
    pub why: Cow<'static, str>,
    /// The clause that says so.
    pub clause: Cow<'static, str>,
}

/// How a wager ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum WagerEnd {
    /// It wins at its odds, and is returned.
    Pay,
    /// It wins at its odds, and is itself collected.
    PayAndCollect,
    /// A tie: neither won nor lost.
    Push,
    /// It is lost.
    Take,
    /// Half of it is lost.
    TakeHalf,
    /// It goes back undecided.
    Return,
    /// It was a lammer of the house, which goes back undecided.
    RemoveLammer,
    /// The progressive pays.
    Award,
    /// The progressive pays because another player won it.
    Envy,
}

/// Odds: what is won for a stake, as in `3 to 2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OddsView {
    /// What is won.
    pub pays: u32,
    /// For how much.
    pub to: u32,
}

/// What cards make.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Holds {
    /// A total in which no ace counts eleven.
    Hard(u8),
    /// A total in which an ace counts eleven; 11 is an ace alone.
    Soft(u8),
    /// A poker hand, by its name: `two-pair`.
    Hand(Cow<'static, str>),
}

/// A shoe: what stays the same from its shuffle on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ShoeView {
    /// Counted from 1.
    pub number: u32,
    /// The commitment to its order; empty where nobody knows it.
    pub seal: String,
    /// How many cards it held.
    pub size: usize,
    /// Which of two batches it is made of, whose backs differ in colour: 1 or 2.
    pub batch: u8,
}

/// What players add to the order of a shoe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MixView {
    /// What is done now.
    pub stage: MixStage,
    /// Whether the viewer has answered at this stage; null where no answer of theirs is awaited.
    pub answered: Option<bool>,
    /// The closed list of commitments.
    pub list: Vec<CommitmentView>,
}

/// What is done with the order of a shoe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum MixStage {
    /// Players commit to bytes, and the cut is named.
    Commit,
    /// The list is closed, and players open.
    Open,
    /// The order is fixed.
    Mixed,
}

/// A commitment in the closed list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CommitmentView {
    /// The place.
    pub at: String,
    /// 64 hexadecimal digits.
    pub commitment: String,
    /// Whether its opening is in the log; false before the order is fixed.
    pub opened: bool,
}

/// How far a shoe is dealt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PileView {
    /// How many cards are left.
    pub left: usize,
    /// How many lie in the discard rack.
    pub discarded: usize,
    /// How many of those left lie before the cut card.
    pub before_cut_card: Option<usize>,
    /// Whether the cut card has come out.
    pub cut_card_reached: bool,
}

/// What a table waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
    /// The commitments of seats to bytes of their own.
    Commitments,
    /// The openings of those commitments.
    Openings,
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

impl AwaitedWhat {
    /// Its word on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            AwaitedWhat::Player => "player",
            AwaitedWhat::Decks => "decks",
            AwaitedWhat::Inspection => "inspection",
            AwaitedWhat::Shuffle => "shuffle",
            AwaitedWhat::Commitments => "commitments",
            AwaitedWhat::Openings => "openings",
            AwaitedWhat::Cut => "cut",
            AwaitedWhat::Burn => "burn",
            AwaitedWhat::Wagers => "wagers",
            AwaitedWhat::Act => "act",
            AwaitedWhat::Dealer => "dealer",
            AwaitedWhat::Reveal => "reveal",
            AwaitedWhat::Supervisor => "supervisor",
            AwaitedWhat::Choice => "choice",
        }
    }
}

/// The house players at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CompanyView {
    /// How many were asked for.
    pub asked: usize,
    /// How many may be asked for.
    pub most: usize,
    /// The seats that they have.
    pub seats: Vec<usize>,
}

/// Where the cards may be cut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Offer {
    /// The place that it is open to.
    pub at: String,
    /// The call, as commands name it.
    pub call: Cow<'static, str>,
    /// The call on a button.
    pub words: Cow<'static, str>,
    /// What it takes from the rack where no amount is named; null where nothing.
    pub stake: Option<String>,
    /// What is lost by it at once, and no more; null where nothing is, or where that is not known.
    pub loses: Option<String>,
    /// Whether the house lays a lammer for it.
    pub free: bool,
    /// The amounts that may be named with it.
    pub amounts: Option<AmountsView>,
    /// The title of the circle on which that amount goes.
    pub circle: Option<Cow<'static, str>>,
    /// The first of two hands that may be named with it, counted from 1 (DAB-13-f).
    pub hand: Option<u8>,
}

/// A call that is closed to whoever is asked: one of the answer to `GET /api/tables/TABLE/closed-calls`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ClosedCall {
    /// The call.
    pub call: Cow<'static, str>,
    /// The call on a button.
    pub words: Cow<'static, str>,
    /// Why it is closed.
    pub refusal: Refusal,
}

/// What a player may choose after something went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Choice {
    /// The choice, as commands name it.
    pub choice: Cow<'static, str>,
    /// The choice on a button.
    pub words: String,
}
