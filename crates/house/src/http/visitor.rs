//! Who asks: by the token of a bot, or by a cookie.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, header};
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use utoipa::IntoResponses;
use utoipa::openapi::{RefOr, Response};

use super::answers::refusals;
use super::caller::Caller;
use super::door::counted;
use super::error::HttpError;
use super::house::House;
use crate::people::{Person, Role};
use crate::store::{People, StoreError};

/// What the name of the cookie begins with that holds a guest's token; the house's identity follows,
/// since a browser sends cookies to every port of a computer.
pub const COOKIE: &str = "pitboss-";

/// What the token of a bot comes after, in the header `Authorization`.
const BEARER: &str = "Bearer ";

impl House {
    /// Who asks.
    pub(crate) async fn person(&self, headers: &HeaderMap) -> Result<Option<Person>, StoreError> {
        match self.token_of(headers) {
            Some(token) => self.person_by(&token).await,
            None => Ok(None),
        }
    }

    /// Whose token this is.
    pub(crate) async fn person_by(&self, token: &str) -> Result<Option<Person>, StoreError> {
        match self.company.whose(token) {
            Some(person) => Ok(Some(person)),
            None => self.store.person(token).await,
        }
    }

    /// By what somebody who asks is known again.
    pub(super) fn token_of(&self, headers: &HeaderMap) -> Option<String> {
        let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let bearer = bearer.map(|value| value.strip_prefix(BEARER).unwrap_or_default().to_owned());
        bearer.or_else(|| self.cookie_of(headers))
    }

    /// The token in the cookie of this house.
    pub(super) fn cookie_of(&self, headers: &HeaderMap) -> Option<String> {
        let cookies = CookieJar::from_headers(headers);
        cookies.get(&self.cookie).map(|cookie| cookie.value().to_owned())
    }

    /// A cookie to be known again by.
    pub(super) fn set_cookie(&self, token: &str, seconds: i64) -> CookieJar {
        let cookie = Cookie::build((self.cookie.clone(), token.to_owned()));
        let cookie = cookie.path("/").http_only(true).same_site(SameSite::Strict);
        let cookie = cookie.max_age(time::Duration::seconds(seconds));
        CookieJar::new().add(cookie)
    }

    /// Whoever asks, if they have one of these roles.
    async fn with_role(&self, headers: &HeaderMap, roles: &[Role]) -> Result<Person, HttpError> {
        let person = self.person(headers).await?.ok_or_else(HttpError::unknown_visitor)?;
        if roles.contains(&person.role) {
            return Ok(person);
        }
        let names: Vec<_> = roles.iter().map(|role| role.name()).collect();
        let (names, role) = (names.join(" or "), person.role.name());
        let sentence = format!("This needs the role {names}; yours is {role}.");
        Err(HttpError::forbidden("wrong-role", sentence))
    }
}

/// Whoever asks, and is known to the house.
pub(crate) struct Known(pub(crate) Person);

impl FromRequestParts<Arc<House>> for Known {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, house: &Arc<House>) -> Result<Self, HttpError> {
        let person = house.person(&parts.headers).await?;
        person.map(Known).ok_or_else(HttpError::unknown_visitor)
    }
}

impl IntoResponses for Known {
    fn responses() -> std::collections::BTreeMap<String, RefOr<Response>> {
        refusals(&[(401, "Not signed in.")])
    }
}

/// Defines whoever asks and has one of some roles.
macro_rules! with_role {
    ($(#[$doc:meta])* $Name:ident: $($Role:ident),+) => {
        $(#[$doc])*
        pub(crate) struct $Name(pub(crate) Person);

        impl FromRequestParts<Arc<House>> for $Name {
            type Rejection = HttpError;

            async fn from_request_parts(
                parts: &mut Parts,
                house: &Arc<House>,
            ) -> Result<Self, HttpError> {
                house.with_role(&parts.headers, &[$(Role::$Role),+]).await.map($Name)
            }
        }

        impl IntoResponses for $Name {
            fn responses() -> std::collections::BTreeMap<String, RefOr<Response>> {
                refusals(&[
                    (401, "Not signed in."),
                    (403, "Another role is needed, or it is a cross-site request."),
                ])
            }
        }
    };
}

with_role! {
    /// Whoever asks, and runs the house.
    Operator: Operator
}
with_role! {
    /// Whoever asks, and may read what operators do.
    Reader: Operator, Auditor
}
with_role! {
    /// Whoever asks, and decides what went wrong.
    Supervisor: Supervisor
}

/// The address of the client that asks, as it is counted.
pub(crate) struct Address(pub(crate) std::net::IpAddr);

impl<S: Send + Sync> FromRequestParts<S> for Address {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, HttpError> {
        let caller = parts.extensions.get::<Caller>();
        caller.map(|caller| Address(counted(caller.address))).ok_or_else(HttpError::nothing)
    }
}

/// Where a browser says that a request comes from.
pub(super) const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Whether no browser says that the request comes from elsewhere.
pub(super) fn is_own_page(headers: &HeaderMap) -> bool {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    if text(SITE).is_some_and(|site| !matches!(site, "same-origin" | "none")) {
        return false;
    }
    match (text(header::ORIGIN), text(header::HOST)) {
        (None, _) => true,
        (Some(origin), Some(host)) => {
            origin.split_once("://").is_some_and(|(_, origin)| origin == host)
        }
        (Some(_), None) => false,
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn only_pages_of_the_house_open_a_socket() {
        for (origin, site, is_own) in [
            (None, None, true),
            (Some("http://127.0.0.1:8042"), None, true),
            (Some("http://127.0.0.1:8042"), Some("same-origin"), true),
            (Some("http://127.0.0.1:8043"), None, false),
            (Some("https://elsewhere.example"), None, false),
            (Some("null"), None, false),
            (None, Some("none"), true),
            (None, Some("same-site"), false),
            (None, Some("cross-site"), false),
            (Some("http://127.0.0.1:8042"), Some("cross-site"), false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("127.0.0.1:8042"));
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
            }
            if let Some(site) = site {
                headers.insert(SITE, HeaderValue::from_static(site));
            }
            assert_eq!(is_own_page(&headers), is_own, "{origin:?} {site:?}");
        }
    }
}
