//! Attacks on an open house, from one address or several. Meanwhile somebody comes in from another address
//! and plays twenty rounds, and no step takes much longer than the longest one of some rounds before the
//! attack, nor half of them or nine in ten much longer than then.

// Every address of 127.0.0.0/8 is this computer's there, and so an attacker can have one.
#![cfg(target_os = "linux")]

use crate::client;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use client::open::SOON;
use client::{Client, Guest, export, http, http_with, open};
use house::Config;
use house::network::Network;
use serde_json::{Value, json};
use socket2::{Domain, Socket, Type};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// Where attacks come from; others come from 127.0.0.1.
const ATTACKER: [u8; 4] = [127, 0, 0, 2];

/// How many times as long as before the attack anything may take for an honest player.
const SLOWER: u32 = 5;

/// What is never too long: on a busy machine a step of some milliseconds may be held up by so much.
const ALWAYS_ALLOWED: Duration = Duration::from_millis(1500);

/// The same for half of all steps, and for nine in ten: most of them are to be quick.
const ALWAYS_ALLOWED_TO_HALF: Duration = Duration::from_millis(250);
const ALWAYS_ALLOWED_TO_MOST: Duration = Duration::from_millis(600);

/// Rounds that are played before an attack.
const ROUNDS_BEFORE: usize = 5;

/// How long a client may take to send a body, or to read what it asked for.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// How much later it may be noticed on a busy machine.
const MARGIN: Duration = Duration::from_secs(5);

/// After so long an attack ends, also where the test has failed meanwhile.
const LONGEST_ATTACK: Duration = Duration::from_secs(60);

const PASSWORD: &str = "nine of diamonds";

/// A house with a Casino War table at which nobody is waited for.
fn open_house(name: &str) -> open::Open {
    open_behind(name, Network::default())
}

fn open_behind(name: &str, network: Network) -> open::Open {
    let mut config = Config::new(open::data(&format!("attacks-{name}")));
    config.tables = vec![open::impatient()];
    config.network = network;
    // An attacker has minutes to come in, and a test has not.
    config.limits.guests_a_minute = 1000;
    config.limits.messages_a_second = 10_000;
    config.limits.messages_of_an_address = 10_000;
    open::Open::with(config)
}

/// A connection from the attacker's address that keeps next to nothing of what it is sent.
fn attacker(address: SocketAddr) -> TcpStream {
    attacker_from(ATTACKER, address)
}

/// The same from any address of an attacker.
fn attacker_from(attacker: [u8; 4], address: SocketAddr) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    socket.bind(&SocketAddr::from((attacker, 0)).into()).unwrap();
    socket.connect(&address.into()).unwrap();
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(TIME_LIMIT + MARGIN)).unwrap();
    stream
}

/// Asks from the attacker's address, and gives the status of the answer; none where there is none.
fn ask(address: SocketAddr, path: &str, body: &Value) -> Option<u16> {
    let mut stream = attacker(address);
    let body = body.to_string();
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    status(&rest(&mut stream))
}

/// Whether the house has closed a connection over which it has answered nothing, or all that it will.
fn is_cut_off(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    let peeked = stream.peek(&mut [0]);
    stream.set_nonblocking(false).unwrap();
    !matches!(peeked, Err(error) if error.kind() == std::io::ErrorKind::WouldBlock)
}

/// What a connection still has, to its end.
fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

fn status(answer: &str) -> Option<u16> {
    answer.split(' ').nth(1).and_then(|status| status.parse().ok())
}

/// How long the steps of somebody took, and how long they may take.
struct Watch {
    took: Vec<Duration>,
    /// The longest of them.
    limit: Duration,
    /// The half of them, and nine in ten.
    most: [Duration; 2],
}

impl Watch {
    /// Nothing is too long, and everything is measured.
    fn new() -> Watch {
        Watch { took: Vec::new(), limit: Duration::MAX, most: [Duration::MAX; 2] }
    }

    /// How long it took at most: half of the steps, nine in ten, and all.
    fn quantiles(&self) -> [Duration; 3] {
        let mut took = self.took.clone();
        took.sort_unstable();
        [took.len() / 2, took.len() * 9 / 10, took.len() - 1].map(|place| took[place])
    }

