//! A house on PostgreSQL: played, audited, refused, and cut off in the middle of a commit.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use audit::chain::Chain;
use house::config::Setup;
use house::store::{
    Address, Append, Money, People, PostgresUrl, Store, StoreError, Tables, back_up, export,
    reconcile,
};
use house::{Config, HOUSE_FILE, Opened};
use rules::money::Cents;
use rules::wager::Game;

use crate::client::open::{Open, data, quick};
use crate::client::{Client, Guest};
use crate::postgres_server::Server;

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Runtime::new().unwrap()
}

fn config(data: PathBuf, url: &str) -> Config {
    let mut config = Config::new(data);
    config.store = Some(url.parse().unwrap());
    config.tables = vec![Setup::new("war-1", Game::CasinoWar), Setup::new("free-1", Game::FreeBet)];
    config.tables.iter_mut().for_each(|table| table.pace = quick());
    config
}

/// Rounds at two tables, in two openings; then everything is compared with everything.
#[test]
fn a_house_on_postgres_is_played_and_audited() {
    let Some(server) = Server::start("played") else { return };
    let (url, data) = (server.database("house"), data("postgres-played"));
    for opening in [0, 1] {
        let house = Open::with(config(data.clone(), &url));
        let guest = Guest::new(house.address);
        for table in ["war-1", "free-1"] {
            let mut client = Client::at(house.address, table, &guest, None);
            client.sit(1 + opening, "100");
            let rounds = if opening == 0 { 3 } else { 6 };
            client.play_until(|client| client.view["round"].as_u64() > Some(rounds));
        }
        house.close();
    }
    assert!(!data.join(house::STORE_FILE).exists(), "nothing of it is in a file");
    let at = Address::Postgres(url.parse().unwrap());
    let runtime = runtime();
    let found = runtime.block_on(reconcile(&at, &BTreeMap::new(), &mut |_, _, _| {})).unwrap();
    assert_eq!(found.differences, []);
    let [free, war] = found.tables.as_slice() else { panic!("{found:?}") };
    assert!(war.entries > 50 && war.rounds >= 5 && war.orders >= 1 && free.rounds >= 5, "{war:?}");
    let out = data.join("out");
    for file in runtime.block_on(export(&at, &out)).unwrap() {
        let text = std::fs::read_to_string(&file).unwrap();
        if file.extension().is_some_and(|end| end == "log") {
            assert!(audit::verify(text.as_bytes(), &[]).unwrap().is_clean(), "{}", file.display());
        }
    }
    // Money that no transfer moved is found, here as in a file.
    server
        .psql("house", "UPDATE accounts SET balance = balance + 1 WHERE account = 'house'")
        .unwrap();
    let found = runtime.block_on(reconcile(&at, &BTreeMap::new(), &mut |_, _, _| {})).unwrap();
    assert_eq!(found.differences.len(), 1, "{:?}", found.differences);
    let copied = runtime.block_on(back_up(&at, &out.join("copy.db"))).unwrap_err().to_string();
    assert!(copied.contains("pg_dump"), "{copied}");
}

