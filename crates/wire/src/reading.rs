//! JSON that cannot be read: where it is wrong, and why, in one line.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::{Path, Segment};

/// The longest text in which a mistake is looked for part by part, in bytes: more than any command has.
const LONGEST_SEARCHED: usize = 512;

/// What a reader expects where one of several parts is named, and none or more than one is.
const ONE_OF_SEVERAL: &str = "map with a single key";

/// Reads JSON, or says in one line what is wrong with it and where. All of it is part of what is read,
/// and fields have names.
pub fn read<T: DeserializeOwned + Serialize>(text: &[u8]) -> Result<T, String> {
    let mut json = serde_json::Deserializer::from_slice(text);
    let read = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let all: Option<Value> = serde_json::from_slice(text).ok();
        // A reader of text takes two parts where there is one for bad JSON; of what was read, it does not.
        let error = match &all {
            Some(all) if !error.inner().is_data() => {
                serde_path_to_error::deserialize::<_, T>(all).err().unwrap_or(error)
            }
            _ => error,
        };
        let mut place = place_of(error.path());
        let error = error.into_inner();
        let why = without_position(&error);
        if !error.is_data() {
            return in_plain_words(&why);
        }
        let is_searched = text.len() <= LONGEST_SEARCHED && !why.ends_with(ONE_OF_SEVERAL);
        if let Some(all) = all.filter(|_| is_searched) {
            further_in::<T>(&all, &mut place, &why);
        }
        at(&place, in_plain_words(&why))
    })?;
    json.end().map_err(|error| without_position(&error))?;
    if let (Ok(said), Ok(heard)) = (serde_json::from_slice(text), serde_json::to_value(&read)) {
        all_is_heard(&said, &heard, &mut Vec::new())?;
    }
    Ok(read)
}

/// Refuses what its reader passes over, which is not in what would be written for the same: a field of a
/// command that has none, and a list in place of named fields.
fn all_is_heard(said: &Value, heard: &Value, place: &mut Vec<String>) -> Result<(), String> {
    match (said, heard) {
        (Value::Object(said), Value::Object(heard)) => {
            for (key, said) in said {
                place.push(key.clone());
                match heard.get(key) {
                    Some(heard) => all_is_heard(said, heard, place)?,
                    None => return Err(at(place, format!("unknown field '{key}'"))),
                }
                place.pop();
            }
        }
        (Value::Array(said), Value::Array(heard)) => {
            for (number, (said, heard)) in said.iter().zip(heard).enumerate() {
                place.push(number.to_string());
                all_is_heard(said, heard, place)?;
                place.pop();
            }
        }
        (Value::Array(_), _) => {
            return Err(at(place, "expected an object, found an array".to_owned()));
        }
        _ => {}
    }
    Ok(())
}

/// What is wrong, and where.
fn at(place: &[String], why: String) -> String {
    match place.is_empty() {
        true => why,
        false => format!("{}: {why}", in_words(place)),
    }
}

/// What a reader found wrong, without words that only a programmer knows: `expected usize` is
/// `expected a whole number from 0`.
pub fn in_plain_words(why: &str) -> String {
    let said = [
        ("invalid type: map", "invalid type: an object"),
        ("invalid type: sequence", "invalid type: a list"),
        ("invalid type: string", "invalid type: text"),
        ("invalid type: integer", "invalid type: the number"),
        ("invalid value: integer", "invalid value: the number"),
        ("invalid value: map", "invalid value: an object"),
        ("invalid digit found in string", "not a whole number"),
        ("cannot parse integer from empty string", "not a whole number"),
        ("number too large to fit in target type", "the number is too large"),
        ("number too small to fit in target type", "the number is too small"),
        ("unknown variant", "unknown value"),
        ("EOF while parsing an object", "it ends in the middle of an object"),
        ("EOF while parsing a list", "it ends in the middle of a list"),
        ("EOF while parsing a string", "it ends in the middle of a text"),
        ("EOF while parsing a value", "it ends too early"),
        ("key must be a string", "a field must be named in quotes"),
        ("provided string was not 'true' or 'false'", "neither true nor false"),
    ];
    let said = said.iter().fold(why.to_owned(), |why, (is, becomes)| why.replace(is, becomes));
    let Some((before, expected)) = said.split_once(", expected ") else { return said };
    if expected == ONE_OF_SEVERAL {
        return format!("{before}, expected exactly one field in it");
    }
    let plain = match expected.split(' ').next().unwrap_or_default() {
        "usize" | "u8" | "u16" | "u32" | "u64" => "a whole number from 0",
        "i32" | "i64" => "a whole number",
        "f32" | "f64" => "a number",
        "struct" | "internally" | "adjacently" | "map" => "an object",
        "string" => "text or an object",
        "sequence" | "tuple" => "a list",
        _ => match expected {
            "a string" => "text",
            "a boolean" => "true or false",
            "a map" => "an object",
            "a sequence" => "a list",
            "a nonzero usize" | "a nonzero u32" | "a nonzero u64" => "a whole number above 0",
            _ => expected,
        },
    };
    format!("{before}, expected {plain}")
}

