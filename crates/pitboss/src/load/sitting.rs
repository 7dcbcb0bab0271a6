//! A player's socket: opens it, keeps it open, and takes what is said both ways.

use std::fs::File;
use std::io::Write;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};
use wire::{ClientCommand, Command, FromClient};

use super::coaching::{self, QuestionCounter};
use super::latency::Latency;
use super::player::{Effect, Fault, PendingCommand, Player};

/// A player who is refused something tries again after so long.
const AFTER_A_REFUSAL: Duration = Duration::from_millis(250);

/// A player whose socket was closed comes back after so long.
const AFTER_A_CLOSE: Duration = Duration::from_millis(50);

/// After so long without a word the house is not there.
const LONGEST_SILENCE: Duration = Duration::from_secs(60);

/// A player whose node neither lets them in nor answers for so long goes to another: longer than a node
/// waits for another.
const LONGEST_ANSWER: Duration = Duration::from_millis(3_500);

/// Bytes that are read at a time.
const READ_AT_ONCE: usize = 8192;

/// The stages of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// People come in and sit down.
    Coming,
    /// They play.
    Begun,
    /// What is measured.
    Measured,
    /// Everybody goes home.
    Leaving,
    /// Whoever is still there is thrown out.
    Over,
}

/// What is counted while people play.
#[derive(Default)]
pub(super) struct Counters {
    pub(super) seated: AtomicU64,
    pub(super) messages: AtomicU64,
    /// The bytes of those messages.
    pub(super) bytes: AtomicU64,
    pub(super) latency: Mutex<Latency>,
    /// How long answers took, from the first sending of a command and over all connections.
    pub(super) waits: Mutex<Latency>,
    pub(super) coach: QuestionCounter,
    /// The first things that went wrong.
    pub(super) wrong: Mutex<Vec<Fault>>,
    pub(super) wrongs: AtomicU64,
}

/// How far a table is, as far as anybody there was told.
#[derive(Default)]
pub(super) struct TableProgress {
    pub(super) version: AtomicU64,
    pub(super) entry: AtomicU64,
    pub(super) round: AtomicU64,
}

/// What all players of a run share.
pub(super) struct Run {
    /// The house, or each of its nodes.
    pub(super) nodes: Vec<SocketAddr>,
    pub(super) think: Duration,
    pub(super) stage: watch::Receiver<Stage>,
    /// Sockets that are opened at the same time.
    pub(super) doors: Semaphore,
    pub(super) counted: Counters,
    /// Whether players ask the coach before they decide.
    pub(super) asks_coach: bool,
    /// Whether sockets may be closed, since the house is killed now and then.
    pub(super) is_crashed: bool,
    /// Where every command that was done is noted, with its time.
    pub(super) timeline: Option<Mutex<File>>,
}

impl Run {
    pub(super) fn stage(&self) -> Stage {
        *self.stage.borrow()
    }

    /// A player's node.
    pub(super) fn node_of(&self, player: &Player) -> SocketAddr {
        self.nodes[player.node % self.nodes.len()]
    }

    /// Whether a player can go to another node.
    fn has_nodes(&self) -> bool {
        self.nodes.len() > 1
    }

    /// Notes that a player's command was done, at which node and after how long.
    fn note_done(&self, player: &Player, waited: Duration) {
        let Some(timeline) = &self.timeline else { return };
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let Player { table, name, .. } = player;
        let (node, waited) = (player.node % self.nodes.len(), waited.as_micros());
        let line = format!("{} {table} {name} {node} {waited}\n", now.as_millis());
        let mut timeline = timeline.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever reads it finds out that a line is missing.
        let _ = timeline.write_all(line.as_bytes());
    }

    fn is_wrong(&self, player: &Player, wrong: &str) {
        const MOST_TOLD: usize = 20;
        self.counted.wrongs.fetch_add(1, Ordering::Relaxed);
        let mut told = self.counted.wrong.lock().unwrap_or_else(PoisonError::into_inner);
        if told.len() < MOST_TOLD {
            told.push(format!("{} at {}: {wrong}", player.name, player.table));
        }
    }
}

type Socket = WebSocketStream<TcpStream>;

