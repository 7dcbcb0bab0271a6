//! Reconciliation: the logs, the transfers, the balances, the rounds and the sealed orders of a store
//! are held against each other. Nothing is written, and nothing is held but the current shoe and round.

use std::collections::BTreeMap;
use std::fmt;

use audit::chain::{Entry, Head};
use audit::custody::SealedOrder;
use audit::log::RulesLine;
use audit::verify::{LoggedInput, PlayedInput, Verification};
use rules::RULES_VERSION;
use rules::money::Cents;
use rules::table::{Account, Seal, TableEvent, Transfer};

use super::database::{Connection, Row, query};
use super::{PROGRESSIVE, RoundChange, Store, StoreError, StoreResult, StoredRow, WagerResult};
use super::{number, read_cards, scope_with};

/// How many entries are read at a time.
const AT_A_TIME: i64 = 1_000;

/// Where a meter may be that was moved under other rules.
const ANY_METER: &str = "any meter";

/// A difference between two parts of a store that say the same, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The table; none where it is the whole house's.
    pub table: Option<String>,
    /// The entry, the account or the row.
    pub place: String,
    /// What is different.
    pub problem: String,
}

/// One sentence: `table war-1, entry 14: …`.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(table) = &self.table {
            write!(f, "table {table}, ")?;
        }
        write!(f, "{}: {}", self.place, self.problem)
    }
}

/// What was compared, and the first difference of each table and of the accounts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reconciliation {
    /// Every table.
    pub tables: Vec<TableReconciliation>,
    /// How many accounts there are.
    pub accounts: u64,
    /// How many transfers there are.
    pub transfers: u64,
    /// What is different.
    pub differences: Vec<Difference>,
}

/// What was compared of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableReconciliation {
    /// Its name.
    pub table: String,
    /// How many entries were read.
    pub entries: u64,
    /// How many rounds were compared.
    pub rounds: u64,
    /// How many sealed orders were compared.
    pub orders: u64,
    /// How many entries were written under other rules: their events, rounds and settlements are not
    /// compared.
    pub of_other_rules: u64,
    /// The last entry.
    pub head: Option<Head>,
}

/// A row that cannot be read is a difference; that nothing can be read is not.
pub(super) fn damage(table: Option<&str>, error: StoreError) -> StoreResult<Difference> {
    match error {
        StoreError::Unreadable { place } => {
            let (table, problem) = (table.map(str::to_owned), "it cannot be read".to_owned());
            Ok(Difference { table, place, problem })
        }
        error => Err(error),
    }
}

/// Every account beside what its transfers sum to, where the two are not the same.
const BALANCES: &str = "
WITH moved (scope, account, amount) AS (
    SELECT from_scope, from_account, -amount FROM transfers
    UNION ALL SELECT to_scope, to_account, amount FROM transfers
    UNION ALL SELECT scope, account, 0 FROM accounts),
  summed AS (SELECT scope, account, CAST(sum(amount) AS BIGINT) AS summed FROM moved GROUP BY 1, 2)
SELECT scope, account, summed, balance FROM summed LEFT JOIN accounts USING (scope, account)
WHERE balance IS DISTINCT FROM summed LIMIT 1";

/// The first account that does not hold what its transfers sum to.
pub(super) async fn compare_balances(
    connection: &mut Connection<'_>,
) -> StoreResult<Option<Difference>> {
    let Some(row) = query(BALANCES).fetch_optional(connection).await? else {
        return Ok(None);
    };
    let row = StoredRow::new(&row, "accounts", &["scope", "account"]);
    let (scope, summed) = (row.text("scope")?, row.cents("summed")?);
    let problem = match row.whole_or_none("balance")?.map(Cents::new) {
        Some(balance) => format!("it holds {balance}, but its transfers sum to {summed}"),
        None => format!("its row is missing, but its transfers sum to {summed}"),
    };
    let place = format!("account {}", row.text("account")?);
    Ok(Some(Difference { table: Some(scope).filter(|it| !it.is_empty()), place, problem }))
}

/// Rows that are found no more because a key is damaged: a key is in an index as well, or names a row of
/// another table. The first fault of the file, and the first of each table.
pub(super) async fn compare_keys(connection: &mut Connection<'_>) -> StoreResult<Vec<Difference>> {
    let mut differences = Vec::new();
    // A server looks after its indexes itself, and lets no row go that another belongs to.
    if let Connection::Postgres(_) = connection {
        return Ok(differences);
    }
    let difference = |place: String, problem| Difference { table: None, place, problem };
    let row = query("PRAGMA integrity_check(1)").fetch_one(&mut *connection).await?;
    let fault: String = row.try_get("integrity_check")?;
    if fault != "ok" {
        let fault = fault.lines().collect::<Vec<_>>().join(" ");
        differences.push(difference("the file".to_owned(), fault));
    }
    let rows = query(
        r#"SELECT "table", parent, count(*) AS many FROM pragma_foreign_key_check GROUP BY 1, 2"#,
    );
    for row in rows.fetch_all(connection).await? {
        let (of, to): (String, String) = (row.try_get("table")?, row.try_get("parent")?);
        let problem = match row.try_get::<i64>("many")? {
            1 => format!("a row belongs to a row of {to} that is not there"),
            rows => format!("{rows} rows belong to rows of {to} that are not there"),
        };
        differences.push(difference(of, problem));
    }
    Ok(differences)
}

