//! Ctrl-C: a run ends with what it has reached.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::serve::INTERRUPTED;

/// Whether Ctrl-C has been pressed.
#[derive(Clone, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on. The first Ctrl-C is noted, a second one ends the program at once; if the
    /// system allows no thread for that, the first one does.
    pub(crate) fn listen() -> Interrupt {
        let interrupt = Interrupt::default();
        let noted = interrupt.clone();
        let _ = thread::Builder::new().spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let Ok(runtime) = runtime else { return };
            runtime.block_on(async {
                while tokio::signal::ctrl_c().await.is_ok() {
                    if noted.0.swap(true, Ordering::Relaxed) {
                        std::process::exit(INTERRUPTED);
                    }
                }
            });
        });
        interrupt
    }

    pub(crate) fn has_come(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
