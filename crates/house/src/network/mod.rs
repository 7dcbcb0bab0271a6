//! How a house is reached: `[network]` of its configuration.

mod certificate;

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use ipnet::IpNet;

pub(crate) use certificate::Certificate;
pub use certificate::{CertificateError, CertificateFiles};

/// The most names of a house, and the most ranges of proxies.
pub const MOST_NAMES_SAID: usize = 64;

/// How a house is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// The address that it listens on.
    pub bind: IpAddr,
    /// Its names, in lower case, besides those of this computer.
    pub names: Vec<String>,
    /// The proxies that say truly for whom they ask.
    pub trusted_proxies: Vec<IpNet>,
    /// The certificate, where the house speaks HTTPS itself.
    pub certificate: Option<CertificateFiles>,
    /// Whether plain HTTP is wanted where others can listen.
    pub plain_http: bool,
}

/// On this computer alone.
impl Default for Network {
    fn default() -> Network {
        Network {
            bind: Ipv4Addr::LOCALHOST.into(),
            names: Vec::new(),
            trusted_proxies: Vec::new(),
            certificate: None,
            plain_http: false,
        }
    }
}

/// Why a house is not reached in this way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkError {
    /// It is no address.
    Address(String),
    /// It is no range of addresses.
    Proxies(String),
    /// A range of proxies that has every address.
    Everybody(String),
    /// It is no name of a computer.
    Name(String),
    /// There are more than [`MOST_NAMES_SAID`].
    TooMany(&'static str),
    /// A certificate comes without its key, or a key without its certificate.
    Half {
        /// Which one there is.
        found: &'static str,
        /// Which one there is not.
        missing: &'static str,
    },
    /// Passwords would be sent where others can read them.
    Plain(IpAddr),
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::Address(said) => {
                write!(f, "expected an address to bind such as 127.0.0.1 or ::, found '{said}'")
            }
            NetworkError::Proxies(said) => write!(
                f,
                "[network] trusted_proxies has addresses such as 10.0.0.7 or 10.0.0.0/8, and not \
                 '{said}'"
            ),
            NetworkError::Everybody(said) => write!(
                f,
                "[network] trusted_proxies cannot have '{said}': that is every address, and a \
                 trusted proxy says where its clients are"
            ),
            NetworkError::Name(said) => write!(
                f,
                "[network] names has host names such as casino.example, without a port, and not \
                 '{said}'"
            ),
            NetworkError::TooMany(key) => {
                write!(f, "[network] {key} has at most {MOST_NAMES_SAID} entries")
            }
            NetworkError::Half { found, missing } => {
                write!(f, "[network] {found} needs {missing} beside it")
            }
            NetworkError::Plain(bind) => write!(
                f,
                "on {bind} others could read passwords sent over plain HTTP: in [network], give \
                 tls_certificate and tls_key, or name trusted_proxies that speak HTTPS, or say \
                 plain_http = true"
            ),
        }
    }
}

impl std::error::Error for NetworkError {}

impl Network {
    /// Reads an address to listen on.
    pub fn read_bind(text: &str) -> Result<IpAddr, NetworkError> {
        text.parse().map_err(|_| NetworkError::Address(text.to_owned()))
    }

    /// Reads the names of a house.
    pub(crate) fn read_names(texts: &[String]) -> Result<Vec<String>, NetworkError> {
        few("names", texts)?;
        texts.iter().map(|text| read_name(text)).collect()
    }

    /// Reads the addresses of proxies, alone or as ranges.
    pub(crate) fn read_proxies(texts: &[String]) -> Result<Vec<IpNet>, NetworkError> {
        few("trusted_proxies", texts)?;
        let read = |text: &String| {
            let range = text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
            let range: IpNet = range.map_err(|_| NetworkError::Proxies(text.clone()))?;
            match range.prefix_len() {
                0 => Err(NetworkError::Everybody(text.clone())),
                _ => Ok(range),
            }
        };
        texts.iter().map(read).collect()
    }

    /// A certificate and its key, or neither.
    pub(crate) fn read_certificate(
        certificate: Option<PathBuf>,
        key: Option<PathBuf>,
    ) -> Result<Option<CertificateFiles>, NetworkError> {
        let [both, other] = ["tls_certificate", "tls_key"];
        match (certificate, key) {
            (Some(certificate), Some(key)) => Ok(Some(CertificateFiles { certificate, key })),
            (None, None) => Ok(None),
            (Some(_), None) => Err(NetworkError::Half { found: both, missing: other }),
            (None, Some(_)) => Err(NetworkError::Half { found: other, missing: both }),
        }
    }

