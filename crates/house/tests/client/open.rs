//! A house in a thread of its own.

use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::Duration;

use house::Config;
use house::config::Setup;
use house::tables::dealer::Pace;
use rules::wager::Game;
use tokio::sync::oneshot;

/// An open house, on any port.
pub(crate) struct Open {
    pub(crate) address: SocketAddr,
    close: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl Open {
    pub(crate) fn with(config: Config) -> Open {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let (close, closed) = oneshot::channel::<()>();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                house::run(listener, config, async { drop(closed.await) }).await.unwrap();
            });
        });
        Open { address, close, thread }
    }

    pub(crate) fn close(self) {
        self.close.send(()).unwrap();
        self.thread.join().unwrap();
    }
}

/// Nobody is waited for longer than this where [`impatient`] deals.
pub(crate) const SOON: Duration = Duration::from_millis(40);

/// A Casino War table at which nobody is waited for.
pub(crate) fn impatient() -> Setup {
    let mut table = Setup::new("war-1", Game::CasinoWar);
    table.pace = Pace { betting: SOON, answer: Some(SOON), ..quick() };
    table
}

/// A pace at which nobody waits for a card, and players have time.
pub(crate) fn quick() -> Pace {
    Pace {
        card: Duration::ZERO,
        betting: Duration::from_secs(60),
        inspection: Duration::ZERO,
        contributions: Duration::from_secs(2),
        ..Pace::default()
    }
}

/// A directory for a store, with nothing in it.
pub(crate) fn data(name: &str) -> PathBuf {
    let data = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&data);
    data
}
