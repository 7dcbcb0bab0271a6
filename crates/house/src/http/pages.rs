//! The browser client, as it was built when the house was: its files, how long a browser keeps
//! them, and what its pages may do.

use std::borrow::Cow;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use rules::games::Game;
use rust_embed::RustEmbed;

/// The page that the client is in.
const INDEX: &str = "index.html";

/// What the house says of a file that the client does not have.
const NOTHING: &str = "There is nothing here. The house is at /.\n";

/// What the house says where the client was not built into it.
const NOT_BUILT: &str = include_str!("not_built.html");

/// Nothing but what this house serves, and nothing written into a page itself.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// The files of the client, each also squeezed where that is shorter. A debug build reads them from the
/// disk.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Client;

/// A file of the client.
struct PageFile {
    bytes: Cow<'static, [u8]>,
    /// The hash of its content.
    hash: [u8; 32],
}

/// How files can be squeezed, the shortest first: the word of HTTP, and how their names end.
const ENCODINGS: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

/// Serves a file of the client, or its page for every place in it; that also says where there is none.
pub(crate) async fn serve(uri: Uri, asked: HeaderMap) -> Response {
    answer(uri.path().trim_start_matches('/'), &asked, |path| {
        let file = Client::get(path)?;
        Some(PageFile { bytes: file.data, hash: file.metadata.sha256_hash() })
    })
}

fn answer(path: &str, asked: &HeaderMap, file: impl Fn(&str) -> Option<PageFile>) -> Response {
    let is_squeezed = ENCODINGS.iter().any(|(_, end)| path.ends_with(end));
    let is_file = !path.is_empty() && !is_squeezed;
    if let Some(found) = Some(path).filter(|_| is_file).and_then(&file) {
        return send(path, StatusCode::OK, found, asked, file);
    }
    if path.split('/').next() == Some("assets") {
        return (StatusCode::NOT_FOUND, NOTHING).into_response();
    }
    let status = if is_place(path) { StatusCode::OK } else { StatusCode::NOT_FOUND };
    match file(INDEX) {
        Some(page) => send(INDEX, status, page, asked, file),
        None => (status, headers(INDEX), NOT_BUILT).into_response(),
    }
}

/// Whether a path leads to a place in the client, which reads it in `web/src/route.svelte.ts`. Which tables
/// and rounds there are, the client asks.
fn is_place(path: &str) -> bool {
    let is_name = |name: &str| {
        let is_letter = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        (1..=64).contains(&name.len()) && name.bytes().all(is_letter)
    };
    let is_number = |number: &str| {
        let is_digits = number.bytes().all(|byte| byte.is_ascii_digit());
        (1..=9).contains(&number.len()) && is_digits && !number.starts_with('0')
    };
    let is_game = |name: &str| Game::ALL.iter().any(|game| game.name() == name);
    let mut parts = path.split('/');
    let [at, name, number] = [(); 3].map(|()| parts.next().unwrap_or_default());
    let is_at_end = parts.next().is_none();
    is_at_end
        && match (at, name, number) {
            ("" | "rounds" | "review" | "me" | "office", "", "") => true,
            ("table" | "rules" | "log", table, "") => is_name(table),
            ("odds" | "train", game, "") => is_game(game),
            ("rounds" | "shoes", table, number) => is_name(table) && is_number(number),
            _ => false,
        }
}

