//! What a request brings: its body, its query and the parts of its path, or a refusal in one sentence.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use serde::de::DeserializeOwned;
use wire::{Parameter, Refusal};

use super::error::HttpError;
use super::places::Activity;

/// The longest body of a request, in bytes.
pub const LONGEST_BODY: usize = 4096;

/// How long a client may take for it.
pub const LONGEST_BODY_READ: Duration = Duration::from_secs(10);

/// The body of a request, which is JSON of at most [`LONGEST_BODY`] bytes.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + serde::Serialize> FromRequest<S> for Body<T> {
    type Rejection = HttpError;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, HttpError> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let kind = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default();
        if !kind.trim().eq_ignore_ascii_case("application/json") {
            let sentence = "The body must be JSON, with Content-Type: application/json.";
            let refusal = Refusal::by_house("not-json", sentence);
            return Err(HttpError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, refusal));
        }
        let length = request.headers().get(header::CONTENT_LENGTH);
        let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
        if length.is_some_and(|length| length > LONGEST_BODY as u64) {
            return Err(too_long());
        }
        let activity = request.extensions().get::<Arc<Activity>>().cloned();
        let read = Bytes::from_request(request, state);
        let Ok(read) = tokio::time::timeout(LONGEST_BODY_READ, read).await else {
            let refusal = Refusal::by_house("body-too-slow", "The body took too long to arrive.");
            return Err(HttpError::new(StatusCode::REQUEST_TIMEOUT, refusal));
        };
        // In a full house the place of half a request may be needed, and that of a whole one is not.
        if let Some(activity) = activity {
            activity.answers();
        }
        let body = match read {
            Ok(body) => body,
            Err(error) if error.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                return Err(too_long());
            }
            Err(_) => return Err(HttpError::bad("body-cut-short", "The body did not arrive.")),
        };
        let body = wire::read(&body).map(Body);
        body.map_err(|why| HttpError::bad("bad-body", format!("Invalid body: {why}.")))
    }
}

fn too_long() -> HttpError {
    let sentence = format!("The body must have at most {LONGEST_BODY} bytes.");
    let refusal = Refusal::by_house("body-too-long", sentence);
    let refusal = refusal.with("most", Parameter::count(LONGEST_BODY));
    HttpError::new(StatusCode::PAYLOAD_TOO_LARGE, refusal)
}

/// What follows the question mark of a request.
pub(crate) struct Query<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Query<T>, HttpError> {
        match axum::extract::Query::from_request_parts(parts, state).await {
            Ok(axum::extract::Query(query)) => Ok(Query(query)),
            Err(error) => {
                let why = error.body_text().replace('`', "'");
                let why = why.rsplit("query string: ").next().unwrap_or_default();
                let why = wire::in_plain_words(why);
                Err(HttpError::bad("bad-query", format!("Invalid query parameter: {why}.")))
            }
        }
    }
}

/// The parts of a request's path.
pub(crate) struct Within<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Within<T> {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Within<T>, HttpError> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(within)) => Ok(Within(within)),
            Err(_) => Err(HttpError::nothing()),
        }
    }
}
