//! A client as a browser would be one: a cookie, a socket, and versions without a gap.

#![allow(dead_code, reason = "each test program uses a part of it")]

pub(crate) mod open;

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use audit::mix::CommitmentPlace;
use rules::card::Card;
use rules::table::Seal;
use rules::wager::Bettor;
use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// After so long a test has failed.
const PATIENCE: Duration = Duration::from_secs(20);

/// Fewer than the house allows of one person, also with two sockets.
const BETWEEN_MESSAGES: Duration = Duration::from_millis(52);

/// A request on a connection of its own: the head and the body of the answer.
pub(crate) fn http(
    address: SocketAddr,
    method: &str,
    path: &str,
    cookie: &str,
) -> (String, String) {
    http_with(address, method, path, &format!("Cookie: {cookie}\r\n"), "")
}

/// A request with these lines in its head and with this body.
pub(crate) fn http_with(
    address: SocketAddr,
    method: &str,
    path: &str,
    lines: &str,
    body: &str,
) -> (String, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\n{lines}Content-Length: {}\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let is_chunked = head.contains("transfer-encoding: chunked");
    (head.to_owned(), if is_chunked { in_one(body) } else { body.to_owned() })
}

/// A body that came in chunks, each after its size.
fn in_one(mut chunks: &str) -> String {
    let mut body = String::new();
    while let Some((size, rest)) = chunks.split_once("\r\n") {
        let (chunk, rest) = rest.split_at(usize::from_str_radix(size, 16).unwrap());
        body.push_str(chunk);
        chunks = rest.strip_prefix("\r\n").unwrap_or_default();
    }
    body
}

/// Everybody who was let in, at each house: whoever has played at a table gets its log with names.
static COOKIES: Mutex<BTreeMap<SocketAddr, Vec<String>>> = Mutex::new(BTreeMap::new());

fn keep(address: SocketAddr, cookie: &str) {
    let mut cookies = COOKIES.lock().unwrap();
    let cookies = cookies.entry(address).or_default();
    cookies.retain(|kept| kept != cookie);
    cookies.push(cookie.to_owned());
}

/// The log of the Casino War table.
pub(crate) fn export(address: SocketAddr) -> String {
    export_of(address, "war-1")
}

/// The log of a table.
pub(crate) fn export_of(address: SocketAddr, table: &str) -> String {
    let cookies = COOKIES.lock().unwrap().get(&address).cloned().unwrap_or_default();
    let path = format!("/api/export/{table}");
    let gets_names = |cookie: &&String| {
        let (head, _) = http(address, "GET", &format!("{path}?to=1"), cookie);
        head.contains("pitboss-names: real")
    };
    let cookie = cookies.iter().rev().find(gets_names).map_or("", String::as_str);
    let (head, body) = http(address, "GET", &path, cookie);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    body
}

/// A table of the list.
pub(crate) fn in_list(address: SocketAddr, table: &str) -> Value {
    let tables: Vec<Value> =
        serde_json::from_str(&http(address, "GET", "/api/tables", "").1).unwrap();
    tables.into_iter().find(|open| open["table"] == table).unwrap()
}

/// A guest.
#[derive(Clone)]
pub(crate) struct Guest {
    pub(crate) name: String,
    pub(crate) cookie: String,
}

impl Guest {
    pub(crate) fn new(address: SocketAddr) -> Guest {
        let (head, body) = http(address, "POST", "/api/guest", "");
        let line = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
        for word in ["HttpOnly", "SameSite=Strict"] {
            assert!(line.contains(word), "{line}");
        }
        let cookie = line.split(';').next().unwrap().to_owned();
        let body: Value = serde_json::from_str(&body).unwrap();
        keep(address, &cookie);
        Guest { name: body["name"].as_str().unwrap().to_owned(), cookie }
    }

