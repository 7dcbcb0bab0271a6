//! Why a request is not answered: the one error of HTTP.

use std::panic::AssertUnwindSafe;

use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Json, Response};
use futures_util::FutureExt;
use wire::{Parameter, Refusal};

use crate::store::StoreError;
use crate::tables::refusals;

/// Why a request is not answered: a status, and a refusal as everywhere else.
#[derive(Clone, Debug)]
pub(crate) struct HttpError {
    status: StatusCode,
    refusal: Box<Refusal>,
    /// After how many seconds it may be asked again.
    retry_after: Option<u64>,
}

impl HttpError {
    /// A refusal with a source of its own.
    pub(crate) fn new(status: StatusCode, refusal: Refusal) -> HttpError {
        HttpError { status, refusal: Box::new(refusal), retry_after: None }
    }

    /// A refusal of something that cannot be read, or makes no sense.
    pub(crate) fn bad(code: &'static str, sentence: impl Into<String>) -> HttpError {
        HttpError::new(StatusCode::BAD_REQUEST, Refusal::by_house(code, sentence))
    }

    /// A refusal of whoever may not ask.
    pub(crate) fn forbidden(code: &'static str, sentence: impl Into<String>) -> HttpError {
        HttpError::new(StatusCode::FORBIDDEN, Refusal::by_house(code, sentence))
    }

    /// There is no such thing.
    pub(crate) fn missing(code: &'static str, sentence: impl Into<String>) -> HttpError {
        HttpError::new(StatusCode::NOT_FOUND, Refusal::by_house(code, sentence))
    }

    /// A refusal of something that contradicts what is.
    pub(crate) fn conflict(code: &'static str, sentence: impl Into<String>) -> HttpError {
        HttpError::new(StatusCode::CONFLICT, Refusal::by_house(code, sentence))
    }

    /// The house cannot do it now.
    pub(crate) fn unavailable(code: &'static str, sentence: impl Into<String>) -> HttpError {
        HttpError::new(StatusCode::SERVICE_UNAVAILABLE, Refusal::by_house(code, sentence))
    }

    /// A refusal for some seconds.
    pub(crate) fn wait(seconds: u64, code: &'static str, sentence: impl Into<String>) -> HttpError {
        let refusal = Refusal::by_house(code, sentence);
        let refusal = refusal.with("seconds", Parameter::Count(seconds));
        let retry_after = Some(seconds);
        HttpError { status: StatusCode::TOO_MANY_REQUESTS, refusal: Box::new(refusal), retry_after }
    }

    /// The status, and the refusal.
    pub(crate) fn into_parts(self) -> (StatusCode, Refusal) {
        (self.status, *self.refusal)
    }

    /// After how many seconds it may be asked again.
    pub(crate) fn seconds(&self) -> u64 {
        self.retry_after.unwrap_or(0)
    }

    /// There is nothing at this address.
    pub(crate) fn nothing() -> HttpError {
        HttpError::missing("not-found", "Not found.")
    }

    /// There is no such table.
    pub(crate) fn no_table() -> HttpError {
        HttpError::missing("no-such-table", "There is no such table.")
    }

    /// The table, or the house, has no coach.
    pub(crate) fn no_coach() -> HttpError {
        HttpError::forbidden("no-coach", "There is no coach at this table.")
    }

    /// The table goes from one node to another, or its node cannot be reached.
    pub(crate) fn table_moving() -> HttpError {
        HttpError::new(StatusCode::SERVICE_UNAVAILABLE, refusals::table_moving())
    }

    /// This address knows other methods.
    pub(crate) fn other_method() -> HttpError {
        let refusal = Refusal::by_house("method-not-allowed", "Method not allowed.");
        HttpError::new(StatusCode::METHOD_NOT_ALLOWED, refusal)
    }

    /// A page of another site asked.
    pub(crate) fn cross_site() -> HttpError {
        HttpError::forbidden("cross-site", "Cross-site request blocked.")
    }

    /// The house does not know who asks.
    pub(crate) fn unknown_visitor() -> HttpError {
        let sentence = "Sign in first, or come in as a guest with POST /api/guest.";
        HttpError::new(StatusCode::UNAUTHORIZED, Refusal::by_house("not-signed-in", sentence))
    }

    /// The random source failed.
    pub(crate) fn no_entropy() -> HttpError {
        HttpError::unavailable("no-entropy", "The random source is unavailable.")
    }

    /// The program made a mistake.
    pub(crate) fn failed() -> HttpError {
        let refusal = Refusal::by_house("program-failed", "Internal error. Try again.");
        HttpError::new(StatusCode::INTERNAL_SERVER_ERROR, refusal)
    }

    /// The house has no room for more.
    pub(crate) fn full() -> HttpError {
        HttpError::unavailable("house-full", "The house is full.")
    }
}

/// Answers also where answering fails by a mistake of the program.
pub(super) async fn outlive(request: Request, next: Next) -> Response {
    let answer = AssertUnwindSafe(next.run(request)).catch_unwind().await;
    answer.unwrap_or_else(|_| HttpError::failed().into_response())
}

impl IntoResponse for HttpError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(*self.refusal)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<StoreError> for HttpError {
    fn from(error: StoreError) -> HttpError {
        match error {
            StoreError::Taken => HttpError::conflict("name-taken", "That name is taken."),
            StoreError::Changed => HttpError::conflict(
                "changed",
                "This has changed since you loaded it. Reload and try again.",
            ),
            error => {
                tracing::error!(what = "store", why = %error, "a request failed");
                match error {
                    StoreError::Full => HttpError::unavailable("disk-full", "The disk is full."),
                    StoreError::Unreadable { place } => {
                        let sentence = format!("The store is damaged: {place}.");
                        HttpError::unavailable("store-damaged", sentence)
                    }
                    _ => HttpError::unavailable(
                        "store-silent",
                        "The store is not responding. Try again.",
                    ),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use axum::{Router, middleware};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpStream};

    use super::*;

    #[tokio::test]
    async fn a_request_that_panics_is_answered_and_the_next_one_too() {
        let fails = async || -> &'static str { std::panic::resume_unwind(Box::new("a mistake")) };
        let router = Router::new().route("/", get(fails)).layer(middleware::from_fn(outlive));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async { axum::serve(listener, router).await });
        for _ in 0..2 {
            let mut client = TcpStream::connect(address).await.unwrap();
            let request = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
            client.write_all(request).await.unwrap();
            let mut said = String::new();
            client.read_to_string(&mut said).await.unwrap();
            assert!(said.starts_with("HTTP/1.1 500") && said.contains("program-failed"), "{said}");
        }
    }
}
