//! A store is held against itself: whatever is edited, removed, reordered or cut off is named.

use crate::client;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use audit::chain::Head;
use client::open::{Open, data, quick};
use client::{Client, Guest};
use house::config::Setup;
use house::store::{Reconciliation, reconcile};
use house::{Config, Opened, STORE_FILE};
use rules::wager::Game;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, Connection, Row};

fn config(data: PathBuf) -> Config {
    let mut config = Config::new(data);
    config.tables = vec![Setup::new("war-1", Game::CasinoWar), Setup::new("free-1", Game::FreeBet)];
    config.tables.iter_mut().for_each(|table| table.pace = quick());
    config
}

/// A store with some rounds at two tables.
fn played(name: &str) -> PathBuf {
    let data = data(name);
    let house = Open::with(config(data.clone()));
    let guest = Guest::new(house.address);
    for table in ["war-1", "free-1"] {
        let mut client = Client::at(house.address, table, &guest, None);
        client.sit(1, "100");
        client.play_until(|client| client.view["round"].as_u64() >= Some(4));
    }
    house.close();
    data.join(STORE_FILE)
}

/// A copy of a store in which this was changed behind the back of all its rules.
async fn edited(store: &Path, name: &str, lines: &str) -> PathBuf {
    let folder = data(name);
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(STORE_FILE);
    std::fs::copy(store, &file).unwrap();
    let options = SqliteConnectOptions::new().filename(&file).foreign_keys(false);
    let options = options.pragma("ignore_check_constraints", "ON");
    let mut copy = SqliteConnection::connect_with(&options).await.unwrap();
    let triggers = sqlx::query("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'");
    let triggers = triggers.fetch_all(&mut copy).await.unwrap();
    for row in &triggers {
        let line = format!("DROP TRIGGER {}", row.get::<String, _>(0));
        sqlx::raw_sql(AssertSqlSafe(line)).execute(&mut copy).await.unwrap();
    }
    let changed = sqlx::raw_sql(AssertSqlSafe(lines.to_owned())).execute(&mut copy).await.unwrap();
    assert!(lines.is_empty() || changed.rows_affected() > 0, "{lines}");
    for row in &triggers {
        let line = AssertSqlSafe(row.get::<String, _>(1));
        sqlx::raw_sql(line).execute(&mut copy).await.unwrap();
    }
    copy.close().await.unwrap();
    file
}

/// The money of the house at all tables becomes that of the office.
const OF_THE_OFFICE: &str = "
    UPDATE transfers SET from_scope = '' WHERE from_account = 'house';
    UPDATE transfers SET to_scope = '' WHERE to_account = 'house';
    INSERT INTO accounts SELECT '', account, sum(balance) FROM accounts
      WHERE account = 'house' AND scope <> '' GROUP BY account
      ON CONFLICT DO UPDATE SET balance = balance + excluded.balance;
    DELETE FROM accounts WHERE account = 'house' AND scope <> ''";

async fn reconciled(store: &Path, heads: &BTreeMap<String, Vec<Head>>) -> Reconciliation {
    reconcile(store, heads, &mut |_, _, _| {}).await.unwrap()
}

/// The one number that a query gives.
async fn number(store: &Path, query: &'static str) -> i64 {
    let options = SqliteConnectOptions::new().filename(store);
    let mut store = SqliteConnection::connect_with(&options).await.unwrap();
    let number = sqlx::query(query).fetch_one(&mut store).await.unwrap().get(0);
    store.close().await.unwrap();
    number
}

