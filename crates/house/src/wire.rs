//! What goes over the WebSocket, both ways, as JSON. Seats are counted from 1; money is dollars as text.

use serde::{Deserialize, Serialize};

/// The longest message that a client may send, in bytes.
pub const LONGEST_MESSAGE: usize = 4096;

/// The most messages that a client may send in a second.
pub const MESSAGES_A_SECOND: u32 = 20;

/// Messages that may wait for a client. One more, and the socket is closed; the client may resume.
pub const MOST_QUEUED: usize = 64;

/// The longest id of a command.
pub const LONGEST_ID: usize = 64;

/// A message of a client.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FromClient {
    /// Made by the client. A command with the same id is applied once, however often it is sent.
    pub id: String,
    /// What is asked for.
    #[serde(rename = "do")]
    pub what: Do,
}

/// What a client asks for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
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
    /// Takes a seat.
    Sit {
        /// Counted from 1.
        seat: usize,
    },
    /// Leaves with all chips.
    Leave,
    /// Turns money into chips.
    BuyIn {
        /// In dollars.
        amount: String,
    },
    /// Places wagers in place of earlier ones.
    Wager {
        /// What lies where.
        amounts: Vec<OnCircle>,
    },
    /// Takes the wagers back.
    Clear,
    /// Says that no further wager will come: when everyone has, betting is closed at once.
    Ready,
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
    },
}

/// An amount on a circle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OnCircle {
    /// The name of the circle.
    pub circle: String,
    /// In dollars.
    pub amount: String,
}

/// A message of the house.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromHouse {
    /// The answer to a message with the same id.
    Answer {
        /// Which one.
        id: String,
        /// Whether it was done.
        ok: bool,
        /// The entry of the log that it led to.
        #[serde(skip_serializing_if = "Option::is_none")]
        seq: Option<u64>,
        /// Why it was not done.
        #[serde(skip_serializing_if = "Option::is_none")]
        refusal: Option<Refused>,
    },
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
        events: Vec<String>,
        /// What it looks like now; left out where later versions follow at once.
        #[serde(skip_serializing_if = "Option::is_none")]
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
        FromHouse::Answer { id, ok: false, seq: None, refusal: Some(refusal) }
    }
}

/// A refusal, and what a dealer would point to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refused {
    /// Why not, in words.
    pub sentence: String,
    /// A clause, a ruling, a house limit, or `house` where the game has nothing to do with it.
    pub source: String,
}

impl Refused {
    /// A refusal that no rule of the game is the reason for.
    pub(crate) fn by_house(sentence: impl Into<String>) -> Refused {
        Refused { sentence: sentence.into(), source: "house".to_owned() }
    }
}

/// What a viewer sees of a table: never a card that is not for that viewer's eyes.
#[derive(Clone, Debug, Serialize)]
pub struct View {
    /// The name of the table.
    pub table: String,
    /// The name of the game.
    pub game: &'static str,
    /// The house's terms.
    pub terms: Vec<TermView>,
    /// The number of the round in play, or of the next one.
    pub round: u32,
    /// The seats from the dealer's far left.
    pub seats: Vec<SeatView>,
    /// The dealer's cards; `??` is face down.
    pub dealer: Vec<String>,
    /// The shoe.
    pub shoe: Option<ShoeView>,
    /// What the table waits for.
    pub awaited: Awaited,
    /// The viewer's seat.
    pub me: Option<usize>,
    /// What is open to the viewer.
    pub offers: Vec<Offer>,
    /// The progressive meter.
    pub meter: Option<String>,
    /// What the dealer said last.
    pub said: Option<String>,
}

/// A house option.
#[derive(Clone, Debug, Serialize)]
pub struct TermView {
    /// Its one name.
    pub key: &'static str,
    /// What the house chose.
    pub value: String,
    /// What it decides.
    pub meaning: &'static str,
}

/// A seat.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SeatView {
    /// Counted from 1.
    pub seat: usize,
    /// Who sits there.
    pub name: Option<String>,
    /// The chips before the seat.
    pub rack: Option<String>,
    /// What lies on the layout.
    pub wagers: Vec<OnCircle>,
    /// The cards of each hand; `??` is face down, or not for this viewer.
    pub hands: Vec<Vec<String>>,
    /// What became of the wagers of this round or the last one.
    pub results: Vec<ResultView>,
}

/// What became of a wager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ResultView {
    /// The circle.
    pub circle: &'static str,
    /// Won or lost, with its sign.
    pub gain: String,
    /// In words, with odds.
    pub words: String,
    /// The clause that says so.
    pub clause: &'static str,
}

/// A shoe.
#[derive(Clone, Debug, Serialize)]
pub struct ShoeView {
    /// Counted from 1.
    pub number: u32,
    /// The commitment to its order.
    pub seal: String,
    /// How many cards are left.
    pub left: usize,
    /// How many of them lie before the cut card.
    pub before_cut_card: Option<usize>,
    /// Whether the cut card has come out.
    pub cut_card_reached: bool,
}

/// What a table waits for.
#[derive(Clone, Debug, Serialize)]
pub struct Awaited {
    /// `player`, `cut`, `wagers`, `act` or `dealer`.
    pub what: &'static str,
    /// Of which seats.
    pub seats: Vec<usize>,
    /// How long it waits, in milliseconds; none where no clock runs.
    pub within_ms: Option<u64>,
}

/// A call that is open.
#[derive(Clone, Debug, Serialize)]
pub struct Offer {
    /// The call.
    pub call: &'static str,
    /// The amounts that may go with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amounts: Option<AmountsView>,
}

/// Amounts that may go with a call.
#[derive(Clone, Debug, Serialize)]
pub struct AmountsView {
    /// The smallest.
    pub least: String,
    /// The largest.
    pub most: String,
    /// From one to the next.
    pub step: String,
    /// Whether there always is one; left out it is the largest then, and nothing otherwise.
    pub required: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_read_as_it_is_documented() {
        for (text, what) in [
            (r#"{"type":"watch","table":"war-1","from":null}"#, None),
            (r#"{"type":"sit","seat":3}"#, Some(Do::Sit { seat: 3 })),
            (r#"{"type":"leave"}"#, Some(Do::Leave)),
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