/// Sends a file as short as the browser takes it, or says that the browser has it already.
fn send(
    name: &str,
    status: StatusCode,
    plain: PageFile,
    asked: &HeaderMap,
    file: impl Fn(&str) -> Option<PageFile>,
) -> Response {
    let text = |name| asked.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let accepted = text(header::ACCEPT_ENCODING);
    let squeezed = ENCODINGS.iter().filter(|(word, _)| accepts(accepted, word));
    let squeezed = squeezed.filter_map(|(word, end)| Some((*word, file(&format!("{name}{end}"))?)));
    let squeezed = squeezed.into_iter().next();
    // Every form of a file has a tag of its own.
    let hash: String = plain.hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{hash}{}\"", squeezed.as_ref().map_or("", |(word, _)| word));
    let mut response = match status == StatusCode::OK && names(text(header::IF_NONE_MATCH), &tag) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => {
            let (word, bytes) = match squeezed {
                Some((word, file)) => (Some(word), file.bytes),
                None => (None, plain.bytes),
            };
            let mut response = (status, headers(name), bytes.into_owned()).into_response();
            if let Some(word) = word {
                let value = HeaderValue::from_static(word);
                response.headers_mut().insert(header::CONTENT_ENCODING, value);
            }
            response
        }
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(kept(name)));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let (StatusCode::OK, Ok(tag)) = (status, HeaderValue::from_str(&tag)) {
        headers.insert(header::ETAG, tag);
    }
    response
}

/// Whether a browser takes an encoding: it is named, and not with a weight of nothing.
fn accepts(accepted: &str, word: &str) -> bool {
    accepted.split(',').any(|one| {
        let mut parts = one.split(';').map(str::trim);
        let is_named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(word));
        let weight = parts.find_map(|part| part.strip_prefix("q="));
        is_named
            && weight
                .is_none_or(|weight| weight.bytes().any(|digit| (b'1'..=b'9').contains(&digit)))
    })
}

