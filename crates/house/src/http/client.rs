//! One client: reads its messages, and writes what waits for it.

use std::fmt::Display;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::time::{interval, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use wire::{
    ClientCommand, Command, FromClient, FromHouse, LONGEST_ID, LONGEST_MESSAGE, PROTOCOL, Refusal,
};

use super::house::House;
use super::upgrade::{Broken, Socket};
use crate::floor::TableDoor;
use crate::people::Person;
use crate::people::exclusion::Barrier;
use crate::store::{Change, People};
use crate::tables::commands::TableCommand;
use crate::tables::open_asks::OpenAsks;
use crate::tables::outbox::{MOST_QUEUED, Outbox, next_socket};
use crate::tables::refusals;
use crate::tables::task::{Ask, Viewer, unix_time};

/// The most messages that are written together, which is one call of the system.
const WRITTEN_TOGETHER: usize = 8;

/// After so many bytes they are written before there are more.
pub(crate) const WRITTEN_AT_ONCE: usize = 4096;

/// How long a client may take to accept messages that are written together.
pub const LONGEST_WRITE: Duration = Duration::from_secs(10);

/// How long the house listens to a client that it has said goodbye to.
pub const LONGEST_FAREWELL: Duration = Duration::from_secs(1);

/// The longest message that is read to its end, so that the client can be told it was too long.
pub(crate) const LONGEST_READ: usize = 16 * LONGEST_MESSAGE;

/// After so long without a message the client is asked whether it is still there.
pub const PING_EVERY: Duration = Duration::from_secs(20);

/// How often it is noted that somebody is in the house.
pub const VISIT_EVERY: Duration = Duration::from_secs(60);

/// Since when nothing was heard of a client, whatever it was told meanwhile.
pub(crate) struct Silence {
    since: Instant,
    is_asked: bool,
}

impl Silence {
    /// The client has just come.
    pub(crate) fn new(now: Instant) -> Silence {
        Silence { since: now, is_asked: false }
    }

    /// How long the client may still say nothing.
    pub(crate) fn left(&self, now: Instant) -> Duration {
        PING_EVERY.saturating_sub(now.duration_since(self.since))
    }

    /// Whether the client did not answer, or else is asked now.
    pub(crate) fn is_over(&mut self, now: Instant) -> bool {
        std::mem::replace(self, Silence { since: now, is_asked: true }).is_asked
    }

    pub(crate) fn ends(&mut self, now: Instant) {
        *self = Silence { since: now, is_asked: false };
    }
}

/// How long it takes at least until a client watches its table again that has moved.
const WATCHES_AGAIN_AFTER: Duration = Duration::from_millis(50);

struct Client {
    socket: u64,
    house: Arc<House>,
    who: Person,
    outbox: Outbox,
    /// The table that is watched.
    table: Option<Arc<TableDoor>>,
    /// What is not answered, in a house of several nodes: the table may move meanwhile.
    open: OpenAsks,
}

/// Why a socket is closed.
pub(crate) struct Parting {
    code: CloseCode,
    reason: String,
    /// The same for programs, where it is about the person and not about the connection.
    refusal: Option<Refusal>,
}

impl Parting {
    fn new(code: CloseCode, reason: impl Into<String>) -> Parting {
        Parting { code, reason: reason.into(), refusal: None }
    }

    /// Somebody is not welcome now.
    fn unwelcome(refusal: Refusal) -> Parting {
        let reason = refusal.sentence.clone();
        Parting { code: CloseCode::Policy, reason, refusal: Some(refusal) }
    }

    /// Somebody does not play now.
    pub(crate) fn barrier(barrier: Barrier) -> Parting {
        Parting::unwelcome(refusals::by_barrier(barrier))
    }

    /// A guest has too many sockets.
    pub(crate) fn crowd(most: usize) -> Parting {
        Parting::new(CloseCode::Policy, format!("You have {most} tabs open. Close one of them."))
    }

    /// Nothing more can be read.
    pub(super) fn broken(broken: Broken) -> Parting {
        match broken {
            Broken::Flood(flood) => Parting::new(CloseCode::Policy, flood.to_string()),
            Broken::TooLong => Parting::too_long(),
            Broken::NotUtf8 => Parting::new(CloseCode::Invalid, "Text must be UTF-8."),
            Broken::Protocol => {
                Parting::new(CloseCode::Protocol, "This is not the WebSocket protocol.")
            }
            Broken::Lost => Parting::farewell(),
        }
    }

    pub(crate) fn closing() -> Parting {
        Parting::new(CloseCode::Away, "The house is closing.")
    }

    fn sent_away() -> Parting {
        let sentence = "Your session has ended. Sign in again.";
        Parting::unwelcome(Refusal::by_house("session-ended", sentence))
    }

    pub(crate) fn silence() -> Parting {
        Parting::new(CloseCode::Away, "Connection timed out.")
    }

    /// The store does not answer: the session may still be good, and the client comes again.
    fn not_read() -> Parting {
        Parting::new(CloseCode::Again, refusals::not_read().sentence)
    }

    fn slowness() -> Parting {
        Parting::new(CloseCode::Again, "Your connection is too slow. Reconnect to continue.")
    }

    /// Somebody speaks in the lobby.
    pub(crate) fn not_heard() -> Parting {
        Parting::new(CloseCode::Policy, "The lobby takes no commands.")
    }

    fn no_text() -> Parting {
        Parting::new(CloseCode::Unsupported, "Messages must be text.")
    }

    fn too_long() -> Parting {
        Parting::new(
            CloseCode::Size,
            format!("A message can have at most {LONGEST_MESSAGE} bytes."),
        )
    }

    pub(crate) fn farewell() -> Parting {
        Parting::new(CloseCode::Normal, "")
    }

    /// Tells whoever runs the house of a client that was cut off.
    fn note(&self, who: &dyn Display) {
        let (code, why) = (u16::from(self.code), self.reason.as_str());
        match self.code {
            CloseCode::Normal | CloseCode::Away => {
                tracing::debug!(%who, what = "socket", code, why, "a socket is closed");
            }
            _ => tracing::warn!(%who, what = "socket", code, why, "a client was cut off"),
        }
    }

    /// Says why, and closes.
    pub(super) async fn take(self, mut socket: Socket, who: &(dyn Display + Sync)) {
        self.note(who);
        if let Some(refusal) = self.refusal {
            let refusal = Box::new(refusal);
            let _ = write(&mut socket, &mut vec![FromHouse::Away { refusal }]).await;
        }
        let frame = CloseFrame { code: self.code, reason: self.reason.into() };
        let _ = timeout(LONGEST_WRITE, socket.send(Message::Close(Some(frame)))).await;
        // What is still on its way is read, so that the reason arrives before the connection ends.
        let _ = timeout(LONGEST_FAREWELL, socket.drain()).await;
    }
}

/// By what somebody who opened a socket is known.
pub(crate) struct Session {
    pub(crate) token: String,
    /// Says that something about the person has changed.
    pub(crate) changed: watch::Receiver<()>,
}

/// Serves a client until it leaves, breaks a limit, or the house closes.
pub(super) async fn serve(
    mut socket: Socket,
    house: Arc<House>,
    who: Person,
    mut session: Session,
) {
    let (outbox, mut waiting) = Outbox::new(house.store.metrics());
    let (overflow, mut closing) = (outbox.overflow(), house.closing.clone());
    let (number, again) = (next_socket(), outbox.again());
    outbox.send(FromHouse::Hello { protocol: PROTOCOL });
    let open = OpenAsks::default();
    let mut client = Client { socket: number, house, who, outbox, table: None, open };
    let mut silence = Silence::new(Instant::now());
    let mut visits = interval(VISIT_EVERY);
    let mut batch = Vec::new();
    let parting = loop {
        let done = tokio::select! {
            () = overflow.notified() => Err(Parting::slowness()),
            _ = closing.changed() => {
                let _ = write(&mut socket, &mut vec![FromHouse::Closing]).await;
                Err(Parting::closing())
            }
            _ = visits.tick() => client.visit().await,
            Ok(()) = session.changed.changed() => client.still_is(&session.token).await,
            1.. = waiting.recv_many(&mut batch, WRITTEN_TOGETHER) => {
                if client.house.node.is_some() {
                    batch.retain(|message| client.open.follow(message));
                }
                write(&mut socket, &mut batch).await
            }
            () = again.notified() => {
                tokio::time::sleep(WATCHES_AGAIN_AFTER).await;
                // What waits was said before: what it answers is not asked again.
                batch.extend(std::iter::from_fn(|| waiting.try_recv().ok()));
                batch.retain(|message| client.open.follow(message));
                let watches = client.watch_again().await;
                write(&mut socket, &mut batch).await.and(watches)
            }
            received = timeout(silence.left(Instant::now()), socket.recv()) => match received {
                Err(_) if silence.is_over(Instant::now()) => Err(Parting::silence()),
                Err(_) => {
                    let sent = socket.send(Message::Ping(Vec::new().into())).await;
                    sent.map_err(|_| Parting::farewell())
                }
                Ok(Some(Ok(message))) => {
                    silence.ends(Instant::now());
                    client.take(message).await
                }
                Ok(Some(Err(broken))) => Err(Parting::broken(broken)),
                Ok(None) => Err(Parting::farewell()),
            },
        };
        if let Err(parting) = done {
            break parting;
        }
    };
    client.unwatch().await;
    client.note_visit().await;
    drop(waiting);
    parting.take(socket, &client.who.name).await;
}

/// Writes messages together, and forgets them.
pub(super) async fn write(socket: &mut Socket, batch: &mut Vec<FromHouse>) -> Result<(), Parting> {
    let written = timeout(LONGEST_WRITE, async {
        for message in batch.drain(..) {
            socket.feed(text_of(&message)).await?;
        }
        socket.flush().await
    });
    match written.await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err(Parting::farewell()),
        Err(_) => Err(Parting::slowness()),
    }
}

