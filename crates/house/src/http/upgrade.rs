//! A request that becomes a WebSocket, and the WebSocket: axum's own does not show the frames of a client,
//! nor why reading one failed.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::{SinkExt, StreamExt};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};
use wire::Refusal;

use super::door::Flood;
use super::error::HttpError;
use super::frames::{Frames, Turn};

/// A request that asks for a WebSocket.
pub(super) struct Upgrade {
    key: HeaderValue,
    upgrade: OnUpgrade,
}

/// Whether a header has a word, whatever the case.
fn says(headers: &HeaderMap, name: HeaderName, word: &str) -> bool {
    let text = headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    text.split(',').any(|one| one.trim().eq_ignore_ascii_case(word))
}

impl<S: Send + Sync> FromRequestParts<S> for Upgrade {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Upgrade, HttpError> {
        let no = |status| {
            let refusal = Refusal::by_house("no-upgrade", "This address is for WebSockets.");
            HttpError::new(status, refusal)
        };
        let headers = &parts.headers;
        let asks = parts.method == Method::GET
            && says(headers, header::CONNECTION, "upgrade")
            && says(headers, header::UPGRADE, "websocket")
            && says(headers, header::SEC_WEBSOCKET_VERSION, "13");
        let key = headers.get(header::SEC_WEBSOCKET_KEY).cloned().filter(|_| asks);
        let key = key.ok_or_else(|| no(StatusCode::BAD_REQUEST))?;
        let upgrade = parts.extensions.remove::<OnUpgrade>();
        let upgrade = upgrade.ok_or_else(|| no(StatusCode::UPGRADE_REQUIRED))?;
        Ok(Upgrade { key, upgrade })
    }
}

impl Upgrade {
    /// Answers that the connection is a WebSocket from now on, and serves it.
    pub(super) fn serve<F: Future<Output = ()> + Send>(
        self,
        config: WebSocketConfig,
        turn: Turn,
        serve: impl FnOnce(Socket) -> F + Send + 'static,
    ) -> Response {
        let upgrade = self.upgrade;
        tokio::spawn(async move {
            // A client that breaks off is no concern of the house.
            let Ok(stream) = upgrade.await else { return };
            let frames = Frames::new(TokioIo::new(stream), turn);
            let stream = WebSocketStream::from_raw_socket(frames, Role::Server, Some(config)).await;
            serve(Socket { stream, is_broken: false }).await;
        });
        let headers = [
            (header::CONNECTION, "upgrade".to_owned()),
            (header::UPGRADE, "websocket".to_owned()),
            (header::SEC_WEBSOCKET_ACCEPT, derive_accept_key(self.key.as_bytes())),
        ];
        (StatusCode::SWITCHING_PROTOCOLS, headers).into_response()
    }
}

/// A WebSocket of a client.
pub(super) struct Socket {
    stream: WebSocketStream<Frames<TokioIo<Upgraded>>>,
    /// Whether reading has failed, and nothing more can be made of what comes.
    is_broken: bool,
}

/// Why nothing more can be read from a socket.
#[derive(Debug)]
pub(super) enum Broken {
    /// It sends too many frames.
    Flood(Flood),
    /// A message or a frame is too long.
    TooLong,
    /// Text is not UTF-8.
    NotUtf8,
    /// What it sends is no WebSocket.
    Protocol,
    /// The connection is lost.
    Lost,
}

impl Broken {
    fn new(error: Error) -> Broken {
        match error {
            Error::Io(error) => match error.downcast::<Flood>() {
                Ok(flood) => Broken::Flood(flood),
                Err(_) => Broken::Lost,
            },
            Error::Capacity(_) => Broken::TooLong,
            Error::Utf8(_) => Broken::NotUtf8,
            Error::Protocol(error) if is_lost(&error) => Broken::Lost,
            Error::Protocol(_) => Broken::Protocol,
            _ => Broken::Lost,
        }
    }
}

fn is_lost(error: &tokio_tungstenite::tungstenite::error::ProtocolError) -> bool {
    use tokio_tungstenite::tungstenite::error::ProtocolError;
    matches!(error, ProtocolError::ResetWithoutClosingHandshake)
}

impl Socket {
    /// The next message; none once the socket is closed.
    pub(super) async fn recv(&mut self) -> Option<Result<Message, Broken>> {
        let received = self.stream.next().await?;
        self.is_broken |= received.is_err();
        Some(received.map_err(Broken::new))
    }

    /// Sends a message at once.
    pub(super) async fn send(&mut self, message: Message) -> Result<(), Error> {
        self.stream.send(message).await
    }

    /// Makes a message ready, to be sent with others.
    pub(super) async fn feed(&mut self, message: Message) -> Result<(), Error> {
        self.stream.feed(message).await
    }

    pub(super) async fn flush(&mut self) -> Result<(), Error> {
        self.stream.flush().await
    }

    /// Reads what is still on its way until the client has closed its side.
    pub(super) async fn drain(&mut self) {
        while let Some(Ok(_)) = self.recv().await {}
        if self.is_broken {
            self.stream.get_mut().drain().await;
        }
    }
}
