//! What the house logs on standard error: lines for people, or JSON objects.

use std::fmt::Debug;
use std::io;

use clap::ValueEnum;
use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;
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
                all.with(lines.event_format(AsJson).with_filter(level.filter())).init();
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

/// Lines of JSON.
struct AsJson;

impl<S, N> FormatEvent<S, N> for AsJson
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        _: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> std::fmt::Result {
        let mut time = String::new();
        SystemTime.format_time(&mut Writer::new(&mut time))?;
        let about = event.metadata();
        let mut line = Fields(Map::new());
        line.put("time", time.into());
        line.put("level", about.level().as_str().to_lowercase().into());
        line.put("from", about.target().into());
        event.record(&mut line);
        writeln!(writer, "{}", Value::Object(line.0))
    }
}

/// What a line says, by name.
struct Fields(Map<String, Value>);

impl Fields {
    fn put(&mut self, name: &str, value: Value) {
        self.0.insert(name.to_owned(), value);
    }
}

impl Visit for Fields {
    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field.name(), value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field.name(), value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field.name(), value.into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field.name(), value.into());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.put(field.name(), format!("{value:?}").into());
    }
}
