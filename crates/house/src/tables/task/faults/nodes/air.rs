//! A bus that loses, repeats, delays and reorders messages, and is away at times.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use async_nats::Message;
use futures_util::future::BoxFuture;
use futures_util::{FutureExt, StreamExt, stream};
use tokio::sync::{Notify, mpsc, watch};
use tokio::time::{Instant, sleep_until};

use super::super::numbers::Numbers;
use super::machine::Machine;
use crate::bus::{Carrier, Messages};

/// How long a message takes where nothing is wrong.
const USUAL: Duration = Duration::from_millis(2);

/// What is on its way.
struct Packet {
    from: Arc<Link>,
    /// How often the sender's connection had been gone then.
    breaks: u64,
    leaves: Instant,
    message: Message,
}

struct Listener {
    subject: String,
    at: Arc<Link>,
    hears: mpsc::UnboundedSender<Message>,
}

struct Inside {
    numbers: Numbers,
    /// How many of a thousand messages are lost, come twice, or come late: each.
    often: usize,
    listeners: Vec<Listener>,
    packets: BTreeMap<(Instant, u64), Packet>,
    sent: u64,
}

/// The bus.
pub(super) struct Air {
    inside: Mutex<Inside>,
    is_sent: Notify,
}

impl Air {
    pub(super) fn new(numbers: Numbers, often: usize) -> Arc<Air> {
        let (listeners, packets) = (Vec::new(), BTreeMap::new());
        let inside = Inside { numbers, often, listeners, packets, sent: 0 };
        Arc::new(Air { inside: Mutex::new(inside), is_sent: Notify::new() })
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap()
    }

    /// From now on every message arrives once, and in order; what was late is lost.
    pub(super) fn heal(&self) {
        let mut inside = self.inside();
        (inside.often, inside.packets) = (0, BTreeMap::new());
    }

    /// Carries messages for ever.
    pub(super) async fn run(self: Arc<Air>) {
        loop {
            let next = self.inside().packets.keys().next().map(|(when, _)| *when);
            let Some(next) = next else {
                self.is_sent.notified().await;
                continue;
            };
            tokio::select! {
                biased;
                () = self.is_sent.notified() => {}
                () = sleep_until(next) => self.deliver(),
            }
        }
    }

    fn deliver(&self) {
        let mut inside = self.inside();
        let now = Instant::now();
        while let Some(first) = inside.packets.first_entry()
            && first.key().0 <= now
        {
            let packet = first.remove();
            let is_gone = |link: &Link| link.broken.load(Ordering::Relaxed) != packet.breaks;
            if is_gone(&packet.from) || packet.from.machine.is_dead_at(packet.leaves) {
                continue;
            }
            inside.listeners.retain(|listener| {
                let hears = *listener.subject == *packet.message.subject && listener.at.is_up();
                match hears {
                    true => listener.hears.send(packet.message.clone()).is_ok(),
                    false => !listener.hears.is_closed(),
                }
            });
        }
    }
}

/// The connection of a run of a node to the bus.
pub(super) struct Link {
    air: Arc<Air>,
    machine: Machine,
    away_until: Mutex<Instant>,
    broken: AtomicU64,
    /// One for each that asks, so that they hear of it in this order.
    told: Mutex<Vec<watch::Sender<u64>>>,
    me: std::sync::Weak<Link>,
}

impl Link {
    pub(super) fn new(air: &Arc<Air>, machine: Machine) -> Arc<Link> {
        Arc::new_cyclic(|me| Link {
            air: air.clone(),
            machine,
            away_until: Mutex::new(Instant::now()),
            broken: AtomicU64::new(0),
            told: Mutex::default(),
            me: me.clone(),
        })
    }

    /// The bus is away for so long, and what was on its way is lost.
    pub(super) fn breaks_for(&self, time: Duration) {
        *self.away_until.lock().unwrap() = Instant::now() + time;
        let broken = self.broken.fetch_add(1, Ordering::Relaxed) + 1;
        self.told.lock().unwrap().iter().for_each(|told| _ = told.send(broken));
    }

    pub(super) fn heal(&self) {
        *self.away_until.lock().unwrap() = Instant::now();
    }

    /// Sends a message: once the program goes on, where it is paused.
    fn send(&self, subject: String, reply: Option<String>, payload: Vec<u8>) -> Option<()> {
        if !self.is_up() {
            return None;
        }
        let from = self.me.upgrade()?;
        let leaves = Instant::now().max(self.machine.paused_until());
        let mut inside = self.air.inside();
        let often = inside.often;
        let copies = match inside.numbers.below(1000) {
            number if number < often => 0,
            number if number < 2 * often => 2,
            _ => 1,
        };
        for _ in 0..copies {
            let late = match inside.numbers.below(1000) {
                number if number < often / 2 => 200 + inside.numbers.below(8_000),
                number if number < 2 * often => inside.numbers.below(100),
                _ => 0,
            };
            let arrives = leaves + USUAL + Duration::from_millis(late as u64);
            let message = Message {
                subject: subject.as_str().into(),
                reply: reply.as_deref().map(Into::into),
                payload: payload.clone().into(),
                headers: None,
                status: None,
                description: None,
                length: payload.len(),
            };
            let breaks = self.broken.load(Ordering::Relaxed);
            inside.sent += 1;
            let number = inside.sent;
            let packet = Packet { from: from.clone(), breaks, leaves, message };
            inside.packets.insert((arrives, number), packet);
        }
        self.air.is_sent.notify_one();
        Some(())
    }

    fn listen(&self, subject: String) -> Option<Messages> {
        let at = self.me.upgrade().filter(|_| self.is_up())?;
        let (hears, heard) = mpsc::unbounded_channel();
        self.air.inside().listeners.push(Listener { subject, at, hears });
        let next = async |(mut heard, machine): (mpsc::UnboundedReceiver<Message>, Machine)| {
            let message = heard.recv().await?;
            machine.awake().await;
            Some((message, (heard, machine)))
        };
        Some(stream::unfold((heard, self.machine.clone()), next).boxed())
    }
}

impl Carrier for Link {
    fn is_up(&self) -> bool {
        *self.away_until.lock().unwrap() <= Instant::now()
    }

    fn breaks(&self) -> watch::Receiver<u64> {
        let (told, breaks) = watch::channel(self.broken.load(Ordering::Relaxed));
        self.told.lock().unwrap().push(told);
        breaks
    }

    fn publish(&self, subject: String, payload: Vec<u8>) -> BoxFuture<'_, Option<()>> {
        std::future::ready(self.send(subject, None, payload)).boxed()
    }

    fn subscribe(&self, subject: String) -> BoxFuture<'_, Option<Messages>> {
        std::future::ready(self.listen(subject)).boxed()
    }

    fn request(&self, subject: String, payload: Vec<u8>) -> BoxFuture<'_, Option<Message>> {
        async move {
            let reply = format!("reply.{}.{}", self.machine.run, self.air.inside().sent);
            let mut answers = self.listen(reply.clone())?;
            self.send(subject, Some(reply), payload)?;
            answers.next().await
        }
        .boxed()
    }
}
