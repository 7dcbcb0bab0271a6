//! `pitboss serve`: the house, open on one port until it is asked to close.

use std::fmt::Display;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use house::config::{LONGEST_CONFIG, LONGEST_WAIT, NodeSettings, Setup};
use house::network::{CertificateError, Network};
use house::store::{Address, StoreError};
use house::{Config, Opened};
use tokio::net::TcpListener;

use crate::coach::OddsBesideTheHouse;
use crate::company::HousePlayers;
use crate::data_folder::DataFolder;
use crate::expectations::expectations;
use crate::halt::{read_text, unreadable};
use crate::log_lines::{LogLevel, LogLines};
use crate::tutor::OddsTutor;

const PORT: u16 = 8042;

/// The longest time between two cards, in milliseconds, as in a configuration.
const LONGEST_PACE: u64 = LONGEST_WAIT.as_secs() * 1000;

/// The exit status if the program was interrupted while closing.
pub(crate) const INTERRUPTED: i32 = 130;

const EXAMPLES: &str = "\
Examples:
  pitboss serve                            on http://127.0.0.1:8042
  pitboss serve --port 0 --data war-store  any free port, another store
  pitboss serve --pace 200                 a faster dealer
  pitboss serve --config pitboss.toml      the tables in that file
  pitboss serve --store postgres://max@localhost/house
                                           the store on a PostgreSQL server
  pitboss serve --config pitboss.toml --node a
                                           node a of a house of several nodes

A configuration has a [[table]] for each table, with its name, game, terms and
pace (docs/house.md). Without a configuration there is one table of each game.

The house listens on this computer only, unless --bind or [network] of the
configuration names another address; that needs a certificate, a proxy that
speaks HTTPS, or plain_http = true (docs/deploy.md). Ctrl-C closes the house
cleanly, a second Ctrl-C at once. After a crash it continues where it was, even
in the middle of a round.";

/// Opens the house.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The address to listen on [default: 127.0.0.1]
    #[arg(long, value_name = "ADDRESS")]
    bind: Option<String>,
    /// The port; 0 means any free port
    #[arg(long, default_value_t = PORT)]
    port: u16,
    #[command(flatten)]
    data: DataFolder,
    /// The configuration file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The name of this node, in a house of several (docs/cluster.md)
    #[arg(long, value_name = "NAME")]
    node: Option<String>,
    /// Milliseconds between two cards at every table, at most a day
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(..=LONGEST_PACE))]
    pace: Option<u64>,
    /// The format of the log on standard error
    #[arg(long, value_enum, default_value_t)]
    log: LogLines,
    /// How much to log [default: warn, or info with JSON]
    #[arg(long, value_enum, value_name = "LEVEL")]
    log_level: Option<LogLevel>,
}

/// What `pitboss` alone does.
impl Default for Arguments {
    fn default() -> Arguments {
        Arguments {
            bind: None,
            port: PORT,
            data: DataFolder::default(),
            config: None,
            node: None,
            pace: None,
            log: LogLines::default(),
            log_level: None,
        }
    }
}

/// Keeps the house open until it is told to close.
pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> io::Result<ExitCode> {
    arguments.log.begin(arguments.log_level);
    note_panics();
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(open(arguments, out))
}

/// Logs where the program panics, and goes on. What a panic says of its own may be about cards, so that
/// only words that stand in the program are told.
fn note_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let why = panic.payload().downcast_ref::<&str>().copied().unwrap_or_default();
        tracing::error!(what = "panic", place, why, "internal error: the program panicked");
    }));
}

