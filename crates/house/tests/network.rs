//! A house as it is reached from elsewhere: by its names alone, through proxies, and over HTTPS.

use crate::client;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use client::{Client, Guest, http_with, open};
use house::Config;
use house::http::entrance::CERTIFICATE_READ_EVERY;
use house::network::{CertificateError, CertificateFiles, Network};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use serde_json::{Value, json};
use tungstenite::Message;
use tungstenite::client::IntoClientRequest;

/// The name in certificates.
const NAME: &str = "casino.example";

fn open_house(name: &str, network: Network) -> open::Open {
    let mut config = Config::new(open::data(&format!("network-{name}")));
    config.tables.truncate(1);
    config.limits.guests_a_minute = 3;
    config.network = network;
    open::Open::with(config)
}

fn status(head: &str) -> u16 {
    head.split(' ').nth(1).unwrap().parse().unwrap()
}

/// Sends bytes, and gives what comes back before the connection ends.
fn exchange(mut stream: impl Read + Write, request: &str) -> String {
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn get(address: SocketAddr, path: &str, host: &str) -> String {
    let request = format!("GET {path} HTTP/1.1\r\n{host}Connection: close\r\n\r\n");
    exchange(TcpStream::connect(address).unwrap(), &request)
}

#[test]
fn a_name_that_is_none_of_the_house_is_refused_in_one_sentence() {
    let names = vec![NAME.to_owned()];
    let house = open_house("names", Network { names, ..Network::default() });
    let address = house.address;
    for host in [format!("{address}"), "localhost".to_owned(), format!("{NAME}:8042")] {
        let answer = get(address, "/api/tables", &format!("Host: {host}\r\n"));
        assert_eq!(status(&answer), 200, "{host} {answer}");
    }
    // A page whose name was made to lead to this computer.
    for host in ["Host: rebound.example:8042\r\n", "Host: \r\n", ""] {
        for path in ["/", "/api/tables", "/ws", "/health"] {
            let answer = get(address, path, host);
            // Without a host hyper itself may refuse.
            assert!(matches!(status(&answer), 421 | 400), "{host} {path} {answer}");
        }
    }
    let answer = get(address, "/api/me", "Host: rebound.example\r\n");
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let refusal: Value = serde_json::from_str(body).unwrap();
    assert_eq!((status(&answer), &refusal["code"]), (421, &json!("other-host")));
    let sentence =
        "This house does not answer to that name. Its operator can add it to [network] names.";
    assert_eq!(refusal["sentence"], sentence);
    // The name in the address of a request counts, and not the one beside it.
    let request = format!(
        "GET http://rebound.example/api/tables HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    );
    assert_eq!(status(&exchange(TcpStream::connect(address).unwrap(), &request)), 421);
    house.close();
}

#[test]
fn limits_see_the_client_behind_a_trusted_proxy_and_believe_nobody_else() {
    let come_in = |house: &open::Open, forwarded: &str| {
        let line = format!("X-Forwarded-For: {forwarded}\r\n");
        status(&http_with(house.address, "POST", "/api/guest", &line, "").0)
    };
    let trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    let house = open_house("proxied", Network { trusted_proxies, ..Network::default() });
    for _ in 0..3 {
        assert_eq!(come_in(&house, "203.0.113.1"), 200);
    }
    assert_eq!(come_in(&house, "203.0.113.1"), 429);
    assert_eq!(come_in(&house, "198.51.100.9, 203.0.113.1"), 429, "the left part is the client's");
    assert_eq!(come_in(&house, "203.0.113.2"), 200);
    // A proxy says how it was asked, too.
    let lines = "X-Forwarded-For: 203.0.113.3\r\nX-Forwarded-Proto: https\r\n";
    let (head, _) = http_with(house.address, "POST", "/api/guest", lines, "");
    assert!(head.contains("; Secure"), "{head}");
    house.close();

    let house = open_house("unproxied", Network::default());
    for last in 1..=3 {
        assert_eq!(come_in(&house, &format!("203.0.113.{last}")), 200);
    }
    assert_eq!(come_in(&house, "203.0.113.4"), 429);
    let (head, _) = http_with(house.address, "GET", "/api/tables", lines, "");
    assert!(status(&head) == 200 && !head.contains("strict-transport-security"), "{head}");
    house.close();
}

#[test]
fn wrong_passwords_of_one_client_of_a_proxy_keep_no_other_waiting() {
    let trusted_proxies = vec!["127.0.0.1".parse::<std::net::IpAddr>().unwrap().into()];
    let house = open_house("guesses", Network { trusted_proxies, ..Network::default() });
    let send = |path: &str, from: &str, password: &str| {
        let lines = format!("Content-Type: application/json\r\nX-Forwarded-For: {from}\r\n");
        let body = json!({ "name": "ann", "password": password }).to_string();
        status(&http_with(house.address, "POST", path, &lines, &body).0)
    };
    let right = "nine of diamonds";
    assert_eq!(send("/api/account", "203.0.113.1", right), 200);
    let guesses: Vec<_> =
        (0..12).map(|_| send("/api/login", "203.0.113.2", "ten of diamonds")).collect();
    assert!(guesses.contains(&429), "{guesses:?}");
    assert_eq!(send("/api/login", "203.0.113.1", right), 200);
    house.close();
}

/// A certificate in files of its own, and itself.
fn certificate(name: &str) -> (CertificateFiles, CertificateDer<'static>) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let made = rcgen::generate_simple_self_signed([NAME.to_owned()]).unwrap();
    let files = CertificateFiles {
        certificate: folder.join(format!("{name}.crt")),
        key: folder.join(format!("{name}.key")),
    };
    std::fs::write(&files.certificate, made.cert.pem()).unwrap();
    std::fs::write(&files.key, made.signing_key.serialize_pem()).unwrap();
    (files, made.cert.der().clone())
}

/// A connection over HTTPS to a house with a certificate.
fn encrypted(
    address: SocketAddr,
    certificate: &CertificateDer<'static>,
) -> StreamOwned<ClientConnection, TcpStream> {
    let mut roots = RootCertStore::empty();
    roots.add(certificate.clone()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider);
    let config = config.with_safe_default_protocol_versions().unwrap();
    let config = config.with_root_certificates(roots).with_no_client_auth();
    let name = ServerName::try_from(NAME).unwrap();
    let connection = ClientConnection::new(Arc::new(config), name).unwrap();
    StreamOwned::new(connection, TcpStream::connect(address).unwrap())
}

#[test]
fn over_https_pages_sockets_and_cookies_are_encrypted() {
    let (files, certificate) = certificate("spoken");
    let (names, certificate_files) = (vec![NAME.to_owned()], Some(files));
    let network = Network { names, certificate: certificate_files, ..Network::default() };
    let house = open_house("https", network);
    let ask = |method: &str, path: &str, host: &str| {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n\
             Connection: close\r\n\r\n"
        );
        exchange(encrypted(house.address, &certificate), &request)
    };
    let page = ask("GET", "/", NAME);
    assert!(status(&page) == 200 && page.contains("<title>"), "{page}");
    assert!(page.contains("strict-transport-security: max-age=31536000\r\n"), "{page}");
    let by_address = ask("GET", "/", "127.0.0.1");
    assert!(status(&by_address) == 200 && !by_address.contains("strict-transport"), "{by_address}");
    let guest = ask("POST", "/api/guest", NAME);
    let cookie = guest.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    for word in ["; HttpOnly", "; SameSite=Strict", "; Secure"] {
        assert!(cookie.contains(word), "{cookie}");
    }

    // The socket, from a page of the house and from one that is none.
    let socket = |origin: &str| {
        let mut request = format!("wss://{NAME}/ws").into_client_request().unwrap();
        let cookie = cookie.split(';').next().unwrap();
        request.headers_mut().insert("Cookie", cookie.parse().unwrap());
        request.headers_mut().insert("Origin", origin.parse().unwrap());
        tungstenite::client(request, encrypted(house.address, &certificate)).ok()
    };
    let (mut open, _) = socket(&format!("https://{NAME}")).unwrap();
    let hello = open.read().unwrap();
    assert!(matches!(&hello, Message::Text(text) if text.contains("hello")), "{hello}");
    assert!(socket("https://rebound.example").is_none());

    // Whoever speaks plain HTTP has no answer.
    let plain = get(house.address, "/", "Host: localhost\r\n");
    assert!(!plain.contains("HTTP/1.1 200"), "{plain}");
    drop(open);
    house.close();
}

#[test]
fn a_renewed_certificate_is_taken_into_use_and_a_broken_one_is_not() {
    let (files, first) = certificate("renewed");
    let network = Network { certificate: Some(files.clone()), ..Network::default() };
    let house = open_house("renewed", network);
    let is_used = |certificate: &CertificateDer<'static>| {
        let request = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        let mut stream = encrypted(house.address, certificate);
        let _ = stream.write_all(request.as_bytes());
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer.starts_with("HTTP/1.1 200")
    };
    assert!(is_used(&first));
    // A key without its certificate is no pair: the house goes on with what it has.
    let (other, second) = certificate("renewed-to");
    std::fs::copy(&other.key, &files.key).unwrap();
    std::thread::sleep(CERTIFICATE_READ_EVERY + Duration::from_secs(1));
    assert!(is_used(&first) && !is_used(&second));
    std::fs::copy(&other.certificate, &files.certificate).unwrap();
    let since = Instant::now();
    while !is_used(&second) {
        assert!(since.elapsed() < 4 * CERTIFICATE_READ_EVERY, "it is not taken into use");
        std::thread::sleep(Duration::from_millis(200));
    }
    assert!(!is_used(&first));
    house.close();
}