    pub(crate) fn balance(&self, address: SocketAddr) -> String {
        let (_, body) = http(address, "GET", "/api/me", &self.cookie);
        let body: Value = serde_json::from_str(&body).unwrap();
        body["balance"].as_str().unwrap().to_owned()
    }
}

/// A guest at the table.
pub(crate) struct Client {
    socket: WebSocket<TcpStream>,
    ids: String,
    sent: u32,
    last_sent: Instant,
    pub(crate) version: u64,
    /// The number of the last view.
    number: u64,
    /// What never changes at the table.
    pub(crate) about: Value,
    pub(crate) view: Value,
    /// The last head of the log: `SEQ:HASH`.
    pub(crate) head: String,
    /// Every message of the house, as it came.
    pub(crate) heard: Vec<String>,
    /// Every line that was announced.
    pub(crate) lines: Vec<String>,
    /// How many bytes of messages went out.
    pub(crate) bytes_sent: usize,
}

impl Client {
    /// Watches the Casino War table, from a version that was seen before or from nothing.
    pub(crate) fn watch(address: SocketAddr, guest: &Guest, from: Option<u64>) -> Client {
        Client::at(address, "war-1", guest, from)
    }

    /// Watches a table, from a version that was seen before or from nothing.
    pub(crate) fn at(address: SocketAddr, table: &str, guest: &Guest, from: Option<u64>) -> Client {
        let mut client = Client::connect(address, guest);
        client.version = from.unwrap_or(0);
        client.done(json!({ "type": "watch", "table": table, "from": from }));
        client.until(|client| !client.head.is_empty());
        client
    }

    /// A socket that shows no table yet.
    pub(crate) fn connect(address: SocketAddr, guest: &Guest) -> Client {
        keep(address, &guest.cookie);
        Client::with(address, "Cookie", &guest.cookie)
    }

    /// A socket of a bot, by its token.
    pub(crate) fn by(address: SocketAddr, authorization: &str) -> Client {
        Client::with(address, "Authorization", authorization)
    }

    fn with(address: SocketAddr, header: &'static str, value: &str) -> Client {
        Client::to(address, "/ws", &[(header, value)])
    }

    /// A socket in the lobby, of whoever comes by.
    pub(crate) fn in_lobby(address: SocketAddr) -> Client {
        Client::to(address, "/ws/lobby", &[])
    }

