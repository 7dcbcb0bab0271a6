//! The bus between the nodes of a house: NATS, where whatever is sent arrives once or not at all.
//!
//! Nothing depends on a message that arrives. The store says who owns a table and what happened there; what
//! is lost on the bus shows as a gap, and is asked for again.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use async_nats::connection::State;
use async_nats::{Client, ConnectOptions, Event, Message, ServerAddr};
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use futures_util::{FutureExt, StreamExt};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::watch;
use tokio::time::timeout;
use wire::bus::BUS_PROTOCOL;

/// How long a node waits for the bus when it connects, and for an answer over it.
pub const LONGEST_REQUEST: Duration = Duration::from_secs(2);

/// How long a message may take to be handed to the bus.
const LONGEST_PUBLISH: Duration = Duration::from_secs(1);

/// How often the bus is asked whether it is still there.
const PING_EVERY: Duration = Duration::from_secs(2);

/// The longest pause before the node connects again.
const LONGEST_PAUSE: Duration = Duration::from_millis(500);

/// Where the bus is, with the name and the password for it.
#[derive(Clone, PartialEq, Eq)]
pub struct BusUrl(ServerAddr);

/// It shows no password.
impl fmt::Debug for BusUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt_place(f)
    }
}

impl BusUrl {
    fn fmt_place(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.0.host(), self.0.port())
    }
}

impl fmt::Display for BusUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt_place(f)
    }
}

impl FromStr for BusUrl {
    type Err = BusError;

    fn from_str(text: &str) -> Result<BusUrl, BusError> {
        let place = text.strip_prefix("nats://").or_else(|| text.strip_prefix("tls://"));
        let host = place.map(|place| place.rsplit('@').next().unwrap_or(place));
        if host.is_none_or(|host| host.is_empty() || host.starts_with([':', '/'])) {
            return Err(BusError::Url);
        }
        let address = text.parse::<ServerAddr>().map_err(|_| BusError::Url)?;
        match (address.username(), address.password()) {
            (Some(_), Some(_)) => Ok(BusUrl(address)),
            _ => Err(BusError::NoPassword),
        }
    }
}

/// Why a node has no bus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BusError {
    /// That is no address of one.
    Url,
    /// The address has no name or no password.
    NoPassword,
    /// Nobody answers, or the name and the password are wrong.
    Unreachable(String, String),
    /// It lets anybody in.
    Unguarded(String),
    /// It is not there now, or did not answer in time.
    Down,
}

impl fmt::Display for BusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BusError::Url => f.write_str("the bus must be given as nats://USER:PASSWORD@HOST:PORT"),
            BusError::NoPassword => f.write_str(
                "the bus needs a user and a password, as in nats://USER:PASSWORD@HOST:PORT",
            ),
            BusError::Unreachable(at, why) => {
                write!(f, "the bus at {at} cannot be reached: {why}")
            }
            BusError::Unguarded(at) => {
                write!(f, "the bus at {at} lets in anybody; give its server a user and a password")
            }
            BusError::Down => f.write_str("the bus does not answer"),
        }
    }
}

impl std::error::Error for BusError {}

/// Messages on a subject, as they come.
pub(crate) type Messages = BoxStream<'static, Message>;

/// What carries messages between nodes: NATS, or a bus with simulated faults in a test.
pub(crate) trait Carrier: Send + Sync {
    /// Whether it is there now.
    fn is_up(&self) -> bool;

    /// How often it was gone, now and whenever that changes.
    fn breaks(&self) -> watch::Receiver<u64>;

    /// Takes a message for whoever listens; whether it arrives is not known.
    fn publish(&self, subject: String, payload: Vec<u8>) -> BoxFuture<'_, Option<()>>;

    /// Listens to a subject; none where that is not possible now.
    fn subscribe(&self, subject: String) -> BoxFuture<'_, Option<Messages>>;

    /// Asks, and waits for the answer; none where there is nobody.
    fn request(&self, subject: String, payload: Vec<u8>) -> BoxFuture<'_, Option<Message>>;
}

/// A connection to a server of NATS.
struct Nats {
    client: Client,
    breaks: watch::Receiver<u64>,
}

