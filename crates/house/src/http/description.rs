//! What a program can read about the house: every route, and every message of the socket. The routes
//! are described where they are written.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use axum::Extension;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use utoipa::openapi::OpenApi;

/// The description of the house.
pub(super) struct Description {
    page: String,
    openapi: String,
    asyncapi: String,
}

impl Description {
    /// Completes what the routes say of themselves.
    pub(super) fn new(routes: &OpenApi) -> Description {
        let mut openapi = serde_json::to_value(routes).expect("a description is plain JSON");
        complete(&mut openapi);
        let page = page_of(&openapi);
        let (openapi, asyncapi) = (openapi.to_string(), wire::asyncapi().to_string());
        Description { page, openapi, asyncapi }
    }
}

/// The routes as plain text.
#[utoipa::path(
    get, path = "/api", tag = "anyone",
    responses((status = 200, body = String, content_type = "text/plain", description = "The routes."))
)]
pub(super) async fn page(Extension(description): Extension<Arc<Description>>) -> Response {
    let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    (kind, description.page.clone()).into_response()
}

/// The routes as OpenAPI.
#[utoipa::path(
    get, path = "/api/openapi.json", tag = "anyone",
    responses((status = 200, body = serde_json::Value, description = "OpenAPI 3.1."))
)]
pub(super) async fn openapi(Extension(description): Extension<Arc<Description>>) -> Response {
    in_json(description.openapi.clone())
}

/// The messages of the socket as AsyncAPI.
#[utoipa::path(
    get, path = "/api/asyncapi.json", tag = "anyone",
    responses((status = 200, body = serde_json::Value, description = "AsyncAPI 3.0."))
)]
pub(super) async fn asyncapi(Extension(description): Extension<Arc<Description>>) -> Response {
    in_json(description.asyncapi.clone())
}

fn in_json(text: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// Adds what holds for all routes: who may ask, what any of them can be refused for, and which fields
/// an answer always has.
fn complete(openapi: &mut Value) {
    openapi["info"] = json!({
        "title": "Pitboss",
        "version": wire::PROTOCOL.to_string(),
        "description": "Five casino table games, live. Money is dollars as text; times are seconds of \
            Unix time. What is refused comes with a code, parameters, a source and a sentence.",
    });
    openapi["components"]["securitySchemes"] = json!({
        "cookie": { "type": "apiKey", "in": "cookie", "name": "pitboss-HOUSE" },
        "token": { "type": "http", "scheme": "bearer" },
    });
    let refusal =
        json!({ "application/json": { "schema": { "$ref": "#/components/schemas/Refusal" } } });
    let mut sent = BTreeSet::new();
    let paths = openapi["paths"].as_object_mut().into_iter().flatten();
    for (method, operation) in paths.flat_map(|(_, path)| path.as_object_mut()).flatten() {
        if operation["tags"][0] != "anyone" {
            operation["security"] = json!([{ "cookie": [] }, { "token": [] }]);
        }
        let unavailable = "The house cannot do this now.";
        operation["responses"]["503"] = json!({ "description": unavailable, "content": refusal });
        for (status, why) in [
            ("400", "A request that cannot be read."),
            ("421", "The Host is not one of the names of this house."),
            ("429", "Too many requests at a time."),
            ("500", "Internal error."),
        ] {
            let answer = &mut operation["responses"][status];
            if answer.is_null() {
                *answer = json!({ "description": why, "content": refusal });
            }
        }
        if method != "get" && operation["responses"]["403"].is_null() {
            let elsewhere = "A cross-site request.";
            operation["responses"]["403"] = json!({ "description": elsewhere, "content": refusal });
        }
        let body = operation.pointer("/requestBody/content/application~1json/schema/$ref");
        let name = body.and_then(Value::as_str).and_then(|body| body.rsplit('/').next());
        sent.extend(name.map(str::to_owned));
    }
    let sent: Vec<&str> = sent.iter().map(String::as_str).collect();
    wire::complete(openapi, &sent);
}

/// The routes, one in a line: what is asked, who may, and what it does.
fn page_of(openapi: &Value) -> String {
    let mut page = "The routes of this house: what is asked, who may, and what it does.\n\
         \"known\" is whoever came in with POST /api/guest, or a bot with its token in the header\n\
         Authorization: Bearer TOKEN. What is refused comes with a code, a source and a sentence.\n\n"
        .to_owned();
    for (path, methods) in openapi["paths"].as_object().into_iter().flatten() {
        for (method, operation) in methods.as_object().into_iter().flatten() {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let queries = operation["parameters"].as_array().into_iter().flatten();
            let queries = queries.filter(|parameter| parameter["in"] == "query");
            let queries: Vec<String> = queries.map(|query| text(&query["name"])).collect();
            let queries =
                if queries.is_empty() { String::new() } else { format!("?{}", queries.join("&")) };
            let (by, about) = (text(&operation["tags"][0]), text(&operation["summary"]));
            let _ = writeln!(
                page,
                "{:<7}{:<42}{by:<21}{about}",
                method.to_uppercase(),
                format!("{path}{queries}"),
            );
        }
    }
    page + "\nAs OpenAPI: /api/openapi.json. Messages of the socket: /api/asyncapi.json.\n"
}
