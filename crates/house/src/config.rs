//! How a house is run: its tables, their terms and their pace; from a file, or as a house opens that
//! says nothing.
//!
//! ```
//! let text = r#"
//!     [pace]
//!     card_ms = 200
//!
//!     [[table]]
//!     name = "high-war"
//!     game = "casino-war"
//!     terms = { decks = 8, main_min = 100 }
//! "#;
//! let tables = house::config::tables(text)?;
//! assert_eq!((tables[0].name.as_str(), tables[0].pace.card.as_millis()), ("high-war", 200));
//!
//! let refused = house::config::tables(&text.replace("decks = 8", "decks = 5")).unwrap_err();
//! assert!(refused.to_string().contains("CW-2-a"));
//! # Ok::<(), house::config::ConfigError>(())
//! ```

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rules::table::{COMMITMENT_SECONDS, Name};
use rules::terms::{TermRefusal, TermSheet};
use rules::wager::{Circle, Game};
use serde::Deserialize;
use wire::Coach;

use crate::analysis::{Analysis, Tutor};
use crate::bus::BusUrl;
use crate::limits::{LimitError, Limits};
use crate::network::{Network, NetworkError};
use crate::store::{Address, PostgresUrl};
use crate::tables::dealer::{self, Orders, Pace};
use crate::tables::reconciler::RECONCILES_AFTER;

/// The longest configuration, in bytes.
pub const LONGEST_CONFIG: u64 = 1024 * 1024;

/// The longest time that a pace may have.
pub const LONGEST_WAIT: Duration = Duration::from_secs(24 * 60 * 60);

/// How a house is run.
pub struct Config {
    /// The directory of the house, which has the store in it unless that is on a server.
    pub data: PathBuf,
    /// The database of the store; without it, the store is a file.
    pub store: Option<PostgresUrl>,
    /// The node that this is, in a house of several; they share a store on PostgreSQL.
    pub node: Option<NodeSettings>,
    /// The tables. One that has a log keeps the terms it was opened with.
    pub tables: Vec<Setup>,
    /// Where the order of every shoe comes from.
    pub orders: Orders,
    /// How much it takes at a time.
    pub limits: Limits,
    /// How it is reached.
    pub network: Network,
    /// How long it is open before it begins to reconcile the store.
    pub reconciles_after: Duration,
    /// What wagers are worth, for the statistics of players.
    pub expectations: Expectations,
    /// What decisions are worth; without it no table has a coach.
    pub analysis: Option<Arc<dyn Analysis>>,
    /// What wagers and strategies are worth; without it nothing can be explored or trained.
    pub tutor: Option<Arc<dyn Tutor>>,
    /// Who plays for the house's players; without it there are none.
    pub company: Option<Arc<dyn Company>>,
}

/// One of the nodes of a house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeSettings {
    /// Its name.
    pub name: String,
    /// The bus on which the nodes talk to each other.
    pub bus: BusUrl,
}

/// Plays for the house players: they keep people company at a table who ask for it. The house itself does
/// not know how to play.
pub trait Company: Send + Sync {
    /// Has a house player go to a table, and play there until the table lets it go. Whoever takes the
    /// invitation keeps it for as long.
    fn go(&self, invitation: Invitation);
}

/// Where a house player is wanted, and how it gets there: over the protocol, like everybody.
pub struct Invitation {
    /// The table.
    pub table: String,
    /// The token that the house player is known by, for the header `Authorization: Bearer`.
    pub token: String,
    /// A connection to the house, on which HTTP is spoken.
    pub connection: tokio::io::DuplexStream,
    /// Alive for as long as the house player is busy.
    pub(crate) _busy: Arc<()>,
}

/// What the wagers of a table are worth, where whoever opens the house knows it: the house itself does
/// not know what is good for whom. It answers at once, and with none where the answer comes later.
pub type Expectations = Arc<dyn Fn(&TermSheet) -> Option<Arc<[Expectation]>> + Send + Sync>;

