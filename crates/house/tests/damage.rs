//! A damaged store: whatever byte of whatever row is wrong, the house says where or does not notice,
//! and never ends for it.

use crate::client;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Instant, SystemTime};

use client::open::{Open, data, quick};
use client::{Client, Guest, http, http_with};
use house::config::Setup;
use house::people::password::Password;
use house::{Config, Opened, STORE_FILE};
use rules::wager::Game;
use serde_json::json;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, Connection, Row};

const PASSWORD: &str = "nine of diamonds";

/// How many times a byte of the file is flipped, anywhere in it.
const FLIPS: u64 = 60;

/// How often the program panicked.
static PANICS: AtomicUsize = AtomicUsize::new(0);

fn config(data: PathBuf) -> Config {
    let mut config = Config::new(data);
    // One dollar is corrected by one supervisor, and more by two.
    config.limits.correction_alone = 1;
    config.tables = vec![Setup::new("war-1", Game::CasinoWar), Setup::new("free-1", Game::FreeBet)];
    for table in &mut config.tables {
        table.pace = quick();
    }
    config
}

/// Asks with a cookie, and gives status and body.
fn ask(address: SocketAddr, method: &str, path: &str, cookie: &str, body: &str) -> (u16, String) {
    let lines = format!("Content-Type: application/json\r\nCookie: {cookie}\r\n");
    let (head, body) = http_with(address, method, path, &lines, body);
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body)
}

fn cookie_of(address: SocketAddr, name: &str) -> String {
    let body = json!({ "name": name, "password": PASSWORD }).to_string();
    let (head, _) =
        http_with(address, "POST", "/api/login", "Content-Type: application/json\r\n", &body);
    let line = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    line.split(';').next().unwrap().to_owned()
}

/// A store with a row of every kind: rounds, a correction, bounds, a bot, acts.
struct Played {
    file: PathBuf,
    /// The cookies of a guest, an operator, a supervisor, and an account that was a guest.
    people: [String; 4],
}

fn played(name: &str) -> Played {
    let data = data(name);
    let house = Open::with(config(data.clone()));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let password = || Password::new(PASSWORD.to_owned()).unwrap();
    runtime.block_on(house::make_operator(&data, "max".parse().unwrap(), &password())).unwrap();
    let (address, guest) = (house.address, Guest::new(house.address));
    let operator = cookie_of(address, "max");
    for body in [
        json!({ "name": "eve", "kind": "account", "role": "supervisor", "password": PASSWORD }),
        json!({ "name": "ann", "kind": "account", "role": "player", "password": PASSWORD }),
        json!({ "name": "robot", "kind": "bot", "role": "player" }),
    ] {
        let (status, answer) = ask(address, "POST", "/api/people", &operator, &body.to_string());
        assert_eq!(status, 200, "{answer}");
    }
    let token = json!({ "label": "first" }).to_string();
    ask(address, "POST", "/api/people/robot/tokens", &operator, &token);
    for table in ["war-1", "free-1"] {
        let mut client = Client::at(address, table, &guest, None);
        client.sit(1, "100");
        client.play_until(|client| client.round() >= 3);
    }
    // The looser limit holds only later.
    for loss in ["500", "800"] {
        let limits = json!({ "loss": loss, "minutes": 600 }).to_string();
        assert_eq!(ask(address, "POST", "/api/me/limits", &guest.cookie, &limits).0, 200);
    }
    let (eve, ann) = (cookie_of(address, "eve"), cookie_of(address, "ann"));
    let week =
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs() + 604_800;
    let until = json!({ "until": week }).to_string();
    assert_eq!(ask(address, "POST", "/api/me/exclusion", &ann, &until).0, 200);
    let because = json!({ "because": "it is too fast" }).to_string();
    let path = "/api/people/robot/suspension";
    assert_eq!(ask(address, "POST", path, &operator, &because).0, 200);
    let account = json!({ "name": "dora", "password": PASSWORD }).to_string();
    let other = Guest::new(address);
    let (status, answer) = ask(address, "POST", "/api/account", &other.cookie, &account);
    assert_eq!(status, 200, "{answer}");
    let dora = cookie_of(address, "dora");
    // The second one waits for another supervisor.
    for (id, amount) in [("one", "0.01"), ("two", "2")] {
        let correct = json!({
            "id": id,
            "do": {
                "type": "correct", "round": 1, "amount": amount, "from": "house",
                "to": { "rack": "1" }, "because": "the payout was short",
            },
        });
        let path = "/api/tables/war-1/orders";
        let (status, answer) = ask(address, "POST", path, &eve, &correct.to_string());
        assert_eq!(status, 200, "{answer}");
    }
    house.close();
    let people = [guest.cookie, operator, eve, dora];
    Played { file: data.join(STORE_FILE), people }
}

