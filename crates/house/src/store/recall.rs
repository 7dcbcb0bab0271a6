//! What was: the entries of a table's log, and where in it rounds and shoes are.

use audit::chain::Entry;
use rules::money::Cents;
use rules::table::{Input, Name};
use rules::wager::Circle;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::{Store, StoreError, number};

/// Where a table stood before a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stood {
    /// The entry that closed the bets.
    pub(crate) seq: u64,
    pub(crate) rules: String,
    pub(crate) standing: String,
}

/// A round that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RoundFound {
    /// Its place among the rounds of the house.
    pub(crate) id: u64,
    pub(crate) table: String,
    pub(crate) round: u32,
    pub(crate) shoe: u32,
    /// How many inputs the table had taken before.
    pub(crate) version: u64,
    /// Its first and its last entry.
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) is_void: bool,
    /// When it was over, in seconds of Unix time.
    pub(crate) at: i64,
}

/// What became of a wager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SettledWager {
    pub(crate) bettor: String,
    pub(crate) person: String,
    pub(crate) hand: usize,
    pub(crate) circle: Option<Circle>,
    pub(crate) lammer: bool,
    pub(crate) is_award: bool,
    pub(crate) stake: Cents,
    pub(crate) gain: Cents,
    pub(crate) clause: String,
}

/// Which rounds somebody looks for: those before one of the house, the last one first.
#[derive(Clone, Debug, Default)]
pub(crate) struct RoundsWanted {
    pub(crate) table: Option<String>,
    pub(crate) person: Option<Name>,
    pub(crate) before: Option<u64>,
    pub(crate) limit: u32,
}

const FOUND: &str = "SELECT ended.id, table_id, round, shoe, version, rounds.seq AS first, ended.seq AS last, \
     void, ended.at FROM ended JOIN rounds USING (table_id, round)";

impl Store {
    /// The log of a table from an entry to another.
    pub async fn entries(&self, table: &str, from: u64, to: u64) -> Result<Vec<Entry>, StoreError> {
        let rows = sqlx::query(
            "SELECT seq, line, hash FROM entries \
             WHERE table_id = ? AND seq BETWEEN ? AND ? ORDER BY seq",
        );
        let [from, to] = [from, to].map(|seq| i64::try_from(seq).unwrap_or(i64::MAX));
        let rows = rows.bind(table).bind(from).bind(to).fetch_all(&self.readers).await?;
        let entry = |row: SqliteRow| {
            let hash = row.get::<String, _>("hash").parse();
            let seq = u64::try_from(row.get::<i64, _>("seq"));
            let (Ok(hash), Ok(seq)) = (hash, seq) else {
                return Err(StoreError::Failed("an entry cannot be read".to_owned()));
            };
            Ok(Entry { seq, line: row.get("line"), hash })
        };
        rows.into_iter().map(entry).collect()
    }

    /// Where a table stood before the last round that began at an entry or before it.
    pub(crate) async fn standing_before(
        &self,
        table: &str,
        seq: u64,
    ) -> Result<Option<Stood>, StoreError> {
        let row = sqlx::query(
            "SELECT seq, rules, standing FROM rounds \
             WHERE table_id = ? AND seq <= ? AND standing IS NOT NULL ORDER BY seq DESC LIMIT 1",
        );
        let row = row.bind(table).bind(number(seq)).fetch_optional(&self.readers).await?;
        let stood = |row: SqliteRow| {
            let (rules, standing) = (row.get("rules"), row.get("standing"));
            Some(Stood { seq: unsigned(&row, "seq")?, rules, standing })
        };
        Ok(row.and_then(stood))
    }

    /// A round that is over.
    pub(crate) async fn round(
        &self,
        table: &str,
        round: u32,
    ) -> Result<Option<RoundFound>, StoreError> {
        let line = format!("{FOUND} WHERE table_id = ? AND round = ?");
        let row = sqlx::query(sqlx::AssertSqlSafe(line)).bind(table).bind(round);
        Ok(row.fetch_optional(&self.readers).await?.and_then(|row| found(&row)))
    }

