//! How far the work is: a bar where the error output is a terminal, else a line now and then.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::text::grouped;

/// How often a line is written.
const A_LINE_EVERY: Duration = Duration::from_secs(5);

/// Shows what is done of how much, and how fast.
pub(super) struct WorkLine {
    what: &'static str,
    /// What is counted, such as rounds.
    unit: &'static str,
    bar: Option<ProgressBar>,
    next_line: Duration,
}

impl WorkLine {
    pub(super) fn new(what: &'static str, unit: &'static str) -> WorkLine {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(0);
            let style = ProgressStyle::with_template("{wide_bar} {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        WorkLine { what, unit, bar, next_line: A_LINE_EVERY }
    }

    pub(super) fn show(&mut self, done: u64, of: u64, time: Duration) {
        let words = || {
            let (what, unit) = (self.what, self.unit);
            let rate = done as f64 / time.as_secs_f64().max(1e-9);
            let rate = match rate {
                many if many >= 1e5 => format!("{:.1} million/s", many / 1e6),
                few => format!("{few:.1}/s"),
            };
            grouped(&format!("{what}: {done} of {of} {unit}, {rate}"))
        };
        if let Some(bar) = &self.bar {
            bar.set_length(of.max(done));
            bar.set_position(done);
            bar.set_message(words());
        } else if time >= self.next_line && done < of {
            eprintln!("{}", words());
            self.next_line = time + A_LINE_EVERY;
        }
    }
}

impl Drop for WorkLine {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