/// What a wager is worth on average.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// Its circle.
    pub circle: Circle,
    /// In millionths of its first amount, seen from the player.
    pub millionths: i64,
    /// The circles of what is added to it in a round: what they win or lose is part of it.
    pub added: Vec<Circle>,
}

impl NodeSettings {
    /// A node with both its name and its bus, or none at all.
    pub fn of(
        name: Option<String>,
        bus: Option<BusUrl>,
    ) -> Result<Option<NodeSettings>, ConfigError> {
        match (name, bus) {
            (Some(name), Some(bus)) => Ok(Some(NodeSettings { name, bus })),
            (None, None) => Ok(None),
            (Some(_), None) => Err(ConfigError::NoBus),
            (None, Some(_)) => Err(ConfigError::NoNode),
        }
    }
}

impl Config {
    /// A house with a table of each game, dealt from the operating system's entropy.
    pub fn new(data: PathBuf) -> Config {
        let (tables, orders) = (one_of_each(), dealer::entropy());
        let (limits, network) = (Limits::default(), Network::default());
        let expectations: Expectations = Arc::new(|_| Some(Arc::default()));
        Config {
            data,
            store: None,
            node: None,
            tables,
            orders,
            limits,
            network,
            reconciles_after: RECONCILES_AFTER,
            expectations,
            analysis: None,
            tutor: None,
            company: None,
        }
    }

    /// Where the store is.
    pub fn address(&self) -> Address {
        match &self.store {
            Some(url) => Address::Postgres(url.clone()),
            None => Address::File(self.data.join(crate::STORE_FILE)),
        }
    }

    /// The tables with their terms and pace, the limits and the network, in one line: what tells
    /// configurations apart. Where the order of shoes comes from and where the store is do not count.
    pub(crate) fn in_one_line(&self) -> String {
        let table = |Setup { name, sheet, pace, physical, coach, company }: &Setup| {
            let terms: Vec<_> =
                sheet.chosen().map(|(term, value)| format!("{} = {value}", term.key)).collect();
            let custody = if *physical { "physical" } else { "house" };
            let (game, terms) = (sheet.game().name(), terms.join(", "));
            let pace = pace_in_words(pace);
            let coach = match coach {
                Coach::Live => "live",
                Coach::After => "after",
                Coach::Off => "off",
            };
            format!(
                "[[table]] name = {name}, game = {game}, custody = {custody}, coach = {coach}, \
                 company = {company}, terms = {{ {terms} }}, pace = {{ {pace} }}"
            )
        };
        let tables: Vec<_> = self.tables.iter().map(table).collect();
        let limits = serde_json::to_value(self.limits).unwrap_or_default();
        let limits = limits.as_object().into_iter().flatten();
        let limits: Vec<_> = limits.map(|(key, most)| format!("{key} = {most}")).collect();
        let network = network_in_words(&self.network);
        format!("{}; [limits] {}; [network] {network}", tables.join("; "), limits.join(", "))
    }
}

impl Config {
    /// What an operator should know of a configuration that is allowed, a sentence each.
    pub fn notes(&self) -> Vec<String> {
        let alone = self.tables.iter().filter(|table| {
            let has_no_time = table.pace.contributions.is_zero();
            has_no_time && !table.physical
        });
        let note = |table: &Setup| {
            format!(
                "table {}: contributions_ms = 0 gives nobody time to contribute, so the house alone \
                 decides the order of its shoes, and `pitboss verify` says so (docs/fair-order.md)",
                table.name
            )
        };
        alone.map(note).collect()
    }
}

/// A pace, with the keys of its table.
fn pace_in_words(pace: &Pace) -> String {
    let parts = [
        ("card_ms", pace.card),
        ("betting_ms", pace.betting),
        ("inspection_ms", pace.inspection),
        ("contributions_ms", pace.contributions),
        ("grace_ms", pace.grace),
    ];
    parts.map(|(key, time)| format!("{key} = {}", time.as_millis())).join(", ")
}