    /// Refuses to send passwords where others can read them, unless that is wanted.
    pub fn check(&self) -> Result<(), NetworkError> {
        let is_safe = self.bind.to_canonical().is_loopback()
            || self.certificate.is_some()
            || !self.trusted_proxies.is_empty()
            || self.plain_http;
        is_safe.then_some(()).ok_or(NetworkError::Plain(self.bind))
    }

    /// Whether a peer may connect: without encryption only this computer and the trusted proxies may,
    /// unless plain HTTP is wanted.
    pub(crate) fn lets_in(&self, peer: IpAddr) -> bool {
        self.certificate.is_some()
            || self.plain_http
            || peer.to_canonical().is_loopback()
            || self.is_trusted(peer)
    }

    /// Where the page is, if the house listens on an address.
    pub fn url(&self, address: SocketAddr) -> String {
        let scheme = if self.certificate.is_some() { "https" } else { "http" };
        let everywhere = address.ip().is_unspecified();
        let name = match (self.names.first(), &self.certificate) {
            (Some(name), Some(_)) => name.clone(),
            (Some(name), None) if everywhere && self.plain_http => name.clone(),
            _ if everywhere => "localhost".to_owned(),
            _ => return format!("{scheme}://{address}"),
        };
        match (scheme, address.port()) {
            ("https", 443) | ("http", 80) => format!("{scheme}://{name}"),
            (_, port) => format!("{scheme}://{name}:{port}"),
        }
    }

    /// Whether a host is this house: this computer, the address that a request reached, or one of the
    /// names. A page elsewhere whose name is made to lead here is none of them.
    pub(crate) fn is_own_host(&self, host: &str, reached: IpAddr) -> bool {
        let host = without_port(host).trim_end_matches('.').to_ascii_lowercase();
        let address: Option<IpAddr> = host.trim_matches(['[', ']']).parse().ok();
        let is_here = |address: IpAddr| {
            let address = address.to_canonical();
            address.is_loopback() || address == reached.to_canonical()
        };
        host == "localhost" || self.names.contains(&host) || address.is_some_and(is_here)
    }

    /// Whether a host is one of the names.
    pub(crate) fn is_name(&self, host: &str) -> bool {
        let host = without_port(host).trim_end_matches('.').to_ascii_lowercase();
        self.names.contains(&host) && host.parse::<IpAddr>().is_err()
    }

    /// Whether an address is that of a trusted proxy.
    pub(crate) fn is_trusted(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.trusted_proxies.iter().any(|range| range.contains(&address))
    }

    /// Who asks, where a peer says for whom: `forwarded` is `X-Forwarded-For`, each proxy to the right of
    /// the one before. A proxy is believed if it is trusted, and what an untrusted one says is not read.
    pub(crate) fn client(&self, peer: IpAddr, forwarded: &[&str]) -> IpAddr {
        let mut client = peer.to_canonical();
        let words = forwarded.iter().rev().flat_map(|line| line.rsplit(','));
        for word in words {
            if !self.is_trusted(client) {
                break;
            }
            let Some(before) = address_of(word.trim()) else { break };
            client = before.to_canonical();
        }
        client
    }
}

fn few(key: &'static str, texts: &[String]) -> Result<(), NetworkError> {
    (texts.len() <= MOST_NAMES_SAID).then_some(()).ok_or(NetworkError::TooMany(key))
}

fn read_name(text: &str) -> Result<String, NetworkError> {
    let name = text.trim_end_matches('.').to_ascii_lowercase();
    let is_label = |label: &str| {
        let is_inside = |c: char| c.is_ascii_alphanumeric() || c == '-';
        !label.is_empty() && label.len() <= 63 && label.chars().all(is_inside)
    };
    let is_name = name.len() <= 253 && name.split('.').all(is_label);
    let is_address = name.parse::<IpAddr>().is_ok();
    (is_name || is_address).then_some(name).ok_or_else(|| NetworkError::Name(text.to_owned()))
}

/// A host without its port; an IPv6 address may have brackets.
fn without_port(host: &str) -> &str {
    match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, _)) => address,
        None => host.rsplit_once(':').map_or(host, |(name, port)| {
            let is_port = port.chars().all(|c| c.is_ascii_digit()) && !name.contains(':');
            if is_port { name } else { host }
        }),
    }
}

