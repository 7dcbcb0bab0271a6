//! `pitboss serve --log json`: what whoever runs a house reads of it, and what they never read.

#[path = "../../house/tests/client/mod.rs"]
mod client;

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use client::{Client, Guest, http_with};
use serde_json::{Value, json};

const PASSWORD: &str = "nine of diamonds";
const WRONG: &str = "ten of diamonds";

/// So many wrong passwords are locked out, however slow the machine is.
const MOST_TRIES: usize = 15;

const CONFIG: &str = r#"
    pace = { card_ms = 0, inspection_ms = 0, contributions_ms = 1000 }

    [[table]]
    name = "war-1"
    game = "casino-war"
    custody = "physical"
"#;

/// A house whose lines are written into a file.
struct Served {
    child: Child,
    address: SocketAddr,
    lines: PathBuf,
}

impl Served {
    fn open(folder: &str) -> Served {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let (data, config, lines) =
            (folder.join("data"), folder.join("pitboss.toml"), folder.join("lines"));
        std::fs::write(&config, CONFIG).unwrap();
        let mut operator = Command::new(env!("CARGO_BIN_EXE_pitboss"));
        operator.args(["operator", "max", "--data"]).arg(&data).stdin(Stdio::piped());
        let mut operator = operator.stdout(Stdio::null()).spawn().unwrap();
        operator.stdin.take().unwrap().write_all(PASSWORD.as_bytes()).unwrap();
        assert!(operator.wait().unwrap().success());
        let mut serve = Command::new(env!("CARGO_BIN_EXE_pitboss"));
        serve.args(["serve", "--port", "0", "--log", "json", "--log-level", "debug", "--data"]);
        serve.arg(&data).arg("--config").arg(&config);
        serve.stdout(Stdio::piped()).stderr(File::create(&lines).unwrap());
        let mut child = serve.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("The house is open at http://").unwrap();
        Served { child, address: address.parse().unwrap(), lines }
    }

