//! Requests to the house, each on a connection of its own.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// An answer of the house.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: String,
}

impl Answer {
    /// The body of an answer that all is well.
    pub(super) fn good(self) -> io::Result<String> {
        match self.status {
            200 => Ok(self.body),
            429 => {
                let refusal: Option<wire::Refusal> = serde_json::from_str(&self.body).ok();
                let sentence = refusal.map_or(self.body, |refusal| refusal.sentence);
                Err(io::Error::new(ErrorKind::QuotaExceeded, sentence))
            }
            status => Err(io::Error::other(format!("{status}: {}", self.body.trim()))),
        }
    }

    /// The cookie that comes with it.
    pub(super) fn cookie(&self) -> Option<&str> {
        let line = self.head.lines().find_map(|line| line.strip_prefix("set-cookie: "))?;
        line.split(';').next()
    }
}

/// Asks for something, with more lines of the head, each with its end.
pub(super) async fn request(
    address: SocketAddr,
    method: &str,
    path: &str,
    more: &str,
) -> io::Result<Answer> {
    let mut stream = TcpStream::connect(address).await?;
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\n{more}\
         Content-Length: 0\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await?;
    let mut text = Vec::new();
    stream.read_to_end(&mut text).await?;
    let cut = || io::Error::new(ErrorKind::UnexpectedEof, "the answer is cut short");
    let text = String::from_utf8(text).map_err(io::Error::other)?;
    let (head, body) = text.split_once("\r\n\r\n").ok_or_else(cut)?;
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).ok_or_else(cut)?;
    let is_chunked = head.contains("transfer-encoding: chunked");
    let body = if is_chunked { in_one(body).ok_or_else(cut)? } else { body.to_owned() };
    Ok(Answer { status, head: head.to_owned(), body })
}

/// A body that came in chunks, each after its size.
fn in_one(mut chunks: &str) -> Option<String> {
    let mut body = String::new();
    loop {
        let (size, rest) = chunks.split_once("\r\n")?;
        let size = usize::from_str_radix(size, 16).ok()?;
        if size == 0 {
            return Some(body);
        }
        body.push_str(rest.get(..size)?);
        chunks = rest.get(size..)?.strip_prefix("\r\n")?;
    }
}
