//! What play comes to for people: their results, their visits, and the bounds that they set themselves.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use rules::money::Cents;
use rules::table::{Account, Name, Transfer};
use rules::wager::Circle;

use super::database::{Connection, Row, Source, query};
use super::roll::Roll;
use super::{Store, StoreError, StoreResult, StoredRow, post};
use crate::people::bounds::{Bound, Bounds, DAY, OwnLimit, Today, midnight};
use crate::people::exclusion::{Barrier, Exclusion};

/// Who comes back within so many seconds goes on with the same visit.
pub const LONGEST_BREAK: i64 = 5 * 60;

/// A pause between two rounds that is longer, in seconds, ends a session at a table.
pub const LONGEST_PAUSE: i64 = 15 * 60;

const SECONDS_SINCE: &str = "SELECT CAST(coalesce(sum(until - \
     CASE WHEN since > $2 THEN since ELSE $2 END), 0) AS BIGINT) AS until FROM visits \
     WHERE person = $1 AND until > $2";

const NET_SINCE: &str = "SELECT CAST(coalesce(sum(gain), 0) AS BIGINT) AS gain FROM results WHERE person = $1 AND at >= $2";

const VISIT: &str = "SELECT max(since) AS since FROM visits WHERE person = $1 AND until >= $2";

/// The last of the rounds and the last of the gifts, also those to a guest of another name, put together.
const POINTS: &str = "SELECT * FROM (SELECT at, transfer, gain, table_id, round FROM results \
     WHERE person = $1 ORDER BY at DESC, transfer DESC LIMIT $3) AS recent \
     UNION ALL SELECT * FROM (SELECT at, id, amount, NULL, 0 FROM transfers \
     WHERE to_account = $2 AND from_account = 'cashier' ORDER BY at DESC, id DESC LIMIT $3) AS recent_gifts \
     UNION ALL SELECT * FROM (SELECT at, id, amount, NULL, 0 FROM transfers \
     WHERE to_account IN (SELECT 'player:' || was FROM former_names WHERE name = $1) \
     AND from_account = 'cashier' ORDER BY at DESC, id DESC LIMIT $3) AS former_gifts \
     ORDER BY at DESC, transfer DESC LIMIT $3";

/// The first of a person's rounds at each table in an order.
macro_rules! first_round {
    ($order:literal) => {
        concat!(
            "SELECT table_id, round, gain FROM (SELECT results.table_id AS table_id, \
             results.round AS round, gain, row_number() OVER (PARTITION BY results.table_id \
             ORDER BY ",
            $order,
            ") AS place FROM results CROSS JOIN ended USING (table_id, round) \
             WHERE person = $1 AND void = 0) AS ranked WHERE place = 1"
        )
    };
}

/// What every round that is over came to for a person, later corrections included, by table. A void round
/// has never been (G-03).
const ROUNDS_PLAYED: &str = "SELECT results.table_id, count(*) AS rounds, \
     CAST(sum(gain) AS BIGINT) AS gain FROM results CROSS JOIN ended USING (table_id, round) \
     WHERE person = $1 AND void = 0 GROUP BY results.table_id";

const BEST_ROUND: &str = first_round!("gain DESC, results.round");

const WORST_ROUND: &str = first_round!("gain, results.round");

/// What became of a person's wagers in those rounds, by table and circle.
const WAGERS_PLAYED: &str = "SELECT ended.table_id, circle, count(*) AS wagers, \
     CAST(sum(stake) AS BIGINT) AS stake, \
     CAST(sum(CASE WHEN hand = 0 AND lammer = 0 THEN stake ELSE 0 END) AS BIGINT) AS first, \
     CAST(sum(gain) AS BIGINT) AS gain \
     FROM played CROSS JOIN ended ON ended.id = played.id \
     CROSS JOIN settlements ON settlements.table_id = ended.table_id \
       AND settlements.round = ended.round \
     WHERE played.person = $1 AND void = 0 AND (settlements.person = $1 \
       OR settlements.person IN (SELECT was FROM former_names WHERE name = $1)) \
     GROUP BY ended.table_id, circle ORDER BY ended.table_id, circle";

