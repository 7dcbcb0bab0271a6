//! Corrections: what a round leaves to be corrected, and those that wait for a second supervisor.

use rules::money::Cents;
use rules::table::{Account, Input, Name};

use super::database::{Connection, Row, query};
use super::{History, Store, StoreError, StoreResult, StoredRow, one};

/// How long a correction waits for a second supervisor, in seconds: a day.
pub const CORRECTION_WAITS: i64 = 24 * 60 * 60;

/// What a round leaves to be corrected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correctable {
    /// Whose wagers were settled in it.
    pub people: Vec<Name>,
    /// What was staked and settled in it, less what earlier corrections moved and did not move back.
    pub left: Cents,
    /// What one correction after the other has moved, there and back.
    pub corrected: Cents,
}

/// A correction that waits for a second supervisor.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub struct CorrectionRow {
    pub id: i64,
    /// The correction, as the log would have it.
    pub input: Input,
    pub asked_by: Name,
    /// In seconds of Unix time.
    pub at: i64,
    pub until: i64,
}

/// What an append does about a correction that needs two supervisors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CorrectionStep {
    /// One asks for it.
    Ask {
        /// The correction, as the log would have it.
        line: String,
        /// Who asks.
        by: Name,
    },
    /// It is decided, if it still waits.
    Decide {
        /// Which one.
        id: i64,
        /// Who decides.
        by: Name,
        /// Whether it is approved, and not refused.
        is_approved: bool,
    },
}

/// Keeps corrections. By default there is no bound and nothing waits: that is a store without people.
pub trait Corrections: Send + Sync {
    /// What a round leaves to be corrected; none where there is no bound.
    fn correctable(
        &self,
        _table: &str,
        _round: u32,
    ) -> impl Future<Output = StoreResult<Option<Correctable>>> + Send {
        async { Ok(None) }
    }

    /// The corrections at a table that wait for a second supervisor.
    fn waiting_corrections(
        &self,
        _table: &str,
    ) -> impl Future<Output = StoreResult<Vec<CorrectionRow>>> + Send {
        async { Ok(Vec::new()) }
    }
}

impl Corrections for Store {
    async fn correctable(&self, table: &str, round: u32) -> StoreResult<Option<Correctable>> {
        let settled = self.settlements(table, round).await?;
        let mut people: Vec<Name> = Vec::new();
        let mut left = Cents::ZERO;
        for wager in settled {
            let stake = if wager.lammer { Cents::ZERO } else { wager.stake };
            left = left + stake + Cents::new(wager.gain.get().abs());
            let person = wager.person.parse().map_err(|_| StoreError::Unreadable {
                place: format!("column person of settlements (table_id {table}, round {round})"),
            })?;
            if !people.contains(&person) {
                people.push(person);
            }
        }
        let mut corrected = Cents::ZERO;
        let mut moved: Vec<(Account, Cents)> = Vec::new();
        for (_, input) in self.corrections(table, round).await? {
            let Input::Correct { transfer, .. } = input else { continue };
            corrected += transfer.amount;
            for (account, amount) in
                [(transfer.from, Cents::ZERO - transfer.amount), (transfer.to, transfer.amount)]
            {
                match moved.iter_mut().find(|(other, _)| *other == account) {
                    Some((_, sum)) => *sum += amount,
                    None => moved.push((account, amount)),
                }
            }
        }
        left -= moved.into_iter().map(|(_, sum)| sum.max(Cents::ZERO)).sum();
        // Whoever played as a guest may have an account under another name by now.
        let mut later = Vec::new();
        for person in &people {
            let row = query("SELECT * FROM former_names WHERE was = $1");
            if let Some(row) = row.bind(person.as_str()).fetch_optional(&self.readers).await? {
                later.push(StoredRow::new(&row, "former_names", &["was"]).parsed("name")?);
            }
        }
        people.extend(later);
        Ok(Some(Correctable { people, left: left.max(Cents::ZERO), corrected }))
    }

    async fn waiting_corrections(&self, table: &str) -> StoreResult<Vec<CorrectionRow>> {
        let rows = query(
            "SELECT id, line, asked_by, at, until FROM corrections_asked \
             WHERE table_id = $1 AND decision IS NULL AND until > unixepoch() ORDER BY id",
        );
        let rows = rows.bind(table).fetch_all(&self.readers).await?;
        rows.iter().map(read).collect()
    }
}

fn read(row: &Row) -> StoreResult<CorrectionRow> {
    let row = StoredRow::new(row, "corrections_asked", &["id"]);
    Ok(CorrectionRow {
        id: row.whole("id")?,
        input: row.parsed("line")?,
        asked_by: row.parsed("asked_by")?,
        at: row.whole("at")?,
        until: row.whole("until")?,
    })
}

/// Writes what is done about a correction.
pub(super) async fn add_step(
    to: &mut Connection<'_>,
    table: &str,
    step: &CorrectionStep,
) -> Result<(), sqlx::Error> {
    match step {
        CorrectionStep::Ask { line, by } => {
            let row = query(
                "INSERT INTO corrections_asked (table_id, line, asked_by, at, until) \
                 VALUES ($1, $2, $3, unixepoch(), unixepoch() + $4)",
            );
            let row = row.bind(table.to_owned()).bind(line.as_str()).bind(by.as_str());
            row.bind(CORRECTION_WAITS).execute(to).await.map(drop)
        }
        CorrectionStep::Decide { id, by, is_approved } => {
            let row = query(
                "UPDATE corrections_asked SET decided_by = $1, decision = $2 WHERE id = $3 \
                 AND table_id = $4 AND decision IS NULL AND until > unixepoch()",
            );
            let decision = if *is_approved { "approved" } else { "refused" };
            let row = row.bind(by.as_str()).bind(decision).bind(*id).bind(table.to_owned());
            one(row, to).await
        }
    }
}
