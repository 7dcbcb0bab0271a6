//! The browser client, as it was built when the house was: its files, how long a browser keeps
//! them, and what its pages may do.

use std::borrow::Cow;

use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

/// The page that the client is in.
const INDEX: &str = "index.html";

/// What the path of a place in the client begins with.
const PLACES: [&str; 8] = ["", "table", "rules", "rounds", "shoes", "log", "me", "office"];

/// What the house says of a file that the client does not have.
const NOTHING: &str = "There is nothing here. The house is at /.\n";

/// What the house says where the client was not built into it.
const NOT_BUILT: &str = include_str!("not_built.html");

/// Nothing but what this house serves, and nothing written into a page itself.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// The files of the client. A debug build reads them from the disk.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Client;

/// Serves a file of the client, or its page for every place in it; that also says where there is none.
pub(crate) async fn serve(uri: Uri) -> Response {
    answer(uri.path().trim_start_matches('/'), |path| Client::get(path).map(|file| file.data))
}

fn answer(path: &str, file: impl Fn(&str) -> Option<Cow<'static, [u8]>>) -> Response {
    let first = path.split('/').next().unwrap_or_default();
    let found = if PLACES.contains(&first) { None } else { file(path) };
    if let Some(bytes) = found {
        return (headers(path), bytes.into_owned()).into_response();
    }
    let status = match first {
        "assets" => return (StatusCode::NOT_FOUND, NOTHING).into_response(),
        first if PLACES.contains(&first) => StatusCode::OK,
        _ => StatusCode::NOT_FOUND,
    };
    let page = file(INDEX).unwrap_or(Cow::Borrowed(NOT_BUILT.as_bytes()));
    (status, headers(INDEX), page.into_owned()).into_response()
}

fn headers(name: &str) -> [(header::HeaderName, &'static str); 2] {
    [(header::CONTENT_TYPE, kind(name)), (header::CACHE_CONTROL, kept(name))]
}

/// Files in `assets` have their content's hash in their name, and never change.
fn kept(name: &str) -> &'static str {
    match name.starts_with("assets/") {
        true => "public, max-age=31536000, immutable",
        false => "no-cache",
    }
}

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "json" | "webmanifest" => "application/json",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// Tells the browser with every answer what pages of this house may do: very little.
pub(crate) async fn guard(request: Request, next: Next) -> Response {
    let mut answer = next.run(request).await;
    let headers = answer.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // What an account or a log holds is asked for anew.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A client of three files.
    fn built(name: &str) -> Option<Cow<'static, [u8]>> {
        let names = ["index.html", "assets/index-1f2e.js", "icon.svg"];
        names.into_iter().find(|known| *known == name).map(|known| known.as_bytes().into())
    }

    fn told(answer: &Response) -> (StatusCode, &str, &str) {
        let text = |name| answer.headers().get(name).map_or("", |value| value.to_str().unwrap());
        (answer.status(), text(header::CONTENT_TYPE), text(header::CACHE_CONTROL))
    }

    #[test]
    fn every_place_of_the_client_is_its_page_and_is_asked_for_anew() {
        for path in ["", "table/war-1", "log/war-1", "me", "rounds/war-1/3", "index.html"] {
            let expected = (StatusCode::OK, "text/html; charset=utf-8", "no-cache");
            assert_eq!(told(&answer(path, built)), expected, "{path}");
        }
    }

    #[test]
    fn what_has_its_hash_in_its_name_is_kept_for_good() {
        let script = answer("assets/index-1f2e.js", built);
        assert_eq!(told(&script).1, "text/javascript; charset=utf-8");
        assert_eq!(told(&script).2, "public, max-age=31536000, immutable");
        assert_eq!(told(&answer("icon.svg", built)).2, "no-cache");
        let missing = answer("assets/index-0000.js", built);
        assert_eq!(
            (missing.status(), told(&missing).1),
            (StatusCode::NOT_FOUND, "text/plain; charset=utf-8")
        );
    }

    #[test]
    fn where_there_is_nothing_the_page_says_so_itself() {
        for path in ["tables", "menu", "../Cargo.toml", "assetsx"] {
            let expected = (StatusCode::NOT_FOUND, "text/html; charset=utf-8", "no-cache");
            assert_eq!(told(&answer(path, built)), expected, "{path}");
        }
    }

    #[test]
    fn a_house_without_its_client_says_how_to_build_it() {
        assert_eq!(answer("table/war-1", |_| None).status(), StatusCode::OK);
        assert!(NOT_BUILT.contains("cargo xtask run"));
        // The policy would not let them run or apply.
        assert!(!NOT_BUILT.contains("<script") && !NOT_BUILT.contains("style"));
    }
}
