//! `GET /sets/KEY`: a random set of items for the record of a key.
//!
//! No request and no answer is logged. Only this machine can ask, and only by one of its own names:
//! a page in a browser whose own name was made to lead here (DNS rebinding) gets nothing. Whoever
//! opens a connection and says nothing, or little by little, is cut off.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderName, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rand_chacha::ChaCha20Rng;
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_sets::serve::{SetServer, answers_generator};

/// How long a request may take to come in, and a connection may wait for the next one.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a connection may be open, whatever it does.
const LONGEST: Duration = Duration::from_secs(300);
/// How long to wait after a connection that couldn't be accepted.
const AFTER_FAILURE: Duration = Duration::from_millis(50);

struct Shared {
    server: SetServer,
    /// The name of each item as JSON: escaped once, not with every answer.
    names: Vec<String>,
}

/// Answer requests until the process ends. `ready` is called with the address, which matters if
/// port 0 was asked for.
pub fn serve_sets(
    server: SetServer,
    address: SocketAddr,
    threads: usize,
    ready: impl FnOnce(SocketAddr),
) -> Result<()> {
    if !address.ip().is_loopback() {
        return Err(Error::params(format!("{address} can be reached from elsewhere"))
            .hint("answers are for this machine alone: take 127.0.0.1 or [::1]"));
    }
    let refused = |doing: &str, error: &std::io::Error| {
        Error::new(ErrorKind::Io, format!("can't {doing} {address}: {error}"))
    };
    let names = (0..server.n_items() as u32)
        .map(|item| serde_json::Value::from(server.name(item)).to_string())
        .collect();
    let shared = Arc::new(Shared { server, names });
    let router = Router::new()
        .route("/sets/{key}", get(answer))
        .with_state(shared)
        .layer(axum::middleware::from_fn(refuse_other_names));
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
        ready(listener.local_addr().map_err(|error| refused("listen on", &error))?);
        loop {
            // A connection that broke before it was accepted is no reason to stop.
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(AFTER_FAILURE).await;
                continue;
            };
            let service = TowerToHyperService::new(router.clone());
            tokio::spawn(async move {
                let connection = http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(HEADER_TIMEOUT)
                    .serve_connection(TokioIo::new(stream), service);
                // What goes wrong with one connection is nobody else's business.
                let _ = tokio::time::timeout(LONGEST, connection).await;
            });
        }
    })
}

/// Refuse a request that names another machine than this one.
async fn refuse_other_names(request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    match host.is_some_and(is_this_machine) {
        true => next.run(request).await,
        false => {
            let error = "{\"error\":\"ask by the name of this machine: 127.0.0.1 or localhost\"}";
            reply(StatusCode::MISDIRECTED_REQUEST, error.into())
        }
    }
}

/// Whether the name in a `Host` header, with or without a port, is one of this machine itself.
fn is_this_machine(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    name.eq_ignore_ascii_case("localhost")
        || bare.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

thread_local! {
    static RANDOM: RefCell<Option<ChaCha20Rng>> = const { RefCell::new(None) };
}

async fn answer(State(shared): State<Arc<Shared>>, Path(key): Path<String>) -> Response {
    let Some(record) = shared.server.record(&key) else {
        return reply(StatusCode::NOT_FOUND, "{\"error\":\"no record has this key\"}".into());
    };
    let drawn = RANDOM.with_borrow_mut(|random| {
        let random = match random {
            Some(random) => random,
            empty => empty.insert(answers_generator()?),
        };
        Ok::<Vec<u32>, Error>(shared.server.answer(record, random))
    });
    match drawn {
        Ok(items) => {
            let names: Vec<&str> =
                items.iter().map(|item| shared.names[*item as usize].as_str()).collect();
            reply(StatusCode::OK, format!("{{\"items\":[{}]}}", names.join(",")))
        }
        Err(_) => {
            reply(StatusCode::SERVICE_UNAVAILABLE, "{\"error\":\"no random numbers\"}".into())
        }
    }
}

fn reply(status: StatusCode, body: String) -> Response {
    // An answer that a cache keeps would be a log of what was served.
    const HEADERS: [(HeaderName, &str); 2] =
        [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    (status, HEADERS, body).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_answered() {
        for host in
            ["127.0.0.1", "127.0.0.1:7878", "localhost", "LOCALHOST:80", "[::1]:7878", "[::1]"]
        {
            assert!(is_this_machine(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "evil.example:7878",
            "127.0.0.1.evil.example",
            "10.0.0.1",
            "localhost.evil.example:80",
            "127.0.0.1:7878@evil.example",
            "[::2]:80",
        ] {
            assert!(!is_this_machine(host), "{host}");
        }
    }
}
