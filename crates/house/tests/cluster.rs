//! Several nodes of one house, as the people at its tables and whoever runs it find them.

use std::collections::BTreeMap;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, Instant};

use house::analysis::{Analysis, OwnRound, Position};
use house::config::{NodeSettings, Setup};
use house::people::password::Password;
use house::store::{Address, reconcile};
use house::{Config, Opened, make_operator_in};
use rules::wager::Game;
use serde_json::{Value, json};
use wire::{ActValueView, Coach, CostMethod, RoundReview, ValueMethod};

use crate::client::open::{Open, data, quick};
use crate::client::{Client, Guest, http, http_with};
use crate::postgres_server::{Server, free_port, on_its_own};

const PASSWORD: &str = "nine of diamonds";

const JSON: &str = "Content-Type: application/json\r\n";

/// A bus with a password, which ends with the test.
struct Bus {
    server: Child,
    port: u16,
}

impl Bus {
    /// Starts one, that lets in whoever has the password or anybody at all. None where none is installed.
    fn start(password: Option<&str>) -> Option<Bus> {
        let program = ["/usr/sbin/nats-server", "/usr/bin/nats-server"];
        let Some(program) = program.into_iter().find(|at| std::path::Path::new(at).exists()) else {
            assert!(std::env::var_os("CI").is_none(), "no NATS server is installed");
            println!("skipped: no NATS server is installed (Debian: apt-get install nats-server)");
            return None;
        };
        let port = free_port().unwrap();
        let mut command = on_its_own(program.as_ref(), "TERM", None);
        command.args(["-a", "127.0.0.1", "-p", &port.to_string()]);
        if let Some(password) = password {
            command.args(["--user", "pit", "--pass", password]);
        }
        let server = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(10), "NATS does not start");
            sleep(Duration::from_millis(10));
        }
        Some(Bus { server, port })
    }

    fn url(&self, password: &str) -> String {
        format!("nats://pit:{password}@127.0.0.1:{}", self.port)
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// A way to a port of this computer that can be cut.
struct Way {
    port: u16,
    is_cut: Arc<AtomicBool>,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl Way {
    fn to(port: u16) -> Way {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let own = listener.local_addr().unwrap().port();
        let way = Way { port: own, is_cut: Arc::default(), open: Arc::default() };
        let (is_cut, open) = (way.is_cut.clone(), way.open.clone());
        std::thread::spawn(move || {
            for from in listener.incoming().map_while(Result::ok) {
                let Ok(to) = TcpStream::connect(("127.0.0.1", port)) else { continue };
                if is_cut.load(Ordering::SeqCst) {
                    continue;
                }
                for (from, to) in [(&from, &to), (&to, &from)] {
                    let (mut from, mut to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    open.lock().unwrap().push(from.try_clone().unwrap());
                    std::thread::spawn(move || {
                        let _ = std::io::copy(&mut from, &mut to);
                        let _ = to.shutdown(Shutdown::Both);
                    });
                }
            }
        });
        way
    }

    fn cut(&self) {
        self.is_cut.store(true, Ordering::SeqCst);
        for stream in self.open.lock().unwrap().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

/// Says that standing gains one unit, whatever it is asked.
struct Stander;

impl Analysis for Stander {
    fn values(&self, _: &Position) -> Result<Vec<ActValueView>, String> {
        let (call, method) = ("stand".into(), ValueMethod::Exact);
        let (amount, at_most, prospects) = (None, None, None);
        Ok(vec![ActValueView {
            call,
            amount,
            gain: 1.0,
            cost: 0.0,
            cost_method: CostMethod::Exact,
            method,
            at_most,
            prospects,
        }])
    }

    fn review(&self, _: &OwnRound) -> RoundReview {
        let (expectation, play, luck) = (0.0, 0.0, 0.0);
        RoundReview { expectation, play, luck, decisions: Vec::new(), unvalued: 0 }
    }
}

/// A house of several nodes, with its servers.
struct House {
    postgres: Server,
    bus: Bus,
    store: String,
    name: String,
}

impl House {
    fn new(name: &str) -> Option<House> {
        let (postgres, bus) = (Server::start(name)?, Bus::start(Some("secret"))?);
        let store = postgres.database("house");
        Some(House { postgres, bus, store, name: name.to_owned() })
    }

    fn config(&self, node: &str) -> Config {
        let mut config = Config::new(data(&format!("{}-{node}", self.name)));
        config.store = Some(self.store.parse().unwrap());
        let bus = self.bus.url("secret").parse().unwrap();
        config.node = Some(NodeSettings { name: node.to_owned(), bus });
        let table =
            |(name, game)| Setup { pace: quick(), coach: Coach::Live, ..Setup::new(name, game) };
        let tables = [("war-1", Game::CasinoWar), ("free-1", Game::FreeBet)];
        config.tables = tables.into_iter().map(table).collect();
        config.analysis = Some(Arc::new(Stander));
        config
    }

    fn open(&self, node: &str) -> Open {
        let open = Open::with(self.config(node));
        http(open.address, "GET", "/health", "");
        open
    }

    /// Has an operator named max, who was not one before or begins again.
    fn make_operator(&self) {
        let at: Address = Address::Postgres(self.store.parse().unwrap());
        let password = Password::new(PASSWORD.to_owned()).unwrap();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(make_operator_in(at, "max".parse().unwrap(), &password)).unwrap();
    }

    /// The cookie of that operator, who comes in at a node.
    fn sign_in(&self, node: std::net::SocketAddr) -> String {
        let entered = json!({ "name": "max", "password": PASSWORD }).to_string();
        let (head, _) = http_with(node, "POST", "/api/login", JSON, &entered);
        let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
        cookie.split(';').next().unwrap().to_owned()
    }

    /// Which node owns each table, once every table has an owner and none has two tables more than another.
    fn owners(&self) -> BTreeMap<String, String> {
        let begun = Instant::now();
        loop {
            let rows = "SELECT table_id || ' ' || node FROM leases WHERE node IS NOT NULL \
                        AND until > unixepoch('subsec') * 1000";
            let rows = self.postgres.psql("house", rows).unwrap_or_default();
            let owners: BTreeMap<String, String> = rows
                .lines()
                .filter_map(|line| line.split_once(' '))
                .map(|(table, node)| (table.to_owned(), node.to_owned()))
                .collect();
            let nodes = self.postgres.psql("house", "SELECT node FROM writers").unwrap_or_default();
            let of = |node: &str| owners.values().filter(|owner| *owner == node).count();
            let is_fair = nodes.lines().all(|node| of(node) * nodes.lines().count() >= 1);
            if owners.len() == 2 && is_fair {
                return owners;
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "{owners:?}");
            sleep(Duration::from_millis(50));
        }
    }

    /// What an audit finds wrong.
    fn audited(&self) -> Vec<String> {
        let at = Address::Postgres(self.store.parse().unwrap());
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let found = runtime.block_on(reconcile(&at, &BTreeMap::new(), &mut |_, _, _| {})).unwrap();
        found.differences.iter().map(ToString::to_string).collect()
    }
}

fn json_of(answer: (String, String)) -> (u16, Value) {
    let status = answer.0.split(' ').nth(1).unwrap().parse().unwrap();
    (status, serde_json::from_str(&answer.1).unwrap_or_default())
}

#[test]
fn a_client_at_any_node_plays_at_every_table_and_goes_on_when_a_node_closes() {
    let Some(house) = House::new("cluster-played") else { return };
    let [one, two] = ["one", "two"].map(|node| house.open(node));
    let owners = house.owners();
    assert_ne!(owners["war-1"], owners["free-1"], "each node has its share");
    let at = |node: &str| if node == "one" { one.address } else { two.address };
    // Each sits at the table of the other node.
    let mut players: Vec<(String, Client, Guest)> = owners
        .iter()
        .map(|(table, owner)| {
            let other = if owner == "one" { "two" } else { "one" };
            let guest = Guest::new(at(other));
            let mut client = Client::at(at(other), table, &guest, None);
            client.sit(1, "200");
            (table.clone(), client, guest)
        })
        .collect();
    for (table, client, guest) in &mut players {
        client.play_until(|client| client.round() > 3);
        // Both nodes say the same of the table, and of what is whose.
        let seen = |address| {
            let (_, open) = json_of(http(address, "GET", &format!("/api/tables/{table}"), ""));
            (open["taken"].clone(), open["players"].clone())
        };
        let expected = (json!(1), json!([guest.name]));
        let begun = Instant::now();
        while [one.address, two.address].map(seen) != [expected.clone(), expected.clone()] {
            assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", seen(one.address));
            sleep(Duration::from_millis(20));
        }
        let (_, me) = json_of(http(one.address, "GET", "/api/me", &guest.cookie));
        assert_eq!(me["racks"].as_array().map(Vec::len), Some(1), "{me}");
    }
    // The coach of the owner answers, whichever node is asked; whoever is not asked is told nothing.
    let (_, client, guest) = players.iter_mut().find(|(table, ..)| table == "free-1").unwrap();
    client.play_until(|client| client.is_asked());
    for address in [one.address, two.address] {
        let path = "/api/tables/free-1/values";
        let (status, values) = json_of(http(address, "GET", path, &guest.cookie));
        assert_eq!(status, 200, "{values}");
        assert_eq!(values["decisions"][0]["acts"][0]["call"], "stand", "{values}");
        let (_, nothing) = json_of(http(address, "GET", path, &players_cookie(address)));
        assert_eq!(nothing["decisions"], json!([]));
        let answer =
            json_of(http(address, "GET", "/api/tables/free-1/closed-calls", &guest.cookie));
        assert_eq!(answer.0, 200, "{answer:?}");
    }

    // Node one hands its tables over between inputs; whoever is at node two notices nothing.
    one.close();
    assert!(house.owners().values().all(|owner| owner == "two"));
    for (table, client, guest) in &mut players {
        if owners[table] == "one" {
            let round = client.round();
            client.play_until(|client| client.round() > round + 2);
        } else {
            // This one was at node one, and comes again.
            let mut again = Client::at(two.address, table, guest, Some(client.version));
            let round = again.round();
            again.play_until(|client| client.round() > round + 2);
        }
    }
    two.close();
    assert_eq!(house.audited(), [""; 0]);
}

/// The cookie of a guest who has just come.
fn players_cookie(address: std::net::SocketAddr) -> String {
    Guest::new(address).cookie
}

#[test]
fn what_changes_about_people_holds_at_every_node_within_a_second() {
    let Some(house) = House::new("cluster-people") else { return };
    let [one, two] = ["one", "two"].map(|node| house.open(node));
    house.owners();
    house.make_operator();
    let max = house.sign_in(one.address);
    // The operator signed in at node one, and is known at node two.
    assert_eq!(json_of(http(two.address, "GET", "/api/me", &max)).1["role"], "operator");

    let guest = Guest::new(two.address);
    let mut client = Client::at(two.address, "war-1", &guest, None);
    let path = format!("/api/people/{}/suspension", guest.name);
    let lines = format!("Cookie: {max}\r\n{JSON}");
    let (head, body) =
        http_with(one.address, "POST", &path, &lines, "{\"because\": \"he shouted\"}");
    assert!(head.starts_with("HTTP/1.1 200"), "{head} {body}");
    let begun = Instant::now();
    let (_, why) = client.parting();
    assert_eq!(why, "You are suspended. Ask the house why.");
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());

    // A session that is ended at one node is no session at the other.
    let guest = Guest::new(one.address);
    let mut client = Client::at(two.address, "war-1", &guest, None);
    assert_eq!(json_of(http(two.address, "GET", "/api/me", &guest.cookie)).0, 200);
    let (head, body) = http_with(
        one.address,
        "DELETE",
        &format!("/api/people/{}/sessions", guest.name),
        &lines,
        "",
    );
    assert!(head.starts_with("HTTP/1.1 200"), "{head} {body}");
    let begun = Instant::now();
    assert_eq!(client.parting().1, "Your session has ended. Sign in again.");
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    assert_eq!(json_of(http(two.address, "GET", "/api/me", &guest.cookie)).0, 401);
    one.close();
    two.close();
    assert_eq!(house.audited(), [""; 0]);
}

/// The bus is the fast way to hear of it, and not the only one.
#[test]
fn what_changes_about_people_holds_at_every_node_that_hears_nothing_of_it() {
    let Some(house) = House::new("cluster-unheard") else { return };
    let way = Way::to(house.bus.port);
    let mut config = house.config("one");
    let bus = format!("nats://pit:secret@127.0.0.1:{}", way.port);
    config.node.as_mut().unwrap().bus = bus.parse().unwrap();
    let (one, two) = (Open::with(config), house.open("two"));
    house.owners();
    house.make_operator();
    let (here, there) = (house.sign_in(one.address), house.sign_in(two.address));
    let guest = Guest::new(two.address);
    let mut client = Client::at(two.address, "war-1", &guest, None);
    way.cut();
    let path = format!("/api/people/{}/suspension", guest.name);
    let lines = format!("Cookie: {here}\r\n{JSON}");
    let (head, body) =
        http_with(one.address, "POST", &path, &lines, "{\"because\": \"he shouted\"}");
    assert!(head.starts_with("HTTP/1.1 200"), "{head} {body}");
    let begun = Instant::now();
    assert_eq!(client.parting().1, "You are suspended. Ask the house why.");
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());

    // A program beside the house, as `pitboss operator`, has no bus at all.
    let max = Guest { name: "max".to_owned(), cookie: there };
    let mut client = Client::connect(two.address, &max);
    let begun = Instant::now();
    house.make_operator();
    let asked = begun.elapsed();
    assert_eq!(client.parting().1, "Your session has ended. Sign in again.");
    assert!(begun.elapsed() < asked + Duration::from_secs(1), "{:?}", begun.elapsed());
    one.close();
    two.close();
}

/// A node that was paused for long is another run than the one that has its name by now.
#[test]
fn a_node_whose_name_a_later_run_has_stands_down() {
    let Some(house) = House::new("cluster-replaced") else { return };
    let [one, two] = ["one", "two"].map(|node| house.open(node));
    house.owners();
    assert_eq!(json_of(http(one.address, "GET", "/ready", "")).0, 200);
    house.postgres.psql("house", "UPDATE nodes SET address = 'one-later' WHERE name = 'one'");
    let begun = Instant::now();
    let tables = "SELECT count(*) FROM leases WHERE node = 'two'";
    while house.postgres.psql("house", tables).as_deref() != Some("2") {
        assert!(begun.elapsed() < Duration::from_secs(20), "node two takes what node one has left");
        sleep(Duration::from_millis(50));
    }
    assert_eq!(json_of(http(one.address, "GET", "/ready", "")).0, 503);
    // Whoever is still there plays on at the table of the other node.
    let guest = Guest::new(two.address);
    let mut client = Client::at(one.address, "war-1", &guest, None);
    client.sit(1, "200");
    client.play_until(|client| client.round() > 2);
    assert_eq!(house.postgres.psql("house", tables).as_deref(), Some("2"));
    one.close();
    two.close();
}

#[test]
fn a_node_that_cannot_be_one_is_refused_in_one_sentence() {
    let Some(house) = House::new("cluster-refused") else { return };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let refused = |config: Config| {
        let error = runtime.block_on(Opened::new(config)).err().expect("refused").to_string();
        assert!(!error.contains('\n') && !error.contains("secret"), "{error}");
        error
    };
    let with_bus = |url: &str| {
        let mut config = house.config("one");
        config.node.as_mut().unwrap().bus = url.parse().unwrap();
        config
    };
    let error = refused(with_bus(&house.bus.url("guessed")));
    assert!(error.contains("cannot be reached: ") && error.contains("authorization"), "{error}");
    let nobody = format!("nats://pit:secret@127.0.0.1:{}", free_port().unwrap());
    let error = refused(with_bus(&nobody));
    assert!(error.starts_with("the bus at 127.0.0.1:"), "{error}");
    let open_to_all = Bus::start(None).unwrap();
    let error = refused(with_bus(&open_to_all.url("secret")));
    assert!(error.contains("lets in anybody; give its server a user and a password"), "{error}");
    let mut alone = house.config("one");
    alone.store = None;
    let error = refused(alone);
    assert!(error.starts_with("a node of a house needs a store on PostgreSQL"), "{error}");
    // Nothing of that is in the way of a node that is right, or of its name.
    let one = house.open("one");
    house.owners();
    let mut twin = house.config("twin");
    twin.node.as_mut().unwrap().name = "one".to_owned();
    let error = refused(twin);
    assert!(error.starts_with("a node named one is open with the database"), "{error}");
    one.close();
}
