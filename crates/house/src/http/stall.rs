//! A connection whose client must go on reading what it asked for.

use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// How long something may wait to be written before the client must have taken [`LEAST_TAKEN`].
pub const LONGEST_STALL: Duration = Duration::from_secs(10);

/// The least that a client takes in that time, in bytes, while something waits for it.
pub const LEAST_TAKEN: usize = 16 * 1024;

/// A connection that fails when its client stops reading.
///
/// What waits is whatever was written and not yet flushed. Time runs from the first write that the
/// system does not take until all is flushed, so that nothing runs while a connection is idle.
pub(crate) struct StallGuard<S> {
    stream: S,
    longest: Duration,
    /// Runs while something waits.
    running: Option<Pin<Box<Sleep>>>,
    /// Bytes that the client took since it runs.
    taken: usize,
}

impl<S> StallGuard<S> {
    /// A connection whose client may stall for so long.
    pub(crate) fn new(stream: S, longest: Duration) -> StallGuard<S> {
        StallGuard { stream, longest, running: None, taken: 0 }
    }

    /// What came of a write; an error once the client has stalled for too long.
    fn note(
        &mut self,
        written: Poll<io::Result<usize>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(written) = written {
            self.taken += written.as_ref().copied().unwrap_or(0);
            return Poll::Ready(written);
        }
        if self.running.is_none() {
            self.taken = 0;
        }
        let longest = self.longest;
        let running = self.running.get_or_insert_with(|| Box::pin(sleep(longest)));
        while running.as_mut().poll(context).is_ready() {
            if self.taken < LEAST_TAKEN {
                return Poll::Ready(Err(ErrorKind::TimedOut.into()));
            }
            self.taken = 0;
            running.as_mut().reset(Instant::now() + longest);
        }
        Poll::Pending
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for StallGuard<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for StallGuard<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.note(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.note(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        if flushed.is_ready() {
            self.running = None;
        }
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio::time::timeout;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn who_reads_nothing_is_cut_off_and_who_reads_slowly_is_not() {
        let (near, far) = duplex(1024);
        let mut near = StallGuard::new(near, LONGEST_STALL);
        let since = Instant::now();
        let error = near.write_all(&[0; 4096]).await.unwrap_err();
        assert_eq!((error.kind(), since.elapsed()), (ErrorKind::TimedOut, LONGEST_STALL));
        drop(far);

        // So much in ten seconds is enough, and the rest may come later.
        for (bytes, is_enough) in [(LEAST_TAKEN, true), (LEAST_TAKEN / 2, false)] {
            let (near, mut far) = duplex(1024);
            let mut near = StallGuard::new(near, LONGEST_STALL);
            let reading = tokio::spawn(async move {
                let mut buffer = vec![0; bytes / 5];
                while far.read_exact(&mut buffer).await.is_ok() {
                    sleep(LONGEST_STALL / 6).await;
                }
            });
            let written = near.write_all(&[0; 8 * LEAST_TAKEN]).await;
            assert_eq!(written.is_ok(), is_enough, "{written:?}");
            drop(near);
            reading.await.unwrap();
        }
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_runs_while_nothing_waits() {
        let (near, mut far) = duplex(1024);
        let mut near = StallGuard::new(near, LONGEST_STALL);
        for _ in 0..3 {
            let reading = async {
                sleep(LONGEST_STALL / 2).await;
                far.read_exact(&mut [0; 2048]).await
            };
            let writing = async {
                near.write_all(&[0; 2048]).await?;
                near.flush().await
            };
            let (read, written) = tokio::join!(reading, writing);
            assert!(read.is_ok() && written.is_ok());
            let nothing = timeout(10 * LONGEST_STALL, far.read_u8()).await;
            assert!(nothing.is_err());
        }
    }
}
