//! Why something that a client sent cannot be read: one sentence that names the part, and what was expected.

use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads JSON, or says why not.
pub(crate) fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, String> {
    serde_json::from_slice(text).map_err(|error| match serde_json::from_slice(text) {
        Ok(value) => in_words(&error.to_string(), &value),
        Err(error) if error.is_eof() => "it is no JSON: it ends too early".to_owned(),
        Err(error) => {
            format!("it is no JSON from line {}, column {} on", error.line(), error.column())
        }
    })
}

/// What a reader of ours complains of, in words for who wrote it.
pub(crate) fn in_words(complaint: &str, value: &Value) -> String {
    let complaint = match complaint.rsplit_once(" at line ") {
        Some((complaint, _)) => complaint,
        None => complaint,
    };
    let mut quoted = complaint.split('`').skip(1).step_by(2);
    let begins = |words| complaint.starts_with(words);
    match quoted.next() {
        Some(field) if begins("missing field") => format!("the field '{field}' is missing"),
        Some(field) if begins("duplicate field") => format!("the field '{field}' comes twice"),
        Some(field) if begins("unknown field") => match listed(quoted) {
            None => format!("there is no field '{field}' here, nor any other"),
            Some(fields) => format!("there is no field '{field}' here; there is {fields}"),
        },
        Some(word) if begins("unknown variant") => match listed(quoted) {
            None => format!("'{word}' is not known here"),
            Some(words) => format!("'{word}' is not known here; there is {words}"),
        },
        _ if begins("invalid length") => "it should be an object, with fields by name".to_owned(),
        _ => match complaint.split_once(": ") {
            Some(("invalid type" | "invalid value", rest)) => of_another_kind(rest, value),
            _ => complaint.replace(['`', '\n'], " "),
        },
    }
}

/// `a, b, c`; none where there is nothing.
fn listed<'a>(words: impl Iterator<Item = &'a str>) -> Option<String> {
    let words: Vec<_> = words.collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// Something is a number, say, where a text is expected.
fn of_another_kind(complaint: &str, value: &Value) -> String {
    let (found, expected) = complaint.rsplit_once(", expected ").unwrap_or((complaint, ""));
    let mut fields = Vec::new();
    fields_with(value, found, &mut fields);
    fields.dedup();
    let place = match &fields[..] {
        [field] => format!("the field '{field}'"),
        _ => "a part of it".to_owned(),
    };
    let found = match found.split_once(' ').map_or(found, |(kind, _)| kind) {
        "string" => "text".to_owned(),
        "integer" | "floating" | "boolean" => {
            found.split('`').nth(1).unwrap_or_default().to_owned()
        }
        "map" => "an object".to_owned(),
        "sequence" => "a list".to_owned(),
        other => other.to_owned(),
    };
    let expected = match expected {
        "a string" | "a borrowed string" | "variant identifier" | "field identifier" => "text",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "u8" => "a whole number from 0 to 255",
        "u16" | "u32" | "u64" | "usize" => "a whole number, and not below 0",
        "i32" | "i64" => "a whole number",
        "a map" => "an object",
        of if ["struct ", "internally tagged enum "].iter().any(|kind| of.starts_with(kind)) => {
            "an object"
        }
        _ => "something else",
    };
    format!("{place} is {found}, and should be {expected}")
}

/// The fields that hold something, as a reader of ours describes it.
fn fields_with<'a>(value: &'a Value, found: &str, fields: &mut Vec<&'a str>) {
    match value {
        Value::Object(parts) => {
            for (field, part) in parts {
                if described(part) == found {
                    fields.push(field);
                }
                fields_with(part, found, fields);
            }
        }
        Value::Array(parts) => parts.iter().for_each(|part| fields_with(part, found, fields)),
        _ => {}
    }
}

fn described(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(is) => format!("boolean `{is}`"),
        Value::Number(number) if number.is_f64() => format!("floating point `{number}`"),
        Value::Number(number) => format!("integer `{number}`"),
        Value::String(text) => format!("string {text:?}"),
        Value::Array(_) => "sequence".to_owned(),
        Value::Object(_) => "map".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::FromClient;

    #[test]
    fn what_cannot_be_read_is_named_with_what_was_expected() {
        for (text, sentence) in [
            ("", "it is no JSON: it ends too early"),
            (r#"{"id":"1","do""#, "it is no JSON: it ends too early"),
            (r#"{"id":"1",}"#, "it is no JSON from line 1, column 11 on"),
            ("{}", "the field 'id' is missing"),
            (r#"{"id":"1"}"#, "the field 'do' is missing"),
            (r#"{"id":"1","do":{}}"#, "the field 'type' is missing"),
            (r#"{"id":"1","do":{"type":"sit"}}"#, "the field 'seat' is missing"),
            (r#"{"id":"1","id":"1"}"#, "the field 'id' comes twice"),
            (r#"{"id":"1","to":{}}"#, "there is no field 'to' here; there is id, do"),
            (
                r#"{"id":"1","do":{"type":"sit","chair":3}}"#,
                "there is no field 'chair' here; there is seat, behind",
            ),
            (
                r#"{"id":"1","do":{"type":"sit","seat":"three"}}"#,
                "the field 'seat' is text, and should be a whole number, and not below 0",
            ),
            (
                r#"{"id":"1","do":{"type":"sit","seat":-3}}"#,
                "the field 'seat' is -3, and should be a whole number, and not below 0",
            ),
            (
                r#"{"id":"1","do":{"type":"buy_in","amount":5}}"#,
                "the field 'amount' is 5, and should be text",
            ),
            (
                r#"{"id":"1","do":{"type":"wager","amounts":"all"}}"#,
                "the field 'amounts' is text, and should be a list",
            ),
            (r#"{"id":null,"do":{}}"#, "the field 'id' is null, and should be text"),
            (r#"{"id":"1","do":7}"#, "the field 'do' is 7, and should be an object"),
            (r#"{"id":"1","do":{"type":true}}"#, "the field 'type' is true, and should be text"),
            ("7", "a part of it is 7, and should be an object"),
            ("[]", "it should be an object, with fields by name"),
        ] {
            let complaint = read::<FromClient>(text.as_bytes()).unwrap_err();
            assert_eq!(complaint, sentence, "{text}");
        }
        let unknown = read::<FromClient>(br#"{"id":"1","do":{"type":"win"}}"#).unwrap_err();
        assert!(unknown.starts_with("'win' is not known here; there is watch, ping,"), "{unknown}");
    }
}
