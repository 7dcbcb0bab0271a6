//! What a result says of where it comes from.

use std::time::SystemTime;

pub(crate) use odds::simulate::PROGRAM;
pub(crate) use rules::clause::rules_in_force as rules;
use time::OffsetDateTime;

/// The command that was typed, without the folders before the program's name.
pub(crate) fn command() -> String {
    let words = std::env::args().skip(1).map(|word| match word.contains(char::is_whitespace) {
        true => format!("\"{word}\""),
        false => word,
    });
    ["pitboss".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

/// The date in universal time: `2026-03-09`.
pub(crate) fn today() -> String {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    (OffsetDateTime::UNIX_EPOCH + since).date().to_string()
}