#[test]
fn who_is_silent_at_the_handshake_is_cut_off() {
    let (files, certificate) = certificate("silent");
    let network = Network { certificate: Some(files), ..Network::default() };
    let house = open_house("silent", network);
    let since = Instant::now();
    let mut silent = TcpStream::connect(house.address).unwrap();
    silent.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    silent.write_all(b"\x16\x03\x01").unwrap();
    assert_eq!(silent.read(&mut [0; 8]).unwrap_or(0), 0);
    let waited = since.elapsed();
    assert!(waited > Duration::from_secs(9) && waited < Duration::from_secs(15), "{waited:?}");
    let request = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    assert_eq!(status(&exchange(encrypted(house.address, &certificate), request)), 200);
    house.close();
}

#[test]
fn a_certificate_that_cannot_be_used_is_refused_in_one_sentence() {
    let (one, _) = certificate("one");
    let (other, _) = certificate("other");
    let refused = |certificate: &PathBuf, key: &PathBuf| {
        let mut config = Config::new(open::data("network-refused"));
        let files = CertificateFiles { certificate: certificate.clone(), key: key.clone() };
        config.network.certificate = Some(files);
        let runtime = tokio::runtime::Runtime::new().unwrap();
        match runtime.block_on(house::Opened::new(config)) {
            Err(house::Error::Certificate(error)) => {
                assert_eq!(error.to_string().lines().count(), 1, "{error}");
                error
            }
            Err(error) => panic!("{error}"),
            Ok(_) => panic!("it is open"),
        }
    };
    let missing = PathBuf::from("no-such-file.pem");
    let of = |certificate, key| refused(certificate, key);
    assert!(matches!(of(&missing, &one.key), CertificateError::Unreadable(..)));
    assert!(matches!(of(&one.certificate, &missing), CertificateError::Unreadable(..)));
    assert!(matches!(of(&one.key, &one.key), CertificateError::NoCertificate(_)));
    assert!(matches!(of(&one.certificate, &one.certificate), CertificateError::NoKey(_)));
    assert!(matches!(of(&one.certificate, &other.key), CertificateError::OtherKey(_)));
}

#[test]
fn a_house_without_a_random_source_is_not_ready() {
    let mut config = Config::new(open::data("network-entropy"));
    config.tables.truncate(1);
    config.tables[0].pace.inspection = Duration::ZERO;
    config.orders = Arc::new(|_| Err(std::io::Error::other("no entropy")));
    let house = open::Open::with(config);
    let ready = || get(house.address, "/ready", "Host: localhost\r\n");
    assert_eq!(status(&ready()), 200);
    let mut ann = Client::watch(house.address, &Guest::new(house.address), None);
    ann.sit(1, "100");
    let since = Instant::now();
    while status(&ready()) == 200 {
        assert!(since.elapsed() < Duration::from_secs(20), "{}", ann.view);
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(
        ready().contains("A table is paused because the disk or the random source is failing.")
    );
    house.close();
}