/// A person's sessions, before their order.
macro_rules! sessions {
    () => {
        "SELECT table_id, min(since) AS since, max(until) - min(since) AS seconds, \
         count(*) AS rounds, CAST(sum(gain) AS BIGINT) AS gain \
         FROM (SELECT table_id, since, until, gain, \
           sum(is_first) OVER (PARTITION BY table_id ORDER BY round) AS session \
           FROM (SELECT results.table_id AS table_id, results.round AS round, gain, \
             rounds.at AS since, ended.at AS until, CASE WHEN rounds.at - lag(ended.at) OVER \
               (PARTITION BY results.table_id ORDER BY results.round) <= $2 THEN 0 ELSE 1 END \
             AS is_first \
             FROM results CROSS JOIN ended USING (table_id, round) \
             CROSS JOIN rounds USING (table_id, round) \
             WHERE person = $1 AND void = 0) AS ranked) AS ranked GROUP BY table_id, session"
    };
}

/// How long a person's sessions were in all, by table.
const SECONDS_PLAYED: &str = concat!(
    "SELECT table_id, CAST(sum(seconds) AS BIGINT) AS seconds FROM (",
    sessions!(),
    ") AS ranked GROUP BY table_id"
);

const SESSIONS: &str = concat!(sessions!(), " ORDER BY since DESC, table_id LIMIT $3");

/// What pages ask about play, for the test that none of it looks through a table that grows.
#[cfg(test)]
pub(super) const STATEMENTS: [&str; 10] = [
    SECONDS_SINCE,
    NET_SINCE,
    VISIT,
    POINTS,
    ROUNDS_PLAYED,
    BEST_ROUND,
    WORST_ROUND,
    WAGERS_PLAYED,
    SECONDS_PLAYED,
    SESSIONS,
];

/// What play at a table has come to for somebody, in rounds that are over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableStatistics {
    /// Which table.
    pub table: String,
    /// How many rounds.
    pub rounds: u64,
    /// How long the sessions of these rounds were in all.
    pub seconds: i64,
    /// What they came to, with later corrections.
    pub net: Cents,
    /// The best of them, and what it came to.
    pub best: (u32, Cents),
    /// The worst of them.
    pub worst: (u32, Cents),
    /// The wagers, by circle.
    pub wagers: Vec<WagerStatistics>,
}

/// What the wagers of a circle have come to, when they were settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WagerStatistics {
    /// Which circle.
    pub circle: Circle,
    /// How many.
    pub wagers: u64,
    /// What lay there in all; a lammer is no money of the player's, and is counted at its value.
    pub staked: Cents,
    /// How much of that lay on first hands, and was money.
    pub first: Cents,
    /// Won or lost.
    pub net: Cents,
}

/// Rounds of a player at one table, void ones left out, with at most [`LONGEST_PAUSE`] between the end of
/// one and the closed bets of the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSession {
    /// Which table.
    pub table: String,
    /// When the bets of the first of them closed, in seconds of Unix time.
    pub since: i64,
    /// How long it was from then to the end of the last.
    pub seconds: i64,
    /// How many rounds.
    pub rounds: u64,
    /// What they came to, with later corrections.
    pub net: Cents,
}

/// When something about a person's money happened, and what it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// In seconds of Unix time.
    pub at: i64,
    /// What came, or went.
    pub gain: Cents,
    /// The table and the round; none where the cashier gave it.
    pub round: Option<(String, u32)>,
}

/// Keeps what play comes to for people: their results, their visits and their own limits.
pub trait Play: Send + Sync {
    /// What somebody has done since midnight.
    fn today(&self, person: &Name, now: i64) -> impl Future<Output = StoreResult<Today>> + Send;

    /// What somebody has won or lost since a moment.
    fn net_since(
        &self,
        person: &Name,
        since: i64,
    ) -> impl Future<Output = StoreResult<Cents>> + Send;

    /// When the visit began that somebody is on.
    fn visit(
        &self,
        person: &Name,
        now: i64,
    ) -> impl Future<Output = StoreResult<Option<i64>>> + Send;

    /// What somebody holds to.
    fn bounds(&self, person: &Name) -> impl Future<Output = StoreResult<Bounds>> + Send;

    /// What keeps somebody from playing, in force or over.
    fn exclusion(&self, person: &Name) -> Exclusion;

    /// What play has come to for somebody, by table.
    fn statistics(
        &self,
        person: &Name,
    ) -> impl Future<Output = StoreResult<Vec<TableStatistics>>> + Send;

    /// The last so many sessions of somebody, the latest first.
    fn sessions(
        &self,
        person: &Name,
        most: i64,
    ) -> impl Future<Output = StoreResult<Vec<PlayerSession>>> + Send;