    fn to(address: SocketAddr, path: &str, headers: &[(&'static str, &str)]) -> Client {
        let mut request = format!("ws://{address}{path}").into_client_request().unwrap();
        for (header, value) in headers {
            request.headers_mut().insert(*header, value.parse().unwrap());
        }
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (socket, _) = tungstenite::client(request, stream).unwrap();
        let ids = format!("{:?}", Instant::now());
        Client {
            socket,
            ids: ids.chars().filter(char::is_ascii_digit).collect(),
            sent: 0,
            last_sent: Instant::now(),
            version: 0,
            number: 0,
            about: Value::Null,
            view: Value::Null,
            head: String::new(),
            heard: Vec::new(),
            lines: Vec::new(),
            bytes_sent: 0,
        }
    }

    /// Sends a message as it is.
    pub(crate) fn say(&mut self, message: Message) {
        self.socket.send(message).unwrap();
    }

    /// Sends a message as it is, and tells whether it could be sent.
    pub(crate) fn try_to_say(&mut self, message: Message) -> bool {
        self.socket.get_mut().set_write_timeout(Some(PATIENCE)).unwrap();
        self.socket.send(message).is_ok()
    }

    /// Why the house closes the socket: the code and the reason.
    pub(crate) fn parting(&mut self) -> (u16, String) {
        loop {
            match self.socket.read() {
                Ok(Message::Close(Some(frame))) => {
                    return (frame.code.into(), frame.reason.to_string());
                }
                Ok(_) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// Asks for something that must be done, and gives the answer. Who cuts adds nothing else to the
    /// order, so that nobody waits for it and known cards come.
    pub(crate) fn done(&mut self, what: Value) -> Value {
        if what["type"] == "cut" && self.view["mix"]["answered"] == false {
            self.ask(&json!({ "type": "commit", "commitment": null }));
        }
        let answer = self.ask(&what);
        assert_eq!(answer["ok"], true, "{what} {answer}");
        answer
    }

    /// Asks for something, and gives the answer.
    pub(crate) fn ask(&mut self, what: &Value) -> Value {
        self.sent += 1;
        let id = format!("{}-{}", self.ids, self.sent);
        self.ask_as(&id, what)
    }

    /// Asks for something under an id.
    pub(crate) fn ask_as(&mut self, id: &str, what: &Value) -> Value {
        self.send(id, what);
        loop {
            let message = self.hear().expect("the house is open");
            if message["type"] == "answer" && message["id"] == id {
                return message;
            }
        }
    }

    /// Asks for something, and does not wait for the answer.
    pub(crate) fn send(&mut self, id: &str, what: &Value) {
        std::thread::sleep(BETWEEN_MESSAGES.saturating_sub(self.last_sent.elapsed()));
        self.last_sent = Instant::now();
        let message = json!({ "id": id, "do": grouped(what) }).to_string();
        self.bytes_sent += message.len();
        self.socket.send(Message::Text(message.into())).unwrap();
    }

    /// Hears the next message; none where the socket is closed.
    pub(crate) fn hear(&mut self) -> Option<Value> {
        let text = loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => break text.to_string(),
                Ok(Message::Close(_)) | Err(tungstenite::Error::ConnectionClosed) => return None,
                Ok(_) => {}
                Err(error) => panic!("{error}, after {:?}", self.heard.last()),
            }
        };
        Some(self.take(text))
    }

    /// Hears whatever is there already.
    pub(crate) fn listen(&mut self) {
        self.socket.get_mut().set_read_timeout(Some(Duration::from_millis(2))).unwrap();
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => drop(self.take(text.to_string())),
                Ok(_) => {}
                Err(tungstenite::Error::Io(error))
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) =>
                {
                    break;
                }
                Err(error) => panic!("{error}, after {:?}", self.heard.last()),
            }
        }
        self.socket.get_mut().set_read_timeout(Some(PATIENCE)).unwrap();
    }