/// Every column of every table that the store makes, with its type.
async fn columns(file: &Path) -> Vec<(String, String, String)> {
    let mut store = SqliteConnection::connect_with(&options(file)).await.unwrap();
    let rows = sqlx::query(
        "SELECT tables.name AS of, columns.name, columns.type FROM sqlite_schema AS tables, \
         pragma_table_info(tables.name) AS columns \
         WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%' ORDER BY 1, columns.cid",
    );
    let rows = rows.fetch_all(&mut store).await.unwrap();
    store.close().await.unwrap();
    rows.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect()
}

fn options(file: &Path) -> SqliteConnectOptions {
    let options = SqliteConnectOptions::new().filename(file).foreign_keys(false);
    options.pragma("ignore_check_constraints", "ON")
}

/// Makes a column unreadable in every row: text that is no UTF-8, numbers that are none of the house's.
async fn damage(file: &Path, table: &str, column: &str, kind: &str) -> u64 {
    let mut store = SqliteConnection::connect_with(&options(file)).await.unwrap();
    let triggers = sqlx::query("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'");
    let triggers = triggers.fetch_all(&mut store).await.unwrap();
    for row in &triggers {
        let line = format!("DROP TRIGGER {}", row.get::<String, _>(0));
        sqlx::raw_sql(AssertSqlSafe(line)).execute(&mut store).await.unwrap();
    }
    let value = match kind {
        "TEXT" => format!("CAST(CAST({column} AS BLOB) || x'ff' AS TEXT)"),
        _ => format!("-9000000000000000000 - {column}"),
    };
    let line = format!("UPDATE {table} SET {column} = {value} WHERE {column} IS NOT NULL");
    let changed = sqlx::raw_sql(AssertSqlSafe(line)).execute(&mut store).await.unwrap();
    for row in &triggers {
        let line = AssertSqlSafe(row.get::<String, _>("sql"));
        sqlx::raw_sql(line).execute(&mut store).await.unwrap();
    }
    store.close().await.unwrap();
    changed.rows_affected()
}

/// Opens a house with a store, asks all that reads it, and gives every word that it said.
fn asked(played: &Played, file: &Path) -> String {
    let folder = file.parent().unwrap();
    let mut said = String::new();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let out = folder.join("out");
    match runtime.block_on(house::store::export(file, &out)) {
        Ok(_) => {}
        Err(error) => said += &format!("export: {error}\n"),
    }
    match runtime.block_on(house::store::back_up(file, &folder.join("copy.db"))) {
        Ok(()) => {}
        Err(error) => said += &format!("backup: {error}\n"),
    }
    // Where it cannot be opened, the house says so in a sentence.
    match runtime.block_on(Opened::new(config(folder.to_owned()))) {
        Ok(opened) => drop(opened),
        Err(error) => return said + &format!("open: {error}\n"),
    }
    drop(runtime);
    let house = Open::with(config(folder.to_owned()));
    for (method, path) in [
        ("GET", "/health"),
        ("GET", "/ready"),
        ("GET", "/metrics"),
        ("GET", "/api/tables"),
        ("GET", "/api/export/war-1"),
        ("GET", "/api/export/free-1"),
        ("GET", "/api/rounds?table=war-1"),
        ("GET", "/api/rounds/war-1/1"),
        ("GET", "/api/rounds/war-1/2"),
        ("GET", "/api/rounds/free-1/1"),
        ("GET", "/api/shoes/war-1/1"),
        ("GET", "/api/shoes/free-1/1"),
        ("GET", "/api/rounds"),
        ("GET", "/api/me"),
        ("GET", "/api/me/bankroll"),
        ("POST", "/api/cashier"),
        ("GET", "/api/people"),
        ("GET", "/api/office/events"),
        ("GET", "/api/tables/war-1/orders"),
        ("POST", "/api/backup"),
    ] {
        for who in &played.people {
            let (status, body) = ask(house.address, method, path, who, "");
            if ![200, 401, 403, 404, 409].contains(&status) {
                said += &format!("{method} {path}: {status} {body}\n");
            }
        }
    }
    let login = json!({ "name": "max", "password": PASSWORD }).to_string();
    let (status, body) = ask(house.address, "POST", "/api/login", "", &login);
    said += &format!("login: {status} {body}\n");
    let (status, body) = ask(house.address, "POST", "/api/guest", "", "");
    said += &format!("guest: {status} {body}\n");
    // And it is still there.
    let (head, _) = http(house.address, "GET", "/api/tables", "");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    house.close();
    said
}

fn copy(played: &Played, name: &str) -> PathBuf {
    let folder = data(&format!("damage-{name}"));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::copy(&played.file, folder.join(STORE_FILE)).unwrap();
    folder.join(STORE_FILE)
}