/// Plays until the run is over; comes back whenever the socket is closed.
pub(super) async fn play(mut player: Player, reached: Arc<TableProgress>, run: Arc<Run>) -> Player {
    let mut stage = run.stage.clone();
    while run.stage() < Stage::Over {
        let opened = {
            let _door = run.doors.acquire().await;
            let longest = if run.has_nodes() { LONGEST_ANSWER } else { LONGEST_SILENCE };
            timeout(longest, open(run.node_of(&player), &player)).await
        };
        if let Ok(Ok(socket)) = opened {
            let ended = tokio::select! {
                ended = sit(&mut player, socket, &reached, &run) => ended,
                _ = stage.wait_for(|stage| *stage == Stage::Over) => Ending::Home,
            };
            match ended {
                Ending::Home => return player,
                Ending::Fault(wrong) => {
                    run.is_wrong(&player, &wrong);
                    player.version = None;
                }
                Ending::Closed(why) if !run.is_crashed => {
                    run.is_wrong(&player, &format!("the socket was closed: {why}"));
                }
                Ending::Closed(_) => {}
            }
            player.lose_touch();
        }
        player.node += 1;
        sleep(AFTER_A_CLOSE).await;
    }
    if player.is_seated() {
        run.is_wrong(&player, "is still seated at the end");
    }
    player
}

async fn open(address: SocketAddr, player: &Player) -> Result<Socket, Error> {
    let mut request = format!("ws://{address}/ws").into_client_request()?;
    for (header, value) in
        [("Cookie", player.cookie.clone()), ("X-Forwarded-For", player.from.to_string())]
    {
        let value = value.parse().map_err(|_| Error::ConnectionClosed)?;
        request.headers_mut().insert(header, value);
    }
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let small = WebSocketConfig::default()
        .read_buffer_size(READ_AT_ONCE)
        .write_buffer_size(0)
        .max_write_buffer_size(usize::MAX);
    Ok(client_async_with_config(request, stream, Some(small)).await?.0)
}

/// Why a player is no more at a socket.
enum Ending {
    Home,
    Closed(String),
    Fault(Fault),
}

