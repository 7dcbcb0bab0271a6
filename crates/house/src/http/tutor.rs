//! The explorer and the trainer: what wagers and strategies are worth, away from the tables.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body as ResponseBody;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Json, Response};
use futures_util::stream::{self, StreamExt};
use rules::card::Card;
use rules::terms::{TermRefusal, TermSheet};
use rules::wager::Game;
use tokio::sync::mpsc;
use wire::{OddsLine, OddsWanted, TrainingView, TrainingWanted, as_sentence};

use super::answers::{BadBody, BadQuery, Contradiction, Forbidden, Missing, TooOften};
use super::entry::new_token;
use super::error::HttpError;
use super::extract::{Body, Query, Within};
use super::house::House;
use super::studies::{Studies, unanswered};
use super::visitor::{Address, Known};
use crate::analysis::{Lesson, NoAnswer};
use crate::store::{Change, LONGEST_TRAINING, People};
use crate::tables::task::unix_time;

/// How long one exploration may take.
pub const LONGEST_STUDY: Duration = Duration::from_secs(60);

/// The most lines of one exploration that wait to be sent: more than it has.
const MOST_LINES: usize = 1024;

/// The most cards that can be named as gone: more than a shoe has.
const MOST_GONE: usize = 500;

impl House {
    fn studies(&self) -> Result<&Studies, HttpError> {
        let none = || HttpError::missing("no-odds", "This house does not tell odds.");
        self.studies.as_ref().ok_or_else(none)
    }
}

/// The odds of a table of one's own making: its wagers, the strategy, and what cards that are gone and
/// other house options change.
///
/// The answer has a JSON object on each line, and each line comes as soon as it is known. It takes at
/// most a minute; whoever goes away ends it.
#[utoipa::path(
    get, path = "/api/odds/{game}", tag = "anyone",
    params(("game" = String, Path, description = "Which game."), OddsWanted),
    responses(
        (status = 200, body = OddsLine, content_type = "application/x-ndjson", description = "The lines."),
        BadQuery, Missing, Contradiction, TooOften,
    )
)]
pub(super) async fn explore(
    State(house): State<Arc<House>>,
    Address(from): Address,
    Within(game): Within<String>,
    Query(OddsWanted { set, gone }): Query<OddsWanted>,
) -> Result<Response, HttpError> {
    let studies = house.studies()?;
    let sheet = sheet(&game, set.as_deref())?;
    let gone = cards(gone.as_deref().unwrap_or_default())?;
    let share = studies.share(from)?;
    let (lines, mut told) = mpsc::channel::<String>(MOST_LINES);
    let (tutor, pool) = (studies.tutor.clone(), studies.pool.clone());
    let begun = Instant::now();
    let tell = move |line: OddsLine| {
        let send = |line: &OddsLine| {
            let text = serde_json::to_string(line).expect("a line is plain JSON");
            lines.try_send(text + "\n").is_ok()
        };
        let is_heard = send(&line);
        if begun.elapsed() > LONGEST_STUDY {
            send(&OddsLine::End { complete: false });
            return false;
        }
        is_heard
    };
    let find = move || {
        let mut tell = tell;
        tutor.explore(&sheet, &gone, &mut tell)
    };
    // Its end is of interest where it has told nothing.
    let mut study = tokio::spawn(async move {
        match pool.find(|| true, find).await {
            Ok(Ok(())) => unanswered(NoAnswer::Failed),
            Ok(Err(why)) => HttpError::conflict("no-value", as_sentence(&why)),
            Err(why) => unanswered(why),
        }
    });
    let first = tokio::select! {
        biased;
        Some(first) = told.recv() => first,
        why = &mut study => return Err(why.unwrap_or_else(|_| unanswered(NoAnswer::Failed))),
    };
    let rest = stream::unfold((Some(first), told, share), async |(first, mut told, share)| {
        let line = match first {
            Some(first) => Some(first),
            None => told.recv().await,
        };
        Some((Ok::<_, std::convert::Infallible>(line?), (None, told, share)))
    });
    // The compression of answers polls once more after the end.
    let rest = rest.fuse();
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson")];
    Ok((kind, ResponseBody::from_stream(rest)).into_response())
}

/// Asks a question of a drill, after grading the answer to the one before.
///
/// What was answered is kept with one's name, and a guest who makes an account keeps it.
#[utoipa::path(
    post, path = "/api/train/{game}", tag = "known", request_body = TrainingWanted,
    params(("game" = String, Path, description = "Which game.")),
    responses(
        (status = 200, body = TrainingView, description = "The next question."),
        BadBody, Known, Forbidden, Missing, Contradiction, TooOften,
    )
)]
pub(super) async fn train(
    State(house): State<Arc<House>>,
    Known(person): Known,
    Address(from): Address,
    Within(game): Within<String>,
    Body(TrainingWanted { drill, set, field, answer }): Body<TrainingWanted>,
) -> Result<Json<TrainingView>, HttpError> {
    let studies = house.studies()?;
    studies.askers.admit(&person.name)?;
    let sheet = sheet(&game, set.as_deref())?;
    let _share = studies.share(from)?;
    let game = sheet.game();
    let record = house.store.training(&person.name, game).await?.unwrap_or_default();
    let seed = u32::from_str_radix(&new_token()?[..8], 16).unwrap_or_default();
    let day = u32::try_from(unix_time() / (24 * 60 * 60)).unwrap_or_default();
    let lesson = Lesson { sheet, drill, field, answer, record, seed, day };
    let tutor = studies.tutor.clone();
    let taught = studies.pool.find(|| true, move || tutor.train(&lesson)).await;
    let taught = taught.map_err(unanswered)?;
    let (view, record) =
        taught.map_err(|why| HttpError::conflict("no-question", as_sentence(&why)))?;
    if let Some(record) = record.filter(|record| record.len() <= LONGEST_TRAINING) {
        house.store.change(Change::Train { name: person.name, game, record }).await?;
    }
    Ok(Json(view))
}

/// A game with house options, as they are written: `decks=8 seats=6`.
fn sheet(game: &str, set: Option<&str>) -> Result<TermSheet, HttpError> {
    let known = Game::named(game)
        .ok_or_else(|| HttpError::missing("no-such-game", "There is no such game."))?;
    let mut sheet = TermSheet::new(known);
    let bad = |sentence: &str| HttpError::bad("bad-terms", as_sentence(sentence));
    let words = set.unwrap_or_default().split_whitespace();
    let choices: Option<Vec<(&str, &str)>> = words.map(|word| word.split_once('=')).collect();
    let choices = choices.ok_or_else(|| bad("House options are written as decks=8"))?;
    sheet.set(choices).map_err(|refusal: TermRefusal| bad(&refusal.to_string()))?;
    Ok(sheet)
}

/// Cards as they are written: `As Td*3`.
fn cards(text: &str) -> Result<Vec<Card>, HttpError> {
    let bad = |word: &str| {
        let word: String = word.chars().take(20).collect();
        let sentence = format!("'{}' is no card such as Td or Td*3.", word.escape_debug());
        HttpError::bad("bad-card", sentence)
    };
    let mut cards = Vec::new();
    for word in text.split_whitespace() {
        let (card, times) = word.split_once('*').unwrap_or((word, "1"));
        let card: Card = card.parse().map_err(|_| bad(word))?;
        let times: usize = times.parse().map_err(|_| bad(word))?;
        if cards.len().saturating_add(times) > MOST_GONE {
            return Err(HttpError::bad("bad-card", "More cards are gone than a shoe has."));
        }
        cards.extend(std::iter::repeat_n(card, times));
    }
    Ok(cards)
}
