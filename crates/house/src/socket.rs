//! One client: reads its messages, and writes what waits for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::extract::ws::{Message, WebSocket};
use tokio::sync::{Notify, mpsc, watch};

use crate::http::House;
use crate::role::Person;
use crate::table_task::{Ask, Viewer};
use crate::wire::{Do, FromClient, FromHouse, LONGEST_ID, MESSAGES_A_SECOND, MOST_QUEUED, Refused};

/// How long a client may take to accept a message.
pub const LONGEST_WRITE: Duration = Duration::from_secs(10);

/// After so long without a message the client is asked whether it is still there.
pub const PING_EVERY: Duration = Duration::from_secs(20);

/// What waits for a client. One message too many, and the client is cut off.
#[derive(Clone)]
pub(crate) struct Outbox {
    queue: mpsc::Sender<FromHouse>,
    overflow: Arc<Notify>,
}

impl Outbox {
    pub(crate) fn send(&self, message: FromHouse) {
        if self.queue.try_send(message).is_err() {
            self.overflow.notify_one();
        }
    }

    /// Whether the client is still there.
    pub(crate) fn is_open(&self) -> bool {
        !self.queue.is_closed()
    }
}

/// How many messages came in this second.
struct Rate {
    since: Instant,
    messages: u32,
}

impl Rate {
    fn allows(&mut self, now: Instant) -> bool {
        if now.duration_since(self.since) >= Duration::from_secs(1) {
            *self = Rate { since: now, messages: 0 };
        }
        self.messages += 1;
        self.messages <= MESSAGES_A_SECOND
    }
}

static SOCKETS: AtomicU64 = AtomicU64::new(0);

struct Client {
    socket: u64,
    house: Arc<House>,
    who: Person,
    outbox: Outbox,
    /// The table that is watched.
    table: Option<mpsc::Sender<Ask>>,
}

/// Serves a client until it leaves, breaks a limit, or the house closes.
pub(crate) async fn serve(
    mut socket: WebSocket,
    house: Arc<House>,
    who: Person,
    mut closing: watch::Receiver<bool>,
) {
    let (queue, mut waiting) = mpsc::channel(MOST_QUEUED);
    let outbox = Outbox { queue, overflow: Arc::new(Notify::new()) };
    let overflow = outbox.overflow.clone();
    let number = SOCKETS.fetch_add(1, Ordering::Relaxed);
    let mut client = Client { socket: number, house, who, outbox, table: None };
    let mut rate = Rate { since: Instant::now(), messages: 0 };
    let mut is_silent = false;
    loop {
        let sent = tokio::select! {
            () = overflow.notified() => break,
            _ = closing.changed() => {
                write(&mut socket, &FromHouse::Closing).await;
                break;
            }
            Some(message) = waiting.recv() => write(&mut socket, &message).await,
            received = tokio::time::timeout(PING_EVERY, socket.recv()) => match received {
                Err(_) if is_silent => break,
                Err(_) => {
                    is_silent = true;
                    socket.send(Message::Ping(Vec::new().into())).await.is_ok()
                }
                Ok(Some(Ok(message))) => {
                    is_silent = false;
                    rate.allows(Instant::now()) && client.take(message).await
                }
                Ok(_) => break,
            },
        };
        if !sent {
            break;
        }
    }
    client.unwatch().await;
    let _ = tokio::time::timeout(LONGEST_WRITE, socket.send(Message::Close(None))).await;
}

async fn write(socket: &mut WebSocket, message: &FromHouse) -> bool {
    let text = serde_json::to_string(message).expect("a message of the house is plain JSON");
    let sent = tokio::time::timeout(LONGEST_WRITE, socket.send(Message::Text(text.into()))).await;
    matches!(sent, Ok(Ok(())))
}

impl Client {
    /// Takes a message; false where the client is to be cut off.
    async fn take(&mut self, message: Message) -> bool {
        let text = match message {
            Message::Text(text) => text,
            Message::Ping(_) | Message::Pong(_) => return true,
            Message::Binary(_) | Message::Close(_) => return false,
        };
        let Ok(FromClient { id, what }) = serde_json::from_str(&text) else {
            let refusal = Refused::by_house("the message cannot be read");
            self.outbox.send(FromHouse::refused(String::new(), refusal));
            return true;
        };
        if id.is_empty() || id.len() > LONGEST_ID {
            let refusal = Refused::by_house(format!("an id has 1 to {LONGEST_ID} letters"));
            self.outbox.send(FromHouse::refused(String::new(), refusal));
            return true;
        }
        match what {
            Do::Watch { table, from } => self.watch(&table, id, from).await,
            what => self.command(id, what).await,
        }
        true
    }

    async fn watch(&mut self, table: &str, id: String, from: Option<u64>) {
        self.unwatch().await;
        let Some(asks) = self.house.table(table) else {
            let refusal = Refused::by_house("there is no such table");
            return self.outbox.send(FromHouse::refused(id, refusal));
        };
        let (socket, who, to) = (self.socket, self.who.clone(), self.outbox.clone());
        let viewer = Viewer { socket, who, to };
        match asks.send(Ask::Watch { viewer, id: id.clone(), from }).await {
            Ok(()) => self.table = Some(asks),
            Err(_) => self.outbox.send(FromHouse::refused(id, closed())),
        }
    }

    async fn command(&self, id: String, what: Do) {
        let Some(table) = &self.table else {
            let refusal = Refused::by_house("watch a table first");
            return self.outbox.send(FromHouse::refused(id, refusal));
        };
        let (who, to) = (self.who.clone(), self.outbox.clone());
        if table.send(Ask::Command { who, id: id.clone(), what, to }).await.is_err() {
            self.outbox.send(FromHouse::refused(id, closed()));
        }
    }

    async fn unwatch(&mut self) {
        if let Some(table) = self.table.take() {
            let _ = table.send(Ask::Unwatch { socket: self.socket }).await;
        }
    }
}

fn closed() -> Refused {
    Refused::by_house("this table is closed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_has_so_many_messages_a_second() {
        let since = Instant::now();
        let mut rate = Rate { since, messages: 0 };
        assert!((0..MESSAGES_A_SECOND).all(|_| rate.allows(since)));
        assert!(!rate.allows(since));
        assert!(rate.allows(since + Duration::from_secs(1)));
    }

    #[tokio::test]
    async fn who_does_not_read_is_cut_off() {
        let (queue, _waiting) = mpsc::channel(MOST_QUEUED);
        let outbox = Outbox { queue, overflow: Arc::new(Notify::new()) };
        (0..MOST_QUEUED).for_each(|_| outbox.send(FromHouse::Closing));
        let overflow = outbox.overflow.clone();
        let soon = Duration::from_millis(1);
        assert!(tokio::time::timeout(soon, overflow.notified()).await.is_err());
        outbox.send(FromHouse::Closing);
        assert!(tokio::time::timeout(soon, overflow.notified()).await.is_ok());
    }
}
