//! `pitboss serve`: the house, open on one port until it is told to close.

use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use house::Config;
use tokio::net::TcpListener;

const EXAMPLES: &str = "\
Examples:
  pitboss serve                            the house on http://127.0.0.1:8042, its store in ./pitboss-data
  pitboss serve --port 0 --data war-store  any free port, another store

It listens to this computer only. Ctrl-C closes it in good order; killed, it goes on where it was when
it is opened again, in the middle of a round if need be.";

/// Opens the house.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The port; 0 takes any that is free
    #[arg(long, default_value_t = 8042)]
    port: u16,
    /// The directory of the store, which is made where there is none
    #[arg(long, value_name = "DIR", default_value = "pitboss-data")]
    data: PathBuf,
    /// Milliseconds between two cards
    #[arg(long, value_name = "MS", default_value_t = 350)]
    pace: u64,
}

/// Keeps the house open until it is told to close.
pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> io::Result<ExitCode> {
    tracing_subscriber::fmt().with_writer(io::stderr).init();
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(open(arguments, out))
}

async fn open(arguments: &Arguments, out: &mut impl Write) -> io::Result<ExitCode> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, arguments.port));
    let listener = match TcpListener::bind(address).await {
        Ok(listener) => listener,
        Err(error) => {
            eprintln!("pitboss: port {} cannot be used: {error}", arguments.port);
            return Ok(ExitCode::FAILURE);
        }
    };
    let mut config = Config::new(arguments.data.clone());
    config.pace.card = Duration::from_millis(arguments.pace);
    writeln!(out, "The house is open at http://{}", listener.local_addr()?)?;
    out.flush()?;
    match house::run(listener, config, told_to_close()?).await {
        Ok(()) => {
            writeln!(out, "The house is closed.")?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            eprintln!("pitboss: {error}");
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Waits for Ctrl-C, or for the signal that ends a service.
#[cfg(unix)]
fn told_to_close() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Waits for Ctrl-C.
#[cfg(not(unix))]
fn told_to_close() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