    fn take(&mut self, text: String) -> Value {
        let message: Value = serde_json::from_str(&text).unwrap();
        // The protocol reads whatever the house writes, and writes the same.
        let read: wire::FromHouse = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), message);
        self.heard.push(text);
        match message["type"].as_str().unwrap() {
            "table" => self.about = message["about"].clone(),
            "state" => {
                self.version = message["version"].as_u64().unwrap();
                self.number = message["number"].as_u64().unwrap();
                self.view = message["view"].clone();
            }
            "change" => self.take_change(&message),
            "event" => {
                self.version += 1;
                assert_eq!(message["version"], self.version, "a version is missing");
                let lines = message["events"].as_array().unwrap();
                self.lines.extend(lines.iter().map(|line| line.as_str().unwrap().to_owned()));
                if !message["change"].is_null() {
                    self.take_change(&message);
                }
            }
            "head" => {
                let hash = message["hash"].as_str().unwrap();
                self.head = format!("{}:{hash}", message["seq"]);
            }
            _ => {}
        }
        message
    }

    /// Takes over what changed in the view, the next one of this socket.
    fn take_change(&mut self, message: &Value) {
        self.number += 1;
        assert_eq!(message["number"], self.number, "a change is missing");
        for (field, value) in message["change"].as_object().unwrap() {
            if field != "seats" {
                self.view[field] = value.clone();
                continue;
            }
            for seat in value.as_array().unwrap() {
                let at = usize::try_from(seat["seat"].as_u64().unwrap()).unwrap() - 1;
                for (field, value) in seat.as_object().unwrap() {
                    self.view["seats"][at][field] = value.clone();
                }
            }
        }
    }

    /// Does what the table waits for from this client, if anything, as numbers decide.
    ///
    /// Knows nothing of any game: it reads offers and amounts. Says whether it did something.
    pub(crate) fn play_on(&mut self, numbers: &mut impl FnMut(usize) -> usize) -> bool {
        if self.mixes() {
            return true;
        }
        let bounds = &self.view["cut"];
        if let (Some(least), Some(most)) = (bounds["least"].as_u64(), bounds["most"].as_u64()) {
            let most = usize::try_from(most - least).unwrap() + 1;
            let at = usize::try_from(least).unwrap() + numbers(most);
            // The time for it may be over by then.
            self.ask(&json!({ "type": "cut", "at": at }));
            self.hear().expect("the house is open");
            return true;
        }
        if self.is_asked() {
            let offers = self.view["offers"].as_array().unwrap();
            let offer = offers[numbers(offers.len())].clone();
            let amount = &offer["amounts"]["least"];
            let amount = if numbers(2) == 0 { amount.clone() } else { Value::Null };
            let act = json!({
                "type": "act", "call": offer["call"], "at": offer["at"], "amount": amount,
            });
            self.does(act);
            return true;
        }
        self.view["betting"] == true && self.bet_anything(numbers)
    }

    /// Commits to bytes for the order of a shoe, or opens them. Says whether it did something.
    pub(crate) fn mixes(&mut self) -> bool {
        if self.view["mix"]["answered"] != false {
            return false;
        }
        let (number, seal) = (&self.view["shoe"]["number"], &self.view["shoe"]["seal"]);
        let bytes = Seal([u8::try_from(number.as_u64().unwrap() % 251).unwrap(); 32]);
        let place = CommitmentPlace {
            house: self.about["house"].as_str().unwrap(),
            table: self.about["table"].as_str().unwrap(),
            shoe: u32::try_from(number.as_u64().unwrap()).unwrap(),
            seal: &seal.as_str().unwrap().parse().unwrap(),
            seat: Bettor::read(self.view["mine"][0].as_str().unwrap()).unwrap(),
        };
        let commitment = place.commitment(&bytes).to_string();
        let what = match self.view["mix"]["stage"].as_str() {
            Some("commit") => json!({ "type": "commit", "commitment": commitment }),
            _ => json!({ "type": "open", "bytes": bytes.to_string() }),
        };
        self.ask(&what);
        self.hear().expect("the house is open");
        true
    }

    /// Places the least on what must be wagered, and perhaps on what may be, at every place.
    fn bet_anything(&mut self, numbers: &mut impl FnMut(usize) -> usize) -> bool {
        let Some(me) = self.view["me"].as_u64() else { return false };
        let mine: Vec<Value> = self.view["mine"].as_array().unwrap().clone();
        let seat = self.seat(usize::try_from(me).unwrap()).clone();
        let behind = seat["behind"].as_array().unwrap();
        let own = behind.iter().find(|place| place["at"] == mine[0]).unwrap_or(&seat);
        if own["ready"] == true {
            return false;
        }
        for at in mine {
            let circles = self.about["circles"].as_array().unwrap().clone();
            let open = circles.iter().filter(|circle| !circle["opening"].is_null());
            let chosen =
                open.filter(|circle| circle["opening"]["required"] == true || numbers(3) == 0);
            let amount = |circle: &Value| {
                let least = &circle["opening"]["least"];
                json!({ "circle": circle["circle"], "amount": least })
            };
            let amounts: Vec<Value> = chosen.map(amount).collect();
            // Whoever may not bet now sits the round out.
            self.ask(&json!({ "type": "wager", "amounts": amounts, "at": at }));
        }
        self.done(json!({ "type": "ready" }));
        self.hear().expect("the house is open");
        true
    }

    /// Does something at the table, and hears what came of it.
    fn does(&mut self, what: Value) {
        self.done(what);
        let answered = self.version;
        self.until(|client| client.version > answered);
    }

    /// The round in play, or the next one.
    pub(crate) fn round(&self) -> u64 {
        self.view["round"].as_u64().unwrap_or(0)
    }

    /// Plays whatever is offered, always the first choice, until it is enough.
    pub(crate) fn play_until(&mut self, is_enough: impl Fn(&Client) -> bool) {
        let since = Instant::now();
        while !is_enough(self) {
            assert!(since.elapsed() < Duration::from_secs(120), "still {}", self.view);
            if !self.play_on(&mut |_| 0) {
                self.hear().expect("the house is open");
            }
        }
    }

    /// Listens until something is so.
    pub(crate) fn until(&mut self, is_so: impl Fn(&Client) -> bool) {
        let since = Instant::now();
        while !is_so(self) {
            assert!(since.elapsed() < PATIENCE, "still {}", self.view);
            self.hear().expect("the house is open");
        }
    }

    /// Listens until the table waits for this.
    pub(crate) fn until_awaited(&mut self, what: &str) {
        self.until(|client| client.awaited() == what);
    }

    /// Waits until nobody at the table is away.
    pub(crate) fn until_all_are_here(&mut self) {
        self.until(|client| {
            let seats = client.view["seats"].as_array().unwrap();
            seats.iter().all(|seat| seat["away"] == false)
        });
    }

    pub(crate) fn awaited(&self) -> &str {
        self.view["awaited"]["what"].as_str().unwrap()
    }

    /// Whether the table waits for this client's decision.
    pub(crate) fn is_asked(&self) -> bool {
        self.view["offers"].as_array().is_some_and(|offers| !offers.is_empty())
    }

    /// What the view says of a seat, counted from 1.
    pub(crate) fn seat(&self, seat: usize) -> &Value {
        &self.view["seats"][seat - 1]
    }

    /// Sits down and buys in.
    pub(crate) fn sit(&mut self, seat: usize, amount: &str) {
        self.done(json!({ "type": "sit", "seat": seat }));
        self.done(json!({ "type": "buy_in", "amount": amount }));
    }

    /// Places a main wager and has no further one.
    pub(crate) fn bet(&mut self, amount: &str) {
        let main = json!({ "circle": "main", "amount": amount });
        self.done(json!({ "type": "wager", "amounts": [main] }));
        self.done(json!({ "type": "ready" }));
    }

    pub(crate) fn act(&mut self, call: &str) {
        self.done(json!({ "type": "act", "call": call }));
    }
}

