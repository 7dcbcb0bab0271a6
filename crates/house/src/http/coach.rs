//! The coach: what the decisions are worth that somebody is asked for.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Json;
use futures_util::StreamExt;
use rules::card::Card;
use rules::table::Name;
use wire::bus::{OwnerAnswer, OwnerQuestion};
use wire::{Coach, DecisionValues, ValuesView, as_sentence};

use super::analyst::Analyst;
use super::answers::{Contradiction, Forbidden, Missing, TooOften};
use super::error::HttpError;
use super::extract::Within;
use super::house::House;
use super::visitor::{Address, Known};
use crate::analysis::SeenCards;
use crate::bus;
use crate::nodes::{LOOKS_EVERY, Node};
use crate::relay::Owner;
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
    house.values_of(&table, &who.name, from).await.map(Json)
}

impl House {
    /// What every act is worth that is open to a player: found by the node that owns the table, which alone
    /// has the cards that the player knows.
    async fn values_of(
        &self,
        table: &str,
        player: &Name,
        from: IpAddr,
    ) -> Result<ValuesView, HttpError> {
        let door = self.floor.door(table).ok_or_else(HttpError::no_table)?;
        let analyst = self.coach(door.about.coach)?;
        analyst.admit(player)?;
        let away = match door.owner() {
            Owner::Here => None,
            Owner::At { inbox, .. } => Some(inbox),
            Owner::Nobody { .. } => return Err(HttpError::table_moving()),
        };
        match (away, &self.node) {
            (Some(inbox), Some(node)) => {
                let (table, player) = (table.to_owned(), player.to_string());
                let question = OwnerQuestion::Values { table, player, from };
                let bus = &node.relay().bus;
                match bus.request(bus.ask_coach(&inbox), &question).await {
                    Ok(OwnerAnswer::Values(values)) => Ok(values),
                    Ok(OwnerAnswer::Refused { status, refusal }) => {
                        let status = StatusCode::from_u16(status);
                        let status = status.unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
                        Err(HttpError::new(status, refusal))
                    }
                    Ok(_) | Err(_) => Err(HttpError::table_moving()),
                }
            }
            _ => self.find_values(analyst, table, player, from).await,
        }
    }

    /// What every act is worth that is open to a player at a table of this node.
    async fn find_values(
        &self,
        analyst: &Analyst,
        table: &str,
        player: &Name,
        from: IpAddr,
    ) -> Result<ValuesView, HttpError> {
        let asked = player.clone();
        let Question { round, mut positions, shoe, seen_since, moment, now } =
            self.ask(table, |answer| Ask::Positions { player: asked, answer }).await?;
        if positions.is_empty() {
            return Ok(ValuesView { round, decisions: Vec::new() });
        }
        let earlier = self.seen_before(table, shoe, seen_since, player, from).await?;
        positions.iter_mut().for_each(|position| position.add(&earlier));
        let analysis = analyst.analysis.clone();
        let is_wanted = move || now.load(Ordering::Relaxed) == moment;
        let metrics = self.store.metrics().clone();
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
        let decisions =
            decisions.map_err(|why| HttpError::conflict("no-value", as_sentence(&why)))?;
        Ok(ValuesView { round, decisions })
    }
}

/// Answers other nodes whose clients ask what their decisions are worth at tables of this one, until the
/// house closes.
pub(crate) async fn coach_for_nodes(house: Arc<House>, node: Arc<Node>) {
    let (bus, mut closing) = (node.relay().bus.clone(), house.closing.clone());
    let mut questions = loop {
        match bus.subscribe(bus.ask_coach(bus.inbox())).await {
            Ok(questions) => break questions,
            Err(_) if *closing.borrow() => return,
            Err(_) => tokio::time::sleep(LOOKS_EVERY).await,
        }
    };
    loop {
        let message = tokio::select! {
            _ = closing.changed() => return,
            Some(message) = questions.next() => message,
        };
        let question = bus::read::<OwnerQuestion>(&message.payload);
        let (Some(OwnerQuestion::Values { table, player, from }), Some(reply)) =
            (question, message.reply)
        else {
            continue;
        };
        let Ok(player) = player.parse::<Name>() else { continue };
        let (house, bus) = (house.clone(), bus.clone());
        tokio::spawn(async move {
            let is_here = house.floor.door(&table).is_some_and(|door| door.is_here());
            let values = match is_here {
                true => house.values_of(&table, &player, from).await,
                false => Err(HttpError::table_moving()),
            };
            let answer = match values {
                Ok(values) => OwnerAnswer::Values(values),
                Err(error) => {
                    let (status, refusal) = error.into_parts();
                    OwnerAnswer::Refused { status: status.as_u16(), refusal }
                }
            };
            let _ = bus.publish(reply.to_string(), &answer).await;
        });
    }
}