    fn ask(&self, method: &str, path: &str, cookie: &str, body: &Value) -> (u16, Value, String) {
        let lines = format!("Content-Type: application/json\r\nCookie: {cookie}\r\n");
        let (head, body) = http_with(self.address, method, path, &lines, &body.to_string());
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, serde_json::from_str(&body).unwrap_or_default(), head)
    }

    fn done(&self, path: &str, cookie: &str, body: &Value) -> Value {
        let (status, answer, _) = self.ask("POST", path, cookie, body);
        assert_eq!(status, 200, "{path} {answer}");
        answer
    }

    fn log_in(&self, name: &str) -> Guest {
        let body = json!({ "name": name, "password": PASSWORD });
        let (status, answer, head) = self.ask("POST", "/api/login", "", &body);
        assert_eq!(status, 200, "{answer}");
        let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
        Guest { name: name.to_owned(), cookie: cookie.split(';').next().unwrap().to_owned() }
    }

    /// Closes the house, and gives its lines.
    fn close(mut self) -> Vec<Value> {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        assert!(self.child.wait().unwrap().success());
        let text = std::fs::read_to_string(&self.lines).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Plays a round at the physical table in which a card lies face up, and another dealer comes.
fn play(house: &Served, guest: &Guest, eve: &str, dan: &Guest) {
    let mut dealer = Client::watch(house.address, dan, None);
    let mut enter = |what: Value| dealer.done(json!({ "dealer": what }));
    let card = |card: Option<&str>| json!({ "type": "card", "card": card });
    let mut player = Client::watch(house.address, guest, None);
    player.sit(3, "100");
    player.until_awaited("shuffle");
    enter(json!({ "type": "shuffle" }));
    player.until_awaited("cut");
    player.done(json!({ "type": "cut", "at": 60 }));
    enter(card(None));
    player.until_awaited("wagers");
    player.done(json!({ "type": "wager", "amounts": [{ "circle": "main", "amount": "10" }] }));
    enter(json!({ "type": "deal" }));
    let face_up = json!({ "kind": "face-up", "card": "9d" });
    enter(json!({ "type": "report", "irregularity": face_up }));
    let orders = "/api/tables/war-1/orders";
    let order = |what: Value| house.done(orders, eve, &json!({ "id": what["type"], "do": what }));
    order(
        json!({ "type": "order", "order": { "order": "discard" }, "because": "all have seen it" }),
    );
    enter(card(Some("Kd")));
    enter(card(Some("4s")));
    player.until(|player| player.view["round"] == 2);
    order(json!({
        "type": "correct", "round": 1, "amount": "5", "from": "house", "to": { "rack": "3" },
        "because": "a chip fell",
    }));
    order(json!({ "type": "change_dealer", "dealer": "kim" }));
    let refusal = dealer.ask(&json!({ "dealer": card(None) }))["refusal"].clone();
    assert_eq!(refusal["source"]["id"], "G-13", "{refusal}");
    // One message too many in a second, and the socket is closed.
    let mut flood = Client::connect(house.address, guest);
    for _ in 0..50 {
        flood.try_to_say(r#"{"id":"1","do":{"client":{"type":"ping"}}}"#.into());
    }
    assert_eq!(flood.parting().0, 1008);
}

#[test]
fn an_operator_reads_what_happens_and_no_secret() {
    let house = Served::open("log-lines");
    let max = house.log_in("max").cookie;
    for (name, role) in [("eve", "supervisor"), ("dan", "dealer"), ("ann", "player")] {
        let kind = "account";
        let person = json!({ "name": name, "kind": kind, "role": role, "password": PASSWORD });
        house.done("/api/people", &max, &person);
    }
    house.done("/api/people", &max, &json!({ "name": "robo", "kind": "bot" }));
    let token = house.done("/api/people/robo/tokens", &max, &json!({ "label": "shelf" }));
    let wrong = json!({ "name": "ann", "password": WRONG });
    // Where a password takes longer to check than the first waits last, the lock-out comes later.
    let refused: Vec<_> = std::iter::repeat_with(|| house.ask("POST", "/api/login", "", &wrong).0)
        .take(MOST_TRIES)
        .take_while(|status| *status != 429)
        .collect();
    assert!((5..MOST_TRIES).contains(&refused.len()), "{refused:?}");
    assert!(refused.iter().all(|status| *status == 401), "{refused:?}");
    let mistaken = json!({ "name": "my-secret-word", "password": "ann" });
    assert_eq!(house.ask("POST", "/api/login", "", &mistaken).0, 401);
    let ids = [("probe-7", true), ("two words", false), ("", false)].map(|(id, is_taken)| {
        let lines = format!("Content-Type: application/json\r\nX-Request-Id: {id}\r\n");
        let body = wrong.to_string();
        let (head, _) = http_with(house.address, "POST", "/api/login", &lines, &body);
        let answered = head.lines().find_map(|line| line.strip_prefix("x-request-id: "));
        let answered = answered.unwrap().to_owned();
        assert_eq!(answered == id, is_taken, "{head}");
        answered
    });
    let (eve, dan, guest) = (house.log_in("eve"), house.log_in("dan"), Guest::new(house.address));
    play(&house, &guest, &eve.cookie, &dan);
    let lines = house.close();

    let has = |level: &str, fields: Value| {
        let fields = fields.as_object().unwrap();
        let found = lines.iter().any(|line| {
            line["level"] == level.to_uppercase()
                && fields.iter().all(|(key, value)| line[key] == *value)
        });
        assert!(found, "{level} {fields:?} in {lines:#?}");
    };
    has("info", json!({ "what": "open", "tables": 1 }));
    has("info", json!({ "what": "open", "table": "war-1", "game": "casino-war" }));
    has("info", json!({ "what": "sign-in", "who": "max" }));
    has("warn", json!({ "what": "login", "who": "ann", "address": "127.0.0.1" }));
    let locked_out = |line: &&Value| line["what"] == "login" && line["wait"].is_u64();
    let locked_out = lines.iter().find(locked_out).unwrap();
    assert_eq!((&locked_out["level"], &locked_out["who"]), (&json!("WARN"), &json!("ann")));
    has(
        "info",
        json!({ "what": "make", "who": "max", "whom": "eve", "more": "account supervisor" }),
    );
    has("info", json!({ "what": "token", "who": "max", "whom": "robo", "more": "shelf" }));
    has("info", json!({ "what": "dealer", "table": "war-1", "who": "dan", "dealer": "dan" }));
    has("warn", json!({ "what": "face-up", "table": "war-1", "who": "dealer", "round": 1 }));
    has(
        "warn",
        json!({
            "what": "discard", "table": "war-1", "who": "eve", "why": "all have seen it",
            "is_frozen": false,
        }),
    );
    has(
        "warn",
        json!({
            "what": "correct", "table": "war-1", "who": "eve", "why": "a chip fell", "round": 1,
            "amount": "5", "gave": "house", "got": "rack:3",
        }),
    );
    has("info", json!({ "what": "dealer", "table": "war-1", "who": "eve", "dealer": "kim" }));
    has("warn", json!({ "what": "socket", "who": guest.name, "code": 1008 }));
    has("debug", json!({ "what": "guest", "who": guest.name }));
    has("debug", json!({ "table": "war-1", "round": 1, "message": "a round is over" }));
    has("info", json!({ "what": "closed" }));
    for id in ids {
        let of_it = |line: &&Value| line["span"]["id"] == *id;
        let found: Vec<_> = lines.iter().filter(of_it).collect();
        assert!(found.iter().any(|line| line["what"] == "login"), "{id} in {lines:#?}");
        assert_eq!(found[0]["span"]["path"], "/api/login");
    }
    let socket = lines.iter().find(|line| line["what"] == "socket").unwrap();
    assert_eq!(socket["span"]["path"], "/ws");

    let secret = |guest: &str| guest.split_once('=').unwrap().1.to_owned();
    let secrets = [
        PASSWORD.to_owned(),
        WRONG.to_owned(),
        "my-secret-word".to_owned(),
        token["token"].as_str().unwrap().to_owned(),
        secret(&max),
        secret(&eve.cookie),
        secret(&guest.cookie),
    ];
    for line in &lines {
        let text = line.to_string();
        assert!(secrets.iter().all(|secret| !text.contains(secret)), "{text}");
        let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
        let has_card = words.any(|word| word.parse::<rules::card::Card>().is_ok());
        // In a configuration `2s` is a time.
        assert!(!has_card || line["what"] == "configuration", "a card in {text}");
        for key in ["timestamp", "level", "target", "message"] {
            assert!(line[key].is_string(), "{key} in {text}");
        }
    }
}
