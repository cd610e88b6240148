//! Accepts connections, for all services. Whoever opens a connection and says nothing, or little by
//! little, is cut off; beyond a number of connections others wait until one ends.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use sfumato_core::{Error, ErrorKind, Result};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Semaphore;
use tokio_rustls::TlsAcceptor;

/// How long a request may take to come in, and a connection may wait for the next one.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// How long to wait after a connection that couldn't be accepted.
const AFTER_FAILURE: Duration = Duration::from_millis(50);
/// How large the head of a request may be.
const HEAD: usize = 32 << 10;

/// What connections may take.
pub(crate) struct Limits {
    /// How long a connection may be open, whatever it does.
    pub(crate) longest: Duration,
    /// How many there may be at once.
    pub(crate) connections: usize,
}

/// Answer requests until the process ends, encrypted if there is a certificate. `ready` is called
/// with the address, which matters if port 0 was asked for, and gives the service.
pub(crate) fn serve(
    address: SocketAddr,
    threads: usize,
    limits: &Limits,
    encrypted: Option<&TlsAcceptor>,
    ready: impl FnOnce(SocketAddr) -> Result<Router>,
) -> Result<()> {
    let refused = |doing: &str, error: &std::io::Error| {
        Error::new(ErrorKind::Io, format!("can't {doing} {address}: {error}"))
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads.max(1))
        .enable_io()
        .enable_time()
        .build()
        .map_err(|error| Error::resources(format!("can't start {threads} threads: {error}")))?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(address)
            .await
            .map_err(|error| refused("listen on", &error))?;
        let router = ready(listener.local_addr().map_err(|error| refused("listen on", &error))?)?;
        let room = Arc::new(Semaphore::new(limits.connections));
        let longest = limits.longest;
        loop {
            let place = Arc::clone(&room).acquire_owned().await;
            // A connection that broke before it was accepted is no reason to stop.
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(AFTER_FAILURE).await;
                continue;
            };
            let (router, encrypted) = (router.clone(), encrypted.cloned());
            tokio::spawn(async move {
                let _place = place;
                let talk = async move {
                    match encrypted {
                        None => answer(stream, router).await,
                        Some(encrypted) => {
                            // Whoever opens a connection and doesn't agree on a key is cut off too.
                            let agreed = encrypted.accept(stream);
                            let agreed = tokio::time::timeout(HEADER_TIMEOUT, agreed).await;
                            if let Ok(Ok(stream)) = agreed {
                                answer(stream, router).await;
                            }
                        }
                    }
                };
                let _ = tokio::time::timeout(longest, talk).await;
            });
        }
    })
}

/// Answer the requests of one connection.
async fn answer(stream: impl AsyncRead + AsyncWrite + Unpin + 'static, router: Router) {
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_buf_size(HEAD)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    // What goes wrong with one connection is nobody else's business.
    let _ = connection.await;
}