    /// How many seconds somebody has been in the house.
    fn seconds_here(&self, person: &Name) -> impl Future<Output = StoreResult<i64>> + Send;

    /// The last so many points of somebody's money, the latest first.
    fn points(
        &self,
        person: &Name,
        most: i64,
    ) -> impl Future<Output = StoreResult<Vec<Point>>> + Send;
}

/// Answers what tables ask about players all the time. By default nobody is held back: that is a store
/// without people.
pub trait Players: Send + Sync {
    /// Refuses to put more of somebody's money at risk than they want to, here and at other tables.
    fn allow(
        &self,
        _person: &Name,
        _table: &str,
        _wagers: Option<Cents>,
        _now: i64,
    ) -> impl Future<Output = Result<(), HeldBack>> + Send {
        async { Ok(()) }
    }

    /// Notes what lies at a table before the deal.
    fn note_wagers(&self, _table: &str, _wagers: &mut dyn Iterator<Item = (Name, Cents)>) {}

    /// Whether somebody has ever set a limit of their own, as far as this process knows.
    fn has_limits(&self, _person: &Name) -> bool {
        false
    }

    /// Whether somebody is a program.
    fn is_bot(&self, _person: &Name) -> bool {
        false
    }

    /// Who leaves a table once their round is over, because a supervisor said so.
    fn unseatings(&self, _table: &str) -> impl Future<Output = StoreResult<Vec<Name>>> + Send {
        async { Ok(Vec::new()) }
    }

    /// Why somebody does not play at a moment.
    fn barrier(&self, _person: &Name, _now: i64) -> Option<Barrier> {
        None
    }
}

/// A supervisor has somebody leave a table once their round is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unseating {
    /// It is ordered.
    Ordered(Name),
    /// They have left.
    Done(Name),
}

/// What lies at a table before the deal, of a player who has a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Risk {
    /// Whose it is.
    pub person: Name,
    /// All of it at this table; nothing where it was taken back or dealt.
    pub amount: Cents,
    /// Whether it is more than before, so that the player's limits must allow it.
    pub is_more: bool,
}

/// Why somebody's money is not put at risk.
#[derive(Clone, Debug)]
pub enum HeldBack {
    /// A limit of their own.
    Limit(OwnLimit),
    /// They do not play at all now.
    Barrier(Barrier),
    /// They get an account under another name.
    Renamed,
    /// Their limits cannot be read.
    Store(StoreError),
}

impl From<OwnLimit> for HeldBack {
    fn from(limit: OwnLimit) -> HeldBack {
        HeldBack::Limit(limit)
    }
}

impl From<StoreError> for HeldBack {
    fn from(error: StoreError) -> HeldBack {
        HeldBack::Store(error)
    }
}

impl Play for Store {
    async fn today(&self, person: &Name, now: i64) -> StoreResult<Today> {
        let midnight = midnight(now);
        let net = self.net_since(person, midnight).await?;
        let row = query(SECONDS_SINCE);
        let row = row.bind(person.as_str()).bind(midnight).fetch_one(&self.readers).await?;
        Ok(Today { net, minutes: StoredRow::new(&row, "visits", &[]).whole("until")? / 60 })
    }

    async fn net_since(&self, person: &Name, since: i64) -> StoreResult<Cents> {
        let row = query(NET_SINCE);
        let row = row.bind(person.as_str()).bind(since).fetch_one(&self.readers).await?;
        StoredRow::new(&row, "results", &[]).cents("gain")
    }

    async fn visit(&self, person: &Name, now: i64) -> StoreResult<Option<i64>> {
        let row = query(VISIT);
        let row = row.bind(person.as_str()).bind(now - LONGEST_BREAK);
        let row = row.fetch_one(&self.readers).await?;
        StoredRow::new(&row, "visits", &[]).whole_or_none("since")
    }

    async fn bounds(&self, person: &Name) -> StoreResult<Bounds> {
        if !self.roll().bounded.contains(person) {
            return Ok(Bounds::default());
        }
        bounds_of(&bound_rows(&self.readers, person).await?)
    }

    fn exclusion(&self, person: &Name) -> Exclusion {
        self.roll().exclusions.get(person).copied().unwrap_or_default()
    }