    /// What is usual at a house before it is attacked.
    fn usual(address: SocketAddr) -> Watch {
        let mut honest = Honest::new(address, Watch::new());
        honest.plays(ROUNDS_BEFORE);
        honest.looks_back();
        honest.client.until_awaited("wagers");
        honest.client.done(json!({ "type": "leave" }));
        let [half, most, usual] = honest.watch.quantiles().map(|usual| usual * SLOWER);
        let most = [half.max(ALWAYS_ALLOWED_TO_HALF), most.max(ALWAYS_ALLOWED_TO_MOST)];
        Watch { took: Vec::new(), limit: usual.max(ALWAYS_ALLOWED), most }
    }

    /// Checks that the steps together were not much slower than before the attack.
    fn check(&self) {
        let [half, most, _] = self.quantiles();
        let limits = self.most;
        assert!(half < limits[0] && most < limits[1], "half {half:?}, most {most:?} of {limits:?}");
    }

    /// Allows for something that takes so long before an attack.
    fn allow(&mut self, usual: Duration) {
        self.limit = self.limit.max(usual * SLOWER);
    }

    /// Does something that must not take too long.
    fn step<T>(&mut self, what: &str, step: impl FnOnce() -> T) -> T {
        let since = Instant::now();
        let done = step();
        let took = since.elapsed();
        assert!(took < self.limit, "{what} took {took:?}, of {:?} at most", self.limit);
        self.took.push(took);
        done
    }
}

/// Somebody who means no harm.
struct Honest {
    address: SocketAddr,
    guest: Guest,
    client: Client,
    watch: Watch,
}

impl Honest {
    /// Comes in and sits down.
    fn new(address: SocketAddr, mut watch: Watch) -> Honest {
        let guest = watch.step("coming in", || Guest::new(address));
        let mut client = watch.step("opening a socket", || Client::watch(address, &guest, None));
        watch.step("sitting down", || client.sit(1, "500"));
        Honest { address, guest, client, watch }
    }

    fn plays(&mut self, rounds: usize) {
        let (client, watch) = (&mut self.client, &mut self.watch);
        for _ in 0..rounds {
            watch.step("the bets", || client.until_awaited("wagers"));
            let round = client.view["round"].as_u64().unwrap();
            let main = json!({ "circle": "main", "amount": "5" });
            watch.step("a wager", || client.done(json!({ "type": "wager", "amounts": [main] })));
            let is_over = |client: &Client| client.view["round"].as_u64() > Some(round);
            watch.step("a round", || client.until(is_over));
        }
    }

    fn plays_twenty_rounds(&mut self) {
        self.plays(20);
        self.watch.check();
    }

    /// Looks back at the rounds.
    fn looks_back(&mut self) {
        let (address, cookie) = (self.address, self.guest.cookie.as_str());
        let look = || http(address, "GET", "/api/rounds", cookie);
        let (head, body) = self.watch.step("looking back", look);
        assert!(head.starts_with("HTTP/1.1 200"), "{head} {body}");
    }

    /// Leaves with everything that is left; the log and the books are in order.
    fn leaves(mut self) {
        self.client.until_awaited("wagers");
        self.client.done(json!({ "type": "leave" }));
        let head = self.client.head.parse().unwrap();
        let verdict = audit::verify(export(self.address).as_bytes(), &[head]).unwrap();
        assert!(verdict.is_clean(), "{verdict}");
        let (health, _) = http(self.address, "GET", "/health", "");
        assert!(health.starts_with("HTTP/1.1 200"), "{health}");
    }
}

#[test]
fn half_sent_bodies_keep_nobody_out_and_are_cut_off() {
    let house = open_house("bodies");
    let watch = Watch::usual(house.address);
    let half = format!(
        "POST /api/login HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         Content-Length: 100\r\n\r\n{{\"name\":",
        house.address
    );
    let since = Instant::now();
    let mut halves: Vec<TcpStream> = (0..520).map(|_| attacker(house.address)).collect();
    // One that is closed already cannot be written to.
    halves.iter_mut().for_each(|stream| drop(stream.write_all(half.as_bytes())));

    let mut honest = Honest::new(house.address, watch);
    honest.plays_twenty_rounds();

    // Most were closed at once, and the others after a time limit and with a sentence.
    let answers: Vec<String> = halves.iter_mut().map(rest).collect();
    assert!(since.elapsed() < TIME_LIMIT + MARGIN, "{:?}", since.elapsed());
    let told = answers.iter().filter(|answer| answer.contains("The body took too long to arrive."));
    let told = told.count();
    assert!((1..=128).contains(&told), "{told}");
    assert!(answers.iter().all(|answer| matches!(status(answer), None | Some(408))));
    honest.leaves();
    house.close();
}

