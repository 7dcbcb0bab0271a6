//! The frames of a WebSocket, each of which is counted before anything is made of it: fragments, empty
//! frames and pings cost the house as much as messages do.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use super::door::Flood;

/// Bytes that are read at a time.
const READ_AT_ONCE: usize = 4096;

/// The most bytes of a head that say how long its frame is.
const LONGEST_LENGTH: usize = 10;

/// Counts a frame, and says how long it waits for its turn.
pub(super) type Turn = Box<dyn FnMut() -> Result<Duration, Flood> + Send>;

/// Where in the frames a byte is.
enum At {
    /// The next one begins a frame that is not counted yet.
    Between,
    /// In the head; so much of it has come.
    Head { bytes: [u8; LONGEST_LENGTH], have: usize },
    /// So many bytes of the frame are to come.
    Body { left: u64 },
}

/// A connection that gives the frames of a client one after another, each when it is its turn.
pub(super) struct Frames<S> {
    stream: S,
    turn: Turn,
    at: At,
    /// Until when the next frame waits.
    waits: Option<Pin<Box<Sleep>>>,
    /// What was read, and from where it has not been given.
    read: Vec<u8>,
    given: usize,
}

impl<S: AsyncRead + Unpin> Frames<S> {
    pub(super) fn new(stream: S, turn: Turn) -> Frames<S> {
        Frames { stream, turn, at: At::Between, waits: None, read: Vec::new(), given: 0 }
    }

    /// Reads to the end, and makes nothing of it.
    pub(super) async fn drain(&mut self) {
        let mut bytes = [0; READ_AT_ONCE];
        while matches!(self.stream.read(&mut bytes).await, Ok(1..)) {}
    }

    /// Begins the next frame when it is its turn.
    fn begin(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.waits.is_none() {
            let wait = (self.turn)().map_err(io::Error::other)?;
            self.waits = Some(Box::pin(sleep(wait))).filter(|_| !wait.is_zero());
        }
        if let Some(waits) = &mut self.waits {
            ready!(waits.as_mut().poll(context));
            self.waits = None;
        }
        self.at = At::Head { bytes: [0; LONGEST_LENGTH], have: 0 };
        Poll::Ready(Ok(()))
    }

    /// How many of these bytes belong to the frame that has begun, which goes on after them.
    fn pass(&mut self, next: &[u8]) -> usize {
        match &mut self.at {
            At::Between => 0,
            At::Head { bytes, have } => {
                bytes[*have] = next[0];
                *have += 1;
                if let Some(left) = rest_of_frame(&bytes[..*have]) {
                    self.at = if left == 0 { At::Between } else { At::Body { left } };
                }
                1
            }
            At::Body { left } => {
                let passed = usize::try_from(*left).unwrap_or(usize::MAX).min(next.len());
                *left -= passed as u64;
                if *left == 0 {
                    self.at = At::Between;
                }
                passed
            }
        }
    }
}

/// How many bytes follow a head, once enough of it is there; the mask is one of them.
fn rest_of_frame(head: &[u8]) -> Option<u64> {
    let second = *head.get(1)?;
    let mask = if second & 0x80 == 0 { 0 } else { 4 };
    let length = match second & 0x7f {
        126 => u64::from(u16::from_be_bytes(head.get(2..4)?.try_into().ok()?)),
        127 => u64::from_be_bytes(head.get(2..10)?.try_into().ok()?),
        short => u64::from(short),
    };
    Some(length.saturating_add(mask))
}

impl<S: AsyncRead + Unpin> AsyncRead for Frames<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.given == this.read.len() {
            let mut bytes = [0; READ_AT_ONCE];
            let mut bytes = ReadBuf::new(&mut bytes);
            ready!(Pin::new(&mut this.stream).poll_read(context, &mut bytes))?;
            (this.read, this.given) = (bytes.filled().to_vec(), 0);
        }
        let before = buffer.filled().len();
        while this.given < this.read.len() && buffer.remaining() > 0 {
            if matches!(this.at, At::Between) {
                // What came before it is given first, whether it waits, is refused or neither.
                if buffer.filled().len() > before {
                    break;
                }
                ready!(this.begin(context))?;
            }
            let end = this.read.len().min(this.given + buffer.remaining());
            let read = std::mem::take(&mut this.read);
            let passed = this.pass(&read[this.given..end]);
            buffer.put_slice(&read[this.given..this.given + passed]);
            this.read = read;
            this.given += passed;
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Frames<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// A frame of so many bytes, as a client sends it.
    fn frame(first: u8, length: usize) -> Vec<u8> {
        let mut frame = vec![first];
        match length {
            0..=125 => frame.push(0x80 | u8::try_from(length).unwrap()),
            126..=0xffff => {
                frame.push(0x80 | 126);
                frame.extend(u16::try_from(length).unwrap().to_be_bytes());
            }
            _ => {
                frame.push(0x80 | 127);
                frame.extend((length as u64).to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.resize(frame.len() + length, 7);
        frame
    }

    #[tokio::test(start_paused = true)]
    async fn every_frame_is_counted_once_and_waits_for_its_turn() {
        let lengths = [0, 0, 5, 125, 126, 4096, 70_000, 0, 1];
        let sent: Vec<u8> = lengths.into_iter().flat_map(|length| frame(0, length)).collect();
        for at_once in [1, 6, 100, 100_000] {
            let counted = Arc::new(AtomicUsize::new(0));
            let counter = counted.clone();
            let turn = move || {
                counter.fetch_add(1, Ordering::Relaxed);
                Ok(Duration::from_secs(1))
            };
            let mut frames = Frames::new(&sent[..], Box::new(turn));
            let (mut given, mut part) = (Vec::<u8>::new(), vec![0; at_once]);
            let since = tokio::time::Instant::now();
            loop {
                match frames.read(&mut part).await.unwrap() {
                    0 => break,
                    read => given.extend(&part[..read]),
                }
            }
            assert!(given == sent && counted.load(Ordering::Relaxed) == lengths.len());
            assert!(since.elapsed() >= Duration::from_secs(9), "{:?}", since.elapsed());
        }
    }

    #[tokio::test]
    async fn a_frame_too_many_is_an_error_that_says_whose() {
        let sent = frame(0, 0).repeat(10);
        let mut left = 3;
        let turn = move || {
            left -= 1;
            if left < 0 { Err(Flood::Address) } else { Ok(Duration::ZERO) }
        };
        let mut frames = Frames::new(&sent[..], Box::new(turn));
        let mut given = Vec::new();
        let error = frames.read_to_end(&mut given).await.unwrap_err();
        assert_eq!(error.downcast::<Flood>().unwrap(), Flood::Address);
        assert!(given.len() <= 3 * 6);
        frames.drain().await;
    }
}