/// A round of which it is not noted who played it, or that nobody played so. An account played what was
/// played under its former name.
const PLAYED: &str = "
WITH by (person, id, table_id) AS (
    SELECT DISTINCT coalesce(former_names.name, person), ended.id, ended.table_id
      FROM ended JOIN settlements USING (table_id, round) LEFT JOIN former_names ON was = person),
  noted AS (SELECT person, id, table_id FROM played),
  other AS (SELECT * FROM (SELECT * FROM by EXCEPT SELECT * FROM noted) AS unnoted
      UNION ALL SELECT * FROM (SELECT * FROM noted EXCEPT SELECT * FROM by) AS unplayed)
SELECT id FROM other LIMIT 1";

/// The first round whose players are not those of its settlements.
pub(super) async fn compare_played(
    connection: &mut Connection<'_>,
) -> StoreResult<Option<Difference>> {
    let row = query(PLAYED).fetch_optional(connection).await?;
    let Some(row) = row else { return Ok(None) };
    let place = format!("played (id {})", row.try_get::<i64>("id")?);
    let problem = "its players are not those of its settlements".to_owned();
    Ok(Some(Difference { table: None, place, problem }))
}

impl Store {
    /// What does not agree of a table since it last did; none where it has never been looked at, or was
    /// by a program that wrote tables down in another way.
    pub(crate) async fn difference_since(&self, table: &str) -> StoreResult<Option<Difference>> {
        let mut reader = self.readers.acquire().await?;
        let mut connection = reader.connection();
        let mut books = match books_since(&mut connection, table).await {
            Ok(Since::Books(books)) => books,
            Ok(Since::Different(difference)) => return Ok(Some(difference)),
            Ok(Since::Nothing) => return Ok(None),
            Err(error) => return damage(Some(table), error).map(Some),
        };
        loop {
            match books.read_on(&mut connection, true).await {
                Ok(ReadOn::Different(difference)) => return Ok(Some(difference)),
                Ok(ReadOn::End) => return Ok(None),
                Ok(ReadOn::More) => {}
                Err(error) => return damage(Some(table), error).map(Some),
            }
        }
    }

    /// Reads on in the books of a table that may be in play.
    pub(crate) async fn read_books(&self, books: &mut TableBooks) -> StoreResult<ReadOn> {
        let mut reader = self.readers.acquire().await?;
        let mut connection = reader.connection();
        match books.read_on(&mut connection, false).await {
            Err(error) => {
                let difference = damage(Some(&books.done.table), error)?;
                Ok(ReadOn::Different(difference))
            }
            read => read,
        }
    }

    /// Keeps up to where the books of a table agree. A node does so of its own tables alone: what the owner
    /// has kept since then is not taken back.
    pub(crate) async fn keep_point(&self, books: &TableBooks) -> StoreResult<()> {
        let Some((round, seq)) = books.expected.begun else { return Ok(()) };
        let row = query(KEEP_POINT).bind(round).bind(books.done.table.as_str());
        row.bind(number(seq) - 1).bind(self.node()).execute(&self.readers).await?;
        Ok(())
    }

    /// The first account that does not hold what its transfers sum to.
    pub(crate) async fn balance_difference(&self) -> StoreResult<Option<Difference>> {
        let mut reader = self.readers.acquire().await?;
        let mut connection = reader.connection();
        match compare_balances(&mut connection).await {
            Err(error) => damage(None, error).map(Some),
            compared => compared,
        }
    }
}

const KEEP_POINT: &str = "INSERT INTO reconciled \
     SELECT table_id, $1, seq, hash FROM entries WHERE table_id = $2 AND seq = $3 \
     AND (CAST($4 AS TEXT) IS NULL OR EXISTS \
     (SELECT 1 FROM leases WHERE leases.table_id = $2 AND leases.node = $4)) \
     ON CONFLICT (table_id) DO UPDATE SET round = excluded.round, seq = excluded.seq, \
     hash = excluded.hash";

const POINT: &str = "SELECT table_id, reconciled.round, reconciled.seq, reconciled.hash, \
     entries.hash AS now, rounds.seq AS begins, version, rules, standing FROM reconciled \
     LEFT JOIN entries USING (table_id, seq) \
     LEFT JOIN rounds USING (table_id, round) WHERE table_id = $1";

/// Where a look at a table can begin.
pub(super) enum Since {
    Books(Box<TableBooks>),
    Different(Difference),
    /// At the beginning.
    Nothing,
}

