//! A way between a node and a server that can be slow, stand still or be cut.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::step::Failure;

/// Bytes that are passed on at a time.
const AT_ONCE: usize = 16 * 1024;

/// How the way is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Open,
    /// Whatever is passed on arrives so much later.
    Slow(Duration),
    /// Nothing is passed on, and nothing is lost. What comes first is passed on by half, so that a message
    /// is cut in two.
    Still,
    /// Connections are closed, and none is made.
    Cut,
}

/// What all connections have in common.
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    way: Way,
    /// Both ends of every connection.
    ends: Vec<TcpStream>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits while nothing is passed on.
    fn wait(&self) {
        let mut state = self.state();
        while state.way == Way::Still {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A port of this computer that leads to another one.
pub(super) struct Proxy {
    port: u16,
    shared: Arc<Shared>,
}

impl Proxy {
    /// Opens a way to a port of this computer.
    pub(super) fn to(target: u16) -> Result<Proxy, Failure> {
        let wrong = |error: io::Error| Failure::Found(format!("a proxy does not open: {error}"));
        let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(wrong)?;
        let port = listener.local_addr().map_err(wrong)?.port();
        let state = Mutex::new(State { way: Way::Open, ends: Vec::new() });
        let shared = Arc::new(Shared { state, changed: Condvar::new() });
        let of_all = shared.clone();
        thread::spawn(move || {
            for near in listener.incoming().flatten() {
                // Whoever comes while the way is cut is sent away.
                let _ = join(near, target, &of_all);
            }
        });
        Ok(Proxy { port, shared })
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// Makes the way another one.
    pub(super) fn make(&self, way: Way) {
        let mut state = self.shared.state();
        state.way = way;
        if way == Way::Cut {
            for end in state.ends.drain(..) {
                let _ = end.shutdown(Shutdown::Both);
            }
        }
        self.shared.changed.notify_all();
    }
}

/// Joins a connection with one to the target.
fn join(near: TcpStream, target: u16, shared: &Arc<Shared>) -> io::Result<()> {
    let mut state = shared.state();
    if state.way == Way::Cut {
        return Ok(());
    }
    let far = TcpStream::connect(("127.0.0.1", target))?;
    near.set_nodelay(true)?;
    far.set_nodelay(true)?;
    for (from, to) in [(&near, &far), (&far, &near)] {
        let (from, to, shared) = (from.try_clone()?, to.try_clone()?, shared.clone());
        thread::spawn(move || pass_on(from, to, &shared));
    }
    state.ends.push(near);
    state.ends.push(far);
    Ok(())
}

/// Passes on what comes from one end to the other, until one of them is closed.
fn pass_on(mut from: TcpStream, mut to: TcpStream, shared: &Shared) {
    let mut bytes = vec![0; AT_ONCE];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        let way = shared.state().way;
        let first = match way {
            Way::Open => 0,
            Way::Slow(time) => {
                thread::sleep(time);
                0
            }
            Way::Still => count / 2,
            Way::Cut => break,
        };
        let passed = to.write_all(&bytes[..first]).and_then(|()| {
            shared.wait();
            to.write_all(&bytes[first..count])
        });
        if passed.is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    /// A server that sends everything back.
    fn echo() -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                thread::spawn(move || io::copy(&mut stream.try_clone().unwrap(), &mut stream));
            }
        });
        port
    }

    fn connect(proxy: &Proxy) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", proxy.port())).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
        stream
    }

    #[test]
    fn a_way_stands_still_and_loses_nothing_or_is_cut() {
        let proxy = Proxy::to(echo()).unwrap();
        let (mut stream, mut four) = (connect(&proxy), [0; 4]);
        stream.write_all(b"one.").unwrap();
        stream.read_exact(&mut four).unwrap();
        assert_eq!(&four, b"one.");

        proxy.make(Way::Still);
        stream.write_all(b"two.").unwrap();
        let mut came = 0;
        while let Ok(count @ 1..) = stream.read(&mut four[came..]) {
            came += count;
        }
        assert!(came < four.len(), "{came}");
        proxy.make(Way::Open);
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stream.read_exact(&mut four[came..]).unwrap();
        assert_eq!(&four, b"two.");

        proxy.make(Way::Slow(Duration::from_millis(50)));
        let begun = Instant::now();
        stream.write_all(b"tri.").unwrap();
        stream.read_exact(&mut four).unwrap();
        assert!(begun.elapsed() >= Duration::from_millis(100), "there and back");

        proxy.make(Way::Cut);
        assert!(!matches!(stream.read(&mut four), Ok(1..)));
        let mut other = connect(&proxy);
        assert!(!matches!(other.read(&mut four), Ok(1..)));
        proxy.make(Way::Open);
        let mut stream = connect(&proxy);
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stream.write_all(b"four").unwrap();
        stream.read_exact(&mut four).unwrap();
        assert_eq!(&four, b"four");
    }
}
