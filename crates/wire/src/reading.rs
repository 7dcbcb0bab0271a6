//! JSON that cannot be read: where it is wrong, and why, in one line.

use serde::de::DeserializeOwned;

/// Reads JSON, or says in one line what is wrong with it and where.
pub fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, String> {
    let mut json = serde_json::Deserializer::from_slice(text);
    let read = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        let error = error.into_inner();
        let why = without_position(&error);
        match path.as_str() {
            path if path != "." && error.is_data() => format!("{path}: {why}"),
            _ => why,
        }
    })?;
    json.end().map_err(|error| without_position(&error))?;
    Ok(read)
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
    use crate::FromClient;

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        for (text, why) in [
            ("", "not JSON at line 1 column 0: EOF while parsing a value"),
            (r#"{"id":"1",}"#, "not JSON at line 1 column 11: trailing comma"),
            ("{}", "missing field 'id'"),
            (r#"{"id":"1"}"#, "missing field 'do'"),
            (r#"{"id":"1","do":{"player":{}}}"#, "do.player: missing field 'type'"),
            (r#"{"id":"1","do":{"player":{"type":"sit"}}}"#, "do.player: missing field 'seat'"),
            (r#"{"id":"1","id":"1"}"#, "duplicate field 'id'"),
            (r#"{"id":"1","to":{}}"#, "to: unknown field 'to', expected 'id' or 'do'"),
            (
                r#"{"id":"1","do":{"player":{"type":"sit","chair":3}}}"#,
                "do.player: unknown field 'chair', expected 'seat' or 'behind'",
            ),
            (
                r#"{"id":"1","do":{"guest":{"type":"sit","seat":3}}}"#,
                "do: unknown variant 'guest', expected one of 'client', 'player', 'dealer', 'supervisor'",
            ),
            (r#"{"id":null,"do":{}}"#, "id: invalid type: null, expected a string"),
            ("7", "invalid type: integer '7', expected struct FromClient"),
            ("{} {}", "missing field 'id'"),
        ] {
            assert_eq!(read::<FromClient>(text.as_bytes()).unwrap_err(), why, "{text}");
        }
        let twice = r#"{"id":"1","do":{"client":{"type":"ping"}}} 7"#;
        let why = read::<FromClient>(twice.as_bytes()).unwrap_err();
        assert_eq!(why, "not JSON at line 1 column 44: trailing characters");
    }
}