/// The books of a table from where they last agreed.
pub(super) async fn books_since(
    connection: &mut Connection<'_>,
    table: &str,
) -> StoreResult<Since> {
    let Some(row) = query(POINT).bind(table).fetch_optional(connection).await? else {
        return Ok(Since::Nothing);
    };
    let row = StoredRow::new(&row, "reconciled", &["table_id"]);
    let head = Head { seq: row.count("seq")?, hash: row.parsed("hash")? };
    let different = |place: String, problem: &str| {
        let (table, problem) = (Some(table.to_owned()), problem.to_owned());
        Ok(Since::Different(Difference { table, place, problem }))
    };
    match row.get_or_none::<&str>("now")? {
        Some(now) if now == head.hash.to_string() => {}
        Some(_) => {
            let problem = "its hash was another one when the table was last reconciled";
            return different(format!("entry {}", head.seq), problem);
        }
        None => {
            let problem = "it was there when the table was last reconciled and is missing now";
            return different(format!("entry {}", head.seq), problem);
        }
    }
    let round: u32 = row.count("round")?;
    if row.whole_or_none("begins")? != Some(number(head.seq) + 1) {
        return different(format!("rounds (round {round})"), "it does not begin where it did");
    }
    let (version, standing) = (row.count("version")?, row.get_or_none::<&str>("standing")?);
    let rules = row.text("rules")?.parse::<RulesLine>().ok();
    let rules = rules.filter(|rules| rules.version == RULES_VERSION);
    let resumed = rules
        .zip(standing)
        .and_then(|(rules, standing)| Verification::resumed(table, head, &rules, standing));
    Ok(resumed.map_or(Since::Nothing, |verification| {
        let books = TableBooks::new(table, &[]);
        let expected = Expected { version, last: head.seq, ..books.expected };
        let (compared_from, read_to) = (head.seq + 1, head.seq);
        let books = TableBooks { verification, expected, compared_from, read_to, ..books };
        Since::Books(Box::new(books))
    }))
}

/// What came of reading on.
pub(crate) enum ReadOn {
    /// There may be more entries.
    More,
    /// All is as it should be.
    End,
    /// Something is not.
    Different(Difference),
}

/// The log of a table on its way through the rules, and what the rest of the store must have of it.
pub(crate) struct TableBooks {
    verification: Verification,
    expected: Expected,
    /// The first entry whose transfers are not compared yet.
    compared_from: u64,
    pub(super) done: TableReconciliation,
    read_to: u64,
}

/// The rows that the log leads to, as far as they are not compared yet.
#[derive(Default)]
struct Expected {
    table: String,
    /// How many inputs there were.
    version: u64,
    /// The last entry of the last input.
    last: u64,
    /// The last round that began, with its first entry.
    begun: Option<(u32, u64)>,
    transfers: Vec<(u64, TransferRow)>,
    rounds: Vec<ExpectedRound>,
    corrections: Vec<(u32, u64)>,
    shoes: Vec<(u32, u64, Option<Seal>)>,
    /// How many rounds were begun and how many times cards were shuffled, by the last input that was
    /// played; none where the last one was written under other rules.
    counted: Option<(u32, u32)>,
    /// The entries of inputs under other rules: what they corrected is not known.
    unread: Vec<(u64, u64)>,
    of_other_rules: u64,
}

/// A transfer as the store has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TransferRow {
    pub(super) from: (String, String),
    pub(super) to: (String, String),
    amount: Cents,
}

impl fmt::Display for TransferRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [from, to] = [&self.from, &self.to].map(|(scope, account)| match scope.as_str() {
            PROGRESSIVE => format!("{account} of {PROGRESSIVE}"),
            "" if is_by_table(account) => format!("{account} of the office"),
            table if is_by_table(account) => format!("{account} of {table}"),
            _ => account.clone(),
        });
        write!(f, "{} from {from} to {to}", self.amount)
    }
}

/// Whether it is an account of the house that every table has, and the office.
fn is_by_table(account: &str) -> bool {
    [Account::House, Account::Cashier].iter().any(|kept| kept.to_string() == account)
}

/// What the store must have of a round.
#[derive(Default)]
struct ExpectedRound {
    round: u32,
    /// The shoe, the entry and the number of inputs before it, where it began in what was read.
    begun: Option<(u32, u64, u64)>,
    settled: BTreeMap<SettlementKey, String>,
    /// The last entry, and whether it is void.
    ended: Option<(u64, bool)>,
}

/// Bettor, hand, circle, whether it is a lammer, and which award.
type SettlementKey = (String, u8, String, bool, i64);

impl TableBooks {
    /// The whole log of a table, to be compared with heads that the house announced.
    pub(crate) fn new(table: &str, heads: &[Head]) -> TableBooks {
        let expected = Expected { table: table.to_owned(), ..Expected::default() };
        let done = TableReconciliation { table: table.to_owned(), ..Default::default() };
        let verification = Verification::new(table, heads);
        TableBooks { verification, expected, compared_from: 0, done, read_to: 0 }
    }