#[test]
fn no_damaged_row_is_skipped_and_none_ends_the_house() {
    std::panic::set_hook(Box::new(|panic| {
        PANICS.fetch_add(1, Ordering::SeqCst);
        eprintln!("{panic}");
    }));
    let played = played("damage-columns");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut unnoticed = BTreeMap::new();
    let is_used = |(table, ..): &(String, String, String)| !WITHOUT_ROWS.contains(&&**table);
    for (table, column, kind) in runtime.block_on(columns(&played.file)).into_iter().filter(is_used)
    {
        let file = copy(&played, "column");
        let rows = runtime.block_on(damage(&file, &table, &column, &kind));
        assert_eq!(rows == 0, EMPTY.contains(&&*format!("{table}.{column}")), "{table}.{column}");
        let said = asked(&played, &file);
        assert_eq!(PANICS.load(Ordering::SeqCst), 0, "{table}.{column}: {said}");
        let is_it = |(of, ..): &&(&str, &str)| *of == format!("{table}.{column}");
        let own = format!("column {column} of {table}");
        let words = OTHER_WORDS.iter().find(is_it).map_or(own.as_str(), |(_, words)| words);
        if !said.contains(words) {
            unnoticed.insert(format!("{table}.{column}"), said);
        }
    }
    let expected: Vec<&str> = UNNOTICED.iter().map(|(column, _)| *column).collect();
    let found: Vec<&str> = unnoticed.keys().map(String::as_str).collect();
    assert_eq!(found, expected, "{unnoticed:#?}");
}

/// Tables without a row in the store of the test: it has one node, and nobody trains there.
const WITHOUT_ROWS: [&str; 4] = ["leases", "nodes", "risks", "training"];

/// Columns without a value in the store of the test: nothing reads the first two, the house was not open
/// for long enough to reconcile, and nobody is being unseated there.
const EMPTY: [&str; 8] = [
    "corrections_asked.decided_by",
    "corrections_asked.decision",
    "reconciled.hash",
    "reconciled.round",
    "reconciled.seq",
    "reconciled.table_id",
    "unseatings.person",
    "unseatings.table_id",
];

/// Columns whose damage is told in other words.
const OTHER_WORDS: [(&str, &str); 13] = [
    ("corrections_asked.asked_by", "store-not-read"),
    ("corrections_asked.at", "store-not-read"),
    ("corrections_asked.id", "store-not-read"),
    ("corrections_asked.line", "store-not-read"),
    ("ended.seq", "column last of ended"),
    ("entries.table_id", "cannot go on: its log has 0 in rack:1"),
    ("played.id", "column id of ended"),
    ("rounds.round", "column shoe of rounds"),
    ("rounds.seq", "column first of rounds"),
    ("rounds.table_id", "column shoe of rounds"),
    ("sealed.shoe", "the row is missing"),
    ("sealed.table_id", "the row is missing"),
    ("sessions.label", "column tokens of people"),
];

/// Columns whose damage is not told to whoever asks, and why.
const UNNOTICED: [(&str, &str); 58] = [
    ("checkpoints.hash", SHORTCUT),
    ("checkpoints.moment", SHORTCUT),
    ("checkpoints.rules", SHORTCUT),
    ("checkpoints.seq", SHORTCUT),
    ("checkpoints.standing", SHORTCUT),
    ("checkpoints.table_id", SHORTCUT),
    ("checkpoints.version", SHORTCUT),
    ("commands.asks_hash", "read where the same command comes again: a test of the store"),
    ("commands.at", "an id is forgotten sooner"),
    ("commands.id", KEY),
    ("commands.player", KEY),
    ("commands.seq", "read where the same command comes again"),
    ("commands.table_id", "never read"),
    ("corrections.round", KEY),
    ("corrections.table_id", KEY),
    ("corrections_asked.decided_by", "no value"),
    ("corrections_asked.decision", "no value"),
    ("corrections_asked.table_id", KEY),
    ("corrections_asked.until", "it waits no longer"),
    ("decks.since", CLOSED),
    ("decks.table_id", KEY),
    ("entries.epoch", "never read"),
    ("former_names.name", KEY),
    ("house.people_version", NODES),
    ("house.unscoped", "read by `pitboss audit` alone"),
    ("meter_rounds.resets", CLOSED),
    ("meter_rounds.table_id", KEY),
    ("people_news.name", NODES),
    ("people_news.version", NODES),
    ("played.person", KEY),
    ("played.table_id", KEY),
    ("progressives.awarded", CLOSED),
    ("progressives.awards", CLOSED),
    ("progressives.contributed", CLOSED),
    ("progressives.name", CLOSED),
    ("progressives.overflow", CLOSED),
    ("progressives.resets", CLOSED),
    ("progressives.restored", CLOSED),
    ("progressives.seeded", CLOSED),
    ("reconciled.hash", NOT_YET),
    ("reconciled.round", NOT_YET),
    ("reconciled.seq", NOT_YET),
    ("reconciled.table_id", NOT_YET),
    ("results.person", KEY),
    ("results.transfer", "it puts rows of one second in order"),
    ("rounds.at", "read for the lengths of sessions alone"),
    ("sessions.name", "whoever has the token is not known: column kind of people (name ?)"),
    ("sessions.since", "it puts sessions in order"),
    ("sessions.token_hash", KEY),
    ("sessions.until", "a session ends sooner"),
    ("settlements.round", KEY),
    ("settlements.table_id", KEY),
    ("shoes.shoe", KEY),
    ("shoes.table_id", KEY),
    ("unseatings.person", "no value"),
    ("unseatings.table_id", "no value"),
    ("visits.person", KEY),
    ("visits.until", KEY),
];

