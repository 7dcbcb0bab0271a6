//! Which request a line of the log is about.

use std::time::Instant;

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;

use crate::tables::dealer::random_bytes;

/// The header in which a request may bring an id, and in which every answer has one.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The longest id that is taken from a request.
pub const LONGEST_ID: usize = 64;

/// The most letters of a path that are logged.
const MOST_OF_A_PATH: usize = 200;

/// Gives a request the id that it brings or a new one. Every line that is logged for the request has it,
/// and so has the answer.
pub(super) async fn trace(request: Request, next: Next) -> Response {
    let given = request.headers().get(&REQUEST_ID).filter(|id| is_good(id)).cloned();
    let id = given.unwrap_or_else(new_id);
    let path: String = request.uri().path().chars().take(MOST_OF_A_PATH).collect();
    // The level of the span and not of the lines in it: all of them have it.
    let span = tracing::error_span!(
        "request",
        id = id.to_str().unwrap_or_default(),
        method = %request.method(),
        path
    );
    let answered = async move {
        let begun = Instant::now();
        let answer = next.run(request).await;
        let (status, took) = (answer.status().as_u16(), begun.elapsed());
        tracing::debug!(what = "request", status, ?took, "a request is answered");
        answer
    };
    let mut answer = answered.instrument(span).await;
    answer.headers_mut().insert(REQUEST_ID, id);
    answer
}

/// Whether an id can stand in a log: short, and of letters, digits, `-`, `_` and `.`.
fn is_good(id: &HeaderValue) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    (1..=LONGEST_ID).contains(&id.len()) && id.as_bytes().iter().all(is_plain)
}

/// An id that no other request has, as far as there is entropy.
fn new_id() -> HeaderValue {
    let bytes = random_bytes().unwrap_or_default();
    let id: String = bytes[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    HeaderValue::from_str(&id).expect("digits are good in a header")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_short_and_plain() {
        let long = "x".repeat(LONGEST_ID);
        for good in ["7", "req-1.b_C", &long] {
            assert!(is_good(&HeaderValue::from_str(good).unwrap()), "{good}");
        }
        let longer = "x".repeat(LONGEST_ID + 1);
        for bad in ["", "a b", "a\"b", "a{b}", "a\tb", &longer] {
            assert!(!is_good(&HeaderValue::from_str(bad).unwrap()), "{bad}");
        }
        assert!(is_good(&new_id()));
        assert_ne!(new_id(), new_id());
    }
}
