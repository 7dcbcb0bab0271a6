//! Every route, asked well and badly: status and body are as the house describes them.

use crate::client;

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use client::{Client, Guest, http_with, open};
use house::Config;
use house::analysis::{Analysis, OwnRound, Position};
use house::people::password::Password;
use house::tables::dealer::Pace;
use serde_json::{Value, json};

const PASSWORD: &str = "nine of diamonds";

/// Knows no value.
struct Nothing;

impl Analysis for Nothing {
    fn values(&self, _: &Position) -> Result<Vec<wire::ActValueView>, String> {
        Ok(Vec::new())
    }

    fn review(&self, _: &OwnRound) -> wire::RoundReview {
        let (expectation, play, luck, decisions) = (0.0, 0.0, 0.0, Vec::new());
        wire::RoundReview { expectation, play, luck, decisions, unvalued: 0 }
    }
}

/// A house with somebody of every role in it, and what it says of itself.
struct Described {
    address: SocketAddr,
    api: Value,
    /// Operations that were answered as asked, and all that were asked: `GET /api/me`.
    answered: BTreeSet<String>,
    asked: BTreeSet<String>,
}

/// An answer of the house.
struct Answer {
    status: u16,
    kind: String,
    cookie: String,
    body: String,
}

impl Described {
    /// Asks as if the house had this name, and compares the answer with the description.
    fn ask_host(&self, operation: &str, hosts: &str) -> u16 {
        let (method, path) = operation.split_once(' ').unwrap();
        let mut stream = TcpStream::connect(self.address).unwrap();
        let request = format!("{method} {path} HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap();
        let described = &self.api["paths"][path][method.to_lowercase()]["responses"][status];
        let schema = &described["content"]["application/json"]["schema"];
        let body = serde_json::from_str(body).unwrap();
        assert_eq!(mismatch(&self.api, schema, &body, "body"), None, "{operation} {answer}");
        status.parse().unwrap()
    }

    fn send(&self, method: &str, path: &str, by: &str, lines: &str, body: &str) -> Answer {
        let by = match by {
            "" => String::new(),
            by if by.contains('=') => format!("Cookie: {by}\r\n"),
            by => format!("Authorization: Bearer {by}\r\n"),
        };
        let (head, body) = http_with(self.address, method, path, &format!("{by}{lines}"), body);
        let line = |name: &str| {
            let line = head.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|line| line.split(';').next()).unwrap_or_default().trim().to_owned()
        };
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, kind: line("content-type:"), cookie: line("set-cookie:"), body }
    }

    /// Asks an operation, and compares the answer with its description.
    fn ask(&mut self, operation: &str, path: &str, by: &str, body: &Value) -> Answer {
        let lines = "Content-Type: application/json\r\n";
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.ask_with(operation, path, by, lines, &body)
    }

    fn ask_with(
        &mut self,
        operation: &str,
        path: &str,
        by: &str,
        lines: &str,
        body: &str,
    ) -> Answer {
        let (method, template) = operation.split_once(' ').unwrap();
        let path = if path.is_empty() { template } else { path };
        let answer = self.send(method, path, by, lines, body);
        let described = &self.api["paths"][template][method.to_lowercase()];
        assert!(described.is_object(), "{operation} is not described");
        let shape = &described["responses"][answer.status.to_string()];
        let told = format!("{operation} {path} {body}: {} {}", answer.status, answer.body);
        assert!(shape.is_object(), "{told} is not described");
        let kinds = shape["content"].as_object().unwrap_or_else(|| panic!("{told}"));
        let content = kinds.get(&answer.kind).unwrap_or_else(|| panic!("{told} {}", answer.kind));
        if answer.kind == "application/json" {
            let value: Value = serde_json::from_str(&answer.body).unwrap();
            let wrong = mismatch(&self.api, &content["schema"], &value, "body");
            assert_eq!(wrong, None, "{told}");
        }
        if answer.status >= 400 {
            let refusal: wire::Refusal = serde_json::from_str(&answer.body).unwrap();
            let sentence = &refusal.sentence;
            assert!(sentence.ends_with(['.', '!', '?']) && !sentence.contains('\n'), "{told}");
            assert!(sentence.starts_with(|letter: char| !letter.is_lowercase()), "{told}");
            assert!(!refusal.code.is_empty() && !refusal.code.contains(' '), "{told}");
        } else {
            self.answered.insert(operation.to_owned());
        }
        self.asked.insert(operation.to_owned());
        answer
    }

    /// Asks for something that lets somebody in, and gives the cookie.
    fn enter(&mut self, operation: &str, by: &str, body: &Value) -> String {
        let answer = self.ask(operation, "", by, body);
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.cookie
    }
}

