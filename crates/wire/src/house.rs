//! The messages of the house on the socket.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    AboutTable, LobbyTable, Purse, Refusal, SessionView, Shared, StoryLine, View, ViewChange,
};

/// A message from the house.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromHouse {
    /// The first message on a socket: the protocol that the house speaks.
    Hello {
        /// Its version, as in [`PROTOCOL`](crate::PROTOCOL).
        protocol: u32,
    },
    /// The answer to a message with the same id.
    Answer {
        /// Which one.
        id: String,
        /// Whether it was done.
        ok: bool,
        /// The entry of the log that it led to.
        seq: Option<u64>,
        /// Why it was not done.
        refusal: Option<Box<Refusal>>,
    },
    /// What never changes at a table that is watched from now on.
    Table {
        /// What it is.
        about: Box<AboutTable>,
    },
    /// The viewer's account, when a table is watched and whenever money moved.
    Account(Purse),
    /// How long the viewer has been here, when a socket is opened and once a minute.
    Session(Box<SessionView>),
    /// All that a viewer sees of a table.
    State {
        /// How many steps the table has made.
        version: u64,
        /// The number of this view on this socket. The next change has the next number, so that none
        /// can be missed.
        number: u64,
        /// What it looks like.
        view: Box<View>,
    },
    /// The next step of a table: every version comes once and none is left out.
    Event {
        /// The one after the last.
        version: u64,
        /// What happened, in lines of the log; without what is not for this viewer.
        #[schema(value_type = Vec<String>)]
        #[cfg_attr(test, ts(as = "Vec<String>"))]
        events: Shared<Vec<String>>,
        /// The same in codes, for what is worth a sentence.
        #[schema(value_type = Vec<StoryLine>)]
        #[cfg_attr(test, ts(as = "Vec<StoryLine>"))]
        story: Shared<Vec<StoryLine>>,
        /// The number of the view after it.
        number: u64,
        /// What changed since the view before; null if the `state` follows at once.
        change: Option<Box<ViewChange>>,
    },
    /// Something changed that is no step of the table, such as who is ready.
    Change {
        /// The version, as before.
        version: u64,
        /// The number of the view after it.
        number: u64,
        /// What changed since the view before.
        change: Box<ViewChange>,
    },
    /// The end of the table's log. Whoever keeps it can show that the log was rewritten.
    Head {
        /// The entry's number.
        seq: u64,
        /// The entry's hash.
        hash: String,
    },
    /// On the socket of the lobby: every table when it opens, and then those that changed.
    Lobby {
        /// The tables, as they stand now. One that was not there before is new: `GET
        /// /api/tables/TABLE` tells all of it.
        tables: Vec<LobbyTable>,
        /// The tables that are open no more.
        closed: Vec<String>,
    },
    /// Why the house closes the socket of somebody whose session has ended or who does not play now.
    Away {
        /// The reason.
        refusal: Box<Refusal>,
    },
    /// The house closes.
    Closing,
}

// What waits for a client lies in blocks of 32 messages: each byte here costs every client some dozens.
#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<FromHouse>() <= 64);

impl FromHouse {
    /// An answer that something was done.
    pub fn done(id: String, seq: Option<u64>) -> FromHouse {
        FromHouse::Answer { id, ok: true, seq, refusal: None }
    }

    /// An answer that something was not done.
    pub fn refused(id: String, refusal: Refusal) -> FromHouse {
        FromHouse::Answer { id, ok: false, seq: None, refusal: Some(Box::new(refusal)) }
    }
}