fn text_of(message: &FromHouse) -> Message {
    let text = serde_json::to_string(message).expect("a message of the house is plain JSON");
    Message::Text(text.into())
}

impl Client {
    /// Whether the client is who it was when the socket was opened.
    async fn still_is(&self, token: &str) -> Result<(), Parting> {
        if let Some(barrier) = self.house.keeps_out(&self.who) {
            return Err(Parting::barrier(barrier));
        }
        match self.house.person_by(token).await {
            Ok(Some(person)) if person == self.who => Ok(()),
            Ok(_) => Err(Parting::sent_away()),
            Err(_) => Err(Parting::not_read()),
        }
    }

    /// Notes that the client is here. That the disk fails is no reason to send anybody away.
    async fn note_visit(&self) {
        let name = self.who.name.clone();
        if let Err(error) = self.house.store.change(Change::Visit { name }).await {
            tracing::warn!(who = %self.who.name, what = "visit", why = %error, "a visit cannot be saved");
        }
    }

    /// Notes that the client is here, and tells it since when.
    async fn visit(&self) -> Result<(), Parting> {
        self.note_visit().await;
        match self.house.session(&self.who.name, unix_time()).await {
            Ok(session) => self.outbox.send(FromHouse::Session(Box::new(session))),
            Err(why) => {
                tracing::warn!(who = %self.who.name, what = "visit", %why, "the session time cannot be read")
            }
        }
        Ok(())
    }

