//! What this process has done, counted for whoever watches over it, as Prometheus reads it.

use std::fmt::{self, Display, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The bounds of the commit times, in microseconds.
const BOUNDS: [u64; 10] =
    [500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000];

/// What is counted since the process began.
pub(crate) static COUNTED: Counted = Counted::new();

/// Counters that only grow.
#[derive(Debug)]
pub(crate) struct Counted {
    inputs: AtomicU64,
    entries: AtomicU64,
    rounds: AtomicU64,
    commits: AtomicU64,
    failures: AtomicU64,
    refusals: AtomicU64,
    table_failures: AtomicU64,
    /// How many commits took at most so long, and how many longer than all bounds.
    within: [AtomicU64; BOUNDS.len() + 1],
    micros: AtomicU64,
}

impl Counted {
    const fn new() -> Counted {
        Counted {
            inputs: AtomicU64::new(0),
            entries: AtomicU64::new(0),
            rounds: AtomicU64::new(0),
            commits: AtomicU64::new(0),
            failures: AtomicU64::new(0),
            refusals: AtomicU64::new(0),
            table_failures: AtomicU64::new(0),
            within: [const { AtomicU64::new(0) }; BOUNDS.len() + 1],
            micros: AtomicU64::new(0),
        }
    }

    /// An input is on the disk, with so many entries; perhaps a round is over with it.
    pub(crate) fn wrote(&self, entries: usize, is_over: bool) {
        let entries = u64::try_from(entries).unwrap_or(0);
        self.inputs.fetch_add(u64::from(entries > 0), Ordering::Relaxed);
        self.entries.fetch_add(entries, Ordering::Relaxed);
        self.rounds.fetch_add(u64::from(is_over), Ordering::Relaxed);
    }

    /// A transaction took so long, and was committed or not.
    pub(crate) fn committed(&self, took: Duration, is_done: bool) {
        if !is_done {
            self.failures.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let at = BOUNDS.iter().position(|bound| micros <= *bound).unwrap_or(BOUNDS.len());
        self.within[at].fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_add(micros, Ordering::Relaxed);
        self.commits.fetch_add(1, Ordering::Relaxed);
    }

    /// Something that was asked was refused.
    pub(crate) fn refused(&self) {
        self.refusals.fetch_add(1, Ordering::Relaxed);
    }

    /// A table failed by a mistake of the program.
    pub(crate) fn table_failed(&self) {
        self.table_failures.fetch_add(1, Ordering::Relaxed);
    }

    /// Adds all of it to a page.
    pub(crate) fn write(&self, page: &mut Page) {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        for (name, help, counter) in [
            ("inputs_total", "Inputs of tables that are on the disk.", &self.inputs),
            ("entries_total", "Entries of logs that are on the disk.", &self.entries),
            ("rounds_total", "Rounds that are over.", &self.rounds),
            ("commits_total", "Transactions that were committed.", &self.commits),
            ("commit_failures_total", "Transactions that failed.", &self.failures),
            ("refusals_total", "Messages of clients that were refused.", &self.refusals),
            (
                "table_failures_total",
                "Tables that failed by a mistake of the program.",
                &self.table_failures,
            ),
        ] {
            page.head(name, "counter", help);
            page.line(name, &[], get(counter));
        }
        page.head("commit_seconds", "histogram", "How long transactions took.");
        let mut commits = 0;
        for (bound, within) in BOUNDS.iter().zip(&self.within) {
            commits += get(within);
            page.line("commit_seconds_bucket", &[("le", &Seconds(*bound))], commits);
        }
        commits += get(&self.within[BOUNDS.len()]);
        page.line("commit_seconds_bucket", &[("le", &"+Inf")], commits);
        page.line("commit_seconds_sum", &[], Seconds(get(&self.micros)));
        page.line("commit_seconds_count", &[], commits);
    }
}

/// Microseconds, printed as seconds.
struct Seconds(u64);

impl Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:06}", self.0 / 1_000_000, self.0 % 1_000_000)
    }
}

/// A page in the text format of Prometheus.
#[derive(Debug, Default)]
pub(crate) struct Page(String);

impl Page {
    /// Begins a family of values.
    pub(crate) fn head(&mut self, name: &str, kind: &str, help: &str) {
        let _ = writeln!(self.0, "# HELP pitboss_{name} {help}\n# TYPE pitboss_{name} {kind}");
    }

    /// Adds a value. Labels are names and words of the house, and need no escape.
    pub(crate) fn line(
        &mut self,
        name: &str,
        labels: &[(&str, &dyn Display)],
        value: impl Display,
    ) {
        let labels: Vec<_> = labels.iter().map(|(key, is)| format!("{key}=\"{is}\"")).collect();
        let _ = match labels.is_empty() {
            true => writeln!(self.0, "pitboss_{name} {value}"),
            false => writeln!(self.0, "pitboss_{name}{{{}}} {value}", labels.join(",")),
        };
    }

    /// The text.
    pub(crate) fn text(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_as_prometheus_reads_it() {
        let counted = Counted::new();
        counted.wrote(3, true);
        counted.wrote(0, false);
        counted.committed(Duration::from_micros(700), true);
        counted.committed(Duration::from_secs(3), true);
        counted.committed(Duration::from_secs(3), false);
        let mut page = Page::default();
        counted.write(&mut page);
        page.line("queue_depth", &[("queue", &"table"), ("table", &"war-1")], 7);
        let text = page.text();
        for line in [
            "# TYPE pitboss_inputs_total counter",
            "pitboss_inputs_total 1",
            "pitboss_entries_total 3",
            "pitboss_rounds_total 1",
            "pitboss_commits_total 2",
            "pitboss_commit_failures_total 1",
            "pitboss_commit_seconds_bucket{le=\"0.000500\"} 0",
            "pitboss_commit_seconds_bucket{le=\"0.001000\"} 1",
            "pitboss_commit_seconds_bucket{le=\"1.000000\"} 1",
            "pitboss_commit_seconds_bucket{le=\"+Inf\"} 2",
            "pitboss_commit_seconds_sum 3.000700",
            "pitboss_commit_seconds_count 2",
            "pitboss_queue_depth{queue=\"table\",table=\"war-1\"} 7",
        ] {
            assert!(text.lines().any(|other| other == line), "{line} in {text}");
        }
    }
}