/// A network, with the keys of its table.
fn network_in_words(network: &Network) -> String {
    let Network { bind, names, trusted_proxies, certificate, plain_http } = network;
    let proxies: Vec<_> = trusted_proxies.iter().map(ToString::to_string).collect();
    let (names, proxies) = (names.join(", "), proxies.join(", "));
    let files = certificate.as_ref().map_or_else(String::new, |files| {
        let (certificate, key) = (files.certificate.display(), files.key.display());
        format!(", tls_certificate = {certificate}, tls_key = {key}")
    });
    format!(
        "bind = {bind}, names = [{names}], trusted_proxies = [{proxies}]{files}, \
         plain_http = {plain_http}"
    )
}

/// A table, as it is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Its name.
    pub name: String,
    /// Its game and terms.
    pub sheet: TermSheet,
    /// How fast it is.
    pub pace: Pace,
    /// Whether its cards are real ones, and a dealer enters them.
    pub physical: bool,
    /// Whether it says what decisions are worth.
    pub coach: Coach,
    /// Whether house players may be asked for.
    pub company: bool,
}

impl Setup {
    /// A table with the terms and the pace of a house that says nothing.
    pub fn new(name: &str, game: Game) -> Setup {
        let (name, sheet, pace) = (name.to_owned(), TermSheet::new(game), Pace::default());
        Setup { name, sheet, pace, physical: false, coach: Coach::After, company: true }
    }
}

/// The tables of a house that says nothing, which are there to practise.
pub fn one_of_each() -> Vec<Setup> {
    let table = |game: Game| Setup {
        coach: Coach::Live,
        ..Setup::new(&format!("{}-1", game.book().short), game)
    };
    Game::ALL.into_iter().map(table).collect()
}

/// Why a house is not opened with a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigError {
    /// It is not written as it should be.
    Unreadable {
        /// The line, counted from 1; 0 where it is not known.
        line: usize,
        /// What is wrong there.
        what: String,
    },
    /// It has no table, or more than [`Limits::tables`].
    Tables {
        /// How many.
        tables: usize,
        /// How many there may be.
        most: usize,
    },
    /// A table's name is none.
    Name(String),
    /// Two tables have one name.
    Twice(String),
    /// There is no such game.
    Game {
        /// Whose.
        table: String,
        /// Which.
        game: String,
    },
    /// The rule book does not allow a term.
    Term {
        /// Whose.
        table: String,
        /// Why not, with its clause.
        refusal: Box<TermRefusal>,
    },
    /// A term has a value of no use.
    Value {
        /// Whose.
        table: String,
        /// Which term.
        key: String,
    },
    /// A pace is longer than [`LONGEST_WAIT`].
    Pace(String),
    /// The windows for commitments and openings are longer than the rules allow.
    Contributions,
    /// A limit is nothing, or more than a house can take.
    Limit(LimitError),
    /// The house cannot be reached like this.
    Network(NetworkError),
    /// The store cannot be there, in one sentence.
    Store(String),
    /// The bus cannot be there, in one sentence.
    Bus(String),
    /// A node has no bus.
    NoBus,
    /// A bus has no node.
    NoNode,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConfigError::Unreadable { line: 0, what } => f.write_str(what),
            ConfigError::Unreadable { line, what } => write!(f, "line {line}: {what}"),
            ConfigError::Tables { tables: 0, .. } => {
                f.write_str("the configuration has no [[table]]")
            }
            ConfigError::Tables { tables, most } => {
                write!(f, "there are {tables} tables; a house can have at most {most}")?;
                f.write_str(" ([limits] tables)")
            }
            ConfigError::Limit(error) => error.fmt(f),
            ConfigError::Network(error) => error.fmt(f),
            ConfigError::Store(sentence) | ConfigError::Bus(sentence) => f.write_str(sentence),
            ConfigError::NoBus => f.write_str(
                "a node of a house needs a bus: bus = \"nats://USER:PASSWORD@HOST:PORT\" in the \
                 configuration",
            ),
            ConfigError::NoNode => f.write_str(
                "the configuration has a bus, so this node needs a name: node = \"NAME\", or --node NAME",
            ),
            ConfigError::Name(name) => write!(
                f,
                "'{name}' is not a valid table name: use 1 to {} characters of a-z, 0-9 and -",
                Name::LONGEST
            ),
            ConfigError::Twice(name) => write!(f, "two tables are called '{name}'"),
            ConfigError::Game { table, game } => {
                let games = Game::ALL.map(Game::name).join(", ");
                write!(f, "table {table}: there is no game '{game}'; there are {games}")
            }
            ConfigError::Term { table, refusal } => write!(f, "table {table}: {refusal}"),
            ConfigError::Value { table, key } => {
                write!(f, "table {table}: {key} must be a number, a word, true or false")
            }
            ConfigError::Contributions => write!(
                f,
                "contributions_ms must be at most {COMMITMENT_SECONDS}000: players wait for it twice \
                 before they can wager, to commit and to open"
            ),
            ConfigError::Pace(key) => {
                write!(f, "{key} must be at most {} hours", LONGEST_WAIT.as_secs() / 3600)
            }
        }
    }
}

