//! Which node of a house owns which table, and until when.
//!
//! A table is owned under an epoch, which only grows and which every write of the table carries. A lease
//! says until when nobody else may raise it, by the clock of the database: no node trusts another's clock.
//! An owner that was paused for longer than its lease may still believe in it, and writes nothing more,
//! because whoever took the table over has raised the epoch.

use std::time::{Duration, Instant};

use super::database::{Connection, Row, query};
use super::postgres::{LONGEST_PAUSE, LONGEST_STATEMENT, end_writers};
use super::{Store, StoreError, StoreResult, StoredRow};

/// How long a table stays a node's that is not heard of any more.
pub const LEASE: Duration = Duration::from_millis(2_500);

/// How long a node waits until its leases are renewed, before it tries again on another connection.
const LONGEST_RENEWAL: Duration = Duration::from_secs(1);

const _: () = assert!(
    LONGEST_STATEMENT.as_millis() < LEASE.as_millis()
        && LONGEST_PAUSE.as_millis() < LEASE.as_millis()
);

/// How long a table that was handed over waits for the node that is to own it next.
pub const HEAD_START: Duration = Duration::from_secs(2);

/// A node, as it tells the others of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub struct NodeInfo {
    pub name: String,
    /// Where other nodes reach it.
    pub address: String,
    /// The version of the rules that it plays.
    pub rules: String,
}

/// A node, as the store has it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub struct NodeRow {
    pub info: NodeInfo,
    /// How long ago it was last heard of, by the clock of the database.
    pub seen: Duration,
    /// Whether it gives its tables away and takes none.
    pub is_draining: bool,
}

/// The ownership of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease {
    /// What every write carries.
    pub epoch: i64,
    /// Until when it holds at least, by the clock of whoever asked: counted from before they did.
    pub until: Instant,
}

/// Who owns a table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub struct OwnerRow {
    pub table: String,
    /// None where it was handed over, and nobody has taken it yet.
    pub node: Option<String>,
    pub epoch: i64,
    /// How long the lease still holds by the clock of the database; nothing once it has expired.
    pub left: Duration,
    /// The node that is to own it next.
    pub wanted: Option<String>,
}

/// Keeps the nodes of a house, and which of them owns which table.
pub trait Leases: Send + Sync {
    /// Lets the others know of a node that was started. From now on the store acts for this run of it: where
    /// another joins under the same name, this one takes and keeps nothing any more.
    fn join(&self, node: &NodeInfo) -> impl Future<Output = StoreResult<()>> + Send;

    /// Every node that has ever joined, by name.
    fn nodes(&self) -> impl Future<Output = StoreResult<Vec<NodeRow>>> + Send;

    /// Has a node give its tables away, or take some again.
    fn set_draining(
        &self,
        node: &str,
        is_draining: bool,
    ) -> impl Future<Output = StoreResult<()>> + Send;

    /// Takes a table under a new epoch: one that nobody owns, whose lease has expired, or that this node
    /// owned before. None while it is another's. Whatever another node has on its way whose lease has
    /// expired is ended, so that nothing waits for a node that was paused.
    fn acquire(
        &self,
        table: &str,
        node: &str,
        lasts: Duration,
    ) -> impl Future<Output = StoreResult<Option<Lease>>> + Send;

    /// Is heard of, and keeps every table that a node still owns for so long from now on. Gives those
    /// tables with their epochs: one that is missing is another's. Fails with [`StoreError::Replaced`] where
    /// another run has the node's name.
    fn renew(
        &self,
        node: &str,
        lasts: Duration,
    ) -> impl Future<Output = StoreResult<Vec<(String, i64)>>> + Send;

    /// Lets go of a table at once. The node that is to own it next has a head start.
    fn release(
        &self,
        table: &str,
        epoch: i64,
        to: Option<&str>,
    ) -> impl Future<Output = StoreResult<()>> + Send;

    /// Forgets who owned a table that is closed for good. Its epoch stays, so that no former owner writes;
    /// nothing is forgotten where another owns it by now.
    fn forget(&self, table: &str, epoch: i64) -> impl Future<Output = StoreResult<()>> + Send;

    /// Who owns what, by table.
    fn owners(&self) -> impl Future<Output = StoreResult<Vec<OwnerRow>>> + Send;

    /// Asks the owner of a table to hand it over to a node.
    fn ask_to_move(&self, table: &str, node: &str) -> impl Future<Output = StoreResult<()>> + Send;
}

/// Milliseconds of Unix time, by the clock of the database.
macro_rules! now {
    () => {
        "CAST(unixepoch('subsec') * 1000 AS BIGINT)"
    };
}

