//! What a result says of where it comes from.

use std::time::SystemTime;

pub(crate) use odds::simulate::PROGRAM;
pub(crate) use rules::clause::rules_in_force as rules;

/// The command that was typed, without the folders before the program's name.
pub(crate) fn command() -> String {
    let words = std::env::args().skip(1).map(|word| match word.contains(char::is_whitespace) {
        true => format!("\"{word}\""),
        false => word,
    });
    ["pitboss".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

/// The date in the Gregorian calendar, UTC: `2026-03-09`.
pub(crate) fn today() -> String {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    date(since.as_secs() / 86_400)
}

/// The date so many days after 1970-01-01. Years are counted from March, so that a leap day is the
/// last one.
fn date(days: u64) -> String {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year + next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_dates() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_453, "2025-12-31"),
        ] {
            assert_eq!(date(days), expected);
        }
    }
}
