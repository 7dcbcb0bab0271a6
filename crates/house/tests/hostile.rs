//! What people do who mean no good: each is answered with a sentence or shown the door, and whoever
//! sits at the same table plays on meanwhile.

use crate::client;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use client::{Client, Guest, export, http, open};
use house::Config;
use serde_json::{Value, json};
use tungstenite::Message;
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{Data, OpCode};

/// A house in which nobody is waited for, with ann at its table, who plays on.
struct Open {
    house: open::Open,
    address: SocketAddr,
    ann: Client,
    guest: Guest,
}

impl Open {
    fn new(name: &str, messages_a_second: u32) -> Open {
        let mut config = Config::new(open::data(name));
        config.tables = vec![open::impatient()];
        config.limits.messages_a_second = messages_a_second;
        config.limits.messages_of_an_address = 20 * messages_a_second;
        let house = open::Open::with(config);
        let address = house.address;
        let guest = Guest::new(address);
        let mut ann = Client::watch(address, &guest, None);
        ann.sit(1, "500");
        Open { house, address, ann, guest }
    }

    /// Somebody else, on a socket that shows the table.
    fn eve(&self) -> Client {
        Client::watch(self.address, &Guest::new(self.address), None)
    }

    /// Ann plays a round from its first wager to its end, whatever others do.
    fn ann_plays_a_round(&mut self) {
        self.ann.until_awaited("wagers");
        let round = self.ann.view["round"].as_u64().unwrap();
        let main = json!({ "circle": "main", "amount": "5" });
        self.ann.done(json!({ "type": "wager", "amounts": [main] }));
        self.ann.until(|ann| ann.view["round"].as_u64() > Some(round) && ann.awaited() == "wagers");
    }

    /// Nothing is lost, the books balance, and the house closes in good order.
    fn end(mut self) {
        self.ann_plays_a_round();
        self.ann.done(json!({ "type": "leave" }));
        let balance: f64 = self.guest.balance(self.address).parse().unwrap();
        assert!(balance > 500.0, "{balance}");
        let head = self.ann.head.parse().unwrap();
        let verdict = audit::verify(export(self.address).as_bytes(), &[head]).unwrap();
        assert!(verdict.is_clean(), "{verdict}");
        let (health, _) = http(self.address, "GET", "/health", "");
        assert!(health.starts_with("HTTP/1.1 200"), "{health}");
        self.house.close();
    }
}

/// Whether an answer is a refusal in one sentence, and from where.
fn source(answer: &Value) -> &str {
    let sentence = answer["refusal"]["sentence"].as_str().unwrap_or_default();
    assert!(answer["ok"] == false && !sentence.is_empty() && !sentence.contains('\n'), "{answer}");
    let source = &answer["refusal"]["source"];
    source["id"].as_str().or(source["type"].as_str()).unwrap()
}

#[test]
fn what_cannot_be_read_is_refused_and_the_socket_stays_open() {
    let mut house = Open::new("malformed", 20);
    let mut eve = house.eve();
    for text in [
        "",
        "hello",
        "{}",
        "[]",
        "null",
        r#"{"id":"1"}"#,
        r#"{"id":1,"do":{"client":{"type":"ping"}}}"#,
        r#"{"id":"1","do":{"player":{"type":"win"}}}"#,
        r#"{"id":"1","do":{"player":{"type":"sit","seat":-1}}}"#,
        r#"{"id":"1","do":{"player":{"type":"sit","seat":1,"free":true}}}"#,
        r#"{"id":"1","do":{"player":{"type":"sit","seat":99999999999999999999}}}"#,
        r#"{"id":"","do":{"player":{"type":"sit","seat":2}}}"#,
        "\u{0}\u{1}\u{fffd}",
    ] {
        std::thread::sleep(Duration::from_millis(52));
        eve.say(Message::Text(text.into()));
        let answer = std::iter::from_fn(|| eve.hear()).find(|told| told["type"] == "answer");
        assert_eq!(source(&answer.unwrap()), "house", "{text}");
    }
    let long = "x".repeat(65);
    let answer = eve.ask_as(&long, &json!({ "type": "sit", "seat": 2 }));
    assert_eq!(source(&answer), "house");
    let deep = format!("{}1{}", "[".repeat(1500), "]".repeat(1500));
    eve.say(Message::Text(deep.into()));
    let answer = std::iter::from_fn(|| eve.hear()).find(|told| told["type"] == "answer");
    assert_eq!(source(&answer.unwrap()), "house");
    house.ann_plays_a_round();
    eve.done(json!({ "type": "ping" }));
    house.end();
}

