//! What somebody asks about themselves: the clock, own limits, money over time, and the cashier.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Json;
use rules::money::Cents;
use rules::table::{Account, Name};
use rules::wager::{Circle, Game};
use wire::{
    Bankroll, BoundView, CircleStatistics, GameStatistics, LaterView, Me, OwnLimits, Parameter,
    PlayedSession, PointView, SelfExclusion, SessionView, Statistics, SwingView,
};

use super::answers::{BadBody, Contradiction, Forbidden, TooOften};
use super::error::HttpError;
use super::extract::Body;
use super::house::House;
use super::visitor::{Address, Known};
use crate::config::Expectation;
use crate::people::bounds::{Bound, DAY, MOST_LOSS};
use crate::people::exclusion::{LONGEST_EXCLUSION, SHORTEST_EXCLUSION};
use crate::store::{
    Change, Money, PLAY_MONEY, People, Play, PlayerSession, Players, StoreError, TableStatistics,
    WagerStatistics,
};
use crate::tables::chips::Holding;
use crate::tables::refusals::{by_barrier, by_own_limit};
use crate::tables::task::unix_time;

/// Whoever has less than this, in the account and at the tables together, is given more.
pub const BROKE: Cents = Cents::new(1000);

/// The most points of a bankroll in one answer.
pub const MOST_POINTS: usize = 1000;

/// The most sessions in one answer.
const MOST_SESSIONS: i64 = 20;

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
            held: match self.store.barrier(name, now) {
                Some(barrier) => Some(by_barrier(barrier)),
                None => bounds.allow(today, Cents::ZERO, now).err().map(by_own_limit),
            },
        })
    }
}

fn view(bound: Bound, words: impl Fn(i64) -> String) -> BoundView {
    let later = |(most, from): (Option<i64>, i64)| LaterView { most: most.map(&words), from };
    BoundView { most: bound.most.map(&words), later: bound.later.map(later) }
}

/// Who one is, the money, the session's clock and own limits.
#[utoipa::path(
    get, path = "/api/me", tag = "known",
    responses((status = 200, body = Me, description = "The caller's account."), Known)
)]
pub(super) async fn me(
    State(house): State<Arc<House>>,
    Known(person): Known,
) -> Result<Json<Me>, HttpError> {
    Ok(Json(house.me(person).await?))
}

/// Sets limits of one's own: tighter ones hold at once, looser ones after a day.
#[utoipa::path(
    post, path = "/api/me/limits", tag = "known", request_body = OwnLimits,
    responses((status = 200, body = Me, description = "The caller's account."), BadBody, Known, Forbidden)
)]
pub(super) async fn limits(
    State(house): State<Arc<House>>,
    Known(person): Known,
    Body(OwnLimits { loss, minutes }): Body<OwnLimits>,
) -> Result<Json<Me>, HttpError> {
    let loss = loss.map(|loss| loss.as_deref().map(read_loss).transpose()).transpose()?;
    if minutes.flatten().is_some_and(|minutes| !(0..=MOST_MINUTES).contains(&minutes)) {
        let sentence = format!("A time limit must be 0 to {MOST_MINUTES} minutes a day.");
        return Err(HttpError::bad("bad-minutes", sentence));
    }
    let (name, now) = (person.name.clone(), unix_time());
    house.store.change(Change::Bounds { name, loss, minutes, now }).await?;
    Ok(Json(house.me(person).await?))
}

/// Excludes oneself from play until a moment, which nobody can bring forward.
///
/// Sockets are closed, seats are left once their rounds are over, and the money stays one's own. The
/// sessions of an account end; a guest keeps the cookie, which is the only way to the money.
#[utoipa::path(
    post, path = "/api/me/exclusion", tag = "known", request_body = SelfExclusion,
    responses(
        (status = 200, body = Me, description = "The caller's account."),
        BadBody, Known, Forbidden, Contradiction,
    )
)]
pub(super) async fn exclude(
    State(house): State<Arc<House>>,
    Known(person): Known,
    Body(SelfExclusion { until }): Body<SelfExclusion>,
) -> Result<Json<Me>, HttpError> {
    let now = unix_time();
    if !(now + SHORTEST_EXCLUSION - 60..=now + LONGEST_EXCLUSION).contains(&until) {
        let (least, most) = (SHORTEST_EXCLUSION / DAY, LONGEST_EXCLUSION / DAY);
        let sentence = format!("Exclude yourself for {least} to {most} days from now.");
        return Err(HttpError::bad("bad-until", sentence));
    }
    if let Some(before) = house.store.exclusion(&person.name).own.filter(|before| *before > until) {
        let sentence = "A self-exclusion can be extended but not shortened.";
        let refusal = wire::Refusal::new("exclusion-not-shortened", wire::Source::Own, sentence);
        let refusal = refusal.with("until", Parameter::Time(before));
        return Err(HttpError::new(axum::http::StatusCode::CONFLICT, refusal));
    }
    house.store.change(Change::Exclude { name: person.name.clone(), until }).await?;
    house.keep_from_play(&person.name).await;
    Ok(Json(house.me(person).await?))
}