/// The keys and numbers on the way to a value.
fn place_of(path: &Path) -> Vec<String> {
    let step = |segment: &Segment| match segment {
        Segment::Seq { index } => Some(index.to_string()),
        Segment::Map { key } => Some(key.clone()),
        Segment::Enum { variant } => Some(variant.clone()),
        Segment::Unknown => None,
    };
    path.iter().map_while(step).collect()
}

fn in_words(place: &[String]) -> String {
    let step = |step: &String| match step.parse::<usize>() {
        Ok(number) => format!("[{number}]"),
        Err(_) => format!(".{step}"),
    };
    let words: String = place.iter().map(step).collect();
    words.trim_start_matches('.').to_owned()
}

/// Looks for what is wrong further in than its reader could see, who takes a value that has its `type` in
/// a field as a whole first: without the part that is wrong, something else is wrong or nothing is.
fn further_in<T: DeserializeOwned>(all: &Value, place: &mut Vec<String>, why: &str) {
    let missing = why.strip_prefix("missing field '").and_then(|rest| rest.strip_suffix('\''));
    let says =
        |all: Value| serde_json::from_value::<T>(all).err().map(|error| without_position(&error));
    let still_says = |all: Value| says(all).as_deref() == Some(why);
    if !still_says(all.clone()) {
        return;
    }
    loop {
        let pointer: String = place.iter().map(|step| format!("/{step}")).collect();
        let Some(here) = all.pointer(&pointer) else { return };
        let parts: Vec<String> = match here {
            // Without its type nothing else of a value is read.
            Value::Object(fields) => {
                let is_read = |key: &&String| *key != "type" || why.starts_with("unknown variant");
                fields.keys().filter(is_read).cloned().collect()
            }
            Value::Array(items) => (0..items.len()).map(|at| at.to_string()).collect(),
            _ => return,
        };
        let changed = |change: &dyn Fn(&mut Value)| {
            let mut all = all.clone();
            all.pointer_mut(&pointer).map(change);
            all
        };
        if let Some(missing) = missing.filter(|_| here.is_object()) {
            let with = |here: &mut Value| here[missing] = Value::Null;
            let said = says(changed(&with)).unwrap_or_default();
            let is_unknown = said.starts_with(&format!("unknown field '{missing}'"));
            if here.get(missing).is_none() && said != why && !is_unknown {
                return;
            }
        }
        let is_wrong = |part: &&String| {
            let without = |here: &mut Value| match here {
                Value::Object(fields) => drop(fields.remove(*part)),
                Value::Array(items) => drop(part.parse().map(|at: usize| items.remove(at))),
                _ => {}
            };
            !still_says(changed(&without))
        };
        let Some(wrong) = parts.iter().find(is_wrong) else { return };
        place.push(wrong.clone());
    }
}

