//! The explorer and the trainer, as the house lets people at them.

use crate::client;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use client::open::{Open, data};
use client::{Guest, http, http_with};
use house::Config;
use house::analysis::{Lesson, Tutor};
use house::http::MOST_STUDIES_OF_AN_ADDRESS;
use rules::card::Card;
use rules::terms::TermSheet;
use serde_json::{Value, json};
use wire::{OddsLine, OddsPart, QuestionView, TrainingView};

/// Tells that steps are done until nobody listens, and then that it has ended; or one step alone where no
/// card is gone. A lesson's record has one letter for each answer, and its question is in the field asked for.
struct Teacher {
    ended: Mutex<Sender<usize>>,
}

impl Tutor for Teacher {
    fn explore(
        &self,
        _: &TermSheet,
        gone: &[Card],
        tell: &mut dyn FnMut(OddsLine) -> bool,
    ) -> Result<(), String> {
        if gone.len() == 7 {
            return Err("too few cards are left".to_owned());
        }
        let most = if gone.is_empty() { 1 } else { usize::MAX };
        let mut done = 0;
        while done < most && tell(OddsLine::Progress { part: OddsPart::Wagers, done, of: 9 }) {
            done += 1;
            if most > 1 {
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        tell(OddsLine::End { complete: most == 1 });
        self.ended.lock().unwrap().send(done).unwrap();
        Ok(())
    }

    fn train(&self, lesson: &Lesson) -> Result<(TrainingView, Option<String>), String> {
        if lesson.drill == "juggling" {
            return Err("the drills here are decision, hand".to_owned());
        }
        let question = QuestionView {
            name: lesson.record.clone(),
            drill: lesson.drill.clone(),
            shown: None,
            field: lesson.field.clone(),
            chart: None,
            true_count: None,
            count: None,
        };
        let (graded, drills, boxes, days) = (None, Vec::new(), Vec::new(), Vec::new());
        let view = TrainingView { graded, question, drills, decisions: 0, boxes, days };
        let kept = lesson.answer.as_ref().map(|_| format!("{}x", lesson.record));
        Ok((view, kept))
    }
}

/// A teacher, and what tells that an exploration has ended.
pub(crate) fn teacher() -> (Arc<dyn Tutor>, Receiver<usize>) {
    let (ended, ends) = channel();
    (Arc::new(Teacher { ended: Mutex::new(ended) }), ends)
}

fn open(name: &str) -> (Open, Receiver<usize>) {
    let mut config = Config::new(data(&format!("tutor-{name}")));
    let (teacher, ends) = teacher();
    config.tutor = Some(teacher);
    (Open::with(config), ends)
}

fn asked(house: &Open, path: &str) -> (String, String) {
    let (head, body) = http(house.address, "GET", path, "");
    (head.split(' ').nth(1).unwrap().to_owned(), body)
}

#[test]
fn lines_come_one_by_one_and_refusals_in_a_sentence() {
    let (house, _ends) = open("lines");
    let (status, body) = asked(&house, "/api/odds/casino-war");
    let lines: Vec<Value> = body.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(status, "200");
    assert_eq!(
        lines,
        [
            json!({ "type": "progress", "part": "wagers", "done": 0, "of": 9 }),
            json!({ "type": "end", "complete": true }),
        ]
    );
    for (path, expected, code, words) in [
        ("/api/odds/baccarat", "404", "no-such-game", "no such game"),
        ("/api/odds/casino-war?set=decks%3D5", "400", "bad-terms", "CW-2-a"),
        ("/api/odds/casino-war?set=decks", "400", "bad-terms", "decks=8"),
        ("/api/odds/casino-war?gone=Xx", "400", "bad-card", "'Xx'"),
        ("/api/odds/casino-war?gone=As*9999", "400", "bad-card", "shoe"),
        ("/api/odds/casino-war?gone=As*-1", "400", "bad-card", "As*-1"),
        ("/api/odds/casino-war?other=1", "400", "bad-query", "other"),
        ("/api/odds/casino-war?gone=As*7", "409", "no-value", "Too few cards are left."),
    ] {
        let (status, body) = asked(&house, path);
        let refusal: Value = serde_json::from_str(&body).unwrap();
        assert_eq!((status.as_str(), &refusal["code"]), (expected, &json!(code)), "{path}");
        assert!(refusal["sentence"].as_str().unwrap().contains(words), "{body}");
    }
    house.close();
}

/// The compression of answers polls once more after the end.
#[test]
fn a_compressed_answer_is_complete() {
    let (house, _ends) = open("compressed");
    let mut stream = TcpStream::connect(house.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let request = format!(
        "GET /api/odds/casino-war HTTP/1.1\r\nHost: {}\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n",
        house.address
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let head = String::from_utf8_lossy(&answer[..200]).to_lowercase();
    assert!(head.contains("content-encoding: gzip"), "{head}");
    // The last of the chunks, which is empty.
    assert!(answer.ends_with(b"0\r\n\r\n"), "it was cut off: {answer:?}");
    house.close();
}

/// An exploration that never ends, until somebody goes away.
fn begun(house: &Open) -> TcpStream {
    let mut stream = TcpStream::connect(house.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let request =
        format!("GET /api/odds/casino-war?gone=As HTTP/1.1\r\nHost: {}\r\n\r\n", house.address);
    stream.write_all(request.as_bytes()).unwrap();
    stream
}

#[test]
fn whoever_goes_away_ends_the_work_and_an_address_has_its_share() {
    let (house, ends) = open("share");
    let mut streams: Vec<TcpStream> =
        (0..MOST_STUDIES_OF_AN_ADDRESS).map(|_| begun(&house)).collect();
    // The first is under way, and its lines arrive while it is.
    let mut some = [0; 256];
    assert!(streams[0].read(&mut some).unwrap() > 0);
    let patience = Instant::now() + Duration::from_secs(10);
    loop {
        let (status, body) = asked(&house, "/api/odds/casino-war");
        if status == "429" {
            assert!(body.contains("too-many-studies"), "{body}");
            break;
        }
        assert!(Instant::now() < patience, "{status} {body}");
    }
    // A table is not disturbed by it.
    assert_eq!(asked(&house, "/health").0, "200");
    streams.clear();
    for _ in 0..MOST_STUDIES_OF_AN_ADDRESS {
        ends.recv_timeout(Duration::from_secs(10)).unwrap();
    }
    house.close();
}

fn train(house: &Open, cookie: &str, body: &Value) -> (String, Value) {
    let lines = format!("Cookie: {cookie}\r\nContent-Type: application/json\r\n");
    let path = "/api/train/free-bet";
    let (head, body) = http_with(house.address, "POST", path, &lines, &body.to_string());
    (head.split(' ').nth(1).unwrap().to_owned(), serde_json::from_str(&body).unwrap())
}

#[test]
fn what_was_trained_is_kept_with_ones_name_and_stays_with_the_account() {
    let (house, _ends) = open("kept");
    let ann = Guest::new(house.address);
    let answer = json!({ "question": "q", "answer": "hit", "milliseconds": 5 });
    let (status, first) = train(&house, &ann.cookie, &json!({ "drill": "hand" }));
    assert_eq!((status.as_str(), &first["question"]["name"]), ("200", &json!("")));
    for kept in ["", "x"] {
        let body = json!({ "drill": "hand", "answer": answer });
        let (_, view) = train(&house, &ann.cookie, &body);
        assert_eq!(view["question"]["name"], kept);
    }
    let lines = format!("Cookie: {}\r\nContent-Type: application/json\r\n", ann.cookie);
    let account = json!({ "name": "ann", "password": "correct horse battery" }).to_string();
    let (head, _) = http_with(house.address, "POST", "/api/account", &lines, &account);
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    let cookie = cookie.split(';').next().unwrap();
    let (_, view) = train(&house, cookie, &json!({ "drill": "hand" }));
    assert_eq!(view["question"]["name"], "xx");
    // The decision to begin with is told to whoever teaches.
    let body = json!({ "drill": "decision", "field": "hard 16 T" });
    assert_eq!(train(&house, cookie, &body).1["question"]["field"], "hard 16 T");
    assert_eq!(view["question"]["field"], Value::Null);
    // Somebody else has trained nothing.
    let bob = Guest::new(house.address);
    let (_, view) = train(&house, &bob.cookie, &json!({ "drill": "hand" }));
    assert_eq!(view["question"]["name"], "");
    let (status, refusal) = train(&house, &bob.cookie, &json!({ "drill": "juggling" }));
    assert_eq!((status.as_str(), &refusal["code"]), ("409", &json!("no-question")));
    let (status, _) = train(&house, "", &json!({ "drill": "hand" }));
    assert_eq!(status, "401");
    house.close();
}

#[test]
fn a_house_without_odds_says_so() {
    let house = Open::with(Config::new(data("tutor-none")));
    let (status, body) = asked(&house, "/api/odds/casino-war");
    assert!(status == "404" && body.contains("no-odds"), "{body}");
    house.close();
}
