//! `pitboss serve`, killed in the middle of a round and opened again.

#[path = "../../house/tests/client/mod.rs"]
mod client;
mod process;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use client::{Client, Guest, export, http};
use process::Process;
use serde_json::{Value, json};

/// The tables of a house that says nothing.
const TABLES: [(&str, &str); 5] = [
    ("war-1", "Casino War"),
    ("stud-1", "Double Down Stud"),
    ("deck-1", "Double Deck Blackjack"),
    ("attack-1", "Double Attack Blackjack"),
    ("free-1", "Free Bet Blackjack"),
];

/// The same tables, in a hurry.
const CONFIG: &str = r#"
    pace = { card_ms = 0, inspection_ms = 0, contributions_ms = 1000 }
    table = [
        { name = "war-1", game = "casino-war" },
        { name = "stud-1", game = "double-down-stud" },
        { name = "deck-1", game = "double-deck" },
        { name = "attack-1", game = "double-attack" },
        { name = "free-1", game = "free-bet" },
    ]
"#;

/// The program, open.
struct Served {
    process: Process,
    out: BufReader<ChildStdout>,
    address: SocketAddr,
}

impl Served {
    fn new(data: &Path) -> Served {
        let mut child = serve(data).stdout(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("The house is open at http://").unwrap();
        let address: SocketAddr = address.parse().unwrap();
        for (name, title) in TABLES {
            let line = out.by_ref().lines().next().unwrap().unwrap();
            assert_eq!(line, format!("  {title}: http://{address}/table/{name}"));
        }
        let line = out.by_ref().lines().next().unwrap().unwrap();
        assert_eq!(line, format!("Its store is in {}", data.display()));
        let line = out.by_ref().lines().next().unwrap().unwrap();
        assert!(line.starts_with("Ctrl-C closes the house"), "{line}");
        Served { process: Process(child), out, address }
    }

    fn kill(self) {
        self.process.kill();
    }

    /// Closes it with a signal, and hears its last line.
    fn close(mut self) {
        self.process.close();
        let mut rest = String::new();
        self.out.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "The house is closed.\n");
    }
}

fn data(name: &str) -> PathBuf {
    let data = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&data);
    data
}

/// The house on any free port.
fn serve(data: &Path) -> Command {
    let config = data.with_extension("toml");
    std::fs::write(&config, CONFIG).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pitboss"));
    command.args(["serve", "--port", "0", "--config"]).arg(config).arg("--data").arg(data);
    command
}

