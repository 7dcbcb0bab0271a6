//! The house's one port: so many connections at a time, and none that keeps the house waiting.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::Request;
use hyper::body::{Body as _, Incoming};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rustls::ServerConfig;
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use super::caller::Connection;
use super::door::{Share, Shares};
use super::places::{Activity, AnswerBody, NoPlace, Place, Places};
use super::stall::StallGuard;
use crate::network::{Certificate, Network};

/// How long a client may take for the head of a request, and be silent between two.
pub const LONGEST_REQUEST: Duration = Duration::from_secs(10);

/// How long a trusted proxy may be silent between two requests: proxies keep connections for later, and
/// a request that meets a closed one is lost.
pub const LONGEST_SILENCE_OF_A_PROXY: Duration = Duration::from_secs(180);

/// Bytes that the system keeps for a client who does not read: so many, and not megabytes, are on their way before
/// messages wait in the house and the client is cut off.
pub const MOST_ON_THE_WAY: usize = 64 * 1024;

/// How often the files of the certificate are looked at.
pub const CERTIFICATE_READ_EVERY: Duration = Duration::from_secs(5);

/// How often a connection that waits for a place looks whether another one can give its own up.
const LOOKED_FOR_EVERY: Duration = Duration::from_millis(50);

/// How long the entrance waits where the system has no connection to give.
const AFTER_A_FAILURE: Duration = Duration::from_secs(1);

/// What clients may take of the house.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entrance {
    pub(crate) connections: usize,
    pub(crate) connections_of_an_address: usize,
    pub(crate) request: Duration,
    pub(crate) stall: Duration,
}

/// What connections lead to.
#[derive(Clone)]
pub(crate) struct Doorway {
    pub(crate) router: Router,
    pub(crate) network: Network,
    /// What HTTPS is spoken with, where it is.
    pub(crate) tls: Option<watch::Receiver<Arc<ServerConfig>>>,
}

/// Takes a renewed certificate into use. One that cannot be used is reported, and the one before stays.
pub(crate) async fn follow_certificate(
    mut certificate: Certificate,
    tls: watch::Sender<Arc<ServerConfig>>,
    mut closing: watch::Receiver<bool>,
) {
    loop {
        tokio::select! {
            _ = closing.wait_for(|closing| *closing) => return,
            () = tokio::time::sleep(CERTIFICATE_READ_EVERY) => {}
        }
        let reading = tokio::task::spawn_blocking(move || {
            let renewed = certificate.renew();
            (certificate, renewed)
        });
        let Ok((read, renewed)) = reading.await else { return };
        certificate = read;
        match renewed {
            None => {}
            Some(Ok(())) => {
                tracing::info!(what = "certificate", "the renewed certificate is in use");
                tls.send_replace(certificate.config());
            }
            Some(Err(error)) => {
                tracing::error!(what = "certificate", why = %error, "the certificate has changed and cannot be used; the one before stays in use");
            }
        }
    }
}

/// Serves whoever connects until the house closes. What is still open then is given back: it ends
/// after its answer, or when it is dropped.
pub(crate) async fn serve(
    listener: TcpListener,
    doorway: Doorway,
    limits: Entrance,
    mut closing: watch::Receiver<bool>,
) -> JoinSet<()> {
    let (mut open, places) = (JoinSet::new(), Places::new(limits.connections));
    let shares = Shares::new(limits.connections_of_an_address, limits.connections);
    loop {
        let accepted = tokio::select! {
            _ = closing.wait_for(|closing| *closing) => return open,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, from)) => {
                if !doorway.network.lets_in(from.ip()) {
                    tracing::debug!(what = "connection", address = %from, "refused: only this computer and the trusted proxies may use plain HTTP");
                    continue;
                }
                // A proxy has connections for many clients, and their requests are counted instead.
                let is_proxy = doorway.network.is_trusted(from.ip());
                let share = if is_proxy { None } else { shares.take(from.ip()) };
                if share.is_none() && !is_proxy {
                    // It is not answered: that would cost what is to be saved.
                    tracing::debug!(what = "connection", address = %from, "connection limit of its address reached");
                    continue;
                }
                let place = tokio::select! {
                    _ = closing.wait_for(|closing| *closing) => return open,
                    place = a_place(&places, share) => place,
                };
                let Some(place) = place else {
                    tracing::debug!(what = "connection", address = %from, "no place left for another connection of its address");
                    continue;
                };
                let activity = place.activity.clone();
                let (doorway, closing) = (doorway.clone(), closing.clone());
                let served = accepted_connection(stream, from, doorway, limits, activity, closing);
                open.spawn(async move {
                    tokio::select! {
                        () = served => {}
                        () = place.given_up() => {
                            tracing::debug!(what = "connection", address = %from, "its place was needed");
                        }
                    }
                });
            }
            Err(error) => {
                tracing::warn!(what = "connection", why = %error, "a connection cannot be accepted");
                tokio::time::sleep(AFTER_A_FAILURE).await;
            }
        }
        while open.try_join_next().is_some() {}
    }
}