#[tokio::test(flavor = "multi_thread")]
async fn every_edit_of_a_store_is_named_with_its_place() {
    let store = tokio::task::spawn_blocking(|| played("reconciled")).await.unwrap();
    let truth = reconciled(&store, &BTreeMap::new()).await;
    assert_eq!(truth.differences, []);
    let [free, war] = truth.tables.as_slice() else { panic!("{truth:?}") };
    assert!(war.entries > 50 && war.rounds >= 3 && war.orders >= 1 && free.rounds >= 3, "{war:?}");

    // What is changed, and how the sentences begin that name it.
    let last = "(SELECT max(seq) FROM entries WHERE table_id = 'war-1')";
    let swap = "UPDATE entries SET seq = 900000 WHERE table_id = 'war-1' AND seq = 9;
        UPDATE entries SET seq = 9 WHERE table_id = 'war-1' AND seq = 10;
        UPDATE entries SET seq = 10 WHERE table_id = 'war-1' AND seq = 900000";
    // Money that comes back to where it was: the balances are right, and the transfers are not.
    let moved_back = "UPDATE accounts SET balance = balance + (SELECT amount FROM transfers
            WHERE table_id = 'war-1' AND to_account = 'escrow' LIMIT 1)
          WHERE scope = 'war-1' AND account = 'rack:1';
        UPDATE accounts SET balance = balance - (SELECT amount FROM transfers
            WHERE table_id = 'war-1' AND to_account = 'escrow' LIMIT 1)
          WHERE scope = 'war-1' AND account = 'escrow';
        DELETE FROM transfers WHERE id = (SELECT id FROM transfers
            WHERE table_id = 'war-1' AND to_account = 'escrow' LIMIT 1)";
    let cases = [
        (
            "UPDATE accounts SET balance = balance + 100 WHERE account LIKE 'player:%'",
            "account player:",
        ),
        (
            "DELETE FROM accounts WHERE scope = 'war-1' AND account = 'house'",
            "table war-1, account house: its row is missing",
        ),
        (
            "UPDATE settlements SET gain = gain + 1 WHERE table_id = 'war-1' AND round = 2",
            "table war-1, settlements (round 2, bettor 1, hand 0, circle main): the row has a gain of",
        ),
        (
            "UPDATE settlements SET person = 'eve' WHERE table_id = 'free-1' AND round = 3",
            "table free-1, settlements (round 3, bettor 1,",
        ),
        (
            "DELETE FROM settlements WHERE table_id = 'war-1' AND round = 2",
            "table war-1, settlements (round 2, bettor 1, hand 0, circle main): the row is missing",
        ),
        (
            "UPDATE settlements SET bettor = '2' WHERE table_id = 'war-1' AND round = 1",
            "table war-1, settlements (round 1, bettor 1, hand 0, circle main): the row is missing",
        ),
        (
            "UPDATE sealed SET cards = substr(cards, 3) || substr(cards, 1, 2) WHERE table_id = 'war-1'",
            "table war-1, sealed (shoe 1): the order is not the one that was sealed in entry",
        ),
        (
            "DELETE FROM sealed WHERE table_id = 'free-1'",
            "table free-1, sealed (shoe 1): the row is missing",
        ),
        (
            "UPDATE entries SET line = line || '!' WHERE table_id = 'war-1' AND seq = 9",
            "table war-1, entry 9: the hash does not match",
        ),
        (
            "DELETE FROM entries WHERE table_id = 'war-1' AND seq = 9",
            "table war-1, entry 10: out of sequence: expected entry 9",
        ),
        (swap, "table war-1, entry 9: the hash does not match"),
        (
            "UPDATE rounds SET shoe = 7 WHERE table_id = 'war-1' AND round = 2",
            "table war-1, rounds (round 2): the row has shoe 7,",
        ),
        (
            "DELETE FROM rounds WHERE table_id = 'war-1' AND round = 2",
            "table war-1, rounds (round 2): the row is missing",
        ),
        (
            "UPDATE ended SET void = 1 WHERE table_id = 'war-1' AND round = 1",
            "table war-1, ended (round 1): the row has entry",
        ),
        (
            "UPDATE shoes SET seq = 3 WHERE table_id = 'war-1'",
            "table war-1, shoes (shoe 1): the row has entry 3",
        ),
        (
            "INSERT INTO rounds SELECT table_id, 999, shoe, 3, version, rules, standing, at
               FROM rounds WHERE table_id = 'war-1' AND round = 2",
            "table war-1, rounds (round 999): the last round of the log is round ",
        ),
        (
            // A round that nobody played, with all that belongs to it.
            "INSERT INTO ended SELECT 100000, table_id, 999, 9, 0, at
               FROM ended WHERE table_id = 'war-1' AND round = 2;
             INSERT INTO settlements SELECT table_id, 999, bettor, hand, circle, lammer, award, person,
               stake, 100000, clause FROM settlements WHERE table_id = 'war-1' AND round = 2;
             INSERT INTO played SELECT person, 100000, table_id FROM settlements
               WHERE table_id = 'war-1' AND round = 2 GROUP BY 1",
            "table war-1, ended (round 999): the last round of the log is round ",
        ),
        (
            "INSERT INTO settlements SELECT table_id, 999, bettor, hand, circle, lammer, award, person,
               stake, 100000, clause FROM settlements WHERE table_id = 'war-1' AND round = 2",
            "table war-1, settlements (round 999): the last round of the log is round ",
        ),
        (
            "INSERT INTO shoes SELECT table_id, 77, 9, at FROM shoes WHERE table_id = 'war-1' LIMIT 1",
            "table war-1, shoes (shoe 77): the last shoe of the log is shoe ",
        ),
        (
            "INSERT INTO sealed SELECT table_id, 77, salt, cards FROM sealed
               WHERE table_id = 'war-1' LIMIT 1",
            "table war-1, sealed (shoe 77): the last shoe of the log is shoe ",
        ),
        (
            "INSERT INTO corrections VALUES ('war-1', 2, 9)",
            "table war-1, corrections (round 2, seq 9): entry 9 corrects nothing of round 2",
        ),
        (
            // Money of a table that the office gives away.
            "INSERT INTO transfers SELECT 100000, '', 0, 'war-1', 'cashier', '', account, 500, 0
               FROM accounts WHERE account LIKE 'player:%' LIMIT 1;
             UPDATE accounts SET balance = balance + 500 WHERE account IN
               (SELECT to_account FROM transfers WHERE id = 100000);
             INSERT INTO accounts VALUES ('war-1', 'cashier', -500)",
            "transfer 100000: it moves 5 from cashier of war-1 to player:",
        ),
        (moved_back, "table war-1, transfer "),
        (
            "UPDATE entries SET hash = 'x' WHERE table_id = 'war-1' AND seq = 9",
            "table war-1, column hash of entries (table_id war-1, seq 9): it cannot be read",
        ),
    ];
    for (at, (lines, sentence)) in cases.into_iter().enumerate() {
        let file = edited(&store, &format!("reconciled-{at}"), lines).await;
        let found = reconciled(&file, &BTreeMap::new()).await.differences;
        // What no row belongs to any more is named as well.
        let (orphans, found): (Vec<_>, Vec<_>) =
            found.iter().partition(|difference| difference.place == "results");
        assert!(orphans.is_empty() || lines == moved_back, "{lines}: {orphans:?}");
        let [difference] = found.as_slice() else { panic!("{lines}: {found:?}") };
        assert!(difference.to_string().starts_with(sentence), "{lines}: {difference}");
    }
    // A store from before the house's money was kept by table: what was moved then is the office's.
    let before =
        format!("{OF_THE_OFFICE}; UPDATE house SET unscoped = (SELECT max(id) FROM transfers)");
    let file = edited(&store, "reconciled-before", &before).await;
    assert_eq!(reconciled(&file, &BTreeMap::new()).await.differences, []);
    // Today it is not the office's money.
    let file = edited(&store, "reconciled-office", OF_THE_OFFICE).await;
    let found = reconciled(&file, &BTreeMap::new()).await.differences;
    assert_eq!(found.len(), 2, "{found:?}");
    for (difference, table) in found.iter().zip(["free-1", "war-1"]) {
        let sentence = difference.to_string();
        assert!(sentence.starts_with(&format!("table {table}, transfer ")), "{sentence}");
        assert!(sentence.contains("house of the office"), "{sentence}");
        assert!(sentence.contains(&format!("house of {table}")), "{sentence}");
    }
    // An amount that is edited is no longer what the accounts hold, nor what the log moves.
    let lines = "UPDATE transfers SET amount = amount + 1 WHERE table_id = 'war-1' AND to_account = 'escrow'";
    let file = edited(&store, "reconciled-amount", lines).await;
    let found = reconciled(&file, &BTreeMap::new()).await.differences;
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].contains("but its transfers sum to"), "{found:?}");
    assert!(found[1].starts_with("table war-1, transfer "), "{found:?}");

    // Entries that are cut off leave rows behind; where those are cut off as well, only a head tells.
    let cut = format!("DELETE FROM entries WHERE table_id = 'war-1' AND seq > {last} - 9");
    let file = edited(&store, "reconciled-cut", &cut).await;
    assert_eq!(reconciled(&file, &BTreeMap::new()).await.differences.len(), 1);
    let round = "(SELECT seq FROM rounds WHERE table_id = 'war-1' AND round = 3)";
    let all = format!(
        "CREATE TEMP TABLE cut AS SELECT {round} AS at;
         DELETE FROM entries WHERE table_id = 'war-1' AND seq >= (SELECT at FROM cut);
         DELETE FROM transfers WHERE table_id = 'war-1' AND seq >= (SELECT at FROM cut);
         DELETE FROM results WHERE table_id = 'war-1' AND round >= 3;
         DELETE FROM played WHERE id IN
           (SELECT id FROM ended WHERE table_id = 'war-1' AND seq >= (SELECT at FROM cut));
         DELETE FROM ended WHERE table_id = 'war-1' AND seq >= (SELECT at FROM cut);
         DELETE FROM settlements WHERE table_id = 'war-1' AND round >= 3;
         DELETE FROM rounds WHERE table_id = 'war-1' AND round >= 3;
         UPDATE accounts SET balance =
           (SELECT coalesce(sum(amount), 0) FROM transfers
              WHERE to_scope = scope AND to_account = account) -
           (SELECT coalesce(sum(amount), 0) FROM transfers
              WHERE from_scope = scope AND from_account = account);
         UPDATE progressives SET contributed = awarded - seeded - restored - overflow +
           (SELECT balance FROM accounts WHERE scope = name)"
    );
    let file = edited(&store, "reconciled-all", &all).await;
    assert_eq!(reconciled(&file, &BTreeMap::new()).await.differences, [], "it is consistent");
    let head = war.head.unwrap();
    let heads = BTreeMap::from([("war-1".to_owned(), vec![head])]);
    assert_eq!(reconciled(&store, &heads).await.differences, []);
    let found = reconciled(&file, &heads).await.differences;
    let [difference] = found.as_slice() else { panic!("{found:?}") };
    let last = number(&file, "SELECT max(seq) FROM entries WHERE table_id = 'war-1'").await;
    let sentence = format!(
        "table war-1, entry {}: announced by the house, but the log ends with entry {last}",
        head.seq
    );
    assert_eq!(difference.to_string(), sentence);
    let heads = BTreeMap::from([("war-2".to_owned(), vec![head])]);
    let found = reconciled(&store, &heads).await.differences;
    assert!(found[0].to_string().ends_with("but the store has no such table"), "{found:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_house_is_reconciled_while_it_deals() {
    let folder = data("reconciled-open");
    let house = Open::with(config(folder.clone()));
    let address = house.address;
    let guest = tokio::task::spawn_blocking(move || Guest::new(address)).await.unwrap();
    let playing = tokio::task::spawn_blocking(move || {
        let mut client = Client::at(address, "war-1", &guest, None);
        client.sit(1, "100");
        client.play_until(|client| client.view["round"].as_u64() >= Some(12));
    });
    let (mut looks, mut entries) = (0, 0);
    while !playing.is_finished() || looks == 0 {
        let found = reconciled(&folder.join(STORE_FILE), &BTreeMap::new()).await;
        assert_eq!(found.differences, []);
        let war = found.tables.iter().find(|table| table.table == "war-1").unwrap();
        assert!(war.entries >= entries);
        (looks, entries) = (looks + 1, war.entries);
    }
    playing.await.unwrap();
    tokio::task::spawn_blocking(|| house.close()).await.unwrap();
}

