//! How answers are described: which refusals a route can give.

use std::collections::BTreeMap;

use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};
use utoipa::{IntoResponses, ToSchema};
use wire::Refusal;

/// Refusals by their status.
pub(super) fn refusals(each: &[(u16, &str)]) -> BTreeMap<String, RefOr<Response>> {
    let answer = |words: &str| {
        let schema = Ref::from_schema_name(Refusal::name());
        let content = ContentBuilder::new().schema(Some(schema)).build();
        ResponseBuilder::new().description(words).content("application/json", content).build()
    };
    each.iter().map(|(status, words)| (status.to_string(), RefOr::T(answer(words)))).collect()
}

/// Defines a refusal that routes share, by its status.
macro_rules! shared {
    ($($Name:ident: $($status:literal $words:literal)+;)+) => {
        $(pub(super) struct $Name;

        impl IntoResponses for $Name {
            fn responses() -> BTreeMap<String, RefOr<Response>> {
                refusals(&[$(($status, $words)),+])
            }
        })+
    };
}

shared! {
    BadBody: 400 "The body is invalid." 408 "The body took too long to arrive."
        413 "The body is too long." 415 "The body is not JSON, or does not say so.";
    BadQuery: 400 "A query parameter cannot be read.";
    Missing: 404 "Not found.";
    Contradiction: 409 "It conflicts with the current state.";
    Forbidden: 403 "Not allowed, or a cross-site request.";
    WrongPassword: 401 "The name or the password is wrong.";
    TooOften: 429 "Too many requests; the header Retry-After says how long to wait.";
    NoUpgrade: 400 "The request does not ask for a WebSocket." 426 "The request cannot be upgraded.";
}