    /// Rounds that are over, the last one first.
    pub(crate) async fn rounds(
        &self,
        wanted: &RoundsWanted,
    ) -> Result<Vec<RoundFound>, StoreError> {
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

    /// What became of the wagers of a round: of everybody, or of one person.
    pub(crate) async fn settlements(
        &self,
        table: &str,
        round: u32,
        person: Option<&Name>,
    ) -> Result<Vec<SettledWager>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM settlements WHERE table_id = ?1 AND round = ?2 \
             AND (?3 IS NULL OR person = ?3) ORDER BY bettor, hand, award, circle",
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

    /// What a round has come to for somebody, with what was put right since.
    pub(crate) async fn net(
        &self,
        table: &str,
        round: u32,
        person: &Name,
    ) -> Result<Cents, StoreError> {
        let row = sqlx::query(
            "SELECT coalesce(sum(gain), 0) FROM results \
             WHERE person = ? AND table_id = ? AND round = ?",
        );
        let row = row.bind(person.as_str()).bind(table).bind(round);
        Ok(Cents::new(row.fetch_one(&self.readers).await?.get(0)))
    }

    /// What was put right later about a round (G-28): entries of the log, and what they say.
    pub(crate) async fn corrections(
        &self,
        table: &str,
        round: u32,
    ) -> Result<Vec<(u64, Input)>, StoreError> {
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

    /// The entry of a shoe's shuffle, and when that was.
    pub(crate) async fn shoe(
        &self,
        table: &str,
        shoe: u32,
    ) -> Result<Option<(u64, i64)>, StoreError> {
        let row = sqlx::query("SELECT seq, at FROM shoes WHERE table_id = ? AND shoe = ?");
        let row = row.bind(table).bind(shoe).fetch_optional(&self.readers).await?;
        Ok(row.and_then(|row| Some((unsigned(&row, "seq")?, row.get("at")))))
    }
}

fn unsigned(row: &SqliteRow, column: &str) -> Option<u64> {
    u64::try_from(row.get::<i64, _>(column)).ok()
}

fn found(row: &SqliteRow) -> Option<RoundFound> {
    Some(RoundFound {
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

    use super::super::Append;
    use super::*;
    use crate::rounds::{Kept, RoundKept};

    #[tokio::test]
    async fn a_wager_is_settled_once_and_a_second_time_nothing_is_written() {
        let file = format!("pitboss-{}-settled.db", std::process::id());
        let file = std::env::temp_dir().join(file);
        let _ = std::fs::remove_file(&file);
        let store = Store::open(&file).await.unwrap();
        let epoch = store.own("war-1").await.unwrap();
        let mut chain = Chain::new("war-1");
        let wager = Kept {
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
        let award = Kept { circle: Circle::Envy, is_award: true, ..wager.clone() };
        let settles = |kept: Vec<Kept>| Some(RoundKept { round: 1, settled: kept, ..begun() });
        let mut append = |kept| Append {
            table: "war-1".to_owned(),
            epoch,
            entries: vec![chain.append("< card 9d")],
            kept,
            ..Append::default()
        };
        store.append(append(Some(RoundKept { begins: Some(1), ..begun() }))).await.unwrap();
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
        store.append(append(Some(RoundKept { ends: true, ..begun() }))).await.unwrap();
        let again = append(Some(RoundKept { ends: true, ..begun() }));
        assert!(store.append(again).await.is_err(), "a round ends once");
        assert_eq!(store.settlements("war-1", 1, None).await.unwrap().len(), 3);
        let ann: Name = "ann".parse().unwrap();
        let wanted = RoundsWanted { person: Some(ann), limit: 10, ..RoundsWanted::default() };
        let found = store.rounds(&wanted).await.unwrap();
        assert_eq!((found.len(), found[0].round, found[0].to), (1, 1, 4));
        let wanted = RoundsWanted { before: Some(found[0].id), ..wanted };
        assert!(store.rounds(&wanted).await.unwrap().is_empty());
    }

    fn begun() -> RoundKept {
        RoundKept { round: 1, ..RoundKept::default() }
    }
}