/// What `pitboss verify` says of a log, with the heads that clients kept.
fn verify(data: &Path, log: &str, heads: &[String]) {
    let file = data.join("war-1.log");
    std::fs::write(&file, log).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pitboss"));
    command.arg("verify").arg(file);
    command.args(heads.iter().flat_map(|head| ["--head", head]));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// Plays until one of two players has a tie to decide, after at least one whole round: only whoever has
/// played one gets the log with real names.
fn play_to_a_tie(ann: &mut Client, bob: &mut Client) {
    for rounds in 0.. {
        ann.bet("5");
        bob.bet("5");
        let round = ann.view["round"].clone();
        ann.until(|client| client.awaited() == "act" || client.view["round"] != round);
        if ann.awaited() == "act" {
            bob.until_awaited("act");
            if rounds > 0 {
                return;
            }
            go_to_war(ann, bob);
        }
        for client in [&mut *ann, &mut *bob] {
            client.until(|client| client.view["round"] != round);
            client.until(|client| ["wagers", "cut"].contains(&client.awaited()));
            if client.awaited() == "cut" && client.view["awaited"]["seats"][0] == client.view["me"]
            {
                client.done(json!({ "type": "cut", "at": 60 }));
            }
        }
        ann.until_awaited("wagers");
        bob.until_awaited("wagers");
    }
}

fn go_to_war(ann: &mut Client, bob: &mut Client) {
    for client in [ann, bob] {
        if client.is_asked() {
            client.act("war");
        }
    }
}

#[test]
fn killed_in_mid_round_the_house_goes_on_and_nothing_is_lost_or_doubled() {
    let data = data("killed");
    let served = Served::new(&data);
    let guests = [(); 2].map(|()| Guest::new(served.address));
    let [mut ann, mut bob] = [0, 1].map(|i| Client::watch(served.address, &guests[i], None));
    ann.sit(1, "900");
    let buy_in = json!({ "type": "buy_in", "amount": "700" });
    bob.done(json!({ "type": "sit", "seat": 2 }));
    let bought = bob.ask_as("bought-once", &buy_in);
    assert_eq!(bought["ok"], true);
    ann.until_awaited("cut");
    ann.done(json!({ "type": "cut", "at": 60 }));
    ann.until_awaited("wagers");
    bob.until_awaited("wagers");
    play_to_a_tie(&mut ann, &mut bob);

    let (before, version) = (ann.view.clone(), ann.version);
    let log = export(served.address);
    let heads = [ann.head.clone(), bob.head.clone()];
    served.kill();

    let served = Served::new(&data);
    let [mut ann, mut bob] =
        [&guests[0], &guests[1]].map(|guest| Client::watch(served.address, guest, Some(version)));
    ann.until_all_are_here();
    for part in ["round", "seats", "dealer", "shoe", "offers"] {
        assert_eq!(ann.view[part], before[part], "{part}");
    }
    assert_eq!(ann.version, version);
    assert_eq!(export(served.address), log);
    assert_eq!(bob.ask_as("bought-once", &buy_in), bought);
    assert_eq!(guests[1].balance(served.address), "300");

    // The same round is finished with the same shoe.
    go_to_war(&mut ann, &mut bob);
    let round = &before["round"];
    ann.until(|client| client.view["round"] != *round);
    bob.until(|client| client.view["round"] != *round);
    assert!(ann.lines.iter().any(|line| line.starts_with("net ")));
    let log_after = export(served.address);
    assert!(log_after.starts_with(&log));
    verify(&data, &log_after, &[heads[0].clone(), heads[1].clone(), ann.head, bob.head]);
    served.close();
}

/// Numbers that are the same in every run.
fn numbers() -> impl FnMut(usize) -> usize {
    let mut state: u64 = 7;
    move |bound| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(state >> 33).unwrap() % bound
    }
}

#[test]
fn killed_in_a_round_of_every_game_the_house_goes_on_with_all_of_them() {
    let data = data("killed-everywhere");
    let served = Served::new(&data);
    let (address, mut numbers) = (served.address, numbers());
    let mut tables = Vec::new();
    for (table, _) in TABLES {
        let guests = [(); 2].map(|()| Guest::new(address));
        let mut clients = guests.clone().map(|guest| Client::at(address, table, &guest, None));
        clients[0].sit(1, "900");
        clients[1].sit(2, "900");
        let since = Instant::now();
        while clients[0].awaited() != "act" {
            assert!(since.elapsed() < Duration::from_secs(60), "{table}: {}", clients[0].view);
            for client in &mut clients {
                client.listen();
                if client.awaited() != "act" {
                    client.play_on(&mut numbers);
                }
            }
        }
        clients[1].until_awaited("act");
        tables.push((table, guests, clients));
    }
    // As anyone may save it: who is known by name at a table gets another chain.
    let log = |address, table: &str| http(address, "GET", &format!("/api/export/{table}"), "").1;
    // Lines that were private may be opened since.
    let hashes = |log: &str| -> Vec<String> {
        let entries = log.lines().skip(1).map(|line| line.split(' ').take(2).collect::<Vec<_>>());
        entries.map(|words| words.join(" ")).collect()
    };
    let before: Vec<_> = TABLES.iter().map(|(table, _)| log(address, table)).collect();
    served.kill();

    let served = Served::new(&data);
    let address = served.address;
    for ((table, guests, seen), before) in tables.into_iter().zip(before) {
        let versions = seen.each_ref().map(|client| client.version);
        let mut clients = [0, 1].map(|i| Client::at(address, table, &guests[i], Some(versions[i])));
        clients.iter_mut().for_each(Client::until_all_are_here);
        for (client, seen) in clients.iter().zip(&seen) {
            for part in ["round", "seats", "dealer", "shoe", "offers", "meter"] {
                assert_eq!(client.view[part], seen.view[part], "{table}: {part}");
            }
            assert_eq!(client.version, seen.version, "{table}");
        }
        assert_eq!(log(address, table), before, "{table}");
        let round = seen[0].view["round"].clone();
        let since = Instant::now();
        while clients.iter().any(|client| client.view["round"] == round) {
            assert!(since.elapsed() < Duration::from_secs(60), "{table}: {}", clients[0].view);
            for client in &mut clients {
                client.listen();
                if client.view["round"] == round {
                    client.play_on(&mut numbers);
                }
            }
        }
        let after = log(address, table);
        assert!(hashes(&after).starts_with(&hashes(&before)), "{table}");
        let after = client::export_of(address, table);
        let heads: Vec<_> = seen.iter().chain(&clients).map(|client| client.head.clone()).collect();
        verify(&data, &after, &heads);
    }
    served.close();
}

