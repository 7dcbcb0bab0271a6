//! What this process has done, counted for whoever watches over it, as Prometheus reads it.

use std::time::Duration;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

/// The bounds of times, in seconds.
const BOUNDS: [f64; 10] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0];

/// What is in front of every name.
const PREFIX: &str = "pitboss";

/// Counters that only grow. A clone counts on the same ones.
#[derive(Clone, Debug)]
pub(crate) struct Metrics {
    inputs: Counter,
    entries: Counter,
    rounds: Counter,
    commits: Counter,
    failures: Counter,
    refusals: Counter,
    table_failures: Counter,
    commit_seconds: Histogram,
    coach_questions: Counter,
}

impl Default for Metrics {
    fn default() -> Metrics {
        Metrics {
            inputs: Counter::default(),
            entries: Counter::default(),
            rounds: Counter::default(),
            commits: Counter::default(),
            failures: Counter::default(),
            refusals: Counter::default(),
            table_failures: Counter::default(),
            commit_seconds: Histogram::new(BOUNDS),
            coach_questions: Counter::default(),
        }
    }
}

impl Metrics {
    /// An input is on the disk, with so many entries; perhaps a round is over with it.
    pub(crate) fn wrote(&self, entries: usize, is_over: bool) {
        let entries = u64::try_from(entries).unwrap_or(0);
        self.inputs.inc_by(u64::from(entries > 0));
        self.entries.inc_by(entries);
        self.rounds.inc_by(u64::from(is_over));
    }

    /// A transaction took so long, and was committed or not.
    pub(crate) fn committed(&self, took: Duration, is_done: bool) {
        if !is_done {
            self.failures.inc();
            return;
        }
        self.commits.inc();
        self.commit_seconds.observe(took.as_secs_f64());
    }

    /// A question to the coach was answered. How long that took depends on cards that the player alone may
    /// see, and anybody may ask for the figures.
    pub(crate) fn coached(&self, took: Duration) {
        self.coach_questions.inc();
        tracing::debug!(what = "coach", ms = took.as_millis(), "a question was answered");
    }

    /// What counts the messages that are refused.
    pub(crate) fn refusals(&self) -> Counter {
        self.refusals.clone()
    }

    /// A table failed by a mistake of the program.
    pub(crate) fn table_failed(&self) {
        self.table_failures.inc();
    }

    /// A page of these counters, to which figures of the moment can be added.
    pub(crate) fn page(&self) -> Page {
        let mut registry = Registry::with_prefix(PREFIX);
        for (name, help, counter) in [
            ("inputs", "Table inputs committed to disk", &self.inputs),
            ("entries", "Log entries committed to disk", &self.entries),
            ("rounds", "Finished rounds", &self.rounds),
            ("commits", "Committed transactions", &self.commits),
            ("commit_failures", "Failed transactions", &self.failures),
            ("refusals", "Client messages refused", &self.refusals),
            ("coach_questions", "Questions the coach's threads worked on", &self.coach_questions),
            ("table_failures", "Table failures caused by a bug", &self.table_failures),
        ] {
            registry.register(name, help, counter.clone());
        }
        registry.register(
            "commit_seconds",
            "Duration of transactions",
            self.commit_seconds.clone(),
        );
        Page(registry)
    }
}

/// The names and values that tell figures of one name apart.
pub(crate) type Labels = Vec<(&'static str, String)>;

/// What is answered to whoever asks for the figures.
pub(crate) struct Page(Registry);

impl Page {
    /// The format of its text.
    pub(crate) const FORMAT: &'static str =
        "application/openmetrics-text; version=1.0.0; charset=utf-8";

    /// Adds a figure.
    pub(crate) fn gauge(&mut self, name: &str, help: &str, value: usize) {
        let gauge = Gauge::<i64>::default();
        gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
        self.0.register(name, help, gauge);
    }

    /// Adds figures of one name.
    pub(crate) fn gauges(
        &mut self,
        name: &str,
        help: &str,
        values: impl IntoIterator<Item = (Labels, i64)>,
    ) {
        let family = Family::<Labels, Gauge>::default();
        for (labels, value) in values {
            family.get_or_create(&labels).set(value);
        }
        self.0.register(name, help, family);
    }

    /// The text.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        encode(&mut text, &self.0).expect("a text takes everything");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_as_prometheus_reads_it() {
        let metrics = Metrics::default();
        metrics.wrote(3, true);
        metrics.wrote(0, false);
        metrics.committed(Duration::from_micros(700), true);
        metrics.committed(Duration::from_secs(3), true);
        metrics.committed(Duration::from_secs(3), false);
        metrics.coached(Duration::from_millis(7));
        metrics.clone().refusals().inc();
        let mut page = metrics.page();
        page.gauge("sockets", "Open sockets", 2);
        let queue = vec![("queue", "table".to_owned()), ("table", "war-1".to_owned())];
        page.gauges("queue_depth", "What waits", [(queue, 7)]);
        let text = page.text();
        for line in [
            "# TYPE pitboss_inputs counter",
            "pitboss_inputs_total 1",
            "pitboss_entries_total 3",
            "pitboss_rounds_total 1",
            "pitboss_commits_total 2",
            "pitboss_commit_failures_total 1",
            "pitboss_refusals_total 1",
            "pitboss_commit_seconds_bucket{le=\"0.0005\"} 0",
            "pitboss_commit_seconds_bucket{le=\"0.001\"} 1",
            "pitboss_commit_seconds_bucket{le=\"1.0\"} 1",
            "pitboss_commit_seconds_bucket{le=\"+Inf\"} 2",
            "pitboss_commit_seconds_sum 3.0007",
            "pitboss_commit_seconds_count 2",
            "pitboss_coach_questions_total 1",
            "pitboss_sockets 2",
            "pitboss_queue_depth{queue=\"table\",table=\"war-1\"} 7",
            "# EOF",
        ] {
            assert!(text.lines().any(|other| other == line), "{line} in {text}");
        }
        // How long the coach works tells something about the cards that it looks at.
        assert!(!text.contains("coach_seconds"), "{text}");
    }
}