    /// The last entry that was read.
    pub(crate) fn read_to(&self) -> u64 {
        self.read_to
    }

    /// Reads some entries, and compares what they lead to. Where there are no more, the log may be at its
    /// end, and is compared with what there can only be then; or the table is in play.
    pub(super) async fn read_on(
        &mut self,
        connection: &mut Connection<'_>,
        ends: bool,
    ) -> StoreResult<ReadOn> {
        let rows = query(ENTRIES).bind(self.done.table.as_str()).bind(number(self.read_to));
        let rows = rows.bind(AT_A_TIME).fetch_all(&mut *connection).await?;
        for row in &rows {
            let entry = entry(row)?;
            (self.read_to, self.done.head) = (entry.seq, Some(entry.head()));
            self.done.entries += 1;
            let expected = &mut self.expected;
            self.verification.take_with(entry, &mut |input| expected.follow(input));
        }
        let is_end = rows.is_empty();
        if is_end && !ends {
            let found = self.compare_counts(connection).await?;
            return Ok(found.map_or(ReadOn::End, |(place, problem)| {
                ReadOn::Different(self.difference(place, problem))
            }));
        }
        if is_end {
            let expected = &mut self.expected;
            self.verification.end_with(&mut |input| expected.follow(input));
        }
        if let Some(finding) = self.verification.first_difference() {
            let place = format!("entry {}", finding.seq);
            return Ok(ReadOn::Different(self.difference(place, finding.problem.to_string())));
        }
        let found = match self.compare(connection, is_end).await? {
            None if is_end => self.compare_end(connection).await?,
            found => found,
        };
        Ok(match found {
            Some((place, problem)) => ReadOn::Different(self.difference(place, problem)),
            None if is_end => ReadOn::End,
            None => ReadOn::More,
        })
    }

    fn difference(&self, place: String, problem: String) -> Difference {
        Difference { table: Some(self.done.table.clone()), place, problem }
    }