    /// Takes a message, or says why the client is to be cut off.
    async fn take(&mut self, message: Message) -> Result<(), Parting> {
        let text = match message {
            Message::Text(text) if text.len() > LONGEST_MESSAGE => return Err(Parting::too_long()),
            Message::Text(text) => text,
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
            Message::Binary(_) | Message::Frame(_) => return Err(Parting::no_text()),
            Message::Close(_) => return Err(Parting::farewell()),
        };
        let FromClient { id, command } = match wire::read(text.as_bytes()) {
            Ok(message) => message,
            Err(why) => {
                let refusal = Refusal::by_house("bad-message", format!("Invalid message: {why}."));
                self.outbox.refuse(wire::id_of(&text), refusal);
                return Ok(());
            }
        };
        if id.is_empty() || id.len() > LONGEST_ID {
            let sentence = format!("An id must have 1 to {LONGEST_ID} bytes.");
            self.outbox.refuse(id, Refusal::by_house("bad-id", sentence));
            return Ok(());
        }
        match command {
            Command::Client(ClientCommand::Ping) => self.outbox.done(id, None),
            Command::Client(ClientCommand::Watch { table, from }) => {
                self.watch(&table, id, from).await;
            }
            Command::Player(command) => self.command(id, TableCommand::Player(command)).await,
            Command::Dealer(command) => self.command(id, TableCommand::Dealer(command)).await,
            Command::Supervisor(command) => {
                self.command(id, TableCommand::Supervisor(command)).await;
            }
        }
        Ok(())
    }

