//! The description of the socket for programs, as AsyncAPI.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use crate::{FromClient, FromHouse, PROTOCOL};

/// The messages of the socket as AsyncAPI 3.0.
pub fn asyncapi() -> Value {
    let message =
        |name: &str| json!({ "payload": { "$ref": format!("#/components/schemas/{name}") } });
    let operation = |action: &str, message: &str| {
        json!({
            "action": action,
            "channel": { "$ref": "#/channels/socket" },
            "messages": [{ "$ref": format!("#/channels/socket/messages/{message}") }],
        })
    };
    let mut schemas = Map::new();
    add::<FromClient>(&mut schemas);
    add::<FromHouse>(&mut schemas);
    let mut described = json!({
        "asyncapi": "3.0.0",
        "info": {
            "title": "Pitboss: the socket of a table",
            "version": PROTOCOL.to_string(),
            "description": "Money is dollars as text; times are seconds of Unix time.",
        },
        "channels": {
            "socket": {
                "address": "/ws",
                "messages": { "client": message("FromClient"), "house": message("FromHouse") },
            },
        },
        "operations": {
            "hear": operation("receive", "client"),
            "tell": operation("send", "house"),
        },
        "components": { "schemas": schemas },
    });
    complete(&mut described, &["FromClient"]);
    described
}

/// Adds the schema of a type and of all that it is made of.
fn add<T: ToSchema>(schemas: &mut Map<String, Value>) {
    let mut found = vec![(T::name().into_owned(), T::schema())];
    T::schemas(&mut found);
    for (name, schema) in found {
        let schema = serde_json::to_value(schema).expect("a schema is plain JSON");
        schemas.insert(name, schema);
    }
}

/// Says of every schema that its fields are always there, null or not; except of those that clients
/// send, which begin with these roots: they may leave fields out.
pub fn complete(described: &mut Value, sent_by_clients: &[&str]) {
    let Some(schemas) = described.pointer_mut("/components/schemas").and_then(Value::as_object_mut)
    else {
        return;
    };
    let mut sent = BTreeSet::new();
    let mut open: Vec<String> = sent_by_clients.iter().map(|&name| name.to_owned()).collect();
    while let Some(name) = open.pop() {
        if let Some(schema) = schemas.get(&name).filter(|_| sent.insert(name.clone())) {
            references(schema, &mut open);
        }
    }
    for (_, schema) in schemas.iter_mut().filter(|(name, _)| !sent.contains(*name)) {
        require(schema);
    }
}

/// The names of the schemas that one refers to.
fn references(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(fields) => {
            if let Some(Value::String(to)) = fields.get("$ref") {
                found.extend(to.rsplit('/').next().map(str::to_owned));
            }
            fields.values().for_each(|value| references(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

fn require(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if let Some(Value::Object(properties)) = fields.get("properties") {
                let names: Vec<_> = properties.keys().cloned().map(Value::from).collect();
                fields.insert("required".to_owned(), names.into());
            }
            fields.values_mut().for_each(require);
        }
        Value::Array(values) => values.iter_mut().for_each(require),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_described_is_all_there() {
        let described = asyncapi();
        let schemas = described["components"]["schemas"].as_object().unwrap();
        let mut named = Vec::new();
        references(&described["components"], &mut named);
        assert!(named.len() > 20);
        for name in named {
            assert!(schemas.contains_key(&name), "{name} leads nowhere");
        }
        assert_eq!(schemas["FromClient"]["required"], json!(["id", "do"]));
        let commands = schemas["PlayerCommand"]["oneOf"].as_array().unwrap();
        let kind = |one: &Value| one["properties"]["type"]["enum"][0].as_str().unwrap().to_owned();
        let kinds: Vec<_> = commands.iter().map(kind).collect();
        for kind in ["sit", "buy_in", "wager", "ready", "act", "choose"] {
            assert!(kinds.iter().any(|other| other == kind), "{kinds:?}");
        }
        // What the house sends has every field, null or not; what a client sends need not.
        let seat = &schemas["SeatView"];
        let fields = seat["properties"].as_object().unwrap().len();
        assert_eq!(seat["required"].as_array().unwrap().len(), fields);
        assert_eq!(schemas["Order"]["required"], json!(["order"]));
    }
}