/// A command under the name of who may say it; a player's where nothing else is known.
pub(crate) fn grouped(what: &Value) -> Value {
    let group = match what["type"].as_str() {
        Some("watch" | "ping") => "client",
        Some(
            "report" | "order" | "correct" | "change_dealer" | "approve" | "refuse" | "unseat",
        ) => "supervisor",
        Some(_) => "player",
        None => return what.clone(),
    };
    json!({ group: what })
}

/// Every card that is named in a message: `9d`, or `nine of diamonds`.
pub(crate) fn named(message: &Value, cards: &mut Vec<Card>) {
    match message {
        Value::Array(parts) => parts.iter().for_each(|part| named(part, cards)),
        Value::Object(parts) => parts.values().for_each(|part| named(part, cards)),
        Value::String(text) => {
            let words: Vec<_> = text.split(|c: char| !c.is_ascii_alphanumeric()).collect();
            cards.extend(words.iter().filter_map(|word| word.parse::<Card>().ok()));
            for phrase in words.windows(3).filter(|phrase| phrase[1] == "of") {
                let is_named = |card: &Card| {
                    let suit = phrase[2].as_bytes().first().map(|&letter| char::from(letter));
                    card.rank().name() == phrase[0] && Some(card.suit().letter()) == suit
                };
                cards.extend(Card::DECK.into_iter().find(is_named));
            }
        }
        _ => {}
    }
}