/// Where a value is not as a schema has it.
fn mismatch(api: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
    if let Some(to) = schema["$ref"].as_str() {
        let there = api.pointer(to.strip_prefix('#').unwrap());
        return mismatch(api, there.unwrap_or_else(|| panic!("{to} leads nowhere")), value, at);
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let wrong: Vec<_> =
            choices.iter().filter_map(|one| mismatch(api, one, value, at)).collect();
        return (wrong.len() == choices.len()).then(|| format!("{at} is none of {wrong:?}"));
    }
    if let Some(parts) = schema["allOf"].as_array() {
        return parts.iter().find_map(|one| mismatch(api, one, value, at));
    }
    if let Some(words) = schema["enum"].as_array().filter(|words| !words.contains(value)) {
        return Some(format!("{at} is {value}, and not one of {words:?}"));
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    if !kinds.contains(&kind) {
        return Some(format!("{at} is {kind}, and not {kinds:?}"));
    }
    match value {
        Value::Array(values) => (0..).zip(values).find_map(|(place, value)| {
            mismatch(api, &schema["items"], value, &format!("{at}[{place}]"))
        }),
        Value::Object(fields) => {
            let required = schema["required"].as_array().into_iter().flatten();
            let mut missing =
                required.filter_map(Value::as_str).filter(|key| fields.get(*key).is_none());
            if let Some(key) = missing.next() {
                return Some(format!("{at}.{key} is missing"));
            }
            fields.iter().find_map(|(key, value)| {
                let shape = match (&schema["properties"][key], &schema["additionalProperties"]) {
                    (Value::Null, Value::Object(_)) => &schema["additionalProperties"],
                    (Value::Null, _) => return Some(format!("{at}.{key} is not described")),
                    (shape, _) => shape,
                };
                mismatch(api, shape, value, &format!("{at}.{key}"))
            })
        }
        _ => None,
    }
}

fn make_operator(data: &Path) {
    let password = Password::new(PASSWORD.to_owned()).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(house::make_operator(data, "max".parse().unwrap(), &password)).unwrap();
}

#[test]
fn every_route_answers_as_it_is_described() {
    let mut config = Config::new(open::data("api"));
    config.tables.truncate(1);
    config.tables[0].pace = Pace {
        card: Duration::ZERO,
        betting: Duration::from_secs(60),
        inspection: Duration::ZERO,
        contributions: Duration::from_secs(2),
        ..Pace::default()
    };
    config.analysis = Some(Arc::new(Nothing));
    let (teacher, _ends) = crate::tutor::teacher();
    config.tutor = Some(teacher);
    let data = config.data.clone();
    let house = open::Open::with(config);
    let (_, api) = http_with(house.address, "GET", "/api/openapi.json", "", "");
    let api = serde_json::from_str(&api).unwrap();
    let (answered, asked) = (BTreeSet::new(), BTreeSet::new());
    let mut api = Described { address: house.address, api, answered, asked };
    make_operator(&data);

    // Somebody of every role, and a round that is over.
    let guest = api.enter("POST /api/guest", "", &Value::Null);
    let max = api.enter("POST /api/login", "", &json!({ "name": "max", "password": PASSWORD }));
    let new = |name: &str, role: &str| json!({ "name": name, "kind": "account", "role": role, "password": PASSWORD });
    for person in
        [new("eve", "supervisor"), new("aud", "auditor"), json!({ "name": "robo", "kind": "bot" })]
    {
        assert_eq!(api.ask("POST /api/people", "", &max, &person).status, 200);
    }
    let [eve, aud] = ["eve", "aud"].map(|name| {
        api.enter("POST /api/login", "", &json!({ "name": name, "password": PASSWORD }))
    });
    let ann = json!({ "name": "ann", "password": PASSWORD });
    let ann = api.enter("POST /api/account", &guest, &ann);
    let who = Guest { name: "ann".to_owned(), cookie: ann.clone() };
    let mut client = Client::watch(house.address, &who, None);
    client.sit(1, "100");
    client.until_awaited("cut");
    client.done(json!({ "type": "cut", "at": null }));
    client.until_awaited("wagers");
    client.bet("10");
    client.until(|client| client.view["round"] == 2 || client.is_asked());
    if client.is_asked() {
        client.act("surrender");
        client.until(|client| client.view["round"] == 2);
    }

    let kim = api.enter("POST /api/guest", "", &Value::Null);
    let leo = api.enter("POST /api/account", "", &json!({ "name": "leo", "password": PASSWORD }));
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    let suspension = json!({ "until": now + 60, "because": "he shouted" });
    let none = Value::Null;
    let limits = json!({ "loss": "500", "minutes": null });
    let correct = |id: &str, amount: &str| {
        let what = json!({
            "type": "correct", "round": 1, "amount": amount, "from": "house",
            "to": { "rack": "1" }, "because": "a chip fell",
        });
        json!({ "id": id, "do": what })
    };
    let label = json!({ "label": "laptop" });
    let passwords = json!({ "old": PASSWORD, "new": "ten of diamonds" });
    let other = json!({ "password": "jack of diamonds" });
    // Asked well: operation, address, who asks, body.
    for (operation, path, by, body) in [
        ("GET /api/me", "", &ann, &none),
        ("POST /api/me/name", "", &kim, &json!({ "name": "kim" })),
        ("POST /api/me/limits", "", &ann, &limits),
        ("GET /api/me/bankroll", "", &ann, &none),
        ("GET /api/me/statistics", "", &ann, &none),
        ("GET /api/tables", "", &guest, &none),
        ("GET /api/tables/{table}", "/api/tables/war-1", &guest, &none),
        ("POST /api/tables", "", &ann, &json!({ "game": "free-bet", "terms": { "decks": "8" } })),
        ("GET /api/tables/{table}/orders", "/api/tables/war-1/orders", &eve, &none),
        ("POST /api/tables/{table}/orders", "/api/tables/war-1/orders", &eve, &correct("1", "5")),
        ("GET /api/tables/{table}/closed-calls", "/api/tables/war-1/closed-calls", &ann, &none),
        ("GET /api/tables/{table}/values", "/api/tables/war-1/values", &ann, &none),
        ("GET /api/review", "/api/review?table=war-1&limit=5", &ann, &none),
        ("GET /api/odds/{game}", "/api/odds/casino-war", &guest, &none),
        ("POST /api/train/{game}", "/api/train/casino-war", &ann, &json!({ "drill": "decision" })),
        ("GET /api/rules/{game}", "/api/rules/casino-war", &guest, &none),
        ("GET /api/clause/{id}", "/api/clause/CW-8-c", &guest, &none),
        ("GET /api/clause/{id}", "/api/clause/G-06", &guest, &none),
        ("GET /api/clause/{id}", "/api/clause/main_min", &guest, &none),
        ("GET /api/export/{table}", "/api/export/war-1?from=1&to=9", &guest, &none),
        ("GET /api/rounds", "/api/rounds?table=war-1&limit=5", &ann, &none),
        ("GET /api/rounds", "/api/rounds?player=ann", &eve, &none),
        ("GET /api/rounds/{table}/{round}", "/api/rounds/war-1/1", &ann, &none),
        ("GET /api/shoes/{table}/{shoe}", "/api/shoes/war-1/1", &guest, &none),
        ("GET /api/people", "/api/people?after=ann", &aud, &none),
        ("GET /api/office/events", "", &aud, &none),
        ("POST /api/me/exclusion", "", &leo, &json!({ "until": now + 3 * 24 * 60 * 60 })),
        ("POST /api/people/{name}/suspension", "/api/people/leo/suspension", &max, &suspension),
        ("DELETE /api/people/{name}/suspension", "/api/people/leo/suspension", &max, &none),
        ("DELETE /api/people/{name}/sessions", "/api/people/leo/sessions", &max, &none),
        (
            "POST /api/people/{name}/role",
            "/api/people/robo/role",
            &max,
            &json!({ "role": "dealer" }),
        ),
        ("POST /api/people/{name}/tokens", "/api/people/robo/tokens", &max, &label),
        ("DELETE /api/people/{name}/tokens/{label}", "/api/people/robo/tokens/laptop", &max, &none),
        ("POST /api/people/{name}/password", "/api/people/aud/password", &max, &other),
        ("POST /api/backup", "", &max, &none),
        ("GET /health", "", &guest, &none),
        ("GET /ready", "", &guest, &none),
        ("GET /metrics", "", &guest, &none),
        ("GET /api", "", &guest, &none),
        ("GET /api/openapi.json", "", &guest, &none),
        ("GET /api/asyncapi.json", "", &guest, &none),
        ("POST /api/me/password", "", &eve, &passwords),
    ] {
        let answer = api.ask(operation, path, by, body);
        assert_eq!(answer.status, 200, "{operation} {}", answer.body);
    }

    // Asked badly: with which status it is refused.
    let long = json!({ "name": "a".repeat(5000), "password": "x" });
    for (operation, path, by, body, status) in [
        ("POST /api/account", "", "", &json!({ "name": "ann", "password": PASSWORD }), 409),
        ("POST /api/account", "", "", &json!({ "name": "tim", "password": "short" }), 400),
        ("POST /api/account", "", "", &json!({ "name": "guest-1", "password": PASSWORD }), 409),
        ("POST /api/login", "", "", &json!({ "name": "ann", "password": "wrong wrong" }), 401),
        ("POST /api/login", "", "", &long, 413),
        ("POST /api/login", "", "", &json!({ "name": 7 }), 400),
        ("POST /api/logout", "", "", &json!({}), 401),
        ("POST /api/logout", "", ann.as_str(), &json!({ "where": "all" }), 400),
        ("GET /api/me", "", "", &none, 401),
        ("GET /api/me", "", "a-forged-token", &none, 401),
        ("POST /api/me/name", "", &ann, &json!({ "name": "ann-2" }), 409),
        ("POST /api/me/name", "", &kim, &json!({ "name": "cashier" }), 409),
        ("POST /api/me/name", "", &kim, &json!({ "name": "ann" }), 409),
        ("POST /api/me/name", "", &kim, &json!({ "name": "Kim" }), 400),
        ("POST /api/me/name", "", "", &json!({ "name": "kim-2" }), 401),
        ("GET /api/tables/{table}", "/api/tables/war-9", "", &none, 404),
        ("POST /api/tables", "", &ann, &json!({ "game": "whist" }), 400),
        (
            "POST /api/tables",
            "",
            &ann,
            &json!({ "game": "casino-war", "terms": { "decks": "5" } }),
            400,
        ),
        ("POST /api/tables", "", "", &json!({ "game": "casino-war" }), 401),
        ("POST /api/me/limits", "", &ann, &json!({ "loss": "all of it" }), 400),
        ("POST /api/me/limits", "", &ann, &json!({ "minutes": -1 }), 400),
        ("POST /api/me/password", "", &ann, &json!({ "old": "wrong wrong", "new": PASSWORD }), 401),
        ("POST /api/cashier", "", &ann, &none, 409),
        ("POST /api/cashier", "", "", &none, 401),
        ("GET /api/tables/{table}/orders", "/api/tables/war-9/orders", &max, &none, 403),
        ("POST /api/tables/{table}/orders", "/api/tables/war-1/orders", &ann, &none, 403),
        ("GET /api/rules/{game}", "/api/rules/baccarat", "", &none, 404),
        ("GET /api/clause/{id}", "/api/clause/XX-1", "", &none, 404),
        ("GET /api/export/{table}", "/api/export/war-9", "", &none, 404),
        ("GET /api/export/{table}", "/api/export/war-1?from=0", "", &none, 400),
        ("GET /api/export/{table}", "/api/export/war-1?first=1", "", &none, 400),
        ("GET /api/odds/{game}", "/api/odds/baccarat", "", &none, 404),
        ("GET /api/odds/{game}", "/api/odds/casino-war?set=decks%3D5", "", &none, 400),
        ("POST /api/train/{game}", "/api/train/casino-war", &ann, &json!({ "drill": 3 }), 400),
        ("POST /api/train/{game}", "/api/train/casino-war", "", &json!({ "drill": "hand" }), 401),
        ("GET /api/review", "/api/review?limit=26", &ann, &none, 400),
        ("GET /api/review", "/api/review?round=1", &ann, &none, 400),
        ("GET /api/review", "/api/review?table=war-9", &ann, &none, 404),
        ("GET /api/review", "", "", &none, 401),
        ("GET /api/rounds", "/api/rounds?limit=1000", &ann, &none, 400),
        ("GET /api/rounds", "/api/rounds?player=max", &ann, &none, 403),
        ("GET /api/rounds", "/api/rounds?table=war-9", &ann, &none, 404),
        ("GET /api/rounds/{table}/{round}", "/api/rounds/war-1/99", &ann, &none, 404),
        ("GET /api/rounds/{table}/{round}", "/api/rounds/war-1/one", &ann, &none, 404),
        ("GET /api/shoes/{table}/{shoe}", "/api/shoes/war-1/99", "", &none, 404),
        ("GET /api/people", "/api/people?before=ann", &max, &none, 400),
        ("GET /api/people", "", &ann, &none, 403),
        ("GET /api/office/events", "/api/office/events?after=x", &max, &none, 400),
        ("GET /api/office/events", "", &ann, &none, 403),
        ("POST /api/me/exclusion", "", &ann, &json!({ "until": now }), 400),
        ("POST /api/me/exclusion", "", &ann, &json!({ "days": 3 }), 400),
        ("POST /api/me/exclusion", "", "", &json!({ "until": now }), 401),
        (
            "POST /api/people/{name}/suspension",
            "/api/people/max/suspension",
            &max,
            &suspension,
            409,
        ),
        (
            "POST /api/people/{name}/suspension",
            "/api/people/ann/suspension",
            &max,
            &json!({ "because": "" }),
            400,
        ),
        (
            "POST /api/people/{name}/suspension",
            "/api/people/ann/suspension",
            &max,
            &json!({ "because": "late", "until": 5 }),
            400,
        ),
        (
            "POST /api/people/{name}/suspension",
            "/api/people/nobody/suspension",
            &max,
            &suspension,
            404,
        ),
        ("DELETE /api/people/{name}/suspension", "/api/people/ann/suspension", &max, &none, 404),
        ("DELETE /api/people/{name}/sessions", "/api/people/robo/sessions", &max, &none, 409),
        ("DELETE /api/people/{name}/sessions", "/api/people/ann/sessions", &ann, &none, 403),
        ("POST /api/people", "", &max, &json!({ "name": "kim", "kind": "account" }), 400),
        ("POST /api/people", "", &max, &json!({ "name": "kim", "kind": "king" }), 400),
        (
            "POST /api/people/{name}/role",
            "/api/people/nobody/role",
            &max,
            &json!({ "role": "dealer" }),
            404,
        ),
        (
            "POST /api/people/{name}/role",
            "/api/people/max/role",
            &max,
            &json!({ "role": "dealer" }),
            409,
        ),
        ("POST /api/people/{name}/password", "/api/people/robo/password", &max, &other, 409),
        ("POST /api/people/{name}/tokens", "/api/people/ann/tokens", &max, &label, 409),
        (
            "DELETE /api/people/{name}/tokens/{label}",
            "/api/people/robo/tokens/none",
            &max,
            &none,
            404,
        ),
        ("POST /api/backup", "", &ann, &none, 403),
        ("GET /ws", "", &ann, &none, 400),
        ("GET /ws/lobby", "", "", &none, 400),
    ] {
        let answer = api.ask(operation, path, by, body);
        assert_eq!(answer.status, status, "{operation} {path} {body} {}", answer.body);
    }
    // Whatever changes something refuses a page of another site, and a body that is no JSON.
    let elsewhere = "Origin: https://elsewhere.example\r\nContent-Type: application/json\r\n";
    let paths = api.api["paths"].as_object().unwrap().clone();
    for (path, methods) in &paths {
        for (method, operation) in methods.as_object().unwrap() {
            let name = format!("{} {path}", method.to_uppercase());
            // Whatever is asked of another house, or of two, is refused.
            assert_eq!(api.ask_host(&name, "Host: elsewhere.example\r\n"), 421, "{name}");
            let two = format!("Host: {0}\r\nHost: {0}\r\n", api.address);
            assert_eq!(api.ask_host(&name, &two), 400, "{name}");
            for status in ["429", "500", "503"] {
                assert!(operation["responses"][status].is_object(), "{name} {status}");
            }
            if method != "get" {
                assert_eq!(api.ask_with(&name, "", &max, elsewhere, "{}").status, 403, "{name}");
            }
            if !operation["requestBody"].is_null() {
                let plain = "Content-Type: text/plain\r\n";
                let status = api.ask_with(&name, "", &max, plain, "{}").status;
                assert!([403, 415].contains(&status), "{name} {status}");
            }
        }
    }
    // Broke, ann is given more; and then she signs out.
    client.done(json!({ "type": "leave" }));
    let sign_out = api.ask("POST /api/logout", "", &ann, &json!({ "everywhere": true }));
    assert_eq!(sign_out.status, 200, "{}", sign_out.body);

    let all = paths.iter().flat_map(|(path, methods)| {
        let methods = methods.as_object().unwrap().keys();
        methods.map(move |method| format!("{} {path}", method.to_uppercase()))
    });
    let all: BTreeSet<String> = all.collect();
    assert_eq!(all, api.asked, "every operation is asked");
    // These are done well elsewhere: nobody is broke here, and a socket is no answer.
    let elsewhere = ["POST /api/cashier", "GET /ws", "GET /ws/lobby"].map(str::to_owned);
    let rest: Vec<_> = all.difference(&api.answered).cloned().collect();
    assert!(rest.iter().all(|operation| elsewhere.contains(operation)), "{rest:?}");
    house.close();
}

/// The bytes of an answer, as they come.
fn bytes(address: SocketAddr, path: &str, lines: &str) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).unwrap();
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n{lines}Connection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    answer
}

#[test]
fn an_answer_is_compressed_for_whoever_accepts_that() {
    const GZIP: [u8; 2] = [0x1f, 0x8b];
    let house = open::Open::with(Config::new(open::data("gzip")));
    let has = |answer: &[u8], part: &[u8]| answer.windows(part.len()).any(|bytes| bytes == part);
    for path in ["/api/openapi.json", "/api/tables"] {
        let plain = bytes(house.address, path, "");
        assert!(!has(&plain, b"content-encoding") && !has(&plain, &GZIP), "{path}");
        let small = bytes(house.address, path, "Accept-Encoding: br, gzip\r\n");
        assert!(has(&small, b"content-encoding: gzip") && has(&small, &GZIP), "{path}");
        assert!(small.len() < plain.len() * 2 / 3, "{path} {} {}", small.len(), plain.len());
    }
    let short = bytes(house.address, "/health", "Accept-Encoding: gzip\r\n");
    assert!(!has(&short, b"content-encoding"), "it is not worth it");
    house.close();
}