/// One socket's time, from its opening to its end.
async fn sit(
    player: &mut Player,
    mut socket: Socket,
    reached: &TableProgress,
    run: &Arc<Run>,
) -> Ending {
    let mut sent = Instant::now();
    // What has no answer yet is sent again when the table is shown.
    let pending = player.asked.take();
    let (table, from) = (player.table.clone(), player.version);
    let mut watching = pending.map_or(WatchState::Unasked, WatchState::Unanswered);
    player.ask(Command::Client(ClientCommand::Watch { table, from }));
    if let Err(error) = send(player, &mut socket).await {
        watching.give_back(player);
        return Ending::Closed(error.to_string());
    }
    let mut stage = run.stage.clone();
    player.follow(run.stage());
    let mut thinks: Option<Instant> = None;
    loop {
        let due = thinks.unwrap_or_else(|| Instant::now() + LONGEST_SILENCE);
        let is_unanswered = run.has_nodes() && player.asked.is_some();
        let (text, is_due) = tokio::select! {
            biased;
            heard = socket.next() => match heard {
                Some(Ok(Message::Text(text))) => (Some(text), false),
                Some(Ok(Message::Close(frame))) => {
                    let why = frame.map_or(String::new(), |frame| frame.reason.to_string());
                    watching.give_back(player);
                    return Ending::Closed(why);
                }
                Some(Ok(_)) => continue,
                Some(Err(error)) => {
                    watching.give_back(player);
                    return Ending::Closed(error.to_string());
                }
                None => {
                    watching.give_back(player);
                    return Ending::Closed("without a word".to_owned());
                }
            },
            () = sleep_until(due) => match thinks.take() {
                Some(_) => (None, true),
                None => return Ending::Fault(format!("silence for {LONGEST_SILENCE:?}")),
            },
            () = sleep_until(sent + LONGEST_ANSWER), if is_unanswered => {
                watching.give_back(player);
                return Ending::Closed("no answer".to_owned());
            }
            _ = stage.changed() => {
                player.follow(run.stage());
                (None, player.goes_home)
            }
        };
        if let Some(text) = text {
            run.counted.messages.fetch_add(1, Ordering::Relaxed);
            run.counted.bytes.fetch_add(text.len() as u64, Ordering::Relaxed);
            match player.hear(&text) {
                Ok(Effect::Answer { done, waited }) => {
                    let took = sent.elapsed();
                    if watching.is_over() {
                        if run.stage() == Stage::Measured {
                            let Counters { latency, waits, .. } = &run.counted;
                            latency.lock().unwrap_or_else(PoisonError::into_inner).add(took);
                            waits.lock().unwrap_or_else(PoisonError::into_inner).add(waited);
                        }
                        match done {
                            true => run.note_done(player, took),
                            false => thinks = Some(Instant::now() + AFTER_A_REFUSAL),
                        }
                    } else if !done && run.has_nodes() {
                        // The node cannot read the store just now.
                        watching.give_back(player);
                        return Ending::Closed("the table is not shown".to_owned());
                    } else if !done {
                        return Ending::Fault("the table is not shown".to_owned());
                    }
                    reached.note(player);
                }
                Ok(_) => {
                    let (was_seated, is_seated) = (player.is_counted, player.is_seated());
                    player.is_counted = is_seated;
                    match (was_seated, is_seated) {
                        (false, true) => drop(run.counted.seated.fetch_add(1, Ordering::Relaxed)),
                        (true, false) => drop(run.counted.seated.fetch_sub(1, Ordering::Relaxed)),
                        _ => {}
                    }
                    reached.note(player);
                }
                Err(wrong) => return Ending::Fault(wrong),
            }
        } else {
            player.forget_refusal();
        }
        match std::mem::replace(&mut watching, WatchState::Over) {
            WatchState::Unasked if player.asked.is_some() => watching = WatchState::Unasked,
            WatchState::Unanswered(asked) if player.asked.is_some() => {
                watching = WatchState::Unanswered(asked);
            }
            // Shown: what had no answer is sent again, under its id.
            WatchState::Unanswered(asked) => {
                player.asked = Some(PendingCommand { again: true, ..asked });
                sent = Instant::now();
                if let Err(error) = send(player, &mut socket).await {
                    return Ending::Closed(error.to_string());
                }
            }
            WatchState::Unasked | WatchState::Over => {}
        }
        if player.asked.is_some() {
            continue;
        }
        if player.goes_home && player.is_away() {
            let _ = timeout(Duration::from_secs(1), socket.close(None)).await;
            return Ending::Home;
        }
        let is_thinking = thinks.is_some() || (!is_due && !run.think.is_zero());
        // A client adds to the order by itself: nobody thinks about it.
        let is_thinking = is_thinking && !player.is_mixing();
        match (is_thinking, player.wish()) {
            (false, Some(wish)) => {
                player.ask(Command::Player(wish));
                sent = Instant::now();
                if let Err(error) = send(player, &mut socket).await {
                    return Ending::Closed(error.to_string());
                }
            }
            (true, Some(_)) if thinks.is_none() => {
                thinks = Some(Instant::now() + player.think(run.think));
                if run.asks_coach && player.is_asked() {
                    coaching::ask(run, player);
                }
            }
            _ => {}
        }
    }
}

/// Whether the table is shown yet, and the command to send again once it is.
enum WatchState {
    Unasked,
    Unanswered(PendingCommand),
    Over,
}

impl WatchState {
    fn is_over(&self) -> bool {
        matches!(self, WatchState::Over)
    }

    /// Keeps what has no answer for the next socket.
    fn give_back(self, player: &mut Player) {
        match self {
            WatchState::Unasked => player.asked = None,
            WatchState::Unanswered(asked) => player.asked = Some(asked),
            WatchState::Over => {}
        }
    }
}

async fn send(player: &Player, socket: &mut Socket) -> Result<(), Error> {
    let Some(asked) = &player.asked else { return Ok(()) };
    let message = FromClient { id: asked.id.clone(), command: asked.what.clone() };
    let message = serde_json::to_string(&message).expect("a command is plain JSON");
    socket.send(Message::Text(message.into())).await
}

impl TableProgress {
    fn note(&self, player: &Player) {
        if let Some(version) = player.version {
            self.version.fetch_max(version, Ordering::Relaxed);
        }
        let entry = player.last_entry();
        self.entry.fetch_max(entry, Ordering::Relaxed);
        self.round.fetch_max(player.round().into(), Ordering::Relaxed);
    }
}