#[test]
fn a_configuration_that_the_book_forbids_stops_the_start_with_its_clause() {
    let data = data("forbidden");
    for (config, said) in [
        (CONFIG.replace("casino-war\"", "casino-war\", terms = { decks = 5 }"), "CW-2-a"),
        (CONFIG.replace("war-1", "stud-1"), "two tables are called 'stud-1'"),
        (CONFIG.replace("card_ms", "cards"), "line 2: unknown field 'cards', expected one of"),
        (String::new(), "the configuration has no [[table]]"),
        (" ".repeat(1024 * 1024 + 1), "it has more than 1048576 bytes"),
    ] {
        let mut command = serve(&data);
        std::fs::write(data.with_extension("toml"), config).unwrap();
        let sentence = complaint(&mut command, 2);
        assert!(sentence.starts_with("pitboss: ") && sentence.contains(said), "{sentence}");
        assert!(sentence.contains("forbidden.toml: "), "{sentence}");
    }
    let mut missing = Command::new(env!("CARGO_BIN_EXE_pitboss"));
    let sentence = complaint(missing.args(["serve", "--config", "no-such-file.toml"]), 2);
    assert!(sentence.starts_with("pitboss: no-such-file.toml: "), "{sentence}");

    // What a table was opened with, it keeps.
    Served::new(&data).close();
    let mut command = serve(&data);
    let other = CONFIG.replace("casino-war\"", "casino-war\", terms = { decks = 8 }");
    std::fs::write(data.with_extension("toml"), other).unwrap();
    let sentence = complaint(&mut command, 2);
    let differs = "it was opened with decks=6, and the configuration says decks=8; keep the former";
    assert!(sentence.contains(&format!("table war-1 cannot go on: {differs}")), "{sentence}");

    // Without a file there is a table of each game.
    let mut plain = Command::new(env!("CARGO_BIN_EXE_pitboss"));
    plain.args(["serve", "--port", "0", "--data"]).arg(&data).stdout(Stdio::piped());
    let mut child = plain.spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let lines: Vec<_> = lines.take(6).map(Result::unwrap).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    for (name, title) in TABLES {
        let line = lines.iter().find(|line| line.ends_with(&format!("/table/{name}")));
        assert!(line.is_some_and(|line| line.starts_with(&format!("  {title}: "))), "{lines:?}");
    }
}

