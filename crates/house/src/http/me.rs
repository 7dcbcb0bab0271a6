//! What somebody asks about themselves: the clock, own limits, money over time, and the cashier.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Json;
use rules::money::Cents;
use rules::table::{Account, Name};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

use super::refusal::{Refusal, Said};
use super::{House, NO_GUEST};
use crate::people::bounds::{Bound, DAY, MOST_LOSS};
use crate::store::{Change, PLAY_MONEY, StoreError};
use crate::table_task::{Chips, unix_time};
use crate::wire::{Bankroll, BoundView, LaterView, Me, PointView, SessionView};

/// Who has less than this, in the account and at the tables together, is given more.
pub const BROKE: Cents = Cents::new(1000);

/// The most points of a bankroll in one answer.
pub const MOST_POINTS: usize = 1000;

/// The most minutes in a day that a player may name.
const MOST_MINUTES: i64 = DAY / 60;

impl House {
    /// How long somebody has been here, what it came to, and what they hold to.
    pub(crate) async fn session(&self, name: &Name, now: i64) -> Result<SessionView, StoreError> {
        let (since, today) =
            (self.store.visit(name, now).await?, self.store.today(name, now).await?);
        let net = match since {
            Some(since) => self.store.net_since(name, since).await?,
            None => Cents::ZERO,
        };
        let bounds = self.store.bounds(name).await?;
        let cents = |cents: i64| Cents::new(cents).to_string();
        Ok(SessionView {
            since,
            now,
            minutes_today: today.minutes,
            net: format!("{net:+}"),
            net_today: format!("{:+}", today.net),
            loss: view(bounds.loss.at(now), cents),
            minutes: view(bounds.minutes.at(now), |minutes| minutes.to_string()),
            held: bounds.allow(today, Cents::ZERO, now).err(),
        })
    }
}

fn view(bound: Bound, words: impl Fn(i64) -> String) -> BoundView {
    let later = |(most, from): (Option<i64>, i64)| LaterView { most: most.map(&words), from };
    BoundView { most: bound.most.map(&words), later: bound.later.map(later) }
}

/// Who somebody is, and what they have.
pub(super) async fn me(
    State(house): State<Arc<House>>,
    headers: HeaderMap,
) -> Result<Json<Me>, Refusal> {
    let person = house.person(&headers).await?.ok_or(NO_GUEST)?;
    Ok(Json(house.account(person).await?))
}

/// Limits that a player sets; what is left out stays, and null takes one away after a day.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OwnLimits {
    /// The most that may be lost in a day, in dollars.
    #[serde(default, deserialize_with = "said")]
    #[schemars(with = "Option<String>")]
    loss: Option<Option<String>>,
    /// The most minutes in a day.
    #[serde(default, deserialize_with = "said")]
    #[schemars(with = "Option<i64>")]
    minutes: Option<Option<i64>>,
}

/// Tells null from nothing.
fn said<'a, D: Deserializer<'a>, T: Deserialize<'a>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// Sets a player's own limits: tighter ones hold at once, looser ones after a day.
pub(super) async fn limits(
    State(house): State<Arc<House>>,
    headers: HeaderMap,
    Said(OwnLimits { loss, minutes }): Said<OwnLimits>,
) -> Result<Json<Me>, Refusal> {
    let person = house.person(&headers).await?.ok_or(NO_GUEST)?;
    let loss = loss.map(|loss| loss.as_deref().map(read_loss).transpose()).transpose()?;
    if minutes.flatten().is_some_and(|minutes| !(0..=MOST_MINUTES).contains(&minutes)) {
        return Err(Refusal::bad(format!("a day has 0 to {MOST_MINUTES} minutes")));
    }
    let (name, now) = (person.name.clone(), unix_time());
    house.store.change(Change::Bounds { name, loss, minutes, now }).await?;
    Ok(Json(house.account(person).await?))
}

fn read_loss(text: &str) -> Result<i64, Refusal> {
    let loss: Option<Cents> = text.parse().ok();
    let fits = loss.filter(|loss| (Cents::ZERO..=MOST_LOSS).contains(loss));
    let wrong = || Refusal::bad(format!("a loss is an amount from 0 to {MOST_LOSS}"));
    fits.map(Cents::get).ok_or_else(wrong)
}

/// A player's money after each round, as far back as fits.
pub(super) async fn bankroll(
    State(house): State<Arc<House>>,
    headers: HeaderMap,
) -> Result<Json<Bankroll>, Refusal> {
    let name = house.person(&headers).await?.ok_or(NO_GUEST)?.name;
    let racks: Cents = house.chips(&name).await.iter().map(|(_, chips)| chips.rack).sum();
    let mut total = racks + house.store.balance("", &Account::Player(name.clone())).await?;
    let most = i64::try_from(MOST_POINTS + 1).expect("a small number");
    let mut latest = house.store.points(&name, most).await?;
    let more = latest.len() > MOST_POINTS;
    latest.truncate(MOST_POINTS);
    let mut points = Vec::with_capacity(latest.len());
    for point in latest {
        let (table, round) = point.round.unzip();
        let gain = format!("{:+}", point.gain);
        points.push(PointView { at: point.at, total: total.to_string(), gain, table, round });
        total -= point.gain;
    }
    points.reverse();
    Ok(Json(Bankroll { points, more }))
}

/// The money in an account and at the tables.
fn all_money(has: Cents, chips: &[(String, Chips)]) -> Cents {
    chips.iter().fold(has, |all, (_, chips)| all + chips.rack + chips.staked)
}

/// Whether the cashier gives more to somebody with so much.
pub(super) fn is_broke(has: Cents, chips: &[(String, Chips)]) -> bool {
    all_money(has, chips) < BROKE
}

/// Gives play money to who has next to none.
pub(super) async fn cashier(
    State(house): State<Arc<House>>,
    headers: HeaderMap,
) -> Result<Json<Me>, Refusal> {
    let person = house.person(&headers).await?.ok_or(NO_GUEST)?;
    let name = person.name.clone();
    let has = house.store.balance("", &Account::Player(name.clone())).await?;
    let chips = house.chips(&name).await;
    let all = all_money(has, &chips);
    if !is_broke(has, &chips) {
        return Err(Refusal::conflict(format!(
            "you have {all}; the cashier gives more to who has less than {BROKE}"
        )));
    }
    house.store.change(Change::Refill { name, has, amount: PLAY_MONEY - all }).await?;
    Ok(Json(house.account(person).await?))
}