#[test]
fn half_sent_requests_from_five_addresses_keep_nobody_out() {
    let house = open_house("halves");
    let address = house.address;
    let watch = Watch::usual(address);
    let head = format!("POST /api/login HTTP/1.1\r\nHost: {address}\r\n");
    let body =
        format!("{head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{\"name\":");
    let sends_half = |number: usize| {
        let from = u8::try_from(number % 5).unwrap() + 2;
        let mut stream = attacker_from([127, 0, 0, from], address);
        let half = if number.is_multiple_of(2) { &body } else { &head };
        // One that is closed already cannot be written to.
        drop(stream.write_all(half.as_bytes()));
        stream
    };
    let mut halves: Vec<TcpStream> = (0..520).map(sends_half).collect();
    let (is_over, since) = (AtomicBool::new(false), Instant::now());
    std::thread::scope(|threads| {
        let attack = threads.spawn(|| {
            while !is_over.load(Ordering::Relaxed) && since.elapsed() < LONGEST_ATTACK {
                // Whatever was cut off comes again from the same address.
                let is_cut_off = |(_, stream): &(usize, &mut TcpStream)| is_cut_off(stream);
                let cut_off = halves.iter_mut().enumerate().filter(is_cut_off);
                cut_off.for_each(|(number, stream)| *stream = sends_half(number));
                std::thread::sleep(SOON);
            }
        });
        let mut honest = Honest::new(address, watch);
        honest.plays_twenty_rounds();
        let page = || http(address, "GET", "/", "");
        let (head, _) = honest.watch.step("the page", page);
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        honest.leaves();
        is_over.store(true, Ordering::Relaxed);
        attack.join().unwrap();
    });
    house.close();
}

#[test]
fn half_sent_bodies_through_a_proxy_keep_its_other_clients_from_nothing() {
    let trusted_proxies = vec![std::net::IpAddr::from(ATTACKER).into()];
    let house = open_behind("proxied", Network { trusted_proxies, ..Network::default() });
    let mut watch = Watch::usual(house.address);
    let asked = |client: &str, length: usize| {
        let mut stream = attacker(house.address);
        let request = format!(
            "POST /api/login HTTP/1.1\r\nHost: {}\r\nX-Forwarded-For: {client}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\
             Connection: close\r\n\r\n{{}}",
            house.address
        );
        stream.write_all(request.as_bytes()).unwrap();
        stream
    };
    let mut halves: Vec<TcpStream> = (0..200).map(|_| asked("203.0.113.9", 100)).collect();
    // Another client of the proxy is answered meanwhile: the body is no sign-in.
    let other = watch.step("a request", || rest(&mut asked("203.0.113.10", 2)));
    assert_eq!(status(&other), Some(400), "{other}");
    let mut honest = Honest::new(house.address, watch);
    honest.plays_twenty_rounds();

    let answers: Vec<_> = halves.iter_mut().map(|half| status(&rest(half))).collect();
    let of = |status: u16| answers.iter().filter(|answer| **answer == Some(status)).count();
    assert_eq!((of(408), of(429)), (128, 72), "{answers:?}");
    honest.leaves();
    house.close();
}