const JOIN: &str = concat!(
    "INSERT INTO nodes SELECT $1, $2, $3, ",
    now!(),
    ", 0 WHERE true ON CONFLICT (name) DO UPDATE SET address = excluded.address, \
     rules = excluded.rules, seen = excluded.seen, draining = 0"
);

const NODES: &str = concat!(
    "SELECT name, address, rules, ",
    now!(),
    " - seen AS seen, draining FROM nodes ORDER BY name"
);

const KNOWN_TABLE: &str = "INSERT INTO tables VALUES ($1, 0) ON CONFLICT (table_id) DO NOTHING";

/// Waits for whoever takes it at the same time.
const OWNER: &str = "SELECT node FROM leases WHERE table_id = $1 FOR UPDATE";

const ACQUIRE: &str = concat!(
    "INSERT INTO leases SELECT table_id, $2, epoch + 1, ",
    now!(),
    " + $3, NULL FROM tables WHERE table_id = $1 \
     AND NOT EXISTS (SELECT 1 FROM nodes WHERE name = $2 AND address <> $5) \
     ON CONFLICT (table_id) DO UPDATE SET node = excluded.node, \
     epoch = CASE WHEN leases.epoch < excluded.epoch THEN excluded.epoch ELSE leases.epoch + 1 END, \
     until = excluded.until, wanted = NULL \
     WHERE leases.node = excluded.node OR leases.until <= ",
    now!(),
    " AND (leases.wanted IS NULL OR leases.wanted = excluded.node OR leases.until + $4 <= ",
    now!(),
    ") RETURNING epoch"
);

/// Nobody else may have raised it meanwhile.
const RAISE: &str = "UPDATE tables SET epoch = $2 WHERE table_id = $1 AND epoch < $2";

/// Only the last run that joined under a name is that node.
const SEEN: &str = concat!("UPDATE nodes SET seen = ", now!(), " WHERE name = $1 AND address = $2");

const RENEW: &str = concat!(
    "UPDATE leases SET until = ",
    now!(),
    " + $2 WHERE node = $1 \
     AND epoch = (SELECT epoch FROM tables WHERE tables.table_id = leases.table_id) \
     AND NOT EXISTS (SELECT 1 FROM nodes WHERE name = $1 AND address <> $3) \
     RETURNING table_id, epoch"
);

const RELEASE: &str = concat!(
    "UPDATE leases SET node = NULL, until = ",
    now!(),
    ", wanted = $3 WHERE table_id = $1 AND epoch = $2"
);

const OWNERS: &str = concat!(
    "SELECT table_id, node, epoch, until - ",
    now!(),
    " AS remains, wanted FROM leases ORDER BY table_id"
);

impl Leases for Store {
    async fn join(&self, NodeInfo { name, address, rules }: &NodeInfo) -> StoreResult<()> {
        let row = query(JOIN).bind(name.as_str()).bind(address.as_str()).bind(rules.as_str());
        row.execute(&self.readers).await?;
        // Another run that was opened with this store would be the same one.
        let _ = self.run.set(address.clone());
        Ok(())
    }

    async fn nodes(&self) -> StoreResult<Vec<NodeRow>> {
        let rows = query(NODES).fetch_all(&self.readers).await?;
        let read = |row: &Row| {
            let row = StoredRow::new(row, "nodes", &["name"]);
            let (name, address) = (row.text("name")?, row.text("address")?);
            let info = NodeInfo { name, address, rules: row.text("rules")? };
            let seen = milliseconds(row.whole("seen")?);
            Ok(NodeRow { info, seen, is_draining: row.flag("draining")? })
        };
        rows.iter().map(read).collect()
    }

    async fn set_draining(&self, node: &str, is_draining: bool) -> StoreResult<()> {
        let row = query("UPDATE nodes SET draining = $2 WHERE name = $1").bind(node);
        Ok(super::one(row.bind(i64::from(is_draining)), &self.readers).await?)
    }