/// Whether a list of tags names one; a weak tag is as good.
fn names(tags: &str, tag: &str) -> bool {
    let mut tags = tags.split(',').map(|one| one.trim().trim_start_matches("W/"));
    tags.any(|one| one == tag || one == "*")
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

    /// A client of three files, one of them squeezed.
    fn built(name: &str) -> Option<PageFile> {
        let names = [
            "index.html",
            "assets/index-1f2e.js",
            "assets/index-1f2e.js.br",
            "assets/index-1f2e.js.gz",
            "icon.svg",
        ];
        let known = names.into_iter().find(|known| *known == name)?;
        Some(PageFile { bytes: known.as_bytes().into(), hash: [7; 32] })
    }

    /// The answer to a browser that says nothing about itself.
    fn plainly(path: &str, file: impl Fn(&str) -> Option<PageFile>) -> Response {
        answer(path, &HeaderMap::new(), file)
    }

    fn told(answer: &Response) -> (StatusCode, &str, &str) {
        let text = |name| answer.headers().get(name).map_or("", |value| value.to_str().unwrap());
        (answer.status(), text(header::CONTENT_TYPE), text(header::CACHE_CONTROL))
    }

    #[test]
    fn every_place_of_the_client_is_its_page_and_is_asked_for_anew() {
        let games = Game::ALL.into_iter().flat_map(|game| {
            let game = game.name();
            [format!("odds/{game}"), format!("train/{game}")]
        });
        let places = ["", "table/war-1", "rules/war-1", "log/war-1", "me", "office", "review"];
        let more = ["rounds", "rounds/war-1/3", "shoes/war-1/2", "me/", "index.html"];
        for path in games.chain(places.into_iter().chain(more).map(str::to_owned)) {
            let expected = (StatusCode::OK, "text/html; charset=utf-8", "no-cache");
            assert_eq!(told(&plainly(&path, built)), expected, "{path}");
        }
    }

    #[test]
    fn what_has_its_hash_in_its_name_is_kept_for_good() {
        let script = plainly("assets/index-1f2e.js", built);
        assert_eq!(told(&script).1, "text/javascript; charset=utf-8");
        assert_eq!(told(&script).2, "public, max-age=31536000, immutable");
        assert_eq!(told(&plainly("icon.svg", built)).2, "no-cache");
        let missing = plainly("assets/index-0000.js", built);
        assert_eq!(
            (missing.status(), told(&missing).1),
            (StatusCode::NOT_FOUND, "text/plain; charset=utf-8")
        );
    }

    /// The status, the encoding and the tag of an answer to these headers.
    fn negotiated(
        path: &str,
        asked: &[(header::HeaderName, &'static str)],
    ) -> (u16, String, String) {
        let asked =
            asked.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value)));
        let answer = answer(path, &asked.collect(), built);
        let text = |name| answer.headers().get(name).map_or("", |value| value.to_str().unwrap());
        assert_eq!(text(header::VARY), "accept-encoding");
        let (encoding, tag) = (text(header::CONTENT_ENCODING), text(header::ETAG));
        (answer.status().as_u16(), encoding.to_owned(), tag.to_owned())
    }

    #[test]
    fn a_file_is_sent_as_short_as_the_browser_takes_it_and_only_once() {
        let (script, page) = ("assets/index-1f2e.js", "table/war-1");
        let accept = header::ACCEPT_ENCODING;
        for (accepted, encoding) in [
            ("gzip, deflate, br, zstd", "br"),
            ("gzip;q=0.8, identity", "gzip"),
            ("br;q=0, gzip;q=0.000", ""),
            ("*", ""),
            ("", ""),
            ("BR", "br"),
        ] {
            let (status, found, _) = negotiated(script, &[(accept.clone(), accepted)]);
            assert_eq!((status, found.as_str()), (200, encoding), "{accepted}");
        }
        let tags: Vec<_> = ["", "gzip", "br"]
            .map(|accepted| negotiated(script, &[(accept.clone(), accepted)]).2)
            .into_iter()
            .collect();
        assert!(tags[0] != tags[1] && tags[1] != tags[2], "{tags:?}");
        assert_eq!(negotiated(page, &[(accept, "br")]).1, "", "it is not squeezed");

        let known = header::IF_NONE_MATCH;
        let tag = "\"07070707070707070707070707070707\"";
        assert_eq!(negotiated(page, &[]), (200, String::new(), tag.to_owned()));
        for same in [
            "\"07070707070707070707070707070707\"",
            "\"1\", W/\"07070707070707070707070707070707\"",
            "*",
        ] {
            assert_eq!(negotiated(page, &[(known.clone(), same)]).0, 304, "{same}");
        }
        assert_eq!(negotiated(page, &[(known.clone(), "\"0707\"")]).0, 200);
        // A page that says that there is nothing is no page to keep.
        let (status, _, tag) = negotiated("menu", &[(known, "*")]);
        assert_eq!((status, tag.as_str()), (404, ""));
        assert_eq!(plainly("assets/index-1f2e.js.br", built).status(), StatusCode::NOT_FOUND);
    }

    #[test]
    fn where_there_is_nothing_the_page_says_so_itself() {
        let nowhere = ["tables", "menu", "../Cargo.toml", "assetsx"];
        let no_game = ["odds", "odds/anything", "train/baccarat", "odds/casino-war/1"];
        let no_table = ["table", "table/War 1", "rules/war-1/2", "log", "shoes/war-1"];
        let no_number = ["rounds/war-1", "rounds/war-1/0", "rounds/war-1/x", "rounds/war-1/1/"];
        let no_more = ["me/ann", "office/people", "review/1"];
        let all = [&nowhere[..], &no_game, &no_table, &no_number, &no_more].concat();
        for path in all {
            let expected = (StatusCode::NOT_FOUND, "text/html; charset=utf-8", "no-cache");
            assert_eq!(told(&plainly(path, built)), expected, "{path}");
        }
    }

    #[test]
    fn a_house_without_its_client_says_how_to_build_it() {
        assert_eq!(plainly("table/war-1", |_| None).status(), StatusCode::OK);
        assert!(NOT_BUILT.contains("cargo xtask run"));
        // The policy would not let them run or apply.
        assert!(!NOT_BUILT.contains("<script") && !NOT_BUILT.contains("style"));
    }
}