#[test]
fn exports_that_nobody_reads_keep_nobody_from_looking_back_and_are_cut_off() {
    let house = open_house("exports");
    let watch = Watch::usual(house.address);
    (0..2).for_each(|_| write_a_long_log(house.address));
    let whole = export(house.address).len();
    assert!(whole > 400_000, "the system would keep all {whole} bytes for who does not read");

    let request = format!("GET /api/export/war-1 HTTP/1.1\r\nHost: {}\r\n\r\n", house.address);
    let ask_for_export = || {
        let mut stream = attacker(house.address);
        stream.write_all(request.as_bytes()).unwrap();
        let mut first = [0; 12];
        stream.read_exact(&mut first).unwrap();
        (stream, first)
    };
    let since = Instant::now();
    let exports = [(); 4].map(|()| ask_for_export());
    let begun = exports.iter().filter(|(_, first)| first == b"HTTP/1.1 200").count();

    let mut honest = Honest::new(house.address, watch);
    honest.looks_back();
    assert!(honest.watch.step("an export", || export(house.address)).len() >= whole);
    honest.plays_twenty_rounds();
    honest.looks_back();

    std::thread::sleep((TIME_LIMIT + MARGIN).saturating_sub(since.elapsed()));
    for (mut stream, first) in exports {
        let rest = rest(&mut stream);
        match &first {
            b"HTTP/1.1 200" => assert!(rest.len() < whole && !rest.ends_with("\r\n0\r\n\r\n")),
            first => assert_eq!(first, b"HTTP/1.1 429"),
        }
    }
    assert_eq!(begun, 2, "an address has two");
    // Their places are free again.
    let again = [(); 2].map(|()| ask_for_export());
    assert!(again.iter().all(|(_, first)| first == b"HTTP/1.1 200"));
    // Addresses with two each have as many as there are, and one more has none.
    let from = |last: u8| {
        let mut stream = attacker_from([127, 0, 0, last], house.address);
        stream.write_all(request.as_bytes()).unwrap();
        let mut first = [0; 12];
        stream.read_exact(&mut first).unwrap();
        (first == *b"HTTP/1.1 200").then_some(stream)
    };
    let many: Vec<_> = (3..=34).flat_map(|last| [last; 2]).map(from).collect();
    assert_eq!(many.iter().flatten().count() + again.len(), 64);
    assert!(from(40).is_none());
    drop((many, again));
    let since = Instant::now();
    while from(41).is_none() {
        assert!(since.elapsed() < MARGIN, "their places are not free again");
        std::thread::sleep(SOON);
    }
    honest.leaves();
    house.close();
}

/// Has somebody buy chips, one by one, for as long as the money lasts.
fn write_a_long_log(address: SocketAddr) {
    let mut writer = Client::watch(address, &Guest::new(address), None);
    writer.sit(7, "5");
    for number in 0..990 {
        let id = format!("long-{number}");
        let buy_in = json!({ "player": { "type": "buy_in", "amount": "1" } });
        writer.say(Message::Text(json!({ "id": id, "do": buy_in }).to_string().into()));
        let answer = std::iter::from_fn(|| writer.hear()).find(|heard| heard["type"] == "answer");
        assert_eq!(answer.unwrap()["ok"], true);
    }
    writer.done(json!({ "type": "leave" }));
}

