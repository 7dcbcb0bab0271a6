//! Players who ask the coach before they decide.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::latency::Latency;
use super::player::Player;
use super::request::request;
use super::sitting::{Run, Stage};

/// What came of the questions.
#[derive(Clone, Default)]
pub(super) struct Questions {
    /// How long the answers took.
    pub(super) answers: Latency,
    /// Refused because the table had gone on.
    pub(super) overtaken: u64,
    /// Refused because too many waited.
    pub(super) busy: u64,
    /// Anything else.
    pub(super) failed: u64,
}

/// How many questions the coach's threads worked on, as the house has counted them.
pub(super) async fn worked_on(address: SocketAddr) -> io::Result<u64> {
    let page = request(address, "GET", "/metrics", "").await?.good()?;
    let line = page.lines().find_map(|line| line.strip_prefix("pitboss_coach_questions_total"));
    Ok(line.and_then(|value| value.trim().parse().ok()).unwrap_or(0))
}

/// Asks for a player who has to decide, beside the socket.
pub(super) fn ask(run: &Arc<Run>, player: &Player) {
    let Player { table, cookie, .. } = player;
    let (address, cookie) = (run.node_of(player), format!("Cookie: {cookie}\r\n"));
    let (run, path) = (run.clone(), format!("/api/tables/{table}/values"));
    tokio::spawn(async move {
        let begun = Instant::now();
        let answer = request(address, "GET", &path, &cookie).await;
        if run.stage() == Stage::Measured {
            let status = answer.map_or(0, |answer| answer.status);
            run.counted.coach.note(status, begun);
        }
    });
}

/// The questions of all players.
#[derive(Default)]
pub(super) struct QuestionCounter(Mutex<Questions>);

impl QuestionCounter {
    fn note(&self, status: u16, begun: Instant) {
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match status {
            200 => asked.answers.add(begun.elapsed()),
            409 => asked.overtaken += 1,
            503 => asked.busy += 1,
            _ => asked.failed += 1,
        }
    }

    pub(super) fn all(&self) -> Questions {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