#[test]
fn what_is_too_long_or_no_text_closes_the_socket_and_no_other() {
    let mut house = Open::new("oversized", 20);
    for (message, code) in [
        (Message::Text("x".repeat(4097).into()), 1009),
        (Message::Text(format!(r#"{{"id":"{}","do":1}}"#, "y".repeat(60_000)).into()), 1009),
        (Message::Binary(vec![0; 10].into()), 1003),
    ] {
        let mut eve = house.eve();
        eve.say(message);
        let (closed, reason) = eve.parting();
        assert_eq!(closed, code, "{reason}");
        assert!(!reason.is_empty());
        house.ann_plays_a_round();
    }
    house.end();
}

/// A frame of a message, and whether it is its last.
fn frame(data: Data, bytes: &[u8], is_last: bool) -> Message {
    Message::Frame(Frame::message(bytes.to_vec(), OpCode::Data(data), is_last))
}

#[test]
fn what_breaks_the_websocket_protocol_is_told_why_by_its_closing_code() {
    let mut house = Open::new("frames", 20);
    for (frames, code) in [
        // A message goes on that never began, and one begins within another.
        (vec![frame(Data::Continue, b"x", true)], 1002),
        (vec![frame(Data::Text, b"x", false), frame(Data::Text, b"x", true)], 1002),
        (vec![frame(Data::Reserved(3), b"x", true)], 1002),
        (vec![frame(Data::Text, b"\xff", true)], 1007),
        (vec![frame(Data::Text, b"\xc3", false), frame(Data::Continue, b"x", true)], 1007),
        (vec![frame(Data::Text, &[b'x'; 70_000], true)], 1009),
        (
            vec![
                frame(Data::Text, &[b'x'; 40_000], false),
                frame(Data::Continue, &[b'x'; 40_000], true),
            ],
            1009,
        ),
    ] {
        let mut eve = house.eve();
        frames.into_iter().for_each(|frame| eve.say(frame));
        let (closed, reason) = eve.parting();
        assert_eq!(closed, code, "{reason}");
        assert!(reason.ends_with('.'), "{reason}");
        house.ann_plays_a_round();
    }
    house.end();
}

#[test]
fn fragments_empty_frames_and_pings_count_as_messages() {
    let mut house = Open::new("fragments", 20);
    let ping = || Message::Ping(Vec::new().into());
    for flood in [
        [frame(Data::Text, b"x", false), frame(Data::Continue, b"x", false)],
        [frame(Data::Text, b"", false), frame(Data::Continue, b"", false)],
        [ping(), ping()],
    ] {
        let mut eve = house.eve();
        let [first, next] = flood;
        eve.try_to_say(first);
        for _ in 0..100 {
            eve.try_to_say(next.clone());
        }
        let (code, reason) = eve.parting();
        let is_flood = reason.contains("at most 20 messages a second");
        assert_eq!((code, is_flood), (1008, true), "{reason}");
        house.ann_plays_a_round();
    }
    // A message in a few parts is a message.
    let mut eve = house.eve();
    let (first, rest) = br#"{"id":"parts","do":{"client":{"type":"ping"}}}"#.split_at(9);
    eve.say(frame(Data::Text, first, false));
    eve.say(frame(Data::Continue, rest, true));
    let answer = std::iter::from_fn(|| eve.hear()).find(|told| told["id"] == "parts").unwrap();
    assert_eq!(answer["ok"], true, "{answer}");
    house.end();
}

#[test]
fn what_comes_out_of_order_twice_or_for_somebody_else_is_refused() {
    let mut house = Open::new("foreign", 20);
    let stranger = Guest::new(house.address);
    let mut eve = Client::connect(house.address, &stranger);
    // Before a table is shown, and at a table that is none.
    let sit = json!({ "type": "sit", "seat": 2 });
    assert_eq!(source(&eve.ask(&sit)), "house");
    assert_eq!(source(&eve.ask(&json!({ "type": "watch", "table": "no-1" }))), "house");
    let mut eve = Client::watch(house.address, &stranger, None);
    // Not seated, not asked, not in play, not hers.
    for (what, from) in [
        (json!({ "type": "buy_in", "amount": "5" }), "G-26"),
        (json!({ "type": "wager", "amounts": [{ "circle": "main", "amount": "5" }] }), "G-26"),
        (json!({ "type": "act", "call": "war" }), "G-26"),
        (json!({ "type": "leave", "at": "1" }), "G-26"),
        (json!({ "type": "sit", "seat": 1 }), "G-31"),
    ] {
        assert_eq!(source(&eve.ask(&what)), from, "{what}");
    }
    eve.done(sit.clone());
    for what in [
        json!({ "type": "clear", "at": "1" }),
        json!({ "type": "wager", "amounts": [{ "circle": "main", "amount": "5" }], "at": "1" }),
        json!({ "type": "act", "call": "war", "at": "1" }),
        json!({ "type": "leave", "at": "1" }),
    ] {
        assert_eq!(source(&eve.ask(&what)), "house", "{what}");
    }
    // The same again is done once; the id of somebody else's command is nobody else's concern.
    let buy_in = json!({ "type": "buy_in", "amount": "100" });
    let first = eve.ask_as("mine", &buy_in);
    assert_eq!(first["ok"], true);
    for _ in 0..3 {
        assert_eq!(eve.ask_as("mine", &buy_in), first);
    }
    assert_eq!(source(&eve.ask_as("mine", &sit)), "house");
    let more = house.ann.ask_as("mine", &json!({ "type": "buy_in", "amount": "5" }));
    assert_eq!(more["ok"], true, "{more}");
    assert_eq!(stranger.balance(house.address), "900");
    house.ann_plays_a_round();
    house.end();
}

#[test]
fn who_is_no_supervisor_reports_orders_and_corrects_nothing() {
    let mut house = Open::new("roles", 20);
    let mut eve = house.eve();
    eve.sit(2, "100");
    for what in [
        json!({ "type": "report", "irregularity": { "kind": "face-up", "card": "9d" } }),
        json!({ "type": "order", "order": { "order": "void" } }),
        json!({ "type": "change_dealer", "dealer": "eve" }),
        json!({
            "type": "correct", "round": 1, "amount": "5", "from": "house", "to": { "rack": "2" },
            "because": "I want it",
        }),
    ] {
        assert_eq!(source(&eve.ask(&what)), "G-09", "{what}");
    }
    house.ann_plays_a_round();
    assert_eq!(eve.seat(2)["rack"], "100");
    house.end();
}

#[test]
fn who_floods_the_house_is_shown_the_door() {
    let mut house = Open::new("flood", 20);
    let mut eve = house.eve();
    ping(&mut eve, 100);
    let (code, reason) = eve.parting();
    assert_eq!((code, reason.contains("at most 20 messages a second")), (1008, true), "{reason}");
    house.ann_plays_a_round();
    // More sockets than one person may have: the last one is told why.
    let crowd = Guest::new(house.address);
    let mut sockets: Vec<_> = (0..9).map(|_| Client::connect(house.address, &crowd)).collect();
    let (code, reason) = sockets.last_mut().unwrap().parting();
    assert_eq!((code, reason.contains("8 tabs")), (1008, true), "{reason}");
    house.ann_plays_a_round();
    // More guests than one address may bring.
    let heads = (0..40).map(|_| http(house.address, "POST", "/api/guest", "").0);
    assert!(heads.into_iter().any(|head| head.starts_with("HTTP/1.1 429")));
    house.ann_plays_a_round();
    house.end();
}

/// Says hello on a socket so many times at once.
fn ping(socket: &mut Client, times: usize) {
    for number in 0..times {
        let ping = format!(r#"{{"id":"{number}","do":{{"client":{{"type":"ping"}}}}}}"#);
        socket.say(Message::Text(ping.into()));
    }
}

/// How many answers a socket gives until it is closed, of so many.
fn answers(socket: &mut Client, most: usize) -> usize {
    let told = std::iter::from_fn(|| socket.hear());
    told.filter(|told| told["type"] == "answer").take(most).count()
}

#[test]
fn many_sockets_of_one_person_send_no_more_than_one_may() {
    let mut house = Open::new("tabs", 10);
    let crowd = Guest::new(house.address);
    let mut sockets: Vec<_> = (0..8).map(|_| Client::connect(house.address, &crowd)).collect();
    // Ten on each are eight times as many as the person may send. An answer to a socket that is cut off
    // just then may not reach it.
    let since = Instant::now();
    sockets.iter_mut().for_each(|socket| ping(socket, 10));
    let answered: usize = sockets.iter_mut().map(|socket| answers(socket, 10)).sum();
    let allowed = 10.0 + 10.0 * since.elapsed().as_secs_f64();
    assert!((5..80).contains(&answered) && answered as f64 <= allowed, "{answered}");
    house.ann_plays_a_round();
    house.end();
}

#[test]
fn people_who_share_an_address_wait_for_each_other_and_are_not_cut_off() {
    let mut config = Config::new(open::data("shared-address"));
    config.tables = vec![open::impatient()];
    config.limits.messages_of_an_address = 20;
    let house = open::Open::with(config);
    let guests = [(); 3].map(|()| Guest::new(house.address));
    let mut sockets = guests.map(|guest| Client::connect(house.address, &guest));
    let since = Instant::now();
    sockets.iter_mut().for_each(|socket| ping(socket, 30));
    assert!(sockets.iter_mut().all(|socket| answers(socket, 30) == 30));
    // Of 90, twenty at once and then twenty a second.
    assert!(since.elapsed() >= Duration::from_millis(3400), "{:?}", since.elapsed());
    house.close();
}

#[test]
fn who_does_not_read_is_cut_off_and_holds_up_nobody() {
    let mut house = Open::new("slow", 100_000);
    let mut eve = house.eve();
    // Every answer is some ten thousand bytes long, and nobody reads them.
    let since = Instant::now();
    let mut sent = 0;
    let cut_off = loop {
        let watch = json!({ "id": sent.to_string(), "do": { "client": { "type": "watch", "table": "war-1" } } });
        sent += 1;
        if !eve.try_to_say(Message::Text(watch.to_string().into())) {
            break true;
        }
        if since.elapsed() > Duration::from_secs(60) {
            break false;
        }
        if sent % 500 == 0 {
            house.ann_plays_a_round();
        }
    };
    assert!(cut_off, "{sent} messages were taken of a client that reads none");
    house.ann_plays_a_round();
    house.end();
}

#[test]
fn what_is_no_request_disturbs_nobody() {
    let mut house = Open::new("requests", 20);
    for request in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"GET / HTTP/9.9\r\n\r\n",
        b"BREW /pot HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        b"POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"GET /../../../etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        b"GET /api/export/%2e%2e%2fwar-1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    ] {
        let mut stream = TcpStream::connect(house.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
        stream.write_all(request).unwrap();
        let mut answer = [0; 4096];
        let read = stream.read(&mut answer).unwrap_or(0);
        let answer = String::from_utf8_lossy(&answer[..read]).into_owned();
        let is_refused = answer.is_empty() || answer.starts_with("HTTP/1.1 4");
        assert!(is_refused || answer.contains("<html"), "{answer}");
        house.ann_plays_a_round();
    }
    house.end();
}
