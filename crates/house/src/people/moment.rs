//! Moments as people read them.

/// A moment of Unix time in words: `2027-03-10 13:25 UTC`.
pub fn in_universal_time(seconds: i64) -> String {
    let Ok(at) = time::OffsetDateTime::from_unix_timestamp(seconds) else {
        return "the end of time".to_owned();
    };
    let (date, hour, minute) = (at.date(), at.hour(), at.minute());
    format!("{date} {hour:02}:{minute:02} UTC")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_told_in_universal_time() {
        assert_eq!(in_universal_time(0), "1970-01-01 00:00 UTC");
        assert_eq!(in_universal_time(1_804_685_100), "2027-03-10 13:25 UTC");
        assert_eq!(in_universal_time(i64::MAX), "the end of time");
    }
}
