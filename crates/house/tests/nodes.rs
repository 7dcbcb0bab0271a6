//! Several nodes of one house with one database, opened as each of them opens it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use audit::chain::{Chain, Entry};
use house::store::*;

use crate::postgres_server::Server;

const WAR: &str = "war-1";

fn url(text: &str) -> PostgresUrl {
    text.parse().unwrap()
}

async fn node(at: &str, name: &str) -> Store {
    Store::open_for_node(url(at), name).await.unwrap()
}

fn append(table: &str, epoch: i64, entries: Vec<Entry>) -> Append {
    Append { table: table.to_owned(), epoch, entries, ..Append::default() }
}

async fn refused(opening: impl Future<Output = StoreResult<Store>>) -> String {
    let error = opening.await.err().expect("refused");
    assert!(matches!(error, StoreError::Unsuitable(_)), "{error:?}");
    error.to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_share_a_database_that_a_house_alone_does_not() {
    let Some(server) = Server::start("nodes") else { return };
    let at = server.database("house");
    let one = node(&at, "one").await;
    let two = node(&at, "two").await;
    assert_eq!((one.node(), two.node()), (Some("one"), Some("two")));
    let writers = || server.psql("house", "SELECT node FROM writers ORDER BY node").unwrap();
    assert_eq!(writers(), "one\ntwo");
    let sentence = refused(Store::open_for_node(url(&at), "one")).await;
    assert!(sentence.starts_with("a node named one is open with the database"), "{sentence}");
    let sentence = refused(Store::open_for_house(url(&at))).await;
    assert!(sentence.starts_with("nodes of a house are open with the database"), "{sentence}");
    // Nothing of it hurt those who are open.
    let epoch = one.own(WAR).await.unwrap();
    one.append(append(WAR, epoch, vec![Chain::new(WAR).append("< deal")])).await.unwrap();
    assert!(matches!(two.own(WAR).await, Err(StoreError::Owned)));
    one.close().await;
    assert_eq!(writers(), "two");
    two.close().await;

    let alone = Store::open_for_house(url(&at)).await.unwrap();
    let sentence = refused(Store::open_for_node(url(&at), "one")).await;
    assert!(sentence.starts_with("a house without nodes is open with"), "{sentence}");
    assert_eq!(writers(), "house");
    alone.close().await;
    for name in ["", "house", "beside", "one two", "a.b", "É", &"x".repeat(33)] {
        let sentence = refused(Store::open_for_node(url(&at), name)).await;
        assert!(sentence.starts_with("a node cannot be named '"), "{sentence}");
    }
    // A node that was killed has left its row, which its successor takes away.
    let killed = "INSERT INTO writers (node, last) VALUES ('one', 7), ('two', 7)";
    server.psql("house", killed).unwrap();
    let one = node(&at, "one").await;
    assert_eq!(writers(), "one\ntwo");
    assert_eq!(server.psql("house", "SELECT min(last) FROM writers").unwrap(), "0");
    one.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_takeover_ends_what_the_former_owner_has_on_its_way() {
    let Some(server) = Server::start("takeover") else { return };
    let server = Arc::new(server);
    let at = server.database("house");
    let (one, two) = (node(&at, "one").await, node(&at, "two").await);
    let before = one.own(WAR).await.unwrap();
    let other = one.own("war-2").await.unwrap();
    let writer = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 \
                  AND objid = CAST(hashtext('one') AS OID)";
    let process = server.psql("house", writer).unwrap();
    assert!(matches!(two.own(WAR).await, Err(StoreError::Owned)));
    tokio::time::sleep(LEASE + Duration::from_millis(100)).await;
    let now = two.own(WAR).await.unwrap();
    assert!(now > before);
    let entry = vec![Chain::new(WAR).append("< deal")];
    // The one before is there again with another process, and writes what is still its own.
    let late = one.append(append(WAR, before, entry.clone())).await.unwrap_err().to_string();
    assert!(late.contains("another owner"), "{late}");
    one.append(append("war-2", other, vec![Chain::new("war-2").append("< deal")])).await.unwrap();
    let again = server.psql("house", writer).unwrap();
    assert!(!again.is_empty() && again != process, "{again} {process}");
    two.append(append(WAR, now, entry)).await.unwrap();
    assert!(matches!(one.own(WAR).await, Err(StoreError::Owned)));
    one.close().await;

    // One that was paused in a transaction keeps nobody from its table.
    server.psql("house", "UPDATE leases SET node = 'one', until = 0").unwrap();
    let paused = server.clone();
    let paused = std::thread::spawn(move || {
        // The number is that of the locks on nodes' names.
        let line = "SELECT pg_advisory_lock(1346983012, hashtext('one')); \
                    SELECT FROM tables FOR SHARE; SELECT pg_sleep(30)";
        paused.psql("house", line)
    });
    let sleeps = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
    while server.psql("house", sleeps).unwrap() == "0" {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let begun = Instant::now();
    assert!(two.own(WAR).await.unwrap() > now);
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    assert_eq!(paused.join().unwrap(), None, "it was ended");
    two.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn leases_are_renewed_while_everything_else_waits() {
    let Some(server) = Server::start("renewed") else { return };
    let server = Arc::new(server);
    let one = node(&server.database("house"), "one").await;
    let epoch = one.own(WAR).await.unwrap();
    one.renew("one", LEASE).await.unwrap();
    let locks = server.clone();
    let locked = std::thread::spawn(move || {
        let line = "BEGIN; LOCK TABLE entries IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(2)";
        locks.psql("house", line)
    });
    let sleeps = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
    while server.psql("house", sleeps).unwrap() == "0" {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // More than the node has connections for.
    let reads = (0..20).map(|_| {
        let one = one.clone();
        tokio::spawn(async move { one.entries(WAR, 1, 9).await })
    });
    let reads: Vec<_> = reads.collect();
    tokio::time::sleep(Duration::from_millis(200)).await;
    let begun = Instant::now();
    assert_eq!(one.renew("one", LEASE).await.unwrap(), [(WAR.to_owned(), epoch)]);
    assert!(begun.elapsed() < Duration::from_millis(500), "{:?}", begun.elapsed());
    for read in reads {
        let _ = read.await.unwrap();
    }
    locked.join().unwrap();
    one.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_schema_is_changed_while_no_house_is_open_alone() {
    let Some(server) = Server::start("migrated") else { return };
    let at = server.database("house");
    let one = node(&at, "one").await;
    // As a program of the next version finds it.
    server.psql("house", "UPDATE pitboss SET version = version - 1").unwrap();
    let earlier = server.psql("house", "SELECT version FROM pitboss");
    for opening in [
        Box::pin(Store::open_for_node(url(&at), "two")) as Opening,
        Box::pin(Store::open(url(&at))),
    ] {
        let sentence = refused(opening).await;
        assert!(sentence.contains("schema of an earlier version"), "{sentence}");
        assert!(sentence.contains("a house is open with it; stop the house"), "{sentence}");
    }
    assert_eq!(server.psql("house", "SELECT version FROM pitboss"), earlier);
    one.close().await;
    // Alone it does what it can; here that step was made before.
    let error = Store::open(url(&at)).await.err().unwrap().to_string();
    assert!(error.contains("already exists"), "{error}");
}

/// Two houses on one bus would take each other's messages for their own.
#[tokio::test(flavor = "multi_thread")]
async fn a_copy_of_a_database_has_a_name_of_its_own_on_the_bus() {
    let Some(server) = Server::start("copied") else { return };
    let at = server.database("house");
    let one = node(&at, "one").await;
    let two = node(&at, "two").await;
    let name = one.name_on_the_bus().await.unwrap();
    assert_eq!(two.name_on_the_bus().await.unwrap(), name);
    let copy = node(&server.restored("house", "copy"), "one").await;
    assert_eq!(copy.identity().await.unwrap(), one.identity().await.unwrap());
    let other = copy.name_on_the_bus().await.unwrap();
    assert_ne!(other, name);
    // A part of a subject, for whoever has no rights but in its own database.
    assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "{name}");
    server.psql("house", "CREATE ROLE clerk LOGIN; GRANT SELECT ON secrets TO clerk").unwrap();
    let as_clerk = "SET ROLE clerk; SELECT count(system_identifier) FROM pg_control_system()";
    assert_eq!(server.psql("house", as_clerk).as_deref(), Some("1"));
    for store in [one, two, copy] {
        store.close().await;
    }
}

type Opening = std::pin::Pin<Box<dyn Future<Output = StoreResult<Store>>>>;