async fn open(arguments: &Arguments, out: &mut impl Write) -> io::Result<ExitCode> {
    let config = match config(arguments) {
        Ok(config) => config,
        Err(sentence) => return Ok(crate::bad_input(&sentence)),
    };
    let network = config.network.clone();
    let address = SocketAddr::from((network.bind, arguments.port));
    let listener = match TcpListener::bind(address).await {
        Ok(listener) => listener,
        Err(error) => return Ok(crate::failed(&port_in_words(address, &error))),
    };
    let table = |table: &Setup| (table.name.clone(), table.sheet.game().title());
    let tables: Vec<_> = config.tables.iter().map(table).collect();
    let store = match config.address() {
        Address::File(_) => format!("in {}", config.data.display()),
        server => server.to_string(),
    };
    let house = match Opened::new(config).await {
        Ok(house) => house,
        Err(house::Error::Certificate(error)) => {
            crate::failed(&certificate_in_words(&error));
            return Ok(ExitCode::from(crate::BAD_INPUT));
        }
        Err(
            error @ (house::Error::Store(StoreError::OtherTerms { .. } | StoreError::Unsuitable(_))
            | house::Error::Bus(_)
            | house::Error::NodeAlone),
        ) => return Ok(crate::bad_input(&error)),
        Err(error) => return Ok(crate::failed(&error)),
    };
    let mut announce = || {
        let url = network.url(listener.local_addr()?);
        writeln!(out, "The house is open at {url}")?;
        for (name, title) in &tables {
            writeln!(out, "  {title}: {url}/table/{name}")?;
        }
        writeln!(out, "Its store is {store}")?;
        if let Some(note) = arguments.data.note() {
            writeln!(out, "{note}")?;
        }
        let ctrl_c = "Ctrl-C closes the house; a round in play continues when it is opened again.";
        writeln!(out, "{ctrl_c}")?;
        out.flush()?;
        told_to_close()
    };
    let closed = match announce() {
        Ok(closed) => closed,
        Err(error) => {
            house.close().await;
            return Err(error);
        }
    };
    match house.run(listener, closed).await {
        Ok(()) => {
            writeln!(out, "The house is closed.")?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => Ok(crate::failed(&error)),
    }
}

/// The configuration that the arguments ask for, or why there is none.
fn config(arguments: &Arguments) -> Result<Config, String> {
    let mut config = Config::new(arguments.data.path()?);
    let (mut node, mut bus) = (None, None);
    config.analysis = Some(Arc::new(OddsBesideTheHouse::default()));
    config.tutor = Some(Arc::new(OddsTutor::default()));
    config.company = Some(Arc::new(HousePlayers::default()));
    config.expectations = expectations();
    if let Some(file) = &arguments.config {
        let named = |error: &dyn Display| format!("{}: {error}", file.display());
        let text = read_text(file, LONGEST_CONFIG)?;
        let said = house::config::read(&text).map_err(|error| named(&error))?;
        (config.tables, config.limits) = (said.tables, said.limits);
        (config.network, config.store) = (said.network, said.store);
        (node, bus) = (said.node, said.bus);
        // Beside the configuration, unless an absolute path is given.
        if let (Some(files), Some(folder)) = (&mut config.network.certificate, file.parent()) {
            files.certificate = folder.join(&files.certificate);
            files.key = folder.join(&files.key);
        }
    }
    if let Some(store) = arguments.data.server()? {
        config.store = Some(store);
    }
    let node = arguments.node.clone().or(node);
    config.node = NodeSettings::of(node, bus).map_err(|error| error.to_string())?;
    if let Some(bind) = &arguments.bind {
        config.network.bind = Network::read_bind(bind).map_err(|error| error.to_string())?;
    }
    config.network.check().map_err(|error| error.to_string())?;
    if let Some(pace) = arguments.pace {
        for table in &mut config.tables {
            table.pace.card = Duration::from_millis(pace);
        }
    }
    Ok(config)
}

/// Why a certificate cannot be used.
fn certificate_in_words(error: &CertificateError) -> String {
    match error {
        CertificateError::Unreadable(file, error) => unreadable(file, error),
        error => error.to_string(),
    }
}

fn port_in_words(address: SocketAddr, error: &io::Error) -> String {
    let port = address.port();
    match error.kind() {
        io::ErrorKind::AddrNotAvailable => {
            format!(
                "{} is not an address of this computer; choose another with --bind",
                address.ip()
            )
        }
        io::ErrorKind::AddrInUse => {
            let other = port.checked_add(1).unwrap_or(PORT);
            format!("port {port} is in use; choose another with `pitboss serve --port {other}`")
        }
        _ => format!("port {port} cannot be used: {error}"),
    }
}

/// Waits for Ctrl-C, or for the signal that ends a service. A second one ends the program at once:
/// what is acknowledged is on the disk.
#[cfg(unix)]
fn told_to_close() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut told = async move || {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    };
    Ok(async move {
        told().await;
        tokio::spawn(async move {
            told().await;
            std::process::exit(INTERRUPTED);
        });
    })
}

/// Waits for Ctrl-C.
#[cfg(not(unix))]
fn told_to_close() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
        tokio::spawn(async {
            let _ = tokio::signal::ctrl_c().await;
            std::process::exit(INTERRUPTED);
        });
    })
}