impl std::error::Error for ConfigError {}

/// What a configuration says.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The database of the store, where it is on a server.
    pub store: Option<PostgresUrl>,
    /// The name of the node that this is, in a house of several.
    pub node: Option<String>,
    /// The bus between the nodes.
    pub bus: Option<BusUrl>,
    /// The tables.
    pub tables: Vec<Setup>,
    /// How much the house takes at a time.
    pub limits: Limits,
    /// How the house is reached.
    pub network: Network,
}

/// Reads the tables of a configuration.
pub fn tables(text: &str) -> Result<Vec<Setup>, ConfigError> {
    read(text).map(|said| said.tables)
}

/// Reads a configuration.
pub fn read(text: &str) -> Result<Settings, ConfigError> {
    let file: File = toml::from_str(text).map_err(|error| unreadable(text, &error))?;
    let (limits, network) = (file.limits, file.network.read().map_err(ConfigError::Network)?);
    limits.check().map_err(ConfigError::Limit)?;
    if file.table.is_empty() || file.table.len() > limits.tables {
        return Err(ConfigError::Tables { tables: file.table.len(), most: limits.tables });
    }
    let store = file.store.map(|url| url.parse::<PostgresUrl>()).transpose();
    let store = store.map_err(|error| ConfigError::Store(error.to_string()))?;
    let bus = file.bus.map(|url| url.parse::<BusUrl>()).transpose();
    let bus = bus.map_err(|error| ConfigError::Bus(error.to_string()))?;
    let common = file.pace.over(Pace::default())?;
    let mut tables: Vec<Setup> = Vec::new();
    for table in file.table {
        let setup = table.read(common)?;
        if tables.iter().any(|other| other.name == setup.name) {
            return Err(ConfigError::Twice(setup.name));
        }
        tables.push(setup);
    }
    Ok(Settings { store, node: file.node, bus, tables, limits, network })
}

fn unreadable(text: &str, error: &toml::de::Error) -> ConfigError {
    let before = error.span().and_then(|span| text.get(..span.start));
    let line = before.map_or(0, |before| before.matches('\n').count() + 1);
    let what = error.message().replace('`', "'").replace('\n', " ");
    ConfigError::Unreadable { line, what: wire::in_plain_words(&what) }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    store: Option<String>,
    node: Option<String>,
    bus: Option<String>,
    #[serde(default)]
    pace: PaceTable,
    #[serde(default)]
    limits: Limits,
    #[serde(default)]
    network: NetworkTable,
    #[serde(default)]
    table: Vec<OneTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OneTable {
    name: String,
    game: String,
    #[serde(default)]
    terms: toml::Table,
    #[serde(default)]
    pace: PaceTable,
    custody: Option<CustodyWord>,
    coach: Option<Coach>,
    company: Option<bool>,
}

/// Whose the cards are: the house's, in its sealed order, or real ones in a dealer's hands.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum CustodyWord {
    House,
    Physical,
}

