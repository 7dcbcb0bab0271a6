//! The review: what somebody's decisions cost in rounds that are over.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Json;
use wire::{Coach, NoReview, ReviewView, ReviewWanted, ReviewedRound, RoundReview};

use super::analyst::Analyst;
use super::answers::{BadQuery, Forbidden, Missing, TooOften};
use super::error::HttpError;
use super::extract::Query;
use super::history::no_round;
use super::house::House;
use super::visitor::{Address, Known};
use crate::analysis::{NoAnswer, OwnRound, OwnRounds};
use crate::store::{History, People, RoundRow, RoundsWanted};
use crate::tables::about::options;
use crate::tables::playback::{NotShown, Playback};

/// The most rounds of one review.
pub const MOST_REVIEWED: u32 = 25;

/// The rounds of a review where nothing is said.
pub const USUAL_REVIEWED: u32 = 10;

/// What one's own decisions cost, and how much of each result was luck; the latest round first.
///
/// Every decision is judged by what the player knew then. A long history comes in pages.
#[utoipa::path(
    get, path = "/api/review", tag = "known", params(ReviewWanted),
    responses(
        (status = 200, body = ReviewView, description = "The rounds."),
        BadQuery, Known, Forbidden, Missing, TooOften,
    )
)]
pub(super) async fn review(
    State(house): State<Arc<House>>,
    Known(viewer): Known,
    Address(from): Address,
    Query(asked): Query<ReviewWanted>,
) -> Result<Json<ReviewView>, HttpError> {
    let analyst = house.analyst.as_ref().ok_or_else(HttpError::no_coach)?;
    let limit = asked.limit.unwrap_or(USUAL_REVIEWED);
    if limit == 0 || limit > MOST_REVIEWED {
        let sentence = format!("A review can have 1 to {MOST_REVIEWED} rounds.");
        return Err(HttpError::bad("bad-limit", sentence));
    }
    if asked.round.is_some() && asked.table.is_none() {
        return Err(HttpError::bad("bad-query", "Say at which table the round was."));
    }
    if let Some(table) = &asked.table {
        house.game_at(table).await?;
    }
    let _turn = analyst.reviews_for(&viewer.name)?;
    let (mut found, mut before) = (Vec::new(), None);
    let mut names: Vec<String> =
        house.store.former_names(&viewer.name).await?.iter().map(ToString::to_string).collect();
    names.push(viewer.name.to_string());
    let mut played = {
        let _place = house.looks_back(from).await?;
        match (&asked.table, asked.round) {
            (Some(table), Some(round)) => {
                found.push(house.store.round(table, round).await?.ok_or_else(no_round)?);
            }
            _ => {
                let (table, person) = (asked.table.clone(), Some(viewer.name.clone()));
                let wanted = RoundsWanted { table, person, before: asked.before, limit: limit + 1 };
                found = house.store.rounds(&wanted).await?;
                let most = usize::try_from(limit).unwrap_or(usize::MAX);
                before = found.get(most).and_then(|_| found.get(most - 1)).map(|round| round.id);
                found.truncate(most);
            }
        }
        house.own_rounds(&found, names).await?
    };
    let mut rounds = Vec::with_capacity(found.len());
    for row in &found {
        let game = house.game_at(&row.table).await?;
        let own = match played.remove(&(row.table.clone(), row.round)) {
            _ if row.is_void => Err(NoReview::Void),
            _ if house.coach_of(&row.table) == Coach::Off => Err(NoReview::NoCoach),
            Some(Ok(own)) => Ok(own),
            Some(Err(NotShown::Store(error))) => return Err(error.into()),
            Some(Err(NotShown::OtherRules)) => Err(NoReview::OtherRules),
            // Only somebody else's round is not there.
            None => return Err(no_round()),
        };
        let net = own.as_ref().ok().map(|own| format!("{:+}", own.net));
        let options = own.as_ref().map_or_else(|_| String::new(), |own| options(&own.sheet));
        let review = match own {
            Ok(own) => analyst.review(own).await?.ok_or(NoReview::Failed),
            Err(why) => Err(why),
        };
        rounds.push(ReviewedRound {
            table: row.table.clone(),
            game: game.name().into(),
            title: game.title().into(),
            options,
            round: row.round,
            at: row.at,
            net,
            no_review: review.as_ref().err().copied(),
            review: review.ok(),
        });
    }
    Ok(Json(ReviewView { rounds, before }))
}

/// Rounds by their table and number, or why they are not shown.
type Played = BTreeMap<(String, u32), Result<OwnRound, NotShown>>;

impl House {
    /// A player's part in rounds, each with what the player had seen of its shoe.
    async fn own_rounds(
        &self,
        found: &[RoundRow],
        names: Vec<String>,
    ) -> Result<Played, HttpError> {
        let mut shoes: BTreeMap<(&str, u32), Vec<&RoundRow>> = BTreeMap::new();
        for row in found {
            shoes.entry((row.table.as_str(), row.shoe)).or_default().push(row);
        }
        let mut played = Played::new();
        for ((table, shoe), rows) in shoes {
            let first = rows.iter().map(|row| row.from).min().unwrap_or(1);
            let last = rows.iter().map(|row| row.to).max().unwrap_or(1);
            let shuffled = self.store.shoe(table, shoe).await?.map(|(first, _)| first);
            let from = shuffled.unwrap_or(first).min(first);
            let own = self.own_rounds_between(table, from, last, names.clone()).await;
            let mut own = match own {
                Ok(own) => own,
                Err(NotShown::Store(error)) => return Err(error.into()),
                Err(NotShown::OtherRules) => {
                    let key = |row: &&RoundRow| (table.to_owned(), row.round);
                    let why = |row| (key(&row), Err(NotShown::OtherRules));
                    played.extend(rows.into_iter().map(why));
                    continue;
                }
            };
            own.retain(|own| rows.iter().any(|row| row.round == own.round));
            played.extend(own.into_iter().map(|own| ((table.to_owned(), own.round), Ok(own))));
        }
        Ok(played)
    }

    async fn own_rounds_between(
        &self,
        table: &str,
        from: u64,
        to: u64,
        names: Vec<String>,
    ) -> Result<Vec<OwnRound>, NotShown> {
        let mut playback = Playback::open(&self.store, table, from, to, None).await?;
        let (mut follower, mut rounds) = (OwnRounds::of_any(names), Vec::new());
        while let Some(step) = playback.step().await? {
            if let Some((now, _)) = playback.now() {
                rounds.extend(follower.follow(step.seq, &step.before, &step.outcome.events, now));
            }
        }
        Ok(rounds)
    }
}

impl Analyst {
    /// Reviews a round on a thread of its own; none where that fails by a mistake of the program.
    async fn review(&self, round: OwnRound) -> Result<Option<RoundReview>, HttpError> {
        let analysis = self.analysis.clone();
        match self.reviews.find(|| true, move || analysis.review(&round)).await {
            Ok(review) => Ok(Some(review)),
            Err(NoAnswer::Busy) => Err(NoAnswer::Busy.into()),
            Err(NoAnswer::Stale | NoAnswer::Failed) => Ok(None),
        }
    }
}
