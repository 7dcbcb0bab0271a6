//! What the store keeps of the past: where in a log rounds and shoes are, and what became of wagers.

use audit::log::Kind;
use rules::money::Cents;
use rules::table::{Input, Name};
use rules::wager::Circle;

use super::database::{Row, query};
use super::{Store, StoreResult, StoredRow, number};

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
    pub circle: Circle,
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

/// What a round became for a player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub struct RoundSummary {
    pub wagers: Vec<SettledWager>,
    /// With what was put right since.
    pub net: Cents,
    pub corrections: Vec<(u64, Input)>,
}

/// A round that is over; where a part of it is missing, that is an error and no reason to leave it out.
macro_rules! rounds {
    ($from:literal, $where:literal) => {
        concat!(
            "SELECT ended.id, ended.table_id, ended.round, shoe, version, rounds.seq AS first, ",
            "ended.seq AS last, void, ended.at FROM ",
            $from,
            " LEFT JOIN rounds ON rounds.table_id = ended.table_id AND rounds.round = ended.round ",
            $where
        )
    };
}

const ROUND: &str = rounds!("ended", "WHERE ended.table_id = $1 AND ended.round = $2");

const ROUNDS: &str = rounds!("ended", "WHERE ended.id < $2 ORDER BY ended.id DESC LIMIT $4");

const ROUNDS_AT_A_TABLE: &str =
    rounds!("ended", "WHERE ended.table_id = $3 AND ended.id < $2 ORDER BY ended.id DESC LIMIT $4");

const ROUNDS_OF_A_PERSON: &str = rounds!(
    "played LEFT JOIN ended ON ended.id = played.id",
    "WHERE person = $1 AND played.id < $2 ORDER BY played.id DESC LIMIT $4"
);

const ROUNDS_OF_A_PERSON_AT_A_TABLE: &str = rounds!(
    "played LEFT JOIN ended ON ended.id = played.id",
    "WHERE person = $1 AND played.table_id = $3 AND played.id < $2 ORDER BY played.id DESC LIMIT $4"
);

const STANDING_BEFORE: &str = "SELECT table_id, round, seq, rules, standing FROM rounds \
     WHERE table_id = $1 AND seq <= $2 AND standing IS NOT NULL ORDER BY seq DESC LIMIT 1";

const SETTLEMENTS: &str = "SELECT * FROM settlements WHERE table_id = $1 AND round = $2 \
     ORDER BY bettor, hand, award, circle";

/// The wagers of a person in rounds that are given as a JSON array of tables and numbers.
const WAGERS_OF: &str = "SELECT wanted.key AS place, settlements.* FROM json_each($1) AS wanted \
     CROSS JOIN settlements ON table_id = wanted.value->>0 AND round = CAST(wanted.value->>1 AS BIGINT) \
     WHERE (person = $2 OR person IN (SELECT was FROM former_names WHERE name = $2)) \
     ORDER BY wanted.key, bettor, hand, award, circle";

const NETS_OF: &str = "SELECT wanted.key AS place, table_id, round, gain FROM json_each($1) AS wanted \
     CROSS JOIN results ON person = $2 AND table_id = wanted.value->>0 AND round = CAST(wanted.value->>1 AS BIGINT)";

const CORRECTIONS_OF: &str = "SELECT wanted.key AS place, corrections.table_id, corrections.round, \
     corrections.seq, line FROM json_each($1) AS wanted \
     CROSS JOIN corrections ON corrections.table_id = wanted.value->>0 \
     AND corrections.round = CAST(wanted.value->>1 AS BIGINT) \
     LEFT JOIN entries ON entries.table_id = corrections.table_id AND entries.seq = corrections.seq \
     ORDER BY wanted.key, corrections.seq";

const SHOE: &str = "SELECT * FROM shoes WHERE table_id = $1 AND shoe = $2";