    async fn statistics(&self, person: &Name) -> StoreResult<Vec<TableStatistics>> {
        let mut moment = self.readers.moment().await?;
        let mut moment = moment.connection();
        let mut tables: BTreeMap<String, TableStatistics> = BTreeMap::new();
        for statement in [ROUNDS_PLAYED, BEST_ROUND, WORST_ROUND, WAGERS_PLAYED, SECONDS_PLAYED] {
            let line = query(statement).bind(person.as_str());
            let line = if statement == SECONDS_PLAYED { line.bind(LONGEST_PAUSE) } else { line };
            let rows = line.fetch_all(&mut moment).await?;
            for row in &rows {
                let row = StoredRow::new(row, "results", &["table_id"]);
                let table = row.text("table_id")?;
                let of = tables.entry(table.clone()).or_default();
                of.table = table;
                match statement {
                    ROUNDS_PLAYED => {
                        (of.rounds, of.net) = (row.count("rounds")?, row.cents("gain")?)
                    }
                    BEST_ROUND => of.best = (row.count("round")?, row.cents("gain")?),
                    WORST_ROUND => of.worst = (row.count("round")?, row.cents("gain")?),
                    SECONDS_PLAYED => of.seconds = row.whole("seconds")?,
                    _ => of.wagers.push(WagerStatistics {
                        circle: row.named("circle", Circle::named)?,
                        wagers: row.count("wagers")?,
                        staked: row.cents("stake")?,
                        first: row.cents("first")?,
                        net: row.cents("gain")?,
                    }),
                }
            }
        }
        Ok(tables.into_values().collect())
    }

    async fn sessions(&self, person: &Name, most: i64) -> StoreResult<Vec<PlayerSession>> {
        let rows = query(SESSIONS).bind(person.as_str()).bind(LONGEST_PAUSE).bind(most);
        let session = |row: &Row| {
            let row = StoredRow::new(row, "results", &["table_id"]);
            Ok(PlayerSession {
                table: row.text("table_id")?,
                since: row.whole("since")?,
                seconds: row.whole("seconds")?,
                rounds: row.count("rounds")?,
                net: row.cents("gain")?,
            })
        };
        rows.fetch_all(&self.readers).await?.iter().map(session).collect()
    }

    async fn seconds_here(&self, person: &Name) -> StoreResult<i64> {
        let row = query(SECONDS_SINCE).bind(person.as_str()).bind(0);
        let row = row.fetch_one(&self.readers).await?;
        StoredRow::new(&row, "visits", &[]).whole("until")
    }

    async fn points(&self, person: &Name, most: i64) -> StoreResult<Vec<Point>> {
        let rows = query(POINTS);
        let account = Account::Player(person.clone()).to_string();
        let rows = rows.bind(person.as_str()).bind(account).bind(most);
        let point = |row: &Row| {
            let played = StoredRow::new(row, "results", &["table_id", "round"]);
            let table: Option<String> = played.get_or_none("table_id")?;
            let (row, round) = match table {
                Some(table) => (played, Some((table, played.count("round")?))),
                None => (StoredRow::new(row, "transfers", &[]), None),
            };
            Ok(Point { at: row.whole("at")?, gain: row.cents("gain")?, round })
        };
        rows.fetch_all(&self.readers).await?.iter().map(point).collect()
    }
}

impl Players for Store {
    async fn allow(
        &self,
        person: &Name,
        table: &str,
        wagers: Option<Cents>,
        now: i64,
    ) -> Result<(), HeldBack> {
        if let Some(barrier) = self.barrier(person, now) {
            return Err(HeldBack::Barrier(barrier));
        }
        if self.roll().is_renamed(person) {
            return Err(HeldBack::Renamed);
        }
        let bounds = self.bounds(person).await?;
        if bounds == Bounds::default() {
            return Ok(());
        }
        let risk = {
            let mut roll = self.roll.write().unwrap_or_else(PoisonError::into_inner);
            if let Some(wagers) = wagers {
                let here = roll.risks.entry(table.to_owned()).or_default();
                here.retain(|(name, _)| name != person);
                here.push((person.clone(), wagers));
            }
            let all = roll.risks.values().flatten().filter(|(name, _)| name == person);
            all.map(|(_, wagers)| *wagers).sum()
        };
        Ok(bounds.allow(self.today(person, now).await?, risk, now)?)
    }

    fn note_wagers(&self, table: &str, wagers: &mut dyn Iterator<Item = (Name, Cents)>) {
        let wagers: Vec<_> = wagers.collect();
        if self.roll().risks.get(table).map_or(&[][..], Vec::as_slice) == wagers {
            return;
        }
        let mut roll = self.roll.write().unwrap_or_else(PoisonError::into_inner);
        match wagers.is_empty() {
            true => roll.risks.remove(table),
            false => roll.risks.insert(table.to_owned(), wagers),
        };
    }