#[test]
fn a_database_that_cannot_be_the_store_is_refused_and_left_alone() {
    let Some(server) = Server::start("refused") else { return };
    let runtime = runtime();
    let refused = |url: &str| {
        let url: PostgresUrl = url.parse().unwrap();
        let error = runtime.block_on(Store::open(url)).err().expect("refused");
        assert!(matches!(error, StoreError::Unsuitable(_)), "{error:?}");
        error.to_string()
    };
    let sentence = refused(&server.url("pitboss", "none"));
    assert!(sentence.contains("has no database none; make one with createdb"), "{sentence}");
    let sentence = refused(&server.url("stranger", "postgres"));
    assert!(sentence.contains("refuses the house: role \"stranger\" does not exist"), "{sentence}");
    let sentence = refused("postgres://pitboss@127.0.0.1:9/house");
    assert!(sentence.contains("at 127.0.0.1:9 cannot be reached"), "{sentence}");

    let other = server.database("other");
    server.psql("other", "CREATE TABLE invoices (id INT)").unwrap();
    assert!(refused(&other).contains("has tables of another program"));
    assert_eq!(tables(&server, "other"), "1");

    server.database("bare");
    server
        .psql("bare", "CREATE ROLE clerk LOGIN; REVOKE ALL ON SCHEMA public FROM public")
        .unwrap();
    let sentence = refused(&server.url("clerk", "bare"));
    assert!(sentence.contains("the user clerk of the database bare"), "{sentence}");
    assert_eq!(tables(&server, "bare"), "0");

    let lazy = server.database("lazy");
    server.psql("lazy", "ALTER DATABASE lazy SET synchronous_commit = off").unwrap();
    assert!(refused(&lazy).contains("has synchronous_commit = off and may lose"));
    server.psql("lazy", "ALTER DATABASE lazy RESET synchronous_commit").unwrap();
    server.psql("lazy", "ALTER SYSTEM SET fsync = off").unwrap();
    server.psql("lazy", "SELECT pg_reload_conf(), pg_sleep(0.5)").unwrap();
    assert!(refused(&lazy).contains("has fsync = off and may lose"));
    server.psql("lazy", "ALTER SYSTEM RESET fsync").unwrap();
    server.psql("lazy", "SELECT pg_reload_conf(), pg_sleep(0.5)").unwrap();
    assert_eq!(tables(&server, "lazy"), "0");

    let later = server.database("later");
    runtime.block_on(async { Store::open(url(&later)).await.unwrap().close().await });
    server.psql("later", "UPDATE pitboss SET version = 1000").unwrap();
    let error = runtime.block_on(Store::open(url(&later))).err().unwrap();
    assert!(matches!(error, StoreError::Later), "{error}");

    // One house at a time, and always the same one.
    let (one, folder) = (server.database("one"), data("postgres-one"));
    let opened = runtime.block_on(Opened::new(config(folder.clone(), &one))).unwrap();
    let second = config(data("postgres-second"), &one);
    let sentence = runtime.block_on(Opened::new(second)).err().unwrap().to_string();
    assert!(sentence.starts_with("another house is open with the database one"), "{sentence}");
    drop(opened);
    drop(runtime);
    let runtime = self::runtime();
    let empty = server.database("empty");
    let sentence = runtime.block_on(Opened::new(config(folder, &empty))).err().unwrap().to_string();
    assert!(
        sentence.contains("is empty, but the data directory is that of the house"),
        "{sentence}"
    );
    assert_eq!(tables(&server, "empty"), "0");
    // A first start on a full disk may have left the file without the name.
    let (first, begun) = (server.database("first"), data("postgres-first"));
    std::fs::create_dir_all(&begun).unwrap();
    std::fs::write(begun.join(HOUSE_FILE), "").unwrap();
    let opened = runtime.block_on(Opened::new(config(begun.clone(), &first))).unwrap();
    runtime.block_on(opened.close());
    let named = std::fs::read_to_string(begun.join(HOUSE_FILE)).unwrap();
    let id = server.psql("first", "SELECT id FROM house").unwrap();
    assert_eq!(named.trim(), id.trim());
}

fn url(text: &str) -> PostgresUrl {
    text.parse().unwrap()
}

/// The schema that a start insists on is the same after `pg_dump` and `pg_restore`.
#[test]
fn a_restored_backup_opens() {
    let Some(server) = Server::start("restored") else { return };
    let runtime = runtime();
    let store = runtime.block_on(Store::open(url(&server.database("house")))).unwrap();
    let ann = "ann".parse().unwrap();
    runtime.block_on(store.add_guest(&ann, "secret")).unwrap();
    runtime.block_on(store.close());
    let restored = url(&server.restored("house", "again"));
    let store = runtime.block_on(Store::open(restored)).unwrap();
    assert!(runtime.block_on(store.person("secret")).unwrap().is_some());
    runtime.block_on(store.close());
    // The schema that is made to compare is gone.
    let line = "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'pitboss_check%'";
    assert_eq!(server.psql("again", line).unwrap(), "0");
}

/// How many tables a database has.
fn tables(server: &Server, database: &str) -> String {
    let line = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
    server.psql(database, line).unwrap()
}

/// What a proxy does with the next message of a connection.
#[derive(Default)]
struct Cut {
    /// It stops on its way until this is so no more, and no other connection is made.
    is_held: AtomicBool,
    /// It never reaches the server.
    question: AtomicBool,
    /// The server's answer never comes back.
    answer: AtomicBool,
}

/// A proxy before a server, whose connections can be cut.
fn proxy(socket: PathBuf, cut: Arc<Cut>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let (client, server) = (client.unwrap(), UnixStream::connect(&socket));
            // The server may be down, or out of reach.
            let Ok(server) = server else { continue };
            if cut.is_held.load(Ordering::SeqCst) {
                continue;
            }
            let ends = (client.try_clone().unwrap(), server.try_clone().unwrap());
            let (asks, answers) = (cut.clone(), cut.clone());
            std::thread::spawn(move || {
                pass(&client, &server, &asks.question, &asks.is_held);
                let _ = (client.shutdown(Shutdown::Both), server.shutdown(Shutdown::Both));
            });
            std::thread::spawn(move || {
                pass(&ends.1, &ends.0, &answers.answer, &AtomicBool::new(false));
                let _ = (ends.0.shutdown(Shutdown::Both), ends.1.shutdown(Shutdown::Both));
            });
        }
    });
    port
}