/// What is wrong, without backquotes; the line and the column only where it is no JSON.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string().replace('`', "'").replace('\n', " ");
    match text.rsplit_once(" at line ") {
        Some((why, _)) if error.is_data() => why.to_owned(),
        Some((why, position)) => format!("not JSON at line {position}: {why}"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FromClient, LogIn, OwnLimits};

    #[test]
    fn a_command_without_fields_has_none() {
        for (who, kinds) in [
            ("client", &["ping"][..]),
            ("player", &["ready", "inspect", "spread", "show_burn"]),
            ("dealer", &["shuffle", "deal"]),
        ] {
            for kind in kinds {
                let plain = format!(r#"{{"id":"1","do":{{"{who}":{{"type":"{kind}"}}}}}}"#);
                assert!(read::<FromClient>(plain.as_bytes()).is_ok(), "{plain}");
                let more = plain.replace("}}}", r#","seat":55}}}"#);
                let why = read::<FromClient>(more.as_bytes()).unwrap_err();
                assert_eq!(why, format!("do.{who}.seat: unknown field 'seat'"), "{more}");
            }
        }
    }

    #[test]
    fn fields_without_names_are_refused() {
        let why = |text: &str| read::<FromClient>(text.as_bytes()).unwrap_err();
        let array = "expected an object, found an array";
        assert_eq!(why(r#"["a",{"client":{"type":"ping"}}]"#), array);
        let sit = why(r#"{"id":"1","do":{"player":["sit",3,false]}}"#);
        assert_eq!(sit, format!("do.player: {array}"));
        let amounts = r#"{"type":"wager","amounts":[{"circle":"main","amount":"5"},["tie","5"]]}"#;
        let wager = why(&format!(r#"{{"id":"1","do":{{"player":{amounts}}}}}"#));
        assert_eq!(wager, format!("do.player.amounts[1]: {array}"));
        let log_in = read::<LogIn>(br#"["max","a-long-password"]"#).unwrap_err();
        let limits = read::<OwnLimits>(b"[]").unwrap_err();
        assert_eq!([log_in, limits], [array, array]);
        for limits in ["{}", r#"{"loss":null}"#, r#"{"loss":"5","minutes":null}"#] {
            assert!(read::<OwnLimits>(limits.as_bytes()).is_ok(), "{limits}");
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        for (text, why) in [
            ("", "not JSON at line 1 column 0: it ends too early"),
            (r#"{"id":"1",}"#, "not JSON at line 1 column 11: trailing comma"),
            ("{}", "missing field 'id'"),
            (r#"{"id":"1"}"#, "missing field 'do'"),
            (r#"{"id":"1","do":{"player":{}}}"#, "do.player: missing field 'type'"),
            (r#"{"id":"1","do":{"player":{"type":"sit"}}}"#, "do.player: missing field 'seat'"),
            (r#"{"id":"1","id":"1"}"#, "duplicate field 'id'"),
            (r#"{"id":"1","to":{}}"#, "to: unknown field 'to', expected 'id' or 'do'"),
            (
                r#"{"id":"1","do":{"player":{"type":"sit","chair":3}}}"#,
                "do.player.chair: unknown field 'chair', expected 'seat' or 'behind'",
            ),
            (
                r#"{"id":"1","do":{"player":{"type":"sit","seat":"3"}}}"#,
                "do.player.seat: invalid type: text \"3\", expected a whole number from 0",
            ),
            (
                r#"{"id":"1","do":{"player":{"type":"wager","amounts":[{"circle":"main","amount":"5"},{"circle":"tie","amount":5}]}}}"#,
                "do.player.amounts[1].amount: invalid type: the number '5', expected text",
            ),
            (
                r#"{"id":"1","do":{"player":{"type":"wager","amounts":[{"circle":"main"}]}}}"#,
                "do.player.amounts[0]: missing field 'amount'",
            ),
            (
                r#"{"id":"1","do":{"player":{"type":"stand"}}}"#,
                "do.player.type: unknown value 'stand'",
            ),
            (
                r#"{"id":"1","do":{"guest":{"type":"sit","seat":3}}}"#,
                "do.guest: unknown value 'guest', expected one of 'client', 'player', 'dealer', 'supervisor'",
            ),
            (
                r#"{"id":"1","do":{"client":{"type":"ping"},"player":{"type":"ready"}}}"#,
                "do: invalid value: an object, expected exactly one field in it",
            ),
            (
                r#"{"id":"1","do":{}}"#,
                "do: invalid value: an object, expected exactly one field in it",
            ),
            (r#"{"id":null,"do":{}}"#, "id: invalid type: null, expected text"),
            ("7", "invalid type: the number '7', expected an object"),
            ("[1]", "[0]: invalid type: the number '1', expected text"),
            ("{} {}", "missing field 'id'"),
        ] {
            let said = read::<FromClient>(text.as_bytes()).unwrap_err();
            let is_listed = why.starts_with("do.player.type") && said.starts_with(why);
            assert!(said == why || is_listed, "{text}: {said}");
        }
        let length = "invalid length 1, expected struct FromClient with 2 elements";
        assert_eq!(in_plain_words(length), "invalid length 1, expected an object");
        let twice = r#"{"id":"1","do":{"client":{"type":"ping"}}} 7"#;
        let why = read::<FromClient>(twice.as_bytes()).unwrap_err();
        assert_eq!(why, "not JSON at line 1 column 44: trailing characters");
    }
}