impl Carrier for Nats {
    fn is_up(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    fn breaks(&self) -> watch::Receiver<u64> {
        self.breaks.clone()
    }

    fn publish(&self, subject: String, payload: Vec<u8>) -> BoxFuture<'_, Option<()>> {
        async move { self.client.publish(subject, payload.into()).await.ok() }.boxed()
    }

    fn subscribe(&self, subject: String) -> BoxFuture<'_, Option<Messages>> {
        async move { Some(self.client.subscribe(subject).await.ok()?.boxed()) }.boxed()
    }

    fn request(&self, subject: String, payload: Vec<u8>) -> BoxFuture<'_, Option<Message>> {
        async move { self.client.request(subject, payload.into()).await.ok() }.boxed()
    }
}

/// A node's connection to the bus.
#[derive(Clone)]
pub(crate) struct Bus {
    carrier: Arc<dyn Carrier>,
    house: String,
    inbox: String,
}

impl Bus {
    /// Connects a node to the bus of its house. Every run of a node has an inbox of its own, so that
    /// nothing reaches it that was meant for one before.
    pub(crate) async fn connect(
        url: &BusUrl,
        house: &str,
        node: &str,
        run: u64,
    ) -> Result<Bus, BusError> {
        let (user, password) = (url.0.username(), url.0.password());
        let (user, password) = user.zip(password).ok_or(BusError::NoPassword)?;
        let (broken, breaks) = watch::channel(0);
        let options = ConnectOptions::with_user_and_password(user.into(), password.into())
            .name(node)
            .connection_timeout(LONGEST_REQUEST)
            .request_timeout(Some(LONGEST_REQUEST))
            .ping_interval(PING_EVERY)
            .reconnect_delay_callback(|tries| {
                let pause =
                    Duration::from_millis(50) * u32::try_from(tries).unwrap_or(u32::MAX).min(10);
                pause.min(LONGEST_PAUSE)
            })
            .event_callback(move |event| {
                match event {
                    Event::Disconnected => {
                        tracing::warn!(what = "bus", "the bus is gone");
                        broken.send_modify(|breaks| *breaks += 1);
                    }
                    Event::Connected => tracing::info!(what = "bus", "the bus is there"),
                    event => {
                        tracing::warn!(what = "bus", %event, "something is wrong with the bus")
                    }
                }
                async {}
            });
        let unreachable = |why: String| BusError::Unreachable(url.to_string(), why);
        let connects = timeout(LONGEST_REQUEST * 2, options.connect(url.0.clone()));
        let client = match connects.await {
            Ok(connected) => connected.map_err(|error| unreachable(error.to_string()))?,
            Err(_) => return Err(unreachable("it does not answer".to_owned())),
        };
        if !client.server_info().auth_required {
            return Err(BusError::Unguarded(url.to_string()));
        }
        let carrier = Arc::new(Nats { client, breaks });
        Ok(Bus::over(carrier, house, format!("{node}-{run:016x}")))
    }

    /// A connection over whatever carries the messages.
    pub(crate) fn over(carrier: Arc<dyn Carrier>, house: &str, inbox: String) -> Bus {
        Bus { carrier, house: house.to_owned(), inbox }
    }

    /// Where this node listens.
    pub(crate) fn inbox(&self) -> &str {
        &self.inbox
    }

    /// Whether it is there now.
    pub(crate) fn is_up(&self) -> bool {
        self.carrier.is_up()
    }

    /// How often it was gone, now and whenever that changes: whatever was on its way then is lost.
    pub(crate) fn breaks(&self) -> watch::Receiver<u64> {
        self.carrier.breaks()
    }

    /// The subject on which this house speaks of something.
    pub(crate) fn subject(&self, about: &str) -> String {
        format!("pitboss.v{BUS_PROTOCOL}.{}.{about}", self.house)
    }

    /// The subject of what is for a node.
    pub(crate) fn to_node(&self, inbox: &str) -> String {
        self.subject(&format!("node.{inbox}"))
    }

    /// The subject of what is for a table that a node owns.
    pub(crate) fn to_table(&self, inbox: &str, table: &str) -> String {
        self.subject(&format!("table.{inbox}.{table}"))
    }

