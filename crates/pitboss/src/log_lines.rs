//! What the house logs on standard error: lines for people, or JSON objects.

use std::io;

use clap::ValueEnum;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

/// How a line is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogLines {
    /// For people
    #[default]
    Text,
    /// One JSON object per line
    Json,
}

impl LogLines {
    /// Begins to log at this level and above. By default people read what went wrong, and
    /// programs everything that is done.
    pub(crate) fn begin(self, level: Option<LogLevel>) {
        let level = level.unwrap_or(match self {
            LogLines::Text => LogLevel::Warn,
            LogLines::Json => LogLevel::Info,
        });
        let lines = fmt::layer().with_writer(io::stderr);
        let all = tracing_subscriber::registry();
        match self {
            LogLines::Text => all.with(lines.with_filter(level.filter())).init(),
            LogLines::Json => {
                let lines = lines.json().flatten_event(true).with_span_list(false);
                all.with(lines.with_filter(level.filter())).init();
            }
        }
    }
}

/// How much is logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogLevel {
    /// Failures
    Error,
    /// Also irregularities, orders, and clients cut off or locked out
    Warn,
    /// Also accounts, and what operators do
    Info,
    /// Also every round, guest and connection
    Debug,
}

impl LogLevel {
    /// Libraries do not tell of every step.
    fn filter(self) -> Targets {
        let level = match self {
            LogLevel::Error => LevelFilter::ERROR,
            LogLevel::Warn => LevelFilter::WARN,
            LogLevel::Info => LevelFilter::INFO,
            LogLevel::Debug => LevelFilter::DEBUG,
        };
        let own = ["house", "pitboss"].map(|target| (target, level));
        Targets::new().with_default(level.min(LevelFilter::INFO)).with_targets(own)
    }
}
