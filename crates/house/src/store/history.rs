//! What the store keeps of the past: where in a log rounds and shoes are, and what became of wagers.

use rules::money::Cents;
use rules::table::{Input, Name};
use rules::wager::Circle;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::{Store, StoreResult, number};

/// Where a table stood before a round.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub struct Standing {
    /// The entry that closed the bets.
    pub seq: u64,
    pub rules: String,
    pub standing: String,
}

/// A round that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub struct RoundRow {
    /// Its place among the rounds of the house.
    pub id: u64,
    pub table: String,
    pub round: u32,
    pub shoe: u32,
    /// How many inputs the table had taken before.
    pub version: u64,
    /// Its first and its last entry.
    pub from: u64,
    pub to: u64,
    pub is_void: bool,
    /// When it was over, in seconds of Unix time.
    pub at: i64,
}

/// What became of a wager.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub struct SettledWager {
    pub bettor: String,
    pub person: String,
    pub hand: usize,
    pub circle: Option<Circle>,
    pub lammer: bool,
    pub is_award: bool,
    pub stake: Cents,
    pub gain: Cents,
    pub clause: String,
}

/// Which rounds somebody looks for: those before one of the house, the last one first.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub struct RoundsWanted {
    pub table: Option<String>,
    pub person: Option<Name>,
    pub before: Option<u64>,
    pub limit: u32,
}

const FOUND: &str = "SELECT ended.id, table_id, round, shoe, version, rounds.seq AS first, ended.seq AS last, \
     void, ended.at FROM ended JOIN rounds USING (table_id, round)";

/// Keeps rounds and shoes that are over.
pub trait History: Send + Sync {
    /// Where a table stood before the last round that began at an entry or before it.
    fn standing_before(
        &self,
        table: &str,
        seq: u64,
    ) -> impl Future<Output = StoreResult<Option<Standing>>> + Send;

    /// A round that is over.
    fn round(
        &self,
        table: &str,
        round: u32,
    ) -> impl Future<Output = StoreResult<Option<RoundRow>>> + Send;

    /// Rounds that are over, the last one first.
    fn rounds(
        &self,
        wanted: &RoundsWanted,
    ) -> impl Future<Output = StoreResult<Vec<RoundRow>>> + Send;

    /// What became of the wagers of a round: of everybody, or of one person.
    fn settlements(
        &self,
        table: &str,
        round: u32,
        person: Option<&Name>,
    ) -> impl Future<Output = StoreResult<Vec<SettledWager>>> + Send;

    /// What a round has come to for somebody, with what was put right since.
    fn net(
        &self,
        table: &str,
        round: u32,
        person: &Name,
    ) -> impl Future<Output = StoreResult<Cents>> + Send;

    /// What was put right later about a round (G-28): entries of the log, and what they say.
    fn corrections(
        &self,
        table: &str,
        round: u32,
    ) -> impl Future<Output = StoreResult<Vec<(u64, Input)>>> + Send;

    /// The entry of a shoe's shuffle, and when that was.
    fn shoe(
        &self,
        table: &str,
        shoe: u32,
    ) -> impl Future<Output = StoreResult<Option<(u64, i64)>>> + Send;
}

impl History for Store {
    async fn standing_before(&self, table: &str, seq: u64) -> StoreResult<Option<Standing>> {
        let row = sqlx::query(
            "SELECT seq, rules, standing FROM rounds \
             WHERE table_id = ? AND seq <= ? AND standing IS NOT NULL ORDER BY seq DESC LIMIT 1",
        );
        let row = row.bind(table).bind(number(seq)).fetch_optional(&self.readers).await?;
        let stood = |row: SqliteRow| {
            let (rules, standing) = (row.get("rules"), row.get("standing"));
            Some(Standing { seq: unsigned(&row, "seq")?, rules, standing })
        };
        Ok(row.and_then(stood))
    }

    async fn round(&self, table: &str, round: u32) -> StoreResult<Option<RoundRow>> {
        let line = format!("{FOUND} WHERE table_id = ? AND round = ?");
        let row = sqlx::query(sqlx::AssertSqlSafe(line)).bind(table).bind(round);
        Ok(row.fetch_optional(&self.readers).await?.and_then(|row| found(&row)))
    }

    async fn rounds(&self, wanted: &RoundsWanted) -> StoreResult<Vec<RoundRow>> {
        let RoundsWanted { table, person, before, limit } = wanted;
        let mut line = FOUND.to_owned();
        if person.is_some() {
            line += " JOIN played ON played.id = ended.id AND played.person = ?1";
        }
        line += " WHERE ended.id < ?2";
        if table.is_some() {
            line += " AND table_id = ?3";
        }
        line += " ORDER BY ended.id DESC LIMIT ?4";
        let before = before.map_or(i64::MAX, |before| i64::try_from(before).unwrap_or(i64::MAX));
        let rows = sqlx::query(sqlx::AssertSqlSafe(line));
        let rows = rows.bind(person.as_ref().map(Name::as_str)).bind(before);
        let rows = rows.bind(table.as_deref()).bind(*limit).fetch_all(&self.readers).await?;
        Ok(rows.iter().filter_map(found).collect())
    }

    async fn settlements(
        &self,
        table: &str,
        round: u32,
        person: Option<&Name>,
    ) -> StoreResult<Vec<SettledWager>> {
        let rows = sqlx::query(
            "SELECT * FROM settlements WHERE table_id = ?1 AND round = ?2 \
             AND (?3 IS NULL OR person IN (?3, (SELECT was FROM former_names WHERE name = ?3))) ORDER BY bettor, hand, award, circle",
        );
        let rows = rows.bind(table).bind(round).bind(person.map(Name::as_str));
        let rows = rows.fetch_all(&self.readers).await?;
        let settled = |row: &SqliteRow| {
            Some(SettledWager {
                bettor: row.get("bettor"),
                person: row.get("person"),
                hand: usize::try_from(row.get::<i64, _>("hand")).ok()?,
                circle: Circle::named(row.get::<&str, _>("circle")),
                lammer: row.get::<i64, _>("lammer") != 0,
                is_award: row.get::<i64, _>("award") != 0,
                stake: Cents::new(row.get("stake")),
                gain: Cents::new(row.get("gain")),
                clause: row.get("clause"),
            })
        };
        Ok(rows.iter().filter_map(settled).collect())
    }

