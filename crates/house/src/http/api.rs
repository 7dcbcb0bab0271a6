//! What a program can read about the house: every request, and the schema of every message.

use std::sync::OnceLock;

use axum::http::header;
use axum::response::{IntoResponse, Response};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::accounts::{LogIn, LogOut, OtherPassword, SignUp};
use super::me::OwnLimits;
use super::office::{NewPassword, NewPerson, NewToken, OtherRole};
use crate::wire::{
    Acts, BackupView, Bankroll, BookView, ClauseView, FromClient, FromHouse, Me, OpenTable,
    OrdersView, People, PersonView, Refused, RoundView, RoundsView, ShoeRecordView, TokenView,
};

/// Who may ask for something.
#[derive(Clone, Copy)]
enum By {
    /// Whoever comes.
    Anyone,
    /// Whoever is known by a cookie or a token.
    Known,
    /// Whoever has a role.
    Role(&'static str),
}

/// A type of a body, as a schema.
type Shape = fn(&mut SchemaGenerator) -> Schema;

/// What comes back.
#[derive(Clone, Copy)]
enum Answer {
    Json(Shape),
    Text(&'static str),
}

/// A request that the house answers.
struct Asked {
    method: &'static str,
    /// With `{…}` for what is named in it, and after `?` what may follow.
    path: &'static str,
    about: &'static str,
    by: By,
    body: Option<Shape>,
    answer: Answer,
}

/// Something asked without a body.
const fn get(path: &'static str, by: By, answer: Answer, about: &'static str) -> Asked {
    Asked { method: "get", path, about, by, body: None, answer }
}

/// Something asked for to be done.
const fn post(
    path: &'static str,
    by: By,
    body: Option<Shape>,
    answer: Answer,
    about: &'static str,
) -> Asked {
    Asked { method: "post", path, about, by, body, answer }
}

fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

const TEXT: Answer = Answer::Text("text/plain");
const JSON: Answer = Answer::Text("application/json");
const ME: Answer = Answer::Json(of::<Me>);
const OPERATOR: By = By::Role("operator");
const SUPERVISOR: By = By::Role("supervisor");
const READER: By = By::Role("operator or auditor");

/// Every request, as `GET /api` lists them.
const REQUESTS: &[Asked] = &[
    post("/api/guest", By::Anyone, None, ME, "lets a guest in, or knows somebody again"),
    post(
        "/api/account",
        By::Anyone,
        Some(of::<SignUp>),
        ME,
        "makes an account; of a guest's, if one asks",
    ),
    post("/api/login", By::Anyone, Some(of::<LogIn>), ME, "begins a session with a password"),
    post("/api/logout", By::Known, Some(of::<LogOut>), JSON, "ends this session, or all of them"),
    get("/api/me", By::Known, ME, "who one is, the money, the session's clock and own limits"),
    post("/api/me/limits", By::Known, Some(of::<OwnLimits>), ME, "sets own limits for a day"),
    get("/api/me/bankroll", By::Known, Answer::Json(of::<Bankroll>), "one's money over time"),
    post("/api/me/password", By::Known, Some(of::<OtherPassword>), ME, "takes another password"),
    post("/api/cashier", By::Known, None, ME, "play money for whoever is broke"),
    get("/api/tables", By::Anyone, Answer::Json(of::<Vec<OpenTable>>), "the open tables"),
    get(
        "/api/tables/{table}/orders",
        SUPERVISOR,
        Answer::Json(of::<OrdersView>),
        "what may be ordered at a table now",
    ),
    post(
        "/api/tables/{table}/orders",
        SUPERVISOR,
        Some(of::<FromClient>),
        Answer::Json(of::<OrdersView>),
        "reports, orders, corrects, or changes the dealer",
    ),
    get(
        "/api/rules/{game}",
        By::Anyone,
        Answer::Json(of::<BookView>),
        "the book of a game, in our words",
    ),
    get(
        "/api/clause/{id}",
        By::Anyone,
        Answer::Json(of::<ClauseView>),
        "a clause, a ruling or a term",
    ),
    get("/api/export/{table}?from&to", By::Anyone, TEXT, "the log of a table, for pitboss verify"),
    get(
        "/api/rounds?table&player&before&limit",
        By::Known,
        Answer::Json(of::<RoundsView>),
        "rounds that are over, the latest first",
    ),
    get(
        "/api/rounds/{table}/{round}",
        By::Known,
        Answer::Json(of::<RoundView>),
        "a round, step by step as one saw it",
    ),
    get(
        "/api/shoes/{table}/{shoe}",
        By::Anyone,
        Answer::Json(of::<ShoeRecordView>),
        "what it takes to check a shoe",
    ),
    post(
        "/api/backup",
        OPERATOR,
        None,
        Answer::Json(of::<BackupView>),
        "copies the store while the house is open",
    ),
    get("/ready", By::Anyone, JSON, "whether everybody could play"),
    get("/metrics", By::Anyone, TEXT, "counters and gauges for Prometheus"),
    get("/api/people?after", READER, Answer::Json(of::<People>), "everyone, 500 at a time"),
    post(
        "/api/people",
        OPERATOR,
        Some(of::<NewPerson>),
        Answer::Json(of::<PersonView>),
        "makes an account or a bot",
    ),
    post(
        "/api/people/{name}/role",
        OPERATOR,
        Some(of::<OtherRole>),
        Answer::Json(of::<PersonView>),
        "gives another role",
    ),
    post(
        "/api/people/{name}/password",
        OPERATOR,
        Some(of::<NewPassword>),
        Answer::Json(of::<PersonView>),
        "gives another password",
    ),
    post(
        "/api/people/{name}/tokens",
        OPERATOR,
        Some(of::<NewToken>),
        Answer::Json(of::<TokenView>),
        "gives a bot a token",
    ),
    Asked {
        method: "delete",
        path: "/api/people/{name}/tokens/{label}",
        about: "takes a token back",
        by: OPERATOR,
        body: None,
        answer: Answer::Json(of::<PersonView>),
    },
    get("/api/acts?after", READER, Answer::Json(of::<Acts>), "what operators did, 500 at a time"),
    get("/health", By::Anyone, JSON, "whether all is well"),
    get("/ws", By::Known, JSON, "the WebSocket; /api/schema has its messages"),
    get("/api", By::Anyone, TEXT, "this list"),
    get("/api/openapi.json", By::Anyone, JSON, "this list as OpenAPI"),
    get("/api/schema", By::Anyone, JSON, "the JSON Schema of every message on the WebSocket"),
];

/// The requests as plain text.
pub(super) async fn page() -> Response {
    static PAGE: OnceLock<String> = OnceLock::new();
    let line = |asked: &Asked| {
        let by = match asked.by {
            By::Anyone => "anyone",
            By::Known => "known",
            By::Role(role) => role,
        };
        format!("{:<7}{:<42}{by:<21}{}\n", asked.method.to_uppercase(), asked.path, asked.about)
    };
    let page = PAGE.get_or_init(|| {
        let lines: String = REQUESTS.iter().map(line).collect();
        format!(
            "The requests of this house: what is asked, who may, and what it does.\n\
             \"known\" is whoever came in with POST /api/guest, or a bot with its token in the header\n\
             Authorization: Bearer TOKEN. What is refused comes with a sentence and a source.\n\n\
             {lines}\nAs OpenAPI: /api/openapi.json. Messages on the WebSocket: /api/schema.\n"
        )
    });
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], page.as_str()).into_response()
}