/// What a house answers when asked whether everybody could play.
fn ready(address: std::net::SocketAddr) -> String {
    client::http(address, "GET", "/ready", "").1
}

/// The differences that a store has kept as events.
async fn kept(store: &Path) -> Vec<String> {
    let events = house::store::events(store, 0, 500).await.unwrap();
    let differences = events.into_iter().filter(|event| event.what == "difference");
    differences.map(|event| event.more).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_old_row_closes_its_table_alone() {
    let store = tokio::task::spawn_blocking(|| played("reconciled-old")).await.unwrap();
    let lines = "UPDATE settlements SET gain = gain + 1 WHERE table_id = 'war-1' AND round = 1";
    let file = edited(&store, "reconciled-old-edited", lines).await;
    let mut config = config(file.parent().unwrap().to_owned());
    config.reconciles_after = Duration::from_secs(2);
    tokio::task::spawn_blocking(move || {
        let house = Open::with(config);
        let guest = Guest::new(house.address);
        let mut lobby = Client::in_lobby(house.address);
        let mut client = Client::at(house.address, "war-1", &guest, None);
        client.until(|client| client.view["trouble"].is_object());
        let why = "This table is closed: its books do not agree. Your chips are safe.";
        assert_eq!(client.view["trouble"]["sentence"], why);
        // Whoever is in the lobby is told the same.
        let told = std::iter::from_fn(|| lobby.hear());
        let tables = told.flat_map(|told| told["tables"].as_array().cloned().unwrap_or_default());
        let mut troubled = tables.filter(|table| !table["trouble"].is_null());
        let table = troubled.next().unwrap();
        assert_eq!(
            (&table["table"], &table["trouble"]),
            (&"war-1".into(), &client.view["trouble"])
        );
        drop(troubled);
        let begun = Instant::now();
        while !ready(house.address).contains("table-closed") {
            assert!(begun.elapsed() < Duration::from_secs(20), "it stays open");
        }
        let mut other = Client::at(house.address, "free-1", &guest, None);
        other.sit(2, "100");
        house.close();
    })
    .await
    .unwrap();
    let kept = kept(&file).await;
    let [kept] = &kept[..] else { panic!("{kept:?}") };
    let place = "table war-1, settlements (round 1, bettor 1, hand 0, circle main): the row has";
    assert!(kept.starts_with(place), "{kept}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_looks_at_what_came_since_the_books_last_agreed() {
    let store = tokio::task::spawn_blocking(|| played("reconciled-since")).await.unwrap();
    // A house that is open keeps how far its books agree.
    let mut first = config(store.parent().unwrap().to_owned());
    first.reconciles_after = Duration::ZERO;
    let house = tokio::task::spawn_blocking(|| Open::with(first)).await.unwrap();
    let begun = Instant::now();
    loop {
        let options = SqliteConnectOptions::new().filename(&store);
        let mut open = SqliteConnection::connect_with(&options).await.unwrap();
        let rows = sqlx::query("SELECT * FROM reconciled").fetch_all(&mut open).await;
        open.close().await.unwrap();
        if rows.is_ok_and(|rows| rows.len() == 2) {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "nothing is kept");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    tokio::task::spawn_blocking(|| house.close()).await.unwrap();
    assert_eq!(kept(&store).await, [""; 0]);
    let round = number(&store, "SELECT round FROM reconciled WHERE table_id = 'war-1'").await;
    assert!(round >= 3, "{round}");

    for (name, lines, sentence) in [
        (
            "reconciled-since-row",
            "UPDATE rounds SET shoe = 7 WHERE table_id = 'war-1' AND round =
               (SELECT round FROM reconciled WHERE table_id = 'war-1')",
            "table war-1, rounds (round",
        ),
        (
            "reconciled-since-hash",
            "UPDATE reconciled SET hash = (SELECT hash FROM entries WHERE table_id = 'war-1' AND
               seq = 1) WHERE table_id = 'war-1'",
            "table war-1, entry ",
        ),
    ] {
        let file = edited(&store, name, lines).await;
        let opened = Opened::new(config(file.parent().unwrap().to_owned())).await.unwrap();
        drop(opened);
        let [kept] = &kept(&file).await[..] else { panic!("{name}: one event is kept") };
        assert!(kept.starts_with(sentence), "{kept}");
    }
    // What came before is looked at later.
    let lines = "UPDATE rounds SET shoe = 7 WHERE table_id = 'war-1' AND round = 1";
    let file = edited(&store, "reconciled-since-old", lines).await;
    drop(Opened::new(config(file.parent().unwrap().to_owned())).await.unwrap());
    assert_eq!(kept(&file).await, [""; 0]);
}

/// Seeds that the office put up.
const SEEDS: &str = "SELECT count(*) FROM transfers WHERE table_id = '' AND to_account = 'meter'";

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_progressive_closes_the_tables_that_share_it_and_posts_nothing() {
    let store = tokio::task::spawn_blocking(|| played("meter-damaged")).await.unwrap();
    assert_eq!(number(&store, SEEDS).await, 1);
    for (at, line) in [
        "DELETE FROM progressives",
        "UPDATE progressives SET contributed = contributed + 100",
        "UPDATE progressives SET awards = -1",
    ]
    .into_iter()
    .enumerate()
    {
        let file = edited(&store, &format!("meter-damaged-{at}"), line).await;
        let folder = file.parent().unwrap().to_owned();
        // A house that has nothing else does not open.
        let mut alone = config(folder.clone());
        alone.tables.truncate(1);
        let transfers = number(&file, "SELECT count(*) FROM transfers").await;
        for _ in 0..2 {
            let refused = Opened::new(alone_again(&alone)).await.err().unwrap().to_string();
            assert!(refused.contains("progressives (name the progressive)"), "{line}: {refused}");
        }
        assert_eq!(number(&file, "SELECT count(*) FROM transfers").await, transfers, "{line}");
        // One with another table opens that.
        tokio::task::spawn_blocking(move || {
            let house = Open::with(config(folder));
            let guest = Guest::new(house.address);
            let tables = client::http(house.address, "GET", "/api/tables", "").1;
            let why = "This table is closed: its books do not agree. Your chips are safe.";
            assert_eq!(tables.matches(why).count(), 1, "{tables}");
            let mut free = Client::at(house.address, "free-1", &guest, None);
            free.sit(3, "100");
            let round = free.round();
            free.play_until(|client| client.round() > round);
            house.close();
        })
        .await
        .unwrap();
        assert_eq!(number(&file, SEEDS).await, 1, "{line}");
    }
}

/// The same configuration for another start.
fn alone_again(config: &Config) -> Config {
    let mut again = Config::new(config.data.clone());
    again.tables = config.tables.clone();
    again
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_that_is_refused_puts_no_seed_up() {
    let folder = data("meter-refused");
    let mut first = config(folder.clone());
    first.tables.remove(0);
    drop(Opened::new(first).await.unwrap());
    let mut other = config(folder.clone());
    let text = "[[table]]\nname = \"free-1\"\ngame = \"free-bet\"\nterms = { main_min = 20 }";
    other.tables[1] = house::config::tables(text).unwrap().remove(0);
    let refused = Opened::new(other).await.err().unwrap().to_string();
    assert!(refused.contains("table free-1 cannot go on"), "{refused}");
    assert_eq!(number(&folder.join(STORE_FILE), SEEDS).await, 0);
    drop(Opened::new(config(folder.clone())).await.unwrap());
    assert_eq!(number(&folder.join(STORE_FILE), SEEDS).await, 1);
}
