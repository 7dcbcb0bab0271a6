//! House players: programs that keep people company at a table, over the wire like everybody.
//!
//! `player` is one of them without a socket: it hears, and says what to do next; `advisor` knows the
//! chart. Here each gets its socket and its time.

mod advisor;
mod player;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use house::config::{Company, Invitation};
use rules::terms::TermSheet;
use tokio::io::DuplexStream;
use tokio::time::{Instant, sleep_until};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{WebSocketStream, client_async};
use wire::{ClientCommand, Command, FromClient, FromHouse};

use advisor::Advisor;
use player::HousePlayer;

/// Charts that are kept: private tables may have any terms.
const MOST_CHARTS: usize = 32;

/// How long a house player waits for its table before it goes home.
const LONGEST_SILENCE: Duration = Duration::from_secs(60);

/// Why a house player comes to its end before its table lets it go.
type Trouble = Box<dyn std::error::Error + Send + Sync>;

/// Plays for the house's players.
#[derive(Default)]
pub(crate) struct HousePlayers {
    charts: Arc<Charts>,
}

/// What was worked out for the terms of a table, the latest last.
#[derive(Default)]
struct Charts {
    known: Mutex<Vec<(TermSheet, Arc<Advisor>)>>,
}

impl Company for HousePlayers {
    fn go(&self, invitation: Invitation) {
        let charts = self.charts.clone();
        tokio::spawn(async move {
            let table = invitation.table.clone();
            if let Err(why) = play(invitation, &charts).await {
                tracing::warn!(table, what = "company", %why, "a house player goes home");
            }
        });
    }
}

impl Charts {
    fn find(&self, sheet: &TermSheet) -> Option<Arc<Advisor>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().find(|(terms, _)| terms == sheet).map(|(_, advisor)| advisor.clone())
    }

    /// What to do at a table with these terms, worked out on a thread where that takes a while.
    async fn advisor(&self, sheet: TermSheet) -> Result<Arc<Advisor>, Trouble> {
        if let Some(known) = self.find(&sheet) {
            return Ok(known);
        }
        let terms = sheet.clone();
        let advisor = Arc::new(tokio::task::spawn_blocking(move || Advisor::new(terms)).await?);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST_CHARTS {
            known.remove(0);
        }
        known.push((sheet, advisor.clone()));
        Ok(advisor)
    }
}

type Socket = WebSocketStream<DuplexStream>;

/// Plays at a table until the table lets the player go. The invitation is kept for as long.
async fn play(invitation: Invitation, charts: &Charts) -> Result<(), Trouble> {
    let Invitation { table, token, connection, .. } = invitation;
    let mut request = "ws://127.0.0.1/ws".into_client_request()?;
    request.headers_mut().insert("Authorization", format!("Bearer {token}").parse()?);
    let (mut socket, _) = client_async(request, connection).await?;
    let mut sent = 0;
    let watch = ClientCommand::Watch { table: table.clone(), from: None };
    send(&mut socket, &mut sent, Command::Client(watch)).await?;
    let mut player: Option<HousePlayer> = None;
    let mut thinks: Option<Instant> = None;
    let mut is_asked = true;
    loop {
        let due = thinks.unwrap_or_else(|| Instant::now() + LONGEST_SILENCE);
        tokio::select! {
            heard = socket.next() => {
                let Some(heard) = heard else { return Ok(()) };
                let Message::Text(text) = heard? else { continue };
                match serde_json::from_str(&text)? {
                    FromHouse::Table { about } => {
                        let advisor = charts.advisor(player::sheet(&about)?).await?;
                        player = Some(HousePlayer::new(*about, advisor));
                    }
                    FromHouse::Answer { ok, .. } => {
                        is_asked = false;
                        if let Some(player) = &mut player {
                            player.is_answered(ok);
                        }
                    }
                    FromHouse::Closing | FromHouse::Away { .. } => return Ok(()),
                    message => {
                        if let Some(player) = &mut player {
                            player.hear(message);
                        }
                    }
                }
            }
            () = sleep_until(due) => {
                let Some(player) = player.as_mut().filter(|_| thinks.is_some()) else {
                    return Ok(());
                };
                thinks = None;
                if let Some(wish) = player.wish().filter(|_| !is_asked) {
                    is_asked = true;
                    send(&mut socket, &mut sent, Command::Player(wish)).await?;
                }
            }
        }
        let Some(player) = &player else { continue };
        if player.is_done() {
            return Ok(socket.close(None).await?);
        }
        match player.wish() {
            Some(wish) if !is_asked => {
                let time = || Instant::now() + player.thinks_about(&wish);
                thinks = Some(thinks.unwrap_or_else(time));
            }
            _ => thinks = None,
        }
    }
}

async fn send(socket: &mut Socket, sent: &mut u64, command: Command) -> Result<(), Trouble> {
    *sent += 1;
    // Ids are those of one person for days; a socket's first moment tells sockets apart.
    let id = format!("{sent}-{}", uniquely());
    let message = serde_json::to_string(&FromClient { id, command })?;
    Ok(socket.send(Message::Text(message.into())).await?)
}

/// A number that no other command has: nanoseconds of Unix time.
fn uniquely() -> u128 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.unwrap_or_default().as_nanos()
}