/// The requests as OpenAPI 3.1.
pub(super) async fn openapi() -> Response {
    static OPENAPI: OnceLock<String> = OnceLock::new();
    in_json(OPENAPI.get_or_init(|| described(REQUESTS).to_string()))
}

/// The schemas of what clients say on the socket, and of what the house says.
pub(super) async fn schema() -> Response {
    static SCHEMA: OnceLock<String> = OnceLock::new();
    in_json(SCHEMA.get_or_init(|| messages().to_string()))
}

fn in_json(text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

fn messages() -> Value {
    let says = SchemaSettings::draft2020_12().into_generator();
    let hears = SchemaSettings::draft2020_12().for_serialize().into_generator();
    json!({
        "from_client": says.into_root_schema_for::<FromClient>(),
        "from_house": hears.into_root_schema_for::<FromHouse>(),
    })
}

fn described(requests: &[Asked]) -> Value {
    let settings = SchemaSettings::draft2020_12()
        .with(|settings| settings.definitions_path = "/components/schemas".into());
    let mut says = settings.clone().into_generator();
    let mut hears = settings.for_serialize().into_generator();
    let refused = of::<Refused>(&mut hears);
    let mut paths = Map::new();
    for asked in requests {
        let path = asked.path.split('?').next().unwrap_or_default();
        let operation = asked.described(&mut says, &mut hears, &refused);
        let methods = paths.entry(path).or_insert_with(|| json!({}));
        methods[asked.method] = operation;
    }
    let mut schemas = says.take_definitions(true);
    schemas.extend(hears.take_definitions(true));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Pitboss",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Five casino table games, live. Money is dollars as text; times are seconds of Unix time.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "cookie": { "type": "apiKey", "in": "cookie", "name": "pitboss-HOUSE" },
                "token": { "type": "http", "scheme": "bearer" },
            },
        },
    })
}