/// The cookie of a new guest of an attacker.
fn guest_from(attacker: [u8; 4], address: SocketAddr) -> String {
    let mut stream = attacker_from(attacker, address);
    let request =
        format!("POST /api/guest HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let answer = rest(&mut stream);
    let cookie = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    cookie.split(';').next().unwrap().to_owned()
}

/// A socket of a guest of an attacker, unless the house refuses it.
fn socket_from(
    attacker: [u8; 4],
    address: SocketAddr,
    cookie: &str,
) -> Option<WebSocket<TcpStream>> {
    let mut request = format!("ws://{address}/ws").into_client_request().unwrap();
    request.headers_mut().insert("Cookie", cookie.parse().unwrap());
    let opened = tungstenite::client(request, attacker_from(attacker, address));
    opened.ok().map(|(socket, _)| socket)
}

#[test]
fn a_crowd_with_every_socket_keeps_no_seated_player_from_coming_back() {
    let house = open_house("crowd");
    let address = house.address;
    let mut honest = Honest::new(address, Watch::usual(address));
    honest.plays(1);
    // Eight addresses with 128 sockets each have as many as there are.
    let mut crowd = Vec::new();
    for attacker in (2..10).map(|last| [127, 0, 0, last]) {
        for _ in 0..16 {
            let cookie = guest_from(attacker, address);
            crowd.extend((0..8).filter_map(|_| socket_from(attacker, address, &cookie)));
        }
    }
    assert_eq!(crowd.len(), 1023, "all but the player's own");
    // The player reloads the page, and the crowd is faster.
    let Honest { guest, client, watch, .. } = honest;
    drop(client);
    let (newcomer, since) = (guest_from([127, 0, 0, 10], address), Instant::now());
    while crowd.len() < 1024 && since.elapsed() < MARGIN {
        crowd.extend(socket_from([127, 0, 0, 10], address, &newcomer));
        std::thread::sleep(SOON);
    }
    assert_eq!(crowd.len(), 1024);
    assert!(socket_from([127, 0, 0, 1], address, &newcomer).is_none(), "there is no room");

    let mut watch = watch;
    for _ in 0..3 {
        let client = watch.step("coming back", || Client::watch(address, &guest, None));
        assert_eq!(client.seat(1)["name"], guest.name.as_str());
        let mut honest = Honest { address, guest: guest.clone(), client, watch };
        honest.plays(3);
        watch = honest.watch;
    }
    watch.check();
    // Two places are kept for a person, and none for whoever has left the table.
    let is_let_in = || socket_from([127, 0, 0, 1], address, &guest.cookie).is_some();
    std::thread::sleep(SOON);
    let mut both = [(); 2].map(|()| Client::watch(address, &guest, None));
    assert!(!is_let_in(), "a third one");
    both[0].until_awaited("wagers");
    both[0].done(json!({ "type": "leave" }));
    drop(both);
    std::thread::sleep(SOON);
    assert!(!is_let_in(), "who is not seated");
    drop(crowd);
    house.close();
}

#[test]
fn guests_with_many_sockets_leave_room_for_others() {
    let house = open_house("sockets");
    let watch = Watch::usual(house.address);
    let mut sockets = Vec::new();
    for _ in 0..128 {
        let cookie = guest_from(ATTACKER, house.address);
        sockets.extend((0..8).filter_map(|_| socket_from(ATTACKER, house.address, &cookie)));
    }
    assert_eq!(sockets.len(), 128, "an address has so many sockets");
    // All of them ask for more than they read.
    let look_on = json!({ "client": { "type": "watch", "table": "war-1" } });
    for (number, socket) in sockets.iter_mut().enumerate() {
        let message = json!({ "id": number.to_string(), "do": look_on }).to_string();
        socket.send(Message::Text(message.into())).unwrap();
    }

    let mut honest = Honest::new(house.address, watch);
    honest.plays_twenty_rounds();
    honest.looks_back();
    honest.leaves();
    drop(sockets);
    house.close();
}

#[test]
fn wrong_passwords_keep_nobody_else_from_signing_in() {
    let house = open_house("passwords");
    let mut watch = Watch::usual(house.address);
    let address = house.address;
    let json = "Content-Type: application/json\r\n";
    let ann = json!({ "name": "ann", "password": PASSWORD }).to_string();
    let (head, _) = http_with(address, "POST", "/api/account", json, &ann);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");

    let sign_in = || {
        let (head, _) = http_with(address, "POST", "/api/login", json, &ann);
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    };
    let before = Instant::now();
    sign_in();
    watch.allow(before.elapsed());

    // Twenty at once, and more for as long as the honest player plays.
    let wrong = json!({ "name": "ann", "password": "ten of diamonds" });
    let (is_over, since) = (AtomicBool::new(false), Instant::now());
    let guess = || ask(address, "/api/login", &wrong);
    let answers = std::thread::scope(|threads| {
        let guesses: Vec<_> = (0..20).map(|_| threads.spawn(guess)).collect();
        let attack = threads.spawn(|| {
            let mut answers = Vec::new();
            while !is_over.load(Ordering::Relaxed) && since.elapsed() < LONGEST_ATTACK {
                answers.push(guess());
                std::thread::sleep(SOON);
            }
            answers
        });
        watch.step("signing in", sign_in);
        let mut honest = Honest::new(address, watch);
        honest.plays_twenty_rounds();
        honest.watch.step("signing in", sign_in);
        honest.leaves();
        is_over.store(true, Ordering::Relaxed);
        let mut answers = attack.join().unwrap();
        answers.extend(guesses.into_iter().map(|guess| guess.join().unwrap()));
        answers
    });
    // Five guesses are free; the next ones wait a second, two seconds, four.
    let of = |status: u16| answers.iter().filter(|answer| **answer == Some(status)).count();
    assert!(answers.len() > 40 && of(401) + of(429) == answers.len(), "{answers:?}");
    assert!((5..=12).contains(&of(401)), "{answers:?}");
    house.close();
}