    async fn acquire(
        &self,
        table: &str,
        node: &str,
        lasts: Duration,
    ) -> StoreResult<Option<Lease>> {
        let asked = Instant::now();
        let mut transaction = self.readers.begin().await?;
        let mut connection = transaction.connection();
        query(KNOWN_TABLE).bind(table).execute(&mut connection).await?;
        let before: Option<String> = match &connection {
            Connection::Postgres(_) => {
                let row = query(OWNER).bind(table).fetch_optional(&mut connection).await?;
                row.map(|row| row.try_get("node")).transpose()?.flatten()
            }
            // One process has the file.
            Connection::Sqlite(_) => None,
        };
        let row = query(ACQUIRE).bind(table).bind(node).bind(in_milliseconds(lasts));
        let row = row.bind(in_milliseconds(HEAD_START)).bind(self.run.get().map(String::as_str));
        let row = row.fetch_optional(&mut connection).await?;
        let Some(row) = row else { return Ok(None) };
        let epoch = StoredRow::new(&row, "leases", &[]).whole("epoch")?;
        if let Some(before) = before.filter(|before| before != node) {
            end_writers(&mut connection, &before).await?;
        }
        if query(RAISE).bind(table).bind(epoch).execute(&mut connection).await? == 0 {
            return Ok(None);
        }
        transaction.commit().await?;
        Ok(Some(Lease { epoch, until: asked + lasts }))
    }

    async fn renew(&self, node: &str, lasts: Duration) -> StoreResult<Vec<(String, i64)>> {
        let renewal = async |connection: &mut Connection<'_>| {
            let run = self.run.get().map(String::as_str);
            if let Some(run) = run
                && query(SEEN).bind(node).bind(run).execute(&mut *connection).await? == 0
            {
                return Err(StoreError::Replaced);
            }
            let rows = query(RENEW).bind(node).bind(in_milliseconds(lasts)).bind(run);
            let rows = rows.fetch_all(connection).await?;
            let held = |row: &Row| {
                let row = StoredRow::new(row, "leases", &["table_id"]);
                Ok((row.text("table_id")?, row.whole("epoch")?))
            };
            rows.iter().map(held).collect()
        };
        match &self.keeper {
            Some(keeper) => keeper.within(LONGEST_RENEWAL, renewal).await,
            None => renewal(&mut self.readers.acquire().await?.connection()).await,
        }
    }

    async fn release(&self, table: &str, epoch: i64, to: Option<&str>) -> StoreResult<()> {
        let row = query(RELEASE).bind(table).bind(epoch).bind(to);
        row.execute(&self.readers).await?;
        Ok(())
    }

    async fn forget(&self, table: &str, epoch: i64) -> StoreResult<()> {
        let row = query("DELETE FROM leases WHERE table_id = $1 AND epoch = $2");
        row.bind(table).bind(epoch).execute(&self.readers).await?;
        Ok(())
    }

    async fn owners(&self) -> StoreResult<Vec<OwnerRow>> {
        let rows = query(OWNERS).fetch_all(&self.readers).await?;
        let read = |row: &Row| {
            let row = StoredRow::new(row, "leases", &["table_id"]);
            Ok(OwnerRow {
                table: row.text("table_id")?,
                node: row.get_or_none("node")?,
                epoch: row.whole("epoch")?,
                left: milliseconds(row.whole("remains")?),
                wanted: row.get_or_none("wanted")?,
            })
        };
        rows.iter().map(read).collect()
    }

    async fn ask_to_move(&self, table: &str, node: &str) -> StoreResult<()> {
        let row = query("UPDATE leases SET wanted = $2 WHERE table_id = $1").bind(table);
        Ok(super::one(row.bind(node), &self.readers).await?)
    }
}

/// A time that is at least nothing.
fn milliseconds(number: i64) -> Duration {
    Duration::from_millis(u64::try_from(number).unwrap_or(0))
}