/// What pages ask of history, for the test that none of it looks through a table that grows.
#[cfg(test)]
pub(super) const STATEMENTS: [&str; 11] = [
    ROUND,
    ROUNDS,
    ROUNDS_AT_A_TABLE,
    ROUNDS_OF_A_PERSON,
    ROUNDS_OF_A_PERSON_AT_A_TABLE,
    STANDING_BEFORE,
    SETTLEMENTS,
    WAGERS_OF,
    NETS_OF,
    CORRECTIONS_OF,
    SHOE,
];

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

    /// What became of the wagers of a round.
    fn settlements(
        &self,
        table: &str,
        round: u32,
    ) -> impl Future<Output = StoreResult<Vec<SettledWager>>> + Send;

    /// What rounds became for somebody, each in its place.
    fn summaries(
        &self,
        rounds: &[RoundRow],
        person: &Name,
    ) -> impl Future<Output = StoreResult<Vec<RoundSummary>>> + Send;

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
        let row = query(STANDING_BEFORE);
        let row = row.bind(table).bind(number(seq)).fetch_optional(&self.readers).await?;
        let Some(row) = row else { return Ok(None) };
        let row = StoredRow::new(&row, "rounds", &["table_id", "round"]);
        let (rules, standing) = (row.text("rules")?, row.text("standing")?);
        Ok(Some(Standing { seq: row.count("seq")?, rules, standing }))
    }

    async fn round(&self, table: &str, round: u32) -> StoreResult<Option<RoundRow>> {
        let row = query(ROUND).bind(table).bind(round);
        row.fetch_optional(&self.readers).await?.as_ref().map(found).transpose()
    }

    async fn rounds(&self, wanted: &RoundsWanted) -> StoreResult<Vec<RoundRow>> {
        let RoundsWanted { table, person, before, limit } = wanted;
        let rows = query(match (person, table) {
            (None, None) => ROUNDS,
            (None, Some(_)) => ROUNDS_AT_A_TABLE,
            (Some(_), None) => ROUNDS_OF_A_PERSON,
            (Some(_), Some(_)) => ROUNDS_OF_A_PERSON_AT_A_TABLE,
        });
        let before = before.map_or(i64::MAX, |before| i64::try_from(before).unwrap_or(i64::MAX));
        let rows = rows.bind(person.as_ref().map(Name::as_str)).bind(before);
        let rows = rows.bind(table.as_deref()).bind(*limit).fetch_all(&self.readers).await?;
        rows.iter().map(found).collect()
    }

    async fn settlements(&self, table: &str, round: u32) -> StoreResult<Vec<SettledWager>> {
        let rows = query(SETTLEMENTS).bind(table).bind(round);
        rows.fetch_all(&self.readers).await?.iter().map(settled).collect()
    }

    async fn summaries(
        &self,
        rounds: &[RoundRow],
        person: &Name,
    ) -> StoreResult<Vec<RoundSummary>> {
        let wanted = rounds.iter().map(|round| serde_json::json!([round.table, round.round]));
        let wanted = serde_json::Value::from_iter(wanted).to_string();
        let mut summaries = vec![RoundSummary::default(); rounds.len()];
        let rows = query(WAGERS_OF).bind(wanted.as_str()).bind(person.as_str());
        for row in &rows.fetch_all(&self.readers).await? {
            summaries[place(row)?].wagers.push(settled(row)?);
        }
        let rows = query(NETS_OF).bind(wanted.as_str()).bind(person.as_str());
        for row in &rows.fetch_all(&self.readers).await? {
            let stored = StoredRow::new(row, "results", &["table_id", "round"]);
            summaries[place(row)?].net = stored.cents("gain")?;
        }
        let rows = query(CORRECTIONS_OF).bind(wanted.as_str());
        for row in &rows.fetch_all(&self.readers).await? {
            summaries[place(row)?].corrections.push(correction(row)?);
        }
        Ok(summaries)
    }

    async fn corrections(&self, table: &str, round: u32) -> StoreResult<Vec<(u64, Input)>> {
        let wanted = serde_json::json!([[table, round]]).to_string();
        let rows = query(CORRECTIONS_OF).bind(wanted);
        rows.fetch_all(&self.readers).await?.iter().map(correction).collect()
    }

    async fn shoe(&self, table: &str, shoe: u32) -> StoreResult<Option<(u64, i64)>> {
        let row = query(SHOE);
        let row = row.bind(table).bind(shoe).fetch_optional(&self.readers).await?;
        let Some(row) = row else { return Ok(None) };
        let row = StoredRow::new(&row, "shoes", &["table_id", "shoe"]);
        Ok(Some((row.count("seq")?, row.whole("at")?)))
    }
}

fn found(row: &Row) -> StoreResult<RoundRow> {
    let ended = StoredRow::new(row, "ended", &["table_id", "round"]);
    let begun = StoredRow::new(row, "rounds", &["table_id", "round"]);
    Ok(RoundRow {
        id: ended.count("id")?,
        table: ended.text("table_id")?,
        round: ended.count("round")?,
        shoe: begun.count("shoe")?,
        version: begun.count("version")?,
        from: begun.count("first")?,
        to: ended.count("last")?,
        is_void: ended.flag("void")?,
        at: ended.whole("at")?,
    })
}

/// The place in a list that a row is for.
fn place(row: &Row) -> StoreResult<usize> {
    StoredRow::new(row, "the list", &[]).count("place")
}

/// What was put right later about a round.
fn correction(row: &Row) -> StoreResult<(u64, Input)> {
    let noted = StoredRow::new(row, "corrections", &["table_id", "round"]);
    let (round, seq): (u32, u64) = (noted.count("round")?, noted.count("seq")?);
    let row = StoredRow::new(row, "entries", &["table_id", "seq"]);
    let input: Input = row.named("line", |line| match Kind::of(line)? {
        (Kind::Input, text) => text.parse().ok(),
        _ => None,
    })?;
    match matches!(&input, Input::Correct { round: of, .. } if *of == round) {
        true => Ok((seq, input)),
        false => Err(row.damage_at("line")),
    }
}

fn settled(row: &Row) -> StoreResult<SettledWager> {
    let row = StoredRow::new(row, "settlements", &["table_id", "round", "bettor"]);
    Ok(SettledWager {
        bettor: row.text("bettor")?,
        person: row.text("person")?,
        hand: row.count("hand")?,
        circle: row.named("circle", Circle::named)?,
        lammer: row.flag("lammer")?,
        is_award: row.whole("award")? != 0,
        stake: row.cents("stake")?,
        gain: row.cents("gain")?,
        clause: row.text("clause")?,
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
        assert_eq!(store.settlements("war-1", 1).await.unwrap().len(), 3);
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