    async fn net(&self, table: &str, round: u32, person: &Name) -> StoreResult<Cents> {
        let row = sqlx::query(
            "SELECT coalesce(sum(gain), 0) FROM results \
             WHERE person = ? AND table_id = ? AND round = ?",
        );
        let row = row.bind(person.as_str()).bind(table).bind(round);
        Ok(Cents::new(row.fetch_one(&self.readers).await?.get(0)))
    }

    async fn corrections(&self, table: &str, round: u32) -> StoreResult<Vec<(u64, Input)>> {
        let rows = sqlx::query(
            "SELECT seq, line FROM entries WHERE table_id = ? \
             AND substr(line, 1, 10) = '< correct ' ORDER BY seq",
        );
        let rows = rows.bind(table).fetch_all(&self.readers).await?;
        let read = |row: &SqliteRow| {
            let input: Input = row.get::<&str, _>("line").strip_prefix("< ")?.parse().ok()?;
            let is_of_it = matches!(&input, Input::Correct { round: of, .. } if *of == round);
            is_of_it.then_some((unsigned(row, "seq")?, input))
        };
        Ok(rows.iter().filter_map(read).collect())
    }

    async fn shoe(&self, table: &str, shoe: u32) -> StoreResult<Option<(u64, i64)>> {
        let row = sqlx::query("SELECT seq, at FROM shoes WHERE table_id = ? AND shoe = ?");
        let row = row.bind(table).bind(shoe).fetch_optional(&self.readers).await?;
        Ok(row.and_then(|row| Some((unsigned(&row, "seq")?, row.get("at")))))
    }
}

fn unsigned(row: &SqliteRow, column: &str) -> Option<u64> {
    u64::try_from(row.get::<i64, _>(column)).ok()
}

fn found(row: &SqliteRow) -> Option<RoundRow> {
    Some(RoundRow {
        id: unsigned(row, "id")?,
        table: row.get("table_id"),
        round: row.get("round"),
        shoe: row.get("shoe"),
        version: unsigned(row, "version")?,
        from: unsigned(row, "first")?,
        to: unsigned(row, "last")?,
        is_void: row.get::<i64, _>("void") != 0,
        at: row.get("at"),
    })
}

#[cfg(test)]
mod tests {
    use audit::chain::Chain;
    use rules::wager::Bettor;

    use super::super::{Append, RoundChange, Tables, WagerResult};
    use super::*;
    use crate::scratch;

    #[tokio::test]
    async fn a_wager_is_settled_once_and_a_second_time_nothing_is_written() {
        let store = Store::open(&scratch::file("settled")).await.unwrap();
        let epoch = store.own("war-1").await.unwrap();
        let mut chain = Chain::new("war-1");
        let wager = WagerResult {
            bettor: Bettor::at(2),
            person: "ann".parse().unwrap(),
            hand: 0,
            circle: Circle::Main,
            lammer: false,
            is_award: false,
            stake: Cents::new(500),
            gain: Cents::new(500),
            clause: "CW-8-c",
        };
        let award = WagerResult { circle: Circle::Envy, is_award: true, ..wager.clone() };
        let settles =
            |kept: Vec<WagerResult>| Some(RoundChange { round: 1, settled: kept, ..begun() });
        let mut append = |kept| Append {
            table: "war-1".to_owned(),
            epoch,
            entries: vec![chain.append("< card 9d")],
            kept,
            ..Append::default()
        };
        store.append(append(Some(RoundChange { begins: Some(1), ..begun() }))).await.unwrap();
        store.append(append(settles(vec![wager.clone()]))).await.unwrap();
        let twice = append(settles(vec![wager.clone()]));
        let before = Chain::after(store.entries("war-1", 2, 2).await.unwrap()[0].head());
        let refused = store.append(twice).await.unwrap_err().to_string();
        assert!(refused.contains("UNIQUE"), "{refused}");
        assert_eq!(store.entries("war-1", 1, u64::MAX).await.unwrap().len(), 2);

        chain = before;
        let mut append = |kept| Append {
            table: "war-1".to_owned(),
            epoch,
            entries: vec![chain.append("< card 9d")],
            kept,
            ..Append::default()
        };
        // Awards have no stake of their own, and one person can have several.
        store.append(append(settles(vec![award.clone(), award]))).await.unwrap();
        store.append(append(Some(RoundChange { ends: true, ..begun() }))).await.unwrap();
        let again = append(Some(RoundChange { ends: true, ..begun() }));
        assert!(store.append(again).await.is_err(), "a round ends once");
        assert_eq!(store.settlements("war-1", 1, None).await.unwrap().len(), 3);
        let ann: Name = "ann".parse().unwrap();
        let wanted = RoundsWanted { person: Some(ann), limit: 10, ..RoundsWanted::default() };
        let found = store.rounds(&wanted).await.unwrap();
        assert_eq!((found.len(), found[0].round, found[0].to), (1, 1, 4));
        let wanted = RoundsWanted { before: Some(found[0].id), ..wanted };
        assert!(store.rounds(&wanted).await.unwrap().is_empty());
    }

    fn begun() -> RoundChange {
        RoundChange { round: 1, ..RoundChange::default() }
    }
}