    /// Compares what is complete, and at the end also the round in play.
    async fn compare(
        &mut self,
        connection: &mut Connection<'_>,
        is_end: bool,
    ) -> StoreResult<Option<(String, String)>> {
        self.done.of_other_rules = self.expected.of_other_rules;
        let transfers = std::mem::take(&mut self.expected.transfers);
        let to = if is_end { u64::MAX } else { self.expected.last };
        let found = self.compare_transfers(connection, transfers, to).await?;
        if found.is_some() {
            return Ok(found);
        }
        let from = std::mem::replace(&mut self.compared_from, self.expected.last + 1);
        let in_play = self.expected.rounds.pop_if(|round| round.ended.is_none() && !is_end);
        for round in std::mem::take(&mut self.expected.rounds) {
            let found = self.compare_round(connection, &round).await?;
            if found.is_some() {
                return Ok(found);
            }
            self.done.rounds += 1;
        }
        self.expected.rounds.extend(in_play);
        let found = self.compare_corrections(connection, from).await?;
        if found.is_some() {
            return Ok(found);
        }
        for (shoe, seq, seal) in std::mem::take(&mut self.expected.shoes) {
            let found = self.compare_shoe(connection, shoe, seq, seal).await?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Compares transfers with what the log moves, from where that was done last.
    async fn compare_transfers(
        &self,
        connection: &mut Connection<'_>,
        expected: Vec<(u64, TransferRow)>,
        to: u64,
    ) -> StoreResult<Option<(String, String)>> {
        let rows = query(TRANSFERS).bind(self.done.table.as_str());
        let rows =
            rows.bind(number(self.compared_from)).bind(i64::try_from(to).unwrap_or(i64::MAX));
        let rows = rows.fetch_all(connection).await?;
        let mut expected = expected.into_iter().peekable();
        // What the meter gave back with the last input: the house may put it up again.
        let mut given_back = (0, Cents::ZERO);
        for row in &rows {
            let (id, seq, found, is_unscoped) = transfer(row)?;
            let place = || format!("transfer {id}");
            match expected.peek() {
                Some((of, moves)) if *of < seq => return Ok(Some(no_transfer(*of, moves))),
                Some((of, moves)) if *of == seq => {
                    if !moves.is(&found, is_unscoped) {
                        let problem = format!("it moves {found}, but entry {of} moves {moves}");
                        return Ok(Some((place(), problem)));
                    }
                    let is_back = found.from.1 == "meter" && found.to.1 == "house";
                    let before = if given_back.0 == seq { given_back.1 } else { Cents::ZERO };
                    let more = if is_back { found.amount } else { Cents::ZERO };
                    given_back = (seq, before + more);
                    expected.next();
                }
                _ if given_back.0 == seq
                    && found.is_put_up(&self.done.table, given_back.1, is_unscoped) => {}
                _ => {
                    let why = match seq > self.read_to {
                        true => format!("but the log ends with entry {}", self.read_to),
                        false => "which moves nothing more".to_owned(),
                    };
                    let problem = format!("it moves {found} for entry {seq}, {why}");
                    return Ok(Some((place(), problem)));
                }
            }
        }
        Ok(expected.next().map(|(seq, moves)| no_transfer(seq, &moves)))
    }

    async fn compare_round(
        &self,
        connection: &mut Connection<'_>,
        expected: &ExpectedRound,
    ) -> StoreResult<Option<(String, String)>> {
        let (table, round) = (self.done.table.as_str(), expected.round);
        if let Some(begun) = expected.begun {
            let row = query("SELECT * FROM rounds WHERE table_id = $1 AND round = $2");
            let row = row.bind(table).bind(round).fetch_optional(&mut *connection).await?;
            let found = row.as_ref().map(|row| {
                let row = StoredRow::new(row, "rounds", &["table_id", "round"]);
                Ok::<_, StoreError>((row.count("shoe")?, row.count("seq")?, row.count("version")?))
            });
            let in_words = |(shoe, seq, version): (u32, u64, u64)| {
                format!("shoe {shoe}, entry {seq} and {version} inputs before it")
            };
            if let Some(problem) = differs(found.transpose()?, Some(begun), in_words) {
                return Ok(Some((format!("rounds (round {round})"), problem)));
            }
        }
        let rows = query("SELECT * FROM settlements WHERE table_id = $1 AND round = $2");
        let rows = rows.bind(table).bind(round).fetch_all(&mut *connection).await?;
        let found: BTreeMap<SettlementKey, String> =
            rows.iter().map(settlement).collect::<StoreResult<_>>()?;
        let keys = expected.settled.keys().chain(found.keys());
        for key in keys {
            let sides = (found.get(key).cloned(), expected.settled.get(key).cloned());
            if let Some(problem) = differs(sides.0, sides.1, |words| words) {
                let (bettor, hand, circle, lammer, award) = key;
                let more = match (lammer, award) {
                    (true, _) => ", lammer".to_owned(),
                    (false, 0) => String::new(),
                    (false, award) => format!(", award {award}"),
                };
                let place = format!(
                    "settlements (round {round}, bettor {bettor}, hand {hand}, circle {circle}{more})"
                );
                return Ok(Some((place, problem)));
            }
        }
        let row = query("SELECT * FROM ended WHERE table_id = $1 AND round = $2");
        let row = row.bind(table).bind(round).fetch_optional(&mut *connection).await?;
        let found = row.as_ref().map(|row| {
            let row = StoredRow::new(row, "ended", &["table_id", "round"]);
            Ok::<_, StoreError>((row.count("seq")?, row.flag("void")?))
        });
        let in_words = |(seq, void): (u64, bool)| {
            format!("entry {seq}, {}", if void { "void" } else { "not void" })
        };
        let problem = differs(found.transpose()?, expected.ended, in_words);
        Ok(problem.map(|problem| (format!("ended (round {round})"), problem)))
    }

    /// Compares corrections with those in the log, from this entry on.
    async fn compare_corrections(
        &mut self,
        connection: &mut Connection<'_>,
        from: u64,
    ) -> StoreResult<Option<(String, String)>> {
        let rows = query(CORRECTIONS).bind(self.done.table.as_str());
        let rows = rows.bind(number(from)).bind(number(self.expected.last));
        let rows = rows.fetch_all(connection).await?;
        let found = rows.iter().map(|row| {
            let row = StoredRow::new(row, "corrections", &["round", "seq"]);
            Ok::<_, StoreError>((row.count::<u32>("round")?, row.count::<u64>("seq")?))
        });
        let found: Vec<(u32, u64)> = found.collect::<StoreResult<_>>()?;
        let expected = std::mem::take(&mut self.expected.corrections);
        let unread = std::mem::take(&mut self.expected.unread);
        let missing = expected.iter().find(|row| !found.contains(row));
        let is_read =
            |seq: u64| !unread.iter().any(|(first, last)| (*first..=*last).contains(&seq));
        let more = found.iter().find(|row| !expected.contains(row) && is_read(row.1));
        let place = |(round, seq): &(u32, u64)| format!("corrections (round {round}, seq {seq})");
        Ok(match (missing, more) {
            (Some(row), _) => Some((place(row), "the row is missing".to_owned())),
            (None, Some(row)) => {
                let problem = format!("entry {} corrects nothing of round {}", row.1, row.0);
                Some((place(row), problem))
            }
            (None, None) => None,
        })
    }

    /// Compares how many rounds and shoes there are: none that the log does not have.
    async fn compare_counts(
        &self,
        connection: &mut Connection<'_>,
    ) -> StoreResult<Option<(String, String)>> {
        let Some((rounds, shoes)) = self.expected.counted else { return Ok(None) };
        for (name, is_round, beyond) in UNCOUNTED {
            let most = if is_round { rounds } else { shoes };
            let row = query(beyond).bind(self.done.table.as_str()).bind(most);
            let row = row.bind(number(self.expected.last)).fetch_optional(&mut *connection).await?;
            if let Some(row) = row {
                let what = if is_round { "round" } else { "shoe" };
                let place = format!("{name} ({what} {})", row.try_get::<i64>("number")?);
                let problem = match most {
                    0 => format!("the log has no {what}"),
                    _ => format!("the last {what} of the log is {what} {most}"),
                };
                return Ok(Some((place, problem)));
            }
        }
        Ok(None)
    }

    /// Compares where a shoe was shuffled, and the order that was sealed then.
    async fn compare_shoe(
        &mut self,
        connection: &mut Connection<'_>,
        shoe: u32,
        seq: u64,
        seal: Option<Seal>,
    ) -> StoreResult<Option<(String, String)>> {
        let table = self.done.table.as_str();
        let row = query("SELECT * FROM shoes WHERE table_id = $1 AND shoe = $2");
        let row = row.bind(table).bind(shoe).fetch_optional(&mut *connection).await?;
        let found = row.as_ref();
        let found = found.map(|row| StoredRow::new(row, "shoes", &["shoe"]).count::<u64>("seq"));
        let in_words = |seq| format!("entry {seq}");
        if let Some(problem) = differs(found.transpose()?, Some(seq), in_words) {
            return Ok(Some((format!("shoes (shoe {shoe})"), problem)));
        }
        let place = format!("sealed (shoe {shoe})");
        let found = sealed(connection, table, shoe).await?.map(|order| order.seal());
        self.done.orders += u64::from(found.is_some());
        Ok(match (found, seal) {
            (None, None) => None,
            (Some(found), Some(seal)) if found == seal => None,
            (Some(_), Some(_)) => {
                let problem = format!("the order is not the one that was sealed in entry {seq}");
                Some((place, problem))
            }
            (None, Some(_)) => Some((place, "the row is missing".to_owned())),
            (Some(_), None) => {
                let problem =
                    format!("the shoe of entry {seq} was shuffled by hand, without a seal");
                Some((place, problem))
            }
        })
    }

    /// Compares what there can only be at the end: cards of shoes in use, and rows of no entry.
    async fn compare_end(
        &self,
        connection: &mut Connection<'_>,
    ) -> StoreResult<Option<(String, String)>> {
        let table = self.done.table.as_str();
        for shoe in self.verification.unrevealed() {
            let order = sealed(connection, table, shoe).await?;
            let problem = order.and_then(|order| self.verification.compare_order(shoe, &order));
            if let Some(problem) = problem {
                return Ok(Some((format!("sealed (shoe {shoe})"), problem.to_string())));
            }
        }
        for (name, beyond) in BEYOND {
            let row = query(beyond).bind(table).bind(number(self.read_to));
            let row = row.fetch_optional(&mut *connection).await?;
            if let Some(row) = row {
                let place = format!("{name} {}", row.try_get::<i64>("number")?);
                let problem = format!(
                    "it is of entry {}, but the log ends with entry {}",
                    row.try_get::<i64>("seq")?,
                    self.read_to
                );
                return Ok(Some((place, problem)));
            }
        }
        self.compare_counts(connection).await
    }
}

const ENTRIES: &str = "SELECT table_id, seq, line, hash FROM entries \
     WHERE table_id = $1 AND seq > $2 ORDER BY seq LIMIT $3";

const TRANSFERS: &str = "SELECT id, seq, from_scope, from_account, to_scope, to_account, amount, \
     (SELECT unscoped FROM house) AS unscoped FROM transfers \
     WHERE table_id = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq, id";

const CORRECTIONS: &str =
    "SELECT round, seq FROM corrections WHERE table_id = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq";

/// Rows of rounds, or of shoes, that a log with so many of them up to an entry does not have, the first of
/// each kind. Those that it has are compared one by one.
const UNCOUNTED: [(&str, bool, &str); 5] = [
    (
        "rounds",
        true,
        "SELECT round AS number FROM rounds \
         WHERE table_id = $1 AND (round > $2 OR round < 1) AND seq <= $3 LIMIT 1",
    ),
    (
        "ended",
        true,
        "SELECT round AS number FROM ended \
         WHERE table_id = $1 AND (round > $2 OR round < 1) AND seq <= $3 LIMIT 1",
    ),
    (
        "settlements",
        true,
        "SELECT round AS number FROM settlements WHERE table_id = $1 AND (round > $2 OR round < 1) \
         AND NOT EXISTS (SELECT 1 FROM ended WHERE ended.table_id = settlements.table_id \
           AND ended.round = settlements.round AND seq > $3) \
         AND NOT EXISTS (SELECT 1 FROM rounds WHERE rounds.table_id = settlements.table_id \
           AND rounds.round = settlements.round AND seq > $3) LIMIT 1",
    ),
    (
        "shoes",
        false,
        "SELECT shoe AS number FROM shoes \
         WHERE table_id = $1 AND (shoe > $2 OR shoe < 1) AND seq <= $3 LIMIT 1",
    ),
    (
        "sealed",
        false,
        "SELECT shoe AS number FROM sealed WHERE table_id = $1 AND (shoe > $2 OR shoe < 1) \
         AND NOT EXISTS (SELECT 1 FROM shoes WHERE shoes.table_id = sealed.table_id \
           AND shoes.shoe = sealed.shoe AND seq > $3) LIMIT 1",
    ),
];

/// Rows of entries that the log does not have, the first one of each kind.
const BEYOND: [(&str, &str); 4] = [
    (
        "round",
        "SELECT round AS number, seq FROM rounds WHERE table_id = $1 AND seq > $2 ORDER BY seq LIMIT 1",
    ),
    (
        "end of round",
        "SELECT round AS number, seq FROM ended WHERE table_id = $1 AND seq > $2 LIMIT 1",
    ),
    ("shoe", "SELECT shoe AS number, seq FROM shoes WHERE table_id = $1 AND seq > $2 LIMIT 1"),
    (
        "correction of round",
        "SELECT round AS number, seq FROM corrections WHERE table_id = $1 AND seq > $2 LIMIT 1",
    ),
];

/// What an entry moves without a transfer.
fn no_transfer(seq: u64, moves: &TransferRow) -> (String, String) {
    (format!("entry {seq}"), format!("it moves {moves}, but no transfer does"))
}

/// What the store has, and what the log gives, where that is something else.
fn differs<T: PartialEq>(
    found: Option<T>,
    expected: Option<T>,
    in_words: impl Fn(T) -> String,
) -> Option<String> {
    if found == expected {
        return None;
    }
    Some(match (found, expected) {
        (Some(found), Some(expected)) => {
            let [found, expected] = [found, expected].map(in_words);
            format!("the row has {found}, but the log gives {expected}")
        }
        (None, Some(expected)) => {
            format!("the row is missing, but the log gives {}", in_words(expected))
        }
        (found, None) => {
            let found = found.map(in_words).unwrap_or_default();
            format!("the row has {found}, but the log gives no such row")
        }
    })
}

impl Expected {
    /// Notes what an input leads to.
    fn follow(&mut self, input: &LoggedInput<'_>) {
        self.last = input.last;
        if let Some(played) = input.played {
            let begun = u32::from(played.after.round().is_some());
            self.counted = Some((played.after.rounds_played() + begun, played.after.shoes()));
            self.follow_rounds(input, played);
        } else {
            self.counted = None;
            self.unread.push((input.seq, input.last));
            self.of_other_rules += input.last + 1 - input.seq;
        }
        self.version += 1;
        let meter = match input.played {
            Some(played) if played.before.shares_meter() => PROGRESSIVE,
            Some(_) => self.table.as_str(),
            None => ANY_METER,
        };
        let rows = input.transfers.iter().map(|Transfer { from, to, amount }| {
            let [from, to] = [from, to].map(|account: &Account| {
                (scope_with(&self.table, account, meter).to_owned(), account.to_string())
            });
            (input.seq, TransferRow { from, to, amount: *amount })
        });
        let rows: Vec<_> = rows.collect();
        self.transfers.extend(rows);
    }

    fn follow_rounds(&mut self, input: &LoggedInput<'_>, played: PlayedInput<'_>) {
        let PlayedInput { before, outcome, after } = played;
        for event in &outcome.events {
            if let TableEvent::Shuffled { shoe, seal, .. } = event {
                self.shoes.push((*shoe, input.seq, *seal));
            }
        }
        let Some(kept) = RoundChange::of(self.version, before, outcome, after) else { return };
        self.begun = kept.begins.map(|_| (kept.round, input.seq)).or(self.begun);
        self.corrections.extend(kept.corrected.map(|round| (round, input.seq)));
        if kept.begins.is_none() && kept.settled.is_empty() && !kept.ends {
            return;
        }
        if self.rounds.last().is_none_or(|round| round.round != kept.round) {
            let (round, begun) = (kept.round, kept.begins.map(|it| (it, input.seq, kept.version)));
            self.rounds.push(ExpectedRound { round, begun, ..ExpectedRound::default() });
        }
        let Some(round) = self.rounds.last_mut() else { return };
        for wager in &kept.settled {
            let bettor = wager.bettor.to_string();
            let awards = round.settled.keys().filter(|key| key.0 == bettor && key.4 > 0).count();
            let award = if wager.is_award { 1 + awards } else { 0 };
            let WagerResult { hand, circle, lammer, person, stake, gain, clause, .. } = wager;
            let award = i64::try_from(award).unwrap_or(i64::MAX);
            let key = (bettor, *hand, circle.name().to_owned(), *lammer, award);
            round.settled.insert(key, in_words(person.as_str(), *stake, *gain, clause));
        }
        round.ended = kept.ends.then_some((input.last, kept.void));
    }
}

/// What became of a wager, in words.
fn in_words(person: &str, stake: Cents, gain: Cents, clause: &str) -> String {
    format!("a gain of {gain} on a stake of {stake} for {person} by {clause}")
}

fn settlement(row: &Row) -> StoreResult<(SettlementKey, String)> {
    let row = StoredRow::new(row, "settlements", &["table_id", "round", "bettor", "hand"]);
    let (stake, gain, clause) = (row.cents("stake")?, row.cents("gain")?, row.text("clause")?);
    let (bettor, hand, circle) = (row.text("bettor")?, row.count("hand")?, row.text("circle")?);
    let key = (bettor, hand, circle, row.flag("lammer")?, row.whole("award")?);
    Ok((key, in_words(&row.text("person")?, stake, gain, &clause)))
}

/// The number of a transfer, its entry, itself, and whether it is of the time when the house's money was
/// not kept by table.
pub(super) fn transfer(row: &Row) -> StoreResult<(i64, u64, TransferRow, bool)> {
    let row = StoredRow::new(row, "transfers", &["id"]);
    let from = (row.text("from_scope")?, row.text("from_account")?);
    let to = (row.text("to_scope")?, row.text("to_account")?);
    let moved = TransferRow { from, to, amount: row.cents("amount")? };
    let (id, unscoped) = (row.whole("id")?, row.whole("unscoped")?);
    Ok((id, row.count("seq")?, moved, id <= unscoped))
}

impl TransferRow {
    /// Whether a row is this transfer.
    fn is(&self, found: &TransferRow, is_unscoped: bool) -> bool {
        let is_same = |one: &(String, String), other: &(String, String)| {
            let of_office = is_unscoped && is_by_table(&one.1);
            let scope = if of_office { "" } else { one.0.as_str() };
            one.1 == other.1 && (scope == other.0 || scope == ANY_METER)
        };
        is_same(&self.from, &found.from)
            && is_same(&self.to, &found.to)
            && self.amount == found.amount
    }

    /// Whether the house puts up again what a void round took back after it was paid elsewhere (G-03).
    fn is_put_up(&self, table: &str, most: Cents, is_unscoped: bool) -> bool {
        let named = |scope: &str, account: Account| (scope.to_owned(), account.to_string());
        let (from, to) = (named(table, Account::House), named(PROGRESSIVE, Account::Meter));
        let put_up = TransferRow { from, to, amount: self.amount };
        put_up.is(self, is_unscoped) && self.amount <= most
    }
}

fn entry(row: &Row) -> StoreResult<Entry> {
    let row = StoredRow::new(row, "entries", &["table_id", "seq"]);
    let is_line = |line: &str| (!line.contains(char::is_control)).then(|| line.to_owned());
    let (seq, line) = (row.count("seq")?, row.named("line", is_line)?);
    Ok(Entry { seq, line, hash: row.parsed("hash")? })
}

/// The order of a shoe, where the store has one.
async fn sealed(
    connection: &mut Connection<'_>,
    table: &str,
    shoe: u32,
) -> StoreResult<Option<SealedOrder>> {
    let row = query("SELECT * FROM sealed WHERE table_id = $1 AND shoe = $2");
    let row = row.bind(table).bind(shoe).fetch_optional(connection).await?;
    let order = |row: &Row| {
        let row = StoredRow::new(row, "sealed", &["table_id", "shoe"]);
        let Seal(salt) = row.parsed("salt")?;
        Ok(SealedOrder { salt, order: row.named("cards", read_cards)? })
    };
    row.as_ref().map(order).transpose()
}

#[cfg(test)]
mod tests {
    use audit::chain::Chain;

    use super::super::{Append, Leases, Tables};
    use super::*;
    use crate::scratch;

    #[tokio::test]
    async fn a_former_owner_keeps_no_point() {
        let file = scratch::file("points");
        let one = Store::open(&file).await.unwrap().of_node("one");
        let two = Store::open(&file).await.unwrap().of_node("two");
        let epoch = one.own("war-1").await.unwrap();
        let mut chain = Chain::new("war-1");
        let entries = (0..3).map(|_| chain.append("< deal")).collect();
        let table = "war-1".to_owned();
        one.append(Append { table, epoch, entries, ..Append::default() }).await.unwrap();
        let kept = async |by: &Store, round: u32, begins: u64| {
            let mut books = TableBooks::new("war-1", &[]);
            books.expected.begun = Some((round, begins));
            by.keep_point(&books).await.unwrap();
            let row = query("SELECT seq FROM reconciled").fetch_one(&one.readers).await.unwrap();
            row.try_get::<i64>("seq").unwrap()
        };
        assert_eq!(kept(&one, 1, 2).await, 1);
        one.release("war-1", epoch, None).await.unwrap();
        two.own("war-1").await.unwrap();
        assert_eq!(kept(&two, 3, 4).await, 3);
        assert_eq!(kept(&one, 2, 3).await, 3, "it is not its table any more");
    }
}
