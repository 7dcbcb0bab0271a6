//! How far a run is: a bar where the error output is a terminal, else a line now and then.

use std::cell::Cell;
use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use odds::simulate::{Plan, Progress, Stop};

use super::show;
use crate::text::grouped;

/// How often a line is written.
const A_LINE_EVERY: Duration = Duration::from_secs(5);

/// Shows rounds, their rate, the running mean and the time left, as far as they are known.
pub(super) struct ProgressLine<'a> {
    bar: Option<ProgressBar>,
    plan: &'a Plan,
    stop: Stop,
    /// Rounds that were played before.
    before: u64,
    next_line: Cell<Duration>,
}

impl<'a> ProgressLine<'a> {
    pub(super) fn new(plan: &'a Plan, stop: Stop, before: u64) -> ProgressLine<'a> {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(0);
            let style = ProgressStyle::with_template("{wide_bar} {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        ProgressLine { bar, plan, stop, before, next_line: Cell::new(A_LINE_EVERY) }
    }

    pub(super) fn show(&self, progress: Progress<'_>) {
        if let Some(bar) = &self.bar {
            let all = self.stop.rounds_in_all(self.plan, progress.tally, progress.time);
            bar.set_length(all.unwrap_or(0));
            bar.set_position(progress.tally.rounds);
            bar.set_message(self.words(progress));
        } else if progress.time >= self.next_line.get() && !progress.is_over {
            self.next_line.set(progress.time + A_LINE_EVERY);
            eprintln!("{}", self.words(progress));
        }
    }

    fn words(&self, Progress { tally, time, .. }: Progress<'_>) -> String {
        let rounds = tally.rounds;
        let seconds = time.as_secs_f64().max(1e-9);
        let rate = (rounds - self.before) as f64 / seconds;
        let mut words = vec![
            grouped(&format!("{rounds} rounds")),
            format!("{:.1} million/s", rate / 1e6),
            show::mean(tally, self.plan.setting().main),
        ];
        let all = self.stop.rounds_in_all(self.plan, tally, time);
        words.extend(
            all.filter(|_| rate > 0.0)
                .map(|all| format!("{:.0} s left", all.saturating_sub(rounds) as f64 / rate)),
        );
        words.join(", ")
    }

    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