    fn has_limits(&self, person: &Name) -> bool {
        self.roll().bounded.contains(person)
    }

    fn is_bot(&self, name: &Name) -> bool {
        self.roll().bots.contains(name)
    }

    async fn unseatings(&self, table: &str) -> StoreResult<Vec<Name>> {
        let rows = query("SELECT * FROM unseatings WHERE table_id = $1").bind(table);
        let rows = rows.fetch_all(&self.readers).await?;
        let person = |row| StoredRow::new(row, "unseatings", &["table_id"]).parsed("person");
        rows.iter().map(person).collect()
    }

    fn barrier(&self, person: &Name, now: i64) -> Option<Barrier> {
        self.exclusion(person).at(now)
    }
}

impl Store {
    /// Keeps a guest from taking chips to a table while they get an account under another name.
    pub(crate) fn rename(&self, guest: &Name) -> Renaming {
        let mut roll = self.roll.write().unwrap_or_else(PoisonError::into_inner);
        roll.renamed.push(guest.clone());
        Renaming { roll: self.roll.clone(), guest: guest.clone() }
    }
}

/// A guest gets an account under another name, until this is dropped.
pub(crate) struct Renaming {
    roll: Arc<RwLock<Roll>>,
    guest: Name,
}

impl Drop for Renaming {
    fn drop(&mut self) {
        let mut roll = self.roll.write().unwrap_or_else(PoisonError::into_inner);
        // The same guest may be renamed twice at a time, and one of them is refused.
        if let Some(at) = roll.renamed.iter().position(|name| *name == self.guest) {
            roll.renamed.swap_remove(at);
        }
    }
}

/// Notes that somebody has to leave a table, or has left it.
pub(super) async fn set_unseating(
    to: &mut Connection<'_>,
    table: &str,
    unseating: &Unseating,
) -> Result<(), sqlx::Error> {
    let (row, person) = match unseating {
        Unseating::Ordered(person) => {
            ("INSERT INTO unseatings VALUES ($1, $2) ON CONFLICT DO NOTHING", person)
        }
        Unseating::Done(person) => {
            ("DELETE FROM unseatings WHERE table_id = $1 AND person = $2", person)
        }
    };
    let row = query(row).bind(table.to_owned()).bind(person.as_str());
    row.execute(to).await.map(drop)
}

/// What a player has done since midnight, and has at risk at all tables: of one moment, so that a wager
/// that is dealt meanwhile is neither missed nor counted twice.
const AT_RISK: &str = "SELECT \
     (SELECT CAST(coalesce(sum(gain), 0) AS BIGINT) FROM results WHERE person = $1 AND at >= $2) AS gain, \
     (SELECT CAST(coalesce(sum(amount), 0) AS BIGINT) FROM risks WHERE person = $1) AS amount";

/// Notes what lies at a table of somebody with a limit, and refuses more than that allows at all tables of
/// all nodes together. Nobody else does the same for the same player until this is committed.
pub(super) async fn set_risk(
    to: &mut Connection<'_>,
    table: &str,
    Risk { person, amount, is_more }: &Risk,
) -> Result<(), sqlx::Error> {
    let rows = match to {
        Connection::Sqlite(_) => bound_rows(&mut *to, person).await?,
        Connection::Postgres(_) => {
            let rows = query("SELECT * FROM bounds WHERE person = $1 ORDER BY what FOR UPDATE");
            rows.bind(person.as_str()).fetch_all(&mut *to).await?
        }
    };
    let row = match *amount > Cents::ZERO {
        true => query(
            "INSERT INTO risks VALUES ($1, $2, $3) \
             ON CONFLICT (person, table_id) DO UPDATE SET amount = excluded.amount",
        )
        .bind(person)
        .bind(table)
        .bind(amount.get()),
        false => {
            query("DELETE FROM risks WHERE person = $1 AND table_id = $2").bind(person).bind(table)
        }
    };
    row.execute(&mut *to).await?;
    if !is_more {
        return Ok(());
    }
    let refused = |error: StoreError| sqlx::Error::Decode(error.into());
    let now = query("SELECT unixepoch() AS now").fetch_one(&mut *to).await?.try_get("now")?;
    let midnight = midnight(now);
    let row = query(AT_RISK).bind(person).bind(midnight).fetch_one(&mut *to).await?;
    let row = StoredRow::new(&row, "results", &[]);
    let (net, risk) = (row.cents("gain").map_err(refused)?, row.cents("amount").map_err(refused)?);
    let row = query(SECONDS_SINCE).bind(person).bind(midnight).fetch_one(to).await?;
    let seconds = StoredRow::new(&row, "visits", &[]).whole("until").map_err(refused)?;
    let bounds = bounds_of(&rows).map_err(refused)?;
    let allowed = bounds.allow(Today { net, minutes: seconds / 60 }, risk, now);
    allowed.map_err(|limit| refused(StoreError::OwnLimit(limit)))
}