impl Asked {
    fn described(
        &self,
        says: &mut SchemaGenerator,
        hears: &mut SchemaGenerator,
        refused: &Schema,
    ) -> Value {
        let in_json = |schema: Value| json!({ "application/json": { "schema": schema } });
        let content = match self.answer {
            Answer::Json(shape) => in_json(shape(hears).to_value()),
            Answer::Text(kind) => json!({ kind: {} }),
        };
        let parameter = |name: &str, place: &str| {
            let schema = json!({ "type": "string" });
            json!({ "name": name, "in": place, "required": place == "path", "schema": schema })
        };
        let (path, query) = self.path.split_once('?').unwrap_or((self.path, ""));
        let named = path.split('{').skip(1).filter_map(|rest| rest.split('}').next());
        let named = named.map(|name| parameter(name, "path"));
        let follows = query.split('&').filter(|name| !name.is_empty());
        let follows = follows.map(|name| parameter(name, "query"));
        let mut operation = json!({
            "summary": self.about,
            "parameters": named.chain(follows).collect::<Vec<_>>(),
            "responses": {
                "200": { "description": self.about, "content": content },
                "default": { "description": "why not", "content": in_json(refused.clone().to_value()) },
            },
        });
        if let Some(shape) = self.body {
            let content = in_json(shape(says).to_value());
            operation["requestBody"] = json!({ "required": true, "content": content });
        }
        match self.by {
            By::Anyone => {}
            By::Known => operation["security"] = json!([{ "cookie": [] }, { "token": [] }]),
            By::Role(role) => {
                operation["security"] = json!([{ "cookie": [] }, { "token": [] }]);
                operation["description"] = json!(format!("For the role {role}."));
            }
        }
        operation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every `$ref` in a value.
    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                if let Some(Value::String(to)) = fields.get("$ref") {
                    found.push(to.clone());
                }
                fields.values().for_each(|value| references(value, found));
            }
            Value::Array(values) => values.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }

    fn check(described: &Value) {
        let mut found = Vec::new();
        references(described, &mut found);
        assert!(!found.is_empty());
        for to in found {
            let there = described.pointer(to.strip_prefix('#').unwrap());
            assert!(there.is_some(), "{to} leads nowhere");
        }
    }

    #[test]
    fn every_route_is_described_and_everything_described_is_a_route() {
        let routes = include_str!("mod.rs").split(".route(\"").skip(1);
        let routes = routes.filter_map(|rest| rest.split('"').next());
        let routes: Vec<_> = routes.filter(|path| !path.contains('*')).collect();
        let described = |asked: &Asked| asked.path.split('?').next().unwrap().to_owned();
        let described: Vec<_> = REQUESTS.iter().map(described).collect();
        for route in &routes {
            assert!(described.iter().any(|path| path == route), "{route} is not in REQUESTS");
        }
        for path in &described {
            assert!(routes.contains(&path.as_str()), "{path} is no route");
        }
    }

    #[test]
    fn what_is_described_is_all_there() {
        check(&described(REQUESTS));
        let messages = messages();
        for side in ["from_client", "from_house"] {
            check(&messages[side]);
        }
        let says = &messages["from_client"];
        assert_eq!(says["required"], json!(["id", "do"]));
        let commands = says["$defs"]["Do"]["oneOf"].as_array().unwrap();
        let kinds: Vec<_> = commands
            .iter()
            .map(|one| one["properties"]["type"]["const"].as_str().unwrap())
            .collect();
        for kind in ["watch", "sit", "buy_in", "wager", "ready", "act", "order"] {
            assert!(kinds.contains(&kind), "{kinds:?}");
        }
        // What the house says has every field, null or not.
        let seat = &messages["from_house"]["$defs"]["SeatView"];
        let fields = seat["properties"].as_object().unwrap().len();
        assert_eq!(seat["required"].as_array().unwrap().len(), fields);
    }
}