/// The house was not open for long enough to have a row; a test of the reconciliation damages one.
const NOT_YET: &str = "no value";

/// No row is found under the key that somebody asks for; `pitboss audit` finds it.
const KEY: &str = "a key";
const NODES: &str = "read where a house has several nodes";

/// Keys that are in no other table: the audit finds one that was damaged in the file, and not one that
/// was rewritten together with its index.
const UNFOUND: [&str; 3] = ["commands.id", "sessions.token_hash", "visits.until"];

/// Whether the audit of a store names a difference, or what it cannot read.
async fn is_found(store: &Path) -> bool {
    let audit = house::store::reconcile(store, &BTreeMap::new(), &mut |_, _, _| {}).await;
    audit.map_or(true, |audit| !audit.differences.is_empty())
}

#[test]
fn what_nobody_finds_by_a_damaged_key_is_found_by_the_audit() {
    let played = played("damage-keys");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    assert!(!runtime.block_on(is_found(&played.file)), "the store is sound");
    let mut unfound = Vec::new();
    for (table, column, kind) in runtime.block_on(columns(&played.file)) {
        let key = format!("{table}.{column}");
        if UNNOTICED.contains(&(key.as_str(), KEY)) {
            let file = copy(&played, "key");
            runtime.block_on(damage(&file, &table, &column, &kind));
            if !runtime.block_on(is_found(&file)) {
                unfound.push(key);
            }
        }
    }
    assert_eq!(unfound, UNFOUND);

    // One flipped byte in the file.
    // A copy has nothing in it but rows that there are.
    let folder = data("damage-keys-copy");
    std::fs::create_dir_all(&folder).unwrap();
    let compact = folder.join(STORE_FILE);
    runtime.block_on(house::store::back_up(&played.file, &compact)).unwrap();
    let whole = std::fs::read(&compact).unwrap();
    for key in ["SELECT token_hash FROM sessions", "SELECT id FROM commands"] {
        let text: String = runtime.block_on(async {
            let mut store = SqliteConnection::connect_with(&options(&played.file)).await.unwrap();
            let row = sqlx::query(key).fetch_one(&mut store).await.unwrap();
            store.close().await.unwrap();
            row.get(0)
        });
        let places = whole.windows(text.len()).enumerate();
        let places: Vec<usize> =
            places.filter(|(_, bytes)| *bytes == text.as_bytes()).map(|(at, _)| at).collect();
        assert_eq!(places.len(), 2, "{key}: {text} is in a table and an index");
        for at in places {
            let file = copy(&played, "key");
            let mut bytes = whole.clone();
            bytes[at + text.len() / 2] ^= 1;
            std::fs::write(&file, bytes).unwrap();
            assert!(runtime.block_on(is_found(&file)), "{key}: {text} at byte {at}");
        }
    }
}

/// The whole log is played instead, and the log of the program says why.
const SHORTCUT: &str = "a shortcut";

/// The table stays closed, and the log of the program says why.
const CLOSED: &str = "a closed table";

#[test]
fn no_flipped_byte_ends_the_house() {
    std::panic::set_hook(Box::new(|panic| {
        PANICS.fetch_add(1, Ordering::SeqCst);
        eprintln!("{panic}");
    }));
    let (played, begun) = (played("damage-flips"), Instant::now());
    let whole = std::fs::read(&played.file).unwrap();
    let mut number = 7_u64;
    for flip in 0..FLIPS {
        number =
            number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = usize::try_from((number >> 20) % whole.len() as u64).unwrap();
        let bit = 1 << (number >> 61);
        let file = copy(&played, "flip");
        let mut bytes = whole.clone();
        bytes[at] ^= bit;
        std::fs::write(&file, bytes).unwrap();
        let said = asked(&played, &file);
        assert_eq!(PANICS.load(Ordering::SeqCst), 0, "flip {flip}, byte {at}, {bit:#x}: {said}");
    }
    println!("{FLIPS} bytes of {} in {:?}", whole.len(), begun.elapsed());
}