fn read_loss(text: &str) -> Result<i64, HttpError> {
    let loss: Option<Cents> = text.parse().ok();
    let fits = loss.filter(|loss| (Cents::ZERO..=MOST_LOSS).contains(loss));
    let wrong = || {
        HttpError::bad("bad-loss", format!("A loss limit must be an amount from 0 to {MOST_LOSS}."))
    };
    fits.map(Cents::get).ok_or_else(wrong)
}

/// One's money after each round, as far back as fits.
#[utoipa::path(
    get, path = "/api/me/bankroll", tag = "known",
    responses((status = 200, body = Bankroll, description = "The money over time."), Known)
)]
pub(super) async fn bankroll(
    State(house): State<Arc<House>>,
    Known(person): Known,
) -> Result<Json<Bankroll>, HttpError> {
    let name = person.name;
    let racks: Cents = house.holdings.of(&name).iter().map(|(_, chips)| chips.rack).sum();
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

/// What one's play has come to, by game and by wager.
#[utoipa::path(
    get, path = "/api/me/statistics", tag = "known",
    responses((status = 200, body = Statistics, description = "The statistics."), Known, TooOften)
)]
pub(super) async fn statistics(
    State(house): State<Arc<House>>,
    Known(person): Known,
    Address(from): Address,
) -> Result<Json<Statistics>, HttpError> {
    let _place = house.looks_back(from).await?;
    let (mut games, mut pending) = (BTreeMap::<Game, GameTotals>::new(), false);
    for of_table in house.store.statistics(&person.name).await? {
        let Some(sheet) = house.sheet(&of_table.table).await? else { continue };
        let known = (house.expectations)(&sheet);
        pending |= known.is_none();
        games.entry(sheet.game()).or_default().add(of_table, &known.unwrap_or_default());
    }
    let seconds = house.store.seconds_here(&person.name).await?;
    let games = games.into_iter().filter_map(|(game, totals)| totals.view(game)).collect();
    let mut sessions = Vec::new();
    for session in house.store.sessions(&person.name, MOST_SESSIONS).await? {
        let PlayerSession { table, since, seconds, rounds, net } = session;
        let Some(sheet) = house.sheet(&table).await? else { continue };
        let (game, title) = (sheet.game().name().into(), sheet.game().title().into());
        let net = format!("{net:+}");
        sessions.push(PlayedSession { table, game, title, since, seconds, rounds, net });
    }
    Ok(Json(Statistics { seconds, pending, games, sessions }))
}

/// What a game has come to at all tables.
#[derive(Default)]
struct GameTotals {
    rounds: u64,
    seconds: i64,
    net: Cents,
    best: Option<Swing>,
    worst: Option<Swing>,
    wagers: Vec<WagerTotals>,
}

/// What the wagers of a circle have come to at all tables.
struct WagerTotals {
    sum: WagerStatistics,
    /// What they are worth on average, in millionths of a cent, where that is known.
    expected: Option<i128>,
    /// The circles of what is added to them.
    added: Vec<Circle>,
}

/// A table, a round, and what it came to.
type Swing = (String, u32, Cents);