/// Passes bytes on until one end is closed, or this is cut.
fn pass<'a, A, B>(mut from: &'a A, mut to: &'a B, cut: &AtomicBool, is_held: &AtomicBool)
where
    &'a A: Read,
    &'a B: Write,
{
    let mut bytes = [0; 16 * 1024];
    while let Ok(read @ 1..) = from.read(&mut bytes) {
        while is_held.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(5));
        }
        if cut.swap(false, Ordering::SeqCst) || to.write_all(&bytes[..read]).is_err() {
            return;
        }
    }
}

/// A commit that arrives when the house has given it up is not believed to be lost before that is certain.
#[test]
fn a_commit_that_arrives_late_is_waited_for_or_kept_out() {
    let Some(server) = Server::start("late") else { return };
    server.database("house");
    let cut = Arc::new(Cut::default());
    let port = proxy(server.socket(), cut.clone());
    let at = url(&format!("postgres://pitboss@127.0.0.1:{port}/house?sslmode=disable"));
    let runtime = runtime();
    let store = runtime.block_on(Store::open(at)).unwrap();
    let epoch = runtime.block_on(store.own("war-1")).unwrap();
    let mut chain = Chain::new("war-1");
    let mut append = || {
        let entries = vec![chain.append("< deal")];
        Append { table: "war-1".to_owned(), epoch, entries, ..Append::default() }
    };
    runtime.block_on(store.append(append())).unwrap();
    runtime.block_on(store.settle()).unwrap();
    cut.is_held.store(true, Ordering::SeqCst);
    assert!(runtime.block_on(store.append(append())).is_err());
    // It may still be made: a table that reads its log now may miss it.
    assert!(runtime.block_on(store.settle()).is_err());
    let entries = || server.psql("house", "SELECT count(*) FROM entries").unwrap();
    assert_eq!(entries(), "1");
    cut.is_held.store(false, Ordering::SeqCst);
    runtime.block_on(store.settle()).unwrap();
    let settled = entries();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(entries(), settled, "nothing is written after that");
    runtime.block_on(store.close());
}

/// Whatever is lost of a commit, it is made once, and the house knows it.
#[test]
fn a_commit_of_unknown_outcome_is_looked_up_and_made_once() {
    let Some(mut server) = Server::start("lost") else { return };
    server.database("house");
    let cut = Arc::new(Cut::default());
    let port = proxy(server.socket(), cut.clone());
    let at = url(&format!("postgres://pitboss@127.0.0.1:{port}/house?sslmode=disable"));
    let runtime = runtime();
    let store = runtime.block_on(Store::open(at)).unwrap();
    let ann = "ann".parse().unwrap();
    runtime.block_on(store.add_guest(&ann, "secret")).unwrap();
    let epoch = runtime.block_on(store.own("war-1")).unwrap();
    let mut chain = Chain::new("war-1");
    let mut append = |decks: Option<i64>| {
        let entries = vec![chain.append("< deal")];
        let transfer = rules::table::Transfer {
            from: "player:ann".parse().unwrap(),
            to: "rack:1".parse().unwrap(),
            amount: Cents::new(100),
        };
        let (table, transfers) = ("war-1".to_owned(), vec![transfer]);
        Append { table, epoch, entries, transfers, decks, ..Append::default() }
    };
    // The first one makes the statements known, so that the later ones are one message each.
    runtime.block_on(store.append(append(None))).unwrap();
    cut.answer.store(true, Ordering::SeqCst);
    runtime.block_on(store.append(append(None))).unwrap();
    runtime.block_on(store.append(append(None))).unwrap();
    cut.question.store(true, Ordering::SeqCst);
    runtime.block_on(store.append(append(None))).unwrap();
    // In the middle of several messages.
    cut.answer.store(true, Ordering::SeqCst);
    runtime.block_on(store.append(append(Some(5)))).unwrap();
    // A server that crashed and is back.
    server.end();
    server.begin();
    runtime.block_on(store.append(append(None))).unwrap();
    let entries = server.psql("house", "SELECT count(*) FROM entries").unwrap();
    let rack =
        server.psql("house", "SELECT balance FROM accounts WHERE account = 'rack:1'").unwrap();
    assert_eq!((entries.as_str(), rack.as_str()), ("6", "600"));
    assert_eq!(runtime.block_on(store.total()).unwrap(), Cents::ZERO);
    // A server that is gone is said so, and a later write finds it again.
    server.end();
    let gone = runtime.block_on(store.append(append(None)));
    assert!(gone.is_err());
    server.begin();
    let entries = runtime.block_on(store.entries("war-1", 6, 6)).unwrap();
    let next = vec![Chain::after(entries[0].head()).append("< deal")];
    let again = Append { table: "war-1".to_owned(), epoch, entries: next, ..Append::default() };
    runtime.block_on(store.append(again)).unwrap();
    runtime.block_on(store.close());
    assert_eq!(server.psql("house", "SELECT count(*) FROM writers").unwrap(), "0");
}