    /// Watches a table again that has moved, from where the client was, and repeats what was not answered.
    async fn watch_again(&mut self) -> Result<(), Parting> {
        let Some(before) = self.table.take() else { return Ok(()) };
        let table = &before.about.table;
        let Some(door) = self.house.floor.door(table) else { return Err(Parting::slowness()) };
        let (id, from) = self.open.watch_again();
        let (socket, who, to) = (self.socket, self.who.clone(), self.outbox.clone());
        let viewer = Viewer { socket, who, to, shown: None, number: 0 };
        let is_asked = door.asks.send(Ask::Watch { viewer, id, from }).await.is_ok();
        match (is_asked, door.has_moved()) {
            (true, _) => {}
            // Nobody stands in for it yet.
            (false, true) => self.outbox.watch_again(),
            (false, false) => return Err(Parting::slowness()),
        }
        self.table = Some(door);
        self.repeat().await;
        Ok(())
    }

    async fn watch(&mut self, table: &str, id: String, from: Option<u64>) {
        let is_same = self.table.as_ref().is_some_and(|door| door.about.table == table);
        self.unwatch().await;
        let Some(door) = self.house.floor.door(table) else {
            let refusal = Refusal::by_house("no-such-table", "There is no such table.");
            return self.outbox.refuse(id, refusal);
        };
        let (socket, who, to) = (self.socket, self.who.clone(), self.outbox.clone());
        let viewer = Viewer { socket, who, to, shown: None, number: 0 };
        self.open.watch(id.clone(), from, is_same);
        match door.asks.send(Ask::Watch { viewer, id: id.clone(), from }).await {
            Ok(()) => self.table = Some(door),
            Err(_) if door.has_moved() => {
                self.table = Some(door);
                self.outbox.watch_again();
            }
            Err(_) => self.outbox.refuse(id, door.why_closed()),
        }
        self.repeat().await;
    }

    /// Repeats what was not answered: an answer to what was asked before may be lost.
    async fn repeat(&mut self) {
        for (id, what) in self.open.repeat() {
            self.send(id, what).await;
        }
    }

    async fn command(&mut self, id: String, what: TableCommand) {
        if self.table.is_none() {
            return self.outbox.refuse(id, refusals::not_watching());
        }
        if self.house.node.is_some() {
            if self.open.count() >= MOST_QUEUED {
                return self.outbox.cut_off();
            }
            self.open.command(id.clone(), what.clone());
        }
        self.send(id, what).await;
    }

    /// Puts a command to the table that is watched.
    async fn send(&self, id: String, what: TableCommand) {
        let Some(table) = &self.table else { return };
        let (socket, who, to) = (self.socket, self.who.clone(), self.outbox.clone());
        let command = Ask::Command { socket, who, id: id.clone(), what, to };
        // What a table did not take that has moved is repeated where it is then.
        if table.asks.send(command).await.is_err() && !table.has_moved() {
            self.outbox.refuse(id, table.why_closed());
        }
    }

    async fn unwatch(&mut self) {
        if let Some(table) = self.table.take() {
            let (socket, player) = (self.socket, self.who.name.clone());
            let _ = table.asks.send(Ask::Unwatch { socket, player }).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_silent_is_asked_and_then_cut_off() {
        let (since, half) = (Instant::now(), PING_EVERY / 2);
        let mut silence = Silence { since, is_asked: false };
        assert_eq!(silence.left(since + half), half, "it runs while the house speaks");
        silence.ends(since + half);
        assert_eq!(silence.left(since + PING_EVERY), half);
        let asked = since + half + PING_EVERY;
        assert_eq!(silence.left(asked), Duration::ZERO);
        assert!(!silence.is_over(asked));
        assert_eq!(silence.left(asked), PING_EVERY);
        assert!(silence.is_over(asked + PING_EVERY));
        silence.ends(asked);
        assert!(!silence.is_over(asked + PING_EVERY));
    }
}
