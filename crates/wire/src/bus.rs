//! What the nodes of one house tell each other on the bus. It is the protocol of the socket, put into
//! envelopes: a node that has a client sends the client's commands to the node that owns the table, and
//! gets what that client may see. No order and no salt is ever among it.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use crate::{
    AwaitedWhat, ClosedCall, Command, FromHouse, OrdersView, Refusal, SupervisorCommand, ValuesView,
};

/// The version of these messages, which is part of every subject: nodes of different versions do not hear
/// each other.
pub const BUS_PROTOCOL: u32 = 1;

/// Somebody at a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub struct BusPerson {
    pub name: String,
    /// The name of the kind.
    pub kind: String,
    /// The name of the role.
    pub role: String,
}

/// To the owner of a table, from a node that has clients there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToOwner {
    /// A client watches from now on.
    Watch {
        /// Where the node listens.
        inbox: String,
        /// The number of the client at that node.
        socket: u64,
        /// Who it is.
        who: BusPerson,
        /// The id of the message.
        id: String,
        /// The last version that the client has seen.
        from: Option<u64>,
    },
    /// A client is gone, or watches another table.
    Unwatch {
        /// Where the node listens.
        inbox: String,
        /// The number of the client.
        socket: u64,
    },
    /// A client's command.
    Command {
        /// Where the node listens.
        inbox: String,
        /// The number of the client.
        socket: u64,
        /// The id of the command.
        id: String,
        /// What it asks for.
        command: Command,
    },
    /// The clients that a node has at the table, from time to time: any other is gone.
    Clients {
        /// Where the node listens.
        inbox: String,
        /// Their numbers.
        sockets: Vec<u64>,
    },
}

/// To a node, from the owner of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToNode {
    /// What a client is told.
    Told {
        /// The table.
        table: String,
        /// The epoch under which the table is owned. What an earlier owner says is dropped.
        epoch: i64,
        /// The number of the client.
        socket: u64,
        /// How many of these messages came before it for that client: a gap shows that one is lost.
        number: u64,
        /// What it is told.
        messages: Vec<FromHouse>,
    },
    /// The owner has cut a client off, or does not know it: it has to watch again.
    CutOff {
        /// The table.
        table: String,
        /// The epoch under which it was owned.
        epoch: i64,
        /// The number of the client.
        socket: u64,
        /// Whether that is because the table goes to another node.
        moved: bool,
    },
    /// How many messages the owner has sent to each client, by its number: where fewer came, some are lost.
    Sent {
        /// The table.
        table: String,
        /// The epoch under which it is owned.
        epoch: i64,
        /// The number of a client, and of the messages for it.
        messages: Vec<(u64, u64)>,
    },
    /// Tables were handed over, or somebody wants one moved: the node looks at once.
    Look,
}

/// A question to the owner of a table, which is answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum OwnerQuestion {
    /// How much of the log anyone may see.
    Published,
    /// Why calls are closed to a player.
    Closed {
        /// Who.
        player: String,
    },
    /// What a supervisor decides, or may decide.
    Decide {
        /// Who.
        who: BusPerson,
        /// The id and the command; none only asks.
        what: Option<(String, SupervisorCommand)>,
    },
    /// What the acts that are open to a player are worth.
    Values {
        /// The table.
        table: String,
        /// Who.
        player: String,
        /// The address from which they ask.
        from: IpAddr,
    },
}

/// The answer to such a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum OwnerAnswer {
    /// How much of the log anyone may see.
    Published {
        /// The last entry up to which nothing is hidden from anybody.
        opened: u64,
        /// The last entry.
        last: u64,
    },
    /// Why calls are closed to a player.
    Closed {
        /// The calls.
        calls: Vec<ClosedCall>,
    },
    /// What came of a decision.
    Decided {
        /// The entry of the log that it led to.
        seq: Option<u64>,
        /// Why it was not done.
        refusal: Option<Refusal>,
        /// What may be decided now.
        now: Box<OrdersView>,
    },
    /// What the acts are worth.
    Values(ValuesView),
    /// Why there is no other answer.
    Refused {
        /// The status of HTTP that goes with it.
        status: u16,
        /// The reason.
        refusal: Refusal,
    },
}

/// A table as its owner lets the other nodes see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub struct TableSeen {
    pub table: String,
    /// Where its owner listens.
    pub inbox: String,
    /// The epoch under which it is owned.
    pub epoch: i64,
    pub taken: usize,
    pub viewers: usize,
    pub players: Vec<String>,
    pub spectators: usize,
    pub company: usize,
    pub is_open: bool,
    /// The progressive meter, in cents.
    pub meter: Option<i64>,
    pub awaits: AwaitedWhat,
    pub round_ms: Option<u64>,
    pub rounds: u32,
    pub trouble: Option<Refusal>,
    /// Who has what there, in cents: in the rack, and on the layout.
    pub holding: Vec<(String, i64, i64)>,
}

/// Something about a person has changed: a session, a role, a limit or a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonChanged {
    /// Where the node listens that has changed them.
    pub from: String,
    /// Who; none where it is not known.
    pub name: Option<String>,
}
