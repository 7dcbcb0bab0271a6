//! How far a run is: one bar on the error output, where that is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// The bar, one part of the run after the other.
pub(super) struct StageBar(ProgressBar);

impl StageBar {
    pub(super) fn new() -> StageBar {
        let bar = ProgressBar::new(0);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {wide_bar} {pos}/{len}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(100));
        StageBar(bar)
    }

    /// Begins a part of the run that is over after so many.
    pub(super) fn begin(&self, words: &'static str, of: usize) {
        self.0.set_length(of as u64);
        self.0.set_position(0);
        self.0.set_message(words);
    }

    /// So many are done.
    pub(super) fn at(&self, done: usize) {
        self.0.set_position(done as u64);
    }

    /// One more is done.
    pub(super) fn next(&self) {
        self.0.inc(1);
    }

    pub(super) fn say(&self, words: String) {
        self.0.set_message(words);
    }

    pub(super) fn done(&self) {
        self.0.finish_and_clear();
    }
}