impl OneTable {
    fn read(self, pace: Pace) -> Result<Setup, ConfigError> {
        let OneTable { name, game, terms, pace: own, custody, coach, company } = self;
        let (coach, company) = (coach.unwrap_or(Coach::After), company.unwrap_or(true));
        let physical = custody == Some(CustodyWord::Physical);
        if name.parse::<Name>().is_err() {
            return Err(ConfigError::Name(name));
        }
        let Some(known) = Game::named(&game) else {
            return Err(ConfigError::Game { table: name, game });
        };
        let mut choices = Vec::new();
        for (key, value) in terms {
            let Some(word) = word(&value) else {
                return Err(ConfigError::Value { table: name, key });
            };
            choices.push((key, word));
        }
        let mut sheet = TermSheet::new(known);
        let pairs = choices.iter().map(|(key, word)| (key.as_str(), word.as_str()));
        match sheet.set(pairs) {
            Ok(()) => Ok(Setup { name, sheet, pace: own.over(pace)?, physical, coach, company }),
            Err(refusal) => Err(ConfigError::Term { table: name, refusal: Box::new(refusal) }),
        }
    }
}

/// A term's value as `--set` would have it.
fn word(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(word) => Some(word.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Float(number) => Some(number.to_string()),
        toml::Value::Boolean(true) => Some("on".to_owned()),
        toml::Value::Boolean(false) => Some("off".to_owned()),
        _ => None,
    }
}

/// What is said about the network; what is not said stays.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct NetworkTable {
    bind: Option<String>,
    names: Vec<String>,
    trusted_proxies: Vec<String>,
    tls_certificate: Option<PathBuf>,
    tls_key: Option<PathBuf>,
    plain_http: bool,
}

impl NetworkTable {
    fn read(self) -> Result<Network, NetworkError> {
        let bind = self.bind.as_deref().map(Network::read_bind).transpose()?;
        Ok(Network {
            bind: bind.unwrap_or(Network::default().bind),
            names: Network::read_names(&self.names)?,
            trusted_proxies: Network::read_proxies(&self.trusted_proxies)?,
            certificate: Network::read_certificate(self.tls_certificate, self.tls_key)?,
            plain_http: self.plain_http,
        })
    }
}

/// What is said about a pace; what is not said stays.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct PaceTable {
    card_ms: Option<u64>,
    betting_ms: Option<u64>,
    inspection_ms: Option<u64>,
    contributions_ms: Option<u64>,
    grace_ms: Option<u64>,
}

