//! What is asked of the house in a body, and how it refuses.

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Json, Response};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Sorry;
use crate::reading;
use crate::store::StoreError;
use crate::wire::Refused;

/// The longest body of a request, in bytes.
pub const LONGEST_BODY: usize = 4096;

/// Why something that was asked over HTTP is not done.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    refused: Refused,
    /// After how many seconds it may be asked again.
    wait: Option<u64>,
}

impl Refusal {
    /// A refusal that no rule of a game is the reason for.
    pub(crate) fn new(status: StatusCode, sentence: impl Into<String>) -> Refusal {
        Refusal { status, refused: Refused::by_house(sentence), wait: None }
    }

    /// A refusal with a source of its own.
    pub(crate) fn with(status: StatusCode, refused: Refused) -> Refusal {
        Refusal { status, refused, wait: None }
    }

    /// A refusal of something that contradicts what is.
    pub(crate) fn conflict(sentence: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::CONFLICT, sentence)
    }

    /// A refusal of something that makes no sense.
    pub(crate) fn bad(sentence: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, sentence)
    }

    /// A refusal for some seconds.
    pub(crate) fn wait(seconds: u64, sentence: impl Into<String>) -> Refusal {
        let refusal = Refusal::new(StatusCode::TOO_MANY_REQUESTS, sentence);
        Refusal { wait: Some(seconds), ..refusal }
    }
}

impl Refusal {
    /// After how many seconds it may be asked again.
    pub(crate) fn seconds(&self) -> u64 {
        self.wait.unwrap_or(0)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.refused)).into_response();
        if let Some(seconds) = self.wait {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<Sorry> for Refusal {
    fn from(Sorry(status, sentence): Sorry) -> Refusal {
        Refusal::new(status, sentence)
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Refusal {
        match error {
            StoreError::Taken => Refusal::conflict("somebody else is called so"),
            StoreError::Changed => Refusal::conflict("it is not so any more; ask again"),
            error => Sorry::from(error).into(),
        }
    }
}

/// The body of a request, which is JSON of at most [`LONGEST_BODY`] bytes.
pub(crate) struct Said<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Said<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Said<T>, Refusal> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let kind = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default();
        if !kind.trim().eq_ignore_ascii_case("application/json") {
            return Err(Refusal::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "the body is JSON and says so: Content-Type: application/json",
            ));
        }
        let body = match Bytes::from_request(request, state).await {
            Ok(body) => body,
            Err(error) if error.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                let sentence = format!("a body has at most {LONGEST_BODY} bytes");
                return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, sentence));
            }
            Err(_) => return Err(Refusal::bad("the body did not arrive")),
        };
        let said = reading::read(&body).map(Said);
        said.map_err(|why| Refusal::bad(format!("the body cannot be read: {why}")))
    }
}

/// What follows the question mark of a request.
pub(crate) struct Asked<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Asked<T>, Refusal> {
        match Query::from_request_parts(parts, state).await {
            Ok(Query(asked)) => Ok(Asked(asked)),
            Err(error) => {
                let complaint = error.body_text();
                let complaint = complaint.rsplit("query string: ").next().unwrap_or_default();
                let why = match complaint.split_once(": ") {
                    Some((_, unknown)) if unknown.starts_with("unknown field") => {
                        reading::in_words(unknown, &Value::Null)
                    }
                    Some((key, _)) => format!("'{key}' should be a whole number"),
                    None => reading::in_words(complaint, &Value::Null),
                };
                Err(Refusal::bad(format!("what follows the question mark cannot be read: {why}")))
            }
        }
    }
}

/// The parts of a request's path, where they can be read.
pub(crate) struct Within<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Within<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Within<T>, Refusal> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(within)) => Ok(Within(within)),
            Err(_) => Err(super::NOTHING.into()),
        }
    }
}