fn in_milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use audit::chain::Chain;

    use super::super::{Append, Tables};
    use super::*;
    use crate::scratch;

    const LASTS: Duration = Duration::from_millis(300);

    /// Two handles on one file, as two nodes have it.
    async fn two(name: &str) -> [Store; 2] {
        let file = scratch::file(name);
        [Store::open(&file).await.unwrap(), Store::open(&file).await.unwrap()]
    }

    #[tokio::test]
    async fn a_table_is_taken_over_when_its_lease_has_expired_and_not_before() {
        let [one, other] = two("leases").await;
        let first = one.acquire("war-1", "one", LASTS).await.unwrap().unwrap();
        assert_eq!(one.epoch("war-1").await.unwrap(), Some(first.epoch));
        assert_eq!(other.acquire("war-1", "other", LASTS).await.unwrap(), None);
        assert_eq!(one.renew("one", LASTS).await.unwrap(), [("war-1".to_owned(), first.epoch)]);
        tokio::time::sleep(LASTS + Duration::from_millis(50)).await;
        let second = other.acquire("war-1", "other", LASTS).await.unwrap().unwrap();
        assert!(second.epoch > first.epoch);
        assert!(one.renew("one", LASTS).await.unwrap().is_empty());
        assert_eq!(one.acquire("war-1", "one", LASTS).await.unwrap(), None);

        // Whoever was paused writes nothing more, with an entry or without.
        let entries = vec![Chain::new("war-1").append("< deal")];
        let of = |epoch, entries, decks| Append {
            table: "war-1".to_owned(),
            epoch,
            entries,
            decks,
            ..Append::default()
        };
        for late in [of(first.epoch, entries.clone(), None), of(first.epoch, Vec::new(), Some(7))] {
            let refused = one.append(late).await.unwrap_err().to_string();
            assert!(refused.contains("another owner"), "{refused}");
        }
        assert_eq!(other.decks("war-1").await.unwrap(), None);
        other.append(of(second.epoch, entries, Some(7))).await.unwrap();
        assert_eq!(other.decks("war-1").await.unwrap(), Some(7));
    }

    #[tokio::test]
    async fn a_table_that_is_handed_over_goes_to_the_node_that_is_wanted() {
        let [one, other] = two("hand-over").await;
        let long = Duration::from_secs(60);
        let epoch = one.acquire("war-1", "one", long).await.unwrap().unwrap().epoch;
        one.ask_to_move("war-1", "other").await.unwrap();
        let [owner] = &one.owners().await.unwrap()[..] else { panic!("one table") };
        assert_eq!(owner.node.as_deref(), Some("one"));
        assert_eq!(owner.wanted.as_deref(), Some("other"));
        assert!(owner.left > Duration::from_secs(50));
        one.release("war-1", epoch, Some("other")).await.unwrap();
        assert!(one.renew("one", long).await.unwrap().is_empty());
        assert_eq!(one.acquire("war-1", "third", long).await.unwrap(), None);
        assert!(other.acquire("war-1", "other", long).await.unwrap().unwrap().epoch > epoch);
        // An old epoch lets go of nothing.
        one.release("war-1", epoch, None).await.unwrap();
        assert_eq!(other.owners().await.unwrap()[0].node.as_deref(), Some("other"));
        // Who raises the epoch without a lease shuts everybody out.
        other.own("war-1").await.unwrap();
        assert!(other.renew("other", long).await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_node_that_was_killed_has_its_tables_again_at_once() {
        let [one, again] = two("again").await;
        let long = Duration::from_secs(60);
        let epoch = one.acquire("war-1", "one", long).await.unwrap().unwrap().epoch;
        let later = again.acquire("war-1", "one", long).await.unwrap().unwrap().epoch;
        assert!(later > epoch);
    }

    #[tokio::test]
    async fn a_run_of_a_node_that_was_replaced_keeps_and_takes_nothing() {
        let [before, after] = two("replaced").await;
        let long = Duration::from_secs(60);
        let run = |number: u32| NodeInfo {
            name: "one".to_owned(),
            address: format!("one-{number}"),
            rules: rules::RULES_VERSION.to_owned(),
        };
        before.join(&run(1)).await.unwrap();
        let epoch = before.acquire("war-1", "one", long).await.unwrap().unwrap().epoch;
        assert_eq!(before.renew("one", long).await.unwrap(), [("war-1".to_owned(), epoch)]);
        after.join(&run(2)).await.unwrap();
        let later = after.acquire("war-1", "one", long).await.unwrap().unwrap().epoch;
        // The one before was paused, and wakes up.
        assert!(matches!(before.renew("one", long).await, Err(StoreError::Replaced)));
        for table in ["war-1", "war-2"] {
            assert_eq!(before.acquire(table, "one", long).await.unwrap(), None, "{table}");
        }
        assert_eq!(after.renew("one", long).await.unwrap(), [("war-1".to_owned(), later)]);
    }

    #[tokio::test]
    async fn nodes_are_known_and_drained() {
        let [one, other] = two("nodes").await;
        let node = |name: &str| NodeInfo {
            name: name.to_owned(),
            address: "127.0.0.1:4222".to_owned(),
            rules: rules::RULES_VERSION.to_owned(),
        };
        for (store, name) in [(&one, "one"), (&other, "other")] {
            store.join(&node(name)).await.unwrap();
        }
        other.set_draining("one", true).await.unwrap();
        let nodes = one.nodes().await.unwrap();
        let seen: Vec<_> = nodes.iter().map(|it| (&it.info, it.is_draining)).collect();
        assert_eq!(seen, [(&node("one"), true), (&node("other"), false)]);
        assert!(nodes.iter().all(|it| it.seen < Duration::from_secs(20)));
        assert!(one.set_draining("nobody", true).await.is_err());
    }
}
