//! A bar for what takes longer than a second.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Nothing is shown before.
const PATIENCE: Duration = Duration::from_secs(1);

/// Does the work; what it tells of its progress is drawn on the error output if that is a terminal.
pub(crate) fn with_progress<T>(
    what: &'static str,
    work: impl FnOnce(&mut dyn FnMut(usize, usize)) -> T,
) -> T {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    bar.set_message(what);
    bar.set_style(style("{spinner} {msg} {elapsed}"));
    let (done, is_done) = mpsc::channel::<()>();
    let shown = bar.clone();
    let waiter = thread::Builder::new().spawn(move || {
        if is_done.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
            shown.set_draw_target(ProgressDrawTarget::stderr());
            shown.enable_steady_tick(Duration::from_millis(100));
        }
    });
    let result = work(&mut |done, of| {
        if bar.length().is_none() {
            bar.set_style(style("{msg} {wide_bar} {pos}/{len}"));
        }
        bar.set_length(of as u64);
        bar.set_position(done as u64);
    });
    drop(done);
    let _ = waiter.map(thread::JoinHandle::join);
    bar.finish_and_clear();
    result
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}