/// A place for a connection, as soon as there is one; none where its address has more than others.
async fn a_place(places: &Arc<Places>, mut share: Option<Share>) -> Option<Place> {
    loop {
        share = match places.take(share, Instant::now()) {
            Ok(place) => return Some(place),
            Err(NoPlace::Crowd) => return None,
            Err(NoPlace::Wait(share)) => share,
        };
        let _ = timeout(LOOKED_FOR_EVERY, places.freed()).await;
    }
}

/// Makes a connection ready and serves it.
async fn accepted_connection(
    stream: TcpStream,
    from: SocketAddr,
    Doorway { router, network, tls }: Doorway,
    limits: Entrance,
    activity: Arc<Activity>,
    closing: watch::Receiver<bool>,
) {
    let socket = SockRef::from(&stream);
    let set = socket.set_send_buffer_size(MOST_ON_THE_WAY).and(socket.set_tcp_nodelay(true));
    if let Err(error) = set {
        tracing::warn!(what = "connection", why = %error, "the options of a connection cannot be set");
    }
    let Ok(reached) = stream.local_addr() else { return };
    let request = match network.is_trusted(from.ip()) {
        true => LONGEST_SILENCE_OF_A_PROXY,
        false => limits.request,
    };
    let limits = Entrance { request, ..limits };
    let (peer, reached, is_encrypted) = (from.ip(), reached.ip(), tls.is_some());
    let connection = Connection { peer, reached, is_encrypted };
    let stream = StallGuard::new(stream, limits.stall);
    let Some(tls) = tls else {
        return serve_connection(stream, connection, router, limits, activity, closing).await;
    };
    let tls = TlsAcceptor::from(tls.borrow().clone());
    // Whoever does not speak HTTPS, or not soon, has no answer.
    let accepted = timeout(limits.request, tls.accept(stream)).await;
    if let Ok(Ok(stream)) = accepted {
        serve_connection(stream, connection, router, limits, activity, closing).await;
    }
}

/// Serves one connection until it ends, becomes a WebSocket, or has its last answer.
pub(super) async fn serve_connection(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    connection: Connection,
    router: Router,
    limits: Entrance,
    activity: Arc<Activity>,
    mut closing: watch::Receiver<bool>,
) {
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: Request<Incoming>| {
        activity.has_head(!request.body().is_end_stream());
        request.extensions_mut().insert(connection);
        request.extensions_mut().insert(activity.clone());
        let (answer, activity) = (router.call(request), activity.clone());
        async move {
            let answer = answer.await;
            activity.answers();
            answer.map(|answer| answer.map(|body| AnswerBody::new(body, activity)))
        }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.request);
    let served = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
    tokio::pin!(served);
    // A client that breaks off is no concern of the house.
    tokio::select! {
        _ = served.as_mut() => return,
        _ = closing.wait_for(|closing| *closing) => served.as_mut().graceful_shutdown(),
    }
    let _ = served.await;
}

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    /// A doorway to one page.
    fn open() -> Doorway {
        let router = Router::new().route("/", get(async || "open"));
        Doorway { router, network: Network::default(), tls: None }
    }

    const HALF: &[u8] = b"GET / HTTP/1.1\r\nHost: x\r\n";

    #[tokio::test]
    async fn an_address_has_so_many_connections_and_gets_them_back() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (_close, closing) = watch::channel(false);
        let request = Duration::from_millis(500);
        let limits =
            Entrance { connections: 8, connections_of_an_address: 2, request, stall: request };
        let serving = tokio::spawn(serve(listener, open(), limits, closing));

        let ask = async || {
            let (mut stream, mut said) =
                (TcpStream::connect(address).await.unwrap(), String::new());
            let request = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
            let _ = stream.write_all(request).await;
            let _ = stream.read_to_string(&mut said).await;
            said
        };
        let silent = [(); 2].map(|()| TcpStream::connect(address));
        let silent = futures_util::future::join_all(silent).await;
        assert_eq!(ask().await, "");
        tokio::time::sleep(2 * request).await;
        assert!(ask().await.ends_with("open"), "who is silent has lost the place");
        drop(silent);
        serving.abort();
    }

    #[tokio::test]
    async fn half_a_request_holds_its_place_for_so_long_and_no_longer() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (close, closing) = watch::channel(false);
        let request = Duration::from_millis(300);
        let limits =
            Entrance { connections: 1, connections_of_an_address: 8, request, stall: request };
        let serving = tokio::spawn(serve(listener, open(), limits, closing));

        let (begun, mut said) = (Instant::now(), String::new());
        let mut slow = TcpStream::connect(address).await.unwrap();
        slow.write_all(HALF).await.unwrap();
        let mut other = TcpStream::connect(address).await.unwrap();
        other.write_all(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await.unwrap();
        other.read_to_string(&mut said).await.unwrap();
        assert!(said.starts_with("HTTP/1.1 200") && said.ends_with("open"), "{said}");
        assert!(begun.elapsed() >= limits.request);

        // Whoever is in the middle of a request is given back when the house closes.
        let mut slow = TcpStream::connect(address).await.unwrap();
        slow.write_all(HALF).await.unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;
        close.send(true).unwrap();
        let soon = Duration::from_millis(250);
        let left = tokio::time::timeout(soon, serving).await.unwrap().unwrap();
        assert!(left.len() <= 1);
        assert!(TcpStream::connect(address).await.is_err());
    }
}
