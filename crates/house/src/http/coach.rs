//! The coach: what the decisions are worth that somebody is asked for.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use axum::extract::State;
use axum::response::Json;
use rules::card::Card;
use rules::table::Name;
use wire::{Coach, DecisionValues, ValuesView, as_sentence};

use super::analyst::Analyst;
use super::answers::{Contradiction, Forbidden, Missing, TooOften};
use super::error::HttpError;
use super::extract::Within;
use super::house::House;
use super::visitor::{Address, Known};
use crate::analysis::SeenCards;
use crate::store::History;
use crate::tables::playback::Playback;
use crate::tables::task::{Ask, Question};

impl House {
    /// Whoever knows what decisions are worth, where a table lets it say so.
    fn coach(&self, coach: Coach) -> Result<&Analyst, HttpError> {
        match (&self.analyst, coach) {
            (Some(analyst), Coach::Live) => Ok(analyst),
            (Some(_), Coach::After) => Err(HttpError::forbidden(
                "coach-after-round",
                "The coach at this table speaks after the round.",
            )),
            _ => Err(HttpError::no_coach()),
        }
    }
}

impl House {
    /// What somebody had seen of a shoe before the table was loaded: in the middle of a shoe, if the house
    /// was closed meanwhile.
    async fn seen_before(
        &self,
        table: &str,
        shoe: u32,
        since: u64,
        player: &Name,
        from: IpAddr,
    ) -> Result<Vec<Card>, HttpError> {
        let first = self.store.shoe(table, shoe).await?.map(|(first, _)| first);
        let Some(first) = first.filter(|first| *first < since) else { return Ok(Vec::new()) };
        let _place = self.looks_back(from).await?;
        let mut playback = Playback::open(&self.store, table, first, since, None).await?;
        let mut seen = SeenCards::default();
        while let Some(step) = playback.step().await? {
            if let Some((now, _)) = playback.now() {
                seen.follow(&step.outcome.events, now);
            }
        }
        Ok(seen.by(player, &[]))
    }
}

/// What every act is worth that is open to whoever asks and is asked for a decision now.
///
/// Only what that player knows counts: the own cards, the open ones, and those seen in this shoe while
/// seated; never the hole card or another's private card. A table says in `coach` whether it answers.
#[utoipa::path(
    get, path = "/api/tables/{table}/values", tag = "known",
    params(("table" = String, Path, description = "Which table.")),
    responses(
        (status = 200, body = ValuesView, description = "The acts; empty unless the table waits for their decision."),
        Known, Forbidden, Missing, Contradiction, TooOften,
    )
)]
pub(super) async fn values(
    State(house): State<Arc<House>>,
    Known(who): Known,
    Address(from): Address,
    Within(table): Within<String>,
) -> Result<Json<ValuesView>, HttpError> {
    let door = house.floor.door(&table).ok_or_else(HttpError::no_table)?;
    let analyst = house.coach(door.about.coach)?;
    analyst.admit(&who.name)?;
    let player = who.name.clone();
    let Question { round, mut positions, shoe, seen_since, moment, now } =
        house.ask(&table, |answer| Ask::Positions { player, answer }).await?;
    if positions.is_empty() {
        return Ok(Json(ValuesView { round, decisions: Vec::new() }));
    }
    let earlier = house.seen_before(&table, shoe, seen_since, &who.name, from).await?;
    positions.iter_mut().for_each(|position| position.add(&earlier));
    let analysis = analyst.analysis.clone();
    let is_wanted = move || now.load(Ordering::Relaxed) == moment;
    let metrics = house.store.metrics().clone();
    let find = move || {
        let began = Instant::now();
        let values = positions.iter().map(|position| {
            let acts = analysis.values(position)?;
            Ok(DecisionValues { at: position.bettor.to_string(), acts })
        });
        let values = values.collect::<Result<Vec<_>, String>>();
        metrics.coached(began.elapsed());
        values
    };
    let decisions = analyst.pool.find(is_wanted, find).await?;
    let decisions = decisions.map_err(|why| HttpError::conflict("no-value", as_sentence(&why)))?;
    Ok(Json(ValuesView { round, decisions }))
}