impl GameTotals {
    fn add(&mut self, of: TableStatistics, expectations: &[Expectation]) {
        let TableStatistics { table, rounds, seconds, net, best, worst, wagers } = of;
        self.rounds += rounds;
        self.seconds += seconds;
        self.net += net;
        let swing = |(round, net)| (table.clone(), round, net);
        if rounds > 0 {
            let is_best = self.best.as_ref().is_none_or(|(.., net)| best.1 > *net);
            let is_worst = self.worst.as_ref().is_none_or(|(.., net)| worst.1 < *net);
            self.best = if is_best { Some(swing(best)) } else { self.best.take() };
            self.worst = if is_worst { Some(swing(worst)) } else { self.worst.take() };
        }
        for wager in wagers {
            let known = expectations.iter().find(|known| known.circle == wager.circle);
            let worth =
                known.map(|known| i128::from(wager.first.get()) * i128::from(known.millionths));
            match self.wagers.iter_mut().find(|other| other.sum.circle == wager.circle) {
                Some(WagerTotals { sum, expected, .. }) => {
                    sum.wagers += wager.wagers;
                    sum.staked += wager.staked;
                    sum.first += wager.first;
                    sum.net += wager.net;
                    *expected = expected.zip(worth).map(|(one, other)| one + other);
                }
                None => {
                    let added = known.map(|known| known.added.clone()).unwrap_or_default();
                    self.wagers.push(WagerTotals { sum: wager, expected: worth, added });
                }
            }
        }
    }

    fn view(self, game: Game) -> Option<GameStatistics> {
        let swing =
            |(table, round, net): Swing| SwingView { table, round, net: format!("{net:+}") };
        let net_with = |WagerTotals { sum, added, .. }: &WagerTotals| -> Cents {
            let added = self.wagers.iter().filter(|other| added.contains(&other.sum.circle));
            sum.net + added.map(|other| other.sum.net).sum()
        };
        let wager = |wager: &WagerTotals| {
            let WagerTotals { sum, expected, .. } = wager;
            let expected = expected.map(|millionths| {
                let cents = (millionths + millionths.signum() * 500_000) / 1_000_000;
                Cents::new(i64::try_from(cents).unwrap_or_default())
            });
            CircleStatistics {
                circle: sum.circle.name().into(),
                title: sum.circle.title(game).unwrap_or(sum.circle.name()).into(),
                wagers: sum.wagers,
                staked: sum.staked.to_string(),
                net: format!("{:+}", sum.net),
                net_with_added: expected.map(|_| format!("{:+}", net_with(wager))),
                expected: expected.map(|expected| format!("{expected:+}")),
            }
        };
        let wagers = self.wagers.iter().map(wager).collect();
        Some(GameStatistics {
            game: game.name().into(),
            title: game.title().into(),
            rounds: self.rounds,
            seconds: self.seconds,
            net: format!("{:+}", self.net),
            best: swing(self.best?),
            worst: swing(self.worst?),
            wagers,
        })
    }
}

/// The money in an account and at the tables.
fn all_money(has: Cents, chips: &[(String, Holding)]) -> Cents {
    chips.iter().fold(has, |all, (_, chips)| all + chips.rack + chips.staked)
}

/// Whether the cashier gives more to somebody with so much.
pub(super) fn is_broke(has: Cents, chips: &[(String, Holding)]) -> bool {
    all_money(has, chips) < BROKE
}

/// Gives play money to whoever has next to none.
#[utoipa::path(
    post, path = "/api/cashier", tag = "known",
    responses((status = 200, body = Me, description = "The caller's account."), Known, Forbidden, Contradiction)
)]
pub(super) async fn cashier(
    State(house): State<Arc<House>>,
    Known(person): Known,
) -> Result<Json<Me>, HttpError> {
    let name = person.name.clone();
    if let Some(barrier) = house.store.barrier(&name, unix_time()) {
        return Err(HttpError::new(axum::http::StatusCode::FORBIDDEN, by_barrier(barrier)));
    }
    let has = house.store.balance("", &Account::Player(name.clone())).await?;
    let chips = house.holdings.of(&name);
    let all = all_money(has, &chips);
    if !is_broke(has, &chips) {
        let sentence =
            format!("You have {all}. The cashier only helps players with less than {BROKE}.");
        let refusal = wire::Refusal::by_house("not-broke", sentence)
            .with("has", Parameter::amount(all))
            .with("below", Parameter::amount(BROKE));
        return Err(HttpError::new(axum::http::StatusCode::CONFLICT, refusal));
    }
    house.store.change(Change::Refill { name, has, amount: PLAY_MONEY - all }).await?;
    Ok(Json(house.me(person).await?))
}
