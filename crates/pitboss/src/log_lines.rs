//! What the house tells on its error stream: lines for people, or one JSON object each.

use std::fmt::{self, Debug};
use std::io;

use clap::ValueEnum;
use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

/// How a line is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogLines {
    /// For people
    #[default]
    Text,
    /// One JSON object a line: time, level, from, message, and what it is about
    Json,
}

impl LogLines {
    /// Begins to write.
    pub(crate) fn begin(self) {
        let lines = tracing_subscriber::fmt().with_writer(io::stderr);
        match self {
            LogLines::Text => lines.init(),
            LogLines::Json => lines.event_format(AsJson).init(),
        }
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
    ) -> fmt::Result {
        let mut time = String::new();
        SystemTime.format_time(&mut Writer::new(&mut time))?;
        let about = event.metadata();
        let mut line = Told(Map::new());
        line.put("time", time.into());
        line.put("level", about.level().as_str().to_lowercase().into());
        line.put("from", about.target().into());
        event.record(&mut line);
        writeln!(writer, "{}", Value::Object(line.0))
    }
}

/// What a line says, by name.
struct Told(Map<String, Value>);

impl Told {
    fn put(&mut self, name: &str, value: Value) {
        self.0.insert(name.to_owned(), value);
    }
}

impl Visit for Told {
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