impl PaceTable {
    fn over(&self, mut pace: Pace) -> Result<Pace, ConfigError> {
        for (key, said, part) in [
            ("card_ms", self.card_ms, &mut pace.card),
            ("betting_ms", self.betting_ms, &mut pace.betting),
            ("inspection_ms", self.inspection_ms, &mut pace.inspection),
            ("contributions_ms", self.contributions_ms, &mut pace.contributions),
            ("grace_ms", self.grace_ms, &mut pace.grace),
        ] {
            let Some(said) = said.map(Duration::from_millis) else { continue };
            if said > LONGEST_WAIT {
                return Err(ConfigError::Pace(key.to_owned()));
            }
            if key == "contributions_ms" && said > Duration::from_secs(COMMITMENT_SECONDS.into()) {
                return Err(ConfigError::Contributions);
            }
            *part = said;
        }
        Ok(pace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_house_that_says_nothing_has_a_table_of_each_game() {
        let names: Vec<_> = one_of_each().into_iter().map(|table| table.name).collect();
        assert_eq!(names, ["war-1", "stud-1", "deck-1", "attack-1", "free-1"]);
    }

    #[test]
    fn a_table_where_nobody_can_contribute_is_noted() {
        let text = "[[table]]\nname = \"war-1\"\ngame = \"casino-war\"\npace = { contributions_ms = 0 }\n\
                    [[table]]\nname = \"war-2\"\ngame = \"casino-war\"";
        let mut config = Config::new(PathBuf::new());
        config.tables = tables(text).unwrap();
        let [note] = &config.notes()[..] else { panic!("one note: {:?}", config.notes()) };
        assert!(note.starts_with("table war-1: contributions_ms = 0 gives nobody time"), "{note}");
        // A dealer shuffles by hand there, and nobody contributes anyway.
        config.tables[0].physical = true;
        assert!(config.notes().is_empty());
    }

    #[test]
    fn it_is_kept_in_the_words_of_its_file() {
        let mut config = Config::new(PathBuf::new());
        config.tables.truncate(1);
        let line = config.in_one_line();
        assert!(line.starts_with("[[table]] name = war-1, game = casino-war, "), "{line}");
        let pace = "pace = { card_ms = 350, betting_ms = 15000, inspection_ms = 10000, \
                    contributions_ms = 1000, grace_ms = 15000 }; [limits] ";
        let network = "; [network] bind = 127.0.0.1, names = [], trusted_proxies = [], \
                       plain_http = false";
        assert!(line.contains(pace) && line.ends_with(network), "{line}");
        assert!(line.contains(" sockets_of_an_address = "), "{line}");
    }

    #[test]
    fn tables_have_terms_and_a_pace_of_their_own() {
        let text = r#"
            pace = { card_ms = 100, betting_ms = 5000 }

            [[table]]
            name = "a"
            game = "double-attack"
            terms = { max_bettors_per_box = 3, main_min = 7.5 }
            pace = { card_ms = 0, grace_ms = 0 }
            custody = "physical"
            coach = "live"
            company = false

            [[table]]
            name = "b"
            game = "casino-war"
            terms = { progressive_offered = false }
        "#;
        let read = tables(text).unwrap();
        let ms = |pace: &Pace| (pace.card.as_millis(), pace.betting.as_millis());
        assert_eq!([ms(&read[0].pace), ms(&read[1].pace)], [(0, 5000), (100, 5000)]);
        assert_eq!([0, 1].map(|at| read[at].physical), [true, false]);
        assert_eq!([0, 1].map(|at| read[at].coach), [Coach::Live, Coach::After]);
        assert!(one_of_each().iter().all(|table| table.coach == Coach::Live && table.company));
        assert_eq!([0, 1].map(|at| read[at].company), [false, true]);
        assert_eq!([0, 1].map(|at| read[at].pace.grace.as_secs()), [0, 15]);
        let chosen = |at: usize| -> Vec<String> {
            let chosen = read[at].sheet.chosen();
            chosen.map(|(term, value)| format!("{}={value}", term.key)).collect()
        };
        assert_eq!(chosen(1), ["progressive_offered=off"]);
        assert_eq!(chosen(0), ["main_min=7.5", "max_bettors_per_box=3"]);
    }

    #[test]
    fn the_configuration_of_the_deployment_files_is_one() {
        let read = read(include_str!("../../../deploy/pitboss.toml")).unwrap();
        assert_eq!(read.tables.len(), 5);
        read.network.check().unwrap();
        assert!(!read.network.names.is_empty() && !read.network.trusted_proxies.is_empty());
        assert_eq!(read.limits, Limits::default());

        let read = super::read(include_str!("../../../deploy/cluster/pitboss.toml")).unwrap();
        read.network.check().unwrap();
        assert!(read.store.is_some() && read.node.is_none());
        let node = NodeSettings::of(Some("a".to_owned()), read.bus).unwrap().unwrap();
        let at = include_str!("../../../deploy/cluster/nats.conf");
        assert!(node.bus.to_string().ends_with(":4222") && at.contains(":4222"), "{node:?}");
    }

    #[test]
    fn a_node_has_a_name_and_a_bus() {
        let table = "[[table]]\nname = \"a\"\ngame = \"casino-war\"\n";
        let of = |lines: &str| {
            let settings = read(&format!("{lines}{table}")).unwrap();
            NodeSettings::of(settings.node, settings.bus)
        };
        assert_eq!(of(""), Ok(None));
        let bus = "bus = \"nats://pit:secret@bus.example\"\n";
        let node = of(&format!("node = \"one\"\n{bus}")).unwrap().unwrap();
        assert_eq!((node.name.as_str(), node.bus.to_string()), ("one", "bus.example:4222".into()));
        assert!(!format!("{node:?}").contains("secret"));
        assert_eq!(of("node = \"one\"\n"), Err(ConfigError::NoBus));
        assert_eq!(of(bus), Err(ConfigError::NoNode));
    }

    #[test]
    fn what_is_wrong_is_said_in_one_sentence() {
        let table = |rest: &str| format!("[[table]]\nname = \"a\"\n{rest}");
        let war = |rest: &str| table(&format!("game = \"casino-war\"\n{rest}"));
        for (text, said) in [
            (String::new(), "the configuration has no [[table]]"),
            (table("game = \"whist\""), "table a: there is no game 'whist'; there are casino-war,"),
            (war("terms = { decks = 5 }"), "CW-2-a"),
            (war("terms = { deck = 6 }"), "deck"),
            (
                war("terms = { decks = [6] }"),
                "table a: decks must be a number, a word, true or false",
            ),
            (
                war("custody = \"mine\""),
                "line 4: unknown value 'mine', expected 'house' or 'physical'",
            ),
            (
                war("coach = \"on\""),
                "line 4: unknown value 'on', expected one of 'live', 'after', 'off'",
            ),
            (war("limit = 5"), "line 4: unknown field 'limit', expected one of 'name', 'game',"),
            (war("pace = { card_ms = -1 }"), "line 4: "),
            (war("pace = { card_ms = 86400001 }"), "card_ms must be at most 24 hours"),
            (war(&war("")), "two tables are called 'a'"),
            (war("").replace("\"a\"", "\"A\""), "'A' is not a valid table name"),
            ("[[table]]\ngame =".to_owned(), "line 2: "),
            (war("").repeat(65), "there are 65 tables; a house can have at most 64"),
            (war("[limits]\nsockets = 0"), "[limits] sockets must be from 1 to 65536"),
            (war("[limits]\nviewers = 5000"), "[limits] viewers must be from 1 to 4096"),
            (
                war("[limits]\nsocket = 1"),
                "line 5: unknown field 'socket', expected one of 'tables', 'spare_tables',",
            ),
            (format!("limits.tables = 1\n{}", war("").repeat(2)), "a house can have at most 1"),
            (war("[network]\nbind = \"home\""), "expected an address to bind such as 127.0.0.1"),
            (
                war("[network]\ntrusted_proxies = [\"10.0.0.0/33\"]"),
                "[network] trusted_proxies has addresses such as 10.0.0.7 or 10.0.0.0/8, and not",
            ),
            (
                war("[network]\ntrusted_proxies = [\"10.0.0.7\", \"0.0.0.0/0\"]"),
                "[network] trusted_proxies cannot have '0.0.0.0/0': that is every address",
            ),
            (
                war("[network]\ntrusted_proxies = [\"::/0\"]"),
                "[network] trusted_proxies cannot have '::/0': that is every address",
            ),
            (war("[network]\nnames = [\"a b\"]"), "[network] names has host names such as"),
            (
                war("[network]\ntls_key = \"k\""),
                "[network] tls_key needs tls_certificate beside it",
            ),
            (
                war("[network]\ntls_certificate = \"c\""),
                "[network] tls_certificate needs tls_key beside it",
            ),
            (
                format!("node = \"one\"\nbus = \"nats://home\"\n{}", war("")),
                "the bus needs a user and a password, as in nats://USER:PASSWORD@HOST:PORT",
            ),
            (
                war("[network]\nhost = \"x\""),
                "line 5: unknown field 'host', expected one of 'bind',",
            ),
        ] {
            let refused = tables(&text).unwrap_err().to_string();
            assert!(refused.contains(said) && !refused.contains('\n'), "{text}: {refused}");
        }
    }
}