#[test]
fn the_page_is_there_and_may_do_nothing_that_the_house_does_not_serve() {
    let served = Served::new(&data("page"));
    for place in ["/", "/table/war-1"] {
        let (head, page) = http(served.address, "GET", place, "");
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        let policy = head.lines().find(|line| line.starts_with("content-security-policy: "));
        let policy = policy.unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert!(page.contains("<title>"), "{page}");
    }
    let (_, tables) = http(served.address, "GET", "/api/tables", "");
    assert!(tables.starts_with(r#"[{"table":"war-1","game":"casino-war","title":"#));
    for (name, _) in TABLES {
        assert!(tables.contains(&format!(r#"{{"table":"{name}","game":"#)), "{tables}");
    }
    let (_, clause) = http(served.address, "GET", "/api/clause/CW-8-c", "");
    assert!(clause.contains("A tied player chooses surrender or war"), "{clause}");
    for missing in ["/api/export/war-9", "/api/clause/CW-99", "/api/nothing", "/nothing"] {
        let (head, _) = http(served.address, "GET", missing, "");
        assert!(head.starts_with("HTTP/1.1 404"), "{head}");
    }
    served.close();
}

/// What the house answers to somebody, as JSON.
fn asked(served: &Served, path: &str, cookie: &str) -> Value {
    let (_, body) = http(served.address, "GET", path, cookie);
    serde_json::from_str(&body).unwrap()
}

#[test]
fn wagers_are_compared_with_what_they_cost_once_that_is_known() {
    let since = Instant::now();
    let served = Served::new(&data("expected"));
    let mut lobby = Client::in_lobby(served.address);
    // Nobody waits for the figures: the lobby is told of each when it is known.
    let mut edges = std::collections::BTreeMap::new();
    while edges.len() < TABLES.len() {
        let message = lobby.hear().unwrap();
        for table in message["tables"].as_array().into_iter().flatten() {
            if let Some(edge) = table["house_edge"].as_i64() {
                edges.insert(table["table"].as_str().unwrap().to_owned(), edge);
            }
        }
        assert!(since.elapsed() < Duration::from_secs(240), "{edges:?}");
    }
    // With six decks and a war on every tie the main wager loses 0.0233006 of itself.
    assert_eq!(edges["war-1"], 23_301);
    assert!(edges.values().all(|edge| (1_000..60_000).contains(edge)), "{edges:?}");
    let tables = asked(&served, "/api/tables", "");
    assert_eq!(
        (&tables[0]["house_edge"], &tables[0]["betting_seconds"]),
        (&json!(23_301), &json!(15))
    );

    let ann = Guest::new(served.address);
    let mut client = Client::watch(served.address, &ann, None);
    client.sit(1, "300");
    client.play_until(|client| client.round() == 6);
    let statistics = asked(&served, "/api/me/statistics", &ann.cookie);
    assert_eq!(statistics["pending"], false);
    let cents = |amount: &Value| {
        let amount = amount.as_str().unwrap().trim_start_matches('+');
        amount.parse::<rules::money::Cents>().unwrap().get()
    };
    let wagers = statistics["games"][0]["wagers"].as_array().unwrap();
    let of = |circle: &str| wagers.iter().find(|wager| wager["circle"] == circle);
    let main = of("main").unwrap();
    let expected = -(cents(&main["staked"]) * 23_301 + 500_000) / 1_000_000;
    assert_eq!(cents(&main["expected"]), expected, "{main}");
    let wars = of("war").map_or(0, |war| cents(&war["net"]));
    assert_eq!(cents(&main["net_with_added"]), cents(&main["net"]) + wars, "{main}");
    // What the progressive is worth moves with its meter.
    assert!(of("progressive").is_none_or(|wager| wager["expected"].is_null()));
    served.close();
}

#[test]
fn half_a_request_does_not_keep_the_house_open() {
    let served = Served::new(&data("half"));
    let parts = [
        "GET / HTTP/1.1\r\nHost: x\r\n",
        "POST /api/guest HTTP/1.1\r\nContent-Length: 9\r\n\r\n",
        "",
    ];
    let halves = parts.map(|part| {
        let mut half = TcpStream::connect(served.address).unwrap();
        half.write_all(part.as_bytes()).unwrap();
        half
    });
    std::thread::sleep(Duration::from_millis(100));
    let since = Instant::now();
    served.close();
    assert!(since.elapsed() < Duration::from_secs(8), "{:?}", since.elapsed());
    drop(halves);
}

/// What a house that does not open says, in one sentence.
fn complaint(command: &mut Command, status: i32) -> String {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(status));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "");
    let sentence = String::from_utf8(output.stderr).unwrap();
    assert_eq!(sentence.lines().count(), 1, "{sentence}");
    sentence
}

#[test]
fn a_house_that_cannot_open_says_why_in_one_sentence() {
    let data = data("taken");
    let served = Served::new(&data);
    let taken = complaint(&mut serve(&data), 1);
    assert!(taken.starts_with("pitboss: another house is open with the store in "), "{taken}");

    let port = served.address.port().to_string();
    let mut same_port = Command::new(env!("CARGO_BIN_EXE_pitboss"));
    let taken = complaint(same_port.args(["serve", "--port", &port, "--data"]).arg(&data), 1);
    let expected =
        format!("pitboss: port {port} is in use; choose another with `pitboss serve --port");
    assert!(taken.starts_with(&expected), "{taken}");
    served.close();

    // The lock goes with the program, and the same store opens again.
    Served::new(&data).kill();
    Served::new(&data).close();
    let file = data.join("pitboss.lock");
    let unusable = complaint(&mut serve(&file), 1);
    assert!(unusable.starts_with("pitboss: the directory "), "{unusable}");
}
