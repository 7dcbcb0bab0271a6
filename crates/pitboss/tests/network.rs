//! `pitboss serve` on the network: what it refuses, how it is reached, and how it stops.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const TABLE: &str = "[[table]]\nname = \"war-1\"\ngame = \"casino-war\"\n";

/// A folder with a configuration of one table and of a network.
fn folder(name: &str, network: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("network-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("pitboss.toml"), format!("[network]\n{network}\n{TABLE}")).unwrap();
    folder
}

fn serve(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pitboss"));
    command.args(["serve", "--port", "0", "--config"]).arg(folder.join("pitboss.toml"));
    command.arg("--data").arg(folder.join("data"));
    command
}

/// The program, open, and where.
struct Served {
    child: Child,
    url: String,
}

impl Served {
    fn new(command: &mut Command) -> Served {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let url = line.trim().strip_prefix("The house is open at ").unwrap().to_owned();
        Served { child, url }
    }

    fn address(&self) -> SocketAddr {
        self.url.split_once("://").unwrap().1.parse().unwrap()
    }

    fn signal(&self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A certificate and its key in a folder.
fn certificate(folder: &Path, name: &str) {
    let made = rcgen::generate_simple_self_signed(["casino.example".to_owned()]).unwrap();
    std::fs::write(folder.join(format!("{name}.crt")), made.cert.pem()).unwrap();
    std::fs::write(folder.join(format!("{name}.key")), made.signing_key.serialize_pem()).unwrap();
}

/// Files of keys as OpenSSL encrypts them, in PKCS #8 and before; no key is in them.
const ENCRYPTED_KEYS: [(&str, &str); 2] = [
    (
        "encrypted.key",
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIBvTBX\n-----END ENCRYPTED PRIVATE KEY-----\n",
    ),
    (
        "older.key",
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\n\
         MIIBvTBX\n-----END RSA PRIVATE KEY-----\n",
    ),
];

#[test]
fn a_network_that_cannot_be_is_refused_in_one_sentence() {
    for (name, network, arguments, said) in [
        ("cidr", "trusted_proxies = [\"10.0.0.0/99\"]", &[][..], "and not '10.0.0.0/99'"),
        ("name", "names = [\"casino.example:443\"]", &[], "without a port, and not"),
        ("bind", "bind = \"here\"", &[], "found 'here'"),
        ("option", "", &["--bind", "there"], "found 'there'"),
        ("plain", "", &["--bind", "0.0.0.0"], "on 0.0.0.0 others could read passwords"),
        ("half", "tls_key = \"one.key\"", &[], "[network] tls_key needs tls_certificate beside it"),
        (
            "missing",
            "tls_certificate = \"none.crt\"\ntls_key = \"one.key\"",
            &[],
            "none.crt: there is no such file",
        ),
        (
            "empty",
            "tls_certificate = \"one.key\"\ntls_key = \"one.key\"",
            &[],
            "one.key: there is no certificate in this file",
        ),
        (
            "no-key",
            "tls_certificate = \"one.crt\"\ntls_key = \"one.crt\"",
            &[],
            "one.crt: there is no private key in this file",
        ),
        (
            "encrypted-key",
            "tls_certificate = \"one.crt\"\ntls_key = \"encrypted.key\"",
            &[],
            "encrypted.key: this private key is encrypted with a passphrase; decrypt it",
        ),
        (
            "older-encrypted-key",
            "tls_certificate = \"one.crt\"\ntls_key = \"older.key\"",
            &[],
            "older.key: this private key is encrypted with a passphrase; decrypt it",
        ),
        (
            "other-key",
            "tls_certificate = \"one.crt\"\ntls_key = \"other.key\"",
            &[],
            "other.key: this key does not belong to the certificate in ",
        ),
    ] {
        let folder = folder(name, network);
        certificate(&folder, "one");
        certificate(&folder, "other");
        for (key, text) in ENCRYPTED_KEYS {
            std::fs::write(folder.join(key), text).unwrap();
        }
        let output = serve(&folder).args(arguments).output().unwrap();
        let sentence = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}: {sentence}");
        assert!(output.stdout.is_empty() && sentence.lines().count() == 1, "{name}: {sentence}");
        assert!(sentence.starts_with("pitboss: ") && sentence.contains(said), "{name}: {sentence}");
    }
}

#[test]
fn a_house_says_where_it_is_open() {
    let plain = folder("wanted", "plain_http = true\nnames = [\"casino.example\"]");
    let served = Served::new(serve(&plain).args(["--bind", "0.0.0.0"]));
    assert!(served.url.starts_with("http://casino.example:"), "{}", served.url);

    let network = "tls_certificate = \"one.crt\"\ntls_key = \"one.key\"\nbind = \"0.0.0.0\"\n\
                   names = [\"casino.example\"]";
    let encrypted = folder("encrypted", network);
    certificate(&encrypted, "one");
    let served = Served::new(&mut serve(&encrypted));
    assert!(served.url.starts_with("https://casino.example:"), "{}", served.url);

    let elsewhere = folder("elsewhere", "plain_http = true");
    let output = serve(&elsewhere).args(["--bind", "192.0.2.7"]).output().unwrap();
    let sentence = String::from_utf8(output.stderr).unwrap();
    let said =
        "pitboss: 192.0.2.7 is not an address of this computer; choose another with --bind\n";
    assert_eq!((output.status.code(), sentence.as_str()), (Some(1), said));
}

/// Half a request to sign in, on a connection of its own.
fn half_a_request(address: SocketAddr, body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let head = format!(
        "POST /api/login HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(&body.as_bytes()[..5]).unwrap();
    stream
}

#[test]
fn a_house_that_is_told_to_stop_answers_what_was_asked_and_lets_nobody_in() {
    let mut served = Served::new(&mut serve(&folder("stop", "")));
    let (address, body) = (served.address(), r#"{"name":"ann","password":"ten of diamonds"}"#);
    let mut asked = half_a_request(address, body);
    std::thread::sleep(Duration::from_millis(300));
    served.signal();
    std::thread::sleep(Duration::from_millis(300));
    assert!(TcpStream::connect(address).is_err(), "who is new finds nobody ready");
    asked.write_all(&body.as_bytes()[5..]).unwrap();
    let mut answer = String::new();
    asked.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
    assert!(served.child.wait().unwrap().success());
}

#[test]
fn whoever_does_not_finish_is_waited_for_three_seconds_or_until_a_second_signal() {
    let mut served = Served::new(&mut serve(&folder("late", "")));
    let half = half_a_request(served.address(), "{\"name\":\"ann\"}");
    std::thread::sleep(Duration::from_millis(300));
    let since = Instant::now();
    served.signal();
    assert!(served.child.wait().unwrap().success());
    let waited = since.elapsed();
    assert!(waited > Duration::from_secs(2) && waited < Duration::from_secs(8), "{waited:?}");
    drop(half);

    let mut served = Served::new(&mut serve(&folder("twice", "")));
    let half = half_a_request(served.address(), "{\"name\":\"ann\"}");
    std::thread::sleep(Duration::from_millis(300));
    let since = Instant::now();
    served.signal();
    std::thread::sleep(Duration::from_millis(300));
    served.signal();
    assert_eq!(served.child.wait().unwrap().code(), Some(130));
    assert!(since.elapsed() < Duration::from_secs(2), "{:?}", since.elapsed());
    drop(half);
}