/// An address, which may have a port.
fn address_of(word: &str) -> Option<IpAddr> {
    let alone = word.trim_matches(['[', ']']).parse();
    alone.or_else(|_| word.parse::<SocketAddr>().map(|address| address.ip())).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn behind(proxies: &[&str]) -> Network {
        let proxies: Vec<_> = proxies.iter().map(|text| (*text).to_owned()).collect();
        Network { trusted_proxies: Network::read_proxies(&proxies).unwrap(), ..Network::default() }
    }

    #[test]
    fn only_trusted_proxies_are_believed_from_the_right() {
        let network = behind(&["10.0.0.0/8", "::1", "2001:db8::/32"]);
        for (peer, forwarded, client) in [
            ("192.0.2.1", &["203.0.113.9"][..], "192.0.2.1"),
            ("10.0.0.7", &[], "10.0.0.7"),
            ("10.0.0.7", &["203.0.113.9"], "203.0.113.9"),
            ("::ffff:10.0.0.7", &["203.0.113.9"], "203.0.113.9"),
            ("::1", &["203.0.113.9"], "203.0.113.9"),
            ("2001:db8::5", &["2001:dba::7"], "2001:dba::7"),
            // What the client wrote itself stands to the left.
            ("10.0.0.7", &["127.0.0.1, 198.51.100.4, 203.0.113.9"], "203.0.113.9"),
            ("10.0.0.7", &["127.0.0.1", "203.0.113.9"], "203.0.113.9"),
            ("10.0.0.7", &["198.51.100.4, 203.0.113.9, 10.1.1.1"], "203.0.113.9"),
            ("10.0.0.7", &["10.2.2.2, 10.1.1.1"], "10.2.2.2"),
            ("10.0.0.7", &["203.0.113.9:4711"], "203.0.113.9"),
            ("10.0.0.7", &["[2001:dba::7]:443"], "2001:dba::7"),
            ("10.0.0.7", &["[2001:dba::7]"], "2001:dba::7"),
            ("10.0.0.7", &["203.0.113.9, unknown"], "10.0.0.7"),
            ("10.0.0.7", &[""], "10.0.0.7"),
            ("10.0.0.7", &[",,,"], "10.0.0.7"),
        ] {
            assert_eq!(network.client(ip(peer), forwarded), ip(client), "{peer} {forwarded:?}");
        }
        assert_eq!(Network::default().client(ip("::1"), &["203.0.113.9"]), ip("::1"));
    }

    #[test]
    fn a_house_is_known_by_its_names_and_by_where_it_was_reached() {
        let names = ["casino.example".to_owned(), "Tables.Example.".to_owned()];
        let names = Network::read_names(&names).unwrap();
        let network = Network { names, ..Network::default() };
        for (host, is_own) in [
            ("localhost:8042", true),
            ("LocalHost", true),
            ("127.0.0.1:8042", true),
            ("[::1]:8042", true),
            ("casino.example", true),
            ("CASINO.example:443", true),
            ("casino.example.", true),
            ("tables.example", true),
            ("192.0.2.7:8042", true),
            ("192.0.2.8:8042", false),
            ("casino.example.evil.example", false),
            ("evil-casino.example", false),
            ("localhost.evil.example", false),
            ("127.0.0.1.evil.example", false),
            ("2130706433", false),
            ("", false),
            (":8042", false),
        ] {
            assert_eq!(network.is_own_host(host, ip("192.0.2.7")), is_own, "{host}");
        }
        assert!(network.is_own_host("[2001:db8::7]:443", ip("2001:db8::7")));
        assert!(network.is_name("casino.example:8042") && !network.is_name("localhost"));
    }

    #[test]
    fn plain_http_stays_on_this_computer_unless_it_is_wanted_elsewhere() {
        let at = |bind: &str| Network { bind: ip(bind), ..Network::default() };
        assert!(at("127.0.0.1").check().is_ok() && at("::1").check().is_ok());
        for bind in ["0.0.0.0", "::", "192.0.2.7"] {
            let refused = at(bind).check().unwrap_err();
            assert_eq!(refused, NetworkError::Plain(ip(bind)));
            assert!(refused.to_string().starts_with(&format!("on {bind} others could read")));
            assert!(Network { plain_http: true, ..at(bind) }.check().is_ok());
            let proxied =
                Network { trusted_proxies: vec!["10.0.0.0/8".parse().unwrap()], ..at(bind) };
            assert!(proxied.check().is_ok());
        }
    }

    #[test]
    fn what_is_no_name_or_range_is_refused() {
        for text in ["", "a b", "casino.example:80", "*.example", "http://casino.example", "a..b"] {
            let refused = Network::read_names(&[text.to_owned()]).unwrap_err();
            assert_eq!(refused, NetworkError::Name(text.to_owned()));
        }
        for text in ["", "10.0.0.0/33", "10.0.0/8", "proxy", "10.0.0.0/-1", "::/129", "*"] {
            let refused = Network::read_proxies(&[text.to_owned()]).unwrap_err();
            assert_eq!(refused, NetworkError::Proxies(text.to_owned()));
        }
        let many = vec!["10.0.0.1".to_owned(); MOST_NAMES_SAID + 1];
        assert!(Network::read_proxies(&many).is_err() && Network::read_names(&many).is_err());
        assert!(Network::read_bind("localhost").is_err());
    }
}