    /// The subject of questions to a table that a node owns.
    pub(crate) fn ask_table(&self, inbox: &str, table: &str) -> String {
        self.subject(&format!("ask.{inbox}.{table}"))
    }

    /// The subject of questions to the coach of a node.
    pub(crate) fn ask_coach(&self, inbox: &str) -> String {
        self.subject(&format!("coach.{inbox}"))
    }

    /// Sends a message to whoever listens.
    pub(crate) async fn publish(
        &self,
        subject: String,
        message: &impl Serialize,
    ) -> Result<(), BusError> {
        if !self.is_up() {
            return Err(BusError::Down);
        }
        let sends = timeout(LONGEST_PUBLISH, self.carrier.publish(subject, in_bytes(message)));
        sends.await.ok().flatten().ok_or(BusError::Down)
    }

    /// Listens.
    pub(crate) async fn subscribe(&self, subject: String) -> Result<Messages, BusError> {
        let listens = timeout(LONGEST_PUBLISH, self.carrier.subscribe(subject));
        listens.await.ok().flatten().ok_or(BusError::Down)
    }

    /// Asks, and waits for the answer.
    pub(crate) async fn request<A: DeserializeOwned>(
        &self,
        subject: String,
        question: &impl Serialize,
    ) -> Result<A, BusError> {
        if !self.is_up() {
            return Err(BusError::Down);
        }
        let asks = timeout(LONGEST_REQUEST, self.carrier.request(subject, in_bytes(question)));
        let answer = asks.await.ok().flatten().ok_or(BusError::Down)?;
        read(&answer.payload).ok_or(BusError::Down)
    }
}

fn in_bytes(message: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(message).expect("a message of the bus is plain JSON")
}

/// Reads a message; none where it is of another version, or of somebody else.
pub(crate) fn read<T: DeserializeOwned>(payload: &[u8]) -> Option<T> {
    serde_json::from_slice(payload).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_user_and_a_password_and_shows_none() {
        let url: BusUrl = "nats://pit:secret@127.0.0.1:4222".parse().unwrap();
        assert_eq!(
            (url.to_string(), format!("{url:?}")),
            ("127.0.0.1:4222".into(), "127.0.0.1:4222".into())
        );
        for (bad, why) in [
            ("127.0.0.1:4222", BusError::Url),
            ("http://a:b@host", BusError::Url),
            ("nats://", BusError::Url),
            ("nats://pit:secret@:4222", BusError::Url),
            ("nats://pit:secret@", BusError::Url),
            ("nats://127.0.0.1:4222", BusError::NoPassword),
            ("nats://pit@127.0.0.1:4222", BusError::NoPassword),
        ] {
            assert_eq!(bad.parse::<BusUrl>().unwrap_err(), why, "{bad}");
        }
    }

    #[test]
    fn nodes_of_another_version_do_not_hear_each_other() {
        struct Nothing;
        impl Carrier for Nothing {
            fn is_up(&self) -> bool {
                false
            }
            fn breaks(&self) -> watch::Receiver<u64> {
                watch::channel(0).1
            }
            fn publish(&self, _: String, _: Vec<u8>) -> BoxFuture<'_, Option<()>> {
                std::future::ready(None).boxed()
            }
            fn subscribe(&self, _: String) -> BoxFuture<'_, Option<Messages>> {
                std::future::ready(None).boxed()
            }
            fn request(&self, _: String, _: Vec<u8>) -> BoxFuture<'_, Option<Message>> {
                std::future::ready(None).boxed()
            }
        }
        let bus = Bus::over(Arc::new(Nothing), "h1-7-5", "a-01".to_owned());
        let version = format!("pitboss.v{BUS_PROTOCOL}.h1-7-5.");
        for subject in [bus.subject("glance"), bus.to_node("b"), bus.to_table("b", "war-1")] {
            assert!(subject.starts_with(&version), "{subject}");
        }
        // What a later program adds is left out, and what only that one says is not read at all.
        let look = br#"{ "type": "look", "because": "it is later" }"#;
        assert_eq!(read(look), Some(wire::bus::ToNode::Look));
        assert_eq!(read::<wire::bus::ToNode>(br#"{ "type": "sing" }"#), None);
    }
}
