//! Where a request comes from: over which connection, for whom, and to which name of the house.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use wire::Refusal;

use super::error::HttpError;
use super::house::House;
use crate::network::Network;

/// For whom a proxy asks: each proxy adds whom it was asked by, on the right.
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// How a proxy was asked.
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// How long a browser uses HTTPS alone: a year.
const HTTPS_ALONE: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// A connection, as requests over it find it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Connection {
    /// Who is at the other end.
    pub(crate) peer: IpAddr,
    /// The address of the house that was reached.
    pub(crate) reached: IpAddr,
    pub(crate) is_encrypted: bool,
}

/// Who asks, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Caller {
    pub(crate) address: IpAddr,
    /// Whether all of the way from the client is HTTPS, as far as the house can know.
    is_https: bool,
    /// Whether a trusted proxy asks for the client.
    is_proxied: bool,
}

impl Caller {
    fn new(headers: &HeaderMap, connection: Connection, network: &Network) -> Caller {
        let lines = headers.get_all(&FORWARDED_FOR);
        let lines: Vec<&str> = lines.iter().map(|line| line.to_str().unwrap_or("?")).collect();
        let address = network.client(connection.peer, &lines);
        let is_proxied = network.is_trusted(connection.peer);
        let proto = headers.get_all(&FORWARDED_PROTO).iter().next_back();
        let is_forwarded = is_proxied && proto.is_some_and(|proto| proto == "https");
        Caller { address, is_https: connection.is_encrypted || is_forwarded, is_proxied }
    }
}

/// The name that a request was sent to.
fn host(request: &Request) -> &str {
    let header = || request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    request.uri().authority().map(|host| host.as_str()).or_else(header).unwrap_or_default()
}

/// Finds out who asks, and refuses what was sent to a name that is none of this house.
pub(super) async fn identify(
    State(house): State<Arc<House>>,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(&connection) = request.extensions().get::<Connection>() else {
        return HttpError::nothing().into_response();
    };
    if request.headers().get_all(header::HOST).iter().nth(1).is_some() {
        return HttpError::bad("several-hosts", "Send one Host header.").into_response();
    }
    let caller = Caller::new(request.headers(), connection, &house.network);
    let name = host(&request);
    if !house.network.is_own_host(name, connection.reached) {
        return other_host().into_response();
    }
    let has_name = house.network.is_name(name);
    // Elsewhere the connections of an address are counted.
    let share = match caller.is_proxied {
        true => match house.request_shares.take(caller.address) {
            Some(share) => Some(share),
            None => return too_many_requests().into_response(),
        },
        false => None,
    };
    request.extensions_mut().insert(caller);
    let mut answer = next.run(request).await;
    drop(share);
    if caller.is_https {
        only_over_https(answer.headers_mut(), has_name);
    }
    answer
}

/// Tells a browser to send cookies over HTTPS alone, and under a name of the house to ask for nothing
/// without it.
fn only_over_https(headers: &mut HeaderMap, has_name: bool) {
    let cookies: Vec<HeaderValue> = headers.get_all(header::SET_COOKIE).iter().cloned().collect();
    headers.remove(header::SET_COOKIE);
    for cookie in cookies {
        let secure = [cookie.as_bytes(), b"; Secure"].concat();
        headers.append(header::SET_COOKIE, HeaderValue::from_bytes(&secure).unwrap_or(cookie));
    }
    if has_name {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HTTPS_ALONE);
    }
}

fn other_host() -> HttpError {
    let sentence =
        "This house does not answer to that name. Its operator can add it to [network] names.";
    let refusal = Refusal::by_house("other-host", sentence);
    HttpError::new(StatusCode::MISDIRECTED_REQUEST, refusal)
}

fn too_many_requests() -> HttpError {
    let sentence = "Your address has too many requests at a time. Wait a second.";
    HttpError::wait(1, "too-many-requests", sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_trusted_proxy_says_who_asks_and_how() {
        let proxies = vec!["10.0.0.0/8".parse().unwrap()];
        let network = Network { trusted_proxies: proxies, ..Network::default() };
        let mut headers = HeaderMap::new();
        headers.append(FORWARDED_FOR, HeaderValue::from_static("127.0.0.1"));
        headers.append(FORWARDED_FOR, HeaderValue::from_static("203.0.113.9"));
        headers.append(FORWARDED_PROTO, HeaderValue::from_static("https"));
        let client = IpAddr::from([203, 0, 113, 9]);
        for (peer, address, is_proxied) in
            [([10, 0, 0, 7], client, true), ([192, 0, 2, 1], [192, 0, 2, 1].into(), false)]
        {
            for is_encrypted in [false, true] {
                let reached = IpAddr::from([10, 0, 0, 1]);
                let connection = Connection { peer: peer.into(), reached, is_encrypted };
                let caller = Caller::new(&headers, connection, &network);
                let is_https = is_encrypted || is_proxied;
                assert_eq!(caller, Caller { address, is_https, is_proxied });
            }
        }
    }

    #[test]
    fn every_cookie_is_for_https_alone() {
        let mut headers = HeaderMap::new();
        headers.append(header::SET_COOKIE, HeaderValue::from_static("a=1; HttpOnly"));
        headers.append(header::SET_COOKIE, HeaderValue::from_static("b=2"));
        only_over_https(&mut headers, false);
        let cookies: Vec<_> = headers.get_all(header::SET_COOKIE).iter().collect();
        assert_eq!(cookies, ["a=1; HttpOnly; Secure", "b=2; Secure"]);
        assert!(!headers.contains_key(header::STRICT_TRANSPORT_SECURITY));
        only_over_https(&mut headers, true);
        assert_eq!(headers[header::STRICT_TRANSPORT_SECURITY], "max-age=31536000");
    }
}