/// Somebody is in the house.
pub(super) async fn visit(to: &mut Connection<'_>, person: &Name) -> Result<(), sqlx::Error> {
    let row = query(
        "UPDATE visits SET until = CASE WHEN until > unixepoch() THEN until ELSE unixepoch() END \
         WHERE person = $1 AND since = \
         (SELECT max(since) FROM visits WHERE person = $1 AND until >= unixepoch() - $2)",
    );
    let row = row.bind(person.as_str()).bind(LONGEST_BREAK);
    if row.execute(&mut *to).await? == 1 {
        return Ok(());
    }
    let row =
        query("INSERT INTO visits VALUES ($1, unixepoch(), unixepoch()) ON CONFLICT DO NOTHING");
    row.bind(person.as_str()).execute(to).await.map(drop)
}

async fn bound_rows(from: impl Source, person: &Name) -> Result<Vec<Row>, sqlx::Error> {
    let rows = query("SELECT * FROM bounds WHERE person = $1").bind(person.as_str());
    rows.fetch_all(from).await
}

fn bounds_of(rows: &[Row]) -> StoreResult<Bounds> {
    let mut bounds = Bounds::default();
    for row in rows {
        let row = StoredRow::new(row, "bounds", &["person", "what"]);
        let later = match row.whole_or_none("later_from")? {
            Some(since) => Some((row.whole_or_none("later")?, since)),
            None => None,
        };
        let bound = Bound { most: row.whole_or_none("most")?, later };
        match row.get("what")? {
            "loss" => bounds.loss = bound,
            "minutes" => bounds.minutes = bound,
            _ => return Err(row.damage_at("what")),
        }
    }
    Ok(bounds)
}

/// Somebody asks for other bounds: those of now are read in the same transaction.
pub(super) async fn set_bounds(
    to: &mut Connection<'_>,
    person: &Name,
    loss: Option<Option<i64>>,
    minutes: Option<Option<i64>>,
    now: i64,
) -> Result<(), sqlx::Error> {
    let rows = bound_rows(&mut *to, person).await?;
    let mut bounds = bounds_of(&rows).map_err(|error| sqlx::Error::Decode(error.into()))?;
    if let Some(loss) = loss {
        bounds.loss = bounds.loss.set(loss, now);
    }
    if let Some(minutes) = minutes {
        bounds.minutes = bounds.minutes.set(minutes, now);
    }
    for (what, Bound { most, later }) in [("loss", bounds.loss), ("minutes", bounds.minutes)] {
        let row = query(
            "INSERT INTO bounds VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (person, what) DO UPDATE SET most = excluded.most, \
             later = excluded.later, later_from = excluded.later_from",
        );
        let row = row.bind(person.as_str()).bind(what).bind(most);
        let row = row.bind(later.and_then(|(most, _)| most)).bind(later.map(|(_, from)| from));
        row.execute(&mut *to).await?;
    }
    Ok(())
}

/// The cashier gives somebody more, who still has what was read.
pub(super) async fn refill(
    to: &mut Connection<'_>,
    person: &Name,
    has: Cents,
    amount: Cents,
) -> Result<(), sqlx::Error> {
    let (from, player) = (Account::Cashier, Account::Player(person.clone()));
    let row = query("SELECT balance FROM accounts WHERE scope = '' AND account = $1");
    let row = row.bind(player.to_string()).fetch_optional(&mut *to).await?;
    let held = row.map_or(Ok(Cents::ZERO), |row| row.try_get("balance").map(Cents::new))?;
    match held == has {
        true => post(to, "", 0, &Transfer { from, to: player, amount }).await,
        false => Err(sqlx::Error::RowNotFound),
    }
}

const _: () = assert!(LONGEST_BREAK < DAY);
